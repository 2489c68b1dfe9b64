"""Fountains in squares and parks: a basin, bowls on a stem, a figure on top, water. Stone comes from `masonry`."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit import masonry
from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.figures import draw_figure
from eval.world.drawing.kit.masonry import ornament
from eval.world.drawing.kit.relief import Sheet, cutout, oval, ribbon, smooth
from eval.world.model import Thing

W, H = 1160, 1200


def draw_fountain(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A fountain; the water falls a little differently in every drawing."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    word, stone, joint, trim, _ = masonry.material(thing.look["style"], thing.look["variant"])
    s = Sheet(W, H)
    courses = masonry.wall(W, H, stone, joint, own, second=trim)
    cx, foot = W / 2, H - 16.0
    bowls = style.randint(1, 3)
    marks = own.sample(["star", "shield", "sun", "leaf", "ring"], 3)
    bronze: Colour = own.choice([(96, 130, 112), (122, 92, 58), (70, 72, 76), (206, 168, 78)])
    rim = foot - style.uniform(150, 190)
    top = rim - 120 - bowls * style.uniform(120, 150)
    half = [style.uniform(170, 230) * (1 - 0.27 * i) for i in range(bowls)]
    levels = np.linspace(rim - 150, top + 40, bowls) if bowls > 1 else np.array([(rim + top) / 2 - 20])
    s.part(oval(cx, rim, 500, 84), mix(stone, (90, 90, 90), 0.25), depth_px=10)
    s.part(oval(cx, rim + 4, 462, 68), (92, 132, 146), depth_px=30, strength=0.4)
    s.part(ribbon([(cx, rim + 40), (cx, (rim + top) / 2), (cx, top)], [62, 36, 30]), courses, depth_px=34)
    for y in np.linspace(top + 40, rim - 30, own.randint(2, 4)):
        s.part(oval(cx, float(y), 56, 17), trim, depth_px=14)
    for i in range(bowls):
        y, wide = float(levels[i]), half[i]
        _falls(s, cx, y, wide, rim if i == 0 else float(levels[i - 1]), edition)
        bowl = [(cx - wide, y - 8), (cx - wide * 0.82, y + 46), (cx - wide * 0.3, y + 84), (cx - 30, y + 96)]
        outline = np.concatenate(
            [smooth(bowl, closed=False), smooth([(2 * cx - a, b) for a, b in bowl[::-1]], closed=False)]
        )
        s.part(outline, courses, depth_px=52)
        n = own.randint(5, 9)
        for k in range(n):
            u = (k + 0.5) / n * 2 - 1
            ornament(s, cx + wide * 0.8 * math.sin(u * 1.3), y + 34 + 8 * (1 - u * u), 15, marks[i % 3], trim)
        s.part(oval(cx, y - 8, wide + 8, 22), trim, depth_px=9)
        s.part(oval(cx, y - 9, wide - 12, 14), (120, 158, 170), depth_px=8, strength=0.4, shadow=0.1)
    draw_figure(s, own, cx, top, bronze, trim)
    _basin(s, own, courses, (cx, rim, foot), marks, trim)
    masonry.weathered(s, own)
    return cutout(s.pixels(edition), W / 520.0, stone, word)


def _falls(s: Sheet, cx: float, y: float, wide: float, to: float, edition: Edition) -> None:
    """Threads of water over the edge of a bowl."""
    r = edition.draws
    for i in range(15):
        u = (i + 0.5) / 15 * 2 - 1
        x = cx + wide * math.sin(u * 1.45) + r.uniform(-5, 5)
        out = 26 * u + r.uniform(-4, 4)
        s.part(
            ribbon([(x, y - 4), (x + out * 0.7, (y + to) / 2), (x + out, to + 16)], [3, 4.5, 6]),
            (206, 226, 232),
            depth_px=5,
            strength=0.5,
            shadow=0.05,
        )


def _basin(
    s: Sheet, own: random.Random, courses: np.ndarray, place: tuple[float, float, float], marks: list[str], trim: Colour
) -> None:
    """The near wall of the basin, with panels and reliefs, and its rim."""
    cx, rim, foot = place
    t = np.linspace(0, math.pi, 40)
    upper = np.stack([cx + 500 * np.cos(t), rim + 84 * np.sin(t)], axis=1)
    lower = np.stack([cx + 486 * np.cos(t[::-1]), foot - 84 + 84 * np.sin(t[::-1])], axis=1)
    s.part(np.concatenate([upper, lower]), courses, depth_px=30, strength=0.7, shadow=0.2)
    n = own.choice([7, 9, 11])
    for k in range(n):
        u = (k + 0.5) / n * 2 - 1
        x, dy = cx + 480 * math.sin(u * 1.4), 84 * math.cos(u * 1.4)
        y = (rim + foot - 84) / 2 + dy + 6
        thin = max(0.3, math.cos(u * 1.4))
        s.part(oval(x, y, 44 * thin, 40), mix(trim, (70, 66, 62), 0.18), depth_px=8)
        ornament(s, x, y, 24 * thin, marks[k % len(marks)], trim)
    line = np.stack([cx + 508 * np.cos(t), rim + 4 + 86 * np.sin(t)], axis=1)
    s.part(ribbon(line[::3], [13.0] * len(line[::3]), 3), trim, depth_px=11)
    base = np.stack([cx + 500 * np.cos(t), foot - 92 + 86 * np.sin(t)], axis=1)
    s.part(ribbon(base[::3], [11.0] * len(base[::3]), 3), mix(trim, (80, 76, 72), 0.3), depth_px=9)
