"""A drawing surface measured in cm, y upwards from the ground: filled shapes, strokes, soft light, lettering, patterns.

For things with an outline of their own. What is drawn becomes opaque; `light` and `texture` change colours only.
Drawn at about twice the size at which a frame shows it; nothing here knows of kinds or scenes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import cv2
import numpy as np
from PIL import Image, ImageDraw

from eval.world.drawing.kit.canvas import Colour, fit, load_font

Points = Sequence[tuple[float, float]] | np.ndarray
_SHIFT = 4


def curve(points: Points, *, closed: bool = True, steps: int = 10) -> np.ndarray:
    """A smooth line (Catmull-Rom) through `points`, as (n, 2)."""
    p = np.asarray(points, float)
    if len(p) < 3:
        return p
    if closed:
        before, after, after2 = np.roll(p, 1, 0), np.roll(p, -1, 0), np.roll(p, -2, 0)
    else:
        before, p0 = np.vstack([p[:1], p[:-2]]), p[:-1]
        after, after2 = p[1:], np.vstack([p[2:], p[-1:]])
        p = p0
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    a, b, c, d = before[:, None], p[:, None], after[:, None], after2[:, None]
    out = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    out = out.reshape(-1, 2)
    return out if closed else np.vstack([out, after[-1:]])


def arc(x: float, y: float, rx: float, ry: float, start: float = 0.0, end: float = 360.0, n: int = 48) -> np.ndarray:
    """Points of an ellipse, degrees anticlockwise from the right."""
    t = np.radians(np.linspace(start, end, n))
    return np.stack([x + rx * np.cos(t), y + ry * np.sin(t)], axis=1)


def shade(colour: Colour, factor: float) -> Colour:
    """Lighter or darker."""
    return (
        int(min(255, max(0, colour[0] * factor))),
        int(min(255, max(0, colour[1] * factor))),
        int(min(255, max(0, colour[2] * factor))),
    )


class Surface:
    """`width` x `height` cm on about `pixels` px of the longer side. `base` tints half-covered edges."""

    def __init__(self, width: float, height: float, base: Colour, pixels: int = 1300) -> None:
        self.width, self.height = width, height
        self.px = pixels / max(width, height)
        self.w, self.h = round(width * self.px), round(height * self.px)
        self.rgb: np.ndarray = np.empty((self.h, self.w, 3), np.uint8)
        self.rgb[:] = base
        self.alpha: np.ndarray = np.zeros((self.h, self.w), np.uint8)

    def to_px(self, points: Points) -> np.ndarray:
        p = np.asarray(points, float)
        return np.stack([p[:, 0] * self.px, (self.height - p[:, 1]) * self.px], axis=1)

    def _fixed(self, points: Points) -> np.ndarray:
        return np.round((self.to_px(points) - 0.5) * 2**_SHIFT).astype(np.int32)

    def mask(self, *shapes: Points) -> np.ndarray:
        """(h, w) uint8, 255 inside the shapes."""
        out = np.zeros((self.h, self.w), np.uint8)
        for shape in shapes:
            cv2.fillPoly(out, [self._fixed(shape)], 255, cv2.LINE_AA, _SHIFT)
        return out

    def fill(self, points: Points, colour: Colour) -> None:
        p = self._fixed(points)
        cv2.fillPoly(self.rgb, [p], colour, cv2.LINE_AA, _SHIFT)
        cv2.fillPoly(self.alpha, [p], 255, cv2.LINE_AA, _SHIFT)

    def cut(self, points: Points) -> None:
        """Take away what is there."""
        cv2.fillPoly(self.alpha, [self._fixed(points)], 0, cv2.LINE_AA, _SHIFT)

    def box(self, x0: float, y0: float, x1: float, y1: float, colour: Colour, radius: float = 0.0) -> None:
        self.fill(rounded(x0, y0, x1, y1, radius), colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour, ry: float | None = None) -> None:
        self.fill(arc(x, y, radius, radius if ry is None else ry), colour)

    def line(self, points: Points, colour: Colour, width: float, *, closed: bool = False) -> None:
        """A stroke of `width` cm."""
        p, thick = self._fixed(points), max(1, round(width * self.px))
        cv2.polylines(self.rgb, [p], closed, colour, thick, cv2.LINE_AA, _SHIFT)
        cv2.polylines(self.alpha, [p], closed, 255, thick, cv2.LINE_AA, _SHIFT)

    def paint(self, mask: np.ndarray, colours: Colour | np.ndarray, strength: float = 1.0) -> None:
        """Colour what `mask` covers, opaque afterwards where `strength` is 1; `colours` is one or (h, w, 3)."""
        x, y, w, h = cv2.boundingRect(mask)
        if not w:
            return
        part = self.rgb[y : y + h, x : x + w]
        m = mask[y : y + h, x : x + w, None].astype(np.float32) * (strength / 255)
        new = np.asarray(colours, np.float32)
        new = new[y : y + h, x : x + w] if new.ndim == 3 else new
        part[:] = (part * (1 - m) + new * m + 0.5).astype(np.uint8)
        if strength >= 1:
            self.alpha = np.maximum(self.alpha, mask)

    def light(self, mask: np.ndarray, low: float, high: float, *, along: str = "y", power: float = 1.0) -> None:
        """Multiply what is under `mask` by a gradient from `low` (bottom, left) to `high` (top, right)."""
        x, y, w, h = cv2.boundingRect(mask)
        if not w:
            return
        n = h if along == "y" else w
        t = np.linspace(1, 0, n, dtype=np.float32) if along == "y" else np.linspace(0, 1, n, dtype=np.float32)
        ramp = low + (high - low) * t**power
        ramp = ramp[:, None, None] if along == "y" else ramp[None, :, None]
        part = self.rgb[y : y + h, x : x + w]
        m = mask[y : y + h, x : x + w, None].astype(np.float32) / 255
        part[:] = np.clip(part * (1 + (ramp - 1) * m), 0, 255).astype(np.uint8)

    def shadow(self, mask: np.ndarray, blur: float, strength: float, dx: float = 0.0, dy: float = 0.0) -> None:
        """Darken what is drawn around `mask`, moved by (dx, dy) cm and blurred by `blur` cm."""
        moved = np.roll(mask, (round(-dy * self.px), round(dx * self.px)), (0, 1))
        k = max(1, int(blur * self.px / 3))
        small = cv2.resize(moved, (max(1, self.w // k), max(1, self.h // k)), interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), max(0.6, blur * self.px / k))
        m = cv2.resize(small, (self.w, self.h), interpolation=cv2.INTER_LINEAR).astype(np.float32) / 255
        self.rgb[:] = (self.rgb * (1 - strength * m)[..., None]).astype(np.uint8)

    def texture(self, mask: np.ndarray, values: np.ndarray) -> None:
        """Multiply what is under `mask` by `values` (h, w)."""
        m = 1 + (values - 1) * (mask.astype(np.float32) / 255)
        self.rgb[:] = np.clip(self.rgb * m[..., None], 0, 255).astype(np.uint8)

    def text(self, x0: float, y0: float, x1: float, y1: float, text: str, font: str, colour: Colour) -> None:
        """One line in the box, as large as fits; drawn on what is there."""
        w, h = max(4, round((x1 - x0) * self.px)), max(4, round((y1 - y0) * self.px))
        size, _ = fit(text, font, w, h, h, 1, 1.0)
        plate = Image.new("L", (w, h), 0)
        face = load_font(font, size)
        ascent, descent = face.getmetrics()
        at = ((w - face.getlength(text)) / 2, (h - ascent - descent) / 2)
        ImageDraw.Draw(plate).text(at, text, font=face, fill=255)
        full = np.zeros((self.h, self.w), np.uint8)
        px, py = round(x0 * self.px), round((self.height - y1) * self.px)
        ys, xs = max(0, py), max(0, px)
        cut = np.asarray(plate)[ys - py : self.h - py, xs - px : self.w - px]
        full[ys : ys + cut.shape[0], xs : xs + cut.shape[1]] = cut
        self.paint(cv2.min(full, self.alpha), colour, 0.98)

    def array(self) -> np.ndarray:
        """(h, w, 4) uint8."""
        return np.dstack([self.rgb, self.alpha])


def rounded(x0: float, y0: float, x1: float, y1: float, radius: float) -> np.ndarray:
    """The outline of a box with round corners."""
    if radius <= 0:
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)
    r = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    corners = [(x1 - r, y0 + r, 270), (x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180)]
    return np.concatenate([arc(x, y, r, r, a, a + 90, 8) for x, y, a in corners])


def motif(
    surface: Surface, mask: np.ndarray, kind: str, colours: Sequence[Colour], cell: float, own: random.Random
) -> None:
    """Fill `mask` with a pattern of `cell` cm; the first colour is the ground.

    The arrangement is drawn from `own` for each place of the surface, so it does not depend on the mask's extent.
    """
    s = surface
    seed = own.getrandbits(40)
    x, y, w, h = cv2.boundingRect(mask)
    if not w:
        return
    layer = Surface(s.width, s.height, colours[0], max(s.w, s.h))
    left, right = int(x / s.px // cell), int((x + w) / s.px // cell)
    low, high = int((s.height - (y + h) / s.px) // cell), int((s.height - y / s.px) // cell)
    for j in range(low, high + 1):
        for i in range(left, right + 1):
            cr = random.Random(seed ^ ((i + 512) * 73856093) ^ ((j + 512) * 19349663))
            c = cr.choice(colours)
            _motif_cell(layer, kind, (i + 0.5) * cell, (j + 0.5) * cell, cell, c, colours, cr, (i, j))
    s.paint(mask, layer.rgb)


def _motif_cell(
    s: Surface,
    kind: str,
    x: float,
    y: float,
    d: float,
    c: Colour,
    colours: Sequence[Colour],
    own: random.Random,
    at: tuple[int, int],
) -> None:
    h = d / 2
    if kind == "triangles":
        corners = [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
        skip = own.randrange(4)
        s.fill([p for n, p in enumerate(corners) if n != skip], c)
    elif kind == "dots":
        s.disc(x + (h if at[1] % 2 else 0), y, d * own.choice([0.16, 0.26, 0.36]), c)
    elif kind == "quarters":
        s.box(x - h, y - h, x + h, y + h, own.choice(colours))
        start = own.randrange(4)
        cx, cy = x + (h if start in (1, 2) else -h), y + (h if start in (2, 3) else -h)
        s.fill(np.vstack([arc(cx, cy, d, d, (0, 90, 180, 270)[start], (90, 180, 270, 360)[start], 12), [(cx, cy)]]), c)
    elif kind == "flowers":
        petals, rr = own.choice([4, 5, 6]), d * own.uniform(0.14, 0.2)
        for k in range(petals):
            a = 2 * np.pi * k / petals + own.random()
            s.disc(x + 1.2 * rr * np.cos(a), y + 1.2 * rr * np.sin(a), rr * 0.85, c)
        s.disc(x, y, rr * 0.6, own.choice(colours))
    elif kind == "bars":
        for k in range(3):
            wide = own.choice([0.1, 0.2, 0.3]) * d
            s.box(
                x - h + k * d / 3,
                y - h,
                x - h + k * d / 3 + wide,
                y - h + d * own.uniform(0.4, 1.0),
                own.choice(colours),
            )
    elif kind == "diamonds":
        s.fill([(x - h, y), (x, y - h), (x + h, y), (x, y + h)], c)
        s.fill([(x - h / 2, y), (x, y - h / 2), (x + h / 2, y), (x, y + h / 2)], own.choice(colours))
    else:  # dashes
        a = own.choice([0.0, 0.8, 1.6, 2.4])
        dx, dy = 0.42 * d * np.cos(a), 0.42 * d * np.sin(a)
        s.line([(x - dx, y - dy), (x + dx, y + dy)], c, d * own.choice([0.1, 0.16, 0.22]))


MOTIFS = ("triangles", "dots", "quarters", "flowers", "bars", "diamonds", "dashes")
