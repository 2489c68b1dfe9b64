"""The benchmark's second task, several sources: the web beside pictures like the frame.

The paper's baseline "Task 2" (CRAG-MM, arXiv 2510.26160): as `task1`, and the model rewrites the question into a web
query, with the picture; 50 results are asked for, and snippets of 8,000 tokens at most stand behind what the pictures
gave. Ours: the wording of the rewriting; each result of the search is one page; see `task_baseline` for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.task_baseline import Baseline, answer_with

TASK2 = Baseline(web=True, history=False)


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    return answer_with(TASK2, request, eyes, turn, tools)
