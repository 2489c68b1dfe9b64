"""What a judge is: a turn's line in, a verdict and its reason out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from eval.metrics.public import Verdict


@dataclass(frozen=True)
class Judgement:
    """A verdict and why, in a few words; a verdict of None means that the judge could not tell.

    `leaning` is what a judge that is not sure would say if it had to: figures count it, within bounds. `more` is what
    else the judgement's line keeps: a model's raw reply, tokens, cost.
    """

    verdict: Verdict | None
    why: str
    more: Mapping[str, Any] = field(default_factory=dict)
    leaning: Verdict | None = None


#: A turn's line (see `eval.runs.turn_record`) → judgement.
Judge = Callable[[Mapping[str, Any]], Judgement]
