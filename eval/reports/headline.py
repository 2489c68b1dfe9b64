"""The one figure of a run that stands first, and all others with a sentence each of what they say.

Every benchmark has one headline, by the name in a run's `info["benchmark"]`: that of `HEADLINES`, else the first of its
figures (`eval.benchmarks`). Lists, pages, summaries, the leaderboard and comparisons take it from here. Pure functions
of `scores.json`; scores of another shape, by another version or by hand, give figures without a value, no error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from eval.benchmarks.base import figure_at, interval_at, value_at
from eval.benchmarks.registry import BENCHMARKS, benchmark_of

#: How a figure is written: points of 100 with their sign, percent, a plain number.
Kind = Literal["points", "share", "number"]
DEFAULT = "cragmm"


@dataclass(frozen=True)
class Headline:
    """One figure. `low` and `high` are its 95 % interval, or, without a value, the bounds that it lies in.

    `key` is where it stands in `scores.json`, with dots; `short` heads a narrow column. `explanation` is one sentence.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    explanation: str
    key: str = ""
    short: str = ""
    kind: Kind = "points"

    @property
    def interval(self) -> dict[str, float] | None:
        """Both ends, None where there are none."""
        return None if self.low is None or self.high is None else {"low": self.low, "high": self.high}

    @property
    def text(self) -> str:
        """`0.137 [-0.023, 0.312]`, as printed."""
        ends = "" if self.low is None or self.high is None else f"[{self.low:.3f}, {self.high:.3f}]"
        return " ".join(part for part in ("" if self.value is None else f"{self.value:.3f}", ends) if part) or "none"


#: (scores.json, run.json) → the headline.
Maker = Callable[[Mapping[str, Any], Mapping[str, Any]], Headline]


def by_key(key: str, name: str, explanation: str, *, short: str = "", kind: Kind = "points") -> Maker:
    """A headline that stands in the scores under `key`, its interval under `intervals.` and the same key."""

    def make(scores: Mapping[str, Any], info: Mapping[str, Any]) -> Headline:
        return _figure(scores, key, name, explanation, short or name, kind)

    return make


#: Benchmark → what its headline is, where it is another than the first of its figures that the scores have.
HEADLINES: dict[str, Maker] = {
    DEFAULT: by_key(
        "paper.truthfulness",
        "truthfulness (paper)",
        "A right answer counts 1, “I don’t know” 0, a wrong one −1; after two turns in a row that are not right, the "
        "rest of a conversation counts as missing. The mean over conversations, as in the CRAG-MM paper.",
        short="truth",
    )
}


def headline(scores: Mapping[str, Any], info: Mapping[str, Any]) -> Headline:
    """The one figure of a run.

    Args:
        scores: its `scores.json`, {} where there is none.
        info: its `run.json`; "benchmark" says which headline it has (default: CRAG-MM's).
    """
    name = str(info.get("benchmark") or DEFAULT)
    if name in HEADLINES or not (own := _own(scores, name)):
        return HEADLINES.get(name, HEADLINES[DEFAULT])(scores, info)
    known = {figure.key: figure for figure in own if figure.value is not None}
    order = [own[0].key, *(benchmark_of(info).stand_ins or known)]
    if found := next((known[key] for key in order if key in known), None):
        averaged = value_at(scores, f"{name}.n_judges") == 2
        return replace(found, explanation=f"{found.explanation} {_AVERAGED}") if averaged else found
    # Verdicts without what the benchmark's own figures need, such as imported answers without a scenario.
    usual = HEADLINES[DEFAULT](scores, info)
    return own[0] if usual.value is None or known else usual


def _own(scores: Mapping[str, Any], name: str) -> list[Headline]:
    """The figures of a benchmark of its own; [] for those that are scored as CRAG-MM and for unknown ones."""
    known = next((one for key, one in BENCHMARKS.items() if key == name and key != DEFAULT), None)
    return [
        _figure(scores, one.key, one.name, one.what, one.name, "points" if one.signed else "share")
        for one in (known.figures if known else ())
    ]


