"""What is denied and of what; what food is meant; values of another nature than what is asked."""

from __future__ import annotations

import pytest

from assistant.core.types import Evidence
from assistant.reading.negation import denies, elsewhere, for_each, only_named, undecided
from assistant.reading.operations.counting import list_question
from assistant.reading.scoring.vetoes import relevance_factor
from assistant.text.foods import against_diet, found_in
from assistant.understanding.intent import parse_clause
from assistant.understanding.naming import may_want_the_name
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

KNOWLEDGE = MemoryKnowledge(
    [
        {
            "name": "Tolland Nougat",
            "attributes": {"ingredients": "sugar, honey, egg white, almonds", "allergens": "eggs, almonds, soya"},
        },
        {
            "name": "Denby Goat",
            "attributes": {
                "type": "milking goat",
                "milk_per_day": "3 litres",
                "price": "£120",
                "annual_shows": "24",
                "horn_length": "31 cm",
                "warts": "0",
                "ear_tag": "number 7",
            },
        },
        {
            "name": "Ferrymen",
            "attributes": {"box_contents": "a map, six ferries, a bag", "halts": "Old Quay, Ebb Hithe"},
        },
        {"name": "Culver Berth", "attributes": {"mooring_fee": "€30"}},
        {
            "name": "Culver Stew",
            "attributes": {
                "ingredients": "leeks, tomatoes, rice, water, salt",
                "energy_per_100g": "150 kcal",
                "net_weight": "400 g",
            },
        },
        {"name": "Culver Yew", "attributes": {"toxic": "yes"}},
        {"name": "Culver Box", "attributes": {"toxic": "no"}},
        {"name": "Culver Scarf", "attributes": {"machine_wash": "yes"}},
        {
            "name": "Culver Kite",
            "attributes": {"supplied_with": "two steel pegs, a bag, a spool", "pack_size": "6", "price": "€12.00"},
        },
        {"name": "Culver Fudge", "attributes": {"sugar": "40 g", "net_weight": "300 g"}},
        {"name": "Culver Weir", "attributes": {"height": "4 m"}},
        {"name": "Culver Mill", "attributes": {"closing_day": "Thursday", "height": "19 m"}},
        {"name": "Culver Bath", "attributes": {"note": "closed on Friday mornings", "height": "9 m"}},
        {"name": "Culver Coach", "attributes": {"height": "3 m", "length": "12 m"}},
        {"name": "Culver Causeway", "attributes": {"maximum_load": "6 t", "length": "90 m"}},
    ],
    [
        {
            "url": "https://weir.invalid/1",
            "name": "Culver Weir",
            "title": "Culver Weir",
            "text": "It is closed on Tuesday.",
        },
        {
            "url": "https://fudge.invalid/1",
            "name": "Culver Fudge",
            "title": "Culver Fudge",
            "text": "There are 40 g of sugar in 100 g of it.",
        },
    ],
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        ("Tolland Nougat", "I'm allergic to nuts, can I have one?", "No: "),
        ("Tolland Nougat", "nuts give me a bad allergic reaction, is it safe for me?", "No: "),
        ("Tolland Nougat", "I have allergies of an odd sort, can I eat it?", ""),
        ("Tolland Nougat", "I'm allergic to wheat and soya, can I eat this?", "No: "),
        ("Tolland Nougat", "I have a wheat and egg allergy, is it safe?", "No: "),
        ("Tolland Nougat", "I can't tolerate soya products, is it ok?", "No: "),
        ("Tolland Nougat", "I'm allergic to tree nuts, can I have it?", "No: "),
        ("Tolland Nougat", "we avoid eating nuts, is this ok?", "No: "),
        ("Tolland Nougat", "I'm allergic to milk, can I eat it?", "Yes: "),
        ("Tolland Nougat", "would it kill someone allergic to eggs?", "Yes: "),
        ("Tolland Nougat", "I'm allergic, can I eat this?", ""),
        ("Tolland Nougat", "I'm severely allergic, is it safe for me?", ""),
        ("Tolland Nougat", "is it suitable for allergy sufferers?", ""),
        ("Tolland Nougat", "I'm allergic to soya, can I give him this?", "No: "),
        ("Tolland Nougat", "my son is allergic to eggs, can I give him some?", "No: "),
        ("Tolland Nougat", "I'm allergic to eggs, can I eat it without any risk?", "No: "),
        ("Tolland Nougat", "I'm allergic to eggs, are there any in it?", "Yes: "),
        ("Tolland Nougat", "I'm allergic to milk, does it contain eggs?", "Yes: "),
        ("Tolland Nougat", "I'm allergic to eggs, does it contain milk?", "No: "),
        ("Tolland Nougat", "I'm allergic to eggs, will I get sick if I eat it?", "Yes: "),
        ("Tolland Nougat", "I'm allergic to milk and I can't have eggs, can I eat it?", "No: "),
        ("Tolland Nougat", "I'm allergic to kiwi, can I eat it?", ""),
        ("Tolland Nougat", "are there nuts in it?", "Yes: "),
        ("Tolland Nougat", "is it vegan?", "No: "),
        ("Ferrymen", "how many ferries are in the box?", "six ferries"),
        ("Ferrymen", "does it stop at Ebb Hithe?", "Yes: "),
        ("Culver Weir", "can I go in on a Tuesday?", "No: "),
        ("Culver Weir", "can I go in on a Sunday?", "Yes: "),
        ("Culver Mill", "is it open on Thursdays?", "No: "),
        ("Culver Mill", "can I go in on a Friday?", "Yes: "),
        ("Culver Mill", "is it closed on Friday?", "No: "),
        ("Culver Mill", "is it open on Friday at 9:00?", ""),
        ("Culver Bath", "is it open on Monday?", ""),
        ("Culver Coach", "there are 10 metres of free kerb, will this coach fit?", "No: "),
        ("Culver Coach", "will it fit under a bridge of 4 metres?", "Yes: "),
        ("Culver Causeway", "can my 4 tonne lorry cross?", "Yes: "),
        ("Culver Causeway", "could I drive a 9 ton crane over it?", "No: "),
        ("Denby Goat", "does it milk?", ""),
        ("Denby Goat", "does it have any warts?", "No: "),
        ("Denby Goat", "is there an ear tag?", "Yes: "),
        ("Denby Goat", "is there a horn?", ""),
        ("Denby Goat", "what does it cost to feed it?", ""),
        ("Denby Goat", "which of the goats of that farm is the longest?", ""),
        ("Denby Goat", "is there a bucket for every child?", ""),
        ("Culver Yew", "is it safe for my cat?", "No: "),
        ("Culver Yew", "is it toxic?", "Yes: "),
        ("Culver Box", "is it safe for my cat?", "Yes: "),
        ("Culver Scarf", "can I wash it at 90?", ""),
        ("Culver Scarf", "can I machine wash it?", "Yes: "),
        ("Culver Kite", "does it come with pegs?", "Yes: "),
        ("Culver Kite", "does it come with a map?", "No: "),
        ("Culver Kite", "does it come with a spoon?", ""),
        ("Culver Kite", "how much are four?", "€48"),
        ("Culver Berth", "what does it cost to moor here?", "30"),
        ("Culver Stew", "is there any fruit in it?", ""),
        ("Culver Stew", "are there leeks in it?", "Yes: "),
    ],
)
def test_answers_of_a_stranger(name: str, question: str, wanted: str) -> None:
    text, reason, _, _ = answer(KNOWLEDGE, question, name)
    assert wanted in text if wanted else not text, text or reason


