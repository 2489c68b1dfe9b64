"""Buses and trams from the side, with their noses: windows, doors, livery and advertisement of each one's own.

A long body in perspective: the side is a cut-out, the nose its narrow end. Sizes in cm.
"""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.surface import MOTIFS, Surface, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints, wheel
from eval.world.model import Thing
from eval.world.verbalise import number_text

_GLASS = (64, 78, 88)


def draw_bus(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A town bus with one floor or two."""
    style = random.Random(thing.look["style"])
    floors = style.choice([1, 1, 2])
    return _draw(thing, edition, fonts, style, (980.0, 296.0 if floors == 1 else 420.0), floors, rails=False)


def draw_tram(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A tram: bogies behind skirts, a pantograph on the roof."""
    style = random.Random(thing.look["style"])
    return _draw(thing, edition, fonts, style, (style.choice([1120.0, 1240.0]), 318.0), 1, rails=True)


def _draw(
    thing: Thing,
    edition: Edition,
    fonts: FontBox,
    style: random.Random,
    size: tuple[float, float],
    floors: int,
    *,
    rails: bool,
) -> Art:
    own = random.Random(thing.look["own"])
    length, height = size
    p, colours = paints(thing, edition)
    extra = 90.0 if rails else 14.0
    s = Surface(length, height + extra, p.main, 1500)
    hull = rounded(0, 26 if rails else 34, length, height, 22)
    body = s.mask(hull)
    s.paint(body, p.main)
    _livery(s, thing, p, colours, style, own, floors)
    s.light(body, 0.74, 1.1)
    columns = _windows(s, length, height, floors, p, style)
    _doors(s, columns, p, style)
    _roof(s, length, height, rails, p, own)
    _signs(s, thing, fonts, length, height, p, style)
    design = (own.choice([6, 8, 10]), own.choice(["holes", "disc", "spokes"]), own.choice(colours))
    turn = edition.draws.uniform(0, 6)
    _wheels(s, length, rails, design, turn, p)
    s.cut([(0, height), (0, height - 20), (10, height)])
    ends = _nose(thing, edition, p, colours, height, floors, extra, style)
    return Art(s.array(), length, s.height, 240.0, "cutout", shade(p.main, 0.8), p.word, 0.0, ends=ends)


def _livery(
    s: Surface, thing: Thing, p: Palette, colours: list[Colour], style: random.Random, own: random.Random, floors: int
) -> None:
    """A skirt band, a waist band of the vehicle's own pattern, and now and then a slanting field."""
    w = s.width
    s.paint(s.mask(rounded(0, 34, w, 58, 6)), p.ink, 0.999)
    inks = [mix(p.main, p.light, 0.2), *own.sample(colours, 3)]
    bands = [(64.0, 118.0)] + ([(226.0, 264.0)] if floors == 2 else [])
    for low, high in bands:
        x0 = own.uniform(0.0, 0.25) * w
        area = s.mask(
            [(x0, low), (w * own.uniform(0.7, 1.0), low), (w * own.uniform(0.75, 1.0), high), (x0 + 40, high)]
        )
        motif(s, area, own.choice(MOTIFS), inks, own.choice([18.0, 24.0, 27.0]), own)
    edge = own.choice(colours)
    s.paint(s.mask(rounded(0, 119, w, 124, 0)), edge, 0.999)


def _windows(
    s: Surface, length: float, height: float, floors: int, p: Palette, style: random.Random
) -> list[tuple[float, float]]:
    """Glass in every bay; returns the bays (x0, x1) of the lower floor."""
    n = style.choice([6, 7, 8])
    step = (length - 60) / n
    bays = [(30 + i * step + 5, 30 + (i + 1) * step - 5) for i in range(n)]
    rows = [(134.0, 218.0)] if floors == 1 else [(134.0, 216.0), (274.0, 356.0)]
    for low, high in rows:
        s.fill(rounded(22, low - 6, length - 8, high + 6, 10), (30, 32, 35))
        for k, (x0, x1) in enumerate(bays):
            pane = rounded(x0, low, x1, high, 6)
            s.fill(pane, _GLASS)
            area = s.mask(pane)
            s.light(area, 0.7, 1.5)
            streak = s.mask([(x0 + 14, low), (x0 + 42, low), (x0 + 74, high), (x0 + 46, high)])
            s.paint(np.minimum(streak, area), (222, 232, 238), 0.28)
            for seat in (0.2, 0.62):
                sx = x0 + seat * (x1 - x0)
                s.paint(np.minimum(s.mask(rounded(sx, low, sx + 26, low + 28, 6)), area), shade(p.second, 0.6), 0.8)
            if k % 2:
                s.line([(x0, high - 24), (x1, high - 24)], (40, 44, 48), 2.0)
    return bays


def _doors(s: Surface, bays: list[tuple[float, float]], p: Palette, style: random.Random) -> None:
    """Folding doors in two or three bays."""
    places = style.choice([(0, 3), (1, -1), (0, 2, -1), (2, -1)])
    for i in places:
        x0, x1 = bays[i]
        x1 = min(x1, x0 + 118)
        s.fill(rounded(x0 - 4, 38, x1 + 4, 224, 5), (26, 28, 30))
        middle = (x0 + x1) / 2
        for a, b in ((x0, middle - 2), (middle + 2, x1)):
            s.fill(rounded(a, 42, b, 220, 4), p.second)
            s.fill(rounded(a + 6, 60, b - 6, 212, 4), _GLASS)
            s.light(s.mask(rounded(a + 6, 60, b - 6, 212, 4)), 0.7, 1.5)
            s.line([(b - 9, 96), (b - 9, 150)], (226, 190, 70), 2.5)


def _roof(s: Surface, length: float, height: float, rails: bool, p: Palette, own: random.Random) -> None:
    """Boxes on the roof; a pantograph on a tram."""
    if not rails:
        for x in (0.2, 0.62):
            s.fill(
                rounded(length * x, height - 3, length * x + own.uniform(90, 150), height + 11, 8), shade(p.light, 0.75)
            )
        return
    for k in range(own.choice([2, 3, 4])):
        x = length * (0.06 + 0.24 * k)
        s.fill(rounded(x, height - 3, x + own.uniform(70, 150), height + 18, 5), shade(p.light, 0.7))
    x = length * own.uniform(0.42, 0.58)
    dark = (58, 60, 64)
    for a, b in (((x - 50, height + 8), (x + 30, height + 48)), ((x + 30, height + 48), (x - 20, height + 84))):
        s.line([a, b], dark, 5)
        s.line([(2 * x - a[0] + 20, a[1]), (b[0] - 8, b[1])], dark, 3)
    s.line([(x - 62, height + 85), (x + 24, height + 85)], dark, 5)
    s.line([(x - 70, height + 78), (x - 60, height + 86)], dark, 4)


def _signs(
    s: Surface, thing: Thing, fonts: FontBox, length: float, height: float, p: Palette, style: random.Random
) -> None:
    """The line's number where it is shown, the name where the vehicle carries one."""
    route = thing.facts.get("route")
    top = height - 18
    s.fill(rounded(length - 190, top - 32, length - 40, top, 4), (18, 18, 20))
    if route is not None and route.on_picture:
        number = number_text(float(route.value.value), grouped=False)
        s.text(length - 186, top - 30, length - 44, top - 2, number, fonts.pick("sign", style), (250, 196, 60))
    else:
        mark = random.Random(thing.look["own"] + 5)
        for i in range(20):
            for j in range(4):
                if mark.random() < 0.5:
                    s.disc(length - 182 + i * 7, top - 27 + j * 7, 2.4, (250, 196, 60))
    if thing.look["named"]:
        text = f"{thing.content['brand']} {thing.variant}"
        x = length * 0.12
        s.fill(rounded(x, height - 56, x + 330, height - 14, 6), p.light)
        s.text(
            x + 8, height - 54, x + 322, height - 16, text, fonts.pick("brand", style), readable(p.light, p.ink, p.main)
        )


def _wheels(s: Surface, length: float, rails: bool, design: tuple[int, str, Colour], turn: float, p: Palette) -> None:
    if not rails:
        for x in (length * 0.2, length * 0.76):
            s.disc(x, 46, 60, (26, 26, 28))
            s.fill([(x - 60, 34), (x + 60, 34), (x + 60, 46), (x - 60, 46)], (26, 26, 28))
            wheel(s, x, 46, 46, design, turn, 0.62)
        return
    for centre in (length * 0.2, length * 0.8):
        s.fill(rounded(centre - 130, 22, centre + 130, 62, 8), (44, 46, 50))
        for dx in (-78, 78):
            wheel(s, centre + dx, 33, 33, design, turn, 0.86)
        s.fill(rounded(centre - 100, 40, centre + 100, 58, 6), shade(p.ink, 0.9))
        for k in range(7):
            s.disc(centre - 84 + 28 * k, 49, 4, (120, 122, 126))


def _nose(
    thing: Thing,
    edition: Edition,
    p: Palette,
    colours: list[Colour],
    height: float,
    floors: int,
    extra: float,
    style: random.Random,
) -> np.ndarray:
    """The front: windscreen, lamps, a chevron of the family."""
    s = Surface(240, height + extra, p.main, 700)
    s.fill(rounded(0, 34, 240, height, 20), p.main)
    body = s.mask(rounded(0, 34, 240, height, 20))
    s.paint(s.mask([(0, 60), (120, 36), (240, 60), (240, 104), (120, 80), (0, 104)]), style.choice(colours), 0.999)
    for low, high in [(128.0, 236.0)] + ([(272.0, 360.0)] if floors == 2 else []):
        s.fill(rounded(14, low, 226, high, 16), (30, 32, 35))
        s.fill(rounded(20, low + 6, 220, high - 6, 12), _GLASS)
        s.light(s.mask(rounded(20, low + 6, 220, high - 6, 12)), 0.7, 1.6)
        s.line([(120, low), (120, high)], (30, 32, 35), 4)
        s.line([(60, low + 4), (104, low + 56)], (20, 20, 22), 3)
        s.line([(140, low + 4), (184, low + 56)], (20, 20, 22), 3)
    s.fill(rounded(50, height - 50, 190, height - 18, 4), (18, 18, 20))
    for x in (36, 204):
        s.disc(x, 92, 14, (200, 204, 208))
        s.disc(x, 92, 11, (250, 246, 220))
    for k in range(6):
        s.line([(80, 50 + 5 * k), (160, 50 + 5 * k)], shade(p.ink, 1.0), 2)
    s.light(body, 0.72, 1.08)
    for x in (20, 190):
        s.fill(rounded(x, 4, x + 30, 38, 4), (26, 26, 28))
    s.disc(120, 108, 9 + 2 * math.sin(edition.hue), shade(p.light, 0.9))
    return s.array()
