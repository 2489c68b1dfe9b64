"""Sums, counts and members asked in roundabout words, over a small collection of its own."""

from __future__ import annotations

import pytest

from assistant.understanding.naming import asks_name
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

SET = {"part_of": "the Orlex Meadow series"}
ENTITIES = [
    {
        "name": "Orlex Bowl Teal",
        "attributes": SET | {"capacity": "2 l", "price": "20.00 EUR", "glazes": "blue, sand, moss", "rules": "none"},
    },
    {"name": "Orlex Bowl Rook", "attributes": SET | {"capacity": "3 l", "price": "35.00 EUR"}},
    {"name": "Orlex Bowl Wren", "attributes": SET | {"capacity": "1 l", "price": "15.00 EUR"}},
    {"name": "Pale Sloop", "attributes": {"gear_on_board": "a stove, two lanterns, an anchor and a bell"}},
    {"name": "Fox and Geese", "attributes": {"playing_time": "20 min", "rule_pages": "12"}},
    {"name": "Nine Barrels", "attributes": {"playing_time": "60 min", "rule_pages": "4"}},
]
KNOWLEDGE = MemoryKnowledge(ENTITIES, [])


@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Bowl Teal", "If one adds up the capacity for the whole series, what comes out?", "6 l"),
        ("Orlex Bowl Teal", "If you add up the price for everything in the series, what is it?", "€70"),
        ("Orlex Bowl Teal", "Count up the glazes of this bowl, how many is it?", "3"),
        ("Orlex Bowl Teal", "Price, all together in the series of this bowl, how much is it?", "€70"),
        ("Orlex Bowl Teal", "I don't need names, so just the number of glazes of this bowl, please?", "3"),
        ("Orlex Bowl Teal", "Could you count for me the glazes of this bowl?", "3"),
        ("Pale Sloop", "Could you count for me the gear on board of this boat?", "4"),
        (
            "Orlex Bowl Teal",
            "If this bowl is only one of a series, what are the other ones called?",
            "The Orlex Meadow",
        ),
        ("Orlex Bowl Teal", "Apart from this bowl, which bowls does the series have?", "The Orlex Meadow"),
        ("Orlex Bowl Teal", "Which bowls make up the series together with this bowl?", "The Orlex Meadow"),
        ("Orlex Bowl Teal", "This bowl belongs to a series, what other bowls are in it?", "The Orlex Meadow"),
        ("Fox and Geese", "Which is shorter in its rules, this game or Nine Barrels?", "Nine Barrels"),
        ("Fox and Geese", "Which has the longer instructions, this game or Nine Barrels?", "Fox and Geese"),
    ],
)
def test_they_are_answered(name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert text.startswith(start), reason


@pytest.mark.parametrize(
    ("core", "name"),
    [
        ("what are the others called?", False),
        ("what are the other ones called?", False),
        ("what is the rest of them called?", False),
        ("what's the other one called?", True),
        ("what are these called?", True),
    ],
)
def test_the_names_of_the_others_are_not_its_own(core: str, name: bool) -> None:
    assert asks_name(core) is name
