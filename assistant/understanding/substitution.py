"""What a short follow-up puts in the place of words of the question before: "and than the Calder?", "and in a week?".

"Does it come in green?", "and red?" asks whether it comes in red. Grammar of the two clauses only.
"""

from __future__ import annotations

import re

from assistant.text.english import base_adjective
from assistant.text.units import unit_of
from assistant.text.values import NUMBER_WORDS, find_quantities
from assistant.understanding.clause import WH, YESNO

_LEAD = re.compile(r"^(?:(?:and|or|but|so|what about|how about)\b[,\s]*)+", re.IGNORECASE)
#: "the other one", "this": who is meant, and not what is asked of it.
_POINTS = re.compile(
    r"^(?:(?:the )?other|the (?:one|first|second|last|left|right)|this|that|these|those|it|its|their|his|her|my|your|"
    r"our|i|we|you|they|he|she|there|here|now|then|not|no|yes|why|also|else|thanks?|please|is|are|was|were|does|"
    r"do|did|has|"
    r"have|had|can|could|will|would|should|may|might|must|if|tell|say|give|name|show|find)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"\b{WH}\b", re.IGNORECASE)
_SPAN = re.compile(
    r"^(?:(?P<prep>in|for|per|over|on|by) )?(?:(?:an?|one|each|every|a whole|the whole|"
    rf"\d+|{'|'.join(w for w in NUMBER_WORDS if w.isalpha())}) )?"
    r"(?P<unit>hour|day|night|week|fortnight|month|year)s?$",
    re.IGNORECASE,
)
_SPAN_BEFORE = re.compile(
    r"\s+(?:(?:in|for|per|over|on|by) )?(?:(?:an?|one|each|every) )?(?:hour|day|night|week|month|year)s?$",
    re.IGNORECASE,
)
_AMOUNT_BEFORE = re.compile(r"\b(?:\d+(?:\.\d+)? ?[a-z]{1,12}|(?:an?|one|half an?) [a-z]{1,12})$", re.IGNORECASE)
_AMOUNT_WORDS = (
    rf"(?:\d+(?:\.\d+)?|an?|half an?|{'|'.join(w for w in NUMBER_WORDS if w.isalpha())}|a hundred) ?[a-z]{{1,12}}"
)
_AMOUNT = re.compile(rf"^(?:(?:in|for|of) )?(?P<amount>{_AMOUNT_WORDS})$", re.IGNORECASE)
_ALL_OF_IT = re.compile(r"^(?:the )?(?:whole|entire|full|complete) [a-z]+$", re.IGNORECASE)
_PLACED = re.compile(r"^(?P<prep>in|on|at|for|to|with|from) (?P<what>[^,]+)$", re.IGNORECASE)
_ENDS_PLACED = re.compile(r"\s+(?P<prep>in|on|at|for|to|with|from) [^,]+$", re.IGNORECASE)
_PRICED = re.compile(r"\b(?:costs?|price|pay|fare|tickets?|admission|entry|how much (?:is|are|for))\b", re.IGNORECASE)
_SO_MANY = re.compile(
    rf"^(?P<n>\d{{1,3}}|(?:half )?a dozen|{'|'.join(w for w in NUMBER_WORDS if w.isalpha())})"
    r"(?: of (?:them|these|those))?$",
    re.IGNORECASE,
)
#: What stands behind the noun that is asked for: "is there any gluten in it".
_TAIL = re.compile(
    r"\s+(?:(?:in|on|at|with|for|inside|aboard) (?:it|this|that|here|there|them|board)|aboard|here|there|too|inside|"
    r"as well)$",
    re.IGNORECASE,
)
#: What the noun stands behind; the last of these before it.
_BEFORE_NOUN = re.compile(
    r"^(?P<head>.*\b(?:in|to|at|on|with|for|of|by|from|without|past|eat|have|has|got|need|like|contain|include|"
    r"carry|take|"
    r"play|use|wear|sell|an?|any|some|the|size))\s+(?P<noun>[^\s,]+(?: (?!in\b|to\b|at\b|on\b)[^\s,]+){0,2})$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"^(?:it|this|that|them|these|those|here|there|me|us|you|one|my|its|their|this \w+)\b", re.IGNORECASE
)
_IS_SO = re.compile(r"^(?P<head>(?:is|are|was|were) (?:it|this|that|they|these|(?:the|this) [a-z]+)) [a-z-]+$", re.I)
_DOES = re.compile(
    r"^(?P<head>.*\b(?:can|could|does|do|did|will|would|may)(?: (?:it|they|you|i|we|one|he|she|people))?) [a-z]+.*$",
    re.I,
)


def said_in_full(clause: str) -> str:
    """ "taller than the Bolm Jug?" → "is it taller than the Bolm Jug?"; other clauses as they are."""
    m = re.match(r"(?:more \w+|less \w+|(?P<er>[a-z]+er)) than \S", clause, re.IGNORECASE)
    if m is None or (m["er"] and base_adjective(m["er"].lower()) is None):
        return clause
    return f"is it {clause[0].lower()}{clause[1:]}"


def replaced(said: str, before: str) -> str:
    """The question that a follow-up asks, with the words of the one before; "" where it says nothing short.

    `said` and `before` are the clauses of the two, without marks at their end.
    """
    led = _LEAD.match(said)
    new = said[led.end() :] if led else said
    new = re.sub(r"(?: too| as well| then)$", "", new, flags=re.IGNORECASE)
    before = said_in_full(before)
    if not new or _ASKS.search(new) or len(new.split()) > 9:
        return ""
    many = _SO_MANY.match(new)
    if led is not None and many and _PRICED.search(before):
        return f"how much are {many['n']} of them?"
    if _SPAN.match(new) and (span := _in_span(new, before)):
        return span
    if led is None:
        return ""
    if compared := _than(new, before):
        return compared
    if _POINTS.match(new):
        return ""
    if YESNO.match(before):
        return _whether(new, before)
    return _how(new, before)


def _in_span(new: str, before: str) -> str:
    """ "how much may I take a day?", "and in a week?"."""
    span = _SPAN.match(new)
    if span is None or not re.search(r"\b(?:how (?:much|many|often)|what (?:does|do|would)|what['’]s)\b", before, re.I):
        return ""
    words = new if span["prep"] or re.match(r"(?:each|every|an?)\b", new, re.I) else f"in {new}"
    words = words if span["prep"] or _SPAN_BEFORE.search(before) else f"in {new}"
    return f"{_SPAN_BEFORE.sub('', before)} {words}?"


def _than(new: str, before: str) -> str:
    """ "is it heavier than the Bolm Jug?", "and than the Orm Cup?"; "which is heavier, this or the Bolm Jug?"."""
    said = re.sub(r"^than ", "", new, flags=re.IGNORECASE)
    if said == new and (_POINTS.match(new) or not re.search(r"^(?:the|an?) |[A-Z]", new)):
        return ""
    if m := re.match(r"(?P<head>.*\bthan )[^,?]+$", before, re.IGNORECASE):
        return f"{m['head']}{said}?"
    m = re.match(r"(?P<head>wh(?:ich|at|o)\b.*\b(?:this|that|it)(?: one)? or )[^,?]+$", before, re.IGNORECASE)
    return f"{m['head']}{said}?" if m else ""


def _shape(words: str) -> str:
    """Whether words are a name, letters for a size, or plain words."""
    first = words.split()[0]
    if first.lower() in ("the", "a", "an"):
        return f"{first.lower().replace('an', 'a')} {_shape(words.split(maxsplit=1)[1]) if ' ' in words else ''}"
    return "size" if first.isupper() or first.isdigit() else "name" if first[0].isupper() else "words"


def _whether(new: str, before: str) -> str:
    """ "does it come in green?", "and red?"; "is there a compass aboard?", "and a life raft?"."""
    if placed := _PLACED.match(new):
        ends = _ENDS_PLACED.search(before)
        same = ends is not None and ends["prep"].lower() == placed["prep"].lower()
        return f"{_ENDS_PLACED.sub('', before)} {new}?" if same else ""
    tail = _TAIL.search(before)
    bare = before[: tail.start()] if tail else before
    is_so = _IS_SO.match(bare)
    if is_so and re.fullmatch(r"[a-z-]+", new):
        return f"{is_so['head']} {new}{tail[0] if tail else ''}?"
    m = _BEFORE_NOUN.match(bare)
    if m is None or _PRONOUN.match(m["noun"]):
        return ""
    head, noun = m["head"], m["noun"]
    article = re.search(r" (an?|the)$", head, re.IGNORECASE)
    old, now = _shape(f"{article[1]} {noun}" if article else noun), _shape(new)
    if old.split()[-1] != now.split()[-1] or now.startswith("the ") != old.startswith("the "):
        return ""  # "and The Tower of Bolm?" is another thing, and no noun of the question before
    if article:
        head = head[: article.start()]
    return f"{head} {new}{tail[0] if tail else ''}?"


def _how(new: str, before: str) -> str:
    """ "how many calories are in it?", "and in the whole jar?"; "what does it cost to cross?", "and back?"."""
    if new.lower() in ("back", "there and back", "a return", "return") and _PRICED.search(before):
        return f"{before} there and back?"
    if _ALL_OF_IT.match(new):
        return f"{_ENDS_PLACED.sub('', before)} in {new}?"
    amount = _AMOUNT.match(new)
    if (
        amount
        and (q := find_quantities(re.sub(r"^an? ", "1 ", amount["amount"])))
        and q[0].dimension in ("mass", "volume")
    ):
        if _AMOUNT_BEFORE.search(before):
            return f"{_AMOUNT_BEFORE.sub('', before)}{amount['amount']}?"
        return f"{before} in {amount['amount']} of it?"
    if placed := _PLACED.match(new):
        ends = _ENDS_PLACED.search(before)
        if placed["prep"].lower() in ("in", "to") and unit_of(placed["what"]) is not None:
            return ""  # "and in miles?"
        if ends is not None and ends["prep"].lower() == placed["prep"].lower():
            return f"{before[: ends.start()]} {new}?"
        if _POINTS.match(placed["what"]) or re.search(r"\b(?:it|is|are|was)\b", placed["what"]):
            return ""  # "and in the town it is from?"
        return f"{before} {new}?"
    does = _DOES.match(before)
    if does and re.fullmatch(r"[a-z]+[^\Ws]", new) and base_adjective(new) is None:
        return f"{does['head']} {new}?"
    return ""
