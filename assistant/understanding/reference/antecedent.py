"""What "that" and "it" mean where the thing itself is named beside them: "I've got some bread left, so is that
something this bird eats?" asks whether this bird eats bread; "she takes size M, so can one get it for her?" asks for
size M.

English grammar only: the object of what is told before stands for the pronoun of the question.
"""

from __future__ import annotations

import re

from assistant.understanding.preamble import set_apart, unwrapped

_KEEPS = (
    r"got|have|has|had|bought|buy|found|picked up|picks up|collected|offer|give|feed|bring|brought|insists? on|"
    r"(?:do|does|be|live|go) without|(?:quarrel|fight|argue)s?(?: with each other)? (?:over|about)|see|saw|seen|want|"
    r"wants|wanted|needs?|needed|likes?|loves?|misses|looking for|ask(?:s|ed|ing)? (?:for|about)|depends? on|"
    r"rel(?:y|ies) on"
)
_OBJECT = re.compile(
    rf"\b(?:{_KEEPS}) (?:to (?:have|use|see|offer|give|feed) )?"
    r"(?:(?:some|a few|a bit of|a piece of|plenty of|lots of|any|more|my|our|another) )*"
    r"(?!(?:it|that|this|them|these|those|one|to|me|him|her|us|you|there|here|size)\b)"
    r"(?P<what>[^,;]+?)(?= (?:left|here|near|to|for|in|at|on|from|any ?more|with|and|over|lying|today|yesterday|again|"
    r"because|when|if|so|every|each|this|that)\b|\s*[,;.]|$)",
    re.IGNORECASE,
)
#: The thing itself: pointed at or named.
_THING = re.compile(r"\b(?:this|these|that|those|the) (?!(?:one|be|is|was|in)\b)[a-z]+|(?<=[a-z] )[A-Z]\w+|\bits\b")
#: "is that something …", "does one get it with …"; "is it possible to …" says nothing of what was told.
_PRONOUN = re.compile(
    r"(?:^(?:is|are|would|will|could|can|may|if|whether) (?=(?:that|those)\b)|"
    r"^(?:does one get|can (?:i|we|one) get|do (?:i|we) get|(?:does|would|will|can) .*\b(?:have|eat|like|take|include|"
    r"contain)) |\b(?:has|have|include|includes|contain|contains|get) )"
    r"(?P<it>that|it|they|those|them)\b(?! (?:which|who|[a-rt-z]+s) )",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"\b(?:wears?|takes?|needs?|(?:am|is|are|['’]m|['’]s)(?: an?)?|has|have|my|her|his)(?: a)?(?P<said> size)? "
    r"(?P<size>(?-i:X{0,3}[SL]|M)|\d{2}(?:\.5)?)\b(?! ?(?:%|euros?|cm|kg|years|m\b))",
    re.IGNORECASE,
)
_IN_SIZE = re.compile(r"\bin (?:that|this|my|her|his|our|their|the (?:right|same)) size\b", re.IGNORECASE)
_TO_BE_HAD = re.compile(
    r"^(?:can|could|may|do|does|is|are|would|will) .*"
    r"\b(?:get|buy|have|order|there|come|sell|make|made|available|fit)\b",
    re.IGNORECASE,
)
_AMONG = r"(?:(?:is|are|be) )?(?:(?:belongs? to|counts? (?:among|as)|among|part of|one of) )?"
_THINGS = r"(?:something|anything|(?:one of )?(?:the )?(?:things|ones)|what)(?: that)?"
_DOES = r"^(?:is|are|was|would|if|whether) (?P<what>[^,?]+?) "
#: "is bread something this bird eats": does this bird eat bread.
_SOMETHING = re.compile(
    rf"{_DOES}{_AMONG}{_THINGS} "
    r"(?P<x>(?:(?:this|these|the)(?: (?!is\b|are\b|can\b|may\b)[a-z]+)?|it|they|"
    r"that (?!comes|goes|grows|lives|is|are|can)[a-z]+)"
    r"(?: (?:here|there|before me|in front of me|i['’]m looking at))?) "
    r"(?P<does>is|are|can|may|[a-z]+s|[a-z]+)(?P<rest>\b[^,?]*?)\s*\?*$",
    re.IGNORECASE,
)
#: "is bread among the things found with it": is bread found with it.
_FOUND = re.compile(
    rf"{_DOES}(?:(?:is|are|be) )?(?:something|(?:one of|among|part of) (?:the )?[a-z]+s)(?: that)?"
    r"(?P<be> (?:is|are))? (?P<done>(?:found|kept|sold|[a-z]+ed|[a-z]+n|comes|come|goes|go|grows|grow)) "
    r"(?P<rest>[^?]+?)\s*\?*$",
    re.IGNORECASE,
)


