"""Whether a thing fits, bears somebody or takes the weather, over a small collection of its own."""

from __future__ import annotations

import pytest

from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {"name": "Orlex Vase Marl", "attributes": {"height": "42 cm", "width": "18 cm", "weight": "3 kg"}},
    {"name": "Orlex Stool Pim", "attributes": {"maximum_load": "95 kg", "height": "48 cm", "weight": "4 kg"}},
    {"name": "Dorvane Kite Gull", "attributes": {"maximum_wind": "34 km/h", "wingspan": "180 cm"}},
    {"name": "Dorvane Medal", "attributes": {"diameter": "38 mm", "weight": "40 g"}},
    {"name": "Blue Spar of Dorvane", "attributes": {"found_at_depth": "210 m", "hardness": "5"}},
    {"name": "Orlex Finch Van", "attributes": {"overall_length": "4.9 m", "width": "1.9 m", "height": "2.3 m"}},
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Vase Marl", "I've got 40 cm of height, does this vase go in there?", "No"),
        ("Orlex Vase Marl", "there's 45 cm between the shelves; would the vase in front of me stand there?", "Yes"),
        ("Orlex Vase Marl", "is it too tall for a 40 cm shelf?", "Yes"),
        ("Orlex Vase Marl", "between the door and the wall I have 20 cm, does it fit there?", "Yes"),
        ("Orlex Stool Pim", "I weigh 80 kg, am I alright on this stool?", "Yes"),
        ("Orlex Stool Pim", "is it strong enough for somebody of 110 kg?", "No"),
        ("Orlex Stool Pim", "would 110 kg be too heavy for it?", "Yes"),
        ("Dorvane Kite Gull", "it's blowing 40 km/h, can the kite here take that?", "No"),
        ("Dorvane Kite Gull", "is a wind of 40 km/h too strong for this kite?", "Yes"),
        ("Dorvane Kite Gull", "would it cope with gusts of 30 km/h?", "Yes"),
        ("Dorvane Medal", "my round frame is 36 mm across, does this medal go in?", "No"),
        ("Dorvane Medal", "is a 40 mm hole big enough for it?", "Yes"),
        ("Blue Spar of Dorvane", "if I dug 250 m down would I have got to it?", "Yes"),
        ("Blue Spar of Dorvane", "our shaft ends at 180 m, was this mineral within that?", "No"),
        ("Orlex Finch Van", "my parking spot's 4.5 m long, can the van go in?", "No"),
        ("Orlex Finch Van", "we see a 6 m gap at the kerb, would this get in?", "Yes"),
    ],
)
def test_the_figure_of_the_question_is_held_against_the_measure_that_counts(
    things: MemoryKnowledge, name: str, question: str, start: str
) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Vase Marl", "is it taller than 40 cm?", "Yes"),
        ("Orlex Stool Pim", "does it weigh more than 3 kg?", "Yes"),
        ("Dorvane Medal", "will it fit on a shelf 30 cm high?", ""),
        ("Orlex Vase Marl", "can someone of 80 kg sit on it?", ""),
    ],
)
def test_another_measure_is_none(things: MemoryKnowledge, name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)
    assert bool(text) == bool(start)
