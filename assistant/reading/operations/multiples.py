"""So many times what is known of one: four journeys at the single fare, eight days' milk, six nights at the quay.

The figure is asked for as for a single one, in the question's own words, and multiplied; what is stated for so many
already ("a card for two") is left alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, abstain, state_fact
from assistant.reading.scoring.measures import quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.values import Quantity, find_quantities, number_of
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.calculations import wants
from assistant.understanding.classifiers.calculation import NUMBER, SPRINT
from assistant.understanding.intent import ParsedQuestion, parse_clause
from assistant.understanding.plan import Plan

_LEAST = 0.3
#: What does not grow with the number of things or hours.
_FIXED = frozenset({"power", "speed", "temperature", "angle", "percent", "frequency", "loudness"})
_SPANS = {"pair": 2.0, "both": 2.0, "week": 7.0, "fortnight": 14.0}
#: How so many are made or laid is no matter of what one is: "7 like it, one after the other".
_IN_A_ROW = re.compile(
    r",? (?:one (?:after|behind) (?:the other|another)|one by one|end to end|back to back|"
    r"in (?:a row|succession|sequence)|"
    r"on the trot|consecutively)\b",
    re.IGNORECASE,
)
#: What takes no longer for several of them.
_AT_ONCE = re.compile(
    r"\b(?:cook|boil|bake|roast|dry|brew|steep|soak|charge|ripen|freeze|thaw|hatch|grow|germinate|keep|"
    r"last)(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
_TIMES = re.compile(r"^\s*(?:times|x|×)\s+(?=(?:the|this|that|these|it)\b)", re.IGNORECASE)
#: "7 like this pullover".
_LIKE_IT = re.compile(
    r"^\s+(?:like|such as) (?:this|that|these|those|it|the)\b(?: (?!to\b|in\b|at\b|for\b|and\b|cost)[a-z]+)?",
    re.IGNORECASE,
)
_SUCH = re.compile(r"^\s+such [a-z]+s\b", re.IGNORECASE)
#: "how far does it go on two tanks": one filling does so much.
_FILLS = re.compile(
    r"^\s+(?:full |complete |whole )?(?:charges|tanks|tankfuls|fillings|refills|batteries|loads|fills|kettlefuls|"
    r"potfuls|rounds|charging (?:cycles|sessions))\b",
    re.IGNORECASE,
)
#: "charging it 3 times".
_SO_OFTEN = re.compile(
    r"^\s+times\b(?! (?:as|more|less|the|an?|per|each|every|\d|(?!over\b|together\b|altogether\b)\w+er)\b)",
    re.IGNORECASE,
)
_ON_FILLS = re.compile(r"\b(?:on|with|from|out of|off)(?: the)?\s*$", re.IGNORECASE)
#: "with 4 of these bushes, how much do I get?"
_GETS = re.compile(
    r"\bhow (?:much|many)\b[^,]*\b(?:do|would|will|can|could) (?:i|we|you) (?:get|have)\b", re.IGNORECASE
)
_HELD_IN_IT = Expected("quantity", frozenset({"volume"}))
#: What is filled or boiled so often is what it holds.
_FILLED = re.compile(
    r"\b(?:(?:re)?fill(?:s|ed|ing|ings)?|boil(?:s|ed|ing)?|brew(?:s|ed|ing)?|pour(?:s|ed|ing)?|full loads?)\b"
    r"(?=.*\b(?:how (?:much|many lit)|what (?:quantity|amount|volume)|lit(?:re|er)s)\b)"
    r"|\b(?:how (?:much|many lit)|what (?:quantity|amount|volume)|lit(?:re|er)s)\b.*"
    r"\b(?:(?:re)?fill(?:s|ed|ing|ings)?|boil(?:s|ed|ing)?|brew(?:s|ed|ing)?|pour(?:s|ed|ing)?|full loads?)\b",
    re.IGNORECASE,
)
_YIELD = Expected("quantity", frozenset({"mass", "volume"}))
#: "with 8 sheets of it, how many stamps do I have".
_BOXES = re.compile(
    r"^\s+(?P<box>sheet|box|pack|packet|roll|case|crate|carton|strip|bag|jar|tin|bottle|bundle|booklet|row)(?:e?s)\b",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\bhow many (?:(?P<of>of (?:these|those|this|that|the|it|them))(?! (?:sheet|box|pack|case|roll|bag|row))"
    r"|(?P<noun>[a-z]+s))\b",
    re.IGNORECASE,
)
#: "how many of them are on 3 sheets": so many on each.
_IN_THEM = re.compile(
    r"\bhow many\b[^,]*\b(?:on|in|inside|from|out of|with|make up|fills?)(?: the| these)?\s*$", re.IGNORECASE
)
#: "what are 4 journeys", "how much would six be": asks what so many come to.
_WHAT_ARE = re.compile(r"\b(?:what|how much) (?:are|is|would|will)\s*$", re.IGNORECASE)
_RATE = re.compile(r"(?:\b(?:a|per|each|every)[ _]|/)(?:day|night|week|month|hour|year)\b|\bdaily\b", re.IGNORECASE)
_PLURAL = re.compile(r"^(\s+(?:\w+\s+)?\w{3,}?)s\b")


#: "if we play it 2 times, how long is that": what is asked is asked of all of it.
_DONE_SO_OFTEN = re.compile(
    rf"\b(?:(?P<n>{NUMBER.pattern}) times|(?P<twice>twice|thrice))\b(?! (?:as|more|the|larger|a|an|per|each|every)\b).*"
    r"\b(?:how (?:long|far|much|many [a-z]+)(?: \w+)? (?:is|are|does|would|will|do|did) "
    r"(?:that|this|it all|all (?:of )?(?:that|it|this)|the whole(?: thing)?)\b"
    r"|what (?:does|would|will) (?:that|it all|all that) (?:make|come to|add up to|cost)"
    r"|how (?:long|much time|many (?:minutes|hours|days))"
    r"(?= (?:in total|altogether|together|in all|for all|in sum)))\b",
    re.IGNORECASE,
)


#: "if I knit it twice, how many hours is that?": how many hours it takes to knit it.
_ONE_GO = re.compile(
    rf"\b(?:if|when|suppose|say) (?:i|we|you|they|one) (?P<does>[a-z]+ [^,?]+?) "
    rf"(?:{NUMBER.pattern} times|twice|thrice)\b.*"
    r"(?P<how>how (?:long|far|much|many [a-z]+))\b",
    re.IGNORECASE,
)


def multiply_by_number(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what are 4 journeys with this": one journey's price, four times."""
    if plan.asked.operation not in ("lookup", "multiply", "list", "sum") or SPRINT.search(plan.question):
        return None
    if often := _DONE_SO_OFTEN.search(plan.question):
        return _so_often(plan, finder, often)
    text = plan.asked.core if NUMBER.search(plan.asked.core) else plan.question
    found = list(NUMBER.finditer(text))
    behind = text[found[0].end() :] if len(found) == 1 else ""
    on_fills = _FILLS.match(behind) is not None and _ON_FILLS.search(text[: found[0].start()]) is not None
    in_boxes = _BOXES.match(behind) is not None and _IN_THEM.search(text[: found[0].start()]) is not None
    by_times = _SO_OFTEN.match(behind) is not None and bool(plan.asked.expected.dimensions)
    by_fills = by_times or (_FILLS.match(behind) is not None and not re.match(r"\s+batteries\b", behind, re.IGNORECASE))
    spoken = bool(on_fills or by_fills or in_boxes or _LIKE_IT.match(behind) or _SUCH.match(behind))
    asks_for_so_many = len(found) == 1 and _WHAT_ARE.search(text[: found[0].start()]) is not None
    spoken = spoken or (asks_for_so_many and not _SPAN.match(behind))
    by_rate = _SPAN.match(behind) is not None and bool(
        _HOW_MUCH.search(plan.asked.core) or _AMOUNT.search(plan.asked.core)
    )
    if not spoken and not wants("times", plan, "share", "sum_group"):
        if not by_rate:
            return None
    else:
        by_rate = False
    n = _number(found[0].group()) if len(found) == 1 else None
    if not n or n < 2:
        return None
    one = _for_one(text, found[0])
    wordings = [one, parse_clause(plan.asked.core)]
    if _FILLED.search(plan.question) and plan.asked.expected.dimensions <= {"mass", "volume", "count", ""}:
        wordings = [replace(parse_clause("how much does it hold?"), expected=_HELD_IN_IT)]
    if _GETS.search(plan.asked.core) and not plan.asked.expected.dimensions:
        thing = re.match(r"\s+([a-z]{3,}?)(?:e?s)\b", text[found[0].end() :])
        wordings.append(replace(parse_clause(f"how much does one {thing[1] if thing else ''} give?"), expected=_YIELD))
    box, held = _BOXES.match(text[found[0].end() :]), _HELD.search(plan.question)
    if box and held and not (held["noun"] or "").lower().startswith(box["box"].lower()):
        wordings = [
            parse_clause(f"how many {what} are in one {box['box']}?") for what in {held["noun"] or "of it", "of it"}
        ]
        named = [e for e in finder.evidence if box["box"].lower() in e.text.lower()]  # how many were made is no number
        finder = FactFinder(finder.plan, named, finder.encode)
    best = max(
        (f for w in wordings if (f := _of(plan, finder, w)) is not None),
        key=lambda f: f[0].probability,
        default=None,
    )
    if best is None:
        return abstain(plan, plan.subjects[0]) if _AMOUNT.search(plan.asked.core) else None
    fact, value = best
    if by_rate and value.dimension != "money":  # "what does it need in 3 weeks" is not told by one figure of no span
        return abstain(plan, plan.subjects[0]) if _AMOUNT.search(plan.asked.core) else None
    if by_rate and not _same_span(behind, fact, value):  # what it costs to have is not for so many nights
        return abstain(plan, plan.subjects[0])
    if _states(fact, n) or value.dimension in _FIXED or _same_kind(text, found[0], fact, value):
        return None
    if not (on_fills or by_fills) and takes_no_longer(plan.question, value):
        return abstain(plan, plan.subjects[0])
    times = n * _per_rate(text, found[0], fact, value)
    if not times:  # two weeks of a figure that may be for a day or a year
        return abstain(plan, plan.subjects[0])
    total = arithmetic.amount(round(value.low * times, 6), value)
    return Result(f"{total} for {arithmetic.plain_number(n)}: {state_fact(fact, plan)}", fact.ids, fact.note)


