"""Figures of a known kind: the fact that carries one, and which of its figures counts.

For questions whose kind of answer is certain (a price, a weight, a span of time), evidence of another kind is no rival.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from assistant.core.types import Evidence
from assistant.reading.fact_finder import ANSWER_THRESHOLD, Fact, FactFinder, fits, measure
from assistant.reading.scoring.conflict_resolution import HEARSAY, values_in
from assistant.text.arithmetic import Measure
from assistant.text.attribute_keys import key_unit, key_words
from assistant.text.english import content_stems, shared, word_set
from assistant.text.values import Quantity, find_dates, find_quantities
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.intent import ParsedQuestion

#: Kinds of figure of which a thing seldom has two.
_FEW = word_set("money speed power energy voltage current charge loudness light frequency data torque pressure")
#: Units that many figures of a thing have; one that is told in another, and asked for in it, is seldom told twice.
_COMMON = word_set(
    "gram kilogram milligram metric_ton ton pound ounce stone millimeter centimeter decimeter meter kilometer "
    "inch foot yard mile nautical_mile milliliter centiliter liter second minute hour day week month year decade "
    "century percent degC degF degree"
)
#: So sure a fact is believed to count what is asked for, whatever it calls it.
_SURE = 0.85
#: Where the subject has no other figure of a kind, this is enough; and where only the unit tells the kind.
ONLY_THRESHOLD, _BY_UNIT_THRESHOLD = 0.04, 0.1
#: Sums of money that are nobody's price.
NO_PRICE = re.compile(
    r"\b(?:face value|nominal|denominations?|postage|prizes?|awards?|endow\w+|insur\w+|budget|deposit|donat\w+|salary|"
    r"fines?|revenues?|turnover)\b",
    re.IGNORECASE,
)
_PRICE = re.compile(r"\b(?:price|cost)\b")
#: Dates of the page, not of the thing.
_OF_PAGE = re.compile(
    r"\b(?:(?:list|page|article|entry|figures?|report|post|review) (?:was |were |is |are )?(?:last |first )?"
    r"(?:checked|updated|reviewed|posted|written|as of|edited)|posted|our reporter|written on)\b",
    re.IGNORECASE,
)
#: Keys that say which one of several a thing is: their figure counts nothing.
_PLACE_KEY = re.compile(r"\b(?:volume|part|number|issue|episode|position|order|edition)$", re.IGNORECASE)


def bare_question(question: str, dimension: str, *about: str) -> ParsedQuestion:
    """A plain question for one figure of a kind, to be reckoned with; all its wordings count."""
    return ParsedQuestion(question, (question, *about), Expected("quantity", frozenset({dimension})), "multiply")


def quantity_fact(
    finder: FactFinder, subject: str, asked: ParsedQuestion, threshold: float = ANSWER_THRESHOLD
) -> Fact | None:
    """The fact that answers, looked for among those with a figure of the kind asked for when there are any."""
    own = [e for e in finder.evidence if (e.subject or "").lower() == subject.lower()]
    fitting = carrying(own, asked)
    if not fitting:
        return finder.fact(subject, asked, threshold)
    among = FactFinder(finder.plan, fitting, finder.encode)
    fact = among.fact(subject, asked, threshold)
    if fact is not None and fact.probability >= ANSWER_THRESHOLD:
        return fact
    return _only_one(among, subject, asked) or fact


def the_only(finder: FactFinder, subject: str, asked: ParsedQuestion) -> Fact | None:
    """What a plain question for a kind of figure of which a thing seldom has two (a price, a speed, a loudness), or for
    one in a rare unit, is answered with where the subject has but one such figure.

    How surely the words of the statement are those of the question counts little then: "I paid 19 euros for mine".
    """
    if asked.operation != "lookup" or not asked.expected.dimensions:
        return None
    if not asked.about and asked.expected.dimensions & {"money", "speed", "power"}:
        return None
    own = [e for e in finder.evidence if (e.subject or "").lower() == subject.lower()]
    fitting = carrying(own, asked)
    return _only_one(FactFinder(finder.plan, fitting, finder.encode), subject, asked) if fitting else None


def _only_one(among: FactFinder, subject: str, asked: ParsedQuestion) -> Fact | None:
    """The one figure of its kind that is known of the subject: its only sum of money is what it costs."""
    dims = asked.expected.dimensions or (asked.scale.dimensions if asked.scale else frozenset())
    if len(dims) != 1 or not (dims <= _FEW or _rare(asked.expected.unit)):
        return None
    standing: Counter[str] = Counter()
    sure = [
        j
        for j in among.judged(subject, asked)
        if not HEARSAY.search(j.evidence.text)
        and (dims <= _FEW or asked.expected.unit in {q.unit for q in find_quantities(_text(j.evidence))})
    ]
    for j in sure:
        for value in values_in(_text(j.evidence), asked):
            standing[value] += 2 if j.evidence.key is not None else 1
    ranked = standing.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] < 3 * ranked[1][1]):
        return None
    least = ONLY_THRESHOLD if asked.about else _BY_UNIT_THRESHOLD
    for j in sure:
        if ranked[0][0] in values_in(_text(j.evidence), asked) and j.probability >= least:
            fact = Fact(subject, j.evidence, max(j.probability, ANSWER_THRESHOLD), asked)
            return fact if fits(fact) else None
    return None


def _rare(unit: str) -> bool:
    return bool(unit) and unit not in _COMMON


def carrying(own: Sequence[Evidence], asked: ParsedQuestion) -> list[Evidence]:
    """Evidence with a figure of the dimensions asked for; none when those are not known or tell nothing apart."""
    dims = asked.expected.dimensions or (asked.scale.dimensions if asked.scale else frozenset())
    if not dims:
        return []
    if dims == {"date"}:
        dated = [e for e in own if find_dates(_text(e))]
        return [e for e in dated if e.key is not None or not _OF_PAGE.search(e.text)] or dated
    if dims <= {"count", ""}:
        return [
            e for e in own if not (_PLACE_KEY.search(key_words(e.key or "")) and re.fullmatch(r"#?\d{1,2}", _text(e)))
        ]
    found = [e for e in own if _dimensions(e) & (dims - {"count", ""})]
    if dims == {"money"} and not NO_PRICE.search(asked.core) and _PRICE.search(" ".join(asked.wordings)):
        return [
            e for e in found if not NO_PRICE.search(f"{key_words(e.key or '')} {e.text.replace('_', ' ')}")
        ] or found
    return found


def _dimensions(e: Evidence) -> set[str]:
    own = {q.dimension for q in find_quantities(_text(e))}
    named = key_unit(e.key) if e.key and own <= {"", "count"} else None  # "dim_h: 8 cm" is no time
    return own | ({named[2]} if named else set())


def _text(e: Evidence) -> str:
    return str(e.value) if e.value is not None else e.text


def wanted_measure(fact: Fact) -> Measure | None:
    """The fact's value as a measure of what was asked, never the amount that it is given for ("of 100 g, 31 g …")."""
    m = measure(fact)
    asked = fact.asked
    dims = (asked.expected.dimensions or (asked.scale.dimensions if asked.scale else frozenset())) - {"date"}
    if m is None or m.quantity is None:
        return m
    alike = [q for q in find_quantities(fact.value) if q.dimension == m.quantity.dimension]
    if len(alike) > 1 and m.quantity.dimension in ("mass", "volume"):
        left = [q for q in alike if not (q.low in (1, 100, 1000) and q.low == q.high)] or alike
        best = max(left, key=lambda q: (_nearness(q, fact), -q.start))
        m = replace(m, stated=best.text, quantity=best)
    loose = frozenset({"count", ""}) if dims & {"money", "count", ""} else frozenset()
    assert m.quantity is not None
    if dims and m.quantity.dimension not in dims | loose:
        return None
    noun, unit = content_stems(asked.expected.noun), content_stems(m.quantity.unit)
    other = noun and m.quantity.dimension == "count" and unit and not shared(noun, unit)
    if other and fact.probability < _SURE:
        return None  # so many of something else, unless it surely answers: "5 seats" for how many people sit in it
    return m


def _nearness(q: Quantity, fact: Fact) -> int:
    """Words of the question that stand right beside the amount."""
    around = fact.value[q.end : q.end + 30] + " " + fact.value[max(0, q.start - 20) : q.start]
    return shared(content_stems(" ".join(fact.asked.wordings)), content_stems(around))
