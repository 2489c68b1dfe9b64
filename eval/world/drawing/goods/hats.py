"""Hats: bobble hats, brimmed hats and caps, with knitting, bands and prints of each one's own.

Sizes in cm, y upwards, a hat stands on y = 0.
"""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.goods.accessories import softened
from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.fabrics import chart, folds, knitted, ribbed, woven
from eval.world.drawing.kit.surface import MOTIFS, Surface, arc, curve, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints
from eval.world.model import Thing


def draw_hat(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A bobble hat, a brimmed hat or a cap."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    kind = style.choice(["bobble", "brim", "brim", "cap"])
    p, colours = paints(thing, edition)
    inks = own.sample(colours, 3)
    if kind == "bobble":
        return _bobble(thing, edition, fonts, [p.main, *inks], style, own, p.word)
    if kind == "brim":
        return _brimmed(thing, edition, fonts, p, inks, style, own)
    return _cap(thing, edition, fonts, p, inks, style, own)


def _brimmed(
    thing: Thing,
    edition: Edition,
    fonts: FontBox,
    p: Palette,
    inks: list[Colour],
    style: random.Random,
    own: random.Random,
) -> Art:
    """Straw or felt, a band, a feather."""
    s = Surface(40, 21, p.main, 1250)
    straw = own.choice([p.main, (216, 186, 128), mix(p.main, (216, 186, 128), 0.5)])
    s.fill(arc(20, 5, 19.3, 4.6), shade(straw, 0.62))
    top = [(9.5, 5.5), (10.2, 13), (12.5, 18.6), (17, 17.2), (20, 18.2), (24, 17.4), (27.5, 18.8), (29.8, 13)]
    crown = np.vstack([curve([*top, (30.5, 5.5)], closed=False), arc(20, 5.5, 10.5, 1.9, 0, -180, 20)])
    brim = s.mask(arc(20, 5.2, 19.4, 4.2))
    s.paint(brim, straw)
    _straw(s, brim, own)
    s.light(brim, 0.8, 1.1)
    area = s.mask(crown)
    s.shadow(area, 1.0, 0.3, 0.4, -0.5)
    s.paint(area, straw)
    if own.random() < 0.6:
        motif(s, area, own.choice(MOTIFS), [straw, straw, mix(straw, inks[0], 0.6), inks[1]], 2.4, own)
    _straw(s, area, own)
    band = np.minimum(
        area, s.mask(np.vstack([arc(20, 6.6, 11, 1.9, 180, 360, 20), arc(20, 10.4, 11, 1.9, 0, -180, 20)]))
    )
    s.paint(band, inks[0])
    motif(s, band, own.choice(MOTIFS), inks, 1.7, own)
    s.light(area, 1.08, 0.72, along="x")
    s.fill(curve([(26.5, 7.5), (31, 12.5), (33.4, 17.5), (29.5, 14.5), (25.8, 9)]), own.choice(inks))
    s.line([(26.5, 7.6), (32.4, 16.4)], (240, 236, 226), 0.2)
    _hat_name(s, thing, fonts, style, (14, 6.1, 25, 9.0), p.light, p.ink)
    return Art(s.array(), 40, 21, 30.0, "cutout", straw, p.word, 0.0)


def _cap(
    thing: Thing,
    edition: Edition,
    fonts: FontBox,
    p: Palette,
    inks: list[Colour],
    style: random.Random,
    own: random.Random,
) -> Art:
    """A cap with a printed front and a peak."""
    s = Surface(40, 21, p.main, 1250)
    dome = curve([(7, 4), (7.4, 11), (11, 17), (18, 19.4), (25, 17.4), (29.5, 11.5), (31, 5)], closed=False)
    crown = np.vstack([dome, curve([(31, 5), (19, 3.2), (7, 4)], closed=False)])
    area = s.mask(crown)
    s.paint(area, p.main)
    front = np.minimum(area, s.mask(np.array([(18.5, 0), (34, 0), (34, 21), (17.5, 21)])))
    motif(s, front, own.choice(MOTIFS), [p.main, *inks], own.choice([2.2, 2.8, 3.4]), own)
    side = np.minimum(area, s.mask(arc(13.0, 9.6, 4.2, 4.2)))
    s.paint(side, own.choice(inks))
    motif(s, side, own.choice(MOTIFS), inks, 2.0, own)
    for line in ([(18, 19.4), (18.4, 3.4)], [(18, 19.4), (10, 4)], [(18, 19.4), (27, 4.2)]):
        s.line(
            curve([line[0], ((line[0][0] + line[1][0]) / 2 + 0.8, 12), line[1]], closed=False), shade(p.main, 0.6), 0.2
        )
    s.light(area, 0.8, 1.1)
    peak = np.vstack(
        [
            curve([(20, 4.2), (28, 5.4), (36, 4.6), (39.3, 1.8)], closed=False),
            curve([(39.3, 1.8), (32, 0.5), (24, 1.6), (20, 4.2)], closed=False),
        ]
    )
    s.fill(peak, own.choice(inks))
    s.light(s.mask(peak), 0.7, 1.1)
    for k in range(3):
        s.line(
            curve([(21 + k, 3.6 - 0.5 * k), (29, 4.4 - 0.9 * k), (37 - k, 3.2 - 0.6 * k)], closed=False),
            shade(p.light, 0.8),
            0.12,
        )
    s.disc(18, 19.5, 0.8, own.choice(inks))
    woven(s, area, 0.25, 0.04)
    folds(s, area, edition.draws, 0.05)
    _hat_name(s, thing, fonts, style, (20.2, 8.2, 29.4, 12.2), p.light, p.ink)
    return Art(s.array(), 40, 21, 20.0, "cutout", p.main, p.word, 0.0)


def _straw(s: Surface, mask: np.ndarray, own: random.Random) -> None:
    """Plaited straw: fine crossing lines."""
    x, y = np.arange(s.w, dtype=np.float32)[None] / s.px, np.arange(s.h, dtype=np.float32)[:, None] / s.px
    pitch = own.choice([0.5, 0.65])
    s.texture(mask, 1 + 0.09 * np.sin((x + y) * 2 * math.pi / pitch) * np.sin((x - y) * 2 * math.pi / pitch))


def _hat_name(
    s: Surface,
    thing: Thing,
    fonts: FontBox,
    style: random.Random,
    box: tuple[float, float, float, float],
    light: Colour,
    ink: Colour,
) -> None:
    """The brand on a patch, where the hat carries it."""
    if thing.look["named"]:
        s.fill(rounded(*box, 0.5), light)
        s.text(
            box[0] + 0.2,
            box[1] + 0.1,
            box[2] - 0.2,
            box[3] - 0.1,
            thing.content["brand"],
            fonts.pick("brand", style),
            readable(light, ink, (40, 34, 30)),
        )


def _bobble(
    thing: Thing,
    edition: Edition,
    fonts: FontBox,
    yarns: list[Colour],
    style: random.Random,
    own: random.Random,
    word: str,
) -> Art:
    """A knitted hat with a bobble."""
    s = Surface(27, 33, yarns[0], 1200)
    fluff = random.Random(thing.look["own"] + 1)
    for _ in range(150):
        a, far = fluff.uniform(0, 6.28), fluff.uniform(0, 4.4)
        x, y = 13.5 + far * math.cos(a), 27.6 + far * math.sin(a)
        s.line(
            [(x, y), (x + fluff.uniform(-1, 1), y + fluff.uniform(-0.4, 1.2))],
            shade(fluff.choice(yarns[:3]), fluff.uniform(0.7, 1.15)),
            0.4,
        )
    dome = np.vstack(
        [
            curve([(1.6, 6), (2.2, 14), (6.4, 21), (13.5, 24.4), (20.6, 21), (24.8, 14), (25.4, 6)], closed=False),
            [(25.4, 5), (1.6, 5)],
        ]
    )
    area = s.mask(dome)
    cell = style.choice([0.75, 0.9, 1.1])
    s.paint(area, knitted(s, chart(own, int(26 / cell), int(27 / cell), len(yarns)), yarns, cell, 13.5))
    s.light(area, 0.86, 1.08)
    turned = s.mask(softened([(0.8, 0.4), (26.2, 0.4), (26.6, 7.6), (0.4, 7.6)], 1.2))
    s.shadow(turned, 0.5, 0.4)
    ribbed(s, turned, own.choice(yarns), 0.9)
    s.light(turned, 0.8, 1.02)
    everything = s.alpha.copy()
    s.light(everything, 1.06, 0.78, along="x")
    folds(s, area, edition.draws, 0.05)
    _hat_name(s, thing, fonts, style, (9.0, 2.0, 18.0, 5.6), (240, 234, 222), (50, 40, 34))
    return Art(s.array(), 27, 33, 20.0, "cutout", yarns[0], word, 0.0)
