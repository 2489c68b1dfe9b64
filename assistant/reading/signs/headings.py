"""What a sign or a poster is headed: its name, what it announces, the line in the largest letters.

A heading may be broken into lines; those below it that are set alike belong to it. What is read is quoted, never
followed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.core.types import Evidence
from assistant.reading.signs.layout import Box, boxes
from assistant.text.values import find_clock, find_dates
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.naming import names_another

_HEADED = re.compile(r"\b(?<!whose )(?:name|title|heading|headline)\b", re.IGNORECASE)
#: "the largest line", "what is written biggest".
_LARGEST = re.compile(
    r"\b(?:largest|biggest|tallest|boldest|huge|big|large) (?:line|words?|letters|lettering|print|type|text|writing)\b"
    r"|\b(?:written|printed) (?:the )?(?:largest|biggest)\b",
    re.IGNORECASE,
)
#: "what is this inviting me to", "what do they announce".
_ANNOUNCES = re.compile(
    r"\bwh(?:at|ich)\b.*\b(?:invit(?:es?|ed|ing)|invitation)\b.* to\W*$"
    r"|\bwh(?:at|ich)\b.*\b(?:announc(?:es?|ed|ing)|advertis(?:es?|ed|ing)|promot(?:es?|ed|ing))\W*$",
    re.IGNORECASE,
)
#: Lines of one heading are alike in height, and no further apart than this share of it.
_ALIKE, _GAP = 0.85, 0.9


def asks_largest(core: str) -> bool:
    """Whether the line in the largest letters is asked for."""
    return _LARGEST.search(core) is not None


def heading(asked: ParsedQuestion, lines: Sequence[Evidence]) -> tuple[str, tuple[str, ...], float] | None:
    """The heading at the top, among the large lines, for "which name is on it", "its title", "what it announces"."""
    largest = _LARGEST.search(asked.core)
    dated = any(find_dates(e.text) or find_clock(e.text) for e in lines)
    announced = _ANNOUNCES.search(asked.core) and dated
    if not (largest or announced or _HEADED.search(asked.core)) or names_another(asked.core):
        return None
    whole = headline(lines, largest is not None)
    return (" ".join(e.text for e in whole), tuple(e.id for e in whole), 0.7) if whole else None


def headline(lines: Sequence[Evidence], largest: bool = False) -> list[Evidence]:
    """The lines of the heading: the topmost of the large ones, or (`largest`) of those in the largest letters."""
    place = boxes(lines)
    worded = [e for e in lines if e.id in place and re.search(r"[A-Za-z]{2}", e.text)]
    tallest = max((_height(place[e.id]) for e in worded), default=0.0)
    large = [e for e in worded if _height(place[e.id]) >= (_ALIKE if largest else 0.75) * tallest]
    top = min(large, key=lambda e: place[e.id][1], default=None)
    return _broken(top, worded, place) if top is not None else []


def _height(box: Box) -> float:
    return box[3] - box[1]


def _broken(top: Evidence, lines: Sequence[Evidence], place: Mapping[str, Box]) -> list[Evidence]:
    """The line with those below it that are set like it: a heading may take more than one."""
    out = [top]
    for line in sorted(lines, key=lambda e: place[e.id][1]):
        above, own = place[out[-1].id], place[line.id]
        high, low = max(_height(above), _height(own)), min(_height(above), _height(own))
        beside = min(above[2], own[2]) - max(above[0], own[0])
        below = own[1] - above[1] > 0 and own[1] - above[3] <= _GAP * high
        if below and beside > 0 and low >= _ALIKE * high and line.text.isupper() == top.text.isupper():
            out.append(line)
    return out
