"""Fits the small model of the lexical judge: `python -m eval.equivalence_training` (an hour and more on two cores).

Reads `data/answers/*.jsonl`: questions with a ground truth and answers labelled correct, wrong (and how) or missing,
written by many hands that never saw the judge (see `labelled_answers`). MiniLM's matrices and three outputs are fitted
by cross-entropy; the answers of `labelled_answers.HELD_OUT` are left out, and then serve to weigh rules and model
(`lexical_weighing`). `--rows FILE` adds answers one a line, as tests/data/judged has them. Needs torch, transformers
and scikit-learn (sentence-transformers brings it); using what comes out needs none of them.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from assistant.answering.match_pools import Vectors
from assistant.answering.match_training import CrossEncoder
from assistant.search.text_encoder import VERSION
from assistant.settings import ASSETS_DIR
from eval import equivalence as shipped
from eval.labelled_answers import Row, read_answers
from eval.lexical import judge_texts
from eval.lexical_case import Case
from eval.lexical_weighing import signs, store

BATCH = 48
LEARNING_RATE, HEADS_RATE, COSINE_RATE, WARM_UP = 1e-4, 5e-4, 1e-2, 30
_LAST, _SMOOTHED = 0.02, 0.05
#: The mean of the weights begins with this step, and keeps so much of itself at each.
_MEAN_FROM, _MEAN_KEEPS = 100, 0.998
#: How often an answer takes the place of the ground truth.
_TURNED = 0.4
_START_COSINE, _START_BIAS = (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)


class Fit:
    """One fit: the model, the plain vectors of the texts, the optimiser."""

    def __init__(self, seed: int, start: Mapping[str, np.ndarray] | None) -> None:
        torch.manual_seed(seed)
        self.chance = random.Random(seed)
        self.vectors = Vectors()
        self.model = CrossEncoder(_START_COSINE, _START_BIAS, shipped.MAX_TOKENS)
        if start is not None:
            self.model.start_from(start)

    def forward(self, rows: Sequence[Row]) -> torch.Tensor:
        """(n, 3) logits; texts of like length are read together."""
        order = sorted(range(len(rows)), key=lambda i: sum(map(len, rows[i][:3])))
        out = []
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for part in np.array_split(order, max(1, len(rows) // 12)):
                pairs = [shipped.pair(*rows[i][:3]) for i in part]
                truths, answers = (self.vectors([rows[i][n] for i in part]) for n in (1, 2))
                cosines = torch.from_numpy((truths * answers).sum(axis=1).astype(np.float32))
                out.append(self.model(pairs, cosines).float())
        return torch.cat(out)[torch.from_numpy(np.argsort(order))]

    def run(self, groups: Sequence[Sequence[Row]], epochs: float) -> None:
        """So many times through all answers; those to one question stay together, as they say most about each other.
        What is kept is the running mean of the weights of about the last five hundred steps.
        """
        model = self.model
        optimiser = torch.optim.AdamW(
            [
                {"params": list(model.matrices.values()), "lr": LEARNING_RATE},
                {"params": list(model.heads.parameters()), "lr": HEADS_RATE},
                {"params": [model.cosine_weight], "lr": COSINE_RATE},
            ],
            weight_decay=0.01,
            fused=True,
        )
        steps = max(1, round(epochs * sum(map(len, groups)) / BATCH))
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimiser, lambda n: min(1.0, (n + 1) / WARM_UP) * max(_LAST, 1 - n / steps)
        )
        mean = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(_MEAN_KEEPS))
        begun, total = time.monotonic(), 0.0
        batches = self._batches(groups)
        for step in range(1, steps + 1):
            batch = next(batches)
            loss = nn.functional.cross_entropy(
                self.forward(batch), torch.tensor([row[3] for row in batch]), label_smoothing=_SMOOTHED
            )
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.matrices.values(), 1.0)
            optimiser.step()
            schedule.step()
            if step >= _MEAN_FROM:
                mean.update_parameters(model)
            total += loss.item()
            if step % 25 == 0 or step == steps:
                print(f"{step}/{steps}: loss {total / 25:.3f}, {time.monotonic() - begun:.0f} s", flush=True)
                total = 0.0
        if steps >= _MEAN_FROM:
            self.model = cast(CrossEncoder, mean.module)

    def _batches(self, groups: Sequence[Sequence[Row]]) -> Iterator[list[Row]]:
        order = list(range(len(groups)))
        batch: list[Row] = []
        while True:
            self.chance.shuffle(order)
            for i in order:
                batch += self._as_practised(groups[i])
                if len(batch) >= BATCH:
                    yield batch
                    batch = []

    def _as_practised(self, group: Sequence[Row]) -> list[Row]:
        """The answers to one question; at times one of the right answers is the ground truth, and that an answer.

        What is right or wrong by the ground truth is so by another answer that says the same. The model so meets truths
        of all lengths and manners, and cannot learn from the manner of the truth's writer.
        """
        right = [row for row in group if row[3] == 0 and row[2] != row[1]]
        if not right or self.chance.random() >= _TURNED:
            return list(group)
        question, truth, told, _ = self.chance.choice(right)
        return [(question, told, truth, 0)] + [(q, told, a, label) for q, _, a, label in group if a != told]


def fit_weighing(groups: Sequence[Sequence[Row]], folder: Path) -> Path:
    """Fits how rules and the model in `folder` are weighed, on answers that neither has seen; writes it beside it."""
    from sklearn.linear_model import LogisticRegression

    model = shipped.Equivalence.load(folder)
    rows = [row for group in groups for row in group]
    verdicts = [judge_texts(*row[:3])[0] for row in rows]
    rows = [row for row, verdict in zip(rows, verdicts, strict=True) if verdict != "missing"]
    passed = [verdict == "correct" for verdict in verdicts if verdict != "missing"]
    read = [
        logits
        for start in range(0, len(rows), 64)
        for logits in model.logits([r[:3] for r in rows[start : start + 64]])
    ]
    found = [
        signs(Case(*row[:3]).kind, passes, logits, *row[1:3])
        for row, passes, logits in zip(rows, passed, read, strict=True)
    ]
    fitted = LogisticRegression(C=1.0, max_iter=5000).fit(np.array(found), [row[3] for row in rows])
    return store(fitted.coef_, fitted.intercept_, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the small model of the lexical judge.")
    parser.add_argument("--epochs", type=float, default=2.5)
    parser.add_argument("--rows", type=Path, action="append", default=[], help="more labelled answers, one a line")
    parser.add_argument("--start", type=Path, help="go on from an earlier fit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--weigh-only", action="store_true", help="keep the model, fit the weighing with the rules again"
    )
    args = parser.parse_args()
    groups, unseen = read_answers(rows=args.rows)
    folder = ASSETS_DIR / "judge"
    if not args.weigh_only:
        fit = Fit(args.seed, dict(np.load(args.start)) if args.start else None)
        fit.run(groups, args.epochs)
        folder.mkdir(exist_ok=True)
        arrays: dict[str, Any] = fit.model.arrays()
        arrays |= {"format_version": shipped.FORMAT_VERSION, "text_encoder": VERSION}
        np.savez_compressed(folder / shipped.FILE_NAME, **arrays)
        print(folder / shipped.FILE_NAME)
    print(fit_weighing(unseen, folder))


if __name__ == "__main__":
    main()
