"""What outdoor things stand on: grass, soil, paving, gravel. Same shape as the indoor surfaces of `textures`."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

SIDE = 1024


def _tiling(g: np.random.Generator, cells: int) -> np.ndarray:
    """Noise (SIDE, SIDE) that tiles, mean 0, spread about 1."""
    grid = np.pad(g.normal(0, 1, (cells, cells)).astype(np.float32), 2, mode="wrap")
    step = SIDE / cells
    big = cv2.resize(grid, (round(step * (cells + 4)), round(step * (cells + 4))), interpolation=cv2.INTER_CUBIC)
    return big[round(2 * step) : round(2 * step) + SIDE, round(2 * step) : round(2 * step) + SIDE]


def _strokes(
    g: np.random.Generator, out: np.ndarray, count: int, reach: tuple[int, int], tones: np.ndarray, spread: float
) -> None:
    """Short lines, most of them upright, wrapped around the edges."""
    x, y = g.integers(0, SIDE, count), g.integers(0, SIDE, count)
    length, lean = g.uniform(*reach, count), g.normal(0, spread, count)
    tone = tones[g.integers(0, len(tones), count)] * g.uniform(0.75, 1.2, (count, 1))
    for i in range(count):
        end = (int(x[i] + length[i] * np.sin(lean[i])), int(y[i] - length[i] * np.cos(lean[i])))
        colour = tuple(float(v) for v in tone[i])
        cv2.line(out, (int(x[i]), int(y[i])), end, colour, int(1 + i % 2), cv2.LINE_AA)
        if end[1] < 0:
            cv2.line(out, (int(x[i]), int(y[i]) + SIDE), (end[0], end[1] + SIDE), colour, 1, cv2.LINE_AA)


def grass(g: np.random.Generator, light: bool) -> np.ndarray:
    """Meadow or lawn, 160 cm."""
    base = np.array((104, 134, 58) if light else (74, 108, 50), np.float32)
    out = base * (1 + 0.12 * _tiling(g, 6) + 0.08 * _tiling(g, 40))[..., None]
    tones = np.array([(120, 152, 62), (86, 122, 48), (148, 168, 84), (62, 96, 42)], np.float32)
    _strokes(g, out, 9000, (8, 26), tones if light else tones * 0.82, 0.45)
    for _ in range(60 if light else 12):
        at = (int(g.integers(8, SIDE - 8)), int(g.integers(8, SIDE - 8)))
        cv2.circle(
            out, at, int(g.integers(2, 5)), [(244, 240, 226), (236, 206, 80)][int(g.integers(2))], -1, cv2.LINE_AA
        )
    return out


def soil(g: np.random.Generator, light: bool) -> np.ndarray:
    """Garden earth with bark and pebbles, 90 cm."""
    base = np.array((112, 84, 60) if light else (78, 56, 42), np.float32)
    out = base * (1 + 0.14 * _tiling(g, 24) + 0.12 * _tiling(g, 120))[..., None]
    tones = np.array([(132, 98, 66), (70, 48, 34), (150, 124, 96), (54, 40, 30)], np.float32)
    _strokes(g, out, 2600, (4, 20), tones, 1.6)
    return out


def paving(g: np.random.Generator, light: bool) -> np.ndarray:
    """Setts in rows, 260 cm."""
    out = np.tile(np.array((120, 116, 108), np.float32), (SIDE, SIDE, 1))
    tone = np.array((186, 178, 164) if light else (142, 140, 140), np.float32)
    rows, cols = 16, 10
    for j in range(rows):
        for i in range(cols):
            colour = tone * g.uniform(0.84, 1.12)
            x = int((i + 0.5 * (j % 2)) * SIDE / cols)
            y0, y1 = int(j * SIDE / rows) + 3, int((j + 1) * SIDE / rows) - 3
            for start in (x, x - SIDE):
                x0, x1 = max(0, start + 3), min(SIDE, int(start + SIDE / cols - 3))
                if x1 > x0:
                    out[y0:y1, x0:x1] = colour
    return out * (1 + 0.05 * _tiling(g, 90) + 0.04 * _tiling(g, 10))[..., None]


def gravel(g: np.random.Generator, light: bool) -> np.ndarray:
    """Small stones, 70 cm."""
    out = np.tile(np.array((112, 104, 92) if light else (84, 82, 80), np.float32), (SIDE, SIDE, 1))
    for _ in range(3200):
        at = (int(g.integers(0, SIDE)), int(g.integers(0, SIDE)))
        a = int(g.integers(5, 15))
        tone = g.uniform(110, 225) if light else g.uniform(80, 180)
        colour = (tone, tone * g.uniform(0.9, 0.99), tone * g.uniform(0.76, 0.96))
        turn = float(g.uniform(0, 180))
        cv2.ellipse(out, (at[0] + 2, at[1] + 3), (a, max(3, a * 2 // 3)), turn, 0, 360, (58, 52, 46), -1, cv2.LINE_AA)
        cv2.ellipse(out, at, (a, max(3, a * 2 // 3)), turn, 0, 360, colour, -1, cv2.LINE_AA)
    return out


#: Kind → (how it is made, how many cm of the world it covers).
GROUNDS: dict[str, tuple[Callable[[np.random.Generator, bool], np.ndarray], float]] = {
    "grass": (grass, 160.0),
    "soil": (soil, 90.0),
    "paving": (paving, 260.0),
    "gravel": (gravel, 70.0),
}
