"""One turn of a run with everything that is known of it, read from the run folder and from its data.

Frames are not kept in run folders: they come from the data again, spoiled again as the run had them, and only as long
as the data are the ones that were run.
"""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, VitrineError
from assistant.settings import Settings
from assistant.ui.state.pictures import data_uri
from eval.data import datasets
from eval.data.datasets import Reading
from eval.data.filters import parse_degradation, spoil
from eval.data.options import DataChoice
from eval.data.samples import Data, Sample
from eval.runs.reading import read_trace, whole_line
from eval.runs.shapes import sound_trace
from eval.ui.state.turn_index import TurnIndex

FRAME_SIDE_PX = 900
#: Frames of so many turns are kept ready, as small pictures.
_FRAMES, _DATA = 24, 2


@dataclass(frozen=True)
class Shown:
    """One turn. `before` are the earlier turns of its conversation, as lines; `judgements` what every judge said."""

    number: int
    line: Mapping[str, Any]
    kind: str
    why: str
    trace: Mapping[str, Any]
    judgements: tuple[Mapping[str, Any], ...]
    before: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class FramePicture:
    """A frame as a data URI with its own size in px; or, without one, why there is none."""

    uri: str = ""
    width_px: int = 0
    height_px: int = 0
    problem: str = ""


def show(run: Path, index: TurnIndex, number: int, judge: str) -> Shown:
    """Everything about turn `number` of a run.

    Raises:
        BadInput: no such turn.
    """
    if not 0 <= number < len(index):
        raise BadInput(f"the run has no turn {number + 1}: it has {len(index)}")
    row = index.rows([number], judge)[0]
    line, trace = dict(row.line), {}
    with contextlib.suppress(BadInput):  # a trace that is gone: what stands in the list is shown
        trace = sound_trace(read_trace(run, row.line))
        line = whole_line(run, row.line)
    earlier = [index.number_of(str(key)) for key in line.get("interaction_id_history") or ()]
    before = index.rows([number for number in earlier if number is not None], judge)
    return Shown(
        number,
        line,
        row.kind,
        row.why,
        trace,
        tuple(index.judgements(number)),
        tuple({**r.line, "kind": r.kind} for r in before),
    )


class Frames:
    """The frames of runs, from their data."""

    def __init__(self, settings: Settings):
        self._settings = settings
        self._lock = threading.Lock()
        self._data: OrderedDict[tuple[Any, ...], tuple[Data, dict[tuple[str, str], Sample]]] = OrderedDict()
        self._frames: OrderedDict[tuple[str, str, str], FramePicture] = OrderedDict()

    def of(self, info: Mapping[str, Any], line: Mapping[str, Any]) -> FramePicture:
        """The frame that a turn was asked about; never raises for data that are gone."""
        options = info.get("options") or {}
        degrade = tuple(options.get("degrade") or ())
        key = (str(options.get("data")), f"{line.get('set')}/{line['session_id']}", " ".join(degrade))
        with self._lock:
            if key in self._frames:
                self._frames.move_to_end(key)
                return self._frames[key]
        try:
            picture = self._read(info, line, degrade)
        except VitrineError as problem:
            return FramePicture(problem=str(problem))
        except OSError as problem:
            return FramePicture(problem=f"the data cannot be read ({problem.strerror or problem})")
        with self._lock:
            self._frames[key] = picture
            while len(self._frames) > _FRAMES:
                self._frames.popitem(last=False)
        return picture

    def _read(self, info: Mapping[str, Any], line: Mapping[str, Any], degrade: tuple[str, ...]) -> FramePicture:
        data, samples = self._load(info)
        sample = samples.get((str(line.get("set")), str(line["session_id"])))
        if sample is None:
            return FramePicture(problem=f"{data.name} holds no session {line['session_id']!r} any more")
        (spoiled,) = spoil([sample], tuple(parse_degradation(text) for text in degrade))
        frame = spoiled.frame()
        if frame is None:
            return FramePicture(problem="this sample has no picture")
        return FramePicture(data_uri(frame, FRAME_SIDE_PX), frame.width_px, frame.height_px)

    def _load(self, info: Mapping[str, Any]) -> tuple[Data, dict[tuple[str, str], Sample]]:
        options, about = info.get("options") or {}, info.get("data") or {}
        path = str(about.get("world") or about.get("path") or "")
        if not path:
            raise BadInput("the run does not say where its data lie, so its frames cannot be shown")
        if options.get("pictures") is False:
            raise BadInput("this run was asked without pictures")
        choice = DataChoice(
            path,
            split=str(options.get("split") or "validation"),
            set=str(options.get("set") or "both"),
            revision=options.get("revision"),
            public=bool(options.get("public")),
        )
        key = (choice, options.get("data"))
        with self._lock:
            if key in self._data:
                return self._data[key]
        reading = Reading(
            revision=choice.revision, public=choice.public, picture_cache=self._settings.data_dir / "urlcache"
        )
        data = datasets.load(choice.data, choice.split, choice.set, reading=reading)
        if data.digest != options.get("data"):
            raise BadInput(f"the data in {path!r} have changed since the run, so its frames are not shown")
        found = (data, {(sample.set, sample.session_id): sample for sample in data.samples})
        with self._lock:
            self._data[key] = found
            while len(self._data) > _DATA:
                self._data.popitem(last=False)
        return found
