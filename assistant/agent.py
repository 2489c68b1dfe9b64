"""The assistant: one turn as a stream of typed events. It alone knows the order of the stages.

A turn: look (measure, correct, read text and codes) and recognise run side by side, then plan, retrieve, answer,
check. Each stage is a function of another room; this module only calls them, times them and turns what they return
into events. It keeps what was seen on the last frames, so that a follow-up does not look again. It does not speak
(the page does) and knows nothing of gradio, files or benchmarks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.conversation import (
    REFUSAL,
    Answer,
    Candidate,
    Conversation,
    Evidence,
    Frame,
    Look,
    Quality,
    Recognition,
    Sentence,
    Status,
    Turn,
)
from assistant.events import (
    Event,
    EvidenceFound,
    Finished,
    Looked,
    Planned,
    Recognised,
    SentenceReady,
    StageFinished,
    StageStarted,
    Trace,
)

if TYPE_CHECKING:
    from assistant.search.knowledge import Knowledge
    from assistant.search.recognise import Recogniser
    from assistant.vision.reading import TextReader

log = logging.getLogger(__name__)

#: What was seen is kept for this many frames (a 960x1280 frame holds 3.7 MB).
REMEMBERED_FRAMES = 24

#: The challenge's budget is 10 s a turn; a turn that takes three times that has lost its user.
DEADLINE_S = 30.0

#: Below these a frame shows nothing that text reading or recognition could use (luma 0..1, see `Quality`).
BLACK_BRIGHTNESS = 0.03
FLAT_CONTRAST = 0.012


@dataclass(frozen=True)
class Seen:
    """What one frame gave: independent of the question, so follow-ups share it."""

    frame: Frame
    look: Look
    candidates: tuple[Candidate, ...]


class _Stop(Exception):
    """Ends the turn early with a status."""

    def __init__(self, status: Status, reason: str):
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


class Assistant:
    """Answers questions about frames; safe to share between threads and visitors (it owns no conversation)."""

    def __init__(
        self,
        *,
        knowledge: Knowledge,
        recogniser: Recogniser | None,
        text_reader: TextReader,
        profile: str = "embedded",
        deadline_s: float = DEADLINE_S,
        clock: Callable[[], float] = time.perf_counter,
    ):
        self.knowledge = knowledge
        self.recogniser = recogniser
        self.text_reader = text_reader
        self.profile = profile
        self._deadline_s = deadline_s
        self._clock = clock
        self._seen: OrderedDict[str, Seen] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="look")

    def answer(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        *,
        given: Mapping[str, Any] | None = None,
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event]:
        """Answer one question; the last event is always `Finished`.

        Args:
            conversation: the turns so far; the finished turn is for the caller to append.
            question: as typed or heard.
            frame: a new picture, or None to stay with the conversation's last one while it is remembered.
            given: for measuring what a stage costs: `entity` (a name), `query` (a standalone question),
                `passages` (page URLs) replace what the stages would have found. Never set for users.
            cancelled: once set, the turn ends with status "cancelled" before its next stage.
        """
        trace = Trace()
        start = self._clock()
        turn = _Open(question=question)
        stages = self._stages(conversation, question, frame, given or {}, turn, start, cancelled)
        try:
            for event in stages:
                trace.add((self._clock() - start) * 1000, event)
                yield event
        except _Stop as stop:
            turn.stop(stop.status, stop.reason)
        except Exception:
            log.exception("a turn failed")
            turn.stop("error", "something went wrong while answering; the log has the details")
        yield Finished(turn.close(trace))

    def recognise(self, question: str, frame: Frame) -> tuple[Look, Recognition]:
        """The turn's path up to the entity, for measuring recognition alone."""
        turn = _Open(question=question)
        stages = self._see(frame, turn)
        seen = _drain(stages)
        return seen.look, self._choose(seen, question)

    def forget(self, digest: str | None) -> None:
        """Drop what was seen on a frame, its pixels included."""
        if digest:
            with self._lock:
                self._seen.pop(digest, None)

    def warm(self) -> None:
        """Load what the first question would wait for."""
        import numpy as np

        blank = Frame(np.full((96, 96, 3), 255, np.uint8))
        self.text_reader.read(blank)
        if self.recogniser is not None:
            self.recogniser.propose(blank)
        self.knowledge.search("warm up", k=1)

    # the stages, in order

    def _stages(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        given: Mapping[str, Any],
        turn: _Open,
        start: float,
        cancelled: threading.Event | None,
    ) -> Iterator[Event]:
        from assistant.answering.check import supported
        from assistant.answering.plan import make_plan
        from assistant.answering.reader import Reader
        from assistant.answering.retrieve import retrieve

        def go_on() -> None:
            if cancelled is not None and cancelled.is_set():
                raise _Stop("cancelled", "stopped before the answer was ready")
            if self._clock() - start > self._deadline_s:
                raise _Stop("timeout", f"no answer within {self._deadline_s:.0f} s")

        go_on()
        seen = self._remembered(conversation) if frame is None else None
        if frame is not None:
            seen = yield from self._see(frame, turn)
        look = seen.look if seen else None
        recognition = self._choose(seen, question) if seen else Recognition(reason="there is no picture yet")
        if "entity" in given:
            recognition = self._given_entity(str(given["entity"]), recognition, seen)
        turn.entity = recognition.entity
        turn.frame_digest = seen.frame.digest if seen else None
        yield Recognised(recognition)

        go_on()
        yield StageStarted("plan")
        with _Timing(self._clock) as plan_ms:
            plan = make_plan(str(given.get("query", question)), conversation, recognition, look, self.knowledge)
        turn.subjects = plan.subjects
        yield StageFinished("plan", plan_ms())
        yield Planned(plan.subjects, plan.queries, plan.intent)

        go_on()
        yield StageStarted("retrieve")
        with _Timing(self._clock) as retrieve_ms:
            evidence = retrieve(plan, look, recognition, self.knowledge)
            if "passages" in given:
                evidence = (*evidence, *self._given_passages(given["passages"], plan.subjects))
        turn.evidence = evidence
        yield StageFinished("retrieve", retrieve_ms(), f"{len(evidence)} pieces of evidence")
        yield EvidenceFound(evidence)

        go_on()
        yield StageStarted("answer")
        with _Timing(self._clock) as answer_ms:
            draft = Reader(self.knowledge).answer(plan, evidence)
        yield StageFinished("answer", answer_ms())
        if not draft.sentences:
            self._ask_for_another_picture(look, recognition)
            raise _Stop("abstained", draft.reason or "no evidence answers this")

        go_on()
        yield StageStarted("check")
        with _Timing(self._clock) as check_ms:
            verdicts = [(s, supported(s, evidence, plan)) for s in draft.sentences]
        dropped = [reason for _, reason in verdicts if reason]
        yield StageFinished("check", check_ms(), "; ".join(dropped))
        if verdicts[0][1]:
            raise _Stop("abstained", verdicts[0][1])
        kept = [sentence for sentence, reason in verdicts if not reason]
        for sentence in kept:
            turn.sentences.append(sentence)
            yield SentenceReady(sentence)
        turn.reason = draft.reason

    def _see(self, frame: Frame, turn: _Open) -> Generator[Event, None, Seen]:
        """Look and recognise, side by side; remembered by the frame's digest."""
        from assistant.vision.codes import read_codes
        from assistant.vision.enhance import correct
        from assistant.vision.quality import measure

        turn.frame_digest = frame.digest
        if (seen := self._recall(frame.digest)) is not None:
            for stage in ("look", "recognise"):
                yield StageFinished(stage, 0.0, "seen before")
            yield Looked(seen.look)
            return seen
        clock = self._clock
        yield StageStarted("look")
        yield StageStarted("recognise")
        start = clock()
        quality = measure(frame)
        corrected, corrections = correct(frame, quality)
        if _shows_nothing(quality):
            look = Look(quality, corrected, corrections)
            yield StageFinished("look", (clock() - start) * 1000, "nothing to see")
            yield StageFinished("recognise", 0.0, "nothing to see")
            yield Looked(look)
            return self._remember(Seen(frame, look, ()))

        def read() -> tuple[Look, float]:
            texts = self.text_reader.read(corrected)
            codes = read_codes(frame)
            return Look(quality, corrected, corrections, texts, codes), (clock() - start) * 1000

        reading = self._pool.submit(read)
        begun = clock()
        proposal = self.recogniser.propose(corrected) if self.recogniser is not None else None
        proposed_ms = (clock() - begun) * 1000
        look, look_ms = reading.result()
        yield StageFinished("look", look_ms, ", ".join(corrections))
        yield Looked(look)
        begun = clock()
        candidates: tuple[Candidate, ...] = ()
        if self.recogniser is not None:
            candidates = self.recogniser.decide(corrected, proposal, look.texts, look.codes)
        yield StageFinished("recognise", proposed_ms + (clock() - begun) * 1000, f"{len(candidates)} recognised")
        return self._remember(Seen(frame, look, candidates))

    def _choose(self, seen: Seen, question: str) -> Recognition:
        from assistant.search.choose import choose

        return choose(seen.candidates, question, seen.frame)

    @staticmethod
    def _ask_for_another_picture(look: Look | None, recognition: Recognition) -> None:
        """A frame that shows nothing is worth a second try rather than a plain refusal."""
        if look is not None and not recognition.candidates and _shows_nothing(look.quality):
            what = "dark" if look.quality.brightness < BLACK_BRIGHTNESS else "blank"
            raise _Stop("retake", f"the picture is too {what} to see anything; please take another one")

    # what a measuring run may hand in

    def _given_entity(self, name: str, recognition: Recognition, seen: Seen | None) -> Recognition:
        found = next((c for c in recognition.candidates if c.name == name), None)
        if found is None:
            record = self.knowledge.entity(name)
            frame = seen.frame if seen else None
            w, h = (frame.width_px, frame.height_px) if frame else (0, 0)
            found = Candidate(
                name=name,
                confidence=1.0,
                outline_px=((0, 0), (w, 0), (w, h), (0, h)),
                attributes=record.attributes if record else {},
                index=record.indexes[0] if record and record.indexes else -1,
                image_url=record.image_urls[0] if record and record.image_urls else "",
            )
        others = tuple(c for c in recognition.candidates if c.name != name)
        return Recognition((found, *others), found)

    def _given_passages(self, urls: Any, subjects: tuple[str, ...]) -> tuple[Evidence, ...]:
        subject = subjects[0] if subjects else None
        return tuple(
            Evidence(f"given{n}", "passage", p.url, p.text, 1.0, subject=subject, title=p.title)
            for n, p in enumerate(p for url in urls for p in self.knowledge.page(url))
        )

    # memory of frames

    def _recall(self, digest: str | None) -> Seen | None:
        with self._lock:
            seen = self._seen.get(digest or "")
            if seen is not None:
                self._seen.move_to_end(seen.frame.digest)
            return seen

    def _remembered(self, conversation: Conversation) -> Seen | None:
        digest = next((t.frame_digest for t in reversed(conversation.turns) if t.frame_digest), None)
        return self._recall(digest)

    def _remember(self, seen: Seen) -> Seen:
        with self._lock:
            self._seen[seen.frame.digest] = seen
            while len(self._seen) > REMEMBERED_FRAMES:
                self._seen.popitem(last=False)
        return seen


