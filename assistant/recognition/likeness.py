"""Taught things without a pattern of their own (a mug, a plant, a toy), known by how alike they look.

Where local features do not decide, a taught view is compared with parts of the frame by the vector of the image
encoder (`assistant.vision.picture_encoder`). Two numbers count: how alike the most alike part is, and by how much more
than that part is like anything else that was taught or is indexed. A logistic model over both says how surely it is
the thing.

Fitted on photographs of things before different grounds, clean and spoilt, each taught from one, with one, three or
eight taught at a time; other things of the same kind (two dogs, two shoes, two plush toys) count threefold among what
it must not claim. The weights belong to the packaged encoder; those of another have no such figures and claim nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.recognition.taught_images import FIRST, TaughtRows
from assistant.vision.encoders import NetworkEncoder
from assistant.vision.pretrained import Window

#: confidence = sigmoid(SIMILARITY · similarity + MARGIN · margin + BIAS), of vectors of this encoder; a greater margin
#: than the last says no more.
ENCODER = NetworkEncoder.name
SIMILARITY, MARGIN, BIAS = 16.1, 12.4, -11.7
GREATEST_MARGIN = 0.2


@dataclass(frozen=True)
class Likeness:
    """How alike a taught view (`index` as in `TaughtRows.short_list`) is to the part `window` of a frame; `margin`: by
    how much more than any other thing is.
    """

    index: int
    window: Window
    similarity: float
    margin: float

    @property
    def confidence(self) -> float:
        """How surely it is the thing, 0..1."""
        score = SIMILARITY * self.similarity + MARGIN * min(self.margin, GREATEST_MARGIN) + BIAS
        return 1.0 / (1.0 + math.exp(-score))


def likenesses(
    taught: TaughtRows, windows: Sequence[Window], vectors: np.ndarray, indexed: Callable[[np.ndarray], np.ndarray]
) -> list[Likeness]:
    """One for each taught object, its most alike view and part of the frame; the surest first. None where there is
    nothing else to compare with: among things of one kind, or by one hand, all are alike.

    Args:
        taught: what visitors taught.
        windows: parts of a frame.
        vectors: (windows, dim) unit vectors of them.
        indexed: the greatest similarity of any indexed picture to each vector; -1 where there is none.
    """
    if not len(taught):
        return []
    names = np.array([row.name for row in taught])
    each, of_indexed = taught.similarities(vectors), indexed(vectors)
    found = []
    for name in dict.fromkeys(names):
        own = np.flatnonzero(names == name)
        view, part = divmod(int(each[own].argmax()), len(windows))
        others = each[names != name, part]
        other = max(float(of_indexed[part]), float(others.max()) if len(others) else -1.0)
        if other > -1.0:
            similarity = float(each[own[view], part])
            found.append(Likeness(FIRST - int(own[view]), windows[part], similarity, similarity - other))
    return sorted(found, key=lambda one: (-one.confidence, -one.index))
