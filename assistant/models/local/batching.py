"""Runs with a model on this machine: prompts that wait at the same time are answered in one batch.

On a GPU a batch takes hardly longer than its longest reply, so `--concurrency 8` is several times as fast as 1; who
asks needs to know nothing of it. A page streams and asks one question at a time, so it uses the model itself.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor

from assistant.models.local.model import LocalModel, LocalStream, Work
from assistant.models.protocol import Loading, ModelReply, Prompt

#: More in one batch would not fit beside the weights of a small GPU.
MOST_AT_ONCE = 16
#: So long the first one waits for others; callers that run side by side ask within milliseconds of each other.
GATHER_S = 0.02


class _Waiting(Work):
    """One prompt that is answered with others, in the batch's thread instead of one of its own."""

    def __init__(self, batched: BatchedModel, prompt: Prompt) -> None:
        super().__init__(batched.model, [prompt], in_pieces=False)
        self._batched, self.prompt = batched, prompt

    def pieces(self, within_s: float | None, cancelled: threading.Event | None) -> Generator[str, None, None]:
        end = None if within_s is None else time.monotonic() + within_s
        try:
            self._batched.enqueue(self)
            yield from self._arriving(end, cancelled)
            if self.replies[0].text:
                yield self.replies[0].text
        finally:
            self.stop.set()

    def give(self, reply: ModelReply) -> None:
        self.replies = [reply]
        self._arrivals.put(None)

    def fail(self, problem: Exception) -> None:
        self._arrivals.put(problem)


class _NoneWanted(threading.Event):
    """Set once nobody waits for any reply of a batch."""

    def __init__(self, batch: Sequence[_Waiting]) -> None:
        super().__init__()
        self._batch = batch

    def is_set(self) -> bool:
        return all(one.stop.is_set() for one in self._batch)


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
    ) -> LocalStream:
        """Begin a reply, which comes whole; errors as for `LocalModel.ask`."""
        return LocalStream(self.model, prompt, within_s, cancelled, _Waiting(self, prompt))

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
            for one, reply in zip(batch, self._replies(batch), strict=True):
                one.give(reply)
        except Exception as problem:
            if len(batch) == 1:
                batch[0].fail(problem)
                return
            for one in batch:  # the fault may be one prompt's own, or the batch's size
                try:
                    one.give(self._replies([one])[0])
                except Exception as own:
                    one.fail(own)

    def _take(self) -> list[_Waiting]:
        """The first that waits and those that may share its batch."""
        with self._lock:
            while self._waiting and self._waiting[0].stop.is_set():
                self._waiting.popleft()
            if not self._waiting:
                return []
            key = _shares(self._waiting[0].prompt)
            batch = [one for one in self._waiting if _shares(one.prompt) == key and not one.stop.is_set()]
            batch = batch[: self._at_once]
            self._waiting = deque(one for one in self._waiting if one not in batch)
            return batch

    def _replies(self, batch: Sequence[_Waiting]) -> list[ModelReply]:
        prompts = [one.prompt for one in batch]
        return self.model.ask_many(prompts, at_once=len(prompts), cancelled=_NoneWanted(batch))


def _shares(prompt: Prompt) -> tuple[object, ...]:
    return prompt.max_tokens, prompt.temperature, prompt.seed, prompt.first_token, len(prompt.images)
