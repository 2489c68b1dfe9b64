"""Stages that pipelines share: planning what is asked and retrieving evidence for it, timed and told as events."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from assistant.core.events import Event, EvidenceFound, Planned, StageFinished, StageStarted
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing
from assistant.core.types import Evidence
from assistant.pipelines.base import Seen, Tools
from assistant.recognition.look_stage import BLACK_BRIGHTNESS, shows_nothing
from assistant.understanding.plan import Plan


def plan_and_retrieve(request: Request, seen: Seen, turn: OpenTurn, tools: Tools) -> Generator[Event, None, Plan]:
    """The plan; the evidence for it is the turn's."""
    request.go_on()
    plan = yield from plan_question(request, seen, tools)
    turn.subjects = plan.subjects
    # What is outlined is what the answer is about: nothing, where the question is about something else in view.
    candidates = {c.name: c for c in seen.recognition.candidates}
    turn.entity = candidates.get(plan.subjects[0], turn.entity) if plan.subjects else None
    request.go_on()
    turn.evidence = yield from retrieve_evidence(request, plan, seen, tools)
    request.go_on()
    return plan


def plan_question(request: Request, seen: Seen, tools: Tools) -> Generator[Event, None, Plan]:
    """What is asked, about whom, and the queries that would find it.

    Raises:
        Stop: nothing is asked, so that no model needs to hear it.
    """
    from assistant.understanding.plan import make_plan

    yield StageStarted("plan")
    with Timing(tools.clock) as ms, one_blas_thread():
        question = str(request.given.get("query", request.question))
        known, today = tools.knowledge, tools.today()
        plan = make_plan(question, request.conversation, seen.recognition, seen.look, known, now=today)
        plan = replace(plan, vouched=bool(request.given.get("vouched")))
    yield StageFinished("plan", ms())
    yield Planned(plan.subjects, plan.queries, plan.intent)
    if plan.intent == "unclear" and tools.model is not None:
        raise Stop("abstained", plan.reason)
    return plan


def retrieve_evidence(
    request: Request, plan: Plan, seen: Seen, tools: Tools
) -> Generator[Event, None, tuple[Evidence, ...]]:
    """What is known of the plan's subjects and what the web says, with what the frame itself shows. Evidence that a run
    hands in is what the reader retrieves from; a model gets it as it is.
    """
    from assistant.reading.retrieve import retrieve
    from assistant.reading.signs.frame_text import frame_evidence

    yield StageStarted("retrieve")
    with Timing(tools.clock) as ms, one_blas_thread():
        evidence, handed = request.conditions.evidence, request.given.get("evidence")
        if evidence is None and handed is not None and tools.model is not None:
            evidence = (*frame_evidence(seen.look), *handed)
        if evidence is None:
            evidence = retrieve(plan, seen.look, seen.recognition, tools.knowledge)
    yield StageFinished("retrieve", ms(), f"{len(evidence)} pieces of evidence")
    yield EvidenceFound(evidence)
    return evidence


def ask_for_another_picture(seen: Seen) -> None:
    """A frame that shows nothing is worth a second try rather than a plain refusal.

    Raises:
        Stop: the frame is black or blank.
    """
    look = seen.look
    if look is not None and not seen.recognition.candidates and shows_nothing(look.quality):
        what = "dark" if look.quality.brightness < BLACK_BRIGHTNESS else "blank"
        raise Stop("retake", f"the picture is too {what} to see anything; please take another one")
