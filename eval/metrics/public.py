"""What a run is worth: the public evaluator's figures to the last digit, the paper's reading, the README's reading.

Pure functions over flags and verdicts; nothing here reads files or asks a judge. Intervals stand in
`eval.metrics.intervals`, slices in `eval.metrics.slices`, the comparison of runs in `eval.reports.compare`.

**The public evaluator** (github.com/facebookresearch/CRAG-MM, `evaluation/`), and what is peculiar about it; every line
is reproduced by `public_flags` and `public_scores` unless it says otherwise:

- An answer is a refusal when, lower-cased and stripped of all but ASCII letters, digits and white space, it contains
  "i dont know" or "i do not know". Typographic apostrophes therefore count; "I can't tell" does not; two spaces inside
  the phrase hide it; a right answer that goes on "... but I don't know why" is a refusal. A refusal in other words is
  judged like any answer and, being wrong, counts as a hallucination; so does an empty answer. `eval.metrics.run_scores`
  counts both.
- An exact match (both sides stripped and lower-cased, inner spaces kept) is correct before any judge is asked, even
  when it is a refusal: such a turn is correct *and* missing, and `hallucination`, which is total − (correct + missing),
  shrinks by it, below zero if need be. An empty answer to an empty ground truth is an exact match.
- The judge is asked only about what is neither a refusal nor an exact match; a verdict given for one of those is not
  looked at. No verdict (the judge failed) is "not correct", so it counts as a hallucination. A reply without a verdict
  makes that evaluator's flag None, and its conversation score then stops with a TypeError: here it is a failed judge.
- `is_semantically_correct` is True for exact matches although no judge saw them.
- Rows are sorted by session id (by code points) and turn number, ties kept in their order. A missing turn is not
  noticed, its neighbours become consecutive; rows that come twice count twice.
- The stop after two consecutive turns that are not correct (a refusal is not correct) reaches only
  `mean_multi_turn_conversation_score`: the rates, and the flags per turn, are those of all turns. The second of the two
  turns keeps its own flag; everything after it counts as missing and still divides.
- `truthfulness_score` is ((2 correct + missing) / total) − 1 and not (correct − hallucination) / total: the same value,
  not always the same last digit. It is 0.0 for a set of one turn, whatever the verdict.
- With no turns at all (a data set without egocentric frames) the rates and the conversation score are NaN, which
  `scores_dictionary.json` then holds; the truthfulness is 0.0.
- The conversation score is a mean over conversations in the order of their ids, added up pairwise as numpy does;
  single-turn rows are conversations of one turn.
- The egocentric figures are the same computation over the rows whose `is_ego` equals true alone, and `is_ego` there
  means that the image URL is None: an empty one makes a normal picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Conversations:
    """How n turns fall into conversations: rows sorted by session id and turn number, ties in their first order.

    `order` (n,) is the row → position in the caller's sequence, `of_row` (n,) the row → conversation number,
    `starts` (c,) the first row of each conversation, `lengths` (c,) its number of rows.
    """

    order: np.ndarray
    of_row: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, session_ids: Sequence[str], turn_idxs: Sequence[int]) -> Conversations:
        n = len(session_ids)
        order = sorted(range(n), key=lambda i: (session_ids[i], turn_idxs[i]))
        new = [i == 0 or session_ids[order[i]] != session_ids[order[i - 1]] for i in range(n)]
        starts = np.flatnonzero(np.asarray(new, bool))
        lengths = np.diff(np.append(starts, n))
        return cls(np.asarray(order, np.intp), np.repeat(np.arange(len(starts)), lengths), starts, lengths)

    def heard(self, bad: np.ndarray) -> np.ndarray:
        """Which rows (n,) come before the stop or are the second of the first two consecutive `bad` ones."""
        n = len(bad)
        if n == 0:
            return np.zeros(0, bool)
        second = bad.copy()
        second[1:] &= bad[:-1]
        second[self.starts] = False
        rows = np.arange(n)
        stop = np.minimum.reduceat(np.where(second, rows, n), self.starts)
        return rows <= stop[self.of_row]

    def sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of `values` (n,) in each conversation (c,)."""
        return np.add.reduceat(values.astype(np.int64), self.starts) if len(values) else np.zeros(0, np.int64)


def public_scores(turns: Iterable[PublicTurn]) -> dict[str, float]:
    """The public evaluator's `scores_dictionary` of one set of turns (see the module's docstring for its quirks)."""
    rows = list(turns)
    return public_figures(
        Conversations.of([turn.session_id for turn in rows], [turn.turn_idx for turn in rows]),
        np.array([turn.flags.is_exact_match for turn in rows], bool),
        np.array([turn.flags.is_correct for turn in rows], bool),
        np.array([turn.flags.is_miss for turn in rows], bool),
    )


