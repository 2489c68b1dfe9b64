"""The live tab: a picture, a conversation about it, and what each answer rests on.

Only wiring: what is shown is drawn by `assistant.ui.html.turns` from views, what is remembered is in
`assistant.ui.state.sessions`. Handlers return a dictionary of what changed; strings from visitors never reach a
component that reads strings as paths or as Markdown. Here are arriving, asking, stopping and beginning anew; the
picture is in `assistant.ui.tab.picture`, changing an answer's evidence in `assistant.ui.tab.evidence_changes`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

import gradio as gr

from assistant.core.errors import VitrineError
from assistant.core.types import Frame
from assistant.ui.html.page import render_announcement, render_empty, render_notice, render_target
from assistant.ui.html.turns import render_turn, render_turns
from assistant.ui.state.runs import Run
from assistant.ui.state.sessions import MAX_QUESTION_CHARS, Session
from assistant.ui.state.turn_view import announcement
from assistant.ui.tab.base import Tab
from assistant.ui.tab.camera import BRING_MOMENT, read_moment
from assistant.ui.tab.click_payload import Changes, detail
from assistant.ui.tab.evidence_changes import WhyPart
from assistant.ui.tab.layout import BUSY_S, LOOK_S, Services
from assistant.ui.tab.panel import Panel
from assistant.ui.tab.picture import PicturePart

log = logging.getLogger(__name__)

#: The same question again within so many seconds is a key or a button that was pressed twice.
TWICE_S = 1.0


class LiveTab(Tab):
    """Builds the tab inside `page`, the current `gr.Blocks`, and wires it; `assistant.ui.tab.panel` tells `panels`."""

    def __init__(self, services: Services, page: gr.Blocks, panels: Sequence[Panel] = ()):
        super().__init__(services)
        self._sessions = services.sessions
        for panel in panels:
            with (
                self.drawers if panel.place == "drawer" else self.wide,
                gr.Accordion(panel.title, open=False, elem_id=panel.elem_id),
            ):
                panel.build(self)
        self._picture = PicturePart(self)
        self._wire(page)
        self._picture.wire()
        WhyPart(self).wire()
        for panel in panels:
            panel.wire(self)

    def _wire(self, page: gr.Blocks) -> None:
        self.on(page.load, self._arrive, [self.session_id])
        self.on(self.tick.tick, self._look, [self.shown])
        asked = [self.question, self.session_id, self.moment]
        # Another question may be asked while one is being answered: that one ends.
        for event in (self.question.submit, self.ask.click):
            self.on(event, self._ask_with_moment, asked, js=BRING_MOMENT, trigger_mode="multiple")
        for part in (self.chips, self.current, self.history):
            self.on(part.ask, self._ask_chip, [self.session_id], trigger_mode="multiple")
        self.on(self.stop.click, self._stop, [self.session_id])
        self.on(self.new.click, self._begin_anew, [self.session_id])
        self.on(self.head.profile, self.guarded(self._show_parts))
        self.voice.wire(page, self.session_id, self.show_turns, [self.history, self.current])

    def session(self, session_id: str) -> Session:
        """The visitor's session; a new one when it has ended."""
        return self._sessions.get_or_new(session_id)

    # handlers

    def _arrive(self, session_id: str) -> Iterator[Changes]:
        """A page was opened or reloaded: show the conversation that its browser holds the id of."""
        session = self._sessions.get(session_id)
        gone = self._sessions.why_gone(session_id) if session is None else ""
        session = session or self._sessions.new()
        with session.lock:  # a run that ends at this moment is either still one, or kept as a turn
            run = session.run
        session.choosing = False
        self._sessions.tell(session)
        shown = {**self.show_session(session), **self.show_target()}
        yield {self.session_id: session.id, self.ask_notice: render_notice(gone), **shown}
        yield self._picture.show_examples(session)  # after the rest: reading the frames takes a moment, once
        if run is not None:
            yield from self._follow(session, run)

    def _look(self, shown: tuple[str, ...]) -> Changes:
        """How far the assistant is, and whom questions go to where that is not what this page says."""
        changes = self._report_engine()
        now = self.target_shown()
        if shown and shown[:-1] != now[:-1]:
            return changes | self.show_target()
        if shown and shown[-1] != now[-1]:  # how much of a model is there
            return changes | {self.target: render_target(self.services.model.target, now[-1]), self.shown: now}
        return changes

    def _report_engine(self) -> Changes:
        state = self.services.engine.state
        if state.phase == "ready":
            busy = self.services.model.loading or self.services.shelf.busy
            return {self.notice: "", self.tick: gr.Timer(BUSY_S if busy else LOOK_S)}
        if state.phase == "failed":
            words = state.words[:1].upper() + state.words[1:]
            return {self.notice: render_notice(words, "error"), self.tick: gr.Timer(active=False)}
        words = f"{state.words}. You can ask already: the question waits."
        return {self.notice: render_notice(words, "progress", state.share)}

    def _show_parts(self) -> Changes:
        return self.show_target(self.services.examine())

    def _ask_chip(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        yield from self._ask_with_moment(str(detail(event, "question", "")), session_id, detail(event, "moment", ""))

    def _ask_with_moment(self, question: str, session_id: str, moment: object) -> Iterator[Changes]:
        """A question and the camera's frame that came with it, which becomes the picture in view; of a picture that was
        marked or degraded the question is about that one.
        """
        try:
            taken = read_moment(moment) if (question or "").strip() else None
        except VitrineError as problem:
            yield {self.ask_notice: self.sorry(problem)}
            return

        def look(session: Session) -> Changes:
            if taken is None or session.region_px is not None or session.degraded is not None:
                return {self.moment: ""}
            session.take_frame(taken.frame, age_s=taken.age_s)
            return {self.moment: "", **self.show_picture(session)}

        yield from self.ask_question(question, session_id, look)

    def ask_question(
        self, question: str, session_id: str, look: Callable[[Session], Changes] = lambda session: {}
    ) -> Iterator[Changes]:
        """What happens on the page when a question is asked, to the end of its answer. `look` first puts in view what
        it is about, and tells what that changes on the page.
        """
        session = self._sessions.get_or_new(session_id)
        run, changes = self._begin(session, (question or "").strip(), look)
        if run is None:
            yield changes
            return
        yield from self.show_run(session, run, changes)

    def _begin(self, session: Session, question: str, look: Callable[[Session], Changes]) -> tuple[Run | None, Changes]:
        """The run of a question, None where it is not asked; and what the page shows of that."""
        with session.lock:  # two presses may be heard at once
            now = session.run
            if now is not None and now.age_s < TWICE_S and question in (now.question, ""):
                return None, {}  # pressed twice: the box may have been emptied between
            if not question:
                return None, {self.ask_notice: render_notice("Type a question first.", "error")}
            if len(question) > MAX_QUESTION_CHARS:
                n, most = f"{len(question):,}", f"{MAX_QUESTION_CHARS:,}"
                words = f"That question has {n} characters; {most} are the most that is read."
                return None, {self.ask_notice: render_notice(words, "error")}
            also = look(session)
            try:
                run = self._sessions.ask(session, question)
            except VitrineError as problem:  # it would go elsewhere than the page said
                told = {self.session_id: session.id, self.ask_notice: self.sorry(problem)}
                return None, {**also, **self.show_target(), **told}
        return run, {**also, self.session_id: session.id, self.question: "", self.ask_notice: "", self.chips: ""}

    def show_run(self, session: Session, run: Run, also: Changes | None = None) -> Iterator[Changes]:
        """What the page shows of a question from its beginning, with which `also` changes, to its end or to where
        another takes its place."""
        yield {
            **(also or {}),
            self.history: render_turns(session.before(run.number)),
            self.current: render_turn(run.view()),
            **self._buttons(True),
        }
        yield from self._follow(session, run)

    def _follow(self, session: Session, run: Run) -> Iterator[Changes]:
        """The page's side of a question being answered; nothing is lost when the page closes meanwhile.

        Where another question takes its place, maybe on another page of the visitor, that one is shown as it begins and
        as it ends: what it says meanwhile is shown by the page that asked.
        """
        drawn = said = ""
        for view in run.follow():
            if self._is_over(session):
                yield {}  # gradio writes what came last once more
                return
            if session.has_gone_on_from(run):
                break
            changes: Changes = {self.current: render_turn(view)}
            words = announcement(view)
            if words != said:
                said = words
                changes[self.announcer] = render_announcement(words)
            if view.seen is not None or view.turn is not None:
                frame = self._picture.draw(session, view)
                if frame != drawn:
                    drawn = frame
                    changes[self.frame] = frame
            if view.turn is not None:
                changes |= self._buttons(False)
            yield changes
        else:
            return
        while not self._is_over(session):
            later = session.run
            begun = later is not None and later is not run
            yield {**self.show_turns(session), **self._buttons(begun)}
            if later is None or not begun:
                return
            for _ in later.follow():
                pass
            run = later
        yield {}

    def _is_over(self, session: Session) -> bool:
        """Whether the visitor has begun a new conversation, which this one must not be written over."""
        return self._sessions.get(session.id) is not session

    def _buttons(self, running: bool) -> Changes:
        return {self.ask: gr.Button(visible=not running), self.stop: gr.Button(visible=running)}

    def _stop(self, session_id: str) -> Changes:
        session = self._sessions.get(session_id)
        if session is not None and session.run is not None:
            session.run.stop()
        return self._buttons(False)

    def _begin_anew(self, session_id: str) -> Changes:
        self._sessions.end(session_id)
        session = self._sessions.new()
        return {
            self.session_id: session.id,
            self.question: "",
            self.large: "",
            self.ask_notice: "",
            self.announcer: render_announcement("New conversation; the earlier one and its pictures are deleted"),
            **self.show_session(session),
            **self._picture.show_examples(session),
        }

    # what a session looks like

    def show_session(self, session: Session) -> Changes:
        """Everything that depends on the session: the picture, the turns, the buttons."""
        running = session.run is not None
        return {
            **self.show_picture(session),
            **self.show_turns(session),
            **self._buttons(running),
        }

    def show_turns(self, session: Session) -> Changes:
        """The conversation: earlier turns, and the last one or the one being answered."""
        with session.lock:
            run, views = session.run, session.turns()
        if run is not None:
            before, current = [v for v in views if v.number < run.number], render_turn(run.view())
        elif views:
            before, current = views[:-1], render_turn(views[-1])
        else:
            before, current = [], render_empty(session.frame is not None)
        return {self.history: render_turns(before), self.current: current}

    def show_picture(self, session: Session) -> Changes:
        """The picture in view, or the place for one."""
        return self._picture.show(session)

    def draw_frame(self, session: Session) -> str:
        """The picture in view with what was last found on it."""
        return self._picture.draw(session, session.frame_shows())

    def take_frame(self, session: Session, frame: Frame) -> Changes:
        """A new picture for the visitor."""
        session.take_frame(frame)
        self._sessions.look_ahead(session)
        return {self.session_id: session.id, **self.show_picture(session), **self._picture.show_examples(session)}
