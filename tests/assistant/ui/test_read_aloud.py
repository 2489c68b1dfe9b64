"""Answers read aloud and questions heard, without a browser: what is fed to whom, in which order, and what ends it."""

from __future__ import annotations

import base64
import re
import threading
import time
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from assistant.core.errors import BadInput, NotReady
from assistant.speech.hearing import Heard
from assistant.speech.process import Cancelled
from assistant.speech.recording import BROKEN, MAX_BYTES
from assistant.ui.state.sessions import Session, SessionStore
from assistant.ui.tab.read_aloud import Readings
from assistant.ui.tab.voice import Voice
from tests.assistant.ui.test_sessions import a_store, asked
from tests.e2e.scripted import HOSTILE, NAME, ScriptedAssistant, a_frame

pytestmark = pytest.mark.slow


class Mouth:
    """A speaker whose sound is the words; `said` keeps who was told what."""

    missing = ""

    def __init__(self, pause_s: float = 0.0):
        self.pause_s = pause_s
        self.said: list[tuple[str, str]] = []

    def speak(self, text: str, *, voice: str, owner: str, cancelled: threading.Event) -> bytes:
        time.sleep(self.pause_s)
        if cancelled.is_set():
            raise Cancelled("stopped")
        if self.missing:
            raise NotReady(self.missing)
        self.said.append((owner, text))
        return text.encode()


def clips(feed: str) -> list[tuple[int, str]]:
    found = re.findall(r'data-sentence="(\d+)" data-src="data:audio/wav;base64,([^"]*)"', feed)
    return [(int(n), base64.b64decode(data).decode()) for n, data in found]


def a_session(script: ScriptedAssistant | None = None) -> tuple[SessionStore, Session]:
    store = a_store(script or ScriptedAssistant())
    session = store.new()
    session.take_frame(a_frame())
    return store, session


def test_sentences_come_in_order_and_the_time_stands_with_the_turn():
    store, session = a_session()
    asked(store, session, "What is the price?")
    mouth = Mouth(pause_s=0.01)
    feeds = list(Readings(mouth).read(session, 1, "t"))
    words = [s.text for s in session.views[0].sentences]
    assert clips(feeds[-1]) == [(1, words[0]), (2, words[1])]
    assert [len(clips(feed)) for feed in feeds] == [1, 2, 2]
    assert all(later.startswith(earlier) for earlier, later in pairwise(feeds))  # gradio sends the rest
    assert 'data-end="1"' in feeds[-1]
    assert {owner for owner, _ in mouth.said} == {session.id}
    stage = session.views[0].stages[-1]
    assert (stage.stage, stage.state) == ("speak", "done")
    assert 20 <= stage.ms < 2000
    assert "first sound" in stage.note
    assert stage.end_ms - stage.start_ms == pytest.approx(stage.ms)
    list(Readings(mouth).read(session, 1, "t"))  # read again: one time, not two
    assert [s.stage for s in session.views[0].stages].count("speak") == 1


def test_the_first_sentence_is_sound_before_the_last_is_written():
    store, session = a_session(ScriptedAssistant(pause_s=0.15))
    run = store.ask(session, "What is the price?")
    first = next(Readings(Mouth()).read(session, 1, "t"))
    assert len(clips(first)) == 1
    assert not run.finished
    run.stop()


def test_a_refusal_and_a_mistake_are_read_and_a_stopped_turn_is_not():
    store, session = a_session()
    asked(store, session, "Who founded it?")
    (refusal,) = [text for _, text in clips(list(Readings(Mouth()).read(session, 1, "t"))[-1])][:1]
    assert refusal.startswith(f"I don't know: {NAME}")
    asked(store, session, "crash")
    assert "went wrong" in clips(list(Readings(Mouth()).read(session, 2, "t"))[-1])[0][1]
    store.ask(session, "What is the price?").stop()
    while session.run is not None:
        time.sleep(0.01)
    assert clips("".join(Readings(Mouth()).read(session, 3, "t"))) == []


def test_stopping_a_turn_ends_its_reading():
    store, session = a_session(ScriptedAssistant(pause_s=0.2))
    run = store.ask(session, "What is the price?")
    reading = Readings(Mouth()).read(session, 1, "t")
    next(reading)
    run.stop()
    assert len(clips(list(reading)[-1])) == 1


@pytest.mark.parametrize("how", ["stop", "newer"])
def test_a_reading_ends_when_it_is_told_to_or_another_begins(how: str):
    store, session = a_session()
    asked(store, session, "What is the price?")
    readings = Readings(Mouth())
    first = readings.read(session, 1, "t")
    next(first)
    if how == "stop":
        readings.stop(session.id, "older")
        readings.stop(session.id, "t")
    else:
        assert len(clips(list(readings.read(session, 1, "t"))[-1])) == 2
    assert list(first) == []  # not even an end: the page listens to another by now
    assert readings._going == {}


def test_one_visitors_reading_is_not_anothers():
    store, session = a_session()
    other = store.new()
    asked(store, session, "What is the price?")
    (end,) = Readings(Mouth()).read(other, 1, "t")
    assert clips(end) == []
    assert "That answer is no longer here." in end
    readings = Readings(Mouth())
    mine = readings.read(session, 1, "t")
    next(mine)
    readings.stop(other.id, "t")
    assert len(clips(list(mine)[-1])) == 2


