"""Packages and things from a shop: labels of jars and tins, boxes, bags, cartons, radios, clocks."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.canvas import Canvas, Colour, FontBox, Palette, mix, readable
from eval.world.drawing.covers import palette_for
from eval.world.drawing.edition import Art, Edition, weather
from eval.world.drawing.icons import ICONS, icon, leaf, star
from eval.world.model import Thing
from eval.world.say import number_text

_BY_WORD = (
    (
        "fruit",
        (
            "Jam",
            "Marmalade",
            "Preserve",
            "Jelly",
            "Curd",
            "Butter",
            "Compote",
            "Spread",
            "Peach",
            "Apricots",
            "Berry",
            "Lemon",
            "Tomato",
            "Pepper",
            "Pumpkin",
            "Olive",
        ),
    ),
    ("fish", ("Sardines", "Mackerel")),
    ("cup", ("Tea", "Coffee", "Cocoa")),
    ("grain", ("Flour", "Muesli", "Crisp", "Oat", "Crackers", "Rice", "Polenta", "Rye", "Sesame", "Granola", "Corn")),
    ("flower", ("Chamomile", "Mint", "Ginger", "Mushroom")),
    ("sprig", ("Lentil", "Beans", "Chickpeas", "Almond", "Seeds", "Hazelnut")),
)


def _emblem(flavour: str, own: random.Random) -> str:
    for name, words in _BY_WORD:
        if any(w in flavour for w in words):
            return name
    return own.choice(sorted(ICONS))


def _pattern(
    c: Canvas, p: Palette, style: random.Random, own: random.Random, area: tuple[float, float, float, float]
) -> None:
    """A printed pattern on a part of a package; the kind is the family's, its colours the product's."""
    x0, y0, x1, y1 = area
    kind, n, k = (
        style.choice(["stripes", "diamonds", "dots", "sprigs", "zigzag", "check"]),
        style.randint(7, 11),
        c.w / c.h,
    )
    s = (x1 - x0) / n
    c.rect(x0, y0, x1, y1, p.main)
    tone = mix(p.main, p.light, 0.35)
    rows = int((y1 - y0) / (s * k)) + 2
    for j in range(rows):
        for i in range(n + 1):
            x, y = x0 + i * s, y0 + j * s * k
            if kind == "stripes" and j == 0 and i % 2 == 0:
                c.rect(x, y0, x + s, y1, tone)
            elif kind == "diamonds":
                c.poly(
                    [(x + s / 2, y), (x + s, y + s * k / 2), (x + s / 2, y + s * k), (x, y + s * k / 2)],
                    tone if (i + j) % 2 else p.second,
                )
            elif kind == "dots":
                c.disc(x + s / 2 + (j % 2) * s / 2, y + s * k / 2, s * 0.24, tone if (i * j) % 3 else p.accent)
            elif kind == "sprigs" and (i + j) % 2 == 0:
                leaf(c, x + s / 2, y + s * k, s * 0.9, s * 0.2, -1.2, tone, p.ink)
                leaf(c, x + s / 2, y + s * k, s * 0.7, s * 0.16, -2.1, p.second, p.ink)
            elif kind == "zigzag":
                c.line(
                    [(x, y + s * k / 2), (x + s / 2, y), (x + s, y + s * k / 2)], tone if j % 2 else p.accent, s * 0.16
                )
            elif kind == "check" and (i + j) % 2 == 0 and x < x1 and y < y1:
                c.rect(x, y, min(x + s, x1), min(y + s * k, y1), tone)
    if y0 > 0:  # whatever stands out below or above is covered by what is drawn next
        c.rect(0, 0, 1, y0, p.main)


def _panel(
    c: Canvas,
    thing: Thing,
    p: Palette,
    style: random.Random,
    own: random.Random,
    e: Edition,
    fonts: FontBox,
    box: tuple[float, float, float, float],
) -> None:
    """The face of a food label: emblem, and, when the thing is named, brand and flavour."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    shape = style.choice(["rect", "round", "oval"])
    brand_font, title_font, text_font = (
        fonts.pick("brand", style),
        fonts.pick("title", style),
        fonts.pick("strong", style),
    )
    if shape == "oval":
        for grow, colour in ((0.02, p.accent), (0.0, p.light)):
            c.draw.ellipse(c.xy((x0 - grow, y0 - grow), (x1 + grow, y1 + grow)), fill=colour)
    else:
        c.rounded(x0 - 0.012, y0 - 0.012, x1 + 0.012, y1 + 0.012, 0.05 if shape == "round" else 0.0, p.accent)
        c.rounded(x0, y0, x1, y1, 0.04 if shape == "round" else 0.0, p.light)
    ink = readable(p.light, p.ink, p.main)
    emblem = _emblem(thing.variant or "", own)
    main = p.main if p.word != "white" else p.accent
    named = thing.look["named"]
    cx, size = (x0 + x1) / 2, 0.155 * w * e.nudge
    if named:
        c.text(
            (x0 + 0.14 * w, y0 + 0.07 * h, x1 - 0.14 * w, y0 + 0.27 * h),
            thing.content["brand"],
            brand_font,
            main,
            lines=1,
        )
        icon(c, emblem, cx + e.shift(), y0 + 0.48 * h, size, main, p.second, own)
        c.text((x0 + 0.1 * w, y0 + 0.67 * h, x1 - 0.1 * w, y0 + 0.9 * h), thing.variant or "", title_font, ink, lines=2)
    else:
        icon(c, emblem, cx + e.shift(), y0 + 0.47 * h, size * 1.7, main, p.second, own)
        for i in range(7):
            star(c, x0 + w * (0.26 + 0.08 * i), y0 + 0.9 * h, 0.014, main, 6)
    weight = thing.facts.get("weight")
    if weight is not None and weight.on_picture:
        c.text(
            (cx - 0.14, y1 + 0.015, cx + 0.14, min(0.985, y1 + 0.075)),
            f"NET {number_text(weight.value.value)} g",
            text_font,
            readable(p.main, p.light, p.ink),
            lines=1,
        )


