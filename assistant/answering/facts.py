"""Finding the one fact that answers a question about a subject, with its probability and its typed value.

Weighs attributes against page sentences, goes one relation further where the question does, and settles
contradictions by date and by source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.answering.compute import Measure
from assistant.answering.follow import Judged, follow, judge, kinds_of, targets_of
from assistant.answering.hops import hops_of
from assistant.answering.intents import Asked, Expected, take_apart
from assistant.answering.keys import key_unit, labelled_value
from assistant.answering.language import content_stems, shared
from assistant.answering.plan import Plan
from assistant.answering.rank import Encode, agreement
from assistant.answering.settle import settle
from assistant.answering.values import DateValue, Quantity, find_dates, find_quantities
from assistant.conversation import Evidence

#: A fact less probable than this is not an answer; set for at most 6 % wrong answers on the hand-written questions.
ANSWER_THRESHOLD = 0.6


#: Kinds of answer that show by themselves whether a value is of that kind.
_TYPED = ("quantity", "count", "date", "age", "clock", "colour")


@dataclass(frozen=True)
class Fact:
    """What the evidence says about `subject`; `through` is the evidence of the relation that was followed."""

    subject: str
    evidence: Evidence
    probability: float
    asked: Asked
    through: Evidence | None = None
    note: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.through.id, self.evidence.id) if self.through else (self.evidence.id,)

    @property
    def key(self) -> str | None:
        """The attribute's key, or the label of a page's line in the manner of a table."""
        pair = labelled_value(self.evidence.text) if self.evidence.key is None else None
        return pair[0] if pair else self.evidence.key

    @property
    def value(self) -> str:
        pair = labelled_value(self.evidence.text) if self.evidence.key is None else None
        if pair:
            return pair[1]
        return str(self.evidence.value) if self.evidence.value is not None else self.evidence.text


class FactFinder:
    """Finds facts for one plan in one set of evidence."""

    def __init__(self, plan: Plan, evidence: Sequence[Evidence], encode: Encode) -> None:
        self.plan = plan
        self.evidence = [e for e in evidence if e.kind in ("attribute", "passage", "taught") and e.id != "group"]
        self.encode = encode

    def judged(self, subject: str, asked: Asked | None = None) -> list[Judged]:
        """Evidence about the subject, most probable answer first."""
        own = [e for e in self.evidence if (e.subject or "").lower() == subject.lower()]
        return judge(asked or self.plan.asked, own, self.encode)

    def fact(self, subject: str, asked: Asked | None = None, threshold: float = ANSWER_THRESHOLD) -> Fact | None:
        """The fact that answers the question for this subject, or None when nothing is sure enough."""
        asked = asked or self.plan.asked
        direct = self.judged(subject, asked)
        via = self._via(subject, asked)
        own = settle(direct, asked, self.plan.today) if direct else None
        best: Fact | None = None
        if own is not None:
            best = Fact(subject, own.evidence, own.probability, asked, note=own.note)
            if not fits(best) or self._speaks_of_another(best):
                best = None
        if via is not None:
            phrase, fact, link_probability, links = via
            if best is not None:
                e = best.evidence
                typed = asked.expected.kind in _TYPED and agreement(asked.expected, best.value, e.key or "") > 0
                if links & set(targets_of(e)) and not typed and not _covers(e, asked):
                    best = None  # it says what the phrase stands for, not what is asked about it
                elif not shared(content_stems(phrase), content_stems(e.key or e.text)):
                    best = replace(best, probability=best.probability * (1 - 0.7 * link_probability))
            if fact is not None and fits(fact) and (best is None or fact.probability >= 0.9 * best.probability):
                best = fact
        return best if best is not None and best.probability >= threshold else None

    def _speaks_of_another(self, fact: Fact) -> bool:
        """ "in that place": the question is about something else unless the fact names it."""
        own = [e for e in self.evidence if (e.subject or "").lower() == fact.subject.lower()]
        known = kinds_of(own)
        for hop in hops_of(fact.asked.core, known):
            clause = re.match(
                r"(?:(?:the|an?)\s+(\w+)\s+(?:that|which|who|where)\b|whoever\b)", hop.phrase, re.IGNORECASE
            )
            if clause:
                head = content_stems(clause.group(1) or "")
                said = content_stems(fact.evidence.key or fact.evidence.text)
                if not shared(head, known) and not shared(head, said):
                    return True
            if (
                re.match(r"that\b(?!\s+\w+s\b\s+(?:it|this))", hop.phrase, re.IGNORECASE)
                and len(hop.phrase.split()) == 2
            ):
                stems = content_stems(hop.phrase)
                if not shared(stems, content_stems(fact.evidence.key or fact.evidence.text)):
                    return True
        return False

    def _via(self, subject: str, asked: Asked) -> tuple[str, Fact | None, float, frozenset[str]] | None:
        """The best fact one relation further; the phrase and the link's probability even when it leads nowhere."""
        plan = replace(self.plan, subjects=(subject,), asked=asked)
        own = [e for e in self.evidence if (e.subject or "").lower() == subject.lower()]
        best: tuple[str, Fact | None, float] | None = None
        found_links = follow(plan, own, self.encode)
        for link in found_links:
            text = " ".join(link.targets).lower()
            there = [
                e
                for e in self.evidence
                if e.subject and e.subject.lower() != subject.lower() and e.subject.lower() in text
            ]
            outer = take_apart(link.hop.outer)
            found = settle(judge(outer, there, self.encode), outer, self.plan.today) if there else None
            fact = None
            if found is not None:
                probability = found.probability * min(1.0, 0.5 + link.probability / 2)
                fact = Fact(
                    found.evidence.subject or subject, found.evidence, probability, outer, link.evidence, found.note
                )
            score = fact.probability if fact else 0.0
            if best is None or score > (best[1].probability if best[1] else 0.0):
                best = (link.hop.phrase, fact, link.probability)
        return (*best, frozenset(t for li in found_links for t in li.targets)) if best else None


