"""What the tests of the presets share: a search with exact scores, and an assistant whose answers are scripted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from assistant.agent import Assistant
from assistant.core.events import Event, Finished
from assistant.core.types import Answer, Conversation, Frame, Turn
from assistant.models.chat.client import ChatClient, ChatOptions
from assistant.pipelines.base import Tools
from assistant.pipelines.registry import pipeline_of
from tests import scripted_chat

PRESETS = ("task1", "task2", "task3", "kdd-2025")


def frame(width: int = 60, height: int = 40, seed: int = 0) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8))


def image(index: int, score: float, *names: str, **attributes: Any) -> dict[str, Any]:
    """An image result; the attributes are those of each of its entities."""
    entities = [{"entity_name": name, "entity_attributes": attributes or None} for name in names]
    return {"index": index, "score": score, "url": f"https://x.invalid/{index}.jpg", "entities": entities}


def page(index: str, score: float, snippet: str, name: str = "A page") -> dict[str, Any]:
    url = f"https://x.invalid/{index}"
    return {"index": index, "score": score, "page_name": name, "page_snippet": snippet, "page_url": url}


class FakeSearch:
    """A `SearchPipeline` by rote: the same results for every frame and query, and what it was asked for."""

    def __init__(self, images: Sequence[Mapping[str, Any]] = (), pages: Sequence[Mapping[str, Any]] = ()):
        self.images, self.pages = list(images), list(pages)
        self.frames: list[tuple[tuple[int, int], int]] = []
        self.queries: list[tuple[str, int]] = []

    def __call__(self, query: Frame, k: int) -> list[Mapping[str, Any]]:
        self.frames.append(((query.width_px, query.height_px), k))
        return self.images[:k]

    def web(self, query: str, k: int) -> list[Mapping[str, Any]]:
        self.queries.append((query, k))
        return self.pages[:k]


class Sees:
    """A recogniser that is sure of something which presets must not be told."""

    def propose(self, _: Frame) -> str:
        return ""

    def decide(self, *_: object) -> tuple:
        from assistant.core.types import Candidate

        box = ((0.0, 0.0), (60.0, 0.0), (60.0, 40.0), (0.0, 40.0))
        return (Candidate("Harrow Kettle", 0.99, box, {"weight": "940 g"}, 0, "https://x.invalid/k.jpg"),)


class NoText:
    def read(self, _: Frame) -> tuple:
        return ()


def assistant(name: str, server: scripted_chat.ScriptedChat, knowledge: Any, search: Any, **options: Any) -> Assistant:
    own = {k: options.pop(k) for k in ("strictness", "for_run", "pace") if k in options}
    outer = {k: options.pop(k) for k in ("deadline_s", "clock") if k in options}
    settings = {"api_key": None, "model": "echo", "timeout_s": 5.0, "backoff_s": 0.01, **options}
    client = ChatClient(ChatOptions(base_url=server.base_url, **settings))
    return Assistant(
        tools=Tools(knowledge, search, client, **own),
        recogniser=Sees(),  # type: ignore[arg-type]
        text_reader=NoText(),  # type: ignore[arg-type]
        profile="chat",
        pipeline=pipeline_of(name),
        **outer,
    )


def events(asked: Assistant, question: str = "How heavy is it?", **more: Any) -> list[Event]:
    conversation = more.pop("conversation", Conversation("c"))
    return list(asked.answer(conversation, question, more.pop("frame", frame()), **more))


def turn_of(found: Sequence[Event]) -> Turn:
    assert isinstance(found[-1], Finished)
    return found[-1].turn


def before(*turns: tuple[str, str]) -> Conversation:
    """A conversation with these questions and answers."""
    conversation = Conversation("c")
    for question, said in turns:
        conversation = conversation.with_turn(Turn(question, Answer(said, "answered")))
    return conversation


def lines_of(text: str) -> list[str]:
    """The numbered lines of evidence in a prompt."""
    return [line for line in text.splitlines() if line.startswith("[")]


def ticking(steps: Sequence[float]) -> Iterator[float]:
    """Times that come one after another, the last for ever."""
    yield from steps
    while True:
        yield steps[-1]
