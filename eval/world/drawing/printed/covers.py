"""Book covers: eight geometric layouts, a title block in four positions, or an untitled cloth binding."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from eval.world.drawing.kit.canvas import PALETTES, Canvas, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon, leaf, star
from eval.world.model import Thing

SIZE = (960, 1440)


def palette_for(thing: Thing) -> Palette:
    """Siblings walk through the palettes from their family's start, so that each has its own."""
    style = random.Random(thing.look["style"])
    order = list(PALETTES)
    style.shuffle(order)
    return order[thing.look["variant"] % len(order)]


def _tiles(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    cols = own.choice([4, 5])
    rows = cols * 3 // 2
    k = c.w / c.h
    for j in range(rows):
        for i in range(cols):
            x0, y0, s = i / cols, j / rows, 1 / cols
            a, b = own.sample([p.main, p.accent, p.second, p.light, p.ink], 2)
            c.rect(x0, y0, x0 + s, y0 + 1 / rows, a)
            shape, cx, cy = own.randrange(5), x0 + s / 2, y0 + 0.5 / rows
            if shape == 0:
                c.disc(cx, cy, s * 0.42 * e.nudge, b)
            elif shape == 1:
                c.disc(x0 if own.random() < 0.5 else x0 + s, y0, s * 0.98, b)
                c.rect(x0 - s * 1.1, y0 - s * k * 1.1, x0 + s, y0, a) if j == 0 else None
            elif shape == 2:
                c.poly([(x0, y0), (x0 + s, y0), (x0, y0 + 1 / rows)], b)
            elif shape == 3:
                for n in range(3):
                    c.rect(x0, y0 + n / rows / 3, x0 + s, y0 + (n + 0.5) / rows / 3, b)
            else:
                c.disc(cx, cy, s * 0.44, b)
                c.disc(cx, cy, s * 0.2, a)


def _hills(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    c.rect(0, 0, 1, 1, mix(p.light, p.main, 0.25))
    c.disc(own.uniform(0.25, 0.75), own.uniform(0.25, 0.4) + e.shift(), own.uniform(0.12, 0.22) * e.nudge, p.accent)
    for layer in range(6):
        base, f1, f2, ph = 0.42 + layer * 0.095, own.uniform(2, 5), own.uniform(5, 11), own.uniform(0, 6)
        amp = own.uniform(0.03, 0.075)
        top = [
            (i / 60, base + amp * math.sin(f1 * i / 60 * 2 + ph) + amp * 0.4 * math.sin(f2 * i / 30 + ph))
            for i in range(61)
        ]
        c.poly([*top, (1, 1), (0, 1)], mix(mix(p.second, p.main, layer / 5), p.ink, layer * 0.11))
        for _ in range(own.randint(0, 9)):
            i = own.randrange(61)
            icon(c, "tree", top[i][0], top[i][1] - 0.006, 0.02 + 0.006 * layer, mix(p.second, p.ink, 0.5), p.ink, own)


def _arcs(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    c.rect(0, 0, 1, 1, p.main)
    cx, cy = own.choice([0.0, 0.5, 1.0]), own.choice([0.45, 0.62, 1.0])
    colours = [p.accent, p.light, p.second, p.main, p.ink]
    own.shuffle(colours)
    n = own.randint(7, 11)
    for i in range(n, 0, -1):
        c.disc(cx + e.shift(0.004), cy, 1.05 * i / n * e.nudge, colours[i % len(colours)])
    for _ in range(own.randint(5, 14)):
        x, y = own.random(), own.uniform(0.3, 1)
        c.disc(x, y, own.uniform(0.012, 0.04), own.choice(colours))


def _leaves(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    c.rect(0, 0, 1, 1, p.main)
    k = c.w / c.h
    for stem in range(own.randint(3, 5)):
        x = (stem + 0.5) / 4 + own.uniform(-0.08, 0.08)
        bend = own.uniform(-0.18, 0.18)
        colour = mix(p.second, p.light, own.uniform(0, 0.5))
        path = [(x + bend * (i / 14) ** 2, 1.02 - i / 14 * own.uniform(0.8, 0.82)) for i in range(15)]
        c.line(path, p.ink, 0.008)
        for i, (px, py) in enumerate(path[1:]):
            for side in (-1, 1):
                angle = -math.pi / 2 + side * own.uniform(0.7, 1.0)
                leaf(c, px, py, own.uniform(0.1, 0.17) * (1.15 - i / 20) * e.nudge, 0.03, angle, colour, p.ink)
    for _ in range(own.randint(3, 7)):
        x, y, s = own.random(), own.uniform(0.3, 0.95), own.uniform(0.04, 0.09)
        for i in range(8):
            a = i * math.pi / 4
            c.disc(x + s * 0.6 * math.cos(a), y + s * 0.6 * math.sin(a) * k, s * 0.36, p.accent)
        c.disc(x, y, s * 0.4, p.ink)


def _night(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    sky = mix(p.main, p.ink, 0.45)
    for i in range(24):
        c.rect(0, i / 24, 1, (i + 1) / 24, mix(sky, p.second, i / 40))
    for _ in range(own.randint(40, 70)):
        star(c, own.random(), own.uniform(0, 0.75), own.uniform(0.004, 0.016), p.light, own.choice([4, 5]))
    icon(
        c,
        "moon",
        own.uniform(0.3, 0.7),
        own.uniform(0.36, 0.46) + e.shift(),
        own.uniform(0.14, 0.2),
        p.accent,
        p.light,
        own,
    )
    for i in range(7):
        icon(
            c,
            "house",
            (i + 0.4) / 6.5,
            own.uniform(0.84, 0.92),
            own.uniform(0.09, 0.13),
            mix(p.ink, p.main, 0.25 * own.random()),
            mix(p.accent, p.ink, 0.25),
            own,
        )


def _scales(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    n = own.choice([5, 6, 7])
    s, k = 1 / n, c.w / c.h
    sets = [[p.main, p.light, p.second], [p.second, p.accent, p.main], [p.ink, p.light, p.main]]
    weights = [own.random() for _ in range(5)]
    for j in range(int(1 / (s * k * 0.5)) + 3):
        for i in range(-1, n + 1):
            x, y = (i + (j % 2) * 0.5 + 0.5) * s, j * s * k * 0.5
            colours = sets[int((i * weights[0] + j * weights[1]) * 3) % 3]
            for ring in range(4):
                c.disc(x, y, s * (0.5 - 0.12 * ring), colours[ring % 3])


def _maze(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    c.rect(0, 0, 1, 1, p.main)
    n = own.choice([6, 7, 8])
    s, k = 1 / n, c.w / c.h
    width = own.choice([0.25, 0.34]) * s
    for j in range(int(1 / (s * k)) + 1):
        for i in range(n):
            x, y, flip = i * s, j * s * k, own.random() < 0.5
            colour = p.accent if own.random() < 0.18 else p.light
            for cx, cy, a0 in ((x, y, 0), (x + s, y + s * k, 180)) if flip else ((x + s, y, 90), (x, y + s * k, 270)):
                box = [(cx - s / 2) * c.w, cy * c.h - s / 2 * c.w, (cx + s / 2) * c.w, cy * c.h + s / 2 * c.w]
                grow = width / 2 * c.w
                box = [box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow]
                c.draw.arc(box, a0, a0 + 90, fill=colour, width=round(width * c.w))


def _emblem(c: Canvas, p: Palette, own: random.Random, e: Edition) -> None:
    c.rect(0, 0, 1, 1, p.main)
    for i in range(own.choice([24, 36])):
        a = i * 2 * math.pi / 36
        c.poly(
            [
                (0.5, 0.58),
                (0.5 + 1.4 * math.cos(a), 0.58 + 1.4 * math.sin(a)),
                (0.5 + 1.4 * math.cos(a + 0.09), 0.58 + 1.4 * math.sin(a + 0.09)),
            ],
            mix(p.main, p.second, 0.45),
        )
    c.disc(0.5, 0.58, 0.34 * e.nudge, p.light)
    c.disc(0.5, 0.58, 0.34 * e.nudge, None, outline=p.ink, width=0.012)
    c.disc(0.5, 0.58, 0.315 * e.nudge, None, outline=p.accent, width=0.006)
    icon(
        c,
        own.choice(sorted(ICONS)),
        0.5 + e.shift(),
        0.58,
        0.2 * e.nudge,
        p.second if p.second != p.light else p.main,
        p.ink,
        own,
    )
    for i in range(own.choice([10, 14])):
        star(c, (i + 0.5) / 12, 0.95, 0.016, p.accent)


LAYOUTS: tuple[Callable[[Canvas, Palette, random.Random, Edition], None], ...] = (
    _tiles,
    _hills,
    _arcs,
    _leaves,
    _night,
    _scales,
    _maze,
    _emblem,
)


def draw_cover(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The front of a book, title and author on it unless the binding carries none."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    layout, place = style.choice(LAYOUTS), style.choice(["top", "box", "bottom", "band"])
    title_font, text_font = fonts.pick("title", style), fonts.pick("text", style)
    c = Canvas(*SIZE, p.main)
    layout(c, p, own, edition)
    if thing.look["named"]:
        _title(c, thing, p, place, title_font, text_font, edition)
        if thing.content.get("family"):
            _volume(c, thing, p, place, text_font)
    else:
        for inset in (0.035, 0.05):
            c.rect(inset, inset * c.w / c.h, 1 - inset, 1 - inset * c.w / c.h, None, outline=p.accent, width=0.006)
        icon(c, own.choice(sorted(ICONS)), 0.5, 0.5, 0.16, p.light, p.ink, own)
    if edition.sticker:
        r = edition.draws
        x, y = r.choice([(0.84, 0.1), (0.14, 0.88), (0.85, 0.87)])
        c.disc(x, y, 0.085, (214, 40, 40))
        c.text(
            (x - 0.07, y - 0.03, x + 0.07, y + 0.03),
            r.choice(["NEW", "SALE", "2nd print", "Top 10"]),
            fonts.pick("strong", r),
            (255, 255, 255),
        )
    size = random.Random(thing.look["style"] + 1).uniform(0.9, 1.2)
    depth = 0.8 + thing.facts["pages"].value.value / 260 if "pages" in thing.facts else 2.0
    return Art(
        weather(c.array(), edition), 12.5 * size, 18.75 * size, depth, "slab", p.main, p.word, gloss=0.35, pages=True
    )


def _title(c: Canvas, thing: Thing, p: Palette, place: str, title: str, text: str, e: Edition) -> None:
    author = thing.facts["author"].value.value if "author" in thing.facts else ""
    if place == "top":
        c.rect(0, 0, 1, 0.27, p.light)
        c.rect(0, 0.27, 1, 0.28, p.accent)
        c.text((0.07, 0.045, 0.93, 0.2), thing.name, title, readable(p.light, p.ink, p.main, p.second), max_size=0.1)
        c.text((0.1, 0.205, 0.9, 0.255), author, text, readable(p.light, p.ink, p.main), max_size=0.034)
    elif place == "bottom":
        c.rect(0, 0.71, 1, 1, p.ink)
        c.rect(0, 0.705, 1, 0.715, p.accent)
        c.text((0.07, 0.735, 0.93, 0.905), thing.name, title, readable(p.ink, p.light, p.main), max_size=0.1)
        c.text((0.1, 0.915, 0.9, 0.965), author, text, readable(p.ink, p.accent, p.light), max_size=0.034)
    elif place == "box":
        c.rect(0.12, 0.1, 0.88, 0.47, p.light)
        c.rect(0.145, 0.117, 0.855, 0.453, None, outline=readable(p.light, p.ink, p.main), width=0.005)
        c.text((0.18, 0.14, 0.82, 0.37), thing.name, title, readable(p.light, p.ink, p.main), max_size=0.09)
        c.text((0.18, 0.385, 0.82, 0.435), author, text, readable(p.light, p.ink, p.second), max_size=0.032)
    else:
        c.rect(0, 0.06, 1, 0.125, p.ink)
        c.text((0.05, 0.07, 0.95, 0.115), author, text, readable(p.ink, p.light, p.accent), max_size=0.036)
        c.rect(0, 0.125, 1, 0.36, p.main)
        c.text((0.06, 0.145, 0.94, 0.345), thing.name, title, readable(p.main, p.light, p.ink), max_size=0.11)


def _volume(c: Canvas, thing: Thing, p: Palette, place: str, font: str) -> None:
    y = 0.06 if place in ("box", "bottom") else 0.94
    fill = p.ink if place != "bottom" else p.light
    back = p.light if place != "bottom" else p.ink
    c.rounded(0.28, y - 0.022, 0.72, y + 0.022, 0.03, back)
    c.text(
        (0.3, y - 0.019, 0.7, y + 0.019),
        f"{thing.content['family']} · {thing.content['number']}",
        font,
        readable(back, fill, p.ink, p.light),
        lines=1,
    )
