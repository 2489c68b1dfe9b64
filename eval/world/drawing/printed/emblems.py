"""Coats of arms on painted boards, and banners with the same kind of device: divisions, charges, borders, fringes.

How the field is divided is the family's, what stands on it each one's own. Stamps and medals are in `stamps`.
"""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, luma, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon, star
from eval.world.drawing.kit.prints import as_printed
from eval.world.drawing.kit.solids import Point, Solid, band, box, ellipse, smooth
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

WIDTH = 840
_GOLD: Colour = (216, 174, 72)
_SILVER: Colour = (232, 232, 228)
_DIVISIONS = ("quarterly", "pale", "fess", "bend", "chevron", "gyron", "checks", "bars")


def _tinctures(p: Palette) -> tuple[Colour, Colour, Colour, Colour]:
    """(first field, second field, metal, dark): strong colours, as far apart as heralds want them."""
    first = p.main if luma(p.main) < 0.72 else p.second
    second = p.second if first == p.main and luma(p.second) < 0.75 else p.ink
    return first, second, _GOLD, p.ink


def _divide(c: Canvas, kind: str, a: Colour, b: Colour, own: random.Random) -> list[Point]:
    """Paint the field; returns the places where charges go."""
    c.rect(0, 0, 1, 1, a)
    if kind == "quarterly":
        c.rect(0.5, 0, 1, 0.45, b)
        c.rect(0, 0.45, 0.5, 1, b)
        return [(0.27, 0.23), (0.73, 0.23), (0.3, 0.64), (0.7, 0.64)]
    if kind == "pale":
        c.rect(0.5, 0, 1, 1, b)
        return [(0.26, 0.22), (0.74, 0.22), (0.29, 0.58), (0.71, 0.58)]
    if kind == "fess":
        c.rect(0, 0.36, 1, 0.6, b)
        return [(0.24, 0.19), (0.76, 0.19), (0.5, 0.48), (0.5, 0.78)]
    if kind == "bend":
        c.poly([(0, 0), (0.2, 0), (1, 0.66), (1, 0.86), (0.85, 0.86), (0, 0.18)], b)
        return [(0.7, 0.22), (0.5, 0.41), (0.32, 0.66)]
    if kind == "chevron":
        c.poly([(0, 0.72), (0.5, 0.34), (1, 0.72), (1, 0.54), (0.5, 0.16), (0, 0.54)], b)
        return [(0.2, 0.2), (0.8, 0.2), (0.5, 0.68)]
    if kind == "gyron":
        for i in range(0, 8, 2):
            t = i * math.pi / 4
            c.poly(
                [
                    (0.5, 0.45),
                    (0.5 + 2 * math.cos(t), 0.45 + 2 * math.sin(t)),
                    (0.5 + 2 * math.cos(t + 0.785), 0.45 + 2 * math.sin(t + 0.785)),
                ],
                b,
            )
        return [(0.5, 0.45), (0.24, 0.18), (0.76, 0.18)]
    if kind == "checks":
        for j in range(8):
            for i in range(6):
                if (i + j) % 2:
                    c.rect(i / 6, j / 8, (i + 1) / 6, (j + 1) / 8, b)
        c.disc(0.5, 0.42, 0.28, a)
        return [(0.5, 0.42)]
    n = own.choice([5, 7])
    for i in range(1, n, 2):
        c.rect(0, i / n, 1, (i + 1) / n, b)
    return [(0.28, 0.22), (0.72, 0.22), (0.5, 0.62)]


def _device(p: Palette, style: random.Random, own: random.Random, size: tuple[int, int]) -> np.ndarray:
    """The painted field with its charges, (h, w, 3) uint8."""
    first, second, metal, dark = _tinctures(p)
    c = Canvas(*size, first)
    kind = style.choice(_DIVISIONS)
    places = _divide(c, kind, first, second, own)
    names = own.sample(sorted(ICONS), 3)
    big = 0.24 if len(places) == 1 else 0.135
    for i, (x, y) in enumerate(places):
        charge = names[min(i % 2 if kind in ("quarterly", "pale") else i, 2)]
        ground = _ground(c, x, y)
        a = metal if abs(luma(ground) - luma(metal)) > 0.22 else dark
        b = own.choice([_SILVER, dark, (180, 44, 38)])
        icon(
            c,
            charge,
            x,
            y,
            big * own.uniform(0.95, 1.15),
            a,
            b if abs(luma(b) - luma(a)) > 0.2 else mix(a, (0, 0, 0), 0.55),
            own,
        )
    k = c.w / c.h
    taken = [*places]
    for _ in range(own.randint(26, 44)):  # small things strewn between
        x, y = own.uniform(0.06, 0.94), own.uniform(0.04, 0.9)
        if all(
            math.hypot(x - u, (y - v) / k) > (0.16 if (u, v) in places else 0.06) + (0.14 if len(places) == 1 else 0)
            for u, v in taken
        ):
            taken.append((x, y))
            tone = readable(_ground(c, x, y), metal, _SILVER, dark)
            shape = own.randrange(4)
            if shape == 0:
                star(c, x, y, 0.03, tone, own.choice([5, 6, 8]))
            elif shape == 1:
                c.disc(x, y, 0.018, tone)
            elif shape == 2:
                c.poly([(x, y - 0.03 * k), (x + 0.02, y), (x, y + 0.03 * k), (x - 0.02, y)], tone)
            else:
                for t in range(3):
                    c.disc(x + 0.013 * math.cos(t * 2.1 - 1.57), y + 0.013 * k * math.sin(t * 2.1 - 1.57), 0.011, tone)
    return c.array()[..., :3]


