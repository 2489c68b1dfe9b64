"""What is left of it, there and back, so many of one for each of another; and what one figure cannot tell: what is
saved against something else, what it costs with another thing.
"""

from __future__ import annotations

import re

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.operations.amounts.proportions import PLAIN_OPERATIONS, figure_of, stated
from assistant.reading.results import Result, nothing
from assistant.reading.scoring.measures import bare_question, measured
from assistant.text import arithmetic
from assistant.text.english import content_stems, shared, stem, words_of
from assistant.text.units import unit_of
from assistant.text.values import Quantity, find_quantities
from assistant.understanding.intent import take_apart
from assistant.understanding.plan import Plan

_LEFT = re.compile(r"\bhow many (?P<noun>[a-z]+)\b.*\b(?:left|remain\w*|to go|still to|missing)\b", re.IGNORECASE)


def left_of_it(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many pages have I left after 100 pages"."""
    m = _LEFT.search(plan.asked.core)
    if m is None or plan.asked.operation not in PLAIN_OPERATIONS or unit_of(m["noun"].lower()) is not None:
        return None
    noun = m["noun"].lower()
    gone = [
        q for q in find_quantities(plan.question) if q.dimension == "count" and stem(q.unit.split()[0]) == stem(noun)
    ]
    found = figure_of(plan, finder, take_apart(f"how many {noun} does it have?"), 0.4) if len(gone) == 1 else None
    if len(gone) != 1:
        return None
    if found is None or found[1].dimension not in ("count", "") or found[1].low < gone[0].low:
        return nothing(plan, plan.subjects[0])
    left = arithmetic.plain_number(found[1].low - gone[0].low)
    return Result(f"{left} {noun}: {found[1].text} less {arithmetic.plain_number(gone[0].low)}.", found[0].ids)


_BACK = re.compile(
    r"\b(?:there and back(?: again)?|for (?:a|the) round trip|(?:a|the) round trip|both ways)\b", re.IGNORECASE
)
_BOTH_WAYS = re.compile(r"\b(?:return|round|back|both)\b", re.IGNORECASE)


def there_and_back(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how long is it there and back", where one way is told."""
    core = plan.asked.core
    if not _BACK.search(core) or plan.asked.operation not in PLAIN_OPERATIONS:
        return None
    if re.search(r"\bhow far\b|\bdistance\b", core, re.IGNORECASE):
        one_way = bare_question("how far does the trip go?", "length", "how long is the way?")
    elif re.search(r"\bhow (?:long|many (?:hours|minutes))\b", core, re.IGNORECASE):
        one_way = bare_question("how long does the trip take?", "time", "how long does the crossing take?")
    else:
        return None
    found = figure_of(plan, finder, one_way)
    if found is None or found[1].dimension not in ("time", "length"):
        return nothing(plan, plan.subjects[0])
    fact, one = found
    if _BOTH_WAYS.search(stated(fact)):
        return None
    return Result(f"{arithmetic.amount(2 * one.low, one)}: {one.text} each way.", fact.ids, fact.note)


_FOR_EACH = re.compile(
    r"\bhow many (?P<a>[a-z]+s) (?:are there |does it have )?(?:per|in each|for each|to each) (?P<b>[a-z]+)\b", re.I
)


def for_each(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many pages per chapter", where both are counted for the whole."""
    m = _FOR_EACH.search(plan.asked.core)
    if m is None or plan.asked.operation not in PLAIN_OPERATIONS or unit_of(m["b"].lower()) is not None:
        return None
    first, second = _counted(plan, finder, m["a"].lower()), _counted(plan, finder, m["b"].lower() + "s")
    if first is None or second is None or first[0].evidence.id == second[0].evidence.id:
        return None
    (one, a), (two, b) = first, second
    each = arithmetic.plain_number(a.low / b.low)
    return Result(f"{each} {m['a'].lower()}: {a.text} by {b.text}.", tuple(dict.fromkeys((*one.ids, *two.ids))))


def _counted(plan: Plan, finder: FactFinder, noun: str) -> tuple[Fact, Quantity] | None:
    """How many of them there are altogether, where the fact says the noun and no rate."""
    found = figure_of(plan, finder, take_apart(f"how many {noun} does it have?"), 0.4)
    if (
        found is None
        or found[1].dimension not in ("count", "")
        or not shared(content_stems(noun), content_stems(stated(found[0])))
    ):
        return None
    return None if re.search(r"\b(?:per|each|every|a)\b", stated(found[0]), re.IGNORECASE) else found


_SAVED = re.compile(
    r"\bhow much (?:(?:money|cheaper) )?(?:do|would|can|could|will|did) (?:i|we|you) save\b", re.IGNORECASE
)
_BOTH = re.compile(
    r"\b(?:this|it|that|them|[a-z]+s?) and (?:an?|one|two|three|another) [a-z]+ "
    r"(?:cost|costs|come to|together|add up)\b",
    re.IGNORECASE,
)
_PER_SPAN = re.compile(
    r"\bhow many (?P<noun>[a-z]+)\b.*\b(?:a|per|each|every|in an?) (?P<unit>day|week|month|year)\b", re.I
)


def not_told_by_one(plan: Plan, finder: FactFinder) -> Result | None:
    """Refuses what a single figure cannot tell."""
    core = plan.asked.core
    if _SAVED.search(core):
        return Result(reason="one price tells nothing of what is saved")
    if _BOTH.search(core) and plan.asked.operation in PLAIN_OPERATIONS:
        return Result(reason="I know the price of one of them only")
    m = _PER_SPAN.search(core)
    if m is None or plan.asked.operation not in PLAIN_OPERATIONS or unit_of(m["noun"].lower()) is not None:
        return None
    fact = finder.fact(plan.subjects[0])
    key = (fact.key or "").replace("_", " ") if fact else ""
    counted = re.match(rf"(?P<noun>[a-z]+) (?:per|a|each) {m['unit']}", key, re.IGNORECASE)
    if fact is None or counted is None or stem(counted["noun"]) == stem(m["noun"]) or measured(fact) is None:
        return None
    others = [e for e in finder.evidence if e.subject == plan.subjects[0] and e.id != fact.evidence.id]
    named = any(stem(m["noun"]) in {stem(w) for w in words_of(e.text.replace("_", " "))} for e in others)
    return Result(reason=f"{key} are no number of {m['noun']}") if named else None
