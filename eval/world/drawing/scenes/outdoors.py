"""Pictures of cut-outs where they grow, live or stand: meadow, garden bed, square, hill, river, tank, branch, sill.

A cut-out (`Art` with body "cutout") is a picture whose lower edge touches the ground, lit from the upper left. Its
apparent size, the height of the eye and the horizon belong together: a tower stands a little below the horizon, a dog
far below it. What is painted behind is in `backdrops`; boxes, shelves and desks are in `scene`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from eval.world.drawing.kit.cutouts import contour
from eval.world.drawing.kit.edition import Art
from eval.world.drawing.kit.relief import threefold
from eval.world.drawing.scenes import backdrops
from eval.world.drawing.scenes.backdrops import View
from eval.world.drawing.scenes.scene import Scene, Stage, develop


@dataclass(frozen=True)
class _Place:
    """One kind of place: what is underfoot, what is behind (by name), how high the eye is above the ground (cm), how
    far out of focus the distance is (px), how deep the things stand in grass (share of their height)."""

    ground: tuple[str, ...]
    behind: tuple[str, ...]
    eye_cm: tuple[float, float]
    blur_px: tuple[float, float]
    grass: float = 0.0
    wide: float = 1.0
    floats: bool = False


PLACES: dict[str, _Place] = {
    "meadow": _Place(("grass",), ("hills", "trees"), (70, 160), (1.5, 5), grass=0.05),
    "park": _Place(("grass", "gravel"), ("trees", "trees", "houses"), (80, 165), (1.5, 5)),
    "lawn": _Place(("grass",), ("trees", "hills"), (150, 175), (0.5, 1.5), grass=0.012),
    "bed": _Place(("soil",), ("leaves",), (60, 150), (4, 9)),
    "square": _Place(("paving", "gravel"), ("houses", "houses", "trees"), (150, 175), (0.5, 1.6)),
    "hill": _Place(("grass",), ("hills", "hills", "trees"), (150, 400), (0.5, 1.4), grass=0.012),
    "river": _Place(("water",), ("trees", "hills", "houses"), (350, 700), (0.5, 1.4), wide=1.13),
    "tank": _Place(("gravel",), ("tank",), (20, 40), (4, 8), floats=True),
    "branch": _Place(("branch",), ("leaves",), (0, 0), (7, 14)),
    "sill": _Place(("wood", "marble"), ("window",), (25, 70), (6, 12)),
}


@dataclass(frozen=True)
class _Standing:
    """Where a cut-out is: foot (px), px per cm there, and the angle (radians) it is turned away by."""

    x: float
    y: float
    scale: float
    turn: float


def shoot_outdoors(
    stage: Stage, arts: Sequence[Art], mode: str, size: tuple[int, int], r: random.Random, *, tidy: bool = False
) -> Scene:
    """Photograph cut-outs (the first is the main one) in one of `PLACES`; `tidy` for a well-composed picture."""
    place = PLACES[mode]
    g = np.random.default_rng(r.getrandbits(63))
    spots, view = _compose(arts, place, size, r, tidy)
    blur = r.uniform(*place.blur_px) * size[1] / 1280
    canvas = backdrops.paint(stage, view, r.choice(place.ground), r.choice(place.behind), blur, r, g)
    overcast = r.uniform(0.0, 0.7)
    if mode == "branch":
        for spot in spots:
            backdrops.branch(canvas, spot.x, spot.y, spot.scale, r, g)
    order = sorted(range(len(arts)), key=lambda i: spots[i].y)
    corners = [_corners(a, s, view) for a, s in zip(arts, spots, strict=True)]
    for i in order:
        if mode == "river":
            _mirrored(canvas, arts[i].pixels, corners[i], g)
        elif not place.floats and mode != "branch":
            _shadow(canvas, arts[i].pixels, corners[i], 0.55 - 0.35 * overcast, overcast)
        _paste(canvas, arts[i].pixels, corners[i])
        if place.grass:
            _blades(canvas, corners[i], place.grass, g)
    if mode == "tank":
        backdrops.water_in_front(canvas, r, g)
    glare = np.zeros((size[1], size[0]), np.float32)
    pixels = develop(canvas, glare, r.uniform(2.2, 2.7), r, g, tidy)
    outlines = [_outline(a, c) for a, c in zip(arts, corners, strict=True)]
    if not tidy:
        pixels, outlines = _rolled(pixels, outlines, r.gauss(0, 1.6))
    return Scene(pixels, tuple(outlines))


def _compose(
    arts: Sequence[Art], place: _Place, size: tuple[int, int], r: random.Random, tidy: bool
) -> tuple[list[_Standing], View]:
    """Apparent sizes, the horizon that follows from them, and where everybody stands."""
    w, h = size
    share = (0.82 if tidy else r.uniform(0.62, 0.84)) if len(arts) == 1 else r.uniform(0.88, 0.96) / len(arts)
    tall = 0.78 if tidy else r.uniform(0.56, 0.74)
    scales = [min(share * place.wide * w / a.width_cm, tall * h / a.height_cm) for a in arts]
    if len(arts) > 1:  # sizes tell the truth as far as the frame allows
        true = min(scales)
        scales = [s**0.88 * true**0.12 for s in scales]
    eye = r.uniform(*place.eye_cm)
    main = scales[0]
    height_px = arts[0].height_cm * main
    foot = h * 0.5 + height_px * 0.5 + h * (r.uniform(-0.01, 0.03) if tidy else r.uniform(-0.02, 0.09))
    foot = min(foot, 0.965 * h)
    if place.floats:
        foot = min(h * 0.86, foot)
    eye = min(eye, (foot - 0.06 * h) / main) if place.behind[0] not in ("leaves",) else eye
    horizon = foot - eye * main
    turn = 7 if tidy else 21
    order = list(range(len(arts)))
    r.shuffle(order)
    widths = [a.width_cm * s for a, s in zip(arts, scales, strict=True)]
    gap = min(0.06 * w, max(0.0, (w - sum(widths)) / (len(arts) + 1)))
    spare = max(0.0, w - sum(widths) - gap * (len(arts) - 1)) / 2
    x = spare + min(0.9 * spare, 0.06 * w) * (0.3 if tidy else 1.0) * r.uniform(-1, 1)
    spots: dict[int, _Standing] = {}
    for i in order:
        y = horizon + eye * scales[i]
        y = foot + float(np.clip(y - foot, -0.16 * h, 0.965 * h - foot))
        if place.floats:
            y = min(y, foot) - r.uniform(0.0, 0.2) * h
        scale = min(scales[i], (y - 0.03 * h) / arts[i].height_cm)  # no head beyond the frame
        spots[i] = _Standing(x + widths[i] / 2, y, scale, math.radians(r.uniform(-turn, turn)))
        x += widths[i] + gap
    far = min(s.y for s in spots.values())
    view = View(w, h, horizon, eye * main, 1.25 * max(size), main, far)
    return [spots[i] for i in range(len(arts))], view


def _corners(art: Art, spot: _Standing, view: View) -> np.ndarray:
    """(4, 2) px of the cut-out's plane, turned and seen in perspective: top left, then clockwise."""
    reach = max(2.6 * art.width_cm, view.focal / spot.scale)
    out = []
    for side, up in ((-1, 1), (1, 1), (1, 0), (-1, 0)):
        across, away = side * art.width_cm / 2 * math.cos(spot.turn), side * art.width_cm / 2 * math.sin(spot.turn)
        near = 1 / (1 + away / reach)
        above = (spot.y - view.horizon) * (near - 1)  # what is nearer stands lower in the picture
        lift = art.height_cm * up * spot.scale * near
        out.append((spot.x + across * spot.scale * near, spot.y + 0.5 * above - lift + 0.25 * lift * (1 - near)))
    return np.array(out)


