"""How a run that goes on is doing so far: truthfulness with its interval, and what went wrong, in sentences.

Judging is a stage of its own that comes last, and gold stays closed until then. What is shown meanwhile is an estimate
of the turns that are there: by the judge of the run where it needs neither gold nor a model (`exact`), else by
`lexical`; per turn, without the stops of conversations. It is marked as that and written nowhere.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval.data.samples import FAILED, session_in_data
from eval.data.truths import has_truth
from eval.judges.protocol import Judge
from eval.judges.registry import make_judge
from eval.metrics.public import WORTH
from eval.metrics.slices import slices
from eval.ui.state.turn_index import Filters, TurnIndex

#: So long turns are judged at one look; the next goes on.
_LOOK_S = 0.6


@dataclass(frozen=True)
class SoFar:
    """Figures of the first `n` turns of `of` that are there: a slice of `eval.metrics.slices`, None without turns."""

    judge: str
    n: int
    of: int
    figures: Mapping[str, Any] | None


class Running:
    """The estimate for one run; every look judges what came since."""

    def __init__(self, run: Path, judge: str):
        self._judge_name = "exact" if judge == "exact" else "lexical"
        self._judge: Judge = make_judge(self._judge_name, None, {})
        self._run = run
        self._lock = threading.Lock()
        self._looked = 0
        self._values: list[int] = []
        self._sessions: list[int] = []
        self._codes: dict[str, int] = {}

    def look(self, index: TurnIndex) -> SoFar:
        """The figures up to now."""
        with self._lock:
            until = time.monotonic() + _LOOK_S
            for line in index.lines(self._looked):
                self._looked += 1
                if not has_truth(line):
                    continue
                self._values.append(self._worth(line))
                self._sessions.append(self._codes.setdefault(session_in_data(line), len(self._codes)))
                if time.monotonic() > until:
                    break
            n = len(self._values)
            of = len(index) - (self._looked - n)
            if not n:
                return SoFar(self._judge_name, 0, of, None)
            one = slices(np.array(self._values, np.int8), np.array(self._sessions, np.int64), {"all": ["all"] * n})
            return SoFar(self._judge_name, n, of, one["all"]["all"])

    def _worth(self, line: Mapping[str, Any]) -> int:
        """What a turn counts; one that the judge is not sure of counts as it leans."""
        if line["status"] in FAILED:
            return 0
        found = self._judge(line)
        verdict = found.verdict or found.leaning
        return 0 if verdict is None else WORTH[verdict]


def failures(index: TurnIndex, most: int = 5) -> list[tuple[int, str]]:
    """What turns failed of, most frequent first: how many, and the sentence."""
    counted: Counter[str] = Counter()
    for status in FAILED:
        numbers = index.find(Filters(labels=(("status", status),)), "")
        for row in index.rows(numbers[-2000:], ""):
            counted[str(row.line.get("reason") or status)] += 1
    return [(n, sentence) for sentence, n in counted.most_common(most)]
