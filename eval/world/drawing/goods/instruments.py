"""Laboratory instruments as cut-outs: microscopes of enamel and brass, with painted ornament on arm and foot."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.prints import as_printed, print_sheet
from eval.world.drawing.kit.solids import Outline, Solid, band, box, ellipse, smooth
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

WIDTH = 1000


def _knurled(solid: Solid, x: float, y: float, r: float, tone: Colour, notches: int) -> None:
    """A focus knob seen from its end."""
    rim = [
        (
            x + (r if i % 2 else r * 0.94) * math.cos(math.pi * i / notches),
            y + (r if i % 2 else r * 0.94) * math.sin(math.pi * i / notches),
        )
        for i in range(2 * notches)
    ]
    solid.part(rim, mix(tone, (20, 20, 20), 0.25), bulge=0.012, metal=0.5)
    solid.part(ellipse(x, y, r * 0.74, r * 0.74), tone, bulge=0.02, metal=0.75, cast=0.3)
    solid.part(ellipse(x, y, r * 0.2, r * 0.2), mix(tone, (0, 0, 0), 0.6), bulge=0.01, cast=0.2)


def _ticket(own: random.Random, p: Palette) -> np.ndarray:
    """The laboratory's inventory ticket: a pattern of squares that only a machine could read."""
    c = Canvas(360, 200, (246, 243, 232))
    c.rect(0.0, 0.0, 1.0, 1.0, None, outline=(40, 40, 44), width=0.02)
    for j in range(7):
        for i in range(7):
            if own.random() < 0.5:
                c.rect(0.06 + 0.06 * i, 0.12 + 0.11 * j, 0.12 + 0.06 * i, 0.23 + 0.11 * j, (24, 24, 28))
    for j in range(4):
        x = 0.55
        while x < 0.9:
            w = own.uniform(0.02, 0.09)
            c.rect(x, 0.14 + 0.2 * j, min(0.93, x + w), 0.24 + 0.2 * j, own.choice([p.main, (30, 30, 34), p.accent]))
            x += w + 0.02
    return c.array()


def _ornament(p: Palette, own: random.Random, kind: str, size: tuple[int, int]) -> np.ndarray:
    """Lines of gilding on enamel."""
    gilt: Colour = (222, 186, 104)
    enamel = mix(p.main, p.ink, 0.35) if p.word not in ("white", "yellow") else p.second
    colours = Palette(
        p.word, enamel, mix(enamel, (0, 0, 0), 0.5), gilt, mix(gilt, (255, 255, 255), 0.4), (244, 232, 204)
    )
    return print_sheet(kind, colours, own, size, dark=True)


def _scale(solid: Solid, path: Outline, tone: Colour) -> None:
    """Engraved lines beside a slide."""
    (x0, y0), (x1, y1) = path
    for i in range(26):
        t = i / 25
        x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
        reach = 0.03 if i % 5 == 0 else 0.018
        solid.part([(x, y), (x + reach, y), (x + reach, y + 0.003), (x, y + 0.003)], tone, bulge=0.001, cast=0, gloss=0)


def _optics(solid: Solid, style: random.Random, own: random.Random, brass: Colour, black: Colour, lean: float) -> None:
    """Tube, eyepiece, revolver and objectives, on the axis x = 0.36 at the bottom, leaning by `lean`."""

    def at(across: float, along: float) -> tuple[float, float]:
        return 0.37 + across * math.cos(lean) + along * math.sin(lean), 0.62 + across * math.sin(
            lean
        ) - along * math.cos(lean)

    def tube(half: float, low: float, high: float, tone: Colour, metal: float, top: float | None = None) -> None:
        end = half if top is None else top
        solid.part(
            [at(-end, high), at(end, high), at(half, low), at(-half, low)],
            tone,
            bulge=half * 0.95,
            metal=metal,
            gloss=0.5,
        )

    rings = own.choice([2, 3])
    for i, tilt in enumerate((-0.62, 0.5, 0.0)):
        foot = at(0.015 * math.sin(tilt), 0.07)
        long = style.uniform(0.12, 0.17) if tilt == 0.0 else style.uniform(0.08, 0.13)
        a = lean + math.pi + tilt
        tip = (foot[0] + long * math.sin(a), foot[1] - long * math.cos(a))
        solid.part(
            band([foot, tip], 0.062, 0.04),
            brass if i % 2 else mix(brass, (220, 222, 226), 0.75),
            bulge=0.03,
            metal=0.75,
        )
        for j in range(rings):
            t = 0.35 + 0.2 * j
            mid = (foot[0] + (tip[0] - foot[0]) * t, foot[1] + (tip[1] - foot[1]) * t)
            end = (foot[0] + (tip[0] - foot[0]) * (t + 0.07), foot[1] + (tip[1] - foot[1]) * (t + 0.07))
            solid.part(
                band([mid, end], 0.055),
                own.choice([(196, 40, 36), (40, 90, 170), (230, 200, 60), (40, 130, 80), black]),
                bulge=0.02,
                cast=0.1,
            )
    tube(0.075, 0.05, 0.1, black, 0.3, 0.06)
    tube(0.055, 0.1, 0.36, brass, 0.75)
    tube(0.062, 0.19, 0.205, mix(brass, (60, 40, 10), 0.4), 0.7)
    tube(0.05, 0.36, 0.5, mix(brass, (225, 226, 230), 0.5), 0.8)
    tube(0.058, 0.48, 0.585, black, 0.2, 0.05)
    tube(0.062, 0.575, 0.6, black, 0.2, 0.066)


