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
from typing import Any

import numpy as np
import torch
from torch import nn

from assistant.answering.match_pools import Vectors
from assistant.answering.match_training import CrossEncoder, mean_of
from assistant.search.text_encoder import VERSION
from assistant.settings import ASSETS_DIR
from eval import equivalence as shipped
from eval.labelled_answers import Row, read_answers
from eval.lexical import judge_texts
from eval.lexical_case import Case
from eval.lexical_weighing import fit, signs, store

BATCH, PART = 48, 12
LEARNING_RATE, HEADS_RATE, COSINE_RATE, WARM_UP = 1e-4, 5e-4, 1e-2, 30
_LAST, _SMOOTHED = 0.02, 0.05
#: The mean of the weights begins with this step, and keeps so much of itself at each.
_MEAN_FROM, _MEAN_KEEPS = 100, 0.998
#: How often an answer takes the place of the ground truth, and how often something is said before or after an answer.
_TURNED, _CHATTED = 0.4, 0.12
#: How much likelier the answers of new hands are drawn than others that were drawn as often (`--new-from`).
_NEW = 4.0
_START_COSINE, _START_BIAS = (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)
_BEFORE = (
    "Good question!", "Sure!", "Let me see.", "Looking at what is in front of you,", "From what I can find,",
    "Here is what I know:", "Okay, so,", "Well,", "As far as I can tell,", "Based on the image,", "Happy to help!",
    "According to what I found,", "Great question.", "Interesting one.", "That's easy:", "Right,", "I looked it up.",
    "One moment. Here it is:", "Thanks for asking.", "Judging by the picture,", "Ah, this one.", "Of course.", "So,",
)  # fmt: skip
_AFTER = (
    "Let me know if you'd like more.", "Hope that helps!", "Anything else?", "I can tell you more if you like.",
    "Enjoy!", "Just ask if you need more detail.", "Feel free to ask a follow-up.", "That's what the sources say.",
    "Is there anything else I can do?", "Want me to look up something else?", "I hope this answers it.",
)  # fmt: skip


class Fit:
    """One fit: the model, which reads in bfloat16, its matrices in float32 beside it, the texts' plain vectors."""

    def __init__(self, seed: int, start: Mapping[str, np.ndarray] | None) -> None:
        torch.manual_seed(seed)
        self.chance = random.Random(seed)
        self.vectors = Vectors()
        self.model = CrossEncoder(_START_COSINE, _START_BIAS, shipped.MAX_TOKENS)
        if start is not None:
            self.model.start_from(start)
        self.exact = {name: nn.Parameter(weight.detach().clone()) for name, weight in self.model.matrices.items()}
        self.model.bert.to(torch.bfloat16)  # without casts at every step it is read and fitted twice as fast

    def run(self, groups: Sequence[Sequence[Row]], epochs: float, drawn: Sequence[float]) -> None:
        """So many times through all answers; those to one question stay together, as they say most about each other.
        What is kept is the running mean of the weights of about the last five hundred steps.

        Args:
            drawn: how likely each group is drawn in relation to the others that were drawn as often.
        """
        heads, cosine = list(self.model.heads.parameters()), self.model.cosine_weight
        optimiser = torch.optim.AdamW(
            [
                {"params": list(self.exact.values()), "lr": LEARNING_RATE},
                {"params": heads, "lr": HEADS_RATE},
                {"params": [cosine], "lr": COSINE_RATE},
            ],
            weight_decay=0.01,
            fused=True,
        )
        steps = max(1, round(epochs * sum(map(len, groups)) / BATCH))
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimiser, lambda n: min(1.0, (n + 1) / WARM_UP) * max(_LAST, 1 - n / steps)
        )
        kept = [*self.exact.values(), *heads, cosine]
        mean: list[torch.Tensor] = []
        begun, total = time.monotonic(), 0.0
        batches = self._batches(groups, drawn)
        for step in range(1, steps + 1):
            optimiser.zero_grad(set_to_none=False)
            total += self._gradients(next(batches))
            nn.utils.clip_grad_norm_(self.exact.values(), 1.0)
            optimiser.step()
            schedule.step()
            with torch.no_grad():
                self._laid_over(self.exact)
                if mean:
                    torch._foreach_lerp_(mean, [p.data for p in kept], 1 - _MEAN_KEEPS)
                elif step >= _MEAN_FROM:
                    mean = [p.detach().clone() for p in kept]
            if step % 25 == 0 or step == steps:
                print(
                    f"{step}/{steps}: loss {total / (step % 25 or 25):.3f}, {time.monotonic() - begun:.0f} s",
                    flush=True,
                )
                total = 0.0
        for parameter, value in zip(kept, mean, strict=False):
            parameter.data = value

    def arrays(self) -> dict[str, np.ndarray]:
        """What `Equivalence.load` reads."""
        self.model.bert.float()
        self._laid_over(self.exact)
        return self.model.arrays()

    def _gradients(self, rows: Sequence[Row]) -> float:
        """Adds the gradients of one batch and returns its loss; texts of like length are read together."""
        order = sorted(range(len(rows)), key=lambda i: sum(map(len, rows[i][:3])))
        total = 0.0
        for at in range(0, len(order), PART):
            part = [rows[i] for i in order[at : at + PART]]
            truths = self.vectors([truth for _, truth, _, _ in part])
            answers = self.vectors([answer for _, _, answer, _ in part])
            cosines = torch.from_numpy((truths * answers).sum(axis=1).astype(np.float32))
            read = self.model([shipped.pair(*row[:3]) for row in part], cosines)
            wanted = torch.tensor([row[3] for row in part])
            loss = nn.functional.cross_entropy(read, wanted, label_smoothing=_SMOOTHED, reduction="sum") / len(rows)
            loss.backward()
            total += loss.item()
            for name, weight in self.model.matrices.items():
                exact = self.exact[name]
                assert weight.grad is not None
                exact.grad = weight.grad.float() if exact.grad is None else exact.grad.add_(weight.grad)
                weight.grad = None
        return total

    def _laid_over(self, exact: Mapping[str, torch.Tensor]) -> None:
        for name, weight in self.model.matrices.items():
            weight.data.copy_(exact[name].data)

    def _batches(self, groups: Sequence[Sequence[Row]], drawn: Sequence[float]) -> Iterator[list[Row]]:
        """Groups that were drawn least are likeliest to come."""
        seen, wanted = np.zeros(len(groups)), np.asarray(drawn, float)
        random_ = np.random.default_rng(self.chance.randrange(2**32))
        batch: list[Row] = []
        while True:
            weights = wanted / (1 + seen) ** 2
            for i in random_.choice(len(groups), min(8, len(groups)), replace=False, p=weights / weights.sum()):
                seen[i] += 1
                batch += [self._chatted(row) for row in self._as_practised(groups[i])]
            while len(batch) >= BATCH:
                yield batch[:BATCH]
                batch = batch[BATCH:]

    def _chatted(self, row: Row) -> Row:
        """At times with an opening or a closing that says nothing, as assistants have them."""
        question, truth, answer, label = row
        chance = self.chance.random()
        if chance < _CHATTED / 2:
            answer = f"{self.chance.choice(_BEFORE)} {answer}"
        elif chance < _CHATTED:
            answer = f"{answer.rstrip()}{'' if answer.rstrip()[-1:] in '.!?' else '.'} {self.chance.choice(_AFTER)}"
        return question, truth, answer, label

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


