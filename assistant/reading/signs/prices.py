"""Prices on the frame: menus, bills, price lists. One row, several rows together, so many of one, the dearest.

A price belongs to the label in its row; a figure without a currency counts when the list has a currency elsewhere or
is written with two decimals. The row is certain or there is no answer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.types import Evidence
from assistant.reading.scoring.rank import SCALE_STEMS
from assistant.reading.signs.layout import row_of
from assistant.reading.signs.opening_hours import Found
from assistant.text import arithmetic
from assistant.text.english import FUNCTION_WORDS, content_stems, shared, word_set
from assistant.text.units import plain_number, unit_of
from assistant.text.values import NUMBER_WORDS, Quantity, find_quantities, number_of
from assistant.understanding.intent import ParsedQuestion

_CHANGE = re.compile(
    r"\b(?:change|(?:come|comes|get|gets|give|gives|hand|hands|have) (?:\w+ )?back"
    r"|back from|left from|left over|(?:have|be|is|what['’]s) left|remains?|give me back)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\b(?:an?|my|the)\s+(?P<n>five|ten|twenty|fifty|hundred|5|10|20|50|100)(?:er)?(?:[\s-](?:note|"
    r"bill))?\b(?!\s*(?:of|percent|%))",
    re.IGNORECASE,
)
#: "paying 20 for it, how much comes back": so much money, without its name.
_BARE = re.compile(
    r"\b(?:pay|paid|paying|pays|(?:pay|paid|paying) with|hand over|handing over|gave|give|giving|with|from|"
    r"out of) (?:(?:him|her|them|you) )?(?P<n>\d{1,4})\b(?![.,]\d| ?(?:%|percent|of\b|[a-z]+s\b))",
    re.IGNORECASE,
)
_HANDED = re.compile(r"\b(?:pay|paid|hand|give|gave|note|bill|with)\b", re.IGNORECASE)
_PAY = re.compile(
    r"\b(?:change|get back|back from|(?:is|have|be|what['’]s) left|left from|left over|remain(?:s|ing)?|"
    r"do i have left|pay(?:ing)? (?:with|.* with)|(?:come|comes|coming|get|gets|give|gives|given|hand|hands|have|due|"
    r"owe|owes|much|what)(?: \w+){0,2} back)\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"\b(?:total|sum|balance|amount due|to pay)\b", re.IGNORECASE)
#: Rows that are no goods.
_NO_GOODS = re.compile(
    rf"{_TOTAL.pattern}|\b(?:vat|tax(?:es)?|card|cash|change|tips?|service(?: charge)?|deposit|fines?|penalty|"
    r"sub-?total|discount|rounding)\b",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:(?P<more>dearest|most expensive|priciest|costliest|highest price)|cheapest|least expensive)\b"
    r"(?: (?P<noun>[a-z]+))?",
    re.I,
)
#: "which cake is the cheapest?"
_OF_WHICH = re.compile(r"\b(?:which|what) (?P<noun>[a-z]+) (?:is|are|costs?|would|will|has|have)\b", re.IGNORECASE)
#: "the second cheapest", "the cheapest besides the tea".
_NOT_OF_ALL = re.compile(
    r"\b(?:second|third|2nd|3rd|next|besides|except|other than|apart from|but not|without)\b", re.IGNORECASE
)
#: Words for whatever is on a list.
GENERAL = word_set(
    "thing things item items dish dishes choice choices option options entry entries article articles position "
    "positions offer offers product products meal meals food order one ones price prices row rows line lines"
)
#: "what costs less, the soup or the cake?"
_EITHER = re.compile(
    r"\b(?:(?P<more>more|dearer|pricier|costlier|higher)|less|cheaper|lower)\b.*\bor\b|"
    r"\bor\b.*\b(?:(?P<more2>more|dearer|"
    r"pricier|costlier|higher)|less|cheaper|lower)\b",
    re.IGNORECASE,
)
_ASKS_PRICE = re.compile(
    r"\b(?:going for|prices?|costs?|how much|pay|charged?|come to|comes to|set me back|altogether|together|total|"
    r"add up|sum of)\b",
    re.IGNORECASE,
)
#: "what is that by the kilo?"
_MEASURE = re.compile(
    r"\b(?:per|by the|an?|one|each|every|for the)\s+(?:whole |full |single )?"
    r"(?P<unit>kilo(?:gram(?:me)?)?|kg|lit(?:re|er))\b",
    re.IGNORECASE,
)
_BARE_PRICE = re.compile(r"\d+[.,]\d{2}")


@dataclass(frozen=True)
class Priced:
    """A row: its label and its price, with the lines they stand in."""

    label: Evidence
    cell: Evidence
    price: Quantity

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.label.id, self.cell.id)))


def _stems(line: str) -> frozenset[str]:
    return content_stems(re.sub(r"[\d€$£.,:]+", " ", line))


def label_for(question: str, lines: Sequence[Evidence]) -> Evidence | None:
    """The line that names what the question is about: most of its words stand in the question."""
    found = labels_for(question, lines)
    return found[0] if found else None


def labels_for(question: str, lines: Sequence[Evidence]) -> list[Evidence]:
    """All lines that the question names, the best named first."""
    stems = content_stems(question) - SCALE_STEMS
    hits: list[tuple[float, Evidence]] = []
    for e in lines:
        own = _stems(e.text) - SCALE_STEMS or _stems(e.text)  # "hot chocolate": heat is no scale here
        share = shared(own, stems) / len(own) if own else 0.0
        if share >= 0.6:
            hits.append((share * len(own), e))
    hits.sort(key=lambda h: -h[0])
    return [e for _, e in hits]


def price_in(label: Evidence, lines: Sequence[Evidence]) -> Priced | None:
    """The label's row with its price, when it has exactly one."""
    money = any(q.dimension == "money" for e in lines for q in find_quantities(e.text))
    for cell in (label, *row_of(label, lines)[:1]):
        found = [q for q in find_quantities(cell.text) if q.dimension == "money"]
        if not found and money:
            found = [q for q in find_quantities(cell.text) if _BARE_PRICE.fullmatch(q.text)]
        if len({q.low for q in found}) == 1:
            return Priced(label, cell, found[0])
    return None


