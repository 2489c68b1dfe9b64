"""A process of its own: it dies, hangs, crashes and comes back; who waits is served by turns."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from assistant.speech.process import Cancelled, ProcessDied, ProcessLate, Queue, WorkerProcess

ECHO = "tests.assistant.speech.echo"


@pytest.fixture
def worker():
    worker = WorkerProcess(ECHO)
    yield worker
    worker.end()


def test_answers_bodies_and_progress(worker: WorkerProcess):
    steps: list[tuple[float, str]] = []
    body = os.urandom(300_000)
    reply, back = worker.ask({"do": "echo"}, body, timeout_s=20, progress=lambda s, d: steps.append((s, d)))
    assert back == body
    assert reply == {"do": "echo"}
    assert steps == [(0.5, "half way")]
    pid = worker.pid
    worker.ask({"do": "print"}, timeout_s=20)  # what a library prints is no message
    assert worker.pid == pid is not None


def test_a_dead_process_is_replaced(worker: WorkerProcess):
    worker.ask({"do": "echo"}, timeout_s=20)
    pid = worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    time.sleep(0.1)
    assert worker.pid is None
    worker.ask({"do": "echo"}, timeout_s=20)
    assert worker.pid not in (None, pid)
    with pytest.raises(ProcessDied, match="exit code 7"):
        worker.ask({"do": "exit"}, timeout_s=20)
    with pytest.raises(ProcessDied, match="exit code -11"):
        worker.ask({"do": "segfault"}, timeout_s=20)
    worker.ask({"do": "echo"}, timeout_s=20)


def test_a_process_that_hangs_is_ended(worker: WorkerProcess):
    worker.ask({"do": "echo"}, timeout_s=20)
    pid = worker.pid
    began = time.monotonic()
    with pytest.raises(ProcessLate):
        worker.ask({"do": "hang"}, timeout_s=0.2)
    assert time.monotonic() - began < 5
    worker.ask({"do": "echo"}, timeout_s=20)
    assert worker.pid != pid


def test_mistakes_come_back_as_words(worker: WorkerProcess):
    assert worker.ask({"do": "refuse"}, timeout_s=20)[0] == {"problem": "no such thing", "kind": "BadInput"}
    assert worker.ask({"do": "crash"}, timeout_s=20)[0] == {
        "crash": "ZeroDivisionError: integer division or modulo by zero"
    }
    worker.ask({"do": "echo"}, timeout_s=20)


def test_a_process_that_cannot_start():
    with pytest.raises(ProcessDied, match="cannot be started"):
        WorkerProcess(ECHO, python="/no/such/python").ask({}, timeout_s=5)


def test_the_process_ends_with_its_owner(tmp_path: Path):
    """Its standard input closes when the page's process is gone, however that went."""
    worker = WorkerProcess(ECHO)
    worker.ask({"do": "echo"}, timeout_s=20)
    process = worker._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(10) == 0


def test_turns_go_by_owner():
    """A visitor with ten texts delays another's by one."""
    line, order, gate = Queue(), [], threading.Event()

    def take(owner: str, name: str) -> None:
        with line.turn(owner):
            order.append(name)

    def hold() -> None:
        with line.turn("first"):
            gate.wait(10)

    threads = [threading.Thread(target=hold)]
    threads[0].start()
    while not line._busy:
        time.sleep(0.001)
    for n, (owner, name) in enumerate(
        [*(("greedy", f"g{n}") for n in range(5)), ("a", "a0"), ("b", "b0"), ("a", "a1")]
    ):
        threads.append(threading.Thread(target=take, args=(owner, name)))
        threads[-1].start()
        while line.length <= n:
            time.sleep(0.001)
    gate.set()
    for thread in threads:
        thread.join(10)
    assert order == ["g0", "a0", "b0", "g1", "a1", "g2", "g3", "g4"]


def test_who_leaves_the_queue_holds_nobody_up():
    line, cancelled, left = Queue(), threading.Event(), []

    def wait() -> None:
        try:
            with line.turn("impatient", cancelled):
                left.append("served")
        except Cancelled:
            left.append("left")

    with line.turn("first"):
        thread = threading.Thread(target=wait)
        thread.start()
        while line.length < 1:
            time.sleep(0.001)
        cancelled.set()
        thread.join(5)
        assert left == ["left"]
        assert line.length == 0
    with line.turn("next"):
        pass
