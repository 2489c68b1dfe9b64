"""Cohen's kappa from tables of two raters: the value by statsmodels, and the recipe of its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from eval.metrics.figures import Figure, Recipe
from eval.metrics.intervals import Interval

Weights = Literal["none", "linear", "quadratic"]

WEIGHTS: tuple[Weights, ...] = ("none", "linear", "quadratic")
_Z = 1.959963984540054


def kappa(sums: np.ndarray, k: int, weights: Weights, *, alone: bool, names: Sequence[str]) -> Figure | Recipe:
    """Cohen's kappa of tables (conversations, k²) that add up to the table of two raters, as statsmodels has it.

    Args:
        alone: whether every item stands alone, so that the library's standard error holds (Fleiss, Cohen and Everitt,
            Psychological Bulletin 72, 1969).
        names: the k labels, in their order where `weights` is not "none".
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    whole = sums.sum(axis=0).reshape(k, k)
    n = round(float(whole.sum()))
    if not n:
        return Figure(None, why="no item was labelled by two people")
    far = _distances(k, weights)
    ones, twos = whole.sum(axis=1), whole.sum(axis=0)
    if not (np.outer(ones, twos) * far).any():
        name = names[int(np.argmax(ones))]
        return Figure(None, n=n, why=f"both sides say {name!r} every time: beyond chance there is nothing to agree on")
    with np.errstate(divide="ignore", invalid="ignore"):
        found = cohens_kappa(whole, weights=None if weights == "none" else far)
    value, variance = float(found.kappa), float(found.var_kappa)
    asymptotic = None
    if alone and variance > 1e-15:
        half = _Z * variance**0.5
        asymptotic = Interval(max(-1.0, value - half), min(1.0, value + half), "asymptotic")
    return Recipe(value, n, sums, _kappa_formula(far), asymptotic=asymptotic)


def _distances(k: int, weights: Weights) -> np.ndarray:
    """How much a disagreement counts (k, k): all of it, or by the distance in the order, at most 1."""
    if weights == "none":
        return 1 - np.eye(k)
    far = np.abs(np.arange(k)[:, None] - np.arange(k)) / max(k - 1, 1)
    return far if weights == "linear" else far**2


def _kappa_formula(far: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    def formula(drawn: np.ndarray) -> np.ndarray:
        tables = drawn.reshape(-1, *far.shape)
        total = tables.sum(axis=(1, 2))
        chance = np.einsum("bi,bj,ij->b", tables.sum(axis=2), tables.sum(axis=1), far) / total
        return np.where(chance > 1e-12, 1 - (tables * far).sum(axis=(1, 2)) / chance, np.nan)

    return formula
