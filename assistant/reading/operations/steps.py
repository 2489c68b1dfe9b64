"""One step so many times, and how long a supply lasts: a row of plants, fuel for a way, a tank at so much a day."""

from __future__ import annotations

import math
import re

from assistant.reading.fact_finder import FactFinder
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.measures import bare_question, exact_figure
from assistant.text import arithmetic
from assistant.text.units import convert
from assistant.text.values import NUMBER_WORDS, find_quantities, number_of
from assistant.understanding.plan import Plan

_LEAST = 0.3
_NUMBER = (
    rf"(?:\d{{1,6}}(?:\.\d+)?|{'|'.join(w for w in NUMBER_WORDS if w.isalpha() and w not in ('half', 'quarter'))})"
)

#: For what is asked of so many steps: what the question speaks of → how one step is asked for, its kind of figure, and
#: for how many the figure is given.
_STEPS: tuple[tuple[re.Pattern[str], tuple[str, ...], str, float], ...] = (
    (
        re.compile(
            r"(?=.*\b(?:rows?|lines?|hedges?|beds?|borders?|side by side|along (?:the|a|our|my) [a-z]+)\b)"
            r"(?=.*\b(?:long|length|metres?|meters?|centimet\w+|cm|room|space)\b)(?=.*\b(?:rows?|hedges?|"
            r"plant\w*|spac\w+|apart|"
            rf"gaps?|distance)\b).*?(?<![\w.,])(?P<n>{_NUMBER}) (?:of|times|like|such|plants?|bush(?:es)?|"
            rf"trees?|shrubs?|[a-z]+s)\b",
            re.IGNORECASE,
        ),
        ("how far apart are they planted?", "how far is one from the next?"),
        "length",
        1.0,
    ),
    (
        re.compile(rf"\b(?P<n>{_NUMBER}) (?:\w+ )?(?:intervals?|gaps?|spaces?|spacings?)\b", re.IGNORECASE),
        ("how far apart are they planted?", "how far is one from the next?"),
        "length",
        1.0,
    ),
    (
        re.compile(
            rf"(?=.*\b(?:fuel|petrol|diesel|gas|consum\w+|use|drink|burn|swallow|tank|need|lit(?:re|er)s?)\b).*?"
            rf"(?<!per )\b(?P<n>{_NUMBER}(?: hundred| thousand)?|an? (?:hundred|thousand)) ?(?:kilomet\w+|km)\b(?!/h)",
            re.IGNORECASE,
        ),
        ("how much does it use per 100 kilometres?", "what is its fuel consumption?"),
        "volume",
        100.0,
    ),
    (
        re.compile(
            r"(?=.*\b(?:dissolv\w+|solub\w+|go(?:es)? into solution|go(?:es)? in|"
            r"how (?:much|many [a-z]*grams) of (?:this|it|that))\b)"
            rf".*?\b(?P<n>{_NUMBER}) ?(?:lit(?:re|er)s?|l)\b",
            re.IGNORECASE,
        ),
        ("how much of it dissolves in a litre of water?", "what is its solubility?"),
        "mass",
        1.0,
    ),
    (
        re.compile(
            rf"\b(?:time|long|hours|minutes)\b.*?\b(?:play\w*|watch\w*|listen\w*|hear\w*|read\w*|run\w*|ride|"
            rf"walk\w*)\b.*?"
            rf"\b(?P<n>{_NUMBER}) (?:times|rounds|games|in a row)\b",
            re.IGNORECASE,
        ),
        ("how long does one round of it take?", "how long does it take?"),
        "time",
        1.0,
    ),
)


def so_many_steps(plan: Plan, finder: FactFinder) -> Result | None:
    """ "a hedge with 6 intervals", "fuel for 400 km": one step so many times."""
    for pattern, about, dimension, per in _STEPS:
        m = pattern.search(plan.question)
        n = _number(m["n"]) if m else None
        if not n:
            continue
        found = exact_figure(finder, plan.subjects[0], bare_question(about[0], dimension, *about[1:]), _LEAST)
        if found is None:
            return abstain(plan, plan.subjects[0])
        fact, one = found
        times = n * (_stretches(plan.question, m) if m else 1.0) / per
        total = arithmetic.amount(round(one.low * times, 6), one)
        if times != int(times) and dimension == "volume":  # of "3.5 times" the evidence has no number
            way = arithmetic.plain_number(times * per)
            return Result(f"{total} for {way} km: {one.text} for {per:g} km.", fact.ids, fact.note)
        return Result(f"{total}: {arithmetic.plain_number(times)} times {one.text}.", fact.ids, fact.note)
    return None


def _stretches(question: str, found: re.Match[str]) -> float:
    """How often: 4 in "4 stretches of 100 km" and "4 times hundred km"; 1 when nothing says."""
    before = re.search(
        rf"\b(?P<k>{_NUMBER}) (?:times|x|×|(?:\w+ )?\w+s of)(?: an?| the)? ?$",
        question[: found.start("n")],
        re.IGNORECASE,
    )
    return (_number(before["k"]) or 1.0) if before else 1.0


def _number(text: str) -> float | None:
    """ "four", "4", "4 hundred"."""
    first, _, scale = re.sub(r"^an? ", "1 ", text.lower()).partition(" ")
    number = number_of(first)
    return number * {"hundred": 100.0, "thousand": 1000.0}.get(scale, 1.0) if number is not None else None


_DAILY = re.compile(
    r"\b(?:a|per|each|every) (?:day|week|month|hour)\b|\b(?:daily|weekly|hourly|monthly)\b", re.IGNORECASE
)
_HOW_LONG = re.compile(
    r"\bhow (?:long|many (?:days|weeks|months|hours))\b|\b(?:days|weeks|months|hours) (?:until|till|before)\b",
    re.IGNORECASE,
)
#: It is empty on the day on which the last of it is used; what it lasts are full days.
_EMPTY = re.compile(r"\b(?:until|till|before|after how many)\b|\bruns? (?:out|dry)\b", re.IGNORECASE)
CARRIED = re.compile(
    r"\b(?:of|in) (?:fresh |drinking )?(?P<noun>water|fuel|oil|food|milk|diesel|petrol|feed)\b", re.IGNORECASE
)
_UNITS_OF_PACE = {"daily": "day", "weekly": "week", "hourly": "hour", "monthly": "month"}


def supply(plan: Plan, finder: FactFinder) -> Result | None:
    """ "with 60 litres used daily, how long does the supply keep us": what there is, divided by the use."""
    pace = _DAILY.search(plan.question)
    if pace is None or not _HOW_LONG.search(plan.question):
        return None
    uses = [q for q in find_quantities(plan.question) if q.dimension in ("volume", "mass") and q.low > 0]
    if len(uses) != 1:
        return None
    use = uses[0]
    what = CARRIED.search(plan.question)
    noun = what["noun"].lower() if what else "water" if use.dimension == "volume" else ""
    asked = bare_question(f"how much {noun} does it carry?", use.dimension, f"how much {noun} does it hold?")
    found = exact_figure(finder, plan.subjects[0], asked, _LEAST)
    whole = convert(found[1].low, found[1].unit, use.unit) if found else None
    if found is None or whole is None:
        return abstain(plan, plan.subjects[0])
    word = pace.group().split()[-1].lower()
    unit = _UNITS_OF_PACE.get(word, word)
    days = math.ceil(whole / use.low - 1e-9) if _EMPTY.search(plan.question) else int(whole / use.low + 1e-9)
    number = arithmetic.plain_number(days)
    return Result(f"{number} {unit}s: {found[1].text} at {use.text} a {unit}.", found[0].ids, found[0].note)
