"""Processes that work on run folders: how they are started, told apart, ended, and what is said about them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.runs.store import STARTED_AS, WORKER_LOG
from eval.ui.state.processes import Started, Workers, is_at_work, last_sentence, log_tail, read_started

#: Stands in for `python -m eval`: says what it was given, then stays until it is ended.
STAND_IN = (
    "import json, signal, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.default_int_handler)\n"  # as `eval.__main__` does
    "print(json.dumps(sys.argv[1:]), flush=True)\n"
    "if '--quick' in sys.argv: print('it is over: try again', flush=True); sys.exit(2)\n"
    "try: time.sleep(60)\n"
    "except KeyboardInterrupt: print('stopped', flush=True); sys.exit(130)\n"
)


def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to it in time"
        time.sleep(0.02)


@pytest.fixture
def workers(tmp_path: Path):
    found = Workers(tmp_path / "runs", (sys.executable, "-c", STAND_IN))
    yield found
    for record in (tmp_path / "runs").glob("**/*.json"):
        started = read_started(record)
        if started is not None and is_at_work(started, record.parts[len(found.runs.parts)]):
            with suppress(ProcessLookupError):  # it ended by itself meanwhile
                os.kill(started.pid, signal.SIGKILL)


def given(folder: Path) -> list[str]:
    log = folder / WORKER_LOG
    until(lambda: log.is_file() and log.read_text().count("\n"))
    return json.loads(log.read_text().splitlines()[0])


def at_work(folder: Path) -> bool:
    started = read_started(folder / STARTED_AS)
    return started is not None and is_at_work(started, folder.name)


def test_a_run_gets_a_folder_of_our_making_and_its_arguments_as_they_are(workers: Workers):
    words = "../../etc; rm -rf ~ & Ω-world"
    hostile = ["--data=$(touch /tmp/never)", "--where=domain=`id`", "--limit=3"]
    name = workers.start(words, hostile, lambda: datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC))
    assert name == "20261121-120000-etc-rm-rf-world"
    folder = workers.folder(name)
    assert given(folder) == ["run", f"--out={folder}", *hostile]  # as they are: no shell has read them
    assert at_work(folder)
    started = read_started(folder / STARTED_AS)
    assert started is not None
    assert started.arguments == tuple(hostile)
    assert os.getsid(started.pid) == started.pid  # a session of its own: it outlives who started it


def test_two_runs_of_one_second_have_two_folders(workers: Workers):
    def noon() -> datetime:
        return datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)

    assert [workers.start("world", ["--quick"], noon) for _ in range(3)] == [
        "20261121-120000-world",
        "20261121-120000-world-2",
        "20261121-120000-world-3",
    ]


def test_a_process_that_ended_is_not_at_work_and_its_last_word_is_known(workers: Workers):
    folder = workers.folder(workers.start("world", ["--quick"]))
    until(lambda: not at_work(folder))
    assert last_sentence(folder / WORKER_LOG) == "it is over: try again"


def test_taking_up_appends_resume_and_keeps_the_log(workers: Workers):
    folder = workers.folder(workers.start("world", ["--quick"]))
    until(lambda: not at_work(folder))
    workers.take_up(folder.name, ["--limit=2"])
    until(lambda: "--resume" in (folder / WORKER_LOG).read_text())
    assert json.loads((folder / WORKER_LOG).read_text().splitlines()[-1]) == [
        "run", f"--out={folder}", "--resume", "--limit=2"
    ]  # fmt: skip


def test_stopping_ends_it_as_ctrl_c_does(workers: Workers):
    folder = workers.folder(workers.start("world", []))
    given(folder)
    workers.stop(folder.name)
    until(lambda: not at_work(folder))
    assert last_sentence(folder / WORKER_LOG) == "stopped"
    with pytest.raises(BadInput, match="nothing is at work"):
        workers.stop(folder.name)


def test_one_job_of_a_kind_at_a_time(workers: Workers):
    folder = workers.folder(workers.start("world", ["--quick"]))
    workers.start_job(folder.name, "ladder", ["--limit=1"])
    with pytest.raises(BadInput, match="being done already"):
        workers.start_job(folder.name, "ladder", [])
    workers.start_job(folder.name, "retrieval", [])
    until(lambda: "--run=" in log_tail(folder / "jobs" / "retrieval.log"))
    workers.stop(folder.name, "ladder")
    with pytest.raises(BadInput, match="no job 'rm'"):
        workers.start_job(folder.name, "rm", [])


@pytest.mark.parametrize("name", ["", ".", "..", "../runs", "a/b", "nobody", "x" * 300, "a\0b", "-rf"])
def test_names_that_are_no_run_are_refused(workers: Workers, name: str):
    workers.runs.mkdir()
    with pytest.raises(BadInput, match="there is no run"):
        workers.folder(name)


def test_a_process_id_that_belongs_to_someone_else_now_is_not_at_work():
    process = subprocess.Popen([sys.executable, "-c", "input()", "some-run"], stdin=subprocess.PIPE)
    try:
        started = Started(process.pid, time.time(), "run", ())
        until(lambda: not is_at_work(started, "another-run"))  # until it has a command line, it may be anything
        assert is_at_work(started, "some-run")
    finally:
        process.kill()
    process_ended = Started(process.pid, time.time(), "run", ())
    until(lambda: not is_at_work(process_ended, "some-run"))  # a zombie, until it is waited for
    process.wait()


def test_half_a_record_and_no_log_say_nothing(tmp_path: Path):
    (tmp_path / "start.json").write_text('{"pid": 1, "at"')
    assert read_started(tmp_path / "start.json") is None
    assert read_started(tmp_path / "nothing.json") is None
    assert log_tail(tmp_path / "none.log") == ""
    (tmp_path / "long.log").write_bytes(b"\xff\xfe" + b"a line\n" * 50_000 + b"bar\rthe end\n\n")
    assert 30 < len(log_tail(tmp_path / "long.log").splitlines()) <= 40
    assert last_sentence(tmp_path / "long.log") == "the end"


def test_a_place_that_cannot_be_written_to_is_one_sentence(tmp_path: Path):
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(BadInput, match="cannot be written to"):
        Workers(tmp_path / "runs").start("world", [])


def test_a_run_is_deleted_when_its_process_is_gone_and_not_before(workers: Workers, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("eval.ui.state.processes._ENDING_S", 0.3)
    name = workers.start("one", ["--data=x"])
    given(workers.folder(name))
    with pytest.raises(BadInput, match="a process is at work on"):
        workers.delete(name)
    assert workers.folder(name).is_dir()
    monkeypatch.setattr("eval.ui.state.processes._ENDING_S", 20.0)
    workers.stop(name)
    assert workers.delete(name).name == name  # waits for it to be gone
    with pytest.raises(BadInput, match="there is no run"):
        workers.folder(name)