def takes_no_longer(question: str, value: Quantity) -> bool:
    """Two tins cook as long as one, unless they are cooked one after the other."""
    at_once = _AT_ONCE.search(question) is not None and not _IN_A_ROW.search(question)
    return value.dimension == "time" and at_once


def _so_often(plan: Plan, finder: FactFinder, often: re.Match[str]) -> Result | None:
    """What one go of it takes, so many times; what takes no longer for that is not told."""
    n = _number(often["n"]) if often["n"] else {"twice": 2.0, "thrice": 3.0}[often["twice"].lower()]
    wordings = [plan.asked]
    if one := _ONE_GO.search(plan.question):
        wordings.append(parse_clause(f"{one['how']} does it take to {one['does']}?"))
    best = max(
        (f for w in wordings if (f := _of(plan, finder, w)) is not None), key=lambda f: f[0].probability, default=None
    )
    if not n or best is None or _states(best[0], n) or best[1].dimension in _FIXED:
        return abstain(plan, plan.subjects[0])
    total = arithmetic.amount(round(best[1].low * n, 6), best[1])
    times = f"for {arithmetic.plain_number(n)}" if often["n"] else often["twice"].lower()
    return Result(f"{total} {times}: {state_fact(best[0], plan)}", best[0].ids, best[0].note)


