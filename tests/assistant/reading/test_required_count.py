"""How many are needed and how often one fills something; parties of several kinds of visitors."""

from __future__ import annotations

import pytest

from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

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


LEFT = MemoryKnowledge(
    [
        {"name": "Quarry Diary", "attributes": {"pages": "240", "chapters": "16", "price": "€14"}},
        {"name": "Pell Ferry", "attributes": {"crossing_time": "25 minutes", "single_fare": "€5", "return_fare": "€8"}},
        {"name": "Grey Dormouse", "attributes": {"litter_size": "5 pups", "litters_per_year": "2", "weight": "20 g"}},
        {"name": "Brown Dormouse", "attributes": {"weight": "9 g", "price": "€30"}},
        {
            "name": "Heath Lentil Stew",
            "attributes": {"cooking_time": "7 minutes", "price": "£2", "net_weight": "600 g", "portions": "4"},
        },
    ],
    [
        {
            "url": "https://a.invalid/2",
            "title": "Pell Ferry",
            "text": "The Pell Ferry carried 24,000 passengers in 2019.",
        }
    ],
)


@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        ("Quarry Diary", "how many pages are left after 90 pages?", "150 pages"),
        ("Quarry Diary", "how many pages per chapter?", "15 pages"),
        ("Pell Ferry", "how long is the crossing there and back?", "50 minutes"),
        ("Pell Ferry", "how long for a round trip?", "50 minutes"),
        ("Heath Lentil Stew", "what is that per portion, in money?", "£0.50"),
        ("Heath Lentil Stew", "how big is one portion?", "150 g"),
        ("Pell Ferry", "how many passengers did it carry per month in 2019?", "2000"),
        ("Pell Ferry", "what does a return cost for three people?", "€24"),
        ("Pell Ferry", "what do 4 people pay for a single?", "€20"),
    ],
)
def test_left_over_there_and_back_and_for_each(name: str, question: str, wanted: str) -> None:
    text, reason, _, _ = answer(LEFT, question, name)
    assert wanted in text, reason


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Pell Ferry", "how much do I save with a return instead of two singles?"),
        ("Grey Dormouse", "how many pups does it have in a year?"),
        ("Quarry Diary", "I read a third of it, how many pages is that?"),
        ("Heath Lentil Stew", "how long do I cook two tins of it?"),
        ("Quarry Diary", "how much do two diaries and a pen cost?"),
        ("Grey Dormouse", "is it more than twice as heavy as the Brown Dormouse?"),
    ],
)
def test_one_figure_does_not_tell_it(name: str, question: str) -> None:
    assert answer(LEFT, question, name)[0] == ""
