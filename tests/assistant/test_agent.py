"""The stages in order, the statuses, the memory of frames. Rooms that the case is not about are scripted."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from assistant.agent import Assistant
from assistant.core.events import (
    Event,
    EvidenceFound,
    Finished,
    Looked,
    Planned,
    Recognised,
    SentenceReady,
    StageFinished,
)
from assistant.core.turn_builder import refusal
from assistant.core.types import Candidate, Code, Conversation, Evidence, Frame, TextLine
from assistant.pipelines.base import Tools


class Recogniser:
    """Counts its calls; finds what it is told to find."""

    def __init__(self, candidates: tuple[Candidate, ...] = ()):
        self.candidates, self.calls = candidates, 0

    def propose(self, frame: Frame) -> str:
        self.calls += 1
        return "proposal"

    def decide(self, frame: Frame, proposal: str, texts: Sequence[TextLine], codes: Sequence[Code]) -> Any:
        return self.candidates


class TextReader:
    def __init__(self, *lines: str):
        self.lines, self.calls = lines, 0

    def read(self, frame: Frame) -> tuple[TextLine, ...]:
        self.calls += 1
        box = [(10.0, 10.0), (200.0, 10.0), (200.0, 40.0), (10.0, 40.0)]
        return tuple(TextLine(t, 0.99, tuple((x, y + 50 * n) for x, y in box)) for n, t in enumerate(self.lines))


class Broken(TextReader):
    def read(self, frame: Frame) -> tuple[TextLine, ...]:
        raise RuntimeError("secret detail")


@pytest.fixture(scope="module")
def knowledge(small_index):
    from assistant.index.knowledge import Knowledge

    return Knowledge.open(small_index)


def noise(seed: int = 0) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 255, (240, 320, 3), dtype=np.uint8))


def final(events: list[Event]):
    assert isinstance(events[-1], Finished)
    assert sum(isinstance(e, Finished) for e in events) == 1
    return events[-1].turn


def test_events_come_in_the_order_of_a_turn(knowledge):
    assistant = Assistant(
        tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader("NO SWIMMING", "Deep water")
    )
    events = list(assistant.answer(Conversation("c"), "What does this sign say?", noise()))
    kinds = [type(e) for e in events if not isinstance(e, StageFinished)]
    order = [kinds.index(k) for k in (Looked, Recognised, Planned, EvidenceFound, SentenceReady, Finished)]
    assert order == sorted(order)
    turn = final(events)
    assert turn.answer.status == "answered"
    assert "NO SWIMMING" in turn.answer.text
    assert "Deep water" in turn.answer.text
    assert {"look", "recognise", "plan", "retrieve", "answer", "check"} <= set(turn.timings_ms)
    used = {i for s in turn.answer.sentences for i in s.evidence_ids}
    assert used
    assert used <= {e.id for e in turn.answer.evidence}


def test_unknown_things_are_not_claimed(knowledge):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader())
    turn = final(list(assistant.answer(Conversation("c"), "Who makes this?", noise())))
    assert turn.answer.status == "abstained"
    assert turn.answer.text.startswith("I don't know")
    assert turn.answer.entity is None
    assert turn.answer.reason


def test_a_black_frame_asks_for_another(knowledge):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader())
    black = Frame(np.zeros((120, 160, 3), np.uint8))
    turn = final(list(assistant.answer(Conversation("c"), "How much does it weigh?", black)))
    assert turn.answer.status == "retake"
    assert turn.answer.text.startswith("I don't know")


def test_a_failing_room_is_a_status_not_an_answer(knowledge):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=Broken())
    turn = final(list(assistant.answer(Conversation("c"), "What is this?", noise())))
    assert turn.answer.status == "error"
    assert turn.answer.text == ""
    assert "secret" not in turn.answer.reason


def test_cancelling_ends_the_turn(knowledge):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader("HELLO"))
    stop = threading.Event()
    stop.set()
    turn = final(list(assistant.answer(Conversation("c"), "What does it say?", noise(), cancelled=stop)))
    assert turn.answer.status == "cancelled"


def test_a_turn_that_takes_too_long_ends(knowledge):
    ticks = iter(range(0, 10_000, 7))
    assistant = Assistant(
        tools=Tools(knowledge),
        recogniser=Recogniser(),
        text_reader=TextReader("HELLO"),
        clock=lambda: float(next(ticks)),
    )
    turn = final(list(assistant.answer(Conversation("c"), "What does it say?", noise())))
    assert turn.answer.status == "timeout"


def test_follow_ups_keep_the_picture_and_do_not_look_again(knowledge):
    recogniser, reader = Recogniser(), TextReader("NO SWIMMING", "CALL 555 0134")
    assistant = Assistant(tools=Tools(knowledge), recogniser=recogniser, text_reader=reader)
    conversation = Conversation("c")
    conversation = conversation.with_turn(final(list(assistant.answer(conversation, "What does this say?", noise()))))
    turn = final(list(assistant.answer(conversation, "What is the phone number on it?", None)))
    assert "555 0134" in turn.answer.text
    assert (recogniser.calls, reader.calls) == (1, 1)


def test_a_forgotten_frame_is_gone(knowledge):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader("NO SWIMMING"))
    conversation = Conversation("c")
    conversation = conversation.with_turn(final(list(assistant.answer(conversation, "What does this say?", noise()))))
    assistant.forget(noise().digest)
    turn = final(list(assistant.answer(conversation, "What does it say?", None)))
    assert turn.answer.status == "abstained"


@pytest.mark.parametrize("question", ["", "   ", "🙂🙂🙂", "what " * 2500, "\x00\x07", "<script>alert(1)</script>"])
def test_odd_questions_end_in_a_sentence(knowledge, question):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader())
    turn = final(list(assistant.answer(Conversation("c"), question, noise())))
    assert turn.answer.status == "abstained"
    assert turn.answer.text.startswith("I don't know")
    assert len(turn.answer.text) < 400
    assert "<script" not in turn.answer.text


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("", "I don't know."),
        ("nothing found", "I don't know: nothing found."),
        ("I don't know: it is dark.", "I don't know: it is dark."),
    ],
)
def test_every_refusal_begins_with_the_words_of_the_public_rule(reason, text):
    assert refusal(reason) == text


@pytest.mark.slow
def test_vouched_evidence_is_all_that_is_known_and_tells_what_is_in_view(knowledge):
    pages = {n: [p for p in knowledge.search(n, k=6) if n in p.title] for n in knowledge.names[:20]}
    name = next(n for n, found in pages.items() if found)
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader())
    page = pages[name][0]
    handed = Evidence("p", "passage", page.url, page.text, 0.0, title=page.title)
    given = {"evidence": (handed,), "vouched": True}
    turn = final(list(assistant.answer(Conversation("c"), "what do they say about it?", noise(), given=given)))
    assert turn.subjects == (name,)
    assert {(e.kind, e.source) for e in turn.answer.evidence if e.kind != "entity"} == {("passage", page.url)}
    unvouched = {"evidence": (handed,)}
    unseen = final(list(assistant.answer(Conversation("c"), "what do they say about it?", noise(), given=unvouched)))
    assert not unseen.subjects
    lost = final(list(assistant.answer(Conversation("c"), "what do they say about it?", noise())))
    assert not lost.subjects


def test_two_questions_in_one_are_both_answered(knowledge):
    reader = TextReader("NO SWIMMING", "CALL 555 0134", "www.lake.example")
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=reader)
    asked = "What is the phone number on it and what is the website on it?"
    events = list(assistant.answer(Conversation("c"), asked, noise()))
    turn = final(events)
    assert turn.answer.status == "answered"
    assert "555 0134" in turn.answer.text
    assert "lake.example" in turn.answer.text
    assert [s.text for s in turn.answer.sentences] == [e.sentence.text for e in events if isinstance(e, SentenceReady)]
    known = {e.id for e in turn.answer.evidence}
    assert all(set(s.evidence_ids) <= known for s in turn.answer.sentences)
    assert reader.calls == 1


def test_the_half_that_finds_no_answer_is_named(knowledge):
    reader = TextReader("NO SWIMMING", "CALL 555 0134", "www.lake.example")
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=reader)
    turn = final(list(assistant.answer(Conversation("c"), "How heavy is it and what is the website on it?", noise())))
    assert "lake.example" in turn.answer.text
    assert turn.answer.text.endswith("I don't know: How heavy is it?")


def test_two_questions_without_an_answer_are_refused_once(knowledge):
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader("NO SWIMMING"))
    turn = final(list(assistant.answer(Conversation("c"), "Who composed it and how heavy is it?", noise())))
    assert turn.answer.status == "abstained"
    assert turn.answer.text.count("I don't know") == 1
