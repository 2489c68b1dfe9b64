"""Decide how surely an aligned picture really is what the frame shows.

An inlier count alone lets through what merely carries similar lettering. So the part of the frame under the outline is
laid over the indexed picture's thumbnail and compared: which share of the picture the inliers cover, how well small
blocks agree in structure and edges, how well colours agree after the change of light is taken out, how well the text
agrees. A logistic model fitted on calibration worlds (`python -m eval encoder`) turns these measures into a confidence.
Only what belongs to the thing's silhouette is compared, not the ground of its picture. One plane is assumed: of a thing
seen from far aside the measures are low and nothing is claimed.
"""

from __future__ import annotations

import json
import math
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import cv2
import numpy as np

from assistant.conversation import Frame
from assistant.errors import NotReady
from assistant.search.agreement import UNKNOWN, TextAgreement
from assistant.search.alignment import Alignment, project, proportions, visible_share
from assistant.search.features import LocalFeatures
from assistant.search.patches import compare_patches


@dataclass(frozen=True)
class Measures:
    """What the alignment shows; all fields are plain numbers, most of them 0..1.

    inliers: log of their number; share: inliers among keypoints that should be visible; coverage, hull: share of the
    picture with inliers; error: relative to the outline's size; area: log share of the frame; tilt: how far the outline
    is from the picture's proportions; visible: share of the outline on the frame; blocks, weak_blocks, lost_blocks:
    median, lower quintile and share without agreement of block correlations; edges: correlation of gradients; colour,
    colour_worst: difference of chroma after taking out the light (mean and worst tenth); tint: how much light had to be
    taken out; recall, precision, largest, in_place: text agreement around 0, weighted by its amount; clash: surest
    disagreement of lines at one place; hue, hue_worst: difference of hue where there is colour, in units of 60 degrees
    (median and worst fifth); chroma: median difference of colourfulness; colour_mid: median difference of chroma.
    """

    inliers: float
    share: float
    coverage: float
    hull: float
    error: float
    area: float
    tilt: float
    visible: float
    blocks: float
    weak_blocks: float
    lost_blocks: float
    edges: float
    colour: float
    colour_worst: float
    tint: float
    recall: float
    precision: float
    largest: float
    amount: float
    in_place: float
    clash: float
    hue: float
    hue_worst: float
    chroma: float
    colour_mid: float


NAMES = tuple(f.name for f in fields(Measures))


def measure_alignment(
    frame: Frame, seen: LocalFeatures, picture: LocalFeatures, alignment: Alignment, text: TextAgreement = UNKNOWN
) -> Measures:
    """All measures of one aligned picture. `seen` are the frame's features, `picture` the indexed picture's."""
    area_px = max(float(cv2.contourArea(alignment.outline.astype(np.float32))), 1.0)
    looks = compare_patches(frame, picture, alignment, area_px)
    expected = _expected(seen, picture, alignment, area_px)
    coverage, hull = _covered(seen, picture, alignment)
    outline = alignment.outline
    return Measures(
        inliers=math.log(len(alignment.inliers)),
        share=min(1.0, len(alignment.inliers) / max(expected, 10)),
        coverage=coverage,
        hull=hull,
        error=100.0 * alignment.error_px / math.sqrt(area_px),
        area=math.log(area_px / (seen.width_px * seen.height_px)),
        tilt=abs(math.log(max(proportions(alignment.homography, picture), 1e-3))),
        visible=visible_share(outline, seen),
        **text_measures(text),
        **looks,
    )


def text_measures(text: TextAgreement) -> dict[str, float]:
    """The measures that come from text alone."""
    return {
        "recall": (text.recall - 0.5) * text.amount,
        "precision": (text.precision - 0.5) * text.amount,
        "largest": (text.largest - 0.5) * text.amount,
        "amount": text.amount,
        "in_place": text.in_place - 0.5,
        "clash": text.clash,
    }


@dataclass(frozen=True)
class Verifier:
    """The shipped logistic model: confidence = sigmoid(w · (measures − mean) / scale + b)."""

    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    bias: float
    threshold: float

    @classmethod
    def load(cls, folder: Path) -> Verifier:
        """Read `verification.json`.

        Raises:
            NotReady: missing, damaged or made for other measures.
        """
        try:
            data = json.loads((folder / "verification.json").read_text(encoding="utf-8"))
            if tuple(data["measures"]) != NAMES or data["format_version"] != 1:
                raise ValueError("other measures")
            arrays = {key: np.array(data[key], float) for key in ("mean", "scale", "weights")}
            return cls(**arrays, bias=float(data["bias"]), threshold=float(data["threshold"]))
        except (OSError, ValueError, KeyError) as problem:
            raise NotReady(
                f"verification.json in {folder.name!r} is missing or does not fit this Vitrine: get the assets/encoder "
                "folder again, or make it with python -m eval encoder --out assets/encoder"
            ) from problem

    def confidence(self, measures: Measures) -> float:
        """Calibrated probability, 0..1, that the frame shows the indexed entity."""
        values = (np.array(astuple(measures)) - self.mean) / self.scale
        score = float(np.clip(values, -4.0, 4.0) @ self.weights + self.bias)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


def _expected(seen: LocalFeatures, picture: LocalFeatures, alignment: Alignment, area_px: float) -> int:
    """How many of the picture's keypoints lie on the frame and are large enough there to be found."""
    where = project(alignment.homography, picture.keypoints[:, :2])
    inside = ((where >= 0) & (where < (seen.width_px, seen.height_px))).all(axis=1)
    zoom = math.sqrt(area_px / max(float(cv2.contourArea(picture.extent)), 1.0))
    smallest = float(np.percentile(seen.keypoints[:, 2], 2)) if len(seen) else 1.0
    return int((inside & (picture.keypoints[:, 2] * zoom >= smallest)).sum())


def _covered(seen: LocalFeatures, picture: LocalFeatures, alignment: Alignment) -> tuple[float, float]:
    """Share of visible 6x6 cells with keypoints that have an inlier; share of the picture inside the inliers' hull."""
    low, high = picture.extent.min(axis=0), picture.extent.max(axis=0)
    where = project(alignment.homography, picture.keypoints[:, :2])
    inside = ((where >= 0) & (where < (seen.width_px, seen.height_px))).all(axis=1)
    cells = ((picture.keypoints[:, :2] - low) / (high - low) * 6).astype(int).clip(0, 5) @ np.array([6, 1])
    there = np.unique(cells[inside])
    hit = np.unique(cells[alignment.inliers])
    hull = cv2.convexHull(np.ascontiguousarray(picture.keypoints[alignment.inliers, :2], np.float32))
    share = float(cv2.contourArea(hull)) / max(float(cv2.contourArea(picture.extent)), 1.0)
    return min(1.0, len(hit) / max(len(there), 1)), min(1.0, share / max(visible_share(alignment.outline, seen), 0.2))
