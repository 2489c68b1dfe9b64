"""Names, initials and abbreviations, for the lexical judge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.lexical_words import content, find, plain, read

_SMALL = frozenset(["of", "the", "and", "for", "in", "on", "a", "an", "de", "la", "le", "von", "van", "der"])
_NAME = re.compile(r"(?:\b[A-Z](?:\.|\b)\s?|\b[A-Z][\w'’-]+\s)+[A-Z][\w'’-]+")


def abbreviates(answer: str, truth: str, focus_text: str) -> bool:
    """Whether an answer of a few words gives an abbreviation of the words that answer, or writes out one of them."""
    said = [w.text for w in content(read(answer))]
    if not 1 <= len(said) <= 12:
        return False
    words = re.findall(r"[A-Za-z][\w'’]*", plain(focus_text).replace("&", " and "))
    initials = {start: "".join(w[0] for w in words[start:]).lower() for start in range(len(words))}
    strong = [w for w in words if w.lower() not in _SMALL]
    letters = "".join(w[0] for w in strong).lower()
    for word in re.findall(r"\b[A-Z][A-Z0-9&.]*[A-Z]\b", plain(answer)):
        low = re.sub(r"[^a-z]", "", word.lower())
        others = [
            w for w in read(answer) if w.content and not find(w, read(truth)) and w.text.lower() not in word.lower()
        ]
        if len(low) >= 2 and not others and (low in letters or any(i.startswith(low) for i in initials.values())):
            return True
    return False


def other_person(answer: str, truth: str, question: str, keys: Sequence[str]) -> str:
    """A name that the answer gives beside or instead of the one wanted; "" when there is none.

    A first name before the wanted last name must be the wanted one or its initial ("U. K. Le Guin", not "Orazio
    Gentileschi" for Artemisia); another whole name of a person that neither question nor truth know counts, too.
    """
    known = [*read(truth), *read(question)]
    last = keys[-1].lower()
    own = [w.text.lower() for w in read(truth) if w.text[:1].isalpha()]
    for match in _NAME.finditer(plain(answer)):
        parts = re.findall(r"[A-Za-z][\w'-]*", match[0])
        lows = [p.lower() for p in parts]
        if last in lows:
            before = [p for p in lows[: lows.index(last)] if p not in _SMALL]
            strange = [p for p in before if p not in own and not any(min(len(p), len(o)) == 1 and p[0] == o[0] for o in own)]
            if strange and parts[0] not in ("The", "Author", "Composer", "Architect", "Yes", "It"):
                return match[0]
        elif len(parts) >= 2 and not any(find(w, known) for w in content(read(match[0]))):
            return match[0]
    return ""
