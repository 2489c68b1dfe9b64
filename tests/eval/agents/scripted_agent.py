"""An assistant that answers by rote, for tests of running; as a program, `eval run` with it in place of the real one.

`python -m tests.eval.agents.scripted_agent LOG DELAY_S RUN_ARGUMENTS...` writes the question of every call to LOG.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from assistant.core.events import Event, Finished, StageFinished, StageStarted
from assistant.core.types import REFUSAL, Answer, Candidate, Conversation, Frame, Look, Quality, Recognition, Turn

Rote = Callable[[Conversation, str], str]


class ScriptedAssistant:
    """Says what `rote` returns; keeps every call as (conversation, question, frame, given)."""

    def __init__(self, rote: Rote, delay_s: float = 0.0, log: Path | None = None, name: str | None = "Amber Lamp"):
        self.calls: list[tuple[Conversation, str, Frame | None, Mapping[str, Any] | None]] = []
        self._rote = rote
        self._delay_s = delay_s
        self._log = log
        self._name = name

    def answer(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        *,
        given: Mapping[str, Any] | None = None,
    ) -> Iterator[Event]:
        self.calls.append((conversation, question, frame, given))
        if self._log is not None:
            with self._log.open("a") as file:
                file.write(f"{conversation.id} {question}\n")
        yield StageStarted("answer")
        time.sleep(self._delay_s)
        text = self._rote(conversation, question)
        yield StageFinished("answer", 1.0)
        status = "abstained" if text.startswith(REFUSAL) else "answered"
        entity = self.recognise(question, frame)[1].entity if frame is not None else None
        answer = Answer(text, status, entity=entity)  # type: ignore[arg-type]  # one of the two above
        yield Finished(Turn(question, answer, frame.digest if frame else None, ("Amber Lamp",), {"answer": 1.0}))

    def recognise(self, question: str, frame: Frame) -> tuple[Look, Recognition]:
        look = Look(Quality(0.5, 0.2, 100.0), frame)
        if self._name is None:
            return look, Recognition(reason="nothing")
        corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
        found = Candidate(self._name, 0.9, corners, {"weight": "340 g"}, 0, "https://a.invalid/0.jpg")
        return look, Recognition((found,), found)


def count(conversation: Conversation, question: str) -> str:
    """Says how many turns came before, and what was said in the last one."""
    last = conversation.turns[-1].answer.text if conversation.turns else "nothing"
    return f"after {len(conversation.turns)}: {last[:20]}"


if __name__ == "__main__":
    from assistant import factory as services
    from eval.__main__ import COMMANDS, main

    log, delay_s, *arguments = sys.argv[1:]
    scripted = ScriptedAssistant(count, float(delay_s), Path(log))
    services.open_assistant = lambda settings, progress=None, **more: scripted  # type: ignore[assignment,return-value]
    sys.exit(main("python -m eval", COMMANDS, ["run", *arguments]))
