"""The assistant: one turn as a stream of typed events. It alone knows the order of the stages.

A turn: look (measure, correct, read text and codes) and recognise run side by side, then plan, retrieve, answer,
check. Each stage is a function of another room; this module only calls them, times them and turns what they return
into events. It does not speak (the page does) and knows nothing of gradio, files or benchmarks.
"""

from __future__ import annotations

import copy
import datetime
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assistant.core.errors import EndpointBusy
from assistant.core.events import (
    Event,
    EvidenceFound,
    Finished,
    Planned,
    Recognised,
    SentenceReady,
    StageFinished,
    StageStarted,
    Trace,
)
from assistant.core.options import USUAL, Conditions
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing
from assistant.core.types import REFUSAL, Conversation, Evidence, Frame, Look, Recognition, Sentence
from assistant.core.whole_text import whole_text
from assistant.index.overrides import as_indexed, seen_as, told_by_pages
from assistant.recognition.look_stage import BLACK_BRIGHTNESS, FrameAnalysis, LookStage, shows_nothing
from assistant.understanding.compound_question import asks_for_something, parts

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge
    from assistant.pipelines.chat_answerer import ChatAnswerer
    from assistant.recognition.recogniser import Recogniser
    from assistant.teaching.teacher import Teacher
    from assistant.understanding.plan import Plan
    from assistant.vision.ocr import TextReader

log = logging.getLogger(__name__)

#: The challenge's budget is 10 s a turn; a turn that takes three times that has lost its user. Runs have no user.
DEADLINE_S = 30.0


