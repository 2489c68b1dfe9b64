"""Things held against each other: compared, added up, averaged, their difference and ratio.

Each subject is asked for the same property in the same words; figures count together only when they are of one kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.core.logistic import logit
from assistant.reading.compose import join_list, sentence_case
from assistant.reading.fact_finder import ANSWER_THRESHOLD, Fact, FactFinder
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.measures import quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.arithmetic import Measure
from assistant.text.attribute_keys import key_words
from assistant.text.english import base_adjective, content_stems, shared, words_of
from assistant.text.values import Quantity
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.plan import Plan
from assistant.understanding.property_queries import BEGINNINGS
from assistant.understanding.scales import GROWN

#: Things whose best facts have the same key confirm each other, so that less is enough.
PAIRED_THRESHOLD = 0.15
#: Enough for one whose others are so sure that all together are as likely as not.
CARRIED_THRESHOLD = 0.2
#: How much there is of a written work, for "longer" and "thicker" where nothing has a length.
_EXTENT = ParsedQuestion(
    "how many pages does it have?",
    ("what is its number of pages?",),
    Expected("count", frozenset({"count", ""}), "pages"),
    "lookup",
)
#: How long it takes, for "longer" where nothing has a length.
_LASTING = ParsedQuestion(
    "how long does it last?",
    ("how long does it last?", "how many minutes does it take?"),
    Expected("quantity", frozenset({"time"})),
    "lookup",
)
#: How many there is room for, for "roomier" where nothing has a volume.
_PEOPLED = ParsedQuestion(
    "how many people does it hold?",
    ("how many people does it hold?", "how many seats does it have?"),
    Expected("count", frozenset({"count", ""})),
    "lookup",
)
#: What is given for a measure of the thing, and does not grow with the number of things.
_RATE = re.compile(
    r"(?:\b(?:per|each|every)|/)\s*(?:100|\d+\s?(?:g|ml|l|kg)\b|portion|serving|person|day|hour)"
    r"|\b(?:of|in|for) (?:every |each )?100\b",
    re.IGNORECASE,
)


#: Less is enough where the kind of value agrees; where the key does, still less (`PAIRED_THRESHOLD`).
_ALIKE_THRESHOLD = 0.3
#: Things of one group whose figures differ by more than this factor have hardly been asked for the same property.
#: Unless each of them is as probable as this.
_UNLIKE, _SURE = 40.0, 0.85
_AMOUNTS = frozenset({"mass", "volume", "energy"})


def _wordings(asked: ParsedQuestion) -> list[ParsedQuestion]:
    """Ways to ask one thing for its place on the scale."""
    out = [asked]
    if asked.scale is not None and asked.scale.noun in ("length", "thickness"):
        out.append(replace(_EXTENT, scale=replace(asked.scale, dimensions=frozenset({"count", ""}))))
    return out


def _fact_of(finder: FactFinder, subject: str, asked: ParsedQuestion) -> Fact | None:
    """The fact for one thing; how it began may be told in many words, so that its age is asked for in all of them."""
    if asked.about != BEGINNINGS:
        return quantity_fact(finder, subject, asked, PAIRED_THRESHOLD)
    found = [
        quantity_fact(finder, subject, replace(asked, about=BEGINNINGS[i : i + 2]), PAIRED_THRESHOLD)
        for i in range(0, len(BEGINNINGS), 2)
    ]
    return max((f for f in found if f is not None), key=lambda f: f.probability, default=None)


def facts_of(
    plan: Plan, finder: FactFinder, asked: ParsedQuestion | None = None
) -> tuple[list[Fact], list[Measure], Result | None]:
    """The facts of all subjects and their measures in one unit; or the reason why there are none."""
    wordings = _wordings(asked or plan.asked)
    tried = [_facts_as(plan, finder, wording) for wording in wordings]
    whole = [t for t in tried if t[2] is None]
    if wordings[0].scale is not None and wordings[0].scale.noun == "length" and tried[0][2] is not None:
        lasting = _facts_as(plan, finder, replace(_LASTING, operation=wordings[0].operation, scale=wordings[0].scale))
        whole = [lasting] if lasting[2] is None else whole  # a lecture is so many minutes long before so many slides
    if not whole and wordings[0].scale is not None and wordings[0].scale.noun == "height":  # of plants it is told so
        tried.append(_facts_as(plan, finder, replace(wordings[0], about=(GROWN,))))
        whole = [t for t in tried if t[2] is None]
    if not whole and wordings[0].scale is not None and wordings[0].scale.noun == "capacity":  # of halls it is seats
        peopled = replace(_PEOPLED, operation=wordings[0].operation, scale=wordings[0].scale)
        tried.append(_facts_as(plan, finder, peopled))
        whole = [t for t in tried if t[2] is None]
    if not whole:
        again = [_facts_as(plan, finder, w) for w in _of_one_kind(wordings[0], tried[0][1])]
        whole = [t for t in again if t[2] is None]
    return max(whole, key=lambda t: min(f.probability for f in t[0])) if whole else tried[0]


#: Prices are compared only where the question speaks of money.
_OF_MONEY = re.compile(
    r"\b(?:price|cost|cheap|dear|expensive|worth|value|pay|money|euro|afford|insured?|prize|fee)", re.IGNORECASE
)


def _of_one_kind(asked: ParsedQuestion, measures: Sequence[Measure]) -> list[ParsedQuestion]:
    """The question for each kind of figure that was found of some: where one thing's is of another kind, or of none."""
    kinds = {"date" for m in measures if m.date} | {m.quantity.dimension for m in measures if m.quantity}
    if len(asked.expected.dimensions) == 1:
        return []
    if not _OF_MONEY.search(asked.core):
        kinds -= {"money"}
    return [
        replace(asked, expected=Expected("date" if kind == "date" else "quantity", frozenset({kind})))
        for kind in sorted(kinds - {"", "count"})
    ]


