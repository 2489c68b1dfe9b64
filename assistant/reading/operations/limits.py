"""Held against a figure or a date in the question: "does it fit in 22 cm", "may 77 kg sit on it", "is it over 5 years".

Which measure of the thing counts is told by the words: its height for a shelf, what it bears for who sits on it.
"""

from __future__ import annotations

import re

from assistant.core.types import Evidence
from assistant.reading.fact_finder import FactFinder, measure
from assistant.reading.results import Result, abstain, state_fact
from assistant.text import arithmetic
from assistant.text.arithmetic import Measure
from assistant.text.attribute_keys import key_words
from assistant.text.values import find_dates, find_quantities
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.plan import Plan

_AT_LEAST = re.compile(
    r"\b(?:more|over|above|after|at least|exceeds?|longer|greater|bigger|larger|older|later) (?:than|"
    r"of)?|\b(?!(?:rather|other)\b)\w+er than\b|\b(?:over|above|after|at least|since)\b",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"\b(?:less|fewer|under|below|before|within|at most|up to|shorter|smaller|cheaper|lighter|younger|"
    r"earlier|no more|enough|suffic\w+)\b|\b(?:fits?|go(?:es)?|stand|squeeze|sit)\b.{0,30}\b(?:in|into|inside|through|"
    r"on|under|between|of)\b",
    re.IGNORECASE,
)
_FITS = re.compile(
    r"\b(?:fits?|stand|squeeze|go(?:es)? in(?:to)?|gets? in(?:to)?|enough|room for|space for)\b"
    r"|\b(?:hang|hung|park(?:ed)?|lay|laid|slide|push|stow(?:ed)?|mount(?:ed)?|fasten(?:ed)?)\b.*"
    r"\b(?:in|into|inside|under|beneath|between|where|there|on|onto|behind|through)\b",
    re.IGNORECASE,
)
#: "is it too wide for 40 cm", "is 120 kg too much for it".
_TOO = re.compile(
    r"\btoo (?:much|many|heavy|big|large|wide|broad|long|tall|high|deep|thick|fat|bulky)\b", re.IGNORECASE
)
#: "is it as heavy as 5 kg".
_SAME = re.compile(r"\b(?:same|equal|equally|identical|both|as \w+ as)\b", re.IGNORECASE)


#: "may I fly it in 40 km/h of wind": what it withstands, or needs.
_WIND = re.compile(r"\b(?:winds?|windy|breezes?|gales?|storms?|stormy|gusts?|blows?|blowing)\b", re.IGNORECASE)
_NEEDS = re.compile(
    r"\b(?:enough|sufficient|suffices?|too (?:little|weak|calm|low)|at least|already|lift off|take off)\b", re.I
)


def _wind(core: str) -> ParsedQuestion:
    asks = "how much wind does it need at least?" if _NEEDS.search(core) else "how much wind may there be at most?"
    other = "what is its minimum wind?" if _NEEDS.search(core) else "what is its maximum wind?"
    return ParsedQuestion(asks, (asks, other), Expected("quantity", frozenset({"speed"})), "multiply")


def _across() -> ParsedQuestion:
    about = ("what is its diameter?", "how big across is it?")
    return ParsedQuestion(about[0], about, Expected("quantity", frozenset({"length"})), "multiply")


#: What stands there goes in with its length, and what moves by itself into so much room.
_LEFT_IN = re.compile(
    r"\b(?:parking (?:space|bay|spot|place|lot)|berth|mooring|lay-?by|kerb|curb|quay|driveway|carport|garage|slip)\b",
    re.IGNORECASE,
)
_VEHICLE = re.compile(
    r"\b(?:bus|coach|tram|car|van|lorry|truck|boat|ship|ferry|tractor|caravan|camper|trailer|train|motorbike)\b"
    r"(?! (?:boot|roof|seat|park))",
    re.IGNORECASE,
)
_ROOM = re.compile(
    r"\b(?:of|free|empty) (?:\w+ )?(?:room|space|kerb|curb|quay)\b.*"
    r"\b(?:bus|coach|tram|car|van|lorry|truck|boat|ship|ferry|tractor|caravan|camper|trailer|train)\b",
    re.IGNORECASE,
)


