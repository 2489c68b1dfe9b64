"""Seeing: the stages `look` and `recognise`, side by side, and the memory of what was seen on the last frames.

What a frame shows does not depend on the question, so follow-ups share it. Which of the recognised objects a question
is about is decided elsewhere (`assistant.understanding.pointing.choose`).
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from assistant.core.events import Event, Looked, StageFinished, StageStarted
from assistant.core.types import Candidate, Conversation, Frame, Look, Quality

if TYPE_CHECKING:
    from assistant.recognition.recogniser import Proposal, Recogniser
    from assistant.vision.ocr import TextReader

log = logging.getLogger(__name__)

#: What was seen is kept for this many frames (a 960x1280 frame holds 3.7 MB).
REMEMBERED_FRAMES = 24

#: Below these a frame shows nothing that text reading or recognition could use (luma 0..1, see `Quality`).
BLACK_BRIGHTNESS = 0.03
FLAT_CONTRAST = 0.012


@dataclass(frozen=True)
class FrameAnalysis:
    """What one frame gave; `part_of` is the digest of the frame that this one was cut from, if it was; `knows` is the
    recogniser's number of that moment: another one means that something was taught or forgotten since. `guess`: the
    likeliest candidate was taken where none was sure enough.
    """

    frame: Frame
    look: Look
    candidates: tuple[Candidate, ...]
    part_of: str = ""
    knows: int = 0
    guess: bool = False


@dataclass(frozen=True)
class Glance:
    """A frame of which only the text is read: the lines, for which one may have to wait."""

    frame: Frame
    lines: Callable[[], list[str]]


@dataclass(frozen=True)
class UnderWay:
    """A frame that is being looked at; `part_of` as in `FrameAnalysis`."""

    frame: Frame
    part_of: str
    seen: Future[FrameAnalysis]

    def wait(self) -> FrameAnalysis | None:
        """What was seen in the end; None where that failed or was given up."""
        try:
            return self.seen.result()
        except (Exception, CancelledError):
            return None


def _key(frame: Frame, correct: bool, read_text: bool) -> str:
    return frame.digest + ("" if correct else ", as taken") + ("" if read_text else ", unread")


def _corrected(frame: Frame, quality: Quality, correct: bool) -> tuple[Frame, tuple[str, ...]]:
    from assistant.vision import enhance

    return enhance.correct(frame, quality) if correct else (frame, ())


def _last_digest(conversation: Conversation) -> str | None:
    return next((t.frame_digest for t in reversed(conversation.turns) if t.frame_digest), None)


def shows_nothing(quality: Quality) -> bool:
    """Whether the frame is black or blank, so that only another picture helps."""
    return quality.brightness < BLACK_BRIGHTNESS or quality.contrast < FLAT_CONTRAST


def _recognised(
    recogniser: Recogniser, proposal: Proposal, frame: Frame, look: Look, guess: bool
) -> tuple[Candidate, ...]:
    """What is sure enough on a frame, `proposal` being of the corrected one; else the likeliest where one may `guess`.

    Raised contrast brings out weak structure and noise alike: where it gives nothing, the frame is seen as taken.
    """
    candidates = recogniser.decide(look.corrected, proposal, look.texts, look.codes)
    if not candidates and look.corrections:
        candidates = recogniser.decide(frame, recogniser.propose(frame), look.texts, look.codes)
    if not candidates and guess:
        candidates = recogniser.guess(look.corrected, proposal, look.texts)
    return candidates


class LookStage:
    """Looks at frames; thread-safe. `recogniser` is None where no pictures are indexed."""

    def __init__(self, recogniser: Recogniser | None, text_reader: TextReader, clock: Callable[[], float]):
        self._recogniser = recogniser
        self._text_reader = text_reader
        self._clock = clock
        self._seen: OrderedDict[str, FrameAnalysis] = OrderedDict()
        self._glanced: OrderedDict[str, Glance] = OrderedDict()
        self._running: dict[str, UnderWay] = {}
        self._next: Frame | None = None
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="look")
        self._ahead = ThreadPoolExecutor(max_workers=1, thread_name_prefix="look-ahead")

    def see(
        self,
        frame: Frame,
        *,
        correct: bool = True,
        read_text: bool = True,
        guess: bool = False,
        part_of: str = "",
    ) -> Generator[Event, None, FrameAnalysis]:
        """Look and recognise, side by side; remembered by the frame's digest. Whoever asks for what is being looked at
        already waits for that.

        Args:
            frame: what to look at.
            correct: whether a dark frame is brightened first.
            read_text: whether text and codes are read.
            guess: whether the likeliest candidate is taken where none is sure enough.
            part_of: the digest of the frame that this one was cut from; forgotten with it.
        """
        key = _key(frame, correct, read_text) + (", guessed" if guess else "")
        if (seen := self._recall(key)) is not None:
            for stage in ("look", "recognise"):
                yield StageFinished(stage, 0.0, "seen before")
            yield Looked(seen.look)
            return seen
        yield StageStarted("look")
        yield StageStarted("recognise")
        start = self._clock()
        own = UnderWay(frame, part_of, Future())
        with self._lock:
            begun = self._running.setdefault(key, own)
        if begun is not own and (seen := begun.wait()) is not None:
            waited_ms = (self._clock() - start) * 1000
            yield StageFinished("look", waited_ms, "begun before")
            yield Looked(seen.look)
            yield StageFinished("recognise", waited_ms, "begun before")
            return seen
        try:
            seen = yield from self._look(frame, start, correct, read_text, guess, part_of)
            own.seen.set_result(seen)
        finally:
            own.seen.cancel()  # which does nothing to one that has its result
            with self._lock:
                forgotten = begun is own and self._running.get(key) is not own
                if begun is own and not forgotten:
                    del self._running[key]
        return seen if forgotten else self._remember(key, seen)

    def _look(
        self, frame: Frame, start: float, correct: bool, read_text: bool, guess: bool, part_of: str
    ) -> Generator[Event, None, FrameAnalysis]:
        from assistant.core.threads import one_blas_thread, one_thread_each, workers
        from assistant.vision.codes import read_codes
        from assistant.vision.quality import measure

        clock = self._clock
        quality, knows = measure(frame), self._knows()
        corrected, corrections = _corrected(frame, quality, correct)
        if shows_nothing(quality):
            look = Look(quality, corrected, corrections)
            yield StageFinished("look", (clock() - start) * 1000, "nothing to see")
            yield StageFinished("recognise", 0.0, "nothing to see")
            yield Looked(look)
            return FrameAnalysis(frame, look, (), part_of, knows)

        def read() -> tuple[Look, float]:
            if not read_text:
                return Look(quality, corrected, corrections), (clock() - start) * 1000
            texts = self._text_reader.read(corrected)
            codes = read_codes(frame)
            return Look(quality, corrected, corrections, texts, codes), (clock() - start) * 1000

        reading = self._pool.submit(read)
        begun = clock()
        recogniser = self._recogniser
        # Of two cores text is read on one: libraries that share out every product would keep waiting for it.
        with one_thread_each() if workers() <= 2 else nullcontext():
            proposal = recogniser.propose(corrected) if recogniser is not None else None
        proposed_ms = (clock() - begun) * 1000
        look, look_ms = reading.result()
        yield StageFinished("look", look_ms, ", ".join(corrections))
        yield Looked(look)
        begun = clock()
        candidates: tuple[Candidate, ...] = ()
        if recogniser is not None and proposal is not None:
            with one_blas_thread() if workers() <= 2 else nullcontext():
                candidates = _recognised(recogniser, proposal, frame, look, guess)
        yield StageFinished("recognise", proposed_ms + (clock() - begun) * 1000, f"{len(candidates)} recognised")
        return FrameAnalysis(frame, look, candidates, part_of, knows, guess)

    def look_ahead(self, frame: Frame) -> None:
        """Begin to look at a frame that will probably be asked about. One is looked at after another; of those that
        wait, the newest takes the place of the others.
        """
        with self._lock:
            waiting, self._next = self._next is not None, frame
        if not waiting:
            self._ahead.submit(self._look_at_next)

    def _look_at_next(self) -> None:
        with self._lock:
            frame, self._next = self._next, None
        if frame is None:
            return
        try:
            for _ in self.see(frame):
                pass
        except Exception:  # whoever asks about it meets the same problem, and is told
            log.debug("looking ahead failed", exc_info=True)

    def glance(
        self, frame: Frame, *, correct: bool = True, read_text: bool = True
    ) -> Generator[Event, None, Callable[[], Sequence[str]]]:
        """Goes on at once while the text is read beside; the lines, which wait until it is. Nothing is recognised."""
        from assistant.vision.quality import measure

        key = _key(frame, correct, read_text)
        if (seen := self._recall(key)) is not None:
            yield StageFinished("look", 0.0, "seen before")
            yield Looked(seen.look)
            return lambda: [line.text for line in seen.look.texts]
        yield StageStarted("look")
        start = self._clock()
        quality = measure(frame)
        with self._lock:
            begun, known = self._running.get(key), self._glanced.get(key)
        if known is None:

            def read() -> list[str]:
                return [line.text for line in self._text_reader.read(_corrected(frame, quality, correct)[0])]

            @cache
            def of_begun() -> list[str]:
                seen = begun.wait() if begun is not None else None
                return [line.text for line in seen.look.texts] if seen is not None else read()

            if not read_text or shows_nothing(quality):
                lines: Callable[[], list[str]] = list
            else:
                lines = of_begun if begun is not None else self._pool.submit(read).result
            known = Glance(frame, lines)
            with self._lock:
                self._glanced[key] = known
                while len(self._glanced) > REMEMBERED_FRAMES:
                    self._glanced.popitem(last=False)
        yield StageFinished("look", (self._clock() - start) * 1000, "text is read beside")
        yield Looked(Look(quality, frame))
        return known.lines

    def last_frame(self, conversation: Conversation) -> Frame | None:
        """The conversation's last frame, however closely it was looked at, unless that was long ago."""
        digest = _last_digest(conversation)
        with self._lock:
            known = [*(seen.frame for seen in self._seen.values()), *(seen.frame for seen in self._glanced.values())]
        return next((frame for frame in known if frame.digest == digest), None)

    def remembered(self, conversation: Conversation) -> FrameAnalysis | None:
        """What was seen on the conversation's last frame, unless that was long ago."""
        return self._recall(_last_digest(conversation))

    def forget(self, digest: str | None) -> None:
        """Drop what was seen on a frame and on parts of it, pixels included."""
        with self._lock:
            for key in [k for k, seen in self._seen.items() if digest in (seen.frame.digest, seen.part_of)]:
                del self._seen[key]
            for key in [k for k, glance in self._glanced.items() if digest == glance.frame.digest]:
                del self._glanced[key]
            for key in [k for k, one in self._running.items() if digest in (one.frame.digest, one.part_of)]:
                del self._running[key]  # what is seen is not kept then
            if self._next is not None and self._next.digest == digest:
                self._next = None

    def warm(self) -> None:
        """Load what the first frame would wait for."""
        import numpy as np

        blank = Frame(np.full((96, 96, 3), 255, np.uint8))
        self._text_reader.read(blank)
        if self._recogniser is not None:
            self._recogniser.propose(blank)

    def _recall(self, key: str | None) -> FrameAnalysis | None:
        with self._lock:
            seen = self._seen.get(key or "")
            if seen is not None:
                self._seen.move_to_end(key or "")
        return self._looked_again(key, seen) if key and seen is not None and seen.knows != self._knows() else seen

    def _looked_again(self, key: str, seen: FrameAnalysis) -> FrameAnalysis:
        """What is known now, on a frame that was seen before something was taught or forgotten."""
        knows, recogniser = self._knows(), self._recogniser
        candidates = seen.candidates
        if recogniser is not None and not shows_nothing(seen.look.quality):
            proposal = recogniser.propose(seen.look.corrected)
            candidates = _recognised(recogniser, proposal, seen.frame, seen.look, seen.guess)
        return self._remember(key, replace(seen, candidates=candidates, knows=knows))

    def _knows(self) -> int:
        return getattr(self._recogniser, "knows", 0)

    def _remember(self, key: str, seen: FrameAnalysis) -> FrameAnalysis:
        with self._lock:
            self._seen[key] = seen
            while len(self._seen) > REMEMBERED_FRAMES:
                self._seen.popitem(last=False)
        return seen
