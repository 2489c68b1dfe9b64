"""What passes between the runner and an agent: turns that are asked, and what became of them.

An agent of ours is a callable with the signature of `Assistant.answer`; `OneAtATime` makes it an `Agent`. Agents that
take several turns in one call (those of the public kit, `eval.agents.public_kit`) are `Agent`s themselves. An agent
never raises for a turn: it returns a failed turn, a `Busy` when another try is worth while, or None when it was
stopped.
"""

from __future__ import annotations

import inspect
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from assistant.core.errors import EndpointBusy, VitrineError
from assistant.core.events import Event, Finished, StageStarted, Trace
from assistant.core.types import Answer, Conversation, Frame, Status, Turn
from eval.data.samples import Sample, SampleTurn

#: A turn that waits for its place looks up so often whether the run was stopped.
_LOOK_UP_S = 0.2
#: (conversation, question, frame, given=...) → events, the last one `Finished`. `Assistant.answer` is one.
AnswerFunction = Callable[..., Iterator[Event]]


@dataclass(frozen=True)
class Asked:
    """One turn that is ready to be answered: everything before it in its conversation has been."""

    sample: Sample
    turn: SampleTurn
    conversation: Conversation
    frame: Frame | None
    given: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Made:
    """A finished turn, whatever its status. `error` is the traceback of one that raised, `waited_ms` how long it stood
    in line before its agent began, which is no part of what it took."""

    turn: Turn
    trace: Trace
    error: str = ""
    waited_ms: float = 0.0


@dataclass(frozen=True)
class Busy:
    """The turn was not answered this time; see `EndpointBusy`. `trace` is what had happened until then."""

    reason: str
    retry_after_s: float | None = None
    timed_out: bool = False
    too_often: bool = False
    trace: Trace | None = None


Outcome = Made | Busy | None


class Agent(Protocol):
    """Answers up to `batch_size` turns of different conversations in one call; one outcome for each, in order."""

    batch_size: int

    def answer(self, asked: Sequence[Asked], stop: threading.Event) -> Sequence[Outcome]: ...


def failed(asked: Asked, status: Status, reason: str, error: str = "", trace: Trace | None = None) -> Made:
    """The turn as one that was not answered."""
    digest = asked.frame.digest if asked.frame else None
    return Made(Turn(asked.turn.query, Answer("", status, reason), digest), trace or Trace(), error)


class OneAtATime:
    """An answer function as an agent; called from as many threads as turns are asked side by side.

    Args:
        answer: the function.
        seeing: how many turns may look, search and retrieve at a time, on this machine's own cores; the others wait
            before they begin. From the stage `answer` on a turn waits for an endpoint and counts no more. None for
            agents that have no such stages.
    """

    batch_size = 1

    def __init__(self, answer: AnswerFunction, seeing: int | None = None):
        self._answer = answer
        self._cancels = _takes(answer, "cancelled")
        self._seeing = threading.BoundedSemaphore(seeing) if seeing else None

    def answer(self, asked: Sequence[Asked], stop: threading.Event) -> Sequence[Outcome]:
        return [self._one(one, stop) for one in asked]

    def _one(self, asked: Asked, stop: threading.Event) -> Outcome:
        """One turn; None when the run was stopped meanwhile, so that a resumed run makes the turn anew."""
        begun = time.perf_counter()
        with _Place(self._seeing, stop) as place:
            if stop.is_set():
                return None
            waited_ms = (time.perf_counter() - begun) * 1000
            outcome = self._answered(asked, stop, place)
        return replace(outcome, waited_ms=waited_ms) if isinstance(outcome, Made) else outcome

    def _answered(self, asked: Asked, stop: threading.Event, place: _Place) -> Outcome:
        trace = Trace()
        start = time.perf_counter()
        options: dict[str, Any] = {"given": asked.given} if asked.given else {}
        if self._cancels:
            options["cancelled"] = stop
        try:
            for event in self._answer(asked.conversation, asked.turn.query, asked.frame, **options):
                trace.add((time.perf_counter() - start) * 1000, event)
                if stop.is_set():
                    return None
                if isinstance(event, StageStarted) and event.stage == "answer":
                    place.leave()
                if isinstance(event, Finished):
                    return Made(event.turn, trace)
            raise RuntimeError("the agent's events ended without a finished turn")
        except EndpointBusy as busy:
            return Busy(str(busy), busy.retry_after_s, busy.timed_out, busy.too_often, trace)
        except VitrineError as problem:
            return None if stop.is_set() else failed(asked, "error", str(problem), traceback.format_exc(), trace)
        # The edge of the worker: whatever an agent raises is this one turn's status, with the traceback in its trace.
        except Exception as problem:
            reason = f"the agent failed ({type(problem).__name__})"
            return failed(asked, "error", reason, traceback.format_exc(), trace)


class _Place:
    """A turn's place among those that see and search now; None as `line` where there is no limit to them."""

    def __init__(self, line: threading.BoundedSemaphore | None, stop: threading.Event):
        self._line = line
        self._stop = stop
        self._taken = False

    def __enter__(self) -> _Place:
        while self._line is not None and not self._taken and not self._stop.is_set():
            self._taken = self._line.acquire(timeout=_LOOK_UP_S)
        return self

    def leave(self) -> None:
        """Let the next one in."""
        if self._taken and self._line is not None:
            self._taken = False
            self._line.release()

    def __exit__(self, *_: object) -> None:
        self.leave()


def as_agent(answer: AnswerFunction | Agent) -> Agent:
    """What `generate` was given, as an agent."""
    return OneAtATime(answer) if not hasattr(answer, "batch_size") else cast(Agent, answer)


def _takes(function: Callable[..., Any], name: str) -> bool:
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
