"""Groups that a thing belongs to: "all of this series", "the lightest in the range", "their other ones".

A group is a value that several indexed things share (a series, a maker). Which shared value a phrase means is
decided by meaning; members come from the index and from pages that list them. Things outside the index are not known.
"""

from __future__ import annotations

import functools
import re
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.text.attribute_keys import spoken_key
from assistant.text.english import plain, sentences, stem, word_set
from assistant.text.kinds import is_kind_word
from assistant.text.values import find_names, find_quantities
from assistant.understanding.preamble import set_apart

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge

#: English collective nouns for things made or published together.
_COLLECTIVES = word_set(
    "series line range collection family set group trilogy saga lineup brand label cycle suite edition course league "
    "programme fleet club menu gang class find hoard batch genus assortment selection suite ensemble herd flock litter "
    "brood bunch cluster squad honours"
)
#: Those that visit a thing, where they are only told of: "I'm here with the whole family, so …".
_OF_PEOPLE = word_set("family club class course gang squad group league")


#: "if the whole family came to the temple": what people do, and things of a group do not.
_THEY_DO = re.compile(
    r" (?:(?:of mine|and i|all|together|also) )*(?:came|comes?|coming|went|goes|going|visits?|visited|wants?|wanted|"
    r"eats?|drinks?|sits?|sat|rides?|travels?|meets?|met|joins?|joined|turns? up|turned up|arrives?|arrived|needs?|"
    r"likes?|loves?|is (?:here|coming|with)|are (?:here|coming|with))\b",
    re.IGNORECASE,
)


#: "if", "when" before them: a case that is put.
_PUT = re.compile(r"\b(?:if|when|whenever|once|suppose|supposing|imagine|say)\b[^,;:?]*$", re.IGNORECASE)


def _are_guests(m: re.Match[str]) -> bool:
    """Whether a phrase for a group tells of people who come to the thing."""
    return _THEY_DO.match(m.string, m.end()) is not None and _PUT.search(m.string[: m.start()]) is not None


@functools.lru_cache(maxsize=256)
def _phrase(nouns: frozenset[str]) -> re.Pattern[str]:
    """ "all of this series", "the whole fleet": a phrase for a group by one of its nouns."""
    return re.compile(
        r"\b(?:(?:all|each|every(?: \w+)?|everything|everyone|one|any|most|half|both|how many|which|rest|whole|count|"
        r"number|lot|\w+est|members?|part)\s+"
        r"(?:\w+\s+){0,3}?)?(?P<det>this|that|its|their|the same|the whole|the complete|the entire|the full|the|"
        r"his|her|same|(?<=[,;] )(?:whole|entire|complete|full)|(?:is|was)\s+(?:this|that|it)\s+an?|"
        r"(?:one|part|member|piece|item)\s+(?:out )?of\s+an?|belongs?\s+to\s+an?|(?:share|shares|sharing)\s+an?|"
        r"(?:is|are|comes?)\s+(?:in|from)\s+an?)\s+"
        rf"(?:\w+\s+)??(?P<noun>{'|'.join(sorted(nouns))})\b",
        re.IGNORECASE,
    )


