"""The asking clause where what is asked for stands before the question, or is meant by what follows it."""

from __future__ import annotations

import pytest

from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import factor_of, parse_clause


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("Have I got it right that this raft is longer than that one?", "if this raft is longer than that one?"),
        ("is it the case that the goat is older?", "if the goat is older?"),
        ("the best thing in this town is the market, which one should I pick?", "which one should I pick?"),
        ("I want the red one, which one is it?", "which one is it?"),
        ("All in all, how heavy is it?", "how heavy is it?"),
        ("I've seen all of these before, who made it?", "who made it?"),
        ("We looked at everything in the shop, how old is it?", "how old is it?"),
        ("I stood next to the tallest of these towers, where is it?", "where is it?"),
        ("I don't want the heaviest of these, which one should I take?", "which one should I take?"),
        ("the chest in this picture is nice, which one should I buy?", "which one should I buy?"),
        ("Could you name the designer of this chair?", "the designer of this chair?"),
        ("could you please list all the others in this set for me?", "list all the others in this set"),
        ("Do I get it right away?", "Do I get it right away?"),
        ("Do I have it right here?", "Do I have it right here?"),
        ("Have I got it right: this raft is longer?", "if this raft is longer?"),
    ],
)
def test_what_is_asked_for_is_found_before_the_question(said: str, asks: str) -> None:
    assert asking_clause(said) == asks


@pytest.mark.parametrize(
    "said", ["All of this set together: how heavy is it?", "I take the whole lot of this series: what does that cost?"]
)
def test_everything_of_a_group_is_added_up(said: str) -> None:
    assert parse_clause(asking_clause(said)).operation == "sum"


@pytest.mark.parametrize(
    ("said", "factor"),
    [
        ("4 times over, what would I pay for this jug?", 4),
        ("One for each of us, 7 in all. What do I pay?", 7),
        ("there are 2 lids in total, what does it weigh?", None),
        ("There are screws with it, 4 in all: how do I use them?", None),
        ("I've read it 4 times over, what is it about?", None),
    ],
)
def test_so_many_in_all(said: str, factor: float | None) -> None:
    assert factor_of(said) == factor


@pytest.mark.parametrize(
    ("said", "noun"),
    [
        ("which is the one with the highest yield?", "yield"),
        ("which is the one with the higher backrest?", "backrest height"),
        ("which is the heaviest in the model range of this cart?", "weight"),
        ("which is the highest in sugar?", "sugar"),
    ],
)
def test_what_is_compared_is_told_from_where(said: str, noun: str) -> None:
    scale = parse_clause(said).scale
    assert scale is not None
    assert scale.noun == noun
