"""On one frame a conversation stays with what it is about, and what is not known stays unknown."""

from __future__ import annotations

import pytest

from assistant.core.types import Answer, Candidate, Conversation, Recognition, Turn
from assistant.understanding.reference.focus import kept_in_focus, recent_subjects
from assistant.understanding.reference.resolve import resolve
from tests.assistant.reading.memory import load

LEFT = Candidate("Gannet GX-4 Drill", 0.9, ((0, 0), (10, 0), (10, 10), (0, 10)), {"type": "drill"}, 0, "")
RIGHT = Candidate("Gannet GX-5 Drill", 0.9, ((20, 0), (30, 0), (30, 10), (20, 10)), {"type": "drill"}, 1, "")
BOTH = (LEFT.name, RIGHT.name)


def seen(entity: Candidate | None, *, meant: tuple[str, ...] = BOTH, pointed: bool = False, reason: str = ""):
    return Recognition((LEFT, RIGHT), entity, reason, meant, pointed, seen_before=True)


def after(*turns: tuple[str, tuple[str, ...]], status: str = "answered", reason: str = "", entity=None):
    made = (Turn(q, Answer("said", status, reason, (), entity, ()), "frame", names) for q, names in turns)
    return Conversation("c", tuple(made))


def test_what_points_at_nothing_stays_with_what_was_spoken_of():
    talk = after(("what is the right drill?", (RIGHT.name,)))
    assert kept_in_focus(seen(LEFT), talk, "how heavy is it?").entity is RIGHT
    assert kept_in_focus(seen(LEFT, meant=(LEFT.name,), pointed=True), talk, "how heavy is it?").entity is LEFT
    assert kept_in_focus(seen(None), talk, "how heavy is it?").entity is None
    assert (
        kept_in_focus(Recognition((LEFT, RIGHT), LEFT, meant=BOTH), talk, "how heavy is it?").entity is LEFT
    )  # another frame


def test_over_there_stands_another_of_the_kind():
    talk = after(("what is the right drill?", (RIGHT.name,)))
    asked = "and what is the drill over there called?"
    assert kept_in_focus(seen(LEFT), talk, asked).entity is LEFT
    assert kept_in_focus(seen(LEFT, meant=(RIGHT.name,)), talk, asked).entity is RIGHT
    again = after(("what is the drill over there?", (RIGHT.name,)))
    assert kept_in_focus(seen(LEFT), again, asked).entity is RIGHT


def test_what_was_not_known_is_not_taken_for_what_is():
    why = "what I recognise on this picture is no kettle"
    talk = after(("how heavy is this kettle?", ()), status="abstained", reason=why)
    knowledge = load("tools")
    going_on = ("how heavy is that one?", "and what does it cost?", "is this one new?", "who makes the range?")
    for question in (*going_on, "what does this whole range weigh?"):
        found = resolve(question, question, talk, seen(LEFT), None, knowledge, False)
        assert (found.names, found.reason) == ((), why)
    for question in ("what is this, then?", "what is it?", "how heavy is this?"):
        assert resolve(question, question, talk, seen(LEFT), None, knowledge, False).names == (LEFT.name,)
    asked = "how heavy is the other one?"
    assert resolve(asked, asked, talk, seen(LEFT), None, knowledge, False).names
    asked = "how heavy is that drill?"
    assert resolve(asked, asked, talk, seen(LEFT, pointed=True), None, knowledge, False).names == (LEFT.name,)


def test_a_thing_of_a_kind_that_nothing_in_view_is_is_not_what_was_spoken_of_before():
    why = "what I recognise on this picture is no book"
    talk = after(("how heavy is this drill?", (LEFT.name,)))
    asked = "who wrote the book?"
    found = resolve(asked, asked, talk, seen(None, reason=why), None, load("tools"), False)
    assert (found.names, found.reason) == ((), why)


@pytest.mark.parametrize(
    ("question", "first"),
    [("how many people live there?", "Gannet GX-4 Drill"), ("and Marrow Cross, how big is that?", "Marrow Cross")],
)
def test_a_place_that_was_spoken_of_in_passing_is_not_it(question: str, first: str):
    talk = after(("what does it weigh?", (LEFT.name,)), (question, ("Marrow Cross", LEFT.name)))
    assert recent_subjects(talk)[0] == first


