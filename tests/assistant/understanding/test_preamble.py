"""What is only told around a question, and what asks."""

from __future__ import annotations

import pytest

from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import asked_in, parse_clause


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("Our cellar is damp, so how long does this cheese keep?", "how long does this cheese keep?"),
        ("I bake on Sundays so could you tell me what the oven weighs?", "what the oven weighs?"),
        ("The ferry is late, so after how many minutes would it sail?", "after how many minutes would it sail?"),
        ("I'm a sailor, so may I take this rope aboard?", "may I take this rope aboard?"),
        ("I'd like to know if it's rare, so how many of this vase exist?", "how many of this vase exist?"),
        ("Would you be so kind and tell me the weight of this anvil?", "the weight of this anvil?"),
        ("Could you find out, please, which river it crosses?", "which river it crosses?"),
        ("Could you count for me the windows of this mill?", "count the windows of this mill?"),
        ("How wide is this raft, because I have to tow it through the lock?", "How wide is this raft?"),
        ("I need a lid for it. How wide is this pot? Could you check?", "How wide is this pot?"),
        ("Sorry to bother you, age of this oak?", "age of this oak?"),
        ("Good evening, one small question: where is this clock from?", "where is this clock from?"),
        ("My uncle says this trumpet is older than the horn, is he right?", "if this trumpet is older than the horn?"),
        ("I was told that it's edible, is that true?", "if it's edible?"),
        ("It sleeps all winter. Is that right?", "if It sleeps all winter?"),
        ("Please check: this cup is deeper than that one, isn't it?", "this cup is deeper than that one, isn't it?"),
        ("The firm behind it, do you know who leads it?", "who leads The firm behind it?"),
        ("On what day does it end, when it began on Monday?", "On what day does it end, when it began on Monday?"),
    ],
)
def test_the_story_is_set_apart_from_the_question(said: str, asks: str) -> None:
    assert asking_clause(said) == asks


@pytest.mark.parametrize(
    "said",
    [
        "is the loft so low that one must stoop?",
        "is it so that it rains in?",
        "why are there so many holes in it?",
        "Somebody had to carve it, so who did?",
        "does it come with oil so I can start at once?",
        "is it shut because of the works?",
        "if I need the wider one, should I take this or the Oriel?",
    ],
)
def test_what_asks_as_a_whole_stays_whole(said: str) -> None:
    assert asking_clause(said) == said


@pytest.mark.parametrize(
    ("said", "kind", "dimensions"),
    [
        ("will it carry her when she rides?", "yesno", set()),
        ("could it stand where there are 70 cm?", "yesno", set()),
        ("who was in charge when the mill burnt?", "person", set()),
        ("does the plate tell us when it was cast?", "date", {"date"}),
        ("is it known where it was cast?", "place", set()),
        ("to which harbour must I go when I want to see it?", "any", set()),
        ("what sum is the harp insured for?", "quantity", {"money"}),
        ("what percentage of it is wool?", "quantity", {"percent"}),
        ("which tools must I buy for it?", "any", set()),
        ("how many square metres does the tent have?", "quantity", {"area"}),
        ("how many km/h does the sledge reach?", "quantity", {"speed"}),
        ("what number of oars has this galley?", "count", {"count", ""}),
        ("how big a crew does the raft need?", "count", {"count", ""}),
        ("how many thousand years old is the bog oak?", "quantity", {"time"}),
    ],
)
def test_the_kind_of_answer_is_told_by_what_asks(said: str, kind: str, dimensions: set[str]) -> None:
    expected = parse_clause(asking_clause(said)).expected
    assert (expected.kind, set(expected.dimensions)) == (kind, dimensions)


@pytest.mark.parametrize(
    ("said", "operation"),
    [
        ("do the moss and the fern grow together?", "yesno"),
        ("how many crowns do I get together with the cup?", "lookup"),
        ("what do the two lamps cost together?", "sum"),
        ("what does it cost together with the other one?", "sum"),
        ("how many hours later may I open the kiln?", "lookup"),
        ("how many years later was this one built than that one?", "difference"),
    ],
)
def test_what_is_added_up_and_what_only_goes_together(said: str, operation: str) -> None:
    assert asked_in(said).operation == operation


@pytest.mark.parametrize(
    ("core", "compared"),
    [
        ("is it possible to make the light of this torch softer?", False),
        ("can one turn the sound of it lower?", False),
        ("does it get warmer than that one?", True),
        ("is this torch softer?", True),
    ],
)
def test_what_is_done_to_it_is_no_comparison(core: str, compared: bool) -> None:
    assert (parse_clause(core).scale is not None) is compared
