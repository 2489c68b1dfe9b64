"""How often the right entity is found: the assistant's own path up to the entity, against a world's gold.

Counts frames: each distinct frame once, with the question of its row (of a conversation: the first turn's). Predictions
are all made before gold is opened. Frames whose gold names no entity (signs and other text alone) are a group of their
own, outside `n`: to name an entity there is wrong, and `indexed` and `unindexed` stay what they say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.errors import BadImage
from assistant.core.types import Frame, Look, Recognition
from eval.data.gold import GoldTurn
from eval.data.samples import Label, Sample, Unusable

#: `Assistant.recognise` is one.
RecogniseFunction = Callable[[str, Frame], tuple[Look, Recognition]]


@dataclass(frozen=True)
class Prediction:
    """What was recognised on one frame: a name, or None with the reason; `clean`: egocentric, of normal quality."""

    interaction_id: str
    domain: Label
    name: str | None
    confidence: float
    reason: str
    clean: bool = False


def predict(
    samples: Sequence[Sample],
    recognise: RecogniseFunction,
    limit: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Prediction], list[Unusable]]:
    """Recognise what the first question of each sample is about; a picture that came before is not asked again.

    Returns:
        Predictions, and samples without a picture that could be read.
    """
    found: list[Prediction] = []
    unusable: list[Unusable] = []
    seen: set[str] = set()
    for i, sample in enumerate(samples):
        if limit is not None and len(found) >= limit:
            break
        try:
            data = sample.picture.read() if sample.picture else b""
            digest = hashlib.sha256(data).hexdigest()
            if digest in seen:
                continue
            seen.add(digest)
            frame = sample.frame()
        except BadImage as problem:
            unusable.append(sample.unusable(str(problem)))
            continue
        if frame is None:
            continue
        turn = sample.turns[0]
        _, recognition = recognise(turn.query, frame)
        entity = recognition.entity
        found.append(
            Prediction(
                turn.interaction_id,
                turn.domain,
                entity.name if entity else None,
                float(entity.confidence) if entity else 0.0,
                recognition.reason,
                sample.is_ego and turn.image_quality == "normal",
            )
        )
        progress(i + 1, len(samples))
    return found, unusable


def tally(predictions: Iterable[Prediction], gold: Mapping[str, GoldTurn]) -> dict[str, Any]:
    """Count predictions against gold.

    Returns:
        `{"n", "indexed": {"n", "right", "wrong", "none"}, "unindexed": {"n", "none"}, "by_domain", "flat", "not_flat",
        "clean_flat", "clean_not_flat", "without_entity": {"n", "none"}}`; every value of `by_domain`, `flat` and
        `not_flat` has the first three keys, and so have the clean ones: egocentric frames of normal quality.
        Right is the gold turn's entity; `none` of the unindexed are the right ones there.
    """
    known: list[tuple[Prediction, GoldTurn]] = []
    without = {"n": 0, "none": 0}
    for prediction in predictions:
        turn = gold.get(prediction.interaction_id)
        if turn is None:
            continue
        if turn.entity is None:
            without["n"] += 1
            without["none"] += prediction.name is None
        else:
            known.append((prediction, turn))
    domains = sorted({str(prediction.domain) for prediction, _ in known})
    flat = [pair for pair in known if pair[1].labels.get("flat") is True]
    not_flat = [pair for pair in known if pair[1].labels.get("flat") is False]
    return {
        **_counts(known),
        "by_domain": {d: _counts([pair for pair in known if str(pair[0].domain) == d]) for d in domains},
        "flat": _counts(flat),
        "not_flat": _counts(not_flat),
        "clean_flat": _counts([pair for pair in flat if pair[0].clean]),
        "clean_not_flat": _counts([pair for pair in not_flat if pair[0].clean]),
        "without_entity": without,
    }


def _counts(pairs: Sequence[tuple[Prediction, GoldTurn]]) -> dict[str, Any]:
    indexed = {"n": 0, "right": 0, "wrong": 0, "none": 0}
    unindexed = {"n": 0, "none": 0}
    for prediction, turn in pairs:
        if turn.labels.get("indexed"):
            indexed["n"] += 1
            indexed[_outcome(prediction.name, turn.entity)] += 1
        else:
            unindexed["n"] += 1
            unindexed["none"] += prediction.name is None
    return {"n": len(pairs), "indexed": indexed, "unindexed": unindexed}


def _outcome(name: str | None, entity: str | None) -> str:
    if name is None:
        return "none"
    return "right" if name.casefold() == (entity or "").casefold() else "wrong"
