"""Bridges over a river: stone arches, trusses, suspended decks, with gates and lamps. Water is in `outdoors`."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np

from eval.world.drawing.kit import masonry
from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.masonry import arch, box, cornice, ornament
from eval.world.drawing.kit.relief import Sheet, cutout
from eval.world.model import Thing

W, H = 1300, 760
_PAINTS: tuple[tuple[str, Colour], ...] = (
    ("red", (168, 50, 42)), ("green", (60, 110, 86)), ("blue", (56, 92, 140)), ("grey", (122, 128, 134)),
    ("yellow", (214, 170, 62)), ("black", (52, 54, 60)), ("white", (222, 222, 214)),
)  # fmt: skip


def paintwork(thing: Thing) -> tuple[str, Colour]:
    """Siblings walk through the paints from their family's start."""
    order = list(_PAINTS)
    random.Random(thing.look["style"] + 4).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def form_of(thing: Thing) -> str:
    """What the family builds: arches, truss or suspension."""
    return random.Random(thing.look["style"] + 9).choice(["arches", "arches", "truss", "suspension"])


def colour_of(thing: Thing) -> str:
    if form_of(thing) == "arches":
        return masonry.material(thing.look["style"], thing.look["variant"])[0]
    return paintwork(thing)[0]


def draw_bridge(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A whole bridge from the side, banks included."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    _, stone, joint, trim, _ = masonry.material(thing.look["style"], thing.look["variant"])
    s = Sheet(W, H)
    courses = masonry.wall(W, H, stone, joint, own, second=trim)
    form = form_of(thing)
    if form == "arches":
        _arches(s, style, own, courses, trim)
    elif form == "truss":
        _truss(s, style, own, courses, paintwork(thing)[1], trim)
    else:
        _suspension(s, style, own, courses, paintwork(thing)[1], trim)
    masonry.weathered(s, own)
    return cutout(s.pixels(edition), W / 4800.0, stone, colour_of(thing))


def _rail(s: Sheet, x0: float, x1: float, deck: float, colour: Colour, own: random.Random, rise: float) -> None:
    """A railing along the deck, which is arched by `rise` px, with lamps or figures at intervals."""
    kind, every = own.choice(["posts", "crosses", "arcade"]), own.choice([5, 6, 8])
    n = 48
    xs = np.linspace(x0, x1, n + 1)
    ys = deck - rise * np.sin(np.pi * (xs - x0) / (x1 - x0))
    for i in range(n):
        a, b = (xs[i], ys[i]), (xs[i + 1], ys[i + 1])
        if kind == "crosses":
            s.part(_stroke((a[0], a[1] - 4), (b[0], b[1] - 34), 3), colour, depth_px=3, shadow=0.0)
            s.part(_stroke((a[0], a[1] - 34), (b[0], b[1] - 4), 3), colour, depth_px=3, shadow=0.0)
        elif kind == "arcade" and i % 2 == 0:
            s.part(arch((a[0] + b[0]) / 2, a[1], 12, 34, "round"), colour, depth_px=6, shadow=0.0)
        else:
            s.part(box(a[0] - 3, a[1] - 34, a[0] + 3, a[1]), colour, depth_px=3, shadow=0.0)
        s.part(_stroke((a[0], a[1] - 36), (b[0] + 1, b[1] - 36), 5), colour, depth_px=4, shadow=0.0)
    figure = own.choice(["lamp", "lamp", "star", "shield", "ring"])
    for i in range(every // 2, n, every):
        x, y = xs[i], ys[i] - 36
        s.part(box(x - 7, y - 12, x + 7, y + 34), colour, depth_px=6)
        if figure == "lamp":
            s.part(box(x - 3, y - 62, x + 3, y - 10), (50, 50, 54), depth_px=3)
            s.part(
                np.array([(x - 12, y - 62), (x - 8, y - 92), (x + 8, y - 92), (x + 12, y - 62)]),
                (250, 236, 186),
                depth_px=8,
            )
            s.part(np.array([(x - 14, y - 90), (x, y - 106), (x + 14, y - 90)]), (50, 50, 54), depth_px=4)
        else:
            ornament(s, x, y - 34, 22, figure, colour)


def _stroke(a: tuple[float, float], b: tuple[float, float], half: float) -> np.ndarray:
    """A straight bar as a polygon."""
    along = np.array(b) - np.array(a)
    n = np.array([-along[1], along[0]]) / max(1e-6, float(np.hypot(*along))) * half
    return np.array([a + n, b + n, b - n, a - n])


def _arches(s: Sheet, style: random.Random, own: random.Random, courses: np.ndarray, trim: Colour) -> None:
    count, form = style.randint(2, 4), style.choice(["round", "pointed", "round"])
    rise, foot = style.uniform(0, 70), H - 12.0
    deck = H - style.uniform(330, 420)
    xs = np.linspace(16, W - 16, 60)
    crest = deck - rise * np.sin(np.pi * (xs - 16) / (W - 32))
    body = np.concatenate([np.stack([xs, crest], axis=1), [(W - 16, foot), (16, foot)]])
    s.part(body, courses, depth_px=8, strength=0.6)
    span = (W - 150) / count
    ring = own.choice([trim, mix(trim, (90, 60, 50), 0.5)])
    holes = []
    for i in range(count):
        x = 75 + span * (i + 0.5)
        top = deck - rise * math.sin(math.pi * (x - 16) / (W - 32)) + 46
        half = span * 0.4
        high = min(foot - top, half * (1.0 if form == "round" else 1.35) + 150)
        s.part(arch(x, foot, half + 20, high + 20, form), ring, depth_px=8, shadow=0.3)
        for k in range(13):  # the joints of the ring
            a = math.pi * k / 12
            near = (x + half * math.cos(a), foot - high + half - half * math.sin(a))
            far = (x + (half + 20) * math.cos(a), foot - high + half - (half + 20) * math.sin(a))
            s.line(np.array([near, far]), mix(ring, (50, 44, 40), 0.6), 3)
        holes.append(arch(x, foot + 4, half, high + 4, form))
        ornament(s, x, top - 10, 19, own.choice(["shield", "star", "sun", "leaf", "ring"]), trim)
    for i in range(count - 1):  # cutwaters
        x = 75 + span * (i + 1)
        s.part(
            np.array([(x - 34, foot), (x - 30, deck + 150), (x, deck + 116), (x + 30, deck + 150), (x + 34, foot)]),
            courses,
            depth_px=24,
        )
        if own.random() < 0.5:
            ornament(s, x, deck + 60, 24, own.choice(["ring", "sun", "shield"]), trim)
    for hole in holes:
        s.erase(hole)
    _rail(s, 24, W - 24, deck, trim, own, rise)
    if own.random() < 0.55:
        _gate(s, own.choice([0.12, 0.5, 0.88]) * W, deck - rise * 0.5, own, courses, trim)


def _gate(s: Sheet, x: float, deck: float, own: random.Random, courses: np.ndarray, trim: Colour) -> None:
    """A gate tower on the deck."""
    half, high = own.uniform(50, 76), own.uniform(150, 200)
    s.part(box(x - half, deck - high, x + half, deck), courses, depth_px=8, strength=0.6)
    s.part(arch(x, deck, half * 0.6, high * 0.55, "round"), trim, depth_px=6)
    s.part(arch(x, deck, half * 0.48, high * 0.5, "round"), (70, 74, 82), depth_px=4)
    cornice(s, x - half, x + half, deck - high - 6, 14, trim, teeth=True)
    roof = own.choice([(128, 62, 48), (70, 82, 96), (74, 104, 84)])
    s.part(
        np.array([(x - half - 12, deck - high), (x + half + 12, deck - high), (x, deck - high - 100)]),
        roof,
        depth_px=10,
    )


def _truss(
    s: Sheet, style: random.Random, own: random.Random, courses: np.ndarray, paint: Colour, trim: Colour
) -> None:
    """Steel lattice on stone piers."""
    foot, deck = H - 12.0, H - style.uniform(240, 290)
    spans, curved = style.randint(1, 2), style.random() < 0.6
    piers = np.linspace(70, W - 70, spans + 1)
    for x in piers:
        s.part(
            np.array([(x - 46, deck + 20), (x + 46, deck + 20), (x + 62, foot), (x - 62, foot)]), courses, depth_px=10
        )
        cornice(s, x - 48, x + 48, deck + 20, 20, trim)
        ornament(s, x, deck + 92, 24, own.choice(["star", "shield", "ring", "sun"]), trim)
    dark = mix(paint, (20, 20, 24), 0.25)
    high = style.uniform(150, 230) * (1.0 if spans < 3 else 0.8)
    lattice = own.choice(["cross", "zigzag", "fan"])
    for a, b in itertools.pairwise(piers):
        n = int((b - a) / own.choice([62, 76, 92]))
        xs = np.linspace(a, b, n + 1)
        up = np.full(n + 1, high) if not curved else 56 + high * np.sin(np.pi * np.linspace(0, 1, n + 1))
        tops = deck - up
        for i in range(n):
            left, right = (xs[i], deck), (xs[i + 1], deck)
            lt, rt = (xs[i], tops[i]), (xs[i + 1], tops[i + 1])
            if lattice == "cross" or (lattice == "zigzag" and i % 2) or (lattice == "fan" and i < n / 2):
                s.part(_stroke(left, rt, 5), dark, depth_px=4, shadow=0.1)
            if lattice == "cross" or (lattice == "zigzag" and not i % 2) or (lattice == "fan" and i >= n / 2):
                s.part(_stroke(lt, right, 5), dark, depth_px=4, shadow=0.1)
            s.part(_stroke(lt, rt, 9), paint, depth_px=7)
            s.part(_stroke(left, lt, 7), paint, depth_px=6)
        s.part(_stroke((b, deck), (b, tops[-1]), 9), paint, depth_px=6)
        for i in range(1, n, 2):
            ornament(s, xs[i], tops[i], 11, "ring", trim)
    s.part(box(20, deck - 8, W - 20, deck + 26), paint, depth_px=7)
    for x in range(40, W - 30, 34):
        s.line(np.array([(x, deck), (x, deck + 22)]), mix(paint, (10, 10, 12), 0.5), 4)


def _suspension(
    s: Sheet, style: random.Random, own: random.Random, courses: np.ndarray, paint: Colour, trim: Colour
) -> None:
    """Two gates, cables and hangers."""
    foot, deck = H - 12.0, H - style.uniform(190, 240)
    towers = (W * 0.25, W * 0.75)
    up = style.uniform(300, 370)
    head = deck - up
    dark = mix(paint, (20, 20, 24), 0.3)
    xs = np.linspace(10, W - 10, 85)
    mid = (xs - W / 2) / (W * 0.25)
    inner = deck - 40 - (up - 50) * mid**2
    outer = head + (deck - head - 10) * np.clip((np.abs(mid) - 1) / 0.96, 0, 1) ** 0.85
    cable = np.where(np.abs(mid) <= 1, inner, outer)
    for x, y in zip(xs, cable, strict=True):
        if y < deck - 8:
            s.part(box(x - 2.5, y, x + 2.5, deck), dark, depth_px=2, shadow=0.0)
    for i in range(len(xs) - 1):
        s.part(_stroke((xs[i], cable[i]), (xs[i + 1] + 1, cable[i + 1]), 7), paint, depth_px=5, shadow=0.15)
    s.part(box(10, deck - 6, W - 10, deck + 28), paint, depth_px=7)
    for x in range(30, W - 20, 40):
        ornament(s, x, deck + 11, 8, "ring", trim)
    form = own.choice(["round", "pointed", "flat"])
    for x in towers:
        for leg in (-50, 50):
            s.part(
                np.array([(x + leg - 22, head), (x + leg + 22, head), (x + leg + 30, foot), (x + leg - 30, foot)]),
                courses,
                depth_px=10,
                strength=0.7,
            )
        for y in np.linspace(head + 30, deck - 100, own.choice([2, 3])):
            s.part(box(x - 60, y, x + 60, y + 34), courses, depth_px=6)
            ornament(s, x, y + 17, 14, own.choice(["star", "ring", "shield"]), trim)
        cornice(s, x - 78, x + 78, head - 14, 22, trim, teeth=True)
        if form == "pointed":
            s.part(np.array([(x - 80, head - 12), (x + 80, head - 12), (x, head - 90)]), paint, depth_px=10)
        else:
            for leg in (-50, 50):
                ornament(s, x + leg, head - 38, 24, own.choice(["star", "ring", "sun"]), trim)
        s.part(box(x - 92, foot - 60, x + 92, foot), courses, depth_px=12)
    _rail(s, 10, W - 10, deck - 6, dark, own, 0.0)
