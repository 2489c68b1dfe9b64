"""Compare the part of a frame under an outline with the indexed picture laid over it: structure, edges, colours.

Small blocks may be shifted a little against each other, as no real thing is quite flat; one gain per channel is taken
out before colours are compared, as every light has its own.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from assistant.core.types import Frame
from assistant.recognition.alignment import Alignment
from assistant.recognition.grid_agreement import cell_measures
from assistant.vision.local_features import LocalFeatures

#: Side of the blocks that are compared, and how far a block may be shifted, in thumbnail pixels.
BLOCK_PX = 24
SHIFT_PX = 3


def compare_patches(frame: Frame, picture: LocalFeatures, alignment: Alignment, area_px: float) -> dict[str, Any]:
    """Structure, edge and colour agreement of the picture with the frame under the outline, at equal resolution.

    Returns:
        The fields of `assistant.recognition.verify.Measures` that come from it, `cells` among them.
    """
    thumbnail = picture.thumbnail
    height, width = thumbnail.shape[:2]
    own_px = float(cv2.contourArea(picture.extent)) * width * height / (picture.width_px * picture.height_px)
    shrink = min(1.0, math.sqrt(area_px / max(own_px, 1.0)))
    size = (max(16, round(width * shrink)), max(16, round(height * shrink)))
    reference = cv2.resize(thumbnail, size, interpolation=cv2.INTER_AREA)
    patch, mask = rectified(frame, picture, alignment, size)
    thing = cv2.resize(picture.silhouette * 255, size, interpolation=cv2.INTER_LINEAR) > 127
    cells = cell_measures(reference, patch, mask, thing)
    mask &= thing
    a, b = _grey(reference), _grey(patch)
    correlations = _block_correlations(a, b, mask)
    ga, gb = _gradient(a), _gradient(b)
    return {
        "blocks": float(np.median(correlations)),
        "weak_blocks": float(np.percentile(correlations, 20)),
        "lost_blocks": float((correlations < 0.35).mean()),
        "edges": _correlation(ga[mask], gb[mask]) if mask.any() else 0.0,
        **_colour(reference, patch, mask),
        "cells": cells,
    }


def rectified(
    frame: Frame, picture: LocalFeatures, alignment: Alignment, size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """The frame under the outline laid flat at `size` (width, height), and which of its pixels lie on the frame."""
    left, top = np.floor(alignment.outline.min(axis=0)).clip(0).astype(int)
    right = min(frame.width_px, int(np.ceil(alignment.outline[:, 0].max())) + 1)
    bottom = min(frame.height_px, int(np.ceil(alignment.outline[:, 1].max())) + 1)
    cut = frame.pixels[top : max(bottom, top + 1), left : max(right, left + 1)]
    area = max(float(cv2.contourArea(alignment.outline.astype(np.float32))), 1.0)
    own = float(cv2.contourArea(picture.extent)) / (picture.width_px * picture.height_px)
    zoom = min(1.0, math.sqrt(own * size[0] * size[1] / area))
    if zoom < 0.8:  # average before sampling, or fine structure turns into noise
        small = (max(1, round(cut.shape[1] * zoom)), max(1, round(cut.shape[0] * zoom)))
        zoom_x, zoom_y = small[0] / cut.shape[1], small[1] / cut.shape[0]
        cut = cv2.resize(cut, small, interpolation=cv2.INTER_AREA)
    else:
        zoom_x = zoom_y = 1.0
    to_picture = np.diag([picture.width_px / size[0], picture.height_px / size[1], 1.0])
    to_cut = np.array([[zoom_x, 0, -left * zoom_x], [0, zoom_y, -top * zoom_y], [0, 0, 1.0]])
    warp = to_cut @ alignment.homography @ to_picture
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(cut, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(np.full(cut.shape[:2], 255, np.uint8), warp, size, flags=flags)
    return patch, mask > 127


def _grey(pixels: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0))


def _gradient(grey: np.ndarray) -> np.ndarray:
    dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.GaussianBlur(np.sqrt(dx * dx + dy * dy), (0, 0), 1.5))


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    if a.size < 16:
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (math.sqrt(float((a * a).sum()) * float((b * b).sum())) + 1e-6))


def _block_correlations(a: np.ndarray, b: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Best correlation of each structured block of `a` with `b` within a small shift; at least one value."""
    found = []
    height, width = a.shape
    side = min(BLOCK_PX, max(10, min(height, width) // 4))
    for top in range(0, height - side + 1, side):
        for left in range(0, width - side + 1, side):
            block = a[top : top + side, left : left + side]
            if block.std() < 5.0 or mask[top : top + side, left : left + side].mean() < 0.8:
                continue
            y0, x0 = max(0, top - SHIFT_PX), max(0, left - SHIFT_PX)
            search = b[y0 : top + side + SHIFT_PX, x0 : left + side + SHIFT_PX]
            if search.std() < 0.5:
                found.append(0.0)
                continue
            found.append(float(cv2.matchTemplate(search, block, cv2.TM_CCOEFF_NORMED).max()))
    return np.nan_to_num(np.array(found or [0.0]), posinf=0.0, neginf=0.0)


def _colour(reference: np.ndarray, patch: np.ndarray, mask: np.ndarray) -> dict[str, float]:
    """Differences of colour over small areas after taking out one gain per channel."""

    def small(pixels: np.ndarray) -> np.ndarray:
        return cv2.resize(pixels, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).reshape(-1, 3)

    a, b = small(reference).astype(np.float32), small(patch).astype(np.float32)
    shown = cv2.resize(mask.astype(np.float32), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).ravel() > 0.9
    a, b = a[shown], b[shown]
    if len(a) < 8:
        return {"colour": 20.0, "colour_worst": 40.0, "tint": 0.0, "colour_mid": 20.0} | _NO_HUE
    gains = np.array([np.median((a[:, c] + 8.0) / (b[:, c] + 8.0)) for c in range(3)])
    common = float(np.prod(gains) ** (1 / 3))
    unequal = np.clip(gains / common, 0.75, 1.33)  # light is never so coloured that it makes blue from red
    lit = np.clip(b * unequal * np.clip(common, 0.3, 5.0), 0, 255)
    chroma_a, chroma_b = _chroma(a), _chroma(lit)
    difference = np.linalg.norm(chroma_a - chroma_b, axis=1)
    return {
        "colour": float(difference.mean()),
        "colour_worst": float(np.percentile(difference, 90)),
        "tint": float(np.abs(np.log(np.maximum(gains / common, 1e-3))).max()),
        "colour_mid": float(np.median(difference)),
        **_hue(chroma_a, _chroma(np.clip(b * np.clip(common, 0.3, 5.0), 0, 255))),
    }


_NO_HUE = {"hue": 0.0, "hue_worst": 0.0, "chroma": 0.0}
#: Below this chroma (CIELAB) a colour has no hue worth comparing.
_COLOURFUL = 14.0


def _chroma(rgb: np.ndarray) -> np.ndarray:
    """(n, 2) CIELAB a and b of (n, 3) RGB 0..255."""
    lab = cv2.cvtColor((rgb[None] / 255.0).astype(np.float32), cv2.COLOR_RGB2LAB)
    return np.asarray(lab[0, :, 1:])


def _hue(a: np.ndarray, b: np.ndarray) -> dict[str, float]:
    """Differences of hue where either has colour (the light is not taken out of `b`: it turns hues but a little)."""
    strength_a, strength_b = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    colourful = np.maximum(strength_a, strength_b) > _COLOURFUL
    if colourful.sum() < 8:
        return dict(_NO_HUE)
    x, y = a[colourful], b[colourful]
    turn = np.abs(np.arctan2(x[:, 0] * y[:, 1] - x[:, 1] * y[:, 0], (x * y).sum(axis=1))) / (np.pi / 3)
    turn *= np.minimum(strength_a, strength_b)[colourful] / (np.minimum(strength_a, strength_b)[colourful] + 6.0)
    share = float(colourful.mean()) ** 0.5
    return {
        "hue": float(np.median(turn)) * share,
        "hue_worst": float(np.percentile(turn, 80)) * share,
        "chroma": float(np.median(np.abs(strength_a - strength_b)[colourful])) / 20.0 * share,
    }
