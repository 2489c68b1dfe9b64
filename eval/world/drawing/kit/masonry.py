"""Stone, brick, plaster, slate and tile as colour maps, and the parts that buildings are put together from.

Blocks, stains and tones belong to a building and are the same in every drawing. Whole buildings are in `towers`,
`bridges` and `temples`.
"""

from __future__ import annotations

import math
import random

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour, mix
from eval.world.drawing.kit.relief import Sheet, blend, cloud, enlarged, smooth, step, threefold

#: What a person calls the colour, stone, joint, ornament, roof.
MATERIALS: tuple[tuple[str, Colour, Colour, Colour, Colour], ...] = (
    ("grey", (158, 156, 150), (110, 108, 104), (206, 202, 192), (84, 92, 104)),
    ("red", (168, 88, 66), (206, 190, 172), (232, 220, 198), (70, 74, 82)),
    ("yellow", (214, 184, 126), (166, 136, 90), (240, 226, 192), (150, 78, 56)),
    ("white", (232, 228, 218), (190, 186, 178), (166, 96, 70), (72, 110, 116)),
    ("brown", (142, 112, 84), (96, 76, 58), (204, 180, 146), (98, 60, 48)),
    ("pink", (212, 160, 146), (172, 122, 110), (246, 232, 220), (92, 116, 96)),
    ("dark grey", (98, 102, 108), (66, 68, 74), (180, 178, 170), (134, 74, 58)),
)


def material(style: int, variant: int) -> tuple[str, Colour, Colour, Colour, Colour]:
    """Siblings walk through the materials from their family's start."""
    order = list(MATERIALS)
    random.Random(style + 3).shuffle(order)
    return order[variant % len(order)]


def wall(
    w: int, h: int, stone: Colour, joint: Colour, own: random.Random, *, second: Colour | None = None
) -> np.ndarray:
    """(h, w, 3): courses of blocks or bricks, each of its own tone, some of the `second` colour, with stains."""
    g = np.random.default_rng(own.getrandbits(40))
    w2, h2 = w // 2, h // 2
    high = own.choice([5.0, 8.0, 11.0])
    long = high * own.uniform(1.7, 2.6)
    yy, xx = np.mgrid[0:h2, 0:w2].astype(np.float32)
    row = np.floor(yy / high).astype(int)
    shifted = xx / long + 0.5 * (row % 2)
    column = np.floor(shifted).astype(int)
    tones = g.normal(1.0, 0.085, (int(h2 / high) + 2, int(w2 / long) + 3)).astype(np.float32)
    tone = tones[row, column]
    colours = np.array(stone, np.float32) * threefold(tone)
    if second is not None:
        kind = own.choice(["bands", "scattered", "corners", "none"])
        every = own.randint(4, 7)
        if kind == "bands":
            colours = blend(colours, second, (row % every == 0) * 0.85)
        elif kind == "scattered":
            colours = blend(colours, second, (tones[row, column] > 1.11) * 0.8)
        elif kind == "corners":
            colours = blend(colours, second, ((row + column) % 3 == 0) * (row % every < 2) * 0.6)
    seam = np.minimum(np.abs(yy / high - row - 0.5), 0.5) > 0.5 - 0.55 / high
    seam |= np.abs(shifted - column - 0.5) > 0.5 - 0.5 / long
    colours = blend(colours, joint, seam * 0.8)
    stains = np.clip(cloud(g, w2, h2, 45, 3) - 0.7, 0, 1.4)
    return enlarged(colours * threefold(1 - 0.16 * stains + 0.04 * cloud(g, w2, h2, 3)), w, h)


def tiles(w: int, h: int, colour: Colour, own: random.Random) -> np.ndarray:
    """(h, w, 3): rows of roof tiles or slates."""
    g = np.random.default_rng(own.getrandbits(40))
    w2, h2 = w // 2, h // 2
    high, long = own.choice([4.5, 6.5]), own.choice([6.0, 9.0])
    yy, xx = np.mgrid[0:h2, 0:w2].astype(np.float32)
    row = np.floor(yy / high).astype(int)
    shifted = xx / long + 0.5 * (row % 2)
    column = np.floor(shifted).astype(int)
    tone = g.normal(1.0, 0.11, (int(h2 / high) + 2, int(w2 / long) + 3)).astype(np.float32)[row, column]
    down = yy / high - row
    round_end = np.abs(shifted - column - 0.5)
    shade = tone * (0.78 + 0.34 * down) * (1 - 0.3 * (down > 0.86 - 0.5 * round_end**2))
    return enlarged(np.array(colour, np.float32) * threefold(shade), w, h)


