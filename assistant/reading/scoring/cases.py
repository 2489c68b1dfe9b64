"""The case that a fact is told for: for 100 g or for a serving, kept closed or once opened, against splashes or under
water.

What is told for one case is no answer about another of its kind; a fact that names none may be told for any.
"""

from __future__ import annotations

import re

_SERVING = r"(?:servings?|portions?|helpings?|slices?|pieces?|biscuits?|spoonfuls?|cups?|glass(?:es)?)"
_PACK = r"(?:pack(?:et|age)?|box|bag|jar|tin|can|bottle|carton|tub|bar|tube|pouch)"
#: Cases of one kind exclude each other.
_KINDS: tuple[tuple[re.Pattern[str], ...], ...] = tuple(
    tuple(re.compile(case) for case in kind)
    for kind in (
        (
            r"\b(?:per|in|of|for|every|each) ?100 ?(?:g|ml|grams?|millilit\w+)\b|/ ?100\b",
            rf"\b(?:per|an?|one|each|every|single) (?:single )?{_SERVING}\b",
            rf"\bper {_PACK}\b|\b(?:whole|entire|full) {_PACK}\b",
        ),
        (
            r"\b(?:after|once|when|if) (?:it(?:['’]s| is)? |being )?open(?:ed|ing)?\b|\bopened\b|\ban? open [a-z]",
            r"\bun-?opened\b|\bsealed\b|\b(?:kept|stored) closed\b|\bclosed(?: it\b|\W*$)|\bshelf life\b",
        ),
    )
)
#: A quality and what falls short of it: what takes a splash is not waterproof, what is not even that is not either.
_DEGREES = (
    (r"water-? ?(?:proof|tight)|submer\w+|under ?water|swim\w*|div(?:e|ing)", r"splash\w*|spray|rain\w*|drips?|shower"),
    (r"(?:fire|flame)-? ?proof|incombustible", r"(?:heat|flame|fire)-? ?(?:resistant|retardant)"),
    (r"(?:unbreak|indestruct)\w+|shatter-? ?proof", r"(?:scratch|shock|impact)-? ?(?:resistant|proof)|sturdy|robust"),
)


def of_another_case(asked: str, told: str) -> bool:
    """Whether a fact names a case, and the question only others of the same kind."""
    for kind in _KINDS:
        wanted, stated = ({n for n, case in enumerate(kind) if case.search(t.lower())} for t in (asked, told))
        if wanted and stated and not wanted & stated:
            return True
    return False


def falls_short(asked: str, told: str) -> bool:
    """Whether a fact tells of less than the quality that is asked for."""

    def names(text: str, words: str) -> bool:
        return re.search(rf"\b(?:{words})\b", text.lower()) is not None

    return any(names(asked, full) and names(told, less) and not names(told, full) for full, less in _DEGREES)
