"""A figure with its interval, its number of items, and in words why there is none; many of them from the same draws.

Agreement, accuracy, precision and the like are functions of sums over items: of agreeing pairs, of the cells of a
table. A `Recipe` holds those sums per conversation and the function, so that one set of drawn conversations gives the
intervals of all figures by a few products of matrices. The value itself comes from a library wherever one has it; the
recipe's function only has to give the same for conversations drawn once each, which the tests check.

Intervals: conversations are drawn with replacement (`eval.metrics.intervals.bootstrap`), expanded percentiles. For
Fleiss' kappa and Krippendorff's alpha too the plain bootstrap over units covers best (Zapf et al., BMC Medical Research
Methodology 16:93, 2016). Draws in which a figure is not defined are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eval.metrics.intervals import METHODS as ALL_METHODS
from eval.metrics.intervals import SEED, Interval, Method, bootstrap, no_variation, percentiles

#: What the methods of these intervals are, beside those of `eval.metrics.intervals.METHODS`.
METHODS: dict[Method, str] = {
    **{name: ALL_METHODS[name] for name in ("bootstrap", "no_variation")},
    "asymptotic": "the library's standard error, every item alone",
}
#: Sums of b draws (b, w) → values (b,), NaN where not defined.
Formula = Callable[[np.ndarray], np.ndarray]
#: A draw is of no use to an interval when more of them than this leave the figure undefined.
_MOST_UNDEFINED = 0.5


@dataclass(frozen=True)
class Figure:
    """A figure over `n` items. `value` is None where it is not defined, and `why` says why, in words.

    `asymptotic` is the interval by the library's standard error, only where every item stands alone: it knows nothing
    of conversations. An `interval` of None beside a value says that nearly no draw defines the figure.
    """

    value: float | None
    interval: Interval | None = None
    n: int = 0
    why: str = ""
    asymptotic: Interval | None = None

    def json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @property
    def text(self) -> str:
        """`0.843 [0.790, 0.891]`; in words why there is none."""
        if self.value is None:
            return f"undefined: {self.why}"
        ends = f" [{self.interval.low:.3f}, {self.interval.high:.3f}]" if self.interval else ""
        return f"{self.value:.3f}{ends}"


@dataclass(frozen=True, eq=False)
class Recipe:
    """A figure that is to get an interval.

    `sums` (conversations, w) are added up over drawn conversations and handed to `formula`; several recipes may share
    one array. `low` and `high` are the ends of the figure's scale. Conversations with nothing in them do not count.
    """

    value: float
    n: int
    sums: np.ndarray
    formula: Formula
    low: float = -1.0
    high: float = 1.0
    asymptotic: Interval | None = None


@dataclass(eq=False)
class Figures:
    """Figures of the same conversations while they are made: `add` them by any key, then `made`."""

    conversations: int
    _known: dict[Any, Figure] = field(default_factory=dict)
    _recipes: dict[Any, Recipe] = field(default_factory=dict)

    def add(self, key: Any, found: Figure | Recipe) -> None:
        """Keep a figure that is done (undefined, say), or one that is to get its interval."""
        if isinstance(found, Figure):
            self._known[key] = found
        else:
            self._recipes[key] = found

    def made(self, *, seed: int = SEED, resamples: int | None = None) -> dict[Any, Figure]:
        """All figures, with intervals by the same draws."""
        if not self._recipes:
            return dict(self._known)
        keys, recipes = list(self._recipes), list(self._recipes.values())
        draws = bootstrap(lambda weights: _values(recipes, weights), self.conversations, seed=seed, resamples=resamples)
        found = {key: _figure(recipe, draws[:, i]) for i, (key, recipe) in enumerate(zip(keys, recipes, strict=True))}
        return {**self._known, **found}


def _values(recipes: Sequence[Recipe], weights: np.ndarray) -> np.ndarray:
    """Every recipe's value for every draw (b, recipes). Only conversations that a recipe has anything in are added."""
    sums: dict[int, np.ndarray] = {}
    found = np.empty((len(weights), len(recipes)))
    with np.errstate(divide="ignore", invalid="ignore"):
        for i, recipe in enumerate(recipes):
            if id(recipe.sums) not in sums:
                filled = np.flatnonzero(recipe.sums.any(axis=1))
                part = weights if len(filled) == weights.shape[1] else weights[:, filled]
                sums = {id(recipe.sums): part @ recipe.sums[filled]}
            found[:, i] = recipe.formula(sums[id(recipe.sums)])
    return found


