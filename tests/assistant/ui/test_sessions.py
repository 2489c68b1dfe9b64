"""Conversations on the server: who sees what, what survives, what goes."""

from __future__ import annotations

import hashlib
import io
import json
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from PIL import Image

from assistant.core.errors import NotReady
from assistant.core.types import Frame
from assistant.ui.state.engine import Engine
from assistant.ui.state.pictures import IndexedPictures, cut_out, data_uri
from assistant.ui.state.sessions import Session, SessionStore
from assistant.ui.state.turn_view import TurnView
from assistant.ui.tab.examples import ExampleFrames
from tests.e2e.scripted import ScriptedAssistant, a_frame


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def a_store(script: ScriptedAssistant, clock=time.monotonic) -> SessionStore:
    engine = Engine(lambda progress: script)
    engine.start()
    assert engine.wait(5) is script
    return SessionStore(engine, IndexedPictures(Path("nowhere")), clock=clock)


def asked(store: SessionStore, session: Session, question: str) -> TurnView:
    """Asks and waits for the end."""
    *_, last = store.ask(session, question).follow()
    for _ in range(200):
        if session.run is None:
            return last
        time.sleep(0.01)
    raise AssertionError("the turn was never kept")


def test_a_conversation_grows_and_keeps_its_picture():
    script = ScriptedAssistant()
    store = a_store(script)
    session = store.new()
    session.take_frame(a_frame())
    first = asked(store, session, "What is the price?")
    second = asked(store, session, "Who makes it?")
    assert [v.number for v in session.views] == [first.number, second.number] == [1, 2]
    assert [len(c.turns) for c, _, _ in script.asked] == [0, 1]
    assert all(frame is session.frame for _, _, frame in script.asked)
    assert first.pictures["frame"] == second.pictures["frame"]  # every turn keeps its frame
    assert "seen" in second.pictures


def test_a_turn_can_be_found_from_its_first_moment():
    store = a_store(ScriptedAssistant(pause_s=0.05))
    session = store.new()
    session.take_frame(a_frame())
    run = store.ask(session, "What is the price?")
    assert session.view_of(1).question == "What is the price?"
    for view in run.follow():
        assert session.view_of(1).number == view.number
    assert session.view_of(1).turn.answer.status == "answered"
    assert session.view_of(2) is None


def test_visitors_do_not_see_each_other():
    script = ScriptedAssistant()
    store = a_store(script)
    one, two = store.new(), store.new()
    assert one.id != two.id
    assert len(one.id) >= 24
    one.take_frame(a_frame())
    asked(store, one, "What is the price?")
    assert two.views == []
    assert two.frame is None
    assert store.get(two.id) is two
    assert store.get("guess") is None
    assert store.get(None) is None
    assert store.get({"a": 1}) is None


def test_eight_visitors_at_once_get_their_own_answers():
    script = ScriptedAssistant(pause_s=0.005)
    store = a_store(script)
    sessions = [store.new() for _ in range(8)]
    for n, session in enumerate(sessions):
        session.take_frame(a_frame(shade=20 * n))
    runs = [store.ask(session, f"What is the price, number {n}?") for n, session in enumerate(sessions)]
    for n, run in enumerate(runs):
        *_, last = run.follow()
        assert last.question == f"What is the price, number {n}?"
        assert last.turn is not None
        assert last.turn.frame_digest == sessions[n].frame.digest


def test_a_session_ends_after_thirty_idle_minutes_and_its_frames_are_forgotten():
    clock, script = Clock(), ScriptedAssistant()
    store = a_store(script, clock)
    session, other = store.new(), store.new()
    session.take_frame(a_frame())
    digest = session.frame.digest
    clock.now += 29 * 60
    assert store.get(session.id) is session
    clock.now += 29 * 60
    assert store.get(session.id) is session  # the visit before counted
    assert store.get(other.id) is None
    clock.now += 31 * 60
    store.sweep()
    assert store.get(session.id) is None
    assert digest in script.forgotten


