"""Where on its own picture a thing stands: the convex hull of what is sharp before a plain background.

Product pictures show a thing on a plain ground with a soft shadow; the ground must neither count as part of the thing
when agreement is measured nor belong to its outline on a frame. Shadows have soft edges, things have sharp ones. When a
picture has structure up to its border, the whole picture is taken.
"""

from __future__ import annotations

import cv2
import numpy as np

#: Side to which the picture is brought, least size of a part and of the whole, as shares of the picture.
_SIDE_PX = 256
_LEAST_PART = 0.0004
_LEAST_WHOLE = 0.04
#: A thing that takes this share of its picture fills it: the rest is its own plain margin.
_FILLS = 0.82


def extent_of(thumbnail: np.ndarray) -> np.ndarray:
    """The thing's extent as (n, 2) float32 convex polygon in shares of width and height, clockwise on the picture.

    Args:
        thumbnail: (height, width, 3) uint8 RGB.
    """
    whole = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    height, width = thumbnail.shape[:2]
    scale = _SIDE_PX / max(height, width)
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    if min(height, width) < 16:
        return whole
    small = cv2.resize(thumbnail, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    sharp = _sharp(small)
    border = np.concatenate([sharp[:3].ravel(), sharp[-3:].ravel(), sharp[:, :3].ravel(), sharp[:, -3:].ravel()])
    if border.mean() > 0.12:
        return whole
    joined = cv2.morphologyEx(sharp.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    parts = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= _LEAST_PART * joined.size]
    if not parts:
        return whole
    points = np.argwhere(np.isin(labels, parts))[:, ::-1].astype(np.float32) + 0.5
    hull = cv2.convexHull(points).reshape(-1, 2)
    hull = cv2.approxPolyDP(hull[:, None], 1.5, True).reshape(-1, 2)
    if len(hull) < 3 or not _LEAST_WHOLE < cv2.contourArea(hull) / joined.size < _FILLS:
        return whole
    shares = np.clip(hull / size, 0, 1).astype(np.float32)
    return shares if _clockwise(shares) else np.ascontiguousarray(shares[::-1])


def _sharp(small: np.ndarray) -> np.ndarray:
    """(h, w) bool: pixels with a steep edge in any of the Lab channels, steeper than what the ground has."""
    lab = cv2.cvtColor((small / 255.0).astype(np.float32), cv2.COLOR_RGB2LAB)
    steep = np.zeros(small.shape[:2], np.float32)
    for channel in range(3):
        plane = cv2.GaussianBlur(lab[..., channel], (0, 0), 0.8)
        dx, dy = cv2.Sobel(plane, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(plane, cv2.CV_32F, 0, 1, scale=0.25)
        steep = np.maximum(steep, np.hypot(dx, dy))
    edge = np.concatenate([steep[:4].ravel(), steep[-4:].ravel(), steep[:, :4].ravel(), steep[:, -4:].ravel()])
    return np.asarray(steep > max(5.0, 3.0 * float(np.percentile(edge, 90))))


def _clockwise(polygon: np.ndarray) -> bool:
    """Clockwise as seen, with y pointing down."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0
