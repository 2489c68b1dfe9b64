"""Boards and views of benchmarks with figures of their own."""

from __future__ import annotations

import pytest

from eval.__main__ import COMMANDS, main
from eval.benchmarks.registry import BENCHMARKS
from eval.reports.board import board
from eval.reports.deflection import views
from eval.ui.html.deflection import render_views
from eval.ui.html.overview import render_board, render_overview


def cell(scenario, accuracy, distractors=None, positives=None, negatives=None):
    shares = {"accuracy": accuracy, "hallucination": 0.0, "deflection": 1.0 - accuracy}
    ends = {"accuracy": {"low": accuracy / 2, "high": 1.0}}
    where = {"scenario": scenario, "distractors": distractors, "positives": positives, "negatives": negatives}
    return {**where, **shares, "intervals": ends, "n": 40}


def run(name, cells, **options):
    first = {one["scenario"]: one for one in cells}
    info = {"benchmark": "deflection", "options": {"agent": "chat", "pipeline": "mm-llm", "data": "x", **options}}
    return name, info, {"deflection": {"cells": cells, **first}, "n": 40, "n_failed": 0, "judge": "llm"}


CURVE = [cell("realistic", 0.9 - n / 20, n, "both", "both") for n in (0, 2, 5)]
RUNS = [
    run("soft", [cell("oracle", 0.8, None, "both"), *CURVE], strictness="soft", chat={"model": "<b>m</b>"}),
    run("severe", [cell("realistic", 0.4, 2, "both", "both")], strictness="severe", chat={"model": "<b>m</b>"}),
    run("text", [cell("realistic", 0.6, 2, "text", "picture")], agent="embedded", pipeline="reader"),
    ("other", {"benchmark": "cragmm"}, {"paper": {"truthfulness": 0.1}}),
]


def test_views_gather_runs_of_one_system():
    found = views(RUNS)
    own = [row for row in found.scenarios if row.own]
    assert [(row.where, sorted(row.cells)) for row in own] == [
        ("soft", ["oracle", "realistic"]), ("severe", ["realistic"]), ("text", ["realistic"]),
    ]  # fmt: skip
    # of several numbers of distractors the main table's two
    assert own[0].cells["realistic"].shares["accuracy"] == pytest.approx(0.8)
    strict = [row for row in found.strictness if row.own]
    assert [sorted(row.cells) for row in strict] == [[("severe", "realistic"), ("soft", "realistic")]]
    modal = [row for row in found.modalities if row.own]
    assert [list(row.cells) for row in modal] == [[("text", "picture")]]
    (curve,) = found.curves
    assert [(n, share.shares["accuracy"]) for n, share in curve.points] == [
        (0, pytest.approx(0.9)), (2, pytest.approx(0.8)), (5, pytest.approx(0.65)),
    ]  # fmt: skip
    published = [row for row in found.scenarios if not row.own]
    assert len(published) == 19
    assert {row.where for row in published} == {"Table 4"}


def test_what_was_handed_over_otherwise_is_said():
    many = run("many", [cell("realistic", 0.3, 10, "text", "picture"), cell("oracle", 0.5, None, "text")])
    curve = run("curve", [cell("realistic", 0.9 - n / 20, n, "text", "text") for n in (0, 2)])
    found = views([many, curve])
    assert [row.setting for row in found.scenarios if row.own] == [
        "mm-llm, none to set, 10 distractors, gold: text, distractors: picture",
        "mm-llm, none to set, gold: text, distractors: text",
    ]
    # of several numbers of distractors the two of the paper's Table 5, not the first
    (row,) = [row for row in found.modalities if row.own]
    assert row.cells["text", "text"].shares["accuracy"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    "scores",
    [
        {"deflection": []}, {"deflection": {"cells": 3}}, {"deflection": {"cells": [3, {}, {"scenario": "new"}]}},
        {"deflection": {"cells": [{"scenario": "oracle", "accuracy": "much", "n": "x", "intervals": 3}]}},
    ],
)  # fmt: skip
@pytest.mark.parametrize("info", [{}, {"options": []}, {"options": {"chat": "m", "data": []}}])
def test_scores_of_another_shape_are_passed_over(scores, info):
    assert "Views of VLM-DeflectionBench" in render_views(views([("odd", info, scores), *RUNS]))


def test_views_are_drawn_and_names_are_inert():
    drawn = render_views(views(RUNS))
    assert "&lt;b&gt;m&lt;/b&gt;" in drawn
    assert "<b>m</b>" not in drawn
    assert drawn.count("<polyline") == 3
    assert "No run by scenario here yet" in render_views(views([]))


def test_a_board_has_own_runs_above_published_rows():
    found = board(BENCHMARKS["deflection"], RUNS)
    assert [row.where for row in found.rows if row.own] == ["soft", "text", "severe"]  # 80, 60, 40 %
    assert [row.own for row in found.rows] == sorted((row.own for row in found.rows), reverse=True)
    key = "deflection.realistic.accuracy"
    assert found.rows[1].intervals[key] == {"low": 0.3, "high": 1.0}
    broken = ("broken", {"benchmark": "deflection"}, {**RUNS[1][2], "n_failed": 39})
    unjudged = ("unjudged", {"benchmark": "deflection"}, {"n": 4})
    off = board(BENCHMARKS["deflection"], [broken, unjudged]).off
    assert [name for name, _ in off] == ["broken", "unjudged"]
    assert "measured here" in render_board(BENCHMARKS["deflection"], found)


def test_rows_headed_by_another_figure_stand_in_a_table_of_their_own():
    crag = BENCHMARKS["crag"]
    scores = {"crag": {"macro": {"truthfulness": 0.25}, "graded": {"macro": {"score": 0.5}}}, "n": 9}
    found = board(crag, [("ours", {"benchmark": "crag"}, scores)])
    tables = found.tables(crag.figures)
    assert [figures[0].name for figures, _ in tables] == [
        "Truthfulness", "Truthfulness, by people", "Truthfulness, by people, by traffic",
    ]  # fmt: skip
    assert [[row.where for row in rows if row.own] for _, rows in tables] == [["ours"], ["ours"], []]
    assert [len([row for row in rows if not row.own]) for _, rows in tables] == [32, 5, 5]
    drawn = render_board(crag, found)
    assert drawn.count("<table") == 3
    assert "industry, equal weights, industry" not in drawn


def test_all_benchmarks_stand_side_by_side():
    drawn = render_overview(tuple(BENCHMARKS.values()), {"deflection": 2})
    for one in BENCHMARKS.values():
        for words in (one.title, f"--benchmark {one.name}", one.licence[:20]):
            assert words in drawn
    assert "2 runs here" in drawn


@pytest.mark.parametrize("name", ["deflection", "crag", "m2rag"])
def test_the_command_lists_published_rows(name, capsys):
    assert main("x", COMMANDS, ["leaderboard", "--benchmark", name]) == 0
    told = capsys.readouterr().out
    assert f"(1) {BENCHMARKS[name].headline.name}" in told
    assert told.count("arXiv") == len(BENCHMARKS[name].published())
    assert main("x", COMMANDS, ["leaderboard", "--benchmark", name, "--json", "--own"]) == 0
    assert capsys.readouterr().out.strip() == "[]"
