"""Whether something is open at a day or a time that the question names."""

from __future__ import annotations

import re

from assistant.reading.fact_finder import FactFinder
from assistant.reading.results import Result
from assistant.reading.signs.opening_hours import day_of, opening
from assistant.text.values import find_clock
from assistant.understanding.plan import Plan

_VISIT = re.compile(
    r"\b(?:open|opens|opened|closed?|closes|shut|go (?:up|in|inside|there)|visit|get in|come in|today|now)\b",
    re.IGNORECASE,
)


def open_at(plan: Plan, finder: FactFinder) -> Result | None:
    """Open or not at a day or a time that the question names, from the hours that the evidence gives."""
    if not (day_of(plan.question) is not None or find_clock(plan.question)) or not _VISIT.search(plan.question):
        return None
    own = [e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()]
    found = opening(plan.question, plan.asked, own)
    return Result(found.text, found.ids) if found else None


#: What tells when something is open: a day, a time, or that it always is.
_ALWAYS = re.compile(
    r"\b(?:daily|weekdays?|weekends?|always|never|24 hours|round the clock|day and night|"
    r"all (?:year|week|day|hours))\b",
    re.IGNORECASE,
)
_OPEN_OR_NOT = re.compile(r"\b(?:open|closed|shut)\b", re.IGNORECASE)


def telling_when(plan: Plan, finder: FactFinder) -> FactFinder:
    """Whether it is open at a time is told by what names one; that there are opening hours at all is no yes."""
    at = day_of(plan.question) is not None or find_clock(plan.question)
    if plan.asked.operation != "yesno" or not at or not _OPEN_OR_NOT.search(plan.asked.core):
        return finder
    telling = [e for e in finder.evidence if day_of(e.text) is not None or find_clock(e.text) or _ALWAYS.search(e.text)]
    return FactFinder(finder.plan, telling, finder.encode)
