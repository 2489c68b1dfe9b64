"""What a question wants of the picture, in other words than the samples."""

from __future__ import annotations

import pytest

from assistant.scene.question import _SAMPLES, wanted

OTHER_WORDS = {
    "describe": ["Tell me what you can see", "What is in view right now?"],
    "identify": ["What sort of thing is this?", "What sort of object is that?"],
    "colour": ["What color is this jacket?", "Which colour has it?"],
    "title": ["What's the name of this book?", "Which board game is this?"],
    "author": ["Who is this book by?"],
    "brand": ["Which brand made this?", "What brand are my shoes?"],
    "translate": ["Could you translate that?", "How would you say this in English?"],
    "light": ["Is it too dark to see?", "Is my picture blurry?"],
    "any_text": ["Is there something written here?"],
    "hello": ["hi", "Good evening"],
    "thanks": ["thank you so much", "many thanks"],
    "abilities": ["what are you able to do?"],
    "": [
        "How much is it?",
        "When was this bridge built?",
        "Who founded the company that makes it?",
        "How many calories are in one serving?",
        "What time does the museum close?",
        "Is it older than the one on the left?",
        "Thanks, and how heavy is it?",
        "Hello, what does this cost?",
    ],
}


@pytest.mark.parametrize(("want", "question"), [(w, q) for w, questions in OTHER_WORDS.items() for q in questions])
def test_other_words_want_the_same(want: str, question: str):
    assert question not in _SAMPLES[want]  # type: ignore[index]
    assert wanted(question) == want
