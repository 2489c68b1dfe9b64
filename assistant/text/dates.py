"""Dates and clock times in running text, as English writes them; a bare year is a date.

Not covered: dates without a year, and spans ("1914-1918" is two dates).
"""

from __future__ import annotations

import calendar
import datetime
import functools
import re
from dataclasses import dataclass

from assistant.text.units import UNIT_PATTERN

MONTHS = {name.lower(): i for i in range(1, 13) for name in (calendar.month_name[i], calendar.month_abbr[i])}
MONTHS["sept"] = 9
_MONTH = r"(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
CLOCK = re.compile(
    r"\b(?:[01]?\d|2[0-3])(?::[0-5]\d\s?(?:[ap]\.?m\b\.?)?|\.[0-5]\d\s?[ap]\.?m\b\.?)|\b(?:1[0-2]|"
    r"0?[1-9])\s?[ap]\.?m\b\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DateValue:
    """A calendar date, known to the day, the month or the year; `span_years` > 1 for decades and centuries."""

    year: int
    month: int | None
    day: int | None
    text: str
    start: int
    end: int
    span_years: int = 1

    @property
    def order(self) -> tuple[int, int, int]:
        """Sort key; unknown parts count as the middle of their span."""
        return (self.year + self.span_years // 2, self.month or 7, self.day or 1)

    @property
    def iso(self) -> str:
        parts = [f"{self.year:04d}"]
        if self.month:
            parts.append(f"{self.month:02d}")
            if self.day:
                parts.append(f"{self.day:02d}")
        return "-".join(parts)

    @property
    def first_day(self) -> datetime.date:
        return datetime.date(max(self.year, 1), self.month or 1, self.day or 1)


#: Units that are written with capitals: "1800 W" is no year.
_CAPITAL_UNIT = r"(?:[kMGm]?(?:W|Wh|Hz|V|J|N)|[hk]?Pa|[kMGT]B|dB|mAh|Ah|Nm|EUR|USD|GBP|CHF)\b(?!\.\s?[A-Z])"
#: "1985 in Bolm" is a year in a place, "2000 in long" a length.
_IN_A_PLACE = r"in\s+(?!by\b|x\b|tall\b|wide\b|long\b|high\b|deep\b|thick\b)\w"

_DATE_FORMS = [
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<mon>{_MONTH}),?\s+(?:of\s+)?(?P<y>\d{{4}})\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<mon>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b"),
    re.compile(r"\b(?P<d>\d{1,2})[./](?P<m>\d{1,2})[./](?P<y>\d{4})\b"),
    re.compile(rf"\b(?P<mon>{_MONTH}),?\s+(?:of\s+)?(?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(r"\b(?P<y>\d{4})-(?P<m>0[1-9]|1[0-2])\b(?!-)"),
    re.compile(r"\b(?:the\s+)?(?P<y>\d{3}0)['’]?s\b"),
    re.compile(r"\b(?P<c>\d{1,2})(?:st|nd|rd|th)[\s-]century\b", re.IGNORECASE),
    re.compile(
        r"(?<![\w.,$€£¥-])(?<![$€£¥] )(?<!EUR )(?<!USD )(?<!GBP )(?<!CHF )(?P<y>1\d{3}|20\d{2}|21\d{2})"
        rf"(?![\w%°]|[.,]\d|\s?-?(?!{_IN_A_PLACE})(?:{UNIT_PATTERN}|{_CAPITAL_UNIT}))"
    ),
]


@functools.lru_cache(maxsize=8192)
def find_dates(text: str) -> tuple[DateValue, ...]:
    """All dates in the text, in order, never overlapping; a bare year is a date."""
    found: list[DateValue] = []
    for pattern in _DATE_FORMS:
        for m in pattern.finditer(text):
            if any(m.start() < f.end and f.start < m.end() for f in found):
                continue
            parts = m.groupdict()
            if parts.get("c"):
                found.append(DateValue(int(parts["c"]) * 100 - 99, None, None, m.group(), m.start(), m.end(), 100))
                continue
            month = MONTHS.get((parts.get("mon") or "").lower().rstrip(".")) or (
                int(parts["m"]) if parts.get("m") else None
            )
            day = int(parts["d"]) if parts.get("d") else None
            if month and day and month > 12 >= day:
                month, day = day, month
            if (month and not 1 <= month <= 12) or (day and not 1 <= day <= 31):
                continue
            span = 10 if re.search(r"s$", m.group()) and not parts.get("mon") else 1
            found.append(DateValue(int(parts["y"]), month, day, m.group(), m.start(), m.end(), span))
    return tuple(sorted(found, key=lambda d: d.start))


def find_clock(text: str) -> tuple[str, ...]:
    """Clock times as written ("9:30 am")."""
    return tuple(m.group().strip() for m in CLOCK.finditer(text))
