"""Naming what a question is about, and looking it up by what the model calls it.

Systems that name the thing before they search are the strongest on CRAG-MM (a diagnostic study, arXiv 2607.21155:
naming is the step that wins most). What image search recognises surely is planned and retrieved without a model; else,
or where nothing retrieved probably answers, one short call gives the thing's name and several standalone queries, all
of which are searched for. A name that recognition confirms is trusted; one that only the model gives is told as such
and makes an answer riskier.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from assistant.core.events import Event, EvidenceFound, Planned, StageFinished, StageStarted
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Timing
from assistant.core.types import Evidence
from assistant.index.knowledge import Knowledge
from assistant.pipelines.asking import ask, said
from assistant.pipelines.base import Seen, Tools
from assistant.pipelines.evidence_lines import PIECE_CHARS
from assistant.pipelines.searching import query_prompt
from assistant.pipelines.time_left import Part, no_time_for
from assistant.text.english import content_stems, plain
from assistant.text.markup import clean_text
from assistant.understanding.plan import Plan

LOOK_UP = Part("naming and queries", 2.0)
MOST_QUERIES, MOST_LINES = 4, 6
QUERY_CHARS, NAME_CHARS = 300, 120
REPLY_TOKENS = 160
PAGES_PER_QUERY = 15
#: More is never shown (`evidence_lines` cuts by characters); further down there is little of worth.
MOST_EVIDENCE = 60
#: Recognised as surely as this, a thing needs no other name.
SURE = 0.9
#: Where nothing that was retrieved answers as probably as this, the model may know better what to search for.
LIKELY = 0.5
_LINE = re.compile(r"^\W*(thing|query|nothing)\b\s*[:：]?\s*(.*?)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class LookUp:
    """What the model would look up. `thing` is "" where it cannot tell; without queries nothing is to be found."""

    thing: str = ""
    queries: tuple[str, ...] = ()


def is_known(plan: Plan, seen: Seen) -> bool:
    """Whether the plan's subjects stand in the question or were recognised so surely that nobody needs to name them."""
    sure = {c.name for c in seen.recognition.candidates if c.confidence >= SURE} | set(plan.mentioned)
    return bool(plan.subjects) and set(plan.subjects) <= sure


def is_found(evidence: Sequence[Evidence]) -> bool:
    """Whether something that was retrieved probably answers, so that no other search is needed."""
    return any(piece.score >= LIKELY for piece in evidence if piece.kind not in ("text", "code", "entity"))


def name_and_look_up(
    plan: Plan, request: Request, seen: Seen, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, tuple[Plan, bool]]:
    """`look_up` where what is asked about is not known surely, or nothing that was retrieved probably answers; not
    where a run or a visitor says what there is. The plan, about the thing by its name, and whether it has the name from
    the model alone.

    Raises:
        Stop, EndpointBusy: the model gave no answer.
    """
    given = bool(request.given) or request.conditions.evidence is not None
    if given or "naming" in tools.without or (is_known(plan, seen) and is_found(turn.evidence)):
        return plan, False
    found = yield from look_up(plan, request, seen, turn, tools)
    if found is None or not found.thing:
        return plan, False
    if not plan.subjects:  # what is found about it may be cited
        known = tools.knowledge.entity(found.thing)
        plan = replace(plan, subjects=(known.name if known is not None else found.thing,))
    return plan, not agrees(found.thing, [c.name for c in seen.recognition.candidates])


def look_up(
    plan: Plan, request: Request, seen: Seen, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, LookUp | None]:
    """Asks the model what to look up and adds what is found to the turn's evidence; None where that was left out.

    Raises:
        Stop, EndpointBusy: the model gave no answer.
    """
    yield StageStarted("retrieve")
    with Timing(tools.clock) as ms:
        if note := no_time_for(LOOK_UP, request, tools.pace):
            found = None
        else:
            known = _known_so_far(seen, turn.evidence)
            fields = {"known": known, "most": str(MOST_LINES)}
            prompt = query_prompt("look-up", plan, request.conversation, seen, tools, REPLY_TOKENS, **fields)
            found = parse(said(ask(prompt, LOOK_UP, request, turn, tools)))
            added = find(found, plan, turn.evidence, tools.knowledge)
            turn.evidence = merged(turn.evidence, added)
            named = f"named: {found.thing}; " if found.thing else ""
            note = f"{named}{len(found.queries)} queries, {len(added)} pieces more"
    yield StageFinished("retrieve", ms(), note)
    if found is not None and found.queries:
        yield Planned(plan.subjects, (*plan.queries, *found.queries), plan.intent)
        yield EvidenceFound(turn.evidence)
    return found


def parse(reply: str) -> LookUp:
    """The lines of a reply in whatever order; what is none of them is passed over."""
    thing, queries = "", []
    for line in reply.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        kind, text = match[1].lower(), plain(match[2].strip(" \"'*`“”"), QUERY_CHARS)
        if kind == "thing" and text and not thing:
            thing = text[:NAME_CHARS]
        elif kind == "query" and text:
            queries.append(text)
    return LookUp(thing, tuple(dict.fromkeys(queries))[:MOST_QUERIES])


def agrees(thing: str, names: Sequence[str]) -> bool:
    """Whether a name means the same as one of `names`: all words of one stand in the other."""
    own = content_stems(thing)
    return any((other := content_stems(name)) and (own <= other or other <= own) for name in names) if own else False


def find(found: LookUp, plan: Plan, there: Sequence[Evidence], knowledge: Knowledge) -> list[Evidence]:
    """What both collections hold on the thing and on the queries, beside what is there; likeliest first."""
    from assistant.reading.retrieve import evidence_about
    from assistant.reading.scoring.evidence_scoring import score_evidence

    with one_blas_thread():
        about: list[Evidence] = []
        record = knowledge.entity(found.thing) if found.thing else None
        if record is not None and record.name not in plan.subjects:
            query = found.queries[0] if found.queries else plan.asked.core
            about += evidence_about(record.name, query, plan, knowledge, {}, prefix="named")
        if knowledge.has_pages:
            for n, query in enumerate(found.queries):
                for m, passage in enumerate(knowledge.search(query, k=PAGES_PER_QUERY)):
                    text = plain(clean_text(passage.text), PIECE_CHARS)
                    about.append(Evidence(f"query{n}:{m}", "passage", passage.url, text, 0.0, title=passage.title))
        known = {(e.source, e.text) for e in there}
        new = {(e.source, e.text): e for e in reversed(about) if (e.source, e.text) not in known}
        scored = score_evidence(plan.asked, list(new.values())[::-1], knowledge.encode)
    return [replace(s.evidence, score=round(s.probability, 4)) for s in scored]


def merged(there: Sequence[Evidence], added: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What the frame itself says first, then all by score."""
    first = [e for e in there if e.kind in ("text", "code", "entity")]
    rest = sorted((*(e for e in there if e.kind not in ("text", "code", "entity")), *added), key=lambda e: -e.score)
    return (*first, *rest[:MOST_EVIDENCE])


def _known_so_far(seen: Seen, evidence: Sequence[Evidence]) -> str:
    """What is recognised and read, one line each, as material for naming."""
    lines = [f"Image search finds in it: {c.name} ({c.confidence:.0%} sure)" for c in seen.recognition.candidates[:4]]
    lines += [f"Read in it: “{plain(e.text, 100)}”" for e in evidence if e.kind == "text"][:8]
    lines += [f"A code in it holds: “{plain(e.text, 100)}”" for e in evidence if e.kind == "code"][:2]
    return "\n".join(lines) or "Nothing in it was recognised or read."
