"""How old somebody was at an event of a thing: "what age was the writer when it came out", "the architect's age at the
opening", "how old was whoever drew it that year".

Two steps that check each other: who that was, then when that very person was born; the event is a date of the thing.
"""

from __future__ import annotations

import re

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.results import Result, nothing
from assistant.reading.scoring.measures import fact_of, measured
from assistant.text import arithmetic
from assistant.text.arithmetic import Measure
from assistant.text.kinds import is_kind_word
from assistant.understanding.intent import take_apart
from assistant.understanding.plan import Plan
from assistant.understanding.property_queries import BEGINNINGS

_LEAST = 0.3
_AGE = re.compile(
    r"\bhow (?:many years )?old\b|\b(?:what|which) age\b|\b(?:the|['’]s|s['’]|exact) age\b|\bage of\b", re.IGNORECASE
)
#: Of whom: "its author", "the writer's age", "whoever drew it", "somebody prove it".
_ROLE = re.compile(
    r"\b(?:(?:the|its|their|this|that|an?) )?(?P<role>author|artist|architect|poet|novelist|scientist|"
    r"mathematician|chemist|physicist|"
    r"musician|cook|chef|woman|man|(?!(?:maker|manufacturer|producer|publisher|supplier|seller|dealer|brewer|"
    r"number|paper|never|ever|over|after|under|other|whether|later|order|"
    r"letter|clever|"
    r"younger|older|her|per|for|or|nor|another|together|rather|summer|winter|october|november|december|september)\b)"
    r"[a-z]{3,}(?:er|or|ist))(?:['’]s)?\b",
    re.IGNORECASE,
)
_WHOEVER = re.compile(
    r"\b(?:whoever|(?:the )?(?:person|man|woman|one|somebody|someone|[a-z]+(?:er|or|ist|ian)) (?:who|that)|"
    r"did (?:someone|somebody)) "
    r"(?:first )?(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
#: At what event: a clause, a noun, or only "at the time".
_WHEN = re.compile(
    r"\b(?:when|by the time|(?:at|in|by) the (?:time|year|moment|day)(?: (?:when|that|in which))?|the (?:year|day)) "
    r"(?P<clause>(?:it|this|that|these|the|they)\b(?! time\b)[^,;?]*[a-z])",
    re.IGNORECASE,
)
_AT_NOUN = re.compile(
    r"\b(?:at|on|upon|by|in) (?:the |its |time of |the (?:time|moment|year|day) of )*(?P<noun>publication|"
    r"launch|release|opening|completion|"
    r"founding|introduction|premiere|unveiling|invention|discovery|proof|building|construction)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:at the time|at that time|then|that (?:year|day)|back then|when (?:he|she|they) (?:did|made|wrote|"
    r"built|drew|found|"
    r"prov\w+|crack\w+|finish\w+|invent\w+)\b[^,;?]*)",
    re.IGNORECASE,
)


def age_then(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how old was the author when it came out": from the birth of that person to that event."""
    question = plan.question
    if not _AGE.search(question) or plan.asked.operation not in ("lookup", "age", "yesno", "list"):
        return None
    if re.search(r"\b(?:1[0-9]\d\d|20\d\d)\b", question):
        return None
    whoever = _WHOEVER.search(question)
    role = next((m["role"].lower() for m in _ROLE.finditer(question) if not is_kind_word(m["role"].lower())), "")
    clause, noun = _WHEN.search(question), _AT_NOUN.search(question)
    if not (whoever or role) or not (clause or noun or _THEN.search(question)):
        return None
    born = _born(plan, finder, whoever["verb"].lower() if whoever else "", role)
    event = _event(plan, finder, clause, noun)
    if born is None or event is None:
        return nothing(plan, plan.subjects[0])
    (start, first), (end, then) = born, event
    if first.date is None or then.date is None or first.date.span_years > 1 or then.date.span_years > 1:
        return nothing(plan, plan.subjects[0])
    years = arithmetic.years_between(first.date, then.date)
    if years < 1 or first.date.order > then.date.order:
        return Result(reason="the dates are in an order that cannot be")
    ids = tuple(dict.fromkeys((*start.ids, *end.ids)))
    return Result(f"{years} years: from {first.date.text} to {then.date.text}.", ids)


def _born(plan: Plan, finder: FactFinder, verb: str, role: str) -> tuple[Fact, Measure] | None:
    """When the person was born whom the thing names in that role."""
    subject = plan.subjects[0]
    forms = [f"who {verb} it?"] if verb else [f"who is its {role}?"]
    if not verb and role.endswith("er"):
        forms += [f"who {role[:-1]}d it?", f"who {role[:-2]}ed it?"]
    named = max(
        (
            f
            for form in forms
            if (f := finder.fact(subject, take_apart(form), _LEAST)) is not None and f.through is None
        ),
        key=lambda f: f.probability,
        default=None,
    )
    if named is None:
        return None
    text = named.value.lower()
    people = {
        e.subject
        for e in finder.evidence
        if e.subject and e.subject.lower() != subject.lower() and e.subject.lower() in text
    }
    if len(people) != 1:
        return None
    (person,) = people
    fact = fact_of(finder, person, take_apart("when was she or he born?"))
    value = measured(fact) if fact else None
    if fact is None or fact.through is not None or value is None or value.date is None:
        return None
    return Fact(fact.subject, fact.evidence, fact.probability, fact.asked, named.evidence), value


def _event(
    plan: Plan, finder: FactFinder, clause: re.Match[str] | None, noun: re.Match[str] | None
) -> tuple[Fact, Measure] | None:
    """The date of the thing that is meant: that of the clause or the noun, else when it began."""
    asked: tuple[str, ...] = ()
    if noun is not None:
        asked = (f"when was its {noun['noun'].lower()}?",)
    elif clause is not None:
        said = clause["clause"]
        asked = (f"when did {said}?", f"when was the date when {said}?")
        if m := re.match(r"(?P<np>.+?) (?P<be>was|were|is|got) (?P<rest>(?:first |finally )?[a-z]+.*)$", said):
            asked = (f"when {'was' if m['be'] == 'got' else m['be']} {m['np']} {m['rest']}?",)
    found = []
    for wording in (*asked, *(BEGINNINGS if not asked else ())):
        fact = fact_of(finder, plan.subjects[0], take_apart(wording))
        value = measured(fact) if fact else None
        if fact is not None and fact.through is None and value is not None and value.date is not None:
            found.append((fact, value))
    return max(found, key=lambda f: f[0].probability, default=None)
