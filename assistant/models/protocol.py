"""What a model is to the rest of the project: a prompt goes in, pieces of text come out, then what it took.

Two modules keep this promise, `models.chat` (any OpenAI-compatible server) and `models.local` (`transformers` on this
machine). Nothing outside `assistant.models` and the factory knows which of them answers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from assistant.core.types import Usage
from assistant.models.endings import ending

#: Told how much of a model is in memory, 0..1.
Loading = Callable[[float], None]
#: `role` ("system", "user", "assistant", "tool") and `content`, as plain text; of a reply that calls tools `tool_calls`
#: (`ModelReply.as_message`), of what a call came to `tool_call_id`.
Message = Mapping[str, Any]


@dataclass(frozen=True)
class Prompt:
    """One request to a model.

    Attributes:
        messages: oldest first.
        images: encoded pictures (JPEG, PNG, GIF, WebP) that go with the last message of the user, before its text.
        max_tokens: where the reply is cut; None leaves it to the model.
        temperature: 0 gives the same reply to the same prompt, as far as the model can; None leaves it to the model.
        seed: for models that know one.
        json: ask for a JSON object, where the model knows the option.
        first_token: ask for the probabilities of the reply's first token (`ModelReply.first_token`).
        tools: functions that the model may have called, as `/v1/chat/completions` takes them; for models that can.
        may_call: False where no more may be called, though messages speak of calls.
    """

    messages: Sequence[Message]
    images: Sequence[bytes] = ()
    max_tokens: int | None = None
    temperature: float | None = 0.0
    seed: int | None = None
    json: bool = False
    first_token: bool = False
    tools: Sequence[Mapping[str, Any]] = ()
    may_call: bool = True


@dataclass(frozen=True)
class ToolCall:
    """A function that a model wants called; `arguments` is as it wrote them, JSON by custom."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class ModelReply:
    """What the model said.

    Attributes:
        text: all that came as such, thinking in tags included (`models.thinking.part` takes it apart).
        model: the model's own name for itself, where it gives one.
        prompt_tokens, completion_tokens: None where nobody counted.
        finish_reason: see `models.endings`; None where nothing was said of it.
        tries: how often it was asked, failures included.
        reasoning: thinking that was given apart from the text.
        cached: the reply was known already, nothing was asked.
        first_token: probabilities (0..1) of the likeliest first tokens, where asked for and known; else empty.
        tool_calls: what it wants called before it goes on.
    """

    text: str
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    finish_reason: str | None
    tries: int = 1
    reasoning: str = ""
    cached: bool = False
    first_token: Mapping[str, float] = field(default_factory=dict)
    tool_calls: tuple[ToolCall, ...] = ()

    @property
    def says_something(self) -> bool:
        return bool(self.text.strip() or self.tool_calls)

    def as_message(self) -> Message:
        """The reply as a message of the conversation that it is part of."""
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in self.tool_calls
        ]
        return {"role": "assistant", "content": self.text, **({"tool_calls": calls} if calls else {})}

    @property
    def whole(self) -> bool:
        """Whether the model said all it had to say."""
        return ending(self.finish_reason) == "stop"


class ModelStream(Protocol):
    """A reply as it comes: iterate for its pieces. Errors come while iterating (`VitrineError`)."""

    def __iter__(self) -> Iterator[str]: ...

    def __next__(self) -> str: ...

    def close(self) -> None:
        """Give up; the model stops as soon as it can."""

    @property
    def may_be_thinking(self) -> bool:
        """Whether what has come so far may turn out to be thinking although no tag opened it."""

    @property
    def reply(self) -> ModelReply:
        """The whole reply, once the stream has ended."""

    @property
    def usage(self) -> Usage:
        """What the reply took, once the stream has ended."""


class VisionLanguageModel(Protocol):
    """Safe to share between threads."""

    @property
    def sees(self) -> bool:
        """Whether it takes pictures; prompts for a model that only reads carry none."""

    @property
    def picture_px(self) -> int:
        """The longest side that a picture should have: more of it costs time and tokens and shows the model no more."""

    def warm(self, progress: Loading | None = None) -> None:
        """Load what the first question would wait for; nothing where there is nothing to load.

        Raises:
            NotReady, BadInput: it cannot be loaded.
        """

    def ask(
        self,
        prompt: Prompt,
        *,
        within_s: float | None = None,
        cancelled: threading.Event | None = None,
        in_pieces: bool = True,
    ) -> ModelStream:
        """Begin a reply.

        Args:
            prompt: what to ask.
            within_s: how long the whole reply may take, tries and waits included; None for no limit of the caller's.
            cancelled: once set, the reply ends with `Cancelled`.
            in_pieces: False where nobody reads along: the one piece is the whole text.
        """

    def digest(self, prompt: Prompt) -> str:
        """What a reply may be kept under: model, every message, the bytes of every picture, sampling."""
