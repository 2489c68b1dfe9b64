"""Verdicts on whatever scale they come: what each value of a file means, by rule or as it is told.

The rules, in order; what they make of a file is told before anything rests on it, and `parse_scale` overrides them:

- Words mean what they say: correct, right, true, yes, perfect, acceptable are correct; wrong, incorrect, false, no,
  hallucination are wrong; missing, not attempted, abstained, refused are missing. Perfect, acceptable, missing and
  incorrect are CRAG's grades (arXiv 2406.04744, section 3), and kept as such.
- Numbers above 10, or with a percent sign, are percent, and divided by 100; where only some have the sign, nothing
  is said of the others, and they have to be named. Numbers from 1 to 10 that are no percent
  (marks from 1 to 5, say) are on no scale that could be told from the values: they have to be named.
- 1 is correct, and so is one half and more (acceptable); less than a half is wrong. Anything negative is wrong, also
  −0.5, a milder penalty for an answer that is wrong all the same.
- 0 is wrong where nothing is negative, and missing beside a negative value.
- Where no value of the file means missing, an answer that refuses (the public phrase rule) or is empty is missing in
  place of wrong: such a scale has no word for it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.core.errors import BadInput
from eval.metrics.public import GRADES, Verdict, is_refusal

_CORRECT = ("correct", "right", "true", "yes", "accurate", "perfect", "acceptable")
_WRONG = ("wrong", "incorrect", "false", "no", "inaccurate", "hallucination", "hallucinated")
_MISSING = ("missing", "miss", "not_attempted", "abstained", "refused", "refusal", "deflected", "unanswered", "idk")
WORDS: dict[str, Verdict] = {
    **dict.fromkeys(_CORRECT, "correct"),
    **dict.fromkeys(_WRONG, "wrong"),
    **dict.fromkeys(_MISSING, "missing"),
}
#: What stands for "no verdict".
NONE = ("", "none", "null", "nan", "n/a", "na")
_OF_GRADE: dict[str, Verdict] = {"perfect": "correct", "acceptable": "correct", "missing": "missing",
                                 "incorrect": "wrong"}  # fmt: skip
_GRADE_OF = {worth: grade for grade, worth in GRADES.items()}
_NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?) ?(%?)")
#: `0,5`: as spreadsheets write one half in much of the world.
_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+ ?%?)")
#: Percent without their sign are told from marks by being larger than any mark.
_LARGEST_MARK = 10


@dataclass(frozen=True)
class Meaning:
    """What one value means; `grade` is CRAG's, where the scale has its four."""

    verdict: Verdict
    grade: str = ""


@dataclass(frozen=True)
class Scale:
    """Value (as `plain_value` writes it) → meaning. `told`: as somebody said, not by rule."""

    meanings: Mapping[str, Meaning]
    told: bool = False

    @property
    def has_missing(self) -> bool:
        return any(meaning.verdict == "missing" for meaning in self.meanings.values())

    def meaning(self, value: str, answer: str) -> Meaning:
        """What a value says of an answer."""
        found = self.meanings[value]
        if found.verdict == "wrong" and not self.told and not self.has_missing and is_silent(answer):
            return Meaning("missing")
        return found

    @property
    def words(self) -> str:
        """`1 = correct, 0 = wrong`; with what becomes of refusals where the scale has no word for them."""
        parts = [f"{value} = {meaning.grade or meaning.verdict}" for value, meaning in self.meanings.items()]
        silent = "; a refusal or an empty answer that is not correct counts as missing"
        return ", ".join(parts) + (silent if not self.told and not self.has_missing else "")


class UnknownValue(ValueError):
    """A value that is on no scale known here; the text says why, to stand behind the place where it is."""

    def __init__(self, value: str, why: str):
        super().__init__(why)
        self.value = value


def is_silent(answer: str) -> bool:
    """Whether an answer refuses by the public phrase rule, or says nothing."""
    return not answer.strip() or is_refusal(answer)


