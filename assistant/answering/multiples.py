"""So many times what is known of one: four journeys at the single fare, eight days' milk, six nights at the quay.

The figure is asked for as for a single one, in the question's own words, and multiplied; what is stated for so many
already ("a card for two") is left alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.answering import compute
from assistant.answering.facts import Fact, FactFinder
from assistant.answering.intents import Asked, take_apart
from assistant.answering.measures import fact_of, measured
from assistant.answering.plan import Plan
from assistant.answering.reckoned import NUMBER, SPRINT, wants
from assistant.answering.results import Result, say
from assistant.answering.values import Quantity, find_quantities, number_of

_LEAST = 0.3
#: What does not grow with the number of things or hours.
_FIXED = frozenset({"power", "speed", "temperature", "angle", "percent", "frequency", "loudness"})
_SPANS = {"pair": 2.0, "both": 2.0, "week": 7.0, "fortnight": 14.0}
_RATE = re.compile(r"(?:\b(?:a|per|each|every)[ _]|/)(?:day|night|week|month|hour|year)\b|\bdaily\b", re.IGNORECASE)
_PLURAL = re.compile(r"^(\s+(?:\w+\s+)?\w{3,}?)s\b")


def so_many(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what are 4 journeys with this": one journey's price, four times."""
    if plan.asked.operation not in ("lookup", "multiply", "list", "sum") or not wants("times", plan, finder.encode):
        return None
    if SPRINT.search(plan.question):
        return None
    text = plan.asked.core if NUMBER.search(plan.asked.core) else plan.question
    found = list(NUMBER.finditer(text))
    n = _number(found[0].group()) if len(found) == 1 else None
    if not n or n < 2:
        return None
    one = _for_one(text, found[0])
    best = max(
        (f for f in (_of(plan, finder, one), _of(plan, finder, take_apart(plan.asked.core))) if f is not None),
        key=lambda f: f[0].probability,
        default=None,
    )
    if best is None:
        return None
    fact, value = best
    if _states(fact, n) or value.dimension in _FIXED or _same_kind(text, found[0], fact, value):
        return None
    total = compute.amount(round(value.low * n, 6), value)
    return Result(f"{total} for {compute.plain_number(n)}: {say(fact, plan)}", fact.ids, fact.note)


def _of(plan: Plan, finder: FactFinder, asked: Asked) -> tuple[Fact, Quantity] | None:
    asked = replace(asked, operation="lookup", factor=None)
    fact = fact_of(finder, plan.subjects[0], asked, _LEAST)
    m = measured(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    return fact, m.quantity


def _number(text: str) -> float | None:
    last = text.lower().split()[-1]
    return _SPANS.get(last) or number_of(text)


def _for_one(core: str, number: re.Match[str]) -> Asked:
    """The question as it would be asked for a single one: "what are 4 journeys" → "what are one journey"."""
    last = number.group().lower().split()[-1]
    single = {"week": "one day", "fortnight": "one day", "pair": "one", "both": "one"}.get(last, "one")
    return take_apart(core[: number.start()] + single + _PLURAL.sub(r"\1", core[number.end() :]))


def _states(fact: Fact, n: float) -> bool:
    """Whether the fact speaks of that number itself."""
    return any(_number(m.group()) == n for m in NUMBER.finditer(f"{fact.key or ''} {fact.value}".replace("_", " ")))


def _same_kind(core: str, number: re.Match[str], fact: Fact, value: Quantity) -> bool:
    """Whether the number counts what the fact is a figure of: minutes of minutes; hours a day, over days, are none."""
    if _RATE.search(f"{fact.key or ''} {fact.value} {value.text}"):
        return False
    here = [q for q in find_quantities(core) if q.start <= number.start() < q.end]
    return any(q.dimension == value.dimension and q.dimension != "count" for q in here)
