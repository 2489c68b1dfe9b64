"""A sum of money said without its currency: "is 40 enough for 3 of these", "7 of us, 24 in my purse, do we get in".

The number that counts things or people is told by what stands beside it; the other one is the money.
"""

from __future__ import annotations

import re

from assistant.text.values import NUMBER_WORDS, find_dates, find_quantities, number_of

_WORDS = "|".join(w for w in NUMBER_WORDS if w.isalpha() and w not in ("zero", "half", "quarter", "one", "a"))
_N = rf"(?<![\w.,:/-])(?:\d{{1,6}}(?:[.,]\d{{2}})?|{_WORDS})(?![\w:/%-]|[.,]\d)"
#: What is counted: so many of it, so many people, so many bought.
_COUNTED = tuple(
    re.compile(p, re.IGNORECASE)
    for p in (
        rf"(?P<n>{_N}) (?:more )?(?:like|of (?:this|that|these|those|it|them|us|you|such|the))\b(?! to\b)",
        rf"(?P<n>{_N}) (?:\w+ )?(?:tickets?|people|persons?|adults?|visitors?|children|kids|friends|pieces|"
        rf"copies|packs?|singles|"
        r"returns|nights|rides)\b",
        rf"\b(?:to|get|buy|take|need|are|order|want|have|for|we['’]re|there['’]s) (?P<n>{_N})(?! (?:enough|"
        rf"in (?:my|our|hand)|to spend|"
        r"saved|on me|left))",
    )
)
#: It is asked whether the money will do.
_ENOUGH = re.compile(
    r"\b(?:enough|afford|suffic\w+|cover|stretch\w*|within (?:my|our) (?:means|budget|limit)|or less|at most|"
    r"work out|pay|buy|"
    r"purchase|get (?:me|us|\d+|in|into|through)|can (?:i|we) (?:get|have|take|visit)|could (?:i|we) (?:get|"
    r"have|take|visit)|"
    r"(?:all )?get in|would (?:that|it) (?:buy|get|do)|visit .* (?:on|with|for)|will .* get)\b",
    re.IGNORECASE,
)
_OF_MONEY = re.compile(
    r"\b(?:afford|pay|buy|bought|purse|wallet|pocket|budget|spend|sav(?:ed|ings)|costs?|prices?|money|till|"
    r"means|tickets?|admission|"
    r"sells?|sold|on me|in hand|in cash|stretch\w*|get in|into|limit)\b",
    re.IGNORECASE,
)
_FOR_SO_MUCH = re.compile(rf"\b(?:for|with|on) {_N}\W*$", re.IGNORECASE)


def bare_sum(question: str, meant: bool = False) -> tuple[float, float] | None:
    """The money in hand and the number wanted; None when the question does not ask whether the one will do.

    Args:
        meant: it is known to ask that, whatever the words.
    """
    if not (meant or _ENOUGH.search(question)) or any(d.month for d in find_dates(question)):
        return None
    if any(q.dimension not in ("", "count") for q in find_quantities(question)):
        return None
    numbers = list(re.finditer(_N, question, re.IGNORECASE))
    if len(numbers) == 2:
        counted = next((m for p in _COUNTED for m in p.finditer(question)), None)
        if counted is None:
            return None
        rest = [m for m in numbers if m.start() != counted.start("n")]
        money, count = _value(rest[0].group()), _value(counted["n"]) if len(rest) == 1 else None
    elif len(numbers) == 1 and _OF_MONEY.search(question):
        money, count = _value(numbers[0].group()), 1.0
        if any(m.start("n") == numbers[0].start() for p in _COUNTED[:2] for m in p.finditer(question)):
            return None
    else:
        return None
    if not money or not count:
        return None
    spoken = (
        (meant and money > count)
        or _OF_MONEY.search(question)
        or _FOR_SO_MUCH.search(question)
        or (money > count and money >= _A_SUM and _WILL_DO.search(question))
    )
    return (money, count) if spoken else None


_WILL_DO = re.compile(r"\b(?:enough|cover|suffic\w+|come to|or less)\b", re.IGNORECASE)
#: Less than this is hardly money when nothing else says so.
_A_SUM = 10


def _value(text: str) -> float | None:
    return number_of(text.replace(",", ".") if re.search(r",\d\d$", text) else text)
