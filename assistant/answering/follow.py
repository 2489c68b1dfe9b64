"""Judging evidence against a question: how probably each fact about the subject answers it.

Shared by retrieval (to put the likeliest first) and the reader (to weigh it), so that both see the same. What is one
relation further is judged in `onward`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.answering.affinity import affinity
from assistant.answering.bookkeeping import lists_no_people, worth_of_key
from assistant.answering.contrary import of_all_but, of_its_maker, of_the_other_case
from assistant.answering.denials import only_named, undecided
from assistant.answering.extents import of_another_side, of_the_whole
from assistant.answering.intents import Asked
from assistant.answering.keys import labelled_value, says_which, spoken_key
from assistant.answering.language import content_stems, is_plural, word_set
from assistant.answering.makers import asks_maker, bears_its_name, likelier
from assistant.answering.matcher import attribute_text, matcher
from assistant.answering.rank import Encode, agreement, attribute_features, mask, probability, sentence_features
from assistant.answering.respects import respects
from assistant.answering.roles import role_asked
from assistant.answering.targets import ASKS_WHAT, kinds_of, siblings_only, targets_of
from assistant.answering.values import find_dates
from assistant.answering.weigh import Signs, logistic, logit, weighed
from assistant.conversation import Evidence
from assistant.search.colours import WORDS as COLOURS

#: How many facts the matcher reads for one question.
READ_CLOSELY = 14
#: What a fact outside that short list is worth at most.
_UNREAD = 0.02
#: A sentence shorter than this that defines its subject says nothing else.
SHORT = 110


@dataclass(frozen=True)
class Judged:
    """Evidence with the probability that it answers the question, and that it names what the question is about."""

    evidence: Evidence
    probability: float
    leads_on: float = 0.0


@dataclass(frozen=True)
class Considered:
    """Evidence with everything that is known for and against it."""

    evidence: Evidence
    text: str
    signs: Signs
    doubt: float
    leads_on: float


def judge(asked: Asked, evidence: Sequence[Evidence], encode: Encode) -> list[Judged]:
    """Probabilities for attributes and sentences, best first."""
    plain = plainly_judged(asked, evidence, encode)
    close = {c.evidence.id: c for c in consider(asked, plain, encode)}
    for_maker = asks_maker(pointing_left_out(asked.core, kinds_of(evidence)))
    reckons = asked.scale is not None or asked.operation not in ("lookup", "list", "yesno", "identify", "read")
    out = []
    for j, _ in plain:
        c = close.get(j.evidence.id)
        if c is None:
            out.append(Judged(j.evidence, min(_UNREAD, j.probability)))
            continue
        found = weighed(c.signs, "direct")
        if for_maker and bears_its_name(j.evidence):
            found = likelier(found)
        if reckons:  # the matcher has practised no comparisons and sums: there, words and vectors may be surer
            found = max(found, j.probability)
        out.append(Judged(j.evidence, found * c.doubt, c.leads_on))
    return sorted(out, key=lambda j: (-j.probability, j.evidence.id))


def consider(asked: Asked, plain: Sequence[tuple[Judged, tuple[float, float]]], encode: Encode) -> list[Considered]:
    """Reads the facts that seem nearest closely; `plain` is what `plainly_judged` returns."""
    if not plain:
        return []
    names = sorted({j.evidence.subject for j, _ in plain if j.evidence.subject})
    kinds = kinds_of([j.evidence for j, _ in plain])
    wordings = [list(dict.fromkeys((mask(q, names), pointing_left_out(q, kinds)))) for q in asked_plainly(asked)]
    questions = list(dict.fromkeys(q for wording in wordings for q in wording))
    texts = [said(j.evidence, names) for j, _ in plain]
    vectors = encode([*questions, *texts])
    near = (vectors[len(questions) :] @ vectors[: len(questions)].T).max(axis=1)
    # What a thing is asked and what somebody or a town is asked: the subject may be either.
    respect = np.max([respects(family).agreement(questions, texts, encode) for family in ("thing", "behind")], axis=0)
    affine = affinity().between(questions, texts, encode)
    by_rank = sorted(range(len(plain)), key=lambda i: -plain[i][0].probability)[: READ_CLOSELY - 6]
    by_respect = sorted(range(len(plain)), key=lambda i: -respect[i])[:4]
    by_affinity = sorted(range(len(plain)), key=lambda i: -affine[i])[:5]
    by_cosine = sorted(range(len(plain)), key=lambda i: -near[i])
    chosen = list(dict.fromkeys([*by_affinity, *by_rank, *by_respect, *by_cosine]))[:READ_CLOSELY]
    read = {q: matcher().scores(q, [texts[i] for i in chosen], encode) for q in questions}
    # One wording is one question, however the thing is pointed at; of two wordings the better understood counts.
    scores = np.max([np.mean([read[q] for q in wording], axis=0) for wording in wordings], axis=0)
    out = []
    for n, i in enumerate(chosen):
        j, (noun, conflict) = plain[i]
        e = j.evidence
        value = str(e.value) if e.value is not None else e.text
        signs = Signs(
            float(scores[n, 0]) / 4,
            logit(j.probability) / 4,
            agreement(asked.expected, value, e.key or ""),
            noun,
            conflict,
            float(e.key is not None),
            respect=float(respect[i]),
            affinity=float(affine[i]),
        )
        out.append(Considered(e, texts[i], signs, doubt_of(e, asked), logistic(float(scores[n, 1]))))
    return out


def asked_plainly(asked: Asked) -> tuple[str, ...]:
    """The question as the matcher knows questions: for one property of one thing, without comparison or sum."""
    if asked.operation in ("lookup", "list", "yesno", "identify", "read", "convert") or not asked.about:
        return (asked.whole or asked.core,)
    return (asked.whole, asked.about[0]) if asked.whole else asked.about[:2]


_PLACE = (
    r"(?:\s+(?:(?:right |over |up |down )?(?:here|there)|in front of (?:me|us)|"
    r"(?:on|to|at) (?:the|my) (?:left|right|top|bottom|front|back)|(?:next to|beside|behind) (?:it|that|this)|"
    r"i(?:['’]m| am) (?:holding|looking at)|in (?:my|the) hands?|in view)\b)"
)
#: "the firm behind it" is another thing than the one in view.
BEHIND = (
    r"firm|company|business|brand|label|maker|manufacturer|producer|publisher|studio|house|workshop|bank|club|council|"
    r"team|person|people|man|men|woman|women|guy|guys|lady|folks?|artist|designer|author|inventor|founder|owner|builder|"
    r"name|mind|brains?|idea|story|title|price|someone|somebody"
)
PLACED = re.compile(
    rf"\b(?:the|this|that)\s+(?!(?:\w+\s+)?(?:{BEHIND}|hand)\s+behind\b)(?:\w+\s+)?\w+{_PLACE}+", re.IGNORECASE
)
#: "the one on the left" is the thing; "the one who restored it" is somebody else.
ONE = re.compile(
    r"\b(?:the|this|that)\s+(?:\w+\s+)?(?:one|thing|object)\b"
    rf"(?!\s+(?:who|whose|that|which|behind|responsible|in charge)\b){_PLACE}*",
    re.IGNORECASE,
)
#: A name in the middle of the question: the subject's own, misspelt so that it was not masked.
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: (?:(?:for|of|the|and|in|at|on) )?[A-Z0-9][\w'’-]*)+")
_KIND = re.compile(
    r"\b(?:the|this|that)\s+(?:(?:far\s+)?(?:left|right|upper|lower|front|rear|middle)(?:most|[- ]hand)?\s+"
    rf"|(?:(?:light|dark|pale|bright|deep)[ -])?(?:{'|'.join(COLOURS)})\s+)?(\w+)"
    r"(?:\s+of\s+(?:arms|art)\b)?(?:\s+itself)?\b"
    # "the tree with the pink blossoms": told by what is seen on it
    r"(?:\s+with\s+(?:the\s+)?(?:\w+\s+)?(?:berries|flowers|blossoms?|leaves|petals|thorns|stripes|spots|dots|"
    r"feathers|wings|ears|tail|collar|horns|stalks?|stems?)\b)?",
    re.IGNORECASE,
)


_CLAUSE_NEXT = re.compile(r"\s(?:that|which|where|who|it|this|they|in which)\s", re.IGNORECASE)


def pointing_left_out(question: str, kinds: frozenset[str]) -> str:
    """The question with "it" for the words that point at the thing: "what does the box on the left cost" → "what does
    it cost". `kinds` are stems of words for what the thing is.
    """
    question = ONE.sub("it", PLACED.sub("it", _NAME.sub("it", question)))

    def pointed(m: re.Match[str]) -> str:
        if _CLAUSE_NEXT.match(question[m.end() :]) and role_asked([m[0]]) is not None:
            return m[0]  # of a Town Bus "the town it sets out from" is no bus
        return "it" if content_stems(m[1]) and content_stems(m[1]) <= kinds else m[0]

    return _KIND.sub(pointed, question)


def said(e: Evidence, names: Sequence[str]) -> str:
    """Evidence as the matcher reads it, the subject's names masked."""
    if e.key is not None:
        return mask(attribute_text(e.key, str(e.value)), names)
    return mask(e.text, names)[:400]


