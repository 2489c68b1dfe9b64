"""Is one view enough to know a thing by? Measured: it is looked for on pictures that are made from it.

The cut-out is seen again from the left, from the right and turned, and from further away in softer light; each time
the checks of recognition say how surely it would be known. Together with how many places on it can be matched and how
fine they are, that gives the share of other views in which it will be found: a logistic model fitted on 239 views of
the world of seed 105, good ones and spoilt ones (`python -m tests.bench teach --fit`). There, in cross-validation over
the objects, what it called good was found on 84 % of other frames, fair on 64 %, poor on 36 %; on 267 views of the
world of seed 106, which it was not fitted on, on 93, 73 and 18 % (156 of 167, 75 of 103, 6 of 33); all this before
verification had its networks, with which somewhat more is found. How far the places are spread, sharpness and size were
tried and made it no better; they serve the advice.
A thing without places to be matched is known by its looks, if at all (`assistant.recognition.likeness`): where it stays
alike enough to itself on the pictures that are made, it is called fair. That was not fitted.
It says nothing of the thing's back: what looks different from there needs a view of its own.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass, fields
from typing import Literal

import cv2
import numpy as np

from assistant.core.types import Frame
from assistant.recognition.alignment import align
from assistant.recognition.likeness import ENCODER, GREATEST_MARGIN, Likeness
from assistant.recognition.look_stage import shows_nothing
from assistant.recognition.verify import Verifier, measure_alignment
from assistant.teaching.enrol import View
from assistant.vision.image_encoder import extract
from assistant.vision.local_features import LocalFeatures
from assistant.vision.picture_encoder import WINDOWS, PictureEncoder
from assistant.vision.pretrained import WHOLE
from assistant.vision.quality import measure

Level = Literal["good", "fair", "poor"]

#: Found in so large a share of other views or more: one view will do; in fewer than the second, not even with luck.
GOOD, POOR = 0.75, 0.45
#: The cut-out is brought to this longest side at most before it is seen again: the measure has to keep up with a hand.
_TRIAL_SIDE_PX = 480
#: Below these a remark says what to do. Luma 0..1, variance of the Laplacian, keypoints, share of cells, pixels.
_DARK, _BRIGHT, _SOFT, _FEW, _CROWDED, _SMALL_PX = 0.16, 0.9, 60.0, 60, 0.35, 140


@dataclass(frozen=True)
class ViewMeasures:
    """What the meter goes by. keypoints: log of one more than their number; coarse: the same of those that are large
    on the thing (4 % of its size): where there are no others, detail is missing; turned, far: confidence of finding it
    when seen from the side (mean of two) and from twice as far, softer and dimmer.
    """

    keypoints: float
    coarse: float
    turned: float
    far: float


NAMES = tuple(f.name for f in fields(ViewMeasures))

#: score = sigmoid(WEIGHTS · measures + BIAS); see the module's docstring for the command that fits them.
WEIGHTS = (1.17, -1.332, 3.815, 0.538)
BIAS = -5.397


@dataclass(frozen=True)
class Meter:
    """`score` is the share of other views in which the thing will be found, 0..1. `advice`: sentences, best first."""

    score: float
    level: Level
    measures: ViewMeasures
    advice: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The verdict in one sentence."""
        return {
            "good": "This view is distinctive: it will be known again.",
            "fair": "This view may do: a second one from another side makes it surer.",
            "poor": "This view alone is not distinctive enough: add a second one.",
        }[self.level]


def judge(view: View, encoder: PictureEncoder, verifier: Verifier) -> Meter:
    """How well a thing will be known by this view."""
    measures = measure_view(view, verifier)
    score = score_of(measures)
    if score < POOR and _stays_alike(view, encoder, verifier.threshold):
        score = POOR
    level: Level = "good" if score >= GOOD else "fair" if score >= POOR else "poor"
    return Meter(score, level, measures, advice_for(view, level))


def score_of(measures: ViewMeasures, weights: tuple[float, ...] = WEIGHTS, bias: float = BIAS) -> float:
    value = float(np.dot(astuple(measures), weights)) + bias
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))


def _stays_alike(view: View, encoder: PictureEncoder, threshold: float) -> bool:
    """Whether the thing would be known by its looks on the pictures that are made, were nothing else like it."""
    if encoder.name != ENCODER or shows_nothing(measure(view.picture)):
        return False
    seen = [encoder.see(frame).vectors(WINDOWS) for frame in seen_again(view.picture)]
    similarity = float(np.mean([(vectors @ view.vector).max() for vectors in seen]))
    return Likeness(0, WHOLE, similarity, GREATEST_MARGIN).confidence >= threshold


