"""Reading order of pieces of text, without any reading."""

import numpy as np
import pytest

from assistant.vision.layout import Piece, in_reading_order


def piece(text: str, x: float, y: float, height: float = 20.0, turn_deg: float = 0.0) -> Piece:
    width = 0.6 * height * len(text)
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    return Piece(text, 0.9, corners @ np.array([[c, s], [-s, c]]))


def order(pieces) -> list[str]:
    return [line.text for line in in_reading_order(pieces)]


COLUMNS = [
    *(piece(f"left {i} words", 0, 33 * i) for i in range(3)),
    *(piece(f"right {i} words", 400, 14 + 30 * i, 15) for i in range(3)),
]
TABLE = [p for i in range(3) for p in (piece(f"name {i}", 0, 40 * i), piece(f"price {i}", 500, 40 * i + 2))]


@pytest.mark.parametrize("turn_deg", [0, 12, 90, 180, 270, -75])
def test_order_does_not_depend_on_how_the_page_lies(turn_deg: float):
    lines = ["first line", "second line", "third"]
    assert order([piece(t, 0, 40 * i, turn_deg=turn_deg) for i, t in enumerate(lines)][::-1]) == lines


def test_independent_columns_are_read_one_after_the_other():
    assert order(COLUMNS) == [f"left {i} words" for i in range(3)] + [f"right {i} words" for i in range(3)]


def test_tables_are_read_row_by_row():
    assert order(TABLE) == [t for i in range(3) for t in (f"name {i}", f"price {i}")]


def test_neighbours_of_a_row_become_one_line():
    (line,) = in_reading_order([piece("Day By", 0, 0), piece("Day", 80, 1)])
    assert line.text == "Day By Day"
    xs = [x for x, _ in line.outline_px]
    assert (min(xs), max(xs)) == pytest.approx((0, 116), abs=0.1)


def test_large_and_small_on_one_row_stay_apart():
    assert len(in_reading_order([piece("BIG", 0, 0, 60), piece("small", 115, 20, 18)])) == 2


def test_nothing():
    assert in_reading_order([]) == ()
