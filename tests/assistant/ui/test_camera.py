"""What the camera sends with a question, and what is told of it."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from assistant.core.errors import BadInput
from assistant.core.types import Frame
from assistant.ui.html.turns import render_turn
from assistant.ui.state.session import Session
from assistant.ui.tab.camera import read_moment


def sent(age: str = "240", kind: str = "image/jpeg") -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 30, 30)).save(buffer, "JPEG")
    return f"{age};data:{kind};base64,{base64.b64encode(buffer.getvalue()).decode()}"


def test_a_frame_comes_with_its_age():
    moment = read_moment(sent())
    assert moment is not None
    assert (moment.frame.width_px, moment.frame.height_px, moment.age_s) == (64, 48, 0.24)


@pytest.mark.parametrize("nothing", ["", None, 3, ["240"]])
def test_a_question_may_come_without_one(nothing: object):
    assert read_moment(nothing) is None


@pytest.mark.parametrize(
    "bad",
    [
        "240",
        "x;data:image/jpeg;base64,AAAA",
        "-1;data:image/jpeg;base64,AAAA",
        "1;data:text/html;base64,AAAA",
        "1;https://x.invalid/a.jpg",
        "1;/etc/passwd",
        "1;data:image/jpeg;base64,%%%",
        "1;data:image/jpeg;base64,AAAA",
        "²;data:image/jpeg;base64,AAAA",
    ],
)
def test_what_is_no_frame_is_one_sentence(bad: str):
    with pytest.raises(BadInput):
        read_moment(bad)


def test_an_age_beyond_reason_is_not_believed():
    moment = read_moment(sent("9" * 30))
    assert moment is not None
    assert moment.age_s == 60


def test_the_receipt_stands_with_the_question_it_was_taken_for_and_with_no_other():
    session = Session("s", 0.0)
    frame = Frame(np.full((48, 64, 3), 90, np.uint8))
    session.take_frame(frame, age_s=0.31)
    first, second = session.begin("What is this?"), session.begin("And this?")
    assert f"Frame <code>{frame.digest[:8]}</code>, 0.3 s before the question ended" in render_turn(first)
    assert "v-receipt" not in render_turn(second)
