"""Bounds for turns that no judge could read: the lowest and the highest score that any verdicts on them could give.

A stop can follow from such a verdict, so the ends are not simply "all wrong" and "all correct": a correct answer can
keep a conversation going that then loses more than it won. Each conversation is followed through all verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from eval.metrics.public import WORTH, Conversations, Reading


def reading_bounds(
    conversations: Conversations, values: np.ndarray, unjudged: np.ndarray, rule: Reading
) -> dict[str, tuple[float, float]]:
    """Bounds of `truthfulness`, `accuracy` and `hallucination_rate` of one reading; {} when every turn is judged.

    Args:
        values: (n,) of `WORTH` in the caller's order; what stands there for an unjudged turn does not matter.
        unjudged: (n,) which turns have no verdict.
    """
    if not unjudged.any():
        return {}
    ordered, open_ = values[conversations.order], unjudged[conversations.order]
    ends = np.append(conversations.starts[1:], len(ordered))
    lows, highs = [], []
    for start, end in zip(conversations.starts, ends, strict=True):
        turns = [None if o else int(v) for v, o in zip(ordered[start:end], open_[start:end], strict=True)]
        low, high = points_bounds(turns, rule)
        lows.append(low / len(turns))
        highs.append(high / len(turns))
    n, free = len(values), int(unjudged.sum())
    correct, wrong = (int(((values == WORTH[kind]) & ~unjudged).sum()) for kind in ("correct", "wrong"))
    return {
        "truthfulness": (float(np.mean(lows)), float(np.mean(highs))),
        "accuracy": (correct / n, (correct + free) / n),
        "hallucination_rate": (wrong / n, (wrong + free) / n),
    }


def points_bounds(turns: Sequence[int | None], rule: Reading) -> tuple[int, int]:
    """The least and the most points a conversation can have; None stands for a turn that may be anything."""
    return _followed(tuple(turns), rule)


@lru_cache(maxsize=65536)
def _followed(turns: tuple[int | None, ...], rule: Reading) -> tuple[int, int]:
    # Points of the conversation so far, by whether the last turn counts towards the stop; and of those that stopped.
    going: dict[bool, tuple[int, int]] = {False: (0, 0)}
    ended: list[int] = []
    for turn in turns:
        then: dict[bool, list[int]] = {}
        for was_bad, (low, high) in going.items():
            for value in (turn,) if turn is not None else (-1, 0, 1):
                bad = value < 0 if rule == "readme" else value <= 0
                (ended if was_bad and bad else then.setdefault(bad, [])).extend((low + value, high + value))
        going = {bad: (min(points), max(points)) for bad, points in then.items()}
    points = [*ended, *(p for pair in going.values() for p in pair)]
    return min(points), max(points)
