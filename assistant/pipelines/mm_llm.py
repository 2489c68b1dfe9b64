"""The picture and the question alone: nothing is looked up, so nothing can be cited but what a run hands in.

The benchmark's baseline of that name (CRAG-MM, arXiv 2510.26160, "MM-LLM only"): what is recognised here is not told to
the model. In a conversation what was said before stands before the question, as in the public kit's agent that only
asks a model; a question that points back could not be answered by anyone otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event, EvidenceFound, Planned
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.evidence_lines import WHOLE, compose
from assistant.pipelines.searching import plan_as_asked
from assistant.pipelines.writing import Task, write_answer


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    seen = yield from eyes.glance()
    plan = yield from plan_as_asked(request, turn, tools)
    yield Planned((), (), plan.intent)
    turn.evidence = request.given.get("evidence") or ()
    yield EvidenceFound(turn.evidence)
    frame = seen.frame if tools.shows_pictures else None
    shows, with_picture = tools.shows_pictures, frame is not None
    said = request.conversation
    shown = compose(
        tools.prompts,
        tools.strictness,
        plan,
        said,
        turn.evidence,
        with_picture=with_picture,
        shows=shows,
        room=WHOLE,
    )
    check, cancelled = request.conditions.check, request.cancelled
    yield from write_answer(Task(shown, plan, frame, seen.lines, request.left_s(), check, cancelled), turn, tools)
