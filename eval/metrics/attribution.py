"""Why a turn failed: the first step of the assistant at which what the gold turn rests on was lost.

Reads a turn's trace and its gold, after the answers are made. The steps, in order:

- `not_recognised`: the gold entity is neither what was recognised nor among the subjects that were looked up.
- `not_retrieved`: nothing that the gold answer rests on (its pages, its attributes) is among the evidence.
- `not_used`: it was there, and the answer is wrong or "I don't know" all the same.
- `not_abstained`: nothing in the world answers the question, and something was said. (An answer to a question that can
  be answered belongs to the first three, whether it was wrong or missing; both are counted beside each step.)
- `failed`: the turn ended in an error, a time-out, a refusal.
- `unseen`: the agent shows no steps, so none can be blamed.

A question that nothing answers, left unanswered, is no failure: `rightly_abstained`. A fact that stands on several
pages and in an attribute counts as retrieved when one of them was; parts of an answer that needs several are not told
apart, `share_retrieved` says how much was there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from eval.data.gold import GoldTurn
from eval.metrics.public import Verdict

Failure = Literal["failed", "not_recognised", "not_retrieved", "not_used", "not_abstained", "unseen"]
FAILURES: tuple[Failure, ...] = ("not_recognised", "not_retrieved", "not_used", "not_abstained", "failed", "unseen")


@dataclass(frozen=True)
class Steps:
    """How far a turn came.

    `recognised` is None when gold names no entity that is indexed, `share_retrieved` None when it names no page and no
    attribute; `seen` is False for agents whose traces show no steps.
    """

    recognised: bool | None
    share_retrieved: float | None
    seen: bool = True

    @property
    def retrieved(self) -> bool | None:
        return None if self.share_retrieved is None else self.share_retrieved > 0


def steps_of(trace: Mapping[str, Any], gold: GoldTurn) -> Steps:
    """What a trace (a line of `traces.jsonl`) shows of what `gold` asks for."""
    turn = trace["turn"]
    seen = any(event["event"] in ("Recognised", "Planned", "EvidenceFound") for event in trace["events"])
    answer = turn["answer"]
    entity = answer["entity"]["name"] if answer["entity"] else None
    names = {name.casefold() for name in (*turn["subjects"], *([entity] if entity else ()))}
    known = gold.entity is not None and gold.labels.get("indexed") is not False
    recognised = (gold.entity or "").casefold() in names if known else None
    grounds = {*gold.passages, *gold.attributes}
    found = {e["source"] for e in answer["evidence"]} | {(e["subject"], e["key"]) for e in answer["evidence"]}
    return Steps(recognised, len(grounds & found) / len(grounds) if grounds else None, seen)


def known_steps(
    traces: Iterable[tuple[int, Mapping[str, Any]]], wanted: Mapping[int, str], gold: Mapping[str, GoldTurn]
) -> dict[str, Steps]:
    """Interaction id → its steps, of the traces that begin at the offsets of `wanted`; none of what is no trace."""
    found = {}
    for offset, trace in traces:
        with contextlib.suppress(KeyError, TypeError, AttributeError):
            found[wanted[offset]] = steps_of(trace, gold[wanted[offset]])
    return found


def failure_of(verdict: Verdict | None, failed: bool, steps: Steps | None, gold: GoldTurn) -> Failure | None:
    """The step that lost a turn; None for right answers, right silence and turns that no judge could read."""
    if failed:
        return "failed"
    if verdict is None or verdict == "correct":
        return None
    if not gold.answerable:
        return "not_abstained" if verdict == "wrong" else None
    if steps is None or not steps.seen:
        return "unseen"
    if steps.recognised is False:
        return "not_recognised"
    return "not_retrieved" if steps.retrieved is False else "not_used"


def attribution(
    turns: Iterable[tuple[Verdict | None, bool, Steps | None, GoldTurn]],
) -> dict[str, Any]:
    """Count failures by step.

    Args:
        turns: verdict, whether it failed, its steps and its gold, for every turn whose gold is known.

    Returns:
        `{"n", "n_failures", "rightly_abstained", "stages": {step: {"n", "wrong", "missing", "points"}}}`; `points` is
        what truthfulness (per turn, without stops) would gain if all of that step's turns were right.
    """
    counts: dict[str, dict[str, int]] = {name: {"n": 0, "wrong": 0, "missing": 0} for name in FAILURES}
    n = right_silence = 0
    for verdict, failed, steps, gold in turns:
        n += 1
        failure = failure_of(verdict, failed, steps, gold)
        if failure is not None:
            counts[failure]["n"] += 1
            counts[failure]["wrong" if verdict == "wrong" and not failed else "missing"] += 1
        elif not gold.answerable and verdict == "missing":
            right_silence += 1
    return {
        "n": n,
        "n_failures": sum(part["n"] for part in counts.values()),
        "rightly_abstained": right_silence,
        "stages": {
            name: {**part, "points": _points(name, part) / n if n else 0.0}
            for name, part in counts.items()
            if part["n"] or name not in ("failed", "unseen")
        },
    }


def _points(name: str, part: Mapping[str, int]) -> int:
    """A wrong answer made right wins two; of a question without an answer silence is right, which wins one."""
    return part["wrong"] if name == "not_abstained" else 2 * part["wrong"] + part["missing"]
