"""The form for a new run: data, agent, judge; the estimate; the start. Wiring only, see `eval.ui.state.run_form`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import gradio as gr

from assistant.core.types import Strictness
from assistant.settings import PIPELINES
from assistant.ui.html.page import render_notice
from eval.agents.factory import CONCURRENCY, MODELS
from eval.benchmarks.crag_window import WINDOWS
from eval.benchmarks.scenarios import DISTRACTORS, MODALITIES, MOST_DISTRACTORS
from eval.data.samples import LABELS, Data
from eval.judges.registry import JUDGES, MODEL_JUDGES
from eval.runs.retries import RetryPolicy
from eval.ui.html.plan import render_plan
from eval.ui.parts.context import Changes, Desk, html, on, sorry
from eval.ui.state.forecast import forecast
from eval.ui.state.judge_form import LABEL_CHOICES, endpoint_words
from eval.ui.state.run_form import RunChoice, allowed, check, places, read_form, without_filters

DEFAULT_JUDGE = "the data’s own"
#: What each scenario hands over.
_SCENARIOS = {
    "parametric": "nothing",
    "oracle": "gold alone",
    "realistic": "gold and distractors",
    "adversarial": "distractors alone",
}
KINDS = ("low light", "blurred", "truncated", "occluded", "rotated")


class NewPart:
    """The form. `fields` are its inputs by the names that `read_form` knows."""

    def __init__(self, desk: Desk):
        self._desk = desk
        self.fields: dict[str, Any] = {}
        with gr.Row(elem_id="b-new"):
            with gr.Column(scale=7, min_width=320):
                self._data()
                self._filters()
                self._agent()
                self._judge()
                self._more()
            with gr.Column(scale=5, min_width=320, elem_id="b-plan-box"):
                self.notice = html("", "b-new-notice")
                with gr.Row():
                    self.look = gr.Button("Estimate", elem_id="b-estimate", min_width=120)
                    self.start = gr.Button(
                        "Start the run", variant="primary", elem_id="b-start", min_width=120,
                        interactive=desk.rights.start,
                    )  # fmt: skip
                self.plan = html(_NO_PLAN if desk.rights.start else _closed(desk), "b-plan", listens=True)

    def _add(self, name: str, field: Any) -> Any:
        self.fields[name] = field
        return field

    def _data(self) -> None:
        found = [(place.title, place.value) for place in places(self._desk.settings)]
        typed = "a path on this machine or a hub id" if self._desk.rights.paths else "a hub id, such as org/name"
        with gr.Group(elem_classes="b-group"):
            self._add("data", gr.Dropdown(found, value=found[0][1], label="Data", elem_id="b-data"))
            self._add(
                "other",
                gr.Textbox(label="Other data", placeholder=f"{typed}; used instead of the above", max_lines=1,
                           elem_id="b-other"),
            )  # fmt: skip
            with gr.Row():
                splits = ["validation", "public_test", "all"]
                self._add("split", gr.Dropdown(splits, value=splits[0], label="Split", allow_custom_value=True))
                self._add("set", gr.Radio(["both", "single", "multi"], value="both", label="Turns"))

    def _filters(self) -> None:
        with gr.Accordion("Filters and degradations", open=False, elem_id="b-more-filters"):
            with gr.Row():
                self._add("limit", _number("Limit", "all"))
                self._add("sample", _number("At random", "all"))
                self._add("seed", _number("Seed", "0"))
            self._add("ego", gr.Radio(["all", "egocentric", "others"], value="all", label="Pictures"))
            self._add(
                "where",
                gr.Dropdown([], multiselect=True, label="Only these labels",
                            info="Values of one label are alternatives.", elem_id="b-where"),
            )  # fmt: skip
            self._add("ids", gr.Textbox(label="Only these ids", placeholder="sessions or turns", lines=1, max_lines=4))
            with gr.Row():
                self._add("degrade", gr.Dropdown(list(KINDS), multiselect=True, label="Degradation", scale=2))
                self._add("severity", gr.Slider(0.1, 1.0, value=0.5, step=0.1, label="Severity"))

    def _agent(self) -> None:
        settings, rights = self._desk.settings, self._desk.rights
        agents = ["embedded", "chat", "local", *(["module"] if rights.paths else [])]
        with gr.Group(elem_classes="b-group"):
            self._add("agent", gr.Radio(agents, value="embedded", label="Agent"))
            with gr.Row():
                pipelines = [("the agent's own", ""), *((name, name) for name in PIPELINES)]
                self._add("pipeline", gr.Dropdown(pipelines, value="", label="Pipeline"))
                tasks = [("all", ""), ("1, no web", "1"), ("2, no history", "2"), ("3, all", "3")]
                self._add("task", gr.Dropdown(tasks, value="", label="Task"))
                self._add("concurrency", _number("Concurrency", f"1, with chat {CONCURRENCY['chat']}"))
            self.module_row = gr.Column(visible=False)
            with self.module_row:
                self._add(
                    "module", gr.Textbox(label="module:Class", placeholder="agents.my_agent:MyAgent", max_lines=1)
                )
                self._add(
                    "agent_options",
                    gr.Textbox(label="Options of the agent", placeholder="NAME=VALUE, a line each", lines=2),
                )
            self.model_row = gr.Column(visible=False)
            with self.model_row:
                self._add("model", gr.Textbox(label="Model", placeholder=settings.chat_model, max_lines=1))
                with gr.Row():
                    levels = [("moderate, as usual", ""), *((s, s) for s in get_args(Strictness) if s != "moderate")]
                    self._add(
                        "strictness",
                        gr.Dropdown(levels, value="", label="Strictness", info="How soon the model holds back."),
                    )
                    self._add(
                        "risk",
                        gr.Textbox(label="Risk allowed", placeholder="any, or 0 to 1", max_lines=1,
                                   info="Answers that are likelier wrong are not given."),
                    )  # fmt: skip
                    self._add(
                        "budget",
                        gr.Textbox(label="Time limit per turn, s", placeholder="none", max_lines=1,
                                   info="Parts are left out to keep it; the challenge gives 10."),
                    )  # fmt: skip

    def _judge(self) -> None:
        judges = [(DEFAULT_JUDGE, ""), *((name, name) for name in JUDGES)]
        with gr.Group(elem_classes="b-group"):
            self._add("judge", gr.Dropdown(judges, value="", label="Judge", elem_id="b-new-judge"))
            self.llm_row = gr.Column(visible=False)
            with self.llm_row, gr.Row():
                placeholder = f"{self._desk.settings.chat_model}; two with a comma are averaged"
                self._add("judge_models", gr.Textbox(label="Judging models", placeholder=placeholder, max_lines=1))
                self._add("judge_labels", gr.Radio(LABEL_CHOICES, value="", label="Labels"))
        self.endpoint = html("", "b-endpoint")

    def _more(self) -> None:
        rights = self._desk.rights
        gives = [("nothing", ""), ("its entity", "entity"), ("its query", "query"), ("its pages", "passage")]
        with gr.Accordion("Evidence from outside", open=False, elem_id="b-handing"):
            self._add(
                "scenarios",
                gr.CheckboxGroup(
                    [(f"{name}: {what}", name) for name, what in _SCENARIOS.items()], label="Scenarios",
                    info="The agent searches nothing; every turn is asked once under each.", elem_id="b-scenarios",
                ),
            )  # fmt: skip
            with gr.Row():
                self._add(
                    "distractors",
                    gr.Textbox(label="Distractors", value=str(DISTRACTORS), max_lines=1, min_width=100,
                               info=f"0 to {MOST_DISTRACTORS}; several as 0,2,5 or 0-10", elem_id="b-distractors"),
                )  # fmt: skip
                self._add("positives", gr.Radio(list(MODALITIES), value="both", label="Gold"))
                self._add("negatives", gr.Radio(list(MODALITIES), value="both", label="Distractors are"))
                self._add("scenario_seed", _number("Seed of their order", "0"))
            with gr.Row():
                windows = [("4k, as usual", ""), *((name, name) for name in WINDOWS if name != "4k")]
                self._add("window", gr.Dropdown(windows, value="", label="Tokens shown of CRAG’s pages"))
                self._add(
                    "kg", gr.Textbox(label="File of CRAG’s mock KG", max_lines=1, visible=self._desk.rights.paths)
                )
        with gr.Accordion("More", open=False, elem_id="b-more-options"):
            self._add("give", gr.Dropdown(gives, value="", label="Give the answer key to the agent"))
            with gr.Row():
                self._add("revision", gr.Textbox(label="Revision of a hub id", max_lines=1))
                self._add("retries", _number("Retries when the endpoint is busy", str(RetryPolicy.tries - 1)))
            self._add(
                "network",
                gr.Checkbox(label="The hub and hosts of pictures may be asked (--allow-network)", value=False),
            )
            self._add("public", gr.Checkbox(label="Skip and replace what the public evaluator does", value=False))
            self._add("no_pictures", gr.Checkbox(label="The questions alone, without pictures", value=False))
            self._add("fresh", gr.Checkbox(label="Ask a model again what it was asked before", value=False))
            shown = rights.paths
            self._add("index", gr.Textbox(label="Folder of the index to search", max_lines=1, visible=shown))
            self._add("labels", gr.Textbox(label="File with names for bare labels", max_lines=1, visible=shown))
            self._add("full_queries", gr.Textbox(label="File of full queries", max_lines=1, visible=shown))

    def wire(self, tab: gr.Tab, started: Any, also: list[Any]) -> None:
        """Wire it. `started` (name → changes of `also`) shows a run that was just started."""
        self._started = started
        values, out = list(self.fields.values()), [self.notice, self.plan, self.start]
        data = [self.fields[name] for name in ("data", "other", "split", "set")]
        for part in data[:1] + data[2:]:
            on(part.input, self._labels, values, [self.fields["where"], self.notice])
        for event in (data[1].submit, data[1].blur):
            on(event, self._labels, values, [self.fields["where"], self.notice])
        on(tab.select, self._labels, values, [self.fields["where"], self.notice])
        for part in ("agent", "judge"):
            rows = [self.module_row, self.model_row, self.llm_row, self.endpoint]
            on(self.fields[part].input, self._rows, [self.fields["agent"], self.fields["judge"]], rows)
        on(self.look.click, self._estimate, values, out)
        on(self.start.click, self._start, values, [*out, *also])

    # handlers

    def _chosen(self, values: tuple[Any, ...]) -> RunChoice:
        choice = read_form(dict(zip(self.fields, values, strict=True)), self._desk.settings)
        allowed(choice, self._desk.settings, self._desk.rights)
        return choice

    def _labels(self, *values: Any) -> Changes:
        """Which labels there are to choose, of the data that are chosen."""
        where = self.fields["where"]
        if not self._desk.rights.start:
            return {self.notice: ""}
        try:
            data = without_filters(self._chosen(values)).data.load()
        except Exception as problem:
            return {where: gr.Dropdown(choices=[], value=[]), self.notice: sorry(problem)}
        chosen = dict(zip(self.fields, values, strict=True))["where"] or []
        choices = _label_choices(data)
        known = {value for _, value in choices}
        kept = [text for text in chosen if text in known]
        return {where: gr.Dropdown(choices=choices, value=kept), self.notice: ""}

    def _rows(self, agent: str, judge: str) -> Changes:
        """What belongs to the agent and the judge that are chosen."""
        told = ""
        if agent == "chat" or judge in MODEL_JUDGES:
            settings = self._desk.settings
            words = endpoint_words(settings, self._desk.rights.paths)
            told = render_notice(words, "info" if settings.chat_configured else "error")
        return {
            self.module_row: gr.Column(visible=agent == "module"),
            self.model_row: gr.Column(visible=agent in MODELS),
            self.llm_row: gr.Column(visible=judge in MODEL_JUDGES),
            self.endpoint: told,
        }

    def _estimate(self, *values: Any) -> Iterator[Changes]:
        yield {self.notice: render_notice("Reading the data …", "progress")}
        try:
            choice = self._chosen(values)
            yield {self.notice: "", self.plan: self._plan(choice, check(choice))}
        except Exception as problem:
            yield {self.notice: sorry(problem), self.plan: _NO_PLAN}

    def _start(self, *values: Any) -> Iterator[Changes]:
        """Check once more, start the process, show the run."""
        yield {self.notice: render_notice("Starting …", "progress"), self.start: gr.Button(interactive=False)}
        ready = {self.start: gr.Button(interactive=True)}
        try:
            choice = self._chosen(values)
            data = check(choice)
            name = self._desk.workers.start(choice.words(data), choice.arguments())
            yield {self.notice: "", self.plan: self._plan(choice, data), **ready, **self._started(name)}
        except Exception as problem:
            yield {self.notice: sorry(problem), **ready}

    def _plan(self, choice: RunChoice, data: Data) -> str:
        found = forecast(choice, data, self._desk.settings, self._desk.runs.all())
        return render_plan(data, found.figures, choice.judge_for(data), found.why, found.priced)


def _number(label: str, placeholder: str) -> gr.Textbox:
    """A field for a number that may be left empty: gradio's own tells an empty one as 0."""
    return gr.Textbox(label=label, placeholder=placeholder, max_lines=1, min_width=100)


def _label_choices(data: Data) -> list[tuple[str, str]]:
    found = []
    for label in LABELS:
        counted = Counter(
            str(getattr(turn, label)) for sample in data.samples for turn in sample.turns
            if getattr(turn, label) is not None
        )  # fmt: skip
        for value, n in sorted(counted.items()):
            if "," not in value:  # the filter takes a comma for the end of a value
                found.append((f"{label.replace('_', ' ')}: {value} ({n})", f"{label}={value}"))
    return found


_NO_PLAN = (
    '<p class="b-none v-quiet">Estimate says how large a run this is, how small a difference it can show, what it '
    "costs and about how long it takes. Nothing is started by it.</p>"
)


def _closed(desk: Desk) -> str:
    return render_notice(desk.rights.why)
