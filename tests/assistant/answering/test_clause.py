"""The asking clause where what is asked for stands before the question, or is meant by what follows it."""

from __future__ import annotations

import pytest

from assistant.answering.clause import core_of
from assistant.answering.intents import factor_of, take_apart
from assistant.answering.put_as_question import put_as_question


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("I'm after the smallest of these jugs: which is it?", "which is the smallest of these jugs?"),
        ("If we wanted the oldest in this set, which one should we take?", "which is the oldest in this set?"),
        ("I'd have the lightest from this range, which would that be?", "which is the lightest from this range?"),
        (
            "Is there one in this line that wins against all others, I mean the quietest?",
            "which is the quietest in this line?",
        ),
        ("Have I got it right that this raft is longer than that one?", "if this raft is longer than that one?"),
        ("is it the case that the goat is older?", "if the goat is older?"),
        ("the best thing in this town is the market, which one should I pick?", "which one should I pick?"),
        ("I want the red one, which one is it?", "which one is it?"),
    ],
)
def test_what_is_asked_for_is_found_before_the_question(said: str, asks: str) -> None:
    assert core_of(said) == asks


@pytest.mark.parametrize(
    "said", ["All of this set together: how heavy is it?", "I take the whole lot of this series: what does that cost?"]
)
def test_everything_of_a_group_is_added_up(said: str) -> None:
    assert take_apart(core_of(said)).operation == "sum"


def test_the_one_that_is_more_is_chosen() -> None:
    said = put_as_question("Between this jug and that one, point out the one that's cheaper.")
    assert said == "Between this jug and that one, which is cheaper?"
    assert put_as_question("Tell me the one that is under the jug.") == "Tell me the one that is under the jug."


@pytest.mark.parametrize(
    ("said", "factor"),
    [
        ("4 times over, what would I pay for this jug?", 4),
        ("One for each of us, 7 in all. What do I pay?", 7),
        ("there are 2 lids in total, what does it weigh?", None),
    ],
)
def test_so_many_in_all(said: str, factor: float | None) -> None:
    assert factor_of(said) == factor
