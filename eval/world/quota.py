"""Keeps the promised shares while questions are being made: of types, and of answers that can be found."""

from __future__ import annotations

from eval.world.decks import Due
from eval.world.gold import Support
from eval.world.model import Question, Region, Thing

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


class Quota:
    """Counts the questions of one set."""

    def __init__(self) -> None:
        self._types: Due[str] = Due(TYPES)
        self._found: Due[bool] = Due({True: FINDABLE_SHARE, False: 1 - FINDABLE_SHARE})

    def types(self) -> list[str]:
        """The types, the most wanting first."""
        return self._types.order()

    def hide(self, thing: Thing) -> bool:
        """Whether the next question should be one whose answer stands nowhere."""
        return thing.indexed and thing.kind != "notice" and self._found.lacks(False)

    def made(self, region: Region, question: Question) -> None:
        """Count a question."""
        self._types.made(question.type)
        self._found.made(not Support(region, question.rests_on).missing)
