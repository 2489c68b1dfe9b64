"""The last look at a sentence before it is shown: is everything in it carried by the evidence it names?

Independent of how the sentence was made: it knows only the sentence, its evidence and the question. Numbers must stand
in the evidence or follow from it by one step of arithmetic or a change of unit; names and dates must stand there.
Not a proof of meaning: a sentence that recombines true figures wrongly may pass.
"""

from __future__ import annotations

import calendar
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import replace

from dateutil.relativedelta import relativedelta

from assistant.core.types import Evidence, Sentence
from assistant.reading.negation import denies
from assistant.reading.operations.counting import listed
from assistant.reading.operations.diets import agrees
from assistant.text.attribute_keys import spoken_key
from assistant.text.english import FUNCTION_WORDS, negated, plain, words_of
from assistant.text.units import convert, dimension_of
from assistant.text.values import (
    NUMBER_WORDS,
    DateValue,
    Quantity,
    find_dates,
    find_names,
    find_quantities,
    split_list,
)
from assistant.understanding.plan import Plan

_DAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\bdaily\b", re.IGNORECASE)
_TOLERANCE = 0.011


def grounding_problem(sentence: Sentence, evidence: Sequence[Evidence], plan: Plan) -> str:
    """ "" when the cited evidence carries the sentence, else what it does not carry."""
    cited = [e for e in evidence if e.id in sentence.evidence_ids]
    if not cited:
        return "the sentence names no evidence"
    if plain(sentence.text) != " ".join(sentence.text.split()):
        return "the sentence is not plain text"
    known = " \n ".join(
        f"{e.subject or ''} \n {e.text} \n {e.value if e.value is not None else ''} \n {e.title or ''}" for e in cited
    )
    for check in (_numbers, _names, _subject, _polarity):
        reason = check(sentence.text, cited, known, plan)
        if reason:
            return reason
    return ""


def _squash(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def _digits(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.,]\d+)*", text)


def _numbers(text: str, cited: Sequence[Evidence], known: str, plan: Plan) -> str:
    stated = set(_digits(known)) | {d.replace(",", "") for d in _digits(known)}
    given = set(_digits(plan.question)) | set(_digits(" ".join(plan.subjects)))
    given |= {f"{q.low:g}" for q in find_quantities(plan.question)} | (
        {f"{plan.asked.factor:g}"} if plan.asked.factor else set()
    )
    pool = [q for e in cited for q in (*find_quantities(_of(e)), *find_quantities(spoken_key(e.key) if e.key else ""))]
    dates = [d for e in cited for d in find_dates(_of(e))]
    for token in _digits(_without_dates(text, dates)):
        if token in stated or token.replace(",", "") in stated or token in given:
            continue
        number = float(token.replace(",", "")) if token.count(".") < 2 else None
        if number is not None and _follows(number, text, pool, dates, cited, plan):
            continue
        return f"the number {token} is not in the evidence"
    return ""


def _without_dates(text: str, dates: Sequence[DateValue]) -> str:
    """The text without the dates that the evidence states, in whatever form: "1936-07-04" as "4 July 1936"."""
    known = {(d.year, d.month, d.day) for d in dates}
    for d in reversed(find_dates(text)):
        if (d.year, d.month, d.day) in known:
            text = f"{text[: d.start]} {text[d.end :]}"
    return text


def _of(e: Evidence) -> str:
    return str(e.value) if e.value is not None else e.text


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= _TOLERANCE * max(1.0, abs(b)) if b else abs(a) < 1e-9


def _follows(
    number: float,
    text: str,
    pool: Sequence[Quantity],
    dates: Sequence[DateValue],
    cited: Sequence[Evidence],
    plan: Plan,
) -> bool:
    """One step from the evidence: another unit, a sum, mean, difference, ratio, multiple, count, or span of years."""
    if any(_near(number, q.low) or _near(number, q.high) for q in pool):
        return True
    units = {q.unit for q in find_quantities(text)} | ({plan.asked.unit} if plan.asked.unit else set())
    values: list[float] = []
    for q in pool:
        for unit in units | {q.unit}:
            for side in (q.low, q.high):
                changed = side if unit == q.unit else (convert(side, q.unit, unit) if dimension_of(unit) else None)
                if changed is not None:
                    values.append(changed)
    if any(_near(number, v) for v in values):
        return True
    if plan.asked.factor and any(_near(number, v * plan.asked.factor) for v in values):
        return True
    for a, b in itertools.combinations(values[:24], 2):
        if any(_near(number, v) for v in (a + b, abs(a - b), (a + b) / 2)) or (
            a and b and (_near(number, a / b) or _near(number, b / a))
        ):
            return True
    lows = [q.low for q in pool]
    if any(_near(number, total) or _near(number, total / n) for total, n in _sums(pool, units) if n > 2):
        return True
    if _with_own_figures(number, values, plan) or _with_shown_figures(number, text, pool, plan):
        return True
    if 2 < len(lows) <= 8 and (_near(number, sum(lows)) or _near(number, sum(lows) / len(lows))):
        return True
    if _scheduled(number, pool, dates, plan):
        return True
    days = {abs((a.first_day - b.first_day).days) for a, b in itertools.combinations([d for d in dates if d.day], 2)}
    if any(number in (n, n + 1) or number * 7 == n + 1 for n in days):  # from … until …, both days counted
        return True
    if number == sum(e.kind == "text" for e in cited) - 1:  # cells counted beside their label
        return True
    if any(number in (len(split_list(_of(e))), len(_of(e).split(", "))) for e in cited) or number == len(cited):
        return True
    years = [d.year for d in dates]
    asked = [int(y) for y in re.findall(r"\b(?:1\d|20)\d\d\b", plan.question)]
    spans = {abs(a - b) for a, b in itertools.combinations(years, 2)} | {plan.today.year - y for y in years}
    if number in {abs(a - y) for a, y in itertools.product(asked, years)}:
        return True
    return any(number in (s, s - 1) for s in spans)


