"""The panel "Recordings" of the live page: keep this conversation turn by turn, see an earlier one again, ask it again.

What is opened is shown as it was; "Ask all again" asks its questions anew, over its own pictures, under what is set
now. A turn of it becomes a test row in the panel "Test row". Frames are stored only while the switch is on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from assistant.ui.html.page import render_announcement, render_notice
from assistant.ui.panels.capsule import open_in
from assistant.ui.tab.click_payload import Changes
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.recordings import Recordings

if TYPE_CHECKING:
    from assistant.ui.state.model_switch import ModelSwitch
    from assistant.ui.tab.base import Tab

_ABOUT = (
    '<p class="v-quiet">Recorded turns hold the picture, the question, the answer and its evidence. They stay on this '
    "machine until somebody deletes them; whoever may open this page with a name of its own sees them all.</p>"
)


class RecordingsPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Recordings"
    elem_id = "recordings"
    place: Literal["drawer", "wide"] = "drawer"

    def __init__(self, desk: AnnotationDesk, switch: ModelSwitch, versions: Callable[[], Mapping[str, Any]]):
        self._desk = desk
        self._kept = Recordings(
            self._desk.folder, versions, lambda: switch.settings.withheld, lambda: switch.target.profile
        )

    def build(self, tab: Tab) -> None:
        self._tab = tab
        gr.HTML(_ABOUT, apply_default_css=False)
        self.on = gr.Checkbox(label="Record this conversation", elem_id="record-on", container=False)
        self.which = gr.Dropdown([], label="Recorded conversations", elem_id="record-which")
        with gr.Row():
            self.open = gr.Button("Open", size="sm", elem_id="record-open", min_width=80)
            self.again = gr.Button("Ask all again", size="sm", elem_id="record-again", min_width=120)
            self.delete = gr.Button("Delete", size="sm", elem_id="record-delete", min_width=80)
        self.notice = gr.HTML("", elem_id="record-notice", apply_default_css=False)

    def wire(self, tab: Tab) -> None:
        tab.services.sessions.on_kept = self._kept.keep
        own = [self.on, self.which, self.notice]
        tab.on(self.on.input, self._switch, [tab.session_id, self.on], own)
        tab.on(tab.session_id.change, self._seen, [tab.session_id], [self.on])
        tab.on(self.which.focus, tab.guarded(self._listed, self.notice), [], own)
        tab.on(self.open.click, tab.guarded(self._open, self.notice), [tab.session_id, self.which], own)
        tab.on(self.again.click, self._again, [tab.session_id, self.which], own)
        tab.on(self.delete.click, tab.guarded(self._delete, self.notice), [self.which], own)

    # handlers

    def _seen(self, session_id: str) -> Changes:
        """Whether this conversation is recorded: another page, or another conversation, is before the visitor."""
        session = self._tab.services.sessions.get(session_id)
        return {self.on: bool(session is not None and session.recording)}

    def _switch(self, session_id: str, wanted: bool) -> Changes:
        try:
            self._desk.check()
            session = self._tab.session(session_id)
            if wanted:
                self._kept.begin(session)
            else:
                session.recording = ""
        except Exception as problem:
            return {self.on: False, self.notice: self._tab.sorry(problem)}
        words = "From the next question on, each turn is kept." if wanted else "Nothing more is recorded."
        return {self._tab.session_id: session.id, self.notice: render_notice(words), **self._listed()}

    def _listed(self) -> Changes:
        self._desk.check()
        found = [(one.label, one.name) for one in self._kept.all()]
        return {self.which: gr.Dropdown(choices=found)}

    def _open(self, session_id: str, name: str | None) -> Changes:
        self._desk.check()
        session = self._tab.session(session_id)
        for capsule in self._kept.turns(name or ""):
            view = open_in(session, capsule)
        words = f"Opened, up to “{view.question[:80]}”."
        return {
            self._tab.session_id: session.id, **self._tab.show_session(session), self.notice: render_notice(words),
        }  # fmt: skip

    def _again(self, session_id: str, name: str | None) -> Iterator[Changes]:
        """Each question anew, one after the other; Stop ends it after the one that is being answered."""
        tab = self._tab
        try:
            self._desk.check()
            session, sessions = tab.session(session_id), tab.services.sessions
            capsules = self._kept.turns(name or "")
            for number, capsule in enumerate(capsules, 1):
                if capsule.frame is not None:
                    session.take_frame(capsule.frame)
                run = sessions.ask(session, capsule.record.turn.question)
                words = f"Asking {number} of {len(capsules)} …"
                yield {
                    tab.session_id: session.id, **tab.show_session(session),
                    self.notice: render_notice(words, "progress"),
                }  # fmt: skip
                while session.run is run:
                    time.sleep(0.05)
                if run.cancelled.is_set():
                    yield {**tab.show_session(session), self.notice: render_notice(f"Stopped after {number}.")}
                    return
            words = f"All {len(capsules)} asked again."
            yield {**tab.show_session(session), self.notice: render_notice(words)}
            yield {tab.announcer: render_announcement(words)}
        except Exception as problem:
            yield {self.notice: tab.sorry(problem)}

    def _delete(self, name: str | None) -> Changes:
        self._desk.check()
        self._kept.delete(name or "")
        found = [(one.label, one.name) for one in self._kept.all()]
        return {
            self.which: gr.Dropdown(choices=found, value=None),
            self.notice: render_notice("The recording is deleted."),
        }
