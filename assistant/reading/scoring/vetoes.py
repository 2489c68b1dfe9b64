"""What speaks against a fact that seems to answer: it is about the page, somebody else, a group, or of another kind.

Grammar of the fact beside grammar of the question; what is asked and told is weighed in `evidence_scoring` and in
`multi_hop`.
"""

from __future__ import annotations

import re

from assistant.core.types import Evidence
from assistant.reading.negation import only_named, undecided
from assistant.reading.relation_targets import ASKS_WHAT, kinds_of, siblings_only, targets_of
from assistant.reading.signs.opening_hours import day_of
from assistant.text.attribute_keys import labelled_value, says_which, spoken_key
from assistant.text.english import content_stems, is_plural, word_set
from assistant.text.values import find_dates, find_quantities
from assistant.understanding.intent import ParsedQuestion

#: A sentence shorter than this that defines its subject says nothing else.
SHORT = 110


def told_by(e: Evidence) -> str:
    """Evidence as it is written, an attribute as "key: value"."""
    return f"{spoken_key(e.key)}: {e.value}" if e.key else e.text


def relevance_factor(e: Evidence, asked: ParsedQuestion) -> float:
    """Below 1 for sentences about the page itself or about someone else, or that only say what the subject is."""
    if ABOUT_PAGE.search(e.text) or (e.kind == "passage" and undecided(e.text)):
        return 0.1
    if asked.expected.kind in ("date", "age") and (dateline := DATELINE.match(e.text)):
        return 0.3 if find_dates(e.text[dateline.end() :]) else 0.05
    if _A_DAY.search(asked.core) and _longer_than_a_day(str(e.value) if e.value is not None else e.text):
        return 0.05
    if _WEEKDAY_ASKED.search(asked.core) and day_of(str(e.value) if e.value is not None else e.text) is None:
        return 0.05
    if asked.expected.kind == "count" and e.key is not None and says_which(e.key, str(e.value)):
        return 0.2
    if _SO_MANY_OF_IT.search(asked.core) and _PEOPLE_COUNTED.search(e.text) and not _OF_PEOPLE.search(asked.core):
        return 0.1
    if asked.expected.kind == "count" and _so_many_on_one(told_by(e), asked):
        return 0.1
    if asked.expected.kind == "place" and _of_its_maker(told_by(e)):
        return 0.1
    if _about_another(e) and asked.expected.kind != "person":  # "Anna Bolt steers it" says who
        return 0.4
    if (pair := labelled_value(e.text)) and e.subject and pair[1].strip(" .").lower() == e.subject.lower():
        return 0.1  # "product details: <name>" says nothing
    if e.key is None and (undecided(e.text) or only_named(e.text, e.subject or "")):
        return 0.1
    defines = DEFINES.search(e.text)
    listed = e.key is not None and defines is not None and defines[0].startswith(",")  # ", a set of keys" of a list
    general = defines and not listed and len(e.text) < SHORT and not _asks_what_is_said(e, asked)
    if e.kind == "passage" and targets_of(e) and asked.operation != "list":
        several = len(targets_of(e)) > 2 and asked.expected.kind not in ("any", "name")
        if several or siblings_only(e):
            return 0.3
    if of_a_group(e) and not ASKS_GROUP.search(asked.core):
        return 0.3
    return 0.3 if general else 1.0


#: Who makes, drew or wrote it.
_MAKER_TOLD = re.compile(
    r"^(?:the )?(?:producer|manufacturer|maker|brand|label|marque|designer|author|writer|inventor|composer|artist|"
    r"painter|sculptor|architect|breeder|editor)(?: (?:is|was)|:) (?!.*\b(?:in|at|near|of|from) (?-i:[A-Z]))",
    re.IGNORECASE,
)


def _of_its_maker(told: str) -> bool:
    """Whether a fact says no more than who made it: that is no place where it was made."""
    return _MAKER_TOLD.search(told) is not None


#: "how many hours of sun does it need daily": no more than a day has.
_A_DAY = re.compile(
    r"\bhow many (?:hours|minutes)\b(?!.*\b(?:if|when|with|more|journey|trip)\b)"
    r"[^,;]*\b(?:daily|(?:an?|per|each|every) day)\W*$",
    re.IGNORECASE,
)


def _longer_than_a_day(told: str) -> bool:
    spans = [q for q in find_quantities(told) if q.dimension == "time"]
    hours = [q.to("hour") for q in spans]
    return bool(spans) and all(h is not None and h.low > 24 for h in hours)


#: "on which weekday is the market": one is named.
_WEEKDAY_ASKED = re.compile(
    r"\b(?:what|which) (?:weekday|day of the week)\b(?! (?:hours|opening|prices?|fares?|rates?|tickets?)\b)",
    re.IGNORECASE,
)


#: "how many of these does the firm own" is not told by how many people work there.
_SO_MANY_OF_IT = re.compile(r"\bhow many of (?:it|this|that|these|those|them|the)\b", re.IGNORECASE)
_PEOPLE_COUNTED = re.compile(
    r"\d (?:people|persons|employees|inhabitants|residents|workers|staff)\b|\b(?:employees|staff|inhabitants|residents|"
    r"population|headcount)(?: [a-z]+)?: \d",
    re.IGNORECASE,
)
_OF_PEOPLE = re.compile(
    r"\b(?:people|persons|inhabitants|residents|locals|employees|workers|staff|work|live|employ\w*|us)\b", re.IGNORECASE
)


