"""The fields about a project's settings and about where its items come from; used for new projects and for those that
are there. Wiring only: what the fields say is read by `eval.ui.state.project_form`."""

from __future__ import annotations

from typing import Any

import gradio as gr

from eval.annotate.sources import VERDICTS
from eval.annotate.values import ProjectSettings
from eval.data.samples import FAILED
from eval.ui.parts.context import Changes, html, on, sorry
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.project_form import ANY_JUDGE, SOURCES, judges_of, runs_of
from eval.ui.state.run_form import places

STATUSES = ("answered", "abstained", "retake", *FAILED)


class SettingsForm:
    """How a project is worked on; `fields` by the names of `read_settings_form`."""

    def __init__(self) -> None:
        usual = ProjectSettings()
        with gr.Row():
            overlap = gr.Number(
                value=usual.overlap, label="People an item", precision=0, minimum=1, min_width=130,
                info="So many label each.",
            )  # fmt: skip
            gold = gr.Slider(
                0, 0.5, value=usual.gold_rate, step=0.05, label="Share of known answers", min_width=200,
                info="Mixed in unseen, to check people by.",
            )  # fmt: skip
        hide = gr.Checkbox(label="Hide the ground truth until it is asked for", value=usual.hide_truth)
        suggest = gr.Checkbox(label="Show a judge’s verdict before people choose", value=usual.allow_suggestions)
        third = gr.Checkbox(label="Ask a third grader where people differ", value=usual.third_grader)
        self.fields: dict[str, Any] = {
            "overlap": overlap, "gold_rate": gold, "hide_truth": hide, "allow_suggestions": suggest,
            "third_grader": third,
        }  # fmt: skip

    def shown(self, settings: ProjectSettings) -> Changes:
        """The fields as a project has them."""
        return {field: getattr(settings, name) for name, field in self.fields.items()}


class ItemsForm:
    """Where items come from; `fields` by the names of `chosen_items`. `key` tells one form on the page from another."""

    def __init__(self, desk: AnnotationDesk, key: str, *, may_be_none: bool):
        self._desk = desk
        sources = SOURCES if may_be_none else SOURCES[:-1]
        source = gr.Radio(list(sources), value=sources[0], label="Items from", elem_id=f"{key}-source")
        self.fields: dict[str, Any] = {"source": source}
        self._rows = [self._run(key), self._data(key), self._file(key)]
        self.fields["where"] = gr.Textbox(
            label="Only these labels (of a run or of data)", placeholder="domain=food, dynamism=static", max_lines=1,
            elem_id=f"{key}-where",
        )  # fmt: skip
        self.told = html("", f"{key}-told")

    def _run(self, key: str) -> Any:
        with gr.Column(elem_id=f"{key}-run-row") as row:
            run = gr.Dropdown([], label="Run", elem_id=f"{key}-run")
            with gr.Row():
                judge = gr.Dropdown([ANY_JUDGE], value=ANY_JUDGE, label="Judge", min_width=190)
                verdicts = gr.Dropdown(list(VERDICTS), multiselect=True, label="Only these verdicts", min_width=190)
            with gr.Row():
                statuses = gr.Dropdown(list(STATUSES), multiselect=True, label="Only these statuses", min_width=190)
                words = gr.Textbox(label="Only with these words", max_lines=1, min_width=190)
        self.fields |= {"run": run, "judge": judge, "verdicts": verdicts, "statuses": statuses, "words": words}
        return row

    def _data(self, key: str) -> Any:
        found = [(place.title, place.value) for place in places(self._desk.settings)]
        with gr.Column(visible=False, elem_id=f"{key}-data-row") as row:
            data = gr.Dropdown(found, value=found[0][1], label="Data", elem_id=f"{key}-data")
            other = gr.Textbox(
                label="Other data", placeholder="a path on this machine or a hub id; used instead of the above",
                max_lines=1, visible=self._desk.rights.paths,
            )  # fmt: skip
            with gr.Row():
                splits = ["validation", "public_test", "all"]
                split = gr.Dropdown(splits, value=splits[0], label="Split", allow_custom_value=True, min_width=130)
                set_ = gr.Radio(["both", "single", "multi"], value="both", label="Turns", min_width=210)
            with gr.Row():
                limit = gr.Textbox(label="Limit", placeholder="all", max_lines=1, min_width=120)
                sample = gr.Textbox(label="At random", placeholder="all", max_lines=1, min_width=120)
        self.fields |= {
            "data": data, "other": other, "split": split, "set": set_, "limit": limit, "sample": sample,
        }  # fmt: skip
        return row

    def _file(self, key: str) -> Any:
        with gr.Column(visible=False, elem_id=f"{key}-file-row") as row:
            file = gr.File(
                label="JSONL: an item a line, “question” is all that it must have", file_types=[".jsonl", ".json"],
                elem_id=f"{key}-file", height=120,
            )  # fmt: skip
        self.fields["file"] = file
        return row

    def wire(self) -> None:
        on(self.fields["source"].input, self._source, [self.fields["source"]], self._rows)
        on(self.fields["run"].input, self._judges, [self.fields["run"]], [self.fields["judge"], self.told])

    def arrive(self, chosen: str | None = None) -> Changes:
        """Which runs there are now."""
        found = runs_of(self._desk.settings).choices()
        names = [name for _, name in found]
        value = chosen if chosen in names else names[0] if names else None
        shown = {self.fields["run"]: gr.Dropdown(choices=found, value=value)}  # type: ignore[arg-type]
        return {**shown, **self._judges(value)}

    @property
    def arriving(self) -> list[Any]:
        """What `arrive` changes."""
        return [self.fields["run"], self.fields["judge"], self.told]

    def _source(self, source: str) -> Changes:
        return {row: gr.Column(visible=source == name) for row, name in zip(self._rows, SOURCES, strict=False)}

    def _judges(self, run: str | None) -> Changes:
        judge = self.fields["judge"]
        if not self._desk.may or not run:
            return {judge: gr.Dropdown(choices=[ANY_JUDGE], value=ANY_JUDGE), self.told: ""}
        try:
            found = judges_of(runs_of(self._desk.settings).path(run))
        except Exception as problem:
            return {judge: gr.Dropdown(choices=[ANY_JUDGE], value=ANY_JUDGE), self.told: sorry(problem)}
        return {judge: gr.Dropdown(choices=[ANY_JUDGE, *found], value=ANY_JUDGE), self.told: ""}
