"""Two indexed pictures laid over the same place of a frame, compared by what both show there.

Where a thing could not be told from its background (`assistant.vision.silhouette`), its whole picture counts as the
thing, and the ground weighs against it on every other ground: a sibling in a cleaner picture then looks surer than the
thing itself. Looked at within the sibling's silhouette, the two stand on the same ground.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from assistant.recognition.alignment import MIN_INLIERS, Alignment, outline_of, project
from assistant.vision.local_features import LocalFeatures

#: A picture of which at least this share counts as the thing was not cut out.
WHOLE = 0.99


def not_cut_out(picture: LocalFeatures) -> bool:
    """Whether the whole picture counts as the thing."""
    return bool(picture.silhouette.mean() >= WHOLE)


def within(
    picture: LocalFeatures, alignment: Alignment, other: LocalFeatures, where: Alignment
) -> tuple[LocalFeatures, Alignment] | None:
    """The picture and its alignment as they would be, had its thing the silhouette of the other's; None: too little.

    Args:
        picture, alignment: an indexed picture and where it lies on the frame.
        other, where: another picture that lies at the same place.
    """
    try:
        between = np.linalg.inv(alignment.homography) @ where.homography
    except np.linalg.LinAlgError:
        return None
    height, width = picture.silhouette.shape
    from_small = np.diag([other.width_px / other.silhouette.shape[1], other.height_px / other.silhouette.shape[0], 1.0])
    to_small = np.diag([width / picture.width_px, height / picture.height_px, 1.0])
    silhouette = cv2.warpPerspective(other.silhouette, to_small @ between @ from_small, (width, height))
    extent = project(between, other.extent.astype(float)).clip(0, (picture.width_px, picture.height_px))
    x, y = (picture.keypoints[:, :2] / (picture.width_px, picture.height_px) * (width, height)).astype(int).T
    inside = silhouette[y.clip(0, height - 1), x.clip(0, width - 1)] > 0
    kept = np.flatnonzero(inside)
    inliers, matched = (np.searchsorted(kept, i[inside[i]]) for i in (alignment.inliers, alignment.matched))
    if len(inliers) < MIN_INLIERS or cv2.contourArea(extent.astype(np.float32)) < 1:
        return None
    cut = replace(
        picture.where(kept),
        known_extent=cv2.convexHull(extent.astype(np.float32)).reshape(-1, 2),
        known_silhouette=silhouette,
    )
    return cut, replace(alignment, outline=outline_of(alignment.homography, cut), inliers=inliers, matched=matched)
