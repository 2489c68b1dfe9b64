"""A share of what there is: of a sum of money, or of what a thing holds; and all that is reckoned in one such step."""

from __future__ import annotations

import re

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.operations.steps import CARRIED
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.measures import bare_question, exact_figure
from assistant.text import arithmetic
from assistant.text.units import dimension_of, unit_of
from assistant.text.values import Quantity, find_quantities, number_of
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.calculations import wants
from assistant.understanding.classifiers.calculation import NUMBER
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.multiplicity import sharers
from assistant.understanding.plan import Plan

_LEAST = 0.3
PLAIN_MASS = ("how much is in it?", "what is its net weight?")
#: "how much is it split in 3", "the prize money, divided by 3".
_SUM_ASKED = re.compile(
    r"\b(?:how (?:much|many)|what|which)\b"
    r"|^(?:[a-z]+[, ]+){0,3}?the (?:sum|amount|money|prize|prize money|reward|purse|award)\b"
    r"(?!.*\b(?:is|was|are|were)\b)",
    re.IGNORECASE,
)
_IS_PAID = re.compile(r"\b(?:buy|pay|costs?|price|tickets?|fees?|fares?|admission|entry)\b", re.IGNORECASE)
#: What all have between them is divided by nobody.
_ALL_OF_IT = re.compile(
    r"\b(?:altogether|in total|in all|all told|"
    r"how (?:much|many [a-z]+) (?:do|could|can|would|will) we\b.*\bbetween us)\b"
    r"(?!.*\b(?:each|apiece|a head|per head) (?:get|gets|have|has|take|takes|receive)\b)",
    re.IGNORECASE,
)
#: "I need 4 like it, how much is that": nobody shares them.
_SO_MANY = re.compile(rf"(?:{NUMBER.pattern}) (?:more )?(?:like|such)\b", re.IGNORECASE)
_PEOPLE = re.compile(r"\b(?:each|we|us|our|friends|guests|everybody|everyone)\b", re.IGNORECASE)
_PRIZE = ParsedQuestion(
    "how much money comes with it?",
    ("how much money comes with it?", "how much is it worth in money?"),
    Expected("quantity", frozenset({"money"})),
    "multiply",
)


def share(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what does each of 4 winners take home": the sum divided."""
    if _ALL_OF_IT.search(plan.question) and _PEOPLE.search(plan.question):
        return None
    n = sharers(plan.question)
    if (not n or not _SUM_ASKED.search(plan.question)) and wants("share", plan):
        return None if not n and _SO_MANY.search(plan.question) else _portion(plan, finder, n)
    if not n or n < 2 or not _SUM_ASKED.search(plan.question):
        return None
    if _HELD.search(plan.question) and not _CASH.search(plan.question):
        return _contents_shared(plan, finder, n)
    if _IS_PAID.search(plan.question):
        return None
    counted = re.search(r"\bhow many (?P<noun>[a-z]+)\b", plan.question, re.IGNORECASE)
    if counted is not None and dimension_of((unit_of(counted["noun"].lower()) or ("",))[0]) != "money":
        return None  # so many pieces are no money
    return _money_shared(plan, finder, n)


def _money_shared(plan: Plan, finder: FactFinder, n: float) -> Result | None:
    """The money that comes with it, divided; where none does and none is spoken of, what it holds."""
    found = exact_figure(finder, plan.subjects[0], _PRIZE, _LEAST)
    if found is None or _PRICE.search(f"{found[0].key or ''} {found[0].value}".replace("_", " ")):
        # What it costs is not what there is to share.
        return abstain(plan, plan.subjects[0]) if _CASH.search(plan.question) else _contents_shared(plan, finder, n)
    return _each(*found, n)


#: What is poured or eaten, not paid out: of a full pot, a jug, a tin.
_HELD = re.compile(
    r"\b(?:full|filled|filling|fill|fits?|holds?|capacity|contents?|pour\w*|drink\w*|empt(?:y|ies)|"
    r"what['’]?s in|what is in|inside|brim|tea|coffee|water|juice|soup|cups?|mugs?|lit(?:re|er)s?|ml)\b",
    re.IGNORECASE,
)
_CASH = re.compile(r"\b(?:money|prizes?|cash|euros?|win|wins|won|winners?|purse|award\w*|reward)\b", re.IGNORECASE)
_PRICE = re.compile(r"\b(?:price|costs?|sells?|shops?|ask|paid|rrp)\b", re.IGNORECASE)


def _contents_shared(plan: Plan, finder: FactFinder, n: float) -> Result | None:
    """ "tea for 5 from one filling, how much a head": what it holds, divided."""
    what = CARRIED.search(plan.question)
    holds = (f"how much {what['noun'].lower()} does it carry?",) if what else ()
    volume = (*holds, "how much does it hold?", "what is its capacity?")
    for about, dimension in ((volume, "volume"), (PLAIN_MASS, "mass")):
        found = exact_figure(finder, plan.subjects[0], bare_question(about[0], dimension, *about[1:]), _LEAST)
        if found is not None and found[1].dimension == dimension:
            return _each(*found, n)
    return abstain(plan, plan.subjects[0])


def _each(fact: Fact, whole: Quantity, n: float) -> Result:
    each = arithmetic.amount(round(whole.low / n, 6), whole)
    return Result(f"{each} each: {whole.text} among {arithmetic.plain_number(n)}.", fact.ids, fact.note)


#: "how much tea is there for each of us": no money.
_STUFF = re.compile(
    r"\bhow much (?!(?:money|cash|of|is|are|does|do|would|will|can|could|each|every|one|everyone|everybody|prize)\b)"
    r"[a-z]{3,}\b",
    re.IGNORECASE,
)


def _portion(plan: Plan, finder: FactFinder, n: float | None) -> Result | None:
    """What each gets of what there is: of the money where nothing else is spoken of."""
    measures = [q for q in find_quantities(plan.question) if q.dimension not in ("", "count")]  # "4 litres" is no party
    numbers = [m for m in NUMBER.finditer(plan.question) if not any(q.start <= m.start() < q.end for q in measures)]
    n = n or (number_of(numbers[0].group()) if len(numbers) == 1 else None)
    if not n or n < 2:
        return None
    if _IS_PAID.search(plan.question):  # what each pays is no share of anything
        return None
    poured = _HELD.search(plan.question) or _STUFF.search(plan.question)
    if plan.asked.expected.dimensions & {"mass", "volume"} or (poured and not _CASH.search(plan.question)):
        return _contents_shared(plan, finder, n)
    return _money_shared(plan, finder, n)
