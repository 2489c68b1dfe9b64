"""How a run is watched and steered from another process: two small files in its folder.

`control.json` holds `{"command": "run" | "pause" | "cancel"}` and is written by whoever steers (`send`); the runner
looks at it four times a second. `progress.json` is written by the runner, at most once a second and at least every
few seconds while it lives: state, turns done and in all, failed, rate, time left, process id. Both are written to a
temporary name and renamed, so that a reader never sees half of one.

States: preparing, running, pausing (asked to pause, turns still open), paused, judging, and at the end finished,
cancelled or failed. What a killed process left behind is told by `is_alive`.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from assistant.core.errors import BadInput
from eval.runs.shapes import odd_progress

CONTROL, PROGRESS = "control.json", "progress.json"
Command = Literal["run", "pause", "cancel"]
COMMANDS = ("run", "pause", "cancel")
ENDED = ("finished", "cancelled", "failed")

_LOOK_EVERY_S = 0.2
_WRITE_EVERY_S = 1.0
_HEARTBEAT_S = 3.0
#: A process that has not written for so long is taken for dead, even if its id is in use.
STALE_S = 30.0


def send(run: Path, command: Command) -> None:
    """Ask the process that works in the run folder to pause, to go on or to cancel; it obeys within a second.

    Raises:
        BadInput: there is no such command, nobody works there, or the folder cannot be written to.
    """
    if command not in COMMANDS:
        raise BadInput(f"there is no command {command!r} for a run: choose one of {', '.join(COMMANDS)}")
    if not is_alive(read_progress(run)):
        raise BadInput(f"nothing is running in {str(run)!r}: start it, or take it up again with --resume")
    try:
        write_json(run / CONTROL, {"command": command})
    except OSError as problem:
        raise BadInput(f"{str(run / CONTROL)!r} cannot be written ({problem.strerror or problem})") from None


def read_progress(run: Path) -> dict[str, Any] | None:
    """What the run last said of itself; None when it never did, or the file cannot be read."""
    try:
        progress = json.loads((run / PROGRESS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return progress if isinstance(progress, dict) and not odd_progress(progress) else None


def is_alive(progress: Mapping[str, Any] | None, now: Callable[[], float] = time.time) -> bool:
    """Whether the process that wrote `progress` is still at work on that run."""
    if progress is None or progress.get("state") in ENDED:
        return False
    pid, updated = progress.get("pid"), progress.get("updated")
    if not isinstance(pid, int) or pid <= 0 or not isinstance(updated, int | float) or now() - updated > STALE_S:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # no process has such a number
        return False
    except OSError:
        return True  # it is there and belongs to someone else
    return True


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write to a temporary name, then rename.

    Raises:
        OSError: no rights, no space.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    temporary.replace(path)


@contextlib.contextmanager
def ends_cleanly() -> Iterator[None]:
    """Within this, SIGTERM ends the main thread's work as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(signum: int, stack: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class RunControl:
    """The runner's end: obeys `control.json` and keeps `progress.json` up to date, in a thread of its own.

    `cancelled` is set by a cancel command; while the run is prepared nobody looks at it, so then the main thread gets
    SIGTERM, which `ends_cleanly` makes an interruption. `on_pause` is called with True and False.
    """

    def __init__(self, run: Path, now: Callable[[], float] = time.time):
        self._run = run
        self._now = now
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._figures: dict[str, Any] = {}
        self._state = "preparing"
        self._written = 0.0
        self._dirty = True
        self._closed = False
        self._seen: tuple[int, int] | None = None
        self.cancelled = threading.Event()
        self.on_pause: Callable[[bool], None] = lambda paused: None
        (run / CONTROL).unlink(missing_ok=True)  # what was said to an earlier process is not meant for this one
        self._write()
        self._thread = threading.Thread(target=self._watch, name="run-control", daemon=True)
        self._thread.start()

    @property
    def state(self) -> str:
        return self._state

    def enter(self, state: str, **figures: Any) -> None:
        """Say at once that the run is in another state."""
        with self._lock:
            self._state = state
            self._figures.update(figures)
            self._write()

    def report(self, **figures: Any) -> None:
        """Newer figures; they are written within a second."""
        with self._lock:
            self._figures.update(figures)
            self._dirty = True

    def close(self) -> None:
        """Stop watching. The last state stays in the file; nothing is written any more."""
        if self._end.is_set():
            return
        self._end.set()
        self._thread.join(timeout=2)
        with self._lock:
            self._write()
            self._closed = True

    def _watch(self) -> None:
        while not self._end.wait(_LOOK_EVERY_S):
            self._obey()
            with self._lock:
                since = self._now() - self._written
                if (self._dirty and since >= _WRITE_EVERY_S) or not 0 <= since < _HEARTBEAT_S:
                    self._write()

    def _obey(self) -> None:
        try:
            about = (self._run / CONTROL).stat()
            if (about.st_ino, about.st_mtime_ns) == self._seen:
                return
            self._seen = (about.st_ino, about.st_mtime_ns)
            command = json.loads((self._run / CONTROL).read_text(encoding="utf-8")).get("command")
        except (OSError, ValueError, AttributeError):
            return
        if command == "cancel":
            self.cancelled.set()
            if self._state == "preparing":
                _thread.interrupt_main(signal.SIGTERM)
        elif command in ("pause", "run"):
            self.on_pause(command == "pause")

    def _write(self) -> None:
        if self._closed:
            return
        about = {"state": self._state, "pid": os.getpid(), "updated": self._now(), **self._figures}
        try:
            write_json(self._run / PROGRESS, about)
        except OSError:
            return  # watching is a service: a full disk is told by the turn that cannot be stored
        self._written = about["updated"]
        self._dirty = False
