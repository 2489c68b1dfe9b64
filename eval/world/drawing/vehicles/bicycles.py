"""Bicycles from the side: frame shapes of a family; paint, bags, mudguards and wheels of each model's own.

Sizes in cm, ground at y = 0, front to the right.
"""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.surface import MOTIFS, Surface, arc, curve, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints
from eval.world.model import Thing

_DARK = (38, 38, 42)
_STEEL = (196, 198, 202)


def draw_bicycle(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A bicycle with luggage."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    shape = style.choice(["diamond", "low", "cargo"])
    reach = 30.0 if shape == "cargo" else 0.0
    s = Surface(184 + reach, 116, p.main, 1400)
    rear, front, radius = (36.0, 35.0), (147.0 + reach, 35.0), 33.0
    tyre = own.choice([_DARK, _DARK, (150, 108, 70), (222, 212, 190)])
    spokes = own.choice([14, 18, 24])
    turn = edition.draws.uniform(0, 6)
    for hub in (rear, front):
        _bike_wheel(s, hub, radius, tyre, spokes, turn, own.choice(colours) if own.random() < 0.3 else None)
    guard = own.choice([p.main, p.second, p.accent])
    s.line(arc(*rear, radius + 4, radius + 4, 10, 170), guard, 3.0)
    s.line(arc(*front, radius + 4, radius + 4, 20, 165), guard, 3.0)
    _frame(s, shape, rear, front, p, reach)
    _drive(s, rear, (84.0, 31.0), edition, own)
    _seat_and_bars(s, shape, reach, p, own, style)
    if shape == "cargo":
        _box(s, thing, fonts, p, colours, own, style)
    _luggage(s, thing, fonts, shape, p, colours, own, style)
    return Art(s.array(), s.width, s.height, 40.0, "cutout", p.main, p.word, 0.0)


def _bike_wheel(
    s: Surface,
    hub: tuple[float, float],
    radius: float,
    tyre: Colour,
    spokes: int,
    turn: float,
    disc: Colour | None,
) -> None:
    x, y = hub
    if disc is not None:
        s.disc(x, y, radius * 0.6, disc)
        for k in range(6):
            a = turn + k * math.pi / 3
            s.disc(x + radius * 0.4 * math.cos(a), y + radius * 0.4 * math.sin(a), radius * 0.1, shade(disc, 0.5))
    for k in range(spokes):
        a, b = turn + 2 * math.pi * k / spokes, turn + 2 * math.pi * k / spokes + 0.3
        s.line(
            [(x + 3 * math.cos(b), y + 3 * math.sin(b)), (x + radius * math.cos(a), y + radius * math.sin(a))],
            _STEEL,
            0.5,
        )
    s.line(arc(x, y, radius - 2, radius - 2, n=90), _STEEL, 1.8, closed=True)
    s.line(arc(x, y, radius, radius, n=90), tyre, 4.0, closed=True)
    s.disc(x, y, 3.2, shade(_STEEL, 0.8))
    s.disc(x, y, 1.6, _DARK)


def _tube(s: Surface, a: tuple[float, float], b: tuple[float, float], colour: Colour, width: float) -> None:
    """A tube with its highlight."""
    s.line([a, b], shade(colour, 0.72), width)
    s.line([(a[0] - 0.2, a[1] + 0.5), (b[0] - 0.2, b[1] + 0.5)], shade(colour, 1.08), width * 0.55)


def _frame(
    s: Surface, shape: str, rear: tuple[float, float], front: tuple[float, float], p: Palette, reach: float
) -> None:
    crank, saddle, head, crown = (84.0, 31.0), (69.0, 80.0), (129.0, 84.0), (133.0, 70.0)
    if reach:
        crown = (front[0] - 8, 72.0)
    _tube(s, rear, crank, p.main, 2.6)
    _tube(s, rear, (71, 74), p.main, 2.4)
    if shape == "diamond":
        _tube(s, (71, 76), head, p.main, 3.6)
        _tube(s, crank, crown, p.main, 4.2)
    elif shape == "low":
        for width, colour in ((5.0, shade(p.main, 0.72)), (2.8, shade(p.main, 1.08))):
            s.line(curve([(76, 52), (94, 38), (112, 50), (131, 78)], closed=False), colour, width)
        _tube(s, crank, (96, 38), p.main, 4.0)
    else:
        _tube(s, crank, (124, 30), p.main, 4.6)
        _tube(s, (124, 30), (front[0] - 6, 66), p.main, 4.2)
        _tube(s, crank, (108, 74), p.main, 4.2)
        head, crown = (106.0, 88.0), (110.0, 72.0)
        _tube(s, (front[0] - 10, 78), front, p.second, 3.0)
    _tube(s, crank, saddle, p.main, 3.8)
    _tube(s, head, crown, p.main, 5.0)
    if not reach:
        _tube(s, crown, (138, 52), p.second, 3.2)
        _tube(s, (138, 52), front, p.second, 2.8)


def _drive(
    s: Surface, rear: tuple[float, float], crank: tuple[float, float], edition: Edition, own: random.Random
) -> None:
    """Chain, chain guard or sprocket, cranks and pedals."""
    x, y = crank
    s.line([(rear[0], rear[1] + 4), (x, y + 9)], _DARK, 1.2)
    s.line([(rear[0], rear[1] - 4), (x, y - 9)], _DARK, 1.2)
    s.disc(x, y, 9, _DARK)
    ring = own.choice([5, 6, 8])
    for k in range(ring):
        a = 2 * math.pi * k / ring
        s.disc(x + 5.4 * math.cos(a), y + 5.4 * math.sin(a), 1.9, _STEEL)
    a = edition.draws.uniform(0, 6)
    for d in (0.0, math.pi):
        px, py = x + 16 * math.cos(a + d), y + 16 * math.sin(a + d)
        s.line([(x, y), (px, py)], shade(_STEEL, 0.75), 2.2)
        s.box(px - 5, py - 1.3, px + 5, py + 1.3, _DARK, 1)


def _seat_and_bars(s: Surface, shape: str, reach: float, p: Palette, own: random.Random, style: random.Random) -> None:
    leather = own.choice([(122, 76, 44), _DARK, (178, 132, 84)])
    _tube(s, (70, 78), (66, 92), _STEEL, 2.4)
    s.fill(curve([(54, 94), (52, 98), (62, 98.5), (80, 97), (84, 95), (74, 93.5), (66, 90)]), leather)
    x = 106.0 if reach else 128.0
    _tube(s, (x, 84), (x - 3, 97), _STEEL, 2.4)
    bars = style.choice(["flat", "swept", "drop"])
    if bars == "flat":
        s.line([(x - 5, 97), (x + 9, 99)], _STEEL, 2.4)
        s.line([(x - 8, 96.5), (x - 1, 97.5)], leather, 3.6)
    elif bars == "swept":
        s.line(curve([(x + 2, 98), (x + 8, 103), (x - 2, 106), (x - 18, 102)], closed=False), _STEEL, 2.2)
        s.line([(x - 20, 101.5), (x - 8, 104.5)], leather, 3.6)
    else:
        s.line(curve([(x - 4, 98), (x + 12, 99), (x + 16, 93), (x + 10, 87), (x, 87)], closed=False), leather, 3.2)
    s.disc(x + 7, 90, 4.2, _STEEL)
    s.disc(x + 8, 90, 3.2, (250, 244, 210))


def _box(
    s: Surface,
    thing: Thing,
    fonts: FontBox,
    p: Palette,
    colours: list[Colour],
    own: random.Random,
    style: random.Random,
) -> None:
    """The load box of a cargo bicycle."""
    box = [(112.0, 34.0), (164.0, 34.0), (172.0, 76.0), (114.0, 76.0)]
    area = s.mask(box)
    s.paint(area, p.light)
    motif(s, area, own.choice(MOTIFS), [p.light, *own.sample(colours, 3)], own.choice([6.5, 8.0, 10.0]), own)
    s.light(area, 0.82, 1.06)
    s.line([*box, box[0]], shade(p.ink, 1.2), 1.8)
    if thing.look["named"]:
        s.fill(rounded(118, 46, 162, 60, 2), p.light)
        s.text(119, 47, 161, 59, thing.content["brand"], fonts.pick("brand", style), readable(p.light, p.ink, p.main))


def _luggage(
    s: Surface,
    thing: Thing,
    fonts: FontBox,
    shape: str,
    p: Palette,
    colours: list[Colour],
    own: random.Random,
    style: random.Random,
) -> None:
    """Rack and pannier, a frame bag on diamond frames, a basket in front; the name on the down tube's plate."""
    s.line([(28, 73), (64, 73)], _DARK, 1.6)
    s.line([(36, 37), (40, 73)], _DARK, 1.2)
    bag = rounded(18, 40, 54, 72, own.choice([2.0, 5.0]))
    area = s.mask(bag)
    s.paint(area, p.second)
    motif(
        s,
        area,
        own.choice(MOTIFS),
        [mix(p.second, p.light, 0.3), *own.sample(colours, 3)],
        own.choice([5.0, 6.0, 7.2]),
        own,
    )
    s.fill(rounded(17, 61, 55, 74, 3), shade(own.choice(colours), 0.92))
    for x in (25, 45):
        s.line([(x, 56), (x, 72)], (120, 84, 52), 2)
        s.box(x - 1.8, 57, x + 1.8, 60, (214, 196, 140))
    s.light(s.mask(bag), 0.82, 1.08)
    if shape == "diamond":
        pouch = np.array([(75, 68), (121, 78), (118, 66), (92, 46), (80, 44)], float)
        area = s.mask(pouch)
        s.paint(area, p.ink)
        motif(s, area, own.choice(MOTIFS), own.sample([p.ink, *colours], 3), own.choice([4.0, 5.0]), own)
        s.line([(76, 64), (118, 74)], (230, 226, 216), 0.8)
    if shape != "cargo":
        weave = own.choice([(176, 132, 82), (206, 172, 120), (62, 62, 66)])
        basket = [(137.0, 84.0), (165.0, 84.0), (169.0, 106.0), (134.0, 106.0)]
        area = s.mask(basket)
        s.paint(area, shade(weave, 0.72))
        for k in range(7):
            for j in range(5):
                if (k + j) % 2:
                    left, low = 136 + 4.6 * k, 85 + 4.3 * j
                    s.paint(
                        np.minimum(area, s.mask(rounded(left, low, left + 4.6, low + 3.6, 1))), shade(weave, 1.1), 0.999
                    )
        s.line([(133, 106), (170, 106)], shade(weave, 1.0), 2.4)
        plate = rounded(141, 89, 163, 101, 2)
        s.fill(plate, own.choice(colours))
        motif(s, s.mask(plate), own.choice(MOTIFS), own.sample(colours, 3), 3.6, own)
    if thing.look["named"] and shape != "cargo":
        s.fill(rounded(19, 44, 53, 54, 1.5), p.light)
        s.text(
            20, 44.5, 52, 53.5, thing.content["brand"], fonts.pick("strong", style), readable(p.light, p.ink, p.main)
        )
