"""The assistant: one turn as a stream of typed events.

A turn is a pipeline's: it has the frame looked at (measured, corrected, read; recognised beside that), plans,
retrieves, answers and checks. This module looks, hands over, and closes the turn whatever happened. It does not speak
(the page does) and knows nothing of gradio, files or benchmarks.
"""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assistant.core.errors import EndpointBusy
from assistant.core.events import Drafted, Event, Finished, Recognised, Trace
from assistant.core.options import USUAL, Conditions
from assistant.core.turn_builder import OpenTurn, Request, Stop
from assistant.core.types import Conversation, Evidence, Frame, Look, Recognition
from assistant.core.whole_text import whole_text
from assistant.index.overrides import as_indexed, as_told, seen_as, told_by_pages
from assistant.pipelines.base import Pipeline, Seen, Tools
from assistant.recognition.look_stage import FrameAnalysis, LookStage

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge
    from assistant.recognition.recogniser import Recogniser
    from assistant.teaching.teacher import Teacher
    from assistant.vision.ocr import TextReader

log = logging.getLogger(__name__)

#: The challenge's budget is 10 s a turn; a turn that takes three times that has lost its user. Runs have no user.
DEADLINE_S = 30.0


class Assistant:
    """Answers questions about frames; safe to share between threads and visitors (it owns no conversation).

    Args:
        tools: what the pipeline works with: what is known, and the model that writes, if one does.
        recogniser: None where no pictures are indexed.
        text_reader: reads what is written on frames.
        pipeline: how the answer comes about; None for the embedded reader.
        profile: the name under which this is shown.
        teacher: enrols objects; None where nothing can be taught.
        deadline_s: what a turn may take.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        *,
        tools: Tools,
        recogniser: Recogniser | None,
        text_reader: TextReader,
        pipeline: Pipeline | None = None,
        profile: str = "embedded",
        teacher: Teacher | None = None,
        deadline_s: float = DEADLINE_S,
        clock: Callable[[], float] = time.perf_counter,
    ):
        from assistant.pipelines import reader

        self.teacher = teacher
        self.profile = profile
        self._tools = replace(tools, clock=clock)
        self._pipeline = pipeline or reader.answer
        self._deadline_s = deadline_s
        self._clock = clock
        self._sight = LookStage(recogniser, text_reader, clock)

    @property
    def knowledge(self) -> Knowledge:
        return self._tools.knowledge

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
            given: for measuring: `entity` (a name), `query` (a standalone question) and `evidence` (pieces in their
                order) replace what the stages would have found; `vouched` says that the evidence holds the answer.
                Never set for users.
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
                if not isinstance(event, Drafted):
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

    def look_ahead(self, frame: Frame) -> None:
        """Begin to look at a frame that will probably be asked about; returns at once."""
        self._sight.look_ahead(frame)

    def forget(self, digest: str | None) -> None:
        """Drop what was seen on a frame, its pixels included."""
        self._sight.forget(digest)

    def under(
        self,
        profile: str,
        pipeline: Pipeline | None,
        change: Callable[[Tools], Tools],
        deadline_s: float = DEADLINE_S,
    ) -> Assistant:
        """This assistant under another profile: the same eyes and knowledge, and another part that writes."""
        from assistant.pipelines import reader

        other = copy.copy(self)
        other.profile, other._deadline_s = profile, deadline_s
        other._pipeline, other._tools = pipeline or reader.answer, change(self._tools)
        return other

    def warm(self, progress: Callable[[float], None] | None = None) -> None:
        """Load what the first question would wait for; `progress` is told how much of the model is there, 0..1."""
        self._sight.warm()
        if self._tools.model is not None:
            self._tools.model.warm(progress)
        self.knowledge.search("warm up", k=1)
        if self._tools.model is None:
            from assistant.scene import answer

            answer.warm()

    # the stages, in order

    def _stages(self, request: Request, turn: OpenTurn) -> Iterator[Event]:
        request.go_on()
        tools, evidence = self._tools, request.given.get("evidence")
        if evidence is not None:
            tools = replace(tools, knowledge=tools.knowledge.handed(evidence), search=None)
        yield from self._pipeline(request, _Eyes(self, request, turn, tools.knowledge), turn, tools)

    def _choose(self, seen: FrameAnalysis, question: str) -> Recognition:
        from assistant.understanding.pointing.choose import choose_candidate

        return choose_candidate(seen.candidates, question, seen.frame)


class _Eyes:
    """How the frame of one turn is seen (`pipelines.base.Eyes`): under its conditions, with what was given."""

    def __init__(self, assistant: Assistant, request: Request, turn: OpenTurn, knowledge: Knowledge):
        self._assistant, self._request, self._turn = assistant, request, turn
        self._sight, self._knowledge = assistant._sight, knowledge

    def look(self) -> Generator[Event, None, Seen]:
        given = self._request.given
        look, recognition, frame = yield from self._see()
        if "entity" in given:
            recognition = seen_as(str(given["entity"]), recognition, self._knowledge, frame)
        if "evidence" in given:
            recognition = as_told(recognition, self._knowledge)
            if given.get("vouched"):
                recognition = told_by_pages(given["evidence"], recognition, self._knowledge, frame)
        self._turn.entity = recognition.entity
        self._turn.frame_digest = frame.digest if frame else None
        yield Recognised(recognition)
        lines = tuple(line.text for line in look.texts) if look is not None else ()
        return Seen(frame, recognition, look, lambda: lines)

    def glance(self) -> Generator[Event, None, Seen]:
        conditions = self._request.conditions
        if conditions.region_px is not None:  # what counts is what the marked part shows
            return (yield from self.look())
        frame = self._request.frame or self._sight.last_frame(self._request.conversation)
        self._turn.frame_digest = frame.digest if frame is not None else None
        lines: Callable[[], Sequence[str]] = tuple
        if frame is not None:
            lines = yield from self._sight.glance(frame, correct=conditions.correct, read_text=conditions.read_text)
        recognition = Recognition(reason="the picture goes to the model as it is")
        yield Recognised(recognition)
        return Seen(frame, recognition, None, lines)

    def _see(self) -> Generator[Event, None, tuple[Look | None, Recognition, Frame | None]]:
        """What the frame shows, as the conditions have it, and the frame itself: the given or the last one."""
        from assistant.recognition.region import see_part
        from assistant.understanding.pointing.choose import choose_candidate
        from assistant.understanding.reference.focus import kept_in_focus

        request, choose = self._request, self._assistant._choose
        question, frame, conditions = request.question, request.frame, request.conditions
        look: Look | None = None
        recognition = Recognition(reason="there is no picture yet")
        if frame is not None:
            self._turn.frame_digest = frame.digest
        if frame is not None and conditions.region_px is not None:
            on_part = lambda found, part: choose_candidate(found, question, part)  # noqa: E731
            look, recognition = yield from see_part(self._sight, frame, conditions.region_px, on_part, conditions)
        elif frame is not None:
            correct, read_text = conditions.correct, conditions.read_text
            seen = yield from self._sight.see(frame, correct=correct, read_text=read_text, guess=conditions.guess)
            look, recognition = seen.look, choose(seen, question)
        elif (remembered := self._sight.remembered(request.conversation)) is not None:
            look, recognition, frame = remembered.look, choose(remembered, question), remembered.frame
        elif (frame := self._sight.last_frame(request.conversation)) is not None:  # of which only a glance was taken
            seen = yield from self._sight.see(frame)
            look, recognition = seen.look, choose(seen, question)
        last = request.conversation.turns[-1] if request.conversation.turns else None
        if last is not None and last.frame_digest is not None and frame is not None:
            recognition = replace(recognition, seen_before=last.frame_digest == frame.digest)
            recognition = kept_in_focus(recognition, request.conversation, question)
        other = as_indexed(conditions.entity, self._knowledge, frame) if conditions.entity else None
        return look, conditions.over(recognition, other), frame


def _drain(stages: Generator[Event, None, FrameAnalysis]) -> FrameAnalysis:
    while True:
        try:
            next(stages)
        except StopIteration as end:
            return end.value
