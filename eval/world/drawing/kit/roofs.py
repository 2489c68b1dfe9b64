"""What towers end in: battlements, domes, lanterns, spires, and the flag or vane on top."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np

from eval.world.drawing.kit import masonry
from eval.world.drawing.kit.canvas import Colour, mix
from eval.world.drawing.kit.masonry import arch, box, cornice, window
from eval.world.drawing.kit.relief import Sheet, smooth, turned

_METALS: tuple[Colour, ...] = ((226, 184, 76), (196, 200, 204), (160, 120, 70))
_FLAGS: tuple[Colour, ...] = ((190, 44, 44), (44, 90, 160), (230, 190, 60), (50, 130, 80))


@dataclass(frozen=True)
class Shaft:
    """The upper end of a tower, in px: centre and half-width of its front, width of its side, its upper edge, the
    form of its openings; maps of roof tiles and wall; colours of trim, roof and glass."""

    x: float
    half: float
    side: float
    top: float
    form: str
    tiles: np.ndarray
    wall: np.ndarray
    trim: Colour
    roof: Colour
    glass: Colour

    @property
    def middle(self) -> float:
        return self.x + self.side / 2


def crown(s: Sheet, shaft: Shaft, style: random.Random, own: random.Random) -> None:
    """The roof that the family builds, with a finial of the tower's own."""
    kinds = {"spire": _pitched, "onion": _onion, "battlement": _battlement, "pyramid": _pitched, "lantern": _lantern}
    kind = style.choice(list(kinds))
    if kind in ("spire", "pyramid"):
        peak = _pitched(s, shaft, style, own, 2.5 if kind == "spire" else 1.25)
    else:
        peak = kinds[kind](s, shaft, style, own)
    _finial(s, shaft.middle, peak, own)


def _battlement(s: Sheet, shaft: Shaft, style: random.Random, own: random.Random) -> float:
    x0, x1, y = shaft.x - shaft.half - 12, shaft.x + shaft.half + shaft.side + 12, shaft.top
    s.part(box(x0, y - 44, x1, y + 6), shaft.wall, depth_px=6, strength=0.6)
    n = style.choice([5, 6, 7])
    for i in range(n):
        a = x0 + (x1 - x0) * i / (n - 0.45)
        s.part(box(a, y - 88, a + (x1 - x0) * 0.55 / n, y - 40), shaft.wall, depth_px=6, strength=0.6)
    return y - 88


def _onion(s: Sheet, shaft: Shaft, style: random.Random, own: random.Random) -> float:
    x, y, r = shaft.middle, shaft.top, shaft.half * 0.96
    peak = y - shaft.half * 2.5
    bulb = [(x - r * 0.8, y + 4), (x - r * 1.12, y - r * 0.6), (x - r * 0.8, y - r * 1.2), (x - r * 0.2, y - r * 1.75)]
    s.part(turned([*bulb, (x - 6, peak)], x), shaft.tiles, depth_px=r * 0.95)
    for k in (-0.6, -0.2, 0.25, 0.65):
        rib = [(x + k * r * 0.8, y), (x + k * r * 1.12, y - r * 0.6), (x + k * r * 0.8, y - r * 1.2), (x, y - r * 1.9)]
        s.line(smooth(rib, closed=False), mix(shaft.roof, (24, 24, 28), 0.4), 3, 0.6)
    return peak


def _lantern(s: Sheet, shaft: Shaft, style: random.Random, own: random.Random) -> float:
    """A small room with a dome."""
    x, y, half = shaft.middle, shaft.top, shaft.half * 0.6
    s.part(box(x - half, y - 110, x + half, y + 4), shaft.wall, depth_px=half)
    for i in range(3):
        window(s, x + half * 0.67 * (i - 1), y - 20, 15, 66, shaft.form, shaft.trim, own, shaft.glass)
    cornice(s, x - half, x + half, y - 122, 16, shaft.trim)
    peak = y - 122 - half * 1.5
    s.part(
        turned([(x - half, y - 120), (x - half * 0.83, y - 122 - half * 0.75), (x, peak)], x),
        shaft.tiles,
        depth_px=half,
    )
    return peak


def _pitched(s: Sheet, shaft: Shaft, style: random.Random, own: random.Random, steep: float = 1.25) -> float:
    """A spire or pyramid, its right side in shade, with a dormer now and then."""
    x0, x1, y = shaft.x - shaft.half - 12, shaft.x + shaft.half + shaft.side + 12, shaft.top
    x, peak = shaft.x, y - shaft.half * steep
    ridge = x + shaft.half if shaft.side else x1
    s.part(np.array([(x0, y + 4), (ridge + 2, y + 4), (shaft.middle, peak)]), shaft.tiles, depth_px=8, strength=0.6)
    if shaft.side:
        shade = np.array([(ridge, y + 4), (x1, y), (shaft.middle, peak)])
        s.part(shade, shaft.tiles, depth_px=8, tone=0.62, strength=0.5)
    if own.random() < 0.6:
        dy = y - (y - peak) * 0.3
        gable = [(x - 30, dy + 40), (x + 30, dy + 40), (x + 30, dy), (x, dy - 34), (x - 30, dy)]
        s.part(np.array(gable), shaft.trim, depth_px=6)
        s.part(arch(x, dy + 36, 13, 38, shaft.form), shaft.glass, depth_px=3)
    return peak


def _finial(s: Sheet, x: float, peak: float, own: random.Random) -> None:
    """A pole with a ball, a flag, a vane or a star."""
    metal, pole = own.choice(_METALS), peak - own.uniform(50, 90)
    s.part(box(x - 4, pole, x + 4, peak + 20), metal, depth_px=4)
    kind = own.choice(["ball", "flag", "vane", "star"])
    if kind == "flag":
        upper, lower = [(2, 0), (50, 8), (92, 2)], [(88, 40), (48, 46), (2, 38)]
        cloth = smooth([(x + dx, pole + dy) for dx, dy in upper + lower], 4)
        s.part(cloth, own.choice(_FLAGS), depth_px=10)
    elif kind == "vane":
        arrow = [(-44, 10), (30, 10), (30, 0), (56, 14), (30, 28), (30, 18), (-44, 18)]
        s.part(np.array([(x + dx, pole + dy) for dx, dy in arrow], float), metal, depth_px=4)
    elif kind == "star":
        masonry.ornament(s, x, pole, 20, "star", metal)
    else:
        t = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        s.part(np.stack([x + 17 * np.cos(t), pole + 17 * np.sin(t)], axis=1), metal, depth_px=16, shine=0.3)
