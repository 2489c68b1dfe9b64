"""What the sliders say is checked before it becomes a degradation; what a visitor's session keeps of them."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assistant.core.errors import BadInput
from assistant.core.types import Conversation, Frame
from assistant.ui.html.marks import render_marks, render_steps
from assistant.ui.panels.degradation import MOST_SEED, LightsPanel, render_sliders, steps_of
from assistant.ui.state.session import Degraded, Session
from assistant.ui.state.turn_view import TurnView
from assistant.vision.degrade import KINDS, Degradation, degrade
from tests.e2e.scripted import HOSTILE, a_frame


def told(**data: Any) -> Any:
    return SimpleNamespace(_data=data)


def test_the_sliders_become_steps_in_the_order_in_which_they_are_done():
    event = told(severities={"rotated": 20, "low light": 55, "blurred": 0}, seed=7)
    assert steps_of(event) == (Degradation("low light", 0.55, 7), Degradation("rotated", 0.2, 7))
    assert steps_of(told(severities={}, seed=0)) == ()
    assert steps_of(told(severities={"snow": 50}, seed=0)) == ()  # a kind that does not exist does nothing


@pytest.mark.parametrize(
    "data",
    [
        {"severities": "all", "seed": 1},
        {"severities": {"low light": "x" * 10_000}, "seed": 1},
        {"severities": {"low light": 101}, "seed": 1},
        {"severities": {"low light": -1}, "seed": 1},
        {"severities": {"low light": float("nan")}, "seed": 1},
        {"severities": {"low light": True}, "seed": 1},
        {"severities": {}, "seed": MOST_SEED + 1},
        {"severities": {}, "seed": 1.5},
        {"severities": {}, "seed": HOSTILE},
    ],
)
def test_what_no_slider_says_is_refused_in_a_sentence(data: dict[str, Any]):
    with pytest.raises(BadInput) as caught:
        steps_of(told(**data))
    assert len(str(caught.value)) < 160


def test_sliders_stand_where_the_picture_is():
    html = render_sliders((Degradation("blurred", 0.35, 12),))
    assert html.count('type="range"') == len(KINDS)
    assert 'value="35" data-kind="blurred"' in html
    assert 'value="0" data-kind="low light"' in html
    assert 'value="12" data-seed' in html


def test_a_turn_says_what_was_done_to_its_picture_and_where_it_comes_from():
    steps = (Degradation("low light", 0.6, 3), Degradation("blurred", 0.2, 3))
    assert render_steps(steps) == "Low light 60 %, blur 20 % (seed 3)"
    assert render_marks(TurnView(1, "?")) == ""
    html = render_marks(TurnView(1, "?", degraded=steps, opened=HOSTILE))
    assert "Low light 60 %" in html
    assert "Opened from a saved turn" in html
    assert "<script" not in html
    assert "<img" not in html


class Tab:
    """What the panel needs of the live tab."""

    def __init__(self) -> None:
        self.visitor = Session("s", 0.0)
        self.session_id, self.frame, self.announcer = "id", "frame", "announcer"
        self.services = SimpleNamespace(engine=SimpleNamespace(assistant=None))

    def session(self, session_id: str) -> Session:
        return self.visitor

    def draw_frame(self, session: Session) -> str:
        return "drawn"

    def sorry(self, problem: Exception) -> str:
        raise problem


@pytest.fixture
def panel() -> LightsPanel:
    panel = LightsPanel()
    panel._tab = Tab()  # type: ignore[assignment]
    panel.sliders = panel.says = panel.preview = "component"  # type: ignore[assignment]
    return panel


def commit(panel: LightsPanel, **severities: int) -> Session:
    names = {name.replace("_", " "): value for name, value in severities.items()}
    list(panel._commit("s", told(severities=names, seed=2, follow=True)))
    return panel._tab.session("s")


def test_the_picture_in_view_is_the_degraded_one_and_the_original_is_kept(panel: LightsPanel):
    original = a_frame()
    panel._tab.session("s").take_frame(original)
    session = commit(panel, low_light=60)
    steps = (Degradation("low light", 0.6, 2),)
    assert session.frame is not None
    assert np.array_equal(session.frame.pixels, degrade(original.pixels, steps[0]))
    assert (session.original, session.degraded.steps) == (original, steps)
    assert session.begin("?").degraded == steps
    both = commit(panel, low_light=60, blurred=30)
    assert np.array_equal(
        both.frame.pixels, degrade(degrade(original.pixels, steps[0]), Degradation("blurred", 0.3, 2))
    )  # from the original, never from what was degraded before
    back = commit(panel)
    assert (back.frame, back.degraded) == (original, None)
    assert session.pixel_bytes >= original.pixels.nbytes
    back.take_frame(a_frame(shade=20))
    assert back.degraded is None


def test_sliders_moved_on_a_picture_leave_the_next_one_alone(panel: LightsPanel, monkeypatch: pytest.MonkeyPatch):
    session, first, second = panel._tab.session("s"), a_frame(), a_frame(shade=20)
    moved = told(severities={"low light": 60}, seed=2, follow=True, of=first.digest)
    session.take_frame(second)  # came before the server heard of the sliders
    assert list(panel._commit("s", moved)) == []
    assert panel._preview("s", moved) == {}
    assert (session.frame, session.degraded) == (second, None)

    def slowly(frame: Frame, steps: Sequence[Degradation]) -> Frame:
        session.take_frame(second)  # comes while the first is being degraded
        return frame

    session.take_frame(first)
    monkeypatch.setattr("assistant.ui.panels.degradation.through", slowly)
    assert list(panel._commit("s", moved)) == []
    assert (session.frame, session.degraded) == (second, None)


def test_a_mark_stays_unless_the_picture_moved_under_it(panel: LightsPanel):
    session = panel._tab.session("s")
    session.take_frame(a_frame())
    session.region_px = (10.0, 10.0, 90.0, 90.0)
    assert commit(panel, low_light=40).region_px == (10.0, 10.0, 90.0, 90.0)
    assert commit(panel, low_light=40, rotated=40).region_px is None


def test_a_taken_back_turn_was_never_asked():
    session = Session("s", 0.0)
    session.take_frame(a_frame())
    view = session.begin("?")
    from assistant.ui.state.runs import Run
    from assistant.ui.state.turn_view import ended

    run = session.run = Run(view, lambda: 0.0)
    session.take_back(run.number)
    assert run.cancelled.is_set()
    assert (session.run, session.turns_shown, session.conversation) == (None, 0, Conversation("s"))
    from assistant.core.events import Finished

    other = session.run = Run(session.begin("?"), lambda: 0.0)
    other.add(Finished(ended("?", "error", "as the test says")))
    session.keep(other)
    assert session.turns_shown == 1
    session.take_back(7)  # no such turn: nothing happens
    assert session.turns_shown == 1
    session.take_back(1)
    assert (session.turns_shown, session.frame_view) == (0, None)


def test_pixels_of_originals_count():
    session = Session("s", 0.0)
    worse, original = a_frame(shade=10), Frame(np.zeros((100, 100, 3), np.uint8))
    session.take_frame(worse, degraded=Degraded(original, "", ()))
    assert session.pixel_bytes == worse.pixels.nbytes + original.pixels.nbytes
