"""The default with a model: what is seen, read, recognised and looked up goes to the model together with the picture.

Sentences with a number are checked against the evidence behind it; what the model sees or knows is said to be so.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request, Stop
from assistant.pipelines.base import Seen, Tools
from assistant.pipelines.evidence_lines import compose
from assistant.pipelines.stages import ask_for_another_picture, plan_and_retrieve
from assistant.pipelines.writing import Task, write_answer


def answer(request: Request, seen: Seen, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    plan = yield from plan_and_retrieve(request, seen, turn, tools)
    if not turn.evidence:
        ask_for_another_picture(seen)
    frame = seen.look.corrected if seen.look is not None and tools.shows_pictures else None
    shown = compose(
        tools.prompts, tools.strictness, plan, request.conversation, turn.evidence, with_picture=frame is not None
    )
    if frame is None and not shown.pieces and tools.strictness == "severe":
        raise Stop("abstained", plan.reason or "no evidence answers this")
    check, cancelled = request.conditions.check, request.cancelled
    yield from write_answer(Task(shown, plan, frame, seen.look, request.left_s(), check, cancelled), turn, tools)
