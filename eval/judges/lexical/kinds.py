"""What kind of answer a question wants, for the lexical judge: yes or no, one of two, a number, when, who, a text."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["yesno", "choice", "number", "when", "who", "text"]

_AUX = [
    "is",
    "are",
    "was",
    "were",
    "does",
    "do",
    "did",
    "can",
    "could",
    "will",
    "would",
    "has",
    "have",
    "had",
    "should",
    "may",
    "might",
    "am",
    "isn't",
    "aren't",
    "doesn't",
    "didn't",
    "can't",
    "don't",
    "won't",
]
#: What a question may begin with before it asks.
OPENING = re.compile(
    r"^(?:(?:and|so|but|hey|ok|okay|also|please|then|now|well|actually|um|hm|cool|just wondering|tell me|i wonder"
    r"|any idea|"
    r"(?:do|can|could|would|will) (?:you|we|i) (?:please )?(?:know|tell me|say|explain|see|remind me|find out)(?:"
    r" if| whether)?)"
    r"[, ]+)*(?:(?:according to|in|on|from|based on|for|"
    r"if|when|as|given|by|at|with)\s[^,?]{0,60},\s*)?",
    re.I,
)
_TAIL = re.compile(
    rf"^(?P<rest>.{{3,}}?)\s(?P<aux>{'|'.join(_AUX[:18])})\s(?:this|that|it|they|these|those|the|i|you|he|she"
    rf"|there)\b"
    r"[^?]*\?*$",
    re.I,
)
_COMPARES = re.compile(
    r"\b(?:\w{3,}(?:er|est)|more|most|less|least|fewer|fewest|better|best|worse|worst|first|last)\b", re.I
)
_NOT_COMPARING_TEXT = """
other another either neither number order water paper under over after her their never ever whether together
father mother brother sister weather letter matter member owner power player tower flower river center layer
answer driver paint rather farther winter summer butter peter rubber leather silver copper timber corner
designer author maker manufacturer singer builder producer publisher writer founder restaurant interest forest
harvest west best-before test guest nearest server poster dinner super supper chapter character quarter
"""
_NOT_COMPARING = frozenset(_NOT_COMPARING_TEXT.split())
_NUMBER = re.compile(
    r"\b(?:wattage|voltage|diameter|circumference|altitude|elevation|salary|budget|revenue|turnover|frequency|"
    r"would I pay|do I pay|to pay)\b|"
    r"\bhow (?:many|much|tall|far|long|old|fast|heavy|big|high|deep|wide|large|hot|cold|often|thick|loud|warm"
    r"|small)\b|"
    r"\bwhat (?:is the |was the |\w+ )?(?:price|height|weight|speed|percentage|age|temperature)\b|"
    r"\bwhat(?:'s| is| are| was| were) (?:the |its |their |this |an? |my |your )?(?:\w+ ){0,2}?(?:price|cost|height"
    r"|weight|speed|length|capacity|distance|temperature|percentage|percent|number|range|population|"
    r"difference in price|age|resolution|half-life|total|depth|area|width|amount|average|horsepower|mileage|calories|"
    r"lifespan|size|volume|score|rating|worth)\b",
    re.I,
)
_WHEN = re.compile(
    r"^(?:since )?when\b|(?:,|\band|\bor) when\b|\bwhat (?:year|date|time|day|month|decade|century|era)\b|\bwhich"
    r" (?:year|decade|century|month|day)\b|"
    r"\bopening hours\b|\bhours of\b|\bexpir|\bhow old\b|\bin what year\b|\bhow long ago\b|\bbirth(?:day|date)\b",
    re.I,
)
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.I)
#: A yes or no that a text begins with.
LEAD = re.compile(r"^\s*(?:yes|no|yeah|nope|correct|sure)\b[\s,.:;!-]*", re.I)


def question_kind(question: str, truth: str) -> Kind:
    """What kind of answer a question wants; the ground truth decides where the question leaves it open."""
    asked = OPENING.sub("", question.strip().lower().replace("’", "'"), count=1)
    says = bool(LEAD.match(truth))
    first = asked.split()[0] if asked.split() else ""
    if first in _AUX or (says and not re.match(r"(?:what|which|who|how|when|where|why)\b", asked)):
        return "choice" if re.search(r"\bor\b(?! not\b)", asked) and not says else "yesno"
    if says and _TAIL.match(asked):
        return "yesno"
    if re.search(r"\bwhich\b|\bwho\b|\bwhat\b", asked) and compares(asked) and _two_sided(asked, truth):
        return "choice"
    if re.search(r"\bwhich\b|\bwho\b", asked) and compares(asked) and re.search(r"\bor\b", asked):
        return "choice"
    if _WHEN.search(asked) and not re.search(r"\bhow (?:many|much|often)\b", asked):
        return "when"
    if _NUMBER.search(asked):
        return "number"
    return "who" if _WHO.search(asked) else "text"


def compares(text: str) -> bool:
    """Whether a text holds a comparative or superlative."""
    return any(m[0].lower() not in _NOT_COMPARING for m in _COMPARES.finditer(text))


_EXPLAINS = re.compile(
    r"\bwhy\b|\bwhat happen|\bwhat (?:does|do|did|is|are)\b.*\b(?:mean|do|describe|about|for|tell|stand for|used to)\b",
    re.I,
)


def explains(question: str) -> bool:
    """Whether a question asks for a reason, a meaning, a purpose, a story: what has many wordings."""
    return _EXPLAINS.search(question) is not None and not re.search(r"\bstands? for\b|\bsay\b", question, re.I)


def _two_sided(question: str, truth: str) -> bool:
    sides = re.search(
        r"\bthan\b|\bcompared (?:to|with)\b|\bsurpass|\bexceed|\bversus\b|\([^)]*\bagainst\b|\bbefore\b|\bwhile\b|;",
        truth,
        re.I,
    )
    if re.search(r",[^,]*\bor\b[^,]*$", question) and len(truth.split()) <= 6:
        return True
    return bool(sides) and bool(re.search(r"\bwhich\b|\bor\b|\bwho\b|\btwo\b", question))
