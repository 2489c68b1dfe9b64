"""What is told for one span of time, or for each go, asked for another span: visitors a month where a year's are told,
fuel a day where it is told for each crossing and the crossings of a day are.

What a thing holds at once is no day's worth of it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.fact_finder import FactFinder
from assistant.reading.operations.amounts.proportions import GROWS, PLAIN_OPERATIONS, figure_of, stated
from assistant.reading.results import Result, nothing
from assistant.reading.scoring.measures import fact_of, measured
from assistant.text import arithmetic
from assistant.text.english import word_set
from assistant.text.values import Quantity
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.intent import Asked, take_apart
from assistant.understanding.plan import Plan

_TIME_RATE = re.compile(
    r"\b(?:a|per|each|every|in an?|in one|over an?) (?P<unit>day|week|month|year)\b|\b(?P<ly>dai|week|month|year)ly\b"
    r"|\b(?P<annual>annual)(?:ly)?\b",
    re.IGNORECASE,
)
#: How many of one span there are in another; a month is no fixed number of days.
_IN = {("day", "week"): 7.0, ("month", "year"): 12.0}
#: Spans that others hold about so many of.
_ABOUT = {("day", "month"): 365 / 12, ("day", "year"): 365.0, ("week", "month"): 52 / 12, ("week", "year"): 52.0}


#: "it carried 410,000 passengers in 2022".
_IN_A_YEAR = re.compile(
    r"\b(?:carried|had|sold|welcomed|received|drew|counted|produced|made|came|attracted)\b.*\bin (?:19|20)\d\d\b",
    re.IGNORECASE,
)


#: "what does the berth cost for a week".
_FOR_SO_LONG = re.compile(r"\bfor (?:an?|one|two|three) (?:week|fortnight|month|year)s?\b", re.IGNORECASE)


def in_another_span(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many visitors a month", where they are told for a year."""
    asked = plan.asked
    spans = [_unit(m) for m in _TIME_RATE.finditer(asked.core)] or ["" for _ in _FOR_SO_LONG.findall(asked.core)]
    if len(spans) != 1 or asked.operation not in PLAIN_OPERATIONS or asked.factor or plan.group is not None:
        return None
    fact = finder.fact(plan.subjects[0])
    told = [_unit(m) for m in _TIME_RATE.finditer(stated(fact))] if fact else []
    value = measured(fact) if fact else None
    if fact is not None and not told and value is not None and value.quantity is not None:
        sum_for = value.quantity.dimension == "money" and _FOR_SO_LONG.search(asked.core)
        if sum_for and not re.search(r"\b(?:nights?|hours?|overnight|rent\w*)\b", stated(fact), re.IGNORECASE):
            return Result(reason="nobody says for how long that sum is")
    if fact is not None and not told and _IN_A_YEAR.search(stated(fact)):
        told = ["year"]
    if fact is None or not spans[0] or len(told) != 1 or told[0] == spans[0] or value is None or value.quantity is None:
        return None
    figure, (one, other) = value.quantity, (told[0], spans[0])
    if figure.low != figure.high or figure.dimension not in GROWS or _lasts(figure, one):
        return None
    exact = _IN.get((one, other)) or (1 / _IN[other, one] if (other, one) in _IN else None)
    loose = _ABOUT.get((one, other)) or (1 / _ABOUT[other, one] if (other, one) in _ABOUT else None)
    times = exact or loose
    if times is None:
        return nothing(plan, plan.subjects[0])
    total = figure.low * times
    shown = arithmetic.amount(round(total, 2 if total < 100 else 0), figure)
    about = "about " if exact is None else ""
    return Result(f"{about}{shown} a {other}: {figure.text} a {one}.".capitalize(), fact.ids, fact.note)


def _unit(m: re.Match[str]) -> str:
    return "year" if m["annual"] else (m["unit"] or m["ly"]).lower().replace("dai", "day")


def _lasts(figure: Quantity, span: str) -> bool:
    """Whether the figure is the span itself: "every 2 years"."""
    return figure.dimension == "time" and figure.unit == span


_PER_GO = re.compile(r"\b(?:per|each|every)[ _](?P<noun>[a-z]+)\b", re.IGNORECASE)
_AT_ONCE = re.compile(r"\b(?:capacity|seats?|seating|carries|holds|room for|accommodates)\b", re.IGNORECASE)
_RATE = re.compile(
    r"\b(?:per|each|every) [a-z]+\b|\ban? (?:hour|day|week|month|year)\b|"
    r"\b(?:daily|weekly|monthly|yearly|annual\w*|hourly)\b|/",
    re.IGNORECASE,
)
_OF_TIME = word_set("day night week month year hour minute second person people kilometre kilometer mile litre 100 one")
_IN_SPAN = re.compile(r"\b(?:a|per|each|every|in an?|in one) (?P<unit>day|week|month|year)\b", re.IGNORECASE)


def by_the_go(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how much fuel does it burn in a day", where that is told for each crossing: by the crossings of a day."""
    asked = plan.asked
    span = _IN_SPAN.search(asked.core)
    if span is None or asked.operation not in ("lookup", "multiply", "list") or asked.factor or plan.group is not None:
        return None
    if asked.expected.kind not in ("quantity", "count"):
        return None
    bare = replace(take_apart(" ".join(_IN_SPAN.sub("", asked.core).split())), operation="lookup")
    fact = fact_of(finder, plan.subjects[0], bare)
    said = stated(fact) if fact else ""
    go = _PER_GO.search(said)
    if fact is not None and _AT_ONCE.search(said) and not _RATE.search(said):  # what it holds at once is no day's worth
        return nothing(plan, plan.subjects[0])
    if fact is None or go is None or go["noun"].lower() in _OF_TIME or _IN_SPAN.search(said):
        return None
    m = measured(fact)
    noun, unit = go["noun"].lower(), span["unit"].lower()
    plural = re.sub(r"(?:([sxz]|ch|sh)|([^aeiou])y)$", lambda e: f"{e[1]}e" if e[1] else f"{e[2]}ie", noun) + "s"
    often = Asked(
        f"how many {plural} are there per {unit}?",
        (f"what is its number of {plural} per {unit}?",),
        Expected("count", frozenset({"count", ""}), plural),
        "lookup",
    )
    told = figure_of(plan, finder, often, 0.4)
    rate = _IN_SPAN.search(stated(told[0])) if told else None
    if told is None or rate is None or rate["unit"].lower() != unit or told[0].evidence.id == fact.evidence.id:
        return nothing(plan, plan.subjects[0])
    if m is None or m.quantity is None or m.quantity.low != m.quantity.high or told[1].dimension not in ("count", ""):
        return nothing(plan, plan.subjects[0])
    total = arithmetic.amount(m.quantity.low * told[1].low, m.quantity)
    times = arithmetic.plain_number(told[1].low)
    ids = tuple(dict.fromkeys((*fact.ids, *told[0].ids)))
    return Result(f"{total} a {unit}: {m.quantity.text} per {noun}, {times} times a {unit}.", ids)
