"""Reckoning with one figure of the thing and one of the question: a share of a sum, an age in a year, a row of plants,
fuel for a way, how long a supply lasts.

Each asks for the figure in plain words, works it out in one step, and says the result before what it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.answering import compute
from assistant.answering.answer_kinds import Expected
from assistant.answering.facts import Fact, FactFinder
from assistant.answering.intents import Asked
from assistant.answering.measures import bare_question, fact_of, measured
from assistant.answering.plan import Plan
from assistant.answering.reckoned import FOUNDED, wants
from assistant.answering.results import Result, nothing
from assistant.answering.units import convert, dimension_of, unit_of
from assistant.answering.values import NUMBER_WORDS, DateValue, Quantity, find_quantities, number_of
from assistant.answering.wordings import BEGINNINGS

_LEAST = 0.3
_NUMBER = (
    rf"(?:\d{{1,6}}(?:\.\d+)?|{'|'.join(w for w in NUMBER_WORDS if w.isalpha() and w not in ('half', 'quarter'))})"
)
DIVIDED = re.compile(
    rf"\b(?:each|every one|everyone|per head) (?:one )?of (?:the |us |them )?(?P<n>{_NUMBER})\b"
    r"|\b(?:shared?|split|divided?|spread)\b.*?\b(?:among|amongst|between|by|with|over|in|into) "
    rf"(?:the |us )?(?P<n2>{_NUMBER})\b"
    rf"|\b(?P<n3>{_NUMBER}) (?:of (?:us|them|you) |\w+ )?(?:share|split|divide)\b"
    rf"|\b(?P<n4>{_NUMBER}) (?:of (?:us|them|you)|people|persons|winners|friends) (?:\w+ )?"
    r"(?:wins?|won|gets?|got|takes?|drink(?:ing|s)?|eat(?:ing)?|using|from)\b"
    r"(?=.*\b(?:each|apiece|(?:a|per) (?:head|person|nose)|(?:would|do|will|could) i (?:take home|get|receive|"
    r"have|end up))\b)"
    rf"|\b(?:pour(?:ed|ing|s)?|cut|parted|portioned|dished) (?:out |up )?[^,;?]*?\b(?:in|into|among|for|over) "
    rf"(?P<n5>{_NUMBER}) (?:equal )?(?:parts?|cups?|mugs?|glasses|bowls|shares|people|persons|portions|jars|bottles)\b",
    re.IGNORECASE,
)
#: "how much is it split in 3", "the prize money, divided by 3".
_SUM_ASKED = re.compile(
    r"\b(?:how (?:much|many)|what|which)\b"
    r"|^(?:[a-z]+[, ]+){0,3}?the (?:sum|amount|money|prize|prize money|reward|purse|award)\b"
    r"(?!.*\b(?:is|was|are|were)\b)",
    re.IGNORECASE,
)
_IN_YEAR = re.compile(
    r"\b(?:in|by|as of|until|back in|around)(?: the year)? (?P<year>1[0-9]\d\d|20\d\d)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\d.,:/-])(?P<year>1[0-9]\d\d|20\d\d)(?!\d|:\d|[/-])")
#: "1950: how old was it then?"
_THEN = re.compile(r"\b(?:then|at that (?:time|point)|at the time|that year|in that year)\b", re.IGNORECASE)
_HOW_OLD = re.compile(
    r"\bhow (?:old|many years old|many years)\b|\bhow long\b.*\b(?:existed?|stood|been|there|around|open|running)\b|"
    r"\b(?:what|which) age\b|\b(?:its|the) age\b",
    re.IGNORECASE,
)


def share(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what does each of 4 winners take home": the sum divided."""
    m = DIVIDED.search(plan.question)
    n = number_of(m["n"] or m["n2"] or m["n3"] or m["n4"] or m["n5"]) if m else None
    if not n or n < 2 or not _SUM_ASKED.search(plan.question):
        return None
    if re.search(r"\b(?:buy|pay|costs?|price|tickets?)\b", plan.question, re.IGNORECASE):
        return None
    if _OF_CONTENTS.search(plan.question):
        return _share_of_contents(plan, finder, n)
    counted = re.search(r"\bhow many (?P<noun>[a-z]+)\b", plan.question, re.IGNORECASE)
    if counted is not None and dimension_of((unit_of(counted["noun"].lower()) or ("",))[0]) != "money":
        return None  # so many pieces are no money
    asked = Asked(
        "how much money comes with it?",
        ("how much money comes with it?", "how much is it worth in money?"),
        Expected("quantity", frozenset({"money"})),
        "multiply",
    )
    found = _figure(plan, finder, asked)
    if found is None:
        return nothing(plan, plan.subjects[0])
    fact, whole = found
    return Result(
        f"{compute.amount(whole.low / n, whole)} each: {whole.text} among {compute.plain_number(n)}.", fact.ids
    )


