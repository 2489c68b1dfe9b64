"""What a sentence claims, for judging: yes or no, which of two things, a text word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from eval.judges.phrases import Mention, bare, mentions, normalise
from eval.judges.units import is_unit

_NO = re.compile(r"\b(?:no|not|never|cannot|neither|nor|without|\w+n't|isnt|doesnt|wasnt|cant|arent|dont|wont)\b")
_YES_LEAD = re.compile(r"^(?:yes|yeah|yep|correct|indeed|true|right)\b")
_NO_LEAD = re.compile(r"^(?:no|nope|incorrect|false)\b(?! (?:one|other|\w+ (?:has|have|is|are)\b))")

#: Words that a question and an unrelated sentence may share.
_EMPTY = frozenset({
    "the", "and", "for", "are", "was", "were", "has", "have", "had", "can", "could", "would", "will", "does", "did",
    "this", "that", "these", "those", "they", "them", "one", "with", "from", "not", "but", "you", "your", "its", "than",
    "any", "all", "here", "there", "what", "which", "who", "how", "when", "where",
})  # fmt: skip

#: Comparatives that say the opposite of each other, for "B is lighter than A" as an answer to "which is heavier?".
_OPPOSITES = (
    ("heavier heaviest", "lighter lightest"),
    ("older oldest", "newer newest younger youngest"),
    ("earlier earliest first sooner", "later latest last"),
    ("longer longest", "shorter shortest"),
    ("taller tallest", "shorter shortest lower lowest"),
    ("bigger biggest larger largest greater", "smaller smallest"),
    ("more most", "fewer fewest less least"),
    ("cheaper cheapest", "dearer dearest expensive costlier pricier costs"),
    ("faster fastest quicker", "slower slowest"),
    ("higher highest", "lower lowest"),
    ("wider widest", "narrower narrowest"),
    ("thicker thickest", "thinner thinnest"),
    ("stronger strongest", "weaker weakest milder"),
    ("hotter hottest warmer", "cooler coolest colder coldest"),
)
_KNOWN = {word for pair in _OPPOSITES for words in pair for word in words.split()}
_COMPARATIVE = re.compile(rf"\b(?:{'|'.join(sorted(_KNOWN, key=len, reverse=True))}|\w{{3,}}(?:er|est))\b")


def polarity(answer: str, question: str = "") -> bool | None:
    """Whether an answer says yes or no: by its first word, else by whether it denies; None for both or neither.

    A later sentence that begins with the other word contradicts it ("Yes. No, it is not."). A sentence without yes or
    no only counts when it takes up a word of the question ("It is dishwasher safe.") or denies outright ("It is not.").
    """
    sentences = [s.strip() for s in re.split(r"[.!?;]", normalise(answer)) if s.strip()]
    if not sentences or re.match(r"^(?:yes (?:and|or) no|no (?:and|or) yes|maybe|perhaps)\b", sentences[0]):
        return None
    leads = [True if _YES_LEAD.match(s) else False if _NO_LEAD.match(s) else None for s in sentences]
    told = {lead for lead in leads if lead is not None}
    if told:
        return told.pop() if len(told) == 1 else None
    denies = _NO.search(sentences[0]) is not None
    shared = {w for w in _words(question) & _words(sentences[0]) if w not in _EMPTY}
    if shared or (denies and len(sentences[0].split()) <= 4):
        return not denies
    return None


def _words(text: str) -> set[str]:
    return {re.sub(r"(?:es|s)$", "", word) for word in re.findall(r"[a-z]{3,}", normalise(text)) if not is_unit(word)}


def chosen_name(answer: str, question: str, winner: Sequence[str], losers: Sequence[str]) -> str | None:
    """The name that an answer to a comparison chooses, normalised; None when it chooses none.

    With one name said, that one, unless it is denied. With both, the subject of the comparison ("A is heavier than B",
    "the heavier one is A"), or the other one where the answer compares the other way round than the question ("B is
    lighter than A") or denies it ("B is not heavier").
    """
    found = mentions(answer, [*winner, *losers])
    said = list(dict.fromkeys(m.phrase for m in found if not m.denied))
    wins = {bare(w) for w in winner}
    if not said or (re.search(r"\b(?:both|equally|the same|equal)\b", normalise(answer)) and len(said) != 1):
        return None
    normal = normalise(answer)
    comparison = _comparison(_blanked(normal, found))
    asked = normalise(question)
    asked = _blanked(asked, mentions(question, [*winner, *losers]))
    turned = _opposite(asked, comparison.group() if comparison else "")
    if comparison is None:
        return said[0]
    than = re.search(r"\bthan\b", normal[comparison.end() :])
    before = [
        m
        for m in found
        if m.end <= comparison.start() and not m.denied and "." not in normal[m.end : comparison.start()]
    ]
    after = [m for m in found if m.start >= comparison.end() and not m.denied]
    subject = before[-1] if before else after[0] if after and not than else None
    if subject is None:
        return said[0]
    denied = _NO.search(normal[subject.end : comparison.start()]) is not None if before else False
    if turned == denied:
        return subject.phrase
    rest = [phrase for phrase in dict.fromkeys(m.phrase for m in found) if (phrase in wins) != (subject.phrase in wins)]
    others = rest or [bare(n) for n in (losers if subject.phrase in wins else winner)]
    return others[0] if others else None


def _blanked(normal: str, found: Sequence[Mention]) -> str:
    """The text without the names in it, each as long as before: "Lower Bridge" compares nothing."""
    for m in found:
        normal = normal[: m.start] + "_" * (m.end - m.start) + normal[m.end :]
    return normal


def _comparison(normal: str) -> re.Match[str] | None:
    """The word that compares; a word of the table wins over what merely ends like one ("number", "other")."""
    found = list(_COMPARATIVE.finditer(normal))
    known = [m for m in found if m.group() in _KNOWN]
    return (
        known[0] if known else next((m for m in found if re.match(r"\s(?:\w+\s){0,3}than\b", normal[m.end() :])), None)
    )


#: "One more thing: which is the least powerful?" asks for no more of anything.
_ONE_MORE = re.compile(r"\b(?:one|once|some|a few|what s) more\b")


def _opposite(question: str, word: str) -> bool:
    """Whether `word` compares the other way round than the first comparing word of the question that it fits."""
    for asked in _COMPARATIVE.findall(_ONE_MORE.sub(" ", normalise(question))):
        for pair in _OPPOSITES:
            one, two = (next((side for side in (0, 1) if w in pair[side].split()), None) for w in (asked, word))
            if one is not None and two is not None:
                return one != two
    return False


def reads(answer: str, text: str) -> bool:
    """Whether an answer gives a text from the picture: word for word, or nearly so with every digit right."""
    wanted, said = bare(text), bare(answer)
    if not wanted:
        return False
    if f" {wanted} " in f" {said} ":
        return True
    if len(wanted) <= 5:
        return False
    words, n = said.split(), len(wanted.split())
    windows = (
        " ".join(words[i : i + k]) for k in (n - 1, n, n + 1) if k > 0 for i in range(max(1, len(words) - k + 1))
    )
    digits = re.sub(r"\D", "", wanted)
    close = (w for w in windows if SequenceMatcher(None, w, wanted, autojunk=False).ratio() >= 0.9)
    return any(re.sub(r"\D", "", window) == digits for window in close)
