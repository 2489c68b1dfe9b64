"""Turns whose ground truth is empty: answered, listed, seen by no judge, counted in no rate but the public one's."""

from __future__ import annotations

import json

import pytest

from assistant.commands.command_line import main
from eval.__main__ import COMMANDS
from eval.data.truths import has_truth, without_truth_words
from eval.judges.judging import JudgeChoice
from eval.metrics.run_scores import run_scores
from eval.reports.compare import compare
from eval.reports.leaderboard import measured_rows
from eval.reports.loaded_run import load_run
from eval.reports.report import html_report
from eval.reports.summary import run_summary
from eval.runs.reading import read_info
from eval.runs.store import RunFolder
from eval.scoring import judge_and_score
from eval.ui.state.running import Running
from eval.ui.state.turn_index import TurnIndex
from tests.eval.reports.written_run import line, write_run

#: One conversation of three turns, its second without a truth; a turn alone; two without, one of which failed.
TURNS = [
    (line("a", 0, "seven"), "correct"),
    (line("a", 1, "eight", ground_truth=" \n"), None),
    (line("a", 2, "nine"), "wrong"),
    (line("b", 0, "I don't know"), "missing"),
    (line("c", 0, "", ground_truth=""), None),
    (line("d", 0, "", ground_truth="", status="timeout"), None),
]


@pytest.mark.parametrize(
    ("turn", "has"),
    [
        ({"ground_truth": "seven"}, True),
        ({"ground_truth": " \t\n"}, False),
        ({"ground_truth": ""}, False),
        ({"ground_truth": None, "long": ["ground_truth"]}, True),
    ],
)
def test_which_turns_have_one(turn, has):
    assert has_truth(turn) is has


def test_they_count_in_no_rate_and_the_public_reading_is_as_it_was():
    lines = [turn for turn, _ in TURNS]
    verdicts = {turn["interaction_id"]: verdict for turn, verdict in TURNS if verdict}
    scores = run_scores(lines, verdicts, {})
    assert (scores["n"], scores["n_without_truth"], scores["n_failed"], scores["n_unjudged"]) == (6, 3, 0, 0)
    # Conversations a: (1 − 1) / 2, b: 0. Of three turns one is right, one missing, one wrong.
    assert scores["paper"]["truthfulness"] == 0
    assert [scores["paper"][name] for name in ("accuracy", "missing", "hallucination_rate")] == [1 / 3] * 3
    assert scores["paper"]["n"] == 3
    assert sum(part["n"] for part in scores["slices"]["domain"].values()) == 3
    # Public: a-0 and the two empty answers to empty truths are exact matches, b is missing; a-1 and a-2 are wrong.
    public = scores["public"]["all"]
    assert (public["total"], public["correct"], public["miss"], public["hallucination"]) == (6, 3, 1, 2)
    assert "bounds" not in scores
    assert scores["intervals"]["public"]["all"]["accuracy"]


def test_a_run_of_nothing_else_has_no_rates():
    scores = run_scores([line("a", 0, "x", ground_truth="")], {}, {})
    assert scores["paper"]["truthfulness"] is None
    assert scores["public"]["all"]["total"] == 1
    assert scores["slices"] == {}


def test_no_judge_sees_them_and_everything_tells_of_them(tmp_path):
    run = write_run(tmp_path / "run", [])
    info = read_info(run)
    with RunFolder.open(run, info, resume=True) as folder:
        for turn, _ in TURNS:
            folder.add_turn(turn, {"interaction_id": turn["interaction_id"]})
        scores = judge_and_score(folder, JudgeChoice("lexical"), None)
        assert judge_and_score(folder, JudgeChoice("lexical"), None) == scores
    judged = [json.loads(text)["interaction_id"] for text in (run / "judgements.jsonl").open()]
    assert sorted(judged) == ["a-0", "a-2", "b-0"]
    loaded = load_run(run)
    words = without_truth_words(3)
    assert "3 turns have no ground truth" in words
    assert words in run_summary(scores, 0, run)
    page = html_report(loaded)
    assert words.replace("'", "&#39;") in page
    assert page.count("c-no_truth") >= 3
    assert any(words in note for note in compare(loaded, loaded)["notes"])
    assert compare(loaded, loaded)["figures"]["paper"]["accuracy"]["a"] == scores["paper"]["accuracy"]
    assert compare(loaded, loaded)["figures"]["public"]["truthfulness_score"]["a"] == pytest.approx(
        scores["public"]["all"]["truthfulness_score"]
    )
    assert measured_rows(loaded)[0].accuracy == scores["paper"]["accuracy"]
    index = TurnIndex(run).refresh()
    assert index.counts(index.judge_of(scores))["no_truth"] == 3
    so_far = Running(run, "lexical").look(index)
    assert (so_far.n, so_far.of) == (3, 3)


def test_data_tell_of_them(tmp_path, capsys):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"query": "a?", "ground_truth": " "}\n{"query": "b?", "ground_truth": "b"}\n')
    assert main("python -m eval", COMMANDS, ["data", "--data", str(rows), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_without_truth"] == 1
    main("python -m eval", COMMANDS, ["data", "--data", str(rows)])
    assert "1 turn has no ground truth" in capsys.readouterr().out
