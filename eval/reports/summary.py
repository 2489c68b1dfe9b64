"""The main figures of a run as a short table, for the end of `eval run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.benchmarks.registry import BENCHMARKS, benchmark_of
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
    columns = {"": scores}
    if "judges" in scores:
        columns = {**scores["judges"], "mean of the two": scores["averaged"]}
    own = own_figures(info or {}, list(columns.values()))
    lines += [f"{'':<36}" + "".join(f"{name[:22]:>24}" for name in columns)] if own and "judges" in scores else [""]
    width = 24 if "judges" in scores else 7
    lines += [f"{name:<36}" + "".join(f"{said(value):>{width}}" for value in values) for name, values in own]
    told = [
        *filter(None, [without_truth_words(scores.get("n_without_truth", 0), scores.get("n_scored", 0))]),
        *without_verdict(scores),
        *without_weight(scores),
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


def own_figures(info: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[float | None]]]:
    """The figures that only the run's benchmark has, by name, in each of several scores, and those of its scenarios;
    those without any value are left out.
    """
    whose = [one for one in (benchmark_of(info), BENCHMARKS["deflection"]) if one.own_scores is not None]
    figures = {figure.key: figure for one in whose for figure in one.figures}
    rows = [(figure.name, [figure.of(scores) for scores in columns]) for figure in figures.values()]
    return [(name, values) for name, values in rows if any(value is not None for value in values)]


def said(value: float | None) -> str:
    """A figure in a column; "" for none."""
    return "" if value is None else f"{value:.3f}"


def without_weight(scores: Mapping[str, Any]) -> list[str]:
    """What is said of question types that a file of weights does not name; [] where it names all."""
    return [
        f"the weights of {weights['file']!r} do not name {', '.join(map(repr, left_out))}: these weigh "
        "nothing by traffic"
        for own in scores.values()
        if isinstance(own, Mapping)
        and isinstance(weights := own.get("weights"), Mapping)
        and (left_out := weights.get("left_out"))
    ]


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
