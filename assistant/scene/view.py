"""What one frame itself shows, worked out when it is first asked for: its thing, colours, kind and blocks of text."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import cv2
import numpy as np

from assistant.core.errors import NotReady
from assistant.core.types import Candidate, Evidence, Frame, Look
from assistant.scene.blocks import Block, blocks_of
from assistant.vision.colour_names import colours_of
from assistant.vision.kinds import Kind, kind_of
from assistant.vision.kinds import Namer as Namer  # whoever makes a View names it
from assistant.vision.pretrained import Window
from assistant.vision.salience import salience

#: What stands out is a thing when it takes such a share of the picture, is so surely told from the rest, and fills so
#: much of the box around it: letters on a page and parts of a street do not.
_LEAST, _MOST, _SURE, _SOLID = 0.02, 0.9, 0.75, 0.35
#: Luma (0..1): darker and brighter pictures show little; sharpness below this is blur (see `core.types.Quality`).
DARK, BRIGHT, BLURRED = 0.2, 0.72, 30.0


log = logging.getLogger(__name__)
T = TypeVar("T")

#: What was worked out for a frame, as long as the frame itself is kept: the next question over it wants the same.
_KNOWN: weakref.WeakKeyDictionary[Frame, dict[Hashable, Any]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class Thing:
    """What stands out: (height, width) bool of the frame, and the box around it in shares of width and height."""

    mask: np.ndarray
    box: Window


def _once(frame: Frame, key: Hashable, work: Callable[[], T]) -> T:
    """What `work` gave for this frame and key before, else what it gives now."""
    known = _KNOWN.setdefault(frame, {})
    if key not in known:
        known[key] = work()
    value: T = known[key]
    return value


class View:
    """One frame under one question.

    Args:
        frame: as handed in.
        look: what was measured and read on it.
        lines: the pieces of evidence of kind "text", in reading order.
        entity: what the question is about, where it was recognised.
        recognised: all that was, surest first.
        region: the part that was marked, in pixels (left, top, right, bottom); nothing else counts then.
        namer: tells kinds by words, where there is such a model.
    """

    def __init__(
        self,
        frame: Frame,
        look: Look,
        lines: Sequence[Evidence],
        entity: Candidate | None = None,
        recognised: Sequence[Candidate] = (),
        region: tuple[float, float, float, float] | None = None,
        namer: Namer | None = None,
    ) -> None:
        self.frame, self.look, self.lines = frame, look, tuple(lines)
        self.entity, self.recognised, self._namer = entity, tuple(recognised), namer
        self._key = region, entity.outline_px if entity is not None else None
        left, top, right, bottom = region or (0, 0, frame.width_px, frame.height_px)
        self._part = slice(int(top), max(int(bottom), int(top) + 1)), slice(int(left), max(int(right), int(left) + 1))

    @cached_property
    def thing(self) -> Thing | None:
        """The recognised thing the question is about, else what stands out; None where nothing surely does."""
        return _once(self.frame, ("thing", self._key), self._find_thing)

    def _find_thing(self) -> Thing | None:
        mask = np.zeros(self.frame.pixels.shape[:2], np.uint8)
        if self.entity is not None:
            cv2.fillPoly(mask, [np.round(np.asarray(self.entity.outline_px)).astype(np.int32)], 1)
            return _thing(mask > 0)
        part = self.frame.pixels[self._part]
        seen = salience(part)
        there = seen > 0.5
        if not there.any() or float(seen[there].mean()) < _SURE:
            return None
        mask[self._part] = cv2.resize(seen, (part.shape[1], part.shape[0])) > 0.5
        return _thing(mask > 0)

    @cached_property
    def colours(self) -> list[tuple[str, float]]:
        """Of the thing where there is one, else of the whole frame."""
        mask = np.zeros(self.frame.pixels.shape[:2], bool)
        mask[self._part] = True
        return colours_of(self.frame, self.thing.mask if self.thing is not None else mask)

    @cached_property
    def kind(self) -> Kind | None:
        return _once(self.frame, ("kind", self._key), self._tell_kind)

    def _tell_kind(self) -> Kind | None:
        try:
            return self._likely_kind()
        except NotReady as problem:  # the doctor says what to do; the rest of the picture is told nevertheless
            log.warning("no kinds are told: %s", problem)
            return None

    def _likely_kind(self) -> Kind | None:
        rows, columns = self._part
        part = Frame(np.ascontiguousarray(self.frame.pixels[self._part]))
        if self.thing is None:
            return kind_of(part, namer=self._namer)
        left, top, right, bottom = self.thing.box
        across, down = self.frame.width_px / part.width_px, self.frame.height_px / part.height_px
        x, y = columns.start / part.width_px, rows.start / part.height_px
        box = (left * across - x, top * down - y, right * across - x, bottom * down - y)
        return kind_of(part, box, namer=self._namer)

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks_of(self.lines, self.frame)

    @cached_property
    def own_blocks(self) -> list[Block]:
        """Blocks of the lines that stand on none of the recognised things but the one that is asked about."""
        others = [c for c in self.recognised if self.entity is None or c.name != self.entity.name]
        lines = [line for line in self.lines if not any(_stands_on(line, other) for other in others)]
        return blocks_of(lines, self.frame) if len(lines) < len(self.lines) else self.blocks

    @property
    def light(self) -> str:
        """What is wrong with the picture: "dark", "bright" or "blurred"; "" for nothing."""
        quality = self.look.quality
        if quality.brightness < DARK:
            return "dark"
        if quality.brightness > BRIGHT:
            return "bright"
        return "blurred" if quality.sharpness < BLURRED else ""


def _stands_on(line: Evidence, candidate: Candidate) -> bool:
    """Whether the line's middle lies inside the candidate's outline."""
    if not line.outline_px:
        return False
    x, y = np.mean(np.asarray(line.outline_px, float), axis=0)
    outline = np.asarray(candidate.outline_px, np.float32)
    return len(outline) > 2 and cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0


def _thing(mask: np.ndarray) -> Thing | None:
    share = float(mask.mean())
    if not _LEAST <= share <= _MOST:
        return None
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    height, width = mask.shape
    box = columns[0] / width, rows[0] / height, (columns[-1] + 1) / width, (rows[-1] + 1) / height
    return Thing(mask, box) if share >= _SOLID * (box[2] - box[0]) * (box[3] - box[1]) else None
