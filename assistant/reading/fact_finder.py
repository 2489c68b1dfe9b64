"""Finding the one fact that answers a question about a subject, with its probability and its typed value.

Weighs attributes against page sentences, goes one relation further where the question does, and settles
contradictions by date and by source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.core.types import Evidence
from assistant.reading.makers import asks_maker
from assistant.reading.multi_hop import HopCandidate, follow_relations, judge_onward
from assistant.reading.relation_targets import asks_kind, kinds_of, sorts_a_sign
from assistant.reading.scoring.cases import of_another_case
from assistant.reading.scoring.conflict_resolution import rival_of, settle
from assistant.reading.scoring.evidence_scoring import ScoredEvidence, score_evidence
from assistant.reading.scoring.fact_ranker import decided, led_to, meant_alone
from assistant.reading.scoring.rank import Encode, agreement
from assistant.reading.scoring.vetoes import told_by
from assistant.text.arithmetic import Measure
from assistant.text.attribute_keys import key_unit, labelled_value
from assistant.text.english import content_stems, shared
from assistant.text.values import DateValue, Quantity, find_dates, find_quantities
from assistant.understanding.expected_answer import wants_named
from assistant.understanding.intent import Expected, ParsedQuestion
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.phrases import pointing_left_out

#: How much of the thresholds is enough where the evidence is known to hold the answer: much of the doubt is whether it
#: is told at all. On a world read while mending (124), 53 of 75 were right with it and 49 without, 3 and 2 wrong.
VOUCHED = 0.4
#: Questions for one thing that is stated; where more is reckoned, several facts stand side by side.
PLAIN = frozenset({"lookup", "list", "yesno", "convert"})
#: A fact to be reckoned with is not used when it is less probable than this; picked on worlds of calibration seeds (110
#: and 113).
ANSWER_THRESHOLD = 0.4
#: A fact that is the answer is not said when it is less probable than this, beside its best rival: a wrong answer costs
#: what a right one brings.
DECISION_THRESHOLD = 0.5


@dataclass(frozen=True)
class Fact:
    """What the evidence says about `subject`; `through` is the evidence of the relation that was followed."""

    subject: str
    evidence: Evidence
    probability: float
    asked: ParsedQuestion
    through: Evidence | None = None
    note: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.through.id, self.evidence.id) if self.through else (self.evidence.id,)

    @property
    def key(self) -> str | None:
        return stated_key(self.evidence)

    @property
    def value(self) -> str:
        pair = labelled_value(self.evidence.text) if self.evidence.key is None else None
        if pair:
            return pair[1]
        return str(self.evidence.value) if self.evidence.value is not None else self.evidence.text


def stated_key(e: Evidence) -> str | None:
    """The attribute's key, or the label of a page's line in the manner of a table."""
    pair = labelled_value(e.text) if e.key is None else None
    return pair[0] if pair else e.key


class FactFinder:
    """Finds facts for one plan in one set of evidence."""

    def __init__(self, plan: Plan, evidence: Sequence[Evidence], encode: Encode) -> None:
        self.plan = plan
        self.evidence = [e for e in evidence if e.kind in ("attribute", "passage", "taught") and e.id != "group"]
        self.encode = encode

    def judged(self, subject: str, asked: ParsedQuestion | None = None) -> list[ScoredEvidence]:
        """Evidence about the subject, most probable answer first."""
        asked = asked or self.plan.asked
        spoken = f"{asked.core} ; {self.plan.asked.core}"
        own = [e for e in self.evidence if (e.subject or "").lower() == subject.lower()]
        own = [e for e in own if not of_another_case(spoken, told_by(e))]
        if not asks_kind(asked.core):
            own = [e for e in own if not sorts_a_sign(e)]
        return score_evidence(asked, own, self.encode)

    def fact(self, subject: str, asked: ParsedQuestion | None = None, threshold: float | None = None) -> Fact | None:
        """The fact that answers the question for this subject, or None when nothing is sure enough: by default as sure
        as an answer must be (`DECISION_THRESHOLD`), or what is to be reckoned with (`ANSWER_THRESHOLD`).
        """
        asked = asked or self.plan.asked
        if threshold is None:
            threshold = DECISION_THRESHOLD if asked.operation in PLAIN else ANSWER_THRESHOLD
            threshold *= VOUCHED if self.plan.vouched else 1.0
        plan = replace(self.plan, subjects=(subject,), asked=asked)
        links = follow_relations(plan, self.evidence, self.encode)
        named = {li.evidence.id: li.probability for li in links if li.evidence is not None}
        # A fact that names what the question is about does not answer it, but where it is to be named.
        judged = self.judged(subject, asked)
        kinds = kinds_of([j.evidence for j in judged])
        to_name = wants_named(asked.core) or asks_maker(pointing_left_out(asked.core, kinds))
        about = {} if to_name else named
        own = [replace(j, probability=j.probability * (1 - about.get(j.evidence.id, 0.0))) for j in judged]
        own.sort(key=lambda j: (-j.probability, j.evidence.id))
        direct = settle(own, asked, self.plan.today, self.encode)
        found = [Fact(subject, direct.evidence, direct.probability, asked, note=direct.note)] if direct else []
        onward, behind = self._onward(subject, asked, links)
        fitting = [f for f in [*found, *onward] if fits(f)]
        if asked.operation in PLAIN:
            rivals = sorted([*own, *behind], key=lambda j: (-j.probability, j.evidence.id))
            meant = meant_alone(named)
            fitting = [
                replace(f, probability=led_to(sure, meant.get(f.through.id, 1.0)) if f.through is not None else sure)
                for f in fitting
                for sure in (decided(f.probability, rival_of(f.evidence, rivals, asked, self.encode)),)
            ]
        best = max(fitting, key=lambda f: f.probability, default=None)
        return best if best is not None and best.probability >= threshold else None

    def fact_behind(self, subject: str, asked: ParsedQuestion, threshold: float) -> Fact | None:
        """The fact that answers about what the subject leads to, never one about the subject itself."""
        links = follow_relations(replace(self.plan, subjects=(subject,), asked=asked), self.evidence, self.encode)
        found, _ = self._onward(subject, asked, links)
        best = max((f for f in found if fits(f)), key=lambda f: f.probability, default=None)
        return best if best is not None and best.probability >= threshold else None

    def _onward(
        self, subject: str, asked: ParsedQuestion, links: Sequence[HopCandidate]
    ) -> tuple[list[Fact], list[ScoredEvidence]]:
        """The best fact behind each relation that the question may speak of, and all that were judged."""
        out: list[Fact] = []
        behind: list[ScoredEvidence] = []
        for link in links:
            text = " ".join(link.targets).lower()
            there = [
                e
                for e in self.evidence
                if e.subject and e.subject.lower() != subject.lower() and e.subject.lower() in text
            ]
            judged = judge_onward(asked, link, there, self.encode)
            behind += judged
            found = settle(judged, asked, self.plan.today, self.encode)
            if found is not None:
                name = found.evidence.subject or subject
                out.append(Fact(name, found.evidence, found.probability, asked, link.evidence, found.note))
        return out, behind


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
    quantities: Sequence[Quantity], expected: Expected, dims: frozenset[str], asked: ParsedQuestion
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
