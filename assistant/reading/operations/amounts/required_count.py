"""How many of it are needed, and how often one fills something: packs for 50 guests, tins for 90 square metres, mugs of
200 ml from the pot, fillings for 5 litres, days' worth of what is told by the go.

The question brings what is wanted altogether, or what one of it takes; the other figure is one fact about the thing.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from assistant.reading.fact_finder import Fact, FactFinder
from assistant.reading.operations.amounts.proportions import content_of, figure_of, pieces_of, stated
from assistant.reading.relation_targets import kinds_of
from assistant.reading.results import Result, nothing
from assistant.reading.scoring.measures import bare_question
from assistant.text import arithmetic
from assistant.text.english import content_stems, shared, stem, word_set, words_of
from assistant.text.units import convert, unit_of
from assistant.text.values import NUMBER_WORDS, Quantity, find_quantities, number_of
from assistant.understanding.intent import take_apart
from assistant.understanding.multiplicity import sharers
from assistant.understanding.plan import Plan

_WORDS = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("zero", "half", "quarter", "a"))
_NUMBER = rf"(?:\d{{1,5}}(?:\.\d+)?|(?:an? )?(?:{_WORDS}))"
_HOW_MANY = re.compile(r"\bhow many (?P<noun>[a-z]+)\b(?: of (?:it|them|these|this|those))?", re.IGNORECASE)
#: What a thing is bought or used by.
_GOES = word_set(
    "packs packets boxes bags jars tins cans bottles tubs cartons bars tubes rolls sheets bundles sacks crates cases "
    "trips crossings rides runs journeys loads charges batteries refills fillings pots buckets pieces copies"
)
_WANTED = re.compile(
    r"\b(?:needs?|needed|required?|takes?|for|to (?:make|carry|cover|feed|fill|get|paint|move|bring))\b", re.I
)
_MAKES = re.compile(r"\b(?:make|makes|weigh|equal|add up to|come to|are in|go into)\b", re.IGNORECASE)
#: "50 people get two biscuits each".
_EACH = re.compile(
    rf"\b(?P<n>{_NUMBER}) (?:of us|[a-z]+)\b[^,?]*?\b(?P<k>{_NUMBER}) (?P<noun>[a-z]+)s?\b[^,?]*?"
    r"\b(?:each|apiece|a head|per head|per person)\b",
    re.IGNORECASE,
)
#: "eight mugs of 200 ml".
_SO_MANY_OF = re.compile(
    rf"\b(?P<n>{_NUMBER}) (?P<noun>[a-z]+s) (?:of|at|with|holding) (?=[\d.]+ ?[a-z]+)", re.IGNORECASE
)


def _number(text: str) -> float | None:
    return number_of(re.sub(r"^an? ", "", text.lower()))


def _wanted(plan: Plan, noun: str) -> Quantity | None:
    """What is wanted altogether: the one figure of the question, or so many times so much."""
    if m := _EACH.search(plan.question):
        n, k = _number(m["n"]), _number(m["k"])
        if n and k:
            unit = m["noun"].lower() + "s" if not m["noun"].lower().endswith("s") else m["noun"].lower()
            return Quantity(n * k, n * k, unit, "count", f"{arithmetic.plain_number(n)} times {m['k']} {unit}", 0, 0)
    spelled = re.sub(
        r"\b(?:an?|one)\s+(?=(?:kilo|kilogram|kg|litre|liter|pound|metre|meter|hour|ton|tonne)\b)", "1 ", plan.question
    )
    found = [q for q in find_quantities(spelled) if q.dimension not in ("money", "percent", "")]
    found = [q for q in found if not (q.dimension == "count" and q.unit.split()[0].rstrip("s") == noun.rstrip("s"))]
    one = [q for q in found if q.low == 1 and q.dimension == "count"]
    left = [q for q in found if q not in one]
    return left[0] if len(left) == 1 and left[0].low == left[0].high and left[0].low > 0 else None


def _in_one(plan: Plan, finder: FactFinder, wanted: Quantity) -> tuple[tuple[str, ...], float, str] | None:
    """What one of it gives of what is wanted, in the unit of that: the facts, the number, how it is told."""
    if wanted.dimension in ("mass", "volume"):
        found = content_of(plan, finder, wanted.dimension)
    elif wanted.dimension == "area":
        return _covered(plan, finder, wanted)
    elif wanted.dimension == "time":
        found = figure_of(
            plan, finder, bare_question("how long does it last?", "time", "how long does one charge last?")
        )
    elif wanted.dimension == "count":
        found = _counted(plan, finder, wanted.unit)
    else:
        return None
    if found is None:
        return None
    fact, one = found
    number = one.low if wanted.dimension == "count" else convert(one.low, one.unit, wanted.unit)
    return (fact.ids, number, one.text) if number else None


def _counted(plan: Plan, finder: FactFinder, noun: str) -> tuple[Fact, Quantity] | None:
    """How many of a noun one of it has, where the fact speaks of that noun or says nothing of another."""
    word = noun.split()[0]
    people = stem(word) in {stem(w) for w in ("people", "passengers", "guests", "persons", "visitors", "adults")}
    forms = [f"how many {word} does it have?", f"how many {word} are in it?"]
    forms += [f"how many {word} can it carry?", "how many people can it carry?"] if people else []
    if word.endswith("s") and word in {w.lower() for w in words_of(plan.subjects[0])}:
        return pieces_of(plan, finder, word)
    found = [f for form in forms if (f := figure_of(plan, finder, take_apart(form), 0.4)) is not None]
    best = max(found, key=lambda f: f[0].probability, default=None)
    if best is None or best[1].dimension not in ("count", ""):
        return None
    other = content_stems(best[1].unit) if best[1].dimension == "count" else frozenset()
    names = content_stems(word) | (content_stems("people passengers persons guests") if people else frozenset())
    return best if not other or shared(other, names) or shared(names, content_stems(stated(best[0]))) else None


_PER_LITRE = re.compile(
    r"\b(?:per|a|each|every)\s+(?P<unit>lit(?:re|er)|kilo|kg|l)\b|/\s?(?P<sign>l|kg)\b", re.IGNORECASE
)


def _covered(plan: Plan, finder: FactFinder, wanted: Quantity) -> tuple[tuple[str, ...], float, str] | None:
    """The area that one of it covers; told for a litre it is that of its litres."""
    found = figure_of(
        plan, finder, bare_question("what area does it cover?", "area", "how many square metres does it cover?")
    )
    area = convert(found[1].low, found[1].unit, wanted.unit) if found else None
    if found is None or not area:
        return None
    rate = _PER_LITRE.search(stated(found[0]))
    if rate is None:
        return found[0].ids, area, found[1].text
    unit = unit_of((rate["unit"] or rate["sign"]).lower())
    held = content_of(plan, finder, unit[1]) if unit else None
    whole = convert(held[1].low, held[1].unit, unit[0]) if held and unit else None
    if held is None or whole is None:
        return None
    return (*found[0].ids, *held[0].ids), area * whole, f"{found[1].text} {rate.group()} and {held[1].text}"


def how_many_needed(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many tins for 90 square metres", "how many packs make a kilo"."""
    m = _HOW_MANY.search(plan.asked.core)
    if m is None or not plan.subjects or plan.asked.operation not in ("lookup", "multiply", "list"):
        return None
    noun = m["noun"].lower()
    own = [e for e in finder.evidence if e.subject in plan.subjects]
    named = {w.lower() for w in words_of(plan.subjects[0])} | set(kinds_of(own))
    of_it = noun in _GOES or stem(noun) in {stem(w) for w in named}
    rest = plan.asked.core[m.end() :]
    if not of_it or not (_WANTED.search(rest) or _MAKES.search(rest)):
        return None
    wanted = _wanted(plan, noun)
    if wanted is None:
        return None
    one = _in_one(plan, finder, wanted)
    if one is None:
        return nothing(plan, plan.subjects[0])
    ids, number, told = one
    times = wanted.low / number
    exact = abs(times - round(times)) < 1e-6
    if _MAKES.search(rest) and not exact:
        return Result(f"About {times:.1f} {noun}: one has {told}, for {wanted.text}.", tuple(dict.fromkeys(ids)))
    needed = math.ceil(times - 1e-6)
    return Result(f"{needed} {noun}: one has {told}, for {wanted.text}.", tuple(dict.fromkeys(ids)))


