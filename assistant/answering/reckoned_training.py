"""Fits the model of `reckoned`: `python -m assistant.answering.reckoned_training` (seconds).

On `data/reckoned`: questions of some twenty kinds, and plain ones, by five hands that saw neither this program nor any
generated world, and on questions of the matcher's practice, which are plain in words of twenty other hands. Prints
precision and recall of each kind in eight-fold cross-validation.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.answering.clause import core_of
from assistant.answering.intents import take_apart
from assistant.answering.practice import DATA_DIR as PRACTICE_DIR
from assistant.answering.practice import read_things
from assistant.answering.reckoned import FILE_NAME, MARK, WANTED, marks
from assistant.search.text_encoder import text_encoder
from assistant.settings import ASSETS_DIR

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

DATA_DIR = Path(__file__).resolve().parent / "data" / "reckoned"
#: How many ordinary questions are taken along, and what each weighs beside one of `data/reckoned`.
ORDINARY, ORDINARY_WEIGHT = 4000, 0.1


def examples() -> list[tuple[str, str]]:
    """(question, kind)."""
    lines = [line for f in sorted(DATA_DIR.glob("*.jsonl")) for line in f.read_text(encoding="utf-8").splitlines()]
    return [(row["q"], row["kind"]) for row in map(json.loads, lines)]


def ordinary() -> list[str]:
    """Questions of the matcher's practice, which want nothing worked out: other words for "plain"."""
    asked = [q["q"] for thing in read_things(sorted(PRACTICE_DIR.glob("*.jsonl"))) for q in thing["questions"]]
    return random.Random(5).sample(asked, ORDINARY)


def features(questions: list[str]) -> np.ndarray:
    """(n, 384 + marks) float32, as `reckoned` computes them."""
    marked = np.array([marks(q, take_apart(core_of(q))) for q in questions], np.float32)
    return np.concatenate([text_encoder().encode(questions), MARK * marked], axis=1)


def _fit(x: np.ndarray, y: np.ndarray, more: np.ndarray) -> LogisticRegression:
    from sklearn.linear_model import LogisticRegression

    weights = np.concatenate([np.ones(len(x)), np.full(len(more), ORDINARY_WEIGHT)])
    model = LogisticRegression(C=30.0, max_iter=3000)
    return model.fit(np.concatenate([x, more]), np.concatenate([y, ["plain"] * len(more)]), sample_weight=weights)


def main() -> None:
    from sklearn.model_selection import StratifiedKFold

    rows = examples()
    x, y = features([q for q, _ in rows]), np.array([k for _, k in rows])
    more = features(ordinary())
    chances = np.zeros((len(y), len(set(y))))
    false = np.zeros((len(more), len(set(y))))
    for fitted, left in StratifiedKFold(8, shuffle=True, random_state=0).split(x, y):
        # The ordinary questions are halved by turns, so that each is judged by models that have not seen it.
        half = np.arange(len(more)) % 2 == left[0] % 2
        model = _fit(x[fitted], y[fitted], more[half])
        chances[left] = model.predict_proba(x[left])
        false[~half] = np.maximum(false[~half], model.predict_proba(more[~half]))
    model = _fit(x, y, more)
    for n, kind in enumerate(model.classes_):
        said = chances[:, n] >= WANTED
        precision, recall = (y[said] == kind).mean(), said[y == kind].mean()
        ordinary_too = (false[:, n] >= WANTED).mean()
        print(
            f"{kind:<11} n {(y == kind).sum():>3}  precision {precision:.2f}  recall {recall:.2f}"
            + (f"  ordinary questions taken for it {ordinary_too:.4f}" if kind != "plain" else "")
        )
    print(f"right {(model.classes_[chances.argmax(axis=1)] == y).mean():.3f} of {len(y)}")
    path = ASSETS_DIR / "reader" / FILE_NAME
    np.savez_compressed(
        path,
        kinds=model.classes_.astype(str),
        weights=model.coef_.astype(np.float16),
        bias=model.intercept_.astype(np.float32),
    )
    print(path)


if __name__ == "__main__":
    main()
