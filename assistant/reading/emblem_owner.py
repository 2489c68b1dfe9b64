"""Whose emblem a thing is: questions that lead to the town or the club with it as its arms, flag or badge.

The Arms of Alder are Alder's, whatever the fact that names Alder calls it; the place that keeps the original, and
whoever granted or drew them, bear no arms by that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Evidence
from assistant.reading.relation_targets import targets_of
from assistant.text.attribute_keys import spoken_key

_EMBLEM = r"(?:emblem|(?:coat of )?arms|crest|shield|flag|banner|ensign|badge|logo|symbol|mascot|seal)"
_PRONOUN = r"(?:it|this|that|these|those|them)"
#: "the club whose badge it is", "the town it is the arms of", "the place it stands for".
_PHRASE = re.compile(
    rf"\bwhose (?:\w+ )?{_EMBLEM}\b|\b(?:the|as) {_EMBLEM} of\b|\bbears? {_PRONOUN}\b"
    rf"|\b{_PRONOUN}(?: one)? (?:stands for|represents)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:emblem|arms|symbol|flag|badge|bear(?:s|er|ers|ing)?|used by|belongs? to|stands? for|represents?|owner|"
    r"holder|granted to|people of|citizens of)\b",
    re.IGNORECASE,
)


def speak_of_bearer(phrases: Sequence[str]) -> bool:
    """Whether one of the phrases that may stand for another thing stands for whoever has the thing as an emblem."""
    return any(_PHRASE.search(p) for p in phrases)


def tells_bearer(e: Evidence) -> bool:
    """Whether the evidence names whose emblem its subject is: the subject is called after them, or it says so."""
    names, own = targets_of(e), (e.subject or "").casefold()
    if names and own.endswith(f" of {names[0].casefold()}"):
        return True
    said = spoken_key(e.key) if e.key is not None else e.text.replace(e.subject or "\0", "")
    return bool(_TELLS.search(said))
