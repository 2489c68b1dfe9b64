"""Yes or no, with the reason: comparisons with a figure or another thing, membership in a list, statements of a page.

Says "Yes" or "No" only when evidence states it: a value that contains what was asked, another value of the same kind, a
figure on one side of the limit, or a sentence that says nearly the same words. Otherwise abstains.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.confirmation import by_attribute, by_sentence, rules_out
from assistant.reading.fact_finder import ANSWER_THRESHOLD, Fact, FactFinder, measure
from assistant.reading.negation import for_each
from assistant.reading.operations.comparison import facts_of
from assistant.reading.operations.counting import FULL_LIST, items_of
from assistant.reading.operations.limits import against_limit, limit_of
from assistant.reading.operations.membership import listed_or_not
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result, abstain, only_one, state_fact
from assistant.reading.scoring.measures import wanted_measure
from assistant.reading.scoring.rank import COLOURS
from assistant.text import arithmetic
from assistant.text.arithmetic import Measure
from assistant.text.attribute_keys import labelled_value
from assistant.text.english import content_stems, negated, shared, stem
from assistant.text.kinds import is_kind_word
from assistant.text.values import find_quantities, split_list
from assistant.understanding.intent import AnswerKind, Expected, ParsedQuestion, parse_clause
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.phrases import pointing_left_out

_SAME = re.compile(r"\b(?:same|equal|equally|identical|both|as \w+ as)\b", re.IGNORECASE)
#: "the Ember from the same series" names a thing, and asks for nothing that is the same.
_OF_ONE_GROUP = re.compile(r"\b(?:from|in|of|out of) the same \w+", re.IGNORECASE)


#: "lighter than their smaller one": of two things one is not known.
_THAN_A_THING = re.compile(
    r"\bthan (?:the|this|that|its|their|his|her|my|it|another|other)\b(?! (?:same|usual|average|last))"
)


#: "is it more than twice as heavy".
_SO_MANY_TIMES = re.compile(
    r"\b(?:twice|thrice|double|half|\w+ times|a third|a quarter) "
    r"(?:as \w+|the (?:weight|size|price|length|height|age|speed))\b",
    re.IGNORECASE,
)


def verdict(plan: Plan, finder: FactFinder) -> Result:
    """Yes, no, or the reason why neither can be said."""
    core = _OF_ONE_GROUP.sub(" ", plan.asked.core)
    if len(plan.subjects) > 1 and _SO_MANY_TIMES.search(core):
        return Result(reason="how many times as much it is can only be asked as a figure")
    if len(plan.subjects) > 1 and (_SAME.search(core) or plan.asked.scale is None):
        return _same(plan, finder)
    if len(plan.subjects) > 1:
        return _more_than_other(plan, finder)
    limit = limit_of(plan)
    if limit is not None:
        return against_limit(plan, finder, limit)
    if plan.asked.scale is not None and _THAN_A_THING.search(core):
        return only_one(plan)
    return _stated(plan, finder)


def _bare(asked: ParsedQuestion) -> ParsedQuestion:
    """The property that a yes-or-no question is about, as an open question."""
    scale = asked.scale
    dims = scale.dimensions if scale else frozenset()
    kind: AnswerKind = "date" if dims == {"date"} else ("quantity" if dims else "any")
    return ParsedQuestion(
        asked.about[0] if asked.about else asked.core,
        (*asked.about, asked.core),
        Expected(kind, dims),
        "lookup",
        scale,
    )


def _more_than_other(plan: Plan, finder: FactFinder) -> Result:
    bare, scale = _bare(plan.asked), plan.asked.scale
    two = replace(plan, subjects=plan.subjects[:2])
    facts, same, failed = facts_of(two, finder, bare)
    if failed is not None:
        return failed
    if scale is None or not arithmetic.comparable(same[0], same[1]):
        return Result(reason="the figures cannot be compared")
    a, b = arithmetic.size(same[0]), arithmetic.size(same[1])
    yes = (a > b) if scale.sign > 0 else (a < b)
    shown = (
        f"{_as_stated(facts[0], same[0])} for {same[0].subject}, {_as_stated(facts[1], same[1])} for {same[1].subject}"
    )
    return Result(f"{'Yes' if yes else 'No'}: {shown}.", tuple(i for f in facts for i in f.ids))


def _as_stated(fact: Fact, m: Measure) -> str:
    own = wanted_measure(fact)
    return own.stated if own else m.stated


def _same(plan: Plan, finder: FactFinder) -> Result:
    core = re.sub(
        r"\b(?:do|does|did|are|were|is|was|have|has)\b|\b(?:both|same|the two|of them|of these|they|these|"
        r"equally|as)\b|\b(?:share|have)\b",
        " ",
        plan.asked.core,
        flags=re.IGNORECASE,
    )
    phrase = " ".join(re.sub(r"\bit\b|\band\b|[?.!,]", " ", core).split())
    bare = parse_clause(f"what is its {phrase}?")
    facts: list[Fact] = []
    for subject in plan.subjects[:2]:
        fact = finder.fact(subject, bare)
        if fact is None:
            return abstain(plan, subject)
        facts.append(fact)
    left, right = facts
    if left.evidence.key is None or right.evidence.key is None:
        return Result(reason="pages speak of both, but state nothing that can be compared word for word")
    m, n = measure(left), measure(right)
    if m and n:
        pair = arithmetic.common([m, n])
        equal = pair is not None and arithmetic.size(pair[0]) == arithmetic.size(pair[1])
    else:
        equal = {p.lower() for p in split_list(left.value)} == {p.lower() for p in split_list(right.value)}
    shown = f"{left.value} for {left.subject}, {right.value} for {right.subject}"
    return Result(f"{'Yes' if equal else 'No'}: {shown}.", (*left.ids, *right.ids))


def _stated(plan: Plan, finder: FactFinder) -> Result:
    subject, asked = plan.subjects[0], plan.asked
    if for_each(asked.core):
        return Result(reason="whether there is enough for everybody is told by no one figure")
    if _TO_BE_HAD_NEW.search(asked.core):
        asked = replace(parse_clause("is it still being made?"), operation="yesno")
    own = [e for e in finder.evidence if (e.subject or "").lower() == subject.lower()]
    stems = content_stems(pointing_left_out(asked.core, kinds_of(own))) or content_stems(asked.core)
    stems = (stems - _of_the_thing(asked.core, kinds_of(own))) or stems
    best: tuple[float, Result] | None = None
    for by_list in (_among_colours, listed_or_not, _among_included):
        if (told := by_list(plan, finder)) is not None:
            return told
    for j in finder.judged(subject, asked)[:8]:
        e = j.evidence
        pair = (e.key, str(e.value)) if e.key is not None else labelled_value(e.text)
        if pair is not None and pair[1].strip(" .").casefold() == subject.casefold():
            continue  # "are they open?": its name says no more than that it is "opening hours"
        if pair is not None:
            found = by_attribute(subject, *pair, stems, asked, j.probability)
        else:
            found = by_sentence(subject, e.text, stems, asked, j.probability)
        if found is not None and (best is None or found[0] > best[0]):
            best = (found[0], Result(found[1], (e.id,)))
    if best is not None and best[0] >= ANSWER_THRESHOLD:
        return best[1]
    return abstain(plan, subject)


#: "can I still get the van new?"
_TO_BE_HAD_NEW = re.compile(
    r"^(?:can|could|may) .*\b(?:get|buy|bought|order(?:ed)?|had|have)\b.*\b(?:brand[- ])?new\W*$"
    r"|^(?:is|are) .*\bstill (?:sold|available|to be had|on sale|for sale) (?:brand[- ])?new\W*$",
    re.IGNORECASE,
)
_KIND_SPOKEN = re.compile(
    r"\b(?:(?P<this>this|that|such an?)|the|our|my) (?P<noun>[a-z]+)(?:(?=\W*$)|(?P<here> (?:itself|here|there)\b))"
)


def _of_the_thing(core: str, kinds: frozenset[str]) -> frozenset[str]:
    """Words for the thing itself: "is it something for the bird here" asks nothing of birds."""
    out: set[str] = set()
    for m in _KIND_SPOKEN.finditer(core.lower()):
        own = content_stems(m["noun"])
        pointed = (m["this"] or m["here"]) and is_kind_word(m["noun"])
        out |= own | content_stems(m["here"] or "") if pointed else own & kinds
    return frozenset(out)


_COMES_IN = re.compile(
    r"\b(?:come|sold|available|made|offered|exist|get|have|buy|do)\b.* in (?:a |the )?"
    rf"(?P<colour>{'|'.join(sorted(COLOURS))})\W*$",
    re.IGNORECASE,
)


def _among_colours(plan: Plan, finder: FactFinder) -> Result | None:
    """ "does it come in black?" is told by the colours that it does come in."""
    m = _COMES_IN.search(plan.asked.core)
    fact = (
        finder.fact(plan.subjects[0], parse_clause("which colours does it come in?"), ANSWER_THRESHOLD) if m else None
    )
    if m is None or fact is None or fact.through is not None:
        return None
    yes = stem(m["colour"].lower()) in content_stems(fact.value)
    if not yes and not rules_out(frozenset({stem(m["colour"].lower())}), fact.value):
        return None
    return Result(f"{'Yes' if yes != negated(plan.asked.core) else 'No'}: {state_fact(fact, plan)}", fact.ids)


#: "does it come with a lamp?", "is a lamp included?"; a guarantee and what is done for buyers are in no box.
_COMES_WITH = re.compile(
    r"^(?:does|do|will|would) (?:it|this|that|these|they|(?:the|this|that) \w+(?: here| there)?) "
    r"(?:come with|include) (?P<what>[^,?]+?)\W*$"
    r"|^(?:is|are) (?P<what2>(?!(?:it|this|that|they|there)\b)[^,?]+?) "
    r"(?:included|part of the (?:package|pack|set|kit)|(?:fitted )?as standard|in the (?:box|package|kit))"
    r"(?: (?:with|in) (?:it|this|that))?\W*$",
    re.IGNORECASE,
)
_SERVICES = re.compile(
    r"\b(?:guarantees?|warrant(?:y|ies)|insurance|cover|delivery|discounts?|services?|support|vat|tax(?:es)?|"
    r"shipping|prices?|"
    r"anything|something|everything|nothing|extras?|accessories)\b",
    re.IGNORECASE,
)


def _among_included(plan: Plan, finder: FactFinder) -> Result | None:
    """ "does it come with a lamp?" is told by the list of what it does come with."""
    m = _COMES_WITH.match(plan.asked.core)
    what = content_stems(m["what"] or m["what2"]) if m else frozenset()
    if m is None or not what or _SERVICES.search(plan.asked.core) or find_quantities(plan.asked.core):
        return None
    fact = finder.fact(plan.subjects[0], replace(parse_clause("what does it come with?"), operation="list"))
    items = (split_list(fact.value) if fact.key else items_of(fact)) if fact else []  # "two balls" is one of them
    if fact is None or fact.through is not None or len(items) < FULL_LIST:
        return None
    named = max(shared(what, content_stems(item)) for item in items)
    exactly = max(len(what & content_stems(item)) for item in items)
    if named > 0 and exactly < len(what):  # "heated mirrors" beside heated seats and folding mirrors; charger, chart
        return None
    yes = (named > 0) != negated(plan.asked.core)
    return Result(f"{'Yes' if yes else 'No'}: {state_fact(fact, plan)}", fact.ids)
