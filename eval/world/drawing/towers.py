"""Towers: storeys, windows and roofs by family and building. Stone and openings come from `masonry`."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing import masonry
from eval.world.drawing.canvas import Colour, FontBox, mix
from eval.world.drawing.edition import Art, Edition
from eval.world.drawing.masonry import arch, box, cornice, window
from eval.world.drawing.relief import Sheet, cutout, smooth
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
        if not round_plan and own.random() < 0.6:  # corner stones
            n = int((y1 - y0) / 24)
            for j in range(n):
                for edge in (-1, 1):
                    long = 26 if j % 2 else 16
                    a = cx + edge * half - (long if edge > 0 else 0)
                    s.part(
                        box(a, y0 + j * (y1 - y0) / n + 2, a + long, y0 + (j + 1) * (y1 - y0) / n - 1),
                        trim,
                        depth_px=3,
                        shadow=0.1,
                    )
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
    _top(
        s,
        style,
        own,
        cx,
        top - 8,
        half,
        0.0 if round_plan else half * 0.42,
        (tiled, courses),
        (trim, roof),
        form,
        glass,
    )
    s.part(
        box(cx - base_half - 22, foot - 26, cx + base_half + (0 if round_plan else 60) + 22, foot),
        mix(stone, joint, 0.5),
        depth_px=8,
    )
    masonry.weathered(s, own)
    return cutout(s.pixels(edition), W / 1700.0, stone, word)


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


def _top(
    s: Sheet,
    style: random.Random,
    own: random.Random,
    cx: float,
    y: float,
    half: float,
    side: float,
    maps: tuple[np.ndarray, np.ndarray],
    tones: tuple[Colour, Colour],
    form: str,
    glass: Colour,
) -> None:
    """Roof or battlement on the last storey, whose upper edge is `y`."""
    tiled, courses = maps
    trim, roof = tones
    kind = style.choice(["spire", "onion", "battlement", "pyramid", "lantern"])
    x0, x1, mid = cx - half - 12, cx + half + side + 12, cx + side / 2
    gold: Colour = own.choice([(226, 184, 76), (196, 200, 204), (160, 120, 70)])
    if kind == "battlement":
        s.part(box(x0, y - 44, x1, y + 6), courses, depth_px=6, strength=0.6)
        n = style.choice([5, 6, 7])
        for i in range(n):
            a = x0 + (x1 - x0) * i / (n - 0.45)
            s.part(box(a, y - 88, a + (x1 - x0) * 0.55 / n, y - 40), courses, depth_px=6, strength=0.6)
        peak = y - 88
    elif kind == "onion":
        r, peak = half * 0.96, y - half * 2.5
        bulb = [
            (mid - r * 0.8, y + 4),
            (mid - r * 1.12, y - r * 0.6),
            (mid - r * 0.8, y - r * 1.2),
            (mid - r * 0.2, y - r * 1.75),
            (mid - 6, peak),
        ]
        outline = np.concatenate(
            [smooth(bulb, closed=False), smooth([(2 * mid - px, py) for px, py in bulb[::-1]], closed=False)]
        )
        s.part(outline, tiled, depth_px=r * 0.95)
        for bulge in (-0.6, -0.2, 0.25, 0.65):
            s.line(
                smooth(
                    [
                        (mid + bulge * r * 0.8, y),
                        (mid + bulge * r * 1.12, y - r * 0.6),
                        (mid + bulge * r * 0.8, y - r * 1.2),
                        (mid, y - r * 1.9),
                    ],
                    closed=False,
                ),
                mix(roof, (24, 24, 28), 0.4),
                3,
                0.6,
            )
    elif kind == "lantern":
        s.part(box(mid - half * 0.6, y - 110, mid + half * 0.6, y + 4), courses, depth_px=half * 0.6)
        for i in range(3):
            window(s, mid + half * 0.4 * (i - 1), y - 20, 15, 66, form, trim, own, glass)
        cornice(s, mid - half * 0.62, mid + half * 0.62, y - 122, 16, trim)
        peak = y - 122 - half * 0.9
        dome = [(mid - half * 0.62, y - 120), (mid - half * 0.5, y - 122 - half * 0.45), (mid, peak)]
        s.part(
            np.concatenate(
                [smooth(dome, closed=False), smooth([(2 * mid - px, py) for px, py in dome[::-1]], closed=False)]
            ),
            tiled,
            depth_px=half * 0.6,
        )
    else:
        peak = y - half * (2.5 if kind == "spire" else 1.25)
        ridge = cx + half if side else mid
        s.part(np.array([(x0, y + 4), (ridge + 2, y + 4), (mid, peak)]), tiled, depth_px=8, strength=0.6)
        if side:
            s.part(np.array([(ridge, y + 4), (x1, y), (mid, peak)]), tiled, depth_px=8, tone=0.62, strength=0.5)
        if own.random() < 0.6:
            dy = y - (y - peak) * 0.3
            s.part(
                np.array([(cx - 30, dy + 40), (cx + 30, dy + 40), (cx + 30, dy), (cx, dy - 34), (cx - 30, dy)]),
                trim,
                depth_px=6,
            )
            s.part(arch(cx, dy + 36, 13, 38, form), glass, depth_px=3)
    pole = peak - own.uniform(50, 90)
    s.part(box(mid - 4, pole, mid + 4, peak + 20), gold, depth_px=4)
    finial = own.choice(["ball", "flag", "vane", "star"])
    if finial == "flag":
        tone = own.choice([(190, 44, 44), (44, 90, 160), (230, 190, 60), (50, 130, 80)])
        s.part(
            smooth(
                [
                    (mid + 2, pole),
                    (mid + 50, pole + 8),
                    (mid + 92, pole + 2),
                    (mid + 88, pole + 40),
                    (mid + 48, pole + 46),
                    (mid + 2, pole + 38),
                ],
                4,
            ),
            tone,
            depth_px=10,
        )
    elif finial == "vane":
        s.part(
            np.array(
                [
                    (mid - 44, pole + 10),
                    (mid + 30, pole + 10),
                    (mid + 30, pole),
                    (mid + 56, pole + 14),
                    (mid + 30, pole + 28),
                    (mid + 30, pole + 18),
                    (mid - 44, pole + 18),
                ]
            ),
            gold,
            depth_px=4,
        )
    elif finial == "star":
        masonry.ornament(s, mid, pole, 20, "star", gold)
    else:
        t = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        s.part(np.stack([mid + 17 * np.cos(t), pole + 17 * np.sin(t)], axis=1), gold, depth_px=16, shine=0.3)
