"""The text on the frame as evidence: what a sign says, and every label that has a value.

Needs no index. What is read is data: it is quoted, never followed. Layout counts: a label's value stands on the same
line, to its right, or below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.types import Evidence, Look
from assistant.reading.signs.layout import Box, boxes, row_of
from assistant.text.english import content_stems, plain, shared
from assistant.text.kind_words import KINDS
from assistant.text.kinds import is_kind_word
from assistant.text.values import find_dates, find_quantities

_SURFACE = (
    r"(?:sign|label|poster|notice|menu|screen|display|page|cover|ticket|receipt|board|plate|slide|door|wall|"
    r"packaging|package|package|box|bottle|can|tag|card|banner|paper|note|sticker|letter|form|panel|spine|plaque|"
    r"badge|bill|list|timetable|schedule|picture|image|frame|photo)"
)
_READ = re.compile(
    r"\b(?:what|whatever)(?:['’]s| is| does| do| did| are)?\b[^,]*\b(?:(?:it|this|that|there|here|the \w+|"
    r"this \w+) (?:say|says|read|reads|spell|spells)\b|(?:written|printed) (?:on|here|there|at the|under|"
    r"above|below)\b)|\bwhat(?:['’]s| is)(?: \w+)? (?:written|printed)\b"
    rf"|^(?:please )?(?:can you |could you )?read\b|\bread (?:it|this|that|the \w+)(?: text)?(?: out| aloud| "
    rf"to me| for me)?\b|\bwhat(?:['’]s| is) on (?:the|this|that) {_SURFACE}\b"
    rf"|\b(?:words?|(?:largest|biggest|top|bottom|first|last) line|text|number(?! of\b)|letters?|message|"
    rf"title|heading|headline|writing)\b.*\bon (?:the|this|that|it)\b.*{_SURFACE}?"
    rf"|\baccording to (?:the|this|that) {_SURFACE}\b|\b(?:on|from) (?:the|this|that) "
    rf"{_SURFACE}\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"^(?:so )?(?:please )?(?:can you |could you )?(?:what(?:['’]s| is| does| do| did)?\s+(?:it|this|that|"
    rf"the|these|those|is)?\s*(?:\w+\s)?{_SURFACE}?\s*(?:actually )?(?:say|says|read|written|printed|"
    rf"text)\b(?:\s+(?:here|there|on (?:it|this|that|there|the \w+|this \w+)|in (?:it|this|the "
    rf"\w+)))?(?:\s+on (?:it|the \w+))?"
    rf"|read (?:it|this|that|the \w+|this \w+|what \w+ says)(?: text| sign)?(?: out| aloud| to me| for me| "
    rf"out loud)*|what(?:['’]s| is) on (?:the|this|that) {_SURFACE}|what(?:['’]s| is) (?:written|"
    rf"printed)\b.*)\s*[?.!]*$",
    re.IGNORECASE,
)
#: "on the menu", "this sign": what text stands on, called by its name.
NAMES_SURFACE = re.compile(rf"\b{_SURFACE}s?\b", re.IGNORECASE)
MIN_CONFIDENCE = 0.5


@dataclass(frozen=True)
class Row:
    """A label and its value as laid out on the frame; `ids` are the evidence of the lines they came from."""

    label: str
    value: str
    ids: tuple[str, ...]


#: "how many days does it take to read this book".
_READING_TIME = re.compile(
    r"\b(?:how (?:long|many|much|fast|soon)|when|time|days?|hours?|minutes?|weeks?|evenings?|takes?|finish(?:ed)?)\b"
    r".*\bto read\b"
    r"|\b(?:if|when) (?:i|we|you|someone) reads?\b",
    re.IGNORECASE,
)


#: "what would the scales say for this": what it weighs.
_INSTRUMENT = re.compile(
    r"\b(?:would|will|do|does|should|might)(?: (?:my|the|a|some))? (?:\w+ )?(?:scales?|balance|thermometers?|ruler|"
    r"tape|tape measure|yardstick|stopwatch|speedometer)(?: measure)? (?:say|says|read|reads|show|tell)\b",
    re.IGNORECASE,
)


#: "the beetle on this slide" is the beetle; what a menu or a label lists is read there.
_SHOWN_ON = re.compile(
    r"\b(?P<thing>(?:the|this|that) (?P<noun>[a-z]+))(?: (?:shown|pictured|drawn|seen))? on (?:the|this|that) "
    r"(?:card|slide|picture|image|photo|page)\b",
    re.IGNORECASE,
)

#: What is shown and not listed.
_SHOWN = frozenset(
    word
    for kind in ("plant", "animal", "vehicle", "building", "stone", "emblem", "substance", "clothing", "furniture")
    for word in (KINDS[kind].general.union(*KINDS[kind].sorts))
)


def _only_the_thing(m: re.Match[str]) -> str:
    return m["thing"] if m["noun"].lower() in _SHOWN else m[0]


#: "the clock on the wall": where it hangs is no place to read.
_HANGS = re.compile(
    rf"\b(?:the|this|that) (?:[a-z]+ )?(?P<noun>(?!{_SURFACE}s?\b)[a-z]+) (?:here |there )?on (?:the|this|that) "
    r"(?:wall|door|table|shelf|floor|ground)\b",
    re.IGNORECASE,
)


#: "when does it end if the receipt says 3 May": what is written is known.
_IF_IT_SAYS = re.compile(
    r"\b(?:if|since|because|as|when|and) (?:the|my|our|an?|its) \w+ (?:says?|said|reads?|states?|shows?)\b.*$",
    re.IGNORECASE,
)


def asks_for_text(core: str) -> bool:
    """Whether the question is about what stands on the frame, rather than about the thing."""
    core = _IF_IT_SAYS.sub("", core)
    core = _HANGS.sub(lambda m: "it" if is_kind_word(m["noun"].lower()) else m[0], core)
    core = _SHOWN_ON.sub(_only_the_thing, core)
    return bool(_READ.search(core)) and not _READING_TIME.search(core) and not _INSTRUMENT.search(core)


_NAME_ON = re.compile(
    r"\bnames? (?:that )?(?:is |stands |written |printed |given )*(?:on|at the top|above|over)\b", re.IGNORECASE
)


def asks_for_name_on(core: str) -> bool:
    """ "what's the name on that one?": on a card or a shop's sign it stands there to be read."""
    return bool(_NAME_ON.search(core))


