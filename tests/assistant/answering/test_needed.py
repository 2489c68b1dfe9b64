"""How many are needed and how often one fills something; parties of several kinds of visitors."""

from __future__ import annotations

import pytest

from .asking import answer
from .memory import MemoryKnowledge

KNOWLEDGE = MemoryKnowledge(
    [
        {
            "name": "Penhale Ginger Wafers",
            "attributes": {"net_weight": "400 g", "pieces_per_pack": "16", "price": "€3.60"},
        },
        {"name": "Sollis Thermos", "attributes": {"capacity": "1.2 litres", "weight": "500 g", "price": "€28"}},
        {"name": "Marram Fence Stain", "attributes": {"volume": "5 litres", "coverage": "8 m² per litre"}},
        {"name": "Kelda Cable Car", "attributes": {"capacity": "40 people", "rides_per_day": "30"}},
        {"name": "Ottery Mill", "attributes": {"adult_ticket": "€9", "child_ticket": "€4", "closed": "Tuesdays"}},
    ],
    [
        {
            "url": "https://a.invalid/1",
            "title": "Kelda Cable Car",
            "text": "The Kelda Cable Car uses 12 kWh on each ride. It had 50,000 guests in 2019, and 64,000 in 2022.",
        }
    ],
)
WAFERS, FLASK, STAIN, CAR, MILL = (
    "Penhale Ginger Wafers",
    "Sollis Thermos",
    "Marram Fence Stain",
    "Kelda Cable Car",
    "Ottery Mill",
)


@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        (WAFERS, "how many packets do I need for 30 guests if they get two wafers each?", "4 packets"),
        (WAFERS, "how many packs make 2 kilos?", "5 packs"),
        (WAFERS, "if three of us share the pack, how many wafers does each get?", "5 wafers each, and 1 left over"),
        (FLASK, "how many cups of 150 ml can I pour from it?", "8 cups"),
        (FLASK, "is it enough for seven mugs of 200 ml?", "No"),
        (FLASK, "is it enough for five mugs of 200 ml?", "Yes"),
        (FLASK, "how many times must I fill it to get 4 litres?", "4 times"),
        (STAIN, "how many tins do I need for 100 square metres?", "3 tins"),
        (STAIN, "is one tin enough for 50 square metres?", "No"),
        (CAR, "how many rides to carry 150 people?", "4 rides"),
        (CAR, "how much energy does it use in a day?", "360 kWh"),
        (MILL, "what do two adults and three children pay?", "€30"),
        (MILL, "what's the total for 1 adult and 2 kids?", "€17"),
        (MILL, "we are 3 adults, how much change do I get from 50 euros?", "€23"),
    ],
)
def test_worked_out_with_the_figures_of_the_question(name: str, question: str, wanted: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert wanted in text, reason


@pytest.mark.parametrize(
    ("name", "question"),
    [
        (MILL, "what do two adults and a pensioner pay?"),
        (MILL, "how many days a week is it open?"),
        (CAR, "by how much did the number of guests grow from 2019 to 2022?"),
        (CAR, "how many people can it carry in a week?"),
        (FLASK, "how many flasks do I need for 40 square metres?"),
    ],
)
def test_what_the_facts_do_not_give_is_not_said(name: str, question: str) -> None:
    assert answer(KNOWLEDGE, question, name)[0] == ""
