"""Things from a shop other than food: cartons with a device on them, radios, clocks."""

from __future__ import annotations

import math
import random

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon, leaf, star
from eval.world.drawing.printed.covers import palette_for
from eval.world.drawing.printed.packages import barcode
from eval.world.model import Thing


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
    else:
        _other_device(c, device, x, y, s, (body, dark, b), t, own)


def _other_device(
    c: Canvas,
    device: str,
    x: float,
    y: float,
    s: float,
    colours: tuple[Colour, Colour, Colour],
    t: float,
    own: random.Random,
) -> None:
    """Headphones, a fan or a kettle, in the `colours` of body, shade and second part; `t` stretches one part of it."""
    body, dark, b = colours
    k = c.w / c.h
    if device in ("Headphones",):
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
    barcode(c, 0.8, 0.66, 0.15, 0.1, own)
    return Art(weather(c.array(), edition), 19.0, 19.0, 9.0, "slab", mix(p.main, (0, 0, 0), 0.15), p.word, 0.4)


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
                (dx + 0.005 + 0.32 * i / 24, 0.28, dx + 0.055 + 0.32 * i / 24, 0.36),
                str(88 + 4 * (i // 5)),
                fonts.pick("typed", random.Random(1)),
                (60, 50, 40),
                lines=1,
            )
    needle = dx + 0.03 + 0.32 * edition.draws.random()
    c.line([(needle, 0.15), (needle, 0.37)], (200, 40, 30), 0.005)
    knobs = own.choice([2, 3])
    for i in range(knobs):
        kx, kr = dx + 0.38 * (i + 0.5) / knobs, own.choice([0.05, 0.06])
        c.disc(kx, 0.62, kr, p.ink)
        c.disc(kx, 0.62, kr * 0.8, mix(p.accent, (255, 255, 255), 0.1))
        a = edition.draws.uniform(0, 6)
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
    return Art(weather(c.array(), edition), 25.0, 16.3, 8.0, "slab", mix(shell, (0, 0, 0), 0.3), p.word, 0.45)


def _motif(c: Canvas, p: Palette, face: Colour, own: random.Random) -> None:
    """What is printed on the face of a clock, pale behind the hands."""
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


_ROMAN = ("XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")


def _hour(c: Canvas, i: int, figures: str, font: str, ink: Colour, accent: Colour) -> None:
    """The mark of one hour on the face of a clock."""
    a = i * math.pi / 6 - math.pi / 2
    x, y = 0.5 + 0.325 * math.cos(a), 0.5 + 0.325 * math.sin(a)
    if figures in ("arabic", "roman"):
        c.text(
            (x - 0.06, y - 0.05, x + 0.06, y + 0.05),
            _ROMAN[i] if figures == "roman" else str(i or 12),
            font,
            ink,
            lines=1,
        )
    elif figures == "dots":
        c.disc(x, y, 0.03 if i % 3 else 0.045, accent)
    else:
        c.line(
            [
                (0.5 + 0.27 * math.cos(a), 0.5 + 0.27 * math.sin(a)),
                (0.5 + 0.36 * math.cos(a), 0.5 + 0.36 * math.sin(a)),
            ],
            ink,
            0.022,
        )


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
    _motif(c, p, face, own)
    figures, font = style.choice(["arabic", "bars", "dots", "roman"]), fonts.pick("title", style)
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
        _hour(c, i, figures, font, ink, p.accent)
    minute = edition.draws.randrange(720)
    for a, length, width in ((minute / 720 * 2 * math.pi, 0.2, 0.026), (minute % 60 / 60 * 2 * math.pi, 0.31, 0.018)):
        c.line(
            [
                (0.5 - 0.05 * math.sin(a), 0.5 + 0.05 * math.cos(a)),
                (0.5 + length * math.sin(a), 0.5 - length * math.cos(a)),
            ],
            ink,
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
