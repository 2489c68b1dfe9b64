"""Sports gear: rackets, balls, skateboards and kites, with prints of each piece's own.

Sizes in cm, y upwards.
"""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, readable
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.fabrics import folds, woven
from eval.world.drawing.kit.surface import MOTIFS, Surface, arc, curve, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints
from eval.world.model import Thing


def draw_racket(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A racket, head up: frame segments, a stencil on the strings, a wound grip."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    s = Surface(32, 70, p.main, 1500)
    x, y, rx, ry = 16.0, 51.0, style.choice([12.2, 13.4]), style.choice([16.0, 17.2])
    inks = own.sample(colours, 3)
    bed = s.mask(arc(x, y, rx, ry))
    cord = own.choice([(238, 236, 226), (238, 236, 226), inks[0]])
    strings = np.zeros((s.h, s.w), np.uint8)
    n = style.choice([15, 17, 19])
    for k in range(n):
        a = x - rx + 2 * rx * (k + 0.5) / n
        b = y - ry + 2 * ry * (k + 0.5) / n
        cv2.line(strings, tuple(np.round(s.to_px([(a, y - ry)])[0]).astype(int)),
                 tuple(np.round(s.to_px([(a, y + ry)])[0]).astype(int)), 255, max(2, round(0.17 * s.px)))  # fmt: skip
        cv2.line(strings, tuple(np.round(s.to_px([(x - rx, b)])[0]).astype(int)),
                 tuple(np.round(s.to_px([(x + rx, b)])[0]).astype(int)), 255, max(2, round(0.17 * s.px)))  # fmt: skip
    strings = np.minimum(strings, bed)
    s.paint(strings, cord)
    stencil = _figure(x, y, min(rx, ry) * 0.62, own)
    s.paint(np.minimum(strings, s.mask(stencil)), own.choice([inks[1], (30, 30, 34)]))
    throat = style.choice([4.4, 5.6])
    for side in (-1, 1):
        arm = curve(
            [(x + side * rx * 0.62, y - ry * 0.8), (x + side * throat * 0.8, 30), (x + side * 1.3, 23.5)], closed=False
        )
        s.line(arm, shade(p.main, 0.82), 2.6)
        s.line(arm, p.main, 1.6)
        for k in range(3):
            at = arm[len(arm) * (k + 1) // 5]
            s.disc(float(at[0]), float(at[1]), own.uniform(0.4, 0.8), own.choice(inks))
    s.line(arc(x, y - ry + 2.8, rx * 0.62, 3.2, 200, 340, 20), inks[0], 1.7)
    ring = s.mask(arc(x, y, rx + 1.5, ry + 1.5, n=120))
    ring = cv2.subtract(ring, s.mask(arc(x, y, rx - 1.3, ry - 1.3, n=120)))
    s.paint(ring, p.main)
    motif(s, ring, own.choice(MOTIFS), [p.main, *inks], own.choice([2.0, 2.6]), own)
    for _ in range(own.choice([5, 7])):
        start = own.uniform(0, 360)
        s.line(arc(x, y, rx, ry, start, start + own.uniform(10, 24), 14), own.choice([*inks, p.main]), 2.6)
    for far in (1.5, -1.3):
        s.line(arc(x, y, rx + far, ry + far, n=120), shade(p.main, 0.55), 0.25, closed=True)
    for k in range(46):
        a = 2 * math.pi * k / 46
        s.disc(x + (rx + 0.5) * math.cos(a), y + (ry + 0.5) * math.sin(a), 0.2, (24, 24, 26))
    shaft = rounded(x - 1.5, 16, x + 1.5, 25, 0.4)
    s.fill(shaft, p.main)
    motif(s, s.mask(shaft), own.choice(MOTIFS), [p.main, *inks], 1.0, own)
    _grip(s, x, own, inks)
    if thing.look["named"]:
        s.fill(rounded(x - 5.2, 25.4, x + 5.2, 29.4, 0.8), p.light)
        s.text(
            x - 5,
            25.6,
            x + 5,
            29.2,
            thing.content["brand"],
            fonts.pick("brand", style),
            readable(p.light, p.ink, p.main),
        )
    damper = own.choice(inks)
    s.disc(x, y - ry + 2.4, 1.1, damper)
    return Art(s.array(), 32, 70, 2.4, "cutout", p.main, p.word, 0.0)


def _figure(x: float, y: float, size: float, own: random.Random) -> np.ndarray:
    """A star, petal or ring-like figure."""
    n, turn, deep = own.choice([3, 4, 5, 6, 7]), own.uniform(0, 3), own.uniform(0.25, 0.7)
    points = [(size * (1 if k % 2 else deep), turn + math.pi * k / n) for k in range(2 * n)]
    figure = [(x + far * math.cos(a), y + far * math.sin(a)) for far, a in points]
    return curve(figure) if own.random() < 0.5 else np.array(figure)


def _grip(s: Surface, x: float, own: random.Random, inks: list[Colour]) -> None:
    tape = own.choice([(34, 34, 38), (232, 228, 218), inks[0], inks[1]])
    s.fill(rounded(x - 1.9, 1.2, x + 1.9, 17.5, 0.7), tape)
    area = s.mask(rounded(x - 1.9, 1.2, x + 1.9, 17.5, 0.7))
    for k in range(14):
        y = 0.8 + k * 1.25
        s.paint(
            np.minimum(area, s.mask(np.array([(x - 2, y), (x + 2, y + 1.1), (x + 2, y + 1.3), (x - 2, y + 0.2)]))),
            shade(tape, 0.6),
        )
    s.light(area, 1.1, 0.7, along="x")
    s.fill(rounded(x - 2.3, 0.4, x + 2.3, 2.0, 0.5), own.choice(inks))
    s.fill(rounded(x - 2.0, 16.6, x + 2.0, 18.2, 0.4), own.choice(inks))


def draw_ball(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A ball with panels and prints on its surface, turned a little from picture to picture."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    cm, n = style.choice([(21.0, 0), (22.0, 1), (24.0, 2)])
    side = 760
    e = edition.draws
    yaw, pitch, roll = e.uniform(-0.3, 0.3), e.uniform(-0.25, 0.25), e.uniform(-0.5, 0.5)
    flat = _globe(thing, fonts, p.main, p.light, p.ink, colours, n, style, own)
    yy, xx = np.mgrid[0:side, 0:side].astype(np.float32)
    u, v = (xx + 0.5) / side * 2 - 1, 1 - (yy + 0.5) / side * 2
    rr = u * u + v * v
    w = np.sqrt(np.clip(1 - rr, 0, 1))
    c, s_ = math.cos(roll), math.sin(roll)
    a, b = c * u + s_ * v, -s_ * u + c * v
    c, s_ = math.cos(pitch), math.sin(pitch)
    b, d = c * b - s_ * w, s_ * b + c * w
    lon = np.arctan2(a, d) + yaw
    lat = np.arcsin(np.clip(b, -1, 1))
    h, wide = flat.shape[:2]
    map_x = ((lon / (2 * math.pi) + 0.5) * wide).astype(np.float32)
    map_y = ((0.5 - lat / math.pi) * h).astype(np.float32)
    ball = cv2.remap(flat, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP).astype(np.float32)
    lit = np.clip(-0.45 * u + 0.62 * v + 0.66 * w, 0, 1)
    ball *= (0.42 + 0.68 * lit)[..., None]
    ball += 150 * (np.clip(-0.4 * u + 0.5 * v + 0.77 * w, 0, 1) ** 40)[..., None] * 0.35
    alpha = np.clip((1 - np.sqrt(rr)) * side / 2, 0, 1) * 255
    art = np.dstack([np.clip(ball, 0, 255), alpha]).astype(np.uint8)
    return Art(art, cm, cm, cm * 0.6, "sphere", p.main, p.word, 0.0)


def _globe(
    thing: Thing,
    fonts: FontBox,
    main: Colour,
    light: Colour,
    ink: Colour,
    colours: list[Colour],
    kind: int,
    style: random.Random,
    own: random.Random,
) -> np.ndarray:
    """The whole skin as a map, 360 by 180 degrees, the middle facing the camera: (h, w, 3) uint8."""
    s = Surface(360, 180, light, 1500)
    inks = own.sample(colours, 3)
    everything = s.mask(rounded(0, 0, 360, 180, 0))
    s.paint(everything, light if kind != 2 else main)
    if kind == 0:  # panels around poles of a solid
        middle = [(180.0, 90.0), (180.0, 153.0), (180.0, 27.0), (117.0, 90.0), (243.0, 90.0)]
        centres = [*middle, (135.0, 138.0), (225.0, 138.0), (135.0, 42.0), (225.0, 42.0)]
        for x, y in centres:
            stretch = 1 / max(0.35, math.cos(math.radians(y - 90)))
            n, turn, tone = own.choice([5, 6]), own.uniform(0, 2), own.choice([main, *inks])
            panel = [
                (x + 21 * stretch * math.cos(turn + 2 * math.pi * k / n), y + 21 * math.sin(turn + 2 * math.pi * k / n))
                for k in range(n)
            ]
            s.fill(panel, tone)
            motif(s, s.mask(panel), own.choice(MOTIFS), [tone, *inks], 6.0, own)
            s.line(panel, shade(ink, 0.9), 1.0, closed=True)
            for q in panel:
                s.line([q, (q[0] + (q[0] - x) * 0.55, q[1] + (q[1] - y) * 0.55)], shade(ink, 1.2), 0.8)
    elif kind == 1:  # gores from pole to pole
        n = style.choice([8, 10, 12])
        for k in range(n):
            tone = (main, *inks)[(k + own.randrange(2)) % 4]
            gore = rounded(360 * k / n, 0, 360 * (k + 1) / n, 180, 0)
            s.fill(gore, tone)
            if own.random() < 0.85:
                motif(s, s.mask(gore), own.choice(MOTIFS), [tone, *own.sample(colours, 3)], own.choice([6.0, 8.0]), own)
        for k in range(n):
            s.line([(360 * k / n, 0), (360 * k / n, 180)], shade(ink, 1.1), 1.0)
        for y in (26.0, 154.0):
            s.box(0, y if y > 90 else 0, 360, 180 if y > 90 else y, own.choice(inks))
    else:  # seams that bend, and a printed belt
        belt = s.mask(rounded(0, 66, 360, 114, 0))
        motif(s, belt, own.choice(MOTIFS), [main, *inks], own.choice([8.0, 11.0]), own)
        for shift in (0.0, 90.0, 180.0, 270.0):
            xs = np.linspace(shift - 60, shift + 60, 40)
            for sign in (-1, 1):
                s.line(
                    np.stack([xs, 90 + sign * 68 * np.cos(np.radians((xs - shift) * 1.5))], axis=1),
                    shade(ink, 0.8),
                    1.6,
                )
        s.line([(0, 90), (360, 90)], shade(ink, 0.8), 1.6)
    x, y = 180 + own.uniform(-12, 12), 90 + own.uniform(-10, 10)
    s.disc(x, y, 13, light)
    s.fill(_figure(x, y, 11, own), own.choice([c for c in inks if c != light]))
    if thing.look["named"]:
        s.fill(rounded(146, 58, 214, 76, 4), light)
        s.text(149, 59, 211, 75, thing.content["brand"], fonts.pick("brand", style), readable(light, ink, main))
    woven(s, everything, 1.2, 0.03)
    return s.rgb


def draw_skateboard(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The painted underside of a deck with trucks and wheels, upright."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    s = Surface(24, 81, p.main, 1500)
    round_ = style.choice([8.0, 9.5])
    deck = np.vstack([arc(12, 71, 9.6, round_, 0, 180, 24), arc(12, 10, 9.6, round_, 180, 360, 24)])
    area = s.mask(deck)
    inks = own.sample(colours, 3)
    wood = own.choice([(214, 176, 120), p.main, p.main])
    s.paint(area, wood)
    cell = own.choice([3.2, 4.0, 5.2])
    low = own.choice([0.0, 22.0, 30.0])
    field = np.minimum(area, s.mask(rounded(0, low, 24, 81 if low == 0 else own.choice([58.0, 81.0]), 0)))
    motif(s, field, own.choice(MOTIFS), [wood, *inks], cell, own)
    shape = _figure(12, 40.5, 8.4, own)
    s.fill(shape, p.light)
    s.line(shape, p.ink, 0.5, closed=True)
    s.fill(_figure(12, 40.5, 5.2, own), own.choice(inks))
    for _ in range(own.randint(3, 6)):
        x, y = own.uniform(6, 18), own.choice([own.uniform(24, 31), own.uniform(50, 57)])
        sticker = _figure(x, y, own.uniform(1.4, 2.4), own)
        s.fill(sticker, own.choice([*inks, p.light]))
        s.line(sticker, p.ink, 0.2, closed=True)
    s.light(area, 0.9, 1.08)
    s.light(area, 1.06, 0.9, along="x")
    scrape = random.Random(thing.look["own"] + 2)
    for _ in range(14):
        x, y = scrape.uniform(3, 21), scrape.uniform(6, 75)
        streak = s.mask(np.array([(x, y), (x + scrape.uniform(1, 5), y + 0.3), (x, y + scrape.uniform(0.2, 0.7))]))
        s.paint(np.minimum(streak, area), (222, 196, 156), 0.8)
    s.line(deck, shade(wood, 0.6), 0.35, closed=True)
    tyre = own.choice([(240, 236, 226), *inks])
    for y in (17.0, 64.0):
        s.fill(rounded(8.6, y - 4.6, 15.4, y + 4.6, 0.8), (150, 152, 156))
        for dx in (-2.2, 2.2):
            for dy in (-3.4, 3.4):
                s.disc(12 + dx, y + dy, 0.5, (70, 72, 76))
        s.fill(rounded(2.6, y - 1.1, 21.4, y + 1.1, 0.5), (176, 178, 182))
        for x in (0.3, 19.9):
            s.fill(rounded(x, y - 2.7, x + 3.8, y + 2.7, 0.9), tyre)
            s.light(s.mask(rounded(x, y - 2.7, x + 3.8, y + 2.7, 0.9)), 0.7, 1.1)
            s.line([(x + 1.9, y - 2.6), (x + 1.9, y + 2.6)], shade(tyre, 0.7), 0.3)
        s.disc(12, y, 1.3, (60, 62, 66))
    if thing.look["named"]:
        s.fill(rounded(4.2, 47.5, 19.8, 53, 0.8), p.light)
        s.text(
            4.6, 47.8, 19.4, 52.8, thing.content["brand"], fonts.pick("brand", style), readable(p.light, p.ink, p.main)
        )
    return Art(s.array(), 24, 81, 9.0, "cutout", wood, p.word, 0.0)


def draw_kite(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A kite with its sail of panels, spars, and a tail with bows."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    s = Surface(96, 150, p.main, 1500)
    delta = style.random() < 0.35
    wing = style.choice([98.0, 104.0])
    tip, foot = (48.0, 147.0), (48.0, 50.0 if not delta else 82.0)
    left, right = (4.0, wing if not delta else 78.0), (92.0, wing if not delta else 78.0)
    sway = edition.draws.uniform(-4, 4)
    tail = curve([foot, (54 + sway, 38), (42, 26), (56 - sway, 14), (46 + sway, 3)], closed=False, steps=14)
    s.line(tail, (70, 60, 54), 0.7)
    inks = own.sample(colours, 3)
    for k in range(6):
        at = tail[int(len(tail) * (0.14 + 0.14 * k))]
        tone = own.choice([p.main, *inks])
        for side in (-1, 1):
            s.fill(at + side * np.array([[0, 0], [5.5, 2.8], [5.5, -2.8]]), tone)
        s.disc(float(at[0]), float(at[1]), 1.1, shade(tone, 0.6))
    sail = np.array([tip, right, foot, left])
    area = s.mask(sail)
    s.paint(area, p.main)
    middle = (48.0, left[1])
    for part in ((tip, right, middle), (right, foot, middle), (foot, left, middle), (left, tip, middle)):
        tone = own.choice([p.main, *inks])
        piece = s.mask(np.array(part))
        s.paint(piece, tone)
        motif(s, piece, own.choice(MOTIFS), [tone, *own.sample(colours, 3)], own.choice([5.0, 6.5, 8.0]), own)
    s.fill(_figure(48, (tip[1] + foot[1]) / 2 + 6, 13, own), p.light)
    s.fill(_figure(48, (tip[1] + foot[1]) / 2 + 6, 8, own), own.choice(inks))
    s.line([tip, right, foot, left], shade(p.ink, 1.2), 1.3, closed=True)
    s.line([tip, foot], (180, 146, 98), 1.1)
    s.line(curve([left, (48, middle[1] + 3), right], closed=False), (180, 146, 98), 1.1)
    for q in (tip, right, left, foot):
        s.disc(q[0], q[1], 1.6, own.choice(inks))
    s.light(area, 0.84, 1.08)
    folds(s, area, edition.draws, 0.07)
    if thing.look["named"]:
        y = foot[1] + 18
        s.fill(rounded(36, y - 4, 60, y + 4, 1), p.light)
        s.text(
            36.8,
            y - 3.6,
            59.2,
            y + 3.6,
            thing.content["brand"],
            fonts.pick("brand", style),
            readable(p.light, p.ink, p.main),
        )
    return Art(s.array(), 96, 150, 1.2, "cutout", p.main, p.word, 0.0)
