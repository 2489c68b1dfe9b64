"""What visitors taught, as recognition sees it: a small collection beside the index, scanned as a whole.

A row is one picture of one taught object. Its place in a short list is a negative number (`FIRST` downwards), so that
it can never be taken for a row of the index. A `TaughtRows` never changes; teaching gives a new one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assistant.text.agreement import Word, overlap, words_of
from assistant.vision.local_features import LocalFeatures

#: The number of the first row; the next ones count down. -1 stands for "no row" elsewhere.
FIRST = -2
#: Pictures that are aligned in all, and of one object.
SHORT_LIST = 6
PICTURES_OF_ONE = 2
#: Pictures whose vector is further from every part of the frame than this are not aligned.
LEAST_SCORE = 0.35
#: `image_url` of a taught picture: this and the picture's id. It is a name, nothing is ever fetched from it.
SCHEME = "taught:"


@dataclass(frozen=True, eq=False)
class TaughtRow:
    """One picture of a taught object; `vector` (dim,) is of unit length, `attributes` are the object's facts."""

    name: str
    picture_id: str
    attributes: Mapping[str, Any]
    features: LocalFeatures
    vector: np.ndarray

    @property
    def image_url(self) -> str:
        return SCHEME + self.picture_id

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(words_of(self.features.texts))


class TaughtRows:
    """All taught pictures at one moment."""

    def __init__(self, rows: Sequence[TaughtRow] = (), version: int = 0) -> None:
        self.version = version
        self._rows = tuple(rows)
        self._vectors = np.stack([row.vector for row in rows]) if rows else np.zeros((0, 1), np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[TaughtRow]:
        return iter(self._rows)

    def row(self, index: int) -> TaughtRow:
        """The row that `short_list` and `by_text` call `index`."""
        return self._rows[FIRST - index]

    def scores(self, vectors: np.ndarray) -> np.ndarray:
        """(rows,) the best score of each row for any of the (parts, dim) `vectors` of a frame."""
        if not self._rows or not len(vectors):
            return np.zeros(len(self._rows), np.float32)
        return np.asarray(self.similarities(vectors).max(axis=1))

    def similarities(self, vectors: np.ndarray) -> np.ndarray:
        """(rows, parts) of each row to each of the (parts, dim) `vectors` of a frame."""
        return np.asarray(self._vectors @ vectors.T)

    def short_list(self, vectors: np.ndarray) -> list[int]:
        """The rows worth aligning, best first, at most `PICTURES_OF_ONE` of an object."""
        scores = self.scores(vectors)
        chosen: list[int] = []
        taken: Counter[str] = Counter()
        for position in np.argsort(-scores, kind="stable"):
            row = self._rows[position]
            if scores[position] < LEAST_SCORE or len(chosen) == SHORT_LIST:
                break
            if taken[row.name] < PICTURES_OF_ONE:
                taken[row.name] += 1
                chosen.append(FIRST - int(position))
        return chosen

    def by_text(self, known: frozenset[str], joined: str, tried: frozenset[int]) -> dict[int, float]:
        """How much of each picture's text stands on the frame, for pictures that were not tried yet."""
        found = {}
        for position, row in enumerate(self._rows):
            index = FIRST - position
            if row.words and index not in tried:
                found[index] = overlap(row.words, known, joined)
        return found


#: Nothing was taught.
NONE = TaughtRows()
