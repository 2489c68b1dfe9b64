"""Whether a turn still has time for one more part: which parts are left out when little is left, and how a part's time
is known.

A part (a rewriting, a re-ranking, a search) is worth its time only if what is worth more still fits behind it. How long
a part takes is the median of its last turns in this process, a stated guess before there is one.
"""

from __future__ import annotations

import statistics
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

#: Recent enough to follow an endpoint that became slow, many enough for one slow turn not to matter.
TURNS_REMEMBERED = 15


@dataclass(frozen=True)
class Part:
    """`name` as a note says it; `guess_s`: what it takes before anything was measured, by the time of a small model
    behind a server on the same network.
    """

    name: str
    guess_s: float


REWRITING = Part("rewriting", 2.0)
RE_RANKING = Part("re-ranking", 3.0)
WEB_SEARCH = Part("web search", 0.6)
ANSWER = Part("answer", 2.5)


class _HasTime(Protocol):
    def left_s(self) -> float: ...


@dataclass
class Pace:
    """How long parts took. Safe to share between threads."""

    _took: dict[str, deque[float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def about_s(self, part: Part) -> float:
        """What the part takes: the median of its last turns, the guess before the first."""
        with self._lock:
            took = self._took.get(part.name)
            return statistics.median(took) if took else part.guess_s

    def note(self, part: Part, took_s: float) -> None:
        """One more turn took so long for the part."""
        with self._lock:
            self._took.setdefault(part.name, deque(maxlen=TURNS_REMEMBERED)).append(took_s)

    @contextmanager
    def measured(self, part: Part, clock: Callable[[], float]) -> Iterator[None]:
        """Notes what the block takes; one that raises took no time that could be expected again."""
        start = clock()
        yield
        self.note(part, clock() - start)


def no_time_for(part: Part, request: _HasTime, pace: Pace, *behind: Part) -> str:
    """ "" where there is time for the part and for what is worth more and comes `behind` it (the answer always does);
    else the note that says what was left out.
    """
    left_s = request.left_s()
    if left_s >= sum(pace.about_s(p) for p in (part, *behind, ANSWER)):
        return ""
    return f"{part.name} left out: {max(left_s, 0.0):.1f} s were left"
