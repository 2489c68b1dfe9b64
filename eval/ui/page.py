"""The page of benchmarks: its tabs put together. It stands on a route of its own; the live page stays as it is."""

from __future__ import annotations

from typing import Any

import gradio as gr

from assistant.core.paths import ASSETS_DIR
from assistant.settings import Settings
from eval.ui.parts.compare import BoardPart, ComparePart
from eval.ui.parts.context import Changes, Desk, html, on
from eval.ui.parts.import_answers import ImportPart
from eval.ui.parts.more import MorePart
from eval.ui.parts.new_run import NewPart
from eval.ui.parts.overview import OverviewPart
from eval.ui.parts.runs import RunsPart
from eval.ui.parts.samples import SamplesPart
from eval.ui.state.processes import Workers
from eval.ui.state.rights import Rights
from eval.ui.state.run_state import RunState

_HEAD = (
    '<header class="v-head" id="b-page"><div><h1>Benchmarks</h1><p>Runs that can be trusted, resumed, compared.</p>'
    "</div></header>"
)


class EvalPage:
    """Builds the page inside the current route of `gr.Blocks` and wires it."""

    def __init__(self, page: gr.Blocks, settings: Settings, rights: Rights, workers: Workers | None = None):
        desk = Desk(settings, rights, workers)
        gr.Navbar(main_page_name="Ask")
        # Its style sheet comes with the page itself: the live page carries none of it.
        style = (ASSETS_DIR / "style" / "eval.css").read_text(encoding="utf-8")
        html(f"<style>{style}</style>{_HEAD}", "b-title")
        self._address = gr.Textbox(visible=False)
        with gr.Tabs(elem_id="b-tabs", selected="runs", overflow_behavior="wrap") as self._tabs:
            with gr.Tab("Runs", id="runs"):
                self._runs = RunsPart(desk)
                with self._runs.list_box:
                    imported = ImportPart(desk)
                with self._runs.samples_tab:
                    self._samples = SamplesPart(desk, self._runs.name)
                with self._runs.more_tab:
                    self._more = MorePart(desk, self._runs.name)
            with gr.Tab("New run", id="new") as new_tab:
                self._new = NewPart(desk)
            with gr.Tab("Compare", id="compare") as compare_tab:
                compare = ComparePart(desk)
            with gr.Tab("Leaderboard", id="board") as board_tab:
                board = BoardPart(desk)
            with gr.Tab("Overview", id="overview") as overview_tab:
                overview = OverviewPart(desk)
        opened = [self._runs.tabs, *self._samples.shown, *self._more.shown]
        everything = [self._tabs, *self._runs.shown, *opened]
        self._runs.wire(self._opened, opened)
        self._samples.wire(self._runs.samples_tab)
        self._more.wire()
        imported.wire(self._started, everything)
        self._new.wire(new_tab, self._started, everything)
        compare.wire(compare_tab)
        board.wire(board_tab)
        overview.wire(overview_tab)
        on(page.load, self._runs.arrive, [self._address], everything, js="() => [location.hash]")

    def _opened(self, run: RunState) -> Changes:
        """What else changes when a run is opened."""
        tabs: dict[Any, Any] = {self._runs.tabs: gr.Tabs(selected="scores")}
        return {**tabs, **self._samples.opened(run), **self._more.opened(run)}

    def _started(self, name: str) -> Changes:
        return {self._tabs: gr.Tabs(selected="runs"), **self._runs.open(name)}
