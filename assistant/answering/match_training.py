"""Fits the matcher: `python -m assistant.answering.match_training` (an hour on two cores), then the weighing.

MiniLM's matrices and two outputs, by cross-entropy over the facts of one question: each for itself, and against each
other with "none of these" as a choice. In its first hour the facts that it practised on were judged hardly better than
those it never saw; after three and a half hours, over more material, the loss hardly fell any more. What brought it
further was other material: an hour over questions asked plainly, then an hour and a half over twice as many lots of
them, with fewer facts to each question and so more questions in the time. The weighing (`weigh`) is then fitted on
things that the matcher has not seen. Reads no benchmark, no generated world and no test data. Needs torch and
transformers; using what comes out needs neither.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from assistant.answering import matcher as shipped
from assistant.answering.match_pools import Pools, Vectors
from assistant.answering.practice import DATA_DIR, PLAIN, read_things
from assistant.search.text_encoder import VERSION, TextEncoder
from assistant.settings import ASSETS_DIR

#: The files of readings that the matcher does not see and the weighing is fitted on (the shipped one without "42").
HELD_OUT = (
    *("e.jsonl", "s.jsonl", "zd.jsonl"),
    *(f"{PLAIN}{n}.jsonl" for n in ("03", "08", "11", "17", "18", "19", "29", "37", "42")),
)
QUESTIONS = 16
LEARNING_RATE, HEADS_RATE, COSINE_RATE, WARM_UP = 1e-4, 5e-4, 1e-2, 30
#: The learning rate falls evenly to this share of itself.
_LAST = 0.02
#: What is there is written every so often, so that a fit that is stopped is not lost.
_SAVED_EVERY_S = 600.0
_START_COSINE, _START_BIAS = (8.0, 4.0), (-5.0, -4.0)


class CrossEncoder(nn.Module):
    """MiniLM reading two texts together, as `MiniLM.encode_pairs` does; by default with the two outputs of `Matcher`.

    Args:
        cosine: what a cosine of one adds to each output at first.
        bias: of each output at first.
        max_tokens: of both texts together; the longer one is cut first.
    """

    def __init__(
        self,
        cosine: Sequence[float] = _START_COSINE,
        bias: Sequence[float] = _START_BIAS,
        max_tokens: int = shipped.MAX_TOKENS,
    ) -> None:
        super().__init__()
        from tokenizers import Tokenizer
        from transformers import BertModel

        folder = TextEncoder().folder()
        self.bert: Any = BertModel.from_pretrained(
            folder,
            add_pooling_layer=False,
            local_files_only=True,
            attn_implementation="eager",  # twice as fast backwards here as the fused attention, on pairs this short
        )
        self.bert.requires_grad_(False)
        self.matrices: dict[str, torch.Tensor] = {
            name: module.weight for name, module in self.bert.named_modules() if isinstance(module, nn.Linear)
        }
        for weight in self.matrices.values():
            weight.requires_grad_()
        self._plain = {name: weight.detach().clone() for name, weight in self.matrices.items()}
        self.heads = nn.Linear(384, len(bias))
        nn.init.normal_(self.heads.weight, std=0.02)
        self.heads.bias.data = torch.tensor(list(bias))
        self.cosine_weight = nn.Parameter(torch.tensor(list(cosine)))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding(pad_to_multiple_of=8)  # few shapes: kernels are made for each

    def forward(self, pairs: Sequence[tuple[str, str]], cosines: torch.Tensor) -> torch.Tensor:
        read = self._tokenizer.encode_batch(list(pairs))
        ids = torch.tensor([r.ids for r in read])
        there = torch.tensor([r.attention_mask for r in read])
        hidden = self.bert(input_ids=ids, attention_mask=there).last_hidden_state.float()
        means = (hidden * there.unsqueeze(-1)).sum(1) / there.sum(1, keepdim=True)
        return self.heads(means) + cosines[:, None] * self.cosine_weight

    def start_from(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes up what `arrays` gave."""
        for name, change in shipped.changes_in(arrays).items():
            self.matrices[name].data = self._plain[name] + torch.from_numpy(change.T.copy())
        self.heads.weight.data = torch.from_numpy(arrays["heads"].astype(np.float32).T.copy())
        self.heads.bias.data = torch.from_numpy(arrays["offset"].astype(np.float32))
        self.cosine_weight.data = torch.from_numpy(arrays["cosine_weight"].astype(np.float32))

    def arrays(self) -> dict[str, np.ndarray]:
        """What `Matcher.load` reads."""
        out: dict[str, np.ndarray] = {}
        for name, weight in self.matrices.items():
            out |= shipped.stored_change(name, (weight.detach() - self._plain[name]).numpy().T)
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
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for part in np.array_split(order, 4):
            chosen = [pairs[i] for i in part]
            out.append(model(chosen, _cosines(vectors, chosen)).float())
    return torch.cat(out)[torch.from_numpy(np.argsort(order))]


