"""Reading a table off the frame: timetables, menus, opening hours. Needs no index.

A label owns the cells to its right and the cells below it. Questions about a row or column get a cell, a count, the
next time, the change from a payment, or whether a place is open. Text is data here: compared and quoted, never
followed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.core.types import Evidence
from assistant.reading.signs.layout import column_of, row_of, split_heads
from assistant.reading.signs.notices import lasting
from assistant.reading.signs.opening_hours import Found, minutes, opening
from assistant.reading.signs.prices import label_for, priced_rows
from assistant.text.english import sentence_of
from assistant.text.values import find_clock
from assistant.understanding.intent import ParsedQuestion

_NEXT = re.compile(
    r"\b(?:next|catch|get away|leave|take|soonest|earliest|after|arrive|here at|now|it['’]?s)\b", re.IGNORECASE
)


def look_up(question: str, asked: ParsedQuestion, evidence: Sequence[Evidence]) -> Found | None:
    """An answer from the tables on the frame, or None when the question is not about one."""
    lines = _clocks_made_plain(split_heads([e for e in evidence if e.kind == "text" and e.outline_px]))
    hours = opening(question, asked, lines)
    if hours is not None:
        return hours
    if (lasts := lasting(asked, lines)) is not None:
        return lasts
    priced = priced_rows(question, asked, lines)
    if priced is not None:
        return priced
    label = label_for(asked.core, lines) or label_for(question, lines)
    if asked.factor or label is None:
        return None
    times = [e for e in column_of(label, lines) if find_clock(e.text)] or [
        e for e in row_of(label, lines) if find_clock(e.text)
    ]
    return _timetable(question, asked, label, times) if times else None


#: A clock whose colon was read as something else.
_CLOCK_LIKE = re.compile(r"^([01]?\d|2[0-3])[ .,;·]([0-5]\d)$")


def _clocks_made_plain(lines: Sequence[Evidence]) -> list[Evidence]:
    """ "08 10" among clock times is one."""
    if sum(bool(find_clock(e.text)) for e in lines) < 2:
        return list(lines)
    return [replace(e, text=_CLOCK_LIKE.sub(r"\1:\2", e.text)) for e in lines]


def _timetable(question: str, asked: ParsedQuestion, label: Evidence, times: Sequence[Evidence]) -> Found | None:
    clocks = sorted((m, c, e.id) for e in times for c in find_clock(e.text) if (m := minutes(c)) is not None)
    low = question.lower()
    if asked.expected.kind == "count" or re.search(r"\b(?:count|how many|how often|number of)\b", low):
        return Found(f"{len(clocks)} for {label.text}.", (label.id, *(i for _, _, i in clocks)))
    asked_at = [m for c in find_clock(question) if (m := minutes(c)) is not None]
    if asked_at and _NEXT.search(low):
        later = [c for c in clocks if c[0] >= asked_at[0]]
        return Found(sentence_of(f"{label.text}: {later[0][1]}"), (label.id, later[0][2])) if later else None
    if re.search(r"\b(?:first|earliest)\b", low):
        return Found(sentence_of(f"{label.text}: {clocks[0][1]}"), (label.id, clocks[0][2]))
    if re.search(r"\b(?:last|latest|final)\b", low):
        return Found(sentence_of(f"{label.text}: {clocks[-1][1]}"), (label.id, clocks[-1][2]))
    if asked.expected.kind in ("clock", "date", "any"):
        all_of = ", ".join(c for _, c, _ in clocks)
        return Found(sentence_of(f"{label.text}: {all_of}"), (label.id, *(i for _, _, i in clocks)))
    return None
