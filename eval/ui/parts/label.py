"""Labelling: one item after another, from the keyboard. What is written is acknowledged by the name the page gave it,
so that a page that hears nothing can say it again and nothing is counted twice."""

from __future__ import annotations

import hashlib
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.ui.tab.click_payload import detail, number_of
from eval.annotate.values import Item, Label, Preference, Project, person_name
from eval.ui.html.annotate import (
    Work,
    render_finished,
    render_guideline,
    render_keys,
    render_refused,
    render_start,
    render_waiting,
    render_work,
)
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.state.annotation import AnnotationDesk

_SCRIPT = ASSETS_DIR / "style" / "annotate.js"
_UID_CHARS = 64


class LabelPart:
    """The components, created inside the tab, and their wiring."""

    def __init__(self, desk: AnnotationDesk):
        self._desk = desk
        with gr.Row(elem_id="a-who"):
            self.project = gr.Dropdown([], label="Project", elem_id="a-project", scale=3, min_width=180)
            self.person = gr.Textbox(label="Your name", max_lines=1, elem_id="a-person", scale=2, min_width=140)
            self.begin = gr.Button("Begin", variant="primary", elem_id="a-begin", scale=0, min_width=110)
        self.notice = html("", "a-notice")
        with gr.Row(elem_id="a-main"):
            with gr.Column(scale=9, min_width=300):
                self.work = gr.HTML(
                    render_waiting(), elem_id="a-work", js_on_load=_SCRIPT.read_text(encoding="utf-8"),
                    apply_default_css=False,
                )  # fmt: skip
            with gr.Column(scale=3, min_width=220, elem_id="a-side"):
                self.guideline = html("", "a-guideline")
        html(render_keys(), "a-keys")

    @property
    def shown(self) -> list[Any]:
        return [self.project, self.person, self.notice, self.guideline, self.work]

    def wire(self) -> None:
        out = [self.notice, self.guideline, self.work]
        on(self.begin.click, self._begin, [self.project, self.person], out)
        on(self.person.submit, self._begin, [self.project, self.person], out)
        on(self.work.open, self._open, [], self.shown)
        on(self.work.submit, self._submit, [], out, trigger_mode="multiple")
        on(self.work.skip, self._skip, [], out, trigger_mode="multiple")
        on(self.work.undo, self._undo, [], out, trigger_mode="multiple")
        on(self.work.move, self._move, [], out)
        on(self.work.truth, self._move, [], out)

    def arrive(self, request: gr.Request) -> Changes:
        """Which projects there are now, and whom a login names."""
        desk, signed = self._desk, request.username or ""
        if not desk.may:  # nothing is even opened
            return {self.work: render_start(0, False, desk.rights.why)}
        try:
            names = [project.name for project in desk.projects()]
        except Exception as problem:
            return {self.notice: sorry(problem), self.work: ""}
        return {
            self.project: gr.Dropdown(choices=names, value=names[0] if names else None),
            self.person: gr.Textbox(value=signed, interactive=not signed) if signed else gr.Textbox(),
            self.work: render_start(len(names), desk.may, desk.rights.why),
        }

    # handlers

    def _begin(self, project: str | None, person: str, request: gr.Request) -> Changes:
        try:
            found = self._desk.project(project)
            return {self.notice: "", **self._next(found, self._desk.name(request.username, person))}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _open(self, event: gr.EventData, request: gr.Request) -> Changes:
        """A page that was loaded again goes on where it was."""
        try:
            found = self._desk.project(number_of(event, "project"))
            person = self._desk.name(request.username, str(detail(event, "person", "")))
            names = [project.name for project in self._desk.projects()]
            return {
                self.project: gr.Dropdown(choices=names, value=found.name), self.person: person, self.notice: "",
                **self._next(found, person),
            }  # fmt: skip
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _submit(self, event: gr.EventData, request: gr.Request) -> Changes:
        def write(project: Project, person: str, item: Item, uid: str) -> None:
            said = _said(event, self._swapped(person, item), self._desk.suggestion(project, item))
            self._desk.store.label(project.id, person, item.id, said, uid)

        return self._written(event, request, write)

    def _skip(self, event: gr.EventData, request: gr.Request) -> Changes:
        def write(project: Project, person: str, item: Item, uid: str) -> None:
            self._desk.store.skip(project.id, person, item.id, uid)

        return self._written(event, request, write)

    def _written(self, event: gr.EventData, request: gr.Request, write: Any) -> Changes:
        try:
            project, person, item, uid = self._asked(event, request)
            write(project, person, item, uid)
            return {self.notice: "", **self._next(project, person, uid)}
        except BadInput as problem:  # nothing that saying it again would mend
            ack = str(detail(event, "uid", ""))[:_UID_CHARS]
            return {self.work: render_refused(ack), **self._again(event, request), self.notice: sorry(problem)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _again(self, event: gr.EventData, request: gr.Request) -> Changes:
        """What stands for the person now, after a label that could not be taken; it is not sent again."""
        try:
            project, person, _, uid = self._asked(event, request)
            return self._next(project, person, uid)
        except Exception:
            return {}

    def _undo(self, event: gr.EventData, request: gr.Request) -> Changes:
        try:
            project, person, _, uid = self._asked(event, request, with_item=False)
            item = self._desk.store.undo(project.id, person, uid)
            if item is None:
                return {self.notice: "", **self._next(project, person, uid, "There is nothing to undo")}
            return {self.notice: "", **self._drawn(project, person, item, ack=uid, notice="Undone")}
        except BadInput as problem:
            ack = str(detail(event, "uid", ""))[:_UID_CHARS]
            return {self.work: render_refused(ack), self.notice: sorry(problem)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _move(self, event: gr.EventData, request: gr.Request) -> Changes:
        """Among what the person has done; beyond the last stands what they do next. Also shows or hides the truth."""
        try:
            project, person, item, _ = self._asked(event, request, with_item=False)
            step, store = str(detail(event, "step", "")), self._desk.store
            if step == "here" and item is not None:
                return {self.notice: "", **self._drawn(project, person, item, truth=bool(detail(event, "truth", 0)))}
            before, after = store.around(project.id, person, item.id if item is not None else 0)
            wanted = before if step == "back" else after
            if wanted is None:
                return {self.notice: "", **self._next(project, person)}
            return {self.notice: "", **self._drawn(project, person, store.item(project.id, wanted))}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    # what is shown

    def _asked(
        self, event: gr.EventData, request: gr.Request, *, with_item: bool = True
    ) -> tuple[Project, str, Any, str]:
        desk = self._desk
        desk.check()
        project = desk.project(number_of(event, "project"))
        told, name = str(detail(event, "person", "")), str(detail(event, "name", project.name))
        person = desk.name(request.username, told)
        if told and person != person_name(told):
            raise BadInput(f"that label was given by {told!r}, and this page is {person!r}'s: it is not counted")
        if name != project.name:
            raise BadInput(f"that label was for the project {name!r}, which is not here")
        number = number_of(event, "item")
        item = desk.store.item(project.id, number) if with_item or number > 0 else None
        return project, person, item, str(detail(event, "uid", ""))[:_UID_CHARS]

    def _next(self, project: Project, person: str, ack: str = "", notice: str = "") -> Changes:
        item = self._desk.store.next_item(project.id, person)
        if item is None:
            progress = self._desk.store.progress(project.id, person)
            return {self.work: render_finished(project, person, progress, ack), self.guideline: ""}
        return self._drawn(project, person, item, ack=ack, notice=notice)

    def _drawn(
        self, project: Project, person: str, item: Item, *, ack: str = "", notice: str = "", truth: bool | None = None
    ) -> Changes:
        desk, store = self._desk, self._desk.store
        history = store.history(project.id, person)
        done = next((one for one in history if one.item == item.id), None)
        earlier = bool(history) and history[0].item != item.id
        guideline = store.guideline(project.id)
        work = Work(
            item,
            project.name,
            person,
            project.settings,
            store.progress(project.id, person),
            state=done.state if done is not None else "open",
            said=(done.label or done.preference) if done is not None else None,
            guideline_version=guideline.version if guideline is not None else 0,
            earlier=earlier,
            later=done is not None,
            truth=not project.settings.hide_truth if truth is None else truth,
            swapped=self._swapped(person, item),
            suggestion=desk.suggestion(project, item),
        )
        said = render_guideline(guideline.markdown, guideline.version) if guideline is not None else ""
        return {self.work: render_work(work, desk.picture(item), ack=ack, notice=notice), self.guideline: said}

    @staticmethod
    def _swapped(person: str, item: Item) -> bool:
        """Whether this person sees the second answer as A: chance, but the same whenever they look."""
        return hashlib.sha256(f"{person}/{item.id}".encode()).digest()[0] % 2 == 1 if item.other_answer else False


def _said(event: gr.EventData, swapped: bool, suggestion: str) -> Label | Preference:
    """What the page sent, as a label; the store checks it."""
    chosen, note = str(detail(event, "chosen", "")), str(detail(event, "note", ""))
    version, active = max(0, number_of(event, "guideline")), max(0, number_of(event, "active_ms"))
    left = bool(detail(event, "left", False))
    if detail(event, "kind", "") == "pair":
        winner = {"a": "b", "b": "a"}.get(chosen, chosen) if swapped else chosen
        return Preference(winner, note, version, active, left)  # type: ignore[arg-type]  # checked by the store
    reasons = detail(event, "reasons", [])
    return Label(
        grade=chosen,  # type: ignore[arg-type]  # checked by the store
        reasons=tuple(map(str, reasons)) if isinstance(reasons, list) else (),  # type: ignore[arg-type]  # as above
        corrected_answer=str(detail(event, "corrected", "")),
        note=note,
        guideline_version=version,
        active_ms=active,
        prefilled=suggestion or None,
        saw_truth=bool(detail(event, "truth", False)),
        left_here=left,
    )
