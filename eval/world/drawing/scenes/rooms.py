"""A room for furniture: a floor of boards or parquet, a papered or painted wall, skirting, a rug, a picture.

Everything but the camera is drawn from the scene's own streams. Small things stand on desks and shelves, in `scene`.
"""

from __future__ import annotations

import random
from functools import lru_cache

import cv2
import numpy as np

from eval.world.drawing.kit.camera import Camera
from eval.world.drawing.scenes.places import Place, ground, horizon_px

_SIDE = 768
_BOARDS = ((196, 152, 104), (142, 98, 62), (222, 190, 146), (104, 74, 54), (176, 160, 142))
_WALLS = ((226, 218, 202), (196, 208, 200), (206, 192, 196), (184, 196, 210), (232, 226, 214), (160, 172, 164))


@lru_cache(maxsize=8)
def _floor(tone: int, herringbone: bool) -> np.ndarray:
    """(side, side, 3) boards, 160 cm wide; tiles."""
    g = np.random.default_rng(1000 + 2 * tone + herringbone)
    rows, per_row = (16, 8) if herringbone else (10, 2)
    high, long = _SIDE // rows, _SIDE // per_row
    out = np.zeros((_SIDE, _SIDE, 3), np.float32)
    base = np.array(_BOARDS[tone], np.float32)
    for j in range(rows):
        offset = (j % 2) * long // 2 if herringbone else int(g.integers(0, long))
        for i in range(per_row):
            lines = cv2.GaussianBlur(g.normal(0, 1, (high, long)).astype(np.float32), (0, 0), sigmaX=26, sigmaY=0.9)
            board = base * (g.uniform(0.84, 1.1) + 1.1 * lines[..., None])
            board[:2] *= 0.6
            board[:, :2] *= 0.65
            x = (np.arange(long) + offset + i * long) % _SIDE
            out[j * high : (j + 1) * high, x] = board
    out[rows * high :] = out[: _SIDE - rows * high]
    return np.clip(out, 0, 255)


def _paper(size: tuple[int, int], scale: float, r: random.Random, g: np.random.Generator) -> np.ndarray:
    """The wall: paint, stripes or a small repeat, slightly out of focus."""
    w, h = size
    tone = np.array(r.choice(_WALLS), np.float32)
    wall: np.ndarray = np.broadcast_to(tone, (h, w, 3)).copy()
    kind, step = r.choice(["paint", "paint", "stripes", "sprigs"]), max(8.0, scale * r.uniform(7, 14))
    x, y = np.arange(w)[None], np.arange(h)[:, None]
    if kind == "stripes":
        wall *= np.where((x // (step / 2)) % 2 < 1, 1.0, 0.94)[..., None]
    elif kind == "sprigs":
        dots = np.cos(2 * np.pi * x / step) + np.cos(2 * np.pi * y / step)
        wall *= np.where(dots > 1.55, 0.86, 1.0)[..., None]
    mottle = cv2.resize(g.normal(0, 1, (7, 7)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(wall * (1 + 0.02 * mottle[..., None]), np.float32)


def _hang(wall: np.ndarray, scale: float, edge: float, r: random.Random) -> None:
    """A framed picture or a window on the wall."""
    w = wall.shape[1]
    wide, high = scale * r.uniform(28, 60), scale * r.uniform(30, 55)
    x = r.choice([r.uniform(-0.1, 0.16), r.uniform(0.8, 1.0)]) * w
    y = edge - scale * r.uniform(105, 150) - high
    frame = [float(r.uniform(40, 220)) for _ in range(3)]
    corners = (round(x - wide / 2), round(y)), (round(x + wide / 2), round(y + high))
    cv2.rectangle(wall, *corners, frame, -1)
    inset = max(2, round(scale * 3))
    inner = (corners[0][0] + inset, corners[0][1] + inset), (corners[1][0] - inset, corners[1][1] - inset)
    cv2.rectangle(wall, *inner, (238.0, 234.0, 224.0), -1)
    for _ in range(r.randint(3, 6)):
        px, py = r.uniform(inner[0][0], inner[1][0]), r.uniform(inner[0][1], inner[1][1])
        colour = [float(r.uniform(50, 220)) for _ in range(3)]
        reach = max(2, round(r.uniform(0.06, 0.2) * wide))
        px, py = (
            min(max(px, inner[0][0] + reach), inner[1][0] - reach),
            min(max(py, inner[0][1] + reach), inner[1][1] - reach),
        )
        cv2.circle(wall, (round(px), round(py)), reach, colour, -1, cv2.LINE_AA)


def _room(camera: Camera, size: tuple[int, int], r: random.Random, g: np.random.Generator) -> np.ndarray:
    w, h = size
    behind = r.uniform(35, 90)
    boards = _floor(r.randrange(len(_BOARDS)), r.random() < 0.5)
    picture = ground(boards, 160.0, camera, size, (r.uniform(0, 99), r.uniform(0, 99)))
    if r.random() < 0.45:
        _rug(picture, camera, r)
    foot = camera.project(np.array([[camera.target[0] - 400, behind, 0.0], [camera.target[0] + 400, behind, 0.0]]))
    edge = float(np.clip(foot[:, 1].mean(), horizon_px(camera) + 2, h * 2))
    scale = camera.focal / (camera.distance + behind)
    wall = _paper(size, scale, r, g)
    if r.random() < 0.6:
        _hang(wall, scale, edge, r)
    slope = (foot[1, 1] - foot[0, 1]) / max(1.0, float(foot[1, 0] - foot[0, 0]))
    line = edge + slope * (np.arange(w) - w / 2)
    rows = np.arange(h)[:, None]
    skirting = (rows > line[None] - scale * 9) & (rows <= line[None])
    wall[skirting] = r.choice([(240, 238, 232), (150, 108, 74), (214, 208, 198)])
    lip = (rows > line[None] - scale * 9 - 2) & (rows <= line[None] - scale * 9)
    wall[lip] *= 0.75
    wall = cv2.GaussianBlur(wall, (0, 0), r.uniform(0.8, 2.2))
    alpha = np.clip(line[None] - rows + 0.5, 0, 1)[..., None].astype(np.float32)
    corner = 1 - 0.28 * np.exp(-np.abs(rows - line[None]) / (scale * 9 + 1))[..., None]
    return np.asarray((wall * alpha + picture * (1 - alpha)) * corner, np.float32)


def _rug(picture: np.ndarray, camera: Camera, r: random.Random) -> None:
    """A plain rug with a border under what stands there."""
    x, reach, deep = camera.target[0], r.uniform(60, 110), r.uniform(35, 60)
    colours = [[float(r.uniform(60, 200)) for _ in range(3)] for _ in range(3)]
    for shrink, colour in zip((0.0, 6.0, 10.0), (colours[0], colours[1], colours[0]), strict=True):
        a, b = reach - shrink, deep - shrink
        corners = np.array([[x - a, -b, 0], [x + a, -b, 0], [x + a, b * 0.5, 0], [x - a, b * 0.5, 0]])
        px = np.clip(camera.project(corners), -8000, 8000)
        cv2.fillPoly(picture, [np.round(px).astype(np.int32)], colour, cv2.LINE_AA)


#: Places indoors where furniture stands, by the name of their mode.
ROOMS: dict[str, Place] = {"room": Place(_room, "standing", (62.0, 92.0))}
