"""What differs between two pictures of one thing before any camera: print run, wear, stickers; and art as a value."""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, Palette


@dataclass(frozen=True)
class Edition:
    """One copy of a thing. `draws` belongs to this picture alone."""

    draws: random.Random
    hue: float
    brightness: float
    saturation: float
    wear: float
    nudge: float
    sticker: bool

    @classmethod
    def draw(cls, r: random.Random) -> Edition:
        return cls(
            draws=r,
            hue=r.uniform(-4, 4),
            brightness=r.uniform(0.94, 1.05),
            saturation=r.uniform(0.88, 1.08),
            wear=r.random() ** 2,
            nudge=r.uniform(0.965, 1.03),
            sticker=r.random() < 0.3,
        )

    def shift(self, size: float = 0.012) -> float:
        """A small displacement, as a fraction of the width."""
        return self.draws.uniform(-size, size)

    def tint(self, p: Palette) -> Palette:
        """The palette as this print run came out."""

        def one(c: Colour) -> Colour:
            hsv = cv2.cvtColor(np.array([[c]], np.uint8), cv2.COLOR_RGB2HSV).astype(float)[0, 0]
            hsv = np.array([(hsv[0] + self.hue / 2) % 180, hsv[1] * self.saturation, hsv[2] * self.brightness])
            rgb = cv2.cvtColor(np.array([[np.clip(hsv, 0, 255)]], np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
            return (int(rgb[0]), int(rgb[1]), int(rgb[2]))

        return Palette(p.word, one(p.main), one(p.ink), one(p.accent), one(p.second), one(p.light))


@dataclass(frozen=True)
class Art:
    """The visible face of a thing. `pixels` is (h, w, 4) uint8 RGBA, supersampled; sizes are in cm.

    body: slab (a box with this front), cylinder (a wrap-around label of `pixels`), paper (no thickness to speak of),
    disc, cutout (whatever is opaque in `pixels`), sphere (a cutout that always faces the camera). `ends` is the
    picture of a cutout's narrow sides, if it has such; one that `revolves` looks alike from all sides and turns its
    picture around towards the camera.
    side is the colour of the other faces; `pages` marks a book's fore-edge.
    """

    pixels: np.ndarray
    width_cm: float
    height_cm: float
    depth_cm: float
    body: str
    side: Colour
    colour_word: str
    gloss: float = 0.3
    pages: bool = False
    lid: Colour | None = None
    content: Colour | None = None
    label_share: tuple[float, float] = (0.0, 1.0)
    ends: np.ndarray | None = None
    revolves: bool = False


def weather(pixels: np.ndarray, edition: Edition, *, paper: bool = False) -> np.ndarray:
    """Scuffs, rubbed edges and faint mottling, according to `edition.wear`."""
    r = edition.draws
    h, w = pixels.shape[:2]
    out: np.ndarray = pixels[..., :3].astype(np.float32)
    g = np.random.default_rng(r.getrandbits(32))
    mottle = cv2.resize(
        g.normal(0, 1, (h // 40 + 2, w // 40 + 2)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
    )
    out += mottle[..., None] * ((0.5 if paper else 0.9) + 1.5 * edition.wear)
    scuffs = np.zeros((h, w), np.uint8)
    for _ in range(int(edition.wear * 26)):
        x, y = r.uniform(0, w), r.uniform(0, h)
        if r.random() < 0.6:  # mostly near an edge
            x = r.choice([r.uniform(0, 0.05), r.uniform(0.95, 1)]) * w
        dx, dy = r.gauss(0, 0.05) * w, r.gauss(0, 0.05) * w
        cv2.line(scuffs, (int(x), int(y)), (int(x + dx), int(y + dy)), 255, r.choice([1, 2, 3]), cv2.LINE_AA)
    if edition.wear > 0.3 and not paper:
        cv2.rectangle(scuffs, (0, 0), (w - 1, h - 1), int(150 * edition.wear), max(2, w // 150))
    soft = cv2.GaussianBlur(scuffs, (0, 0), 1.2).astype(np.float32)[..., None] / 255 * 0.55
    out = out * (1 - soft) + np.array([236, 228, 214], np.float32) * soft
    result = pixels.copy()
    result[..., :3] = np.clip(out, 0, 255).astype(np.uint8)
    return result
