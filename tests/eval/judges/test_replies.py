"""Replies of judging models in all the shapes they come in."""

from __future__ import annotations

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from eval.judges.replies import public_reading, read_verdict

CORRECT = [
    "Result: CORRECT",
    "**Result:** CORRECT",
    "The numbers agree (rule 3a).\nResult: CORRECT\n",
    "result: correct.",
    "Final verdict: Correct",
    "CORRECT",
    "Correct. The two amounts are the same.",
    '{"accuracy": true}',
    '{"accuracy": 1}',
    '{"verdict": "CORRECT", "why": "same year"}',
    '```json\n{\n  "accuracy": true\n}\n```',
    'Sure, here is my assessment:\n\n{"accuracy": true}\n\nLet me know if you need more.',
    "{'accuracy': True}",
    '{"explanation": "the answer is not wrong on the year", "accuracy": true}',
    "Both name the same firm (rule 7).\n\\boxed{CORRECT}",
    "Both say so. $\\boxed{\\text{CORRECT}}$",
    "Result: \\textbf{CORRECT}",
    "Both name the same firm.\n<result>CORRECT</result>",
    "<why>Both.</why> <verdict>\n  correct\n</verdict>",
    "<answer>CORRECT</answer>",
    "<p>Result: <b>CORRECT</b></p>",
    "<score>1</score>",
    "&lt;result&gt;CORRECT&lt;/result&gt;",
    "```\nResult: CORRECT\n```",
    "Both name the same firm.\nResult:\u200bCORRECT",
    "\ufeffRe\u00adsult\u2060: COR\u200bRECT",
    "Ｒｅｓｕｌｔ：ＣＯＲＲＥＣＴ",
    "| Result | CORRECT |",
    "Result: CORRECT<|im_end|>",
    "Strictly that is Result: WRONG, by the unit.\n</think>\n\nThe same amount (rule 3a).\nResult: CORRECT",
    "[THINK]Result: WRONG[/THINK]Result: CORRECT",
    "<|channel|>analysis<|message|>Result: WRONG<|end|><|start|>assistant<|channel|>final<|message|>Result: CORRECT",
    "analysisIs it right? Result: WRONGassistantfinalResult: CORRECT",
    "Result: CORRECT\nThe reason is that the answ",
    "<think>Hmm, is this wrong? Result: WRONG maybe. No.</think>\nResult: CORRECT",
    "I was asked to say 'Result: CORRECT' or 'Result: WRONG'. Both name Oslo.\nResult: CORRECT",
    "Result: WRONG\nWait, 12 inches are 30.5 cm, so the values agree.\nResult: CORRECT",
    "The prediction matches the ground truth.",
    "So the answer is correct.",
]
WRONG = [
    "Result: WRONG",
    "Result: INCORRECT",
    "INCORRECT",
    "Incorrect.",
    "Result: NOT CORRECT",
    "Result: **not correct**",
    "The answer is not correct.",
    "The answer isn't correct, since the year differs.",
    "The prediction is incorrect.",
    "The prediction does not match the ground truth.",
    '{"accuracy": false}',
    '{"accuracy": 0}',
    '{"accuracy": -1}\n\nExplanation: the prediction is correct on the year and wrong on the place.',
    '{"verdict": "INCORRECT"}',
    '{"result": "wrong", "reason": "the correct answer is 12"}',
    "The answer is <b>not</b> correct.",
    "The answer is \\emph{not} correct.",
    "<verdict>partially correct</verdict>",
    "$\\boxed{INCORRECT}$",
    "Partly right at best.\nResult: PARTIALLY CORRECT",
    "Result: CORRECT at first sight. Actually the unit is another one.\nResult: WRONG",
    "The correct answer is 12 m; the prediction says 12 ft. Result: WRONG",
    "- Result: WRONG\n",
    "Verdict - wrong",
]
UNREADABLE = [
    "",
    "   \n",
    "Result:",
    "Result: CORRECT|WRONG",
    "Result: [CORRECT/WRONG]",
    "I cannot see the picture.",
    "Result: CORRECT\nResult: WRONG",
    '{"accuracy": true}\nResult: WRONG',
    '{"accuracy": null}',
    "The prediction mentions a blue car and the ground truth a",
    '{"accuracy": 85}',
    # cut off, or only thought
    '{"accuracy": tru',
    "Same place. Result: CORR",
    "Result: INCORR",
    "<think>So the answer is not correct",
    "<think>Hmm. Result: CORRECT</think>",
    "If it said so, Result: CORRECT</think>",
    "<seed:think>Result: CORRECT</seed:think>",
    "<reasoning>The answer is correct.</reasoning>",
]


