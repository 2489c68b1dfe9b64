"""What an index knows, as the planner and the reader ask it: entities by name, names in a text, passages, pages.

Everything returned is raw data from the world; `assistant.search.clean` makes it readable, and nothing interprets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np

from assistant.search.catalogue import Catalogue, EntityRecord
from assistant.search.collections import Collections
from assistant.search.manifest import BM25_DIR, CATALOGUE_FILE, PICTURES_DIR, Manifest
from assistant.search.mentions import Mentions
from assistant.search.text_encoder import TextEncoder, text_encoder
from assistant.search.web import Passage, WebSearch, WordIndex

__all__ = ["EntityRecord", "Knowledge", "Passage"]


class Knowledge:
    """An open index, seen as knowledge. Safe to share between threads."""

    def __init__(self, collections: Collections, encoder: TextEncoder) -> None:
        self.folder = collections.folder
        self._collections = collections
        self._encoder = encoder
        self._catalogue = Catalogue(self.folder / CATALOGUE_FILE)
        self._web = WebSearch(collections, self._catalogue, WordIndex(self.folder / BM25_DIR), encoder)

    @classmethod
    def open(cls, index_dir: Path) -> Self:
        """Open the index at `index_dir`; NotReady or UnknownFormat with one sentence when that cannot be."""
        return cls(Collections.open(Path(index_dir)), text_encoder())

    @property
    def manifest(self) -> Manifest:
        return self._collections.manifest

    @property
    def has_pages(self) -> bool:
        """Whether there is anything for `search` to find."""
        return self.manifest.counts["chunks"] > 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all indexed entities."""
        return self._catalogue.names()

    def entity(self, name: str) -> EntityRecord | None:
        """The entity of that name, case and white space aside."""
        return self._catalogue.entity(name)

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Names of indexed entities that occur in `text` as whole words, longest first, not overlapping."""
        return self._mentions.find(text)

    def search(self, query: str, k: int = 10) -> tuple[Passage, ...]:
        """The best passages of at most `k` pages, by meaning and by words; see `assistant.search.web`."""
        return self._web.search(query, k) if self.has_pages else ()

    def page(self, url: str) -> tuple[Passage, ...]:
        """All chunks of a page in reading order (neighbours overlap by a sentence); empty for an unknown URL."""
        return self._web.page(url)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(n, 384) float32 unit vectors of sentences; cached."""
        return self._encoder.encode(texts)

    def picture(self, index: int) -> Path | None:
        """The small JPEG of row `index` in the image collection, for showing; None when there is none."""
        path = self.folder / PICTURES_DIR / f"{int(index)}.jpg"
        return path if path.is_file() else None

    def close(self) -> None:
        """Release the index's files."""
        self._catalogue.close()
        self._collections.close()

    @cached_property
    def _mentions(self) -> Mentions:
        return Mentions(self.names)
