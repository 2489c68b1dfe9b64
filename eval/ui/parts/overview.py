"""The four benchmarks side by side, with the boards and views of those that have figures of their own. Wiring only."""

from __future__ import annotations

from collections import Counter

import gradio as gr

from eval.benchmarks.registry import BENCHMARKS, benchmark_of
from eval.reports.board import board
from eval.reports.deflection import views
from eval.ui.html.deflection import render_views
from eval.ui.html.overview import render_board, render_overview
from eval.ui.parts.context import Changes, Desk, html, on, sorry


class OverviewPart:
    """The tab; drawn anew whenever it is chosen."""

    def __init__(self, desk: Desk):
        self._desk = desk
        self.four = html(render_overview(tuple(BENCHMARKS.values()), {}), "b-overview")
        self.boards = html('<p class="v-quiet">Reading the runs …</p>', "b-boards")

    def wire(self, tab: gr.Tab) -> None:
        on(tab.select, self._show, [], [self.four, self.boards], concurrency_limit=2)

    def _show(self) -> Changes:
        try:
            done = [run for run in self._desk.runs.all() if run.summary.scores and not run.at_work]
            runs = [(run.name, run.summary.info, run.summary.scores) for run in done]
            own = Counter(str(benchmark_of(info).name) for _, info, _ in runs)
            boards = [render_board(one, board(one, runs)) for one in BENCHMARKS.values() if one.name != "cragmm"]
            shown = f"<h3>VLM-DeflectionBench</h3>{render_views(views(runs))}<h3>Boards</h3>{''.join(boards)}"
            return {self.four: render_overview(tuple(BENCHMARKS.values()), own), self.boards: shown}
        except Exception as problem:
            return {self.boards: sorry(problem)}
