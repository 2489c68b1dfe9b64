"""Votes of single keypoints: a thing is found by a few of its own among many of something else."""

import numpy as np
import pytest

from assistant.recognition.votes import DIMENSIONS, KEYPOINTS, KEYPOINTS_IN_ALL, VOTERS, Votes, keypoints_each, sample

RNG = np.random.default_rng(3)
PICTURES = [RNG.normal(0, 1, (int(n), 64)).astype(np.float32) for n in RNG.integers(40, 200, 30)]


def seen_of(picture: int, own: int, others: int) -> np.ndarray:
    """Keypoints of a frame: `own` of the picture's, a little changed, and `others` of nothing indexed, mixed."""
    rng = np.random.default_rng(picture)
    chosen = PICTURES[picture][rng.permutation(len(PICTURES[picture]))[:own]]
    mixed = np.concatenate([chosen + rng.normal(0, 0.15, chosen.shape), rng.normal(0, 1, (others, 64))])
    return rng.permutation(mixed).astype(np.float32)


@pytest.mark.parametrize("picture", [0, 7, 29])
def test_a_few_keypoints_of_a_thing_stand_out_among_many_others(picture: int):
    scores = Votes(PICTURES).scores(seen_of(picture, own=30, others=450))
    assert scores.argmax() == picture
    assert scores[picture] > 1.5 * np.delete(scores, picture).max()


def test_two_things_on_one_frame_are_both_before_all_others():
    scores = Votes(PICTURES).scores(np.concatenate([seen_of(4, 60, 100), seen_of(21, 40, 100)]))
    assert set(np.argsort(-scores)[:2]) == {4, 21}


def test_a_picture_with_many_keypoints_is_not_preferred_for_having_them():
    some = [RNG.normal(0, 1, (n, 64)).astype(np.float32) for n in [10] * 20 + [KEYPOINTS] * 20]
    totals = sum(Votes(some).scores(RNG.normal(0, 1, (300, 64)).astype(np.float32)) for _ in range(5))
    few, many = totals[:20].mean(), totals[20:].mean()
    assert 0.3 < few / many < 3


def test_only_the_strongest_of_very_many_keypoints_vote():
    votes, strong = Votes(PICTURES), seen_of(2, 20, VOTERS - 20)
    weak = np.concatenate([strong, seen_of(9, 40, 800)])
    assert np.array_equal(votes.scores(strong), votes.scores(weak))


def test_nothing_to_vote_for_and_nobody_to_vote():
    none = np.zeros((0, 64), np.float32)
    assert len(Votes([]).scores(seen_of(1, 5, 5))) == 0
    assert not Votes(PICTURES).scores(none).any()
    assert not Votes([none, none]).scores(seen_of(1, 5, 5)).any()  # blank pictures


def test_one_picture_alone_has_no_rival_and_two_are_told_apart():
    assert Votes(PICTURES[:1]).scores(seen_of(0, 30, 30)).shape == (1,)
    two = Votes(PICTURES[:2]).scores(seen_of(1, 30, 30))
    assert two[1] > two[0]


def test_what_is_kept_is_bounded_however_large_the_index():
    assert keypoints_each(100) == KEYPOINTS
    assert 2000 * keypoints_each(2000) <= KEYPOINTS_IN_ALL
    assert keypoints_each(10**6) > 0
    assert list(sample(3, 5)) == [0, 1, 2]
    assert list(sample(9, 3)) == [0, 4, 8]
    assert Votes([np.zeros((9, DIMENSIONS), np.float32)]).scores(np.zeros((2, DIMENSIONS), np.float32)).shape == (1,)
