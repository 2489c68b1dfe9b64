"""Quantities and dates in a sentence, for judging: what is said, how precisely, and whether it is denied.

Written apart from the reader's own parser on purpose: a form that both misread alike would be scored as right. Covers
English prose with metric and customary units, money and counts. Not covered: ordinals, clock times, fractions in words.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from eval.judges.units import WRITTEN_FORMS, canonical_unit, convert

_WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip
_WORD_NUMBERS = {word: i for i, word in enumerate(_WORDS)} | {"dozen": 12, "no": 0, "none": 0}
_MONTHS = {
    form: i for i, name in enumerate(calendar.month_name) for form in ((name.lower(), name[:3].lower()) if name else ())
} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NUMBER = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])"
    r"|\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+(?!\d)"
    r"|\d+,\d{1,2}(?![\d,])"
    r"|\d+(?:\.\d+)?|\.\d+"
)
_UNIT = "|".join(re.escape(form) for form in WRITTEN_FORMS)
_QUANTITY = re.compile(
    rf"(?<![\w.,/])(?P<sign>[-−])?(?P<money>[€$£¥]|\b(?:EUR|USD|GBP)\b)?\s?"
    rf"(?P<number>{_NUMBER}|\b(?:{'|'.join(_WORDS)}|dozen)\b)(?!(?:st|nd|rd|th)\b)"
    rf"(?:\s?(?P<scale>thousand|million|billion)\b)?"
    rf"(?:[\s\u00a0\u202f-]?(?P<unit>{_UNIT})(?![\w²³/]))?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*(?:-|–|—|to|or|and)\s*", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|never|neither|nor|no longer|isn['’]?t|wasn['’]?t|aren['’]?t|doesn['’]?t|didn['’]?t|don['’]?t|unlike|"
    r"rather than|instead of|other than|except|previously|formerly|up from|down from)\b(?:(?!\bbut\b)[^.;:,]){0,24}$",
    re.IGNORECASE,
)
_DATES = (
    (re.compile(r"(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])"), "ymd"),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?({_MONTH})\b\.?,?\s+(\d{{4}})\b", re.I), "dmy"),
    (re.compile(rf"\b({_MONTH})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.I), "mdy"),
    (re.compile(r"(?<![\d/.])(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?![\d/])"), "dmy"),
    (re.compile(rf"\b({_MONTH})\b\.?,?\s+(?:of\s+)?(\d{{4}})\b", re.I), "my"),
    (re.compile(r"(?<![\d-])(\d{4})-(\d{2})(?![\d-])"), "ym"),
    (re.compile(r"(?<![\d.,-])(1\d{3}|20\d{2}|21\d{2})(?![\d,]*\d|\.\d)"), "y"),
)


@dataclass(frozen=True)
class Quantity:
    """A number as it is written. `unit` is canonical ("gram", "money:EUR"), or None for a bare number.

    `decimals` is how many digits stand behind the point; `denied` says that the sentence sets the number aside.
    """

    value: float
    decimals: int
    unit: str | None
    start: int
    end: int
    denied: bool = False


@dataclass(frozen=True)
class Date:
    """A date as precise as it is written."""

    year: int
    month: int | None
    day: int | None
    start: int
    end: int
    denied: bool = False


def quantities(text: str) -> list[Quantity]:
    """All numbers of a text with their units; dates are left out, "2 h 30 min" is one, "30–40 g" are two, both in g."""
    masked = _mask(text, [(d.start, d.end) for d in dates(text) if d.month is not None])
    found = [q for match in _QUANTITY.finditer(masked) if (q := _quantity(masked, match)) is not None]
    return list(_merged(masked, _with_range_units(masked, found)))


def _mask(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "¤" * (end - start) + text[end:]
    return text


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    written = match["number"].lower()
    if written in _WORD_NUMBERS:
        value, decimals = float(_WORD_NUMBERS[written]), 0
    else:
        digits = re.sub(r"[\u00a0\u202f\u2009 ]", "", written)
        digits = digits.replace(",", ".") if re.fullmatch(r"\d+,\d{1,2}", digits) else digits.replace(",", "")
        value, decimals = float(digits), len(digits.partition(".")[2])
    scale = {"thousand": 3, "million": 6, "billion": 9}.get((match["scale"] or "").lower(), 0)
    value, decimals = value * 10**scale, decimals - scale
    form = match["money"] or match["unit"]
    unit = canonical_unit(form)
    end = match.end()
    if unit == "inch" and form.lower() == "in" and re.match(r"\s+(?:\d{4}|the|a|an|total|all|[A-Z])", text[end:]):
        unit, end = None, match.start("unit")  # "5 in total", "40 in 1987"
    if match["sign"] and match.start("number") - match.start("sign") <= 2:
        value = -value
    return Quantity(value, decimals, unit, match.start(), end, _DENIED.search(text[: match.start()]) is not None)


def _with_range_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """ "30–40 g" and "30 or 40 g": the first number has the second one's unit."""
    result = list(found)
    for i in range(len(result) - 2, -1, -1):
        one, two = result[i], result[i + 1]
        if one.unit is None and two.unit is not None and _RANGE.fullmatch(text[one.end : two.start]):
            result[i] = replace(one, unit=two.unit)
        elif one.unit is None and two.unit is not None and two.value < 0 and one.end == two.start:
            result[i : i + 2] = [replace(one, unit=two.unit), replace(two, value=-two.value)]
    return result


