"""Two questions asked in one breath."""

import pytest

from assistant.understanding.compound_question import parts


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("how long is it and who made it?", ("how long is it?", "who made it?")),
        ("How long is it? Who made it?", ("How long is it?", "Who made it?")),
        ("What is this and where does it come from", ("What is this?", "where does it come from?")),
        ("who designed it, and is it open on Sunday?", ("who designed it?", "is it open on Sunday?")),
        ("How long is it and is it heavy?", ("How long is it?", "is it heavy?")),
        ("that lamp, is it heavy? how much exactly?", ("that lamp, is it heavy?", "how much exactly?")),
        ("when was it built, and by whom?", ("when was it built?", "by whom?")),
    ],
)
def test_both_are_found(question: str, found: tuple[str, ...]):
    assert parts(question) == found


@pytest.mark.parametrize(
    "question",
    [
        "",
        "???",
        "which one is heavier, the red or the blue?",
        "Is it older than the bridge and the tower?",
        "What did the person who made it and who also built the tower do?",
        "We are 6. What do we pay at that tower over there?",
        "I have this here and there is another one; which is newer?",
        "I have a cupboard of 7 cm. Does the box on the right fit?",
        "who made it and what is it and where is it and when was it built?",
    ],
)
def test_one_question_stays_one(question: str):
    assert parts(question) == ()


def test_ten_thousand_characters_take_no_time():
    assert parts("and who " * 1250) == ()