def _counts(measures: Sequence[Measure]) -> list[Measure]:
    """Bare figures beside counts are counts, also where they could be years: "1169" beside "1,848"."""
    if not any(m.quantity and m.quantity.dimension in ("", "count") for m in measures):
        return list(measures)
    return [
        replace(m, date=None, quantity=Quantity(float(m.stated), float(m.stated), "", "", m.stated, 0, 4))
        if m.date and re.fullmatch(r"\d{4}", m.stated.strip())
        else m
        for m in measures
    ]


def _without_rates(finder: FactFinder) -> FactFinder:
    """What is given for a measure of the thing ("in 100 g") adds up to nothing."""
    left = [e for e in finder.evidence if not _RATE.search(f"{e.key or ''} {e.text}".replace("_", " "))]
    return FactFinder(finder.plan, left, finder.encode)


def _facts_as(plan: Plan, finder: FactFinder, asked: ParsedQuestion) -> tuple[list[Fact], list[Measure], Result | None]:
    finder = _without_rates(finder) if asked.operation == "sum" and asked.expected.dimensions & _AMOUNTS else finder
    facts: list[Fact] = []
    measures: list[Measure] = []
    paired = [_fact_of(finder, s, asked) for s in plan.subjects]
    keys = {key_words(f.key) if f.key else None for f in paired if f}
    kinds = {m.quantity.dimension if m.quantity else "date" for f in paired if f and (m := wanted_measure(f))}
    same_key = all(paired) and len(keys) == 1 and None not in keys
    same_kind = all(paired) and len(kinds) == 1 and not kinds & {"", "count"}
    least = PAIRED_THRESHOLD if same_key else _ALIKE_THRESHOLD if same_kind else ANSWER_THRESHOLD
    if all(paired) and sum(logit(f.probability) for f in paired if f) >= 0:  # the others' facts are all the surer
        least = min(least, CARRIED_THRESHOLD)
    lacking = ""
    for subject, found in zip(plan.subjects, paired, strict=True):
        fact = found if found and found.probability >= least else None
        m = wanted_measure(fact) if fact else None
        if fact is None or m is None:
            lacking = lacking or subject
            continue
        facts.append(fact)
        measures.append(replace(m, subject=subject))
    if lacking:
        return facts, measures, abstain(plan, lacking)
    same = arithmetic.common(_counts(measures))
    if same is None:
        names = join_list(list(plan.subjects))
        return facts, measures, Result(reason=f"the figures for {names} are of different kinds and cannot be compared")
    return facts, same, None


