"""Whether a sum of money said without its currency will do."""

from __future__ import annotations

import pytest

from assistant.reading.operations.budget import bare_sum
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("is 40 enough for 3 of these", (40, 3)),
        ("can I get 6 of them for 25", (25, 6)),
        ("7 of us, 24 in my purse, do we all get in", (24, 7)),
        ("would 900 stretch to 4 if a farm sells me the pony", (900, 4)),
        ("with 105 saved, could we buy 6", (105, 6)),
        ("could 5 people visit it on 46", (46, 5)),
        ("do I have enough with 1250 for 9 of it", (1250, 9)),
        ("I only have 15 on me, can I buy it", (15, 1)),
        ("is 40 cm enough for 3 of these", None),
        ("is 2 enough for 4 people", None),
        ("is it enough for 4 people", None),
        ("can I get 6 of these in 42", None),
        ("was it covered in 1950", None),
        ("will it cover 20 square metres", None),
    ],
)
def test_the_money_is_told_from_the_number_wanted(question: str, told: tuple[float, float] | None) -> None:
    assert bare_sum(question) == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("I've got 11; can I get 6 like that jug", (11, 6)),
        ("there's 422 in my wallet: could I walk out with 5 like Orlex Jug Marl", (422, 5)),
        ("6 of it, and I hold 4", None),
    ],
)
def test_where_it_is_known_what_is_meant_fewer_words_do(question: str, told: tuple[float, float] | None) -> None:
    assert bare_sum(question, meant=True) == told


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("is 30 enough for 3 of this jug?", "No"),
        ("I've 40 on me, would that buy 3 of the jug in front of me?", "Yes"),
        ("do 4 of this jug come to 50 or less?", "Yes"),
    ],
)
def test_it_is_held_against_the_price(question: str, start: str) -> None:
    known = MemoryKnowledge([{"name": "Orlex Jug Marl", "attributes": {"height": "24 cm", "price": "12.00 EUR"}}], [])
    text, reason, _, _ = answer(known, question, "Orlex Jug Marl")
    assert text.startswith(start), (text, reason)
