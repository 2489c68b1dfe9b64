"""How many of it, or how often, where a question says so outright: "9 of these", "7 goes of it", "filled 3 times", "one
each for 5 children"; and what is divided among so many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.text.values import NUMBER_WORDS, number_of

_NUMBER = (
    rf"(?:\d{{1,6}}(?:\.\d+)?|{'|'.join(w for w in NUMBER_WORDS if w.isalpha() and w not in ('half', 'quarter'))})"
)
_SHARERS = (
    r"(?:of (?:us|them|you)|people|persons|guests|friends|winners|children|kids|players|visitors|drinkers|ways|heads|"
    r"students|neighbours)"
)
_A_HEAD = (
    r"\b(?:each(?! (?:day|night|week|month|year|time|hour|go)\b)|apiece|every one|a head|"
    r"per (?:head|person|nose|winner|guest|child)|each (?:one|person|winner|"
    r"of (?:us|them))|"
    r"one of (?:us|them)|one share|a (?:share|portion)|(?:the )?(?:share|portion) (?:of each|per \w+|for each)|"
    r"each person['’]s)\b"
)
DIVIDED = re.compile(
    rf"\b(?:each|every one|everyone|per head) (?:one )?of (?:the |us |them )?(?P<n>{_NUMBER})\b"
    r"|\b(?:shared?|split|divided?|spread)\b.*?\b(?:among|amongst|between|by|with|over|in|into) "
    rf"(?:the |us )?(?P<n2>{_NUMBER})\b"
    rf"|\b(?!one\b)(?P<n3>{_NUMBER}) (?:of (?:us|them|you) |\w+ )?(?:(?:\w+ ){{0,6}}?(?:and|then|to) )?(?:share|"
    rf"split|divide)\b"
    rf"|\b(?:shared?|split|divided?) (?P<n5>{_NUMBER}) ways\b"
    # "5 winners at once, how much a head", "per head for 4 people", "what does each of us get if 3 of us drink it"
    rf"|\b(?P<n6>{_NUMBER}) (?:\w+ )?{_SHARERS}\b(?=.*(?:{_A_HEAD}))"
    rf"|(?:{_A_HEAD}).*?\b(?:for|if|with|when|among|between|goes to)\b.*?\b(?P<n7>{_NUMBER}) (?:\w+ )?{_SHARERS}\b"
    rf"|\b(?P<n8>{_NUMBER}) (?:from|out of) (?:one|a|a full)\b(?=.*(?:{_A_HEAD}))"
    rf"|\b(?P<n4>{_NUMBER}) (?:of (?:us|them|you)|people|winners|friends) (?:\w+ )?(?:wins?|won|gets?|got|takes?)\b"
    r"(?=.*\b(?:each|apiece|(?:a|per) (?:head|person|nose))\b)",
    re.IGNORECASE,
)


_WORDS = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("zero", "half", "quarter", "one"))
NUMBER = rf"(?:(?<![\w.,:/-])\d{{1,3}}(?![\d.,:/-]*\d)|\b(?:{_WORDS}))"
_THESE = r"(?:this|that|these|those|it|them|such|the(?! (?:same|two|time|day|year|way)\b))\b"
#: What is done or had once at a time.
_GOES = (
    r"rounds?|goes|games?|fillings?|fills|fill-ups|loads?|refills?|charges|chargings|recharges|batches|lectures?|"
    r"performances?|showings?|plays|sittings?|laps?|trips?|rides?|journeys?|crossings?|singles|tickets?|nights?|"
    r"sheets?|boilings?|runs"
)
_SEVERAL = tuple(
    re.compile(p, re.IGNORECASE)
    for p in (
        rf"(?P<n>{NUMBER}) (?:more )?(?:of|like|such as) (?={_THESE})",
        rf"(?P<n>{NUMBER}) (?:more )?like (?=(?-i:[A-Z]))",
        rf"(?:,? ?\b(?:for|of|done) )?(?P<n>{NUMBER}) times(?: over| in a row| running| in succession)?\b"
        r"(?! (?:as|more|less|larger|bigger|an?|per|each|every|the (?:size|weight|price|length|height|speed))\b)",
        r"(?P<twice>\b(?:twice|thrice)\b)(?! (?:as|more|an?|per|each|every|the)\b)",
        rf"(?P<n>{NUMBER}) (?:(?:full|complete|whole|entire|single|more) )*(?P<go>{_GOES})\b",
        rf"\bone (?:each )?for (?:each|every one|all) of (?:us|them)\b,?"
        rf"(?: (?:so|that['’]?s|which is|makes?))? (?P<n>{NUMBER})\b",
        rf"\bone each for (?P<n>{NUMBER})(?: [a-z]+)?",
        rf"\b(?:each|all)(?: of us)? (?:(?:have|has|had|['’]ve) )?got one, (?P<n>{NUMBER}) in all",
        # "over 3 days", "6 days of it"
        rf"(?:^|,? ?\b(?:in|over|for|during|within|across|in the course of|with)(?: the (?:next|last|whole))?) ?"
        rf"(?P<n>{NUMBER}) (?P<span>days?|nights?|weeks?|fortnights?)\b(?: of)?",
    )
)


_ONE_EACH = re.compile(r"\bone each\b|\bgot one\b|\bone for (?:each|every)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Several:
    """How often, and the question without that."""

    n: float
    rest: str
    said: str
    go: str = ""
    span: str = ""


def wanted_count(question: str) -> Several | None:
    """What a question says of how many it wants, when it says so once and divides nothing."""
    if DIVIDED.search(question) and not _ONE_EACH.search(question):
        return None
    for pattern in _SEVERAL:
        found = list(pattern.finditer(question))
        if len(found) != 1:
            continue
        m = found[0]
        groups = m.groupdict()
        n = {"twice": 2.0, "thrice": 3.0}[m["twice"].lower()] if groups.get("twice") else number_of(m["n"])
        if not n or n < 2:
            return None
        go = (groups.get("go") or "").lower()
        rest = question[: m.start()] + (f"one {_single(go)}" if go else "") + question[m.end() :]
        span = (groups.get("span") or "").lower().removesuffix("s")
        return Several(n, " ".join(rest.split()).strip(" ,"), m.group(), _single(go) if go else "", span)
    return None


def _single(noun: str) -> str:
    return {"goes": "go", "batches": "batch"}.get(noun, noun.removesuffix("s"))