#: Key, name, kind, explanation of CRAG-MM's figures, in the order in which they are shown.
_ALL: tuple[tuple[str, str, Kind, str], ...] = (
    ("paper.truthfulness", "truthfulness (paper)", "points",
     "The mean over conversations; a conversation stops after two turns in a row that are wrong or missing."),
    ("readme.truthfulness", "truthfulness (README)", "points",
     "The same, but only wrong answers count towards the stop, as the benchmark’s README words it."),
    ("public.all.truthfulness_score", "truthfulness (public evaluator)", "points",
     "Every turn counts and nothing stops a conversation; only two phrases count as “I don’t know”."),
    ("public.ego.truthfulness_score", "truthfulness (public, egocentric)", "points",
     "The same over pictures that the glasses took, without those of the web."),
    ("public.all.mean_multi_turn_conversation_score", "conversation score (public)", "points",
     "The public evaluator’s mean over conversations, each stopped after two turns in a row that are not right."),
    ("paper.accuracy", "correct", "share", "Turns that were answered right, of all turns."),
    ("paper.missing", "missing", "share", "Turns answered by “I don’t know”, or not at all, of all turns."),
    ("paper.hallucination_rate", "wrong", "share", "Turns that were answered wrong, of all turns."),
    ("paper.early_stop", "early stop", "share",
     "Conversations that were stopped before their end: two turns in a row were not right."),
    ("paper.grand_mean", "mean of turns", "points", "As the paper’s truthfulness, but every turn weighs the same."),
    ("crag.score", "CRAG score", "points",
     "The mean of graded answers: perfect 1, acceptable ½, missing 0, incorrect −1."),
    ("averaged.paper.truthfulness", "mean of two judges", "points",
     "The paper’s truthfulness by each of the two judging models, and their mean, as CRAG reports it."),
    ("overlay.with.paper.truthfulness", "corrected", "points",
     "The paper’s truthfulness with the ground truths that people corrected."),
    ("risk_coverage.aurc", "risk over coverage", "number",
     "Of the answers spoken, how many are wrong when only the surest are spoken, from few to all; smaller is better."),
)  # fmt: skip
_BOUNDS = "bounds.paper.truthfulness"
#: Said of figures of a benchmark that reports the mean of two judges (`Benchmark.averages`).
_AVERAGED = "Of every answer the mean of what the two judging models say counts."


def all_figures(scores: Mapping[str, Any], info: Mapping[str, Any]) -> tuple[Headline, ...]:
    """Every figure that the scores have, the headline first; those that they lack are left out."""
    first = headline(scores, info)
    found = _own(scores, name := str(info.get("benchmark") or DEFAULT))
    found += _own(scores, "deflection") if name != "deflection" else []  # of any run by scenario
    if not tells_nothing_of_truth(scores, info):
        found += [_figure(scores, key, name, said, name, kind) for key, name, kind, said in _ALL]
    if (
        first.key
        and "averaged" in scores
        and not (first.key.startswith("paper.") or first.explanation.endswith(_AVERAGED))
    ):
        said = "The headline by each of the two judging models, and the mean of the two."
        found.append(_figure(scores, f"averaged.{first.key}", "mean of two judges", said, "mean", first.kind))
    rest = [figure for figure in found if figure.value is not None and figure.key != first.key]
    ends = value_at(scores, _BOUNDS)
    ends = {"low": ends[0], "high": ends[1]} if isinstance(ends, list | tuple) and len(ends) == 2 else {}
    low, high = figure_at(ends, "low"), figure_at(ends, "high")
    if low is not None and high is not None:
        said = "Whatever the verdicts on turns that have none, or none that is sure: the truthfulness lies in here."
        after = [n for n, one in enumerate(rest, 1) if one.key == _BOUNDS.removeprefix("bounds.")]
        rest.insert(after[0] if after else 0, Headline("bounds (paper)", None, low, high, said, _BOUNDS))
    return (first, *rest)


def tells_nothing_of_truth(scores: Mapping[str, Any], info: Mapping[str, Any]) -> bool:
    """Whether the readings of CRAG-MM say nothing of a run: no turn has a ground truth, and its benchmark has figures
    of its own."""
    without = figure_at(scores, "n_without_truth") or 0
    return benchmark_of(info).own_scores is not None and 0 < (figure_at(scores, "n") or 0) <= without


def _figure(scores: Mapping[str, Any], key: str, name: str, explanation: str, short: str, kind: Kind) -> Headline:
    ends = interval_at(scores, key) or {}
    return Headline(name, figure_at(scores, key), ends.get("low"), ends.get("high"), explanation, key, short, kind)
