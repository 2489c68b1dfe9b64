"""When a page was written: from its dateline, or from what it says about itself ("last reviewed on 3 May 2024").

Of two pages that contradict each other the newer stands (`settle`), and most sentences do not say for themselves when
they were true. Not covered: dates in a page's address or its markup, which the collections do not keep, and relative
ones ("posted yesterday").
"""

from __future__ import annotations

import datetime
import functools
import re

from assistant.text.dates import DateValue, find_dates

_ABOUT_ITSELF = (
    r"posted|published|written|printed|dated|updated|revised|reviewed|checked|verified|edited|amended|corrected|"
    r"last (?:change[d]?|modified|seen)|as of|version of|state of|noted(?: down)?"
)
#: Words that say "of this page", directly before a date …
_BEFORE = re.compile(
    rf"\b(?:{_ABOUT_ITSELF}|valid from)(?: and \w+)?(?: (?:on|in|at|by [\w. ]{{2,30}}? on))?[:,]?\s*(?:the )?$",
    re.IGNORECASE,
)
#: … and what makes them speak of something else: "it was published on 3 May 1992" is said of a book.
_OF_THE_THING = re.compile(
    r"\b(?:it|she|he|they|which|that|who|and|book|novel|edition|stamp|law|paper|poem|song|theorem)\s+"
    r"(?:was|were|is|has been|had been|got)(?: (?:first|originally|last))? (?:\w+ly )?$",
    re.IGNORECASE,
)
#: A page that opens with a date, after a place at most: "Delft, 4 March 2021." and "4 March 2021: …".
_DATELINE = re.compile(r"^\W*(?:[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3},? )?\(?$")
_AFTER_DATELINE = re.compile(r"^\)?\s*(?:[:.–—-]|\||$)")
#: A date near the end of a page signs it, unless it is said of somebody or something.
_END = 90
_SAID_OF = re.compile(
    r"\b(?:it|its|he|his|she|her|they|their|who|which|was|were|is|are|until|till|before|birth\w*|born|died|"
    r"opens?|closes?|"
    r"begins?|starts?|ends?)\b",
    re.IGNORECASE,
)


@functools.lru_cache(maxsize=4096)
def page_date(text: str, today: datetime.date) -> str | None:
    """The latest date that `text`, a whole page, gives for itself; None when it gives none.

    Returns:
        ISO 8601, to the day or the month ("2024-05-03", "2024-05"); never a bare year, never after `today`.
    """
    found = [d for d in find_dates(text) if d.month is not None and d.first_day <= today and _of_page(text, d)]
    return max(found, key=lambda d: d.order).iso if found else None


def _of_page(text: str, date: DateValue) -> bool:
    before = text[max(0, date.start - 60) : date.start]
    if date.start < 60 and _DATELINE.match(before) and _AFTER_DATELINE.match(text[date.end : date.end + 3]):
        return True
    if (word := _BEFORE.search(before)) is not None:
        return not _OF_THE_THING.search(before[: word.start()])
    return date.day is not None and len(text) - date.end < _END and _signs(text, date)


def _signs(text: str, date: DateValue) -> bool:
    """Whether a date near the end stands in a sentence about nothing, and no later one is told of before it."""
    start = max(text.rfind(mark, 0, date.start) for mark in (". ", "! ", "? ", "\n")) + 1
    if start == 0 or _SAID_OF.search(re.sub(r"\bthat is all\b", "", text[start : date.start], flags=re.IGNORECASE)):
        return False
    return all(d.order <= date.order for d in find_dates(text[:start]) if d.month is not None)
