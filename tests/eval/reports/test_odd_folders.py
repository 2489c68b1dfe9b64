"""Run folders that others wrote in, cut off or put together by hand: sound lines are used, the rest is told of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.reports.loaded_run import load_run
from eval.runs.reading import list_runs, read_info
from eval.ui.state.processes import read_started
from eval.ui.state.run_state import RunList
from tests.eval.reports.written_run import line, write_run

ODD = ["[]", "null", "{}", "7", '"x"', "true", "{half", "[" * 50_000]
TURNS = [(line("a"), "correct"), (line("b", 0, "no"), "wrong"), (line("c", 0, "so"), "missing")]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", TURNS)


def append(path: Path, *lines: str) -> None:
    with path.open("a") as file:
        file.write("".join(one + "\n" for one in lines))


def ask(command: str, run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Return code, output and what was told."""
    other = run.with_name("other")
    if not other.exists():
        write_run(other, TURNS)
    arguments = {
        "judge": [run, "--judge", "exact"],
        "report": [run, "--html", run / "r.html"],
        "compare": [other, run],
        "export": [run, "--out", run / "export"],
        "leaderboard": [run, "--own"],
        "ladder": [run],
    }[command]
    capsys.readouterr()
    code = main("python -m eval", COMMANDS, [command, *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


READING = ("judge", "report", "compare", "export", "leaderboard")


@pytest.mark.slow
@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("name", ["turns.jsonl", "judgements.jsonl"])
def test_lines_of_another_shape_are_left_out_and_told(run: Path, command: str, name: str, capsys):
    append(run / name, *ODD)
    code, out, err = ask(command, run, capsys)
    assert code == 0
    assert f"{len(ODD)} lines of {str(run / name)!r} left out: line 4 is a list, not an object" in out + err
    assert [found["interaction_id"] for found in load_run(run).lines] == ["a-0", "b-0", "c-0"]


WRONG_KINDS = {
    "session_id": 4, "turn_idx": "first", "is_ego": "yes", "query": 3, "ground_truth": 7, "agent_response": {"x": 1},
    "status": None, "trace": -1, "ms": "slow", "domain": [1], "reason": 5, "interaction_id_history": 3, "long": 4,
    "set": {}, "total_turn_count": 10**400,
}  # fmt: skip


@pytest.mark.parametrize("key", WRONG_KINDS)
@pytest.mark.parametrize("command", READING)
def test_a_turn_with_a_value_of_another_kind_is_left_out(run: Path, command: str, key: str, capsys):
    append(run / "turns.jsonl", json.dumps({**line("z"), "trace": 0, key: WRONG_KINDS[key]}))
    append(
        run / "judgements.jsonl", '{"interaction_id": "z-0", "judge": "exact", "judge_version": 1, "verdict": "wrong"}'
    )
    code, out, err = ask(command, run, capsys)
    assert code == 0
    assert "turns.jsonl' left out: line 4 has " in out + err
    assert repr(key) in out + err
    if command != "judge":
        assert "judgements.jsonl' left out: line 4 is of 'z-0', which is no turn of the run" in out + err


@pytest.mark.parametrize(
    "changes",
    [{"verdict": 1}, {"verdict": "right"}, {"verdict": ["wrong"]}, {"leaning": True}, {"judge": 3},
     {"judge_version": []}, {"grade": 4}, {"interaction_id": 5}],
)  # fmt: skip
@pytest.mark.parametrize("command", READING)
def test_a_judgement_with_a_value_of_another_kind_is_left_out(run: Path, command: str, changes: dict, capsys):
    said = {"interaction_id": "a-0", "judge": "exact", "judge_version": 1, "verdict": "wrong"}
    append(run / "judgements.jsonl", json.dumps({**said, **changes}))
    code, out, err = ask(command, run, capsys)
    assert code == 0
    assert "judgements.jsonl' left out: line 4 has " in out + err
    assert load_run(run).verdicts["a-0"] == "correct"


def test_judgements_on_turns_that_are_not_there_do_not_count(run: Path, capsys):
    append(
        run / "judgements.jsonl", '{"interaction_id": "gone", "judge": "exact", "judge_version": 1, "verdict": null}'
    )
    assert set(load_run(run).verdicts) == {"a-0", "b-0", "c-0"}
    code, out, _ = ask("judge", run, capsys)
    assert code == 0
    assert "no verdict" not in out


def gone(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


def of_others(path: Path) -> None:
    path.write_text('[]\n{"interaction_id": "else"}\n')


@pytest.mark.parametrize("spoil", [gone, cut, of_others])
@pytest.mark.parametrize("command", READING)
def test_traces_that_are_gone_cost_only_the_turns_whose_texts_stand_there(
    run: Path, command: str, spoil: Callable[[Path], None], capsys
):
    at = (run / "traces.jsonl").stat().st_size
    append(
        run / "turns.jsonl", json.dumps({**line("z"), "agent_response": None, "long": ["agent_response"], "trace": at})
    )
    append(run / "traces.jsonl", json.dumps({"interaction_id": "z-0", "long": {"agent_response": "l" * 400}}))
    assert len(load_run(run).lines) == 4
    spoil(run / "traces.jsonl")
    code, out, err = ask(command, run, capsys)
    assert code == 0
    assert "left out: line 4 is of the turn 'z-0', whose long texts are gone with its trace" in out + err


@pytest.mark.parametrize("command", [*READING, "ladder"])
def test_a_run_without_a_sound_turn_is_one_sentence(run: Path, command: str, capsys):
    (run / "turns.jsonl").write_text("[]\n7\n")
    code, _, err = ask(command, run, capsys)
    assert code == 2
    assert "turns.jsonl' left out: line 1 is a list, not an object" in err
    assert len(err.strip().splitlines()) == 1


INFOS = ["[]", "null", "7", "{half", "{}", "[" * 50_000]


@pytest.mark.parametrize("text", INFOS)
@pytest.mark.parametrize("command", [*READING, "ladder"])
def test_a_run_json_of_another_shape_is_one_sentence(run: Path, command: str, text: str, capsys):
    (run / "run.json").write_text(text)
    code, _, err = ask(command, run, capsys)
    assert code == 2
    assert "holds no run.json that could be read" in err
    assert len(err.strip().splitlines()) == 1
    assert [found.state for found in list_runs(run.parent) if found.path == run] == ["unreadable"]
    assert [found.state for found in RunList(run.parent).all() if found.path == run] == ["unreadable"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"options": []}, "has [] as 'options', where an object is wanted"),
     ({"data": "here"}, "has 'here' as 'data'"),
     ({"data": {"world": 3}}, "has 3 as 'world', where a text is wanted"),
     ({"options": {"degrade": "blur"}}, "has 'blur' as 'degrade', where a list of texts is wanted"),
     ({"options": {"index": 3}}, "as 'index'"),
     ({"options": {"chat": [1]}}, "as 'chat'"),
     ({"n_turns": "many"}, "has 'many' as 'n_turns'"),
     ({"spent": [3]}, "as 'spent'"),
     ({"state": 5}, "has 5 as 'state'"),
     ({"judge": {}}, "has {} as 'judge'")],
)  # fmt: skip
@pytest.mark.parametrize("command", [*READING, "ladder"])
def test_values_of_another_kind_in_run_json_are_named(run: Path, command: str, changes: dict, said: str, capsys):
    info = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**info, **changes}))
    code, _, err = ask(command, run, capsys)
    assert code == 2
    assert "run.json' " in err
    assert said in err
    with pytest.raises(BadInput):
        read_info(run)


