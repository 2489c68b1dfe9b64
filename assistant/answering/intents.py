"""What a question asks for: its kind of answer, the scale it speaks of, and the arithmetic it wants.

Reads English question grammar only (interrogatives, comparison, auxiliaries, quantifiers); which attribute is meant is
decided later, by meaning. Subjects are the matter of `references`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assistant.answering.clause import TAG, WH, YESNO
from assistant.answering.language import ADJECTIVES, base_adjective, is_plural, word_set, words_of
from assistant.answering.units import unit_of
from assistant.answering.values import NUMBER_WORDS, find_quantities

AnswerKind = Literal[
    "any", "quantity", "count", "date", "clock", "age", "person", "place", "colour", "yesno", "reason", "name"
]
Operation = Literal[
    "lookup",
    "identify",
    "read",
    "yesno",
    "compare",
    "superlative",
    "sum",
    "mean",
    "difference",
    "ratio",
    "multiply",
    "convert",
    "age",
    "list",
]
_COLOURS = re.compile(r"\bcolou?rs?\b|\bhue\b|\bshade\b", re.IGNORECASE)
_MONEY = re.compile(
    r"\b(?:costs?|price[ds]?|expensive|pay|paid|worth|charged?|fees?|fare|money|cheap|sells? for|set (?:me|"
    r"you|us|one) back|priced|spend|afford|buy)\b",
    re.IGNORECASE,
)
_NUMBER_WORD = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("zero", "half", "quarter", "one"))


@dataclass(frozen=True)
class Expected:
    """The kind of answer asked for. `dimensions` that a quantity may have; `noun` what is counted; `unit` to
    convert to.
    """

    kind: AnswerKind = "any"
    dimensions: frozenset[str] = frozenset()
    noun: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Scale:
    """What a comparison compares on: the noun of the scale, and whether the winner has more (+1) or less (-1) of it."""

    noun: str
    sign: int
    dimensions: frozenset[str] = frozenset()
    adjective: str = ""


@dataclass(frozen=True)
class Asked:
    """One question taken apart. `core` is the clause that asks; `about` rephrases it as asking for the
    property alone.
    """

    core: str
    about: tuple[str, ...]
    expected: Expected
    operation: Operation
    scale: Scale | None = None
    factor: float | None = None
    unit: str = ""

    @property
    def wordings(self) -> tuple[str, ...]:
        """How the property is asked for, the main wording first. A comparison is asked for by its scale alone."""
        if self.about and self.operation in (
            "age",
            "compare",
            "superlative",
            "difference",
            "ratio",
            "sum",
            "mean",
            "multiply",
        ):
            return self.about
        return tuple(dict.fromkeys((self.core, *self.about)))


def expected_of(core: str) -> Expected:
    """The kind of answer that the interrogative and what follows it call for."""
    low = core.lower().strip(" ?.!")
    into = re.search(
        r"\b(?:in|into|to|as)\s+(?:an?\s+|terms of\s+)?([a-z°²³/]+(?: (?:ounces?|feet|metres?|meters?|miles|"
        r"per hour))?)$",
        low,
    )
    target = unit_of(into.group(1)) if into and len(into.group(1)) > 1 else None
    unit = target[0] if target else ""
    if target and target[1] == "money":
        unit = ""
    if re.search(
        r"\bhow (?:many years |much |long )?(?:old|long ago|many (?:years|months|days|weeks|decades) ago)\b|"
        r"\bhow many years ago\b",
        low,
    ):
        return Expected("age", frozenset({"date", "time"}), unit=unit)
    if m := re.search(r"\bhow (?:many|much)\s+(?:more\s+|less\s+|fewer\s+)?((?:[a-z°'’-]+\s?){0,4})", low):
        return _how_many(m, low, unit)
    if m := re.search(r"\bhow\s+(\w+)", low):
        adjective = m.group(1)
        if adjective == "often":
            return Expected("quantity", frozenset({"time", "count", "frequency"}), noun="times")
        if adjective in ADJECTIVES:
            dims = set(ADJECTIVES[adjective][1])
            if adjective in ("high", "low") and re.search(r"\b(?:price|cost|temperature|oven)\b", low):
                dims = {"money", "temperature"}
            if adjective == "long" and re.search(
                r"\b(?:does it take|take|last|cook|bake|live|wait|stay|keep|run|need|for how long|boil|steep|charge)\b",
                low,
            ):
                dims = {"time"}
            return Expected(
                "quantity", frozenset(dims - {"date"}) if "date" not in dims else frozenset({"date"}), unit=unit
            )
        if adjective not in (
            "is",
            "are",
            "do",
            "does",
            "did",
            "can",
            "could",
            "to",
            "should",
            "would",
            "was",
            "were",
            "come",
            "about",
            "has",
            "have",
        ):
            return Expected("any", unit=unit)
        return Expected("reason")
    if re.search(
        r"\bwhat time\b|\b(?:opening|closing) (?:time|hours)\b|\bwhen does (?:it|this|the \w+|that) (?:open|"
        r"close|shut)\b",
        low,
    ):
        return Expected("clock")
    if re.search(r"\b(?:what|which) age\b|\bage (?:range|group|limit)\b", low):
        return Expected("quantity", frozenset({"time", "count", ""}))
    if re.search(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|season)\b|\bsince when\b", low):
        return Expected("date", frozenset({"date"}))
    if _COLOURS.search(low):
        return Expected("colour")
    if re.search(r"\b(?:who|whom|whose)\b", low):
        return Expected("person")
    if re.search(
        r"\bwhere\b|\b(?:what|which) (?:country|city|town|village|place|region|state|continent|street|"
        r"address|island|valley|province)\b",
        low,
    ):
        return Expected("place")
    if re.search(r"\bweighs?\b|\bweighing\b", low) and not YESNO.match(low):
        return Expected("quantity", frozenset({"mass"}), unit=unit)
    if re.search(r"\bwhy\b|\bwhat for\b|\bfor what reason\b|\bhow come\b", low):
        return Expected("reason")
    if YESNO.match(low):
        return Expected("yesno")
    if _MONEY.search(low):
        return Expected("quantity", frozenset({"money"}))
    return Expected("quantity", frozenset({target[1]}), unit=unit) if unit and target else _by_noun(low)


def _by_noun(low: str) -> Expected:
    """ "what is its weight", "the height please": the noun itself may name a scale."""
    for word in words_of(low):
        for noun, dims, _ in ADJECTIVES.values():
            if word == noun and noun not in ("size", "date", "rating", "power", "population"):
                return Expected("quantity", dims)
        if word in ("duration", "diameter", "volume", "mass", "wingspan", "altitude", "elevation"):
            dim = {"duration": "time", "volume": "volume", "mass": "mass"}.get(word, "length")
            return Expected("quantity", frozenset({dim}))
        if word == "date":
            return Expected("date", frozenset({"date"}))
    return Expected("any")


def _how_many(m: re.Match[str], low: str, unit: str) -> Expected:
    rest = m.group(1).split()
    if re.search(r"\bhow much\b", low):
        if re.search(r"\bweigh", low):
            return Expected("quantity", frozenset({"mass"}), unit=unit)
        if re.search(r"\bhow much (?:would|will|do|does|did)\b.*\b(?:be|come to|together|in total|altogether)\b", low):
            return Expected("quantity", frozenset({"money"}))
        if _MONEY.search(low) or re.search(
            r"\bhow much (?:(?:is|are|was|were)(?! (?:in|on|inside|left|there|of))|for|does (?:it|this|one) go)\b", low
        ):
            return Expected("quantity", frozenset({"money"}))
    if rest and (u := unit_of(rest[0])) and u[1] not in ("money",):
        noun = " ".join(rest[2:4]) if len(rest) > 1 and rest[1] == "of" else ""
        if u[1] == "energy":
            return Expected("quantity", frozenset({"energy"}), noun=rest[0])
        return Expected("quantity", frozenset({u[1]}), noun=noun, unit=u[0])
    stop = next(
        (
            i
            for i, w in enumerate(rest)
            if w in _AUXILIARY
            or w in ("in", "of", "on", "it", "this", "that", "per", "to", "with", "at", "from", "for", "by")
        ),
        len(rest),
    )
    noun = " ".join(rest[: _head_end(rest[:stop])])
    if "how many" in low:
        return Expected("count", frozenset({"count", ""}), noun=noun, unit=unit)
    return Expected("quantity", frozenset(), noun=noun, unit=unit)


def _head_end(words: list[str]) -> int:
    """Where the counted noun ends: at the first plural; a verb after it ("people live") is no part of it."""
    for i, word in enumerate(words):
        if is_plural(word):
            return i + 1
    return min(len(words), 2)


_AUXILIARY = word_set("is are was were do does did has have had can could will would should may might must")


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


def factor_of(core: str) -> float | None:
    """How many of it: "three of these", "a dozen of them", "for 4 packs" → 3, 12, 4; None when it is one."""
    number = rf"(\d+|an? dozen|an? hundred|{_NUMBER_WORD})"
    thing = r"(?:these|those|them|this|it|that|such|the \w+(?: one)?)\b"
    low = core.lower()
    m = re.search(rf"\b{number}\s+of\s+{thing}", low) or re.search(rf"\b{number}\s*(?:times|x|×)\s+{thing}", low)
    m = m or re.search(
        rf"\b{number}\s+(?:copies|packs|packets|pieces|units|boxes|bottles|cans|bags|jars|tins|servings|portions|tickets|"
        r"pairs|bars)\b",
        low,
    )
    m = m or re.search(
        rf"\b(?:take|takes|took|buy|buys|bought|get|order|ordered|want)\s+(\d+|{_NUMBER_WORD})(?=\s*(?:[,.?!]|$|of\b))",
        core.lower(),
    )
    if not m:
        return None
    word = re.sub(r"^an? ", "", m.group(1))
    return float(word) if word.isdigit() else NUMBER_WORDS.get(word)


def take_apart(core: str) -> Asked:
    """Everything that grammar alone tells about the asking clause."""
    expected, scale = expected_of(core), scale_of(core)
    low = core.lower()
    operation: Operation = "lookup"
    factor = None
    how_much_more = re.search(r"\b(?:how much|how many|by how much|by how many|how far)\b", low) and (
        scale is not None
        and re.search(r"\bhow (?:much|many)\s+(?:[a-z]+\s+)?(?:more|less|fewer|\w+er)\b|\bby how\b|\bthan\b", low)
    )
    if re.search(r"\b(?:difference|differ|apart|gap)\b", low) or how_much_more:
        operation = "difference"
    elif re.search(r"\bhow many times\b.*\b(?:as|than|more|\w+er)\b|\bratio\b", low):
        operation = "ratio"
    elif re.search(
        r"\b(?:together|in total|\btotal (?:\w+ )?(?:of|for)\b|combined|altogether|sum of|add(?:ed)? up|all "
        r"in all|both of them (?:cost|weigh))\b",
        low,
    ):
        operation = "sum"
    elif re.search(r"\b(?:average|mean)\b", low) and re.search(
        r"\b(?:of (?:the|these|those|all|both|them)|between|two|three|four|five|both)\b", low
    ):
        operation = "mean"
    elif expected.kind == "yesno" or (TAG.search(core) and not re.search(rf"\b{WH}\b", low)):
        operation = "yesno"
        expected = Expected("yesno")
    elif scale is not None and re.search(r"\b(?:which|who|what|whose)\b|\bor\b", low) and not re.match(r"how\b", low):
        superlative = re.search(r"\b(?:most|least|fewest|\w+est)\b", low) and not re.search(r"\b(?:two|both|or)\b", low)
        operation = "superlative" if superlative else "compare"
    elif expected.kind == "age":
        operation = "age"
    if operation in ("lookup", "sum", "yesno"):
        factor = factor_of(core)
        if factor and operation != "yesno":
            operation = "multiply"
    if (
        scale is not None
        and scale.dimensions
        and operation in ("compare", "superlative")
        and expected.kind != "quantity"
    ):
        expected = Expected("date" if scale.dimensions == {"date"} else "quantity", scale.dimensions)
    about = about_of(
        core, expected, scale if operation in ("compare", "superlative", "difference", "ratio", "yesno") else None
    )
    return Asked(core, about, expected, operation, scale, factor, expected.unit)
