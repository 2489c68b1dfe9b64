"""Seeing one part of a frame, the box that a visitor drew: what is in it, in the pixels of the whole frame.

The part is cut out with a margin and enlarged when it is small, since recognition and text reading find more on a
close view; when the close view shows nothing known, what the whole frame shows inside the box counts.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from assistant.core.events import Event, Looked, StageFinished, StageStarted
from assistant.core.options import Box, Conditions
from assistant.core.types import Candidate, Frame, Look, Point, Polygon, Recognition
from assistant.recognition.look_stage import FrameAnalysis, LookStage

#: Added on each side, as a share of the box: a hand does not draw along an edge.
MARGIN = 0.08
#: A part shorter than this (longest side, px) is enlarged, at most so many times.
CLOSE_SIDE_PX, MOST_ENLARGED = 900, 3.0
#: A thing belongs to the box when so much of it lies inside, or when it fills so much of the box.
SHARE_INSIDE, SHARE_FILLED = 0.5, 0.6

Choose = Callable[[Sequence[Candidate], Frame], Recognition]


@dataclass(frozen=True)
class Cut:
    """A part of a frame as a frame of its own; `scale` is its pixels for one of the whole's."""

    frame: Frame
    left_px: int
    top_px: int
    scale: float

    def back(self, outline: Polygon) -> Polygon:
        """An outline on the part, in the whole frame's pixels."""
        return tuple(
            (round(x / self.scale + self.left_px, 1), round(y / self.scale + self.top_px, 1)) for x, y in outline
        )

    def onto(self, outline: Polygon) -> Polygon:
        """An outline on the whole frame, in the part's pixels."""
        return tuple(((x - self.left_px) * self.scale, (y - self.top_px) * self.scale) for x, y in outline)


def cut(frame: Frame, box: Box) -> Cut:
    """The part of `frame` around `box`, enlarged when it is small."""
    import cv2

    pad_x, pad_y = MARGIN * (box[2] - box[0]), MARGIN * (box[3] - box[1])
    left, top = max(0, int(box[0] - pad_x)), max(0, int(box[1] - pad_y))
    right, bottom = min(frame.width_px, int(box[2] + pad_x) + 1), min(frame.height_px, int(box[3] + pad_y) + 1)
    pixels = frame.pixels[top:bottom, left:right]
    scale = min(MOST_ENLARGED, max(1.0, CLOSE_SIDE_PX / max(pixels.shape[:2])))
    if scale > 1.0:
        size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
        return Cut(Frame(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC)), left, top, scale)
    return Cut(Frame(pixels.copy()), left, top, 1.0)


def see_part(
    sight: LookStage, frame: Frame, box: Box, choose: Choose, conditions: Conditions
) -> Generator[Event, None, tuple[Look, Recognition]]:
    """Look and recognise inside `box`; what is returned and emitted is in the pixels of `frame`.

    `choose` tells which of the candidates, given with the part that they were seen on, the question is about.
    """
    part = cut(frame, box)
    settings = {"correct": conditions.correct, "read_text": conditions.read_text, "guess": conditions.guess}
    stages = sight.see(part.frame, **settings, part_of=frame.digest)
    recognised = StageFinished("recognise", 0.0)
    while True:
        try:
            event = next(stages)
        except StopIteration as end:
            close: FrameAnalysis = end.value
            break
        if isinstance(event, StageFinished) and event.stage == "recognise":
            recognised = event  # told below, when it is known whether the whole frame had to be looked at, too
        else:
            yield Looked(_look_back(event.look, part, box)) if isinstance(event, Looked) else event
    look = _look_back(close.look, part, box)
    found = inside([replace(c, outline_px=part.back(c.outline_px)) for c in close.candidates], box)
    if found:
        yield replace(recognised, note=f"{len(found)} recognised in the marked part")
    else:
        yield StageStarted("recognise")
        whole, ms = _see_whole(sight, frame, conditions)
        found = inside(whole.candidates, box)
        note = f"{len(found)} recognised in the marked part, on the whole picture"
        yield StageFinished("recognise", recognised.ms + ms, note)
    on_part = [replace(c, outline_px=part.onto(c.outline_px)) for c in found]
    chosen = choose(on_part, part.frame)
    by_name = {c.name: c for c in found}
    entity = by_name[chosen.entity.name] if chosen.entity is not None else None
    reason = chosen.reason if found else "nothing in the marked part is among the things I can recognise"
    return look, Recognition(tuple(found), entity, reason)


def _see_whole(sight: LookStage, frame: Frame, conditions: Conditions) -> tuple[FrameAnalysis, float]:
    """What the whole frame shows, and how long looking at it took in ms."""
    ms = 0.0
    stages = sight.see(frame, correct=conditions.correct, read_text=conditions.read_text, guess=conditions.guess)
    while True:
        try:
            event = next(stages)
        except StopIteration as end:
            return end.value, ms
        if isinstance(event, StageFinished):
            ms = max(ms, event.ms)


def inside(candidates: Sequence[Candidate], box: Box) -> list[Candidate]:
    """The candidates that lie mostly inside the box, or fill it."""
    import cv2
    import numpy as np

    border = np.array([[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]], np.float32)
    kept = []
    for candidate in candidates:
        outline = cv2.convexHull(np.asarray(candidate.outline_px, np.float32))
        common = float(cv2.intersectConvexConvex(outline, border)[0])
        own, whole = float(cv2.contourArea(outline)), float(cv2.contourArea(border))
        if own > 0 and (common >= SHARE_INSIDE * own or common >= SHARE_FILLED * whole):
            kept.append(candidate)
    return kept


def _look_back(look: Look, part: Cut, box: Box) -> Look:
    """What was read, in the whole frame's pixels, without what only the margin shows."""
    texts = tuple(replace(line, outline_px=part.back(line.outline_px)) for line in look.texts)
    codes = tuple(replace(code, outline_px=part.back(code.outline_px)) for code in look.codes)
    return replace(
        look,
        texts=tuple(line for line in texts if _holds(box, line.outline_px)),
        codes=tuple(code for code in codes if _holds(box, code.outline_px)),
    )


def _holds(box: Box, outline: Polygon) -> bool:
    x, y = _middle(outline)
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _middle(outline: Polygon) -> Point:
    n = max(len(outline), 1)
    return sum(x for x, _ in outline) / n, sum(y for _, y in outline) / n
