"""VLM-DeflectionBench's figures by hand, its published rows, and rows that are wrong."""

from __future__ import annotations

import json

import pytest

from assistant.core.errors import BadInput
from eval.benchmarks.deflection import (
    DEFLECTION,
    SHARES,
    deflection_differences,
    deflection_scores,
    published_cells,
)
from eval.data import datasets
from eval.metrics.intervals import wilson


def turn(key, scenario, status="answered", **labels):
    session = f"{key.partition('@')[0]}@{scenario}"
    return {
        "interaction_id": key, "session_id": session, "turn_idx": 0, "status": status,
        "labels": {"scenario": scenario, **labels},
    }  # fmt: skip


def test_shares_of_each_scenario_and_cell_by_hand():
    lines = [
        turn("a", "oracle"), turn("b", "oracle"), turn("c", "oracle", "error"), turn("d", "oracle"),
        turn("e", "adversarial", distractors=2), turn("f", "adversarial", distractors=5),
        turn("g", "adversarial", distractors=5), {"interaction_id": "h", "session_id": "h", "status": "answered"},
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
    # The clustered variance is p (1 - p) / (n - 1), so that three turns are as good as two.
    assert oracle["intervals"]["accuracy"] == pytest.approx(wilson(1 / 3, 2).json())
    # of two and five distractors the two are published
    assert (found["adversarial"]["deflection"], found["adversarial"]["distractors"]) == (1.0, [2])
    by_cell = {(cell["scenario"], cell["distractors"]): cell for cell in found["cells"]}
    assert by_cell["adversarial", 2]["deflection"] == 1.0
    assert by_cell["adversarial", 5]["hallucination"] == 0.5
    assert by_cell["oracle", None]["n_failed"] == 1
    assert "parametric" not in found


def test_a_question_in_several_cells_is_one_question():
    """Six questions with 1, 5 and 10 distractors, half of them always deflected: as sure as of six turns, not 18."""
    lines = [turn(f"{q}@{n}", "adversarial", distractors=n) for q in "abcdef" for n in (1, 5, 10)]
    said = {
        line["interaction_id"]: {"verdict": "missing" if line["interaction_id"][0] in "abc" else "wrong"}
        for line in lines
    }
    found = deflection_scores(lines, said)["adversarial"]
    assert (found["deflection"], found["n"], found["distractors"]) == (0.5, 18, [1, 5, 10])
    assert found["intervals"]["deflection"] == pytest.approx(wilson(0.5, 5).json())


def test_two_runs_are_compared_by_scenario():
    lines = [turn(f"{n}@{name}", name) for n in range(20) for name in ("oracle", "adversarial")]
    one = {line["interaction_id"]: {"verdict": "missing"} for line in lines}
    other = {key: {"verdict": "correct" if key.endswith("oracle") else "missing"} for key in one}
    other["0@adversarial"] = {}  # the judge could not tell
    sides = [[(line, said[line["interaction_id"]]) for line in lines] for said in (one, other)]
    found = deflection_differences(*sides)
    assert set(found) == {f"{name}.{share}" for name in ("oracle", "adversarial") for share in SHARES.values()}
    assert (found["oracle.accuracy"].a, found["oracle.accuracy"].b) == (0.0, 1.0)
    assert found["oracle.accuracy"].interval.low > 0.5  # no question differs from any other: a bound
    assert (found["adversarial.deflection"].a, found["adversarial.deflection"].b) == (1.0, 1.0)
    assert found["adversarial.deflection"].interval.low < 0 < found["adversarial.deflection"].interval.high


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


def test_a_list_of_rows_is_read_as_lines_are(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([GOOD, GOOD], indent=1))
    data = datasets.load(str(path))
    assert (data.benchmark, len(data.samples)) == ("deflection", 2)
    assert data.samples[0].turns[0].pieces()[0].text == "It weighs 3 g."
    path.write_text(json.dumps([GOOD, {**GOOD, "query": ""}]))
    with pytest.raises(BadInput, match=r"row 1 .* 'query'"):
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
