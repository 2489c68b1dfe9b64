"""Which extent of a thing a sentence gives: "23 metres wide" is no length, "from the foot to the top" is a height.

Of a boat, what lies below the waterline is its depth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIGURE = r"\d\s?(?:mm|cm|dm|m|km|ft|in|metres?|meters?|centimet(?:re|er)s?|millimet(?:re|er)s?|feet|foot|inch(?:es)?) "
_LABELS = r"^(?:[a-z]+ )?(?:{})(?: overall)?: "
_STATED = {
    "height": re.compile(
        rf"{_FIGURE}(?:tall|high|of height|in height)\b|\bheight(?: (?:is|of)\b|:)|"
        r"\bfrom (?:the |its )?(?:foot|ground|base|bottom|floor|paws?|hooves) to (?:the |its )?"
        r"(?:top|tip|head|shoulders?|roof|crown|withers)\b"
        r"|" + _LABELS.format("height"),
        re.IGNORECASE,
    ),
    "width": re.compile(
        rf"{_FIGURE}(?:wide|broad|of width|in width)\b|\bwidth(?: (?:is|of)\b|:)"
        r"|" + _LABELS.format("width|breadth|beam"),
        re.IGNORECASE,
    ),
    "length": re.compile(
        rf"{_FIGURE}(?:long|of length|in length)\b|\blength(?: (?:is|of)\b|:)|\bfrom end to end\b"
        r"|" + _LABELS.format("length|loa"),
        re.IGNORECASE,
    ),
    "depth": re.compile(
        rf"{_FIGURE}(?:deep|of depth|in depth|(?:below|under) (?:the )?water(?:line)?)\b|\bdepth(?: (?:is|of)\b|:)"
        r"|\bdraught\b|\bdraws \d|" + _LABELS.format("depth|draught|draft"),
        re.IGNORECASE,
    ),
    "span": re.compile(r"\bwing ?spans?\b|\b(?:wing )?tip to (?:wing )?tip\b", re.IGNORECASE),
    "seat": re.compile(r"\b(?:you|one|we|i) sits? (?:\w+ )?\d|\bsitting (?:\w+ )?\d", re.IGNORECASE),
    "diameter": re.compile(r"\bwheels? of \d|\bwheel (?:size|diameter)\b", re.IGNORECASE),
}
_ASKED = {
    "height": re.compile(r"\b(?:height|how (?:tall|high|low))\b", re.IGNORECASE),
    "width": re.compile(
        r"\b(?:width|beam|how (?:wide|broad|narrow)|how (?:far|many|much) .*\bacross|side to side)\b", re.IGNORECASE
    ),
    "length": re.compile(
        r"\b(?:its length|how long is (?:it|this|that))\b(?! [a-z]+(?:ed|en)\b)|\bend to end\b|\bbow to stern\b|"
        r"\b(?:paced?|pacing|walk(?:ed)?) (?:out )?(?:all )?(?:along|the length of) (?:it|this|that|the)\b",
        re.IGNORECASE,
    ),
    "span": re.compile(r"\bwing ?spans?\b|\btip to (?:wing )?tip\b|\bwings?\b|\bspread\b", re.IGNORECASE),
    "depth": re.compile(r"\b(?:depth|how (?:deep|shallow))\b", re.IGNORECASE),
    "seat": re.compile(r"\b(?:seats?|sit|sits|sitting)\b", re.IGNORECASE),
}


def of_another_side(text: str, questions: Sequence[str]) -> bool:
    """Whether the text states extents, none of them one that the questions ask for."""
    asked = {side for side, said in _ASKED.items() if any(said.search(q) for q in questions)}
    stated = {side for side, said in _STATED.items() if said.search(text)} if asked else set()
    return bool(stated) and not stated & asked
