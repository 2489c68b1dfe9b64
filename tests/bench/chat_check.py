"""How often the check of a chat model's sentences holds back right ones and lets wrong ones through:
`python -m tests.bench chat_check --run RUN --world WORLD` (RUN: a run of the embedded agent over WORLD).

Right sentences are the ground truths of the turns that the reader answered rightly, with the evidence it cited: worded
by the world, not by the reader. Wrong ones are ground truths of other turns with the same citations. Both stand in for
a model's sentences; how a certain model words and cites is not measured here.
"""

from __future__ import annotations

import argparse
import datetime
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.core.types import Turn
from assistant.models.sentences import Said
from assistant.pipelines.sentence_check import declines, unsupported
from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import parse_clause
from assistant.understanding.plan import Plan
from eval.runs.reading import json_lines
from eval.runs.turn_record import turn_from_trace

#: Wrong sentences a turn.
SWAPS = 5
SHOWN = 8


def run(arguments: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench chat_check", description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--world", type=Path, required=True)
    args = parser.parse_args(arguments)
    truths = _truths(args.world)
    turns = [(i, t) for i, t in _answered(args.run) if i in truths]
    right = _verdicts(args.run)
    held, reasons = 0, Counter[str]()
    mine = [(i, t) for i, t in turns if right.get(i) == "correct"]
    for i, turn in mine:
        if reason := _reason(truths[i], turn):
            held += 1
            reasons[reason] += 1
            print(f"held back: {truths[i]!r}: {reason}") if held <= SHOWN else None
    through = tried = 0
    rng = random.Random(1)
    for i, turn in turns:
        for _ in range(SWAPS):
            other = truths[rng.choice(turns)[0]]
            if other != truths[i]:
                tried += 1
                through += not _reason(other, turn)
    print(f"right sentences held back: {held} of {len(mine)}; wrong ones let through: {through} of {tried}")
    return {
        "world": args.world.name,
        "right": {"n": len(mine), "held_back": held, "why": dict(reasons)},
        "wrong": {"n": tried, "let_through": through},
    }


def _reason(sentence: str, turn: Turn) -> str:
    pieces = turn.answer.evidence
    used = {i for s in turn.answer.sentences for i in s.evidence_ids}
    said = Said(sentence, tuple(n for n, e in enumerate(pieces, 1) if e.id in used))
    asked = parse_clause(asking_clause(turn.question))
    plan = Plan(turn.question, turn.subjects, (turn.question,), "lookup", asked, datetime.date.today())
    return "it declines" if declines(said) else unsupported(said, pieces, plan)


def _answered(run_folder: Path) -> Iterator[tuple[str, Turn]]:
    for trace in json_lines(run_folder / "traces.jsonl"):
        turn = turn_from_trace(trace)
        if turn.answer.status == "answered":
            yield trace["interaction_id"], turn


def _verdicts(run_folder: Path) -> dict[str, str]:
    return {row["interaction_id"]: row["verdict"] for row in json_lines(run_folder / "judgements.jsonl")}


def _truths(world: Path) -> dict[str, str]:
    import pyarrow.parquet as pq

    out: dict[str, str] = {}
    for path in sorted(world.glob("*_turn/*.parquet")):
        for row in pq.read_table(path, columns=["answers"]).to_pylist():
            answers = row["answers"]
            out |= dict(zip(answers["interaction_id"], answers["ans_full"], strict=True))
    return out
