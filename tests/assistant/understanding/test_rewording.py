"""Roundabout words for the thing in view."""

from __future__ import annotations

import pytest

from assistant.understanding.paraphrases.rewording import reworded


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("who gives the lecture with this slide?", "who gives this lecture?"),
        ("where was the lecture that this slide is from given?", "where was this lecture given?"),
        ("how tall is the plant this blue flower belongs to?", "how tall is this plant?"),
        ("who wrote the recipe of this jar?", None),
        ("what is the breed of this terrier?", None),
        ("how high is the structure with that tower?", None),
        ("what does the dog with this lamp eat?", None),
        ("what is the volume of this box?", None),
        ("who leads the club with this as its badge?", "who leads the club whose badge this is?"),
        (
            "the county that has the banner on the left for its flag, how big is it?",
            "the county whose flag the banner on the left is, how big is it?",
        ),
        ("the date, please, I cannot see the print from here.", "the date, please"),
        ("can I see the print from here?", None),
        ("in what numbers does the navy run that launch here?", "how many of that launch here does the navy run?"),
        ("in what numbers was this stamp printed?", "how many of this stamp were printed?"),
        ("in what numbers do people come to this fair?", None),
        ("how much is on the menu for this goat here?", "how much does this goat here eat?"),
        ("in what numbers did the mint strike this coin?", "how many of this coin did the mint strike?"),
        ("in which numbers were these posters printed?", "how many of these posters were printed?"),
        ("in what number on the list does it stand?", None),
        ("are there any bikes left, how many?", "how many bikes are left?"),
        ("do they have any of the left one left, what is the number?", "how many of the left one are left?"),
        ("are there any steps up to it, what's the number?", "how many steps up to it are there?"),
        ("name the dress here for me, would you", "name the dress here for me"),
        ("it fits me, would you say?", None),
        ("Yearly events at this tower, can you list them?", "what are the Yearly events at this tower?"),
        ("run me through the kit on this van", "what is the kit on this van?"),
        (
            "Is the town where it was bred a big place? How many residents, I mean",
            "How many residents does the town where it was bred have?",
        ),
        (
            "Is the town this one is native to a large town, what's the population?",
            "what is the population of the town this one is native to?",
        ),
        ("Is the tower tall? What's the height?", "what is the height of the tower?"),
        ("I like these plants, can you name them?", None),
        ("Does it come in different colours, can you list them?", None),
        ("Which bus will take me through the tunnel?", None),
        ("Walk me through the park on this map", None),
        ("Walk me through the tower.", None),
        ("There's a bird on the sign. What is it?", None),
        ("how fast can you name it?", None),
        ("Take this bird and the finch: the heavier one is which?", "which is heavier, this bird and the finch?"),
        ("there's some firm sponsoring it, isn't there? Which?", "which firm is sponsoring it?"),
        ("there's some milk in it, isn't there?", None),
        (
            "how many people live in the town that this poster is about?",
            "how many people live in the town on this poster?",
        ),
        ("which river is the town the book is about on?", None),
        ("would they throw in a charger with that?", "does it come with a charger?"),
        ("do they throw in the towel?", "does it come with the towel?"),
        ("do they throw in salt at the start, or later?", None),
        ("what's the size of this collection?", "how many are there in this collection?"),
        ("what's the size of this collar?", None),
        ("how often does the ferry call on its way?", "how many stops does the ferry make?"),
        ("how many times does the clock stop?", None),
        ("what do I pass on the way up, in doors?", "how many doors do I pass on the way up?"),
        ("what does this hall seat, in people?", "how many people does this hall seat?"),
        ("what does the kid weigh, in pounds?", None),
        ("what does it mean, in words?", None),
        ("taller than that mast?", "is it taller than that mast?"),
        ("less dear than the other one?", "is it less dear than the other one?"),
        ("rather than that mast?", None),
    ],
)
def test_two_words_for_one_thing_are_one(question: str, plain: str | None) -> None:
    assert reworded(question) == (plain or question)


def test_per_cent_is_one_unit() -> None:
    assert reworded("how many per cent pass it?") == "how many percent pass it?"
