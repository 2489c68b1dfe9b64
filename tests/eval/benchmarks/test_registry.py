"""The benchmarks by name, and that a run's scores hold the figures that only its benchmark has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eval.benchmarks import registry
from eval.benchmarks.registry import BENCHMARKS, benchmark_of
from eval.reports.leaderboard import published_rows
from eval.runs.store import RunFolder
from eval.scoring import judge_and_score
from tests.eval.reports.judged_run import write_run


def test_every_benchmark_stands_under_its_name_and_says_what_it_is():
    for name, one in BENCHMARKS.items():
        assert one.name == name
        assert all((one.title, one.paper, one.asks, one.needs, one.get, one.licence, one.judges, one.figures))
        assert len({figure.key for figure in one.figures}) == len(one.figures)


def test_the_published_rows_of_crag_mm_are_those_of_its_leaderboard():
    known = {(row.set, row.setting, row.system, row.where): row for row in published_rows()}
    found = BENCHMARKS["cragmm"].published()
    assert len(found) == len(known) > 20
    for row in found:
        other = known[row.part, row.setting, row.system, row.where]
        assert row.figures.get("paper.truthfulness") == other.truthfulness
        assert row.figures.get("paper.hallucination_rate") == other.hallucination
        assert row.figures.get("paper.early_stop") == other.early_stop


def test_a_run_is_of_the_benchmark_that_it_names():
    assert benchmark_of({}) is benchmark_of({"benchmark": "no such"}) is BENCHMARKS["cragmm"]
    assert all(benchmark_of({"benchmark": name}) is one for name, one in BENCHMARKS.items())


def test_figures_of_its_own_stand_under_the_benchmarks_name(tmp_path, monkeypatch):
    def own(lines, judgements):
        return {"turns": len(lines), "wrong": sum(one["verdict"] == "wrong" for one in judgements.values())}

    monkeypatch.setitem(registry.BENCHMARKS, "crag", replace(BENCHMARKS["cragmm"], name="crag", own_scores=own))
    path = write_run(tmp_path / "run")
    with RunFolder.open(path, {"options": {}}, resume=True) as folder:
        assert "cragmm" not in judge_and_score(folder, "exact", None)
        folder.write_info(benchmark="crag")
        # of six answers by the exact judge: one refusal, one equal to the truth, four wrong; by lexical one is wrong
        assert judge_and_score(folder, "exact", None)["crag"] == {"turns": 7, "wrong": 4}
        scores = judge_and_score(folder, "lexical", None)
    assert scores["crag"] == {"turns": 7, "wrong": 1}
    assert BENCHMARKS["cragmm"].headline.of(scores) == pytest.approx(scores["paper"]["truthfulness"])
