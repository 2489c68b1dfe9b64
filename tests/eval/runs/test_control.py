"""Watching and steering a run from another process, and the list of runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest

from assistant.core.errors import BadInput
from eval.runs.control import ENDED, STALE_S, is_alive, read_progress, send, write_json
from eval.runs.store import RunFolder, list_runs, read_turn_lines

pytestmark = pytest.mark.slow

TURNS = 400


def rows(path, turns=TURNS):
    path.write_text("\n".join(json.dumps({"query": f"q{i}", "ground_truth": "x"}) for i in range(turns)))
    return path


@pytest.fixture
def started(tmp_path):
    """A run in a process of its own, 4 turns at a time, 0.05 s each; ended with the test."""
    processes = []

    def start(*arguments, delay_s=0.05):
        command = [sys.executable, "-m", "tests.eval.agents.scripted_agent", str(tmp_path / "log"), str(delay_s)]
        command += ["--data", str(rows(tmp_path / "d.jsonl")), "--out", str(tmp_path / "r"), "--concurrency", "4"]
        process = subprocess.Popen(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # as one started in the background
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


def wait_for(what, timeout_s=30.0):
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.02)
    raise AssertionError("it never came")


def running(run, made=1):
    return wait_for(lambda: (p := read_progress(run)) and p["state"] == "running" and p.get("done", 0) >= made and p)


@pytest.mark.slow
def test_pause_go_on_and_cancel(started, tmp_path):
    run = tmp_path / "r"
    process = started()
    progress = running(run, 8)
    assert progress["pid"] == process.pid
    assert progress["total"] == TURNS
    assert progress["rate_per_s"] > 0
    assert progress["eta_s"] > 0
    assert is_alive(progress)

    send(run, "pause")
    asked = time.monotonic()
    wait_for(lambda: read_progress(run)["state"] == "paused")
    assert time.monotonic() - asked < 3  # a second, on a machine with something else to do
    before = len(read_turn_lines(run))
    time.sleep(0.5)
    assert len(read_turn_lines(run)) == before
    assert [(r.state, r.alive) for r in list_runs(tmp_path)] == [("paused", True)]

    send(run, "run")
    wait_for(lambda: len(read_turn_lines(run)) > before)
    assert read_progress(run)["state"] == "running"

    send(run, "cancel")
    asked = time.monotonic()
    _, shown = process.communicate(timeout=20)
    assert time.monotonic() - asked < 10
    assert process.returncode == 130, shown
    assert "go on with --resume" in shown
    lines = read_turn_lines(run)
    assert before < len(lines) < TURNS
    info = json.loads((run / "run.json").read_text())
    assert info["state"] == read_progress(run)["state"] == "cancelled"
    assert json.loads((run / "scores.json").read_text())["n"] == len(lines)
    assert [(r.state, r.done, r.total, r.alive) for r in list_runs(tmp_path)] == [
        ("cancelled", len(lines), TURNS, False)
    ]
    with pytest.raises(BadInput, match="nothing is running"):
        send(run, "pause")


@pytest.mark.slow
def test_cancelled_by_sigterm_and_an_old_command_does_not_stop_the_next_process(started, tmp_path):
    run = tmp_path / "r"
    process = started()
    running(run, 4)
    process.send_signal(signal.SIGTERM)
    _, shown = process.communicate(timeout=20)
    assert process.returncode == 130, shown
    assert json.loads((run / "run.json").read_text())["state"] == "cancelled"
    made = len(read_turn_lines(run))
    write_json(run / "control.json", {"command": "cancel"})
    again = started("--resume", delay_s=0.001)
    _, shown = again.communicate(timeout=60)
    assert again.returncode == 0, shown
    lines = read_turn_lines(run)
    assert len({line["interaction_id"] for line in lines}) == len(lines) == TURNS
    info = json.loads((run / "run.json").read_text())
    assert info["state"] == "finished"
    assert len(info["resumed"]) == 1
    assert read_progress(run)["made"] == TURNS - made


@pytest.mark.slow
def test_a_paused_run_can_be_cancelled_and_a_killed_one_is_interrupted(started, tmp_path):
    run = tmp_path / "r"
    process = started()
    running(run, 4)
    send(run, "pause")
    wait_for(lambda: read_progress(run)["state"] == "paused")
    send(run, "cancel")
    assert process.wait(timeout=20) == 130
    process = started("--resume")
    running(run)
    process.kill()
    process.wait()
    found = list_runs(tmp_path)[0]
    assert (found.state, found.alive) == ("interrupted", False)
    assert found.done == len(read_turn_lines(run))


@pytest.mark.slow
def test_a_second_process_is_refused_and_does_not_disturb_the_first(started, tmp_path):
    run = tmp_path / "r"
    first = started()
    running(run, 4)
    second = started("--resume")
    _, shown = second.communicate(timeout=30)
    assert second.returncode == 2
    assert "another process is working" in shown
    progress = read_progress(run)
    assert progress["pid"] == first.pid
    assert progress["state"] == "running"


@pytest.mark.slow
def test_progress_is_written_at_most_once_a_second(started, tmp_path):
    run = tmp_path / "r"
    started()  # 400 turns, 4 at a time, 0.05 s each: at least 5 s in the one state, as another state is told at once
    running(run)
    seen = []
    begun = time.monotonic()
    while time.monotonic() - begun < 2.5:
        progress = read_progress(run)
        assert progress["state"] == "running"
        if progress["updated"] not in seen:
            seen.append(progress["updated"])
        time.sleep(0.01)
    assert len(seen) >= 2
    assert min(later - one for one, later in pairwise(seen)) >= 0.99  # written at the earliest a second later


def test_commands_that_are_none(tmp_path):
    with pytest.raises(BadInput, match="no command 'jump'"):
        send(tmp_path, "jump")
    with pytest.raises(BadInput, match="nothing is running"):
        send(tmp_path, "cancel")


def test_who_is_alive():
    mine = {"state": "running", "pid": os.getpid(), "updated": 1000.0}
    assert is_alive(mine, lambda: 1001.0)
    assert not is_alive(mine, lambda: 1001.0 + STALE_S)
    assert not is_alive({**mine, "pid": 2**22 - 1}, lambda: 1001.0)
    assert not is_alive({**mine, "pid": None}, lambda: 1001.0)
    assert not is_alive(None)
    for state in ENDED:
        assert not is_alive({**mine, "state": state}, lambda: 1001.0)


def test_the_list_of_runs(tmp_path):
    for number in range(3):
        info = {"options": {}, "started": f"2026-01-0{number + 1}", "state": "finished", "n_turns": 2}
        with RunFolder.open(tmp_path / f"run{number}", info, resume=False) as folder:
            folder.write_scores({"n": 0, "paper": {"truthfulness": 0.5}})
    (tmp_path / "run2" / "turns.jsonl").write_text('{"a": 1}\n{"a": 2}\n{"half')
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "run.json").write_text("{")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "run.json").write_text('{"format_version": 99}')
    found = list_runs(tmp_path)
    assert [run.path.name for run in found[:3]] == ["run2", "run1", "run0"]
    assert (found[0].done, found[0].total, found[0].state) == (2, 2, "finished")
    assert found[0].scores["paper"]["truthfulness"] == 0.5
    assert {run.path.name: run.problem for run in found[3:]}.keys() == {"odd", "new"}
    assert all(run.state == "unreadable" and run.problem for run in found[3:])
    assert list_runs(tmp_path / "nowhere") == []


def test_long_lists_are_quick(tmp_path):
    line = json.dumps({"interaction_id": "x" * 36, "status": "answered", "trace": 0, "fill": "y" * 600}) + "\n"
    for number in range(200):
        with RunFolder.open(tmp_path / str(number), {"options": {}, "state": "finished"}, resume=False):
            pass
    (tmp_path / "0" / "turns.jsonl").write_text(line * 100_000)
    begun = time.perf_counter()
    found = list_runs(tmp_path)
    assert time.perf_counter() - begun < 3
    assert max(run.done for run in found) == 100_000
