"""Fits the weights of `weigh` on questions that the matcher has not seen; called by `match_training`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.answering.clause import core_of
from assistant.answering.follow import (
    Considered,
    Link,
    consider,
    consider_onward,
    plainly_judged,
    said,
)
from assistant.answering.intents import take_apart
from assistant.answering.practice import Practice, practices
from assistant.answering.targets import targets_of
from assistant.answering.weigh import WEIGHTS_FILE, Kind
from assistant.conversation import Evidence
from assistant.search.text_encoder import text_encoder

#: A link is tried when it is at least this likely, as the reader does with the surest ones.
_TRIED = 3


def evidence_of(owner: dict[str, Any], prefix: str = "") -> list[Evidence]:
    """What retrieval would give about a thing of the readings."""
    name = owner["name"]
    out = [
        Evidence(f"{prefix}a:{k}", "attribute", name, f"{k}: {v}", 0.0, subject=name, key=k, value=str(v))
        for k, v in owner.get("attributes", {}).items()
    ]
    return out + [
        Evidence(f"{prefix}p:{i}", "passage", name, s, 0.0, subject=name, title=name)
        for i, s in enumerate(owner["page"])
    ]


def judged_practice(practice: Practice) -> tuple[list[Considered], list[tuple[str, Considered]]]:
    """What the reader would consider: facts about the thing, and (link, fact) about what it leads to."""
    encode = text_encoder().encode
    thing, asked = practice.thing, take_apart(core_of(practice.text))
    own = evidence_of(thing)
    direct = consider(asked, plainly_judged(asked, own, encode), encode)
    onward: list[tuple[str, Considered]] = []
    named = [c for c in direct if targets_of(c.evidence)]
    for c in sorted(named, key=lambda c: -c.leads_on)[:_TRIED]:
        text = c.evidence.text.lower()
        for n, other in enumerate(thing["others"]):
            if other["name"].lower() in text:
                link = Link(c.evidence, (other["name"],), c.leads_on, said(c.evidence, [thing["name"]]))
                there = evidence_of(other, f"o{n}:")
                onward += [(c.evidence.id, found) for found in consider_onward(asked, link, there, encode)]
    return direct, onward


def _rows(things: Sequence[dict[str, Any]]) -> Iterator[tuple[Kind, np.ndarray, int]]:
    for thing in things:
        for practice in practices(thing):
            right = set(practice.question["answers"])
            direct, onward = judged_practice(practice)
            for c in direct:
                yield "direct", c.signs.vector(), int(c.evidence.id in right)
            for _, c in onward:
                yield "chain", c.signs.vector(), int(c.evidence.id in right)


def fit_weighing(things: Sequence[dict[str, Any]], out: Path) -> None:
    """Writes `weigh.json` into the folder `out`."""
    from sklearn.linear_model import LogisticRegression

    rows = list(_rows(things))
    kinds: tuple[Kind, ...] = ("direct", "chain")
    weights = {}
    for kind in kinds:
        x = np.array([v for k, v, _ in rows if k == kind])
        y = np.array([label for k, _, label in rows if k == kind])
        model = LogisticRegression(C=10.0, max_iter=3000).fit(x, y)
        chosen = model.predict_proba(x)[:, 1] > 0.5
        print(
            f"{kind}: {len(y)} facts, {y.sum()} right; at 0.5 precision {y[chosen].mean():.3f}, "
            f"recall {chosen[y == 1].mean():.3f}"
        )
        weights[kind] = {
            "weights": [round(float(w), 3) for w in model.coef_[0]],
            "bias": round(float(model.intercept_[0]), 3),
        }
    target = out / WEIGHTS_FILE
    target.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    print(target, weights)
