"""Roughly what kind of thing a picture shows: "a computer mouse", "a dog", "a container".

Two pretrained networks (`assistant.vision.pretrained`) name 1,000 kinds of ordinary things; alone they are often wrong
on what a camera sees, so that their probabilities are averaged and summed up to more general kinds, and the most
particular kind is given that is likely enough. How likely that must be was told on photographs (`python -m tests.bench
kinds`): a kind that is said is right in at least 85 of 100. It never tells which thing it is.

Where a model is there in whose space words lie beside pictures (`assistant.vision.open_clip_encoder`), it takes the
place of both networks: each of the 1,000 kinds is as likely as its words are near. How often that is right was not
measured.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from assistant.core.types import Frame
from assistant.vision.pretrained import CLASSES, WEIGHTS, WHOLE, Which, Window, pretrained

_TABLE = Path(__file__).with_name("imagenet_kinds.json")
#: The networks, and the sides at which each sees the picture, in times that at which it was trained.
_NETWORKS: tuple[Which, ...] = ("lite0", "lite2")
_SIDES = (1.0, 1.4)
#: How likely a kind must be before it is said: one of the 1,000, and one that holds several of them. Of 371 photographs
#: with labels by others 206 reach this, 145 rightly by their labels and 180 when the rest is looked at (87 %).
LEAST_PARTICULAR, LEAST_GENERAL = 0.6, 0.7
#: What a kind is put in before its words are compared with a picture, and what similarities are multiplied by before
#: they become probabilities (Radford et al. 2021, "Learning Transferable Visual Models From Natural Language
#: Supervision", 3.1.4 and the learned temperature).
_PROMPT, _SCALE = "a photo of a {}.", 100.0
#: How much of its surroundings a thing is seen with, as a share of its own width and height on each side.
_AROUND = 0.1


class Namer(Protocol):
    """A model of pictures and words."""

    def __hash__(self) -> int: ...

    def pictures(self, pictures: Sequence[np.ndarray]) -> np.ndarray:
        """(n, dim) unit vectors of (h, w, 3) uint8 RGB pictures."""
        ...

    def texts(self, words: Sequence[str]) -> np.ndarray:
        """(n, dim) unit vectors of words."""
        ...


@dataclass(frozen=True)
class Kind:
    """`name` as it is spoken of, without an article; `holds` so many of the 1,000 classes."""

    name: str
    probability: float
    holds: int


def kind_of(frame: Frame, thing: Window | None = None, namer: Namer | None = None) -> Kind | None:
    """The most particular kind that is likely enough to be said; None where none is.

    Args:
        frame: the whole picture.
        thing: where on it the thing stands, in shares of width and height; None for the middle of the picture.
        namer: tells it by words in place of the networks.

    Raises:
        NotReady: the network is missing.
    """
    return likely_enough(kinds_of(frame, thing, namer))


def likely_enough(kinds: Sequence[Kind]) -> Kind | None:
    said = [k for k in kinds if k.probability >= (LEAST_PARTICULAR if k.holds == 1 else LEAST_GENERAL)]
    return min(said, key=lambda k: (k.holds, -k.probability), default=None)


def kinds_of(frame: Frame, thing: Window | None = None, namer: Namer | None = None) -> list[Kind]:
    """Every kind with its probability, 0..1, likeliest first; a particular one counts for all that are above it."""
    probabilities = _probabilities(frame, thing) if namer is None else _by_words(frame, thing, namer)
    names, members = _table()
    sums = members @ probabilities
    holds = members.sum(axis=1)
    found = [Kind(name, round(float(p), 4), int(n)) for name, p, n in zip(names, sums, holds, strict=True)]
    return sorted(found, key=lambda kind: -kind.probability)


def _probabilities(frame: Frame, thing: Window | None) -> np.ndarray:
    """(1000,) the mean of what the networks say of the picture and of the thing on it, seen at several sizes."""
    parts = [frame, frame if thing is None else _cut(frame, thing)]
    each = []
    for which in _NETWORKS:
        network, side_px = pretrained(which), WEIGHTS[which].side_px
        for part in dict.fromkeys(parts):
            for side in _SIDES:
                seen = network.look(part, round(side * side_px))
                each.append(network.probabilities(seen.pooled([WHOLE, (0.2, 0.2, 0.8, 0.8)])))
    return np.asarray(np.concatenate(each).mean(axis=0))


def _by_words(frame: Frame, thing: Window | None, namer: Namer) -> np.ndarray:
    """(1000,) how near the words of each kind are to the picture and to the thing on it."""
    parts = [frame, frame if thing is None else _cut(frame, thing)]
    near = _SCALE * namer.pictures([part.pixels for part in dict.fromkeys(parts)]) @ _words(namer).T
    each = np.exp(near - near.max(axis=1, keepdims=True))
    return np.asarray((each / each.sum(axis=1, keepdims=True)).mean(axis=0))


@lru_cache(maxsize=2)
def _words(namer: Namer) -> np.ndarray:
    """(1000, dim) vectors of the words of the particular kinds."""
    rows: list[list[str]] = json.loads(_TABLE.read_text(encoding="utf-8"))["kinds"]
    return namer.texts([_PROMPT.format(row[0]) for row in rows])


def _cut(frame: Frame, thing: Window) -> Frame:
    left, top, right, bottom = thing
    x, y = _AROUND * (right - left), _AROUND * (bottom - top)
    box = (max(0.0, left - x), max(0.0, top - y), min(1.0, right + x), min(1.0, bottom + y))
    x0, x1 = int(box[0] * frame.width_px), max(int(box[2] * frame.width_px), int(box[0] * frame.width_px) + 1)
    y0, y1 = int(box[1] * frame.height_px), max(int(box[3] * frame.height_px), int(box[1] * frame.height_px) + 1)
    return Frame(np.ascontiguousarray(frame.pixels[y0:y1, x0:x1]))


@lru_cache(maxsize=1)
def _table() -> tuple[list[str], np.ndarray]:
    """Names of all kinds, and (kinds, 1000) float32: 1 where a class is of a kind."""
    rows: list[list[str]] = json.loads(_TABLE.read_text(encoding="utf-8"))["kinds"]
    assert len(rows) == CLASSES
    places: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        for name in row:
            places.setdefault(name, []).append(i)
    members = np.zeros((len(places), CLASSES), np.float32)
    for k, classes in enumerate(places.values()):
        members[k, classes] = 1.0
    return list(places), members
