"""Places for vehicles and sports gear: a street with houses, a car park, a harbour, a lawn, a sports hall floor.

Each is a ground in perspective, something upright behind it and a sky, seen by the camera of the scene. The stock of
grounds and house fronts is small and made once a process; which part of it is seen differs from picture to picture.
"""

from __future__ import annotations

import random
from functools import lru_cache

import cv2
import numpy as np

from eval.world.drawing.camera import Camera
from eval.world.drawing.places import Place, ground, horizon_px
from eval.world.drawing.textures import noise

_VARIANTS = 3
#: One pixel of a house front is this many cm.
_FRONT_CM = 2.0


@lru_cache(maxsize=24)
def _floor(kind: str, variant: int) -> np.ndarray:
    """A tiling (512, 512, 3) uint8 ground: asphalt, cobbles, grass, water, parquet."""
    g = np.random.default_rng([ord(kind[0]), len(kind), variant])
    side = 512
    fine, mid = noise(g, 170, 170, side), noise(g, 24, 24, side)
    if kind == "asphalt":
        tone = 96 + 22 * variant + 9 * fine + 4 * mid
        out = np.stack([tone, tone * 1.0, tone * 1.02], axis=2)
    elif kind == "cobbles":
        tone = 128 + 10 * variant + 8 * fine
        out = np.stack([tone, tone * 0.96, tone * 0.9], axis=2)
        n = 14
        for j in range(n):
            for i in range(n + 1):
                x, y, s = (i + (j % 2) / 2) * side / n, (j + 0.5) * side / n, side / n
                shade = g.uniform(0.78, 1.16)
                a, b = (int(x - 0.46 * s), int(y - 0.44 * s)), (int(x + 0.46 * s), int(y + 0.44 * s))
                out[max(0, a[1]) : b[1], max(0, a[0]) : max(0, b[0])] *= shade
        out *= 1 - 0.4 * _grid(side, n)[..., None]
    elif kind == "grass":
        tone = 0.5 + 0.17 * fine + 0.1 * noise(g, 70, 200, side) + 0.07 * mid
        dark, light = np.array([48, 78 + 6 * variant, 30.0]), np.array([138, 166, 78.0])
        out = dark + (light - dark) * np.clip(tone, 0, 1)[..., None]
    elif kind == "water":
        wave = 0.5 + 0.22 * noise(g, 12, 44, side) + 0.13 * noise(g, 30, 120, side)
        dark, light = np.array([[38, 70, 88], [52, 84, 84], [44, 62, 94]][variant], float), np.array([150, 178, 190.0])
        out = dark + (light - dark) * np.clip(wave, 0, 1)[..., None] ** 1.6
    else:  # parquet
        out = np.empty((side, side, 3))
        for j in range(16):
            for i in range(4):
                x = (i * side // 4 + (j % 2) * side // 8) % side
                tone = np.array([196, 152, 100.0]) * g.uniform(0.86, 1.1)
                rows = slice(j * 32, j * 32 + 32)
                columns = np.arange(x, x + side // 4) % side
                out[rows, columns] = tone
                out[rows, x] *= 0.6
            out[j * 32] *= 0.7
        out *= (1 + 0.04 * fine)[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


def _grid(side: int, n: int) -> np.ndarray:
    """The joints between cobbles."""
    i = np.arange(side)
    across = (np.minimum(i % (side / n), side / n - i % (side / n)) < 2.2).astype(np.float32)
    return cv2.GaussianBlur(np.broadcast_to(across[:, None], (side, side)).copy(), (0, 0), 0.8)


@lru_cache(maxsize=8)
def _fronts(variant: int) -> np.ndarray:
    """A row of house fronts, 60 m by 14 m: (700, 3000, 4) uint8, transparent above the roofs."""
    g = random.Random(f"house fronts {variant}")
    out = np.zeros((700, 3000, 4), np.uint8)
    x = 0
    while x < 3000:
        wide, high = g.randint(260, 480), g.randint(400, 640)
        base = g.choice(
            [(214, 196, 166), (196, 128, 104), (168, 178, 172), (226, 214, 196), (150, 96, 80), (186, 170, 120)]
        )
        _house(out, x, min(3000, x + wide), 700 - high, base, g)
        x += wide
    grain = np.random.default_rng(variant).normal(0, 3, (700, 3000, 1))
    out[..., :3] = np.clip(out[..., :3] + grain, 0, 255).astype(np.uint8)
    return out


def _house(out: np.ndarray, x0: int, x1: int, top: int, base: tuple[int, int, int], g: random.Random) -> None:
    """One house: storeys of windows, a roof edge, a door and a shop window at street level."""

    def box(a: int, b: int, c: int, d: int, colour: tuple[int, ...]) -> None:
        cv2.rectangle(out, (a, b), (c, d), (*colour[:3], 255), -1)

    def tone(f: float) -> tuple[int, ...]:
        return tuple(int(min(255, v * f)) for v in base)

    box(x0, top, x1, 699, base)
    box(x0, top, x1, top + 14, tone(0.7))
    box(x0, 470, x1, 480, tone(1.12))
    cols = max(2, (x1 - x0) // 95)
    frame = g.choice([(240, 238, 232), (90, 70, 56), (66, 82, 74)])
    step = (x1 - x0) / cols
    shutters = g.random() < 0.4
    for y in range(top + 50, 440, 140):
        for i in range(cols):
            cx = int(x0 + (i + 0.5) * step)
            glass = g.choice([(88, 102, 112), (120, 134, 142), (70, 78, 86)])
            box(cx - 27, y - 5, cx + 27, y + 85, frame)
            box(cx - 22, y, cx + 22, y + 80, glass)
            box(cx - 2, y, cx + 2, y + 80, frame)
            box(cx - 22, y + 26, cx + 22, y + 29, frame)
            box(cx - 32, y + 85, cx + 32, y + 92, tone(1.15))
            if shutters:
                for side in (-1, 1):
                    box(cx + side * 44 - 15, y, cx + side * 44 + 15, y + 82, (74, 98, 88))
    door = g.randrange(cols)
    for i in range(cols):
        cx = int(x0 + (i + 0.5) * step)
        if i == door:
            box(cx - 30, 520, cx + 30, 699, frame)
            box(cx - 24, 528, cx + 24, 699, g.choice([(92, 52, 40), (50, 76, 92), (60, 84, 60)]))
        else:
            box(cx - 40, 530, cx + 40, 650, frame)
            box(cx - 35, 536, cx + 35, 645, (96, 108, 112))
            if g.random() < 0.4:
                stripe = g.choice([(176, 60, 52), (60, 100, 130), (204, 160, 70)])
                for k in range(8):
                    box(cx - 46 + k * 12, 505, cx - 35 + k * 12, 535, stripe if k % 2 else (240, 236, 226))


@lru_cache(maxsize=8)
def _green(variant: int) -> np.ndarray:
    """A hedge with trees behind it, 60 m by 10 m: (500, 3000, 4) uint8."""
    g = np.random.default_rng(500 + variant)
    out = np.zeros((500, 3000, 4), np.uint8)
    for _ in range(26):
        x, high, wide = int(g.integers(0, 3000)), int(g.integers(230, 440)), int(g.integers(80, 150))
        cv2.rectangle(out, (x - 7, 500 - high // 2), (x + 7, 499), (86, 70, 54, 255), -1)
        _foliage(out, x, int(500 - high + wide * 0.6), wide, int(wide * 0.8), 420, g)
    for x in range(0, 3000, 40):
        _foliage(out, x, 470, 44, 34, 70, g)
    return out


def _foliage(out: np.ndarray, x: int, y: int, wide: int, high: int, count: int, g: np.random.Generator) -> None:
    """A crown or a bush around (x, y): leaves by the tuft, the lower right ones in shadow, the upper left ones lit."""
    tone = np.array([64, 98, 50]) * g.uniform(0.75, 1.2)
    lumps = [(g.normal(0, 0.45), g.normal(0, 0.4)) for _ in range(9)]
    for k in range(count):
        a, b = lumps[k % 9]
        dx, dy = a + g.normal(0, 0.2), b + g.normal(0, 0.2)
        lit = 0.62 + 0.62 * k / count - 0.24 * dx - 0.3 * dy
        colour = np.clip(tone * lit * g.uniform(0.85, 1.15), 0, 255)
        at = (int(x + dx * wide), int(min(497, y + dy * high)))
        axes = (int(g.integers(4, 12)), int(g.integers(3, 8)))
        cv2.ellipse(out, at, axes, float(g.uniform(0, 180)), 0, 360, (*map(int, colour), 255), -1)


def sky(size: tuple[int, int], horizon: float, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Down to the horizon: blue, overcast or evening, with clouds; float32."""
    w, h = size
    high, low = r.choice(
        [((96, 142, 198), (206, 222, 236)), ((150, 160, 170), (216, 218, 220)), ((112, 132, 176), (244, 208, 170)),
         ((70, 122, 190), (178, 208, 232))]
    )  # fmt: skip
    t = np.clip(np.arange(h, dtype=np.float32) / max(60.0, horizon), 0, 1)[:, None, None]
    out = np.array(high, np.float32) * (1 - t) + np.array(low, np.float32) * t
    clouds = cv2.resize(noise(g, 3, 7, 128) + 0.5 * noise(g, 9, 20, 128), (w, h), interpolation=cv2.INTER_LINEAR)
    cover = np.clip(clouds - r.uniform(-0.2, 0.9), 0, 1.4)[..., None] * 0.5 * (1 - 0.5 * t)
    return np.asarray(out * (1 - cover) + 246 * cover, np.float32)


def _stand(
    canvas: np.ndarray, strip: np.ndarray, camera: Camera, behind_cm: float, left_cm: float, blur: float, tint: float
) -> None:
    """Put a strip of upright scenery on the ground, `behind_cm` behind the things, its left end at `left_cm`."""
    h, w = canvas.shape[:2]
    sh, sw = strip.shape[:2]
    wide, high = sw * _FRONT_CM, sh * _FRONT_CM
    corners = np.array([[0, behind_cm, high], [wide, behind_cm, high], [wide, behind_cm, 0], [0, behind_cm, 0]], float)
    corners[:, 0] += left_cm
    m = cv2.getPerspectiveTransform(
        np.array([[0, 0], [sw, 0], [sw, sh], [0, sh]], np.float32), camera.project(corners).astype(np.float32)
    )
    flat = cv2.warpPerspective(strip, m, (w, h), flags=cv2.INTER_AREA)
    if blur > 0.4:
        flat = cv2.GaussianBlur(flat, (0, 0), blur)
    alpha = flat[..., 3:].astype(np.float32) / 255
    canvas *= 1 - alpha
    canvas += flat[..., :3].astype(np.float32) * tint


def _open(
    floor: str, cm: float, camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator
) -> tuple[np.ndarray, int]:
    """Sky above the horizon, ground below it; and the row of the horizon."""
    horizon = horizon_px(camera)
    canvas = sky(size, horizon, r, g)
    row = int(np.clip(horizon, 0, size[1]))
    origin = (r.uniform(0, cm), r.uniform(0, cm))
    flat = ground(_floor(floor, r.randrange(_VARIANTS)), cm, camera, size, origin)
    tint = np.array([r.uniform(0.94, 1.06), 1.0, r.uniform(0.94, 1.06)], np.float32) * r.uniform(0.85, 1.08)
    canvas[row:] = flat[row:] * tint
    return canvas, row


def _stripe(
    canvas: np.ndarray, camera: Camera, x0: float, y0: float, x1: float, y1: float, colour: float, a: float
) -> None:
    """A painted rectangle on the ground."""
    steps = 8
    lower = [[x0 + (x1 - x0) * i / steps, y0, 0.0] for i in range(steps + 1)]
    upper = [[x1 + (x0 - x1) * i / steps, y1, 0.0] for i in range(steps + 1)]
    px = camera.project(np.array(lower + upper))
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(np.clip(px, -8000, 8000) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    x, y, w, h = cv2.boundingRect(mask)
    part = canvas[y : y + h, x : x + w]
    t = mask[y : y + h, x : x + w, None].astype(np.float32) / 255 * a
    part *= 1 - t
    part += colour * t


def street(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Before a row of houses, at the kerb."""
    canvas, _ = _open(r.choice(["asphalt", "asphalt", "cobbles"]), 300.0, camera, size, r, g)
    kerb = r.uniform(170, 320)
    houses = kerb + r.uniform(160, 420)
    x = camera.target[0]
    _stripe(canvas, camera, x - 4000, kerb, x + 4000, houses + 20, r.uniform(150, 182), 0.85)
    _stripe(canvas, camera, x - 4000, kerb - 14, x + 4000, kerb + 4, 202, 0.9)
    left = x - r.uniform(1500, 4400)
    _stand(canvas, _fronts(r.randrange(_VARIANTS)), camera, houses, left, r.uniform(0.6, 2.2), r.uniform(0.8, 1.02))
    return canvas


def car_park(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """White bays on asphalt before a hedge and trees."""
    canvas, _ = _open("asphalt", 260.0, camera, size, r, g)
    x, behind = camera.target[0], r.uniform(280, 520)
    start = x - 3000 - r.uniform(0, 500)
    for i in range(12):
        _stripe(canvas, camera, start + i * 520, -260, start + i * 520 + 12, behind - 60, 222, 0.8)
    _stripe(canvas, camera, x - 4000, behind - 62, x + 4000, behind - 50, 222, 0.8)
    _stand(canvas, _green(r.randrange(_VARIANTS)), camera, behind + r.uniform(900, 1800), x - 3000, 3.0, 0.78)
    left = x - r.uniform(1500, 4400)
    _stand(canvas, _green(r.randrange(_VARIANTS)), camera, behind, left, r.uniform(0.6, 2.4), r.uniform(0.8, 1.05))
    return canvas


def tramway(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """A street with rails set in the road."""
    canvas = street(camera, size, r, g)
    x = camera.target[0]
    for y in (4.0, 148.0):
        _stripe(canvas, camera, x - 4000, y - 9, x + 4000, y + 9, 62, 0.8)
        _stripe(canvas, camera, x - 4000, y - 3.5, x + 4000, y + 3.5, 190, 0.9)
    return canvas


def harbour(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Open water, a far shore with houses or woods."""
    canvas, row = _open("water", 420.0, camera, size, r, g)
    far = r.uniform(4500, 9000)
    strip = _fronts(r.randrange(_VARIANTS)) if r.random() < 0.5 else _green(r.randrange(_VARIANTS))
    for k in range(-2, 3):
        _stand(canvas, strip, camera, far, camera.target[0] - 3000 + k * 6000, r.uniform(1.0, 2.0), 0.82)
    haze = np.exp(-np.abs(np.arange(size[1]) - row) / (0.05 * size[1])).astype(np.float32)[:, None, None] * 0.35
    return np.asarray(canvas * (1 - haze) + 206 * haze, np.float32)


def lawn(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Grass, for what lies in it."""
    canvas, row = _open("grass", 70.0, camera, size, r, g)
    if row > 10:
        _stand(canvas, _green(r.randrange(_VARIANTS)), camera, r.uniform(900, 2500), camera.target[0] - 3000, 3.0, 0.95)
    return canvas


def hall(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """The floor of a sports hall with its lines."""
    canvas, _ = _open("parquet", 120.0, camera, size, r, g)
    for _ in range(r.randint(1, 3)):
        x, y = camera.target[0] + r.uniform(-60, 60), r.uniform(-40, 70)
        if r.random() < 0.5:
            _stripe(canvas, camera, x, -200, x + 5, 400, r.choice([236, 60]), 0.7)
        else:
            _stripe(canvas, camera, x - 400, y, x + 400, y + 5, r.choice([236, 60]), 0.7)
    return canvas


STREETS: dict[str, Place] = {
    "street": Place(street),
    "tramway": Place(tramway),
    "car park": Place(car_park),
    "harbour": Place(harbour, eye_cm=(220.0, 330.0), water=True),
    "lawn": Place(lawn, placing="lying", eye_cm=None),
    "pitch": Place(lawn, eye_cm=None),
    "hall": Place(hall, eye_cm=None),
}
