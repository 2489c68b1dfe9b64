"""Yes or no by a full list: "does it eat turnips?" is asked as "what does it eat?", and told by what is named there.

Only where the list is sure, has several items and the thing asked for is no word for a whole class of things.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.answering.confirming import rules_out
from assistant.answering.counting import FULL_LIST, items_of
from assistant.answering.facts import ANSWER_THRESHOLD, FactFinder
from assistant.answering.intents import take_apart
from assistant.answering.language import content_stems, negated, shared
from assistant.answering.plan import Plan
from assistant.answering.results import Result, say
from assistant.answering.values import find_quantities, split_list

_IT = (
    r"(?:it|they|one|i|we|you|people|this|these|that|(?:this|these|that|those|the) (?!one\b)[a-z]+)"
    r"(?: (?:here|there|before me|in front of me|i['’]m looking at))?"
)
_ASKS = r"^(?:does|do|did|would|will|can|could|may|might|is|are|was|were|if|whether) "
#: What somebody does with things, and how it is asked what these are.
_LISTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), asks)
    for pattern, asks in (
        (
            rf"{_ASKS}{_IT} (?:also |ever )?(?:eats?|feeds? on|lives? on|(?:be )?fed (?:on|with)|takes?(?=.* as food))"
            r" (?P<what>[^,?]+?)(?: (?:too|as (?:its )?(?:normal |usual )?food))?\W*$",
            "what does it eat?",
        ),
        (
            rf"{_ASKS}{_IT} (?:also |ever )?(?:be )?"
            r"(?:shown|seen|displayed|flown|hung|met|found|depicted|printed|used) on (?P<what>[^,?]+?)(?: too)?\W*$",
            "on what is it shown?",
        ),
        (
            rf"{_ASKS}{_IT} (?:also |ever )?(?:be )?(?:found|known|occurs?|grows?|comes?|appears?|met) "
            r"(?:(?:al)?together |along )?with (?P<what>[^,?]+?)(?: too)?\W*$",
            "what is it found together with?",
        ),
        (
            rf"{_ASKS}{_IT} (?:also |ever )?(?:be )?"
            r"(?:made|built|woven|knitted|composed|consists?|constructed) (?:of|from) (?P<what>[^,?]+?)(?: too)?\W*$",
            "what is it made of?",
        ),
        (
            rf"{_ASKS}{_IT} (?:also |ever )?(?:stops?|calls?|halts?) at (?P<what>[^,?]+?)(?: too)?\W*$",
            "at which stops does it stop?",
        ),
    )
)
_NO_ITEM = re.compile(
    r"\b(?:it|this|that|them|something|anything|everything|nothing|somebody|what|which|much|many|more|less|other|any|all|"
    r"every|each|only|just|mainly|mostly|pure|solid|than|or|and)\b",
    re.IGNORECASE,
)


def by_full_list(plan: Plan, finder: FactFinder) -> Result | None:
    """Yes where the list names it, no where a full list does not; None for every other question."""
    core = plan.asked.core
    m, asks = next(((m, asks) for pattern, asks in _LISTS if (m := pattern.match(core))), (None, ""))
    what = content_stems(m["what"]) if m else frozenset()
    if m is None or not what or _NO_ITEM.search(m["what"]) or find_quantities(m["what"]):
        return None
    fact = finder.fact(plan.subjects[0], replace(take_apart(asks), operation="list"), ANSWER_THRESHOLD)
    items = (split_list(fact.value) if fact.key else items_of(fact)) if fact else []
    if fact is None or fact.through is not None or len(items) < FULL_LIST:
        return None
    named = max(shared(what, content_stems(item)) for item in items)
    if named and max(len(what & content_stems(item)) for item in items) < len(what):
        return None
    if not named and not rules_out(what, fact.value):
        return None
    return Result(f"{'Yes' if bool(named) != negated(core) else 'No'}: {say(fact, plan)}", fact.ids)
