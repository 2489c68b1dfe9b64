"""What a benchmark is to the rest: a value that says which evidence its samples may be handed, which figures and slices
its scores have, who judges, and which published rows stand on its leaderboard.

How rows become samples stands in `eval.data.row_formats`; runner, store, judges, compare and report are one for all.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from assistant.core.errors import BadInput
from assistant.core.types import Evidence
from eval.agents.protocol import AnswerFunction
from eval.data.samples import FAILED, BenchmarkName, SampleTurn

if TYPE_CHECKING:
    from assistant.agent import Assistant
    from eval.metrics.figures import Between

#: `eval.judges.prompts.PromptLabels`, which stands above this room.
PromptLabels = Literal["crag", "simpleqa"]
Read = TypeVar("Read")
#: A turn of a run and its judgement, {} for none.
JudgedLine = tuple[Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Figure:
    """One figure of a run's scores.

    key: where it stands in `scores.json`, with dots between the names. name: as a column is headed. what: what it says,
    in one sentence. better: which way is better. signed: from -1 to 1 instead of 0 to 1.
    """

    key: str
    name: str
    what: str
    better: str = "high"
    signed: bool = False

    def of(self, scores: Mapping[str, Any]) -> float | None:
        """The figure in `scores`; None where it is not there."""
        return figure_at(scores, self.key)


def verdict_of(line: Mapping[str, Any], judgements: Mapping[str, Mapping[str, Any]]) -> str | None:
    """What a turn counts as: missing where it failed, else its verdict or what the judge leans to; None for neither."""
    if line["status"] in FAILED:
        return "missing"
    found = judgements.get(line["interaction_id"]) or {}
    return found.get("verdict") or found.get("leaning")


def value_at(scores: Mapping[str, Any], key: str) -> Any:
    """What stands in scores under a key with dots; None where there is nothing."""
    found: Any = scores
    for name in key.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def figure_at(scores: Mapping[str, Any], key: str) -> float | None:
    """The number under a key with dots; None where there is none, or none that is finite."""
    found = value_at(scores, key)
    plain = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if plain and math.isfinite(found) else None


def interval_at(scores: Mapping[str, Any], key: str) -> dict[str, float] | None:
    """The 95 % interval of the figure under a key with dots: under `intervals` and the whole key, or beside the figure
    under `intervals` and its last name. None where there is none.
    """
    parent, _, last = key.rpartition(".")
    for path in (f"intervals.{key}", f"{parent}.intervals.{last}"):
        low, high = figure_at(scores, f"{path}.low"), figure_at(scores, f"{path}.high")
        if low is not None and high is not None:
            return {"low": low, "high": high}
    return None


def read_published(path: Path, make: Callable[[Mapping[str, str]], Read]) -> list[Read]:
    """The lines of a table of published figures, each as `make` reads it.

    Raises:
        BadInput: the table is missing or has a line that cannot be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [make(line) for line in csv.DictReader(file)]
    except (OSError, KeyError, ValueError) as problem:
        raise BadInput(f"the published figures in {str(path)!r} cannot be read ({problem})") from None


@dataclass(frozen=True)
class PublishedRow:
    """One published result: `part` is the table it belongs to on the leaderboard, `figures` are by a figure's key, as
    shares. `where` names paper and table."""

    part: str
    system: str
    setting: str
    data: str
    judge: str
    where: str
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Benchmark:
    """One benchmark.

    Attributes:
        name: as `--benchmark` takes it.
        title, paper, asks, needs, get, licence: for people: its name, where it is published, what it asks, what an
            agent needs for it, how to get its data (a command, where there is one), under which licence.
        judges: those that fit it, the usual one first.
        judge_labels: which labels a judging model gives.
        offline_judge: the one that judges where none is chosen and no world has typed answers.
        figures: of its scores; the first is the headline.
        stand_ins: keys of the figures of which the first with a value is the headline where the headline itself has
            none; () for all of them, in their order.
        slices: labels of its own that its scores are sliced by, beside CRAG-MM's and those of a scenario.
        evidence: what a turn is handed of the evidence that its data bring along, within a window by its name (None for
            the usual one). None for a benchmark whose agents search, or that is asked by scenario.
        answers: how a model of ours answers its questions where it has tools of its own: given the assistant, the file
            of its knowledge graph and the window. None for one that is answered as anything else.
        own_scores: figures of its own, kept in the scores under its name; given the lines of the run and its judgements
            by interaction id.
        differences: figures of its own between two runs (name below the benchmark's → values and interval), given of
            each run the same questions in the same order.
        takes_weights: whether both take `weights` as well (`eval.metrics.traffic.Weights`, by `--weights`).
        averages: whether `own_scores` takes the judgements of a second judge as well (`also`), and means the two.
        reads_handed: whether each of these lines has, under `handed`, the evidence that its turn was handed.
        published: published rows.
    """

    name: BenchmarkName
    title: str
    paper: str
    asks: str
    needs: str
    get: str
    licence: str
    judges: tuple[str, ...]
    figures: tuple[Figure, ...]
    offline_judge: str = "exact"
    judge_labels: PromptLabels = "crag"
    stand_ins: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    evidence: Callable[[SampleTurn, str | None], tuple[Evidence, ...]] | None = None
    answers: Callable[[Assistant, Path | None, str | None], AnswerFunction] | None = None
    own_scores: Callable[..., dict[str, Any]] | None = None
    differences: Callable[..., Mapping[str, Between]] | None = None
    takes_weights: bool = False
    averages: bool = False
    reads_handed: bool = False
    published: Callable[[], Sequence[PublishedRow]] = field(default=tuple)

    @property
    def headline(self) -> Figure:
        return self.figures[0]
