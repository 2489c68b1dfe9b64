"""In which respect a question asks, and in which a fact tells: whether both are about the same property.

People ask for the weight of a thing, the birthplace of somebody, the firm behind something in no end of words. Logistic
models over MiniLM sentence vectors, one for questions and one for facts, give each known property a probability; that
both speak of the same one is the sum of the products. Three families of properties: of things ("thing"), of the people,
firms and towns that things lead to ("behind"), and the relations that lead there ("relation"). About 2 ms a
question with forty facts.

Another reading of the same practice as the matcher's, which sees question and fact together but was fitted on pairs:
what neither has seen before is told apart better by both (figures: assets/docs/training.md).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.encoder import VERSION

Encode = Callable[[Sequence[str]], np.ndarray]
Family = Literal["thing", "behind", "relation"]
FAMILIES: tuple[Family, ...] = ("thing", "behind", "relation")
FILE_NAME = "respects.npz"
#: Many properties are nearly the same, and share a question's probability among them: powers below one make up for that
#: (of 0.25 to 1 this told best apart what answers, on things that no model had seen).
_SOFTENED = 0.7
#: The class of facts that look like a statement of some property and are none.
NONE = "none"


@dataclass(frozen=True)
class Respects:
    """`kinds` names the n properties, "none" last; weights are (n, 384) float32, biases (n,)."""

    kinds: tuple[str, ...]
    asked: tuple[np.ndarray, np.ndarray]
    told: tuple[np.ndarray, np.ndarray]

    def agreement(self, questions: Sequence[str], facts: Sequence[str], encode: Encode, of: str = "") -> np.ndarray:
        """(n facts,) half the log (and 2) of how probably question and fact are about the same property, softened; from
        -2.6 to some 3.

        Args:
            questions: wordings of one question.
            facts: as the matcher reads them.
            of: beginning of the names of the properties that alone are asked for, as "firm:".
        """
        vectors = encode([*questions, *facts])
        n = len(questions)
        asked, told = _shares(self.asked, vectors[:n]).mean(axis=0), _shares(self.told, vectors[n:])
        fitting = np.array([k != NONE and k.startswith(of) for k in self.kinds])
        asked = np.where(fitting, asked, 0.0)
        asked = asked / max(asked.sum(), 1e-6)
        return np.log(told**_SOFTENED @ asked**_SOFTENED + 1e-4) / 2 + 2


def _shares(model: tuple[np.ndarray, np.ndarray], vectors: np.ndarray) -> np.ndarray:
    logits = vectors @ model[0].T + model[1]
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


@functools.cache
def respects(family: Family) -> Respects:
    """The shipped models of a family.

    Raises:
        NotReady: they are missing, broken, or made for another text encoder.
    """
    path = WEIGHTS_DIR / "reader" / FILE_NAME
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["encoder"]) != VERSION:
                raise ValueError("made for another text encoder")
            kinds = tuple(str(k) for k in stored[f"{family}_kinds"])
            asked, told = (
                (stored[f"{family}_{part}"].astype(np.float32), stored[f"{family}_{part}_bias"].astype(np.float32))
                for part in ("asked", "told")
            )
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be used ({problem}): {RESTORE}") from problem
    return Respects(kinds, asked, told)