def _barcode(c: Canvas, x: float, y: float, w: float, h: float, own: random.Random) -> None:
    c.rect(x, y, x + w, y + h, (250, 250, 248))
    pos = x + w * 0.06
    while pos < x + w * 0.92:
        bar = own.choice([0.006, 0.01, 0.016]) * w / 0.25
        c.rect(pos, y + h * 0.1, pos + bar, y + h * 0.9, (20, 20, 20))
        pos += bar + own.choice([0.006, 0.012]) * w / 0.25


def draw_wrap(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The label of a jar or tin; its middle 46 % is what one sees from the front."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    jar = thing.kind == "jar"
    c = Canvas(2000, 760 if jar else 1000, p.main)
    _pattern(c, p, style, own, (0, 0, 1, 1))
    for x, y in ((0.02, 0.2), (0.85, 0.2)):
        _barcode(c, x, y, 0.1, 0.3, own)
    _panel(c, thing, p, style, own, edition, fonts, (0.365, 0.12, 0.635, 0.82))
    lid = style.choice([(196, 170, 96), (180, 184, 188), p.accent, p.ink])
    fill = mix(p.main, (120, 60, 30), 0.4)
    share = (0.3, 0.9) if jar else (0.04, 0.96)
    width, height = (8.2, 10.6) if jar else (7.6, 10.8)
    return Art(
        weather(c.array(), edition),
        width,
        height,
        width,
        "cylinder",
        p.main,
        p.word,
        0.6,
        lid=lid,
        content=fill if jar else None,
        label_share=share,
    )


def draw_package(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The front of a food box or bag."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    bag = thing.kind == "bag"
    c = Canvas(1000, 1500 if bag else 1360, p.main)
    _pattern(c, p, style, own, (0, 0, 1, 1))
    if style.random() < 0.5:
        c.rect(0, 0.78, 1, 1, p.second)
        c.rect(0, 0.775, 1, 0.785, p.accent)
    _panel(c, thing, p, style, own, edition, fonts, (0.14, 0.17, 0.86, 0.7))
    for i, word in enumerate(
        style.sample(["stone ground", "no additives", "since ever", "family size", "slow made"], 2)
    ):
        x = 0.24 + 0.52 * i
        c.disc(x, 0.875, 0.1, p.light)
        c.disc(x, 0.875, 0.088, None, outline=p.accent, width=0.007)
        c.text(
            (x - 0.07, 0.845, x + 0.07, 0.905),
            word,
            fonts.pick("strong", style),
            readable(p.light, p.ink, p.main),
            lines=2,
        )
    pixels = weather(c.array(), edition)
    if bag:
        pixels = _crumple(pixels, edition)
        return Art(pixels, 13.0, 19.5, 5.0, "slab", p.main, p.word, 0.5)
    return Art(pixels, 14.0, 19.0, 5.0, "slab", mix(p.main, p.ink, 0.15), p.word, 0.35)


def _crumple(pixels: np.ndarray, e: Edition) -> np.ndarray:
    """Folds of a bag: soft shading, a crimped top, uneven outline."""
    h, w = pixels.shape[:2]
    g = np.random.default_rng(e.random.getrandbits(32))
    folds = cv2.resize(g.normal(0, 1, (9, 6)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(g.normal(0, 1, (26, 17)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    shade = 1 + 0.055 * folds + 0.03 * fine
    out = pixels.copy()
    out[..., :3] = np.clip(pixels[..., :3] * shade[..., None], 0, 255).astype(np.uint8)
    crimp = int(h * 0.07)
    stripes = (0.88 + 0.12 * np.sin(np.arange(crimp) / crimp * 40))[:, None, None]
    out[:crimp, :, :3] = (out[:crimp, :, :3] * stripes).astype(np.uint8)
    edge = cv2.resize(g.uniform(0, 1, (24, 2)).astype(np.float32), (2, h), interpolation=cv2.INTER_CUBIC) * w * 0.018
    columns = np.arange(w)[None]
    out[..., 3] = np.where((columns < edge[:, :1]) | (columns > w - 1 - edge[:, 1:]), 0, 255).astype(np.uint8)
    return out


def _device(c: Canvas, device: str, x: float, y: float, s: float, a: Colour, b: Colour, own: random.Random) -> None:
    """A simple picture of an appliance, its proportions drawn from the product's own stream."""
    k = c.w / c.h
    body, dark = a, mix(a, (0, 0, 0), 0.35)
    t = own.uniform(0.8, 1.2)
    if device in ("Desk Lamp", "Torch", "Camping Lantern"):
        c.rect(x - 0.5 * s, y + 0.85 * s * k, x + 0.5 * s, y + 0.98 * s * k, dark)
        c.line([(x, y + 0.9 * s * k), (x - 0.35 * s * t, y), (x + 0.25 * s, y - 0.65 * s * k)], dark, 0.07 * s)
        c.poly(
            [
                (x - 0.1 * s, y - 0.75 * s * k),
                (x + 0.45 * s, y - 0.85 * s * k),
                (x + 0.9 * s, y - 0.15 * s * k),
                (x + 0.05 * s, y - 0.1 * s * k),
            ],
            body,
        )
        c.disc(x + 0.48 * s, y - 0.1 * s * k, 0.14 * s, b)
    elif device in ("Cordless Drill", "Hair Dryer", "Soldering Iron"):
        c.rounded(x - 0.75 * s, y - 0.55 * s * k, x + 0.5 * s, y - 0.05 * s * k, 0.15 * s, body)
        c.poly(
            [
                (x + 0.5 * s, y - 0.45 * s * k),
                (x + 0.95 * s * t, y - 0.34 * s * k),
                (x + 0.95 * s * t, y - 0.26 * s * k),
                (x + 0.5 * s, y - 0.15 * s * k),
            ],
            dark,
        )
        c.poly(
            [
                (x - 0.45 * s, y - 0.1 * s * k),
                (x - 0.05 * s, y - 0.1 * s * k),
                (x - 0.2 * s, y + 0.7 * s * k),
                (x - 0.65 * s, y + 0.7 * s * k),
            ],
            dark,
        )
        c.rounded(x - 0.8 * s, y + 0.65 * s * k, x - 0.05 * s, y + 0.95 * s * k, 0.05 * s, b)
        c.rect(x - 0.5 * s, y - 0.42 * s * k, x + 0.2 * s, y - 0.34 * s * k, b)
    elif device in ("Headphones",):
        c.draw.arc(
            [(x - 0.75 * s) * c.w, (y - 0.85 * s * k) * c.h, (x + 0.75 * s) * c.w, (y + 0.75 * s * k) * c.h],
            180,
            360,
            fill=dark,
            width=round(0.12 * s * c.w),
        )
        for side in (-1, 1):
            c.rounded(
                x + side * 0.7 * s - 0.22 * s,
                y - 0.1 * s * k,
                x + side * 0.7 * s + 0.22 * s,
                y + 0.7 * s * k * t,
                0.15 * s,
                body,
            )
            c.disc(x + side * 0.7 * s, y + 0.3 * s * k, 0.12 * s, b)
    elif device in ("Room Fan", "Bicycle Pump"):
        c.rect(x - 0.05 * s, y + 0.3 * s * k, x + 0.05 * s, y + 0.9 * s * k, dark)
        c.rounded(x - 0.45 * s, y + 0.85 * s * k, x + 0.45 * s, y + 0.98 * s * k, 0.05 * s, dark)
        c.disc(x, y - 0.2 * s * k, 0.72 * s, mix(b, (255, 255, 255), 0.4))
        for i in range(own.choice([3, 4, 5])):
            leaf(c, x, y - 0.2 * s * k, 0.62 * s, 0.24 * s, i * 2 * math.pi / 4 + t, body, dark)
        c.disc(x, y - 0.2 * s * k, 0.72 * s, None, outline=dark, width=0.05 * s)
        c.disc(x, y - 0.2 * s * k, 0.14 * s, dark)
    else:
        c.rounded(x - 0.65 * s, y - 0.5 * s * k, x + 0.6 * s, y + 0.85 * s * k, 0.18 * s, body)
        c.poly(
            [(x + 0.55 * s, y - 0.35 * s * k), (x + 0.95 * s, y - 0.5 * s * k * t), (x + 0.58 * s, y + 0.1 * s * k)],
            body,
        )
        c.draw.arc(
            [(x - 1.1 * s) * c.w, (y - 0.3 * s * k) * c.h, (x - 0.3 * s) * c.w, (y + 0.65 * s * k) * c.h],
            80,
            280,
            fill=dark,
            width=round(0.1 * s * c.w),
        )
        c.rounded(x - 0.3 * s, y - 0.68 * s * k, x + 0.25 * s, y - 0.5 * s * k, 0.04 * s, dark)
        c.rect(x - 0.65 * s, y + 0.3 * s * k, x + 0.6 * s, y + 0.4 * s * k, b)
        for i in range(3):
            c.disc(x - 0.3 * s + i * 0.25 * s, y + 0.6 * s * k, 0.06 * s, b)


def draw_carton(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A retail box with a picture of the device."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    c = Canvas(1200, 1200, p.light)
    split = style.choice(["diagonal", "band", "disc"])
    if split == "diagonal":
        c.poly([(0, 0), (1, 0), (1, 0.35), (0, 0.75)], p.main)
        c.poly([(0, 0.75), (1, 0.35), (1, 0.4), (0, 0.8)], p.accent)
    elif split == "band":
        c.rect(0, 0, 1, 0.6, p.main)
        for i in range(12):
            c.line([(i / 12, 0.6), (i / 12 + 0.3, 0)], mix(p.main, p.second, 0.6), 0.012)
    else:
        c.rect(0, 0, 1, 1, p.main)
        c.disc(0.5, 0.45, 0.4, p.second)
        c.disc(0.5, 0.45, 0.34, p.light)
    words = thing.name.split()
    device = " ".join(words[1:-1])
    tone = own.choice([p.accent, p.second, p.ink, (90, 96, 104)])
    _device(
        c,
        device,
        0.5 + edition.shift(),
        0.45,
        0.26 * edition.nudge,
        tone,
        readable(tone, p.light, p.accent, p.ink),
        own,
    )
    title, strong = fonts.pick("title", style), fonts.pick("strong", style)
    if thing.look["named"]:
        c.text(
            (0.06, 0.05, 0.55, 0.16),
            thing.content["brand"],
            fonts.pick("brand", style),
            readable(p.main, p.light, p.ink),
            align="left",
            lines=1,
        )
        c.rect(0, 0.8, 1, 1, p.ink)
        c.text(
            (0.06, 0.825, 0.66, 0.97),
            device,
            title,
            readable(p.ink, p.light, p.main),
            align="left",
            lines=2,
            max_size=0.1,
        )
        c.text(
            (0.7, 0.825, 0.95, 0.97),
            thing.variant or "",
            strong,
            readable(p.ink, p.accent, p.light),
            lines=1,
            max_size=0.1,
        )
    else:
        c.rect(0, 0.84, 1, 1, p.ink)
        for i in range(own.randint(5, 9)):
            star(c, 0.1 + i * 0.1, 0.92, 0.03, p.accent, 4)
    _barcode(c, 0.8, 0.66, 0.15, 0.1, own)
    return Art(weather(c.array(), edition), 19.0, 19.0, 9.0, "slab", mix(p.main, p.ink, 0.1), p.word, 0.4)


def draw_radio(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The front of a table radio: grille, dial, knobs."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    c = Canvas(1440, 940, None)
    shell = p.main
    c.rounded(0.005, 0.005, 0.995, 0.995, style.choice([0.02, 0.06, 0.1]), shell)
    c.rounded(0.02, 0.03, 0.98, 0.97, 0.05, None, outline=mix(shell, (255, 255, 255), 0.35), width=0.006)
    grille_left = style.random() < 0.5
    gx = 0.05 if grille_left else 0.47
    pattern, cloth = own.choice(["slats", "holes", "weave", "rays"]), mix(p.light, p.second, own.uniform(0.1, 0.6))
    c.rounded(gx, 0.1, gx + 0.48, 0.9, 0.03, cloth)
    dark = mix(cloth, p.ink, 0.65)
    if pattern == "slats":
        n = own.randint(8, 13)
        for i in range(n):
            c.rounded(gx + 0.02, 0.13 + 0.75 * i / n, gx + 0.46, 0.13 + 0.75 * (i + 0.5) / n, 0.01, dark)
    elif pattern == "holes":
        n = own.randint(9, 13)
        for j in range(n):
            for i in range(n):
                c.disc(gx + 0.03 + 0.42 * (i + 0.5) / n, 0.13 + 0.74 * (j + 0.5) / n, 0.011, dark)
    elif pattern == "weave":
        for i in range(30):
            c.line([(gx + 0.48 * i / 30, 0.1), (gx + 0.48 * i / 30, 0.9)], mix(cloth, dark, 0.4 + 0.3 * (i % 2)), 0.004)
        for i in range(22):
            c.line([(gx, 0.1 + 0.8 * i / 22), (gx + 0.48, 0.1 + 0.8 * i / 22)], mix(cloth, dark, 0.5), 0.003)
        c.disc(gx + 0.24, 0.5, 0.17, None, outline=dark, width=0.008)
    else:
        for i in range(own.choice([16, 24])):
            a = i * 2 * math.pi / 24
            c.line(
                [
                    (gx + 0.24 + 0.04 * math.cos(a), 0.5 + 0.06 * math.sin(a)),
                    (gx + 0.24 + 0.21 * math.cos(a), 0.5 + 0.34 * math.sin(a)),
                ],
                dark,
                0.011,
            )
    dx = 0.57 if grille_left else 0.05
    c.rounded(dx, 0.12, dx + 0.38, 0.4, 0.02, (244, 236, 214))
    for i in range(25):
        long = i % 5 == 0
        c.line(
            [(dx + 0.03 + 0.32 * i / 24, 0.18), (dx + 0.03 + 0.32 * i / 24, 0.27 if long else 0.23)],
            (60, 50, 40),
            0.003,
        )
        if long:
            c.text(
                (dx + 0.0 + 0.32 * i / 24, 0.28, dx + 0.06 + 0.32 * i / 24, 0.37),
                str(88 + 4 * (i // 5)),
                fonts.pick("typed", random.Random(1)),
                (60, 50, 40),
                lines=1,
            )
    needle = dx + 0.03 + 0.32 * edition.random.random()
    c.line([(needle, 0.15), (needle, 0.37)], (200, 40, 30), 0.005)
    knobs = own.choice([2, 3])
    for i in range(knobs):
        kx, kr = dx + 0.38 * (i + 0.5) / knobs, own.choice([0.05, 0.06])
        c.disc(kx, 0.62, kr, p.ink)
        c.disc(kx, 0.62, kr * 0.8, mix(p.accent, (255, 255, 255), 0.1))
        a = edition.random.uniform(0, 6)
        c.line([(kx, 0.62), (kx + kr * 0.7 * math.cos(a), 0.62 + kr * 1.07 * math.sin(a))], p.ink, 0.006)
    if thing.look["named"]:
        c.text(
            (dx + 0.02, 0.76, dx + 0.36, 0.9),
            f"{thing.content['brand']} {thing.variant}",
            fonts.pick("brand", style),
            readable(shell, p.light, p.ink, p.accent),
            lines=1,
        )
    else:
        for i in range(own.randint(3, 6)):
            c.rounded(dx + 0.02 + 0.06 * i, 0.8, dx + 0.065 + 0.06 * i, 0.87, 0.008, mix(p.light, p.ink, 0.2))
    return Art(weather(c.array(), edition), 25.0, 16.3, 8.0, "slab", mix(shell, p.ink, 0.25), p.word, 0.45)


def draw_clock(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The face of a wall clock; the hands stand anywhere."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    c = Canvas(1100, 1100, None)
    square = style.random() < 0.35
    face = p.light
    if square:
        c.rounded(0.01, 0.01, 0.99, 0.99, 0.08, p.main)
        c.rounded(0.06, 0.06, 0.94, 0.94, 0.06, face)
    else:
        c.disc(0.5, 0.5, 0.49, p.main)
        c.disc(0.5, 0.5, 0.43, face)
    motif = own.choice(["rays", "petals", "rings", "checks", "icon"])
    pale = mix(face, p.second, 0.45)
    if motif == "rays":
        for i in range(0, 24, 2):
            a = i * math.pi / 12
            c.poly(
                [
                    (0.5, 0.5),
                    (0.5 + 0.3 * math.cos(a), 0.5 + 0.3 * math.sin(a)),
                    (0.5 + 0.3 * math.cos(a + 0.26), 0.5 + 0.3 * math.sin(a + 0.26)),
                ],
                pale,
            )
    elif motif == "petals":
        for i in range(own.choice([8, 10, 12])):
            leaf(c, 0.5, 0.5, 0.3, 0.07, i * math.pi / 5, pale, mix(pale, p.ink, 0.3))
    elif motif == "rings":
        for i in range(5, 0, -1):
            c.disc(0.5, 0.5, 0.06 * i, pale if i % 2 else face)
    elif motif == "checks":
        for j in range(6):
            for i in range(6):
                if (i + j) % 2:
                    c.rect(0.3 + i * 0.0667, 0.3 + j * 0.0667, 0.3667 + i * 0.0667, 0.3667 + j * 0.0667, pale)
    else:
        icon(c, own.choice(sorted(ICONS)), 0.5, 0.52, 0.19, pale, mix(pale, p.main, 0.5), own)
    figures, font = style.choice(["arabic", "bars", "dots", "roman"]), fonts.pick("title", style)
    roman = ["XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"]
    ink = readable(face, p.ink, p.main)
    for i in range(60):
        a = i * math.pi / 30 - math.pi / 2
        r0, r1 = (0.385, 0.415) if i % 5 else (0.375, 0.415)
        c.line(
            [(0.5 + r0 * math.cos(a), 0.5 + r0 * math.sin(a)), (0.5 + r1 * math.cos(a), 0.5 + r1 * math.sin(a))],
            ink,
            0.004 if i % 5 else 0.009,
        )
    for i in range(12):
        a = i * math.pi / 6 - math.pi / 2
        x, y = 0.5 + 0.325 * math.cos(a), 0.5 + 0.325 * math.sin(a)
        if figures in ("arabic", "roman"):
            c.text(
                (x - 0.06, y - 0.05, x + 0.06, y + 0.05),
                roman[i] if figures == "roman" else str(i or 12),
                font,
                ink,
                lines=1,
            )
        elif figures == "dots":
            c.disc(x, y, 0.03 if i % 3 else 0.045, p.accent)
        else:
            c.line(
                [
                    (0.5 + 0.27 * math.cos(a), 0.5 + 0.27 * math.sin(a)),
                    (0.5 + 0.36 * math.cos(a), 0.5 + 0.36 * math.sin(a)),
                ],
                ink,
                0.022,
            )
    minute = edition.random.randrange(720)
    for a, length, width in ((minute / 720 * 2 * math.pi, 0.2, 0.026), (minute % 60 / 60 * 2 * math.pi, 0.31, 0.018)):
        c.line(
            [
                (0.5 - 0.05 * math.sin(a), 0.5 + 0.05 * math.cos(a)),
                (0.5 + length * math.sin(a), 0.5 - length * math.cos(a)),
            ],
            p.ink if luma_ok(face, p.ink) else p.main,
            width,
        )
    c.disc(0.5, 0.5, 0.025, p.accent)
    if thing.look["named"]:
        c.text(
            (0.36, 0.6, 0.64, 0.66),
            f"{thing.content['brand']} {thing.variant}",
            fonts.pick("text", style),
            ink,
            lines=1,
        )
    return Art(
        weather(c.array(), edition), 24.0, 24.0, 3.5, "slab" if square else "disc", mix(p.main, p.ink, 0.3), p.word, 0.4
    )


def luma_ok(face: Colour, ink: Colour) -> bool:
    return readable(face, ink, face) == ink
