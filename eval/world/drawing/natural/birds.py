"""Birds, perched and seen from the side: shape by family, plumage by bird. The branch is in `outdoors`."""

from __future__ import annotations

import math
import random

import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.relief import (
    Sheet,
    blend,
    cloud,
    cutout,
    enlarged,
    hairs,
    oval,
    ribbon,
    smooth,
    step,
    threefold,
)
from eval.world.model import Thing

W, H = 1100, 1100
#: What a person calls the colour, back, breast, wing, mark.
_PLUMAGES: tuple[tuple[str, Colour, Colour, Colour, Colour], ...] = (
    ("blue", (44, 96, 164), (232, 190, 120), (30, 60, 112), (244, 244, 240)),
    ("red", (164, 44, 40), (232, 206, 178), (92, 50, 44), (38, 32, 34)),
    ("yellow", (206, 166, 40), (248, 226, 122), (84, 82, 60), (34, 34, 34)),
    ("green", (82, 128, 62), (216, 212, 132), (48, 84, 56), (232, 92, 52)),
    ("brown", (132, 92, 58), (232, 214, 184), (88, 62, 44), (54, 40, 32)),
    ("black", (38, 38, 46), (210, 208, 204), (28, 28, 36), (224, 120, 44)),
    ("grey", (124, 130, 138), (236, 226, 216), (78, 84, 94), (206, 92, 76)),
    ("white", (232, 230, 226), (250, 248, 244), (120, 122, 130), (44, 44, 52)),
)


