"""Rankings by name against those of the packages that the released server uses, equal scores included."""

from __future__ import annotations

import sqlite3
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.benchmarks.crag_kg.names import SCHEMA, Formula, NameSearch, normalised, open_search, write_index
from eval.benchmarks.crag_kg.numpy_order import last_places

FIRST = ("glass", "oat", "moss", "reed", "stone", "wood", "fog")
SECOND = ("harbour", "winter", "key", "lane", "field", "mill", "bell", "tower", "bridge", "ferry", "glass")


def opened(formula: Formula, names: list[str]) -> tuple[sqlite3.Connection, NameSearch]:
    base = sqlite3.connect(":memory:")
    base.executescript(SCHEMA)
    write_index(base, "test", formula, ((name, [name]) for name in names))
    search = open_search(base, "test")
    assert search is not None
    return base, search


def found(index: tuple[sqlite3.Connection, NameSearch], query: str) -> list[str]:
    base, search = index
    return [name for (name,) in search.find(base, query)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Florida City, Florida", "florida city florida"),
        ("  AC/DC_live!  ", "acdc live"),
        ("Émile—李 (x)", "émile—李 x"),  # only ASCII punctuation goes
        ("?!", ""),
    ],
)
def test_names_are_normalised(name: str, expected: str):
    assert normalised(name) == expected


def okapi_names() -> list[str]:
    """108 names with many equal scores."""
    return sorted(
        {
            f"{FIRST[i % 7]} {SECOND[i % 11]}"
            + (f" {FIRST[i % 5]}" if i % 3 == 0 else "")
            + (" of the north" if i % 13 == 0 else "")
            for i in range(120)
        }
    )


#: Found by rank_bm25 0.2.2 with numpy 1.24.4 over `okapi_names`.
OKAPI = {
    "glass": "glass glass|glass bell glass|glass glass oat|glass bell|glass winter|glass tower|glass mill|glass lane"
    "|glass key|glass harbour",
    "glass glass mill": "glass mill|stone mill glass|glass glass|oat mill|wood mill|moss mill|reed mill"
    "|glass glass oat|glass bell glass|moss mill reed",
    "the north tower": "wood tower moss of the north|reed bridge of the north|glass lane of the north"
    "|fog mill of the north|moss glass of the north|fog key of the north|wood field of the north"
    "|oat winter reed of the north|stone bell stone of the north|glass harbour glass of the north",
    "oat winter fog zebra": "fog winter oat|fog winter|oat winter|fog bell oat|stone winter|glass winter|moss winter"
    "|wood winter|oat winter reed of the north|wood winter moss",
    "moss": "moss bell moss|moss mill|moss bridge|moss field|moss winter|moss ferry|moss harbour|moss key|moss lane"
    "|fog mill moss",
    "zebra": "",
    "": "",
}


def test_okapi_ranks_as_rank_bm25():
    index = opened("okapi", okapi_names())
    assert {query: "|".join(found(index, query)) for query in OKAPI} == OKAPI


#: Found by the released server's own formula over `cut_names`. "glass" is in 4 of 410 names.
CUT = {
    "glass": "glass|glass glass bell|glass 0 harbour",
    "glass bell moss": "glass glass bell|moss|glass|fog 6 bell|moss 2 key|glass 0 harbour",
    "moss 3": "moss|reed 3 lane|moss 2 key",
    "of1 bell bell": "fog 6 bell|glass glass bell|filling1 of1",
    "common": "",  # in 10 of 410 names: ln(400.5/10.5) = 3.6 is below 4
}


def cut_names() -> list[str]:
    names = [f"{FIRST[i % 7]} {i} {SECOND[i % 11]}" for i in range(7)]
    return sorted([*names, *(f"filling{i} of{i}" for i in range(400)), "moss", "glass glass bell", "glass"])


def test_cut_ranks_as_the_released_server():
    index = opened("cut", cut_names())
    assert {query: "|".join(found(index, query)) for query in CUT} == CUT


def test_words_of_many_names_are_cut():
    index = opened("cut", [*(f"common {i}" for i in range(10)), *(f"filling{i} of{i}" for i in range(400))])
    assert found(index, "common") == []
    assert found(index, "common 3") == ["common 3"]


@pytest.mark.parametrize("formula", ["okapi", "cut"])
@pytest.mark.parametrize("names", [[], [""], ["one"], ["one", "one"]])
def test_indexes_of_hardly_anything(formula: Formula, names: list[str]):
    assert set(found(opened(formula, names), "one two")) <= {"one"}


def test_there_is_no_such_index():
    base, _ = opened("okapi", ["one"])
    assert open_search(base, "other") is None


def numbers(size: int, kinds: int, step: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([(i * step % 101) % kinds for i in range(size)], dtype=np.float64)


@pytest.mark.parametrize(
    ("size", "kinds", "step", "expected"),
    [  # numpy.argsort(...)[::-1][:10] of numpy 1.24.4
        (10, 2, 7, [9, 7, 5, 3, 1, 8, 6, 4, 2, 0]),
        (17, 3, 5, [16, 7, 1, 13, 4, 10, 2, 5, 8, 11]),
        (60, 2, 13, [40, 42, 23, 24, 17, 26, 28, 58, 30, 14]),
        (500, 3, 29, [249, 139, 358, 140, 144, 354, 148, 350, 152, 346]),
        (3000, 4, 37, [604, 1671, 2371, 1658, 427, 907, 2365, 1664, 906, 433]),
    ],
)
def test_equals_stand_as_numpy_leaves_them(size: int, kinds: int, step: int, expected: list[int]):
    assert last_places(numbers(size, kinds, step), 10) == expected


@given(st.lists(st.integers(-3, 3), max_size=400), st.integers(1, 20))
@settings(deadline=None)
def test_the_last_places_are_the_largest(values: list[int], n: int):
    scores = np.array(values, dtype=np.float64)
    places = last_places(scores, n)
    assert len(set(places)) == len(places) == min(n, len(values))
    assert [scores[place] for place in places] == sorted(values, reverse=True)[:n]


def test_sorted_numbers_need_no_stable_sort_in_the_end():
    """Long runs in either direction, where a careless pivot would go wrong."""
    for scores in (np.arange(5000.0), np.arange(5000.0)[::-1], np.zeros(5000)):
        places = last_places(scores, 10)
        assert all(scores[first] >= scores[second] for first, second in pairwise(places))
