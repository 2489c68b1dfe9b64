"""A figure for another amount than the one it is told of: half of it, a kilo of it, one of its pieces, the whole pack,
so many percent off; and a price in a currency in which none is told.

What is told for one amount is no answer about another: it is worked out where both amounts are known and left unsaid
where they are not. A figure that names the amount itself ("£3 per kg") is left to the plain lookup.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.operations.arithmetic import price_of
from assistant.reading.results import Result, nothing
from assistant.reading.scoring.measures import NO_PRICE, bare_question, fact_of, measured
from assistant.text import arithmetic
from assistant.text.attribute_keys import key_words
from assistant.text.english import words_of
from assistant.text.units import convert, dimension_of, unit_of
from assistant.text.values import Quantity, find_quantities, number_of
from assistant.understanding.intent import Asked, take_apart
from assistant.understanding.plan import Plan

_LEAST = 0.3
#: What there is less of in a part: a part of a thing is as warm and as fast as the whole.
GROWS = frozenset({"mass", "volume", "energy", "money", "length", "time", "count", "", "data"})
#: What is asked by itself: not whether, not which of two.
PLAIN_OPERATIONS = ("lookup", "multiply", "list", "sum", "convert")
_PER = re.compile(r"\b(?:per|each|every)\b|/\s?[a-zµ]|\bfor (?:an?|one|every) |\bof (?:100|1000)\b", re.IGNORECASE)


#: What a mole of it weighs is no content.
_OF_A_MOLECULE = re.compile(r"\b(?:mol|molar|molecular|atomic|formula)\b", re.IGNORECASE)


def stated(fact: Fact) -> str:
    """All that the fact says, its key with it."""
    return f"{key_words(fact.key)} {fact.value}" if fact.key else fact.value


def figure_of(plan: Plan, finder: FactFinder, asked: Asked, least: float = _LEAST) -> tuple[Fact, Quantity] | None:
    """The one exact figure that answers a plain question about the subject."""
    fact = fact_of(finder, plan.subjects[0], asked, least)
    m = measured(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high or m.quantity.low <= 0:
        return None
    return fact, m.quantity


def content_of(plan: Plan, finder: FactFinder, dimension: str) -> tuple[Fact, Quantity] | None:
    """How much of it there is in one: what a pack weighs or holds."""
    about = {
        "mass": ("how much is in it?", "what is its net weight?", "what is its weight?"),
        "volume": ("how much is in it?", "how much does it hold?", "what is its volume?"),
    }.get(dimension)
    found = figure_of(plan, finder, bare_question(about[0], dimension, *about[1:])) if about else None
    return (
        found
        if found is not None
        and found[1].dimension == dimension
        and not _PER.search(stated(found[0]))
        and not _OF_A_MOLECULE.search(stated(found[0]))
        else None
    )


def _asks_money(plan: Plan) -> bool:
    spoken = re.search(r"\b(?:price|costs?|pay|charged?|euros?|dollars?)\b", plan.asked.core, re.IGNORECASE)
    return plan.asked.expected.dimensions == {"money"} or (spoken is not None and not NO_PRICE.search(plan.asked.core))


_MEASURE = r"kilo(?:gram(?:me)?)?|kg|lit(?:re|er)|pound|lb|ounce|oz|gram(?:me)?|g|ml|millilit(?:re|er)"
_BY_MEASURE = re.compile(
    rf"\b(?:per|by the|for (?:an?|one|each|every)|an?|each|every|one) (?P<unit>{_MEASURE})\b"
    r"(?! [a-z]*(?:bag|pack|bottle|jar))"
    rf"|\b(?:per |for (?:every |each )?|of |(?:does|do|would|is|are) )(?P<n>\d+|half an?|a hundred) ?"
    rf"(?P<unit2>(?:{_MEASURE})s?)\b(?! [a-z]*(?:bag|pack|bottle|jar|box|tin|can|size))",
    re.IGNORECASE,
)


#: "a litre of its milk": what it gives is not what it is.
_OF_ITS = re.compile(r"^ of (?:its|their|his|her) [a-z]+", re.IGNORECASE)


def by_measure(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what is it per kilo": the price for what one holds, put for a kilo."""
    m = _BY_MEASURE.search(plan.asked.core)
    unit = unit_of((m["unit"] or m["unit2"]).lower()) if m else None
    if m is None or unit is None or plan.asked.operation not in PLAIN_OPERATIONS or not _asks_money(plan):
        return None
    if _OF_ITS.match(plan.asked.core[m.end() :]):
        return nothing(plan, plan.subjects[0])
    number = 0.5 if (m["n"] or "").startswith("half") else 100.0 if m["n"] == "a hundred" else number_of(m["n"] or "1")
    priced = price_of(plan, finder)
    if priced is None or not number:
        return nothing(plan, plan.subjects[0])
    if any(u and u[1] == unit[1] for w in words_of(stated(priced[0])) if (u := unit_of(w))):
        return None
    if (told := told_with_its_amount(plan, finder, priced[1])) is not None:
        per, beside = told
        fits = convert(per.low, per.unit, unit[0])
        if not fits:
            return Result(reason=f"the price is told for {per.text}, which is another kind of amount")
        total = arithmetic.amount(round(priced[1].low * number / fits, 2), priced[1])
        amount = f"{arithmetic.plain_number(number)} {m['unit'] or m['unit2']}"
        ids = tuple(dict.fromkeys((*priced[0].ids, *beside)))
        return Result(f"{total} for {amount}: {priced[1].text} for {_an(per)}.", ids, priced[0].note)
    held = content_of(plan, finder, unit[1])
    whole = convert(held[1].low, held[1].unit, unit[0]) if held else None
    if held is None or not whole:
        return Result(reason="the price is told for one, and not how much that is")
    fact, price = priced
    total = arithmetic.amount(round(price.low * number / whole, 2), price)
    amount = f"{arithmetic.plain_number(number)} {m['unit'] or m['unit2']}"
    ids = tuple(dict.fromkeys((*fact.ids, *held[0].ids)))
    return Result(f"{total} for {amount}: {price.text} for {held[1].text}.", ids, fact.note)


