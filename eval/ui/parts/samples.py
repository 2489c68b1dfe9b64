"""The turns of the run that is open: filters, the list by pages, one turn in full. Wiring only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail, number_of
from eval.ui.html.samples import PAGE, render_kinds, render_no_sample, render_rows, render_sample
from eval.ui.parts.context import Changes, Desk, html, on, sorry
from eval.ui.state.run_state import RunState
from eval.ui.state.sample_view import show
from eval.ui.state.turn_index import KINDS, LABELS, Filters, TurnIndex

ANY = "any"


class SamplesPart:
    """The components, created inside the run's tab of samples."""

    def __init__(self, desk: Desk, name: gr.State):
        self._desk = desk
        self._name = name
        self.kind = gr.State("")
        self.notice = html("", "b-samples-notice")
        with gr.Row(elem_id="b-filters"):
            self.search = gr.Textbox(
                label="Search", placeholder="Words in question, truth, answer, reason, id ( / )", max_lines=1,
                elem_id="b-search", scale=3, min_width=200,
            )  # fmt: skip
            self.judge = gr.Dropdown([], label="Judge", elem_id="b-judge", min_width=130, visible=False)
            self.labels = {
                name: gr.Dropdown([ANY], value=ANY, label=name.capitalize(), elem_id=f"b-by-{name}", min_width=110)
                for name in LABELS
            }
        self.kinds = html("", "b-kinds", listens=True)
        with gr.Row(elem_id="b-samples"):
            with gr.Column(scale=5, min_width=300, elem_id="b-rows-box"):
                self.rows = html("", "b-rows", listens=True)
            with gr.Column(scale=7, min_width=300, elem_id="b-sample-box"):
                self.sample = html(render_no_sample(), "b-sample", listens=True)

    @property
    def shown(self) -> list[Any]:
        """Everything that opening a run changes."""
        return [self.kind, self.notice, self.search, self.judge, *self.labels.values(), self.kinds, self.rows,
                self.sample]  # fmt: skip

    @property
    def _asked(self) -> list[Any]:
        return [self._name, self.kind, self.judge, self.search, *self.labels.values()]

    def wire(self, tab: gr.Tab) -> None:
        lists = [self.notice, self.kind, self.kinds, self.rows, self.sample]
        on(tab.select, self._arrive, [self._name, self.kind], self.shown)
        on(self.search.submit, self._filter, self._asked, lists)
        on(self.search.change, self._filter, self._asked, lists, trigger_mode="always_last")
        for part in (self.judge, *self.labels.values()):
            on(part.input, self._filter, self._asked, lists)
        on(self.kinds.act, self._pick_kind, self._asked, lists)
        on(self.rows.act, self._turn_page, self._asked, lists)
        on(self.rows.open, self._open, self._asked, lists, trigger_mode="multiple")

    def opened(self, run: RunState) -> Changes:
        """Another run: no filter, nothing read before someone looks."""
        return {
            self.kind: "",
            self.notice: "",
            self.search: "",
            self.judge: gr.Dropdown(choices=[], value=None, visible=False),
            **{part: gr.Dropdown(choices=[ANY], value=ANY) for part in self.labels.values()},
            self.kinds: "",
            self.rows: '<p class="v-quiet">Reading the turns …</p>',
            self.sample: render_no_sample(),
        }

    # handlers

    def _arrive(self, name: str, kind: str) -> Changes:
        """The list was opened, or came into view again: choices of the filters and the first page."""
        try:
            run = self._desk.run(name)
            index = self._desk.indexes.of(run.path)
            judge = index.judge_of(run.summary.scores)
            choices = {label: [ANY, *index.values(label)] for label in LABELS}
            return {
                self.judge: gr.Dropdown(choices=index.judges, value=judge or None, visible=len(index.judges) > 1),
                **{
                    self.labels[label]: gr.Dropdown(choices=found, value=ANY, visible=len(found) > 2)
                    for label, found in choices.items()
                },
                **self._page(index, Filters(kind), judge, 0),
            }
        except Exception as problem:
            return {self.notice: sorry(problem), self.rows: ""}

    def _filter(self, name: str, kind: str, judge: str | None, *asked: str) -> Changes:
        return self._guarded(name, kind, judge, asked, 0)

    def _pick_kind(self, event: gr.EventData, name: str, kind: str, judge: str | None, *asked: str) -> Changes:
        picked = str(detail(event, "value", ""))
        return self._guarded(name, picked if picked in KINDS else "", judge, asked, 0)

    def _turn_page(self, event: gr.EventData, name: str, kind: str, judge: str | None, *asked: str) -> Changes:
        first = str(detail(event, "value", "0"))
        return self._guarded(name, kind, judge, asked, int(first) if first.isdigit() else 0)

    def _guarded(self, name: str, kind: str, judge: str | None, asked: tuple[str, ...], first: int) -> Changes:
        try:
            index, filters, judge = self._chosen(name, kind, judge, asked)
            return self._page(index, filters, judge, first)
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _open(self, event: gr.EventData, name: str, kind: str, judge: str | None, *asked: str) -> Iterator[Changes]:
        """One turn in full: what is on disk at once, its frame a moment later."""
        position, first = number_of(event, "position"), number_of(event, "first")
        try:
            index, filters, judge = self._chosen(name, kind, judge, asked)
            found = index.find(filters, judge)
            if not 0 <= position < len(found):
                return
            run = self._desk.run(name)
            shown = show(run.path, index, found[position], judge)
            changes: Changes = {self.sample: render_sample(shown, None, position, len(found))}
            if position // PAGE * PAGE != first:
                changes[self.rows] = self._rows(index, found, judge, position // PAGE * PAGE, position)
            yield changes
            picture = self._desk.frames.of(run.summary.info, shown.line)
            yield {self.sample: render_sample(shown, picture, position, len(found))}
        except Exception as problem:
            yield {self.notice: sorry(problem)}

    # what is shown

    def _chosen(
        self, name: str, kind: str, judge: str | None, asked: tuple[str, ...]
    ) -> tuple[TurnIndex, Filters, str]:
        run = self._desk.run(name)
        index = self._desk.indexes.of(run.path)
        words, *labels = asked
        chosen = tuple((label, value) for label, value in zip(LABELS, labels, strict=True) if value and value != ANY)
        return index, Filters(kind, chosen, (words or "").strip()), judge or index.judge_of(run.summary.scores)

    def _page(self, index: TurnIndex, filters: Filters, judge: str, first: int) -> Changes:
        found = index.find(filters, judge)
        first = min(max(0, first), max(0, len(found) - 1)) // PAGE * PAGE
        told = " ".join(f"{said}." for said in index.left_out)
        return {
            self.notice: render_notice(told, "error") if told else "",
            self.kind: filters.kind,
            self.kinds: render_kinds(index.counts(judge), filters.kind) if len(index) else "",
            self.rows: self._rows(index, found, judge, first, None),
            self.sample: render_no_sample(),
        }

    def _rows(self, index: TurnIndex, found: list[int], judge: str, first: int, selected: int | None) -> str:
        rows = index.rows(found[first : first + PAGE], judge, first)
        return render_rows(rows, len(found), first, selected)
