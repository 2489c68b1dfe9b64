"""Whether an answer says what the ground truth says: one small model that reads question, ground truth and answer.

A cross-encoder: question and ground truth, then the answer, go through MiniLM as one text, with changes to its matrices
and three outputs (correct, wrong, missing) fitted on answers written and labelled by hand. It hears what is told in
words of its own, where rules (`eval.judges.lexical.rules`) hear only their tables; figures, lists and denials it reads
less surely than they do, so `eval.judges.lexical.judge` weighs both.

Source of the idea and of its name: J. Bulian et al., "Tomayto, Tomahto. Beyond token-level answer equivalence for
question answering evaluation", EMNLP 2022.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.paths import WEIGHTS_DIR
from assistant.reading.scoring.cross_encoder import stored_reader
from assistant.text.encoder import text_encoder
from eval.judges.lexical.alike import alike
from eval.judges.lexical.figures import figures

if TYPE_CHECKING:
    from assistant.text.minilm import MiniLM

FILE_NAME = "equivalence.npz"
FORMAT_VERSION = 2
#: Question, ground truth and answer together; the longer side is cut.
MAX_TOKENS = 160
#: What the three outputs stand for.
LABELS = ("correct", "wrong", "missing")


def pair(question: str, truth: str, answer: str) -> tuple[str, str]:
    """The two texts that the model reads: figures for number words, the same amounts in the same words."""
    truth, answer = alike(truth, answer)
    return f"{figures(question)} > {truth}", answer


class Equivalence:
    """Scores answers; safe to share between threads.

    Attributes:
        heads: (384, 3) weights of correct, wrong and missing.
        offset: (3,) their biases.
        cosine_weight: (3,) what a cosine of one between ground truth and answer adds to each.
    """

    def __init__(
        self,
        model: MiniLM,
        heads: np.ndarray,
        offset: np.ndarray,
        cosine_weight: np.ndarray,
    ) -> None:
        self._model = model
        self.heads, self.offset, self.cosine_weight = heads, offset, cosine_weight

    @classmethod
    def load(cls, folder: Path = WEIGHTS_DIR / "judge") -> Equivalence:
        """Reads the shipped changes and lays them over the text encoder's weights.

        Raises:
            NotReady: the file is missing, of another format, or made for another text encoder.
        """
        path = Path(folder) / FILE_NAME
        return cls(*stored_reader(path, FORMAT_VERSION, MAX_TOKENS))

    def logits(self, rows: Sequence[tuple[str, str, str]]) -> np.ndarray:
        """(n, 3) float32 log-probabilities of `LABELS` for (question, ground truth, answer)."""
        if not rows:
            return np.empty((0, len(LABELS)), np.float32)
        means = self._model.encode_pairs([pair(*row) for row in rows])
        vectors = text_encoder().encode([text for _, truth, answer in rows for text in (truth, answer)])
        cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
        out = means @ self.heads + self.offset + cosines[:, None] * self.cosine_weight
        out -= out.max(axis=1, keepdims=True)
        return (out - np.log(np.exp(out).sum(axis=1, keepdims=True))).astype(np.float32)


@functools.cache
def equivalence() -> Equivalence:
    """The one model of this process."""
    return Equivalence.load()
