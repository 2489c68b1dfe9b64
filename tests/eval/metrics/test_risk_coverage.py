"""Risk against coverage, against sums done by hand."""

import pytest

from eval.metrics.risk_coverage import MOST_POINTS, risk_coverage


def test_answers_are_taken_surest_first():
    found = risk_coverage([(0.9, True), (0.1, False), (0.5, False), (0.6, True)], n_turns=8)
    assert found is not None
    assert [(p["threshold"], p["coverage"], p["risk"]) for p in found["points"]] == [
        (0.1, 1 / 8, 0.0),
        (0.5, 2 / 8, 0.0),
        (0.6, 3 / 8, pytest.approx(1 / 3)),
        (0.9, 4 / 8, 0.5),
    ]
    assert found["aurc"] == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert (found["wrong"], found["expected_wrong"]) == (0.5, pytest.approx(0.525))


def test_equal_estimates_are_one_point_whatever_their_order():
    answers = [(0.2, True), (0.2, False), (0.2, False)]
    one, other = (risk_coverage(order, 3) for order in (answers, answers[::-1]))
    assert one == other
    assert one is not None
    assert [(p["n"], p["risk"]) for p in one["points"]] == [(3, pytest.approx(1 / 3))]


def test_many_answers_keep_few_points_and_the_last():
    found = risk_coverage([(n / 1000, n % 3 == 0) for n in range(1000)], 1000)
    assert found is not None
    assert len(found["points"]) <= MOST_POINTS + 1
    assert (found["points"][-1]["n"], found["points"][-1]["coverage"]) == (1000, 1.0)


def test_without_answers_there_is_no_curve():
    assert risk_coverage([], 5) is None
