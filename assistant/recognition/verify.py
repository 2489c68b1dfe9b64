"""Decide how surely an aligned picture really is what the frame shows.

An inlier count alone lets through what merely carries similar lettering. So the part of the frame under the outline is
laid over the indexed picture's thumbnail and compared: which share of the picture the inliers cover, how well small
blocks agree in structure and edges, how well colours agree after the change of light is taken out, how well the text
agrees. A logistic model fitted on calibration worlds turns these measures into a score, and small networks that look at
the thing cell by cell (`assistant.recognition.grid_agreement`) correct it: a place where a sibling differs weighs more
than gaps through which another ground is seen. Only what belongs to the thing's silhouette is compared, and the cells
that it touches, not the ground of its picture. One plane is assumed: of a thing seen from far
aside the measures are low and nothing is claimed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.core.errors import NotReady
from assistant.core.types import Frame
from assistant.recognition.alignment import Alignment, project, proportions, visible_share
from assistant.recognition.grid_agreement import CELL_MEASURES, NO_CELLS
from assistant.recognition.patches import compare_patches
from assistant.text.agreement import UNKNOWN, TextAgreement
from assistant.vision.local_features import LocalFeatures

FORMAT_VERSION = 2
#: Measures count so many deviations from the mean at most, those of cells so many units.
FARTHEST, FARTHEST_OF_CELL = 4.0, 3.0
#: Cells' weights are shares of their sum and this: few cells say little.
FEW_CELLS = 0.5
#: The networks may lower a score as much as they will, but raise it by no more: they have seen drawn things only, and
#: on covers of another hand they took two that differ for one.
_MOST_RAISED = 1.5


@dataclass(frozen=True)
class Measures:
    """What the alignment shows; all fields but the last are plain numbers, most of them 0..1.

    inliers: log of their number; share: inliers among keypoints that should be visible; coverage, hull: share of the
    picture with inliers; error: relative to the outline's size; area: log share of the frame; tilt: how far the outline
    is from the picture's proportions; visible: share of the outline on the frame; blocks, weak_blocks, lost_blocks:
    median, lower quintile and share without agreement of block correlations; edges: correlation of gradients; colour,
    colour_worst: difference of chroma after taking out the light (mean and worst tenth); tint: how much light had to be
    taken out; recall, precision, largest, in_place: text agreement around 0, weighted by its amount; clash: surest
    disagreement of lines at one place; hue, hue_worst: difference of hue where there is colour, in units of 60 degrees
    (median and worst fifth); chroma: median difference of colourfulness; colour_mid: median difference of chroma.
    cells (n, 10): `assistant.recognition.grid_agreement.CELL_MEASURES` of each cell of the thing.
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
    cells: np.ndarray = field(default_factory=lambda: NO_CELLS, compare=False, repr=False)

    @classmethod
    def of(cls, values: Sequence[float], cells: np.ndarray = NO_CELLS) -> Measures:
        """From `values` and `cells`."""
        named: dict[str, Any] = dict(zip(NAMES, values, strict=True))
        return cls(**named, cells=cells)

    @property
    def values(self) -> tuple[float, ...]:
        """All but the cells, in the order of `NAMES`."""
        return tuple(getattr(self, name) for name in NAMES)


NAMES = tuple(f.name for f in fields(Measures) if f.name != "cells")


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


def text_measures(text: TextAgreement) -> dict[str, Any]:
    """The measures that come from text alone."""
    return {
        "recall": (text.recall - 0.5) * text.amount,
        "precision": (text.precision - 0.5) * text.amount,
        "largest": (text.largest - 0.5) * text.amount,
        "amount": text.amount,
        "in_place": text.in_place - 0.5,
        "clash": text.clash,
    }


