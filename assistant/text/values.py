"""Typed values in running text: quantities with units, money, counts, dates, clock times, names, lists.

Everything here is about how English writes values; nothing knows which questions are asked. Not covered: other
languages' number formats beyond "1 234", and sums of money in two currencies.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace

from assistant.text.dates import CLOCK, MONTHS, DateValue, find_clock, find_dates
from assistant.text.units import CURRENCY_SIGNS, UNIT_PATTERN, convert, unit_of


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS: dict[str, float] = {
    **{w: float(i) for i, w in enumerate(_ONES.split())},
    **{w: 10.0 * (i + 2) for i, w in enumerate(_TENS.split())},
    **{
        f"{t}-{o}": 10.0 * (i + 2) + j
        for i, t in enumerate(_TENS.split())
        for j, o in enumerate(_ONES.split()[:10])
        if j
    },
    "dozen": 12.0,
    "hundred": 100.0,
    "half": 0.5,
    "quarter": 0.25,
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "bn": 1e9}
_WORDNUM = (
    r"(?:" + "|".join(sorted((w for w in NUMBER_WORDS if w not in ("half", "quarter")), key=len, reverse=True)) + r")"
)
_DIGITS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?!\d)|\d+,\d{1,2}(?![\d,])|\d+(?:\.\d+)?|\.\d+"
)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_NUM = (
    rf"(?:(?:{_DIGITS})\s?[½¼¾⅓⅔]|(?:{_DIGITS})|[½¼¾⅓⅔]|\b(?:an?\s+)?{_WORDNUM}(?:\s+(?:hundred|thousand|million|"
    rf"billion)|\s+and\s+a\s+half|(?=\W|$)))"
)
_QUANTITY = re.compile(
    rf"(?P<sign>(?<![\w.])[-−])?(?P<cur>(?:US)?[{CURRENCY_SIGNS}]|(?<!\w)(?:EUR|USD|GBP|CHF|JPY|INR|SEK|"
    rf"PLN)(?=\s?\d))?\s?(?<![\w.,])?(?P<a>{_NUM})"
    rf"(?:\s?(?P<scale1>thousand|million|billion|bn|k)\b)?(?:\s?(?P<ua>{UNIT_PATTERN}))?"
    rf"(?:\s?(?:-|–|—|to|and(?=\s?\S+\s))\s?(?P<b>(?:{_DIGITS})))?(?:\s?(?P<scale>thousand|million|billion|bn|k)\b)?"
    rf"(?:[\s-]?(?P<unit>{UNIT_PATTERN}))?",
    re.IGNORECASE,
)
_FUNCTION = word_set(
    "a an the of to in on at by for from with and or nor but as than that this these those it its is are was "
    "were be been "
    "which who whom whose when where what how why if so not no into over under per each after before since "
    "until during "
    "between about around within without has have had do does did will would can could may might must should "
    "there here "
    "he she they we you i his her their our your my him them us also only just more most less least very too then"
)


@dataclass(frozen=True)
class Quantity:
    """A number with what it counts or measures. `high` differs from `low` for a range.

    dimension: a physical one ("mass", "length", …), "money", "percent", "count" (unit is then the noun), or "" (bare).
    `start`, `end`: character span in the text it was found in.
    """

    low: float
    high: float
    unit: str
    dimension: str
    text: str
    start: int
    end: int

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    def to(self, unit: str) -> Quantity | None:
        """The same in another unit, or None when it has another dimension."""
        low, high = convert(self.low, self.unit, unit), convert(self.high, self.unit, unit)
        return None if low is None or high is None else replace(self, low=low, high=high, unit=unit)


def number_of(text: str) -> float | None:
    """The number that digits or English number words write ("1,250", "2½", "twelve", "a dozen")."""
    low = text.strip().lower().replace(" ", " ")
    low = re.sub(r"^an?\s+", "", low)
    fraction = 0.0
    for sign, part in _FRACTIONS.items():
        if sign in low:
            fraction, low = part, low.replace(sign, "").strip()
    if not low:
        return fraction or None
    words = low.split()
    if words[0] in NUMBER_WORDS:
        number = NUMBER_WORDS[words[0]]
        for word in words[1:]:
            number = number + 0.5 if word == "half" else number * _SCALES.get(word, 1.0)
        return number
    low = re.sub(r"^(\d+),(\d{1,2})$", r"\1.\2", low)  # a decimal comma
    try:
        return float(re.sub(r"[,\s]", "", low)) + fraction
    except ValueError:
        return None


@functools.lru_cache(maxsize=8192)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities in the text, in order; dates and clock times are left out, bare years with them."""
    taken = [(d.start, d.end) for d in find_dates(text)] + [m.span() for m in CLOCK.finditer(text)]
    found: list[Quantity] = []
    at = 0
    while (m := _QUANTITY.search(text, at)) is not None:
        at = max(m.end(), at + 1)
        start, end = m.start("cur") if m.group("cur") else m.start("a"), m.end()
        if start and text[start - 1].isalpha():
            if m.group("b"):  # "for the K5 and 0.8 kg for": the end of a name begins no range
                at = m.start("b")
            continue
        if any(start < e and s < end for s, e in taken):
            continue
        if start > 1 and text[start - 1] in "-/." and text[start - 2].isalnum() and not m.group("cur"):
            continue
        quantity = _quantity(m, text, start)
        if quantity is not None:
            found.append(quantity)
    return tuple(_joined(found, text))


