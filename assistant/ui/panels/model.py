"""The panel "Model": whom the page asks, a test of the connection, and the change from one to the other.

A key that was typed is taken from the page at once and never goes back there: it lies on the visitor's desk until the
model is used, tested with another address, or the session ends. Nothing is sent before a button is pressed. Visitors
who may not change anything get no fields at all, only what is so.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import gradio as gr

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR
from assistant.core.types import Strictness
from assistant.models.chat.probe import Probed, probe
from assistant.models.chat.request import origin
from assistant.pipelines.registry import SAYS
from assistant.ui.html.model import STRICTNESS_SAYS, render_probe, render_state, summary_of
from assistant.ui.html.page import render_announcement, render_notice
from assistant.ui.panels.local_model import LocalPart
from assistant.ui.state.model_shelf import ModelShelf
from assistant.ui.state.model_switch import Choice, ModelSwitch, choice_of
from assistant.ui.tab.click_payload import Changes
from assistant.ui.tab.panel import Desks, scripted

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab

_SCRIPT = ASSETS_DIR / "style" / "model.js"
CLOSED = (
    "This page is open to others without --auth, so the model can be looked at and not changed. Start it with --auth "
    "USER:PASSWORD, or without --host and --https, to change it here."
)
#: Words of the button that shows a state of nothing while no key is typed or set.
KEY_HINT, KEY_SET_HINT = "none is set", "a key is set; type another to replace it"


@dataclass(eq=False)
class _Desk:
    """What lies on one visitor's panel: a key that is not in use yet, by the address it is for, and a running test."""

    keys: dict[str, str] = field(default_factory=dict, repr=False)
    cancelled: threading.Event | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class ModelPanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Model"
    elem_id = "model"
    place: Literal["drawer", "wide"] = "drawer"

    def __init__(self, switch: ModelSwitch, shelf: ModelShelf) -> None:
        self._switch, self._shelf = switch, shelf
        self._local = LocalPart(switch, shelf)
        self._desks = Desks(_Desk)

    def build(self, tab: Tab) -> None:
        self._tab = tab
        self.state = scripted(self._drawn(), "model-state", _SCRIPT)
        if not self._switch.may_change:
            return
        self.kind = gr.Radio(
            [("A server", "server"), ("A model on this machine", "local")],
            value="server",
            label="Instead, ask",
            elem_id="model-kind",
            elem_classes="v-model-choice",
        )
        # Which fields are seen says the style, by the kind that is checked: gradio may lose that a column is to be
        # shown while a panel is being opened.
        with gr.Column(elem_id="model-server"):
            self._build_server()
        self._local.build(tab)
        self._build_rules()
        with gr.Column(elem_id="model-server-acts"), gr.Row(elem_id="model-acts"):
            self.test = gr.Button("Test the connection", size="sm", elem_id="model-test", min_width=120)
            self.stop = gr.Button("Stop the test", size="sm", elem_id="model-stop", min_width=120, visible=False)
            self.use = gr.Button("Use this model", variant="primary", size="sm", elem_id="model-use", min_width=120)
        self.notice = gr.HTML("", elem_id="model-notice", apply_default_css=False)
        self.result = gr.HTML("", elem_id="model-result", apply_default_css=False)
        with gr.Row(elem_id="model-back"):
            self.embedded = gr.Button("Use the embedded reader", size="sm", elem_id="model-embedded", min_width=120)
            self.forget = gr.Button("Forget the key", size="sm", elem_id="model-forget", min_width=120)

    def _build_server(self) -> None:
        """Fields for a server."""
        self.address = gr.Textbox(
            label="Address of the server",
            placeholder="http://localhost:8000/v1",
            info="Any OpenAI-compatible server. Empty: api.openai.com, which wants a key.",
            max_lines=1,
            elem_id="model-address",
            html_attributes=gr.InputHTMLAttributes(autocomplete="off", spellcheck=False, autocapitalize="off"),
        )
        self.name = gr.Textbox(
            label="Model",
            info="The name that the server knows it by.",
            max_lines=1,
            elem_id="model-name",
            html_attributes=gr.InputHTMLAttributes(autocomplete="off", spellcheck=False, autocapitalize="off"),
        )
        self.key = gr.Textbox(
            label="Key",
            type="password",
            placeholder=KEY_HINT,
            info="Goes to that address alone, and is never shown again.",
            max_lines=1,
            elem_id="model-key",
            html_attributes=gr.InputHTMLAttributes(autocomplete="new-password"),
        )
        self.pictures = gr.Checkbox(label="Send pictures", value=True, elem_id="model-pictures")
        with gr.Row(elem_id="model-row", elem_classes="v-model-row"):
            self.timeout = gr.Number(label="Time-out, s", elem_id="model-timeout", min_width=90)
            self.asked = gr.Number(label="$/M tokens in", elem_id="model-price-in", min_width=90)
            self.written = gr.Number(label="$/M tokens out", elem_id="model-price-out", min_width=90)

    def _build_rules(self) -> None:
        """What goes with every model."""
        self.strictness = gr.Radio(
            [(f"{name}: {STRICTNESS_SAYS[name]}", name) for name in get_args(Strictness)],
            label="Strictness",
            elem_id="model-strictness",
            elem_classes="v-model-choice",
        )
        self.pipeline = gr.Radio(
            [(f"{name}: {says}", name) for name, says in SAYS.items() if name != "reader"],
            label="Pipeline",
            elem_id="model-pipeline",
            elem_classes="v-model-choice",
        )
        self.remember = gr.Checkbox(
            label="Remember on this machine",
            info="The key in the keyring where there is one, else in a file that only you can read.",
            elem_id="model-remember",
        )

    def wire(self, tab: Tab) -> None:
        if not self._switch.may_change:
            tab.on(self.state.seen, lambda: {self.state: self._drawn()}, outputs=[self.state])
            return
        fields = [
            *(self.address, self.name, self.key, self.pictures, self.timeout, self.asked, self.written),
            *(self.pipeline, self.strictness),
        ]
        own = [*fields, self.state, self.remember, self.test, self.stop, self.notice, self.result]
        own += [self.kind, *self._local.components()]

        def on(event: Callable[..., Any], handler: Callable[..., Any], *inputs: Any, **options: Any) -> None:
            tab.on(event, handler, [tab.session_id, *inputs], own, **options)

        on(self.state.seen, self._guarded(self._filled))
        on(self.state.seen, self._look_here, self.kind)
        on(self.test.click, self._test, self.remember, *fields, trigger_mode="multiple")
        on(self.stop.click, self._guarded(self._stop))
        on(self.use.click, self._guarded(self._use), self.remember, *fields)
        on(self.embedded.click, self._guarded(self._use_embedded), self.remember)
        on(self.forget.click, self._guarded(self._forget))
        on(self.kind.input, self._choose, self.kind)
        rules = [self.pipeline, self.strictness]
        self._local.wire(own, rules, self.remember, lambda: {self.state: self._drawn(), **tab.show_target()})

    # handlers

    def _look_here(self, session_id: str, kind: str) -> Iterator[Changes]:
        """The panel was opened: models of this machine are shown where one answers, comes or was chosen.

        Apart from the fields: gradio writes what a generator yielded once more when it ends, over what was typed.
        """
        here = self._switch.settings.effective_profile == "local" or self._switch.loading or self._shelf.busy
        if here or kind == "local":  # otherwise as it is: the visitor may have chosen by now
            for changes in self._choose(session_id, "local"):
                yield {self.kind: "local", **changes}

    def _choose(self, _: str, kind: str) -> Iterator[Changes]:
        """The fields of the one kind, without those of the other."""
        local = kind == "local"
        yield {self.notice: "", self.result: "", **(self._local.before_look() if local else {})}
        if local:
            yield self._guarded(self._local.arrive)()

    def _test(self, session_id: str, remember: bool, *fields: Any) -> Iterator[Changes]:
        desk = self._desk(session_id)
        mine = threading.Event()
        with desk.lock:
            if desk.cancelled is not None:
                desk.cancelled.set()
            desk.cancelled = mine
        told: Probed | None = None
        try:
            choice = self._choice(desk, fields)
            options = self._switch.options(choice)
            first = {self.notice: "", self.stop: gr.Button(visible=True), **self._key_taken(desk, choice.base_url)}
            for told in probe(options, cancelled=mine):
                if desk.cancelled is not mine:
                    return  # another test took its place
                yield {**first, self.result: render_probe(told)}
                first = {}
            assert told is not None
            stopped = ["The test was stopped."] if mine.is_set() else []
            yield {**self._followed(choice, told, remember, stopped), self.stop: gr.Button(visible=False)}
        except Exception as problem:
            yield {self.notice: self._tab.sorry(problem), self.result: "", self.stop: gr.Button(visible=False)}
        finally:
            with desk.lock:
                if desk.cancelled is mine:
                    desk.cancelled = None
            mine.set()  # a page that was closed meanwhile ends its test

    def _followed(self, choice: Choice, told: Probed, remember: bool, words: list[str]) -> Changes:
        """What a finished test changes: pictures off where nothing is seen, a time-out that is long enough."""
        changes: Changes = {}
        if told.problem:
            words.append("Nothing was changed.")
        better = choice
        if told.sees is False and choice.pictures:
            better = replace(better, pictures=False)
            changes[self.pictures] = False
            words.append("It sees nothing: pictures will not be sent. Recognition and reading still look at them here.")
        suggested = told.suggested_timeout_s
        if suggested is not None and suggested > choice.timeout_s:
            better = replace(better, timeout_s=suggested)
            changes[self.timeout] = suggested
            words.append(f"The time-out is now {suggested:g} s: {choice.timeout_s:g} s may be too short for an answer.")
        elif suggested is not None:
            words.append(f"A time-out of {suggested:g} s would do; {choice.timeout_s:g} s is set.")
        if better != choice and self._switch.in_use(choice):
            self._switch.use(better, remember=remember and self._switch.remembers)
            words.append("This model is in use, so that holds from the next question on.")
            changes |= {self.state: self._drawn(), **self._tab.show_target()}
        announced = render_announcement(summary_of(told))
        return {**changes, self.result: render_probe(told, words), self._tab.announcer: announced}

    def _stop(self, session_id: str) -> Changes:
        desk = self._desk(session_id)
        with desk.lock:
            if desk.cancelled is not None:
                desk.cancelled.set()
        return {self.stop: gr.Button(visible=False)}

    def _use(self, session_id: str, remember: bool, *fields: Any) -> Changes:
        desk = self._desk(session_id)
        choice = self._choice(desk, fields)
        words = self._switch.use(choice, remember=bool(remember))
        desk.keys.clear()
        return {**self._filled(session_id), **self._now(session_id, words), **self._local.after_change()}

    def _use_embedded(self, session_id: str, remember: bool) -> Changes:
        words = self._switch.use_embedded(remember=bool(remember))
        return {**self._filled(session_id), **self._now(session_id, words), **self._local.after_change()}

    def _forget(self, session_id: str) -> Changes:
        self._desk(session_id).keys.clear()
        words = self._switch.forget_key()
        return {**self._filled(session_id), **self._now(session_id, words)}

    # what is shown

    def _choice(self, desk: _Desk, fields: tuple[Any, ...]) -> Choice:
        """The fields, with the key that was typed for that address earlier where none is typed now."""
        address, name, key, pictures, timeout_s, asked, written, pipeline, strictness = fields
        choice = choice_of(address, name, key, pictures, timeout_s, (asked, written), pipeline, strictness)
        place = origin(choice.base_url)
        if choice.key:
            desk.keys[place] = choice.key
        return replace(choice, key=desk.keys.get(place, ""))

    def _now(self, session_id: str, words: str) -> Changes:
        """The page after a change: its visitor is told of it by it."""
        session = self._tab.session(session_id)
        self._tab.services.sessions.tell(session)
        return {
            self.notice: render_notice(words),
            self._tab.announcer: render_announcement(words),
            self._tab.session_id: session.id,
            self._tab.ask_notice: "",
            **self._tab.show_target(),
            **self._tab.show_turns(session),
        }

    def _filled(self, session_id: str) -> Changes:
        """The fields as the settings have them now; the key's is empty."""
        now = self._switch.choice()
        prices = now.prices
        return {
            self.state: self._drawn(),
            self.address: now.base_url or "",
            self.name: now.model,
            self.pictures: now.pictures,
            self.timeout: now.timeout_s,
            self.asked: prices.prompt_per_million if prices else None,
            self.written: prices.completion_per_million if prices else None,
            self.pipeline: now.pipeline,
            self.strictness: now.strictness,
            self.remember: self._switch.remembers,
            **self._key_taken(self._desk(session_id), now.base_url),
        }

    def _key_taken(self, desk: _Desk, base_url: str | None) -> Changes:
        """The key's field, empty: what was typed there has left the page."""
        there = self._switch.has_key_for(base_url) or origin(base_url) in desk.keys
        return {self.key: gr.Textbox(value="", placeholder=KEY_SET_HINT if there else KEY_HINT)}

    def _drawn(self) -> str:
        switch = self._switch
        settings, target = switch.settings, switch.target
        rules = []
        if not switch.may_change and target.host:
            rules = [
                ("Pipeline", SAYS[settings.effective_pipeline]),
                ("Strictness", STRICTNESS_SAYS[settings.strictness]),
            ]
        return render_state(
            target,
            has_key=bool(settings.api_key),
            remembers=switch.remembers,
            set_by=switch.set_by,
            rules=rules,
            note=switch.note,
            closed="" if switch.may_change else CLOSED,
        )

    def _desk(self, session_id: str) -> _Desk:
        if not self._switch.may_change:
            raise BadInput("the model cannot be changed on this page")
        return self._desks.of(self._tab.session(session_id))

    def _guarded(self, handler: Callable[..., Changes]) -> Callable[..., Changes]:
        return self._tab.guarded(handler, self.notice)