_RATE = re.compile(
    r"(?:\b(?:per|each|every|in|for|to the|an?)|/) ?(?:an? )?(?P<q>(?:\d+ ?)?[a-z]{1,12})\b", re.IGNORECASE
)


#: "kcal 100g: 122 kcal": a key names the amount without "per".
_IN_KEY = re.compile(r"^[a-z ]*\b(?P<q>100 ?(?:g|ml))\b", re.IGNORECASE)


def told_for(text: str, figure: Quantity) -> Quantity | None:
    """The mass or volume that a figure is told for: 100 g of "500 kcal per 100 g"."""
    for m in (*_RATE.finditer(text), *_IN_KEY.finditer(text)):
        found = find_quantities(m["q"] if m["q"][0].isdigit() else f"1 {m['q']}")
        if found and found[0].dimension in ("mass", "volume") and found[0].low and found[0].text != figure.text:
            return replace(found[0], text=m["q"])
    return None


def told_with_its_amount(plan: Plan, finder: FactFinder, figure: Quantity) -> tuple[Quantity, tuple[str, ...]] | None:
    """ "price: 3 EUR" beside a page's "3 EUR a gram": the same sum, told with what it is paid for."""
    for e in finder.evidence:
        same = any(q.low == figure.low and q.unit == figure.unit for q in find_quantities(e.text))
        own = figure.dimension == "money" and (e.subject or "").lower() == plan.subjects[0].lower()
        if own and same and (per := told_for(e.text, figure)) is not None:
            return per, (e.id,)
    return None


