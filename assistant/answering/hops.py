"""One relation further: finding, in a question, the phrase that stands for another thing.

"where was its author born" asks for the birthplace of whatever "its author" is. Phrases are listed by grammar (a
determiner, a noun, perhaps a clause); which of them leads anywhere is decided by asking for it first. One step only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.answering.language import FUNCTION_WORDS, without_kind, word_set

_START = re.compile(
    r"(?:\bthe\b|\bits\b|\btheir\b|\bhis\b|\bher\b|\bthat\b|\bthis\b|\bwhoever\b|\ban?\b(?=\s+\w+\s+(?:that|"
    r"which|who|where)\b)|\b(?:this|that)(?:\s+\w+)?['’]s\b)",
    re.IGNORECASE,
)
_WH = re.compile(
    r"\b(?:where|when|how|who|whom|whose|what|which|why|is|was|did|does|are|were|has|have|can|will)\b", re.IGNORECASE
)
_NO_END = word_set(
    "the a an its their his her this's that's is are was were be been being has have had do does did will "
    "would can could and or but that which who whom where when how what than as not so if my your our of"
)
_CLAUSE = re.compile(
    r"\s(?:that|which|who|whom|where|it|this|these|they|behind|of|from|for|to|in|on)(?:\s|$)", re.IGNORECASE
)
_MAX_WORDS = 10


@dataclass(frozen=True)
class Hop:
    """`phrase` is asked first (`inner`); its answer takes the place of "it" in `outer`."""

    phrase: str
    inner: str
    outer: str


def hops_of(core: str, kinds: frozenset[str] = frozenset(), limit: int = 14) -> tuple[Hop, ...]:
    """Ways to read the question as asking about something that the subject leads to.

    `kinds`: stems of words for the subject itself ("book"), which lead nowhere.
    """
    text = without_kind(core.rstrip(" ?.!"), kinds)
    asks = bool(_WH.search(text))
    tokens = [(m.group(), m.start(), m.end()) for m in re.finditer(r"[^\s,]+", text)]
    found: dict[str, Hop] = {}
    for start in _START.finditer(text):
        first = next((i for i, t in enumerate(tokens) if t[1] == start.start()), None)
        if first is None:
            continue
        for last in range(first + 1, min(len(tokens), first + _MAX_WORDS)):
            phrase = text[start.start() : tokens[last][2]]
            if not _is_phrase(phrase, tokens[last][0]):
                continue
            outer = (text[: start.start()] + "it" + text[tokens[last][2] :]).strip() + "?"
            if phrase.lower() not in found and _leaves_a_question(outer, asks):
                found[phrase.lower()] = Hop(
                    phrase, f"{'who' if re.search(r'^who|person|people', phrase) else 'what'} is {phrase}?", outer
                )
    ordered = sorted(found.values(), key=lambda h: (-bool(_CLAUSE.search(h.phrase)), -len(h.phrase)))
    return tuple(ordered[:limit])


def _is_phrase(phrase: str, last: str) -> bool:
    words = re.findall(r"[\w'’-]+", phrase.lower())
    if last.lower() in _NO_END or "," in phrase:
        return False
    inside = words[1:]
    if not any(w not in FUNCTION_WORDS for w in inside) and words[0] != "whoever":
        return False
    return bool(len(inside) <= 3 or _CLAUSE.search(phrase) or words[0] == "whoever")


def _leaves_a_question(outer: str, asks: bool) -> bool:
    """Something must still be asked once the phrase is taken out: a property, or where / when / how."""
    if asks and not _WH.search(outer):
        return False
    low = re.sub(r"^(?:the |its )?names? of ", "what is ", outer.lower().strip(" ?"))
    low = re.sub(r"\bthe name of it\b", "it", low)
    if re.match(r"^(?:in |at |by |on )?(?:who|what|which(?: one)?|whose)(?:['’]s)?\s*(?:is|was|are|were)?\s+it$", low):
        return False
    if re.match(r"^(?:where|when|how)(?:['’]s)?\s+(?:is|was|are|were|did|does|do)?\s*it$", low):
        return low.startswith("where")
    content = [w for w in re.findall(r"[\w'’-]+", low) if w not in FUNCTION_WORDS]
    return bool(content) or bool(re.search(r"\b(?:where|how (?:old|big|far|long|many|much))\b", low))
