"""How well one taught view is known again, what that costs, and whether the meter is right about it.

Objects of a generated world are taught from one of their frames, over an index that knows none of them; every other
frame of the world is then asked. `known_again` is the share of the taught objects' other frames on which they are
named, `false_claims` counts frames of anything else on which a taught name was given. `meter` compares the score with
what happened for ordinary views and for views made worse (part of the thing, small, soft). `warm_ms` is what a short
list and its checks take with nothing taught and with everything taught. `--fit` fits the meter's weights again.

The kept figures are of three worlds, `python -m eval world --seed 104 --entities 84 --questions 150 --conversations 24`
and the same with seeds 105 and 106, over the bundled world's index.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Frame, TextLine
from assistant.index.raw_search import SearchPipeline
from assistant.recognition.recogniser import Recogniser
from assistant.recognition.taught_images import NONE, TaughtRow, TaughtRows
from assistant.teaching import enrol
from assistant.teaching import view_quality as enrol_meter
from assistant.teaching.enrol import View
from assistant.vision.encoders import picture_encoder
from assistant.vision.enhance import correct
from assistant.vision.image_encoder import extract
from assistant.vision.local_features import FeatureStore
from assistant.vision.ocr import TextReader
from assistant.vision.picture_encoder import PictureEncoder
from assistant.vision.quality import measure
from eval.data.datasets import load


def frames(world: Path) -> Iterator[tuple[str, Frame]]:
    """Every distinct frame of a world with the first interaction about it."""
    seen: set[str] = set()
    for sample in load(str(world), split="all", set_="both").samples:
        frame = sample.frame()
        if frame is not None and frame.digest not in seen:
            seen.add(frame.digest)
            yield sample.turns[0].interaction_id, frame


#: Every fourth object is not taught: its frames must not be claimed.
HELD_BACK = 4


@dataclass(eq=False)
class Shown:
    """A frame of the world as the assistant sees it, and what its gold says."""

    frame: Frame
    texts: tuple[TextLine, ...]
    entity: str
    outline: np.ndarray
    quality: str
    on_frame: frozenset[str]


@dataclass
class Trial:
    """One taught view, what the meter measured, and on which other frames it was found."""

    entity: str
    kind: str
    measures: enrol_meter.ViewMeasures
    found: list[bool] = field(default_factory=list)


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench teach")
    parser.add_argument(
        "--world", type=Path, action="append", required=True, help="a generated world (seed 100 to 149)"
    )
    parser.add_argument("--index", type=Path, required=True, help="an index that knows none of its objects")
    parser.add_argument("--fit", action="store_true", help="fit the meter's weights on these worlds")
    args = parser.parse_args(argv)
    encoder, reader = picture_encoder(), TextReader()
    pipeline, store = SearchPipeline.open(args.index), FeatureStore(args.index / "features")
    totals: dict[str, Any] = defaultdict(int)
    times: dict[str, list[float]] = {"nothing taught": [], "everything taught": []}
    trials: list[Trial] = []
    for world in args.world:
        seen = list(_seen(world, reader))
        by_name = defaultdict(list)
        for shown in seen:
            by_name[shown.entity].append(shown)
        names = sorted(name for name in by_name if len(by_name[name]) > 1)
        taught, teachers = [], set()
        for name in (name for i, name in enumerate(names) if i % HELD_BACK):
            first = min(by_name[name], key=lambda s: s.quality != "normal")
            view = enrol.see(first.frame, first.outline, encoder, reader)
            taught.append(TaughtRow(name, name, {}, view.features, view.vector))
            teachers.add(id(first))
        rows = TaughtRows(taught, 1)
        _ask(Recogniser(encoder, pipeline, store, lambda rows=rows: rows), rows, seen, teachers, totals)
        for label, known in (("nothing taught", NONE), ("everything taught", rows)):
            recogniser = Recogniser(encoder, pipeline, store, lambda known=known: known)
            times[label] += _times(recogniser, seen[:20])
        trials += _trials(by_name, encoder, reader, zlib.crc32(world.name.encode()))
    figures: dict[str, Any] = {
        "taught": totals["taught"],
        "known_again": f"{totals['known']} of {totals['asked']}",
        "known_again_normal_light": f"{totals['known normal']} of {totals['asked normal']}",
        "false_claims": f"{totals['claimed']} on {totals['others']} frames of other things",
        "wrong_names": totals["wrong"],
        "warm_ms": {label: round(float(np.median(values)), 1) for label, values in times.items()},
        "meter": _meter(trials),
    }
    if args.fit:
        weights, bias = fit(trials)
        figures["weights"] = dict(zip(enrol_meter.NAMES, weights, strict=True)) | {"bias": bias}
    for key, value in figures.items():
        print(f"{key:<26}{value}")
    return figures


def _seen(world: Path, reader: TextReader) -> Iterator[Shown]:
    import json

    lines = (world / "gold" / "turns.jsonl").read_text(encoding="utf-8").splitlines()
    gold = {turn["interaction_id"]: turn for turn in map(json.loads, lines)}
    for interaction, frame in frames(world):
        turn = gold[interaction]
        if turn.get("entity") and turn.get("outline_px"):
            corrected, _ = correct(frame, measure(frame))
            outline = np.array(turn["outline_px"], float)
            there = frozenset(turn.get("on_frame") or ())
            yield Shown(corrected, reader.read(corrected), turn["entity"], outline, turn["quality"], there)


def _ask(
    recogniser: Recogniser, rows: TaughtRows, seen: Sequence[Shown], teachers: set[int], totals: dict[str, Any]
) -> None:
    names = {row.name for row in rows}
    totals["taught"] += len(names)
    for shown in seen:
        if id(shown) in teachers:
            continue
        candidates = recogniser.decide(shown.frame, recogniser.propose(shown.frame), shown.texts)
        found = {c.name for c in candidates}
        strange = {name for name in found & names if name not in shown.on_frame and name != shown.entity}
        if shown.entity not in names:
            totals["others"] += 1
            totals["claimed"] += bool(strange)
            continue
        for suffix in ("", " normal") if shown.quality == "normal" else ("",):
            totals[f"asked{suffix}"] += 1
            totals[f"known{suffix}"] += shown.entity in found
        totals["wrong"] += bool(strange)


def _times(recogniser: Recogniser, seen: Sequence[Shown]) -> list[float]:
    recogniser.propose(seen[0].frame)
    found = []
    for shown in seen:
        begun = time.perf_counter()
        recogniser.decide(shown.frame, recogniser.propose(shown.frame), shown.texts)
        found.append((time.perf_counter() - begun) * 1000)
    return found


def _worse(shown: Shown, rng: np.random.Generator) -> Iterator[tuple[str, Frame, np.ndarray]]:
    """The view as it is, small, soft, and a part of the thing."""
    frame, outline = shown.frame, shown.outline
    yield "as is", frame, outline
    scale = float(rng.uniform(0.12, 0.4))
    yield (
        "small",
        Frame(cv2.resize(frame.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)),
        outline * scale,
    )
    yield "soft", Frame(cv2.GaussianBlur(frame.pixels, (0, 0), float(rng.uniform(2, 7)))), outline
    low, high = outline.min(axis=0), outline.max(axis=0)
    size = (high - low) * rng.uniform(0.25, 0.5)
    corner = low + rng.uniform(0, 1, 2) * (high - low - size)
    yield "part", frame, np.array(enrol.box_of(*corner, *(corner + size)))


def _trials(by_name: dict[str, list[Shown]], encoder: PictureEncoder, reader: TextReader, seed: int) -> list[Trial]:
    from assistant.recognition.verify import Verifier

    rng, verifier = np.random.default_rng(seed), Verifier.load(ASSETS_DIR / "encoder")
    trials = []
    for name, shown in by_name.items():
        others = [s for s in shown if s.quality != "blurred"]
        features = {id(s): extract(s.frame) for s in others}
        for teacher in shown:
            asked = [s for s in others if s is not teacher]
            for kind, frame, outline in _worse(teacher, rng) if asked else ():
                try:
                    view = enrol.see(frame, outline, encoder, reader if kind == "as is" else None)
                except BadInput:
                    continue
                trial = Trial(name, kind, enrol_meter.measure_view(view, verifier))
                for s in asked:
                    trial.found.append(_confidence(view, s, features[id(s)], verifier) >= verifier.threshold)
                trials.append(trial)
    return trials


def _confidence(view: View, shown: Shown, seen: Any, verifier: Any) -> float:
    from assistant.recognition.alignment import align
    from assistant.recognition.recogniser import lines_inside, mapped_back
    from assistant.recognition.verify import measure_alignment, text_measures
    from assistant.text.agreement import compare, compare_places, words_of

    alignment = align(view.features, seen)
    if alignment is None:
        return 0.0
    inside = lines_inside(alignment.outline, shown.texts)
    agreement = compare(words_of(view.features.texts), words_of(inside))
    in_place, clash = compare_places(view.features.texts, mapped_back(alignment, inside))
    agreement = replace(agreement, in_place=in_place, clash=clash)
    measures = measure_alignment(shown.frame, seen, view.features, alignment)
    return float(verifier.confidence(replace(measures, **text_measures(agreement))))


def _meter(trials: Sequence[Trial]) -> dict[str, str]:
    """For each verdict: how many of the other frames the view was found on."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for trial in trials:
        score = enrol_meter.score_of(trial.measures)
        level = "good" if score >= enrol_meter.GOOD else "fair" if score >= enrol_meter.POOR else "poor"
        groups[level] += trial.found
        groups[f"all, {trial.kind}"] += trial.found
    return {name: f"found on {sum(found)} of {len(found)} other frames" for name, found in sorted(groups.items())}


def fit(trials: Sequence[Trial], ridge: float = 1.0, steps: int = 4000) -> tuple[tuple[float, ...], float]:
    """Weights and bias of the meter: logistic regression on the share of other frames with the view found."""
    x = np.array([astuple(t.measures) for t in trials])
    share = np.array([np.mean(t.found) for t in trials])
    weight = np.array([len(t.found) for t in trials], float)
    mean, scale = x.mean(axis=0), x.std(axis=0) + 1e-9
    z = (x - mean) / scale
    w, b = np.zeros(z.shape[1]), 0.0
    for _ in range(steps):
        error = (1 / (1 + np.exp(-(z @ w + b))) - share) * weight / weight.sum()
        w -= z.T @ error + ridge / weight.sum() * w
        b -= float(error.sum())
    return tuple(round(float(v), 3) for v in w / scale), round(b - float((w / scale) @ mean), 3)
