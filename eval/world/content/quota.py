"""Keeps the promised shares while questions are being made: of types, and of answers that can be found."""

from __future__ import annotations

from eval.world.content.gold import Support
from eval.world.exact_quotas import Due
from eval.world.model import Question, Region, Thing, Value

#: The benchmark's single-turn questions by type (arXiv 2510.26160, Table 3).
TYPES: dict[str, float] = {
    "simple-recognition": 0.07,
    "simple-knowledge": 0.40,
    "multi-hop": 0.14,
    "comparison": 0.15,
    "aggregation": 0.12,
    "reasoning": 0.11,
}
#: Share of answers that can be found, as the published web search leaves it (88.6 % in the top 50).
FINDABLE_SHARE = 0.89
#: Share of questions whose answer has so few forms that it can be guessed: yes or no, a small count.
GUESSABLE_SHARE = 0.06
SMALL = 12


class Quota:
    """Counts the questions of one set."""

    def __init__(self) -> None:
        self._types: Due[str] = Due(TYPES)
        self._guessable: Due[bool] = Due({True: GUESSABLE_SHARE, False: 1 - GUESSABLE_SHARE})
        self._found: Due[bool] = Due({True: FINDABLE_SHARE, False: 1 - FINDABLE_SHARE})

    def types(self) -> list[str]:
        """The types, the most wanting first."""
        return self._types.order()

    def hide(self, thing: Thing) -> bool:
        """Whether the next question should be one whose answer stands nowhere."""
        return thing.indexed and thing.kind != "notice" and self._found.lacks(False)

    def welcome(self, question: Question) -> bool:
        """Whether one more like this leaves the shares as they should be."""
        return not guessable(question.answer) or self._guessable.lacks(True)

    def made(self, region: Region, question: Question) -> None:
        """Count a question."""
        self._types.made(question.type)
        self._guessable.made(guessable(question.answer))
        self._found.made(not Support(region, question.rests_on).missing)


def guessable(answer: Value) -> bool:
    """Whether somebody who knows the question alone would often be right."""
    small = answer.kind == "number" and answer.unit is None and answer.value <= SMALL
    return answer.kind == "yesno" or small
