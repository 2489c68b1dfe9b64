"""Questions for a thing's maker, and questions about somebody else who is told by a clause."""

from __future__ import annotations

import pytest

from assistant.core.types import Evidence
from assistant.reading.makers import asks_maker, bears_its_name, speak_of_maker
from assistant.reading.scoring.fact_ranker import meant_alone
from assistant.reading.scoring.vetoes import relevance_factor
from assistant.understanding.intent import parse_clause
from assistant.understanding.pointing.phrases import pointing_left_out
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("which company makes it?", True),
        ("what firm is behind it?", True),
        ("by which business is it produced?", True),
        ("where does it come from, which company?", True),
        ("which house put it out?", True),
        ("who manufactures it?", True),
        ("name of the brand of it", True),
        ("by what firm is this gadget made?", True),
        ("who makes the boxed clock?", True),
        ("whose product is that clock?", True),
        ("whose clock is that?", False),
        ("what outfit turns out these?", True),
        ("who makes the rusted hinge?", False),
        ("which company makes its engine?", False),
        ("which firm keeps it in repair?", False),
        ("who founded the company that makes it?", False),
        ("who made the decision to close it?", False),
    ],
)
def test_questions_for_the_maker_alone(question: str, asks: bool) -> None:
    assert asks_maker(question) is asks


@pytest.mark.parametrize(
    ("phrase", "maker"),
    [
        ("the maker", True),
        ("that company", True),
        ("the firm that builds it", True),
        ("the house that brought it out", True),
        ("the company that insures it", False),
        ("the designer", False),
    ],
)
def test_phrases_for_the_maker(phrase: str, maker: bool) -> None:
    assert speak_of_maker([phrase]) is maker


def _said(text: str, key: str | None = None, subject: str = "Alder Compact Kettle") -> Evidence:
    said = f"{key}: {text}" if key else text
    return Evidence("e", "attribute" if key else "passage", subject, said, 0.0, subject, key, text if key else None)


@pytest.mark.parametrize(
    ("evidence", "bears"),
    [
        (_said("Alder", "trade_mark"), True),
        (_said("The manufacturer is Alder."), True),
        (_said("Alder still keeps the first of them behind glass."), False),
        (_said("Alder", "town"), False),
        (_said("They put it together in Alder."), False),
        (_said("Birch & Sons", "trade_mark"), False),
        (_said("Ald", "trade_mark"), False),
        (_said("Alder Compact Kettle", "name"), False),
    ],
)
def test_the_name_that_a_things_own_begins_with(evidence: Evidence, bears: bool) -> None:
    assert bears_its_name(evidence) is bears


THINGS = [
    {
        "name": "Alder Compact Kettle",
        "attributes": {"brand_owner": "Alder", "sponsor": "Quarrow", "on_sale": "May 2004"},
    },
    {"name": "Quarrow Lamp", "attributes": {"height": "30 cm"}},
]
PAGES = [
    {
        "url": "https://a.invalid",
        "title": "Alder",
        "text": "Alder is a company in Wexham. It was founded by Osric Fell. It employs 80 people.",
    }
]


@pytest.fixture(scope="module")
def shop() -> MemoryKnowledge:
    return MemoryKnowledge(THINGS, PAGES)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("which business produces this kettle?", "Alder"),
        ("do you know the company that sells it?", "brand owner"),
        ("who was the founder of the company that makes it?", "Osric"),
    ],
)
def test_whose_make_it_is_by_whatever_name_that_goes(shop: MemoryKnowledge, question: str, says: str) -> None:
    text, reason, _, _ = answer(shop, question, "Alder Compact Kettle")
    assert says in text.replace("Alder Compact Kettle", ""), (text, reason)


def test_when_the_firm_began_is_not_told_by_when_its_kettle_did() -> None:
    silent = MemoryKnowledge(THINGS, [{**PAGES[0], "text": "Alder is a company in Wexham. It employs 80 people."}])
    text, _, _, _ = answer(silent, "when did the company that makes it get started?", "Alder Compact Kettle")
    assert "2004" not in text


def test_one_thing_is_meant_and_a_surer_relation_rules_the_others_out() -> None:
    found = meant_alone({"author": 0.98, "illustrator": 0.7, "printer": 0.2})
    assert found["author"] == 0.98
    assert found["illustrator"] < 0.1
    assert found["printer"] < 0.02
    assert meant_alone({"printer": 0.4}) == {"printer": 0.4}


def test_a_town_in_a_name_is_no_word_for_the_thing() -> None:
    kinds = frozenset({"town", "hall", "clock"})
    assert pointing_left_out("who runs the town where it ticks?", kinds) == "who runs the town where it ticks?"
    assert pointing_left_out("who winds the clock?", kinds) == "who winds it?"


@pytest.mark.parametrize(
    ("question", "evidence", "doubted"),
    [
        ("what is in the box?", _said("a lid, a set of filters, a cord and a box of matches", "contents"), False),
        ("what is in the box?", _said("It is a kettle from Wexham."), True),
        ("who steers it?", _said("Osric Fell stands at the helm."), False),
        ("what is it worth?", _said("Osric Fell stands at the helm."), True),
        ("how many people work there?", _said("Two friends asked me about Alder, so here it is."), True),
        ("how much is it?", _said("You asked me about the price: 20 euros."), False),
    ],
)
def test_what_is_said_of_something_else_is_doubted(question: str, evidence: Evidence, doubted: bool) -> None:
    assert (relevance_factor(evidence, parse_clause(question)) < 1.0) is doubted
