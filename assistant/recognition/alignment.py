"""Find an indexed picture on a frame: matches of local features, then a robust homography.

The result says where the picture would lie and which matches agree; whether it really is the picture is decided in
`assistant.recognition.verify`. One instance per picture: a second copy on the same frame is not looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.vision.local_features import LocalFeatures

#: Lowe's ratio on RootSIFT distances. Looser than usual: other editions and light cost similarity, geometry decides.
RATIO = 0.86
MIN_MATCHES = 6
MIN_INLIERS = 6
#: Reprojection tolerance, as a share of the frame's longer side (4 px of 1280).
TOLERANCE = 1 / 320
#: A second look for matches around where the homography puts each keypoint: radius in tolerances, least similarity.
GUIDED_RADIUS = 2.0
GUIDED_SIMILARITY = 0.72
#: Accepted outlines cover at least this share of the frame.
LEAST_AREA = 0.004


@dataclass(frozen=True, eq=False)
class Alignment:
    """Where an indexed picture lies on a frame.

    homography (3, 3) maps picture pixels to frame pixels; outline (n, 2) is the thing's convex extent on the frame;
    matched and inliers are indices into the picture's keypoints; error_px the median reprojection error.
    """

    homography: np.ndarray
    outline: np.ndarray
    matched: np.ndarray
    inliers: np.ndarray
    error_px: float


def similarities(pictures: Sequence[LocalFeatures], frame: LocalFeatures) -> list[np.ndarray]:
    """(keypoints of the picture, keypoints of the frame) cosine similarity, for each picture, as one product."""
    if not pictures:
        return []
    together = np.concatenate([picture.rootsift for picture in pictures]) @ frame.rootsift.T
    return np.split(together, np.cumsum([len(picture) for picture in pictures])[:-1])


def match(
    picture: LocalFeatures, frame: LocalFeatures, similarity: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (indices into picture, indices into frame) that pass the ratio test, best of each frame keypoint."""
    none = np.zeros(0, int)
    if len(picture) < MIN_MATCHES or len(frame) < MIN_MATCHES:
        return none, none
    if similarity is None:
        (similarity,) = similarities([picture], frame)
    best = similarity.argmax(axis=1)
    rows = np.arange(len(picture))
    first = similarity[rows, best]
    # The second best must be somewhere else: one corner often gives several keypoints.
    second = _second_best(similarity, best, frame.keypoints[:, :2], 0.008 * max(frame.width_px, frame.height_px))
    distance = np.sqrt(np.maximum(2 - 2 * first, 0))
    other = np.sqrt(np.maximum(2 - 2 * second, 1e-6))
    kept = np.flatnonzero(distance < RATIO * other)
    kept = kept[np.lexsort((kept, -first[kept]))]
    _, unique = np.unique(best[kept], return_index=True)
    kept = kept[np.sort(unique)]
    return kept, best[kept]


def _second_best(similarity: np.ndarray, best: np.ndarray, position: np.ndarray, near_px: float) -> np.ndarray:
    """(n,) the greatest similarity in each row beyond `near_px` of the best; the four greatest are looked at, and the
    fifth counts wherever it lies.
    """
    far = similarity.copy()
    second = np.full(len(far), -1.0, np.float32)
    rows, column = np.arange(len(far)), best
    for _ in range(min(4, far.shape[1])):
        close = _squares(position[column] - position[best[rows]]) < near_px**2
        second[rows[~close]] = far[rows, column][~close]
        rows = rows[close]
        far[rows, column[close]] = -1.0
        column = far[rows].argmax(axis=1) if len(rows) < len(far) else far.argmax(axis=1)
    second[rows] = far[rows, column]
    return second


def align(picture: LocalFeatures, frame: LocalFeatures, similarity: np.ndarray | None = None) -> Alignment | None:
    """Where the picture lies on the frame, or None when no plausible place is found.

    Args:
        picture: the indexed picture.
        frame: the frame's features.
        similarity: of their descriptors, where it is known (`similarities`).
    """
    a, b = match(picture, frame, similarity)
    if len(a) < MIN_MATCHES:
        return None
    matched = a
    keep = _consistent(picture.keypoints[a], frame.keypoints[b])
    a, b = a[keep], b[keep]
    if len(a) < MIN_MATCHES:
        return None
    tolerance = TOLERANCE * max(frame.width_px, frame.height_px)
    homography = _robust(picture.keypoints[a, :2], frame.keypoints[b, :2], tolerance)
    if homography is None:
        return None
    a, b = _guided(picture, frame, homography, tolerance)
    if len(a) < MIN_INLIERS:
        return None
    refined, mask = cv2.findHomography(
        picture.keypoints[a, :2], frame.keypoints[b, :2], cv2.USAC_MAGSAC, 1.5 * tolerance, maxIters=500
    )
    if refined is not None and mask.sum() >= MIN_INLIERS:
        homography = refined
        kept = mask.ravel() > 0
        a, b = a[kept], b[kept]
    if not plausible(homography, picture, frame):
        return None
    error = np.linalg.norm(project(homography, picture.keypoints[a, :2]) - frame.keypoints[b, :2], axis=1)
    return Alignment(homography, outline_of(homography, picture), matched, a, float(np.median(error)))


