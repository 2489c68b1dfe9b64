"""What an operation gives back: a sentence with its evidence, or the reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.reading.attribute_templates import spoken_attribute
from assistant.reading.compose import join_list
from assistant.reading.fact_finder import Fact
from assistant.reading.passage_sentence import passage_sentence
from assistant.understanding.plan import Plan


@dataclass(frozen=True)
class Result:
    """A sentence and its evidence ids; or no sentence and the reason. `reason` beside a text is a note for the
    trace.
    """

    text: str = ""
    ids: tuple[str, ...] = ()
    reason: str = ""


def only_one(plan: Plan) -> Result:
    """The refusal to compare a thing with one that is not known."""
    return Result(reason=f"I know only {join_list(list(plan.subjects))}, and do not know what to compare it with")


def abstain(plan: Plan, subject: str) -> Result:
    """The abstention when no evidence about the subject answers; it names the property where the question does."""
    if subject in plan.answer_names:  # "where does she live?" of somebody whom the last answer named
        lead = f"I know {subject} by name"
    else:
        lead = f"I recognise {subject}" if plan.recognised and not plan.mentioned else f"I know {subject}"
    named = [m for wording in plan.asked.about if (m := re.fullmatch(r"what is its ([\w ]{3,40})\?", wording))]
    return Result(
        reason=f"{lead}, but found nothing {f'about its {named[0][1]}' if named else 'that answers this question'}"
    )


def state_fact(fact: Fact, plan: Plan) -> str:
    """The fact as a sentence."""
    e = fact.evidence
    name = e.subject or fact.subject
    if e.key is not None:
        return spoken_attribute(name, e.key, fact.value)
    return passage_sentence(name, e.text, fact.asked)
