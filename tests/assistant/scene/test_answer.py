"""What is said of a picture from the picture alone; the network's kinds are scripted, everything else is real."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistant.core.errors import NotReady
from assistant.core.types import Candidate, Frame
from assistant.scene import view as view_module
from assistant.scene.answer import from_picture, quoted, seen_in_words, small_talk
from assistant.scene.target import target_of
from assistant.scene.view import View
from assistant.understanding.plan import Plan, make_plan
from assistant.vision.kinds import Kind
from tests.assistant.reading.memory import EMPTY, MemoryKnowledge
from tests.assistant.scene.pictures import BLACK, look, page, read, thing
from tests.assistant.scene.test_blocks import COVER, POST

BLUE = (30, 60, 170)


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> list[Kind | None]:
    """The kind that the network would tell; nothing unless a test puts one in."""
    told: list[Kind | None] = [None]
    monkeypatch.setattr(view_module, "kind_of", lambda frame, thing=None, namer=None: told[0])
    return told


def plan(question: str) -> Plan:
    from assistant.core.types import Recognition

    nothing = Recognition(reason="nothing on this picture is among the things I can recognise")
    return make_plan(question, EMPTY, nothing, None, MemoryKnowledge([], []))  # type: ignore[arg-type]


def view(frame: Frame, lines: list | None = None, **quality: float) -> View:
    return View(frame, look(frame, **quality), read(lines or []))


def read_off(question: str, seen: View) -> str:
    answer = quoted(plan(question), seen, target_of(plan(question), seen.blocks))
    return " ".join(s.text for s in answer.sentences) or answer.reason if answer is not None else ""


def aimed_at(question: str, seen: View) -> list[str]:
    ids = target_of(plan(question), seen.blocks).ids
    return [line.text for line in seen.lines if line.id in ids]


def said(question: str, seen: View) -> str:
    answer = from_picture(plan(question), seen)
    return " ".join(s.text for s in answer.sentences) if answer is not None else ""


def test_a_cover_says_its_title_and_its_author(kind: Any):
    seen = view(page(COVER), COVER)
    assert said("What book is this?", seen) == "It says “QUIET RIVERS”, ALMA VERHOEVEN."
    assert said("Who wrote this book?", seen) == "The name on it is ALMA VERHOEVEN."
    assert said("What brand is it?", seen) == "The largest words on it are “QUIET RIVERS”."
    cited = from_picture(plan("Who is the author?"), seen)
    assert cited is not None
    assert cited.sentences[0].evidence_ids == ("text:3",)


def test_colours_are_those_of_the_thing_and_not_of_the_ground(kind: Any):
    assert said("What colour is it?", view(thing(BLUE))) == "What stands out here is mostly blue."
    answer = from_picture(plan("What colour is it?"), view(thing(BLUE)))
    assert answer is not None
    assert [(e.kind, e.source) for e in answer.evidence] == [("measured", "frame")]
    assert said("What colour is the sky?", view(thing(BLUE))) == ""


def test_a_marked_part_is_all_that_counts(kind: Any):
    pixels = np.full((400, 400, 3), 150, np.uint8)
    pixels[:, 200:] = BLUE
    frame = Frame(pixels)
    assert "blue" in said("What colour is it?", View(frame, look(frame), [], region=(220, 0, 400, 400)))
    assert "blue" not in said("What colour is it?", View(frame, look(frame), [], region=(0, 0, 180, 400)))


def test_a_kind_is_said_as_a_likeness_and_never_as_an_identity(kind: Any):
    kind[0] = Kind("espresso maker", 0.9, 1)
    assert said("What is this?", view(thing(BLUE))) == "It looks like an espresso maker; I don't know which one."
    answer = from_picture(plan("What is this?"), view(thing(BLUE)))
    assert answer is not None
    assert answer.evidence[0].kind == "kind"
    assert answer.evidence[0].subject is None


def test_what_has_no_kind_and_no_words_is_not_named(kind: Any):
    assert from_picture(plan("What is this?"), view(thing(BLUE))) is None
    words = from_picture(plan("What is this?"), view(page(COVER), COVER))
    assert words is not None
    assert words.sentences == ()
    assert "QUIET RIVERS" in words.reason


def test_a_picture_is_described_by_kind_colours_words_and_light(kind: Any):
    kind[0] = Kind("book jacket", 0.8, 1)
    seen = view(page(COVER), COVER, sharpness=5.0)
    assert said("What do you see?", seen) == (
        "It looks like a book jacket. The picture is mostly white. It says: “QUIET RIVERS walks between two towns ALMA "
        "VERHOEVEN”. The picture is blurred: hold still or come closer."
    )
    black = Frame(np.zeros((50, 50, 3), np.uint8))
    dark = View(black, look(black, brightness=0.0), [])
    assert said("Describe what is in front of me", dark) == "The picture is black all over: nothing can be seen on it."


@pytest.mark.parametrize(
    ("brightness", "sharpness", "words"),
    [(0.1, 200, "dark"), (0.9, 200, "very bright"), (0.5, 3, "blurred"), (0.5, 200, "bright and sharp enough")],
)
def test_the_light_is_told_as_measured(kind: Any, brightness: float, sharpness: float, words: str):
    seen = view(thing(BLUE), brightness=brightness, sharpness=sharpness)
    assert words in said("Is the picture too dark?", seen)


def test_text_is_there_or_not(kind: Any):
    assert said("Is there any text here?", view(thing(BLUE))) == "I can read no text here."
    assert "QUIET RIVERS" in said("Is there any text here?", view(page(COVER), COVER))


def test_translating_says_what_it_needs_and_what_was_read(kind: Any):
    answer = from_picture(plan("Translate this for me"), view(page(COVER), COVER))
    assert answer is not None
    assert answer.sentences == ()
    assert "needs a model" in answer.reason
    assert "QUIET RIVERS" in answer.reason


def test_the_panel_that_speaks_of_it_is_quoted_whole(kind: Any):
    post = view(page(POST), POST)
    assert read_off("On which day may I not park here?", post) == "It says: “NO PARKING TUESDAY 7 TO 8”."
    assert read_off("Who painted the ceiling of the chapel?", post) == ""


def test_a_table_is_read_by_its_rows(kind: Any):
    days = ("MONDAY", "TUESDAY", "FRIDAY")
    table = [(day, 40, 100 + 50 * n, 30, BLACK) for n, day in enumerate(days)]
    table += [(f"{9 + n} TO {17 + n}", 400, 100 + 50 * n, 30, BLACK) for n in range(3)]
    seen = view(page(table), table)
    assert len(aimed_at("Is it open on Tuesday?", seen)) == 6
    answer = read_off("What about Tuesday?", seen)
    assert not answer or "10 TO 18" in answer


def test_a_side_picks_the_lines(kind: Any):
    post = view(page(POST), POST)
    assert aimed_at("What does the lower one say?", post) == ["TWO HOURS", "EXCEPT PERMITS"]
    two = view(
        page(two_lines := [("LITTLE BY LITTLE", 40, 100, 40, BLACK), ("DAY BY DAY", 40, 160, 40, BLACK)]), two_lines
    )
    assert aimed_at("What does the lower one say?", two) == ["DAY BY DAY"]
    assert len(aimed_at("What does it all say?", post)) == 4
    assert read_off("What does the lower one say?", post) == "It says: “TWO HOURS EXCEPT PERMITS”."


def test_words_on_a_side_are_told_and_no_answer_to_what_stands_there(kind: Any):
    two = [("Junlto", 40, 100, 40, BLACK), ("Orvello", 600, 100, 40, BLACK)]
    assert "It says" not in read_off("Do you recognise the tin on the right?", view(page(two), two))


@pytest.mark.parametrize(
    "question",
    [
        "Which cook developed this product?",
        "So what's the current stock of this one here?",
        "What sort of story is this?",
    ],
)
def test_a_title_answers_only_who_asks_for_nothing_else(kind: Any, question: str):
    assert said(question, view(page(COVER), COVER)) == ""


def test_words_on_another_recognised_thing_are_no_title(kind: Any):
    seen = view(page(COVER), COVER)
    outline = seen.lines[0].outline_px
    medal = Candidate("Medal", 0.9, outline, {}, 0, "https://x.invalid/0")
    beside = View(seen.frame, seen.look, seen.lines, None, [medal])
    assert seen.lines[0].text not in said("What book is this?", beside)
    assert seen.lines[0].text in said("What book is this?", View(seen.frame, seen.look, seen.lines, medal, [medal]))


def test_one_letter_over_and_over_is_a_pattern_and_no_title(kind: Any):
    lines = [("田田田", 40, 100, 60, BLACK)]
    assert said("What brand is it?", view(page(lines), lines)) == ""


def test_whoever_is_told_nothing_is_told_what_was_seen(kind: Any):
    assert seen_in_words(view(thing(BLUE))) == "I see something mostly blue"
    nothing_stands_out = Frame(np.full((300, 400, 3), BLUE, np.uint8))
    assert seen_in_words(view(nothing_stands_out)) == "the picture is mostly blue"
    kind[0] = Kind("ball", 0.9, 11)
    assert seen_in_words(view(page(COVER), COVER)).startswith("it looks like a ball, and I read “QUIET RIVERS")


def test_the_next_question_over_a_frame_finds_what_was_worked_out(monkeypatch: pytest.MonkeyPatch):
    calls: list[Frame] = []
    monkeypatch.setattr(view_module, "kind_of", lambda frame, thing=None, namer=None: calls.append(frame))
    frame, other = thing(BLUE), thing(BLUE)
    for seen in (view(frame), view(frame), view(other)):
        assert seen.kind is None
    assert len(calls) == 2
    View(frame, look(frame), [], region=(0, 0, 100, 100)).kind  # noqa: B018
    assert len(calls) == 3


def test_without_the_network_the_rest_is_told(monkeypatch: pytest.MonkeyPatch):
    def missing(frame: Frame, thing: Any = None, namer: Any = None) -> None:
        raise NotReady("the package is not installed")

    monkeypatch.setattr(view_module, "kind_of", missing)
    assert said("What do you see?", view(thing(BLUE))) == "What stands out is mostly blue."


def test_small_talk_is_answered_and_questions_are_none():
    assert small_talk("thanks!") == "You’re welcome."
    assert "Show me something" in small_talk("Hello")
    assert "questions" in small_talk("what can you do?")
    assert small_talk("How heavy is it?") == ""


def test_small_print_beside_large_words_is_no_row_of_a_table(kind: Any):
    cover = [("Small Steps", 300, 100, 60, BLACK), ("Taken Daily", 300, 180, 60, BLACK)]
    badge = [("OVER", 60, 110, 24, BLACK), ("1 MILLION", 60, 140, 24, BLACK), ("COPIES SOLD", 60, 170, 24, BLACK)]
    answer = read_off("How many copies have been sold?", view(page(cover + badge), cover + badge))
    assert answer == "It says: “OVER 1 MILLION COPIES SOLD”."
