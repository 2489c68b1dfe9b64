"""The projects: the list, a new one, one that is open, and what is deleted with a person. Wiring only."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.values import Project
from eval.ui.html.annotate import render_markdown
from eval.ui.html.projects import count, render_gone, render_left_out, render_project_head, render_projects
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.parts.project import ProjectPart
from eval.ui.parts.project_forms import ItemsForm, SettingsForm
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.project_form import chosen_items, read_settings_form
from eval.ui.state.project_view import gone_with, project_view


class ProjectsPart:
    """The components of the tab; `chosen` holds the number of the project that is open, 0 for the list."""

    def __init__(self, desk: AnnotationDesk):
        self._desk = desk
        may = desk.may
        self.chosen = gr.State(0)
        self.notice = html("", "p-notice")
        closed = render_notice(desk.rights.why) if not may else '<p class="v-quiet">Looking for projects …</p>'
        with gr.Column(elem_id="p-list-box") as self.list_box:
            with gr.Accordion("New project", open=False, elem_id="p-new", visible=may) as self.new:
                self._new()
            self.list = html(closed, "p-list", listens=True)
            with gr.Accordion("Delete a person’s data", open=False, elem_id="p-delete", visible=may):
                self._delete()
        with gr.Column(visible=False, elem_id="p-box") as self.box:
            self.head = html("", "p-head", listens=True)
            self.project = ProjectPart(desk, self.chosen, self.notice, self.head)

    def _new(self) -> None:
        with gr.Row(elem_id="p-new-row"):
            with gr.Column(min_width=300):
                self.name = gr.Textbox(label="Name", max_lines=1, elem_id="p-name")
                self.settings = SettingsForm()
                self.guideline = gr.Textbox(
                    label="Guideline (Markdown)", lines=5, max_lines=18, elem_id="p-guideline",
                    placeholder="What makes an answer perfect, acceptable, missing, incorrect?",
                )  # fmt: skip
                self.preview = html("", "p-preview")
            with gr.Column(min_width=300):
                self.items = ItemsForm(self._desk, "p-items", may_be_none=True)
        self.create = gr.Button("Make the project", variant="primary", elem_id="p-create")

    def _delete(self) -> None:
        html(
            "<p class='v-quiet'>On request: a person’s labels and name go for good; their items are open again.</p>",
            "p-delete-words",
        )
        with gr.Row(elem_classes="p-line"):
            self.person = gr.Dropdown([], label="Person", elem_id="p-person", min_width=180)
            self.look = gr.Button("What would be gone?", elem_id="p-look", scale=0, min_width=190)
        self.gone = html("", "p-gone")
        with gr.Row(visible=False, elem_classes="p-line") as self.sure:
            self.typed = gr.Textbox(label="To be sure, type the name again", max_lines=1, elem_id="p-typed")
            self.delete = gr.Button("Delete for good", variant="stop", elem_id="p-delete-go", scale=0, min_width=190)

    def wire(self, tab: gr.Tab) -> None:
        listed = [*self._listed, *self.items.arriving]
        opened = [self.chosen, self.notice, self.list_box, self.box, self.head, *self.project.opening]
        deleting = [self.notice, self.gone, self.sure, self.typed, self.person]
        on(tab.select, self._arrive, [self.chosen], [*listed, *opened])
        on(self.list.act, self._act, [], [*opened, *listed])
        on(self.head.act, self._head_act, [self.chosen], [*opened, *listed])
        on(self.guideline.change, render_markdown, [self.guideline], [self.preview], trigger_mode="always_last")
        fields = {**self.settings.fields, **self.items.fields}
        self._names = ["name", "guideline", *fields]
        given = [self.name, self.guideline, *fields.values()]
        on(self.create.click, self._create, given, [*opened, self.create, self.name, self.guideline, *listed],
           concurrency_limit=2)  # fmt: skip
        on(self.look.click, self._gone, [self.person], deleting)
        on(self.person.input, lambda: {self.gone: "", self.sure: gr.Row(visible=False)}, [], [self.gone, self.sure])
        on(self.delete.click, self._delete_person, [self.person, self.typed], [*deleting, *self._listed])
        self.items.wire()
        self.project.wire()

    @property
    def _listed(self) -> list[Any]:
        return [self.list, self.person, self.new]

    # what is shown

    def _list(self) -> Changes:
        store = self._desk.store
        projects = store.projects(archived=True)
        views = [project_view(store, one) for one in projects if not one.archived]
        return {
            self.list: render_projects(views, [one for one in projects if one.archived]),
            self.person: gr.Dropdown(choices=store.people(), value=None),
            **({} if projects else {self.new: gr.Accordion(open=True)}),
        }

    def _back(self) -> Changes:
        return {
            self.chosen: 0, self.list_box: gr.Column(visible=True), self.box: gr.Column(visible=False), **self._list(),
        }  # fmt: skip

    def _open(self, project: Project) -> Changes:
        return {
            self.chosen: project.id,
            self.notice: "",
            self.list_box: gr.Column(visible=False),
            self.box: gr.Column(visible=True),
            self.head: render_project_head(project_view(self._desk.store, project)),
            **self.project.opened(project),
        }

    # handlers

    def _arrive(self, chosen: int) -> Changes:
        """The tab was opened: what has changed since is drawn."""
        if not self._desk.may:
            return {self.notice: ""}
        try:
            if chosen:  # what is written there and not saved yet stays
                view = project_view(self._desk.store, self._desk.project(chosen))
                return {self.notice: "", self.head: render_project_head(view)}
            return {self.notice: "", **self._back(), **self.items.arrive()}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _act(self, event: gr.EventData) -> Changes:
        """A button of the list."""
        try:
            self._desk.check()
            project = self._desk.project(_number(detail(event, "value", "")))
            if detail(event, "act", "") == "restore":
                self._desk.store.archive(project.id, _uid(), archived=False)
                return {self.notice: "", **self._list()}
            return self._open(project)
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _head_act(self, chosen: int, event: gr.EventData) -> Changes:
        try:
            self._desk.check()
            notice = ""
            if detail(event, "act", "") == "archive":
                project = self._desk.store.archive(chosen, _uid())
                notice = render_notice(f"{project.name} was put away; it can be put back below the list.")
            return {self.notice: notice, **self._back(), **self.items.arrive()}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _create(self, *values: Any) -> Iterator[Changes]:
        """Items first: a project that could not get any is not made."""
        busy, ready = {self.create: gr.Button(interactive=False)}, {self.create: gr.Button(interactive=True)}
        form = dict(zip(self._names, values, strict=True))
        desk = self._desk
        try:
            desk.check()
            settings = read_settings_form(form)
            name = " ".join(str(form["name"] or "").split())
            if not name:
                raise BadInput("give the project a name first")
            if name in [project.name for project in desk.store.projects(archived=True)]:
                raise BadInput(f"there is a project {name!r} already: give another name")
            yield {self.notice: render_notice("Reading the items …", "progress"), **busy}
            items, told = chosen_items(form, desk.settings, desk.rights)
            yield {self.notice: render_notice(f"Adding {count(len(items), 'item')} …", "progress")}
            project = desk.store.create_project(name, settings, _uid())
            if items:
                desk.store.add_items(project.id, items, _uid())
            if guideline := str(form["guideline"] or "").strip():
                desk.store.add_guideline(project.id, guideline, _uid())
            notice = render_notice(f"{name} is made, with {count(len(items), 'item')}.") + render_left_out(told)
            shut = {self.name: "", self.guideline: "", self.new: gr.Accordion(open=False)}
            yield {**self._open(project), self.notice: notice, **shut, **ready}
        except Exception as problem:
            yield {self.notice: sorry(problem), **ready}

    def _gone(self, person: str | None) -> Changes:
        """The first question: what would go."""
        try:
            self._desk.check()
            if not person:
                raise BadInput("choose a person first")
            drawn = render_gone(gone_with(self._desk.store, person))
            return {self.notice: "", self.gone: drawn, self.sure: gr.Row(visible=True), self.typed: ""}
        except Exception as problem:
            return {self.notice: sorry(problem), self.gone: "", self.sure: gr.Row(visible=False)}

    def _delete_person(self, person: str | None, typed: str) -> Changes:
        """The second question: the name, typed."""
        try:
            self._desk.check()
            if not person or " ".join((typed or "").split()).casefold() != person.casefold():
                raise BadInput("the name that was typed is another: nothing was deleted")
            events = self._desk.store.delete_person(person, _uid())
            told = render_notice(f"Deleted for good, with {count(events, 'event')}.")
            closed = {self.gone: "", self.sure: gr.Row(visible=False), self.typed: ""}
            return {self.notice: told, **closed, **self._list()}
        except Exception as problem:
            return {self.notice: sorry(problem)}


def _uid() -> str:
    return uuid.uuid4().hex


def _number(value: object) -> int:
    text = str(value)
    return int(text) if text.isdecimal() and len(text) < 10 else 0
