"""Fits the matcher: `python -m assistant.answering.match_training` (an hour on one core), then the weighing.

Low-rank changes to MiniLM's matrices and two outputs, by cross-entropy over the facts of one question: each for itself,
and against each other with "none of these" as a choice. The weighing (`weigh`) is then fitted on things that the
matcher has not seen. Reads no benchmark, no generated world and no test data. Needs torch and transformers; using what
comes out needs neither.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from assistant.answering import matcher as shipped
from assistant.answering.match_pools import Pools, Vectors
from assistant.answering.practice import DATA_DIR, read_things
from assistant.search.text_encoder import VERSION, TextEncoder
from assistant.settings import ASSETS_DIR

#: The file of readings that the matcher does not see and the weighing is fitted on.
HELD_OUT = "e.jsonl"
RANK, QUESTIONS = 32, 12
LEARNING_RATE, COSINE_RATE, WARM_UP = 1e-3, 2e-2, 30
#: Share of the learning rate when a fit is taken up again.
CONTINUED = 0.5
_START_COSINE, _START_BIAS = (8.0, 4.0), (-5.0, -4.0)


class _LowRank(nn.Module):
    """A frozen linear layer plus a trained change of low rank."""

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.randn(base.in_features, rank) / math.sqrt(base.in_features))
        self.b = nn.Parameter(torch.zeros(rank, base.out_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + (x @ self.a) @ self.b


class CrossEncoder(nn.Module):
    """MiniLM reading question and fact together, as `MiniLM.encode_pairs` does, with the two outputs of `Matcher`."""

    def __init__(self, rank: int = RANK) -> None:
        super().__init__()
        from tokenizers import Tokenizer
        from transformers import BertModel

        folder = TextEncoder().folder()
        self.bert: Any = BertModel.from_pretrained(folder, add_pooling_layer=False, local_files_only=True)
        self.bert.requires_grad_(False)
        for layer in self.bert.encoder.layer:
            attention: Any = layer.attention
            for holder, names in (
                (attention.self, ("query", "key", "value")),
                (attention.output, ("dense",)),
                (layer.intermediate, ("dense",)),
                (layer.output, ("dense",)),
            ):
                for name in names:
                    setattr(holder, name, _LowRank(getattr(holder, name), rank))
        self.heads = nn.Linear(384, 2)
        nn.init.normal_(self.heads.weight, std=0.02)
        self.heads.bias.data = torch.tensor(_START_BIAS)
        self.cosine_weight = nn.Parameter(torch.tensor(_START_COSINE))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(shipped.MAX_TOKENS)
        self._tokenizer.enable_padding()

    def forward(self, pairs: Sequence[tuple[str, str]], cosines: torch.Tensor) -> torch.Tensor:
        read = self._tokenizer.encode_batch(list(pairs))
        ids = torch.tensor([r.ids for r in read])
        there = torch.tensor([r.attention_mask for r in read])
        hidden = self.bert(input_ids=ids, attention_mask=there).last_hidden_state.float()
        means = (hidden * there.unsqueeze(-1)).sum(1) / there.sum(1, keepdim=True)
        return self.heads(means) + cosines[:, None] * self.cosine_weight

    def start_from(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes up what `arrays` gave, of the same rank."""
        for name, module in self.bert.named_modules():
            if isinstance(module, _LowRank):
                module.a.data = torch.from_numpy(arrays[f"{name}.a"].astype(np.float32))
                module.b.data = torch.from_numpy(arrays[f"{name}.b"].astype(np.float32))
        self.heads.weight.data = torch.from_numpy(arrays["heads"].astype(np.float32).T.copy())
        self.heads.bias.data = torch.from_numpy(arrays["offset"].astype(np.float32))
        self.cosine_weight.data = torch.from_numpy(arrays["cosine_weight"].astype(np.float32))

    def arrays(self) -> dict[str, np.ndarray]:
        """What `Matcher.load` reads."""
        out = {
            f"{name}.{side}": getattr(module, side).detach().numpy().astype(np.float16)
            for name, module in self.bert.named_modules()
            if isinstance(module, _LowRank)
            for side in ("a", "b")
        }
        out["heads"] = self.heads.weight.detach().numpy().T.astype(np.float32)
        out["offset"] = self.heads.bias.detach().numpy().astype(np.float32)
        out["cosine_weight"] = self.cosine_weight.detach().numpy().astype(np.float32)
        return out


