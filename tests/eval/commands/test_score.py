"""`eval score`: the public evaluator's three files, equal to the oracle's; one sentence for what cannot be scored."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from eval.__main__ import COMMANDS, main

ORACLE = Path(__file__).parents[2] / "data" / "oracle" / "11"


def score(*arguments):
    return main("python -m eval", COMMANDS, ["score", *map(str, arguments)])


def test_oracle_files_letter_by_letter(tmp_path, capsys):
    arguments = ("--turns", ORACLE / "turns.jsonl", "--verdicts", ORACLE / "verdicts.json", "--out", tmp_path / "o")
    assert score(*arguments, "--json") == 0
    expected = json.loads((ORACLE / "scores.json").read_text())
    assert json.loads(capsys.readouterr().out) == expected
    assert json.loads((tmp_path / "o" / "scores_dictionary.json").read_text()) == expected
    written = (tmp_path / "o" / "turn_evaluation_results_all.csv").read_text()
    assert written == (ORACLE / "turn_results.csv").read_text()
    ego = (tmp_path / "o" / "turn_evaluation_results_ego.csv").read_text().splitlines()
    assert len(ego) == 1 + int(expected["ego"]["total"])
    assert ego[0] == written.splitlines()[0]


def test_order_of_the_lines_does_not_matter(tmp_path, capsys):
    lines = (ORACLE / "turns.jsonl").read_text().splitlines()
    random.Random(3).shuffle(lines)
    (tmp_path / "turns.jsonl").write_text("\n".join(lines))
    score(
        "--turns", tmp_path / "turns.jsonl", "--verdicts", ORACLE / "verdicts.json", "--out", tmp_path / "o", "--json"
    )
    assert json.loads(capsys.readouterr().out) == json.loads((ORACLE / "scores.json").read_text())


TURN = {
    "session_id": "s", "interaction_id": "i", "turn_idx": 0, "is_ego": False, "image_quality": None, "query": "q?",
    "ground_truth": "seven", "agent_response": "7", "total_turn_count": 1, "interaction_id_history": [],
}  # fmt: skip


def files(folder: Path, turns: str, verdicts: str = "{}"):
    (folder / "t.jsonl").write_text(turns)
    (folder / "v.json").write_text(verdicts)
    return "--turns", folder / "t.jsonl", "--verdicts", folder / "v.json", "--out", folder / "o"


def test_no_egocentric_turns_and_no_verdict(tmp_path, capsys):
    assert score(*files(tmp_path, json.dumps(TURN))) == 0
    shown = capsys.readouterr()
    assert "1 of 1 turns have no entry" in shown.err
    result = json.loads((tmp_path / "o" / "scores_dictionary.json").read_text())
    assert result["all"]["hallucination_rate"] == 1.0
    assert result["ego"]["total"] == 0.0
    assert result["ego"]["accuracy"] != result["ego"]["accuracy"]  # NaN, as the public evaluator writes
    assert (tmp_path / "o" / "turn_evaluation_results_ego.csv").read_text().count("\n") == 1


def test_whole_numbers_beside_a_none_are_written_as_pandas_does(tmp_path):
    second = {**TURN, "interaction_id": "j", "session_id": "t", "image_quality": 3}
    score(*files(tmp_path, json.dumps(TURN) + "\n" + json.dumps(second)))
    rows = (tmp_path / "o" / "turn_evaluation_results_all.csv").read_text().splitlines()
    assert rows[1].split(",")[4] == ""
    assert rows[2].split(",")[4] == "3.0"


def test_columns_are_pandas_own_in_order_and_kind(tmp_path):
    """As `pandas.DataFrame(rows).sort_values(...).to_csv()` writes them: the order of the rows as they came decides."""
    first = {**TURN, "session_id": "z", "image_quality": 3}
    second = {**TURN, "interaction_id": "j", "image_quality": 2.5, "extra": 7}
    score(*files(tmp_path, json.dumps(first) + "\n" + json.dumps(second)))
    head, *rows = (tmp_path / "o" / "turn_evaluation_results_all.csv").read_text().splitlines()
    assert head.endswith("interaction_id_history,is_exact_match,is_correct,is_miss,is_semantically_correct,extra")
    assert [(row.split(",")[4], row.split(",")[-1]) for row in rows] == [("2.5", "7.0"), ("3.0", "")]
    score(*files(tmp_path, json.dumps(second) + "\n" + json.dumps(first)))
    head = (tmp_path / "o" / "turn_evaluation_results_all.csv").read_text().splitlines()[0]
    assert head.endswith("interaction_id_history,extra,is_exact_match,is_correct,is_miss,is_semantically_correct")


@pytest.mark.parametrize(
    ("turns", "verdicts", "said"),
    [
        ("", "{}", "holds no turns"),
        ("\n\n", "{}", "holds no turns"),
        (json.dumps(TURN) + '\n{"session_id": "s", "inter', "{}", "line 2"),
        (json.dumps({**TURN, "agent_response": None}), "{}", "'agent_response'"),
        (json.dumps({k: v for k, v in TURN.items() if k != "is_ego"}), "{}", "'is_ego'"),
        (json.dumps({**TURN, "turn_idx": "0"}), "{}", "'turn_idx'"),
        (json.dumps(TURN) + "\n" + json.dumps(TURN), "{}", "repeats the interaction id 'i' of line 1"),
        ("[]", "{}", "line 1"),
        (json.dumps(TURN), '{"nobody": true}', "'nobody'"),
        (json.dumps(TURN), '{"i": "yes"}', "'yes'"),
        (json.dumps(TURN), "[1]", "not an object"),
        (json.dumps(TURN), "{", "not JSON"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, capsys, turns, verdicts, said):
    assert score(*files(tmp_path, turns, verdicts)) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
    assert not (tmp_path / "o").exists()


def test_a_file_that_is_not_there(tmp_path, capsys):
    assert score("--turns", tmp_path / "no", "--verdicts", tmp_path / "no", "--out", tmp_path / "o") == 2
    assert "there is no file" in capsys.readouterr().err


def test_results_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "o").write_text("a file")
    assert score(*files(tmp_path, json.dumps(TURN))) == 2
    assert "cannot be written" in capsys.readouterr().err