def fit(
    files: Sequence[Path],
    minutes: float,
    keep: Callable[[dict[str, np.ndarray]], None],
    seed: int = 0,
    start: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Fits on things of `files` for so many minutes; `keep` gets the matcher's arrays now and then, and at the end."""
    torch.manual_seed(seed)
    vectors = Vectors()
    plain = [f for f in files if f.name.startswith(PLAIN)]
    pools = Pools(read_things(f for f in files if f not in plain), vectors, seed, read_things(plain))
    model = CrossEncoder()
    if start is not None:
        model.start_from(start)
    groups = [
        {"params": list(model.matrices.values()), "lr": LEARNING_RATE},
        {"params": list(model.heads.parameters()), "lr": HEADS_RATE},
        {"params": [model.cosine_weight], "lr": COSINE_RATE},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    started, kept = time.monotonic(), time.monotonic()
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda n: min(1.0, (n + 1) / WARM_UP) * max(_LAST, 1 - (time.monotonic() - started) / 60 / minutes),
    )
    step, total = 0, 0.0
    while time.monotonic() - started < 60 * minutes:
        loss = _step_loss(model, pools, vectors)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.matrices.values(), 1.0)
        optimiser.step()
        schedule.step()
        step += 1
        total += loss.item()
        if step % 25 == 0:
            print(f"{step}: loss {total / 25:.3f}, {time.monotonic() - started:.0f} s", flush=True)
            total = 0.0
        if time.monotonic() - kept > _SAVED_EVERY_S:
            keep(model.arrays())
            kept = time.monotonic()
    keep(model.arrays())


def _step_loss(model: CrossEncoder, pools: Pools, vectors: Vectors) -> torch.Tensor:
    """The loss over `QUESTIONS` questions drawn anew."""
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
    return _loss(out, torch.tensor(answers).float(), torch.tensor(links).float(), spans)


def mean_of(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights halfway between two fits of one line: they read better than either.

    Source: M. Wortsman et al., "Model soups", ICML 2022.
    """
    first, second = shipped.changes_in(one), shipped.changes_in(other)
    out: dict[str, np.ndarray] = {}
    for name, change in first.items():
        out |= shipped.stored_change(name, (change + second[name]) / 2)
    return out | {n: (one[n] + other[n]) / 2 for n in ("heads", "offset", "cosine_weight")}


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the model that reads question and fact together.")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--weigh-only", action="store_true", help="keep the matcher, fit the weighing again")
    parser.add_argument("--continued", action="store_true", help="go on from the shipped matcher")
    parser.add_argument("--seed", type=int, default=0, help="of the draws: another one when a fit is taken up again")
    parser.add_argument("--lots", nargs="+", metavar="NAME", help="practise on these files of readings only")
    parser.add_argument("--mean-with", type=Path, metavar="FILE", help="fit nothing: the mean with an earlier matcher")
    args = parser.parse_args()
    files, folder = sorted(DATA_DIR.glob("*.jsonl")), ASSETS_DIR / "reader"
    if args.lots:
        unknown = sorted(set(args.lots) - {f.stem for f in files})
        if unknown:
            parser.error(f"no readings of the name {', '.join(unknown)} in {DATA_DIR}")
        files = [f for f in files if f.stem in args.lots]
    if not args.weigh_only:
        target = folder / shipped.FILE_NAME

        def keep(arrays: dict[str, Any]) -> None:
            made = target.with_name(f"{target.stem}.part.npz")
            np.savez_compressed(made, format_version=shipped.FORMAT_VERSION, text_encoder=VERSION, **arrays)
            made.replace(target)

        start = dict(np.load(target)) if args.continued or args.mean_with else None
        if args.mean_with and start is not None:
            keep(mean_of(start, dict(np.load(args.mean_with))))
        else:
            fit([f for f in files if f.name not in HELD_OUT], args.minutes, keep, args.seed, start)
        print(target)
    from assistant.answering.weigh_training import fit_weighing

    # reading a thing closely takes seconds: a quarter of an hour for all of them
    fit_weighing(read_things(DATA_DIR / name for name in HELD_OUT), folder)


if __name__ == "__main__":
    main()
