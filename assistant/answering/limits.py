"""Held against a figure or a date in the question: "does it fit in 22 cm", "may 77 kg sit on it", "is it over 5 years".

Which measure of the thing counts is told by the words: its height for a shelf, what it bears for who sits on it.
"""

from __future__ import annotations

import re

from assistant.answering import compute
from assistant.answering.answer_kinds import Expected
from assistant.answering.compute import Measure
from assistant.answering.facts import FactFinder, measure
from assistant.answering.intents import Asked
from assistant.answering.keys import key_words
from assistant.answering.plan import Plan
from assistant.answering.results import Result, nothing, say
from assistant.answering.values import find_dates, find_quantities
from assistant.conversation import Evidence

_AT_LEAST = re.compile(
    r"\b(?:more|over|above|after|at least|exceeds?|longer|greater|bigger|larger|older|later|\w+er) (?:than|"
    r"of)?|\b(?:over|above|after|at least|since)\b",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"\b(?:less|fewer|under|below|before|within|at most|up to|shorter|smaller|cheaper|lighter|younger|"
    r"earlier|no more|enough|suffic\w+)\b|\b(?:fits?|go(?:es)?|stand|squeeze|sit)\b.{0,30}\b(?:in|into|inside|through|"
    r"on|under|between|of)\b",
    re.IGNORECASE,
)
_FITS = re.compile(
    r"\b(?:fits?|fitted|stands?|squeeze|go(?:es)? (?:in|into|on|onto|through|under|between|across|there)|enough|"
    r"room for|"
    r"space for|hang|hung|put up|park(?:ed)?|accommodated?|stow|lay|slide|pass (?:through|under|between)|(?:get|"
    r"put|place|"
    r"set|store|mount|"
    r"lay|bring|move) (?:it|this|that|the|these)\b.* (?:in|into|on|onto|through|under|there|up|inside|between|flat))\b",
    re.IGNORECASE,
)
#: What counts is how far it goes to the side, or from edge to edge of what is round.
_SIDEWAYS = re.compile(
    r"\b(?:narrow|across|width-?(?:wise|ways)|sideways|side to side|cm of wall|m of wall|gap|between (?:two|the)|"
    r"wall)\b",
    re.IGNORECASE,
)
_ROUND = re.compile(
    r"\b(?:round|diameter|hole|capsule|coin|ring|tube|recess|circular|(?:mm|cm) across)\b", re.IGNORECASE
)
_LENGTHWAYS = re.compile(
    r"\b(?:lengthw(?:ays|ise)|kerb|curb|quay|parking|parked?|garage|berth|mooring|lay-?by|jetty)\b", re.I
)
#: "if I dig 5 m down, do I reach it": how deep it lies is held against that.
_DUG = re.compile(
    r"\b(?:dig|digging|dug|shovels?|spades?|excavat\w*|drill(?:ed|ing)? down|(?:m|metres?|meters?|cm|"
    r"feet) (?:down|deep|below|"
    r"under(?:ground| the ground)?)|of the surface|below (?:the )?(?:ground|surface)|the depth)\b",
    re.IGNORECASE,
)
#: "it blows 30 km/h, can I fly it".
_WIND = re.compile(r"\b(?:wind\w*|blow\w*|breez\w*|gusts?|gust\w*|gale|storm\w*)\b", re.IGNORECASE)
#: "is it as heavy as 5 kg".
_SAME = re.compile(r"\b(?:same|equal|equally|identical|both|as \w+ as)\b", re.IGNORECASE)


#: What stands there goes in with its length, and what moves by itself into so much room.
_LEFT_IN = re.compile(r"\b(?:parking (?:space|bay|spot|place|lot)|berth|mooring|lay-?by)\b", re.IGNORECASE)
_ROOM = re.compile(
    r"\b(?:of|free|empty) (?:\w+ )?(?:room|space|kerb|curb|quay)\b.*"
    r"\b(?:bus|coach|tram|car|van|lorry|truck|boat|ship|ferry|tractor|caravan|camper|trailer|train)\b",
    re.IGNORECASE,
)


