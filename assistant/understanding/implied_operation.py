"""What a question wants done where its grammar does not say: a sum, a list or a choice, by `classifiers.calculation`.

Patterns tell most questions apart and say at once what is added up or compared; the model tells those that no pattern
has, "could you total the price for everything in the series", and vetoes those that a pattern takes for what they are
not. It is believed only where it is sure.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.text.english import word_set
from assistant.understanding.classifiers.calculation import calculation_kinds
from assistant.understanding.intent import Expected, ParsedQuestion, expected_of, measured_on

#: So probably of a kind is sure.
SURE = 0.8
#: So improbably of a kind, it is not of that kind.
_HARDLY = 0.2
#: What concerns all that form a group.
OF_GROUPS = ("sum_group", "members", "count_members")
#: Kinds of questions that ask a thing's property.
_OF_A_PROPERTY = ("plain", "count", "contains")
_OR = re.compile(r"\bor\b", re.IGNORECASE)
#: "together with the lid", "the lid and the handle": what is added up may be two parts of one.
_WITH = re.compile(r"\b(?:together|along|combined) with\b|\bplus\b|\band\b", re.IGNORECASE)
#: Words of a question for a sum that do not say what is added up.
_ADDING = word_set(
    "what's that's it's here's could can would will you please i we me us what how much many does do did is are was "
    "were be have has got get make makes give tell say come comes up to total totals sum sums add adds added adding "
    "combined combine all each every one everything everyone lot whole entire complete full altogether together "
    "taking taken put in of for over across on with and the a an it its that this these those they them their if so "
    "also too as well just at by figure number amount count counted counting"
)


def of_group(text: str, asked: ParsedQuestion) -> str:
    """What the question wants of a group as a whole, one of `OF_GROUPS`; "" where that is not sure."""
    kinds = calculation_kinds(text, asked)
    return next((k for k in OF_GROUPS if kinds.get(k, 0.0) >= SURE), "")


def as_choice_of_two(asked: ParsedQuestion, text: str) -> ParsedQuestion:
    """ "is this tower more expensive, or the other one?": a choice and no question for yes or no."""
    if asked.operation != "yesno" or asked.scale is None or not _OR.search(asked.core):
        return asked
    if re.search(r"\bthan\b.*\bor\b|\bor (?:not|no|more|less)\b|\byes or no\b", asked.core, re.IGNORECASE):
        return asked
    if calculation_kinds(text, asked).get("compare", 0.0) < SURE:
        return asked
    expected = measured_on(asked.scale) if asked.scale.dimensions else Expected()
    return replace(asked, operation="compare", expected=expected)


def of_one(asked: ParsedQuestion, text: str) -> ParsedQuestion:
    """ "where do they put it together?": a property of the one thing that the question is about, and no sum."""
    if _WITH.search(asked.core):
        return asked
    if asked.operation in ("sum", "mean") and asks_property(text, asked, "sum_group", "times", "share"):
        return replace(asked, operation="lookup")
    return asked


def added_up(asked: ParsedQuestion, text: str, phrase: str) -> ParsedQuestion:
    """The question put as a sum over a group that is spoken of by `phrase`; `text` is all that was said, which tells
    what is added where the clause that asks does not: "if I add up the seats of the fleet, what is it?".
    """

    def left(said: str) -> str:
        words = re.sub(r"[^\w'’ -]", " ", said.replace(phrase, " ")).split()
        return " ".join(w for w in words if w.lower().replace("’", "'") not in _ADDING)

    if not (bare := left(asked.core)) and (bare := left(text)):
        asked = replace(asked, core=f"what is its {bare}?", whole="")
    expected = asked.expected
    if expected.kind in ("yesno", "any", "name", "reason"):
        expected = expected_of(f"what is its {bare}?") if bare else Expected()
    if expected.kind == "any":
        expected = Expected("quantity")  # words add up to nothing
    about = (f"what is its {bare}?",) if bare and len(bare.split()) <= _FEW else ()
    return replace(asked, operation="sum", expected=expected, about=tuple(dict.fromkeys((*asked.about, *about))))


#: What is left of a question about a sum is a property's name when it has no more words.
_FEW = 4


def asks_property(text: str, asked: ParsedQuestion, *others: str) -> bool:
    """Whether the question is surely about a property of a thing and of none of the `others` ("name", "read")."""
    kinds = calculation_kinds(text, asked)
    told = sum(kinds.get(k, 0.0) for k in _OF_A_PROPERTY)
    return told >= SURE and all(kinds.get(k, 0.0) < _HARDLY for k in others)
