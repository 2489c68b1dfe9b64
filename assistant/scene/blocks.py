"""Lines of text that belong together on a picture: a panel of a sign, a title, an author, a label.

Lines belong together where one stands close below the other, they are about as high, and their letters have the same
colour: panels of one post are told apart by it.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.core.types import Evidence, Frame
from assistant.reading.signs.layout import Box, boxes

#: Lines belong together when the gap between them is at most so many heights of the lower of them, they share so much
#: of the narrower one's width, one is at most so many times as high as the other, and the colours of their letters
#: are no further apart in CIELAB's plane of hues.
_GAP, _ACROSS, _TALLER, _OTHER_INK = 0.8, 0.3, 1.9, 12.0


@dataclass(frozen=True)
class Block:
    """`box` is on the page made level (`reading.signs.layout`), `height_px` that of its typical line."""

    lines: tuple[Evidence, ...]
    box: Box
    height_px: float

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(line.id for line in self.lines)

    @property
    def confidence(self) -> float:
        """How surely its least sure line was read, 0..1."""
        return min(line.score for line in self.lines)


def blocks_of(lines: Sequence[Evidence], frame: Frame) -> list[Block]:
    """The blocks of text, from the top; every line with an outline is in one."""
    place = boxes(lines)
    placed = sorted((line for line in lines if line.id in place), key=lambda line: (place[line.id][1], line.id))
    inks = {line.id: _ink(line, frame) for line in placed}
    groups: list[list[Evidence]] = []
    for line in placed:
        joined = [g for g in groups if any(_together(other, line, place, inks) for other in g)]
        groups = [g for g in groups if g not in joined]
        groups.append([*(other for g in joined for other in g), line])
    order = {line.id: i for i, line in enumerate(lines)}
    blocks = [_block(sorted(g, key=lambda line: order[line.id]), place) for g in groups]
    return sorted(blocks, key=lambda block: block.box[1])


def _block(lines: Sequence[Evidence], place: Mapping[str, Box]) -> Block:
    own = [place[line.id] for line in lines]
    box = (min(b[0] for b in own), min(b[1] for b in own), max(b[2] for b in own), max(b[3] for b in own))
    return Block(tuple(lines), box, statistics.median(b[3] - b[1] for b in own))


def _together(above: Evidence, below: Evidence, place: Mapping[str, Box], inks: Mapping[str, np.ndarray]) -> bool:
    a, b = place[above.id], place[below.id]
    low, high = sorted((a[3] - a[1], b[3] - b[1]))
    across = min(a[2], b[2]) - max(a[0], b[0])
    beside = min(a[3], b[3]) - max(a[1], b[1]) > 0.5 * low  # on one row
    gap = max(a[0], b[0]) - min(a[2], b[2]) if beside else b[1] - a[3]
    near = gap <= _GAP * low and (beside or across >= _ACROSS * min(a[2] - a[0], b[2] - b[0]))
    return near and high <= _TALLER * low and float(np.linalg.norm(inks[above.id] - inks[below.id])) <= _OTHER_INK


def _ink(line: Evidence, frame: Frame) -> np.ndarray:
    """(2,) CIELAB a and b of the line's letters: of the fewer of its pixels, told apart by lightness (Otsu 1979)."""
    outline = np.asarray(line.outline_px, np.float32)
    left, top = np.floor(outline.min(axis=0)).clip(0).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 1
    cut = frame.pixels[top:bottom, left:right]
    if cut.size == 0:
        return np.zeros(2, np.float32)
    lab = cv2.cvtColor(np.ascontiguousarray(cut), cv2.COLOR_RGB2LAB)
    _, light = cv2.threshold(lab[..., 0], 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    letters = light == (1 if light.mean() < 0.5 else 0)
    return np.asarray(np.median(lab[letters][:, 1:], axis=0), np.float32) if letters.any() else np.zeros(2, np.float32)
