"""What a run's scores would be by people: the judge's errors, measured in a trial, taken out of its verdicts.

The shares that the judge gives a run are seen through the trial's confusion matrix, and the shares behind them are
estimated (`eval.metrics.misclassification`: Rogan and Gladen's estimate for three classes, held within 0 and 1). A
judge's unreadable answers are a fourth thing it says, not a class. Turns that failed were never judged: they are
missing and no error of the judge's.

`truthfulness` is accuracy minus hallucination over all turns, without a conversation's early stop: shares know no
order of turns. The intervals carry both uncertainties, that of the matrix and that of the run, by draws of
conversations of either; in simulations with 60 to 1,000 labelled answers they held the truth in 93 to 100 % of cases.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.annotate.trial import BUCKETS, SAID, Trial, rates
from eval.metrics.figures import Figure, numbered, per_conversation
from eval.metrics.intervals import SEED, Interval, percentiles
from eval.metrics.misclassification import (
    LEAST_SINGULAR,
    PRIOR,
    drawn_matrices,
    drawn_sums,
    least_singular,
    nearest_shares,
    plain_inverse,
)
from eval.metrics.public import JudgedTurn

FIGURES = ("accuracy", "hallucination", "missing", "truthfulness")
METHOD = (
    "inverse of the judge's confusion matrix within the simplex; Bayesian bootstrap over the conversations of both, "
    "Jeffreys' prior, expanded percentiles"
)
_CODES = {verdict: code for code, verdict in enumerate(BUCKETS)}
_CLASSES, _UNREADABLE, _MISSING = len(BUCKETS), len(BUCKETS), 2
_DRAWS = 2000


@dataclass(frozen=True)
class Corrected:
    """A run's scores as people would give them, by one trial of its judge.

    `as_judged` are the shares by the judge's verdicts, `figures` the corrected ones, None with a reason where the judge
    does not allow it. `plain` is the same without the bounds of 0 and 1: far outside of them, the matrix does not fit
    this run. `judge` and `trial` say which trial.
    """

    judge: Mapping[str, Any]
    trial: str
    n_labelled: int
    n: int
    n_conversations: int
    n_failed: int
    n_unreadable: int
    as_judged: Mapping[str, float | None]
    figures: Mapping[str, Figure]
    plain: Mapping[str, float] | None
    why: str = ""

    def json(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "method": METHOD}


def corrected(
    trial: Trial,
    run_verdicts: Iterable[JudgedTurn],
    *,
    seed: int = SEED,
    draws: int = _DRAWS,
) -> Corrected:
    """A run's accuracy, hallucination, missing and truthfulness, corrected for the judge's errors.

    Args:
        trial: of the judge that gave the verdicts, in the same version, with the same model and prompt.
        run_verdicts: the run's turns; a verdict of None is one the judge gave no reading of (and no leaning).
    """
    turns = list(run_verdicts)
    said = np.array([_code(turn) for turn in turns], np.int64)
    conversation, conversations = numbered([turn.session_id for turn in turns])
    # what was said, and last that nothing was to be judged
    run = per_conversation(np.eye(_UNREADABLE + 2)[said], conversation, conversations)
    whole = run.sum(axis=0)
    labelled = _labelled(trial)
    why = _cannot(trial, labelled.sum(axis=0), whole)
    base = Corrected(
        judge=trial.identity,
        trial=trial.digest,
        n_labelled=trial.n,
        n=len(turns),
        n_conversations=conversations,
        n_failed=int(whole[-1]),
        n_unreadable=int(whole[_UNREADABLE]),
        as_judged=rates(whole[:-1] + np.array([0, 0, whole[-1], 0])) if turns else dict.fromkeys(FIGURES),
        figures={name: Figure(None, n=len(turns), why=why) for name in FIGURES},
        plain=None,
        why=why,
    )
    if why:
        return base
    rows = _rows(labelled.sum(axis=0), whole)
    matrix = _matrix(labelled.sum(axis=0))[rows]
    judged, lost = whole[:-1], whole[-1] / whole.sum()
    seen = (judged / judged.sum())[rows] if judged.sum() else None
    rng = np.random.default_rng(seed)
    if seen is None:
        return dataclasses.replace(base, figures=_all_failed(len(turns), conversations))
    value = _scores(_with_failed(nearest_shares(matrix[None], seen[None]), np.array([lost])))
    plain = _scores(_with_failed(plain_inverse(matrix[None], seen[None]), np.array([lost])))
    matrices = drawn_matrices(_kept(labelled, rows), _CLASSES, draws, rng)
    sums = drawn_sums(run, draws, rng)
    drawn = sums[:, [*rows, _UNREADABLE + 1]]
    failed = drawn[:, -1] / drawn.sum(axis=1)
    shares = drawn[:, :-1] + rng.standard_gamma(PRIOR, (draws, len(rows)))
    found = _scores(_with_failed(nearest_shares(matrices, shares / shares.sum(axis=1, keepdims=True)), failed))
    fewest = min(conversations, trial.n_conversations)
    return dataclasses.replace(
        base,
        figures={name: _figure(value[name][0], found[name], len(turns), fewest, name) for name in FIGURES},
        plain={name: float(plain[name][0]) for name in FIGURES},
    )


def _code(turn: JudgedTurn) -> int:
    if turn.failed:
        return _UNREADABLE + 1
    return _UNREADABLE if turn.verdict is None else _CODES[turn.verdict]


def _labelled(trial: Trial) -> np.ndarray:
    """The trial's answers as counts of class × what was said, per conversation."""
    conversation, people, said = (np.array(column, np.int64) for column in zip(*trial.seen, strict=True))
    cells = np.eye(_CLASSES * len(SAID))[people * len(SAID) + said]
    return per_conversation(cells, conversation, trial.n_conversations)


