"""The rules of the lexical judge: compare an answer with a ground truth by what both say, without a model.

Right means: what the question asks for is said as the ground truth has it (amounts with units and tolerance, moments,
names, all items of a list, every part of a question with two, yes or no, the right one of two), and nothing is said
against it. What an answer only mentions (conceded, seeming, said of others) is not said. Saying less is right as long
as it answers; adding is right as long as nothing contradicts. It is a bag of careful rules, no understanding: a
paraphrase in words that its tables lack is refused (four right answers in ten by a hand that never saw it), a
contradiction in such words is not seen. `eval.judges.lexical.judge` weighs what is found here with a small model's
reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from eval.judges.lexical.advice import implied
from eval.judges.lexical.case import Case
from eval.judges.lexical.choice import chosen_problem, option_problem
from eval.judges.lexical.claims import lead, yesno_problem
from eval.judges.lexical.conflicts import contradiction
from eval.judges.lexical.focus import VERB, news
from eval.judges.lexical.kinds import compares
from eval.judges.lexical.numeric import age_said, amounts_said, moments_said, wrong_owner
from eval.judges.lexical.parts import is_compound, parts_said, slot_taken
from eval.judges.lexical.wanted import coverage
from eval.judges.lexical.words import content_words, find, opposed, share
from eval.metrics.public import Verdict, is_exact_match
from eval.metrics.refusals import declines_in_part, is_refusal_ours

_AGE = re.compile(r"\bhow (?:old|long ago)\b", re.I)


def judge_texts(question: str, truth: str, answer: str) -> tuple[Verdict, str]:
    """The verdict on an answer and why, in a few words."""
    if not answer.strip():
        return "missing", "an empty answer"
    if is_exact_match(answer, truth):
        return "correct", "equal to the ground truth"
    if is_refusal_ours(answer):
        return "missing", "a refusal"
    if not truth.strip():
        return "wrong", "there is no ground truth to agree with"
    found = problem(Case(question, truth, answer))
    if found and declines_in_part(answer):
        return "missing", "a refusal beside what it says"
    return ("wrong", found) if found else ("correct", "says what the ground truth says")


def problem(case: Case) -> str:
    """ "" when the answer is right, else what is wrong with it."""
    checks = {"yesno": _yesno, "choice": _choice}
    return checks.get(case.kind, _open)(case)


def _yesno(case: Case) -> str:
    found = _heard(yesno_problem, case)
    if found == "" and _beside_the_point(case):
        found = None
    if found is None:
        if not news(content_words(case.told), case.asked):
            return "says neither yes nor no"
        if found := coverage(case):
            return found
    elif found or (found := _other_reason(case)):
        return found
    compared = re.search(r"\bthan\b", case.truth) and re.search(r"\bthan\b|\bmore\b|\bless\b", case.answer)
    if compared and (turned := _heard(chosen_problem, case)):
        return turned
    return contradiction(case, polar=True)


def _other_reason(case: Case) -> str:
    """Another reason than the truth's, in its own words but for what counts ("contains butter", not "honey")."""
    own = [w for w in news(content_words(case.told), case.asked) if not case.is_figure(w)]
    named = [w for w in own if w.text.islower() and not any(find(w, [v]) for v in case.said)]
    before = {w: case.told[w.at - 1] for w in named}
    taken = [
        w for w, b in before.items() if slot_taken(case, w) and (VERB.fullmatch(b.text) or not find(b, case.fresh))
    ]
    return f"gives another reason, without {taken[0].text!r}" if taken and share(own, case.stated) <= 0.5 else ""


def _beside_the_point(case: Case) -> bool:
    """Whether an answer without a yes or no takes up only a part of the question and goes on about something else."""
    asked = content_words(case.asked)
    taken = [w for w in asked if find(w, case.said) or any(opposed(w, other) for other in case.said)]
    told = any(opposed(w, other) for w in asked for other in case.said) or any(
        f.denied for w in asked[-1:] for f in find(w, case.said)
    )
    if implied(case.question, case.answer, case.answer) is not None:
        return False
    return lead(case.answer) is None and 2 * len(taken) <= len(asked) and len(case.novel) > 0 and not told


def _heard(rule: Callable[[str, str, str], str | None], case: Case) -> str | None:
    """What a rule finds; None, as if it could not tell, where it would find the truth itself at fault."""
    found = rule(case.question, case.truth, case.answer)
    return None if found and rule(case.question, case.truth, case.truth) else found


def _choice(case: Case) -> str:
    found = _heard(chosen_problem, case)
    if found is None:
        found = _heard(option_problem, case)
    if found is None:
        found = coverage(case)
    return found or contradiction(case, polar=False, turned=True)


def _open(case: Case) -> str:
    if is_compound(case):
        turned = _heard(chosen_problem, case) if compares(case.question) else None
        return turned or parts_said(case) or contradiction(case, polar=False, turned=turned == "")
    if _AGE.search(case.question) and age_said(case):
        required = ""
    elif case.kind == "number" and case.wanted_amounts:
        required = amounts_said(case)
        if not required and wrong_owner(case):
            required = wrong_owner(case)
    elif case.kind == "when" and case.wanted_moments:
        required = moments_said(case)
        if required and not case.said_moments and not case.said_amounts:
            required = coverage(case)
    elif case.kind == "when" and case.gold_amounts:
        required = amounts_said(case)
    else:
        required = coverage(case)
    return required or contradiction(case, polar=False)
