"""The page of annotation: its tabs put together, on a route of its own."""

from __future__ import annotations

import gradio as gr

from assistant.core.paths import ASSETS_DIR
from assistant.settings import Settings
from eval.ui.parts.context import html
from eval.ui.parts.label import LabelPart
from eval.ui.parts.rows import RowsPart
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.rights import Rights

_HEAD = (
    '<header class="v-head" id="a-page"><div><h1>Annotate</h1><p>People say what answers are worth, and how far they '
    "agree.</p></div></header>"
)


class AnnotationPage:
    """Builds the page inside the current route of `gr.Blocks` and wires it."""

    def __init__(self, page: gr.Blocks, settings: Settings, rights: Rights):
        desk = AnnotationDesk(settings, rights)
        gr.Navbar(main_page_name="Ask")
        style = "".join(
            (ASSETS_DIR / "style" / f"{name}.css").read_text(encoding="utf-8") for name in ("eval", "annotate")
        )
        html(f"<style>{style}</style>{_HEAD}", "a-title")
        with gr.Tabs(elem_id="a-tabs", selected="label", overflow_behavior="wrap"):
            with gr.Tab("Label", id="label"):
                label = LabelPart(desk)
            with gr.Tab("Test rows", id="rows") as rows_tab:
                rows = RowsPart(desk)
        label.wire()
        rows.wire(rows_tab)
        page.load(label.arrive, None, label.shown, show_progress="hidden", api_visibility="private")
