"""Which words on a picture a question is about: those on the side it names, the panel that speaks of what it asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.types import Evidence
from assistant.reading.scoring.rank import SCALE_STEMS, agreement
from assistant.reading.signs.layout import Box, boxes, row_of
from assistant.scene.blocks import Block
from assistant.text.encoder import text_encoder
from assistant.text.english import content_stems, shared, spaced
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.choose import side_word

#: A block speaks of what is asked when it is so near to the question (cosine), or nearer than any other by so much.
_NEAR, _CLEARLY = 0.42, 0.12
#: What a word in common counts, and a value of the kind that is asked for.
_WORD, _VALUE = 0.25, 0.2
#: What stands under a label is no further from it than so many of its heights.
_UNDER = 1.5
#: Letters of one table are at most so many times as high as others.
_AS_LARGE = 1.4
#: Operations that look at all there is.
_OVER_ALL = frozenset({"compare", "superlative", "sum", "mean", "difference", "ratio", "list", "multiply", "count"})

_PLACES: dict[str, Callable[[Block], float]] = {
    "top": lambda block: block.box[1],
    "bottom": lambda block: -block.box[3],
    "left": lambda block: block.box[0] + block.box[2],
    "right": lambda block: -block.box[0] - block.box[2],
}


@dataclass(frozen=True)
class Target:
    """Of `blocks` the one on the side that a question names, and the one that speaks of what it asks; None for none."""

    blocks: Sequence[Block]
    pointed: Block | None
    speaks: Block | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The lines that the question is about: those on its side, or of the one panel of several lines that speaks of
        it; else all. A single line is no panel: it may be the label of a value that stands elsewhere.
        """
        if self.pointed is not None:
            return self.pointed.ids
        if self.speaks is not None and len(self.blocks) > 1 and len(self.speaks.lines) > 1:
            return self.speaks.ids
        return tuple(id_ for block in self.blocks for id_ in block.ids)


def target_of(plan: Plan, blocks: Sequence[Block]) -> Target:
    """What the question is about of these blocks: where it names a side, only what stands there can speak of it."""
    pointed = pointed_at(plan.question, blocks)
    return Target(blocks, pointed, asked_of(plan, [pointed] if pointed is not None else blocks))


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
    """The block that speaks of what is asked, else the line that does, where one does clearly more than the others.

    A block that only repeats words of the question is the label of what stands below it; a line of a table goes with
    its row, and a column of a table answers nothing.
    """
    if not blocks or plan.asked.operation in _OVER_ALL:
        return None
    found = _clearest(plan, blocks)
    if found is None:
        lines = [Block((line,), block.box, block.height_px) for block in blocks for line in block.lines]
        return _clearest(plan, lines) if len(lines) > len(blocks) else None
    cells = _cells(found, blocks)
    if cells:  # a column of a table says nothing without its rows; a label goes on in its row
        return Block((*found.lines, *cells), found.box, found.height_px) if len(found.lines) == 1 else None
    if len(found.lines) > 1 and _side_by_side(found):
        return _clearest(plan, [Block((line,), found.box, found.height_px) for line in found.lines]) or found
    if not _stems(found.text) - _stems(plan.asked.core) and (value := _below(found, blocks)) is not None:
        return Block((*found.lines, *value.lines), found.box, found.height_px)
    return found


def _cells(block: Block, blocks: Sequence[Block]) -> list[Evidence]:
    """Lines of other blocks that stand in the rows of this one, to the right or to the left, in letters as large."""
    own = {line.id for line in block.lines}
    sizes = {line.id: box[3] - box[1] for line, box in _placed(blocks)}
    least, most = min(sizes[id_] for id_ in own) / _AS_LARGE, max(sizes[id_] for id_ in own) * _AS_LARGE
    others = [
        line for other in blocks for line in other.lines if line.id not in own and least <= sizes[line.id] <= most
    ]
    right = [cell for line in block.lines for cell in row_of(line, others)]
    left = [other for other in others if any(cell.id in own for cell in row_of(other, block.lines))]
    return [*left, *right] if len(block.lines) == 1 or len({line.id for line in (*left, *right)}) > 1 else []


def _placed(blocks: Sequence[Block]) -> list[tuple[Evidence, Box]]:
    lines = [line for block in blocks for line in block.lines]
    place = boxes(lines)
    return [(line, place[line.id]) for line in lines]


def _clearest(plan: Plan, blocks: Sequence[Block]) -> Block | None:
    vectors = text_encoder().encode([plan.asked.core, *(spaced(block.text) for block in blocks)])
    near = vectors[1:] @ vectors[0]
    stems = _stems(plan.asked.core) - SCALE_STEMS
    scores, grounds = [], []
    for block, cosine in zip(blocks, near, strict=True):
        words = shared(stems, _stems(block.text))
        fits = max((agreement(plan.asked.expected, spaced(text)) for text in _parts(block.lines)), default=0.0)
        scores.append(float(cosine) + _WORD * words + _VALUE * max(fits, 0.0))
        grounds.append(words > 0 or fits >= 1.0)
    best = int(np.argmax(scores))
    others = [score for i, score in enumerate(scores) if i != best]
    clearly = not others or scores[best] - max(others) >= _CLEARLY
    return blocks[best] if scores[best] >= _NEAR and grounds[best] and clearly else None


def _stems(text: str) -> frozenset[str]:
    """Stems of its words, and its numbers: "4PM" has the word and the number."""
    return content_stems(re.sub(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)", " ", text)) | frozenset(
        re.findall(r"\d+", text)
    )


def _side_by_side(block: Block) -> bool:
    """Whether its lines stand in one row, as labels beside each other do."""
    place = boxes(block.lines)
    tops, bottoms = [place[line.id][1] for line in block.lines], [place[line.id][3] for line in block.lines]
    return max(tops) < min(bottoms)


def _below(label: Block, blocks: Sequence[Block]) -> Block | None:
    """The nearest block under the label."""
    left, _, right, bottom = label.box
    under = [b for b in blocks if b is not label and b.box[1] >= bottom - 0.3 * label.height_px]
    near = [b for b in under if b.box[0] < right and b.box[2] > left and b.box[1] - bottom <= _UNDER * label.height_px]
    return min(near, key=lambda b: b.box[1], default=None)


def _parts(lines: Sequence[Evidence]) -> list[str]:
    return [line.text for line in lines] + [" ".join(line.text for line in lines)]
