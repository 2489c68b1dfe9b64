"""Fits the model of `reckoned`: `python -m assistant.answering.reckoned_training` (seconds).

On `data/reckoned`: questions of fourteen kinds, and plain ones, by a hand that saw neither this program nor any
generated world. Prints precision and recall of each kind in eight-fold cross-validation.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from assistant.answering.clause import core_of
from assistant.answering.intents import take_apart
from assistant.answering.reckoned import FILE_NAME, MARK, WANTED, marks
from assistant.search.text_encoder import text_encoder
from assistant.settings import ASSETS_DIR

DATA_DIR = Path(__file__).resolve().parent / "data" / "reckoned"


def examples() -> list[tuple[str, str]]:
    """(question, kind)."""
    lines = [line for f in sorted(DATA_DIR.glob("*.jsonl")) for line in f.read_text(encoding="utf-8").splitlines()]
    return [(row["q"], row["kind"]) for row in map(json.loads, lines)]


def features(questions: list[str]) -> np.ndarray:
    """(n, 384 + marks) float32, as `reckoned` computes them."""
    marked = np.array([marks(q, take_apart(core_of(q))) for q in questions], np.float32)
    return np.concatenate([text_encoder().encode(questions), MARK * marked], axis=1)


def main() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict

    rows = examples()
    x, y = features([q for q, _ in rows]), np.array([k for _, k in rows])
    model = LogisticRegression(C=10.0, max_iter=3000)
    chances = cross_val_predict(model, x, y, cv=8, method="predict_proba")
    model.fit(x, y)
    for n, kind in enumerate(model.classes_):
        said = chances[:, n] >= WANTED
        precision, recall = (y[said] == kind).mean(), said[y == kind].mean()
        print(f"{kind:<11} n {(y == kind).sum():>3}  precision {precision:.2f}  recall {recall:.2f}")
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
