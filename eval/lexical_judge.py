"""The lexical judge: what the rules of `eval.lexical` find, weighed with what a small model reads (`eval.equivalence`).

Refusals, silence and answers equal to the ground truth are the rules' alone. For everything else both are weighed
(`eval.lexical_weighing`), and the likeliest verdict is taken.
"""

from __future__ import annotations

from eval.equivalence import LABELS, equivalence
from eval.lexical import judge_texts
from eval.lexical_case import Case
from eval.lexical_weighing import chances, signs
from eval.metrics import Verdict


def judge_answer(question: str, truth: str, answer: str) -> tuple[Verdict, str]:
    """The verdict on an answer and why, in a few words."""
    verdict, why = judge_texts(question, truth, answer)
    if verdict == "missing" or not truth.strip() or why == "equal to the ground truth":
        return verdict, why
    read = equivalence().logits([(question, truth, answer)])[0]
    found = chances(signs(Case(question, truth, answer).kind, verdict == "correct", read, truth, answer))
    likeliest = LABELS[int(found.argmax())]
    if likeliest == "missing":
        return "missing", "reads as a refusal"
    if likeliest == verdict:
        return verdict, why
    p = found.max()
    if likeliest == "correct":
        return "correct", f"reads as saying the same in other words ({p:.2f})"
    return "wrong", f"reads as saying something else ({p:.2f})"
