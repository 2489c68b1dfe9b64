"""Relatives of a thing that a question names in part: "their Mint Tea", "the mini version", "volume 4 of the series".

A relative shares a word of its name, or a value (a series, a maker's range), with the thing. It counts only when
exactly one fits; things outside the index are not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.text.attribute_keys import key_words
from assistant.text.english import FUNCTION_WORDS
from assistant.text.kinds import is_kind_word
from assistant.text.values import NUMBER_WORDS, number_of
from assistant.understanding.reference.focus import fits_kind_word
from assistant.understanding.reference.groups import group_value, listed, members_by_value, names_a_group

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge

_ORDINAL_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACES = (
    r"(?:volume|vol|part|book|number|no(?=\.|\s+#?\d)|nr|issue|episode|instalment|installment|entry|position|chapter)"
)
_NUMBERS = "|".join(w for w, number in NUMBER_WORDS.items() if w.isalpha() and number >= 1)
_COUNTED = re.compile(
    rf"\b(?:{_PLACES}|tome|(?:numbered|marked)(?: as)?)\.?\s+(?:number |no\.? |nr\.? )?#?(?P<n>\d{{1,2}}|{_NUMBERS})\b"
    rf"|\bwith (?:an? |the number )?#?(?P<s>\d{{1,2}}) on (?:it\b|(?:the|its) (?:spine|back|cover))"
    rf"|\b(?:the |its )(?P<o>{'|'.join(_ORDINAL_WORDS)}) {_PLACES}\b",
    re.IGNORECASE,
)
#: Keys of attributes that say which one of a series a thing is.
_PLACE_KEY = re.compile(rf"\b(?:{_PLACES}|order|sequence|series|installment)\b", re.IGNORECASE)
_POINTS = re.compile(
    r"(?:\b(?:the|their|its|this|that|or|than|and|a|an|his|her|same)\s+(?:\w+\s+)?)$|(?:['’]s\s+)$", re.IGNORECASE
)
_KIND_AFTER = re.compile(
    r"\s+(?:ones?|version|variant|variety|kind|sort|flavou?r|type|model|edition|size)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Named:
    """A thing and where in the text it is named."""

    name: str
    start: int
    phrase: str


def relatives(
    text: str, subject: str, knowledge: Knowledge, taken: tuple[str, ...] = (), *, several: bool = True
) -> tuple[Named, ...]:
    """Relatives of `subject` that the text names by what sets them apart; `taken` are named in full already, `several`
    says that the text speaks of more than one thing.
    """
    counted = _by_place(text, subject, knowledge)
    if counted is not None:
        return () if counted.name in (subject, *taken) else (counted,)
    bare = text
    for name in taken:
        bare = re.sub(re.escape(name), lambda m: " " * len(m.group()), bare, flags=re.IGNORECASE)
    found = _by_words(bare, subject, knowledge, taken, several)
    return (found,) if found else ()


def sibling_entities(subject: str, knowledge: Knowledge) -> tuple[str, ...]:
    """Things that share a named value (a series, a range) with the subject."""
    record = knowledge.entity(subject)
    out: dict[str, None] = {}
    for raw in record.attributes.values() if record else ():
        for name in members_by_value(knowledge).get(group_value(raw).casefold(), ()):
            if name != subject:
                out[name] = None
    return tuple(out)


def _by_place(text: str, subject: str, knowledge: Knowledge) -> Named | None:
    """ "volume 4": the relative whose own place in the series is that number."""
    m = _COUNTED.search(text)
    if m is None:
        return None
    told = m["n"] or m["s"]
    place = number_of(told) if told else float(_ORDINAL_WORDS.index(m["o"].lower()) + 1)
    hits = []
    for name in sibling_entities(subject, knowledge):
        record = knowledge.entity(name)
        for key, raw in record.attributes.items() if record else ():
            value = str(raw).strip().strip("{}[]")
            numbered = _PLACE_KEY.search(key_words(key)) and re.fullmatch(r"#?\d{1,2}", value)
            if numbered and float(value.lstrip("#")) == place and name not in hits:
                hits.append(name)
    if len(hits) > 1:  # several series have one: that of the series that a page lists the subject in
        hits = [name for name in hits if _in_its_series(name, subject, knowledge)]
    return Named(hits[0], m.start(), m.group()) if len(hits) == 1 else None


def _in_its_series(name: str, subject: str, knowledge: Knowledge) -> bool:
    """Whether a value or a page puts both in one series."""
    record = knowledge.entity(name)
    values = [
        group_value(raw)
        for key, raw in (record.attributes.items() if record else ())
        if names_a_group(key) and group_value(raw)
    ]
    return any(
        subject in members_by_value(knowledge).get(value.casefold(), ()) or subject in listed(value, name, knowledge)
        for value in values
    )


def _by_words(text: str, subject: str, knowledge: Knowledge, taken: tuple[str, ...], several: bool) -> Named | None:
    words = [(m.group(), m.start()) for m in re.finditer(r"[\w'’-]+", text)]
    low = [_bare(w) for w, _ in words]
    own = _words(subject)
    related = set(sibling_entities(subject, knowledge))
    # "the temple", in small letters, of a shrine is the shrine, although another of the kind is called so.
    itself = {w for w in low if is_kind_word(w) and fits_kind_word(subject, (w.removesuffix("s"),), knowledge)}
    best: dict[str, tuple[int, int, int]] = {}
    for name in knowledge.names:
        parts = _parts(name)
        if name == subject or name in taken or not (name in related or own & {p for p in parts if len(p) > 2}):
            continue
        distinct = [p for p in parts if p not in own and p not in FUNCTION_WORDS]
        for start in range(len(words)):
            size = _run(parts, low, start)
            said = [w for w in low[start : start + size] if w in distinct]
            plain = not several and all(w in itself for w, _ in words[start : start + size] if _bare(w) in said)
            if not size or not said or plain:
                continue
            if _sets_apart(text, words, start, size, said, distinct, parts):
                best[name] = max(best.get(name, (0, 0, 0)), (len(said), size, -start))
    if not best:
        return None
    top = max((said, size) for said, size, _ in best.values())
    names = [n for n, (said, size, _) in best.items() if (said, size) == top]
    if len(names) > 1:  # the one of its own series
        names = [n for n in names if n in related]
    if len(names) > 1:  # the one whose name is most like its own: of a tree "their Holiday" is a tree
        alike = {n: len(own & _words(n)) for n in names}
        names = [n for n in names if alike[n] == max(alike.values())]
    if len(names) != 1:
        return None
    start = -best[names[0]][2]
    first, last = words[start], words[start + top[1] - 1]
    return Named(names[0], first[1], text[first[1] : last[1] + len(last[0])])


def _words(name: str) -> set[str]:
    return set(_parts(name))


def _parts(name: str) -> list[str]:
    """The words of a name; a cultivar's or a title's quotation marks are no part of them."""
    return [w.lower().strip("'’-") for w in re.findall(r"[\w'’-]+", name) if w.strip("'’-")]


def _bare(word: str) -> str:
    return re.sub(r"['’]s$", "", word.lower()).strip("'’-")


def _run(parts: list[str], words: list[str], start: int) -> int:
    """How many words from `start` on stand in the name in this order, one after the other."""
    best = 0
    for i in range(len(parts)):
        size = 0
        while i + size < len(parts) and start + size < len(words) and parts[i + size] == words[start + size]:
            size += 1
        best = max(best, size)
    return best


def _sets_apart(
    text: str,
    words: list[tuple[str, int]],
    start: int,
    size: int,
    said: list[str],
    distinct: list[str],
    parts: list[str],
) -> bool:
    """Whether the stretch names the thing: written as a name, all that sets it apart, or "the … one"."""
    stretch = words[start : start + size]
    end = stretch[-1][1] + len(stretch[-1][0])
    capital = all(w[:1].isupper() or any(c.isdigit() for c in w) for w, _ in stretch if w.lower() not in FUNCTION_WORDS)
    tail = parts[-size:] == [_bare(w) for w, _ in stretch]
    long = max(len(w) for w in said) > 2 or any(c.isdigit() for w in said for c in w)
    if capital and long and stretch[0][1] > 0 and (tail or size >= 2 or len(said) == len(distinct)):
        return True
    if not long or not _POINTS.search(text[: stretch[0][1]]):
        return False
    if capital and {d for d in distinct if not d.isdigit()} <= set(said):  # "their Calder" of "Calder 29"
        return True
    return len(set(said)) == len(set(distinct)) or bool(_KIND_AFTER.match(text[end:]))


__all__ = ["Named", "relatives", "sibling_entities"]
