"""Cut-outs of solid made things, built from shaded parts: outlines with a bulge, turned bodies with a print on.

A part is a flat outline that gets a height profile, the light of the picture, gloss, and a shadow on the parts below
it. Living things are in `relief`, scenes and placing elsewhere. Coordinates are fractions of the width on both axes,
so circles stay round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour
from eval.world.drawing.kit.edition import Edition

Point = tuple[float, float]
Outline = Sequence[Point]


def ellipse(x: float, y: float, rx: float, ry: float, turn: float = 0.0, n: int = 48) -> list[Point]:
    """An ellipse turned by `turn` radians."""
    c, s = math.cos(turn), math.sin(turn)
    ring = [(rx * math.cos(2 * math.pi * i / n), ry * math.sin(2 * math.pi * i / n)) for i in range(n)]
    return [(x + a * c - b * s, y + a * s + b * c) for a, b in ring]


def box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> list[Point]:
    """A rectangle with rounded corners."""
    r = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    if r <= 0:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    points = []
    for cx, cy, start in ((x1 - r, y0 + r, -90), (x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180)):
        for i in range(9):
            a = math.radians(start + i * 11.25)
            points.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    return points


def smooth(points: Outline, *, closed: bool = True, steps: int = 10) -> list[Point]:
    """A Catmull-Rom curve through the points."""
    p = list(points)
    n = len(p)
    result: list[Point] = []
    for i in range(n if closed else n - 1):
        quad = [p[(i + k) % n] if closed else p[min(max(i + k, 0), n - 1)] for k in (-1, 0, 1, 2)]
        for j in range(steps):
            t = j / steps
            weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2)
            x = sum(w * q[0] for w, q in zip(weights, quad, strict=True)) / 2
            y = sum(w * q[1] for w, q in zip(weights, quad, strict=True)) / 2
            result.append((x, y))
    if not closed:
        result.append(p[-1])
    return result


def band(path: Outline, width: float, end_width: float | None = None) -> list[Point]:
    """The outline of a thick line, `width` at its start and `end_width` at its end."""
    a = np.asarray(path, float)
    along = np.gradient(a, axis=0)
    along /= np.maximum(1e-9, np.linalg.norm(along, axis=1))[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    half = np.linspace(width, width if end_width is None else end_width, len(a))[:, None] / 2
    both = np.concatenate([a + normal * half, (a - normal * half)[::-1]])
    return [(float(x), float(y)) for x, y in both]


def turned(x: float, profile: Outline, sag: float = 0.0) -> list[Point]:
    """The outline of a body turned on a lathe: `profile` is (half width, y) from top to bottom; its lowest edge bends
    down by `sag`, as it does when seen a little from above."""
    curve = smooth(profile, closed=False, steps=12)
    w, y = curve[-1]
    arc = [(x + w * math.cos(math.pi * i / 16), y + sag * math.sin(math.pi * i / 16)) for i in range(1, 16)]
    return [(x + w, y) for w, y in curve] + arc * (sag > 0) + [(x - w, y) for w, y in reversed(curve)]


class Solid:
    """A picture of one thing on nothing, `width` px wide and `aspect` times as high."""

    def __init__(self, width: int, aspect: float, edition: Edition) -> None:
        self.w, self.h = width, round(width * aspect)
        self.rgb: np.ndarray = np.zeros((self.h, self.w, 3), np.float32)
        self.alpha: np.ndarray = np.zeros((self.h, self.w), np.float32)
        light = np.array([edition.draws.uniform(-0.55, 0.1), -0.62, 0.72])
        self.light = light / np.linalg.norm(light)

    def part(
        self,
        outline: Outline,
        paint: Colour | np.ndarray,
        *,
        bulge: float = 0.03,
        gloss: float = 0.25,
        cast: float = 0.45,
        holes: Sequence[Outline] = (),
        metal: float = 0.0,
    ) -> None:
        """Lay a part over what is there. `paint` is a colour, or (h, w, 3) pixels that are stretched over it; `bulge`
        is how far in from its edge the surface still curves; `cast` the strength of its shadow."""
        cut = self._cut(outline, holes)
        if cut is None:
            return
        x0, y0, x1, y1, mask = cut
        depth = max(1.0, bulge * self.w)
        inside = cv2.distanceTransform((np.pad(mask, 1) > 127).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
        t = 1 - np.clip(inside / depth, 0, 1)
        height = cv2.GaussianBlur(np.sqrt(np.maximum(0, 1 - t * t)) * depth, (0, 0), 1.0 + depth * 0.06)
        nx = -cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=0.125)
        ny = -cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=0.125)
        self._lay((x0, y0, x1, y1), mask, _stretched(paint, (x1 - x0, y1 - y0)), nx, ny, gloss, cast, metal)

    def turned(
        self,
        outline: Outline,
        wrap: Colour | np.ndarray,
        *,
        turn: float = 0.0,
        gloss: float = 0.5,
        cast: float = 0.45,
        metal: float = 0.0,
    ) -> None:
        """A body of revolution around an upright axis. `wrap` goes all the way around it, rotated by `turn` degrees."""
        cut = self._cut(outline, ())
        if cut is None:
            return
        x0, y0, x1, y1, mask = cut
        solid = mask > 127
        rows = solid.any(axis=1)
        left = np.where(rows, solid.argmax(axis=1), 0).astype(np.float32)
        right = np.where(rows, solid.shape[1] - 1 - solid[:, ::-1].argmax(axis=1), 1).astype(np.float32)
        middle, half = (left + right) / 2, np.maximum(1, mask.sum(axis=1, dtype=np.float32) / 510)
        half = cv2.GaussianBlur(np.ascontiguousarray(half[:, None]), (1, 9), 2)[:, 0]
        u = np.clip((np.arange(x1 - x0, dtype=np.float32)[None] - middle[:, None]) / half[:, None], -0.985, 0.985)
        if isinstance(wrap, tuple):
            pixels = _stretched(wrap, (x1 - x0, y1 - y0))
        else:
            th, tw = wrap.shape[:2]
            map_x = ((np.arcsin(u) / (2 * math.pi) + 0.5 + turn / 360) % 1.0 * (tw - 1)).astype(np.float32)
            down = np.linspace(0, th - 1, y1 - y0, dtype=np.float32)
            map_y = np.ascontiguousarray(np.broadcast_to(down[:, None], map_x.shape))
            pixels = cv2.remap(wrap[..., :3], map_x, map_y, cv2.INTER_LINEAR).astype(np.float32)
        grow = np.gradient(cv2.GaussianBlur(np.ascontiguousarray(half[:, None]), (1, 31), 7)[:, 0])
        tilt = np.clip(-grow, -2.5, 2.5)
        nx = u / np.sqrt(1 - u * u)
        ny = np.broadcast_to(tilt[:, None], u.shape)
        self._lay((x0, y0, x1, y1), mask, pixels, nx, ny, gloss, cast, metal)

    def decal(self, corners: Outline, pixels: np.ndarray, *, dim: float = 1.0) -> None:
        """Stick (h, w, 3 or 4) `pixels` onto four corners (top-left, top-right, bottom-right, bottom-left), taking on
        the brightness that is there; nothing shows beyond the thing."""
        h, w = pixels.shape[:2]
        target = (np.array(corners, np.float32) * self.w).astype(np.float32)
        x0, y0 = np.maximum(0, np.floor(target.min(0))).astype(int)
        x1, y1 = np.minimum([self.w, self.h], np.ceil(target.max(0))).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        if pixels.shape[2] == 3:
            pixels = np.dstack([pixels, np.full((h, w), 255, np.uint8)])
        scale = max(1.0, w / max(1.0, float(np.linalg.norm(target[1] - target[0]))))
        soft = cv2.GaussianBlur(pixels, (0, 0), 0.42 * scale) if scale > 1.3 else pixels
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        m = cv2.getPerspectiveTransform(source, target - np.array([x0, y0], np.float32))
        flat = cv2.warpPerspective(soft, m, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR).astype(np.float32)
        under = self.rgb[y0:y1, x0:x1]
        bright = cv2.GaussianBlur(under.mean(axis=2), (0, 0), 6.0)
        bright = np.clip(bright / max(1.0, float(np.median(bright))), 0.55, 1.5)[..., None] * dim
        a = flat[..., 3:] / 255 * (self.alpha[y0:y1, x0:x1, None] > 0.5)
        under *= 1 - a
        under += np.clip(flat[..., :3] * bright, 0, 255) * a

    def pixels(self) -> np.ndarray:
        """(h, w, 4) uint8."""
        alpha = np.clip(self.alpha * 255, 0, 255)
        return np.dstack([np.clip(self.rgb, 0, 255), alpha]).astype(np.uint8)

    def _cut(self, outline: Outline, holes: Sequence[Outline]) -> tuple[int, int, int, int, np.ndarray] | None:
        """The bounding box in px and the mask inside it."""
        a = np.asarray(outline, np.float64) * self.w
        x0, y0 = np.maximum(0, np.floor(a.min(0)) - 2).astype(int)
        x1, y1 = np.minimum([self.w, self.h], np.ceil(a.max(0)) + 3).astype(int)
        if x1 - x0 < 3 or y1 - y0 < 3:
            return None
        mask = np.zeros((int(y1 - y0), int(x1 - x0)), np.uint8)
        cv2.fillPoly(mask, [np.round((a - [x0, y0]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        for hole in holes:
            inner = np.round((np.asarray(hole, np.float64) * self.w - [x0, y0]) * 16).astype(np.int32)
            cv2.fillPoly(mask, [inner], 0, cv2.LINE_AA, 4)
        return int(x0), int(y0), int(x1), int(y1), mask

    def _lay(
        self, area: tuple[int, int, int, int], mask: np.ndarray, pixels: np.ndarray,
        nx: np.ndarray, ny: np.ndarray, gloss: float, cast: float, metal: float,
    ) -> None:  # fmt: skip
        """Shade and composite; the shadow falls only on parts that are there already."""
        x0, y0, x1, y1 = area
        if cast > 0:
            self._shade_below(area, mask, cast)
        shade, shine = self._light(nx, ny, gloss, metal)
        colour = pixels * shade[..., None] + (255 * gloss * 0.55 * shine)[..., None]
        a = mask.astype(np.float32)[..., None] / 255
        region = self.rgb[y0:y1, x0:x1]
        region *= 1 - a
        region += colour * a
        top = self.alpha[y0:y1, x0:x1]
        np.maximum(top, a[..., 0], out=top)

    def _light(self, nx: np.ndarray, ny: np.ndarray, gloss: float, metal: float) -> tuple[np.ndarray, np.ndarray]:
        """(brightness, highlight) of a surface with the slopes nx, ny; large ones at half the resolution."""
        h, w = nx.shape
        coarse = h * w > 60_000
        if coarse:
            nx = cv2.resize(np.asarray(nx, np.float32), (w // 2, h // 2), interpolation=cv2.INTER_AREA)
            ny = cv2.resize(np.asarray(ny, np.float32), (w // 2, h // 2), interpolation=cv2.INTER_AREA)
        scale = 1 / np.sqrt(nx * nx + ny * ny + 1)
        lit = np.clip((nx * self.light[0] + ny * self.light[1] + self.light[2]) * scale, 0, 1)
        shade = 0.5 + 0.62 * lit
        half = self.light + np.array([0, 0, 1.0])
        half /= np.linalg.norm(half)
        shine = np.clip((nx * half[0] + ny * half[1] + half[2]) * scale, 0, 1) ** (14 + 60 * gloss)
        if metal > 0:
            sky = 0.72 + 0.42 * np.sin(4.6 * ny * scale + 2.2 * nx * scale + 0.6)
            shade = shade * (1 - metal) + (0.35 * shade + 0.65 * sky) * metal
        shade, shine = shade.astype(np.float32), shine.astype(np.float32)
        if coarse:
            shade, shine = cv2.resize(shade, (w, h)), cv2.resize(shine, (w, h))
        return shade, shine

    def _shade_below(self, area: tuple[int, int, int, int], mask: np.ndarray, cast: float) -> None:
        """Darken what lies under a part, a little to the side that the light comes not from."""
        x0, y0, x1, y1 = area
        k, margin = 4, max(8, round(0.03 * self.w))
        ax0, ay0 = max(0, x0 - margin), max(0, y0 - margin)
        ax1, ay1 = min(self.w, x1 + margin), min(self.h, y1 + margin)
        small = np.zeros(((ay1 - ay0) // k + 1, (ax1 - ax0) // k + 1), np.float32)
        shape = cv2.resize(mask, (max(1, (x1 - x0) // k), max(1, (y1 - y0) // k)), interpolation=cv2.INTER_AREA)
        ox = max(0, (x0 - ax0) // k + round(-self.light[0] * 0.012 * self.w / k))
        oy = max(0, (y0 - ay0) // k + round(0.012 * self.w / k))
        hh, ww = min(shape.shape[0], small.shape[0] - oy), min(shape.shape[1], small.shape[1] - ox)
        small[oy : oy + hh, ox : ox + ww] = shape[:hh, :ww] / 255.0
        soft = cv2.GaussianBlur(small, (0, 0), max(0.8, 0.009 * self.w / k))
        soft = cv2.resize(soft, (ax1 - ax0, ay1 - ay0), interpolation=cv2.INTER_LINEAR)
        self.rgb[ay0:ay1, ax0:ax1] *= 1 - cast * soft[..., None]


def _stretched(paint: Colour | np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """`paint` as (height, width, 3) float pixels of `size` (width, height)."""
    if isinstance(paint, tuple):
        return np.broadcast_to(np.array(paint, np.float32), (size[1], size[0], 3))
    return cv2.resize(paint[..., :3], size, interpolation=cv2.INTER_AREA).astype(np.float32)
