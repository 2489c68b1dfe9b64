"""A figure for another amount than the one it is told of, in words of their own about an invented larder."""

from __future__ import annotations

import pytest

from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

KNOWLEDGE = MemoryKnowledge(
    [
        {
            "name": "Penhale Ginger Wafers",
            "attributes": {
                "net_weight": "400 g",
                "price": "€3.60",
                "pieces_per_pack": "16",
                "calories": "500 kcal per 100 g",
            },
        },
        {"name": "Ardmore Lime Cordial", "attributes": {"volume": "0.75 l", "price": "€4.50 per litre"}},
        {"name": "Tarrant Beeswax Candles", "attributes": {"weight": "600 g", "price": "£9"}},
        {"name": "Lowick Lighthouse", "attributes": {"visitors_per_year": "36,000", "height": "42 m", "open": "1887"}},
        {
            "name": "Denby Goat",
            "attributes": {"milk_per_day": "3 litres", "weight": "60 kg", "body_temperature": "39 °C"},
        },
        {"name": "Rusk Sewing Machine", "attributes": {"price": "$180", "weight": "7.5 kg"}},
    ],
    [],
)
WAFERS, CORDIAL, CANDLES = "Penhale Ginger Wafers", "Ardmore Lime Cordial", "Tarrant Beeswax Candles"
TOWER, GOAT, MACHINE = "Lowick Lighthouse", "Denby Goat", "Rusk Sewing Machine"


@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        (WAFERS, "what does that come to per kilo, the price I mean?", "€9"),
        (WAFERS, "what is the price per 100 grams?", "€0.90"),
        (WAFERS, "how much does a single wafer weigh?", "25 g"),
        (WAFERS, "how many calories are there in the entire packet?", "2000 kcal"),
        (WAFERS, "what do I pay with 25 % off?", "€2.70"),
        (WAFERS, "how much would I save at a discount of 10 percent?", "€0.36"),
        (MACHINE, "what is a third of its weight?", "2.5 kg"),
        (MACHINE, "what would it cost at half price?", "$90"),
        (GOAT, "how much milk does it give a week?", "21 litres"),
        (TOWER, "how many visitors does it have per month?", "3000 a month"),
        (TOWER, "how many visitors does it have per year?", "36,000"),
    ],
)
def test_worked_out_for_the_amount_that_is_asked(name: str, question: str, wanted: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert wanted in text, reason


@pytest.mark.parametrize(
    ("name", "question"),
    [
        (CANDLES, "how much does one candle weigh?"),  # nothing tells how many they are
        (MACHINE, "how much is it in euros?"),
        (MACHINE, "what is the price per litre?"),
        (GOAT, "what is half its body temperature?"),
        (WAFERS, "how many calories are in half a pack?"),
    ],
)
def test_no_figure_is_said_for_another_amount(name: str, question: str) -> None:
    assert answer(KNOWLEDGE, question, name)[0] == ""


def test_a_price_that_names_the_measure_is_told_as_it_stands() -> None:
    assert "€4.50 per litre" in answer(KNOWLEDGE, "what is the price per litre?", CORDIAL)[0]


def test_in_the_currency_it_is_told_in() -> None:
    assert "180" in answer(KNOWLEDGE, "how much is it in dollars?", MACHINE)[0]
