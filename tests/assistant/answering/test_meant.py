"""What a question wants done where grammar does not say: the model's word on sums, lists, choices and names."""

from __future__ import annotations

import pytest

from assistant.answering.clause import core_of
from assistant.answering.doubts import doubt_of
from assistant.answering.intents import Asked, take_apart, with_condition
from assistant.answering.meant import added_up, as_choice_of_two, asks_property, comparing, of_group, of_one
from assistant.answering.rewording import reworded
from assistant.conversation import Evidence
from assistant.search.pointed_at import plainly_pointed

from .asking import answer
from .memory import MemoryKnowledge

_TRAY = {"maker": "Hollund", "series": "the Quay line"}
KNOWLEDGE = MemoryKnowledge(
    [
        {
            "name": f"Hollund Tray {n}",
            "attributes": {
                **_TRAY,
                "price": price,
                "weight": weight,
                "assembly_location": "Carrow",
                "supplier": "Ansk",
            },
        }
        for n, price, weight in (("Gull", "€20.00", "310 g"), ("Tern", "€25.50", "420 g"), ("Skua", "€9.00", "150 g"))
    ],
    [],
)


def _asked(question: str) -> tuple[Asked, str]:
    text = reworded(plainly_pointed(question))
    return with_condition(take_apart(core_of(text)), text), text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("could you total the price for everything in this series?", "54.5"),
        ("price for the lot, whole series?", "54.5"),
        ("the series with all its members, what would I be paying for that?", "54.5"),
        ("which ones remain in this series if I leave this one out?", "Hollund Tray Skua and Hollund Tray Tern"),
        ("dearest in the series, which one?", "Hollund Tray Tern"),
        ("the one with the least weight in this series, which tray is that?", "Hollund Tray Skua"),
        ("where do they put this tray together?", "Carrow"),
        ("the supplier of this tray, who is that?", "Ansk"),
    ],
)
def test_what_no_pattern_tells_is_done(question: str, said: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, "Hollund Tray Gull")
    assert said in text, reason


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what would the complete range of these set me back?", "sum_group"),
        ("the other trays that go with this one in the series?", "members"),
        ("out of that whole series, what's the heaviest tray?", "extreme"),
        ("how heavy is this tray?", ""),
        ("who founded the firm that makes it?", ""),
    ],
)
def test_what_is_wanted_of_a_group_is_told_where_it_is_sure(question: str, kind: str) -> None:
    asked, text = _asked(question)
    assert of_group(text, asked) == kind


def test_a_choice_is_no_question_for_yes_or_no() -> None:
    asked, text = _asked("is this tray heavier, or the round one next to it?")
    assert asked.operation == "yesno"
    assert as_choice_of_two(asked, text).operation == "compare"
    for question in ("is this tray heavier or not?", "is it heavier than a cup or a mug?", "is it made of oak or ash?"):
        plain, said = _asked(question)
        assert as_choice_of_two(plain, said) == plain


def test_what_is_compared_may_stand_before_the_clause() -> None:
    asked = take_apart("this tray or the round one?")
    assert comparing(asked, "cheaper: this tray or the round one?").operation == "compare"
    plain = take_apart("tea or coffee?")
    assert comparing(plain, "do they serve tea or coffee?") == plain


def test_a_sum_is_none_where_one_property_is_asked_for() -> None:
    asked, text = _asked("in which town do they put this tray together?")
    assert asked.operation == "sum"
    assert of_one(asked, text).operation == "lookup"
    both, said = _asked("what does it cost together with the lid?")
    assert of_one(both, said) == both


def test_what_is_added_up_is_named_and_has_figures() -> None:
    asked = added_up(take_apart("what's mooring per night for the entire fleet, all together?"), "the entire fleet")
    assert "what is its mooring per night?" in asked.about
    assert asked.operation == "sum"
    assert asked.expected.kind == "quantity"


def test_a_property_named_first_is_no_name_of_the_thing() -> None:
    for question in ("its supplier, who is that?", "the foundry behind this bell, which one was that?"):
        asked, text = _asked(question)
        assert asks_property(text, asked, "name"), question
    for question in ("what is this thing called?", "and that one over there, what would that be?"):
        asked, text = _asked(question)
        assert not asks_property(text, asked, "name"), question


def test_a_day_has_no_more_than_its_hours() -> None:
    asked = take_apart("how many hours of light does it need daily?")
    short, long = (
        Evidence(f"a{n}", "attribute", "", f"light: {n}", 1.0, key="light", value=n) for n in ("5 hours", "116 days")
    )
    assert doubt_of(short, asked) == 1.0
    assert doubt_of(long, asked) < 0.1


def test_guests_of_a_thing_are_no_group_of_things() -> None:
    knowledge = MemoryKnowledge(
        [
            {"name": f"{n} Chapel", "attributes": {"seats": seats, "part of": "the Orlen family of chapels"}}
            for n, seats in (("Orlen", "120"), ("Marr", "80"))
        ],
        [],
    )
    text, _, _, _ = answer(knowledge, "if the whole class came here, how many could sit down?", "Orlen Chapel")
    assert "200" not in text
    assert "Marr" not in text
