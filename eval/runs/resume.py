"""Resuming an interrupted run: what is on disk stays, what is missing is asked.

A run may be killed at any moment. Resuming it checks that it was started with the same options, drops the half line
that the kill may have left, counts the turns that are finished, and gives each conversation back what was said in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.types import Conversation, Turn
from eval.data.samples import FAILED, SampleTurn
from eval.runs.reading import read_info


def stored_info(path: Path, resume: bool) -> dict[str, Any]:
    """What `run.json` of the run that is there says.

    Raises:
        BadInput: no run is there, or it is not to be resumed.
        UnknownFormat: the run was written by another version.
    """
    if not (path / "run.json").is_file():
        raise BadInput(f"{str(path)!r} is not empty and holds no run: choose another --out")
    if not resume:
        raise BadInput(f"{str(path)!r} holds a run already: add --resume to go on with it or choose another --out")
    return read_info(path)


def check_same_options(stored: Mapping[str, Any], wanted: Mapping[str, Any], path: Path) -> None:
    """Raises:
    BadInput: an option that decides answers is another one than when the run was started.
    """
    if stored.get("agent") != "chat" and stored.get("pipeline") == "vitrine":
        stored = {**stored, "pipeline": wanted.get("pipeline")}  # once every agent's run said so, whatever answered
    for key in {**stored, **wanted}:
        if stored.get(key) != wanted.get(key):
            raise BadInput(
                f"the run in {str(path)!r} was started with {key} {stored.get(key)!r}, not {wanted.get(key)!r}: "
                "resume it with the same options or choose another --out"
            )


def cut_half_line(path: Path) -> None:
    """Drop what stands behind the last line end: a line is only finished with it."""
    if not path.is_file():
        return
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        keep, step = end, 65536
        while keep > 0:
            start = max(0, keep - step)
            file.seek(start)
            found = file.read(keep - start).rfind(b"\n")
            if found >= 0:
                keep = start + found + 1
                break
            keep = start
        if keep < end:
            file.truncate(keep)


def finished_turns(heads: Iterable[Mapping[str, Any]]) -> tuple[dict[str, int], int]:
    """The finished turns, interaction id → offset of its trace, and how many of them failed."""
    stored: dict[str, int] = {}
    failed = 0
    for line in heads:
        stored[line["interaction_id"]] = line["trace"]
        failed += line["status"] in FAILED
    return stored, failed


def resume_conversation(
    so_far: Conversation,
    turns: Sequence[SampleTurn],
    at: int,
    stored: Mapping[str, int],
    answered: Callable[[str, int], Turn],
) -> tuple[Conversation, int]:
    """`so_far` with the turns from number `at` on that are finished, as they were answered, and the first that is not.

    Args:
        stored: interaction id → offset of its trace.
        answered: reads a finished turn by its interaction id and offset.

    Raises:
        BadInput: a finished turn cannot be read any more: what follows would be another conversation.
    """
    while at < len(turns) and (offset := stored.get(turns[at].interaction_id)) is not None:
        so_far = so_far.with_turn(answered(turns[at].interaction_id, offset))
        at += 1
    return so_far, at