def _sums(pool: Sequence[Quantity], units: set[str]) -> list[tuple[float, int]]:
    """Sums over all figures of one dimension, in each of the units that the sentence speaks of."""
    out = []
    for unit in units:
        same = [q.low if q.unit == unit else convert(q.low, q.unit, unit) if dimension_of(unit) else None for q in pool]
        known = [v for v in same if v is not None]
        if known:
            out.append((sum(known), len(known)))
    return out


def _with_own_figures(number: float, values: Sequence[float], plan: Plan) -> bool:
    """One step with a figure that the question brings: hours times watts, a note less a price, a sum by a price."""
    asked = find_quantities(plan.question)
    own = {q.low for q in asked} | {
        d for q in asked for unit in ("day", "hour") if (d := convert(q.low, q.unit, unit)) is not None
    }
    own |= {n for w in words_of(plan.question) if (n := NUMBER_WORDS.get(w.lower())) is not None}
    count = plan.asked.factor or 1.0
    for n, v in itertools.product(own, values[:24]):
        results = [n * v, n * v / 100, n * v / 1000, n - count * v, math.floor(n / v + 1e-9) if v else -1.0]
        results += [v / n, math.floor(v / n + 1e-9)] if n else []
        if any(_near(number, r) for r in results):
            return True
    return False


_SPAN = re.compile(r"\b(?:day|week|month|year)\b", re.IGNORECASE)
#: How many of one span of time there are in another.
_SPANS_IN = (7.0, 12.0, 52.0, 365.0, 365 / 12, 52 / 12)
_A_UNIT = re.compile(
    r"\b(?:(?P<part>half|a quarter of) )?(?:an?|one) "
    r"(?=(?:kilo|kg|litre|liter|pound|metre|meter|hour|day|week|ton|tonne)\b)",
    re.IGNORECASE,
)
_PARTS = {"half": 2.0, "third": 3.0, "quarter": 4.0, "fifth": 5.0, "tenth": 10.0}


def _with_shown_figures(number: float, text: str, pool: Sequence[Quantity], plan: Plan) -> bool:
    """A step over figures that the sentence itself shows: a price by a weight for as much as the question says, so
    many percent off, a month of a year.
    """
    shown = [q for q in find_quantities(text) if any(_near(q.low, p.low) for p in pool)]
    asked = find_quantities(_A_UNIT.sub(_as_number, plan.question))
    amounts = (
        {1.0}
        | {q.low for q in (*asked, *shown)}
        | {1 / n for w in words_of(plan.question.lower()) if (n := _PARTS.get(w))}
    )
    units = {q.unit for q in (*shown, *asked) if dimension_of(q.unit)}
    # Between the units that were named, and no others: a slip of the decimal point is no step.
    steps_between = {1.0} | {k for u, v in itertools.permutations(units, 2) if (k := convert(1.0, u, v))}
    for a, b in itertools.permutations([q.low for q in shown], 2):
        if b and _near(number, abs(a - b) / b * 100):
            return True
        steps = ((a * n * k / b, a * b * n / k) for n in amounts for k in steps_between if b)
        if any(_near(number, r) for two in steps for r in two):
            return True
    counts = [q.low for q in asked] + [NUMBER_WORDS[w] for w in words_of(plan.question.lower()) if w in NUMBER_WORDS]
    for a, b in itertools.combinations([q.low for q in shown], 2):  # so many of one and so many of the other
        if any(_near(number, a * n + b * m) for n, m in itertools.product([1.0, *counts], repeat=2)):
            return True
    wanted = [*asked, *(replace(a, low=a.low * b.low) for a, b in itertools.permutations(asked, 2))]
    for q, one in itertools.product(wanted, [*shown, *_products(shown)]):
        all_of_it = convert(q.low, q.unit, one.unit) if dimension_of(one.unit) and dimension_of(q.unit) else q.low
        if all_of_it and one.low and number in (math.ceil(all_of_it / one.low - 1e-6), round(all_of_it / one.low, 1)):
            return True
    shares = [q.low for q in asked if q.dimension == "percent"]
    factors = [f for p in shares for f in (1 - p / 100, 1 + p / 100)]
    factors += [1 / n for word, n in _PARTS.items() if re.search(rf"\b{word}\b", text, re.IGNORECASE)]
    if len({m.group().lower() for m in _SPAN.finditer(text)}) > 1:
        factors += [f for k in _SPANS_IN for f in (k, 1 / k)]
    count = plan.asked.factor or 1.0
    return any(_near(number, a * f * c) for a in (q.low for q in shown) for f in factors for c in (1.0, count))


