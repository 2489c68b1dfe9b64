"""Whether somebody may have a thing, by what is declared: a wrong yes is the worst answer there is."""

from __future__ import annotations

import pytest

from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import MemoryKnowledge

NAME = "Orrin Biscuit"


def asked(question: str, *, text: str = "", **attributes: str) -> str:
    pages = [{"url": "https://a.invalid/1", "name": NAME, "title": NAME, "text": text}] if text else []
    knowledge = MemoryKnowledge([{"name": NAME, "attributes": {"type": "biscuit", **attributes}}], pages)
    return answer(knowledge, question, NAME)[0]


@pytest.mark.parametrize(
    ("question", "declared", "said"),
    [
        ("I'm allergic to hazelnuts, can I eat it?", {"allergens": "nuts, gluten"}, "No"),
        ("I'm allergic to wheat, can I eat it?", {"allergens": "nuts, gluten"}, "No"),
        ("I'm allergic to cheese, can I eat it?", {"allergens": "milk"}, "No"),
        ("I'm allergic to peanut butter, can I eat it?", {"allergens": "peanuts, milk"}, "No"),
        ("I'm allergic to soy & milk, can I eat it?", {"allergens": "milk"}, "No"),
        ("I'm allergic to fish, can I eat it?", {"allergens": "nuts, gluten"}, "Yes"),
        ("I'm allergic to fish, can I eat it?", {"allergens": "none"}, "Yes"),
        ("I'm allergic to eggs, can I eat it?", {"allergens": "see label"}, ""),
        ("I'm allergic to eggs, can I eat it?", {"allergens": "no information"}, ""),
        ("I'm allergic to eggs, can I eat it?", {"allergen_egg": "yes", "allergen_milk": "no"}, "No"),
        ("I'm allergic to milk, can I eat it?", {"allergen_egg": "yes", "allergen_milk": "no"}, "Yes"),
        ("With my egg allergy, am I safe eating this?", {"allergens": "eggs"}, "No"),
        ("allergic to eggs, this one ok?", {"allergens": "eggs"}, "No"),
        ("which allergens are in it, as I'm allergic to eggs?", {"allergens": "eggs, milk"}, "The allergens"),
        ("does it contain eggs? I'm allergic to those", {"allergens": "fish"}, "No"),
        ("does it contain eggs? I'm allergic to those", {"allergens": "fish, eggs"}, "Yes"),
        ("is it free of eggs?", {"egg_free": "no"}, "No"),
        ("is it nut-free?", {"allergens": "nuts, gluten"}, "No"),
        ("I'm allergic to sesame, can I eat it?", {"allergens": "nuts, gluten", "traces": "sesame"}, "No"),
        ("I'm allergic to nuts, can I eat it?", {"allergens": "milk", "filling": "hazelnut cream"}, "No"),
        ("I'm allergic to kiwi, can I eat it?", {"allergens": "milk"}, ""),
        ("I'm vegan and allergic to soy, can I eat it?", {"allergens": "milk"}, "No"),
        ("I'm a coeliac, can I have this?", {"ingredients": "wheat flour, water"}, "No"),
        (
            "I'm allergic to nuts, does it weigh more than 30 g?",
            {"allergens": "nuts", "weight": "40 g"},
            "Yes: Orrin Biscuit weighs",
        ),
        ("I can't take the stairs, is there a lift?", {"lift": "yes"}, "Yes"),
    ],
)
def test_what_is_declared_says_yes_or_no(question: str, declared: dict[str, str], said: str) -> None:
    text = asked(question, **declared)
    assert text.startswith(said) if said else text == "", text


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("I'm allergic to nuts, can I eat it?", "Orrin Biscuit is not suitable for people with nut allergies.", "No"),
        ("I'm allergic to milk, can I eat it?", "Careful if you are allergic: soya and eggs in there.", "Yes"),
        ("I'm allergic to eggs, can I eat it?", "Careful if you are allergic: soya and eggs in there.", "No"),
        ("I'm allergic to nuts, can I eat it?", "Allergen information is printed on the back.", ""),
        ("I'm allergic to nuts, can I eat it?", "People with allergies should ask the staff.", ""),
        ("I'm allergic to nuts, can I eat it?", "There are no nuts on top, but hazelnuts inside.", ""),
        ("I'm allergic to nuts, can I eat it?", "It contains no nuts.", "Yes"),
        ("is it gluten-free?", "It is not gluten-free.", "No"),
        ("is it safe for people with allergies?", "It is not safe for people with allergies.", "No"),
    ],
)
def test_what_is_said_says_yes_or_no(question: str, text: str, said: str) -> None:
    found = asked(question, text=text)
    assert found.startswith(said) if said else found == "", found
