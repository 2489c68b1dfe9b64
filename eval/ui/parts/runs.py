"""The runs: the list, one run with its progress and scores, and what can be done with it. Wiring only."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.escape import inert
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.trial_store import TrialStore, judge_sentence
from eval.runs.about import about, write_about
from eval.runs.control import COMMANDS, send
from eval.runs.store import WORKER_LOG
from eval.runs.trash import deleted, put_back
from eval.ui.html.runs import render_broken, render_list, render_run_head, render_trust, render_watch
from eval.ui.parts.context import Changes, Desk, html, on, sorry
from eval.ui.state.processes import log_tail
from eval.ui.state.run_form import arguments_again
from eval.ui.state.run_state import RunState
from eval.ui.state.running import failures
from eval.ui.state.turn_index import TurnIndex

#: A page looks so often.
LOOK_S = 1.0
#: A run that is not at work and was never scored is estimated up to this many turns: beyond, judge it.
_MOST_ESTIMATED = 5000
_AGAIN = "--retry-failed"


class RunsPart:
    """The components of the list and of the run that is open; `name` holds which."""

    def __init__(self, desk: Desk):
        self._desk = desk
        self._failed: dict[str, tuple[int, list[tuple[int, str]]]] = {}
        self.name = gr.State("")
        self.drawn = gr.State({})
        self.tick = gr.Timer(LOOK_S)
        self.notice = html("", "b-notice")
        with gr.Column(elem_id="b-list-box") as self.list_box:
            self.list = html('<p class="v-quiet">Looking for runs …</p>', "b-list", listens=True)
        with gr.Column(visible=False, elem_id="b-run-box") as self.run_box:
            self.head = html("", "b-run-head", listens=True)
            with gr.Accordion("Name, tags, note", open=False, elem_id="b-about"):
                with gr.Row():
                    self.called = gr.Textbox(label="Name", max_lines=1, elem_id="b-about-name")
                    self.tags = gr.Textbox(label="Tags", placeholder="parted by commas", max_lines=1)
                self.note = gr.Textbox(label="Note", lines=2, max_lines=8)
                self.keep = gr.Button("Keep", size="sm", interactive=desk.rights.start, elem_id="b-about-keep")
            self.watch = html("", "b-watch", listens=True)
            with gr.Tabs(elem_id="b-run-tabs", overflow_behavior="wrap") as self.tabs:
                with gr.Tab("Scores", id="scores"):
                    self.scores = html("", "b-scores", listens=True)
                self.samples_tab = gr.Tab("Samples", id="samples")
                self.more_tab = gr.Tab("Files, ladder, judges", id="more")

    @property
    def shown(self) -> list[Any]:
        """Everything that opening a run, or going back to the list, changes."""
        return [self.name, self.drawn, self.notice, self.list_box, self.list, self.run_box, self.head, self.watch,
                self.scores, *self._about]  # fmt: skip

    @property
    def _about(self) -> list[Any]:
        return [self.called, self.tags, self.note]

    def wire(self, opened: Any, also: list[Any]) -> None:
        """Wire it. `opened` (run → changes of `also`) is called whenever a run is opened."""
        self._opened = opened
        outputs = [*self.shown, *also]
        on(self.keep.click, self._keep, [self.name, *self._about], [self.notice, self.head])
        on(self.tick.tick, self._look, [self.name, self.drawn], self.shown, trigger_mode="once")
        for part in (self.list, self.head, self.watch):
            on(part.act, self._act, [self.name], outputs)

    # what is shown

    def arrive(self, address: str) -> Changes:
        """The page was opened: the run that its address names, or the list."""
        name = address.lstrip("#").removeprefix("run=") if "run=" in (address or "") else ""
        if not name:
            return self.show_list()
        try:
            return self.open(name)
        except Exception as problem:
            return {**self.show_list(), self.notice: sorry(problem)}

    def show_list(self) -> Changes:
        """Back to all runs."""
        drawn = self._list()
        return {
            self.name: "",
            self.drawn: {"list": _digest(drawn)},
            self.list: drawn,
            self.list_box: gr.Column(visible=True),
            self.run_box: gr.Column(visible=False),
        }

    def open(self, name: str) -> Changes:
        """One run with all its parts.

        Raises:
            BadInput: it is not there any more.
        """
        run = self._desk.run(name)
        head, watch, mark = self._head(run), self._watch(run), self._mark(run)
        return {
            self.name: name,
            self.drawn: {"head": _digest(head), "watch": _digest(watch), "scores": [run.at_work, *mark]},
            self.notice: "",
            self.list_box: gr.Column(visible=False),
            self.run_box: gr.Column(visible=True),
            self.head: head,
            self.watch: watch,
            self.scores: self._scores(run),
            self.called: run.about.name,
            self.tags: ", ".join(run.about.tags),
            self.note: run.about.note,
            **self._opened(run),
        }

    def _keep(self, name: str, called: str, tags: str, note: str) -> Changes:
        """What people call the run; it may still be at work."""
        try:
            if not self._desk.rights.start:
                raise BadInput(self._desk.rights.why)
            run = self._desk.run(name)
            write_about(run.path, about(called, tags, note))
            return {self.notice: render_notice("Kept."), self.head: self._head(self._desk.run(name))}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _list(self) -> str:
        desk = self._desk
        drawn = render_list(desk.runs.all(), desk.rights, deleted(desk.workers.runs), time.time())
        return f'<div data-hash=""></div>{drawn}'

    def _head(self, run: RunState) -> str:
        return render_run_head(run, self._desk.rights)

    def _watch(self, run: RunState) -> str:
        index = self._desk.indexes.of(run.path) if run.summary.info else None
        so_far = None
        if index is not None and (run.at_work or (not run.has_scores and len(index) <= _MOST_ESTIMATED)):
            so_far = self._desk.running(run).look(index)
        failed = self._failures(run, index) if index is not None else []
        return render_watch(run, so_far, failed, log_tail(run.path / WORKER_LOG), self._desk.rights)

    def _failures(self, run: RunState, index: TurnIndex) -> list[tuple[int, str]]:
        """What turns failed of; read again only when there are more turns."""
        known = self._failed.get(run.name)
        if known is None or known[0] != len(index):
            known = self._failed[run.name] = (len(index), failures(index))
        return known[1]

    def _scores(self, run: RunState) -> str:
        if not run.has_scores:
            words = "This run has no scores." if run.summary.done else "No turn was finished, so nothing is scored."
            if run.at_work:
                words = "The scores come when the answers are made and judged."
            return f'<p class="b-none v-quiet">{words}</p>'
        from eval.reports.report import ASSETS, scores_html

        # The report's own style sheet, for this part of the page alone: the two cannot drift apart.
        style = (ASSETS / "report.css").read_text(encoding="utf-8")
        drawn = inert(scores_html(run.path, run.summary.scores, run.summary.info))
        trust = render_trust(judge_sentence(self._desk.settings.data_dir, run.summary.scores))
        scores = run.summary.scores
        broken = render_broken(int(scores.get("n_failed") or 0), int(scores.get("n") or run.summary.done))
        return f'<style>.b-report {{ {style} }}</style>{broken}{trust}<div class="b-report">{drawn}</div>'

    def _mark(self, run: RunState) -> list[int]:
        """Changes when the scores, the ladder or the recall of a run do, or a judge was put on trial."""
        places = [run.path / name for name in ("scores.json", "ladder/ladder.json", "retrieval.json")]
        return [_stamp(place) for place in (*places, TrialStore(self._desk.settings.data_dir).folder)]

    # handlers

    def _look(self, name: str, drawn: dict[str, Any]) -> Changes:
        """Once a second: what has changed since is drawn anew."""
        try:
            if not name:
                listed = self._list()
                if _digest(listed) == drawn.get("list"):
                    return {self.drawn: gr.skip()}
                return {self.list: listed, self.drawn: {"list": _digest(listed)}}
            return self._look_at(self._desk.run(name), drawn)
        except BadInput as problem:
            return {**self.show_list(), self.notice: sorry(problem)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _look_at(self, run: RunState, drawn: dict[str, Any]) -> Changes:
        parts = {"head": (self.head, self._head(run)), "watch": (self.watch, self._watch(run))}
        now: dict[str, Any] = {key: _digest(value) for key, (_, value) in parts.items()}
        now["scores"] = [run.at_work, *self._mark(run)]
        if now == drawn:
            return {self.drawn: gr.skip()}
        changes: Changes = {part: value for key, (part, value) in parts.items() if now[key] != drawn.get(key)}
        if now["scores"] != drawn.get("scores"):
            changes[self.scores] = self._scores(run)
        return {**changes, self.drawn: now}

    def _act(self, open_name: str, event: gr.EventData) -> Changes:
        """A button of the list, of the head or of the progress."""
        act, name = str(detail(event, "act", "")), str(detail(event, "value", ""))
        try:
            if act == "back":
                return {**self.show_list(), self.notice: ""}
            if act == "open":
                return self.open(name)
            self.steer(act, name)
            if open_name and act != "delete":
                return {self.notice: "", **self._look_at(self._desk.run(name), {})}
            return {self.notice: "", **self.show_list()}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def steer(self, act: str, name: str) -> None:
        """Pause, go on, cancel, stop, resume, try failed turns again, delete or put back.

        Raises:
            BadInput: it cannot be done, or not by this visitor.
        """
        desk = self._desk
        if not desk.rights.start:
            raise BadInput(desk.rights.why)
        if act == "put back":
            put_back(desk.workers.runs, name)
            return
        folder = desk.workers.folder(name)
        if act in COMMANDS:
            send(folder, act)  # type: ignore[arg-type]  # one of COMMANDS
        elif act == "stop":
            desk.workers.stop(name)
        elif act in ("resume", "retry"):
            run = desk.run(name)
            if run.at_work:
                raise BadInput(f"{name!r} is at work already")
            if run.started is not None and run.started.command == "run":
                again = [flag for flag in run.started.arguments if flag != _AGAIN]
            else:
                again = arguments_again(run.summary.info, desk.settings.data_dir)
            desk.workers.take_up(name, [*again, _AGAIN] if act == "retry" else again)
        elif act == "delete":
            desk.workers.delete(name)
        else:
            raise BadInput(f"there is no button {act!r}")


def _digest(drawn: str) -> str:
    return hashlib.sha256(drawn.encode("utf-8", "replace")).hexdigest()[:16]


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