#: What is shared is what it holds: "if we split what fits in the pot".
_OF_CONTENTS = re.compile(
    r"\b(?:(?:(?:what|all|everything)(?: that)? (?:fits?|goes|it holds|it contains|(?:this|that|"
    r"the) [^,;:?]{1,50}? holds)|(?:all|everything) that is in it)|contents?|"
    r"filled|filling|fill(?: it)?(?: up)?|full|pour(?:s|ed|ing)?|drink(?:s|ing)?|cups?|mugs?|glass(?:es)?|bowls?|"
    r"capacity|volume|"
    r"water|tea|milk|juice)\b",
    re.IGNORECASE,
)


def _share_of_contents(plan: Plan, finder: FactFinder, n: float) -> Result | None:
    """ "4 of us share what fits in it": what it holds, divided."""
    asks = ("how much does it hold?", "what is its volume or capacity?")
    found = _figure(plan, finder, bare_question(asks[0], "volume", *asks[1:]))
    if found is None:
        return nothing(plan, plan.subjects[0])
    fact, whole = found
    each = compute.amount(round(whole.low / n, 4), whole)
    return Result(f"{each} each: {whole.text} among {compute.plain_number(n)}.", fact.ids, fact.note)


def age_in(plan: Plan, finder: FactFinder) -> Result | None:
    """ "in 1946, how old was this bridge": the years from its beginning to a year of the question."""
    m = _IN_YEAR.search(plan.question)
    if _OF_SOMEBODY.search(plan.question):
        return None
    if m is None and _HOW_OLD.search(plan.question) and _THEN.search(plan.question):
        m = _YEAR.search(plan.question)
    if len({y["year"] for y in _YEAR.finditer(plan.question)}) > 1:  # a change between two years is no age
        return None
    if m is None or not _HOW_OLD.search(plan.question):
        m = (
            _YEAR.search(plan.question)
            if _YEAR.search(plan.question) and wants("age_then", plan, finder.encode)
            else None
        )
    if m is None:
        return None
    own = re.search(
        r"\bafter (?P<event>(?:its|the) (?!(?:very|first)\b)[a-z]+|being [a-z]+|it was [a-z]+)\b",
        plan.question,
        re.IGNORECASE,
    )
    pairs = [*_BEGUN, *_FIRST_TIME]
    if own:
        event = re.sub(r"^(?:being|it was) ", "", own["event"], flags=re.IGNORECASE)
        noun = event.split()[-1]
        pairs = [(f"when was it {noun}?",) if " " not in event else (f"when was its {noun}?", f"date of {noun}?")]
    year = int(m["year"])
    if not own:  # the question may name the event: "2023 minus the christening of it"
        core = plan.asked.core
        pairs = [*pairs, (core.replace(m["year"], "when"),)]
        if _HOW_OLD.search(core):  # "how old was it at the time": its beginning in the question's own words
            pairs.append((_IN_YEAR.sub("", core).strip(),))
    begun_by = _dated(plan, finder, pairs)
    if begun_by is None:
        return nothing(plan, plan.subjects[0])
    fact, begun = begun_by
    if begun.year > year:
        return Result(
            f"It was not there yet in {year}: {plan.subjects[0]} dates from {begun.year}.", fact.ids, fact.note
        )
    return Result(f"{year - begun.year} years: from {begun.text} to {year}.", fact.ids, fact.note)


