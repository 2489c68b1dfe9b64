"""Moments in a text, for the lexical judge: dates as precise as they are, decades, months, weekdays and clock times.

Whole dates are read by `eval.judges.values.dates`. A moment said agrees with one of the ground truth when they cannot
both be meant differently: 1930 with 27 May 1930, 1922 with the 1920s, 23:48 with 11:48 p.m.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass

from eval.judges.units import is_unit
from eval.judges.values import Date, dates

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_DAYS = {name.lower(): i for i, name in enumerate(calendar.day_name)}
_DECADES = {
    f"{word}ies": n for n, word in enumerate(["twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"], 2)
}
_CLOCK = re.compile(
    r"(?<![\d.,:$€£])(?:(\d{1,2})[:.](\d{2})|(\d{1,2}))\s*(?:(a|p)\.?\s?m\b\.?|in the (m)orning|(?:in the|at)"
    r" (?:afternoon|evening|night)|(o'?clock))|"
    r"(?<![\d.,:$€£])(\d{1,2}):(\d{2})(?![\d:])|\b(noon|midday|midnight)\b",
    re.I,
)
_DECADE = re.compile(rf"(?<!\d)(1[0-9]|20|21)?(\d)0'?s\b|\b(?:nineteen[- ]?)?({'|'.join(_DECADES)})\b", re.I)
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)[- ]century\b", re.I)
_MONTH_YEAR = re.compile(r"(?<![\d/])(\d{1,2})/(\d{4})(?![\d/])")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b", re.I)
_DAY = re.compile(rf"\b({'|'.join(_DAYS)})s?\b", re.I)


@dataclass(frozen=True)
class Moment:
    """A moment where it stands. `kind` and the numbers that belong to it; missing parts are None."""

    kind: str  # date, decade, century, month, weekday, clock
    year: int | None = None
    month: int | None = None
    day: int | None = None
    minute: int | None = None
    half_known: bool = True
    start: int = 0
    end: int = 0
    denied: bool = False


_BARE_CLOCK = re.compile(
    r"(?:\b(?:from|between|at|until|till|by|to|and|before|after|opens?|closes?|around)\s+|[-–]\s?|(?<=[,;] )"
    r"|^)(\d{1,2})"
    r"(?=\s*(?:[.,;!?]|$|to\b|until\b|till\b|and\b|[-–]|on\b|in the\b|sharp\b))",
    re.I,
)


def moments(text: str, *, clocks: bool = False) -> list[Moment]:
    """All moments of a text, in order; with `clocks` a bare "10 to 5" is two clock times, too."""
    found: list[Moment] = []

    def free(match: re.Match[str]) -> bool:
        return not any(match.start() < m.end and m.start < match.end() for m in found)

    for match in _CLOCK.finditer(text):
        found.append(_clock(match))
    for match in _BARE_CLOCK.finditer(text) if clocks else ():
        if free(match) and int(match[1]) <= 24:
            minute = int(match[1]) * 60
            found.append(
                Moment("clock", minute=minute, half_known=minute > 720, start=match.start(1), end=match.end(1))
            )
    for match in _DECADE.finditer(text):
        if free(match):
            year = _DECADES[match[3].lower()] * 10 + 1900 if match[3] else int(f"{match[1] or 19}{match[2]}0")
            found.append(Moment("decade", year, start=match.start(), end=match.end()))
    for match in _CENTURY.finditer(text):
        found.append(Moment("century", (int(match[1]) - 1) * 100, start=match.start(), end=match.end()))
    for match in _MONTH_YEAR.finditer(text):
        if free(match) and 1 <= int(match[1]) <= 12:
            found.append(Moment("date", int(match[2]), int(match[1]), start=match.start(), end=match.end()))
    for date in dates(text):
        if not any(date.start < m.end and m.start < date.end for m in found) and _is_year(text, date):
            found.append(Moment("date", date.year, date.month, date.day, None, True, date.start, date.end, date.denied))
    for match in _MONTH.finditer(text):
        if (
            free(match)
            and not (match[0].lower() == "may" and match[0] != "May")
            and not (match[0].lower() == "march" and match[0] != "March")
        ):
            found.append(Moment("month", None, _MONTHS[match[1].lower()], start=match.start(), end=match.end()))
    for match in _DAY.finditer(text):
        if free(match):
            found.append(Moment("weekday", day=_DAYS[match[1].lower()], start=match.start(), end=match.end()))
    return sorted(found, key=lambda moment: moment.start)


def _is_year(text: str, date: Date) -> bool:
    """Whether a bare four-digit number is a year: no unit and no plural counts behind it ("1200 people")."""
    if date.month is not None:
        return True
    after = re.match(r"\s*([%°$€£]|[A-Za-z]+)", text[date.end :])
    before = text[: date.start].rstrip()
    if before.endswith(("$", "€", "£")):
        return False
    if after is None:
        return True
    word = after[1].lower()
    counted = word.endswith("s") and word not in (
        "was",
        "is",
        "has",
        "its",
        "as",
        "games",
        "olympics",
        "this",
        "series",
    )
    return not (word in "%°$€£" or (is_unit(word) and word not in ("in", "a")) or word == "people" or counted)


def _clock(match: re.Match[str]) -> Moment:
    if match[9]:
        hour, minute, half = (0, 0, True) if match[9].lower() == "midnight" else (12, 0, True)
    else:
        hour = int(match[1] or match[3] or match[7])
        minute = int(match[2] or match[8] or 0)
        marker = (
            match[4] or ("a" if match[5] else "p" if re.search("afternoon|evening|night", match[0]) else "")
        ).lower()
        half = bool(marker) or hour > 12 or hour == 0
        if marker:
            hour = hour % 12 + (12 if marker == "p" else 0)
    return Moment("clock", minute=hour * 60 + minute, half_known=half, start=match.start(), end=match.end())


def agree(said: Moment, gold: Moment) -> bool:
    """Whether what is said agrees with the ground truth's moment as far as both go."""
    if said.kind == "clock" or gold.kind == "clock":
        if said.kind != gold.kind or said.minute is None or gold.minute is None:
            return False
        gap = said.minute - gold.minute
        return gap == 0 or (gap % 720 == 0 and not (said.half_known and gold.half_known))
    if said.kind == "weekday" or gold.kind == "weekday":
        return said.kind == gold.kind and said.day == gold.day
    if said.year is not None and gold.year is not None:
        if not _same_years(said, gold):
            return False
    elif not (said.month and gold.month):
        return False
    return all(a is None or b is None or a == b for a, b in ((said.month, gold.month), (said.day, gold.day)))


def _same_years(said: Moment, gold: Moment) -> bool:
    assert said.year is not None
    assert gold.year is not None
    span = {"decade": 10, "century": 100}
    size = max(span.get(said.kind, 1), span.get(gold.kind, 1))
    if span.get(said.kind, 1) > span.get(gold.kind, 1):
        return False  # less precise than a year that is known
    return said.year // size == gold.year // size


def comparable(one: Moment, two: Moment) -> bool:
    """Whether two moments are of one kind, so that one can be said against the other."""
    if (one.year is None) != (two.year is None):
        return False
    return one.kind == two.kind or (one.year is not None and two.year is not None)
