"""What somebody must not have, and what only sounds like it."""

from __future__ import annotations

import pytest

from assistant.reading.operations.allergens import avoided, meaning_of_yes
from assistant.text.foods import named_there


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
        ("I'm allergic to soy and I can't have milk, can I eat it?", ("soy", "milk")),
        ("my wife has a milk allergy and I'm allergic to eggs, may we have it?", ("eggs", "milk")),
        ("I don't have my glasses, is it safe for someone with a milk allergy?", ("milk",)),
        ("I'm allergic to soy & milk, is it ok?", ("soy", "milk")),
        ("I'm a coeliac, can I have this?", ("gluten",)),
        ("No nuts for me: is it all right then?", ("nuts",)),
        ("If it's nuts that sets off my allergy, can I eat it?", ("nuts",)),
        ("I can't take the stairs, is there a lift?", ()),
        ("I'm sensitive to light, is this lamp dimmable?", ()),
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
    assert avoided("I have a kiwi allergy, is it safe?") == ()
    assert avoided("I have a kiwi allergy, is it safe?", "allergens: kiwi") == ("kiwi",)


def test_any_word_of_its_name_is_enough_but_for_what_comes_of_a_plant() -> None:
    assert named_there("soy protein", "allergens: milk, soya")
    assert not named_there("coconut milk", "allergens: milk")


@pytest.mark.parametrize(
    ("core", "meaning"),
    [
        ("can I eat it?", "out"),
        ("can I give him this?", "out"),
        ("is it safe for me?", "out"),
        ("is it harmless for somebody with a nut allergy?", "out"),
        ("can I eat it without any risk?", "out"),
        ("can I have this in the evening?", "out"),
        ("is it nut-free?", "out"),
        ("could somebody who must avoid celery eat it without worry?", "out"),
        ("are there any in it?", "in"),
        ("does this contain milk?", "in"),
        ("will I get sick if I eat it?", "in"),
        ("would it kill someone allergic to eggs?", "in"),
        ("is it off limits?", "in"),
        ("must I not eat this?", ""),
        ("does it weigh more than 30 g?", ""),
        ("is it made by the mill?", ""),
        ("is there a lift?", "in"),
    ],
)
def test_what_a_yes_would_say(core: str, meaning: str) -> None:
    assert meaning_of_yes(core) == meaning


def test_a_group_warns_of_its_members() -> None:
    assert named_there("hazelnuts", "allergens: nuts, gluten")
    assert named_there("wheat", "allergens: nuts, gluten")
    assert named_there("peanut butter", "peanuts, milk")