def _ids(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(i for f in facts for i in f.ids)


def _stated(m: Measure) -> str:
    return m.stated if m.date or (m.quantity and m.stated.strip()) else ""


def _unlike(plan: Plan, facts: Sequence[Fact], measures: Sequence[Measure]) -> bool:
    """Whether figures of a group's members are so far apart that one is hardly of the property asked for."""
    sizes = [m.quantity.low for m in measures if m.quantity]
    if plan.group is None or len(sizes) < 2 or max(sizes) <= _UNLIKE * min(sizes):
        return False
    keys = {key_words(f.key) if f.key else "" for f in facts}
    return min(f.probability for f in facts) < _SURE and (len(keys) > 1 or "" in keys)


_BY_HOW_MANY_PERCENT = re.compile(
    r"\b(?:what|how many|how much)(?: in)? (?:percent(?:age)?|per cent)\b|\b% ", re.IGNORECASE
)


def _percent_more(plan: Plan, facts: Sequence[Fact], measures: Sequence[Measure]) -> Result | None:
    """ "by what percentage is it heavier than that one": the difference by the other's figure."""
    if not _BY_HOW_MANY_PERCENT.search(plan.asked.core):
        return None
    one, other = measures[0].quantity, measures[1].quantity
    if one is None or other is None or one.low != one.high or other.low != other.high or not other.low:
        return Result(reason="these figures give no percentage")
    share = arithmetic.plain_number(round(abs(one.low - other.low) / other.low * 100, 1))
    return Result(sentence_case(f"{share} percent: {_shown(measures, facts)}"), _ids(facts))


#: "cheaper per 100 g": what is told for one of each says nothing.
_PER_MEASURE = re.compile(
    r"\b(?:per|by the|for (?:every|each)|an?) (?:\d+ ?)?(?:kilos?|kilograms?|kg|g|grams?|lit(?:re|er)s?|l|ml|oz|"
    r"ounces?|pounds?|lb|piece|portion|serving|person|page|metre|meter|km|kilomet(?:re|er))\b",
    re.IGNORECASE,
)


def _compare(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = facts_of(plan, finder)
    scale = plan.asked.scale
    if failed or scale is None:
        return failed or Result(reason="I do not see what to compare them on")
    if _unlike(plan, facts, measures):
        return Result(reason=f"the figures ({_shown(measures, facts)}) are too unlike to be of one kind")
    if (percent := _percent_more(plan, facts, measures)) is not None:
        return percent
    per = _PER_MEASURE.search(plan.asked.core)
    if per and scale.dimensions == {"money"} and not all(_RATE.search(f"{f.key or ''} {f.value}") for f in facts):
        return Result(reason=f"the prices are told for one of each, and not {per.group()}")
    ordered = sorted(measures, key=arithmetic.size, reverse=scale.sign > 0)
    first, second = ordered[0], ordered[1]
    original = {
        m.subject: _stated(mm)
        for m, mm in zip(measures, [wanted_measure(f) or m for f, m in zip(facts, measures, strict=True)], strict=True)
    }
    if not arithmetic.comparable(first, second):
        return Result(
            reason=(
                f"the figures ({original[first.subject]} and {original[second.subject]}) are not exact enough to tell"
            )
        )
    if arithmetic.size(first) == arithmetic.size(second):
        return Result(
            sentence_case(
                f"Neither: {join_list([m.subject for m in ordered])} are equal, at {original[first.subject]}"
            ),
            _ids(facts),
        )
    rest = join_list([f"{original[m.subject]} for {m.subject}" for m in ordered[1:]])
    return Result(
        sentence_case(f"{first.subject} {_comparative(plan)}: {original[first.subject]}, against {rest}"), _ids(facts)
    )


def _comparative(plan: Plan) -> str:
    """The comparison in the question's own word: "is heavier", "has more calories", "came first"."""
    low = plan.asked.core.lower()
    for word in words_of(low):
        if base_adjective(word) and word not in ("first", "last"):
            return f"is {'the ' if word.endswith('st') or plan.asked.operation == 'superlative' else ''}{word}"
    m = re.search(r"\b(more|less|fewer|most|least|fewest)\s+([a-z-]+)", low)
    if m and m.group(2).endswith("ly") and (done := re.match(r" [a-z-]+", low[m.end() :])):
        return f"is {'the ' if m.group(1) in ('most', 'least') else ''}{m.group()}{done.group()}"
    if m and m.group(2) not in ("than", "is", "of"):
        scale = plan.asked.scale
        counted = scale and not scale.adjective and shared(content_stems(m.group(2)), content_stems(scale.noun))
        verb = "has" if counted else "is"
        return f"{verb} {'the ' if m.group(1) in ('most', 'least', 'fewest') else ''}{m.group(1)} {m.group(2)}"
    if re.search(r"\b(first|earlier|before)\b", low):
        return "came first"
    if re.search(r"\b(later|last|after)\b", low):
        return "came later"
    return "has more" if plan.asked.scale and plan.asked.scale.sign > 0 else "has less"


def _difference(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = facts_of(plan, finder)
    if failed:
        return failed
    a, b = measures[0], measures[1]
    shown = _shown(measures, facts)
    if a.date and b.date:
        years = arithmetic.years_between(a.date, b.date)
        return Result(sentence_case(f"{years} years: {shown}"), _ids(facts))
    assert a.quantity is not None
    assert b.quantity is not None
    if a.quantity.low != a.quantity.high or b.quantity.low != b.quantity.high:
        return Result(reason=f"the figures are ranges ({shown}), so the difference is not exact")
    if (percent := _percent_more(plan, facts, measures)) is not None:
        return percent
    gap = abs(a.quantity.low - b.quantity.low)
    return Result(sentence_case(f"{arithmetic.amount(gap, a.quantity)}: {shown}"), _ids(facts))


def _shown(measures: Sequence[Measure], facts: Sequence[Fact]) -> str:
    parts = [f"{m.stated} for {m.subject}" for m in measures]
    return join_list(parts)


def _ratio(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = facts_of(plan, finder)
    if failed:
        return failed
    a, b = measures[0].quantity, measures[1].quantity
    if a is None or b is None or not a.middle or not b.middle:
        return Result(reason="these figures have no ratio")
    ratio = max(a.middle, b.middle) / min(a.middle, b.middle)
    return Result(sentence_case(f"{arithmetic.plain_number(ratio)} times: {_shown(measures, facts)}"), _ids(facts))


def _total(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = facts_of(plan, finder)
    if failed:
        return failed
    quantities = [m.quantity for m in measures]
    if plan.asked.operation == "sum" and any(_RATE.search(f"{f.key or ''} {f.value}") for f in facts):
        return Result(reason="the figures are given for a measure of each and do not add up")
    if any(q is None or q.low != q.high for q in quantities):
        return Result(reason=f"the figures ({_shown(measures, facts)}) do not add up exactly")
    amounts = [q.low for q in quantities if q]
    if _unlike(plan, facts, measures):
        return Result(reason=f"the figures ({_shown(measures, facts)}) are too unlike to be of one kind")
    total = sum(amounts)
    names = [m.subject for m in measures]
    first = quantities[0]
    assert first is not None
    if plan.asked.operation == "mean":
        mean = arithmetic.amount(total / len(quantities), first)
        return Result(sentence_case(f"{mean} on average over {join_list(names)}"), _ids(facts), _shown(measures, facts))
    return Result(
        sentence_case(f"{arithmetic.amount(total, first)} together for {join_list(names)}"),
        _ids(facts),
        _shown(measures, facts),
    )


OVER_SEVERAL: dict[str, Callable[[Plan, FactFinder], Result]] = {
    "compare": _compare,
    "superlative": _compare,
    "difference": _difference,
    "ratio": _ratio,
    "sum": _total,
    "mean": _total,
}
