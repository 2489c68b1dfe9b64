"""How far people agree who labelled the same items: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

Ratings are item → annotator → label, with as many gaps as there are. The figures are those of statsmodels (both kappas)
and krippendorff; ours is the shape, the intervals (`eval.metrics.figures`) and what is not defined, which is None with
a reason in words: nothing labelled, one annotator, no item in common, one class alone.

- Raw agreement: the share of pairs of labels of one item that are equal.
- Cohen's kappa (Educational and Psychological Measurement 20, 1960) is of two people, over the items both labelled;
  weighted, a disagreement counts by its distance in the order of the labels (Psychological Bulletin 70, 1968).
- Fleiss' kappa (Psychological Bulletin 76, 1971) wants as many labels on every item: it is over the items that have the
  commonest number of them, two or more.
- Krippendorff's alpha (Content Analysis, chapter 12) takes any gaps; `ordinal` by the order of the labels.

Not covered: who is right. A person's figures say how far others agree with them.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from eval.metrics.figures import (
    METHODS,
    Figure,
    Figures,
    Formula,
    Recipe,
    label_columns,
    numbered,
    per_conversation,
    share_of,
)
from eval.metrics.intervals import SEED
from eval.metrics.kappa import WEIGHTS, Weights, kappa
from eval.metrics.public import GRADES
from eval.metrics.slices import LEAST_TURNS, label_text

#: Item → annotator → label.
Ratings = Mapping[str, Mapping[str, str]]
Level = Literal["nominal", "ordinal"]

#: CRAG's four grades, from the worst to the best.
ORDERED = tuple(sorted(GRADES, key=GRADES.__getitem__))
LEVELS: tuple[Level, ...] = ("nominal", "ordinal")


@dataclass(frozen=True)
class Person:
    """One annotator: labels given, items that others labelled too, how often which label.

    `raw` and `kappa` compare this person's label with every other label of the same item (Cohen's kappa of the pooled
    pairs); `alpha_without` is everybody's nominal alpha without this person, higher where the person is the odd one.
    """

    n: int
    n_shared: int
    given: Mapping[str, int]
    raw: Figure
    kappa: Figure
    alpha_without: Figure


@dataclass(frozen=True)
class Pair:
    """Two annotators over the items that both labelled; `cohen` by weights."""

    a: str
    b: str
    n: int
    raw: Figure
    cohen: Mapping[Weights, Figure]


@dataclass(frozen=True)
class Slice:
    """The items with one value of a label; `few` marks those with fewer than 30 items that two people labelled."""

    n: int
    n_shared: int
    few: bool
    raw: Figure
    alpha: Figure


@dataclass(frozen=True)
class Agreement:
    """Agreement over all items, per person, per pair and per slice (label → value → slice).

    `n_shared` items were labelled by two people or more. `fleiss_labels` is how many labels each of the items has that
    Fleiss' kappa is over, 0 where there are none. `cohen` is of the only two annotators there are.
    """

    n_items: int
    n_shared: int
    n_labels: int
    n_conversations: int
    given: Mapping[str, int]
    raw: Figure
    cohen: Mapping[Weights, Figure]
    fleiss: Figure
    fleiss_labels: int
    alpha: Mapping[Level, Figure]
    people: Mapping[str, Person]
    pairs: tuple[Pair, ...]
    slices: Mapping[str, Mapping[str, Slice]]

    def json(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "methods": METHODS}


def agreement(
    ratings: Ratings,
    *,
    order: Sequence[str] = ORDERED,
    conversations: Mapping[str, str] | None = None,
    labels: Mapping[str, Mapping[str, object]] | None = None,
    seed: int = SEED,
    resamples: int | None = None,
) -> Agreement:
    """All figures of agreement.

    Args:
        ratings: item → annotator → label; items nobody labelled do not count.
        order: the labels from one end to the other, for what is weighted or ordinal.
        conversations: item → conversation, which are what is drawn for the intervals; without, items are.
        labels: item → label → value, to slice by.
        resamples: draws; 2,000 by default, 1,000 above 5,000 conversations.
    """
    table = _Table.of(ratings, order, conversations)
    figures = Figures(table.conversations)
    everything = np.ones(len(table.counts), bool)
    figures.add("raw", _raw(table.counts, everything, table))
    figures.add("fleiss", _fleiss(table))
    for level in LEVELS:
        figures.add(level, _alpha(table.counts, everything, table, level))
    two = _two(table)
    for weights in WEIGHTS:
        figures.add(weights, two if isinstance(two, Figure) else _cohen(*two, table, weights))
    shared = table.counts.sum(axis=1) >= 2
    pairs = _add_pairs(figures, table)
    _add_people(figures, table)
    kept = _add_slices(figures, table, [(labels or {}).get(item, {}) for item in table.items])
    made = figures.made(seed=seed, resamples=resamples)
    return Agreement(
        n_items=len(table.items),
        n_shared=int(shared.sum()),
        n_labels=int(table.counts.sum()),
        n_conversations=table.conversations,
        given=table.given(table.codes),
        raw=made["raw"],
        cohen={weights: made[weights] for weights in WEIGHTS},
        fleiss=made["fleiss"],
        fleiss_labels=_commonest(table.counts),
        alpha={level: made[level] for level in LEVELS},
        people={
            name: Person(
                n=int((table.codes[:, p] >= 0).sum()),
                n_shared=int((shared & (table.codes[:, p] >= 0)).sum()),
                given=table.given(table.codes[:, p]),
                **{part: made["person", p, part] for part in ("raw", "kappa", "alpha_without")},
            )
            for p, name in enumerate(table.people)
        },
        pairs=tuple(
            Pair(table.people[a], table.people[b], n, made[a, b, "raw"], {w: made[a, b, w] for w in WEIGHTS})
            for (a, b), n in pairs.items()
        ),
        slices={
            label: {
                text: Slice(
                    n=int(keep.sum()),
                    n_shared=int((keep & shared).sum()),
                    few=int((keep & shared).sum()) < LEAST_TURNS,
                    raw=made["slice", label, text, "raw"],
                    alpha=made["slice", label, text, "alpha"],
                )
                for text, keep in values.items()
            }
            for label, values in kept.items()
        },
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Ratings as columns: `codes` (items, people) of label numbers, −1 for a gap; `counts` (items, labels)."""

    items: tuple[str, ...]
    people: tuple[str, ...]
    domain: tuple[str, ...]
    unordered: tuple[str, ...]
    codes: np.ndarray
    counts: np.ndarray
    conversation: np.ndarray
    conversations: int
    alone: bool

    @classmethod
    def of(cls, ratings: Ratings, order: Sequence[str], conversations: Mapping[str, str] | None) -> _Table:
        items = tuple(item for item, given in ratings.items() if given)
        people = tuple(sorted({name for item in items for name in ratings[item]}))
        used = {label for item in items for label in ratings[item].values()}
        unordered = tuple(sorted(used - set(order)))
        domain = (*order, *unordered)
        at, who = ({name: i for i, name in enumerate(names)} for names in (domain, people))
        codes = np.full((len(items), len(people)), -1, np.int64)
        for i, item in enumerate(items):
            for name, label in ratings[item].items():
                codes[i, who[name]] = at[label]
        counts = (codes[:, :, None] == np.arange(len(domain))).sum(axis=1)
        group, groups = numbered([(conversations or {}).get(item, f"\0{item}") for item in items])
        return cls(items, people, domain, unordered, codes, counts, group, groups, groups == len(items))

    def sums(self, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """`values` (rows, w) of the items `rows` added up per conversation."""
        return per_conversation(values, self.conversation[rows], self.conversations)

    def given(self, codes: np.ndarray) -> dict[str, int]:
        """Label → how often it was given, in their order; those never given are left out."""
        found = Counter(codes[codes >= 0].tolist())
        return {name: found[code] for code, name in enumerate(self.domain) if found[code]}


def _raw(counts: np.ndarray, keep: np.ndarray, table: _Table) -> Figure | Recipe:
    """The share of equal pairs of labels among the items of `keep`."""
    rows = np.flatnonzero(keep)
    if why := _no_pairs(counts[rows], table):
        return Figure(None, why=why)
    each = counts[rows]
    values = np.stack([(each * (each - 1)).sum(axis=1), each.sum(axis=1) * (each.sum(axis=1) - 1)], axis=1)
    sums = table.sums(values, rows)
    return _over_items(share_of(sums[:, 0], sums[:, 1], ""), each)


def _equal(sums: np.ndarray) -> Figure | Recipe:
    return share_of(sums[:, 0], sums[:, 1], "")


def _over_items(found: Figure | Recipe, counts: np.ndarray) -> Figure | Recipe:
    """The same with the items that two people labelled as its n."""
    return dataclasses.replace(found, n=int((counts.sum(axis=1) >= 2).sum()))


def _no_pairs(counts: np.ndarray, table: _Table) -> str:
    """Why nothing can be compared; "" where something can."""
    if not counts.sum():
        return "nothing was labelled"
    if len(table.people) < 2:
        return "only one person labelled"
    return "" if (counts.sum(axis=1) >= 2).any() else "no item was labelled by two people"


def _one_class(counts: np.ndarray, table: _Table) -> str:
    """Why agreement beyond chance is not defined where only one label was given; "" where several were."""
    used = np.flatnonzero(counts.sum(axis=0))
    if len(used) != 1:
        return ""
    return f"every label is {table.domain[used[0]]!r}: beyond chance there is nothing to agree on"


def _fleiss(table: _Table) -> Figure | Recipe:
    from statsmodels.stats.inter_rater import fleiss_kappa

    m = _commonest(table.counts)
    rows = np.flatnonzero(table.counts.sum(axis=1) == m)
    each = table.counts[rows]
    if why := _no_pairs(table.counts, table) or _one_class(each, table):
        return Figure(None, why=why)
    alike = (each * (each - 1)).sum(axis=1) / (m * (m - 1))
    sums = table.sums(np.column_stack([each / m, alike, np.ones(len(rows))]), rows)

    def formula(drawn: np.ndarray) -> np.ndarray:
        shares = drawn[:, :-1] / drawn[:, -1:]
        chance = (shares[:, :-1] ** 2).sum(axis=1)
        return _beyond_chance(shares[:, -1], chance)

    return Recipe(float(fleiss_kappa(each)), len(rows), sums, formula)


def _beyond_chance(agreed: np.ndarray, chance: np.ndarray) -> np.ndarray:
    return np.where(chance < 1 - 1e-12, (agreed - chance) / (1 - chance), np.nan)


def _commonest(counts: np.ndarray) -> int:
    """The commonest number of labels on an item, two or more, the larger of two; 0 where no item has two."""
    found = Counter(int(n) for n in counts.sum(axis=1) if n >= 2)
    return max(found, key=lambda n: (found[n], n)) if found else 0


def _alpha(counts: np.ndarray, keep: np.ndarray, table: _Table, level: Level) -> Figure | Recipe:
    from krippendorff import alpha

    rows = np.flatnonzero(keep & (counts.sum(axis=1) >= 2))
    each = counts[rows]
    if why := _no_pairs(counts[keep], table) or _one_class(each, table) or _no_order(table, level == "ordinal"):
        return Figure(None, why=why)
    k = len(table.domain)
    coincidences = each[:, :, None] * each[:, None, :] - each[:, :, None] * np.eye(k)
    coincidences = coincidences / (each.sum(axis=1) - 1)[:, None, None]
    sums = table.sums(coincidences.reshape(len(rows), k * k), rows)
    value = float(alpha(value_counts=each, level_of_measurement=level))
    return Recipe(value, len(rows), sums, _alpha_formula(k, level))


def _alpha_formula(k: int, level: Level) -> Formula:
    """Alpha of coincidences (b, k²); the ordinal distance counts the values between the middles of two labels."""

    def formula(drawn: np.ndarray) -> np.ndarray:
        seen = drawn.reshape(-1, k, k)
        each = seen.sum(axis=1)
        total = each.sum(axis=1)
        expected = (each[:, :, None] * each[:, None, :] - each[:, :, None] * np.eye(k)) / (total - 1)[:, None, None]
        middle = np.cumsum(each, axis=1) - each / 2
        far = (middle[:, :, None] - middle[:, None, :]) ** 2 if level == "ordinal" else 1 - np.eye(k)
        chance = (expected * far).sum(axis=(1, 2))
        return np.where(chance > 1e-12, 1 - (seen * far).sum(axis=(1, 2)) / chance, np.nan)

    return formula


def _no_order(table: _Table, wanted: bool) -> str:
    return f"{table.unordered[0]!r} has no place in the order of the labels" if wanted and table.unordered else ""


def _two(table: _Table) -> Figure | tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The items and labels of the only two annotators, or why there is no such thing."""
    if why := _no_pairs(table.counts, table):
        return Figure(None, why=why)
    if len(table.people) > 2:
        return Figure(None, why=f"{len(table.people)} people labelled and Cohen's kappa is of two: see the pairs")
    return _both(table, 0, 1)


def _both(table: _Table, a: int, b: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The items that two people both labelled, and their labels of them."""
    rows = np.flatnonzero((table.codes[:, a] >= 0) & (table.codes[:, b] >= 0))
    return rows, table.codes[rows, a], table.codes[rows, b]


def _cohen(
    rows: np.ndarray, one: np.ndarray, two: np.ndarray, table: _Table, weights: Weights, sums: np.ndarray | None = None
) -> Figure | Recipe:
    """Cohen's kappa of labels `one` and `two` of the items `rows`, which may come several times."""
    k = len(table.domain)
    if why := _no_order(table, weights != "none"):
        return Figure(None, why=why)
    sums = table.sums(_cells(one, two, k), rows) if sums is None else sums
    return kappa(sums, k, weights, alone=table.alone and len(set(rows.tolist())) == len(rows), names=table.domain)


def _cells(one: np.ndarray, two: np.ndarray, k: int) -> np.ndarray:
    return np.eye(k * k)[one * k + two]


def _add_pairs(figures: Figures, table: _Table) -> dict[tuple[int, int], int]:
    """The figures of every two people who labelled an item in common; the pairs and how many items those are."""
    found, k = {}, len(table.domain)
    for a in range(len(table.people)):
        for b in range(a + 1, len(table.people)):
            rows, one, two = _both(table, a, b)
            if not len(rows):
                continue
            found[a, b] = len(rows)
            alike = np.column_stack([one == two, np.ones(len(rows))])
            figures.add((a, b, "raw"), _equal(table.sums(alike, rows)))
            sums = table.sums(_cells(one, two, k), rows)
            for weights in WEIGHTS:
                figures.add((a, b, weights), _cohen(rows, one, two, table, weights, sums))
    return found


def _add_people(figures: Figures, table: _Table) -> None:
    for p in range(len(table.people)):
        others = [_both(table, p, other) for other in range(len(table.people)) if other != p]
        rows, one, two = (np.concatenate(part) for part in zip(*others, strict=True)) if others else [_NONE] * 3
        if len(rows):
            sums = table.sums(np.column_stack([one == two, np.ones(len(rows))]), rows)
            n = len(set(rows.tolist()))
            figures.add(("person", p, "raw"), dataclasses.replace(_equal(sums), n=n))
            figures.add(("person", p, "kappa"), dataclasses.replace(_cohen(rows, one, two, table, "none"), n=n))
        else:
            nobody = Figure(None, why="nobody else labelled any of these items")
            figures.add(("person", p, "raw"), nobody)
            figures.add(("person", p, "kappa"), nobody)
        without = table.counts - (table.codes[:, p, None] == np.arange(len(table.domain)))
        everything = np.ones(len(without), bool)
        left = len(table.people) > 2 and bool((without.sum(axis=1) >= 2).any())
        nobody = Figure(None, why="without this person no item has two labels")
        figures.add(("person", p, "alpha_without"), _alpha(without, everything, table, "nominal") if left else nobody)


_NONE = np.zeros(0, np.int64)


def _add_slices(
    figures: Figures, table: _Table, labels: Sequence[Mapping[str, object]]
) -> dict[str, dict[str, np.ndarray]]:
    """The figures of every slice; label → value → which items (n,), the most frequent value first."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for label, column in label_columns(labels).items():
        texts = np.array(["" if value is None else label_text(value) for value in column], object)
        known = np.array([value is not None for value in column], bool)
        for text, _ in Counter(texts[known].tolist()).most_common():
            keep = known & (texts == text)
            found.setdefault(label, {})[text] = keep
            figures.add(("slice", label, text, "raw"), _raw(table.counts, keep, table))
            figures.add(("slice", label, text, "alpha"), _alpha(table.counts, keep, table, "nominal"))
    return found