def told_by(e: Evidence) -> str:
    """Evidence as it is written, an attribute as "key: value"."""
    return f"{spoken_key(e.key)}: {e.value}" if e.key else e.text


def plainly_judged(
    asked: Asked, evidence: Sequence[Evidence], encode: Encode
) -> list[tuple[Judged, tuple[float, float]]]:
    """What sentence vectors and words in common say of each fact, with its noun match and its conflict of scales."""
    passages = [e for e in evidence if e.kind == "passage" or (e.kind == "taught" and e.key is None)]
    pairs = [
        (e, (str(e.key), str(e.value))) for e in evidence if e.kind in ("attribute", "taught") and e.key is not None
    ]
    pairs += [(e, pair) for e in passages if (pair := labelled_value(e.text)) is not None]
    names = sorted({e.subject for e in evidence if e.subject})
    found: dict[str, tuple[Judged, tuple[float, float]]] = {}
    for (e, (_, value)), f in zip(pairs, attribute_features(asked, [p for _, p in pairs], encode, names), strict=True):
        # "product details: <name>" says nothing of the thing but its name
        own_name = e.subject is not None and value.strip(" .").lower() == e.subject.lower()
        found[e.id] = Judged(e, probability(f) * (0.1 if own_name else 1.0)), (f.noun, f.conflict)
    rest = [e for e in passages if e.id not in found]
    for e, f in zip(rest, sentence_features(asked, [e.text for e in rest], names, encode), strict=True):
        found[e.id] = Judged(e, probability(f, sentence=True)), (f.noun, 0.0)
    return list(found.values())


