"""Counting what a list names: "how many colours does it come in" is asked as "which colours does it come in".

A stated number comes first; a list counts where nothing states one.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.reading.compose import join_list, sentence_case
from assistant.reading.fact_finder import ANSWER_THRESHOLD, Fact, FactFinder
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result, abstain
from assistant.text.english import content_stems, shared
from assistant.text.values import find_dates, find_quantities, split_list
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.plan import Plan
from assistant.understanding.pointing.phrases import pointing_left_out

_HOW_MANY = re.compile(
    r"\bhow many(?: different| various| distinct)?(?: (?:kinds|sorts|types|varieties) of)?(?: different)?\b",
    re.IGNORECASE,
)
_NUMBER_OF = re.compile(
    r"^(?:(?:what(?:['’]s| is)|tell me|give me)? ?(?:the )?(?:(?:exact|total|full) )?(?:number|count) of|count) "
    r"(?:the |its |all )?(?:different )?",
    re.IGNORECASE,
)
_LED_IN = re.compile(r"^(?P<prep>of|in|from|with|for|to|on) (?P<rest>how many\b.+?)[\s?.!]*$", re.IGNORECASE)
#: One fact alone may be a list of one ("pests: aphids"), but only where it is this probable.
_SINGLE = 0.6
_PERHAPS = 0.2
#: "how many kinds of parts": so many parts are no answer.
_KINDS = re.compile(
    r"\b(?:how many|(?:number|count) of)\b(?: \w+)?? "
    r"(?P<kinds>kinds|sorts|types|varieties|species|different|various|distinct)\b",
    re.IGNORECASE,
)
_SAYS_KINDS = re.compile(
    r"\b(?:kinds?|sorts?|types?|varieties|variety|species|different|various|distinct)\b", re.IGNORECASE
)
#: "36, 37, 38 and 40": bare figures in a row are what is there, and none of them says how many.
_NUMBERS_ONLY = re.compile(r"\d{1,4}(?:\.\d+)?(?:, \d{1,4}(?:\.\d+)?)+(?:,? and \d{1,4}(?:\.\d+)?)?")
_CLOSED = re.compile(r"\b(?:closed|shut|closing day)\b|\bclosed_", re.IGNORECASE)
_MAX_WORDS = 4
#: "how many were printed": of the thing itself, which no list of its parts counts.
_OF_ITSELF = re.compile(
    r"\bhow many (?:(?:of (?:them|these|those|it) )?(?:were|are|was|have been|has been|had been|got) (?:ever )?"
    r"(?:[a-z]+ed|made|built|sold|cut|struck|left|born|sewn|drawn|"
    r"written)|did (?:they|he|she) (?:make|print|build|sell))\b",
    re.IGNORECASE,
)
#: "how many pieces of this kettle", "the number of it available": so many of the thing, and of nothing in it.
_MANY_OF_IT = re.compile(
    r"\b(?:how many|(?:number|count) of) (?:(?:pieces|units|copies|items|specimens|examples) of |of )?"
    r"(?:it|(?:this|that) one)\b(?!['’])",
    re.IGNORECASE,
)
#: A list of so many leaves nothing out.
FULL_LIST = 3


def counted_list(plan: Plan, finder: FactFinder) -> Result | None:
    """The number of items in the list that the question speaks of; None when it counts nothing or a number is known."""
    question = list_question(plan.asked.core)
    if question is None or len(plan.subjects) != 1 or _counts_itself(plan, finder):
        return None
    number = finder.fact(plan.subjects[0])
    kinds = _KINDS.search(plan.asked.core) is not None
    if number is not None and kinds and not _says_kinds(number):
        number = None
    if number is not None and _NUMBERS_ONLY.fullmatch(number.value.strip(" .")) and _names_it(number, plan):
        figures = split_list(number.value)
        said = f"{len(figures)} {plan.asked.expected.noun.split()[-1] if plan.asked.expected.noun else ''}".strip()
        return Result(sentence_case(f"{said}: {join_list(figures)}"), number.ids, number.note)
    if number is not None and any(c.isdigit() for c in number.value) and _names_it(number, plan):
        return None
    listing = replace(plan.asked, about=(), expected=Expected(), operation="list", scale=None)
    fact = max(
        (
            found
            for wording in _wordings(question)
            if (found := finder.fact(plan.subjects[0], replace(listing, core=wording), ANSWER_THRESHOLD)) is not None
        ),
        key=lambda f: f.probability,
        default=None,
    )
    if number is None and kinds and (fact is None or len(items_of(fact)) < 2):
        return abstain(plan, plan.subjects[0])
    told = number is not None and (find_quantities(number.value) or number.key)  # "watch out for rust and mites"
    surer = number is not None and told and number.probability > (0.0 if fact is None else fact.probability)
    if fact is None or (surer and not (number and _counts_others(number, plan) and len(items_of(fact)) > 1)):
        return None
    items = items_of(fact)
    if _numbers_it(fact.value, plan, len(items)):
        return None  # "a bag, five dice": how many dice is told
    if len(items) == 1 and _may_be_stated(plan, finder):
        return None
    if _CLOSED.search(f"{fact.key or ''} {fact.value}") and not _CLOSED.search(plan.asked.core):
        return abstain(plan, plan.subjects[0])  # the days on which it is shut are not those on which it is open
    if not items or (fact.probability < _SINGLE and (len(items) == 1 or not (kinds or _names_it(fact, plan)))):
        return None
    noun = plan.asked.expected.noun.split()[-1] if plan.asked.expected.noun and len(items) > 1 else ""
    said = f"{len(items)} {noun}".strip()
    return Result(sentence_case(f"{said}: {join_list(items)}"), fact.ids, fact.note)


def _counts_itself(plan: Plan, finder: FactFinder) -> bool:
    """Whether it is asked how many of the thing there are: "how many of this plant have they got?"."""
    own = [e for e in finder.evidence if e.subject == plan.subjects[0]]
    return _MANY_OF_IT.search(pointing_left_out(plan.asked.core, kinds_of(own))) is not None


#: "which stops does it make" says no more than that there are some.
_IT_HAS = re.compile(
    r"^which (?P<noun>(?:\w+ ){0,2}\w+s) (?:does|do|can|will) (?:it|this|that|(?:the|this|that) \w+)"
    r"(?: (?:one|here|there))? (?:have|make|do|get|offer|hold|contain)\W*$",
    re.IGNORECASE,
)


def _wordings(question: str) -> tuple[str, ...]:
    has = _IT_HAS.match(question)
    return (question, f"which {has['noun']} are there?") if has else (question,)


def _says_kinds(number: Fact) -> bool:
    return _SAYS_KINDS.search(f"{number.key or ''} {number.value}".replace("_", " ")) is not None


def _counts_others(number: Fact, plan: Plan) -> bool:
    """Whether the number is said to be of something else: "61,400 people" for how many fairs there are."""
    counted = [q for q in find_quantities(number.value) if q.dimension == "count" and q.unit]
    return number.key is None and len(counted) > 0 and not _names_it(number, plan)


def _numbers_it(value: str, plan: Plan, listed_items: int) -> bool:
    """Whether the list itself gives another number for what is counted."""
    noun = content_stems(plan.asked.expected.noun)
    counts = [q for q in find_quantities(value) if q.dimension == "count" and q.low != listed_items]
    return bool(noun) and any(shared(noun, content_stems(q.text)) for q in counts)


def _may_be_stated(plan: Plan, finder: FactFinder) -> bool:
    """Whether some fact may state the number: then a list of one counts nothing."""
    number = finder.fact(plan.subjects[0], threshold=_PERHAPS)
    return number is not None and any(c.isdigit() for c in number.value)


def list_question(core: str) -> str | None:
    """ "how many colours does it come in?" → "which colours does it come in?"; None when nothing is counted."""
    if _OF_ITSELF.search(core):
        return None
    if m := _LED_IN.match(core):  # "of how many parts does it consist?" → "which parts does it consist of?"
        return f"{_HOW_MANY.sub('which', m['rest'], count=1)} {m['prep'].lower()}?"
    if _HOW_MANY.search(core):
        return _HOW_MANY.sub("which", core, count=1)
    if _NUMBER_OF.match(core):
        rest = _NUMBER_OF.sub("", core, count=1)
        rest = re.sub(r"^(\w+(?: \w+)?) (?:that|which) ", r"\1 ", rest.rstrip(" .?!"))
        rest = re.sub(r"^(\w+) (?=(?:in|on|of|for|with|inside)\b)", r"\1 are ", rest)
        return f"which {rest}?" if " " in rest else f"which {rest} does it have?"
    return None


def _names_it(number: Fact, plan: Plan) -> bool:
    """Whether the number is said to be of what is counted."""
    noun = content_stems(plan.asked.expected.noun)
    return not noun or shared(noun, content_stems(f"{number.key or ''} {number.value}".replace("_", " "))) > 0


def items_of(fact: Fact) -> list[str]:
    """What the fact lists: the value of an attribute, or the end of a sentence that lists things."""
    worded = fact.key is not None and not re.search(r"\d", fact.value)  # "a map, two torches and a stove"
    if not worded and (find_quantities(fact.value) or find_dates(fact.value)):
        return _plain_items(fact.value)
    if fact.key is not None:
        items = [i for i in split_list(fact.value) if i]
        return items if all(_short(i) for i in items) else []
    return listed(fact.value)


def _plain_items(text: str) -> list[str]:
    """A list may say "two straps"; figures of measure make it none."""
    worded = not re.search(r"\d", text)
    return listed(text) if worded else []


#: "Duckweed, larvae, worms and fallen fruit." is all that is said.
_FRAGMENT = re.compile(r"\w+(?: \w+)?(?:, \w+(?: \w+)?)+,? and \w+(?: \w+)?\.?")
_DEEPER = re.compile(
    r"\b(?:available in|made (?:of|from|with)|comes? (?:in|with))\s+"
    r"|^(?!the\b|its\b|all\b|one\b)[a-z]{3,} (?:(?:up|out) )?(?:on|at|in|with|to|for|from|among|by|during)\s+"
)


def listed(sentence: str) -> list[str]:
    """The items of "It comes in moss green, plum and black.": what follows the verb, split at commas and "and"."""
    asked, answered, rest = sentence.rpartition("? ")  # "What does it eat? Worms, flies and fallen fruit."
    if asked and answered:
        sentence = f"it has {rest}"
    if _FRAGMENT.fullmatch(sentence):
        sentence = f"it has {sentence}"
    for clause in sentence.split("; ")[:-1]:  # "they had it in red, plum and black; mine was gone"
        if items := listed(clause):
            return items
    m = re.search(
        r"\b(?:are|is|in|at|contains?|includes?|gets?|get|with|of|from|has|have|comprises?|offers?|needs?|likes?|eats?|"
        r"holds?|hosts?|stages?|takes?|keeps?|grows?|lists?|names?|"
        r"feeds? on|lives? on|serves?|sells?|carries|finds?|sees?|meets?|uses?|shows?|came(?! (?:in|with)\b)|:)\s+"
        r"(?P<items>[^.;:]+?)\s*\.?$",
        sentence,
    )
    deeper = _DEEPER.search(m["items"]) if m else None
    found = _split(m["items"][deeper.end() :] if deeper else m["items"]) if m else []
    return found or _leading(sentence)


def _leading(sentence: str) -> list[str]:
    """ "Spider mites, mildew and slugs: that is what gets it." """
    head = re.match(
        r"^(?:put |take |add )?(?P<items>[^.;:]+?)(?::| next to\b| beside\b| go with\b| come with\b)", sentence, re.I
    )
    return _split(head["items"]) if head else []


#: "aphids, every single year"; "… and so expect a twist".
_REMARK = re.compile(
    r"(?:,| and)\s+(?:and )?(?:so|then|every|each|but|which|though|although|as|if|when|because|since|i|you|we|they|it|"
    r"he|she|that|this|there|mostly|usually|always|never|of course|at least|in all)\b.*$",
    re.IGNORECASE,
)


def _split(text: str) -> list[str]:
    text = re.sub(r"^(?:also|both|only|just|all of)\s+", "", text.strip())
    ends = re.match(r"(?P<list>[^,]+(?:, [^,]+)*?,? and [^,]+),", text)  # what follows the last item is a remark
    text = ends["list"] if ends else text
    text = _REMARK.sub("", text)
    parts = [p.strip() for p in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if p.strip()]
    return parts if len(parts) > 1 and all(_short(p) for p in parts) else []


def _short(item: str) -> bool:
    return len(re.sub(r"^(?:(?:on|at|in|for|with|from|to|of) )?(?:(?:an?|the) )?", "", item).split()) <= _MAX_WORDS
