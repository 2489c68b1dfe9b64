"""Fits the weights of `weigh` on questions that the matcher has not seen; called by `match_training`."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.answering.follow import Considered, Judged, consider, plainly_judged, said
from assistant.answering.intents import asked_in
from assistant.answering.match_pools import Vectors
from assistant.answering.onward import Link, consider_onward, link_signs
from assistant.answering.practice import Practice, practices
from assistant.answering.settle import rival_of
from assistant.answering.targets import targets_of
from assistant.answering.weigh import (
    WEIGHTS_FILE,
    Kind,
    LinkSigns,
    decision_vector,
    linked,
    logistic,
    stored_model,
    weighed,
)
from assistant.conversation import Evidence

#: A link is tried when it is at least this likely, as the reader does with the surest ones.
_TRIED = 3


@functools.cache
def _encode() -> Vectors:
    """The text encoder, remembering: every question about a thing reads the same facts."""
    return Vectors()


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


@dataclass(frozen=True)
class Considerations:
    """What the reader would consider for one question: facts about the thing, which of them name what the question is
    about (with the signs for it), and (link's id, fact) about what those lead to.
    """

    direct: list[Considered]
    links: list[tuple[str, LinkSigns]]
    onward: list[tuple[str, Considered]]


def judged_practice(practice: Practice, link_model: Callable[[LinkSigns], float] | None = linked) -> Considerations:
    """What would be considered; without a model of links they are as sure as they lead on."""
    encode = _encode()
    thing, asked = practice.thing, asked_in(practice.text)
    own = evidence_of(thing)
    direct = consider(asked, plainly_judged(asked, own, encode), encode)
    leading = [e for e in own if targets_of(e)]
    named = [
        Judged(c.evidence, 0.0, c.leads_on) for c in consider(asked, plainly_judged(asked, leading, encode), encode)
    ]
    signs = link_signs(asked, named, [thing["name"]], encode, own)
    surely = [j.leads_on for j in named]
    if signs and link_model is not None:
        surely = [link_model(s) for s in signs]
    onward: list[tuple[str, Considered]] = []
    for j, p in sorted(zip(named, surely, strict=True), key=lambda pair: -pair[1])[:_TRIED]:
        text = j.evidence.text.lower()
        for n, other in enumerate(thing["others"]):
            if other["name"].lower() in text:
                link = Link(j.evidence, (other["name"],), p, said(j.evidence, [thing["name"]]))
                there = evidence_of(other, f"o{n}:")
                onward += [(j.evidence.id, found) for found in consider_onward(asked, link, there, encode)]
    links = [(j.evidence.id, s) for j, s in zip(named, signs or [], strict=False)]
    return Considerations(direct, links, onward)


def _link_rows(things: Sequence[dict[str, Any]]) -> Iterator[tuple[np.ndarray, int]]:
    for thing in things:
        for practice in practices(thing):
            right = set(practice.question.get("link", []))
            for evidence_id, signs in judged_practice(practice, None).links:
                yield signs.vector(), int(evidence_id in right)


def _rows(
    things: Sequence[dict[str, Any]], link_model: Callable[[LinkSigns], float]
) -> Iterator[tuple[Kind, np.ndarray, int]]:
    for thing in things:
        for practice in practices(thing):
            right = set(practice.question["answers"])
            found = judged_practice(practice, link_model)
            for c in found.direct:
                yield "direct", c.signs.vector(), int(c.evidence.id in right)
            for _, c in found.onward:
                yield "chain", c.signs.vector(), int(c.evidence.id in right)


def best_and_rival(practice: Practice) -> tuple[Judged, float] | None:
    """The best fact of a question, by the weights that are stored, and how probable its best rival is."""
    found = judged_practice(practice)
    judged = [Judged(c.evidence, weighed(c.signs, "direct") * c.doubt) for c in found.direct]
    judged += [Judged(c.evidence, weighed(c.signs, "chain") * c.doubt) for _, c in found.onward]
    if not judged:
        return None
    judged.sort(key=lambda j: (-j.probability, j.evidence.id))
    asked = asked_in(practice.text)
    return judged[0], rival_of(judged[0].evidence, judged, asked, _encode())


def _decision_rows(things: Sequence[dict[str, Any]]) -> Iterator[tuple[np.ndarray, int]]:
    for thing in things:
        for practice in practices(thing):
            if found := best_and_rival(practice):
                best, rival = found
                yield decision_vector(best.probability, rival), int(best.evidence.id in practice.question["answers"])


def fit_weighing(things: Sequence[dict[str, Any]], out: Path) -> None:
    """Writes `weigh.json` into the folder `out`."""
    from sklearn.linear_model import LogisticRegression

    def fit(kind: str, rows: Sequence[tuple[np.ndarray, int]]) -> dict[str, Any]:
        x, y = np.array([v for v, _ in rows]), np.array([label for _, label in rows])
        model = LogisticRegression(C=10.0, max_iter=3000).fit(x, y)
        chosen = model.predict_proba(x)[:, 1] > 0.5
        print(
            f"{kind}: {len(y)} facts, {y.sum()} right; at 0.5 precision {y[chosen].mean():.3f}, "
            f"recall {chosen[y == 1].mean():.3f}"
        )
        return {
            "weights": [round(float(w), 3) for w in model.coef_[0]],
            "bias": round(float(model.intercept_[0]), 3),
        }

    weights = {"link": fit("link", list(_link_rows(things)))}
    link = np.array(weights["link"]["weights"])
    rows = list(_rows(things, lambda s: logistic(float(s.vector() @ link) + weights["link"]["bias"])))
    kinds: tuple[Kind, ...] = ("direct", "chain")
    for kind in kinds:
        weights[kind] = fit(kind, [(v, label) for k, v, label in rows if k == kind])
    target = out / WEIGHTS_FILE
    target.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    stored_model.cache_clear()
    weights["decision"] = fit("decision", list(_decision_rows(things)))
    target.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    print(target, weights)
