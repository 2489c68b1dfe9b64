"""What a question asks for and which words of the ground truth answer it, for the lexical judge.

No parser: the ground truth is cut into its first statement and what is added to it, and the statement at its verb. A
question for the subject ("who won", "which of these") is answered before the verb, any other behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from eval.lexical_words import Word, content, find, read

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
_OPENING = re.compile(
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
_LEAD = re.compile(r"^\s*(?:yes|no|yeah|nope|correct|sure)\b[\s,.:;!-]*", re.I)
_ADDED = re.compile(
    r";|(?<![\s.][a-z])(?<!\bDr)(?<!\bMr)(?<!\bSt)(?<!\bMt)(?<!\bMrs)[.!?]\s+(?=\S)|,?\s(?:because|although|though"
    r"|whereas|while|since|so that|such as)\b|"
    r",?\sand\s(?:[A-Z][\w.-]+\s){1,3}(?:is|was|are|were|has)\b|,?\sand\s(?:an?|the)\s\w+(?:\s\w+)?\s(?:is|are|was"
    r"|were)\b|"
    r"\sand (?:became|later|then|was|is)\b|,\s(?:after|before|following)\s|\sand (?:takes?|was|is|were|are|has|have"
    r"|releases?|can)\b|"
    r",\s(?:\w{3,}(?:ed|ing)|known|born|made|built)\s|"
    r",\s(?:which|who|whose|where|but|so|and (?:it|they|he|she|this|the \w+ (?:is|was|are|were))|also|split|as|"
    r"compared|making|meaning|with|depending|including)\b|\s\(|\s(?:but|which|compared to|depending on)\s|\s—\s"
    r"|\s–\s",
    re.I,
)
_APPOSED = re.compile(r",\s(?:an?|the|one of)\s[^,]*[.!]?$", re.I)
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|does|do|did|stands?|comes?|came"
    r"|costs?|"
    r"weighs?|holds?|means?|contains?|consists?|lives?|eats?|grows?|lasts?|seats?|uses?|used|lists?|says?|won|made|"
    r"makes|wrote|lays?|blooms?|prefers?|needs?|requires?|takes?|took|goes|measures?|crosses|shows?|leaves?|equals?|"
    r"sells?|plays?|depicts|features?|includes?|gets?|offers?|runs?|reach(?:es)?|boils?|feeds?|belongs?|refers?|"
    r"lies?|draws?|amounts?|hosts?|owns?|sponsors?|organi[sz]es?|flows?|represents?|depicted|feeds?|chiefly"
    r"|surpass(?:es)?|supports?|works?|translates?|reads?|follows?|carries|causes?|becomes?|"
    r"allows?|happens?|occurs?|pairs|fits?|serves?|forms?|gives?|keeps?|looks?|pays?|pulls?|receives?|remains?"
    r"|ranges?|"
    r"became|begins?|starts?|began|started|opened|sits|produces?|produced|provides?|helps?)\b",
    re.I,
)
_SUBJECT_ASKED = re.compile(
    r"^(?:and |so )?(?:who|which|what)(?: of (?:these|those|the|them)(?: \w+){0,3}?)?\s+"
    r"(?!(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|kind|type|sort|'s)\b)"
    r"(?:(?!(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|to|of|in|for)\b)\w+\s+){0,3}?"
    r"(?:(?!(?:is|was|does|has|this|its|as)\b)\w{3,}s\b"
    r"(?!\s+(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|of|in|for|on|at|to)\b)|"
    r"\w{2,}ed\b|won|made|wrote|sang|built|came|plays?|"
    r"(?:has|have|is|are|was|were)\b(?!\s+(?:this|that|it|these|those|they|the|he|she|i|you|we|on|in)\b))",
    re.I,
)


def question_kind(question: str, truth: str) -> Kind:
    """What kind of answer a question wants; the ground truth decides where the question leaves it open."""
    asked = _OPENING.sub("", question.strip().lower().replace("’", "'"), count=1)
    says = bool(_LEAD.match(truth))
    first = asked.split()[0] if asked.split() else ""
    if first in _AUX or (says and not re.match(r"(?:what|which|who|how|when|where|why)\b", asked)):
        return "choice" if re.search(r"\bor\b(?! not\b)", asked) and not says else "yesno"
    if says and _TAIL.match(asked):
        return "yesno"
    if re.search(r"\bwhich\b|\bwho\b|\bwhat\b", asked) and compares(asked) and _two_sided(asked, truth):
        return "choice"
    if _WHEN.search(asked) and not re.search(r"\bhow (?:many|much|often)\b", asked):
        return "when"
    if _NUMBER.search(asked):
        return "number"
    return "who" if _WHO.search(asked) else "text"


def compares(text: str) -> bool:
    """Whether a text holds a comparative or superlative."""
    return any(m[0].lower() not in _NOT_COMPARING for m in _COMPARES.finditer(text))


def _two_sided(question: str, truth: str) -> bool:
    sides = re.search(
        r"\bthan\b|\bcompared (?:to|with)\b|\bsurpass|\bexceed|\bversus\b|\([^)]*\bagainst\b|\bbefore\b|\bwhile\b|;",
        truth,
        re.I,
    )
    if re.search(r",[^,]*\bor\b[^,]*$", question) and len(truth.split()) <= 6:
        return True
    return bool(sides) and bool(re.search(r"\bwhich\b|\bor\b|\bwho\b|\btwo\b", question))


@dataclass(frozen=True)
class Focus:
    """The part of the ground truth that answers: its text, its words that the question does not say, and list items."""

    text: str
    keys: tuple[Word, ...]
    items: tuple[tuple[Word, ...], ...]
    rest: str


def focus(question: str, truth: str, kind: Kind) -> Focus:
    """Find the answering part of a ground truth."""
    asked = read(question)
    truth = _leading_off(truth, asked)
    body = re.sub(r",\s(?:which|who|whose|where)\s[^,.;]*,\s", " ", _LEAD.sub("", truth.strip()))
    statement, rest = _statement(body, asked)
    part = _side(question, statement, kind, asked)
    inside = read(f"is {part}")[1:] if not body.startswith(part) else read(part)
    keys = [w for w in news(content(inside), asked) if not w.text.lower().endswith("ly") or w.capital]
    keys = [w for w in keys if not w.denied] or keys
    if not keys and not re.search(r"\d", part):
        part, rest = body, ""
        keys = news(content(read(part)), asked) or content(read(part))
    return Focus(part, tuple(keys), tuple(_items(part, asked)), rest)


_SETTING = re.compile(
    r"^\s*(?:with|given|in|on|at|for|after|before|when|if|by|according to|as|once|since|of"
    r"|from)\b[^,]{3,70},\s+(?=\S)",
    re.I,
)


def _leading_off(truth: str, asked: Sequence[Word]) -> str:
    """The truth without the setting it begins with ("With a base of 8 cm, …")."""
    setting = _SETTING.match(truth)
    if setting is None or not news(content(read(truth[setting.end() :])), asked):
        return truth
    return truth[setting.end() :] if VERB.search(truth[setting.end() :]) else truth


def news(words: Sequence[Word], asked: Sequence[Word]) -> list[Word]:
    """The words that the question does not say."""
    return [word for word in words if not find(word, asked)]


def _statement(body: str, asked: Sequence[Word]) -> tuple[str, str]:
    """The first statement that says something new, and what is added to it."""
    start = 0
    for match in [*_ADDED.finditer(body), None]:
        end = match.start() if match else len(body)
        piece = body[start:end]
        told = news(content(read(piece)), asked)
        if told and (match is None or VERB.search(piece) or re.match(r";|[.!?]|\s\(", match[0])):
            apposed = _APPOSED.search(piece)
            if apposed and " and " not in apposed[0] and "," not in piece[: apposed.start()]:
                before = news(content(read(piece[: apposed.start()])), asked)
                if before:
                    return piece[: apposed.start()], body[start + apposed.start() :]
            return piece, body[end:]
        if match is None:
            break
    return body, ""


_HAPPENS = re.compile(r"\bwhat\b.*\b(?:happen\w*|going on|take place|took place|occur\w*)\b", re.I)


def _side(question: str, statement: str, kind: Kind, asked: Sequence[Word]) -> str:
    """The side of the verb that answers; the whole statement where the question asks what happens."""
    if _HAPPENS.search(question):
        return statement
    subject = _SUBJECT_ASKED.match(_OPENING.sub("", question.strip(), count=1)) is not None
    by = re.search(r"\b(?:by|from)\s(?=[A-Za-z])", statement) if kind == "who" or subject else None
    if by and re.search(r"\bby\b", by[0]) and news(content(read(statement[by.end() :])), asked):
        return _first_name(statement[by.end() :]) if kind == "who" else statement[by.end() :]
    own = content(read(question))
    spot = next((m for m in VERB.finditer(statement) if m.start() > 0), None)
    if spot is None:
        for word in content(read(statement)):
            if find(word, own) and word.text.lower().endswith(("s", "ed", "ing")):
                place = statement.lower().find(word.text.lower())
                if place > 0:
                    spot = re.compile(re.escape(word.text), re.I).search(statement)
                    break
    if spot is None:
        return statement
    before, after = statement[: spot.start()], statement[spot.end() :]
    own_words = news(content(read(before)), asked)
    if subject and own_words:
        return before
    role = re.match(r"\s(?:the|an?)\s", after) and re.match(r"(?:is|was|are|were)$", spot[0], re.I)
    if (
        role
        and re.search(r"\bwho\b|\bname of\b", question, re.I)
        and own_words
        and content(read(after))
        and not _shares(before, asked)
        and _shares(after, asked)
    ):
        return before
    done = re.search(r"\bwho (?:is|was|are|were) (\w{3,}(?:ed|en))\b", question, re.I)
    if done and own_words and re.search(rf"\b{done[1]}\b", after, re.I):
        return before
    pointing = re.sub(r"\b(?:this|that|these|those) \w+", " ", after)
    return after if news(content(read(pointing)), asked) or not own_words else before


def _first_name(text: str) -> str:
    """The names that a text begins with ("Gregory Rabassa from the Spanish original by …")."""
    return re.split(
        r"(?<=\w)\s(?:from|in|by|at|with|for|on|after|during|when|who|as)\s|(?<=\w),", text.strip(), maxsplit=1
    )[0]


def _shares(text: str, asked: Sequence[Word]) -> bool:
    return any(find(word, asked) for word in content(read(text)))


_SPLIT = re.compile(r"\s*(?:,\s*(?:and|or|&)?|\band then\b|\bthen\b|\band\b|\bor\b|&)\s+", re.I)


def _items(part: str, asked: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The items of a list, each as its own new words; nothing when there is only one."""
    if not re.search(r"\b(?:and|or)\b|&", part):
        return []
    pieces = [p for p in _SPLIT.split(re.sub(r"\b(?:both|either|neither|between)\b", " ", part)) if p.strip()]
    items = []
    for piece in pieces:
        words = content(read(piece))
        told = [w for w in news(words, asked) if not w.denied]
        if told and len(words) <= 7:
            items.append(tuple(told))
    return items if len(items) >= 2 and len(items) >= len(pieces) - 1 else []
