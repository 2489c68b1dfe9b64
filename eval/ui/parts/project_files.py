"""A project's labels and rows out as files, and labels in. Wiring, and the files themselves."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from eval.annotate.exchange import FORMATS, Format, export_labels, export_rows, import_labels
from eval.annotate.sources import FrameSource, write_items
from eval.annotate.values import Project
from eval.ui.html.projects import count
from eval.ui.parts.context import Changes, on, sorry
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.project_form import file_name, in_words

if TYPE_CHECKING:
    from eval.annotate.store import Store

EXPORTS = {
    "labels, JSONL": "jsonl", "labels, CSV": "csv", "labels, Label Studio": "label-studio",
    "items with known answers, JSONL": "items", "test rows, Parquet (CRAG-MM)": "rows.parquet",
    "test rows, JSONL (CRAG-MM)": "rows.jsonl",
}  # fmt: skip
_BY_NAME = "by the file’s name"
_ENDINGS: dict[str, Format] = {".csv": "csv", ".json": "label-studio"}


class FilesPart:
    """The components, created inside the project's last tab."""

    def __init__(self, desk: AnnotationDesk, chosen: gr.State, notice: gr.HTML):
        self._desk, self._chosen, self._notice = desk, chosen, notice
        with gr.Row():
            with gr.Column(min_width=280, elem_classes="b-card"):
                self.what = gr.Dropdown(list(EXPORTS.items()), value="jsonl", label="Export", elem_id="p-export-what")
                self.corrected = gr.Checkbox(
                    label="In test rows, corrected answers that most agree on", value=False, elem_id="p-corrected"
                )
                self.export = gr.Button("Make the file", elem_id="p-export")
                self.made = gr.File(label="File", file_count="multiple", interactive=False, visible=False,
                                    elem_id="p-made")  # fmt: skip
            with gr.Column(min_width=280, elem_classes="b-card"):
                self.file = gr.File(label="Labels to import", file_types=[".jsonl", ".json", ".csv"], height=120,
                                    elem_id="p-import-file")  # fmt: skip
                self.kind = gr.Dropdown([_BY_NAME, *FORMATS], value=_BY_NAME, label="Format")
                self.bring = gr.Button("Import the labels", elem_id="p-import")

    @property
    def opening(self) -> list[Any]:
        return [self.made, self.file]

    def opened(self) -> Changes:
        return {self.made: gr.File(value=None, visible=False), self.file: None}

    def wire(self, head: gr.HTML, now: Callable[[int], Changes]) -> None:
        """`now` draws the project's head anew."""
        self._now = now
        out = [self._notice, self.made]
        on(self.export.click, self._export, [self._chosen, self.what, self.corrected], out, concurrency_limit=2)
        given = [self._chosen, self.file, self.kind]
        on(self.bring.click, self._import, given, [self._notice, self.file, head], concurrency_limit=2)

    def _export(self, chosen: int, what: str, corrected: bool) -> Iterator[Changes]:
        yield {self._notice: render_notice("Making the file …", "progress"), self.made: gr.File(visible=False)}
        folder = Path(tempfile.mkdtemp(prefix="vitrine-labels-"))
        try:
            self._desk.check()
            project = self._desk.project(chosen)
            paths, words = exported(self._desk.store, project, what, folder, self._desk.frames, corrected=corrected)
            shown = gr.File(value=[str(path) for path in paths], visible=True)
            yield {self._notice: render_notice(words), self.made: shown}
        except Exception as problem:
            yield {self._notice: sorry(problem)}
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _import(self, chosen: int, file: str | None, kind: str) -> Iterator[Changes]:
        yield {self._notice: render_notice("Reading the labels …", "progress")}
        try:
            self._desk.check()
            project = self._desk.project(chosen)
            words = imported(self._desk.store, project, file, kind)
            yield {self._notice: render_notice(words), self.file: None, **self._now(chosen)}
        except Exception as problem:
            yield {self._notice: sorry(problem)}


def exported(
    store: Store, project: Project, what: str, folder: Path, frames: FrameSource, *, corrected: bool = False
) -> tuple[list[Path], str]:
    """Write what was asked for into a folder; the files, and a sentence.

    Raises:
        BadInput: there is no such export, nothing to write, or a picture is gone.
    """
    if what not in EXPORTS.values():
        raise BadInput(f"there is no export {what!r}")
    name = file_name(project.name)
    if what == "items":
        path, items = folder / f"{name}-items.jsonl", store.items(project.id, with_gold=True)
        write_items(path, items)
        return [path], f"{count(len(items), 'item')} written."
    if what.startswith("rows."):
        path = folder / f"{name}-{what}"
        n = export_rows(store, project.id, path, frames, corrected=corrected)
        return [path], f"{count(n, 'row')} written."
    path = folder / f"{name}-labels.{'json' if what == 'label-studio' else what}"
    n = export_labels(store, project.id, path, what)  # type: ignore[arg-type]  # one of the formats
    return sorted(folder.iterdir()), f"{count(n, 'label')} written."


def imported(store: Store, project: Project, file: str | None, kind: str) -> str:
    """Read labels into a project; a sentence about what was new.

    Raises:
        BadInput: no file, or a wrong line; the message has its number.
    """
    if not file:
        raise BadInput("hand a file over first")
    path = Path(file)
    form = _ENDINGS.get(path.suffix.lower(), "jsonl") if kind == _BY_NAME else kind
    if form not in FORMATS:
        raise BadInput(f"there is no format {form!r}: choose one of {', '.join(FORMATS)}")
    found = in_words(lambda: import_labels(store, project.id, path, form), path)
    new = f"{count(found.labels, 'label')} and {count(found.items, 'item')} are new"
    return f"{new}, {count(found.known, 'label')} had been there."
