"""Settling contradictions: which of several probable statements stands, and why.

Rules, in this order: a statement that calls itself past gives way, and so does one from a page years older than the
others (hearsay aside); a newer one ("as of 2024") beats an older; what a maker or an authority says beats hearsay; what
more sources say beats what one says; an attribute beats a page; the page written last beats the others.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.logistic import logistic, logit
from assistant.core.types import Evidence
from assistant.reading.scoring.bi_encoder import affinity
from assistant.reading.scoring.concepts import question_fact_model
from assistant.reading.scoring.evidence_scoring import ScoredEvidence, said
from assistant.reading.scoring.rank import Encode, agreement
from assistant.text.values import find_dates, find_names, find_quantities
from assistant.understanding.intent import ParsedQuestion

_PAST = re.compile(
    r"\b(?:used to|formerly|previously|no longer|once (?:was|had|cost|weighed)|originally|at first|at launch|"
    r"in the past|until (?:\w+ )?\d{4}|(?:was|were|had) (?:\w+ ){0,3}(?:until|before)|older (?:edition|"
    r"version|model|printing|listing)s?|outdated|out of date|earlier (?:edition|version|figure|report|"
    r"count)s?|back then|at the time)\b",
    re.IGNORECASE,
)
_ASKS_PAST = re.compile(
    r"\b(?:used to|originally|formerly|previously|(?:at )?first (?:price|edition|version)|at (?:first|launch)|"
    r"initially|before)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|currently|today|these days|at present|as of|since|latest|most recent|updated|revised|"
    r"corrected|new(?:er)? (?:edition|version|model|measurement|figure)s?)\b",
    re.IGNORECASE,
)
HEARSAY = re.compile(
    r"\b(?:i think|i believe|i heard|heard|apparently|supposedly|reportedly|rumou?r(?:ed)?|some say|people "
    r"say|they say|some(?:one|body)|told (?:me|us)|i(?:['’]m| am| was) told|i read (?:somewhere|that|about)|guess|"
    r"probably|maybe|might be|not sure|if i remember|iirc|forum|comment|from memory|correct me|don['’]t quote me|"
    r"as far as i (?:know|remember|recall)|not certain|if i recall|grain of salt|"
    r"rumours|allegedly|claims? that|unverified|estimate[sd]?)\b",
    re.IGNORECASE,
)
#: What its own writer does not vouch for is no answer by itself: worth so much of its probability.
_DOUBTED = re.compile(
    r"\b(?:i (?:think|believe|heard|guess)|i(?:['’]m| am| was) told|some(?:one|body)\b[^.:;]{0,30}\btold|rumou?rs?|"
    r"from memory|correct me|not sure|not certain|quote me|if i (?:remember|recall)|"
    r"as far as i (?:know|remember|recall)|grain of salt)\b",
    re.IGNORECASE,
)
_DOUBTED_WORTH = 0.5
_OFFICIAL = re.compile(
    r"\b(?:official(?:ly)?|manufacturer|maker|according to the (?:maker|publisher|company|register|museum|"
    r"council|producer)|publisher|press office|register|registry|data ?sheet|specification|spec(?:s)? sheet|"
    r"measured|census|catalogue|encyclop\w+)\b",
    re.IGNORECASE,
)
#: Statements at least this probable may contradict or support the best one …
LEAST = 0.05
#: … when they speak of the same property (`concepts.QuestionFactModel.between_facts`), …
SAME_PROPERTY = 0.4
#: … and a statement so much less probable than the best states another property: the first share where both surely
#: speak of one (`between_facts` and the cosine of `affinity` together reach `_SURELY_SAME`), else the second.
_RIVAL_SHARE, _UNSURE_SHARE = 0.3, 0.6
_SURELY_SAME = 1.3
#: What each further source that says the same adds to the logit of a statement's probability, and at most how many.
_SUPPORT, _SUPPORTERS = 0.5, 2
#: Where the best is hearsay or out of date beside another of the same property, this share is enough for the other.
_SOUND_SHARE = 0.2
#: Statements that so probably answer the same question speak of the same property, whatever their words.
_BOTH_ANSWER = 0.45
#: How many of the next best facts are looked at as rivals of the best.
_RIVALS = 4
#: A page that is this many years older than the newest statement is out of date where they differ. An index entry
#: counts as new: it has no date, and is what the index holds to be true.
_OUT_OF_DATE_YEARS = 2


@dataclass(frozen=True)
class Settled:
    """The evidence that stands, its probability, and the reason when it had to be chosen against another."""

    evidence: Evidence
    probability: float
    note: str = ""


def values_in(text: str, asked: ParsedQuestion) -> frozenset[str]:
    """Comparable values of the asked kind in a statement, in one normal form."""
    if asked.expected.kind == "person":
        names = {n.casefold() for n in find_names(text) if " " in n}
        return frozenset(names) if len(names) == 1 else frozenset()
    dims = asked.expected.dimensions or (asked.scale.dimensions if asked.scale else frozenset())
    if _asks_when(asked):
        return frozenset(d.iso[:4] for d in find_dates(text))
    return frozenset(
        f"{q.low:g}" for q in find_quantities(text) if not dims or q.dimension in dims or q.dimension in ("", "count")
    )


def _asks_when(asked: ParsedQuestion) -> bool:
    """Then a year in a statement is what it states, not when that was true."""
    dims = asked.expected.dimensions or (asked.scale.dimensions if asked.scale else frozenset())
    return asked.expected.kind in ("date", "age") or dims == {"date"}


def as_of(text: str, today: datetime.date) -> int | None:
    """The year that a statement says it is true for ("as of 2024", "since the 2023 revision"), if any."""
    m = re.search(
        r"\b(?:as of|since|updated|revised|in the|from|measured in|checked|counted in|"
        r"by)\b[^.;]{0,30}?\b((?:19|20|21)\d{2})\b",
        text,
        re.IGNORECASE,
    )
    year = int(m.group(1)) if m else None
    return year if year is not None and year <= today.year + 1 else None


def settle(
    judged: Sequence[ScoredEvidence], asked: ParsedQuestion, today: datetime.date, encode: Encode
) -> Settled | None:
    """The statement that stands among the most probable ones."""
    if not judged:
        return None
    best = judged[0]
    fitting = [
        j
        for j in judged
        if j.probability >= min(LEAST, best.probability)
        and agreement(asked.expected, _text(j.evidence), j.evidence.key or "") >= 0
    ]
    if not fitting:
        return Settled(best.evidence, _vouched(best.evidence, best.probability))
    lead = fitting[0]
    alike = _alike(lead, fitting[1:], encode)
    values = {j.evidence.id: values_in(_text(j.evidence), asked) for j in fitting}
    mine = values[lead.evidence.id]
    last = _last_said(lead.evidence, today, fitting, values)
    rivals = [
        j
        for j, (same, surely) in zip(fitting[1:], alike, strict=True)
        if (same or _both_answer(lead, j))
        and values[j.evidence.id]
        and not (values[j.evidence.id] & mine)
        and j.probability >= _share(lead.evidence, j.evidence, surely, last) * lead.probability
    ]
    indexed = [values_in(_text(j.evidence), asked) for j in judged if j.evidence.key]
    if any(v & mine for v in indexed):  # the index has this figure under one key, and theirs under others
        rivals = [j for j in rivals if not any(values[j.evidence.id] & v for v in indexed)]
    if not mine or not rivals:
        supported = _supported(lead, fitting, values)
        alone = supported - lead.probability < 1e-6
        return Settled(lead.evidence, _vouched(lead.evidence, supported) if alone else supported)
    newest = _newest([j.evidence for j in (lead, *rivals)], today)
    scored = sorted(
        ((_standing(j.evidence, asked, today, newest, fitting, values), j.probability, j) for j in [lead, *rivals]),
        key=lambda s: (s[0], s[1]),
        reverse=True,
    )
    (top, _, chosen), (second, _, _) = scored[0], scored[1]
    note = _why(chosen.evidence, None if _asks_when(asked) else today) if top > second else ""
    if (
        top == second
        and lead.probability - rivals[0].probability < 0.05
        and lead.evidence.kind == rivals[0].evidence.kind
    ):
        return Settled(lead.evidence, lead.probability * 0.6, "sources disagree")
    return Settled(chosen.evidence, max(lead.probability, _supported(chosen, fitting, values)), note)


def _vouched(e: Evidence, probability: float) -> float:
    """The probability of a statement that nothing else supports."""
    return probability * _DOUBTED_WORTH if e.kind == "passage" and _DOUBTED.search(e.text) else probability


def _both_answer(a: ScoredEvidence, b: ScoredEvidence) -> bool:
    """Whether both so probably answer that they speak of one property; two attributes have two names for two."""
    return min(a.probability, b.probability) >= _BOTH_ANSWER and not (a.evidence.key and b.evidence.key)


def _share(lead: Evidence, other: Evidence, surely: bool, last: int) -> float:
    """How much of the best statement's probability another must have to be a rival; `last` is the year in which the
    best one's value was last stated.
    """
    stale = lead.written and other.written and int(other.written[:4]) - last >= _OUT_OF_DATE_YEARS
    if (HEARSAY.search(lead.text) or (lead.key is None and stale)) and not HEARSAY.search(other.text):
        return _SOUND_SHARE
    return _RIVAL_SHARE if surely else _UNSURE_SHARE


def rival_of(lead: Evidence, judged: Sequence[ScoredEvidence], asked: ParsedQuestion, encode: Encode) -> float:
    """How probably another fact answers: one of another property that does not say the same. 0 when there is none."""
    mine = values_in(_text(lead), asked)
    others = [
        j
        for j in judged
        if j.evidence.id != lead.id
        and j.probability >= LEAST
        and not values_in(_text(j.evidence), asked) & mine
        and _text(j.evidence) != _text(lead)
    ][:_RIVALS]
    alike = _alike(ScoredEvidence(lead, 1.0), others, encode)
    return max((j.probability for j, (same, _) in zip(others, alike, strict=True) if not same), default=0.0)


def _alike(lead: ScoredEvidence, others: Sequence[ScoredEvidence], encode: Encode) -> list[tuple[bool, bool]]:
    """Whether each probably, and whether it surely speaks of the same property as `lead`; two attributes with different
    keys never do.
    """
    if not others:
        return []
    names = sorted({j.evidence.subject for j in (lead, *others) if j.evidence.subject})
    vectors = encode([said(j.evidence, names) for j in (lead, *others)])
    between = question_fact_model().between_facts(vectors)[0, 1:]
    told = affinity().told(vectors)
    both_keyed = [bool(lead.evidence.key and j.evidence.key) for j in others]
    return [
        (bool(b >= SAME_PROPERTY and not keyed), bool(b + t >= _SURELY_SAME and not keyed))
        for b, t, keyed in zip(between, told[1:] @ told[0], both_keyed, strict=True)
    ]


def _supported(chosen: ScoredEvidence, stated: Sequence[ScoredEvidence], values: dict[str, frozenset[str]]) -> float:
    """The probability, raised when other sources give the same value for what may be asked."""
    e = chosen.evidence
    others = {
        j.evidence.source if j.evidence.key is None else "index"
        for j in stated
        if j is not chosen and values[j.evidence.id] & values[e.id]
    } - {e.source if e.key is None else "index"}
    return logistic(logit(chosen.probability) + _SUPPORT * min(len(others), _SUPPORTERS))


def _text(e: Evidence) -> str:
    return str(e.value) if e.value is not None else e.text


def _year_written(e: Evidence, today: datetime.date) -> int:
    """The year of the page; 0 when it gives none."""
    return today.year if e.key is not None else int(e.written[:4]) if e.written else 0


def _last_said(
    e: Evidence, today: datetime.date, stated: Sequence[ScoredEvidence], values: dict[str, frozenset[str]]
) -> int:
    """The year of the newest page that gives the same value and vouches for it."""
    alike = [j.evidence for j in stated if values[j.evidence.id] & values[e.id] and not HEARSAY.search(j.evidence.text)]
    return max(_year_written(s, today) for s in (e, *alike))


def _newest(statements: Sequence[Evidence], today: datetime.date) -> int:
    """The year of the newest page; one that does not vouch for what it says puts no other out of date."""
    vouched = [e for e in statements if not HEARSAY.search(e.text)]
    return max(_year_written(e, today) for e in vouched or statements)


def _standing(
    e: Evidence,
    asked: ParsedQuestion,
    today: datetime.date,
    newest: int,
    stated: Sequence[ScoredEvidence],
    values: dict[str, frozenset[str]],
) -> tuple[float | str, ...]:
    past = bool(_PAST.search(e.text)) and e.kind == "passage"
    if _ASKS_PAST.search(asked.core):
        past = not past
    else:
        past = past or (bool(e.written) and newest - _last_said(e, today, stated, values) >= _OUT_OF_DATE_YEARS)
    year = as_of(e.text, today) if e.kind == "passage" and not _asks_when(asked) else None
    around = f"{e.text} {e.title or ''}"
    source = 0.5 if e.kind == "attribute" else 0.0
    source += 1.0 if _OFFICIAL.search(around) else 0.0
    source -= 1.5 if HEARSAY.search(around) else 0.0
    source -= 0.5 if HEARSAY.search(e.text) else 0.0  # what calls itself uncertain is so on any page
    same = {j.evidence.source for j in stated if values[j.evidence.id] & values[e.id]}
    fresh = 0.0 if year is None else (year - today.year) / 1000 + 1.0
    if year is None and _NOW.search(e.text) and e.kind == "passage" and not _asks_when(asked):
        fresh = 0.98
    return (
        0.0 if past else 1.0,
        round(fresh, 3) if fresh else (0.95 if e.kind == "attribute" else 0.0),
        source,
        float(len(same)),
        e.written or "",
    )


def _why(e: Evidence, today: datetime.date | None) -> str:
    """Without a day, the years that a statement names are no sign of its age."""
    if e.kind == "attribute":
        return "sources disagree; the index's own entry stands"
    year = (as_of(e.text, today) if today else None) or (e.written or "")[:4]
    return f"sources disagree; the newest, of {year}, stands" if year else "sources disagree; the current one stands"