def _ground(c: Canvas, x: float, y: float) -> Colour:
    px = c.image.getpixel((min(c.w - 1, max(0, int(x * c.w))), min(c.h - 1, max(0, int(y * c.h)))))
    assert isinstance(px, tuple)
    return (int(px[0]), int(px[1]), int(px[2]))


def _shield(style: random.Random) -> list[Point]:
    """The outline of the board."""
    half = style.choice(
        [
            [(0.5, 0.05), (0.9, 0.05), (0.9, 0.5), (0.84, 0.78), (0.68, 0.98), (0.5, 1.09)],
            [(0.5, 0.09), (0.7, 0.05), (0.92, 0.07), (0.87, 0.3), (0.9, 0.56), (0.78, 0.88), (0.5, 1.09)],
            [(0.5, 0.05), (0.88, 0.05), (0.88, 0.72), (0.84, 0.9), (0.66, 0.96), (0.5, 1.07)],
            [(0.5, 0.06), (0.78, 0.1), (0.93, 0.05), (0.9, 0.42), (0.8, 0.76), (0.5, 1.08)],
        ]
    )
    right = smooth(half, closed=False, steps=8)
    return right + [(1 - x, y) for x, y in reversed(right[1:-1])]


def _ribbon(solid: Solid, text: str | None, tone: Colour, font: str, own: random.Random) -> None:
    """A scroll below the shield, with words or with knots."""
    for side in (-1, 1):
        tail = [
            (0.5 + side * 0.36, 1.1),
            (0.5 + side * 0.49, 1.07),
            (0.5 + side * 0.45, 1.13),
            (0.5 + side * 0.49, 1.2),
            (0.5 + side * 0.34, 1.2),
        ]
        solid.part(tail, mix(tone, (0, 0, 0), 0.25), bulge=0.01, gloss=0.1)
    curve = smooth([(0.1, 1.14), (0.3, 1.17), (0.5, 1.18), (0.7, 1.17), (0.9, 1.14)], closed=False)
    solid.part(band(curve, 0.115), tone, bulge=0.015, gloss=0.15)
    c = Canvas(900, 110, None)
    ink = readable(tone, (40, 26, 18), (250, 244, 230))
    if text is not None:
        c.text((0.02, 0.02, 0.98, 0.98), text, font, ink, lines=1)
    else:
        for i in range(own.randint(7, 11)):
            x = 0.06 + 0.085 * i
            star(c, x, 0.5, 0.026, ink, own.choice([4, 5, 6, 8])) if own.random() < 0.6 else c.disc(x, 0.5, 0.02, ink)
    solid.decal([(0.13, 1.115), (0.87, 1.115), (0.87, 1.225), (0.13, 1.225)], c.array())


