"""Scales by participles and by what a thing has or needs: "less highly insured", "richer in bells", "hungrier for sun".

Each reading takes the lower-cased clause and gives a `Scale` or None; the commoner comparisons stand in `scales`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.text.english import ADJECTIVES, word_set


@dataclass(frozen=True)
class Scale:
    """What a comparison compares on: the noun of the scale, and whether the winner has more (+1) or less (-1) of it.

    `question` asks one thing for its place on the scale when the noun alone would not ("how long does it keep?").
    """

    noun: str
    sign: int
    dimensions: frozenset[str] = frozenset()
    adjective: str = ""
    question: str = ""


LENGTHS = r"longest|longer|shortest|shorter"
DIMENSIONS: dict[str, frozenset[str]] = {
    **{noun: dims for noun, dims, _ in ADJECTIVES.values() if noun not in ("size", "rating")},
    "guarantee": frozenset({"time"}),
    "warranty": frozenset({"time"}),
    "lifespan": frozenset({"time"}),
    "volume": frozenset({"volume"}),
    "energy": frozenset({"energy"}),
}


def less_of(word: str) -> int:
    return -1 if word.startswith(("short", "less", "few", "least", "small", "low", "slow", "soon")) else 1


def a_group(noun: str) -> bool:
    return bool(re.fullmatch(r"series|line|range|collection|family|set|group|lineup|shop|house|world", noun))


_PARTICIPLE = r"(?:[a-z]+(?:[^e\W]ed|ied|wn|ilt)|guaranteed|made|found|born|begun|known|sold|paid|held)"
_MORE_OR_LESS = r"more|less|most|least"
#: What is said of a guarantee, and how its length is asked for.
GUARANTEED = word_set("covered guaranteed warranted")
GUARANTEE = "how long is it covered by the guarantee?"
#: Participles that speak of money, and how the sum is asked for.
_PAID = {
    **dict.fromkeys(("insured", "sold", "auctioned"), "for how much is it {}?"),
    **dict.fromkeys(("endowed", "funded", "financed", "rewarded", "sponsored"), "how much money comes with it?"),
    **dict.fromkeys(("valued", "taxed", "priced", "paid"), "at how much is it {}?"),
}


#: What is done so many times in all, and not every so many days.
_TALLIED = word_set(
    "reproduced copied reprinted sold built borrowed cited quoted translated downloaded stolen photographed reissued"
)


def of_participle(low: str) -> Scale | None:
    """ "less highly insured", "the most visited", "more recently restored", "covered for a shorter time"."""
    if m := re.search(
        rf"\b(?P<verb>{_PARTICIPLE}) for (?:a |the )?(?P<how>{LENGTHS})(?: (?:time|period|while|span|term))?\b"
        rf"|\b(?P<how2>{LENGTHS}) (?P<verb2>covered|guaranteed|warranted|insured)\b",
        low,
    ):
        verb = m["verb"] or m["verb2"]
        question = GUARANTEE if verb in GUARANTEED else f"for how long is it {verb}?"
        return Scale("duration", less_of(m["how"] or m["how2"]), frozenset({"time"}), question=question)
    if m := re.search(
        rf"\b(?P<how>{_MORE_OR_LESS}) (?:often|frequently) (?P<verb>{_PARTICIPLE}|fed|cut|read|seen)\b"
        rf"|\b(?P<verb2>{_PARTICIPLE}|fed|cut|read|seen) (?:the )?(?P<how2>{_MORE_OR_LESS}) (?:often|frequently)\b",
        low,
    ):  # what stands there is the time between: less often is longer
        sign, verb = -less_of(m["how"] or m["how2"]), m["verb"] or m["verb2"]
        if verb in _TALLIED:
            return Scale("number", -sign, frozenset({"count", ""}), question=f"how often has it been {verb}?")
        return Scale("interval", sign, frozenset({"time"}), question=f"how often is it {verb}?")
    if m := re.search(
        rf"\b(?:is|was|were|are|been|got) (?:ever |first |last )?(?P<verb>{_PARTICIPLE}) "
        r"(?P<how>earlier|sooner|later|(?:more|less|most|least) recently)\b",
        low,
    ):
        sign = -1 if m["how"].startswith(("earlier", "sooner", "le")) else 1
        return Scale("date", sign, frozenset({"date"}), question=f"when was it {m['verb']}?")
    if m := re.search(
        rf"\b(?P<how>{_MORE_OR_LESS}) widely "
        r"(?P<verb>(?!than\b|spaced|plant|plac|spread|separat|scatter)[a-z]{3,})\b",
        low,
    ):
        sign = 1 if m["how"].startswith("mo") else -1  # by more people, whatever is done with it
        return Scale("number", sign, frozenset({"count", ""}), question=f"how many people have {m['verb']} it?")
    if m := re.search(
        rf"\b(?P<how>{_MORE_OR_LESS}) (?:widely|generously|loosely) (?:spaced|planted|set|placed|spread|"
        rf"separated)\b",
        low,
    ):  # no span of time
        near, asks = m["how"].startswith("le"), "how far apart are they planted?"
        return Scale("distance", -1 if near else 1, frozenset({"length"}), question=asks)
    m = re.search(
        rf"\b(?:(?P<how>{_MORE_OR_LESS}) )?(?P<adverb>[a-z]+ly|well|better|best|worse|often|earlier|later|sooner) "
        rf"(?P<verb>{_PARTICIPLE})\b|\b(?P<how2>{_MORE_OR_LESS})[ -](?P<verb2>{_PARTICIPLE})\b(?! \w+s\b)",
        low,
    )
    if m is None or not (
        m["how"] or m["how2"] or m["adverb"] in ("better", "best", "worse", "earlier", "later", "sooner")
    ):
        return None
    how, adverb, verb = m["how"] or m["how2"] or "more", m["adverb"] or "", m["verb"] or m["verb2"]
    if verb in _NO_PARTICIPLES or verb in ADJECTIVES:
        return None
    sign = (1 if how in ("more", "most") else -1) * (-1 if adverb in ("worse", "earlier", "sooner") else 1)
    if adverb in ("recently", "lately", "newly", "earlier", "later", "sooner"):
        return Scale("date", sign, frozenset({"date"}), question=f"when was it {verb}?")
    if verb in _PAID:
        return Scale("sum", sign, frozenset({"money"}), question=_PAID[verb].format(verb))
    if verb in GUARANTEED and not adverb:
        return None
    if not adverb or adverb in ("often", "widely", "frequently", "well", "better", "best", "worse"):
        people = {"visited": "visit", "attended": "attend", "watched": "watch", "frequented": "visit"}.get(verb)
        question = f"how many people {people} it?" if people else f"how much is it {verb}?"
        return Scale("number", sign, frozenset({"count", ""}) if people else frozenset(), question=question)
    known = ADJECTIVES.get(adverb.removesuffix("ly"))
    return Scale("degree", sign * (known[2] if known else 1), frozenset(), question=f"how {adverb} is it {verb}?")


_NO_PARTICIPLES = word_set("need indeed speed feed red hundred bed seed shed wed breed weed own crown")


def of_richness(low: str) -> Scale | None:
    """ "richer in bells", "poorest in sugar": how much of it there is."""
    m = re.search(
        r"\b(?P<how>richer|richest|poorer|poorest|"
        r"(?:better|best|worse|worst) (?:off|stocked|supplied|provided|furnished|endowed)) "
        r"(?:in|for|with) (?P<noun>[a-z]+)\b",
        low,
    )
    if m is None:
        return None
    noun, sign = m["noun"], -1 if m["how"].startswith(("poor", "worse")) else 1
    return Scale(noun, sign, DIMENSIONS.get(noun, frozenset()), question=_amount_of(noun))


def _is_many(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith("ss")


def _amount_of(noun: str) -> str:
    return f"how many {noun} does it have?" if _is_many(noun) else f"how much {noun} is in it?"


def of_need(low: str) -> Scale | None:
    """ "less in need of water", "hungrier for sun": how much of it is needed; "roomier for bags": how many go in."""
    if m := re.search(r"\b(?:hungr|thirst|greed)(?:ier|iest) for (?:the )?(?P<noun>[a-z]+)\b", low):
        return Scale(m["noun"], 1, frozenset(), question=f"how much {m['noun']} does it need?")
    if m := re.search(
        r"\b(?:fond(?:er|est)|(?P<less>more|most|less|least) fond) of (?:the )?"
        r"(?:(?P<how>warm|hot|cold|cool) )?(?P<noun>[a-z]+)\b",
        low,
    ):
        sign = -1 if (m["less"] or "").startswith("le") else 1
        if m["how"]:
            sign *= 1 if m["how"] in ("warm", "hot") else -1
            asks = f"what temperature of {m['noun']} does it like?"
            return Scale("temperature", sign, frozenset({"temperature"}), question=asks)
        return Scale(m["noun"], sign, frozenset(), question=f"how much {m['noun']} does it need?")
    if m := re.search(r"\broom(?:ier|iest) for (?:the )?(?P<noun>[a-z]+(?: [a-z]+s)?)(?=\s*(?:[,:;?.!]|$))", low):
        return Scale(m["noun"], 1, frozenset({"count", ""}), question=f"how many {m['noun']} does it have room for?")
    m = re.search(
        r"\b(?P<how>more|most|less|least) in need of (?P<noun>[a-z]+)\b"
        r"|\bin need of (?:the )?(?P<how2>more|most|less|least|fewer|fewest) (?P<noun2>[a-z]+)\b",
        low,
    )
    if m is None:
        return None
    noun, sign = m["noun"] or m["noun2"], 1 if (m["how"] or m["how2"]).startswith("mo") else -1
    much = "many" if _is_many(noun) else "much"
    return Scale(noun, sign, DIMENSIONS.get(noun, frozenset()), question=f"how {much} {noun} does it need?")


def of_content(low: str) -> Scale | None:
    """ "the one with the most in it": how much is in it."""
    m = re.search(
        r"\b(?P<how>more|most|less|least)(?: stuff)? (?:in|inside) (?:it|them|the (?:pack|box|bag|jar|tin))\b"
        r"|\b(?P<size>larger|largest|bigger|biggest|greater|smaller|smallest|higher|lower) (?:in|by) "
        r"(?:its |their )?(?:net )?contents?\b"
        r"|\b(?P<size2>larger|largest|bigger|biggest|greater|smaller|smallest) (?:net )?contents?\b",
        low,
    )
    if m is None:
        return None
    sign = -1 if (m["how"] or m["size"] or m["size2"]).startswith(("less", "least", "small", "low")) else 1
    return Scale("contents", sign, frozenset({"mass", "volume"}), question="what is its content or net weight?")
