"""Which questions are about the thing itself, whatever else they name."""

from __future__ import annotations

import pytest

from assistant.understanding.relation_phrases import measures_the_thing


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("what's the length of this boat over the bumpers", True),
        ("the height of the grey tower above the harbour?", True),
        ("price of that one at the market", True),
        ("the age of this dog's owner", False),
        ("what is the size of the firm behind this radio", False),
        ("the altitude of the village where the boat lies", False),
        ("the height of the tower that the architect built before", False),
        ("the weight of the car whose driver won the race", False),
    ],
)
def test_a_measure_of_the_thing_leads_nowhere(question: str, own: bool) -> None:
    assert measures_the_thing(question) is own
