"""Where on its own picture a thing stands: its silhouette and the convex polygon around it.

The ground must neither count as part of the thing when agreement is measured nor belong to its outline on a frame.
Product pictures show a thing on a plain ground with a soft shadow: there it is the hull of what is sharp (shadows have
soft edges, things have sharp ones). Before grass, streets, shelves or houses it is what stands out
(`assistant.vision.salience`); where nothing surely does, the colours of the border tell the ground apart (GrabCut,
Rother et al. 2004). When none of them finds a thing, the whole picture is taken.
"""

from __future__ import annotations

import cv2
import numpy as np

from assistant.vision.salience import salience

#: Side to which the picture is brought, least size of a part and of the whole, as shares of the picture.
_SIDE_PX = 256
_LEAST_PART = 0.0004
_LEAST_WHOLE = 0.04
#: Side at which the silhouette is cut out.
SILHOUETTE_SIDE_PX = 128
#: Surely ground: this share of the shorter side along the border. Likely the thing: what lies further in than the next.
_SURE_BORDER, _LIKELY_BORDER = 0.035, 0.1
#: A silhouette that is the hull of what is sharp but for this says nothing new: a box, a cover, a card.
_SAME_HULL, _SOLID = 0.8, 0.85
#: A thing that takes this share of its picture fills it: the rest is its own plain margin.
_FILLS = 0.82
#: A silhouette that runs along more than this share of the border is none: its picture shows no ground.
_CUT_OFF = 0.35
#: So much of a silhouette is its largest part; several parts are what is printed on a thing that fills its picture.
_ONE_THING = 0.6
#: A ground has structure when a quarter of the border is steeper than this (Lab units a pixel at `SILHOUETTE_SIDE_PX`).
#: Of 800 generated pictures plain grounds have 0.6 to 1.2, drawn grass and streets 2 and more, photographs 4 to 30.
_STRUCTURE, _BORDER = 1.5, 0.06
#: How far from undecided what stands out must be on average, and how large a part must be beside the largest.
_SURE, _LEAST_BESIDE = 0.33, 0.1


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
    return _in_shares(hull, size)


def thing_on(thumbnail: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The thing's extent as `extent_of` has it, but before grounds with structure too, and its silhouette.

    Returns:
        Extent, and (h, w) uint8 0/1, `SILHOUETTE_SIDE_PX` long: pixels that belong to the thing.
    """
    size = _silhouette_size(thumbnail)
    if _before_structure(thumbnail, size):
        standing_out = _standing_out(thumbnail, size)
        around = None if standing_out is None else _hull_around(standing_out)
        if standing_out is not None and around is not None:
            return _in_shares(around, size), standing_out
    extent = extent_of(thumbnail)
    filled = _filled(extent * size, size)
    silhouette = None if filled.all() else _cut_out(thumbnail, size)
    if silhouette is None:  # or structure up to the border: a thing that fills its picture has colours of its own too
        return extent, filled
    hull = _hull_around(silhouette)
    if hull is None:
        return extent, filled
    around = _filled(hull, size)
    common = float((around & filled).sum()) / max(float((around | filled).sum()), 1.0)
    if common > _SAME_HULL:
        solid = float(silhouette.sum()) / max(float(around.sum()), 1.0)
        return extent, filled if solid > _SOLID else silhouette & filled
    return _in_shares(hull, size), silhouette


def _hull_around(silhouette: np.ndarray) -> np.ndarray | None:
    """(n, 2) float32 convex polygon around a silhouette, in its pixels; None when that is a line or a dot."""
    hull = cv2.convexHull(np.argwhere(silhouette)[:, ::-1].astype(np.float32) + 0.5).reshape(-1, 2)
    hull = cv2.approxPolyDP(hull[:, None], 0.6, True).reshape(-1, 2)
    return hull if len(hull) >= 3 else None


def _in_shares(polygon: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    shares = np.clip(polygon / size, 0, 1).astype(np.float32)
    return shares if _clockwise(shares) else np.ascontiguousarray(shares[::-1])


def _filled(polygon: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon).astype(np.int32), 1)
    return mask


def _silhouette_size(thumbnail: np.ndarray) -> tuple[int, int]:
    height, width = thumbnail.shape[:2]
    scale = SILHOUETTE_SIDE_PX / max(height, width)
    return max(8, round(width * scale)), max(8, round(height * scale))


def _before_structure(thumbnail: np.ndarray, size: tuple[int, int]) -> bool:
    """Whether the ground along the border is more than a wall or a sheet of paper with light on it."""
    if min(thumbnail.shape[:2]) < 16:
        return False
    steep = _steepness(cv2.resize(thumbnail, size, interpolation=cv2.INTER_AREA))
    border = max(2, round(_BORDER * min(size)))
    ring = np.ones(steep.shape, bool)
    ring[border:-border, border:-border] = False
    return float(np.percentile(steep[ring], 75)) > _STRUCTURE


def _standing_out(thumbnail: np.ndarray, size: tuple[int, int]) -> np.ndarray | None:
    """What stands out, (h, w) uint8 0/1 at `size`; None when nothing surely does, or hardly anything, or all."""
    values = cv2.resize(salience(thumbnail), size, interpolation=cv2.INTER_LINEAR)
    likely = values > 0.1
    if not likely.any() or float(np.abs(values - 0.5)[likely].mean()) < _SURE:
        return None
    labels, areas = _parts((values > 0.5).astype(np.uint8))
    found = np.isin(labels, np.flatnonzero(areas > max(_LEAST_BESIDE * areas.max(), 4))).astype(np.uint8)
    return found if _LEAST_WHOLE < found.mean() < _FILLS else None


def _parts(found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(h, w) labels of the connected parts without what is thinner than 3 px, and their areas; the ground's is 0."""
    opened = cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA].copy()
    areas[0] = 0
    return labels, areas


