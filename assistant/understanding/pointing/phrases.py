"""The words of a question that point at the thing: "the box on the left", "this one here", its kind, its name.

What is left when they are one word says what is asked of it.
"""

from __future__ import annotations

import re

from assistant.text.colour_words import WORDS as COLOURS
from assistant.text.english import FUNCTION_WORDS, content_stems, is_plural
from assistant.text.kinds import is_kind_word
from assistant.understanding.roles import role_asked

_PLACE = (
    r"(?:\s+(?:(?:right |over |up |down )?(?:here|there)|in front of (?:me|us)|"
    r"(?:on|to|at) (?:the|my) (?:left|right|top|bottom|front|back)|(?:next to|beside|behind) (?:it|that|this)|"
    r"i(?:['’]m| am) (?:holding|looking at)|in (?:my|the) hands?|in view)\b)"
)
#: "the firm behind it" is another thing than the one in view.
BEHIND = (
    r"firm|company|business|brand|label|maker|manufacturer|producer|publisher|studio|house|workshop|bank|club|council|"
    r"team|person|people|man|men|woman|women|guy|guys|lady|folks?|artist|designer|author|inventor|founder|owner|"
    r"builder|"
    r"name|mind|brains?|idea|story|title|price|someone|somebody"
)
PLACED = re.compile(
    rf"\b(?:the|this|that)\s+(?!(?:\w+\s+)?(?:{BEHIND}|hand)\s+behind\b)(?:\w+\s+)?\w+{_PLACE}+", re.IGNORECASE
)
#: "the one on the left" is the thing; "the one who restored it" is somebody else.
ONE = re.compile(
    r"\b(?:the|this|that)\s+(?:\w+\s+)?(?:one|thing|object)\b"
    rf"(?!\s+(?:who|whose|that|which|behind|responsible|in charge)\b){_PLACE}*",
    re.IGNORECASE,
)
#: A name in the middle of the question: the subject's own, misspelt so that it was not masked.
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: (?:(?:for|of|the|and|in|at|on) )?[A-Z0-9][\w'’-]*)+")
_KIND = re.compile(
    r"\b(?:the|(?P<pointing>this|that))\s+"
    r"(?:(?:far\s+)?(?:left|right|upper|lower|front|rear|middle)(?:most|[- ]hand)?\s+"
    r"|(?:very\s+)?same\s+"
    rf"|(?:(?:light|dark|pale|bright|deep)[ -])?(?:{'|'.join(COLOURS)})\s+)?(?P<noun>\w+(?:-\w+)*)"
    r"(?:\s+of\s+(?:arms|art)\b)?(?:\s+itself)?\b"
    # "the tree with the pink blossoms": told by what is seen on it
    r"(?:\s+with\s+(?:the\s+)?(?:\w+\s+)?(?:berries|flowers|blossoms?|leaves|petals|thorns|stripes|spots|dots|"
    r"feathers|wings|ears|tail|collar|horns|stalks?|stems?)\b)?",
    re.IGNORECASE,
)


_CLAUSE_NEXT = re.compile(r"\s(?:that|which|where|who|it|this|they|in which)\s", re.IGNORECASE)


#: What may stand before "that tree", and behind it where nothing else does: "what age does that tree reach?".
_BEFORE_POINTING = re.compile(r"\b(?:does|do|did|can|could|will|would|has|have|had|of|for|with|on|in) $", re.IGNORECASE)
_NEXT_WORD = re.compile(r"\s*([\w'’-]*)")


def _points_at_kind(m: re.Match[str]) -> bool:
    """ "this tree", "that van" in a question saying so: no "that" of a clause ("the food that birds eat"), no part of
    a longer name ("this bird cage").
    """
    noun = m["noun"].lower()
    if m["pointing"] is None or not is_kind_word(noun) or (m["pointing"].lower() == "that" and is_plural(noun)):
        return False
    follows = _NEXT_WORD.match(m.string, m.end())
    word = follows[1].lower() if follows else ""
    alone = not word or word in FUNCTION_WORDS
    return alone or (_BEFORE_POINTING.search(m.string[: m.start()]) is not None and not _may_be_noun(word))


def _may_be_noun(word: str) -> bool:
    return is_kind_word(word) or is_kind_word(word.removesuffix("s"))


def pointing_left_out(question: str, kinds: frozenset[str]) -> str:
    """The question with "it" for the words that point at the thing: "what does the box on the left cost" → "what does
    it cost". `kinds` are stems of words for what the thing is.
    """
    question = ONE.sub("it", PLACED.sub("it", _NAME.sub("it", question)))

    def pointed(m: re.Match[str]) -> str:
        if _CLAUSE_NEXT.match(question[m.end() :]) and role_asked([m[0]]) is not None:
            return m[0]  # of a Town Bus "the town it sets out from" is no bus
        stems = content_stems(m["noun"])
        return "it" if stems and (stems <= kinds or _points_at_kind(m)) else m[0]

    return _KIND.sub(pointed, question)
