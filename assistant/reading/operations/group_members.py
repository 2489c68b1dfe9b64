"""Questions for the members of the thing's own group: which they are, how many, the others."""

from __future__ import annotations

import re

from assistant.reading.compose import join_list, sentence_case
from assistant.reading.fact_finder import FactFinder
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result
from assistant.text.english import content_stems
from assistant.text.values import find_quantities
from assistant.understanding.plan import Plan
from assistant.understanding.reference.groups import TOGETHER, counts_members

_OTHERS = re.compile(
    r"\b(?:else|other|others|companions|fellows|mates|siblings|rest|remaining|minus|besides|"
    r"apart from|aside from|except|other than|next to|together with|along with|without|"
    r"(?:is|are|still) left(?!\W+(?:hand|side|one))|left (?:over|if|when))\b|['’]s left\W*$"
)


def members_listed(plan: Plan, finder: FactFinder) -> Result | None:
    """ "what else is in this series": the members, without the thing itself where the others are asked for."""
    if plan.group is None or plan.asked.operation != "list":
        return None
    members = plan.group.members
    others = [m for m in members if m != plan.subjects[0]] if _OTHERS.search(plan.question) else list(members)
    return Result(sentence_case(f"{plan.group.value}: {join_list(others)}"), ("group",))


def members_counted(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many are in this series": the members are counted, unless the noun is a property of each."""
    if plan.group is None or plan.asked.expected.kind != "count" or plan.asked.operation != "sum":
        return None
    noun = plan.asked.expected.noun
    words = {
        s
        for e in finder.evidence
        for s in content_stems(f"{e.key or ''} {' '.join(q.unit for q in find_quantities(e.text))}")
    }
    own = [e for e in finder.evidence if e.subject in plan.group.members]
    if noun and not counts_members(noun, words, kinds_of(own), TOGETHER.search(plan.question) is not None):
        return None
    members = list(plan.group.members)
    return Result(sentence_case(f"{len(members)} in {plan.group.value}: {join_list(members)}"), ("group",))
