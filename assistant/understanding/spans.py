"""Scales of spans that adjectives alone would miss: "geologically older", "for older children", "quicker off the mark",
"bigger across".

Each reading takes the lower-cased clause and gives a `Scale` or None; the commoner comparisons stand in `scales`.
"""

from __future__ import annotations

import re

from assistant.understanding.degrees import Scale, less_of

_OLD = r"older|oldest|younger|youngest"
_PEOPLE = (
    r"people|players?|children|child|kids?|readers?|listeners?|viewers?|visitors?|pupils?|students?|users?|folks?|ones|"
    r"hands|audiences?|learners?"
)
_FAST = r"faster|fastest|quicker|quickest|slower|slowest"


def of_deep_age(low: str) -> Scale | None:
    """ "geologically younger": how long ago it formed, and not when it was found or came out."""
    m = re.search(rf"\b(?:geologically|evolutionarily|in geological terms,?) (?P<how>{_OLD})\b", low)
    if m is None:
        return None
    return Scale("age", 1 if m["how"].startswith("o") else -1, question="how many million years ago did it form?")


#: What a thing has been since some day.
_SINCE = r"service|use|business|operation|existence|circulation"


def of_years_in(low: str) -> Scale | None:
    """ "older in service", "the youngest in business": by the day since when it has been."""
    m = re.search(rf"\b(?P<how>{_OLD}) in (?P<what>{_SINCE})\b", low)
    if m is None:
        return None
    sign = -1 if m["how"].startswith("o") else 1
    return Scale("date", sign, frozenset({"date"}), question=f"since when has it been in {m['what']}?")


def of_age_group(low: str) -> Scale | None:
    """ "for older children": from what age on, and not when it came out."""
    m = re.search(rf"\b(?:for|to|at) (?:the |much |slightly )?(?P<how>{_OLD}) (?:{_PEOPLE})\b", low)
    if m is None:
        return None
    sign, ages = 1 if m["how"].startswith("o") else -1, frozenset({"time", "count", ""})
    return Scale("recommended age", sign, ages, question="from what age is it?")


def of_start(low: str) -> Scale | None:
    """ "quicker off the mark": the time that it needs to gather speed, and not how fast it goes."""
    m = re.search(
        rf"\b(?P<how>{_FAST}) (?:up )?(?:off the (?:mark|line)|away from (?:the|a) (?:lights?|standstill|start)|"
        r"from (?:a )?(?:standstill|standing start|nought|zero|rest|0)\b|to (?:an? )?(?:hundred|100)\b)",
        low,
    )
    if m is None:
        return None
    asks = "how many seconds does it take from 0 to 100?"
    return Scale("acceleration", -less_of(m["how"]), frozenset({"time"}), question=asks)


_ACROSS = {
    **dict.fromkeys(("bigger", "biggest", "larger", "largest", "greater", "wider", "widest", "broader", "broadest"), 1),
    **dict.fromkeys(("smaller", "smallest", "narrower", "narrowest", "less wide", "least wide"), -1),
}


def of_span_across(low: str) -> Scale | None:
    """ "bigger across": its diameter or width, and no other size."""
    m = re.search(
        rf"\b(?P<how>{'|'.join(_ACROSS)}) across\b(?! (?:the|its|their|all|both|every|most|a|an)\b)"
        r"|\b(?P<how2>more|most|less|least)(?: \w+)? across\b(?= than|\W*$|,)",
        low,
    )
    if m is None:
        return None
    sign = _ACROSS[m["how"]] if m["how"] else less_of(m["how2"])
    return Scale("diameter", sign, frozenset({"length"}), question="how big is it across?")


_DONE_UP = re.compile(
    r"without (?:an?y? |being )?(?P<how>repair|restor|renovat|overhaul|refurbish)(?:s|ed|ation|ment|ing)?\b",
    re.IGNORECASE,
)


def since_done_up(scale: Scale) -> Scale | None:
    """ "longer without repair": where no time is told, the one that was last put in order earlier."""
    if scale.dimensions != {"time"} or not _DONE_UP.search(scale.question):
        return None
    return Scale("date", -scale.sign, frozenset({"date"}), question="when was it last restored or renovated?")
