"""A figure so many times, where the question says outright how often: "9 of these", "7 goes of it", "filled 3 times",
"one each for 5 children".

The figure is asked for as for a single one, in what is left of the question without the number; what is divided, or
told for so many already, is not multiplied.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result, abstain, state_fact
from assistant.reading.scoring.measures import NO_PRICE, bare_question, quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.english import content_stems, is_plural, shared
from assistant.text.units import unit_of
from assistant.text.values import Quantity, number_of
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.clause import asking_clause
from assistant.understanding.intent import ParsedQuestion, parse_clause
from assistant.understanding.multiplicity import NUMBER, Several, wanted_count
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.phrases import pointing_left_out
from assistant.understanding.property_queries import PLAIN_AMOUNTS

_LEAST = 0.3
#: Words that add up and name nothing.
_TOTAL = re.compile(
    r"\b(?:altogether|(?:all )?together|in all|all in all|all told|in total|in sum|overall|combined|(?:the |"
    r"a )?(?:grand )?"
    r"totals?(?: (?:of|for|on|from))?|(?:the )?sum of|add(?:s|ed)? up|amounts? to|come(?:s)? to)\b,?",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"\b(?:costs?|prices?|pay|paid|spend|bill|till|fares?|fees?|charged|euros?|money|expensive|cheap|set (?:me|"
    r"us) back|buy|"
    r"owe|worth)\b",
    re.IGNORECASE,
)
#: What is paid for one at a time.
_PAID = re.compile(r"ticket|single|night|ride|trip|journey|crossing", re.IGNORECASE)
_OVERNIGHT = re.compile(r"\b(?:nights?|nightly|overnight|berths?|moor\w+|stay|daily|a day|per day)\b", re.IGNORECASE)
#: What holds so many of the thing.
_HOLDS = frozenset(("sheet",))
#: How many stand at what distance is another matter.
_IN_A_ROW = re.compile(
    r"\b(?:(?<!in a )rows?|lines?|hedges?|spac\w+|apart|gaps?|distance|side by side|along)\b", re.IGNORECASE
)
_ONE_AFTER_ANOTHER = re.compile(r"\b(?:times|twice|thrice|one after)\b", re.IGNORECASE)
#: "I asked 3 times now: how tall is it?"
_ITS_OWN = re.compile(
    r"\bhow (?:tall|wide|high|deep|big|large|thick|fast|hot|old|heavy) (?:is|was) (?:it|this|that|the)\b", re.I
)
_AT_ONCE = re.compile(
    r"\b(?:cook|boil|bake|roast|dry|brew|steep|soak|charge|ripen|freeze|thaw|hatch|grow|germinate|keep|"
    r"last)(?:s|ed|ing)?\b(?! (?:\w+ )?busy)",
    re.IGNORECASE,
)
_FIXED = frozenset({"power", "speed", "temperature", "angle", "percent", "frequency", "loudness"})
_SPAN_ASKED = re.compile(
    r"\bin time\b|\bhow long(?! is| are|['’]s (?:the|a))\b|\b(?:total|how much) time\b|\btime (?:do|does|will|"
    r"would|in all)\b",
    re.IGNORECASE,
)
_DAILY = re.compile(
    r"\b(?:a|per|each|every)[ _](?P<unit>day|night|week)\b|/(?P<sign>day|d)\b|\b(?P<ly>dai|night|week)ly\b", re.I
)
_DAYS = {"day": 1.0, "night": 1.0, "week": 7.0, "fortnight": 14.0}
#: "making 8 of it keeps her busy for how many hours".
_DOING = re.compile(r"[a-z]{3,}ing it\b", re.IGNORECASE)
_LEFT_WORDS = frozenset(
    content_stems(
        "one each kid kids child children time number get have made make making buy want take need say come add sum "
        "party fill full if count what's that's i'd i'll we'd each us"
    )
)
_UNITS_FIRST = {"time": ("how long does it take?", "how long does one take?"), "mass": PLAIN_AMOUNTS["mass"][:1]}


def multiply_by_count(plan: Plan, finder: FactFinder) -> Result | None:
    """ "9 of these, panels altogether", "if I fill it 3 times how many litres is that"."""
    asked = plan.asked
    if asked.operation not in ("lookup", "multiply", "list", "sum", "identify") or plan.group is not None:
        return None
    found = wanted_count(plan.question)
    if found is None or asked.expected.kind in ("person", "place", "date", "age", "colour"):
        return None
    if any(number_of(w) not in (None, 1) for w in re.findall(r"[\w.,-]*\d[\w.,-]*", found.rest)):
        return None  # another number: who knows what that is for
    if _IN_A_ROW.search(plan.question) or asked.scale is not None or _ITS_OWN.search(asked.core):
        return None
    if found.go in _HOLDS:
        named = [e for e in finder.evidence if found.go in f"{e.key or ''} {e.text}".lower()]
        finder = FactFinder(finder.plan, named, finder.encode)
    wordings = _wordings(plan, finder, found)
    best = max(
        (f for w in wordings if (f := _figure(plan, finder, w)) is not None),
        key=lambda f: f[0].probability,
        default=None,
    )
    if best is None:  # another property than the price is named: no bill
        missing = wordings and not wordings[-1].expected.dimensions and asked.expected.dimensions != {"money"}
        return abstain(plan, plan.subjects[0]) if missing else None
    fact, value = best
    if found.go == "night" and not _OVERNIGHT.search(f"{fact.key or ''} {fact.value}".replace("_", " ")):
        return abstain(plan, plan.subjects[0])  # what it costs to have is not for so many nights
    times = found.n * (_in_span(fact, value, found.span) if found.span else 1.0)
    if not times or value.dimension in _FIXED or _states(fact, found.n):
        return None
    in_turn = found.go or found.span or _ONE_AFTER_ANOTHER.search(found.said)
    if not in_turn and takes_no_longer(plan.question, value):
        return abstain(plan, plan.subjects[0])
    total = arithmetic.amount(round(value.low * times, 6), value)
    span = f" {found.span}s" if found.span else ""
    often = (
        said if (said := found.said.lower()) in ("twice", "thrice") else f"for {arithmetic.plain_number(found.n)}{span}"
    )
    return Result(f"{total} {often}: {state_fact(fact, plan)}", fact.ids, fact.note)


def takes_no_longer(question: str, value: Quantity) -> bool:
    """Two tins cook as long as one."""
    return value.dimension == "time" and _AT_ONCE.search(question) is not None


def _in_span(fact: Fact, value: Quantity, span: str) -> float:
    """How often a rate comes in one span; 0 where the figure is told for no day and no week."""
    rate = _DAILY.search(f"{fact.key or ''} {fact.value} {value.text}".replace("_", " "))
    if rate is None:
        return 0.0
    every = (rate["unit"] or ("day" if rate["sign"] else rate["ly"])).lower().replace("dai", "day")
    return _DAYS[span] / _DAYS[every] if _DAYS[span] >= _DAYS[every] else 0.0


def _wordings(plan: Plan, finder: FactFinder, found: Several) -> list[ParsedQuestion]:
    """How the figure of one is asked for, none where only a plain price can be meant (`reckoning`)."""
    kinds = kinds_of([e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()])
    rest = pointing_left_out(found.rest, kinds)
    rest = " ".join(_TOTAL.sub(" , ", rest).split()).strip(" ,?.!")
    one = parse_clause(asking_clause(rest) if rest else "")
    dims = one.expected.dimensions - {"date"}
    if _SPAN_ASKED.search(plan.question):
        dims = frozenset({"time"})
    if len(dims) > 1 and dims & {"mass", "volume"}:
        dims = dims & {"mass", "volume"}
    named = _named(rest, kinds)
    if found.go in _HOLDS:
        return [parse_clause(f"how many are on one {found.go}?"), parse_clause(f"how many does a {found.go} hold?")]
    if (
        not dims - {"money"}
        and _PAID.fullmatch(found.go)
        and (_MONEY.search(rest) or dims or named in (None, found.go))
    ):
        return [bare_question(f"how much is it for a {found.go}?", "money", f"what is the price per {found.go}?")]
    if dims == {"money"} or (not dims and _MONEY.search(rest) and not NO_PRICE.search(rest)):
        return []
    if dims:
        expected = replace(one.expected, kind="quantity", dimensions=dims) if dims - {"count", ""} else one.expected
        out = [replace(one, expected=expected, operation="lookup", factor=None)]
        if "time" in dims and (doing := _DOING.match(rest)):
            out.append(
                replace(one, core=f"how long does {doing[0].lower()} take?", expected=expected, operation="multiply")
            )
        for dimension in sorted(dims):
            plain = _UNITS_FIRST.get(dimension, PLAIN_AMOUNTS.get(dimension, ()))
            if dimension == "time" and found.go:
                plain = (f"how long does one {found.go} take?", f"how long is one {found.go}?")
            out += [ParsedQuestion(w, (w,), expected, "multiply") for w in plain]
        return out
    if named is None:
        return []
    if (unit := unit_of(named.split()[-1])) is not None and unit[1] not in ("money", "count"):
        expected = Expected("quantity", frozenset({unit[1]}), unit=unit[0])
        ways = _UNITS_FIRST.get(unit[1], PLAIN_AMOUNTS.get(unit[1], (f"how many {named}?",)))
        return [ParsedQuestion(w, (w,), expected, "multiply") for w in ways]
    plural, singular = (named, named.removesuffix("s")) if is_plural(named) else (f"{named}s", named)
    ways = (f"how many {plural} does it have?", f"what is its {singular}?")
    return [replace(parse_clause(w), operation="lookup", factor=None) for w in ways]


#: What is asked for by its name alone: "panels", "yearly crop".
_NAMED = re.compile(
    r"^(?:(?:what(?:['’]s| is| are)?|tell me|give me|count|i count|if i count|work out)\b )?(?:the |its |their )?"
    r"(?:(?:number|amount|count) of )?(?P<what>(?!what\b|how\b|it\b)[a-z]+(?: (?!of\b|from\b|in\b|on\b|for\b|"
    r"with\b|it\b)[a-z]+){0,2})"
    r"(?: (?:of|from|in|on|for|with|out of|off|that)\b.*)?$",
    re.IGNORECASE,
)


def _named(rest: str, kinds: frozenset[str]) -> str | None:
    """The words for a property in what is left: its last clause that names one."""
    for piece in reversed(re.split(r"\s*[,;:.?!]\s*", rest)):
        m = _NAMED.match(piece.strip())
        words = m["what"].lower().split() if m else []
        said = " ".join(w for w in words if w not in ("it", "one", "the", "a", "an", "per", "year"))
        if said and content_stems(said) - _LEFT_WORDS - kinds:
            return said
    return None


def _figure(plan: Plan, finder: FactFinder, asked: ParsedQuestion) -> tuple[Fact, Quantity] | None:
    fact = quantity_fact(finder, plan.subjects[0], asked, _LEAST)
    m = wanted_measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    told = f"{fact.key or ''} {fact.value}".replace("_", " ")
    if m.quantity.dimension == "money":
        worth = NO_PRICE.search(asked.core)
        if asked.expected.dimensions != {"money"} and (not worth or not NO_PRICE.search(told)):
            return None
    if m.quantity.dimension in ("count", ""):  # so many of what is asked for, not of anything
        noun = content_stems(asked.expected.noun or re.sub(r"^what is its ", "", asked.core))
        if asked.core.startswith("how many are on") or asked.core.startswith("how many does a"):
            noun = frozenset()
        if noun and not shared(noun, content_stems(told)):
            return None
    return fact, m.quantity


def _states(fact: Fact, n: float) -> bool:
    words = f"{fact.key or ''} {fact.value}".replace("_", " ")
    return any(number_of(m.group()) == n for m in re.finditer(NUMBER, words, re.IGNORECASE))
