"""Figures of a known kind: the fact that carries one, and which of its figures counts.

For questions whose kind of answer is certain (a price, a weight, a span of time), evidence of another kind is no rival.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.answering.compute import Measure
from assistant.answering.expected import Expected
from assistant.answering.facts import ANSWER_THRESHOLD, Fact, FactFinder, measure
from assistant.answering.intents import Asked
from assistant.answering.keys import key_unit, key_words
from assistant.answering.language import content_stems, shared
from assistant.answering.values import Quantity, find_dates, find_quantities
from assistant.conversation import Evidence

#: Keys that say which one of several a thing is: their figure counts nothing.
_PLACE_KEY = re.compile(r"\b(?:volume|part|number|issue|episode|position|order|edition)$", re.IGNORECASE)


def bare_question(question: str, dimension: str, *about: str) -> Asked:
    """A plain question for one figure of a kind."""
    return Asked(question, about, Expected("quantity", frozenset({dimension})), "lookup")


def fact_of(finder: FactFinder, subject: str, asked: Asked, threshold: float = ANSWER_THRESHOLD) -> Fact | None:
    """The fact that answers, looked for among those with a figure of the kind asked for when there are any."""
    own = [e for e in finder.evidence if (e.subject or "").lower() == subject.lower()]
    fitting = carrying(own, asked)
    if not fitting:
        return finder.fact(subject, asked, threshold)
    return FactFinder(finder.plan, fitting, finder.encode).fact(subject, asked, threshold)


def carrying(own: Sequence[Evidence], asked: Asked) -> list[Evidence]:
    """Evidence with a figure of the dimensions asked for; none when those are not known or tell nothing apart."""
    dims = asked.expected.dimensions or (asked.scale.dimensions if asked.scale else frozenset())
    if not dims:
        return []
    if dims == {"date"}:
        return [e for e in own if find_dates(_text(e))]
    if dims <= {"count", ""}:
        return [
            e for e in own if not (_PLACE_KEY.search(key_words(e.key or "")) and re.fullmatch(r"#?\d{1,2}", _text(e)))
        ]
    return [e for e in own if _dimensions(e) & (dims - {"count", ""})]


def _dimensions(e: Evidence) -> set[str]:
    named = key_unit(e.key) if e.key else None
    return {q.dimension for q in find_quantities(_text(e))} | ({named[2]} if named else set())


def _text(e: Evidence) -> str:
    return str(e.value) if e.value is not None else e.text


def measured(fact: Fact) -> Measure | None:
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
    if noun and m.quantity.dimension == "count" and unit and not shared(noun, unit):
        return None  # so many of something else
    return m


def _nearness(q: Quantity, fact: Fact) -> int:
    """Words of the question that stand right beside the amount."""
    around = fact.value[q.end : q.end + 30] + " " + fact.value[max(0, q.start - 20) : q.start]
    return shared(content_stems(" ".join(fact.asked.wordings)), content_stems(around))
