"""Which turns have a ground truth: real data hold rows whose answer is empty, and nobody can say what is right there.

Such turns are answered like all others, no judge that reads ground truths sees them, and they count in no rate of ours;
how many they are is told wherever rates are. The public evaluator knows no such rule, so its reading has them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def has_truth(line: Mapping[str, Any]) -> bool:
    """Whether a turn's line (see `eval.runs.turn_record`) holds a ground truth, be it only a long one's name."""
    truth = line.get("ground_truth")
    return bool(truth.strip()) if isinstance(truth, str) else "ground_truth" in (line.get("long") or ())


def calls_invalid(truth: str) -> bool:
    """Whether a ground truth is that the question cannot be answered: CRAG's "invalid question"."""
    return " ".join(truth.lower().strip(" .").split()) == "invalid question"


def truths_of(line: Mapping[str, Any]) -> tuple[str, ...]:
    """Every answer that is right, the ground truth first: some data name several for one question."""
    return (str(line["ground_truth"]), *(line.get("truths") or ()))


def with_truth(lines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The lines that have a ground truth, in their order."""
    return [line for line in lines if has_truth(line)]


def without_truth_words(n: int, scored: int = 0) -> str:
    """What is said of them; "" for none. `scored`: turns that a judge without need of truths gave scores."""
    if not n:
        return ""
    turns = "1 turn has" if n == 1 else f"{n:,} turns have"
    judged = f"{scored:,} scored by the judge" if scored else "not judged"
    return f"{turns} no ground truth: answered, {judged}, counted in no rate but the public evaluator's"
