"""Fits the model of `reckoned`: `python -m assistant.answering.reckoned_training` (half an hour on one core).

On `data/reckoned`: questions of some twenty kinds, and plain ones, by ten hands that saw neither this program nor any
generated world, and on questions of the matcher's practice, which are plain in words of twenty other hands. MiniLM is
changed narrowly (`narrow`); a logistic model over plain sentence vectors is fitted beside it.
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
import torch
from torch import nn

from assistant.answering import narrow
from assistant.answering.clause import core_of
from assistant.answering.intents import take_apart
from assistant.answering.practice import DATA_DIR as PRACTICE_DIR
from assistant.answering.practice import read_things
from assistant.answering.reckoned import FILE_NAME, MARK, MAX_TOKENS, PLAIN_MARK, WANTED, marks
from assistant.search.text_encoder import VERSION, text_encoder
from assistant.settings import ASSETS_DIR

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

DATA_DIR = Path(__file__).resolve().parent / "data" / "reckoned"
#: How many ordinary questions are taken along, and what each weighs beside one of `data/reckoned`.
ORDINARY, ORDINARY_WEIGHT = 3000, 0.15
#: The lowest layers stay as they are: they know words, and what is behind them is fitted in half the time.
FIRST_LAYER = 2
STEPS, QUESTIONS, LEARNING_RATE = 1800, 32, 6e-4
REGULARISATION = 30.0
#: What people put before a question.
_OPENERS = ("so ", "um, ", "ok, ", "hey, ", "and ", "tell me, ", "right, ")
Row = tuple[str, str, float]


def examples(files: Sequence[Path] | None = None) -> list[tuple[str, str]]:
    """(question, kind)."""
    found = sorted(DATA_DIR.glob("*.jsonl")) if files is None else files
    lines = [line for f in found for line in f.read_text(encoding="utf-8").splitlines()]
    return [(row["q"], row["kind"]) for row in map(json.loads, lines)]


def ordinary() -> list[str]:
    """Questions of the matcher's practice, which want nothing worked out: other words for "plain"."""
    asked = [q["q"] for thing in read_things(sorted(PRACTICE_DIR.glob("*.jsonl"))) for q in thing["questions"]]
    return random.Random(5).sample(asked, ORDINARY)


class QuestionReader(nn.Module):
    """MiniLM with changes in its upper layers, and one linear map of its mean vector and the marks to the kinds."""

    def __init__(self, kinds: Sequence[str]) -> None:
        super().__init__()
        self.kinds = list(kinds)
        self.bert, self.changed = narrow.changed_bert(FIRST_LAYER)
        self.head = nn.Linear(self.bert.config.hidden_size + len(_marks("")), len(self.kinds))
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.drop = nn.Dropout(0.1)
        self._tokenizer = narrow.tokenizer(MAX_TOKENS)

    def forward(self, questions: Sequence[str]) -> torch.Tensor:
        read = self._tokenizer.encode_batch(list(questions))
        there = torch.tensor([r.attention_mask for r in read])
        hidden = self.bert(input_ids=torch.tensor([r.ids for r in read]), attention_mask=there).last_hidden_state
        means = (hidden * there.unsqueeze(-1)).sum(1) / there.sum(1, keepdim=True)
        marked = torch.tensor(np.array([_marks(q) for q in questions]))
        return self.head(torch.cat([self.drop(means), MARK * marked], 1))  # type: ignore[no-any-return]

    def chances(self, questions: Sequence[str]) -> np.ndarray:
        """(n, kinds) probabilities."""
        self.eval()
        with torch.no_grad():
            parts = [torch.softmax(self(questions[i : i + 64]), 1).numpy() for i in range(0, len(questions), 64)]
        return np.concatenate(parts)

    def arrays(self) -> dict[str, np.ndarray]:
        """What `reckoned` reads."""
        out = {"kinds": np.array(self.kinds), "text_encoder": np.array(VERSION)}
        out["weights"] = self.head.weight.detach().numpy().astype(np.float16)
        out["bias"] = self.head.bias.detach().numpy().astype(np.float32)
        return out | narrow.stored(self.changed)