#: Which way it has to fit, and in which nouns that is told.
_WAY = re.compile(
    r"\b(?:(?P<w>wide|width|broad|narrow|widthw(?:ays|ise)|(?:left|right) to (?:left|right)|side to side)"
    r"|(?P<d>deep|depth)"
    r"|(?P<o>diameter|across|round (?:hole|hollow|opening|frame|case|box)|hole|hollow)"
    r"|(?P<l>long|length|lengthw(?:ays|ise)|(?:front|back|end) to (?:front|back|end))"
    r"|(?P<h>high|height|tall|upright|standing up|low|under|beneath|below|board to board|top to bottom|"
    r"bottom to top))\b",
    re.IGNORECASE,
)
_NOUNS = {"w": "width", "d": "depth", "o": "diameter", "l": "length", "h": "height"}
#: "how long", "as long as": no way to fit.
_AROUND = re.compile(
    r"\bhow (?:long|high|wide|deep|tall)\b|\bas (?:long|far) as\b|\b(?:no|any) longer\b", re.IGNORECASE
)


def _room(core: str, question: str) -> ParsedQuestion:
    """Which measure of a thing counts for whether it fits: its height unless another way is named."""
    named = _WAY.search(core) or _WAY.search(_AROUND.sub(" ", question))
    noun = _NOUNS[next(k for k, v in named.groupdict().items() if v)] if named else "height"
    if named is None and (_LEFT_IN.search(question) or _ROOM.search(question) or _VEHICLE.search(core)):
        noun = "length"
    how = {"width": "wide", "depth": "deep", "length": "long", "height": "tall", "diameter": "big across"}[noun]
    # what stands in a deep place, a garage or a berth, goes in with its length
    other = "what is its length?" if noun == "depth" else f"how {how} is it?"
    question = f"what is its {noun}?"
    return ParsedQuestion(question, (question, other), Expected("quantity", frozenset({"length"})), "multiply")


#: "my neighbour weighs 77 kg, may he sit on it": what it bears is held against that.
_BEARS = re.compile(
    r"\b(?:sits?|stand|climb|lie|lean|step|rides?|jump|hold|bear|carry|takes?|support|balance|cross|drive|strong|sturdy|"
    r"stable|robust|solid|cope|manage|allowed|permitted|(?:made|meant|built) for|person|rider|"
    r"(?:all right|alright|ok|okay|fine|safe|too much|too heavy) (?:for|on|with))\b",
    re.IGNORECASE,
)


#: What a statement of a load speaks of.
_BORNE = re.compile(
    r"\b(?:loads?|bear\w*|carr\w+|hold\w*|support\w*|max\w*|limit\w*|capacity|test\w*|withstand\w*|rated|rating|takes?|"
    r"users?|riders?|sitters?|persons?|people|up to|safe\w*|allow\w*|more than|heavier|over)\b",
    re.IGNORECASE,
)


_LOAD_THRESHOLD = 0.1


def speaks_of_load(e: Evidence) -> bool:
    """Whether the evidence tells what a thing bears."""
    words = f"{key_words(e.key or '')} {e.text.replace('_', ' ')}"
    return bool(_BORNE.search(words)) and any(q.dimension == "mass" for q in find_quantities(words))


def _load(core: str) -> ParsedQuestion:
    """How much weight a thing bears, not how much it has."""
    question = "how much weight can it bear?"
    return ParsedQuestion(
        question, (question, "what is its maximum load?"), Expected("quantity", frozenset({"mass"})), "multiply"
    )


