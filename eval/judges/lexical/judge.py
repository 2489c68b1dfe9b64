"""The lexical judge: what the rules of `eval.judges.lexical.rules` find, weighed with what a small model reads
(`eval.judges.lexical.equivalence`).

Refusals, silence and answers equal to the ground truth are the rules' alone. For everything else both are weighed
(`eval.judges.lexical.weighing`), and the likeliest verdict is taken. Where it is not likely enough, it is only what the
judge leans to: a wrong answer that is called right spoils a score more than one that is left to somebody who can read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.judges.lexical.case import Case
from eval.judges.lexical.equivalence import LABELS, equivalence
from eval.judges.lexical.rules import judge_texts
from eval.judges.lexical.weighing import chances, is_sure, signs
from eval.metrics.public import Verdict

#: So much of each text is looked at. The rules compare every amount with every other: a page of figures would take
#: minutes, and no answer that is scored is as long (`eval.runs.answer_cut`).
_MOST_CHARS = 1000
#: Of the verdicts against several right answers, which says most: wrong by one of them says nothing of the others.
_SAYS_MOST = (("correct", True), ("missing", True), ("correct", False), ("missing", False), ("wrong", False))


@dataclass(frozen=True)
class LexicalVerdict:
    """The likeliest verdict and why, in a few words; `sure` is False where it is only what the judge leans to."""

    verdict: Verdict
    why: str
    sure: bool = True


def judge_answer(question: str, truth: str, answer: str) -> LexicalVerdict:
    """What an answer is worth against a ground truth."""
    question, truth, answer = (text.strip()[:_MOST_CHARS] for text in (question, truth, answer))
    verdict, why = judge_texts(question, truth, answer)
    if verdict == "missing" or not truth.strip() or why == "equal to the ground truth":
        return LexicalVerdict(verdict, why)
    read = equivalence().logits([(question, truth, answer)])[0]
    found = chances(signs(Case(question, truth, answer).kind, verdict == "correct", read, truth, answer))
    likeliest = LABELS[int(found.argmax())]
    sure = is_sure(found)
    if likeliest == "missing":
        return LexicalVerdict("missing", "reads as a refusal", sure)
    if likeliest == verdict:
        return LexicalVerdict(verdict, why, sure)
    p = found.max()
    if likeliest == "correct":
        return LexicalVerdict("correct", f"reads as saying the same in other words ({p:.2f})", sure)
    return LexicalVerdict("wrong", f"reads as saying something else ({p:.2f})", sure)


def best_of(found: Sequence[LexicalVerdict]) -> LexicalVerdict:
    """The verdict of an answer that is right if it says any of several things; `found` are those against each.

    It is wrong for sure only where it is so against each.
    """
    for verdict, sure in _SAYS_MOST:
        for one in found:
            if (one.verdict, one.sure) == (verdict, sure):
                return one
    return found[0]