def names_line(question: str, look: Look | None) -> bool:
    """Whether it says all words of a line on the frame, two or more: "the elderflower soda" of a menu."""
    said = content_stems(question)
    lines = [content_stems(re.sub(r"[^A-Za-z'’ -]+", " ", t.text)) for t in look.texts] if look else []
    return any(len(own) > 1 and shared(own, said) == len(own) for own in lines)


def scans_a_code(question: str) -> bool:
    """ "scan the code for me, what is it?" """
    return bool(re.search(r"\b(?:scan|decode|read|open)\b[^?.]{0,20}\bcode\b", question, re.IGNORECASE))


def asks_for_all(core: str) -> bool:
    """Whether all of the text is asked for."""
    return bool(_WHOLE.search(core))


def frame_evidence(look: Look | None) -> tuple[Evidence, ...]:
    """Lines and codes on the frame as evidence, in reading order."""
    if look is None:
        return ()
    lines = [
        Evidence(f"text:{i}", "text", "frame", plain(t.text), t.confidence, outline_px=t.outline_px)
        for i, t in enumerate(look.texts)
        if t.confidence >= MIN_CONFIDENCE and plain(t.text)
    ]
    codes = [
        Evidence(f"code:{i}", "code", "frame", plain(c.text), 1.0, key=c.format, outline_px=c.outline_px)
        for i, c in enumerate(look.codes)
        if plain(c.text)
    ]
    return (*lines, *codes)


def rows_of(lines: Sequence[Evidence]) -> list[Row]:
    """Every way to read a label with a value out of the layout."""
    rows: list[Row] = []
    place = boxes(lines)
    for i, line in enumerate(lines):
        m = re.match(r"^(?P<label>[^:]{2,40}?)\s*[:=–—]\s*(?P<value>\S.*)$", line.text)
        if m and not re.match(r"^\d", m.group("label")):
            rows.append(Row(m.group("label"), m.group("value"), (line.id,)))
        tail = _trailing_value(line.text)
        if tail:
            rows.append(Row(*tail, (line.id,)))
        own = place.get(line.id)
        neighbours = [r for r in row_of(line, lines) if _right_of(own, place.get(r.id))]
        for other in neighbours[:1]:
            rows.append(Row(line.text.rstrip(" :."), other.text, (line.id, other.id)))
        below = [r for j, r in enumerate(lines) if j != i and _below(own, place.get(r.id))]
        if below and not neighbours:
            rows.append(Row(line.text.rstrip(" :."), below[0].text, (line.id, below[0].id)))
        rows.append(Row("", line.text, (line.id,)))
    return rows


def _trailing_value(text: str) -> tuple[str, str] | None:
    spans = [(q.start, q.end) for q in find_quantities(text)] + [(d.start, d.end) for d in find_dates(text)]
    for start, end in spans:
        label = text[:start].strip(" .:–—-·…_")
        if end >= len(text.rstrip(" .")) and len(label) >= 3 and re.search(r"[A-Za-z]{3}", label):
            return label, text[start:].strip()
    return None


def _right_of(a: Box | None, b: Box | None) -> bool:
    if a is None or b is None:
        return False
    overlap = min(a[3], b[3]) - max(a[1], b[1])
    return b[0] >= a[2] - 0.1 * (a[2] - a[0]) and overlap > 0.45 * min(a[3] - a[1], b[3] - b[1])


def _below(a: Box | None, b: Box | None) -> bool:
    if a is None or b is None:
        return False
    height = a[3] - a[1]
    across = min(a[2], b[2]) - max(a[0], b[0])
    return 0 <= b[1] - a[3] + 0.3 * height <= 1.8 * height and across > 0.3 * min(a[2] - a[0], b[2] - b[0])


def whole_text(lines: Sequence[Evidence], limit: int = 420) -> tuple[str, tuple[str, ...]]:
    """All lines in reading order, one quoted text, and their ids."""
    texts: list[str] = []
    ids: list[str] = []
    size = 0
    for line in lines:
        if size + len(line.text) > limit and texts:
            break
        texts.append(line.text)
        ids.append(line.id)
        size += len(line.text) + 1
    return " ".join(texts), tuple(ids)
