"""Minerals as cut-outs: crystals on rock, agate slices, opened geodes. Bands, facets and flaws are the thing's own."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, mix
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.prints import as_printed
from eval.world.drawing.kit.solids import Outline, Point, Solid, band, smooth
from eval.world.model import Thing

WIDTH = 1000


def _stone(word: str, *codes: str) -> Palette:
    c = [(int(x[:2], 16), int(x[2:4], 16), int(x[4:], 16)) for x in codes]
    return Palette(word, *c)


_STONES = (
    _stone("purple", "8a5cb8", "4b2a74", "d9c2ee", "6f6a78", "f1e9f8"),
    _stone("green", "3f9c6b", "155a3b", "bfe6c6", "6b6a5c", "eaf6ea"),
    _stone("pink", "e0859b", "96405c", "f7d3da", "7d7670", "fdf1f2"),
    _stone("brown", "9a6a3c", "4e3018", "e2be8c", "6a625a", "f5e9d6"),
    _stone("yellow", "e6b53a", "9c6a14", "fbe7a8", "77706a", "fff7e0"),
    _stone("blue", "3f78c4", "1a3a74", "bcd6f4", "66686e", "eaf2fc"),
    _stone("turquoise", "35b0a8", "0f6264", "b8ebe2", "6e6c68", "e8f8f5"),
    _stone("red", "b8362e", "5e1412", "f0a58e", "62564e", "fae6dc"),
    _stone("grey", "9aa2aa", "4c545c", "dde2e6", "5e5a56", "f4f6f7"),
    _stone("orange", "df7a34", "8c3d10", "fbcf9c", "706660", "fdeeda"),
)


def stone_of(thing: Thing) -> Palette:
    """The colours of this specimen: siblings walk on from their family's start."""
    order = list(_STONES)
    random.Random(thing.look["style"]).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def _blob(own: random.Random, x: float, y: float, rx: float, ry: float, rough: float) -> list[Point]:
    n = 22
    corners = []
    for i in range(n):
        a, k = 2 * math.pi * i / n, 1 + own.uniform(-rough, rough)
        corners.append((x + rx * k * math.cos(a), y + ry * k * math.sin(a)))
    return smooth(corners, steps=6)