def draw_arms(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A coat of arms as a painted, carved board with a scroll."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    solid = Solid(WIDTH, 1.26, edition)
    outline = _shield(style)
    rim: Colour = style.choice([_GOLD, (92, 62, 40), (186, 188, 192)])
    solid.part(
        [(0.5 + (x - 0.5) * 1.09, 0.56 + (y - 0.56) * 1.08) for x, y in outline], rim, bulge=0.03, gloss=0.5, metal=0.25
    )
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    size = (900, round(900 * (max(ys) - min(ys)) / (max(xs) - min(xs))))
    solid.part(outline, _device(p, style, own, size), bulge=0.02, gloss=0.3, cast=0.3)
    for i in range(0, len(outline), 4):  # studs along the rim
        x, y = 0.5 + (outline[i][0] - 0.5) * 1.045, 0.56 + (outline[i][1] - 0.56) * 1.04
        if own.random() < 0.8:
            solid.part(
                ellipse(x, y, 0.011, 0.011, n=14), mix(rim, (255, 255, 255), 0.25), bulge=0.008, metal=0.4, cast=0.3
            )
    text = str(thing.content["place"]) if thing.look["named"] else None
    _ribbon(solid, text, style.choice([(238, 228, 204), (166, 44, 38), (40, 66, 110)]), fonts.pick("title", style), own)
    return Art(weather(as_printed(solid.pixels(), edition), edition), 30.0, 37.8, 2.5, "cutout", p.main, p.word, 0.25)


def _drape(pixels: np.ndarray, edition: Edition) -> np.ndarray:
    """Soft folds that hang straight down, another way on every picture."""
    h, w = pixels.shape[:2]
    r = edition.draws
    x = np.linspace(0, 1, w, dtype=np.float32)[None]
    y = np.linspace(0, 1, h, dtype=np.float32)[:, None]
    wave = sum(a * np.sin(f * x * 6.28 + p + 0.8 * y * math.sin(p)) for a, f, p in
               ((r.uniform(0.2, 0.5), r.uniform(1, 5), r.uniform(0, 6)) for _ in range(4)))  # fmt: skip
    shade = 1 + 0.17 * np.asarray(wave, np.float32) * (0.35 + 0.65 * y)
    move = (np.asarray(wave, np.float32) * 0.006 * w * y).astype(np.float32)
    gx = np.broadcast_to(np.arange(w, dtype=np.float32)[None], (h, w)) + move
    gy = np.ascontiguousarray(np.broadcast_to(np.arange(h, dtype=np.float32)[:, None], (h, w)))
    out = cv2.remap(pixels, np.ascontiguousarray(gx), gy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    thread = 1 + 0.025 * np.sin(np.arange(h) * 2.1)[:, None] * np.sin(np.arange(w) * 2.1)[None]
    return np.asarray(np.clip(out * (shade * thread)[..., None], 0, 255), np.float32)


def draw_banner(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A banner of cloth that hangs from a rod, with a cut lower edge, fringe and tassels."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    _, second, metal, dark = _tinctures(p)
    solid = Solid(WIDTH, 1.5, edition)
    ends = style.choice(["tails", "point", "three", "straight"])
    low = {
        "tails": [(0.88, 1.36), (0.5, 1.16), (0.12, 1.36)],
        "point": [(0.88, 1.12), (0.5, 1.36), (0.12, 1.12)],
        "three": [(0.88, 1.2), (0.76, 1.34), (0.63, 1.2), (0.5, 1.34), (0.37, 1.2), (0.24, 1.34), (0.12, 1.2)],
        "straight": [(0.88, 1.3), (0.12, 1.3)],
    }[ends]
    cloth = _device(p, style, own, (900, 1420))
    c = Canvas(900, 1420, None)
    c.rect(0, 0, 1, 1, None, outline=metal, width=0.022)
    if thing.look["named"]:
        back = readable(metal, dark, second)
        c.rect(0.06, 0.05, 0.94, 0.15, back)
        c.text(
            (0.09, 0.055, 0.91, 0.145),
            str(thing.content["place"]),
            fonts.pick("title", style),
            readable(back, _SILVER, metal, dark),
            lines=1,
        )
    frame = c.array()
    a = frame[..., 3:].astype(np.float32) / 255
    cloth = np.clip(cloth * (1 - a) + frame[..., :3] * a, 0, 255).astype(np.uint8)
    for i in range(len(low) - 1):  # fringe
        (x0, y0), (x1, y1) = low[i], low[i + 1]
        for j in range(22):
            t = (j + 0.5) / 22
            x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
            solid.part(
                band([(x, y - 0.01), (x + 0.002, y + 0.045)], 0.011, 0.004),
                mix(metal, dark, 0.25 * (j % 2)),
                bulge=0.004,
                cast=0,
            )
    solid.part([(0.12, 0.13), (0.88, 0.13), *low], _drape(cloth, edition), bulge=0.004, gloss=0.03, cast=0.15)
    for x in (0.2, 0.35, 0.5, 0.65, 0.8):
        solid.part(box(x - 0.035, 0.07, x + 0.035, 0.15, 0.01), mix(second, dark, 0.2), bulge=0.012, gloss=0.05)
    wood = style.choice([(120, 78, 46), (70, 48, 36), (176, 130, 84)])
    solid.part(box(0.05, 0.085, 0.95, 0.118, 0.016), wood, bulge=0.016, gloss=0.5)
    for side in (0.05, 0.95):
        solid.part(ellipse(side, 0.1, 0.03, 0.03), metal, bulge=0.02, metal=0.5)
    cord = smooth([(0.2, 0.09), (0.36, 0.04), (0.5, 0.012), (0.64, 0.04), (0.8, 0.09)], closed=False)
    solid.part(band(cord, 0.012), metal, bulge=0.006, cast=0.2)
    return Art(weather(as_printed(solid.pixels(), edition), edition), 36.0, 54.0, 0.8, "cutout", p.main, p.word, 0.02)
