"""Whether a question asks for what is written on the frame, rather than about the thing."""

from __future__ import annotations

import re

from assistant.core.types import Look
from assistant.text.english import content_stems, shared
from assistant.text.kind_words import KINDS
from assistant.text.kinds import is_kind_word
from assistant.understanding.relation_phrases import split_hops

_SURFACE = (
    r"(?:sign|label|poster|notice|menu|screen|display|page|cover|ticket|receipt|board|plate|slide|door|wall|"
    r"packaging|package|package|box|bottle|can|tag|card|banner|paper|note|sticker|letter|form|panel|spine|plaque|"
    r"badge|bill|list|timetable|schedule|picture|image|frame|photo)"
)


_READ = re.compile(
    r"\b(?:what|whatever)(?:['’]s| is| does| do| did| are)?\b[^,]*\b(?:(?:it|this|that|there|here|the \w+|"
    r"this \w+) (?:say|says|read|reads|spell|spells)\b|(?:written|printed) (?:on|here|there|at the|under|"
    r"above|below)\b)|\bwhat(?:['’]s| is)(?: \w+)? (?:written|printed)\b"
    rf"|^(?:please )?(?:can you |could you )?read\b|\bread (?:it|this|that|the \w+)(?: text)?(?: out| aloud| "
    rf"to me| for me)?\b|\bwhat(?:['’]s| is) on (?:the|this|that) {_SURFACE}\b"
    rf"|\b(?:words?|(?:largest|biggest|top|bottom|first|last) line|text|number(?! of\b)|letters?|message|"
    rf"title|heading|headline|writing)\b.*\bon (?:the|this|that|it)\b.*{_SURFACE}?"
    rf"|\baccording to (?:the|this|that) {_SURFACE}\b|\b(?:on|from) (?:the|this|that) "
    rf"{_SURFACE}\b",
    re.IGNORECASE,
)


_WHOLE = re.compile(
    rf"^(?:so )?(?:please )?(?:can you |could you )?(?:what(?:['’]s| is| does| do| did)?\s+(?:it|this|that|"
    rf"the|these|those|is)?\s*(?:\w+\s)?{_SURFACE}?\s*(?:actually )?(?:say|says|read|written|printed|"
    rf"text)\b(?:\s+(?:here|there|on (?:it|this|that|there|the \w+|this \w+)|in (?:it|this|the "
    rf"\w+)))?(?:\s+on (?:it|the \w+))?"
    rf"|read (?:it|this|that|the \w+|this \w+|what \w+ says)(?: text| sign)?(?: out| aloud| to me| for me| "
    rf"out loud)*|what(?:['’]s| is) on (?:the|this|that) {_SURFACE}|what(?:['’]s| is) (?:written|"
    rf"printed)\b.*)\s*[?.!]*$",
    re.IGNORECASE,
)


#: "on the menu", "this sign": what text stands on, called by its name.
NAMES_SURFACE = re.compile(rf"\b{_SURFACE}s?\b", re.IGNORECASE)


#: "how many days does it take to read this book".
_READING_TIME = re.compile(
    r"\b(?:how (?:long|many|much|fast|soon)|when|time|days?|hours?|minutes?|weeks?|evenings?|takes?|finish(?:ed)?)\b"
    r".*\bto read\b"
    r"|\b(?:if|when) (?:i|we|you|someone) reads?\b",
    re.IGNORECASE,
)


#: "what would the scales say for this": what it weighs.
_INSTRUMENT = re.compile(
    r"\b(?:would|will|do|does|should|might)(?: (?:my|the|a|some))? (?:\w+ )?(?:scales?|balance|thermometers?|ruler|"
    r"tape|tape measure|yardstick|stopwatch|speedometer)(?: measure)? (?:say|says|read|reads|show|tell)\b",
    re.IGNORECASE,
)


#: "the beetle on this slide" is the beetle; what a menu or a label lists is read there.
_SHOWN_ON = re.compile(
    r"\b(?P<thing>(?:the|this|that) (?P<noun>[a-z]+))(?: (?:shown|pictured|drawn|seen))? on (?:the|this|that) "
    r"(?:card|slide|picture|image|photo|page)\b",
    re.IGNORECASE,
)


#: What is shown and not listed.
_SHOWN = frozenset(
    word
    for kind in ("plant", "animal", "vehicle", "building", "stone", "emblem", "substance", "clothing", "furniture")
    for word in (KINDS[kind].general.union(*KINDS[kind].sorts))
)


def _only_the_thing(m: re.Match[str]) -> str:
    return m["thing"] if m["noun"].lower() in _SHOWN else m[0]


#: "the clock on the wall": where it hangs is no place to read.
_HANGS = re.compile(
    rf"\b(?:the|this|that) (?:[a-z]+ )?(?P<noun>(?!{_SURFACE}s?\b)[a-z]+) (?:here |there )?on (?:the|this|that) "
    r"(?:wall|door|table|shelf|floor|ground)\b",
    re.IGNORECASE,
)


#: "when does it end if the receipt says 3 May": what is written is known.
_IF_IT_SAYS = re.compile(
    r"\b(?:if|since|because|as|when|and) (?:the|my|our|an?|its) \w+ (?:says?|said|reads?|states?|shows?)\b.*$",
    re.IGNORECASE,
)


def asks_for_text(core: str) -> bool:
    """Whether the question is about what stands on the frame, rather than about the thing."""
    core = _IF_IT_SAYS.sub("", core)
    core = _HANGS.sub(lambda m: "it" if is_kind_word(m["noun"].lower()) else m[0], core)
    core = _SHOWN_ON.sub(_only_the_thing, core)
    return bool(_READ.search(core)) and not _READING_TIME.search(core) and not _INSTRUMENT.search(core)


_NAME_ON = re.compile(
    r"\bnames? (?:that )?(?:is |stands |written |printed |given )*(?:on|at the top|above|over)\b", re.IGNORECASE
)


def asks_for_name_on(core: str) -> bool:
    """ "what's the name on that one?": on a card or a shop's sign it stands there to be read."""
    return bool(_NAME_ON.search(core))


def names_line(question: str, look: Look | None) -> bool:
    """Whether it says all words of a line on the frame, two or more: "the elderflower soda" of a menu."""
    said = content_stems(question)
    lines = [content_stems(re.sub(r"[^A-Za-z'’ -]+", " ", t.text)) for t in look.texts] if look else []
    return any(len(own) > 1 and shared(own, said) == len(own) for own in lines)


def scans_a_code(question: str) -> bool:
    """ "scan the code for me, what is it?" """
    return bool(re.search(r"\b(?:scan|decode|read|open)\b[^?.]{0,20}\bcode\b", question, re.IGNORECASE))


def asks_for_all(core: str) -> bool:
    """Whether all of the text is asked for."""
    return bool(_WHOLE.search(core))


_ON_IT = re.compile(r"\bon (?:this|it|that|the \w+)\b", re.IGNORECASE)


#: "how heavy is the thing on the price tag": what the text itself speaks of.
_PLAIN_THING = re.compile(
    r"(?:the|this|that) (?:thing|product|item|article|stuff|goods|pack|packet|offer|event|one)\b", re.IGNORECASE
)


def leads_on(core: str) -> bool:
    """ "the mayor of the town on this": asked about what the text leads to, not about the text."""
    return any(_ON_IT.search(hop.phrase) and not _PLAIN_THING.match(hop.phrase) for hop in split_hops(core))