@pytest.mark.parametrize(
    ("question", "text", "no"),
    [
        ("is it dustproof?", "It is dustproof, but it does not float.", False),
        ("does it float?", "It is dustproof, but it does not float.", True),
        ("is there honey in it?", "The packet names honey and rice, and nothing I cannot spell.", False),
        ("do I have to pay to go up?", "Going up is free.", True),
        ("is it free?", "Going up is free.", False),
        ("do children pay?", "Adults pay €4, children go free.", True),
        ("do I have to pay?", "Adults pay €4, children go free.", False),
        ("does one have to pay?", "It is free from lead.", False),
        ("does it have sleeves?", "There are 0 sleeves on it.", True),
        ("does it have sleeves?", "There are 2 sleeves on it.", False),
        ("may I ride it in a race?", "Races are closed to it.", True),
        ("may I ride it in a race?", "It lacks the licence for a race.", True),
        ("is it banned?", "It is banned.", False),
    ],
)
def test_a_negation_counts_for_what_it_speaks_of(question: str, text: str, no: bool) -> None:
    assert denies(text, question) is no


def test_remarks_and_other_places_settle_nothing() -> None:
    assert undecided("You either love a lamp like that or you don't.")
    assert not undecided("Either lamp is safe outside.")
    either = Evidence("p", "passage", "x", "You either love such a lamp or you don't.", 0.5, "Orm Lamp")
    assert relevance_factor(either, parse_clause("what is on such a lamp?")) < 0.2
    late = Evidence("p", "passage", "x", "I meant to write about it, and then the month was over.", 0.5, "Orm Lamp")
    assert relevance_factor(late, parse_clause("how much power does it use in a month?")) < 0.2
    assert elsewhere("It was kept in the cellar for years.", "can I keep it in the oven?")
    assert not elsewhere("It is safe in an oven.", "can I put it in the oven?")
    assert for_each("is there a helmet for every rower?")
    assert not for_each("is it made for every season?")


