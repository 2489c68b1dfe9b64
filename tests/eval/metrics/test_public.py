"""Golden cases worked out by hand, and the public evaluator's own figures on the oracle."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from eval.metrics.public import (
    JudgedTurn,
    PublicTurn,
    is_exact_match,
    is_refusal,
    public_flags,
    public_scores,
    reading,
)

RIGHT, WRONG, MISSING = "correct", "wrong", "missing"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I don't know", True),
        ("I don’t know.", True),
        ("I DON'T KNOW!", True),
        ("Sorry, i dont know that one", True),
        ("I do not know the answer.", True),
        ("Well, I don't know: the sign is cut off.", True),
        ("It is 3, but I don't know why.", True),
        ("I don't  know", False),  # two spaces stay two
        ("I can't tell.", False),
        ("I don't\nknow", False),
        ("We do not know", False),
        ("", False),
    ],
)
def test_refusals_by_the_public_phrase_rule(text, found):
    assert is_refusal(text) is found


def test_exact_match_ignores_case_and_outer_space_only():
    assert is_exact_match("  AMBER River 636 ", "Amber river 636")
    assert not is_exact_match("amber  river 636", "Amber river 636")
    assert is_exact_match("", "  ")


def test_exact_match_comes_before_the_judge_and_a_refusal_is_never_judged():
    assert public_flags("Seven", "seven", False).is_correct
    assert public_flags("seven", "seven", None).is_semantically_correct
    assert not public_flags("I don't know", "seven", True).is_correct
    both = public_flags("I don't know", "i don't know ", None)
    assert both.is_correct
    assert both.is_miss


def turn(session, index, answer, truth="seven", verdict=None):
    return PublicTurn(session, index, public_flags(answer, truth, verdict))


def test_public_scores_by_hand():
    # a: wrong, missing -> stop, the right third turn is missing: 0 right, 1 wrong of 3. b: right. c: 1 right 1 wrong.
    turns = [
        turn("a", 2, "seven"),
        turn("a", 0, "eight", verdict=False),
        turn("a", 1, "I don't know"),
        turn("b", 0, "7", verdict=True),
        turn("c", 0, "7", verdict=True),
        turn("c", 1, "9", verdict=None),
    ]
    scores = public_scores(turns)
    assert scores["total"] == 6.0
    assert scores["correct_exact"] == 1.0
    assert scores["correct"] == 3.0  # the stop does not reach the rates
    assert scores["miss"] == 1.0
    assert scores["hallucination"] == 2.0
    assert scores["truthfulness_score"] == pytest.approx((2 * 3 + 1) / 6 - 1)
    assert scores["mean_multi_turn_conversation_score"] == pytest.approx((-1 / 3 + 1 + 0) / 3)


def test_a_missing_turn_is_not_noticed():
    gap = public_scores([turn("a", 0, "x"), turn("a", 4, "y"), turn("a", 5, "seven")])
    assert gap["mean_multi_turn_conversation_score"] == pytest.approx(-2 / 3)


def test_turns_that_are_both_right_and_missing_shrink_the_hallucinations():
    scores = public_scores([turn("a", 0, "I don't know", "I don't know"), turn("b", 0, "x")])
    assert (scores["correct"], scores["miss"], scores["hallucination"]) == (1.0, 1.0, 0.0)


def test_one_turn_has_no_truthfulness_and_no_turns_have_no_rates():
    assert public_scores([turn("a", 0, "seven")])["truthfulness_score"] == 0.0
    nothing = public_scores([])
    assert nothing["total"] == 0.0
    assert nothing["truthfulness_score"] == 0.0
    assert math.isnan(nothing["accuracy"])
    assert math.isnan(nothing["mean_multi_turn_conversation_score"])


def judged(session, *values):
    return [JudgedTurn(session, i, None if v == "failed" else v, failed=v == "failed") for i, v in enumerate(values)]


def test_paper_and_readme_differ_in_what_stops_a_conversation():
    turns = judged("a", MISSING, MISSING, RIGHT, RIGHT) + judged("b", WRONG, WRONG, RIGHT) + judged("c", RIGHT, WRONG)
    paper, readme = reading(turns, "paper"), reading(turns, "readme")
    # paper: a stops after two missing: 0; b stops: -2/3; c: 0
    assert paper["truthfulness"] == pytest.approx((0 - 2 / 3 + 0) / 3)
    assert paper["early_stop"] == pytest.approx(2 / 3)
    assert paper["grand_mean"] == pytest.approx((0 - 2 + 0) / 9)
    assert paper["successful_turns"] == pytest.approx(1 / 3)
    # README: a goes on: 2/4; b stops: -2/3; c: 0
    assert readme["truthfulness"] == pytest.approx((2 / 4 - 2 / 3 + 0) / 3)
    assert readme["early_stop"] == pytest.approx(1 / 3)
    assert readme["successful_turns"] == pytest.approx((2 + 0 + 1) / 3)
    # the rates are of all turns in both
    assert paper["accuracy"] == readme["accuracy"] == pytest.approx(4 / 9)
    assert paper["hallucination_rate"] == pytest.approx(3 / 9)


def test_a_stop_at_the_last_turn_is_no_early_stop():
    assert reading(judged("a", RIGHT, WRONG, WRONG), "paper")["early_stop"] == 0.0
    assert reading(judged("a", WRONG), "paper")["truthfulness"] == -1.0


def test_failed_and_unjudged_turns_are_missing_and_counted():
    scores = reading(judged("a", "failed", RIGHT, None), "paper")
    assert (scores["n"], scores["n_failed"], scores["n_unjudged"]) == (3, 1, 1)
    assert scores["missing"] == pytest.approx(2 / 3)


def test_readings_without_turns_say_nothing():
    scores = reading([], "paper")
    assert scores["truthfulness"] is None
    assert scores["n"] == 0


def test_oracle_figures_to_the_last_digit():
    from eval.reports import public_format

    folder = Path(__file__).parents[2] / "data" / "oracle" / "11"
    turns = public_format.read_turns(folder / "turns.jsonl")
    rows = public_format.evaluate(turns, public_format.read_verdicts(folder / "verdicts.json", turns))
    assert public_format.scores(rows) == json.loads((folder / "scores.json").read_text())
