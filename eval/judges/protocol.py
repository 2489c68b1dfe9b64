"""What a judge is: a turn's line in, a verdict and its reason out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from eval.metrics.public import Verdict


@dataclass(frozen=True)
class Judgement:
    """A verdict and why, in a few words; a verdict of None means that the judge could not tell.

    `leaning` is what a judge that is not sure would say if it had to: figures count it, within bounds. `more` is what
    else the judgement's line keeps: a model's raw reply, tokens, cost, and `scores` from a judge that gives those.
    """

    verdict: Verdict | None
    why: str
    more: Mapping[str, Any] = field(default_factory=dict)
    leaning: Verdict | None = None


class Handed(Protocol):
    """What the turns of a run were handed (`eval.runs.handed`)."""

    def evidence(self, line: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Of one turn, as its trace has it."""
        ...

    def picture(self, line: Mapping[str, Any], source: str) -> bytes | None:
        """The picture behind an address among them; None where it is not to be had."""
        ...


class NothingHanded:
    """For turns that stand alone, without a run."""

    def evidence(self, line: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return ()

    def picture(self, line: Mapping[str, Any], source: str) -> bytes | None:
        return None


class ModelJudge(Protocol):
    """One model that judges, by one prompt. Safe to share between threads."""

    @property
    def model(self) -> str: ...

    @property
    def prompt(self) -> str: ...

    def judge(self, line: Mapping[str, Any], cancelled: threading.Event | None = None) -> Judgement: ...


#: A turn's line (see `eval.runs.turn_record`) → judgement.
Judge = Callable[[Mapping[str, Any]], Judgement]
