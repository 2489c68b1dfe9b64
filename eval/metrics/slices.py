"""Scores by slice: for every value of every label the rates, the truthfulness and their intervals.

A slice counts single turns (no conversation rule); its intervals are clustered by conversation. A label that is None on
a turn leaves the turn out of that label's slices; a label that no turn carries is left out whole. All labels are worked
on as columns, so that a hundred thousand turns take a second or two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eval.metrics.intervals import clustered_interval, ratio_variance, share_interval

#: Slices with fewer turns are flagged `few`: reports grey them.
LEAST_TURNS = 30
_NAMES = ("accuracy", "missing", "hallucination_rate")


def slices(
    values: np.ndarray, conversation: np.ndarray, labels: Mapping[str, Sequence[object]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Scores of every slice.

    Args:
        values: what each turn counts as, (n,) of `eval.metrics.public.WORTH`.
        conversation: which conversation each turn belongs to, (n,) whole numbers.
        labels: label → its value on each turn, n of them; None where the turn has none.

    Returns:
        label → value (as text) → `{"n", "n_conversations", "few", "truthfulness", "accuracy", "missing",
        "hallucination_rate", "intervals": {figure: {"low", "high", "method"}}}`; the most frequent value first, turn
        numbers in their order.
    """
    found = {}
    for name, column in labels.items():
        part = _slices_of(values, conversation, column)
        if part:
            found[name] = part
    return found


def _slices_of(values: np.ndarray, conversation: np.ndarray, column: Sequence[object]) -> dict[str, dict[str, Any]]:
    texts = [None if label is None else label_text(label) for label in column]
    names = {text: code for code, text in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    if not names:
        return {}
    codes = np.array([-1 if t is None else names[t] for t in texts], np.int64)
    keep = codes >= 0
    codes, values, conversation = codes[keep], values[keep], conversation[keep]
    # One entry for each pair of a conversation and a value of the label that it holds.
    pairs, of_row = np.unique(conversation.astype(np.int64) * len(names) + codes, return_inverse=True)
    group = pairs % len(names)
    turns = np.bincount(of_row, minlength=len(pairs)).astype(float)
    hits = {
        name: np.bincount(of_row, values == worth, len(pairs)) for name, worth in zip(_NAMES, (1, 0, -1), strict=True)
    }
    hits["truthfulness"] = hits["accuracy"] - hits["hallucination_rate"]
    figures = {name: ratio_variance(hit, turns, group, len(names)) for name, hit in hits.items()}
    n = np.bincount(codes, minlength=len(names))
    found = {
        text: _slice(int(n[code]), {name: (r[code], v[code], int(c[code])) for name, (r, v, c) in figures.items()})
        for text, code in names.items()
    }
    numeric = all(text.isdecimal() for text in names)
    return {t: found[t] for t in sorted(found, key=lambda t: (int(t),) if numeric else (-found[t]["n"], t))}


def _slice(n: int, figures: Mapping[str, tuple[float, float, int]]) -> dict[str, Any]:
    conversations = figures["accuracy"][2]
    intervals = {
        name: share_interval(float(figures[name][0]), float(figures[name][1]), n, conversations) for name in _NAMES
    }
    mean, variance, _ = figures["truthfulness"]
    intervals["truthfulness"] = clustered_interval(float(mean), float(variance), conversations, -1.0, 1.0)
    return {
        "n": n,
        "n_conversations": conversations,
        "few": n < LEAST_TURNS,
        **{name: float(figures[name][0]) for name in ("truthfulness", *_NAMES)},
        "intervals": {name: interval.json() for name, interval in intervals.items()},
    }


def label_text(label: object) -> str:
    """A label's value as it is shown: yes and no for booleans."""
    return ("yes" if label else "no") if isinstance(label, bool) else str(label)
