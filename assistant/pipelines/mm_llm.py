"""The picture and the question alone: nothing is looked up, so nothing can be cited.

The benchmark's baseline of that name (CRAG-MM, "MM-LLM only").
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event, EvidenceFound
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Seen, Tools
from assistant.pipelines.evidence_lines import compose
from assistant.pipelines.stages import plan_question
from assistant.pipelines.writing import Task, write_answer


def answer(request: Request, seen: Seen, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    request.go_on()
    plan = yield from plan_question(request, seen, tools)
    yield EvidenceFound(())
    frame = seen.frame if tools.shows_pictures else None
    shown = compose(tools.prompts, tools.strictness, plan, request.conversation, (), with_picture=frame is not None)
    check, cancelled = request.conditions.check, request.cancelled
    yield from write_answer(Task(shown, plan, frame, seen.look, request.left_s(), check, cancelled), turn, tools)
