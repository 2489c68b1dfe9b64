"""Boats on the water: sailing boats, fishing boats, motor cruisers and ferries, seen from the side.

Sizes in cm, the waterline at y = 0; whatever is below it does not show.
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


def draw_boat(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A boat of the family's type with its own stripes, gear and sail."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    kind = style.choice(["sail", "sail", "fishing", "fishing", "cruiser", "ferry"])
    p, colours = paints(thing, edition)
    length = {"sail": 860.0, "fishing": 960.0, "cruiser": 900.0, "ferry": 1500.0}[kind]
    height = {"sail": 1080.0, "fishing": 560.0, "cruiser": 400.0, "ferry": 640.0}[kind]
    s = Surface(length, height, p.main, 1400)
    free = length * {"sail": 0.105, "fishing": 0.13, "cruiser": 0.12, "ferry": 0.1}[kind]
    if kind == "sail":
        _rig(s, thing, fonts, free, p, colours, style, own, edition)
    elif kind == "fishing":
        _wheelhouse(s, free, p, colours, own, edition)
    elif kind == "cruiser":
        _cabin(s, free, p, colours, own)
    else:
        _decks(s, free, p, colours, own)
    _hull(s, thing, fonts, kind, free, p, colours, style, own)
    _flag(s, edition, p, colours, 10, free * 1.1, own)
    s.cut([(0, -5), (length, -5), (length, 0), (0, 0)])
    return Art(s.array(), length, height, 160.0, "cutout", shade(p.main, 0.8), p.word, 0.0)


def _hull(
    s: Surface,
    thing: Thing,
    fonts: FontBox,
    kind: str,
    free: float,
    p: Palette,
    colours: list[Colour],
    style: random.Random,
    own: random.Random,
) -> None:
    """The hull with its band, portholes, fenders and, where there is one, the name."""
    w = s.width
    bow = 1.35 if kind in ("fishing", "cruiser") else 1.2
    sheer = curve(
        [(w * 0.02, free), (w * 0.3, free * 0.94), (w * 0.7, free * 1.03), (w * 0.985, free * bow)], closed=False
    )
    low = curve([(w * 0.9, -40), (w * 0.5, -40), (w * 0.05, -40), (w * 0.015, free * 0.5)], closed=False)
    stem = curve([(w * 0.985, free * bow), (w * 0.955, free * 0.5), (w * 0.9, -40)], closed=False)
    hull = np.vstack([sheer, stem, low])
    area = s.mask(hull)
    s.paint(area, p.main)
    band = s.mask(np.vstack([sheer * [1, 0.84], (sheer * [1, 0.46])[::-1]]))
    motif(s, np.minimum(band, area), own.choice(MOTIFS), [mix(p.main, p.light, 0.3), *own.sample(colours, 3)],
          free * own.choice([0.2, 0.26, 0.36]), own)  # fmt: skip
    s.paint(np.minimum(area, s.mask(rounded(0, -50, w, free * 0.16, 0))), shade(p.second, 0.7), 0.999)
    s.paint(np.minimum(area, s.mask(rounded(0, free * 0.16, w, free * 0.22, 0))), p.light, 0.999)
    s.light(area, 0.66, 1.12)
    s.line(sheer, shade(p.light, 0.9), free * 0.07)
    s.line(sheer * [1, 0.96], shade(p.ink, 0.8), free * 0.03)
    if kind != "sail":
        for k in range(own.choice([4, 5, 6])):
            x = w * (0.14 + 0.1 * k)
            tint = own.choice([(38, 38, 40), p.light, p.accent])
            s.line([(x, free * 0.92), (x, free * 0.5)], (70, 60, 48), 2.5)
            s.fill(rounded(x - 9, free * 0.2, x + 9, free * 0.56, 9), shade(tint, 0.9))
    for k in range(own.choice([0, 4, 6])):
        x = w * (0.46 + 0.06 * k)
        s.disc(x, free * 0.92, free * 0.06, (206, 184, 110))
        s.disc(x, free * 0.92, free * 0.042, (44, 56, 66))
    if thing.look["named"]:
        x0, x1 = w * 0.62, w * 0.9
        s.fill(rounded(x0 - 6, free * 0.42, x1 + 6, free * 0.88, 6), p.light)
        s.text(
            x0,
            free * 0.44,
            x1,
            free * 0.87,
            thing.variant or "",
            fonts.pick("brand", style),
            readable(p.light, p.ink, p.main),
        )
    code = random.Random(thing.look["own"] + 3)
    x = w * 0.06
    for _ in range(6):
        x += w * 0.012
        s.box(x, free * 0.55, x + w * code.uniform(0.004, 0.01), free * 0.8, readable(p.main, p.light, p.ink))


def _rig(
    s: Surface,
    thing: Thing,
    fonts: FontBox,
    free: float,
    p: Palette,
    colours: list[Colour],
    style: random.Random,
    own: random.Random,
    edition: Edition,
) -> None:
    """Mast, mainsail with panels and an emblem, foresail, stays and a low cabin."""
    w, h = s.width, s.height
    mast, top = w * 0.56, h * 0.97
    boom = free + h * 0.09
    belly = edition.draws.uniform(-0.015, 0.025) * w
    leech = curve([(mast - 6, top), (mast - w * 0.27 - belly, h * 0.5), (w * 0.08, boom)], closed=False)
    main = np.vstack([[(mast - 6, boom), (mast - 6, top)], leech])
    cloth = style.choice([p.light, mix(p.light, p.accent, 0.25), (238, 234, 224)])
    s.fill(main, cloth)
    area = s.mask(main)
    layout = own.choice(["bands", "lower", "upper", "panel"])
    inks = [cloth, *own.sample(colours, 3)]
    span = {"bands": (0.34, 0.5), "lower": (0.12, 0.34), "upper": (0.58, 0.84), "panel": (0.2, 0.56)}[layout]
    field = s.mask([(0, h * span[0]), (w, h * span[0] + 40), (w, h * span[1] + 40), (0, h * span[1])])
    motif(s, np.minimum(area, field), own.choice(MOTIFS), inks, own.choice([40.0, 52.0, 66.0]), own)
    for k in range(7):
        y = boom + (top - boom) * (k + 0.5) / 7
        seam = s.mask([(0, y), (w, y + 30), (w, y + 33), (0, y + 3)])
        s.paint(np.minimum(area, seam), shade(cloth, 0.72), 0.8)
    s.light(area, 0.8, 1.06, along="x")
    x, y = mast - w * 0.09, h * 0.66
    emblem = random.Random(thing.look["own"] + 11)
    n = emblem.choice([3, 4, 5, 6, 8])
    points = [(46 if k % 2 else 20, math.pi * k / n) for k in range(2 * n)]
    star = [(x + far * math.cos(a), y + far * math.sin(a)) for far, a in points]
    s.fill(star, own.choice(colours))
    foot = curve([(mast + 8, top * 0.9), (w * 0.78, h * 0.46), (w * 0.965, free * 1.4)], closed=False)
    jib = np.vstack([[(mast + 12, boom - 10), (mast + 8, top * 0.9)], foot])
    s.fill(jib, mix(cloth, p.second, own.choice([0.0, 0.45, 0.8])))
    for k in range(5):
        y = boom + (top * 0.8 - boom) * (k + 0.5) / 5
        s.paint(np.minimum(s.mask(jib), s.mask([(0, y), (w, y - 40), (w, y - 37), (0, y + 3)])), (120, 120, 118), 0.5)
    s.light(s.mask(jib), 0.84, 1.08, along="x")
    s.line([(mast, free * 0.6), (mast, top + 12)], (196, 176, 140), 13)
    s.line([(mast, boom - 8), (w * 0.07, boom - 8)], (176, 150, 108), 10)
    s.line([(w * 0.03, free), (mast, top)], (90, 90, 92), 2.5)
    s.line([(w * 0.97, free * 1.3), (mast, top * 0.92)], (90, 90, 92), 2.5)
    s.fill(
        curve([(w * 0.3, free * 0.9), (w * 0.32, free * 1.5), (w * 0.62, free * 1.55), (w * 0.72, free * 1.0)]),
        shade(p.light, 0.95),
    )
    for k in range(own.choice([2, 3, 4])):
        s.fill(rounded(w * (0.36 + 0.08 * k), free * 1.14, w * (0.41 + 0.08 * k), free * 1.38, 8), (50, 62, 72))


def _wheelhouse(
    s: Surface, free: float, p: Palette, colours: list[Colour], own: random.Random, edition: Edition
) -> None:
    """A fishing boat's house, mast with derrick, crates, net and buoys."""
    w, h = s.width, s.height
    x0 = w * own.choice([0.56, 0.2])
    x1, top = x0 + w * 0.2, free + h * 0.36
    s.fill(rounded(x0, free * 0.8, x1, top, 8), p.light)
    s.light(s.mask(rounded(x0, free * 0.8, x1, top, 8)), 0.84, 1.05)
    s.fill(rounded(x0 - 14, top - 6, x1 + 18, top + 14, 5), p.second)
    for k in range(3):
        a = x0 + 12 + k * (x1 - x0 - 16) / 3
        s.fill(rounded(a, top - 74, a + (x1 - x0) / 3 - 12, top - 22, 5), (58, 72, 82))
        s.line([(a + 8, top - 70), (a + 26, top - 30)], (190, 204, 212), 4)
    s.fill(rounded(x0 + 16, free * 0.9, x0 + 66, top - 90, 4), shade(p.accent, 0.9))
    mast = w * 0.44
    s.line([(mast, free), (mast, h * 0.95)], (150, 118, 78), 14)
    s.line([(mast, free + 60), (mast + w * 0.26, h * 0.8)], (150, 118, 78), 9)
    for far in (w * 0.05, w * 0.93, mast + w * 0.26):
        s.line([(mast, h * 0.93), (far, free * 1.1 if far != mast + w * 0.26 else h * 0.8)], (70, 66, 60), 3)
    x = w * 0.07
    while x < w * 0.92:
        if x0 - 70 < x < x1 + 20 or abs(x - mast) < 30:
            x += 30
            continue
        item = own.choice(["crate", "net", "buoy"])
        tint = own.choice(colours)
        if item == "crate":
            for k in range(own.choice([1, 2])):
                y = free * 0.95 + 38 * k
                s.fill(rounded(x, y, x + 62, y + 34, 3), tint)
                for j in range(4):
                    s.line([(x + 6 + 15 * j, y + 6), (x + 6 + 15 * j, y + 28)], shade(tint, 0.6), 4)
            x += 68
        elif item == "net":
            s.fill(
                curve(
                    [
                        (x, free * 0.9),
                        (x + 10, free * 1.4),
                        (x + 52, free * 1.55),
                        (x + 92, free * 1.3),
                        (x + 96, free * 0.9),
                    ]
                ),
                shade(tint, 0.7),
            )
            for j in range(9):
                s.line(
                    [(x + 8 + 9 * j, free * 0.95), (x + 18 + 7 * j, free * 1.35)], mix(tint, (240, 240, 230), 0.4), 2
                )
            x += 102
        else:
            s.disc(x + 20, free * 1.15, 20, tint)
            s.line(arc(x + 20, free * 1.15, 12, 12), (244, 240, 230), 5, closed=True)
            x += 46


