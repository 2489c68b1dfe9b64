"""A date of the question and a span that is told: the last day, the day it is due again."""

from __future__ import annotations

import pytest

from assistant.understanding.reading_requests import asks_for_text
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {"name": "Grey Moor Goat", "attributes": {"gestation": "150 days", "lives_up_to": "14 years"}},
    {"name": "Orlex Lathe", "attributes": {"service_interval": "18 months", "guarantee": "3 years", "weight": "80 kg"}},
    {
        "name": "Phlox 'Dorvane Bell'",
        "attributes": {"flowering_period": "30 days", "days_to_germination": "12 days", "feeding_interval": "20 days"},
    },
    {"name": "Orlex Plum Chutney", "attributes": {"use_after_opening": "25 days", "shelf_life": "18 months"}},
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "date"),
    [
        ("Grey Moor Goat", "it was mated on 1 March 2026, on what day are the kids due?", "29 July 2026"),
        ("Grey Moor Goat", "if this one got pregnant on 1 March 2026 when's it due?", "29 July 2026"),
        ("Grey Moor Goat", "conceived on 1 March 2026; which day will the young arrive?", "29 July 2026"),
        ("Orlex Lathe", "last serviced on 5 May 2026, when's the lathe due again?", "5 November 2027"),
        ("Orlex Lathe", "bought 5 May 2026, till when is it under guarantee?", "5 May 2029"),
        ("Phlox 'Dorvane Bell'", "the first blossom opened on 1 June 2026, when is the last gone?", "1 July 2026"),
        ("Phlox 'Dorvane Bell'", "I fed it on 1 June 2026, when do I do it again?", "21 June 2026"),
        ("Phlox 'Dorvane Bell'", "sown on 1 May 2026, when should the shoots come up?", "13 May 2026"),
        ("Orlex Plum Chutney", "I uncapped it on 1 May 2026, when should it go in the bin?", "26 May 2026"),
    ],
)
def test_a_span_from_a_date_ends_on_another(things: MemoryKnowledge, name: str, question: str, date: str) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert date in text, (text, reason)


def test_how_long_it_lives_is_no_time_to_carry_its_young() -> None:
    known = MemoryKnowledge([{"name": "Grey Moor Goat", "attributes": {"lives_up_to": "14 years"}}], [])
    text, _, _, _ = answer(known, "it was mated on 1 March 2026, when will it give birth?", "Grey Moor Goat")
    assert not text


def test_what_a_receipt_says_is_not_asked_for() -> None:
    assert not asks_for_text("when does it run out if the receipt says 3 May 2026")
    assert asks_for_text("what does the receipt say")


@pytest.mark.slow
def test_one_date_told_twice_is_no_span() -> None:
    knowledge = MemoryKnowledge(
        [{"name": "Orvel Chair", "attributes": {"launch": "1962", "maker": "Orvel"}}],
        [{"url": "https://o.invalid", "title": "Orvel Chair", "text": "Around since 1962 and still going."}],
    )
    text, _, _, _ = answer(knowledge, "years between the firm being founded and this chair coming out", "Orvel Chair")
    assert not text.startswith("0 years")
