"""Lines of text that belong together, by where they stand, how high they are and the colour of their letters."""

from __future__ import annotations

from assistant.scene.blocks import blocks_of
from tests.assistant.scene.pictures import BLACK, GREEN, RED, page, read

COVER = [
    ("QUIET", 60, 100, 90, BLACK),
    ("RIVERS", 60, 200, 90, BLACK),
    ("walks between two towns", 60, 320, 26, BLACK),
    ("ALMA VERHOEVEN", 60, 700, 40, BLACK),
]
POST = [
    ("NO PARKING", 60, 100, 40, RED),
    ("TUESDAY 7 TO 8", 60, 150, 40, RED),
    ("TWO HOURS", 60, 200, 40, GREEN),
    ("EXCEPT PERMITS", 60, 250, 40, GREEN),
]


def texts(lines: list) -> list[str]:
    return [block.text for block in blocks_of(read(lines), page(lines))]


def test_a_title_of_two_lines_is_one_block_and_what_is_smaller_is_another():
    assert texts(COVER) == ["QUIET RIVERS", "walks between two towns", "ALMA VERHOEVEN"]


def test_panels_close_to_each_other_are_told_apart_by_their_ink():
    assert texts(POST) == ["NO PARKING TUESDAY 7 TO 8", "TWO HOURS EXCEPT PERMITS"]


def test_every_line_is_in_one_block_with_its_confidence():
    lines = [*read(COVER)[:1], *read(COVER, 0.6)[3:]]
    blocks = blocks_of(lines, page(COVER))
    assert sorted(line.text for block in blocks for line in block.lines) == ["ALMA VERHOEVEN", "QUIET"]
    assert {block.confidence for block in blocks} == {0.6, 0.99}


def test_lines_without_a_place_are_left_out_and_nothing_gives_nothing():
    assert blocks_of([], page([])) == []
    outside = [("AWAY", 5000, 5000, 40, BLACK)]
    assert texts(outside) == ["AWAY"]  # an outline beyond the frame is no error
