"""Rounded, shaded parts for things that grow: animals and plants are built from them, back to front, as cut-outs.

A part is a polygon that is inflated to a cushion and lit from the upper left, as everything outdoors is. Patterns of
coats, petals and leaves are masks in the coordinates of the sheet, made from a thing's own stream alone, so that every
drawing of it carries the same marks. Buildings are not made here: see `masonry`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from eval.world.drawing.kit.canvas import Colour
from eval.world.drawing.kit.edition import Art, Edition

#: Direction towards the light: x right, y down, z towards the viewer.
_LIGHT = np.array([-0.46, -0.66, 0.6], np.float32) / np.linalg.norm([0.46, 0.66, 0.6])


class Sheet:
    """A transparent surface, `width` x `height` px (already supersampled), that parts are laid on.

    `flip` turns what is drawn left to right at the end; the light then comes from the other side while drawing.
    """

    def __init__(self, width: int, height: int, *, flip: bool = False) -> None:
        self.w, self.h, self.flip = width, height, flip
        self.rgb = np.zeros((height, width, 3), np.float32)
        self.alpha = np.zeros((height, width), np.float32)
        self._light = _LIGHT * np.array([-1 if flip else 1, 1, 1], np.float32)
        self._scratch = np.zeros((height, width, 3), np.float32)

    def part(
        self,
        outline: np.ndarray | Sequence[np.ndarray],
        colour: Colour | np.ndarray,
        *,
        depth_px: float = 60.0,
        strength: float = 1.0,
        shadow: float = 0.35,
        shine: float = 0.0,
        tone: float = 1.0,
    ) -> None:
        """Lay one inflated polygon, or several that grow into each other, on top.

        Args:
            outline: (n, 2) px, or a list of such.
            colour: one colour, or an (h, w, 3) float map of the whole sheet.
            depth_px: how far from its edge a part has become flat.
            strength: of the shading. shadow: cast on what lies beneath. shine: of a wet or waxy surface.
            tone: brightness, less than 1 for what stands further back.
        """
        outlines = [outline] if isinstance(outline, np.ndarray) else list(outline)
        points, pad = np.concatenate(outlines), 16
        x0, y0 = np.maximum(np.floor(points.min(0)).astype(int) - pad, 0)
        x1, y1 = np.minimum(np.ceil(points.max(0)).astype(int) + pad, [self.w, self.h])
        if x1 - x0 < 3 or y1 - y0 < 3:
            return
        masks = []
        for polygon in outlines:
            mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
            cv2.fillPoly(mask, [np.round((polygon - [x0, y0]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            masks.append(mask)
        cover = np.max(masks, axis=0).astype(np.float32) / 255
        lit = self._relief(masks, depth_px, strength) * tone
        base = colour[y0:y1, x0:x1] if isinstance(colour, np.ndarray) else np.array(colour, np.float32)
        painted = base * threefold(lit)
        if shine:
            painted = painted + threefold(255 * shine * 2.5 * np.clip(lit - 0.98, 0, 1))
        region, over = self.rgb[y0:y1, x0:x1], self.alpha[y0:y1, x0:x1]
        if shadow:
            n = 2 * round(max(2.0, depth_px * 0.16)) + 1
            region *= threefold(1 - shadow * cv2.blur(cv2.blur(cover, (n, n)), (n, n)))
        painted -= region
        painted *= threefold(cover)
        region += painted
        np.maximum(over, cover, out=over)

    def grown(
        self,
        outline: np.ndarray,
        root: tuple[float, float],
        angle: float,
        long_px: float,
        paint: Callable[[np.ndarray, np.ndarray], np.ndarray],
        *,
        depth_px: float = 30.0,
        strength: float = 1.0,
        shadow: float = 0.35,
        shine: float = 0.0,
        tone: float = 1.0,
    ) -> None:
        """A part with a pattern of its own coordinates: `paint(u, v)` gives (h, w, 3) colours, u running 0..1 from
        `root` along `angle` (radians) over `long_px`, v across on the same scale. The rest is as for `part`."""
        x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int) - 18, 0)
        x1, y1 = np.minimum(np.ceil(outline.max(0)).astype(int) + 18, [self.w, self.h])
        if x1 - x0 < 3 or y1 - y0 < 3:
            return
        yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        dx, dy, c, s = (xx - root[0]) / long_px, (yy - root[1]) / long_px, math.cos(angle), math.sin(angle)
        self._scratch[y0:y1, x0:x1] = paint(dx * c + dy * s, dy * c - dx * s)
        self.part(outline, self._scratch, depth_px=depth_px, strength=strength, shadow=shadow, shine=shine, tone=tone)

    def _relief(self, masks: Sequence[np.ndarray], depth_px: float, strength: float) -> np.ndarray:
        """Light on cushions of these outlines, about 1 where they are flat."""
        depth_px = float(depth_px)
        height = np.zeros(masks[0].shape, np.float32)
        for mask in masks:
            t = np.clip(cv2.distanceTransform(mask, cv2.DIST_L2, 3) / max(1.0, depth_px), 0, 1)
            height = np.maximum(height, np.sqrt(1 - (1 - t) ** 2))
        blur = max(1.0, depth_px * (0.12 if len(masks) == 1 else 0.2))
        height = cv2.GaussianBlur(height, (0, 0), blur) * depth_px * 0.9
        gx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        gy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        lx, ly, lz = (float(v) for v in self._light)
        lit = (lz - lx * gx - ly * gy) / np.sqrt(1 + gx * gx + gy * gy)
        shade: np.ndarray = 1 + strength * (0.55 * (np.clip(lit, -0.15, 1.1) / lz - 1))
        return shade

    def stamp(
        self,
        other: Sheet,
        at: tuple[float, float],
        scale: float,
        turn: float,
        *,
        shadow: float = 0.35,
        tone: float = 1.0,
    ) -> None:
        """Lay what another sheet shows on top, its centre at `at` (px), scaled, turned by `turn` radians: for what a
        plant has many of."""
        reach = 0.5 * math.hypot(other.w, other.h) * scale + 2
        x0, y0 = max(0, int(at[0] - reach)), max(0, int(at[1] - reach))
        x1, y1 = min(self.w, int(at[0] + reach)), min(self.h, int(at[1] + reach))
        if x1 - x0 < 3 or y1 - y0 < 3:
            return
        c, s = scale * math.cos(turn), scale * math.sin(turn)
        x, y = at[0] - x0 - (c * other.w - s * other.h) / 2, at[1] - y0 - (s * other.w + c * other.h) / 2
        stacked = np.dstack([other.rgb * threefold(other.alpha), other.alpha])
        if scale < 0.7:
            stacked = cv2.GaussianBlur(stacked, (0, 0), 0.45 / scale)
        flat = cv2.warpAffine(stacked, np.array([[c, -s, x], [s, c, y]]), (x1 - x0, y1 - y0))
        box = (slice(y0, y1), slice(x0, x1))
        if shadow:
            self.rgb[box] *= threefold(1 - shadow * cv2.GaussianBlur(flat[..., 3], (0, 0), 7))
        self.rgb[box] += flat[..., :3] * tone - self.rgb[box] * threefold(flat[..., 3])
        self.alpha[box] = np.maximum(self.alpha[box], flat[..., 3])

    def erase(self, outline: np.ndarray) -> None:
        """Cut an opening through everything drawn so far."""
        mask = np.zeros((self.h, self.w), np.uint8)
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        self.alpha *= 1 - mask.astype(np.float32) / 255

    def dots(self, places: np.ndarray, radius_px: float, colour: Colour) -> None:
        """Small beads, each darker at its lower right: stamens, seeds, pores."""
        for x, y in places:
            for shift, shade in ((0.35, 0.55), (0.0, 1.0)):
                at = (round((x + shift * radius_px) * 16), round((y + shift * radius_px) * 16))
                tone = [c * shade for c in colour]
                cv2.circle(self.rgb, at, round(radius_px * 16), tone, -1, cv2.LINE_AA, 4)

    def line(self, points: np.ndarray, colour: Colour, width_px: float, opacity: float = 1.0) -> None:
        """A plain stroke inside what has been drawn already."""
        reach = int(width_px) + 3
        x0, y0 = np.maximum(np.floor(points.min(0)).astype(int) - reach, 0)
        x1, y1 = np.minimum(np.ceil(points.max(0)).astype(int) + reach, [self.w, self.h])
        if x1 <= x0 or y1 <= y0:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        moved = np.round((points - [x0, y0]) * 16).astype(np.int32)
        cv2.polylines(mask, [moved], False, 255, max(1, round(width_px)), cv2.LINE_AA, 4)
        box = (slice(y0, y1), slice(x0, x1))
        a = mask.astype(np.float32)[..., None] / 255 * opacity * np.minimum(1.0, self.alpha[box])[..., None]
        self.rgb[box] += (np.array(colour, np.float32) - self.rgb[box]) * a

    def texture(self, field: np.ndarray, amount: float) -> None:
        """Multiply everything drawn so far by 1 + amount x `field` (h, w)."""
        self.rgb *= threefold(1 + amount * field)

    def pixels(self, edition: Edition) -> np.ndarray:
        """(rows, columns, 4) uint8, in the colours of this copy, cut to what is opaque."""
        columns, rows = np.where(self.alpha.max(0) > 0.15)[0], np.where(self.alpha.max(1) > 0.15)[0]
        box = (slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1))
        rgb = np.clip(self.rgb[box], 0, 255).astype(np.uint8)
        hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
        hue = (hsv[..., 0].astype(np.int16) + round(edition.hue / 2)) % 180
        scale = [edition.saturation, edition.brightness]
        hsv[..., 1:] = np.clip(hsv[..., 1:] * np.array(scale, np.float32), 0, 255).astype(np.uint8)
        hsv[..., 0] = hue.astype(np.uint8)
        out = np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.clip(self.alpha[box] * 255, 0, 255).astype(np.uint8)])
        return np.ascontiguousarray(out[:, ::-1] if self.flip else out)


def cutout(pixels: np.ndarray, px_per_cm: float, side: Colour, word: str) -> Art:
    """The drawing, cut to what is opaque, as a thing of its real size whose lower edge touches the ground."""
    solid = pixels[..., 3] > 40
    xs, ys = np.where(solid.any(0))[0], np.where(solid.any(1))[0]
    x0, x1, y0, y1 = int(xs[0]), int(xs[-1]) + 1, int(ys[0]), int(ys[-1]) + 1
    cut = np.ascontiguousarray(pixels[y0:y1, x0:x1])
    return Art(cut, (x1 - x0) / px_per_cm, (y1 - y0) / px_per_cm, 0.0, "cutout", side, word, 0.0)


def smooth(points: Sequence[tuple[float, float]] | np.ndarray, steps: int = 8, *, closed: bool = True) -> np.ndarray:
    """A Catmull-Rom curve through `points` (n, 2)."""
    p = np.asarray(points, float)
    n = len(p)
    last = n if closed else n - 1
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = []
    for i in range(last):
        ids = [i - 1, i, i + 1, i + 2]
        a, b, c, d = (p[j % n] if closed else p[min(max(j, 0), n - 1)] for j in ids)
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    if not closed:
        pieces.append(p[-1:])
    return np.concatenate(pieces)


def ribbon(spine: Sequence[tuple[float, float]] | np.ndarray, widths: Sequence[float], steps: int = 8) -> np.ndarray:
    """The outline of a limb, tail or stem: a smooth spine with a half-width at each of its points."""
    line = smooth(spine, steps, closed=False)
    at: np.ndarray = np.linspace(0, len(widths) - 1, len(line))
    half = np.interp(at, np.arange(len(widths)), widths)[:, None]
    along = np.gradient(line, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
    return np.concatenate([line + across * half, (line - across * half)[::-1]])


def turned(profile: Sequence[tuple[float, float]], x: float) -> np.ndarray:
    """The outline of a body of revolution: the left half's `profile`, from foot to top, mirrored at column `x`."""
    left = smooth(profile, closed=False)
    return np.concatenate([left, np.stack([2 * x - left[::-1, 0], left[::-1, 1]], axis=1)])


