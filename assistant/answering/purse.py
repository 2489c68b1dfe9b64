"""A sum of money without its name: "is 40 enough for 3 like this", "8 of these for 120, is that doable".

A bare number is money where the question speaks of paying or of having enough, and where it counts nothing itself.
"""

from __future__ import annotations

import re

#: What is said of money in hand, or of what it is to be had for.
_PAYING = re.compile(
    r"\b(?:enough|suffic\w+|afford\w*|cover(?:s|ed|ing)?|budget|stretch(?:es)?|wallet|purse|pockets?|"
    r"saved(?: up)?|savings|"
    r"pay(?:s|ing)?|buy(?:s|ing)?|bought|spend|money|cash|purchase|doable|cost|walk out with|come home with|"
    r"tickets?|admission|"
    r"(?:can|could|do) (?:i|we) (?:get|take|have)|gets? (?:me|us|\d+|[a-z]+ of us))\b",
    re.IGNORECASE,
)
#: Money is spoken of, whatever is counted.
_IN_HAND = re.compile(
    r"\b(?:wallet|purse|pockets?|saved(?: up)?|savings|budget|spend|money|cash|afford\w*|buy(?:s|ing)?|purchase|"
    r"pay(?:s|ing)?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.,/:-])(?P<n>\d{1,6}(?:[.,]\d{1,2})?)(?=\s*(?:$|[,;:?!)]|\.(?!\d))"
    r"|\s+(?:is|are|be|in|on|saved|to|for|enough|covers?|would|will|do|does|gets?|buys?|suffic\w+|and|at|from|off|with|left|"
    r"spare|if|when|can|could|pays?|stretch\w*|brings?|me|us|as|going|sufficient|get|buy|cover|stretch|pay)\b)"
)
#: So many are counted, or it is a size, a date, a place in a row.
_COUNTED_BEFORE = re.compile(
    r"\b(?:we are|we['’]re|are|of us|number|size|volume|part|year|since|until|in|on|at|page|level|stretch(?:es)? to|"
    r"another|all|these|those|the|no)\s*$",
    re.IGNORECASE,
)
_WITH_BEFORE = re.compile(
    r"\b(?:with|for|have|has|had|got|['’]ve|['’]s|of|only|just|my|is|on|holds?|saved)\s*$", re.IGNORECASE
)


def bare_sum(question: str, counted: bool) -> float | None:
    """The sum that is spoken of by its number alone; None where no number, or more than one, may be meant.

    Args:
        counted: whether the question says how many of the thing there are to be paid for.
    """
    if not _PAYING.search(question) or not (counted or _IN_HAND.search(question)):
        return None
    found = [m for m in _NUMBER.finditer(question) if not _COUNTED_BEFORE.search(question[: m.start()])]
    if len(found) > 1:
        found = [m for m in found if _WITH_BEFORE.search(question[: m.start()])]
    return float(found[0]["n"].replace(",", ".")) if len(found) == 1 else None
