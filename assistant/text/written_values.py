"""Values as an answer writes them, all alike: money as sign and number, thousands with commas before a unit.

What stands in quotation marks is somebody else's and stays. Dates are `assistant.reading.attribute_templates`'.
"""

from __future__ import annotations

import re

from assistant.text.units import UNIT_PATTERN, unit_of

_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹"}
_NUMBER = r"\d+(?:[.,]\d+)*"
_CODE = r"(?:EUR|USD|GBP|JPY|INR)\b"
_MONEY = re.compile(
    rf"(?<![\w.,€$£¥₹–-])(?:(?P<before>[€$£¥₹]|{_CODE})\s?(?P<number>{_NUMBER})(?![\w–-]|[.,]\d)"
    rf"|(?P<amount>{_NUMBER})\s?(?P<after>[€$£¥₹]|{_CODE}|euros?\b|dollars?\b|yen\b|rupees?\b))"
)
_THOUSANDS = re.compile(
    rf"(?<![\w.,–-])(?<!\d )(?P<number>\d{{4,}})(?P<rest>\.\d+)?(?=\s?(?P<unit>{UNIT_PATTERN}))", re.IGNORECASE
)
#: A four-digit number before one of these may be a year.
_WORDS_FIRST = re.compile(r"\s?(?:in|s)\b", re.IGNORECASE)
_QUOTED = re.compile(r"(“[^”]*”|\"[^\"]*\")")


def alike(text: str) -> str:
    """`text` with its amounts of money and its large measured numbers written in one way: "€3,400.00", "2,080 g"."""
    parts = _QUOTED.split(text)
    return "".join(part if n % 2 else _alike(part) for n, part in enumerate(parts))


def _alike(text: str) -> str:
    return _THOUSANDS.sub(_grouped, _MONEY.sub(_money, text))


def _money(match: re.Match[str]) -> str:
    sign, number = (match["before"], match["number"]) if match["before"] else (match["after"], match["amount"])
    found = unit_of(sign)
    if found is None or found[0] not in _SIGNS:
        return match[0]
    whole, point, cents = number.partition(".")
    if whole.isdecimal() and len(whole) > 3:
        whole = f"{int(whole):,}"
    return f"{_SIGNS[found[0]]}{whole}{point}{cents}"


def _grouped(match: re.Match[str]) -> str:
    after = match.string[match.end() :]
    is_year = len(match["number"]) == 4 and (match["number"][0] in "12" and _WORDS_FIRST.match(after))
    return match[0] if is_year or unit_of(match["unit"]) is None else f"{int(match['number']):,}{match['rest'] or ''}"
