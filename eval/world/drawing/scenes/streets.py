"""Places for vehicles, gear and clothes: a street, rails, a car park, a harbour, grass, a sports hall, a shop.

Each is a ground in perspective, something upright behind it and a sky, seen by the camera of the scene. Which
part of the stock in `scenery` is seen differs from picture to picture.
"""

from __future__ import annotations

import random

import cv2
import numpy as np

from eval.world.drawing.kit.camera import Camera
from eval.world.drawing.kit.textures import noise
from eval.world.drawing.scenes.places import Place, ground, horizon_px
from eval.world.drawing.scenes.scenery import FRONT_CM, VARIANTS, floor, fronts, green


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
    wide, high = sw * FRONT_CM, sh * FRONT_CM
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
    kind: str, cm: float, camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator
) -> tuple[np.ndarray, int]:
    """Sky above the horizon, ground below it; and the row of the horizon."""
    horizon = horizon_px(camera)
    canvas = sky(size, horizon, r, g)
    row = int(np.clip(horizon, 0, size[1]))
    origin = (r.uniform(0, cm), r.uniform(0, cm))
    flat = ground(floor(kind, r.randrange(VARIANTS)), cm, camera, size, origin)
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
    _stand(canvas, fronts(r.randrange(VARIANTS)), camera, houses, left, r.uniform(0.6, 2.2), r.uniform(0.8, 1.02))
    return canvas


def car_park(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """White bays on asphalt before a hedge and trees."""
    canvas, _ = _open("asphalt", 260.0, camera, size, r, g)
    x, behind = camera.target[0], r.uniform(280, 520)
    start = x - 3000 - r.uniform(0, 500)
    for i in range(12):
        _stripe(canvas, camera, start + i * 520, -260, start + i * 520 + 12, behind - 60, 222, 0.8)
    _stripe(canvas, camera, x - 4000, behind - 62, x + 4000, behind - 50, 222, 0.8)
    _stand(canvas, green(r.randrange(VARIANTS)), camera, behind + r.uniform(900, 1800), x - 3000, 3.0, 0.78)
    left = x - r.uniform(1500, 4400)
    _stand(canvas, green(r.randrange(VARIANTS)), camera, behind, left, r.uniform(0.6, 2.4), r.uniform(0.8, 1.05))
    return canvas


def tramway(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """A street with rails set in the road."""
    canvas = street(camera, size, r, g)
    x = camera.target[0]
    _stripe(canvas, camera, x - 4000, -130, x + 4000, 250, r.uniform(140, 170), 0.4)
    for y in (4.0, 148.0):
        _stripe(canvas, camera, x - 4000, y - 9, x + 4000, y + 9, 62, 0.8)
        _stripe(canvas, camera, x - 4000, y - 3.5, x + 4000, y + 3.5, 190, 0.9)
    return canvas


def harbour(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Open water, a far shore with houses or woods."""
    canvas, row = _open("water", 420.0, camera, size, r, g)
    far = r.uniform(4500, 9000)
    strip = fronts(r.randrange(VARIANTS)) if r.random() < 0.5 else green(r.randrange(VARIANTS))
    for k in range(-2, 3):
        _stand(canvas, strip, camera, far, camera.target[0] - 3000 + k * 6000, r.uniform(1.0, 2.0), 0.82)
    haze = np.exp(-np.abs(np.arange(size[1]) - row) / (0.05 * size[1])).astype(np.float32)[:, None, None] * 0.35
    return np.asarray(canvas * (1 - haze) + 206 * haze, np.float32)


def lawn(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """Grass, for what lies in it."""
    canvas, row = _open("grass", 70.0, camera, size, r, g)
    if row > 10:
        _stand(canvas, green(r.randrange(VARIANTS)), camera, r.uniform(900, 2500), camera.target[0] - 3000, 3.0, 0.95)
    return canvas


def hall(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """The floor of a sports hall with its lines."""
    canvas, _ = _open("parquet", 120.0, camera, size, r, g)
    wall = np.zeros((600, 900, 4), np.uint8)
    wall[...] = (*r.choice([(206, 200, 186), (176, 190, 196), (190, 176, 150)]), 255)
    wall[-90:-70, :, :3] = r.choice([(150, 60, 50), (60, 92, 130), (70, 110, 80)])
    wall[-20:, :, :3] = (120, 96, 70)
    for k in range(0, 900, 110):
        wall[120:300, k + 12 : k + 86, :3] = (226, 232, 234)
    _stand(canvas, wall, camera, r.uniform(350, 700), camera.target[0] - 900, 4.0, r.uniform(0.7, 0.9))
    for _ in range(r.randint(1, 3)):
        x, y = camera.target[0] + r.uniform(-60, 60), r.uniform(-40, 70)
        if r.random() < 0.5:
            _stripe(canvas, camera, x, -200, x + 5, 400, r.choice([236, 60]), 0.7)
        else:
            _stripe(canvas, camera, x - 400, y, x + 400, y + 5, r.choice([236, 60]), 0.7)
    return canvas


def shop(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    """A wooden floor before a plain wall with a skirting board, shelves and a mirror."""
    canvas = np.empty((size[1], size[0], 3), np.float32)
    canvas[:] = 170
    x, behind = camera.target[0], r.uniform(70, 160)
    strip = np.zeros((260, 700, 4), np.uint8)
    tone = r.choice([(222, 214, 202), (196, 206, 204), (214, 196, 186), (150, 160, 170)])
    strip[...] = (*tone, 255)
    strip[-9:, :, :3] = 236
    for _ in range(5):
        x0, y0 = r.randrange(700), r.randrange(40, 150)
        wide = r.randrange(40, 110)
        strip[y0 : y0 + 3, x0 : x0 + wide, :3] = (120, 92, 64)
        for k in range(x0 + 3, min(690, x0 + wide - 10), 13):
            high = r.randrange(6, 16)
            strip[y0 - high : y0, k : k + 10, :3] = [r.randrange(60, 230) for _ in range(3)]
    wood = floor("parquet", r.randrange(VARIANTS))
    boards = ground(wood, 130.0, camera, size, (r.uniform(0, 99), r.uniform(0, 99)))
    row = int(np.clip(horizon_px(camera), 0, size[1]))
    canvas[row:] = boards[row:]
    _stand(canvas, strip, camera, behind, x - 700, r.uniform(1.2, 3.0), r.uniform(0.85, 1.0))
    return canvas


STREETS: dict[str, Place] = {
    "street": Place(street),
    "tramway": Place(tramway),
    "car park": Place(car_park),
    "harbour": Place(harbour, eye_cm=(220.0, 330.0), water=True),
    "grass": Place(lawn, placing="lying", eye_cm=None),
    "pitch": Place(lawn, eye_cm=None),
    "hall": Place(hall, eye_cm=None),
    "shop": Place(shop, eye_cm=(120.0, 170.0)),
}
