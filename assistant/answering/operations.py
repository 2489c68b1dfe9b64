"""What is done with facts: stated, compared, added up, converted, counted, judged true or false.

Each operation gives a sentence with the evidence it rests on and shows the figures it used, or the reason why it gives
none. Which facts are meant is the matter of `facts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.answering import compute, schedules
from assistant.answering.compose import attribute_sentence, joined, passage_sentence, sentence_case
from assistant.answering.compute import Measure
from assistant.answering.facts import ANSWER_THRESHOLD, Fact, FactFinder, measure
from assistant.answering.follow import follow
from assistant.answering.groups import counts_members
from assistant.answering.keys import key_words
from assistant.answering.language import base_adjective, content_stems, words_of
from assistant.answering.plan import Plan
from assistant.answering.units import dimension_of, written
from assistant.answering.values import find_quantities, split_list

#: Things whose best facts have the same key confirm each other, so that less is enough.
PAIRED_THRESHOLD = 0.15


@dataclass(frozen=True)
class Result:
    """A sentence and its evidence ids; or no sentence and the reason. `reason` beside a text is a note for the
    trace.
    """

    text: str = ""
    ids: tuple[str, ...] = ()
    reason: str = ""


def perform(plan: Plan, finder: FactFinder) -> Result:
    """Does what the plan's question asks for."""
    operation = plan.asked.operation
    joint = re.search(r"\b(?:and|than|or|between|both)\b", plan.asked.core, re.IGNORECASE)
    if len(plan.subjects) == 1 and operation in _OVER_SEVERAL and joint:
        plan = _with_related(plan, finder)
    if plan.group is not None and operation == "list":
        others = (
            [m for m in plan.group.members if m != plan.subjects[0]]
            if re.search(r"\b(?:else|other|others|rest)\b", plan.question)
            else list(plan.group.members)
        )
        return Result(sentence_case(f"{plan.group.value}: {joined(others)}"), ("group",))
    if plan.group is not None and plan.asked.expected.kind == "count" and operation == "sum":
        counted = _members(plan, finder)
        if counted is not None:
            return counted
    for special in (schedules.at_a_pace, schedules.until, schedules.between_two):
        found = special(plan, finder)
        if found is not None:
            return Result(*found)
    if schedules.has_pace(plan.question):
        return nothing(plan, plan.subjects[0])
    if operation == "yesno":
        from assistant.answering.verdicts import verdict

        return verdict(plan, finder)
    if len(plan.subjects) > 1 and operation in _OVER_SEVERAL:
        return _OVER_SEVERAL[operation](plan, finder)
    if operation == "multiply":
        return _multiply(plan, finder)
    if operation in ("compare", "superlative", "difference", "ratio"):
        if operation == "superlative" or (operation == "difference" and plan.asked.scale is None):
            plain_asked = replace(plan.asked, operation="lookup", about=(), scale=None)
            return _lookup(
                replace(plan, asked=plain_asked),
                FactFinder(replace(plan, asked=plain_asked), finder.evidence, finder.encode),
            )
        return Result(reason=f"I know only {_names(plan)}, and do not know what to compare it with")
    return _lookup(plan, finder)


def _with_related(plan: Plan, finder: FactFinder) -> Plan:
    """ "this and its sequel": the second subject is what a relation of the first leads to."""
    known = {(e.subject or "").lower(): e.subject for e in finder.evidence}
    for link in follow(plan, finder.evidence, finder.encode):
        for target in link.targets:
            name = known.get(target.lower())
            if name and name not in plan.subjects:
                return replace(plan, subjects=(*plan.subjects, name))
    return plan


