"""The picture on the live tab: taking one, marking a part of it, showing a turn's own picture large."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.options import Box, box_on
from assistant.ui.html.camera import render_caption
from assistant.ui.html.frame import render_frame, render_large
from assistant.ui.html.page import (
    render_announcement,
    render_empty,
    render_example_questions,
    render_examples,
    render_notice,
)
from assistant.ui.state.sessions import Session
from assistant.ui.state.turn_view import TurnView
from assistant.ui.tab.camera import read_moment
from assistant.ui.tab.click_payload import Changes, detail, number_of

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab

log = logging.getLogger(__name__)


class PicturePart:
    """Wires the picture's components of a tab."""

    def __init__(self, tab: Tab):
        self._tab = tab
        self._sessions = tab.services.sessions
        self._examples = tab.services.examples

    def wire(self) -> None:
        tab = self._tab
        tab.on(tab.picture.input, self._take_picture, [tab.picture, tab.session_id])
        tab.on(tab.camera.hold, tab.guarded(self._hold), [tab.session_id])
        tab.on(tab.camera.caption, self._caption, [])
        tab.on(tab.current.sample, self._ask_sample, [tab.session_id], trigger_mode="multiple")
        tab.on(tab.gallery.example, tab.guarded(self._take_example), [tab.session_id])
        tab.on(tab.change.click, tab.guarded(self._choose_again), [tab.session_id])
        tab.on(tab.frame.mark, tab.guarded(self._mark), [tab.session_id])
        for part in (tab.current, tab.history):
            tab.on(part.look, tab.guarded(self._look), [tab.session_id])

    # handlers

    def _take_picture(self, data: bytes | None, session_id: str) -> Changes:
        from assistant.vision.frame import read_frame

        tab = self._tab
        if data is None:
            return {tab.picture_notice: ""}
        try:
            frame = read_frame(data)
        except Exception as problem:
            return {tab.picture: None, tab.picture_notice: tab.sorry(problem)}
        return tab.take_frame(self._sessions.get_or_new(session_id), frame)

    def _hold(self, session_id: str, event: gr.EventData) -> Changes:
        """What the camera shows becomes the picture in view, for whatever can be done with one."""
        moment = read_moment(detail(event, "moment", ""))
        if moment is None:
            raise BadInput("the camera shows nothing yet: wait a moment")
        return self._tab.take_frame(self._sessions.get_or_new(session_id), moment.frame)

    def _caption(self, event: gr.EventData) -> Changes:
        """What is on the camera's picture now; nothing of it is kept. The page asks again when this has come."""
        token = str(detail(event, "token", ""))[:40]
        try:
            moment, assistant = read_moment(detail(event, "moment", "")), self._tab.services.engine.wait(0)
            if moment is None or assistant is None:
                return {self._tab.caption: render_caption(token, None, 0.0, ())}
            look, recognition = assistant.recognise("", moment.frame)
            assistant.forget(moment.frame.digest)
        except Exception:  # the next picture may do
            log.exception("a caption could not be made")
            return {self._tab.caption: render_caption(token, None, 0.0, ())}
        entity, lines = recognition.entity, [line.text for line in look.texts]
        name, sure = (entity.name, entity.confidence) if entity is not None else (None, 0.0)
        return {self._tab.caption: render_caption(token, name, sure, lines)}

    def _take_example(self, session_id: str, event: gr.EventData) -> Changes:
        number = number_of(event, "number")
        frame = self._examples.frame(number)
        if frame is None:
            raise BadInput(f"there is no example frame {number!r}")
        session = self._sessions.get_or_new(session_id)
        session.take_frame(frame, example=number)
        self._sessions.look_ahead(session)
        return {self._tab.session_id: session.id, **self.show(session), **self.show_examples(session)}

    def _ask_sample(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        """An example and its first question, with one press."""
        tab = self._tab
        try:
            card = str(detail(event, "card", ""))
            number = int(card) if card.isdecimal() and card.isascii() else -1
            frame, questions = self._examples.frame(number), self._examples.questions(number)
            if frame is None or not questions:
                raise BadInput(f"there is no example frame {card[:20]!r}")
        except Exception as problem:
            yield {tab.ask_notice: tab.sorry(problem)}
            return

        def look(session: Session) -> Changes:
            session.take_frame(frame, example=number)
            return {**self.show(session), **self.show_examples(session)}

        yield from tab.ask_question(questions[0], session_id, look)

    def _choose_again(self, session_id: str) -> Changes:
        session = self._sessions.get_or_new(session_id)
        session.choosing = True
        return {self._tab.frame: self.draw(session, session.frame_shows())}

    def _mark(self, session_id: str, event: gr.EventData) -> Changes:
        session = self._sessions.get(session_id)
        if session is None or session.frame is None:
            raise BadInput("there is no picture to mark a part of: give one first")
        session.region_px = _box(session, detail(event, "box", None))
        words = "Marked. Questions are about this part now." if session.region_px else "The mark is gone."
        tab = self._tab
        return {
            tab.frame: self.draw(session, session.frame_shows()),
            tab.announcer: render_announcement(words),
            tab.ask_notice: render_notice(words) if session.region_px else "",
        }

    def _look(self, session_id: str, event: gr.EventData) -> Changes:
        number = number_of(event, "turn")
        session = self._sessions.get(session_id)
        view, shown = (session.view_of(number), session.picture_of(number)) if session is not None else (None, None)
        if view is None or shown is None:
            raise BadInput("that picture is no longer here")
        return {self._tab.large: render_large(shown, view)}

    # what it looks like

    def show(self, session: Session) -> Changes:
        """The picture in view, or the place for one."""
        tab = self._tab
        changes: Changes = {
            tab.picture: None,
            tab.picture_notice: "",
            tab.frame: self.draw(session, session.frame_shows()),
            tab.chips: render_example_questions(self._examples.questions(session.example)),
        }
        if not session.views and session.run is None:
            changes[tab.current] = render_empty(session.frame is not None)
        return changes

    def show_examples(self, session: Session) -> Changes:
        """The gallery, and what an empty page offers to ask."""
        shown = self._examples.shown()
        changes: Changes = {self._tab.gallery: render_examples(shown, session.example)}
        if session.frame is None and not session.views and session.run is None:
            changes[self._tab.current] = render_empty(False, shown)
        return changes

    @staticmethod
    def draw(session: Session, view: TurnView | None) -> str:
        """The current picture with what `view`, or the last turn about it, found on it."""
        frame = session.frame
        if frame is None:
            return ""
        about = view if view is not None and view.seen is not None else session.frame_shows()
        if about is not None and about.turn is not None and about.turn.frame_digest not in (frame.digest, None):
            about = None
        degraded = session.degraded
        before, original = (degraded.picture, degraded.original) if degraded is not None else ("", frame)
        size_px = (frame.width_px, frame.height_px)
        return render_frame(
            session.picture, *size_px, about, session.region_px, before, original.digest, choosing=session.choosing
        )


def _box(session: Session, corners: object) -> Box | None:
    """The box a browser told, in the frame's pixels; None for none, for a slip of the hand, and for anything else."""
    if session.frame is None or not isinstance(corners, list) or len(corners) != 4:
        return None
    if not all(isinstance(c, int | float) for c in corners):
        return None
    return box_on(session.frame, *map(float, corners))
