"""A turn while it is being made: what was asked, what is there so far, and the form that every refusal has."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.events import Trace
from assistant.core.options import Conditions
from assistant.core.types import (
    REFUSAL,
    Answer,
    Candidate,
    Conversation,
    Evidence,
    Frame,
    Sentence,
    Status,
    Turn,
    Usage,
)


class Stop(Exception):
    """Ends a turn early, with a status and the reason a user is told."""

    def __init__(self, status: Status, reason: str):
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


class Timing:
    """Wall time of a block, in ms: `with Timing(clock) as ms: ...; ms()`."""

    def __init__(self, clock: Callable[[], float]):
        self._clock = clock

    def __enter__(self) -> Callable[[], float]:
        self._start = self._clock()
        self._end: float | None = None
        return lambda: ((self._end or self._clock()) - self._start) * 1000

    def __exit__(self, *_: object) -> None:
        self._end = self._clock()


@dataclass(frozen=True)
class Request:
    """What `Assistant.answer` was given, and how long it may still take."""

    conversation: Conversation
    question: str
    frame: Frame | None
    given: Mapping[str, Any]
    conditions: Conditions
    cancelled: threading.Event | None
    limit_s: float
    started: float
    clock: Callable[[], float]

    @property
    def handed(self) -> tuple[Evidence, ...] | None:
        """The evidence to answer from, where a visitor chose it or a run hands it in; None retrieves as usual."""
        chosen = self.conditions.evidence
        return chosen if chosen is not None else self.given.get("evidence")

    def left_s(self) -> float:
        return self.limit_s - (self.clock() - self.started)

    def go_on(self) -> None:
        """Raise `Stop` where the turn was cancelled or has taken too long."""
        if self.cancelled is not None and self.cancelled.is_set():
            raise Stop("cancelled", "stopped before the answer was ready")
        if self.left_s() < 0:
            raise Stop("timeout", f"no answer within {self.limit_s:.0f} s")


class OpenTurn:
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
        self.usage: Usage | None = None
        self.risk: float | None = None

    def used(self, usage: Usage) -> None:
        """One more call was made for this turn."""
        self.usage = usage if self.usage is None else self.usage.plus(usage)

    def stop(self, status: Status, reason: str) -> None:
        self.status, self.reason, self.sentences = status, reason, []

    def close(self, trace: Trace) -> Turn:
        text = written(self.sentences)
        if self.status in ("abstained", "retake"):
            text = refusal(self.reason)
        said = tuple(self.sentences)
        answer = Answer(text, self.status, self.reason, said, self.entity, self.evidence, self.usage, self.risk)
        return Turn(self.question, answer, self.frame_digest, self.subjects, trace.timings_ms)


def written(sentences: Sequence[Sentence]) -> str:
    """Sentences as one text; a picture's placeholder stands on a line of its own."""
    text, before = "", False
    for sentence in sentences:
        alone = sentence.picture is not None
        text += ("\n" if alone or before else " ") * bool(text) + sentence.text
        before = alone
    return text


def refusal(reason: str) -> str:
    """An abstention as it is shown: begins with the words that the benchmark's public rule looks for."""
    reason = reason.strip().rstrip(".")
    if reason.startswith(REFUSAL):
        return f"{reason}."
    return f"{REFUSAL}: {reason}." if reason else f"{REFUSAL}."
