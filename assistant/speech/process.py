"""A process of its own for each of the two rooms: requests in, answers out, a time-out, and a new one when it dies.

Speech libraries crash, hang and are not made for threads; in a process of its own none of that reaches the page. A
message is a JSON header and a body of bytes. `WorkerProcess` is the page's side, `serve` the process's side. What is
said or heard belongs to `assistant.speech.speaking` and `assistant.speech.hearing`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import struct
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from assistant.core.errors import VitrineError

Message = tuple[dict[str, Any], bytes]
#: Told how far a request is, 0..1, and what is being done.
Progress = Callable[[float, str], None]

_LENGTHS = struct.Struct(">II")
_PROJECT = Path(__file__).resolve().parents[2]


class ProcessDied(VitrineError):
    """The process ended in the middle of a request; the next request starts another."""


class ProcessLate(VitrineError):
    """The process did not answer in time and was ended."""


class Cancelled(VitrineError):
    """Nobody waits for the answer any more."""


def send(stream: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    head = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(head), len(body)) + head + body)
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """The next message, or None at the end of the stream."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_bytes, body_bytes = _LENGTHS.unpack(lengths)
    head, body = stream.read(head_bytes), stream.read(body_bytes)
    if len(head) < head_bytes or len(body) < body_bytes:
        return None
    return json.loads(head), body


def serve(answer: Callable[[dict[str, Any], bytes, Progress], Message]) -> None:
    """The process's side: answer requests from standard input until it closes.

    A `VitrineError` goes back as its sentence; what libraries print goes nowhere.
    """
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)

    def progress(share: float, doing: str) -> None:
        send(replies, {"progress": share, "doing": doing})

    while (request := receive(requests)) is not None:
        try:
            header, body = answer(*request, progress)
        except VitrineError as problem:
            header, body = {"problem": str(problem), "kind": type(problem).__name__}, b""
        except Exception as problem:  # the edge of a worker: the page logs it and shows a safe sentence
            header, body = {"crash": f"{type(problem).__name__}: {problem}"}, b""
        send(replies, header, body)


class Queue:
    """One at a time; who waits is served by turns of owner, so that ten requests of one visitor delay another's by one.

    Safe to share between threads.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, deque[object]] = OrderedDict()
        self._busy = False

    @property
    def length(self) -> int:
        """How many wait."""
        with self._changed:
            return sum(map(len, self._waiting.values()))

    @contextmanager
    def turn(self, owner: str, cancelled: threading.Event | None = None) -> Iterator[None]:
        """Wait for one's turn and hold it.

        Raises:
            Cancelled: `cancelled` was set meanwhile.
        """
        self._wait(owner, object(), cancelled)
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _wait(self, owner: str, ticket: object, cancelled: threading.Event | None) -> None:
        with self._changed:
            self._waiting.setdefault(owner, deque()).append(ticket)
            while self._busy or self._next() is not ticket:
                if cancelled is not None and cancelled.is_set():
                    self._leave(owner, ticket)
                    raise Cancelled("stopped")
                self._changed.wait(0.1 if cancelled is not None else None)
            self._busy = True
            self._leave(owner, ticket)
            if owner in self._waiting:
                self._waiting.move_to_end(owner)

    def _next(self) -> object:
        return next(iter(self._waiting.values()))[0]

    def _leave(self, owner: str, ticket: object) -> None:
        self._waiting[owner].remove(ticket)
        if not self._waiting[owner]:
            del self._waiting[owner]
        self._changed.notify_all()


class WorkerProcess:
    """The page's side of one process that runs `module`; started on first use, and again after it died.

    One request at a time, in turn among owners. Safe to share between threads.
    """

    def __init__(self, module: str, arguments: tuple[str, ...] = (), *, python: str = sys.executable):
        self._command = [python, "-m", module, *arguments]
        self._queue = Queue()
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.Queue[Message | None] = queue.Queue()

    @property
    def pid(self) -> int | None:
        """The process's id while it lives."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(
        self,
        header: dict[str, Any],
        body: bytes = b"",
        *,
        timeout_s: float,
        owner: str = "",
        cancelled: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> Message:
        """Send one request and wait for its answer; `timeout_s` counts from when its turn has come.

        Raises:
            ProcessDied: the process ended instead of answering.
            ProcessLate: it took longer than `timeout_s` and was ended.
            Cancelled: `cancelled` was set. A request that had begun runs to its end, and its answer is dropped.
        """
        with self._queue.turn(owner, cancelled):
            self._start()
            try:
                assert self._process is not None
                assert self._process.stdin is not None
                send(self._process.stdin, header, body)
            except OSError as problem:
                raise ProcessDied(f"it ended with exit code {self._end()}") from problem
            return self._wait(timeout_s, progress)

    def end(self) -> None:
        """End the process; the next request starts another."""
        with self._queue.turn(""):
            self._end()

    def _wait(self, timeout_s: float, progress: Progress | None) -> Message:
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                reply = self._replies.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self._end()
                raise ProcessLate(f"it took longer than {timeout_s:.0f} s") from None
            if reply is None:
                raise ProcessDied(f"it ended with exit code {self._end()}")
            if "progress" not in reply[0]:
                return reply
            if progress is not None:
                progress(float(reply[0]["progress"]), str(reply[0]["doing"]))

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=_PROJECT,
            )
        except OSError as problem:
            raise ProcessDied(f"it cannot be started: {problem.strerror}") from problem
        self._replies = queue.Queue()
        reader = threading.Thread(target=_read, args=(self._process.stdout, self._replies), daemon=True)
        reader.start()

    def _end(self) -> int | None:
        """Kill the process if it lives; its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        if not _ends_soon(process):
            process.kill()
        code = process.wait()
        if process.stdin is not None:
            with contextlib.suppress(OSError):  # what was still to be written to a dead process
                process.stdin.close()
        return code


def _ends_soon(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process whose output has closed ends by itself: then its exit code says why."""
    try:
        process.wait(0.05)
    except subprocess.TimeoutExpired:
        return False
    return True


def _read(stream: IO[bytes], replies: queue.Queue[Message | None]) -> None:
    with stream, contextlib.suppress(OSError, ValueError):  # closed meanwhile, or no message of ours
        while (message := receive(stream)) is not None:
            replies.put(message)
    replies.put(None)