def _room(core: str, question: str) -> Asked:
    """Which measure of a thing counts for whether it fits: its height unless another way is named."""
    named = re.search(
        r"\b(wide|width|broad|deep|depth|long|length|lengthw(?:ays|ise)|widthw(?:ays|ise))\b", core, re.IGNORECASE
    )
    if _ROUND.search(question):
        asks = ("what is its diameter?", "how wide is it across?")
        return Asked(asks[0], asks, Expected("quantity", frozenset({"length"})), "multiply")
    if named is None and not re.search(r"\b(?:high|height|tall|upright|standing|headroom)\b", question, re.IGNORECASE):
        side = _SIDEWAYS.search(question) and not _LENGTHWAYS.search(question)
        named = (
            re.match(r"(w)", "width") if side else re.match(r"(l)", "length") if _LENGTHWAYS.search(question) else None
        )
        named = named or re.search(r"\b(wide|width|broad|long|length)\b", question, re.IGNORECASE)
    noun = {"w": "width", "b": "width", "d": "depth", "l": "length"}[named.group(1)[0].lower()] if named else "height"
    if named is None and (_LEFT_IN.search(core) or _ROOM.search(question)):
        noun = "length"
    how = {"width": "wide", "depth": "deep", "length": "long", "height": "tall"}[noun]
    # what stands in a deep place, a garage or a berth, goes in with its length
    other = "what is its length?" if noun == "depth" else f"how {how} is it?"
    question = f"what is its {noun}?"
    return Asked(question, (question, other), Expected("quantity", frozenset({"length"})), "multiply")


#: "my neighbour weighs 77 kg, may he sit on it": what it bears is held against that.
_BEARS = re.compile(
    r"\b(?:sits?|sat|stand|climb|lie|lean|step|ride|rides|rider|riding|jump|hop(?:ped|s)?|hold|bear|carry|take|support|balance|"
    r"cross|drive|approved|permitted|allowed|within the limit|rated|suitable|safe|fine|ok|okay|too heavy|break)\b",
    re.IGNORECASE,
)
#: Somebody's weight, and no thing's.
_SOMEBODYS_WEIGHT = re.compile(
    r"\b(?:i weigh|i(?:['’]m| am) \d|(?:person|people|somebody|someone|man|woman|rider|sitter|child|adult|user|"
    r"he|she|friend|uncle|"
    r"aunt|father|mother|brother|sister|cousin|who)\b.*\bkg|kg (?:person|man|woman|rider|person|on|sits?))",
    re.IGNORECASE,
)


#: What a statement of a load speaks of.
_BORNE = re.compile(
    r"\b(?:loads?|bear\w*|carr\w+|hold\w*|support\w*|max\w*|limit\w*|capacity|test\w*|withstand\w*|rated|rating|takes?|"
    r"users?|riders?|sitters?|persons?|people|up to|safe\w*|allow\w*|more than|heavier|over)\b",
    re.IGNORECASE,
)


_LOAD_THRESHOLD = 0.1


_OF_A_PART = re.compile(
    r"\b(?:sit|sits|sitting|seat|seats|wheels?|heel|clearance|keel|draught|draft|water ?line|arm ?rests?|"
    r"back ?rest|handles?)\b",
    re.IGNORECASE,
)


def _words(e: Evidence) -> str:
    return f"{key_words(e.key or '')} {e.text.replace('_', ' ')}"


def _speaks_of_load(e: Evidence) -> bool:
    words = _words(e)
    return bool(_BORNE.search(words)) and any(q.dimension == "mass" for q in find_quantities(words))


def _load(core: str) -> Asked:
    """How much weight a thing bears, not how much it has."""
    question = "how much weight can it bear?"
    return Asked(
        question, (question, "what is its maximum load?"), Expected("quantity", frozenset({"mass"})), "multiply"
    )


_IN_EXTENT = re.compile(r"(?<=m) in (?=(?:length|width|height|depth|diameter|breadth)\b)", re.IGNORECASE)


def _plainly(question: str, other: str, dimension: str) -> Asked:
    return Asked(question, (question, other), Expected("quantity", frozenset({dimension})), "multiply")


