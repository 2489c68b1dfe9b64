"""One project that is open: its items, guideline, settings, people, known answers, files. Wiring only."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.values import GRADES, Label, Project
from eval.ui.html.annotate import render_markdown
from eval.ui.html.projects import (
    count,
    render_conversations,
    render_golds,
    render_left_out,
    render_project_head,
)
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.parts.project_files import FilesPart
from eval.ui.parts.project_forms import ItemsForm, SettingsForm
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.project_form import chosen_items, numbers, read_settings_form
from eval.ui.state.project_view import matching, project_view


class ProjectPart:
    """The tabs of one project. `chosen`, `notice` and `head` belong to the part around it."""

    def __init__(self, desk: AnnotationDesk, chosen: gr.State, notice: gr.HTML, head: gr.HTML):
        self._desk, self._chosen, self._notice, self._head = desk, chosen, notice, head
        self.first = gr.State(0)
        with gr.Tabs(elem_id="p-tabs", selected="items", overflow_behavior="wrap") as self.tabs:
            with gr.Tab("Add items", id="items"):
                html(
                    "<p class='v-quiet'>Items that are there already are not added again; labels stay as they are.</p>",
                    "p-add-words",
                )
                self.items = ItemsForm(desk, "p-add", may_be_none=False)
                self.add = gr.Button("Add the items", variant="primary", elem_id="p-add-go")
            with gr.Tab("Guideline", id="guideline"), gr.Row():
                with gr.Column(min_width=280):
                    self.guideline = gr.Textbox(
                        label="Guideline (Markdown)", lines=12, max_lines=30, elem_id="p-edit-guideline"
                    )
                    self.save = gr.Button("Save as a new version", variant="primary", elem_id="p-save-guideline")
                with gr.Column(min_width=280):
                    self.preview = html("", "p-version-preview")
            with gr.Tab("Settings", id="settings"):
                self.settings = SettingsForm()
                self.change = gr.Button("Change the settings", variant="primary", elem_id="p-change")
            with gr.Tab("Who gets what", id="people"):
                self._people()
            with gr.Tab("Known answers", id="golds"):
                html(
                    "<p class='v-quiet'>Items whose grade you know check people without their seeing it. They count "
                    "neither as progress nor in agreement.</p>",
                    "p-gold-words",
                )
                self.words = gr.Textbox(label="Items with these words", max_lines=1, elem_id="p-gold-search")
                self.golds = html("", "p-gold-list", listens=True)
            with gr.Tab("Export, import", id="files"):
                self.files = FilesPart(desk, chosen, notice)

    def _people(self) -> None:
        html(
            "<p class='v-quiet'>Everybody gets all conversations, unless some are assigned to them: then these alone."
            "</p>",
            "p-assign-words",
        )
        with gr.Row(elem_classes="p-line"):
            self.person = gr.Dropdown([], label="Person", allow_custom_value=True, elem_id="p-assign-person",
                                      min_width=170)  # fmt: skip
            self.which = gr.Textbox(label="Conversations by number", placeholder="1-40, 55", max_lines=1,
                                    elem_id="p-assign-which", min_width=170)  # fmt: skip
        with gr.Row(elem_classes="p-acts"):
            self.assign = gr.Button("Assign", variant="primary", elem_id="p-assign", scale=0, min_width=130)
            self.all = gr.Button("All conversations again", elem_id="p-assign-all", scale=0, min_width=210)
        self.conversations = html("", "p-conversations")

    @property
    def opening(self) -> list[Any]:
        """What `opened` changes."""
        return [
            self.first, self.tabs, *self.items.arriving, self.guideline, *self.settings.fields.values(), self.person,
            self.which, self.conversations, self.words, self.golds, *self.files.opening,
        ]  # fmt: skip

    def opened(self, project: Project) -> Changes:
        """Everything about a project that was just opened."""
        store = self._desk.store
        guideline = store.guideline(project.id)
        return {
            self.first: 0,
            self.tabs: gr.Tabs(selected="items"),
            **self.items.arrive(),
            self.guideline: guideline.markdown if guideline is not None else "",
            **self.settings.shown(project.settings),
            self.person: gr.Dropdown(choices=store.people(), value=None),
            self.which: "",
            self.conversations: render_conversations(store.conversations(project.id)),
            self.words: "",
            self.golds: self._gold_list(project.id, "", 0),
            **self.files.opened(),
        }

    def wire(self) -> None:
        told, chosen = [self._notice, self._head], self._chosen
        self._names = list(self.items.fields)
        on(self.add.click, self._add, [chosen, *self.items.fields.values()],
           [*told, self.add, self.conversations, self.golds, self.first], concurrency_limit=2)  # fmt: skip
        on(self.guideline.change, render_markdown, [self.guideline], [self.preview], trigger_mode="always_last")
        on(self.save.click, self._save, [chosen, self.guideline], told)
        on(self.change.click, self._change, [chosen, *self.settings.fields.values()], told)
        given = [chosen, self.person, self.which]
        on(self.assign.click, self._assign, given, [*told, self.person])
        on(self.all.click, self._assign_all, given[:2], [*told, self.person, self.which])
        on(self.words.change, self._search, [chosen, self.words], [self.first, self.golds], trigger_mode="always_last")
        on(self.golds.act, self._gold, [chosen, self.words, self.first], [*told, self.golds, self.first])
        self.items.wire()
        self.files.wire(self._head, self._now)

    # what is shown

    def _now(self, project: int) -> Changes:
        """The project's head, after something has changed."""
        return {self._head: render_project_head(project_view(self._desk.store, self._desk.project(project)))}

    def _gold_list(self, project: int, words: str, first: int) -> str:
        found = matching(self._desk.store.items(project, with_gold=True), words)
        return render_golds(found, min(first, max(0, len(found) - 1)), words)

    # handlers

    def _add(self, chosen: int, *values: Any) -> Iterator[Changes]:
        ready = {self.add: gr.Button(interactive=True)}
        desk = self._desk
        try:
            desk.check()
            project = desk.project(chosen)
            notice = render_notice("Reading the items …", "progress")
            yield {self._notice: notice, self.add: gr.Button(interactive=False)}
            form = dict(zip(self._names, values, strict=True))
            items, left_out = chosen_items(form, desk.settings, desk.rights)
            yield {self._notice: render_notice(f"Adding {count(len(items), 'item')} …", "progress")}
            added = desk.store.add_items(project.id, items, uuid.uuid4().hex)
            words = f"{count(added.new, 'item')} added, {added.known:,} were there."
            yield {
                self._notice: render_notice(words) + render_left_out(left_out),
                self.conversations: render_conversations(desk.store.conversations(project.id)),
                self.golds: self._gold_list(project.id, "", 0),
                self.first: 0,
                **self._now(chosen),
                **ready,
            }
        except Exception as problem:
            yield {self._notice: sorry(problem), **ready}

    def _save(self, chosen: int, markdown: str) -> Changes:
        def save(project: Project) -> str:
            said, before = (markdown or "").strip(), self._desk.store.guideline(project.id)
            if not said:
                raise BadInput("the guideline is empty: write it first")
            if before is not None and before.markdown == said:
                raise BadInput(f"this is version {before.version} already: change something first")
            version = self._desk.store.add_guideline(project.id, said, uuid.uuid4().hex)
            return f"Version {version} is saved; labels keep the version that they were given under."

        return self._done(chosen, save)

    def _change(self, chosen: int, *values: Any) -> Changes:
        def change(project: Project) -> str:
            form = dict(zip(self.settings.fields, values, strict=True))
            settings = read_settings_form(form, project.settings)
            self._desk.store.change_settings(project.id, settings, uuid.uuid4().hex)
            return "The settings are changed; labels stay."

        return self._done(chosen, change)

    def _assign(self, chosen: int, person: str | None, which: str) -> Changes:
        def assign(project: Project) -> str:
            there = list(self._desk.store.conversations(project.id))
            if not (which or "").strip():
                raise BadInput("say which conversations, by number: they are listed below")
            names = [there[number - 1] for number in numbers(which, len(there))]
            return self._given(project, person, names)

        return {**self._done(chosen, assign), **self._names_now()}

    def _assign_all(self, chosen: int, person: str | None) -> Changes:
        return {
            self.which: "", **self._done(chosen, lambda project: self._given(project, person, None)),
            **self._names_now(),
        }  # fmt: skip

    def _given(self, project: Project, person: str | None, names: Sequence[str] | None) -> str:
        if not (person or "").strip():
            raise BadInput("choose a person, or write a new name")
        name = self._desk.store.person(str(person))
        self._desk.store.assign(project.id, name, names, uuid.uuid4().hex)
        what = "all conversations" if names is None else f"{count(len(names), 'conversation')} and no others"
        return f"{name} gets {what}."

    def _names_now(self) -> Changes:
        return {self.person: gr.Dropdown(choices=self._desk.store.people())} if self._desk.may else {}

    def _search(self, chosen: int, words: str) -> Changes:
        try:
            self._desk.check()
            return {self.first: 0, self.golds: self._gold_list(self._desk.project(chosen).id, words, 0)}
        except Exception as problem:
            return {self.golds: sorry(problem)}

    def _gold(self, chosen: int, words: str, first: int, event: gr.EventData) -> Changes:
        """A grade that is known to be right, or another page of the list."""
        act, value = detail(event, "act", ""), str(detail(event, "value", ""))
        if act == "page" and value.isdecimal() and len(value) < 10:
            return {**self._search(chosen, words), **self._page(chosen, words, int(value))}

        def mark(project: Project) -> str:
            number, _, grade = value.partition(":")
            if not number.isdecimal() or len(number) > 18 or grade not in ("", *GRADES):
                raise BadInput(f"{value!r} names no item and grade")
            gold = Label(grade) if grade else None  # type: ignore[arg-type]  # one of GRADES
            self._desk.store.set_gold(project.id, int(number), gold, uuid.uuid4().hex)
            return ""

        done = self._done(chosen, mark)
        return {**done, **self._page(chosen, words, first)} if done[self._notice] == "" else done

    def _page(self, chosen: int, words: str, first: int) -> Changes:
        try:
            self._desk.check()
            return {self.first: first, self.golds: self._gold_list(chosen, words, first)}
        except Exception as problem:
            return {self._notice: sorry(problem)}

    def _done(self, chosen: int, do: Any) -> Changes:
        """Do something to the project; its sentence, and the head as it is now."""
        try:
            self._desk.check()
            return {self._notice: render_notice(do(self._desk.project(chosen))), **self._now(chosen)}
        except Exception as problem:
            return {self._notice: sorry(problem)}
