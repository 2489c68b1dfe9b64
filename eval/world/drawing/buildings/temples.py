"""Temples, seen from the front: porticoes with columns, domes, tiers of roofs. Stone comes from `masonry`."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit import masonry
from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.masonry import arch, box, cornice, ornament, window
from eval.world.drawing.kit.relief import Sheet, cutout, ribbon, smooth
from eval.world.model import Thing

W, H = 1240, 1000


def draw_temple(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A temple of its family's form, with its own number of columns, reliefs and stone."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    word, stone, joint, trim, roof = masonry.material(thing.look["style"], thing.look["variant"])
    s = Sheet(W, H)
    maps = (masonry.wall(W, H, stone, joint, own, second=trim), masonry.tiles(W, H, roof, own))
    form = style.choice(["portico", "dome", "tiers"])
    foot = H - 14.0
    {"portico": _portico, "dome": _dome, "tiers": _tiers}[form](s, style, own, maps, (stone, trim, roof), foot)
    masonry.weathered(s, own)
    return cutout(s.pixels(edition), W / 2600.0, stone, word)


def _steps(s: Sheet, half: float, foot: float, count: int, colour: Colour) -> float:
    """A flight of steps around the building; returns its upper edge."""
    cx = W / 2
    for i in range(count):
        y1 = foot - i * 20
        grow = (count - i) * 24
        s.part(
            box(cx - half - grow, y1 - 21, cx + half + grow, y1),
            mix(colour, (70, 66, 62), 0.12 + 0.05 * (i % 2)),
            depth_px=5,
            shadow=0.3,
        )
    return foot - count * 20


def _column(s: Sheet, x: float, y0: float, y1: float, half: float, colour: Colour, own_kind: str) -> None:
    """Base, fluted shaft and capital."""
    s.part(
        ribbon([(x, y1 - 16), (x, (y0 + y1) / 2), (x, y0 + 20)], [half, half * 0.97, half * 0.84]),
        colour,
        depth_px=half * 1.1,
        shadow=0.4,
    )
    for i in (-0.55, -0.2, 0.2, 0.55):
        s.line(
            np.array([(x + i * half, y1 - 22), (x + i * half * 0.86, y0 + 26)]),
            mix(colour, (60, 54, 50), 0.5),
            max(2.0, half * 0.11),
            0.6,
        )
    s.part(box(x - half * 1.35, y1 - 20, x + half * 1.35, y1), colour, depth_px=7)
    s.part(box(x - half * 1.4, y0, x + half * 1.4, y0 + 14), colour, depth_px=5)
    if own_kind == "scroll":
        for side in (-1, 1):
            t = np.linspace(0, 2 * math.pi, 16, endpoint=False)
            s.part(
                np.stack([x + side * half * 1.05 + half * 0.42 * np.cos(t), y0 + 24 + half * 0.42 * np.sin(t)], axis=1),
                colour,
                depth_px=half * 0.3,
            )
    elif own_kind == "leaf":
        for i in (-0.8, 0.0, 0.8):
            ornament(s, x + i * half, y0 + 26, half * 0.5, "leaf", colour)
    else:
        s.part(box(x - half * 1.1, y0 + 12, x + half * 1.1, y0 + 24), colour, depth_px=5)


def _portico(
    s: Sheet,
    style: random.Random,
    own: random.Random,
    maps: tuple[np.ndarray, np.ndarray],
    tones: tuple[Colour, Colour, Colour],
    foot: float,
) -> None:
    stone, trim, roof = tones
    courses, tiled = maps
    cx, half = W / 2, style.uniform(400, 470)
    floor = _steps(s, half, foot, style.randint(3, 6), stone)
    top = floor - style.uniform(330, 420)
    s.part(box(cx - half + 26, top, cx + half - 26, floor), courses, depth_px=6, tone=0.72, strength=0.5)
    door = own.choice(["round", "flat", "pointed"])
    s.part(arch(cx, floor, 62, 230, door), trim, depth_px=8)
    s.part(arch(cx, floor, 50, 214, door), own.choice([(96, 58, 38), (52, 74, 66), (66, 54, 72)]), depth_px=5)
    n = own.choice([4, 5, 6, 7, 8])
    n += n % 2 if n > 5 else 0
    kind, colour = own.choice(["scroll", "leaf", "plain"]), own.choice([trim, stone, mix(trim, (250, 246, 236), 0.5)])
    inside = own.choice(["circle", "round", "flat"])
    for i in range(n - 1):
        x = cx - half + 46 + (2 * half - 92) * (i + 0.5) / (n - 1)
        if abs(x - cx) > 70:
            window(s, x, floor - 120, 24, 48 if inside == "circle" else 110, inside, trim, own, (46, 52, 60))
    for i in range(n):
        _column(s, cx - half + 46 + (2 * half - 92) * i / (n - 1), top, floor, 150 / n + 8, colour, kind)
    beam = top - 62
    s.part(box(cx - half, beam, cx + half, top + 4), courses, depth_px=5, strength=0.5, shadow=0.5)
    frieze = own.sample(["star", "shield", "sun", "leaf", "ring"], 2)
    count = own.randint(7, 13)
    for i in range(count):
        ornament(s, cx - half + 2 * half * (i + 0.5) / count, beam + 34, 17, frieze[i % 2], trim)
    cornice(s, cx - half, cx + half, beam - 14, 20, trim, teeth=own.random() < 0.6)
    rise = style.uniform(130, 210)
    s.part(
        np.array([(cx - half - 26, beam - 12), (cx + half + 26, beam - 12), (cx, beam - rise)]),
        tiled,
        depth_px=8,
        strength=0.5,
    )
    s.part(
        np.array([(cx - half + 54, beam - 18), (cx + half - 54, beam - 18), (cx, beam - rise + 34)]),
        courses,
        depth_px=5,
        strength=0.4,
    )
    masonry_relief = own.choice(["sun", "shield", "star", "ring"])
    ornament(s, cx, beam - rise * 0.42, rise * 0.24, masonry_relief, trim)
    for side in (-1, 1):
        for k in range(own.randint(1, 3)):
            ornament(
                s,
                cx + side * (92 + k * 74),
                beam - rise * (0.34 - 0.09 * k),
                rise * (0.13 - 0.02 * k),
                frieze[k % 2],
                trim,
            )
    for x, y in ((cx, beam - rise - 18), (cx - half - 10, beam - 34), (cx + half + 10, beam - 34)):
        ornament(s, x, y, 24, frieze[0], mix(roof, trim, 0.5))


def _dome(
    s: Sheet,
    style: random.Random,
    own: random.Random,
    maps: tuple[np.ndarray, np.ndarray],
    tones: tuple[Colour, Colour, Colour],
    foot: float,
) -> None:
    stone, trim, roof = tones
    courses, tiled = maps
    cx, half = W / 2, style.uniform(380, 450)
    floor = _steps(s, half, foot, style.randint(2, 4), stone)
    top = floor - style.uniform(250, 320)
    s.part(box(cx - half, top, cx + half, floor), courses, depth_px=6, strength=0.5)
    form, n = own.choice(["round", "pointed"]), own.choice([5, 7, 9])
    for i in range(n):
        x = cx + (i - (n - 1) / 2) * (2 * half - 60) / n
        if i == n // 2:
            s.part(arch(x, floor, 66, 216, form), trim, depth_px=9)
            s.part(arch(x, floor, 52, 198, form), (84, 52, 40), depth_px=5)
        else:
            window(s, x, floor - 56, min(30.0, 150 / n + 6), 140, form, trim, own, (48, 58, 70))
    cornice(s, cx - half, cx + half, top - 16, 24, trim, teeth=True)
    drum, r = own.uniform(86, 120), half * style.uniform(0.5, 0.62)
    s.part(box(cx - r, top - 16 - drum, cx + r, top - 12), courses, depth_px=r * 0.9)
    m = own.choice([5, 6, 7])
    for i in range(m):
        a = (i + 0.5) / m * math.pi
        window(s, cx - r * math.cos(a) * 0.9, top - 34, 17 * math.sin(a) + 4, drum * 0.6, form, trim, own, (44, 52, 64))
    base = top - 16 - drum
    cornice(s, cx - r, cx + r, base - 12, 16, trim)
    rise = r * style.uniform(0.9, 1.25)
    bulb = [
        (cx - r, base - 6),
        (cx - r * 0.94, base - rise * 0.5),
        (cx - r * 0.5, base - rise * 0.9),
        (cx - 14, base - rise * 1.04),
    ]
    outline = np.concatenate(
        [smooth(bulb, closed=False), smooth([(2 * cx - x, y) for x, y in bulb[::-1]], closed=False)]
    )
    s.part(outline, tiled, depth_px=r * 0.9)
    for i in np.linspace(-0.8, 0.8, own.choice([5, 7])):
        ridge = [
            (cx + i * r, base - 8),
            (cx + i * r * 0.94, base - rise * 0.5),
            (cx + i * r * 0.5, base - rise * 0.9),
            (cx, base - rise * 1.03),
        ]
        s.line(smooth(ridge, closed=False), mix(roof, (240, 226, 180), own.choice([0.0, 0.6])), 5, 0.8)
    gold: Colour = (222, 180, 74)
    s.part(box(cx - 26, base - rise * 1.04 - 60, cx + 26, base - rise), courses, depth_px=24)
    ornament(s, cx, base - rise * 1.04 - 84, 28, own.choice(["star", "sun", "ring"]), gold)
    for side in (-1, 1):
        x = cx + side * (half - 48)
        s.part(box(x - 46, top - 130, x + 46, top - 10), courses, depth_px=40)
        window(s, x, top - 34, 16, 66, form, trim, own, (44, 52, 64))
        cap = [(x - 54, top - 126), (x - 44, top - 176), (x, top - 220)]
        s.part(
            np.concatenate([smooth(cap, closed=False), smooth([(2 * x - a, b) for a, b in cap[::-1]], closed=False)]),
            tiled,
            depth_px=44,
        )


def _tiers(
    s: Sheet,
    style: random.Random,
    own: random.Random,
    maps: tuple[np.ndarray, np.ndarray],
    tones: tuple[Colour, Colour, Colour],
    foot: float,
) -> None:
    """Roof above roof, each smaller, with turned-up eaves."""
    stone, trim, _ = tones
    courses, tiled = maps
    cx, half = W / 2, style.uniform(300, 360)
    y = _steps(s, half + 60, foot, style.randint(2, 4), stone)
    count = style.randint(3, 4)
    high = (y - 90) / (count + 0.4)
    lattice: Colour = own.choice([(150, 44, 36), (58, 92, 84), (92, 58, 40), (46, 62, 98)])
    for i in range(count):
        wide = half * (1 - 0.2 * i)
        y0 = y - high * 0.58
        s.part(box(cx - wide, y0, cx + wide, y), courses, depth_px=6, strength=0.5)
        n = own.choice([3, 5, 7]) if i else 5
        for j in range(n):
            x = cx + (j - (n - 1) / 2) * (2 * wide - 40) / n
            if i == 0 and j == n // 2:
                s.part(arch(x, y, 48, high * 0.5, "round"), trim, depth_px=8)
                s.part(arch(x, y, 38, high * 0.44, "round"), mix(lattice, (20, 16, 14), 0.4), depth_px=5)
            else:
                size = min(30.0, wide * 0.6 / n)
                s.part(box(x - size, y0 + high * 0.16, x + size, y - 18), lattice, depth_px=5)
                for k in (-0.4, 0.4):
                    s.line(np.array([(x + k * size, y0 + high * 0.17), (x + k * size, y - 20)]), trim, 4)
                s.line(
                    np.array(
                        [(x - size, (y0 + high * 0.16 + y - 18) / 2), (x + size, (y0 + high * 0.16 + y - 18) / 2)]
                    ),
                    trim,
                    4,
                )
        for edge in (-1, 1):
            s.part(box(cx + edge * (wide - 12) - 13, y0, cx + edge * (wide - 12) + 13, y), lattice, depth_px=12)
        eave, ridge = wide * 1.34, wide * 0.72
        crest = y0 - high * 0.42
        left = [(cx - eave - 12, y0 - 16), (cx - wide * 0.95, y0 + 12), (cx, y0 + 18)]
        under = smooth([*left, *((2 * cx - a, b) for a, b in left[-2::-1])], closed=False)
        upper = smooth(
            [
                (cx + eave + 12, y0 - 16),
                (cx + wide * 0.98, y0 - high * 0.2),
                (cx + ridge, crest),
                (cx - ridge, crest),
                (cx - wide * 0.98, y0 - high * 0.2),
                (cx - eave - 12, y0 - 16),
            ],
            closed=False,
        )
        s.part(np.concatenate([under, upper]), tiled, depth_px=26, shadow=0.5)
        s.line(under, trim, 8, 0.9)
        for edge in (-1, 1):
            ornament(s, cx + edge * (eave + 4), y0 - 26, 14, own.choice(["leaf", "ring"]), trim)
        y = crest + 10
    gold: Colour = (222, 180, 74)
    for k in range(own.randint(2, 4)):
        ornament(s, cx, y - 14 - 26 * k, 24 - 5 * k, "ring", gold)
    s.part(box(cx - 4, max(4.0, y - 150), cx + 4, y - 60), gold, depth_px=4)
