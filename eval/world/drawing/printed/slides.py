"""Lecture slides: a title bar, lines of formulas set with fractions, roots and sums, and figures of several kinds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, load_font, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.prints import as_printed
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

Area = tuple[float, float, float, float]
_LETTERS = (
    "x",
    "y",
    "z",
    "a",
    "b",
    "c",
    "n",
    "k",
    "t",
    "u",
    "v",
    "w",
    "p",
    "q",
    "r",
    "s",
    "m",
    "A",
    "B",
    "E",
    "F",
    "K",
    "L",
    "R",
    "T",
)


class Formula:
    """Sets one line of mathematics; sizes in px."""

    def __init__(self, c: Canvas, own: random.Random, font: str, ink: Colour, size_px: int) -> None:
        self.c, self.own, self.font, self.ink, self.size = c, own, font, ink, size_px

    def write(self, x: float, y: float, limit: float) -> float:
        """A line with its middle at `y`, from `x` to at most `limit` (px); returns where it ends."""
        x = self._word(x, y, self._symbol())
        x = self._word(x, y, self.own.choice([" = ", " = ", " < ", " > "]))
        while x < limit - 2.2 * self.size:
            pick = self.own.randrange(6)
            if pick == 0:
                x = self._fraction(x, y)
            elif pick == 1:
                x = self._root(x, y)
            elif pick == 2:
                x = self._sum(x, y)
            elif pick == 3:
                x = self._integral(x, y)
            else:
                x = self._power(x, y)
            if self.own.random() < 0.2 or x >= limit - 2.6 * self.size:
                break
            x = self._word(x, y, self.own.choice([" + ", " - "]))
        return x

    def _symbol(self) -> str:
        name = self.own.choice(_LETTERS)
        return f"{name}({self.own.choice('xtnk')})" if self.own.random() < 0.3 else name

    def _term(self) -> str:
        number = self.own.choice(["", "", "2", "3", "4", "5", "7", "12"])
        return number + self.own.choice(_LETTERS)

    def _word(self, x: float, y: float, text: str, scale: float = 1.0) -> float:
        face = load_font(self.font, max(8, round(self.size * scale)))
        ascent, descent = face.getmetrics()
        self.c.draw.text((x, y - (ascent + descent) / 2), text, font=face, fill=self.ink)
        return x + face.getlength(text)

    def _width(self, text: str, scale: float = 1.0) -> float:
        return load_font(self.font, max(8, round(self.size * scale))).getlength(text)

    def _stroke(self, points: list[tuple[float, float]], share: float = 0.06) -> None:
        self.c.draw.line(points, fill=self.ink, width=max(2, round(self.size * share)), joint="curve")

    def _power(self, x: float, y: float) -> float:
        x = self._word(x, y, self._term())
        if self.own.random() < 0.6:
            return self._word(x, y - 0.36 * self.size, self.own.choice(["2", "3", "n", "k+1", "-1", "2n"]), 0.6)
        return self._word(x, y + 0.3 * self.size, self.own.choice(["0", "1", "i", "ij", "max"]), 0.6)

    def _fraction(self, x: float, y: float) -> float:
        above, below = self._term(), f"{self._term()} {self.own.choice('+-')} {self.own.randint(1, 9)}"
        if self.own.random() < 0.5:
            above, below = below, above
        wide = max(self._width(above, 0.8), self._width(below, 0.8))
        self._word(x + (wide - self._width(above, 0.8)) / 2, y - 0.52 * self.size, above, 0.8)
        self._word(x + (wide - self._width(below, 0.8)) / 2, y + 0.5 * self.size, below, 0.8)
        self._stroke([(x, y), (x + wide, y)])
        return x + wide + 0.1 * self.size

    def _root(self, x: float, y: float) -> float:
        inner = f"{self._term()} {self.own.choice('+-')} {self._term()}"
        s, wide = self.size, self._width(inner)
        self._stroke(
            [
                (x, y + 0.1 * s),
                (x + 0.15 * s, y + 0.5 * s),
                (x + 0.35 * s, y - 0.6 * s),
                (x + 0.45 * s + wide, y - 0.6 * s),
            ]
        )
        self._word(x + 0.4 * s, y, inner)
        return x + 0.55 * s + wide

    def _sum(self, x: float, y: float) -> float:
        s = self.size
        self._stroke(
            [
                (x + 0.75 * s, y - 0.6 * s),
                (x, y - 0.6 * s),
                (x + 0.4 * s, y),
                (x, y + 0.6 * s),
                (x + 0.75 * s, y + 0.6 * s),
            ],
            0.08,
        )
        self._word(x + 0.1 * s, y - 0.9 * s, self.own.choice(["n", "N", "m", "10"]), 0.5)
        self._word(x, y + 0.88 * s, self.own.choice(["k=1", "i=0", "n=1", "j=2"]), 0.5)
        return self._power(x + 0.9 * s, y)

    def _integral(self, x: float, y: float) -> float:
        s = self.size
        path = [
            (x + 0.28 * s + 0.26 * s * math.sin(t / 12 * math.pi * 2 - math.pi), y - 0.8 * s + 1.6 * s * t / 12)
            for t in range(13)
        ]
        self._stroke([(a + 0.12 * s * (1 - i / 6), b) for i, (a, b) in enumerate(path)], 0.08)
        self._word(x + 0.5 * s, y - 0.75 * s, self.own.choice("1abTR"), 0.5)
        self._word(x + 0.2 * s, y + 0.85 * s, self.own.choice("0abc"), 0.5)
        x = self._word(x + 0.62 * s, y, self._symbol())
        return self._word(x, y, " d" + self.own.choice("xtu"))


def _axes(c: Canvas, a: Area, ink: Colour, own: random.Random) -> None:
    for i in range(1, own.choice([6, 8, 10])):
        x, y = a[0] + (a[2] - a[0]) * i / 10, a[3] - (a[3] - a[1]) * i / 10
        c.line([(x, a[1]), (x, a[3])], mix(ink, (255, 255, 255), 0.82), 0.0012)
        c.line([(a[0], y), (a[2], y)], mix(ink, (255, 255, 255), 0.82), 0.0012)
    k = c.w / c.h
    c.line([(a[0], a[1]), (a[0], a[3]), (a[2], a[3])], ink, 0.004)
    c.poly([(a[0] - 0.008, a[1] + 0.01), (a[0] + 0.008, a[1] + 0.01), (a[0], a[1] - 0.016)], ink)
    c.poly([(a[2], a[3] - 0.008 * k), (a[2], a[3] + 0.008 * k), (a[2] + 0.014, a[3])], ink)


def _curves(c: Canvas, a: Area, p: Palette, ink: Colour, own: random.Random) -> None:
    _axes(c, a, ink, own)
    colours = own.sample([p.main, p.accent, p.second, ink], 3)
    for j in range(own.choice([2, 3])):
        f, ph, amp, tilt, decay = (
            own.uniform(1, 5),
            own.uniform(0, 6),
            own.uniform(0.12, 0.3),
            own.uniform(-0.5, 0.5),
            own.uniform(0, 2),
        )
        path = []
        for i in range(61):
            t = i / 60
            v = 0.5 + tilt * (t - 0.5) + amp * math.sin(f * t * 3.1 + ph) * math.exp(-decay * t)
            path.append((a[0] + (a[2] - a[0]) * t, a[3] - (a[3] - a[1]) * min(0.96, max(0.03, v))))
        c.line(path, colours[j], 0.006)
        for i in own.sample(range(4, 58), own.randint(3, 7)):
            c.disc(*path[i], 0.0085, colours[j])
            c.disc(*path[i], 0.004, (255, 255, 255))


def _bars(c: Canvas, a: Area, p: Palette, ink: Colour, own: random.Random) -> None:
    _axes(c, a, ink, own)
    n = own.randint(6, 10)
    for i in range(n):
        x = a[0] + (a[2] - a[0]) * (i + 0.15) / n
        w, h = (a[2] - a[0]) * 0.7 / n, (a[3] - a[1]) * own.uniform(0.12, 0.92)
        c.rect(x, a[3] - h, x + w, a[3], own.choice([p.main, p.accent, p.second]))
        c.line([(x + w / 2, a[3] - h - 0.03), (x + w / 2, a[3] - h + 0.02)], ink, 0.003)


def _triangle(c: Canvas, a: Area, p: Palette, ink: Colour, own: random.Random) -> None:
    k = c.w / c.h
    cx, cy, r = (a[0] + a[2]) / 2, (a[1] + a[3]) / 2, min((a[2] - a[0]) / 2, (a[3] - a[1]) / 2 / k) * 0.95
    angles = sorted(own.uniform(0, 6.28) for _ in range(own.choice([3, 4, 5])))
    corners = [(cx + r * math.cos(t), cy + r * k * math.sin(t)) for t in angles]
    c.poly(corners, mix(p.light, p.main, 0.28))
    c.disc(cx, cy, r, None, outline=p.second, width=0.005)
    for i in range(len(corners)):
        for j in range(i):
            c.line([corners[i], corners[j]], ink if abs(i - j) in (1, len(corners) - 1) else p.accent, 0.005)
    for x, y in corners:
        c.disc(x, y, 0.011, ink)
        c.disc(x, y, own.uniform(0.03, 0.06), None, outline=p.main, width=0.004)
    for _ in range(own.randint(1, 3)):
        c.disc(
            cx + own.uniform(-0.3, 0.3) * r,
            cy + own.uniform(-0.3, 0.3) * r * k,
            r * own.uniform(0.15, 0.4),
            None,
            outline=p.accent,
            width=0.004,
        )


def _network(c: Canvas, a: Area, p: Palette, ink: Colour, own: random.Random) -> None:
    k = c.w / c.h
    places: list[tuple[float, float]] = []
    for _ in range(300):
        x, y = own.uniform(a[0] + 0.03, a[2] - 0.03), own.uniform(a[1] + 0.04, a[3] - 0.04)
        if all(math.hypot(x - u, (y - v) / k) > 0.075 for u, v in places):
            places.append((x, y))
    places = places[: own.randint(8, 12)]
    for i, (x, y) in enumerate(places):
        near = sorted(range(len(places)), key=lambda j: math.hypot(places[j][0] - x, (places[j][1] - y) / k))
        for j in near[1 : own.choice([2, 3, 4])]:
            c.line([(x, y), places[j]], ink if (i + j) % 3 else p.accent, 0.004)
    for x, y in places:
        s = own.uniform(0.018, 0.032)
        c.disc(x, y, s, own.choice([p.main, p.accent, p.second]), outline=ink, width=0.004)
        if own.random() < 0.5:
            c.disc(x, y, s * 0.4, (255, 255, 255))


def _field(c: Canvas, a: Area, p: Palette, ink: Colour, own: random.Random) -> None:
    _axes(c, a, ink, own)
    k = c.w / c.h
    u, v, w = own.uniform(-3, 3), own.uniform(-3, 3), own.uniform(0, 6)
    n = own.choice([7, 8, 9])
    for j in range(n):
        for i in range(n):
            x, y = (i + 0.5) / n, (j + 0.5) / n
            t = u * math.sin(3 * x + w) + v * math.cos(4 * y * x + w) + w
            px, py, s = a[0] + (a[2] - a[0]) * x, a[1] + (a[3] - a[1]) * y, 0.42 * (a[2] - a[0]) / n
            dx, dy = s * math.cos(t), s * math.sin(t)
            c.line([(px - dx, py - dy * k), (px + dx, py + dy * k)], p.main if (i + j) % 4 else p.accent, 0.0045)
            c.disc(px + dx, py + dy * k, 0.006, ink)


_FIGURES: tuple[Callable[[Canvas, Area, Palette, Colour, random.Random], None], ...] = (
    _curves,
    _bars,
    _triangle,
    _network,
    _field,
)


def draw_slide(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """One slide as a print-out; the title of the lecture stands on it when the family prints names."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    board = style.random() < 0.25
    ground: Colour = mix((24, 44, 38), p.main, 0.2) if board else (252, 251, 247)
    ink: Colour = (240, 238, 228) if board else (26, 28, 36)
    c = Canvas(1600, 1200, ground)
    serif, strong = fonts.pick("text", style), fonts.pick("title", style)
    bar = p.main if sum(abs(a - b) for a, b in zip(p.main, ground, strict=True)) > 120 else p.second
    top = style.choice([0.1, 0.13])
    c.rect(0, 0, 1, top, bar)
    c.rect(0, top, 1, top + 0.012, p.accent)
    if thing.look["named"]:
        c.text(
            (0.04, 0.012, 0.86, top - 0.012), thing.name, strong, readable(bar, p.light, p.ink), align="left", lines=1
        )
    else:
        for i in range(own.randint(4, 8)):
            c.rect(
                0.04 + 0.03 * i, top * 0.35, 0.06 + 0.03 * i, top * own.uniform(0.5, 0.7), readable(bar, p.light, p.ink)
            )
    c.disc(0.94, top / 2, 0.03, p.light)
    c.poly(
        [
            (0.94 + 0.024 * math.cos(t), top / 2 + 0.032 * math.sin(t))
            for t in sorted(style.uniform(0, 6.28) for _ in range(5))
        ],
        bar,
    )
    left = style.random() < 0.5
    x0 = 0.06 if left else 0.5
    f0 = 0.57 if left else 0.07
    rows = own.randint(3, 4)
    for i in range(rows):
        y = top + 0.11 + (0.8 - top) * (i + 0.35) / rows
        c.disc(x0 - 0.015, y, 0.008, p.accent)
        formula = Formula(c, own, serif, ink, own.choice([52, 58, 66]))
        end = formula.write((x0 + 0.012) * c.w, y * c.h, (x0 + 0.4) * c.w)
        if i == rows - 1:
            c.rounded(
                x0 - 0.005,
                y - 0.085,
                min(0.985, end / c.w + 0.02),
                y + 0.085,
                0.012,
                None,
                outline=p.accent,
                width=0.004,
            )
    soft = (
        p
        if not board
        else Palette(
            p.word, mix(p.main, (255, 255, 255), 0.45), p.ink, p.accent, mix(p.second, (255, 255, 255), 0.3), ground
        )
    )
    figures = own.sample(_FIGURES, 2)
    figures[0](c, (f0, top + 0.07, f0 + 0.36, 0.5), soft, ink, own)
    figures[1](c, (f0, 0.57, f0 + 0.36, 0.9), soft, ink, own)
    c.rect(0.04, 0.955, 0.96, 0.958, mix(ground, ink, 0.4))
    pixels = weather(as_printed(c.array(), edition), edition, paper=True)
    return Art(pixels, 28.0, 21.0, 0.05, "paper", ground, p.word, 0.15)
