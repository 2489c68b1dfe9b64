"""How far a project's people agree, where they differ, and the corrections that they proposed. Wiring only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.overlay import accept, proposals
from eval.annotate.overlay_files import read_overlay, versions
from eval.annotate.values import GRADES, WINNERS, Project
from eval.ui.html.agreement import (
    PAGE,
    Differing,
    proposal_key,
    render_agreement,
    render_corrections,
    render_differing,
    render_gold_accuracy,
)
from eval.ui.html.projects import count
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.project_form import file_name
from eval.ui.state.project_view import latest_labelled

if TYPE_CHECKING:
    from eval.annotate.store import Store

ANY = "any label"


class AgreementPart:
    """The components of the tab."""

    def __init__(self, desk: AnnotationDesk):
        self._desk = desk
        self.first, self.chosen = gr.State(0), gr.State([])
        with gr.Row(elem_classes="p-line"):
            self.project = gr.Dropdown([], label="Project", elem_id="g-project", scale=3, min_width=200)
            self.refresh = gr.Button("Refresh", elem_id="g-refresh", scale=0, min_width=120)
        self.notice = html("" if desk.may else render_notice(desk.rights.why), "g-notice")
        with gr.Tabs(elem_id="g-tabs", selected="figures", overflow_behavior="wrap", visible=desk.may):
            with gr.Tab("Figures", id="figures"):
                self.figures = html("", "g-figures", listens=True)
            with gr.Tab("Disagreements", id="differing"):
                self.label = gr.Dropdown([ANY, *GRADES, *WINNERS], value=ANY, label="Where somebody said",
                                         elem_id="g-label")  # fmt: skip
                self.list = html("", "g-list", listens=True)
            with gr.Tab("Known answers", id="golds"):
                self.golds = html("", "g-golds", listens=True)
            with gr.Tab("Corrections", id="corrections"):
                html(
                    "<p class='v-quiet'>What people wrote in place of ground truths. The data stay as they are; "
                    "what you accept becomes the next version of an overlay, and runs can be scored with it: "
                    "<code>python -m eval judge RUN --overlay FILE</code>.</p>",
                    "g-corrections-words",
                )
                self.corrections = html("", "g-corrections", listens=True)
                with gr.Row(elem_classes="p-line"):
                    self.overlay = gr.Textbox(label="Name of the overlay", max_lines=1, elem_id="g-overlay")
                    self.by = gr.Textbox(label="Accepted by", max_lines=1, elem_id="g-by")
                self.accept = gr.Button("Accept what is chosen", variant="primary", elem_id="g-accept")

    def wire(self, tab: gr.Tab) -> None:
        drawn = [self.notice, self.figures, self.list, self.golds, self.corrections, self.first, self.chosen,
                 self.overlay]  # fmt: skip
        given = [self.project, self.label]
        on(tab.select, self._arrive, given, [self.project, self.by, *drawn], concurrency_limit=2)
        for event in (self.refresh.click, self.project.input):
            on(event, self._draw, given, drawn, concurrency_limit=2)
        on(self.label.input, self._filter, given, [self.notice, self.list, self.first])
        on(self.list.act, self._page, given, [self.notice, self.list, self.first])
        on(
            self.corrections.act,
            self._choose,
            [self.project, self.chosen],
            [self.notice, self.corrections, self.chosen],
        )
        parts = [self.project, self.chosen, self.overlay, self.by]
        on(self.accept.click, self._accept, parts, [self.notice, self.corrections, self.chosen])

    # handlers

    def _arrive(self, name: str | None, label: str, request: gr.Request) -> Iterator[Changes]:
        """The tab was opened: which projects there are, and the figures as they are now."""
        if not self._desk.may:
            yield {self.notice: render_notice(self._desk.rights.why)}
            return
        try:
            names = [project.name for project in self._desk.projects()]
            name = name if name in names else latest_labelled(self._desk.store, names)
            signed = request.username or ""
            by = {self.by: gr.Textbox(value=signed, interactive=False)} if signed else {}
            yield {self.project: gr.Dropdown(choices=names, value=name), self.notice: "", **by}
        except Exception as problem:
            yield {self.notice: sorry(problem)}
            return
        if name is None:
            empty = '<p class="b-none v-quiet">There is no project yet: make one under “Projects”.</p>'
            yield {self.figures: empty, self.list: "", self.golds: "", self.corrections: ""}
        else:
            yield from self._draw(name, label)

    def _draw(self, name: str | None, label: str) -> Iterator[Changes]:
        """Everything about a project, the list first: the intervals take a moment."""
        try:
            self._desk.check()
            project, store = self._desk.project(name), self._desk.store
            items = {item.id: item for item in store.items(project.id, with_gold=True)}
            found = differing(store, project)
            yield {
                self.notice: render_notice("Working out the figures …", "progress"),
                self.list: render_differing(_with(found, label), 0, len(found)),
                self.first: 0,
                self.golds: render_gold_accuracy(store.gold_accuracy(project.id), items),
                self.corrections: self._corrections(project, []),
                self.chosen: [],
                self.overlay: file_name(project.name),
            }
            yield {self.notice: "", self.figures: render_agreement(agreement_of(store, project))}
        except Exception as problem:
            yield {self.notice: sorry(problem)}

    def _filter(self, name: str | None, label: str, first: int = 0) -> Changes:
        try:
            self._desk.check()
            found = differing(self._desk.store, self._desk.project(name))
            shown = _with(found, label)
            first = max(0, min(first, (len(shown) - 1) // PAGE * PAGE))
            return {self.notice: "", self.list: render_differing(shown, first, len(found)), self.first: first}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _page(self, name: str | None, label: str, event: gr.EventData) -> Changes:
        value = str(detail(event, "value", ""))
        return self._filter(name, label, int(value) if value.isdecimal() and len(value) < 10 else 0)

    def _choose(self, name: str | None, chosen: list[str], event: gr.EventData) -> Changes:
        """Accept a proposal, or not; of those for one turn the last that was chosen counts."""
        try:
            self._desk.check()
            store, project = self._desk.store, self._desk.project(name)
            found = {proposal_key(one): one for one in proposals(store, project.id)}
            key = str(detail(event, "value", ""))
            if key not in found:
                raise BadInput("this proposal is not there any more: refresh")
            turn = found[key].interaction_id
            kept = [one for one in chosen if one in found and found[one].interaction_id != turn]
            now = kept if key in chosen else [*kept, key]
            return {self.notice: "", self.chosen: now, self.corrections: self._corrections(project, now)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _accept(self, name: str | None, chosen: list[str], overlay: str, by: str, request: gr.Request) -> Changes:
        """Write the next version of an overlay."""
        try:
            self._desk.check()
            if not (request.username or (by or "").strip()):
                raise BadInput("say who accepts them first: the overlay keeps the name")
            who = self._desk.name(request.username, by or "")
            store, project = self._desk.store, self._desk.project(name)
            wanted = [one for one in proposals(store, project.id) if proposal_key(one) in chosen]
            path = accept(store.folder, (overlay or "").strip(), wanted, store.person(who))
            where = str(path) if self._desk.rights.paths else path.name
            words = (
                f"{count(len(wanted), 'correction')} accepted: {where}. Score a run with it: "
                f"python -m eval judge RUN --overlay {where}"
            )
            return {
                self.notice: render_notice(words),
                self.chosen: [],
                self.corrections: self._corrections(project, []),
            }
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _corrections(self, project: Project, chosen: list[str]) -> str:
        store = self._desk.store
        items = {item.id: item for item in store.items(project.id)}
        there = versions(store.folder, file_name(project.name))
        accepted = {one.interaction_id: one.new for one in read_overlay(there[max(there)])} if there else {}
        return render_corrections(proposals(store, project.id), items, frozenset(chosen), accepted)


def agreement_of(store: Store, project: Project) -> Any:
    """All figures of a project as it is now."""
    from eval.annotate.project_labels import order_of, rated_of
    from eval.metrics.agreement import ORDERED, agreement

    rated = rated_of(store, project)
    order = order_of(rated.ratings, ORDERED)
    return agreement(rated.ratings, order=order, conversations=rated.conversations, labels=rated.labels)


def differing(store: Store, project: Project) -> list[Differing]:
    """The items whose people differ, with what everybody said."""
    items = {item.id: item for item in store.items(project.id)}
    said: dict[int, list[Any]] = {}
    for one in store.labels(project.id):
        said.setdefault(one.item, []).append(one)
    return [Differing(items[one.item], tuple(said[one.item]), one) for one in store.disagreements(project.id)]


def _with(found: list[Differing], label: str) -> list[Differing]:
    return found if label in (ANY, "", None) else [one for one in found if label in one.found.given.values()]