@pytest.mark.parametrize(
    "question",
    [
        "what's heavier, the GX-5 or this drill?",
        "which of the two is cheaper, I mean the GX-5 and this drill?",
        "is the GX-5 newer?",
        "out of the GX-5 and this one, pick the lighter one",
    ],
)
def test_a_comparison_leaves_it_with_what_was_spoken_of_before(question: str):
    talk = after(("what does it weigh?", (LEFT.name,)), (question, (RIGHT.name, LEFT.name)))
    assert recent_subjects(talk)[0] == LEFT.name
    first = after((question, (RIGHT.name, LEFT.name)), entity=LEFT)
    assert recent_subjects(first)[0] == LEFT.name


def test_what_only_sounds_like_a_comparison_goes_on_with_what_it_names():
    talk = after(("what does it weigh?", (LEFT.name,)), ("does the GX-5 have a charger?", (RIGHT.name, LEFT.name)))
    assert recent_subjects(talk)[0] == RIGHT.name


def test_how_many_are_there_speaks_of_no_place():
    answered = Answer("Ida Brand made it.", "answered", "", (), None, ())
    talk = Conversation("c", (Turn("who made it?", answered, "frame", (LEFT.name,)),))
    for asked, first in (("how many speeds are there?", LEFT.name), ("how many work there?", "Ida Brand")):
        assert resolve(asked, asked, talk, seen(LEFT), None, load("tools"), False).names[0] == first


def test_after_a_whole_group_it_is_still_what_was_spoken_of():
    three = (RIGHT.name, LEFT.name, "Gannet GX-6 Drill")
    talk = after(("what does this weigh?", (LEFT.name,)), ("which of the series is the oldest?", three))
    assert recent_subjects(talk)[0] == LEFT.name
    alone = after(("which of the series is the oldest?", three), entity=LEFT)
    assert recent_subjects(alone)[0] == LEFT.name
    elsewhere = after(("how high is it?", ("Marrow Cross",)), ("which of the series is the oldest?", three))
    assert recent_subjects(elsewhere)[0] == RIGHT.name


def test_the_other_one_is_meant_before_what_is_asked_of_it():
    talk = after(("what does it weigh?", (LEFT.name,)))
    for question, core, first in (
        ("if I take the other one, how heavy is it?", "how heavy is it?", RIGHT.name),
        ("say I buy the other drill, what does that cost?", "what does that cost?", RIGHT.name),
        ("this looks older than the other one, how heavy is it?", "how heavy is it?", LEFT.name),
    ):
        found = resolve(core, question, talk, seen(LEFT), None, load("tools"), False)
        assert found.names[0] == first


def test_what_stands_beside_it_and_is_not_known_is_not_it():
    why = "what I recognise on this picture is no jar"
    talk = after(("how heavy is this drill?", (LEFT.name,)))
    asked = "if the jar next to it was opened today, when is the end of it?"
    found = resolve("when is the end of it?", asked, talk, seen(None, reason=why), None, load("tools"), False)
    assert (found.names, found.reason) == ((), why)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("which one is heavier?", BOTH),
        ("is the Gannet GX-4 Drill heavier?", BOTH),
        ("which is the heaviest in the range of the Gannet GX-4 Drill?", BOTH[:1]),
        ("which is the heaviest among all of its new series?", BOTH[:1]),
    ],
)
def test_what_stands_beside_it_is_not_of_its_group(question: str, names: tuple[str, ...]):
    found = resolve(question, question, Conversation("c"), seen(LEFT), None, load("tools"), True)
    assert found.names == names


def test_what_is_pointed_at_before_the_question_is_what_it_is_about():
    talk = after(("how heavy is the right one?", (RIGHT.name,)), ("and the left one?", (LEFT.name,)))
    pointed = seen(RIGHT, meant=(RIGHT.name,), pointed=True)
    for question, recognition, first in (
        ("the one on the right, how heavy is it?", pointed, RIGHT.name),
        ("if I lift the right one, how heavy is it?", pointed, RIGHT.name),
        ("how heavy is it?", seen(RIGHT), LEFT.name),
    ):
        found = resolve("how heavy is it?", question, talk, recognition, None, load("tools"), False)
        assert found.names[0] == first
