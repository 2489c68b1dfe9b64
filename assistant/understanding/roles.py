"""Whether somebody, a firm or a place is meant, and which of these a name stands for.

"When did the company start?" is about whichever of the names that are known of a thing is a company's, however the
page that gives it puts that. A name's kind is read from what its own pages say: what they call it, and what they tell
of it (people are born, firms have staff, towns have inhabitants).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from assistant.core.logistic import logistic, logit
from assistant.text.english import word_set
from assistant.text.kinds import is_kind_word

Role = Literal["person", "firm", "place"]
#: What is told of a name: sentences of its own pages.
SentencesAbout = Callable[[str], Sequence[str]]

_FIRM = r"compan(?:y|ies)|firms?|businesse?s?|outfits?|enterprises?|corporations?|nursery|shipyard|brewery|brand"
_PLACE = r"town|city|village|place|municipality|settlement|hamlet|borough|port|home ?port"
_PERSON = r"person|man|woman|guy|lady|gentleman|scientist|artist|athlete|architect|cook|chef|hero|heroine|girl|boy"
#: Nouns for either somebody or a firm.
_EITHER = re.compile(
    r"^(?:maker|manufacturer|producer|publisher|printer|operator|owner|sponsor|keeper|seller|dealer|supplier|importer|"
    r"brewer|founder|partner|insurer|restorer|builder|holder)$"
)
#: Nouns that end like those for somebody and stand for nobody.
_THINGS = word_set(
    "charter letter paper number order cover water corner river border weather floor door mirror motor error leather "
    "summer winter timber copper silver powder pepper butter counter quarter layer chapter character register diameter "
    "meter perimeter computer printer waist list mist twist colour flavour matter power answer offer centre center "
    "theater theatre harbor odor vapor factor sector tractor reactor generator elevator calculator dinner supper fever "
    "cancer danger anger hunger thunder shower flower feather shoulder finger liver ladder hammer filter heater cooler "
    "boiler freezer burner container trailer starter charger adapter speaker"
)
_HEAD = re.compile(
    r"^(?:the|its|their|that|this|his|her)\s+(?:\w+\s+){0,2}?(?P<noun>[a-z]+)"
    r"(?=$|\s(?:that|which|who|whom|whose|where|it|this|these|they|behind|of|from|for|in|on|to|with|named|called|"
    r"mentioned|printed|written|given|shown)\b)",
    re.IGNORECASE,
)
_CALLED: dict[Role, re.Pattern[str]] = {
    "firm": re.compile(rf"(?:\b(?:is|was)|,) (?:an?|the|one of the) (?:[\w-]+ ){{0,3}}(?:{_FIRM})\b", re.IGNORECASE),
    "place": re.compile(
        rf"(?:\b(?:is|was)|,) (?:an?|the|one of the) (?:[\w-]+ ){{0,3}}(?:{_PLACE}|capital|county|region|island)\b",
        re.IGNORECASE,
    ),
    "person": re.compile(
        rf"(?:\b(?:is|was)|,) (?:an?|the|one of the) (?:[\w-]+ ){{0,3}}(?:{_PERSON}|[a-z]+(?:ist|ian|wright)|painter|"
        r"writer|author|designer|engineer|inventor|singer|actor|player|politician|professor|teacher|poet|breeder)\b",
        re.IGNORECASE,
    ),
}
_TOLD: dict[Role, re.Pattern[str]] = {
    "firm": re.compile(
        r"\b(?:employs?|employees|staff|workforce|payroll|headquarters|head office|offices in|turnover|founded by|"
        r"founder|set up in|subsidiary|the firm|the company|the business)\b",
        re.IGNORECASE,
    ),
    "place": re.compile(
        r"\b(?:inhabitants|population|people live (?:in|here)|residents|mayor|charter|town rights|market day|above sea|"
        r"altitude|elevation|the town|the city|the village)\b",
        re.IGNORECASE,
    ),
    "person": re.compile(
        r"\b(?:born (?:on|in|at)|date of birth|birthday|studied|grew up|childhood|died|married|education|native of|"
        r"lives in)\b",
        re.IGNORECASE,
    ),
}
#: What the name being of the kind that is asked for, or of another, adds to the logit of its being meant.
_FITS, _ONLY, _FITS_NOT = 1.5, 1.0, -2.5
#: How many names are looked into.
_LOOKED_INTO = 6


def role_asked(phrases: Sequence[str]) -> Role | None:
    """What the phrases of a question that may stand for another thing speak of, the first that says so."""
    for phrase in phrases:
        found = _HEAD.match(phrase.strip())
        noun = found["noun"].lower() if found else ""
        if not noun or _EITHER.match(noun):
            continue
        for role, words in (("firm", _FIRM), ("place", _PLACE), ("person", _PERSON)):
            if re.fullmatch(words, noun):
                return role  # type: ignore[return-value]
        someone = re.fullmatch(r"[a-z]{2,}(?:er|or|ist|ian|wright)", noun) and noun not in _THINGS
        if someone and not is_kind_word(noun):
            return "person"
    return None


def is_somebody_or_firm(phrase: str) -> bool:
    """ "its owner", "the publisher": neither the thing nor a part of it."""
    found = _HEAD.match(phrase.strip())
    return found is not None and bool(_EITHER.match(found["noun"].lower())) and not is_kind_word(found["noun"].lower())


def role_of(told: Sequence[str]) -> Role | None:
    """What a name stands for, by the sentences of its own pages; None when they do not say."""
    votes = {
        role: 3 * sum(bool(_CALLED[role].search(t)) for t in told) + sum(bool(_TOLD[role].search(t)) for t in told)
        for role in _CALLED
    }
    best = max(votes, key=lambda r: votes[r])
    return best if votes[best] > 0 and sum(v == votes[best] for v in votes.values()) == 1 else None


def not_in_places(names: Sequence[str], chances: Sequence[float], told: SentencesAbout) -> list[float]:
    """The probabilities that each name is meant where "whoever did it" is spoken of: seldom a town."""
    places = {n for n in set(names) if role_of(told(n)) == "place"}
    return [logistic(logit(p) + (_FITS_NOT if n in places else 0.0)) for n, p in zip(names, chances, strict=True)]


def by_role(asked: Role, names: Sequence[str], chances: Sequence[float], told: SentencesAbout) -> list[float]:
    """The probabilities that each name is meant, with what the names stand for."""
    likely = sorted(set(names), key=lambda n: -max(p for m, p in zip(names, chances, strict=True) if m == n))
    known = {name: role_of(told(name)) for name in likely[:_LOOKED_INTO]}
    fitting = [name for name, role in known.items() if role == asked]
    more = {name: _FITS + (_ONLY if len(fitting) == 1 else 0.0) for name in fitting}
    more |= {name: _FITS_NOT for name, role in known.items() if role is not None and role != asked}
    return [logistic(logit(p) + more.get(name, 0.0)) for name, p in zip(names, chances, strict=True)]
