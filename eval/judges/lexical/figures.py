"""Number words and the like as figures, for the lexical judge, so that amounts can be read by `eval.judges.values`."""

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
_IN_A_NAME = re.compile(rf"(?<=[a-z] )({'|'.join(w.title() for w in _SMALL)})(?= [A-Z])")
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
_HOURS = {"noon": 12, "midday": 12, "midnight": 24}
_SHARE_OF_HOUR = {"quarter": 15, "half": 30}
_LENGTHS = {
    "decade": ("10", "year"),
    "centurie": ("100", "year"),
    "century": ("100", "year"),
    "fortnight": ("2", "week"),
}


_TH = {"1": "st", "2": "nd", "3": "rd"}


def _past(match: re.Match[str]) -> str:
    """ "A quarter to midnight" as 23:45."""
    minutes, hour = _SHARE_OF_HOUR.get(match[1].lower()) or int(match[1]), _HOURS.get(match[3].lower()) or int(match[3])
    if match[2].lower() in ("to", "before", "till", "of"):
        hour, minutes = (hour - 1) or 12, 60 - minutes
    return f"{hour % 24}:{minutes:02d}" if 0 < minutes < 60 and hour <= 24 else match[0]


def _length(match: re.Match[str]) -> str:
    """ "2 decades" as 20 years, "a decade and a half" as 15."""
    value, unit = _LENGTHS[match[2].lower().rstrip("s")]
    times = 1.0 if match[1].lower() in ("a", "one") else float(match[1])
    return f"{(times + 0.5 * (match[3] is not None)) * float(value):g} {unit}s"


_REWRITTEN = (
    (re.compile(r"\b(miles?|kilomet(?:re|er)s?|met(?:re|er)s?|feet) an? (?=hour|second)", re.I), r"\1 per "),
    (re.compile(r"\bthree[- ]quarters of an (?=hour)|\b3[- ]quarters of an (?=hour)", re.I), "0.75 "),
    (re.compile(r"\b(?:a )?quarter of an (?=hour)", re.I), "0.25 "),
    (re.compile(r"\b(?:a )?(quarter|half) (past|to|before|till) (\d{1,2}|noon|midday|midnight)\b(?!:)", re.I), _past),
    (re.compile(r"\b(\d{1,2})(?: minutes)? (past|before) (\d{1,2}|noon|midday|midnight)\b(?!:)", re.I), _past),
    (re.compile(r"\b(\d{1,2}) minutes (to) (\d{1,2}|noon|midday|midnight)\b(?!:)", re.I), _past),
    (re.compile(r"\b(?:(\d+) and a half|(\d+) 1/2) (?=[a-z])", re.I), lambda m: f"{m[1] or m[2]}.5 "),
    (
        re.compile(r"\b(?:an?|one) (hour|year|month|mile|day|week|minute|metre|meter|pound|inch) and a half\b", re.I),
        r"1.5 \1s",
    ),
    (re.compile(r"\b(an?|one|\d+(?:\.\d+)?) (decades?|centur(?:y|ies)|fortnights?)( and a half)?\b", re.I), _length),
    (re.compile(r"\b(?:number|no\.|#)\s?([1-9])\b(?![.,]?\d)", re.I), lambda m: f"{m[1]}{_TH.get(m[1], 'th')}"),
    (re.compile(r"\bhalf[- ](?=(?:year|hour|mile|day)\b)", re.I), "0.5 "),
    (re.compile(r"\b(\d+) dozen\b", re.I), lambda m: str(12 * int(m[1]))),
    (re.compile(r"\bhundred-(?=(?:year|metre|meter|day)\b)", re.I), "100 "),
    (re.compile(r"\bhalf a dozen\b", re.I), "6"),
    (re.compile(r"\b(?:a|one) dozen\b(?! or so)", re.I), "12"),
    (re.compile(r"\ba (?:pair|couple)(?: of)?\b(?! of (?:trousers|pants|glasses|scissors|shoes|jeans))", re.I), "2"),
    (re.compile(r"\ba trio(?: of)?\b", re.I), "3"),
    (
        re.compile(r"(?<![\d.,])(\d{1,3}) (?:us )?(?:cents?|pennies)\b(?! coins?)", re.I),
        lambda m: f"${int(m[1]) / 100:.2f}",
    ),
    (re.compile(r"(?<=\d) (?:bucks?)\b", re.I), " dollars"),
    (re.compile(r"\b(\d+) (dollars|euros|pounds)(?: and)? (\d\d)\b(?! \w+s\b)", re.I), r"\1.\3 \2"),
    (re.compile(r"(?<=\d) quid\b", re.I), " GBP"),
    (re.compile(r"\bhalf an? (?=hour|mile|kilo|day|year|pound|litre|liter|inch|metre|meter|minute)", re.I), "0.5 "),
    (
        re.compile(
            r"\b(?:an?|one) (?=(?:hour|week|month|year|day|minute|dozen|hundred|thousand"
            r"|million)\b)",
            re.I,
        ),
        "1 ",
    ),
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
    (re.compile(r"\s?\bdegrees\b(?=\s*(?:$|[.,;)]|for\b|in the\b|and\b|to\b|until\b|or\b))"), ""),
    (re.compile(r"(\d)\s*(?:-|–)\s*(?=(?:year|month|week|day|hour|minute|second|inch|foot|mile)s?\b)", re.I), r"\1 "),
)


