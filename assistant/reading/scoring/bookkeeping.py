"""Keys that keep the books: how large a page shows its picture, and of what sort a thing is.

They belong to the page or say again what is seen, so that they answer only questions about just that.
"""

from __future__ import annotations

import re

from assistant.text.attribute_keys import key_words

#: How large the page's own picture is shown, and what stands below it.
_OF_PICTURE = re.compile(
    r"^(?:image|img|photo|picture|thumb(?:nail)?|icon|logo|map)s? "
    r"(?:size|width|height|caption|upright|alt|file|link|url)$",
    re.IGNORECASE,
)
_ASKS_PICTURE = re.compile(r"\b(?:image|photo|picture|thumbnail|icon|logo|map|pixel|resolution)s?\b", re.IGNORECASE)
#: "type: …" says what a thing is, and not what somebody did, lost or wants.
_SORT = re.compile(r"^(?:type|kind|sort|category|class)$", re.IGNORECASE)
_ASKS_A_DEED = re.compile(
    r"\b(?:what|whom?|which(?: \w+)?) (?:did |do |does |have |has |are |is |were |was )?"
    r"(?:they|he|she|we|i|you|people)\b(?!.*\b(?:call|name)(?:ed|d)?\b)",
    re.IGNORECASE,
)


def worth_of_key(key: str | None, question: str) -> float:
    """How much a fact under this key may count as an answer, 1 as a rule."""
    words = key_words(key) if key is not None else ""
    if _OF_PICTURE.search(words) and not _ASKS_PICTURE.search(question):
        return 0.05
    return 0.3 if _SORT.search(words) and _ASKS_A_DEED.search(question) else 1.0
