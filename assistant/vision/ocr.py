"""Read the text on a frame: detection, direction and recognition by rapidocr, then reading order.

The models are carried by the package and named by path, so nothing is ever looked up or downloaded. Detection runs on
a scaled frame; every line is then cut out of the frame at full size, turned upright and recognised on its own, which
gives its direction as well: pages that lie on their side or upside down are read in their own order. Spaces that the
recogniser drops between words are restored from the gaps in the ink. Not covered: handwriting, text on strong curves.
"""

from __future__ import annotations

import itertools
import math
import queue
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.core.errors import NotReady
from assistant.core.types import Frame, TextLine
from assistant.vision.layout import Piece, in_reading_order

#: Longest side that detection sees; lines are cut from the frame at full size. Small frames are enlarged (at most
#: twofold) until their shorter side has `DETECTION_LEAST_PX`.
DETECTION_SIDE_PX = 1152
DETECTION_LEAST_PX = 704
#: Lines below this confidence are guesses; one or two characters need more, as any texture can look like them.
MIN_CONFIDENCE = 0.62
MIN_CONFIDENCE_SHORT = 0.88
#: The direction classifier is believed above this; below it the lines around vote.
SURE_DIRECTION = 0.9
#: Below this a line is read the other way round as well, and the better reading kept.
DOUBTFUL_READING = 0.8
MAX_LINES = 120
#: The vote for upright where the direction is unsure, in line heights of text: people hold things upright.
_UPRIGHT_PRIOR = 3.0


@dataclass(frozen=True)
class _Crop:
    """A line cut out of the frame and laid flat; `corners` start where reading starts, clockwise."""

    pixels: np.ndarray
    corners: np.ndarray

    def turned(self) -> _Crop:
        return _Crop(cv2.rotate(self.pixels, cv2.ROTATE_180), np.roll(self.corners, 2, axis=0))


class TextReader:
    """Reads frames, as many at a time as it has engines; each engine loads its models when it is first needed."""

    def __init__(
        self, *, engines: int = 1, threads: int = 1, least_px: int = DETECTION_LEAST_PX, most_px: int | None = None
    ) -> None:
        """Nothing is loaded yet.

        Args:
            engines: readings that can go on side by side; one more waits.
            threads: cores that one reading takes. More than one pays only where nothing else is at work.
            least_px: frames whose shorter side is below this are enlarged for detection, at most twofold.
            most_px: frames whose shorter side is above this are reduced to it for detection; None leaves them.
        """
        self._threads = threads
        self._shorter_px = (least_px, most_px)
        self._free: queue.LifoQueue[_Engine | None] = queue.LifoQueue()
        for _ in range(engines):
            self._free.put(None)

    def read(self, frame: Frame) -> tuple[TextLine, ...]:
        """Lines of text in reading order, outlines in the frame's pixels (first corner where reading starts).

        Raises:
            NotReady: the OCR package or its models are missing.
        """
        if min(frame.width_px, frame.height_px) < 8 or float(frame.pixels[::4, ::4].std()) < 1.0:
            return ()
        with self._engine() as engine:
            return engine.read(frame)

    def warm(self) -> None:
        """Load the models of one engine now."""
        with self._engine():
            pass

    @contextmanager
    def _engine(self) -> Iterator[_Engine]:
        """An engine for this caller alone, loaded; the one used last is the first to be taken again."""
        engine = self._free.get()
        try:
            if engine is None:
                engine = _Engine(_load_engine(self._threads), *self._shorter_px)
            yield engine
        finally:
            self._free.put(engine)