def measure_view(view: View, verifier: Verifier) -> ViewMeasures:
    """The numbers of one view; three pictures are made and looked at for it."""
    f = view.features
    left, right, far = (_confidence(view, frame, verifier) for frame in seen_again(view.picture))
    return ViewMeasures(
        keypoints=math.log1p(len(f)),
        coarse=math.log1p(int((f.keypoints[:, 2] >= 0.04 * _side_px(f)).sum())),
        turned=(left + right) / 2,
        far=far,
    )


def _side_px(features: LocalFeatures) -> float:
    """The thing's longer side."""
    return float((features.extent.max(axis=0) - features.extent.min(axis=0)).max())


def _spread(features: LocalFeatures) -> float:
    """Share of 6x6 cells of the thing's box that hold a keypoint."""
    low, high = features.extent.min(axis=0), features.extent.max(axis=0)
    cells = (features.keypoints[:, :2] - low) / np.maximum(high - low, 1.0) * 6
    return len(np.unique(cells.astype(int).clip(0, 5) @ np.array([6, 1]))) / 36.0


def seen_again(picture: Frame) -> tuple[Frame, Frame, Frame]:
    """The picture as a camera would take it from the left, from the right with a turned hand, and from further away."""
    scale = min(1.0, _TRIAL_SIDE_PX / max(picture.width_px, picture.height_px))
    size = (max(16, round(picture.width_px * scale)), max(16, round(picture.height_px * scale)))
    small = cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA)
    far = cv2.resize(small, (max(12, size[0] // 2), max(12, size[1] // 2)), interpolation=cv2.INTER_AREA)
    far = cv2.GaussianBlur(far, (0, 0), 0.8)
    far = cv2.convertScaleAbs(far, alpha=0.6)
    return Frame(_from_side(small, 1.0, 8.0)), Frame(_from_side(small, -1.0, -25.0)), Frame(_on_ground(far, 0.3))


def _from_side(pixels: np.ndarray, side: float, turn_deg: float) -> np.ndarray:
    """Seen from about 40 degrees aside and turned in the picture's plane, on a plain ground."""
    height, width = pixels.shape[:2]
    near, away = (0.0, 0.16) if side > 0 else (0.16, 0.0)
    squeeze = 0.12 * width
    target = np.array(
        [
            [squeeze, near * height],
            [width - squeeze, away * height],
            [width - squeeze, (1 - away) * height],
            [squeeze, (1 - near) * height],
        ],
        np.float32,
    )
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, target)
    room = int(0.3 * max(width, height))
    turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 0.9), [0, 0, 1]])
    shift = np.array([[1, 0, room], [0, 1, room], [0, 0, 1.0]])
    size = (width + 2 * room, height + 2 * room)
    ground = tuple(float(v) for v in pixels.reshape(-1, 3).mean(axis=0))
    return cv2.warpPerspective(
        pixels, shift @ turn @ warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=ground
    )


def _on_ground(pixels: np.ndarray, margin: float) -> np.ndarray:
    room = max(8, int(margin * max(pixels.shape[:2])))
    ground = [float(v) for v in pixels.reshape(-1, 3).mean(axis=0)]
    return cv2.copyMakeBorder(pixels, room, room, room, room, cv2.BORDER_CONSTANT, value=ground)


def _confidence(view: View, frame: Frame, verifier: Verifier) -> float:
    """How surely recognition would find the view on that frame, text aside."""
    seen = extract(frame)
    alignment = align(view.features, seen)
    if alignment is None:
        return 0.0
    return verifier.confidence(measure_alignment(frame, seen, view.features, alignment))


def advice_for(view: View, level: Level) -> tuple[str, ...]:
    """What to do for a better view, the most likely help first; nothing for a good one."""
    if level == "good":
        return ()
    quality = measure(view.picture)
    found = []
    if quality.brightness < _DARK:
        found.append("It is dark there: bring it into more light.")
    if quality.brightness > _BRIGHT or _glare(view.picture) > 0.2:
        found.append("There is glare on it: turn it a little, or move the lamp.")
    if _side_px(view.features) < _SMALL_PX:
        found.append("It is small on the picture: come closer, or move it nearer to the camera.")
    if quality.sharpness < _SOFT:
        found.append("It is not sharp: hold it still and let the camera focus.")
    if len(view.features) < _FEW:
        found.append("This side has little pattern on it: show a side with print or a drawing.")
    elif _spread(view.features) < _CROWDED:
        found.append("All that can be matched is in one corner: show the whole side straight on.")
    found.append("Turn it a little and add a second view.")
    return tuple(found)


def _glare(picture: Frame) -> float:
    """Share of pixels that are burnt out."""
    return float((picture.pixels.min(axis=2) >= 250).mean())
