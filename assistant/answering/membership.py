"""Whether something is in a list that the thing has: in its box, among its equipment, found together with it.

The list is asked for by itself, and says no only where it is a full one and names nothing like what is asked.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.answering.counting import FULL_LIST, items_of
from assistant.answering.facts import FactFinder
from assistant.answering.intents import take_apart
from assistant.answering.language import content_stems, negated, shared
from assistant.answering.plan import Plan
from assistant.answering.results import Result, say
from assistant.answering.values import find_quantities, split_list

_IT = r"(?:it|this|that|these|they|(?:the|this|that|these) [^,;:?]+?)"
_GETS = r"(?:get|find|receive|have|expect|see|discover|come across|spot|meet)"
_BOX = r"(?:box|package|packaging|pack|kit|carton|case|set|parcel)"
_GEAR = r"(?:equipment|gear|fittings|kit|outfit|features|accessories|extras|inventory|scope of delivery)"
#: What is asked for, and how the list is: one of these groups in a pattern.
_LISTS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), asks)
    for pattern, asks in (
        (
            rf"^(?:does|do|will|would) {_IT} (?:come (?:along )?with|include) (?P<what>[^,?]+?)\W*$"
            r"|^(?:is|are) (?P<what2>(?!(?:it|this|that|they|there)\b)[^,?]+?) (?:included|supplied|thrown in|"
            r"part of the (?:package|pack|set|kit|bundle)|(?:fitted )?as standard|in the (?:box|package|kit))"
            rf"(?: (?:with|in|of|for) {_IT})?\W*$",
            ("what does it come with?",),
        ),
        (
            rf"^(?:does|do|will|would) (?:the {_BOX} (?:of|for|with) )?{_IT} (?:contain|hold|have|"
            rf"include) (?P<what>[^,?]+?)"
            rf"(?<!\bin) (?:in|inside) (?:the|its) {_BOX}\W*$"
            rf"|^(?:does|do|will|would) (?:the|its) {_BOX}(?: (?:of|for|with) {_IT})? (?:also )?(?:contain|hold|"
            rf"have|include) "
            r"(?P<what2>[^,?]+?)\W*$"
            rf"|\b(?:do|does|did|will|would|can|could|might) (?:i|you|we|one) (?:also )?{_GETS} (?P<what3>[^,?]+?) "
            rf"(?:with (?:it|this|that|these|the)\b[^,?]*|(?:in|inside) (?:the|its) {_BOX}[^,?]*|in there|"
            rf"inside(?: it)?)\W*$",
            ("what is in the box?", "what does it come with?"),
        ),
        (
            rf"^(?:is|are) (?P<what>[^,?]+?) (?:part of|in|among|on the list of) (?:the|its) (?:\w+ )?{_GEAR}"
            rf"(?: (?:of|for|on) {_IT})?\W*$"
            rf"|^(?:is|are) {_IT} (?:equipped|fitted|furnished) with (?P<what2>[^,?]+?)\W*$"
            rf"|\b(?:do|does|did|will|would|can|could|might) (?:i|you|we|one) (?:also )?(?:get|find|"
            rf"have) (?P<what3>[^,?]+?) "
            r"(?:on|aboard|on board)(?: (?:it|this|that))?(?: too| as well| also)?\W*$",
            ("what is its equipment?", "what is it equipped with?"),
        ),
        (
            rf"^(?:does|do|can|could|might|may|will|would) (?P<what>(?!(?:i|you|we|it|this|that|the|they)\b)[^,?]+?) "
            r"(?:also )?(?:occur|appear|show up|turn up|crop up|be found|form|grow|exist|come|lie|be) "
            rf"(?:together with|along with|alongside|beside|next to|with|in the company of|near) {_IT}\W*$"
            rf"|^(?:is|are) (?P<what2>(?!(?:i|you|we|it|this|that|the|they)\b)[^,?]+?) (?:one of |among )?"
            r"(?:the (?:minerals|stones|rocks|things|plants|substances) (?:you (?:get|find|see)|found|"
            r"that \w+ \w+|occurring|that \w+) "
            rf"|(?:often |usually |commonly )?(?:found|seen|met) )(?:together with|along with|alongside|beside|"
            rf"with|near) {_IT}\W*$"
            rf"|\b(?:do|does|did|will|would|can|could|might|may) (?:i|you|we|one) (?:also )?{_GETS} (?P<what3>[^,?]+?) "
            r"(?:in|at) the same (?:spot|place|rock|cliff|vein|hole)\W*$",
            ("what minerals is it found with?", "what occurs together with it?"),
        ),
    )
)
_SERVICES = re.compile(
    r"\b(?:guarantees?|warrant(?:y|ies)|insurance|cover|delivery|discounts?|services?|support|vat|tax(?:es)?|shipping|prices?|"
    r"anything|something|everything|nothing|extras?|accessories)\b",
    re.IGNORECASE,
)


def among_included(plan: Plan, finder: FactFinder) -> Result | None:
    """ "does it come with a lamp?" is told by the list of what it does come with."""
    core = plan.asked.core.strip()
    found = next(((m, asks) for pattern, asks in _LISTS if (m := pattern.search(core))), None)
    if found is None:
        return None
    m, asks = found
    item = next(w for w in m.groupdict().values() if w)
    what = content_stems(item)
    if not what or _SERVICES.search(item) or any(q.dimension not in ("", "count") for q in find_quantities(core)):
        return None
    facts = [finder.fact(plan.subjects[0], replace(take_apart(a), operation="list")) for a in asks]
    for fact in sorted((f for f in facts if f is not None), key=lambda f: -f.probability):
        items = split_list(fact.value) if fact.key else items_of(fact)  # "two balls" is one of them
        if fact.through is not None or len(items) < FULL_LIST:
            continue
        named = max(shared(what, content_stems(i)) for i in items)
        exactly = max(len(what & content_stems(i)) for i in items)
        if named > 0 and exactly < len(
            what
        ):  # "heated mirrors" beside heated seats and folding mirrors; charger, chart
            return None
        yes = (named > 0) != negated(core)
        return Result(f"{'Yes' if yes else 'No'}: {say(fact, plan)}", fact.ids)
    return None
