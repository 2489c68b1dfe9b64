"""The benchmark's third task, conversations: as `task2`, with what was said before.

The paper's baseline "Task 3" (CRAG-MM, arXiv 2510.26160): the earlier questions and the agent's own earlier answers,
right or wrong, stand before the question. Ours: they stand before the rewriting as well, without which "and how tall is
it?" cannot be searched for; the last six turns, each cut at 400 characters, which a conversation of the benchmark never
exceeds.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.core.events import Event
from assistant.core.turn_builder import OpenTurn, Request
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.task_baseline import Baseline, answer_with

TASK3 = Baseline(web=True, history=True)


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    return answer_with(TASK3, request, eyes, turn, tools)
