"""Food packages: the labels of jars and tins, the fronts of boxes and bags."""

from __future__ import annotations

import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Canvas, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon, leaf, star
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing
from eval.world.verbalise import number_text

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
    cx, size = (x0 + x1) / 2, 0.19 * w * e.nudge
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
        icon(c, emblem, cx + e.shift(), y0 + 0.47 * h, size * 1.8, main, p.second, own)
        for i in range(7):
            star(c, x0 + w * (0.26 + 0.08 * i), y0 + 0.9 * h, 0.014, main, 6)
    weight = thing.facts.get("contents")
    if weight is not None and weight.on_picture:
        c.text(
            (cx - 0.14, y1 + 0.015, cx + 0.14, min(0.985, y1 + 0.075)),
            f"NET {number_text(weight.value.value)} g",
            text_font,
            readable(p.main, p.light, p.ink),
            lines=1,
        )


def barcode(c: Canvas, x: float, y: float, w: float, h: float, own: random.Random) -> None:
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
        barcode(c, x, y, 0.1, 0.3, own)
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
        return Art(pixels, 13.0, 19.5, 3.0, "slab", p.main, p.word, 0.5)
    return Art(pixels, 14.0, 19.0, 5.0, "slab", mix(p.main, p.ink, 0.15), p.word, 0.35)


def _crumple(pixels: np.ndarray, e: Edition) -> np.ndarray:
    """Folds of a bag: soft shading, a crimped top, uneven outline."""
    h, w = pixels.shape[:2]
    g = np.random.default_rng(e.draws.getrandbits(32))
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
