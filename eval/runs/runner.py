"""Runs an agent over samples: turns of a conversation in order, conversations side by side, every turn stored at once.

The work is done in `eval.runs.workers`; which turn is asked next is the schedule's business (`eval.runs.schedule`),
what an agent is stands in `eval.agents.protocol`. A turn that raises becomes status "error" and the run goes on; one
whose endpoint was busy is asked again later (`eval.runs.retries`). Answers are cut before they are stored and before
they become history (`eval.runs.answer_cut`); where that took something away the whole answer is stored beside it.
Judging and scoring are other stages.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.agents.protocol import Agent, AnswerFunction, as_agent
from eval.data.samples import Sample, Unusable
from eval.runs.control import RunControl
from eval.runs.progress import Progress, WorkingClock, figures
from eval.runs.retries import RetryPolicy
from eval.runs.store import RunFolder
from eval.runs.workers import Given, UsageTotals, Workers

__all__ = ["Generated", "Progress", "generate", "listed"]

#: A stopped run waits this long for open turns to notice; what comes later is dropped.
_PARTING_S = 0.7


@dataclass(frozen=True)
class Generated:
    """What `generate` did: turns made now, turns that were there, how many of all failed, rows without a picture.

    `spent` is what models took for those made now, `retries` tries were made again, `fewest_calls` is how far the
    number of calls at once had to shrink.
    """

    made: int
    kept: int
    failed: int
    unusable: tuple[Unusable, ...]
    cancelled: bool
    spent: UsageTotals = field(default_factory=UsageTotals)
    retries: int = 0
    fewest_calls: int = 1


def generate(
    samples: Sequence[Sample],
    answer: AnswerFunction | Agent,
    folder: RunFolder,
    *,
    concurrency: int = 1,
    given: Given = lambda interaction_id: None,
    cut: Callable[[str], str] = lambda text: text,
    patience: RetryPolicy | None = None,
    progress: Progress | None = None,
    control: RunControl | None = None,
    jitter: random.Random | None = None,
) -> Generated:
    """Answer every turn that the folder does not hold yet.

    Args:
        samples: in the order in which they are begun, but for the end (see `eval.runs.schedule`).
        answer: the agent, called from `concurrency` threads; one with a `batch_size` gets so many turns a call.
        folder: where each finished turn is stored before the next of its conversation is asked.
        given: interaction id → what the runner hands to the agent besides the question, or None.
        cut: what is kept of an answer, see `eval.runs.answer_cut`.
        patience: how often and when a turn is tried again whose endpoint was busy.
        control: who may pause and cancel, and where the progress is told.
        jitter: spreads the waits before further tries.

    Returns:
        What was done. Ctrl-C and a cancel stop at the next event of each open turn; open turns are dropped, not half
        stored.

    Raises:
        RunNotWritten: a turn could not be stored; what was stored before is safe.
    """
    agent = as_agent(answer)
    shown = progress or Progress()
    run = Workers(samples, agent, folder, given, cut, patience or RetryPolicy(), concurrency, jitter or random.Random())
    threads = [_worker(run, n) for n in range(max(1, min(concurrency, run.total - run.kept)))]
    try:
        _steer(run, threads, shown, control)
        cancelled = control is not None and control.cancelled.is_set()
    except KeyboardInterrupt:
        cancelled = True
    finally:
        run.halt()
        _part(threads)
        shown.end()
    if run.problem is not None:
        raise run.problem
    return Generated(
        run.done - run.kept,
        run.kept,
        run.failed,
        tuple(run.unusable),
        cancelled and run.done < run.total,
        run.spent,
        run.retries,
        run.limit.lowest,
    )


def _worker(run: Workers, number: int) -> threading.Thread:
    return threading.Thread(target=run.work, name=f"turn-{number}", daemon=True)


def _steer(run: Workers, threads: list[threading.Thread], shown: Progress, control: RunControl | None) -> None:
    """Start the workers and see them through; ends early when the run is cancelled."""
    clock = WorkingClock()
    if control is not None:

        def pause(paused: bool) -> None:
            run.schedule.pause(paused)
            clock.pause(paused)
            control.enter("pausing" if paused else "running")

        control.on_pause = pause
        control.enter("running", **figures(run, clock))
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for thread in threads:
            thread.join(0.1)
            if thread.is_alive():
                break
        for lost in run.let_go_of_hanging():
            threads[threads.index(lost)] = fresh = _worker(run, len(threads))
            fresh.start()
        shown.show(run.done, run.total, run.done - run.kept, run.failed)
        if control is None:
            continue
        if control.cancelled.is_set():
            break
        if control.state == "pausing" and not run.schedule.open:
            control.enter("paused")
        control.report(**figures(run, clock))
    if control is not None:
        control.on_pause = lambda paused: None
        control.report(**figures(run, clock))


def _part(threads: Iterable[threading.Thread]) -> None:
    """Let open turns notice that the run is over. They are daemons: one that hangs does not keep the process."""
    end = time.monotonic() + _PARTING_S
    for thread in threads:
        if thread.ident is not None:
            thread.join(max(0.0, end - time.monotonic()))


def listed(unusable: Iterable[Unusable]) -> list[dict[str, Any]]:
    """Unusable rows as `run.json` lists them."""
    return [{"source": row.source, "row": row.row, "session_id": row.session_id, "why": row.why} for row in unusable]