def _cabin(s: Surface, free: float, p: Palette, colours: list[Colour], own: random.Random) -> None:
    """A motor cruiser's superstructure, rails and radar arch."""
    w, h = s.width, s.height
    house = curve(
        [(w * 0.2, free), (w * 0.24, h * 0.72), (w * 0.5, h * 0.78), (w * 0.66, free * 1.75), (w * 0.9, free * 1.25)],
        closed=False,
    )
    s.fill(np.vstack([house, [(w * 0.9, free * 0.8), (w * 0.2, free * 0.8)]]), p.light)
    area = s.mask(np.vstack([house, [(w * 0.9, free * 0.8), (w * 0.2, free * 0.8)]]))
    s.light(area, 0.8, 1.06)
    glass = curve(
        [(w * 0.26, free * 1.5), (w * 0.28, h * 0.66), (w * 0.48, h * 0.7), (w * 0.6, free * 1.6)], closed=True
    )
    s.fill(glass, (50, 62, 74))
    s.light(s.mask(glass), 0.7, 1.7)
    for k in (0.36, 0.46):
        s.line([(w * k, free * 1.4), (w * k, h * 0.72)], p.light, 9)
    stripe = [(w * 0.2, free * 1.18), (w * 0.9, free * 1.1), (w * 0.88, free * 1.28), (w * 0.2, free * 1.42)]
    motif(s, np.minimum(area, s.mask(stripe)), own.choice(MOTIFS), own.sample(colours, 3), 20.0, own)
    s.line(
        curve([(w * 0.22, h * 0.7), (w * 0.18, h * 0.94), (w * 0.32, h * 0.96), (w * 0.36, h * 0.76)], closed=False),
        shade(p.light, 0.85),
        13,
    )
    s.disc(w * 0.26, h * 0.97, 12, (230, 230, 228))
    for k in range(9):
        x = w * (0.66 + 0.035 * k)
        s.line([(x, free * 1.1), (x, free * 1.75)], (176, 180, 184), 3)
    s.line([(w * 0.66, free * 1.75), (w * 0.95, free * 1.75)], (196, 200, 204), 4)
    s.fill(rounded(w * 0.04, free, w * 0.18, free * 1.5, 10), own.choice(colours))