def priced_rows(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Found | None:
    """An answer from the rows with prices, or None when the question is not about them."""
    if (by_measure := _by_measure(question, asked, lines)) is not None:
        return by_measure
    named = named_rows(question, lines)
    paid = _sum_in_hand(question)
    if m := _MOST.search(question):
        return extreme(question, lines, more=bool(m["more"]))
    if len(named) == 2 and (m := _EITHER.search(question)):
        return one_of(named, bool(m["more"] or m["more2"]))
    asks = asked.expected.dimensions == {"money"} or asked.factor or _ASKS_PRICE.search(question)
    if not named and asks and _TOTAL.search(question):
        totals = [p for e in lines if _TOTAL.search(e.text) and (p := price_in(e, lines)) is not None]
        return Found(f"{totals[0].label.text}: {totals[0].price.text}.", totals[0].ids) if len(totals) == 1 else None
    if not named:
        return so_many(asked.factor, lines) if asked.factor and not of_others(question, lines, lines) else None
    counts = [_count(question, p.label, asked) for p in named]
    total = sum(p.price.low * n for p, n in zip(named, counts, strict=True))
    ids = tuple(dict.fromkeys(i for p in named for i in p.ids))
    like = next((p.price for p in named if p.price.dimension == "money"), named[0].price)
    if paid is not None and _PAY.search(question):
        return _change(paid, total, like, named)
    if not asks or asked.operation == "yesno":
        return None
    if len(named) == 1 and counts == [1.0]:
        return Found(f"{named[0].label.text}: {named[0].price.text}.", ids)
    if len(named) == 1:
        return Found(f"{_amount(total, like)} for {plain_number(counts[0])}: {_listed(named)}.", ids)
    return Found(f"{_amount(total, like)}: {_listed(named)}.", ids)


def _sum_in_hand(question: str) -> float | None:
    """The money that the question brings: "20 euros", or "a ten" where it is handed over."""
    paid = [q for q in find_quantities(question) if q.dimension == "money"]
    if paid:
        return max(q.low for q in paid)
    m = _NOTE.search(question) if _HANDED.search(question) else None
    m = m or (_BARE.search(question) if _CHANGE.search(question) else None)
    return number_of(m["n"]) if m else None


def _change(paid: float, total: float, like: Quantity, rows: Sequence[Priced]) -> Found | None:
    if total > paid:
        return None
    bought = " and ".join(p.label.text if p.label.id != p.cell.id else _listed([p]) for p in rows)
    ids = tuple(dict.fromkeys(i for p in rows for i in p.ids))
    return Found(f"You get {_amount(paid - total, like)} back for {bought}.", ids)


def change_for_one(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Found | None:
    """What comes back of the one sum in the question for the one row that it names, once or so many times."""
    paid = {q.low for q in find_quantities(question) if q.dimension == "money"}
    rows = named_rows(question, lines)
    if len(paid) != 1 or len(rows) != 1:
        return None
    return _change(min(paid), rows[0].price.low * _count(question, rows[0].label, asked), rows[0].price, rows)


def _by_measure(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Found | None:
    """What a kilo or a litre comes to, where the frame gives one price and one amount."""
    m = _MEASURE.search(question)
    unit = unit_of(m["unit"].lower()) if m else None
    if unit is None or asked.factor or not (asked.expected.dimensions == {"money"} or _ASKS_PRICE.search(question)):
        return None
    return by_measure(m["unit"].lower() if m else "", unit, lines)


def by_measure(word: str, unit: tuple[str, str] | None, lines: Sequence[Evidence]) -> Found | None:
    """What one of a unit, called by `word`, comes to."""
    if unit is None:
        return None
    figures = [(q, e) for e in lines for q in find_quantities(e.text)]
    prices = [(q, e) for q, e in figures if q.dimension == "money"]
    amounts = [(q, e) for q, e in figures if q.dimension == unit[1]]
    if len({q.low for q, _ in prices}) != 1 or len({q.low for q, _ in amounts}) != 1:
        return None
    (price, cell), (amount, held) = prices[0], amounts[0]
    whole = amount.to(unit[0])
    if whole is None or whole.low <= 0 or amount.low != amount.high:
        return None
    said = f"{arithmetic.amount(price.low / whole.low, price)} for one {word}"
    return Found(f"{said}: {price.text} for {amount.text}.", tuple(dict.fromkeys((cell.id, held.id))))


def named_rows(question: str, lines: Sequence[Evidence]) -> list[Priced]:
    """The rows with a price that the question names."""
    return [p for e in labels_for(question, lines) if (p := price_in(e, lines)) is not None]


def one_of(rows: Sequence[Priced], more: bool) -> Found | None:
    """The dearer or the cheaper of two rows."""
    first, second = sorted(rows, key=lambda p: p.price.low, reverse=more)
    if first.price.low == second.price.low:
        return None
    return Found(f"{_listed([first])}, against {_listed([second])}.", (*first.ids, *second.ids))


def _amount(number: float, like: Quantity) -> str:
    return arithmetic.amount(number, like) if like.dimension == "money" else f"{number:.2f}"


def _listed(rows: Sequence[Priced]) -> str:
    return ", ".join(f"{p.label.text} {p.price.text}" if p.label.id != p.cell.id else p.label.text for p in rows)


def _count(question: str, label: Evidence, asked: ParsedQuestion) -> float:
    """How many of this row: "two mint teas"."""
    words = re.findall(r"[\w-]+", question.lower())
    stems = _stems(label.text)
    for number, word in itertools.pairwise(words):
        if shared(content_stems(word), stems):
            n = float(number) if re.fullmatch(r"\d{1,2}", number) else NUMBER_WORDS.get(number)
            if n is not None and n >= 1:
                return n
            break
    return asked.factor or 1.0


def all_priced(lines: Sequence[Evidence]) -> list[Priced]:
    """All rows of goods that have a price."""
    return [
        p for e in lines if _stems(e.text) and not _NO_GOODS.search(e.text) and (p := price_in(e, lines)) is not None
    ]


def extreme(question: str, lines: Sequence[Evidence], *, more: bool) -> Found | None:
    """The dearest or the cheapest row; of those that are called so, where the question says of what."""
    rows = all_priced(lines)
    if len(rows) < 2 or _NOT_OF_ALL.search(question):
        return None
    named = _OF_WHICH.search(question) or _MOST.search(question)
    noun = (named["noun"] or "").lower() if named else ""
    if noun and noun not in GENERAL and noun not in FUNCTION_WORDS and noun != "here":
        rows = [p for p in rows if shared(content_stems(noun), _stems(p.label.text))]
    ordered = sorted(rows, key=lambda p: p.price.low, reverse=more)
    if not ordered or (len(ordered) > 1 and ordered[0].price.low == ordered[1].price.low):
        return None
    return Found(f"{ordered[0].label.text}: {ordered[0].price.text}.", ordered[0].ids)


#: Who pays another price, or none.
_OTHER_VISITORS = re.compile(
    r"\b(?:child(?:ren)?|kids?|students?|seniors?|pensioners?|dogs?|famil(?:y|ies)|bab(?:y|ies))\b", re.IGNORECASE
)


def of_others(question: str, priced: Sequence[Evidence], lines: Sequence[Evidence]) -> bool:
    """Whether the question is about children, dogs …, and the price for somebody else."""
    if not _OTHER_VISITORS.search(question):
        return False
    return not any(_OTHER_VISITORS.search(e.text) for e in priced) or any("free" in e.text.lower() for e in lines)


def so_many(factor: float, lines: Sequence[Evidence]) -> Found | None:
    """So many of the one thing that has a price here."""
    prices = [(q, e) for e in lines for q in find_quantities(e.text) if q.dimension == "money"]
    if len({q.low for q, _ in prices}) != 1:
        return None
    price, cell = prices[0]
    return Found(f"{arithmetic.amount(price.low * factor, price)} for {plain_number(factor)}.", (cell.id,))
