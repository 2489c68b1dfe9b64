"""The unit of a benchmark: a `Sample` is one picture and the turns asked about it. Plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assistant.core.types import Frame
from eval.data.pictures import Picture
from eval.data.pieces import Pieces

if TYPE_CHECKING:
    from assistant.vision.degrade import Degradation

#: Whose rows data are: CRAG-MM's (and all that are scored as they are), VLM-DeflectionBench's, CRAG's, M2RAG's.
BenchmarkName = Literal["cragmm", "deflection", "crag", "m2rag"]
LABELS = ("domain", "query_category", "dynamism", "image_quality")
Label = str | int | None

#: Egocentric frames are scored at this size (width, height), whatever shape they have, as the benchmark's loader does.
EGO_SIZE_PX = (960, 1280)


def id_text(value: Any) -> str | None:
    """An id as text, or None for a value that is none.

    Numbers are ids, 0 like any other; a whole number that a column with gaps made a float comes out whole.
    """
    if value is None or isinstance(value, bool | bytes | list | dict) or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) or None


@dataclass(frozen=True)
class SampleTurn:
    """One question of a sample; labels are names, bare numbers where the data name nothing, None where they lack it.

    `more` are labels that only some benchmarks have, `truths` further answers that are right. `pieces` reads the
    evidence that the data bring along; None where they bring none.
    """

    interaction_id: str
    turn_idx: int
    query: str
    ground_truth: str
    domain: Label = None
    query_category: Label = None
    dynamism: Label = None
    image_quality: Label = None
    more: Mapping[str, Label] = field(default_factory=dict)
    truths: tuple[str, ...] = ()
    pieces: Pieces | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Sample:
    """One picture (or none) and the turns asked about it.

    `image_url` is as the row has it: egocentric rows have None or "", of which the public evaluator knows None only.
    `source` and `row` say where the sample stands in its data; `degradations` are applied to its frame, in order.
    """

    session_id: str
    turns: tuple[SampleTurn, ...]
    set: str
    split: str
    is_ego: bool
    image_url: str | None = None
    picture: Picture | None = None
    source: str = ""
    row: int = -1
    degradations: tuple[Degradation, ...] = ()

    def frame(self) -> Frame | None:
        """The frame, decoded now; None when the sample has no picture.

        An egocentric frame comes at 960x1280, stretched when it has another shape: `Image.resize`, as the benchmark.
        Degradations come last: they spoil the frame that an agent would have seen.

        Raises:
            BadImage: the bytes cannot be had or are not a picture.
        """
        if self.picture is None:
            return None
        from assistant.vision.frame import read_frame

        frame = read_frame(self.picture.read())
        if self.is_ego and (frame.width_px, frame.height_px) != EGO_SIZE_PX:
            import numpy as np
            from PIL import Image

            frame = Frame(np.asarray(Image.fromarray(frame.pixels).resize(EGO_SIZE_PX)).copy())
        for degradation in self.degradations:
            from assistant.vision.degrade import degrade

            frame = Frame(degrade(frame.pixels, degradation))
        return frame

    def unusable(self, why: str) -> Unusable:
        """This sample as a row that turned out not to be usable, at the place where it stands."""
        return Unusable(self.source or f"{self.set}/{self.split}", self.row, self.session_id, why)


@dataclass(frozen=True)
class Unusable:
    """A row that cannot be used, and why; `row` counts from 0 (the lines of a JSONL file from 1) within `source`."""

    source: str
    row: int
    session_id: str | None
    why: str


@dataclass(frozen=True)
class Data:
    """What `load` found. `digest` changes when the data do; `world` is the world folder, for generated worlds only.

    `adjusted` are sentences about what the public reading changed, `lacks` about evidence that was asked for and that
    the data have not; `origin` says where hub data came from; `found` is
    how many usable samples there were before anything was filtered. `benchmark` names whose rows they are.
    """

    name: str
    digest: str
    samples: tuple[Sample, ...]
    unusable: tuple[Unusable, ...]
    world: Path | None = None
    adjusted: tuple[str, ...] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)
    found: int = 0
    benchmark: BenchmarkName = "cragmm"
    lacks: tuple[str, ...] = ()


#: A turn that ended like this is never judged, and counts as missing in our own readings.
FAILED = ("refused", "timeout", "cancelled", "error")


def session_in_data(line: Mapping[str, Any]) -> str:
    """The session of a run's turn as its data have it, without a scenario's ending (`eval.benchmarks.scenarios`)."""
    session, labels = str(line["session_id"]), line.get("labels")
    asked_by_scenario = isinstance(labels, Mapping) and labels.get("scenario") is not None
    return session.rpartition("@")[0] if asked_by_scenario and "@" in session else session
