"""Number words and the like as figures, for the lexical judge, so that amounts can be read by `eval.values`."""

from __future__ import annotations

import re

_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_SMALL = {word: n for n, word in enumerate(_SMALL_WORDS.split())}
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * n for n, word in enumerate(_TEN_WORDS.split(), 2)}
_UNITS_OF_TEN = "|".join(word for word, n in _SMALL.items() if 0 < n < 10)
_TEN = re.compile(rf"\b({'|'.join(_TENS)})(?:[- ]({_UNITS_OF_TEN}))?\b(?!s)", re.I)
_WORD = re.compile(rf"\b({'|'.join(_SMALL)})\b(?!-?ish)", re.I)
_ONE_THING = re.compile(
    r"\bone\b(?=\s*(?:[.,;:!?]|$|(?:of|on|in|that|which|is|was|are|with|who|at|from|to|and|or|another|by|has|can|for|"
    r"side|after|costs?)\b))|(?<=\bthe )one\b|(?<=\bthis )one\b|(?<=\bthat )one\b|(?<=er )one\b|(?<=\bwhich )one\b|"
    r"(?<=\bleft )one\b|(?<=\bright )one\b|(?<=\bsmall )one\b|(?<=\blarge )one\b|(?<=\bno )one\b",
    re.I,
)
_SHARES = {"half": "50", "third": "33.3", "quarter": "25", "fifth": "20", "tenth": "10"}
_ORDINALS = (
    "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
)
_ORDINAL = {word: f"{n}th" for n, word in enumerate(_ORDINALS.split(), 4)}
_ORDINAL_WORD = re.compile(rf"\b({'|'.join(_ORDINAL)})\b", re.I)
_BY = re.compile(
    r"(?<![\d.])(\d+(?:\.\d+)?)\s*(?:by|x|×)\s*(\d+(?:\.\d+)?)(?:\s*(?:by|x|×)\s*(\d+(?:\.\d+)?))?\s*"
    r"(inches|inch|in|feet|foot|ft|centimet(?:re|er)s?|cm|millimet(?:re|er)s?|mm|met(?:re|er)s?|m)\b",
    re.I,
)
_REWRITTEN = (
    (re.compile(r"\bhalf an? (?=hour|mile|kilo|day|year|pound|litre|liter|inch|metre|meter|minute)", re.I), "0.5 "),
    (
        re.compile(
            r"\b(?:an?|one) (?=(?:hour|week|month|year|day|minute|dozen|hundred|thousand"
            r"|million)\b)",
            re.I,
        ),
        "1 ",
    ),
    (re.compile(r"\ba couple(?: of)?\b", re.I), "2"),
    (re.compile(r"\btwice\b", re.I), "2 times"),
    (
        re.compile(r"\b(?:(\d+) times|once) (?:an?|1|per|each|every) (hour|day|week|month|year)\b", re.I),
        lambda m: f"every {1 / float(m[1] or 1):.6g} {m[2]}",
    ),
    (
        re.compile(r"\b(?:a|one) (half|third|quarter|fifth|tenth) of (?!an? (?:hour|mile|century)|an\b)", re.I),
        lambda m: f"{_SHARES[m[1].lower()]} percent of ",
    ),
    (re.compile(r"\b(\d+(?:\.\d+)?) hundred\b", re.I), lambda m: f"{float(m[1]) * 100:g}"),
    (re.compile(r"\b(\d+(?:\.\d+)?) trillion\b", re.I), lambda m: f"{float(m[1]) * 1000:g} billion"),
    (re.compile(r"(?<=\d)k\b"), " thousand"),
    (re.compile(r"(?<=\d)\s?(?:mn|mln)\b", re.I), " million"),
    (re.compile(r"([$€£]\s?\d[\d.,]*)\s?M\b"), r"\1 million"),
    (re.compile(r"([$€£]\s?\d[\d.,]*)\s?B\b"), r"\1 billion"),
    (re.compile(r"\b(?:US|U\.S\.) (?=dollars?\b)|\bSwiss (?=francs?\b)", re.I), ""),
    (re.compile(r"\bpounds sterling\b", re.I), "GBP"),
    (re.compile(r"\bdegrees?\s+C\b"), "degrees celsius"),
    (re.compile(r"\bdegrees?\s+F\b"), "degrees fahrenheit"),
    (re.compile(r"\bdegrees (?=$|[.,;])"), ""),
    (re.compile(r"(\d)\s*(?:-|–)\s*(?=(?:year|month|week|day|hour|minute|second|inch|foot|mile)s?\b)", re.I), r"\1 "),
)


def figures(text: str) -> str:
    """The text with its number words as figures ("twenty-seven" → "27", "half a mile" → "0.5 mile")."""
    text = _TEN.sub(lambda m: str(_TENS[m[1].lower()] + (_SMALL[m[2].lower()] if m[2] else 0)), text)
    text = _ORDINAL_WORD.sub(lambda m: _ORDINAL[m[1].lower()], text)
    text = _BY.sub(lambda m: " by ".join(f"{n} {m[4]}" for n in m.groups()[:3] if n), text)
    things = {m.start() for m in _ONE_THING.finditer(text)}
    text = _WORD.sub(lambda m: m[0] if m.start() in things else str(_SMALL[m[1].lower()]), text)
    for pattern, instead in _REWRITTEN:
        text = pattern.sub(instead, text)
    return text
