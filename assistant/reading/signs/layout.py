"""Where lines of text stand: a tilted page made level, the cells to the right of a label, and those below it.

A page photographed at an angle turns all its lines together; the angle comes from the lines' own outlines, the long
ones first. Not covered: pages that bend.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import replace

from assistant.core.types import Evidence

Box = tuple[float, float, float, float]
#: Lines at least so many times longer than high tell the angle of the page.
_TELLING = 2.0


def tilt(lines: Sequence[Evidence]) -> float:
    """The angle in radians by which the lines of the page fall to the right; 0 when nothing tells."""
    angles: list[tuple[float, float]] = []
    for e in lines:
        p = e.outline_px or ()
        if len(p) != 4:
            continue
        along = ((p[1][0] - p[0][0] + p[2][0] - p[3][0]) / 2, (p[1][1] - p[0][1] + p[2][1] - p[3][1]) / 2)
        down = ((p[3][0] - p[0][0] + p[2][0] - p[1][0]) / 2, (p[3][1] - p[0][1] + p[2][1] - p[1][1]) / 2)
        length = math.hypot(*along)
        if length > _TELLING * math.hypot(*down) and along[0] > 0:
            angles.append((length, math.atan2(along[1], along[0])))
    if not angles:
        return 0.0
    longest = sorted(angles, reverse=True)[: max(3, len(angles) // 2)]
    return statistics.median(angle for _, angle in longest)


def boxes(lines: Sequence[Evidence]) -> dict[str, Box]:
    """Evidence id → (left, top, right, bottom) on the page made level; lines without an outline are left out."""
    angle = tilt(lines)
    cos, sin = math.cos(-angle), math.sin(-angle)
    out: dict[str, Box] = {}
    for e in lines:
        if e.outline_px:
            xs = [x * cos - y * sin for x, y in e.outline_px]
            ys = [x * sin + y * cos for x, y in e.outline_px]
            out[e.id] = (min(xs), min(ys), max(xs), max(ys))
    return out


def split_heads(lines: Sequence[Evidence]) -> list[Evidence]:
    """The lines, with a head that was read as one ("Ashby Brook Carrow" over three columns) cut at its columns.

    A line of words over at least two columns of figures is cut; each word goes to the column that it stands nearest to.
    """
    place = boxes(lines)
    out: list[Evidence] = []
    for e in lines:
        words = e.text.split()
        a = place.get(e.id)
        under = [b for o in lines if (b := place.get(o.id)) and re.search(r"\d", o.text) and a and b[1] > a[1] + 1]
        columns = _columns(a, under) if a and len(words) > 1 and not re.search(r"\d", e.text) else []
        parts = _by_column(e, words, columns, a) if a and len(columns) > 1 else []
        out += parts if len(parts) > 1 else [e]
    return out


def _columns(head: Box, cells: Sequence[Box]) -> list[float]:
    """Middles of the columns, of two cells at least, that stand under the head; from the left."""
    width = statistics.median([b[2] - b[0] for b in cells]) if cells else 0.0
    middles = sorted((b[0] + b[2]) / 2 for b in cells if head[0] - width / 2 < (b[0] + b[2]) / 2 < head[2] + width / 2)
    found: list[list[float]] = []
    for x in middles:
        if found and x - found[-1][-1] < 0.6 * width:
            found[-1].append(x)
        else:
            found.append([x])
    return [statistics.mean(c) for c in found if len(c) > 1]


def _by_column(e: Evidence, words: Sequence[str], columns: Sequence[float], box: Box) -> list[Evidence]:
    length, at = len(e.text), 0
    taken: dict[int, list[tuple[str, float, float]]] = {}
    for word in words:
        start = e.text.index(word, at)
        at = start + len(word)
        left, right = start / length, at / length
        middle = box[0] + (left + right) / 2 * (box[2] - box[0])
        taken.setdefault(min(range(len(columns)), key=lambda c: abs(columns[c] - middle)), []).append(
            (word, left, right)
        )
    p = e.outline_px or ()
    if len(p) != 4:
        return []

    def along(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
        return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))

    return [
        replace(
            e,
            text=" ".join(w for w, _, _ in part),
            outline_px=(
                along(p[0], p[1], part[0][1]),
                along(p[0], p[1], part[-1][2]),
                along(p[3], p[2], part[-1][2]),
                along(p[3], p[2], part[0][1]),
            ),
        )
        for _, part in sorted(taken.items())
    ]


def row_of(label: Evidence, lines: Sequence[Evidence]) -> list[Evidence]:
    """Cells to the right of a label in its row, nearest first; none when two rows are as near as each other."""
    place = boxes([label, *(e for e in lines if e.id != label.id)])
    a = place.get(label.id)
    if a is None:
        return []
    middle, height = (a[1] + a[3]) / 2, a[3] - a[1]
    found = []
    for e in lines:
        b = place.get(e.id)
        if b is None or e.id == label.id or b[0] <= a[2] - 0.1 * (a[2] - a[0]):
            continue
        gap = abs((b[1] + b[3]) / 2 - middle)
        if gap < 0.6 * max(height, b[3] - b[1]):
            found.append((gap, b[0], e))
    found.sort(key=lambda f: (f[0], f[1]))
    cells = [e for _, _, e in found]
    if len(found) > 1 and found[1][0] - found[0][0] < 0.25 * height:
        first, second = place[cells[0].id], place[cells[1].id]
        if min(first[2], second[2]) > max(first[0], second[0]):  # one above the other: neither is sure
            return []
        cells.sort(key=lambda e: place[e.id][0])
    return cells


def column_of(label: Evidence, lines: Sequence[Evidence]) -> list[Evidence]:
    """Cells below a label that stand in its column, from the top."""
    place = boxes([label, *(e for e in lines if e.id != label.id)])
    a = place.get(label.id)
    if a is None:
        return []
    centre, width = (a[0] + a[2]) / 2, a[2] - a[0]
    below = [e for e in lines if e.id != label.id and e.id in place and place[e.id][1] > a[3] - 0.3 * (a[3] - a[1])]
    inside = [
        e
        for e in below
        if abs((place[e.id][0] + place[e.id][2]) / 2 - centre) < 0.5 * max(width, place[e.id][2] - place[e.id][0])
    ]
    return sorted(inside, key=lambda e: place[e.id][1])
