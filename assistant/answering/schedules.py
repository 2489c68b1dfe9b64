"""Questions that bring a figure of their own: a pace ("12 pages a day"), a starting date ("bought on 4 October").

One fact of the subject and one figure of the question give the answer: how many days a total takes at a pace, until
when a span lasts, what is left of an amount. The wording of such questions is free; the figures are what is recognised.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from dateutil.relativedelta import relativedelta

from assistant.answering import compute
from assistant.answering.facts import FactFinder, measure
from assistant.answering.follow import Judged
from assistant.answering.intents import AnswerKind, Asked, Expected, take_apart
from assistant.answering.language import content_stems, shared, stem, word_set
from assistant.answering.measures import carrying
from assistant.answering.plan import Plan
from assistant.answering.reckoned import wants
from assistant.answering.values import Quantity, find_dates, find_quantities

_PACE = re.compile(
    r"^\s*(?:(?:of|from|out of|in) (?:it|(?:this|that|the|these|those|my|our|its) [^,;:?]{1,60}?) )?"
    r"(?:a|an|per|each|every|/)\s*(?:single )?(?P<unit>day|week|month|year|hour|minute|night|evening|morning|"
    r"sitting|go|time)\b",
    re.IGNORECASE,
)
#: "12 pages of that book each night": what is read stands between.
_TAIL = re.compile(r"^\s*(?:of|from|out of|in) .* (?=(?:a|an|per|each|every) )", re.IGNORECASE)
_HOW_LONG = re.compile(
    r"\bhow (?:many (?P<unit>days|weeks|months|years|hours|minutes|nights|evenings|sittings|times)|long|"
    r"soon)\b|\bwhen\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:until|till|expires?|expiry|runs? out|end|ends|last day|covered|which date|what date|by when|up to "
    r"when|good for|valid|over|throw|gone|finish(?:ed)?|eaten|used up|still (?:good|fine|ok|okay|covered|"
    r"valid)|keeps?|last|latest|use (?:it )?by|eat it|hatch\w*|expect|due|spoil(?:s|ed)?|go(?:es)? (?:off|bad)|"
    r"newborns?|bab(?:y|ies)|give birth|chicks?|next|following|again)\b",
    re.IGNORECASE,
)


def _spelled_out(question: str) -> str:
    """ "12 pages daily" → "12 pages a day"."""
    return re.sub(
        r"\b(dai|night|week|month|hour)ly\b",
        lambda m: f"a {m[1].lower().replace('dai', 'day')}",
        question,
        flags=re.IGNORECASE,
    )


def at_a_pace(plan: Plan, finder: FactFinder) -> tuple[str, tuple[str, ...]] | None:
    """ "I read 12 pages a day, how many days does it take": total divided by pace, rounded up."""
    question = _spelled_out(plan.question)
    asks = _HOW_LONG.search(question)
    if not asks:
        return None
    for q in find_quantities(question):
        per = _PACE.match(question[q.end :]) or (
            re.search(r"\s(?:a|an|per)$", q.text) and re.match(r"\s*(?P<unit>\w+)", question[q.end :])
        )
        if not per or q.low <= 0 or q.dimension == "money":
            continue
        noun = q.unit if q.dimension == "count" else ""
        if q.dimension in ("", "count") and not _names_things(noun):  # "the exercises, at 4 a day"
            noun = _paced_noun(plan, question)
            q = replace(q, unit=noun, dimension="count") if noun else q
        dims = frozenset({q.dimension, ""}) if noun else frozenset({q.dimension})
        kind: AnswerKind = "count" if noun else "quantity"
        wording = f"how many {noun} does it have?" if noun else f"how much of it is there in {q.unit}s?"
        about = (f"what is its number of {noun}?",) if noun else ("what is its weight?", "what is its content?")
        if noun and shared(content_stems(noun), _EXERCISES):
            wording, about = "how many exercises does it have?", (wording, *about)
        fact = finder.fact(
            plan.subjects[0],
            threshold=0.3,
            asked=Asked(wording, about, Expected(kind, dims, noun=noun.split()[0] if noun else ""), "lookup"),
        )
        if (
            fact is not None
            and noun
            and not shared(_names_of(noun), content_stems(f"{fact.key or ''} {fact.value}".replace("_", " ")))
        ):
            continue  # "39 chapters" is no number of pages
        m = measure(fact) if fact else None
        total = m.quantity if m else None
        if fact is None or total is None or total.low != total.high:
            continue
        pair = compute.common([replace(m, quantity=q, stated=q.text), m]) if m else None
        if pair is None or pair[1].quantity is None or pair[0].quantity is None:
            continue
        needed = math.ceil(pair[1].quantity.low / pair[0].quantity.low - 1e-9)
        unit = re.sub(r"^(?:night|evening|morning)$", "day", per.group("unit").lower()) + ("" if needed == 1 else "s")
        return (
            f"{needed} {unit}: {plan.subjects[0]} has {total.text}, at {q.text} {_TAIL.sub('', per.group(0)).strip()}.",
            fact.ids,
        )
    return None


#: Words for one and the same: what is set to be solved.
_EXERCISES = content_stems("exercises problems tasks questions sums")


def _names_of(noun: str) -> frozenset[str]:
    """The stems of a noun, and of those that stand for the same."""
    stems = content_stems(noun)
    return stems | _EXERCISES if shared(stems, _EXERCISES) else stems


_SPANS_OF_TIME = word_set("days nights weeks months years hours minutes evenings mornings sittings times")


def _names_things(noun: str) -> bool:
    return bool(noun) and noun.split()[0] not in _NO_THINGS


_NO_THINGS = word_set("a an per each every daily at on in of the")


def _paced_noun(plan: Plan, question: str) -> str:
    """What is done at a bare pace: "the exercises for it, at 4 a day" → "exercises"."""
    found = [w.lower() for w in re.findall(r"\b[a-zA-Z]{4,}s\b", question)]
    nouns = [w for w in found if w not in _SPANS_OF_TIME and not w.endswith("ss") and stem(w) in _EXERCISES]
    return nouns[0] if nouns else ""


def has_pace(question: str) -> bool:
    """Whether the question gives a pace and asks how long something takes at it."""
    question = _spelled_out(question)
    return bool(_HOW_LONG.search(question)) and any(
        _PACE.match(question[q.end :]) and q.dimension != "money" for q in find_quantities(question)
    )


def until(plan: Plan, finder: FactFinder) -> tuple[str, tuple[str, ...]] | None:
    """ "I bought it on 4 October 2026, until when is it covered": a date and a span of time give the last day."""
    dates = [d for d in find_dates(plan.question) if d.day]
    check_on = dates[1] if len(dates) == 2 and plan.asked.operation == "yesno" else None
    if not dates or (len(dates) > 1 and check_on is None):
        return None
    if not _UNTIL.search(plan.question) and not wants("until", plan, finder.encode):
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
        return f"{'Yes' if yes else 'No'}: {span.text} from {dates[0].text} end on {stated}.", (spans[0].evidence.id,)
    if re.search(
        r"\b(?:hatch\w*|expect\w*|due|births?|next|again|newborns?|sprout\w*)\b", plan.question, re.IGNORECASE
    ):
        return f"On {stated}: {span.text} from {dates[0].text}.", (spans[0].evidence.id,)
    return f"Until {stated}: {span.text} from {dates[0].text}.", (spans[0].evidence.id,)


#: A package that is no longer closed; not "opened its first bud".
_OPENED = re.compile(
    r"\b(?:open|opened|opening)\b(?! (?:its|their|his|her)\b)"
    r"|\b(?:lid|top|cap|cork|seal|foil)\b.*\b(?:came|comes?|is|was|went|got|has been|taken|torn|pulled|broken)\b"
    r"|\b(?:br(?:eak|eaks|oke|oken|eaking)|tears?|tore|torn|cuts?|cracks?|cracked|pull(?:ed|s)?|peel(?:ed|s)?|"
    r"take off|took off|"
    r"pop(?:ped|s)?|unscrew) (?:open )?(?:the|its|that|this) (?:seal|foil|film|wrapper|wrapping|pack|lid|cap|cork|top)"
    r"|\b(?:unsealed|uncorked|unwrapped|unscrewed)\b",
    re.IGNORECASE,
)
_UNTIL_WHEN = re.compile(r"\b(?:until|till|to|by) (?:when|(?:what|which) (?:date|day))\b", re.IGNORECASE)
#: How a span that begins with an event is asked for; the event is read off the words before the date.
_BEGINS = (
    (
        re.compile(
            r"\b(?:births?|pregnan\w+|gestation|conceiv\w+|conception|mat(?:ed|ing)|expecting|in (?:calf|foal|"
            r"lamb|pup|kid)|calv(?:e|ing)|"
            r"foaling|lambing|whelp\w*|litter)\b",
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
        re.compile(r"\b(?:fed|feed(?:s|ing)?|fertili[sz]\w+|plant food|manur\w+)\b", re.IGNORECASE),
        ("how often is it fed?", "how often does it need fertiliser?"),
    ),
    (
        re.compile(
            r"\b(?:servic(?:e|ed|es|ing)|maintenance|inspect(?:ed|ion)|overhaul\w*|technician|mechanic|check-?up)\b",
            re.IGNORECASE,
        ),
        ("how often does it need servicing?", "how long is it from one service to the next?"),
    ),
    (
        re.compile(
            r"\b(?:bloom\w*|flowering|blossoming|in flower|(?:first|last) (?:flowers?|blossoms?))\b", re.IGNORECASE
        ),
        ("for how long does it bloom?", "how long does it stay in flower?"),
    ),
    (
        _OPENED,
        ("how long does it keep after opening?", "use within how many days once open?"),
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


_LIFE = re.compile(
    r"\b(?:liv(?:es?|ing)|life ?(?:span|time|expectancy)?|reach(?:es)?|ages?|old|guarantees?|warranty)\b", re.IGNORECASE
)


def _spans(plan: Plan, finder: FactFinder, rest: str) -> list[Judged]:
    """Spans of time that may begin with the event of the question, most probable first."""
    own = carrying(
        [e for e in finder.evidence if (e.subject or "").lower() == plan.subjects[0].lower()],
        Asked(rest, (), Expected("quantity", frozenset({"time"})), "lookup"),
    )
    lasting = _UNTIL_WHEN.sub("for how long", rest)  # "until when will it bloom" → "for how long will it bloom"
    asks = re.split(r"[,.;]\s+", lasting)[-1] if lasting != rest else rest
    wordings = next((w for pattern, w in _BEGINS if pattern.search(rest)), (asks,))
    asked = Asked(wordings[0], (*wordings[1:], rest), Expected("quantity", frozenset({"time"})), "lookup")
    if any(wordings is w for _, w in _BEGINS[:2]):  # how old it gets is no time before birth
        own = [e for e in own if not _LIFE.search(f"{e.key or ''} {e.text}".replace("_", " "))]
    judged = FactFinder(plan, own, finder.encode).judged(plan.subjects[0], asked)
    opened = _OPENED.search(rest)
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


def _alike(a: Judged, b: Judged) -> bool:
    one, two = _span(a), _span(b)
    return one is not None and two is not None and (one.low, one.unit) == (two.low, two.unit)


def _span(judged: Judged) -> Quantity | None:
    return next((q for q in find_quantities(judged.evidence.text) if q.dimension == "time"), None)


def between_two(plan: Plan, finder: FactFinder) -> tuple[str, tuple[str, ...]] | None:
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
        asked = take_apart(f"when was {phrase}?" if not phrase.startswith("when") else f"{phrase}?")
        fact = finder.fact(plan.subjects[0], asked)
        value = measure(fact) if fact else None
        if fact is None or value is None or value.date is None:
            return None
        facts.append((fact, value))
    (first, a), (second, b) = facts
    assert a.date is not None
    assert b.date is not None
    if first.evidence.id == second.evidence.id:
        return None
    years = compute.years_between(a.date, b.date)
    return f"{years} years: {a.stated} for {first.subject}, {b.stated} for {second.subject}.", (*first.ids, *second.ids)
