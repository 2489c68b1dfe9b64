"""Web search for answering: nearest chunks by meaning and by words, fused by rank, one result a page.

Meaning comes from the collection's vectors, words from BM25 (bm25s, written when the index is built). The two lists
are joined by reciprocal rank (Cormack, Clarke & Büttcher 2009, k = 60). The benchmark's own dense search, without
fusion, is `assistant.index.raw_search`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.errors import NotReady
from assistant.index.catalogue import Catalogue
from assistant.index.collections import Collections
from assistant.text.encoder import TextEncoder

_RANK_CONSTANT = 60
#: What a rank by words counts against one by meaning. On a generated world (seed 7, 118 questions with known pages)
#: 0.7 finds 0.84 of all pages among ten; 1.0 finds 0.83, meaning alone 0.82, words alone 0.80.
_WORDS_WEIGHT = 0.7
#: Chunks taken from each list for every page wanted: a page has a few chunks, and each may come up.
_CHUNKS_A_PAGE = 5
_AT_LEAST = 40
_WORD = re.compile(r"\w+")
#: Function words only: they match everywhere and say nothing.
_STOP = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "did", "for", "from", "has", "have", "how",
    "i", "in", "is", "it", "its", "of", "on", "or", "that", "the", "this", "to", "was", "were", "what", "when",
    "where", "which", "who", "whom", "why", "will", "with", "you", "your", "me", "my", "we", "they", "these",
    "those", "there", "s",
})  # fmt: skip


@dataclass(frozen=True)
class Passage:
    """One chunk of a page. `score` is the cosine between the query and the chunk, whatever list found it (0 for a
    page that was asked for by URL); results stand in the order of the fused rank. `text` is raw, as stored."""

    id: str
    url: str
    title: str
    text: str
    score: float


def words(text: str) -> list[str]:
    """The words that BM25 compares: no accents, no case, no function words, plural s off."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    found = (w for w in _WORD.findall(plain) if w not in _STOP)
    return [w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in found]


def write_word_index(folder: Path, texts: Sequence[str]) -> None:
    """Build BM25 over `texts` (titles included) and write it; the rows are their positions."""
    import bm25s

    folder.mkdir()
    tokens = [words(text) for text in texts]
    if not any(tokens):  # bm25s cannot index nothing; an empty folder means that no word finds anything
        return
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    index.save(str(folder), show_progress=False)


class WordIndex:
    """BM25 over all chunks, memory-mapped, loaded on first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not folder.is_dir():
            raise NotReady(f"the index has lost {folder.name} ({str(folder.parent)!r}): build it again")

    @cached_property
    def _index(self) -> Any:
        import bm25s

        if not any(self._folder.iterdir()):
            return None
        try:
            return bm25s.BM25.load(str(self._folder), mmap=True, show_progress=False)
        except (OSError, ValueError, KeyError, EOFError) as problem:
            raise NotReady(f"the word index {str(self._folder)!r} is damaged: build the index again") from problem

    def __len__(self) -> int:
        """How many chunks it knows."""
        return int(self._index.scores["num_docs"]) if self._index is not None else 0

    def best(self, query: str, n: int) -> list[int]:
        """Rows of the `n` best chunks that share a word with the query, best first."""
        index = self._index
        tokens = [t for t in words(query) if index is not None and t in index.vocab_dict]
        if not tokens:
            return []
        scores = index.get_scores(tokens)
        n = min(n, int((scores > 0).sum()))
        if not n:
            return []
        top = np.argpartition(-scores, n - 1)[:n]
        return [int(row) for row in top[np.lexsort((top, -scores[top]))]]


class WebSearch:
    """Hybrid search over the chunks of an open index."""

    def __init__(self, collections: Collections, catalogue: Catalogue, word_index: WordIndex, encoder: TextEncoder):
        self._collections = collections
        self._catalogue = catalogue
        self._word_index = word_index
        self._encoder = encoder

    def search(self, query: str, k: int) -> tuple[Passage, ...]:
        """At most `k` passages, best first, of `k` different pages."""
        if not query.strip() or k < 1:
            return ()
        n = max(_AT_LEAST, k * _CHUNKS_A_PAGE)
        vector = self._encoder.encode([query])[0]
        near = self._collections.nearest_chunks(vector, n)
        by_words = self._catalogue.chunk_ids(self._word_index.best(query, n))
        fused: dict[str, float] = {}
        for weight, ranked in ((1.0, [hit.id for hit in near]), (_WORDS_WEIGHT, by_words)):
            for rank, chunk_id in enumerate(ranked):
                fused[chunk_id] = fused.get(chunk_id, 0.0) + weight / (_RANK_CONSTANT + rank + 1)
        known = {hit.id: _passage(hit.id, hit.metadata, hit.score) for hit in near}
        known.update(self._fetch([i for i in by_words if i not in known], vector))
        best: dict[str, Passage] = {}
        for chunk_id in sorted(fused, key=lambda i: -fused[i]):
            passage = known.get(chunk_id)
            if passage is not None:
                best.setdefault(passage.url, passage)
            if len(best) == k:
                break
        return tuple(best.values())

    def page(self, url: str) -> tuple[Passage, ...]:
        """All chunks of one page in reading order; empty for an unknown page."""
        ids = self._catalogue.page_chunk_ids(url)
        found = self._fetch(ids, None)
        return tuple(found[i] for i in ids if i in found)

    def _fetch(self, ids: list[str], vector: np.ndarray | None) -> dict[str, Passage]:
        if not ids:
            return {}
        include = ["metadatas"] if vector is None else ["metadatas", "embeddings"]
        got = self._collections.web.get(ids=ids, include=include)
        scores = np.zeros(len(got["ids"])) if vector is None else np.asarray(got["embeddings"]) @ vector
        rows = zip(got["ids"], got["metadatas"], scores, strict=True)
        return {i: _passage(i, metadata, float(score)) for i, metadata, score in rows}


def _passage(chunk_id: str, metadata: Any, score: float) -> Passage:
    return Passage(
        id=chunk_id,
        url=str(metadata.get("page_url") or ""),
        title=str(metadata.get("page_name") or ""),
        text=str(metadata.get("page_snippet") or ""),
        score=score,
    )
