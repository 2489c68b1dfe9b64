"""From a frame and an outline to a picture that recognition can search for: what teaching keeps of a view.

The outline says where the thing ends, more or less: a box leaves ground in its corners, which is cut away as it is
from indexed pictures; a line drawn round the thing is taken at its word. The picture is the upright box around the
outline with a little margin. How good a view is, is the business of `assistant.teaching.view_quality`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from assistant.core.errors import BadInput
from assistant.core.types import Frame, Polygon, TextLine
from assistant.vision.image_encoder import extract
from assistant.vision.local_features import LocalFeatures, best_spread
from assistant.vision.picture_encoder import PictureEncoder, thing_vector
from assistant.vision.silhouette import SILHOUETTE_SIDE_PX

#: Keypoints kept of a taught view: as many as of an indexed picture.
KEPT_KEYPOINTS = 320
#: The least side of an outline's box; less shows nothing that could be found again.
LEAST_SIDE_PX = 24
#: A longer one is thinned out: a hand drawing round a thing leaves hundreds of points.
MAX_POINTS = 200
_MARGIN = 0.04


class Reads(Protocol):
    """Reads the text on a frame; `assistant.vision.ocr.TextReader` does."""

    def read(self, frame: Frame) -> tuple[TextLine, ...]: ...


@dataclass(frozen=True, eq=False)
class View:
    """One view of a thing: the cut-out picture, the outline in its pixels, and what recognition needs of it."""

    picture: Frame
    outline_px: Polygon
    features: LocalFeatures
    vector: np.ndarray


def whole_of(frame: Frame) -> Polygon:
    """The outline of everything on the frame."""
    w, h = float(frame.width_px), float(frame.height_px)
    return ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))


def box_of(left: float, top: float, right: float, bottom: float) -> Polygon:
    """The outline of an upright box given by two corners in any order."""
    (left, right), (top, bottom) = sorted((left, right)), sorted((top, bottom))
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def checked_outline(outline: Sequence[Sequence[float]], frame: Frame) -> Polygon:
    """The outline with its points on the frame, at most `MAX_POINTS` of them.

    Raises:
        BadInput: fewer than three points, something that is no number, or hardly anything inside.
    """
    try:
        points = np.asarray(outline, float)
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3 or not np.isfinite(points).all():
            raise ValueError
    except (ValueError, TypeError) as problem:
        raise BadInput("the outline is no polygon: draw a line round the object or a box over it") from problem
    points = points.clip(0, (frame.width_px, frame.height_px))
    points = points[:: max(1, -(-len(points) // MAX_POINTS))]
    box = points.max(axis=0) - points.min(axis=0)
    area = float(cv2.contourArea(points.astype(np.float32)))
    if box.min() < LEAST_SIDE_PX or area < 0.3 * LEAST_SIDE_PX**2:
        raise BadInput(
            f"the outline holds {box[0]:.0f} x {box[1]:.0f} pixels of the picture, too few to know it by: "
            "draw round the whole object, or take the picture from closer"
        )
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)


def see(frame: Frame, outline: Sequence[Sequence[float]], encoder: PictureEncoder, reader: Reads | None) -> View:
    """Cut the thing out of the frame and take its features.

    Args:
        frame: the picture it is on.
        outline: polygon in the frame's pixels; an upright rectangle is a box around the thing.
        encoder: the encoder that the index was made with.
        reader: reads the text on it; without one the text takes no part in finding it again.

    Raises:
        BadInput: the outline cannot be used.
    """
    points = np.array(checked_outline(outline, frame))
    picture, corner = _cut(frame, points)
    inside = points - corner
    features = extract(picture)
    is_box = _is_box(inside)
    if not is_box:
        features = _outlined(features, inside)
    features = _kept(features)
    if reader is not None:
        features = features.with_texts(_lines_on(features, reader.read(picture)))
    outline_px = tuple((round(float(x), 1), round(float(y), 1)) for x, y in inside)
    return View(picture, outline_px, features, thing_vector(encoder, picture, features))


def _cut(frame: Frame, points: np.ndarray) -> tuple[Frame, np.ndarray]:
    """The box around the points with its margin, and its upper left corner on the frame."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = _MARGIN * float((high - low).max())
    left, top = np.floor(low - margin).clip(0).astype(int)
    right, bottom = np.minimum(np.ceil(high + margin), (frame.width_px, frame.height_px)).astype(int)
    return Frame(np.ascontiguousarray(frame.pixels[top:bottom, left:right])), np.array([left, top], float)


def _is_box(points: np.ndarray) -> bool:
    """Whether these are the corners of an upright rectangle, which says little about the thing's own outline."""
    if len(points) != 4:
        return False
    low, high = points.min(axis=0), points.max(axis=0)
    return bool(((np.abs(points - low) < 1.5) | (np.abs(points - high) < 1.5)).all())


def _outlined(features: LocalFeatures, points: np.ndarray) -> LocalFeatures:
    """Features whose extent and silhouette are the drawn ones."""
    hull = cv2.convexHull(points.astype(np.float32), clockwise=False).reshape(-1, 2)
    if cv2.contourArea(hull, oriented=True) < 0:
        hull = np.ascontiguousarray(hull[::-1])
    scale = SILHOUETTE_SIDE_PX / max(features.width_px, features.height_px)
    width, height = max(8, round(features.width_px * scale)), max(8, round(features.height_px * scale))
    silhouette = np.zeros((height, width), np.uint8)
    cv2.fillPoly(silhouette, [np.round(points * scale).astype(np.int32)], 1)
    return replace(features, known_extent=hull.astype(np.float32), known_silhouette=silhouette)


def _kept(features: LocalFeatures) -> LocalFeatures:
    """Keypoints of the thing alone, the best of them, with extent and silhouette fixed."""
    kept = best_spread(features.within_extent(), KEPT_KEYPOINTS)
    return replace(kept, known_extent=features.extent, known_silhouette=features.silhouette)


def _lines_on(features: LocalFeatures, lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """The lines whose middle lies on the thing."""
    hull = features.extent.astype(np.float32)
    middles = [np.mean(np.asarray(line.outline_px, float), axis=0) for line in lines]
    return tuple(
        line
        for line, (x, y) in zip(lines, middles, strict=True)
        if cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0
    )
