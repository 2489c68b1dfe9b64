"""Whether a question wants something worked out, and what: a fact so many times, the age of a firm, a last day; and
whether it asks for the name of the thing itself.

MiniLM, fitted for this, reads the question; a linear map of its mean vector and of a few marks of
grammar (a number, a date, a sum of money, "how many years") gives the kinds. The mean of that and of a logistic model
over the plain sentence vector takes an ordinary question for another kind half as often as either alone, in words of
hands that neither has seen. It opens the way to a reckoning where no pattern does, and keeps a stated figure from being
given where something was to be worked out; the figures are still looked for in the evidence, and without them nothing
is said.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.encoder import VERSION, text_encoder
from assistant.text.minilm import narrow_changes
from assistant.text.values import NUMBER_WORDS, find_dates, find_quantities
from assistant.understanding.intent import Expected, ParsedQuestion

if TYPE_CHECKING:
    from assistant.text.minilm import MiniLM

FILE_NAME = "reckoned.npz"
#: Longer questions are cut.
MAX_TOKENS = 64
#: How much a mark weighs beside the mean vector of a question, and beside a sentence vector of length one.
MARK, PLAIN_MARK = 0.6, 0.3
_WORDS = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("one", "half", "quarter", "zero"))
#: A number of things: no year, no clock, no decimal.
NUMBER = re.compile(
    rf"(?<![\w.,:/-])(?:\d{{1,3}}(?![\d.,:/-]*\d)|(?:an? )?(?:{_WORDS})|an? (?:pair|week|fortnight)|both)\b",
    re.IGNORECASE,
)
_MARKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:series|collections?|range|family|lines?|sets?|groups?|fleet|every one|one of each|whole|complete|"
        r"together)\b",
        r"\b(?:each|per (?:head|person)|apiece|a head|among|amongst|split|shared?|divided?|between)\b",
        r"\b(?:company|firm|maker|manufacturer|producer|brand|business|house|publisher|studio|brewery|workshop|club|"
        r"school|association|nursery|yard|shipyard|founding|founded|behind|people who|they)\b",
        r"\b(?:how many years|how old|years|age|how long)\b",
        r"\b(?:when|what (?:date|day|time)|which (?:date|day)|till|until|by (?:when|what)|latest)\b",
        r"\b(?:and|between|after|before|when)\b",
        r"\b(?:change|back|left)\b",
    )
)


def marks(question: str, asked: ParsedQuestion) -> list[float]:
    """What grammar tells: 0 or 1 each."""
    dates, quantities = find_dates(question), find_quantities(question)
    dims = {q.dimension for q in quantities}
    expected = asked.expected
    found = [
        NUMBER.search(question),
        any(d.month is None for d in dates),
        any(d.day for d in dates),
        "money" in dims,
        "time" in dims,
        dims & {"length", "volume", "mass", "area"},
        asked.scale,
        expected.kind == "yesno",
        expected.kind == "count",
        expected.dimensions == {"money"},
        expected.kind == "date",
        expected.kind == "age",
        asked.operation == "multiply",
        asked.operation in ("compare", "superlative", "difference"),
        asked.operation == "sum",
        len(question) > 60,
        *(m.search(question) for m in _MARKS),
    ]
    return [float(bool(f)) for f in found]


@dataclass(frozen=True)
class _Kinds:
    """The reader of questions, and what maps its mean vector, and the plain sentence vector, each with the marks behind
    it, to the kinds: (kinds, 384 + marks) and (kinds,).
    """

    names: tuple[str, ...]
    reader: MiniLM
    weights: np.ndarray
    bias: np.ndarray
    plain_weights: np.ndarray
    plain_bias: np.ndarray


@functools.cache
def _model() -> _Kinds:
    path = WEIGHTS_DIR / "reader" / FILE_NAME
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["text_encoder"]) != VERSION:
                raise ValueError("made for another text encoder")
            changes = narrow_changes(stored)
            names = tuple(str(k) for k in stored["kinds"])
            maps = [stored[n].astype(np.float32) for n in ("weights", "bias", "plain_weights", "plain_bias")]
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be used ({problem}): {RESTORE}") from problem
    return _Kinds(names, text_encoder().adapted(changes, MAX_TOKENS), *maps)


@functools.lru_cache(maxsize=64)
def _vectors(question: str) -> tuple[np.ndarray, np.ndarray]:
    """(384,) each: the reader's mean vector and the plain sentence vector, whatever is thought to be asked."""
    return _model().reader.means([question])[0], text_encoder().encode([question])[0]


@functools.lru_cache(maxsize=64)
def calculation_kinds(question: str, asked: ParsedQuestion) -> dict[str, float]:
    """Probability of each kind of reckoning, "plain" (none) among them, for a whole question and what it asks."""
    model, marked = _model(), np.array(marks(question, asked), np.float32)
    mean, vector = _vectors(question)
    read = model.weights @ np.concatenate([mean, MARK * marked]) + model.bias
    plain = model.plain_weights @ np.concatenate([vector, PLAIN_MARK * marked]) + model.plain_bias
    shares = (_softmax(read) + _softmax(plain)) / 2
    return dict(zip(model.names, map(float, shares), strict=True))


def _softmax(logits: np.ndarray) -> np.ndarray:
    shares = np.exp(logits - logits.max())
    return np.asarray(shares / shares.sum())


#: How a firm's beginning is asked for.
FOUNDED = ParsedQuestion(
    "when was the company that makes it founded?",
    ("when was the company behind it founded?",),
    Expected("date", frozenset({"date"})),
    "lookup",
)
