"""What is done with facts: stated, compared, added up, converted, counted, judged true or false.

Each operation gives a sentence with the evidence it rests on and shows the figures it used, or the reason why it gives
none. Which facts are meant is the matter of `facts`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.compose import joined, sentence_case
from assistant.reading.fact_finder import Fact, FactFinder, measure
from assistant.reading.multi_hop import follow
from assistant.reading.operations import schedules
from assistant.reading.operations.addition import added_up
from assistant.reading.operations.ages import age_then
from assistant.reading.operations.arithmetic import RECKONINGS
from assistant.reading.operations.comparison import OVER_SEVERAL
from assistant.reading.operations.counting import counted_list, items_of
from assistant.reading.operations.diets import suits
from assistant.reading.operations.fit_checks import room_for
from assistant.reading.operations.limits import limit_of, meant_to_hold
from assistant.reading.operations.multiples import so_many, takes_no_longer
from assistant.reading.operations.multiply import so_often
from assistant.reading.operations.portions import portion_of
from assistant.reading.operations.proportions import PROPORTIONS
from assistant.reading.operations.rates import RATES
from assistant.reading.operations.remainder import LEFTOVERS
from assistant.reading.operations.required_count import NEEDED
from assistant.reading.operations.shares import SHARES
from assistant.reading.operations.yes_no import verdict
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result, nothing, only_one, say
from assistant.reading.scoring.measures import the_only
from assistant.reading.signs.opening_hours import day_of, opening
from assistant.text import arithmetic as compute
from assistant.text.english import content_stems
from assistant.text.units import dimension_of, written
from assistant.text.values import find_clock, find_quantities
from assistant.understanding.calculations import must_be_worked_out
from assistant.understanding.multiplicity import many_wanted
from assistant.understanding.plan import Plan
from assistant.understanding.reference.groups import TOGETHER, counts_members


def perform(plan: Plan, finder: FactFinder) -> Result:
    """Does what the plan's question asks for."""
    operation = plan.asked.operation
    joint = re.search(r"\b(?:and|than|or|between|both)\b", plan.asked.core, re.IGNORECASE)
    if len(plan.subjects) == 1 and operation in OVER_SEVERAL and joint:
        plan = _with_related(plan, finder)
    if plan.group is not None and operation == "list":
        others = (
            [m for m in plan.group.members if m != plan.subjects[0]]
            if re.search(
                r"\b(?:else|other|others|companions|fellows|mates|siblings|rest|remaining|minus|besides|"
                r"apart from|aside from|except|other than|next to|together with|along with|without|"
                r"(?:is|are|still) left(?!\W+(?:hand|side|one))|left (?:over|if|when))\b|['’]s left\W*$",
                plan.question,
            )
            else list(plan.group.members)
        )
        return Result(sentence_case(f"{plan.group.value}: {joined(others)}"), ("group",))
    if plan.group is not None and plan.asked.expected.kind == "count" and operation == "sum":
        counted = _members(plan, finder)
        if counted is not None:
            return counted
    for special in (schedules.at_a_pace, schedules.until, schedules.between_two):
        found = special(plan, finder)
        if found is not None:
            return Result(*found)
    if schedules.has_pace(plan.question):
        return nothing(plan, plan.subjects[0])
    if len(plan.subjects) == 1:
        hours = _hours(plan, finder)
        if hours is not None:
            return hours
        finder = _of_hours(plan, finder)
        for reckon in (
            suits,
            room_for,
            added_up,
            portion_of,
            *NEEDED,
            *PROPORTIONS,
            *RATES,
            *LEFTOVERS,
            so_often,
            age_then,
            *SHARES,
            *RECKONINGS,
            so_many,
            counted_list,
        ):
            reckoned = reckon(plan, finder)
            if reckoned is not None:
                return reckoned
        many = many_wanted(plan.question) if operation in ("lookup", "list") else None
        if many is not None and not many.span and plan.asked.expected.kind in ("quantity", "count", "any"):
            return nothing(plan, plan.subjects[0])  # what is told of one is no answer about so many
    if _CHANGED.search(plan.asked.core):
        return Result(reason="one figure tells nothing of a change")
    if len(plan.subjects) == 1 and limit_of(plan) is None and (held := meant_to_hold(plan, finder)) is not None:
        return held
    if operation == "yesno":
        return verdict(plan, finder)
    if len(plan.subjects) > 1 and operation in OVER_SEVERAL:
        return OVER_SEVERAL[operation](plan, finder)
    if operation == "multiply":
        return _multiply(plan, finder)
    if operation in ("compare", "superlative", "difference", "ratio"):
        if operation == "superlative" and _ONE_OF_MANY.search(plan.asked.core):
            return only_one(plan)
        if operation == "superlative" or (operation == "difference" and plan.asked.scale is None):
            plain_asked = replace(plan.asked, operation="lookup", about=(), scale=None)
            return _lookup(
                replace(plan, asked=plain_asked),
                FactFinder(replace(plan, asked=plain_asked), finder.evidence, finder.encode),
            )
        return only_one(plan)
    if must_be_worked_out(plan):  # a figure as it is stated would be the wrong one
        return Result(reason="that would have to be worked out, and I do not see from what")
    return _lookup(plan, finder)


