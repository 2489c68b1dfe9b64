"""What a question wants reckoned where no pattern names it: many times one, a firm's age, an age then, a last day."""

from __future__ import annotations

import pytest

from assistant.understanding.calculations import must_be_worked_out
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

ENTITIES = [
    {"name": "Orlex Finch Tram", "attributes": {"single_fare": "2.50 EUR", "day_card": "7.00 EUR", "seats": "48"}},
    {"name": "Dorvane Moor Goat", "attributes": {"milk_per_day": "3.5 l", "weight": "62 kg", "litter": "2 kids"}},
    {"name": "Heron of Dorvane", "attributes": {"christened": "4 May 1991", "length": "12 m"}},
    {"name": "Orlex Bench Oak", "attributes": {"width": "162 cm", "max_load": "240 kg", "weight": "31 kg"}},
    {
        "name": "Orlex Jug Marl",
        "attributes": {"manufacturer": "Orlex", "introduced": "2004", "price": "12.00 EUR", "volume": "1.2 l"},
    },
]
PAGES = [
    {
        "url": "https://a.invalid/orlex",
        "title": "Orlex - Lexicon",
        "text": "Orlex is a company from Dorvane. Orlex was founded in 1911. It has 340 staff.",
    }
]


@pytest.fixture(scope="module")
def things() -> MemoryKnowledge:
    return MemoryKnowledge(ENTITIES, PAGES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Finch Tram", "what are 4 journeys with this at the full price?", "€10"),
        ("Heron of Dorvane", "2023 minus the christening of this boat, how many years?", "32 years"),
        ("Dorvane Moor Goat", "add up the milk of this goat over 4 days", "14 l"),
        ("Orlex Jug Marl", "how long had the maker existed when this jug came out, in years?", "93 years"),
        ("Orlex Jug Marl", "after how many years of business did the company behind it bring this out?", "93 years"),
    ],
)
def test_worked_out_without_a_pattern_for_it(things: MemoryKnowledge, name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    "question",
    ["what would an expert call that one?", "ok so tell me which piece that jug is", "which model is this one?"],
)
def test_asked_for_the_name_in_other_words(things: MemoryKnowledge, question: str) -> None:
    text, reason, _, plan = answer(things, question, "Orlex Jug Marl")
    assert (plan.intent, "Orlex Jug Marl" in text) == ("identify", True), (text, reason)


@pytest.mark.parametrize(
    "question", ["who makes this one?", "what is it made of?", "what does that cost?", "when did this one come out?"]
)
def test_asked_for_something_else_than_the_name(things: MemoryKnowledge, question: str) -> None:
    _, _, _, plan = answer(things, question, "Orlex Jug Marl")
    assert plan.intent != "identify"


@pytest.mark.parametrize(
    ("name", "question", "wrong"),
    [
        ("Orlex Finch Tram", "what does the day card cost?", "for"),
        ("Orlex Jug Marl", "how many years had the shop existed in 1990?", "93"),
        ("Dorvane Moor Goat", "how many kids does it have at once?", "for 2"),
    ],
)
def test_a_plain_question_is_not_multiplied(things: MemoryKnowledge, name: str, question: str, wrong: str) -> None:
    text, _, _, _ = answer(things, question, name)
    assert wrong not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "start"),
    [
        ("Orlex Bench Oak", "this bench goes into a niche of 150 cm in width, doesn't it?", "No"),
    ],
)
def test_held_against_what_the_question_brings(things: MemoryKnowledge, name: str, question: str, start: str) -> None:
    text, reason, _, _ = answer(things, question, name)
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("Orlex Jug Marl", "what's left in my purse of the 9 euros once I own six of those?"),
        ("Orlex Finch Tram", "which in that whole fleet has the most seats?"),
    ],
)
def test_what_must_be_worked_out_is_not_looked_up(things: MemoryKnowledge, name: str, question: str) -> None:
    text, _, _, plan = answer(things, question, name)
    entity = next(e for e in ENTITIES if e["name"] == name)
    assert must_be_worked_out(plan)
    assert not any(str(v) in text for v in entity["attributes"].values())  # type: ignore[attr-defined]


def test_a_follow_up_on_what_was_not_found_still_finds_the_way() -> None:
    """The answer that was not sure enough to be said may still be sure enough to look further from."""
    from assistant.core.types import Conversation
    from assistant.understanding.plan import make_plan
    from tests.assistant.reading.memory import seen

    knowledge = MemoryKnowledge(ENTITIES, PAGES)
    _, _, turn, _ = answer(knowledge, "who hums beside the jug at night?", "Orlex Jug Marl")
    conversation = Conversation("c").with_turn(turn)
    in_view = seen(knowledge, "Orlex Jug Marl")
    plan = make_plan("where was that person born?", conversation, in_view, None, knowledge)  # type: ignore[arg-type]
    assert plan.asked_before == "who hums beside the jug at night?"
    plan = make_plan("what does it cost?", conversation, in_view, None, knowledge)  # type: ignore[arg-type]
    assert plan.asked_before == ""
