"""Room, strength and weather: "I've 40 cm of height, does it go in there", "may somebody of 90 kg use it", "is 30 km/h
of wind too much for it", "would a hole 20 m deep reach it".

The question brings the one figure that is held against a measure of the thing, wherever it stands; which measure counts
is told by the words around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.core.types import Evidence
from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.operations.limits import speaks_of_load
from assistant.reading.results import Result, abstain, state_fact
from assistant.reading.scoring.extents import of_another_side
from assistant.reading.scoring.measures import bare_question, quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.arithmetic import Measure
from assistant.text.attribute_keys import key_words
from assistant.text.english import negated
from assistant.text.values import Quantity, find_quantities
from assistant.understanding.plan import Plan

_LEAST = 0.3
_LEAST_LIMIT = 0.1
_TOO = re.compile(
    r"\btoo (?:big|large|tall|high|wide|broad|long|deep|heavy|much|strong|windy|fast|rough|small|narrow|short|"
    r"low|tight)\b",
    re.IGNORECASE,
)
_FITS = re.compile(
    r"\b(?:fits?|go(?:es)? (?:in|into|on|through|under|between|there|here)|get (?:it |this |"
    r"that )?(?:\w+ ){0,4}?(?:in|into|through|"
    r"under)|hangs?|stands?|slips?|squeezes?|slides?|puts?|park|place|(?:big|tall|wide|long|high|short|low|"
    r"narrow|small|large|deep) "
    r"enough|enough (?:for|room|space)|(?:room|space) (?:for|enough)|suffic\w+|do for|too (?:big|large|tall|"
    r"high|wide|broad|long|deep|"
    r"small|narrow|short|low|tight))\b",
    re.IGNORECASE,
)
#: Which way it must go in, in the order in which the words count.
_AXES = (
    (
        re.compile(
            r"\b(?:diameter|round|capsule|holder|ring|hole)\b|\bmm (?:across|box|case|frame|hole)\b", re.IGNORECASE
        ),
        ("what is its diameter?", "how wide is it across?"),
    ),
    (
        re.compile(
            r"\b(?:high|height|tall|headroom|bottom to top|top to bottom|between the (?:boards|shelves)|shelf|"
            r"clearance|ceiling|"
            r"short enough for)\b(?!.*\b(?:parking|bay|berth|kerb|curb)\b)",
            re.IGNORECASE,
        ),
        ("what is its height?", "how tall is it?"),
    ),
    (
        re.compile(r"\b(?:wide|width|broad|across|apart|side to side|wall|between the|sideways)\b", re.IGNORECASE),
        ("what is its width?", "how wide is it?"),
    ),
    (re.compile(r"\b(?:deep|depth)\b", re.IGNORECASE), ("what is its depth?", "what is its length?")),
    (
        re.compile(
            r"\b(?:long|length|lengthw(?:ays|ise)|parking|park|bay|spot|kerb|curb|berth|mooring|garage|gap|"
            r"space|quay)\b",
            re.IGNORECASE,
        ),
        ("what is its length?", "how long is it?"),
    ),
)
_DIGS = re.compile(
    r"\b(?:dig|digs|digging|dug|shaft|trench|borehole|pit|mine|under ?ground|below (?:the )?(?:ground|surface)|"
    r"under the (?:ground|surface|earth)|(?:hole|down)\b.*\b(?:reach\w*|get (?:down )?(?:to|at)|"
    r"got (?:down )?(?:to|at)))\b",
    re.IGNORECASE,
)
_WIND = re.compile(r"\b(?:winds?|windy|gusts?|breezes?|blow(?:s|ing)?|gale|storm)\b", re.IGNORECASE)
#: Whether there is enough of it to fly is another limit.
_WIND_NEEDED = re.compile(
    r"\b(?:enough|sufficient|suffices?|too (?:little|weak|calm|low)|at least|lift off|take off)\b", re.IGNORECASE
)
_LEAST_WIND = re.compile(r"\b(?:min\w*|at least|from|starts?|lifts? off|needs?)\b", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:i|he|she|you|man|woman|person|persons|somebody|someone|anybody|rider|riders|adult|child|uncle|aunt|"
    r"brother|sister|father|"
    r"mother|dad|mum|neighbour|friend|guest|people|weigh|weighs|weighing)\b",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\b(?:sit|sits|stand|climb|lie|lean|step|rides?|riding|jump|hold|holds|bear|bears|carry|carries|takes?|"
    r"support|supports|use|"
    r"uses|on (?:it|this|that|the)|alright|all right|ok|okay|safe|safely|fine|strong enough|sturdy|allowed|"
    r"too heavy|within|"
    r"for (?:it|this|that))\b",
    re.IGNORECASE,
)
#: "is it taller than 40 cm", "does it stand 40 cm tall": its own measure is asked for.
_NO_ROOM = re.compile(
    r"\bthan\b|\b(?:stands?|measures?|is (?:it|this|that)) (?:about |roughly |only |just |really )?\d", re.IGNORECASE
)
_ITS_OWN = re.compile(
    r"\b(?:does|do|did) (?:it|this|that) weigh|\bweigh (?:more|less)\b|\b(?:heavier|lighter) than\b", re.IGNORECASE
)


@dataclass(frozen=True)
class _Held:
    """What the figure of the question is held against."""

    wordings: tuple[str, ...]
    dimension: str
    evidence: list[Evidence]
    least: float
    #: Whether the thing's own figure must not be more (a size), or must not be less (what it bears).
    size: bool


def room_for(plan: Plan, finder: FactFinder) -> Result | None:
    """Yes or no for the one figure of the question; None when the question asks for no such thing."""
    asked = plan.asked
    if asked.operation not in ("yesno", "lookup", "compare", "difference", "list") or re.search(
        r"\bhow\b", asked.core, re.I
    ):
        return None
    if asked.operation != "yesno" and (not _YES_OR_NO.search(plan.question) or _ASKS_WHAT.search(asked.core)):
        return None
    figures = [
        q for q in find_quantities(plan.question) if q.dimension in ("length", "mass", "speed") and q.low == q.high
    ]
    if len(figures) != 1 or _NO_ROOM.search(plan.question):
        return None
    held = _held(plan, finder, figures[0])
    if held is None:
        return None
    found = _fact(plan, finder, held)
    pair = arithmetic.common([found[1], Measure("", figures[0].text, quantity=figures[0])]) if found else None
    if found is None or pair is None or not arithmetic.comparable(pair[0], pair[1]):
        return abstain(plan, plan.subjects[0])
    own, given = arithmetic.size(pair[0]), arithmetic.size(pair[1])
    within = own <= given if held.size else given <= own
    denied = negated(_NO_DENIAL.sub(" ", asked.core))
    yes = (within != (_TOO.search(plan.question) is not None)) != denied
    return Result(f"{'Yes' if yes else 'No'}: {state_fact(found[0], plan)}", found[0].ids, found[0].note)


#: "without tearing it" and "…, doesn't it?" deny nothing of what is asked.
_NO_DENIAL = re.compile(r"\bwithout [a-z]+ing\b|,\s*[a-z]+n['’]t (?:it|he|she|they|i|we|that|this)\s*\??\s*$", re.I)
_ASKS_WHAT = re.compile(r"\b(?:what|which|who|whose|where|when|why)\b", re.IGNORECASE)
_YES_OR_NO = re.compile(
    r"\b(?:enough|(?:can|could|may|might|would|will|does|do|is|am|are|was) (?:i|we|he|she|it|they|this|that|the|"
    r"somebody|someone)\b)",
    re.IGNORECASE,
)


def _held(plan: Plan, finder: FactFinder, figure: Quantity) -> _Held | None:
    own = [e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()]
    question = plan.question
    if figure.dimension == "speed":
        if not _WIND.search(question) or _WIND_NEEDED.search(question):
            return None
        told = [e for e in own if _WIND.search(_words(e)) and not _LEAST_WIND.search(_words(e))]
        return _Held(
            ("what is the most wind it can take?", "what is its maximum wind?"), "speed", told, _LEAST_LIMIT, False
        )
    if figure.dimension == "mass":
        if _ITS_OWN.search(question) or not (
            (_PERSON.search(question) or _TOO.search(question)) and _USES.search(question)
        ):
            return None
        told = [e for e in own if speaks_of_load(e)]
        return _Held(("how much weight can it bear?", "what is its maximum load?"), "mass", told, _LEAST_LIMIT, False)
    if _DIGS.search(question):
        return _Held(("at what depth was it found?", "how deep does it lie?"), "length", own, _LEAST, True)
    axis = next((about for pattern, about in _AXES if pattern.search(question)), None)
    if axis is None or not _FITS.search(question):
        return None
    told = [e for e in own if not of_another_side(_words(e), axis) or "diameter" in axis[0]]
    return _Held(axis, "length", told, _LEAST, True)


def _fact(plan: Plan, finder: FactFinder, held: _Held) -> tuple[Fact, Measure] | None:
    among = FactFinder(plan, held.evidence, finder.encode)
    asked = bare_question(held.wordings[0], held.dimension, *held.wordings[1:])
    fact = quantity_fact(among, plan.subjects[0], asked, held.least) if held.evidence else None
    value = wanted_measure(fact) if fact else None
    if fact is None or value is None or value.quantity is None:
        return None
    return fact, value


def _words(e: Evidence) -> str:
    return f"{key_words(e.key)}: {e.text}".replace("_", " ") if e.key else e.text
