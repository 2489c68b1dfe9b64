"""The half of the panel "Model" for models on this machine: a short list, what is fetched, a field for any other.

Every button of the list is a button of ours in HTML (see `assistant.ui.html.local_model`); what they do goes on in the
background (`assistant.ui.state.model_shelf`, `model_switch`), and the tab's clock draws how far it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.core.errors import BadInput
from assistant.ui.html.local_model import Standing, news_of, render_about, render_jobs, render_looking, render_shelf
from assistant.ui.html.page import render_announcement, render_notice
from assistant.ui.state.model_shelf import ModelShelf
from assistant.ui.state.model_switch import ModelSwitch, local_choice_of
from assistant.ui.tab.click_payload import Changes, detail
from assistant.ui.tab.layout import BUSY_S, html

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab

_INTRO = (
    '<p class="v-quiet">The model answers here, without a key, and nothing is sent. It is fetched once, from the hub, '
    "when you press Fetch, and found again without the network. Strictness, pipeline and Remember, below, go with Use."
    "</p>"
)


def _stop(words: str, what: str) -> gr.Button:
    return gr.Button(words, size="sm", elem_id=f"local-stop-{what}", min_width=120, visible=False)


class LocalPart:
    """Components, handlers and what they show; the panel says what goes with each change."""

    def __init__(self, switch: ModelSwitch, shelf: ModelShelf):
        self._switch, self._shelf = switch, shelf

    def build(self, tab: Tab) -> None:
        self._tab = tab
        with gr.Column(elem_id="model-local"):
            html(_INTRO, "local-intro")
            self.list = html("", "local-list", listens=True, events=("local",))
            with gr.Row(elem_id="local-other-row", elem_classes="v-model-row"):
                self.other = gr.Textbox(
                    label="Another model",
                    placeholder="ORG/NAME" + (" or /path/to/folder" if self._shelf.may_name_paths else ""),
                    info="A hub id"
                    + (", a folder in the hub's format or a GGUF file." if self._shelf.may_name_paths else "."),
                    max_lines=1,
                    elem_id="local-other",
                    html_attributes=gr.InputHTMLAttributes(autocomplete="off", spellcheck=False, autocapitalize="off"),
                )
            self.about = html("", "local-about")
            with gr.Row(elem_id="local-acts"):
                self.use = gr.Button("Use it", variant="primary", size="sm", elem_id="local-use", min_width=90)
                self.test = gr.Button("Test it", size="sm", elem_id="local-test", min_width=90)
                self.fetch = gr.Button("Fetch it", size="sm", elem_id="local-fetch", min_width=90)
            with gr.Column(elem_id="local-now"):
                self.notice = html("", "local-notice")
                self.jobs = html("", "local-jobs")
                with gr.Row(elem_id="local-stops"):
                    self.stop_fetch = _stop("Stop the fetch", "fetch")
                    self.stop_load = _stop("Stop loading", "load")
                    self.stop_test = _stop("Stop the test", "test")
        self.shown = gr.State(())  # what of all this the page shows
        self.heard = gr.State(())  # what of it was said aloud
        self.sure = gr.State("")  # the model that this visitor was asked about before it is removed

    def components(self) -> list[Any]:
        """What a handler of the panel may change."""
        return [part for part in vars(self).values() if isinstance(part, gr.blocks.Block)]

    def wire(self, own: list[Any], rules: list[Any], remember: Any, after: Callable[[], Changes]) -> None:
        """`rules` are the fields for pipeline and strictness; `after` draws the rest of the panel once a model is in
        use."""
        tab = self._tab
        self._after = after

        def on(event: Callable[..., Any], handler: Callable[..., Changes], *inputs: Any) -> None:
            safe = tab.guarded(handler, self.notice)
            tab.on(event, safe, [tab.session_id, *inputs], own, trigger_mode="multiple")

        on(self.list.local, self._act, remember, *rules)
        on(self.other.submit, self._look_up, self.other)
        on(self.other.blur, self._look_up, self.other)
        on(self.use.click, self._use, self.other, remember, *rules)
        on(self.test.click, lambda _, name: self._test(name), self.other)
        on(self.fetch.click, lambda _, name: self._fetch(name), self.other)
        for button, stop in (
            (self.stop_fetch, self._shelf.stop_fetch),
            (self.stop_load, self._switch.stop_loading),
            (self.stop_test, self._shelf.stop_test),
        ):
            on(button.click, lambda _, stop=stop: self._stopped(stop))
        tab.on(tab.tick.tick, self._tick, [self.shown, self.heard, self.sure], own)

    # handlers

    def _act(self, session_id: str, remember: bool, pipeline: Any, strictness: Any, event: gr.EventData) -> Changes:
        """A button of the list."""
        act, name = str(detail(event, "act", "")), str(detail(event, "card", ""))
        if act == "remove":
            return {self.sure: name, self.notice: "", **self.draw(sure=name)}
        if act == "keep":
            return {self.sure: "", **self.draw()}
        if act == "removed":
            self._put_away()
            return self._did(self._shelf.remove(name))
        acts = {"fetch": self._fetch, "test": self._test}
        if act in acts:
            return acts[act](name)
        if act != "use":
            raise BadInput("that button is none of the list")
        return self._use(session_id, name, remember, pipeline, strictness)

    def _look_up(self, _: str, name: str) -> Changes:
        """Something was typed: say what is known of it."""
        return {self.about: render_about(self._shelf.about(name) if (name or "").strip() else ""), self.notice: ""}

    def _use(self, _: str, name: str, remember: bool, pipeline: Any, strictness: Any) -> Changes:
        choice = local_choice_of(self._shelf.allowed(name), pipeline, strictness)
        self._shelf.put_away()
        slow = self._shelf.slowness(name)
        words = self._switch.use_local(choice, remember=bool(remember))
        return self._did(f"{words} {slow}".strip())

    def _test(self, name: str) -> Changes:
        self._put_away()
        return self._begun(self._shelf.test(name))

    def _fetch(self, name: str) -> Changes:
        self._put_away()
        return self._begun(self._shelf.fetch(name))

    def _put_away(self) -> None:
        self._shelf.put_away()
        self._switch.put_away()

    def _begun(self, words: str) -> Changes:
        """What is under way is seen from its bar."""
        return {**self._did(words), self.notice: ""}

    def _stopped(self, stop: Callable[[], None]) -> Changes:
        stop()
        return {self.notice: "", **self.draw()}

    def _did(self, words: str) -> Changes:
        """Something was begun or done: say so, and look often from now on."""
        return {
            self.sure: "",
            self.heard: news_of(*self._going_on()),
            self.notice: render_notice(words),
            self._tab.announcer: render_announcement(words),
            self._tab.tick: gr.Timer(BUSY_S),
            **self._tab.show_target(),
            **self.draw(),
        }

    def _tick(self, shown: tuple[Any, ...], heard: tuple[str, ...], sure: str) -> Changes:
        """The tab's clock: what has changed since this page was drawn."""
        changes: Changes = {self.heard: heard}
        if not shown:  # nobody has looked yet
            return changes
        listed, jobs = self._now(sure)
        if listed != shown[0]:
            changes |= self.draw(sure)
        elif jobs != shown[1]:
            changes |= self._draw_jobs(sure)
        news = news_of(*self._going_on())
        if news != tuple(heard):
            changes |= {self.heard: news, **self._after()}
            if fresh := [words for words in news if words not in heard]:
                changes |= {self.notice: "", self._tab.announcer: render_announcement(" ".join(fresh))}
        return changes

    # what is shown

    def before_look(self) -> Changes:
        """What stands there at once: the first look at a machine takes seconds."""
        return {} if self._shelf.looked else {self.list: render_looking()}

    def arrive(self) -> Changes:
        """The panel came into view: look at the disk anew."""
        self._shelf.look()
        busy = {self._tab.tick: gr.Timer(BUSY_S)} if self._switch.loading or self._shelf.busy else {}
        return {self.sure: "", self.heard: news_of(*self._going_on()), **busy, **self.draw()}

    def after_change(self) -> Changes:
        """Another model answers: the list says so where it was looked at."""
        return {self.notice: "", **(self.draw() if self._shelf.looked else {})}

    def draw(self, sure: str = "") -> Changes:
        """The list and what goes on."""
        return {self.list: render_shelf(self._shelf.rows(), self._standing(sure)), **self._draw_jobs(sure)}

    def _draw_jobs(self, sure: str) -> Changes:
        load, fetch, test = self._going_on()
        return {
            self.jobs: render_jobs(load, fetch, test),
            self.stop_fetch: gr.Button(visible=fetch is not None and fetch.going_on),
            self.stop_load: gr.Button(visible=self._switch.loading),
            self.stop_test: gr.Button(visible=test is not None and test.going_on),
            self.shown: self._now(sure),
        }

    def _going_on(self) -> tuple[Any, Any, Any]:
        return self._switch.load, self._shelf.fetching, self._shelf.testing

    def _standing(self, sure: str) -> Standing:
        now, load, fetch = self._switch.settings, self._switch.load, self._shelf.fetching
        return Standing(
            used=(now.local_model or "") if now.effective_profile == "local" else "",
            loading=load.model if load is not None and self._switch.loading else "",
            fetching=fetch.name if fetch is not None and fetch.going_on else "",
            sure=sure,
        )

    def _now(self, sure: str) -> tuple[str, str]:
        """What the list is drawn from, and what goes on."""
        return repr((self._shelf.version, self._standing(sure))), render_jobs(*self._going_on())
