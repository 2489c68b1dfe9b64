"""Fish, seen from the side: outline and fins by family, scales, bands and spots by fish. Water is in `outdoors`."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, FontBox, mix
from eval.world.drawing.kit.edition import Art, Edition
from eval.world.drawing.kit.relief import Sheet, blend, cloud, cutout, enlarged, oval, ribbon, smooth, step, threefold
from eval.world.model import Thing

W, H = 1240, 900
#: What a person calls the colour, back, flank, marks, fins.
_LIVERIES: tuple[tuple[str, Colour, Colour, Colour, Colour], ...] = (
    ("orange", (206, 84, 28), (246, 150, 52), (250, 240, 224), (232, 104, 34)),
    ("blue", (24, 66, 140), (70, 138, 212), (244, 214, 74), (34, 84, 168)),
    ("yellow", (206, 160, 26), (250, 218, 92), (40, 44, 66), (232, 178, 40)),
    ("silver", (96, 112, 122), (208, 216, 220), (52, 64, 82), (150, 160, 168)),
    ("red", (150, 26, 34), (216, 62, 54), (250, 226, 206), (176, 34, 40)),
    ("green", (36, 92, 64), (126, 182, 112), (238, 226, 122), (58, 124, 84)),
    ("black", (30, 30, 36), (86, 90, 104), (236, 196, 84), (44, 44, 54)),
    ("turquoise", (16, 106, 118), (84, 204, 204), (236, 96, 92), (28, 132, 146)),
)


def livery(thing: Thing) -> tuple[str, Colour, Colour, Colour, Colour]:
    """Siblings walk through the liveries from their family's start."""
    order = list(_LIVERIES)
    random.Random(thing.look["style"] + 3).shuffle(order)
    return order[thing.look["variant"] % len(order)]


