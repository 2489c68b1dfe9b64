"""Reading run folders, whoever writes them: what was run, its turns, their traces, and the list of all runs.

Nothing here takes the folder's lock or changes anything, so that a run can be looked at while it goes on. What the
files are stands in `eval.runs.store`, which writes them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, UnknownFormat, VitrineError
from eval.runs.control import is_alive, read_progress

FORMAT_VERSION = 1


@dataclass(frozen=True)
class RunSummary:
    """One run as a list shows it.

    `state` is that of `run.json`, or of `progress.json` while a process works on it; "interrupted" when the process
    is gone without having said so; "unreadable" with `problem` where `run.json` cannot be read. `done` turns are
    stored, out of `total` (None when it is not known). `scores` is `scores.json`, {} when there is none.
    """

    path: Path
    state: str
    done: int
    total: int | None
    info: dict[str, Any]
    scores: dict[str, Any]
    progress: dict[str, Any] | None
    alive: bool
    problem: str = ""

    @property
    def started(self) -> str:
        return str(self.info.get("started") or "")


def list_runs(folder: Path) -> list[RunSummary]:
    """The runs in the folders of `folder`, latest first. Reads no turn: lines are counted, not parsed.

    Folders without `run.json` are passed over; those that cannot be read are listed with the reason.
    """
    try:
        places = [place for place in folder.iterdir() if (place / "run.json").is_file()]
    except OSError:
        return []
    runs = [summarise(place) for place in places]
    return sorted(runs, key=lambda run: (run.started, run.path.name), reverse=True)


def summarise(path: Path) -> RunSummary:
    """One run folder for a list."""
    progress = read_progress(path)
    alive = is_alive(progress)
    try:
        info = read_info(path)
    except VitrineError as problem:
        return RunSummary(path, "unreadable", 0, None, {}, {}, progress, alive, str(problem))
    state = str(info.get("state", ""))
    if alive and progress is not None:
        state = str(progress["state"])
    elif state in ("preparing", "running", "judging"):
        state = "interrupted"
    total = info.get("n_turns")
    return RunSummary(path, state, _count_turns(path, progress, alive), total, info, _scores(path), progress, alive)


def _scores(path: Path) -> dict[str, Any]:
    try:
        scores = json.loads((path / "scores.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return scores if isinstance(scores, dict) else {}


def _count_turns(path: Path, progress: dict[str, Any] | None, alive: bool) -> int:
    """How many turns are stored: what the working process says, else the line ends of the file."""
    if alive and progress is not None and isinstance(progress.get("done"), int):
        return progress["done"]
    count = 0
    try:
        with (path / "turns.jsonl").open("rb") as file:
            while block := file.read(1 << 20):
                count += block.count(b"\n")
    except OSError:
        return count
    return count


def read_info(path: Path) -> dict[str, Any]:
    """`run.json` of a run folder.

    Raises:
        BadInput: not a run folder.
        UnknownFormat: written by another version.
    """
    try:
        info = json.loads((path / "run.json").read_text(encoding="utf-8"))
        version = info["format_version"]
    except (OSError, ValueError, KeyError, TypeError):
        raise BadInput(f"{str(path)!r} holds no run.json that could be read: it is not a run folder") from None
    if version != FORMAT_VERSION:
        raise UnknownFormat(f"{str(path)!r} has format_version {version!r}, this Vitrine reads {FORMAT_VERSION}")
    return info


def read_turn_heads(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of `turns.jsonl` as they stand: texts that were too long for them are null and named under `long`."""
    yield from json_lines(path / "turns.jsonl")


def read_turn_lines(path: Path) -> list[dict[str, Any]]:
    """The turns of a run folder; a run that is still going on or was killed reads as far as it got."""
    lines = list(read_turn_heads(path))
    if any("long" in line for line in lines):
        with (path / "traces.jsonl").open("rb") as traces:
            for line in lines:
                if line.pop("long", None):
                    traces.seek(line["trace"])
                    line.update(json.loads(traces.readline())["long"])
    return lines


def read_trace(path: Path, offset: int) -> dict[str, Any]:
    """One trace, found by its byte offset."""
    with (path / "traces.jsonl").open("rb") as file:
        file.seek(offset)
        return json.loads(file.readline())


def read_traces(path: Path, offsets: Collection[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The traces that begin at `offsets`, in the order of the file, read in one go."""
    if not offsets:
        return
    with (path / "traces.jsonl").open("rb") as file:
        offset = 0
        for line in file:
            if offset in offsets:
                yield offset, json.loads(line)
            offset += len(line)


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The finished lines of one of the logs; nothing where there is none.

    Raises:
        BadInput: a line that is not JSON; the message says which.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # being written, or cut off by a kill
            try:
                yield json.loads(line)
            except ValueError:
                raise BadInput(f"line {number} of {str(path)!r} is not JSON") from None
