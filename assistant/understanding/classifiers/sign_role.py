"""What a question wants read off a sign: the number to call, the fine, who put it up.

A logistic model over MiniLM's sentence vector and over the question's words and pairs of words, fitted on
questions of hands that saw neither this program nor any generated world. It opens the way to
`sign_parts`, which answers only where such a part surely stands on the frame.
"""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.errors import NotReady
from assistant.core.paths import RESTORE, WEIGHTS_DIR
from assistant.text.encoder import VERSION, text_encoder

FILE_NAME = "sign_asked.npz"
#: Words and pairs of words fall into so many bins.
BINS = 2048
#: What a word weighs beside a sentence vector of length one.
WORD = 0.25
#: A part is read when its role is at least this probable.
SURE = 0.5
#: These have to be so probable before they go before what patterns find.
VERY_SURE, VAGUE = 0.8, ("headline", "title", "product", "price", "amount", "person")
#: Roles that are none: a property of a thing, and text that plays no role known here.
NO_ROLE = ("thing", "other_text")
#: Roles of lists, which no other thing stands between.
OF_LISTS = ("item_count", "cheapest", "dearest", "item_price", "items_total", "which_cheaper", "change")
#: Roles that any thing's own name may play.
HEADED = ("title", "headline", "product")
_NUMBER = re.compile(r"\d+")


def features(questions: Sequence[str]) -> np.ndarray:
    """(n, 384 + BINS): sentence vectors, and which words and pairs of words there are."""
    words = np.zeros((len(questions), BINS), np.float32)
    for n, question in enumerate(questions):
        found = re.findall(r"[a-z#]+", _NUMBER.sub("#", question.lower()))
        for term in (*found, *(f"{a} {b}" for a, b in zip(["", *found], [*found, ""], strict=True))):
            words[n, zlib.crc32(term.encode()) % BINS] = WORD
    return np.concatenate([text_encoder().encode(list(questions)), words], axis=1)


@dataclass(frozen=True)
class _Model:
    roles: tuple[str, ...]
    weights: np.ndarray  # (roles, 384 + BINS)
    bias: np.ndarray


@functools.cache
def _model() -> _Model:
    path = WEIGHTS_DIR / "reader" / FILE_NAME
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["text_encoder"]) != VERSION:
                raise ValueError("made for another text encoder")
            roles = tuple(str(r) for r in stored["roles"])
            weights, bias = stored["weights"].astype(np.float32), stored["bias"].astype(np.float32)
        if weights.shape != (len(roles), 384 + BINS):
            raise ValueError("of another shape")
    except (OSError, ValueError, KeyError) as problem:
        raise NotReady(f"{str(path)!r} cannot be used ({problem}): {RESTORE}") from problem
    return _Model(roles, weights, bias)


@functools.lru_cache(maxsize=256)
def roles_asked(question: str) -> dict[str, float]:
    """How probably the question wants each role read off.

    Raises:
        NotReady: the model is missing.
    """
    model = _model()
    logits = model.weights @ features([question])[0] + model.bias
    chances = np.exp(logits - logits.max())
    return dict(zip(model.roles, (chances / chances.sum()).tolist(), strict=True))


def role_asked_of_sign(question: str, *, surely: bool = False) -> str:
    """The role that is probably asked for, or `surely`; "" where none is."""
    role, chance = max(roles_asked(question).items(), key=lambda r: r[1])
    least = VERY_SURE if surely and role in VAGUE else SURE
    return role if chance >= least and role not in NO_ROLE else ""
