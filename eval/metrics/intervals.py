"""Intervals for figures over turns that come in conversations: what one conversation gets right is not independent.

Three methods, each under its name in `METHODS`; all are clustered by conversation, at 95 %:

- `wilson`: shares (accuracy, missing, hallucination rate). Wilson's interval with the effective number of turns, which
  is n divided by the design effect of the clustering (Korn and Graubard, Survey Methodology 24, 1998), never above n.
- `clustered`: means of −1, 0 and 1 in slices. The linearised variance of a ratio of sums over conversations, times
  Student's t with one degree less than there are conversations (Cochran, Sampling Techniques, chapter 6).
- `bootstrap`: figures with a rule of their own, such as the stopped conversation mean. Conversations are drawn with
  replacement from a seeded generator; expanded percentiles (Hesterberg, The American Statistician 69, 2015) correct for
  few conversations.

Conversations that ask the same question, such as under several scenarios, are no more independent than turns of one:
where they are told by `cluster`, what they add up to counts as one conversation.

Where no two conversations differ nothing varies, and a width of zero would be a lie: then `no_variation` bounds the
share of conversations that may differ from those seen, 1 − 0.025^(1/c), and lets them lie at the end of the scale.
Not covered: uncertainty of the judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

Method = Literal["wilson", "clustered", "bootstrap", "no_variation", "asymptotic", "posterior"]

CONFIDENCE = 0.95
SEED = 20251026
METHODS: dict[Method, str] = {
    "wilson": "Wilson, by the effective number of turns (clustered by conversation)",
    "clustered": "clustered standard error by conversation, Student's t",
    "bootstrap": f"bootstrap over conversations (seed {SEED}), expanded percentiles",
    "no_variation": "no two conversations differ: bound on the share that may",
}
_TAIL = (1 - CONFIDENCE) / 2
#: Draws are made in blocks of about so many numbers, to bound memory.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class Interval:
    """A 95 % interval and the method it was made by."""

    low: float
    high: float
    method: Method

    def json(self) -> dict[str, Any]:
        return {"low": self.low, "high": self.high, "method": self.method}


def resamples_for(conversations: int) -> int:
    """How often to draw: 2,000 times, 1,000 above 5,000 conversations, where each draw says more."""
    return 2000 if conversations <= 5000 else 1000


def bootstrap(
    statistic: Callable[[np.ndarray], np.ndarray],
    conversations: int,
    *,
    seed: int = SEED,
    resamples: int | None = None,
) -> np.ndarray:
    """Values of `statistic` over resampled conversations, (resamples, ...).

    Args:
        statistic: weights (b, conversations), how often each conversation was drawn → b values, or (b, m) of them.
        conversations: how many there are; at least 1.
    """
    rng = np.random.default_rng(seed)
    left = resamples or resamples_for(conversations)
    block = max(1, _BLOCK // conversations)
    parts = []
    while left > 0:
        b = min(block, left)
        drawn = rng.integers(0, conversations, size=(b, conversations))
        drawn += np.arange(b)[:, None] * conversations
        weights = np.bincount(drawn.ravel(), minlength=b * conversations).reshape(b, conversations)
        parts.append(statistic(weights.astype(np.float64)))
        left -= b
    return np.concatenate(parts)


def percentiles(draws: np.ndarray, conversations: int) -> tuple[np.ndarray, np.ndarray]:
    """The expanded percentile interval of bootstrap draws (resamples, ...): its two ends."""
    from scipy.special import ndtr, stdtrit

    freedom = max(conversations - 1, 1)
    tail = float(ndtr(-math.sqrt(conversations / freedom) * stdtrit(freedom, 1 - _TAIL)))
    low, high = np.nanquantile(draws, [tail, 1 - tail], axis=0)
    return low, high


@dataclass(frozen=True, eq=False)
class Ratio:
    """A figure that is Σ numerators / Σ denominators over conversations (c,) each; its scale is `low` to `high`."""

    numerators: np.ndarray
    denominators: np.ndarray
    low: float
    high: float


def clustered_sums(values: np.ndarray, cluster: np.ndarray | None) -> np.ndarray:
    """Values (c,) of conversations added up within each cluster (k,); as they are where each is its own (None)."""
    return values if cluster is None else np.bincount(cluster, values)


def ratio_intervals(
    ratios: Mapping[str, Ratio], *, cluster: np.ndarray | None = None, seed: int = SEED
) -> dict[str, Interval]:
    """Bootstrap intervals for several figures of the same conversations, by the same draws; {} without any."""
    ratios = {
        name: replace(
            ratio,
            numerators=clustered_sums(ratio.numerators, cluster),
            denominators=clustered_sums(ratio.denominators, cluster),
        )
        for name, ratio in ratios.items()
    }
    conversations = len(next(iter(ratios.values())).numerators) if ratios else 0
    if not conversations:
        return {}
    found, varied = {}, {}
    for name, ratio in ratios.items():
        each = ratio.numerators / ratio.denominators
        if np.ptp(each) < 1e-12:
            found[name] = no_variation(float(each[0]), conversations, ratio.low, ratio.high)
        else:
            varied[name] = ratio
    if varied:
        top = np.stack([ratio.numerators for ratio in varied.values()], axis=1).astype(float)
        bottom = np.stack([ratio.denominators for ratio in varied.values()], axis=1).astype(float)
        draws = bootstrap(lambda weights: (weights @ top) / (weights @ bottom), conversations, seed=seed)
        for (name, ratio), low, high in zip(varied.items(), *percentiles(draws, conversations), strict=True):
            found[name] = Interval(max(ratio.low, float(low)), min(ratio.high, float(high)), "bootstrap")
    return {name: found[name] for name in ratios}


def no_variation(value: float, conversations: int, low: float, high: float) -> Interval:
    """Bounds where all conversations have the same value: those not seen may lie at an end of the scale."""
    share = 1 - _TAIL ** (1 / conversations)
    return Interval(value - share * (value - low), value + share * (high - value), "no_variation")


def wilson(share: float, effective_n: float) -> Interval:
    """Wilson's score interval for a share seen in `effective_n` independent turns (need not be whole)."""
    from scipy.special import ndtri

    z2 = float(ndtri(1 - _TAIL)) ** 2
    centre = (share + z2 / (2 * effective_n)) / (1 + z2 / effective_n)
    half = math.sqrt(z2 * (share * (1 - share) / effective_n + z2 / (4 * effective_n**2))) / (1 + z2 / effective_n)
    low = 0.0 if share == 0 else max(0.0, centre - half)
    return Interval(low, 1.0 if share == 1 else min(1.0, centre + half), "wilson")