def plumage(thing: Thing) -> tuple[str, Colour, Colour, Colour, Colour]:
    """Siblings walk through the plumages from their family's start."""
    order = list(_PLUMAGES)
    random.Random(thing.look["style"] + 3).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def draw_bird(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A perched bird."""
    style, own, pose = random.Random(thing.look["style"]), random.Random(thing.look["own"]), edition.draws
    word, back, breast, wing, mark = plumage(thing)
    s = Sheet(W, H, flip=style.random() < 0.5)
    g = np.random.default_rng(own.getrandbits(40))
    plump, tail = style.uniform(0.85, 1.2), style.uniform(190, 330)
    bx, by = 540.0, 600.0
    nod = pose.uniform(-14, 14)
    head = style.uniform(112, 140)
    hx, hy = bx - 150 * plump**0.3, by - 205 * plump + nod
    body_map, head_map = _maps(g, own, (back, breast, mark), (bx, by, hx, hy, head))
    _tail(s, style, own, wing, mark, (bx + 165, by + 120), tail, pose.uniform(-0.06, 0.06))
    foot: Colour = style.choice([(214, 134, 70), (72, 66, 64), (196, 164, 96)])
    for dx in (-20, 56):
        x = bx + dx
        s.part(ribbon([(x + 14, by + 190), (x - 4, by + 280), (x - 2, by + 350)], [20, 10, 9]), foot, depth_px=9)
        for turn in (-42, -16, 12):
            s.part(
                ribbon([(x - 2, by + 342), (x + turn, by + 352), (x + turn * 1.25, by + 372)], [9, 8, 5]),
                foot,
                depth_px=8,
            )
    body = smooth(
        [
            (hx + 40, hy - 20),
            (bx + 10, by - 190 * plump),
            (bx + 130, by - 60),
            (bx + 215, by + 105),
            (bx + 170, by + 170),
            (bx + 20, by + 225 * plump**0.6),
            (bx - 120, by + 190),
            (bx - 215 * plump, by + 60),
            (bx - 205 * plump, by - 70),
            (hx - 70, hy + 40),
        ]
    )
    skull = oval(hx, hy, head, head * 0.94)
    s.part([body, skull], body_map, depth_px=120, shadow=0.2)
    s.part(skull, head_map, depth_px=110, shadow=0.0, strength=0.9)
    _wing(s, style, own, wing, mark, back, bx, by)
    _beak_and_eye(s, style, mark, hx, hy, head, pose)
    if style.random() < 0.3:
        crest = [
            ribbon(
                [
                    (hx + 10 + i * 22, hy - head * 0.8),
                    (hx + 60 + i * 30, hy - head * 1.25 + i * 10),
                    (hx + 130 + i * 26, hy - head * 1.3 + i * 34),
                ],
                [18, 14, 3],
            )
            for i in range(3)
        ]
        for c in crest:
            s.part(c, head_map, depth_px=12)
    return cutout(s.pixels(edition), W / 26.0, back, word)


def _maps(
    g: np.random.Generator,
    own: random.Random,
    colours: tuple[Colour, Colour, Colour],
    at: tuple[float, float, float, float, float],
) -> tuple[np.ndarray, np.ndarray]:
    """(h, w, 3) colours of the body and of the head."""
    back, breast, mark = colours
    bx, by, hx, hy, head = at
    yy, xx = np.mgrid[0:H:2, 0:W:2].astype(np.float32)
    wobble = cloud(g, W // 2, H // 2, 15, 2)
    side = (xx - bx) * 0.66 - (yy - by) * 0.75
    base = blend(breast, back, step(side + wobble * 14, own.uniform(0, 50), 50))
    chest = own.choice(["dots", "bars", "bib", "plain"])
    low = 1 - step(side + wobble * 8, -10.0, 40)
    if chest == "dots":
        cell = own.uniform(34, 52)
        jitter = cloud(g, W // 2, H // 2, 20) * 0.3
        u, v = xx / cell + 0.5 * (np.floor(yy / cell) % 2) + jitter, yy / cell + jitter
        dots = 1 - step(np.hypot(u % 1 - 0.5, (v % 1 - 0.5) * 0.8), own.uniform(0.2, 0.3), 0.12)
        base = blend(base, mark, dots * low * 0.85)
    elif chest == "bars":
        lines = step(np.sin((yy + 14 * wobble + 30 * np.sin(xx / 60)) / own.uniform(7, 11)), 0.35, 0.5)
        base = blend(base, mark, lines * low * 0.75)
    elif chest == "bib":
        patch = 1 - step(np.hypot(xx - hx + 20, (yy - hy - head * 1.5) * 0.8) + wobble * 12, own.uniform(80, 130), 12)
        base = blend(base, own.choice([mark, mix(mark, (210, 80, 50), 0.7)]), patch)
    feather = 1 + 0.07 * hairs(g, W // 2, H // 2, 9, 1.0) + 0.04 * cloud(g, W // 2, H // 2, 11)
    cap = 1 - step(yy + wobble * 5, hy - head * own.uniform(-0.1, 0.45), 8)
    face = blend(own.choice([breast, back, mix(breast, (255, 255, 255), 0.6)]), own.choice([mark, back]), cap)
    stripe = own.random()
    if stripe < 0.65:
        band = 1 - step(np.abs(yy - hy + head * 0.1 + (xx - hx) * 0.12 + wobble * 3), own.uniform(10, 26), 6)
        face = blend(face, own.choice([mark, (250, 248, 242), (30, 28, 30)]), band)
    if own.random() < 0.5:
        cheek = 1 - step(np.hypot(xx - hx - 6, yy - hy - head * 0.42) + wobble * 4, own.uniform(26, 44), 6)
        face = blend(face, own.choice([(250, 248, 242), (214, 110, 62), mark]), cheek)
    throat = 1 - step(np.hypot(xx - hx + head * 0.55, yy - hy - head * 0.62) + wobble * 4, head * 0.5, 8)
    if own.random() < 0.5:
        face = blend(face, own.choice([(30, 28, 30), (206, 92, 46), (246, 242, 234)]), throat)
    return enlarged(base * threefold(feather), W, H), enlarged(face * threefold(feather), W, H)


def _wing(
    s: Sheet, style: random.Random, own: random.Random, wing: Colour, mark: Colour, back: Colour, bx: float, by: float
) -> None:
    """Rows of feathers, each with a shaft and a pale edge; one or two bars across."""
    rim = mix(wing, own.choice([(250, 246, 236), mark, back]), own.uniform(0.45, 0.9))
    bar = own.choice([0, 1, 2, 1])
    edge = own.uniform(0.0, 1.0)
    rows = [(9, 250.0, 30.0), (8, 170.0, 30.0), (8, 104.0, 28.0), (7, 60.0, 26.0)]
    for j, (count, long, half) in enumerate(rows):
        for i in range(count):
            t = i / (count - 1)
            x, y = bx - 74 + 150 * t - j * 14, by - 60 + 128 * (1 - t) ** 1.2 - 46 * t - j * 22
            turn = 0.62 + 0.34 * (1 - t) - 0.03 * j
            reach = long * (0.72 + 0.38 * t)
            tip = (x + reach * math.cos(turn), y + reach * math.sin(turn))
            tone = (
                mix(wing, back, min(1.0, 0.3 * j))
                if not (j == bar and edge < 0.75)
                else mix(wing, (250, 248, 240), 0.85)
            )
            feather = ribbon([(x, y), ((x + tip[0]) / 2, (y + tip[1]) / 2), tip], [half * 0.8, half, half * 0.35], 6)
            s.part(feather, rim, depth_px=10, shadow=0.4, strength=0.5)
            inner = ribbon(
                [(x, y), ((x + tip[0]) / 2 - 2, (y + tip[1]) / 2 - 2), (tip[0] - 7, tip[1] - 7)],
                [half * 0.62, half * 0.78, half * 0.2],
                6,
            )
            s.part(inner, tone, depth_px=14, shadow=0.0, strength=0.7)
            s.line(np.array([(x, y), tip]), mix(tone, (20, 18, 18), 0.5), 2, 0.6)


def _tail(
    s: Sheet,
    style: random.Random,
    own: random.Random,
    wing: Colour,
    mark: Colour,
    at: tuple[float, float],
    long: float,
    swing: float,
) -> None:
    tip_tone = own.choice([mark, (248, 244, 236), wing])
    for i in range(5):
        turn = 0.86 + swing + (i - 2) * 0.07
        tip = (at[0] + long * math.cos(turn), at[1] + long * math.sin(turn))
        tone = mix(wing, (255, 255, 255), 0.06 * i)
        s.part(ribbon([(at[0] - 70, at[1] - 80), at, tip], [26, 28, 22], 6), tone, depth_px=16, shadow=0.4)
        end = (at[0] + long * 0.8 * math.cos(turn), at[1] + long * 0.8 * math.sin(turn))
        s.part(ribbon([end, tip], [24, 21], 6), tip_tone, depth_px=14, shadow=0.0)
        s.line(np.array([at, tip]), mix(tone, (20, 18, 18), 0.5), 2, 0.6)


def _beak_and_eye(
    s: Sheet, style: random.Random, mark: Colour, hx: float, hy: float, head: float, pose: random.Random
) -> None:
    beak: Colour = style.choice([(62, 56, 56), (226, 150, 52), (206, 88, 52), (190, 178, 150)])
    long, thick, hook = style.uniform(70, 170), style.uniform(26, 44), style.choice([0, 0, 22])
    x, y = hx - head * 0.86, hy + head * 0.1
    s.part(
        smooth(
            [
                (x + 16, y - thick * 0.1),
                (x - long * 0.6, y + 10),
                (x - long * 0.9, y + 16 + hook),
                (x - long * 0.5, y + thick * 0.62),
                (x + 18, y + thick * 0.9),
            ]
        ),
        mix(beak, (20, 18, 18), 0.25),
        depth_px=14,
    )
    s.part(
        smooth(
            [
                (x + 20, y - thick),
                (x - long * 0.5, y - thick * 0.35),
                (x - long, y + 14 + hook),
                (x - long * 0.5, y + 14),
                (x + 22, y + 12),
            ]
        ),
        beak,
        depth_px=16,
        shine=0.3,
    )
    s.part(oval(x - 6, y - thick * 0.3, 6, 3), (30, 26, 26), depth_px=3, strength=0.2)
    ex, ey = hx - head * 0.42, hy - head * 0.12
    ring: Colour = style.choice([(240, 238, 230), (226, 186, 60), (40, 34, 32), mark])
    s.part(oval(ex, ey, 25, 25), ring, depth_px=8, shadow=0.3)
    s.part(oval(ex, ey, 18, 18), style.choice([(52, 34, 26), (196, 120, 30), (30, 26, 26)]), depth_px=8)
    s.part(oval(ex, ey, 10, 10), (10, 10, 10), depth_px=6)
    s.part(oval(ex - 6, ey - 6, 5, 5), (252, 252, 252), depth_px=2, strength=0.0, shadow=0.0)
