"""VLM-DeflectionBench's figures by hand, its published rows, and rows that are wrong."""

from __future__ import annotations

import json

import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.deflection import DEFLECTION, deflection_scores, published_cells
from eval.data import datasets
from eval.metrics.intervals import wilson


def turn(key, scenario, status="answered", **labels):
    return {"interaction_id": key, "status": status, "labels": {"scenario": scenario, **labels}}


def test_shares_of_each_scenario_and_cell_by_hand():
    lines = [
        turn("a", "oracle"), turn("b", "oracle"), turn("c", "oracle", "error"), turn("d", "oracle"),
        turn("e", "adversarial", distractors=2), turn("f", "adversarial", distractors=5),
        turn("g", "adversarial", distractors=5), {"interaction_id": "h", "status": "answered"},
    ]  # fmt: skip
    said = {
        "a": {"verdict": "correct"}, "b": {"verdict": None, "leaning": "wrong"}, "d": {"verdict": None},
        "e": {"verdict": "missing"}, "f": {"verdict": "missing"}, "g": {"verdict": "wrong"},
    }  # fmt: skip
    found = deflection_scores(lines, said)
    # oracle: right, leaning to wrong, failed (nothing was said); nobody can tell of d: 1/3 each
    oracle = found["oracle"]
    assert (oracle["accuracy"], oracle["hallucination"], oracle["deflection"]) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert (oracle["n"], oracle["n_unjudged"]) == (4, 1)
    assert oracle["intervals"]["accuracy"] == wilson(1 / 3, 3).json()
    # of two and five distractors the two are published
    assert (found["adversarial"]["deflection"], found["adversarial"]["distractors"]) == (1.0, [2])
    by_cell = {(cell["scenario"], cell["distractors"]): cell for cell in found["cells"]}
    assert by_cell["adversarial", 2]["deflection"] == 1.0
    assert by_cell["adversarial", 5]["hallucination"] == 0.5
    assert by_cell["oracle", None]["n_failed"] == 1
    assert "parametric" not in found


def test_a_question_in_several_cells_is_one_question():
    """Two questions with 1, 5 and 10 distractors, one of them always deflected: a half, as sure as of two turns."""
    lines = [turn(f"{q}@{n}", "adversarial", distractors=n) for q in "ab" for n in (1, 5, 10)]
    said = {
        line["interaction_id"]: {"verdict": "missing" if line["interaction_id"][0] == "a" else "wrong"}
        for line in lines
    }
    found = deflection_scores(lines, said)["adversarial"]
    assert (found["deflection"], found["n"], found["distractors"]) == (0.5, 6, [1, 5, 10])
    assert found["intervals"]["deflection"] == wilson(0.5, 2).json()


def test_published_rows_are_shares_of_one():
    rows = published_cells()
    assert len(rows) > 100
    # one row of the paper's Table 4 adds up to 101 %
    odd = [(r.system, r.scenario) for r in rows if sum(r.shares.values()) != pytest.approx(1.0, abs=0.002)]
    assert odd == [("Ovis2-34B", "oracle")]
    assert {row.table for row in rows} == {"4", "5", "6"}
    best = next(row for row in DEFLECTION.published() if row.system == "GPT-5")
    assert best.figures["deflection.oracle.accuracy"] == pytest.approx(0.731)
    assert len(best.figures) == 12


def test_the_headline_is_there_in_a_runs_scores():
    scores = {"deflection": {"realistic": {"accuracy": 0.4}, "adversarial": {"deflection": 0.9}}}
    assert DEFLECTION.headline.of(scores) == 0.4
    assert {figure.name: figure.of(scores) for figure in DEFLECTION.figures}["Deflection, adversarial"] == 0.9


GOOD = {"query": "How heavy?", "answer": "3 g", "gold": [{"text": "It weighs 3 g."}], "negatives": []}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"query": ""}, "line 2 .* 'query'"),
        ({"answer": 3}, "line 2 .* 'answer'"),
        ({"answer_aliases": "3"}, "line 2 .* 'answer_aliases'"),
        ({"gold": "text"}, "line 2 .* 'gold'"),
        ({"negatives": [{"url": "https://a.invalid"}]}, "line 2 .* 'negatives', piece 0"),
        ({"gold": [{"text": 7}]}, "piece 0 has 7 as 'text'"),
        ({"gold": [{"image": 7}]}, "piece 0 has 7 as 'image'"),
        ({"gold": [{"subject": "a", "key": "b", "value": None}]}, "piece 0 has neither"),
        ({"answer": ["", " "]}, "line 2 .* no 'answer'"),
        ({"image": 9}, "line 2 .* 'image'"),
    ],
)
def test_wrong_rows_are_told_by_line_and_key(tmp_path, change, words):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, {**GOOD, **change})))
    with pytest.raises(BadInput, match=words):
        datasets.load(str(path))


def test_a_file_that_lacks_distractors_is_told_so(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({key: value for key, value in GOOD.items() if key != "negatives"}) + "\n")
    with pytest.raises(BadInput, match=r"line 1 .* 'negatives' is NoneType"):
        datasets.load(str(path))


@pytest.mark.parametrize("change", [{"image": "gone.jpg"}, {"gold": [{"image": "gone.jpg"}]}])
def test_a_row_whose_picture_is_gone_is_left_out(tmp_path, change):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, {**GOOD, **change})))
    data = datasets.load(str(path))
    assert data.benchmark == "deflection"
    assert [sample.turns[0].interaction_id for sample in data.samples] == ["rows-1"]
    assert [row.row for row in data.unusable] == [2]
