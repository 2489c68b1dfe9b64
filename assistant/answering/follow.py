"""Judging evidence against a question, and following one relation: which evidence names the thing that is meant.

Shared by retrieval (to fetch what the relation leads to) and the reader (to weigh it), so that both see the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.answering.hops import Hop, hops_of
from assistant.answering.intents import Asked, take_apart
from assistant.answering.keys import labelled_value
from assistant.answering.language import content_stems, shared
from assistant.answering.rank import Encode, attribute_features, probability, sentence_features
from assistant.answering.values import find_dates, find_names, find_quantities, split_list
from assistant.conversation import Evidence

if TYPE_CHECKING:
    from assistant.answering.plan import Plan

LINK_THRESHOLD = 0.5
SENTENCE_LINK = 0.4


@dataclass(frozen=True)
class Judged:
    """Evidence with the probability that it answers the question it was judged against."""

    evidence: Evidence
    probability: float


@dataclass(frozen=True)
class Link:
    """`evidence` says what the hop's phrase stands for (None: the answer before); `targets` are the names it gives."""

    hop: Hop
    evidence: Evidence | None
    targets: tuple[str, ...]
    probability: float


def judge(asked: Asked, evidence: Sequence[Evidence], encode: Encode) -> list[Judged]:
    """Probabilities for attributes and sentences, best first."""
    passages = [e for e in evidence if e.kind == "passage" or (e.kind == "taught" and e.key is None)]
    pairs = [
        (e, (str(e.key), str(e.value))) for e in evidence if e.kind in ("attribute", "taught") and e.key is not None
    ]
    pairs += [(e, pair) for e in passages if (pair := labelled_value(e.text)) is not None]
    names = sorted({e.subject for e in evidence if e.subject})
    found: dict[str, Judged] = {}
    for (e, _), f in zip(pairs, attribute_features(asked, [p for _, p in pairs], encode, names), strict=True):
        found[e.id] = Judged(e, probability(f))
    doubts = {e.id: _doubt(e, asked) for e in passages}
    for group in ([e for e in passages if doubts[e.id] == 1.0], [e for e in passages if doubts[e.id] < 1.0]):
        for e, f in zip(group, sentence_features(asked, [e.text for e in group], names, encode), strict=True):
            if e.id not in found:
                found[e.id] = Judged(e, probability(f, sentence=True) * doubts[e.id])
    for e, (_, value) in pairs:  # "product details: <name>" says nothing of the thing but its name
        if e.subject and value.strip(" .").lower() == e.subject.lower():
            found[e.id] = Judged(e, found[e.id].probability * 0.1)
    out = list(found.values())
    return sorted(out, key=lambda j: (-j.probability, j.evidence.id))


def _doubt(e: Evidence, asked: Asked) -> float:
    """Below 1 for sentences about the page itself or about someone else, or that only say what the subject is."""
    if _ABOUT_PAGE.search(e.text):
        return 0.1
    if asked.expected.kind in ("date", "age") and _DATELINE.match(e.text):
        return 0.3
    if _about_another(e):
        return 0.4
    general = _DEFINES.search(e.text) and len(e.text) < 110 and not _ASKS_KIND.search(asked.core)
    return 0.5 if general else 1.0


_DATELINE = re.compile(r"^(?:[A-Z][\w ]{2,30}, )?(?:\d{1,2}\.? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2},) \d{4}\s?[:–—-]")
_LEADING_NAME = re.compile(r"^((?:[A-Z][\w'’-]+\s+){1,3}[A-Z][\w'’-]+)\s+[a-z]")


def _about_another(e: Evidence) -> bool:
    """ "Anna Bolt lives in Rome." on a book's page is about Anna Bolt, unless it comes back to the book."""
    m = _LEADING_NAME.match(e.text)
    if m is None or not e.subject or re.search(r"\b(?:it|its|this|that)\b", e.text):
        return False
    return not content_stems(m[1]) & content_stems(e.subject) and e.subject.lower() not in e.text.lower()