def oval(x: float, y: float, a: float, b: float, turn: float = 0.0, n: int = 36) -> np.ndarray:
    """An ellipse with half-axes `a`, `b` px, turned by `turn` radians."""
    t = np.linspace(0, 2 * math.pi, n, endpoint=False)
    c, s = math.cos(turn), math.sin(turn)
    u, v = a * np.cos(t), b * np.sin(t)
    return np.stack([x + u * c - v * s, y + u * s + v * c], axis=1)


def ragged(points: np.ndarray, g: np.random.Generator, amount_px: float) -> np.ndarray:
    """The outline with tufts: every point moved along its normal, some more."""
    along = np.roll(points, -1, 0) - np.roll(points, 1, 0)
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    return points + normal * (g.normal(0, 1, len(points)) * amount_px)[:, None]


def cloud(g: np.random.Generator, w: int, h: int, cell_px: float, octaves: int = 1) -> np.ndarray:
    """Smooth noise (h, w), mean about 0, spread about 1, with features of `cell_px`."""
    out = np.zeros((h, w), np.float32)
    for i in range(octaves):
        cell = max(2.0, cell_px / 2**i)
        grid = g.normal(0, 1, (int(h / cell) + 3, int(w / cell) + 3)).astype(np.float32)
        out += cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC) / 2**i
    return out


