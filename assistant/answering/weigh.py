"""Weighing a fact: what `matcher` reads in it, what `rank` measures, and the kind of its value, as one probability.

Two logistic models, one for a fact about the subject itself and one for a fact one relation further; their weights come
from `match_training`, which fits them on questions that the matcher has not seen.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assistant.errors import NotReady
from assistant.settings import ASSETS_DIR

WEIGHTS_FILE = "weigh.json"
Kind = Literal["direct", "chain"]


@dataclass(frozen=True)
class Signs:
    """What speaks for a fact; all about -2 to 2.

    match: the matcher's logit over 4. lead: over the best rival that says something else, same scale, clipped.
    plain: logit of `rank.probability` over 4 (chains: the logit of the link over 4). agreement: of the kind of value.
    noun: whether what is counted is named. conflict: another scale than the one asked for. stated: 1 for an attribute.
    """

    match: float
    lead: float
    plain: float
    agreement: float
    noun: float = 0.0
    conflict: float = 0.0
    stated: float = 0.0

    def vector(self) -> np.ndarray:
        return np.array(
            [
                self.match,
                self.lead,
                self.plain,
                max(self.agreement, 0.0),
                min(self.agreement, 0.0),
                self.noun,
                self.conflict,
                self.stated,
            ]
        )


@functools.cache
def _weights(kind: Kind) -> tuple[np.ndarray, float]:
    path = ASSETS_DIR / "reader" / WEIGHTS_FILE
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))[kind]
        return np.array(stored["weights"], float), float(stored["bias"])
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be read: run `python -m assistant.answering.match_training`") from problem


def weighed(signs: Signs, kind: Kind) -> float:
    """Probability that the fact answers the question."""
    weights, bias = _weights(kind)
    return logistic(float(signs.vector() @ weights) + bias)


def logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


def logit(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


def leads(scores: Sequence[float], texts: Sequence[str]) -> list[float]:
    """Each score less the best score of a text that says something else; -1 to 1, 0.5 when there is none."""
    said = [_figures(t) for t in texts]
    out = []
    for i, score in enumerate(scores):
        rivals = [s for j, s in enumerate(scores) if j != i and not (said[i] & said[j])]
        out.append(max(-1.0, min(1.0, score - max(rivals))) if rivals else 0.5)
    return out


def _figures(text: str) -> frozenset[str]:
    """Numbers and names in a text: two that share one are taken to say the same."""
    return frozenset(re.findall(r"\d+(?:[.,]\d+)*", text)) | frozenset(
        w for w in re.findall(r"(?<=[\w,:;(\[] )[A-Z][\w'’-]{3,}", text)
    )
