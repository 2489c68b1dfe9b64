"""Names, initials and abbreviations, for the lexical judge."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from eval.judges.lexical.tables import STOP
from eval.judges.lexical.words import Word, content_words, find, plain, read

_SMALL = frozenset(["of", "the", "and", "for", "in", "on", "a", "an", "de", "la", "le", "von", "van", "der"])
_NAME = re.compile(r"(?:\b[A-Z](?:\.|\b)\s?|\b[A-Z][\w'’-]+\s)+[A-Z][\w'’-]+")


def abbreviates(answer: str, truth: str, focus_text: str) -> bool:
    """Whether an answer of a few words gives an abbreviation of the words that answer, or writes out one of them."""
    said = [w.text for w in content_words(read(answer))]
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


def shortens(word: str, truth: str) -> bool:
    """Whether a word in capitals is made of the initials of neighbouring words of the truth ("WHO")."""
    if not (word.isupper() and word.isalpha() and len(word) >= 2):
        return False
    words = re.findall(r"[A-Za-z][\w'’]*", plain(truth))
    return any(
        word.lower() in "".join(w[0] for w in kept).lower()
        for kept in (words, [w for w in words if w.lower() not in _SMALL])
    )


def other_person(answer: str, truth: str, question: str, keys: Sequence[str]) -> str:
    """A name that the answer gives beside or instead of the one wanted; "" when there is none.

    A first name before the wanted last name must be the wanted one or its initial ("U. K. Le Guin", not "Orazio
    Gentileschi" for Artemisia); another whole name that neither question nor truth know counts where it is offered
    beside the wanted one, not where it only belongs to what is added.
    """
    known = [*read(truth), *read(question)]
    last = keys[-1].lower()
    own = [w.text.lower() for w in read(truth) if w.text[:1].isalpha()]
    for match in _NAME.finditer(plain(answer)):
        parts = re.findall(r"[A-Za-z][\w'-]*", match[0])
        parts = parts[1:] if parts[0].lower() in STOP and parts[0] not in ("Will", "May") else parts
        lows = [p.lower() for p in parts]
        if last in lows:
            before = [p for p in lows[: lows.index(last)] if p not in _SMALL]
            known_first = bool(before) and (_same_name(before[-1], own) or _told(before[-1], truth))
            strange = [] if known_first else [p for p in before if not _same_name(p, own)]
            if strange and parts[0] not in ("The", "Author", "Composer", "Architect", "Yes", "It"):
                return match[0]
        elif len(parts) >= 2 and not any(find(w, known) for w in content_words(read(match[0]))):
            text = plain(answer)
            if re.match(
                rf"\s[a-z]+(?:\s[a-z]+)?,?\s+(?:[A-Z][\w.'-]*\s)*(?i:{re.escape(last)})\b", text[match.end() :]
            ):
                continue  # "the Danish designer Arne Holm"
            owned = re.search(rf"\b{re.escape(last)} ¤", plain(re.sub(r"['’]s?(?=\s)", " ¤", answer)), re.I) is not None
            if _beside(text, match.start(), match.end(), last, owned=owned):
                return match[0]
    return ""


def _beside(text: str, start: int, end: int, last: str, *, owned: bool) -> bool:
    """Whether a name is offered beside the wanted one ("A and B"), or the wanted one is not said at all."""
    spots = [(m.start(), m.end()) for m in re.finditer(rf"\b{re.escape(last[: max(4, len(last) - 2)])}\w*", text, re.I)]
    joint = re.compile(r"\s*,?\s*(?:(?:and|or|&|with|together with|maybe|perhaps)\s+)+(?:the |by )?")
    behind = any(joint.fullmatch(text[b:start]) for _, b in spots if b <= start)
    before = any(joint.match(text[end:a]) and len(text[end:a].split()) <= 3 for a, _ in spots if a >= end)
    if not spots or behind or before:
        return True
    told = re.search(r"\b(?:is|was|are|were)\s+(?:actually |really )?(?:the )?$", text[:start])
    between = text[end : spots[0][0]]
    ahead = start < spots[0][0] and ("," in between or len(between.split()) >= 2)
    denied = re.search(r"\b(?:not|unlike|than|of|after|before|besides?|neither|nor)\s+(?:the )?$", text[:start])
    return not denied and (told is not None or owned or ahead)


def other_neighbour(told: Sequence[Word], said: Sequence[Word], asked: Sequence[Word]) -> str:
    """Another name where the truth has one beside a word that both have ("Chain Opera House" for "Sydney Opera House",
    "MX-8" for "MX-5"); "" when there is none."""
    pairs = [
        (one, two, first)
        for one, two in itertools.pairwise(told)
        if one.sentence == two.sentence and one.clause == two.clause
        for first in (True, False)
    ]
    for one, two, first in pairs:
        name, beside = (one, two) if first else (two, one)
        lettered = len(name.text) == 1 and beside.text.lower() in _LETTERED
        if not _is_name(name) or not (beside.content or lettered) or (find(name, said) and not lettered):
            continue
        for left, right in itertools.pairwise(said):
            other, shared = (left, right) if first else (right, left)
            if shared.stem != beside.stem or not _is_name(other) or left.clause != right.clause:
                continue
            if min(len(other.text), len(name.text)) == 1 and other.text[0].lower() == name.text[0].lower():
                continue
            if name.text[0].isdigit() and not beside.capital:
                continue
            if lettered and other.text not in {w.text for w in told}:
                return f"says {left.text} {right.text}, not {one.text} {two.text}"
            if not find(other, told) and not find(other, asked) and other.text[0].isdigit() == name.text[0].isdigit():
                return f"says {left.text} {right.text}, not {one.text} {two.text}"
    return ""


_LETTERED = frozenset(
    ("type", "size", "class", "grade", "gate", "platform", "line", "vitamin", "group", "exit", "plan")
)


def _is_name(word: Word) -> bool:
    return word.content and (word.capital or word.text.isdigit()) and not _MEASURED.match(word.text)


_MEASURED = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|\w+day)$"
)


def _told(word: str, truth: str) -> bool:
    """Whether the truth says a word of the same stem ("the Dane" of a "Danish architect")."""
    return any(w.content and find(w, read(truth)) for w in read(word))


def _same_name(name: str, own: Sequence[str]) -> bool:
    """Whether a first name is one of the truth's, or one is the other's initial."""
    return name in own or any(min(len(name), len(o)) == 1 and name[0] == o[0] for o in own)
