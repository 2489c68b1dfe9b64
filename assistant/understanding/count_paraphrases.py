"""Sums and counts asked in roundabout words, said plainly: "if one adds up the seats of the whole fleet, what comes
out?" asks for the sum of the seats, "colours: how many are listed for it?" how many colours it has.

General English only; which things are added up or counted is the matter of `reference.groups` and
`operations.counting`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.understanding.clause import OPENERS
from assistant.understanding.preamble import set_apart

_SOMEBODY = r"(?:i|we|you|one|somebody|someone|they|people)"
_ADDS = (
    r"(?:add|adds|added|sum|sums|summed|total|totals|totalled|tot|count|counts|counted)(?: up| together)"
    r"|(?:add|adds|added|total|totals|totalled|put|puts) (?=.*\btogether\b)"
)
#: "what comes out", "how much is that", "where do I end up": what is made of all of it.
_RESULT = (
    r"(?:what|how much|how many|where|to what (?:number|sum|total|figure|amount)|which (?:number|sum|total|figure))"
    r"(?: (?:total|sum|number|figure|amount|result))?(?:['’]s)?"
    rf"(?: (?:is|are|would|will|does|do|did|can|could|comes?|must|should|the|{_SOMEBODY}|it|that|this|they|those|be|"
    r"makes?|come|come up|end up|arrive|get|have|reach|result|total|sum|answer|number|figure|altogether|together|in|"
    r"all|to|out|up|at|with|then|at the end|in the end|as the result))*"
)
_END = r"\s*[?.!]*$"
_GROUPED = r"(?:in|over|for|of|across|within|through(?:out)?)"
_X = r"[^,;:?]+?"


def _number(m: re.Match[str]) -> str:
    """ "count through the stops of this bus" → "the number of stops of this bus"."""
    return f"the number of {m['what']} of {m['of']}?"


def _total(m: re.Match[str]) -> str:
    """ "weight, all together in the fleet, how much is it" → "what is the sum of weight in the fleet"."""
    return f"what is the sum of {m['what']} {m['over']}?"


_TALLIES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        # "if one adds up the seats for the whole fleet, what comes out"
        (
            rf"^(?:(?:if|when|suppose|say|supposing) {_SOMEBODY} |by )?(?:{_ADDS}|adding(?: up| together)?|"
            rf"summing up|totalling) (?:all )?(?:the )?(?P<what>{_X})(?: together)? (?P<over>{_GROUPED} "
            rf"(?:all|the|this|that|its|every|each|everything)\b{_X})(?: together)?, {_RESULT}{_END}",
            _total,
        ),
        # "weight, all together in this fleet, how much is it"
        (
            rf"^(?:the )?(?P<what>{_X}),? (?:all )?(?:taken |added |summed )?"
            r"(?:together|up|in total|combined|altogether)"
            rf",? (?P<over>{_GROUPED} {_X}), {_RESULT}{_END}",
            _total,
        ),
        # "if you count through the stops of this bus, to what number do you come"
        (
            rf"^(?:if|when|suppose|say) {_SOMEBODY} counts?(?: (?:through|up|over|out|together))? (?:all )?(?:the )?"
            rf"(?P<what>{_X}) (?:of|for|on|in|with) (?P<of>{_X}), {_RESULT}{_END}",
            _number,
        ),
        # "prizes: how many are listed for this cow"
        (
            r"^(?:the )?(?P<what>[a-z][a-z -]*?)(?:\s*[:–-] ?|, (?=how many of ))how many (?:of (?:them|these|those) )?"
            r"(?:are|were|is|have been) (?:listed|named|given|mentioned|known|told|stated|counted|recorded|shown|there)"
            rf"(?: are)? (?:for|with|on|in|of) (?P<of>{_X}){_END}",
            _number,
        ),
    )
)


def plain_count(text: str) -> str:
    """The question with a roundabout sum or count said plainly, behind what is told before it; others as they are."""
    story, asks = set_apart(text)
    bare = OPENERS.sub("", asks if story else text)
    for pattern, plain in _TALLIES:
        said, n = pattern.subn(plain, bare, count=1)
        if n:
            return f"{story}, so {said}" if story else said
    return text
