"""What kind of thing a name and its attributes speak of, against the kind a question names.

"How long does this box keep?" is not about the book that happens to be recognised beside the box. Kinds are told from
ordinary words in names, attribute keys and values (`assistant.text.kind_words`); where nothing tells, nothing is
concluded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assistant.text.agreement import split_words
from assistant.text.colour_words import WORDS as COLOURS
from assistant.text.kind_words import KINDS, SORT_FACTS, Kind, words_of

_POINTERS = words_of("the this that these those what which")
_STOP = words_of(
    "of in on at to for from by with is are was were do does did has have had can could will would should "
    "and or that who which what when where how why as than if about onto into here there exactly"
)
#: "what do the books call it": they are not in view.
_SAYING = frozenset(("call", "say", "name", "write", "tell", "recommend"))
#: Before a word these count what a thing has: "the one with the most lamps", "which has fewer boxes".
_COUNTING = frozenset(("most", "least", "fewest", "more", "fewer", "many"))
#: A thing that no word but a pronoun stands for.
_PLAINLY = re.compile(
    r"\b(?:is|was|does|did|do|can|could|may|would|will|should|has) (?:this|that)\b"
    r"|\b(?:its?|(?:this|that)(?: one\b|$| (?:is|was|has|can|to|in|on|for|from|with|by|at)\b))"
)
#: "it" that stands for nothing ("how long does it take"), or for what was spoken of before ("the box next to it").
_NO_THING = re.compile(
    r"\b(?:is|was|does|do|did|will|would|can|could|what|if) it (?:say|says|take|takes|cost|read|possible|true|far|"
    r"allowed|ok|okay|safe|hard|easy|worth)\b"
    r"|\b(?:next to|beside|behind|near|above|below|under|by|in front of|left of|right of) (?:it|this|that)(?: one)?\b"
)
#: So many facts of one kind at least, and as many but one of another: a thing is one of the two.
_DIVIDED = 2
#: The name of a group ("the park trees") says as much as so many facts.
_OF_GROUP = 3
#: "The Lighthouse at Wells", "Owls over Wells", "Wells: The Lantern": a book or a game may be called so.
_TITLE = re.compile(
    r"^(?:the|an?|under|over|above|below|beneath|beyond|between|in|on|at|to|from|after|before)\b"
    r"|\b(?:over|under|above|below|beneath|beyond|between|at|and|among|without)\b|:|\b\w{3,}s of\b",
    re.IGNORECASE,
)
#: Ships and games are called like them: a name says so only where a fact agrees.
_BORROWED = ("animal", "plant", "stone")
#: Where a word begins within a key.
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: "the … trees": a value that may name a group.
_A_GROUP = re.compile(r"the (?P<rest>[^.;:,|]{4,60})$", re.IGNORECASE)
_PLACING = words_of("in into on onto from for with near at to inside by under against")
_IS_THIS = re.compile(
    r"(?:$|(?:is|are|was|were|s|would|might|could) (?:this|that|it|these|those|the|here|there)\b"
    r"|(?:am|are|do|did|have|can|could) (?:i|we|you)\b)"
)
#: What follows a word for something else that has to do with the thing: "the shop that sells it", "the lamps of it".
_LEADS_ON = re.compile(
    r"(?:that|which|who|behind|it|this)\b.*\b(?:it|its|this|that|this one|that one|comes?|came)\b"
    r"|of (?:it\b|(?:this|that)(?: one)?\b(?! \w))"
)
#: Words that are two in writing or mean another thing alone.
_JOINED = (
    (re.compile(r"\bcoats? of arms\b"), "arms"),
    (re.compile(r"\b(t|tee)[- ]shirts?\b"), "tshirt"),
    (re.compile(r"\b(?:(?:light[- ])?rail(?:way)?|tram|street)[- ]?(?:cars?|vehicles?)\b"), "railcar"),
    (re.compile(r"\b(sees?|saw|seen) the light(?: of day)?\b"), "came out"),  # no lamp
    (re.compile(r"\b(?:traffic )?lights? (?=(?:turns?|turned|goes|went|changes?) (?:to )?(?:green|red))"), ""),
    # "the one who first saw it", "the box on the left weighs": a verb, and what stands there has been said
    (re.compile(r"\b((?:first|last|ever|never|once|just|also|who|i|you|we|they|he|she) )saw\b"), r"\1"),
    (re.compile(r"\b(ones?|things?|(?:over )?(?:here|there)) ((?:on|at|to) the (?:left|right))\b"), r"\1 \2 is"),
    (re.compile(rf"\b(?:light|dark|pale|bright|deep)[- ](?=(?:{'|'.join(COLOURS)})\b)"), ""),  # no lamp
)


def _sorts() -> dict[str, list[tuple[Kind, frozenset[str] | None]]]:
    """Every word → the kinds it can be, each with the group of words that mean the same (None: any of the kind)."""
    found: dict[str, list[tuple[Kind, frozenset[str] | None]]] = {}
    for kind, words in KINDS.items():
        for word in words.general:
            found.setdefault(word, []).append((kind, None))
        for group in words.sorts:
            for word in group:
                found.setdefault(word, []).append((kind, group))
    return found


_SORTS = _sorts()
#: Every word for a kind, as alternatives of a regular expression, plurals included.
KIND_WORDS = "|".join(sorted({f"{word}(?:e?s)?" for word in _SORTS} | {"coats? of arms", "t-?shirts?"}, key=len)[::-1])


def _known(word: str) -> str | None:
    """The word as the table has it: singular."""
    return next((form for form in (word, word.removesuffix("es"), word.removesuffix("s")) if form in _SORTS), None)


def is_kind_word(word: str) -> bool:
    """Whether a word only says what kind of thing it is: it tells no two of a kind apart."""
    return _known(word) is not None


def _split(text: str) -> list[str]:
    text = text.casefold()
    for pattern, one in _JOINED:
        text = pattern.sub(one, text)
    return split_words(text)


def _spoken(key: str) -> str:
    """A key as words: "medalDesigner" → "medal designer"."""
    return _HUMP.sub(" ", key.replace("_", " ")).casefold()


def kind_of(name: str, attributes: Mapping[str, Any]) -> Kind | None:
    """The kind that most of the keys, the stated type and the name speak of; None when they do not say."""
    likely = likely_kinds(name, attributes)
    return likely[0] if len(likely) == 1 else None


def likely_kinds(name: str, attributes: Mapping[str, Any]) -> tuple[Kind, ...]:
    """The one kind that a thing's facts speak of; where they speak as well of others, all these; none says nothing."""
    keys = [_spoken(str(key)) for key, value in attributes.items() if value]
    kinds = " ; ".join(
        str(v).casefold() for k, v in attributes.items() if str(k).casefold() in ("type", "kind", "category")
    )
    counts = {kind: sum(bool(words.facts.search(key)) for key in keys) for kind, words in KINDS.items()}
    counts["sign"] = 3 * len(KINDS["sign"].facts.findall(f"{kinds} ; {name.casefold()}"))
    for kind in _of_its_group(attributes):
        counts[kind] += _OF_GROUP
    order = sorted(counts, key=lambda kind: -counts[kind])
    clear = counts[order[0]] > counts[order[1]] + (counts[order[1]] > 0)  # one key more is too little to be sure
    if clear and counts[order[0]] >= _DIVIDED:  # and one key alone may mean anything
        return (order[0],)
    # Names of books and foods say all sorts of things: a name only speaks where the facts are silent or divided, and
    # one like a title never.
    least = counts[order[0]] - 1
    for word in [] if _TITLE.search(name) else reversed(_split(name)):
        known = _known(word)
        senses = _SORTS.get(known or "", [])
        likely = [(kind, group) for kind, group in senses if counts[kind] >= max(least, int(kind in _BORROWED))]
        if any(group for _, group in likely):  # "box" alone says nothing
            return tuple(dict.fromkeys(kind for kind, _ in likely))
    divided = [kind for kind in order if counts[kind] + 1 >= counts[order[0]]]
    return tuple(divided) if counts[order[0]] >= _DIVIDED else ()


