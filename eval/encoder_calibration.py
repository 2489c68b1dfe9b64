"""Calibration of verification: which measures of an alignment tell the right picture from the wrong one.

Every frame of some generated worlds goes through the assistant's own recogniser against the world's own index pictures;
each aligned picture, small things looked at closely included, becomes a row of measures with a label from gold. A
logistic model is fitted on these rows, then the networks that look at cells (`eval.encoder_networks`), and the
threshold is set so that frames of things outside the index stay without a claim. Gold is read after the alignments.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant.conversation import Frame
from assistant.search.cells import CELL_MEASURES, NO_CELLS
from assistant.search.features import FeatureStore, LocalFeatures, write_features
from assistant.search.image_encoder import ImageEncoder
from assistant.search.recognise import Aligned, Recogniser, shared
from assistant.search.verify import FARTHEST, FARTHEST_OF_CELL, FORMAT_VERSION, NAMES, Measures, Verifier
from assistant.search.world_files import read_entities
from assistant.vision.enhance import correct
from assistant.vision.frame import read_frame
from assistant.vision.quality import measure
from assistant.vision.reading import TextReader
from eval.datasets import load
from eval.encoder_networks import fit_networks

#: Shares of frames that may at most get a claim (unindexed things) or a wrong name (indexed ones).
FALSE_CLAIMS = 0.025
WRONG_NAMES = 0.005


@dataclass(frozen=True)
class Row:
    """One aligned picture on one frame. `right` is None where gold does not say: a thing beside the one asked about."""

    frame: str
    name: str
    right: bool | None
    measures: tuple[float, ...]
    cells: np.ndarray = field(default_factory=lambda: NO_CELLS, compare=False, repr=False)


@dataclass(frozen=True)
class FrameLabel:
    """What gold says of one frame."""

    frame: str
    entity: str | None
    indexed: bool
    flat: bool
    proposed: bool


class WorldPictures:
    """The index pictures of one world in memory, searched as `SearchPipeline.images_each` does."""

    def __init__(self, world: Path, encoder: ImageEncoder, reader: TextReader | None) -> None:
        self.names: list[str] = []
        self.items: list[LocalFeatures] = []
        for entity in read_entities(world):
            for path, _ in entity.images:
                frame = read_frame(path)
                item = encoder.features(frame)
                self.items.append(item.with_texts(reader.read(frame)) if reader else item)
                self.names.append(entity.name)
        self.vectors = np.stack([encoder.picture_vector(item) for item in self.items])

    def images_each(self, vectors: Sequence[np.ndarray], k: int) -> list[list[dict[str, Any]]]:
        each = np.stack(vectors) @ self.vectors.T
        return [[self._result(int(i), float(one[i])) for i in np.argsort(-one, kind="stable")[:k]] for one in each]

    def pictures(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        return [self._result(row, 0.0) for row in rows]

    def _result(self, row: int, score: float) -> dict[str, Any]:
        entity = {"entity_name": self.names[row], "entity_attributes": {}}
        return {"index": row, "score": score, "url": "", "entities": [entity]}


def collect(
    world: Path,
    encoder: ImageEncoder,
    reader: TextReader,
    limit: int | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> tuple[list[Row], list[FrameLabel]]:
    """Rows of measures and frame labels of one world; every distinct frame counts once."""
    pictures = WorldPictures(world, encoder, reader)
    found: list[tuple[str, str, list[Aligned]]] = []
    with tempfile.TemporaryDirectory() as folder:
        write_features(Path(folder), pictures.items)
        recogniser = Recogniser(encoder, pictures, FeatureStore(Path(folder)))  # type: ignore[arg-type]
        for digest, interaction, frame in frames(world, limit):
            found.append((digest, interaction, _candidates(recogniser, reader, frame)))
            progress(f"{world.name}: frame {len(found)}")
    return _labelled(world, pictures.names, found)


def frames(world: Path, limit: int | None = None) -> Iterator[tuple[str, str, Frame]]:
    """Every distinct frame of a world: its digest, the first interaction about it, the frame."""
    seen: set[str] = set()
    for sample in load(str(world), split="all", set_="both").samples:
        data = sample.picture.read() if sample.picture else b""
        digest = hashlib.sha256(data).hexdigest()
        if digest in seen or (limit is not None and len(seen) >= limit):
            continue
        frame = sample.frame()
        if frame is not None:
            seen.add(digest)
            yield digest[:16], sample.turns[0].interaction_id, frame


def _candidates(recogniser: Recogniser, reader: TextReader, frame: Frame) -> list[Aligned]:
    corrected, _ = correct(frame, measure(frame))
    return recogniser.considered(corrected, recogniser.propose(corrected), reader.read(corrected))


def _labelled(
    world: Path, names: Sequence[str], found: Sequence[tuple[str, str, list[Aligned]]]
) -> tuple[list[Row], list[FrameLabel]]:
    gold = {}
    for line in (world / "gold" / "turns.jsonl").read_text(encoding="utf-8").splitlines():
        turn = json.loads(line)
        gold[turn["interaction_id"]] = turn
    rows, labels = [], []
    for frame, interaction, aligned in found:
        turn = gold[interaction]
        entity, outline = turn["entity"], turn.get("outline_px")
        place = np.array(outline, float) if outline else None
        right_seen = False
        for item in aligned:
            name = names[item.index]
            right: bool | None = name == entity
            if not right and (
                name in turn.get("on_frame", ())
                or (place is not None and shared_any(item.alignment.outline, place) < 0.25)
            ):
                right = None  # something beside the thing asked about, which may be just what it was taken for
            right_seen |= bool(right)
            rows.append(Row(frame, name, right, item.measures.values, item.measures.cells))
        labels.append(FrameLabel(frame, entity, bool(turn.get("indexed")), bool(turn.get("flat")), right_seen))
    return rows, labels


def shared_any(a: np.ndarray, b: np.ndarray) -> float:
    """`shared` for outlines that need not be convex: by their convex hulls."""
    import cv2

    hulls = [cv2.convexHull(np.ascontiguousarray(p, np.float32)).reshape(-1, 2) for p in (a, b)]
    return shared(hulls[0], hulls[1])


def fit(rows: Sequence[Row], *, logistic: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The model of verification: a logistic regression, and the networks that correct it by cells.

    `logistic` (mean, scale, weights, bias) is taken as it is where it is given.
    """
    known = [row for row in rows if row.right is not None]
    values = np.array([row.measures for row in known], float)
    target = np.array([bool(row.right) for row in known], float)
    model = dict(logistic) if logistic else _logistic(values, target)
    x = np.clip((values - model["mean"]) / model["scale"], -FARTHEST, FARTHEST)
    cells = [row.cells for row in known]
    of_right = np.concatenate([NO_CELLS, *(one for one, t in zip(cells, target, strict=True) if t)])
    cell_mean = of_right.mean(axis=0) if len(of_right) else np.zeros(len(CELL_MEASURES))
    cells = [np.clip(one - cell_mean, -FARTHEST_OF_CELL, FARTHEST_OF_CELL) for one in cells]
    scores = x @ model["weights"] + model["bias"]
    networks = fit_networks(cells, x, scores, target) if len(of_right) else []
    return model | {"cell_mean": cell_mean, "networks": networks}


