"""Reckoning with figures that are told before the question, over a small collection of its own."""

from __future__ import annotations

import pytest

from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {"name": "Orlex Samovar Finch", "attributes": {"capacity": "6 l", "height": "50 cm", "price": "90 EUR"}},
    {"name": "Orlex Stool Marl", "attributes": {"max_load": "110 kg", "weight": "4 kg", "warranty": "24 months"}},
    {"name": "Pale Dragon Kite", "attributes": {"max_wind": "45 km/h", "min_wind": "12 km/h", "width": "140 cm"}},
    {"name": "Orlex Saw Rook", "attributes": {"charging_time": "80 min", "price": "120 EUR"}},
    {
        "name": "Larch Road",
        "attributes": {"pages": "240", "price": "10 EUR", "published": "1931", "author": "Ada Thole"},
    },
    {"name": "Ada Thole", "attributes": {"born": "1889"}},
    {"name": "Dorvane Mill Museum", "attributes": {"admission": "8 EUR", "opened": "1902"}},
    {"name": "Orlex Cap Teal", "attributes": {"hours_of_knitting": "9 hours", "price": "25 EUR"}},
    {"name": "Dorvane Barge", "attributes": {"length": "12 m", "width": "3 m", "height": "4 m", "christened": "1920"}},
]
KNOWLEDGE = MemoryKnowledge(ENTITIES, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Samovar Finch", "I boil it full 5 times for the party, what quantity have I boiled?", "30 l"),
        ("Orlex Samovar Finch", "My shelf is 45 cm high, does this go in standing up?", "No"),
        ("Orlex Samovar Finch", "Could I stand it where I have just 60 cm of height?", "Yes"),
        ("Orlex Samovar Finch", "Is this too tall for a shelf of 45 cm?", "Yes"),
        ("Orlex Stool Marl", "My uncle brings 130 kg on the scale, so would this stool hold him?", "No"),
        ("Orlex Stool Marl", "Is this stool strong enough for a person of 90 kg?", "Yes"),
        ("Orlex Stool Marl", "Is 120 kg too much for this stool?", "Yes"),
        (
            "Orlex Stool Marl",
            "I've bought it on 3 May 2026, so up to what date would they repair it free?",
            "Until 3 May 2028",
        ),
        ("Pale Dragon Kite", "The radio said 60 km/h of wind, so does this kite stand that?", "No"),
        ("Pale Dragon Kite", "Can I fly this kite in 40 km/h of wind?", "Yes"),
        ("Pale Dragon Kite", "Is 8 km/h of wind enough for this kite?", "No"),
        (
            "Pale Dragon Kite",
            "Between my windows there are 150 cm, so is this kite narrow enough to hang there?",
            "Yes",
        ),
        ("Orlex Saw Rook", "How long do 3 full charges of this saw take?", "240 min"),
        ("Orlex Saw Rook", "Power is cheap at night, so how many minutes is charging it 2 times?", "160 min"),
        ("Orlex Cap Teal", "We knit for a choir, so what's the working time for 4 of these caps?", ""),
        (
            "Dorvane Barge",
            "My father was born in 1950, so how many years had this barge been christened by then?",
            "30 years",
        ),
        ("Dorvane Barge", "There's a gap of 10 m at the quay, does this barge fit?", "No"),
    ],
)
def test_figures_told_before_are_reckoned_with(name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert text.startswith(start), reason or text
    assert start or "EUR" not in text