class _Engine:
    """The models and the steps from a frame to its lines; one frame at a time, as rapidocr keeps flags of a call."""

    def __init__(self, engine: Any, least_px: int, most_px: int | None) -> None:
        self._engine = engine
        self._least_px = least_px
        self._most_px = most_px
        blank = np.full((48, 96, 3), 255, np.uint8)  # each model is loaded by the first picture that needs it
        for needed in ("use_det", "use_cls", "use_rec"):
            engine(blank, **{"use_det": False, "use_cls": False, "use_rec": False, needed: True})
        # As lists they become float64, and with them every value of the frame, on its way to a float32 model.
        detector = engine.text_det
        detector.mean, detector.std = np.float32(detector.mean), np.float32(detector.std)

    def read(self, frame: Frame) -> tuple[TextLine, ...]:
        crops = self._directed([_cut(frame.pixels, box) for box in self._boxes(frame)])
        read = [self._line(crop) for crop in crops]
        return in_reading_order([piece for piece in read if piece is not None])

    def _boxes(self, frame: Frame) -> list[np.ndarray]:
        """Detected lines as (4, 2) float32 corners in frame pixels."""
        shorter = min(frame.width_px, frame.height_px)
        wanted = min(max(1.0, self._least_px / shorter), 2.0)
        if self._most_px is not None:
            wanted = min(wanted, self._most_px / shorter)
        scale = min(wanted, DETECTION_SIDE_PX / max(frame.width_px, frame.height_px))
        size = (max(8, round(frame.width_px * scale)), max(8, round(frame.height_px * scale)))
        way = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
        bgr = cv2.cvtColor(cv2.resize(frame.pixels, size, interpolation=way), cv2.COLOR_RGB2BGR)
        # All three flags every time: the engine keeps what an earlier call switched off.
        found = self._engine(bgr, use_det=True, use_cls=False, use_rec=False)
        if found.boxes is None:
            return []
        ratio = np.array([frame.width_px / size[0], frame.height_px / size[1]], np.float32)
        boxes = [np.asarray(box, np.float32) * ratio for box in found.boxes]
        boxes = [b for b in boxes if min(np.linalg.norm(b[1] - b[0]), np.linalg.norm(b[3] - b[0])) >= 5.0]
        return sorted(boxes, key=lambda b: -cv2.contourArea(b))[:MAX_LINES]

    def _directed(self, crops: list[_Crop]) -> list[_Crop]:
        """Turn the crops that are upside down; where the classifier is unsure, lines of the same axis vote."""
        votes = []
        for crop in crops:
            result = self._engine(
                cv2.cvtColor(crop.pixels, cv2.COLOR_RGB2BGR), use_det=False, use_cls=True, use_rec=False
            ).cls_res
            label, score = result[0]
            votes.append((-1.0 if "180" in label else 1.0) * float(score))
        directed = []
        for i, crop in enumerate(crops):
            vote = votes[i]
            short = crop.pixels.shape[1] < 2.5 * crop.pixels.shape[0]  # "hp" upside down is a good "dy"
            if short or abs(vote) < SURE_DIRECTION:
                near = [j for j in range(len(crops)) if _axis_difference(crop, crops[j]) < 20.0]
                vote = sum(votes[j] * crops[j].pixels.shape[1] / crops[j].pixels.shape[0] for j in near)
                vote += _UPRIGHT_PRIOR if crop.corners[1][0] > crop.corners[0][0] else 0.0
            directed.append(crop.turned() if vote < 0 else crop)
        return directed

    def _line(self, crop: _Crop) -> Piece | None:
        text, confidence = self._recognise(crop)
        if confidence < DOUBTFUL_READING:
            other = crop.turned()
            other_text, other_confidence = self._recognise(other)
            if other_confidence > confidence + 0.1:
                crop, text, confidence = other, other_text, other_confidence
        if not believable(text, confidence):
            return None
        return Piece(text=text, confidence=confidence, corners=crop.corners.astype(float))

    def _recognise(self, crop: _Crop) -> tuple[str, float]:
        bgr = cv2.cvtColor(crop.pixels, cv2.COLOR_RGB2BGR)
        result = self._engine(bgr, use_det=False, use_cls=False, use_rec=True, return_word_box=True)
        if not result.txts or not result.txts[0].strip():
            return "", 0.0
        text = unicodedata.normalize("NFKC", result.txts[0]).strip()
        words = result.word_results[0] if result.word_results else None
        if words is not None and text.count(" ") == result.txts[0].strip().count(" "):
            columns = [column for group in words.word_cols for column in group]
            text = restore_spaces(text, columns, float(words.line_txt_len), crop.pixels)
        return text, float(result.scores[0])


def believable(text: str, confidence: float) -> bool:
    """Whether a reading is text rather than texture."""
    letters = sum(c.isalnum() for c in text)
    if letters == 0:
        return False
    return confidence >= (MIN_CONFIDENCE_SHORT if letters <= 2 else MIN_CONFIDENCE)


