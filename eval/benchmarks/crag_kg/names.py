"""Search by name: BM25 over lower-cased names without punctuation, ten results, as the released server ranks.

Two formulas are in use there. "okapi" (open, movies, people, companies) is the one of the package rank_bm25: scores
over all names, a word in more than half of them weighs a quarter of the average, and equal scores stand in the order
that numpy's sort leaves. "cut" (artists, songs) leaves out words with a weight of 4 or less and keeps equals in the
order in which they are found. Both have k1 1.5 and b 0.75. Robertson and Zaragoza 2009, The Probabilistic Relevance
Framework.

An index stands in the store: postings of a word as one row, lengths of all names as one array, so that a search reads
the words it asks for and no others.
"""

from __future__ import annotations

import json
import math
import sqlite3
import string
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from eval.benchmarks.crag_kg.numpy_order import last_places

Formula = Literal["okapi", "cut"]
RESULTS = 10
_K1, _B = 1.5, 0.75
_EPSILON = 0.25
_LEAST_WEIGHT = 4.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS name_searches(
    search TEXT PRIMARY KEY, formula TEXT, average_length REAL, lengths BLOB);
CREATE TABLE IF NOT EXISTS name_words(search TEXT, word TEXT, weight REAL, places BLOB, counts BLOB);
CREATE UNIQUE INDEX IF NOT EXISTS name_words_by_word ON name_words(search, word);
CREATE TABLE IF NOT EXISTS name_results(search TEXT, place INTEGER, results TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS name_results_by_place ON name_results(search, place);
"""

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(name: str) -> str:
    """A name as it is searched: lower case, no ASCII punctuation, one space between words."""
    return " ".join(name.lower().replace("_", " ").translate(_NO_PUNCTUATION).split())


def write_index(base: sqlite3.Connection, search: str, formula: Formula, names: Iterable[tuple[str, list[str]]]) -> int:
    """Write an index of names, in the order in which they are given; how many there are.

    Args:
        base: the store, with the tables of `SCHEMA`.
        search: what the index is called.
        names: the words of each name, separated by spaces, and what a search for it gives.
    """
    postings: dict[str, tuple[array[int], array[int]]] = {}
    lengths = array("i")
    for place, (name, results) in enumerate(names):
        words = name.split()
        lengths.append(len(words))
        for word, count in Counter(words).items():
            places, counts = postings.setdefault(word, (array("i"), array("i")))
            places.append(place)
            counts.append(count)
        base.execute(
            "INSERT INTO name_results VALUES (?, ?, ?)", (search, place, json.dumps(results, ensure_ascii=False))
        )
    size = len(lengths)
    weights = _weights(formula, {word: len(places) for word, (places, _) in postings.items()}, size)
    base.executemany(
        "INSERT INTO name_words VALUES (?, ?, ?, ?, ?)",
        (
            (search, word, weights[word], places.tobytes(), b"" if set(counts) == {1} else counts.tobytes())
            for word, (places, counts) in postings.items()
            if word in weights
        ),
    )
    average = sum(lengths) / size if size else 0.0
    base.execute("INSERT INTO name_searches VALUES (?, ?, ?, ?)", (search, formula, average, lengths.tobytes()))
    return size


def _weights(formula: Formula, found_in: dict[str, int], size: int) -> dict[str, float]:
    """The weight of each word: log((N - n + 0.5) / (n + 0.5)), with what the formula does to common words."""
    weights = {word: math.log(size - n + 0.5) - math.log(n + 0.5) for word, n in found_in.items()}
    if formula == "cut":
        return {word: weight for word, weight in weights.items() if weight > _LEAST_WEIGHT}
    floor = _EPSILON * sum(weights.values()) / len(weights) if weights else 0.0
    return {word: weight if weight >= 0 else floor for word, weight in weights.items()}


@dataclass(frozen=True, eq=False)
class NameSearch:
    """An index that is open: its formula and the lengths of its names in words."""

    search: str
    formula: Formula
    average_length: float
    lengths: NDArray[np.int32]

    def find(self, base: sqlite3.Connection, query: str) -> list[list[str]]:
        """What is found for a query: the results of up to ten names, the best first."""
        best = self._cut(base, query) if self.formula == "cut" else self._okapi(base, query)
        asked = "SELECT results FROM name_results WHERE search = ? AND place = ?"
        return [json.loads(base.execute(asked, (self.search, place)).fetchone()[0]) for place in best]

    def _okapi(self, base: sqlite3.Connection, query: str) -> list[int]:
        scores = np.zeros(len(self.lengths))
        for weight, places, counts in self._postings(base, query):
            scores[places] += weight * (counts * (_K1 + 1) / (counts + self._length_part(places)))
        if not scores.any():
            return []
        return [place for place in last_places(scores, RESULTS) if scores[place] != 0]

    def _cut(self, base: sqlite3.Connection, query: str) -> list[int]:
        found, parts = [], []
        for weight, places, counts in self._postings(base, query):
            found.append(places)
            parts.append(weight * counts * (_K1 + 1) / (counts + self._length_part(places)))
        if not found:
            return []
        names, first, which = np.unique(np.concatenate(found), return_index=True, return_inverse=True)
        scores = np.zeros(len(names))
        np.add.at(scores, which, np.concatenate(parts))
        order = np.lexsort((first, -scores))[:RESULTS]
        return [int(place) for place in names[order]]

    def _length_part(self, places: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.asarray(_K1 * (1 - _B + _B * self.lengths[places] / self.average_length), np.float64)

    def _postings(
        self, base: sqlite3.Connection, query: str
    ) -> Iterator[tuple[float, NDArray[np.int32], NDArray[np.int32]]]:
        """For each word of the query, repeated ones again: its weight, the names that have it and how often."""
        for word in normalised(query).split():
            asked = "SELECT weight, places, counts FROM name_words WHERE search = ? AND word = ?"
            row = base.execute(asked, (self.search, word)).fetchone()
            if row is not None:
                places = np.frombuffer(row[1], np.int32)
                yield row[0], places, np.frombuffer(row[2], np.int32) if row[2] else np.ones(len(places), np.int32)


def open_search(base: sqlite3.Connection, search: str) -> NameSearch | None:
    """The index of that name; None where the store has none."""
    row = base.execute(
        "SELECT formula, average_length, lengths FROM name_searches WHERE search = ?", (search,)
    ).fetchone()
    return None if row is None else NameSearch(search, row[0], row[1], np.frombuffer(row[2], np.int32))
