"""Reading run folders, whoever writes them: what was run, its turns, their traces, and the list of all runs.

Nothing here takes the folder's lock or changes anything, so that a run can be looked at while it goes on. What the
files are stands in `eval.runs.store`, which writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, UnknownFormat, VitrineError
from assistant.core.types import Turn
from assistant.core.whole_text import load_json
from eval.runs.control import is_alive, read_progress
from eval.runs.shapes import SkippedLines, odd_info, odd_judgement, odd_scores, odd_turn
from eval.runs.turn_record import turn_from_trace

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
    return RunSummary(path, state, _count_turns(path, progress, alive), total, info, read_scores(path), progress, alive)


def read_scores(path: Path) -> dict[str, Any]:
    """`scores.json` of a run folder; {} where there is none that can be used: it is made anew from the verdicts."""
    try:
        scores = load_json((path / "scores.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return scores if isinstance(scores, dict) and not odd_scores(scores) else {}


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
        info = load_json((path / "run.json").read_text(encoding="utf-8"))
        version = info["format_version"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{str(path)!r} holds no run.json that could be read: it is not a run folder") from None
    if version != FORMAT_VERSION:
        raise UnknownFormat(f"{str(path)!r} has format_version {version!r}, this Vitrine reads {FORMAT_VERSION}")
    if odd := odd_info(info):
        raise BadInput(f"{str(path / 'run.json')!r} {odd}: the run cannot be read, put the file back as it was")
    return info


def read_turn_heads(path: Path, left_out: SkippedLines | None = None) -> Iterator[dict[str, Any]]:
    """The lines of `turns.jsonl` as they stand: texts that were too long for them are null and named under `long`.

    What is no turn goes to `left_out`.
    """
    for _, line in _json_lines(path / "turns.jsonl", odd_turn, left_out or SkippedLines()):
        yield line


def read_turn_lines(path: Path, left_out: SkippedLines | None = None) -> list[dict[str, Any]]:
    """The turns of a run folder; a run that is still going on or was killed reads as far as it got.

    To `left_out` goes what is no turn, a turn whose long texts are gone with its trace, and a turn's second line.
    """
    found: dict[str, dict[str, Any]] = {}
    left_out = left_out or SkippedLines()
    for number, line in _json_lines(path / "turns.jsonl", odd_turn, left_out):
        key, why = line["interaction_id"], ""
        if key in found:
            why = "which was there before"
        else:
            try:
                found[key] = whole_line(path, line) if "long" in line else line
            except BadInput:
                why = "whose long texts are gone with its trace"
        if why:
            left_out.add(path / "turns.jsonl", number, f"is of the turn {key!r}, {why}")
    return list(found.values())


_TRACE_GONE = "its trace is not in traces.jsonl any more"


def whole_line(path: Path, line: Mapping[str, Any]) -> dict[str, Any]:
    """A turn's line with its long texts, which stand in its trace.

    Raises:
        BadInput: they are gone.
    """
    names = line.get("long") or ()
    whole = {key: value for key, value in line.items() if key != "long"}
    if names:
        texts = read_trace(path, line).get("long")
        if not isinstance(texts, dict) or not all(isinstance(texts.get(name), str) for name in names):
            raise BadInput(f"the turn {line['interaction_id']!r} in {str(path)!r} cannot be read: its texts are gone")
        whole.update({name: texts[name] for name in names})
    return whole


def read_trace(path: Path, line: Mapping[str, Any]) -> dict[str, Any]:
    """The trace of a turn's line, found by its byte offset.

    Raises:
        BadInput: no trace of this turn is there.
    """
    try:
        with (path / "traces.jsonl").open("rb") as file:
            file.seek(line["trace"])
            found = load_json(file.readline())
    except (OSError, ValueError, RecursionError):
        found = None
    if not _is_trace_of(found, line["interaction_id"]):
        raise BadInput(f"the turn {line['interaction_id']!r} in {str(path)!r} cannot be read: {_TRACE_GONE}")
    return found


def read_answered(path: Path, line: Mapping[str, Any]) -> Turn:
    """The turn that a line stands for, to go on with its conversation.

    Raises:
        BadInput: its trace is gone or has another shape.
    """
    trace = read_trace(path, line)
    try:
        turn = turn_from_trace(trace)
        if not all(isinstance(said, str) for said in (turn.question, turn.answer.text, turn.answer.status)):
            raise TypeError("what was said is no text")
        return turn
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadInput(
            f"the turn {line['interaction_id']!r} in {str(path)!r} cannot be read: its line in traces.jsonl is no trace"
        ) from None


def read_traces(path: Path, wanted: Mapping[int, str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The traces that begin at the offsets of `wanted` and are of the turns named there, in the order of the file.

    Those that are gone are passed over.
    """
    if not wanted or not (path / "traces.jsonl").is_file():
        return
    with (path / "traces.jsonl").open("rb") as file:
        offset = 0
        for line in file:
            if offset in wanted:
                try:
                    found = load_json(line)
                except (ValueError, RecursionError):
                    found = None
                if _is_trace_of(found, wanted[offset]):
                    yield offset, found
            offset += len(line)


def _is_trace_of(found: Any, interaction_id: str) -> bool:
    # A trace without an id was written by hand: a file that begins anew has other turns at old offsets, so ids count.
    return isinstance(found, dict) and found.get("interaction_id", interaction_id) == interaction_id


def read_judgements(
    path: Path, left_out: SkippedLines, turns: Container[str] | None = None
) -> Iterator[dict[str, Any]]:
    """The lines of `judgements.jsonl`; what is no verdict, or is one on a turn that is not in `turns`, is left out."""

    def odd(line: Any) -> str:
        if why := odd_judgement(line):
            return why
        if turns is not None and line["interaction_id"] not in turns:
            return f"is of {line['interaction_id']!r}, which is no turn of the run"
        return ""

    for _, line in _json_lines(path / "judgements.jsonl", odd, left_out):
        yield line


def _json_lines(path: Path, odd: Callable[[Any], str], left_out: SkippedLines) -> Iterator[tuple[int, dict[str, Any]]]:
    """The finished lines of one of the logs with their numbers, but for odd ones; nothing where there is none."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # being written, or cut off by a kill
            try:
                found = load_json(line)
                why = odd(found)
            except (ValueError, RecursionError):
                why = "is not JSON"
            if why:
                left_out.add(path, number, why)
            else:
                yield number, found
