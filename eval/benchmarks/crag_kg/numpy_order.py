"""The order in which numpy's default sort leaves equal numbers.

The released server ranks names by `numpy.argsort(scores)[::-1][:10]`. That sort is not stable, and names of one length
that match one word have equal scores by the thousand, so its way of sorting decides which ten are shown. Newer versions
of numpy sort with vector instructions where a processor has them, and the order of equals then depends on the machine.
Here it is the one of numpy's introsort (numpy/core/src/npysort/quicksort.cpp), the same everywhere: median of three,
Hoare's partition, insertion sort for 16 elements or fewer. Only the parts that the last places need are sorted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SMALL = 15


def last_places(scores: NDArray[np.float64], n: int) -> list[int]:
    """The last `n` places of the introsort order of `scores` (no NaN), the last one first.

    What numpy does after two times log2 of the length unlucky partitions, a heap sort, is not followed: such a part
    is sorted stably. Scores of names do not get there.
    """
    size = len(scores)
    order = np.arange(size, dtype=np.intp)
    wanted = max(0, size - n)
    parts = [(0, size - 1, (size.bit_length() - 1) * 2)]
    while parts:
        low, high, depth = parts.pop()
        if high < wanted or high <= low:
            continue
        if high - low <= _SMALL or depth < 0:
            inside = order[low : high + 1]
            order[low : high + 1] = inside[np.argsort(scores[inside], kind="stable")]
            continue
        pivot = _partition(scores, order, low, high)
        parts += [(low, pivot - 1, depth - 1), (pivot + 1, high, depth - 1)]
    return [int(place) for place in order[wanted:][::-1]]


def _partition(scores: NDArray[np.float64], order: NDArray[np.intp], low: int, high: int) -> int:
    """Partition the places low to high around the median of three; where the pivot went."""
    middle = low + ((high - low) >> 1)
    for first, second in ((low, middle), (middle, high), (low, middle)):
        if scores[order[second]] < scores[order[first]]:
            order[[first, second]] = order[[second, first]]
    value = scores[order[middle]]
    order[[middle, high - 1]] = order[[high - 1, middle]]
    inside = scores[order[low:high]]
    # One finger goes up from low + 1 and stops at what is not below the pivot, the other goes down from high - 2 and
    # stops at what is not above it; both stop at equals, and what they stop at changes places until they meet.
    up = np.flatnonzero(inside[1:] >= value) + low + 1
    down = (np.flatnonzero(inside[:-1] <= value) + low)[::-1]
    pairs = min(len(up), len(down))
    met = int(np.count_nonzero(up[:pairs] < down[:pairs]))
    order[np.concatenate((up[:met], down[:met]))] = order[np.concatenate((down[:met], up[:met]))]
    place = int(min(up[met], down[met - 1]) if met else up[met])  # what went to the right stops the finger as well
    order[[place, high - 1]] = order[[high - 1, place]]
    return place