def _members(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many are in this series": the members are counted, unless the noun is a property of each."""
    assert plan.group is not None
    noun = plan.asked.expected.noun
    words = {
        s
        for e in finder.evidence
        for s in content_stems(f"{e.key or ''} {' '.join(q.unit for q in find_quantities(e.text))}")
    }
    if noun and not counts_members(noun, words):
        return None
    members = list(plan.group.members)
    return Result(sentence_case(f"{len(members)} in {plan.group.value}: {joined(members)}"), ("group",))


def _names(plan: Plan) -> str:
    return joined(list(plan.subjects))


def nothing(plan: Plan, subject: str) -> Result:
    """The abstention when no evidence about the subject answers; it names the property where the question does."""
    lead = f"I recognise {subject}" if plan.recognised and not plan.mentioned else f"I know {subject}"
    named = [m for wording in plan.asked.about if (m := re.fullmatch(r"what is its ([\w ]{3,40})\?", wording))]
    return Result(
        reason=f"{lead}, but found nothing {f'about its {named[0][1]}' if named else 'that answers this question'}"
    )


def say(fact: Fact, plan: Plan) -> str:
    """The fact as a sentence."""
    e = fact.evidence
    name = e.subject or fact.subject
    if e.key is not None:
        return attribute_sentence(name, e.key, fact.value)
    return passage_sentence(name, e.text, fact.asked)


def _lookup(plan: Plan, finder: FactFinder) -> Result:
    for subject in plan.subjects[:2]:
        fact = finder.fact(subject)
        if fact is None:
            continue
        for special in (_age, _converted, _count):
            result = special(fact, plan)
            if result is not None:
                return result
        return Result(say(fact, plan), fact.ids, fact.note)
    return nothing(plan, plan.subjects[0])


def _age(fact: Fact, plan: Plan) -> Result | None:
    if fact.asked.expected.kind != "age":
        return None
    m = measure(fact)
    if m is None or m.date is None:
        return None
    years = compute.whole_years(m.date, plan.today)
    if years < 0 or m.date.span_years > 1:
        return None
    said = say(fact, plan).rstrip(".")
    return Result(f"{years} years: {said}.", fact.ids, fact.note)


def _converted(fact: Fact, plan: Plan) -> Result | None:
    unit = plan.asked.unit or fact.asked.expected.unit
    if not unit:
        return None
    m = measure(fact)
    if m is None or m.quantity is None or m.quantity.unit == unit:
        return None
    if dimension_of(unit) != m.quantity.dimension:
        return None
    changed = m.quantity.to(unit)
    if changed is None:
        return None
    low, high = compute.plain_number(changed.low), compute.plain_number(changed.high)
    number = low if changed.low == changed.high else f"{low} to {high}"
    mark = written(unit, changed.high)
    return Result(f"{say(fact, plan).rstrip('.')}, which is {number} {mark}.", fact.ids, fact.note)


def _count(fact: Fact, plan: Plan) -> Result | None:
    """ "how many flavours": a list of flavours is counted, in an attribute or in a sentence that lists them."""
    if fact.asked.expected.kind != "count" or any(c.isdigit() for c in fact.value):
        return None
    items = split_list(fact.value) if fact.key is not None else _listed(fact.value)
    if len(items) < 2:
        return None
    noun = fact.asked.expected.noun or "of them"
    return Result(sentence_case(f"{len(items)} {noun}: {joined(items)}"), fact.ids, fact.note)


def _listed(sentence: str) -> list[str]:
    """The items of "It comes in moss green, plum and black.": what follows the verb, split at commas and "and"."""
    m = re.search(
        r"\b(?:are|is|in|contains?|includes?|with|of|from|has|have|comprises?|offers?|:)\s+(?P<items>[^.;:]+?)\s*\.?$",
        sentence,
    )
    deeper = re.search(r"\b(?:available in|made (?:of|from|with)|comes? (?:in|with))\s+", m["items"]) if m else None
    if m and deeper:
        return _items(m["items"][deeper.end() :])
    return _items(m["items"]) if m else []


def _items(text: str) -> list[str]:
    parts = [p.strip() for p in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if p.strip()]
    return parts if len(parts) > 1 and all(len(p.split()) <= 4 for p in parts) else []


def _facts(plan: Plan, finder: FactFinder) -> tuple[list[Fact], list[Measure], Result | None]:
    facts: list[Fact] = []
    measures: list[Measure] = []
    paired = [finder.fact(subject, threshold=PAIRED_THRESHOLD) for subject in plan.subjects]
    keys = {key_words(f.key) if f.key else None for f in paired if f}
    kinds = {m.quantity.dimension if m.quantity else "date" for f in paired if f and (m := measure(f))}
    agreed = all(paired) and ((len(keys) == 1 and None not in keys) or (len(kinds) == 1 and not kinds & {"", "count"}))
    for subject, found in zip(plan.subjects, paired, strict=True):
        fact = found if agreed or (found and found.probability >= ANSWER_THRESHOLD) else None
        m = measure(fact) if fact else None
        if fact is None or m is None:
            return facts, measures, nothing(plan, subject)
        facts.append(fact)
        measures.append(replace(m, subject=subject))
    same = compute.common(measures)
    if same is None:
        return (
            facts,
            measures,
            Result(reason=f"the figures for {_names(plan)} are of different kinds and cannot be compared"),
        )
    return facts, same, None


def _ids(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(i for f in facts for i in f.ids)


def _stated(m: Measure) -> str:
    return m.stated if m.date or (m.quantity and m.stated.strip()) else ""


def _compare(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = _facts(plan, finder)
    scale = plan.asked.scale
    if failed or scale is None:
        return failed or Result(reason="I do not see what to compare them on")
    ordered = sorted(measures, key=compute.size, reverse=scale.sign > 0)
    first, second = ordered[0], ordered[1]
    original = {
        m.subject: _stated(mm)
        for m, mm in zip(measures, [measure(f) or m for f, m in zip(facts, measures, strict=True)], strict=True)
    }
    if not compute.comparable(first, second):
        return Result(
            reason=(
                f"the figures ({original[first.subject]} and {original[second.subject]}) are not exact enough to tell"
            )
        )
    if compute.size(first) == compute.size(second):
        return Result(
            sentence_case(f"Neither: {joined([m.subject for m in ordered])} are equal, at {original[first.subject]}"),
            _ids(facts),
        )
    rest = joined([f"{original[m.subject]} for {m.subject}" for m in ordered[1:]])
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
    if m and m.group(2) not in ("than", "is", "of"):
        verb = "is" if plan.asked.scale and plan.asked.scale.adjective else "has"
        return f"{verb} {'the ' if m.group(1) in ('most', 'least', 'fewest') else ''}{m.group(1)} {m.group(2)}"
    if re.search(r"\b(first|earlier|before)\b", low):
        return "came first"
    if re.search(r"\b(later|last|after)\b", low):
        return "came later"
    return "has more" if plan.asked.scale and plan.asked.scale.sign > 0 else "has less"


def _difference(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = _facts(plan, finder)
    if failed:
        return failed
    a, b = measures[0], measures[1]
    shown = _shown(measures, facts)
    if a.date and b.date:
        years = compute.years_between(a.date, b.date)
        return Result(sentence_case(f"{years} years: {shown}"), _ids(facts))
    assert a.quantity is not None
    assert b.quantity is not None
    if a.quantity.low != a.quantity.high or b.quantity.low != b.quantity.high:
        return Result(reason=f"the figures are ranges ({shown}), so the difference is not exact")
    gap = abs(a.quantity.low - b.quantity.low)
    return Result(sentence_case(f"{compute.amount(gap, a.quantity)}: {shown}"), _ids(facts))


def _shown(measures: Sequence[Measure], facts: Sequence[Fact]) -> str:
    parts = [f"{m.stated} for {m.subject}" for m in measures]
    return joined(parts)


def _ratio(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = _facts(plan, finder)
    if failed:
        return failed
    a, b = measures[0].quantity, measures[1].quantity
    if a is None or b is None or not a.middle or not b.middle:
        return Result(reason="these figures have no ratio")
    ratio = max(a.middle, b.middle) / min(a.middle, b.middle)
    return Result(sentence_case(f"{compute.plain_number(ratio)} times: {_shown(measures, facts)}"), _ids(facts))


def _total(plan: Plan, finder: FactFinder) -> Result:
    facts, measures, failed = _facts(plan, finder)
    if failed:
        return failed
    quantities = [m.quantity for m in measures]
    if any(q is None or q.low != q.high for q in quantities):
        return Result(reason=f"the figures ({_shown(measures, facts)}) do not add up exactly")
    total = sum(q.low for q in quantities if q)
    names = [m.subject for m in measures]
    first = quantities[0]
    assert first is not None
    if plan.asked.operation == "mean":
        mean = compute.amount(total / len(quantities), first)
        return Result(sentence_case(f"{mean} on average over {joined(names)}"), _ids(facts), _shown(measures, facts))
    return Result(
        sentence_case(f"{compute.amount(total, first)} together for {joined(names)}"),
        _ids(facts),
        _shown(measures, facts),
    )


def _multiply(plan: Plan, finder: FactFinder) -> Result:
    subject, factor = plan.subjects[0], plan.asked.factor or 1.0
    fact = finder.fact(subject)
    m = measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None:
        return nothing(plan, subject)
    total = compute.amount(m.quantity.low * factor, m.quantity)
    if m.quantity.high != m.quantity.low:
        total = (
            f"{compute.plain_number(m.quantity.low * factor)} to {compute.amount(m.quantity.high * factor, m.quantity)}"
        )
    return Result(
        sentence_case(f"{total} for {compute.plain_number(factor)}: {say(fact, plan).rstrip('.')}"), fact.ids, fact.note
    )


_OVER_SEVERAL: dict[str, Callable[[Plan, FactFinder], Result]] = {
    "compare": _compare,
    "superlative": _compare,
    "difference": _difference,
    "ratio": _ratio,
    "sum": _total,
    "mean": _total,
}
