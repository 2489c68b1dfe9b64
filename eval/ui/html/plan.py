"""What a run would be, before it is started: size, what it can show, calls, cost, time; as HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.data.samples import LABELS, Data
from eval.ui.state.figures import duration, money

_DIFFERENCES = {
    "paired_truthfulness": "truthfulness, against a run on the same questions",
    "paired_accuracy": "accuracy, same questions",
    "unpaired_truthfulness": "truthfulness, against other questions",
}


def render_plan(data: Data, found: Mapping[str, Any], judge: str, why_time: str, priced: bool) -> str:
    """The estimate.

    Args:
        data: what is chosen.
        found: see `eval.metrics.power.estimate`.
        judge: who judges.
        why_time: where the time a turn comes from; "" when it is not known.
        priced: whether prices are known.
    """
    turns, ego = found["n_turns"], sum(sample.is_ego for sample in data.samples)
    several = sum(len(sample.turns) > 1 for sample in data.samples)
    cells = {
        "turns": f"{turns:,}",
        "samples": f"{len(data.samples):,} of {data.found:,}",
        "conversations of several turns": f"{several:,}",
        "egocentric": f"{ego:,}",
        "judge": judge,
        "calls of a model": f"{found['calls']:,}" if found["calls"] else "none",
        "judging calls": f"about {found['judge_calls']:,}" if found["judge_calls"] else "none",
        "cost": _cost(found, priced),
        "time": duration(found["hours"] * 3600) if found["hours"] is not None else "not known yet",
    }
    if untold := sum(not turn.ground_truth.strip() for sample in data.samples for turn in sample.turns):
        cells["without a ground truth"] = f"{untold:,}, not judged"
    grid = "".join(f"<div><dt>{name}</dt><dd>{isolated(value)}</dd></div>" for name, value in cells.items())
    can = found["detectable"]
    rows = "".join(
        f"<li>{name}: <b>{'none' if can[key] is None else f'{100 * can[key]:.1f} points'}</b></li>"
        for key, name in _DIFFERENCES.items()
    )
    assumed = ", ".join(f"{name} {value:g}" for name, value in found["assumed"].items())
    return (
        f'<section class="b-plan" aria-label="Estimate"><h3>{isolated(data.name, 120)}</h3>'
        f'<dl class="b-cells">{grid}</dl>'
        f"<h4>The smallest difference it can show</h4><ul>{rows}</ul>"
        f'<p class="v-quiet">Found four times in five, at 5 %. Assumed: {assumed}. {text(why_time)}</p>'
        f"{_lacks(data)}{_labels(data)}{_left_out(data)}</section>"
    )


def _cost(found: Mapping[str, Any], priced: bool) -> str:
    if not found["calls"] and not found["judge_calls"]:
        return "nothing"
    return money(found["cost"]) if priced else "unknown: no prices are set (VITRINE_CHAT_PRICES)"


def _labels(data: Data) -> str:
    parts = []
    for label in LABELS:
        counted = Counter(getattr(turn, label) for sample in data.samples for turn in sample.turns)
        counted.pop(None, None)
        if counted:
            names = ", ".join(f"{isolated(name, 40)} {n}" for name, n in counted.most_common(14))
            parts.append(f"<div><dt>{label.replace('_', ' ')}</dt><dd>{names}</dd></div>")
    return f'<details data-key="labels"><summary>What is in it</summary><dl>{"".join(parts)}</dl></details>'


def _lacks(data: Data) -> str:
    """What is asked for and not there, in sight: it is another measurement than the one that was chosen."""
    items = "".join(f"<li>{isolated(words, 300)}</li>" for words in data.lacks)
    return f"<h4>What the data lack</h4><ul>{items}</ul>" if items else ""


def _left_out(data: Data) -> str:
    said = "".join(f"<li>{isolated(words, 300)}</li>" for words in data.adjusted)
    rows = "".join(
        f"<li>{isolated(row.source, 80)} row {row.row}: {isolated(row.why, 200)}</li>" for row in data.unusable[:12]
    )
    more = len(data.unusable) - 12
    rows += f"<li>and {more:,} more</li>" if more > 0 else ""
    if not said and not rows:
        return ""
    left = f"{len(data.unusable):,} rows cannot be used" if data.unusable else "Changed for the public reading"
    return f'<details data-key="left"><summary>{left}</summary><ul>{said}{rows}</ul></details>'
