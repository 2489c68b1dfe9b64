"""The main figures of a run as a short table, for the end of `eval run`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def run_summary(scores: Mapping[str, Any], unusable: int, out: Path) -> str:
    """Readings side by side, then shares by question type; `unusable` rows were left out."""
    lines = [f"{scores['n']} turns, {scores['n_failed']} failed, {unusable} rows left out, judge {scores['judge']}"]
    public = scores["public"]["all"]
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
    return "\n".join([*lines, f"\nwritten to {out}"])
