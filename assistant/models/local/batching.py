"""Runs with a model on this machine: prompts that wait at the same time are answered in one batch.

On a GPU a batch takes hardly longer than its longest reply, so `--concurrency 8` is several times as fast as 1; who
asks needs to know nothing of it. A page streams and asks one question at a time, so it uses the model itself.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field, replace

from assistant.core.errors import Cancelled, VitrineError
from assistant.core.types import Usage
from assistant.models.local.model import POLL_S, LocalModel, too_slow
from assistant.models.protocol import Loading, ModelReply, Prompt

#: More in one batch would not fit beside the weights of a small GPU.
MOST_AT_ONCE = 16
#: So long the first one waits for others; callers that run side by side ask within milliseconds of each other.
GATHER_S = 0.02


@dataclass(eq=False)
class _Waiting:
    prompt: Prompt
    reply: Future[ModelReply] = field(default_factory=Future)
    unwanted: threading.Event = field(default_factory=threading.Event)


class _NoneWanted(threading.Event):
    """Set once nobody waits for any reply of a batch."""

    def __init__(self, batch: list[_Waiting]) -> None:
        super().__init__()
        self._batch = batch

    def is_set(self) -> bool:
        return all(one.unwanted.is_set() for one in self._batch)


class BatchedModel:
    """A `LocalModel` that answers what waits together in batches of at most `at_once`; safe to share."""

    def __init__(self, model: LocalModel, at_once: int = MOST_AT_ONCE) -> None:
        self.model, self._at_once = model, at_once
        self._waiting: deque[_Waiting] = deque()
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-batch")

    @property
    def sees(self) -> bool:
        return self.model.sees

    @property
    def picture_px(self) -> int:
        return self.model.picture_px

    def warm(self, progress: Loading | None = None) -> None:
        self.model.warm(progress)

    def digest(self, prompt: Prompt) -> str:
        return self.model.digest(prompt)

    def ask(
        self,
        prompt: Prompt,
        *,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
        in_pieces: bool = True,
    ) -> BatchedStream:
        """Begin a reply, which comes whole; errors as for `LocalModel.ask`."""
        return BatchedStream(self, prompt, within_s, cancelled)

    def enqueue(self, waiting: _Waiting) -> None:
        with self._lock:
            self._waiting.append(waiting)
        self._worker.submit(self._answer_some)

    def _answer_some(self) -> None:
        """In the worker: one batch of what waits, if anything does."""
        with self._lock:
            alone = 0 < len(self._waiting) < self._at_once
        if alone:
            time.sleep(GATHER_S)
        batch = self._take()
        if not batch:
            return
        try:
            replies = self._replies(batch)
        except Exception as problem:
            if len(batch) == 1:
                batch[0].reply.set_exception(problem)
                return
            for one in batch:  # the fault may be one prompt's own, or the batch's size
                try:
                    one.reply.set_result(self._replies([one])[0])
                except Exception as own:
                    one.reply.set_exception(own)
            return
        for one, reply in zip(batch, replies, strict=True):
            one.reply.set_result(reply)

    def _take(self) -> list[_Waiting]:
        """The first that waits and those that may share its batch."""
        with self._lock:
            while self._waiting and self._waiting[0].unwanted.is_set():
                self._waiting.popleft()
            if not self._waiting:
                return []
            key = _shares(self._waiting[0].prompt)
            batch = [one for one in self._waiting if _shares(one.prompt) == key and not one.unwanted.is_set()]
            batch = batch[: self._at_once]
            self._waiting = deque(one for one in self._waiting if one not in batch)
            return batch

    def _replies(self, batch: list[_Waiting]) -> list[ModelReply]:
        prompts = [one.prompt for one in batch]
        return self.model.ask_many(prompts, at_once=len(prompts), cancelled=_NoneWanted(batch))


def _shares(prompt: Prompt) -> tuple[object, ...]:
    return prompt.max_tokens, prompt.temperature, prompt.seed, prompt.first_token, len(prompt.images)


class BatchedStream(Iterator[str]):
    """One call, whose one piece is the whole text (`models.protocol.ModelStream`)."""

    def __init__(
        self, batched: BatchedModel, prompt: Prompt, within_s: float | None, cancelled: threading.Event | None
    ) -> None:
        self._batched, self._prompt, self._within_s, self._cancelled = batched, prompt, within_s, cancelled
        self._waiting = _Waiting(prompt)
        self._reply: ModelReply | None = None

    def __next__(self) -> str:
        if self._reply is not None or self._waiting.unwanted.is_set():
            raise StopIteration
        model = self._batched.model
        if (kept := model.kept(self._prompt)) is not None:
            self._reply = replace(kept, cached=True, tries=0)
        else:
            self._batched.enqueue(self._waiting)
            self._reply = self._wait(model)
            model.keep(self._prompt, self._reply)
        model.notice(self._reply)
        return self._reply.text

    def _wait(self, model: LocalModel) -> ModelReply:
        end = None if self._within_s is None else time.monotonic() + self._within_s
        while True:
            try:
                return self._waiting.reply.result(timeout=POLL_S)
            except NotYet:
                if self._cancelled is not None and self._cancelled.is_set():
                    self.close()
                    raise Cancelled("stopped before the local model had answered") from None
                if end is not None and time.monotonic() >= end:
                    self.close()
                    raise too_slow(model.name) from None
            except VitrineError:
                self.close()
                raise

    def close(self) -> None:
        """Give up; a batch that nobody waits for any more ends with its next token."""
        self._waiting.unwanted.set()

    @property
    def may_be_thinking(self) -> bool:
        return self._batched.model.thinks_first

    @property
    def reply(self) -> ModelReply:
        if self._reply is None:
            raise RuntimeError("the reply is known only once the stream has been read to its end")
        return self._reply

    @property
    def usage(self) -> Usage:
        reply = self.reply
        return Usage(reply.model, reply.prompt_tokens, reply.completion_tokens, None, reply.tries, reply.cached)
