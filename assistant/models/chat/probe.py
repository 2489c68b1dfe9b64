"""Tests the connection to a chat endpoint: does it answer, stream, see; how fast; what else can it do.

    for told in probe(ChatOptions(...)):
        show(told)              # a `Probed` after each step, the same one grown
    told.sees, told.suggested_timeout_s

Five short exchanges, six requests at most, of some 1,500 tokens in all. What is sent is made up here: words, and two
squares of one colour each; never anything of the user's. A step that fails says why in the transport's sentence; only
one that gets no answer at all ends the test.

Whether a model sees is told by two pictures with the same question: where the replies do not differ, or neither names
the colour, it does not, whatever its server takes.
"""

from __future__ import annotations

import math
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from assistant.core.errors import Cancelled, EndpointBusy, EndpointRefused, VitrineError
from assistant.models.chat.client import ChatClient
from assistant.models.chat.pictured import without_advice
from assistant.models.chat.received import Received
from assistant.models.chat.request import ChatOptions, Payload, render
from assistant.models.chat.transport import Wire
from assistant.models.protocol import ModelReply, Prompt
from assistant.models.thinking import part

StepName = Literal["text", "stream", "picture", "logprobs", "tools"]
STEPS: tuple[StepName, ...] = ("text", "stream", "picture", "logprobs", "tools")
#: What a whole test may take, in seconds.
WITHIN_S = 150.0
#: What one step may take: the slowest of machines reads a page and writes a line in this time.
STEP_S = 75.0
#: Of a reply of one word: room to think before it, for models that do.
MAX_TOKENS = 400
#: An answer of three sentences, in tokens; what is waited for beside the first token.
ANSWER_TOKENS = 250
#: Time-outs that are suggested, in seconds.
LEAST_TIMEOUT_S, MOST_TIMEOUT_S = 20.0, 900.0
SQUARE_PX = 96
STOPPED = "the test was stopped"
_COLOURS: tuple[tuple[str, tuple[int, int, int]], ...] = (("red", (255, 0, 0)), ("blue", (0, 0, 255)))
_TOOL = {
    "type": "function",
    "function": {
        "name": "weather_at",
        "description": "The weather at a place, now.",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}
#: About as many tokens as the evidence of a turn, so that the first token takes as long as it will.
_LINES = 40


@dataclass(frozen=True)
class Step:
    """One thing that was tried. `works` is None where that could not be found out; `says` is one sentence."""

    name: StepName
    works: bool | None
    says: str
    took_s: float


@dataclass(frozen=True)
class Probed:
    """What is known of an endpoint so far.

    Attributes:
        endpoint, model: who was asked, without any key.
        steps: what was tried, in order.
        trying: the step that is under way, None once the test is over.
        first_token_s: seconds from a question with as much evidence as a turn has to its first token.
        tokens_per_s: how fast it writes then; None where it came too fast or all at once.
        problem: why there is no answer at all; "" where there was one.
    """

    endpoint: str
    model: str
    steps: tuple[Step, ...] = ()
    trying: StepName | None = None
    first_token_s: float | None = None
    tokens_per_s: float | None = None
    problem: str = ""

    def works(self, name: StepName) -> bool | None:
        return next((step.works for step in self.steps if step.name == name), None)

    @property
    def answers(self) -> bool:
        return self.works("text") is True

    @property
    def sees(self) -> bool | None:
        """None where that could not be found out."""
        return self.works("picture")

    @property
    def suggested_timeout_s(self) -> float | None:
        """What an answer should be let take: the evidence read, a picture looked at, some sentences written, and half
        as much again."""
        if self.first_token_s is None:
            return None
        picture_s = next((step.took_s for step in self.steps if step.name == "picture" and step.works), 0.0)
        writing_s = ANSWER_TOKENS / self.tokens_per_s if self.tokens_per_s else 0.0
        whole = 1.5 * (self.first_token_s + picture_s + writing_s)
        return min(MOST_TIMEOUT_S, max(LEAST_TIMEOUT_S, 5.0 * math.ceil(whole / 5)))


def probe(
    options: ChatOptions,
    *,
    within_s: float = WITHIN_S,
    cancelled: threading.Event | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Probed]:
    """What the endpoint can do, told anew after each step; the last one has `trying` None. Raises nothing of its own.

    Args:
        options: whom to ask; time-out, tries and whether it sees are the test's own.
        within_s: seconds that all steps may take together; what is left out for lack of time says so.
        cancelled: once set, the test ends within a moment, with what is known by then.
    """
    known = Probed(options.endpoint, options.model, trying=STEPS[0])
    yield known
    test = _Test(options, within_s, cancelled, clock)
    try:
        for number, name in enumerate(STEPS):
            if cancelled is not None and cancelled.is_set():
                known = replace(known, trying=None, problem="" if known.steps else STOPPED)
                break
            step, measured = test.run(name)
            over = (name == "text" and not step.works) or number + 1 == len(STEPS)
            known = replace(known, steps=(*known.steps, step), trying=None if over else STEPS[number + 1], **measured)
            if name == "text" and not step.works:
                known = replace(known, problem=step.says)
            yield known
            if over:
                return
        yield known
    finally:
        test.close()


class _Test:
    """The steps, each a method of its name that returns whether it works, a sentence and what was measured."""

    def __init__(
        self, options: ChatOptions, within_s: float, cancelled: threading.Event | None, clock: Callable[[], float]
    ) -> None:
        once = replace(options, timeout_s=STEP_S, max_tries=1, sees=True)
        self._client = ChatClient(once)
        self._twice = ChatClient(replace(once, max_tries=2))
        self._wire = Wire(once)
        self._options, self._cancelled, self._clock = once, cancelled, clock
        self._end = clock() + within_s  # loading the client is no time of the server's

    def close(self) -> None:
        for one in (self._client, self._twice, self._wire):
            one.close()

    def run(self, name: StepName) -> tuple[Step, dict[str, Any]]:
        began = self._clock()
        if self._left_s() <= 0:
            return Step(name, None, "left out: the test had taken its time", 0.0), {}
        try:
            works, says, measured = getattr(self, f"_{name}")()
        except Cancelled:
            works, says, measured = None, STOPPED, {}
        except EndpointBusy as busy:
            works, says, measured = (None if busy.timed_out or busy.too_often else False), str(busy), {}
        except VitrineError as problem:
            works, says, measured = False, str(problem), {}
        return Step(name, works, says, self._clock() - began), measured

    def _left_s(self) -> float:
        return min(STEP_S, self._end - self._clock())

    def _said(self, client: ChatClient, question: str, *images: bytes, **how: Any) -> ModelReply:
        """The whole reply; with a picture as a stream, as a turn would have it."""
        prompt = Prompt([{"role": "user", "content": question}], images, **{"max_tokens": MAX_TOKENS, **how})
        stream = client.ask(prompt, within_s=self._left_s(), cancelled=self._cancelled, in_pieces=bool(images))
        for _ in stream:
            pass
        return stream.reply

    def _text(self) -> tuple[bool, str, dict[str, Any]]:
        reply = self._said(self._client, "What is the capital of France? Answer with one word.")
        if not (said := _short(reply.text)):
            return True, "thought and did not come to a word" if reply.reasoning else "said nothing", {}
        return True, f"said “{said}”", {}

    def _stream(self) -> tuple[bool, str, dict[str, Any]]:
        # Another number each time, or a server that keeps what it has read would not read it again.
        first = random.randrange(1000, 9000)
        lines = [f"[{n}] Tram {first + n} stops at Mill Street at {n % 12 + 1}:{n:02d}." for n in range(_LINES)]
        question = "Do not mind these lines. Write the numbers from one to twenty as words, in one line.\n"
        prompt = Prompt([{"role": "user", "content": question + "\n".join(lines)}], max_tokens=160)
        began, arrivals = self._clock(), []
        stream = self._client.ask(prompt, within_s=self._left_s(), cancelled=self._cancelled)
        for _ in stream:
            arrivals.append(self._clock())
        if not arrivals:
            return False, "the reply had no words: it may think longer than this test waits", {}
        first_s, writing_s = arrivals[0] - began, arrivals[-1] - arrivals[0]
        tokens = stream.reply.completion_tokens or len(arrivals)
        if len(arrivals) < 2:  # all at once: reading and writing together
            return (
                False,
                "the answer comes in one piece, so nothing can be shown before its end",
                {"first_token_s": first_s},
            )
        speed = (tokens - 1) / writing_s if writing_s > 0.01 and tokens > 1 else None
        words = f"first words after {first_s:.1f} s" + (f", then {speed:.0f} tokens a second" if speed else "")
        return True, words, {"first_token_s": first_s, "tokens_per_s": speed}

    def _picture(self) -> tuple[bool | None, str, dict[str, Any]]:
        question = "Which colour has the square in the picture? Answer with one word."
        said = []
        for _, colour in _COLOURS:
            try:
                reply = self._said(self._twice, question, square_jpeg(colour))
            except EndpointBusy as busy:
                if busy.timed_out or busy.too_often:
                    raise
                return False, f"sees nothing: {without_advice(str(busy))}", {}
            except EndpointRefused as refused:
                return False, f"sees nothing: {without_advice(str(refused))}", {}
            said.append(_short(reply.text))
            if not said[-1] and not reply.whole:
                return None, "takes a picture; whether it sees is not known, because it thinks too long", {}
        plain = [set(re.findall(r"[a-z]+", text.lower())) for text in said]
        named = [name in words for (name, _), words in zip(_COLOURS, plain, strict=True)]
        shown = ", ".join(f"{text!r} for {name}" for text, (name, _) in zip(said, _COLOURS, strict=True))
        if plain[0] == plain[1] or not any(named):
            return False, f"sees nothing: it takes a picture and answers {shown}", {}
        return True, f"sees pictures: {shown}", {}

    def _logprobs(self) -> tuple[bool, str, dict[str, Any]]:
        reply = self._said(self._client, "Is snow white? Answer yes or no.", max_tokens=4, first_token=True)
        if not reply.first_token:
            return False, "gives no probabilities of tokens", {}
        return True, "gives the probabilities of tokens", {}

    def _tools(self) -> tuple[bool, str, dict[str, Any]]:
        question = "What is the weather in Oslo now? Use the tool."
        payload: Payload = render(
            self._options.model, Prompt([{"role": "user", "content": question}], temperature=None)
        )
        received = Received()
        for _ in self._wire.once(payload | {"tools": [_TOOL]}, received, self._left_s(), self._cancelled):
            pass
        if received.tool_calls:
            return True, "calls tools", {}
        return False, "calls no tools (no answer on the page needs any)", {}


def square_jpeg(colour: tuple[int, int, int]) -> bytes:
    """A square of one colour (RGB, 0..255), as the JPEG that frames are sent as."""
    import cv2
    import numpy as np

    pixels = np.full((SQUARE_PX, SQUARE_PX, 3), colour[::-1], np.uint8)
    return bytes(cv2.imencode(".jpg", pixels)[1])


def _short(text: str, most: int = 40) -> str:
    """A reply without its thinking, cut short, on one line."""
    line = " ".join(part(text).answer.split())
    return line if len(line) <= most else f"{line[:most]}…"
