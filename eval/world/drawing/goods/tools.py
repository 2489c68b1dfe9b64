"""Power tools as cut-outs: cordless drills with their own decals, vents, grips and scratches."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, luma, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.prints import as_printed
from eval.world.drawing.kit.solids import Solid, band, box, ellipse, smooth
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

WIDTH = 1100


def _decal(
    thing: Thing, p: Palette, style: random.Random, own: random.Random, fonts: FontBox, shell: Colour
) -> np.ndarray:
    """The graphics on the housing: chevrons, bars, discs, and, when the tool is named, its lettering."""
    c = Canvas(900, 300, None)
    ink, hot = readable(shell, p.light, p.ink), own.choice([p.accent, p.second, p.light])
    c.rounded(0.0, 0.0, 1.0, 1.0, 0.05, mix(shell, ink, 0.82))
    back = mix(shell, ink, 0.82)
    inks = [shell, hot, readable(back, p.light, p.ink), p.accent]
    x = 0.03
    while x < 0.94:
        wide, pick, tone = own.choice([0.03, 0.05, 0.08]), own.randrange(5), own.choice(inks)
        if pick == 0:
            c.poly(
                [
                    (x, 0.08),
                    (x + wide * 0.6, 0.08),
                    (x + wide * 1.2, 0.5),
                    (x + wide * 0.6, 0.92),
                    (x, 0.92),
                    (x + wide * 0.6, 0.5),
                ],
                tone,
            )
        elif pick == 1:
            for i in range(own.randint(2, 5)):
                c.rect(x, 0.1 + 0.17 * i, x + wide * own.uniform(0.4, 1), 0.19 + 0.17 * i, tone)
        elif pick == 2:
            c.disc(x + wide / 2, own.uniform(0.25, 0.75), wide * 0.55, tone)
            c.disc(x + wide / 2, own.uniform(0.25, 0.75), wide * 0.2, own.choice(inks))
        elif pick == 3:
            c.poly([(x, 0.9), (x + wide, 0.1), (x + wide * 1.3, 0.1), (x + wide * 0.3, 0.9)], tone)
        else:
            for _ in range(5):
                c.disc(x + own.random() * wide, own.uniform(0.12, 0.88), 0.008, tone)
        x += wide * 1.35
    if thing.look["named"]:
        c.rect(0.1, 0.14, 0.9, 0.86, back)
        c.text(
            (0.12, 0.14, 0.6, 0.86),
            thing.content["brand"],
            fonts.pick("brand", style),
            readable(back, p.light, p.ink),
            lines=1,
        )
        letters = hot if abs(luma(hot) - luma(back)) > 0.35 else readable(back, p.light, p.ink)
        c.text((0.63, 0.22, 0.88, 0.8), thing.variant or "", fonts.pick("strong", style), letters, lines=1)
    return c.array()


def _rating(own: random.Random, paper: Colour) -> np.ndarray:
    """The small print label: lines, boxes and signs that nobody reads."""
    c = Canvas(300, 200, paper)
    ink = readable(paper, (20, 20, 22), (240, 240, 236))
    for i in range(6):
        x = 0.06
        while x < 0.6:
            w = own.uniform(0.03, 0.12)
            c.rect(x, 0.1 + 0.14 * i, min(0.62, x + w), 0.16 + 0.14 * i, ink)
            x += w + 0.025
    for i in range(own.randint(2, 3)):
        c.rect(0.68, 0.1 + 0.3 * i, 0.92, 0.33 + 0.3 * i, None, outline=ink, width=0.012)
        c.disc(own.uniform(0.74, 0.86), 0.215 + 0.3 * i, own.uniform(0.03, 0.06), ink)
    return c.array()


def scratches(
    own: random.Random, solid: Solid, count: int, area: tuple[float, float, float, float], tone: Colour
) -> None:
    """Scars of use that belong to this very thing."""
    for _ in range(count):
        x, y = own.uniform(area[0], area[2]), own.uniform(area[1], area[3])
        turn, length = own.uniform(0, 3.14), own.uniform(0.015, 0.06)
        path = smooth(
            [
                (x, y),
                (x + length * 0.5 * math.cos(turn) + 0.004, y + length * 0.5 * math.sin(turn)),
                (x + length * math.cos(turn), y + length * math.sin(turn)),
            ],
            closed=False,
            steps=5,
        )
        solid.part(band(path, 0.004, 0.001), tone, bulge=0.001, gloss=0, cast=0)


def shell_word(thing: Thing) -> str:
    """What one calls the colour of a drill: white ones would get dirty, so they come in red."""
    word = palette_for(thing).word
    return "red" if word == "white" else word


def _chuck(solid: Solid, own: random.Random, p: Palette, ring: Colour, *, bit: bool) -> None:
    """The front end: jaws, ribbed sleeve, the ring with the torque marks."""
    if bit:
        solid.part(box(0.9, 0.222, 0.99, 0.24), (150, 152, 156), metal=0.8, bulge=0.008)
    jaws = [(0.8, 0.16), (0.87, 0.175), (0.915, 0.21), (0.915, 0.25), (0.87, 0.285), (0.8, 0.3)]
    solid.part(jaws, (72, 74, 78), metal=0.5, bulge=0.05)
    solid.part(box(0.7, 0.135, 0.81, 0.325, 0.02), (52, 52, 55), bulge=0.06, gloss=0.3)
    for i in range(own.randint(7, 9)):
        solid.part(box(0.71 + 0.011 * i, 0.14, 0.715 + 0.011 * i, 0.32), (30, 30, 32), bulge=0.003, cast=0.0)
    solid.part(box(0.65, 0.125, 0.7, 0.335, 0.015), ring, bulge=0.05, gloss=0.4)
    for i in range(9):
        y, reach = 0.14 + 0.02 * i, own.uniform(0.008, 0.03)
        solid.part(box(0.655, y, 0.655 + reach, y + 0.006), p.ink, bulge=0.001, cast=0)


def _grip(solid: Solid, own: random.Random, rubber: Colour, lean: float) -> None:
    """The handle with its studs, some missing by design."""
    front = [(0.3, 0.33), (0.47, 0.33), (0.45, 0.45), (0.43 - lean, 0.6), (0.42 - lean, 0.74)]
    back = [(0.2 - lean, 0.74), (0.23 - lean, 0.58), (0.26, 0.44)]
    solid.part(smooth([*front, *back]), rubber, bulge=0.07, gloss=0.2)
    for j in range(13):
        for i in range(7):
            down = j / 12
            x, y = 0.25 + 0.028 * i - lean * down, 0.4 + 0.024 * j
            if own.random() < 0.72 and 0.272 - (lean + 0.03) * down < x < 0.41 - lean * down:
                solid.part(ellipse(x, y, 0.008, 0.008, n=12), mix(rubber, (255, 255, 255), 0.16), bulge=0.006, cast=0.2)


def _housing(solid: Solid, own: random.Random, shell: Colour, tail: float) -> None:
    """The motor housing with its vents and screws."""
    above = [(tail, 0.16), (tail + 0.05, 0.1), (0.4, 0.085), (0.62, 0.11), (0.665, 0.16), (0.665, 0.3)]
    below = [(0.6, 0.35), (0.42, 0.375), (0.2, 0.37), (tail + 0.02, 0.33), (tail - 0.01, 0.24)]
    solid.part(smooth([*above, *below]), shell, bulge=0.085, gloss=0.55)
    dark = mix(shell, (0, 0, 0), 0.72)
    for i in range(own.randint(5, 8)):
        x = tail + 0.03 + 0.022 * i
        solid.part(band([(x, 0.17), (x + 0.014, 0.3 - 0.02 * (i % 2))], 0.009), dark, bulge=0.003, cast=0, gloss=0)
    for _ in range(5):
        x, y = own.uniform(0.14, 0.62), own.choice([0.12, 0.345])
        solid.part(ellipse(x, y, 0.011, 0.011, n=16), (60, 60, 62), bulge=0.005, metal=0.5)
        solid.part(ellipse(x, y, 0.005, 0.005, n=8), (20, 20, 22), bulge=0.002, cast=0)


def _battery(
    solid: Solid, own: random.Random, p: Palette, shell: Colour, rubber: Colour, lean: float, charge: int
) -> None:
    """The battery with its label, and `charge` of four lamps alight."""
    left, right, low = 0.1 - lean, 0.52 - lean, 0.73
    block = [(left + 0.02, low), (right - 0.02, low - 0.005), (right + 0.01, low + 0.04)]
    block += [(right, low + 0.14), (left, low + 0.15), (left - 0.01, low + 0.05)]
    solid.part(smooth(block, steps=6), mix(rubber, (0, 0, 0), 0.25), bulge=0.04, gloss=0.35)
    solid.part(box(left + 0.015, low + 0.02, right - 0.015, low + 0.05, 0.01), shell, bulge=0.012, gloss=0.4)
    label = _rating(own, own.choice([(226, 226, 222), (40, 40, 42), p.accent]))
    solid.decal(box(left + 0.04, low + 0.06, left + 0.2, low + 0.13), label)
    for i in range(4):
        tone: Colour = (90, 220, 110) if i < charge else (60, 64, 62)
        solid.part(ellipse(left + 0.26 + 0.03 * i, low + 0.095, 0.008, 0.008, n=14), tone, bulge=0.005, cast=0)


def draw_drill(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A cordless drill from its left side: housing, chuck, grip, battery; with a bit in the chuck or without."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    shell = p.main if p.word != "white" else p.accent
    rubber = mix((38, 38, 40), shell, 0.12)
    solid = Solid(WIDTH, 0.92, edition)
    tail, lean = style.uniform(0.06, 0.1), style.uniform(0.04, 0.09)
    ring: Colour = own.choice([p.accent, p.second, (206, 170, 60)])
    _chuck(solid, own, p, ring, bit=edition.draws.random() < 0.7)
    _grip(solid, own, rubber, lean)
    solid.part(smooth([(0.47, 0.34), (0.52, 0.36), (0.5, 0.44), (0.455, 0.46)]), ring, bulge=0.02, gloss=0.4)
    _housing(solid, own, shell, tail)
    sides = [(tail + 0.17, 0.15), (0.635, 0.145), (0.635, 0.292), (tail + 0.17, 0.308)]
    solid.decal(sides, _decal(thing, p, style, own, fonts, shell))
    _battery(solid, own, p, shell, rubber, lean, edition.draws.randint(1, 4))
    scratches(own, solid, own.randint(6, 12), (0.12, 0.1, 0.62, 0.36), mix(shell, (255, 255, 255), 0.6))
    pixels = weather(as_printed(solid.pixels(), edition), edition)
    return Art(pixels, 23.0, 21.2, 7.0, "cutout", shell, shell_word(thing), 0.3)