def _warp(
    pixels: np.ndarray, corners: np.ndarray, size: tuple[int, int]
) -> tuple[np.ndarray, tuple[slice, slice]] | None:
    """RGBA `pixels` on `corners` as a crop of the picture, with where that crop is."""
    w, h = size
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 3, [w, h])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    wide = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3]))
    high = max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1]))
    target = (max(4, min(pixels.shape[1], round(wide * 1.2))), max(4, min(pixels.shape[0], round(high * 1.2))))
    small: np.ndarray = pixels.astype(np.float32)
    small[..., :3] *= threefold(small[..., 3] / 255)  # edges take no colour from what is transparent
    small = cv2.resize(small, target, interpolation=cv2.INTER_AREA)
    source = np.array([[0, 0], [target[0], 0], [target[0], target[1]], [0, target[1]]], np.float32)
    m = cv2.getPerspectiveTransform(source, (corners - [x0, y0]).astype(np.float32))
    return cv2.warpPerspective(small, m, (int(x1 - x0), int(y1 - y0))), (slice(y0, y1), slice(x0, x1))


def _paste(canvas: np.ndarray, pixels: np.ndarray, corners: np.ndarray) -> None:
    warped = _warp(pixels, corners, (canvas.shape[1], canvas.shape[0]))
    if warped is None:
        return
    flat, box = warped
    canvas[box] *= threefold(1 - flat[..., 3] / 255)
    canvas[box] += flat[..., :3]


