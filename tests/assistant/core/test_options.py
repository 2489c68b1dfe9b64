"""What a visitor may change about one turn: a part of the frame, a stage left out, evidence taken away or exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.agent import Assistant
from assistant.core.events import Looked, Recognised, StageFinished
from assistant.core.options import SET_ASIDE, Conditions, box_on
from assistant.core.types import Candidate, Conversation, Evidence, Frame, TextLine
from assistant.pipelines.base import Tools
from assistant.reading.counterfactual import around, make_counterfactual
from assistant.recognition.region import MARGIN, Cut, cut, inside
from tests.assistant.test_agent import Recogniser, TextReader, final, noise

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def knowledge(small_index):
    from assistant.index.knowledge import Knowledge

    return Knowledge.open(small_index)


@pytest.fixture(scope="module")
def known(knowledge):
    """An indexed entity that has relatives with the same keys, and a figure of it."""
    for name in knowledge.names:
        record = knowledge.entity(name)
        for key, value in record.attributes.items():
            fact = Evidence(f"attr0:{key}", "attribute", name, f"{key}: {value}", 0.9, name, key, value)
            if (value or "")[:1].isdigit() and make_counterfactual(fact, "", (), knowledge) is not None:
                return record, fact
    raise AssertionError("no entity of the small world has a relative")


def candidate(record, outline) -> Candidate:
    return Candidate(record.name, 0.9, outline, record.attributes, record.indexes[0], record.image_urls[0])


def box_outline(left, top, right, bottom):
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def asked(assistant: Assistant, question: str, frame: Frame | None, **changed):
    events = list(assistant.answer(Conversation("c"), question, frame, conditions=Conditions(**changed)))
    return final(events), events


@pytest.mark.parametrize(
    ("corners", "box"),
    [
        ((0.25, 0.5, 0.75, 1.0), (80, 120, 240, 240)),
        ((0.75, 1.0, 0.25, 0.5), (80, 120, 240, 240)),  # drawn from the other corner
        ((-3.0, -1.0, 2.0, 9.0), (0, 0, 320, 240)),
        ((0.5, 0.5, 0.501, 0.9), None),
        ((0.5, 0.5, float("nan"), 0.9), None),
    ],
)
def test_a_box_lies_on_the_frame_or_is_none(corners, box):
    assert box_on(noise(), *corners) == box


def test_a_part_is_cut_with_a_margin_and_its_outlines_go_back():
    frame = noise()
    part = cut(frame, (100, 60, 200, 160))
    assert part.left_px == 100 - MARGIN * 100
    assert part.scale == 3.0  # small parts are enlarged
    outline = box_outline(100.0, 60.0, 200.0, 160.0)
    assert part.back(part.onto(outline)) == outline
    large = Frame(np.zeros((2000, 2000, 3), np.uint8))
    assert cut(large, (0, 0, 1500, 1500)).scale == 1.0
    assert isinstance(part, Cut)


def test_only_what_lies_in_the_box_counts():
    thing = Candidate("thing", 0.9, box_outline(0, 0, 50, 50), {}, 0, "")
    assert inside([thing], (0, 0, 60, 60)) == [thing]
    assert inside([thing], (10, 10, 20, 20)) == [thing]  # a part of it fills the box
    assert inside([thing], (40, 40, 200, 200)) == []


class AsTall(Recogniser):
    """Finds its candidate on any frame, in the middle."""

    def __init__(self, record, only_on_height: int | None = None):
        super().__init__()
        self.record, self.only = record, only_on_height

    def decide(self, frame, proposal, texts, codes):
        if self.only not in (None, frame.height_px):
            return ()
        w, h = frame.width_px, frame.height_px
        return (candidate(self.record, box_outline(w * 0.25, h * 0.25, w * 0.75, h * 0.75)),)


def test_a_marked_part_is_recognised_and_read_in_the_frames_own_pixels(knowledge, known):
    record, _ = known
    reader = TextReader("INSIDE", *[f"LINE {n}" for n in range(20)])
    assistant = Assistant(tools=Tools(knowledge), recogniser=AsTall(record), text_reader=reader)
    box = (120.0, 80.0, 220.0, 180.0)
    turn, events = asked(assistant, "What is this?", noise(), region_px=box)
    assert turn.answer.text == f"This is {record.name}."
    assert turn.frame_digest == noise().digest
    outline = next(e for e in events if isinstance(e, Recognised)).recognition.entity.outline_px
    assert all(box[0] <= x <= box[2] and box[1] <= y <= box[3] for x, y in outline)
    look = next(e for e in events if isinstance(e, Looked)).look
    assert 0 < len(look.texts) < 21  # lines below the box are not in it
    for line in look.texts:
        y = sum(p[1] for p in line.outline_px) / 4
        assert box[1] <= y <= box[3]


def test_what_the_close_view_does_not_show_is_looked_for_on_the_whole_frame(knowledge, known):
    record, _ = known
    frame = noise()
    assistant = Assistant(tools=Tools(knowledge), recogniser=AsTall(record, frame.height_px), text_reader=TextReader())
    turn, events = asked(assistant, "What is this?", frame, region_px=(70.0, 50.0, 250.0, 190.0))
    assert turn.answer.entity.name == record.name
    notes = [e.note for e in events if isinstance(e, StageFinished) and e.stage == "recognise"]
    assert notes == ["1 recognised in the marked part, on the whole picture"]
    nothing, _ = asked(assistant, "What is this?", frame, region_px=(0.0, 0.0, 60.0, 50.0))
    assert nothing.answer.status == "abstained"
    assert "marked part" in nothing.answer.text


def test_parts_are_forgotten_with_their_frame(knowledge):
    reader = TextReader("HELLO")
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=reader)
    for _ in range(2):
        asked(assistant, "What does it say?", noise(), region_px=(50.0, 50.0, 250.0, 200.0))
    once = reader.calls
    assistant.forget(noise().digest)
    asked(assistant, "What does it say?", noise(), region_px=(50.0, 50.0, 250.0, 200.0))
    assert reader.calls == 2 * once


def test_stages_can_be_left_out_and_are_not_mistaken_for_the_usual(knowledge):
    reader = TextReader("NO SWIMMING")
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=reader)
    usual, _ = asked(assistant, "What does it say?", noise())
    unread, _ = asked(assistant, "What does it say?", noise(), read_text=False)
    assert "NO SWIMMING" in usual.answer.text
    assert unread.answer.status == "abstained"
    again, _ = asked(assistant, "What does it say?", noise())
    assert again.answer.text == usual.answer.text
    assert reader.calls == 1


def test_a_dark_frame_can_be_taken_as_it_is(knowledge):
    dark = Frame((np.random.default_rng(1).integers(0, 40, (240, 320, 3))).astype(np.uint8))
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader("X"))
    _, events = asked(assistant, "What does it say?", dark)
    assert next(e for e in events if isinstance(e, Looked)).look.corrections
    _, events = asked(assistant, "What does it say?", dark, correct=False)
    assert not next(e for e in events if isinstance(e, Looked)).look.corrections


def test_without_the_check_an_unsupported_sentence_is_let_through(knowledge, monkeypatch):
    monkeypatch.setattr("assistant.reading.grounding.grounding_problem", lambda *_: "no")
    assistant = Assistant(tools=Tools(knowledge), recogniser=Recogniser(), text_reader=TextReader("NO SWIMMING"))
    held, _ = asked(assistant, "What does it say?", noise())
    assert held.answer.status == "abstained"
    let, events = asked(assistant, "What does it say?", noise(), check=False)
    assert "NO SWIMMING" in let.answer.text
    assert "switched off" in [e.note for e in events if isinstance(e, StageFinished)]


def test_an_answer_follows_its_evidence(knowledge, known):
    """Taken away: it does not know. Exchanged: it says what now stands there. Nothing is looked at again."""
    record, fact = known
    recogniser = AsTall(record)
    assistant = Assistant(tools=Tools(knowledge), recogniser=recogniser, text_reader=TextReader())
    question = f"What is its {fact.key.replace('_', ' ')}?"
    usual, _ = asked(assistant, question, noise())
    stored = tuple(e for e in usual.answer.evidence if e.id in (fact.id, "entity:0"))
    assert len(stored) == 2
    alone, _ = asked(assistant, question, noise(), evidence=stored)
    assert alone.answer.status == "answered"
    without, _ = asked(assistant, question, noise(), evidence=stored[:1])
    assert without.answer.status == "abstained"
    sibling, other = assistant.exchange(stored[1], question)
    assert sibling != record.name
    exchanged, _ = asked(assistant, question, noise(), evidence=(stored[0], other))
    assert exchanged.answer.text != alone.answer.text
    assert (other.id, other.subject, other.key) == (stored[1].id, stored[1].subject, stored[1].key)
    assert recogniser.calls == 1


def test_what_was_recognised_can_be_set_aside_or_taken_for_a_relative(knowledge, known):
    record, _ = known
    assistant = Assistant(tools=Tools(knowledge), recogniser=AsTall(record), text_reader=TextReader())
    aside, _ = asked(assistant, "What is this?", noise(), recognised=False)
    assert aside.answer.status == "abstained"
    assert SET_ASIDE in aside.answer.text
    entity = Evidence("entity:0", "entity", "", record.name, 0.9, subject=record.name)
    name, _ = assistant.exchange(entity, "What is this?")
    taken, events = asked(assistant, "What is this?", noise(), entity=name)
    assert taken.answer.text == f"This is {name}."
    seen = next(e for e in events if isinstance(e, Recognised)).recognition.entity
    assert seen.outline_px == box_outline(80, 60, 240, 180)  # where the thing is does not change


def test_relatives_are_tried_once_and_text_on_the_frame_has_none(knowledge, known):
    _, fact = known
    tried: tuple[str, ...] = ()
    while (found := make_counterfactual(fact, "", tried, knowledge)) is not None:
        assert found[0] not in tried
        assert found[1].value != fact.value
        tried = (*tried, found[0])
    assert tried
    line = Evidence("text:0", "text", "frame", "HELLO", 0.9)
    assert make_counterfactual(line, "", (), knowledge) is None
    assert make_counterfactual(replace(fact, subject="never heard of"), "", (), knowledge) is None


def test_a_passage_is_shown_where_it_stands(knowledge):
    chunk = knowledge.search("price", k=1)[0]
    words = " ".join(chunk.text.split())
    middle = words[60:120]
    before, after = around(Evidence("p", "passage", chunk.url, middle, 0.5), knowledge)
    assert words.startswith((before + " " + middle)[:20].removeprefix("… ")) or before.startswith("…")
    assert f"{before.removeprefix('… ')}" in words
    assert after.removesuffix(" …") in words
    assert around(Evidence("p", "passage", chunk.url, "never written", 0.5), knowledge) == ("", "")
    assert around(Evidence("t", "text", "frame", middle, 0.5), knowledge) == ("", "")


def test_lines_read_keep_their_confidence(knowledge):
    line = TextLine("A", 0.7, box_outline(10, 10, 20, 20))
    assert replace(line, outline_px=cut(noise(), (0, 0, 100, 100)).back(line.outline_px)).confidence == 0.7


def test_a_guess_is_taken_only_where_it_is_asked_for_and_nothing_is_sure(knowledge, known):
    record, fact = known

    class Unsure(Recogniser):
        sure: tuple[Candidate, ...] = ()

        def decide(self, frame, proposal, texts, codes):
            return self.sure

        def guess(self, frame, proposal, texts):
            return (replace(candidate(record, box_outline(0, 0, 320, 240)), confidence=0.07),)

    recogniser = Unsure()
    assistant = Assistant(tools=Tools(knowledge), recogniser=recogniser, text_reader=TextReader())  # type: ignore[arg-type]
    frame = noise(5)
    question = f"What is its {fact.key.replace('_', ' ')}?"
    usual, _ = asked(assistant, question, frame)
    guessed, _ = asked(assistant, question, frame, guess=True)
    assert (usual.answer.status, usual.answer.entity) == ("abstained", None)
    assert guessed.answer.entity is not None
    assert (guessed.answer.entity.name, guessed.answer.entity.confidence) == (record.name, 0.07)
    assert asked(assistant, question, frame)[0].answer.entity is None  # a guess is not remembered as what was seen
    recogniser.sure = (candidate(record, box_outline(0, 0, 320, 240)),)
    other = noise(6)
    assert asked(assistant, question, other, guess=True)[0].answer.entity.confidence == 0.9


def test_a_relative_that_files_the_fact_under_another_key_is_found(knowledge, monkeypatch):
    from assistant.understanding.reference.relatives import sibling_entities

    subject = next(n for n in knowledge.names if sibling_entities(n, knowledge))
    nearest = sibling_entities(subject, knowledge)
    real = knowledge.entity

    def entity(name):
        record = real(name)
        if name == subject:
            return record
        kept = {"designed_by": "Ann Quill", "weight": "3 kg"} if name in nearest else {}
        return replace(record, attributes=kept) if record else None

    monkeypatch.setattr(knowledge, "entity", entity)
    fact = Evidence("attr0:designer", "attribute", subject, "designer: Bo Ost", 0.9, subject, "designer", "Bo Ost")
    name, other = make_counterfactual(fact, "Who designed this?", (), knowledge)
    assert name in nearest
    assert (other.key, other.value) == ("designer", "Ann Quill")
    assert (
        make_counterfactual(fact, "How loud is it?", (), knowledge) is None
    )  # what the relatives say answers another question
