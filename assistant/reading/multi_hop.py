"""Going one relation further: which fact names the thing that is meant, and what is known of that thing.

"Where was its author born?" is about the author, whom a fact about the book names. One step only. Shared by retrieval
(to fetch what a relation leads to) and the reader (to weigh it), so that both see the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.logistic import logistic, logit
from assistant.core.types import Evidence
from assistant.reading.makers import bears_its_name, likelier, speak_of_maker
from assistant.reading.relation_targets import kinds_of, lists_siblings, named_as_place, targets_of
from assistant.reading.scoring.bi_encoder import affinity
from assistant.reading.scoring.cross_encoder import attribute_text, chain_text, matcher
from assistant.reading.scoring.evidence_scoring import EvidenceFeatures, ScoredEvidence, said, score_evidence
from assistant.reading.scoring.fact_ranker import LinkSigns, RankingFeatures, answer_probability, linked
from assistant.reading.scoring.property_classifier import respects
from assistant.reading.scoring.rank import Encode, agreement
from assistant.reading.scoring.vetoes import (
    ABOUT_PAGE,
    ASKS_GROUP,
    DATELINE,
    DEFINES,
    MEMBERS,
    SHORT,
    of_a_group,
    relevance_factor,
)
from assistant.text.english import content_stems, mask, shared
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.pointing.phrases import ONE, PLACED, pointing_left_out
from assistant.understanding.relation_phrases import measures_the_thing, split_hops
from assistant.understanding.roles import (
    Role,
    SentencesAbout,
    by_role,
    is_somebody_or_firm,
    not_in_places,
    role_asked,
    role_of,
)

if TYPE_CHECKING:
    from assistant.understanding.plan import Plan

#: Evidence less likely than this to name what the question is about is not followed.
LINK_THRESHOLD = 0.2
MAX_LINKS = 3
#: How many facts the matcher reads about each thing that a relation leads to.
READ_ONWARD = 8
#: How surely the answer before is what "that town" stands for.
_ANSWER_LINK = 0.75
#: How many phrases of a question are tried as the one that stands for another thing.
_PHRASES = 5


@dataclass(frozen=True)
class HopCandidate:
    """`evidence` says what the question is about (None: the answer before did); `targets` are the names it gives."""

    evidence: Evidence | None
    targets: tuple[str, ...]
    probability: float
    text: str


def follow_relations(
    plan: Plan, evidence: Sequence[Evidence], encode: Encode, told: SentencesAbout | None = None
) -> list[HopCandidate]:
    """What the question may be about instead of its subject, surest first.

    `told` gives what is known of a name; left out, that is what the evidence says of it.
    """
    own = [e for e in evidence if e.subject in plan.subjects]
    names = sorted({e.subject for e in own if e.subject})
    # Read apart from the rest, of which many may seem nearer to a question that is about something else.
    leading = [e for e in own if targets_of(e) and not _leads_astray(e, plan.asked)]
    judged = [j for j in score_evidence(plan.asked, leading, encode) if j.leads_on > 0]
    signs = link_signs(plan.asked, judged, names, encode, own)
    surely = [linked(s) for s in signs] if signs else [j.leads_on for j in judged]
    phrases = _phrases(plan.asked, own) if judged else []
    if speak_of_maker(phrases):
        surely = [likelier(p) if bears_its_name(j.evidence) else p for j, p in zip(judged, surely, strict=True)]
    role = role_asked(phrases)
    if role in ("person", "firm") or any(is_somebody_or_firm(p) for p in phrases[:1]):
        surely = [p * _NO_PLACE if named_as_place(j.evidence) else p for j, p in zip(judged, surely, strict=True)]
    of_name = told or (lambda name: [e.text for e in evidence if (e.subject or "").lower() == name.lower()])
    if role is not None:
        told = of_name
        surely = by_role(role, [targets_of(j.evidence)[0] for j in judged], surely, told)
    elif phrases and phrases[0].lower().startswith("whoever "):
        surely = not_in_places([targets_of(j.evidence)[0] for j in judged], surely, of_name)
    if role is None and measures_the_thing(plan.asked.core):
        surely = [0.0 for _ in surely]
    found = [
        HopCandidate(j.evidence, targets_of(j.evidence), p, said(j.evidence, names))
        for j, p in zip(judged, surely, strict=True)
        if p >= LINK_THRESHOLD
    ]
    found += _asked_for_before(plan, judged, names, encode)
    if told is not None and role is not None and _THAT_ONE.match(phrases[0] if phrases else ""):
        found = _meant_before(plan, found, role, told)
    found.sort(key=lambda li: -li.probability)
    surest = {li.targets[0].lower(): li for li in reversed(found)}  # one a target, however often it is named
    links = sorted(surest.values(), key=lambda li: -li.probability)[:MAX_LINKS]
    goes_on = _may_go_on(plan.asked.core, kinds_of(own))
    if plan.answer_names and plan.previous is not None and goes_on:
        before = plan.previous.answer.words if plan.previous.answer.sentences else ""
        said_before = {name.lower() for name in plan.answer_names}
        links = [_surer(li) if li.targets[0].lower() in said_before else li for li in links]
        links.insert(0, HopCandidate(None, plan.answer_names[:3], _ANSWER_LINK, mask(before, names)[:160]))
    return links


def _surer(link: HopCandidate) -> HopCandidate:
    """What a fact names and the answer before has named as well."""
    return replace(link, probability=1.0 - (1.0 - link.probability) * (1.0 - _ANSWER_LINK))


#: "that firm" where the answer before was about one.
_THAT_ONE = re.compile(r"(?:that|this|the said|the same) \w+$", re.IGNORECASE)


def _meant_before(plan: Plan, found: Sequence[HopCandidate], role: Role, told: SentencesAbout) -> list[HopCandidate]:
    """The links, but none to other names where the answer before named just such a firm, town or person."""
    before = {n.lower() for n in plan.answer_names if role_of(told(n)) == role}
    return [li for li in found if not before or any(t.lower() in before for t in li.targets)]


#: What is left of a relation where the question speaks of the other one: from where it sets out, not where it goes.
_NO_PLACE = 0.2
#: What may stand for something that the answer before named.
_PRONOUN = re.compile(
    r"\b(?:he|she|him|her|hers|his|they|them|theirs?|there|it|its|one)\b"
    r"|\b(?:that|this|the) (?:person|man|woman|guy|lady|firm|company|business|town|city|village|place|cook|athlete|"
    r"[a-z]+(?:er|or|ist|ian))\b",
    re.IGNORECASE,
)
#: "on the way", "at the moment" speak of nothing that was named.
_DEFINITE = re.compile(
    r"\b(?:the|that|this|these|those|said|same) "
    r"(?!(?:ways?|moment|time|end|start|beginning|meantime|mornings?|afternoons?|evenings?|nights?|days?|weeks?|"
    r"months?|"
    r"years?|world|whole|least|most|more|same|other|rest|number|amount|total)\b)[a-z]{3,}",
    re.IGNORECASE,
)


def _may_go_on(core: str, kinds: frozenset[str]) -> bool:
    """Whether a question may be about what the answer before named: not when all that it points at is the thing itself
    ("how many neighbours are named for the plant?").
    """
    rest = pointing_left_out(core, kinds)
    return rest == core or _PRONOUN.search(core) is not None or _DEFINITE.search(rest) is not None


def _asked_for_before(
    plan: Plan, named: Sequence[ScoredEvidence], names: Sequence[str], encode: Encode
) -> list[HopCandidate]:
    """What the question before asked for and nothing surely answered: "who discovered it?", then "where was that
    scientist born?". A fact that may well name it is followed.
    """
    if not plan.asked_before or not named:
        return []
    texts = [said(j.evidence, names) for j in named]
    scores = matcher().scores(plan.asked_before, texts, encode).max(axis=1)
    return [
        HopCandidate(j.evidence, targets_of(j.evidence), p, text)
        for j, text, score in zip(named, texts, scores, strict=True)
        if (p := logistic(float(score))) >= LINK_THRESHOLD
    ]


def link_signs(
    asked: ParsedQuestion,
    named: Sequence[ScoredEvidence],
    names: Sequence[str],
    encode: Encode,
    own: Sequence[Evidence],
) -> list[LinkSigns] | None:
    """What speaks for each of the facts naming the thing that the question is about; None when no phrase of the
    question can stand for another thing.

    Two readings of one model: of the whole question ("where was its author born": does this fact lead on?) and of each
    phrase in it that may stand for another thing ("who is its author?": does this fact say so?). `own` is all that is
    known of the thing: it says what kind of thing that is, which is no phrase for another.
    """
    kinds = kinds_of(own)
    hops = split_hops(pointing_left_out(asked.core, kinds), kinds, _PHRASES)
    if not hops or not named:
        return None
    texts = [said(j.evidence, names) for j in named]
    says = np.max([matcher().scores(hop.inner, texts, encode)[:, 0] for hop in hops], axis=0)
    bare = [mask(t, targets_of(j.evidence)) for t, j in zip(texts, named, strict=True)]
    alike = np.max([respects("relation").agreement([hop.inner], bare, encode) for hop in hops], axis=0)
    near = np.max([affinity().between([hop.inner], bare, encode) for hop in hops], axis=0)
    return [
        LinkSigns(logit(j.leads_on) / 4, float(s) / 4, float(a), float(n))
        for j, s, a, n in zip(named, says, alike, near, strict=True)
    ]


def _phrases(asked: ParsedQuestion, own: Sequence[Evidence]) -> list[str]:
    """The phrases of the question that may stand for another thing."""
    kinds = kinds_of(own)
    return [h.phrase for h in split_hops(pointing_left_out(asked.core, kinds), kinds, _PHRASES)]


def _leads_astray(e: Evidence, asked: ParsedQuestion) -> bool:
    """What only says of what sort the subject is, or where and when a page was written, names nothing to follow; nor
    does a list of siblings or the group they form, unless the question speaks of groups.
    """
    if lists_siblings(e) or MEMBERS.search(e.text) or ABOUT_PAGE.search(e.text) or DATELINE.match(e.text):
        return True
    if of_a_group(e) and not ASKS_GROUP.search(asked.core):
        return True
    defines = DEFINES.search(e.text) if e.key is None and len(e.text) < SHORT else None
    # "It is the badge of Ede" leads on where the question speaks of badges ("the town with this for its badge").
    return defines is not None and not (
        _IS_THE.match(e.text) and shared(content_stems(defines[0]), content_stems(asked.core))
    )


_IS_THE = re.compile(r"(?:it|this|that) (?:is|was) the \w+ of\b", re.IGNORECASE)


def judge_onward(
    asked: ParsedQuestion, link: HopCandidate, there: Sequence[Evidence], encode: Encode
) -> list[ScoredEvidence]:
    """Evidence about what the link leads to, as answers to the question; best first."""
    close = consider_onward(asked, link, there, encode)
    out = [ScoredEvidence(c.evidence, answer_probability(c.signs, "chain") * c.doubt) for c in close]
    return sorted(out, key=lambda j: (-j.probability, j.evidence.id))


def consider_onward(
    asked: ParsedQuestion, link: HopCandidate, there: Sequence[Evidence], encode: Encode
) -> list[EvidenceFeatures]:
    """Reads the facts nearest to the question closely, each in a row with the link."""
    facts = [(e, onward_text(e)) for e in there if not ABOUT_PAGE.search(e.text)]
    if not facts:
        return []
    subject = link.evidence.subject if link.evidence is not None else None
    question = ONE.sub("it", PLACED.sub("it", mask(asked.core, [subject] if subject else [])))
    role = role_of([t for _, t in facts])
    outer = _outer_question(question, link, encode, role)
    vectors = encode([question, outer or question, *(t for _, t in facts)])
    nearest = np.argsort(-(vectors[2:] @ vectors[:2].T).max(axis=1), kind="stable")
    plain = [said(e, [e.subject or ""]) for e, _ in facts]
    of = f"{ {'place': 'town'}.get(role, role) }:" if role else ""
    respect = respects("behind").agreement([outer or question], plain, encode, of)
    affine = affinity().between([outer or question], plain, encode)
    likeliest = np.argsort(-respect, kind="stable")[: READ_ONWARD // 2]
    affinest = np.argsort(-affine, kind="stable")[: READ_ONWARD // 2]
    near = list(dict.fromkeys([*affinest, *likeliest, *nearest]))[:READ_ONWARD]
    texts = [chain_text(link.text, facts[i][1]) for i in near]
    scores = matcher().scores(question, texts, encode)
    alone = scores
    if outer is not None:
        alone = matcher().scores(outer, [plain[i] for i in near], encode)
    out = []
    for n, i in enumerate(near):
        e = facts[i][0]
        value = str(e.value) if e.value is not None else e.text
        signs = RankingFeatures(
            float(scores[n, 0]) / 4,
            logit(link.probability) / 4,
            agreement(asked.expected, value, e.key or ""),
            stated=float(e.key is not None),
            alone=float(alone[n, 0]) / 4,
            both=logit(link.probability * logistic(float(alone[n, 0]))) / 4,
            respect=float(respect[i]),
            affinity=float(affine[i]),
        )
        out.append(EvidenceFeatures(e, texts[n], signs, relevance_factor(e, asked), 0.0))
    return out


def _outer_question(question: str, link: HopCandidate, encode: Encode, role: Role | None = None) -> str | None:
    """What is asked of the thing that the link leads to: of "where was its author born" "where was it born?".

    The phrase taken out is the one that the link answers best, among those that speak of what the link leads to
    (`role`) if there are any; None when the question has no such phrase.
    """
    hops = split_hops(question, limit=_PHRASES)
    hops = tuple(h for h in hops if role is not None and role_asked([h.phrase]) == role) or hops
    if not hops:
        return None
    answers = [float(matcher().scores(hop.inner, [link.text], encode)[0, 0]) for hop in hops]
    return hops[int(np.argmax(answers))].outer


def onward_text(e: Evidence) -> str:
    """Evidence about something else than the subject: its name stays."""
    if e.key is not None:
        return f"{e.subject}, {attribute_text(e.key, str(e.value))}"
    return e.text[:400]
