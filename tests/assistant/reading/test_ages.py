"""How old somebody was at an event of a thing, over a small collection of its own."""

from __future__ import annotations

import pytest

from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {
        "name": "Lark's Lament",
        "attributes": {"composer": "Ada Thole", "first_performed": "1931", "publisher": "Quay Press"},
    },
    {"name": "Ada Thole", "attributes": {"born": "1889", "nationality": "Danish"}},
    {"name": "Weir Bridge", "attributes": {"architect": "Jon Marl", "opened": "12 June 1902"}},
    {"name": "Jon Marl", "attributes": {"nationality": "Danish"}},
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, [])


@pytest.mark.parametrize(
    "question",
    [
        "what age was the composer when this was first performed?",
        "the composer's age when it was first performed?",
        "when it was first performed, how old was its composer?",
        "what was the age of the composer in the year this was first performed?",
    ],
)
def test_the_years_of_a_person_at_an_event_of_the_thing(things: MemoryKnowledge, question: str) -> None:
    text, reason, _, _ = answer(things, question, "Lark's Lament")
    assert text.startswith("42 years"), (text, reason)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Weir Bridge", "how old was its architect when it opened?"),
        ("Lark's Lament", "how old was the singer when this was first performed?"),
    ],
)
def test_without_a_birth_there_is_no_age(things: MemoryKnowledge, name: str, question: str) -> None:
    text, _, _, _ = answer(things, question, name)
    assert not text
