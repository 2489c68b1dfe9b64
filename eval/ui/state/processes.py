"""Runs as processes of their own: they outlive closed pages, second tabs and the server that started them.

A run is `python -m eval run ... --out FOLDER` in a session of its own, its output in the folder's `worker.log`, how it
was started in `start.json`. Nothing else is remembered: what a run is doing is read from its folder
(`eval.ui.state.run_state`), so that every server over the same data folder shows the same. Further work on a finished
run (judging again, the ladder, recall) is started the same way, its files under the folder's `jobs/`. Arguments go to
the process as a list, never through a shell; names of folders are made here.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.paths import PROJECT_DIR
from assistant.core.storage import write_json
from eval.runs.store import STARTED_AS, WORKER_LOG
from eval.runs.trash import Deleted, delete

FORMAT_VERSION = 1
#: Further work on a run → the command that does it.
JOBS = {"judge": "judge", "ladder": "ladder", "retrieval": "retrieval"}
_ENDING_S = 3.0
_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,119}")


@dataclass(frozen=True)
class Started:
    """How a process was started: its id, when (seconds since 1970), the command, its arguments without the folder."""

    pid: int
    at: float
    command: str
    arguments: tuple[str, ...]


class Workers:
    """Starts and ends processes on the run folders under `runs`.

    Args:
        runs: the folder of all run folders.
        python: the interpreter, and what stands before the command; tests put a stand-in there.
    """

    def __init__(self, runs: Path, python: Sequence[str] = (sys.executable, "-m", "eval")):
        self.runs = runs
        self._python = tuple(python)
        self._lock = threading.Lock()

    def folder(self, name: str) -> Path:
        """The folder of a run that is there.

        Raises:
            BadInput: no such run.
        """
        path = self.runs / name
        if not _NAME.fullmatch(name) or not path.is_dir():
            raise BadInput(f"there is no run {name!r} any more: choose one from the list")
        return path

    def start(
        self, words: str, arguments: Sequence[str], now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> str:
        """Start a run in a new folder; returns its name, made of the time and `words`.

        Raises:
            BadInput: the folder cannot be made or the process not started.
        """
        name = self.new_folder(words, now)
        self._spawn(self.runs / name / STARTED_AS, self.runs / name / WORKER_LOG, "run", arguments, self._out(name))
        return name

    def new_folder(self, words: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> str:
        """Make an empty folder for a run; its name, made of the time and `words`.

        Raises:
            BadInput: it cannot be made.
        """
        slug = re.sub(r"[^A-Za-z0-9.]+", "-", words).strip("-.").lower()[:60] or "run"
        base = f"{now():%Y%m%d-%H%M%S}-{slug}"
        with self._lock:
            name, number = base, 1
            while (self.runs / name).exists():
                number += 1
                name = f"{base}-{number}"
            try:
                (self.runs / name).mkdir(parents=True)
            except OSError as problem:
                raise BadInput(f"{str(self.runs)!r} cannot be written to ({problem.strerror or problem})") from None
        return name

    def take_up(self, name: str, arguments: Sequence[str]) -> None:
        """Go on with a run whose process ended.

        Raises:
            BadInput: no such run, or the process cannot be started.
        """
        folder = self.folder(name)
        self._spawn(folder / STARTED_AS, folder / WORKER_LOG, "run", arguments, [*self._out(name), "--resume"])

    def start_job(self, name: str, job: str, arguments: Sequence[str]) -> None:
        """Start further work on a run; one of each kind at a time.

        Raises:
            BadInput: no such run or job, or it is at work already.
        """
        folder = self.folder(name)
        if job not in JOBS:
            raise BadInput(f"there is no job {job!r}: choose one of {', '.join(JOBS)}")
        before = read_started(folder / "jobs" / f"{job}.json")
        if before is not None and is_at_work(before, name):
            raise BadInput(f"this is being done already (process {before.pid}): wait for it, or stop it first")
        run = [f"--run={folder}"] if job == "retrieval" else [str(folder)]
        self._spawn(folder / "jobs" / f"{job}.json", folder / "jobs" / f"{job}.log", JOBS[job], arguments, run)

    def delete(self, name: str) -> Deleted:
        """Move a run aside, to be put back for a day.

        Raises:
            BadInput: no such run, or something is at work on it.
        """
        folder = self.folder(name)
        records = [folder / STARTED_AS, *(folder / "jobs" / f"{job}.json" for job in JOBS)]
        started = [found for record in records if (found := read_started(record)) is not None]
        end = time.monotonic() + _ENDING_S  # a run says that it is finished a moment before its process is gone
        while any(is_at_work(one, name) for one in started):
            if time.monotonic() > end:
                raise BadInput(f"a process is at work on {name!r}: stop it or wait, then delete it")
            time.sleep(0.1)
        return delete(folder)

    def stop(self, name: str, job: str = "") -> None:
        """End a process that has no other way to be told: a run that is only starting, or a job.

        What it finished is kept (they end as by Ctrl-C).

        Raises:
            BadInput: nothing is at work there.
        """
        folder = self.folder(name)
        started = read_started(folder / "jobs" / f"{job}.json" if job else folder / STARTED_AS)
        if started is None or not is_at_work(started, name):
            raise BadInput("nothing is at work there any more")
        try:
            os.kill(started.pid, signal.SIGTERM)  # children of a server in the background ignore SIGINT
        except OSError as problem:
            raise BadInput(f"process {started.pid} cannot be ended ({problem.strerror})") from None

    def _out(self, name: str) -> list[str]:
        return [f"--out={self.runs / name}"]

    def _spawn(self, record: Path, log: Path, command: str, arguments: Sequence[str], where: Sequence[str]) -> None:
        try:
            record.parent.mkdir(exist_ok=True)
            with log.open("ab") as file:
                process = subprocess.Popen(
                    [*self._python, command, *where, *arguments],
                    cwd=PROJECT_DIR,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as problem:
            raise BadInput(f"{str(record.parent)!r} cannot be worked in ({problem.strerror or problem})") from None
        # A child that has ended stays a process in name until its parent asks for it.
        threading.Thread(target=process.wait, name=f"reaper-{process.pid}", daemon=True).start()
        about = {"pid": process.pid, "at": time.time(), "command": command, "arguments": list(arguments)}
        write_json(record, {"format_version": FORMAT_VERSION, **about})


def read_started(path: Path) -> Started | None:
    """What was written down when a process was started; None when there is nothing that can be read."""
    try:
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        arguments = tuple(str(argument) for argument in found["arguments"])
        started = Started(int(found["pid"]), float(found["at"]), str(found["command"]), arguments)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    # Numbers below 1 mean whole groups of processes, which are not ours to end; times far away are no dates.
    return started if 0 < started.pid < 2**31 and 0 <= started.at < 2**35 else None


def is_at_work(started: Started, name: str) -> bool:
    """Whether that process is still there, and still the one that works on the run `name`."""
    try:
        os.kill(started.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return False  # the id belongs to someone else now
    try:
        told = Path(f"/proc/{started.pid}/cmdline").read_bytes()
        state = Path(f"/proc/{started.pid}/stat").read_bytes().rpartition(b")")[2].split()[:1]
    except OSError:
        return True  # a system that does not tell
    # A process that is just becoming another program has no command line yet, one that has ended has none any more.
    return name.encode() in told or (not told and state != [b"Z"])


def log_tail(path: Path, lines: int = 40, most_bytes: int = 16_384) -> str:
    """The last lines of a log; "" where there is none."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - most_bytes))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.replace("\r", "\n").splitlines()[-lines:])


def last_sentence(path: Path) -> str:
    """The last line of a log that says something: how a process that failed explains itself."""
    said = [line.strip() for line in log_tail(path).splitlines() if line.strip()]
    return said[-1] if said else ""
