"""Printed things drawn for the recognition tests, and frames that show them. Not the generated world: simpler."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = ["amber", "river", "stone", "glass", "north", "quiet", "salt", "garden", "winter", "copper", "lantern"]


def cover(seed: int, title: str | None = None, size: tuple[int, int] = (420, 560)) -> np.ndarray:
    """A cover: shapes and small print from `seed`, a title of its own. Equal seeds and other titles are siblings."""
    rng = np.random.default_rng(seed)
    width, height = size
    picture = Image.new("RGB", size, tuple(int(v) for v in rng.integers(60, 220, 3)))
    draw = ImageDraw.Draw(picture)
    for _ in range(12):
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        x, y = int(rng.integers(0, width)), int(rng.integers(150, height))
        dx, dy = (int(v) for v in rng.integers(25, 190, 2))
        if rng.random() < 0.5:
            draw.ellipse((x, y, x + dx, y + dy), fill=colour)
        else:
            draw.polygon([(x, y), (x + dx, y + dy // 3), (x + dx // 2, y + dy)], fill=colour)
    draw.rectangle((0, 0, width, 140), fill=(245, 242, 235))
    title = title or " ".join(rng.choice(WORDS, 2)).title()
    draw.text((20, 20), title, font=ImageFont.load_default(46), fill=(20, 20, 30))
    draw.text((20, 90), " ".join(rng.choice(WORDS, 3)), font=ImageFont.load_default(26), fill=(60, 60, 70))
    draw.text((40, height - 60), " ".join(rng.choice(WORDS, 3)), font=ImageFont.load_default(28), fill="white")
    return np.array(picture)


def shown(
    things: list[np.ndarray],
    seed: int = 0,
    size: tuple[int, int] = (720, 960),
    turn_deg: float = 6.0,
    scale: float = 1.0,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """A frame with the things side by side, a little turned and tilted; and their outlines, (4, 2) each."""
    rng = np.random.default_rng(seed)
    width, height = size
    wall = cv2.resize(rng.integers(90, 180, (9, 7, 3)).astype(np.uint8), size, interpolation=cv2.INTER_CUBIC)
    outlines = []
    for i, thing in enumerate(things):
        h, w = thing.shape[:2]
        fit = scale * min(0.8 * width / len(things) / w, 0.75 * height / h)
        corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], float) * fit / 2
        angle = np.deg2rad(turn_deg)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        middle = (width * (i + 0.5) / len(things), height / 2)
        corners = corners @ turn + middle + rng.normal(0, 0.015 * h * fit, (4, 2))
        warp = cv2.getPerspectiveTransform(
            np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), corners.astype(np.float32)
        )
        mask = cv2.warpPerspective(np.full((h, w), 255, np.uint8), warp, size) > 127
        wall[mask] = cv2.warpPerspective(thing, warp, size, flags=cv2.INTER_AREA)[mask]
        outlines.append(corners)
    light = rng.uniform(0.85, 1.1, 3)
    return np.clip(wall * light + rng.normal(0, 3, wall.shape), 0, 255).astype(np.uint8), outlines


class TinyPipeline:
    """Vector search over a handful of pictures, with the result format of `SearchPipeline.images`."""

    def __init__(self, vectors: np.ndarray, names: list[str]) -> None:
        self.vectors, self.names = vectors, names

    def images_each(self, vectors: Sequence[np.ndarray], k: int) -> list[list[dict]]:
        return [
            [self._result(int(i), float(scores[i])) for i in np.argsort(-scores)[:k]]
            for scores in (self.vectors @ vector for vector in vectors)
        ]

    def pictures(self, rows: list[int]) -> list[dict]:
        return [self._result(row, 0.0) for row in rows]

    def _result(self, row: int, score: float) -> dict:
        entity = {"entity_name": self.names[row], "entity_attributes": {"position": row}}
        return {"index": row, "score": score, "url": f"https://pictures.invalid/{row}", "entities": [entity]}


def write_and_open(folder: Path, items):
    from assistant.vision.local_features import FeatureStore, write_features

    write_features(folder, items)
    return FeatureStore(folder)
