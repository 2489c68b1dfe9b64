"""Asks an OpenAI-compatible chat endpoint, patiently: time-outs, back-off, Retry-After, streams that go on.

    client = ChatClient(ChatOptions(base_url="http://localhost:8000/v1", api_key=None, model="some-model"))
    reply = client.complete([{"role": "user", "content": "What is on the table?"}], images=[jpeg_bytes])
    stream = client.stream(messages)
    for piece in stream: ...
    stream.reply      # the whole `ModelReply`, once the stream has ended

Used by the answerer (`chat`) and by judges. The `openai` client's own repeating is off, so that every try is ours
and counted. A client is safe to share between threads. What is sent is in `chat_request`, one try in `chat_wire`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from assistant.core.errors import Cancelled, EndpointBusy, EndpointRefused
from assistant.core.types import Usage
from assistant.models.chat.received import Received
from assistant.models.chat.request import ChatOptions, Payload, Prices, digest, render
from assistant.models.chat.transport import UnknownField, Wire
from assistant.models.protocol import Loading, Message, ModelReply, Prompt
from assistant.models.thinking import part

__all__ = ["ChatClient", "ChatOptions", "ChatStream", "Prices", "ReplyStore"]

_SLICE_S = 0.1


class ReplyStore(Protocol):
    """Keeps replies by the digest of their request. Called from several threads at once."""

    def get(self, key: str) -> ModelReply | None: ...

    def put(self, key: str, reply: ModelReply) -> None: ...


class ChatClient:
    """One endpoint and one model.

    Args:
        options: whom to ask and how patiently.
        clock: seconds that only grow, for the time that all tries of a call may take together.
        sleep: waits between tries.
        jitter: spreads the waits of callers that were turned away together.
        replies: asked before, and told after, every deterministic call (temperature 0) that ended well and said
            something; failures and empty replies are never kept.
    """

    def __init__(
        self,
        options: ChatOptions,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: random.Random | None = None,
        replies: ReplyStore | None = None,
    ) -> None:
        self.options = options
        self._wire = Wire(options)
        self._clock, self._sleep = clock, sleep
        self._jitter = jitter or random.Random()
        self._replies = replies
        self._unknown: frozenset[str] = frozenset()  # optional fields that this server refused; replaced, not changed
        self._thinks_first: bool | None = None  # whether its thoughts come without an opening tag; None: not seen yet

    @property
    def sees(self) -> bool:
        return self.options.sees

    @property
    def picture_px(self) -> int:
        return self.options.picture_px

    def ask(
        self,
        prompt: Prompt,
        *,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
        in_pieces: bool = True,
    ) -> ChatStream:
        """The reply piece by piece (see `VisionLanguageModel.ask`); errors come while iterating.

        Raises, while iterating:
            EndpointBusy: all tries failed for reasons that pass.
            EndpointRefused: asking again would not help.
            Cancelled: `cancelled` was set.
        """
        return ChatStream(self, render(self.options.model, prompt), within_s, cancelled, streamed=in_pieces)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
        **how: Any,
    ) -> ChatStream:
        """As `ask`; `how`: the other fields of a `Prompt`."""
        return self.ask(Prompt(messages, **how), within_s=within_s, cancelled=cancelled)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
        **how: Any,
    ) -> ModelReply:
        """The whole reply at once; arguments and errors as for `stream`."""
        exchange = self.ask(Prompt(messages, **how), within_s=within_s, cancelled=cancelled, in_pieces=False)
        for _ in exchange:
            pass
        return exchange.reply

    def warm(self, progress: Loading | None = None) -> None:
        """Nothing to load: a server has its own memory, and is not asked before there is a question."""

    def digest(self, prompt: Prompt) -> str:
        """What a reply to `prompt` may be kept under: address, model, text, picture bytes, sampling."""
        return self._digest(render(self.options.model, prompt))

    def close(self) -> None:
        self._wire.close()

    # what an exchange needs

    def _digest(self, payload: Payload) -> str:
        return digest(self.options.endpoint, payload)

    def _notice(self, reply: ModelReply) -> None:
        """What a whole reply shows of the model's habits; who thought once may always do so."""
        if part(reply.text).unopened:
            self._thinks_first = True
        elif self._thinks_first is None and reply.whole:
            self._thinks_first = False

    def _kept(self, payload: Payload) -> ModelReply | None:
        if self._replies is None or payload.get("temperature") != 0:
            return None
        return self._replies.get(self._digest(payload))

    def _keep(self, payload: Payload, reply: ModelReply) -> None:
        if self._replies is not None and payload.get("temperature") == 0 and reply.says_something:
            self._replies.put(self._digest(payload), reply)

    def _as_sent(self, payload: Payload, streamed: bool) -> Payload:
        sent = dict(payload)
        if streamed:
            sent |= {"stream": True, "stream_options": {"include_usage": True}}
        if "max_tokens" in self._unknown and "max_tokens" in sent:
            sent["max_completion_tokens"] = sent.pop("max_tokens")
        return {name: value for name, value in sent.items() if name not in self._unknown}

    def _leave_out(self, problem: UnknownField, sent: Payload) -> None:
        """Do without a field that the server does not know; raises when that was not the matter."""
        if problem.name not in sent:
            raise EndpointRefused(str(problem)) from None
        self._unknown = self._unknown | {problem.name}

    def _wait(self, busy: EndpointBusy, tries: int, end: float | None, cancelled: threading.Event | None) -> None:
        """Rest before the next try; raises `busy` when there will be none."""
        busy.tries = tries
        wait = min(self.options.backoff_s * 2.0 ** (tries - 1), self.options.longest_wait_s)
        wait *= 0.5 + 0.5 * self._jitter.random()
        wait = max(wait, busy.retry_after_s or 0.0)
        too_long = wait > self.options.longest_wait_s or (end is not None and self._clock() + wait >= end)
        if tries >= self.options.max_tries or too_long:
            raise busy from None
        while wait > 0:
            if cancelled is not None and cancelled.is_set():
                raise Cancelled("stopped while waiting to ask the chat endpoint again")
            step = min(wait, _SLICE_S) if cancelled is not None else wait
            self._sleep(step)
            wait -= step


