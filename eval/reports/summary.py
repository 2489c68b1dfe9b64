"""The main figures of a run as a short table, for the end of `eval run`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.benchmarks.registry import BENCHMARKS
from eval.data.truths import without_truth_words
from eval.reports.headline import headline


def run_summary(scores: Mapping[str, Any], unusable: int, out: Path, info: Mapping[str, Any] | None = None) -> str:
    """The headline, readings side by side, shares by question type, then the benchmark's own figures; `unusable` rows
    were left out, `info` is the run's `run.json`. Of data without any ground truth there are no readings.
    """
    main = headline(scores, info or {})
    lines = [f"{main.name}: {main.text}", main.explanation, ""]
    lines += [f"{scores['n']} turns, {scores['n_failed']} failed, {unusable} rows left out, judge {scores['judge']}"]
    if scores.get("n_without_truth", 0) < scores["n"]:
        lines += _readings(scores)
    lines += own_figures(scores)
    told = [
        *filter(None, [without_truth_words(scores.get("n_without_truth", 0), scores.get("n_scored", 0))]),
        *without_verdict(scores),
    ]
    return "\n".join([*lines, *(["", *told] if told else []), f"\nwritten to {out}"])


def _readings(scores: Mapping[str, Any]) -> list[str]:
    public, lines = scores["public"]["all"], list[str]()
    rows = {
        "paper": scores["paper"],
        "readme": scores["readme"],
        "public": {**public, "truthfulness": public["truthfulness_score"]},
    }
    names = ("truthfulness", "accuracy", "missing", "hallucination_rate", "early_stop")
    lines.append(f"{'reading':<10}" + "".join(f"{name.removesuffix('_rate'):>15}" for name in names))
    for reading, figures in rows.items():
        cells = (figures.get(name) for name in names)
        lines.append(f"{reading:<10}" + "".join(f"{'' if c is None else f'{c:.3f}':>15}" for c in cells))
    lines.append(f"\n{'by type':<28}{'n':>6}{'correct':>9}{'missing':>9}{'wrong':>9}")
    for name, part in scores["slices"].get("type", {}).items():
        shares = "".join(f"{part[key]:>9.3f}" for key in ("accuracy", "missing", "hallucination_rate"))
        lines.append(f"{name:<28}{part['n']:>6}{shares}")
    return lines


def own_figures(scores: Mapping[str, Any]) -> list[str]:
    """The figures that only the run's benchmark has, one a line; [] for a benchmark without any."""
    benchmark = next((one for name, one in BENCHMARKS.items() if one.own_scores and name in scores), None)
    if benchmark is None:
        return []
    values = [(figure.name, figure.of(scores)) for figure in benchmark.figures]
    return ["", *(f"{name:<34}{'' if value is None else f'{value:.3f}':>9}" for name, value in values)]


def without_verdict(scores: Mapping[str, Any]) -> list[str]:
    """What is said of turns without a verdict; [] where all have one."""
    leaning = scores.get("n_leaning", 0)
    unread = scores.get("n_unjudged", 0) - leaning
    found = []
    if leaning:
        found.append(f"the judge is not sure of {leaning} of {scores['n']} turns: they count as it leans")
    if unread:
        found.append(f"{unread} turns have no verdict: wrong under public, open in the others")
    bounds = (scores.get("bounds") or {}).get("paper", {}).get("truthfulness")
    if found and bounds:
        found[-1] += f"; paper truthfulness lies between {bounds[0]:.3f} and {bounds[1]:.3f}"
    return found
