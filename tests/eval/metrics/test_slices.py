"""Slices against cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from eval.metrics.slices import slices


def test_slices_by_hand():
    values = np.array([1, -1, 0, 1])
    found = slices(
        values,
        np.array([0, 0, 1, 2]),
        {"domain": ["book", "book", "book", 3], "ego": [True, True, False, None], "popularity": [None] * 4},
    )
    assert set(found) == {"domain", "ego"}  # what no turn carries is left out
    book = found["domain"]["book"]
    assert (book["n"], book["n_conversations"], book["few"]) == (3, 2, True)
    assert (book["accuracy"], book["missing"], book["hallucination_rate"]) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert book["truthfulness"] == 0.0
    assert found["domain"]["3"]["truthfulness"] == 1.0
    assert {name: part["n"] for name, part in found["ego"].items()} == {"yes": 2, "no": 1}


def test_the_most_frequent_comes_first_and_turn_numbers_in_order():
    found = slices(np.zeros(5), np.arange(5), {"d": ["a", "b", "b", "c", "b"], "turn": [10, 2, 2, 0, 10]})
    assert list(found["d"]) == ["b", "a", "c"]
    assert list(found["turn"]) == ["0", "2", "10"]


def test_thirty_turns_are_enough():
    found = slices(np.ones(59), np.arange(59), {"d": ["a"] * 30 + ["b"] * 29})
    assert found["d"]["a"]["few"] is False
    assert found["d"]["b"]["few"] is True


def test_every_figure_lies_in_its_interval():
    rng = np.random.default_rng(2)
    n = 400
    found = slices(rng.integers(-1, 2, n), rng.integers(0, 90, n), {"d": [f"v{i}" for i in rng.integers(0, 9, n)]})
    for part in found["d"].values():
        for name, interval in part["intervals"].items():
            assert interval["low"] <= part[name] <= interval["high"]
            assert interval["low"] < interval["high"]
    assert sum(part["n"] for part in found["d"].values()) == n


def test_a_slice_in_one_conversation_does_not_pretend_to_know():
    part = slices(np.ones(50), np.zeros(50), {"d": ["a"] * 50})["d"]["a"]
    assert part["intervals"]["truthfulness"]["method"] == "no_variation"
    assert part["intervals"]["accuracy"]["low"] < 0.3  # fifty turns of one conversation are one piece of evidence