class ChatStream(Iterator[str]):
    """One call: iterate for the pieces of text, thinking in tags included; `reply` is there once it has ended."""

    def __init__(
        self,
        client: ChatClient,
        payload: Payload,
        within_s: float | None,
        cancelled: threading.Event | None,
        *,
        streamed: bool,
    ) -> None:
        self._client, self._payload, self._streamed = client, payload, streamed
        self._within_s, self._cancelled = within_s, cancelled
        self._reply: ModelReply | None = None
        self._received = Received()
        self._pieces = self._run()

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Give up; the connection is let go."""
        self._pieces.close()

    @property
    def may_be_thinking(self) -> bool:
        """Whether what has come so far may turn out to be thinking although no tag opened it.

        A prompt that opens the thinking does so every time, so one whole reply tells it of a model. Where the server
        gives the thinking apart, the text is none.
        """
        return self._client._thinks_first is not False and not self._received.reasoning

    @property
    def reply(self) -> ModelReply:
        if self._reply is None:
            raise RuntimeError("the reply is known only once the stream has been read to its end")
        return self._reply

    @property
    def usage(self) -> Usage:
        reply, prices = self.reply, self._client.options.prices
        asked, written = reply.prompt_tokens, reply.completion_tokens
        cost = None
        if prices is not None and asked is not None and written is not None:
            cost = 0.0 if reply.cached else prices.cost(asked, written)
        return Usage(reply.model, asked, written, cost, reply.tries, reply.cached)

    def _run(self) -> Any:
        client = self._client
        if (kept := client._kept(self._payload)) is not None:
            self._reply = replace(kept, cached=True, tries=0)
            client._notice(self._reply)
            yield kept.text
            return
        end = None if self._within_s is None else client._clock() + self._within_s
        given, tries = "", 0
        while True:
            sent = client._as_sent(self._payload, self._streamed)
            received = self._received = Received()
            try:
                for piece in self._once(sent, received, given, end):
                    given += piece
                    yield piece
                break
            except UnknownField as problem:
                client._leave_out(problem, sent)
            except EndpointBusy as busy:
                tries += 1
                client._wait(busy, tries, end, self._cancelled)
        self._reply = ModelReply(
            received.text,
            received.model or client.options.model,
            received.prompt_tokens,
            received.completion_tokens,
            received.finish_reason,
            tries + 1,
            received.reasoning,
            first_token=received.first_token,
            tool_calls=received.tool_calls,
        )
        client._notice(self._reply)
        client._keep(self._payload, self._reply)

    def _once(self, sent: Payload, received: Received, given: str, end: float | None) -> Iterator[str]:
        """One try. After a stream that broke off, what was given before is asked for again and must come again."""
        client = self._client
        left = client.options.timeout_s if end is None else min(client.options.timeout_s, end - client._clock())
        again = ""  # what has come of `given`
        for piece in client._wire.once(sent, received, left, self._cancelled):
            if len(again) < len(given):
                again += piece
                shared = min(len(again), len(given))
                if again[:shared] != given[:shared]:
                    raise EndpointRefused(
                        f"the chat endpoint {client.options.endpoint} broke off and then began another answer"
                    )
                piece = again[len(given) :]
            if piece:
                yield piece
        if len(again) < len(given):
            raise EndpointRefused(
                f"the chat endpoint {client.options.endpoint} broke off and then gave a shorter answer"
            )