def _of_its_group(attributes: Mapping[str, Any]) -> set[Kind]:
    """Kinds that the name of a group speaks of: "the Harbour park trees", "the temples of the foundation"."""
    found: set[Kind] = set()
    for value in attributes.values():
        m = _A_GROUP.match(str(value).strip(" []")) if value else None
        words = _split(m["rest"]) if m else []
        for word in words:
            known = _known(word)
            if known is not None and known != word:  # several of them
                kinds = {kind for kind, _ in _SORTS[known]}
                found |= kinds if len(kinds) == 1 else set()
    return found


def asked_kinds(question: str, *, surely: bool = False) -> list[str]:
    """The words for things pointed at ("this box", "the radio here"), singular, in the question's order.

    `surely`: without those that may well speak of something else than the thing meant, beside a plain "it": "does it
    keep in the cupboard?", "which animals eat this?", "the shop that sells it".
    """
    words, found = _split(question), []
    following = [*words[1:], ""]
    for i, pointer in enumerate(words):
        if pointer not in _POINTERS:
            continue
        before = pointer
        for j, (word, after) in enumerate(zip(words[i + 1 : i + 5], following[i + 1 : i + 5], strict=True), i + 1):
            if word in _STOP or word in _POINTERS or (word.endswith("s") and after in _SAYING):
                break
            if (known := _known(word)) is not None:
                # "the one with the most lamps" is no lamp, and who "this seats" is no seat
                counted = before in _COUNTING or (word != known and before in ("this", "that"))
                counted = counted or (known, after) == ("volume", "of")
                if not counted and not (surely and _may_be_another(words, i, j)):
                    found.append(known)
                break
            before = word
    return found


