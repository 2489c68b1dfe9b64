"""What hangs is ended after minutes and told as timed out; what is merely slow is not."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import threading
import time

import pytest

from assistant.core.events import Finished
from assistant.core.types import Answer, Turn
from eval.data.samples import Sample, SampleTurn
from eval.runs import workers
from eval.runs.open_calls import HANGS_AFTER_S, OpenCalls
from eval.runs.runner import generate
from eval.runs.store import RunFolder, read_turn_lines


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def looks(calls: OpenCalls, clock: Clock, seconds: float, every_s: float = 1.0) -> list:
    """What is found to hang while so many seconds go by."""
    found = []
    for _ in range(round(seconds / every_s)):
        clock.now += every_s
        found += calls.hanging()
    return found


def test_a_call_hangs_after_minutes_for_each_of_its_turns():
    clock = Clock()
    calls = OpenCalls(clock=clock)
    one, three = calls.begin(["a"]), calls.begin(["b", "c", "d"])
    assert looks(calls, clock, HANGS_AFTER_S - 1) == []
    assert looks(calls, clock, 3) == [one]
    assert calls.end(one) is False
    assert looks(calls, clock, 2 * HANGS_AFTER_S - 5) == []
    assert calls.end(three) is True


@pytest.mark.parametrize("why", ["the process stood still", "the agent prepares something"])
def test_what_is_no_time_of_the_turn_is_not_counted(why):
    clock, resting = Clock(), threading.Event()
    calls = OpenCalls(resting.is_set, clock=clock)
    calls.begin(["a"])
    if why == "the process stood still":
        assert looks(calls, clock, 40 * HANGS_AFTER_S, every_s=10 * HANGS_AFTER_S) == []
    else:
        resting.set()
        assert looks(calls, clock, 2 * HANGS_AFTER_S) == []
        resting.clear()
    assert looks(calls, clock, HANGS_AFTER_S - 30) == []
    assert len(looks(calls, clock, 40)) == 1


def conversation(name: str, *questions: str) -> Sample:
    turns = tuple(SampleTurn(f"{name}-{i}", i, question, "x") for i, question in enumerate(questions))
    return Sample(name, turns, "multi", "validation", False)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_run_goes_on_without_what_hangs(tmp_path, monkeypatch, concurrency):
    monkeypatch.setattr(workers, "OpenCalls", functools.partial(OpenCalls, hangs_after_s=0.5))
    let_go, late = threading.Event(), threading.Event()

    def answer(so_far, question, frame):
        if question == "hangs":
            let_go.wait(60)
            late.set()
        yield Finished(Turn(question, Answer(f"{len(so_far.turns)} before", "answered")))

    samples = [conversation("a", "fine", "hangs", "fine"), conversation("b", "hangs"), conversation("c", "fine")]
    with RunFolder.open(tmp_path / "r", {"options": {}}, resume=False) as folder:
        done = generate(samples, answer, folder, concurrency=concurrency)
        let_go.set()
        assert late.wait(10)
        time.sleep(0.2)  # what hung comes back: it is not wanted any more
    lines = {line["interaction_id"]: line for line in read_turn_lines(tmp_path / "r")}
    assert (done.made, done.failed, len(lines)) == (5, 2, 5)
    assert {key for key, line in lines.items() if line["status"] == "timeout"} == {"a-1", "b-0"}
    assert lines["a-1"]["reason"] == "the agent gave no answer within 0 s"
    assert lines["a-2"]["agent_response"] == "2 before"


HANGS_FOR_EVER = """
import functools, runpy, sys, threading
from concurrent.futures import ThreadPoolExecutor
from assistant import factory
from eval.runs import workers

class Assistant:
    def answer(self, conversation, question, frame, *, given=None):
        ThreadPoolExecutor().submit(threading.Event().wait).result()

factory.open_assistant = lambda *_, **__: Assistant()
workers.OpenCalls = functools.partial(workers.OpenCalls, hangs_after_s=0.5)
sys.argv[0] = "eval"
runpy.run_module("eval", run_name="__main__", alter_sys=True)
"""


@pytest.mark.slow
def test_a_process_ends_though_a_turn_hangs(tmp_path):
    """Threads of a pool, as libraries have them, hold up the end of a process."""
    (tmp_path / "d.jsonl").write_text(json.dumps({"query": "q", "ground_truth": "x"}))
    arguments = ["run", "--data", str(tmp_path / "d.jsonl"), "--out", str(tmp_path / "r"), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", HANGS_FOR_EVER, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["statuses"] == {"timeout": 1}
