"""What the matcher practises on: every draw has what it says, and nothing stands on both sides."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import numpy as np
import pytest

from assistant.answering.match_pools import Pools, as_fact, exchanged, made_up_name
from assistant.answering.practice import DATA_DIR, PLAIN, left_alone, practices, read_things


def _vectors(texts: Sequence[str]) -> np.ndarray:
    """Stands in for sentence vectors, which only choose what is near."""
    made = np.array([np.random.default_rng(sum(t.encode()) % 9973).normal(size=16) for t in texts])
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def pools() -> Pools:
    return Pools(read_things([DATA_DIR / "a.jsonl"])[:6], _vectors, seed=3)  # type: ignore[arg-type]


def test_every_draw_is_one_question_with_labelled_facts(pools: Pools) -> None:
    onward = leading = unanswered = 0
    for _ in range(300):
        pairs, answers, links = pools.draw()
        assert len(pairs) == len(answers) == len(links) >= 3
        assert len({q for q, _ in pairs}) == 1
        assert not any("{" in text for pair in pairs for text in pair), pairs
        assert not any(a and li for a, li in zip(answers, links, strict=True))
        onward += any(a and " > " in f for (_, f), a in zip(pairs, answers, strict=True))
        leading += any(links)
        unanswered += not any(answers)
    assert onward > 15
    assert leading > 30
    assert 30 < unanswered < 200


def test_things_that_are_asked_about_plainly_are_drawn_as_well() -> None:
    lots = [read_things([DATA_DIR / name])[:4] for name in ("a.jsonl", f"{PLAIN}01.jsonl")]
    pools = Pools(lots[0], _vectors, 5, lots[1])  # type: ignore[arg-type]
    drawn = {f for _ in range(150) for _, f in pools.draw()[0]}
    shares = [len(drawn & {c.text for t in things for p in practices(t) for c in p.candidates}) for things in lots]
    assert min(shares) > 15


def test_the_same_seed_draws_the_same(pools: Pools) -> None:
    first, second = (Pools([], _vectors, seed=8)._relations.draw() for _ in range(2))  # type: ignore[arg-type]
    assert first == second


def test_an_answer_behind_a_relation_speaks_of_what_the_link_names(pools: Pools) -> None:
    for _ in range(90):
        pairs, answers, links = pools._relations.draw()
        named = [f for (_, f), li in zip(pairs, links, strict=True) if li]
        for (_, fact), right in zip(pairs, answers, strict=True):
            if right and " > " in fact:
                assert fact.split(" > ")[0] in named


def test_the_second_half_of_a_question_is_asked_alone(pools: Pools) -> None:
    for _ in range(60):
        pairs, answers, links = pools._relations._alone()
        assert not any("{" in text or " > " in text for pair in pairs for text in pair)
        assert answers.count(0) >= 6
        assert not any(links)
    things = read_things([DATA_DIR / "a.jsonl"])[:20]
    alone = [left_alone(p) for t in things for p in practices(t)]
    assert sum(a is not None for a in alone) >= 20
    for found in alone:
        if found is not None:
            asked, facts = found
            assert not re.search(r"\b(?:they|them)\b", asked)
            assert any(right for _, right in facts)


def test_figures_are_exchanged_and_years_stay_years() -> None:
    said = {exchanged("Built in 1874, 30 m long.", random.Random(n)) for n in range(30)}
    assert len(said) > 10
    assert all(s.startswith("Built in 18") and s.endswith(" m long.") for s in said)
    assert all(len(s) == len("Built in 1874, 30 m long.") for s in said)


def test_keys_are_read_as_the_reader_reads_them() -> None:
    assert as_fact("designed_by: Ada Holt") == "designed by: Ada Holt"
    assert as_fact("It was drawn by Ada Holt.") == "It was drawn by Ada Holt."
    assert {len(made_up_name("person", random.Random(n)).split()) for n in range(20)} == {2}
