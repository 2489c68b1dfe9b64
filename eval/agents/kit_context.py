"""Evidence as one text, for agents of the released kit that take `rag_context_list`.

What goes in is the kit's choice: up to 30 pictures with a score above 0.75, up to 50 pages found with the question or,
where a file of full queries has one, with that; together at most about 2,000 and 8,000 tokens of 4 characters. The
wording is ours. The limit of 0.75 belongs to the vectors of the published index (CLIP); other image encoders have other
scores, so there the five nearest are taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assistant.index.raw_search import SearchPipeline
from eval.agents.protocol import Asked

IMAGES, PAGES = 30, 50
IMAGE_CHARS, PAGE_CHARS = 8_000, 32_000
CLIP_SCORE, NEAREST = 0.75, 5


class KitContext:
    """Callable: a turn → the text. `full_queries` are standalone questions by interaction id."""

    def __init__(self, pipeline: SearchPipeline, full_queries: Mapping[str, str]):
        self._pipeline = pipeline
        self._full_queries = full_queries
        self._clip = "clip" in pipeline.manifest.image_encoder.name.lower()

    def __call__(self, asked: Asked) -> str:
        parts = []
        if asked.frame is not None and (found := self._pictures(asked)):
            parts.append(f"Things that look like what the picture shows; they need not be the same:\n{found}")
        query = self._full_queries.get(asked.turn.interaction_id) or asked.turn.query
        if found := self._pages(query):
            parts.append(f"Pieces of web pages found for {asked.turn.query!r}; they need not be about it:\n{found}")
        if not parts:
            return ""
        text = "\n".join(parts)
        return f"<search results>\n{text}\nUse them only where they are about what is asked.\n</search results>"

    def _pictures(self, asked: Asked) -> str:
        results = self._pipeline(asked.frame, k=IMAGES)  # type: ignore[arg-type]  # never None here
        near = [r for r in results if r["score"] > CLIP_SCORE] if self._clip else results[:NEAREST]
        entities: dict[str, Any] = {}
        for result in near:
            for entity in result["entities"]:
                entities.setdefault(entity["entity_name"], entity["entity_attributes"])
        text = f"Names: {', '.join(entities)}\n" if entities else ""
        for name, attributes in entities.items():
            piece = f"{name}: {json.dumps(attributes, ensure_ascii=False)}\n" if attributes else ""
            if len(text) + len(piece) < IMAGE_CHARS:
                text += piece
        return text

    def _pages(self, query: str) -> str:
        text = ""
        for number, result in enumerate(self._pipeline(query, k=PAGES), 1):
            if not (snippet := result["page_snippet"]):
                continue
            piece = f"[{number}] {result['page_name']}\n{snippet}\n\n"
            if len(text) + len(piece) >= PAGE_CHARS:
                break
            text += piece
        return text
