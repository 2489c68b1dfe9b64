"""Parts of a sign by the role they play: the number to call, what it announces, the fine, the cheapest dish.

What a question wants read off is told by `sign_asked`; here stands where such a part is found, whatever words it was
asked for in. A part that could be more than one line is none. What is read is quoted, never followed.

Source of the idea: key information extraction (G. Jaume et al., "FUNSD", ICDAR-OST 2019; Z. Huang et al., "SROIE",
ICDAR 2019).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.answering import prices
from assistant.answering.answer_kinds import Expected
from assistant.answering.frame_values import contacts, venue
from assistant.answering.headings import headline
from assistant.answering.intents import Asked
from assistant.answering.notices import MAIL, bound, lost, office, reason, span_of_days, trade
from assistant.answering.opening import Found, closed_on
from assistant.answering.reckoned import NUMBER
from assistant.answering.units import unit_of
from assistant.answering.values import find_clock, find_dates, find_quantities, number_of
from assistant.conversation import Evidence

#: A part reads as a line that is quoted, or as a sentence that was put together of several.
Part = Found
Read = Callable[[str, Asked, Sequence[Evidence]], Part | None]

_ADMISSION = re.compile(
    r"\b(?:admission|entry|entrance|tickets?|fee|adults?|cover charge|participation)\b", re.IGNORECASE
)
_FINE = re.compile(r"\b(?:fined?|penalty|penalties|sanction)\b", re.IGNORECASE)
_REWARD = re.compile(r"\b(?:reward|finder)", re.IGNORECASE)
_NO_PRICE = re.compile(rf"{_FINE.pattern}|{_REWARD.pattern}|\bdeposit\b", re.IGNORECASE)
_DEARER = re.compile(r"\b(?:dear|pric[ie]|expens|costl|more|higher|most)", re.IGNORECASE)
#: "2 of us", "for three people", "a party of 5".
_PEOPLE = re.compile(
    rf"(?P<n>{NUMBER.pattern}) (?:of (?:us|them)|persons?|people|adults?|grown-?ups|tickets?|kids?|children|"
    rf"friends|heads|guests|visitors|students)\b|\b(?:party|group|family|class) of (?P<of>{NUMBER.pattern})",
    re.IGNORECASE,
)
_SEEN = re.compile(r"\b(?:last seen|seen|missing since|lost on|since)\b", re.IGNORECASE)
_BANNER = re.compile(
    r"(?:this (?:week|month)|(?:special |today['’]s |weekly )?(?:offer|deal|price)s?|sale|new|now|only|today|reduced|"
    r"best price|on sale|price|special|while stocks last)!?",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )*[A-Z][\w'’-]+(?: [A-Z]\.?)?(?: (?:van |von |de |di )?[A-Z][\w'’-]+){1,2}"
)
#: "Chapel Street 44, Wells", "Saltmarket, Wells": the town stands behind the comma.
_TOWN = re.compile(
    r"(?P<first>(?:\d+\s?[a-z]?,? )?(?:[A-Z][\w'’-]+ ?){1,4}\d{0,4}\s?[a-z]?), (?:\d{4,5} )?"
    r"(?P<town>[A-Z][^\W\d]+(?:[ -][A-Z][^\W\d]+)*)\W*"
)
_PER = re.compile(r"\bper\b|/\s*(?:kg|l|100)\b|\beach\b", re.IGNORECASE)


def _quoted(text: str, e: Evidence) -> Part:
    return Part(f"It says “{text}”.", (e.id,))


def _alone(hits: Sequence[tuple[str, Evidence]]) -> Part | None:
    """The only hit, or the first of several that say the same."""
    return _quoted(*hits[0]) if hits and len({text for text, _ in hits}) == 1 else None


def _money(lines: Sequence[Evidence]) -> list[tuple[str, Evidence]]:
    return [(q.text, e) for e in lines for q in find_quantities(e.text) if q.dimension == "money"]


def _paid(label: re.Pattern[str]) -> Read:
    """The sum in a line that says what it is for; or the only one, where its line says nothing."""

    def read(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
        hits = _money(lines)
        bare = [(text, e) for text, e in hits if not re.search(r"[^\W\d_]{2}", e.text.replace(text, " "))]
        return _alone([h for h in hits if label.search(h[1].text)]) or (_alone(bare) if bare == hits else None)

    return read


def _price(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return _alone([h for h in _money(lines) if not (_PER.search(h[1].text) or _NO_PRICE.search(h[1].text))])


def _amount(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return _alone(
        [
            (q.text, e)
            for e in lines
            for q in find_quantities(e.text)
            if q.dimension in ("mass", "volume") and not _PER.search(e.text)
        ]
    )


def _unit_price(question: str, asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """What a kilo or a litre costs, worked out of the one price and the one amount on it."""
    amounts = {q.dimension for e in lines for q in find_quantities(e.text) if q.dimension in ("mass", "volume")}
    if len(amounts) != 1:
        return None
    unit = "litre" if amounts == {"volume"} else "kilo"
    return prices.by_measure(unit, unit_of(unit), lines)


def _several(question: str, asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    number = NUMBER.search(question)
    factor = asked.factor or (number_of(number[0]) if number else None)
    return prices.so_many(factor, lines) if factor else None


def _clock(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """The first time of day; of two in one line the second is the end."""
    timed = [(clocks[0], e) for e in lines if (clocks := find_clock(e.text))]
    return _alone(timed) if len(timed) == 1 else None


def _date(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(d.text, e) for e in lines for d in find_dates(e.text) if d.day])


def _last_seen(question: str, asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(d.text, e) for e in lines if _SEEN.search(e.text) for d in find_dates(e.text)]) or _date(
        question, asked, lines
    )


def _year(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(d.text, e) for e in lines for d in find_dates(e.text) if not d.month])


def _bound(ends: bool) -> Read:
    return lambda _q, _a, lines: _alone(bound(lines, ends))


def _duration(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return span_of_days(lines, "days")


def _town(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(m["town"], e) for e in lines if (m := _TOWN.fullmatch(e.text.strip()))])


def _person(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """The one line like a name; of several the one that an e-mail address on it is made of."""
    named = [e for e in lines if _NAME.fullmatch(e.text.strip()) and office([e]) is None]
    mails = " ".join(m.group().lower() for e in lines for m in MAIL.finditer(e.text))
    own = [e for e in named if all(w in mails for w in re.findall(r"[a-z]{3,}", e.text.lower()))]
    found = own or named
    return _quoted(found[0].text, found[0]) if len(found) == 1 else None


def _product(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """The one line of a price label that is neither a banner ("this week") nor a figure."""
    if not _money(lines):
        return None
    worded = [e for e in lines if re.search(r"[A-Za-z]{3}", e.text) and not _BANNER.fullmatch(e.text.strip())]
    worded = [e for e in worded if not find_quantities(e.text) and not find_dates(e.text) and ":" not in e.text]
    return _quoted(worded[0].text, worded[0]) if len(worded) == 1 else None


def _venue(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    found = venue(lines)
    return _quoted(found.text, found) if found else None


def _headed(dated: bool = False, most: bool = False) -> Read:
    def read(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
        if dated and not any(find_dates(e.text) or find_clock(e.text) for e in lines):
            return None
        found = headline(lines, most)
        return Part(f"It says “{' '.join(e.text for e in found)}”.", tuple(e.id for e in found)) if found else None

    return read


def _line(read: Callable[[Sequence[Evidence]], tuple[str, Evidence] | None]) -> Read:
    def found(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
        hit = read(lines)
        return _quoted(*hit) if hit else None

    return found


def _items(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    rows = prices.all_priced(lines)
    if len(rows) < 2:
        return None
    return Part(f"{len(rows)} items: {', '.join(p.label.text for p in rows)}.", tuple(p.label.id for p in rows))


def _which_cheaper(question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    rows = prices.named_rows(question, lines)
    return prices.one_of(rows, _DEARER.search(question) is not None) if len(rows) == 2 else None


def _fee(question: str, asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """What one pays to get in, or so many people together."""
    one, several = _paid(_ADMISSION)(question, asked, lines), _PEOPLE.search(question)
    number = number_of(several["n"] or several["of"]) if several else None
    if one is None or not number:
        return one
    return prices.so_many(number, [e for e in lines if e.id in one.ids])


def _named_rows(question: str, asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """The rows that the question names: their price, or what they cost together."""
    money = replace(asked, operation="lookup", expected=Expected("quantity", frozenset({"money"})))
    return prices.priced_rows(question, money, lines)


def _street(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """A street with its house; or what stands before a town."""
    whole = _contact("street")(_question, _asked, lines)
    return whole or _alone([(m["first"], e) for e in lines if (m := _TOWN.fullmatch(e.text.strip()))])


def _contact(kind: str) -> Read:
    def read(_question: str, _asked: Asked, lines: Sequence[Evidence]) -> Part | None:
        hits = contacts(kind, lines)
        return Part(f"It says “{hits[0][0].strip()}”.", (hits[0][1],)) if hits else None

    return read


#: Roles that are read here; others (hours, departures) are told by their own words and tables.
_READ: dict[str, Read] = {
    **{kind: _contact(kind) for kind in ("phone", "email", "web")},
    "street": _street,
    "price": _price,
    "fee": _fee,
    "fine": _paid(_FINE),
    "reward": _paid(_REWARD),
    "amount": _amount,
    "unit_price": _unit_price,
    "several_price": _several,
    "start_time": _clock,
    "date": _date,
    "last_seen": _last_seen,
    "year": _year,
    "closed_day": lambda _q, _a, lines: closed_on(lines),
    "end_date": _bound(True),
    "start_date": _bound(False),
    "duration": _duration,
    "town": _town,
    "venue": _venue,
    "person": _person,
    "product": _product,
    "title": _headed(),
    "headline": _headed(most=True),
    "event": _headed(dated=True),
    "job": _line(trade),
    "issuer": _line(office),
    "reason": _line(reason),
    "lost_thing": _line(lost),
    "item_count": _items,
    "item_price": _named_rows,
    "items_total": _named_rows,
    "which_cheaper": _which_cheaper,
    "change": lambda q, _a, lines: prices.change_for_one(q, lines),
    "cheapest": lambda _q, _a, lines: prices.extreme(lines, more=False),
    "dearest": lambda _q, _a, lines: prices.extreme(lines, more=True),
}


#: Read off the rows with prices, before anything that one of these rows says.
OF_ROWS = ("change", "which_cheaper", "cheapest", "dearest", "item_count")


def read_part(role: str, question: str, asked: Asked, lines: Sequence[Evidence]) -> Part | None:
    """The part of that role as a sentence with the lines it rests on; None when it is not surely there."""
    read = _READ.get(role)
    return read(question, asked, lines) if read else None
