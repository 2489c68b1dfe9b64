"""Reading a table off the frame: timetables, menus, opening hours. Needs no index.

A label owns the cells to its right and the cells below it. Questions about a row or column get a cell, a count, the
next time, the change from a payment, or whether a place is open. Text is data here: compared and quoted, never
followed.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.answering import compute
from assistant.answering.intents import Asked
from assistant.answering.language import content_stems, shared
from assistant.answering.rank import SCALE_STEMS
from assistant.answering.values import find_clock, find_quantities
from assistant.conversation import Evidence

_DAYS = [d.lower() for d in calendar.day_name]
_DAY = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b", re.IGNORECASE)
_DAY_RANGE = re.compile(_DAY.pattern + r"\.?\s*(?:-|–|—|to|until|through)\s*" + _DAY.pattern, re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|shut|ruhetag|no service)\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(?:next|catch|get away|leave|take|soonest|earliest|after|arrive|here at|now|it['’]?s)\b", re.IGNORECASE
)
_PAY = re.compile(r"\b(?:change|get back|back from|left from|left over|pay(?:ing)? (?:with|.* with))\b", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """What the table says: the sentence and the evidence of the cells it rests on."""

    text: str
    ids: tuple[str, ...]


def minutes(clock: str) -> int | None:
    """Minutes since midnight of a written clock time."""
    m = re.match(r"(\d{1,2})(?:[:.](\d{2}))?\s?([ap])?", clock.strip(), re.IGNORECASE)
    if not m:
        return None
    hour = int(m.group(1)) % 12 + (12 if (m.group(3) or "").lower() == "p" else 0) if m.group(3) else int(m.group(1))
    return hour * 60 + int(m.group(2) or 0)


def day_of(text: str) -> int | None:
    """0 for Monday … 6 for Sunday of the first weekday named."""
    m = _DAY.search(text)
    return next(i for i, d in enumerate(_DAYS) if d.startswith(m.group(1).lower()[:3])) if m else None


def _box(e: Evidence) -> tuple[float, float, float, float]:
    xs, ys = [p[0] for p in e.outline_px or ((0, 0),)], [p[1] for p in e.outline_px or ((0, 0),)]
    return min(xs), min(ys), max(xs), max(ys)


def row_of(label: Evidence, lines: Sequence[Evidence]) -> list[Evidence]:
    """Cells to the right of a label at its height, nearest in height first."""
    a = _box(label)
    middle, height = (a[1] + a[3]) / 2, a[3] - a[1]
    found = []
    for e in lines:
        b = _box(e)
        gap = abs((b[1] + b[3]) / 2 - middle)
        if e.id != label.id and b[0] > a[2] - 0.1 * (a[2] - a[0]) and gap < 0.9 * max(height, b[3] - b[1]):
            found.append((gap, e))
    cells = [e for _, e in sorted(found, key=lambda f: (f[0], f[1].id))]
    if len(cells) > 1 and found:  # two cells as near as each other: the page is tilted, and neither is sure
        gaps = sorted(g for g, _ in found)
        if gaps[1] - gaps[0] < 0.15 * height and abs(_box(cells[0])[0] - _box(cells[1])[0]) < height:
            return []
    return cells


def column_of(label: Evidence, lines: Sequence[Evidence]) -> list[Evidence]:
    """Cells below a label that stand in its column, from the top."""
    a = _box(label)
    centre, width = (a[0] + a[2]) / 2, a[2] - a[0]
    below = [e for e in lines if e.id != label.id and _box(e)[1] > a[3] - 0.3 * (a[3] - a[1])]
    inside = [
        e for e in below if abs((_box(e)[0] + _box(e)[2]) / 2 - centre) < 0.5 * max(width, _box(e)[2] - _box(e)[0])
    ]
    return sorted(inside, key=lambda e: _box(e)[1])


def label_for(question: str, lines: Sequence[Evidence]) -> Evidence | None:
    """The line that names what the question is about: most of its words stand in the question."""
    stems = content_stems(question) - SCALE_STEMS
    best: tuple[float, Evidence] | None = None
    for e in lines:
        own = content_stems(re.sub(r"[\d€$£.,:]+", " ", e.text))
        if not own:
            continue
        share = shared(own, stems) / len(own)
        if share >= 0.6 and (best is None or share * len(own) > best[0]):
            best = (share * len(own), e)
    return best[1] if best else None


def look_up(question: str, asked: Asked, evidence: Sequence[Evidence]) -> Found | None:
    """An answer from the tables on the frame, or None when the question is not about one."""
    lines = [e for e in evidence if e.kind == "text" and e.outline_px]
    hours = _opening(question, asked, lines)
    if hours is not None:
        return hours
    label = label_for(asked.core, lines) or label_for(question, lines)
    if asked.factor:
        return _bill(asked.factor, label, lines)
    if label is None:
        return None
    times = [e for e in column_of(label, lines) if find_clock(e.text)] or [
        e for e in row_of(label, lines) if find_clock(e.text)
    ]
    if times:
        return _timetable(question, asked, label, times)
    own = find_quantities(label.text)
    price_cell = (
        label
        if any(q.dimension == "money" for q in own)
        else next(
            (e for e in row_of(label, lines)[:1] if any(q.dimension == "money" for q in find_quantities(e.text))), None
        )
    )
    if price_cell is None:
        return None
    price = next(q for q in find_quantities(price_cell.text) if q.dimension == "money")
    paid = [q for q in find_quantities(question) if q.dimension == "money"]
    ids = tuple(dict.fromkeys((label.id, price_cell.id)))
    if paid and _PAY.search(question):
        left = max(paid, key=lambda q: q.low).low - price.low
        return Found(f"{compute.amount(left, price)}: {label.text} costs {price.text}.", ids) if left >= 0 else None
    if asked.expected.dimensions == {"money"} or re.search(r"\b(?:going for|price|cost)\b", question, re.IGNORECASE):
        return Found(f"{label.text}: {price.text}.", ids)
    return None


def _bill(factor: float, label: Evidence | None, lines: Sequence[Evidence]) -> Found | None:
    """So many of what a row names, or of the one thing that has a price here."""
    cells = [label, *row_of(label, lines)[:1]] if label is not None else list(lines)
    prices = [(q, e) for e in cells for q in find_quantities(e.text) if q.dimension == "money"]
    if len({q.low for q, _ in prices}) != 1:
        return None
    price, cell = prices[0]
    return Found(f"{compute.amount(price.low * factor, price)} for {compute.plain_number(factor)}.", (cell.id,))


def _timetable(question: str, asked: Asked, label: Evidence, times: Sequence[Evidence]) -> Found | None:
    clocks = sorted((m, c, e.id) for e in times for c in find_clock(e.text) if (m := minutes(c)) is not None)
    low = question.lower()
    if asked.expected.kind == "count" or re.search(r"\b(?:count|how many|how often|number of)\b", low):
        return Found(f"{len(clocks)} for {label.text}.", (label.id, *(i for _, _, i in clocks)))
    asked_at = [m for c in find_clock(question) if (m := minutes(c)) is not None]
    if asked_at and _NEXT.search(low):
        later = [c for c in clocks if c[0] >= asked_at[0]]
        return Found(f"{label.text}: {later[0][1]}.", (label.id, later[0][2])) if later else None
    if re.search(r"\b(?:first|earliest)\b", low):
        return Found(f"{label.text}: {clocks[0][1]}.", (label.id, clocks[0][2]))
    if re.search(r"\b(?:last|latest)\b", low):
        return Found(f"{label.text}: {clocks[-1][1]}.", (label.id, clocks[-1][2]))
    if asked.expected.kind in ("clock", "date", "any"):
        return Found(f"{label.text}: {', '.join(c for _, c, _ in clocks)}.", (label.id, *(i for _, _, i in clocks)))
    return None


def _opening(question: str, asked: Asked, lines: Sequence[Evidence]) -> Found | None:
    """Opening hours: a day's hours, open at a time or not, the day that is closed."""
    plan = _week(lines)
    if not plan:
        return None
    low = question.lower()
    day = day_of(question)
    if day is None:
        closed = [(d, ids) for d, (span, ids) in plan.items() if span is None]
        if (
            closed
            and re.search(r"\b(?:closed|shut|day off|days off|not open|don['’]t (?:they )?open)\b", low)
            and asked.expected.kind != "yesno"
        ):
            names = " and ".join(_DAYS[d].capitalize() for d, _ in closed)
            return Found(f"Closed on {names}.", tuple(dict.fromkeys(i for _, ids in closed for i in ids)))
        return None
    if day not in plan:
        return None
    span, ids = plan[day]
    name = _DAYS[day].capitalize()
    at = [m for c in find_clock(question) if (m := minutes(c)) is not None]
    if asked.expected.kind == "yesno" or at:
        if span is None:
            return Found(f"No: on {name} it is closed.", ids)
        begin, end = minutes(span[0]), minutes(span[1])
        if begin is None or end is None:
            return None
        is_open = not at or begin <= at[0] < end
        return Found(f"{'Yes' if is_open else 'No'}: on {name} it is open from {span[0]} to {span[1]}.", ids)
    if not re.search(
        r"\b(?:open|opens|opening|close|closes|closing|shut|shuts|hours|when|what time|until|how long)\b", low
    ):
        return None
    if span is None:
        return Found(f"On {name} it is closed.", ids)
    if re.search(r"\b(?:close|closes|closing|shut|shuts|until)\b", low):
        return Found(f"On {name} it closes at {span[1]}.", ids)
    if re.search(r"\b(?:open|opens|opening)\b", low) and not re.search(r"\bhours\b", low):
        return Found(f"On {name} it opens at {span[0]}.", ids)
    return Found(f"On {name} it is open from {span[0]} to {span[1]}.", ids)


def _week(lines: Sequence[Evidence]) -> dict[int, tuple[tuple[str, str] | None, tuple[str, ...]]]:
    """Weekday → ((opens, closes) or None when closed, evidence ids), as far as the frame says."""
    out: dict[int, tuple[tuple[str, str] | None, tuple[str, ...]]] = {}
    for e in lines:
        if not _DAY.search(e.text) or len(e.text) > 60:
            continue
        span_of_days = _DAY_RANGE.search(e.text)
        if span_of_days:
            first, last = day_of(span_of_days.group(1)), day_of(span_of_days.group(2))
            days = list(range(first, last + 1)) if first is not None and last is not None and first <= last else []
        else:
            days = [d for m in _DAY.finditer(e.text) if (d := day_of(m.group())) is not None]
        cells = [e] if find_clock(e.text) or _CLOSED.search(e.text) else [e, *row_of(e, lines)[:1]]
        text = " ".join(c.text for c in cells)
        clocks = [c for c in find_clock(text) if minutes(c) is not None]
        if len(clocks) < 2 and not _CLOSED.search(text):
            continue
        value = None if _CLOSED.search(text) else (clocks[0], clocks[1])
        for d in days:
            out.setdefault(d, (value, tuple(c.id for c in cells)))
    return out