def _quantity(m: re.Match[str], text: str, start: int) -> Quantity | None:
    low = number_of(m.group("a"))
    if low is None:
        return None
    end = m.end()
    scale = _SCALES.get((m.group("scale1") or m.group("scale") or "").lower(), 1.0)
    high = number_of(m.group("b")) if m.group("b") else None
    form = m.group("unit") or m.group("ua")
    if high is not None and high < low and not form:  # "from 12 to 3 people" is rare; "3 – 2 = 1" is not a range
        high, end = None, m.end("a")
    low, high = low * scale, (high if high is not None else low) * scale
    if m.group("sign"):
        low, high, start = -low, -high, m.start("sign")
    if m.group("cur"):
        unit, dimension = unit_of(m.group("cur")) or (m.group("cur"), "money")
        return Quantity(low, high, unit, dimension, text[start:end].strip(), start, end)
    known = unit_of(form) if form else None
    if m.group("unit") and m.group("ua") and not m.group("b"):  # "445 grams in it": a second unit without its number
        known, form, end = unit_of(m.group("ua")), m.group("ua"), m.end("ua")
    first = unit_of(m.group("ua")) if m.group("ua") and m.group("unit") else None
    if known and first and m.group("b") and first[0] != known[0]:
        low = convert(low, first[0], known[0]) or low
    if (
        known
        and form
        and form.lower() == "in"
        and re.match(r"\s+(?!by\b|x\b|tall|wide|long|high|deep|thick)\w", text[end:])
    ):
        known, end = None, m.start("unit") if m.group("unit") else m.start("ua")
    if known:
        return Quantity(low, high, known[0], known[1], text[start:end].strip(), start, end)
    noun = re.match(r"[\s-]([A-Za-z][\w'’-]*)(?:\s([a-z][\w'’-]*))?", text[end:])
    if noun and noun.group(1).lower() not in _FUNCTION:
        second = noun.group(2)
        words = [noun.group(1)] + ([second] if second and second.lower() not in _FUNCTION else [])
        stop = end + (noun.end(2) if len(words) == 2 else noun.end(1))
        return Quantity(low, high, " ".join(words).lower(), "count", text[start:stop].strip(), start, stop)
    if m.group("a").lower() == "one":  # "this one", "Kettle One"
        return None
    return Quantity(low, high, "", "", text[start:end].strip(), start, end)


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """Joins "1 h 30 min" and "5 ft 6 in"; spreads the unit of "20 x 30 x 5 cm" and "10 cm to 12 cm"."""
    out: list[Quantity] = []
    for q in found:
        if out:
            last, gap = out[-1], text[out[-1].end : q.start]
            same = q.dimension == last.dimension not in ("", "count", "money")
            part = convert(q.low, q.unit, last.unit) if same else None
            if (
                same
                and re.fullmatch(r"\s*(?:and\s+)?,?\s*", gap)
                and part is not None
                and q.unit != last.unit
                and 0 <= part < 1
            ):
                joined = text[last.start : q.end]
                out[-1] = replace(last, low=last.low + part, high=last.high + part, text=joined, end=q.end)
                continue
            high = convert(q.high, q.unit, last.unit) if same else None
            if high is not None and re.fullmatch(r"\s*(?:-|–|to)\s*", gap) and high >= last.low:
                low = convert(last.low, last.unit, q.unit) or last.low
                out[-1] = replace(last, low=low, high=q.high, unit=q.unit, text=text[last.start : q.end], end=q.end)
                continue
        out.append(q)
    for i in range(len(out) - 2, -1, -1):
        gap = text[out[i].end : out[i + 1].start]
        if (out[i].dimension in ("", "count") and re.fullmatch(r"\s*(?:x|×|by)\s*", gap)) or (
            out[i].dimension == "count" and out[i].unit in ("x", "by") and not gap.strip()
        ):
            out[i] = replace(out[i], unit=out[i + 1].unit, dimension=out[i + 1].dimension)
    return out


#: "1932 for the Centenary Stamp and 13 August 1932 for the other": a figure behind "and" goes on with no name.
_NAME = re.compile(
    r"\b(?:[A-Z][\w'’.-]*)(?:\s+(?:(?:of|the|de|van|von|der|la|le|du|and|&)\s+){0,2}"
    r"(?:[A-Z]|(?<!and )(?<!& )[0-9])[\w'’-]*)*"
)


@functools.lru_cache(maxsize=8192)
def find_names(text: str) -> tuple[str, ...]:
    """Runs of capitalised words (particles inside allowed); a lone function word at a sentence start is no name."""
    found = []
    for m in _NAME.finditer(text):
        words = m.group().rstrip(".'’-").split()
        while words and (words[0].lower() in _FUNCTION or words[0].lower().rstrip(".") in MONTHS or words[0].isdigit()):
            words = words[1:]
        if words and not all(w[0].isdigit() or unit_of(w) for w in words):
            found.append(" ".join(words))
    return tuple(found)


def split_list(value: object) -> tuple[str, ...]:
    """The members of a list value: a sequence as it is; text split at semicolons, commas, "and", line breaks, "/"."""
    if isinstance(value, (list, tuple, set)):
        return tuple(str(v).strip() for v in value if str(v).strip())
    text = str(value).strip()
    for mark in (r"\s*[;\n•|]\s*", r"\s*,\s*(?!\d{3}\b)(?:and\s+|or\s+)?"):
        parts = [p for p in re.split(mark, text) if p.strip()]
        if len(parts) > 1:
            last = re.split(r"\s+and\s+", parts[-1], maxsplit=1) if mark.startswith(r"\s*,") else [parts[-1]]
            return tuple(p.strip(" .") for p in (*parts[:-1], *last))
    parts = re.split(r"\s+and\s+", text)
    return tuple(p.strip(" .") for p in parts if p.strip())


__all__ = [
    "NUMBER_WORDS",
    "DateValue",
    "Quantity",
    "find_clock",
    "find_dates",
    "find_names",
    "find_quantities",
    "number_of",
    "split_list",
    "word_set",
]
