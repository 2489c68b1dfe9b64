"""One figure stands first, by benchmark; all others have a sentence each, and odd scores give no error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eval.benchmarks.registry import BENCHMARKS
from eval.reports import headline as module
from eval.reports.board import board
from eval.reports.headline import Headline, all_figures, by_key, headline
from eval.reports.leaderboard import leaderboard
from eval.reports.loaded_run import load_run
from tests.eval.reports.written_run import line, write_run

SCORES = {
    "paper": {"truthfulness": 0.25, "accuracy": 0.5, "missing": 0.25, "hallucination_rate": 0.25, "early_stop": 0.0},
    "readme": {"truthfulness": 0.3},
    "public": {"all": {"truthfulness_score": 0.2}, "ego": {"truthfulness_score": None}},
    "intervals": {"paper": {"truthfulness": {"low": 0.1, "high": 0.4, "method": "bootstrap"}}},
}


def test_the_paper_s_truthfulness_is_the_headline_of_crag_mm_and_of_runs_that_name_no_benchmark():
    for info in ({}, {"benchmark": None}, {"benchmark": "cragmm"}, {"benchmark": "something new"}):
        found = headline(SCORES, info)
        assert (found.name, found.value, found.low, found.high) == ("truthfulness (paper)", 0.25, 0.1, 0.4)
        assert found.text == "0.250 [0.100, 0.400]"
        assert "I don’t know" in found.explanation


def test_another_benchmark_brings_its_own(monkeypatch):
    own = by_key("mine.rate", "share of right answers", "Right answers of all.", kind="share")
    monkeypatch.setitem(module.HEADLINES, "mine", own)
    scores = {**SCORES, "mine": {"rate": 0.75}}
    found = headline(scores, {"benchmark": "mine"})
    assert found == Headline(
        "share of right answers",
        0.75,
        None,
        None,
        "Right answers of all.",
        "mine.rate",
        "share of right answers",
        "share",
    )
    assert [figure.key for figure in all_figures(scores, {"benchmark": "mine"})[:2]] == [
        "mine.rate",
        "paper.truthfulness",
    ]


def test_a_benchmark_with_figures_of_its_own_needs_nothing_more():
    info = {"benchmark": "deflection"}
    scores = {**SCORES, "deflection": {"oracle": {"accuracy": 0.5}, "adversarial": {"deflection": 0.25}}}
    found = all_figures(scores, info)
    # A run of some scenarios has no figure of the others: the first that is there stands first.
    assert headline(scores, info).key == "deflection.oracle.accuracy"
    assert [figure.key for figure in found[:2]] == ["deflection.oracle.accuracy", "deflection.adversarial.deflection"]
    assert found[0].kind == "share"
    assert headline({}, info).value is None


def test_all_figures_begin_with_it_and_leave_out_what_is_not_there():
    names = [figure.name for figure in all_figures(SCORES, {})]
    assert names == [
        "truthfulness (paper)", "truthfulness (README)", "truthfulness (public evaluator)", "correct", "missing",
        "wrong", "early stop",
    ]  # fmt: skip
    more = {
        **SCORES,
        "bounds": {"paper": {"truthfulness": [-0.1, 0.5]}},
        "crag": {"score": 0.4},
        "overlay": {"with": {"paper": {"truthfulness": 0.35}}},
        "risk_coverage": {"aurc": 0.12},
        "averaged": {"paper": {"truthfulness": 0.2}},
    }
    found = {figure.name: figure for figure in all_figures(more, {})}
    assert found["bounds (paper)"].value is None
    assert found["bounds (paper)"].interval == {"low": -0.1, "high": 0.5}
    assert found["CRAG score"].value == 0.4
    assert found["corrected"].value == 0.35
    assert found["risk over coverage"].value == 0.12
    assert found["mean of two judges"].value == 0.2
    assert len({figure.explanation for figure in found.values()}) == len(found)


@pytest.mark.parametrize(
    "scores",
    [{}, {"paper": None}, {"paper": {"truthfulness": None}}, {"paper": {"truthfulness": float("nan")}},
     {"paper": {"truthfulness": True}}, {"paper": 3, "intervals": []}, {"bounds": {"paper": {"truthfulness": [1]}}}],
)  # fmt: skip
def test_odd_scores_have_no_value(scores):
    found = headline(scores, {})
    assert found.value is None
    assert found.text == "none"
    assert all_figures(scores, {}) == (found,)


def test_every_run_stands_on_the_board_of_its_benchmark_alone(tmp_path):
    ours = load_run(write_run(tmp_path / "ours", [(line("a"), "correct")]))
    other = load_run(write_run(tmp_path / "other", [(line("a"), "correct")], benchmark="deflection"))
    scores = {"judge": "exact", "judge_version": 1, "n": 1, "deflection": {"realistic": {"accuracy": 0.75}}}
    found = leaderboard([ours, replace(other, scores=scores)], [])
    assert found["single-turn"]["headline"]["name"] == "truthfulness (paper)"
    assert [row["truthfulness"] for row in found["single-turn"]["rows"]] == [1.0]
    assert [(name, "--benchmark deflection" in why) for name, why in found["off"]] == [("other", True)]
    (row, *_) = board(BENCHMARKS["deflection"], [(run.name, run.info, scores) for run in (ours, other)]).rows
    assert (row.where, row.figures) == ("other", {"deflection.realistic.accuracy": 0.75})
