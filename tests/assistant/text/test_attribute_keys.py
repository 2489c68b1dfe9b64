"""Keys of attributes as English, and which extent a sentence gives."""

from __future__ import annotations

import pytest

from assistant.reading.scoring.extents import of_another_side, of_the_whole
from assistant.text.attribute_keys import spoken_key, stated_value


@pytest.mark.parametrize(
    ("key", "spoken"),
    [
        ("dim_w", "width"),
        ("size_h", "height"),
        ("frame_dim_d", "frame depth"),
        ("dims_l", "length"),
        ("format_w", "width"),
        ("power_w", "power"),
        ("netWeight_g", "net weight"),
        ("size", "size"),
        ("loa_m", "overall length"),
    ],
)
def test_keys_are_said_in_words(key: str, spoken: str) -> None:
    assert spoken_key(key) == spoken


@pytest.mark.parametrize(
    ("text", "question", "another"),
    [
        ("Only 23 metres wide, so breathe in.", "how long is it?", True),
        ("Only 23 metres wide, so breathe in.", "what is its width?", False),
        ("From the foot to the top it measures 9 m.", "what is its length?", True),
        ("From the foot to the top it measures 9 m.", "how high is it?", False),
        ("It is 9 m long and 3 m wide.", "how long is it?", False),
        ("From wing tip to wing tip it is 2 m.", "how tall is it?", True),
        ("From wing tip to wing tip it is 2 m.", "how wide are its wings?", False),
        ("It is 9 m to the far side.", "how long is it?", False),
        ("Only 23 metres wide, so breathe in.", "how long is it covered?", False),
        ("It stands 9 m tall.", "what does it cost?", False),
        ("With 2 metres below the waterline it keeps off the sand.", "from bow to stern, how many metres?", True),
        ("With 2 metres below the waterline it keeps off the sand.", "how deep does it go?", False),
        ("It runs on wheels of 50 cm.", "what width are its rims?", True),
        ("It runs on wheels of 50 cm.", "how big are its wheels?", False),
        ("overall length: 18 m", "how many metres is it across?", True),
        ("beam: 4 m", "how many metres is it across?", False),
        ("height: 80 cm", "if I walked along the fence, how far?", True),
        ("length: 12 m", "how many metres it is across", True),
        ("loa: 12 m", "what is its beam?", True),
        ("beam: 4 m", "what is its beam?", False),
        ("overall length: 12 m", "how long is it?", False),
    ],
)
def test_an_extent_is_not_another(text: str, question: str, another: bool) -> None:
    assert of_another_side(text, [question]) == another


def test_a_side_is_no_unit() -> None:
    assert stated_value("dim_h", "12") == "12"
    assert stated_value("power_w", "12") == "12 w"


@pytest.mark.parametrize(
    ("text", "question", "whole"),
    [
        ("height: 2 m", "the blossom size of this shrub", True),
        ("It grows up to 2 m.", "how big are its berries?", True),
        ("length: 40 cm", "what's the length of the handle?", True),
        ("handle length: 40 cm", "what's the length of the handle?", False),
        ("The cord is 2 m long.", "how long is the cable?", False),
        ("height: 2 m", "how tall is the shrub with the berries?", False),
        ("It costs 2 euros.", "how big are its berries?", False),
        ("Its wings are 20 cm long.", "how big is the bill?", True),
        ("The beak is 2 cm long.", "how big is the bill?", False),
        ("price: €12", "what does a new handle cost?", True),
        ("A handle is €2 more.", "what does a new handle cost?", False),
        ("price: €12", "what does the flower cost?", False),
        ("price: €12", "what does the one with the handle cost?", False),
        ("diagonal: 80 cm", "what's the screen size?", False),
        ("It rises to a height of 30 m.", "how tall is the roof?", True),
        ("I would have said 30 metres of height.", "how tall is the dome?", True),
        ("material: granite", "what's the roof made of?", True),
        ("It is built of granite and slate.", "what are the pillars made of?", True),
        ("It is built of granite, the roof of slate.", "what's the roof made of?", False),
        ("material: granite", "what's it made of?", False),
        ("soles: rubber", "what are the soles made of?", False),
    ],
)
def test_a_measure_of_the_whole_is_none_of_a_part(text: str, question: str, whole: bool) -> None:
    assert of_the_whole(text, question) is whole
