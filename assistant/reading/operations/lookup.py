"""A fact as it is stated: converted where another unit is asked for, counted where it is a list, an age from a date."""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.compose import join_list, sentence_case
from assistant.reading.fact_finder import Fact, FactFinder, measure
from assistant.reading.operations.counting import items_of
from assistant.reading.operations.multiply import takes_no_longer
from assistant.reading.results import Result, abstain, only_one, state_fact
from assistant.reading.scoring.measures import the_only
from assistant.text import arithmetic
from assistant.text.units import dimension_of, written
from assistant.text.values import find_quantities
from assistant.understanding.calculations import must_be_worked_out, surely_one_of
from assistant.understanding.multiplicity import wanted_count
from assistant.understanding.plan import Plan

#: "which is the heaviest" wants one of several things, not what is told of the one that is known.
_ONE_OF_MANY = re.compile(
    r"\b(?:which|who)(?: one| of (?:them|these|those|(?:all )?(?:the|its|their|his|her) [a-z]+(?: [a-z]+){0,5}?))? "
    r"(?:is|are|was|has|have|weighs?|costs?|lasts?|holds?|lives?) (?:the )?(?:most|least|fewest|\w+est)\W*$",
    re.IGNORECASE,
)
#: "by how much did the number of visitors grow".
_CHANGED = re.compile(
    r"\b(?:by how (?:much|many)|how (?:much|many)(?: \w+)? (?:more|less|fewer)?)\b.*(?:\b(?:has|have|did|does) .*"
    r"\b(?:grow|(?<!\ba )(?<!full[ -])(?<!fully )grown|rise|risen|fall|fallen|drop(?:ped)?|increased?|decreased?|"
    r"shr[iu]nk|changed?|"
    r"gone (?:up|down))\b|\bdid .*\bgo (?:up|down)\b|\bdoes .*\bgo (?:up|down) (?:by|an?|each|every|per|in)\b)",
    re.IGNORECASE,
)


def nothing_about_so_many(plan: Plan, finder: FactFinder) -> Result | None:
    """What is told of one is no answer about so many."""
    many = wanted_count(plan.question) if plan.asked.operation in ("lookup", "list") else None
    if many is not None and not many.span and plan.asked.expected.kind in ("quantity", "count", "any"):
        return abstain(plan, plan.subjects[0])
    return None


def nothing_of_a_change(plan: Plan, finder: FactFinder) -> Result | None:
    """One figure tells nothing of a change."""
    return Result(reason="one figure tells nothing of a change") if _CHANGED.search(plan.asked.core) else None


def best_of_one(plan: Plan, finder: FactFinder) -> Result | None:
    """A comparison of which one side is known: its own figure, unless one of several is asked for."""
    operation = plan.asked.operation
    if operation not in ("compare", "superlative", "difference", "ratio"):
        return None
    if operation == "superlative" and _ONE_OF_MANY.search(plan.asked.core):
        return only_one(plan)
    if operation == "superlative" or (operation == "difference" and plan.asked.scale is None):
        plain = replace(plan, asked=replace(plan.asked, operation="lookup", about=(), scale=None))
        return lookup(plain, FactFinder(plain, finder.evidence, finder.encode))
    return only_one(plan)


_UNWORKED = "that would have to be worked out, and I do not see from what"


def nothing_reckoned(plan: Plan, finder: FactFinder) -> Result | None:
    """Shares, change, what a sum buys and how long a supply lasts are not worked out, and are no multiples either."""
    return Result(reason=_UNWORKED) if surely_one_of(plan, "share", "buys", "change", "enough", "supply") else None


def nothing_as_stated(plan: Plan, finder: FactFinder) -> Result | None:
    """Where something must be worked out, a figure as it is stated would be the wrong one."""
    if must_be_worked_out(plan):
        return Result(reason=_UNWORKED)
    return None


def lookup(plan: Plan, finder: FactFinder) -> Result:
    """The surest fact about the subject."""
    for subject in plan.subjects[:2]:
        fact = finder.fact(subject) or the_only(finder, subject, plan.asked)
        if fact is None:
            continue
        for special in (_age, _converted, _count):
            result = special(fact, plan)
            if result is not None:
                return result
        return Result(state_fact(fact, plan), fact.ids, fact.note)
    return abstain(plan, plan.subjects[0])


def _age(fact: Fact, plan: Plan) -> Result | None:
    if fact.asked.expected.kind != "age":
        return None
    m = measure(fact)
    if m is None or m.date is None:
        return None
    years = arithmetic.whole_years(m.date, plan.today)
    if years < 0 or m.date.span_years > 1:
        return None
    said = state_fact(fact, plan).rstrip(".")
    return Result(f"{years} years: {said}.", fact.ids, fact.note)


def _converted(fact: Fact, plan: Plan) -> Result | None:
    unit = plan.asked.unit or fact.asked.expected.unit
    if not unit:
        return None
    m = measure(fact)
    if m is None or m.quantity is None or m.quantity.unit == unit:
        return None
    if dimension_of(unit) != m.quantity.dimension:
        return None
    changed = m.quantity.to(unit)
    if changed is None:
        return None
    low, high = arithmetic.plain_number(changed.low), arithmetic.plain_number(changed.high)
    number = low if changed.low == changed.high else f"{low} to {high}"
    mark = written(unit, changed.high)
    return Result(f"{state_fact(fact, plan).rstrip('.')}, which is {number} {mark}.", fact.ids, fact.note)


#: "no pockets", "a pocket": how many, without a figure.
_FEW = re.compile(
    r"\b(?:no|none|nothing|never|an?|one|single|only|both|pair|couple|two|half|every|all)\b", re.IGNORECASE
)


def _count(fact: Fact, plan: Plan) -> Result | None:
    """ "how many flavours": a list of flavours is counted, in an attribute or in a sentence that lists them."""
    if fact.asked.expected.kind != "count" or any(c.isdigit() for c in fact.value):
        return None
    items = items_of(fact)
    if len(items) < 2:
        tells = fact.key or find_quantities(fact.value) or _FEW.search(fact.value)
        return None if tells else abstain(plan, fact.subject)
    noun = fact.asked.expected.noun or "of them"
    return Result(sentence_case(f"{len(items)} {noun}: {join_list(items)}"), fact.ids, fact.note)


def multiply(plan: Plan, finder: FactFinder) -> Result | None:
    """So many times the figure that is asked for."""
    if plan.asked.operation != "multiply":
        return None
    subject, factor = plan.subjects[0], plan.asked.factor or 1.0
    fact = finder.fact(subject)
    m = measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or takes_no_longer(plan.question, m.quantity):
        return abstain(plan, subject)
    quantity = m.quantity

    def total_of(one: float) -> str:
        return arithmetic.amount(one * factor, quantity)

    total = total_of(m.quantity.low)
    if m.quantity.high != m.quantity.low:
        total = f"{arithmetic.plain_number(m.quantity.low * factor)} to {total_of(m.quantity.high)}"
    return Result(
        sentence_case(f"{total} for {arithmetic.plain_number(factor)}: {state_fact(fact, plan).rstrip('.')}"),
        fact.ids,
        fact.note,
    )