def _stage(solid: Solid, own: random.Random, brass: Colour, table: Colour, edition: Edition) -> None:
    """The table with a slide on it, and the mirror below, as they happen to stand."""
    black: Colour = (38, 38, 42)
    mirror, slide = edition.draws.uniform(-0.5, 0.3), edition.draws.uniform(-0.02, 0.02)
    solid.part(box(0.2, 1.05, 0.5, 1.08), black, bulge=0.01, gloss=0.3)
    solid.part(band([(0.36, 1.06), (0.36, 1.2)], 0.03), brass, metal=0.7, bulge=0.012)
    solid.part(ellipse(0.36, 1.13, 0.085, 0.05, mirror), brass, metal=0.7, bulge=0.02)
    solid.part(ellipse(0.36, 1.127, 0.07, 0.038, mirror), (206, 222, 232), metal=0.5, bulge=0.006, cast=0.1)
    top = [(0.13, 0.875), (0.58, 0.855), (0.64, 0.895), (0.62, 0.935), (0.12, 0.935)]
    solid.part(top, table, bulge=0.014, gloss=0.4)
    glass = [(0.24 + slide, 0.868), (0.47 + slide, 0.858), (0.49 + slide, 0.872), (0.25 + slide, 0.882)]
    solid.part(glass, (216, 232, 236), bulge=0.004, gloss=0.8)
    stain: Colour = own.choice([(200, 60, 120), (60, 120, 200), (90, 160, 70)])
    solid.part(ellipse(0.36 + slide, 0.87, 0.022, 0.006), stain, bulge=0.002, cast=0)
    for side in (0.19, 0.53):
        solid.part(band([(side, 0.9), (side + 0.03, 0.862)], 0.016), (206, 208, 212), metal=0.8, bulge=0.006)


_FOOT = "14,130 20,120 45,117 78,117 87,124 90,134 86,137.5 50,138 15,137.5"
_ARM = "66,122 62,100 74,86 78,66 74,46 60,36 44,36 42,45 56,48 63,58 64,72 58,84 50,92 50,122"


def _traced(text: str) -> Outline:
    """A smooth outline from points in hundredths of the width."""
    return smooth([(float(x) / 100, float(y) / 100) for x, y in (pair.split(",") for pair in text.split())], steps=8)


def draw_microscope(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A microscope from its side."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    solid = Solid(WIDTH, 1.4, edition)
    brass: Colour = style.choice([(200, 162, 84), (188, 190, 196), (176, 118, 72)])
    black: Colour = (38, 38, 42)
    kind, lean = style.choice(["folk", "folk", "beasts", "meadow", "strokes"]), style.uniform(-0.03, 0.12)
    solid.part(_traced(_FOOT), _ornament(p, own, kind, (1000, 300)), bulge=0.045, gloss=0.7)
    solid.part(_traced(_ARM), _ornament(p, own, kind, (700, 1300)), bulge=0.05, gloss=0.7)
    _stage(solid, own, brass, mix(black, p.main, 0.12), edition)
    _optics(solid, style, own, brass, black, lean)
    solid.part(box(0.4, 0.34, 0.52, 0.5, 0.03), black, bulge=0.03, gloss=0.4)
    _knurled(solid, 0.69, 0.56 + edition.draws.uniform(-0.004, 0.004), 0.082, brass, own.randint(18, 26))
    _knurled(solid, 0.68, 0.74, 0.052, brass, own.randint(14, 20))
    _scale(solid, ((0.44, 0.365), (0.44, 0.48)), (230, 226, 210))
    solid.decal([(0.6, 1.255), (0.8, 1.255), (0.81, 1.345), (0.6, 1.345)], _ticket(own, p))
    if thing.look["named"]:
        c = Canvas(520, 130, brass)
        c.rect(0.0, 0.0, 1.0, 1.0, None, outline=(60, 44, 20), width=0.012)
        ink = readable(brass, (40, 28, 12), (250, 246, 236))
        text = f"{thing.content['brand']} {thing.variant}"
        c.text((0.05, 0.1, 0.95, 0.9), text, fonts.pick("strong", style), ink, lines=1)
        solid.decal([(0.2, 1.26), (0.54, 1.26), (0.54, 1.335), (0.19, 1.335)], c.array())
    return Art(weather(as_printed(solid.pixels(), edition), edition), 22.0, 30.8, 16.0, "cutout", p.main, p.word, 0.3)
