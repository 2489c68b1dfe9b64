"""Stages that the pipelines for answers with pictures share: gathering evidence, the prompt, placing by likeness."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from assistant.core.events import Event, EvidenceFound, StageFinished, StageStarted
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Timing
from assistant.core.types import Evidence
from assistant.pipelines.base import Seen, Tools
from assistant.pipelines.evidence_lines import Room, compose
from assistant.pipelines.look_up import LookUp, find, merged, name_and_look_up
from assistant.pipelines.page_pictures import add_page_pictures
from assistant.pipelines.placing import as_placed, by_likeness, woven
from assistant.pipelines.stages import plan_and_retrieve
from assistant.pipelines.writing import LONG_TOKENS, Task
from assistant.understanding.plan import Plan

#: The prompt that says how to answer.
RULES = "pictured-answer"
#: What goes along: as many pictures as M2RAG shows its models, about 12,000 tokens of text, whole paragraphs of it.
MOST_PICTURES, ROOM = 10, Room(48_000, 4_000)


def gather(request: Request, seen: Seen, turn: OpenTurn, tools: Tools) -> Generator[Event, None, Plan]:
    """The plan; what was retrieved for it is the turn's evidence, pictures of its pages among it. Where that holds no
    page, as of a question about nothing in view, the question itself is searched for.

    Raises:
        Stop, EndpointBusy: the model gave no answer.
    """
    plan = yield from plan_and_retrieve(request, seen, turn, tools)
    plan, _ = yield from name_and_look_up(plan, request, seen, turn, tools)
    searched = request.handed is None and tools.knowledge.has_pages
    if searched and not any(piece.kind == "passage" for piece in turn.evidence):
        yield StageStarted("retrieve")
        with Timing(tools.clock) as ms:
            query = plan.queries[0] if plan.queries else plan.question
            turn.evidence = merged(turn.evidence, find(LookUp("", (query,)), plan, turn.evidence, tools.knowledge))
        yield StageFinished("retrieve", ms(), "the question was searched for as it stands")
        yield EvidenceFound(turn.evidence)
    yield from add_page_pictures(plan, request, turn, tools)
    request.go_on()
    return plan


def task_for(
    plan: Plan,
    evidence: Sequence[Evidence],
    request: Request,
    seen: Seen,
    tools: Tools,
    *,
    places: bool = False,
    held: bool = False,
) -> Task:
    """The prompt for an answer of as many sentences as the question takes; `places` as `Shown`, `held` as `Task`.

    Pictures come first, so that they are the last that a model with a small context is shown without.
    """
    frame = seen.look.corrected if seen.look is not None and tools.shows_pictures else None
    shown = compose(
        tools.prompts,
        tools.strictness,
        plan,
        request.conversation,
        [*pictures_of(evidence)[:MOST_PICTURES], *(piece for piece in evidence if piece.kind != "picture")],
        with_picture=frame is not None,
        shows=tools.shows_pictures,
        room=ROOM,
        rules=RULES,
        places=places,
    )
    left_s, check = request.left_s(), request.conditions.check
    return Task(shown, plan, frame, seen.lines, left_s, check, request.cancelled, max_tokens=LONG_TOKENS, held=held)


def pictures_of(evidence: Sequence[Evidence]) -> list[Evidence]:
    return [piece for piece in evidence if piece.kind == "picture"]


def place_by_likeness(pictures: Sequence[Evidence], turn: OpenTurn, tools: Tools) -> Generator[Event, None, None]:
    """Puts each picture behind the sentence that its caption is most like; the model is not asked."""
    yield StageStarted("answer")
    with Timing(tools.clock) as ms, one_blas_thread():
        places = by_likeness(turn.sentences, pictures, tools.knowledge.encode)
        behind = {n: [as_placed(piece) for piece in pieces] for n, pieces in places.items()}
        turn.sentences = woven(turn.sentences, behind)
    yield StageFinished("answer", ms(), f"{len(behind)} of {len(pictures)} pictures placed by likeness")
