"""Agreement: the libraries' figures and second formulas for them, textbook examples, intervals, what is not defined."""

from __future__ import annotations

import json

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from eval.metrics.agreement import ORDERED, Agreement, agreement
from eval.metrics.figures import Figures

FEW = 200


def drawn(seed: int, items: int, people: int, *, noise: float = 0.4, gaps: float = 0.0) -> dict[str, dict[str, str]]:
    """Random ratings: everybody sees the item's grade, or with `noise` any."""
    rng = np.random.default_rng(seed)
    found: dict[str, dict[str, str]] = {}
    for i in range(items):
        truth = rng.integers(4)
        given = {
            f"p{p}": ORDERED[int(truth if rng.random() > noise else rng.integers(4))]
            for p in range(people)
            if rng.random() >= gaps
        }
        found[f"i{i}"] = given
    return found


def codes(ratings: dict[str, dict[str, str]], people: int) -> np.ndarray:
    """Annotators by items, NaN for a gap: the shape that krippendorff documents first."""
    at = {name: i for i, name in enumerate(ORDERED)}
    return np.array([
        [at[given[f"p{p}"]] if f"p{p}" in given else np.nan for given in ratings.values()] for p in range(people)
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_two_people_as_scikit_learn_has_it(seed):
    ratings = drawn(seed, 60, 2)
    one, two = ([given[name] for given in ratings.values()] for name in ("p0", "p1"))
    found = agreement(ratings, resamples=FEW)
    for weights in ("none", "linear", "quadratic"):
        expected = cohen_kappa_score(one, two, labels=list(ORDERED), weights=None if weights == "none" else weights)
        assert found.cohen[weights].value == pytest.approx(expected, abs=1e-12)
        assert found.pairs[0].cohen[weights].value == pytest.approx(expected, abs=1e-12)
    assert found.raw.value == pytest.approx(np.mean([a == b for a, b in zip(one, two, strict=True)]))


@pytest.mark.parametrize("gaps", [0.0, 0.5])
def test_alpha_as_the_library_has_it_from_the_other_shape(gaps):
    ratings = drawn(4, 50, 5, gaps=gaps)
    found = agreement(ratings, resamples=FEW)
    for level in ("nominal", "ordinal"):
        expected = krippendorff.alpha(codes(ratings, 5), value_domain=range(4), level_of_measurement=level)
        assert found.alpha[level].value == pytest.approx(expected, abs=1e-12)


def test_krippendorffs_own_example():
    """Content Analysis, chapter 12: four observers, twelve units, gaps; nominal 0.743, ordinal 0.815."""
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    ratings = {f"u{u}": {f"o{o}": str(row[u]) for o, row in enumerate(table) if row[u] is not None} for u in range(12)}
    found = agreement(ratings, order=list("12345"), resamples=FEW)
    assert round(found.alpha["nominal"].value or 0, 3) == 0.743
    assert round(found.alpha["ordinal"].value or 0, 3) == 0.815
    assert found.n_shared == 11


def test_fleiss_own_kind_of_example_by_hand():
    """Three people, four items. Pairs alike: 3, 1, 1, 3 of 3; half of the labels are a."""
    rows = ["aaa", "aab", "abb", "bbb"]
    ratings = {f"i{i}": {f"p{p}": label for p, label in enumerate(row)} for i, row in enumerate(rows)}
    found = agreement(ratings, order="ab", resamples=FEW)
    observed, chance = (1 + 1 / 3 + 1 / 3 + 1) / 4, (6 / 12) ** 2 + (6 / 12) ** 2
    assert found.fleiss.value == pytest.approx((observed - chance) / (1 - chance))
    assert found.raw.value == pytest.approx(8 / 12)
    assert found.fleiss_labels == 3
    assert found.fleiss.n == 4


def test_fleiss_takes_the_items_with_the_commonest_number_of_labels():
    ratings = drawn(7, 30, 3)
    whole = agreement(ratings, resamples=FEW).fleiss
    more = {**ratings, **{f"x{i}": {"p0": "missing", "p1": "perfect"} for i in range(9)}}
    assert agreement(more, resamples=FEW).fleiss.value == whole.value


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_what_is_drawn_is_what_the_libraries_figure_is_of(gaps, monkeypatch):
    """Every formula behind an interval gives the library's value when each conversation is drawn once."""
    seen: list[Figures] = []
    made = Figures.made
    monkeypatch.setattr(Figures, "made", lambda self, **options: seen.append(self) or made(self, **options))
    ratings = drawn(11, 80, 4, gaps=gaps)
    agreement(ratings, labels={item: {"domain": item[-1]} for item in ratings}, resamples=FEW)
    agreement({i: {p: g for p, g in r.items() if p < "p2"} for i, r in ratings.items()}, resamples=FEW)
    recipes = [recipe for figures in seen for recipe in figures._recipes.values()]
    assert len(recipes) > 60
    for recipe in recipes:
        once = recipe.formula(recipe.sums.sum(axis=0)[None])
        assert once[0] == pytest.approx(recipe.value, abs=1e-10)


def test_bootstrap_and_standard_error_agree_where_items_stand_alone():
    found = agreement(drawn(3, 400, 2)).cohen["none"]
    assert found.interval is not None
    assert found.asymptotic is not None
    assert found.interval.low == pytest.approx(found.asymptotic.low, abs=0.012)
    assert found.interval.high == pytest.approx(found.asymptotic.high, abs=0.012)


def test_items_of_one_conversation_count_as_what_they_are():
    """The same labels four times over, told as one conversation each, say no more than once."""
    once = drawn(5, 50, 3)
    ratings = {f"{item}/{turn}": given for item, given in once.items() for turn in range(4)}
    talks = {item: item.split("/")[0] for item in ratings}
    together, apart = agreement(ratings, conversations=talks), agreement(ratings)
    alone = agreement(once)
    for figure in (lambda a: a.raw, lambda a: a.fleiss):
        wide, narrow, first = (figure(found).interval for found in (together, apart, alone))
        assert wide.high - wide.low == pytest.approx(first.high - first.low, rel=0.02)
        assert narrow.high - narrow.low < 0.7 * (wide.high - wide.low)
    assert together.n_conversations == 50
    assert agreement({i: {p: g for p, g in r.items() if p < "p2"} for i, r in ratings.items()}, conversations=talks,
                     resamples=FEW).cohen["none"].asymptotic is None  # fmt: skip


def test_the_odd_one_out_shows():
    ratings = {item: dict(given) for item, given in drawn(9, 120, 4, noise=0.15).items()}
    rng = np.random.default_rng(1)
    for given in ratings.values():
        given["odd"] = ORDERED[int(rng.integers(4))]
    found = agreement(ratings, resamples=FEW)
    kappas = {name: person.kappa.value or 0 for name, person in found.people.items()}
    assert min(kappas, key=kappas.__getitem__) == "odd"
    assert kappas["odd"] < 0.15
    assert found.people["odd"].alpha_without.value > found.alpha["nominal"].value + 0.2
    assert found.people["odd"].n == 120
    assert sum(found.people["odd"].given.values()) == 120


def test_slices_are_the_figures_of_their_items():
    ratings = drawn(13, 70, 3)
    labels = {item: {"domain": "food" if int(item[1:]) % 3 else "book", "is_ego": None} for item in ratings}
    found = agreement(ratings, labels=labels, resamples=FEW)
    assert list(found.slices) == ["domain"]
    food = agreement({i: r for i, r in ratings.items() if labels[i]["domain"] == "food"}, resamples=FEW)
    assert found.slices["domain"]["food"].alpha.value == pytest.approx(food.alpha["nominal"].value)
    assert found.slices["domain"]["food"].raw.value == pytest.approx(food.raw.value)
    assert found.slices["domain"]["book"].few
    assert not found.slices["domain"]["food"].few


def whys(found: Agreement) -> set[str]:
    figures = [found.raw, found.fleiss, *found.cohen.values(), *found.alpha.values()]
    assert all(figure.value is None and figure.interval is None for figure in figures)
    return {figure.why for figure in figures}


def test_nothing_is_labelled():
    assert whys(agreement({})) == {"nothing was labelled"}
    assert whys(agreement({"i": {}})) == {"nothing was labelled"}


def test_one_annotator():
    found = agreement({"i": {"p": "perfect"}, "j": {"p": "missing"}})
    assert whys(found) == {"only one person labelled"}
    assert found.people["p"].kappa.why == "nobody else labelled any of these items"


def test_no_item_in_common():
    found = agreement({"i": {"p": "perfect"}, "j": {"q": "missing"}})
    assert whys(found) == {"no item was labelled by two people"}
    assert found.pairs == ()


def test_one_class_alone():
    found = agreement({f"i{i}": {"p": "perfect", "q": "perfect"} for i in range(5)}, resamples=FEW)
    assert found.raw.value == 1.0
    assert found.raw.interval.method == "no_variation"
    assert found.raw.interval.low < 0.6
    for figure in (found.fleiss, *found.cohen.values(), *found.alpha.values(), found.people["p"].kappa):
        assert figure.value is None
        assert "'perfect'" in figure.why


def test_everybody_agrees_on_several_classes():
    found = agreement({f"i{i}": {"p": ORDERED[i % 4], "q": ORDERED[i % 4]} for i in range(40)}, resamples=FEW)
    for figure in (found.fleiss, *found.cohen.values(), *found.alpha.values()):
        assert figure.value == pytest.approx(1.0)
        assert figure.interval.high == pytest.approx(1.0)
        assert 0.7 < figure.interval.low < 1
        assert figure.asymptotic is None


def test_each_has_a_class_of_its_own():
    found = agreement({f"i{i}": {"p": "perfect", "q": "missing"} for i in range(5)}, resamples=FEW)
    assert found.cohen["none"].value == pytest.approx(0.0)
    assert found.raw.value == 0.0


def test_cohens_kappa_is_of_two():
    found = agreement(drawn(1, 20, 3), resamples=FEW)
    assert found.cohen["none"].value is None
    assert found.cohen["none"].why == "3 people labelled and Cohen's kappa is of two: see the pairs"
    assert len(found.pairs) == 3


def test_labels_without_an_order():
    ratings = {f"i{i}": {"p": "good" if i % 2 else "missing", "q": "good" if i % 3 else "missing"} for i in range(12)}
    found = agreement(ratings, resamples=FEW)
    for figure in (found.alpha["ordinal"], found.cohen["linear"], found.cohen["quadratic"]):
        assert figure.value is None
        assert figure.why == "'good' has no place in the order of the labels"
    assert found.alpha["nominal"].value is not None
    assert found.cohen["none"].value is not None


def test_too_few_items_for_an_interval():
    found = agreement({"i": {"p": "perfect", "q": "missing"}, "j": {"p": "missing", "q": "missing"}}, resamples=FEW)
    assert found.raw.interval is not None
    assert json.loads(json.dumps(found.json()))["n_items"] == 2


def test_the_same_seed_gives_the_same_figures():
    ratings = drawn(2, 40, 3, gaps=0.2)
    assert agreement(ratings, resamples=FEW) == agreement(ratings, resamples=FEW)
    assert agreement(ratings, resamples=FEW, seed=1) != agreement(ratings, resamples=FEW)
