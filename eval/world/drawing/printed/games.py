"""Board games: the lid of the box, with a map of tiles, pawns and dice of the game's own."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.surface import MOTIFS, Surface, arc, curve, motif, rounded, shade
from eval.world.drawing.vehicles.vehicles import paints
from eval.world.model import Thing
from eval.world.verbalise import number_text


def draw_game(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The lid: sky or pattern above, a board of tiles in perspective, pieces on it, a title where it has one."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p, colours = paints(thing, edition)
    wide, high = style.choice([(30.0, 30.0), (27.0, 37.0), (37.0, 26.0)])
    s = Surface(wide, high, p.main, 1250)
    everything = s.mask(rounded(0, 0, wide, high, 0))
    s.paint(everything, p.main)
    inks = own.sample(colours, 3)
    motif(
        s, everything, own.choice(MOTIFS), [p.main, mix(p.main, inks[0], 0.5), mix(p.main, inks[1], 0.4)], wide / 9, own
    )
    s.light(everything, 0.72, 1.1)
    _rays(s, wide, high, mix(p.main, p.light, 0.5), own)
    layout = style.choice(["hexes", "squares", "track"])
    _board(s, layout, wide, high, p, colours, own)
    _pieces(s, wide, high, colours, p, own)
    s.box(0, 0, wide, high * 0.085, p.ink)
    _facts(s, thing, fonts, wide, high, p, style)
    if thing.look["named"]:
        y0, y1 = high * 0.8, high * 0.96
        plate = curve([(wide * 0.07, y0), (wide * 0.5, y0 - high * 0.025), (wide * 0.93, y0), (wide * 0.94, y1),
                       (wide * 0.5, y1 + high * 0.015), (wide * 0.06, y1)])  # fmt: skip
        s.fill(plate, p.light)
        s.line(plate, p.accent, wide * 0.012, closed=True)
        s.text(
            wide * 0.1,
            y0,
            wide * 0.9,
            y1,
            thing.variant or "",
            fonts.pick("title", style),
            readable(p.light, p.ink, p.main),
        )
        s.text(
            wide * 0.62,
            high * 0.012,
            wide * 0.97,
            high * 0.075,
            thing.content["brand"],
            fonts.pick("brand", style),
            readable(p.ink, p.light, p.main),
        )
    s.line(rounded(0.3, 0.3, wide - 0.3, high - 0.3, 0.2), mix(p.main, p.light, 0.6), 0.25, closed=True)
    return Art(weather(s.array(), edition), wide, high, 7.0, "slab", shade(p.main, 0.8), p.word, 0.4)


def _rays(s: Surface, wide: float, high: float, colour: Colour, own: random.Random) -> None:
    """A sun behind the scene."""
    x, y, n = wide * own.uniform(0.25, 0.75), high * own.uniform(0.55, 0.68), own.choice([9, 12, 16])
    turn = own.random()
    fan = np.zeros((s.h, s.w), np.uint8)
    for k in range(n):
        a = turn + 2 * math.pi * k / n
        b = a + math.pi / n
        far = wide * 1.3
        tip = [(x + far * math.cos(a), y + far * math.sin(a)), (x + far * math.cos(b), y + far * math.sin(b))]
        fan = np.maximum(fan, s.mask(np.array([(x, y), *tip])))
    s.paint(fan, colour, 0.35)
    s.disc(x, y, wide * 0.1, mix(colour, (255, 250, 220), 0.6))


def _board(
    s: Surface, layout: str, wide: float, high: float, p: Palette, colours: list[Colour], own: random.Random
) -> None:
    """Tiles on a table that recedes: hexes of terrain, a chequered field, or a winding track of numbered steps."""

    def place(u: float, v: float) -> tuple[float, float]:
        """Board (u across -1..1, v away 0..1) → lid."""
        depth = 1 / (1 + 1.1 * v)
        return (wide / 2 + u * wide * 0.62 * depth, high * (0.07 + 0.98 * (1 - depth)))

    terrain = [*colours, p.main, mix(p.second, p.light, 0.5), mix(p.accent, p.ink, 0.3)]
    back = [place(-1.25, 0), place(1.25, 0), place(1.25, 0.95), place(-1.25, 0.95)]
    s.fill(back, shade(p.ink, 1.3) if p.word != "black" else (70, 60, 50))
    if layout == "hexes":
        size = own.choice([0.2, 0.24, 0.28])
        for j in range(7, -1, -1):
            for i in range(-7, 8):
                u, v = (i + (j % 2) / 2) * size * 1.05, (j + 0.4) * size * 0.62
                if abs(u) < 1.16 and v < 0.88:
                    _hex(s, place, u, v, size, own.choice(terrain), own)
    elif layout == "squares":
        n = own.choice([7, 8, 9])
        pair = own.sample(terrain, 2)
        for j in range(n - 1, -1, -1):
            for i in range(n):
                u, v, d = -1.15 + 2.3 * i / n, 0.9 * j / n, 2.3 / n
                c = own.choice(terrain) if own.random() < 0.25 else pair[(i + j) % 2]
                s.fill([place(u, v), place(u + d, v), place(u + d, v + 0.9 / n), place(u, v + 0.9 / n)], c)
    else:
        s.fill(back, mix(p.second, p.light, 0.35))
        waves, phase, n = own.choice([1.5, 2.0, 2.5]), own.uniform(0, 6), 22
        for k in range(n - 1, -1, -1):
            v = 0.04 + 0.84 * k / n
            u = 0.75 * math.sin(waves * 2 * math.pi * k / n + phase)
            c = own.choice(terrain)
            r = 0.16
            points = [place(u + r * math.cos(a), v + 0.028 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 20)]
            s.fill(points, c)
            s.line(points, p.ink, wide * 0.006, closed=True)
        for _ in range(26):
            x, y = place(own.uniform(-1.1, 1.1), own.uniform(0.0, 0.86))
            s.fill(
                [(x - wide * 0.012, y), (x + wide * 0.012, y), (x, y + wide * own.uniform(0.03, 0.06))],
                own.choice(terrain),
            )


def _hex(
    s: Surface,
    place: Callable[[float, float], tuple[float, float]],
    u: float,
    v: float,
    size: float,
    colour: Colour,
    own: random.Random,
) -> None:
    """One tile of terrain with its sign."""
    corners = [place(u + size * 0.52 * math.sin(a), v + size * 0.36 * math.cos(a)) for a in np.arange(6) * math.pi / 3]
    s.fill(corners, shade(colour, own.uniform(0.88, 1.1)))
    s.line(corners, (244, 236, 214), 0.12, closed=True)
    x, y = place(u, v)
    mark, unit = own.randrange(5), abs(place(u + size, v)[0] - x) * 0.2
    tone = readable(colour, (40, 34, 30), (250, 244, 226))
    if mark == 0:
        for k in range(3):
            s.fill(
                [
                    (x + (k - 1.5) * unit, y - unit * 0.4),
                    (x + (k - 0.5) * unit, y - unit * 0.4),
                    (x + (k - 1) * unit, y + unit),
                ],
                tone,
            )
    elif mark == 1:
        s.disc(x, y, unit * 0.7, tone, unit * 0.45)
    elif mark == 2:
        s.line(
            curve(
                [
                    (x - 1.4 * unit, y),
                    (x - 0.5 * unit, y + 0.5 * unit),
                    (x + 0.5 * unit, y - 0.3 * unit),
                    (x + 1.4 * unit, y),
                ],
                closed=False,
            ),
            tone,
            unit * 0.3,
        )
    elif mark == 3:
        s.box(x - unit * 0.6, y - unit * 0.3, x + unit * 0.6, y + unit * 0.5, tone)
        s.fill([(x - unit * 0.8, y + unit * 0.5), (x + unit * 0.8, y + unit * 0.5), (x, y + unit * 1.2)], tone)


def _pieces(s: Surface, wide: float, high: float, colours: list[Colour], p: Palette, own: random.Random) -> None:
    """Pawns and dice in the foreground, larger the nearer."""
    unit = min(wide, high)
    spots = [(own.uniform(0.08, 0.92), own.uniform(0.13, 0.42)) for _ in range(own.randint(5, 8))]
    for fx, fy in sorted(spots, key=lambda q: -q[1]):
        x, y, k = fx * wide, fy * high, unit * (0.16 - 0.22 * (fy - 0.13))
        c = own.choice([*colours, (200, 50, 44), (44, 96, 160), (240, 200, 60)])
        s.disc(x + 0.2 * k, y - 0.02 * k, 0.5 * k, shade(p.ink, 0.6), 0.14 * k)
        if own.random() < 0.62:
            side = [(0.4, 0.1), (0.16, 0.5), (0.1, 0.9), (-0.1, 0.9), (-0.16, 0.5), (-0.4, 0.1)]
            cone = curve([(x + a * k, y + b * k) for a, b in side], closed=False)
            s.fill(np.vstack([arc(x, y + 0.05 * k, 0.4 * k, 0.14 * k, 180, 360, 16), cone]), c)
            s.disc(x, y + 1.0 * k, 0.25 * k, c)
            s.disc(x - 0.08 * k, y + 1.08 * k, 0.08 * k, mix(c, (255, 255, 255), 0.6))
            s.line([(x - 0.2 * k, y + 0.2 * k), (x - 0.08 * k, y + 0.7 * k)], mix(c, (255, 255, 255), 0.4), 0.06 * k)
        else:
            _die(s, x, y, 0.62 * k, (246, 242, 232) if own.random() < 0.6 else c, own)


def _die(s: Surface, x: float, y: float, d: float, colour: Colour, own: random.Random) -> None:
    """Three faces of a die."""
    a, b = d * 0.86, d * 0.4
    top = [(x, y + d), (x + a, y + d + b), (x, y + d + 2 * b), (x - a, y + d + b)]
    left = [(x, y), (x, y + d), (x - a, y + d + b), (x - a, y + b)]
    right = [(x, y), (x + a, y + b), (x + a, y + d + b), (x, y + d)]
    for face, tone in ((top, 1.0), (left, 0.84), (right, 0.68)):
        s.fill(face, shade(colour, tone))
    dot = readable(colour, (30, 28, 28), (250, 246, 236))
    pips = {1: [(0.5, 0.5)], 2: [(0.25, 0.25), (0.75, 0.75)], 3: [(0.25, 0.25), (0.5, 0.5), (0.75, 0.75)],
            4: [(0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)],
            5: [(0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)]}  # fmt: skip
    for face in (top, left, right):
        o, u, v = np.array(face[0]), np.array(face[1]) - face[0], np.array(face[3]) - face[0]
        for i, j in pips[own.randint(1, 5)]:
            c = o + i * u + j * v
            s.disc(float(c[0]), float(c[1]), d * 0.1, dot)


def _facts(
    s: Surface, thing: Thing, fonts: FontBox, wide: float, high: float, p: Palette, style: random.Random
) -> None:
    """The strip below: figures that the lid prints, each beside its sign."""
    font, light = fonts.pick("strong", style), readable(p.ink, p.light, p.main)
    x, top = wide * 0.03, high * 0.072
    low, mid = high * 0.014, high * 0.043
    for relation in ("players", "play_time", "min_age"):
        fact = thing.facts.get(relation)
        if fact is None or not fact.on_picture:
            continue
        r = high * 0.02
        if relation == "players":
            s.disc(x + r, mid + r * 0.6, r * 0.6, light)
            s.fill([(x, low), (x + 2 * r, low), (x + 1.5 * r, mid), (x + 0.5 * r, mid)], light)
        elif relation == "play_time":
            s.disc(x + r, mid, r, light)
            s.line([(x + r, mid + 0.7 * r), (x + r, mid), (x + 1.6 * r, mid)], p.ink, r * 0.3)
        else:
            s.fill([(x + r, top), (x + 2 * r, mid), (x + r, low), (x, mid)], light)
        value = number_text(float(fact.value.value), grouped=False)
        text = {"players": f"2-{value}", "play_time": f"{value} min", "min_age": f"{value}+"}[relation]
        s.text(x + 2.4 * r, low, x + 2.4 * r + wide * 0.13, top, text, font, light)
        x += 2.6 * r + wide * 0.135