def _an(amount: Quantity) -> str:
    return amount.text if amount.text[0].isdigit() else f"a {amount.text}"


_PARTS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
_PART = re.compile(
    r"(?<!and a )(?<!first )(?<!second )(?<!other )(?<!upper )(?<!lower )(?<!left )(?<!right )(?<!top )"
    r"(?<!bottom )(?<!back )(?<!front )(?<!which )(?<!what )(?<!last )(?<!latter )"
    r"\b(?:(?:an?|one) )?(?P<part>half|(?!(?:third|fifth|tenth) one\b)(?:third|quarter|fifth|tenth)) (?:of )?"
    r"(?:(?P<det>its|the|this|that|it|them|one|an?)\b(?! (?:dozen|hundred|thousand|million)\b)|(?P<full>full|empty)\b)",
    re.IGNORECASE,
)


#: "I read half of it, how many pages is that": not those of the whole.
_OF_THAT = re.compile(
    r"\bhow (?:many|much)\b.*\b(?:(?:is|are|was|were) (?:that|left)|left|remains?)\W*$", re.IGNORECASE
)


def part_of(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what is half its weight", "how much is in half a pack"."""
    core = plan.asked.core
    m = _PART.search(core)
    if m is None and _PART.search(plan.question) and _OF_THAT.search(core):
        return Result(reason="that is only a part of what is told")
    if (
        m is None
        or plan.asked.operation not in PLAIN_OPERATIONS
        or re.search(r"\b(?:who|when|where|why)\b", core, re.IGNORECASE)
    ):
        return None
    if unit_of((re.match(r"\s*([a-z]*)", core[m.end() :], re.IGNORECASE) or m)[1].lower()) is not None:
        return None  # "half an hour" is an amount of its own
    det = (m["det"] or "").lower()
    rest = "" if m["full"] else "a" if det in ("a", "an") else m["det"]
    asked = replace(take_apart(" ".join(f"{core[: m.start()]}{rest}{core[m.end() :]}".split())), operation="lookup")
    found = figure_of(plan, finder, replace(asked, factor=None))
    if found is None or found[1].dimension not in GROWS:
        return nothing(plan, plan.subjects[0])
    fact, whole = found
    if _PER.search(stated(fact)):
        return Result(reason="the figure is told for a measure of it, not for the whole")
    part = _PARTS[m["part"].lower()]
    return Result(f"{arithmetic.amount(whole.low * part, whole)}: a {m['part'].lower()} of {whole.text}.", fact.ids)


_PERCENT = re.compile(r"(?P<n>\d{1,2}(?:\.\d+)?) ?(?:%|percent\b|per cent\b)|\b(?P<half>half) price\b", re.IGNORECASE)
_OFF = re.compile(r"\b(?:off|discount\w*|reduc\w+|less|cheaper|rebate|sale|knock\w* down|down by)\b", re.IGNORECASE)
_ON = re.compile(
    r"\b(?:tips?|tipping|more|extra|on top|plus|rises?|increase\w*|goes up|went up|dearer|tax)\b", re.IGNORECASE
)
_ONLY_THAT = re.compile(
    r"\b(?:sav(?:e|es|ed|ing)|how much (?:is|would|does|do|will) (?:the|a|my) (?:tip|discount|reduction|rebate|tax|"
    r"rise)|how much (?:do|would|will|should) (?:i|we) tip)\b",
    re.IGNORECASE,
)


def with_percent(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what is it with 20 percent off", "how much do I save then", "with a tip of 10 %"."""
    m = _PERCENT.search(plan.question)
    if m is None or plan.asked.operation not in (*PLAIN_OPERATIONS, "difference"):
        return None
    off, on = _OFF.search(plan.question) or m["half"], _ON.search(plan.question)
    if bool(off) == bool(on) or not (_asks_money(plan) or _ONLY_THAT.search(plan.question)):
        return None
    priced = price_of(plan, finder)
    if priced is None:
        return nothing(plan, plan.subjects[0])
    fact, price = priced
    if find_percent(stated(fact)):
        return None
    share = 50.0 if m["half"] else float(m["n"])
    only = _ONLY_THAT.search(plan.question)
    total = price.low * (plan.asked.factor or 1.0) * (share if only else 100 - share if off else 100 + share) / 100
    which = (
        "half of"
        if m["half"]
        else f"{arithmetic.plain_number(share)} percent {'of' if only else 'off' if off else 'on top of'}"
    )
    return Result(f"{arithmetic.amount(round(total, 2), price)}: {which} {price.text}.", fact.ids, fact.note)


def find_percent(text: str) -> bool:
    """Whether the text gives a share in percent itself."""
    return any(q.dimension == "percent" for q in find_quantities(text))


_ONE = re.compile(r"\b(?:one|a single|a|each|every|per|single) (?:single )?(?P<noun>[a-z]{3,})\b", re.IGNORECASE)


_PORTIONS = re.compile(r"\b(?:servings|portions|slices|tablets|capsules|doses)\b")


def one_piece(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how much does one biscuit weigh", of a pack that is called biscuits: what the pack has, shared among them."""
    asked = plan.asked
    sized = re.search(r"\bhow (?:big|large) is\b", asked.core, re.IGNORECASE)
    if sized is None and not asked.expected.dimensions & {"mass", "money", "energy"}:
        return None
    if asked.operation not in PLAIN_OPERATIONS:
        return None
    named = {w.lower() for w in words_of(plan.subjects[0]) if w.lower().endswith("s")}
    named |= {w for e in finder.evidence if e.subject == plan.subjects[0] for w in _PORTIONS.findall(e.text.lower())}
    m = next((m for m in _ONE.finditer(asked.core) if _plural_of(m["noun"].lower()) & named), None)
    if m is None:
        return None
    noun = m["noun"].lower()
    (many,) = _plural_of(noun) & named
    plain = replace(asked, operation="lookup", factor=None)
    found = content_of(plan, finder, "mass") if sized else figure_of(plan, finder, plain)
    if found is None:
        return nothing(plan, plan.subjects[0])
    fact, whole = found
    if re.search(rf"\b(?:one|each|per|every|apiece|an?|piece|single|{noun})\b", stated(fact), re.IGNORECASE):
        return None if not re.search(r"\bper (?:100|\d)", stated(fact)) else nothing(plan, plan.subjects[0])
    counted = pieces_of(plan, finder, many)
    if counted is None or counted[1].low < 2:
        return Result(reason=f"the figure is told for all the {many}, and not how many they are")
    ids = tuple(dict.fromkeys((*fact.ids, *counted[0].ids)))
    each = arithmetic.amount(round(whole.low / counted[1].low, 2), whole)
    return Result(f"{each}: {whole.text} for {arithmetic.plain_number(counted[1].low)}.", ids, fact.note)


_PIECES = re.compile(r"\b(?:pieces?|pcs|units|count|contents)\b", re.IGNORECASE)


def pieces_of(plan: Plan, finder: FactFinder, many: str) -> tuple[Fact, Quantity] | None:
    """How many there are of what the thing is named for; "pieces" are what it is called."""
    named = {w.lower() for w in words_of(plan.subjects[0])}
    found = figure_of(plan, finder, take_apart(f"how many {many} are in it?"), 0.4)
    if found is None and many in named:
        own = [e for e in finder.evidence if _PIECES.search(f"{e.key or ''} {e.text}".replace("_", " "))]
        found = figure_of(
            plan, FactFinder(finder.plan, own, finder.encode), take_apart("how many pieces are in it?"), 0.4
        )
    return found if found is not None and found[1].dimension in ("count", "") else None


def _plural_of(noun: str) -> set[str]:
    return {f"{noun}s", f"{noun}es", re.sub(r"y$", "ies", noun)} - {noun}


_WHOLE = re.compile(r"\b(?:whole|entire|full|complete|all of (?:it|this|that|the))\b", re.IGNORECASE)
_HUNDRED = re.compile(
    r"\b(?:per|each|every|in|of|for|/)\s*(?P<q>100 ?(?:g|grams?|ml|millilitres?|milliliters?))\b", re.IGNORECASE
)


def whole_of(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many calories are in the whole jar", where they are told for 100 g."""
    asked = plan.asked
    if not _WHOLE.search(asked.core) or asked.operation not in PLAIN_OPERATIONS or _HUNDRED.search(asked.core):
        return None
    fact = fact_of(finder, plan.subjects[0], replace(asked, operation="lookup", factor=None), _LEAST)
    rate = _HUNDRED.search(stated(fact)) if fact else None
    value = measured(fact) if fact else None
    beside: tuple[str, ...] = ()
    if fact is not None and rate is None and value is not None and value.quantity is not None:
        rate, beside = _rate_told_elsewhere(plan, finder, value.quantity)
    if fact is None or rate is None or value is None or value.quantity is None:
        return None
    figure, per = value.quantity, find_quantities(rate["q"])[0]
    held = content_of(plan, finder, per.dimension)
    whole = convert(held[1].low, held[1].unit, per.unit) if held else None
    if held is None or whole is None or figure.low != figure.high:
        return Result(reason=f"the figure is told for {rate['q']}, and not how much there is")
    total = arithmetic.amount(round(figure.low * whole / per.low, 2), figure)
    ids = tuple(dict.fromkeys((*fact.ids, *beside, *held[0].ids)))
    return Result(f"{total}: {figure.text} for {rate['q']}, and there is {held[1].text}.", ids, fact.note)


def _rate_told_elsewhere(
    plan: Plan, finder: FactFinder, figure: Quantity
) -> tuple[re.Match[str] | None, tuple[str, ...]]:
    """ "sugar: 14 g" beside a page's "14 g of sugar in 100 g": the same figure, told with what it is told for."""
    if figure.dimension not in ("mass", "energy"):
        return None, ()
    for e in finder.evidence:
        rate = _HUNDRED.search(f"{key_words(e.key)} {e.text}" if e.key else e.text)
        same = any(q.low == figure.low and q.unit == figure.unit for q in find_quantities(e.text))
        if rate is not None and same and (e.subject or "").lower() == plan.subjects[0].lower():
            return rate, (e.id,)
    return None, ()


_CURRENCY = re.compile(
    r"\b(?:in|how many|how much in|into|to) (?:us |american |british |swiss )?"
    r"(?P<unit>dollars?|bucks|euros?|pounds?|quid|yen|rupees?|francs?|kronor|usd|eur|gbp|chf)\b",
    re.IGNORECASE,
)


def in_currency(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how much is that in dollars", where the sum is told in euros: what it comes to is not known."""
    m = _CURRENCY.search(plan.asked.core)
    if m is None or plan.asked.operation not in PLAIN_OPERATIONS or plan.group is not None:
        return None
    word = m["unit"].lower()
    unit = "GBP" if word.startswith("pound") else (unit_of(word) or ("", ""))[0]
    if word.startswith("pound") and plan.asked.expected.dimensions != {"money"}:
        return None
    fact = finder.fact(plan.subjects[0])
    sums = [q for q in find_quantities(stated(fact)) if q.dimension == "money"] if fact else []
    if fact is None or not sums or not dimension_of(unit) or any(q.unit == unit for q in sums):
        return None
    own = [e for e in finder.evidence if any(q.unit == unit for q in find_quantities(e.text))]
    if own and FactFinder(finder.plan, own, finder.encode).fact(plan.subjects[0]) is not None:
        return None
    return Result(reason=f"it is told as {sums[0].text}, and currencies are not converted")


__all__ = ["content_of", "figure_of", "stated"]