def _cut_out(thumbnail: np.ndarray, size: tuple[int, int]) -> np.ndarray | None:
    """What differs in colour from the border, (h, w) uint8 0/1 at `size`; None when that is hardly anything or all."""
    if min(thumbnail.shape[:2]) < 16:
        return None
    small = cv2.resize(thumbnail, size, interpolation=cv2.INTER_AREA)
    small = cv2.bilateralFilter(small, 5, 30, 3)
    width, height = size
    marks = np.full((height, width), cv2.GC_PR_BGD, np.uint8)
    x, y = round(_LIKELY_BORDER * width), round(_LIKELY_BORDER * height)
    marks[y : height - y, x : width - x] = cv2.GC_PR_FGD
    border = max(2, round(_SURE_BORDER * min(size)))
    marks[:border] = marks[-border:] = cv2.GC_BGD
    marks[:, :border] = marks[:, -border:] = cv2.GC_BGD
    if small.reshape(-1, 3).std(axis=0).max() < 3.0:
        return None
    cv2.setRNGSeed(0)  # its colour models start from random means
    cv2.grabCut(small, marks, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    found = ((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)).astype(np.uint8)
    labels, areas = _parts(found)
    if areas.max() < _ONE_THING * areas.sum():
        return None
    found = np.isin(labels, np.flatnonzero(areas > max(0.02 * areas.max(), 4))).astype(np.uint8)
    ring = np.ones_like(found, bool)
    ring[border + 1 : -border - 1, border + 1 : -border - 1] = False
    beside = float(found[ring & (marks != cv2.GC_BGD)].mean())
    return found if _LEAST_WHOLE < found.mean() < _FILLS and beside < _CUT_OFF else None


def _steepness(small: np.ndarray, smoothed: float = 0.0) -> np.ndarray:
    """(h, w) float32: the steepest change among the Lab channels, a pixel; `smoothed`: sigma of a blur before, px."""
    lab = cv2.cvtColor((small / 255.0).astype(np.float32), cv2.COLOR_RGB2LAB)
    steep = np.zeros(small.shape[:2], np.float32)
    for channel in range(3):
        plane = cv2.GaussianBlur(lab[..., channel], (0, 0), smoothed) if smoothed else lab[..., channel]
        dx, dy = cv2.Sobel(plane, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(plane, cv2.CV_32F, 0, 1, scale=0.25)
        steep = np.maximum(steep, np.hypot(dx, dy))
    return steep


def _sharp(small: np.ndarray) -> np.ndarray:
    """(h, w) bool: pixels with a steep edge in any of the Lab channels, steeper than what the ground has."""
    steep = _steepness(small, 0.8)
    edge = np.concatenate([steep[:4].ravel(), steep[-4:].ravel(), steep[:, :4].ravel(), steep[:, -4:].ravel()])
    return np.asarray(steep > max(5.0, 3.0 * float(np.percentile(edge, 90))))


def _clockwise(polygon: np.ndarray) -> bool:
    """Clockwise as seen, with y pointing down."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0
