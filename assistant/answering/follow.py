"""Judging evidence against a question, and following one relation: which evidence names the thing that is meant.

Shared by retrieval (to fetch what the relation leads to) and the reader (to weigh it), so that both see the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.answering.hops import Hop, hops_of
from assistant.answering.intents import Asked, take_apart
from assistant.answering.language import content_stems, shared
from assistant.answering.rank import Encode, attribute_features, probability, sentence_features
from assistant.answering.values import find_dates, find_names, find_quantities, split_list
from assistant.conversation import Evidence

if TYPE_CHECKING:
    from assistant.answering.plan import Plan

LINK_THRESHOLD = 0.5


@dataclass(frozen=True)
class Judged:
    """Evidence with the probability that it answers the question it was judged against."""

    evidence: Evidence
    probability: float


@dataclass(frozen=True)
class Link:
    """`evidence` says what the hop's phrase stands for; `targets` are the names it gives."""

    hop: Hop
    evidence: Evidence
    targets: tuple[str, ...]
    probability: float


def judge(asked: Asked, evidence: Sequence[Evidence], encode: Encode) -> list[Judged]:
    """Probabilities for attributes and sentences, best first."""
    attributes = [e for e in evidence if e.kind in ("attribute", "taught") and e.key is not None]
    passages = [e for e in evidence if e.kind == "passage" or (e.kind == "taught" and e.key is None)]
    subjects = sorted({e.subject for e in evidence if e.subject})
    out = [
        Judged(e, probability(f))
        for e, f in zip(
            attributes, attribute_features(asked, [(str(e.key), str(e.value)) for e in attributes], encode), strict=True
        )
    ]
    names = sorted({e.subject for e in passages if e.subject})
    out += [
        Judged(e, probability(f, sentence=True))
        for e, f in zip(passages, sentence_features(asked, [e.text for e in passages], names, encode), strict=True)
    ]
    return sorted(out, key=lambda j: (-j.probability, j.evidence.id))


def follow(plan: Plan, evidence: Sequence[Evidence], encode: Encode) -> list[Link]:
    """Links from the subjects to what a phrase of the question stands for, surest first."""
    own = [e for e in evidence if e.subject in plan.subjects]
    links: list[Link] = []
    named = [e for e in own if _leads_somewhere(e)]
    if not named:
        return []
    for hop in hops_of(plan.asked.core):
        inner = take_apart(hop.inner)
        stems = content_stems(hop.phrase)
        for j in judge(inner, named, encode)[:2]:
            head = shared(stems, content_stems(j.evidence.key or j.evidence.text))
            if j.probability >= LINK_THRESHOLD or (head and j.probability >= LINK_THRESHOLD * 0.7):
                links.append(Link(hop, j.evidence, targets_of(j.evidence), j.probability))
    best: dict[tuple[str, str], Link] = {}
    for link in sorted(links, key=lambda li: -li.probability):
        best.setdefault((link.hop.outer, link.evidence.id), link)
    return list(best.values())[:4]


def _leads_somewhere(e: Evidence) -> bool:
    return bool(targets_of(e))


def targets_of(e: Evidence) -> tuple[str, ...]:
    """Names in the evidence that could be looked up in turn."""
    text = str(e.value) if e.value is not None else e.text
    if e.value is not None and (find_quantities(text) or (find_dates(text) and not re.search(r"[A-Za-z]{4}", text))):
        return ()
    if e.subject:
        text = re.sub(re.escape(e.subject), " ", text, flags=re.IGNORECASE)
    names = [n for n in find_names(text) if len(n) > 2]
    if e.value is not None and len(text) <= 60:
        parts = split_list(text)
        whole = [text] if names and names[0] != text else []
        return tuple(
            dict.fromkeys([*(names[:1] if names else []), *whole, *(p for p in parts if p[:1].isupper()), *names])
        )
    return tuple(dict.fromkeys(names))