def _shadow(canvas: np.ndarray, pixels: np.ndarray, corners: np.ndarray, strength: float, overcast: float) -> None:
    """The silhouette laid on the ground to the right and behind, and the dark line where it touches."""
    h, w = canvas.shape[:2]
    k = 4  # shadows are soft: a quarter of the resolution is enough
    alpha = cv2.resize(pixels[..., 3], (160, max(8, round(160 * pixels.shape[0] / pixels.shape[1]))))
    high = corners[3, 1] - corners[0, 1]
    source = np.array([[0, 0], [160, 0], [160, len(alpha)], [0, len(alpha)]], np.float32)
    for slope, rise, dark, blur in ((0.62, 0.16, strength, 0.016 + 0.03 * overcast), (0.03, 0.035, 0.62, 0.01)):
        cast = corners.copy()
        cast[:2] = cast[[3, 2]] + [slope * high, -rise * high]
        m = cv2.getPerspectiveTransform(source, (cast / k).astype(np.float32))
        mask: np.ndarray = cv2.warpPerspective(alpha, m, (w // k, h // k)).astype(np.float32) / 255
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, blur * high / k))
        canvas *= threefold(1 - dark * cv2.resize(mask, (w, h), interpolation=cv2.INTER_LINEAR))


def _mirrored(canvas: np.ndarray, pixels: np.ndarray, corners: np.ndarray, g: np.random.Generator) -> None:
    """The thing upside down in moving water."""
    small = cv2.resize(pixels, (pixels.shape[1] // 3, pixels.shape[0] // 3), interpolation=cv2.INTER_AREA)[::-1]
    h, w = small.shape[:2]
    rows = cv2.GaussianBlur(g.normal(0, 1, (h, 1)).astype(np.float32), (1, 0), sigmaX=0.1, sigmaY=1.5)
    grow = np.linspace(0.2, 1.4, h, dtype=np.float32)[:, None]
    map_x = (np.arange(w, dtype=np.float32)[None] + rows * grow * w * 0.012).astype(np.float32)
    map_y = np.broadcast_to(np.arange(h, dtype=np.float32)[:, None], (h, w)).copy()
    rippled = cv2.remap(np.ascontiguousarray(small), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rippled[..., 3] = (rippled[..., 3] * np.linspace(0.62, 0.1, h, dtype=np.float32)[:, None]).astype(np.uint8)
    rippled[..., :3] = (rippled[..., :3] * 0.78).astype(np.uint8)
    down = corners[[3, 2, 1, 0]].copy()
    down[2:, 1] = 2 * down[[1, 0], 1] - down[2:, 1]
    down[2:, 1] = down[[1, 0], 1] + 0.8 * (down[2:, 1] - down[[1, 0], 1])
    _paste(canvas, rippled, down)


def _blades(canvas: np.ndarray, corners: np.ndarray, share: float, g: np.random.Generator) -> None:
    """Grass in front of the feet."""
    left, right = corners[3], corners[2]
    long = share * float(corners[3, 1] - corners[0, 1])
    count = int(np.clip((right[0] - left[0]) / 2.2, 40, 420))
    t = g.uniform(-0.04, 1.04, count)
    feet = left + (right - left) * t[:, None] + g.normal(0, 0.35, (count, 2)) * [2, long * 1.3] + [0, long * 0.35]
    tips = feet + np.stack([g.normal(0, 0.4, count), -g.uniform(0.45, 1.25, count)], axis=1) * long
    h, w = canvas.shape[:2]
    below = int(min(h - 1, corners[2:, 1].max() + 0.05 * (corners[3, 1] - corners[0, 1]) + 4))
    for a, b in zip(feet, tips, strict=True):  # in the greens of the ground just in front
        tone = canvas[below, int(np.clip(a[0], 0, w - 1))] * g.uniform(0.84, 1.2)
        start, end = np.round(a * 8).astype(int), np.round(b * 8).astype(int)
        colour = (float(tone[0]), float(tone[1]), float(tone[2]))
        cv2.line(canvas, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), colour, 2, cv2.LINE_AA, 3)


def _outline(art: Art, corners: np.ndarray) -> np.ndarray:
    """(n, 2) px: the contour of what is opaque."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    m = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(contour(art)[None].astype(np.float64), m)[0])


def _rolled(pixels: np.ndarray, outlines: list[np.ndarray], degrees: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """The picture as a head that is not quite level sees it."""
    h, w = pixels.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1 + 0.012 * abs(degrees))
    turned = cv2.warpAffine(pixels, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return turned, [o @ m[:, :2].T + m[:, 2] for o in outlines]
