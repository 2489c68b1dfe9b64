"""Before a run: the smallest difference that so many turns can show, how many calls it takes, what it costs.

Power is 80 % at a two-sided 5 % level. **Paired** (the same questions under both runs, which `eval compare` does): only
turns on which the two differ count; with a share d of such turns a difference δ in accuracy needs
n = (z₁₋α⸝₂ √d + z₁₋β √(d − δ²))² / δ² turns (Connor, Biometrics 43, 1987), solved for δ here. **Unpaired** (other
questions): δ = (z₁₋α⸝₂ + z₁₋β) √(2 p (1 − p) / n). Turns of a conversation are not independent: n is divided by the
design effect 1 + (m − 1) ρ, m turns a conversation. The assumptions are arguments, and are returned with the figures.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

_Z_ALPHA, _Z_BETA = 1.959963984540054, 0.8416212335729143


@dataclass(frozen=True)
class Assumptions:
    """What has to be guessed before a run. Defaults: near the published systems, half of the published accuracy range.

    `accuracy`, `hallucination`: shares of turns. `changed`: share of turns on which two runs differ in being right.
    `correlation`: of turns within a conversation (ρ).
    """

    accuracy: float = 0.4
    hallucination: float = 0.3
    changed: float = 0.2
    correlation: float = 0.1


@dataclass(frozen=True)
class Prices:
    """What a call takes. Tokens a call; money per million tokens, 0 where the model is one's own; seconds a turn.

    `judged`: share of turns that a judge is asked about: not refusals, not exact matches.
    """

    calls_per_turn: float = 1.0
    input_tokens: int = 1500
    output_tokens: int = 75
    per_million_input: float = 0.0
    per_million_output: float = 0.0
    judge_calls_per_turn: float = 0.0
    judge_input_tokens: int = 1800
    judge_output_tokens: int = 60
    judge_per_million_input: float = 0.0
    judge_per_million_output: float = 0.0
    judged: float = 0.7
    seconds_per_turn: float | None = None


def detectable(n_turns: int, n_conversations: int, assumed: Assumptions | None = None) -> dict[str, float | None]:
    """The smallest differences that can be shown, as shares (0.05 is five points); None where nothing can be.

    Returns:
        `paired_accuracy`, `paired_truthfulness`, `unpaired_accuracy`, `unpaired_truthfulness`, `effective_turns`.
    """
    assumed = assumed or Assumptions()
    if n_turns < 1 or n_conversations < 1:
        return dict.fromkeys((*_FIGURES, "effective_turns"))
    n = n_turns / (1 + (n_turns / n_conversations - 1) * assumed.correlation)
    p, h, d = assumed.accuracy, assumed.hallucination, assumed.changed
    spread = p + h - (p - h) ** 2
    both = _Z_ALPHA + _Z_BETA
    # A turn that changes moves truthfulness by 1 (to or from "I don't know") or by 2: squared, 2.5 on average.
    paired_truth = both * math.sqrt(2.5 * d / n)
    figures = {
        "paired_accuracy": _connor(n, d),
        "paired_truthfulness": paired_truth if paired_truth <= 2 * d else None,
        "unpaired_accuracy": _within(both * math.sqrt(2 * p * (1 - p) / n)),
        "unpaired_truthfulness": _within(both * math.sqrt(2 * spread / n), 2.0),
    }
    return {**figures, "effective_turns": n}


_FIGURES = ("paired_accuracy", "paired_truthfulness", "unpaired_accuracy", "unpaired_truthfulness")


def _connor(n: float, d: float) -> float | None:
    """The δ at which Connor's formula asks for n turns; None when even δ = d, all changes one way, needs more."""

    def needed(delta: float) -> float:
        return (_Z_ALPHA * math.sqrt(d) + _Z_BETA * math.sqrt(max(0.0, d - delta**2))) ** 2 / delta**2

    if d <= 0 or needed(d) > n:
        return None
    low, high = 1e-9, d
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if needed(middle) > n else (low, middle)
    return high


def _within(difference: float, most: float = 1.0) -> float | None:
    return difference if difference <= most else None


def estimate(
    n_turns: int,
    n_conversations: int,
    *,
    assumed: Assumptions | None = None,
    prices: Prices | None = None,
    concurrency: int = 1,
) -> dict[str, Any]:
    """What a run of this size can show and takes.

    Returns:
        `{"n_turns", "n_conversations", "detectable": {...}, "assumed": {...}, "calls", "judge_calls", "tokens",
        "cost", "hours"}`; `cost` is in the currency of the prices, `hours` None when no time a turn is known.
    """
    prices = prices or Prices()
    calls = n_turns * prices.calls_per_turn
    judge_calls = n_turns * prices.judge_calls_per_turn * prices.judged
    money = calls * (
        prices.input_tokens * prices.per_million_input + prices.output_tokens * prices.per_million_output
    ) + judge_calls * (
        prices.judge_input_tokens * prices.judge_per_million_input
        + prices.judge_output_tokens * prices.judge_per_million_output
    )
    seconds = prices.seconds_per_turn
    return {
        "n_turns": n_turns,
        "n_conversations": n_conversations,
        "detectable": detectable(n_turns, n_conversations, assumed),
        "assumed": asdict(assumed or Assumptions()),
        "calls": round(calls),
        "judge_calls": round(judge_calls),
        "tokens": round(
            calls * (prices.input_tokens + prices.output_tokens)
            + judge_calls * (prices.judge_input_tokens + prices.judge_output_tokens)
        ),
        "cost": money / 1e6,
        "hours": None if seconds is None else n_turns * seconds / max(1, concurrency) / 3600,
    }
