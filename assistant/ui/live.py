"""The live tab: a picture, a conversation about it, and what each answer rests on.

Only wiring: what is shown is drawn by `assistant.ui.render` from views, what is remembered is in
`assistant.ui.sessions`. Handlers return a dictionary of what changed; strings from visitors never reach a component
that reads strings as paths or as Markdown.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import gradio as gr

from assistant.errors import BadInput, VitrineError
from assistant.ui.live_layout import LiveLayout, Services
from assistant.ui.render import render_turn, render_turns
from assistant.ui.render_frame import render_frame
from assistant.ui.render_page import (
    render_announcement,
    render_empty,
    render_example_questions,
    render_examples,
    render_notice,
    render_sound,
)
from assistant.ui.sessions import MAX_QUESTION_CHARS, Session
from assistant.ui.turn_view import TurnView, announcement

log = logging.getLogger(__name__)

Changes = dict[Any, Any]


class LiveTab(LiveLayout):
    """Builds the tab inside `page`, the current `gr.Blocks`, and wires it."""

    def __init__(self, services: Services, page: gr.Blocks):
        super().__init__(services)
        self._sessions = services.sessions
        self._wire(page)

    def _wire(self, page: gr.Blocks) -> None:
        def on(event: Callable[..., Any], handler: Callable[..., Any], inputs: list[Any], **options: Any) -> None:
            settings = {"show_progress": "hidden", "api_visibility": "private", "concurrency_limit": 16, **options}
            event(handler, inputs, self.components(), **settings)

        on(page.load, self._arrive, [self.session_id])
        on(self.tick.tick, self._report_engine, [])
        on(self.picture.input, self._guarded(self._take_picture), [self.picture, self.session_id])
        on(self.gallery.example, self._guarded(self._take_example), [self.session_id])
        on(self.change.click, self._choose_again, [])
        asked = [self.question, self.session_id, self.speak_on]
        on(self.question.submit, self._ask, asked)
        on(self.ask.click, self._ask, asked)
        for html in (self.chips, self.current, self.history):
            on(html.ask, self._ask_chip, [self.session_id, self.speak_on])
        for html in (self.current, self.history):
            on(html.speak, self._guarded(self._speak), [self.session_id])
        on(self.stop.click, self._stop, [self.session_id])
        on(self.new.click, self._begin_anew, [self.session_id])

    def _guarded(self, handler: Callable[..., Changes]) -> Callable[..., Changes]:
        """A handler whose mistakes become one sentence on the page; the conversation is not touched."""

        @wraps(handler)
        def safe(*arguments: Any) -> Changes:
            try:
                return handler(*arguments)
            except VitrineError as problem:
                words = str(problem)
            except Exception:
                log.exception("a handler of the page failed")
                words = "that did not work; the log of the server has the details"
            notice = render_notice(words[:1].upper() + words[1:], "error")
            if handler == self._take_picture:
                return {self.picture: None, self.picture_notice: notice}
            return {self.ask_notice: notice}

        return safe

    # handlers

    def _arrive(self, session_id: str) -> Iterator[Changes]:
        """A page was opened or reloaded: show the conversation that its browser holds the id of."""
        session = self._sessions.get(session_id)
        lost = bool(session_id) and session is None
        session = session or self._sessions.new()
        run = session.run
        yield {
            self.session_id: session.id,
            self.ask_notice: render_notice("The earlier conversation has ended; this is a new one.") if lost else "",
            **self._show_session(session),
        }
        yield self._show_examples(session)  # after the rest: reading the frames takes a moment, once
        if run is not None:
            yield from self._follow(session, run.follow(), speak=False)

    def _report_engine(self) -> Changes:
        state = self.services.engine.state
        if state.phase == "ready":
            return {self.notice: "", self.tick: gr.Timer(active=False)}
        if state.phase == "failed":
            words = state.words[:1].upper() + state.words[1:]
            return {self.notice: render_notice(words, "error"), self.tick: gr.Timer(active=False)}
        return {
            self.notice: render_notice(
                f"{state.words}. You can ask already: the question waits.", "progress", state.share
            )
        }

    def _take_picture(self, data: bytes | None, session_id: str) -> Changes:
        from assistant.vision.frame import read_frame

        if data is None:
            return {self.picture_notice: ""}
        session = self._sessions.get_or_new(session_id)
        session.take_frame(read_frame(data))
        return {self.session_id: session.id, **self._show_picture(session), **self._show_examples(session)}

    def _take_example(self, session_id: str, event: gr.EventData) -> Changes:
        number = _number(event)
        frame = self.services.examples.frame(number)
        if frame is None:
            raise BadInput(f"there is no example frame {number!r}")
        session = self._sessions.get_or_new(session_id)
        session.take_frame(frame, example=number)
        return {self.session_id: session.id, **self._show_picture(session), **self._show_examples(session)}

    def _choose_again(self) -> Changes:
        return {self.picker: gr.Column(visible=True), self.change: gr.Button(visible=False)}

    def _ask_chip(self, session_id: str, speak_on: bool, event: gr.EventData) -> Iterator[Changes]:
        yield from self._ask(str(_of(event, "question", "")), session_id, speak_on)

    def _ask(self, question: str, session_id: str, speak_on: bool) -> Iterator[Changes]:
        question = (question or "").strip()
        if not question:
            yield {self.ask_notice: render_notice("Type a question first.", "error")}
            return
        if len(question) > MAX_QUESTION_CHARS:
            words = f"That question has {len(question):,} characters; {MAX_QUESTION_CHARS:,} are the most that is read."
            yield {self.ask_notice: render_notice(words, "error")}
            return
        session = self._sessions.get_or_new(session_id)
        run = self._sessions.ask(session, question)
        yield {
            self.session_id: session.id,
            self.question: "",
            self.ask_notice: "",
            self.sound: "",
            self.chips: "",
            self.history: render_turns(session.before(run.number)),
            self.current: render_turn(run.view()),
            self.ask: gr.Button(visible=False),
            self.stop: gr.Button(visible=True),
        }
        yield from self._follow(session, run.follow(), speak=speak_on)

    def _follow(self, session: Session, views: Iterator[TurnView], *, speak: bool) -> Iterator[Changes]:
        """The page's side of a question being answered; nothing is lost when the page closes meanwhile."""
        drawn = said = ""
        for view in views:
            changes: Changes = {self.current: render_turn(view)}
            words = announcement(view)
            if words != said:
                said = words
                changes[self.announcer] = render_announcement(words)
            if view.seen is not None or view.turn is not None:
                frame = self._draw_frame(session, view)
                if frame != drawn:
                    drawn = frame
                    changes[self.frame] = frame
            if view.turn is not None:
                changes |= {self.ask: gr.Button(visible=True), self.stop: gr.Button(visible=False)}
            yield changes
            if speak and view.turn is not None and view.turn.answer.text:
                yield self._sound_of(view.turn.answer.text)

    def _stop(self, session_id: str) -> Changes:
        session = self._sessions.get(session_id)
        if session is not None and session.run is not None:
            session.run.stop()
        return {self.ask: gr.Button(visible=True), self.stop: gr.Button(visible=False)}

    def _begin_anew(self, session_id: str) -> Changes:
        self._sessions.end(session_id)
        session = self._sessions.new()
        return {
            self.session_id: session.id,
            self.question: "",
            self.sound: "",
            self.ask_notice: "",
            self.announcer: render_announcement("New conversation"),
            **self._show_session(session),
            **self._show_examples(session),
        }

    def _speak(self, session_id: str, event: gr.EventData) -> Changes:
        number = _number(event)
        session = self._sessions.get(session_id)
        view = session.view_of(number) if session else None
        if view is None or view.turn is None:
            raise BadInput("that answer is no longer here")
        return self._sound_of(view.turn.answer.text)

    def _sound_of(self, words: str) -> Changes:
        try:
            sound = self.services.speaker.speak(words)
        except VitrineError as problem:
            return {self.ask_notice: render_notice(str(problem), "error")}
        return {self.sound: render_sound("data:audio/wav;base64," + base64.b64encode(sound).decode())}

    # what a session looks like

    def _show_session(self, session: Session) -> Changes:
        with session.lock:
            run, views = session.run, session.views
        if run is not None:
            before, current = session.before(run.number), render_turn(run.view())
        elif views:
            before, current = views[:-1], render_turn(views[-1])
        else:
            before, current = [], render_empty(session.frame is not None)
        return {
            **self._show_picture(session),
            self.history: render_turns(before),
            self.current: current,
            self.ask: gr.Button(visible=run is None),
            self.stop: gr.Button(visible=run is not None),
        }

    def _show_picture(self, session: Session) -> Changes:
        has = session.frame is not None
        changes: Changes = {
            self.picture: None,
            self.picture_notice: "",
            self.picker: gr.Column(visible=not has),
            self.viewer: gr.Column(visible=has),
            self.change: gr.Button(visible=True),
            self.frame: self._draw_frame(session, session.frame_view) if has else "",
            self.chips: render_example_questions(self.services.examples.questions(session.example)),
        }
        if not session.views and session.run is None:
            changes[self.current] = render_empty(has)
        return changes

    def _show_examples(self, session: Session) -> Changes:
        return {self.gallery: render_examples(self.services.examples.shown(), session.example)}

    @staticmethod
    def _draw_frame(session: Session, view: TurnView | None) -> str:
        frame = session.frame
        if frame is None:
            return ""
        about = view if view is not None and view.seen is not None else session.frame_view
        if about is not None and not _is_about(about, frame.digest):
            about = None
        return render_frame(session.picture, frame.width_px, frame.height_px, about)


def _is_about(view: TurnView, digest: str) -> bool:
    return view.turn is None or view.turn.frame_digest in (digest, None)


def _of(event: gr.EventData, name: str, default: object) -> object:
    data = event._data if isinstance(event._data, dict) else {}
    return data.get(name, default)


def _number(event: gr.EventData) -> int:
    number = _of(event, "number", -1)
    return number if isinstance(number, int) else -1
