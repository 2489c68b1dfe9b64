"""What a comparison compares on: the scale that a comparative or superlative speaks of, and which end of it wins.

Covers adjectives ("heavier"), nouns ("fewer calories", "higher in sugar"), verbs ("keeps the shortest") and what comes
first; the scale is put as a plain question about one thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.answering.expected import Expected
from assistant.answering.language import ADJECTIVES, base_adjective, word_set, words_of
from assistant.answering.values import find_quantities


@dataclass(frozen=True)
class Scale:
    """What a comparison compares on: the noun of the scale, and whether the winner has more (+1) or less (-1) of it."""

    noun: str
    sign: int
    dimensions: frozenset[str] = frozenset()
    adjective: str = ""


_NO_SCALES = ("this", "that", "the", "these", "those", "a", "it", "front", "total", "all")


def scale_of(core: str) -> Scale | None:
    """The scale of a comparative or superlative in the clause, or None."""
    low = core.lower()
    if m := re.search(r"\b(more|less|fewer|most|least|fewest)\s+([a-z-]+)", low):
        sign = 1 if m.group(1) in ("more", "most") else -1
        word = m.group(2)
        if word in ADJECTIVES:
            noun, dims, own = ADJECTIVES[word]
            return Scale(noun, sign * own, dims, word)
        if word not in ("than", "or", "of", "is", "about", "to", "the", "for") and not (
            m.group(1) == "most" and word in ("of",)
        ):
            after = low[m.end() :]
            if re.match(
                r"\s+(?:is|does|do|are|did)\b|\s*[,?]|\s+(?:this|that|in|per|than|it|the)\b|\s*$|\s+[a-z]+", after
            ):
                return Scale(word, sign)
        if word == "than" and (u := find_quantities(core)):
            return Scale("", sign, frozenset({u[0].dimension}))
        if word == "than":
            return Scale("", sign)
    verbal = _verbal_scale(low)
    if verbal is not None:
        return verbal
    for word in words_of(low):
        base = base_adjective(word)
        if base and base[0] in ADJECTIVES and word not in ("other", "number", "over", "last"):
            noun, dims, sign = ADJECTIVES[base[0]]
            named = re.search(rf"\b{word}\s+(?:in|by|in terms of)\s+(?:its |their |the )?([a-z]+)\b", low)
            if named and named.group(1) not in _NO_SCALES:
                return Scale(named.group(1), sign)
            return Scale(noun, sign, dims, base[0])
    if m := re.search(
        r"\b(?:weighs?|costs?|holds?|lasts?|takes?|contains?|has|have)\s+(?:the\s+)?(more|most|less|least|"
        r"longer|longest)\b",
        low,
    ):
        verb = low[m.start() : m.end()].split()[0]
        return Scale(verb, -1 if m.group(1) in ("less", "least") else 1)
    if m := re.search(
        r"^(?:which|who|what)(?: one)?(?: of \w+(?: \w+)?)?\s+(?:\w+ )?(?:came|was|were|is|got|opened|"
        r"appeared|published|"
        r"released|built|founded|made|born)\b.*\b(first|earlier|later|last)\b"
        r"(?=\s*(?:[,?:;–]|$|of\b|out of\b|this\b|or\b))",
        low,
    ):
        return Scale("date", -1 if m.group(1) in ("first", "earlier") else 1, frozenset({"date"}), "")
    return None


#: How something's age is asked for: by when it began.
_BEGINNINGS = (
    "when was it made?",
    "when was it first published or released?",
    "when did it come out?",
    "when was it built or founded?",
    "when did it first open or appear?",
    "when was it born?",
)


_NO_VERBS = word_set("is are be was were the which one how much and or any no has it this that two a much even lot bit")


def _verbal_scale(low: str) -> Scale | None:
    """ "lives longer", "charges faster": the scale is how long or how fast it does that."""
    m = re.search(
        r"\b([a-z]+)\s+(?:the\s+|for\s+)?(longer|longest|faster|fastest|quicker|quickest|slower|slowest|sooner)\b", low
    )
    if not m or m.group(1) in _NO_VERBS:
        return None
    verb = re.sub(r"(?<=[sxzh])es$|(?<=[a-rt-z])s$", "", re.sub(r"ies$", "y", m.group(1)))
    word = m.group(2)
    moving = verb in ("go", "goe", "run", "drive", "fly", "swim", "move", "travel", "fall")
    if word.startswith("long"):
        return Scale(f"how long does it {verb}", 1, frozenset({"time", "length"}), "")
    sign = -1 if word.startswith("slow") else 1
    if moving:
        return Scale("speed", sign, frozenset({"speed"}), "fast")
    return Scale(f"how long does it take to {verb}", -sign, frozenset({"time"}), "")


def about_of(core: str, expected: Expected, scale: Scale | None) -> tuple[str, ...]:
    """Rewordings that ask for the bare property: "how heavy is it" → "what is its weight?"."""
    low = core.lower()
    out: list[str] = []
    if scale and scale.noun.startswith("how long"):
        return (f"{scale.noun}?", f"what is its {scale.noun.split()[-1]} time?")
    if scale and scale.noun:
        out.append(f"what is its {scale.noun}?")
        if scale.adjective and scale.noun != "date":
            out.append(f"how {scale.adjective} is it?")
        elif scale.noun == "date" and scale.adjective:
            return _BEGINNINGS
        elif scale.noun == "date":
            event = re.search(
                r"\b(?:came|was|were|is|got|opened|appeared|released|built|founded|"
                r"born)\b[^,?]*?(?=\b(?:first|earlier|later|last|before|after)\b)",
                low,
            )
            out.append(f"when {event.group().strip()}?" if event else "when was it made?")
        else:
            out.append(f"how much {scale.noun} does it have?")
        return tuple(out)
    if (m := re.search(r"\bhow\s+(\w+)", low)) and m.group(1) in ADJECTIVES and expected.dimensions != {"time"}:
        noun = ADJECTIVES[m.group(1)][0]
        out.append(f"what is its {noun}?" if noun != "date" else "when was it made?")
    if expected.kind == "quantity" and expected.dimensions == {"mass"} and "weigh" in low:
        out.append("what is its weight?")
    if (
        expected.kind == "quantity"
        and expected.dimensions == {"money"}
        and not re.search(r"\b(?:fee|fare|charge)", low)
    ):
        out.append("what is its price?")
    if expected.kind == "count" and expected.noun:
        out.append(f"what is its number of {expected.noun}?")
    if expected.kind == "age":
        out += list(_BEGINNINGS)
    return tuple(dict.fromkeys(out))
