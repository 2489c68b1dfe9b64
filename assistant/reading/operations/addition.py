"""Two figures of one thing added up: "its length plus its width", "seats and standing places together".

Both are asked for in plain words; unless both are known, and are of one kind, there is no sum, and what is known of one
of them is no answer.
"""

from __future__ import annotations

import re

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.measures import quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.arithmetic import Measure
from assistant.text.english import SCALES, stem
from assistant.understanding.intent import parse_clause
from assistant.understanding.plan import Plan

_THING = r"(?:(?:its|the|their|his|her) )?"
_PLUS = re.compile(
    rf"\b{_THING}(?P<a>[a-z]+(?: [a-z]+)?) (?:plus|added to) {_THING}(?P<b>[a-z]+(?: [a-z]+)?)(?=\s*(?:[,?.!]|$))"
    rf"|\b(?:sum|total) of {_THING}(?P<a2>[a-z]+(?: [a-z]+)?) and {_THING}(?P<b2>[a-z]+(?: [a-z]+)?)(?=\s*(?:[,?.!]|$))"
    rf"|(?:^|[,:] |\bof |\bmany ){_THING}(?P<a3>[a-z]+s|[a-z]+) and {_THING}(?P<b3>[a-z]+(?: [a-z]+)?)"
    r"(?: does it have| are there| has it(?: got)?)? (?:(?:all )?together|added up|combined|taken together|in all)\b",
    re.IGNORECASE,
)
_LEAST = 0.5


def added_up(plan: Plan, finder: FactFinder) -> Result | None:
    """ "its length plus its width": both, added up; None where no two properties of one thing are named."""
    m = _PLUS.search(plan.asked.core)
    if m is None or plan.group is not None or plan.asked.operation not in ("lookup", "sum", "list"):
        return None
    nouns = [(m["a"] or m["a2"] or m["a3"]).lower(), (m["b"] or m["b2"] or m["b3"]).lower()]
    nouns = ["standing places" if n == "standing" else n for n in nouns]
    if not all(_names_a_figure(n) for n in nouns):
        return None
    found = [_figure(plan, finder, noun) for noun in nouns]
    if any(f is None for f in found):
        return abstain(plan, plan.subjects[0])
    (one, a), (other, b) = (f for f in found if f is not None)
    same = arithmetic.common([a, b])
    if same is None or one.evidence.id == other.evidence.id:
        return Result(reason="these figures do not add up")
    first, second = same[0].quantity, same[1].quantity
    if first is None or second is None or first.low != first.high or second.low != second.high:
        return Result(reason="these figures do not add up exactly")
    added = round(first.low + second.low, 6)
    total = arithmetic.amount(added, first) if first.unit == second.unit else arithmetic.plain_number(added)
    return Result(f"{total}: {a.stated} and {b.stated}.", tuple(dict.fromkeys((*one.ids, *other.ids))))


def _names_a_figure(noun: str) -> bool:
    """ "length" and "standing places" are figures of a thing; "jam" and "tea" are other things."""
    last = noun.split()[-1]
    return last in SCALES or stem(last) in _COUNTED


_COUNTED = frozenset(map(stem, ("seats", "places", "pages", "doors", "rooms", "wheels", "years", "crew", "passengers")))


def _figure(plan: Plan, finder: FactFinder, noun: str) -> tuple[Fact, Measure] | None:
    many = noun.split()[-1] not in SCALES
    fact = quantity_fact(
        finder, plan.subjects[0], parse_clause(f"how many {noun} does it have?" if many else f"what is its {noun}?")
    )
    m = wanted_measure(fact) if fact is not None and fact.probability >= _LEAST else None
    return (fact, m) if fact is not None and m is not None and m.quantity is not None else None
