"""Fits the models of `respects`: `python -m assistant.answering.respects_training` (four minutes on two cores).

On `data/properties`, `data/wordings` and `data/relations`: how some two thousand properties and relations are asked
for, named and stated, by hands that saw neither this program nor any generated world. Each model is a softmax over the
properties of its family on MiniLM vectors; what looks like a statement of a property and is none is a class of its own
that counts little. Much decay and few rounds: what counts is not which of two hands' wordings of one property it was,
but what else it may have been. Needs torch; using what comes out does not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from assistant.answering.concept_training import read_all_wordings
from assistant.answering.hops import asked_for
from assistant.answering.match_pools import RELATIONS_DIR, as_fact
from assistant.answering.matcher import attribute_text
from assistant.answering.respects import FAMILIES, FILE_NAME, NONE, Family
from assistant.search.text_encoder import VERSION, text_encoder
from assistant.settings import ASSETS_DIR

#: (text, property).
Wording = tuple[str, str]
ROUNDS, LEARNING_RATE, DECAY, NONE_WEIGHT = 12, 0.01, 1.0, 0.1
_BATCH, _SCALE = 512, 30.0
_AT_ONCE = 512


def wordings(family: Family) -> tuple[list[Wording], list[Wording]]:
    """What is asked and what is told in the properties of a family; names are "it"."""
    asked: list[Wording] = []
    told: list[Wording] = []
    if family == "thing":
        for p in read_all_wordings():
            kind = f"thing:{p['id']}"
            values = p["values"] * len(p["keys"])
            asked += [(a, kind) for a in p["asks"]]
            told += [(attribute_text(k, str(v)), kind) for k, v in zip(p["keys"], values, strict=False)]
            told += [(f, kind) for f in p["facts"]] + [(as_fact(f), NONE) for f in p["near"]]
        return asked, told
    of, asks = ("of", "asks") if family == "behind" else ("target", "phrases")
    name = "outer" if family == "behind" else "relations"
    for line in (RELATIONS_DIR / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = f"{row[of]}:{row['id']}"
        asked += [(a.replace("{x}", "it") if family == "behind" else asked_for(a), kind) for a in row[asks]]
        told += [(_plain(f), kind) for f in row["facts"]] + [(_plain(f), NONE) for f in row["near"]]
    return asked, told


def _plain(fact: str) -> str:
    return as_fact(fact).replace("{n}", "it")


def vectors_of(texts: Sequence[str]) -> np.ndarray:
    """(n, 384) float32."""
    encode = text_encoder().encode
    return np.concatenate([encode(list(texts[i : i + _AT_ONCE])) for i in range(0, len(texts), _AT_ONCE)])


def fit(vectors: np.ndarray, kinds: Sequence[int], n_kinds: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights (n_kinds, 384) and biases; the last kind is "none"."""
    torch.manual_seed(0)
    x, y = torch.from_numpy(vectors).float(), torch.tensor(kinds)
    weights, bias = torch.zeros(n_kinds, x.shape[1], requires_grad=True), torch.zeros(n_kinds, requires_grad=True)
    count = torch.ones(n_kinds)
    count[-1] = NONE_WEIGHT
    optimizer = torch.optim.AdamW([weights, bias], lr=LEARNING_RATE, weight_decay=DECAY)
    batch = min(_BATCH * (2 if len(y) > 20_000 else 1), len(y))
    steps, step = ROUNDS * (len(y) // batch), 0
    for _ in range(ROUNDS):
        order = torch.randperm(len(y))
        for i in range(0, len(y) - batch + 1, batch):
            chosen = order[i : i + batch]
            logits = _SCALE * (x[chosen] @ weights.T) + bias
            loss = torch.nn.functional.cross_entropy(logits, y[chosen], weight=count)
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - step / steps) + 1e-4
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
    return _SCALE * weights.detach().numpy(), bias.detach().numpy()


def fitted(family: Family) -> dict[str, np.ndarray]:
    """The arrays of one family as they are stored."""
    asked, told = wordings(family)
    kinds = [*sorted({k for _, k in asked}), NONE]
    number = {k: i for i, k in enumerate(kinds)}
    out: dict[str, np.ndarray] = {f"{family}_kinds": np.array(kinds)}
    for part, pairs in (("asked", asked), ("told", told)):
        weights, bias = fit(vectors_of([t for t, _ in pairs]), [number[k] for _, k in pairs], len(kinds))
        out[f"{family}_{part}"], out[f"{family}_{part}_bias"] = weights.astype(np.float16), bias.astype(np.float32)
    print(f"{family}: {len(kinds) - 1} properties, {len(asked)} wordings of questions, {len(told)} of facts")
    return out


def main(path: Path = ASSETS_DIR / "reader" / FILE_NAME) -> None:
    arrays = {"encoder": np.array(VERSION)}
    for family in FAMILIES:
        arrays |= fitted(family)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
