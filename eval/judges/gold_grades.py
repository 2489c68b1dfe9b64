"""Grades for answers about the bundled world's own frames, for the page: +1 right, 0 not answered, -1 wrong.

The page hands in answers that are made already; only then is the world's gold opened, here and nowhere under
`assistant`. What the gold does not know (other pictures, other questions, questions that need the turns before) gets no
grade: the presenter gives it. The verdict is the typed judge's, as in runs.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from pathlib import Path
from typing import Any

from assistant.core.errors import VitrineError
from assistant.core.types import Turn
from eval.data.gold import has_gold, read_example_gold, read_gold
from eval.judges.protocol import Judge
from eval.judges.registry import make_judge

log = logging.getLogger(__name__)

GRADES = {"correct": 1, "missing": 0, "wrong": -1}
#: What was never said cannot be graded; see the status of a turn in the contracts.
JUDGED = ("answered", "abstained", "retake")


class GoldGrades:
    """Grades by one world; what it needs is read with the first answer that is graded."""

    def __init__(self, world: Path):
        self._world = world
        self._lock = threading.Lock()
        self._judge: Judge | None = None
        self._lines: dict[tuple[str, str], dict[str, Any]] = {}
        self._is_read = False

    def __call__(self, picture: str, turn: Turn) -> int | None:
        """The grade of an answer; None where the gold knows none.

        Args:
            picture: SHA-256 of the picture's file as the world has it, in hex.
            turn: a finished turn; its question must be the world's or the example's, letter by letter.
        """
        if turn.answer.status not in JUDGED:
            return None
        with self._lock:
            if not self._is_read:
                self._is_read = True
                self._read()
        line = self._lines.get((picture, turn.question.strip()))
        if line is None or self._judge is None:
            return None
        verdict = self._judge({**line, "agent_response": turn.answer.text, "status": turn.answer.status}).verdict
        return GRADES[verdict] if verdict is not None else None

    def _read(self) -> None:
        from eval.data.datasets import load

        if not has_gold(self._world):
            return
        try:
            gold = read_gold(self._world)
            pictures: dict[str, str] = {}
            for sample in load(str(self._world), "validation", "both").samples:
                if sample.picture is None:
                    continue
                picture = pictures[sample.session_id] = hashlib.sha256(sample.picture.read()).hexdigest()
                for turn in sample.turns:
                    known = gold.get(turn.interaction_id)
                    if known is None or known.labels.get("needs_history"):
                        continue
                    self._lines[picture, turn.query.strip()] = {
                        "interaction_id": turn.interaction_id,
                        "query": turn.query,
                        "ground_truth": turn.ground_truth,
                    }
            for session, question, known in read_example_gold(self._world):
                if session in pictures and not known.labels.get("needs_history"):
                    gold[known.interaction_id] = known
                    line = {"interaction_id": known.interaction_id, "query": question, "ground_truth": ""}
                    self._lines[pictures[session], question] = line
            self._judge = make_judge("typed", self._world, gold)
        except VitrineError as problem:  # a world that is not whole: the presenter grades
            log.warning("answers cannot be graded by the world's gold: %s", problem)
            self._lines.clear()
