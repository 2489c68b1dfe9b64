"""A vision-language model on this machine, through transformers: the second that keeps `VisionLanguageModel`.

    model = LocalModel(Path("…/snapshots/…"), name="qwen3.5-2b")
    for piece in model.ask(Prompt([{"role": "user", "content": "What is this?"}], [jpeg])): ...

The weights are loaded by the first question or by `load`; several threads may ask, one is answered at a time.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import io
import json
import queue
import threading
import time
import weakref
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import BadInput, Cancelled, EndpointBusy, VitrineError
from assistant.core.types import Usage
from assistant.models.local.curated import ANSWER_TOKENS
from assistant.models.local.generating import Timing, generate
from assistant.models.local.loading import Loaded, identity, load, takes_pictures
from assistant.models.protocol import Loading, ModelReply, Prompt
from assistant.models.thinking import part

if TYPE_CHECKING:
    from assistant.models.chat.client import ReplyStore

#: For models that nobody has measured.
PICTURE_PX = 512
#: How often a waiting call looks whether it is still wanted.
POLL_S = 0.05
#: The process waits so long at its end for the token that is being made.
_LAST_TOKEN_S = 5.0
_MEASURED_TOKENS = 24


@dataclass(frozen=True)
class Speed:
    """How quick a model is here, with one small picture.

    Attributes:
        load_s: from the files to the memory; 0 where it was there already.
        first_token_s: from the question to the first token.
        tokens_per_s: after the first one.
        prompt_tokens: how long the prompt was, the picture included.
    """

    load_s: float
    first_token_s: float
    tokens_per_s: float
    prompt_tokens: int

    @property
    def answer_s(self) -> float:
        """About what two sentences take."""
        return self.first_token_s + ANSWER_TOKENS / self.tokens_per_s


class LocalModel:
    """One checkpoint.

    Args:
        path: a folder in the hub's format, or a GGUF file.
        name: as people call it; None for the folder's.
        device: cuda, mps, cpu; None for the best there is.
        picture_px: longest side of the pictures that it is shown.
        replies: as for `ChatClient`.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str | None = None,
        device: str | None = None,
        picture_px: int = PICTURE_PX,
        replies: ReplyStore | None = None,
    ) -> None:
        self.path, self.name, self.device = path, name or path.name, device
        self._picture_px, self._replies = picture_px, replies
        self._loaded: Loaded | None = None
        self._loading = threading.Lock()
        self._thinks_unopened = False  # thought once although neither prompt nor reply had opened it
        self.turn = threading.Lock()  # held by the one generation that is going on

    @functools.cached_property
    def sees(self) -> bool:
        """Whether it takes pictures.

        Raises:
            NotReady: there is no model at `path`.
        """
        return takes_pictures(self.path)

    @property
    def picture_px(self) -> int:
        return self._picture_px

    def with_replies(self, replies: ReplyStore | None) -> LocalModel:
        """The same weights and the same turn, with a store of replies."""
        if replies is self._replies:
            return self
        return _Sharing(self, replies)

    def load(self, progress: Loading | None = None) -> Loaded:
        """The weights in memory, read once.

        Raises:
            NotReady, BadInput: see `loading.load`.
        """
        with self._loading:
            if self._loaded is None:
                px = self._picture_px
                self._loaded = load(self.path, self.name, device=self.device, picture_px=px, progress=progress)
            return self._loaded

    def warm(self, progress: Loading | None = None) -> None:
        """Load what the first question would wait for."""
        self.load(progress)

    def ask(
        self,
        prompt: Prompt,
        *,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
        in_pieces: bool = True,
    ) -> LocalStream:
        """Begin a reply (see `VisionLanguageModel.ask`); errors come while iterating.

        Raises, while iterating:
            EndpointBusy: the time ran out, waiting for others included.
            NotReady: the model cannot be loaded.
            BadInput, BadImage: a prompt that it cannot be asked.
            ModelFailed: out of memory, or a fault of its own.
            Cancelled: `cancelled` was set.
        """
        return LocalStream(self, prompt, within_s, cancelled, Work(self, [prompt], in_pieces=in_pieces))

    def ask_many(
        self,
        prompts: Sequence[Prompt],
        *,
        at_once: int = 4,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
    ) -> list[ModelReply]:
        """Whole replies to many prompts, in order, the same that `ask` gives; `at_once` are made side by side.

        Only prompts that are alike in sampling and number of pictures share a batch, and none that takes chances.
        Errors as for `ask`; with the first one nothing more is asked.
        """
        if at_once < 1:
            raise BadInput(f"at least one prompt is asked at once, not {at_once!r}")
        alike: dict[object, list[int]] = {}
        for place, prompt in enumerate(prompts):
            alone = place if prompt.temperature != 0 else None
            alike.setdefault((prompt.max_tokens, prompt.first_token, len(prompt.images), alone), []).append(place)
        end = None if within_s is None else time.monotonic() + within_s
        replies: dict[int, ModelReply] = {}
        for places in alike.values():
            for start in range(0, len(places), at_once):
                some = places[start : start + at_once]
                left = None if end is None else end - time.monotonic()
                work = Work(self, [prompts[place] for place in some], in_pieces=False)
                for _ in work.pieces(left, cancelled):
                    pass
                replies |= zip(some, work.replies, strict=True)
        return [replies[place] for place in range(len(prompts))]

    def digest(self, prompt: Prompt) -> str:
        """What a reply to `prompt` may be kept under: the checkpoint, its name, text, pictures, sampling."""
        pictures = [hashlib.sha256(picture).hexdigest() for picture in prompt.images]
        sampling = (prompt.max_tokens, prompt.temperature, prompt.seed, prompt.json, prompt.first_token)
        asked = [self._identity, self.name, self._picture_px, [dict(m) for m in prompt.messages], pictures, sampling]
        text = json.dumps(asked, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def measure_speed(self, progress: Loading | None = None, *, cancelled: threading.Event | None = None) -> Speed:
        """Show it a small picture and take the time; the model is loaded first, and warmed by one token.

        Errors as for `ask`.
        """
        begun = time.monotonic()
        self.load(progress)
        load_s = time.monotonic() - begun
        question = [{"role": "user", "content": "Describe what there is to see, in one sentence."}]
        prompt = Prompt(question, [_small_picture()] if self.sees else [], max_tokens=_MEASURED_TOKENS)
        for _ in Work(self, [replace(prompt, max_tokens=1)], in_pieces=False).pieces(None, cancelled):
            pass
        work = Work(self, [prompt], in_pieces=True, at_least=_MEASURED_TOKENS)
        for _ in work.pieces(None, cancelled):
            pass
        taken, reply = work.timing, work.replies[0]
        first, last = taken.first_token_s or 0.0, taken.last_token_s or 0.0
        rate = (taken.tokens - 1) / max(last - first, 1e-6)
        return Speed(load_s, first, rate, reply.prompt_tokens or 0)

    @functools.cached_property
    def _identity(self) -> str:
        return identity(self.path)

    # what a stream needs

    @property
    def thinks_first(self) -> bool:
        """Whether a reply may begin inside thinking: the prompt's own end tells, and what was seen before."""
        return self._thinks_unopened or self._loaded is None or self._loaded.opens_thinking

    def notice(self, reply: ModelReply) -> None:
        if part(reply.text).unopened:
            self._thinks_unopened = True

    def kept(self, prompt: Prompt) -> ModelReply | None:
        if self._replies is None or prompt.temperature != 0:
            return None
        return self._replies.get(self.digest(prompt))

    def keep(self, prompt: Prompt, reply: ModelReply) -> None:
        if self._replies is not None and prompt.temperature == 0 and reply.text.strip():
            self._replies.put(self.digest(prompt), reply)


class _Sharing(LocalModel):
    """Another store of replies over the weights of a model that is there already."""

    def __init__(self, model: LocalModel, replies: ReplyStore | None) -> None:
        super().__init__(model.path, name=model.name, device=model.device, picture_px=model.picture_px, replies=replies)
        self._model, self.turn = model, model.turn

    def load(self, progress: Loading | None = None) -> Loaded:
        self._loaded = self._model.load(progress)
        return self._loaded


class LocalStream(Iterator[str]):
    """One call: iterate for the pieces of text, thinking in tags included; `reply` is there once it has ended."""

    def __init__(
        self,
        model: LocalModel,
        prompt: Prompt,
        within_s: float | None,
        cancelled: threading.Event | None,
        work: Work,
    ) -> None:
        self._model, self._work = model, work
        # The generator does not know the stream, so that a stream that nobody holds any more is ended at once.
        self._pieces = _pieces(model, prompt, self._work, within_s, cancelled)

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Give up; the model stops with its next token. May be called from any thread."""
        self._work.stop.set()
        with contextlib.suppress(ValueError):  # another thread is waiting for a piece, and will get none
            self._pieces.close()

    @property
    def may_be_thinking(self) -> bool:
        return self._model.thinks_first

    @property
    def reply(self) -> ModelReply:
        if self._work.reply is None:
            raise RuntimeError("the reply is known only once the stream has been read to its end")
        return self._work.reply

    @property
    def usage(self) -> Usage:
        reply = self.reply
        return Usage(reply.model, reply.prompt_tokens, reply.completion_tokens, None, reply.tries, reply.cached)


def _pieces(
    model: LocalModel, prompt: Prompt, work: Work, within_s: float | None, cancelled: threading.Event | None
) -> Generator[str, None, None]:
    """A reply that is kept, or a new one; `work.reply` is there at its end."""
    if (kept := model.kept(prompt)) is not None:
        work.reply = replace(kept, cached=True, tries=0)
        model.notice(work.reply)
        yield kept.text
        return
    yield from work.pieces(within_s, cancelled)
    work.reply = work.replies[0]
    model.notice(work.reply)
    model.keep(prompt, work.reply)


class Work:
    """One generation in a thread of its own, read by whoever waits for it, who can be let go at any moment."""

    def __init__(self, model: LocalModel, prompts: Sequence[Prompt], *, in_pieces: bool, at_least: int = 0) -> None:
        self._model, self._prompts = model, prompts
        self._in_pieces, self._at_least = in_pieces, at_least
        self._arrivals: queue.SimpleQueue[str | BaseException | None] = queue.SimpleQueue()
        self.stop = threading.Event()
        self.timing = Timing()
        self.replies: list[ModelReply] = []
        self.reply: ModelReply | None = None  # of a stream that was read to its end

    def pieces(self, within_s: float | None, cancelled: threading.Event | None) -> Generator[str, None, None]:
        """The pieces of the text; the last one's `replies` are there when it ends. Errors as for `LocalModel.ask`."""
        end = None if within_s is None else time.monotonic() + within_s
        try:
            while not self._model.turn.acquire(timeout=POLL_S):
                self._check(end, cancelled)
            try:
                self._check(end, cancelled)
                thread = threading.Thread(target=self._run, name="local-model", daemon=True)
                thread.start()
            except BaseException:
                self._model.turn.release()
                raise
            _GOING_ON[thread] = self.stop
            yield from self._arriving(end, cancelled)
            if not self._in_pieces and len(self.replies) == 1 and self.replies[0].text:
                yield self.replies[0].text
        finally:
            self.stop.set()

    def _arriving(self, end: float | None, cancelled: threading.Event | None) -> Iterator[str]:
        while (arrived := self._next(end, cancelled)) is not None:
            if isinstance(arrived, BaseException):
                raise arrived
            yield arrived

    def _next(self, end: float | None, cancelled: threading.Event | None) -> str | BaseException | None:
        while True:
            self._check(end, cancelled)
            try:
                return self._arrivals.get(timeout=POLL_S)
            except queue.Empty:
                continue

    def _check(self, end: float | None, cancelled: threading.Event | None) -> None:
        if (cancelled is not None and cancelled.is_set()) or self.stop.is_set():
            raise Cancelled("stopped before the local model had answered")
        if end is not None and time.monotonic() >= end:
            raise EndpointBusy(
                f"the model {self._model.name!r} did not answer in time on this machine: try again, or choose a "
                "smaller one (`python -m assistant model list`)",
                timed_out=True,
            )

    def _run(self) -> None:
        """In the thread: everything that goes wrong is handed to the reader."""
        try:
            loaded = self._model.load()
            self.timing = timing = Timing()
            self.replies = generate(
                loaded,
                self._prompts,
                self._model.picture_px,
                self.stop,
                give=self._arrivals.put if self._in_pieces else None,
                timing=timing,
                at_least=self._at_least,
            )
            self._arrivals.put(None)
        except VitrineError as problem:
            self._arrivals.put(problem)
        except BaseException as problem:  # the edge of the thread
            self._arrivals.put(problem)
        finally:
            self._model.turn.release()


#: Threads that generate, and what ends them.
_GOING_ON: weakref.WeakKeyDictionary[threading.Thread, threading.Event] = weakref.WeakKeyDictionary()


@atexit.register
def _end_all() -> None:
    """A thread inside torch while the interpreter goes down would bring the process down with it."""
    going_on = list(_GOING_ON.items())
    for _, stop in going_on:
        stop.set()
    for thread, _ in going_on:
        thread.join(_LAST_TOKEN_S)


def _small_picture() -> bytes:
    """Something to look at: a dark disc on a light ground, 448 x 336 pixels."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (448, 336), (230, 225, 210))
    ImageDraw.Draw(picture).ellipse((140, 80, 310, 250), fill=(150, 30, 40))
    held = io.BytesIO()
    picture.save(held, "JPEG", quality=90)
    return held.getvalue()
