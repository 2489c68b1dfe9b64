"""Two runs compared, and the leaderboard of all. Wiring only."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput, VitrineError
from assistant.ui.html.page import render_notice
from assistant.ui.tab.click_payload import detail
from eval.annotate.trial_store import judge_sentence
from eval.imported.run import JUDGE as IMPORTED
from eval.judges.registry import JUDGES
from eval.reports.compare import compare
from eval.reports.leaderboard import elsewhere, kept_off, leaderboard, published_rows
from eval.reports.loaded_run import load_run
from eval.ui.html.compare import FLIPS, ONLY_WORDS, render_comparison, render_leaderboard
from eval.ui.parts.context import Changes, Desk, html, on, sorry

AS_SCORED = "the one each was scored by"
_KEPT = 4


class ComparePart:
    """The tab that compares."""

    def __init__(self, desk: Desk):
        self._desk = desk
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[Any, ...], Mapping[str, Any]] = OrderedDict()
        self.shown_pair = gr.State([])
        with gr.Row(elem_id="b-pair"):
            self.a = gr.Dropdown([], label="A", elem_id="b-a", min_width=260, scale=3)
            self.b = gr.Dropdown([], label="B", elem_id="b-b", min_width=260, scale=3)
            self.judge = gr.Dropdown(
                [AS_SCORED, *JUDGES, str(IMPORTED["judge"])], value=AS_SCORED, label="Judge", min_width=160, scale=2
            )
            self.go = gr.Button("Compare", variant="primary", elem_id="b-compare-go", min_width=110, scale=1)
        self.notice = html("", "b-compare-notice")
        self.result = html(_EMPTY, "b-comparison", listens=True)

    def wire(self, tab: gr.Tab) -> None:
        on(tab.select, self._arrive, [self.a, self.b], [self.a, self.b, self.result])
        out = [self.notice, self.result, self.shown_pair]
        on(self.go.click, self._compare, [self.a, self.b, self.judge], out, concurrency_limit=2)
        on(self.result.act, self._more, [self.shown_pair], out, concurrency_limit=2)

    def _arrive(self, a: str | None, b: str | None) -> Changes:
        names = [run.name for run in self._desk.runs.all() if run.summary.done]
        chosen = [name if name in names else None for name in (a, b)]
        if chosen == [None, None] and len(names) > 1:
            chosen = [names[1], names[0]]
        few = {} if len(names) > 1 else {self.result: _TOO_FEW}
        return {
            self.a: gr.Dropdown(choices=names, value=chosen[0]),
            self.b: gr.Dropdown(choices=names, value=chosen[1]),
            **few,
        }

    def _compare(self, a: str | None, b: str | None, judge: str) -> Iterator[Changes]:
        if not a or not b or a == b:
            yield {self.notice: render_notice("Choose two different runs.", "error")}
            return
        yield {self.notice: render_notice("Comparing …", "progress")}
        yield self._shown(a, b, "" if judge == AS_SCORED else judge, FLIPS, "")

    def _more(self, pair: list[str], event: gr.EventData) -> Changes:
        """More of the changed answers, or those of one kind only."""
        act, value = str(detail(event, "act", "")), str(detail(event, "value", ""))
        if len(pair) != 4:
            return {self.notice: ""}
        a, b, judge, only = pair
        if act == "only":
            return self._shown(a, b, judge, FLIPS, value if value in ONLY_WORDS else "")
        return self._shown(a, b, judge, min(int(value), 2000) if value.isdecimal() else FLIPS, only)

    def _shown(self, a: str, b: str, judge: str, flips: int, only: str) -> Changes:
        try:
            found = self._between(a, b, judge)
        except Exception as problem:
            return {self.notice: sorry(problem), self.result: ""}
        drawn = render_comparison(found, flips, self._trust(a, b), only)
        return {self.notice: "", self.result: drawn, self.shown_pair: [a, b, judge, only]}

    def _trust(self, *names: str) -> list[str]:
        """How far the judges of these runs agreed with people, each judge once."""
        scores = [self._desk.run(name).summary.scores for name in names]
        return trust_in(self._desk.settings.data_dir, scores)

    def _between(self, a: str, b: str, judge: str) -> Mapping[str, Any]:
        folders = [self._desk.workers.folder(name) for name in (a, b)]
        files = ("judgements.jsonl", "scores.json", "run.json")
        key = (a, b, judge, *(_stamp(folder / name) for folder in folders for name in files))
        with self._lock:
            if key in self._found:
                return self._found[key]
        one, other = (load_run(folder, judge or None) for folder in folders)
        found = compare(one, other)
        with self._lock:
            self._found[key] = found
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
        return found


_EMPTY = (
    '<p class="b-none v-quiet">Two runs on the same questions: the difference with its interval, an exact test, and '
    "the answers that changed side by side.</p>"
)
_TOO_FEW = (
    '<p class="b-none v-quiet">There are no two runs with answers yet: start them under “New run”, with the same data '
    "and another agent, pipeline or degradation.</p>"
)


class BoardPart:
    """The leaderboard."""

    def __init__(self, desk: Desk):
        self._desk = desk
        self._lock = threading.Lock()
        self._rows: dict[str, tuple[Any, Any]] = {}
        self.board = html('<p class="v-quiet">Reading the runs …</p>', "b-board-box", listens=True)

    def wire(self, tab: gr.Tab) -> None:
        on(tab.select, self._show, [], [self.board], concurrency_limit=2)

    def _show(self) -> Changes:
        try:
            return {self.board: self._draw()}
        except Exception as problem:
            return {self.board: sorry(problem)}

    def _draw(self) -> str:
        rows, left_out, scores = [], [], []
        for run in self._desk.runs.all():
            try:
                if run.at_work:
                    raise BadInput("it is still at work")
                if not run.summary.done:
                    raise BadInput("it has no finished turns")
                failed = int(run.summary.scores.get("n_failed") or 0)
                if why := elsewhere(run.summary.info) or kept_off(run.summary.info, failed, run.summary.done):
                    raise BadInput(why)
                rows += self._rows_of(run.path)
                scores.append(run.summary.scores)
            except VitrineError as problem:
                left_out.append((run.name, str(problem)))
        found = leaderboard([], [*rows, *published_rows()])
        return render_leaderboard(found, left_out, trust_in(self._desk.settings.data_dir, scores))

    def _rows_of(self, run: Path) -> list[Any]:
        """A run's rows; worked out again only when its verdicts or scores have changed."""
        from eval.reports.leaderboard import measured_rows

        mark = (_size(run / "judgements.jsonl"), _size(run / "turns.jsonl"), _stamp(run / "scores.json"))
        with self._lock:
            known = self._rows.get(run.name)
        if known is None or known[0] != mark:
            known = (mark, measured_rows(load_run(run)))
            with self._lock:
                self._rows[run.name] = known
        return known[1]


def trust_in(data_dir: Path, scores: Iterable[Mapping[str, Any]]) -> list[str]:
    """What is known of the judges of these scores, a sentence each; judges that were never on trial are left out."""
    return list(dict.fromkeys(said for one in scores if (said := judge_sentence(data_dir, one))))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1