def limit_of(plan: Plan) -> Measure | None:
    """The figure or date in the question that the property is held against."""
    core = re.sub(
        r"\b(?:an?|one)\s+(?=(?:kilo|pound|metre|meter|litre|liter|foot|inch|mile|ounce|ton|tonne|gram|hour|"
        r"minute|day|week|month|year)\b)",
        "1 ",
        plan.asked.core,
    )
    core = _IN_EXTENT.sub(" ", core)  # "5 m in length" are no inches
    quantities, dates = find_quantities(core), find_dates(core)
    held = tuple(q for q in quantities if q.dimension in ("length", "mass", "speed") and _held_by(plan, q.dimension))
    quantities = held if len(held) == 1 else quantities  # "95 cm between two windows"
    comparing = _AT_LEAST.search(core) or _AT_MOST.search(core) or _SAME.search(core)
    if not quantities and _FITS.search(core):
        comparing = _FITS.search(core)
        quantities = tuple(q for q in find_quantities(plan.question) if q.dimension == "length")
    if not quantities and _BEARS.search(core):
        weights = [q for q in find_quantities(plan.question) if q.dimension == "mass"]
        comparing, quantities = _BEARS.search(core), tuple(weights) if len(weights) == 1 else ()
    if not quantities and plan.asked.scale is None:
        told = [q for q in find_quantities(plan.question) if q.dimension in ("length", "speed", "mass")]
        if len(told) == 1 and _held_by(plan, told[0].dimension):
            comparing, quantities = re.match("", ""), tuple(told)
    if quantities and not comparing and len(quantities) == 1 and _held_by(plan, quantities[0].dimension):
        comparing = re.match("", "")
    if quantities and all(q.dimension == "mass" for q in quantities):  # "can a 4 tonne lorry cross"
        comparing = comparing or _BEARS.search(core)
    if quantities and comparing:
        return Measure("", quantities[-1].text, quantity=quantities[-1])
    if dates and comparing:
        return Measure("", dates[-1].text, date=dates[-1])
    return None


def _held_by(plan: Plan, dimension: str) -> bool:
    """Whether the question, its condition with it, holds a figure of the kind against what the thing takes."""
    text = plan.question
    return bool(
        (dimension == "length" and (_FITS.search(plan.asked.core) or (_DUG.search(text) and _REACHED.search(text))))
        or (dimension == "speed" and _WIND.search(text))
        or (dimension == "mass" and _BEARS.search(text) and _SOMEBODYS_WEIGHT.search(text))
    )


_REACHED = re.compile(
    r"\b(?:reach(?:es|ed)?|get(?:ting)? (?:to|at|down)|got to|come (?:to|upon|across)|hit|find|within|lying|lay|"
    r"lies|far enough|"
    r"enough)\b",
    re.IGNORECASE,
)


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
    bare = Asked(stripped, plan.asked.about, expected, "lookup", plan.asked.scale)
    dimension = limit.quantity.dimension if limit.quantity else ""
    dug = dimension == "length" and bool(_DUG.search(plan.question) and _REACHED.search(plan.question))
    fits = bool(_FITS.search(core)) or (dimension in ("length", "speed") and _held_by(plan, dimension))
    if dug:
        bare = _plainly("at what depth was it found?", "how deep did it lie?", dimension)
    elif dimension == "length" and fits:
        bare = _room(stripped, plan.question)
    windy = dimension == "speed" and _WIND.search(plan.question) is not None
    if windy:
        bare = _plainly("what is the strongest wind for it?", "up to what wind can it be flown?", dimension)
    borne = dimension == "mass" and bool(_BEARS.search(core) or _held_by(plan, dimension))
    threshold = None
    if borne:  # among what speaks of a load at all: its own weight is none
        bare, threshold = _load(stripped), _LOAD_THRESHOLD
        finder = FactFinder(plan, [e for e in finder.evidence if _speaks_of_load(e)], finder.encode)
    elif fits and not dug and bare.core == "what is its height?":  # how high one sits is not how high it is
        finder = FactFinder(plan, [e for e in finder.evidence if not _OF_A_PART.search(_words(e))], finder.encode)
    fact = finder.fact(subject, bare, threshold)
    m = measure(fact) if fact else None
    pair = compute.common([m, limit]) if m else None
    if fact is None or m is None or pair is None:
        return nothing(plan, subject)
    if m.date and limit.date and limit.date.month is None and m.date.year == limit.date.year:
        return Result(reason=f"the year {m.date.year} is neither before nor after {limit.stated}")
    a, b = compute.size(pair[0]), compute.size(pair[1])
    borne = borne or windy  # what it takes is held against what comes
    below = not borne and (_AT_MOST.search(core) is not None or fits)
    if plan.asked.scale and plan.asked.scale.adjective and not fits and not borne:
        below = plan.asked.scale.sign <= 0
    inclusive = (
        borne
        or fits
        or bool(re.search(r"\b(?:at least|at most|up to|fits?|go|stand|squeeze|within|enough|suffic\w+)\b", core))
    )
    yes = (a <= b if inclusive else a < b) if below else (a >= b if inclusive else a > b)
    if pair[0].quantity and pair[0].quantity.low != pair[0].quantity.high and not compute.comparable(pair[0], pair[1]):
        return Result(reason=f"{m.stated} lies on both sides of {limit.stated}")
    return Result(f"{'Yes' if yes else 'No'}: {say(fact, plan)}", fact.ids, fact.note)
