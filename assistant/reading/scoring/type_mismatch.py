"""Values that cannot answer, whatever the words have in common: a number of bells is not how heavy one is.

And what a thing costs to buy is not what it costs to fill, to insure or to have repaired.
"""

from __future__ import annotations

import re

from assistant.text.attribute_keys import key_words
from assistant.text.english import content_stems, shared
from assistant.text.values import find_dates, find_quantities, number_of
from assistant.understanding.intent import ParsedQuestion

_COUNTS = re.compile(r"\bcount$|^(?:number|no) of\b")
_COSTS_TO = re.compile(
    r"\b(?:costs?|price|expensive|cheap|dear|pay)\b[^,?]*? to (?:have (?:it|this|that|one) )?"
    r"(?P<verb>(?!buy|get|purchase|order|have|own|acquire|obtain|take|be\b|me\b|us\b|you\b|the\b|a\b|[A-Z])[a-z]+)\b"
)
_TO_BUY = re.compile(
    r"^(?:(?:retail|base|list|market|asking|shelf|unit|new|selling|sales?|recommended) )?(?:price|rrp|msrp)(?: new)?$"
    r"|^(?:retail price|going rate|catalogue value|market value|valuation)$"
)
#: "what is included", "what do I get with it": what comes with a thing is no sum.
_INCLUDED = re.compile(
    r"\bwhat(?: else| all)?(?:['’]s| is| are| was| would be| will be)? "
    r"(?:included|thrown in|in the (?:box|package|set))\b"
    r"|\bwhat(?: else)? (?:comes|came|is sold|is supplied|is delivered) (?:with|along with|together with)\b"
    r"|\bwhat(?: else)? (?:do|does|would|will|did) (?:i|we|you|one) get (?:with|along with)\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"^[^,;]*(?:[€$£] ?\d|\d ?[€$£]|\b(?:EUR|USD|GBP) ?\d|\d ?(?:euros?|dollars?|pounds?|EUR|USD|GBP)\b)[^,;]*$",
    re.IGNORECASE,
)
_PRICED = re.compile(r"\b(?:price|rrp|msrp|costs?|sold at|sells for)\b", re.IGNORECASE)

#: "how much is it", "what do I pay"; so many in stock are no price.
_PRICE_ASKED = re.compile(
    r"\bhow much (?:is|are|was|were|for|does|do|would|will)\b"
    r"(?!.*\b(?:left|inside|there|weigh|hold|carry|eat|drink|need)\b)|\b(?:pay|costs?|price|priced|charge[ds]?)\b",
    re.IGNORECASE,
)
_IN_STOCK = re.compile(r"\b(?:available|stock|left|remaining|on hand|on the shelf)\b", re.IGNORECASE)
#: "how big is it"; a sheet size of 8 is a number of stamps.
_HOW_BIG = re.compile(r"\b(?:how (?:big|large|small)|what size)\b", re.IGNORECASE)
_SIZE_OF = re.compile(r"^(?P<of>[a-z]+) size$")


#: "how long is the fish"; how long it lives is asked otherwise.
_LENGTH = re.compile(
    r"\bhow long (?:is|are|was|were) (?:it|this|that|these|the|a)\b(?!.*\b(?:li[fv]e|lifespan)\b)", re.IGNORECASE
)
_LIFE = re.compile(r"\b(?:life ?span|life expectancy|life|lives?)\b", re.IGNORECASE)
_MONTH_ASKED = re.compile(r"\b(?:what|which) month\b", re.IGNORECASE)


def misfit(asked: ParsedQuestion, key: str, value: str) -> bool:
    """Whether what is stated is of another nature than what is asked for."""
    words = key_words(key)
    dims = asked.expected.dimensions
    if dims and not dims & {"count", "", "date"} and _COUNTS.search(words) and number_of(value) is not None:
        return not find_quantities(value) or find_quantities(value)[0].dimension in ("count", "")
    if _INCLUDED.search(asked.core) and (_PRICED.search(words) or _SUM.search(value)):
        return True
    if _IN_STOCK.search(words) and not _PRICED.search(words) and re.fullmatch(r"[\d,. ]+", value.strip()):
        return _PRICE_ASKED.search(asked.core) is not None
    sized = _SIZE_OF.match(words)
    if sized and _HOW_BIG.search(asked.core) and re.fullmatch(r"[\d,. ]+", value.strip()):
        return not shared(content_stems(sized["of"]), content_stems(asked.core))
    if _LENGTH.search(asked.core) and _LIFE.search(words or value):
        return True
    if _MONTH_ASKED.search(asked.core) and (dates := find_dates(value)) and all(d.month is None for d in dates):
        return not words  # a page that tells the year alone; an attribute has what is known
    costs = _COSTS_TO.search(asked.core)
    return (
        costs is not None
        and _TO_BUY.search(words) is not None
        and not shared(content_stems(costs["verb"]), content_stems(words))
    )
