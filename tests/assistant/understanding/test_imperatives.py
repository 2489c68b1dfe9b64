"""Orders, statements and what is asked behind the verb, put as questions."""

from __future__ import annotations

import pytest

from assistant.understanding.paraphrases.imperatives import asked_before, put_as_question, turned_round


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Kindly verify whether the jug on the sill holds two litres.", "does the jug on the sill hold two litres?"),
        ("Hi, please confirm that this rope can carry 200 kg.", "Hi, can this rope carry 200 kg?"),
        ("Let me know if it has pockets, please.", "does it have pockets?"),
        ("Determine the overall length of the raft.", "what is the overall length of the raft?"),
        ("Bought on 3 May 2026, specify the date of expiry.", None),
        ("Bought on 3 May 2026, specify the date of its expiry.", None),
        ("Report when it was last painted.", "when it was last painted?"),
        (
            "Out of the whole fleet, pick the one with the fewest oars.",
            "Out of the whole fleet, which is the one with the fewest oars?",
        ),
        ("Name the town where this loom was put together.", "in which town was this loom put together?"),
        ("I'd like to know the lake on which the village lies.", "on which lake does the village lie?"),
        ("this loom weighs more than that one, doesn't it?", "does this loom weigh more than that one?"),
        ("It doesn't bite, does it?", "does it bite?"),
        ("the goat I'm looking at likes thistles, right?", "does the goat I'm looking at like thistles?"),
        ("nettles — are those among what the goat eats?", "are nettles among what the goat eats?"),
        ("Tell me, if I want the sweeter one, is it this tea or that one?", None),
        ("does it fit?", None),
        ("name the others in the set", None),
        ("what is this, then?", None),
        ("add up what they cost", None),
    ],
)
def test_orders_and_tagged_statements_are_questions(said: str, asked: str | None) -> None:
    if asked is None and said.startswith("Bought"):
        assert "what is the date of" in put_as_question(said)
        return
    assert put_as_question(said) == (asked or said)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("this canoe was carved by whom?", "by whom was this canoe carved?"),
        ("the goat likes which herbs?", "which herbs does the goat like?"),
        ("six trips on the raft come to how much?", "how much do six trips on the raft come to?"),
        ("this loom is called what, exactly?", "what is this loom called?"),
        ("the raft has how many oars in all?", "how many oars does the raft have?"),
        ("9 charges of the saw take how long?", "how long do 9 charges of the saw take?"),
        ("I know how much it weighs", None),
        ("the town where it was carved?", None),
        ("the person who carved it?", None),
        ("which one is it, this or that?", None),
    ],
)
def test_what_is_asked_comes_before_its_verb(said: str, asked: str | None) -> None:
    assert asked_before(said) == (asked or said)


def test_a_statement_without_a_verb_that_is_seen_is_left_alone() -> None:
    assert turned_round("two grey geese over the pond") is None
    assert turned_round("the box of nails") is None
