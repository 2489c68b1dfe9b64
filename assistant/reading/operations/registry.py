"""What is done with facts: stated, compared, added up, converted, counted, judged true or false.

An operation takes a plan and what finds facts for it, and gives a sentence with the evidence it rests on, or the reason
why there is none; None says that the question is not one of its kind. `OPERATIONS` is asked in order, the first that
gives anything answers. Which facts are meant is the matter of `assistant.reading.fact_finder`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.reading.fact_finder import FactFinder
from assistant.reading.multi_hop import follow_relations
from assistant.reading.operations.amounts import affordable, energy, total_price
from assistant.reading.operations.comparison import OVER_SEVERAL
from assistant.reading.operations.counting import counted_list
from assistant.reading.operations.diets import suits
from assistant.reading.operations.group_members import members_counted, members_listed
from assistant.reading.operations.lookup import (
    best_of_one,
    lookup,
    multiply,
    nothing_about_so_many,
    nothing_as_stated,
    nothing_of_a_change,
    nothing_reckoned,
)
from assistant.reading.operations.multiply import multiply_by_count
from assistant.reading.operations.open_hours import open_at, telling_when
from assistant.reading.operations.schedules import until
from assistant.reading.operations.years import age_in, makers_years
from assistant.reading.operations.yes_no import verdict
from assistant.reading.results import Result, abstain
from assistant.understanding.plan import Plan

Run = Callable[[Plan, FactFinder], Result | None]


@dataclass(frozen=True)
class Operation:
    """`one_subject`: asked only where the plan has a single subject. `tests.bench.ablation` leaves out each in turn."""

    name: str
    run: Run
    one_subject: bool = True


def _over_several(plan: Plan, finder: FactFinder) -> Result | None:
    operation = plan.asked.operation
    if len(plan.subjects) > 1 and operation in OVER_SEVERAL:
        return OVER_SEVERAL[operation](plan, finder)
    return None


def _yes_or_no(plan: Plan, finder: FactFinder) -> Result | None:
    return verdict(plan, finder) if plan.asked.operation == "yesno" else None


#: Order matters: what reads more of the question comes before what reads less.
OPERATIONS: tuple[Operation, ...] = (
    Operation("members_listed", members_listed, one_subject=False),
    Operation("members_counted", members_counted, one_subject=False),
    Operation("until", until, one_subject=False),
    Operation("open_at", open_at),
    Operation("suits", suits),
    Operation("affordable", affordable),
    Operation("energy", energy),
    Operation("nothing_reckoned", nothing_reckoned),
    Operation("multiply_by_count", multiply_by_count),
    Operation("age_in", age_in),
    Operation("makers_years", makers_years),
    Operation("total_price", total_price),
    Operation("counted_list", counted_list),
    Operation("nothing_about_so_many", nothing_about_so_many),
    Operation("nothing_of_a_change", nothing_of_a_change, one_subject=False),
    Operation("yes_or_no", _yes_or_no, one_subject=False),
    Operation("over_several", _over_several, one_subject=False),
    Operation("multiply", multiply, one_subject=False),
    Operation("best_of_one", best_of_one, one_subject=False),
    Operation("nothing_as_stated", nothing_as_stated, one_subject=False),
    Operation("lookup", lookup, one_subject=False),
)


def perform(plan: Plan, finder: FactFinder, operations: Sequence[Operation] = OPERATIONS) -> Result:
    """Does what the plan's question asks for."""
    joint = re.search(r"\b(?:and|than|or|between|both)\b", plan.asked.core, re.IGNORECASE)
    if len(plan.subjects) == 1 and plan.asked.operation in OVER_SEVERAL and joint:
        plan = _with_related(plan, finder)
    single = len(plan.subjects) == 1
    for operation in operations:
        if operation.one_subject and not single:
            continue
        found = operation.run(plan, finder)
        if found is not None:
            return found
        if single and operation.name == "open_at":  # what follows looks at what tells when
            finder = telling_when(plan, finder)
    return abstain(plan, plan.subjects[0])


def _with_related(plan: Plan, finder: FactFinder) -> Plan:
    """ "this and its sequel": the second subject is what a relation of the first leads to."""
    known = {(e.subject or "").lower(): e.subject for e in finder.evidence}
    for link in follow_relations(plan, finder.evidence, finder.encode):
        for target in link.targets:
            name = known.get(target.lower())
            if name and name not in plan.subjects:
                return replace(plan, subjects=(*plan.subjects, name))
    return plan
