"""What a run is worth: the public evaluator's figures to the last digit, the paper's reading, the README's reading.

Pure functions over flags and verdicts; nothing here reads files or asks a judge. Intervals, significance and comparison
of runs are not covered.

**The public evaluator** (github.com/facebookresearch/CRAG-MM, `evaluation/`), and what is peculiar about it; every line
is reproduced by `public_flags` and `public_scores`:

- An answer is a refusal when, lower-cased and stripped of all but ASCII letters, digits and white space, it contains
  "i dont know" or "i do not know". Typographic apostrophes therefore count; "I can't tell" does not; two spaces inside
  the phrase hide it; a right answer that goes on "... but I don't know why" is a refusal.
- An exact match (both sides stripped and lower-cased, inner spaces kept) is correct before any judge is asked, even
  when it is a refusal: such a turn is correct *and* missing, and `hallucination`, which is total − (correct + missing),
  shrinks by it. An empty answer to an empty ground truth is an exact match.
- The judge is asked only about what is neither a refusal nor an exact match; a verdict given for one of those is not
  looked at. No verdict (the judge failed) is "not correct", so it counts as a hallucination.
- `is_semantically_correct` is True for exact matches although no judge saw them.
- A conversation is its rows sorted by turn number; a missing turn is not noticed, its neighbours become consecutive.
- The stop after two consecutive turns that are not correct (a refusal is not correct) reaches only
  `mean_multi_turn_conversation_score`: the rates, and the flags per turn, are those of all turns. The second of the two
  turns keeps its own flag; everything after it counts as missing.
- `truthfulness_score` of a single turn is 0.0 whatever the verdict.
- With no turns at all (a data set without egocentric frames) the rates and the conversation score are NaN, which
  `scores_dictionary.json` then holds; the truthfulness is 0.0.
- The conversation score is a mean over conversations in the order of their ids, added up pairwise as numpy does.
- The egocentric figures are the same computation over the egocentric rows alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np

Verdict = Literal["correct", "wrong", "missing"]
Reading = Literal["paper", "readme"]

_NOT_PLAIN = re.compile(r"[^a-z0-9\s]")
_REFUSALS = ("i dont know", "i do not know")


def is_refusal(text: str) -> bool:
    """Whether the public phrase rule calls `text` an "I don't know"."""
    plain = _NOT_PLAIN.sub("", text.lower())
    return any(phrase in plain for phrase in _REFUSALS)


def is_exact_match(answer: str, ground_truth: str) -> bool:
    """The public exact match: equal once both are stripped and lower-cased."""
    return answer.strip().lower() == ground_truth.strip().lower()


@dataclass(frozen=True)
class Flags:
    """What the public evaluator writes beside a turn, before any early stop."""

    is_exact_match: bool
    is_correct: bool
    is_miss: bool
    is_semantically_correct: bool


def public_flags(answer: str, ground_truth: str, verdict: bool | None) -> Flags:
    """The public evaluator's flags of one turn.

    Args:
        verdict: what the judge said of the answer; None when it failed or was not asked.
    """
    exact = is_exact_match(answer, ground_truth)
    miss = is_refusal(answer)
    judged = bool(verdict) and not miss and not exact
    return Flags(
        is_exact_match=exact, is_correct=exact or judged, is_miss=miss, is_semantically_correct=exact or judged
    )


@dataclass(frozen=True)
class PublicTurn:
    """One turn as the public evaluator scores it."""

    session_id: str
    turn_idx: int
    flags: Flags


def _public_conversation_score(turns: Sequence[PublicTurn]) -> float:
    """Mean correct − mean hallucination of one conversation, after its early stop."""
    correct = [turn.flags.is_correct for turn in turns]
    missing = [turn.flags.is_miss for turn in turns]
    stop = _stop_after([not c for c in correct])
    wrong = 0
    right = 0
    for i, (c, m) in enumerate(zip(correct, missing, strict=True)):
        if i <= stop:
            right += c
            wrong += not c and not m
    return right / len(turns) - wrong / len(turns)


def _stop_after(bad: Sequence[bool]) -> int:
    """Index of the last turn that is heard: the second of the first two consecutive bad ones, else the last."""
    for i in range(1, len(bad)):
        if bad[i - 1] and bad[i]:
            return i
    return len(bad) - 1


def public_scores(turns: Iterable[PublicTurn]) -> dict[str, float]:
    """The public evaluator's `scores_dictionary` of one set of turns (see the module's docstring for its quirks)."""
    ordered = sorted(turns, key=lambda turn: (turn.session_id, turn.turn_idx))
    total = len(ordered)
    exact = sum(turn.flags.is_exact_match for turn in ordered)
    correct = sum(turn.flags.is_correct for turn in ordered)
    miss = sum(turn.flags.is_miss for turn in ordered)
    hallucination = total - (correct + miss)
    conversations = [
        _public_conversation_score(list(group)) for _, group in groupby(ordered, key=lambda turn: turn.session_id)
    ]
    return {
        "total": float(total),
        "correct_exact": float(exact),
        "correct": float(correct),
        "miss": float(miss),
        "hallucination": float(hallucination),
        "exact_match": _share(exact, total),
        "accuracy": _share(correct, total),
        "missing": _share(miss, total),
        "hallucination_rate": _share(hallucination, total),
        "truthfulness_score": (2 * correct + miss) / total - 1 if total > 1 else 0.0,
        "mean_multi_turn_conversation_score": float(np.mean(conversations)) if conversations else math.nan,
    }


@dataclass(frozen=True)
class JudgedTurn:
    """One turn as our own readings see it: failed and unjudged turns stand in their own counts.

    `verdict` is None when a judge could not tell. A failed turn (refused, timeout, cancelled, error) is never judged
    and counts as missing.
    """

    session_id: str
    turn_idx: int
    verdict: Verdict | None
    failed: bool = False

    @property
    def value(self) -> Verdict:
        """What the turn counts as; what no judge could read is missing, and `n_unjudged` says how many that were."""
        return "missing" if self.failed or self.verdict is None else self.verdict


def reading(turns: Iterable[JudgedTurn], rule: Reading) -> dict[str, float | None]:
    """The scores as the paper (arXiv 2510.26160) or the benchmark's README words them.

    Both stop a conversation after two consecutive turns and count what follows as missing; the README counts only wrong
    answers towards the stop, the paper wrong and missing ones. `accuracy`, `missing` and `hallucination_rate` are over
    all turns, unstopped, as the paper's multi-turn tables evidently are; `truthfulness` is the mean over conversations
    of the stopped conversations' mean (1 correct, 0 missing, −1 wrong), `grand_mean` the same mean over turns.
    `early_stop` is the share of conversations that lost at least one turn to the stop, `successful_turns` the mean
    number of correct turns a conversation had before it. A single-turn row is a conversation of one turn.

    Returns:
        The figures, None where there are no turns; `n` turns, `n_conversations`, `n_failed` and `n_unjudged` turns.
    """
    bad: frozenset[Verdict] = frozenset({"wrong"} if rule == "readme" else {"wrong", "missing"})
    ordered = sorted(turns, key=lambda turn: (turn.session_id, turn.turn_idx))
    means: list[float] = []
    points = stopped = successful = 0
    for _, group in groupby(ordered, key=lambda turn: turn.session_id):
        values = [turn.value for turn in group]
        stop = _stop_after([value in bad for value in values])
        heard = values[: stop + 1]
        score = heard.count("correct") - heard.count("wrong")
        means.append(score / len(values))
        points += score
        stopped += stop < len(values) - 1
        successful += heard.count("correct")
    counts = plain_scores(turn.value for turn in ordered)
    n = len(ordered)
    return {
        "truthfulness": float(np.mean(means)) if means else None,
        "accuracy": counts["accuracy"],
        "missing": counts["missing"],
        "hallucination_rate": counts["hallucination_rate"],
        "early_stop": stopped / len(means) if means else None,
        "grand_mean": points / n if n else None,
        "successful_turns": successful / len(means) if means else None,
        "n": n,
        "n_conversations": len(means),
        "n_failed": sum(turn.failed for turn in ordered),
        "n_unjudged": sum(turn.verdict is None and not turn.failed for turn in ordered),
    }


def plain_scores(values: Iterable[Verdict]) -> dict[str, float | None]:
    """Shares of one set of turns, no conversation rule; truthfulness = accuracy − hallucination rate."""
    kinds = list(values)
    n = len(kinds)
    correct, missing, wrong = (kinds.count(kind) for kind in ("correct", "missing", "wrong"))
    return {
        "n": n,
        "truthfulness": (correct - wrong) / n if n else None,
        "accuracy": correct / n if n else None,
        "missing": missing / n if n else None,
        "hallucination_rate": wrong / n if n else None,
    }


def slices(turns: Sequence[tuple[Verdict, Mapping[str, object]]]) -> dict[str, dict[str, dict[str, float | None]]]:
    """`plain_scores` for every value of every label.

    Args:
        turns: what each turn counts as, and its labels. A label that is None on a turn leaves the turn out of that
            slice; a label that no turn carries is left out whole.

    Returns:
        label → value (as text) → scores, the most frequent value first.
    """
    found: dict[str, dict[str, list[Verdict]]] = {}
    for value, labels in turns:
        for name, label in labels.items():
            if label is not None:
                found.setdefault(name, {}).setdefault(_label_text(label), []).append(value)
    return {
        name: {text: plain_scores(group[text]) for text in sorted(group, key=lambda t: (-len(group[t]), t))}
        for name, group in found.items()
    }


def _label_text(label: object) -> str:
    return ("yes" if label else "no") if isinstance(label, bool) else str(label)


def _share(part: int, total: int) -> float:
    return part / total if total else math.nan
