"""Fits the maps of `affinity`: `python -m assistant.answering.affinity_training` (eight minutes on two cores).

Two losses at once. Over properties: what is asked for comes near to what tells it, among what tells others and what
nearly tells it. Over things (`data/readings`): a question comes near to the facts that answer it, among all that is
known of the same thing, with "none of these" as a choice. The things that the weighing is fitted on are left out.
Sentence vectors are computed once; needs torch, using what comes out does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from assistant.answering.affinity import FILE_NAME, INPUT_SCALE
from assistant.answering.match_training import HELD_OUT
from assistant.answering.practice import DATA_DIR, practices, read_things
from assistant.answering.respects import FAMILIES, NONE
from assistant.answering.respects_training import vectors_of, wordings
from assistant.search.text_encoder import VERSION
from assistant.settings import ASSETS_DIR

STEPS, HIDDEN, DROP_OUT = 2200, 768, 0.1
LEARNING_RATE, SCALES_RATE, DECAY, WARM_UP = 1e-3, 5e-3, 0.02, 50
#: In each step: properties, with two questions and two statements each, and questions about things.
PROPERTIES, QUESTIONS = 110, 48
#: Starts of the logarithms of how much a cosine counts, and of the cosine that "none of these" is worth.
_SHARP, _SHARP_THINGS, _NONE_COSINE = 3.0, 2.5, 0.4
_FAR = -1e9
Vectors = Callable[[Sequence[str]], np.ndarray]


class Towers(nn.Module):
    """Both networks of `affinity.Tower`, starting as what changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.towers: Any = nn.ModuleDict(
            {
                name: nn.ModuleDict({"inner": nn.Linear(384, HIDDEN), "outer": nn.Linear(HIDDEN, 384)})
                for name in ("asked", "told")
            }
        )
        tower: Any
        for tower in self.towers.values():
            nn.init.zeros_(tower["outer"].weight)
            nn.init.zeros_(tower["outer"].bias)
        self.drop = nn.Dropout(DROP_OUT)
        self.scales = nn.Parameter(torch.tensor([_SHARP, _SHARP_THINGS, _NONE_COSINE]))

    def forward(self, vectors: torch.Tensor, tower: str) -> torch.Tensor:
        layers = self.towers[tower]
        hidden = self.drop(functional.gelu(layers["inner"](vectors * INPUT_SCALE), approximate="tanh"))
        return functional.normalize(vectors + layers["outer"](hidden), dim=1)

    def arrays(self) -> dict[str, np.ndarray]:
        """What `affinity.affinity` reads."""
        out = {}
        for name, layers in self.towers.items():
            for part in ("inner", "outer"):
                out[f"{name}_{part}"] = layers[part].weight.detach().numpy().T.astype(np.float16)
                out[f"{name}_{part}_bias"] = layers[part].bias.detach().numpy().astype(np.float32)
        return out


@dataclass(frozen=True)
class Material:
    """Rows of `vectors`: by property its questions, statements and near statements; and of each question about a thing
    the question, the facts about the thing and whether each answers.
    """

    vectors: torch.Tensor
    properties: list[tuple[list[int], list[int], list[int]]]
    questions: list[tuple[int, list[int], list[int]]]


def material(files: Sequence[Path], vectors: Vectors) -> Material:
    """All the practice there is, with the things of `files`."""
    by_kind: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for family in FAMILIES:
        asked, told, near = _by_property(family)
        for kind in asked:
            by_kind[f"{family}:{kind}"] = asked[kind], told.get(kind, []), near.get(kind, [])
    things = [
        (
            p.text,
            [(c.text, int(y == 1)) for c, y in zip(p.candidates, p.answers, strict=True) if not c.onward and y >= 0],
        )
        for t in read_things(files)
        for p in practices(t)
        if p.question["type"] != "hop"
    ]
    texts = {x for lists in by_kind.values() for part in lists for x in part}
    texts |= {q for q, _ in things} | {f for _, facts in things for f, _ in facts}
    ordered = sorted(texts, key=lambda t: (len(t), t))
    row = {t: i for i, t in enumerate(ordered)}
    return Material(
        torch.from_numpy(np.asarray(vectors(ordered), np.float32)),
        [tuple([row[x] for x in part] for part in parts) for parts in by_kind.values() if all(parts[:2])],  # type: ignore[misc]
        [(row[q], [row[f] for f, _ in facts], [y for _, y in facts]) for q, facts in things],
    )