#: "how many stamps does a sheet have": a thing is made up of, or sold in, several such parts.
_ON_A_PART = re.compile(
    r"\bhow many\b.*\b(?:an?|one|each|every|per|a single) (?P<part>sheet|row|strip|booklet|crate|carton|pallet|page|"
    r"shelf|deck|floor|storey|carriage|wagon)\b",
    re.IGNORECASE,
)


#: "seat count: 5" and "passenger seats: 5" are of what is named first.
_COUNTS_IT = word_set(
    "seats places spaces members people persons units pieces items copies numbers counts totals rooms species types "
    "kinds sorts years days hours months metres"
)


def _of_parts(told: str, one: str, core: str) -> bool:
    """Whether a fact counts something that what is counted has: "lace holes: 8" is no number of laces."""
    m = re.match(rf"(?:number of )?{re.escape(one)} (?P<part>[a-z]{{3,}}s)(?: count)?: \d", told, re.IGNORECASE)
    return m is not None and m["part"].lower() not in _COUNTS_IT and m["part"].lower() not in core.lower()


def _so_many_on_one(told: str, asked: ParsedQuestion) -> bool:
    """Whether it tells how many are on one of what is counted ("per sheet: 20" is no number of sheets), or in all
    where those on one are asked for.
    """
    if (part := _ON_A_PART.search(asked.core)) and not re.search(rf"\b{part['part']}", told, re.IGNORECASE):
        return True
    if not asked.expected.noun or not is_plural(noun := asked.expected.noun.split()[-1]):
        return False
    one = re.sub(r"(?:(?<=[sxz])|(?<=[cs]h))es$|s$", "", noun)
    if _of_parts(told, one, asked.core):
        return True
    per = re.compile(rf"\b(?:per|(?:on|in|to) (?:a|each|every|one)) {re.escape(one)}\b", re.IGNORECASE)
    return per.search(told) is not None and per.search(asked.core) is None


_BELONGS = re.compile(
    r"^(?:part of|series|collection|range|family|product line|line|set|group|member of|belongs to|model range)$",
    re.IGNORECASE,
)
MEMBERS = re.compile(r"\bha(?:s|ve) (?:\d+|two|three|four|five|six) members\b", re.IGNORECASE)
ASKS_GROUP = re.compile(
    r"\b(?:series|collections?|range|family|lines?|sets?|groups?|members?|belongs?|belonging|part|related|relatives|"
    r"siblings?|others?|franchise|class|fleet)\b",
    re.IGNORECASE,
)


def _asks_what_is_said(e: Evidence, asked: ParsedQuestion) -> bool:
    """ "X is a book from Y" answers "what is it", but not "what kind of book is it", which knows that already."""
    if not ASKS_WHAT.search(asked.core):
        return False
    return not content_stems(asked.core) & (kinds_of([e]) - content_stems(e.subject or ""))


def of_a_group(e: Evidence) -> bool:
    """What something is one of answers only questions about that."""
    return bool(_BELONGS.search(spoken_key(e.key)) if e.key is not None else MEMBERS.search(e.text))


DATELINE = re.compile(
    r"^(?:[A-Z][\w ]{2,30}, )?(?:\d{1,2}\.? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2},) \d{4}\s?(?:[:–—-]|\.?$)"
)
_LEADING_NAME = re.compile(r"^((?:[A-Z][\w'’-]+\s+){1,3}[A-Z][\w'’-]+)\s+[a-z]")


_COMES_BACK = re.compile(
    r"\b(?:it|its|this|that|the (?:firm|company|business|house|brand|town|place|city|village|series|line|yard|nursery|"
    r"studio|workshop|club))\b"
)


def _about_another(e: Evidence) -> bool:
    """ "Anna Bolt lives in Rome." on a book's page is about Anna Bolt, unless it comes back to the book."""
    m = _LEADING_NAME.match(e.text)
    if m is None or not e.subject or _COMES_BACK.search(e.text):
        return False
    return not content_stems(m[1]) & content_stems(e.subject) and e.subject.lower() not in e.text.lower()


#: When a page was written, posted or checked is a fact about the page, not about its subject.
ABOUT_PAGE = re.compile(
    r"^(?:(?:this|the|our|these|that) )?(?:list|page|article|entry|record|figures?|prices?|information|details|data|"
    r"text|post|review|report|listing|comment)s?\b.{0,40}\b(?:checked|updated|reviewed|revised|written|posted|edited|"
    r"verified|as of|last changed)\b|^(?:last )?(?:written|posted|updated|checked|reviewed|revised|edited)\b.{0,20}\d|"
    r"^(?:read )?more (?:(?:\w+ ){0,2}(?:in|on) (?:the|our) (?:[\w-]+ )?(?:edition|issue|pages?|paper)|next \w+)\W*$|"
    r"^that is all for\b|^figures as of\b|^valid from\b.{0,40}\buntil further notice\b|"
    r"^(?:checked|signed|approved)\b(?: and \w+)? (?:on|by)\b.{0,20}\d|"
    r"\b(?:promised|meant|wanted|planned|hoped) to (?:write|post|tell you) about\b|"
    r"\bask(?:ed|s|ing)? (?:me|us) (?:about|for)\b[^:;\d]*$",  # "several people asked me about it, so here we go"
    re.IGNORECASE,
)
DEFINES = re.compile(
    r"(?:\b(?:is|was)|,)\s+(?:an?|the|one of the)\s+[\w-]+(?:,?\s+[\w-]+){0,4}\s+(?:known|from|in|of|by)\b"
)
