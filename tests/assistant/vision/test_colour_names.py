"""Colours as people call them: paints in good light, in the shade, of a part alone."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.core.types import Frame
from assistant.vision.colour_names import colours_of

PAINTS = {
    "black": (15, 15, 18),
    "white": (235, 235, 230),
    "grey": (120, 120, 122),
    "red": (190, 25, 30),
    "orange": (240, 130, 20),
    "yellow": (245, 215, 30),
    "green": (40, 140, 60),
    "turquoise": (30, 180, 185),
    "blue": (30, 60, 170),
    "purple": (110, 40, 150),
    "pink": (240, 150, 180),
    "brown": (100, 60, 30),
    "beige": (215, 200, 165),
}


def sheet(colour: tuple[int, int, int], beside: tuple[int, int, int] = (250, 250, 250)) -> Frame:
    pixels = np.full((100, 120, 3), colour, np.uint8)
    pixels[:, 100:] = beside
    return Frame(pixels)


@pytest.mark.parametrize("name", PAINTS)
def test_paints_have_their_names(name: str):
    mask = np.zeros((100, 120), bool)
    mask[:, :100] = True
    assert colours_of(sheet(PAINTS[name]), mask) == [(name, 1.0)]


@pytest.mark.parametrize("name", ["red", "orange", "yellow", "green", "blue", "purple"])
def test_what_stands_in_the_shade_keeps_its_name(name: str):
    mask = np.zeros((100, 120), bool)
    mask[:, :100] = True
    shaded = tuple(int(v * 0.72) for v in PAINTS[name])
    assert colours_of(sheet(shaded), mask)[0][0] == name  # type: ignore[arg-type]


def test_shares_are_of_the_part_and_small_ones_are_left_out():
    frame = sheet(PAINTS["blue"], PAINTS["red"])
    assert colours_of(frame) == [("blue", pytest.approx(0.833, abs=0.01)), ("red", pytest.approx(0.167, abs=0.01))]
    mask = np.zeros((100, 120), bool)
    assert colours_of(frame, mask) == []
    mask[:, :107] = True
    assert colours_of(frame, mask) == [("blue", pytest.approx(0.935, abs=0.01))]


def test_a_dim_picture_is_told_as_if_it_were_lit():
    dim = tuple(int(v * 0.3) for v in PAINTS["orange"])
    assert colours_of(sheet(dim, (75, 75, 75)))[0][0] == "orange"  # type: ignore[arg-type]
