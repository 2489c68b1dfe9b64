"""The panel "Teach": draw round an object on the picture in view, name it, say what is to be known about it, save.

A draft belongs to one visitor and ends with the session; nothing of it is kept before Save. What is saved is shared by
all visitors. Another picture and another drawing add a second view to the same draft. How a view is judged and kept is
`assistant.teaching.teacher`'s business; the drawing is assets/style/teach.js.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.core.paths import ASSETS_DIR
from assistant.teaching.store import Forgotten
from assistant.teaching.taught_object import MAX_PICTURES, parse_notes
from assistant.teaching.teacher import Draft, Teacher
from assistant.ui.html.page import render_notice
from assistant.ui.html.teach import MOST_LISTED, render_glass, render_meter, render_taught
from assistant.ui.state.pictures import data_uri
from assistant.ui.tab.click_payload import Changes, detail
from assistant.ui.tab.panel import Desks, scripted

if TYPE_CHECKING:
    from assistant.ui.state.session import Session
    from assistant.ui.tab.base import Tab

log = logging.getLogger(__name__)

THUMB_PX = 120
#: How long the panel waits for the models on a server that has just started.
PATIENCE_S = 60.0
_SCRIPT = ASSETS_DIR / "style" / "teach.js"


@dataclass(eq=False)
class _Desk:
    """What one visitor is teaching: views by the frame they are from, the object being edited, what can be undone."""

    views: dict[str, Draft] = field(default_factory=dict)
    editing: str = ""
    forgotten: Forgotten | None = None
    drawings: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class TeachPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Teach an object"
    elem_id = "teach"
    place: Literal["drawer", "wide"] = "drawer"

    def __init__(self) -> None:
        self._desks = Desks(_Desk)
        self._thumb = lru_cache(maxsize=512)(_thumbnail)

    def build(self, tab: Tab) -> None:
        self._tab = tab
        self.glass = scripted(render_glass(), "teach-glass", _SCRIPT)
        self.meter = scripted("", "teach-meter", _SCRIPT)
        self.name = gr.Textbox(label="Name", placeholder="What is it called?", max_lines=1, elem_id="teach-name")
        self.facts = gr.Textbox(
            label="What is to be known about it",
            placeholder="Maker: my grandfather\nIt was made in 1954.",
            info="A line each: “key: value”, or a sentence.",
            lines=3,
            max_lines=10,
            elem_id="teach-facts",
        )
        self.notice = scripted("", "teach-notice", _SCRIPT)
        with gr.Row(elem_id="teach-row"):
            self.save = gr.Button("Save", variant="primary", size="sm", elem_id="teach-save", min_width=90)
            self.discard = gr.Button("Discard", size="sm", elem_id="teach-discard", min_width=90)
        self.taught = scripted("", "teach-list", _SCRIPT)

    def wire(self, tab: Tab) -> None:
        own = [self.glass, self.meter, self.name, self.facts, self.notice, self.save, self.taught]

        def on(event: Callable[..., Any], handler: Callable[..., Any], *inputs: Any, **options: Any) -> None:
            tab.on(event, handler, [tab.session_id, *inputs], own, **options)

        on(self.glass.seen, self._guarded(self._arrive))
        on(self.glass.drawn, self._draw, trigger_mode="always_last", concurrency_limit=2)
        on(self.meter.drop, self._guarded(self._drop))
        typed = (self.name, self.facts)
        on(self.save.click, self._guarded(self._save), *typed)
        on(self.name.submit, self._guarded(self._save), *typed)
        on(self.discard.click, self._guarded(self._discard))
        on(self.taught.edit, self._guarded(self._edit))
        on(self.taught.forget, self._guarded(self._forget))
        on(self.taught.undo, self._guarded(self._undo))

    # handlers

    def _arrive(self, session_id: str) -> Changes:
        """The panel came into view: what is taught may have changed meanwhile, by others too."""
        session, desk = self._at(session_id)
        return {self._tab.session_id: session.id, **self._show_list(desk), **self._show_draft(desk)}

    def _draw(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        """The visitor drew round something: look at it, say how well it will be known."""
        yield {self.notice: render_notice("Looking at it", "progress")}
        try:
            yield {self.notice: "", **self._look(session_id, detail(event, "outline", None))}
        except Exception as problem:
            yield {self.notice: self._tab.sorry(problem)}

    def _look(self, session_id: str, outline: object) -> Changes:
        session, desk = self._at(session_id)
        frame = session.frame
        if frame is None:
            raise BadInput("there is no picture to draw on: give one first")
        if not isinstance(outline, list) or not all(isinstance(p, list) and len(p) == 2 for p in outline):
            raise BadInput("the outline is no polygon: draw a line round the object or a box over it")
        points = [[_number(x) * frame.width_px, _number(y) * frame.height_px] for x, y in outline[:2000]]
        draft = self._teacher().look(frame, points)
        with desk.lock:
            desk.views.pop(frame.digest, None)
            desk.views[frame.digest] = draft
            for digest in list(desk.views)[:-MAX_PICTURES]:
                del desk.views[digest]
        return {self._tab.session_id: session.id, **self._show_draft(desk)}

    def _drop(self, session_id: str, event: gr.EventData) -> Changes:
        _, desk = self._at(session_id)
        with desk.lock:
            desk.views.pop(str(detail(event, "key", None)), None)
        return self._show_draft(desk)

    def _save(self, session_id: str, name: str, facts: str) -> Changes:
        _, desk = self._at(session_id)
        teacher = self._teacher()
        with desk.lock:
            if desk.editing:
                views = [draft.view for draft in desk.views.values()]
                done = teacher.store.change(desk.editing, name=name or "", notes=parse_notes(facts or ""), views=views)
                words = f"{done.name}: the changes are saved."
            else:
                if not desk.views:
                    raise BadInput("draw round the object on the picture first")
                saved = teacher.save(name or "", facts or "", list(desk.views.values()))
                words = " ".join([f"{saved.object.name} is known now. Ask about it.", *saved.warnings])
            desk.views.clear()
            desk.editing, desk.forgotten = "", None
        return {**self._emptied(desk, words), **self._show_list(desk)}

    def _discard(self, session_id: str) -> Changes:
        _, desk = self._at(session_id)
        with desk.lock:
            desk.views.clear()
            desk.editing = ""
        return self._emptied(desk, "The draft is gone.")

    def _edit(self, session_id: str, event: gr.EventData) -> Changes:
        _, desk = self._at(session_id)
        thing = self._teacher().store.get(str(detail(event, "id", None)))
        with desk.lock:
            desk.editing = thing.id
        words = f"Change what you like and save. A drawing adds a view to {thing.name}."
        return {
            self.name: thing.name,
            self.facts: thing.notes,
            self.save: gr.Button("Save changes"),
            self.notice: render_notice(words),
            **self._show_draft(desk),
        }

    def _forget(self, session_id: str, event: gr.EventData) -> Changes:
        _, desk = self._at(session_id)
        gone = self._teacher().store.forget(str(detail(event, "id", None)))
        with desk.lock:
            desk.forgotten = gone
            was_edited = desk.editing == gone.object.id
            desk.editing = "" if was_edited else desk.editing
        return {**(self._emptied(desk, "") if was_edited else {self.notice: ""}), **self._show_list(desk)}

    def _undo(self, session_id: str) -> Changes:
        _, desk = self._at(session_id)
        if desk.forgotten is None:
            raise BadInput("there is nothing to take back any more")
        back = self._teacher().store.restore(desk.forgotten)
        with desk.lock:
            desk.forgotten = None
        return {self.notice: render_notice(f"{back.name} is known again."), **self._show_list(desk)}

    # what is shown

    def _show_draft(self, desk: _Desk) -> Changes:
        views = list(desk.views.items())
        shown = [(key, data_uri(draft.view.picture, THUMB_PX), draft.meter) for key, draft in views]
        teacher, editing = self._teacher(), ""
        if desk.editing:
            editing = next((o.name for o in teacher.store.objects() if o.id == desk.editing), "")
        warnings = () if desk.editing else teacher.warnings("", [draft for _, draft in views])
        return {self.meter: render_meter(shown, warnings, editing)}

    def _show_list(self, desk: _Desk) -> Changes:
        store = self._teacher().store
        objects = store.objects()
        pictures = {}
        for thing in sorted(objects, key=lambda o: o.created, reverse=True)[:MOST_LISTED]:
            for picture in thing.pictures[:1]:
                jpeg = store.jpeg(picture.id)
                if jpeg is not None:
                    pictures[picture.id] = self._thumb(jpeg)
        undo = desk.forgotten.object.name if desk.forgotten is not None else ""
        return {self.taught: render_taught(objects, pictures, undo)}

    def _emptied(self, desk: _Desk, words: str) -> Changes:
        """Empty fields, and a drawing that is wiped away."""
        desk.drawings += 1
        return {
            self.name: "",
            self.facts: "",
            self.save: gr.Button("Save"),
            self.notice: render_notice(words),
            self.meter: "",
            self.glass: render_glass(desk.drawings),
        }

    def _at(self, session_id: str) -> tuple[Session, _Desk]:
        session = self._tab.session(session_id)
        return session, self._desks.of(session)

    def _teacher(self) -> Teacher:
        assistant = self._tab.services.engine.wait(PATIENCE_S)
        teacher = getattr(assistant, "teacher", None)
        if not isinstance(teacher, Teacher):
            words = "is still loading: try again in a moment" if assistant is None else "is not part of this assistant"
            raise NotReady(f"teaching {words}")
        return teacher

    def _guarded(self, handler: Callable[..., Changes]) -> Callable[..., Changes]:
        return self._tab.guarded(handler, self.notice)


def _thumbnail(jpeg: bytes) -> str:
    from assistant.vision.frame import read_frame

    try:
        return data_uri(read_frame(jpeg), THUMB_PX)
    except VitrineError:
        log.warning("a taught picture cannot be shown")
        return ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