def _rock(own: random.Random, p: Palette, size: tuple[int, int]) -> np.ndarray:
    """Matrix: grains, cracks and stains."""
    g = np.random.default_rng(own.getrandbits(32))
    w, h = size
    value = np.ones((h, w), np.float32)
    for cell, weight in ((90, 0.16), (30, 0.12), (10, 0.12), (4, 0.1)):
        coarse = g.normal(0, 1, (h // cell + 2, w // cell + 2)).astype(np.float32)
        value += weight * cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
    out = np.clip(value, 0.3, 1.6)[..., None] * np.array(p.second, np.float32)
    tints = (p.main, p.ink, p.light, (60, 50, 44))
    for _ in range(260):
        at, colour = (int(g.integers(0, w)), int(g.integers(0, h))), tints[int(g.integers(0, 4))]
        cv2.ellipse(
            out,
            at,
            (int(g.integers(2, 9)), int(g.integers(2, 6))),
            float(g.uniform(0, 180)),
            0,
            360,
            colour,
            -1,
            cv2.LINE_AA,
        )
    return np.clip(out, 0, 255).astype(np.uint8)


def _streaks(g: np.random.Generator, tone: Colour, light: Colour, size: tuple[int, int]) -> np.ndarray:
    """The inside of a crystal: growth lines across it, veils, bright flaws; (h, w, 3) uint8."""
    w, h = size
    lines = cv2.resize(g.normal(0, 1, (h // 5 + 2, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    veil = cv2.resize(g.normal(0, 1, (6, 4)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    t = np.clip(0.22 + 0.1 * lines + 0.2 * veil, 0, 1)[..., None]
    out = np.array(tone, np.float32) * (1 - t) + np.array(light, np.float32) * t
    for _ in range(int(g.integers(2, 7))):
        a = (int(g.integers(0, w)), int(g.integers(0, h)))
        b = (a[0] + int(g.integers(-w // 2, w // 2 + 1)), a[1] + int(g.integers(-14, 15)))
        cv2.line(out, a, b, tuple(float(c) for c in light), 1, cv2.LINE_AA)
    return np.clip(out, 0, 255).astype(np.uint8)


def _crystal(
    solid: Solid, own: random.Random, p: Palette, foot: Point, lean: float, length: float, width: float
) -> None:
    """A six-sided prism with a pointed end: three visible sides, three facets of the tip."""
    g = np.random.default_rng(own.getrandbits(32))
    up = (math.sin(lean), -math.cos(lean))
    side = (math.cos(lean), math.sin(lean))

    def at(across: float, along: float) -> Point:
        return (
            foot[0] + side[0] * across * width + up[0] * along * length,
            foot[1] + side[1] * across * width + up[1] * along * length,
        )

    left, right, shoulder = own.uniform(-0.24, -0.05), own.uniform(0.12, 0.3), own.uniform(0.72, 0.82)
    drop = [own.uniform(-0.05, 0.04) for _ in range(4)]
    edges = (-0.5, left, right, 0.5)
    apex = at(own.uniform(-0.12, 0.16), 1.0)
    tone = mix(p.main, p.ink, own.uniform(0, 0.45))
    shades = (0.78, 1.12, 0.62)
    for i in range(3):
        a, b, sa, sb = edges[i], edges[i + 1], shoulder + drop[i], shoulder + drop[i + 1]
        skin = _streaks(g, tone, p.accent, (70, 220)).astype(np.float32) * shades[i]
        solid.part(
            [at(a, 0), at(a, sa), at(b, sb), at(b, 0)], skin, bulge=0.003, gloss=0.5, cast=0.3 if i == 0 else 0.0
        )
        tip = _streaks(g, mix(tone, p.accent, 0.35), p.light, (60, 60)).astype(np.float32) * (shades[i] + 0.12)
        solid.part([at(a, sa), apex, at(b, sb)], tip, bulge=0.003, gloss=0.7, cast=0.0)


def _crystals(solid: Solid, own: random.Random, p: Palette) -> None:
    ground = 0.86
    back = _blob(own, 0.5, ground - 0.1, 0.4, 0.16, 0.1)
    solid.part(back, _rock(own, p, (500, 220)), bulge=0.09, gloss=0.05)
    count = own.randint(8, 13)
    feet = sorted((own.uniform(0.24, 0.76), ground - own.uniform(0.03, 0.2)) for _ in range(count))
    for x, y in sorted(feet, key=lambda f: f[1]):
        lean = (x - 0.5) * own.uniform(1.0, 2.2) + own.uniform(-0.2, 0.2)
        length = own.uniform(0.2, 0.56) * (1.15 - abs(x - 0.5))
        _crystal(solid, own, p, (x, y), lean, length, length * own.uniform(0.24, 0.4))
    front = _blob(own, 0.5, ground, 0.43, 0.085, 0.13)
    solid.part(front, _rock(own, p, (500, 160)), bulge=0.05, gloss=0.05)
    for _ in range(own.randint(9, 15)):
        x = own.uniform(0.14, 0.86)
        _crystal(
            solid,
            own,
            p,
            (x, ground + own.uniform(-0.02, 0.045)),
            (x - 0.5) * 2 + own.uniform(-0.6, 0.6),
            own.uniform(0.05, 0.12),
            own.uniform(0.03, 0.05),
        )


def _field(own: random.Random, size: int) -> np.ndarray:
    """Smooth noise, (size, size), about -1 to 1."""
    g = np.random.default_rng(own.getrandbits(32))
    out = np.zeros((size, size), np.float32)
    for cells, weight in ((4, 0.6), (8, 0.28), (18, 0.13), (40, 0.05)):
        grid = g.normal(0, 1, (cells, cells)).astype(np.float32)
        out += weight * cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)
    return out


def _depth(outline: Outline, size: int) -> np.ndarray:
    """How far inside the outline each pixel is, 0 at the rim to 1 in the middle."""
    mask = np.zeros((size, size), np.uint8)
    a = np.asarray(outline, float)
    a = (a - a.min(0)) / np.ptp(a, axis=0) * (size - 1)
    cv2.fillPoly(mask, [np.round(a).astype(np.int32)], 255)
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    return np.asarray(inside / max(1.0, float(inside.max())), np.float32)


def _bands(depth: np.ndarray, own: random.Random, p: Palette, count: int) -> np.ndarray:
    """Layers that follow the rim; (h, w, 3) float."""
    n = 256
    ramp: np.ndarray = np.zeros((n, 3), np.float32)
    tones = [p.main, p.accent, p.light, p.ink, mix(p.main, p.light, 0.5), mix(p.main, p.ink, 0.5)]
    i = 0
    while i < n:
        wide = max(2, round(own.choice([0.25, 0.5, 1, 1.6]) * n / count))
        ramp[i : i + wide] = np.array(own.choice(tones), np.float32) * own.uniform(0.9, 1.08)
        i += wide
    ramp = cv2.GaussianBlur(ramp, (1, 3), 0.6)
    return np.asarray(ramp[np.clip(depth * (n - 1), 0, n - 1).astype(int)], np.float32)


def _sparkle(own: random.Random, p: Palette, size: int, grains: int) -> np.ndarray:
    """A druse: crystal points seen from above, each with bright and dark sides; (size, size, 3) float."""
    g = np.random.default_rng(own.getrandbits(32))
    seeds = np.full((size, size), 255, np.uint8)
    at = g.integers(0, size, (grains, 2))
    seeds[at[:, 1], at[:, 0]] = 0
    far, label = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    tone = g.uniform(0, 1, int(label.max()) + 1).astype(np.float32)[label]
    centre = cv2.blur(far, (5, 5))
    slope = cv2.Sobel(centre, cv2.CV_32F, 1, 0) * 0.08 + cv2.Sobel(centre, cv2.CV_32F, 0, 1) * 0.11
    t = np.clip(0.5 * tone + 0.35 * (slope > 0) + 0.1, 0, 1)[..., None]
    out = np.array(p.ink, np.float32) * (1 - t) + np.array(p.light, np.float32) * t
    return np.asarray(out * 0.7 + np.array(p.main, np.float32) * 0.35, np.float32)


def _slice(solid: Solid, own: random.Random, p: Palette, *, geode: bool) -> None:
    """A polished slice of agate, or a geode cut in half with its hollow full of crystals."""
    rim = _blob(own, 0.5, 0.45, 0.45, own.uniform(0.36, 0.42), 0.075)
    wood = mix((128, 84, 50), p.ink, 0.2)
    for side in (-1, 1):  # the stand that holds it up
        solid.part(band([(0.5 + side * 0.2, 0.7), (0.5 + side * 0.27, 0.93)], 0.05), wood, bulge=0.02)
    if geode:
        thick = [(x, y + 0.025) for x, y in rim]
        solid.part(thick, _rock(own, p, (400, 400)), bulge=0.03, gloss=0.05)
    size = 720
    depth = _depth(rim, size)
    warped = depth + (0.05 if geode else 0.11) * _field(own, size) * np.clip(depth * 6, 0, 1)
    face = _bands(warped, own, p, own.randint(14, 22) if geode else own.randint(20, 34))
    hollow = own.uniform(0.3, 0.42) if geode else own.uniform(0.72, 0.88)
    druse = _sparkle(own, p, size, 420 if geode else 900)
    if geode:
        druse *= (0.62 + 0.5 * np.clip((warped - hollow) * 1.6, 0, 1))[..., None]
    alpha = np.clip((warped - hollow) * 60, 0, 1)[..., None]
    face = face * (1 - alpha) + druse * alpha
    crust = np.clip((depth - 0.075) * 50, 0, 1)[..., None]
    face = _rock(own, p, (size, size)) * (1 - crust) * 0.8 + face * crust
    for _ in range(own.randint(2, 5)):  # healed cracks
        x, y, a = own.uniform(0.2, 0.8) * size, own.uniform(0.2, 0.8) * size, own.uniform(0, 3.2)
        ends = [
            (round(x + s * math.cos(a)), round(y + s * math.sin(a)))
            for s in (-own.uniform(40, 160), own.uniform(40, 160))
        ]
        cv2.line(face, ends[0], ends[1], tuple(float(c) for c in mix(p.light, p.main, 0.3)), 2, cv2.LINE_AA)
    solid.part(rim, np.clip(face, 0, 255), bulge=0.006 if geode else 0.012, gloss=0.35 if geode else 0.8, cast=0.2)
    lip = smooth([(0.19, 0.83), (0.5, 0.86), (0.81, 0.83), (0.83, 0.88), (0.5, 0.915), (0.17, 0.88)])
    solid.part(lip, wood, bulge=0.02, gloss=0.4, cast=0.5)


def draw_mineral(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A specimen of the family's form."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = stone_of(thing)
    form = style.choice(["crystals", "crystals", "agate", "geode"])
    solid = Solid(WIDTH, 0.95, edition)
    if form == "crystals":
        _crystals(solid, own, p)
    else:
        _slice(solid, own, p, geode=form == "geode")
    deep = {"crystals": 8.0, "agate": 1.0, "geode": 5.0}[form]
    return Art(weather(as_printed(solid.pixels(), edition), edition), 15.0, 14.25, deep, "cutout", p.main, p.word, 0.5)
