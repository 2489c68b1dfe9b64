"""The run folder: every finished turn is on disk before the next is asked for, and stays there.

`run.json` says what was run, `turns.jsonl` has one line a turn, `traces.jsonl` what it rests on (each turn's line
knows the byte offset), `judgements.jsonl` one line a verdict, `scores.json` the figures. The three logs are only ever
appended to, line by line, unbuffered; a process killed at any moment leaves at most half a line at the end, which is
cut off when the run is resumed (`eval.runs.resume`). One process at a time holds the folder. What the lines mean
stands in `eval.runs.turn_record`.
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from assistant.core.errors import BadInput, VitrineError
from assistant.core.types import Turn
from eval.data.samples import FAILED
from eval.runs.control import CONTROL, PROGRESS
from eval.runs.reading import (
    FORMAT_VERSION,
    RunSummary,
    list_runs,
    read_answered,
    read_info,
    read_judgements,
    read_trace,
    read_traces,
    read_turn_heads,
    read_turn_lines,
)
from eval.runs.resume import check_same_options, cut_half_line, stored_info
from eval.runs.shapes import SkippedLines
from eval.runs.turn_record import LONG_TEXT

__all__ = [
    "FORMAT_VERSION",
    "STARTED_AS",
    "WORKER_LOG",
    "RunFolder",
    "RunNotWritten",
    "RunSummary",
    "is_held",
    "list_runs",
    "read_info",
    "read_trace",
    "read_traces",
    "read_turn_heads",
    "read_turn_lines",
]

_LOGS = ("traces.jsonl", "turns.jsonl", "judgements.jsonl")
#: Where whoever starts a run in the background may send what it prints.
WORKER_LOG = "worker.log"
#: Where it may keep how it was started, to resume it.
STARTED_AS = "start.json"
#: What may lie in a folder that holds no run yet.
_BESIDE = ("lock", ".run.json.tmp", CONTROL, f".{CONTROL}.tmp", PROGRESS, f".{PROGRESS}.tmp", WORKER_LOG, STARTED_AS)


#: Texts that a turn's line keeps however long they are: it is found by them.
_IDS = ("session_id", "interaction_id")


class RunNotWritten(VitrineError):
    """The folder could not be written to; what was finished before is safe."""


class RunFolder:
    """One run on disk, open for writing and locked against other processes. Safe between threads.

    `left_out` are the lines that were met in it and hold nothing that could be used.
    """

    def __init__(self, path: Path, info: dict[str, Any], lock: Any):
        self.path = path
        self.info = info
        self._process_lock = lock
        self._thread_lock = threading.Lock()
        self._broken = False
        self.withdrawn = False
        self.left_out = SkippedLines()
        self.write_info()
        self._files = {name: (path / name).open("ab", buffering=0) for name in _LOGS}

    @classmethod
    def open(cls, path: Path, info: Mapping[str, Any], *, resume: bool) -> RunFolder:
        """Start a run in a new or empty folder, or resume the one that is there.

        Args:
            path: the folder.
            info: what `run.json` is to hold; `info["options"]` must equal the stored ones to resume a run.
            resume: go on with what is there; with nothing there, start.

        Raises:
            BadInput: something is there and `resume` is off, other options than those of the run that is there, or
                another process holds the folder.
            UnknownFormat: the run was written by another version.
            RunNotWritten: no rights, no space.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
            old = any(p.name not in _BESIDE for p in path.iterdir())
            lock = _lock(path)
        except (FileExistsError, NotADirectoryError):
            raise BadInput(f"{str(path)!r} is a file: give a folder as --out") from None
        except OSError as problem:
            raise RunNotWritten(f"{str(path)!r} cannot be used as --out ({problem.strerror or problem})") from problem
        try:
            stored = stored_info(path, resume) if old else None
            if stored is not None:
                check_same_options(stored.get("options") or {}, info["options"], path)
            for name in _LOGS:
                cut_half_line(path / name)
            return cls(path, {**info, **(stored or {}), "format_version": FORMAT_VERSION}, lock)
        except BaseException:
            lock.close()
            raise

    def write_info(self, **changes: Any) -> None:
        """Bring `run.json` up to date."""
        self.info.update(changes)
        self._write_whole("run.json", self.info)

    def add_turn(self, line: Mapping[str, Any], trace: Mapping[str, Any]) -> None:
        """Append one finished turn: its trace first, so that a turn that is listed always has one."""
        long = {k: v for k, v in line.items() if isinstance(v, str) and len(v) > LONG_TEXT and k not in _IDS}
        short = {**line, **dict.fromkeys(long), "long": sorted(long)} if long else dict(line)
        with self._thread_lock:
            offset = self._append("traces.jsonl", {**trace, **({"long": long} if long else {})})
            self._append("turns.jsonl", {**short, "trace": offset})

    def add_judgement(self, judgement: Mapping[str, Any]) -> None:
        """Append one verdict."""
        with self._thread_lock:
            self._append("judgements.jsonl", judgement)

    def drop_failed(self) -> int:
        """Take failed turns out, so that they are made again, and what came after them in their conversations.

        Their verdicts go first: killed in between, the folder holds turns that are judged again, never a verdict on
        another answer. What was said stays in the traces. Returns how many turns were taken out.
        """
        first: dict[str, int] = {}
        for line in self.turn_heads():
            if line["status"] in FAILED:
                first[line["session_id"]] = min(line["turn_idx"], first.get(line["session_id"], line["turn_idx"]))
        dropped = {
            line["interaction_id"]
            for line in self.turn_heads()
            if line["turn_idx"] >= first.get(line["session_id"], math.inf)
        }
        with self._thread_lock:
            for name in ("judgements.jsonl", "turns.jsonl") if dropped else ():
                self._rewrite(name, lambda line: _id_in(line) not in dropped)
        return len(dropped)

    def turns(self) -> list[dict[str, Any]]:
        """All finished turns, in the order they were finished, long texts included."""
        return read_turn_lines(self.path, self.left_out)

    def turn_heads(self) -> Iterator[dict[str, Any]]:
        """As `turns`, one by one and without the long texts."""
        return read_turn_heads(self.path, self.left_out)

    def judgements(self, turns: Container[str] | None = None) -> list[dict[str, Any]]:
        """All verdicts, oldest first; only those on `turns` when these are given."""
        return list(read_judgements(self.path, self.left_out, turns))

    def trace(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """The trace of a turn's line."""
        return read_trace(self.path, line)

    def answered(self, interaction_id: str, offset: int) -> Turn:
        """The turn whose trace begins at `offset`; see `eval.runs.reading.read_answered`."""
        return read_answered(self.path, {"interaction_id": interaction_id, "trace": offset})

    def write_scores(self, scores: Mapping[str, Any]) -> None:
        self._write_whole("scores.json", scores)

    def withdraw(self) -> None:
        """Close a run that never began, and leave nothing of it, so that it can be started anew with other options."""
        begun = any(file.tell() for file in self._files.values())
        self.close()
        self.withdrawn = not begun
        if self.withdrawn:
            for name in (*_LOGS, "run.json", *_BESIDE):
                if name not in (WORKER_LOG, STARTED_AS):  # they say why nothing began
                    (self.path / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._process_lock.close()

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _append(self, name: str, line: Mapping[str, Any]) -> int:
        """Append a line and return the byte offset it begins at."""
        if self._broken:
            raise RunNotWritten(f"{str(self.path)!r} could not be written to before: nothing more is added")
        file = self._files[name]
        try:
            offset = file.tell()
            rest = json.dumps(line, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as problem:
            self._broken = True  # half a line may stand there now; another one behind it would spoil both
            raise RunNotWritten(
                f"{str(self.path / name)!r} cannot be written ({problem.strerror or problem}): "
                "what is finished is safe, make room and go on with --resume"
            ) from problem
        return offset

    def _rewrite(self, name: str, keep: Callable[[bytes], bool]) -> None:
        """Leave only the lines of a log that are to be kept; appending goes on behind them."""
        path = self.path / name
        temporary = self.path / f".{name}.tmp"
        try:
            with path.open("rb") as old, temporary.open("wb") as new:
                new.writelines(line for line in old if keep(line))
            temporary.replace(path)
            self._files[name].close()
            self._files[name] = path.open("ab", buffering=0)
        except OSError as problem:
            raise RunNotWritten(f"{str(path)!r} cannot be written ({problem.strerror or problem})") from problem

    def _write_whole(self, name: str, content: Mapping[str, Any]) -> None:
        path = self.path / name
        temporary = self.path / f".{name}.tmp"
        try:
            temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8", errors="replace")
            temporary.replace(path)
        except OSError as problem:
            raise RunNotWritten(f"{str(path)!r} cannot be written ({problem.strerror or problem})") from problem


def _id_in(line: bytes) -> str | None:
    """The turn that a line of a log is of; None for one of another shape, which stays where it is."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    key = found.get("interaction_id") if isinstance(found, dict) else None
    return key if isinstance(key, str) else None


def _lock(path: Path) -> Any:
    """A lock that the system lets go of when the process ends, however it ends."""
    import fcntl

    file = (path / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise BadInput(f"another process is working in {str(path)!r}: wait for it or choose another --out") from None
    return file


def is_held(path: Path) -> bool:
    """Whether a process works in the run folder now."""
    import fcntl

    try:
        with (path / "lock").open("r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # nobody ever worked there
    return False