def _covers(evidence: Evidence, asked: Asked) -> bool:
    """Whether the evidence speaks of everything in the question, not of the phrase alone."""
    stems = content_stems(asked.core)
    return bool(stems) and shared(stems, content_stems(f"{evidence.key or ''} {evidence.text}")) == len(stems)


def measure(fact: Fact) -> Measure | None:
    """The fact's value as something that can be compared, or None."""
    text, expected = fact.value, fact.asked.expected
    scale = fact.asked.scale
    dims = expected.dimensions or (scale.dimensions if scale else frozenset())
    named = key_unit(fact.key) if fact.key else None
    dates, quantities = find_dates(text), find_quantities(text)
    wants_date = "date" in dims or expected.kind in ("date", "age")
    if wants_date and dates:
        return Measure(fact.subject, dates[0].text, date=_pick_date(dates, fact))
    chosen = pick_quantity(quantities, expected, dims, fact.asked)
    if chosen is not None:
        if named and not chosen.unit:
            chosen = replace(chosen, unit=named[1], dimension=named[2])
        return Measure(fact.subject, chosen.text, quantity=chosen)
    if dates and not quantities:
        return Measure(fact.subject, dates[0].text, date=dates[0])
    return None


def _pick_date(dates: Sequence[DateValue], fact: Fact) -> DateValue:
    stems = content_stems(fact.asked.core)
    text = fact.value

    def near(d: DateValue) -> tuple[int, int]:
        window = text[max(0, d.start - 40) : d.start]
        return (shared(content_stems(window), stems), -d.start)

    return max(dates, key=near)


def pick_quantity(
    quantities: Sequence[Quantity], expected: Expected, dims: frozenset[str], asked: Asked
) -> Quantity | None:
    """The quantity of the kind asked for; with several of a kind the first."""
    if not quantities:
        return None
    if dims - {"date"}:
        fitting = [q for q in quantities if q.dimension in dims]
        if fitting:
            return fitting[0]
        if dims & {"money", "count", ""}:
            loose = [q for q in quantities if q.dimension in ("count", "")]
            return loose[0] if loose else None
        bare = [q for q in quantities if q.dimension == ""]
        return bare[0] if bare else None
    if expected.noun:
        stems = content_stems(expected.noun)
        named = [q for q in quantities if shared(content_stems(q.text), stems)]
        if named:
            return named[0]
    return quantities[0]


def fits(fact: Fact) -> bool:
    """Whether the fact's value can be of the kind that the question asks for; a value may be worded freely, a
    page not.
    """
    floor = -0.5 if fact.key else 0.0
    return agreement(fact.asked.expected, fact.value, fact.key or "") >= floor
