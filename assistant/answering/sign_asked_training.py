"""Fits the model of `sign_asked`: `python -m assistant.answering.sign_asked_training` (a minute on one core).

On `data/signs`: questions about what stands on signs, each with the role of the text that it wants, by hands that saw
neither this program nor any generated world, and on questions about things out of the matcher's practice.
`--leave FILE` fits without one hand's file and prints precision and recall on it instead of writing anything.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.answering.practice import DATA_DIR as PRACTICE_DIR
from assistant.answering.practice import read_things
from assistant.answering.sign_asked import FILE_NAME, NO_ROLE, SURE, features
from assistant.search.text_encoder import VERSION
from assistant.settings import ASSETS_DIR

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

DATA_DIR = Path(__file__).resolve().parent / "data" / "signs"
#: How many questions about things are taken along, and what each weighs beside one of `data/signs`.
ORDINARY, ORDINARY_WEIGHT = 2000, 0.3
REGULARISATION = 20.0


def examples(files: Sequence[Path] | None = None) -> list[tuple[str, str]]:
    """(question, role)."""
    found = sorted(DATA_DIR.glob("*.jsonl")) if files is None else files
    lines = [line for f in found for line in f.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(row["q"], row["role"]) for row in map(json.loads, lines)]


def ordinary() -> list[str]:
    """Questions about things."""
    asked = [q["q"] for thing in read_things(sorted(PRACTICE_DIR.glob("*.jsonl"))) for q in thing["questions"]]
    return random.Random(7).sample(asked, ORDINARY)


def fit(rows: Sequence[tuple[str, str, float]]) -> LogisticRegression:
    """A model of (question, role, weight)."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=REGULARISATION, max_iter=2000)
    return model.fit(features([q for q, _, _ in rows]), [r for _, r, _ in rows], sample_weight=[w for _, _, w in rows])


def report(model: LogisticRegression, rows: Sequence[tuple[str, str]], progress: Callable[[str], None] = print) -> None:
    """Precision and recall of each role at the threshold of `role_asked_of_sign`."""
    chances, roles = model.predict_proba(features([q for q, _ in rows])), np.array([r for _, r in rows])
    best = model.classes_[chances.argmax(axis=1)]
    sure = chances.max(axis=1) >= SURE
    for role in sorted(set(roles)):
        said = sure & (best == role)
        precision = (roles[said] == role).mean() if said.any() else float("nan")
        progress(f"{role:<16} precision {precision:.2f}  recall {said[roles == role].mean():.2f}")
    told = sure & ~np.isin(best, NO_ROLE)
    progress(
        f"right {(best == roles).mean():.3f}; of what is told {(best == roles)[told].mean():.3f}, {told.mean():.3f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Fit the model that tells what a question wants read off a sign.")
    parser.add_argument("--leave", metavar="FILE", help="a file of data/signs to judge by instead of fitting on it")
    left = parser.parse_args(arguments).leave
    files = [f for f in sorted(DATA_DIR.glob("*.jsonl")) if f.name != left]
    rows = [(q, r, 1.0) for q, r in examples(files)] + [(q, "thing", ORDINARY_WEIGHT) for q in ordinary()]
    model = fit(rows)
    if left:
        report(model, examples([DATA_DIR / left]))
        return
    path = ASSETS_DIR / "reader" / FILE_NAME
    np.savez_compressed(
        path,
        roles=np.array(model.classes_),
        text_encoder=np.array(VERSION),
        weights=model.coef_.astype(np.float16),
        bias=model.intercept_.astype(np.float32),
    )
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
