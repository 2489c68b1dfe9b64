"""Arithmetic over facts: comparison, sums, means, differences, ratios, ages, conversions. Shows what it computed from.

Quantities must have the same dimension (pint converts units); dates compare as dates. Currencies are never mixed.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.text.units import convert, plain_number, written
from assistant.text.values import DateValue, Quantity


@dataclass(frozen=True)
class Measure:
    """A comparable value of one subject: exactly one of `quantity` and `date` is set; `stated` as the evidence
    has it.
    """

    subject: str
    stated: str
    quantity: Quantity | None = None
    date: DateValue | None = None


def common(measures: Sequence[Measure]) -> list[Measure] | None:
    """The measures in the unit of the first, or None when they cannot be compared."""
    if all(m.date for m in measures):
        return list(measures)
    if not all(m.quantity for m in measures):
        return None
    first = measures[0].quantity
    assert first is not None
    out = []
    for m in measures:
        q = m.quantity
        assert q is not None
        if q.unit == first.unit or {q.dimension, first.dimension} <= {"count", ""}:
            out.append(m)
            continue
        low, high = convert(q.low, q.unit, first.unit), convert(q.high, q.unit, first.unit)
        if low is None or high is None:
            return None
        out.append(replace(m, quantity=replace(q, low=low, high=high, unit=first.unit)))
    return out


def size(m: Measure) -> tuple[float, ...]:
    """Sort key of a measure: later dates and larger quantities are greater."""
    if m.date:
        return tuple(float(x) for x in m.date.order)
    assert m.quantity is not None
    return (m.quantity.middle,)


def comparable(a: Measure, b: Measure) -> bool:
    """False for ranges or dates that overlap without being equal: then no order can be claimed."""
    if a.quantity and b.quantity:
        apart = a.quantity.high < b.quantity.low or b.quantity.high < a.quantity.low
        return apart or (a.quantity.low, a.quantity.high) == (b.quantity.low, b.quantity.high)
    if a.date and b.date and a.date.year == b.date.year:
        return (a.date.month is None) == (b.date.month is None) and (a.date.day is None) == (b.date.day is None)
    return True


def amount(number: float, like: Quantity) -> str:
    """`number` written in the unit of `like`, the way `like` writes it: "$12.50", "340 g", "12 legs"."""
    if like.dimension == "money":
        text = f"{number:.2f}" if abs(number - round(number)) > 1e-9 else plain_number(number)
        sign = next((s for s in ("US$", "$", "€", "£", "¥", "₹") if like.text.startswith(s)), "")
        if sign:
            return f"{sign}{text}"
        if code := re.match(r"[A-Za-z]{3}(?=\s?\d)", like.text):
            return f"{code[0]} {text}"
        tail = like.text[len(like.text.rstrip("€$£¥₹")) :] or like.text.split()[-1]
        return f"{text} {tail}"
    if like.dimension == "count":
        return f"{plain_number(number)} {like.unit}"
    if not like.unit:
        return plain_number(number)
    mark = written(like.unit, number)
    own = like.text.split()[-1] if like.text.split() else ""
    if own.isalpha() and len(own) > 2 and not any(c.isdigit() for c in own):
        mark = own if number != 1 else own.removesuffix("s")
    return f"{plain_number(number)}{'' if mark in ('%', '°') else ' '}{mark}"


def whole_years(start: DateValue, end: datetime.date) -> int:
    """Completed years from a date to another; a bare year counts calendar years."""
    years = end.year - start.year
    if start.month and (end.month, end.day) < (start.month, start.day or 1):
        years -= 1
    return years


def years_between(a: DateValue, b: DateValue) -> int:
    """Completed years between two dates, whichever comes first."""
    first, second = sorted((a, b), key=lambda d: d.order)
    if first.month and second.month:
        return whole_years(first, second.first_day)
    return second.year - first.year