def test_too_many_sessions_push_out_the_oldest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("assistant.ui.state.sessions.MAX_SESSIONS", 3)
    clock = Clock()
    store = a_store(ScriptedAssistant(), clock)
    sessions = []
    for _ in range(5):
        clock.now += 1
        sessions.append(store.new())
    assert [store.get(s.id) is s for s in sessions] == [False, False, True, True, True]


def test_too_many_pixels_push_out_the_oldest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("assistant.ui.state.sessions.MAX_PIXEL_BYTES", 2 * 480 * 640 * 3)
    clock = Clock()
    store = a_store(ScriptedAssistant(), clock)
    sessions = []
    for _ in range(4):
        clock.now += 1
        sessions.append(store.new())
        sessions[-1].take_frame(a_frame())
    store.sweep()
    assert [store.get(s.id) is s for s in sessions] == [False, False, True, True]


def test_a_crash_ends_the_turn_and_not_the_conversation():
    script = ScriptedAssistant()
    store = a_store(script)
    session = store.new()
    session.take_frame(a_frame())
    asked(store, session, "What is the price?")
    failed = asked(store, session, "crash, please")
    assert failed.turn.answer.status == "error"
    assert "as the script says" not in failed.turn.answer.reason
    again = asked(store, session, "Who makes it?")
    assert again.turn.answer.status == "answered"
    assert len(script.asked[-1][0].turns) == 1  # what failed was never said


@pytest.mark.slow
def test_stop_ends_the_turn_at_once_and_nothing_is_remembered_of_it():
    script = ScriptedAssistant(pause_s=0.5)
    store = a_store(script)
    session = store.new()
    session.take_frame(a_frame())
    run = store.ask(session, "What is the price?")
    views = run.follow()
    next(views)
    began = time.monotonic()
    run.stop()
    *_, last = views
    assert time.monotonic() - began < 0.4  # less than one pause
    assert last.turn.answer.status == "cancelled"
    for _ in range(600):
        if session.run is None:
            break
        time.sleep(0.01)
    assert session.conversation.turns == ()
    assert [v.turn.answer.status for v in session.views] == ["cancelled"]


def test_a_new_question_replaces_one_that_is_still_being_answered():
    store = a_store(ScriptedAssistant(pause_s=0.05))
    session = store.new()
    session.take_frame(a_frame())
    store.ask(session, "What is the price?")
    asked(store, session, "Who makes it?")
    assert [v.turn.answer.status for v in session.views] == ["cancelled", "answered"]
    assert [v.number for v in session.views] == [1, 2]


def test_a_question_waits_while_the_index_is_built_and_says_so():
    gate, script = threading.Event(), ScriptedAssistant()

    def open_slowly(progress):
        progress(0.4, "pictures")
        gate.wait(10)
        return script

    engine = Engine(open_slowly)
    store = SessionStore(engine, IndexedPictures(Path("nowhere")))
    engine.start()
    session = store.new()
    session.take_frame(a_frame())
    views = store.ask(session, "What is the price?").follow()
    words = ""
    while "40%" not in words:
        words = next(views).waiting
    assert "pictures" in words
    gate.set()
    *_, last = views
    assert last.turn.answer.status == "answered"


def test_an_assistant_that_cannot_be_opened_is_said_in_a_sentence():
    def fail(progress):
        raise NotReady("the bundled world is missing")

    engine = Engine(fail)
    store = SessionStore(engine, IndexedPictures(Path("nowhere")))
    engine.start()
    with pytest.raises(NotReady, match="missing"):
        engine.wait(5)
    last = asked(store, store.new(), "What is this?")
    assert last.turn.answer.status == "error"
    assert "the bundled world is missing" in last.turn.answer.reason
    assert engine.state.phase == "failed"


def test_an_unexpected_failure_at_opening_tells_nothing_it_should_not():
    def fail(progress):
        raise RuntimeError("/secret/path")

    engine = Engine(fail)
    engine.start()
    with pytest.raises(NotReady) as caught:
        engine.wait(5)
    assert "secret" not in str(caught.value)


