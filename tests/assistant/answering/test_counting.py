"""Counting what lists name, and adding up over a group, over a small collection of its own."""

from __future__ import annotations

import pytest

from assistant.answering.counting import leaves_out, list_question, listed
from assistant.answering.groups import for_one

from .asking import answer
from .memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("core", "asked"),
    [
        ("how many flavours are there of it?", "which flavours are there of it?"),
        ("number of pockets in this bag?", "which pockets are in this bag?"),
        ("count the parts that it is sold with", "which parts it is sold with?"),
        ("what is the number of tools?", "which tools does it have?"),
        ("how much does it cost?", None),
    ],
)
def test_a_count_is_asked_for_as_a_list(core: str, asked: str | None) -> None:
    assert list_question(core) == asked


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("It comes in moss green, plum and black.", 3),
        ("It comes in rust red and cream, both of them dull.", 2),
        ("Moths, rust and greenfly: those are its troubles.", 3),
        ("Buyers get two nets, a pump and a bag.", 3),
        ("It stands in a garden.", 0),
        ("It eats midges, crumbs and beetles.", 3),
        ("What does it eat? midges, crumbs and beetles, as far as I have seen.", 3),
        ("Here they hold a kite race and the soup contest, rain or shine.", 2),
    ],
)
def test_listed_things_are_found(sentence: str, count: int) -> None:
    assert len(listed(sentence)) == count


def test_a_group_is_asked_about_one_by_one() -> None:
    assert for_one("how many can sit in all the boats of this fleet together?", "all the boats of this fleet") == (
        "how many can sit in it?"
    )


@pytest.fixture(scope="module")
def teas() -> MemoryKnowledge:
    entities = [
        {
            "name": "Orvane Smoke Tea",
            "attributes": {
                "series": "the Orvane Harbour range",
                "net_weight": "120 g",
                "caffeine": "40 mg in 100 g",
                "sold_in": "tins, bags, boxes",
                "price": "4.00 EUR",
            },
        },
        {
            "name": "Orvane Pine Tea",
            "attributes": {"series": "the Orvane Harbour range", "weight": "80 g", "price": "3.50 EUR"},
        },
    ]
    return MemoryKnowledge(entities, [])


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("what does the whole range weigh together?", "200"),
        ("one of each of this range, what's the bill?", "7.5"),
        ("besides this, what is in its range?", "The Orvane Harbour range: Orvane Pine Tea"),
        ("this tea is one of how many in its range?", "2"),
    ],
)
def test_groups_are_added_up_and_listed(teas: MemoryKnowledge, question: str, start: str) -> None:
    text, reason, _, _ = answer(teas, question, "Orvane Smoke Tea")
    assert text.startswith(start), (text, reason)


@pytest.mark.parametrize(
    ("text", "question", "left_out"),
    [
        ("What does it eat? Duckweed, larvae, worms and fallen fruit.", "would it eat pond weed?", True),
        ("It comes in navy, plum, walnut and grey.", "does it come in black?", True),
        ("It comes in navy, plum, walnut and black.", "does it come in black?", False),
        ("Swimming, sadly, is not allowed.", "may I swim there?", False),
    ],
)
def test_a_list_that_leaves_something_out_says_no_to_it(text: str, question: str, left_out: bool) -> None:
    assert leaves_out(text, question) is left_out
