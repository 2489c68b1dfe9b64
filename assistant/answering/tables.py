"""Reading a table off the frame: timetables, menus, opening hours. Needs no index.

A label owns the cells to its right and the cells below it. Questions about a row or column get a cell, a count, the
next time, the change from a payment, or whether a place is open. Text is data here: compared and quoted, never
followed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answering import compute
from assistant.answering.intents import Asked
from assistant.answering.language import content_stems, shared
from assistant.answering.layout import column_of, row_of
from assistant.answering.opening import Found, minutes, opening
from assistant.answering.rank import SCALE_STEMS
from assistant.answering.values import find_clock, find_quantities
from assistant.conversation import Evidence

_NEXT = re.compile(
    r"\b(?:next|catch|get away|leave|take|soonest|earliest|after|arrive|here at|now|it['’]?s)\b", re.IGNORECASE
)
_PAY = re.compile(r"\b(?:change|get back|back from|left from|left over|pay(?:ing)? (?:with|.* with))\b", re.IGNORECASE)


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
    hours = opening(question, asked, lines)
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
