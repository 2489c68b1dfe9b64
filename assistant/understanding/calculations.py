"""Whether a plan wants something calculated, and what."""

from __future__ import annotations

from assistant.text.values import find_dates
from assistant.understanding.classifiers.calculation import NUMBER, calculation_kinds
from assistant.understanding.plan import Plan
from assistant.understanding.preamble import set_apart


def wants(kind: str, plan: Plan, *others: str) -> bool:
    """Whether the question is more probably of this kind, or of one of the others, than of all the rest together."""
    story, asks = set_apart(plan.question)
    told = story and NUMBER.search(story) and not NUMBER.search(asks)  # "we are six, so what do we pay?"
    kinds = calculation_kinds(plan.question if told or not story else asks, plan.asked)
    return sum(kinds.get(k, 0.0) for k in (kind, *others)) >= WANTED


def surely_one_of(plan: Plan, *kinds: str) -> bool:
    """Whether the question is almost surely of one of these kinds."""
    found = calculation_kinds(plan.question, plan.asked)
    return sum(found.get(kind, 0.0) for kind in kinds) >= _SURELY


def must_be_worked_out(plan: Plan) -> bool:
    """Whether the question is most probably one that a single stated fact does not answer."""
    from_a_day = ("until",) if any(d.day for d in find_dates(plan.question)) else ()
    return surely_one_of(plan, *_WORKED_OUT, *from_a_day)


#: A reckoning is tried when its kind is at least this probable.
WANTED = 0.45


#: Kinds that no figure answers as it is stated: a lookup in their place would be wrong.
_WORKED_OUT = (
    *("times", "share", "buys", "change", "enough", "fits", "limit", "supply", "age_then", "makers_age", "sum_group"),
    "extreme",
)


#: From where on a question that was not worked out is left unanswered.
_SURELY = 0.9
