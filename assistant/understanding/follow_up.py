"""Follow-ups that say only what is new, completed with the question before them: "and the other one?", "what about X?".

Grammar of the two clauses only: who is meant is decided in `reference.resolve`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Turn
from assistant.text.english import base_adjective, plain, words_of
from assistant.text.kinds import is_kind_word
from assistant.text.units import unit_of
from assistant.understanding.clause import WH, asking_clause
from assistant.understanding.substitution import replaced, said_in_full

#: "in miles?", "how many pounds is that?"
_CONVERT = re.compile(
    r"^(?:and\s+)?(?:(?:what(?:['’]s| is)|how much is|convert|express|give me|say)\s+(?:that|this|"
    r"it)\s+)?(?:in|into|to|as)\s+(?P<unit>[a-z°²/ ]{1,24})$|^(?:and )?(?:how many|how much) (?P<unit2>[a-z "
    r"]{1,20}) is (?:that|it)$",
    re.IGNORECASE,
)
#: A question for another unit says nothing else; so many more words may be polite.
_POLITE = 4
#: So many short follow-ups in a row are looked back on.
_SHORT_IN_A_ROW = 5
_SAME_AGAIN = re.compile(
    r"^(?:(?:and|but|so|ok|okay)[\s,]+)?(?:what about|how about|and|same for|the same for)\s+(?P<np>.+)$", re.IGNORECASE
)


def converts_to(core: str, text: str) -> tuple[str, str] | None:
    """The unit, with its dimension, in which the answer before is asked for again; `text` is the whole utterance."""
    target = _CONVERT.match(core.strip(" ?.!"))
    if target is None or len(words_of(text)) > len(words_of(core)) + _POLITE:
        return None  # "from the founding to the opening, how many years is that?"
    return unit_of((target.group("unit") or target.group("unit2")).strip())


#: "this one's price", "the author of Saltmarsh": a property of a thing, no thing for the question before.
_OF_A_THING = re.compile(
    r"(?:the|this|that) (?:\w+ ){0,2}?\w+['’]s (?P<own>[a-z]+)$"
    r"|(?:the|an?) (?!(?:one|thing|other|town|city|village|country)s?\b)(?:[a-z]+ )?(?P<noun>[a-z]+) (?:of|for) "
)
#: "so when was that?" asks for the day of what the question before asked about.
_WHEN_THAT = re.compile(
    r"(?:and |so |but )?(?P<wh>when|where|in (?:what|which) (?:year|town|city)|(?:what|which) year) "
    r"(?:was|were|is|did) (?:that|this)(?: done| happen(?:ed)?| take place| exactly)?$",
    re.IGNORECASE,
)
#: "and where?" after "who restored it?".
_WHERE_ALONE = re.compile(r"(?:and |so )?(?P<wh>when|where|in (?:what|which) year)(?: exactly)?$", re.IGNORECASE)
_WHO_DID = re.compile(
    r"who (?P<verb>[a-z]+ed|built|made|found|won|sold|wrote|drew|gave|began|sewed|bred|led|put up) "
    r"(?P<what>(?:it|the|this|that|them|its|their|[A-Z]).*?)(?: (?:here|there))?$"
)
_PARTICIPLES = {"wrote": "written", "drew": "drawn", "gave": "given", "began": "begun"}
_WAS_IT = re.compile(
    r"(?:where|who|how|why|when|(?:in |by |from )?(?:what|which) \w+) (?P<rest>(?:was|were|did) .+)$", re.I
)


def _when_that(bare: str, last: Turn) -> str:
    """ "who founded the firm?", "when was that?" → "when was the firm founded?"; "" where it is put otherwise."""
    asks = _WHEN_THAT.match(bare)
    before = asking_clause(plain(last.question)).strip(" ?.!")
    if (did := _WHO_DID.match(before)) and (of_deed := asks or _WHERE_ALONE.match(bare)):
        return f"{of_deed['wh'].lower()} was {did['what']} {_PARTICIPLES.get(did['verb'], did['verb'])}?"
    if asks and (was := _WAS_IT.match(before)):
        return f"{asks['wh'].lower()} {was['rest']}?"
    return ""


def _compared_again(bare: str, before: str) -> str:
    """ "is it older than that?", then "by how much?" or "and lighter?"; "" where nothing was compared."""
    words = [w for w in before.split() if (b := base_adjective(w)) and b[1] == "er"]
    if len(words) != 1 or " than " not in before:
        return ""
    asks = re.fullmatch(r"(?:and |so )?by (?P<how>how (?:much|many \w+))", bare, re.IGNORECASE)
    if asks:
        said = re.fullmatch(rf"(?P<is>is|are|was|were) (?P<it>.+?) {words[0]} (?P<than>than .+)", before, re.IGNORECASE)
        return f"{asks['how']} {words[0]} {said['is'].lower()} {said['it']} {said['than']}?" if said else ""
    new = re.fullmatch(
        r"(?:(?:and|or|but) )?(?:(?:is|was) it )?(?:also )?([a-z]+er)(?: too| as well)?", bare, re.IGNORECASE
    )
    adjective = base_adjective(new[1]) if new else None
    return f"{before.replace(words[0], new[1])}?" if new and adjective and adjective[1] == "er" else ""


def asked_in_full(turns: Sequence[Turn]) -> str:
    """The clause that the last turn asked, where it was a short follow-up itself: "and fish?" after "does it eat
    meat?" asked "does it eat fish".
    """
    full = ""
    for turn in turns[-_SHORT_IN_A_ROW:]:
        core = asking_clause(plain(turn.question)).strip(" ?.!")
        text = plain(turn.question).strip(" ?.!")
        full = ((full and (_compared_again(core, full) or replaced(text, full))) or said_in_full(core)).strip(" ?.!")
    return full


def complete_follow_up(core: str, text: str, last: Turn | None, full: str = "") -> tuple[str, str]:
    """Fills an elliptic follow-up ("and the other one?", "what about X?") with the question before it.

    `full` is what `asked_in_full` makes of the turns so far, where they are known.
    """
    if (compared := said_in_full(core)) != core:
        return compared, compared
    m = _SAME_AGAIN.match(core.strip(" ?.!")) or _SAME_AGAIN.match(text.strip(" ?.!"))
    if last is None:
        return core, text
    bare = core.strip(" ?.!")
    full = full or asking_clause(plain(last.question)).strip(" ?.!")
    if compared := _compared_again(bare, full):
        return compared, compared
    if when := _when_that(bare, last):
        return when, when
    if new := replaced(text.strip(" ?.!"), full):
        return new, new
    is_reference = bool(
        re.fullmatch(
            r"(?:the )?(?:other|first|second|last|left|right|this|that|these|those)(?: one| \w+)?(?: on the "
            r"\w+)?|this|that|(?:the )?one \w+(?: \w+){0,3}",
            bare,
            re.IGNORECASE,
        )
    )
    phrase = m.group("np").strip(" ?.!") if m else (bare if is_reference else "")
    owned = _OF_A_THING.match(phrase)
    if not phrase or (owned and not is_kind_word(owned["noun"] or owned["own"])):
        return core, text
    if re.match(
        r"(?:how|what|when|where|who|which|why|is|are|am|does|do|did|can|could|would|will|has|have|should|was|"
        r"were|if|so|"
        r"tell|say|give|name|show|find|please|of|among|between|"
        r"its|their|his|her|in|into|it|i|we|they)\b",
        phrase,
        re.IGNORECASE,
    ):
        return core, text
    names_thing = (
        is_reference
        or re.match(r"(?:the other|the first|the second|this|that|these|those|the one)\b", phrase, re.IGNORECASE)
        or re.search(r"\b(?!I\b)[A-Z]", phrase)
    )
    if not names_thing or re.search(rf"\b{WH}\b", phrase, re.IGNORECASE):  # "and right now, how many of it are left?"
        return core, text
    before = asking_clause(plain(last.question))
    for subject in sorted(last.subjects, key=len, reverse=True):
        before = re.sub(re.escape(subject), phrase, before, flags=re.IGNORECASE)
    if phrase.lower() not in before.lower():
        swapped, n = re.subn(
            r"\b(?:this|that)(?: one)?\b(?!\s+(?:is|are))|\b(?:it|these|those|them)\b",
            phrase,
            before,
            count=1,
            flags=re.IGNORECASE,
        )
        before = swapped if n else f"{before.rstrip(' ?')} ({phrase})?"
    return before, before
