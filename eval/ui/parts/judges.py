"""Judges on trial against a project's labels, trials that are kept, and runs corrected by them. Wiring only."""

from __future__ import annotations

from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.trial_store import TrialStore
from eval.judges.registry import JUDGES, MODEL_JUDGES
from eval.ui.html.agreement import PAGE
from eval.ui.html.judges import render_corrected, render_job, render_trial, render_trials
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.judge_form import endpoint_words, read_judge
from eval.ui.state.project_form import runs_of
from eval.ui.state.project_view import latest_labelled
from eval.ui.state.trials import Trials, corrected_run, judge_choice, runs_judged, world_of, worlds

#: A page looks so often while a judge is on trial.
LOOK_S = 1.0


class JudgesPart:
    """The components of the tab; `opened` holds the key of the trial that is shown."""

    def __init__(self, desk: AnnotationDesk, trials: Trials | None = None):
        self._desk = desk
        self._trials = trials or Trials(TrialStore(desk.settings.data_dir))
        self.opened, self.first = gr.State(""), gr.State(0)
        self.tick = gr.Timer(LOOK_S, active=False)
        may = desk.may
        self.notice = html("" if may else render_notice(desk.rights.why), "j-notice")
        with gr.Column(visible=may, elem_id="j-form"):
            with gr.Row(elem_classes="p-line"):
                self.project = gr.Dropdown([], label="Labels of the project", elem_id="j-project", min_width=200)
                self.judge = gr.Dropdown(list(JUDGES), value="lexical", label="Judge", elem_id="j-judge", min_width=160)
            with gr.Column(visible=False) as self.world_row:
                self.world = gr.Dropdown([], label="World that the answers are about", elem_id="j-world")
            with gr.Column(visible=False) as self.model_row, gr.Row():
                self.models = gr.Textbox(
                    label="Judging models", max_lines=1, elem_id="j-models", min_width=200,
                    placeholder=f"{desk.settings.chat_model}; two with a comma",
                )  # fmt: skip
                self.labels = gr.Radio(["crag", "simpleqa"], value="crag", label="Labels", min_width=160)
                self.fresh = gr.Checkbox(label="Ask again what was asked before", value=False, min_width=200)
            self.endpoint = html("", "j-endpoint")
            self.go = gr.Button("Put on trial", variant="primary", elem_id="j-go")
        self.watch = html("", "j-watch", listens=True)
        self.list = html("", "j-list", listens=True)
        with gr.Column(visible=False, elem_id="j-box") as self.box:
            self.trial = html("", "j-trial", listens=True)
            with gr.Row(elem_classes="p-line"):
                self.run = gr.Dropdown([], label="A run, corrected for this judge’s errors", elem_id="j-run",
                                       min_width=220)  # fmt: skip
                self.correct = gr.Button("Correct its scores", elem_id="j-correct", scale=0, min_width=180)
            self.corrected = html("", "j-corrected")

    def wire(self, tab: gr.Tab) -> None:
        shown = [self.notice, self.opened, self.first, self.list, self.box, self.trial, self.run, self.corrected]
        rows = [self.world_row, self.model_row, self.endpoint, self.world]
        watched = [self.watch, self.tick]
        on(tab.select, self._arrive, [self.project, self.judge], [self.project, *rows, *watched, *shown])
        for part in (self.judge, self.project):
            on(part.input, self._rows, [self.judge, self.project], [self.notice, *rows])
        given = [self.project, self.judge, self.world, self.models, self.labels, self.fresh]
        on(self.go.click, self._start, given, [self.notice, *watched])
        on(self.tick.tick, self._look, [], [*watched, *shown], trigger_mode="once")
        on(self.watch.act, self._cancel, [], [self.notice, *watched])
        on(self.list.act, self._open, [], shown)
        on(self.trial.act, self._page, [self.opened], [self.notice, self.trial, self.first])
        on(self.correct.click, self._correct, [self.opened, self.run], [self.notice, self.corrected],
           concurrency_limit=2)  # fmt: skip

    # handlers

    def _arrive(self, name: str | None, judge: str) -> Changes:
        """The tab was opened: projects, trials, and what is at work."""
        if not self._desk.may:
            return {self.notice: render_notice(self._desk.rights.why)}
        try:
            names = [project.name for project in self._desk.projects()]
            name = name if name in names else latest_labelled(self._desk.store, names)
            return {
                self.project: gr.Dropdown(choices=names, value=name),
                **self._rows(judge, name),
                **self._watched(),
                **self._closed(),
            }
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _rows(self, judge: str, name: str | None) -> Changes:
        """What belongs to the judge that is chosen."""
        desk, asks = self._desk, judge in MODEL_JUDGES
        try:
            desk.check()
            told, found = "", []
            if asks:
                words = endpoint_words(desk.settings, desk.rights.paths)
                told = render_notice(words, "info" if desk.settings.chat_configured else "error")
            if judge == "typed":
                items = desk.store.items(desk.project(name).id) if name else []
                found = [(place.title, place.value) for place in worlds(desk.settings, desk.rights, items)]
            return {
                self.notice: "",
                self.world_row: gr.Column(visible=judge == "typed"),
                self.world: gr.Dropdown(choices=found, value=found[0][1] if found else None),
                self.model_row: gr.Column(visible=asks),
                self.endpoint: told,
            }
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _start(self, name: str | None, judge: str, world: str | None, models: str, labels: str, fresh: bool) -> Changes:
        desk = self._desk
        try:
            desk.check()
            project = desk.project(name)
            from eval.annotate.project_labels import labelled_of  # with the store, which is opened here

            found = labelled_of(desk.store, project)
            asked = models if judge in MODEL_JUDGES else ""
            chosen = read_judge(judge or "", asked, labels, fresh, desk.settings)
            if not chosen.name:
                raise BadInput("choose a judge first")
            place = None
            if chosen.name == "typed":
                place = world_of(world, worlds(desk.settings, desk.rights, desk.store.items(project.id)))
            self._trials.start(found, judge_choice(chosen, desk.settings), place)
            return {self.notice: "", **self._watched()}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _look(self) -> Changes:
        """Once a second while a judge is on trial; at the end what came of it."""
        try:
            self._desk.check()
            job, watched = self._trials.job, self._watched()
            if job is None or job.state == "working":
                return watched
            kept = self._shown(job.kept[0]) if job.kept else {self.list: render_trials(self._trials.all())}
            return {**watched, **kept}
        except Exception as problem:
            return {self.notice: sorry(problem), self.tick: gr.Timer(active=False)}

    def _cancel(self, event: gr.EventData) -> Changes:
        try:
            self._desk.check()
            if detail(event, "act", "") == "cancel":
                self._trials.cancel()
            return {self.notice: "", **self._watched()}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _open(self, event: gr.EventData) -> Changes:
        try:
            self._desk.check()
            return self._shown(str(detail(event, "value", "")))
        except Exception as problem:
            return {self.notice: sorry(problem), **self._closed()}

    def _page(self, key: str, event: gr.EventData) -> Changes:
        """Other disagreements of the trial that is open."""
        try:
            self._desk.check()
            one, value = self._trials.one(key), str(detail(event, "value", ""))
            first = int(value) if value.isdecimal() and len(value) < 10 else 0
            first = max(0, min(first, (len(one.disagreements) - 1) // PAGE * PAGE))
            return {self.notice: "", self.first: first, self.trial: render_trial(one, first)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _correct(self, key: str, run: str | None) -> Changes:
        try:
            self._desk.check()
            folder = runs_of(self._desk.settings).path(run)
            return {
                self.notice: "",
                self.corrected: render_corrected(str(run), corrected_run(self._trials.one(key), folder)),
            }
        except Exception as problem:
            return {self.notice: sorry(problem), self.corrected: ""}

    # what is shown

    def _watched(self) -> Changes:
        job = self._trials.job
        working = job is not None and job.state == "working"
        return {self.watch: render_job(job, self._desk.may), self.tick: gr.Timer(active=working)}

    def _closed(self) -> Changes:
        """No trial is open."""
        return {self.opened: "", self.list: render_trials(self._trials.all()), self.box: gr.Column(visible=False)}

    def _shown(self, key: str) -> dict[Any, Any]:
        one = self._trials.one(key)
        runs = runs_judged(runs_of(self._desk.settings).folder, one.identity)
        return {
            self.notice: "",
            self.opened: key,
            self.first: 0,
            self.list: render_trials(self._trials.all(), key),
            self.box: gr.Column(visible=True),
            self.trial: render_trial(one),
            self.run: gr.Dropdown(choices=runs, value=runs[0][1] if runs else None),  # type: ignore[arg-type]
            self.corrected: "",
        }
