"""Things about the house as cut-outs: enamel kettles, table lamps, chairs. Each wears a print of its own."""

from __future__ import annotations

import random

import numpy as np

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.prints import as_printed, print_kinds, print_sheet
from eval.world.drawing.kit.solids import Solid, band, box, ellipse, smooth, turned
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

WIDTH = 1000
_WOODS: tuple[Colour, ...] = ((178, 128, 78), (120, 76, 44), (206, 168, 116), (86, 56, 40), (152, 98, 60))


def _streams(thing: Thing) -> tuple[random.Random, random.Random]:
    return random.Random(thing.look["style"]), random.Random(thing.look["own"])


def chips_of_enamel(own: random.Random, solid: Solid, count: int, area: tuple[float, float, float, float]) -> None:
    """Small chips where the enamel came off: a mark of this very thing."""
    for _ in range(count):
        x, y, s = own.uniform(area[0], area[2]), own.uniform(area[1], area[3]), own.uniform(0.004, 0.011)
        blot = smooth(
            [
                (x + s * own.uniform(0.6, 1.4) * a, y + s * own.uniform(0.6, 1.4) * b)
                for a, b in ((1, 0), (0.6, 0.8), (-0.5, 0.9), (-1, -0.1), (-0.3, -0.9), (0.7, -0.7))
            ]
        )
        solid.part(blot, (44, 38, 36), bulge=0.002, gloss=0.0, cast=0.0)


def plate(text: str, fonts: FontBox, style: random.Random, back: Colour, ink: Colour) -> np.ndarray:
    """A small maker's plate."""
    c = Canvas(420, 120, None)
    c.rounded(0.01, 0.03, 0.99, 0.97, 0.1, back)
    c.rounded(0.03, 0.1, 0.97, 0.9, 0.08, None, outline=ink, width=0.012)
    c.text((0.08, 0.16, 0.92, 0.84), text, fonts.pick("brand", style), ink, lines=1)
    return c.array()


