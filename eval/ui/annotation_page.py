"""The page of annotation: its tabs put together, on a route of its own."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr

from assistant.core.paths import ASSETS_DIR
from eval.ui.html.annotate import render_start
from eval.ui.parts.agreement import AgreementPart
from eval.ui.parts.context import Changes, html, on
from eval.ui.parts.judges import JudgesPart
from eval.ui.parts.label import LabelPart
from eval.ui.parts.projects import ProjectsPart
from eval.ui.parts.rows import RowsPart
from eval.ui.state.annotation import AnnotationDesk

_HEAD = (
    '<header class="v-head" id="a-page"><div><h1>Annotate</h1><p>People say what answers are worth, and how far they '
    "agree.</p></div></header>"
)
#: Gradio selects the first tab once by itself: then nothing is told, and the page shows what `arrive` says. Later it is
#: told that somebody came back, and what is chosen, after a colon.
_CAME_BACK = """() => {
  const told = window.vitrineCame ? `:${document.querySelector('#a-project input')?.value ?? ''}` : '';
  window.vitrineCame = true;
  return [told];
}"""


class AnnotationPage:
    """Builds the page inside the current route of `gr.Blocks` and wires it."""

    def __init__(self, page: gr.Blocks, desk: AnnotationDesk):
        gr.Navbar(main_page_name="Ask")
        style = "".join(
            (ASSETS_DIR / "style" / f"{name}.css").read_text(encoding="utf-8") for name in ("eval", "annotate")
        )
        html(f"<style>{style}</style>{_HEAD}", "a-title")
        with gr.Tabs(elem_id="a-tabs", selected="label", overflow_behavior="wrap"):
            with gr.Tab("Label", id="label") as label_tab:
                label = LabelPart(desk)
            with gr.Tab("Projects", id="projects") as projects_tab:
                projects = ProjectsPart(desk)
            with gr.Tab("Agreement", id="agreement") as agreement_tab:
                agreement = AgreementPart(desk)
            with gr.Tab("Judges", id="judges") as judges_tab:
                judges = JudgesPart(desk)
            with gr.Tab("Test rows", id="rows") as rows_tab:
                rows = RowsPart(desk)
        label.wire()
        projects.wire(projects_tab)
        agreement.wire(agreement_tab)
        judges.wire(judges_tab)
        rows.wire(rows_tab)
        told, shown = gr.Textbox(visible=False), [label.project, label.work]
        on(label_tab.select, _projects_now(desk, label), [told], shown, js=_CAME_BACK)
        page.load(label.arrive, None, label.shown, show_progress="hidden", api_visibility="private")


def _projects_now(desk: AnnotationDesk, label: LabelPart) -> Callable[[str], Changes]:
    """Which projects there are when somebody comes back to label: what they are labelling stays before them."""

    def now(told: str) -> Changes:
        chosen = (told or "").removeprefix(":")
        if not told or not desk.may:
            return {label.project: gr.skip()}
        names = [project.name for project in desk.projects()]
        if chosen in names:
            return {label.project: gr.Dropdown(choices=names)}
        value = names[-1] if names else None
        return {label.project: gr.Dropdown(choices=names, value=value), label.work: render_start(len(names), True)}

    return now
