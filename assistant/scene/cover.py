"""What a cover, a package or a plate says by the size and the place of its words: its title, a name, a make."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.scene.blocks import Block
from assistant.text.english import FUNCTION_WORDS

#: Words read less surely than this are not taken for a name.
_SURELY_READ = 0.8
#: A title's letters are so many times as high as those of any other block but one.
_STANDS_OUT = 1.25
#: What comes so near to the border, as a share of the width, may go on beyond it.
_BORDER = 0.015
#: A title or a make has at most so many words.
_MOST_WORDS = 8


def title(blocks: Sequence[Block], width_px: int | None = None) -> Block | None:
    """The block in the largest letters; None where several are as large, it was not surely read, or the picture of
    `width_px` cuts it off on the left or on the right.
    """
    worded = [b for b in blocks if any(map(_is_word, b.text.split()))]
    order = sorted(worded, key=lambda b: -b.height_px)
    if not order or order[0].confidence < _SURELY_READ or len(order[0].text.split()) > _MOST_WORDS:
        return None
    if len(order) > 2 and order[0].height_px < _STANDS_OUT * order[2].height_px:
        return None
    if width_px is not None and _cut_off(order[0], width_px):
        return None
    return order[0]


def _is_word(word: str) -> bool:
    """Letters, and not one over and over: that is a pattern taken for text."""
    return re.fullmatch(r"[^\W\d_]{2,}\W*", word) is not None and len(set(word.lower())) > 1


def _cut_off(block: Block, width_px: int) -> bool:
    across = [x for line in block.lines for x, _ in line.outline_px or ()]
    return min(across) < _BORDER * width_px or max(across) > (1 - _BORDER) * width_px


def person(blocks: Sequence[Block]) -> Block | None:
    """The block that has the shape of a person's name and is not the title; the one in the largest letters of them."""
    main = title(blocks)
    shaped = [b for b in blocks if b is not main and b.confidence >= _SURELY_READ and _like_a_name(b.text)]
    return max(shaped, key=lambda b: b.height_px, default=None)


def _like_a_name(text: str) -> bool:
    """Two to four words in capitals or with capitals, none of them a small word or with a digit."""
    words = text.split()
    if not 2 <= len(words) <= 4 or any(word.lower() in FUNCTION_WORDS for word in words):
        return False
    return all(re.fullmatch(r"[^\W\d_](?:[^\W\d_]|['’.-])*", word) and word[0].isupper() for word in words)