def draw_fish(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """A fish, swimming."""
    style, own, pose = random.Random(thing.look["style"]), random.Random(thing.look["own"]), edition.draws
    word, back, flank, mark, fin = livery(thing)
    s = Sheet(W, H, flip=style.random() < 0.5)
    g = np.random.default_rng(own.getrandbits(40))
    high, long = style.uniform(120, 235), style.uniform(660, 740)
    left, cy = 190.0, 450.0
    right = left + long
    peak = style.uniform(0.3, 0.45)
    ts = np.linspace(0, 1, 15)
    top = [high * math.sin(math.pi * min(1, t / (2 * peak)) ** 0.75 if t < peak else math.pi / 2) for t in ts]
    half = np.array(
        [
            a if t < peak else 26 + (high - 26) * (0.5 + 0.5 * math.cos(math.pi * (t - peak) / (1 - peak)))
            for a, t in zip(top, ts, strict=True)
        ]
    )
    xs = left + ts * long
    outline = smooth(
        [*zip(xs, cy - half, strict=True), *zip(xs[::-1], cy + half[::-1] * style.uniform(0.8, 1.0), strict=True)], 5
    )
    colours = _skin(g, own, (back, flank, mark), (left, right, cy, high))
    fins = _fin_map(g, fin, mark, own)
    beat = pose.uniform(-18, 18)
    _tail(s, fins, style, right, cy, high, beat)
    _dorsal(s, fins, style, left, long, cy, high)
    s.part(outline, colours, depth_px=high * 0.8, shadow=0.2, shine=0.25)
    _face(s, own, back, mark, left, cy, high)
    px, flap = left + long * 0.32, pose.uniform(-22, 22)
    pectoral = smooth(
        [
            (px, cy + high * 0.2),
            (px + 70, cy + high * 0.12 + flap * 0.3),
            (px + 150, cy + high * 0.4 + flap),
            (px + 118, cy + high * 0.66 + flap),
            (px + 40, cy + high * 0.44),
        ]
    )
    s.part(pectoral, fins, depth_px=22, shadow=0.3)
    _rays(s, (px, cy + high * 0.28), pectoral, mix(fin, (20, 20, 24), 0.4), 9)
    return cutout(s.pixels(edition), W / 34.0, flank, word)


def _skin(
    g: np.random.Generator,
    own: random.Random,
    colours: tuple[Colour, Colour, Colour],
    box: tuple[float, float, float, float],
) -> np.ndarray:
    """(h, w, 3): dark back, light belly, marks and scales."""
    back, flank, mark = colours
    left, right, cy, high = box
    yy, xx = np.mgrid[0:H:2, 0:W:2].astype(np.float32)
    wobble = cloud(g, W // 2, H // 2, 35, 2) * 0.12
    t = np.clip((yy - cy) / (2 * high) + 0.5 + wobble * 0.4, 0, 1)
    base = blend(back, flank, np.clip(t * 2, 0, 1))
    base = blend(base, mix(flank, (252, 248, 240), 0.75), np.clip(t * 2.2 - 1.2, 0, 1))
    u = (xx - left) / (right - left)
    kind = own.choice(["bands", "spots", "stripes", "net", "patches"])
    if kind == "bands":
        m = np.zeros((H // 2, W // 2), np.float32)
        for x in np.cumsum([own.uniform(0.12, 0.2) for _ in range(own.randint(3, 6))]) + 0.1:
            wide = own.uniform(0.02, 0.05)
            m = np.maximum(m, 1 - step(np.abs(u - x + wobble * 0.15 + 0.04 * np.sin(yy / 60 + x * 9)), wide, 0.012))
    elif kind == "stripes":
        m = np.zeros((H // 2, W // 2), np.float32)
        for _ in range(own.randint(3, 5)):
            y, thick = own.uniform(-0.75, 0.6), own.uniform(0.04, 0.1)
            m = np.maximum(
                m,
                1
                - step(
                    np.abs((yy - cy) / high - y + wobble * 0.9 + 0.06 * np.sin(u * own.uniform(6, 14))), thick, 0.03
                ),
            )
    elif kind == "net":
        m = 1 - step(np.abs(cloud(g, W // 2, H // 2, own.uniform(17, 27))), 0.16, 0.1)
    elif kind == "patches":
        m = step(cloud(g, W // 2, H // 2, own.uniform(40, 60), 2), own.uniform(0.0, 0.4), 0.06)
    else:
        m = np.zeros((H // 2, W // 2), np.float32)
    for _ in range(70 if kind == "spots" else 22):
        x, y = own.uniform(left + 120, right), own.uniform(cy - high, cy + high * 0.7)
        a = own.uniform(7, 24 if kind == "spots" else 13)
        cv2.fillPoly(
            m,
            [np.round(oval(x, y, a, a * own.uniform(0.7, 1), own.uniform(0, 3), 14) * 4).astype(np.int32)],
            1.0,
            cv2.LINE_AA,
            3,
        )
    base = blend(base, mark, np.clip(m, 0, 1) * 0.92)
    size = own.uniform(26, 36)  # scales: arcs in staggered rows
    row = np.floor(yy / (size * 0.5))
    du = (xx / size + 0.5 * (row % 2)) % 1 - 0.5
    dv = (yy / (size * 0.5)) % 1
    arc = np.sqrt(du**2 + (dv * 0.5) ** 2)
    scales = 1 + 0.1 * np.cos(np.clip(arc * 2, 0, 1) * math.pi) - 0.2 * np.exp(-(((arc - 0.5) / 0.06) ** 2))
    body = np.clip((u - 0.22) / 0.06, 0, 1)
    grain = (1 + (scales - 1) * body) * (1 + 0.03 * cloud(g, W // 2, H // 2, 4))
    return enlarged(base * threefold(grain), W, H)


def _fin_map(g: np.random.Generator, fin: Colour, mark: Colour, own: random.Random) -> np.ndarray:
    m = step(cloud(g, W // 2, H // 2, own.uniform(15, 30)), own.uniform(0.3, 0.9), 0.2) * 0.7
    return enlarged(blend(np.broadcast_to(np.array(fin, np.float32), (*m.shape, 3)), mark, m), W, H)


def _rays(s: Sheet, root: tuple[float, float], outline: np.ndarray, colour: Colour, count: int) -> None:
    """Lines from the root of a fin to its edge."""
    far = outline[np.argsort(-np.hypot(outline[:, 0] - root[0], outline[:, 1] - root[1]))[: len(outline) // 2]]
    far = far[np.argsort(np.arctan2(far[:, 1] - root[1], far[:, 0] - root[0]))]
    for i in np.linspace(0, len(far) - 1, count).astype(int):
        s.line(np.array([root, far[i] * 0.94 + np.array(root) * 0.06]), colour, 3, 0.55)


def _tail(
    s: Sheet, colours: np.ndarray, style: random.Random, right: float, cy: float, high: float, beat: float
) -> None:
    reach, spread, fork = style.uniform(150, 230), style.uniform(0.9, 1.35) * high, style.uniform(0.1, 0.75)
    points = [
        (right - 50, cy - 24),
        (right + reach * 0.5, cy - spread * 0.7 + beat),
        (right + reach, cy - spread + beat),
        (right + reach * (1 - fork * 0.6), cy + beat * 0.5),
        (right + reach, cy + spread + beat),
        (right + reach * 0.5, cy + spread * 0.7 + beat),
        (right - 50, cy + 24),
    ]
    outline = smooth(points)
    s.part(outline, colours, depth_px=30)
    _rays(s, (right - 40, cy), outline, (30, 28, 30), 15)


def _dorsal(
    s: Sheet, colours: np.ndarray, style: random.Random, left: float, long: float, cy: float, high: float
) -> None:
    """Back and belly fins."""
    up = style.uniform(60, 150)
    start, end = left + long * style.uniform(0.26, 0.4), left + long * style.uniform(0.7, 0.86)
    spiky = style.random() < 0.5
    xs = np.linspace(start, end, 8)
    crest = [
        (x, cy - high * 0.95 - up * math.sin(math.pi * (i + 0.6) / 8.4) * (1 - 0.35 * (i % 2) * spiky))
        for i, x in enumerate(xs)
    ]
    outline = smooth([(start - 10, cy - high * 0.6), *crest, (end + 20, cy - high * 0.2)], 5)
    s.part(outline, colours, depth_px=26)
    for i in range(1, 8):
        s.line(np.array([(xs[i] - 10, cy - high * 0.5), crest[i]]), (30, 28, 30), 3, 0.5)
    ax = left + long * style.uniform(0.58, 0.66)
    anal = smooth(
        [
            (ax, cy + high * 0.4),
            (ax + 40, cy + high * 0.9 + up * 0.5),
            (ax + 110, cy + high * 0.7 + up * 0.55),
            (ax + 130, cy + high * 0.2),
        ]
    )
    s.part(anal, colours, depth_px=22)
    vx = left + long * 0.38
    s.part(
        smooth(
            [
                (vx, cy + high * 0.6),
                (vx + 30, cy + high + up * 0.5),
                (vx + 84, cy + high * 0.95 + up * 0.45),
                (vx + 70, cy + high * 0.5),
            ]
        ),
        colours,
        depth_px=20,
    )


def _face(s: Sheet, own: random.Random, back: Colour, mark: Colour, left: float, cy: float, high: float) -> None:
    """Gill cover, mouth and eye."""
    gx = left + 150 + high * 0.12
    arc = [(gx + 34 * math.cos(a), cy + high * 0.62 * math.sin(a)) for a in np.linspace(-1.15, 1.15, 9)]
    s.line(smooth(arc, closed=False) - np.array([3, 0]), mix(back, (250, 250, 250), 0.5), 5, 0.5)
    s.line(smooth(arc, closed=False), mix(back, (10, 10, 12), 0.5), 7, 0.75)
    s.line(
        smooth([(left - 2, cy + 10), (left + 34, cy + 20), (left + 62, cy + 34)], closed=False),
        mix(back, (10, 10, 12), 0.6),
        7,
        0.9,
    )
    ex, ey, a = left + 88, cy - high * 0.2, own.uniform(23, 30)
    s.part(oval(ex, ey, a * 1.2, a * 1.2), mark, depth_px=10, shadow=0.3)
    s.part(oval(ex, ey, a, a), (236, 214, 150), depth_px=10, shadow=0.2)
    s.part(oval(ex - 2, ey, a * 0.62, a * 0.62), (14, 14, 18), depth_px=8)
    s.part(oval(ex - 8, ey - 8, 5, 5), (252, 252, 252), depth_px=2, strength=0.0, shadow=0.0)
    s.part(
        ribbon([(left + 4, cy - 14), (left - 12, cy + 4), (left + 6, cy + 20)], [6, 11, 6]),
        mix(back, mark, 0.3),
        depth_px=10,
    )
