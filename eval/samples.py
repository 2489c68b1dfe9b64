"""The unit of a benchmark: a `Sample` is one picture and the turns asked about it. Plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assistant.conversation import Frame
from eval.pictures import Picture

LABELS = ("domain", "query_category", "dynamism", "image_quality")
Label = str | int | None

#: Egocentric frames are scored at this size (width, height), whatever shape they have, as the benchmark's loader does.
EGO_SIZE_PX = (960, 1280)


@dataclass(frozen=True)
class SampleTurn:
    """One question of a sample; labels are names, bare numbers where the data name nothing, None where they lack it."""

    interaction_id: str
    turn_idx: int
    query: str
    ground_truth: str
    domain: Label = None
    query_category: Label = None
    dynamism: Label = None
    image_quality: Label = None


@dataclass(frozen=True)
class Sample:
    """One picture (or none) and the turns asked about it.

    `image_url` is as the row has it: egocentric rows have None or "", of which the public evaluator knows None only.
    """

    session_id: str
    turns: tuple[SampleTurn, ...]
    set: str
    split: str
    is_ego: bool
    image_url: str | None = None
    picture: Picture | None = None

    def frame(self) -> Frame | None:
        """The frame, decoded now; None when the sample has no picture.

        An egocentric frame comes at 960x1280, stretched when it has another shape: `Image.resize`, as the benchmark.

        Raises:
            BadImage: the bytes are not a picture.
        """
        if self.picture is None:
            return None
        from assistant.vision.frame import read_frame

        frame = read_frame(self.picture.read())
        if not self.is_ego or (frame.width_px, frame.height_px) == EGO_SIZE_PX:
            return frame
        import numpy as np
        from PIL import Image

        return Frame(np.asarray(Image.fromarray(frame.pixels).resize(EGO_SIZE_PX)).copy())


@dataclass(frozen=True)
class Unusable:
    """A row that cannot be used, and why; `row` counts from 0 (the lines of a JSONL file from 1) within `source`."""

    source: str
    row: int
    session_id: str | None
    why: str


@dataclass(frozen=True)
class Data:
    """What `load` found. `digest` changes when the data do; `world` is the world folder, for generated worlds only."""

    name: str
    digest: str
    samples: tuple[Sample, ...]
    unusable: tuple[Unusable, ...]
    world: Path | None = None
