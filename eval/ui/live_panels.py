"""The further panels of the live page, put together where `eval` may be asked. What an answer is worth and what this is
made of are told to them as services; nothing under `assistant` opens a world's gold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.settings import Settings

if TYPE_CHECKING:
    from assistant.ui.state.model_shelf import ModelShelf
    from assistant.ui.state.model_switch import ModelSwitch
    from assistant.ui.tab.panel import Panel
    from eval.ui.state.annotation import AnnotationDesk


def live_panels(settings: Settings, switch: ModelSwitch, shelf: ModelShelf, desk: AnnotationDesk) -> list[Panel]:
    """All panels, in the order in which they stand."""
    from assistant.ui.panels.capsule import CapsulePanel
    from assistant.ui.panels.comparison import DuelPanel
    from assistant.ui.panels.degradation import LightsPanel
    from assistant.ui.panels.latency import LatencyPanel
    from assistant.ui.panels.model import ModelPanel
    from assistant.ui.panels.teach import TeachPanel
    from assistant.ui.panels.voice import VoicePanel
    from eval.judges.gold_grades import GoldGrades
    from eval.runs.versions import versions
    from eval.ui.parts.blind import BlindPanel
    from eval.ui.parts.recordings import RecordingsPanel
    from eval.ui.parts.test_row import TestRowPanel

    return [
        ModelPanel(switch, shelf),
        TeachPanel(),
        LightsPanel(),
        DuelPanel(GoldGrades(settings.world_dir)),
        CapsulePanel(versions, lambda: switch.settings.withheld),
        VoicePanel(),
        LatencyPanel(),
        RecordingsPanel(desk, switch, versions),
        BlindPanel(desk),
        TestRowPanel(desk),
    ]