_HUNDREDS = {"hundred": 100, "thousand": 1000}
_PART = "|".join(sorted([*_SMALL, *_TENS, *_HUNDREDS], key=len, reverse=True))
_LONG = re.compile(rf"\b(?:a\s(?=hundred|thousand))?(?:{_PART})(?:(?:[\s-]+(?:and\s+)?)(?:{_PART}))*\b", re.I)
_YEAR_WORDS = re.compile(
    rf"\b(sixteen|seventeen|eighteen|nineteen|twenty)[\s-](?:({'|'.join(_TENS)})(?:[\s-]({_UNITS_OF_TEN}))?|"
    rf"({'|'.join(w for w, n in _SMALL.items() if 10 <= n < 20)})|(?:oh|o)[\s-]({_UNITS_OF_TEN}))\b",
    re.I,
)


_SIZES = {"xs": "extrasmall", "s": "small", "m": "medium", "l": "large", "xl": "extralarge"}
_LETTERS = re.compile(
    r"(?<![\w'’.$-])(?:XS|S|M|L|XL)(?![\w'’-])(?!\.\w)(?=\s*(?:,|$|[.;:!?)]|and\b|or\b|to\b|&|through\b))"
)


def _year(match: re.Match[str]) -> str:
    """ "Nineteen sixty-nine" as 1969."""
    first, tens, units, teens, late = (part.lower() if part else "" for part in match.groups())
    century = _SMALL.get(first) or 20
    rest = _SMALL.get(teens) or _SMALL.get(late) or _TENS.get(tens, 0) + _SMALL.get(units, 0)
    return str(100 * century + rest)


def _long_number(match: re.Match[str]) -> str:
    """ "Three hundred and thirty" as 330; what has no hundred or thousand in it stays."""
    words = [w for w in re.split(r"[\s-]+", match[0].lower()) if w not in ("a", "and")]
    if not set(words) & set(_HUNDREDS) or (len(words) == 1 and match[0][:2].lower() != "a "):
        return match[0]
    whole = part = 0
    for word in words:
        if word == "thousand":
            whole, part = whole + (part or 1) * 1000, 0
        elif word == "hundred":
            part = (part or 1) * 100
        else:
            part += _SMALL.get(word, 0) + _TENS.get(word, 0)
    return str(whole + part)


def figures(text: str) -> str:
    """The text with its number words as figures ("twenty-seven" → "27", "half a mile" → "0.5 mile")."""
    if len(_LETTERS.findall(text)) >= 2:
        text = _LETTERS.sub(lambda m: _SIZES[m[0].lower()], text)
    text = re.sub(r"\bextra[- ](small|large)\b", r"extra\1", text, flags=re.I)
    text = _LONG.sub(_long_number, _YEAR_WORDS.sub(_year, text))
    text = _TEN.sub(lambda m: str(_TENS[m[1].lower()] + (_SMALL[m[2].lower()] if m[2] else 0)), text)
    text = _ORDINAL_WORD.sub(lambda m: _ORDINAL[m[1].lower()], text)
    text = _BY.sub(lambda m: " by ".join(f"{n} {m[4]}" for n in m.groups()[:3] if n), text)
    things = {m.start() for m in _ONE_THING.finditer(text)}
    things |= {m.start(1) for m in _IN_A_NAME.finditer(text)}
    text = _WORD.sub(lambda m: m[0] if m.start() in things else str(_SMALL[m[1].lower()]), text)
    for pattern, instead in _REWRITTEN:
        text = pattern.sub(instead, text)
    return text
