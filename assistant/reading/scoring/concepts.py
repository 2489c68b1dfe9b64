"""How well a question and a fact speak of the same property: MiniLM vectors, adapted by general knowledge of English.

Two parts, both from `data/properties` (how some hundred properties of things are asked for, named and stated, written
from general knowledge) and both fitted on them:

* meaning: cosine after the average question, key and statement are taken out of the vectors and the directions in which
  the wordings of one property differ are made short (within-class whitening, as in Hatch et al. 2006, "Within-class
  covariance normalization", damped by adding the mean variance);
* agreement: whether question and fact resemble the same known properties (Bhattacharyya coefficient of two softmax
  distributions over the properties).

The sum is `similarity`. It says nothing of the kind of value or of words in common, and a probability is made of it
elsewhere. Cross-validated figures stand in the docstring of `QuestionFactModel`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.encoder import VERSION

FILE_NAME = "concepts.npz"
FORMAT_VERSION = 1
#: Sharpness of the distributions over the known properties, and what full agreement adds to the cosine. Chosen by
#: cross-validation: the largest gain on known properties that costs properties never seen less than half a point.
TEMPERATURE = 0.05
AGREEMENT_WEIGHT = 0.3

FactKind = Literal["key", "statement"]


@dataclass(frozen=True)
class QuestionFactModel:
    """Adapter over plain MiniLM vectors; numpy only, about 1 ms for a question against forty facts.

    Measured when there were 445 properties.
    Pools of 15 properties, 4 of them the nearest neighbours of the right one. Rank-1 in percent, in brackets the area
    under the ROC curve of the best similarity with the right fact present against absent; plain MiniLM before the
    arrow (`python -m tests.assistant.answering.concept_validation`):

    ====================================  =========================  =========================
    .                                     key                        statement
    ====================================  =========================  =========================
    wording not seen, property known      58.0 → 67.1 (69.1 → 77.4)  60.3 → 72.1 (68.5 → 79.8)
    property not seen, all 15 not seen    64.2 → 65.1 (73.0 → 76.1)  68.5 → 68.8 (74.0 → 76.0)
    ====================================  =========================  =========================

    On 108 hand-written questions over other collections, which nothing was fitted on: by key 87.0 → 93.5, by statement
    92.6 → 95.4, by the sum of both 93.5 → 96.3.

    Attributes:
        means: (3, 384) average question, key ("what is its <key>?") and statement.
        whitening: (384, 384).
        asked, stated: (n, 384) unit vectors of the n known properties, as asked for and as named and stated.
    """

    means: np.ndarray
    whitening: np.ndarray
    asked: np.ndarray
    stated: np.ndarray
    data_hash: str = ""

    @classmethod
    def load(cls, folder: Path = WEIGHTS_DIR / "reader") -> QuestionFactModel:
        """Reads the shipped weights.

        Raises:
            NotReady: they are missing, of another format, or made for another text encoder.
        """
        path = Path(folder) / FILE_NAME
        if not path.is_file():
            raise NotReady(f"{str(path)!r} is missing: {RESTORE}")
        with np.load(path, allow_pickle=False) as stored:
            found = (int(stored["format_version"]), str(stored["text_encoder"]))
            if found != (FORMAT_VERSION, VERSION):
                raise NotReady(
                    f"{str(path)!r} is of format and text encoder {found!r} instead of {(FORMAT_VERSION, VERSION)!r}: "
                    f"{RESTORE}"
                )
            arrays = {n: stored[n].astype(np.float32) for n in ("means", "whitening", "asked", "stated")}
            return cls(**arrays, data_hash=str(stored["data_hash"]))

    def parts(
        self, question_vectors: np.ndarray, fact_vectors: np.ndarray, kind: FactKind = "key"
    ) -> tuple[np.ndarray, np.ndarray]:
        """(meaning, agreement), each (q, f) float32: cosine in -1..1, and 0..1.

        Args:
            question_vectors: (q, 384) unit vectors of questions, as the text encoder gives them.
            fact_vectors: (f, 384) of "what is its <key>?" for `kind` "key", of sentences for "statement".
        """
        questions = self._project(question_vectors, 0)
        facts = self._project(fact_vectors, 1 if kind == "key" else 2)
        alike = np.sqrt(_softmax(questions @ self.asked.T)) @ np.sqrt(_softmax(facts @ self.stated.T)).T
        return questions @ facts.T, alike

    def similarity(self, question_vectors: np.ndarray, fact_vectors: np.ndarray, kind: FactKind = "key") -> np.ndarray:
        """(q, f) float32, meaning plus weighted agreement; unrelated pairs lie about 0.05, right ones above 0.2."""
        meaning, alike = self.parts(question_vectors, fact_vectors, kind)
        return meaning + np.float32(AGREEMENT_WEIGHT) * alike

    def between_facts(self, fact_vectors: np.ndarray) -> np.ndarray:
        """(f, f) float32: how much facts speak of one property; statements of one lie above 0.4, of two mostly below
        0.3.
        """
        facts = self._project(fact_vectors, 2)
        known = np.sqrt(_softmax(facts @ self.stated.T))
        return facts @ facts.T + np.float32(AGREEMENT_WEIGHT) * (known @ known.T)

    def _project(self, vectors: np.ndarray, kind: int) -> np.ndarray:
        return unit(
            (np.asarray(vectors, np.float32).reshape(-1, self.means.shape[1]) - self.means[kind]) @ self.whitening
        )


@functools.cache
def question_fact_model() -> QuestionFactModel:
    """The shipped model, read once."""
    return QuestionFactModel.load()


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows at length one; rows of zeros stay."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def _softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp((scores - scores.max(axis=1, keepdims=True)) / TEMPERATURE)
    return raised / raised.sum(axis=1, keepdims=True)
