"""Which lines on a picture a question is about: those on the side it names, the panel that speaks of what it asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from assistant.core.types import Evidence
from assistant.reading.scoring.rank import SCALE_STEMS, agreement
from assistant.scene.blocks import Block
from assistant.text.encoder import text_encoder
from assistant.text.english import content_stems, shared, spaced
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.choose import side_word

#: A block speaks of what is asked when it is so near to the question (cosine), or nearer than any other by so much.
_NEAR, _CLEARLY = 0.42, 0.12
#: What a word in common counts, and a value of the kind that is asked for.
_WORD, _VALUE = 0.25, 0.2
#: Operations that look at all there is.
_OVER_ALL = frozenset({"compare", "superlative", "sum", "mean", "difference", "ratio", "list", "multiply", "count"})

_PLACES: dict[str, Callable[[Block], float]] = {
    "top": lambda block: block.box[1],
    "bottom": lambda block: -block.box[3],
    "left": lambda block: block.box[0] + block.box[2],
    "right": lambda block: -block.box[0] - block.box[2],
}


def pointed_at(question: str, blocks: Sequence[Block]) -> Block | None:
    """The block on the side that the question names, a line where there is but one block; None where it names none."""
    side = side_word(question.lower())
    parts = [Block((line,), block.box, block.height_px) for block in blocks for line in block.lines]
    places = blocks if len(blocks) > 1 else parts
    if side not in _PLACES or len(places) < 2:
        return None
    if len(blocks) == 1:  # lines stand in reading order, from the top and the left
        return places[0] if side in ("top", "left") else places[-1]
    return min(places, key=_PLACES[side])


def asked_of(plan: Plan, blocks: Sequence[Block]) -> Block | None:
    """The block that speaks of what is asked, where one does and clearly more than the others; None otherwise."""
    if not blocks or plan.asked.operation in _OVER_ALL:
        return None
    vectors = text_encoder().encode([plan.asked.core, *(spaced(block.text) for block in blocks)])
    near = vectors[1:] @ vectors[0]
    stems = content_stems(plan.asked.core) - SCALE_STEMS
    scores, grounds = [], []
    for block, cosine in zip(blocks, near, strict=True):
        words = shared(stems, content_stems(spaced(block.text)))
        fits = max((agreement(plan.asked.expected, spaced(text)) for text in _parts(block.lines)), default=0.0)
        scores.append(float(cosine) + _WORD * words + _VALUE * max(fits, 0.0))
        grounds.append(words > 0 or fits >= 1.0)
    best = int(np.argmax(scores))
    others = [score for i, score in enumerate(scores) if i != best]
    clearly = not others or scores[best] - max(others) >= _CLEARLY
    return blocks[best] if scores[best] >= _NEAR and grounds[best] and clearly else None


def _parts(lines: Sequence[Evidence]) -> list[str]:
    return [line.text for line in lines] + [" ".join(line.text for line in lines)]