_known: dict[str, np.ndarray] = {}


def _marks(question: str) -> np.ndarray:
    if question not in _known:
        _known[question] = np.array(marks(question, take_apart(core_of(question))), np.float32)
    return _known[question]


def _as_typed(question: str, chance: random.Random) -> str:
    """The question as somebody else types it."""
    if chance.random() < 0.15:
        question = question.lower()
    if chance.random() < 0.15:
        question = question.rstrip("?.!")
    return chance.choice(_OPENERS) + question if chance.random() < 0.08 else question


def fit(
    rows: Sequence[Row], steps: int = STEPS, seed: int = 1, progress: Callable[[str], None] = print
) -> QuestionReader:
    """A reader fitted to (question, kind, weight)."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model = QuestionReader(sorted({kind for _, kind, _ in rows}))
    number = {kind: i for i, kind in enumerate(model.kinds)}
    fitting = narrow.Steps(model.bert, model.head, steps, LEARNING_RATE)
    model.train()
    order: list[int] = []
    for step in range(steps):
        if len(order) < QUESTIONS:
            order = chance.sample(range(len(rows)), len(rows))
        chosen, order = [rows[i] for i in order[:QUESTIONS]], order[QUESTIONS:]
        weights = torch.tensor([w for _, _, w in chosen])
        logits = model([_as_typed(q, chance) for q, _, _ in chosen])
        losses = nn.functional.cross_entropy(logits, torch.tensor([number[k] for _, k, _ in chosen]), reduction="none")
        loss = (losses * weights).sum() / weights.sum()
        fitting.step(loss)
        if (step + 1) % 100 == 0:
            progress(f"{step + 1}: loss {loss.item():.3f}")
    return model.eval()


def _features(questions: Sequence[str]) -> np.ndarray:
    """(n, 384 + marks) of the plain sentence vectors."""
    marked = np.array([_marks(q) for q in questions])
    return np.concatenate([text_encoder().encode(questions), PLAIN_MARK * marked], axis=1)


def fit_plain(rows: Sequence[Row]) -> LogisticRegression:
    """The logistic model over sentence vectors that is asked beside the reader."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=REGULARISATION, max_iter=3000)
    weights = np.array([w for _, _, w in rows])
    return model.fit(_features([q for q, _, _ in rows]), [k for _, k, _ in rows], sample_weight=weights)


def report(
    model: QuestionReader,
    plain: LogisticRegression,
    rows: Sequence[tuple[str, str]],
    progress: Callable[[str], None] = print,
) -> None:
    """Precision and recall of each kind at the threshold of `wants`."""
    questions, kinds = [q for q, _ in rows], np.array([k for _, k in rows])
    chances = (model.chances(questions) + plain.predict_proba(_features(questions))) / 2
    for n, kind in enumerate(model.kinds):
        said = chances[:, n] >= WANTED
        if (kinds == kind).any():
            precision = (kinds[said] == kind).mean() if said.any() else float("nan")
            recall = said[kinds == kind].mean()
            progress(f"{kind:<13} n {(kinds == kind).sum():>3}  precision {precision:.2f}  recall {recall:.2f}")
    progress(f"right {(np.array(model.kinds)[chances.argmax(axis=1)] == kinds).mean():.3f} of {len(kinds)}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Fit the model that tells what a question wants reckoned.")
    parser.add_argument("--leave", metavar="FILE", help="a file of data/reckoned to judge by instead of fitting on it")
    left = parser.parse_args(arguments).leave
    files = [f for f in sorted(DATA_DIR.glob("*.jsonl")) if f.name != left]
    rows = [(q, k, 1.0) for q, k in examples(files)] + [(q, "plain", ORDINARY_WEIGHT) for q in ordinary()]
    plain, model = fit_plain(rows), fit(rows)
    if left:
        report(model, plain, examples([DATA_DIR / left]))
        return
    path = ASSETS_DIR / "reader" / FILE_NAME
    maps = {"plain_weights": plain.coef_.astype(np.float16), "plain_bias": plain.intercept_.astype(np.float32)}
    np.savez_compressed(path, **model.arrays(), **maps)  # type: ignore[arg-type]
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
