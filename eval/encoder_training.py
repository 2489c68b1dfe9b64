"""Training of the embedded image encoder: local projection, codebook, and whitening projection.

Everything is fitted on pictures of development worlds and is deterministic for given pictures. Reporting worlds never
come near it. The calibration of verification is in `eval.encoder_calibration`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assistant.search.features import LocalFeatures
from assistant.search.image_encoder import FORMAT_VERSION, nearest_words, vlad

LOCAL_DIMENSIONS = 64
WORDS = 64
#: Not 384: that is the text encoder's, and a search by vector finds its collection by the dimension.
DIMENSIONS = 320
#: Descriptors that the codebook is made from.
SAMPLED_DESCRIPTORS = 120_000


def train(features: Sequence[LocalFeatures], *, seed: int = 0) -> dict[str, np.ndarray]:
    """Fit the encoder's arrays on the local features of many pictures and parts of pictures."""
    rng = np.random.default_rng(seed)
    share = max(20, SAMPLED_DESCRIPTORS // max(len(features), 1))
    sampled = []
    for item in features:
        if len(item):
            chosen = rng.permutation(len(item))[:share]
            sampled.append(item.where(np.sort(chosen)).rootsift)
    descriptors = np.concatenate(sampled)
    local_mean = descriptors.mean(axis=0)
    local_axes = _principal_axes(descriptors - local_mean, LOCAL_DIMENSIONS)[0]
    local = (descriptors - local_mean) @ local_axes
    codebook = _kmeans(local, WORDS, rng)
    aggregated = np.stack(
        [_aggregate((f.rootsift - local_mean) @ local_axes, codebook) for f in features if len(f) >= 8]
    )
    mean = aggregated.mean(axis=0)
    axes, deviations = _principal_axes(aggregated - mean, DIMENSIONS)
    # Half whitening: full whitening would blow up the directions that few training pictures support.
    projection = axes / np.sqrt(deviations + 0.1 * deviations[0])
    return {
        "local_mean": local_mean.astype(np.float32),
        "local_axes": local_axes.astype(np.float32),
        "codebook": codebook.astype(np.float32),
        "mean": mean.astype(np.float32),
        "projection": projection.astype(np.float16),
    }


def save(arrays: dict[str, np.ndarray], folder: Path, *, trained_on: str) -> Path:
    """Write `encoder.npz` under a temporary name, then rename."""
    folder.mkdir(parents=True, exist_ok=True)
    meta = json.dumps({"format_version": FORMAT_VERSION, "trained_on": trained_on})
    path, temporary = folder / "encoder.npz", folder / "encoder.tmp.npz"
    np.savez(temporary, allow_pickle=False, meta=np.array(meta), **arrays)
    os.replace(temporary, path)
    return path


def parts(features: LocalFeatures) -> list[LocalFeatures]:
    """The picture as a whole and its nine overlapping parts: what queries look like."""
    x, y = features.keypoints[:, 0] / features.width_px, features.keypoints[:, 1] / features.height_px
    found = [features]
    for left in (0.0, 0.25, 0.5):
        for top in (0.0, 0.25, 0.5):
            inside = (x >= left) & (x < left + 0.5) & (y >= top) & (y < top + 0.5)
            if inside.sum() >= 40:
                found.append(features.where(inside))
    return found


def _aggregate(local: np.ndarray, codebook: np.ndarray) -> np.ndarray:
    nearest = nearest_words(local, codebook)
    return vlad(local - codebook[nearest], nearest, len(codebook))


def _principal_axes(centred: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(d, count) axes of largest variance, with a fixed sign, and their standard deviations."""
    _, singular, rows = np.linalg.svd(centred.astype(np.float32), full_matrices=False)
    axes = rows[:count].T
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    return axes, singular[:count] / np.sqrt(max(len(centred) - 1, 1))


def _kmeans(points: np.ndarray, count: int, rng: np.random.Generator, rounds: int = 25) -> np.ndarray:
    """Lloyd's algorithm from random points; empty words take the points that are worst served."""
    words = points[rng.permutation(len(points))[:count]].copy()
    for _ in range(rounds):
        scores = points @ words.T - 0.5 * (words**2).sum(axis=1)
        nearest = scores.argmax(axis=1)
        counts = np.bincount(nearest, minlength=count)
        sums = np.zeros_like(words)
        np.add.at(sums, nearest, points)
        words = sums / np.maximum(counts, 1)[:, None]
        empty = np.flatnonzero(counts == 0)
        if empty.size:
            worst = np.argsort(scores.max(axis=1))[: empty.size]
            words[empty] = points[worst]
    return words