def limit_of(plan: Plan) -> Measure | None:
    """The figure or date in the question that the property is held against."""
    core = re.sub(
        r"\b(?:an?|one)\s+(?=(?:kilo|pound|metre|meter|litre|liter|foot|inch|mile|ounce|ton|tonne|gram|hour|"
        r"minute|day|week|month|year)\b)",
        "1 ",
        plan.asked.core,
    )
    quantities, dates = find_quantities(core), find_dates(core)
    comparing = _AT_LEAST.search(core) or _AT_MOST.search(core) or _SAME.search(core) or _TOO.search(core)
    if quantities and not comparing and all(q.dimension == "length" for q in quantities):
        comparing = _FITS.search(core)
    winds = [q for q in find_quantities(plan.question) if q.dimension == "speed"] if _WIND.search(plan.question) else []
    if len(winds) == 1:
        comparing, quantities = _WIND.search(plan.question), tuple(winds)
    if not quantities and (_FITS.search(core) or _TOO.search(core)):
        comparing = _FITS.search(core) or _TOO.search(core)
        quantities = tuple(q for q in find_quantities(plan.question) if q.dimension == "length")
    if not quantities and _BEARS.search(core):
        weights = [q for q in find_quantities(plan.question) if q.dimension == "mass"]
        comparing, quantities = _BEARS.search(core), tuple(weights) if len(weights) == 1 else ()
    if quantities and all(q.dimension == "mass" for q in quantities):  # "can a 4 tonne lorry cross"
        comparing = comparing or _BEARS.search(core)
    if quantities and comparing:
        return Measure("", quantities[-1].text, quantity=quantities[-1])
    if dates and comparing:
        return Measure("", dates[-1].text, date=dates[-1])
    return None


def against_limit(plan: Plan, finder: FactFinder, limit: Measure) -> Result:
    core, subject = plan.asked.core, plan.subjects[0]
    if limit.quantity:
        dims = frozenset({limit.quantity.dimension})
        expected = Expected(
            "count" if dims <= {"count", ""} else "quantity",
            dims | ({""} if dims <= {"count", ""} else frozenset()),
            noun=limit.quantity.unit if "count" in dims else "",
        )
    else:
        expected = Expected("date", frozenset({"date"}))
    stripped = core.replace(limit.stated, " ")
    bare = ParsedQuestion(stripped, plan.asked.about, expected, "lookup", plan.asked.scale)
    if limit.quantity and limit.quantity.dimension == "length" and _FITS.search(core):
        bare = _room(stripped, plan.question)
    borne = bool(limit.quantity and limit.quantity.dimension == "mass" and _BEARS.search(core))
    threshold = None
    if borne:  # among what speaks of a load at all: its own weight is none
        bare, threshold = _load(stripped), _LOAD_THRESHOLD
        finder = FactFinder(plan, [e for e in finder.evidence if speaks_of_load(e)], finder.encode)
    elif limit.quantity and limit.quantity.dimension == "speed" and _WIND.search(plan.question):
        bare = _wind(core)
    fact = finder.fact(subject, bare, threshold)
    if fact is None and bare.about[:1] == ("what is its width?",):  # what is round has no width
        fact = finder.fact(subject, _across(), threshold)
    m = measure(fact) if fact else None
    pair = arithmetic.common([m, limit]) if m else None
    if fact is None or m is None or pair is None:
        return abstain(plan, subject)
    if m.date and limit.date and limit.date.month is None and m.date.year == limit.date.year:
        return Result(reason=f"the year {m.date.year} is neither before nor after {limit.stated}")
    a, b = arithmetic.size(pair[0]), arithmetic.size(pair[1])
    below = not borne and (_AT_MOST.search(core) is not None or _FITS.search(core) is not None)
    if plan.asked.scale and plan.asked.scale.adjective and not _FITS.search(core) and not borne:
        below = plan.asked.scale.sign <= 0
    inclusive = borne or bool(
        re.search(r"\b(?:at least|at most|up to|fits?|go|stand|squeeze|within|enough|suffic\w+)\b", core)
    )
    yes = (a <= b if inclusive else a < b) if below else (a >= b if inclusive else a > b)
    if _TOO.search(core):
        yes = a < b if borne else a > b
    if bare.about[1:] in (("what is its minimum wind?",), ("what is its maximum wind?",)):
        yes = a <= b if "minimum" in bare.about[1] else a >= b
        yes = yes != bool(
            _TOO.search(core) or re.search(r"\btoo (?:little|weak|calm|low|strong)\b", core, re.IGNORECASE)
        )
    if (
        pair[0].quantity
        and pair[0].quantity.low != pair[0].quantity.high
        and not arithmetic.comparable(pair[0], pair[1])
    ):
        return Result(reason=f"{m.stated} lies on both sides of {limit.stated}")
    return Result(f"{'Yes' if yes else 'No'}: {state_fact(fact, plan)}", fact.ids, fact.note)