@pytest.mark.parametrize(
    ("what", "text", "found"),
    [
        ("nuts", "celery, walnuts, mustard", "walnuts"),
        ("nuts", "nutmeg, rice", ""),
        ("dairy", "sugar, whey powder", "whey"),
        ("dairy", "cocoa butter, oat milk", ""),
        ("gluten", "rye flour and water", "rye"),
        ("mustard", "celery, mustard", "mustard"),
        ("tree bark", "celery, bark", ""),
    ],
)
def test_food_is_known_by_its_group(what: str, text: str, found: str) -> None:
    assert found_in(what, text) == found


def test_a_diet_is_ruled_out_by_what_it_leaves_out() -> None:
    assert against_diet("vegan", "rice, honey") == "honey"
    assert against_diet("vegetarian", "rice, honey") == ""
    assert against_diet("vegetarian", "rice, gelatine") == "gelatine"
    assert against_diet("vegan", "rice, coconut milk, peanut butter") == ""


@pytest.mark.parametrize(
    ("question", "may"),
    [
        ("which colour is this?", False),
        ("what year is this?", False),
        ("and the lining?", False),
        ("what's the bird on it?", False),
        ("the breed?", True),
        ("what's the bird on the branch?", True),
    ],
)
def test_a_property_is_no_name(question: str, may: bool) -> None:
    assert may_want_the_name(question) is may


def test_how_long_ago_asks_for_no_length() -> None:
    assert "what is its length?" not in parse_clause("how long ago was it planted?").about
    assert "what is its length?" in parse_clause("how long is it?").about


def test_how_many_were_made_is_no_list() -> None:
    assert list_question("how many were sewn?") is None
    assert list_question("how many colours are printed on it?") == "which colours are printed on it?"


@pytest.mark.parametrize(
    ("text", "says_nothing"),
    [
        ("Our guest tonight: Osric Fell.", True),
        ("Designed by: Osric Fell and Ada Moor.", False),
        ("Osric Fell lives in Ede.", False),
    ],
)
def test_a_line_that_only_names_somebody_says_nothing_of_him(text: str, says_nothing: bool) -> None:
    assert only_named(text, "Osric Fell") is says_nothing


def test_a_remark_that_leaves_all_open_answers_nothing() -> None:
    remark = Evidence("p", "passage", "x", "Either you love a goat or you do not.", 1.0, "Denby Goat")
    assert relevance_factor(remark, parse_clause("the sponsor of the goat?")) < 0.5
