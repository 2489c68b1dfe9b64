"""Opening hours: of a frame or of an attribute; a day's hours, open at a time or not, the day that is closed.

Reads "Mon - Thu 8:00 - 18:00", "daily 10-17", "Saturday closed"; not holidays or dates.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.types import Evidence
from assistant.reading.signs.layout import row_of
from assistant.text.values import find_clock
from assistant.understanding.intent import ParsedQuestion

_DAYS = [d.lower() for d in calendar.day_name]
_DAY = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\b", re.IGNORECASE)
_DAY_RANGE = re.compile(_DAY.pattern + r"\.?\s*(?:-|–|—|to|until|through)\s*" + _DAY.pattern, re.IGNORECASE)
_CLOSED = re.compile(
    r"\b(?:closed|shut|ruhetag|no service)(?=\b|_)|\b(?:closing|rest)[ _]days?\b|\bdays?[ _](?:closed|off)\b",
    re.IGNORECASE,
)
#: "closed on Friday mornings, for cleaning" is no day on which it is closed.
_PARTLY = re.compile(
    r"\b(?:mornings?|afternoons?|evenings?|nights?|noon|midday|for (?:cleaning|repairs?|lunch)|in (?:summer|winter))\b",
    re.IGNORECASE,
)


#: "which day are they closed", "on what day of the week is nobody there"
_WHEN_SHUT = re.compile(
    r"\b(?:closed|shut|closing day|rest day|day off|days off|not open|don['’]t (?:they )?open)\b"
    r"|\b(?:what|which|when|weekday|days?)\b.*\b(?:not|never|nobody|no one|n['’]t)\b.*"
    r"\b(?:there|in|around|work|working|available|serve|serving|trade|trading|open)\b"
    r"|\b(?:what|which|when|weekday|days?)\b.*\b(?:(?:nobody|no one)['’]s|(?:are|is|be|stay|stays|have|has|take|takes) "
    r"(?:they |it |he |she |everybody |everyone )?(?:off|away|locked))\b"
)
_DAILY = re.compile(r"\b(?:daily|every day|all week|seven days|7 days)\b", re.IGNORECASE)
#: Weekday → ((opens, closes) or None when closed, evidence ids).
Week = dict[int, tuple[tuple[str, str] | None, tuple[str, ...]]]


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


def opening(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Found | None:
    """Opening hours: a day's hours, open at a time or not, the day that is closed."""
    plan = _week(lines) or _week_in_text(lines)
    if not plan:
        return None
    low = question.lower()
    day = day_of(question)
    if day is None:
        spans = {span for span, _ in plan.values()}
        if len(spans) == 1 and len(plan) == 7 and find_clock(question) and asked.expected.kind == "yesno":
            return _at(plan[0], "", question)
        return _closed(plan) if _WHEN_SHUT.search(low) and asked.expected.kind != "yesno" else None
    if day not in plan:
        return _open_but(plan, question, asked)
    span, ids = plan[day]
    name = _DAYS[day].capitalize()
    if asked.expected.kind == "yesno" or find_clock(question):
        return _at(plan[day], f"on {name} ", question)
    if not re.search(
        r"\b(?:open|opens|opening|close|closes|closing|shut|shuts|hours|when|what time|until|how long|how late)\b", low
    ):
        return None
    if span is None:
        return Found(f"On {name} it is closed.", ids)
    if re.search(r"\b(?:close|closes|closing|shut|shuts|until|till|up to|how late|how long)\b", low):
        return Found(f"On {name} it closes at {span[1]}.", ids)
    if re.search(r"\b(?:open|opens|opening)\b", low) and not re.search(r"\bhours\b", low):
        return Found(f"On {name} it opens at {span[0]}.", ids)
    return Found(f"On {name} it is open from {span[0]} to {span[1]}.", ids)


def closed_on(lines: Sequence[Evidence]) -> Found | None:
    """The days on which it is closed."""
    return _closed(_week(lines) or _week_in_text(lines))


