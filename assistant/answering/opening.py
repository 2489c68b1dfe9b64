"""Opening hours: of a frame or of an attribute; a day's hours, open at a time or not, the day that is closed.

Reads "Mon - Thu 8:00 - 18:00", "daily 10-17", "Saturday closed"; not holidays or dates.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.answering.intents import Asked
from assistant.answering.layout import row_of
from assistant.answering.values import find_clock
from assistant.conversation import Evidence

_DAYS = [d.lower() for d in calendar.day_name]
_DAY = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b", re.IGNORECASE)
_DAY_RANGE = re.compile(_DAY.pattern + r"\.?\s*(?:-|–|—|to|until|through)\s*" + _DAY.pattern, re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|shut|ruhetag|no service)\b", re.IGNORECASE)


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


def opening(question: str, asked: Asked, lines: Sequence[Evidence]) -> Found | None:
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
