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
from assistant.text.english import plain
from assistant.text.values import find_dates, find_quantities

MIN_CONFIDENCE = 0.5


@dataclass(frozen=True)
class Row:
    """A label and its value as laid out on the frame; `ids` are the evidence of the lines they came from."""

    label: str
    value: str
    ids: tuple[str, ...]


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