def restore_spaces(text: str, columns: list[int], steps: float, pixels: np.ndarray) -> str:
    """Put a space wherever the ink leaves a gap that is wide for the line and the text has none.

    Args:
        text: as recognised.
        columns: the recogniser's step for each character that is not a space.
        steps: the number of steps that the line's width stands for.
        pixels: (height, width, 3) the line, upright.
    """
    characters = [c for c in text if not c.isspace()]
    if len(characters) < 4 or len(columns) != len(characters) or steps <= 0:
        return text
    width = pixels.shape[1]
    ink = _ink_columns(pixels)
    centres = [min(width - 1, int((column + 0.5) / steps * width)) for column in columns]
    gaps = [_longest_gap(ink[a : b + 1]) for a, b in itertools.pairwise(centres)]
    spaced = _spaces_after(text)
    inside = sorted(gap for i, gap in enumerate(gaps) if i not in spaced)
    ink_height = _ink_height(pixels)
    if not inside or ink_height < 12.0:
        return text
    typical = inside[len(inside) // 2]
    least = max(0.28 * ink_height, 2.2 * typical)
    known = [gaps[i] for i in spaced if i < len(gaps)]
    if known:  # the line shows how wide its spaces are
        least = max(least, 0.7 * min(known))
    out = []
    for i, character in enumerate(characters):
        out.append(character)
        wide = i < len(gaps) and gaps[i] >= least and _spaced(character) and _spaced(characters[i + 1])
        if i in spaced or wide:
            out.append(" ")
    return "".join(out).strip()


def _spaces_after(text: str) -> set[int]:
    """Positions, counted without spaces, after which the text has one."""
    after, position = set(), -1
    for character in text:
        if character.isspace():
            after.add(position)
        else:
            position += 1
    return after


def _spaced(character: str) -> bool:
    """Whether a space may stand beside it: not in scripts written without spaces, not beside punctuation."""
    return character.isalnum() and unicodedata.east_asian_width(character) not in "WF"


def _ink_mask(pixels: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    border = np.concatenate([mask[0], mask[-1], mask[:, 0], mask[:, -1]])
    return (mask > 0) != (border.mean() > 127)  # the border is paper


def _ink_columns(pixels: np.ndarray) -> np.ndarray:
    """(width,) bool: whether a column has ink. The outermost rows are left out: neighbours and frames reach in."""
    mask = _ink_mask(pixels)
    margin = max(1, mask.shape[0] // 8)
    return np.asarray(mask[margin:-margin].mean(axis=0) > 0.04)


def _ink_height(pixels: np.ndarray) -> float:
    rows = np.flatnonzero(_ink_mask(pixels).mean(axis=1) > 0.05)
    return float(rows[-1] - rows[0] + 1) if rows.size else float(pixels.shape[0])


def _longest_gap(ink: np.ndarray) -> int:
    longest = run = 0
    for dark in ink:
        run = 0 if dark else run + 1
        longest = max(longest, run)
    return longest


def _axis_difference(a: _Crop, b: _Crop) -> float:
    """Angle between two lines regardless of direction, degrees 0..90."""
    angles = [math.degrees(math.atan2(*(c.corners[1] - c.corners[0])[::-1])) for c in (a, b)]
    difference = abs(angles[0] - angles[1]) % 180.0
    return min(difference, 180.0 - difference)


def _cut(pixels: np.ndarray, box: np.ndarray) -> _Crop:
    """Cut a box out and lay it flat; a box that stands upright is read top to bottom until its direction is known."""
    width = max(float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[2] - box[3])))
    height = max(float(np.linalg.norm(box[3] - box[0])), float(np.linalg.norm(box[2] - box[1])))
    if height >= 1.5 * width:
        box = np.roll(box, -1, axis=0)
        width, height = height, width
    scale = min(1.0, 96.0 / max(height, 1.0))  # the recogniser reads 48 px; twice that keeps the gaps measurable
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    warp = cv2.getPerspectiveTransform(np.ascontiguousarray(box, np.float32), flat)
    cut = cv2.warpPerspective(pixels, warp, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return _Crop(cut, box)


def _load_engine(threads: int) -> Any:
    try:
        import rapidocr
    except ImportError as problem:
        raise NotReady("reading text needs the package 'rapidocr': run pip install -r requirements.txt") from problem
    models = Path(rapidocr.__file__).parent / "models"
    paths = {
        "Det.model_path": models / "PP-OCRv6_det_small.onnx",
        "Cls.model_path": models / "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
        "Rec.model_path": models / "PP-OCRv6_rec_small.onnx",
    }
    missing = [path.name for path in paths.values() if not path.is_file()]
    if missing:
        raise NotReady(f"the package 'rapidocr' lacks its model {missing[0]!r}: install it again from requirements.txt")
    return rapidocr.RapidOCR(
        params={
            # A model named by its path is loaded as it is; one named by version may be downloaded.
            **{key: str(path) for key, path in paths.items()},
            "Global.log_level": "critical",
            # Frames are scaled here, before the engine: its own rule enlarges a thin strip to a giant.
            "Global.max_side_len": 4000,
            "Det.limit_type": "max",
            "Det.limit_side_len": 2 * DETECTION_SIDE_PX,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            # Without its arena every layer's memory comes from the system anew: a fifth of the reading was page faults.
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
        }
    )
