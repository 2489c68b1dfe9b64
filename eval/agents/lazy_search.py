"""The search that an agent of the public kit is handed: most take one, and some never use it.

So the index is built and opened when it is first asked, with progress on standard error, and not at all for an agent
that never asks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.core.errors import VitrineError

if TYPE_CHECKING:
    from assistant.index.raw_search import SearchPipeline


class LazySearch:
    """Stands for the pipeline that `open_pipeline` returns, in calls and in attributes; safe between threads.

    preparing: whether it is being opened now, which is no part of the turn that happened to ask first.
    spent_s: how long that took.
    problem: why it could not be opened; whoever runs the agent ends the run with it, as no search can go well.
    """

    def __init__(self, open_pipeline: Callable[[], SearchPipeline]):
        self._open = open_pipeline
        self._opened: SearchPipeline | None = None
        self._lock = threading.Lock()
        self.preparing = False
        self.spent_s = 0.0
        self.problem: VitrineError | None = None

    def __call__(self, inputs: Any, k: int = 10) -> list[dict[str, Any]]:
        return self.opened()(inputs, k=k)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copying and inspecting ask for such names, and mean nothing by it
            raise AttributeError(name)
        return getattr(self.opened(), name)

    def opened(self) -> SearchPipeline:
        """The pipeline itself.

        Raises:
            VitrineError: the index cannot be built or opened; the same one again whenever it is asked.
        """
        with self._lock:
            if self.problem is not None:
                raise self.problem
            if self._opened is None:
                begun, self.preparing = time.perf_counter(), True
                try:
                    self._opened = self._open()
                except VitrineError as problem:
                    self.problem = problem
                    raise
                finally:
                    self.preparing = False
                    self.spent_s = time.perf_counter() - begun
            return self._opened
