"""Names that stand on the frame and lead further: "how many people live in the town on this card?".

A name read on the frame counts only when a page is about it and says that it is what the question calls it (a town, a
firm). Pages are data: what they say is compared and quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.core.types import Evidence
from assistant.reading.fact_finder import ANSWER_THRESHOLD, Fact, fits
from assistant.reading.relation_targets import kinds_of
from assistant.reading.scoring.conflict_resolution import settle
from assistant.reading.scoring.evidence_scoring import score_evidence
from assistant.reading.scoring.rank import Encode
from assistant.text.english import content_stems, shared
from assistant.text.values import find_names
from assistant.understanding.intent import parse_clause
from assistant.understanding.relation_phrases import split_hops
from assistant.understanding.roles import role_asked, role_of

if TYPE_CHECKING:
    from assistant.understanding.plan import Plan

#: Evidence about a name on the frame is marked by this in its id.
MARK = "seen"
MAX_NAMES = 8
_POINTS_AT_FRAME = re.compile(
    r"\b(?:on|in|at|by) (?:this|it|that|the \w+|here)\b|\b(?:named|given|printed|mentioned|shown|written|"
    r"listed)\b|\bwhere is (?:this|it|that)\b"
    r"|\b(?:what|which) (?:town|city|village|place|country|region)\b",
    re.IGNORECASE,
)


_POINTS_PLAINLY = re.compile(
    r"\bon (?:this|it|that|the \w+|here)\b|\b(?:named|printed|mentioned|written) (?:on|here|there)\b|\bgiven here\b",
    re.IGNORECASE,
)


#: "the town on the sign", "the village that is named on it"
_NAMED_THERE = re.compile(
    r"(?:what(?:['’]s| is)(?: the name of)? |name |tell me )?the "
    r"(?P<noun>town|city|village|country|region|island|river) "
    r"(?:(?:that |which )?(?:is |stands )?(?:named |given |printed |mentioned |written |shown )?)?"
    r"(?:on (?:it|here|(?:this|that|the) \w+)|here|there)\W*$",
    re.IGNORECASE,
)


def points_at_frame(core: str, recognised: bool) -> bool:
    """Whether the question may mean a name that is written on what is in view; a recognised thing wants it said."""
    return bool((_POINTS_PLAINLY if recognised else _POINTS_AT_FRAME).search(core))


def names_on_frame(evidence: Sequence[Evidence]) -> list[str]:
    """Names in the lines of the frame, whole ones before their words."""
    lines = [e.text for e in evidence if e.kind == "text"]
    whole = [n for line in lines for part in re.split(r"\s*[,;|•]\s*", line) for n in find_names(part)]
    words = [w for n in whole for w in n.split() if len(w) >= 5 and w[:1].isupper()]
    found = [n if not n.isupper() else n.title() for n in (*whole, *words)]
    return [n for n in dict.fromkeys(found) if len(n) >= 4][: 3 * MAX_NAMES]


def _groups(evidence: Sequence[Evidence]) -> dict[str, list[Evidence]]:
    out: dict[str, list[Evidence]] = {}
    for e in evidence:
        if re.match(rf"(?:attr|page){MARK}", e.id) and e.subject:
            out.setdefault(e.subject, []).append(e)
    return out


def _kinds(name: str, own: Sequence[Evidence]) -> frozenset[str]:
    return frozenset(kinds_of(own) - content_stems(name))


def _line_with(name: str, evidence: Sequence[Evidence]) -> Evidence | None:
    return next((e for e in evidence if e.kind == "text" and name.lower() in e.text.lower()), None)


def _is_so(phrase: str, own: Sequence[Evidence]) -> bool:
    """Whether what is told of the name makes it what the phrase speaks of: a place, a firm, somebody."""
    role = role_asked([phrase])
    return role is not None and role_of([e.text for e in own]) == role


def fact_through_frame(plan: Plan, evidence: Sequence[Evidence], encode: Encode) -> Fact | None:
    """The property of a thing whose name stands on the frame, when the question speaks of it by its kind."""
    best: Fact | None = None
    groups = _groups(evidence)
    for hop in split_hops(plan.asked.core) if groups else ():
        stems = content_stems(hop.phrase)
        for name, own in groups.items():
            line = _line_with(name, evidence)
            if line is None or not (shared(stems, _kinds(name, own)) or _is_so(hop.phrase, own)):
                continue
            outer = parse_clause(hop.outer)
            found = settle(score_evidence(outer, own, encode), outer, plan.today, encode)
            if found is None or found.probability < ANSWER_THRESHOLD:
                continue
            fact = Fact(name, found.evidence, found.probability, outer, line, found.note)
            if fits(fact) and (best is None or fact.probability > best.probability):
                best = fact
    return best


def named_kind(plan: Plan, evidence: Sequence[Evidence]) -> tuple[str, tuple[str, ...]] | None:
    """ "which town is this in?": the one name on the frame that a page calls a town."""
    m = re.search(
        r"\b(?:what|which)\s+(?:\w+\s+)??(\w+)\s+(?:is|are|was|does|do|stands?|\?|$)|\b(?:what|which)\s+(\w+)\s*\??$",
        plan.asked.core.lower(),
    )
    placed = _NAMED_THERE.match(plan.asked.core)
    noun = (m.group(1) or m.group(2)) if m else (placed["noun"].lower() if placed else "")
    if not noun:
        return None
    fitting = []
    for name, own in _groups(evidence).items():
        line = _line_with(name, evidence)
        says = next((e for e in own if shared(content_stems(noun), kinds_of([e]) - content_stems(name))), None)
        if line is not None and says is not None:
            fitting.append((name, line, says))
    if len(fitting) != 1:
        return None
    name, line, says = fitting[0]
    return f"It names {name}.", (line.id, says.id)
