"""Garden plants: flowers and shrubs with fruit. Species by family, petals' marks, fruit and arrangement by cultivar.

Where every leaf and blossom sits is the plant's own and the same in every drawing; only the wind and a fallen petal
differ. Pot plants and trees are in `foliage`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.labels import plant_label
from eval.world.drawing.kit.relief import Sheet, blend, cutout, oval, ribbon, smooth, step, sway, threefold
from eval.world.model import Thing

W, H = 1000, 1180
#: Size in px of the one flower head that the plant's blossoms are stamped from.
HEAD = 200
Paint = Callable[[np.ndarray, np.ndarray], np.ndarray]

#: What a person calls the colour, petal at the root, petal at the tip, mark, heart.
_PETALS: tuple[tuple[str, Colour, Colour, Colour, Colour], ...] = (
    ("red", (140, 18, 32), (218, 44, 46), (250, 214, 90), (70, 28, 24)),
    ("pink", (206, 62, 120), (248, 172, 196), (150, 24, 72), (236, 196, 70)),
    ("yellow", (232, 148, 24), (252, 222, 84), (166, 48, 30), (96, 58, 24)),
    ("white", (232, 226, 196), (252, 250, 246), (176, 42, 96), (230, 186, 58)),
    ("purple", (74, 32, 110), (164, 110, 204), (246, 232, 250), (240, 206, 84)),
    ("orange", (206, 72, 20), (250, 158, 56), (120, 26, 24), (74, 36, 22)),
    ("blue", (42, 56, 146), (126, 154, 232), (248, 248, 252), (246, 222, 110)),
    ("dark red", (74, 10, 26), (146, 24, 46), (244, 198, 206), (226, 178, 70)),
)
_BERRIES: tuple[tuple[str, Colour, Colour], ...] = (
    ("red", (196, 28, 34), (120, 10, 20)),
    ("black", (44, 32, 52), (20, 14, 26)),
    ("yellow", (240, 196, 62), (196, 140, 30)),
    ("blue", (74, 92, 164), (38, 46, 100)),
    ("orange", (236, 128, 36), (182, 78, 18)),
    ("white", (242, 238, 224), (198, 192, 170)),
    ("purple", (122, 44, 110), (70, 20, 66)),
)


def bloom(thing: Thing) -> tuple[str, Colour, Colour, Colour, Colour]:
    """Siblings walk through the colours from their family's start."""
    order = list(_PETALS)
    random.Random(thing.look["style"] + 3).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def berry(thing: Thing) -> tuple[str, Colour, Colour]:
    """The same for fruit."""
    order = list(_BERRIES)
    random.Random(thing.look["style"] + 3).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def leaf_outline(root: tuple[float, float], angle: float, long: float, wide: float, shape: str) -> np.ndarray:
    """A leaf from `root`; shape: lance, egg, heart, saw, finger."""
    t = np.linspace(0, 1, 22)
    half = {
        "lance": np.sin(np.pi * t**0.8) ** 1.1,
        "egg": np.sin(np.pi * t**0.62),
        "heart": np.sin(np.pi * (0.12 + 0.88 * t) ** 0.5) * (1.06 - 0.2 * t),
        "saw": np.sin(np.pi * t**0.7) * (1 + 0.13 * (np.arange(22) % 2)),
        "finger": np.sin(np.pi * t**0.7) * (0.62 + 0.38 * np.abs(np.cos(3.2 * np.pi * t))),
    }[shape] * wide
    bend = 0.08 * long * np.sin(np.pi * t)
    u, c, s = t * long, math.cos(angle), math.sin(angle)
    upper = np.stack([root[0] + u * c - (half + bend) * s, root[1] + u * s + (half + bend) * c], axis=1)
    lower = np.stack([root[0] + u * c - (bend - half) * s, root[1] + u * s + (bend - half) * c], axis=1)
    return np.concatenate([upper, lower[::-1]])


