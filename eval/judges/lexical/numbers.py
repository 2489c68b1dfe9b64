"""Amounts in a question, a ground truth and an answer, for the lexical judge: which one is asked for, and which agree.

Number words have become figures (`eval.judges.lexical.figures`); dates, years and clock times are no amounts
(`eval.judges.lexical.dates`). Values and units are read by `eval.judges.values`. What counts as the same is as in the
benchmark's
rules: almost exactly, which here means equal once rounded to what is written, within two per cent after a conversion
or for a rounder figure.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from eval.judges.lexical.dates import moments
from eval.judges.lexical.words import content_words, read
from eval.judges.units import canonical_unit, convert
from eval.judges.values import Quantity, quantities, same_quantity

_DIMENSIONS = (
    (re.compile(r"\btemperature|\bhow (?:hot|cold|warm)|\bboiling|\bmelting|\bfreezing", re.I), "degC"),
    (re.compile(r"\bcost|\bprice|\bexpensive|\bhow much money|\bfee\b|\bworth\b|\btotal\b|\bpay\b", re.I), "money"),
    (re.compile(r"\bhow long .*\b(?:last|take|live|boil|cook|bake|keep|wait|warranty|open|stay|grow)|\bhow often|"
                r"\blifespan|\bduration|\bhow old|\bhalf-life|\bage\b|\bwarranty", re.I), "day"),
    (re.compile(r"\bhow (?:tall|high|far|deep|wide|long|large)\b|\bheight|\blength|\bwidth|\bdepth|\bdistance"
        r"|\brange\b|"
                r"\bwingspan", re.I), "meter"),
    (re.compile(r"\bhow (?:heavy)|\bweigh|\bmass\b|\bgrams?\b", re.I), "gram"),
    (re.compile(r"\bhow fast|\bspeed\b", re.I), "kilometer/hour"),
    (re.compile(r"\bpercent|\bproportion|\bshare of", re.I), "percent"),
    (re.compile(r"\bcapacity|\bvolume|\bhow much .*\bhold", re.I), "liter"),
    (re.compile(r"\barea\b", re.I), "meter**2"),
    (re.compile(r"\bcalor", re.I), "kilocalorie"),
    (re.compile(r"\bhorsepower", re.I), "horsepower"),
)  # fmt: skip
_MINI = re.compile(
    r"[.;:!?](?!\d)|,(?!\d{3})|\b(?:and|but|while|whereas|with|than|compared|against|although|or)\b", re.I
)
#: So many characters before and behind it may say what an amount is of.
_NEAR = 300
_WHOLE = re.compile(r"\s*(?:out )?of (?:the |these |those |all |a total of )?", re.I)
_BOUNDS = (
    (re.compile(r"\b(?:at least|no less than|a minimum of|minimum|more than|over|above"
        r"|exceed\w*)\s*(?:of\s*)?[$€£]?$", re.I), 1),
    (re.compile(r"\b(?:at most|up to|no more than|a maximum of|maximum|less than|under|below|as (?:much|far|tall"
        r"|fast) as)"
                r"\s*(?:of\s*)?[$€£]?$", re.I), -1),
)  # fmt: skip
_SLACK = (
    (re.compile(r"\b(?:over|more than|above|upwards of|at least|exceeding)\s*(?:an?\s*)?[$€£]?$", re.I), (1.0, 1.1)),
    (re.compile(r"\b(?:nearly|almost|(?:just )?under|close to|not quite|less than|up to|just shy of|barely)"
        r"\s*(?:an?\s*)?[$€£]?$", re.I), (0.9, 1.0)),
    (re.compile(r"(?:[~≈]|\b(?:about|around|roughly|approximately|some|circa|approx\.?|something like|ca\.?))"
        r"\s*(?:an?\s*)?[$€£]?$", re.I), (0.965, 1.035)),
)  # fmt: skip


@dataclass(frozen=True)
class Amount:
    """An amount and the meaning-bearing stems of the stretch of text it stands in; `bound` 1 for "at least".

    `slack`: between which multiples of it what is meant may lie ("over 3", "nearly 9", "about 40").
    """

    said: Quantity
    near: frozenset[str]
    noun: str | None
    counted: str | None
    bound: int
    sentence: int
    slack: tuple[float, float] = (1.0, 1.0)

    @property
    def denied(self) -> bool:
        return self.said.denied

    @property
    def written(self) -> str:
        unit = (self.said.unit or "").removeprefix("money:")
        return f"{self.said.value:g} {unit}".strip()


def amounts(text: str, *, years: bool = False) -> list[Amount]:
    """The amounts of a text that has gone through `figures.figures`, in order; with `years` also those that
    could be years ("1458")."""
    masked = re.sub(r"\bone\b", "¤¤¤", text, flags=re.I)
    masked = re.sub(
        r"\d{3}-\d{4}\b|\b\d+(?:st|nd|rd|th)\b|(?<=[A-Za-z])-?\d+\b(?![.,]\d)", lambda m: "¤" * len(m[0]), masked
    )
    for moment in moments(text):
        if years and moment.kind == "date" and moment.month is None:
            continue
        masked = masked[: moment.start] + "¤" * (moment.end - moment.start) + masked[moment.end :]
    cuts = [0, *(m.end() for m in _MINI.finditer(text)), len(text)]
    sentences = [m.start() for m in re.finditer(r"[;!?]|\.(?!\d)", text)]
    found = []
    for said in quantities(masked):
        start = max(cuts[bisect_right(cuts, said.start) - 1], said.start - _NEAR)
        end = min(cuts[min(bisect_left(cuts, said.end), len(cuts) - 1)], said.end + _NEAR)
        before = text[max(0, said.start - _NEAR) : said.start]
        around = content_words(read(text[start : said.start] + " " + text[said.end : end]))
        behind = read(text[said.end : end])
        after, next_word = [w for w in content_words(behind) if not w.text[0].isdigit()], behind[0] if behind else None
        bound = next((sign for pattern, sign in _BOUNDS if pattern.search(before)), 0)
        found.append(
            Amount(
                said,
                frozenset(word.stem for word in around if not word.text.isdigit()),
                after[0].stem if after else None,
                next_word.stem if next_word is not None and next_word.content and next_word.text.islower() else None,
                bound,
                bisect_left(sentences, said.start),
                next((slack for pattern, slack in _SLACK if pattern.search(before)), (1.0, 1.0)),
            )
        )
    return _joined(text, found)


def _joined(text: str, found: list[Amount]) -> list[Amount]:
    """ "Seven or eight seats": both ends of a range stand where the other one stands, and count the same."""
    for i in range(len(found) - 2, -1, -1):
        one, two = found[i], found[i + 1]
        between = text[one.said.end : two.said.start]
        if re.fullmatch(r"\s*(?:-|–|—|to|or)\s*", between) and comparable(replace(one, noun=None), two):
            near = one.near | two.near
            noun = one.noun if one.said.unit else two.noun
            found[i : i + 2] = [replace(one, near=near, noun=noun), replace(two, near=near)]
    return found


def around(text: str, start: int, end: int) -> frozenset[str]:
    """The stems of the meaning-bearing words of the stretch of text that a span stands in."""
    cuts = [0, *(m.end() for m in _MINI.finditer(text)), len(text)]
    left = max(c for c in cuts if c <= start)
    right = min((c for c in cuts if c >= end), default=len(text))
    return frozenset(w.stem for w in content_words(read(text[left:start] + " " + text[end:right])))


def agree(said: Amount, gold: Amount) -> bool:
    """Whether an amount said stands for one of the ground truth."""
    one, two = said.said, gold.said
    if one.unit == "pound" and two.unit == "money:GBP":
        one = replace(one, unit=two.unit)
    if one.unit is None and two.unit is not None:
        if said.counted is not None and said.counted not in gold.near:
            return False  # "750 bottles" is not 750 ml
        one = Quantity(one.value, one.decimals, two.unit, one.start, one.end)
    if one.unit is not None and two.unit is None:
        if one.unit not in ("year", "percent", "inch", "degC", "degF") and not one.unit.startswith("money:"):
            return gold.noun is not None and one.value == two.value and gold.noun[:4] == one.unit[:4]
        two = Quantity(two.value, two.decimals, one.unit, two.start, two.end)
    if same_quantity(one, two.value, two.unit):
        return True
    wanted = convert(two.value, two.unit, one.unit)
    if wanted is None or one.value * wanted <= 0:
        return False
    error = abs(one.value - wanted)
    share = error / abs(wanted)
    low, high = said.slack
    if gold.bound == 0 and low - 1e-9 <= wanted / one.value <= high + 1e-9 and _significant(one.value) <= 2:
        return True
    if one.unit != two.unit:
        return share <= 0.02 or (error <= 0.5 * 10.0**-one.decimals and share <= 0.05)
    if abs(two.value) < 20 or share > 0.025:
        return False
    rounder = _significant(one.value) < _significant(two.value)
    finer = error < 0.5 * 10.0**-two.decimals and one.decimals > two.decimals and not _both_money(said, gold)
    return rounder or finer


def close(said: Amount, gold: Amount) -> bool:
    """Whether an amount comes near one of the truth ("a bit over a year" beside "13 months")."""
    wanted = convert(gold.said.value, gold.said.unit, said.said.unit)
    return (
        wanted is not None and said.said.unit != gold.said.unit and abs(said.said.value - wanted) <= 0.15 * abs(wanted)
    )


def _significant(value: float) -> int:
    digits = f"{abs(value):.10g}".replace(".", "").strip("0")
    return len(digits)


def comparable(one: Amount, two: Amount) -> bool:
    """Whether two amounts measure the same kind of thing: one dimension, or bare and of the same noun."""
    if one.said.unit is None and two.said.unit is None:
        return one.noun == two.noun or one.noun is None or two.noun is None
    if one.said.unit is None or two.said.unit is None:
        return False
    return convert(one.said.value, one.said.unit, two.said.unit) is not None or _both_money(one, two)


def _both_money(one: Amount, two: Amount) -> bool:
    return all(a.said.unit is not None and a.said.unit.startswith("money:") for a in (one, two))


def asked_for(question: str, truth: str, found: Sequence[Amount], asked: frozenset[str]) -> list[Amount]:
    """Which of the ground truth's amounts the question asks for.

    Of the dimension that the question names, of those the ones that stand beside the question's own words, and of
    those the ones of the first clause that has any.
    """
    rest = [a for i, a in enumerate(found) if not (i and _WHOLE.fullmatch(truth[found[i - 1].said.end : a.said.start]))]
    named = re.search(r"\b(?:in|how (?:many|much)) (?:us )?([a-z]+)\b", question, re.I)
    unit = canonical_unit(named[1]) if named else None
    if unit and any(a.said.unit == unit for a in rest):
        rest = [a for a in rest if a.said.unit == unit]
    for pattern, unit in _DIMENSIONS:
        if pattern.search(question):
            fitting = [a for a in rest if _measures(a, unit)]
            if fitting:
                rest = fitting
                break
    many = re.search(r"\bhow many (?:\w+ ){0,2}?([a-z]+)", question, re.I)
    if many and len(rest) > 1:
        counted = {word.stem for word in content_words(read(question[many.start() : many.end() + 20]))}
        rest = [a for a in rest if a.near & counted or (a.noun or "") in counted] or rest
    if len(rest) > 1 and (whole := re.search(r"\b(?:together|altogether|in total|in all|combined)\b", question, re.I)):
        after = [a for a in rest if re.search(r"\b(?:so|together|total|all|altogether)\b", _stretch(truth, a), re.I)]
        return (after or rest)[-1:] if whole else rest
    if len(rest) > 1:
        best = max(len(a.near & asked) for a in rest)
        close = [a for a in rest if len(a.near & asked) == best]
        first = close[0]
        together = [first]
        for a in rest:
            if a is not first and (_range_with(together[-1], a) or (a in close and _apart(truth, first, a))):
                together.append(a)
        rest = together
    return rest


def _measures(amount: Amount, unit: str) -> bool:
    own = amount.said.unit
    if own is None:
        return False
    return own.startswith("money:") if unit == "money" else convert(1.0, own, unit) is not None


def _range_with(one: Amount, two: Amount) -> bool:
    return 0 <= two.said.start - one.said.end <= 8 and comparable(one, two)


def _stretch(text: str, amount: Amount) -> str:
    """The part of a sentence that an amount stands in."""
    start = max((m.end() for m in re.finditer(r"[.;,](?!\d)", text[: amount.said.start])), default=0)
    return text[start : amount.said.end]


def _apart(truth: str, one: Amount, other: Amount) -> bool:
    """Whether two amounts stand for two things of the question: said of different things, in one sentence part."""
    alike = one.said.unit == other.said.unit and one.near != other.near and one.sentence == other.sentence
    return alike and re.search(r"\b(?:and|while|but|or)\b", truth[one.said.end : other.said.start]) is not None


def follows(value: Amount, others: Sequence[Amount]) -> bool:
    """Whether an amount is a sum, difference or product of two of the others: a step of a reckoning."""
    target = value.said.value
    numbers = [a.said.value for a in others if a is not value]
    for i, a in enumerate(numbers):
        for b in numbers[i + 1 :]:
            if 1.0 in (a, b) and target in (a, b):
                continue
            if any(math.isclose(target, r, rel_tol=5e-3) for r in (a + b, abs(a - b), a * b) if r):
                return True
    return False
