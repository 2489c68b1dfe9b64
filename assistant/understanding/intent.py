"""What a question asks for: its kind of answer, the scale it speaks of, and the arithmetic it wants.

Reads English question grammar only (interrogatives, comparison, auxiliaries, quantifiers); which attribute is meant is
decided later, by meaning. Subjects are the matter of `reference.resolve`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from assistant.text.values import NUMBER_WORDS, find_quantities
from assistant.understanding.answer_kinds import AnswerKind, Expected, measured_in
from assistant.understanding.clause import TAG, WH, asking_clause, whole_of
from assistant.understanding.expected_answer import expected_of
from assistant.understanding.property_queries import about_of
from assistant.understanding.scales import Scale, scale_of

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
#: Two things to choose between, in the form of a question for yes or no.
_CHOICE = re.compile(r"^\w+ (?!(?:not|only|more|less)\b)[^,?]*?\bor (?!(?:more|less|not|fewer|so)\b)(?!.*\bthan\b)")
#: Two things that a figure is asked for together: "this and the other one".
_PAIR = re.compile(
    r"(?<!between )\b(?:this|that|these|it|one)(?: \w+)? and (?:the|this|that|its|their|it)\b|\band (?:this|that) one\b"
    r"|\bboth of (?:them|these|those)\b|\bfor both\b"
)
_CHOOSES = re.compile(r"\b(?:which|who|what|whose)\b|\bor\b")
#: "name the one with the most seats of this fleet".
_NAMES_ONE = re.compile(
    r"^(?:(?:name|tell me|show me|find|find me|pick|give me|point out|point to) )?the (?:\w+ )?"
    r"(?:one (?:with the |(?:that|which|who) [\w ]+? )?)?"
    r"(?:\w+ )?(?:most|least|fewest|\w+est)\b.*\b(?:of|in|among|from) (?:this|these|its|their|them|the|all)\b"
)
#: "how many times heavier", "how many times as long"; not "how many times do I climb to get up that tower".
_RATIO = re.compile(
    r"\bhow many times\b.*\b(?:as \w+ as|than|more)\b|\bratio\b"
    r"|\bhow many times (?:(?:is|are|was) \w+ )?(?!over|under|ever|per|after)\w+er\b"
)
#: What is added up; not "found together with quartz", "roll it together".
_ALTOGETHER = re.compile(
    r"\b(?:(?<!put )(?<!come )(?<!comes )(?<!belong )(?<!go )(?<!sewn )(?<!roll )(?<!rolled )(?<!fold )(?<!sew )"
    r"(?<!hold )(?<!occur )(?<!occurs )(?<!found )(?<!grow )(?<!live )(?<!get )"
    r"together(?! with (?!(?:the |that |its |their |this )?(?:other|one|second|that|this)\b))|"
    r"in total|\btotal (?:\w+ )?(?:of|for)\b|combined|altogether|sum of|add(?:ed)? up|all "
    r"in all|both of them (?:cost|weigh))\b"
)
#: "which birds make up the group together with this one".
_MAKE_UP = re.compile(r"\b(?:makes? up|forms?|belongs? to|comes? (?:in|with|from))\b.*\b(?:al)?together with\b")
_OF_SEVERAL = re.compile(r"\b(?:two|three|both|all|they|them|these|those)\b")
#: "how many days later should it be used up": after so many days, and no more of them than another.
_AFTERWARDS = re.compile(
    r"\bhow many (?:seconds|minutes|hours|days|weeks|months|years) (?:later|earlier|further|longer)\b(?!.*\bthan\b)"
    r"(?! (?:is|was|does|did|do|will|would) (?:it|this|that|the)\b)"
)
#: "volume 2 of the series" is a book, and no measure.
_VOLUME = re.compile(
    r"\bvol(?:ume|\.)? (?:number |no\.? )?#?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"(?! ?(?:l|litres?|liters?|ml|gallons?|cubic|cm|m)\b)",
    re.IGNORECASE,
)
#: "on average"; not "which is newer, I mean this and that".
_AVERAGE = re.compile(
    r"\bon average\b|\b(?:the|an) average\b|^(?!.*\b(?:do|does|did|i|you|we|they)\b.* mean\b).*\bmean\b"
)
_NUMBER_WORD = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("zero", "half", "quarter", "one"))


@dataclass(frozen=True)
class ParsedQuestion:
    """One question taken apart. `core` is the clause that asks; `about` rephrases it as asking for the
    property alone; `whole` is the clause with the condition before it, where there is one.
    """

    core: str
    about: tuple[str, ...]
    expected: Expected
    operation: Operation
    scale: Scale | None = None
    factor: float | None = None
    unit: str = ""
    whole: str = ""

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


def factor_of(core: str) -> float | None:
    """How many of it: "three of these", "a dozen of them", "for 4 packs" → 3, 12, 4; None when it is one."""
    low = core.lower()
    m = next((m for pattern in _FACTORS if (m := pattern.search(low))), None)
    if not m or any(q.dimension in ("mass", "volume") for q in find_quantities(m.group())):
        return None  # "100 g of it" are not a hundred of it (`portions`)
    word = next(g for g in m.groups() if g)
    if word.startswith("half"):
        return 6.0
    word = re.sub(r"^an? ", "", word)
    return float(word) if word.isdigit() else NUMBER_WORDS.get(word)


_MANY = rf"((?<![\w.,-])\d{{1,3}}(?![\d.,]*\d)|half a dozen|an? dozen|an? hundred|\b(?:{_NUMBER_WORD})\b)"
_FACTORS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_MANY}\s+(?:[a-z]+\s+)?of\s+(?:these|those|them|this|it|that|such|the|my)\b",
        rf"(?<!\bone ){_MANY}\s+like (?!to\b)",
        rf"{_MANY}\s+such (?!(?:an?|as)\b)",
        rf"{_MANY}\s*(?:times|x|×)\s+(?:these|those|this|it|that|the)\b",
        rf"{_MANY}\s+(?:copies|packs|packets|pieces|units|boxes|bottles|cans|bags|jars|tins|servings|portions|"
        rf"tickets|pairs|"
        r"bars|adults|people|persons|visitors|guests|children|kids|friends)\b",
        rf"\b(?:take|takes|took|buy|buys|bought|get|order|ordered|want|need|have|for)\s+{_MANY}(?=\s*(?:[,.?!]|"
        rf"$|of\b|and\b))",
        rf"\b{_MANY} of us\b|\bwe(?:['’]re| are) {_MANY}\b|\bfor us {_MANY}\b",
        r"\b(?:and i are|we(?:['’]ll| will|['’]d| would| might| may) be|"
        r"we(?:['’]re| are) (?:a )?(?:party|group|family) of|we(?:['’]re| are) coming with|"
        r"we(?:['’]d| would|['’]ve|['’]ll| will| have)? (?:come|came|be coming|arrive|go) with) "
        rf"{_MANY}(?! (?:euros?|dollars?|pounds?|kilos?|kg|bags?|cars?|dogs?|bikes?|bicycles?|hours?|minutes?))\b",
        rf"(?:^|, ){_MANY} times over\b|\b(?:each|all|both|every one) of us, {_MANY} (?:in all|in total|all told)\b"
        rf"|\bfor {_MANY},? (?:in all|in total|all told)(?=\s*(?:[,.;:?!]|$))",
        rf"\b{_MANY} would (?:be|cost|come)\b|\b(?:would|will) {_MANY} (?:be|cost|come)\b",
        rf"\b(?:what|how much) do {_MANY} (?:cost|weigh|hold|contain)\b",
        rf"\bhow much (?:are|is|would) {_MANY}(?=\s*(?:[?.!]|$))",
    )
)


def _of_the_scale_only(scale: Scale, expected: Expected) -> bool:
    """Whether the kind of figure was read off a word of another sense: "slower to charge" is no matter of money."""
    return bool(scale.question and expected.dimensions) and not scale.dimensions & expected.dimensions


def measured_on(scale: Scale) -> Expected:
    """The kind of figure by which things are compared on a scale whose dimensions are known."""
    return Expected("date" if scale.dimensions == {"date"} else "quantity", scale.dimensions)


def asked_in(question: str) -> ParsedQuestion:
    """What a question asks for, greetings and conditions included."""
    return with_condition(parse_clause(asking_clause(question)), question)


def with_condition(asked: ParsedQuestion, question: str) -> ParsedQuestion:
    """What is asked, with what the condition before it tells of it: "if I put it on a scale, what does it show"."""
    whole = whole_of(question)
    if whole.lower() == asked.core.lower() or not whole.lower().endswith(asked.core.lower()[-20:]):
        return asked
    told = measured_in(whole) if asked.expected.kind == "any" or asked.expected.dimensions == {"money"} else None
    about = asked.about if told is None or told.dimensions == asked.expected.dimensions else ()
    return replace(asked, whole=whole, expected=told or asked.expected, about=about)


def parse_clause(core: str) -> ParsedQuestion:
    """Everything that grammar alone tells about the asking clause."""
    said = _VOLUME.sub("it", core)
    expected, scale = expected_of(said), scale_of(said)
    low = core.lower()
    operation: Operation = "lookup"
    factor = None
    how_much_more = re.search(r"\b(?:how much|how many|by how much|by how many|how far)\b", low) and (
        scale is not None
        and re.search(r"\bhow (?:much|many)\s+(?:[a-z]+\s+)?(?:more|less|fewer|\w+er)\b|\bby how\b|\bthan\b", low)
        and not _AFTERWARDS.search(low)
    )
    if _RATIO.search(low):
        operation = "ratio"
    elif re.search(r"\b(?:difference|differ|apart|gap between)\b", low) or how_much_more:
        operation = "difference"
    elif _ALTOGETHER.search(_MAKE_UP.sub(" ", low)) and (
        expected.kind != "yesno" or _PAIR.search(low) or _OF_SEVERAL.search(low)
    ):
        operation = "sum"
    elif _AVERAGE.search(low) and re.search(
        r"\b(?:of (?:the|these|those|all|both|them)|between|two|three|four|five|both)\b", low
    ):
        operation = "mean"
    elif expected.kind == "yesno" and scale is not None and _CHOICE.search(low):  # "does this or that keep longer?"
        operation, expected = "compare", Expected()
    elif expected.kind == "yesno" or (TAG.search(core) and not re.search(rf"\b{WH}\b", low)):
        operation = "yesno"
        expected = Expected("yesno")
    elif scale is not None and (_CHOOSES.search(low) or _NAMES_ONE.search(low)) and not re.match(r"how\b", low):
        superlative = re.search(r"\b(?:most|least|fewest|\w+est)\b", low) and not re.search(r"\b(?:two|both|or)\b", low)
        operation = "superlative" if superlative else "compare"
    elif expected.kind == "age":
        operation = "age"
    if operation == "lookup" and expected.kind in ("quantity", "count") and _PAIR.search(low):
        operation = "sum"
    if operation in ("lookup", "sum", "yesno"):
        factor = factor_of(said)
        if factor and operation != "yesno":
            operation = "multiply"
    if (
        scale is not None
        and scale.dimensions
        and operation in ("compare", "superlative")
        and (expected.kind != "quantity" or _of_the_scale_only(scale, expected))
    ):
        expected = measured_on(scale)
    about = about_of(
        core, expected, scale if operation in ("compare", "superlative", "difference", "ratio", "yesno") else None
    )
    return ParsedQuestion(core, about, expected, operation, scale, factor, expected.unit)


__all__ = [
    "AnswerKind",
    "Expected",
    "Operation",
    "ParsedQuestion",
    "Scale",
    "asked_in",
    "expected_of",
    "factor_of",
    "measured_on",
    "parse_clause",
    "scale_of",
    "with_condition",
]