class Assistant:
    """Answers questions about frames; safe to share between threads and visitors (it owns no conversation).

    `chat` writes the answers in place of the embedded reader; `today` is the date that "how old" counts to.
    """

    def __init__(
        self,
        *,
        knowledge: Knowledge,
        recogniser: Recogniser | None,
        text_reader: TextReader,
        profile: str = "embedded",
        teacher: Teacher | None = None,
        chat: ChatAnswerer | None = None,
        deadline_s: float = DEADLINE_S,
        clock: Callable[[], float] = time.perf_counter,
        today: Callable[[], datetime.date] = datetime.date.today,
    ):
        self.knowledge = knowledge
        self.teacher = teacher
        self.profile = profile
        self._chat = chat
        self._deadline_s = deadline_s
        self._clock = clock
        self._today = today
        self._sight = LookStage(recogniser, text_reader, clock)

    def answer(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        *,
        given: Mapping[str, Any] | None = None,
        conditions: Conditions = USUAL,
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event]:
        """Answer one question; the last event is always `Finished`.

        Args:
            conversation: the turns so far; the finished turn is for the caller to append.
            question: as typed or heard.
            frame: a new picture, or None to stay with the conversation's last one while it is remembered.
            given: for measuring what a stage costs: `entity` (a name), `query` (a standalone question),
                `passages` (page URLs) replace what the stages would have found. Never set for users.
            conditions: what a visitor changed about this turn; never set for measuring.
            cancelled: once set, the turn ends with status "cancelled" before its next stage.
        """
        trace = Trace()
        start = self._clock()
        question = whole_text(question)
        turn = OpenTurn(question=question)
        limits = self._deadline_s, start, self._clock
        request = Request(conversation, question, frame, given or {}, conditions, cancelled, *limits)
        try:
            for event in self._stages(request, turn):
                trace.add((self._clock() - start) * 1000, event)
                yield event
        except Stop as stop:
            turn.stop(stop.status, stop.reason)
        except EndpointBusy:  # in runs alone: whoever runs waits and asks again
            raise
        except Exception:
            log.exception("a turn failed")
            turn.stop("error", "something went wrong while answering; the log has the details")
        yield Finished(turn.close(trace))

    def recognise(self, question: str, frame: Frame) -> tuple[Look, Recognition]:
        """The turn's path up to the entity, for measuring recognition alone."""
        seen = _drain(self._sight.see(frame))
        return seen.look, self._choose(seen, question)

    def exchange(self, evidence: Evidence, question: str, tried: tuple[str, ...] = ()) -> tuple[str, Evidence] | None:
        """A relative that was not tried yet and what it would say instead; see `assistant.reading.counterfactual`."""
        from assistant.reading.counterfactual import make_counterfactual

        return make_counterfactual(evidence, question, tried, self.knowledge)

    def around(self, evidence: Evidence) -> tuple[str, str]:
        """What the page says just before and just after a passage."""
        from assistant.reading.counterfactual import around

        return around(evidence, self.knowledge)

    def forget(self, digest: str | None) -> None:
        """Drop what was seen on a frame, its pixels included."""
        self._sight.forget(digest)

    def under(self, profile: str, chat: ChatAnswerer | None, deadline_s: float = DEADLINE_S) -> Assistant:
        """This assistant under another profile: the same eyes and knowledge, and another part that writes."""
        other = copy.copy(self)
        other.profile, other._chat, other._deadline_s = profile, chat, deadline_s
        return other

    def warm(self) -> None:
        """Load what the first question would wait for."""
        self._sight.warm()
        self.knowledge.search("warm up", k=1)

    # the stages, in order

    def _stages(self, request: Request, turn: OpenTurn) -> Iterator[Event]:
        request.go_on()
        given = request.given
        look, recognition, on = yield from self._see(request, turn)
        if "entity" in given:
            recognition = seen_as(str(given["entity"]), recognition, self.knowledge, on)
        if "passages" in given:
            recognition = told_by_pages(given["passages"], recognition, self.knowledge, on)
        turn.entity = recognition.entity
        turn.frame_digest = on.digest if on else None
        yield Recognised(recognition)

        # A model answers two questions at once; one whose query or evidence is given is asked as it stands.
        questions = parts(request.question) if self._chat is None and not request.given else ()
        if not questions:
            yield from self._look_up(request, look, recognition, turn)
            return
        apart = _Apart(turn)
        self._one_by_one(request, questions, look, recognition, apart)
        ask_for_something = all(map(asks_for_something, questions))
        if not apart.unanswered and ask_for_something:
            yield from apart.told()
            return
        try:
            events = list(self._look_up(request, look, recognition, turn))
        except Stop as stop:
            if stop.status != "abstained" or not apart.turn.sentences:
                raise
            yield from apart.told()
        else:  # what answers one of them only is no answer to the whole
            yield from apart.told() if ask_for_something and apart.says_all_of(turn) else events

    def _one_by_one(
        self, request: Request, questions: Sequence[str], look: Look | None, recognition: Recognition, apart: _Apart
    ) -> None:
        """Asks each question by itself, the one before it being what was said last."""
        for question in questions:
            one = OpenTurn(question)
            one.entity, one.frame_digest = apart.turn.entity, apart.turn.frame_digest
            request = replace(request, question=question)
            try:
                apart.events += self._look_up(request, look, recognition, one)
            except Stop as stop:
                if stop.status != "abstained":
                    raise
                one.stop(stop.status, stop.reason)
            apart.add(one)
            request = replace(request, conversation=request.conversation.with_turn(one.close(Trace())))

    def _look_up(
        self, request: Request, look: Look | None, recognition: Recognition, turn: OpenTurn
    ) -> Iterator[Event]:
        """Plan, evidence and answer of one question about what was seen."""
        request.go_on()
        plan = yield from self._plan(request, look, recognition)
        turn.subjects = plan.subjects
        # What is outlined is what the answer is about: nothing, where the question is about something else in view.
        candidates = {c.name: c for c in recognition.candidates}
        turn.entity = candidates.get(plan.subjects[0], turn.entity) if plan.subjects else None

        request.go_on()
        turn.evidence = yield from self._retrieve(request, plan, look, recognition)

        request.go_on()
        if self._chat is None:
            yield from self._read(request, plan, look, recognition, turn)
            return
        from assistant.pipelines.chat_answerer import Task

        if not turn.evidence:
            self._ask_for_another_picture(look, recognition)
        picture = look.corrected if look else None
        checked, cancelled = request.conditions.check, request.cancelled
        task = Task(plan, request.conversation, turn.evidence, picture, request.left_s(), checked, cancelled)
        yield from self._chat.stages(task, turn, self._clock)

    def _plan(self, request: Request, look: Look | None, recognition: Recognition) -> Generator[Event, None, Plan]:
        from assistant.understanding.plan import make_plan

        yield StageStarted("plan")
        with Timing(self._clock) as ms, one_blas_thread():
            question = str(request.given.get("query", request.question))
            today = self._today()
            plan = make_plan(question, request.conversation, recognition, look, self.knowledge, now=today)
            plan = replace(plan, vouched="passages" in request.given)
        yield StageFinished("plan", ms())
        yield Planned(plan.subjects, plan.queries, plan.intent)
        return plan

    def _retrieve(
        self, request: Request, plan: Plan, look: Look | None, recognition: Recognition
    ) -> Generator[Event, None, tuple[Evidence, ...]]:
        from assistant.reading.retrieve import retrieve

        yield StageStarted("retrieve")
        with Timing(self._clock) as ms, one_blas_thread():
            evidence = request.conditions.evidence
            if evidence is None:
                pages = request.given.get("passages")
                knowledge = self.knowledge if pages is None else self.knowledge.among(pages)
                evidence = retrieve(plan, look, recognition, knowledge)
        yield StageFinished("retrieve", ms(), f"{len(evidence)} pieces of evidence")
        yield EvidenceFound(evidence)
        return evidence

    def _read(
        self, request: Request, plan: Plan, look: Look | None, recognition: Recognition, turn: OpenTurn
    ) -> Iterator[Event]:
        """The embedded reader's answer, each sentence checked against what it cites."""
        from assistant.reading.grounding import grounding_problem
        from assistant.reading.reader import Reader

        yield StageStarted("answer")
        with Timing(self._clock) as answer_ms, one_blas_thread():
            draft = Reader(self.knowledge).answer(plan, turn.evidence)
        yield StageFinished("answer", answer_ms())
        if not draft.sentences:
            self._ask_for_another_picture(look, recognition)
            raise Stop("abstained", draft.reason or "no evidence answers this")

        request.go_on()
        check = request.conditions.check
        yield StageStarted("check")
        with Timing(self._clock) as check_ms, one_blas_thread():
            verdicts = [(s, grounding_problem(s, turn.evidence, plan) if check else "") for s in draft.sentences]
        dropped = [reason for _, reason in verdicts if reason]
        yield StageFinished("check", check_ms(), "; ".join(dropped) if check else "switched off")
        if verdicts[0][1]:
            raise Stop("abstained", verdicts[0][1])
        for sentence in (s for s, reason in verdicts if not reason):
            turn.sentences.append(sentence)
            yield SentenceReady(sentence)
        turn.reason = draft.reason

    def _see(
        self, request: Request, turn: OpenTurn
    ) -> Generator[Event, None, tuple[Look | None, Recognition, Frame | None]]:
        """What the frame shows, as the conditions have it, and the frame itself: the given or the last one."""
        from assistant.recognition.region import see_part
        from assistant.understanding.pointing.choose import choose_candidate
        from assistant.understanding.reference.focus import kept_in_focus

        question, frame, conditions = request.question, request.frame, request.conditions
        look: Look | None = None
        recognition = Recognition(reason="there is no picture yet")
        if frame is not None:
            turn.frame_digest = frame.digest
        if frame is not None and conditions.region_px is not None:
            on_part = lambda found, part: choose_candidate(found, question, part)  # noqa: E731
            look, recognition = yield from see_part(self._sight, frame, conditions.region_px, on_part, conditions)
        elif frame is not None:
            correct, read_text = conditions.correct, conditions.read_text
            seen = yield from self._sight.see(frame, correct=correct, read_text=read_text, guess=conditions.guess)
            look, recognition = seen.look, self._choose(seen, question)
        elif (remembered := self._sight.remembered(request.conversation)) is not None:
            look, recognition, frame = remembered.look, self._choose(remembered, question), remembered.frame
        last = request.conversation.turns[-1] if request.conversation.turns else None
        if last is not None and last.frame_digest is not None and frame is not None:
            recognition = replace(recognition, seen_before=last.frame_digest == frame.digest)
            recognition = kept_in_focus(recognition, request.conversation, question)
        other = as_indexed(conditions.entity, self.knowledge, frame) if conditions.entity else None
        return look, conditions.over(recognition, other), frame

    def _choose(self, seen: FrameAnalysis, question: str) -> Recognition:
        from assistant.understanding.pointing.choose import choose_candidate

        return choose_candidate(seen.candidates, question, seen.frame)

    @staticmethod
    def _ask_for_another_picture(look: Look | None, recognition: Recognition) -> None:
        """A frame that shows nothing is worth a second try rather than a plain refusal."""
        if look is not None and not recognition.candidates and shows_nothing(look.quality):
            what = "dark" if look.quality.brightness < BLACK_BRIGHTNESS else "blank"
            raise Stop("retake", f"the picture is too {what} to see anything; please take another one")


