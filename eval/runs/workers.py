"""The workers of a run: take ready turns, ask the agent, cut and store what it said, go on with the conversation.

Every finished turn is on disk before the next of its conversation is asked. Which turn is next is
`eval.runs.schedule`'s business, when one is tried again `eval.runs.retries`'s.
"""

from __future__ import annotations

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.core.errors import BadImage, BadInput
from assistant.core.types import Conversation, Frame, Usage
from eval.agents.protocol import Agent, Asked, Busy, Made, Outcome, failed
from eval.data.samples import FAILED, Sample, Unusable
from eval.runs.open_calls import OpenCalls
from eval.runs.resume import finished_turns, resume_conversation
from eval.runs.retries import CallLimit, RetryPolicy
from eval.runs.schedule import Line, Schedule
from eval.runs.store import RunFolder
from eval.runs.turn_record import trace_line, turn_line

Given = Callable[[str], Mapping[str, Any] | None]

#: Pictures kept decoded for conversations that are open; a 960x1280 frame holds 3.7 MB.
_KEPT_FRAMES = 48


@dataclass
class UsageTotals:
    """What models took for the turns made in this process; `cached` turns took no call."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    cached: int = 0

    def add(self, usage: Usage | None) -> None:
        if usage is None:
            return
        if usage.cached:
            self.cached += 1
            return
        self.prompt_tokens += usage.prompt_tokens or 0
        self.completion_tokens += usage.completion_tokens or 0
        self.cost += usage.cost or 0.0


@dataclass
class _Open:
    """A conversation that was begun in this process: what was said in it, and which of its turns is next.

    `lost` says why it cannot be gone on with: what was said before is gone, the rest would be another conversation.
    """

    sample: Sample
    so_far: Conversation
    next: int
    lost: str = ""


class Workers:
    """What the workers of one `generate` share."""

    def __init__(
        self,
        samples: Sequence[Sample],
        agent: Agent,
        folder: RunFolder,
        given: Given,
        cut: Callable[[str], str],
        patience: RetryPolicy,
        concurrency: int,
        jitter: random.Random,
    ):
        self.samples, self.agent, self.folder, self.given, self.cut = samples, agent, folder, given, cut
        self.patience, self.jitter = patience, jitter
        self.stop = threading.Event()
        self.limit = CallLimit(concurrency)
        self.calls = OpenCalls(lambda: bool(getattr(agent, "preparing", False)))
        self.unusable: list[Unusable] = []
        self.problem: BaseException | None = None
        self.retries = 0
        self.spent = UsageTotals()
        self.stored, self.failed = finished_turns(folder.turn_heads())
        self.kept = self.done = len(self.stored)
        self.total = sum(len(sample.turns) for sample in samples)
        left = [sum(turn.interaction_id not in self.stored for turn in sample.turns) for sample in samples]
        self.schedule = Schedule(left, batch=agent.batch_size, limit=self.limit)
        self._open: dict[int, _Open] = {}
        self._frames: OrderedDict[int, Frame | None] = OrderedDict()
        self._lock = threading.Lock()

    # the worker

    def work(self) -> None:
        """Take turns until none is left; one thread for each call that may be open at once."""
        try:
            while lines := self.schedule.take():
                wanted = True
                try:
                    wanted = self._call(lines)
                finally:
                    if wanted:
                        self.schedule.call_ended()
                if not wanted:
                    return  # another thread went on meanwhile
        except BaseException as problem:  # the folder cannot be written to, or a fault of ours: the run ends with it
            self.problem = self.problem or problem
            self.halt()

    def halt(self) -> None:
        self.stop.set()
        self.schedule.stop()

    def let_go_of_hanging(self) -> list[threading.Thread]:
        """Settle the turns of calls that hang, as timed out; returns the threads that are lost with them."""
        lost = self.calls.hanging()
        for call in lost:
            after_s = self.calls.hangs_after_s * len(call.turns)
            for line, asked in call.turns:
                line.tries += 1
                reason = f"the agent gave no answer within {after_s:.0f} s"
                self._store(line, asked, failed(asked, "timeout", reason), after_s * 1000)
            self.schedule.call_ended()
        return [call.thread for call in lost]

    def _call(self, lines: Sequence[Line]) -> bool:
        """One call; False when it hung, its turns were settled without it and its thread is not needed any more."""
        ready = [(line, asked) for line in lines if (asked := self._asked(line)) is not None]
        if not ready or self.stop.is_set():
            return True
        epoch = self.limit.epoch
        call = self.calls.begin(ready)
        start = time.perf_counter()
        try:
            outcomes = self.agent.answer([asked for _, asked in ready], self.stop)
        except BaseException:
            if self.calls.end(call):
                raise
            return False
        if not self.calls.end(call):
            return False
        ms = (time.perf_counter() - start) * 1000
        for (line, asked), outcome in zip(ready, outcomes, strict=True):
            self._settle(line, asked, outcome, epoch, ms)
        return True

    def _asked(self, line: Line) -> Asked | None:
        """The line's next turn with what was said before; None when the sample's picture cannot be read."""
        sample = self.samples[line.number]
        if (found := self._open.get(line.number)) is None:
            found = self._open[line.number] = _Open(sample, Conversation(sample.session_id), 0)
            self._resume(found)
        if found.lost:
            self._skipped(line, sample, found.lost)
            return None
        turn = sample.turns[found.next]
        try:
            frame = self._frame(line.number, sample)
            given = self.given(turn.interaction_id)
        except BadImage as problem:
            self._skipped(line, sample, str(problem))
            return None
        return Asked(sample, turn, found.so_far, frame, given)

    def _resume(self, opened: _Open) -> None:
        """Step over the turns that are stored already, as they were answered."""
        try:
            opened.so_far, opened.next = resume_conversation(
                opened.so_far, opened.sample.turns, opened.next, self.stored, self.folder.answered
            )
        except BadInput as problem:
            opened.lost = str(problem)

    def _frame(self, number: int, sample: Sample) -> Frame | None:
        with self._lock:
            if number in self._frames:
                self._frames.move_to_end(number)
                return self._frames[number]
        frame = sample.frame()
        if len(sample.turns) > 1:
            with self._lock:
                self._frames[number] = frame
                while len(self._frames) > _KEPT_FRAMES:
                    self._frames.popitem(last=False)
        return frame

    def _settle(self, line: Line, asked: Asked, outcome: Outcome, epoch: int, ms: float) -> None:
        if self.stop.is_set() or outcome is None:
            return
        line.tries += 1
        if isinstance(outcome, Busy):
            if outcome.too_often:
                self.limit.too_often(epoch)
            with self._lock:
                self.retries += 1
                wait_s = self.patience.wait_s(line.tries, outcome.retry_after_s, self.jitter)
            if wait_s is not None:
                return self.schedule.later(line, wait_s)
            reason = f"{outcome.reason} ({line.tries} tries)"
            outcome = failed(asked, "timeout" if outcome.timed_out else "error", reason, trace=outcome.trace)
        else:
            self.limit.went_well()
        self._store(line, asked, outcome, ms - outcome.waited_ms)
        return None

    def _store(self, line: Line, asked: Asked, made: Made, ms: float) -> None:
        whole = made.turn.answer.text
        said = whole if made.turn.answer.status in FAILED else self.cut(whole)
        answered = made.turn if said == whole else replace(made.turn, answer=replace(made.turn.answer, text=said))
        extra: dict[str, Any] = {"agent_response_uncut": whole} if said != whole else {}
        if line.tries > 1:
            extra["tries"] = line.tries
        stored = {**turn_line(asked.sample, asked.turn, answered, ms), **extra}
        handed = (asked.given or {}).get("evidence")
        trace = trace_line(asked.turn.interaction_id, answered, made.trace, made.error, handed)
        with self._lock:
            if self.stop.is_set():
                return  # the folder may be closed by now; a resumed run makes the turn anew
            self.folder.add_turn(stored, trace)
            self.done += 1
            self.failed += answered.answer.status in FAILED
            self.spent.add(answered.answer.usage)
            opened = self._open[line.number]
            opened.so_far, opened.next = opened.so_far.with_turn(answered), opened.next + 1
            if opened.next < len(opened.sample.turns):
                self._step_over(opened)
            else:
                self._close(line.number)
        self.schedule.finished(line)

    def _step_over(self, opened: _Open) -> None:
        if opened.sample.turns[opened.next].interaction_id in self.stored:
            self._resume(opened)

    def _skipped(self, line: Line, sample: Sample, why: str) -> None:
        with self._lock:
            self.total -= line.left
            self.unusable.append(sample.unusable(why))
            self._close(line.number)
        self.schedule.dropped(line)

    def _close(self, number: int) -> None:
        self._open.pop(number, None)
        self._frames.pop(number, None)
