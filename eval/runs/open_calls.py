"""The calls of an agent that are under way, and which of them hang.

Nobody waits for a turn of a run, so none is ended for being slow: a busy machine would change the scores. But a run
must end, and a thread that hangs in a library or in a call to nowhere cannot be stopped from outside. So after minutes
it is left to itself: its turns count as timed out, and another thread goes on in its place.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

#: Seconds a call may take for each of its turns. The slowest machine tried took 35 s for one; an endless loop takes for
#: ever. Assistants of ours end by themselves before (`assistant.factory.RUN_DEADLINE_S`) where they still can.
HANGS_AFTER_S = 900.0
#: No more than this is counted from one look to the next: a process that is stopped, or starved, stands still with its
#: turns.
_COUNTED_S = 5.0


@dataclass(eq=False)
class Call:
    """One call: `turns` are what the caller needs to settle them."""

    turns: Sequence[Any]
    begun: float
    thread: threading.Thread = field(default_factory=threading.current_thread)


class OpenCalls:
    """Safe between threads. `resting` says that an agent does something now that is no part of its turns."""

    def __init__(
        self,
        resting: Callable[[], bool] = lambda: False,
        *,
        hangs_after_s: float = HANGS_AFTER_S,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.hangs_after_s = hangs_after_s
        self._resting = resting
        self._clock = clock
        self._looked = clock()
        self._counted = 0.0
        self._open: set[Call] = set()
        self._lock = threading.Lock()

    def begin(self, turns: Sequence[Any]) -> Call:
        with self._lock:
            call = Call(turns, self._counted)
            self._open.add(call)
            return call

    def end(self, call: Call) -> bool:
        """Whether what the call gave is still wanted; not once it was found to hang."""
        with self._lock:
            wanted = call in self._open
            self._open.discard(call)
            return wanted

    def hanging(self) -> list[Call]:
        """Those that hang, each told once. To be asked several times a second: time is counted from look to look."""
        with self._lock:
            now = self._clock()
            if not self._resting():
                self._counted += min(now - self._looked, _COUNTED_S)
            self._looked = now
            found = [c for c in self._open if self._counted - c.begun > self.hangs_after_s * len(c.turns)]
            self._open.difference_update(found)
            return found