def _of(plan: Plan, finder: FactFinder, asked: ParsedQuestion) -> tuple[Fact, Quantity] | None:
    asked = replace(asked, operation="lookup", factor=None)
    fact = quantity_fact(finder, plan.subjects[0], asked, _LEAST)
    m = wanted_measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    return fact, m.quantity


def _number(text: str) -> float | None:
    last = text.lower().split()[-1]
    return _SPANS.get(last) or number_of(text)


def _for_one(core: str, number: re.Match[str]) -> ParsedQuestion:
    """The question as it would be asked for a single one: "what are 4 journeys" → "what are one journey"."""
    last = number.group().lower().split()[-1]
    single = {"week": "one day", "fortnight": "one day", "pair": "one", "both": "one"}.get(last, "one")
    behind = core[number.end() :]
    if _TIMES.match(behind):  # "7 times the jumper"
        single, behind = "", _TIMES.sub("", behind)
    if _SO_OFTEN.match(behind):
        single, behind = "", _SO_OFTEN.sub("", behind)
    behind = _LIKE_IT.sub("", behind)
    return parse_clause(_IN_A_ROW.sub("", core[: number.start()] + single + _PLURAL.sub(r"\1", behind)))


#: "two weeks", and how many days that is.
_SPAN = re.compile(r"^\s+(?P<unit>day|night|week|fortnight|month|year)s?\b", re.IGNORECASE)
_DAYS = {"day": 1.0, "night": 1.0, "week": 7.0, "fortnight": 14.0}
#: "how much are 3 nights there": so many of what is told for one of them.
_HOW_MUCH = re.compile(
    r"\bhow much (?:is|are|for|would|will|do|does)\b(?!.*\b(?:weigh|hold|give|eat|drink|use|need|produce)\b)"
    r"|\bwhat (?:do|does|would|will|is|are)\b.*\b(?:cost|price)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\b(?:what|which) (?:amount|quantity)\b.*\b(?:during|in|over|for|within) (?:the )?(?:next )?\d", re.IGNORECASE
)
_EVERY = re.compile(
    r"(?:\b(?:a|per|each|every) |/)(?P<unit>day|night|week|month|year)\b|\b(?P<ly>dai|night|week|month|year)ly\b",
    re.IGNORECASE,
)


