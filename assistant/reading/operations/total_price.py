"""The price so many times: "I need 8 of these, what is that?".

A price that names one kind of visitor, or the way back, is no other's. Nothing is worked out from two currencies.
"""

from __future__ import annotations

import re

from assistant.core.types import Evidence
from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, abstain, state_fact
from assistant.reading.scoring.measures import NO_PRICE, bare_question, quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.values import Quantity
from assistant.understanding.plan import Plan

#: Less is enough for a price or a power rating: evidence of another kind was left out before.
_LEAST = 0.3
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
