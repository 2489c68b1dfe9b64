"""Statements about just the other case than the one that is asked about: unopened and once open, born and at home now.

The words of both are much alike, so that meaning alone mixes them up. Only pairs that exclude each other stand here.
"""

from __future__ import annotations

import re


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_UNOPENED = _words(
    r"\b(?:unopened|sealed|unbroken|before (?:it is |it['’]s )?open(?:ed|ing)|"
    r"(?:don['’]t|do not|never|not|without|isn['’]t|is not|leave it un) ?(?:ever |yet )?open(?:ed|ing)?)\b"
)
_OPENED = _words(r"\b(?:after|once|since)\b(?: \w+){0,3} open(?:ed|ing)?\b|\bwhen opened\b")
_BORN = _words(
    r"\b(?:birthplace|place of birth|born|native|originally|home ?town|(?:come|came) into the world|gr[eo]w up|"
    r"childhood|a child of)\b"
)
_AT_HOME = _words(
    r"\b(?:lives?|living|resides?|residence|settled|moved|(?:today|now|nowadays|these days)\b.*\b(?:at home|home)|"
    r"home (?:today|now|these days))\b"
)
#: What is asked about, and what a statement of the other case says.
_PAIRS = ((_UNOPENED, _OPENED), (_OPENED, _UNOPENED), (_BORN, _AT_HOME), (_AT_HOME, _BORN))
_FACTORY = _words(
    r"\bfactor(?:y|ies)\b|\b(?:the|which|what|its|whose) (?:works|mill|assembly (?:line|plant|hall)|production line)\b"
)
_MAKES_THERE = _words(
    r"\b(?:ma[dk]e|makes|making|buil[dt]s?|assembl\w+|produc\w+|manufactur\w+|factor(?:y|ies)|the works|plant|sewn|"
    r"sews?|put together|puts? (?:it|them) together|production)\b"
)


def of_the_other_case(question: str, text: str) -> bool:
    """Whether the text tells only of the case that excludes the one asked about."""
    return any(
        a.search(question) and not b.search(question) and b.search(text) and not a.search(text) for a, b in _PAIRS
    )


def of_the_seat(question: str, told: str) -> bool:
    """Whether a factory is asked for, and what is told of the firm is not where it makes things."""
    return _FACTORY.search(question) is not None and _MAKES_THERE.search(told) is None