_BEGUN = [BEGINNINGS[i : i + 2] for i in range(0, len(BEGINNINGS), 2)]
#: Beginnings of what is neither made nor born: an award, a ship's name.
_FIRST_TIME = [
    ("when was it first awarded?", "since when is it given out?"),
    ("when was it christened?", "when did it get its name?"),
]


def _dated(plan: Plan, finder: FactFinder, pairs: Sequence[tuple[str, ...]]) -> tuple[Fact, DateValue] | None:
    """The surest date that any of the wordings finds."""
    found = []
    for about in pairs:
        asked = Asked(about[0], about, Expected("date", frozenset({"date"})), "age")
        fact = fact_of(finder, plan.subjects[0], asked)
        value = measured(fact) if fact else None
        if fact is not None and value is not None and value.date is not None and value.date.span_years <= 1:
            found.append((fact.probability, -value.date.year, fact, value.date))
    return max(found, key=lambda f: f[:2])[2:] if found else None


_MAKER = r"(?:company|firm|maker|manufacturer|producer|brand|business|house|publisher|studio|brewery|workshop)"
_MAKERS_AGE = re.compile(
    rf"\b(?:how many years|how old|how long|time|span|years between)\b.*\b{_MAKER}\b"
    rf"|\b{_MAKER}\b.*\b(?:how many years|how old|how long)\b",
    re.IGNORECASE,
)
_CAME = re.compile(
    r"\b(?:before|until|after|when|till|by the time|between)\b.*\b(?:br(?:ought|ing)|came|come|launch\w*|introduc\w*|"
    r"releas\w*|appear\w*|made|built|publish\w*|sold|put|(?:on|for|to) (?:the market|sale))\b"
    r"|\b(?:br(?:ought|ing)|launch\w*|introduc\w*|releas\w*|publish\w*)\b.*\b(?:after|since)\b"
    r"|\bafter how many years\b|\binto (?:the |its )(?:life|history|existence|career)\b",
    re.IGNORECASE,
)


#: "Which year was the firm established" asks for no span.
_WHICH_YEAR = re.compile(
    r"^(?!.*\b(?:how (?:many|long|old)|number of years)\b).*\b(?:the|what|which) year\b", re.IGNORECASE
)


#: Somebody's age is no firm's: "how old was the author when it came out".
_OF_SOMEBODY = re.compile(
    r"\b(?:persons?|m[ae]n|wom[ae]n|authors?|writers?|novelists?|poets?|painters?|artists?|sculptors?|composers?|singers?|"
    r"inventors?|discoverers?|designers?|architects?|engineers?|scientists?|mathematicians?|chemists?|physicists?|"
    r"breeders?|gardeners?|mothers?|fathers?|wife|husband|somebody|someone|he|she|his|her)\b|\bat (?:what|which) age\b"
    r"|\bwhoever (?!makes?\b|made\b|builds?\b|built\b|sells?\b|produc|manufactur|publish|brew|supplie)[a-z]+",
    re.IGNORECASE,
)


_EXISTING = replace(
    FOUNDED,
    core="since when has the company that makes it existed?",
    about=("since when has its maker been in business?",),
)


#: A span of years is asked for; a guarantee is one of its own.
_YEARS = re.compile(r"\b(?:years?|old|long|age|time|after|since|between|until|till|before)\b", re.IGNORECASE)
_NO_SPAN = re.compile(r"\b(?:guarantee\w*|warrant\w*|price|costs?)\b", re.IGNORECASE)


