"""The panel "Voice": who reads answers, how fast and how loud, in this browser; assets/style/speaking.js does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from assistant.ui.tab.base import Tab


class VoicePanel:
    """A panel of the live tab (see `assistant.ui.tab.panel`)."""

    title = "Voice"
    elem_id = "voice-panel"
    place: Literal["drawer", "wide"] = "drawer"

    def build(self, tab: Tab) -> None:
        tab.voice.settings()

    def wire(self, tab: Tab) -> None:
        """Nothing of it concerns the server."""