def _matrix(counts: np.ndarray) -> np.ndarray:
    """P(said | class), (said, class), from counts of class × said."""
    table = counts.reshape(_CLASSES, len(SAID))
    return (table / table.sum(axis=1, keepdims=True)).T


def _rows(labelled: np.ndarray, run: np.ndarray) -> list[int]:
    """What the judge says at all: unreadable is a row of the matrix only where it comes up."""
    unread = labelled.reshape(_CLASSES, len(SAID))[:, _UNREADABLE].sum() + run[_UNREADABLE]
    return list(range(len(SAID) if unread else _UNREADABLE))


def _kept(labelled: np.ndarray, rows: Sequence[int]) -> np.ndarray:
    return labelled.reshape(len(labelled), _CLASSES, len(SAID))[:, :, rows].reshape(len(labelled), -1)


def _cannot(trial: Trial, labelled: np.ndarray, run: np.ndarray) -> str:
    """Why nothing can be corrected; "" where it can."""
    if not run.sum():
        return "the run has no turns"
    for name, n in zip(BUCKETS.values(), labelled.reshape(_CLASSES, len(SAID)).sum(axis=1), strict=True):
        if not n:
            return f"people call none of the {trial.n} labelled answers {name}: what the judge says of those is unknown"
    least = least_singular(_matrix(labelled))
    if least < LEAST_SINGULAR:
        return (
            f"the judge hardly tells the three kinds of answers apart (smallest singular value {least:.2f} of its "
            f"confusion matrix, {LEAST_SINGULAR} is needed): noise would be all that is left"
        )
    return ""


def _with_failed(shares: np.ndarray, failed: np.ndarray) -> np.ndarray:
    """Shares of judged turns (b, 3) as shares of all turns, failed ones (b,) being missing."""
    found = shares * (1 - failed)[:, None]
    found[:, _MISSING] += failed
    return found


def _scores(shares: np.ndarray) -> dict[str, np.ndarray]:
    right, wrong, missing = shares.T
    return {"accuracy": right, "hallucination": wrong, "missing": missing, "truthfulness": right - wrong}


def _figure(value: float, draws: np.ndarray, n: int, conversations: int, name: str) -> Figure:
    low, high = percentiles(draws, conversations)
    least = -1.0 if name == "truthfulness" else 0.0
    ends = max(least, min(float(low), value)), min(1.0, max(float(high), value))
    return Figure(float(value), Interval(*ends, "posterior"), n)


def _all_failed(n: int, conversations: int) -> dict[str, Figure]:
    """Every turn failed: all are missing, and the judge has no part in it."""
    return {name: Figure(1.0 if name == "missing" else 0.0, None, n, "every turn failed") for name in FIGURES}