@pytest.mark.parametrize(
    "text", [*INFOS, '{"paper": 3}', '{"n": 3, "intervals": [], "judge": 4}', '{"public": {"all": 2}}']
)
@pytest.mark.parametrize("command", READING)
def test_scores_of_another_shape_are_made_anew(run: Path, command: str, text: str, capsys):
    (run / "scores.json").write_text(text)
    assert ask(command, run, capsys)[0] == 0
    assert all(found.scores == {} or command == "judge" for found in list_runs(run.parent))


@pytest.mark.parametrize("text", ["[]", "{}", '{"rungs": 3}', '{"rungs": [3]}', '{"image": [], "web": 2}', "null"])
def test_ladders_and_recalls_of_another_shape_are_not_shown(run: Path, text: str, capsys):
    (run / "ladder").mkdir()
    for name in ("ladder/ladder.json", "retrieval.json"):
        (run / name).write_text(text)
    assert ask("report", run, capsys)[0] == 0
    assert "Oracle ladder" not in (run / "r.html").read_text()


@pytest.mark.parametrize(
    "progress",
    [[], {}, {"state": 3}, {"state": "running", "updated": "now"}, {"state": "running", "pid": -1, "updated": 9e9},
     {"state": "running", "pid": 10**30, "updated": 9e9}, {"state": "running", "done": [], "rate_per_s": "x"}],
)  # fmt: skip
def test_a_progress_of_another_shape_is_none(run: Path, progress):
    (run / "progress.json").write_text(json.dumps(progress))
    (summary,) = list_runs(run.parent)
    assert (summary.state, summary.alive, summary.done) == ("finished", False, 3)
    (shown,) = RunList(run.parent).all()
    assert shown.state == "finished"


@pytest.mark.parametrize("pid", [0, -1, -4, 10**30, "1e400", None, []])
def test_a_start_that_names_no_process_is_none(tmp_path: Path, pid):
    (tmp_path / "start.json").write_text(json.dumps({"pid": pid, "at": 1.8e9, "command": "run", "arguments": []}))
    assert read_started(tmp_path / "start.json") is None
