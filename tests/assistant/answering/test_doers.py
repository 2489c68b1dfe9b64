"""Whose age is asked for at something that was done."""

from __future__ import annotations

import pytest

from assistant.answering.doers import doers_age, tells_doer


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("what age was the poet when these verses were first printed?", "the poet"),
        (
            "when the lemma was cracked, how many years had the woman who cracked it been alive?",
            "the person who proved it",
        ),
        ("how old was whoever discovered this salt when it was first isolated?", "the person who discovered it"),
        ("how old is the poet who wrote this?", None),
        ("how old was the mill when it was launched?", None),
        ("when was it first printed?", None),
    ],
)
def test_the_doer_and_the_deed_are_read_off_the_question(question: str, who: str | None) -> None:
    found = doers_age(question)
    assert (found[0] if found else None) == who


def test_who_teaches_it_has_not_proved_it() -> None:
    assert tells_doer("proved_by: Ines Vole", "the person who proved it")
    assert not tells_doer("lecturer: Ines Vole", "the person who proved it")
    assert not tells_doer("The class is given by Ines Vole.", "the person who proved it")