def hairs(g: np.random.Generator, w: int, h: int, length_px: int, angle: float) -> np.ndarray:
    """Strokes of fur or fibre (h, w), mean 0, spread about 1, lying at `angle` radians."""
    n = max(3, length_px) | 1
    kernel = np.zeros((n, n), np.float32)
    dx, dy = math.cos(angle) * n / 2, math.sin(angle) * n / 2
    cv2.line(kernel, (round(n / 2 - dx), round(n / 2 - dy)), (round(n / 2 + dx), round(n / 2 + dy)), 1.0, 1)
    noise = cv2.filter2D(g.normal(0, 1, (h, w)).astype(np.float32), -1, kernel / kernel.sum())
    return noise / max(1e-6, float(noise.std()))


def blend(a: np.ndarray | Colour, b: np.ndarray | Colour, mask: np.ndarray) -> np.ndarray:
    """`a` where the mask is 0, `b` where it is 1; colours or (h, w, 3) maps."""
    first, second = np.asarray(a, np.float32), np.asarray(b, np.float32)
    return first + (second - first) * threefold(mask)


def enlarged(colours: np.ndarray, w: int, h: int) -> np.ndarray:
    """(h, w, 3) float32 from a map made at half the size: patterns do not need more, and it saves most of the work."""
    return np.asarray(cv2.resize(colours.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR))


