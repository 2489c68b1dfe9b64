"""Which samples are taken, and how they are spoiled: conversations whole, draws that can be repeated."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.errors import BadInput
from assistant.vision.degrade import degrade
from eval.data.datasets import load
from eval.data.filters import Selection, parse_degradation, parse_where, select, spoil
from tests.eval.data.crag_sets import MULTI, crag_row, data_set


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """Twelve conversations: domains book and food by turns, one comparison late in the fourth, three with a URL."""
    rows = []
    for i in range(12):
        turns = [{"domain": "book" if i % 2 else "food"}, {"domain": "local"}]
        if i == 3:
            turns.append({"domain": "local", "query_category": "comparison"})
        rows.append(crag_row(f"c{i}", MULTI, turns, url=f"https://a.invalid/{i}.jpg" if i < 3 else None))
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    data_set(rows, MULTI).to_parquet(path)
    return load(str(path)).samples


def names(samples) -> list[str]:
    return [sample.session_id for sample in samples]


def chosen(samples, **selection) -> list[str]:
    return names(select(samples, Selection(**selection)))


def test_a_conversations_domain_is_its_first_turns_and_other_labels_are_any_turns(samples):
    assert chosen(samples, where=(("domain", "book"),)) == ["c1", "c3", "c5", "c7", "c9", "c11"]
    assert chosen(samples, where=(("query_category", "comparison"),)) == ["c3"]
    with pytest.raises(BadInput, match="no sample has 'local' as domain: there are book, food"):
        select(samples, Selection(where=(("domain", "local"),)))


def test_values_of_one_label_are_alternatives_and_labels_must_all_fit(samples):
    assert len(chosen(samples, where=(("domain", "book"), ("domain", "Food")))) == 12
    assert chosen(samples, where=(("domain", "book"), ("query_category", "comparison"))) == ["c3"]
    with pytest.raises(BadInput, match="none of the 12 samples fits all of the filters"):
        select(samples, Selection(where=(("domain", "food"), ("query_category", "comparison"))))


def test_ego_ids_and_limit(samples):
    assert chosen(samples, ego=False) == ["c0", "c1", "c2"]
    assert chosen(samples, ego=True, limit=2) == ["c3", "c4"]
    assert chosen(samples, ids=("c9", "c4-1")) == ["c4", "c9"]  # a turn brings its conversation; the data's order stays
    with pytest.raises(BadInput, match="1 of the 2 ids are not in the data, 'nobody' is the first"):
        select(samples, Selection(ids=("c1", "nobody")))
    with pytest.raises(BadInput, match="--limit is 0"):
        select(samples, Selection(limit=0))
    assert chosen(samples, limit=99) == names(samples)


def test_a_draw_is_whole_repeated_by_its_seed_and_grows_with_its_number(samples):
    five = select(samples, Selection(sample=5, sample_seed=1))
    assert all(
        len(sample.turns) == len(next(s for s in samples if s.session_id == sample.session_id).turns) for sample in five
    )
    assert names(five) == chosen(tuple(reversed(samples)), sample=5, sample_seed=1)[::-1]  # not of the order
    assert set(names(five)) < set(chosen(samples, sample=8, sample_seed=1))
    assert names(five) != chosen(samples, sample=5, sample_seed=2)
    assert names(five) == sorted(names(five), key=names(samples).index)
    assert len(chosen(samples, sample=99)) == 12


def test_every_sample_is_drawn_about_as_often(samples):
    counts = dict.fromkeys(names(samples), 0)
    for seed in range(400):
        for name in chosen(samples, sample=3, sample_seed=seed):
            counts[name] += 1
    assert min(counts.values()) > 60  # 100 expected, standard deviation below 9
    assert max(counts.values()) < 140


@pytest.mark.slow
def test_degradations_are_of_the_frame_at_the_benchmarks_size_and_of_the_sample(samples):
    wanted = parse_degradation("low_light:0.6:3")
    ego, other = spoil((samples[5], samples[0]), (wanted,))
    for spoiled, plain in ((ego, samples[5]), (other, samples[0])):
        (own,) = spoiled.degradations
        assert (own.kind, own.severity) == ("low light", 0.6)
        assert np.array_equal(spoiled.frame().pixels, degrade(plain.frame().pixels, own))
    assert ego.frame().pixels.shape == (1280, 960, 3)
    assert ego.degradations != other.degradations  # each its own seed
    assert spoil((samples[5],), (wanted,))[0].degradations == ego.degradations
    assert spoil((samples[5],), (parse_degradation("low-light:0.6"),))[0].degradations != ego.degradations
    twice = spoil((samples[0],), (wanted, parse_degradation("rotated:0.5")))[0]
    first, second = twice.degradations
    assert np.array_equal(twice.frame().pixels, degrade(degrade(samples[0].frame().pixels, first), second))


@pytest.mark.parametrize("text", ["blurry:0.5", "blurred", "blurred:0", "blurred:1.5", "blurred:0.5:x", "blurred:nan"])
def test_a_degradation_that_is_none(text):
    with pytest.raises(BadInput, match=r"give KIND:SEVERITY\[:SEED\] with a kind of low-light, blurred"):
        parse_degradation(text)


def test_where_as_text():
    assert parse_where(["domain=food, query_category=multi-hop", "domain=book"]) == (
        ("domain", "food"), ("query_category", "multi-hop"), ("domain", "book"),
    )  # fmt: skip
    with pytest.raises(BadInput, match="'food' cannot be used: give LABEL=VALUE"):
        parse_where(["food"])


def test_a_label_that_is_none_of_them(samples):
    with pytest.raises(BadInput, match="knows no label 'colour': choose one of domain"):
        select(samples, Selection(where=(("colour", "red"),)))
