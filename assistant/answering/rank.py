"""How likely a piece of evidence answers what is asked: meaning, words in common and kind of value, as one probability.

The meaning is the cosine of MiniLM sentence vectors between wordings of the question and wordings of the fact ("what is
its <key>?"). The weights of the logistic model were fitted on hand-written questions over invented collections
(tests/assistant/answering); no word of any collection is in here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.answering.intents import Asked, Expected
from assistant.answering.language import FUNCTION_WORDS, content_stems, related, shared, stem, words_of
from assistant.answering.units import unit_of
from assistant.answering.values import find_clock, find_dates, find_names, find_quantities, number_of, split_list

Encode = Callable[[Sequence[str]], np.ndarray]
COLOURS = frozenset(
    "black white grey gray silver red orange yellow gold green blue navy turquoise teal cyan purple violet pink magenta brown beige cream ivory maroon crimson scarlet olive khaki tan bronze copper lilac lavender indigo amber rust charcoal".split()
)
_SEASONS = re.compile(
    r"\b(?:spring|summer|autumn|winter|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|weekday|weekend|night|dawn|dusk|morning|evening|daily)s?\b",
    re.IGNORECASE,
)


def key_words(key: str) -> str:
    """ "netWeight_g" → "net weight g": the words of an attribute's key."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(key))
    return " ".join(re.sub(r"[_\-./:]+", " ", text).split()).lower()


def key_unit(key: str) -> tuple[str, str, str] | None:
    """(key words without it, unit, dimension) when the key ends in a unit, as in "weight_kg" or "depth (cm)"."""
    words = re.sub(r"[()\[\]]", " ", key_words(key)).split()
    if len(words) < 2:
        return None
    known = unit_of(words[-1])
    if known is None or words[-1] in ("in", "year", "day", "month", "second", "bar", "cup", "stone", "foot", "t", "s"):
        return None
    head = words[:-1] if words[-2] != "in" or len(words) < 3 else words[:-2]
    return " ".join(head), known[0], known[1]


def stated_value(key: str, value: object) -> str:
    """The value as text, with the unit that only the key names ("weight_kg": "2.5" → "2.5 kg")."""
    text = ", ".join(split_list(value)) if isinstance(value, (list, tuple)) else str(value).strip()
    named = key_unit(key)
    if named and number_of(text) is not None:
        written = re.sub(r"[()\[\]]", " ", key_words(key)).split()[-1]
        return f"{text}{'' if written in ('%', '°') else ' '}{written}"
    return text


def agreement(expected: Expected, value: str, key: str = "") -> float:
    """How well the kind of the value fits the kind asked for: 1 fits, 0 says nothing, -1 contradicts."""
    kind = expected.kind
    if kind in ("any", "yesno", "reason", "name"):
        return 0.0
    dates, quantities = find_dates(value), find_quantities(value)
    if kind == "date":
        if dates:
            return 1.0
        return 0.6 if _SEASONS.search(value) or find_clock(value) else -1.0
    if kind == "age":
        return 1.0 if dates or any(q.dimension == "time" for q in quantities) else -1.0
    if kind == "clock":
        return 1.0 if find_clock(value) else (0.0 if _SEASONS.search(value) else -1.0)
    if kind == "person":
        if re.search(r"\d", value) and not key:
            return 0.3 if find_names(value) else -1.0
        return (0.7 if not re.search(r"\d", value) else -0.3) if find_names(value) else -0.6
    if kind == "place":
        return 0.4 if find_names(value) and not (key and re.fullmatch(r"[\W\d]+.*", value)) else -0.4
    if kind == "colour":
        return 1.0 if any(w.lower() in COLOURS for w in words_of(value)) else -0.3
    return _quantity_agreement(expected, value, key)


