"""Surfaces: wood, cloth, stone, plaster, brick, tiles, made from noise once per world and shaded anew per scene."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from assistant.core.errors import BadInput
from eval.world.drawing.kit.grounds import GROUNDS

SIDE = 1024


@dataclass(frozen=True)
class Texture:
    """(SIDE, SIDE, 3) uint8 that tiles (photographs are mirrored); `cm` is how much of the world it covers."""

    pixels: np.ndarray
    cm: float
    kind: str


def noise(g: np.random.Generator, cells_x: int, cells_y: int, side: int = SIDE) -> np.ndarray:
    """Smooth noise that tiles, mean 0, about unit spread."""
    grid = g.normal(0, 1, (cells_y, cells_x)).astype(np.float32)
    grid = np.pad(grid, ((2, 2), (2, 2)), mode="wrap")
    sx, sy = side / cells_x, side / cells_y
    big = cv2.resize(grid, (round(sx * (cells_x + 4)), round(sy * (cells_y + 4))), interpolation=cv2.INTER_CUBIC)
    return big[round(2 * sy) : round(2 * sy) + side, round(2 * sx) : round(2 * sx) + side]


def _blend(value: np.ndarray, a: tuple[int, int, int], b: tuple[int, int, int]) -> np.ndarray:
    t = np.clip(value, 0, 1)[..., None]
    return np.array(a, np.float32) * (1 - t) + np.array(b, np.float32) * t


def _wood(g: np.random.Generator, light: bool) -> np.ndarray:
    tones = (
        [((214, 178, 132), (170, 124, 78)), ((236, 214, 178), (206, 172, 128))]
        if light
        else [((120, 78, 48), (74, 44, 26)), ((96, 66, 46), (58, 38, 28))]
    )
    a, b = tones[g.integers(len(tones))]
    planks = int(g.integers(4, 7))
    out = np.zeros((SIDE, SIDE, 3), np.float32)
    edges = np.linspace(0, SIDE, planks + 1).astype(int)
    for i in range(planks):
        rows = slice(edges[i], edges[i + 1])
        warp = noise(g, 3, 7)[rows] * 1.4
        lines = 0.5 + 0.5 * np.sin(
            noise(g, 2, 40)[rows] * 2.2 + warp * 4 + np.linspace(0, 26, edges[i + 1] - edges[i])[:, None]
        )
        fine = noise(g, 8, 256)[rows] * 0.12
        out[rows] = _blend(0.22 + 0.4 * lines + fine + g.uniform(-0.12, 0.18), a, b)
        out[edges[i] : edges[i] + 3] *= 0.5
    return out


def _cloth(g: np.random.Generator, light: bool) -> np.ndarray:
    tones = (
        [(222, 214, 198), (188, 200, 204), (206, 178, 160)] if light else [(92, 104, 120), (112, 62, 62), (70, 92, 78)]
    )
    base = np.array(tones[g.integers(len(tones))], np.float32)
    i = np.arange(SIDE)
    weave = 0.93 + 0.07 * np.sin(i * 2 * np.pi / 8)[:, None] * np.sin(i * 2 * np.pi / 8)[None]
    folds = 1 + 0.05 * noise(g, 4, 3) + 0.03 * noise(g, 90, 90)
    out = base * (weave * folds)[..., None]
    if g.random() < 0.5:
        stripe = ((i // 64) % 4 == 0)[None, :, None] * np.ones((SIDE, 1, 1))
        out = out * (1 - 0.25 * stripe) + np.array([170, 60, 50], np.float32) * 0.25 * stripe
    return out


def _marble(g: np.random.Generator, light: bool) -> np.ndarray:
    a, b = ((240, 238, 234), (176, 176, 180)) if light else ((52, 56, 60), (112, 116, 120))
    veins = np.abs(noise(g, 4, 4) + 0.5 * noise(g, 12, 12) + 0.25 * noise(g, 40, 40))
    return _blend(np.exp(-veins * 5) * 0.8 + 0.06 * noise(g, 20, 20), a, b)


def _plaster(g: np.random.Generator, light: bool) -> np.ndarray:
    tones = (
        [(232, 224, 208), (214, 220, 222), (226, 206, 186)]
        if light
        else [(122, 132, 128), (140, 112, 96), (96, 108, 126)]
    )
    base = np.array(tones[g.integers(len(tones))], np.float32)
    shade = 1 + 0.03 * noise(g, 6, 6) + 0.025 * noise(g, 60, 60) + 0.02 * noise(g, 220, 220)
    return base * shade[..., None]


def _brick(g: np.random.Generator, light: bool) -> np.ndarray:
    mortar = (196, 188, 176)
    tone = (198, 140, 110) if light else (142, 70, 52)
    out = np.tile(np.array(mortar, np.float32), (SIDE, SIDE, 1))
    rows, cols = 12, 5
    h, w = SIDE / rows, SIDE / cols
    for j in range(rows):
        for i in range(cols):
            colour = np.array(tone, np.float32) * g.uniform(0.82, 1.16)
            x = int((i + (j % 2) * 0.5) * w)
            for start in (x, x - SIDE):
                x0, x1 = max(0, start + 5), min(SIDE, int(start + w - 5))
                if x1 > x0:
                    out[int(j * h) + 5 : int((j + 1) * h) - 5, x0:x1] = colour
    return out * (1 + 0.05 * noise(g, 80, 80) + 0.04 * noise(g, 12, 12))[..., None]


def _tiles(g: np.random.Generator, light: bool) -> np.ndarray:
    base = np.array((228, 232, 230) if light else (62, 96, 102), np.float32)
    out = base * (1 + 0.02 * noise(g, 5, 5))[..., None]
    n = int(g.integers(4, 7))
    for i in range(n):
        at = int(i * SIDE / n)
        out[at : at + 7] = out[at : at + 7] * 0.72
        out[:, at : at + 7] = out[:, at : at + 7] * 0.72
    return out


_KINDS = {
    "wood": (_wood, 60.0),
    "cloth": (_cloth, 46.0),
    "marble": (_marble, 80.0),
    "plaster": (_plaster, 110.0),
    "brick": (_brick, 95.0),
    "tiles": (_tiles, 75.0),
}


def make_textures(g: np.random.Generator, folder: Path | None = None) -> list[Texture]:
    """Two variants, light and dark, of every surface; with `folder`, its photographs instead."""
    if folder is not None:
        return _photographs(folder)
    made = []
    for kind, (draw, cm) in {**_KINDS, **GROUNDS}.items():
        for light in (True, False):
            made.append(Texture(np.clip(draw(g, light), 0, 255).astype(np.uint8), cm, kind))
    return made


def _photographs(folder: Path) -> list[Texture]:
    paths = (
        sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png")) if folder.is_dir() else []
    )
    if not paths:
        raise BadInput(f"there is no .jpg or .png picture in {str(folder)!r}: give a folder with backgrounds")
    made = []
    for path in paths:
        try:
            with Image.open(path) as picture:
                pixels = np.array(picture.convert("RGB").resize((SIDE // 2, SIDE // 2)))
        except OSError as problem:
            raise BadInput(f"{str(path)!r} is not a picture: {problem}") from problem
        mirrored = np.concatenate([pixels, pixels[:, ::-1]], axis=1)
        made.append(Texture(np.concatenate([mirrored, mirrored[::-1]]), 120.0, "photograph"))
    return made