def _per_rate(text: str, number: re.Match[str], fact: Fact, value: Quantity) -> float:
    """How often the figure comes in one of what is counted: seven times in a week where it is daily; 0: unknown."""
    span = _SPAN.match(text[number.end() :])
    if span is None:
        return 1.0
    unit = span["unit"].lower()
    rate = _EVERY.search(_said(fact, value))
    if rate is None:
        return 1.0 if unit in ("day", "night") else 0.0
    every = (rate["unit"] or rate["ly"]).lower().replace("dai", "day")
    if every == unit:
        return 1.0
    return _DAYS[unit] / _DAYS[every] if every in _DAYS and unit in _DAYS else 0.0


def _same_span(behind: str, fact: Fact, value: Quantity) -> bool:
    """Whether what is told for one span is asked for so many of just that."""
    span, rate = _SPAN.match(behind), _EVERY.search(_said(fact, value))
    if span is None or rate is None:
        return False
    asked, told = span["unit"].lower(), (rate["unit"] or rate["ly"]).lower().replace("dai", "day")
    return asked == told or (asked in ("week", "fortnight") and told in _DAYS)


def _said(fact: Fact, value: Quantity) -> str:
    return f"{fact.key or ''} {fact.value} {value.text}".replace("_", " ")


def _states(fact: Fact, n: float) -> bool:
    """Whether the fact speaks of that number itself."""
    return any(_number(m.group()) == n for m in NUMBER.finditer(f"{fact.key or ''} {fact.value}".replace("_", " ")))


def _same_kind(core: str, number: re.Match[str], fact: Fact, value: Quantity) -> bool:
    """Whether the number counts what the fact is a figure of: minutes of minutes; hours a day, over days, are none."""
    if _RATE.search(f"{fact.key or ''} {fact.value} {value.text}".replace("_", " ")):
        return False
    here = [q for q in find_quantities(core) if q.start <= number.start() < q.end]
    return any(q.dimension == value.dimension and q.dimension != "count" for q in here)
