"""Turns side by side: few see and search at a time, many wait for an endpoint; what was stopped is not begun."""

from __future__ import annotations

import threading
import time

import pytest

from assistant.core.errors import EndpointBusy
from assistant.core.events import Finished, StageStarted
from assistant.core.types import Answer, Conversation, Turn
from eval.agents.protocol import Asked, Busy, Made, OneAtATime
from eval.data.samples import Sample, SampleTurn


def asked(name: str) -> Asked:
    turn = SampleTurn(name, 0, "what is it?", "a lamp")
    return Asked(Sample(name, (turn,), "single", "validation", True), turn, Conversation(name), None)


class Counting:
    """Sees for a moment, then waits until all of them wait: notes how many did which at a time."""

    def __init__(self, turns: int, problem: Exception | None = None):
        self._lock = threading.Lock()
        self._all = threading.Barrier(turns)
        self._problem = problem
        self.seeing = self.most = 0

    def answer(self, conversation, question, frame):
        with self._lock:
            self.seeing += 1
            self.most = max(self.most, self.seeing)
        yield StageStarted("look")
        time.sleep(0.02)
        with self._lock:
            self.seeing -= 1
        if self._problem is not None:
            raise self._problem
        yield StageStarted("answer")
        self._all.wait(10)  # every turn comes here before the first one ends
        yield Finished(Turn(question, Answer("a lamp", "answered")))


def side_by_side(agent: OneAtATime, turns: int, stop: threading.Event) -> list[object]:
    found: list[object] = []
    threads = [threading.Thread(target=lambda i=i: found.extend(agent.answer([asked(f"s{i}")], stop)))
               for i in range(turns)]  # fmt: skip
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return found


def test_few_see_at_a_time_and_all_wait_for_the_endpoint_together():
    counting = Counting(8)
    found = side_by_side(OneAtATime(counting.answer, seeing=2), 8, threading.Event())
    assert [type(one) for one in found] == [Made] * 8
    assert counting.most == 2
    waited = sorted(one.waited_ms for one in found)
    assert waited[0] < 20  # the first began at once
    assert waited[-1] > 40  # the last one stood in line for three others, and that is no time of its own


def test_without_a_limit_all_see_at_once():
    counting = Counting(8)
    assert len(side_by_side(OneAtATime(counting.answer), 8, threading.Event())) == 8
    assert counting.most > 2


@pytest.mark.parametrize("problem", [EndpointBusy("busy"), RuntimeError("broken")])
def test_a_turn_that_fails_leaves_its_place(problem):
    counting = Counting(4, problem)
    found = side_by_side(OneAtATime(counting.answer, seeing=1), 4, threading.Event())
    assert [type(one) for one in found] == [Busy if isinstance(problem, EndpointBusy) else Made] * 4
    assert counting.most == 1


def test_a_turn_in_line_is_not_begun_when_the_run_is_stopped():
    begun = []
    hold, stop = threading.Event(), threading.Event()

    def answer(conversation, question, frame):
        begun.append(conversation.id)
        yield StageStarted("look")
        hold.wait(10)
        yield Finished(Turn(question, Answer("a lamp", "answered")))

    agent = OneAtATime(answer, seeing=1)
    threads = [threading.Thread(target=agent.answer, args=([asked(name)], stop)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    stop.set()
    hold.set()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert len(begun) == 1
