"""What a run is doing, from its folder and its process alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from eval.runs.control import PROGRESS
from eval.runs.reading import RunSummary
from eval.runs.store import STARTED_AS, WORKER_LOG
from eval.ui.state import run_state as states
from eval.ui.state.processes import Started
from eval.ui.state.run_state import STATES, RunList, derive
from tests.eval.reports.written_run import line, write_run

NOW = 1_800_000_000.0
STARTED = Started(4, NOW, "run", ())


def summary(state: str, *, alive: bool = False, updated: float = NOW + 5, **info: Any) -> RunSummary:
    progress = {"state": state, "updated": updated}
    return RunSummary(Path("r"), state, 1, 4, {"started": "2026", **info}, {}, progress, alive)


NO_FOLDER = RunSummary(Path("r"), "", 0, None, {}, {}, None, False)


@pytest.mark.parametrize(
    ("found", "started", "at_work", "said", "state", "problem"),
    [
        (NO_FOLDER, STARTED, True, "", "starting", ""),
        (NO_FOLDER, STARTED, False, "no such data", "refused", "no such data"),
        (summary("running", alive=True), STARTED, True, "", "running", ""),
        (summary("paused", alive=True), None, False, "", "paused", ""),
        (summary("interrupted"), STARTED, False, "2/4 turns", "interrupted", "its process ended without saying so"),
        (summary("interrupted", updated=NOW - 9), STARTED, True, "", "starting", ""),
        (summary("cancelled", updated=NOW - 9), STARTED, False, "other options", "cancelled", "other options"),
        (summary("failed", problem="the disk is full"), STARTED, False, "x", "failed", "the disk is full"),
        (summary("cancelled"), STARTED, False, "stopped", "cancelled", ""),
        (summary("finished", updated=NOW - 9), STARTED, False, "it is finished", "finished", ""),
    ],
)
def test_derive(found: RunSummary, started: Started, at_work: bool, said: str, state: str, problem: str):
    shown, why = derive(found, started, at_work, said)
    assert shown == state
    assert why.startswith(problem)
    assert bool(why) == bool(problem)
    assert shown in STATES


def test_every_state_that_ended_too_early_can_be_resumed():
    for state in ("cancelled", "failed", "interrupted", "refused"):
        assert STATES[state][1] == ("resume", "delete")


def test_what_is_at_work_cannot_be_deleted():
    assert {state for state, (_, acts) in STATES.items() if "delete" not in acts} == set(states.AT_WORK)


def test_failed_turns_can_be_made_again_when_nothing_is_at_work():
    def acts(state: str, n_failed: int) -> tuple[str, ...]:
        found = summary(state)
        found.scores.update(n_failed=n_failed)
        return states.RunState("r", Path("r"), state, found, None).acts

    assert acts("finished", 2) == ("retry", "delete")
    assert acts("finished", 0) == ("delete",)
    assert acts("cancelled", 1) == ("resume", "retry", "delete")
    assert acts("running", 1) == ("pause", "cancel")


def run_folder(runs: Path, name: str, **info: Any) -> Path:
    return write_run(runs / name, [(line("s"), "correct")], **info)


def test_a_dead_process_is_told_from_one_that_works(tmp_path: Path):
    folder = run_folder(tmp_path, "killed", state="running", n_turns=4)
    process = subprocess.Popen([sys.executable, "-c", "input()", "killed"], stdin=subprocess.PIPE)
    (folder / PROGRESS).write_text(
        json.dumps({"state": "running", "pid": process.pid, "updated": time.time(), "done": 1, "total": 4})
    )
    runs = RunList(tmp_path)
    assert runs.one(folder).state == "running"
    process.kill()
    process.wait()
    (run,) = runs.all()
    assert (run.state, run.at_work, run.acts) == ("interrupted", False, ("resume", "delete"))
    assert "resume it" in run.problem


def test_a_start_that_never_became_a_run_is_listed_with_its_sentence(tmp_path: Path):
    folder = tmp_path / "20261121-120000-x"
    folder.mkdir()
    record = {"pid": 2**22 + 1, "at": NOW, "command": "run", "arguments": []}
    (folder / STARTED_AS).write_text(json.dumps(record))
    (folder / WORKER_LOG).write_text("there is no file or folder 'x': give a world folder\n\n")
    (run,) = RunList(tmp_path).all()
    assert (run.state, run.words) == ("refused", "did not start")
    assert run.problem == "there is no file or folder 'x': give a world folder"


def test_latest_first_and_other_folders_are_passed_over(tmp_path: Path):
    run_folder(tmp_path, "old", started="2026-01-01T00:00:00+00:00")
    run_folder(tmp_path, "new", started="2026-05-01T00:00:00+00:00")
    (tmp_path / "notes").mkdir()
    (tmp_path / "file.txt").write_text("x")
    assert [run.name for run in RunList(tmp_path).all()] == ["new", "old"]
    assert RunList(tmp_path / "nowhere").all() == []


def test_a_broken_folder_is_listed_with_the_reason(tmp_path: Path):
    folder = run_folder(tmp_path, "broken")
    (folder / "run.json").write_text('{"format_version": 99}')
    (run,) = RunList(tmp_path).all()
    assert run.state == "unreadable"
    assert "99" in run.problem


def test_a_folder_that_does_not_change_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = run_folder(tmp_path, "still")
    read: list[Path] = []
    summarise = states.summarise
    monkeypatch.setattr(states, "summarise", lambda path: read.append(path) or summarise(path))
    runs = RunList(tmp_path)
    assert [runs.all()[0].summary.done for _ in range(3)] == [1, 1, 1]
    assert len(read) == 1
    with (folder / "turns.jsonl").open("a") as file:
        file.write("{}\n")
    os.utime(folder / "turns.jsonl", (NOW, NOW))
    assert runs.all()[0].summary.done == 2
    assert len(read) == 2
