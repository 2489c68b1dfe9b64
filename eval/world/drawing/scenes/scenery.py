"""A small stock of grounds, house fronts and greenery for the places out of doors, made once a process."""

from __future__ import annotations

import random
from functools import lru_cache

import cv2
import numpy as np

from eval.world.drawing.kit.textures import noise

#: How many of each there are.
VARIANTS = 3
#: One pixel of a house front is this many cm.
FRONT_CM = 2.0


@lru_cache(maxsize=24)
def floor(kind: str, variant: int) -> np.ndarray:
    """A tiling (512, 512, 3) uint8 ground: asphalt, cobbles, grass, water, parquet."""
    g = np.random.default_rng([ord(kind[0]), len(kind), variant])
    side = 512
    fine, mid = noise(g, 170, 170, side), noise(g, 24, 24, side)
    if kind == "asphalt":
        tone = 96 + 22 * variant + 9 * fine + 4 * mid
        out = np.stack([tone, tone * 1.0, tone * 1.02], axis=2)
    elif kind == "cobbles":
        tone = 128 + 10 * variant + 8 * fine
        out = np.stack([tone, tone * 0.96, tone * 0.9], axis=2)
        n = 14
        for j in range(n):
            for i in range(n + 1):
                x, y, s = (i + (j % 2) / 2) * side / n, (j + 0.5) * side / n, side / n
                shade = g.uniform(0.78, 1.16)
                a, b = (int(x - 0.46 * s), int(y - 0.44 * s)), (int(x + 0.46 * s), int(y + 0.44 * s))
                out[max(0, a[1]) : b[1], max(0, a[0]) : max(0, b[0])] *= shade
        out *= 1 - 0.4 * _grid(side, n)[..., None]
    elif kind == "grass":
        tone = 0.5 + 0.17 * fine + 0.1 * noise(g, 70, 200, side) + 0.07 * mid
        dark, light = np.array([48, 78 + 6 * variant, 30.0]), np.array([138, 166, 78.0])
        out = dark + (light - dark) * np.clip(tone, 0, 1)[..., None]
    elif kind == "water":
        wave = 0.5 + 0.22 * noise(g, 12, 44, side) + 0.13 * noise(g, 30, 120, side)
        dark, light = np.array([[38, 70, 88], [52, 84, 84], [44, 62, 94]][variant], float), np.array([150, 178, 190.0])
        out = dark + (light - dark) * np.clip(wave, 0, 1)[..., None] ** 1.6
    else:  # parquet
        out = np.empty((side, side, 3))
        for j in range(16):
            for i in range(4):
                x = (i * side // 4 + (j % 2) * side // 8) % side
                tone = np.array([196, 152, 100.0]) * g.uniform(0.86, 1.1)
                rows = slice(j * 32, j * 32 + 32)
                columns = np.arange(x, x + side // 4) % side
                out[rows, columns] = tone
                out[rows, x] *= 0.6
            out[j * 32] *= 0.7
        out *= (1 + 0.04 * fine)[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


def _grid(side: int, n: int) -> np.ndarray:
    """The joints between cobbles."""
    i = np.arange(side)
    across = (np.minimum(i % (side / n), side / n - i % (side / n)) < 2.2).astype(np.float32)
    return cv2.GaussianBlur(np.broadcast_to(across[:, None], (side, side)).copy(), (0, 0), 0.8)


@lru_cache(maxsize=8)
def fronts(variant: int) -> np.ndarray:
    """A row of house fronts, 60 m by 14 m: (700, 3000, 4) uint8, transparent above the roofs."""
    g = random.Random(f"house fronts {variant}")
    out = np.zeros((700, 3000, 4), np.uint8)
    x = 0
    while x < 3000:
        wide, high = g.randint(260, 480), g.randint(400, 640)
        base = g.choice(
            [(214, 196, 166), (196, 128, 104), (168, 178, 172), (226, 214, 196), (150, 96, 80), (186, 170, 120)]
        )
        _house(out, x, min(3000, x + wide), 700 - high, base, g)
        x += wide
    grain = np.random.default_rng(variant).normal(0, 3, (700, 3000, 1))
    out[..., :3] = np.clip(out[..., :3] + grain, 0, 255).astype(np.uint8)
    return out


def _house(out: np.ndarray, x0: int, x1: int, top: int, base: tuple[int, int, int], g: random.Random) -> None:
    """One house: storeys of windows, a roof edge, a door and a shop window at street level."""

    def box(a: int, b: int, c: int, d: int, colour: tuple[int, ...]) -> None:
        cv2.rectangle(out, (a, b), (c, d), (*colour[:3], 255), -1)

    def tone(f: float) -> tuple[int, ...]:
        return tuple(int(min(255, v * f)) for v in base)

    box(x0, top, x1, 699, base)
    box(x0, top, x1, top + 14, tone(0.7))
    box(x0, 470, x1, 480, tone(1.12))
    cols = max(2, (x1 - x0) // 95)
    frame = g.choice([(240, 238, 232), (90, 70, 56), (66, 82, 74)])
    step = (x1 - x0) / cols
    shutters = g.random() < 0.4
    for y in range(top + 50, 440, 140):
        for i in range(cols):
            cx = int(x0 + (i + 0.5) * step)
            glass = g.choice([(88, 102, 112), (120, 134, 142), (70, 78, 86)])
            box(cx - 27, y - 5, cx + 27, y + 85, frame)
            box(cx - 22, y, cx + 22, y + 80, glass)
            box(cx - 2, y, cx + 2, y + 80, frame)
            box(cx - 22, y + 26, cx + 22, y + 29, frame)
            box(cx - 32, y + 85, cx + 32, y + 92, tone(1.15))
            if shutters:
                for side in (-1, 1):
                    box(cx + side * 44 - 15, y, cx + side * 44 + 15, y + 82, (74, 98, 88))
    door = g.randrange(cols)
    for i in range(cols):
        cx = int(x0 + (i + 0.5) * step)
        if i == door:
            box(cx - 30, 520, cx + 30, 699, frame)
            box(cx - 24, 528, cx + 24, 699, g.choice([(92, 52, 40), (50, 76, 92), (60, 84, 60)]))
        else:
            box(cx - 40, 530, cx + 40, 650, frame)
            box(cx - 35, 536, cx + 35, 645, (96, 108, 112))
            if g.random() < 0.4:
                stripe = g.choice([(176, 60, 52), (60, 100, 130), (204, 160, 70)])
                for k in range(8):
                    box(cx - 46 + k * 12, 505, cx - 35 + k * 12, 535, stripe if k % 2 else (240, 236, 226))


@lru_cache(maxsize=8)
def green(variant: int) -> np.ndarray:
    """A hedge with trees behind it, 60 m by 10 m: (500, 3000, 4) uint8."""
    g = np.random.default_rng(500 + variant)
    out = np.zeros((500, 3000, 4), np.uint8)
    for _ in range(26):
        x, high, wide = int(g.integers(0, 3000)), int(g.integers(230, 440)), int(g.integers(80, 150))
        cv2.rectangle(out, (x - 7, 500 - high // 2), (x + 7, 499), (86, 70, 54, 255), -1)
        _foliage(out, x, int(500 - high + wide * 0.6), wide, int(wide * 0.8), 420, g)
    for x in range(0, 3000, 40):
        _foliage(out, x, 470, 44, 34, 70, g)
    return out


def _foliage(out: np.ndarray, x: int, y: int, wide: int, high: int, count: int, g: np.random.Generator) -> None:
    """A crown or a bush around (x, y): leaves by the tuft, the lower right ones in shadow, the upper left ones lit."""
    tone = np.array([64, 98, 50]) * g.uniform(0.75, 1.2)
    lumps = [(g.normal(0, 0.45), g.normal(0, 0.4)) for _ in range(9)]
    for k in range(count):
        a, b = lumps[k % 9]
        dx, dy = a + g.normal(0, 0.2), b + g.normal(0, 0.2)
        lit = 0.62 + 0.62 * k / count - 0.24 * dx - 0.3 * dy
        colour = np.clip(tone * lit * g.uniform(0.85, 1.15), 0, 255)
        at = (int(x + dx * wide), int(min(497, y + dy * high)))
        axes = (int(g.integers(4, 12)), int(g.integers(3, 8)))
        cv2.ellipse(out, at, axes, float(g.uniform(0, 180)), 0, 360, (*map(int, colour), 255), -1)
