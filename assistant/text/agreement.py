"""How well the text on a frame agrees with the text of an indexed picture.

Things of one series look alike and differ in their title, number or flavour: text that differs is the strongest
evidence against. Compared as words, weighted by their size, so that another line break or edition changes little.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.core.types import TextLine

_WORD = re.compile(r"[^\W_]+", re.UNICODE)


@dataclass(frozen=True)
class Word:
    """A word with the height of its line in pixels of its picture and how surely it was read."""

    text: str
    height: float
    confidence: float

    @property
    def weight(self) -> float:
        return self.height * min(len(self.text), 10) ** 0.5 * self.confidence


@dataclass(frozen=True)
class TextAgreement:
    """recall: share of the indexed picture's words found on the frame, by weight; precision: the other way round;
    largest: how well the largest words agree, both ways; amount: how much there was to compare; in_place: how well
    lines agree that lie at the same place; clash: the surest disagreement of two such lines. All 0..1."""

    recall: float
    precision: float
    largest: float
    amount: float
    in_place: float = 0.5
    clash: float = 0.0


#: Two lines read as surely as this are taken at their word.
SURELY_READ = 0.9
#: Nothing to compare: neither for nor against.
UNKNOWN = TextAgreement(0.5, 0.5, 0.5, 0.0)


def words_of(lines: Sequence[TextLine]) -> list[Word]:
    """The words of some lines, lower case, accents dropped."""
    found: list[Word] = []
    for line in lines:
        points = np.asarray(line.outline_px, float)
        if len(points) == 4:
            height = float(np.linalg.norm(points[3] - points[0]) + np.linalg.norm(points[2] - points[1])) / 2
        else:
            height = float(np.ptp(points[:, 1])) if len(points) else 1.0
        found.extend(Word(text, max(height, 1.0), line.confidence) for text in split_words(line.text))
    return found


def split_words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))


def compare(indexed: Sequence[Word], seen: Sequence[Word]) -> TextAgreement:
    """Agreement of an indexed picture's words with the words seen inside its outline."""
    if not indexed or not seen:
        return UNKNOWN
    indexed_text, seen_text = "".join(w.text for w in indexed), "".join(w.text for w in seen)
    found = [_likeness(w.text, [s.text for s in seen], seen_text) for w in indexed]
    known = [_likeness(w.text, [s.text for s in indexed], indexed_text) for w in seen]
    recall, precision = _weighted(found, indexed), _weighted(known, seen)
    largest = min(_of_largest(found, indexed), _of_largest(known, seen))
    letters = min(len(indexed_text), len(seen_text))
    return TextAgreement(recall, precision, largest, min(letters / 12.0, 1.0))


def compare_places(indexed: Sequence[TextLine], seen: Sequence[TextLine]) -> tuple[float, float]:
    """Agreement of lines that lie at the same place, and the surest disagreement among them, both 0..1.

    Things of one line often differ in a number alone: that disagreement must not drown in all that agrees.

    Args:
        indexed: lines of the indexed picture.
        seen: lines of the frame with their outlines mapped to the indexed picture.
    """
    total = agreed = clash = 0.0
    for a in indexed:
        for b in seen:
            if not _same_place(a, b):
                continue
            likeness = _line_likeness(split_words(a.text), split_words(b.text))
            sure = a.confidence * b.confidence
            weight = sure * min(len(a.text), len(b.text)) ** 0.5
            total += weight
            agreed += weight * likeness
            clash = max(clash, (1.0 - likeness) * max(0.0, 2.0 * sure - 1.0))
    return (agreed / total if total else 0.5), clash


def other_number(indexed: Sequence[TextLine], seen: Sequence[TextLine]) -> bool:
    """Whether a line surely read has another number than the line at its place, in the same words ("TK-58", "TK-82").

    Things of one make may look alike in everything else. A single digit that differs may be misread; two are not.

    Args:
        indexed: lines of the indexed picture.
        seen: lines of the frame with their outlines mapped to the indexed picture.
    """
    return any(
        min(a.confidence, b.confidence) >= SURELY_READ and _differ_in_number(a.text, b.text) and _same_place(a, b)
        for a in indexed
        for b in seen
    )


