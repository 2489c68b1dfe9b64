"""An assistant that asks a chat endpoint and does nothing else: no index, no recognition, no check.

For running against the scripted server of `tests.scripted_chat`: what is left is the runner's own work. The request
holds the conversation so far and the frame; the reply is the answer. As a program it is `eval run --agent chat` with
this assistant in place of the real one and short waits:

    OPENAI_BASE_URL=http://127.0.0.1:PORT/v1 python -m tests.eval.agents.chat_agent RUN_ARGUMENTS...
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.core.events import Event, Finished, StageFinished, StageStarted
from assistant.core.types import Answer, Conversation, Frame, Turn, Usage
from assistant.models.chat.client import ChatClient, ChatOptions, ReplyStore
from assistant.settings import Settings
from eval.metrics.public import is_refusal
from eval.runs.retries import RetryPolicy


@dataclass(frozen=True)
class Hasty(RetryPolicy):
    """Short waits, so that a test of many faults ends soon."""

    first_wait_s: float = 0.05
    longest_wait_s: float = 0.4


class PlainChat:
    """Asks with the conversation and the frame; every call is tried once, repeating is the runner's."""

    def __init__(self, options: ChatOptions, replies: ReplyStore | None = None):
        self._client = ChatClient(replace(options, max_tries=1), replies=replies)
        self._encoded: dict[str, bytes] = {}

    def answer(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        *,
        given: Mapping[str, Any] | None = None,
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event]:
        messages = []
        for turn in conversation.turns:
            messages.append({"role": "user", "content": turn.question})
            messages.append({"role": "assistant", "content": turn.answer.text})
        messages.append({"role": "user", "content": str((given or {}).get("query", question))})
        yield StageStarted("answer")
        images = [self._jpeg(frame)] if frame is not None else []
        reply = self._client.complete(messages, images=images, cancelled=cancelled)
        yield StageFinished("answer", 0.0)
        usage = Usage(reply.model, reply.prompt_tokens, reply.completion_tokens, None, reply.tries, reply.cached)
        status = "abstained" if is_refusal(reply.text) else "answered"
        answer = Answer(reply.text, status, usage=usage)  # type: ignore[arg-type]  # one of the two above
        yield Finished(Turn(question, answer, frame.digest if frame else None))

    def _jpeg(self, frame: Frame) -> bytes:
        if frame.digest not in self._encoded:
            from PIL import Image

            file = io.BytesIO()
            Image.fromarray(frame.pixels).save(file, "JPEG", quality=85)
            self._encoded[frame.digest] = file.getvalue()
        return self._encoded[frame.digest]


def open_plain(
    settings: Settings, progress: Any = None, *, for_run: bool = False, replies: ReplyStore | None = None
) -> PlainChat:
    """In place of `assistant.factory.open_assistant`."""
    return PlainChat(settings.chat_options(), replies)


if __name__ == "__main__":
    from assistant import factory as services
    from eval.__main__ import COMMANDS, main
    from eval.commands import run as run_command

    services.open_assistant = open_plain  # type: ignore[assignment]
    run_command.Patience = Hasty  # type: ignore[misc]
    sys.exit(main("python -m eval", COMMANDS, ["run", "--agent", "chat", *sys.argv[1:]]))
