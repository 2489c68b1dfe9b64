"""Answers with pictures on the page: between the sentences, inert, told to programs and kept in saved turns without
being read aloud."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from assistant.capsule import MOST_SHOWN, Capsule, pack, unpack
from assistant.commands.ask import as_json
from assistant.core.options import Conditions
from assistant.core.placeholders import placeholder
from assistant.core.turn_builder import written
from assistant.core.types import Answer, Evidence, Sentence, Turn
from assistant.ui.html.evidence import render_evidence
from assistant.ui.html.turns import render_turn
from assistant.ui.state.pictures import DRAFT_SIDE_PX, PLACED_SIDE_PX, of_evidence
from assistant.ui.state.turn_view import TurnView, announcement
from assistant.ui.tab.read_aloud import Readings
from tests.assistant.pictured_world import encoded
from tests.assistant.test_capsule import a_capsule
from tests.assistant.ui.test_read_aloud import Mouth, a_session, clips
from tests.assistant.ui.test_turns import audited
from tests.e2e.scripted import HOSTILE, ScriptedAssistant

JPEG = encoded((40, 70, 200))


def a_turn(caption: str = "White vinegar", picture: bytes | None = JPEG, title: str = "Kettles") -> Turn:
    evidence = (
        Evidence("t", "passage", "https://x.invalid/", "Fill it.", 0.9, title=title),
        Evidence("p", "picture", "https://x.invalid/p.jpg", caption, 0.8, title=title, picture=picture),
        Evidence("q", "picture", "https://x.invalid/q.jpg", "Another", 0.4, title=title, picture=JPEG),
    )
    said = (
        Sentence("Fill it.", ("t",)),
        Sentence(placeholder(caption, "https://x.invalid/p.jpg"), ("p",), picture="p"),
        Sentence("Then wait.", ("t",)),
    )
    return Turn("How?", Answer(written(said), "answered", "", said, None, evidence))


def a_view(turn: Turn, *, live: bool = False, draft: str = "") -> TurnView:
    answer = turn.answer
    view = TurnView(1, turn.question, sentences=answer.sentences, evidence=answer.evidence, draft=draft)
    return view if live else replace(view, turn=turn)


def size_of(uri: str) -> tuple[int, int]:
    import base64

    return Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2]))).size


def test_a_picture_stands_between_the_paragraphs_with_caption_and_source():
    html = render_turn(a_view(a_turn()))
    words = audited(html)
    assert "Fill it. 1 White vinegar 2 Kettles Then wait. 1" in words
    assert html.index('data-sentence="1"') < html.index('<figure class="v-placed"') < html.index('data-sentence="3"')
    assert '<figure class="v-placed" data-sentence="2" data-links="t1-2">' in html
    assert 'alt="White vinegar"' in html
    assert 'width="900" height="600"' in html
    assert "![" not in words
    assert "https://x.invalid/p.jpg" in words  # on its card
    assert 'id="turn-1-card-2"' in html


def test_its_card_shows_it_and_those_that_were_not_used_are_folded():
    shown, folded = render_evidence(a_view(a_turn())).split('<details class="v-others"')
    assert shown.count("v-card-picture") == 1
    assert folded.count("v-card-picture") == 1
    assert "Another" in folded
    assert "https://x.invalid/p.jpg" in shown


def test_a_small_one_stands_there_while_the_answer_is_written():
    live = render_turn(a_view(a_turn(), live=True, draft="And then"))
    audited(live)
    large, small = of_evidence(JPEG, PLACED_SIDE_PX), of_evidence(JPEG, DRAFT_SIDE_PX)
    assert large is not None
    assert small is not None
    assert small.uri in live
    assert large.uri not in live
    assert large.uri in render_turn(a_view(a_turn()))
    assert (size_of(small.uri), size_of(large.uri)) == ((320, 213), (800, 533))
    assert "Kettles Then wait. 1 And then" in audited(live)


@pytest.mark.parametrize("picture", [None, b"", b"\xff\xd8 no picture"])
def test_one_whose_bytes_are_gone_or_broken_keeps_its_caption(picture):
    html = render_turn(a_view(a_turn(picture=picture)))
    assert "This picture is not at hand. White vinegar" in audited(html)


def test_what_strangers_wrote_stays_inert():
    html = render_turn(a_view(a_turn(HOSTILE, title=HOSTILE)))
    audited(html)
    assert "<script" not in html
    assert "{{" not in html
    assert "\u202e" not in html


def test_an_answer_that_a_screen_reader_or_a_voice_says_has_no_addresses():
    turn = a_turn()
    assert announcement(a_view(turn)) == "Fill it. Then wait."
    assert announcement(
        a_view(replace(turn, answer=replace(turn.answer, sentences=turn.answer.sentences[:2])), live=True)
    ) == ("Fill it.")


@pytest.mark.slow
def test_the_voice_passes_over_pictures_and_lights_up_the_right_sentences():
    _, session = a_session(ScriptedAssistant())
    view = a_view(a_turn())
    session.views = [view]
    mouth = Mouth()
    *_, feed = Readings(mouth).read(session, 1, "t")
    assert clips(feed) == [(1, "Fill it."), (3, "Then wait.")]


def test_programs_get_the_place_of_a_picture_and_no_bytes():
    said: dict[str, Any] = json.loads(json.dumps(as_json(a_turn(), "chat")))
    assert said["answer"] == "Fill it.\n![White vinegar](https://x.invalid/p.jpg)\nThen wait."
    assert [s.get("picture") for s in said["sentences"]] == [None, 1, None]
    assert said["evidence"][1] == {
        "kind": "picture",
        "source": "https://x.invalid/p.jpg",
        "text": "White vinegar",
        "score": 0.8,
        "used": True,
    }


def saved(turn: Turn, **changes: Any) -> Capsule:
    kept = a_capsule(turn=turn, evidence=turn.answer.evidence, **changes)
    frame = kept.frame
    assert frame is not None
    return replace(kept, record=replace(kept.record, turn=replace(turn, frame_digest=frame.digest)))


def test_a_saved_turn_keeps_the_pictures_of_its_answer_and_no_others():
    turn = a_turn()
    data = pack(saved(turn, conditions=Conditions(evidence=turn.answer.evidence)))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert [n for n in archive.namelist() if n.startswith("shown")] == ["shown-0.jpg"]
        assert Image.open(io.BytesIO(archive.read("shown-0.jpg"))).size == (800, 533)
        assert b"\\xff" not in archive.read("capsule.json")
    record = unpack(data).record
    assert record.turn.answer.sentences == turn.answer.sentences
    assert record.shown == ("p",)
    for pieces in (record.evidence, record.turn.answer.evidence, record.conditions.evidence):
        assert pieces is not None
        assert [e.picture is not None for e in pieces] == [False, True, False]
    assert 'src="data:image/jpeg' in render_turn(a_view(record.turn))


def test_a_saved_turn_of_which_a_picture_is_broken_opens_without_it():
    data = pack(saved(a_turn()))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as hurt:
        for name in archive.namelist():
            hurt.writestr(name, b"no picture" if name == "shown-0.jpg" else archive.read(name))
    assert [e.picture for e in unpack(out.getvalue()).record.evidence] == [None, None, None]
    broken = pack(saved(a_turn(picture=b"no picture")))
    assert unpack(broken).record.shown == ()


def test_a_saved_turn_keeps_so_many_pictures():
    pieces = tuple(Evidence(f"p{n}", "picture", f"u{n}", "", 0.0, picture=JPEG) for n in range(MOST_SHOWN + 3))
    said = tuple(Sentence(placeholder("", e.source), (e.id,), picture=e.id) for e in pieces)
    turn = Turn("How?", Answer(written(said), "answered", "", said, None, pieces))
    kept = unpack(pack(saved(turn))).record
    assert len(kept.shown) == MOST_SHOWN
    assert sum(e.picture is not None for e in kept.evidence) == MOST_SHOWN
