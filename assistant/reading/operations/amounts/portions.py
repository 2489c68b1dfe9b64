"""A figure for so much of it: the calories in 50 g of this, what half a litre of it costs.

An amount in units of measure is no number of pieces: "100 g of it" are not a hundred of it. What is told for an amount
("per 100 g") is put for the one asked for; what is told for the whole where it is known how much that is; else nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.fact_finder import FactFinder
from assistant.reading.operations.amounts.proportions import (
    GROWS,
    PLAIN_OPERATIONS,
    content_of,
    figure_of,
    stated,
    told_for,
    told_with_its_amount,
)
from assistant.reading.results import Result, nothing
from assistant.text import arithmetic
from assistant.text.units import convert, unit_of
from assistant.text.values import Quantity, number_of
from assistant.understanding.plan import Plan

_AMOUNT = (
    r"(?P<n>\d+(?:\.\d+)?|half an?|a quarter of an?|an?|one|two|three|four|five|ten|a hundred) ?(?P<unit>[a-z]{1,12})"
)
_OF_IT = re.compile(rf"(?<![\w.,]){_AMOUNT} (?:of|off|from) (?:it|this|these|that|those|them|the|my)\b", re.IGNORECASE)
#: "how many calories in 50 grams?": at the end, of what is told for an amount.
_IN_SO_MUCH = re.compile(rf"\b(?:in|for|from) {_AMOUNT}\W*$", re.IGNORECASE)
_SHARES = {"half": 0.5, "a quarter": 0.25, "a hundred": 100.0}


def amount_of_it(question: str) -> Quantity | None:
    """The mass or volume of it that a question speaks of: "50 g of this", "half a litre of it"."""
    for m in (*_OF_IT.finditer(question), *_IN_SO_MUCH.finditer(question)):
        unit = unit_of(m["unit"].lower())
        if unit is None or unit[1] not in ("mass", "volume"):
            continue
        said = m["n"].lower()
        share = next((s for word, s in _SHARES.items() if said.startswith(word)), None)
        number = share if share is not None else 1.0 if said in ("a", "an") else number_of(said)
        if number:
            said = f"{m['n']} {m['unit']}"
            return Quantity(number, number, unit[0], unit[1], said, m.start(), m.end())
    return None


def portion_of(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many calories do 50 g of this have", "what do two litres of it cost"."""
    asked, wanted = plan.asked, amount_of_it(plan.question)
    if wanted is None or asked.operation not in PLAIN_OPERATIONS or plan.group is not None:
        return None
    found = figure_of(plan, finder, replace(asked, operation="lookup", factor=None))
    if found is None or found[1].dimension not in GROWS:
        return nothing(plan, plan.subjects[0])
    if found[1].dimension == "time":  # half of it is not done in half the time
        return Result(reason="the time is told for all of it")
    fact, figure = found
    ids, told = fact.ids, told_for(stated(fact), figure)
    if told is None and (elsewhere := told_with_its_amount(plan, finder, figure)) is not None:
        told, ids = elsewhere[0], tuple(dict.fromkeys((*ids, *elsewhere[1])))
    if told is None:
        held = content_of(plan, finder, wanted.dimension)
        if held is None or figure.dimension == wanted.dimension:
            return Result(reason="the figure is told for one of it, and not for so much")
        told, ids = held[1], tuple(dict.fromkeys((*ids, *held[0].ids)))
    whole = convert(told.low, told.unit, wanted.unit)
    if not whole:
        return Result(reason=f"the figure is told for {told.text}, which is another kind of amount")
    if whole == wanted.low:
        return None  # just what is told
    total = arithmetic.amount(round(figure.low * wanted.low / whole, 2), figure)
    per = told.text if told.text[0].isdigit() else f"a {told.text}"
    return Result(f"{total} for {wanted.text}: {figure.text} for {per}.", ids, fact.note)
