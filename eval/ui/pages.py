"""The pages beside the live one, each on a route of its own."""

from __future__ import annotations

import gradio as gr

from assistant.settings import Settings
from eval.ui.annotation_page import AnnotationPage
from eval.ui.page import EvalPage
from eval.ui.state.annotation import AnnotationDesk


def add_pages(page: gr.Blocks, settings: Settings, desk: AnnotationDesk) -> None:
    """Benchmarks and annotation; the live page's panels keep theirs at the same `desk`."""
    with page.route("Benchmarks", "/eval"):
        EvalPage(page, settings, desk.rights)
    with page.route("Annotate", "/annotate"):
        AnnotationPage(page, desk)