def _cosines(vectors: Vectors, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
    left, right = vectors([p[0] for p in pairs]), vectors([p[1] for p in pairs])
    return torch.from_numpy((left * right).sum(axis=1).astype(np.float32))


def _loss(out: torch.Tensor, answers: torch.Tensor, links: torch.Tensor, spans: list[tuple[int, int]]) -> torch.Tensor:
    each = nn.functional.binary_cross_entropy_with_logits
    total = 2.0 * each(out[:, 0], answers) + 0.5 * each(out[:, 1], links)
    for start, end in spans:  # against each other, with "none of these" at zero
        chances = torch.log_softmax(torch.cat([out[start:end, 0], torch.zeros(1)]), 0)
        right = answers[start:end] > 0
        total = total - 0.5 / len(spans) * (torch.logsumexp(chances[:-1][right], 0) if right.any() else chances[-1])
    return total


def _forward(model: CrossEncoder, pairs: list[tuple[str, str]], vectors: Vectors) -> torch.Tensor:
    """Texts of like length together, so that little padding is computed."""
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
    out = []
    for part in np.array_split(order, 4):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            chosen = [pairs[i] for i in part]
            out.append(model(chosen, _cosines(vectors, chosen)).float())
    return torch.cat(out)[torch.from_numpy(np.argsort(order))]


def fit(
    things: Sequence[dict[str, Any]], steps: int, seed: int = 0, start: Mapping[str, np.ndarray] | None = None
) -> dict[str, np.ndarray]:
    """The matcher's arrays, from the things given and the data that `match_pools` reads."""
    torch.manual_seed(seed)
    vectors = Vectors()
    pools = Pools(things, vectors, seed)
    model = CrossEncoder(RANK if start is None else next(v.shape[1] for n, v in start.items() if n.endswith(".a")))
    if start is not None:
        model.start_from(start)
    rest = [p for n, p in model.named_parameters() if p.requires_grad and n != "cosine_weight"]
    slower = 1.0 if start is None else CONTINUED
    groups = [
        {"params": rest, "lr": LEARNING_RATE * slower},
        {"params": [model.cosine_weight], "lr": COSINE_RATE * slower},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda n: min(1.0, (n + 1) / WARM_UP) * max(0.02, 1 - n / steps)
    )
    started, total = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        pairs: list[tuple[str, str]] = []
        answers: list[int] = []
        links: list[int] = []
        spans: list[tuple[int, int]] = []
        for _ in range(QUESTIONS):
            drawn = pools.draw()
            spans.append((len(pairs), len(pairs) + len(drawn[0])))
            for whole, part in zip((pairs, answers, links), drawn, strict=True):
                whole += part  # type: ignore[arg-type, operator]
        out = _forward(model, pairs, vectors)
        loss = _loss(out, torch.tensor(answers).float(), torch.tensor(links).float(), spans)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(rest, 1.0)
        optimiser.step()
        schedule.step()
        total += float(loss)
        if step % 25 == 0:
            print(f"{step}/{steps}: loss {total / 25:.3f}, {time.monotonic() - started:.0f} s", flush=True)
            total = 0.0
    return model.arrays()


def cut(arrays: Mapping[str, np.ndarray], rank: int) -> dict[str, np.ndarray]:
    """The same changes at a lower rank: the largest singular values of each."""
    out = dict(arrays)
    for name in (n.removesuffix(".a") for n in arrays if n.endswith(".a")):
        left, first = np.linalg.qr(arrays[f"{name}.a"].astype(np.float32))
        right, second = np.linalg.qr(arrays[f"{name}.b"].astype(np.float32).T)
        u, sizes, v = np.linalg.svd(first @ second.T)
        root = np.sqrt(sizes[:rank])
        out[f"{name}.a"] = (left @ u[:, :rank] * root).astype(np.float16)
        out[f"{name}.b"] = ((root[:, None] * v[:rank]) @ right.T).astype(np.float16)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the model that reads question and fact together.")
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--weigh-only", action="store_true", help="keep the matcher, fit the weighing again")
    parser.add_argument("--continued", action="store_true", help="go on from the shipped matcher")
    parser.add_argument("--cut", type=int, metavar="RANK", help="lower the rank of what was fitted")
    args = parser.parse_args()
    files, folder = sorted(DATA_DIR.glob("*.jsonl")), ASSETS_DIR / "reader"
    if not args.weigh_only:
        target = folder / shipped.FILE_NAME
        start = dict(np.load(target)) if args.continued else None
        arrays: dict[str, Any] = fit(read_things(f for f in files if f.name != HELD_OUT), args.steps, start=start)
        arrays = cut(arrays, args.cut) if args.cut else arrays
        np.savez_compressed(target, format_version=shipped.FORMAT_VERSION, text_encoder=VERSION, **arrays)
        print(target)
    from assistant.answering.weigh_training import fit_weighing

    fit_weighing(read_things([DATA_DIR / HELD_OUT]), folder)


if __name__ == "__main__":
    main()
