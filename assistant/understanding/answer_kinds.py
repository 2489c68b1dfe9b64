"""Kinds of answers, and turns of phrase that tell them by themselves: on scales, from end to end, behind schedule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

AnswerKind = Literal[
    "any", "quantity", "count", "date", "clock", "age", "person", "place", "colour", "yesno", "reason", "name"
]

#: "if I put it on a scale, what would it show".
_ON_SCALES = re.compile(
    r"\b(?:(?:on|onto) (?:a|the|my|our|some|one) (?:\w+ )?(?:scales?|weighbridge)|"
    r"(?:would|do|does|will) (?:the|my|a) (?:\w+ )?scales? (?:say|show|read|tell))\b"
)
_FROM_END_TO_END = re.compile(
    r"\b(?:(?:side|edge|end|tip|top|bottom|head|front|rim|bank|wall|nose) to "
    r"(?:side|edge|end|tip|top|bottom|tail|toe|back|rim|bank|wall|the other)|from the ground up|all the way round)\b"
)
#: "from the ground to the shoulder, how much is it".
_FROM_TO = re.compile(
    r"^from (?:the|its) (?!start|beginning|first|year|day)[a-z]+ to (?:the|its) (?!end|finish|last|year|day)[a-z]+\b"
)
#: "if I measured the leaf", not "measured its temperature".
_MEASURED = re.compile(
    r"^if (?:i|we|you|one) (?:would |were to )?measured?\b"
    r"(?!.*\b(?:heat|temperature|speed|volume|noise|pressure|voltage|current|weight|time|light|angle)\b)"
)
#: "how old do they become" asks for a span, not since when.
_LIFESPAN = re.compile(
    r"\bhow old (?:do|does|did|can|could|will|would|may|might) .*\b(?:become|get|grow|live|be|reach|last|end up)\b"
)
#: "how far behind schedule is it".
_LATENESS = re.compile(
    r"\bhow (?:far|much|long|badly) (?:behind|ahead of|off|over) (?:schedule|time|the timetable|plan)\b"
)
#: "how big is the staff": people and pieces are counted.
_HEADS = re.compile(
    r"\bhow (?:big|large|small|strong|numerous) (?:is|was|are|were) (?:(?:the|its|their|his|her|this|that) )?(?:\w+ )?"
    r"(?:staff|workforce|crew|team|fleet|edition|print run|population|membership|audience|circulation|litter|flock|"
    r"herd|colony|congregation|following|payroll)\b"
    r"|\bhow (?:big|large|small|strong) an? (?:staff|workforce|crew|team|fleet|edition|print run|population|membership|"
    r"audience|circulation|litter|flock|herd)\b|\bhow full\b.*\b(?:persons|people|visitors|guests|heads)$"
)
#: "how far may I turn down the heating": so many degrees.
_HEATING = re.compile(
    r"\bhow (?:far|low|high|much|far down|far up|hot|cold|warm) (?:may|can|could|should|must|do|would) "
    r"(?:i|we|you|one|they) (?:turn|set|put|crank|keep|have) (?:(?:up|down) )?(?:the|my|its) "
    r"(?:\w+ )?(?:heating|heater|thermostat|oven|temperature|radiators?|fridge|freezer)\b"
)
#: "how old is its charter, what year?"
_LAST_DATE = re.compile(r", (?:(?:in|on|from|since) )?(?:what|which) (?:exact )?(?:year|date|month|decade|century)$")


@dataclass(frozen=True)
class Expected:
    """The kind of answer asked for. `dimensions` that a quantity may have; `noun` what is counted; `unit` to
    convert to.
    """

    kind: AnswerKind = "any"
    dimensions: frozenset[str] = frozenset()
    noun: str = ""
    unit: str = ""


def measured_in(clause: str) -> Expected | None:
    """The figure that a way of measuring asks for: on scales a weight, from end to end a length."""
    low = clause.lower()
    if _ON_SCALES.search(low):
        return Expected("quantity", frozenset({"mass"}))
    if _MEASURED.search(low):
        return Expected("quantity", frozenset({"length"}))
    if _FROM_TO.search(low) and re.search(r"\bhow (?:much|far)\b", low):
        return Expected("quantity", frozenset({"length"}))
    if _FROM_END_TO_END.search(low) and re.search(r"\bhow (?:much|far|many)\b|\bmeasure", low):
        return Expected("quantity", frozenset({"length"}))
    return None


def told_by_phrase(low: str, unit: str = "") -> Expected | None:
    """The kind that a single phrase of a clause in lower case tells; `unit` is what is to be converted to."""
    if _LAST_DATE.search(low):
        return Expected("date", frozenset({"date"}))
    if _LIFESPAN.search(low) or _LATENESS.search(low):
        return Expected("quantity", frozenset({"time"}), unit=unit)
    if _HEATING.search(low):
        return Expected("quantity", frozenset({"temperature"}), unit=unit)
    if _HEADS.search(low):
        return Expected("count", frozenset({"count", ""}), unit=unit)
    return None
