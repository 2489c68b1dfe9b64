"""Years between the beginning of a thing and another: its age in a year of the question, and how long its maker had
existed when it came out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.measures import quantity_fact, wanted_measure
from assistant.text.values import DateValue
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.calculations import wants
from assistant.understanding.classifiers.calculation import FOUNDED
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.plan import Plan
from assistant.understanding.preamble import set_apart
from assistant.understanding.property_queries import BEGINNINGS

_LEAST = 0.3
_IN_YEAR = re.compile(
    r"\b(?:in|by|as of|until|back in|around)(?: the year)? (?P<year>1[0-9]\d\d|20\d\d)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\d.,:/-])(?P<year>1[0-9]\d\d|20\d\d)(?!\d|:\d|[/-])")
#: "1950: how old was it then?"
_THEN = re.compile(r"\b(?:then|at that (?:time|point)|at the time|that year|in that year)\b", re.IGNORECASE)
_HOW_OLD = re.compile(
    r"\bhow (?:old|many years old|many years)\b|\bhow long\b.*\b(?:existed?|stood|been|there|around|open|running)\b|"
    r"\b(?:what|which) age\b|\b(?:its|the) age\b",
    re.IGNORECASE,
)


def age_in(plan: Plan, finder: FactFinder) -> Result | None:
    """ "in 1946, how old was this bridge": the years from its beginning to a year of the question."""
    m = _IN_YEAR.search(plan.question)
    if _OF_SOMEBODY.search(set_apart(plan.question)[1]):
        return None
    if m is None and _HOW_OLD.search(plan.question) and _THEN.search(plan.question):
        m = _YEAR.search(plan.question)
    if len({y["year"] for y in _YEAR.finditer(plan.question)}) > 1:  # a change between two years is no age
        return None
    if m is None or not _HOW_OLD.search(plan.question):
        m = _YEAR.search(plan.question) if _YEAR.search(plan.question) and wants("age_then", plan) else None
    if m is None:
        return None
    own = re.search(r"\bafter (?P<event>(?:its|the) [a-z]+|being [a-z]+|it was [a-z]+)\b", plan.question, re.IGNORECASE)
    pairs = _BEGUN
    if own:
        event = re.sub(r"^(?:being|it was) ", "", own["event"], flags=re.IGNORECASE)
        noun = event.split()[-1]
        pairs = [(f"when was it {noun}?",) if " " not in event else (f"when was its {noun}?", f"date of {noun}?")]
    year = int(m["year"])
    counted = _COUNTED_FROM.search(plan.question)
    told = _dated(plan, finder, [_event(counted["event"])]) if counted else None
    if not own:  # the question may name the event: "2023 minus the christening of it"
        core = plan.asked.core
        pairs = [*pairs, (core.replace(m["year"], "when"),)]
        if _HOW_OLD.search(core):  # "how old was it at the time": its beginning in the question's own words
            pairs.append((_IN_YEAR.sub("", core).strip(),))
    begun_by = told or _dated(plan, finder, pairs)
    if begun_by is None:
        return abstain(plan, plan.subjects[0])
    fact, begun = begun_by
    if begun.year > year:
        return Result(
            f"It was not there yet in {year}: {plan.subjects[0]} dates from {begun.year}.", fact.ids, fact.note
        )
    return Result(f"{year - begun.year} years: from {begun.text} to {year}.", fact.ids, fact.note)


#: "counting from its christening", "if one counts from the first time that it was handed out".
_COUNTED_FROM = re.compile(
    r"\b(?:counts?|counting|counted|reckon(?:s|ed|ing)?|starting) from (?P<event>[^,?]+)", re.IGNORECASE
)
_FIRST_TIME = re.compile(
    r"(?:the )?(?:very )?first time (?:that |when )?.+? (?:was|were|got) (?P<done>.+)", re.IGNORECASE
)


def _event(event: str) -> tuple[str, ...]:
    """How the date of an event is asked for."""
    if first := _FIRST_TIME.match(event):
        return (f"when was it first {first['done']}?", f"when was it {first['done']} for the first time?")
    return (f"when was {event}?",)


_BEGUN = [BEGINNINGS[i : i + 2] for i in range(0, len(BEGINNINGS), 2)]


def _dated(plan: Plan, finder: FactFinder, pairs: Sequence[tuple[str, ...]]) -> tuple[Fact, DateValue] | None:
    """The surest date that any of the wordings finds."""
    found = []
    for about in pairs:
        asked = ParsedQuestion(about[0], about, Expected("date", frozenset({"date"})), "age")
        fact = quantity_fact(finder, plan.subjects[0], asked)
        value = wanted_measure(fact) if fact else None
        if fact is not None and value is not None and value.date is not None and value.date.span_years <= 1:
            found.append((fact.probability, -value.date.year, fact, value.date))
    return max(found, key=lambda f: f[:2])[2:] if found else None


_MAKER = r"(?:company|firm|maker|manufacturer|producer|brand|business|house|publisher|studio|brewery|workshop)"
_MAKERS_AGE = re.compile(
    rf"\b(?:how many years|how old|how long)\b.*\b{_MAKER}\b|\b{_MAKER}\b.*\b(?:how many years|how old|how long)\b",
    re.IGNORECASE,
)
_CAME = re.compile(
    r"\b(?:before|until|after|when|till|by the time)\b.*\b(?:br(?:ought|ing)|came|come|launch\w*|introduc\w*|releas\w*|"
    r"appear\w*|made|built|publish\w*|sold|put)\b"
    r"|\b(?:br(?:ought|ing)|launch\w*|introduc\w*|releas\w*|publish\w*)\b.*\b(?:after|since)\b"
    r"|\bafter how many years\b|\binto (?:the |its )(?:life|history|existence|career)\b",
    re.IGNORECASE,
)


#: "Which year was the firm established" asks for no span.
_WHICH_YEAR = re.compile(
    r"^(?!.*\b(?:how (?:many|long|old)|number of years)\b).*\b(?:the|what|which) year\b", re.IGNORECASE
)


#: Somebody's age is no firm's: "how old was the author when it came out".
_OF_SOMEBODY = re.compile(
    r"\b(?:persons?|m[ae]n|wom[ae]n|authors?|writers?|novelists?|poets?|painters?|artists?|sculptors?|"
    r"composers?|singers?|"
    r"inventors?|discoverers?|designers?|architects?|engineers?|scientists?|mathematicians?|chemists?|physicists?|"
    r"breeders?|gardeners?|mothers?|fathers?|wife|husband|somebody|someone|he|she|his|her)\b|\bat (?:what|which) age\b"
    r"|\bwhoever (?!makes?\b|made\b|builds?\b|built\b|sells?\b|produc|manufactur|publish|brew|supplie)[a-z]+",
    re.IGNORECASE,
)


def makers_years(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many years did the company need before it brought this out": from its founding to the thing's start."""
    if _IN_YEAR.search(plan.question) or _WHICH_YEAR.search(plan.question):
        return None
    if _OF_SOMEBODY.search(plan.question):
        return None
    spoken = _MAKERS_AGE.search(plan.question) and _CAME.search(plan.question)
    asks_when = plan.asked.expected.kind == "date"
    if not spoken and (asks_when or not wants("makers_age", plan)):
        return None
    start = finder.fact_behind(plan.subjects[0], FOUNDED, _LEAST)
    begun = wanted_measure(start) if start is not None else None
    date = begun.date if begun is not None else None
    launch = _dated(plan, finder, _BEGUN)
    if start is None or date is None or launch is None or launch[0].evidence.id == start.evidence.id:
        return abstain(plan, plan.subjects[0]) if spoken else None  # a kind that was guessed is left to the others
    years = launch[1].year - date.year
    if years < 0:
        return Result(reason="the dates are in an order that cannot be")
    ids = tuple(dict.fromkeys((*start.ids, *launch[0].ids)))
    return Result(f"{years} years: from {date.text} to {launch[1].text}.", ids, launch[0].note)
