"""Answers made elsewhere, as a run: the file, what it comes to, the import. Wiring only, see `eval.imported`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from eval.data.options import DataChoice
from eval.imported.matching import Understood
from eval.imported.run import make_run, read
from eval.runs.about import about
from eval.ui.html.imported import render_understood
from eval.ui.parts.context import Changes, Desk, html, on, sorry
from eval.ui.state.run_form import RunChoice, allowed, places

_ENDINGS = [".csv", ".tsv", ".jsonl", ".json"]


class ImportPart:
    """The form, below the list of runs. `fields` are its inputs by name."""

    def __init__(self, desk: Desk):
        self._desk = desk
        self.fields: dict[str, Any] = {}
        may, typed = desk.rights.start, "a path or a hub id" if desk.rights.paths else "a hub id, such as org/name"
        found = [(place.title, place.value) for place in places(desk.settings)]
        splits = ["validation", "public_test", "all"]
        with gr.Accordion("Import answers", open=False, elem_id="b-import"):
            html(_WHAT, "b-import-what")
            with gr.Row():
                with gr.Column(min_width=280):
                    self._add("file", gr.File(label="Answers", file_types=_ENDINGS, height=130, elem_id="b-import-file",
                                              interactive=may))  # fmt: skip
                    self._add("data", gr.Dropdown(found, value=found[0][1], label="Data that they answer"))
                    self._add("other", gr.Textbox(label="Other data that they answer", placeholder=typed, max_lines=1))
                    with gr.Row():
                        self._add(
                            "split",
                            gr.Dropdown(splits, value=splits[0], label="Split", allow_custom_value=True, min_width=120),
                        )
                        self._add("set", gr.Radio(["both", "single", "multi"], value="both", label="Turns"))
                with gr.Column(min_width=280):
                    with gr.Row():
                        self._add("column", gr.Textbox(label="Column of verdicts", placeholder="found by its name",
                                                       max_lines=1, min_width=200))  # fmt: skip
                        self._add("scale", gr.Textbox(label="Scale", placeholder="recognised, or 1=correct,0=missing",
                                                      max_lines=1, min_width=200))  # fmt: skip
                    with gr.Row():
                        self._add("name", gr.Textbox(label="Name of the run", max_lines=1, min_width=200))
                        self._add("tags", gr.Textbox(label="Tags of the run", placeholder="parted by commas",
                                                     max_lines=1, min_width=200))  # fmt: skip
                    self._add("note", gr.Textbox(label="Note on the run", lines=2, max_lines=6))
                    with gr.Row():
                        self.look = gr.Button(
                            "Look at the file", interactive=may, elem_id="b-import-look", min_width=120
                        )
                        self.go = gr.Button("Import", variant="primary", interactive=may, elem_id="b-import-go",
                                            min_width=120)  # fmt: skip
            self.notice = html("", "b-import-notice")
            self.shown = html("", "b-import-shown", listens=True)

    def _add(self, name: str, field: Any) -> None:
        self.fields[name] = field

    def wire(self, opened: Callable[[str], Changes], also: list[Any]) -> None:
        """Wire it. `opened` (name → changes of `also`) shows a run that was just made."""
        self._opened = opened
        values, out = list(self.fields.values()), [self.notice, self.shown]
        on(self.look.click, self._look, values, out, concurrency_limit=2)
        on(self.go.click, self._import, values, [*out, self.fields["file"], *also], concurrency_limit=2)
        on(self.fields["file"].clear, lambda: {self.notice: "", self.shown: ""}, [], out)

    # handlers

    def _look(self, *values: Any) -> Iterator[Changes]:
        yield {self.notice: render_notice("Reading the answers …", "progress")}
        try:
            _, found = self._understood(values)
            yield {self.notice: "", self.shown: render_understood(found)}
        except Exception as problem:
            yield {self.notice: sorry(problem), self.shown: ""}

    def _import(self, *values: Any) -> Iterator[Changes]:
        """Look once more, make the run, show it."""
        yield {self.notice: render_notice("Importing …", "progress")}
        try:
            form = dict(zip(self.fields, values, strict=True))
            said = about(form["name"], form["tags"], form["note"])
            choice, found = self._understood(values)
            name = self._desk.workers.new_folder(f"{found.data.name}-imported")
            folder = self._desk.workers.runs / name
            try:
                make_run(found, choice, folder, said)
            except BaseException:
                with contextlib.suppress(OSError):
                    folder.rmdir()
                raise
            yield {self.notice: "", self.shown: "", self.fields["file"]: None, **self._opened(name)}
        except Exception as problem:
            yield {self.notice: sorry(problem)}

    def _understood(self, values: tuple[Any, ...]) -> tuple[DataChoice, Understood]:
        form = dict(zip(self.fields, values, strict=True))
        if not form["file"]:
            raise BadInput("choose a file of answers first")
        choice = DataChoice(
            data=str(form["other"] or "").strip() or str(form["data"] or ""),
            split=str(form["split"] or "validation").strip(),
            set=str(form["set"] or "both"),
            data_dir=self._desk.settings.data_dir,
        )
        allowed(RunChoice(choice), self._desk.settings, self._desk.rights)
        column, scale = (str(form[name] or "").strip() or None for name in ("column", "scale"))
        return choice, read(Path(str(form["file"])), choice, verdict_column=column, scale=scale)


_WHAT = (
    "<p class='v-quiet'>A CSV or JSONL file: <code>interaction_id</code> (or <code>session_id</code> and "
    "<code>turn_idx</code>, or <code>query</code>), the answer as <code>agent_response</code>, <code>prediction</code> "
    "or <code>answer</code>, and where there are any its verdict and its latency in seconds. Verdicts may be on any "
    "scale: what each value was taken for is shown before anything is made.</p>"
)
