"""What an index knows, as the planner and the reader ask it: entities by name, names in a text, passages, pages.

Everything returned is raw data from the world; `assistant.text.markup` makes it readable, and nothing interprets it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from assistant.core.types import Evidence
from assistant.index.catalogue import Catalogue, EntityRecord, name_key
from assistant.index.collections import Collections
from assistant.index.manifest import BM25_DIR, CATALOGUE_FILE, PAGE_PICTURES_DIR, PICTURES_DIR, Manifest
from assistant.index.page_pictures import PagePicture
from assistant.index.web_search import Passage, WebSearch, WordIndex
from assistant.text.encoder import TextEncoder, text_encoder
from assistant.text.mentions import Mentions

__all__ = ["EntityRecord", "Knowledge", "PagePicture", "Passage"]


class Taught(Protocol):
    """What visitors taught; `assistant.teaching.store` keeps it."""

    @property
    def version(self) -> int:
        """Another number after every change."""

    def names(self) -> tuple[str, ...]:
        """The names of everything that was taught."""

    def record(self, name: str, indexed: EntityRecord | None) -> EntityRecord | None:
        """What is known of that name: the index's record with what was taught besides; either may be missing."""


@dataclass(frozen=True)
class _Handed:
    """What a measuring run hands in: passages by their page's URL, attributes by the key of the thing's name."""

    pages: Mapping[str, tuple[Passage, ...]]
    attributes: Mapping[str, Mapping[str, Any]]


class Knowledge:
    """An open index, seen as knowledge. Safe to share between threads."""

    def __init__(self, collections: Collections, encoder: TextEncoder, taught: Taught | None = None) -> None:
        """`taught` joins what visitors taught to what the index knows; without it only the index speaks."""
        self._taught = taught
        self._by_version: tuple[int, tuple[str, ...], Mentions] | None = None
        self._only: tuple[str, ...] | None = None
        self._handed: _Handed | None = None
        self.folder = collections.folder
        self._collections = collections
        self._encoder = encoder
        self._catalogue = Catalogue(self.folder / CATALOGUE_FILE)
        self._web = WebSearch(collections, self._catalogue, WordIndex(self.folder / BM25_DIR), encoder)

    @classmethod
    def open(cls, index_dir: Path, taught: Taught | None = None) -> Self:
        """Open the index at `index_dir`; NotReady or UnknownFormat with one sentence when that cannot be."""
        return cls(Collections.open(Path(index_dir)), text_encoder(), taught)

    @property
    def manifest(self) -> Manifest:
        return self._collections.manifest

    @property
    def has_pages(self) -> bool:
        """Whether there is anything for `search` to find."""
        if self._handed is not None:
            return bool(self._handed.pages)
        return self.manifest.counts["chunks"] > 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all indexed entities, and of what was taught."""
        return self._named[1]

    def entity(self, name: str) -> EntityRecord | None:
        """The entity of that name, case and white space aside; a `TaughtRecord` where something was taught of it."""
        indexed = self._catalogue.entity(name)
        if self._handed is not None:
            known = self._handed.attributes.get(name_key(name), {})
            if indexed is None:
                return EntityRecord(name, known, (), ()) if known else None
            return replace(indexed, attributes=known)
        return self._taught.record(name, indexed) if self._taught is not None else indexed

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Names of known entities that occur in `text` as whole words, longest first, not overlapping."""
        return self._named[2].find(text)

    def search(self, query: str, k: int = 10) -> tuple[Passage, ...]:
        """The best passages of at most `k` pages, by meaning and by words; see `assistant.index.web_search`."""
        if self._only is not None:
            return self._nearest(query, k)
        return self._web.search(query, k) if self.has_pages else ()

    def among(self, urls: Sequence[str]) -> Self:
        """The same knowledge with no pages but these: its search finds nothing else."""
        other = copy.copy(self)
        other._only = tuple(dict.fromkeys(urls))
        return other

    def handed(self, evidence: Sequence[Evidence]) -> Self:
        """The names of what is indexed and of what these attributes speak of, and of what is known of it no more than
        these passages and attributes.
        """
        other = copy.copy(self)
        pages: dict[str, list[Passage]] = {}
        told: dict[str, dict[str, Any]] = {}
        for piece in evidence:
            if piece.kind == "attribute" and piece.key is not None:
                told.setdefault(name_key(piece.subject or ""), {})[piece.key] = piece.value
            elif piece.kind == "passage":
                chunks = pages.setdefault(piece.source, [])
                chunks.append(Passage(piece.id, piece.source, piece.title or "", piece.text, piece.score))
        version, names, mentions = self._named
        known = {name_key(name) for name in names}
        new = {name_key(p.subject): p.subject for p in evidence if p.kind == "attribute" and p.key and p.subject}
        if added := [name for key, name in new.items() if key not in known]:
            names, mentions = (*names, *added), Mentions(added, mentions)
        other._by_version = (version, names, mentions)
        other._only = tuple(pages)
        other._handed = _Handed({url: tuple(chunks) for url, chunks in pages.items()}, told)
        return other

    def page(self, url: str) -> tuple[Passage, ...]:
        """All chunks of a page in reading order (neighbours overlap by a sentence); empty for an unknown URL."""
        return self._handed.pages.get(url, ()) if self._handed is not None else self._web.page(url)

    @property
    def has_page_pictures(self) -> bool:
        """Whether `page_pictures` gives any; what is handed in has none but its own."""
        return self._handed is None and self.manifest.counts.get("page_pictures", 0) > 0

    def page_pictures(self, url: str) -> tuple[PagePicture, ...]:
        """The pictures of a page in its order; empty for an unknown URL."""
        if not self.has_page_pictures or (self._only is not None and url not in self._only):
            return ()
        folder = self.folder / PAGE_PICTURES_DIR
        return tuple(
            PagePicture(row.url, row.caption, folder / f"{int(row.file)}.jpg")
            for row in self._catalogue.page_pictures(url)
        )

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

    def _nearest(self, query: str, k: int) -> tuple[Passage, ...]:
        """Of each page that search is confined to, the passage nearest in meaning; the nearest page first."""
        found = []
        asked = self.encode([query])[0]
        for chunks in filter(None, map(self.page, self._only or ())):
            near = self.encode([c.text for c in chunks]) @ asked
            best = int(near.argmax())
            found.append(replace(chunks[best], score=float(near[best])))
        return tuple(sorted(found, key=lambda p: -p.score)[:k])

    @property
    def _named(self) -> tuple[int, tuple[str, ...], Mentions]:
        """All names and how they are found, made again when something was taught or forgotten."""
        version = self._taught.version if self._taught is not None else 0
        if self._by_version is None or self._by_version[0] != version:
            indexed = self._catalogue.names()
            taught = self._taught.names() if self._taught is not None else ()
            known = {name_key(name) for name in indexed} if taught else set()
            names = (*indexed, *(name for name in taught if name_key(name) not in known))
            self._by_version = (version, names, Mentions(names))
        return self._by_version