def project(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Map (n, 2) points; points at infinity come back as very large numbers, never NaN."""
    extended = np.column_stack([points, np.ones(len(points))]) @ homography.T
    w = extended[:, 2:]
    w = np.where(np.abs(w) < 1e-9, 1e-9, w)
    return np.asarray(extended[:, :2] / w)


def outline_of(homography: np.ndarray, picture: LocalFeatures) -> np.ndarray:
    """(n, 2) the thing's extent on the frame."""
    return project(homography, picture.extent.astype(float))


def corners_of(homography: np.ndarray, picture: LocalFeatures) -> np.ndarray:
    """(4, 2) the corners of the box around the thing's extent, on the frame, clockwise from its top left."""
    return project(homography, _box(picture))


def proportions(homography: np.ndarray, picture: LocalFeatures) -> float:
    """How much wider the thing's box is on the frame than on its picture, for its height; 1 when seen straight on."""
    box, seen = _box(picture), corners_of(homography, picture)
    sides = [np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) for corners in (seen, box)]
    wide = [(lengths[0] + lengths[2]) / max(lengths[1] + lengths[3], 1e-6) for lengths in sides]
    return float(wide[0] / wide[1])


def _box(picture: LocalFeatures) -> np.ndarray:
    (left, top), (right, bottom) = picture.extent.min(axis=0), picture.extent.max(axis=0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


def plausible(homography: np.ndarray, picture: LocalFeatures, frame: LocalFeatures) -> bool:
    """Whether the outline is what a camera can see of a flat thing: convex, not mirrored, not a sliver."""
    depth = _box(picture) @ homography[2, :2] + homography[2, 2]
    corners = corners_of(homography, picture)
    if not (np.all(depth > 0) or np.all(depth < 0)) or not np.all(np.isfinite(corners)):
        return False
    edges = np.roll(corners, -1, axis=0) - corners
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    if not np.all(turns > 0):
        return False
    area = cv2.contourArea(corners.astype(np.float32))
    whole = frame.width_px * frame.height_px
    if not LEAST_AREA * whole < area < 4.0 * whole:
        return False
    lengths = np.linalg.norm(edges, axis=1)
    if lengths[0] > 3 * lengths[2] or lengths[2] > 3 * lengths[0]:
        return False
    if lengths[1] > 3 * lengths[3] or lengths[3] > 3 * lengths[1]:
        return False
    outline = outline_of(homography, picture)
    return bool(0.3 < proportions(homography, picture) < 3.3 and visible_share(outline, frame) > 0.3)


def visible_share(outline: np.ndarray, frame: LocalFeatures) -> float:
    """Which share of the outline's area lies on the frame."""
    border = np.array(
        [[0, 0], [frame.width_px, 0], [frame.width_px, frame.height_px], [0, frame.height_px]], np.float32
    )
    area = cv2.contourArea(outline.astype(np.float32))
    inside, _ = cv2.intersectConvexConvex(outline.astype(np.float32), border)
    return float(inside / area) if area > 0 else 0.0


def _consistent(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Indices of matches whose change of size and direction agrees with most others (a Hough vote).

    A few right matches among many wrong ones are found this way before the homography has to find them.
    """
    log_scale = np.log2(np.maximum(q[:, 2], 1e-3) / np.maximum(p[:, 2], 1e-3))
    turn = np.deg2rad(q[:, 3] - p[:, 3])
    scale_gap = np.abs(log_scale[:, None] - log_scale[None, :])
    turn_gap = np.abs(np.angle(np.exp(1j * (turn[:, None] - turn[None, :]))))
    agrees = (scale_gap < 0.9) & (turn_gap < np.deg2rad(30))
    if len(p) < 2 * MIN_MATCHES:
        centre = int(agrees.sum(axis=1).argmax())
        return np.flatnonzero(agrees[centre])
    centre = int((agrees * np.exp(-scale_gap) * np.exp(-turn_gap)).sum(axis=1).argmax())
    return np.flatnonzero(agrees[centre])


def _squares(differences: np.ndarray) -> np.ndarray:
    """(n,) squared lengths of (n, 2) vectors."""
    return np.asarray(np.einsum("ij,ij->i", differences, differences))


def _robust(p: np.ndarray, q: np.ndarray, tolerance: float) -> np.ndarray | None:
    homography, mask = cv2.findHomography(p, q, cv2.USAC_MAGSAC, tolerance, maxIters=1000, confidence=0.999)
    if homography is None or mask.sum() < 5:
        return None
    return np.asarray(homography)


def _guided(
    picture: LocalFeatures, frame: LocalFeatures, homography: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that lie where the homography says and look alike, ratio test or not, one to one."""
    # Every pair is looked at, so in single precision and a coordinate at a time: four times as fast.
    where = project(homography, picture.keypoints[:, :2]).clip(-1e6, 1e6).astype(np.float32)
    gap = np.subtract.outer(where[:, 0], frame.keypoints[:, 0]) ** 2
    gap += np.subtract.outer(where[:, 1], frame.keypoints[:, 1]) ** 2
    a, b = np.nonzero(gap < (GUIDED_RADIUS * tolerance) ** 2)
    similarity = np.einsum("ij,ij->i", picture.rootsift[a], frame.rootsift[b])
    good = similarity > GUIDED_SIMILARITY
    a, b, similarity = a[good], b[good], similarity[good]
    order = np.lexsort((a, -similarity))
    a, b = a[order], b[order]
    _, first = np.unique(a, return_index=True)
    keep = np.zeros(len(a), bool)
    keep[first] = True
    _, first_b = np.unique(np.where(keep, b, -1), return_index=True)
    one = np.zeros(len(a), bool)
    one[first_b] = True
    keep &= one
    return a[keep], b[keep]
