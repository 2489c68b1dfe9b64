"""Means over domains and by traffic, worked out by hand; files of weights as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.errors import BadInput
from eval.metrics.traffic import EQUAL, Scored, Weights, macro, mean_of, read_weights, recipes, unnamed, weighted


def answers(*rows):
    return [Scored(domain, type_, {"t": float(value)}) for domain, type_, value in rows]


#: finance: simple 1, 1, -1 (mean 1/3), set 0. movie: simple 1.
FIVE = answers(
    ("finance", "simple", 1), ("finance", "simple", 1), ("finance", "simple", -1), ("finance", "set", 0),
    ("movie", "simple", 1),
)  # fmt: skip


def test_three_ways_by_hand():
    assert mean_of(FIVE)["t"] == pytest.approx(2 / 5)
    # finance (1 + 1 - 1 + 0) / 4 = 1/4, movie 1: (1/4 + 1) / 2 = 5/8.
    assert macro(FIVE)["t"] == pytest.approx(5 / 8)
    # All types alike: finance (1/3 + 0) / 2 = 1/6, movie 1: (1/6 + 1) / 2 = 7/12.
    assert weighted(FIVE)["t"] == pytest.approx(7 / 12)
    # simple three times as often as set: finance (3 * 1/3 + 1 * 0) / 4 = 1/4, movie 1: 5/8.
    assert weighted(FIVE, Weights({"simple": 3, "set": 1}, file="w"))["t"] == pytest.approx(5 / 8)
    # In finance set alone: 0; movie 1: 1/2.
    only = Weights({"simple": 3, "set": 1}, {"finance": {"simple": 0}}, "w")
    assert weighted(FIVE, only)["t"] == pytest.approx(1 / 2)
    # set alone everywhere: movie has none, so that finance is left: 0.
    assert weighted(FIVE, Weights({"set": 2}, file="w"))["t"] == 0.0
    assert unnamed(FIVE, Weights({"set": 2}, file="w")) == ["simple"]
    assert unnamed(FIVE, EQUAL) == []


def test_draws_are_scored_as_answers_are():
    only_simple = Weights({"simple": 3, "set": 1}, file="w")
    found = recipes(FIVE, np.arange(5), 5, only_simple, signed=("t",))
    assert set(found) == {"all.t", "macro.t", "weighted.t"}
    assert {recipe.low for recipe in found.values()} == {-1.0}
    twice = [*FIVE, FIVE[0]]  # the first answer drawn twice
    without = FIVE[:4]  # movie not drawn
    for weights, drawn in (((1, 1, 1, 1, 1), FIVE), ((2, 1, 1, 1, 1), twice), ((1, 1, 1, 1, 0), without)):
        values = {"all": mean_of(drawn), "macro": macro(drawn), "weighted": weighted(drawn, only_simple)}
        for way, wanted in values.items():
            recipe = found[f"{way}.t"]
            assert recipe.formula(np.array([weights], float) @ recipe.sums) == pytest.approx(wanted["t"]), way
    nothing = recipes(FIVE, np.arange(5), 5, Weights({"set": 2}, file="w"))["weighted.t"]
    with np.errstate(invalid="ignore"):
        assert np.isnan(nothing.formula(np.array([[0, 0, 0, 0, 1.0]]) @ nothing.sums))  # movie has no set


def test_nothing_to_score():
    assert (mean_of([]), macro([]), weighted([])) == ({}, {}, {})
    assert weighted(FIVE, Weights({"multi-hop": 1}, file="w")) == {}


def file(tmp_path, text, name="w.json"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_both_ways_to_write_weights(tmp_path):
    as_json = read_weights(file(tmp_path, '{"simple": 3, "set": 0.5, "finance": {"set": 2}}', "w"))
    as_csv = read_weights(
        file(tmp_path, "question_type,weight,domain\nsimple,3,\nset,0.5,\nset,2,finance\n", "w")
    )  # fmt: skip
    assert as_json == as_csv == Weights({"simple": 3.0, "set": 0.5}, {"finance": {"set": 2.0}}, "w")
    assert (as_json.of("set", "finance"), as_json.of("set", "movie"), as_json.of("comparison", "movie")) == (2, 0.5, 0)
    assert Weights.from_json(as_json.json()) == as_json
    assert Weights.from_json(EQUAL.json()) == EQUAL == Weights.from_json(None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "its columns are none"),
        ("simple;3", "its columns are simple;3"),
        ('{"simple": -1}', "'simple' has the weight -1"),
        ('{"simple": "often"}', "'simple' has the weight 'often'"),
        ('{"simple": true}', "'simple' has the weight True"),
        ('{"simple": NaN}', "'simple' has the weight nan"),
        ('{"finance": {"simple": {}}}', "'finance, simple' has the weight {}"),
        ('{"simple": 0}', "no weight in it is above 0"),
        ('["simple"]', "it is list, not an object"),
        ('{"simple": ', "w.json"),
        ("question_type,weight\nsimple,3\nset,many\n", "line 3 has 'many' as weight"),
        ("question_type,weight\nsimple,3\nsimple,4\n", "line 3 names a type or domain a second time"),
        ("question_type,weight\nsimple\n", "line 2 has None as weight"),
        ("question_type,weight\nsimple,3\n,4\n", "line 3 names no type"),
        ('{"simple": 1' + "0" * 400 + "}", "'simple' has the weight 1000"),
        ('{"simple": 1e308, "set": 1e308}', "a number from 0 to 1,000,000,000,000 is wanted"),
        (f'question_type,weight\n"{"s" * 200_000}",1\n', "field larger than field limit"),
    ],
)
def test_files_that_are_none(tmp_path, text, why):
    with pytest.raises(BadInput, match="cannot be used") as told:
        read_weights(file(tmp_path, text))
    assert why in str(told.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_weights(tmp_path / "none.json")


@pytest.mark.parametrize("kept", [{}, [], {"types": 5, "file": ""}, {"types": {"a": "b"}, "file": "w"}])
def test_a_run_that_keeps_something_else(kept):
    with pytest.raises(BadInput, match="give --weights"):
        Weights.from_json(kept)
