"""Things that are not boxes: pictures with an outline of their own, their contour, their shadow, their reflection.

A cut-out (`Art.body == "cutout"`) is a picture on a plane of its real size. The shadow is the silhouette projected
along the light, so that wheels, legs and handles throw their own.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from eval.world.drawing.kit.camera import Camera
from eval.world.drawing.kit.edition import Art

#: Shadows are soft: a quarter of the resolution is enough.
_COARSE = 4


def contour(art: Art) -> np.ndarray:
    """The outline (n, 2) of what is opaque, as fractions of width and height, from the top left corner."""
    alpha = art.pixels[..., 3]
    step = max(1, min(alpha.shape) // 160)
    small = np.ascontiguousarray((alpha[::step, ::step] > 100).astype(np.uint8))
    found, _ = cv2.findContours(small, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not found:
        return np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    largest = max(cv2.contourArea(f) for f in found)
    kept = np.concatenate([f[:, 0] for f in found if cv2.contourArea(f) > 0.04 * largest])
    if len([f for f in found if cv2.contourArea(f) > 0.04 * largest]) > 1:
        kept = cv2.convexHull(kept)[:, 0]
    simple = cv2.approxPolyDP(kept, 1.2, True)[:, 0]
    simple = simple if len(simple) > 2 else kept
    return (simple.astype(float) + 0.5) * step / np.array([alpha.shape[1], alpha.shape[0]])


def on_plane(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Fractions (n, 2) of a picture → places (n, 3) on the parallelogram of `corners` (top left, then clockwise)."""
    x, y = points[:, :1], points[:, 1:]
    return np.asarray(corners[0] + x * (corners[1] - corners[0]) + y * (corners[3] - corners[0]))


def shadow(
    canvas: np.ndarray, art: Art, corners: np.ndarray, mode: str, camera: Camera, light: float, strength: float = 0.45
) -> None:
    """Darken `canvas` in place where the cut-out on `corners` keeps the light off the stage."""
    if mode == "standing":
        depth = np.cross(corners[1] - corners[0], [0, 0, 1.0])
        depth = -depth / max(1e-9, float(np.linalg.norm(depth)))
        away = np.array([0.55 * math.cos(light), 0.25 + 0.3 * abs(math.sin(light)), 0.0])
        flat = np.array(corners, float)
        flat[:2] = flat[[3, 2]] + art.height_cm * away
        _cast(canvas, art, flat, camera, strength, 0.02 * art.height_cm)
        base = np.stack([corners[3], corners[2], corners[2] + depth * art.depth_cm, corners[3] + depth * art.depth_cm])
        inset = base.mean(0) + (base - base.mean(0)) * np.array([0.92, 1.0, 1.0])
        _under(canvas, inset, camera, 0.5, 0.03 * art.height_cm)
        return
    reach = 0.35 + 0.9 * art.depth_cm
    sunk = np.array(corners, float)
    if mode == "wall":
        sunk[:, 1] = 0.0
        step = np.array([math.cos(light), 0.0, -abs(math.sin(light))])
    else:
        sunk[:, 2] = 0.0
        step = np.array([math.cos(light), math.sin(light), 0.0])
    _cast(canvas, art, sunk, camera, 0.8 * strength, 0.12 * reach)
    _cast(canvas, art, sunk + step * reach, camera, strength, 0.35 * reach)


def _cast(canvas: np.ndarray, art: Art, corners: np.ndarray, camera: Camera, strength: float, blur_cm: float) -> None:
    """The silhouette on a parallelogram of the stage."""
    h, w = canvas.shape[:2]
    alpha = cv2.resize(art.pixels[..., 3], (160, max(8, round(160 * art.pixels.shape[0] / art.pixels.shape[1]))))
    source = np.array([[0, 0], [160, 0], [160, alpha.shape[0]], [0, alpha.shape[0]]], np.float32)
    m = cv2.getPerspectiveTransform(source, (camera.project(corners) / _COARSE).astype(np.float32))
    mask = cv2.warpPerspective(alpha, m, (w // _COARSE, h // _COARSE)).astype(np.float32) / 255
    _darken(canvas, mask, strength, blur_cm * camera.focal / camera.distance)


def _under(canvas: np.ndarray, base: np.ndarray, camera: Camera, strength: float, blur_cm: float) -> None:
    """What the body itself keeps dark: the ground below it."""
    h, w = canvas.shape[:2]
    mask = np.zeros((h // _COARSE, w // _COARSE), np.float32)
    cv2.fillPoly(mask, [np.round(camera.project(base) / _COARSE).astype(np.int32)], 1.0, cv2.LINE_AA)
    _darken(canvas, mask, strength, blur_cm * camera.focal / camera.distance)


def _darken(canvas: np.ndarray, mask: np.ndarray, strength: float, blur_px: float) -> None:
    h, w = canvas.shape[:2]
    mask = cv2.GaussianBlur(mask, (0, 0), min(60.0, max(0.7, blur_px / _COARSE)))
    canvas *= 1 - strength * cv2.resize(mask, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]


def mirrored(art: Art, corners: np.ndarray, g: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The picture upside down in rippled water and its corners below the waterline."""
    shape = (max(8, art.pixels.shape[1] // 3), max(8, art.pixels.shape[0] // 3))
    small = cv2.resize(art.pixels, shape, interpolation=cv2.INTER_AREA)[::-1]
    h, w = small.shape[:2]
    rows = cv2.GaussianBlur(g.normal(0, 1, (h, 1)).astype(np.float32), (1, 0), sigmaX=0.1, sigmaY=2.0)
    grow = np.linspace(0.3, 1.6, h, dtype=np.float32)[:, None]
    map_x = np.arange(w, dtype=np.float32)[None] + rows * grow * w * 0.012
    map_y = np.broadcast_to(np.arange(h, dtype=np.float32)[:, None], (h, w)).copy()
    rippled = cv2.remap(small, map_x.astype(np.float32), map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    fade = np.linspace(0.62, 0.12, h, dtype=np.float32)[:, None]
    rippled[..., 3] = (rippled[..., 3] * fade).astype(np.uint8)
    down = np.array(corners, float)
    down[:, 2] *= -0.72
    return rippled, down[[3, 2, 1, 0]]
