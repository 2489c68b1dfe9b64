"""Cars and vans from the side: body shapes of a family, wheels, two-tone paint and side graphics of each model's own.

Lengths in cm, ground at y = 0, nose to the right (or mirrored, for good, where the family's look says so).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.surface import MOTIFS, Surface, arc, curve, motif, rounded, shade
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

Line = list[tuple[float, float]]

#: Shape → (length, height, wheel radius, wheels' x, outline from the tail over the roof to the nose, glass corners).
#: Glass: bottom left, top left, top right, bottom right; then the pillars as fractions of its width.
_SHAPES: dict[str, tuple[float, float, float, tuple[float, float], Line, Line, tuple[float, ...]]] = {
    "saloon": (
        455, 148, 33, (88, 362),
        [(6, 34), (2, 62), (8, 94), (40, 101), (86, 104), (142, 141), (190, 147), (240, 145), (278, 132), (330, 102),
         (392, 94), (436, 82), (452, 62), (453, 38), (446, 27)],
        [(104, 103), (150, 138), (262, 134), (318, 101)], (0.16, 0.54),
    ),
    "hatchback": (
        398, 152, 32, (76, 318),
        [(8, 34), (3, 60), (6, 96), (22, 122), (52, 147), (120, 153), (190, 150), (236, 136), (284, 104), (340, 96),
         (378, 82), (395, 60), (396, 38), (388, 27)],
        [(32, 108), (62, 141), (216, 138), (270, 104)], (0.24, 0.6),
    ),
    "estate": (
        468, 154, 34, (94, 374),
        [(7, 34), (3, 64), (8, 100), (26, 142), (60, 153), (150, 156), (246, 151), (288, 136), (340, 105), (402, 96),
         (448, 82), (465, 60), (466, 38), (458, 27)],
        [(26, 108), (48, 145), (270, 140), (328, 104)], (0.24, 0.5, 0.76),
    ),
    "coupe": (
        432, 128, 34, (84, 346),
        [(6, 32), (3, 62), (10, 90), (56, 98), (124, 122), (178, 128), (222, 124), (262, 110), (306, 90), (372, 82),
         (414, 70), (429, 52), (430, 34), (422, 24)],
        [(118, 92), (152, 118), (240, 113), (288, 89)], (0.32,),
    ),
    "offroad": (
        438, 186, 40, (88, 344),
        [(8, 48), (4, 84), (8, 128), (22, 178), (60, 186), (160, 188), (238, 184), (266, 168), (296, 128), (372, 122),
         (420, 112), (434, 88), (435, 56), (428, 42)],
        [(28, 130), (40, 176), (250, 172), (282, 129)], (0.26, 0.58),
    ),
    "round": (
        372, 158, 31, (74, 296),
        [(5, 36), (4, 62), (24, 100), (52, 128), (96, 150), (154, 159), (206, 152), (242, 134), (266, 108), (314, 100),
         (350, 80), (367, 56), (366, 38), (358, 28)],
        [(74, 106), (108, 144), (212, 142), (252, 106)], (0.42,),
    ),
    "van": (
        528, 246, 36, (104, 420),
        [(6, 40), (3, 90), (5, 190), (10, 238), (40, 247), (200, 248), (340, 246), (392, 236), (424, 196), (448, 142),
         (496, 124), (520, 100), (524, 60), (520, 34)],
        [(352, 146), (352, 212), (398, 212), (434, 146)], (0.2,),
    ),
}  # fmt: skip
_CARS = ("saloon", "hatchback", "estate", "coupe", "offroad", "round")


def draw_car(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A car of the family's shape; colours, graphics, wheels and roof load are the model's own."""
    return _draw(thing, edition, fonts, random.Random(thing.look["style"]).choice(_CARS))


