"""The default with a model: name the thing, look it up, draft, check each sentence, hold back what is too risky.

What is seen, read, recognised and looked up goes to the model together with the picture. Sentences with a number are
checked against the evidence behind it; what the model sees or knows is said to be so. The model is asked what to look
up where the thing is not recognised surely, or nothing that was retrieved probably answers. Where the pages that were
found have pictures, it may place them in its answer. Parts can be switched off
(`Tools.without`), which is how `eval ablate` measures them, and are left out where the turn's time is short: first
the second look, then naming.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request, Stop
from assistant.core.types import Sentence
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.evidence_lines import USUAL_ROOM, WHOLE, compose
from assistant.pipelines.look_up import name_and_look_up
from assistant.pipelines.page_pictures import add_page_pictures
from assistant.pipelines.stages import ask_for_another_picture, plan_and_retrieve
from assistant.pipelines.verifying import second_look
from assistant.pipelines.writing import Task, write_answer

#: Under "severe" nothing is answered that is likelier wrong than right, unless a limit says otherwise.
SEVERE_RISK = 0.5


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    seen = yield from eyes.look()
    if tools.strictness == "severe" and tools.risk_limit is None:
        tools = replace(tools, risk_limit=SEVERE_RISK)
    plan = yield from plan_and_retrieve(request, seen, turn, tools)
    if not turn.evidence:
        ask_for_another_picture(seen)
    plan, named_by_model_alone = yield from name_and_look_up(plan, request, seen, turn, tools)
    yield from add_page_pictures(plan, request, turn, tools)
    evidence = turn.evidence if "evidence" not in tools.without else ()
    shows = tools.shows_pictures and "picture" not in tools.without
    frame = seen.look.corrected if seen.look is not None and shows else None
    with_picture = frame is not None
    shown = compose(
        tools.prompts,
        tools.strictness,
        plan,
        request.conversation,
        evidence,
        with_picture=with_picture,
        shows=shows,
        room=USUAL_ROOM if request.given.get("evidence") is None else WHOLE,
        places=True,
    )
    if frame is None and not shown.pieces and tools.strictness == "severe":
        raise Stop("abstained", plan.reason or "no evidence answers this")
    check = request.conditions.check and "check" not in tools.without
    cancelled, left_s = request.cancelled, request.left_s()
    task = Task(shown, plan, frame, seen.lines, left_s, check, cancelled, named_by_model=named_by_model_alone)

    def verify(asked: Task, sentences: Sequence[Sentence]) -> Generator[Event, None, float | None]:
        return second_look(asked, request, seen, turn, tools, sentences)

    yield from write_answer(task, turn, tools, verify if "second-look" not in tools.without else None)
