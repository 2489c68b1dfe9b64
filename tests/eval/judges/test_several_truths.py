"""A question with several right answers: each judge takes an answer that fits any of them."""

from __future__ import annotations

import threading

import pytest

from assistant.models.protocol import ModelReply
from eval.annotate.overlay import overlaid
from eval.annotate.overlay_files import Correction
from eval.judges.exact import judge_exact
from eval.judges.lexical.judge import LexicalVerdict, best_of
from eval.judges.llm import LlmJudge
from eval.judges.prompts import user_message
from eval.judges.registry import judge_lexical

LINE = {
    "interaction_id": "a",
    "query": "who voices the sea witch in the film of 1989?",
    "ground_truth": "Pat Carroll",
    "truths": ["Patricia Ann Carroll", "Carroll"],
    "agent_response": "",
    "status": "answered",
}


def line(answer, **more):
    return {**LINE, "agent_response": answer, **more}


@pytest.mark.parametrize(
    ("answer", "verdict", "why"),
    [
        ("pat carroll", "correct", "equal to the ground truth"),
        (" PATRICIA ANN CARROLL ", "correct", "equal to another right answer"),
        ("Angela Lansbury", "wrong", "not the ground truth"),
        ("I don't know", "missing", "a refusal"),
        ("", "missing", "an empty answer"),
    ],
)
def test_letter_by_letter(answer, verdict, why):
    found = judge_exact(line(answer))
    assert (found.verdict, found.why) == (verdict, why)


def test_an_empty_alternative_makes_no_empty_answer_right():
    assert judge_exact(line("", truths=[""])).verdict == "missing"


def v(verdict, sure=True):
    return LexicalVerdict(verdict, "", sure)


@pytest.mark.parametrize(
    ("found", "best"),
    [
        ([v("wrong"), v("correct"), v("wrong")], v("correct")),
        ([v("wrong"), v("wrong")], v("wrong")),
        ([v("wrong"), v("wrong", False)], v("wrong", False)),
        ([v("wrong"), v("correct", False)], v("correct", False)),
        ([v("correct", False), v("missing")], v("missing")),
        ([v("wrong", False), v("correct", False)], v("correct", False)),
    ],
)
def test_the_verdict_that_says_most(found, best):
    assert best_of(found) == best


def test_by_what_texts_say():
    one = {**LINE, "query": "how tall is the tower?", "ground_truth": "It is 187 metres tall.", "truths": []}
    assert judge_lexical({**one, "agent_response": "The tower is 190 metres tall."}).verdict == "wrong"
    other = {**one, "truths": ["It is 190 metres tall with its mast."]}
    assert judge_lexical({**other, "agent_response": "The tower is 190 metres tall."}).verdict == "correct"


class Scripted:
    class options:
        model, prices = "scripted", None

    def __init__(self):
        self.asked = []

    def complete(self, messages, **how):
        self.asked.append(messages[-1]["content"])
        return ModelReply("It is one of them.\nResult: CORRECT", "scripted", 1, 1, "stop")


def test_a_model_is_told_every_right_answer():
    client = Scripted()
    found = LlmJudge(client).judge(line("the actress Carroll"), threading.Event())
    assert found.verdict == "correct"
    (told,) = client.asked
    for n, truth in ((2, "Patricia Ann Carroll"), (3, "Carroll")):
        assert f"true answer {n}]\n{truth}\n" in told
    assert "Each of the true answers is right by itself" in told


def test_one_right_answer_is_asked_about_as_before():
    assert user_message("q", "t", "a", ()) == user_message("q", "t", "a")
    assert "Each of the true answers" not in user_message("q", "t", "a")
    mark = user_message("q", "t", "a").partition(" ")[0]
    assert mark not in user_message("q", "t", "a", ("u",))  # no text can foresee it, alternatives included


def test_a_correction_takes_the_place_of_all_right_answers():
    correction = Correction("a", "Pat Carroll", "Jodi Benson", "someone", "2026-01-01", 1)
    (found,) = overlaid([line("Carroll")], [correction]).lines
    assert found["ground_truth"] == "Jodi Benson"
    assert "truths" not in found


def test_a_question_on_a_false_premise():
    line = {
        "query": "in which year did Ira Vold win the Grand Prize?",
        "ground_truth": "Invalid question.",
        "status": "answered",
    }
    for answer, verdict, leaning in (
        ("invalid question", "correct", None),
        ("He never won the Grand Prize.", None, "wrong"),
        ("In 2019.", None, "wrong"),
    ):
        found = judge_lexical({**line, "agent_response": answer})
        assert (found.verdict, found.leaning) == (verdict, leaning), answer
    assert judge_lexical({**line, "ground_truth": "2017", "agent_response": "In 2019."}).verdict == "wrong"
    said = "takes for granted what is not so"
    assert said in user_message(line["query"], "invalid  question", "In 2019.")
    assert said in user_message(line["query"], "he never did", "In 2019.", ("Invalid question",))
    assert said not in user_message(line["query"], "2017", "This is an invalid question")