def public_figures(
    conversations: Conversations, exact: np.ndarray, correct: np.ndarray, miss: np.ndarray
) -> dict[str, float]:
    """`public_scores` from columns: flags (n,) in the caller's order, not yet sorted."""
    total = len(exact)
    n_exact, n_correct, n_miss = int(exact.sum()), int(correct.sum()), int(miss.sum())
    hallucination = total - (n_correct + n_miss)
    scores = public_conversation_scores(conversations, correct, miss)
    return {
        "total": float(total),
        "correct_exact": float(n_exact),
        "correct": float(n_correct),
        "miss": float(n_miss),
        "hallucination": float(hallucination),
        "exact_match": _share(n_exact, total),
        "accuracy": _share(n_correct, total),
        "missing": _share(n_miss, total),
        "hallucination_rate": _share(hallucination, total),
        "truthfulness_score": (2 * n_correct + n_miss) / total - 1 if total > 1 else 0.0,
        "mean_multi_turn_conversation_score": float(np.mean(scores)) if len(scores) else math.nan,
    }


def public_conversation_scores(conversations: Conversations, correct: np.ndarray, miss: np.ndarray) -> np.ndarray:
    """Mean correct − mean hallucination of each conversation (c,), after its early stop."""
    correct, miss = correct[conversations.order], miss[conversations.order]
    heard = conversations.heard(~correct)
    right = conversations.sums(correct & heard) / conversations.lengths
    return right - conversations.sums(~correct & ~miss & heard) / conversations.lengths


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


#: What a turn is worth: the code of a verdict in columns of values.
WORTH: dict[Verdict, int] = {"correct": 1, "missing": 0, "wrong": -1}


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
    rows = list(turns)
    conversations = Conversations.of([turn.session_id for turn in rows], [turn.turn_idx for turn in rows])
    values = np.array([WORTH[turn.value] for turn in rows], np.int8)
    return {
        **reading_figures(stopped(conversations, values, rule)),
        "n_failed": sum(turn.failed for turn in rows),
        "n_unjudged": sum(turn.verdict is None and not turn.failed for turn in rows),
    }


@dataclass(frozen=True, eq=False)
class Stopped:
    """Per conversation, what one reading makes of it: arrays (c,) of whole numbers, and the counts of all turns.

    `points` and `successful` are correct − wrong and correct turns before the stop, `early` whether turns were lost.
    """

    lengths: np.ndarray
    points: np.ndarray
    successful: np.ndarray
    early: np.ndarray
    values: np.ndarray

    @property
    def means(self) -> np.ndarray:
        """The truthfulness of each conversation."""
        return self.points / self.lengths


def stopped(conversations: Conversations, values: np.ndarray, rule: Reading) -> Stopped:
    """Apply a reading's stop to values (n,) of `WORTH`, in the caller's order."""
    values = values[conversations.order]
    heard = conversations.heard(values < 0 if rule == "readme" else values <= 0)
    return Stopped(
        conversations.lengths,
        conversations.sums(np.where(heard, values, 0)),
        conversations.sums(heard & (values > 0)),
        conversations.sums(~heard) > 0,
        values,
    )


def reading_figures(found: Stopped) -> dict[str, float | None]:
    """The figures of `reading`, without the counts of failed and unjudged turns."""
    n, c = len(found.values), len(found.lengths)
    return {
        "truthfulness": float(np.mean(found.means)) if c else None,
        "accuracy": int((found.values > 0).sum()) / n if n else None,
        "missing": int((found.values == 0).sum()) / n if n else None,
        "hallucination_rate": int((found.values < 0).sum()) / n if n else None,
        "early_stop": int(found.early.sum()) / c if c else None,
        "grand_mean": int(found.points.sum()) / n if n else None,
        "successful_turns": int(found.successful.sum()) / c if c else None,
        "n": n,
        "n_conversations": c,
    }


#: CRAG's four grades (arXiv 2406.04744, section 3): what an answer of each is worth.
GRADES = {"perfect": 1.0, "acceptable": 0.5, "missing": 0.0, "incorrect": -1.0}


def crag_scores(grades: Iterable[str]) -> dict[str, float | None]:
    """CRAG's score: the mean worth of the grades, and the share of each.

    Raises:
        KeyError: a grade that CRAG does not have.
    """
    kinds = list(grades)
    n = len(kinds)
    worth = sum(GRADES[kind] for kind in kinds)
    return {"n": n, "score": worth / n if n else None, **{g: kinds.count(g) / n if n else None for g in GRADES}}


def _share(part: int, total: int) -> float:
    return part / total if total else math.nan