def _may_be_another(words: list[str], start: int, at: int) -> bool:
    """Whether the word at `at`, pointed at from `start`, may be another thing than the one a plain pronoun means."""
    rest = words[at + 1 :]
    if words[start] not in ("the", "what", "which") or not _PLAINLY.search(_NO_THING.sub(" ", " ".join(words))):
        return False
    if words[start] != "the":  # "which car is this?" asks what it is
        return not _IS_THIS.match(" ".join(rest))
    return (start > 0 and words[start - 1] in _PLACING) or bool(_LEADS_ON.match(" ".join(rest)))


def asked_kind(question: str) -> str | None:
    """The first of `asked_kinds`, or None."""
    return next(iter(asked_kinds(question)), None)


def fits(word: str, name: str, kind: Kind | None, attributes: Mapping[str, Any] | None = None) -> int:
    """1 when a thing of this name and kind can be called by the word, -1 when it cannot, 0 when nothing says.

    `attributes` tell which sort of its kind it is where its name does not: what has a boot is no bicycle.
    """
    words = _split(name)
    if word in (_known(w) or w for w in words):
        return 1
    if kind is None or word not in _SORTS:
        return 0
    meant = [group for of, group in _SORTS[word] if of == kind]
    if not meant:
        return 0 if kind == "sign" else -1  # what is written on a sign may be of anything
    if any(group is None for group in meant):
        return 1
    said = [] if _TITLE.search(name) else words  # a game may be called "Kites of Wells"
    called = [known for w in said if (known := _known(w)) and any(of == kind and g for of, g in _SORTS[known])]
    if any(c in group for group in meant if group for c in called):
        return 1
    told = None if called else _sort_told(kind, attributes or {})
    if told is not None:
        return 1 if any(group and told in group for group in meant) else -1
    return -1 if called else 0


def _sort_told(kind: Kind, attributes: Mapping[str, Any]) -> str | None:
    """A word for the one sort of the kind that at least two keys speak of, if they speak of no other."""
    keys = [_spoken(str(key)) for key, value in attributes.items() if value]
    counts = {word: sum(bool(facts.search(key)) for key in keys) for word, facts in SORT_FACTS[kind].items()}
    told = [word for word, count in counts.items() if count]
    return told[0] if len(told) == 1 and counts[told[0]] > 1 else None
