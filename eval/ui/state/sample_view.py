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
from eval.annotate.sources import FrameSource, picture_ref
from eval.annotate.values import PictureRef
from eval.runs.reading import read_trace, whole_line
from eval.runs.shapes import sound_trace
from eval.ui.state.turn_index import TurnIndex

FRAME_SIDE_PX = 900
#: Frames of so many turns are kept ready, as small pictures.
_FRAMES = 48


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


class FramePictures:
    """Frames as a page shows them, from the data they refer to; the last ones are kept. Safe between threads.

    Args:
        data_dir: where fetched pictures are kept.
        side_px: the longer side of the pictures.
    """

    def __init__(self, data_dir: Path, side_px: int):
        self.source, self._side_px = FrameSource(data_dir), side_px
        self._lock = threading.Lock()
        self._kept: OrderedDict[PictureRef, FramePicture] = OrderedDict()

    def of(self, ref: PictureRef) -> FramePicture:
        """The picture, or why there is none; never raises for data that are gone."""
        with self._lock:
            if ref in self._kept:
                self._kept.move_to_end(ref)
                return self._kept[ref]
        try:
            frame = self.source.frame(ref)
        except VitrineError as problem:
            return FramePicture(problem=str(problem))
        except OSError as problem:
            return FramePicture(problem=f"the data cannot be read ({problem.strerror or problem})")
        picture = FramePicture(data_uri(frame, self._side_px), frame.width_px, frame.height_px)
        with self._lock:
            self._kept[ref] = picture
            while len(self._kept) > _FRAMES:
                self._kept.popitem(last=False)
        return picture


class Frames:
    """The frames of runs, from their data."""

    def __init__(self, settings: Settings):
        self._pictures = FramePictures(settings.data_dir, FRAME_SIDE_PX)

    def of(self, info: Mapping[str, Any], line: Mapping[str, Any]) -> FramePicture:
        """The frame that a turn was asked about; never raises for data that are gone."""
        ref = picture_ref(info, line)
        if ref is not None:
            return self._pictures.of(ref)
        if (info.get("options") or {}).get("pictures") is False:
            return FramePicture(problem="this run was asked without pictures")
        return FramePicture(problem="the run does not say where its data lie, so its frames cannot be shown")