def _differ_in_number(one: str, other: str) -> bool:
    a, b = split_words(one), split_words(other)
    mine, theirs = _digits(a), _digits(b)
    if len(mine) < 2 or len(mine) != len(theirs) or sum(x != y for x, y in zip(mine, theirs, strict=True)) < 2:
        return False
    letters = ["".join(c for word in words for c in word if not c.isdigit()) for words in (a, b)]
    return (
        min(map(len, letters)) >= 2
        and difflib.SequenceMatcher(a=letters[0], b=letters[1], autojunk=False).ratio() >= 0.8
    )


def _same_place(a: TextLine, b: TextLine) -> bool:
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = _box(a), _box(b)
    common = max(0.0, min(ax1, bx1) - max(ax0, bx0)) * max(0.0, min(ay1, by1) - max(ay0, by0))
    areas = sorted(((ax1 - ax0) * (ay1 - ay0), (bx1 - bx0) * (by1 - by0)))
    return common > 0.6 * areas[0] and areas[0] > 0.45 * areas[1]


def _box(line: TextLine) -> tuple[float, float, float, float]:
    points = np.asarray(line.outline_px, float)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def _line_likeness(a: Sequence[str], b: Sequence[str]) -> float:
    """1 for the same line, 0 when a number differs; the worst pair of words otherwise counts as much as the whole."""
    if not a or not b:
        return 0.5
    whole = difflib.SequenceMatcher(a="".join(a), b="".join(b), autojunk=False).ratio()
    if _digits(a) != _digits(b):
        return min(whole, 0.0 if _digits(a) and _digits(b) else 0.6)
    if len(a) != len(b):
        return whole
    words = [difflib.SequenceMatcher(a=x, b=y, autojunk=False).ratio() for x, y in zip(a, b, strict=True)]
    return (whole + min(words)) / 2


def _digits(words: Sequence[str]) -> str:
    return "".join(c for word in words if any(c.isdigit() for c in word) for c in word if c.isdigit())


def overlap(indexed: Sequence[Word], seen_words: frozenset[str], seen_text: str) -> float:
    """A quick score for the short list: weight of the indexed words that occur literally on the frame, 0..1."""
    total = sum(w.weight for w in indexed)
    if not total:
        return 0.0
    hit = sum(w.weight for w in indexed if w.text in seen_words or (len(w.text) > 4 and w.text in seen_text))
    return hit / total


def _weighted(likeness: Sequence[float], words: Sequence[Word]) -> float:
    total = sum(w.weight for w in words)
    return sum(v * w.weight for v, w in zip(likeness, words, strict=True)) / max(total, 1e-9)


def _of_largest(likeness: Sequence[float], words: Sequence[Word]) -> float:
    """Mean likeness of the words at least 0.7 times as high as the highest word of two letters or more."""
    heights = [w.height for w in words if len(w.text) > 1] or [w.height for w in words]
    top = max(heights)
    chosen = [(v, w.weight) for v, w in zip(likeness, words, strict=True) if w.height >= 0.7 * top]
    total = sum(weight for _, weight in chosen)
    return sum(v * weight for v, weight in chosen) / max(total, 1e-9)


def _likeness(word: str, others: Sequence[str], joined: str) -> float:
    """How well a word is found among others: 1 for the word itself, less for misread ones, 0 below two thirds."""
    if word in others or (len(word) >= 4 and word in joined):
        return 1.0
    if len(word) == 1 or word.isdigit():
        return 0.0  # a number that differs is another number, not a misread one
    best = 0.0
    matcher = difflib.SequenceMatcher(b=word, autojunk=False)
    for other in others:
        if abs(len(other) - len(word)) > max(2, len(word) // 2):
            continue
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            best = max(best, matcher.ratio())
    return best if best >= 0.66 else 0.0