def box(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def arch(x: float, y: float, half: float, high: float, form: str) -> np.ndarray:
    """An opening whose foot is centred at (x, y): round, pointed, flat or a circle."""
    if form == "circle":
        t = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        return np.stack([x + half * np.cos(t), y - high / 2 + half * np.sin(t)], axis=1)
    if form == "flat":
        return box(x - half, y - high, x + half, y)
    spring = y - high + half * (1.0 if form == "round" else 1.35)
    t = np.linspace(0, math.pi / 2, 9)
    rise = spring - (y - high)
    if form == "round":
        right = [(x + half * math.cos(a), spring - rise * math.sin(a)) for a in t]
    else:
        right = [(x + half * math.cos(a) ** 0.8, spring - rise * math.sin(a) ** 1.25) for a in t]
    left = [(2 * x - px, py) for px, py in reversed(right)]
    return np.array([(x + half, y), *right, *left, (x - half, y)])


def window(
    s: Sheet, x: float, y: float, half: float, high: float, form: str, frame: Colour, own: random.Random, glass: Colour
) -> None:
    """An opening with a frame, glass and bars."""
    s.part(arch(x, y + half * 0.12, half * 1.28, high + half * 0.34, form), frame, depth_px=half * 0.3, shadow=0.3)
    s.part(arch(x, y, half, high, form), glass, depth_px=4, strength=0.6, shadow=0.0)
    if form != "circle":
        s.part(box(x - half * 1.5, y, x + half * 1.5, y + half * 0.26), frame, depth_px=half * 0.14, shadow=0.35)
    dark = mix(glass, (10, 12, 14), 0.5)
    top = y - high
    s.line(np.array([(x, top + 3), (x, y - 2)]), dark if own.random() < 0.5 else frame, max(2.0, half * 0.12))
    for i in range(1, 3):
        s.line(np.array([(x - half * 0.94, top + high * i / 3), (x + half * 0.94, top + high * i / 3)]), dark, 2)


def cornice(s: Sheet, x0: float, x1: float, y: float, high: float, colour: Colour, *, teeth: bool = False) -> None:
    """A moulding from x0 to x1, with or without dentils below."""
    if teeth:
        n = max(3, int((x1 - x0) / (high * 1.1)))
        for i in range(n):
            a = x0 + (x1 - x0) * (i + 0.22) / n
            s.part(box(a, y + high * 0.6, a + (x1 - x0) * 0.5 / n, y + high * 1.5), colour, depth_px=3, shadow=0.3)
    s.part(box(x0 - high * 0.5, y, x1 + high * 0.5, y + high * 0.7), colour, depth_px=high * 0.4, shadow=0.45)
    s.part(box(x0 - high * 0.2, y + high * 0.6, x1 + high * 0.2, y + high), mix(colour, (60, 56, 52), 0.15), depth_px=3)


def clock_face(s: Sheet, x: float, y: float, r: float, colour: Colour, ink: Colour, hour: float) -> None:
    """A dial with twelve marks; `hour` says where the hands stand."""
    t = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    ring = np.stack([x + r * np.cos(t), y + r * np.sin(t)], axis=1)
    s.part(ring, ink, depth_px=r * 0.2)
    s.part((ring - [x, y]) * 0.88 + [x, y], colour, depth_px=4, shadow=0.0)
    for i in range(12):
        a = i * math.pi / 6
        c, q = math.cos(a), math.sin(a)
        s.line(np.array([(x + 0.66 * r * c, y + 0.66 * r * q), (x + 0.8 * r * c, y + 0.8 * r * q)]), ink, r * 0.07)
    for a, long, wide in ((hour / 12 * 2 * math.pi, 0.46, 0.09), (hour % 1 * 2 * math.pi, 0.68, 0.06)):
        s.line(np.array([(x, y), (x + long * r * math.sin(a), y - long * r * math.cos(a))]), ink, r * wide)


def ornament(s: Sheet, x: float, y: float, r: float, kind: str, colour: Colour) -> None:
    """A small relief: star, shield, sun, leaf, ring."""
    n = {"star": 5, "sun": 12, "leaf": 3}.get(kind, 0)
    if n:
        t = np.arange(2 * n) * math.pi / n - math.pi / 2
        d = np.where(np.arange(2 * n) % 2 == 0, r, r * {"star": 0.45, "sun": 0.7, "leaf": 0.3}[kind])
        s.part(np.stack([x + d * np.cos(t), y + d * np.sin(t)], axis=1), colour, depth_px=r * 0.4)
    elif kind == "shield":
        s.part(
            smooth(
                [
                    (x - r * 0.8, y - r),
                    (x + r * 0.8, y - r),
                    (x + r * 0.75, y + r * 0.3),
                    (x, y + r * 1.1),
                    (x - r * 0.75, y + r * 0.3),
                ],
                4,
            ),
            colour,
            depth_px=r * 0.35,
        )
        s.line(
            np.array([(x - r * 0.6, y - r * 0.5), (x + r * 0.5, y + r * 0.4)]), mix(colour, (40, 30, 30), 0.6), r * 0.3
        )
    else:
        t = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        s.part(np.stack([x + r * np.cos(t), y + r * np.sin(t)], axis=1), colour, depth_px=r * 0.4)
        s.part(
            np.stack([x + r * 0.5 * np.cos(t), y + r * 0.5 * np.sin(t)], axis=1),
            mix(colour, (40, 36, 34), 0.6),
            depth_px=4,
        )


def weathered(s: Sheet, own: random.Random) -> None:
    """Rain has run down the whole of it."""
    g = np.random.default_rng(own.getrandbits(32))
    streaks = cloud(g, s.w // 4, max(4, s.h // 40), 3)
    field = cv2.resize(np.clip(streaks, -0.5, 2), (s.w, s.h), interpolation=cv2.INTER_CUBIC)
    s.texture(field * step(np.linspace(1, 0, s.h, dtype=np.float32)[:, None], 0.02, 0.04), -0.045)
