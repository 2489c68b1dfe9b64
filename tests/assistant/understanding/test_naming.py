"""Asking for a name in many ways, and asking for something else in nearly the same words."""

from __future__ import annotations

import pytest

from assistant.understanding.clause import asking_clause
from assistant.understanding.naming import asks_name, may_want_the_name
from tests.assistant.reading.asking import answer
from tests.assistant.reading.memory import load


@pytest.mark.parametrize(
    "question",
    [
        "what's this thing",
        "By what name is that painting known?",
        "what exactly is the kettle next to it, which model",
        "what would you call the green thing in my hand",
        "could you name the tree behind it?",
        "the bottle over there, what is it called?",
        "tell me what the one on the shelf is",
        "I'd love to know what that bird over there is called",
        "What kettle is it?",
        "which cultivar is the rose next to that?",
        "please identify the lamp on the table for us",
        "can you look up the name of the boat in front of me?",
        "the one that I am holding, what is it called",
        "do you know what the van is",
        "what's the breed of the small dog?",
        "which cultivar is the shrub?",
        "what kind of lorry is this?",
        "could you say which novel this novel is",
        "that jar, what do shops list it as?",
        "as what is... I mean, what is the jar sold as?",
        "tell me what that jar is sold as",
        "what make and model is the boat?",
        "which cultivar is the purple one?",
        "identify the pale blue one",
        "the breed of the cat by the window?",
        "which one of theirs is the clock on the shelf?",
        "which of their teapots is this?",
        "can you look up the name of this make of lamp?",
        "what would the curator print beneath the stone here?",
        "how do botanists call this bush?",
        "what should I type to find this lamp online?",
    ],
)
def test_asks_for_the_name(question: str) -> None:
    assert asks_name(asking_clause(question)) or asks_name(question)


@pytest.mark.parametrize(
    "question",
    [
        "what is the maker called?",
        "the one who began the firm behind it, what's the name?",
        "whoever made this, what is the name",
        "what is the name of its designer?",
        "what's the name of the firm behind it?",
        "by what name is the founder of it known?",
        "what is the series of this called?",
        "what colour is this?",
        "what do potters call the glaze of this teapot?",
        "what is the knob on this called?",
        "how do sailors call the back of that boat?",
        "what brand is this?",
        "what kind of bridge is this?",
        "what is the price of the van?",
        "what does the van cost",
        "what is the van's engine?",
        "what kind of fuel is it?",
        "what is the jam sold for?",
        "which motor is the van sold with?",
        "what is the weight of the dog?",
        "which town is the bridge in?",
        "what is this worth?",
        "what is that in pounds?",
        "which line does this run on?",
        "what is the town called where it stands?",
        "name of whoever painted this",
        "what's the name of the owner",
        "title of its publisher",
        "what's the fine here?",
        "what is the speed limit over there?",
        "what did the artist write on this?",
        "what do critics call this?",
        "who's the owner here?",
        "who is the vicar there?",
        "which leather is this?",
        "what would you call its bark?",
        "what is its lid called?",
    ],
)
def test_asks_for_something_else(question: str) -> None:
    assert not asks_name(asking_clause(question))
    assert not asks_name(question)


@pytest.mark.parametrize(
    ("question", "open_"),
    [
        ("the smell of this one?", False),
        ("concerts at this hall?", False),
        ("what would a botanist call that one?", True),
        ("what do gardeners call the shrub on the left?", True),
        ("what do gardeners call the scent of the shrub on the left?", False),
        ("which lens have I got mounted", True),
        ("the firm which bakes the other one", False),
        ("what's the name of the one who baked it?", False),
        ("name of the singer who praises this?", False),
        ("title of the book on the left?", True),
        ("its proper name?", True),
        ("the company that imports the other one", False),
        ("the one that I am holding", True),
        ("I lift the lid of this one, what's in there?", False),
        ("what's inside?", False),
        ("what's in this picture?", True),
        ("what is that in there?", True),
        ("which bits of it can be bought singly?", False),
        ("do they have it in stock, what's the number?", False),
        ("what's in there?", False),
        ("what do you call its lid?", False),
        ("what do you call it?", True),
        ("what is inside it?", False),
        ("what's that in there?", True),
        ("what's in front of me?", True),
        ("what's the number?", False),
        ("what is its total weight?", False),
        ("what's the breed?", True),
        ("which screws of this one can be replaced?", False),
        ("which species of these is this?", True),
    ],
)
def test_words_that_leave_open_whether_the_name_is_wanted(question: str, open_: bool) -> None:
    assert may_want_the_name(asking_clause(question)) == open_


@pytest.mark.parametrize("question", ["name of the mayor?", "what's the name of the river in the town?"])
def test_the_name_of_somebody_else(question: str) -> None:
    assert not asks_name(asking_clause(question))


@pytest.mark.parametrize(
    ("question", "identifies"),
    [
        ("what is the drill called?", True),
        ("what's the drill?", True),
        ("what's the charger?", False),
        ("what's the weight?", False),
    ],
)
def test_a_word_for_its_kind_alone_asks_what_it_is(question: str, identifies: bool) -> None:
    _, _, _, plan = answer(load("tools"), question, "Gannet GX-4 Drill")
    assert (plan.intent == "identify") == identifies
