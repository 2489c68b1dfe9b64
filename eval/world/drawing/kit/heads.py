"""Heads of dogs and cows in profile: skull, muzzle, eye, ears, horns. The body they sit on is in `quadrupeds`."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np

from eval.world.drawing.kit.canvas import Colour, mix
from eval.world.drawing.kit.relief import Sheet, blend, oval, ragged, ribbon, smooth

_DARK: Colour = (34, 26, 24)
_HORN: Colour = (222, 208, 178)
_PALE: Colour = (240, 232, 220)


@dataclass(frozen=True)
class Head:
    """Where a head is and how it is built, in px of the sheet: centre of the skull, its size, length of the muzzle,
    how far that points down (radians), and the ears: hanging, pricked, folded, long or cow."""

    x: float
    y: float
    size: float
    snout: float
    drop: float
    ears: str

    @property
    def cow(self) -> bool:
        return self.ears == "cow"

    @property
    def tip(self) -> tuple[float, float]:
        """The end of the muzzle."""
        x = self.x - self.size * 0.45 - self.snout * math.cos(self.drop)
        return x, self.y + self.size * 0.1 + self.snout * math.sin(self.drop)


def draw_head(
    s: Sheet,
    head: Head,
    own: random.Random,
    coat_map: np.ndarray,
    marks: tuple[Colour, Colour],
    tufts: np.random.Generator,
    shaggy: float,
) -> None:
    """Everything from the ear behind to the ear in front; `own` decides about horns, a blaze and the nose."""
    x, y, r, n = head.x, head.y, head.size, head.snout
    sunk = math.sin(head.drop)
    if head.cow:
        _horns(s, head, own)
        s.part(ribbon([(x + 30, y - 40), (x + 90, y - 46), (x + 140, y - 18)], [16, 34, 6]), coat_map, depth_px=22)
    elif head.ears == "pricked":
        ear = smooth([(x - 4, y - r * 0.6), (x + 40, y - r * 1.85), (x + 86, y - r * 0.35)], 10)
        s.part(ear, coat_map, depth_px=26)
    half = r * (0.52 if head.cow else 0.42)
    middle = (x - r * 0.45 - n * 0.35, y + r * 0.1 + n * 0.3 * sunk)
    skull = ribbon(
        [(x + r * 0.55, y - r * 0.05), (x - r * 0.1, y), middle, head.tip], [r * 0.62, r * 0.86, r * 0.62, half]
    )
    s.part(ragged(skull, tufts, shaggy * 0.5), coat_map, depth_px=60, shadow=0.3)
    if own.random() < 0.55:  # a blaze down the face
        spine = [(x - r * 0.1, y - r * 0.62), (x - r * 0.5 - n * 0.3, y - r * 0.1 + n * 0.2 * sunk)]
        blaze = ribbon([*spine, (head.tip[0] - 4, head.tip[1] - 20)], [14, 20, 26])
        s.part(blaze, _PALE, depth_px=40, strength=0.4, shadow=0.0)
    _muzzle(s, head, own, half)
    _eye(s, x - r * 0.34, y - r * 0.16, marks[1])
    if head.ears in ("hanging", "folded", "long"):
        _flap(s, head, coat_map, mix(marks[0], marks[1], 0.3))


def _muzzle(s: Sheet, head: Head, own: random.Random, half: float) -> None:
    """Nose and mouth."""
    (x, y), n = head.tip, head.snout
    if head.cow:
        pink = own.random() < 0.6
        nose = oval(x - half * 0.55, y + 10, half * 0.86, half * 0.8, 0.6)
        s.part(nose, (206, 158, 146) if pink else _DARK, depth_px=26, shine=0.4)
        s.part(oval(x - half * 0.8, y - 2, 13, 8, 0.6), _DARK, depth_px=6)
    else:
        s.part(oval(x - half * 0.55, y - 14, half * 0.5, half * 0.42, 0.2), _DARK, depth_px=26, shine=0.4)
    points = [(x - half * 0.6, y + half * 0.5), (x + n * 0.25, y + half * 0.62), (x + n * 0.55, y + half * 0.2)]
    s.line(smooth(points, closed=False), _DARK, 5, 0.8)


def _eye(s: Sheet, x: float, y: float, lid: Colour) -> None:
    s.part(oval(x, y, 19, 16), mix(lid, _DARK, 0.6), depth_px=8, shadow=0.5)
    s.part(oval(x - 1, y, 13, 13), (86, 54, 28), depth_px=8, shine=0.3)
    s.part(oval(x - 1, y, 7, 8), (12, 10, 10), depth_px=6)
    s.part(oval(x - 5, y - 5, 3.4, 3.4), (250, 250, 250), depth_px=2, strength=0.0, shadow=0.0)


def _flap(s: Sheet, head: Head, coat_map: np.ndarray, tone: Colour) -> None:
    """An ear that hangs over the cheek."""
    x, y, r = head.x, head.y, head.size
    long = {"hanging": 1.5, "folded": 0.9, "long": 2.1}[head.ears] * r
    root = [(x + r * 0.05, y - r * 0.62), (x + r * 0.62, y - r * 0.5), (x + r * 0.78, y + long * 0.5)]
    outline = smooth([*root, (x + r * 0.42, y - r * 0.5 + long), (x + r * 0.06, y + long * 0.42)])
    s.part(outline, blend(coat_map, tone, np.full(coat_map.shape[:2], 0.75, np.float32)), depth_px=34)


def _horns(s: Sheet, head: Head, own: random.Random) -> None:
    """Two horns, or none."""
    if own.random() < 0.25:
        return
    up = own.uniform(0.6, 1.4)
    for shift, tone in ((46, 0.75), (0, 1.0)):
        x, y = head.x - 2 + shift, head.y - head.size * 0.66
        horn = ribbon([(x, y + 14), (x - 40, y - 30 * up), (x - 44, y - 100 * up)], [17, 13, 3])
        s.part(horn, _HORN, depth_px=14, tone=tone)
