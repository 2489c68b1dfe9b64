"""The ground truth and an answer with what is the same in both told in the same words, for the lexical judge's model.

A small model of language reads "39 ft 4 in" and "12 metres", or "05/1932" and "May 1932", as different things. So an
amount or a moment of the answer that is one of the ground truth's takes its words before the model reads both. Only
what is equal: what is rounder, nearly so, or as precise as need be is for rules and model to judge.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import astuple, replace

from eval.judges.lexical.dates import Moment, moments
from eval.judges.lexical.figures import figures
from eval.judges.lexical.numbers import amounts
from eval.judges.units import convert
from eval.judges.values import Quantity

#: How far a converted amount may lie off, as a share of it.
_CONVERTED = 0.005
#: Where a temperature is a difference, and no place on a scale.
_DIFFERENCE = re.compile(r"\b(?:warmer|cooler|hotter|colder|differ\w*|more|less|rises?|drops?|falls?)\b", re.I)


def alike(truth: str, answer: str) -> tuple[str, str]:
    """Both texts with figures for number words, the answer with the truth's words for its amounts and moments."""
    gold, said = figures(truth), figures(answer)
    gold_amounts, gold_moments = _read(gold)
    if not gold_amounts and not gold_moments:
        return gold, said
    degrees = not _DIFFERENCE.search(gold) and not _DIFFERENCE.search(said)
    said_amounts, said_moments = _read(said)
    spans: list[tuple[int, int, str]] = []
    for amount in said_amounts:
        same = _same(amount, gold_amounts, degrees)
        words = gold[same.start : same.end].strip() if same else ""
        if same and (same.unit is None or re.search(r"[^\d.,\s]", words)):  # "20 to 30 kg": the unit of 20 is elsewhere
            spans.append((amount.start, amount.end, words))
    for moment in said_moments:
        found = next((g for g in gold_moments if g.kind != "weekday" and _of(moment) == _of(g)), None)
        if found is not None:
            spans.append((moment.start, moment.end, gold[found.start : found.end].rstrip(".")))
    end = len(said) + 1
    for start, stop, words in sorted(spans, reverse=True):
        if stop <= end:
            start += len(said[start:stop]) - len(said[start:stop].lstrip())
            said, end = said[:start] + words + said[stop:], start
    return gold, said


@functools.lru_cache(maxsize=4096)
def _read(text: str) -> tuple[tuple[Quantity, ...], tuple[Moment, ...]]:
    return tuple(amount.said for amount in amounts(text)), tuple(moments(text))


def _same(said: Quantity, gold: Sequence[Quantity], degrees: bool) -> Quantity | None:
    """The amount of the truth that is the answer's; in the answer's own unit where the truth has it."""
    own = [g for g in gold if g.unit == said.unit]
    if own:
        return next((g for g in own if abs(g.value - said.value) <= 1e-6 * abs(g.value)), None)
    if said.unit is None or (said.unit.startswith("deg") and not degrees):
        return None
    away = {i: _apart(said, g) for i, g in enumerate(gold) if g.unit is not None}
    nearest = min(away, key=away.__getitem__, default=None)
    return gold[nearest] if nearest is not None and away[nearest] <= _CONVERTED else None


def _apart(said: Quantity, gold: Quantity) -> float:
    """How far two amounts of different units lie apart, as a share; infinite where they measure different things."""
    wanted = convert(gold.value, gold.unit, said.unit)
    if wanted is None:
        return float("inf")
    return 0.0 if wanted == said.value else abs(said.value - wanted) / max(abs(wanted), 1e-12)


def _of(moment: Moment) -> tuple[object, ...]:
    return astuple(replace(moment, start=0, end=0, denied=False))
