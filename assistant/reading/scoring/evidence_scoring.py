"""Judging evidence against a question: how probably each fact about the subject answers it.

Shared by retrieval (to put the likeliest first) and the reader (to weigh it), so that both see the same. What is one
relation further is judged in `onward`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.logistic import logistic, logit
from assistant.core.types import Evidence
from assistant.reading.makers import asks_maker, bears_its_name, likelier
from assistant.reading.relation_targets import kinds_of
from assistant.reading.scoring.bi_encoder import affinity
from assistant.reading.scoring.cross_encoder import attribute_text, matcher
from assistant.reading.scoring.fact_ranker import RankingFeatures, answer_probability
from assistant.reading.scoring.property_classifier import respects
from assistant.reading.scoring.rank import Encode, agreement, attribute_features, probability, sentence_features
from assistant.reading.scoring.vetoes import relevance_factor
from assistant.text.attribute_keys import labelled_value
from assistant.text.english import mask
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.pointing.phrases import pointing_left_out

#: How many facts the matcher reads for one question.
READ_CLOSELY = 14
#: What a fact outside that short list is worth at most.
_UNREAD = 0.02


@dataclass(frozen=True)
class ScoredEvidence:
    """Evidence with the probability that it answers the question, and that it names what the question is about."""

    evidence: Evidence
    probability: float
    leads_on: float = 0.0


@dataclass(frozen=True)
class EvidenceFeatures:
    """Evidence with everything that is known for and against it."""

    evidence: Evidence
    text: str
    signs: RankingFeatures
    doubt: float
    leads_on: float


def score_evidence(asked: ParsedQuestion, evidence: Sequence[Evidence], encode: Encode) -> list[ScoredEvidence]:
    """Probabilities for attributes and sentences, best first."""
    plain = plainly_judged(asked, evidence, encode)
    close = {c.evidence.id: c for c in consider(asked, plain, encode)}
    for_maker = asks_maker(pointing_left_out(asked.core, kinds_of(evidence)))
    reckons = asked.scale is not None or asked.operation not in ("lookup", "list", "yesno", "identify", "read")
    out = []
    for j, _ in plain:
        c = close.get(j.evidence.id)
        if c is None:
            out.append(ScoredEvidence(j.evidence, min(_UNREAD, j.probability)))
            continue
        found = answer_probability(c.signs, "direct")
        if for_maker and bears_its_name(j.evidence):
            found = likelier(found)
        if reckons:  # the matcher has practised no comparisons and sums: there, words and vectors may be surer
            found = max(found, j.probability)
        out.append(ScoredEvidence(j.evidence, found * c.doubt, c.leads_on))
    return sorted(out, key=lambda j: (-j.probability, j.evidence.id))


def consider(
    asked: ParsedQuestion, plain: Sequence[tuple[ScoredEvidence, tuple[float, float]]], encode: Encode
) -> list[EvidenceFeatures]:
    """Reads the facts that seem nearest closely; `plain` is what `plainly_judged` returns."""
    if not plain:
        return []
    names = sorted({j.evidence.subject for j, _ in plain if j.evidence.subject})
    kinds = kinds_of([j.evidence for j, _ in plain])
    wordings = [list(dict.fromkeys((mask(q, names), pointing_left_out(q, kinds)))) for q in asked_plainly(asked)]
    questions = list(dict.fromkeys(q for wording in wordings for q in wording))
    texts = [said(j.evidence, names) for j, _ in plain]
    vectors = encode([*questions, *texts])
    near = (vectors[len(questions) :] @ vectors[: len(questions)].T).max(axis=1)
    # What a thing is asked and what somebody or a town is asked: the subject may be either.
    respect = np.max([respects(family).agreement(questions, texts, encode) for family in ("thing", "behind")], axis=0)
    affine = affinity().between(questions, texts, encode)
    by_rank = sorted(range(len(plain)), key=lambda i: -plain[i][0].probability)[: READ_CLOSELY - 6]
    by_respect = sorted(range(len(plain)), key=lambda i: -respect[i])[:4]
    by_affinity = sorted(range(len(plain)), key=lambda i: -affine[i])[:5]
    by_cosine = sorted(range(len(plain)), key=lambda i: -near[i])
    chosen = list(dict.fromkeys([*by_affinity, *by_rank, *by_respect, *by_cosine]))[:READ_CLOSELY]
    read = {q: matcher().scores(q, [texts[i] for i in chosen], encode) for q in questions}
    # One wording is one question, however the thing is pointed at; of two wordings the better understood counts.
    scores = np.max([np.mean([read[q] for q in wording], axis=0) for wording in wordings], axis=0)
    out = []
    for n, i in enumerate(chosen):
        j, (noun, conflict) = plain[i]
        e = j.evidence
        value = str(e.value) if e.value is not None else e.text
        signs = RankingFeatures(
            float(scores[n, 0]) / 4,
            logit(j.probability) / 4,
            agreement(asked.expected, value, e.key or ""),
            noun,
            conflict,
            float(e.key is not None),
            respect=float(respect[i]),
            affinity=float(affine[i]),
        )
        out.append(EvidenceFeatures(e, texts[i], signs, relevance_factor(e, asked), logistic(float(scores[n, 1]))))
    return out


def asked_plainly(asked: ParsedQuestion) -> tuple[str, ...]:
    """The question as the matcher knows questions: for one property of one thing, without comparison or sum."""
    if asked.operation in ("lookup", "list", "yesno", "identify", "read", "convert") or not asked.about:
        return (asked.whole or asked.core,)
    return (asked.whole, asked.about[0]) if asked.whole else asked.about[:2]


def said(e: Evidence, names: Sequence[str]) -> str:
    """Evidence as the matcher reads it, the subject's names masked."""
    if e.key is not None:
        return mask(attribute_text(e.key, str(e.value)), names)
    return mask(e.text, names)[:400]


def plainly_judged(
    asked: ParsedQuestion, evidence: Sequence[Evidence], encode: Encode
) -> list[tuple[ScoredEvidence, tuple[float, float]]]:
    """What sentence vectors and words in common say of each fact, with its noun match and its conflict of scales."""
    passages = [e for e in evidence if e.kind == "passage" or (e.kind == "taught" and e.key is None)]
    pairs = [
        (e, (str(e.key), str(e.value))) for e in evidence if e.kind in ("attribute", "taught") and e.key is not None
    ]
    pairs += [(e, pair) for e in passages if (pair := labelled_value(e.text)) is not None]
    names = sorted({e.subject for e in evidence if e.subject})
    found: dict[str, tuple[ScoredEvidence, tuple[float, float]]] = {}
    for (e, (_, value)), f in zip(pairs, attribute_features(asked, [p for _, p in pairs], encode, names), strict=True):
        # "product details: <name>" says nothing of the thing but its name
        own_name = e.subject is not None and value.strip(" .").lower() == e.subject.lower()
        found[e.id] = ScoredEvidence(e, probability(f) * (0.1 if own_name else 1.0)), (f.noun, f.conflict)
    rest = [e for e in passages if e.id not in found]
    for e, f in zip(rest, sentence_features(asked, [e.text for e in rest], names, encode), strict=True):
        found[e.id] = ScoredEvidence(e, probability(f, sentence=True)), (f.noun, 0.0)
    return list(found.values())