def _figure(recipe: Recipe, draws: np.ndarray) -> Figure:
    conversations = int(recipe.sums.any(axis=1).sum())
    defined = draws[np.isfinite(draws)]
    if len(defined) < (1 - _MOST_UNDEFINED) * len(draws):
        return Figure(recipe.value, None, recipe.n, "too few items for an interval", recipe.asymptotic)
    if conversations < 2 or np.ptp(defined) < 1e-12:
        interval = no_variation(recipe.value, max(conversations, 1), recipe.low, recipe.high)
    else:
        low, high = percentiles(defined, conversations)
        interval = Interval(max(recipe.low, float(low)), min(recipe.high, float(high)), "bootstrap")
    return Figure(recipe.value, interval, recipe.n, "", recipe.asymptotic)


def difference(a: Figure | Recipe, b: Figure | Recipe) -> Figure | Recipe:
    """B − A of a figure of two runs, whose sums are of the same conversations in the same order; undefined where one of
    them is. Conversations are drawn for both at once: what is hard for both says nothing about which is better.
    """
    if isinstance(a, Figure) or isinstance(b, Figure):
        return Figure(None, why=next(one.why for one in (a, b) if isinstance(one, Figure)))
    width = a.sums.shape[1]
    return Recipe(
        b.value - a.value,
        max(a.n, b.n),
        np.hstack([a.sums, b.sums]),
        lambda sums: b.formula(sums[:, width:]) - a.formula(sums[:, :width]),
        b.low - a.high,
        b.high - a.low,
    )


@dataclass(frozen=True)
class Between:
    """One figure of two runs, and B − A with its interval."""

    a: float
    b: float
    interval: Interval


def differences(
    a: Mapping[str, Figure | Recipe], b: Mapping[str, Figure | Recipe], conversations: int
) -> dict[str, Between]:
    """Every figure that two runs have over the same conversations, B − A by the same draws; the others are left out."""
    figures = Figures(conversations)
    sides = {name: (a[name], b[name]) for name in a if name in b}
    for name, (one, other) in sides.items():
        figures.add(name, difference(one, other))
    return {
        name: Between(one.value, other.value, found.interval)
        for name, found in figures.made().items()
        if found.interval and (one := sides[name][0]).value is not None and (other := sides[name][1]).value is not None
    }


def share_of(numerators: np.ndarray, denominators: np.ndarray, why: str) -> Figure | Recipe:
    """A share that is Σ numerators / Σ denominators over conversations (c,) each; undefined, as `why` says, over 0."""
    total = float(denominators.sum())
    if not total:
        return Figure(None, n=0, why=why)
    sums = np.stack([numerators, denominators], axis=1).astype(float)
    return Recipe(float(numerators.sum()) / total, round(total), sums, _ratio, low=0.0)


def _ratio(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def per_conversation(values: np.ndarray, conversation: np.ndarray, conversations: int) -> np.ndarray:
    """Sums of `values` (n, w) within each conversation (conversations, w)."""
    found = np.zeros((conversations, values.shape[1]))
    np.add.at(found, conversation, values)
    return found


def numbered(names: Sequence[str]) -> tuple[np.ndarray, int]:
    """Which conversation each item belongs to, as whole numbers from 0 (n,), and how many there are."""
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    return np.array([codes[name] for name in names], np.int64), len(codes)


def label_columns(labels: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    """Label → its value on each item, None where the item has none; labels that no item carries are left out."""
    names = dict.fromkeys(name for found in labels for name, value in found.items() if value is not None)
    return {name: [found.get(name) for found in labels] for name in names}
