"""Things told by where they stand beside another: "the one to the left of the red box", "what is next to the kettle?".

Only what was recognised counts, and only what another thing is told by surely: by its side, its colour or its kind.
Where more than one thing stands there, none is chosen. Depth is not seen: "behind" and "in front of" are not covered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.text.kinds import KIND_WORDS

_THING = rf"(?:ones?|things?|objects?|items?|{KIND_WORDS})"
#: Where a thing stands; "what is left of the jam" asks what remains.
_STANDS = (
    r"(?:(?:that|which) )?(?:(?:is|are|['’]s|stands?|lies?|sits?|hangs?|standing|lying|sitting|hanging) )?"
    r"(?:just |right |directly |immediately )?"
)
_BESIDE = re.compile(
    rf"\b(?:(?P<what>{_THING}) {_STANDS}(?:(?:(?:to|on) the )?(?P<a>left|right)(?: hand)?(?: side)? of"
    rf"|(?P<near>next to|beside)|(?P<up>above|on top of)|(?P<down>below|under|underneath|beneath))"
    rf"|what {_STANDS}(?:(?:to|on) the (?P<b>left|right)(?: hand)?(?: side)? of|(?P<near2>next to|beside))) "
    rf"(?P<other>the (?:[\w-]+ ){{0,2}}?{_THING}(?: (?:on|to) (?:the|my) (?:left|right))?)(?![\w-])"
)
#: The nearest of several is the one beside it when the next stands so many times further off.
_CLEARLY_NEARER = 1.6

Point = tuple[float, float]


def beside_asked(text: str) -> tuple[str, str, str] | None:
    """(the word for the thing, where it stands, the words for the other thing) in a question in lower case.

    Where: "left", "right", "near", "up" or "down".
    """
    m = _BESIDE.search(text)
    if m is None:
        return None
    side = m["a"] or m["b"] or ("near" if m["near"] or m["near2"] else "up" if m["up"] else "down")
    return m["what"] or "", side, m["other"]


def stands_there(side: str, other: Point, places: Sequence[Point]) -> int | str:
    """The place of the thing that stands on that side of the other one; or why it is none."""
    ahead = {
        "left": lambda p: other[0] - p[0],
        "right": lambda p: p[0] - other[0],
        "up": lambda p: other[1] - p[1],
        "down": lambda p: p[1] - other[1],
        "near": lambda p: abs(p[0] - other[0]) + abs(p[1] - other[1]),
    }[side]
    across = (lambda p: abs(p[1] - other[1])) if side in ("left", "right") else (lambda p: abs(p[0] - other[0]))
    found = [(ahead(p), i) for i, p in enumerate(places) if ahead(p) > 0 and (side == "near" or ahead(p) > across(p))]
    if not found:
        return "nothing that I recognise on this picture stands there"
    nearest = sorted(found)
    if side == "near" and len(nearest) > 1 and nearest[1][0] < _CLEARLY_NEARER * nearest[0][0]:
        return "more than one thing that I recognise on this picture stands beside it"
    return nearest[0][1]