def _closed(plan: Week) -> Found | None:
    closed = [(d, ids) for d, (span, ids) in plan.items() if span is None]
    names = " and ".join(_DAYS[d].capitalize() for d, _ in closed)
    return Found(f"Closed on {names}.", tuple(dict.fromkeys(i for _, ids in closed for i in ids))) if closed else None


def _open_but(plan: Week, question: str, asked: ParsedQuestion) -> Found | None:
    """Where only the day is told on which it is closed, it is open on the others; at what time is not told."""
    if asked.expected.kind != "yesno" or find_clock(question) or any(span for span, _ in plan.values()):
        return None
    shut = " and ".join(_DAYS[d].capitalize() for d in plan)
    yes = not re.search(r"\b(?:closed|shut)\b", question, re.IGNORECASE)
    ids = tuple(dict.fromkeys(i for _, own in plan.values() for i in own))
    return Found(f"{'Yes' if yes else 'No'}: the day on which it is closed is {shut}.", ids)


def _at(hours: tuple[tuple[str, str] | None, tuple[str, ...]], when: str, question: str) -> Found | None:
    """Open or not, on that day and at the time that the question names."""
    span, ids = hours
    if span is None:
        return Found(f"No: {when}it is closed.", ids)
    begin, end = minutes(span[0]), minutes(span[1])
    if begin is None or end is None:
        return None
    asked_at = [m for c in find_clock(question) if (m := minutes(c)) is not None]
    yes = not asked_at or begin <= asked_at[0] < end
    if re.search(r"\b(?:closed|shut)\b", question, re.IGNORECASE):
        yes = not yes
    return Found(f"{'Yes' if yes else 'No'}: {when}it is open from {span[0]} to {span[1]}.", ids)


def _week_in_text(lines: Sequence[Evidence]) -> Week:
    """Hours said in one run of text: "Monday to Saturday 9:00-18:00, Sunday closed", "daily 10-17"."""
    out: Week = {}
    for e in lines:
        text = str(e.value) if e.value is not None else e.text
        if len(find_clock(text)) < 2:
            continue
        for part in re.split(
            r"\s*[;,]\s*(?=(?:and )?(?:on )?(?:mon|tue|wed|thu|fri|sat|sun|closed|daily))", text, flags=re.I
        ):
            clocks = [c for c in find_clock(part) if minutes(c) is not None]
            shut = _CLOSED.search(part)
            if len(clocks) != 2 and not shut:
                continue
            days = _days_of(part) or (list(range(7)) if not shut and _DAILY.search(part) else [])
            for d in days:
                out.setdefault(d, (None if shut else (clocks[0], clocks[1]), (e.id,)))
    return out


def _days_of(text: str) -> list[int]:
    """The weekdays that a text names, a range of them written out."""
    span = _DAY_RANGE.search(text)
    if span:
        first, last = day_of(span.group(1)), day_of(span.group(2))
        if first is None or last is None:
            return []
        return list(range(first, last + 1)) if first <= last else [*range(first, 7), *range(last + 1)]
    return [d for m in _DAY.finditer(text) if (d := day_of(m.group())) is not None]


def _week(lines: Sequence[Evidence]) -> Week:
    """Weekday → ((opens, closes) or None when closed, evidence ids), as far as the frame says."""
    out: Week = {}
    for e in lines:
        if not _DAY.search(e.text) or len(e.text) > 60:
            continue
        days = _days_of(e.text)
        cells = [e] if find_clock(e.text) or _CLOSED.search(e.text) else [e, *row_of(e, lines)[:1]]
        text = " ".join(c.text for c in cells)
        clocks = [c for c in find_clock(text) if minutes(c) is not None]
        if (len(clocks) < 2) != bool(_CLOSED.search(text)):
            continue  # neither hours nor "closed", or both: a text that says several things
        if _CLOSED.search(text) and _PARTLY.search(text):
            continue
        value = None if _CLOSED.search(text) else (clocks[0], clocks[1])
        for d in days:
            out.setdefault(d, (value, tuple(c.id for c in cells)))
    return out
