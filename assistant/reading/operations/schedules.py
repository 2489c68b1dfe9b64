"""Until when a span lasts that begins on a date of the question: "bought on 4 October, when does the guarantee end?".

The date of the question and one span of time known of the subject give the last day. The wording of such questions is
free; the date is what is recognised.
"""

from __future__ import annotations

import re

from dateutil.relativedelta import relativedelta

from assistant.reading.fact_finder import FactFinder
from assistant.reading.results import Result
from assistant.reading.scoring.evidence_scoring import ScoredEvidence
from assistant.reading.scoring.measures import carrying
from assistant.text.values import Quantity, find_dates, find_quantities
from assistant.understanding.calculations import wants
from assistant.understanding.intent import Expected, ParsedQuestion
from assistant.understanding.plan import Plan

_UNTIL = re.compile(
    r"\b(?:until|till|expires?|expiry|runs? out|end|ends|last day|covered|which date|what date|by when|up to "
    r"when|my turn|good for|valid|over|throw|gone|finish(?:ed)?|eaten|used up|still (?:good|fine|ok|okay|covered|"
    r"valid)|keeps?|last|latest|use (?:it )?by|eat it|hatch\w*|expect|due|spoil(?:s|ed)?|go(?:es)? (?:off|bad)|next|"
    r"(?:in|into) the bin|stops?|fades?|give birth|arrives?|born|in bloom|come (?:up|through)|sprouts?|"
    r"seedlings?|shoots?|"
    r"(?:due|serviced|fed|do it|go in) again)\b",
    re.IGNORECASE,
)


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
        re.compile(r"\b(?:fertili[sz]\w*|plant food|manure[ds]?|feed(?:s|ing|ings)?|fed|repotted)\b", re.IGNORECASE),
        ("after how many days is it fed again?", "how often must it be fed?"),
    ),
    (
        re.compile(
            r"\b(?:servic(?:e|ed|ing)|maintenance|maintained|technician|inspected|calibrat\w+|overhaul\w*)\b",
            re.IGNORECASE,
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
    if opened:
        judged = [j for j in judged if _OPENED.search(j.evidence.text.replace("_", " "))] or judged
    return [j for j in judged if j.probability >= 0.15 or (opened and len(judged) == 1)]


def _alike(a: ScoredEvidence, b: ScoredEvidence) -> bool:
    """Whether both tell the same span: "48 months", "4 years"."""
    one, two = _span(a), _span(b)
    if one is None or two is None or (months := two.to(one.unit)) is None:
        return False
    return abs(one.low - months.low) < 1e-6


def _span(judged: ScoredEvidence) -> Quantity | None:
    return next((q for q in find_quantities(judged.evidence.text) if q.dimension == "time"), None)
