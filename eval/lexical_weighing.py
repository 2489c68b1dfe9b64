"""How the lexical judge weighs what its rules find against what its small model reads: one logistic model.

Of how much worth either is depends on the answer: the rules are surest about figures and names against a truth of few
words, the model about whole sentences. The weights are fitted by `equivalence_training` on answers that neither has
seen (`labelled_answers.HELD_OUT`).
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any, get_args

import numpy as np

from assistant.errors import NotReady
from assistant.settings import ASSETS_DIR
from eval.equivalence import LABELS
from eval.lexical_kinds import Kind

FILE_NAME = "weighing.json"
FORMAT_VERSION = 1
_KINDS: tuple[Kind, ...] = get_args(Kind)
#: Beyond these log-odds the model is no surer (`equivalence_training` smooths its labels).
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
    weights, bias = _stored()
    scores = weights @ np.array(found) + bias
    scores = np.exp(scores - scores.max())
    return np.asarray(scores / scores.sum())


@functools.cache
def _stored(folder: Path = ASSETS_DIR / "judge") -> tuple[np.ndarray, np.ndarray]:
    """(3, n) weights of `signs` and (3,) biases.

    Raises:
        NotReady: the file is missing or of another format.
    """
    path = folder / FILE_NAME
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotReady(f"{str(path)!r} is missing: make it with `python -m eval.equivalence_training`") from None
    if stored.get("format_version") != FORMAT_VERSION:
        raise NotReady(f"{str(path)!r} has format {stored.get('format_version')!r}, not {FORMAT_VERSION}")
    return np.array(stored["weights"]), np.array(stored["bias"])


def store(weights: np.ndarray, bias: np.ndarray, folder: Path) -> Path:
    """Writes what `chances` reads."""
    path = folder / FILE_NAME
    rounded = {"weights": np.round(weights, 3).tolist(), "bias": np.round(bias, 3).tolist()}
    path.write_text(json.dumps({"format_version": FORMAT_VERSION, "labels": LABELS, **rounded}) + "\n", "utf-8")
    _stored.cache_clear()
    return path