def fit_weighing(hands: Mapping[str, Sequence[Sequence[Row]]], folder: Path) -> Path:
    """Fits how rules and the model in `folder` are weighed, on answers that neither has seen; writes it beside it."""
    model = shipped.Equivalence.load(folder)
    rows = [(hand, row) for hand, groups in hands.items() for group in groups for row in group]
    told = [(hand, row, *judge_texts(*row[:3])) for hand, row in rows]
    judged = [(hand, row, v) for hand, row, v, why in told if v != "missing" and why != "equal to the ground truth"]
    texts = [row[:3] for _, row, _ in judged]
    read = np.concatenate([model.logits(texts[start : start + 64]) for start in range(0, len(texts), 64)])
    found = [
        signs(Case(*row[:3]).kind, verdict == "correct", logits, *row[1:3])
        for (_, row, verdict), logits in zip(judged, read, strict=True)
    ]
    labels = np.array([row[3] for _, row, _ in judged])
    return store(fit(np.array(found), labels, np.array([hand for hand, *_ in judged])), folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the small model of the lexical judge.")
    parser.add_argument("--epochs", type=float, default=2.5)
    parser.add_argument("--rows", type=Path, action="append", default=[], help="more labelled answers, one a line")
    parser.add_argument("--start", type=Path, help="go on from an earlier fit")
    parser.add_argument("--new-from", type=int, default=10**6, help="hands from this number on are new")
    parser.add_argument("--mean-with", type=Path, metavar="FILE", help="fit nothing: the mean with another fit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--weigh-only", action="store_true", help="keep the model, fit the weighing with the rules again"
    )
    args = parser.parse_args()
    hands, unseen = read_answers(rows=args.rows)
    folder = ASSETS_DIR / "judge"
    if not args.weigh_only:
        if args.mean_with:
            found = mean_of(dict(np.load(folder / shipped.FILE_NAME)), dict(np.load(args.mean_with)))
        else:
            fit = Fit(args.seed, dict(np.load(args.start)) if args.start else None)
            new = {hand: _NEW if hand.isdecimal() and int(hand) >= args.new_from else 1.0 for hand in hands}
            drawn = [new[hand] for hand, groups in hands.items() for _ in groups]
            fit.run([group for groups in hands.values() for group in groups], args.epochs, drawn)
            found = fit.arrays()
        folder.mkdir(exist_ok=True)
        arrays: dict[str, Any] = {**found, "format_version": shipped.FORMAT_VERSION, "text_encoder": VERSION}
        np.savez_compressed(folder / shipped.FILE_NAME, **arrays)
        print(folder / shipped.FILE_NAME)
    print(fit_weighing(unseen, folder))


if __name__ == "__main__":
    main()
