"""The lexical judge: what the rules of `eval.lexical` find, weighed with what a small model reads (`eval.equivalence`).

Refusals, silence and answers equal to the ground truth are the rules' alone. For everything else the model's log-odds
and the rules' verdict are added up. The rules weigh more than a fit on the answers set aside for it would have them
(there all weights between 1.4 and 3 agree equally well): on ground truths of few words, and on real answers judged by
another model, they are the surer part.
"""

from __future__ import annotations

import math

import numpy as np

from eval.equivalence import LABELS, equivalence
from eval.lexical import judge_texts
from eval.metrics import Verdict

#: What the model's log-odds count, what a pass by the rules adds, and what is needed for a right answer (logits).
_OF_MODEL, _OF_RULES, _NEEDED = 0.7, 3.0, 1.0
#: From this share of the small model's probability on an answer that the rules do not pass is a refusal.
_REFUSED = 0.6


def judge_answer(question: str, truth: str, answer: str) -> tuple[Verdict, str]:
    """The verdict on an answer and why, in a few words."""
    verdict, why = judge_texts(question, truth, answer)
    if verdict == "missing" or not truth.strip() or why == "equal to the ground truth":
        return verdict, why
    read = equivalence().logits([(question, truth, answer)])[0]
    p = probability(read, verdict == "correct")
    if p >= 0.5:
        return "correct", why if verdict == "correct" else f"reads as saying the same in other words ({p:.2f})"
    if verdict == "wrong" and math.exp(float(read[LABELS.index("missing")])) >= _REFUSED:
        return "missing", "reads as a refusal"
    return "wrong", why if verdict == "wrong" else f"reads as saying something else ({1 - p:.2f})"


def probability(read: np.ndarray, passes: bool) -> float:
    """How probably an answer is right, from the model's log-probabilities of `LABELS` and whether the rules pass it."""
    right, wrong, missing = (float(v) for v in read)
    odds = right - float(np.logaddexp(wrong, missing))
    score = _OF_MODEL * odds + _OF_RULES * passes - _NEEDED
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))
