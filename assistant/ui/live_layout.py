"""What stands where on the live tab, and the services it is made from; `assistant.ui.live` brings it to life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from assistant.settings import ASSETS_DIR
from assistant.speech.speaking import Speaker
from assistant.ui.engine import Engine
from assistant.ui.examples import ExampleFrames
from assistant.ui.picture_input import PictureInput
from assistant.ui.render_page import render_announcement, render_empty, render_head
from assistant.ui.sessions import SessionStore

_SCRIPT = ASSETS_DIR / "style" / "live.js"

#: The rear camera where there are two; anything not larger than the frames the assistant is measured on.
CAMERA = {"video": {"facingMode": {"ideal": "environment"}, "width": {"ideal": 1280}, "height": {"ideal": 960}}}


@dataclass(frozen=True)
class Services:
    """What the page is made from; tests hand in their own."""

    engine: Engine
    sessions: SessionStore
    examples: ExampleFrames
    speaker: Speaker
    profile: str


class LiveLayout:
    """The components of the tab, created inside the current `gr.Blocks`."""

    def __init__(self, services: Services):
        self.services = services
        self.session_id = gr.BrowserState("", storage_key="vitrine-session", secret="held-by-the-browser")
        self.tick = gr.Timer(0.7)
        _html(render_head(services.profile), "head")
        self.notice = _html("", "notice")
        with gr.Row(elem_id="stage"):
            with gr.Column(elem_id="case", min_width=300, scale=5):
                with gr.Column(elem_id="picker") as self.picker:
                    self.picture = PictureInput(
                        label="Picture",
                        show_label=False,
                        sources=["upload", "webcam", "clipboard"],
                        webcam_options=gr.WebcamOptions(mirror=False, constraints=CAMERA),
                        buttons=[],
                        height=340,
                        elem_id="picture",
                        placeholder="# Drop a picture here\nor click to choose one",
                    )
                self.picture_notice = _html("", "picture-notice")
                with gr.Column(elem_id="viewer", visible=False) as self.viewer:
                    self.frame = _html("", "frame")
                    self.change = gr.Button("Another picture", elem_id="change", variant="secondary", size="sm")
                self.gallery = _html("", "gallery", listens=True)
            with gr.Column(elem_id="talk", min_width=320, scale=7):
                self.history = _html("", "history", listens=True)
                self.current = _html(render_empty(False), "current", listens=True)
                with gr.Column(elem_id="composer"):
                    self.chips = _html("", "chips", listens=True)
                    self.ask_notice = _html("", "ask-notice")
                    with gr.Row(elem_id="ask-row"):
                        self.question = gr.Textbox(
                            label="Question",
                            placeholder="What do you want to know?",
                            lines=1,
                            max_lines=4,
                            autofocus=True,
                            scale=8,
                            min_width=120,
                            elem_id="question",
                        )
                        self.ask = gr.Button("Ask", variant="primary", scale=1, min_width=72, elem_id="ask")
                        self.stop = gr.Button("Stop", visible=False, scale=1, min_width=72, elem_id="stop")
                    with gr.Row(elem_id="ask-extras"):
                        self.speak_on = gr.Checkbox(
                            label="Read answers aloud",
                            value=False,
                            interactive=not services.speaker.missing,
                            info=services.speaker.missing or None,
                            elem_id="speak-on",
                            container=False,
                        )
                        self.new = gr.Button("New conversation", size="sm", elem_id="new", min_width=120)
                self.sound = _html("", "sound")
                self.announcer = _html(render_announcement(""), "announcer")

    def components(self) -> list[Any]:
        """Everything that a handler may change."""
        return [part for part in vars(self).values() if isinstance(part, gr.blocks.Block)]


def _html(value: str, elem_id: str, *, listens: bool = False) -> gr.HTML:
    return gr.HTML(
        value,
        elem_id=elem_id,
        js_on_load=_SCRIPT.read_text(encoding="utf-8") if listens else None,
        apply_default_css=False,
    )