def doubt_of(e: Evidence, asked: Asked) -> float:
    """Below 1 for sentences about the page itself or about someone else, or that only say what the subject is."""
    if ABOUT_PAGE.search(e.text) or (e.kind == "passage" and undecided(e.text)):
        return 0.1
    if asked.expected.kind in ("date", "age") and (dateline := DATELINE.match(e.text)):
        return 0.3 if find_dates(e.text[dateline.end() :]) else 0.05
    if asked.expected.kind == "count" and e.key is not None and says_which(e.key, str(e.value)):
        return 0.2
    if _SO_MANY_OF_IT.search(asked.core) and _PEOPLE_COUNTED.search(e.text) and not _OF_PEOPLE.search(asked.core):
        return 0.1
    if of_the_other_case(asked.whole or asked.core, told_by(e)) or of_all_but(asked.core, told_by(e)):
        return 0.1
    if asked.expected.kind == "count" and _so_many_on_one(told_by(e), asked):
        return 0.1
    if asked.expected.kind == "place" and of_its_maker(told_by(e)):
        return 0.1
    if _about_another(e) and asked.expected.kind != "person":  # "Anna Bolt steers it" says who
        return 0.4
    if of_the_whole(told_by(e), asked.core):
        return 0.1
    if of_another_side(told_by(e), (*asked.wordings, asked.whole)):
        return 0.3
    if (pair := labelled_value(e.text)) and e.subject and pair[1].strip(" .").lower() == e.subject.lower():
        return 0.1  # "product details: <name>" says nothing
    if e.key is None and (undecided(e.text) or only_named(e.text, e.subject or "")):
        return 0.1
    if (worth := worth_of_key(e.key, asked.core)) < 1.0:
        return worth
    if lists_no_people(str(e.value) if e.value is not None else e.text, asked.core):
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


def _so_many_on_one(told: str, asked: Asked) -> bool:
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


def _asks_what_is_said(e: Evidence, asked: Asked) -> bool:
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
    r"^that is all for\b|^figures as of\b|^valid from\b.{0,40}\buntil further notice\b|"
    r"^(?:checked|signed|approved)\b(?: and \w+)? (?:on|by)\b.{0,20}\d|"
    r"\b(?:promised|meant|wanted|planned|hoped) to (?:write|post|tell you) about\b|"
    r"\bask(?:ed|s|ing)? (?:me|us) (?:about|for)\b[^:;\d]*$",  # "several people asked me about it, so here we go"
    re.IGNORECASE,
)
DEFINES = re.compile(
    r"(?:\b(?:is|was)|,)\s+(?:an?|the|one of the)\s+[\w-]+(?:,?\s+[\w-]+){0,4}\s+(?:known|from|in|of|by)\b"
)
