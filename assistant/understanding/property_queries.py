"""Rewording what is asked as a plain question for one property of one thing: "what is its price?".

The lookup reads plain questions best; a comparison, a sum or an age is asked for in these words, not in its own.
"""

from __future__ import annotations

import re

from assistant.text.english import ADJECTIVES, is_plural
from assistant.text.units import unit_of
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.degrees import DIMENSIONS, Scale
from assistant.understanding.scales import NO_NOUNS

#: How something's age is asked for: by when it began. Two by two, as the lookup reads two wordings at a time.
BEGINNINGS = (
    "when did it come out?",
    "when was it launched or introduced?",
    "when did it first open or appear?",
    "when was it built or founded?",
    "since when is it known or on record?",
    "when was it introduced or registered?",
    "when was it made?",
    "when was it born?",
    "when was it consecrated or dedicated?",
    "when was it christened or inaugurated?",
)


#: How the amount of a thing is asked for where only its unit is named.
PLAIN_AMOUNTS = {
    "mass": ("what is its weight?", "how much is in it?"),
    "volume": ("how much does it hold?", "what is its volume?"),
    "length": ("what is its length?",),
    "energy": ("how many calories does it have?",),
    "contents": ("what is its net weight?", "what is its content or net weight?"),
}


def _worth(low: str) -> list[str]:
    """What is asked with a sum of money: the price, or what it is worth as something else ("worth in postage")."""
    m = re.search(r"\b(?:worth|value|good for) (?:in|as|of) (?P<noun>[a-z]+)\b", low)
    if m and unit_of(m["noun"]) is None and m["noun"] not in NO_NOUNS:
        return [f"how much {m['noun']} is it good for?", f"what is its {m['noun']} value?"]
    return ["what is its price?", "what does it cost?"]


def about_of(core: str, expected: Expected, scale: Scale | None) -> tuple[str, ...]:
    """Rewordings that ask for the bare property: "how heavy is it" → "what is its weight?"."""
    low = core.lower()
    out: list[str] = []
    if scale and scale.question:
        vague = scale.noun in ("duration", "number", "date", "sum", "degree") or is_plural(scale.noun)
        spoken = "" if vague else scale.noun
        if scale.noun == "contents":
            return (scale.question, "how much is in it?")
        return (scale.question, *((f"what is its {spoken}?",) if spoken else ()))
    if scale and scale.noun:
        if not is_plural(scale.noun):
            out.append(f"what is its {scale.noun}?")
        if scale.noun == "price":
            out.append("what does it cost?")
        elif scale.adjective and scale.noun != "date":
            out.append(f"how {scale.adjective} is it?")
        elif scale.noun == "date" and scale.adjective:
            return BEGINNINGS
        elif scale.noun == "date":
            event = re.search(
                r"\b(?:came|was|were|is|got|opened|appeared|released|built|founded|"
                r"born)\b[^,?]*?(?=\b(?:first|earlier|later|last|before|after)\b)",
                low,
            )
            out.append(f"when {event.group().strip()}?" if event else "when was it made?")
        elif scale.noun not in DIMENSIONS:
            much = "many" if scale.noun.endswith("s") and not scale.noun.endswith("ss") else "much"
            out.append(f"how {much} {scale.noun} does it have?")
        return tuple(out)
    if (
        (m := re.search(r"\bhow\s+(\w+)\b(?! ago\b)", low))
        and m.group(1) in ADJECTIVES
        and expected.dimensions != {"time"}
        and (not expected.dimensions or expected.dimensions & ADJECTIVES[m.group(1)][1])  # "how low can I set the oven"
    ):
        noun = ADJECTIVES[m.group(1)][0]
        out.append(f"what is its {noun}?" if noun != "date" else "when was it made?")
    weighs = "weigh" in low and not re.search(r"\bby weight\b", low)  # what it carries, by weight
    if expected.kind == "quantity" and expected.dimensions == {"mass"} and weighs:
        out.append("what is its weight?")
    if (
        expected.kind == "quantity"
        and expected.dimensions == {"money"}
        and not re.search(r"\b(?:fee|fare|charge|spen[dt] (?:on|for) (?!it\b|this\b|that\b))", low)
    ):
        out += _worth(low)
    if expected.kind == "count" and expected.noun:
        out.append(f"what is its number of {expected.noun}?")
    if expected.kind == "age":
        out += list(BEGINNINGS)
    return tuple(dict.fromkeys(out))
