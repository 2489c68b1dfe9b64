"""Deleted runs: moved aside in one step, to be put back for a day, then gone.

A deleted run lies whole under `.trash/<milliseconds>-<name>` beside the others. Nothing that lists runs looks there.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import BadInput
from eval.runs.control import is_alive, read_progress
from eval.runs.store import is_held

TRASH = ".trash"
KEPT_S = 24 * 3600.0
_ENTRY = re.compile(r"(\d{13})-([A-Za-z0-9][\w.+-]{0,119})")


@dataclass(frozen=True)
class Deleted:
    """A deleted run: `entry` tells it from others of the same name, `at` is when, in seconds since 1970."""

    entry: str
    name: str
    at: float


def delete(run: Path, now: Callable[[], float] = time.time) -> Deleted:
    """Move a run folder aside; what was deleted more than a day ago goes for good.

    Raises:
        BadInput: a process is at work there, or the folder cannot be moved.
    """
    if is_alive(read_progress(run)) or is_held(run):
        raise BadInput(f"a process is at work on {run.name!r}: cancel it or wait, then delete it")
    at = now()
    found = Deleted(f"{round(at * 1000):013d}-{run.name}", run.name, at)
    try:
        (run.parent / TRASH).mkdir(exist_ok=True)
        run.rename(run.parent / TRASH / found.entry)
    except OSError as problem:
        raise BadInput(f"{str(run)!r} cannot be deleted ({problem.strerror or problem})") from None
    empty(run.parent, now=now)
    return found


def deleted(runs: Path) -> list[Deleted]:
    """What can be put back, latest first."""
    try:
        names = sorted((place.name for place in (runs / TRASH).iterdir()), reverse=True)
    except OSError:
        return []
    parts = ((name, _ENTRY.fullmatch(name)) for name in names)
    return [Deleted(name, part[2], int(part[1]) / 1000) for name, part in parts if part]


def put_back(runs: Path, entry: str) -> str:
    """Undo; returns the run's name.

    Raises:
        BadInput: it is gone, or another run has taken its name.
    """
    part = _ENTRY.fullmatch(entry)
    if part is None or not (runs / TRASH / entry).is_dir():
        raise BadInput(f"there is no deleted run {entry!r} any more")
    if (runs / part[2]).exists():
        raise BadInput(f"there is another run {part[2]!r} by now: rename or delete that one first")
    try:
        (runs / TRASH / entry).rename(runs / part[2])
    except OSError as problem:
        raise BadInput(f"{entry!r} cannot be put back ({problem.strerror or problem})") from None
    return part[2]


def empty(runs: Path, older_than_s: float = KEPT_S, now: Callable[[], float] = time.time) -> int:
    """Take away for good what was deleted longer ago than this; returns how many runs. Never raises: what cannot be
    taken away stays and is tried the next time."""
    old = [found for found in deleted(runs) if now() - found.at > older_than_s]
    for found in old:
        place = runs / TRASH / found.entry
        if place.is_symlink():  # a run that lies elsewhere was linked here: only the link is ours
            place.unlink(missing_ok=True)
        else:
            shutil.rmtree(place, ignore_errors=True)
    return len(old)