def share_interval(share: float, variance: float, turns: int, conversations: int) -> Interval:
    """Wilson's interval for a share whose clustered variance is known.

    Where the share is 0 or 1 the data say nothing about the clustering: the effective number is then that of the
    conversations, as if each were one turn.
    """
    if variance <= 0:
        return wilson(share, conversations if share in (0.0, 1.0) else turns)
    return wilson(share, min(turns, max(1.0, share * (1 - share) / variance)))


def clustered_interval(mean: float, variance: float, conversations: int, low: float, high: float) -> Interval:
    """Mean ± t × clustered standard error, kept between `low` and `high`."""
    from scipy.special import stdtrit

    if conversations < 2 or variance <= 0:
        return no_variation(mean, conversations, low, high)
    half = float(stdtrit(conversations - 1, 1 - _TAIL)) * math.sqrt(variance)
    return Interval(max(low, mean - half), min(high, mean + half), "clustered")


def share_of_sums(hits: np.ndarray, items: np.ndarray, cluster: np.ndarray | None = None) -> tuple[float, Interval]:
    """A share Σ hits / Σ items over conversations (c,) each, and its interval; at least one item."""
    top, bottom = clustered_sums(hits, cluster), clustered_sums(items, cluster)
    kept = bottom > 0
    top, bottom = top[kept], bottom[kept]
    share, variance, _ = ratio_variance(top, bottom, np.zeros(len(top), np.int64), 1)
    return float(share[0]), share_interval(float(share[0]), float(variance[0]), round(float(bottom.sum())), len(top))


def ratio_variance(
    numerators: np.ndarray, denominators: np.ndarray, group: np.ndarray, groups: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ratios of sums and their clustered variances, many groups at once.

    Args:
        numerators, denominators: sums of one conversation within one group, (p,) each.
        group: which group each belongs to, (p,).

    Returns:
        Ratio (groups,), its linearised variance (0 with one conversation), conversations in each group.
    """
    top = np.bincount(group, numerators, groups)
    bottom = np.bincount(group, denominators, groups)
    counts = np.bincount(group, minlength=groups)
    ratio = np.divide(top, bottom, out=np.zeros(groups), where=bottom > 0)
    residual = numerators - ratio[group] * denominators
    spread = np.bincount(group, residual**2, groups)
    spread[spread < 1e-18] = 0.0
    factor = np.divide(counts, counts - 1, out=np.zeros(groups), where=counts > 1)
    return ratio, np.divide(spread * factor, bottom**2, out=np.zeros(groups), where=bottom > 0), counts
