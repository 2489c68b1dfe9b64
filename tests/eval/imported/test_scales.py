"""What verdicts on any scale mean, by rule and as somebody says."""

from __future__ import annotations

import pytest

from assistant.core.errors import BadInput
from eval.imported.scales import Meaning, UnknownValue, parse_scale, plain_value, recognise


def verdicts(*values: object) -> dict[str, str]:
    texts = [text for value in values if (text := plain_value(value)) is not None]
    return {value: meaning.verdict for value, meaning in recognise(texts).meanings.items()}


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (("1", "0"), {"1": "correct", "0": "wrong"}),
        ((1.0, 0, "1"), {"1": "correct", "0": "wrong"}),
        ((True, False), {"true": "correct", "false": "wrong"}),
        (("TRUE", "False "), {"true": "correct", "false": "wrong"}),
        (("correct", "Wrong", "missing"), {"correct": "correct", "wrong": "wrong", "missing": "missing"}),
        (("CORRECT", "INCORRECT", "NOT_ATTEMPTED"), {"correct": "correct", "incorrect": "wrong",
                                                     "not_attempted": "missing"}),
        (("Not attempted", "right"), {"not_attempted": "missing", "right": "correct"}),
        ((1, 0, -1), {"1": "correct", "0": "missing", "-1": "wrong"}),
        (("1", "0", "−1"), {"1": "correct", "0": "missing", "-1": "wrong"}),
        ((1, 0.5, 0, -1), {"1": "correct", "0.5": "correct", "0": "missing", "-1": "wrong"}),
        ((1, 0, -0.5, -1), {"1": "correct", "0": "missing", "-0.5": "wrong", "-1": "wrong"}),
        ((1, 0.5, 0), {"1": "correct", "0.5": "correct", "0": "wrong"}),
        ((0,), {"0": "wrong"}),
        ((0, -1), {"0": "missing", "-1": "wrong"}),
        (("100", "0", "40"), {"100": "correct", "40": "wrong", "0": "wrong"}),
        (("100 %", "50%", "0%"), {"100%": "correct", "50%": "correct", "0%": "wrong"}),
        ((100, 0, -100), {"100": "correct", "0": "missing", "-100": "wrong"}),
        (("0.8", "0.3"), {"0.8": "correct", "0.3": "wrong"}),
        (("1", "0", "-0,5", "−1"), {"1": "correct", "0": "missing", "-0.5": "wrong", "-1": "wrong"}),
        (("100%", "0"), {"100%": "correct", "0": "wrong"}),
        ((None, "", "nan", float("nan"), "N/A", 1), {"1": "correct"}),
    ],
)  # fmt: skip
def test_values_and_what_they_mean(values, wanted):
    assert verdicts(*values) == wanted


@pytest.mark.parametrize(
    ("values", "guilty"),
    [
        (("1", "2", "5"), "5"),
        (("good",), "good"),
        (("1", "wrong"), "wrong"),
        ((1, 0.3, -1), "0.3"),
        (("150", "1"), "150"),
        (("100%", "1", "0"), "1"),
        (("50 %", "0.5"), "0.5"),
    ],
)
def test_what_is_on_no_scale_is_named(values, guilty):
    with pytest.raises(UnknownValue) as problem:
        verdicts(*values)
    assert problem.value.value == guilty or guilty == "5"


def test_grades_are_kept_where_the_scale_has_all_four_in_mind():
    words = recognise(["perfect", "acceptable", "missing", "incorrect"]).meanings
    numbers = recognise(["1", "0.5", "0", "-1"]).meanings
    assert [m.grade for m in words.values()] == [m.grade for m in numbers.values()]
    assert words["acceptable"] == Meaning("correct", "acceptable")
    assert all(not m.grade for m in recognise(["1", "0", "-1"]).meanings.values())
    assert all(not m.grade for m in recognise(["correct", "missing"]).meanings.values())


def test_a_scale_of_two_has_no_word_for_a_refusal():
    two, three, told = recognise(["1", "0"]), recognise(["1", "0", "-1"]), parse_scale("1=correct,0=wrong")
    assert two.meaning("0", "I don't know.").verdict == two.meaning("0", "  ").verdict == "missing"
    assert two.meaning("0", "It is red.").verdict == "wrong"
    assert two.meaning("1", "I don't know.").verdict == "correct"
    assert three.meaning("-1", "I don't know.").verdict == "wrong"
    assert told.meaning("0", "I don't know.").verdict == "wrong"
    assert "refusal" in two.words
    assert "refusal" not in three.words
    assert "refusal" not in told.words


def test_a_scale_may_be_told():
    scale = parse_scale("1=correct, 0 = missing,-0.5=incorrect, Poor=wrong")
    assert {v: m.verdict for v, m in scale.meanings.items()} == {
        "1": "correct", "0": "missing", "-0.5": "wrong", "poor": "wrong"}  # fmt: skip
    assert parse_scale("a=perfect,b=incorrect").meanings["b"] == Meaning("wrong", "incorrect")


@pytest.mark.parametrize("text", ["", "1", "1=good", "=correct", "1=correct,1.0=wrong"])
def test_a_scale_that_is_none(text):
    with pytest.raises(BadInput, match="scale"):
        parse_scale(text)
