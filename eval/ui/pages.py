"""The pages beside the live one, each on a route of its own."""

from __future__ import annotations

import gradio as gr

from assistant.settings import Settings
from eval.ui.annotation_page import AnnotationPage
from eval.ui.page import EvalPage
from eval.ui.state.rights import Rights


def add_pages(page: gr.Blocks, settings: Settings, rights: Rights) -> None:
    """Benchmarks and annotation."""
    with page.route("Benchmarks", "/eval"):
        EvalPage(page, settings, rights)
    with page.route("Annotate", "/annotate"):
        AnnotationPage(page, settings, rights)
