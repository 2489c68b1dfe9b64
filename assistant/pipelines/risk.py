"""How probably an answer is wrong, from signs that are known before it is spoken.

The signs are those by which the strong systems of the CRAG-MM challenge abstain (KDD Cup 2025): what the answer rests
on, how probable a refusal was as its first token, whether a second look confirms it, who named the thing. They add up
on the log-odds scale. The weights below are stated, not fitted: they order answers by risk and are no frequencies of
any model. `python -m eval calibrate RUN` fits them to a judged run; `--risk-model FILE` uses that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assistant.core.errors import BadInput, UnknownFormat
from assistant.core.types import Sentence

FORMAT_VERSION = 1
#: How a refusal begins, as a first token.
_REFUSING = ("i", "sorry", "unfortunately", "i'm", "unknown", "none")

#: Log-odds of being wrong: for an answer that rests on checked evidence alone, and what each sign adds. Signs that are
#: not known add nothing.
STATED: dict[str, float] = {
    "bias": -2.5,
    "picture": 0.9,  # the weakest ground is the picture
    "memory": 1.9,  # the weakest ground is memory
    "refusing": 5.0,  # times the probability that the first token begins a refusal
    "doubted": 4.0,  # times the verifier's probability of "no", less one half
    "named": 1.0,  # it rests on evidence about a thing that the model alone named
}


@dataclass(frozen=True)
class RiskModel:
    """A logistic model over named signs. `fitted_on` says what it was calibrated on, "" for the stated weights."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(STATED))
    fitted_on: str = ""

    def risk(self, signs: Mapping[str, float]) -> float:
        """The estimated probability, 0..1, that an answer with these signs is wrong."""
        total = self.weights.get("bias", 0.0) + sum(self.weights.get(name, 0.0) * sign for name, sign in signs.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))

    @classmethod
    def load(cls, path: Path) -> RiskModel:
        """A model that `eval calibrate` wrote.

        Raises:
            BadInput: no such file, or it holds something else.
            UnknownFormat: it was written by another version.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            version = content["format_version"]
            weights = {str(name): float(weight) for name, weight in content["weights"].items()}
            known = set(weights) <= set(STATED) and all(math.isfinite(weight) for weight in weights.values())
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            raise BadInput(
                f"{str(path)!r} is no risk model: `python -m eval calibrate RUN --out FILE` writes one"
            ) from None
        if version != FORMAT_VERSION:
            raise UnknownFormat(f"{str(path)!r} has format_version {version!r}, this Vitrine reads {FORMAT_VERSION}")
        if not known:
            raise BadInput(f"{str(path)!r} has weights that are none of {', '.join(STATED)}, or no numbers")
        return cls(weights, str(content.get("fitted_on", "")))

    def as_json(self) -> dict[str, object]:
        return {"format_version": FORMAT_VERSION, "weights": dict(self.weights), "fitted_on": self.fitted_on}


def signs_of(
    sentences: Sequence[Sentence],
    first_token: Mapping[str, float],
    *,
    doubt: float | None = None,
    named_by_model: bool = False,
) -> dict[str, float]:
    """The signs of an answer, those alone that are known.

    Args:
        sentences: of the answer, with their grounds.
        first_token: probabilities of the likeliest first tokens; empty where the model tells none.
        doubt: the verifier's probability of "no"; None where nobody verified.
        named_by_model: whether the thing it is about has its name from the model alone.
    """
    grounds = {sentence.ground for sentence in sentences}
    signs: dict[str, float] = {}
    if "memory" in grounds:
        signs["memory"] = 1.0
    elif "picture" in grounds:
        signs["picture"] = 1.0
    if first_token:
        signs["refusing"] = refusing(first_token)
    if doubt is not None:
        signs["doubted"] = doubt - 0.5
    if named_by_model and "evidence" in grounds:
        signs["named"] = 1.0
    return signs


def refusing(first_token: Mapping[str, float]) -> float:
    """The probability, 0..1, that the reply begins as a refusal does."""
    return min(1.0, sum(p for token, p in first_token.items() if token.strip().casefold() in _REFUSING))


def fit(rows: Iterable[tuple[Mapping[str, float], bool]], fitted_on: str) -> RiskModel:
    """Weights that predict which answers were wrong (`True`), shrunk towards the stated ones.

    Penalised maximum likelihood (a Gaussian prior with standard deviation 1 around `STATED`), by Newton's method: a run
    of some hundred answers moves what it tells about and leaves the rest.

    Raises:
        BadInput: fewer than 20 answers, or all of them right or all wrong.
    """
    import numpy as np

    found = list(rows)
    wrong = np.array([one for _, one in found], float)
    if len(found) < 20 or not 0 < wrong.sum() < len(found):
        raise BadInput(
            f"{len(found)} judged answers, {int(wrong.sum())} of them wrong: at least 20, some right and some wrong, "
            "tell what makes an answer risky"
        )
    names = list(STATED)
    signs = np.array([[1.0, *(one.get(name, 0.0) for name in names[1:])] for one, _ in found])
    stated = np.array([STATED[name] for name in names])
    weights = stated.copy()
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (p - wrong) + (weights - stated)
        curvature = (signs * (p * (1 - p))[:, None]).T @ signs + np.eye(len(names))
        step = np.linalg.solve(curvature, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return RiskModel(dict(zip(names, map(float, weights), strict=True)), fitted_on)
