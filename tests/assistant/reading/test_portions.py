"""So much of it: an amount in units of measure is no number of pieces. Words of their own, an invented stall."""

from __future__ import annotations

import pytest

from assistant.reading.operations.amounts.portions import amount_of_it
from assistant.understanding.intent import factor_of
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

HONEY, SYRUP, LOAF, ROPE = "Farrow Heather Honey", "Pim Rosehip Syrup", "Dunlin Rye Loaf", "Corran Rope"
PAN, NUTS = "Corran Pan", "Corran Salted Nuts"
KNOWLEDGE = MemoryKnowledge(
    [
        {"name": HONEY, "attributes": {"energy": "320 kcal per 100 g", "net_weight": "500 g", "price": "€8.00"}},
        {"name": SYRUP, "attributes": {"volume": "2 l", "price": "€9.00", "sugar": "60 g per 100 ml"}},
        {"name": LOAF, "attributes": {"price": "€4.20", "baked_by": "Dunlin"}},
        {"name": NUTS, "attributes": {"kcal_100g": "590 kcal", "net_weight": "250 g", "packed_in": "Dray"}},
        {"name": PAN, "attributes": {"time_to_boil": "8 min", "volume": "2 l"}},
        {"name": ROPE, "attributes": {"weight": "3 kg", "length": "40 m"}},
    ],
    [],
)


@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        (HONEY, "how many calories do 50 g of this have?", "160 kcal"),
        (NUTS, "how many calories do 50 g of this have?", "295 kcal"),
        (HONEY, "how many calories are there in a kilo of it?", "3200 kcal"),
        (HONEY, "100 g of it, how many calories is that?", "320 kcal per 100 g"),
        (HONEY, "what do 250 grams of this cost?", "€4"),
        (HONEY, "how many calories in 25 grams?", "80 kcal"),
        (SYRUP, "half a litre of this, what does it cost?", "€2.25"),
        (SYRUP, "how much sugar do I get with 50 ml of it?", "30 g"),
        (HONEY, "what do 3 of these cost?", "€24"),
    ],
)
def test_a_figure_is_put_for_the_amount_asked_for(name: str, question: str, wanted: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert wanted in text, (text, reason)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        (LOAF, "what do 200 g of it cost?"),  # nobody says what a loaf weighs
        (HONEY, "how many calories does half a litre of it have?"),  # told by weight
    ],
)
def test_what_is_told_for_no_such_amount_is_not_said(name: str, question: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert not text
    assert "told for" in reason


@pytest.mark.parametrize(
    ("question", "amount", "unit"),
    [
        ("what do 75 g of this cost?", 75, "gram"),
        ("a litre of it, how heavy is that?", 1, "liter"),
        ("a quarter of a kilo of that, please: the price?", 0.25, "kilogram"),
        ("three litres of it", 3, "liter"),
    ],
)
def test_an_amount_of_it(question: str, amount: float, unit: str) -> None:
    found = amount_of_it(question)
    assert found is not None
    assert (found.low, found.unit) == (amount, unit)
    assert factor_of(question) is None


@pytest.mark.parametrize("question", ["what do 3 of these cost?", "two tins of it", "how many of this?", "6 m of it"])
def test_pieces_and_lengths_are_no_such_amounts(question: str) -> None:
    assert amount_of_it(question) is None


def test_half_of_it_does_not_boil_in_half_the_time() -> None:
    text, reason, _, _ = answer(KNOWLEDGE, "how long does it take to boil one litre of it?", PAN)
    assert not text
    assert "the time is told for all of it" in reason
