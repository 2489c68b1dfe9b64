"""How long after the end of a question its parts were there: transcript, evidence, first word, first sound, the end.

All in milliseconds from the end of speech (without the recording's way to this server), of a typed one from asking.
Percentiles are the nearest rank (Hyndman and Fan 1996, definition 1): a figure that was measured, not one between two.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence

from assistant.ui.state.turn_view import TurnView

#: The moments of a turn in their order, and what they are called.
MOMENTS: Mapping[str, str] = {
    "heard": "transcript",
    "evidence": "evidence",
    "word": "first word",
    "sound": "first sound",
    "done": "done",
}


def moments_of(view: TurnView) -> dict[str, float]:
    """Moment to ms; those that did not come are left out."""
    heard = view.moments.get("heard", 0.0)
    after = {name: heard + view.moments[name] for name in ("evidence", "word", "sound") if name in view.moments}
    done = {"done": heard + view.wall_ms} if view.turn is not None and view.wall_ms else {}
    return ({"heard": heard} if heard else {}) | after | done


def summary(views: Sequence[TurnView]) -> list[tuple[str, int, float, float]]:
    """Of each moment that came at all: its name, of how many turns, median and 95th percentile in ms."""
    found: dict[str, list[float]] = {name: [] for name in MOMENTS}
    for view in views:
        for name, ms in moments_of(view).items():
            found[name].append(ms)
    return [(MOMENTS[n], len(v), percentile(v, 0.5), percentile(v, 0.95)) for n, v in found.items() if v]


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least `share` of the values do not exceed; at least one value."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def as_csv(views: Sequence[TurnView]) -> str:
    """A line a turn: its number, how it ended, and the ms of each moment, empty where it did not come."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["turn", "status", *(f"{name}_ms" for name in MOMENTS)])
    for view in views:
        told = moments_of(view)
        status = view.turn.answer.status if view.turn is not None else ""
        writer.writerow([view.number, status, *(round(told[n]) if n in told else "" for n in MOMENTS)])
    return out.getvalue()
