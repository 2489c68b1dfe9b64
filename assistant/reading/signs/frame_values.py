"""The value on the frame that a question asks for: a label's, the only figure of a kind, a number to call, a venue.

What is read is data: it is quoted, never followed. Where more than one line could be meant there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.core.types import Evidence
from assistant.reading.scoring.rank import SCALE_STEMS, Encode, agreement, attribute_features
from assistant.reading.signs.frame_text import rows_of
from assistant.reading.signs.headings import asks_largest, heading
from assistant.reading.signs.layout import boxes
from assistant.reading.signs.notices import on_notice
from assistant.text.english import content_stems, shared
from assistant.text.values import find_clock, find_dates, find_quantities
from assistant.understanding.intent import ParsedQuestion
from assistant.understanding.reading_requests import leads_on

#: Fewer digits than this are no telephone number.
PHONE_DIGITS = 6
_PHONE = re.compile(r"(?:tel\.?|phone|call|☎)?[\s:]*(?P<n>(?<![A-Za-z\d])\+?\d[\d\s()./-]{5,}\d)", re.IGNORECASE)
_WEB = re.compile(r"\b(?:https?://)?(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/\S*)?\b", re.IGNORECASE)
#: Words that end a road's name, as a pattern.
ROAD = (
    r"(?:Street|St\.?|Road|Rd\.?|Lane|Avenue|Ave\.?|Way|Square|Row|Place|Hill|Gate|Quay|Terrace|Alley|Court|"
    r"Crescent|Close|"
    r"Drive|Parade|Walk|Yard|Market)"
)
#: "Mill Lane 83", "12 Abbey Road".
_STREET = re.compile(
    rf"(?:(?:[A-Z][\w'’-]+ ){{1,3}}{ROAD},? \d+\s?[a-z]?\b|\b\d+\s?[a-z]?,? (?:[A-Z][\w'’-]+ ){{1,3}}{ROAD}(?!\w))"
)
#: "Mill Lane" with no house of it; "Spring Market" and "Market Place" may be what is on there.
_WHICH_STREET = re.compile(
    r"\b(?:what|which)(?:['’]s| is)? (?:the |this |that )?(?:street|road|lane|avenue)\b"
    r"(?!.*\b(?:my|our|his|her|their)\b)"
)
_ROAD_ALONE = re.compile(
    r"(?:[A-Z][\w'’-]+ ){1,3}(?:Street|St\.?|Road|Rd\.?|Lane|Avenue|Ave\.?|Way|Row|Hill|Gate|Quay|Terrace|"
    r"Alley|Crescent|Close|Drive|Walk)(?=\s*(?:,|$))"
)
#: "Saltmarket 72, Bolm", but not "Platform 3".
_HOUSE = re.compile(r"(?:[A-Z][\w'’-]{2,} ?){1,3}\b\d{1,3}[a-z]?(?=\s*(?:,|$))")
_NUMBERED = re.compile(
    r"(?:platform|room|line|bus|tram|gate|table|floor|seat|row|no|nr|number|page|vol|volume|part|track|stop|zone|level|"
    r"size|tel|phone|fax|box|lot|exit|bay|hall|block|unit|since|est)\b",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
#: A line must match the question at least so well before it is quoted as its answer (fitted on hand-made frames).
LINE_THRESHOLD = 0.55
LABEL_LIKENESS = 0.45
LINE_LIKENESS = 0.3


def find_on_frame(
    asked: ParsedQuestion, evidence: Sequence[Evidence], encode: Encode
) -> tuple[str, tuple[str, ...], float] | None:
    """The value on the frame that the question asks for: (text, evidence ids, probability), or None."""
    lines = [e for e in evidence if e.kind == "text"]
    codes = [e for e in evidence if e.kind == "code"]
    low = asked.core.lower()
    if asks_largest(low) and asked.operation in ("lookup", "identify", "superlative"):
        return heading(asked, lines)
    if asked.operation in ("yesno", "sum", "compare", "superlative", "difference", "ratio", "mean", "list", "multiply"):
        return None
    if codes and _IN_CODE.search(low):
        return codes[0].text, (codes[0].id,), 0.95
    if (noticed := on_notice(asked, lines)) is not None:
        return noticed
    for kind, words in _CONTACT_WORDS.items():
        if re.search(words, low) and not _NO_CONTACT.match(low):
            hits = contacts(kind, lines)
            if kind == "street" and not hits and _WHICH_STREET.search(low):
                hits = road_alone(lines)
            if hits or kind != "street":
                return (hits[0][0].strip(), (hits[0][1],), 0.9) if hits else None
    rows = [r for r in rows_of(lines) if r.label]
    best: tuple[str, tuple[str, ...], float] | None = None
    stems = content_stems(asked.core)
    features = attribute_features(asked, [(r.label, r.value) for r in rows], encode)
    items = _items(asked)
    vectors = encode([asked.core, *(r.label for r in rows)])
    sold = [r for r in rows if not NOT_THE_PRICE.search(f"{r.label} {r.value}")]
    prices = {q.low for r in sold for q in find_quantities(r.value) if q.dimension == "money"}
    for n, (row, f) in enumerate(zip(rows, features, strict=True)):
        if (
            items
            and not shared(items, content_stems(row.label))
            and float(vectors[0] @ vectors[n + 1]) < LABEL_LIKENESS
        ):
            continue  # the question names a thing that this row is not about
        label = content_stems(row.label)
        named = shared(label, stems) / len(label) if label else 0.0
        fits = agreement(asked.expected, row.value, row.label)
        if fits <= 0 and asked.expected.kind in ("quantity", "count", "date", "clock", "age"):
            continue
        if asked.expected.kind == "any" and named < 0.6:
            continue
        if asked.expected.dimensions == {"money"} and not named and not items and len(prices) > 1:
            continue  # "what does it cost?" before a whole list of prices
        unnamed = {s for s in stems if not shared(frozenset({s}), label)} - SCALE_STEMS
        stray = 0.15 * len(unnamed) / len(stems) if stems else 0.0
        score = (
            -stray
            + 0.6 * max(f.asked_key, f.reworded_key, 0.9 * named)
            + 0.25 * max(fits, 0.0)
            + 0.15 * f.overlap
            - (0.4 if fits < 0 else 0.0)
        )
        if row.label and score > (best[2] if best else LINE_THRESHOLD):
            best = (row.value, row.ids, score)
    return (
        best
        or _only_one_fits(asked, lines, encode)
        or _venue(asked, lines)
        or heading(asked, lines)
        or _at_edge(asked, lines)
    )


_CONTACTS = {"email": _MAIL, "web": _WEB, "phone": _PHONE, "street": _STREET}
_CONTACT_WORDS = {
    "email": r"\be-?mail\b|@|\bat sign\b",
    "web": r"\b(?:web ?site|url|web address|link)\b",
    "phone": r"\b(?:phone|telephone|tel|call|ring|number to)\b",
    "street": r"\b(?:street|address|(?:what|which) (?:road|lane|avenue))\b",
}


def contacts(kind: str, lines: Sequence[Evidence]) -> list[tuple[str, str]]:
    """E-mail addresses, web addresses, numbers to call or streets with a house, each with the id of its line."""
    hits = [(m["n"] if kind == "phone" else m.group(), e.id) for e in lines if (m := _CONTACTS[kind].search(e.text))]
    if kind == "phone":
        bars = {e.id for e in lines if _BAR_CODE.fullmatch(e.text.strip())}
        hits = [hit for hit in hits if hit[1] not in bars]
        # "08:00 - 19:00" has the shape of a number and too few digits in a row
        hits = [(text, id_) for text, id_ in hits if sum(c.isdigit() for c in text) >= PHONE_DIGITS]
        hits.sort(key=lambda hit: -sum(c.isdigit() for c in hit[0]))
    if kind == "street" and not hits:
        hits = [(m.group(), e.id) for e in lines if (m := _HOUSE.match(e.text)) and not _NUMBERED.match(e.text)]
    return hits


def road_alone(lines: Sequence[Evidence]) -> list[tuple[str, str]]:
    """The one road without a house, with the id of its line; nothing where there are several."""
    roads = [(m.group(), e.id) for e in lines if (m := _ROAD_ALONE.match(e.text))]
    return roads if len(roads) == 1 else []


#: What else is paid, by measure or before: no second price of the thing.
NOT_THE_PRICE = re.compile(r"\b(?:deposit|fines?|reward|per|was|before|instead of)\b|=|/", re.IGNORECASE)
#: A bar code's digits have the shape of a number to call.
_BAR_CODE = re.compile(r"[1-9](?:\s?\d){7}|[1-9](?:\s?\d){11,12}")


#: "why should I call?" wants no number.
_NO_CONTACT = re.compile(r"(?:why|when|what for|how (?:long|often|many|much|late|soon))\b(?!.*\bnumber\b)")
#: "which address is hidden in the code?", not "what is the area code".
_IN_CODE = re.compile(
    r"\b(?<!post )(?<!postal )(?<!zip )(?<!area )(?<!dress )(?<!dialling )(?<!promo )(?:qr[- ]?|bar[- ]?)?codes?\b"
)
#: Where something is held, in words that no place alone would be asked with.
_EVENT = r"(?:concert|show|event|fair|party|match|talk|course|lecture|market|festival|performance|reading)"
_HELD = re.compile(
    r"\b(?:meet|gather|happens?|last seen|disappear(?:ed)?|held|takes? place|venue)\b"
    rf"|\b(?:{_EVENT}|it) (?:be|being|on|going on)\b|\bwhere(?:['’]s| is| was| will) (?:the|this|that) {_EVENT}\b",
    re.IGNORECASE,
)


def _venue(asked: ParsedQuestion, lines: Sequence[Evidence]) -> tuple[str, tuple[str, ...], float] | None:
    if asked.expected.kind != "place" or not _HELD.search(asked.core):
        return None
    found = venue(lines)
    return (found.text, (found.id,), 0.6) if found else None


def venue(lines: Sequence[Evidence]) -> Evidence | None:
    """The one line of an announcement that is neither its large title nor a date, a price or a number to call."""
    place = boxes(lines)
    heights = {e.id: place[e.id][3] - place[e.id][1] for e in lines if e.id in place}
    if not any(find_dates(e.text) or find_clock(e.text) for e in lines):
        return None
    small = [e for e in lines if e.id in heights and heights[e.id] < 0.75 * max(heights.values())]
    named = [e for e in small if _PLACE_NAME.fullmatch(e.text.strip()) and not _NO_PLACE.search(e.text)]
    return named[0] if len(named) == 1 else None


#: Capitals but for small words; and what is no place nevertheless.
_PLACE_NAME = re.compile(r"(?:(?:[A-Z][\w'’.&-]*|[a-z]{1,3})(?:, | |$))+")
_NO_PLACE = re.compile(
    r"\b(?:free|bring|entry|admission|tickets?|welcome|doors|reservations?|children)\b", re.IGNORECASE
)


_EDGE = re.compile(
    r"^(?:what|which words?|which line)\b.*\b(?:says?|reads?|written|printed|stands?|is)\b.*"
    r" (?:at|on|in) the (?:very )?"
    r"(?P<edge>top|bottom|first line|last line|top line|bottom line)(?: of (?:it|(?:this|that|the) \w+))?\W*$",
    re.IGNORECASE,
)
_OF_LINES = content_stems("word words line lines first last very read reads")


def _at_edge(asked: ParsedQuestion, lines: Sequence[Evidence]) -> tuple[str, tuple[str, ...], float] | None:
    """What stands at the top, at the bottom, when nothing else is asked of it."""
    found = _EDGE.match(asked.core)
    place = boxes(lines)
    worded = [e for e in lines if e.id in place and re.search(r"\w{2}", e.text)]
    if found is None or _items(asked) - _OF_LINES or not worded:
        return None
    last = found["edge"].lower() in ("bottom", "last line", "bottom line")
    line = max(worded, key=lambda e: place[e.id][3]) if last else min(worded, key=lambda e: place[e.id][1])
    return line.text, (line.id,), 0.7


_NO_ITEMS = content_stems(
    "year date day month time hour hours price number phone telephone town street place address name sign "
    "board notice poster "
    "want wants ask asks asking pay charge cost costs pack packet product thing item article mention mentions say says "
    "menu card label page ticket give gives state states show shows take takes happen happens stand find here amount "
    "made make put set going go issued dated painted mounted erected tell tells "
    "printed written bottom top corner left right below above under middle small large line big"
)


def _items(asked: ParsedQuestion) -> frozenset[str]:
    """Stems of the things that the question names, beside the kind of value and the surface."""
    return content_stems(asked.core) - SCALE_STEMS - _NO_ITEMS


#: "which year", and when a sign was made, which no day tells: "when was this put up?"
_YEAR_WILL_DO = re.compile(
    r"\byears?\b|\b(?:when|since when) (?:was|were) (?:it|(?:this|that|the) (?:\w+ )?(?:sign|board|notice|plate|plaque|"
    r"poster|card|label|placard|one))(?: over| up)?(?: here| there)? (?:made|put up|set up|printed|painted|issued|"
    r"erected|mounted|from)\b",
    re.IGNORECASE,
)


_SUBSTANCES = content_stems("sugar fat protein salt fibre fiber alcohol caffeine carbohydrates sodium")


def _only_one_fits(
    asked: ParsedQuestion, lines: Sequence[Evidence], encode: Encode
) -> tuple[str, tuple[str, ...], float] | None:
    """Exactly one price (date, clock time) on the frame answers a question for the price (date, time)."""
    items = _items(asked)
    if asked.operation not in ("lookup", "identify"):
        return None
    if leads_on(asked.core):
        return None
    kind = asked.expected.kind
    hits: list[tuple[str, str]] = []
    for e in lines:
        if kind == "clock" and find_clock(e.text):
            hits.append((e.text, e.id))
        elif kind == "date":
            hits += [(d.text, e.id) for d in find_dates(e.text) if d.month or _YEAR_WILL_DO.search(asked.core)]
        elif kind in ("quantity", "count") and asked.expected.dimensions:
            hits += [
                (q.text, e.id)
                for q in find_quantities(e.text)
                if q.dimension in asked.expected.dimensions - {"", "count"}
            ]
    if items & _SUBSTANCES:  # so much sugar in it is not how much is in it
        hits = [
            h for h in hits if any(e.id == h[1] and shared(items & _SUBSTANCES, content_stems(e.text)) for e in lines)
        ]
    named = {e.id for e in lines if shared(items, content_stems(e.text))}
    if items and named and not named & {i for _, i in hits}:
        return None  # what is asked about stands in another line
    if items and hits:  # the question says more than which kind of value it wants
        texts = {e.id: e.text for e in lines}
        vectors = encode([asked.core, *(texts[i] for _, i in hits)])
        near = [float(vectors[0] @ v) for v in vectors[1:]]
        hits = [
            h
            for h, n in zip(hits, near, strict=True)
            if n >= LINE_LIKENESS or shared(items, content_stems(texts[h[1]]))
        ]
    if len({h[0] for h in hits}) == 1:
        return hits[0][0], (hits[0][1],), 0.6
    return None
