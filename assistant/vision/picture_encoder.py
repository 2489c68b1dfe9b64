"""A picture as a vector, and parts of it as others: what the image collection is searched with.

The vector says what a thing looks like as a whole, from other sides and in other light too; which of several alike
things it is, local features say (`assistant.vision.image_encoder`). What makes vectors: `assistant.vision.encoders`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from assistant.core.types import Frame
from assistant.vision.local_features import LocalFeatures
from assistant.vision.pretrained import Window
from assistant.vision.salience import model_bytes


class Seen(Protocol):
    """One picture as an encoder saw it."""

    def vectors(self, windows: Sequence[Window]) -> np.ndarray:
        """(n, dim) float32 unit vectors of parts of the picture."""
        ...


class PictureEncoder(Protocol):
    """`version` is a hash of its weights and of what cuts things out; vectors of two versions are never compared."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def see(self, frame: Frame) -> Seen: ...


def _windows() -> tuple[Window, ...]:
    """The whole frame, its nine overlapping quarters and sixteen smaller windows."""
    found: list[Window] = [(0.0, 0.0, 1.0, 1.0)]
    for side, step in ((0.5, 0.25), (0.34, 0.22)):
        starts = [float(start) for start in np.arange(0.0, 1.0 - side + 0.01, step)]
        found += [(left, top, left + side, top + side) for left in starts for top in starts]
    return tuple(found)


#: What a frame is searched by.
WINDOWS = _windows()


def thing_vector(encoder: PictureEncoder, picture: Frame, features: LocalFeatures) -> np.ndarray:
    """(dim,) the vector a picture is found by: of the box of its thing, of all where nothing stands out from it."""
    return np.asarray(encoder.see(picture).vectors([box_of(features.extent, picture.width_px, picture.height_px)])[0])


def box_of(outline: np.ndarray, width_px: int, height_px: int) -> Window:
    """The box around an outline (n, 2) in pixels, as far as it lies on the picture, in shares of its sides."""
    left, top = (float(v) for v in (outline.min(axis=0) / (width_px, height_px)).clip(0.0, 1.0))
    right, bottom = (float(v) for v in (outline.max(axis=0) / (width_px, height_px)).clip(0.0, 1.0))
    return left, top, right, bottom


def unit(vectors: np.ndarray) -> np.ndarray:
    """(n, dim) float32 of unit length each; what is nothing but zeros gives the first direction."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    first = np.eye(1, vectors.shape[1], dtype=np.float32)
    return np.asarray(np.where(norms < 1e-9, first, vectors / np.maximum(norms, 1e-9)), np.float32)


def version_of(*parts: object) -> str:
    """A short hash of what an encoder is made of, and of the model that cuts things out."""
    digest = hashlib.sha256(model_bytes())
    for part in parts:
        digest.update(f"{part}\n".encode())
    return digest.hexdigest()[:16]
