"""The embedded reader's turns about what the picture itself shows: before the index is read, and after it is silent."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.agent import Assistant
from assistant.core.options import Conditions
from assistant.core.types import REFUSAL, Answer, Candidate, Conversation, Frame, TextLine
from assistant.index.knowledge import Knowledge
from assistant.pipelines.base import Tools
from assistant.scene import view as view_module
from assistant.vision.kinds import Kind
from tests.assistant.scene.pictures import Line, page, read, thing
from tests.assistant.scene.test_blocks import COVER, POST
from tests.assistant.test_agent import Recogniser, final

BLUE = (30, 60, 170)


class Reads:
    """Reads what was drawn; counts how often it is asked."""

    def __init__(self, lines: list[Line]) -> None:
        found = [(e.text, e.outline_px) for e in read(lines)]
        self.lines, self.calls = tuple(TextLine(text, 0.99, outline or ()) for text, outline in found), 0

    def read(self, frame: Frame) -> tuple[TextLine, ...]:
        self.calls += 1
        return self.lines


@pytest.fixture(autouse=True)
def no_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_module, "kind_of", lambda frame, thing=None, namer=None: None)


@pytest.fixture(scope="module")
def knowledge(small_index: Any) -> Knowledge:
    return Knowledge.open(small_index)


def ask(
    knowledge: Knowledge,
    question: str,
    frame: Frame | None,
    lines: list[Line] | None = None,
    *,
    candidates: tuple[Candidate, ...] = (),
    for_run: bool = False,
    conditions: Conditions | None = None,
) -> Answer:
    assistant = Assistant(
        tools=Tools(knowledge, for_run=for_run), recogniser=Recogniser(candidates), text_reader=Reads(lines or [])
    )
    options = {"conditions": conditions} if conditions is not None else {}
    return final(list(assistant.answer(Conversation("c"), question, frame, **options))).answer


def test_a_cover_that_nobody_indexed_says_who_wrote_it(knowledge: Knowledge):
    answer = ask(knowledge, "Who wrote this book?", page(COVER), COVER)
    assert (answer.status, answer.text) == ("answered", "The name on it is ALMA VERHOEVEN.")
    cited = [e for e in answer.evidence if e.id in answer.sentences[0].evidence_ids]
    assert [e.text for e in cited] == ["ALMA VERHOEVEN"]


def test_a_panel_is_quoted_and_its_neighbour_is_not(knowledge: Knowledge):
    answer = ask(knowledge, "On which day may I not park here?", page(POST), POST)
    assert answer.status == "answered"
    assert "TUESDAY" in answer.text
    assert "PERMITS" not in answer.text


def test_the_lower_lines_are_read_alone(knowledge: Knowledge):
    answer = ask(knowledge, "What does the lower one say?", page(POST), POST)
    assert answer.text == "It says: “TWO HOURS EXCEPT PERMITS”."


def test_colours_come_as_evidence_of_their_own(knowledge: Knowledge):
    answer = ask(knowledge, "What colour is it?", thing(BLUE))
    assert answer.text == "What stands out here is mostly blue."
    assert [(e.id, e.kind) for e in answer.evidence] == [("measured:0", "measured")]
    assert answer.entity is None


def test_what_is_not_known_begins_with_the_refusal_and_tells_what_was_seen(knowledge: Knowledge):
    answer = ask(knowledge, "How much does it weigh?", thing(BLUE))
    assert answer.status == "abstained"
    assert answer.text.startswith(f"{REFUSAL}: I see something mostly blue; ")
    assert "recognise" in answer.text


def test_in_runs_nobody_reads_what_was_seen(knowledge: Knowledge):
    answer = ask(knowledge, "How much does it weigh?", thing(BLUE), for_run=True)
    assert answer.text == f"{REFUSAL}: nothing on this picture is among the things I can recognise."


def test_a_kind_alone_is_an_abstention_for_the_benchmarks_rule(knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(view_module, "kind_of", lambda frame, thing=None, namer=None: Kind("teapot", 0.97, 1))
    answer = ask(knowledge, "What is this?", thing(BLUE))
    assert answer.text == "It looks like a teapot; I don't know which one."
    assert [e.kind for e in answer.evidence] == ["kind"]


def test_small_talk_needs_no_picture_and_looks_at_none(knowledge: Knowledge):
    reader = Reads([])
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=reader)
    answer = final(list(assistant.answer(Conversation("c"), "Thank you!", thing(BLUE)))).answer
    assert (answer.status, answer.text, answer.evidence) == ("answered", "You’re welcome.", ())
    assert reader.calls == 0
    assert ask(knowledge, "Hello", None).status == "answered"


def test_without_a_picture_there_is_none_to_speak_of(knowledge: Knowledge):
    answer = ask(knowledge, "What do you see?", None)
    assert answer.status == "abstained"
    assert "no picture" in answer.text


def test_who_switches_off_the_card_switches_off_the_answer(knowledge: Knowledge):
    without = Conditions(evidence=())
    assert ask(knowledge, "What colour is it?", thing(BLUE), conditions=without).status == "abstained"


def test_a_recognised_things_own_colour_is_measured(knowledge: Knowledge):
    outline = ((100.0, 100.0), (300.0, 100.0), (300.0, 300.0), (100.0, 300.0))
    known = Candidate("Quill pot", 0.95, outline, {"colour": "red"}, 0, "https://x.invalid/0")
    answer = ask(knowledge, "What colour is it?", thing(BLUE), candidates=(known,))
    assert answer.text.startswith("Quill pot is mostly blue")
    assert [e for e in answer.evidence if e.kind == "measured" and e.subject == "Quill pot"]


def test_what_is_recognised_is_named_with_its_place(knowledge: Knowledge):
    def at(left: float, name: str) -> Candidate:
        outline = ((left, 100.0), (left + 80, 100.0), (left + 80, 300.0), (left, 300.0))
        return Candidate(name, 0.95, outline, {}, 0, "https://x.invalid/0")

    two = (at(300, "Quill pot"), at(10, "Oak stool"))
    answer = ask(knowledge, "What do you see?", thing(BLUE), candidates=two)
    assert answer.text.startswith("I recognise 2 things: Oak stool on the left and Quill pot on the right.")
    assert {e.text for e in answer.evidence if e.id in answer.sentences[0].evidence_ids} == {"Oak stool", "Quill pot"}
    one = ask(knowledge, "What do you see?", thing(BLUE), candidates=two[1:])
    assert one.text.startswith("I recognise Oak stool.")
