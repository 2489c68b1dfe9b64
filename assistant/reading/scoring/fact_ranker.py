"""Weighing a fact: what `matcher` reads in it, what `rank` measures, and the kind of its value, as one probability.

Four logistic models: for a fact about the subject itself, for a fact that names another thing which the question is
about, for a fact about that other thing, and for the best of all facts beside its best rival. Their weights were
fitted on questions that the matcher has not seen.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.logistic import logistic, logit
from assistant.core.paths import RESTORE, WEIGHTS_DIR

WEIGHTS_FILE = "weigh.json"
Kind = Literal["direct", "chain"]
#: A rival less probable than this (a logit) is none.
_NO_RIVAL = -4.0


@dataclass(frozen=True)
class RankingFeatures:
    """What speaks for a fact; all about -2 to 2.

    match: the matcher's logit over 4; its lead over rivals is left out, as sources that contradict each other are
    rivals and yet speak of what is asked. plain: logit of `rank.probability` over 4 (chains: the logit of the link
    over 4). agreement: of the kind of value.
    noun: whether what is counted is named. conflict: another scale than the one asked for. stated: 1 for an attribute.
    alone: for a chain, the matcher's logit over 4 of its last fact for the question that is left when the phrase for
    the thing between is taken out. both: logit over 4 of that being so and the link too.
    respect: how probably question and fact are about the same property (`respects`).
    affinity: how near they are in the space that was fitted for it (`affinity`); of a chain, its last fact.
    """

    match: float
    plain: float
    agreement: float
    noun: float = 0.0
    conflict: float = 0.0
    stated: float = 0.0
    alone: float = 0.0
    both: float = 0.0
    respect: float = 0.0
    affinity: float = 0.0

    def vector(self) -> np.ndarray:
        return np.array(
            [
                self.match,
                self.plain,
                max(self.agreement, 0.0),
                min(self.agreement, 0.0),
                self.noun,
                self.conflict,
                self.stated,
                self.alone,
                self.both,
                self.respect,
                self.affinity,
            ]
        )


@dataclass(frozen=True)
class LinkSigns:
    """What speaks for a fact naming the thing that a question is about.

    leads_on: logit over 4 of the matcher's second output for the whole question. says: the matcher's first output over
    4 for the question "who/what is …?" about the phrase that stands for the other thing. respect: how probably that
    question and the fact are about the same relation (`respects`). affinity: how near they are (`affinity`).
    """

    leads_on: float
    says: float
    respect: float = 0.0
    affinity: float = 0.0

    def vector(self) -> np.ndarray:
        return np.array([self.leads_on, self.says, self.respect, self.affinity])


@functools.cache
def stored_model(file: str, kind: str) -> tuple[np.ndarray, float]:
    """Weights and bias of one logistic model in assets/weights/reader.

    Raises:
        NotReady: the file is missing or lacks the model.
    """
    path = WEIGHTS_DIR / "reader" / file
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))[kind]
        return np.array(stored["weights"], float), float(stored["bias"])
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be read: {RESTORE}") from problem


def answer_probability(signs: RankingFeatures, kind: Kind) -> float:
    """Probability that the fact answers the question."""
    weights, bias = stored_model(WEIGHTS_FILE, kind)
    return logistic(float(signs.vector() @ weights) + bias)


def linked(signs: LinkSigns) -> float:
    """Probability that the fact names what the question is about."""
    weights, bias = stored_model(WEIGHTS_FILE, "link")
    return logistic(float(signs.vector() @ weights) + bias)


def decided(lead: float, rival: float) -> float:
    """Probability that the best fact answers, given its own and that of the best fact that says something else."""
    weights, bias = stored_model(WEIGHTS_FILE, "decision")
    return logistic(float(decision_vector(lead, rival) @ weights) + bias)


#: How much the relation counts beside the fact behind it, and what both must be worth together (logits). The first was
#: set on seven worlds (118-121, 163-165), where with 1.2 for the second 152 of 170 facts said were left, 118 of them
#: right instead of 120; the second was lowered since: about 0.80 of the practice's relations are right instead of 0.75,
#: 0.03 wrong as before, and worlds 122 and 123 lose nothing.
_OF_LINK, _TOGETHER = 0.7, 0.45
#: A relation that a surer one leaves so little to (`meant_alone`) leads to what the question is not about: on worlds
#: 124, 125, 129 and 130 no right answer comes by such a one.
_RULED_OUT = 0.1


def led_to(fact: float, link: float) -> float:
    """Probability that a fact about another thing answers, given its own and that of the relation that leads there.

    A fact that would answer perfectly well about a thing that the question hardly speaks of does not answer it.
    """
    if link < _RULED_OUT:
        return 0.0
    return min(fact, logistic(logit(fact) + _OF_LINK * logit(link) - _TOGETHER))


def meant_alone(links: Mapping[str, float]) -> dict[str, float]:
    """How probably each relation leads to what a question is about, as it is about one thing: a surer one rules the
    others out, be there a fact behind it or not ("who wrote it" may sound like the illustrator, too).
    """
    odds = {id: p / (1.0 - min(p, 0.999)) for id, p in links.items()}
    surest, together = max(links.values(), default=0.0), sum(odds.values())
    return {id: p if p == surest else min(p, odds[id] / together) for id, p in links.items()}


def decision_vector(lead: float, rival: float) -> np.ndarray:
    return np.array([logit(lead), max(logit(rival), _NO_RIVAL)]) / 4