def plain_value(value: Any) -> str | None:
    """A verdict as it came, in one spelling: `1.0`, `"1"` and `1` are the same; None where there is none."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    text = " ".join(str(value).split()).replace("−", "-").casefold()
    if text in NONE:
        return None
    if comma := _DECIMAL_COMMA.fullmatch(text):
        text = f"{comma[1]}.{comma[2]}"
    if number := _NUMBER.fullmatch(text):
        return f"{float(number[1]):g}{number[2]}"
    return re.sub(r"[\s-]+", "_", text)


def recognise(values: Iterable[str]) -> Scale:
    """The scale that these values are of, by the rules above.

    Raises:
        UnknownValue: one of them is on no scale that could be told.
    """
    found = list(dict.fromkeys(values))
    numbers = [value for value in found if _NUMBER.fullmatch(value)]
    if numbers and len(numbers) < len(found):
        odd = next(value for value in found if value not in numbers)
        raise UnknownValue(odd, "a word among numbers: what each means has to be told")
    if numbers:
        return Scale(_of_numbers(numbers))
    for value in found:
        if value not in WORDS:
            raise UnknownValue(value, "on no scale known here: what each value means has to be told")
    graded = "perfect" in found or "acceptable" in found
    grades = {word: "incorrect" if WORDS[word] == "wrong" else word for word in found} if graded else {}
    return Scale({v: Meaning(WORDS[v], grades[v] if grades.get(v) in GRADES else "") for v in found})


def _of_numbers(values: list[str]) -> dict[str, Meaning]:
    read = {value: float(value.rstrip("%")) for value in values}
    bare = next((value for value, number in read.items() if number and not value.endswith("%")), None)
    if bare is not None and any(value.endswith("%") for value in values):
        raise UnknownValue(bare, "without the percent sign that others have: what it means has to be told")
    largest = max(read.values(), key=abs)
    percent = any(value.endswith("%") for value in values) or abs(largest) > _LARGEST_MARK
    worth = {value: number / 100 if percent else number for value, number in read.items()}
    negative = any(number < 0 for number in worth.values())
    grades = negative and 0.5 in worth.values() and set(worth.values()) <= set(_GRADE_OF)
    found = {}
    for value, number in worth.items():
        if abs(number) > 1:
            raise UnknownValue(value, "outside −1 to 1 and no percent: what each mark means has to be told")
        if negative and 0 < number < 0.5:
            raise UnknownValue(value, "between missing and half right: what it means has to be told")
        verdict: Verdict = "wrong" if number < 0.5 else "correct"
        if number == 0 and negative:
            verdict = "missing"
        found[value] = Meaning(verdict, _GRADE_OF[number] if grades else "")
    return dict(sorted(found.items(), key=lambda item: -worth[item[0]]))


def parse_scale(text: str) -> Scale:
    """`1=correct,0=missing,-0.5=wrong`: as somebody says. CRAG's four grades may be named in place of verdicts.

    Raises:
        BadInput: a part that is no VALUE=MEANING.
    """
    found: dict[str, Meaning] = {}
    for part in text.split(","):
        name, equals, word = part.rpartition("=")
        value, meaning = plain_value(name), word.strip().casefold()
        if not equals or value is None or meaning not in (*WORDS, *_OF_GRADE):
            raise BadInput(
                f"the scale {text!r} has {part.strip()!r}: give VALUE=MEANING with commas between, where MEANING is "
                "correct, wrong, missing, perfect, acceptable or incorrect"
            )
        if value in found:
            raise BadInput(f"the scale {text!r} says twice what {value!r} means")
        found[value] = Meaning(WORDS[meaning], meaning if meaning in _OF_GRADE else "")
    if not any(one.grade in ("perfect", "acceptable") for one in found.values()):
        found = {value: Meaning(one.verdict) for value, one in found.items()}
    return Scale(found, told=True)
