"""What stands out on a picture, whatever is behind it: U2-Net's small version, quantised to eight bits.

Qin et al. 2020, "U2-Net: Going deeper with nested U-structure for salient object detection" (Pattern Recognition 106),
the released weights of U2-NETp (Apache-2.0); made smaller and twice as fast by `python -m eval.salience_quantising`.
It runs while an index is built and when something is taught, not when a question is asked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import ASSETS_DIR

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

MODEL_FILE = ASSETS_DIR / "encoder" / "u2netp.onnx"
_MISSING = "u2netp.onnx in assets/encoder is missing or damaged: restore it with `git checkout assets/encoder`"
#: Side that the model was trained at; on smaller ones it loses thin things.
SIDE_PX = 320
#: Mean and deviation of the channels that the model was trained with (ImageNet's).
_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)


def salience(picture: np.ndarray) -> np.ndarray:
    """(320, 320) float32, 0..1: how surely each place of the picture belongs to what stands out on it.

    Args:
        picture: (height, width, 3) uint8 RGB of any size; it is squeezed to a square, as in training.

    Raises:
        NotReady: the model's file is missing or damaged.
    """
    model = _model()
    return np.asarray(model.run(None, {model.get_inputs()[0].name: as_input(picture)})[0][0, 0], np.float32)


def as_input(picture: np.ndarray) -> np.ndarray:
    """(1, 3, 320, 320) float32: the picture as the model takes it."""
    small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    small = (small / max(float(small.max()), 1.0) - _MEAN) / _DEVIATION
    return np.ascontiguousarray(small.transpose(2, 0, 1)[None], np.float32)


def model_bytes() -> bytes:
    """The model's file.

    Raises:
        NotReady: it is missing.
    """
    try:
        return MODEL_FILE.read_bytes()
    except OSError as problem:
        raise NotReady(_MISSING) from problem


@lru_cache(maxsize=1)
def _model() -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # pictures are seen side by side, one thread each
    data = model_bytes()
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime's own exceptions have no common base
        raise NotReady(_MISSING) from problem