def _logistic(values: np.ndarray, target: np.ndarray, ridge: float = 30.0) -> dict[str, Any]:
    """Logistic regression by Newton's method on standardised measures, clipped at four deviations.

    Mean and deviation are those of the right pictures: wrong ones reach far out, and counted in they would hide the
    difference between the right picture and its sibling.
    """
    right = values[target > 0]
    mean, scale = right.mean(axis=0), np.maximum(right.std(axis=0), 1e-2)
    x = np.column_stack([np.clip((values - mean) / scale, -FARTHEST, FARTHEST), np.ones(len(values))])
    weights = np.zeros(x.shape[1])
    penalty = np.diag([ridge] * (x.shape[1] - 1) + [1e-6])
    for _ in range(80):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (p - target) + penalty @ weights
        curvature = (x * (p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(curvature, gradient)
        weights -= np.clip(step, -3, 3)
        if np.abs(step).max() < 1e-8:
            break
    return {"mean": mean, "scale": scale, "weights": weights[:-1], "bias": float(weights[-1])}


def confidences(model: dict[str, Any], rows: Sequence[Row]) -> np.ndarray:
    """(n,) the model's confidence for each row."""
    verifier = Verifier.of(model, 0.5)
    return np.array([verifier.confidence(Measures.of(row.measures, row.cells)) for row in rows])


def outcomes(
    sure: Sequence[float] | np.ndarray, threshold: float, rows: Sequence[Row], labels: Sequence[FrameLabel]
) -> dict[str, int]:
    """What the surest candidate at the asked thing's place would make of each frame; `sure` are `confidences`."""
    best: dict[str, tuple[float, str]] = {}
    for row, confidence in zip(rows, sure, strict=True):
        if row.right is not None and confidence > best.get(row.frame, (0.0, ""))[0]:
            best[row.frame] = (float(confidence), row.name)
    counts: dict[str, int] = dict.fromkeys(("right", "wrong", "none", "claimed", "left"), 0)
    for label in labels:
        confidence, name = best.get(label.frame, (0.0, ""))
        claimed = confidence >= threshold
        if label.indexed and label.entity is not None:
            counts["none" if not claimed else "right" if name == label.entity else "wrong"] += 1
        else:
            counts["claimed" if claimed else "left"] += 1
    return counts


def pick_threshold(
    worlds: Sequence[tuple[Sequence[Row], Sequence[FrameLabel]]], logistic: Mapping[str, Any] | None = None
) -> tuple[float, dict[str, int]]:
    """The lowest threshold that keeps false claims and wrong names rare, and what it gives.

    Every world is judged by a model fitted on the others: judged by itself a model looks surer than it is.
    """
    others = [[row for j, (rows, _) in enumerate(worlds) if j != i for row in rows] for i in range(len(worlds))]
    models = [fit(rows, logistic=logistic) for rows in others]
    sure = [confidences(model, rows) for model, (rows, _) in zip(models, worlds, strict=True)]
    for threshold in np.round(np.arange(0.5, 0.991, 0.01), 2):
        counts: Counter[str] = Counter()
        for each, (rows, labels) in zip(sure, worlds, strict=True):
            counts.update(outcomes(each, float(threshold), rows, labels))
        outside = counts["claimed"] + counts["left"]
        inside = counts["right"] + counts["wrong"] + counts["none"]
        if counts["claimed"] <= FALSE_CLAIMS * outside and counts["wrong"] <= WRONG_NAMES * inside:
            break
    return float(threshold), dict(counts)


def neutral() -> dict[str, Any]:
    """A model that says nothing: what stands in before the first calibration."""
    zeros = np.zeros(len(NAMES))
    cells = np.zeros(len(CELL_MEASURES))
    return {"mean": zeros, "scale": zeros + 1, "weights": zeros, "bias": 0.0, "cell_mean": cells, "networks": []}


def save(model: dict[str, Any], threshold: float, folder: Path, *, fitted_on: str) -> Path:
    """Write `verification.json` under a temporary name, then rename."""
    arrays = {key: [round(float(v), 6) for v in model[key]] for key in ("mean", "scale", "weights", "cell_mean")}
    data = {
        "format_version": FORMAT_VERSION,
        "fitted_on": fitted_on,
        "threshold": threshold,
        "measures": NAMES,
        "cell_measures": CELL_MEASURES,
        **arrays,
        "bias": round(model["bias"], 6),
        "networks": model["networks"],
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    path, temporary = folder / "verification.json", folder / "verification.tmp"
    temporary.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    os.replace(temporary, path)
    return path