def with_antecedent(text: str) -> str:
    """The question with what its pronoun stands for; every other question as it is."""
    text = _which_one(text)
    story, asks = set_apart(text)
    if not story and (parts := _TWO_CLAUSES.match(text)):
        story, asks = parts["story"], parts["asks"]
    bare = unwrapped(asks)
    said = _as_verb(_of_size(story, _replaced(story, bare)))
    if said == bare:
        return text
    said = re.sub(r"^if\b", "whether", said)
    return f"{story}, so {said}" if story else said


#: "I've got some bread, would it eat that?"
_TWO_CLAUSES = re.compile(
    r"^(?!(?:if|when|suppose)\b)(?P<story>[^,?]+), (?P<asks>(?:is|are|would|will|could|can|may|does|do) [^,?]+\?*)$",
    re.IGNORECASE,
)


def _replaced(story: str, asks: str) -> str:
    objects = list(_OBJECT.finditer(story))
    pronoun = _PRONOUN.search(asks)
    if not objects or pronoun is None:
        return asks
    before, behind = asks[: pronoun.start("it")], asks[pronoun.end("it") :]
    what = objects[-1]["what"].strip()
    if not _THING.search(f"{before} {behind}") or len(what.split()) > 4 or re.search(r"\b(?:this|these)\b|\d", what):
        return asks
    return f"{before}{what}{behind}"


#: "there must be a company behind this drill".
_SOME = re.compile(
    r"\b(?:there(?:['’]s| is| was| must be| has to be|['’]?s got to be| has got to be| should be| will be)|it has|"
    r"it['’]s got) (?:an?|some) (?P<what>[a-z]+)\b(?! (?:to|of)\b)",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(
    r"(?P<story>^.+?)(?P<sign>[,;:—–.] ?)which(?: one)?(?= (?:is|was|has|made|built|drew|wrote|[a-z]+s|[a-z]+ed)\b)",
    re.IGNORECASE,
)


def _which_one(text: str) -> str:
    """ "there's a company behind it, which one makes it": which company makes it."""
    asked = _WHICH_ONE.match(text)
    told = _SOME.search(asked["story"]) if asked else None
    if asked is None or told is None:
        return text
    return f"{asked['story']}{asked['sign']}which {told['what']}{text[asked.end() :]}"


def _of_size(story: str, asks: str) -> str:
    told = _SIZE.search(story)
    if told is None:
        return asks
    if _IN_SIZE.search(asks):
        return _IN_SIZE.sub(f"in size {told['size']}", asks)
    return f"{asks.rstrip(' ?.!')} in size {told['size']}?" if told["said"] and _TO_BE_HAD.match(asks) else asks


_WITH_IT = re.compile(
    r"(?:in (?:the )?company (?:of|with)|(?:al)?together with|along ?with|alongside|with|beside|next to) "
    r"(?P<x>(?:this|that|these|it)\b(?: (?!in\b|on\b|at\b)[a-z]+)?|[A-Z][\w' ]+)",
    re.IGNORECASE,
)
_PARTICIPLES = {"comes": "found", "come": "found", "goes": "found", "go": "found", "grows": "grown", "grow": "grown"}


#: "would bread be its normal food": does it eat bread.
_FOOD = re.compile(
    r"^(?:is|are|would|could|will) (?P<what>(?!(?:it|this|that|there)\b)[a-z][^,;:?.!]*?)(?: be)? "
    r"(?:its|their|his|her) "
    r"(?:(?:normal|usual|regular|natural|proper|right) )?(?:food|diet|fare)\s*\?*$",
    re.IGNORECASE,
)


def _as_verb(asks: str) -> str:
    if m := _FOOD.match(asks):
        return f"does it eat {m['what']}?"
    if m := _SOMETHING.match(asks):
        does, rest = m["does"].lower(), m["rest"].rstrip()
        if does in ("is", "are", "can", "may"):
            return f"{does} {m['x']}{rest} {m['what']}?"
        verb = re.sub(r"(?<=[sxzh])es$|(?<!s)s$", "", does)
        led = re.match(r" (?:along with|on|with|for|in|to|up)\b", rest)
        at = led.end() if led else 0
        rest_of_it = re.sub(r"^ as (?:its |their )?(?:normal |usual )?food$", "", rest[at:])
        verb = "eat" if rest_of_it != rest[at:] else verb
        return f"does {m['x']} {verb}{rest[:at]} {m['what']}{rest_of_it}?"
    if m := _FOUND.match(asks):
        done = m["done"].lower()
        if both := _WITH_IT.match(m["rest"]):  # what is found with this, this is found with
            return f"is {both['x']} {_PARTICIPLES.get(done, done)} together with {m['what']}?"
        if done in ("comes", "come", "goes", "go", "grows", "grow"):
            return f"does {m['what']} {re.sub(r'(?<=o)es$|s$', '', done)} {m['rest']}?"
        return f"is {m['what']} {done} {m['rest']}?"
    return asks
