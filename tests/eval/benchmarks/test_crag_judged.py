"""CRAG's scores of runs that others judge: by two models, averaged, and by grades that came with the answers."""

from __future__ import annotations

import json

import pytest

from assistant.core.events import Finished
from assistant.core.types import Answer, Turn
from assistant.models.chat.request import ChatOptions
from eval.__main__ import COMMANDS, main
from eval.data import datasets
from eval.judges.judging import JudgeChoice
from eval.metrics.traffic import Weights
from eval.reports.loaded_run import load_run
from eval.reports.report import html_report
from eval.reports.summary import run_summary
from eval.runs.runner import generate
from eval.runs.store import RunFolder
from eval.scoring import judge_and_score
from tests import scripted_chat
from tests.eval.data.crag_text.ten_rows import ROWS, write

#: Both judges find "seven" right; the second one everything.
JUDGES = [
    {"model": "strict", "match": "answer to grade]\nseven", "reply": "Result: CORRECT"},
    {"model": "strict", "reply": "Result: WRONG"},
    {"model": "kind", "reply": "Result: CORRECT"},
]


def answer(conversation, question, frame, *, given=None):
    yield Finished(Turn(question, Answer("seven" if "goals" in question else "some other thing", "answered")))


def made(tmp_path):
    data = datasets.load(str(write(tmp_path / "c.jsonl")), "all")
    folder = RunFolder.open(tmp_path / "run", {"options": {}, "benchmark": data.benchmark}, resume=False)
    generate(data.samples, answer, folder)
    return folder


def test_two_models_are_averaged(tmp_path):
    with scripted_chat.start(script=JUDGES) as server, made(tmp_path) as folder:
        models = tuple(ChatOptions(server.base_url, None, name) for name in ("strict", "kind"))
        scores = judge_and_score(
            folder, JudgeChoice("llm", models, weights=Weights({"aggregation": 1.0}, file="w")), None
        )
        asked = [row["texts"][-1] for row in server.requests() if row["model"] == "kind"]
    own = {name: found["crag"] for name, found in scores["judges"].items()}
    # Strict: one of sports right, all else wrong; of five domains one at 1 and four at -1: -3/5. Kind: 1.
    assert own["strict"]["macro"]["truthfulness"] == pytest.approx(-3 / 5)
    assert own["kind"]["macro"]["truthfulness"] == 1
    assert scores["averaged"]["crag"]["macro"]["truthfulness"] == pytest.approx((-3 / 5 + 1) / 2)
    assert scores["averaged"]["crag"]["all"]["incorrect"] == pytest.approx((9 / 10 + 0) / 2)
    assert scores["averaged"]["crag"]["weighted"]["truthfulness"] == 1  # aggregation alone weighs, and is right
    assert scores["crag"] == scores["averaged"]["crag"]  # CRAG reports the mean of the two
    # Every answer has the mean of what both say: one is right twice, nine are right once: 1 and 0 of each.
    ends = scores["crag"]["all"]["intervals"]["truthfulness"]
    assert scores["crag"]["all"]["truthfulness"] == pytest.approx(0.1)
    assert 0.0 <= ends["low"] < 0.1 < ends["high"] < 0.5
    told = run_summary(scores, 0, tmp_path, {"benchmark": "crag"}).splitlines()
    columns = next(line.split(maxsplit=2) for line in told if "mean of the two" in line)
    assert columns == ["strict", "kind", "mean of the two"]
    assert next(line.split() for line in told[5:] if line.startswith("Truthfulness ")) == [
        "Truthfulness", "-0.600", "1.000", "0.200",
    ]  # fmt: skip
    assert len(asked) == 10
    assert sum("true answer 2]" in text for text in asked) == 3  # the rows that have alternatives


def test_grades_that_came_with_the_answers(tmp_path, capsys):
    rows = ROWS[:4]
    grades = ("perfect", "acceptable", "missing", "incorrect")
    graded = tmp_path / "graded.jsonl"
    lines = [
        {"interaction_id": row["interaction_id"], "answer": f"answer {n}", "grade": grade}
        for n, (row, grade) in enumerate(zip(rows, grades, strict=True))
    ]
    graded.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "run"
    given = ["import", graded, "--data", write(tmp_path / "c.jsonl", rows), "--split", "all", "--out", out, "--json"]
    assert main("python -m eval", COMMANDS, [*map(str, given), "--verdict-column", "grade"]) == 0
    found = json.loads(capsys.readouterr().out)["crag"]
    # 1, 1/2, 0 and -1 over four answers.
    assert (found["score"], found["perfect"], found["acceptable"]) == (1 / 8, 1 / 4, 1 / 4)
    # movie (1 + 1/2) / 2 = 3/4, open 0, finance -1: -1/12.
    assert found["graded"]["macro"]["score"] == pytest.approx(-1 / 12)
    # Perfect and acceptable are right: movie 1, open 0, finance -1.
    assert found["macro"]["truthfulness"] == 0
    assert "CRAG’s four grades over 4 turns" in html_report(load_run(out))


def test_a_report_without_grades(tmp_path):
    with made(tmp_path) as folder:
        judge_and_score(folder, "exact", None)
    assert "four grades" not in html_report(load_run(tmp_path / "run"))
