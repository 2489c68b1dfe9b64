"""Yes or no, with the reason: comparisons with a figure or another thing, membership in a list, statements of a page.

Says "Yes" or "No" only when evidence states it: a value that contains what was asked, another value of the same kind, a
figure on one side of the limit, or a sentence that says nearly the same words. Otherwise abstains.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.answering import compute
from assistant.answering.compose import passage_sentence, sentence_case
from assistant.answering.compute import Measure
from assistant.answering.counting import FULL_LIST, items_of, leaves_out
from assistant.answering.denials import denies, elsewhere, for_each, undecided
from assistant.answering.facts import ANSWER_THRESHOLD, Fact, FactFinder, measure
from assistant.answering.foods import found_in
from assistant.answering.intents import AnswerKind, Asked, Expected, take_apart
from assistant.answering.keys import key_words, labelled_value
from assistant.answering.language import FUNCTION_WORDS, content_stems, negated, shared, stem, words_of
from assistant.answering.limits import against_limit, limit_of
from assistant.answering.measures import measured
from assistant.answering.plan import Plan
from assistant.answering.rank import COLOURS
from assistant.answering.results import Result, nothing, only_one, say
from assistant.answering.several import facts_of
from assistant.answering.spoken import spoken_attribute
from assistant.answering.targets import kinds_of
from assistant.answering.values import find_dates, find_quantities, number_of, split_list
from assistant.search.kinds import is_kind_word

_SAME = re.compile(r"\b(?:same|equal|equally|identical|both|as \w+ as)\b", re.IGNORECASE)


#: A fact this probable settles the question though it shares no word with it …
_SURE = 0.5
#: … unless the question may be turned round: "would rain spoil it?" is answered with no by "it is waterproof".
_HARM = re.compile(
    r"\b(?:spoil|harm|hurt|damage|ruin|break|kill|die|poison|sick|ill|problem|risk|danger|trouble|mind|forbid|forbidden|"
    r"stop|avoid|prevent|worry|afraid|wrong|bad|careful|without|only|just|still|lack|miss|hard|difficult)\w*\b",
    re.IGNORECASE,
)
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


def _bare(asked: Asked) -> Asked:
    """The property that a yes-or-no question is about, as an open question."""
    scale = asked.scale
    dims = scale.dimensions if scale else frozenset()
    kind: AnswerKind = "date" if dims == {"date"} else ("quantity" if dims else "any")
    return Asked(
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
    if scale is None or not compute.comparable(same[0], same[1]):
        return Result(reason="the figures cannot be compared")
    a, b = compute.size(same[0]), compute.size(same[1])
    yes = (a > b) if scale.sign > 0 else (a < b)
    shown = (
        f"{_as_stated(facts[0], same[0])} for {same[0].subject}, {_as_stated(facts[1], same[1])} for {same[1].subject}"
    )
    return Result(f"{'Yes' if yes else 'No'}: {shown}.", tuple(i for f in facts for i in f.ids))


def _as_stated(fact: Fact, m: Measure) -> str:
    own = measured(fact)
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
    bare = take_apart(f"what is its {phrase}?")
    facts: list[Fact] = []
    for subject in plan.subjects[:2]:
        fact = finder.fact(subject, bare)
        if fact is None:
            return nothing(plan, subject)
        facts.append(fact)
    left, right = facts
    if left.evidence.key is None or right.evidence.key is None:
        return Result(reason="pages speak of both, but state nothing that can be compared word for word")
    m, n = measure(left), measure(right)
    if m and n:
        pair = compute.common([m, n])
        equal = pair is not None and compute.size(pair[0]) == compute.size(pair[1])
    else:
        equal = {p.lower() for p in split_list(left.value)} == {p.lower() for p in split_list(right.value)}
    shown = f"{left.value} for {left.subject}, {right.value} for {right.subject}"
    return Result(f"{'Yes' if equal else 'No'}: {shown}.", (*left.ids, *right.ids))


def _stated(plan: Plan, finder: FactFinder) -> Result:
    subject, asked = plan.subjects[0], plan.asked
    if for_each(asked.core):
        return Result(reason="whether there is enough for everybody is told by no one figure")
    if _TO_BE_HAD_NEW.search(asked.core):
        asked = replace(take_apart("is it still being made?"), operation="yesno")
    stems = content_stems(asked.core)
    own = [e for e in finder.evidence if (e.subject or "").lower() == subject.lower()]
    stems = (stems - _of_the_thing(asked.core, kinds_of(own))) or stems
    best: tuple[float, Result] | None = None
    if (told := _among_colours(plan, finder) or _among_included(plan, finder)) is not None:
        return told
    for j in finder.judged(subject, asked)[:8]:
        e = j.evidence
        pair = (e.key, str(e.value)) if e.key is not None else labelled_value(e.text)
        if pair is not None and pair[1].strip(" .").casefold() == subject.casefold():
            continue  # "are they open?": its name says no more than that it is "opening hours"
        if pair is not None:
            found = _by_attribute(subject, *pair, stems, asked, j.probability)
        else:
            found = _by_sentence(subject, e.text, stems, asked, j.probability)
        if found is not None and (best is None or found[0] > best[0]):
            best = (found[0], Result(found[1], (e.id,)))
    if best is not None and best[0] >= ANSWER_THRESHOLD:
        return best[1]
    return nothing(plan, subject)


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
    fact = finder.fact(plan.subjects[0], take_apart("which colours does it come in?"), ANSWER_THRESHOLD) if m else None
    if m is None or fact is None or fact.through is not None:
        return None
    yes = stem(m["colour"].lower()) in content_stems(fact.value)
    if not yes and not _rules_out(frozenset({stem(m["colour"].lower())}), fact.value):
        return None
    return Result(f"{'Yes' if yes != negated(plan.asked.core) else 'No'}: {say(fact, plan)}", fact.ids)


#: "is there a watermark?", "does it have pockets?": it has what is told, and none where none is counted.
_EXISTS = re.compile(
    r"^(?:is|are) there (?:an? |any |some )?[a-z -]+$|^(?:does|do|has|have) (?:it|this|that|they|these) (?:have |got )?"
    r"(?:an? |any |some )?[a-z -]+$",
    re.IGNORECASE,
)
#: A number by itself, and none of a name ("RX-20").
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)?(?![\w-])")
_HARMFUL = re.compile(r"\b(?:toxic|poisonous|venomous|harmful|hazardous|dangerous|poison|toxicity)\b", re.IGNORECASE)
_SAFE = re.compile(r"\b(?:safe(?:ly)?|harmless|all right|alright|ok(?:ay)?|fine|trust)\b", re.IGNORECASE)
#: What sort of thing it is, is asked as "is it a …"; an "opening" sign does not say that the shop is open.
_OF_KIND = re.compile(r"^(?:type|kind|class|category|sort|name|title|label)$")
_ASKS_KIND = re.compile(r"\b(?:an?|kind|type|sort|class|category)\b", re.IGNORECASE)


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
    r"\b(?:guarantees?|warrant(?:y|ies)|insurance|cover|delivery|discounts?|services?|support|vat|tax(?:es)?|shipping|prices?|"
    r"anything|something|everything|nothing|extras?|accessories)\b",
    re.IGNORECASE,
)


def _among_included(plan: Plan, finder: FactFinder) -> Result | None:
    """ "does it come with a lamp?" is told by the list of what it does come with."""
    m = _COMES_WITH.match(plan.asked.core)
    what = content_stems(m["what"] or m["what2"]) if m else frozenset()
    if m is None or not what or _SERVICES.search(plan.asked.core) or find_quantities(plan.asked.core):
        return None
    fact = finder.fact(plan.subjects[0], replace(take_apart("what does it come with?"), operation="list"))
    items = (split_list(fact.value) if fact.key else items_of(fact)) if fact else []  # "two balls" is one of them
    if fact is None or fact.through is not None or len(items) < FULL_LIST:
        return None
    named = max(shared(what, content_stems(item)) for item in items)
    exactly = max(len(what & content_stems(item)) for item in items)
    if named > 0 and exactly < len(what):  # "heated mirrors" beside heated seats and folding mirrors; charger, chart
        return None
    yes = (named > 0) != negated(plan.asked.core)
    return Result(f"{'Yes' if yes else 'No'}: {say(fact, plan)}", fact.ids)


def _by_attribute(
    subject: str, key: str, value: str, stems: frozenset[str], asked: Asked, probability: float
) -> tuple[float, str] | None:
    said = spoken_attribute(subject, key, value)
    in_value, in_key = content_stems(value), content_stems(key_words(key))
    left = frozenset(s for s in stems if not shared(frozenset({s}), in_key))
    negative = negated(asked.core)
    low = value.lower().strip(" .")
    if _OF_KIND.search(key_words(key)) and not _ASKS_KIND.search(asked.core):
        return None
    if re.match(r"^(?:yes|true)\b", low) or re.match(r"^(?:no|false|none)\b", low):
        if left and shared(stems, in_key) == 0 and (probability < _SURE or _HARM.search(asked.core)):
            return None
        if _NUMBER.search(asked.core) and not re.search(r"\d", key):
            return None  # "can I wash it at 60?": that it may be washed says nothing of sixty
        yes = bool(re.match(r"^(?:yes|true)\b", low)) != negative
        if _HARMFUL.search(key_words(key)) and _SAFE.search(asked.core) and not _HARMFUL.search(asked.core):
            yes = not yes  # what is not toxic is safe
        return probability, f"{'Yes' if yes else 'No'}: {said}"
    if not left and content_stems(key_words(key)) == stems and _EXISTS.match(asked.core.strip(" ?.!")):
        yes = number_of(value) != 0 and not re.match(r"^(?:not|without|nothing)\b", low)
        return max(probability, 0.55), f"{'Yes' if yes != negative else 'No'}: {said}"
    if probability >= ANSWER_THRESHOLD and _ends_in_item(asked.core, value):
        return probability + 0.1, f"{'No' if negative else 'Yes'}: {said}"
    hit = sum(bool(found_in(s, value)) or shared(frozenset({s}), in_value) for s in left)
    if hit and _NAMES_ONLY.search(key_words(key)) and not _in_full(asked.core, value):
        return None
    if left and hit == len(left):
        yes = negated(value) == negative
        return max(probability, 0.55 if hit else 0.0) + 0.1 * hit, f"{'Yes' if yes else 'No'}: {said}"
    if hit == 0 and left and probability >= ANSWER_THRESHOLD and _rules_out(left, value) and shared(stems, in_key):
        return probability - 0.05, f"{'Yes' if negative else 'No'}: {said}"
    return None


#: What a thing is called or what sort of thing it is.
_NAMES_ONLY = re.compile(r"^(?:type|kind|sort|category|class|name|label|title|website|url)$", re.IGNORECASE)


def _in_full(core: str, value: str) -> bool:
    """Whether a word of the value stands in the question as it is: "opening hours" do not say that it is open."""
    asked, said = ({w.lower() for w in words_of(t)} - FUNCTION_WORDS for t in (core, value))
    return any(w in said or f"{w}s" in said or w.removesuffix("s") in said for w in asked)


def _ends_in_item(core: str, value: str) -> bool:
    """ "does it stop at the cattle market?" of a list that names it."""
    items = [re.sub(r"^(?:an?|the) ", "", i.lower()) for i in split_list(value)]
    spoken = core.lower().strip(" ?.!")
    return len(items) > 1 and any(i and re.search(rf"\b{re.escape(i)}$", spoken) for i in items)


#: Words for whole classes of things, which a list names one by one.
_CLASSES = content_stems(
    "fruit, vegetables, veg, greens, herbs, spices, grain, cereal, fat, sweetener, starch, additives, preservatives, "
    "colouring, flavouring, animal, plant, insect, metal, stone, wood, plastic, fabric, electronics, tools, "
    "accessories, extras, anything, something, chemicals, protein"
)


def _rules_out(left: frozenset[str], value: str) -> bool:
    """Whether a value that does not name what was asked says no to it: a full list, or another colour."""
    if left & _CLASSES:
        return False  # "is there fruit in it?": a list that says tomatoes does not say fruit
    if len(split_list(value)) >= FULL_LIST:
        return True
    colours = {stem(c) for c in COLOURS}
    return bool(left & colours) and bool(content_stems(value) & colours)


#: "A cousin of mine washes everything cold": what somebody does says nothing of a thing that is not named.
_SOMEBODYS_WAY = re.compile(
    r"^(?!.*\b(?:it|its|this|that|these|those|they|them|one|ones|mine(?! )|ours)\b)"
    r"(?:an?|my|our|some|one) (?:\w+ )?(?:cousin|neighbou?r|friend|aunt|uncle|mother|father|sister|brother|colleague|"
    r"wife|husband|grandmother|grandfather|flatmate|daughter|son|boss)s?\b",
    re.IGNORECASE,
)


def _by_sentence(
    subject: str, text: str, stems: frozenset[str], asked: Asked, probability: float
) -> tuple[float, str] | None:
    if _SOMEBODYS_WAY.search(text):
        return None
    own = content_stems(text)
    covered = shared(stems, own) / len(stems) if stems else 0.0
    if undecided(text) or elsewhere(text, asked.core):
        return None
    loosely = probability >= _SURE and not _HARM.search(asked.core) and not find_quantities(asked.core)
    if covered < 0.99 and asked.scale is not None and find_quantities(text):
        return None  # "is it heavy?": what it weighs tells nobody whether that is much
    if covered < 0.99:
        nearly = covered >= 0.5 and probability >= 0.6 and not find_quantities(asked.core)
        if not (nearly or loosely):
            return None
        if leaves_out(text, asked.core):
            said = passage_sentence(subject, text, asked)
            return probability, sentence_case(f"{'Yes' if negated(asked.core) else 'No'}: {said}")
        covered = covered if nearly else 0.9
    yes = denies(text, asked.core) == negated(asked.core)
    if find_dates(asked.core) and not find_dates(text):
        return None
    said = passage_sentence(subject, text, asked)
    return max(probability, 0.5) * covered, sentence_case(f"{'Yes' if yes else 'No'}: {said}")


__all__ = ["verdict"]
