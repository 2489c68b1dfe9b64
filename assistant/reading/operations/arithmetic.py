"""Reckoning with a figure of the question and one or two facts: change from a note, how many a sum buys, energy from
power and hours, ages and spans between two events.

Each gives the result first and the figures it was made from after it. Nothing is worked out from two currencies.
"""

from __future__ import annotations

import re

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.operations.budget import bare_sum
from assistant.reading.operations.tickets import of_other_visitors
from assistant.reading.results import Result, abstain, state_fact
from assistant.reading.scoring.measures import NO_PRICE, bare_question, quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.values import DateValue, Quantity, find_quantities, number_of
from assistant.understanding.calculations import wants
from assistant.understanding.classifiers.calculation import NUMBER
from assistant.understanding.intent import parse_clause
from assistant.understanding.plan import Plan

#: Less is enough for a price or a power rating: evidence of another kind was left out before.
TYPED_THRESHOLD = 0.3
_CHANGE = re.compile(
    r"\b(?:change|(?:come|comes|get|gets|give|gives|hand|hands|have) (?:\w+ )?back"
    r"|back from|left from|left over|(?:have|be|is|what['’]s) left|remains?|give me back)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\b(?:an?|my|the)\s+(?P<n>five|ten|twenty|fifty|hundred|5|10|20|50|100)(?:er)?(?:[\s-](?:note|"
    r"bill))?\b(?!\s*(?:of|percent|%))",
    re.IGNORECASE,
)
#: "paying 20 for it, how much comes back": so much money, without its name.
_BARE = re.compile(
    r"\b(?:pay|paid|paying|pays|(?:pay|paid|paying) with|hand over|handing over|gave|give|giving|with|from|"
    r"out of) (?:(?:him|her|them|you) )?(?P<n>\d{1,4})\b(?![.,]\d| ?(?:%|percent|of\b|[a-z]+s\b))",
    re.IGNORECASE,
)
#: "both this and the other one": what is paid is not for one thing alone.
_WITH_ANOTHER = re.compile(
    r"\bboth (?:this|it|that|the|of)\b|\b(?:this|it|that)(?: one)? and (?:the|this|that|its|their|another|an?) ",
    re.IGNORECASE,
)
_HANDED = re.compile(r"\b(?:pay|paid|hand|give|gave|note|bill|with)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many\b(?! (?:euros?|dollars?|pounds?|cents?|francs?))", re.IGNORECASE)
_ENERGY = re.compile(
    r"\b(?:k?wh|kilo ?watt[\s-]?hours?|watt[\s-]?hours?|energy|electric(?:ity)?|current|power)\b"
    r"|\badd to my (?:meter|bill)\b",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"\b(?:enough|afford|suffic\w+|(?:can|could|may) (?:i|we|they|he|she) (?:(?:all|both|even) )*"
    r"(?:get|buy|have|take|visit|go|come|pay|cross|ride|leave)|cover|(?:will|would|does) (?:that|it|this|they|\d+ \w+) "
    r"(?:pay|do|be enough|cover|get us|buy))\b",
    re.IGNORECASE,
)


def price_of(plan: Plan, finder: FactFinder) -> tuple[Fact, Quantity] | None:
    """What one piece costs, as one exact figure."""
    asked = bare_question("what does it cost?", "money", "what is its price?")
    if re.search(
        r"\b(?:tickets?|admission|entry|entrance|adults?|visit|get in|"
        r"(?:of us|people) (?:\w+ )?(?:in|into)|at the door)\b",
        plan.question,
        re.IGNORECASE,
    ):
        asked = bare_question("how much is a ticket?", "money", "what is its admission price?", "what is its price?")
    for_them = [e for e in finder.evidence if not of_other_visitors(e, plan.question)]
    fact = quantity_fact(FactFinder(finder.plan, for_them, finder.encode), plan.subjects[0], asked, TYPED_THRESHOLD)
    m = wanted_measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    return fact, m.quantity


def sum_in_hand(question: str, like: Quantity | None = None, handed: bool = False) -> float | None:
    """The money that the question brings: "20 euros", or "a ten" where it is handed over.

    Args:
        handed: it is known to be handed over, whatever the words.
    """
    paid = [q for q in find_quantities(question) if q.dimension == "money"]
    if paid:
        top = max(paid, key=lambda q: q.low)
        return top.low if like is None or top.unit == like.unit else None
    m = _NOTE.search(question)
    if m is not None and (handed or _HANDED.search(question)):
        return number_of(m["n"])
    m = _BARE.search(question) if _CHANGE.search(question) else None
    return number_of(m["n"]) if m else None