def _arrays(data: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """Arrays of these shapes, all of them numbers.

    Raises:
        ValueError, KeyError, TypeError: they are not.
    """
    arrays = {name: np.array(data[name], float) for name in shapes}
    if any(arrays[name].shape != shape or not np.isfinite(arrays[name]).all() for name, shape in shapes.items()):
        raise ValueError("other shapes, or no numbers")
    return arrays


@dataclass(frozen=True, eq=False)
class CellNetwork:
    """Corrects a score by what the cells show.

    Each cell passes through a hidden layer; of its outputs the first half are the cell's weights, the other half what
    is averaged with them over all cells. The score's correction is linear in these averages and in the measures.
    """

    hidden: np.ndarray  # (cell measures, h)
    hidden_bias: np.ndarray  # (h,)
    each: np.ndarray  # (h, 2 k)
    each_bias: np.ndarray  # (2 k,)
    pooled: np.ndarray  # (k,)
    measures: np.ndarray  # (measures,)
    bias: float

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> CellNetwork:
        """From its weights as lists.

        Raises:
            ValueError, KeyError, TypeError: they do not fit together, or are no numbers.
        """
        h, k = len(data["hidden_bias"]), len(data["pooled"])
        shapes = {
            "hidden": (len(CELL_MEASURES), h),
            "hidden_bias": (h,),
            "each": (h, 2 * k),
            "each_bias": (2 * k,),
            "pooled": (k,),
            "measures": (len(NAMES),),
        }
        return cls(**_arrays(data, shapes), bias=float(data["bias"]))

    def correction(self, cells: np.ndarray, measures: np.ndarray) -> float:
        """What is added to the score. `cells` (n, 10) and `measures` are standardised and clipped."""
        each = np.tanh(cells @ self.hidden + self.hidden_bias) @ self.each + self.each_bias
        k = len(self.pooled)
        weights = np.logaddexp(0, each[:, :k])
        average = (weights * np.tanh(each[:, k:])).sum(axis=0) / (weights.sum(axis=0) + FEW_CELLS)
        return float(average @ self.pooled + measures @ self.measures) + self.bias


@dataclass(frozen=True)
class Verifier:
    """The shipped model: confidence = sigmoid(w · (measures − mean) / scale + b + mean correction of the networks).

    Measures are clipped at four deviations, the correction at 1.5 above.
    """

    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    bias: float
    threshold: float
    cell_mean: np.ndarray
    networks: tuple[CellNetwork, ...] = ()

    @classmethod
    def load(cls, folder: Path) -> Verifier:
        """Read `verification.json`.

        Raises:
            NotReady: missing, damaged or made for other measures.
        """
        try:
            data = json.loads((folder / "verification.json").read_text(encoding="utf-8"))
            if data["format_version"] != FORMAT_VERSION:
                raise ValueError("another format")
            if tuple(data["measures"]) != NAMES or tuple(data["cell_measures"]) != CELL_MEASURES:
                raise ValueError("other measures")
            return cls.of(data, float(data["threshold"]))
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise NotReady(
                f"verification.json in {folder.name!r} is missing or does not fit this Vitrine: get the assets/encoder "
                "folder again"
            ) from problem

    @classmethod
    def of(cls, model: Mapping[str, Any], threshold: float) -> Verifier:
        """From the arrays of a fitted model (`eval.encoder_calibration.fit`).

        Raises:
            ValueError, KeyError, TypeError: they do not fit together, or are no numbers.
        """
        n = (len(NAMES),)
        arrays = _arrays(model, {"mean": n, "scale": n, "weights": n, "cell_mean": (len(CELL_MEASURES),)})
        if not (arrays["scale"] > 0).all():
            raise ValueError("no scale")
        networks = tuple(CellNetwork.of(network) for network in model["networks"])
        return cls(**arrays, bias=float(model["bias"]), threshold=threshold, networks=networks)

    def confidence(self, measures: Measures) -> float:
        """Calibrated probability, 0..1, that the frame shows the indexed entity."""
        values = np.clip((np.array(measures.values) - self.mean) / self.scale, -FARTHEST, FARTHEST)
        cells = np.clip(measures.cells - self.cell_mean, -FARTHEST_OF_CELL, FARTHEST_OF_CELL)
        score = float(values @ self.weights) + self.bias
        if self.networks:
            corrections = [network.correction(cells, values) for network in self.networks]
            score += min(sum(corrections) / len(corrections), _MOST_RAISED)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score)))) if math.isfinite(score) else 0.0


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
