"""A light stemmer for the lexical judge, English only; British spellings are read as American ones."""

from __future__ import annotations

import functools
import re

from eval.judges.lexical.tables import SAME

#: British spellings and the American ones they are read as.
_SPELT = re.compile(r"(?<=[a-z]{3})our(?=s?$|ed$|ing$|ful$)|(?<=[a-z]{2})is(?=e[ds]?$|ing$)|(?<=[a-z]{2})tre(?=s?$)")
_SPELT_AS = {"our": "or", "is": "iz", "tre": "ter"}
_NOT_OUR = frozenset(("flour", "devour", "contour", "detour", "velour", "scour", "raise", "rise", "wise", "noise"))


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light stem, one for all words of a group of `SAME`."""
    word = _SPELT.sub(lambda m: _SPELT_AS[m[0]], word) if word not in _NOT_OUR else word
    if word in SAME:
        return SAME[word]
    if word[:1].isdigit():
        return re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)
    if len(word) <= 3:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            cut = word[: len(word) - len(ending)] + instead
            if cut in SAME:
                return SAME[cut]
            if cut + "e" in SAME:
                return SAME[cut + "e"]
            if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsez" and cut[:-1] in SAME:
                return SAME[cut[:-1]]
            word = cut
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lse":
        word = word[:-1]
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    return SAME.get(word, word)


_ENDINGS = (
    ("iveness", "ive"), ("fulness", "ful"), ("ization", "ize"), ("isation", "ize"), ("ations", "ate"), ("ation", "ate"),
    ("ies", "y"), ("ings", ""), ("ing", ""), ("edly", ""), ("ied", "y"), ("ed", ""), ("ers", "er"), ("esses", "ess"),
    ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("ness", ""), ("ably", "able"), ("ily", "y"),
    ("ly", ""), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
)  # fmt: skip