def veined(base: Colour, vein: Colour, edge: Colour, count: int, steep: float) -> Paint:
    """Paint of a plain leaf: midrib, side veins, a slightly other colour towards the edge."""

    def paint(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        across = np.abs(v)
        colours = blend(np.broadcast_to(np.array(base, np.float32), (*u.shape, 3)), edge, np.clip(across * 3.2, 0, 0.8))
        rib = 1 - step(across, 0.014, 0.014)
        side = np.abs(((u - across * steep) * count) % 1 - 0.5)
        colours = blend(colours, vein, np.maximum(rib, (1 - step(side, 0.07, 0.08)) * 0.55))
        return colours * threefold(0.92 + 0.16 * np.clip(side * 2, 0, 1))

    return paint


def draw_flower(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A flowering plant: a few stems, leaves, one large blossom and smaller ones."""
    style, own, pose = random.Random(thing.look["style"]), random.Random(thing.look["own"]), edition.draws
    word, inner, outer, mark, heart = bloom(thing)
    s = Sheet(W, H)
    green: Colour = style.choice([(74, 122, 56), (96, 134, 70), (58, 104, 70), (110, 140, 60)])
    shape, long = style.choice(["lance", "egg", "saw", "finger"]), style.uniform(190, 270)
    count, build = style.choice([5, 6, 8, 12, 16]), style.choice(["round", "pointed", "notched", "waved"])
    root = (W / 2, H - 20.0)
    heads = [(W * own.uniform(0.4, 0.6), own.uniform(230, 290), own.uniform(190, 225))]
    for side in (-1, 1, -1, 1)[: own.randint(2, 4)]:
        near = len(heads) > 2
        heads.append(
            (
                W / 2 + side * own.uniform(190, 340) * (0.7 if near else 1),
                own.uniform(600, 720) if near else own.uniform(390, 520),
                own.uniform(105, 145),
            )
        )
    leaf_paint = veined(
        green,
        mix(green, (214, 226, 160), 0.55),
        mix(green, (30, 60, 36), own.uniform(0.2, 0.6)),
        own.randint(6, 10),
        style.uniform(0.6, 1.2),
    )
    spots = [
        (root[0] + own.uniform(-60, 60), H - own.uniform(20, 330), own.uniform(-2.9, -0.24))
        for _ in range(own.randint(10, 15))
    ]
    for x, y, angle in sorted(spots, key=lambda p: p[1]):
        reach = long * own.uniform(0.75, 1.2)
        outline = leaf_outline(
            (x, y), angle, reach, reach * style.uniform(0.2, 0.23) if shape != "lance" else reach * 0.15, shape
        )
        s.grown(outline, (x, y), angle, reach, leaf_paint, depth_px=34, tone=own.uniform(0.8, 1.05))
    for x, y, r in reversed(heads):
        bend = (root[0] + (x - root[0]) * 0.25, (y + root[1]) / 2)
        s.part(ribbon([root, bend, (x, y + r * 0.2)], [13, 10, 9]), mix(green, (60, 80, 40), 0.3), depth_px=10)
        at = (bend[0] + (x - bend[0]) * 0.35, bend[1] + (y - bend[1]) * 0.35)
        for turn in (own.uniform(-0.9, -0.3), own.uniform(-2.8, -2.2)):
            s.grown(
                leaf_outline(at, turn, long * 0.55, long * 0.12, shape), at, turn, long * 0.55, leaf_paint, depth_px=24
            )
    head = _blossom(
        (inner, outer, mark, heart),
        count,
        build,
        random.Random(thing.look["own"] + 1),
        pose.randrange(3 * count) if count > 6 else -1,
    )
    for x, y, r in reversed(heads):
        s.stamp(head, (x, y), r / HEAD, own.uniform(-0.3, 0.3))
    plant_label(s, thing, fonts, style, (W / 2 + 250.0, H - 22.0))
    return cutout(sway(s.pixels(edition), edition, 9), W / 42.0, outer, word)


def _blossom(
    colours: tuple[Colour, Colour, Colour, Colour], count: int, build: str, own: random.Random, missing: int
) -> Sheet:
    """A flower head seen from the front; petal number `missing` has fallen. The cultivar's marks come from `own`."""
    inner, outer, mark, heart = colours
    s = Sheet(2 * HEAD + 20, 2 * HEAD + 20)
    at = (HEAD + 10.0, HEAD + 10.0)
    paint = _petal_paint(inner, outer, mark, own)
    layers = own.choice([1, 2, 2]) if count < 12 else 2
    wide = min(0.52, 2.1 / count) * (1.0 if count < 12 else 1.25)
    for layer in range(layers):
        reach = HEAD * (1 - 0.28 * layer)
        for i in range(count):
            if layer == 0 and i == missing:
                continue
            angle = 2 * math.pi * (i + 0.5 * layer) / count
            outline = _petal(at, angle, reach, reach * wide, build)
            s.grown(outline, at, angle, reach, paint, depth_px=max(14.0, reach * wide * 0.7), shadow=0.4, strength=0.85)
    core = HEAD * own.uniform(0.16, 0.27)
    s.part(oval(*at, core, core * 0.96), heart, depth_px=core * 0.8, shadow=0.5)
    n = np.arange(40)
    a, d = n * 2.39996, core * 0.93 * np.sqrt((n + 0.5) / 40)  # a spiral, as seeds stand
    places = np.stack([at[0] + d * np.cos(a), at[1] + d * np.sin(a)], axis=1)
    for i in range(3):
        s.dots(places[i::3], core * 0.1, mix(heart, (250, 232, 150), 0.3 + 0.2 * i))
    return s


def _petal(at: tuple[float, float], angle: float, long: float, wide: float, build: str) -> np.ndarray:
    profile = {
        "round": [0.25, 0.5, 0.85, 1.05, 1.0, 0.62],
        "pointed": [0.3, 0.7, 1.0, 0.85, 0.45, 0.06],
        "notched": [0.25, 0.55, 0.9, 1.1, 1.1, 0.9],
        "waved": [0.3, 0.75, 0.85, 1.1, 0.95, 0.7],
    }[build]
    c, s = math.cos(angle), math.sin(angle)
    us = np.array([0.02, 0.2, 0.42, 0.65, 0.85, 0.98])
    local = [*zip(us, profile, strict=True)]
    tip = [(0.9, 0.0)] if build == "notched" else [(1.03, 0.0)]
    points = [*local, *tip, *((u, -v) for u, v in reversed(local))]
    return smooth([(at[0] + u * long * c - v * wide * s, at[1] + u * long * s + v * wide * c) for u, v in points], 4)


def _petal_paint(inner: Colour, outer: Colour, mark: Colour, own: random.Random) -> Paint:
    """Gradient, and the cultivar's mark: an eye, a hem, a stripe, freckles or feathering."""
    kinds = own.sample(["eye", "hem", "stripe", "freckles", "feather"], 2)
    eye, hem, power = own.uniform(0.3, 0.5), own.uniform(0.8, 0.9), own.uniform(0.7, 1.6)
    dots = [(own.uniform(0.25, 0.85), own.uniform(-0.24, 0.24), own.uniform(0.014, 0.036)) for _ in range(14)]
    lines, depth = own.randint(3, 6), own.uniform(0.55, 0.8)

    def paint(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        start = np.broadcast_to(np.array(inner, np.float32), (*u.shape, 3))
        colours = blend(start, outer, np.clip(u, 0, 1) ** power)
        colours = colours * threefold(1 - 0.1 * np.cos(v / np.maximum(u, 0.2) * 46) ** 8)
        wave = 0.03 * np.sin(v * 60)
        if "eye" in kinds:
            colours = blend(colours, mark, 1 - step(u + wave, eye, 0.05))
        if "hem" in kinds:
            colours = blend(colours, mark, step(np.hypot(u, v * 0.9) + wave, hem, 0.05))
        if "stripe" in kinds:
            colours = blend(colours, mark, (1 - step(np.abs(v) - 0.035 * (1.1 - u), 0.0, 0.02)) * step(0.9 - u, 0, 0.1))
        if "freckles" in kinds:
            for x, y, a in dots:
                colours = blend(colours, mark, 1 - step(np.hypot(u - x, v - y * u), a, 0.012))
        if "feather" in kinds:
            fan = np.cos(v / np.maximum(u, 0.1) * lines * 6)
            colours = blend(colours, mark, step(fan, 0.5, 0.3) * step(depth - u + 0.1 * fan, 0, 0.1) * 0.85)
        return colours

    return paint


def draw_shrub(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A bush with berries in bunches."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    word, skin, shade = berry(thing)
    s = Sheet(W, H - 80)
    green: Colour = style.choice([(70, 112, 52), (92, 128, 60), (56, 98, 62), (104, 124, 72)])
    shape, long = style.choice(["egg", "saw", "finger", "lance"]), style.uniform(120, 165)
    per_bunch, size, hang = style.randint(4, 9), style.uniform(17, 30), style.random() < 0.5
    foot = (W / 2, H - 100.0)
    stems = [(W / 2 + own.uniform(-330, 330), own.uniform(120, 420)) for _ in range(7)]
    bark = mix((112, 86, 62), green, 0.15)
    for x, y in stems:
        s.part(
            ribbon([foot, ((foot[0] + x) / 2 + own.uniform(-40, 40), (foot[1] + y) / 2), (x, y)], [13, 9, 5]),
            bark,
            depth_px=10,
        )
    vein, dusk = mix(green, (210, 222, 150), 0.5), mix(green, (24, 48, 30), 0.5)
    paints = [
        veined(mix(green, t, a), vein, dusk, 7, 0.8)
        for t, a in (((30, 60, 40), 0.35), (green, 0.0), ((190, 200, 96), 0.28))
    ]
    places = []
    for i in range(96):
        a, d = own.uniform(0, 2 * math.pi), math.sqrt(own.random())
        x, y = W / 2 + 370 * d * math.cos(a), 470 + 350 * d * math.sin(a)
        if y > 760:
            x = W / 2 + (x - W / 2) * 0.7
        places.append((x, y, own.uniform(0.3, 2.84) if y > 400 else own.uniform(-2.9, 2.9), i))
    for x, y, angle, i in places[:60]:
        _bush_leaf(s, (x, y), angle, long * own.uniform(0.8, 1.15), shape, paints[i % 2], 0.66 + 0.2 * (i / 96))
    bunches = [_bunch(own, per_bunch, size, hang, (skin, shade, bark)) for _ in range(3)]
    spots = [(W / 2 + own.uniform(-310, 310), own.uniform(230, 760)) for _ in range(own.randint(10, 15))]
    for j, (x, y, angle, i) in enumerate(places[60:]):
        _bush_leaf(s, (x, y), angle, long * own.uniform(0.85, 1.2), shape, paints[1 + i % 2], 1.0)
        if j % 3 == 2 and spots:
            s.stamp(bunches[j % len(bunches)], spots.pop(), own.uniform(0.8, 1.1), own.uniform(-0.4, 0.4))
    for k, at in enumerate(spots):
        s.stamp(bunches[k % len(bunches)], at, own.uniform(0.8, 1.1), own.uniform(-0.4, 0.4))
    plant_label(s, thing, fonts, style, (W / 2 + 270.0, H - 102.0))
    return cutout(sway(s.pixels(edition), edition, 8), W / 78.0, green, word)


def _bush_leaf(
    s: Sheet, at: tuple[float, float], angle: float, long: float, shape: str, paint: Paint, tone: float
) -> None:
    wide = long * (0.2 if shape == "lance" else 0.3)
    s.grown(leaf_outline(at, angle, long, wide, shape), at, angle, long, paint, depth_px=26, tone=tone)


def _bunch(own: random.Random, count: int, size: float, hang: bool, tones: tuple[Colour, Colour, Colour]) -> Sheet:
    """Berries on short stalks, each with a gleam and the remains of its flower."""
    skin, shade, bark = tones
    long = int(size * (count + 3.5)) if hang else int(size * 6.2)
    s = Sheet(int(size * 6.2), long)
    x, y = s.w / 2, size * 2.0 if hang else s.h / 2
    for i in range(count):
        if hang:
            bx, by = x + (i % 2 - 0.5) * size * 1.5 + own.uniform(-3, 3), y + i * size * 0.95
        else:
            a = 2 * math.pi * i / max(1, count - 1) + 0.4
            bx, by = x + (i > 0) * size * 1.55 * math.cos(a), y + (i > 0) * size * 1.4 * math.sin(a)
        s.part(
            ribbon([(x, y - size), ((x + bx) / 2, (y + by) / 2 - 4), (bx, by)], [3, 3, 3]), bark, depth_px=4, shadow=0.0
        )
        tone = mix(skin, shade, own.uniform(0, 0.45))
        s.part(oval(bx, by, size, size * 0.97, n=22), tone, depth_px=size * 0.95, shadow=0.45, shine=0.3)
        s.dots(np.array([(bx + size * 0.34, by + size * 0.5)]), size * 0.17, mix(shade, (20, 16, 14), 0.5))
        s.dots(np.array([(bx - size * 0.36, by - size * 0.4)]), size * 0.12, (252, 250, 246))
    return s
