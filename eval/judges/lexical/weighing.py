"""How the lexical judge weighs what its rules find against what its small model reads: one logistic model.

Of how much worth either is depends on the answer: the rules are surest about figures and names against a truth of few
words, the model about whole sentences. The weights were fitted on answers that neither has
seen, and so were the bounds beyond which a verdict is sure.
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from eval.judges.lexical.equivalence import LABELS
from eval.judges.lexical.kinds import Kind

FILE_NAME = "weighing.json"
FORMAT_VERSION = 2
#: At most so many of all wrong answers may be called right for sure, and of all right ones wrong.
WRONG_ACCEPTED, RIGHT_REFUSED = 0.015, 0.05
_KINDS: tuple[Kind, ...] = get_args(Kind)
#: Of an answer that is not right, how probable it must be that it is wrong (or a refusal) and not the other.
_SURELY_ONE = 0.9
#: Beyond these log-odds the model is no surer (its labels were smoothed).
_SUREST = 6.0


def signs(kind: Kind, passes: bool, read: np.ndarray, truth: str, answer: str) -> list[float]:
    """What speaks for and against an answer that is no refusal by the rules.

    Args:
        kind: what the question asks for.
        passes: whether the rules let the answer pass.
        read: (3,) the model's log-probabilities of `LABELS`.
        truth, answer: the texts; how long they are says how far either part can be trusted.
    """
    right, wrong, missing = (float(v) for v in read)
    odds = max(-_SUREST, min(_SUREST, right - float(np.logaddexp(wrong, missing))))
    lengths = [math.log(1 + len(text.split())) for text in (truth, answer)]
    out = [odds, float(passes), missing, odds * passes, *lengths]
    out += [factor * length for length in lengths for factor in (odds, float(passes))]
    for each in _KINDS:
        here = float(kind == each)
        out += [here, here * odds, here * passes]
    return out


def chances(found: list[float]) -> np.ndarray:
    """(3,) how probable each of `LABELS` is, from `signs`."""
    return _chances(np.array([found]), stored().weights, stored().bias)[0]


def is_sure(found: np.ndarray) -> bool:
    """Whether the likeliest verdict of `chances` is likely enough to be given."""
    if found.argmax() == LABELS.index("correct"):
        return bool(found[0] >= stored().right_from)
    return bool(found[0] <= stored().wrong_to and found.max() >= _SURELY_ONE * (1 - found[0]))


def _chances(found: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    scores = found @ weights.T + bias
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


class Weighing(NamedTuple):
    """(3, n) weights of `signs`, (3,) biases, and how probable "correct" must be for either verdict to be sure."""

    weights: np.ndarray
    bias: np.ndarray
    right_from: float
    wrong_to: float


def bounds(chance: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """From which chance of being right an answer is right for sure, and up to which it is wrong for sure.

    As near to each other as `WRONG_ACCEPTED` and `RIGHT_REFUSED` allow on these answers; never past one half.

    Args:
        chance: (n,) how probable "correct" is, by weights that have not seen the answer.
        labels: (n,) numbers of `LABELS`.
    """
    wrong, right = np.sort(chance[labels == 1])[::-1], np.sort(chance[labels == 0])
    accepted, refused = int(WRONG_ACCEPTED * len(wrong)), int(RIGHT_REFUSED * len(right))
    right_from = float(wrong[accepted]) + 1e-4 if accepted < len(wrong) else 0.5
    wrong_to = float(right[refused]) - 1e-4 if refused < len(right) else 0.5
    return max(right_from, 0.5), min(wrong_to, 0.5)


@functools.cache
def stored(folder: Path = WEIGHTS_DIR / "judge") -> Weighing:
    """What `fit_weighing` has written.

    Raises:
        NotReady: the file is missing or of another format.
    """
    path = folder / FILE_NAME
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotReady(f"{str(path)!r} is missing: {RESTORE}") from None
    if found.get("format_version") != FORMAT_VERSION:
        raise NotReady(f"{str(path)!r} has format {found.get('format_version')!r}, not {FORMAT_VERSION}")
    return Weighing(np.array(found["weights"]), np.array(found["bias"]), found["right_from"], found["wrong_to"])


def fit(found: np.ndarray, labels: np.ndarray, hands: np.ndarray) -> Weighing:
    """The weights on all answers; the bounds on each hand's by weights that were fitted on the other hands'.

    Args:
        found: (n, signs) of each answer.
        labels: (n,) numbers of `LABELS`.
        hands: (n,) who wrote it.
    """
    from sklearn.linear_model import LogisticRegression

    def weighed(rows: np.ndarray) -> LogisticRegression:
        return LogisticRegression(C=1.0, max_iter=5000).fit(found[rows], labels[rows])

    unseen = np.full(len(labels), np.nan)
    for hand in np.unique(hands):
        own = hands == hand
        other = weighed(~own)
        unseen[own] = _chances(found[own], other.coef_, other.intercept_)[:, 0]
    whole = weighed(np.ones(len(labels), bool))
    return Weighing(whole.coef_, whole.intercept_, *bounds(unseen, labels))


def store(weighing: Weighing, folder: Path) -> Path:
    """Writes what `chances` and `is_sure` read."""
    path = folder / FILE_NAME
    rounded: dict[str, Any] = {name: np.round(getattr(weighing, name), 3).tolist() for name in ("weights", "bias")}
    rounded |= {"right_from": math.ceil(1e4 * weighing.right_from) / 1e4}
    rounded |= {"wrong_to": math.floor(1e4 * weighing.wrong_to) / 1e4}
    path.write_text(json.dumps({"format_version": FORMAT_VERSION, "labels": LABELS, **rounded}) + "\n", "utf-8")
    stored.cache_clear()
    return path
