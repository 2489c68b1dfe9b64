"""What the turns of a run were handed: the evidence out of its traces, its pictures out of the data that were run over.

Traces keep no pixels. Where the data are not where they were, or are not those any more, there are no pictures.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage, BadInput
from eval.data.options import DataChoice
from eval.data.pictures import Picture
from eval.data.pieces import Pieces
from eval.runs.reading import read_trace, read_traces
from eval.runs.turn_record import handed_in

#: Turns whose pictures' places are kept at once; a judge asks about one turn several times in a row.
_KEPT_TURNS = 32


def handed_to(run: Path, lines: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Interaction id → the evidence that the turn was handed; turns whose trace is gone are left out."""
    wanted = {line["trace"]: line["interaction_id"] for line in lines}
    return {wanted[offset]: _handed(trace) for offset, trace in read_traces(run, wanted)}


def _handed(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    try:
        return handed_in(trace)
    except (KeyError, TypeError, AttributeError):  # written by another version, or by hand
        return []


class HandedAgain:
    """What a run's turns were handed, for a judge. Safe between threads."""

    def __init__(self, run: Path, info: Mapping[str, Any]):
        self._run, self._info = run, info
        self._lock = threading.Lock()
        self._turns: dict[str, Pieces] | None = None
        self._kept: OrderedDict[str, dict[str, Picture]] = OrderedDict()

    def evidence(self, line: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Of one turn, as its trace has it; nothing where that is gone."""
        try:
            return _handed(read_trace(self._run, line))
        except BadInput:
            return ()

    def picture(self, line: Mapping[str, Any], source: str) -> bytes | None:
        """The picture behind an address that a turn was handed; None where it is not to be had."""
        with self._lock:
            found = self._pictures(line["interaction_id"]).get(source)
        try:
            return found.read() if found is not None else None
        except BadImage:
            return None

    def _pictures(self, key: str) -> dict[str, Picture]:
        if key not in self._kept:
            if self._turns is None:
                self._turns = self._load()
            pieces = self._turns[key]() if key in self._turns else ()
            self._kept[key] = {piece.source: piece.picture for piece in pieces if piece.picture is not None}
            while len(self._kept) > _KEPT_TURNS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _load(self) -> dict[str, Pieces]:
        options, about = self._info.get("options") or {}, self._info.get("data") or {}
        if not about.get("path"):
            return {}
        names = {name: options[name] for name in ("split", "set", "revision") if options.get(name)}
        try:
            data = DataChoice(str(about["path"]), **names).load()
        except BadInput:
            return {}
        if data.digest != options.get("data"):
            return {}
        turns = [turn for sample in data.samples for turn in sample.turns]
        return {turn.interaction_id: turn.pieces for turn in turns if turn.pieces is not None}
