"""Cross-validation of the question-fact model against plain MiniLM, two ways.

`python -m tests.assistant.answering.concept_validation`, about two minutes. The two ways: wordings never seen of known
properties (questions and facts), and properties never seen, in pools where no property was seen. Then the hand-written
questions of this folder, which nothing is fitted on, as a check from outside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from assistant.answering.concept_training import (
    ASK,
    KEY,
    STATEMENT,
    Wordings,
    fit,
    other_value,
    read_concepts,
    wordings,
)
from assistant.answering.concepts import FactKind, QuestionFactModel
from assistant.answering.keys import key_words
from assistant.answering.rank import fact_sentence
from assistant.search.text_encoder import text_encoder

from .memory import DATA

POOL, NEIGHBOURS, FOLDS = 15, 4, 3
#: Questions that spell the key out are too easy to count.
_SPELT = re.compile(
    r"and the |what about the |and its |tell me the .* please|do you happen to know the|so what's the .* then|"
    r"any info on the|what would be its "
)
Similarity = Callable[[np.ndarray, np.ndarray], np.ndarray]


def area_under_curve(present: np.ndarray, absent: np.ndarray) -> float:
    """Probability that a value of `present` exceeds one of `absent`."""
    below = np.searchsorted(np.sort(absent), present, "left") + np.searchsorted(np.sort(absent), present, "right")
    return float(below.mean() / 2 / len(absent))


def figures(pools: list[tuple[int, list[int]]], similarity: Similarity) -> np.ndarray:
    """Rank-1, mean reciprocal rank and area under the curve, in percent; the right fact stands first in each pool."""
    questions, at_q = np.unique([q for q, _ in pools], return_inverse=True)
    facts, at_f = np.unique([p for _, p in pools], return_inverse=True)
    scores = similarity(questions, facts)[at_q[:, None], at_f.reshape(len(pools), -1)]
    ranks = 1 + (scores[:, 1:] >= scores[:, :1]).sum(axis=1)
    separated = area_under_curve(scores.max(axis=1), scores[:, 1:].max(axis=1))
    return 100 * np.array([(ranks == 1).mean(), (1 / ranks).mean(), separated])


class Pools:
    """Draws a question with its right fact, facts of near neighbours and of others, none sharing a key with it."""

    def __init__(self, concepts: list[dict[str, Any]], data: Wordings) -> None:
        keys = [set(c["keys"]) for c in concepts]
        self.data, self.share = data, np.array([[bool(a & b) for b in keys] for a in keys])
        middles = np.stack(
            [data.vectors[(data.concept == i) & (data.kind != ASK)].mean(axis=0) for i in range(len(concepts))]
        )
        middles /= np.linalg.norm(middles, axis=1, keepdims=True)
        self.nearest = np.argsort(-(middles @ middles.T), axis=1)

    def draw(self, questions: np.ndarray, facts: np.ndarray, seed: int) -> list[tuple[int, list[int]]]:
        chance = np.random.default_rng(seed)
        of = {c: facts[self.data.concept[facts] == c] for c in np.unique(self.data.concept[facts])}
        usable, out = list(of), []
        for question in questions:
            own = int(self.data.concept[question])
            if own not in of:
                continue
            near = [c for c in self.nearest[own] if c in of and c != own and not self.share[own, c]][: 2 * NEIGHBOURS]
            pool = [own, *chance.permutation(near)[:NEIGHBOURS]]
            while len(pool) < POOL:
                other = usable[chance.integers(len(usable))]
                if not self.share[own, other] and other not in pool:
                    pool.append(other)
            out.append((int(question), [int(chance.choice(of[c])) for c in pool]))
        return out


def cross_validate(limit: int = 800) -> dict[tuple[str, str, str], np.ndarray]:
    """(what is unseen, kind of fact, model) → rank-1, MRR and area under the curve in percent."""
    concepts = read_concepts()
    data, other = wordings(concepts), wordings(concepts, seed="validation")
    pools, found = Pools(concepts, data), {}
    exchangeable = np.array([np.mean([other_value(c, f, "x") != f for f in c["facts"]]) > 0.7 for c in concepts])
    exchanged = np.array([a != b for a, b in zip(data.texts, other.texts, strict=True)])
    for unseen in ("wording", "property"):
        chance = np.random.default_rng(0)
        folds = chance.integers(0, FOLDS, len(data.texts))
        # a statement and its twin with another value lie in one fold
        for i in np.flatnonzero(data.kind == STATEMENT):
            twin = i - len(concepts[data.concept[i]]["facts"])
            if twin >= 0 and data.kind[twin] == STATEMENT and data.concept[twin] == data.concept[i]:
                folds[i] = folds[twin]
        if unseen == "property":
            folds = chance.integers(0, FOLDS, len(concepts))[data.concept]
        for fold in range(FOLDS):
            model, held = fit(data, folds != fold), folds == fold
            asks = [i for i in np.flatnonzero(held & (data.kind == ASK)) if not _SPELT.match(data.texts[i])]
            asks = chance.permutation(asks)[:limit]
            for kind, name in ((KEY, "key"), (STATEMENT, "statement")):
                facts = held & (data.kind == kind)
                if kind == STATEMENT:
                    facts &= exchanged & exchangeable[data.concept]
                drawn = pools.draw(asks, np.flatnonzero(facts), fold)
                compared = {"plain": _plain(data, other), "model": _adapted(model, data, other, name)}
                for label, similarity in compared.items():
                    found.setdefault((unseen, name, label), []).append(figures(drawn, similarity))
    return {k: np.mean(v, axis=0) for k, v in found.items()}


def _plain(data: Wordings, other: Wordings) -> Similarity:
    return lambda q, f: data.vectors[q] @ other.vectors[f].T


def _adapted(model: QuestionFactModel, data: Wordings, other: Wordings, kind: str) -> Similarity:
    named: FactKind = "key" if kind == "key" else "statement"
    return lambda q, f: model.similarity(data.vectors[q], other.vectors[f], named)


@lru_cache(maxsize=1)
def hand_written() -> tuple[tuple[str, tuple[tuple[str, str], ...], int], ...]:
    """(question, attributes of the one thing seen, which is right) where exactly one attribute holds the answer."""
    out = []
    for path in sorted(DATA.glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        things = {e["name"]: e["attributes"] for e in raw["entities"]}
        for item in raw["questions"]:
            if item["type"] not in ("attr", "list") or len(item["seen"]) != 1 or item["seen"][0] not in things:
                continue
            facts = tuple((k, str(v)) for k, v in things[item["seen"][0]].items())
            right = [i for i, (_, v) in enumerate(facts) if item["expected"].lower() in v.lower()]
            if len(right) == 1:
                out.append((item["question"], facts, right[0]))
    return tuple(out)


def check_from_outside(model: QuestionFactModel) -> dict[str, float]:
    """Rank-1 in percent on the hand-written questions: by key, by statement, by both."""
    right: dict[str, list[bool]] = {}
    for question, facts, wanted in hand_written():
        encode = text_encoder().encode
        asked = encode([question])
        keys = encode([f"what is its {key_words(k)}?" for k, _ in facts])
        said = encode([fact_sentence(k, v) for k, v in facts])
        plain, adapted = (
            (asked @ keys.T, asked @ said.T),
            (model.similarity(asked, keys, "key"), model.similarity(asked, said, "statement")),
        )
        for label, (by_key, by_statement) in (("plain", plain), ("model", adapted)):
            for way, scores in (("key", by_key), ("statement", by_statement), ("both", by_key + by_statement)):
                right.setdefault(f"{label} {way}", []).append(int(scores[0].argmax()) == wanted)
    return {k: 100 * float(np.mean(v)) for k, v in right.items()}


if __name__ == "__main__":
    for name, row in cross_validate().items():
        print(*name, f"rank-1 {row[0]:.1f}, MRR {row[1]:.1f}, area {row[2]:.1f}")
    print(len(hand_written()), "hand-written questions:", check_from_outside(QuestionFactModel.load()))
