"""Wiki templates rendered as plain text: `{{convert|340|g|oz}}` becomes "340 g".

Covers the templates whose meaning is in their arguments (measures, dates, coordinates, links, lists, languages).
Every other template is left out: its text depends on pages that we do not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_INNERMOST = re.compile(r"\{\{([^{}]*)\}\}")
_TABLE = re.compile(r"\{\|[^{}]*\|\}")
_MAX_DEPTH = 12

_UNITS = {
    "sqft": "sq ft", "sqmi": "sq mi", "sqin": "sq in", "sqyd": "sq yd", "m2": "m²", "km2": "km²", "cm2": "cm²",
    "mm2": "mm²", "m3": "m³", "cm3": "cm³", "km3": "km³", "cuft": "cu ft", "cuin": "cu in", "C": "°C", "F": "°F",
    "floz": "fl oz", "usfloz": "fl oz", "impfloz": "imp fl oz", "USgal": "US gal", "impgal": "imp gal", "nmi": "nmi",
    "kph": "km/h", "lbs": "lb", "kJ": "kJ", "kcal": "kcal", "metre": "m", "meters": "m", "foot": "ft", "feet": "ft",
    "inch": "in", "inches": "in", "pound": "lb", "pounds": "lb", "mile": "mi", "miles": "mi",
}  # fmt: skip
_RANGE_WORDS = {
    "-": "–", "–": "–", "to": " to ", "and": " and ", "by": " × ", "x": " × ", "×": " × ", "or": " or ",
    "+/-": " ± ",
}  # fmt: skip
_NUMBER = re.compile(r"[-−+]?\d[\d,. ]*(?:/\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_FIRST_ARGUMENT = frozenset({
    "nowrap", "small", "smaller", "big", "larger", "large", "nobold", "nobr", "nobreak", "noitalic", "normal",
    "sup", "sub", "abbr", "abbrlink", "em", "strong", "bold", "b", "i", "italic", "italics", "nihongo", "nihongo2",
    "linktext", "flag", "flagcountry", "flaglink", "flagu", "currency", "ill", "marriage", "age", "tooltip",
    "not-a-typo", "notatypo", "sic", "proper-name", "vanchor", "vr", "anchor", "visible", "title-case", "uc", "lc",
    "ucfirst", "as-of", "official-website", "official-url", "url2",
})  # fmt: skip
_LIST = frozenset({
    "plainlist", "plain-list", "ubl", "unbulleted-list", "flatlist", "flat-list", "hlist", "bulleted-list",
    "cslist", "comma-separated-entries", "collapsible-list", "ublist", "pagelist", "blist", "unordered-list",
    "ordered-list", "tree-list", "enum", "br-separated-entries",
})  # fmt: skip
_DATES = frozenset({
    "start-date", "start-date-and-age", "end-date", "end-date-and-age", "birth-date", "birth-date-and-age", "bda",
    "dob", "death-date", "film-date", "release-date", "dts", "date", "start-and-end-dates",
    "start-date-and-years-ago", "launch-date", "death-date-and-age", "dda", "vgrelease-date", "birth-year-and-age",
    "birth-year", "start-year",
})  # fmt: skip
_MONEY = {
    "usd": "US$", "us$": "US$", "$": "$", "gbp": "£", "£": "£", "eur": "€", "€": "€", "jpy": "¥", "¥": "¥",
    "inr": "₹", "aud": "A$", "cad": "C$", "cny": "CN¥", "krw": "₩", "chf": "CHF ", "a$": "A$", "ca$": "C$",
}  # fmt: skip


def render_templates(text: str) -> str:
    """`text` with every `{{...}}` rendered or left out, the innermost first; what is not closed is cut off."""
    for _ in range(_MAX_DEPTH):
        text, changed = _INNERMOST.subn(lambda m: _render(m.group(1)), text)
        if not changed:
            break
    text = _TABLE.sub("", text)
    unclosed = text.find("{{")
    if unclosed >= 0:  # the value was cut in the middle of a template, or is a mess: nothing after it can be trusted
        text = text[:unclosed]
    return text.replace("}}", "")


def _render(body: str) -> str:
    head, *rest = body.replace("|=|", "=").split("|")
    name = re.sub(r"[\s_-]+", "-", head.strip()).lower()
    arguments = [a.strip() for a in rest]
    positional = [a for a in arguments if not re.match(r"[A-Za-z][\w -]*=", a) and a not in ("", "=")]
    named = {k.strip().lower(): v.strip() for k, _, v in (a.partition("=") for a in arguments if a not in positional)}
    if name.startswith("lang-"):
        return positional[0] if positional else ""
    if name.startswith("formatnum:"):
        return name.partition(":")[2]
    if name in _FIRST_ARGUMENT:
        return positional[0] if positional else ""
    if name in _LIST:
        lines = [line.strip(" *#\n\t") for a in positional for line in a.split("\n")]
        return ", ".join(line for line in lines if line)
    if name in _DATES:
        return _date(positional)
    if name in _MONEY:
        return f"{_MONEY[name]}{positional[0]}" if positional else ""
    renderer = _RENDERERS.get(name)
    return renderer(positional, named) if renderer else ""


def _convert(positional: list[str], _: dict[str, str]) -> str:
    """First quantity only, with its own unit: numbers, range words and further unit pairs up to the target unit."""
    out, position = "", 0
    while position < len(positional):
        number = positional[position]
        if not _NUMBER.fullmatch(number):
            break
        out += number
        position += 1
        if position < len(positional) and positional[position].lower() in _RANGE_WORDS:
            out += _RANGE_WORDS[positional[position].lower()]
            position += 1
            continue
        if position < len(positional):
            unit = positional[position]
            out += f" {_UNITS.get(unit, unit)} "
            position += 1
    return re.sub(r"\s+", " ", out).strip()


def _date(positional: list[str]) -> str:
    """ISO date from year, month, day; text that is no number ("12 May 1986") as it stands."""
    parts: list[str] = []
    for value in positional[:3]:
        if not re.fullmatch(r"\d{1,4}", value):
            return positional[0] if not parts else "-".join(parts)
        parts.append(value if not parts else value.zfill(2))
    return "-".join(parts)


def _coordinates(positional: list[str], _: dict[str, str]) -> str:
    numbers = [p for p in positional if re.fullmatch(r"[-−]?\d+(?:\.\d+)?|[NSEW]", p)]
    signs = [i for i, p in enumerate(numbers) if p in "NSEW"]
    if not signs:
        return ", ".join(numbers[:2]) if len(numbers) >= 2 else ""
    if len(signs) < 2:
        return ""
    halves = numbers[: signs[0] + 1], numbers[signs[0] + 1 : signs[1] + 1]
    return ", ".join("".join(f"{v}{m}" for v, m in zip(h[:-1], "°′″", strict=False)) + f" {h[-1]}" for h in halves)


def _height(_: list[str], named: dict[str, str]) -> str:
    return " ".join(f"{named[unit]} {unit}" for unit in ("m", "cm", "ft", "in") if named.get(unit))


def _duration(positional: list[str], named: dict[str, str]) -> str:
    if positional:
        return ":".join(p.zfill(2) if i else p for i, p in enumerate(positional))
    return " ".join(f"{named[k]} {unit}" for k, unit in (("h", "h"), ("m", "min"), ("s", "s")) if named.get(k))


def _fraction(positional: list[str], _: dict[str, str]) -> str:
    if len(positional) == 3:
        return f"{positional[0]} {positional[1]}/{positional[2]}"
    return "/".join(positional[:2]) if len(positional) == 2 else f"1/{positional[0]}" if positional else ""


def _at(index: int) -> Callable[[list[str], dict[str, str]], str]:
    return lambda positional, _: positional[index] if len(positional) > index else ""


_RENDERERS: dict[str, Callable[[list[str], dict[str, str]], str]] = {
    "convert": _convert,
    "cvt": _convert,
    "coord": _coordinates,
    "height": _height,
    "duration": _duration,
    "frac": _fraction,
    "fraction": _fraction,
    "sfrac": _fraction,
    "lang": _at(1),
    "transl": lambda p, _: p[-1] if p else "",
    "transliteration": _at(1),
    "sort": _at(1),
    "color": _at(1),
    "colour": _at(1),
    "font-color": _at(1),
    "interlanguage-link": _at(0),
    "url": lambda p, _: p[1] if len(p) > 1 else p[0] if p else "",
    "val": lambda p, n: " ".join(filter(None, (p[0] if p else "", n.get("u") or n.get("ul", "")))),
    "circa": lambda p, _: f"c. {p[0]}" if p else "c.",
    "c.": lambda p, _: f"c. {p[0]}" if p else "c.",
    "based-on": lambda p, _: " by ".join(p[:2]),
    "ship": lambda p, _: " ".join(p[:2]),
    "yes": lambda p, _: p[0] if p else "yes",
    "yes2": lambda p, _: p[0] if p else "yes",
    "no": lambda p, _: p[0] if p else "no",
    "no2": lambda p, _: p[0] if p else "no",
    "tick": lambda p, _: "yes",
    "check": lambda p, _: "yes",
    "cross": lambda p, _: "no",
    "partial": lambda p, _: p[0] if p else "partial",
    "free": lambda p, _: p[0] if p else "free",
    "nbsp": lambda p, _: " ",
    "snd": lambda p, _: " – ",
    "spnd": lambda p, _: " – ",
    "ndash": lambda p, _: "–",
    "mdash": lambda p, _: "—",
    "!": lambda p, _: "|",
    "=": lambda p, _: "=",
    "·": lambda p, _: " · ",
    "dot": lambda p, _: " · ",
}