_WITHIN = re.compile(
    r"\b(?:of|in|from|among|amongst|within|around|across|over) (?:all (?:of )?)?(?:this|that|its|their|the)(?: \w+)? "
    rf"(?:{'|'.join(sorted(_COLLECTIVES))})\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|each|every|everything|complete|whole|entire|full|together|total|in all|altogether|add(?:ing|"
    r"ed)?|sum|combined|average|lot)\b",
    re.IGNORECASE,
)
#: Keys that speak of a group whatever its kind.
_GROUP_KEY = re.compile(  # "collection of" says whose it is
    rf"\b(?:part of|belongs to|member of|(?:{'|'.join(sorted(_COLLECTIVES))})(?! (?:of|by|in|at|on)$))\b"
)
#: What a firm makes is its range; what comes from one town or one hand is no set, group or series.
_RANGES = word_set("range line lineup assortment collection selection")
_MAKER_KEY = re.compile(r"\b(?:brand|maker|manufacturer|make|marque|label|producer|publisher|company|firm)\b")
MAX_MEMBERS = 12
_LIKENESS = 0.38
_shared: weakref.WeakKeyDictionary[object, dict[str, tuple[str, ...]]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class Group:
    """`phrase` of the question, the shared `value` (the series' name) and the members, the subject first."""

    phrase: str
    value: str
    members: tuple[str, ...]


def is_within_group(core: str) -> bool:
    """Whether the question looks for something among what forms a group: "the dearest in the range of it"."""
    return bool(_WITHIN.search(core))


def wants_all(core: str) -> bool:
    """Whether the question speaks of every member."""
    return bool(_ALL.search(core))


TOGETHER = re.compile(
    r"\s*,?\s*\b(?:(?:all )?together|altogether|in total|in all|added (?:up|together)|adds? up to|combined|"
    r"summed up|all in all|on average|one (?:after|behind) (?:the other|another)|end to end|in a row)\b",
    re.IGNORECASE,
)


def for_one(core: str, phrase: str) -> str:
    """The question put for one member: "how many can sit in all cars of this range together" → "… sit in it"."""
    one = re.sub(re.escape(phrase), "it", core, count=1, flags=re.IGNORECASE)
    return " ".join(TOGETHER.sub("", one).split())


def find_group(core: str, subject: str, knowledge: Knowledge) -> Group | None:
    """The group that a collective phrase of the question means for this subject, or None."""
    record = knowledge.entity(subject)
    options = {}
    for key, raw in (record.attributes if record else {}).items():
        value = group_value(raw)
        if value and len(members_by_value(knowledge).get(value.casefold(), ())) > 1:
            options[spoken_key(key)] = value
    if not options:
        return None
    own = {noun for value in options.values() if (noun := _own_noun(value))}
    story, asks = set_apart(core)
    found = [*_phrase(_COLLECTIVES | own).finditer(asks), *_phrase((_COLLECTIVES - _OF_PEOPLE) | own).finditer(story)]
    found = [m for m in found if m["noun"].lower() not in _OF_PEOPLE - own or not _are_guests(m)]
    nouns = [(m.group(0), m.group("noun").lower(), m.group("det").lower()) for m in found]
    nouns = [n for n in nouns if n[1] not in ("brand", "label", "edition") or "same" in n[2]]
    if not nouns:
        return None
    phrase, noun, _ = nouns[0]
    if noun not in ("brand", "label"):  # what shares a town or a maker is no group where there is one that is called so
        called = {k: v for k, v in options.items() if _GROUP_KEY.search(k) or _own_noun(v) or noun in v.lower().split()}
        made = {k: v for k, v in options.items() if noun in _RANGES and _MAKER_KEY.search(k)}
        options = called or made
        if not options:
            return None
    keys = list(options)
    questions = [f"which {noun} is it part of?", f"what is its {noun}?"]
    vectors = knowledge.encode(
        [*questions, *(f"what is its {k}?" for k in keys), *(f"it is part of the {options[k]} {noun}" for k in keys)]
    )
    likeness = (vectors[:2] @ vectors[2 : 2 + len(keys)].T).max(axis=0)
    likeness = likeness + [0.3 * (noun in options[k].lower().split()) + 0.2 * bool(_GROUP_KEY.search(k)) for k in keys]
    best = int(likeness.argmax())
    if likeness[best] < _LIKENESS:
        return None
    value = options[keys[best]]
    members = set(members_by_value(knowledge)[value.casefold()]) | listed(value, subject, knowledge)
    ordered = (subject, *sorted(m for m in members if m != subject))
    return Group(phrase, value, ordered[:MAX_MEMBERS])


def _own_noun(value: str) -> str:
    """What a group calls itself: "the Harbour Street orchestra" is an orchestra, "the Harbour honours of Wells" are
    honours. Plurals of words for things name the members.
    """
    words = re.split(r"\s(?:of|by|from|for)\s", value)[0].split()
    last = words[-1] if words else ""
    names_members = last.endswith("s") and (is_kind_word(last) or is_kind_word(last[:-1]))
    return last if last.isalpha() and last.islower() and not names_members else ""


def names_a_group(key: str) -> bool:
    """Whether an attribute's key speaks of a group, whatever its kind: "series", "part of"."""
    return _GROUP_KEY.search(spoken_key(key)) is not None


def group_value(raw: object) -> str:
    """The value when it may name a group: a short name without figures; else ""."""
    from assistant.text.markup import clean_value

    value = clean_value(raw) or ""
    return value if 2 < len(value) <= 60 and find_names(value) and not find_quantities(value) else ""


def members_by_value(knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
    """value → names of the entities that have it; made once per index."""
    known = _shared.get(knowledge)
    if known is None:
        found: dict[str, list[str]] = {}
        for name in knowledge.names:
            record = knowledge.entity(name)
            for raw in record.attributes.values() if record else ():
                value = group_value(raw).casefold()
                if value and name not in found.setdefault(value, []):
                    found[value].append(name)
        known = {v: tuple(names) for v, names in found.items() if len(names) > 1}
        _shared[knowledge] = known
    return known


def listed(value: str, subject: str, knowledge: Knowledge) -> set[str]:
    """Members that a page lists together with the subject in a sentence about the group."""
    if not knowledge.has_pages:
        return set()
    out: set[str] = set()
    for passage in knowledge.search(value, k=4):
        for text in sentences(plain(passage.text, 6000)):
            named = knowledge.mentioned(text)
            if value.lower() in text.lower() and subject in named and len(named) > 2:
                out |= {n for n in named if n.lower() != value.lower()}
    return out


_ANY_MEMBER = word_set(
    "members things ones items products models types kinds versions varieties titles volumes parts entries siblings "
    "others pieces objects sorts designs works numbers issues editions"
)


def counts_members(noun: str, evidence_words: set[str], kinds: frozenset[str], added_up: bool) -> bool:
    """ "how many books are in this series": what is counted is no property of a member.

    Args:
        kinds: stems of words for what the members are.
        added_up: the question wants a sum: "how many pieces together".
    """
    if not noun:
        return True
    last = noun.split()[-1]
    if stem(last) in evidence_words:
        return False
    return stem(last) in kinds or is_kind_word(last) or (last in _ANY_MEMBER and not added_up)