_FILLED = re.compile(
    r"\bhow many (?P<noun>[a-z]+) (?:of|at|with|holding) (?P<q>[\d.]+ ?[a-z]+)\b(?!.*\b(?:need|buy|make)\b)",
    re.IGNORECASE,
)


def how_many_filled(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many cups of 250 ml can I fill from it": what there is, by what one takes."""
    m = _FILLED.search(plan.asked.core)
    one = next(iter(find_quantities(m["q"])), None) if m else None
    if m is None or one is None or one.dimension not in ("mass", "volume") or one.low <= 0:
        return None
    held = content_of(plan, finder, one.dimension)
    whole = convert(held[1].low, held[1].unit, one.unit) if held else None
    if held is None or whole is None:
        return nothing(plan, plan.subjects[0])
    number = arithmetic.plain_number(math.floor(whole / one.low + 1e-9))
    return Result(f"{number} {m['noun']}: there is {held[1].text}, at {one.text} each.", held[0].ids, held[0].note)


_HOW_OFTEN = re.compile(r"\bhow (?:many times|often)\b", re.IGNORECASE)
_USED = re.compile(
    r"\b(?:re)?(?:fill|boil|empty|charge|load|run|cross|go|pour|make|use|plug)(?:s|ed|ing)?\b.*\b(?:for|to|get|"
    r"carry|reach)\b",
    re.IGNORECASE,
)


def how_often(plan: Plan, finder: FactFinder) -> Result | None:
    """ "how many times do I have to fill it for 5 litres"."""
    if not _HOW_OFTEN.search(plan.asked.core) or not _USED.search(plan.asked.core):
        return None
    wanted = _wanted(plan, "times")
    if wanted is None or plan.asked.operation not in ("lookup", "multiply", "list"):
        return None
    one = _in_one(plan, finder, wanted)
    if one is None:
        return nothing(plan, plan.subjects[0])
    ids, number, told = one
    return Result(f"{math.ceil(wanted.low / number - 1e-6)} times: {told} at once, for {wanted.text}.", ids)


def enough_for(plan: Plan, finder: FactFinder) -> Result | None:
    """ "is it enough for eight mugs of 200 ml", "is one tin enough for 40 square metres"."""
    if plan.asked.operation != "yesno" or not re.search(r"\b(?:enough|suffic\w+|last|do)\b", plan.asked.core, re.I):
        return None
    so_many = _SO_MANY_OF.search(plan.asked.core)
    if so_many is not None:
        n, each = _number(so_many["n"]), next(iter(find_quantities(plan.asked.core[so_many.end() :])), None)
        wanted = replace(each, low=each.low * n, high=each.high * n) if n and each else None
    else:
        wanted = _wanted(plan, "")
        if wanted is not None and wanted.dimension != "area":
            return None
    if wanted is None or wanted.dimension not in ("mass", "volume", "area"):
        return None
    one = _in_one(plan, finder, wanted)
    if one is None:
        return nothing(plan, plan.subjects[0])
    ids, number, told = one
    return Result(f"{'Yes' if number + 1e-9 >= wanted.low else 'No'}: there is {told}.", tuple(dict.fromkeys(ids)))


_SHARED_OUT = re.compile(r"\bhow many (?P<noun>[a-z]+)\b", re.IGNORECASE)


def pieces_each(plan: Plan, finder: FactFinder) -> Result | None:
    """ "if four of us share it, how many biscuits does each get": so many, and so many left."""
    n, counted = sharers(plan.question), _SHARED_OUT.search(plan.question)
    noun = counted["noun"].lower() if counted else ""
    if not n or n < 2 or not noun or noun in _GOES | {"of", "people", "times"} or unit_of(noun) is not None:
        return None
    found = _counted(plan, finder, noun)
    if found is None:
        return nothing(plan, plan.subjects[0])
    fact, whole = found
    each, left = divmod(whole.low, n)
    rest = f", and {arithmetic.plain_number(left)} left over" if left else ""
    said = f"{arithmetic.plain_number(each)} {noun} each{rest}: {whole.text} among {arithmetic.plain_number(n)}."
    return Result(said, fact.ids, fact.note)
