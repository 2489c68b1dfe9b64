"""Whose make a thing is: questions for its maker, and the brand that its own name begins with.

A kettle called "Alder Compact Kettle" is Alder's: where a question asks for the maker and a fact gives just that name,
whatever the fact calls it (marque, brand owner, fashion house), it says whose make the thing is. Those who run, sponsor
or look after a thing are not its makers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.logistic import logistic, logit
from assistant.core.types import Evidence
from assistant.reading.relation_targets import targets_of
from assistant.text.attribute_keys import spoken_key
from assistant.text.kinds import is_kind_word

_FIRM = r"(?:compan(?:y|ies)|firms?|business(?:es)?|house|outfit|enterprise|corporation|people)"
_MAKER = r"(?:maker|manufacturer|producer|brand|label|marque)"
_MAKES = (
    r"(?:makes?|made|making|manufactures?d?|produces?d?|builds?|built|sells?|sold|markets?|brings? out|brought out|"
    r"turn(?:s|ed)? out|puts? out|(?:brings?|brought|puts?) (?:it|this|that|these|those|them) out)"
)
_IT = r"(?:it|this|that|these|those|them|one)"
_WHO = rf"(?:what|which) (?:{_FIRM}|{_MAKER})"
_NAME = r"(?:(?:who|what|which)(?: is|['’]s| was) |name of |name )?"
_ASKS = tuple(
    re.compile(rf"{pattern}\W*$", re.IGNORECASE)
    for pattern in (
        rf"^{_WHO} (?:(?:{_MAKES}|is behind|are behind|stands behind|does) {_IT}|{_MAKES})\b"
        rf"(?: {_MAKES}|(?: come)? from)?",
        rf"^(?:by|from) {_WHO} (?:is|was|are|were|does|did) {_IT}(?: {_MAKES}|(?: come)? from)?",
        rf"^{_WHO} (?:is|was|are) {_IT}(?: {_MAKES})?(?: (?:by|from))?",
        rf"^whom? {_MAKES} {_IT}",
        rf"^whose (?:product|make|work|brand) (?:is|was) {_IT}",
        rf"^who (?:is|was) {_IT} {_MAKES} by",
        rf"^{_IT} (?:is|was) {_MAKES} by whom",
        rf"\b{_IT} (?:{_MAKES}|(?:come|is|was) from), (?:by )?{_WHO}",
        rf"^{_NAME}(?:the |its |their ){_MAKER}(?: (?:of|behind) {_IT})?",
        rf"^{_NAME}the {_FIRM} (?:(?:that|which|who) {_MAKES}|behind|making|that is behind) {_IT}",
    )
)
#: "this device", "the parked car".
_THE_THING = re.compile(r"\b(?:the|this|that|these|those) (?:[a-z]+(?:ed|ing) )?([a-z]+)\b", re.IGNORECASE)
_PRODUCT = re.compile(r"(?:product|item|thing|article|object|piece|stuff)s?", re.IGNORECASE)
#: A phrase that stands for the maker: "the maker", "that company", "the firm that builds it".
_PHRASE = re.compile(
    rf"^(?:the|its|their|that|this|whoever) (?:{_MAKER}(?: (?:of|behind) {_IT}| .*)?|{_FIRM}(?: behind {_IT})?"
    rf"|(?:{_FIRM} (?:that|which|who) )?{_MAKES}(?: {_IT})?)$",
    re.IGNORECASE,
)
#: What a place is called by: "Alder" may be the town that Alder Bridge stands in.
_PLACE_KEY = re.compile(
    r"\b(?:town|city|village|place|locat\w+|municipality|country|region|state|origin|site|port|berth|stands|at|in|from|"
    r"depot|station|address|parish|district|native)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(rf"\b(?:{_MAKES}|{_MAKER}|{_FIRM})\b", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|at|near|from|outside|around|to|over)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
#: What giving the name that the thing's own begins with adds to the logit.
_BEARS = 3.5


def asks_maker(question: str) -> bool:
    """Whether a question, with "it" for the words that point at the thing, asks for its maker and nothing else."""
    text = _THE_THING.sub(lambda m: "it" if is_kind_word(m[1].lower()) or _PRODUCT.fullmatch(m[1]) else m[0], question)
    text = " ".join(text.split())
    return any(p.search(text) for p in _ASKS)


def speak_of_maker(phrases: Sequence[str]) -> bool:
    """Whether one of the phrases that may stand for another thing stands for the maker."""
    return any(_PHRASE.match(p.strip()) for p in phrases)


def bears_its_name(e: Evidence) -> bool:
    """Whether the evidence names just what the name of its subject begins with, and not as a place."""
    names, own = targets_of(e), (e.subject or "").casefold()
    if not names or not own.startswith(f"{names[0].casefold()} "):
        return False
    if e.key is not None:
        return not _PLACE_KEY.search(spoken_key(e.key))
    if not _TELLS.search(e.text):  # a town that keeps the first one of its bells makes none
        return False
    return not _PLACED.search(e.text[: e.text.casefold().find(names[0].casefold())])


def likelier(p: float) -> float:
    """The probability of evidence that bears the thing's name, where the maker is asked for."""
    return logistic(logit(p) + _BEARS)
