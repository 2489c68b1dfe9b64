"""How near a question and a fact are in a space that was fitted for just that: two maps over sentence vectors.

A sentence vector says what a text is like; a question is seldom like its answer. Two small networks, one for questions
and one for facts, move both so that a question comes near the facts that answer it and away from those that stand
beside them. What comes out is a cosine. It reads each text once, where the matcher reads every pair, and was fitted on
all the practice there is: the matcher's own judgement joins it in `weigh`.

Source of the loss: A. van den Oord et al., "Representation learning with contrastive predictive coding", 2018.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.encoder import VERSION

Encode = Callable[[Sequence[str]], np.ndarray]
FILE_NAME = "affinity.npz"
#: Sentence vectors have length one; times this their components are of the size that the networks read well.
INPUT_SCALE = 8.0


@dataclass(frozen=True)
class Tower:
    """Adds what a network of one hidden layer makes of a vector: weights (384, h) and (h, 384), biases (h,), (384,)."""

    inner: np.ndarray
    inner_bias: np.ndarray
    outer: np.ndarray
    outer_bias: np.ndarray

    def __call__(self, vectors: np.ndarray) -> np.ndarray:
        """(n, 384) of length one, from (n, 384) sentence vectors."""
        hidden = vectors * INPUT_SCALE @ self.inner + self.inner_bias
        moved = vectors + _gelu(hidden) @ self.outer + self.outer_bias
        return np.asarray(moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-9))


def _gelu(x: np.ndarray) -> np.ndarray:
    """The usual approximation by a hyperbolic tangent: D. Hendrycks, K. Gimpel, 2016."""
    return np.asarray(0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))))


@dataclass(frozen=True)
class Affinity:
    asked: Tower
    told: Tower

    def between(self, questions: Sequence[str], facts: Sequence[str], encode: Encode) -> np.ndarray:
        """(n facts,) cosines, -1 to 1: of several wordings of one question the nearest counts."""
        vectors = encode([*questions, *facts])
        n = len(questions)
        return np.asarray((self.told(vectors[n:]) @ self.asked(vectors[:n]).T).max(axis=1))


@functools.cache
def affinity() -> Affinity:
    """The shipped maps.

    Raises:
        NotReady: they are missing, broken, or made for another text encoder.
    """
    path = WEIGHTS_DIR / "reader" / FILE_NAME
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["encoder"]) != VERSION:
                raise ValueError("made for another text encoder")
            towers = [
                Tower(*(stored[f"{name}_{part}"].astype(np.float32) for part in Tower.__dataclass_fields__))
                for name in ("asked", "told")
            ]
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be used ({problem}): {RESTORE}") from problem
    return Affinity(*towers)
