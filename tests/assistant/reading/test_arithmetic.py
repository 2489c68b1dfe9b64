"""Comparisons, sums, reckoning and text on frames, asked in words of their own about a small invented collection."""

from __future__ import annotations

import pytest

from tests.bench.questions import Answered, ask_reckoning, figures, reckoning_questions, sample

pytestmark = pytest.mark.slow

STEP = 2


@pytest.fixture(scope="module")
def verdicts() -> list[Answered]:
    """Every second question of each kind; all by `python -m tests.bench questions`."""
    return ask_reckoning(sample(reckoning_questions(), STEP))


def test_most_are_right_and_few_are_wrong(verdicts: list[Answered]) -> None:
    found = figures(verdicts)
    assert found["n"] >= 30
    assert found["right"] >= 0.8
    assert found["wrong"] <= 0.06, [(item["question"], text) for item, text, v in verdicts if v == "wrong"]


@pytest.mark.parametrize("kind", ["comparison", "aggregation", "reasoning", "frame"])
def test_every_kind_works(verdicts: list[Answered], kind: str) -> None:
    assert figures(verdicts)["right_by_kind"][kind] >= 0.7
