"""A stand-in for `Knowledge` that lives in memory: entities and pages from small JSON files, the real sentence encoder.

Pages are one passage each; search is dense only. Enough for the reader, which must not care where evidence is stored.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.types import Candidate, Conversation, Recognition
from assistant.index.catalogue import EntityRecord
from assistant.index.web_search import Passage
from assistant.text.encoder import text_encoder
from assistant.text.mentions import Mentions

DATA = Path(__file__).parent / "data"


class MemoryKnowledge:
    def __init__(self, entities: Sequence[dict[str, Any]], pages: Sequence[dict[str, str]]) -> None:
        self._entities = {
            e["name"].lower(): EntityRecord(e["name"], e["attributes"], (i,), (f"https://x.invalid/{i}",))
            for i, e in enumerate(entities)
        }
        self.names = tuple(e["name"] for e in entities)
        self._mentions = Mentions(self.names)
        self._pages = [Passage(f"{p['url']}_chunk_0", p["url"], p["title"], p["text"], 0.0) for p in pages]
        self._vectors = (
            self.encode([f"{p.title}. {p.text}" for p in self._pages]) if self._pages else np.zeros((0, 384))
        )
        self.has_pages = bool(self._pages)

    def entity(self, name: str) -> EntityRecord | None:
        return self._entities.get(" ".join(name.lower().split()))

    def mentioned(self, text: str) -> tuple[str, ...]:
        return self._mentions.find(text)

    def search(self, query: str, k: int = 10) -> tuple[Passage, ...]:
        order = np.argsort(-(self._vectors @ self.encode([query])[0]), kind="stable")[:k]
        return tuple(self._pages[i] for i in order)

    def page(self, url: str) -> tuple[Passage, ...]:
        return tuple(p for p in self._pages if p.url == url)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return text_encoder().encode(list(texts))


@functools.cache
def load(name: str) -> MemoryKnowledge:
    raw = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return MemoryKnowledge(raw["entities"], raw.get("pages", []))


def seen(knowledge: MemoryKnowledge, *names: str) -> Recognition:
    """A recognition that found the named entities, the first one meant."""
    candidates = []
    for i, name in enumerate(names):
        record = knowledge.entity(name)
        attributes = record.attributes if record else {}
        candidates.append(
            Candidate(
                name, 0.9, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), attributes, i, f"https://x.invalid/{i}"
            )
        )
    return (
        Recognition(tuple(candidates), candidates[0])
        if candidates
        else Recognition(reason="I do not recognise what is in the picture")
    )


EMPTY = Conversation("c")
