"""What points at a thing in view, or at what an answer named, is that thing, whatever was spoken of last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.assistant.reading.asking import answer, talk
from tests.assistant.reading.memory import EMPTY, MemoryKnowledge, seen

SET = {"part_of": "the Orvane Harbour series"}
KNOWLEDGE = MemoryKnowledge(
    [
        {"name": "Orvane Ferry", "attributes": SET | {"top_speed": "20 km/h", "weight": "90 t"}},
        {"name": "Orvane Launch", "attributes": SET | {"top_speed": "35 km/h", "weight": "40 t"}},
        {"name": "Orvane Tug", "attributes": SET | {"top_speed": "45 km/h", "weight": "60 t"}},
        {"name": "Orvane Skiff", "attributes": SET | {"top_speed": "10 km/h", "weight": "1 t"}},
    ],
    [],
)


@pytest.mark.parametrize(
    ("pointed_at", "question", "said"),
    [
        ("Orvane Ferry", "how heavy is the left one?", "90 t"),
        ("Orvane Launch", "how heavy is the one on the right?", "40 t"),
    ],
)
def test_a_side_of_the_view_is_meant_and_not_what_was_named_last(pointed_at: str, question: str, said: str) -> None:
    both = seen(KNOWLEDGE, "Orvane Ferry", "Orvane Launch")
    _, _, turn, _ = answer(KNOWLEDGE, "which of the two is faster?", recognition=both)
    there = next(c for c in both.candidates if c.name == pointed_at)
    pointed = replace(both, entity=there, meant=(pointed_at,), pointed=True)
    text = answer(KNOWLEDGE, question, conversation=EMPTY.with_turn(turn), recognition=pointed)[0]
    assert said in text


def test_which_of_them_is_asked_of_all_that_the_answer_named() -> None:
    view = ("Orvane Ferry",)
    said = talk(
        KNOWLEDGE,
        ("how fast is this?", view),
        ("which other ones are in the series?", view),
        ("which of them is the fastest?", view),
        ("which of them is the lightest?", view),
    )
    assert said[2].startswith("Orvane Tug is the fastest: 45 km/h")
    assert "Orvane Ferry" not in said[2]
    assert said[3].startswith("Orvane Skiff is the lightest")
