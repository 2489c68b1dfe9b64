"""Text on a frame against text of an indexed picture: numbers that tell siblings apart."""

from __future__ import annotations

import pytest

from assistant.core.types import TextLine
from assistant.text.agreement import other_number


def _line(text: str, top: float, confidence: float = 0.98) -> TextLine:
    return TextLine(text, confidence, ((10.0, top), (210.0, top), (210.0, top + 30), (10.0, top + 30)))


@pytest.mark.parametrize(
    ("indexed", "seen", "another"),
    [
        (_line("Cordless Drill KB-58", 50), _line("Cordless Drill KB-82", 52), True),
        (_line("Harwin KB-24", 50), _line("Marwin KB-45", 52), True),
        (_line("Harwin KB-24", 50), _line("Harwin KB-24", 52), False),
        (_line("Harwin KB-24", 50), _line("Harwin KB-29", 52), False),  # one digit may be misread
        (_line("Harwin KB-24", 50), _line("Harwin KB-45", 52, 0.7), False),  # not surely read
        (_line("Harwin KB-24", 50), _line("Harwin KB-45", 300), False),  # elsewhere on it
        (_line("NET 460 g", 50), _line("PAGES 127", 52), False),  # other words
        (_line("12", 50), _line("87", 52), False),  # no words at all
    ],
)
def test_the_same_words_with_another_number_are_of_a_sibling(indexed: TextLine, seen: TextLine, another: bool):
    assert other_number([indexed], [seen]) is another
