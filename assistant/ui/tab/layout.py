"""What stands where on the live tab, and the services it is made from; `assistant.ui.tab.live` brings it to life.

Further panels have two places: `drawers`, under the picture (narrow forms: teaching, degrading), and `wide`, above
picture and conversation (what needs the page's width). See `assistant.ui.tab.panel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.core.paths import ASSETS_DIR
from assistant.speech.hearing import Hearing
from assistant.speech.speaking import Speaker
from assistant.ui.html.page import render_announcement, render_empty, render_head, render_keys, render_target
from assistant.ui.state.engine import Engine
from assistant.ui.state.model_shelf import ModelShelf
from assistant.ui.state.model_switch import ModelSwitch
from assistant.ui.state.sessions import SessionStore
from assistant.ui.tab.camera import camera_part
from assistant.ui.tab.examples import ExampleFrames
from assistant.ui.tab.picture_input import PictureInput
from assistant.ui.tab.voice import Voice

if TYPE_CHECKING:
    from assistant.doctor import Part

_SCRIPT = ASSETS_DIR / "style" / "live.js"

#: How often an open page looks whether the model was changed, and while one is fetched or loaded, in seconds.
LOOK_S, BUSY_S = 5.0, 1.0

#: What the tab's own buttons trigger.
EVENTS = ("ask", "example", "sample", "vary", "offer", "undo", "restore", "look", "mark", "profile", "save")


@dataclass(frozen=True)
class Services:
    """What the page is made from; tests hand in their own. `examine` says what each part of the house is."""

    engine: Engine
    sessions: SessionStore
    examples: ExampleFrames
    speaker: Speaker
    hearing: Hearing
    model: ModelSwitch
    shelf: ModelShelf
    examine: Callable[[], tuple[Part, ...]] = tuple


class LiveLayout:
    """The components of the tab, created inside the current `gr.Blocks`."""

    def __init__(self, services: Services):
        self.services = services
        self.voice = Voice(services.speaker, services.hearing, services.sessions)
        self.session_id = gr.BrowserState("", storage_key="vitrine-session", secret="held-by-the-browser")
        self.shown = gr.State(())  # what this page says of whom questions go to
        self.tick = gr.Timer(0.7)
        self.head = html(render_head(services.model.target), "head", listens=True)
        self.notice = html("", "notice")
        with gr.Row(elem_id="stage"):
            with gr.Column(elem_id="case", min_width=300, scale=5):
                self._build_case()
            with gr.Column(elem_id="talk", min_width=320, scale=7):
                self._build_talk()
        self.wide = gr.Column(elem_id="wide")
        self.large = html("", "large", listens=True)

    def _build_case(self) -> None:
        """The picture: the camera, choosing one, the one in view, the examples, and what works on it."""
        self.camera = camera_part()
        self.caption = html("", "caption")
        self.moment = gr.Textbox(visible=False)  # the camera's frame, on its way with a question
        # Which of the two is seen says the style, by what stands in the frame: gradio may lose that a column is to be
        # shown while a page is being loaded.
        with gr.Column(elem_id="picker"):
            self.picture = PictureInput(
                label="Picture",
                show_label=False,
                sources=["upload", "clipboard"],
                buttons=[],
                height=340,
                elem_id="picture",
                placeholder="# Your picture here\ndrop it, paste it, or click to choose one",
            )
        self.picture_notice = html("", "picture-notice")
        with gr.Column(elem_id="viewer"):
            self.frame = html("", "frame", listens=True)
            self.change = gr.Button("Another picture", elem_id="change", variant="secondary", size="sm")
        self.gallery = html("", "gallery", listens=True)
        self.drawers = gr.Column(elem_id="drawers")

    def _build_talk(self) -> None:
        """The conversation and the question."""
        self.history = html("", "history", listens=True)
        self.current = html(render_empty(False), "current", listens=True)
        with gr.Column(elem_id="composer"):
            self.chips = html("", "chips", listens=True)
            self.ask_notice = html("", "ask-notice")
            self.voice.note()
            with gr.Row(elem_id="ask-row") as self.ask_row:
                self.voice.microphone()
                self.question = gr.Textbox(
                    label="Question",
                    placeholder="Ask about it",
                    lines=1,
                    max_lines=4,
                    autofocus=True,
                    scale=8,
                    min_width=120,
                    elem_id="question",
                )
                self.ask = gr.Button("Ask", variant="primary", scale=1, min_width=72, elem_id="ask")
                self.stop = gr.Button("Stop", visible=False, scale=1, min_width=72, elem_id="stop")
            self.target = html(render_target(self.services.model.target), "target")
            with gr.Row(elem_id="ask-extras"):
                self.voice.switch()
                self.voice.player()
                self.new = gr.Button("New conversation", size="sm", elem_id="new", min_width=120)
            html(render_keys(), "keys")
        self.announcer = html(render_announcement(""), "announcer")

    def components(self) -> list[Any]:
        """Everything that a handler may change."""
        return [part for part in vars(self).values() if isinstance(part, gr.blocks.Block)]


def html(value: str, elem_id: str, *, listens: bool = False, events: Sequence[str] = ()) -> gr.HTML:
    """A part of the page that we draw ourselves.

    Args:
        value: what stands there at first.
        elem_id: its id.
        listens: hand its buttons to the page: one with `data-event="NAME"` triggers `NAME` with the numbers and words
            in `data-turn`, `data-act` and `data-card` (assets/style/live.js).
        events: names beside `EVENTS` that its buttons use; gradio only knows events named in the script.
    """
    names = ", ".join(f'"{name}"' for name in (*EVENTS, *events))
    script = f"const known = [{names}];\n{_SCRIPT.read_text(encoding='utf-8')}" if listens else None
    return gr.HTML(
        value,
        elem_id=elem_id,
        js_on_load=script,
        apply_default_css=False,
    )
