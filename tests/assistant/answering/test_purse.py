"""Sums of money that are spoken of by their number alone."""

from __future__ import annotations

import pytest

from assistant.answering.purse import bare_sum


@pytest.mark.parametrize(
    ("question", "counted", "money"),
    [
        ("is 45 enough for 3 like this rug?", True, 45.0),
        ("I've got 80 in my purse; can I take home 4 mugs like it?", True, 80.0),
        ("3 of these rugs for 90, is that doable?", True, 90.0),
        ("does a budget of 64.50 cover two of them?", True, 64.5),
        ("we are 5, and I have 60, can we all afford it?", True, 60.0),
        ("is 3 enough?", False, None),
        ("are 3 enough for 8 people?", True, None),
        ("does it hold 40 litres?", False, None),
        ("was it sold in 1950?", False, None),
    ],
)
def test_a_bare_number_is_money_where_there_is_talk_of_paying(
    question: str, counted: bool, money: float | None
) -> None:
    assert bare_sum(question, counted) == money
