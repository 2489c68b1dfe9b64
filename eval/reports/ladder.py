"""The oracle ladder: what each stage of the assistant would win if it were perfect.

The turns that a run did not answer rightly are asked again, each in its own conversation as the run had it: first with
the gold entity handed in, those still not right with the gold standalone query as well, then with the gold pages too.
What each rung adds to the score is what recognising, planning and retrieving cost; what is left after the last rung is
the answerer's own. Questions that nothing in the world answers stay as they were: there is nothing to hand in.

Every rung is a run folder of its own under `RUN/ladder/`, so a ladder that was stopped goes on where it was. The run
itself is not touched. Not covered: agents that cannot be handed anything.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from assistant.core.events import Event, Finished, Trace
from assistant.core.types import Answer, Conversation, Frame, Turn
from assistant.core.whole_text import load_json
from eval.data.gold import GoldTurn
from eval.data.gold_pieces import WorldPieces
from eval.data.samples import Sample, SampleTurn
from eval.data.truths import with_truth
from eval.metrics import public as metrics
from eval.metrics.public import Verdict
from eval.metrics.run_scores import columns
from eval.reports.loaded_run import JudgedRun
from eval.runs.reading import read_answered
from eval.runs.shapes import odd_ladder
from eval.runs.store import RunFolder
from eval.runs.turn_record import trace_line, turn_line

Rung = Literal["entity", "query", "passage"]
RUNGS: tuple[Rung, ...] = ("entity", "query", "passage")

#: (conversation, question, frame, given=...) → events, the last one `Finished`. `Assistant.answer` is one.
AnswerFunction = Callable[..., Iterator[Event]]
#: A rung's folder, its answers complete → interaction id → verdict, by the run's own judge.
JudgeFolder = Callable[[RunFolder], Mapping[str, Verdict | None]]
Progress = Callable[[Rung, int, int], None]


@dataclass(frozen=True)
class _Asked:
    """One turn to ask again, with where it stands in its sample."""

    sample: Sample
    turn: SampleTurn
    line: Mapping[str, Any]
    gold: GoldTurn


def handed_in(gold: GoldTurn, rung: Rung, world: WorldPieces) -> dict[str, Any]:
    """What the agent is given on a rung: its own gold and that of the rungs below, as far as there is any."""
    found: dict[str, Any] = {}
    for below in RUNGS[: RUNGS.index(rung) + 1]:
        found |= world.handed(gold, below) or {}
    return found


def climb(
    run: JudgedRun,
    samples: Sequence[Sample],
    gold: Mapping[str, GoldTurn],
    world: WorldPieces,
    answer: AnswerFunction,
    judge: JudgeFolder,
    *,
    limit: int | None = None,
    progress: Progress = lambda rung, done, total: None,
) -> dict[str, Any]:
    """Ask the failed turns again, rung by rung.

    Args:
        run: the run and its verdicts.
        samples: the run's data.
        gold: the world's gold by interaction id.
        world: what that gold names.
        answer: the agent that made the run, with nothing changed but `given`.
        judge: the judge that judged the run.
        limit: only the first so many failed turns; the others keep their verdict on every rung, and the result says so.
        progress: called after every turn.

    Returns:
        See `chart`. Ctrl-C leaves finished turns in their rung's folder.
    """
    failed = _failed_turns(run, samples, gold, world)
    chosen = failed[:limit]
    verdicts = dict(run.counted)
    steps = [("nothing", dict(verdicts), 0)]
    before: dict[str, Any] = {}
    for rung in RUNGS:
        asked = [a for a in chosen if verdicts.get(a.turn.interaction_id) != "correct"]
        new = [a for a in asked if handed_in(a.gold, rung, world) != before.get(a.turn.interaction_id, {})]
        before = {a.turn.interaction_id: handed_in(a.gold, rung, world) for a in asked}
        handed = {a.turn.interaction_id: before[a.turn.interaction_id] for a in new}
        found = _ask_rung(run, rung, new, handed, answer, judge, progress)
        verdicts |= found
        steps.append((rung, dict(verdicts), len(new)))
    return {**chart(run.lines, steps), "n_failed_turns": len(failed), "n_asked_again": len(chosen)}


def chart(
    lines: Sequence[Mapping[str, Any]], steps: Sequence[tuple[str, Mapping[str, Verdict | None], int]]
) -> dict[str, Any]:
    """The scores of the run after each rung.

    Args:
        lines: the run's turns.
        steps: rung, the verdicts once it was climbed, how many turns were asked on it.

    Returns:
        `{"rungs": [{"given", "asked", "accuracy", "hallucination_rate", "truthfulness" (per turn, without stops),
        "paper_truthfulness", "won" (truthfulness more than the rung below), "paper_won"}], "left"}`; `left` is the
        truthfulness that no rung won, against all turns right.
    """
    rungs: list[dict[str, Any]] = []
    lines = with_truth(lines)
    for name, verdicts, asked in steps:
        table = columns([{**line, "status": "answered"} if line["interaction_id"] in verdicts else line
                         for line in lines], verdicts)  # fmt: skip
        figures = metrics.reading_figures(metrics.stopped(table.conversations, table.values, "paper"))
        truth, paper = float(np.mean(table.values)), figures["truthfulness"] or 0.0
        below = rungs[-1] if rungs else {"truthfulness": truth, "paper_truthfulness": paper}
        rungs.append(
            {
                "given": name,
                "asked": asked,
                "accuracy": figures["accuracy"],
                "hallucination_rate": figures["hallucination_rate"],
                "truthfulness": truth,
                "paper_truthfulness": paper,
                "won": truth - below["truthfulness"],
                "paper_won": paper - below["paper_truthfulness"],
            }
        )
    return {"rungs": rungs, "left": 1.0 - rungs[-1]["truthfulness"]}


def _failed_turns(
    run: JudgedRun, samples: Sequence[Sample], gold: Mapping[str, GoldTurn], world: WorldPieces
) -> list[_Asked]:
    lines = {line["interaction_id"]: line for line in run.lines}
    found = []
    for sample in samples:
        for turn in sample.turns:
            line, known = lines.get(turn.interaction_id), gold.get(turn.interaction_id)
            if line is None or known is None or not known.answerable or not handed_in(known, "passage", world):
                continue
            if run.counted.get(turn.interaction_id) != "correct":
                found.append(_Asked(sample, turn, line, known))
    return found


def _ask_rung(
    run: JudgedRun,
    rung: Rung,
    asked: Sequence[_Asked],
    handed: Mapping[str, Mapping[str, Any]],
    answer: AnswerFunction,
    judge: JudgeFolder,
    progress: Progress,
) -> dict[str, Verdict | None]:
    """The verdicts on a rung; what its folder holds already is not asked again."""
    options = {**(run.info.get("options") or {}), "ladder": rung, "of": run.info.get("started")}
    info = {"state": "running", "options": options, "judge": run.judge["judge"], "data": run.info.get("data")}
    folder = run.path / "ladder" / rung
    folder.parent.mkdir(exist_ok=True)
    with closing(RunFolder.open(folder, info, resume=True)) as store:
        done = {line["interaction_id"] for line in store.turns()}
        left = [a for a in asked if a.turn.interaction_id not in done]
        lines = {line["interaction_id"]: line for line in run.lines}
        for number, one in enumerate(left, 1):
            so_far = _before(run.path, one, lines)
            _ask(store, one, so_far, answer, handed[one.turn.interaction_id])
            progress(rung, len(asked) - len(left) + number, len(asked))
        verdicts = judge(store)
        store.write_info(state="finished")
        wanted = {one.turn.interaction_id for one in asked}
        return {key: verdict for key, verdict in verdicts.items() if key in wanted}


def _before(run: Path, one: _Asked, lines: Mapping[str, Mapping[str, Any]]) -> Conversation:
    """The conversation as the run had it when it came to this turn, its own earlier answers included."""
    so_far = Conversation(one.sample.session_id)
    for turn in one.sample.turns[: one.turn.turn_idx]:
        if turn.interaction_id in lines:
            so_far = so_far.with_turn(read_answered(run, lines[turn.interaction_id]))
    return so_far


def _ask(
    store: RunFolder, one: _Asked, so_far: Conversation, answer: AnswerFunction, handed: Mapping[str, Any]
) -> None:
    """Ask one turn again and keep it."""
    start = time.perf_counter()
    trace, error, frame = Trace(), "", None
    try:
        frame = one.sample.frame()
        turn = _finished(answer(so_far, one.turn.query, frame, given=dict(handed)), trace, start)
    # The edge of the worker: whatever an agent raises is this one turn's status, with the traceback in its trace.
    except Exception as problem:
        turn = _lost(one.turn.query, frame, f"the agent failed ({type(problem).__name__})")
        error = traceback.format_exc()
    line = turn_line(one.sample, one.turn, turn, (time.perf_counter() - start) * 1000)
    store.add_turn(line, trace_line(one.turn.interaction_id, turn, trace, error))


def _finished(events: Iterator[Event], trace: Trace, start: float) -> Turn:
    for event in events:
        trace.add((time.perf_counter() - start) * 1000, event)
        if isinstance(event, Finished):
            return event.turn
    raise RuntimeError("the agent's events ended without a finished turn")


def _lost(question: str, frame: Frame | None, reason: str) -> Turn:
    return Turn(question, Answer("", "error", reason), frame.digest if frame else None)


#: What was given on a rung beside what the rung below had, in words.
RUNG_WORDS = {"nothing": "the run", "entity": "+ entity", "query": "+ query", "passage": "+ pages"}


def ladder_path(run: Path) -> Path:
    """Where the chart of a run's ladder is kept."""
    return run / "ladder" / "ladder.json"


def read_ladder(run: Path) -> dict[str, Any] | None:
    """The chart of a run's ladder; None where there is none that can be used."""
    try:
        found = load_json(ladder_path(run).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("rungs") and not odd_ladder(found) else None
