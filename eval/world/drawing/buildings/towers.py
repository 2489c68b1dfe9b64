"""Towers: storeys, windows and roofs by family and building. Stone and openings come from `masonry`."""

from __future__ import annotations

import random

import numpy as np

from eval.world.drawing.kit import masonry
from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.masonry import arch, box, cornice, window
from eval.world.drawing.kit.relief import Sheet, cutout
from eval.world.drawing.kit.roofs import Shaft, crown
from eval.world.model import Thing

W, H = 620, 1300


def draw_tower(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A tower seen from its front, its right side in shade."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    word, stone, joint, trim, roof = masonry.material(thing.look["style"], thing.look["variant"])
    s = Sheet(W, H)
    round_plan = style.random() < 0.35
    storeys = style.randint(3, 5)
    form = style.choice(["round", "pointed", "flat"])
    cx, foot = W / 2 - 14, H - 16.0
    base_half, top = style.uniform(150, 190), style.uniform(430, 520)
    courses = masonry.wall(W, H, stone, joint, own, second=trim)
    tiled = masonry.tiles(W, H, roof, own)
    edges = np.linspace(foot, top, storeys + 1)
    shrink = style.uniform(0.9, 0.97)
    glass: Colour = own.choice([(42, 52, 66), (64, 78, 88), (50, 42, 40)])
    has_clock, clock_at = own.random() < 0.6, storeys - 1
    half = base_half
    deco = own.sample(["star", "shield", "sun", "leaf", "ring"], 2)
    for i in range(storeys):
        y1, y0 = edges[i], edges[i + 1]
        side = 0.0 if round_plan else half * 0.42
        if side:
            slab = np.array(
                [
                    (cx + half - side * 0.1, y0),
                    (cx + half + side, y0 + 5),
                    (cx + half + side, y1 - 4),
                    (cx + half - side * 0.1, y1),
                ]
            )
            s.part(slab, courses, depth_px=5, tone=0.6, strength=0.5)
        s.part(
            box(cx - half, y0, cx + half, y1),
            courses,
            depth_px=half if round_plan else 6,
            strength=1.0 if round_plan else 0.5,
        )
        if not round_plan and own.random() < 0.6:
            _corner_stones(s, cx, half, y0, y1, trim)
        if has_clock and i == clock_at:
            masonry.clock_face(
                s,
                cx,
                (y0 + y1) / 2 + 6,
                min(half * 0.5, (y1 - y0) * 0.34),
                (246, 240, 224),
                mix(roof, (20, 20, 24), 0.4),
                edition.draws.uniform(0, 12),
            )
        else:
            _openings(s, cx, y0, y1, half, side, form, trim, own, glass, door=i == 0)
        if own.random() < 0.5 and i:
            for edge in (-1, 1):
                masonry.ornament(s, cx + edge * half * 0.78, y0 + 30, 13, deco[i % 2], trim)
        cornice(s, cx - half, cx + half + side, y0 - 8, 18, trim, teeth=own.random() < 0.5)
        half *= shrink if i < storeys - 1 else 1.0
    side = 0.0 if round_plan else half * 0.42
    crown(s, Shaft(cx, half, side, top - 8, form, tiled, courses, trim, roof, glass), style, own)
    s.part(
        box(cx - base_half - 22, foot - 26, cx + base_half + (0 if round_plan else 60) + 22, foot),
        mix(stone, joint, 0.5),
        depth_px=8,
    )
    masonry.weathered(s, own)
    return cutout(s.pixels(edition), W / 1700.0, stone, word)


def _corner_stones(s: Sheet, cx: float, half: float, y0: float, y1: float, trim: Colour) -> None:
    """Long and short stones in turn at both edges of a storey."""
    n = int((y1 - y0) / 24)
    for j in range(n):
        long = 26 if j % 2 else 16
        for edge in (-1, 1):
            a = cx + edge * half - (long if edge > 0 else 0)
            stone = box(a, y0 + j * (y1 - y0) / n + 2, a + long, y0 + (j + 1) * (y1 - y0) / n - 1)
            s.part(stone, trim, depth_px=3, shadow=0.1)


def _openings(
    s: Sheet,
    cx: float,
    y0: float,
    y1: float,
    half: float,
    side: float,
    form: str,
    trim: Colour,
    own: random.Random,
    glass: Colour,
    door: bool,
) -> None:
    high = y1 - y0
    if door:
        s.part(arch(cx, y1 - 4, half * 0.34, high * 0.74, form), trim, depth_px=9)
        s.part(arch(cx, y1 - 4, half * 0.26, high * 0.66, form), (86, 58, 40), depth_px=5)
        for i in range(-2, 3):
            s.line(np.array([(cx + i * half * 0.1, y1 - 6), (cx + i * half * 0.1, y1 - high * 0.45)]), (48, 32, 24), 3)
        return
    n = own.choice([1, 2, 3])
    kind = own.choice([form, form, "circle", "flat"])
    size = min(half * 0.5 / n + 6, 30)
    tall = size * 2 if kind == "circle" else high * own.uniform(0.42, 0.62)
    for i in range(n):
        window(
            s,
            cx + half * 1.5 * ((i + 0.5) / n - 0.5),
            y0 + high * 0.5 + tall / 2 + 4,
            size,
            tall,
            kind,
            trim,
            own,
            glass,
        )
    if side:
        slit = arch(cx + half + side * 0.5, y0 + high * 0.72, side * 0.16, high * 0.36, form)
        s.part(slit, mix(glass, (20, 20, 20), 0.4), depth_px=3)