def _merged(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Join what is said in two units of one dimension: 2 h 30 min, 5 ft 10 in, 1 year and 6 months."""
    i = 0
    while i < len(found):
        one = found[i]
        while i + 1 < len(found) and one.unit is not None and found[i + 1].unit is not None:
            two = found[i + 1]
            factor = convert(1.0, two.unit, one.unit) if two.unit != one.unit else None
            joined = re.fullmatch(r",?\s*(?:and\s+)?", text[one.end : two.start])
            temperature = one.unit in ("degC", "degF")
            if factor is None or factor >= 1 or not joined or temperature or one.decimals > 0:
                break
            one = replace(one, value=one.value + two.value * factor, decimals=2, end=two.end)
            i += 1
        yield one
        i += 1


def same_quantity(said: Quantity, value: float, unit: str | None) -> bool:
    """Whether a quantity as written stands for a gold value.

    In the gold's own unit the two must agree once rounded to what is written (12.346 and "12.35", not 340 and "341").
    In another unit a part in a thousand is allowed besides, for the factor. Rounding may cost at most two per cent, and
    nothing where the gold is a price.
    """
    gold = convert(value, unit, said.unit)
    if gold is None:
        return False
    error = abs(said.value - gold)
    if error <= 1e-9 * max(1.0, abs(gold)):
        return True
    if said.unit != unit and error <= 1e-3 * abs(gold):
        return True
    if unit is not None and unit.startswith("money:"):
        return error < 0.005
    half_step = 0.5 * 10.0**-said.decimals
    if error <= half_step * (1 + 1e-9) and error <= 0.02 * abs(gold):
        return True
    decimals = len(f"{value:.6f}".rstrip("0").partition(".")[2])
    return said.unit == unit and decimals >= 2 and error < 0.5 * 10.0**-decimals


def dates(text: str) -> list[Date]:
    """All dates of a text, each as precise as it stands there; of overlapping readings the longest."""
    found: list[Date] = []
    for pattern, order in _DATES:
        for match in pattern.finditer(text):
            if any(match.start() < d.end and d.start < match.end() for d in found):
                continue
            parts = dict(zip(order, match.groups(), strict=True))
            month, day = parts.get("m"), parts.get("d")
            m = None if month is None else int(month) if month.isdigit() else _MONTHS[month.lower()]
            d = None if day is None else int(day)
            if (m is not None and not 1 <= m <= 12) or (d is not None and not 1 <= d <= 31):
                continue
            denied = _DENIED.search(text[: match.start()]) is not None
            found.append(Date(int(parts["y"]), m, d, match.start(), match.end(), denied))
    return sorted(found, key=lambda date: date.start)


def same_date(said: Date, gold: str) -> bool:
    """Whether a date agrees with an ISO date at the ISO date's precision; a less precise one does not."""
    wanted = [int(part) for part in gold.split("-")]
    return [said.year, said.month, said.day][: len(wanted)] == wanted


def is_denied(text: str, start: int) -> bool:
    """Whether what begins at `start` is denied or set aside by the words before it."""
    return _DENIED.search(text[:start]) is not None