def makers_years(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many years did the company need before it brought this out": from its founding to the thing's start."""
    if _IN_YEAR.search(plan.question) or _WHICH_YEAR.search(plan.question):
        return None
    if _OF_SOMEBODY.search(plan.question):
        return None
    spoken = _MAKERS_AGE.search(plan.question) and _CAME.search(plan.question)
    asks_when = plan.asked.expected.kind == "date"
    if not spoken and (_NO_SPAN.search(plan.question) or _YEARS.search(plan.question) is None):
        return None
    if not spoken and (asks_when or not wants("makers_age", plan, finder.encode)):
        return None
    starts = (finder.fact_behind(plan.subjects[0], asked, _LEAST) for asked in (FOUNDED, _EXISTING))
    start = max((f for f in starts if f is not None), key=lambda f: f.probability, default=None)
    begun = measured(start) if start is not None else None
    date = begun.date if begun is not None else None
    launch = _dated(plan, finder, _BEGUN)
    if start is None or date is None or launch is None or launch[0].evidence.id == start.evidence.id:
        return nothing(plan, plan.subjects[0]) if spoken else None  # a kind that was guessed is left to the others
    years = launch[1].year - date.year
    if years < 0:
        return Result(reason="the dates are in an order that cannot be")
    ids = tuple(dict.fromkeys((*start.ids, *launch[0].ids)))
    return Result(f"{years} years: from {date.text} to {launch[1].text}.", ids, launch[0].note)


#: For what is asked of so many steps: what the question speaks of → how one step is asked for, its kind of figure, and
#: for how many the figure is given.
_STEPS: tuple[tuple[re.Pattern[str], tuple[str, ...], str, float], ...] = (
    (
        re.compile(
            r"(?=.*\b(?:row|rows|hedge|border|line|along (?:the|my|a|our) (?:fence|path|wall|"
            r"drive))\b)(?=.*\bplant\w*\b|.*\brow\b|.*\bhedge\b)"
            r"(?=.*\b(?:how long|length|how many met(?:re|er)s|how far|long (?:is|does|will|would))\b)"
            rf".*?\b(?!(?:one|1)\b)(?P<n>{_NUMBER})\b(?! ?(?:cm|mm|km|m|met(?:re|er)s?|centimet\w+)\b)",
            re.IGNORECASE,
        ),
        ("how far apart are they planted?", "how far is one from the next?"),
        "length",
        1.0,
    ),
    (
        re.compile(rf"\b(?P<n>{_NUMBER}) (?:\w+ )?(?:intervals?|gaps?|spaces?|spacings?)\b", re.IGNORECASE),
        ("how far apart are they planted?", "how far is one from the next?"),
        "length",
        1.0,
    ),
    (
        re.compile(
            rf"(?=.*\b(?:fuel|petrol|diesel|gas|consum\w+|use|drink|lit(?:re|er)s?)\b).*?"
            rf"(?<!per )\b(?P<n>{_NUMBER}(?: hundred| thousand)?)[ -]?(?:kilomet\w+|km)\b(?!/h)",
            re.IGNORECASE,
        ),
        ("how much does it use per 100 kilometres?", "what is its fuel consumption?"),
        "volume",
        100.0,
    ),
    (
        re.compile(
            r"(?=.*\b(?:dissolv\w+|solub\w+|go(?:es)? into solution|go(?:es)? in|"
            r"how (?:much|many [a-z]*grams) of (?:this|it|that))\b)"
            rf".*?\b(?P<n>{_NUMBER}) ?(?:lit(?:re|er)s?|l)\b",
            re.IGNORECASE,
        ),
        ("how much of it dissolves in a litre of water?", "what is its solubility?"),
        "mass",
        1.0,
    ),
    (
        re.compile(
            rf"\b(?:time|long|hours|minutes)\b.*?\b(?:play\w*|watch\w*|listen\w*|hear\w*|read\w*|run\w*|ride|walk\w*)\b.*?"
            rf"\b(?P<n>{_NUMBER}) (?:times|rounds|games|in a row)\b",
            re.IGNORECASE,
        ),
        ("how long does one round of it take?", "how long does it take?"),
        "time",
        1.0,
    ),
)


def so_many_steps(plan: Plan, finder: FactFinder) -> Result | None:
    """ "a hedge with 6 intervals", "fuel for 400 km": one step so many times."""
    for pattern, about, dimension, per in _STEPS:
        m = pattern.search(plan.question)
        n = _number(m["n"]) if m else None
        if not n:
            continue
        found = _figure(plan, finder, bare_question(about[0], dimension, *about[1:]))
        if found is None:
            return nothing(plan, plan.subjects[0])
        fact, one = found
        times = n * (_stretches(plan.question, m) if m else 1.0) / per
        total = compute.amount(round(one.low * times, 6), one)
        if times != int(times) and dimension == "volume":  # of "3.5 times" the evidence has no number
            way = compute.plain_number(times * per)
            return Result(f"{total} for {way} km: {one.text} for {per:g} km.", fact.ids, fact.note)
        return Result(f"{total}: {compute.plain_number(times)} times {one.text}.", fact.ids, fact.note)
    return None


def _stretches(question: str, found: re.Match[str]) -> float:
    """How often: 4 in "4 stretches of 100 km" and "4 times hundred km"; 1 when nothing says."""
    before = re.search(
        rf"\b(?P<k>{_NUMBER}) (?:times|x|×|(?:\w+ )?\w+s of)(?: an?| the)? ?$",
        question[: found.start("n")],
        re.IGNORECASE,
    )
    return (_number(before["k"]) or 1.0) if before else 1.0


def _number(text: str) -> float | None:
    """ "four", "4", "4 hundred"."""
    first, _, scale = text.lower().partition(" ")
    number = number_of(first)
    return number * {"hundred": 100.0, "thousand": 1000.0}.get(scale, 1.0) if number is not None else None


_DAILY = re.compile(
    r"\b(?:a|per|each|every) (?:day|week|month|hour)\b|\b(?:daily|weekly|hourly|monthly)\b", re.IGNORECASE
)
_HOW_LONG = re.compile(
    r"\bhow (?:long|many (?:days|weeks|months|hours))\b|\b(?:days|weeks|months|hours) (?:until|till|before)\b",
    re.IGNORECASE,
)
_CARRIED = re.compile(r"\b(?:of|in) (?P<noun>water|fuel|oil|food|milk|diesel|petrol|feed)\b", re.IGNORECASE)
_UNITS_OF_PACE = {"daily": "day", "weekly": "week", "hourly": "hour", "monthly": "month"}


def supply(plan: Plan, finder: FactFinder) -> Result | None:
    """ "with 60 litres used daily, how long does the supply keep us": what there is, divided by the use."""
    pace = _DAILY.search(plan.question)
    if pace is None or not _HOW_LONG.search(plan.question):
        return None
    uses = [q for q in find_quantities(plan.question) if q.dimension in ("volume", "mass") and q.low > 0]
    if len(uses) != 1:
        return None
    use = uses[0]
    what = _CARRIED.search(plan.question)
    noun = what["noun"].lower() if what else "water" if use.dimension == "volume" else ""
    asked = bare_question(f"how much {noun} does it carry?", use.dimension, f"how much {noun} does it hold?")
    found = _figure(plan, finder, asked)
    whole = convert(found[1].low, found[1].unit, use.unit) if found else None
    if found is None or whole is None:
        return nothing(plan, plan.subjects[0])
    word = pace.group().split()[-1].lower()
    unit = _UNITS_OF_PACE.get(word, word)
    number = compute.plain_number(int(whole / use.low + 1e-9))
    return Result(f"{number} {unit}s: {found[1].text} at {use.text} a {unit}.", found[0].ids, found[0].note)


def _figure(plan: Plan, finder: FactFinder, asked: Asked) -> tuple[Fact, Quantity] | None:
    fact = fact_of(finder, plan.subjects[0], asked, _LEAST)
    m = measured(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    return fact, m.quantity


SHARES: tuple[Callable[[Plan, FactFinder], Result | None], ...] = (share, age_in, makers_years, so_many_steps, supply)
