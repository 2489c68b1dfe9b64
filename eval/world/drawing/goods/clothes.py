"""Clothes: jumpers on a hanger, T-shirts, dresses on a dummy. Nobody wears them.

Sizes in cm, y upwards. Cut and collar are the family's; chart, print and colours each piece's own.
"""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.fabrics import chart, folds, knitted, ribbed, woven
from eval.world.drawing.kit.surface import MOTIFS, Surface, arc, curve, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints
from eval.world.model import Thing

_WOOD = (176, 132, 86)


def _torso(sleeve: float, spread: float, waist: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outlines of body, left and right sleeve of a garment 90 cm wide, 76 cm high; `sleeve` its length."""
    body = np.vstack([
        [(22 + waist, 4), (68 - waist, 4)],
        curve([(68 - waist, 4), (67 - waist, 30), (66, 50), (68, 62)], closed=False),
        curve([(68, 62), (58, 66), (54, 67)], closed=False),
        curve([(54, 67), (45, 61), (36, 67)], closed=False),
        curve([(36, 67), (32, 66), (22, 62)], closed=False),
        curve([(22, 62), (24, 50), (23 + waist, 30), (22 + waist, 4)], closed=False),
    ])  # fmt: skip
    a = math.radians(spread)
    dx, dy = sleeve * math.sin(a), sleeve * math.cos(a)
    right = np.array([(67, 62.5), (67 + dx + 3.5, 60 - dy + 3), (67 + dx - 7, 60 - dy - 1.5), (63.5, 43)])
    left = right * [-1, 1] + [90, 0]
    return body, left, right


def _hanger(s: Surface, own: random.Random) -> None:
    """Wire hook and wooden shoulders."""
    hook = np.vstack([arc(45, 77.5, 2.6, 2.6, -80, 190, 20), [(45, 70)]])
    s.line(hook[::-1], (150, 152, 156), 0.7)
    s.line(
        curve([(30, 62.5), (38, 66.5), (45, 69), (52, 66.5), (60, 62.5)], closed=False),
        own.choice([_WOOD, (70, 50, 38)]),
        2.2,
    )


def draw_jumper(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A knitted jumper on a hanger; no two have the same chart."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    s = Surface(90, 82, p.main, 1250)
    _hanger(s, own)
    yarns = [p.main, *own.sample(colours, 3)]
    cell = style.choice([1.15, 1.35, 1.6])
    cloth = knitted(s, chart(own, int(70 / cell), int(52 / cell), len(yarns)), yarns, cell, 45.0)
    body, left, right = _torso(
        50 + edition.draws.uniform(-1, 1), style.choice([11, 15, 19]) + edition.draws.uniform(-3, 3), 1.5
    )
    rib = own.choice(yarns)
    inside = curve([(36, 67), (45, 63.5), (54, 67), (45, 70)], closed=True)
    s.fill(inside, shade(p.main, 0.5))
    for sleeve in (left, right):
        area = s.mask(sleeve)
        s.paint(area, cloth)
        cuff = np.array(
            [
                sleeve[1],
                sleeve[2],
                sleeve[2] + (sleeve[3] - sleeve[2]) * 0.14,
                sleeve[1] + (sleeve[0] - sleeve[1]) * 0.12,
            ]
        )
        ribbed(s, s.mask(cuff), rib, 1.1)
        s.light(area, 0.84, 1.04)
        folds(s, area, edition.draws, 0.07)
    torso = s.mask(body)
    s.shadow(torso, 1.2, 0.35)
    s.paint(torso, cloth)
    ribbed(s, np.minimum(torso, s.mask(rounded(0, 3, 90, 10.5, 0))), rib, 1.1)
    collar = np.vstack(
        [curve([(35, 67.6), (45, 59.5), (55, 67.6)], closed=False), curve([(53, 69), (45, 63), (37, 69)], closed=False)]
    )
    ribbed(s, s.mask(collar), rib, 0.9)
    if style.random() < 0.35:
        _cardigan(s, own, yarns)
    s.light(torso, 0.9, 1.05)
    folds(s, torso, edition.draws, 0.07)
    _label(s, thing, fonts, style, 66.5)
    return Art(s.array(), 90, 82, 3.0, "cutout", p.main, p.word, 0.0)


def _cardigan(s: Surface, own: random.Random, yarns: list[Colour]) -> None:
    """A button band."""
    band = own.choice(yarns)
    ribbed(s, s.mask(rounded(43, 4, 47, 62, 0)), band, 1.0)
    for k in range(own.choice([5, 6, 7])):
        y = 9 + k * 8.2
        s.disc(45, y, 1.15, readable(band, (238, 230, 214), (60, 44, 34)))
        for dx in (-0.3, 0.3):
            s.disc(45 + dx, y, 0.18, (20, 20, 20))


def _label(s: Surface, thing: Thing, fonts: FontBox, style: random.Random, y: float) -> None:
    """The sewn-in label, with the brand where the piece carries a name; a hang tag with it, too."""
    s.fill(rounded(41, y - 1.6, 49, y + 1.6, 0.3), (240, 236, 226))
    if thing.look["named"]:
        s.text(41.3, y - 1.5, 48.7, y + 1.5, thing.content["brand"], fonts.pick("brand", style), (40, 36, 34))
        s.fill(rounded(52, 8, 66, 16, 1), (236, 226, 204))
        s.text(52.6, 11.6, 65.4, 15.6, thing.content["brand"], fonts.pick("brand", style), (60, 40, 30))
        s.text(52.6, 8.4, 65.4, 11.8, thing.variant or "", fonts.pick("strong", style), (60, 40, 30))


def draw_shirt(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A T-shirt with a print of its own on the chest."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    s = Surface(90, 82, p.main, 1200)
    _hanger(s, own)
    cloth = p.main
    body, left, right = _torso(20, style.choice([34, 40]) + edition.draws.uniform(-3, 3), 0.5)
    s.fill(curve([(36, 67), (45, 63.5), (54, 67), (45, 70)], closed=True), shade(p.main, 0.5))
    sleeve_colour = own.choice([cloth, cloth, *colours])
    for sleeve in (left, right):
        area = s.mask(sleeve)
        s.paint(area, sleeve_colour)
        if own.random() < 0.4:
            motif(s, area, own.choice(MOTIFS), [sleeve_colour, *own.sample(colours, 2)], 5.0, own)
        s.line(
            [sleeve[1] * 0.97 + sleeve[0] * 0.03, sleeve[2] * 0.97 + sleeve[3] * 0.03], shade(sleeve_colour, 0.7), 0.3
        )
        s.light(area, 0.8, 1.05)
        folds(s, area, edition.draws, 0.1)
    torso = s.mask(body)
    s.shadow(torso, 1.0, 0.3)
    s.paint(torso, cloth)
    _print(s, torso, p, colours, style, own)
    hem = np.minimum(torso, s.mask(rounded(0, 7, 90, own.choice([12.0, 15.0]), 0)))
    motif(s, hem, own.choice(MOTIFS), [cloth, *own.sample(colours, 3)], own.choice([3.0, 4.0]), own)
    s.line(curve([(35.4, 67.3), (45, 60.6), (54.6, 67.3)], closed=False), own.choice(colours), 1.6)
    s.line([(22, 6), (68, 6)], shade(cloth, 0.75), 0.25)
    s.light(torso, 0.88, 1.06)
    folds(s, torso, edition.draws, 0.1, 0.2)
    woven(s, torso, 0.3, 0.02)
    if thing.look["named"]:
        s.fill(rounded(29, 17.2, 61, 25.6, 0.8), p.light)
        ink = readable(p.light, p.ink, p.main)
        s.text(30, 17.8, 60, 25, thing.variant or "", fonts.pick("title", style), ink)
    _label(s, thing, fonts, style, 66.4)
    return Art(s.array(), 90, 82, 2.0, "cutout", p.main, p.word, 0.0)


def _print(
    s: Surface, torso: np.ndarray, p: Palette, colours: list[Colour], style: random.Random, own: random.Random
) -> None:
    """A chest print: a disc or a field of pattern with a figure before it; or stripes of uneven width."""
    kind = style.choice(["disc", "field", "stripes"])
    inks = own.sample(colours, 3)
    if kind == "stripes":
        y = 8.0
        while y < 58:
            high = own.uniform(1.2, 4.6)
            stripe = np.minimum(torso, s.mask(rounded(0, y, 90, y + high, 0)))
            if own.random() < 0.35:
                motif(s, stripe, own.choice(MOTIFS), inks, high, own)
            else:
                s.paint(stripe, own.choice(inks))
            y += high + own.uniform(1.5, 4.5)
        return
    shape = arc(45, 42, 16.5, 16.5) if kind == "disc" else rounded(28, 26, 62, 57, 1.5)
    area = s.mask(shape)
    s.paint(area, inks[0])
    motif(s, area, own.choice(MOTIFS), inks, own.choice([4.0, 5.0, 6.0]), own)
    n, turn = own.choice([3, 4, 5, 6, 7, 9]), own.random() * 3
    deep = own.uniform(0.3, 0.7)
    points = [(8.5 if k % 2 else 8.5 * deep, turn + math.pi * k / n) for k in range(2 * n)]
    figure = [(45 + far * math.cos(a), 43 + far * math.sin(a)) for far, a in points]
    s.fill(figure if own.random() < 0.5 else curve(figure), readable(inks[0], p.light, p.accent, p.second))
    s.disc(45, 43, 2.6, own.choice(inks))
    s.line([*shape, shape[0]], p.ink, 0.5)


def draw_dress(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A dress on a tailor's dummy."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    s = Surface(92, 172, p.main, 1500)
    s.line([(46, 4), (46, 60)], (96, 72, 50), 3.4)
    for foot in (22.0, 46.0, 70.0):
        s.line(curve([(46, 16), ((46 + foot) / 2, 10), (foot, 2)], closed=False), (96, 72, 50), 2.6)
    skin = style.choice([(226, 212, 190), (198, 180, 158), (70, 66, 64)])
    s.fill(curve([(40, 150), (41, 160), (43, 166), (49, 166), (51, 160), (52, 150)]), skin)
    s.fill(curve([(35, 118), (32, 140), (34, 149), (41, 154), (51, 154), (58, 149), (60, 140), (57, 118)]), skin)
    s.disc(46, 167, 3.4, (96, 72, 50))
    flare = style.choice([28.0, 34.0, 40.0]) + edition.draws.uniform(-1.5, 1.5)
    hem = style.choice([40.0, 52.0])
    sway = edition.draws.uniform(-1.5, 1.5)
    side = curve(
        [(46 + flare, hem + sway), (46 + flare * 0.55, 78), (57, 106), (61, 122), (62, 138), (60, 148)], closed=False
    )
    other = side[::-1] * [-1, 1] + [92, 0]
    neck = curve([(54, 149), (46, style.choice([134.0, 140.0])), (38, 149)], closed=False)
    bottom = curve([(46 - flare, hem - sway), (46, hem - 4), (46 + flare, hem + sway)], closed=False)
    dress = np.vstack([side, neck, other, bottom])
    area = s.mask(dress)
    s.paint(area, p.main)
    motif(s, area, own.choice(MOTIFS), [p.main, p.main, *own.sample(colours, 3)], own.choice([5.0, 6.0, 7.0, 8.5]), own)
    band = np.minimum(area, s.mask(rounded(0, hem - 6, 92, hem + own.choice([8, 14]), 0)))
    motif(s, band, own.choice(MOTIFS), own.sample(colours, 3), 4.5, own)
    belt = np.minimum(area, s.mask(rounded(0, 104, 92, 109, 0)))
    s.paint(belt, own.choice(colours))
    for k in range(5):
        x = 46 + (k - 2) * flare * 0.32
        crease = s.mask(
            np.array([(46 + (k - 2) * 3.4, 104), (46 + (k - 2) * 3.4 + 1, 104), (x + 2.4, hem), (x - 2.4, hem)])
        )
        s.paint(np.minimum(area, crease), shade(p.main, 0.45), 0.22)
    s.light(area, 0.78, 1.06, along="x")
    folds(s, area, edition.draws, 0.08)
    s.box(43.5, 104.5, 48.5, 108.5, (222, 200, 130), 0.8)
    if thing.look["named"]:
        s.line([(60, 108), (66, 98)], (90, 80, 70), 0.3)
        s.fill(rounded(58, 82, 80, 99, 1.5), (240, 234, 220))
        s.text(59, 91, 79, 98.6, thing.content["brand"], fonts.pick("brand", style), (50, 36, 30))
        s.text(59, 82.6, 79, 90.6, thing.variant or "", fonts.pick("strong", style), (50, 36, 30))
    return Art(s.array(), 92, 172, 30.0, "cutout", p.main, p.word, 0.0)
