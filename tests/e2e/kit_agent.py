"""An agent in the public kit's form for tests of runs: answers by rote, as slowly as it is told."""

from __future__ import annotations

import time
from typing import Any


class ByRote:
    """Knows the first word of every second question, and says so; `delay_s` a turn, `fails` on questions with it."""

    def __init__(self, delay_s: float = 0.0, says: str = "seven", fails: str = ""):
        self._delay_s = delay_s
        self._says = says
        self._fails = fails
        self._asked = 0

    def get_batch_size(self) -> int:
        return 1

    def batch_generate_response(
        self, queries: list[str], images: list[Any], message_histories: list[list[dict[str, Any]]]
    ) -> list[str]:
        time.sleep(self._delay_s)
        self._asked += 1
        if self._fails and self._fails in queries[0]:
            raise RuntimeError("told to fail")
        return ["I don't know" if self._asked % 2 else self._says for _ in queries]
