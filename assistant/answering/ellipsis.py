"""Follow-ups that say only what is new, completed with the question before them: "and the other one?", "what about X?".

Grammar of the two clauses only: who is meant is decided in `references`.
"""

from __future__ import annotations

import re

from assistant.answering.clause import WH, core_of
from assistant.answering.language import plain, words_of
from assistant.answering.units import unit_of
from assistant.conversation import Turn

#: "in miles?", "how many pounds is that?"
_CONVERT = re.compile(
    r"^(?:and\s+)?(?:(?:what(?:['’]s| is)|how much is|convert|express|give me|say)\s+(?:that|this|"
    r"it)\s+)?(?:in|into|to|as)\s+(?P<unit>[a-z°²/ ]{1,24})$|^(?:and )?(?:how many|how much) (?P<unit2>[a-z "
    r"]{1,20}) is (?:that|it)$",
    re.IGNORECASE,
)
#: A question for another unit says nothing else; so many more words may be polite.
_POLITE = 4
_SAME_AGAIN = re.compile(
    r"^(?:(?:and|but|so|ok|okay)[\s,]+)?(?:what about|how about|and|same for|the same for)\s+(?P<np>.+)$", re.IGNORECASE
)


def converts_to(core: str, text: str) -> tuple[str, str] | None:
    """The unit, with its dimension, in which the answer before is asked for again; `text` is the whole utterance."""
    target = _CONVERT.match(core.strip(" ?.!"))
    if target is None or len(words_of(text)) > len(words_of(core)) + _POLITE:
        return None  # "from the founding to the opening, how many years is that?"
    return unit_of((target.group("unit") or target.group("unit2")).strip())


def completed(core: str, text: str, last: Turn | None) -> tuple[str, str]:
    """Fills an elliptic follow-up ("and the other one?", "what about X?") with the question before it."""
    m = _SAME_AGAIN.match(core.strip(" ?.!")) or _SAME_AGAIN.match(text.strip(" ?.!"))
    if last is None:
        return core, text
    bare = core.strip(" ?.!")
    is_reference = bool(
        re.fullmatch(
            r"(?:the )?(?:other|first|second|last|left|right|this|that|these|those)(?: one| \w+)?(?: on the "
            r"\w+)?|this|that|(?:the )?one \w+(?: \w+){0,3}",
            bare,
            re.IGNORECASE,
        )
    )
    phrase = m.group("np").strip(" ?.!") if m else (bare if is_reference else "")
    if not phrase or re.match(
        r"(?:how|what|when|where|who|which|why|is|are|am|does|do|did|can|could|would|will|has|have|should|was|were|if|so|"
        r"tell|say|give|name|show|find|please|of|among|between|"
        r"its|their|his|her|in|into|it|i|we|they)\b",
        phrase,
        re.IGNORECASE,
    ):
        return core, text
    names_thing = (
        is_reference
        or re.match(r"(?:the other|the first|the second|this|that|these|those|the one)\b", phrase, re.IGNORECASE)
        or re.search(r"\b(?!I\b)[A-Z]", phrase)
    )
    if not names_thing or re.search(rf"\b{WH}\b", phrase, re.IGNORECASE):  # "and right now, how many of it are left?"
        return core, text
    before = core_of(plain(last.question))
    for subject in sorted(last.subjects, key=len, reverse=True):
        before = re.sub(re.escape(subject), phrase, before, flags=re.IGNORECASE)
    if phrase.lower() not in before.lower():
        swapped, n = re.subn(
            r"\b(?:this|that)(?: one)?\b(?!\s+(?:is|are))|\b(?:it|these|those|them)\b",
            phrase,
            before,
            count=1,
            flags=re.IGNORECASE,
        )
        before = swapped if n else f"{before.rstrip(' ?')} ({phrase})?"
    return before, before
