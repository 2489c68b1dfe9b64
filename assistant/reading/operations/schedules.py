"""Questions that bring a figure of their own: a pace ("12 pages a day"), a starting date ("bought on 4 October").

One fact of the subject and one figure of the question give the answer: how many days a total takes at a pace, until
when a span lasts, what is left of an amount. The wording of such questions is free; the figures are what is recognised.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from dateutil.relativedelta import relativedelta

from assistant.reading.fact_finder import FactFinder, measure
from assistant.reading.results import Result, abstain
from assistant.reading.scoring.evidence_scoring import ScoredEvidence
from assistant.reading.scoring.measures import carrying
from assistant.text import arithmetic
from assistant.text.english import content_stems, shared
from assistant.text.units import unit_of
from assistant.text.values import Quantity, find_dates, find_quantities
from assistant.understanding.calculations import wants
from assistant.understanding.intent import AnswerKind, Expected, ParsedQuestion, parse_clause
from assistant.understanding.plan import Plan

_PACE = re.compile(
    r"^\s*(?:(?:of (?:it|them|this|these|those) )?(?:a|an|per|each|every|each and every|every single|/)\s*"
    r"(?P<unit>day|week|month|year|hour|minute|night|evening|morning|afternoon|sitting|session|lesson|go|time)"
    r"|(?P<ly>daily|nightly|weekly|monthly|hourly))\b",
    re.IGNORECASE,
)
_BY_ADVERB = {"daily": "day", "nightly": "night", "weekly": "week", "monthly": "month", "hourly": "hour"}
#: Behind what is counted: "12 pages every evening", "12 pages daily".
_NO_UNIT = re.compile(r" (?:every|each|per|daily|nightly|weekly|monthly|hourly|a|an|in)$")
_HOW_LONG = re.compile(
    r"\bhow (?:many (?P<unit>days|weeks|months|years|hours|minutes|nights|evenings|mornings|afternoons|sittings|"
    r"sessions|times)|long|soon)\b|\bwhen\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:until|till|expires?|expiry|runs? out|end|ends|last day|covered|which date|what date|by when|up to "
    r"when|my turn|good for|valid|over|throw|gone|finish(?:ed)?|eaten|used up|still (?:good|fine|ok|okay|covered|"
    r"valid)|keeps?|last|latest|use (?:it )?by|eat it|hatch\w*|expect|due|spoil(?:s|ed)?|go(?:es)? (?:off|bad)|next|"
    r"(?:in|into) the bin|stops?|fades?|give birth|arrives?|born|in bloom|come (?:up|through)|sprouts?|"
    r"seedlings?|shoots?|"
    r"(?:due|serviced|fed|do it|go in) again)\b",
    re.IGNORECASE,
)


_OF_WHAT = re.compile(
    r"\b(?:the|its|all|all the|all of the|there are|these|those) (?P<noun>(?!days|weeks|months|years|hours|"
    r"minutes)[a-z]{3,}s)\b",
    re.IGNORECASE,
)


def at_a_pace(plan: Plan, finder: FactFinder) -> Result | None:
    """ "I read 12 pages a day, how many days does it take": total divided by pace, rounded up."""
    question = plan.question
    asks = _HOW_LONG.search(question)
    if not asks:
        return None
    for found in find_quantities(question):
        q, per = _paced(found, question)
        if not per or q.low <= 0 or q.dimension == "money":
            continue
        noun = q.unit if q.dimension == "count" and q.unit not in ("a", "an", "per") else ""
        if not noun and q.dimension in ("count", ""):  # "doing 3 a day": of what is said elsewhere, or nobody knows
            noun = next(
                (m["noun"].lower() for m in _OF_WHAT.finditer(question) if unit_of(m["noun"].lower()) is None), ""
            )
            if not noun:
                continue
        dims = frozenset({q.dimension, ""}) if noun else frozenset({q.dimension})
        kind: AnswerKind = "count" if noun else "quantity"
        wording = f"how many {noun} does it have?" if noun else f"how much of it is there in {q.unit}s?"
        about = (f"what is its number of {noun}?",) if noun else ("what is its weight?", "what is its content?")
        fact = finder.fact(
            plan.subjects[0],
            threshold=0.3,
            asked=ParsedQuestion(wording, about, Expected(kind, dims, noun=noun.split()[0] if noun else ""), "lookup"),
        )
        if (
            fact is not None
            and noun
            and not shared(content_stems(noun), content_stems(f"{fact.key or ''} {fact.value}"))
        ):
            continue  # "39 chapters" is no number of pages
        m = measure(fact) if fact else None
        total = m.quantity if m else None
        if fact is None or total is None or total.low != total.high:
            continue
        if (
            noun
            and total.dimension == "count"
            and total.unit
            and not shared(content_stems(noun), content_stems(total.unit))
        ):
            continue  # "40 chapters on many pages"
        pair = arithmetic.common([replace(m, quantity=q, stated=q.text), m]) if m else None
        if pair is None or pair[1].quantity is None or pair[0].quantity is None:
            continue
        needed = math.ceil(pair[1].quantity.low / pair[0].quantity.low - 1e-9)
        unit = (per["unit"] or _BY_ADVERB[per["ly"].lower()]).lower() + ("" if needed == 1 else "s")
        return Result(
            f"{needed} {unit}: {plan.subjects[0]} has {total.text}, at {q.text} {per.group(0).strip()}.", fact.ids
        )
    return None


def _paced(q: Quantity, question: str) -> tuple[Quantity, re.Match[str] | None]:
    """The figure with the pace behind it: in "12 pages every evening" these are pages."""
    if (cut := _NO_UNIT.search(q.text)) and q.dimension == "count":
        text = q.text[: cut.start()]
        q = replace(q, unit=_NO_UNIT.sub("", q.unit), text=text, end=q.start + len(text))
    return q, _PACE.match(question[q.end :])


def nothing_at_a_pace(plan: Plan, finder: FactFinder) -> Result | None:
    """A pace is told and asked how long something takes at it, but not what there is of it."""
    paced = (_paced(q, plan.question)[1] for q in find_quantities(plan.question) if q.dimension != "money")
    return abstain(plan, plan.subjects[0]) if _HOW_LONG.search(plan.question) and any(paced) else None


def until(plan: Plan, finder: FactFinder) -> Result | None:
    """ "I bought it on 4 October 2026, until when is it covered": a date and a span of time give the last day."""
    dates = [d for d in find_dates(plan.question) if d.day]
    check_on = dates[1] if len(dates) == 2 and plan.asked.operation == "yesno" else None
    if not dates or (len(dates) > 1 and check_on is None):
        return None
    if not _UNTIL.search(plan.question) and not wants("until", plan):
        return None
    rest = plan.question.replace(dates[0].text, " ")
    spans = _spans(plan, finder, " ".join(rest.split()))
    if not spans or (
        len(spans) > 1 and spans[1].probability > 0.7 * spans[0].probability and not _alike(spans[0], spans[1])
    ):
        return None
    span = _span(spans[0])
    months = span.to("month") if span is not None and span.unit in ("year", "month") else None
    days = span.to("day") if span is not None and months is None else None
    if span is None or (months is None and days is None):
        return None
    delta = relativedelta(months=round(months.low)) if months else relativedelta(days=round(days.low if days else 0))
    last = dates[0].first_day + delta
    stated = f"{last.day} {last:%B} {last.year}"
    if check_on is not None:
        yes = check_on.first_day <= last
        return Result(
            f"{'Yes' if yes else 'No'}: {span.text} from {dates[0].text} end on {stated}.", (spans[0].evidence.id,)
        )
    if re.search(r"\b(?:hatch\w*|expect|due|births?)\b", plan.question, re.IGNORECASE):
        return Result(f"On {stated}: {span.text} from {dates[0].text}.", (spans[0].evidence.id,))
    return Result(f"Until {stated}: {span.text} from {dates[0].text}.", (spans[0].evidence.id,))


#: A package that is no longer closed; not "opened its first bud".
_OPENED = re.compile(
    r"\b(?:open|opened|opening)\b(?! (?:its|their|his|her)\b)"
    r"|\b(?:lid|top|cap|cork|seal|foil)\b.*\b(?:came|comes?|is|was|went|got|has been|taken|torn|pulled|broken)\b"
    r"|\b(?:broke|broken|tore|cut) the (?:seal|foil|film|wrapper|pack)|\b(?:unsealed|uncorked|unwrapped|"
    r"unscrewed|uncapped)\b",
    re.IGNORECASE,
)
_UNTIL_WHEN = re.compile(r"\b(?:until|till|to|by) (?:when|(?:what|which) (?:date|day))\b", re.IGNORECASE)
_KEEPS_OPEN = "how long does it keep after opening?"
#: What may well last for years.
_FOR_YEARS = ("how long is the guarantee?", "how often does it need servicing?", "how long does it keep unopened?")
#: How a span that begins with an event is asked for; the event is read off the words before the date.
_BEGINS = (
    (
        re.compile(
            r"\b(?:fertili[sz]\w*|plant food|manure[ds]?|(?:last|next) feed|fed|feeding|repotted)\b", re.IGNORECASE
        ),
        ("after how many days is it fed again?", "how often must it be fed?"),
    ),
    (
        re.compile(
            r"\b(?:servic(?:e|ed|ing)|maintenance|maintained|technician|inspected|overhaul\w*)\b", re.IGNORECASE
        ),
        ("after how long must it be serviced?", "how often must it be serviced?"),
    ),
    (
        re.compile(
            r"\b(?:births?|pregnan\w+|gestation|mat(?:ed|ing)|expecting|in (?:calf|foal|lamb|pup|kid)|calv(?:e|ing)|"
            r"foaling|lambing|whelp\w*|litter|conceiv\w+|conception|inseminat\w+|"
            r"(?:young|bab(?:y|ies)|pups|puppies|kittens|calf|calves|foals?|lambs?|cubs|"
            r"piglets) (?:\w+ ){0,3}?(?:arrive|come|due|"
            r"born|expected))\b",
            re.IGNORECASE,
        ),
        ("how long does it carry its young?", "how long is it pregnant?"),
    ),
    (
        re.compile(r"\b(?:laid|lays?|laying|eggs?|brood\w*|sitting on)\b", re.IGNORECASE),
        ("how long does it take from laying to hatching?", "how many days until it hatches?"),
    ),
    (
        re.compile(r"\b(?:seeds?|sow(?:n|ed|ing)?|germinat\w+|sprout\w*)\b", re.IGNORECASE),
        ("how long do the seeds take to sprout?", "how many days until it germinates?"),
    ),
    (
        re.compile(
            r"\b(?:bloom\w*|blossom\w*|flowering|in(?:to)? flower|first flowers?|(?:stop|start|begin|began|"
            r"finish)\w* (?:to )?flower)"
            r"\b",
            re.IGNORECASE,
        ),
        ("how long does it flower?", "how long is it in bloom?"),
    ),
    (
        _OPENED,
        (_KEEPS_OPEN, "use within how many days once open?"),
    ),
    (
        re.compile(r"\b(?:guarantee|warranty|cover(?:ed)?|bought|buy|purchased?)\b", re.IGNORECASE),
        ("how long is the guarantee?", "how long is it covered?"),
    ),
    (
        re.compile(r"\b(?:servic\w+|overhaul\w*|maintenance|calibrat\w+)\b", re.IGNORECASE),
        ("how often does it need servicing?", "what is the service interval?"),
    ),
    (
        re.compile(r"\b(?:fed|feed(?:s|ing|ings)?|fertili[sz]\w+|plant food|manured?)\b", re.IGNORECASE),
        ("how often is it fed or fertilised?", "how many days lie between two feedings?"),
    ),
    (
        re.compile(r"\b(?:packed|made|baked|brewed|bottled)\b", re.IGNORECASE),
        ("how long does it keep unopened?", "what is its shelf life?"),
    ),
)


def _spans(plan: Plan, finder: FactFinder, rest: str) -> list[ScoredEvidence]:
    """Spans of time that may begin with the event of the question, most probable first."""
    own = carrying(
        [e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()],
        ParsedQuestion(rest, (), Expected("quantity", frozenset({"time"})), "lookup"),
    )
    lasting = _UNTIL_WHEN.sub("for how long", rest)  # "until when will it bloom" → "for how long will it bloom"
    asks = re.split(r"[,.;]\s+", lasting)[-1] if lasting != rest else rest
    wordings = next((w for pattern, w in _BEGINS if pattern.search(rest)), None)
    first, *others = wordings or (asks,)
    asked = ParsedQuestion(first, (*others, rest), Expected("quantity", frozenset({"time"})), "lookup")
    judged = FactFinder(plan, own, finder.encode).judged(plan.subjects[0], asked)
    opened = wordings is not None and wordings[0] == _KEEPS_OPEN
    if wordings is not None and wordings[0] not in _FOR_YEARS:  # eggs and seeds take no years: so long it lives
        judged = [j for j in judged if (span := _span(j)) is None or span.unit != "year"]
    if opened:  # what it keeps while it is closed is another span
        said = [
            j
            for j in judged
            if re.search(r"\b(?<!un)open(?:ed|ing)?\b", j.evidence.text.replace("_", " "), re.IGNORECASE)
        ]
        judged = said or [
            j for j in judged if not re.search(r"\bunopened|\bclosed\b|\bshelf", j.evidence.text, re.IGNORECASE)
        ]
    return [j for j in judged if j.probability >= 0.15 or (opened and len(judged) == 1)]


def _alike(a: ScoredEvidence, b: ScoredEvidence) -> bool:
    """Whether both tell the same span: "48 months", "4 years"."""
    one, two = _span(a), _span(b)
    if one is None or two is None or (months := two.to(one.unit)) is None:
        return False
    return abs(one.low - months.low) < 1e-6


def _span(judged: ScoredEvidence) -> Quantity | None:
    return next((q for q in find_quantities(judged.evidence.text) if q.dimension == "time"), None)


def between_two(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many years between the founding of the firm and its launch": two dates of one subject, their difference."""
    m = re.search(
        r"\b(?:between|from)\s+(?P<a>(?:the|its|their|when)\s+[^,?]+?)\s+(?:and|to|until)\s+(?P<b>(?:the|its|"
        r"their|when|this|it)\b[^,?]*)",
        plan.asked.core,
        re.IGNORECASE,
    )
    if not m or not re.search(r"\byears?\b|\bhow long\b|\btime\b", plan.asked.core, re.IGNORECASE):
        return None
    facts = []
    for part in (m.group("a"), m.group("b")):
        phrase = re.sub(r"\bhow (?:many|long)\b.*$", "", part).strip()
        asked = parse_clause(f"when was {phrase}?" if not phrase.startswith("when") else f"{phrase}?")
        fact = finder.fact(plan.subjects[0], asked)
        value = measure(fact) if fact else None
        if fact is None or value is None or value.date is None:
            return None
        facts.append((fact, value))
    (first, a), (second, b) = facts
    assert a.date is not None
    assert b.date is not None
    if first.evidence.id == second.evidence.id or (a.date.year, a.date.month) == (b.date.year, b.date.month):
        return None  # told twice, and not of two events
    years = arithmetic.years_between(a.date, b.date)
    return Result(
        f"{years} years: {a.stated} for {first.subject}, {b.stated} for {second.subject}.", (*first.ids, *second.ids)
    )