@pytest.mark.parametrize("reply", CORRECT)
def test_correct_is_read(reply):
    assert read_verdict(reply).verdict == "correct"


@pytest.mark.parametrize("reply", WRONG)
def test_wrong_is_read(reply):
    assert read_verdict(reply).verdict == "wrong"


@pytest.mark.parametrize("reply", UNREADABLE)
def test_what_says_nothing_or_both_is_unreadable(reply):
    found = read_verdict(reply)
    assert found.verdict is None
    assert found.why


def test_the_reason_is_told_without_the_verdict_and_its_markup():
    for reply in (
        "Both (rule 7).\n\\boxed{CORRECT}",
        "Both (rule 7).\n<result>CORRECT</result>",
        "Both (rule 7).\nRIGHT",
    ):
        assert read_verdict(reply).why == "Both (rule 7)."
    assert read_verdict("<think>Is it?</think>Both (rule 7).\nResult: CORRECT").why == "Both (rule 7)."
    assert read_verdict("```\nResult: CORRECT\n```").why == "Result: CORRECT"


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("A", "correct"), ("B", "wrong"), ("C", "missing"), ("C: NOT_ATTEMPTED", "missing"),
        ("Result: INCORRECT", "wrong"),
        ("NOT_ATTEMPTED", "missing"), ('{"grade": "B"}', "wrong"), ("Result: NOT ATTEMPTED", "missing"),
        ("It declines.\nResult: NOT_ATTEMPTED", "missing"), ("Result: CORRECT", "correct"),
    ],
)  # fmt: skip
def test_the_three_labels_of_simpleqa(reply, verdict):
    assert read_verdict(reply, "simpleqa").verdict == verdict


def test_the_graded_scale_knows_missing():
    assert [read_verdict(f'{{"accuracy": {n}}}', "graded").verdict for n in (1, 0, -1)] == [
        "correct",
        "missing",
        "wrong",
    ]
    assert read_verdict('{"accuracy": 0}').verdict == "wrong"


def test_the_public_reading_has_its_quirks():
    assert public_reading("The two differ.\nINCORRECT") is True  # "CORRECT" stands in it
    assert public_reading("Result: WRONG\nResult: CORRECT") is False
    assert public_reading('{"accuracy": true}') is None
    assert public_reading("Result: CORRECT\nThe reason is") is True
    assert public_reading("Result: WRONG?</think>Result: CORRECT") is True


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@drawn(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text):
    assert read_verdict(text).verdict in ("correct", "wrong", "missing", None)


@settings(max_examples=100, deadline=None)
@drawn(
    st.sampled_from(["It names the same town (rule 7).", "Both say 12.", "", "The unit differs."]),
    st.sampled_from([("CORRECT", "correct"), ("WRONG", "wrong"), ("INCORRECT", "wrong")]),
    st.sampled_from(
        ["Result: {}", "**Result: {}**", "Result: **{}**", "Verdict: {}.", '{{"verdict": "{}"}}', "`Result: {}`"]
    ),
    st.sampled_from(["", "\n", "\n\nHope this helps!"]),
)
def test_a_stated_verdict_survives_its_surroundings(reason, label, form, after):
    assert read_verdict(f"{reason}\n{form.format(label[0])}{after}").verdict == label[1]
