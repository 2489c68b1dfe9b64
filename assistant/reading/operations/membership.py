"""Whether a list names what a question asks for: "does it eat hay?", "is a bell part of the kit?", "would I see it on
market day?".

A list that names it says yes, whatever the verb; that a full list leaves it out says no only where the question says
outright what is looked for and the list is plainly the one that is asked about.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.core.types import Evidence
from assistant.reading.attribute_templates import spoken_attribute
from assistant.reading.confirmation import HARM, rules_out
from assistant.reading.fact_finder import FactFinder
from assistant.reading.negation import denies
from assistant.reading.operations.counting import FULL_LIST, listed
from assistant.reading.passage_sentence import passage_sentence
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result
from assistant.reading.scoring.evidence_scoring import ScoredEvidence
from assistant.text.attribute_keys import labelled_value
from assistant.text.english import content_stems, negated, shared, stem, words_of
from assistant.text.values import find_dates, find_quantities, split_list
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.phrases import pointing_left_out

#: A list that names the very thing counts when it is this probable; one word may be there by chance.
_NAMED = 0.05
_NAMED_BY_ONE_WORD = 0.1
#: A list that does not name it says no when it is this probable, and so many times more so than anything else.
_LEFT_OUT = 0.35
_LEFT_OUT_ALONE = 0.14
_AHEAD = 4.0
_MAX_WORDS = 5
#: Evidence that is looked at.
_FIRST = 3
_NUMBERS_OF_THINGS = frozenset(("count", "", "money"))

_ITEM = r"(?!(?:it|this|that|they|them|one|there|i|we|you|he|she|something|anything)\b)[a-z][\w'’-]*(?: [\w'’-]+){0,5}?"
_HAS_IT = r"\b(?:it|them|its|their)\b"
_WOULD = r"(?:do|does|did|has|have|had|can|could|will|would|should|may|might|shall)(?:n['’]t)?"
_PATTERNS = tuple(
    re.compile(p, re.IGNORECASE)
    for p in (
        # "is there a bell in it", "might there be gypsum too"
        rf"^(?:is|are|was|were|will|would|might|could|can|may) there (?:also )?(?:be )?(?:also )?(?P<x>{_ITEM})"
        rf"(?:,? (?:too|as well|also))?(?: (?:in|on|at|with|inside|around|near|among|by|to|for|where)\b.*)?$",
        # "is a bell part of its kit", "would hay make a meal for it"
        rf"^(?:is|are|was|were|will|would|could|might|can|may|should)(?:n['’]t)? (?P<x>{_ITEM})(?: be| go| come|"
        rf" get| make| count| "
        r"also| usually| commonly| normally| often| ever)*(?: (?:included|included|part|something|food|among|"
        r"found|one of|fine|"
        r"suitable|safe|good|packed|supplied|fitted|standard|served|seen|present|listed|counted|right|welcome|"
        r"with|in|on|along|alongside|together|an?|the))\b.*"
        rf"{_HAS_IT}.*$",
        # "is it fitted with fog lamps", "is it shown on market day"
        rf"^(?:is|are|was|were) (?:it|they) [a-z]+(?:ed|en|wn|ld|pt|ut)(?: up| out)? "
        rf"(?:with|on|at|in|for|among|during|alongside|together with) (?P<x>{_ITEM})$",
        # "hay as food for it, yes or no"
        rf"^(?P<x>{_ITEM}) (?:as|in|with|for|on|from) (?:.* )?{_HAS_IT}.*\byes or no$",
    )
)
#: "does it eat hay", "would I come across it on market day": what stands behind the verb, or behind a preposition.
_DOES = re.compile(
    rf"^{_WOULD} (?:(?:this|that) one|it|they|he|she|you|i|we|one|people|someone|anyone|"
    r"(?:the|its) (?:maker|makers|box|pack|"
    rf"package|list|kit|set|label)"
    r"(?: (?:of|for) it)?)"
    r"(?: (?:ever|also|usually|normally|really|actually|always|still|even))* (?P<rest>.+)$",
    re.IGNORECASE,
)
_AFTER_IT = re.compile(
    r"^[a-z]+(?: (?:up|on|out|across|off|with|in|along|together|over))*\s+(?:it|them) (?P<x>.+)$", re.I
)
_TAIL = re.compile(
    r"(?: (?:along with|together with|with|in|on|to|from|at|inside|for|off|near|of|beside|around|as)"
    r"(?: (?:the|its|a) [a-z]+)?(?: (?:of|for|with|in|on))? (?:it|them)\b.*"
    r"| (?:in|inside) the (?:box|pack|package|set|kit|bag|tin)|,? (?:too|as well|at all|also|on board|"
    r"along|as standard|here|there|for food|as (?:food|feed|part of .*)))+$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"^(?:(?:be|have|get|got|come|go|turn|been|being) )?[a-z]+(?:ed|ing|s)?"
    r"(?: (?:up|on|out|across|off|in|along|together|over|about))*(?: (?P<prep>with|in|on|at|to|for|from|among|"
    r"near|alongside))?"
    r" (?P<x>.+)$",
    re.IGNORECASE,
)
_HAVING = re.compile(r"^(?:got|had) (?P<x>.+)$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:(?:an?|the|any|some|its|their|also|even|such|both|either|my|our|of) )+", re.IGNORECASE)
#: "I've got hay here, does it eat that": what is meant stands before.
_BEFORE = re.compile(
    rf"\b(?:(?:i|we)(?:['’]ve| have)(?: got)?|(?:i|we)(?:['’]d| would)(?: really| rather| also)? (?:want|like|"
    rf"love|need)|(?:i|we)"
    r"(?: was| were|['’]m| am|['’]re| are) (?:hoping|looking|after|thinking|asking)(?: for| of| about)?|"
    rf"(?:i|we)(?: really| just| do)? (?:want|need|like))(?: here)? (?P<x>{_ITEM})"
    r"(?: (?:here|there|at home|left|with me|too))?(?:[,;.:]| –| -) ",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    rf"^(?:(?:sorry|hey|um|er|so|right|ok|okay|well|and|quick one|quick question),? )*(?P<x>{_ITEM})[,:;] (?:is|"
    rf"are|was|does|do|"
    r"did|would|will|can|could|might|has|have)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:that|this|it|them|those|one|these)\b", re.IGNORECASE)
_NO_ITEM = re.compile(
    r"\b(?:it|this|that|they|them|anything|something|nothing|everything|else|more|much|many|enough|well|better|"
    r"ok|okay|if|"
    r"when|because|than|who|which|what|how|i|we|you|me|us|very|too)\b",
    re.IGNORECASE,
)


_FREE_OF = re.compile(r"\bfree (?:of|from)\b|-free\b|\bsafe\b", re.IGNORECASE)
_ALLERGENS = re.compile(r"allerg", re.IGNORECASE)
_CONTAINS = re.compile(
    r"\b(?:contains?|include[sd]?|inside|in (?:it|there|here)|is there|are there|allerg\w+)\b", re.IGNORECASE
)


#: "in size S", "a 42": what a list of sizes is asked for.
_SIZE = re.compile(r"\b[Ss]izes? (?P<code>[X]{0,4}[SML]|\d{1,3}(?:[.,/]\d)?)(?![\w-])")
_CODE = re.compile(r"^(?:[X]{0,4}[SML]|\d{1,3}(?:[.,/]\d)?)$")


def _in_that_size(plan: Plan, finder: FactFinder) -> Result | None:
    """A size is there or not there, letter by letter; None where no list of sizes is known."""
    if (m := _SIZE.search(plan.asked.core)) is None:
        return None
    for j in finder.judged(plan.subjects[0], plan.asked)[:_FIRST]:
        sizes = [i.strip() for i in _items(j.evidence)]
        if len(sizes) > 1 and all(_CODE.match(s) for s in sizes):
            yes = (m["code"] in sizes) != negated(plan.asked.core)
            return Result(f"{'Yes' if yes else 'No'}: {_said(plan.subjects[0], j, plan)}", (j.evidence.id,))
    return None


def listed_or_not(plan: Plan, finder: FactFinder) -> Result | None:
    """Yes with the list that names it, no with the full list that is asked about and does not; else None."""
    asked, subject = plan.asked, plan.subjects[0]
    if (sized := _in_that_size(plan, finder)) is not None:
        return sized
    if (
        asked.scale is not None
        or _FREE_OF.search(plan.question)
        or HARM.search(asked.core)
        or find_dates(plan.question)
    ):
        return None
    if any(q.dimension not in _NUMBERS_OF_THINGS for q in find_quantities(plan.question)):
        return None
    judged = finder.judged(subject, asked)
    kinds = kinds_of([j.evidence for j in judged])
    core = pointing_left_out(asked.core, kinds).strip(" ?.!")
    item = asked_item(core)
    if item is None and (item := asked_before(core, pointing_left_out(plan.question, kinds))):
        said = _POINTS_BACK.sub(item, core, count=1)
        judged = finder.judged(subject, replace(asked, core=f"{said}?"))
    negative = negated(re.sub(r"\byes or no\b", "", asked.core, flags=re.IGNORECASE))
    for j in judged[:_FIRST]:
        if _ALLERGENS.search(j.evidence.text) and not _CONTAINS.search(core):
            continue  # who may have it is another matter (`diets`)
        items = _items(j.evidence)
        named = [i for i in items if _names(plan.question, i) or (item and _one_of(item, i))]
        found = max(named, key=len, default=None) if len(items) > 1 else None
        if found is None or (item and content_stems(found) < content_stems(item)):
            continue
        least = _NAMED if len(found.split()) > 1 else _NAMED_BY_ONE_WORD
        if j.probability >= least and not _denied(j.evidence, found):
            return Result(f"{'No' if negative else 'Yes'}: {_said(subject, j, plan)}", (j.evidence.id,))
    if item is None or not judged or content_stems(item) & kinds:
        return None
    return _left_out(plan, judged, item, negative)


def _left_out(plan: Plan, judged: list[ScoredEvidence], item: str, negative: bool) -> Result | None:
    first, subject = judged[0], plan.subjects[0]
    items, stems = _items(first.evidence), content_stems(item)
    told = any(shared(stems, content_stems(j.evidence.text)) == len(stems) for j in judged)
    own = frozenset({stem(_head(item))})
    if len(items) < FULL_LIST or not stems or told or shared(stems - own, content_stems(" ".join(items))):
        return None  # "heated mirrors" beside heated seats: who knows
    if any(content_stems(i) <= stems for i in items):
        return None
    others = [j.probability for j in judged[1:] if set(_items(j.evidence)) != set(items)]
    alone = first.probability >= _AHEAD * max(others, default=0.0)
    sure = first.probability >= _LEFT_OUT or (alone and first.probability >= _LEFT_OUT_ALONE)
    if not sure or not rules_out(stems, ", ".join(items)) or _denied(first.evidence, items[0]):
        return None
    return Result(f"{'Yes' if negative else 'No'}: {_said(subject, first, plan)}", (first.evidence.id,))


def asked_item(core: str) -> str | None:
    """What a question for yes or no looks for in a list, where it says so; "it" stands for the thing."""
    core = core.strip(" ?.!")
    for pattern in _PATTERNS:
        if m := pattern.match(core):
            return _trimmed(m["x"])
    m = _DOES.match(core)
    if m is None:
        return None
    rest = _TAIL.sub("", m["rest"].strip(" ?.!"))
    behind = _AFTER_IT.match(rest)
    said = behind["x"] if behind else None
    if said is None:
        verb = _HAVING.match(rest) or _VERB.match(rest)
        said = verb["x"] if verb else None
    if said is None:
        return None
    said = re.sub(r"^(?:with|in|on|at|to|for|from|among|near|during|by|as) ", "", said.strip(), flags=re.IGNORECASE)
    return _trimmed(said) or _trimmed(re.split(r" (?:on|at|during|with) ", said)[-1])


def asked_before(core: str, question: str) -> str | None:
    """What was spoken of before the clause that asks, and is "that" in it."""
    if not _POINTS_BACK.search(core):
        return None
    m = _BEFORE.search(question) or _TOPIC.match(question)
    return _trimmed(m["x"]) if m else None


def _trimmed(text: str) -> str | None:
    said = _LEADING.sub("", " ".join(text.split()).strip(" ,?.!"))
    if not said or len(said.split()) > _MAX_WORDS or _NO_ITEM.search(said):
        return None
    return said


def _items(e: Evidence) -> list[str]:
    pair = (e.key, str(e.value)) if e.key is not None else labelled_value(e.text)
    if pair is not None and not re.search(r"\d", pair[1]):
        return [_LEADING.sub("", i) for i in split_list(pair[1]) if i and len(i.split()) <= _MAX_WORDS]
    return [_LEADING.sub("", i) for i in listed(e.text)]


def _names(question: str, item: str) -> bool:
    """Whether the item stands in the question as it is in the list."""
    asked, wanted = ([stem(w) for w in words_of(t)] for t in (question, item))
    n = len(wanted)
    return bool(wanted) and bool(content_stems(item)) and any(asked[i : i + n] == wanted for i in range(len(asked)))


def _one_of(asked: str, item: str) -> bool:
    """Whether the item is one of what is asked for: "wooden cubes" are there where "sixty wooden cubes" are."""
    return content_stems(asked) <= content_stems(item) and stem(_head(asked)) == stem(_head(item))


def _head(noun_phrase: str) -> str:
    return re.split(r" (?:of|for|with|in) ", noun_phrase)[0].split()[-1]


def _denied(e: Evidence, item: str) -> bool:
    """Whether the statement says that none of it is so."""
    return denies(e.text, item)


def _said(subject: str, j: ScoredEvidence, plan: Plan) -> str:
    e = j.evidence
    if e.key is not None:
        return spoken_attribute(subject, e.key, str(e.value))
    if (pair := labelled_value(e.text)) is not None:
        return spoken_attribute(subject, *pair)
    return passage_sentence(subject, e.text, plan.asked)


__all__ = ["asked_before", "asked_item", "listed_or_not"]
