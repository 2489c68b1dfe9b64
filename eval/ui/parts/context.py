"""What all parts of the eval tab share: where runs lie, who may do what, what was read already; how a part is built.

Nothing here belongs to one visitor: what a page shows is decided by what its browser sends.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.core.errors import VitrineError
from assistant.core.paths import ASSETS_DIR
from assistant.settings import Settings
from assistant.ui.html.page import render_notice
from eval.runs.trash import empty
from eval.ui.state.processes import Workers
from eval.ui.state.rights import Rights
from eval.ui.state.run_state import RunList, RunState
from eval.ui.state.running import Running
from eval.ui.state.sample_view import Frames
from eval.ui.state.turn_index import TurnIndexes

log = logging.getLogger(__name__)

Changes = dict[Any, Any]
_SCRIPT = ASSETS_DIR / "style" / "eval.js"
#: Runs whose estimate is kept while they go on.
_MOST_RUNNING = 12


class Desk:
    """The services of the tab."""

    def __init__(self, settings: Settings, rights: Rights, workers: Workers | None = None):
        self.settings = settings
        self.rights = rights
        self.workers = workers or Workers(settings.data_dir / "runs")
        self.runs = RunList(self.workers.runs)
        empty(self.workers.runs)
        self.indexes = TurnIndexes()
        self.frames = Frames(settings)
        self._lock = threading.Lock()
        self._running: OrderedDict[Path, Running] = OrderedDict()

    def run(self, name: str) -> RunState:
        """A run by its name.

        Raises:
            BadInput: it is not there any more.
        """
        return self.runs.one(self.workers.folder(name))

    def running(self, run: RunState) -> Running:
        """The estimate of a run that goes on."""
        with self._lock:
            found = self._running.pop(run.path, None) or Running(run.path, str(run.summary.info.get("judge")))
            self._running[run.path] = found
            while len(self._running) > _MOST_RUNNING:
                self._running.popitem(last=False)
            return found


def html(value: str, elem_id: str, *, listens: bool = False) -> gr.HTML:
    """A part of the page that we draw ourselves; one that `listens` has the events `act` and `open`."""
    script = _SCRIPT.read_text(encoding="utf-8") if listens else None
    return gr.HTML(value, elem_id=elem_id, js_on_load=script, apply_default_css=False)


def on(
    event: Callable[..., Any], handler: Callable[..., Any], inputs: list[Any], outputs: list[Any], **options: Any
) -> None:
    """Wire an event privately, without gradio's own signs of waiting."""
    settings = {"show_progress": "hidden", "api_visibility": "private", "concurrency_limit": 8, **options}
    event(handler, inputs, outputs, **settings)


def sorry(problem: Exception) -> str:
    """A notice of one sentence about a mistake; what is not ours to explain goes to the log of the server."""
    if isinstance(problem, VitrineError):
        words = " ".join(str(problem).split())
    else:
        log.error("a handler of the eval tab failed", exc_info=problem)
        words = "that did not work; the log of the server has the details"
    return render_notice(words[:1].upper() + words[1:], "error")