def test_pictures_are_small_and_cut_to_the_outline():
    frame = Frame(np.zeros((2000, 1000, 3), np.uint8))
    assert len(data_uri(frame, 100)) < 2000
    part = cut_out(frame, ((100, 100), (300, 100), (300, 500), (100, 500)), margin=0)
    assert (part.width_px, part.height_px) == (201, 401)
    assert cut_out(frame, ((-50, -50), (-10, -50), (-10, -10))) is None
    assert cut_out(frame, ()) is None


def test_the_indexs_own_small_pictures_are_shown(tmp_path: Path):
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (600, 400), (9, 90, 200)).save(tmp_path / "pictures" / "7.jpg")
    (tmp_path / "pictures" / "8.jpg").write_bytes(b"not a picture")
    pictures = IndexedPictures(tmp_path)
    assert pictures.card(7).startswith("data:image/jpeg")
    assert [pictures.card(n) for n in (8, 9, -1)] == [None, None, None]


def test_examples_come_from_rows_and_from_bytes_behind_addresses(tmp_path: Path):
    buffer = io.BytesIO()
    Image.new("RGB", (60, 80), (9, 90, 200)).save(buffer, "PNG")
    url = "https://pictures.invalid/../../etc/passwd"
    (tmp_path / "urlcache").mkdir()
    (tmp_path / "urlcache" / hashlib.sha256(url.encode()).hexdigest()).write_bytes(buffer.getvalue())
    rows = [
        {"image": {"bytes": buffer.getvalue()}, "image_url": None, "turns": {"query": ["What is it?", ""]}},
        {"image": None, "image_url": url, "turns": {"query": ["Where?", "When?"]}},
        {"image": None, "image_url": "https://gone.invalid", "turns": {"query": ["Lost?"]}},
        {"image": {"bytes": b"broken"}, "image_url": None, "turns": {"query": ["Broken?"]}},
        {"image": {"bytes": buffer.getvalue()}, "image_url": None, "turns": {"query": []}},
    ]
    (tmp_path / "single_turn").mkdir()
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "single_turn" / "validation.parquet")
    examples = ExampleFrames(tmp_path)
    assert [e.questions for e in examples.shown()] == [("What is it?",), ("Where?", "When?")]
    assert examples.frame(1).width_px == 60
    assert examples.questions(1) == ("Where?", "When?")
    assert examples.frame(2) is None
    assert examples.frame(-1) is None
    assert examples.questions(None) == ()


def test_a_world_may_say_which_rows_are_shown_and_what_is_asked(tmp_path: Path):
    buffer = io.BytesIO()
    Image.new("RGB", (60, 80), (9, 90, 200)).save(buffer, "PNG")
    image, odd = {"bytes": buffer.getvalue()}, {"query": ["hm, so what's its, er, weight"]}
    rows = [{"session_id": f"s{n}", "image": image, "image_url": None, "turns": odd} for n in range(3)]
    (tmp_path / "multi_turn").mkdir()
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "multi_turn" / "validation.parquet")
    assert len(ExampleFrames(tmp_path).shown()) == 2
    chosen = [
        {"set": "multi_turn", "row": 2, "session_id": "s2", "questions": ["How much does it weigh?", "Who makes it?"]},
        {"set": "multi_turn", "row": 1, "session_id": "of another world", "questions": ["What?"]},
        {"set": "multi_turn", "row": 7, "session_id": "s7", "questions": ["What?"]},
        {"set": "single_turn", "row": 0, "session_id": "s0", "questions": ["What?"]},
    ]
    (tmp_path / "examples.json").write_text(json.dumps(chosen), encoding="utf-8")
    assert [e.questions for e in ExampleFrames(tmp_path).shown()] == [("How much does it weigh?", "Who makes it?")]


def test_without_a_world_there_are_no_examples(tmp_path: Path):
    assert ExampleFrames(tmp_path).shown() == ()
