"""Which turn is asked next: a free slot is never idle while a turn is ready.

A turn is ready when the one before it in its conversation is finished. Conversations that are open go before new
ones, so that few pictures are needed at a time, and new ones are begun in the order of the data. Only near the end,
where that order could leave one long conversation running alone, the turn with the most turns behind it goes first:
for turns of equal length no schedule of chains ends sooner (Hu 1961, "Parallel sequencing and assembly line
problems": highest level first).

A turn that is to be tried again later leaves its slot to others meanwhile.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class Line:
    """One conversation's place in the schedule: `number` is the caller's, `left` turns are not finished yet."""

    number: int
    left: int
    tries: int = field(default=0, compare=False)


class Schedule:
    """Hands out ready turns, one a conversation, to any number of threads.

    Args:
        turns: how many turns of each conversation are not finished yet; those with 0 are left out.
        batch: how many turns a call takes at most.
        limit: how many calls may be open at once; asked before each, as it may change.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        turns: Sequence[int],
        *,
        batch: int = 1,
        limit: Callable[[], int] = lambda: 1,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._fresh = [number for number, left in enumerate(turns) if left]
        self._fresh.reverse()  # the next one is popped off the end
        self._turns = turns
        self._longest = max(turns, default=0)
        self._batch = batch
        self._limit = limit
        self._clock = clock
        self._changed = threading.Condition()
        self._ready: list[Line] = []
        self._later: list[tuple[float, int, Line]] = []
        self._count = itertools.count()
        self._calls = 0
        self._open = 0
        self._left = sum(turns)
        self._at_the_end = False
        self._paused = self._stopped = False

    def take(self) -> list[Line]:
        """The turns of the next call; waits for one to be ready. Empty when nothing is left or `stop` was called."""
        with self._changed:
            while True:
                if self._stopped or self._left <= 0:
                    return []
                self._wake()
                if not self._paused and self._calls < max(1, self._limit()) and (taken := self._pick()):
                    self._calls += 1
                    self._open += len(taken)
                    return taken
                self._changed.wait(self._until_later())

    def finished(self, line: Line) -> None:
        """The line's turn is finished; its next one is ready."""
        with self._changed:
            self._open -= 1
            self._left -= 1
            line.left -= 1
            line.tries = 0
            if line.left:
                self._ready.append(line)
            self._changed.notify_all()

    def dropped(self, line: Line) -> None:
        """The rest of the line's conversation cannot be asked."""
        with self._changed:
            self._open -= 1
            self._left -= line.left
            self._changed.notify_all()

    def later(self, line: Line, delay_s: float) -> None:
        """The line's turn is to be asked again, not before `delay_s`."""
        with self._changed:
            self._open -= 1
            heapq.heappush(self._later, (self._clock() + delay_s, next(self._count), line))
            self._changed.notify_all()

    def call_ended(self) -> None:
        """One call that `take` began is over; its lines have been told of before."""
        with self._changed:
            self._calls -= 1
            self._changed.notify_all()

    def pause(self, paused: bool) -> None:
        with self._changed:
            self._paused = paused
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    @property
    def open(self) -> int:
        """Turns being answered now."""
        return self._open

    @property
    def waiting(self) -> int:
        """Turns that wait for another try."""
        return len(self._later)

    def _pick(self) -> list[Line]:
        slots = max(1, self._limit()) * self._batch
        if not self._at_the_end and slots > 1 and self._left <= slots * (self._longest + 2):
            self._at_the_end = True
            self._fresh.sort(key=lambda number: (self._turns[number], -number))  # popped off the end: longest first
        taken: list[Line] = []
        while len(taken) < self._batch and (self._ready or self._fresh):
            taken.append(self._next())
        return sorted(taken, key=lambda line: line.number)

    def _next(self) -> Line:
        fresh = self._turns[self._fresh[-1]] if self._fresh else 0
        if not self._ready:
            return Line(self._fresh.pop(), fresh)
        if not self._at_the_end:
            return self._ready.pop(0)
        longest = max(range(len(self._ready)), key=lambda place: self._ready[place].left)
        if fresh > self._ready[longest].left:
            return Line(self._fresh.pop(), fresh)
        return self._ready.pop(longest)

    def _wake(self) -> None:
        now = self._clock()
        while self._later and self._later[0][0] <= now:
            self._ready.append(heapq.heappop(self._later)[2])

    def _until_later(self) -> float | None:
        return max(0.0, self._later[0][0] - self._clock()) if self._later else None
