"""The moment a question was asked at, and what of dated results may be shown then.

CRAG's rows carry it as `query_time`, for example "02/28/2024, 10:04:54 PT". The released KG is one snapshot, so without
this "the latest price" is the latest one of the snapshot. What cannot be told to be earlier is not shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from assistant.core.errors import BadInput

_ZONES = {"PT": "America/Los_Angeles", "ET": "America/New_York", "UTC": "UTC"}
_PATTERN = re.compile(r"(\d{2}/\d{2}/\d{4}, \d{2}:\d{2}:\d{2}) ([A-Z]+)")
_NEW_YORK = ZoneInfo("America/New_York")
_CLOSE = time(16)


@dataclass(frozen=True)
class Moment:
    """When a question was asked: in its own zone, and by the clocks of the exchange, without a zone."""

    day: date
    in_new_york: datetime

    def shows_day(self, day: str | None) -> bool:
        """Whether a day (YYYY-MM-DD) was over: games of the day itself may still be to come."""
        found = _date(day)
        return found is not None and found < self.day

    def shows_date(self, day: str | None) -> bool:
        """Whether a day has begun: charts and ex-dividend days are known from their morning on."""
        found = _date(day)
        return found is not None and found <= self.day

    def shows_close(self, key: str) -> bool:
        """Whether the exchange had closed on the day that begins `key` ("2023-02-28 00:00:00 EST")."""
        found = _date(key[:10])
        return found is not None and datetime.combine(found, _CLOSE) <= self.in_new_york

    def shows_minute(self, key: str) -> bool:
        """Whether the minute that `key` begins with ("2024-02-22 09:30:00 EST") was over."""
        try:
            start = datetime.fromisoformat(key[:19])
        except ValueError:
            return False
        return len(key) >= 19 and start.tzinfo is None and start + timedelta(minutes=1) <= self.in_new_york

    def shows_ceremony(self, year: int | None) -> bool:
        """Whether the Grammys of a year were given: they are in the first months of the year after."""
        return year is not None and year < self.day.year


def parse_query_time(text: str) -> Moment:
    """The moment of a row's `query_time`.

    Args:
        text: "MM/DD/YYYY, HH:MM:SS ZONE", the zone PT, ET or UTC.

    Raises:
        BadInput: anything else.
    """
    found = _PATTERN.fullmatch(text.strip())
    zone = _ZONES.get(found[2]) if found else None
    if found is None or zone is None:
        raise BadInput(f"{text!r} is no query time: write it as '02/28/2024, 10:04:54 PT' (or ET, UTC)")
    try:
        moment = datetime.strptime(found[1], "%m/%d/%Y, %H:%M:%S").replace(tzinfo=ZoneInfo(zone))
        return Moment(moment.date(), moment.astimezone(_NEW_YORK).replace(tzinfo=None))
    except (ValueError, OverflowError) as problem:
        raise BadInput(f"{text!r} is no query time ({problem}): write it as '02/28/2024, 10:04:54 PT'") from None


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None
