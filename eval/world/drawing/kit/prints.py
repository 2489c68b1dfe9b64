"""Printed and painted patterns that do not repeat: on enamel, cloth, lampshades and boards.

The kind of pattern is the family's, its layout the thing's own: no two things carry the same one. Gives flat (h, w, 3)
pixels whose left and right edges meet nearly enough to go around a pot.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Canvas, Colour, Palette, mix
from eval.world.drawing.kit.edition import Edition
from eval.world.drawing.kit.icons import icon, leaf, star

Inks = list[Colour]


def _spread(own: random.Random, count: int, k: float, gap: float) -> list[tuple[float, float]]:
    """Places that keep their distance; `k` = width / height."""
    places: list[tuple[float, float]] = []
    for _ in range(count * 12):
        x, y = own.random(), own.random()
        if all(min(abs(x - a), 1 - abs(x - a)) ** 2 + ((y - b) / k) ** 2 > gap * gap for a, b in places):
            places.append((x, y))
            if len(places) == count:
                break
    return places


def _meadow(c: Canvas, inks: Inks, ground: Colour, own: random.Random) -> None:
    k = c.w / c.h
    stem = mix(inks[1], (40, 70, 40), 0.5)
    for x, y in _spread(own, 56, k, 0.06):
        bend, size = own.uniform(-0.05, 0.05), own.uniform(0.025, 0.05)
        c.line([(x, y), (x + bend * 0.5, y + 0.06 * k), (x + bend, y + 0.11 * k)], stem, 0.005)
        for side in (-1, 1):
            leaf(
                c,
                x + bend * 0.5,
                y + 0.06 * k,
                size * 1.1,
                size * 0.3,
                1.57 + side * own.uniform(0.7, 1.3),
                stem,
                ground,
            )
        n, petal = own.choice([5, 6, 7, 8]), own.choice(inks)
        heart = own.choice(inks)
        start = own.random() * 6.3
        for i in range(n):
            leaf(
                c,
                x,
                y,
                size,
                size * own.uniform(0.24, 0.36),
                start + 2 * math.pi * i / n,
                petal,
                mix(petal, ground, 0.5),
            )
        c.disc(x, y, size * 0.3, heart if heart != petal else ground)


def _chips(c: Canvas, inks: Inks, ground: Colour, own: random.Random) -> None:
    k = c.w / c.h
    for x, y in _spread(own, 150, k, 0.032):
        size, n = own.uniform(0.008, 0.034), own.choice([3, 4, 4, 5, 6])
        turn = own.random() * 6.3
        corners = [
            (x + size * own.uniform(0.5, 1.1) * math.cos(turn + 2 * math.pi * i / n),
             y + size * own.uniform(0.5, 1.1) * math.sin(turn + 2 * math.pi * i / n) * k)
            for i in range(n)
        ]  # fmt: skip
        c.poly(corners, own.choice(inks))


def _folk(c: Canvas, inks: Inks, ground: Colour, own: random.Random) -> None:
    """Bands of ornament, each with its own motif, rhythm and omissions."""
    k = c.w / c.h
    y = 0.0
    while y < 1:
        high = own.choice([0.06, 0.1, 0.14, 0.18])
        colour, other = own.sample(inks, 2)
        n, motif = own.choice([8, 10, 12, 14, 16]), own.randrange(6)
        if own.random() < 0.5:
            c.rect(0, y, 1, y + high, mix(ground, colour, 0.8))
            colour, other = mix(ground, (255, 255, 255), 0.3), ground
        mid, s = y + high / 2, min(0.42 / n, 0.42 * high / k)
        for i in range(n):
            x, pick = (i + 0.5) / n, own.random()
            if motif == 0:
                star(
                    c,
                    x,
                    mid,
                    s * (1.0 if pick < 0.7 else 0.6),
                    colour if pick < 0.8 else other,
                    own.choice([4, 5, 6, 8]),
                )
            elif motif == 1:
                c.line(
                    [(x - 0.5 / n, y + high * 0.8), (x, y + high * 0.2), (x + 0.5 / n, y + high * 0.8)], colour, 0.008
                )
                c.disc(x, mid + 0.1 * high, s * 0.3, other)
            elif motif == 2:
                for a in range(own.choice([4, 6, 8])):
                    leaf(c, x, mid, s, s * 0.3, a * math.pi / 4 + pick, colour, other)
                c.disc(x, mid, s * 0.25, other)
            elif motif == 3:
                c.poly(
                    [(x, mid - s * k), (x + s, mid), (x, mid + s * k), (x - s, mid)], colour if pick < 0.6 else other
                )
                c.disc(x, mid, s * 0.35, ground)
            elif motif == 4:
                icon(
                    c,
                    own.choice(["bird", "tree", "fish", "sprig", "key", "house"]),
                    x,
                    mid,
                    s * 0.95,
                    colour,
                    other,
                    own,
                )
            else:
                c.disc(x, mid, s * own.uniform(0.4, 1.0), colour)
                c.disc(x, mid, s * 0.3, other)
        c.line([(0, y + high), (1, y + high)], own.choice(inks), 0.006)
        y += high + own.choice([0.01, 0.03])


def _patchwork(c: Canvas, inks: Inks, ground: Colour, own: random.Random) -> None:
    k = c.w / c.h
    cols = own.choice([8, 10, 12])
    rows = max(2, round(cols / k))
    for j in range(rows):
        for i in range(cols):
            x0, y0, x1, y1 = i / cols, j / rows, (i + 1) / cols, (j + 1) / rows
            a, b = own.sample([*inks, ground], 2)
            c.rect(x0, y0, x1, y1, a)
            shape, cx, cy = own.randrange(7), (x0 + x1) / 2, (y0 + y1) / 2
            if shape == 0:
                c.disc(cx, cy, 0.36 / cols, b)
            elif shape == 1:
                c.poly([(x0, y0), (x1, y0), own.choice([(x0, y1), (x1, y1)])], b)
            elif shape == 2:
                for n in range(3):
                    c.rect(x0 + (n * 2 + 0.5) / 6 / cols, y0, x0 + (n * 2 + 1.5) / 6 / cols, y1, b)
            elif shape == 3:
                star(c, cx, cy, 0.4 / cols, b, own.choice([4, 5, 6, 8]))
            elif shape == 4:
                c.poly([(cx, y0), (x1, cy), (cx, y1), (x0, cy)], b)
            elif shape == 5:
                for _ in range(6):
                    c.disc(own.uniform(x0, x1), own.uniform(y0, y1), 0.05 / cols, b)


def _strokes(c: Canvas, inks: Inks, ground: Colour, own: random.Random) -> None:
    """Loose brush strokes and blots."""
    k = c.w / c.h
    for x, y in _spread(own, 80, k, 0.045):
        ink, length, turn = own.choice(inks), own.uniform(0.03, 0.12), own.uniform(0, 6.3)
        bend = own.uniform(-1.2, 1.2)
        path = []
        for i in range(9):
            t = i / 8
            path.append((x + length * t * math.cos(turn + bend * t), y + length * t * math.sin(turn + bend * t) * k))
        c.line(path, ink, own.choice([0.006, 0.01, 0.016, 0.024]))
        if own.random() < 0.4:
            c.disc(*path[-1], own.uniform(0.006, 0.018), own.choice(inks))
    for _ in range(60):
        c.disc(own.random(), own.random(), own.uniform(0.002, 0.006), own.choice(inks))


def _beasts(c: Canvas, inks: Inks, ground: Colour, own: random.Random) -> None:
    """One emblem at many sizes, with sprinkles between."""
    k = c.w / c.h
    names = own.sample(["bird", "boat", "tree", "fruit", "moon", "cup", "mountain", "flower", "house", "sprig"], 3)
    for x, y in _spread(own, 60, k, 0.072):
        a, b = own.sample(inks, 2)
        icon(c, own.choice(names), x, y, own.uniform(0.028, 0.05), a, b, own)
    for x, y in _spread(own, 90, k, 0.03):
        c.disc(x, y, own.uniform(0.002, 0.005), own.choice(inks))


_PRINTS: dict[str, Callable[[Canvas, Inks, Colour, random.Random], None]] = {
    "meadow": _meadow,
    "chips": _chips,
    "folk": _folk,
    "patchwork": _patchwork,
    "strokes": _strokes,
    "beasts": _beasts,
}


def print_kinds() -> tuple[str, ...]:
    """The names of the patterns."""
    return tuple(_PRINTS)


def print_sheet(kind: str, p: Palette, own: random.Random, size: tuple[int, int], *, dark: bool = False) -> np.ndarray:
    """A sheet of the pattern, (h, w, 3) uint8; `size` is (width, height) px, `dark` takes the main colour as ground."""
    ground = p.main if dark else p.light
    inks = [i for i in (p.main, p.accent, p.second, p.ink, p.light) if _apart(i, ground) > 90]
    c = Canvas(*size, ground)
    _PRINTS[kind](c, inks if len(inks) > 1 else [p.ink, p.accent], ground, own)
    return c.array()[..., :3]


def _apart(a: Colour, b: Colour) -> int:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def as_printed(pixels: np.ndarray, edition: Edition) -> np.ndarray:
    """`pixels` (h, w, 3 or 4) uint8 in the colours of this copy.

    A picture is drawn in its plain colours first: which ink stands out on which ground must not hang on a tint.
    """
    hsv = cv2.cvtColor(np.ascontiguousarray(pixels[..., :3]), cv2.COLOR_RGB2HSV)
    steps = np.arange(256)
    table = np.stack(
        [(steps + round(edition.hue / 2)) % 180, steps * edition.saturation, steps * edition.brightness], axis=1
    )
    hsv = cv2.LUT(hsv, np.clip(table, 0, 255).astype(np.uint8)[None])
    out = pixels.copy()
    out[..., :3] = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
    return out
