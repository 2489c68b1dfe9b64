"""Cards of chemical compounds: a skeletal formula of rings and side chains, signs, a strip of ornament."""

from __future__ import annotations

import math
import random

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon, star
from eval.world.drawing.kit.prints import as_printed
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing

_GROUPS = ("OH", "O", "NH2", "Cl", "F", "SH", "CH3", "Br", "CN", "OMe", "NO2", "I")
_ELEMENTS: dict[str, Colour] = {
    "O": (190, 40, 34),
    "N": (34, 70, 170),
    "S": (176, 130, 10),
    "C": (40, 120, 50),
    "F": (30, 130, 120),
    "B": (140, 60, 30),
    "I": (110, 40, 130),
}
Vertex = tuple[float, float]


class Skeleton:
    """A compound as a drawing: fused rings, side groups, double bonds, atoms that are not carbon."""

    def __init__(self, own: random.Random) -> None:
        self.points: list[Vertex] = []
        self.edges: list[tuple[int, int]] = []
        self.double: list[tuple[int, int, Vertex]] = []
        self.labels: dict[int, str] = {}
        rings = self._rings(own, own.choice([2, 3, 3, 4]))
        core = len(self.points)
        for i in own.sample(range(core), max(1, core // 6)):
            if self._degree(i) == 2:
                self.labels[i] = own.choice(["N", "O", "S", "N"])
        for i in own.sample(range(core), core):
            if self._degree(i) == 2 and i not in self.labels and own.random() < 0.5:
                self._branch(i, rings, own)
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        if max(ys) - min(ys) > max(xs) - min(xs):  # cards are wider than high
            self.points = [(y, x) for x, y in self.points]
            self.double = [(a, b, (y, x)) for a, b, (x, y) in self.double]

    def _vertex(self, x: float, y: float) -> int:
        for i, (a, b) in enumerate(self.points):
            if abs(a - x) + abs(b - y) < 0.02:
                return i
        self.points.append((x, y))
        return len(self.points) - 1

    def _degree(self, i: int) -> int:
        return sum(i in e for e in self.edges)

    def _rings(self, own: random.Random, count: int) -> list[Vertex]:
        step = math.sqrt(3)
        centres: list[Vertex] = [(0.0, 0.0)]
        while len(centres) < count:
            x, y = own.choice(centres)
            a = math.radians(own.choice([30, 90, 150, 210, 270, 330]))
            fresh = (x + step * math.cos(a), y + step * math.sin(a))
            if all(math.hypot(fresh[0] - u, fresh[1] - v) > 0.5 for u, v in centres):
                centres.append(fresh)
        for x, y in centres:
            ring = [
                self._vertex(x + math.cos(math.radians(60 * k)), y + math.sin(math.radians(60 * k))) for k in range(6)
            ]
            start, filled = own.randrange(2), own.random() < 0.75
            for k in range(6):
                edge = (ring[k], ring[(k + 1) % 6])
                if edge not in self.edges and edge[::-1] not in self.edges:
                    self.edges.append(edge)
                    if filled and k % 2 == start:
                        self.double.append((*edge, (x, y)))
        return centres

    def _branch(self, i: int, rings: list[Vertex], own: random.Random) -> None:
        """A side chain that points away from the ring it sits on."""
        x, y = self.points[i]
        near = min(rings, key=lambda c: math.hypot(c[0] - x, c[1] - y))
        angle = math.atan2(y - near[1], x - near[0])
        for link in range(own.choice([1, 1, 2, 3])):
            angle += 0 if link == 0 else math.radians(60 if link % 2 else -60)
            x, y = x + math.cos(angle), y + math.sin(angle)
            if any(math.hypot(a - x, b - y) < 0.75 for a, b in self.points):
                return
            self.points.append((x, y))
            self.edges.append((i, len(self.points) - 1))
            i = len(self.points) - 1
            if own.random() < 0.2:
                self.double.append((self.edges[-1][0], i, (x + math.sin(angle), y - math.cos(angle))))
        self.labels[i] = own.choice(_GROUPS)


def _structure(
    c: Canvas, s: Skeleton, area: tuple[float, float, float, float], ink: Colour, ground: Colour, font: str
) -> None:
    xs, ys = [p[0] for p in s.points], [p[1] for p in s.points]
    k = c.w / c.h
    unit = min(
        (area[2] - area[0]) / (max(xs) - min(xs) + 1.6), (area[3] - area[1]) / k / (max(ys) - min(ys) + 1.2), 0.11
    )
    mx, my = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2

    def at(p: Vertex) -> Vertex:
        return ((area[0] + area[2]) / 2 + (p[0] - mx) * unit, (area[1] + area[3]) / 2 + (p[1] - my) * unit * k)

    for a, b in s.edges:
        c.line([at(s.points[a]), at(s.points[b])], ink, 0.09 * unit)
    for a, b, towards in s.double:
        ends = []
        for i, other in ((a, b), (b, a)):
            p, q = s.points[i], s.points[other]
            x, y = p[0] + 0.14 * (q[0] - p[0]), p[1] + 0.14 * (q[1] - p[1])
            far = math.hypot(towards[0] - x, towards[1] - y) or 1.0
            ends.append(at((x + 0.19 * (towards[0] - x) / far, y + 0.19 * (towards[1] - y) / far)))
        c.line(ends, ink, 0.08 * unit)
    for i, text in s.labels.items():
        x, y = at(s.points[i])
        wide = unit * (0.3 + 0.16 * (len(text) - 1))
        c.rounded(x - wide, y - 0.3 * unit * k, x + wide, y + 0.3 * unit * k, 0.1 * unit, ground)
        c.text(
            (x - wide, y - 0.33 * unit * k, x + wide, y + 0.33 * unit * k),
            text,
            font,
            mix(_ELEMENTS.get(text[0], ink), ink, 0.15),
            lines=1,
        )


def _sign(c: Canvas, x: float, y: float, s: float, name: str, p: Palette, own: random.Random) -> None:
    """A diamond with a red edge and an emblem, as on bottles."""
    k = c.w / c.h
    for grow, colour in ((1.0, (196, 36, 30)), (0.84, (250, 248, 244))):
        c.poly([(x, y - s * grow * k), (x + s * grow, y), (x, y + s * grow * k), (x - s * grow, y)], colour)
    icon(c, name, x, y, s * 0.36, (30, 30, 32), (90, 90, 94), own)


def _footer(c: Canvas, p: Palette, own: random.Random, ground: Colour) -> None:
    """Signs at the left, gauges in the middle, a little ornament at the right."""
    names = own.sample(sorted(ICONS), own.randint(2, 4))
    for i, name in enumerate(names):
        _sign(c, 0.1 + 0.115 * i, 0.87, 0.055, name, p, own)
    ink = readable(ground, p.ink, p.light)
    for j in range(4):
        level = own.randint(1, 9)
        for i in range(10):
            colour = own.choice([p.main, p.accent]) if i < level else mix(ground, ink, 0.18)
            c.rect(0.56 + 0.02 * i, 0.8 + 0.042 * j, 0.574 + 0.02 * i, 0.828 + 0.042 * j, colour)
    for j in range(4):
        for i in range(4):
            x, y = 0.81 + 0.042 * i, 0.8 + 0.045 * j
            pick = own.randrange(4)
            if pick == 0:
                c.disc(x, y, 0.013, own.choice([p.main, p.accent, p.second]))
            elif pick == 1:
                c.rect(x - 0.012, y - 0.017, x + 0.012, y + 0.017, own.choice([p.main, p.accent, p.ink]))
            elif pick == 2:
                star(c, x, y, 0.017, own.choice([p.main, p.second]), own.choice([4, 5, 6]))


def draw_molecule(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A card with the structure of a compound; its name is on it when the family prints names."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = palette_for(thing)
    ground = mix(p.light, (255, 255, 255), 0.35)
    c = Canvas(1400, 1000, ground)
    strong, title = fonts.pick("strong", style), fonts.pick("title", style)
    look = style.choice(["grid", "plain", "frame"])
    band = p.main if p.word != "white" else p.second
    if look == "grid":
        for i in range(1, 28):
            c.line([(i / 28, 0), (i / 28, 1)], mix(ground, p.second, 0.16), 0.001)
            c.line([(0, i / 20), (1, i / 20)], mix(ground, p.second, 0.16), 0.001)
    elif look == "frame":
        c.rounded(0.015, 0.02, 0.985, 0.98, 0.02, None, outline=band, width=0.008)
    skeleton = Skeleton(own)
    top = 0.17 if thing.look["named"] else 0.08
    c.rect(0, 0, 1, top - 0.03, band)
    if thing.look["named"]:
        c.text((0.04, 0.02, 0.8, top - 0.05), thing.name, title, readable(band, p.light, p.ink), align="left", lines=1)
    x = 0.83
    for _ in range(own.randint(3, 5)):
        c.disc(x, (top - 0.03) / 2, own.uniform(0.008, 0.018), own.choice([p.accent, p.light, p.ink]))
        x += 0.034
    shift = edition.shift(0.004)
    _structure(
        c,
        skeleton,
        (0.05 + shift, top, 0.95 + shift, 0.76),
        mix(p.ink if sum(p.ink) < 380 else (24, 26, 32), (0, 0, 0), 0.3),
        ground,
        strong,
    )
    c.rect(0, 0.765, 1, 0.772, band)
    _footer(c, p, own, ground)
    pixels = weather(as_printed(c.array(), edition), edition, paper=True)
    return Art(pixels, 21.0, 15.0, 0.05, "paper", ground, p.word, 0.3)