def test_what_cannot_be_said_is_one_sentence():
    store, session = a_session()
    asked(store, session, "What is the price?")
    mouth = Mouth()
    mouth.missing = 'no speech engine is installed: "x" <b>'
    (end,) = Readings(mouth).read(session, 1, "t")
    assert "No speech engine is installed: &quot;x&quot; &lt;b&gt;." in end
    assert all(stage.stage != "speak" for stage in session.views[0].stages)


def test_hostile_words_are_read_as_words():
    store, session = a_session(ScriptedAssistant(hostile=True))
    asked(store, session, "What is the price?")
    mouth = Mouth()
    feed = list(Readings(mouth).read(session, 1, "t"))[-1]
    assert re.fullmatch(r'(<i( data-[a-z]+="[A-Za-z0-9+/=:;,.\- ]*")+></i>)+', feed)
    assert not any(set(text) & set("<>{}`[]") for _, text in mouth.said)
    assert HOSTILE not in feed


# hearing


class Ears:
    missing = ""

    def __init__(self) -> None:
        self.heard: list[tuple[bytes, tuple[str, ...], str]] = []
        self.problem: Exception | None = None
        self.hold = threading.Event()
        self.hold.set()

    def transcribe(
        self, recording: bytes, *, names: Any, known: Any, owner: str, cancelled: Any, progress: Any
    ) -> Heard:
        progress(0.5, "Listening to 2 s")
        while not self.hold.wait(0.01):
            if cancelled.is_set():
                raise Cancelled("stopped")
        self.heard.append((recording, tuple(names), owner))
        if self.problem is not None:
            raise self.problem
        return Heard('What is "the" price?', 0.9, 2.0, "That was very quiet: check the words.")


@pytest.fixture
def voice() -> Any:
    store, session = a_session()
    with gr.Blocks():
        voice = Voice(Mouth(), Ears(), store)  # type: ignore[arg-type]
        voice.note()
    return SimpleNamespace(voice=voice, ears=voice.hearing, store=store, session=session)


def hear(v: Any, data: object, session_id: str = "", token: str = "abc") -> list[str]:
    event = SimpleNamespace(_data={"token": token, "data": data})
    return [words for changes in v.voice._hear(session_id or v.session.id, event) for words in changes.values()]


def test_what_was_heard_goes_to_the_box_of_the_page_that_asked(voice: Any):
    asked(voice.store, voice.session, "What is the price?")
    told = hear(voice, base64.b64encode(b"sound").decode())
    assert 'data-listening="abc" data-state="working"' in told[0]
    assert 'data-state="heard"' in told[-1]
    assert 'data-words="What is &quot;the&quot; price?"' in told[-1]
    assert 'data-hint="That was very quiet: check the words."' in told[-1]
    assert voice.ears.heard == [(b"sound", (NAME,), voice.session.id)]  # with the name that may come up


@pytest.mark.parametrize("data", [None, 7, "not base64!", ["x"]])
def test_what_no_browser_sends_is_one_sentence(voice: Any, data: object):
    (*_, last) = hear(voice, data)
    assert BROKEN[1:] in last
    assert voice.ears.heard == []


def test_too_much_is_not_even_decoded(voice: Any):
    (*_, last) = hear(voice, "A" * (MAX_BYTES * 2))
    assert "12 MB are the most." in last


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (BadInput("I heard nothing: is it on?"), "I heard nothing: is it on?"),
        (NotReady("no speech model: get it"), "No speech model: get it."),
        (RuntimeError("secret"), "That did not work: the log of the server has the details."),
    ],
)
def test_problems_are_one_sentence(voice: Any, problem: Exception, says: str):
    voice.ears.problem = problem
    (*_, last) = hear(voice, "")
    assert f'data-state="failed" data-share="0.00" data-words="{says}"' in last


def test_a_dropped_or_newer_recording_ends_the_one_before(voice: Any):
    voice.ears.hold.clear()
    event = SimpleNamespace(_data={"token": "old", "data": ""})
    old = voice.voice._hear(voice.session.id, event)
    next(old)
    voice.voice._drop(voice.session.id)
    assert all("heard" not in words for changes in old for words in changes.values())
    old = voice.voice._hear(voice.session.id, event)
    next(old)
    voice.ears.hold.set()
    assert 'data-state="heard"' in hear(voice, "", token="new")[-1]
    assert all('data-state="heard"' not in words for changes in old for words in changes.values())
    assert len(voice.voice._listening) <= 1


def test_a_visitor_without_a_session_is_heard_too(voice: Any):
    assert 'data-state="heard"' in hear(voice, "", session_id="gone")[-1]


def test_an_answer_of_a_session_that_has_ended_ends_at_once(voice: Any):
    event = SimpleNamespace(_data={"token": "abc", "number": 1})
    (changes,) = voice.voice._say("gone", event)
    (feed,) = changes.values()
    assert clips(feed) == []
    assert 'data-end="1" data-words="That answer is no longer here."' in feed
