"""What comes back of `/v1/chat/completions`: events of a stream, chunks and bodies, and what they hold."""

from __future__ import annotations

import json
import math
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from assistant.core.whole_text import HalfKept, whole_text
from assistant.models.endings import Ending, ending
from assistant.models.protocol import ToolCall

#: Calls of one reply, and characters of one call's arguments, beyond which nothing is kept.
_MOST_CALLS, _MOST_ARGUMENT_CHARS = 64, 100_000


@dataclass
class Call:
    """A call of a function while it comes: of a stream, its arguments piece by piece."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class Received:
    """What has come so far; `text` grows, the rest is known at the end.

    `calls` are the functions that the model wants called, by their place; `pictured`: the request carried a picture;
    `connection`: what it is coming through, where that is known.
    """

    text: str = ""
    reasoning: str = ""
    model: str = ""
    finish_reason: Ending | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    first_token: Mapping[str, float] = field(default_factory=dict)
    calls: dict[int, Call] = field(default_factory=dict)
    pictured: bool = False
    connection: Any = None
    over: bool = False
    gave_up: threading.Event = field(default_factory=threading.Event)
    join_text: HalfKept = field(default_factory=HalfKept)
    join_reasoning: HalfKept = field(default_factory=HalfKept)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls that name a function, in their order; one without an id gets one."""
        named = [call for _, call in sorted(self.calls.items()) if call.name]
        return tuple(
            ToolCall(*(whole_text(text) for text in (call.id or f"call-{n}", call.name, call.arguments)))
            for n, call in enumerate(named)
        )

    def trace(self, event: str, about: Mapping[str, Any]) -> None:
        """What httpcore tells of a request (its extension `trace`): the connection that is opened for it."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.connection = about.get("return_value")
            if self.gave_up.is_set():
                self.hang_up()

    def hang_up(self) -> None:
        """Give the reply up: the server is told by the end of the connection, and stops working on it."""
        self.gave_up.set()
        if not self.over and self.connection is not None:
            with suppress(Exception):  # it may be closed already
                self.connection.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def events_of(arriving: Iterable[bytes]) -> Iterator[str]:
    """The data of each event of a stream of server-sent events; comments, names and other fields are passed over."""
    rest, lines = b"", []
    for piece in arriving:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif not line and lines:
                yield b"\n".join(lines).decode("utf-8")
                lines = []
    if rest.startswith(b"data:"):
        lines.append(rest[5:].strip())
    if lines:  # the empty line after the last event is often left out
        yield b"\n".join(lines).decode("utf-8")


def take(body: Mapping[str, Any], part: str, received: Received) -> Iterator[str]:
    """Moves one body or one chunk of a stream into `received` and gives its text on."""
    received.model = whole_text(str(body.get("model") or received.model))
    usage = body.get("usage")
    if isinstance(usage, Mapping):
        received.prompt_tokens = count(usage.get("prompt_tokens"), received.prompt_tokens)
        received.completion_tokens = count(usage.get("completion_tokens"), received.completion_tokens)
    choices = body.get("choices") or [{}]
    choice = choices[0] if isinstance(choices, list) and isinstance(choices[0], Mapping) else {}
    said = choice.get(part) or {}
    received.finish_reason = ending(choice.get("finish_reason")) or received.finish_reason
    received.first_token = received.first_token or _first_token(choice.get("logprobs"))
    text, thoughts = _texts(said.get("content"))
    thoughts += str(said.get("reasoning_content") or said.get("reasoning") or "")
    received.reasoning += received.join_reasoning(thoughts)
    calls = said.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, Mapping):
            _take_call(call, received)
    if refusal := said.get("refusal"):
        text, received.finish_reason = f"{text}{refusal}", "content_filter"
    if text := received.join_text(text):
        received.text += text
        yield text


def _take_call(part: Mapping[str, Any], received: Received) -> None:
    """One call, or one more piece of it. Servers that number no pieces begin a new call with its name."""
    function = part.get("function")
    function = function if isinstance(function, Mapping) else {}
    name, place = str(function.get("name") or ""), part.get("index")
    if not isinstance(place, int) or isinstance(place, bool):
        last = max(received.calls, default=-1)
        place = last + 1 if name or last < 0 else last
    if place not in received.calls and len(received.calls) >= _MOST_CALLS:
        return
    call = received.calls.setdefault(place, Call())
    call.id, call.name = call.id or str(part.get("id") or ""), call.name or name
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping | list):  # some servers give them parsed
        arguments = json.dumps(arguments, ensure_ascii=False)
    call.arguments = (call.arguments + str(arguments or ""))[:_MOST_ARGUMENT_CHARS]


def _first_token(logprobs: Any) -> dict[str, float]:
    """Probabilities of the likeliest tokens at the first place, where they are given."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    first = content[0] if isinstance(content, list) and content else None
    found: dict[str, float] = {}
    for one in (first.get("top_logprobs") or [first]) if isinstance(first, Mapping) else ():
        if isinstance(one, Mapping) and isinstance(one.get("logprob"), int | float):
            found[whole_text(str(one.get("token")))] = min(1.0, math.exp(min(0.0, one["logprob"])))
    return found


def _texts(content: Any) -> tuple[str, str]:
    """The text of a content, and the thinking that some servers put beside it as parts of another type."""
    if not isinstance(content, list):
        return str(content or ""), ""
    text = thoughts = ""
    for piece in content:
        if isinstance(piece, Mapping):
            kind = str(piece.get("type") or "text")
            if kind in ("text", "output_text"):
                text += str(piece.get("text") or "")
            else:
                thoughts += str(piece.get("text") or "")
    return text, thoughts


def count(value: Any, before: int | None) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError):
        return before
