"""What a run is doing, derived from its folder alone, and what can be done with it.

Nothing is kept in the server: a second tab, another server and a server that was started anew all see the same. Folders
that are not being written to are not read again until they change, so that a list of a hundred large runs can be drawn
every second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from eval.runs.about import About, read_about
from eval.runs.control import CONTROL, PROGRESS
from eval.runs.reading import RunSummary, summarise
from eval.runs.store import STARTED_AS, WORKER_LOG
from eval.ui.state.processes import Started, is_at_work, last_sentence, read_started

Act = Literal["pause", "run", "cancel", "resume", "stop", "retry", "delete"]

#: State → how it is said, and what can be done.
STATES: dict[str, tuple[str, tuple[Act, ...]]] = {
    "starting": ("starting", ("stop",)),
    "preparing": ("preparing", ("cancel",)),
    "running": ("running", ("pause", "cancel")),
    "pausing": ("pausing, open turns end first", ("run", "cancel")),
    "paused": ("paused", ("run", "cancel")),
    "judging": ("judging", ("cancel",)),
    "finished": ("finished", ("delete",)),
    "cancelled": ("cancelled", ("resume", "delete")),
    "failed": ("failed", ("resume", "delete")),
    "interrupted": ("died", ("resume", "delete")),
    "refused": ("did not start", ("resume", "delete")),
    "unreadable": ("unreadable", ("delete",)),
}
AT_WORK = ("starting", "preparing", "running", "pausing", "paused", "judging")


NOTHING = About()


@dataclass(frozen=True)
class RunState:
    """A run as the tab shows it. `problem` is one sentence, "" when nothing is wrong."""

    name: str
    path: Path
    state: str
    summary: RunSummary
    started: Started | None
    problem: str = ""
    about: About = NOTHING

    @property
    def title(self) -> str:
        """What people call it, else the data it is over."""
        return self.about.name or self.data_name or "Run"

    @property
    def words(self) -> str:
        return STATES.get(self.state, (self.state, ()))[0]

    @property
    def acts(self) -> tuple[Act, ...]:
        found = STATES.get(self.state, ("", ()))[1]
        if self.summary.scores.get("n_failed") and not self.at_work:
            return (*found[:-1], "retry", *found[-1:])
        return found

    @property
    def at_work(self) -> bool:
        return self.state in AT_WORK

    @property
    def options(self) -> dict[str, Any]:
        found = self.summary.info.get("options")
        return found if isinstance(found, dict) else {}

    @property
    def data_name(self) -> str:
        data = self.summary.info.get("data")
        return str(data.get("name") or "") if isinstance(data, dict) else ""

    @property
    def has_scores(self) -> bool:
        return "paper" in self.summary.scores and bool(self.summary.scores.get("n", 1))


def derive(summary: RunSummary, started: Started | None, at_work: bool, said: str) -> tuple[str, str]:
    """State and problem of a run.

    Args:
        summary: its folder; one without `run.json` has an empty `info` and the state "".
        started: how the tab started it, None for runs from the command line.
        at_work: whether that process is still there.
        said: the last line of its log.
    """
    if not summary.info and not summary.problem:
        if at_work:
            return "starting", ""
        return "refused", said or "its process ended without a word: see the log"
    if summary.state == "unreadable":
        return "unreadable", summary.problem
    # Taken up again, by a process that has not come to say anything in the folder.
    fresh = started is not None and float((summary.progress or {}).get("updated") or 0) < started.at
    if fresh and not summary.alive and summary.state != "finished":
        return ("starting", "") if at_work else (summary.state, said or _problem(summary))
    if summary.state == "interrupted":
        return "interrupted", "its process ended without saying so: what was finished is safe, resume it"
    return summary.state, _problem(summary)


def _problem(summary: RunSummary) -> str:
    return str(summary.info.get("problem") or "") if summary.state == "failed" else ""


class RunList:
    """The runs under a folder, latest first."""

    def __init__(self, runs: Path):
        self._runs = runs
        self._lock = threading.Lock()
        self._known: dict[str, tuple[Any, RunSummary]] = {}

    def all(self) -> list[RunState]:
        """Every run. Folders that hold neither a run nor the start of one are passed over."""
        try:
            places = [p for p in self._runs.iterdir() if (p / "run.json").is_file() or (p / STARTED_AS).is_file()]
        except OSError:
            return []
        found = [self.one(place) for place in places]
        return sorted(found, key=lambda run: (run.summary.started or _date(run.started), run.name), reverse=True)

    def one(self, path: Path) -> RunState:
        """One run."""
        started = read_started(path / STARTED_AS)
        at_work = started is not None and is_at_work(started, path.name)
        summary = self._summary(path)
        state, problem = derive(summary, started, at_work, "" if at_work else last_sentence(path / WORKER_LOG))
        return RunState(path.name, path, state, summary, started, problem, read_about(path))

    def _summary(self, path: Path) -> RunSummary:
        if not (path / "run.json").is_file():
            return RunSummary(path, "", 0, None, {}, {}, None, False)
        return self._remembered(path, summarise)

    def _remembered(self, path: Path, read: Callable[[Path], RunSummary]) -> RunSummary:
        """What was read before, unless a file has changed or a process was at work: that can end without a trace."""
        mark = tuple(_mark(path / name) for name in ("run.json", "turns.jsonl", "scores.json", PROGRESS, CONTROL))
        with self._lock:
            known = self._known.get(path.name)
        if known is not None and known[0] == mark and not known[1].alive:
            return known[1]
        summary = read(path)
        with self._lock:
            self._known[path.name] = (mark, summary)
        return summary


def _mark(path: Path) -> tuple[int, int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_ino, about.st_size, about.st_mtime_ns


def _date(started: Started | None) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(started.at, UTC).isoformat(timespec="seconds") if started else ""