def change(plan: Plan, finder: FactFinder) -> Result | None:
    """ "I pay two of them with a twenty, what do I get back"."""
    meant = wants("change", plan)
    if not (meant or _CHANGE.search(plan.question)) or sum_in_hand(plan.question, handed=meant) is None:
        return None
    if _WITH_ANOTHER.search(plan.question):
        return Result(reason="the two cannot be paid for together")
    priced = price_of(plan, finder)
    if priced is None:
        return abstain(plan, plan.subjects[0])
    fact, price = priced
    paid = sum_in_hand(plan.question, price, handed=meant)
    if paid is None:
        return Result(reason="the price is in another currency than the sum in the question")
    count = plan.asked.factor or 1.0
    total = price.low * count
    if total > paid:
        return Result(f"Nothing: it is not enough, as {_several(count, total, price)}.", fact.ids, fact.note)
    return Result(f"{arithmetic.amount(paid - total, price)}: {_several(count, total, price)}.", fact.ids, fact.note)


def _several(count: float, total: float, price: Quantity) -> str:
    if count == 1:
        return f"one costs {price.text}"
    return f"{arithmetic.plain_number(count)} cost {arithmetic.amount(total, price)}"


def how_many_for(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many could I buy with 30 euros"."""
    if not any(q.dimension == "money" for q in find_quantities(plan.question)):
        return None
    if not _HOW_MANY.search(plan.question) and not wants("buys", plan):
        return None
    priced = price_of(plan, finder)
    if priced is None:
        return abstain(plan, plan.subjects[0])
    fact, price = priced
    paid = sum_in_hand(plan.question, price)
    if paid is None or price.low <= 0:
        return Result(reason="the price is in another currency than the sum in the question")
    return Result(f"{int(paid / price.low + 1e-9)}: one costs {price.text}.", fact.ids, fact.note)


def affordable(plan: Plan, finder: FactFinder) -> Result | None:
    """ "is 20 euros enough for four": the total against the sum in the question."""
    named, meant = sum_in_hand(plan.question), wants("enough", plan)
    bare = bare_sum(plan.question, meant) if named is None else None
    asks = ("yesno", "compare", "sum") if bare else ("yesno",)
    if (plan.asked.operation not in asks and not meant) or (named is None and bare is None):
        return None
    if bare is None and not meant and not plan.asked.factor and not _ENOUGH.search(plan.question):
        return None
    priced = price_of(plan, finder)
    if priced is None:
        return abstain(plan, plan.subjects[0])
    fact, price = priced
    count = plan.asked.factor or (_counted(plan.question) if meant else None) or 1.0
    paid, count = bare or (sum_in_hand(plan.question, price), count)
    if paid is None:
        return Result(reason="the price is in another currency than the sum in the question")
    total = price.low * count
    return Result(f"{'Yes' if total <= paid else 'No'}: {_several(count, total, price)}.", fact.ids, fact.note)


def _counted(question: str) -> float | None:
    """How many of it: the one number of the question beside the money."""
    sums = [q for q in find_quantities(question) if q.dimension == "money"]
    others = [m for m in NUMBER.finditer(question) if not any(q.start <= m.start() < q.end for q in sums)]
    return number_of(others[0].group()) if len(others) == 1 else None


def energy(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many kWh does it use in eight hours": power times time."""
    asked = plan.asked.expected
    if not (asked.dimensions == {"energy"} and "calor" not in asked.noun) and not _ENERGY.search(plan.question):
        return None
    spans = [q for q in find_quantities(plan.question) if q.dimension == "time" and q.low == q.high]
    hours = spans[0].to("hour") if len(spans) == 1 else None
    if hours is None or re.search(r"\bhow (?:long|many hours)\b", plan.question, re.IGNORECASE):
        return None
    question = bare_question("how many watts does it draw?", "power", "what is its power?")
    fact = quantity_fact(finder, plan.subjects[0], question, TYPED_THRESHOLD)
    m = wanted_measure(fact) if fact else None
    watts = m.quantity.to("watt") if m is not None and m.quantity is not None else None
    if fact is None or watts is None or watts.low != watts.high or m is None:
        return abstain(plan, plan.subjects[0])
    used = watts.low * hours.low / 1000
    if _ASKS_COST.search(plan.question):
        return Result(reason="what the energy costs is not worked out")
    wanted = plan.asked.unit or asked.unit
    shown = f"{_exact(used)} kWh" if wanted != "watt_hour" else f"{_exact(used * 1000)} Wh"
    return Result(f"{shown}: {m.stated} for {spans[0].text.removeprefix('for ')}.", fact.ids, fact.note)


#: "what does it cost to run it for two hours at 30 cents a kWh": no amount of energy answers that.
_ASKS_COST = re.compile(r"\b(?:costs?|pay|price of|expensive)\b", re.IGNORECASE)


def _exact(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


_WHEN = (
    r"(?:when|at the time(?: (?:when|that))?|in the year(?: (?:when|that|in which))?|the year|the day|the moment|"
    r"on the day(?: (?:when|that))?|by the time|as)"
)
_AGE_AT = re.compile(
    rf"\bhow (?:old|many years old) (?:was|were|is) (?P<who>.+?),? {_WHEN} (?P<when>.+)$"
    r"|(?P<who2>(?:the|its|their|this)\b[^,?]+), how (?:old|many years old) (?:was|were) (?:it|he|she|they) "
    r"when (?P<when2>.+)$"
    rf"|\bage (?:of|for|did) (?P<who3>(?:the|its|their|his|her|this)\b[^,?]+?),? (?:have )?{_WHEN} (?P<when3>.+)$"
    r"|\b(?P<who4>(?:the|its|their|his|her) \w+)['’]s? age (?:when|at the time) (?P<when4>.+)$"
    # "what age had the writer at the time it was published", "how many birthdays had she had when it came out"
    rf"|\b(?:(?:at )?(?:what|which) age (?:had|was|were|is)|how many (?:birthdays|years|summers) had) (?P<who5>.+?)"
    rf"(?: (?:behind (?:them|him|her)|had|lived|seen|on (?:his|her|their) back))*,? {_WHEN} (?P<when5>.+)$",
    re.IGNORECASE,
)
#: "at what age did the author bring out this book": somebody's age at a deed of his own.
_AGE_DOING = re.compile(
    r"\b(?:at )?(?:what|which) age (?:did|had|was|has) "
    r"(?P<who>(?:the|its|his|her|this|that|whoever|somebody|someone|he|she)\b"
    r"(?: [a-z]+(?: (?:of|behind|who|that) [^,?]+?)?)??) (?P<does>(?!when\b|at\b|on\b|by\b|old\b)[a-z]+)"
    r"(?: (?P<part>out|up|down|in|on))? (?P<what>(?:this|that|it|the|these)\b[^,?]*)$",
    re.IGNORECASE,
)
#: "how old was whoever wrote it at the time": the time of what he did.
_AGE_THEN = re.compile(
    r"\bhow (?:old|many years old) was (?P<who>whoever|the (?:person|man|woman|one|\w+(?:er|or|ist)) (?:who|that)) "
    r"(?P<verb>\w+) (?P<what>.+?),? (?:at the time|at that time|back then|then|by then|that (?:year|day))$"
    r"|\bhow (?:old|many years old) was (?P<who2>whoever|the (?:person|man|woman|one|\w+(?:er|or|ist)) (?:who|that)) "
    r"(?P<verb2>\w+) (?P<what2>.+?) when (?:he|she|they) (?:did|made|wrote|built) (?:it|so|that|this)$",
    re.IGNORECASE,
)
#: People are born, and not founded.
_SOMEBODY = re.compile(
    r"(?:whoever|who|the (?:person|man|woman|girl|boy|lady|guy|artist|one) (?:who|that|behind))\b", re.I
)
#: Past forms that are no participles.
_PARTICIPLES = {
    "wrote": "written",
    "drew": "drawn",
    "took": "taken",
    "gave": "given",
    "sang": "sung",
    "grew": "grown",
    "wove": "woven",
    "broke": "broken",
    "began": "begun",
    "flew": "flown",
    "chose": "chosen",
}
_YEARS_AFTER = re.compile(
    r"\bhow (?:many years|long) (?P<order>after|before) (?P<a>.+?) (?:was|were|did|is) (?P<b>.+)$", re.IGNORECASE
)
_BORN = ("when was {} born?", "when was {} founded?", "when was {} built?")
_EVENT = re.compile(
    r"^(?P<np>(?:this|the|its) (?!was|is|were|did)\w+|it|this|that|these|he|she|they)\s+(?P<verb>\w+)\s*(?P<rest>.*)$",
    re.IGNORECASE,
)


def age_at(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how old was its author when it came out": the years between a beginning and another event."""
    core = plan.asked.core.strip(" ?.!")
    if then := _AGE_THEN.search(core):
        done, what = (then["verb"] or then["verb2"]).lower(), then["what"] or then["what2"]
        who, asks = f"{then['who'] or then['who2']} {done} {what}", f"when was it {_PARTICIPLES.get(done, done)}?"
    elif m := _AGE_AT.search(core):
        who = (m["who"] or m["who2"] or m["who3"] or m["who4"] or m["who5"]).strip()
        asks = _when((m["when"] or m["when2"] or m["when3"] or m["when4"] or m["when5"]).strip())
    elif doing := _AGE_DOING.search(core):
        who, asks = _doer(doing)
    else:
        return None
    later = _dated(plan, finder, asks)
    forms = _BORN[:1] if _SOMEBODY.match(who) else _BORN
    starts = [d for form in forms if (d := _dated(plan, finder, form.format(who))) is not None]
    if later is None or not starts:
        return abstain(plan, plan.subjects[0])
    first = max(starts, key=lambda d: d[0].probability)
    return _span(plan, first, later)


def _doer(m: re.Match[str]) -> tuple[str, str]:
    """Who did it and when: "somebody" is whoever did it."""
    does = f"{m['does']} {m['part']}" if m["part"] else m["does"]
    who = f"whoever did {does} {m['what']}" if re.match(r"some", m["who"], re.IGNORECASE) else m["who"]
    return who, f"when did {m['who']} {does} {m['what']}?"


def years_after(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many years after it was built was it restored": two dates of one subject."""
    m = _YEARS_AFTER.search(plan.asked.core.strip(" ?.!"))
    if m is None:
        return None
    one, two = _dated(plan, finder, _when(m["a"])), _dated(plan, finder, f"when was {m['b']}?")
    if one is None or two is None:
        return abstain(plan, plan.subjects[0])
    return _span(plan, one, two)


def _when(event: str) -> str:
    """ "this was introduced" → "when was this introduced?"."""
    found = _EVENT.match(event)
    if not found or found["verb"].lower() not in ("was", "were", "is", "did", "had", "has"):
        return (
            f"when was the date when {event}?"
            if not found
            else f"when did {found['np']} {found['verb']} {found['rest']}?"
        )
    return f"when {found['verb']} {found['np']} {found['rest']}?"


def _dated(plan: Plan, finder: FactFinder, question: str) -> tuple[Fact, DateValue] | None:
    asked = parse_clause(question)
    plain = not re.search(r"\b(?:its|the|their|his|her|whoever)\b", question)
    fact = quantity_fact(finder, plan.subjects[0], asked) if plain else finder.fact(plan.subjects[0], asked)
    m = wanted_measure(fact) if fact else None
    return (fact, m.date) if fact is not None and m is not None and m.date is not None else None


def _span(plan: Plan, first: tuple[Fact, DateValue], second: tuple[Fact, DateValue]) -> Result:
    if first[0].evidence.id == second[0].evidence.id or first[1].span_years > 1 or second[1].span_years > 1:
        return Result(reason="the two dates cannot be told apart")
    years = arithmetic.years_between(first[1], second[1])
    earlier, later = sorted((first, second), key=lambda d: d[1].order)
    shown = f"from {earlier[1].text} to {later[1].text}"
    return Result(f"{years} years: {shown}.", tuple(dict.fromkeys((*first[0].ids, *second[0].ids))))


def total_price(plan: Plan, finder: FactFinder) -> Result | None:
    """ "I need 8 of these, what is that": the price so many times."""
    asked = plan.asked
    if asked.operation != "multiply" or asked.expected.dimensions != {"money"} or not asked.factor:
        return None
    if NO_PRICE.search(asked.core):  # so many times another sum of money
        return None
    priced = price_of(plan, finder)
    if priced is None:
        return abstain(plan, plan.subjects[0])
    fact, price = priced
    total = arithmetic.amount(price.low * asked.factor, price)
    return Result(f"{total} for {arithmetic.plain_number(asked.factor)}: {state_fact(fact, plan)}", fact.ids, fact.note)
