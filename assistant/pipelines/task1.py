"""The benchmark's first task, one source: pictures like the frame, and nothing of the web.

The paper's baseline "Task 1" (CRAG-MM, arXiv 2510.26160): the frame is searched for among the indexed pictures, the
top 30 count at a score of 0.75 or more, and their entities' names and attributes, 2,000 tokens at most, stand in the
prompt with the frame and the question. Ours: a question is asked by itself (the set has single questions; of a
conversation each turn is); see `task_baseline` for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.task_baseline import Baseline, answer_with

TASK1 = Baseline(web=False, history=False)


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    return answer_with(TASK1, request, eyes, turn, tools)
