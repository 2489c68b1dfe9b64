"""A run out of answers that were made elsewhere: rows found, verdicts kept, nothing lost without a word."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from assistant.commands.command_line import main
from eval.__main__ import COMMANDS
from eval.reports.compare import compare
from eval.reports.export import export_run
from eval.reports.leaderboard import kept_off, leaderboard
from eval.reports.loaded_run import load_run
from eval.reports.report import html_report
from eval.runs.handed import HandedAgain
from eval.runs.reading import list_runs, read_info, read_turn_lines
from eval.runs.store import RunFolder
from eval.scoring import judge_and_score
from tests.eval.data.m2rag.made import URL, row, write_rows

ROWS = [
    {"query": "Who made this?", "ground_truth": "Aster"},
    {"query": "How heavy is it?", "ground_truth": "two kilograms"},
    {"turns": [{"query": "Is it red?", "ground_truth": "yes"}, {"query": "Why?", "ground_truth": "paint"}]},
    {"query": "Is it red?", "ground_truth": "no"},
]  # fmt: skip
#: What the small rows are called by the reader of data.
IDS = ["rows-1-0", "rows-2-0", "rows-3-0", "rows-3-1", "rows-4-0"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def table(path: Path, *rows: tuple[object, ...]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def bring(capsys, *arguments: object) -> tuple[int, str, str]:
    code = main("python -m eval", COMMANDS, ["import", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def verdicts_of(run: Path) -> dict[str, object]:
    return {line["interaction_id"]: line["verdict"] for line in map(json.loads, (run / "judgements.jsonl").open())}


def test_answers_with_verdicts_become_a_run_that_everything_reads(tmp_path, data, capsys):
    answers = table(
        tmp_path / "theirs.csv",
        ("interaction_id", "agent_response", "score", "latency"),
        (IDS[0], "Aster, of course", 1, 1.5),
        (IDS[1], "I don't know", 0, 0.5),
        (IDS[2], "no", -1, ""),
        (IDS[3], "paint", 1, 2),
        (IDS[4], "yes\nit is", -0.5, 1),
    )
    out = tmp_path / "runs" / "theirs"
    code, _, told = bring(capsys, answers, "--data", data, "--name", "Theirs", "--tag", "gpt", "--out", out)
    assert code == 0
    assert "5 answers to 5 turns" in told
    assert "1 = correct, 0 = missing, -0.5 = wrong, -1 = wrong" in told
    assert verdicts_of(out) == dict(zip(IDS, ["correct", "missing", "wrong", "correct", "wrong"], strict=True))
    info = read_info(out)
    assert info["options"]["agent"] == info["judge"] == "imported"
    assert info["imported"]["file"] == "theirs.csv"
    assert len(info["imported"]["sha256"]) == 64
    lines = {line["interaction_id"]: line for line in read_turn_lines(out)}
    assert [lines[key]["status"] for key in IDS] == ["answered", "abstained", "answered", "answered", "answered"]
    assert [lines[key]["ms"] for key in IDS] == [1500.0, 500.0, None, 2000.0, 1000.0]
    scores = json.loads((out / "scores.json").read_text())
    # Conversations: 1, 0, (−1 + 1) / 2, −1; their mean is 0.
    assert scores["paper"]["truthfulness"] == 0
    assert scores["paper"]["accuracy"] == 2 / 5
    assert scores["judge"] == "imported"
    assert scores["median_ms"] == 1500.0

    run = load_run(out)
    found = leaderboard([run], [])
    row = found["single-turn"]["rows"][0]
    assert (row["source"], row["system"], row["judge"]) == ("imported", "Theirs", "imported (version 1)")
    assert any("elsewhere" in note for note in found["notes"])
    assert compare(run, run)["tied"]
    assert any("came with the answers" in note for note in compare(run, run)["notes"])
    assert "Theirs" not in html_report(run)
    assert "imported" in html_report(run)
    assert "turns.csv" in export_run(run, tmp_path / "public")
    assert [found.path.name for found in list_runs(out.parent)] == ["theirs"]
    assert sorted(place.name for place in out.parent.iterdir()) == ["theirs"]


def test_what_does_not_fit_is_counted_and_named(tmp_path, data, capsys):
    answers = tmp_path / "theirs.jsonl"
    answers.write_text("\n".join(json.dumps(row) for row in [
        {"session_id": "rows-3", "turn_idx": 0, "answer": "yes", "verdict": "correct"},
        {"session_id": "rows-9", "turn_idx": 0, "answer": "yes", "verdict": "wrong"},
        {"query": "how heavy  is it?", "answer": "two", "verdict": None},
        {"query": "Is it red?", "answer": "no", "verdict": "wrong"},
        {"query": "Who made this?", "answer": None},
    ]))  # fmt: skip
    out = tmp_path / "run"
    code, _, told = bring(capsys, answers, "--data", data, "--out", out)
    assert code == 0
    assert "2 rows without a place" in told
    assert "line 2: turn 0 of session 'rows-9', which the data do not have" in told
    assert "which stands 2 times in the data" in told
    assert "3 turns not answered" in told
    assert "rows-1-0" in told
    assert "1 answer without a verdict" in told
    assert sorted(line["interaction_id"] for line in read_turn_lines(out)) == [IDS[1], IDS[2]]
    lists = json.loads((out / "import.json").read_text())
    assert lists["not_answered"] == [IDS[0], IDS[3], IDS[4]]
    assert [row["line"] for row in lists["unmatched"]] == [2, 4]
    assert "no answer to 3 of 5 turns" in kept_off(read_info(out), 0, 2)
    assert "none to 3 turns of the data" in html_report(load_run(out))


def test_without_verdicts_it_is_judged_afterwards(tmp_path, data, capsys):
    answers = table(
        tmp_path / "a.csv", ("interaction_id", "prediction", "answer"), *((key, "Aster", "x") for key in IDS)
    )
    out = tmp_path / "run"
    code, said, told = bring(capsys, answers, "--data", data, "--out", out)
    assert code == 0
    assert "no verdicts come with them" in told
    assert "eval judge" in said
    assert not (out / "scores.json").exists()
    assert {line["agent_response"] for line in read_turn_lines(out)} == {"Aster"}
    assert main("python -m eval", COMMANDS, ["judge", str(out), "--judge", "exact"]) == 0
    assert set(verdicts_of(out).values()) == {"correct", "wrong"}


def test_a_scale_that_is_told_wins_and_columns_may_be_named(tmp_path, data, capsys):
    answers = table(
        tmp_path / "a.csv",
        ("Interaction ID", "answer", "label", "Marks"),
        (IDS[0], "a", "x", 5), (IDS[1], "I don't know", "y", 1), (IDS[2], "c", "z", 3),
    )  # fmt: skip
    code, _, told = bring(capsys, answers, "--data", data, "--out", tmp_path / "run")
    assert code == 2
    assert "line 2, column 'label' of 'a.csv' has 'x'" in told
    code, _, told = bring(capsys, answers, "--data", data, "--verdict-column", "marks", "--out", tmp_path / "run")
    assert code == 2
    assert "column 'marks'" in told
    assert "give a scale" in told
    scale = ("--verdict-column", "Marks", "--scale", "5=perfect,3=acceptable,1=incorrect")
    assert bring(capsys, answers, "--data", data, *scale, "--out", tmp_path / "run")[0] == 0
    assert verdicts_of(tmp_path / "run") == {IDS[0]: "correct", IDS[1]: "wrong", IDS[2]: "correct"}
    crag = json.loads((tmp_path / "run" / "scores.json").read_text())["crag"]
    assert crag["score"] == (1 + 0.5 - 1) / 3
    assert bring(capsys, answers, "--data", data, "--verdict-column", "none", "--out", tmp_path / "bare")[0] == 0
    assert not (tmp_path / "bare" / "scores.json").exists()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("interaction_id", "answer"), ("rows-1-0", "a"), ("rows-1-0", "b")], "line 3 of 'a.csv' answers the turn"),
        ([("interaction_id", "answer"), ("nobody", "a")], "none of the 1 rows"),
        ([("interaction_id", "text"), ("rows-1-0", "a")], "has no answers"),
        ([("id", "answer"), ("rows-1-0", "a")], "no column to find turns by"),
        ([("interaction_id", "answer", "latency"), ("rows-1-0", "a", "soon")], "line 2, column 'latency'"),
        ([("session_id", "turn_idx", "answer"), ("rows-1", "first", "a")], "line 2, column 'turn_idx'"),
        ([("interaction_id", "query", "answer"), ("", "", "a")], "line 2 names no turn"),
        ([("interaction_id", "answer"), ("rows-1-0", "a", "b")], "line 2 of 'a.csv' has 3 cells"),
        ([("interaction_id", "answer", "Answer"), ("rows-1-0", "a", "b")], "two columns 'answer'"),
        ([("interaction_id", "answer")], "holds no rows"),
    ],
)
def test_wrong_files_make_nothing_and_are_one_sentence(tmp_path, data, capsys, rows, words):
    out = tmp_path / "runs" / "run"
    code, _, told = bring(capsys, table(tmp_path / "a.csv", *rows), "--data", data, "--out", out)
    assert code == 2
    assert words in told
    assert told.strip().count("\n") == 0
    assert not out.parent.exists()


def test_the_line_of_a_row_is_that_of_the_file(tmp_path, data, capsys):
    text = 'interaction_id;answer;latency\nrows-1-0;"two\nlines";1\nrows-2-0;x;never\n'
    (tmp_path / "a.csv").write_text(text, encoding="utf-8-sig")
    code, _, told = bring(capsys, tmp_path / "a.csv", "--data", data, "--out", tmp_path / "run")
    assert code == 2
    assert "line 4, column 'latency'" in told


def test_nothing_is_written_over_and_a_failure_leaves_nothing(tmp_path, data, capsys, monkeypatch):
    answers = table(tmp_path / "a.csv", ("interaction_id", "answer"), (IDS[0], "a"))
    out = tmp_path / "runs" / "run"
    assert bring(capsys, answers, "--data", data, "--out", out)[0] == 0
    before = (out / "turns.jsonl").read_bytes()
    code, _, told = bring(capsys, answers, "--data", data, "--out", out)
    assert code == 2
    assert "is there already" in told
    assert (out / "turns.jsonl").read_bytes() == before

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("eval.imported.run.write_json", full)
    code, _, told = bring(capsys, answers, "--data", data, "--out", out.with_name("other"))
    assert code == 2
    assert "No space left" in told
    assert sorted(place.name for place in out.parent.iterdir()) == ["run"]


def test_tables_as_spreadsheets_write_them_are_read(tmp_path, data, capsys):
    text = f"interaction_id;answer;score;latency\n {IDS[0]} ;a;-0,5;0,25\n{IDS[1]};größer;1;12,5\n"
    for name, encoding in (("marked", "utf-16"), ("plain", "utf-8")):
        (tmp_path / f"{name}.csv").write_text(text, encoding=encoding)
        out = tmp_path / name
        assert bring(capsys, tmp_path / f"{name}.csv", "--data", data, "--out", out)[0] == 0
        lines = {line["interaction_id"]: line for line in read_turn_lines(out)}
        assert [lines[key]["ms"] for key in IDS[:2]] == [250.0, 12500.0]
        assert lines[IDS[1]]["agent_response"] == "größer"
        assert verdicts_of(out) == {IDS[0]: "wrong", IDS[1]: "correct"}
    (tmp_path / "old.csv").write_text(text, encoding="cp1252")
    code, _, told = bring(capsys, tmp_path / "old.csv", "--data", data, "--out", tmp_path / "old")
    assert code == 2
    assert "line 3 of 'old.csv' is not UTF-8" in told
    (tmp_path / "thousand.csv").write_text(text.replace("12,5", "1,500"))
    code, _, told = bring(capsys, tmp_path / "thousand.csv", "--data", data, "--out", tmp_path / "thousand")
    assert code == 2
    assert "line 3, column 'latency': '1,500'" in told


def test_answers_to_m2rag_are_scored_by_what_the_benchmark_hands(tmp_path, capsys):
    path = write_rows(tmp_path, row(1), row(2))
    answers = table(
        tmp_path / "a.csv",
        ("interaction_id", "answer"),
        ("1", f"Fold it. ![sheet]({URL}/q/webpage-0/0.png) ![flying]({URL}/q/7.png)"),
        ("2", f"Fold it. ![sheet]({URL}/q/webpage-0/0.png) ![none](https://odd.invalid/x.png)"),
    )
    out = tmp_path / "run"
    code, told, _ = bring(capsys, answers, "--data", path, "--out", out)
    assert code == 0
    assert f"judge {out} --judge m2rag" in told
    with RunFolder.open(out, read_info(out), resume=True) as folder:
        own = judge_and_score(folder, "exact", None)["m2rag"]
        # of the two pictures scored 8 or more that are handed over, one answer uses both, the other one
        assert own["image_recall"] == pytest.approx((1 + 0.5) / 2)
        assert (own["pictures"]["placed"], own["pictures"]["unknown"]) == (3, 1)
        line = folder.turns()[0]
        assert HandedAgain(out, folder.info).picture(line, f"{URL}/q/7.png") is not None