def threefold(mask: np.ndarray) -> np.ndarray:
    """(h, w) → (h, w, 3): many times faster to multiply with than a broadcast last axis of three."""
    single = np.ascontiguousarray(mask, np.float32)
    return np.asarray(cv2.merge((single, single, single)))


def step(field: np.ndarray, at: float, soft: float = 0.06) -> np.ndarray:
    """0 below `at`, 1 above, with a soft edge."""
    return np.clip((field - at) / soft + 0.5, 0, 1).astype(np.float32)


def sway(pixels: np.ndarray, edition: Edition, amount_px: float) -> np.ndarray:
    """The same drawing a little bent, as a growing thing in the wind; the foot stays where it is."""
    h, w = pixels.shape[:2]
    g = np.random.default_rng(edition.draws.getrandbits(32))
    lean = edition.draws.uniform(-1, 1) * amount_px * 1.4
    dx, dy = cloud(g, w // 8, h // 8, 26) * amount_px * 0.6, cloud(g, w // 8, h // 8, 26) * amount_px * 0.6
    up = np.linspace(1, 0, h // 8, dtype=np.float32)[:, None]
    move_x, move_y = cv2.resize((dx + lean * up) * up, (w, h)), cv2.resize(dy * up, (w, h))
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    return cv2.remap(pixels, xx + move_x, yy + move_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
