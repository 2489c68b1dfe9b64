"""Attribute keys as English: "netWeight_g" → "net weight" in grams, "yr_pub" → "year published".

Knows how keys are written (underscores, camel case, a unit at the end, everyday abbreviations) and what scale a value's
unit belongs to; it knows no vocabulary of any collection.
"""

from __future__ import annotations

import functools
import re

from assistant.text.units import unit_of
from assistant.text.values import find_dates, find_quantities, number_of, split_list

#: Abbreviations found in any dictionary, as they turn up in column names.
_ABBREVIATIONS = {
    "yr": "year",
    "auth": "author",
    "pub": "published",
    "publ": "publisher",
    "lang": "language",
    "vol": "volume",
    "wt": "weight",
    "ht": "height",
    "len": "length",
    "dia": "diameter",
    "diam": "diameter",
    "temp": "temperature",
    "qty": "quantity",
    "max": "maximum",
    "min": "minimum",
    "avg": "average",
    "mfr": "manufacturer",
    "mfg": "manufacturing",
    "mfd": "manufactured",
    "hp": "horsepower",
    "msrp": "retail price",
    "rrp": "retail price",
    "vmax": "top speed",
    "dob": "date of birth",
    "loc": "location",
    "addr": "address",
    "tel": "telephone",
    "hrs": "hours",
    "est": "established",
    "orig": "original",
    "no": "number",
    "num": "number",
    "nr": "number",
    "ref": "reference",
    "spec": "specification",
    "dims": "dimensions",
    "dim": "dimensions",
    "cap": "capacity",
    "circ": "circumference",
    "alt": "altitude",
    "elev": "elevation",
    "pop": "population",
    "abv": "alcohol by volume",
    "kcal": "calories",
    "carbs": "carbohydrates",
    "prot": "protein",
    "mat": "material",
    "col": "colour",
    "desc": "description",
    "dur": "duration",
    "freq": "frequency",
    "pp": "pages",
    "pgs": "pages",
    "ed": "edition",
    "isbn": "ISBN",
    "loa": "overall length",
    "lwl": "waterline length",
}
#: "dim_w", "size_h": which of its dimensions.
_SIDES = {"h": "height", "w": "width", "l": "length", "d": "depth"}
_SIDE = re.compile(r"\b(?:dim|dims|dimensions?|size|format|measurements?) ([hwld])$")
_SCALE_NOUN = {
    "money": "price",
    "speed": "speed",
    "temperature": "temperature",
    "volume": "volume",
    "area": "area",
    "energy": "energy",
    "power": "power",
    "loudness": "loudness",
    "light": "brightness",
    "percent": "percentage",
    "data": "storage",
    "torque": "torque",
    "voltage": "voltage",
    "pressure": "pressure",
}


@functools.lru_cache(maxsize=8192)
def key_words(key: str) -> str:
    """The words of an attribute's key, abbreviations written out."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(key))
    words = re.sub(r"[_\-./:#]+", " ", text).lower().split()
    text = " ".join(_ABBREVIATIONS.get(w, w) for w in words)
    side = _SIDE.search(text)
    return text[: side.start()] + _SIDES[side[1]] if side else text


def _plain_words(key: str) -> list[str]:
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(key))
    return re.sub(r"[_\-./:()\[\]#]+", " ", text).split()


@functools.lru_cache(maxsize=8192)
def key_unit(key: str) -> tuple[str, str, str, str] | None:
    """(key words without it, unit, dimension, as written) when the key ends in a unit, as in "weight_kg" or
    "depth (cm)".
    """
    words = _plain_words(key)
    if len(words) < 2 or _SIDE.search(" ".join(words).lower()):
        return None
    known = unit_of(words[-1])
    if (
        known is None
        or re.search(r"\bper(?: \d+)? \S+$", " ".join(words))
        or words[-1].lower()
        in (
            "in",
            "year",
            "day",
            "month",
            "second",
            "bar",
            "cup",
            "stone",
            "foot",
            "t",
            "s",
            "min",
            "no",
        )
    ):
        return None
    head = words[:-1] if words[-2].lower() != "in" or len(words) < 3 else words[:-2]
    return key_words(" ".join(head)), known[0], known[1], words[-1]


def spoken_key(key: str) -> str:
    """The key as it is said, without a trailing unit."""
    named = key_unit(key)
    return named[0] if named else key_words(key)


def stated_value(key: str, value: object) -> str:
    """The value as text, with the unit that only the key names ("weight_kg": "2.5" → "2.5 kg")."""
    text = ", ".join(split_list(value)) if isinstance(value, (list, tuple)) else str(value).strip()
    named = key_unit(key)
    bare = re.fullmatch(r"[\d.,\s]+(?:\s?[-–—]\s?[\d.,]+)?", text)
    if named and (bare or number_of(text) is not None):
        return f"{text}{'' if named[3] in ('%', '°') else ' '}{named[3]}"
    return text


def typed_key(key: str, value: str) -> str:
    """The key with the noun of the scale that its value is on ("RRP" of "4.25 EUR" → "rrp price")."""
    words = spoken_key(key)
    quantities = find_quantities(value)
    if quantities and len(quantities) <= 3:
        q = quantities[0]
        noun = _SCALE_NOUN.get(q.dimension, "")
        if q.dimension == "count":
            noun = f"number of {q.unit}"
        if noun and noun.split()[-1] not in words:
            return f"{words} {noun}" if q.dimension != "count" else f"{words}, {noun}"
    elif not quantities and find_dates(value) and len(value) < 30 and not re.search(r"\b(?:date|year)\b", words):
        return f"{words} date"
    return words


#: "volume: 4", "line_no: 26".
_WHICH_ONE = re.compile(r"\b(?:volume|part|number|issue|episode|position|order|edition)$")


def says_which(key: str, value: str) -> bool:
    """Whether an attribute says which one of several a thing is: its figure counts nothing."""
    return bool(_WHICH_ONE.search(key_words(key)) and re.fullmatch(r"#?\d{1,2}", value.strip()))


#: "I paced it off: 178 metres", "Today on the desk: …" are no labels.
_SAYS_SO = re.compile(r"\b(?:I|we|you|they|he|she|today|yesterday)\b", re.IGNORECASE)


#: "Voles and mites: that is what gets it" is no value behind a label.
_CLAUSE = re.compile(
    r"(?:that|this|it|they|these|those)(?:['’]s|['’]re| (?:is|are|was|were|has|have|will|would|can))\b", re.I
)


def labelled_value(text: str) -> tuple[str, str] | None:
    """A page's line in the manner of a table: "Pages: 536." → ("Pages", "536")."""
    m = re.match(r"^([A-Z][\w /()&'’-]{1,40}?):\s+(\S.{0,160}?)\.?$", text)
    if m is None or len(m.group(1).split()) > 5 or _SAYS_SO.search(m.group(1)) or _CLAUSE.match(m.group(2)):
        return None
    return m.group(1), m.group(2)
