"""One relation further: finding, in a question, the phrase that stands for another thing.

"where was its author born" asks for the birthplace of whatever "its author" is. Phrases are listed by grammar (a
determiner, a noun, perhaps a clause); which of them leads anywhere is decided by asking for it first. One step only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.text.english import FUNCTION_WORDS, SCALES, without_kind, word_set
from assistant.text.kinds import KIND_WORDS, is_kind_word

_START = re.compile(
    r"(?:\bthe\b|\bits\b|\btheir\b|\bhis\b|\bher\b|\bthat\b|\bthis\b|\bwhoever\b|\ban?\b(?=\s+\w+\s+(?:that|"
    r"which|who|where)\b)|\b(?:this|that)(?:\s+\w+)?['’]s\b)",
    re.IGNORECASE,
)
_WH = re.compile(
    r"\b(?:where|when|how|who|whom|whose|what|which|why|is|was|did|does|are|were|has|have|can|will)\b", re.IGNORECASE
)
#: The word that asks: at the beginning, after a comma, a preposition or a participle; behind a noun it opens a clause.
_ASKS = re.compile(
    r"^(?:is|was|did|does|are|were|has|have|can|will)\b"
    r"|(?:^|, ?|\b(?:in|by|from|for|at|on|to|of|under|with|and|or|\w+ed) )"
    r"(?:where|when|how|who|whom|whose|what|which|why)\b",
    re.IGNORECASE,
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


def split_hops(core: str, kinds: frozenset[str] = frozenset(), limit: int = 14) -> tuple[Hop, ...]:
    """Ways to read the question as asking about something that the subject leads to.

    `kinds`: stems of words for the subject itself ("book"), which lead nowhere.
    """
    text = without_kind(core.rstrip(" ?.!"), kinds)
    asks = bool(_ASKS.search(text))
    tokens = [(m.group(), m.start(), m.end()) for m in re.finditer(r"[^\s,]+", text)]
    found: dict[str, Hop] = {}
    whole: list[Hop] = []
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
                hop = Hop(phrase, asked_for(phrase), outer)
                found[phrase.lower()] = hop
                before = text[: start.start()]
                following = tokens[last + 1][0].lower() if last + 1 < len(tokens) else ""
                cut = _DOES.search(before) and _BARE.search(phrase.lower())  # its verb is what "does" wants
                if not cut and not _torn(phrase, outer, "" if "," in text[tokens[last][2] :][:1] else following):
                    whole.append(hop)
    ordered = sorted(whole or found.values(), key=lambda h: (-bool(_CLAUSE.search(h.phrase)), -len(h.phrase)))
    return tuple(ordered[:limit])


#: "the height of this dog at the withers": whatever else is named says only where it is measured.
_OWN_MEASURE = re.compile(
    rf"\b(?:{'|'.join(sorted(SCALES))}) of (?:it|(?:this|that|the) (?:\w+ )?(?:{KIND_WORDS}|one))\b"
    r"(?!['’]s|,? (?:it|its|that|which|who|whose|where|of|behind|on which|in which)\b)",
    re.IGNORECASE,
)


def measures_the_thing(core: str) -> bool:
    """Whether a measure of the thing itself is asked for, so that no phrase stands for another thing."""
    return bool(_OWN_MEASURE.search(core))


def asked_for(phrase: str) -> str:
    """The question who or what it is that a phrase stands for."""
    return f"{'who' if re.search(r'^who|person|people', phrase) else 'what'} is {phrase}?"


_PREPOSITIONS = word_set("of in by for from to at on with behind about around under over into after off out up")
_RELATIVES = word_set("who whom whose where that which whoever")
_TAKES = re.compile(r"takes?|took|taken|taking")
_TAKEN = word_set("place part care shape root stock")
_AUXILIARY = r"(?:is|was|are|were|has|have|had|does|do|did|gets?|got|can|will)"
_TORN = re.compile(
    r"\bit (?:it|its|this|of|behind|who|whom|whose|where|which|that|in charge|responsible)\b(?! \w+ (?:is|was|does)\b)"
    r"|\b(?:does|do|did|has|have|will|can|could|would)(?:n['’]t)? it(?: it)?(?:\?$|,)"
    r"|\b(?:does|do|did) it (?:in|into|of|at|on|out|off|up|over|to|from|for|by|with|[a-z]+ing|[a-z]+ed)\b"
    r"|\bit (?:in|of|by|up|over|at|on|to|from|with|for)(?: by .+)?\?$"
    r"|\b(?:where|when|how) it\?$"
    r"|^(?:in |from |at )?(?:what|which) \w+ (?:is|was|were|are) it\?$"
    rf"|\bit {_AUXILIARY}\b(?:(?!\b(?:and|or|that|which|who|what|where|when|how|than)\b)[^,])* {_AUXILIARY}\b",
    re.IGNORECASE,
)


def _torn(phrase: str, outer: str, behind: str) -> bool:
    """Whether the phrase was cut in the middle: "the firm behind it set" of "when was the firm behind it set up".

    `behind`: the word after the phrase, "" at the end of a clause.
    """
    words = re.findall(r"[\w'’-]+", phrase.lower())
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if _TAKES.fullmatch(last) and behind in _TAKEN:  # "the place it takes | place in"
        return True
    if _wants_object(words, behind) or _wants_noun(words, behind):
        return True
    pronoun = last in ("it", "this", "that", "them")
    if last in _PREPOSITIONS and not {"it", "this", "they", "one", "he", "she"} & set(words[1:-1]):
        return True  # but "the place it is made in" is whole
    if last in _PREPOSITIONS and before in ("it", "this", "that", "them") and behind:
        return True  # "whoever keeps it in | repair"
    if pronoun and before not in _PREPOSITIONS and (before in _RELATIVES or not _RELATIVES & set(words)):
        return True
    if last in ("this", "that") and is_kind_word(behind):
        return True
    return bool(re.match(r"(?:that|this) [a-z]+s (?:it|this|that)\b", phrase.lower()) or _TORN.search(outer))


#: Verbs in the form that stands behind "does": "where does the person who drew it live".
_BARE = re.compile(
    r"(?<!\bto )(?<!\bthey )(?<!\bpeople )(?<!\bdo )(?<!\bcan )(?<!\bwill )(?<!\bwould )(?<!\bthe )(?<!\bits )"
    r"\b(?:live|reside|come|hail|belong|originate|employ|operate|begin|sit|earn|teach|have|get|go|grow|hold|keep)\b"
)
_DOES = re.compile(r"\b(?:does|do|did)(?:n['’]t)? (?:[\w'’-]+ )*$", re.IGNORECASE)
_DETERMINERS = word_set("a an the its his her their this that these those my your what which how")
_PASTS = word_set("drew wrote made built took gave sold led won shot cut grew kept ran bred wove cast did")


def _wants_object(words: list[str], behind: str) -> bool:
    """Whether a phrase ends on a verb that goes on: "the person who drew | the map", "who caught it holds | a cup"."""
    if behind not in _DETERMINERS or not (_RELATIVES | {"this", "that"}) & set(words[:-1]):
        return False
    last = words[-1]
    return last in _PASTS or (len(last) > 3 and (last.endswith("ed") or (last[-1] == "s" and last[-2] != "s")))


_ADJECTIVES = word_set("present current former")


def _wants_noun(words: list[str], behind: str) -> bool:
    """Whether a phrase ends before its noun: "the present | mayor", "who designed the parked | car"."""
    if len(words) < 2 or words[-2] not in _DETERMINERS or not behind or behind in FUNCTION_WORDS:
        return False
    return words[-1] in _ADJECTIVES or (words[-1].endswith("ed") and len(words[-1]) > 3)


def _is_phrase(phrase: str, last: str) -> bool:
    words = re.findall(r"[\w'’-]+", phrase.lower())
    if last.lower() in _NO_END or "," in phrase:
        return False
    inside = words[1:]
    if len(inside) > 1 and inside[0] in SCALES and inside[1] == "of":  # "the height of it"
        return False
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
