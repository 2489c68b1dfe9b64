"""Whether a question wants something worked out, and what: a fact so many times, the age of a firm, a last day; and
whether it asks for the name of the thing itself.

One logistic model over the question's sentence vector and a few marks of its grammar (a number, a date, a sum of money,
"how many years"); its weights come from `reckoned_training`. It opens the way to a reckoning where no pattern does; the
figures are still looked for in the evidence, and without them nothing is said.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assistant.answering.intents import Asked, Expected
from assistant.answering.story import set_apart
from assistant.answering.values import NUMBER_WORDS, find_dates, find_quantities
from assistant.errors import NotReady
from assistant.settings import ASSETS_DIR

if TYPE_CHECKING:
    from assistant.answering.plan import Plan

Encode = Callable[[Sequence[str]], np.ndarray]
FILE_NAME = "reckoned.npz"
#: How much a mark weighs beside a sentence vector of length one.
MARK = 0.3
#: A reckoning is tried when its kind is at least this probable.
WANTED = 0.45
_WORDS = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("one", "half", "quarter", "zero"))
#: "zero to hundred" is how cars are timed, no number of things.
SPRINT = re.compile(
    r"\b(?:zero|nought|0|standstill|standing start|rest) (?:up )?to (?:an? )?(?:hundred|sixty|100|60)\b", re.IGNORECASE
)
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


def marks(question: str, asked: Asked) -> list[float]:
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


@functools.cache
def _model() -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    path = ASSETS_DIR / "reader" / FILE_NAME
    try:
        with np.load(path, allow_pickle=False) as stored:
            kinds = tuple(str(k) for k in stored["kinds"])
            return kinds, stored["weights"].astype(np.float32), stored["bias"].astype(np.float32)
    except (OSError, ValueError, KeyError) as problem:
        again = "run `python -m assistant.answering.reckoned_training`"
        raise NotReady(f"{str(path)!r} cannot be read: {again}") from problem


@functools.lru_cache(maxsize=64)
def kinds_of_reckoning(question: str, asked: Asked, encode: Encode) -> dict[str, float]:
    """Probability of each kind of reckoning, "plain" (none) among them, for a whole question and what it asks."""
    kinds, weights, bias = _model()
    logits = (
        weights @ np.concatenate([encode([question])[0], MARK * np.array(marks(question, asked), np.float32)]) + bias
    )
    shares = np.exp(logits - logits.max())
    return dict(zip(kinds, map(float, shares / shares.sum()), strict=True))


def wants(kind: str, plan: Plan, encode: Encode) -> bool:
    """Whether the question is more probably of this kind than of all others together."""
    story, asks = set_apart(plan.question)
    told = story and NUMBER.search(story) and not NUMBER.search(asks)  # "we are six, so what do we pay?"
    return kinds_of_reckoning(plan.question if told or not story else asks, plan.asked, encode)[kind] >= WANTED


#: How a firm's beginning is asked for.
FOUNDED = Asked(
    "when was the company that makes it founded?",
    ("when was the company behind it founded?",),
    Expected("date", frozenset({"date"})),
    "lookup",
)
