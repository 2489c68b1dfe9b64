"""How far a run is: one line for who started it, figures for who watches it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from eval.runs.workers import Workers


class Progress:
    """One line on standard error: how far, how fast, how long still. Redrawn on a terminal, now and then elsewhere."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic, every_s: float = 10.0
    ):
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._every_s = 0.2 if self._terminal else every_s
        self._start = self._last = clock()

    def show(self, done: int, total: int, made: int, failed: int) -> None:
        """Show that `done` of `total` turns are there, `made` of them in this process."""
        now = self._clock()
        if now - self._last < self._every_s and done < total:
            return
        self._last = now
        rate = made / max(now - self._start, 1e-9)
        left = f"{(total - done) / rate:.0f} s left" if rate else "starting"
        text = f"{done}/{total} turns · {rate:.2f} turns/s · {left} · {failed} failed"
        print(
            f"\r{text:<76}" if self._terminal else text,
            end="" if self._terminal else "\n",
            file=self._stream,
            flush=True,
        )

    def end(self) -> None:
        if self._terminal:
            print(file=self._stream)


class WorkingClock:
    """Seconds spent running, pauses left out."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._since: float | None = time.monotonic()

    def pause(self, paused: bool) -> None:
        if paused and self._since is not None:
            self._spent, self._since = self.seconds, None
        elif not paused and self._since is None:
            self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        return self._spent + (0.0 if self._since is None else time.monotonic() - self._since)


def figures(run: Workers, clock: WorkingClock) -> dict[str, Any]:
    made = run.done - run.kept
    rate = made / clock.seconds if made and clock.seconds > 0 else None
    return {
        "done": run.done,
        "total": run.total,
        "made": made,
        "failed": run.failed,
        "rate_per_s": round(rate, 3) if rate else None,
        "eta_s": round((run.total - run.done) / rate, 1) if rate else None,
        "open": run.schedule.open,
        "waiting": run.schedule.waiting,
        "calls_at_once": run.limit(),
        "cached": run.spent.cached,
        "cost": round(run.spent.cost, 6),
        "retries": run.retries,
    }
