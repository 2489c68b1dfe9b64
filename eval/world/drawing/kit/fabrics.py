"""Cloth for clothes: knitting from a chart of the piece's own, woven prints, folds.

Everything is a colour for each pixel of a `Surface`; the garments that are cut from it are in `clothes` and
`accessories`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour
from eval.world.drawing.kit.surface import Surface


def chart(own: random.Random, rows: int, cols: int, colours: int, *, emblem: bool = True) -> np.ndarray:
    """A knitting chart (rows, cols) of colour numbers: bands of mirrored motifs, between them plain rows, and in the
    middle one motif that comes but once. 0 is the ground."""
    out = np.zeros((rows, cols), int)
    y = own.randint(0, 4)
    while y < rows:
        high = own.choice([3, 5, 7, 9])
        period = own.choice([6, 8, 10, 12])
        half = [[own.choice([0, 0, 1, 1, 2]) for _ in range(period // 2)] for _ in range((high + 1) // 2)]
        tint = own.randrange(1, colours)
        other = own.randrange(1, colours)
        ground = own.choice([0, 0, 0, own.randrange(colours)])
        for j in range(high):
            row = half[min(j, high - 1 - j)]
            for i in range(cols):
                k = i % period
                v = row[k if k < period // 2 else period - 1 - k]
                if y + j < rows:
                    out[y + j, i] = (ground, tint, other)[v]
        y += high + own.choice([1, 2, 4])
    if emblem:
        _emblem(out, own, colours)
    return out


def _emblem(out: np.ndarray, own: random.Random, colours: int) -> None:
    """One large mirrored figure on a plain field, and stray stitches around it."""
    rows, cols = out.shape
    side = min(rows, cols) // 2
    top, left = rows // 2 - side // 2, cols // 2 - side // 2
    out[top - 1 : top + side + 1, left - 1 : left + side + 1] = own.randrange(1, colours)
    g = np.random.default_rng(own.getrandbits(32))
    cells = max(4, side // 3)
    half = g.integers(0, colours, (cells, (cells + 1) // 2))
    figure = np.concatenate([half, half[:, ::-1][:, cells % 2 :]], axis=1)
    big = cv2.resize(figure.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)
    out[top : top + side, left : left + side] = big
    for _ in range(rows * cols // 40):
        out[own.randrange(rows), own.randrange(cols)] = own.randrange(colours)


def knitted(s: Surface, stitches: np.ndarray, colours: Sequence[Colour], cell: float, centre: float) -> np.ndarray:
    """(h, w, 3) uint8: the chart knitted with stitches of `cell` cm, its middle column at x = `centre` cm."""
    rows, cols = stitches.shape
    x = (np.arange(s.w, dtype=np.float32) / s.px - centre) / cell + cols / 2
    y = (s.height - np.arange(s.h, dtype=np.float32) / s.px) / (0.82 * cell)
    u = x - np.floor(x)
    lean = np.abs(u - 0.5)  # the two legs of a stitch form a V
    v = y[:, None] - 0.7 * lean[None]
    inner = v - np.floor(v)
    numbers = stitches[(rows - 1 - np.floor(v).astype(int)) % rows, np.floor(x).astype(int)[None] % cols]
    lit = 0.72 + 0.34 * np.sin(np.pi * np.clip(inner, 0, 1)) - 0.22 * np.exp(-(((u - 0.5) / 0.09) ** 2))[None]
    lit -= 0.2 * np.exp(-((np.minimum(u, 1 - u) / 0.08) ** 2))[None]
    table = np.array(list(colours), np.float32)
    return np.clip(table[numbers % len(table)] * lit[..., None], 0, 255).astype(np.uint8)


def ribbed(s: Surface, mask: np.ndarray, colour: Colour, cell: float) -> None:
    """Ribbing: ribs upright, `cell` cm wide."""
    x = np.arange(s.w, dtype=np.float32) / s.px
    lit = 0.78 + 0.26 * np.cos(2 * np.pi * x / cell)
    cloth = np.array(colour, np.float32)[None, None] * np.broadcast_to(lit[None, :, None], (s.h, s.w, 1))
    s.paint(mask, np.clip(cloth, 0, 255))


def folds(s: Surface, mask: np.ndarray, r: random.Random, strength: float = 0.12, slant: float = 0.0) -> None:
    """Soft folds, mostly downwards, of this picture alone."""
    g = np.random.default_rng(r.getrandbits(32))
    coarse = g.normal(0, 1, (5, 9)).astype(np.float32)
    soft = cv2.resize(coarse, (s.w, s.h), interpolation=cv2.INTER_CUBIC)
    if slant:
        m = np.array([[1, slant, -slant * s.h / 2], [0, 1, 0]], np.float32)
        soft = cv2.warpAffine(soft, m, (s.w, s.h), borderMode=cv2.BORDER_REFLECT)
    s.texture(mask, 1 + strength * np.clip(soft, -1.6, 1.6))


def woven(s: Surface, mask: np.ndarray, cell: float, strength: float = 0.05) -> None:
    """The grain of woven cloth or leather, `cell` cm fine."""
    g = np.random.default_rng(7)
    n = max(8, int(s.width / cell))
    fine = cv2.resize(g.normal(0, 1, (max(8, int(s.height / cell)), n)).astype(np.float32), (s.w, s.h))
    s.texture(mask, 1 + strength * fine)
