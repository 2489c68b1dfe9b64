"""Writing test rows: a picture, one question or several with their answers and labels, checked while they are typed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.page import render_notice
from assistant.ui.state.pictures import data_uri
from assistant.ui.tab.click_payload import detail
from assistant.ui.tab.picture_input import PictureInput
from assistant.vision.frame import read_frame
from eval.annotate import rows as saved_rows
from eval.annotate.rows import Draft, Row, RowTurn
from eval.ui.html.rows import render_row_list, render_wrong
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.parts.label_fields import label_fields, labels_in
from eval.ui.state.annotation import AnnotationDesk

HEADERS = ["Question", "Answer"]
THUMB_PX = 160


@dataclass(frozen=True)
class Kept:
    """What the form holds beside its fields: the row that is changed, its picture's bytes, where a user would leave."""

    session_id: str = ""
    picture: bytes = b""
    left_at: int = -1


NOTHING = Kept()


class RowsPart:
    """The components, created inside the tab, and their wiring."""

    def __init__(self, desk: AnnotationDesk):
        self._desk = desk
        may = desk.may
        self.notice = html("", "a-rows-notice")
        self.kept = gr.State(NOTHING)
        with gr.Row(elem_id="a-rows-form"):
            with gr.Column(scale=4, min_width=260):
                self.picture = PictureInput(
                    label="Picture", sources=["upload", "clipboard", "webcam"], height=320, elem_id="a-row-picture",
                )  # fmt: skip
                self.shown = html("", "a-row-shown")
            with gr.Column(scale=8, min_width=300):
                self.turns = gr.Dataframe(
                    headers=HEADERS, datatype="str", row_count=1, column_count=2, wrap=True, interactive=True,
                    label="Questions and answers, in order", elem_id="a-row-turns", type="array",
                )  # fmt: skip
                with gr.Row():
                    self.labels = label_fields()
                self.address = gr.Textbox(
                    label="Address of the picture", placeholder="empty for a frame of the wearer's own", max_lines=1,
                )  # fmt: skip
                self.wrong = html("", "a-row-wrong")
                with gr.Row():
                    self.save = gr.Button("Save the row", variant="primary", interactive=may, elem_id="a-row-save")
                    self.fresh = gr.Button("Begin another", elem_id="a-row-fresh")
        self.list = html("", "a-row-list", listens=True)
        self.export = gr.Button("Export all rows", size="sm", elem_id="a-rows-export", visible=False)
        self.files = gr.File(
            label="Files", file_count="multiple", interactive=False, visible=False, elem_id="a-rows-files"
        )

    @property
    def form(self) -> list[Any]:
        return [self.turns, *self.labels.values(), self.address, self.kept]

    @property
    def _all(self) -> list[Any]:
        return [self.notice, self.picture, *self.form, self.shown, self.wrong, self.list, self.export, self.files]

    def wire(self, tab: gr.Tab) -> None:
        on(tab.select, self._arrive, [], self._all)
        on(self.picture.input, self._take, [self.picture, self.kept], [self.kept, self.shown, self.notice])
        parts: list[Any] = [self.turns, self.address, *self.labels.values(), self.kept]
        for part in parts:
            on(part.change, self._check, self.form, [self.wrong], trigger_mode="always_last")
        on(self.save.click, self._save, self.form, self._all)
        on(self.fresh.click, lambda: {**self._empty(), self.notice: ""}, [], self._all)
        on(self.list.act, self._act, [], self._all)
        on(self.export.click, self._export, [], [self.notice, self.files], concurrency_limit=2)

    # handlers

    def _arrive(self) -> Changes:
        try:
            self._desk.check()
            return {self.notice: "", **self._listed()}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _take(self, data: bytes | None, kept: Kept) -> Changes:
        """A picture is read once, when it comes: the upload itself is deleted soon after."""
        try:
            self._desk.check()
            if data is not None:
                read_frame(data)
            return {self.kept: replace(kept, picture=data or b""), self.shown: "", self.notice: ""}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _check(self, *form: Any) -> str:
        draft = self._draft(form)
        if draft.frame is None and draft.turns == (RowTurn(),):
            return ""  # nothing is begun
        return render_wrong(saved_rows.check(draft, picture=False))

    def _save(self, *form: Any) -> Changes:
        try:
            self._desk.check()
            draft = self._draft(form)
            if wrong := saved_rows.check(draft):
                return {self.wrong: render_wrong(wrong), self.notice: render_notice("Not saved yet.", "error")}
            row = saved_rows.save(self._desk.folder, draft)
            words = "Saved. It is under “Test rows written here” where a run is begun."
            return {**self._empty(), **self._listed(row.session_id), self.notice: render_notice(words)}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _act(self, event: gr.EventData) -> Changes:
        try:
            self._desk.check()
            act, name = str(detail(event, "act", "")), str(detail(event, "value", ""))
            folder = self._desk.folder
            if act == "delete":
                saved_rows.delete(folder, name)
                return {**self._listed(), self.notice: render_notice("The row is deleted.")}
            row = next((row for row in saved_rows.saved(folder) if row.session_id == name), None)
            if row is None:
                raise BadInput("that row is not here any more")
            return {**self._filled(row), self.notice: ""}
        except Exception as problem:
            return {self.notice: sorry(problem)}

    def _export(self) -> Iterator[Changes]:
        """All rows in CRAG-MM's shape, in a folder that only this call knows; gradio keeps copies for a while."""
        if not self._desk.may:
            yield {self.notice: render_notice(self._desk.rights.why)}
            return
        yield {self.notice: render_notice("Writing the files …", "progress"), self.files: gr.File(visible=False)}
        place, folder = Path(tempfile.mkdtemp(prefix="vitrine-files-")), self._desk.folder
        try:
            made = [place / "test_rows.parquet", place / "test_rows.jsonl"]
            for path in made:
                saved_rows.export(folder, saved_rows.saved(folder), path)
            yield {self.notice: "", self.files: gr.File(value=[str(path) for path in made], visible=True)}
        except Exception as problem:
            yield {self.notice: sorry(problem)}
        finally:
            shutil.rmtree(place, ignore_errors=True)

    # what is shown

    def _draft(self, form: Sequence[Any]) -> Draft:
        table, *labels, address, kept = form
        named = labels_in(labels)
        cells = [[str(cell or "") for cell in line[:2]] for line in table or ()]
        turns = tuple(RowTurn(query, answer, **named) for query, answer in cells if query.strip() or answer.strip())
        left_at = kept.left_at if kept.left_at < len(turns) else -1
        return Draft(turns or (RowTurn(),), kept.picture or None, str(address or ""), kept.session_id, left_at)

    def _empty(self) -> Changes:
        return {
            self.picture: None, self.turns: [["", ""]], **dict.fromkeys(self.labels.values(), ""), self.address: "",
            self.kept: NOTHING, self.shown: "", self.wrong: "",
        }  # fmt: skip

    def _filled(self, row: Row) -> Changes:
        """A saved row in the form, to be changed; the labels are those of its first question."""
        data = (self._desk.folder / saved_rows.FOLDER / row.frame).read_bytes()
        first = row.turns[0]
        return {
            self.picture: None, self.turns: [[turn.query, turn.answer] for turn in row.turns],
            **{part: getattr(first, name) for name, part in self.labels.items()}, self.address: row.image_url,
            self.kept: Kept(row.session_id, data, row.left_at), self.wrong: "",
            self.shown: f'<p class="v-quiet">Its picture, until another is given:</p><img class="a-thumb" alt="" '
            f'src="{data_uri(read_frame(data), THUMB_PX * 2)}">',
        }  # fmt: skip

    def _listed(self, chosen: str = "") -> Changes:
        folder = self._desk.folder
        rows = saved_rows.saved(folder)
        return {
            self.list: render_row_list([(row, _thumb(folder, row)) for row in reversed(rows)], chosen),
            self.export: gr.Button(visible=bool(rows)),
            self.files: gr.File(value=None, visible=False),
        }


def _thumb(folder: Path, row: Row) -> str:
    try:
        return data_uri(read_frame(folder / saved_rows.FOLDER / row.frame), THUMB_PX, quality=80)
    except Exception:  # gone or broken: the list shows the row all the same
        return ""