def follow(plan: Plan, evidence: Sequence[Evidence], encode: Encode) -> list[Link]:
    """Links from the subjects to what a phrase of the question stands for, surest first."""
    own = [e for e in evidence if e.subject in plan.subjects]
    links: list[Link] = []
    named = [e for e in own if _leads_somewhere(e)]
    if not named and not plan.answer_names:
        return []
    kinds = kinds_of(own)
    for hop in hops_of(plan.asked.core, kinds):
        plain_phrase = not re.search(
            r"\b(?:that|which|who|where|it|of|behind|for|in|from)\b", hop.phrase, re.IGNORECASE
        )
        phrase_head = re.match(r"\w+\s+(?:(?:left|right|front|back|same|other|\w+)\s+)?([\w-]+)", hop.phrase)
        own_kind = plain_phrase and shared(content_stems(hop.phrase), kinds) == len(content_stems(hop.phrase))
        first = content_stems(" ".join(hop.phrase.split()[1:2]))
        if own_kind or (first and phrase_head and shared(first, kinds) == len(first)):
            continue  # "the radio": the subject itself
        if plan.answer_names and plain_phrase and re.match(r"(?:that|this|the)\b", hop.phrase, re.IGNORECASE):
            links.append(Link(hop, None, plan.answer_names[:3], 0.75))
        inner = take_apart(hop.inner)
        inner = replace(inner, about=(*inner.about, *_said_otherwise(hop.phrase)))
        stems = frozenset(s for s in content_stems(hop.phrase) if not shared(frozenset({s}), kinds))
        for j in judge(inner, named, encode)[:2]:
            pair = labelled_value(j.evidence.text) if j.evidence.key is None else None
            key = j.evidence.key or (pair[0] if pair else None)
            head = bool(shared(stems, content_stems(key or j.evidence.text)))
            if key is None and not head and _DEFINES.search(j.evidence.text):
                continue
            if key is None:
                sure = not _siblings_only(j.evidence) and j.probability >= (SENTENCE_LINK if head else 0.85)
            else:
                sure = j.probability >= LINK_THRESHOLD * (0.7 if head else 1.0)
            if sure:
                links.append(Link(hop, j.evidence, targets_of(j.evidence), j.probability))
    best: dict[tuple[str, str], Link] = {}
    for link in sorted(links, key=lambda li: -li.probability):
        best.setdefault((link.hop.outer, link.evidence.id if link.evidence else ""), link)
    return list(best.values())[:5]


_ASKS_KIND = re.compile(r"\b(?:kind|sort|type|what (?:is|are|was)|who (?:is|was))\b", re.IGNORECASE)
#: When a page was written, posted or checked is a fact about the page, not about its subject.
_ABOUT_PAGE = re.compile(
    r"^(?:(?:this|the|our|these|that) )?(?:list|page|article|entry|record|figures?|prices?|information|details|data|"
    r"text|post|review|report|listing|comment)s?\b.{0,40}\b(?:checked|updated|reviewed|revised|written|posted|edited|"
    r"verified|as of|last changed)\b|^(?:last )?(?:written|posted|updated|checked|reviewed|revised|edited)\b.{0,20}\d|"
    r"^that is all for\b|^figures as of\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"(?:\b(?:is|was)|,)\s+(?:an?|the|one of the)\s+[\w-]+(?:,?\s+[\w-]+){0,4}\s+(?:known|from|in|of|by)\b"
)


_PLACE_NOUN = re.compile(r"^(?:the|that|its|this) (town|city|village|place|country|region|island)$")
_COMPANY_NOUN = re.compile(
    r"^(?:the|that|its|this) (?:company|firm|business|maker|manufacturer|producer|brand|outfit)"
    r"(?: behind (?:it|this))?$"
)


def _said_otherwise(phrase: str) -> tuple[str, ...]:
    """The phrase as a question of its own: "the firm that makes it" → "who makes it?", "the town it is from" →
    "where …".
    """
    low = phrase.lower()
    if m := re.match(r"^(?:the|an?)\s+[\w-]+(?:\s+[\w-]+)?\s+(?:that|which|who)\s+(.+)$", low):
        return (f"who {m.group(1)}?",)
    if m := re.match(r"^(?:the|an?)\s+[\w-]+(?:\s+[\w-]+)?\s+(?:where\s+)?((?:it|this|these|they)\s+.+)$", low):
        return (f"where {m.group(1)}?",)
    if m := re.match(r"^(?:the|an?)\s+([\w-]+(?:\s+[\w-]+)?)\s+(?:of|behind|for|on|in)\s+(?:it|this|these)\b", low):
        return (f"what is its {m.group(1)}?",)
    if m := _PLACE_NOUN.match(low):
        return (f"which {m.group(1)} does it come from?", f"in which {m.group(1)} is it made?", "where is it set?")
    if _COMPANY_NOUN.match(low):
        return ("who makes it?", "which company makes it?")
    if low.startswith("whoever "):
        return (f"who {low.removeprefix('whoever ')}?",)
    return ()


def kinds_of(own: Sequence[Evidence]) -> frozenset[str]:
    """Words for what the subject is: of its name, and of "<name> is a …"."""
    out: set[str] = set()
    for e in own:
        out |= content_stems(e.subject or "")
        m = re.search(r"\b(?:is|was|,)\s+an?\s+((?:[\w-]+\s*){1,3})", e.text) if e.key is None else None
        if m:
            out |= content_stems(m.group(1))
        if e.key is not None and re.search(r"\b(?:type|kind|category|class)\b", e.key.lower()):
            out |= content_stems(str(e.value))
    return frozenset(out)


def _siblings_only(e: Evidence) -> bool:
    """A sentence that names nothing but things called nearly like its subject leads to a mix-up, not further."""
    own = content_stems(e.subject or "")
    return all(2 * shared(content_stems(t), own) >= len(content_stems(t)) for t in targets_of(e))


def _leads_somewhere(e: Evidence) -> bool:
    return bool(targets_of(e))


def targets_of(e: Evidence) -> tuple[str, ...]:
    """Names in the evidence that could be looked up in turn."""
    pair = labelled_value(e.text) if e.value is None else None
    text = str(e.value) if e.value is not None else (pair[1] if pair else e.text)
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
