"""The tally of a duel: what each of two settings said at each light level, and what that was worth.

Plain values and sums; `assistant.ui.panels.comparison` fills it, `assistant.ui.html.comparison` draws it. A round is
one question about one picture at one light level, answered by both; asked again, it takes the earlier one's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from assistant.core.types import Answer

Score = Literal[1, 0, -1]
SIDES = (0, 1)


@dataclass(frozen=True)
class Side:
    """What one setting said; `score` is None until someone gave it. `by`: a world's gold, the rule that silence is
    worth nothing, or the presenter.
    """

    answer: Answer
    score: Score | None = None
    by: Literal["", "gold", "rule", "presenter"] = ""


@dataclass(frozen=True)
class Round:
    """`picture` is the digest of the picture as taken, `level` how much light was taken away, 0 to 100."""

    picture: str
    question: str
    level: int
    sides: tuple[Side, Side]

    @property
    def key(self) -> tuple[str, str, int]:
        return (self.picture, " ".join(self.question.casefold().split()), self.level)

    def scored(self, side: int, score: Score) -> Round:
        changed = replace(self.sides[side], score=score, by="presenter")
        return replace(self, sides=(changed, self.sides[1]) if side == 0 else (self.sides[0], changed))


@dataclass(frozen=True)
class Sum:
    """How often each score was given to a setting."""

    right: int = 0
    silent: int = 0
    wrong: int = 0

    @property
    def n(self) -> int:
        return self.right + self.silent + self.wrong

    @property
    def total(self) -> int:
        return self.right - self.wrong

    @property
    def truthfulness(self) -> float | None:
        """(right - wrong) / all, as the benchmark has it; None without any round."""
        return self.total / self.n if self.n else None


@dataclass(frozen=True)
class Tally:
    """Rounds by their keys, oldest first."""

    rounds: Mapping[tuple[str, str, int], Round] = field(default_factory=dict)

    def with_round(self, done: Round) -> Tally:
        kept = {key: other for key, other in self.rounds.items() if key != done.key}
        return Tally({**kept, done.key: done})

    def sums(self) -> tuple[Sum, Sum]:
        """Of rounds that both settings have a score for: the two are compared on the same questions."""
        return _sums(self.rounds.values())

    def by_level(self) -> Mapping[int, tuple[Sum, Sum]]:
        """The sums at each light level, from light to dark."""
        levels = sorted({r.level for r in self.rounds.values() if _is_whole(r)})
        return {level: _sums(r for r in self.rounds.values() if r.level == level) for level in levels}

    @property
    def open(self) -> int:
        """Rounds that wait for a score."""
        return sum(not _is_whole(r) for r in self.rounds.values())


def _is_whole(one: Round) -> bool:
    return all(side.score is not None for side in one.sides)


def _sums(rounds: Iterable[Round]) -> tuple[Sum, Sum]:
    whole = [r for r in rounds if _is_whole(r)]
    counts = [[sum(r.sides[side].score == score for r in whole) for score in (1, 0, -1)] for side in SIDES]
    return Sum(*counts[0]), Sum(*counts[1])
