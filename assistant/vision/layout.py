"""Put pieces of text into reading order: rows, columns, pages that lie on their side.

Pieces that run in the same direction form a page of their own. On a page, columns that have nothing to do with each
other are read one after the other; columns whose rows line up (a menu and its prices, a table) are read row by row.
Neighbouring pieces of one row become one line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.types import TextLine

#: Pieces whose directions differ by less than this lie on the same page.
SAME_DIRECTION_DEG = 25.0


@dataclass(frozen=True, eq=False)
class Piece:
    """A recognised piece of text; `corners` (4, 2) start where reading starts and go clockwise."""

    text: str
    confidence: float
    corners: np.ndarray

    @property
    def angle_deg(self) -> float:
        """Direction of reading, 0 = to the right, 90 = downwards."""
        x, y = (self.corners[1] - self.corners[0]) + (self.corners[2] - self.corners[3])
        return math.degrees(math.atan2(y, x))

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))


@dataclass(frozen=True, eq=False)
class _Placed:
    """A piece in its page's own axes: reading goes along x, lines follow each other along y."""

    piece: Piece
    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 1.0)

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


def in_reading_order(pieces: Sequence[Piece]) -> tuple[TextLine, ...]:
    """Lines in the order a person would read them; the page with most text comes first."""
    lines: list[TextLine] = []
    for page in _pages(pieces):
        angle = _mean_angle(page)
        for row in _rows_in_order([_place(piece, angle) for piece in page]):
            lines.extend(_joined(row))
    return tuple(lines)


def _pages(pieces: Sequence[Piece]) -> list[list[Piece]]:
    pages: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: -p.length):
        for page in pages:
            if _apart(piece.angle_deg, page[0].angle_deg) < SAME_DIRECTION_DEG:
                page.append(piece)
                break
        else:
            pages.append([piece])
    return sorted(pages, key=lambda page: -sum(p.length for p in page))


def _apart(a: float, b: float) -> float:
    difference = abs(a - b) % 360.0
    return min(difference, 360.0 - difference)


def _mean_angle(page: Sequence[Piece]) -> float:
    x = sum(math.cos(math.radians(p.angle_deg)) * p.length for p in page)
    y = sum(math.sin(math.radians(p.angle_deg)) * p.length for p in page)
    return math.degrees(math.atan2(y, x))


def _place(piece: Piece, angle_deg: float) -> _Placed:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    turned = piece.corners @ np.array([[c, -s], [s, c]])
    # Half-heights around the middle of the line: a slanted line's box would reach into its neighbours.
    left, right = (turned[0] + turned[3]) / 2, (turned[1] + turned[2]) / 2
    height = float(np.linalg.norm(turned[3] - turned[0]) + np.linalg.norm(turned[2] - turned[1])) / 2
    middle = float(left[1] + right[1]) / 2
    return _Placed(piece, float(left[0]), float(right[0]), middle - height / 2, middle + height / 2)


def _rows_in_order(placed: list[_Placed]) -> list[list[_Placed]]:
    """Rows from top to bottom, each from left to right, column by column where columns are independent."""
    cut = _gutter(placed)
    if cut is None:
        return _rows(placed)
    left = [p for p in placed if (p.x0 + p.x1) / 2 < cut]
    right = [p for p in placed if (p.x0 + p.x1) / 2 >= cut]
    return _rows_in_order(left) + _rows_in_order(right)


def _gutter(placed: list[_Placed]) -> float | None:
    """Where an empty stripe from top to bottom separates two independent columns, or None."""
    if len(placed) < 3:
        return None
    typical = float(np.median([p.height for p in placed]))
    reach, best = -math.inf, None
    width = 1.5 * typical
    for p in sorted(placed, key=lambda q: q.x0):
        if reach > -math.inf and p.x0 - reach > width:
            cut = (reach + p.x0) / 2
            left = [q for q in placed if (q.x0 + q.x1) / 2 < cut]
            right = [q for q in placed if (q.x0 + q.x1) / 2 >= cut]
            if len(left) + len(right) >= 3 and not _rows_line_up(left, right):
                width, best = p.x0 - reach, cut
        reach = max(reach, p.x1)
    return best


def _rows_line_up(left: list[_Placed], right: list[_Placed]) -> bool:
    fewer, more = sorted((left, right), key=len)
    if not fewer:
        return False
    partners = 0
    for p in fewer:
        partners += any(
            abs(p.middle - q.middle) < 0.4 * min(p.height, q.height) and 0.6 < p.height / q.height < 1.7 for q in more
        )
    return partners >= 0.7 * len(fewer)


def _rows(placed: list[_Placed]) -> list[list[_Placed]]:
    rows: list[list[_Placed]] = []
    for p in sorted(placed, key=lambda q: q.middle):
        if rows:
            last = rows[-1]
            middle = sum(q.middle for q in last) / len(last)
            if abs(p.middle - middle) < 0.5 * min(p.height, *(q.height for q in last)):
                last.append(p)
                continue
        rows.append([p])
    return [sorted(row, key=lambda q: q.x0) for row in rows]


def _joined(row: list[_Placed]) -> list[TextLine]:
    """Join neighbours of one row that are a space apart and of one size; keep what stands in another column."""
    groups: list[list[_Placed]] = []
    for p in row:
        if groups:
            last = groups[-1][-1]
            near = p.x0 - last.x1 < 0.8 * min(p.height, last.height)
            if near and 0.65 < p.height / last.height < 1.55:
                groups[-1].append(p)
                continue
        groups.append([p])
    return [_line(group) for group in groups]


def _line(group: list[_Placed]) -> TextLine:
    first, last = group[0].piece.corners, group[-1].piece.corners
    corners = (first[0], last[1], last[2], first[3])
    total = sum(len(p.piece.text) for p in group)
    return TextLine(
        text=" ".join(p.piece.text for p in group),
        confidence=round(sum(p.piece.confidence * len(p.piece.text) for p in group) / max(total, 1), 4),
        outline_px=tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners),
    )
