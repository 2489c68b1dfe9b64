"""What a party pays where children and adults pay differently: "two adults and three children".

A price that names one kind of visitor is no other's; where a kind's price is not told, nothing is added up.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.core.types import Evidence
from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.measures import bare_question, quantity_fact, wanted_measure
from assistant.text import arithmetic
from assistant.text.values import NUMBER_WORDS, Quantity, number_of
from assistant.understanding.plan import Plan

_WORDS = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("zero", "half", "quarter"))
#: Kinds of visitors, and how each is told of.
KINDS: dict[str, re.Pattern[str]] = {
    "adult": re.compile(r"\b(?:adults?|grown[- ]?ups?)\b", re.IGNORECASE),
    "child": re.compile(r"\b(?:child(?:ren)?|kids?|boys?|girls?|under[- ]\d+s?)\b", re.IGNORECASE),
    "student": re.compile(r"\bstudents?\b", re.IGNORECASE),
    "senior": re.compile(r"\b(?:seniors?|pensioners?|old age)\b", re.IGNORECASE),
}
_PARTY = re.compile(
    rf"\b(?P<n>\d{{1,2}}|an?|{_WORDS}) "
    r"(?P<who>adults?|grown[- ]?ups?|child(?:ren)?|kids?|students?|seniors?|pensioners?)\b(?!['’])",
    re.IGNORECASE,
)
_RETURN = re.compile(r"\b(?:returns?(?! policy)|round[- ]trips?)\b", re.IGNORECASE)
_SINGLE = re.compile(r"\b(?:singles?|one[- ]way)\b", re.IGNORECASE)
_LEAST = 0.3


def kinds_in(text: str) -> set[str]:
    """The kinds of visitors that a text names."""
    return {kind for kind, pattern in KINDS.items() if pattern.search(text)}


def of_other_visitors(e: Evidence, question: str) -> bool:
    """Whether the evidence tells what some pay, and the question asks for others."""
    text = f"{e.key or ''} {e.text}".replace("_", " ")
    told, asked = kinds_in(text), kinds_in(question)
    if told and asked and not told & asked:
        return True
    back, one_way = _RETURN.search(text), _SINGLE.search(text)
    if _RETURN.search(question) and not _SINGLE.search(question):
        return back is None
    return back is not None and one_way is None and _SINGLE.search(question) is not None


def party(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what do two adults and three children pay": each kind's price so many times, added up."""
    found = [(number_of(re.sub(r"^an?$", "1", m["n"].lower())), m["who"]) for m in _PARTY.finditer(plan.question)]
    counts: dict[str, float] = {}
    for n, who in found:
        for kind in kinds_in(who):
            counts[kind] = counts.get(kind, 0.0) + (n or 0.0)
    if len(counts) < 2 or plan.asked.operation not in ("lookup", "multiply", "sum") or not all(counts.values()):
        return None
    if not re.search(
        r"\b(?:pay|costs?|how much|price|tickets?|total|altogether|come to)\b", plan.question, re.IGNORECASE
    ):
        return None
    priced = [_price(plan, finder, kind) for kind in counts]
    if any(p is None for p in priced):
        return abstain(plan, plan.subjects[0])
    known = [p for p in priced if p is not None]
    first = known[0][1]
    if any(q.unit != first.unit for _, q in known) or len({f.evidence.id for f, _ in known}) < len(known):
        return abstain(plan, plan.subjects[0])
    total = sum(q.low * n for (_, q), n in zip(known, counts.values(), strict=True))
    parts = [
        f"{arithmetic.plain_number(n)} times {q.text} ({kind})"
        for (_, q), (kind, n) in zip(known, counts.items(), strict=True)
    ]
    ids = tuple(dict.fromkeys(i for f, _ in known for i in f.ids))
    return Result(f"{arithmetic.amount(total, first)}: {' and '.join(parts)}.", ids)


def _price(plan: Plan, finder: FactFinder, kind: str) -> tuple[Fact, Quantity] | None:
    own = [e for e in finder.evidence if KINDS[kind].search(f"{e.key or ''} {e.text}".replace("_", " "))]
    asked = replace(bare_question(f"how much is the ticket for a {kind}?", "money", f"what is the {kind} price?"))
    fact = quantity_fact(FactFinder(plan, own, finder.encode), plan.subjects[0], asked, _LEAST)
    m = wanted_measure(fact) if fact else None
    if fact is None or m is None or m.quantity is None or m.quantity.low != m.quantity.high:
        return None
    return fact, m.quantity
