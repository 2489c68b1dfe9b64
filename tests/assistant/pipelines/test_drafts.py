"""What is being written is told while it grows, as unchecked, and only where something unchecked may be seen."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from assistant.core.events import Drafted, Event, Finished, SentenceReady, StageStarted
from assistant.core.types import Answer, Sentence, Turn
from assistant.models.sentences import SentenceParser
from assistant.ui.html.turns import render_turn
from assistant.ui.state.runs import Run
from assistant.ui.state.turn_view import TurnView, project
from tests import scripted_chat
from tests.assistant.pipelines.presets import FakeSearch, assistant, turn_of
from tests.assistant.pipelines.presets import events as events_of

SCRIPT = [{"match": "Question", "reply": "The lid is green and has a red knob. [picture] It is a kettle. [memory]"}]


@pytest.fixture(scope="module")
def knowledge(small_index):
    from assistant.index.knowledge import Knowledge

    return Knowledge.open(small_index)


def drafts(events: Sequence[Event]) -> list[str]:
    return [e.text for e in events if isinstance(e, Drafted)]


def asked(knowledge: Any, **options: Any) -> list[Event]:
    with scripted_chat.start("--chunk-delay", "0.09", script=SCRIPT) as server:
        answering = assistant("mm-llm", server, knowledge, FakeSearch(), **options)
        answering._tools.model._thinks_first = False  # as after its first whole reply
        return events_of(answering, "What colour is the lid?")


def test_the_sentence_grows_and_is_then_itself(knowledge):
    events = asked(knowledge)
    found = drafts(events)
    assert found[0] == "The"
    first = events.index(next(e for e in events if isinstance(e, SentenceReady)))
    growing = drafts(events[:first])
    assert len(growing) >= 5
    assert all("The lid is green and has a red knob. It is a".startswith(text) for text in growing)
    assert growing == sorted(growing, key=len)
    assert all("[" not in text for text in found)
    assert any(text.startswith("It") for text in drafts(events[first:]))


def test_no_trace_keeps_a_draft(knowledge):
    events = asked(knowledge)
    assert drafts(events)
    assert "answer" in turn_of(events).timings_ms
    assert turn_of(events).answer.text == "The lid is green and has a red knob. It is a kettle."


@pytest.mark.parametrize("options", [{"strictness": "severe"}, {"for_run": True}])
def test_where_nothing_unchecked_may_be_seen_there_is_none(knowledge, options):
    assert drafts(asked(knowledge, **options)) == []


def test_thinking_is_no_draft_and_half_a_mark_is_none():
    parser = SentenceParser()
    parser.feed("<think>It may be red", may_be_thinking=False)
    assert parser.draft == ""
    parser.feed(".</think>The lid is gre")
    assert parser.draft == "The lid is gre"
    parser.feed("en. [pict")
    assert parser.draft == "The lid is green."
    untold = SentenceParser()
    untold.feed("So the lid may be", may_be_thinking=True)
    assert untold.draft == ""
    tagged = SentenceParser()
    tagged.feed("The lid <thi")
    assert tagged.draft == "The lid"


def test_a_page_shows_the_last_draft_only_until_the_sentence_comes():
    run = Run(TurnView(1, "What colour?"), time.monotonic)
    for event in (StageStarted("answer"), Drafted("The <b>lid"), Drafted("The <b>lid is")):
        run.add(event)
    shown = render_turn(run.view())
    assert shown.count("v-draft") == 1
    assert "The &lt;b&gt;lid is" in shown
    assert len(run._events) == 2
    run.add(SentenceReady(Sentence("The lid is green.", (), "picture")))
    assert "v-draft" not in render_turn(run.view())
    run.add(Drafted("It co"))
    assert "v-draft" in render_turn(run.view())
    ended = Turn("What colour?", Answer("I don't know.", "abstained"))
    assert project(1, "What colour?", [(0.0, Drafted("It co")), (1.0, Finished(ended))]).draft == ""
