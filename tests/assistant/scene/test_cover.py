"""The title and the name on a cover, by size and shape."""

from __future__ import annotations

import pytest

from assistant.scene.blocks import Block, blocks_of
from assistant.scene.cover import person, title
from tests.assistant.scene.pictures import BLACK, page, read
from tests.assistant.scene.test_blocks import COVER


def blocks(lines: list, confidence: float = 0.99) -> list[Block]:
    return blocks_of(read(lines, confidence), page(lines))


def text(block: Block | None) -> str:
    return block.text if block is not None else ""


def test_the_title_is_in_the_largest_letters_and_the_name_is_shaped_like_one():
    assert text(title(blocks(COVER))) == "QUIET RIVERS"
    assert text(person(blocks(COVER))) == "ALMA VERHOEVEN"


def test_what_is_read_unsurely_is_no_title_and_no_name():
    assert title(blocks(COVER, 0.7)) is None
    assert person(blocks(COVER, 0.7)) is None


def test_a_page_of_equal_lines_has_no_title():
    lines = [(f"line {word} of a letter", 40, 60 + 120 * n, 30, BLACK) for n, word in enumerate(("one", "two", "six"))]
    assert title(blocks(lines)) is None


def test_a_title_that_the_border_cuts_off_is_none():
    lines = [("ANDYLAND", 2, 100, 90, BLACK), ("a game for all", 60, 300, 26, BLACK)]
    assert title(blocks(lines), width_px=600) is None
    assert text(title(blocks(lines))) == "ANDYLAND"


@pytest.mark.parametrize("words", ["Over 2 Million", "the best of", "Remarkable Results, Now", "ONE", "a b c d e"])
def test_what_is_not_shaped_like_a_name_names_nobody(words: str):
    assert person(blocks([*COVER[:3], (words, 60, 700, 40, BLACK)])) is None
