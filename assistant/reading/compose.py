"""Saying it: one plain English sentence from a fact, with the subject named.

Realises attribute keys by their grammar (a plural noun, a participle, a yes-or-no word) and trims page sentences to the
clause that answers. States nothing beyond key and value.
"""

from __future__ import annotations

import re

from assistant.text.attribute_keys import key_unit, key_words
from assistant.text.english import is_plural, plain, word_set
from assistant.text.values import find_dates, number_of, split_list

MAX_SENTENCE_CHARS = 320
_PARTICIPLE = re.compile(
    r"^(?:(?:first|last|originally|date|year|when)\s+)?(?P<p>\w+ed|made|built|written|born|found|grown|sold|"
    r"known|drawn|sung|spoken|bred|worn|set|laid|cut|won|held|kept|begun|sewn|woven|shot)(?:\s+(?P<prep>in|"
    r"on|at|by|for|from|with|to|of|since|as|near|under))?(?P<rest>\s+(?:year|date))?$"
)
_YES = word_set("yes true y")
_NO = word_set("no false n")


def join_list(items: tuple[str, ...] | list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    items = [i for i in items if i]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


def sentence_case(text: str) -> str:
    text = plain(text, MAX_SENTENCE_CHARS * 2).strip()
    if not text:
        return text
    if text[0].islower() and not re.match(r"^[a-z]+[A-Z0-9]", text):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def attribute_sentence(subject: str, key: str, value: str) -> str:
    """A sentence for one attribute: "The weight of X is 340 g." / "X was published in 1987." / "X has 352 pages."."""
    named = key_unit(key)
    words = named[0] if named else key_words(key)
    value = value.strip()
    low = value.lower().rstrip(".")
    if low in _YES | _NO:
        negative = low in _NO
        if m := re.match(r"^(?:has|have|with)\s+(.*)$", words):
            return sentence_case(f"{subject} {'does not have' if negative else 'has'} {m.group(1)}")
        words = re.sub(r"^(?:is|are)\s+", "", words)
        return sentence_case(
            f"{subject}: {'not ' if negative else ''}{words}"
            if is_plural(words)
            else f"{subject} is {'not ' if negative else ''}{words}"
        )
    if m := _PARTICIPLE.match(words):
        return sentence_case(_passive(subject, m, value, words))
    items = split_list(value) if not find_dates(value) else (value,)
    shown = join_list(items) if len(items) > 1 and all(len(i) < 60 for i in items) and "." not in value[:-1] else value
    if number_of(value) is not None and is_plural(words) and len(words.split()) <= 3:
        return sentence_case(
            f"{subject} has {value} {words.removeprefix('number of ').removeprefix('no of ').removeprefix('num ')}"
        )
    number = re.match(r"^(?:number of|no of|num|count of)\s+(.+)$", words)
    if number and number_of(value) is not None:
        return sentence_case(f"{subject} has {value} {number.group(1)}")
    if m := re.match(
        r"^(?:is|has|can|does|was|lives|grows|comes|goes|belongs|opens|closes|contains|serves|seats|weighs|"
        r"costs|plays)\b.*$",
        words,
    ):
        return sentence_case(f"{subject} {words} {shown}")
    verb = "are" if is_plural(words) else "is"
    return sentence_case(f"The {words} of {subject} {verb} {shown}")


def _passive(subject: str, m: re.Match[str], value: str, words: str) -> str:
    first = "first " if words.startswith("first") else ""
    participle, prep = m.group("p"), m.group("prep")
    dates = find_dates(value)
    dated = bool(dates) and len(value) < 40
    if prep is None:
        if dated:
            prep = "on" if dates[0].day else "in"
            if re.match(r"^(?:in|on|around|about|circa|c\.|before|after|between|the|since)\b", value.lower()):
                prep = ""
        elif participle in ("known", "made", "cut", "set"):
            prep = ""
        else:
            return f"{subject} – {words}: {value}"
    verb = "has been" if prep == "since" else "was" if dated or prep == "by" else "is"
    if value.lower().startswith(f"{prep} "):
        prep = ""
    return " ".join(f"{subject} {verb} {first}{participle} {prep} {value}".split())


def clauses_of(text: str) -> list[str]:
    """Coordinate clauses: split at semicolons, dashes, and commas or conjunctions between statements."""
    parts = re.split(
        r"\s*;\s+|\s+[–—]\s+|,\s+(?=(?:and|but|while|whereas|which|though|although|yet|with)\s)|\s+(?=(?:and|"
        r"but|while|whereas)\s+(?:it|they|he|she|is|was|are|has|had|can|weighs?|costs?|measures?|holds?|"
        r"takes?|lasts?|the|its|their|comes?|sells?)\b)",
        text,
    )
    return [p.strip(" ,") for p in parts if p and p.strip(" ,")]
