"""The panel "Voice": how fast and how loud answers are read, in this browser; assets/style/speaking.js does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import gradio as gr

from assistant.ui.html.voice import render_voice_settings

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab


class VoicePanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Voice"
    elem_id = "voice-panel"
    place: Literal["drawer", "wide"] = "drawer"

    def build(self, tab: Tab) -> None:
        gr.HTML(render_voice_settings(), elem_id="voice-settings", apply_default_css=False)

    def wire(self, tab: Tab) -> None:
        """Nothing of it concerns the server."""