#: "which is the heaviest" wants one of several things, not what is told of the one that is known.
_ONE_OF_MANY = re.compile(
    r"\b(?:which|who)(?: one| of (?:them|these|those|(?:all )?(?:the|its|their|his|her) [a-z]+(?: [a-z]+){0,5}?))? "
    r"(?:is|are|was|has|have|weighs?|costs?|lasts?|holds?|lives?) (?:the )?(?:most|least|fewest|\w+est)\W*$",
    re.IGNORECASE,
)
#: "by how much did the number of visitors grow".
_CHANGED = re.compile(
    r"\b(?:by how (?:much|many)|how (?:much|many)(?: \w+)? (?:more|less|fewer)?)\b.*(?:\b(?:has|have|did|does) .*"
    r"\b(?:grow|grown|rise|risen|fall|fallen|drop(?:ped)?|increased?|decreased?|shr[iu]nk|changed?|"
    r"gone (?:up|down))\b|\bdid .*\bgo (?:up|down)\b|\bdoes .*\bgo (?:up|down) (?:by|an?|each|every|per|in)\b)",
    re.IGNORECASE,
)
_VISIT = re.compile(
    r"\b(?:open|opens|opened|closed?|closes|shut|go (?:up|in|inside|there)|visit|get in|come in|today|now)\b",
    re.IGNORECASE,
)


def _hours(plan: Plan, finder: FactFinder) -> Result | None:
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


def _of_hours(plan: Plan, finder: FactFinder) -> FactFinder:
    """Whether it is open at a time is told by what names one; that there are opening hours at all is no yes."""
    at = day_of(plan.question) is not None or find_clock(plan.question)
    if plan.asked.operation != "yesno" or not at or not _OPEN_OR_NOT.search(plan.asked.core):
        return finder
    telling = [e for e in finder.evidence if day_of(e.text) is not None or find_clock(e.text) or _ALWAYS.search(e.text)]
    return FactFinder(finder.plan, telling, finder.encode)


def _with_related(plan: Plan, finder: FactFinder) -> Plan:
    """ "this and its sequel": the second subject is what a relation of the first leads to."""
    known = {(e.subject or "").lower(): e.subject for e in finder.evidence}
    for link in follow(plan, finder.evidence, finder.encode):
        for target in link.targets:
            name = known.get(target.lower())
            if name and name not in plan.subjects:
                return replace(plan, subjects=(*plan.subjects, name))
    return plan


def _members(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many are in this series": the members are counted, unless the noun is a property of each."""
    assert plan.group is not None
    noun = plan.asked.expected.noun
    words = {
        s
        for e in finder.evidence
        for s in content_stems(f"{e.key or ''} {' '.join(q.unit for q in find_quantities(e.text))}")
    }
    own = [e for e in finder.evidence if e.subject in plan.group.members]
    if noun and not counts_members(noun, words, kinds_of(own), TOGETHER.search(plan.question) is not None):
        return None
    members = list(plan.group.members)
    return Result(sentence_case(f"{len(members)} in {plan.group.value}: {joined(members)}"), ("group",))


def _lookup(plan: Plan, finder: FactFinder) -> Result:
    for subject in plan.subjects[:2]:
        fact = finder.fact(subject) or the_only(finder, subject, plan.asked)
        if fact is None:
            continue
        for special in (_age, _converted, _count):
            result = special(fact, plan)
            if result is not None:
                return result
        return Result(say(fact, plan), fact.ids, fact.note)
    return nothing(plan, plan.subjects[0])


def _age(fact: Fact, plan: Plan) -> Result | None:
    if fact.asked.expected.kind != "age":
        return None
    m = measure(fact)
    if m is None or m.date is None:
        return None
    years = compute.whole_years(m.date, plan.today)
    if years < 0 or m.date.span_years > 1:
        return None
    said = say(fact, plan).rstrip(".")
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
    low, high = compute.plain_number(changed.low), compute.plain_number(changed.high)
    number = low if changed.low == changed.high else f"{low} to {high}"
    mark = written(unit, changed.high)
    return Result(f"{say(fact, plan).rstrip('.')}, which is {number} {mark}.", fact.ids, fact.note)


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
        return None if tells else nothing(plan, fact.subject)
    noun = fact.asked.expected.noun or "of them"
    return Result(sentence_case(f"{len(items)} {noun}: {joined(items)}"), fact.ids, fact.note)


def _multiply(plan: Plan, finder: FactFinder) -> Result:
    subject, factor = plan.subjects[0], plan.asked.factor or 1.0
    fact = finder.fact(subject)
    m = measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or takes_no_longer(plan.question, m.quantity):
        return nothing(plan, subject)
    total = compute.amount(m.quantity.low * factor, m.quantity)
    if m.quantity.high != m.quantity.low:
        total = (
            f"{compute.plain_number(m.quantity.low * factor)} to {compute.amount(m.quantity.high * factor, m.quantity)}"
        )
    return Result(
        sentence_case(f"{total} for {compute.plain_number(factor)}: {say(fact, plan).rstrip('.')}"), fact.ids, fact.note
    )


__all__ = ["Result", "nothing", "perform", "say"]