def draw_kettle(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A stove kettle of painted enamel, seen from its side."""
    style, own = _streams(thing)
    p = palette_for(thing)
    solid = Solid(WIDTH, 0.92, edition)
    dark = style.random() < 0.45
    print_ = print_sheet(style.choice(print_kinds()), p, own, (1800, 640), dark=dark)
    trim = readable(p.light, p.main, p.ink) if not dark else p.ink
    turn = own.uniform(0, 360) + edition.draws.uniform(-7, 7)
    top, low = style.uniform(0.36, 0.42), 0.87
    neck, belly, foot = style.uniform(0.13, 0.19), style.uniform(0.29, 0.33), style.uniform(0.25, 0.3)
    cx = 0.47
    spout = smooth(
        [(cx + belly * 0.75, 0.66), (cx + belly + 0.06, 0.6), (cx + belly + 0.1, 0.44), (cx + belly + 0.17, 0.36)],
        closed=False,
    )
    solid.part(band(spout, 0.15, 0.06), mix(p.light if not dark else p.main, trim, 0.08), bulge=0.04, gloss=0.6)
    tip = spout[-1]
    solid.part(ellipse(tip[0] + 0.004, tip[1] - 0.004, 0.037, 0.018, 0.7), trim, bulge=0.006, gloss=0.3, cast=0.1)
    body = turned(
        cx,
        [
            (neck, top),
            (neck + 0.04, top + 0.05),
            (belly - 0.015, 0.58),
            (belly, 0.7),
            (foot + 0.015, 0.84),
            (foot, low),
        ],
    )
    solid.turned(body, print_, turn=turn, gloss=0.75, cast=0.25)
    rim = turned(cx, [(foot + 0.02, low - 0.04), (foot + 0.022, low - 0.025), (foot + 0.012, low)], 0.035)
    solid.turned(rim, trim, gloss=0.4, cast=0.15)
    lid = turned(
        cx, [(0.05, top - 0.06), (neck - 0.02, top - 0.035), (neck + 0.012, top + 0.004), (neck + 0.012, top + 0.02)]
    )
    solid.turned(lid, trim, gloss=0.7, cast=0.35)
    solid.part(ellipse(cx, top - 0.075, 0.034, 0.032), style.choice([(28, 26, 26), (150, 96, 54), trim]), gloss=0.8)
    swing = edition.draws.uniform(-0.015, 0.015)
    reach, crown = neck + 0.1, top - style.uniform(0.23, 0.29)
    for side in (-1, 1):
        solid.part(ellipse(cx + side * reach, top + 0.085, 0.022, 0.03), (120, 122, 126), metal=0.7, bulge=0.012)
    arch = smooth(
        [
            (cx - reach, top + 0.085),
            (cx - reach * 0.98 + swing, top - 0.08),
            (cx - reach * 0.55 + swing, crown),
            (cx + reach * 0.55 + swing, crown),
            (cx + reach * 0.98 + swing, top - 0.08),
            (cx + reach, top + 0.085),
        ],
        closed=False,
    )
    solid.part(band(arch, 0.02), (150, 152, 156), metal=0.8, bulge=0.01, cast=0.3)
    grip = arch[len(arch) * 2 // 5 - 4 : len(arch) * 3 // 5 + 5]
    solid.part(band(grip, 0.06), style.choice([(40, 36, 34), (140, 88, 50), (186, 140, 92)]), bulge=0.03, gloss=0.4)
    chips_of_enamel(own, solid, own.randint(3, 7), (cx - belly * 0.8, 0.6, cx + belly * 0.8, 0.85))
    if thing.look["named"]:
        label = plate(f"{thing.content['brand']} {thing.variant}", fonts, style, trim, readable(trim, p.light, p.ink))
        solid.decal([(cx - 0.15, 0.765), (cx + 0.15, 0.765), (cx + 0.148, 0.848), (cx - 0.148, 0.848)], label)
    pixels = weather(as_printed(solid.pixels(), edition), edition)
    return Art(
        pixels,
        25.0,
        23.0,
        17.0,
        "cutout",
        p.main,
        p.word,
        0.5,
        revolves=True,
    )


def draw_lamp(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A table lamp: a turned foot and a printed shade, alight or not."""
    style, own = _streams(thing)
    p = palette_for(thing)
    solid = Solid(WIDTH, 1.5, edition)
    cx = 0.5
    kinds = style.sample(print_kinds(), 2)
    foot_print = print_sheet(kinds[0], p, own, (1500, 760), dark=True)
    shade_print = print_sheet(kinds[1], p, own, (2000, 700), dark=style.random() < 0.3)
    shape = style.randrange(4)
    profiles = (
        [(0.035, 0.72), (0.05, 0.78), (0.16, 0.93), (0.2, 1.1), (0.12, 1.3), (0.15, 1.38)],
        [(0.04, 0.72), (0.12, 0.82), (0.08, 0.95), (0.17, 1.15), (0.1, 1.32), (0.19, 1.38)],
        [(0.09, 0.74), (0.115, 0.78), (0.115, 1.2), (0.12, 1.32), (0.16, 1.38)],
        [(0.05, 0.72), (0.2, 0.9), (0.22, 1.05), (0.16, 1.25), (0.1, 1.35), (0.13, 1.38)],
    )
    solid.turned(
        turned(cx, profiles[shape]), foot_print, turn=own.uniform(0, 360) + edition.draws.uniform(-7, 7), gloss=0.7
    )
    brass: Colour = style.choice([(196, 160, 84), (176, 178, 182), (150, 96, 62)])
    solid.turned(turned(cx, [(0.19, 1.37), (0.215, 1.4), (0.21, 1.44)], 0.035), brass, metal=0.6)
    solid.turned(turned(cx, [(0.028, 0.6), (0.028, 0.74)]), brass, metal=0.7)
    wide, narrow, low = style.uniform(0.4, 0.45), style.uniform(0.2, 0.32), style.uniform(0.66, 0.72)
    lit = edition.draws.random() < 0.5
    shade = shade_print.astype(np.float32)
    if lit:
        glow = 1.12 + 0.25 * np.exp(-(((np.linspace(0, 1, shade.shape[0]) - 0.62) / 0.3) ** 2))[:, None, None]
        shade = np.clip(shade * glow * np.array([1.05, 1.0, 0.86], np.float32) + 10, 0, 255)
    sag = 0.035
    cone = [
        (cx - narrow, 0.09),
        *smooth([(cx - narrow, 0.09), (cx, 0.09 + sag * 0.6), (cx + narrow, 0.09)], closed=False),
        (cx + wide, low),
        *smooth([(cx + wide, low), (cx, low + sag), (cx - wide, low)], closed=False),
    ]
    solid.part(ellipse(cx, 0.095, narrow, 0.024), mix(p.ink, brass, 0.35), bulge=0.003, cast=0)
    solid.turned(cone, shade, turn=own.uniform(0, 360) + edition.draws.uniform(-6, 6), gloss=0.08, cast=0.5)
    trim = mix(p.accent, p.ink, 0.15)
    solid.part(
        band(
            smooth([(cx - wide, low - 0.006), (cx, low + sag - 0.008), (cx + wide, low - 0.006)], closed=False), 0.024
        ),
        trim,
        bulge=0.006,
    )
    solid.part(
        band(smooth([(cx - narrow, 0.1), (cx, 0.1 + sag * 0.6), (cx + narrow, 0.1)], closed=False), 0.018),
        trim,
        bulge=0.006,
    )
    solid.part(ellipse(cx, 0.055, 0.022, 0.028), brass, metal=0.6)
    if thing.look["named"]:
        label = plate(f"{thing.content['brand']} {thing.variant}", fonts, style, brass, (40, 30, 20))
        solid.decal([(cx - 0.13, 1.385), (cx + 0.13, 1.385), (cx + 0.13, 1.442), (cx - 0.13, 1.442)], label)
    pixels = weather(as_printed(solid.pixels(), edition), edition)
    return Art(
        pixels,
        27.0,
        40.5,
        18.0,
        "cutout",
        p.main,
        p.word,
        0.15,
        revolves=True,
    )


def _grain(own: random.Random, tone: Colour, size: tuple[int, int]) -> np.ndarray:
    """Wood: lines along the height."""
    g = np.random.default_rng(own.getrandbits(32))
    w, h = size
    wobble = np.cumsum(g.normal(0, 0.06, h))[:, None] + np.linspace(0, own.uniform(9, 16), w)[None] * 2
    lines = 0.5 + 0.5 * np.sin(wobble + 0.8 * np.sin(np.linspace(0, own.uniform(3, 9), h))[:, None])
    fine = g.normal(0, 0.05, (1, w)) + g.normal(0, 0.03, (h, w))
    value = 0.8 + 0.26 * lines + fine
    return np.clip(value[..., None] * np.array(tone, np.float32), 0, 255).astype(np.uint8)


def _chair_back(
    solid: Solid, style: random.Random, own: random.Random, wood: Colour, grain: np.ndarray, cover: np.ndarray
) -> None:
    """What one leans against: a padded panel under a crest, three painted slats, or an oval."""
    design = style.choice(["panel", "slats", "oval"])
    if design == "panel":
        crest = [(0.13, 0.16), (0.5, 0.08), (0.87, 0.16), (0.86, 0.27), (0.5, 0.2), (0.14, 0.27)]
        solid.part(box(0.2, 0.24, 0.8, 0.72, 0.06), cover, bulge=0.035, gloss=0.08)
        solid.part(smooth(crest), _grain(own, wood, (700, 160)), bulge=0.025, gloss=0.35)
        solid.part(box(0.17, 0.72, 0.83, 0.79), grain, bulge=0.02, gloss=0.3)
    elif design == "slats":
        for i in range(3):
            y, strip = 0.14 + 0.21 * i, np.ascontiguousarray(cover[i * 190 : i * 190 + 130])
            slat = [(0.14, y + 0.02), (0.5, y - 0.02), (0.86, y + 0.02)]
            slat += [(0.86, y + 0.14), (0.5, y + 0.12), (0.14, y + 0.14)]
            solid.part(smooth(slat), strip, bulge=0.02, gloss=0.35)
    else:
        solid.part(ellipse(0.5, 0.42, 0.33, 0.36), _grain(own, wood, (700, 700)), bulge=0.04, gloss=0.35)
        solid.part(ellipse(0.5, 0.42, 0.27, 0.3), cover, bulge=0.05, gloss=0.08, cast=0.2)


def draw_chair(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A chair seen a little from above and from the front, with a covered seat and back."""
    style, own = _streams(thing)
    p = palette_for(thing)
    solid = Solid(780, 1.75, edition)
    wood = mix(style.choice(_WOODS), (0, 0, 0), 0.05 * own.random())
    grain, kind = _grain(own, wood, (160, 700)), style.choice(print_kinds())
    # Cut from the middle of larger sheets: cloth for chairs has large figures.
    seat = print_sheet(kind, p, own, (1100, 800), dark=style.random() < 0.5)[150:650, 200:900]
    back = print_sheet(kind, p, own, (1100, 900), dark=style.random() < 0.5)[150:750, 220:880]
    spread, thick = style.uniform(0.02, 0.06), style.uniform(0.055, 0.075)
    lean = edition.draws.uniform(-0.012, 0.012)
    for side in (-1, 1):  # back legs behind everything
        x = 0.5 + side * 0.33
        solid.part(band([(x, 0.95), (x + side * spread + lean, 1.56)], thick * 0.9, thick * 0.6), grain, bulge=0.02)
    for side in (-1, 1):
        x = 0.5 + side * 0.35
        post = smooth([(x + side * 0.02, 0.1), (x, 0.4), (x - side * 0.01, 1.0)], closed=False)
        solid.part(band(post, thick * 0.9, thick), grain, bulge=0.025, gloss=0.3)
    _chair_back(solid, style, own, wood, grain, back)
    apron = [(0.07, 1.06), (0.93, 1.06), (0.925, 1.14), (0.075, 1.14)]
    solid.part(apron, _grain(own, wood, (700, 120)), bulge=0.015, gloss=0.3)
    for side in (-1, 1):
        x = 0.5 + side * 0.38
        leg = band([(x, 1.1), (x + side * spread * 0.8 + lean, 1.72)], thick, thick * 0.62)
        solid.part(leg, grain, bulge=0.025, gloss=0.3)
    if style.random() < 0.6:
        solid.part(band([(0.15, 1.42), (0.85, 1.42)], 0.035), _grain(own, wood, (700, 60)), bulge=0.015, cast=0.3)
    cushion = [(0.17, 0.87), (0.5, 0.862), (0.83, 0.87), (0.9, 0.95)]
    cushion += [(0.94, 1.06), (0.5, 1.09), (0.06, 1.06), (0.1, 0.95)]
    solid.part(smooth(cushion), mix(p.main, p.ink, 0.4), bulge=0.03, gloss=0.05)
    solid.decal([(0.16, 0.88), (0.84, 0.88), (0.915, 1.05), (0.085, 1.05)], np.ascontiguousarray(seat))
    if thing.look["named"]:
        label = plate(thing.content["brand"], fonts, style, (206, 178, 110), (40, 30, 20))
        solid.decal([(0.4, 1.075), (0.6, 1.075), (0.6, 1.13), (0.4, 1.13)], label)
    pixels = weather(as_printed(solid.pixels(), edition), edition)
    return Art(pixels, 46.0, 80.5, 44.0, "cutout", p.main, p.word, 0.1)
