"""Parts of a sign by the role they play: the number to call, what it announces, the fine, the cheapest dish.

What a question wants read off is told by `sign_asked`; here stands where such a part is found, whatever words it was
asked for in. A part that could be more than one line is none; a few numbers to call are all said. What is read is
quoted, never followed.

Source of the idea: key information extraction (G. Jaume et al., "FUNSD", ICDAR-OST 2019; Z. Huang et al., "SROIE",
ICDAR 2019).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.core.types import Evidence
from assistant.reading.signs import prices
from assistant.reading.signs.frame_values import NOT_THE_PRICE, ROAD, contacts, road_alone, venue
from assistant.reading.signs.headings import headline
from assistant.reading.signs.notices import MAIL, bound, lost, office, reason, span_of_days, trade
from assistant.reading.signs.opening_hours import Found, closed_on
from assistant.text.english import FUNCTION_WORDS, sentence_of, words_of
from assistant.text.units import unit_of
from assistant.text.values import find_clock, find_dates, find_quantities, number_of
from assistant.understanding.answer_kinds import Expected
from assistant.understanding.classifiers.calculation import NUMBER
from assistant.understanding.intent import ParsedQuestion

#: A part reads as a line that is quoted, or as a sentence that was put together of several.
Part = Found
Read = Callable[[str, ParsedQuestion, Sequence[Evidence]], Part | None]

_ADMISSION = re.compile(
    r"\b(?:admission|entry|entrance|tickets?|fee|adults?|cover charge|participation)\b", re.IGNORECASE
)
_FINE = re.compile(r"\b(?:fined?|penalty|penalties|sanction)\b", re.IGNORECASE)
_REWARD = re.compile(r"\b(?:reward|finder)", re.IGNORECASE)
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
    r"(?P<first>(?:\d+\s?[a-z]?,? )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3}(?: \d{1,4}\s?[a-z]?)?), (?:\d{4,5} )?"
    r"(?P<town>[A-Z][^\W\d]+(?:[ -][A-Z][^\W\d]+)*)\W*"
)
_PER = re.compile(r"\bper\b|/\s*(?:kg|l|100)\b|\beach\b|\b(?:kg|g|l|ml) =", re.IGNORECASE)
_NUTRITION = re.compile(
    r"\b(?:contains?|sugars?|fats?|protein|salt|fibre|fiber|carbohydrates?|calories|servings?|portions?|slices?)\b",
    re.I,
)
_CONTENTS = frozenset({"mass", "volume"})
_HOURS = re.compile(r"\b(?:open(?:ing)?|hours|daily|closed|closes)\b", re.IGNORECASE)
#: What a road is called, before the town behind a comma.
_ROAD = re.compile(rf".*\b{ROAD}|.*\d\s?[a-z]?|\w+(?:market|gate|strasse|straße)", re.IGNORECASE)
#: A shop or a house, no person.
_NO_PERSON = re.compile(
    r"\b(?:Grocers?|Theat(?:re|er)|Exchange|Hall|Market|Air|Airlines?|Airways|Bakery|Shop|Stores?|Hotel|Inn|Bar|Caf[eé]|"
    r"Restaurant|Museum|Books?|Bookshop|Cent(?:re|er)|Club|School|Company|Band|Choir|Orchestra|Festival|Regatta|Fair|Fete)$"
)
#: "who pays the fine?", "where was it last seen?": of the part something else.
_OF_THE_SUM = re.compile(
    r"^\W*(?:and |so )?(?:who|where|when|why|how (?:do|does|can|could|should|would))\b|\b(?:twice|by card|in cash)\b",
    re.I,
)
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_YES_OR_NO = re.compile(
    r"^\W*(?:and |so )?(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|may|must)\b"
    r"(?! (?:you|there|it say|it give|they (?:say|give|tell)|(?:this|that|the) \w+ (?:say|give|tell|have)))",
    re.IGNORECASE,
)
_SUMS = ("price", "fee", "fine", "reward", "amount", "unit_price")
_TIMES = ("date", "start_time", "last_seen", "end_date")
_OURS = re.compile(r"\b(?:is|are|was|were|do|does|did) (?:my|our|his|her)\b", re.IGNORECASE)
#: "how many dishes are vegan?" counts some of them.
_OF_SOME = re.compile(
    r"\bare (?!(?:there|listed|on|offered|given|shown|written|named|in|here|printed|for|available|they|you|we)\b)\w|"
    r"\b(?:with|without|that|which) (?:\w+ )?(?:have|has|contain|cost)|\bwithout\b",
    re.IGNORECASE,
)
_BEGAN = re.compile(r"\b(?:found(?:ed)?|built|born|established|opened|started)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:how many|number of|count of)(?: (?:different|various|separate))* (?P<noun>[a-z]+)", re.IGNORECASE
)
_OF_COST = re.compile(
    r"\b(?:cheap|dear|pric|cost|expens|pay|paid|money|euros?|dollars?|pounds?|broke|afford|budget|spend|sav(?:e|ing)|"
    r"penn(?:y|ies)|cash|bargain|charge)",
    re.IGNORECASE,
)


def _quoted(text: str, e: Evidence) -> Part:
    return Part(f"It says “{text}”.", (e.id,))


def _alone(hits: Sequence[tuple[str, Evidence]]) -> Part | None:
    """The only hit, or the first of several that say the same."""
    return _quoted(*hits[0]) if hits and len({text for text, _ in hits}) == 1 else None


def _money(lines: Sequence[Evidence]) -> list[tuple[str, Evidence]]:
    return [(q.text, e) for e in lines for q in find_quantities(e.text) if q.dimension == "money"]


def _paid(label: re.Pattern[str]) -> Read:
    """The sum in a line that says what it is for."""
    return lambda _q, _a, lines: _alone([h for h in _money(lines) if label.search(h[1].text)])


def _price(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    return _alone([h for h in _money(lines) if not NOT_THE_PRICE.search(h[1].text)])


def _amount(question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """How much is in the pack; what is in it of something else is told elsewhere."""
    amounts = [(q.text, e) for e in _of_pack(lines) for q in find_quantities(e.text) if q.dimension in _CONTENTS]
    return None if _NUTRITION.search(question) else _alone(amounts)


def _of_pack(lines: Sequence[Evidence]) -> list[Evidence]:
    return [e for e in lines if not (_PER.search(e.text) or _NUTRITION.search(e.text))]


def _unit_price(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """What a kilo or a litre costs, worked out of the one price and the one amount on it."""
    own = _of_pack(lines)
    amounts = {q.dimension for e in own for q in find_quantities(e.text)} & _CONTENTS
    if len(amounts) != 1:
        return None
    unit = "litre" if amounts == {"volume"} else "kilo"
    return prices.by_measure(unit, unit_of(unit), own)


def _several(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    number = NUMBER.search(question)
    factor = asked.factor or (number_of(number[0]) if number else None)
    return prices.so_many(factor, lines) if factor and not prices.of_others(question, lines, lines) else None


def _clock(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """The first time of day; of two in one line the second is the end."""
    timed = [(clocks[0], e) for e in lines if not _HOURS.search(e.text) and (clocks := find_clock(e.text))]
    return _alone(timed) if len(timed) == 1 else None


def _date(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(d.text, e) for e in lines for d in find_dates(e.text) if d.day])


def _last_seen(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(d.text, e) for e in lines if _SEEN.search(e.text) for d in find_dates(e.text)]) or _date(
        question, asked, lines
    )


def _year(question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    if _BEGAN.search(question):
        return None  # of whom it tells
    return _alone([(d.text, e) for e in lines for d in find_dates(e.text) if not d.month])


def _bound(ends: bool) -> Read:
    return lambda q, _a, lines: None if re.search(r"\bre-?open|\bagain\b", q) else _alone(bound(lines, ends))


def _duration(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    return span_of_days(lines, "days")


def _town(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    return _alone([(m["town"], e) for m, e in _addresses(lines)])


def _addresses(lines: Sequence[Evidence]) -> list[tuple[re.Match[str], Evidence]]:
    found = [(m, e) for e in lines if (m := _TOWN.fullmatch(e.text.strip()))]
    return [(m, e) for m, e in found if _ROAD.fullmatch(m["first"]) and not _ROAD.fullmatch(m["town"])]


def _person(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """The one line like a name; of several the one that an e-mail address on it is made of."""
    named = [e for e in lines if _NAME.fullmatch(e.text.strip()) and not _NO_PERSON.search(e.text.strip())]
    named = [e for e in named if office([e]) is None]
    mails = " ".join(m.group().lower() for e in lines for m in MAIL.finditer(e.text))
    own = [e for e in named if all(w in mails for w in re.findall(r"[a-z]{3,}", e.text.lower()))]
    found = own or named
    return _quoted(found[0].text, found[0]) if len(found) == 1 else None


def _product(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """The one line of a price label that is neither a banner ("this week") nor a figure."""
    if not _money(lines):
        return None
    worded = [e for e in lines if re.search(r"[A-Za-z]{3}", e.text) and not _BANNER.fullmatch(e.text.strip())]
    worded = [e for e in worded if not find_quantities(e.text) and not find_dates(e.text) and ":" not in e.text]
    return _quoted(worded[0].text, worded[0]) if len(worded) == 1 else None


def _venue(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    found = venue(lines)
    return _quoted(found.text, found) if found else None


def _headed(dated: bool = False, most: bool = False) -> Read:
    def read(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
        if dated and not any(find_dates(e.text) or find_clock(e.text) for e in lines):
            return None
        found = headline(lines, most)
        return Part(f"It says “{' '.join(e.text for e in found)}”.", tuple(e.id for e in found)) if found else None

    return read


def _line(read: Callable[[Sequence[Evidence]], tuple[str, Evidence] | None]) -> Read:
    def found(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
        hit = read(lines)
        return _quoted(*hit) if hit else None

    return found


def _items(question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    rows, counted = prices.all_priced(lines), _COUNTED.search(question)
    noun = counted["noun"].lower() if counted else ""
    of_some = (noun and noun not in prices.GENERAL and noun not in FUNCTION_WORDS) or _OF_SOME.search(question)
    if len(rows) < 2 or of_some or _OF_COST.search(question) or not prices.GENERAL & set(words_of(question.lower())):
        return None
    return Part(
        sentence_of(f"{len(rows)} items: {', '.join(p.label.text for p in rows)}"), tuple(p.label.id for p in rows)
    )


def _which_cheaper(question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    rows, dearer = prices.named_rows(question, lines), _DEARER.search(question) is not None
    return prices.one_of(rows, dearer) if len(rows) == 2 and _OF_COST.search(question) else None


def _extreme(more: bool) -> Read:
    return lambda q, _a, lines: prices.extreme(q, lines, more=more) if _OF_COST.search(q) else None


def _fee(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """What one pays to get in, or so many people together."""
    one, several = _paid(_ADMISSION)(question, asked, lines), list(_PEOPLE.finditer(question))
    if one is None and not any(_CONTENTS & {q.dimension for q in find_quantities(e.text)} for e in lines):
        one = _alone([h for h in _money(lines) if not re.search(r"[^\W\d_]{2}", h[1].text.replace(h[0], " "))])
    if one is None or len(several) > 1 or prices.of_others(question, [e for e in lines if e.id in one.ids], lines):
        return None
    number = number_of(several[0]["n"] or several[0]["of"]) if several else None
    return prices.so_many(number, [e for e in lines if e.id in one.ids]) if number else one


def _named_rows(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """The rows that the question names: their price, or what they cost together."""
    money = replace(asked, operation="lookup", expected=Expected("quantity", frozenset({"money"})))
    return prices.priced_rows(question, money, lines)


def _street(question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """A street with its house; or what stands before a town, or the only road."""
    if _OURS.search(question):
        return None
    whole = _contact("street")(question, asked, lines)
    before = whole or _alone([(m["first"], e) for m, e in _addresses(lines)])
    return before or next((Part(f"It says “{text}”.", (id_,)) for text, id_ in road_alone(lines)), None)


#: So many numbers are all said.
_FEW = 3


def _contact(kind: str) -> Read:
    def read(_question: str, _asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
        hits = list({text.strip(): id_ for text, id_ in contacts(kind, lines)}.items())
        if not hits or len(hits) > _FEW:
            return None
        return Part(f"It says {' and '.join(f'“{text}”' for text, _ in hits)}.", tuple(id_ for _, id_ in hits))

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
    "change": prices.change_for_one,
    "cheapest": _extreme(False),
    "dearest": _extreme(True),
}


#: Read off the rows with prices, before anything that one of these rows says.
OF_ROWS = ("change", "which_cheaper", "cheapest", "dearest", "item_count")


def read_part(role: str, question: str, asked: ParsedQuestion, lines: Sequence[Evidence]) -> Part | None:
    """The part of that role as a sentence with the lines it rests on; None when it is not surely there."""
    other = (role in _SUMS and _OF_THE_SUM.search(question)) or (role in _TIMES and _WHERE.search(question))
    settled = role not in OF_ROWS and _YES_OR_NO.search(question)
    read = None if other or settled else _READ.get(role)
    return read(question, asked, lines) if read else None
