"""Where on a thing the frame agrees with its indexed picture: the same few measures for each of its cells.

One figure for a whole thing cannot tell a sibling, which differs in one place, from the right plant before another
ground, which differs in every gap between its leaves. So the silhouette's box is divided into some 64 cells, and small
networks (`assistant.recognition.verify`) learn which cells count. A cell at the thing's edge holds ground too, and says
how much of it.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

#: What is measured of each cell, in this order: the share of it that is the thing, and that lies on the frame; best
#: correlation of its grey structure within a small shift; the logarithm of the picture's and of the frame's contrast;
#: mean difference of chroma, difference of mean chroma, mean difference of lightness (all in CIELAB / 20, after the
#: light is taken out); how colourful picture and frame are (chroma / 20).
CELL_MEASURES = (
    "thing",
    "shown",
    "structure",
    "contrast",
    "seen_contrast",
    "chroma",
    "mean_chroma",
    "lightness",
    "colourful",
    "seen_colourful",
)
#: About so many cells, of so many pixels a side at least and at most; how far a cell may be shifted, px.
_CELLS = 64
_LEAST_SIDE, _MOST_SIDE = 6, 16
_SHIFT = 3
#: Cells with less of the thing are not looked at; so many pixels must be both the thing and on the frame.
_LEAST_THING = 0.25
_LEAST_PIXELS = 16
#: Below these a cell has no structure (variance of grey, 0..255).
_FLAT = 0.25
#: A light is never so coloured, or so different in strength, that it changes colours by more.
_TINT, _GAIN = (0.75, 1.33), (0.3, 5.0)

NO_CELLS = np.zeros((0, len(CELL_MEASURES)), np.float32)


def cell_measures(reference: np.ndarray, patch: np.ndarray, shown: np.ndarray, thing: np.ndarray) -> np.ndarray:
    """(n, 10) float32, `CELL_MEASURES` of each cell that the thing takes a part of; n is 0 when next to nothing shows.

    Args:
        reference, patch: (h, w, 3) uint8 RGB, the indexed picture and the frame laid over it.
        shown: (h, w) bool, what of it lies on the frame.
        thing: (h, w) bool, what of the picture belongs to the thing.
    """
    ys, xs = np.nonzero(thing)
    if len(ys) < _LEAST_PIXELS:
        return NO_CELLS
    box = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    rows, columns, side = _grid(*thing[box].shape)

    def sized(pixels: np.ndarray) -> np.ndarray:
        size = (columns * side, rows * side)
        return np.asarray(cv2.resize(np.ascontiguousarray(pixels[box]), size, interpolation=cv2.INTER_AREA))

    def mean(plane: np.ndarray) -> np.ndarray:
        return np.asarray(plane.reshape(rows, side, columns, side).mean(axis=(1, 3)))

    a, b = sized(reference), sized(patch)
    is_thing, is_shown = sized(thing.astype(np.float32)), sized(shown.astype(np.float32))
    both = (is_thing > 0.5) & (is_shown > 0.5)
    if both.sum() < _LEAST_PIXELS:
        return NO_CELLS
    lab_a, lab_b = _lab(a), _lab(_relit(b, a[both], b[both]))
    difference = lab_a - lab_b
    means_a, means_b = ([mean(np.ascontiguousarray(lab[..., c])) for c in (1, 2)] for lab in (lab_a, lab_b))
    structure, contrast_a, contrast_b = _structure(_grey(a), _grey(b), rows, columns, side)
    found = [
        mean(is_thing),
        mean(is_shown),
        structure,
        np.log1p(contrast_a),
        np.log1p(contrast_b),
        mean(np.hypot(difference[..., 1], difference[..., 2])) / 20,
        np.hypot(means_a[0] - means_b[0], means_a[1] - means_b[1]) / 20,
        mean(np.abs(difference[..., 0])) / 20,
        np.hypot(*means_a) / 20,
        np.hypot(*means_b) / 20,
    ]
    cells = np.stack(found, axis=-1).reshape(-1, len(CELL_MEASURES)).astype(np.float32)
    return np.asarray(cells[cells[:, 0] >= _LEAST_THING])


def _grid(height: int, width: int) -> tuple[int, int, int]:
    """Rows, columns and pixels a side of nearly square cells."""
    rows = int(np.clip(round(math.sqrt(_CELLS * height / width)), 2, _CELLS // 2))
    columns = int(np.clip(round(_CELLS / rows), 2, _CELLS // 2))
    side = int(np.clip(round(math.sqrt(height * width / (rows * columns))), _LEAST_SIDE, _MOST_SIDE))
    return rows, columns, side


def _relit(patch: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`patch` in the light of the picture; `a` and `b` (n, 3) are the same places of picture and patch."""
    gains = np.median((a + np.float32(8)) / (b + np.float32(8)), axis=0)
    common = float(np.prod(gains) ** (1 / 3))
    gain = np.clip(gains / common, *_TINT) * np.clip(common, *_GAIN)
    return np.clip(patch * gain.astype(np.float32), 0, 255).astype(np.uint8)


def _lab(pixels: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(pixels / np.float32(255), cv2.COLOR_RGB2LAB))


def _grey(pixels: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8))


def _structure(
    a: np.ndarray, b: np.ndarray, rows: int, columns: int, side: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows, columns) each: best correlation of each cell of `a` with `b` within a shift, and both deviations."""

    def mean(plane: np.ndarray) -> np.ndarray:
        return np.asarray(plane.reshape(rows, side, columns, side).mean(axis=(1, 3)))

    height, width = a.shape
    centred = a - np.repeat(np.repeat(mean(a), side, axis=0), side, axis=1)
    variance_a = mean(centred * centred)
    padded = np.pad(b - b.mean(), _SHIFT, mode="edge")

    def around(plane: np.ndarray) -> np.ndarray:
        """The mean over a cell that begins at each pixel: what every shift needs, at once."""
        return np.asarray(cv2.boxFilter(plane, -1, (side, side), anchor=(0, 0), borderType=cv2.BORDER_ISOLATED))

    mean_b, squares_b = around(padded), around(padded * padded)
    variances_b = np.maximum(squares_b - mean_b * mean_b, 0)
    best = np.full((rows, columns), -1, np.float32)
    for dy in range(2 * _SHIFT + 1):
        for dx in range(2 * _SHIFT + 1):
            variance_b = variances_b[dy : dy + height : side, dx : dx + width : side]
            together = mean(centred * padded[dy : dy + height, dx : dx + width])
            np.maximum(best, together / np.sqrt(np.maximum(variance_a * variance_b, 1e-3)), out=best)
    variance_b = variances_b[_SHIFT : _SHIFT + height : side, _SHIFT : _SHIFT + width : side]
    best[(variance_a < _FLAT) | (variance_b < _FLAT)] = 0
    return best, np.sqrt(variance_a), np.sqrt(variance_b)