class _Apart:
    """The answers to two questions in one, kept back until it is known whether they are what is said."""

    def __init__(self, turn: OpenTurn) -> None:
        self._whole = turn
        self.turn = OpenTurn(turn.question)
        self.turn.entity, self.turn.frame_digest = turn.entity, turn.frame_digest
        self.events: list[Event] = []
        self.unanswered: list[str] = []

    def add(self, one: OpenTurn) -> None:
        self.turn.sentences += one.sentences
        self.turn.evidence += tuple(piece for piece in one.evidence if piece not in self.turn.evidence)
        if one.subjects and not self.turn.subjects:  # what is outlined is what the first of them is about
            self.turn.subjects, self.turn.entity = one.subjects, one.entity
        if not one.sentences:
            self.unanswered.append(one.question)

    def says_all_of(self, turn: OpenTurn) -> bool:
        return {s.text for s in turn.sentences} <= {s.text for s in self.turn.sentences}

    def told(self) -> Iterator[Event]:
        """Makes it the turn's answer; says what found none."""
        turn, whole = self.turn, self._whole
        if self.unanswered:
            rest = Sentence(f"{REFUSAL}: {' '.join(self.unanswered)}", ())
            turn.sentences.append(rest)
            self.events.append(SentenceReady(rest))
        whole.sentences, whole.evidence, whole.subjects = turn.sentences, turn.evidence, turn.subjects
        whole.entity = turn.entity
        yield from self.events
        yield EvidenceFound(turn.evidence)


def _drain(stages: Generator[Event, None, FrameAnalysis]) -> FrameAnalysis:
    while True:
        try:
            next(stages)
        except StopIteration as end:
            return end.value
