"""Further work on the run that is open: judging again, the oracle ladder, raw recall; and its files. Wiring only."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.escape import isolated, text
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.trial_store import judge_sentence
from eval.data.gold import has_gold
from eval.judges.options import world_for
from eval.judges.registry import JUDGES, MODEL_JUDGES
from eval.reports.ladder import read_ladder
from eval.ui.html.ladder import render_ladder
from eval.ui.parts.context import Changes, Desk, html, on, sorry
from eval.ui.state.forecast import judging_words
from eval.ui.state.judge_form import LABEL_CHOICES, endpoint_words, read_judge
from eval.ui.state.processes import JOBS, is_at_work, last_sentence, log_tail, read_started
from eval.ui.state.run_state import RunState

_TITLES = {"judge": "Judging again", "ladder": "Oracle ladder", "retrieval": "Recall of the search"}
#: What a job leaves behind, by which its end is told from a failure.
_LEAVES = {"judge": "scores.json", "ladder": "ladder/ladder.json", "retrieval": "retrieval.json"}
JOB_LOOK_S = 2.0


class MorePart:
    """The components, created inside the run's last tab."""

    def __init__(self, desk: Desk, name: gr.State):
        self._desk = desk
        self._name = name
        self.drawn = gr.State([])
        self.tick = gr.Timer(JOB_LOOK_S)
        self.notice = html("", "b-more-notice")
        may = desk.rights.start
        with gr.Row(elem_id="b-more"):
            with gr.Column(min_width=280, elem_classes="b-card"):
                html(
                    "<h3>Judge again</h3><p class='v-quiet'>Nothing is generated; verdicts of other judges stay.</p>",
                    "b-j",
                )
                self.judge = gr.Dropdown(list(JUDGES), value="lexical", label="Judge", interactive=may)
                with gr.Column(visible=False) as self.llm:
                    self.models = gr.Textbox(
                        label="Judging model", max_lines=1, interactive=may, elem_id="b-judge-models",
                        placeholder=f"{desk.settings.chat_model}; two with a comma are averaged",
                    )  # fmt: skip
                    self.labels = gr.Radio(LABEL_CHOICES, value="", label="Labels", interactive=may)
                    self.fresh = gr.Checkbox(label="Ask again what was asked before", value=False, interactive=may)
                self.estimate = html("", "b-judge-estimate")
                self.judge_go = gr.Button("Judge again", interactive=may, elem_id="b-judge-go")
            with gr.Column(min_width=280, elem_classes="b-card"):
                html(
                    "<h3>Oracle ladder</h3><p class='v-quiet'>Failed turns are answered again with the answer key's "
                    "entity, then its query, then its pages: what each stage would win. For generated worlds.</p>",
                    "b-l",
                )
                self.limit = gr.Textbox(label="Limit of failed turns", placeholder="all", max_lines=1, interactive=may)
                self.ladder_go = gr.Button("Run the oracle ladder", interactive=may, elem_id="b-ladder-go")
                self.ladder = html("", "b-ladder")
                self.retrieval_go = gr.Button("Measure retrieval recall", interactive=may, elem_id="b-retrieval-go")
            with gr.Column(min_width=280, elem_classes="b-card"):
                html(
                    "<h3>Downloads</h3><p class='v-quiet'>A report of one page, a plain CSV, the public evaluator’s "
                    "files. They are made for you now and deleted here after half an hour.</p>",
                    "b-d",
                )
                self.files_go = gr.Button("Export files", elem_id="b-files-go")
                self.files = gr.File(
                    label="Files", file_count="multiple", interactive=False, visible=False, elem_id="b-files"
                )
        self.jobs = html("", "b-jobs", listens=True)

    @property
    def shown(self) -> list[Any]:
        """Everything that opening a run changes."""
        return [self.drawn, self.notice, self.files, self.jobs, self.ladder]

    def wire(self) -> None:
        out = [self.drawn, self.notice, self.jobs, self.ladder]
        chosen = [self._name, self.judge, self.models, self.labels, self.fresh]
        on(self.judge_go.click, self._judge, chosen, out)
        for part in (self.judge, self.models):
            on(part.change, self._rows, chosen[:3], [self.llm, self.estimate])
        on(self.ladder_go.click, self._ladder, [self._name, self.limit], out)
        on(self.retrieval_go.click, self._retrieval, [self._name], out)
        on(self.jobs.act, self._stop, [self._name], out)
        on(self.files_go.click, self._make, [self._name], [self.notice, self.files], concurrency_limit=2)
        on(self.tick.tick, self._look, [self._name, self.drawn], out, trigger_mode="once")

    def opened(self, run: RunState) -> Changes:
        return {**self._drawn(run.path), self.notice: "", self.files: gr.File(value=None, visible=False)}

    # handlers

    def _look(self, name: str, drawn: list[str]) -> Changes:
        if not name:
            return {self.drawn: gr.skip()}
        try:
            now = self._drawn(self._desk.workers.folder(name))
        except BadInput:
            return {self.drawn: gr.skip()}
        return {self.drawn: gr.skip()} if now[self.drawn] == drawn else now

    def _rows(self, name: str, judge: str, models: str) -> Changes:
        """What belongs to the judge that is chosen: for llm whom it asks, and what that takes."""
        told = ""
        if judge in MODEL_JUDGES:
            settings = self._desk.settings
            words = endpoint_words(settings, self._desk.rights.paths)
            told = render_notice(words, "info" if settings.chat_configured else "error")
            if name and settings.chat_configured:
                chosen = read_judge(judge, models, "", False, settings)
                try:
                    run = self._desk.run(name)
                    turns = len(self._desk.indexes.of(run.path)) - int(run.summary.scores.get("n_failed") or 0)
                    takes = judging_words(turns, judge, len(chosen.models), settings, self._desk.runs.all())
                except Exception as problem:
                    return {self.llm: gr.Column(visible=True), self.estimate: sorry(problem)}
                told += f'<p class="v-quiet">{isolated(takes, 400)}</p>'
        return {self.llm: gr.Column(visible=judge in MODEL_JUDGES), self.estimate: told}

    def _judge(self, name: str, judge: str, models: str, labels: str, fresh: bool) -> Changes:
        settings = self._desk.settings
        try:
            # What was typed for llm is no matter of another judge: its fields are hidden then.
            chosen = read_judge(judge, models if judge in MODEL_JUDGES else "", labels, fresh, settings)
            chosen.check(world_for(self._desk.run(name).summary.info, judge), settings.data_dir)
        except Exception as problem:
            return {self.notice: sorry(problem)}
        return self._start(name, "judge", [*chosen.arguments(), self._data_dir()])

    def _ladder(self, name: str, limit: str) -> Changes:
        limit = (limit or "").strip()
        if limit and not (limit.isdecimal() and int(limit)):
            return {self.notice: render_notice(f"{limit!r} is no number of turns: give one above 0.", "error")}
        arguments = [self._data_dir(), *([f"--limit={int(limit)}"] if limit else [])]
        return self._start(name, "ladder", arguments)

    def _retrieval(self, name: str) -> Changes:
        try:
            run = self._desk.run(name)
            world = (run.summary.info.get("data") or {}).get("world")
            if not world or not has_gold(Path(world)):
                raise BadInput("retrieval recall needs a generated world with its gold/ folder, and this run has none")
            index = run.options.get("index")
            arguments = [f"--data={world}", self._data_dir(), *([f"--index={index}"] if index else [])]
        except Exception as problem:
            return {self.notice: sorry(problem)}
        return self._start(name, "retrieval", arguments)

    def _data_dir(self) -> str:
        return f"--data-dir={self._desk.settings.data_dir}"

    def _start(self, name: str, job: str, arguments: list[str]) -> Changes:
        try:
            if not self._desk.rights.start:
                raise BadInput(self._desk.rights.why)
            run = self._desk.run(name)
            if run.at_work:
                raise BadInput("the run is still at work: wait until it has ended, or cancel it")
            self._desk.workers.start_job(name, job, arguments)
            return {self.notice: "", **self._drawn(run.path)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _stop(self, name: str, event: gr.EventData) -> Changes:
        try:
            if not self._desk.rights.start:
                raise BadInput(self._desk.rights.why)
            self._desk.workers.stop(name, str(detail(event, "value", "")))
            return {self.notice: render_notice("It is stopped; what it finished is kept.")}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _make(self, name: str) -> Iterator[Changes]:
        """The run's files, in a folder that only this call knows; gradio keeps copies of its own for a while."""
        yield {self.notice: render_notice("Making the files …", "progress"), self.files: gr.File(visible=False)}
        folder = Path(tempfile.mkdtemp(prefix="vitrine-files-"))
        try:
            run = self._desk.run(name)
            trust = judge_sentence(self._desk.settings.data_dir, run.summary.scores)
            made = make_files(run.path, folder, trust)
            yield {self.notice: "", self.files: gr.File(value=[str(path) for path in made], visible=True)}
        except Exception as problem:
            yield {self.notice: sorry(problem)}
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    # what is shown

    def _drawn(self, run: Path) -> Changes:
        """The jobs on a run and what its ladder came to, as they stand in its folder."""
        jobs = "".join(self._job(run, job) for job in JOBS)
        jobs = f'<section aria-label="Work on this run">{jobs}</section>' if jobs else ""
        ladder = render_ladder(read_ladder(run))
        return {self.drawn: [jobs, ladder], self.jobs: jobs, self.ladder: ladder}

    def _job(self, run: Path, job: str) -> str:
        started = read_started(run / "jobs" / f"{job}.json")
        if started is None:
            return ""
        log = run / "jobs" / f"{job}.log"
        if is_at_work(started, run.name):
            state, tone, said = "at work", "loud", last_sentence(log)
            act = ""
            if self._desk.rights.start:
                what = f'data-act="stop" data-value="{job}" data-key="{job}"'
                act = f'<button type="button" class="b-act" {what}>Stop</button>'
        else:
            done = _changed_since(run / _LEAVES[job], started.at)
            state, tone, act = ("done", "calm", "") if done else ("did not finish", "bad", "")
            said = "" if done else last_sentence(log)
        return (
            f'<div class="b-job"><b>{_TITLES[job]}</b> <span class="b-tag b-tag--{tone}">{state}</span>{act}'
            f'<p class="v-quiet">{isolated(said, 300)}</p><details class="b-log" data-key="log-{job}"><summary>'
            f'Log</summary><pre tabindex="0">{text(log_tail(log), 8000)}</pre></details></div>'
        )


def _changed_since(path: Path, at: float) -> bool:
    try:
        return path.stat().st_mtime >= at
    except OSError:
        return False


def make_files(run: Path, folder: Path, trust: str = "") -> list[Path]:
    """Report, plain CSV and the public evaluator's files of a run, in `folder`; `trust` says how far its judge agreed
    with people.

    Raises:
        BadInput: the run has not been judged, or nothing can be written.
    """
    from eval.commands.report import gold_for, rescored
    from eval.reports.export import export_run
    from eval.reports.loaded_run import load_run
    from eval.reports.report import html_report

    judged = load_run(run)
    report = folder / f"{run.name}.html"
    report.write_text(html_report(rescored(judged), gold_for(judged), trust=trust), encoding="utf-8")
    public = folder / "public"
    names = export_run(judged, public)
    table = folder / f"{run.name}.csv"
    (public / "turns.csv").replace(table)
    archive = folder / f"{run.name}-public.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            if (public / name).is_file():
                file.write(public / name, name)
    return [report, table, archive]
