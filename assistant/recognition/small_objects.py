"""A closer look at small things: where a frame has islands of rare colour, and their local features, enlarged.

The keypoints of a frame go where its structure is: bricks and stripes take them, and a small thing before them keeps
too few to be found by. A thing is mostly of other colours than its ground, so islands of colours that are rare on the
frame are looked at once more, on their own and enlarged. A colour's rarity as salience: M.-M. Cheng et al., "Global
contrast based salient region detection", CVPR 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.vision.image_encoder import sift
from assistant.vision.local_features import LocalFeatures

#: Side at which islands are looked for, and how many are kept.
_SIDE_PX = 256
MOST = 4
#: Bins of lightness, and of the two chroma channels (of 10 units each around grey).
_BINS = (8, 13, 13)
#: An island has so many pixels of `_SIDE_PX`, so long a box, and a box of at most so much of the frame and so long.
_LEAST_AREA, _LEAST_SIDE, _MOST_AREA, _MOST_SIDE = 60, 10, 0.2, 140
#: The second of two levels, over the first: an island may stand on something that is rare itself.
_HIGHER = 1.3
#: What is looked at around an island, and to which side it is enlarged, at most by the factor.
_MARGIN, _CLOSE_SIDE_PX, _MOST_ENLARGED = 0.2, 320, 3.0
#: Enough for a place to be found; more would be the grain.
_KEYPOINTS = 300
#: Boxes with more of the smaller in common are one island.
_SAME_BOX = 0.5


@dataclass(frozen=True)
class Island:
    """`box`: left, top, width, height in the frame's pixels."""

    box: tuple[float, float, float, float]

    @property
    def corners(self) -> np.ndarray:
        """(4, 2) float32, clockwise."""
        left, top, width, height = self.box
        return np.array(
            [[left, top], [left + width, top], [left + width, top + height], [left, top + height]], np.float32
        )


def islands(pixels: np.ndarray, most: int = MOST) -> list[Island]:
    """Regions of (h, w, 3) uint8 RGB pixels whose colours are rare on it, the most striking first; often none."""
    scale = _SIDE_PX / max(pixels.shape[:2])
    size = tuple(max(8, round(side * scale)) for side in pixels.shape[1::-1])
    across, down = size[0] / pixels.shape[1], size[1] / pixels.shape[0]  # differ on very long frames
    rare = _rarity(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    spread = float(rare.max() - rare.min())
    if spread < 1e-6:
        return []
    levels = ((rare - rare.min()) * (255.0 / spread)).astype(np.uint8)
    first, _ = cv2.threshold(levels, 0, 255, cv2.THRESH_OTSU)
    found: list[tuple[float, Island]] = []
    for level in (first, min(250.0, first * _HIGHER)):
        joined = cv2.morphologyEx((levels > level).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        for i in range(1, count):
            left, top, width, height, area = (int(v) for v in stats[i])
            long = max(width, height)
            if area < _LEAST_AREA or not _LEAST_SIDE <= long <= _MOST_SIDE or width * height > _MOST_AREA * rare.size:
                continue
            box = (left / across, top / down, width / across, height / down)
            found.append((float(rare[labels == i].mean()) * area**0.5, Island(box)))
    kept: list[Island] = []
    for _, island in sorted(found, key=lambda f: -f[0]):
        if all(_common(island.box, other.box) < _SAME_BOX for other in kept):
            kept.append(island)
    return kept[:most]


def closer(pixels: np.ndarray, island: Island, thumbnail: np.ndarray) -> LocalFeatures:
    """Local features of an island and a little around it, seen enlarged, in the frame's pixels.

    Args:
        thumbnail: the frame's, as in its own `LocalFeatures`.
    """
    height, width = pixels.shape[:2]
    left, top, wide, high = island.box
    margin = _MARGIN * max(wide, high)
    x0, y0 = int(max(0, left - margin)), int(max(0, top - margin))
    x1, y1 = int(min(width, left + wide + margin)), int(min(height, top + high + margin))
    crop = cv2.cvtColor(pixels[y0:y1, x0:x1], cv2.COLOR_RGB2GRAY)
    factor = min(_MOST_ENLARGED, max(1.0, _CLOSE_SIDE_PX / max(crop.shape)))
    points, descriptors = sift(cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC))
    points, descriptors = points[:_KEYPOINTS].copy(), descriptors[:_KEYPOINTS]
    points[:, :2] = (points[:, :2] + 0.5) / factor - 0.5 + (x0, y0)
    points[:, 2] /= factor
    return LocalFeatures(width, height, points, descriptors, thumbnail)


def uncovered(found: Sequence[Island], outlines: Sequence[np.ndarray]) -> list[Island]:
    """The islands that none of the convex outlines covers by half."""
    return [island for island in found if all(_covered(island, outline) < _SAME_BOX for outline in outlines)]


def _covered(island: Island, outline: np.ndarray) -> float:
    common, _ = cv2.intersectConvexConvex(island.corners, outline.astype(np.float32))
    return float(common) / max(island.box[2] * island.box[3], 1.0)


def _rarity(small: np.ndarray) -> np.ndarray:
    """(h, w) float32: how rare the colour of each pixel is on the picture, as a negative logarithm, smoothed."""
    calm = cv2.bilateralFilter(small, 7, 40, 5)
    lab = cv2.cvtColor((calm / 255.0).astype(np.float32), cv2.COLOR_RGB2LAB)
    bins = np.stack([lab[..., 0] / 12.5, (lab[..., 1] + 64) / 10, (lab[..., 2] + 64) / 10], axis=-1).astype(int)
    bins = bins.clip(0, np.array(_BINS) - 1)
    cell = np.ravel_multi_index(tuple(np.moveaxis(bins, -1, 0)), _BINS)
    share = np.bincount(cell.ravel(), minlength=int(np.prod(_BINS))).reshape(_BINS) / cell.size
    for axis in range(3):  # neighbouring colours are hardly told apart
        before, after = np.roll(share, 1, axis), np.roll(share, -1, axis)
        before[(slice(None),) * axis + (0,)] = 0.0
        after[(slice(None),) * axis + (-1,)] = 0.0
        share = 0.5 * share + 0.25 * (before + after)
    rare = -np.log(share.ravel()[cell] + 1e-5).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(rare, (0, 0), 2.0))


def _common(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """The area two boxes have in common, as a share of the smaller."""
    wide = max(0.0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))
    high = max(0.0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))
    return wide * high / max(min(a[2] * a[3], b[2] * b[3]), 1e-6)
