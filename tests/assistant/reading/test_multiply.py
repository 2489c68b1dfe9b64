"""A figure so many times, where the question says outright how often, over a small collection of its own."""

from __future__ import annotations

import pytest

from assistant.understanding.clause import asking_clause
from assistant.understanding.multiplicity import wanted_count
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {"name": "Orlex Samovar Tully", "attributes": {"capacity": "3 l", "price": "80.00 EUR", "weight": "2.4 kg"}},
    {"name": "Dorvane Toll Stamp", "attributes": {"stamps_per_sheet": "25", "printed": "40,000", "price": "6.00 EUR"}},
    {"name": "Orlex Kite Ball", "attributes": {"number_of_panels": "18", "retail_price": "22.00 EUR"}},
    {"name": "Weavers of Dorvane", "attributes": {"playing_time": "45 min", "price": "31.00 EUR"}},
    {"name": "Grey Moor Hound", "attributes": {"daily_sleep": "11 hours", "weight": "28 kg"}},
    {"name": "Heron of Dorvane", "attributes": {"berth_per_night": "12.50 EUR", "length": "11 m"}},
    {"name": "Orlex Shawl Pim", "attributes": {"knitting_time": "11 hours", "price": "45.00 EUR"}},
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, [])


@pytest.mark.parametrize(
    ("question", "n"),
    [
        ("6 of these, how much water is that", 6),
        ("what do I get out of five fillings of it", 5),
        ("one each for 7 cousins, how many wheels altogether", 7),
        ("we have each got one, 4 in all, how heavy are they", 4),
        ("if I knit it twice how long is that", 2),
        ("is it three times as long as the other", None),
        ("split 3 ways, how much is each share", None),
        ("how long is it", None),
    ],
)
def test_how_many_are_wanted_is_read_off_the_question(question: str, n: float | None) -> None:
    found = wanted_count(question)
    assert (found and found.n) == n


@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Samovar Tully", "if I fill it 4 times how many litres is that?", "12"),
        ("Orlex Samovar Tully", "six full loads out of this samovar, how many litres?", "18"),
        ("Dorvane Toll Stamp", "if I buy 3 sheets how many of the stamp have I got?", "75"),
        ("Dorvane Toll Stamp", "total on 4 sheets with this stamp?", "100"),
        ("Orlex Kite Ball", "5 of this ball, panels altogether?", "90"),
        ("Weavers of Dorvane", "we want to do 3 goes of this game, what's that in time?", "135"),
        ("Weavers of Dorvane", "if we play this 4 times tonight how long are we up?", "180"),
        ("Grey Moor Hound", "hours of sleep in 5 days for the hound in front of me?", "55"),
        ("Heron of Dorvane", "if we moor it for 4 nights what's the bill?", "€50"),
        ("Heron of Dorvane", "2 nights at the jetty with this boat", "€25"),
        ("Orlex Shawl Pim", "a workshop makes 3 of the shawl. What's the total of working hours?", "33"),
        ("Orlex Shawl Pim", "making 4 of it keeps somebody busy for how many hours?", "44"),
    ],
)
def test_what_is_told_of_one_is_multiplied(things: MemoryKnowledge, name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Orlex Kite Ball", "3 of this ball, stitches altogether?"),
        ("Orlex Shawl Pim", "how many buttons are on 6 of these?"),
        ("Grey Moor Hound", "yearly litter from 3 of this dog?"),
        ("Orlex Samovar Tully", "I filled it 3 times, how tall is it?"),
    ],
)
def test_what_is_told_of_one_is_no_answer_about_so_many(things: MemoryKnowledge, name: str, question: str) -> None:
    text, _, _, _ = answer(things, question, name)
    assert not text


def test_a_question_may_begin_without_its_comma() -> None:
    assert asking_clause("if we stay for 3 nights what's the bill") == "what's the bill"
    assert asking_clause("if I dig up the bulbs on Sunday when do they flower?") == "when do they flower?"
    assert asking_clause("what happens if I water it when it rains") == "what happens if I water it when it rains"


def test_what_is_said_after_a_question_asks_nothing() -> None:
    assert asking_clause("what's this jug called, I've lost the label") == "what's this jug called?"
    assert asking_clause("how tall is it, we have a low shelf") == "how tall is it?"
    assert asking_clause("the oldest of the fleet, which one's that") == "which is the oldest of the fleet?"


def test_how_many_were_bought_is_no_matter_of_who_made_them() -> None:
    game = {"name": "Weavers of Dorvane", "attributes": {"designer": "Ada Thole", "playing_time": "45 min"}}
    known = MemoryKnowledge([game], [])
    text, reason, _, _ = answer(known, "we bought 3 of these last week, who designed them?", "Weavers of Dorvane")
    assert "Ada Thole" in text, (text, reason)
