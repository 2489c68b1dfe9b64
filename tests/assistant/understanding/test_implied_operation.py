"""What a question wants done where grammar does not say: the model's word on sums, lists, choices and names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.core.types import Evidence
from assistant.reading.scoring.vetoes import relevance_factor
from assistant.text.attribute_keys import labelled_value
from assistant.understanding.classifiers.pointing import normalise_pointing
from assistant.understanding.clause import asking_clause
from assistant.understanding.implied_operation import (
    added_up,
    as_choice_of_two,
    asks_property,
    of_group,
    of_one,
)
from assistant.understanding.intent import ParsedQuestion, parse_clause, with_condition
from assistant.understanding.pointing.phrases import pointing_left_out
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

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


def _asked(question: str) -> tuple[ParsedQuestion, str]:
    text = normalise_pointing(question)
    return with_condition(parse_clause(asking_clause(text)), text), text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("could you total the price for everything in this series?", "54.5"),
        ("price for the lot, whole series?", "54.5"),
        ("the series with all its members, what would I be paying for that?", "54.5"),
        ("which ones remain in this series if I leave this one out?", "Hollund Tray Skua and Hollund Tray Tern"),
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
        ("how many trays are there in this series?", "count_members"),
        ("out of that whole series, what's the heaviest tray?", ""),
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


def test_a_sum_is_none_where_one_property_is_asked_for() -> None:
    asked, text = _asked("in which town do they put this tray together?")
    assert asked.operation == "sum"
    assert of_one(asked, text).operation == "lookup"
    both, said = _asked("what does it cost together with the lid?")
    assert of_one(both, said) == both


def test_what_is_added_up_is_named_and_has_figures() -> None:
    text = "what's mooring per night for the entire fleet, all together?"
    asked = added_up(parse_clause(text), text, "the entire fleet")
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
    asked = parse_clause("how many hours of light does it need daily?")
    short, long = (
        Evidence(f"a{n}", "attribute", "", f"light: {n}", 1.0, key="light", value=n) for n in ("5 hours", "116 days")
    )
    assert relevance_factor(short, asked) == 1.0
    assert relevance_factor(long, asked) < 0.1


def test_a_weekday_is_named_where_one_is_asked_for() -> None:
    asked = parse_clause("on which weekday do they have the market there?")
    late, market = (
        Evidence(f"p{n}", "passage", "https://p.invalid", text, 1.0)
        for n, text in enumerate(("More in the weekend edition.", "The market is held on Saturdays."))
    )
    edition = replace(late, text="Her column stood in the weekend edition.")
    assert relevance_factor(edition, asked) < 0.1
    assert relevance_factor(market, asked) == relevance_factor(edition, parse_clause("where was it told?")) == 1.0
    assert relevance_factor(late, parse_clause("what else is there?")) < 0.2


def test_what_only_says_what_a_thing_is_tells_no_material_and_no_use() -> None:
    says = Evidence(
        "p0", "passage", "https://p.invalid", "Arc Board, a board from the Tam Hills.", 1.0, subject="Arc Board"
    )
    for question in ("what's this made from?", "what kind of wheels can I put on it?"):
        assert relevance_factor(says, parse_clause(question)) < 0.5, question
    for question in ("what is this?", "what kind of thing is it?"):
        assert relevance_factor(says, parse_clause(question)) == 1.0, question


def test_a_clause_behind_a_colon_is_no_value() -> None:
    assert labelled_value("Voles and mites: that is what gets it, sooner or later.") is None
    assert labelled_value("Pests: voles and mites.") == ("Pests", "voles and mites")


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


#: What stands in the way of the rules above, each with what must not or must be said.
FERRIES = MemoryKnowledge(
    [
        {"name": "Hill Ferry", "attributes": {"fare": "€9", "crossing": "40 minutes", "route_length": "12 km"}},
        {"name": "Dune Ferry", "attributes": {"fare": "€12", "crossing": "70 minutes", "route_length": "31 km"}},
    ],
    [],
)
SPOONS = MemoryKnowledge(
    [
        {
            "name": f"{n} Spoon",
            "attributes": {"series": "the Velden series", "with lid": lid, "made in": town, "pieces": pieces},
        }
        for n, lid, town, pieces in (
            ("Arc", "yes", "Lund", "6"),
            ("Bow", "no", "Kest", "4"),
            ("Cap", "yes", "Kest", "12"),
        )
    ],
    [],
)


@pytest.mark.parametrize(
    ("knowledge", "question", "names", "not_said"),
    [
        (FERRIES, "what costs the most?", ("Hill Ferry", "Dune Ferry"), "of Hill Ferry"),
        (FERRIES, "how many kilometres can it go on a full tank?", ("Hill Ferry",), "12"),
        (SPOONS, "which spoons in this series have a lid?", ("Arc Spoon",), "Bow"),
        (SPOONS, "which pieces of this series are made in Lund?", ("Arc Spoon",), "Bow"),
        (SPOONS, "how many pieces are in the set?", ("Arc Spoon",), "3 in"),
    ],
)
def test_what_only_looks_alike_is_left_alone(
    knowledge: MemoryKnowledge, question: str, names: tuple[str, ...], not_said: str
) -> None:
    text, _, _, _ = answer(knowledge, question, *names)
    assert not_said not in text


def test_all_of_a_group_are_listed_whatever_stands_on_the_left() -> None:
    text, reason, _, _ = answer(SPOONS, "list all in this series, from left to right", "Arc Spoon")
    assert all(f"{n} Spoon" in text for n in ("Arc", "Bow", "Cap")), reason


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which ones share a series with this spoon?", ("Bow Spoon", "Cap Spoon")),
        ("Arc Spoon and all the others in the series, how many is that?", ("3",)),
        ("how many are in the series, Arc Spoon and the rest of it?", ("3",)),
    ],
)
def test_a_group_may_be_named_by_one_of_it(question: str, said: tuple[str, ...]) -> None:
    text, reason, _, _ = answer(SPOONS, question, "Arc Spoon")
    assert all(s in text for s in said), (text, reason)


def test_a_family_that_is_asked_about_is_a_group() -> None:
    ferns = MemoryKnowledge(
        [
            {"name": f"{n} Fern", "attributes": {"family": "Orlenaceae", "water a week": water}}
            for n, water in (("Lark", "2 litres"), ("Wren", "3 litres"), ("Robin", "1 litre"))
        ],
        [],
    )
    text, reason, _, _ = answer(ferns, "how much water does the whole family need?", "Lark Fern")
    assert text.startswith("6 l"), (text, reason)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("what age does that tree reach?", "what age does it reach?"),
        ("how big is this bird cage?", "how big is this bird cage?"),
        ("what is the food that birds eat?", "what is the food that birds eat?"),
        ("who wrote the other book?", "who wrote the other book?"),
        ("who makes this T-shirt?", "who makes it?"),
    ],
)
def test_what_points_at_a_kind_is_the_thing(question: str, left: str) -> None:
    assert pointing_left_out(question, frozenset({"t-shirt"})) == left


def test_what_is_added_up_may_be_told_before_it_is_asked() -> None:
    text = "if you add up the seats for everything in the fleet, what is it?"
    asked = added_up(parse_clause("what is it?"), text, "the fleet")
    assert asked.about[0] == "what is its seats?"
    assert asked.operation == "sum"
