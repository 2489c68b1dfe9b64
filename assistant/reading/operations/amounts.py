"""Price times number, money against a price, power times hours: one figure of the question and one fact.

A price that names one kind of visitor, or the way back, is no other's. Nothing is worked out from two currencies.
"""

from __future__ import annotations

import re

from assistant.core.types import Evidence
from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, abstain, state_fact
from assistant.reading.scoring.measures import NO_PRICE, bare_question, quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.values import Quantity, find_quantities, number_of
from assistant.understanding.calculations import wants
from assistant.understanding.classifiers.calculation import NUMBER
from assistant.understanding.plan import Plan

#: Less is enough for a price or a power rating: evidence of another kind was left out before.
_LEAST = 0.3
_ENERGY = re.compile(
    r"\b(?:k?wh|kilo ?watt[\s-]?hours?|watt[\s-]?hours?|energy|electric(?:ity)?|current|power)\b"
    r"|\badd to my (?:meter|bill)\b",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"\b(?:enough|afford|suffic\w+|(?:can|could|may) (?:i|we|they|he|she) (?:(?:all|both|even) )*"
    r"(?:get|buy|have|take|visit|go|come|pay|cross|ride|leave)|cover|(?:will|would|does) (?:that|it|this|they|\d+ \w+) "
    r"(?:pay|do|be enough|cover|get us|buy))\b",
    re.IGNORECASE,
)
#: "what does it cost to run it for two hours at 30 cents a kWh": no amount of energy answers that.
_ASKS_COST = re.compile(r"\b(?:costs?|pay|price of|expensive)\b", re.IGNORECASE)
#: Kinds of visitors, and how each is told of.
_VISITORS: dict[str, re.Pattern[str]] = {
    "adult": re.compile(r"\b(?:adults?|grown[- ]?ups?)\b", re.IGNORECASE),
    "child": re.compile(r"\b(?:child(?:ren)?|kids?|boys?|girls?|under[- ]\d+s?)\b", re.IGNORECASE),
    "student": re.compile(r"\bstudents?\b", re.IGNORECASE),
    "senior": re.compile(r"\b(?:seniors?|pensioners?|old age)\b", re.IGNORECASE),
}
_RETURN = re.compile(r"\b(?:returns?(?! policy)|round[- ]trips?)\b", re.IGNORECASE)
_SINGLE = re.compile(r"\b(?:singles?|one[- ]way)\b", re.IGNORECASE)


def _visitors_in(text: str) -> set[str]:
    """The kinds of visitors that a text names."""
    return {kind for kind, pattern in _VISITORS.items() if pattern.search(text)}


def _of_other_visitors(e: Evidence, question: str) -> bool:
    """Whether the evidence tells what some pay, and the question asks for others."""
    text = f"{e.key or ''} {e.text}".replace("_", " ")
    told, asked = _visitors_in(text), _visitors_in(question)
    if told and asked and not told & asked:
        return True
    back, one_way = _RETURN.search(text), _SINGLE.search(text)
    if _RETURN.search(question) and not _SINGLE.search(question):
        return back is None
    return back is not None and one_way is None and _SINGLE.search(question) is not None


def _price_of(plan: Plan, finder: FactFinder) -> tuple[Fact, Quantity] | None:
    """What one piece costs, as one exact figure."""
    asked = bare_question("what does it cost?", "money", "what is its price?")
    if re.search(
        r"\b(?:tickets?|admission|entry|entrance|adults?|visit|get in|"
        r"(?:of us|people) (?:\w+ )?(?:in|into)|at the door)\b",
        plan.question,
        re.IGNORECASE,
    ):
        asked = bare_question("how much is a ticket?", "money", "what is its admission price?", "what is its price?")
    for_them = [e for e in finder.evidence if not _of_other_visitors(e, plan.question)]
    fact = quantity_fact(FactFinder(finder.plan, for_them, finder.encode), plan.subjects[0], asked, _LEAST)
    m = wanted_measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    return fact, m.quantity


def total_price(plan: Plan, finder: FactFinder) -> Result | None:
    """ "I need 8 of these, what is that": the price so many times."""
    asked = plan.asked
    if asked.operation != "multiply" or asked.expected.dimensions != {"money"} or not asked.factor:
        return None
    if NO_PRICE.search(asked.core):  # so many times another sum of money
        return None
    priced = _price_of(plan, finder)
    if priced is None:
        return abstain(plan, plan.subjects[0])
    fact, price = priced
    total = arithmetic.amount(price.low * asked.factor, price)
    return Result(f"{total} for {arithmetic.plain_number(asked.factor)}: {state_fact(fact, plan)}", fact.ids, fact.note)


def affordable(plan: Plan, finder: FactFinder) -> Result | None:
    """ "is 20 euros enough for four": the total against the sum in the question."""
    meant = wants("enough", plan)
    sums = [q for q in find_quantities(plan.question) if q.dimension == "money"]
    if not sums or not (meant or (plan.asked.operation == "yesno" and _ENOUGH.search(plan.question))):
        return None
    priced = _price_of(plan, finder)
    if priced is None:
        return abstain(plan, plan.subjects[0])
    fact, price = priced
    paid = max(sums, key=lambda q: q.low)
    if paid.unit != price.unit:
        return Result(reason="the price is in another currency than the sum in the question")
    count = plan.asked.factor or (_counted(plan.question) if meant else None) or 1.0
    total = price.low * count
    one = f"one costs {price.text}"
    several = one if count == 1 else f"{arithmetic.plain_number(count)} cost {arithmetic.amount(total, price)}"
    return Result(f"{'Yes' if total <= paid.low else 'No'}: {several}.", fact.ids, fact.note)


def _counted(question: str) -> float | None:
    """How many of it: the one number of the question beside the money."""
    sums = [q for q in find_quantities(question) if q.dimension == "money"]
    others = [m for m in NUMBER.finditer(question) if not any(q.start <= m.start() < q.end for q in sums)]
    return number_of(others[0].group()) if len(others) == 1 else None


def energy(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many kWh does it use in eight hours": power times time."""
    asked = plan.asked.expected
    if not (asked.dimensions == {"energy"} and "calor" not in asked.noun) and not _ENERGY.search(plan.question):
        return None
    spans = [q for q in find_quantities(plan.question) if q.dimension == "time" and q.low == q.high]
    hours = spans[0].to("hour") if len(spans) == 1 else None
    if hours is None or re.search(r"\bhow (?:long|many hours)\b", plan.question, re.IGNORECASE):
        return None
    question = bare_question("how many watts does it draw?", "power", "what is its power?")
    fact = quantity_fact(finder, plan.subjects[0], question, _LEAST)
    m = wanted_measure(fact) if fact else None
    watts = m.quantity.to("watt") if m is not None and m.quantity is not None else None
    if fact is None or watts is None or watts.low != watts.high or m is None:
        return abstain(plan, plan.subjects[0])
    used = watts.low * hours.low / 1000
    if _ASKS_COST.search(plan.question):
        return Result(reason="what the energy costs is not worked out")
    wanted = plan.asked.unit or asked.unit
    shown = f"{_exact(used)} kWh" if wanted != "watt_hour" else f"{_exact(used * 1000)} Wh"
    return Result(f"{shown}: {m.stated} for {spans[0].text.removeprefix('for ')}.", fact.ids, fact.note)


def _exact(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
