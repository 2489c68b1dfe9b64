"""Asking a model: what goes wrong becomes the turn's status, and short questions beside the answer itself.

A short question is one reply that is not streamed, within the turn's time; it ends when the turn is cancelled, and what
it took is added to the turn's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from assistant.core.errors import Cancelled, EndpointBusy, VitrineError
from assistant.core.turn_builder import OpenTurn, Request, Stop
from assistant.core.types import Usage
from assistant.models.protocol import ModelReply, Prompt
from assistant.models.thinking import part as without_thinking
from assistant.pipelines.base import Tools
from assistant.pipelines.time_left import Part

#: Short questions of one turn that are on their way at a time.
AT_ONCE = 4
#: Time-outs come this much earlier than the turn's end, by different clocks.
_SLACK_S = 0.05


@contextmanager
def as_status(tools: Tools, left_s: Callable[[], float]) -> Iterator[None]:
    """What a model raises within the block becomes the turn's status.

    In runs whoever runs asks again where an endpoint is busy, unless the turn's own time is over.

    Raises:
        Stop: the model gave no answer.
        EndpointBusy: in runs only.
    """
    try:
        yield
    except EndpointBusy as busy:
        if tools.for_run and not (busy.timed_out and left_s() <= _SLACK_S):
            raise
        raise Stop("timeout" if busy.timed_out else "error", str(busy)) from None
    except Cancelled:
        raise Stop("cancelled", "stopped before the answer was ready") from None
    except VitrineError as problem:
        raise Stop("error", str(problem)) from None


def ask(prompt: Prompt, part: Part, request: Request, turn: OpenTurn, tools: Tools) -> ModelReply:
    """The reply to one short question, which is asked for that part of the turn.

    Raises:
        Stop, EndpointBusy: as `as_status`.
    """
    return ask_each([prompt], part, request, turn, tools)[0]


def ask_each(prompts: Sequence[Prompt], part: Part, request: Request, turn: OpenTurn, tools: Tools) -> list[ModelReply]:
    """The replies to several short questions, a few asked at a time; once one fails the others are given up.

    What they took is remembered as the time of the `part`, unless one was known already.

    Raises:
        Stop, EndpointBusy: as `as_status`.
    """
    request.go_on()
    if not prompts:
        return []
    given_up = _Either(request.cancelled)
    start = tools.clock()

    def one(prompt: Prompt) -> tuple[ModelReply, Usage]:
        assert tools.model is not None
        if given_up.is_set():
            raise Cancelled("stopped before this was asked")
        try:
            stream = tools.model.ask(prompt, within_s=request.left_s(), cancelled=given_up, in_pieces=False)
            try:
                for _ in stream:
                    pass
            finally:
                stream.close()
            return stream.reply, stream.usage
        except BaseException:
            given_up.set()
            raise

    with ThreadPoolExecutor(min(AT_ONCE, len(prompts)), thread_name_prefix="ask") as pool:
        asked = [pool.submit(one, prompt) for prompt in prompts]
    problems = [problem for a in asked if (problem := a.exception()) is not None]
    for made in asked:
        if made.exception() is None:
            turn.used(made.result()[1])
    with as_status(tools, request.left_s):
        if problems:  # those that were given up for another one are not the reason
            raise next((problem for problem in problems if not isinstance(problem, Cancelled)), problems[0])
    replies = [made.result()[0] for made in asked]
    if not any(reply.cached for reply in replies):
        tools.pace.note(part, tools.clock() - start)
    return replies


def said(reply: ModelReply) -> str:
    """What a reply says, without its thinking."""
    return without_thinking(reply.text).answer.strip()


class _Either(threading.Event):
    """Set by itself or together with another one."""

    def __init__(self, other: threading.Event | None) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        return super().is_set() or (self._other is not None and self._other.is_set())
