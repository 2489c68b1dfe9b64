"""Pot plants with marked leaves, and trees. Garden flowers and shrubs are in `plants`."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.labels import plant_label
from eval.world.drawing.kit.relief import (
    Sheet,
    blend,
    cloud,
    cutout,
    enlarged,
    hairs,
    oval,
    ragged,
    ribbon,
    smooth,
    step,
    sway,
    threefold,
)
from eval.world.drawing.natural.plants import Paint, leaf_outline
from eval.world.model import Thing

W, H = 1000, 1180
#: What a person calls the colour, leaf, marks on it, second mark.
_LEAVES: tuple[tuple[str, Colour, Colour, Colour], ...] = (
    ("green", (52, 116, 62), (168, 208, 118), (28, 66, 44)),
    ("dark green", (30, 78, 52), (212, 226, 196), (98, 156, 92)),
    ("red", (128, 34, 52), (232, 120, 128), (54, 60, 40)),
    ("yellow-green", (150, 172, 62), (240, 236, 150), (66, 110, 50)),
    ("silver", (134, 160, 150), (226, 234, 228), (56, 92, 80)),
    ("purple", (84, 44, 92), (196, 140, 190), (54, 84, 62)),
    ("green and white", (74, 128, 76), (246, 246, 232), (40, 84, 52)),
)
_POTS: tuple[tuple[Colour, Colour], ...] = (
    ((178, 96, 62), (232, 196, 160)),
    ((236, 232, 222), (46, 78, 122)),
    ((58, 84, 104), (224, 206, 150)),
    ((206, 170, 88), (112, 56, 40)),
    ((92, 116, 98), (232, 228, 208)),
)
_CROWNS: tuple[tuple[str, Colour, Colour], ...] = (
    ("green", (66, 108, 46), (150, 178, 78)),
    ("dark green", (34, 72, 44), (92, 134, 72)),
    ("yellow", (178, 132, 34), (240, 210, 96)),
    ("red", (142, 50, 32), (224, 120, 62)),
    ("pink", (206, 128, 150), (250, 218, 226)),
    ("white", (196, 196, 176), (252, 250, 244)),
    ("grey-green", (96, 120, 96), (182, 200, 168)),
)


def leafage(thing: Thing) -> tuple[str, Colour, Colour, Colour]:
    """Siblings walk through the leaf colours from their family's start."""
    order = list(_LEAVES)
    random.Random(thing.look["style"] + 3).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def crown(thing: Thing) -> tuple[str, Colour, Colour]:
    """The same for the crowns of trees."""
    order = list(_CROWNS)
    random.Random(thing.look["style"] + 3).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def _marked(base: Colour, mark: Colour, second: Colour, own: random.Random) -> Paint:
    """Paint of a leaf with the cultivar's marks: a band, feathers, blotches, a margin, freckles."""
    kinds = own.sample(["band", "feather", "blotch", "margin", "freckles"], 2)
    count, steep, width = own.randint(5, 9), own.uniform(0.5, 1.3), own.uniform(0.05, 0.1)
    dots = [(own.uniform(0.1, 0.9), own.uniform(-0.3, 0.3), own.uniform(0.016, 0.045)) for _ in range(16)]
    margin = own.uniform(0.16, 0.22)

    def paint(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        across = np.abs(v)
        start = np.broadcast_to(np.array(base, np.float32), (*u.shape, 3))
        colours = blend(start, second, np.clip(across * 2, 0, 0.55))
        side = np.abs(((u - across * steep) * count) % 1 - 0.5)
        if "feather" in kinds:
            long = 0.2 * np.sin(np.pi * np.clip(u, 0, 1)) + 0.03
            colours = blend(colours, mark, (1 - step(side, 0.2, 0.06)) * (1 - step(across, long, 0.03)))
        if "blotch" in kinds:
            wave = np.sin(u * 23 + 3 * np.sin(v * 17)) * np.cos(v * 26 + 2 * np.sin(u * 13))
            colours = blend(colours, mark, step(wave, 0.35, 0.1) * 0.9)
        if "margin" in kinds:
            edge = margin * np.sin(np.pi * np.clip(u, 0, 1) ** 0.7) * 1.3
            colours = blend(colours, mark, step(across + 0.02 * np.sin(u * 50), edge, 0.03))
        if "band" in kinds:
            colours = blend(colours, mark, 1 - step(across + 0.012 * np.sin(u * 40), width, 0.02))
        if "freckles" in kinds:
            for x, y, a in dots:
                colours = blend(colours, mark, 1 - step(np.hypot(u - x, v - y), a, 0.012))
        rib = 1 - step(across, 0.012, 0.012)
        colours = blend(colours, mix(mark, second, 0.35), np.maximum(rib, (1 - step(side, 0.05, 0.06)) * 0.4))
        return np.asarray(colours * threefold(0.93 + 0.14 * np.clip(side * 2, 0, 1)))

    return paint


def draw_pot_plant(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A plant with large marked leaves in a pot with a pattern."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    word, base, mark, second = leafage(thing)
    s = Sheet(W, H)
    shape = style.choice(["egg", "lance", "heart", "finger"])
    count, long = (
        (style.randint(15, 19), style.uniform(310, 390))
        if shape == "lance"
        else (style.randint(9, 13), style.uniform(250, 300))
    )
    wide = {"egg": 0.3, "lance": 0.13, "heart": 0.36, "finger": 0.32}[shape]
    pot_top = H - style.uniform(300, 360)
    paint = _marked(base, mark, second, random.Random(thing.look["own"] + 1))
    stem = mix(base, (92, 96, 60), 0.4)
    order = sorted(range(count), key=lambda i: own.random() + 0.5 * (i % 2 == 0))
    for rank, i in enumerate(order):
        angle = -math.pi / 2 + (i / (count - 1) - 0.5) * 2.9 + own.uniform(-0.1, 0.1)
        lift = own.uniform(60, 290 - 110 * abs(math.cos(angle))) if shape != "lance" else own.uniform(10, 60)
        root = (W / 2 + own.uniform(-50, 50), pot_top + 30.0)
        at = (root[0] + lift * math.cos(angle) * 0.9, root[1] - 20 + lift * math.sin(angle))
        s.part(ribbon([root, ((root[0] + at[0]) / 2, (root[1] + at[1]) / 2 - 12), at], [9, 8, 7]), stem, depth_px=8)
        turn = angle + own.uniform(-0.25, 0.25)
        reach = long * own.uniform(0.82, 1.1)
        tone = 0.78 + 0.24 * rank / count
        s.grown(leaf_outline(at, turn, reach, reach * wide, shape), at, turn, reach, paint, depth_px=44, tone=tone)
    bent = sway(_whole(s, edition), edition, 8)
    pot = Sheet(W, H)
    plant_label(pot, thing, fonts, style, (W / 2 + 150.0, pot_top + 34.0))
    _pot(pot, style, own, pot_top)
    potted = _whole(pot, edition)
    a = potted[..., 3:].astype(np.float32) / 255
    out = bent.astype(np.float32)
    out[..., :3] = out[..., :3] * (1 - a) + potted[..., :3] * a
    out[..., 3:] = np.maximum(out[..., 3:], potted[..., 3:])
    return cutout(out.astype(np.uint8), W / 46.0, base, word)


def _whole(s: Sheet, edition: Edition) -> np.ndarray:
    """The sheet's pixels at its full size."""
    out = np.zeros((s.h, s.w, 4), np.uint8)
    columns, rows = np.where(s.alpha.max(0) > 0.15)[0], np.where(s.alpha.max(1) > 0.15)[0]
    out[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = s.pixels(edition)
    return out


def _pot(s: Sheet, style: random.Random, own: random.Random, top: float) -> None:
    """A pot with a rim; its pattern is the plant's own."""
    clay, ink = _POTS[own.randrange(len(_POTS))]
    up, low = style.uniform(165, 200), style.uniform(115, 165)
    belly = style.choice([0, 0, 30])
    bottom = H - 14.0
    yy, xx = np.mgrid[0:H:2, 0:W:2].astype(np.float32)
    u = np.arcsin(np.clip((xx - W / 2) / 210, -1, 1)) / 1.571  # the pattern runs around the pot
    v = (yy - top) / (bottom - top)
    kind, n = own.choice(["zigzag", "stripes", "dots", "diamonds"]), own.randint(5, 9)
    if kind == "zigzag":
        m = 1 - step(np.abs(v - 0.55 - 0.16 * (np.abs((u * n) % 1 - 0.5) * 4 - 1)), 0.06, 0.02)
    elif kind == "stripes":
        m = (1 - step(np.abs((v * n) % 1 - 0.5), 0.16, 0.05)) * step(v, 0.3, 0.02)
    elif kind == "dots":
        m = 1 - step(np.hypot((u * n) % 1 - 0.5, ((v * 4) % 1 - 0.5) * 0.9), 0.22, 0.05)
    else:
        m = 1 - step(np.abs((u * n) % 1 - 0.5) + np.abs((v * 3) % 1 - 0.5), 0.3, 0.05)
    g = np.random.default_rng(own.getrandbits(32))
    base = blend(np.broadcast_to(np.array(clay, np.float32), (H // 2, W // 2, 3)), ink, m * step(v, 0.26, 0.02))
    base = enlarged(base * threefold(1 + 0.04 * cloud(g, W // 2, H // 2, 6) - 0.3 * u**2), W, H)
    half = up + belly
    left = [
        (W / 2 - up, top + 40),
        (W / 2 - half, top + 130),
        (W / 2 - low - 6, bottom - 40),
        (W / 2 - low + 14, bottom - 2),
    ]
    body = np.concatenate([smooth(left, closed=False), smooth([(W - x, y) for x, y in left[::-1]], closed=False)])
    s.part(body, base, depth_px=90, strength=0.9)
    rim = smooth(
        [
            (W / 2 - up - 14, top + 4),
            (W / 2, top - 8),
            (W / 2 + up + 14, top + 4),
            (W / 2 + up + 10, top + 62),
            (W / 2, top + 74),
            (W / 2 - up - 10, top + 62),
        ]
    )
    s.part(rim, base * 1.02, depth_px=26, shadow=0.4)


def draw_tree(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A tree standing free: trunk, boughs and clumps of leaves, some with blossom or fruit."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    word, dark, light = crown(thing)
    s = Sheet(W, H)
    g = np.random.default_rng(own.getrandbits(40))
    bark: Colour = style.choice([(104, 80, 60), (132, 120, 106), (84, 66, 54), (206, 200, 188)])
    w2, h2 = W // 2, H // 2
    rough = 1 + 0.26 * hairs(g, w2, h2, 15, 1.57) + 0.2 * cloud(g, w2, h2, 7)
    bark_map = enlarged(np.array(bark, np.float32) * threefold(np.clip(rough, 0.4, 1.6)), W, H)
    form = style.choice(["round", "tall", "spreading", "cone"])
    a, b, cy = {
        "round": (350, 330, 420),
        "tall": (240, 400, 450),
        "spreading": (450, 260, 380),
        "cone": (330, 420, 480),
    }[form]
    thick, fork = style.uniform(34, 60), own.uniform(700, 800)
    foot = H - 14.0
    lean = own.uniform(-40, 40)
    trunk = [
        ribbon(
            [(W / 2, foot), (W / 2 + lean * 0.3, (foot + fork) / 2), (W / 2 + lean, fork), (W / 2 + lean * 1.2, cy)],
            [thick * 1.25, thick * 0.86, thick * 0.74, thick * 0.3],
        )
    ]
    for _ in range(own.randint(3, 5)):
        tip = (W / 2 + own.uniform(-0.8, 0.8) * a, cy + own.uniform(-0.6, 0.5) * b)
        trunk.append(
            ribbon(
                [(W / 2 + lean * 0.8, fork + 40), ((W / 2 + lean + tip[0]) / 2, (fork + tip[1]) / 2 + 20), tip],
                [thick * 0.5, thick * 0.34, 6],
            )
        )
    s.part(trunk, bark_map, depth_px=thick)
    clumps = []
    for _ in range(style.randint(28, 36)):
        t, d = own.uniform(0, 2 * math.pi), math.sqrt(own.random())
        y = cy + b * d * math.sin(t)
        narrow = (0.16 + 0.84 * np.clip((y - cy + b) / (2 * b), 0, 1)) if form == "cone" else 1.0
        clumps.append(
            (
                W / 2 + lean + a * narrow * d * math.cos(t),
                y,
                own.uniform(78, 128) * (0.75 if form in ("tall", "cone") else 1),
            )
        )
    core = range(7) if form in ("tall", "cone") else range(2, 5)  # so that no clump hangs in the air
    clumps += [(W / 2 + lean, cy + b * (i / 3 - 1) * 0.8, 0.4 * a) for i in core]
    clumps = [(float(np.clip(x, 1.2 * r, W - 1.2 * r)), max(y, r + 12), r) for x, y, r in clumps]
    patch = cloud(g, w2, h2, 26, 2) * 0.5 + cloud(g, w2, h2, 5) * 0.75
    tone = np.clip(0.42 + 0.34 * patch, 0, 1)
    leaves = blend(np.broadcast_to(np.array(dark, np.float32), (h2, w2, 3)), light, tone)
    fleck = own.choice([(204, 44, 38), (250, 236, 214), (240, 190, 60), mix(light, (255, 255, 240), 0.5), dark])
    spots = step(cloud(g, w2, h2, own.uniform(6, 11)), own.uniform(1.5, 2.0), 0.2)
    leaf_map = enlarged(blend(leaves, fleck, spots), W, H)
    for i, (x, y, r) in enumerate(sorted(clumps, key=lambda c: c[1] + 0.4 * c[2])[::-1]):
        outline = ragged(smooth(oval(x, y, r * 1.15, r * 0.95, n=26), 3), g, 5.0)
        s.part(outline, leaf_map, depth_px=r * 0.8, shadow=0.32, strength=0.8, tone=0.82 + 0.22 * i / len(clumps))
    return cutout(sway(s.pixels(edition), edition, 7), W / 720.0, dark, word)
