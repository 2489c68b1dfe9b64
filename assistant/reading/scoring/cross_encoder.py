"""Whether a fact answers a question, or leads to the thing that the question is about: one small model that reads both.

A cross-encoder: question and fact go through MiniLM as one text, with changes to its matrices and two outputs fitted
on hand-written questions and facts. A cosine of the plain sentence vectors is
added, so that a short fit starts from what MiniLM knows. Dates, sources and kinds of value are weighed elsewhere.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.attribute_keys import spoken_key
from assistant.text.encoder import VERSION, text_encoder

if TYPE_CHECKING:
    from assistant.text.minilm import MiniLM

FILE_NAME = "matcher.npz"
FORMAT_VERSION = 2
#: Question and fact together; longer facts are cut.
MAX_TOKENS = 80
_CACHED_PAIRS = 8192
Encode = Callable[[Sequence[str]], np.ndarray]


def attribute_text(key: str, value: str) -> str:
    """An attribute as the model reads it: "net weight: 420 g"."""
    return f"{spoken_key(key)}: {value[:140]}"


def chain_text(link: str, fact: str) -> str:
    """Two facts in a row, the second about a thing that the first names."""
    return f"{link[:160]} > {fact}"


def stored_change(name: str, change: np.ndarray) -> dict[str, np.ndarray]:
    """How the (in, out) change of one matrix is stored: as int8, in steps of its own for each output."""
    step = np.abs(change).max(axis=0) / 127
    step[step == 0] = 1.0
    return {f"{name}.change": np.round(change / step).astype(np.int8), f"{name}.step": step.astype(np.float32)}


def changes_in(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The inverse of `stored_change`: name of a matrix to its (in, out) float32 change."""
    names = [n.removesuffix(".change") for n in arrays if n.endswith(".change")]
    return {n: arrays[f"{n}.change"].astype(np.float32) * arrays[f"{n}.step"] for n in names}


def stored_reader(
    path: Path, format_version: int, max_tokens: int
) -> tuple[MiniLM, np.ndarray, np.ndarray, np.ndarray]:
    """MiniLM with the changes of one file laid over its weights, and the file's heads, offset and cosine weight.

    Raises:
        NotReady: the file is missing, of another format, or made for another text encoder.
    """
    if not path.is_file():
        raise NotReady(f"{str(path)!r} is missing: {RESTORE}")
    wanted = (format_version, VERSION)
    with np.load(path, allow_pickle=False) as stored:
        found = (int(stored["format_version"]), str(stored["text_encoder"]))
        if found != wanted:
            raise NotReady(f"{str(path)!r} is of format and text encoder {found!r} instead of {wanted!r}: {RESTORE}")
        model = text_encoder().adapted(changes_in(stored), max_tokens)
        heads, offset, cosine_weight = (stored[n].astype(np.float32) for n in ("heads", "offset", "cosine_weight"))
    return model, heads, offset, cosine_weight


class Matcher:
    """Scores pairs of question and fact; safe to share between threads, remembers recent pairs.

    Attributes:
        heads: (384, 2) weights of "answers" and "leads on".
        offset: (2,) their biases.
        cosine_weight: (2,) what a cosine of one adds to each.
    """

    def __init__(self, model: MiniLM, heads: np.ndarray, offset: np.ndarray, cosine_weight: np.ndarray) -> None:
        self._model = model
        self.heads, self.offset, self.cosine_weight = heads, offset, cosine_weight
        self._cache: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path = WEIGHTS_DIR / "reader") -> Matcher:
        """Reads the shipped changes and lays them over the text encoder's weights.

        Raises:
            NotReady: the file is missing, of another format, or made for another text encoder.
        """
        path = Path(folder) / FILE_NAME
        return cls(*stored_reader(path, FORMAT_VERSION, MAX_TOKENS))

    def scores(self, question: str, facts: Sequence[str], encode: Encode) -> np.ndarray:
        """(n, 2) float32 logits: that the fact answers the question, and that it names what the question is about.

        Args:
            facts: as `attribute_text`, `chain_text` or a sentence, the subject's names masked as in the question.
            encode: the plain text encoder.
        """
        with self._lock:
            known = {f: self._cache[question, f] for f in facts if (question, f) in self._cache}
        new = [f for f in dict.fromkeys(facts) if f not in known]
        if new:
            vectors = encode([question, *new])
            cosines = vectors[1:] @ vectors[0]
            means = self._model.encode_pairs([(question, f) for f in new])
            logits = means @ self.heads + self.offset + cosines[:, None] * self.cosine_weight
            known.update(zip(new, logits.astype(np.float32), strict=True))
        with self._lock:
            for fact in facts:
                self._cache[question, fact] = known[fact]
                self._cache.move_to_end((question, fact))
            while len(self._cache) > _CACHED_PAIRS:
                self._cache.popitem(last=False)
        return np.stack([known[f] for f in facts]) if facts else np.empty((0, 2), np.float32)


@functools.cache
def matcher() -> Matcher:
    """The one matcher of this process."""
    return Matcher.load()