def _shows_nothing(quality: Quality) -> bool:
    return quality.brightness < BLACK_BRIGHTNESS or quality.contrast < FLAT_CONTRAST


class _Timing:
    """Wall time of a block, in ms: `with _Timing(clock) as ms: ...; ms()`."""

    def __init__(self, clock: Callable[[], float]):
        self._clock = clock

    def __enter__(self) -> Callable[[], float]:
        self._start = self._clock()
        self._end: float | None = None
        return lambda: ((self._end or self._clock()) - self._start) * 1000

    def __exit__(self, *_: object) -> None:
        self._end = self._clock()


class _Open:
    """A turn while it is being made; closed exactly once into a `Turn`."""

    def __init__(self, question: str):
        self.question = question
        self.frame_digest: str | None = None
        self.subjects: tuple[str, ...] = ()
        self.entity: Candidate | None = None
        self.evidence: tuple[Evidence, ...] = ()
        self.sentences: list[Sentence] = []
        self.status: Status = "answered"
        self.reason = ""

    def stop(self, status: Status, reason: str) -> None:
        self.status, self.reason, self.sentences = status, reason, []

    def close(self, trace: Trace) -> Turn:
        text = " ".join(s.text for s in self.sentences)
        if self.status in ("abstained", "retake"):
            text = refusal(self.reason)
        answer = Answer(text, self.status, self.reason, tuple(self.sentences), self.entity, self.evidence)
        return Turn(self.question, answer, self.frame_digest, self.subjects, trace.timings_ms)


def refusal(reason: str) -> str:
    """An abstention as it is shown: begins with the words that the benchmark's public rule looks for."""
    reason = reason.strip().rstrip(".")
    if reason.startswith(REFUSAL):
        return f"{reason}."
    return f"{REFUSAL}: {reason}." if reason else f"{REFUSAL}."


def _drain(stages: Generator[Event, None, Seen]) -> Seen:
    while True:
        try:
            next(stages)
        except StopIteration as end:
            return end.value
