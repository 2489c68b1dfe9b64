"""Postage stamps with perforated edges and fine line work, and medals of struck metal on striped ribbons."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon, leaf, star
from eval.world.drawing.kit.prints import as_printed
from eval.world.drawing.kit.solids import Solid, band, box, ellipse, smooth
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing
from eval.world.verbalise import number_text


def _rosette(c: Canvas, x: float, y: float, reach: float, ink: Colour, own: random.Random) -> None:
    """Engine-turned lines around a point."""
    k, n = c.w / c.h, own.choice([7, 9, 11, 13])
    depth, twist = own.uniform(0.15, 0.4), own.uniform(0.2, 1.2)
    for ring in range(own.randint(7, 10)):
        size, turn = reach * (1 - ring * 0.085), ring * twist * 0.3
        path = []
        for i in range(121):
            t = 2 * math.pi * i / 120
            r = size * (1 - depth * (0.5 + 0.5 * math.cos(n * t + turn)))
            path.append((x + r * math.cos(t), y + r * k * math.sin(t)))
        c.line(path, ink, 0.0026)


def _view(c: Canvas, p: Palette, own: random.Random, ink: Colour) -> None:
    """What a stamp shows: hills under a sky of lines, with a few things in front."""
    c.rect(0, 0, 1, 1, mix(p.light, p.second, 0.3))
    for i in range(26):
        c.line([(0, 0.02 * i), (1, 0.02 * i)], mix(p.light, p.second, 0.55), 0.0022)
    c.disc(own.uniform(0.2, 0.8), own.uniform(0.16, 0.3), own.uniform(0.06, 0.11), p.accent)
    for layer in range(4):
        base, f, ph, amp = 0.45 + 0.14 * layer, own.uniform(2, 6), own.uniform(0, 6), own.uniform(0.04, 0.1)
        top = [
            (i / 40, base + amp * math.sin(f * i / 20 + ph) + 0.4 * amp * math.sin(2.7 * f * i / 20)) for i in range(41)
        ]
        tone = mix(mix(p.main, p.second, 0.5 - layer / 8), ink, 0.1 + 0.1 * layer)
        c.poly([*top, (1, 1), (0, 1)], tone)
        for i in range(2, 39, 2):  # hatching
            x, y = top[i]
            c.line([(x, y + 0.02), (x - 0.03, y + own.uniform(0.05, 0.11))], mix(tone, ink, 0.35), 0.0025)
    names = own.sample(sorted(ICONS), 3)
    for i, name in enumerate(names):
        x = (0.5, 0.2, 0.8)[i] + own.uniform(-0.05, 0.05)
        size = own.uniform(0.2, 0.25) if i == 0 else own.uniform(0.07, 0.11)
        icon(
            c,
            name,
            x,
            0.52 if i == 0 else own.uniform(0.74, 0.86),
            size,
            own.choice([p.light, p.accent, (250, 246, 236)]),
            mix(ink, p.main, 0.2),
            own,
        )


def _cancel(c: Canvas, edition: Edition) -> None:
    """A postmark, on some copies."""
    r = edition.draws
    if r.random() < 0.45:
        return
    x, y, s = r.choice([0.1, 0.9]), r.choice([0.08, 0.92]), r.uniform(0.2, 0.28)
    ink: Colour = (52, 52, 60)
    for size in (s, s * 0.7):
        c.disc(x, y, size, None, outline=ink, width=0.006)
    for i in range(4):
        dy = (i - 1.5) * 0.03
        c.line(
            [
                (x + (0.25 if x < 0.5 else -0.25) + 0.03 * j * (1 if x < 0.5 else -1), y + dy + 0.01 * math.sin(j))
                for j in range(16)
            ],
            ink,
            0.005,
        )


def _teeth(pixels: np.ndarray, across: int) -> np.ndarray:
    """Punch the perforation out of all four edges."""
    h, w = pixels.shape[:2]
    step = w / across
    down = round(h / step)
    mask = np.full((h, w), 255, np.uint8)
    radius = round(step * 0.27)
    for i in range(across + 1):
        for y in (0, h - 1):
            cv2.circle(mask, (round(i * step), y), radius, 0, -1, cv2.LINE_AA)
    for j in range(down + 1):
        for x in (0, w - 1):
            cv2.circle(mask, (x, round(j * h / down)), radius, 0, -1, cv2.LINE_AA)
    out = pixels.copy()
    out[..., 3] = mask
    return out


def draw_stamp(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A stamp: paper margin, frame, view, figure of value where it is printed, name of the issue where it is."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    tall = style.random() < 0.6
    size = (900, 1120) if tall else (1180, 900)
    c = Canvas(*size, (248, 245, 236))
    ink = p.main if sum(p.main) < 400 else mix(p.main, p.ink, 0.65)
    m, k = 0.07, c.w / c.h
    c.rect(m, m * k, 1 - m, 1 - m * k, ink)
    face = mix(p.light, (255, 255, 255), 0.3)
    c.rect(m + 0.012, (m + 0.012) * k, 1 - m - 0.012, 1 - (m + 0.012) * k, mix(ink, face, 0.82))
    for _ in range(3):
        _rosette(c, own.uniform(0.15, 0.85), own.uniform(0.15, 0.85), own.uniform(0.2, 0.34), mix(ink, face, 0.4), own)
    view = Canvas(760, 720 if tall else 520, None)
    _view(view, p, own, p.ink)
    x0, y0, x1, y1 = 0.13, 0.2 if tall else 0.24, 0.87, 0.8
    shape = style.choice(["oval", "rect", "arch"])
    area = (round((x1 - x0) * c.w), round((y1 - y0) * c.h))
    mask = Canvas(*area, None)
    if shape == "oval":
        mask.draw.ellipse([0, 0, area[0] - 1, area[1] - 1], fill=(0, 0, 0, 255))
    elif shape == "rect":
        mask.rounded(0, 0, 1, 1, 0.03, (0, 0, 0))
    else:
        mask.draw.ellipse([0, 0, area[0] - 1, area[1]], fill=(0, 0, 0, 255))
        mask.rect(0, 0.5, 1, 1, (0, 0, 0))
    at = (round(x0 * c.w), round(y0 * c.h))
    c.image.paste(view.image.resize(area), at, mask.image.getchannel("A"))
    if shape == "oval":
        c.draw.ellipse([at[0], at[1], at[0] + area[0], at[1] + area[1]], outline=ink, width=8)
    strong, title = fonts.pick("strong", style), fonts.pick("title", style)
    value = thing.facts.get("face_value")
    corners = [(0.17, 0.12), (0.83, 0.12), (0.17, 0.88), (0.83, 0.88)]
    own.shuffle(corners)
    for i, (x, y) in enumerate(corners):
        c.disc(x, y, 0.065, face, outline=ink, width=0.008)
        if i < 2 and value is not None and value.on_picture:
            c.text((x - 0.055, y - 0.05, x + 0.055, y + 0.05), number_text(value.value.value), strong, ink, lines=1)
        else:
            star(c, x, y, 0.045, ink, own.choice([4, 5, 6, 8])) if own.random() < 0.5 else icon(
                c, own.choice(sorted(ICONS)), x, y, 0.035, ink, p.accent, own
            )
    if thing.look["named"]:
        c.text(
            (0.27, 1 - (m + 0.02) * k - 0.075, 0.73, 1 - (m + 0.02) * k),
            str(thing.variant),
            title,
            readable(mix(ink, face, 0.82), ink, p.ink),
            lines=2,
        )
        c.text(
            (0.27, (m + 0.02) * k, 0.73, (m + 0.02) * k + 0.075),
            str(thing.content["home"]),
            title,
            readable(mix(ink, face, 0.82), ink, p.ink),
            lines=1,
        )
    else:
        for i in range(own.randint(3, 6)):
            leaf(c, 0.5, 0.88, 0.12, 0.025, math.pi * i / 5, ink, face)
    _cancel(c, edition)
    pixels = _teeth(weather(as_printed(c.array(), edition), edition, paper=True), 14 if tall else 18)
    wide, high = (9.0, 11.2) if tall else (11.8, 9.0)
    return Art(pixels, wide, high, 0.05, "cutout", (248, 245, 236), p.word, 0.05)


def _struck(design: np.ndarray, tone: Colour, solid: Solid) -> np.ndarray:
    """A design (h, w) 0..255 as relief in metal."""
    height = cv2.GaussianBlur(design.astype(np.float32) / 255, (0, 0), 2.2) * 26
    nx, ny = -cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=0.25), -cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=0.25)
    scale = 1 / np.sqrt(nx * nx + ny * ny + 1)
    lit = np.clip((nx * solid.light[0] + ny * solid.light[1] + solid.light[2]) * scale, 0, 1)
    shade = 0.45 + 0.8 * lit + 0.12 * (height / 26)
    return np.asarray(np.clip(shade[..., None] * np.array(tone, np.float32), 0, 255), np.float32)


def _medal_design(thing: Thing, style: random.Random, own: random.Random, fonts: FontBox, points: int) -> np.ndarray:
    """What is struck on the face: rim, beads, wreath, emblem, letters or stars; white is high."""
    c = Canvas(760, 760, (0, 0, 0))
    high: Colour = (255, 255, 255)
    mid: Colour = (150, 150, 150)
    if points == 0:
        c.disc(0.5, 0.5, 0.49, None, outline=high, width=0.025)
    beads, phase = own.choice([26, 32, 38, 44]), own.random()
    for i in range(beads):
        t = 2 * math.pi * (i + phase) / beads
        x, y, pick = 0.5 + 0.435 * math.cos(t), 0.5 + 0.435 * math.sin(t), own.random()
        if pick < 0.6:
            c.disc(x, y, own.uniform(0.009, 0.017), high)
        elif pick < 0.85:
            star(c, x, y, 0.022, high, own.choice([4, 5, 6]))
        else:
            c.rect(x - 0.012, y - 0.012, x + 0.012, y + 0.012, mid)
    wreath = style.choice(["laurel", "rays", "ring"])
    if wreath == "laurel":
        leaves = own.randint(24, 36)
        for i in range(leaves):
            t = math.pi * (0.62 + 1.76 * (i + own.uniform(-0.3, 0.3)) / leaves)
            x, y = 0.5 + 0.345 * math.cos(t + 0.38), 0.5 - 0.345 * math.sin(t + 0.38)
            leaf(
                c,
                x,
                y,
                own.uniform(0.055, 0.1),
                own.uniform(0.016, 0.028),
                -t - 0.38 + (1.2 if i % 2 else 2.1),
                high,
                mid,
            )
    elif wreath == "rays":
        rays = own.choice([36, 42, 48, 56])
        for i in range(rays):
            t = 2 * math.pi * (i + phase) / rays
            a, b = own.uniform(0.255, 0.285), own.uniform(0.33, 0.4)
            c.line(
                [(0.5 + a * math.cos(t), 0.5 + a * math.sin(t)), (0.5 + b * math.cos(t), 0.5 + b * math.sin(t))],
                mid if i % 2 else high,
                0.011,
            )
    else:
        c.disc(0.5, 0.5, 0.375, None, outline=mid, width=0.02)
        for i in range(own.choice([12, 16, 20])):
            t = 2 * math.pi * i / 20
            star(c, 0.5 + 0.33 * math.cos(t), 0.5 + 0.33 * math.sin(t), 0.026, high, own.choice([4, 5, 6]))
    emblems = own.sample(sorted(ICONS), 2)
    icon(c, emblems[0], 0.5, 0.48, 0.2, high, (90, 90, 90), own)
    for side in (-1, 1):
        icon(c, emblems[1], 0.5 + side * 0.215, 0.62, 0.04, mid, (60, 60, 60), own)
    if thing.look["named"]:
        c.rounded(0.2, 0.72, 0.8, 0.83, 0.03, (110, 110, 110))
        c.text((0.22, 0.725, 0.78, 0.825), str(thing.content["home"]), fonts.pick("strong", style), high, lines=1)
    else:
        for i in range(own.randint(3, 6)):
            star(c, 0.32 + 0.075 * i, 0.775, 0.03, high, own.choice([4, 5, 6]))
    return c.array()[..., 0]


def draw_medal(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A medal on its ribbon: round or a cross or star, struck, with enamel on some."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    solid = Solid(900, 1.6, edition)
    metal: Colour = ((206, 164, 76), (196, 200, 206), (172, 110, 66))[thing.look["variant"] % 3]
    points = style.choice([0, 0, 8, 5])
    ribbon = Canvas(500, 700, p.main)
    x = 0.0
    while x < 0.5:  # stripes, mirrored
        wide, tone = own.choice([0.03, 0.05, 0.08, 0.12]), own.choice([p.accent, p.second, p.light, p.main, p.ink])
        ribbon.rect(x, 0, min(0.5, x + wide), 1, tone)
        ribbon.rect(1 - min(0.5, x + wide), 0, 1 - x, 1, tone)
        x += wide
    for i in range(180):
        ribbon.line([(0, i / 180), (1, i / 180)], mix(p.ink, p.main, 0.5), 0.0008)
    for _ in range(own.randint(5, 10)):  # woven dots
        icon_x, y = own.uniform(0.1, 0.9), own.uniform(0.05, 0.9)
        star(ribbon, icon_x, y, 0.035, own.choice([p.light, p.accent, p.ink]), own.choice([4, 5, 6]))
    low = style.uniform(0.02, 0.07)
    solid.part(
        [(0.28, 0.03), (0.72, 0.03), (0.72, 0.56), (0.5, 0.62 + low), (0.28, 0.56)],
        ribbon.array()[..., :3],
        bulge=0.006,
        gloss=0.05,
    )
    solid.part(box(0.25, 0.02, 0.75, 0.075, 0.012), metal, bulge=0.02, metal=0.6)
    ring = ellipse(0.5, 0.69, 0.05, 0.05)
    solid.part(ring, metal, bulge=0.012, metal=0.6, holes=[ellipse(0.5, 0.69, 0.032, 0.032)])
    cy, reach = 1.13, 0.42
    if points:
        star_points = []
        for i in range(points * 2):
            r = reach * 1.03 if i % 2 == 0 else reach * style.uniform(0.78, 0.8)
            t = math.pi * i / points - math.pi / 2
            star_points.append((0.5 + r * math.cos(t), cy + r * math.sin(t)))
        solid.part(star_points, mix(metal, p.main, 0.55), bulge=0.03, gloss=0.7, metal=0.2)
        reach *= 0.8
    solid.part(
        ellipse(0.5, cy, reach, reach, n=90),
        _struck(_medal_design(thing, style, own, fonts, points), metal, solid),
        bulge=0.02,
        gloss=0.25,
        metal=0.12,
    )
    if style.random() < 0.5:
        t0 = own.uniform(0, 6)
        for i in range(own.choice([4, 6, 8])):
            t = t0 + 2 * math.pi * i / 8
            solid.part(
                ellipse(0.5 + reach * 0.87 * math.cos(t), cy + reach * 0.87 * math.sin(t), 0.02, 0.02, n=20),
                own.choice([p.main, p.accent, p.second]),
                bulge=0.012,
                gloss=0.9,
                cast=0.2,
            )
    solid.part(
        band(smooth([(0.46, 0.72), (0.5, 0.745), (0.54, 0.72)], closed=False), 0.03), metal, metal=0.6, bulge=0.012
    )
    return Art(weather(as_printed(solid.pixels(), edition), edition), 9.0, 14.4, 0.4, "cutout", metal, p.word, 0.3)
