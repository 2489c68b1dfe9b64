"""M2RAG as a benchmark: its published rows, what a run is handed, and figures that need no judge."""

from __future__ import annotations

import json

import pytest

from assistant.core.events import Finished
from assistant.core.types import Answer, Turn
from eval.benchmarks.handing import prepared
from eval.benchmarks.m2rag import M2RAG
from eval.benchmarks.registry import BENCHMARKS
from eval.data.datasets import load
from eval.metrics.m2rag import METRICS
from eval.runs.handed import HandedAgain, handed_to
from eval.runs.runner import generate
from eval.runs.store import RunFolder
from eval.scoring import judge_and_score
from tests.eval.data.m2rag.made import URL, row, write_rows

FIRST, LAST = f"{URL}/q/webpage-0/0.png", f"{URL}/q/7.png"
ANSWER = f"Fold it.\n![the sheet]({FIRST})\nNow press it as shown above.\n![again]({FIRST}) ![odd]({URL}/odd.png)"


def scripted(answers):
    """An agent that answers by question id, from what it is handed."""

    def answer(conversation, question, frame, *, given=None):
        evidence = given["evidence"]
        yield Finished(Turn(question, Answer(answers[conversation.id], "answered", evidence=evidence[:2])))

    return answer


def run_over(path, answers, out):
    data = load(str(path))
    data, given = prepared(data, BENCHMARKS["m2rag"], None)
    info = {
        "options": {"data": data.digest, "split": "validation", "set": "both"},
        "data": {"name": data.name, "path": str(path), "world": None},
        "benchmark": data.benchmark,
    }
    folder = RunFolder.open(out, info, resume=False)
    generate(data.samples, scripted(answers), folder, given=given)
    return folder


def test_the_published_table_is_there_with_all_nine_figures():
    rows = M2RAG.published()
    assert len(rows) == 21
    first = rows[0]
    assert (first.part, first.system, first.setting, first.where) == (
        "LLMs", "GPT-4o", "separate", "arXiv 2411.16365, Table 2",
    )  # fmt: skip
    keys = [figure.key for figure in M2RAG.figures]
    assert all(set(row.figures) == {f"m2rag.{name}" for name in (*METRICS, "overall")} <= set(keys) for row in rows)
    assert M2RAG.headline.key == "m2rag.overall"
    # the published overall is the mean of the eight, as far as two decimals tell
    for one in rows:
        mean = sum(one.figures[f"m2rag.{name}"] for name in METRICS) / 8
        assert one.figures["m2rag.overall"] == pytest.approx(mean, abs=0.0151)


def test_a_run_is_handed_what_fits_and_scored_without_a_judge(tmp_path):
    path = write_rows(tmp_path, row(1, topic="Crafts"), row(2))
    with run_over(path, {"1": ANSWER, "2": "Only words."}, tmp_path / "run") as folder:
        scores = judge_and_score(folder, "exact", None)
        own = scores["m2rag"]
        lines = folder.turns()
        handed = handed_to(folder.path, lines)["1"]
        # answer 1 uses one of two pictures of 8 or more (0 and 7; 2 was left out with its part), answer 2 none
        assert own["image_recall"] == pytest.approx((0.5 + 0) / 2)
        assert own["pictures"] == {
            "handed": 6, "placed": 1, "per_answer": 0.5, "answers_without": 1, "repeated": 1, "unknown": 1,
        }  # fmt: skip
        assert own["overall"] is None
        assert own["by_topic"]["Crafts"]["image_recall"] == 0.5
        assert [(p["kind"], p["score"]) for p in handed if p["kind"] == "picture"] == [
            ("picture", 0.9), ("picture", 0.4), ("picture", 0.8),
        ]  # fmt: skip
        assert M2RAG.headline.of(scores) is None
        assert json.loads((folder.path / "scores.json").read_text())["m2rag"] == own


def test_pictures_that_were_handed_are_had_again_from_the_data_and_from_no_others(tmp_path):
    path = write_rows(tmp_path, row(1))
    with run_over(path, {"1": ANSWER}, tmp_path / "run") as folder:
        (line,) = folder.turns()
        again = HandedAgain(folder.path, folder.info)
        assert again.picture(line, FIRST) == (tmp_path / "images/set/q/webpage-0/0.png").read_bytes()
        assert again.picture(line, LAST) == (tmp_path / "images/set/q/7.png").read_bytes()
        assert again.picture(line, f"{URL}/odd.png") is None
        assert len(again.evidence(line)) == 7
        assert again.evidence({**line, "trace": 10**9}) == ()
        write_rows(tmp_path, row(1), row(2))
        assert HandedAgain(folder.path, folder.info).picture(line, FIRST) is None  # other data
        path.unlink()
        assert HandedAgain(folder.path, folder.info).picture(line, FIRST) is None
        assert HandedAgain(folder.path, {}).picture(line, FIRST) is None