def _quantity_agreement(expected: Expected, value: str, key: str) -> float:
    quantities, dates = find_quantities(value), find_dates(value)
    named = key_unit(key) if key else None
    dims = {q.dimension for q in quantities} | ({named[2]} if named else set())
    if expected.dimensions == {"date"}:
        return 1.0 if dates else -1.0
    if not quantities and not dates:
        if expected.kind == "count" and len(split_list(value)) > 1:
            return 0.3
        return -1.0
    if expected.kind == "count":
        nouns = [stem(w) for w in words_of(expected.noun) if w not in FUNCTION_WORDS]
        if nouns:
            for q in quantities:
                if q.dimension in ("count", "energy") and any(
                    related(stem(w), nouns[-1]) or related(stem(w), nouns[0]) for w in words_of(q.text)
                ):
                    return 1.0
        if quantities and dims <= {"count", ""}:
            return 0.5
        return 0.3 if dates and not quantities and key else -0.5
    if not expected.dimensions:
        return 0.5 if quantities else -0.7
    if dims & expected.dimensions:
        return 1.0
    if "money" in expected.dimensions and dims & {"count", ""}:
        return 0.2
    return 0.0 if "" in dims else (-0.4 if "count" in dims else -1.0)


@dataclass(frozen=True)
class Features:
    """What the probability is computed from; see `probability`."""

    key_similarity: float
    statement_similarity: float
    overlap: float
    agreement: float

    def vector(self) -> np.ndarray:
        return np.array(
            [self.key_similarity, self.statement_similarity, self.overlap, self.agreement, float(self.agreement < -0.5)]
        )


_ATTRIBUTE_WEIGHTS = np.array([7.0, 3.0, 1.5, 1.2, -1.0])
_ATTRIBUTE_BIAS = -5.2
_SENTENCE_WEIGHTS = np.array([4.0, 5.0, 2.0, 1.0, -2.0])
_SENTENCE_BIAS = -5.6


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


def probability(features: Features, *, sentence: bool = False) -> float:
    """Logistic model over the features; one set of weights for attributes, one for sentences of pages."""
    weights, bias = (_SENTENCE_WEIGHTS, _SENTENCE_BIAS) if sentence else (_ATTRIBUTE_WEIGHTS, _ATTRIBUTE_BIAS)
    return _logistic(float(features.vector() @ weights) + bias)


def _wordings(asked: Asked) -> list[str]:
    return list(dict.fromkeys((asked.core, *asked.about)))


def attribute_features(asked: Asked, facts: Sequence[tuple[str, str]], encode: Encode) -> list[Features]:
    """Features of (key, value) pairs against the question; everything is encoded in one batch."""
    if not facts:
        return []
    questions = _wordings(asked)
    keys = [(key_unit(k) or (key_words(k),))[0] for k, _ in facts]
    texts = [
        *questions,
        *(f"what is its {k}?" for k in keys),
        *(f"its {k} is {v[:80]}" for k, (_, v) in zip(keys, facts, strict=True)),
    ]
    vectors = encode(texts)
    nq, nf = len(questions), len(facts)
    left, by_key, by_statement = vectors[:nq], vectors[nq : nq + nf], vectors[nq + nf :]
    key_sim, statement_sim = left @ by_key.T, left @ by_statement.T
    stems = content_stems(" ".join(questions))
    out = []
    for i, (key, value) in enumerate(facts):
        own = content_stems(keys[i])
        overlap = shared(own, stems) / len(own) if own else 0.0
        out.append(
            Features(_blend(key_sim[:, i]), _blend(statement_sim[:, i]), overlap, agreement(asked.expected, value, key))
        )
    return out


def _blend(column: np.ndarray) -> float:
    """The best wording counts most, the question as asked is never ignored."""
    return float(0.7 * column.max() + 0.3 * column[0])


def sentence_features(asked: Asked, texts: Sequence[str], names: Sequence[str], encode: Encode) -> list[Features]:
    """Features of page sentences; the subject's names are masked so that they do not feign similarity."""
    if not texts:
        return []
    masked = [mask(t, names) for t in texts]
    questions = _wordings(asked)
    vectors = encode([*questions, *masked])
    similarity = vectors[: len(questions)] @ vectors[len(questions) :].T
    stems = content_stems(asked.core) or content_stems(" ".join(questions))
    out = []
    for i, text in enumerate(masked):
        overlap = shared(stems, content_stems(text)) / len(stems) if stems else 0.0
        column = similarity[:, i]
        out.append(Features(float(column[0]), _blend(column), overlap, agreement(asked.expected, text)))
    return out


def mask(text: str, names: Sequence[str]) -> str:
    """The text with every given name replaced by "it"."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(r"(?:\b[Tt]he\s+)?" + re.escape(name), "it", text, flags=re.IGNORECASE)
    return text
