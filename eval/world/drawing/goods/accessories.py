"""Shoes and handbags: cuts of a family, materials, prints and fittings of each piece's own.

Sizes in cm, y upwards, things stand on y = 0.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, mix, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.fabrics import folds, woven
from eval.world.drawing.kit.surface import MOTIFS, Surface, curve, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints
from eval.world.model import Thing


def draw_shoe(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A pair: one shoe from the side, the other just behind it."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    kind = style.choice(["trainer", "trainer", "boot", "canvas"])
    p, colours = paints(thing, edition)
    high = {"trainer": 13.5, "boot": 25.0, "canvas": 17.0}[kind]
    s = Surface(36.5, high + 3, p.main, 1300)
    _shoe(s, thing, fonts, kind, high, p.main, p.light, p.ink, colours, style, own, edition)
    front = s.array()
    back = np.zeros_like(front)
    dx, dy = round(4.2 * s.px), round(1.5 * s.px)
    back[: s.h - dy, dx:] = front[dy:, : s.w - dx]
    shadowed = cv2.GaussianBlur(front[..., 3], (0, 0), 0.7 * s.px)[..., None].astype(np.float32) / 255
    back[..., :3] = (back[..., :3] * (0.86 - 0.35 * shadowed)).astype(np.uint8)
    alpha = front[..., 3:].astype(np.float32) / 255
    out = back.copy()
    out[..., :3] = (front[..., :3] * alpha + back[..., :3] * (1 - alpha)).astype(np.uint8)
    out[..., 3] = np.maximum(front[..., 3], back[..., 3])
    return Art(out, 36.5, high + 3, 10.0, "cutout", p.main, p.word, 0.0)


def _shoe(
    s: Surface,
    thing: Thing,
    fonts: FontBox,
    kind: str,
    high: float,
    main: Colour,
    light: Colour,
    ink: Colour,
    colours: list[Colour],
    style: random.Random,
    own: random.Random,
    edition: Edition,
) -> None:
    """Toe to the right."""
    sole = {"trainer": 3.4, "boot": 3.0, "canvas": 2.4}[kind]
    collar, ankle = (0.86, 0.78) if kind == "trainer" else (1.0, 0.62)
    top = [(1.4, sole), (1.0, high * 0.55), (1.8, high), (10.5, high * collar), (14.0, high * ankle)]
    top += [(20.0, 8.2), (26.0, 6.4), (30.0, 4.9), (31.2, sole)]
    upper = np.vstack([curve(top, closed=False), [(31.2, sole - 0.4), (1.4, sole - 0.4)]])
    area = s.mask(upper)
    s.fill(curve([(2.0, high - 1.6), (2.4, high + 0.7), (9.4, high * 0.97), (11, high - 2.4)]), shade(ink, 0.9))
    s.paint(area, main)
    inks = own.sample(colours, 3)
    quarter = s.mask(np.array([(0, sole), (0, high), (13, high), (17, 8.5), (17.5, sole)]))
    panel = np.minimum(area, quarter)
    motif(s, panel, own.choice(MOTIFS), [main, *inks], own.choice([1.9, 2.3, 2.9]), own)
    toe = np.minimum(area, s.mask(np.array([(25, 0), (33, 0), (33, 9), (23.6, 9)])))
    s.paint(toe, own.choice(inks) if kind != "canvas" else light)
    heel = np.minimum(area, s.mask(curve([(0, sole), (0, high * 0.7), (4.2, high * 0.6), (5.2, sole)])))
    s.paint(heel, own.choice(inks))
    bars = own.choice([2, 3, 4])
    for k in range(bars):
        x = 13.0 + 2.1 * k
        stripe = np.array([(x, sole), (x + 1.1, sole), (x + 3.3, 9.5), (x + 2.2, 9.5)])
        s.paint(np.minimum(area, s.mask(stripe)), inks[k % 3])
    s.light(area, 0.78, 1.1)
    woven(s, area, 0.35, 0.03)
    for line in ([(25.0, sole), (23.8, 7.0)], [(17.3, sole), (16.6, 8.9)], [(5.0, sole), (4.0, high * 0.62)]):
        s.line(line, shade(main, 0.5), 0.16)
        for k in range(7):
            t = k / 7
            x, y = line[0][0] + 0.45 + t * (line[1][0] - line[0][0]), line[0][1] + t * (line[1][1] - line[0][1])
            s.line([(x, y), (x, y + 0.3)], light, 0.14)
    rows = {"trainer": 5, "boot": 8, "canvas": 7}[kind]
    cord = own.choice([light, *inks])
    for k in range(rows):
        t = (k + 0.5) / rows
        x, y = 21.0 - t * 9.6, 7.9 + t * (high - 9.2)
        s.line([(x - 2.2, y - 1.3), (x + 0.6, y + 0.6)], shade(cord, 0.95), 0.72)
        s.disc(x - 2.4, y - 1.5, 0.36, (214, 206, 180))
        s.disc(x - 2.4, y - 1.5, 0.17, (30, 30, 30))
    bow = edition.draws.uniform(-0.4, 0.4)
    s.line(
        curve([(12, high - 1.2), (15 + bow, high + 0.2), (15.6, high - 1.6), (12, high - 1.4)], closed=False), cord, 0.5
    )
    s.line(curve([(12, high - 1.2), (14, high - 3), (15.4 + bow, high - 4.4)], closed=False), cord, 0.5)
    _sole(s, kind, sole, light, ink, inks, own)
    if thing.look["named"]:
        s.fill(rounded(5.6, 5.0, 12.6, 7.8, 0.5), light)
        s.text(5.8, 5.1, 12.4, 7.7, thing.content["brand"], fonts.pick("brand", style), readable(light, ink, main))


def _sole(
    s: Surface, kind: str, sole: float, light: Colour, ink: Colour, inks: list[Colour], own: random.Random
) -> None:
    rubber = own.choice([light, (236, 232, 222), ink, *inks])
    shape = [
        (1.0, 0.6),
        (1.2, sole),
        (12, sole - 0.2),
        (22, sole - 0.4),
        (31.6, sole - 0.1),
        (32.0, sole * 0.5),
        (30.6, 0.5),
    ]
    s.fill(np.vstack([curve(shape, closed=False), [(30, 0.1), (1.6, 0.1)]]), rubber)
    area = s.mask(np.vstack([curve(shape, closed=False), [(30, 0.1), (1.6, 0.1)]]))
    band = own.choice(inks)
    s.paint(np.minimum(area, s.mask(rounded(0, sole * 0.48, 34, sole * 0.62, 0))), band)
    n = own.choice([14, 18, 22])
    for k in range(n):
        x = 1.8 + 29 * k / n
        s.box(x, 0.05, x + 29 / n * own.uniform(0.4, 0.7), sole * 0.3, shade(rubber, 0.55))
    if kind == "trainer":
        s.fill(rounded(3, sole * 0.66, 9, sole * 0.9, 0.4), own.choice(inks))
    s.light(area, 0.76, 1.05)


def draw_handbag(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A handbag: tote, satchel or bucket, printed or quilted, with its fittings."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    kind = style.choice(["tote", "satchel", "bucket"])
    p, colours = paints(thing, edition)
    s = Surface(40, 42, p.main, 1200)
    leather = own.choice([(120, 76, 44), (60, 44, 36), p.ink, p.second])
    inks = own.sample(colours, 3)
    metal = own.choice([(220, 196, 128), (204, 206, 210)])
    shape = {
        "tote": [(4, 1), (36, 1), (38, 25), (2, 25)],
        "satchel": [(3, 1), (37, 1), (36, 24), (4, 24)],
        "bucket": [(8, 1), (32, 1), (36, 24), (4, 24)],
    }[kind]
    lift = edition.draws.uniform(-1.2, 0.8)
    for inner in (0.0, 1.0):
        grip = curve(
            [(12 + inner, 23), (13 + inner, 33), (20, 39 + lift - 1.4 * inner), (27 - inner, 33), (28 - inner, 23)],
            closed=False,
        )
        s.line(grip + np.array([0.9 * inner, 0.4 * inner]), shade(leather, 0.72 if not inner else 1.0), 1.5)
    outline = softened(shape, 2.2 if kind != "tote" else 1.0)
    area = s.mask(outline)
    s.paint(area, p.main)
    pattern = own.choice(MOTIFS)
    motif(s, area, pattern, [p.main, mix(p.main, p.light, 0.3), *inks], own.choice([2.9, 3.5, 4.3]), own)
    if own.random() < 0.35:
        for k in range(-6, 14):
            s.paint(
                np.minimum(
                    area, s.mask(np.array([(k * 4, 0), (k * 4 + 0.25, 0), (k * 4 + 25.25, 25), (k * 4 + 25, 25)]))
                ),
                shade(p.main, 0.5),
            )
    trim = np.minimum(area, s.mask(rounded(0, 0, 40, own.choice([4.0, 6.0]), 0)))
    s.paint(trim, leather)
    if kind == "satchel":
        flap = np.minimum(area, s.mask(softened([(2, 10), (38, 10), (38, 26), (2, 26)], 5.0)))
        s.paint(flap, leather)
        motif(s, np.minimum(flap, s.mask(rounded(7, 13, 33, 22, 1.5))), own.choice(MOTIFS), [leather, *inks], 3.0, own)
        for x in (11.0, 29.0):
            s.box(x - 1.2, 5, x + 1.2, 15, shade(leather, 0.8), 0.4)
            s.line(rounded(x - 1.7, 8, x + 1.7, 11, 0.3), metal, 0.5, closed=True)
    else:
        s.paint(np.minimum(area, s.mask(rounded(0, 22.4, 40, 26, 0))), leather)
        for x in (12.0, 28.0):
            s.box(x - 1.3, 17.5, x + 1.3, 24.5, leather, 0.4)
            s.disc(x, 19, 0.6, metal)
            s.disc(x, 22.6, 0.6, metal)
    for k in range(25):
        x = 9.6 + k * 0.85
        s.line([(x, 1.8), (x + 0.45, 1.8)], mix(leather, (250, 240, 220), 0.7), 0.16)
    s.disc(20, 17 if kind != "satchel" else 9, 1.5, metal)
    s.disc(20, 17 if kind != "satchel" else 9, 0.8, shade(metal, 0.7))
    s.light(area, 0.74, 1.06)
    s.light(area, 1.06, 0.86, along="x")
    folds(s, area, edition.draws, 0.05)
    woven(s, area, 0.3, 0.03)
    tag = own.choice(inks)
    swing = edition.draws.uniform(-1, 1)
    s.line([(28, 25), (30 + swing, 19)], leather, 0.4)
    s.fill(curve([(28.6 + swing, 19.5), (31.4 + swing, 19.5), (32 + swing, 13), (28 + swing, 13)]), tag)
    if thing.look["named"]:
        s.fill(rounded(11, 5.5, 29, 10.6, 0.6) if kind != "satchel" else rounded(12, 1.4, 28, 5.2, 0.6), p.light)
        y = (5.8, 10.3) if kind != "satchel" else (1.6, 5.0)
        s.text(
            12.4, y[0], 27.6, y[1], thing.content["brand"], fonts.pick("brand", style), readable(p.light, p.ink, p.main)
        )
    return Art(s.array(), 40, 42, 14.0, "cutout", leather, p.word, 0.0)


def softened(corners: Sequence[tuple[float, float]], radius: float) -> np.ndarray:
    """A polygon with its corners rounded off by `radius`."""
    out = []
    n = len(corners)
    for i in range(n):
        a, b, c = (np.array(corners[(i + k) % n], float) for k in (-1, 0, 1))
        p0 = b + (a - b) / np.linalg.norm(a - b) * radius
        p1 = b + (c - b) / np.linalg.norm(c - b) * radius
        t = np.linspace(0, 1, 7)[:, None]
        out.append((1 - t) ** 2 * p0 + 2 * t * (1 - t) * b + t**2 * p1)
    return np.concatenate(out)