def _by_property(family: str) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, list[str]]]:
    asked: dict[str, list[str]] = {}
    told: dict[str, list[str]] = {}
    near: dict[str, list[str]] = {}
    questions, facts = wordings(family)  # type: ignore[arg-type]
    for text, kind in questions:
        asked.setdefault(kind, []).append(text)
    last = ""
    for text, kind in facts:  # what nearly tells a property stands behind what tells it
        if kind == NONE:
            near.setdefault(last, []).append(text)
        else:
            last = kind
            told.setdefault(kind, []).append(text)
    return asked, told, near


def _property_loss(model: Towers, of: Material, chance: np.random.Generator) -> torch.Tensor:
    """Questions against statements of several properties, and the other way round."""
    asked: list[int] = []
    told: list[int] = []
    owner_asked: list[int] = []
    owner_told: list[int] = []
    for n in chance.choice(len(of.properties), min(PROPERTIES, len(of.properties)), replace=False):
        questions, facts, near = of.properties[n]
        asked += [int(x) for x in chance.choice(questions, 2)]
        told += [int(x) for x in chance.choice(facts, 2)]
        owner_asked += [n, n]
        owner_told += [n, n]
        if near:
            told.append(int(chance.choice(near)))
            owner_told.append(-1)
    z = model(of.vectors[asked], "asked") @ model(of.vectors[told], "told").T * model.scales[0].exp()
    owners = torch.tensor(owner_told)
    same = torch.tensor(owner_asked)[:, None] == owners[None]
    found = torch.log_softmax(z, 1).masked_fill(~same, _FAR).logsumexp(1)
    states = owners >= 0
    back = torch.log_softmax(z[:, states], 0).masked_fill(~same[:, states], _FAR).logsumexp(0)
    return -found.mean() - 0.5 * back.mean()


def _thing_loss(model: Towers, of: Material, chosen: Sequence[int]) -> torch.Tensor:
    """Questions against all that is known of their things."""
    rows = [of.questions[i] for i in chosen]
    widest = max(len(facts) for _, facts, _ in rows)
    there = torch.zeros(len(rows), widest, dtype=torch.bool)
    right = torch.zeros(len(rows), widest, dtype=torch.bool)
    for i, (_, facts, labels) in enumerate(rows):
        there[i, : len(facts)] = True
        right[i, : len(facts)] = torch.tensor(labels) > 0
    told = torch.zeros(len(rows), widest, of.vectors.shape[1])
    told[there] = model(of.vectors[[f for _, facts, _ in rows for f in facts]], "told")
    asked = model(of.vectors[[q for q, _, _ in rows]], "asked")
    sharp = model.scales[1].exp()
    z = ((told * asked[:, None]).sum(2) * sharp).masked_fill(~there, _FAR)
    z = torch.cat([z, (model.scales[2] * sharp).expand(len(rows), 1)], 1)
    chances = torch.log_softmax(z, 1)
    found = chances[:, :-1].masked_fill(~right, _FAR).logsumexp(1)
    return -torch.where(right.any(1), found, chances[:, -1]).mean()


def fit(of: Material, steps: int = STEPS, seed: int = 0, progress: Callable[[str], None] = print) -> Towers:
    """The fitted networks."""
    torch.manual_seed(seed)
    chance, model = np.random.default_rng(seed), Towers()
    groups = [
        {"params": list(model.towers.parameters()), "lr": LEARNING_RATE, "weight_decay": DECAY},
        {"params": [model.scales], "lr": SCALES_RATE, "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda n: min(1.0, (n + 1) / WARM_UP) * max(0.02, 1 - n / steps)
    )
    order: list[int] = []
    for step in range(steps):
        if len(order) < QUESTIONS:
            order = [int(i) for i in chance.permutation(len(of.questions))]
        chosen, order = order[:QUESTIONS], order[QUESTIONS:]
        loss = _property_loss(model, of, chance) + _thing_loss(model, of, chosen)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if (step + 1) % 200 == 0:
            progress(f"{step + 1}: loss {loss.item():.3f}")
    return model.eval()


def main(path: Path = ASSETS_DIR / "reader" / FILE_NAME, vectors: Vectors = vectors_of) -> None:
    files = [f for f in sorted(DATA_DIR.glob("*.jsonl")) if f.name not in HELD_OUT]
    model = fit(material(files, vectors))
    np.savez_compressed(path, encoder=np.array(VERSION), **model.arrays())  # type: ignore[arg-type]
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
