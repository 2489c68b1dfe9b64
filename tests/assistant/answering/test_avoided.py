"""What somebody must not have, and what only sounds like it."""

from __future__ import annotations

import pytest

from assistant.answering.avoided import avoided, named_there


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("I'm allergic to nuts, can I have one?", ("nuts",)),
        ("she is allergic to eggs, milk and soy, may she try it?", ("eggs", "milk", "soy")),
        ("I'm allergic to wheat or soy, is this fine?", ("wheat", "soy")),
        ("I have a nut and milk allergy, is it safe?", ("nut", "milk")),
        ("soy always makes me sick, is there any in it?", ("soy",)),
        ("peanuts gives me an allergic reaction, is the jar safe for me?", ("peanuts",)),
        ("Milk gives my daughter a bad stomach ache, can she eat it?", ("milk",)),
        ("Soy brings on my asthma, is that fine?", ()),
        ("I react badly to milk, can I have that?", ("milk",)),
        ("I can't tolerate dairy products, is it ok?", ("dairy",)),
        ("is it egg-free?", ("egg",)),
        ("I'm allergic, can I eat this?", ()),
        ("I'm severely allergic, can I eat this?", ()),
        ("an unusual allergy runs in the family, can I eat it?", ()),
        ("Stairs give me trouble, is there a lift in this tower?", ()),
        ("The bus makes me sick, is there a tram here?", ()),
        ("is it for free?", ()),
    ],
)
def test_what_must_not_be_in_it(question: str, things: tuple[str, ...]) -> None:
    assert avoided(question) == things


def test_what_is_no_food_counts_where_it_is_declared() -> None:
    assert avoided("I have a sulphite allergy, is it safe?") == ()
    assert avoided("I have a sulphite allergy, is it safe?", "allergens: sulphites") == ("sulphite",)


def test_any_word_of_its_name_is_enough_but_for_what_comes_of_a_plant() -> None:
    assert named_there("soy protein", "allergens: milk, soya")
    assert not named_there("coconut milk", "allergens: milk")
