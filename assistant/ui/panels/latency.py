"""The panel "Response times": how soon the turns of this conversation were heard, answered and spoken."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import gradio as gr

from assistant.ui.html.timings import ms_words
from assistant.ui.state.latency import as_csv, summary
from assistant.ui.state.turn_view import TurnView
from assistant.ui.tab.click_payload import Changes

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab

_EMPTY = '<p class="v-quiet">Nothing has been asked in this conversation yet.</p>'


class LatencyPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Response times"
    elem_id = "latency"
    place: Literal["drawer", "wide"] = "drawer"

    def build(self, tab: Tab) -> None:
        self._tab = tab
        self.refresh = gr.Button("Show the times", size="sm", elem_id="latency-show")
        self.out = gr.HTML("", elem_id="latency-table", apply_default_css=False)

    def wire(self, tab: Tab) -> None:
        tab.on(self.refresh.click, tab.guarded(self._show), [tab.session_id], [self.out])

    def _show(self, session_id: str) -> Changes:
        return {self.out: render_latency(self._tab.session(session_id).turns())}


def render_latency(views: Sequence[TurnView]) -> str:
    """Median and 95th percentile of each moment, and all turns as a file."""
    rows = summary(views)
    if not rows:
        return _EMPTY
    lines = "".join(
        f"<tr><th>{name}</th><td>{count}</td><td>{ms_words(median)}</td><td>{ms_words(most)}</td></tr>"
        for name, count, median, most in rows
    )
    data = base64.b64encode(as_csv(views).encode()).decode()
    return (
        '<p class="v-quiet">From the end of a spoken question, or from asking a typed one.</p>'
        '<table class="v-latency"><thead><tr><th></th><th>turns</th><th>median</th><th>95 %</th></tr></thead>'
        f'<tbody>{lines}</tbody></table><a class="v-act" download="vitrine-times.csv" '
        f'href="data:text/csv;base64,{data}">Save as CSV</a>'
    )