def _as_number(m: re.Match[str]) -> str:
    """ "a", "half a", "a quarter of a" before a unit."""
    part = (m["part"] or "").lower()
    return "0.5 " if part == "half" else "0.25 " if part else "1 "


def _products(shown: Sequence[Quantity]) -> list[Quantity]:
    """What so many litres cover, each of them so much."""
    return [replace(a, low=a.low * b.low) for a, b in itertools.permutations(shown, 2)]


def _scheduled(number: float, pool: Sequence[Quantity], dates: Sequence[DateValue], plan: Plan) -> bool:
    """A total at the question's pace, or a part of the question's date moved on by a span of the evidence."""
    for own in find_quantities(plan.question):
        for q in pool:
            same = (
                q.low
                if q.unit == own.unit or {q.dimension, own.dimension} <= {"count", ""}
                else convert(q.low, q.unit, own.unit)
            )
            if same is not None and own.low > 0 and number == math.ceil(same / own.low - 1e-9):
                return True
            alike = q.unit == own.unit or {q.dimension, own.dimension} <= {"count", ""}
            if alike and _near(number, abs(own.low - q.low)):  # what is left of a payment
                return True
    for day in find_dates(plan.question):
        for q in pool:
            months, days = convert(q.low, q.unit, "month"), convert(q.low, q.unit, "day")
            ends = (
                [day.first_day + relativedelta(months=round(months))] if months and q.unit in ("year", "month") else []
            )
            ends += (
                [day.first_day + relativedelta(days=round(days))] if days and q.unit not in ("year", "month") else []
            )
            if any(number in (e.year, e.day, e.month) for e in ends):
                return True
    return False


def _names(text: str, cited: Sequence[Evidence], known: str, plan: Plan) -> str:
    there = f" {_squash(known)} "
    asked = f" {_squash(plan.question)} {_squash(' '.join(plan.subjects))} {_squash(' '.join(plan.answer_names))} "
    for name in find_names(text):
        words = [w for w in words_of(name) if w.lower() not in FUNCTION_WORDS and not w.isdigit()]
        for word in words:
            bare = re.sub(r"['’]s$", "", word)
            form = f" {_squash(bare)} "
            if word in calendar.day_name and _DAY.search(known):
                continue  # "Mon-Fri" speaks of Wednesday, too
            if (
                form not in there
                and form not in asked
                and not text.strip().startswith(word)
                and f": {word}" not in text
            ):
                return f"the name {name} is not in the evidence"
    return ""


def _subject(text: str, cited: Sequence[Evidence], known: str, plan: Plan) -> str:
    """A sentence about the subject must rest on evidence about it, or about what its evidence leads to."""
    if all(e.kind in ("text", "code", "entity") for e in cited) or not plan.subjects:
        return ""
    allowed = {s.lower() for s in plan.subjects} | {n.lower() for n in plan.answer_names}
    rest = " ".join(_of(e).lower() for e in cited if (e.subject or "").lower() in allowed or e.kind in ("text", "code"))
    for e in cited:
        subject = (e.subject or "").lower()
        if subject and subject not in allowed and subject not in rest:
            return f"the evidence speaks of {e.subject}, which the question does not lead to"
    return ""


#: What was worked out of opening hours: "No: on Monday it is closed" rests on no negation.
_OF_THE_DAY = re.compile(r"(?:on [A-Z][a-z]+day it is|the day on which it is) ")


def _polarity(text: str, cited: Sequence[Evidence], known: str, plan: Plan) -> str:
    """ "Yes" or "No" must agree with the statement it gives as the reason, when that is a plain statement."""
    m = re.match(r"^(Yes|No): (.+)$", text, re.DOTALL)
    if not m or len(cited) != 1 or cited[0].key is not None or find_quantities(m.group(2)) or find_dates(m.group(2)):
        return ""
    if _OF_THE_DAY.match(m.group(2)):
        return ""
    if (fits := agrees(plan, m.group(1) == "Yes", cited[0], known)) is not None:
        return "" if fits else "the answer says the opposite of its evidence"
    if len(listed(cited[0].text)) > 1:
        return ""  # what a list says yes to is what it names
    says_yes = denies(cited[0].text, plan.asked.core) == negated(plan.asked.core)
    return "" if says_yes == (m.group(1) == "Yes") else "the answer says the opposite of its evidence"
