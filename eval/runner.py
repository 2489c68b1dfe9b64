"""Runs an agent over samples: turns of a conversation in order, conversations side by side, every turn stored at once.

The agent is a callable with the signature of `Assistant.answer`; nothing here knows what is behind it. A turn that
raises becomes status "error" and the run goes on. Judging and scoring are other stages (`eval.judges`,
`eval.scoring`). Not covered: retries, caches, rate limits,
cutting answers at 75 tokens.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TextIO

from assistant.conversation import Answer, Conversation, Frame, Turn
from assistant.errors import BadImage
from assistant.events import Event, Finished, Trace
from eval.samples import Sample, Unusable
from eval.store import RunFolder
from eval.turn_record import FAILED, trace_line, turn_from_trace, turn_line

#: (conversation, question, frame, given=...) → events, the last one `Finished`. `Assistant.answer` is one.
AnswerFunction = Callable[..., Iterator[Event]]
Given = Callable[[str], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Generated:
    """What `generate` did: turns made now, turns that were there, how many of all failed, rows without a picture."""

    made: int
    kept: int
    failed: int
    unusable: tuple[Unusable, ...]
    cancelled: bool


class Progress:
    """One line on standard error: how far, how fast, how long still. Redrawn on a terminal, now and then elsewhere."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic, every_s: float = 10.0
    ):
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._every_s = 0.2 if self._terminal else every_s
        self._start = self._last = clock()

    def show(self, done: int, total: int, made: int, failed: int) -> None:
        """Show that `done` of `total` turns are there, `made` of them in this process."""
        now = self._clock()
        if now - self._last < self._every_s and done < total:
            return
        self._last = now
        rate = made / max(now - self._start, 1e-9)
        left = f"{(total - done) / rate:.0f} s left" if rate else "starting"
        text = f"{done}/{total} turns · {rate:.2f} turns/s · {left} · {failed} failed"
        print(
            f"\r{text:<76}" if self._terminal else text,
            end="" if self._terminal else "\n",
            file=self._stream,
            flush=True,
        )

    def end(self) -> None:
        if self._terminal:
            print(file=self._stream)


class _Run:
    """What the workers of one `generate` share."""

    def __init__(
        self, answer: AnswerFunction, folder: RunFolder, given: Given, stop: threading.Event, progress: Progress
    ):
        self.answer = answer
        self.folder = folder
        self.given = given
        self.stop = stop
        self.unusable: list[Unusable] = []
        self._progress = progress
        self._lock = threading.Lock()
        self.lines = {line["interaction_id"]: line for line in folder.turns()}
        self.kept = self.done = len(self.lines)
        self.failed = sum(line["status"] in FAILED for line in self.lines.values())
        self.total = 0

    def finished(self, status: str) -> None:
        with self._lock:
            self.done += 1
            self.failed += status in FAILED
            self._progress.show(self.done, self.total, self.done - self.kept, self.failed)

    def skipped(self, sample: Sample, why: str) -> None:
        with self._lock:
            self.total -= len(sample.turns)
            self.unusable.append(Unusable(f"{sample.set}/{sample.split}", -1, sample.session_id, why))

    def conversation(self, sample: Sample) -> None:
        """All turns of one sample that are not there yet, each with the agent's own earlier answers as history."""
        if self.stop.is_set() or all(turn.interaction_id in self.lines for turn in sample.turns):
            return
        try:
            frame = sample.frame()
        except BadImage as problem:
            return self.skipped(sample, str(problem))
        so_far = Conversation(sample.session_id)
        for turn in sample.turns:
            if (line := self.lines.get(turn.interaction_id)) is not None:
                so_far = so_far.with_turn(turn_from_trace(self.folder.trace(line)))
                continue
            start = time.perf_counter()
            made = self._turn(so_far, turn.query, frame, self.given(turn.interaction_id))
            if made is None:
                return None
            answered, trace, error = made
            line = turn_line(sample, turn, answered, (time.perf_counter() - start) * 1000)
            self.folder.add_turn(line, trace_line(turn.interaction_id, answered, trace, error))
            self.finished(answered.answer.status)
            so_far = so_far.with_turn(answered)
        return None

    def _turn(
        self, conversation: Conversation, query: str, frame: Frame | None, given: Mapping[str, Any] | None
    ) -> tuple[Turn, Trace, str] | None:
        """One turn; None when the run was stopped meanwhile, so that a resumed run makes the turn anew."""
        trace = Trace()
        start = time.perf_counter()
        try:
            events = self.answer(conversation, query, frame, **({"given": given} if given else {}))
            for event in events:
                trace.add((time.perf_counter() - start) * 1000, event)
                if isinstance(event, Finished):
                    return event.turn, trace, ""
                if self.stop.is_set():
                    return None
            raise RuntimeError("the agent's events ended without a finished turn")
        # The edge of the worker: whatever an agent raises is this one turn's status, with the traceback in its trace.
        except Exception as problem:
            reason = f"the agent failed ({type(problem).__name__})"
            digest = frame.digest if frame else None
            return Turn(query, Answer("", "error", reason), digest), trace, traceback.format_exc()


def generate(
    samples: Sequence[Sample],
    answer: AnswerFunction,
    folder: RunFolder,
    *,
    concurrency: int = 1,
    given: Given = lambda interaction_id: None,
    progress: Progress | None = None,
) -> Generated:
    """Answer every turn that the folder does not hold yet.

    Args:
        samples: in the order in which they are begun.
        answer: the agent, called from `concurrency` threads.
        folder: where each finished turn is stored before the next of its conversation is asked.
        given: interaction id → what the runner hands to the agent besides the question, or None.

    Returns:
        What was done. Ctrl-C stops before the next event of each open turn; open turns are dropped, not half stored.
    """
    stop = threading.Event()
    shown = progress or Progress()
    run = _Run(answer, folder, given, stop, shown)
    run.total = sum(len(sample.turns) for sample in samples)
    cancelled = False
    pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="turn")
    try:
        futures = [pool.submit(run.conversation, sample) for sample in samples]
        wait(futures, return_when=FIRST_EXCEPTION)
        for future in futures:
            if future.done():
                future.result()
    except KeyboardInterrupt:
        cancelled = True
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        shown.end()
    return Generated(run.done - run.kept, run.kept, run.failed, tuple(run.unusable), cancelled)


def listed(unusable: Iterable[Unusable]) -> list[dict[str, Any]]:
    """Unusable rows as `run.json` lists them."""
    return [{"source": row.source, "row": row.row, "session_id": row.session_id, "why": row.why} for row in unusable]
