"""CRAG-MM's five kinds of bad picture, as values: low light, blurred, truncated, occluded, rotated.

A `Degradation` is a kind, a severity in (0, 1] and a seed; the same value gives the same pixels. The shape of the
picture never changes. `outline_through` maps polygons the same way, clipped to the picture. What these do not cover:
several degradations at once (apply them one after the other) and overexposure, which the benchmark does not label.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import cv2
import numpy as np

DegradationKind = Literal["low light", "blurred", "truncated", "occluded", "rotated"]
KINDS: tuple[DegradationKind, ...] = get_args(DegradationKind)


@dataclass(frozen=True)
class Degradation:
    """What is done to a picture. severity: 0 (excluded; barely visible) to 1 (the worst still worth a try)."""

    kind: DegradationKind
    severity: float
    seed: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no degradation {self.kind!r}: choose one of {', '.join(KINDS)}")
        if not 0 < self.severity <= 1:
            raise ValueError(f"a severity lies above 0 and up to 1, not {self.severity!r}")


def degrade(pixels: np.ndarray, degradation: Degradation) -> np.ndarray:
    """`pixels` (height, width, 3) uint8 RGB → a new array of the same shape and type."""
    g = np.random.default_rng(degradation.seed)
    severity = degradation.severity
    if degradation.kind == "low light":
        return _darken(pixels, severity, g)
    if degradation.kind == "blurred":
        return _blur(pixels, severity, g)
    if degradation.kind == "occluded":
        return _occlude(pixels, severity, g)
    h, w = pixels.shape[:2]
    m = _affine(h, w, degradation)
    if degradation.kind == "truncated":
        return cv2.warpAffine(pixels, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _rotate(pixels, m)


def outline_through(polygon: np.ndarray, shape: tuple[int, int], degradation: Degradation | None) -> np.ndarray:
    """Where an outline (n, 2), in px, lies after `degrade`, clipped to the picture of `shape` (height, width).

    Returns an (m, 2) array; m is 0 when nothing of it is left inside. With None it is only clipped.
    """
    h, w = shape
    points = np.asarray(polygon, np.float64).reshape(-1, 2)
    if degradation is not None and degradation.kind in ("truncated", "rotated"):
        m = _affine(h, w, degradation)
        points = points @ m[:, :2].T + m[:, 2]
    return _clip(points, w, h)


def _darken(pixels: np.ndarray, severity: float, g: np.random.Generator) -> np.ndarray:
    """Less light, crushed shadows, sensor noise and a colour cast."""
    gain = 0.62 - 0.5 * severity
    cast = np.array([1.0, g.uniform(0.93, 1.0), g.uniform(0.82, 1.0)])
    table = 255 * (np.arange(256) / 255) ** (1 + 0.55 * severity) * gain
    dark = table.astype(np.float32)[pixels] * cast.astype(np.float32)
    grain = g.normal(0, 1.2 + 4.5 * severity, pixels.shape).astype(np.float32)
    return np.clip(dark + grain, 0, 255).astype(np.uint8)


def _blur(pixels: np.ndarray, severity: float, g: np.random.Generator) -> np.ndarray:
    """Motion in one direction, or out of focus; lengths grow with the picture."""
    h, w = pixels.shape[:2]
    scale = max(h, w) / 1280
    if g.random() < 0.6:
        length = max(2.0, (5 + 27 * severity) * scale)
        angle = g.uniform(0, math.pi)
        size = int(length) | 1
        kernel = np.zeros((size + 2, size + 2), np.float32)
        c = (size + 1) / 2
        dx, dy = math.cos(angle) * length / 2, math.sin(angle) * length / 2
        start, end = (round(c - dx), round(c - dy)), (round(c + dx), round(c + dy))
        cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA)
        return cv2.filter2D(pixels, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return cv2.GaussianBlur(pixels, (0, 0), max(0.8, (1.5 + 6.5 * severity) * scale), borderType=cv2.BORDER_REPLICATE)


def _occlude(pixels: np.ndarray, severity: float, g: np.random.Generator) -> np.ndarray:
    """Something near the camera in front of the middle: fingers, a strap, or a dark out-of-focus edge."""
    h, w = pixels.shape[:2]
    mask = np.zeros((h, w), np.float32)
    kind = int(g.integers(3))
    thick = max(3, int((0.10 + 0.20 * severity) * w))
    x, y = g.uniform(0.36, 0.64) * w, g.uniform(0.38, 0.62) * h
    if kind == 0:
        colour = np.array([(208, 156, 124), (150, 104, 78), (92, 62, 46), (230, 186, 160)][int(g.integers(4))])
        side = g.choice([-1, 1])
        for i in range(1 + int(severity > 0.45)):
            tip = (int(x + i * side * thick * 0.9), int(y + i * thick * 0.5))
            base = (int(x + side * w * 0.55 + i * side * thick), int(h * 1.1))
            cv2.line(mask, tip, base, 1.0, thick, cv2.LINE_AA)
    elif kind == 1:
        colour = g.uniform(20, 110, 3)
        angle = g.uniform(0.2, math.pi - 0.2)
        dx, dy = math.cos(angle) * (w + h), math.sin(angle) * (w + h)
        cv2.line(mask, (int(x - dx), int(y - dy)), (int(x + dx), int(y + dy)), 1.0, thick, cv2.LINE_AA)
    else:
        colour = g.uniform(10, 70, 3)
        reach = int((0.28 + 0.32 * severity) * w)
        left = bool(g.integers(2))
        cv2.circle(mask, (0 if left else w, int(y)), int(reach * 1.25), 1.0, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, w * 0.006))[..., None]
    inner = 0.62 + 0.4 * cv2.GaussianBlur(mask, (0, 0), max(1.0, thick * 0.3))[..., None]
    out = pixels.astype(np.float32) * (1 - soft) + colour.astype(np.float32) * inner * soft
    return np.clip(out, 0, 255).astype(np.uint8)


def _affine(h: int, w: int, degradation: Degradation) -> np.ndarray:
    """The 2x3 map of the geometric kinds, source px → result px."""
    g = np.random.default_rng(degradation.seed)
    if degradation.kind == "truncated":
        # The camera is nearer and looks past the object: keep a part of the picture that leaves one side out.
        keep = 1 - 0.42 * degradation.severity
        ax, ay = [(0.0, 0.5), (1.0, 0.5), (0.5, 0.0), (0.5, 1.0), (0.0, 0.0), (1.0, 1.0)][int(g.integers(6))]
        x0, y0 = ax * (1 - keep) * w, ay * (1 - keep) * h
        return np.array([[1 / keep, 0, -x0 / keep], [0, 1 / keep, -y0 / keep]])
    # A tilted or sideways head: up to a quarter turn, and upside down at the very end of the scale.
    angle = 12 + 78 * degradation.severity if degradation.severity < 0.95 else g.choice([90.0, 180.0])
    sign = float(g.choice([-1, 1]))
    fit = min(1.0, w / h + 0.25) if 60 < angle < 120 else 1.0
    return cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), sign * angle, fit)


def _rotate(pixels: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Rotate; corners that come into view show blurred surroundings instead of black."""
    h, w = pixels.shape[:2]
    around = cv2.GaussianBlur(pixels, (0, 0), max(2.0, w * 0.03), borderType=cv2.BORDER_REPLICATE)
    back = cv2.warpAffine(around, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    front = cv2.warpAffine(pixels, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    inside = cv2.warpAffine(np.full((h, w), 255, np.uint8), m, (w, h), flags=cv2.INTER_LINEAR)
    alpha = inside[..., None].astype(np.float32) / 255
    return np.clip(front.astype(np.float32) + back * (1 - alpha), 0, 255).astype(np.uint8)


def _clip(points: np.ndarray, w: int, h: int) -> np.ndarray:
    """Sutherland-Hodgman against the picture's rectangle."""
    polygon = [tuple(p) for p in points]
    for axis, limit, keep_less in ((0, 0.0, False), (0, float(w), True), (1, 0.0, False), (1, float(h), True)):
        result: list[tuple[float, ...]] = []
        for i, b in enumerate(polygon):
            a = polygon[i - 1]
            a_in = (a[axis] <= limit) == keep_less or a[axis] == limit
            b_in = (b[axis] <= limit) == keep_less or b[axis] == limit
            if a_in != b_in:
                t = (limit - a[axis]) / (b[axis] - a[axis])
                result.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
            if b_in:
                result.append(b)
        polygon = result
    return np.array(polygon, np.float64).reshape(-1, 2)
