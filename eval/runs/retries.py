"""How a run treats an endpoint that turns it away: how long to wait, how often to try, how much to ask at once.

Waits double from try to try, with jitter, and are never shorter than the endpoint asked for (RFC 9110, 10.2.3,
Retry-After). The number of calls at once is halved when the endpoint says that it is asked too often and grows again
with every call that goes well: additive increase, multiplicative decrease, as TCP does (Chiu & Jain 1989).
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class RetryPolicy:
    """How stubborn a run is.

    tries: of one turn, the first included.
    first_wait_s: before the second try; doubles with each.
    longest_wait_s: no wait of our own is longer.
    longest_rest_s: an endpoint that asks for more rest than this is not waited for: the turn fails.
    """

    tries: int = 6
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    longest_rest_s: float = 600.0

    def wait_s(self, tries: int, retry_after_s: float | None, jitter: random.Random) -> float | None:
        """Seconds until the next try when `tries` were made; None when there is to be none."""
        if tries >= self.tries or (retry_after_s or 0.0) > self.longest_rest_s:
            return None
        own = min(self.longest_wait_s, self.first_wait_s * 2.0 ** (tries - 1)) * (0.5 + 0.5 * jitter.random())
        return max(own, retry_after_s or 0.0)


class CallLimit:
    """How many calls may be open at once, at most `most`; safe between threads.

    Calls that were under way when the limit shrank do not shrink it again: `epoch` is taken before a call and handed
    back with its outcome.
    """

    def __init__(self, most: int):
        self.most = most
        self.lowest = most
        self._now = float(most)
        self._epoch = 0
        self._lock = threading.Lock()

    def __call__(self) -> int:
        return int(self._now)

    @property
    def epoch(self) -> int:
        return self._epoch

    def too_often(self, epoch: int) -> None:
        """A call begun in `epoch` was turned away for being one too many."""
        with self._lock:
            if epoch == self._epoch:
                self._epoch += 1
                self._now = max(1.0, self._now / 2)
                self.lowest = min(self.lowest, int(self._now))

    def went_well(self) -> None:
        """A call was answered: one more at once after about as many calls as there are at once."""
        with self._lock:
            self._now = min(float(self.most), self._now + 1.0 / self._now)
