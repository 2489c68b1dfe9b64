"""Fits the weights of `rank.probability`: `python -m assistant.answering.rank_training` (a few minutes on one core).

Invented subjects are put together from `data/properties`: some properties as attributes, some as page sentences. A
question asks for one of them, or for one that the subject lacks. The features come from a `QuestionFactModel` that has
seen neither the wording nor, for a part of the questions, the property at all; otherwise the fit would trust it more
than it deserves. Reads no benchmark and no test data.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assistant.answering import rank
from assistant.answering.clause import core_of
from assistant.answering.concept_training import ASK, KEY, STATEMENT, fit, other_value, read_concepts, wordings
from assistant.answering.intents import take_apart
from assistant.search.text_encoder import text_encoder
from assistant.settings import ASSETS_DIR

ATTRIBUTES, SENTENCES = 12, 12
#: Share of the questions whose property the subject lacks, and of the properties that a fold's model never sees.
ABSENT, UNSEEN = 0.35, 0.25
#: What a row of the hand-written questions counts beside an invented one.
ALSO_WEIGHT = 3.0
_OPENERS = ("", "", "", "so ", "um, ", "hey, ", "just wondering, ", "ok so ", "tell me, ", "do you know ")
_SUBJECT = "Quorlin Vast"


def examples(n: int, seed: int, folds: int = 2) -> tuple[list[list[rank.Features]], list[list[int]], list[str]]:
    """Features of all facts of `n` questions, 1 for those that answer, and "attribute" or "sentence" a row."""
    concepts = read_concepts()
    encoder = text_encoder()
    known: dict[str, np.ndarray] = {}

    def encode(texts: Sequence[str]) -> np.ndarray:
        new = [t for t in dict.fromkeys(texts) if t not in known]
        if new:
            known.update(zip(new, encoder.encode(new), strict=True))
        return np.stack([known[t] for t in texts])

    data = wordings(concepts, encode)
    chance = random.Random(seed)
    features: list[list[rank.Features]] = []
    labels: list[list[int]] = []
    kinds: list[str] = []
    order = np.arange(len(data.texts))
    for fold in range(folds):
        unseen = {i for i in range(len(concepts)) if chance.random() < UNSEEN}
        use = (order % folds != fold) & ~np.isin(data.concept, sorted(unseen))
        model = fit(data, use)
        held = {k: _by_concept(data, ~use & (data.kind == k)) for k in (ASK, KEY, STATEMENT)}
        for _ in range(n // folds):
            _one_question(concepts, held, chance, encode, model, features, labels, kinds)
    return features, labels, kinds


def _by_concept(data, chosen: np.ndarray) -> dict[int, list[str]]:
    out: dict[int, list[str]] = {}
    for n in np.flatnonzero(chosen):
        out.setdefault(int(data.concept[n]), []).append(data.texts[n])
    return out


def _one_question(concepts, held, chance, encode, model, features, labels, kinds) -> None:
    asked_of = chance.choice(sorted(held[ASK]))
    asked = take_apart(core_of(chance.choice(_OPENERS) + chance.choice(held[ASK][asked_of])))
    rest = [i for i in range(len(concepts)) if i != asked_of]
    near = [i for i in rest if concepts[i].get("group") == concepts[asked_of].get("group")]
    others = chance.sample(near, min(len(near), 5)) + chance.sample(rest, ATTRIBUTES + SENTENCES)
    others = list(dict.fromkeys(others))
    as_attributes, as_sentences = others[::2][:ATTRIBUTES], others[1::2][:SENTENCES]
    if chance.random() >= ABSENT:
        where = chance.choice(("attribute", "sentence", "sentence", "both"))
        if where != "sentence":
            as_attributes.append(asked_of)
        if where != "attribute":
            as_sentences.append(asked_of)
    pairs = [
        (
            _key(held[KEY].get(i) or [f"what is its {k}?" for k in concepts[i]["keys"]], chance),
            _value(concepts[i], chance),
        )
        for i in as_attributes
    ]
    texts = [
        other_value(concepts[i], chance.choice(held[STATEMENT].get(i) or concepts[i]["facts"]), str(chance.random()))
        for i in as_sentences
    ]
    for kind, made, members in (
        ("attribute", rank.attribute_features(asked, pairs, encode, [_SUBJECT], model), as_attributes),
        ("sentence", rank.sentence_features(asked, texts, [_SUBJECT], encode, model), as_sentences),
    ):
        features.append(made)
        labels.append([int(i == asked_of) for i in members])
        kinds.append(kind)


def _key(asked: list[str], chance: random.Random) -> str:
    return chance.choice(asked).removeprefix("what is its ").removesuffix("?").replace(" ", "_")


def _value(concept, chance: random.Random) -> str:
    return other_value(concept, str(concept["value"]), str(chance.random()))


def fit_weights(x: np.ndarray, y: np.ndarray, weight: np.ndarray, kind: str) -> dict[str, object]:
    """Logistic regression; weights in the order of `Features.vector`."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=10.0, max_iter=3000).fit(x, y, sample_weight=weight)
    chosen = model.predict_proba(x)[:, 1] > 0.5
    precision, recall = y[chosen].mean(), chosen[y == 1].mean()
    print(f"{kind}: {len(y)} facts, {y.sum()} right; at 0.5 precision {precision:.3f}, recall {recall:.3f}")
    return {"weights": [round(float(w), 3) for w in model.coef_[0]], "bias": round(float(model.intercept_[0]), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit how probable it is that a fact answers a question.")
    parser.add_argument("--out", type=Path, default=ASSETS_DIR / "reader" / rank.WEIGHTS_FILE)
    parser.add_argument("--questions", type=int, default=2400)
    parser.add_argument("--also", type=Path, help="rows of hand-written questions (.npz with x, y, key)")
    parser.add_argument("--weight", type=float, default=ALSO_WEIGHT, help="what one of those rows counts")
    args = parser.parse_args()
    features, labels, kinds = examples(args.questions, seed=0)
    weights = {}
    for kind in ("attribute", "sentence"):
        x = np.array([f.vector() for fs, k in zip(features, kinds, strict=True) if k == kind for f in fs])
        y = np.array([v for vs, k in zip(labels, kinds, strict=True) if k == kind for v in vs])
        weight = np.ones(len(y))
        if args.also:
            with np.load(args.also) as also:
                chosen = also["key"] == (kind == "attribute")
                x, y = np.concatenate([x, also["x"][chosen]]), np.concatenate([y, also["y"][chosen]])
            weight = np.concatenate([weight, np.full(len(y) - len(weight), args.weight)])
        weights[kind] = fit_weights(x, y, weight, kind)
    args.out.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    print(args.out, weights)


if __name__ == "__main__":
    main()