def draw_van(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A delivery van with a painted side."""
    return _draw(thing, edition, fonts, "van")


def paints(thing: Thing, edition: Edition) -> tuple[Palette, list[Colour]]:
    """The thing's palette as this picture has it, and its colours to decorate with."""
    p = edition.tint(palette_for(thing))
    return p, [p.accent, p.second, p.light, p.ink]


def _draw(thing: Thing, edition: Edition, fonts: FontBox, shape: str) -> Art:
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    length, height, radius, wheels, top, glass, pillars = _SHAPES[shape]
    p, colours = paints(thing, edition)
    load = 0.0 if shape == "van" else own.choice([0.0, 0.0, 26.0])
    s = Surface(length, height + 4 + load, p.main, 1350)
    sill = top[0][1] - 10
    hull = np.vstack([[(wheels[0] - 50, sill)], curve(top, closed=False, steps=8), [(length - 14, sill)]])
    body = s.mask(hull)
    s.paint(body, p.main)
    if own.random() < 0.5 and shape != "van":
        _two_tone(s, body, glass, p.light if p.word != "white" else p.second)
    _graphics(s, thing, body, shape, p, colours, style, own)
    _sheen(s, body, glass[0][1])
    _glazing(s, glass, pillars, p, shape)
    _fittings(s, shape, top, glass, pillars, p, style, own)
    _letters(s, thing, fonts, shape, p, style)
    if load:
        _roof_load(s, top, height, colours, own)
    turn = edition.draws.uniform(0, 2 * math.pi)
    design = (own.choice([5, 6, 7, 8, 10, 12]), own.choice(["spokes", "disc", "holes", "twin"]), own.choice(colours))
    for x in wheels:
        arch = arc(x, radius, radius * 1.2, radius * 1.2, 0, 180, 30)
        s.fill(arch, (24, 24, 26))
        s.line(arc(x, radius, radius * 1.22, radius * 1.22, -6, 186, 30), shade(p.main, 0.66), 2.5)
        wheel(s, x, radius, radius, design, turn)
    _grime(s, edition, sill)
    return Art(s.array(), s.width, s.height, 165.0, "cutout", shade(p.main, 0.8), p.word, 0.0)


def _two_tone(s: Surface, body: np.ndarray, glass: Sequence[tuple[float, float]], colour: Colour) -> None:
    """The roof in another colour, from the belt line up."""
    upper = s.mask(rounded(0, glass[0][1] - 2, s.width, s.height, 0))
    s.paint(cv2.min(body, upper), colour, 0.999)


def _graphics(
    s: Surface,
    thing: Thing,
    body: np.ndarray,
    shape: str,
    p: Palette,
    colours: Sequence[Colour],
    style: random.Random,
    own: random.Random,
) -> None:
    """What makes the model: a band, a swoosh, a picture field or scattered marks on the doors."""
    w, belt = s.width, _SHAPES[shape][5][0][1]
    kind, layout = own.choice(MOTIFS), own.choice(["band", "swoosh", "rear", "wedge"])
    inks = [p.main, *own.sample(list(colours), 3)]
    if shape == "van":
        field = s.mask(rounded(22, 64, 330, 222, own.choice([4.0, 30.0])))
        motif(s, cv2.min(body, field), kind, inks, own.choice([22.0, 27.0, 33.0]), own)
        s.line(rounded(22, 64, 330, 222, 4), p.light, 3, closed=True)
        stripe = s.mask([(0, 44), (w, 44), (w, 56), (0, 56)])
        s.paint(cv2.min(body, stripe), own.choice(list(colours)), 0.999)
        return
    if layout == "band":
        y = own.uniform(belt * 0.5, belt * 0.62)
        area = np.array([(0, y), (w, y + 6), (w, y + 30), (0, y + 24)])
    elif layout == "swoosh":
        lower = curve([(10, belt - 12), (w * 0.3, belt * 0.62), (w * 0.7, belt * 0.5), (w, belt * 0.62)], closed=False)
        upper = curve([(w, belt * 0.72), (w * 0.7, belt * 0.85), (w * 0.35, belt * 0.97), (10, belt)], closed=False)
        area = np.vstack([lower, upper])
    elif layout == "rear":
        area = np.array([(0, 0), (w * 0.42, 0), (w * own.uniform(0.26, 0.36), s.height), (0, s.height)])
    else:
        area = np.array([(w * 0.2, belt * 0.42), (w * 0.95, belt * 0.7), (w * 0.2, belt * 0.96)])
    motif(s, cv2.min(body, s.mask(area)), kind, inks, own.choice([11.0, 13.0, 16.0]), own)
    edge = shade(own.choice(list(colours)), 0.95)
    line = s.mask([(0, belt * 0.44), (w, belt * 0.44), (w, belt * 0.44 + 3), (0, belt * 0.44 + 3)])
    s.paint(cv2.min(body, line), edge, 0.999)


def _sheen(s: Surface, body: np.ndarray, belt: float) -> None:
    """Paint under the open sky: light from above, the ground's darkness below, a bright shoulder."""
    s.light(body, 0.62, 1.16, power=0.8)
    glow: np.ndarray = np.zeros((s.h, s.w), np.uint8)
    y = round((s.height - belt + 7) * s.px)
    cv2.line(glow, (round(0.03 * s.w), y), (round(0.97 * s.w), y + round(4 * s.px)), 255, max(2, round(3.2 * s.px)))
    glow = cv2.min(cv2.blur(glow, (9, max(3, round(6 * s.px) | 1))), body)
    s.paint(glow, (255, 255, 255), 0.34)
    dark = s.mask([(0, belt * 0.36), (s.width, belt * 0.36), (s.width, 0), (0, 0)])
    dark = cv2.blur(dark, (5, max(3, round(14 * s.px) | 1)))
    s.paint(cv2.min(dark, body), (20, 20, 24), 0.3)


def _glazing(
    s: Surface, glass: Sequence[tuple[float, float]], pillars: Sequence[float], p: Palette, shape: str
) -> None:
    """Side windows with a reflected sky, pillars between them."""
    pane = np.vstack([[glass[0]], curve([glass[1], ((glass[1][0] + glass[2][0]) / 2, glass[1][1] + 2.5), glass[2]],
                                        closed=False), [glass[3]]])  # fmt: skip
    frame = pane.mean(0) + (pane - pane.mean(0)) * 1.035
    s.fill(frame, (26, 28, 30))
    s.fill(pane, (74, 90, 102))
    area = s.mask(pane)
    s.light(area, 0.62, 1.7)
    x0, x1 = glass[0][0], glass[3][0]
    for k, wide in ((0.2, 20.0), (0.5, 9.0), (0.72, 26.0)):
        x = x0 + k * (x1 - x0)
        streak = s.mask([(x, 0), (x + wide, 0), (x + wide + 60, s.height), (x + 60, s.height)])
        s.paint(cv2.min(streak, area), (226, 236, 242), 0.3)
    for k in pillars:
        x = x0 + k * (x1 - x0)
        if shape != "van":
            s.line([(x - 2, glass[0][1] - 3), (x, glass[1][1] + 6)], (26, 28, 30), 7.0)
        seat = x0 + (k + 0.07) * (x1 - x0)
        head = cv2.min(s.mask(rounded(seat, glass[0][1], seat + 20, glass[0][1] + 22, 6)), area)
        s.paint(head, (36, 38, 42), 0.7)


def _fittings(
    s: Surface,
    shape: str,
    top: Line,
    glass: Sequence[tuple[float, float]],
    pillars: Sequence[float],
    p: Palette,
    style: random.Random,
    own: random.Random,
) -> None:
    """Door gaps, handles, lamps, mirror, bumpers, fuel flap."""
    seam, x0, x1, belt = shade(p.main, 0.5), glass[0][0], glass[3][0], glass[0][1]
    sill = top[0][1] - 6
    doors = [x0 + k * (x1 - x0) for k in pillars] + [x1 + 4]
    for x in doors:
        s.line(curve([(x, belt), (x + 2, belt * 0.62), (x - 3, sill + 6)], closed=False), seam, 1.4)
        if shape != "van" or x > x1:
            s.box(x - 32, belt - 15, x - 14, belt - 10, shade(p.light, 0.86), 2)
            s.line([(x - 32, belt - 15.5), (x - 14, belt - 15.5)], (30, 30, 32), 1.0)
    if shape == "van":
        s.line([(336, sill), (336, s.height - 16)], seam, 1.6)
        s.line([(20, 150), (330, 150)], (44, 46, 50), 2.0)
    s.line([(top[0][0] + 20, sill + 4), (s.width - 30, sill + 4)], (34, 34, 36), 5.0)
    for x, far in ((2.0, 34.0), (s.width - 3, s.width - 40)):
        s.line(curve([(x, top[0][1] + 10), ((x + far) / 2, top[0][1] + 6), (far, top[0][1] + 5)], closed=False),
               shade(p.ink, 1.0), style.choice([5.0, 9.0]))  # fmt: skip
    nose = top[-4]
    lamp = style.choice(["round", "long"])
    if lamp == "round":
        s.disc(nose[0] - 12, nose[1] - 10, 11, (188, 192, 196))
        s.disc(nose[0] - 12, nose[1] - 10, 8.5, (246, 244, 226))
    else:
        s.fill([(nose[0] - 44, nose[1] - 4), (nose[0] + 6, nose[1] - 12), (nose[0] + 8, nose[1] - 24),
                (nose[0] - 30, nose[1] - 17)], (238, 238, 226))  # fmt: skip
        s.line([(nose[0] - 34, nose[1] - 10), (nose[0] + 6, nose[1] - 18)], (120, 126, 130), 1.5)
    tail = top[2]
    s.box(tail[0], tail[1] - 34, tail[0] + own.choice([10.0, 16.0]), tail[1] - 6, (170, 28, 30), 3)
    s.box(tail[0], tail[1] - 16, tail[0] + 9, tail[1] - 10, (238, 150, 60), 2)
    s.fill(
        curve([(x1 + 2, belt + 1), (x1 - 4, belt + 15), (x1 - 20, belt + 15), (x1 - 22, belt + 2)]), shade(p.main, 0.75)
    )
    s.disc(top[2][0] + 62, belt - 22, 7, shade(p.main, 0.72))
    s.disc(top[2][0] + 62, belt - 22, 6, shade(p.main, 0.9))


def _letters(s: Surface, thing: Thing, fonts: FontBox, shape: str, p: Palette, style: random.Random) -> None:
    """Maker's emblem on the wing, and model letters where the thing carries its name."""
    x = s.width - 92
    y = _SHAPES[shape][5][0][1] - 20
    emblem = random.Random(thing.content["brand"])
    s.disc(x, y, 7.5, (206, 208, 212))
    s.disc(x, y, 6, readable((206, 208, 212), p.ink, p.main))
    n, turn = emblem.choice([3, 4, 5, 6]), emblem.random() * 3
    s.fill([(x + (5.4 if k % 2 else 2.2) * math.cos(turn + math.pi * k / n),
             y + (5.4 if k % 2 else 2.2) * math.sin(turn + math.pi * k / n)) for k in range(2 * n)],
           (236, 226, 190))  # fmt: skip
    if not thing.look["named"]:
        return
    text = f"{thing.content['brand']} {thing.variant}"
    if shape == "van":
        s.fill(rounded(40, 96, 312, 146, 6), p.light)
        s.text(48, 98, 304, 144, text, fonts.pick("brand", style), readable(p.light, p.ink, p.main))
    else:
        x0 = _SHAPES[shape][3][0] + 48
        s.fill(rounded(x0, 42, x0 + 132, 64, 3), p.light)
        s.text(x0 + 3, 43, x0 + 129, 63, text, fonts.pick("strong", style), readable(p.light, p.ink, p.main))


def _roof_load(s: Surface, top: Line, height: float, colours: Sequence[Colour], own: random.Random) -> None:
    """A rack with a box, a board or cases."""
    xs = sorted(x for x, y in top if y > height - 10)
    x0, x1 = xs[0] + 6, xs[-1] + 6
    s.line([(x0, height + 3), (x1, height + 3)], (52, 54, 58), 3)
    for x in (x0 + 4, x1 - 4):
        s.line([(x, height + 3), (x, height - 6)], (52, 54, 58), 3)
    kind = own.choice(["box", "board", "cases"])
    a, b = own.sample(list(colours), 2)
    if kind == "board":
        board = curve(
            [(x0 - 60, height + 12), (x0, height + 5), (x1, height + 5), (x1 + 50, height + 14), (x1, height + 14)]
        )
        s.fill(board, a)
        motif(s, s.mask(board), own.choice(MOTIFS), [a, b, *colours], 9.0, own)
    elif kind == "box":
        s.fill(
            curve(
                [
                    (x0, height + 6),
                    (x1 - 8, height + 5),
                    (x1 + 8, height + 14),
                    (x0 + 30, height + 27),
                    (x0, height + 24),
                ]
            ),
            a,
        )
        s.line([(x0, height + 12), (x1, height + 11)], b, 2.5)
    else:
        x = x0
        while x < x1 - 22:
            wide, high = own.uniform(20, 38), own.uniform(14, 24)
            tone = own.choice(list(colours))
            s.box(x, height + 4, x + wide, height + 4 + high, tone, 2)
            for k in (0.25, 0.75):
                s.line([(x + k * wide, height + 4), (x + k * wide, height + 4 + high)], shade(tone, 0.55), 2)
            x += wide + 2


def wheel(
    s: Surface, x: float, y: float, radius: float, design: tuple[int, str, Colour], turn: float, tyre: float = 0.68
) -> None:
    """A wheel of `radius` around (x, y): tyre, and a rim in the model's design turned by `turn` radians."""
    n, kind, tint = design
    rim = radius * tyre
    s.disc(x, y, radius, (30, 30, 33))
    s.line(arc(x, y, radius * 0.9, radius * 0.9), (56, 56, 60), 1.2, closed=True)
    s.disc(x, y, rim, (64, 66, 70))
    metal = mix((206, 208, 212), tint, 0.35)
    if kind in ("spokes", "twin"):
        for k in range(n):
            for d in (0.0,) if kind == "spokes" else (-0.12, 0.12):
                a = turn + 2 * math.pi * k / n + d
                s.line(
                    [(x, y), (x + rim * math.cos(a), y + rim * math.sin(a))], metal, radius * (0.17 if d == 0 else 0.09)
                )
    else:
        s.disc(x, y, rim * 0.94, metal)
        for k in range(n):
            a = turn + 2 * math.pi * k / n
            far = rim * (0.68 if kind == "holes" else 0.8)
            s.disc(
                x + far * math.cos(a), y + far * math.sin(a), rim * (0.15 if kind == "holes" else 0.07), (50, 52, 56)
            )
    s.line(arc(x, y, rim, rim), metal, radius * 0.08, closed=True)
    s.disc(x, y, rim * 0.3, shade(metal, 0.8))
    s.disc(x, y, rim * 0.2, tint)
    hub = s.mask(arc(x, y, radius, radius))
    s.light(hub, 0.72, 1.15)


def _grime(s: Surface, edition: Edition, sill: float) -> None:
    """Dust low down and uneven light, according to wear."""
    g = np.random.default_rng(edition.draws.getrandbits(32))
    spots = cv2.resize(g.normal(0, 1, (14, 30)).astype(np.float32), (s.w, s.h), interpolation=cv2.INTER_CUBIC)
    s.texture(s.alpha, 1 + 0.02 * spots)
    dust = s.mask([(0, 0), (s.width, 0), (s.width, sill + 30), (0, sill + 24)])
    dust = cv2.min(cv2.blur(dust, (31, 61)), s.alpha)
    s.paint(dust, (138, 124, 100), 0.05 + 0.22 * edition.wear)