def _decks(s: Surface, free: float, p: Palette, colours: list[Colour], own: random.Random) -> None:
    """A ferry: two decks of windows, a bridge, a funnel with the line's mark."""
    w, h = s.width, s.height
    for k, (x0, x1) in enumerate(((0.07, 0.88), (0.14, 0.78))):
        y0 = free * 0.9 + k * h * 0.2
        deck = rounded(w * x0, y0, w * x1, y0 + h * 0.2, 10)
        s.fill(deck, p.light)
        s.light(s.mask(deck), 0.84, 1.05)
        s.fill(rounded(w * x0 - 8, y0 + h * 0.185, w * x1 + 12, y0 + h * 0.205, 3), p.second)
        x = w * x0 + 20
        while x < w * x1 - 60:
            wide = own.choice([34, 34, 52])
            s.fill(rounded(x, y0 + h * 0.06, x + wide, y0 + h * 0.14, 5), (52, 66, 78))
            s.line([(x + 6, y0 + h * 0.065), (x + 20, y0 + h * 0.13)], (176, 192, 200), 4)
            x += wide + own.choice([18, 26])
    bridge = rounded(w * 0.62, free * 0.9 + h * 0.4, w * 0.78, free * 0.9 + h * 0.53, 10)
    s.fill(bridge, p.light)
    s.fill(rounded(w * 0.64, free * 0.9 + h * 0.44, w * 0.775, free * 0.9 + h * 0.5, 6), (44, 56, 66))
    x = w * own.uniform(0.28, 0.44)
    funnel = [(x, free + h * 0.38), (x + 120, free + h * 0.38), (x + 104, h * 0.9), (x + 6, h * 0.9)]
    s.fill(funnel, p.second)
    motif(s, np.minimum(s.mask(funnel), s.mask(rounded(0, h * 0.64, w, h * 0.82, 0))), own.choice(MOTIFS),
          own.sample(colours, 3), 30.0, own)  # fmt: skip
    s.light(s.mask(funnel), 1.1, 0.7, along="x")
    s.fill(rounded(x - 2, h * 0.88, x + 112, h * 0.92, 3), (36, 36, 38))
    for k in range(own.choice([2, 3])):
        bx = w * (0.18 + 0.11 * k)
        s.fill(
            curve(
                [
                    (bx, h * 0.6),
                    (bx + 8, h * 0.56),
                    (bx + 72, h * 0.56),
                    (bx + 84, h * 0.6),
                    (bx + 70, h * 0.635),
                    (bx + 10, h * 0.635),
                ]
            ),
            own.choice(colours),
        )


def _flag(
    s: Surface, edition: Edition, p: Palette, colours: list[Colour], x: float, y: float, own: random.Random
) -> None:
    """A pennant at the stern, blown as the wind of this picture has it."""
    sway = edition.draws.uniform(-0.3, 0.3)
    s.line([(x + 14, y * 0.8), (x + 8, y + 95)], (120, 96, 66), 5)
    a, b = own.sample(colours, 2)
    cloth = curve(
        [
            (x + 8, y + 95),
            (x + 45, y + 98 + 20 * sway),
            (x + 80, y + 88),
            (x + 78, y + 52),
            (x + 42, y + 60 + 20 * sway),
            (x + 10, y + 52),
        ]
    )
    s.fill(cloth, a)
    stripe = s.mask([(x, y + 68), (x + 90, y + 64), (x + 90, y + 78), (x, y + 82)])
    s.paint(np.minimum(s.mask(cloth), stripe), b, 0.999)
