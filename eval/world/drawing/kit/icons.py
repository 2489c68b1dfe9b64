"""Small emblems drawn from primitives: fruit, fish, boats, birds and the like, for covers, labels and signs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from eval.world.drawing.kit.canvas import Canvas, Colour, mix

Draw = Callable[[Canvas, float, float, float, Colour, Colour, random.Random], None]


def _ring(x: float, y: float, rx: float, ry: float, a0: float, a1: float, n: int = 24) -> list[tuple[float, float]]:
    return [
        (x + rx * math.cos(a0 + (a1 - a0) * i / n), y + ry * math.sin(a0 + (a1 - a0) * i / n)) for i in range(n + 1)
    ]


def _leaf_points(
    x: float, y: float, length: float, width: float, angle: float, ratio: float
) -> list[tuple[float, float]]:
    """A pointed leaf from (x, y) in direction `angle`; `ratio` = canvas width / height."""
    points = []
    for side in (1, -1):
        steps = range(11) if side == 1 else range(10, -1, -1)
        for i in steps:
            t = i / 10
            along, across = t * length, side * width * math.sin(math.pi * t) * (1 - 0.35 * t)
            dx = along * math.cos(angle) - across * math.sin(angle)
            dy = along * math.sin(angle) + across * math.cos(angle)
            points.append((x + dx, y + dy * ratio))
    return points


def leaf(c: Canvas, x: float, y: float, length: float, width: float, angle: float, fill: Colour, vein: Colour) -> None:
    """One leaf with its vein; sizes are fractions of the width."""
    k = c.w / c.h
    c.poly(_leaf_points(x, y, length, width, angle, k), fill)
    c.line([(x, y), (x + length * 0.92 * math.cos(angle), y + length * 0.92 * math.sin(angle) * k)], vein, 0.004)


def _fruit(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    for dx, dy, m in ((-0.38, 0.12, 0.42), (0.34, 0.2, 0.46), (0.0, -0.18, 0.44)):
        c.disc(x + dx * s, y + dy * s * k, m * s, mix(a, (0, 0, 0), 0.12))
        c.disc(x + dx * s - 0.03 * s, y + (dy - 0.04) * s * k, m * s * 0.92, a)
        c.disc(x + (dx - 0.14) * s, y + (dy - 0.16) * s * k, m * s * 0.24, mix(a, (255, 255, 255), 0.5))
    leaf(c, x, y - 0.52 * s * k, 0.7 * s, 0.17 * s, -0.5, b, mix(b, (0, 0, 0), 0.4))
    leaf(c, x, y - 0.52 * s * k, 0.6 * s, 0.15 * s, -2.6, mix(b, (0, 0, 0), 0.15), mix(b, (0, 0, 0), 0.5))


def _fish(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    for row in (-0.45, 0.0, 0.45):
        cy = y + row * s * k
        flip = -1 if row == 0 else 1
        body = _ring(x, cy, 0.85 * s, 0.2 * s * k, 0, 2 * math.pi)
        c.poly(body, a)
        tail = x - 0.78 * s * flip
        c.poly([(tail, cy), (tail - 0.32 * s * flip, cy - 0.2 * s * k), (tail - 0.32 * s * flip, cy + 0.2 * s * k)], a)
        c.disc(x + 0.6 * s * flip, cy - 0.04 * s * k, 0.045 * s, b)
        for i in range(5):
            sx = x + (0.35 - 0.2 * i) * s * flip
            c.line(_ring(sx, cy, 0.06 * s, 0.12 * s * k, -1.3, 1.3, 8), b, 0.008 * s / 0.3)


def _grain(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    for lean in (-0.35, 0.0, 0.35):
        c.line([(x, y + 0.9 * s * k), (x + lean * s, y - 0.7 * s * k)], b, 0.02 * s / 0.3)
        for i in range(6):
            t = 0.45 + 0.1 * i
            px, py = x + lean * s * t, y + (0.9 - 1.6 * t) * s * k
            for side in (-1, 1):
                leaf(c, px, py, 0.26 * s, 0.07 * s, -math.pi / 2 + side * 0.6 + lean * 0.4, a, b)


def _cup(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    c.poly(
        [
            (x - 0.6 * s, y - 0.2 * s * k),
            (x + 0.6 * s, y - 0.2 * s * k),
            (x + 0.4 * s, y + 0.6 * s * k),
            (x - 0.4 * s, y + 0.6 * s * k),
        ],
        a,
    )
    c.disc(x + 0.62 * s, y + 0.12 * s * k, 0.22 * s, None, outline=a, width=0.08 * s)
    c.poly(_ring(x, y + 0.72 * s * k, 0.85 * s, 0.1 * s * k, 0, 6.284), mix(a, b, 0.4))
    for dx in (-0.25, 0.05, 0.35):
        wave = [(x + dx * s + 0.07 * s * math.sin(i * 0.9), y - (0.3 + 0.09 * i) * s * k) for i in range(8)]
        c.line(wave, b, 0.05 * s)


def _boat(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    c.poly(
        [
            (x - 0.8 * s, y + 0.3 * s * k),
            (x + 0.8 * s, y + 0.3 * s * k),
            (x + 0.5 * s, y + 0.65 * s * k),
            (x - 0.55 * s, y + 0.65 * s * k),
        ],
        a,
    )
    c.poly([(x - 0.05 * s, y + 0.22 * s * k), (x - 0.05 * s, y - 0.85 * s * k), (x - 0.7 * s, y + 0.22 * s * k)], b)
    c.poly(
        [(x + 0.05 * s, y + 0.22 * s * k), (x + 0.05 * s, y - 0.6 * s * k), (x + 0.6 * s, y + 0.22 * s * k)],
        mix(b, a, 0.35),
    )


def _tree(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    c.rect(x - 0.07 * s, y, x + 0.07 * s, y + 0.85 * s * k, b)
    for dx, dy, m in ((0, -0.45, 0.48), (-0.4, -0.1, 0.36), (0.4, -0.12, 0.38), (0, 0.02, 0.4)):
        c.disc(x + dx * s, y + dy * s * k, m * s, mix(a, (0, 0, 0), 0.08 * (dy > -0.2)))
    for _ in range(9):
        c.disc(x + r.uniform(-0.55, 0.55) * s, y + r.uniform(-0.6, 0.1) * s * k, 0.06 * s, b)


def _bird(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    c.poly(_ring(x, y, 0.6 * s, 0.34 * s * k, 0, 6.284), a)
    c.disc(x + 0.5 * s, y - 0.32 * s * k, 0.25 * s, a)
    c.poly([(x + 0.7 * s, y - 0.36 * s * k), (x + 1.0 * s, y - 0.28 * s * k), (x + 0.7 * s, y - 0.2 * s * k)], b)
    c.poly([(x - 0.45 * s, y - 0.1 * s * k), (x - 1.05 * s, y + 0.25 * s * k), (x - 0.4 * s, y + 0.22 * s * k)], a)
    c.poly(_leaf_points(x + 0.25 * s, y - 0.05 * s * k, 0.75 * s, 0.2 * s, 2.7, k), b)
    c.disc(x + 0.56 * s, y - 0.36 * s * k, 0.045 * s, b)
    for dx in (-0.1, 0.12):
        c.line([(x + dx * s, y + 0.3 * s * k), (x + dx * s, y + 0.7 * s * k)], b, 0.03 * s)


def _moon(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    outer = _ring(x, y, 0.75 * s, 0.75 * s * k, 0.9, 5.4, 40)
    inner = _ring(x + 0.32 * s, y, 0.6 * s, 0.62 * s * k, 5.3, 1.0, 40)
    c.poly(outer + inner, a)
    for i in range(7):
        star(c, x + 0.25 * s + r.uniform(-0.3, 0.6) * s, y + (i - 3) * 0.19 * s * k, 0.08 * s, b)


def star(c: Canvas, x: float, y: float, s: float, fill: Colour, points: int = 5) -> None:
    k = c.w / c.h
    ring = []
    for i in range(points * 2):
        m = s if i % 2 == 0 else s * 0.42
        a = math.pi * i / points - math.pi / 2
        ring.append((x + m * math.cos(a), y + m * math.sin(a) * k))
    c.poly(ring, fill)


def _mountain(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    for dx, top, w in ((-0.45, -0.35, 0.65), (0.3, -0.75, 0.8)):
        c.poly(
            [(x + (dx - w) * s, y + 0.6 * s * k), (x + dx * s, y + top * s * k), (x + (dx + w) * s, y + 0.6 * s * k)],
            mix(a, (0, 0, 0), 0.1 * (dx < 0)),
        )
        c.poly(
            [
                (x + (dx - 0.2 * w) * s, y + (top + 0.28) * s * k),
                (x + dx * s, y + top * s * k),
                (x + (dx + 0.2 * w) * s, y + (top + 0.28) * s * k),
                (x + dx * s, y + (top + 0.18) * s * k),
            ],
            b,
        )


def _key(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    c.disc(x, y - 0.5 * s * k, 0.36 * s, None, outline=a, width=0.13 * s)
    c.rect(x - 0.065 * s, y - 0.2 * s * k, x + 0.065 * s, y + 0.95 * s * k, a)
    for i, n in enumerate(r.sample([0.2, 0.3, 0.4, 0.26], 3)):
        c.rect(x, y + (0.45 + 0.18 * i) * s * k, x + n * s, y + (0.55 + 0.18 * i) * s * k, a)
    star(c, x, y - 0.5 * s * k, 0.14 * s, b)


def _flower(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k, n = c.w / c.h, r.choice([6, 8, 10])
    for i in range(n):
        leaf(
            c,
            x,
            y,
            0.85 * s,
            0.24 * s,
            2 * math.pi * i / n,
            mix(a, (255, 255, 255), 0.12 * (i % 2)),
            mix(a, (0, 0, 0), 0.3),
        )
    c.disc(x, y, 0.24 * s, b)
    for i in range(8):
        c.disc(
            x + 0.14 * s * math.cos(i * 0.785),
            y + 0.14 * s * k * math.sin(i * 0.785),
            0.03 * s,
            mix(b, (0, 0, 0), 0.45),
        )


def _house(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    for i, dx in enumerate((-0.62, 0.0, 0.62)):
        h = r.uniform(0.1, 0.7)
        c.rect(x + (dx - 0.29) * s, y - h * s * k, x + (dx + 0.29) * s, y + 0.75 * s * k, mix(a, (0, 0, 0), 0.12 * i))
        c.poly(
            [
                (x + (dx - 0.34) * s, y - h * s * k),
                (x + dx * s, y - (h + 0.38) * s * k),
                (x + (dx + 0.34) * s, y - h * s * k),
            ],
            b,
        )
        for wy in (0.0, 0.3):
            for wx in (-0.12, 0.12):
                c.rect(
                    x + (dx + wx - 0.06) * s,
                    y + (wy - 0.05) * s * k,
                    x + (dx + wx + 0.06) * s,
                    y + (wy + 0.12) * s * k,
                    b,
                )


def _sprig(c: Canvas, x: float, y: float, s: float, a: Colour, b: Colour, r: random.Random) -> None:
    k = c.w / c.h
    c.line([(x, y + 0.95 * s * k), (x, y - 0.8 * s * k)], b, 0.03 * s)
    for i in range(6):
        py = y + (0.7 - 0.26 * i) * s * k
        for side in (-1, 1):
            leaf(
                c,
                x,
                py,
                (0.6 - 0.06 * i) * s,
                0.13 * s,
                -math.pi / 2 + side * 0.95,
                a if side > 0 else mix(a, b, 0.25),
                b,
            )


ICONS: dict[str, Draw] = {
    "fruit": _fruit,
    "fish": _fish,
    "grain": _grain,
    "cup": _cup,
    "boat": _boat,
    "tree": _tree,
    "bird": _bird,
    "moon": _moon,
    "mountain": _mountain,
    "key": _key,
    "flower": _flower,
    "house": _house,
    "sprig": _sprig,
}


def icon(c: Canvas, name: str, x: float, y: float, size: float, a: Colour, b: Colour, r: random.Random) -> None:
    """Draw an emblem around (x, y); `size` is about half its extent, as a fraction of the width."""
    ICONS[name](c, x, y, size, a, b, r)
