"""What an answer in the making emits, and the trace that keeps it.

The page, the command line, the runner and the tests all consume this one stream; none of them owns state of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assistant.core.types import Evidence, Look, Recognition, Sentence, Turn, Usage

Stage = Literal["look", "recognise", "plan", "retrieve", "answer", "check", "speak"]


@dataclass(frozen=True)
class StageStarted:
    stage: Stage


@dataclass(frozen=True)
class StageFinished:
    """`ms` is wall time of the stage's own work; stages that ran side by side overlap."""

    stage: Stage
    ms: float
    note: str = ""


@dataclass(frozen=True)
class Looked:
    look: Look


@dataclass(frozen=True)
class Recognised:
    recognition: Recognition


@dataclass(frozen=True)
class Planned:
    """`subjects`: what the question is about; `queries`: standalone, they name it; `intent`: the reader's word."""

    subjects: tuple[str, ...]
    queries: tuple[str, ...]
    intent: str = ""


@dataclass(frozen=True)
class EvidenceFound:
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Drafted:
    """What has come of the sentence that is being written, nothing of it checked: to be shown as such while it grows,
    never spoken and never kept (no trace holds it). `SentenceReady` or the end of the turn takes its place.
    """

    text: str


@dataclass(frozen=True)
class SentenceReady:
    """A sentence that passed the check: safe to show and to speak."""

    sentence: Sentence


@dataclass(frozen=True)
class Used:
    """What a model took to write the answer; comes once it has ended, also when nothing of it could be used."""

    usage: Usage


@dataclass(frozen=True)
class RiskEstimated:
    """How probably the answer is wrong, 0..1, and the signs that say so (`assistant.pipelines.risk`)."""

    risk: float
    signs: Mapping[str, float]


@dataclass(frozen=True)
class Finished:
    """The last event of every turn, whatever its status."""

    turn: Turn


Event = (
    StageStarted
    | StageFinished
    | Looked
    | Recognised
    | Planned
    | EvidenceFound
    | Drafted
    | SentenceReady
    | Used
    | RiskEstimated
    | Finished
)


@dataclass
class Trace:
    """The events of one turn with the time each was emitted, in ms since the question."""

    events: list[tuple[float, Event]] = field(default_factory=list)

    def add(self, at_ms: float, event: Event) -> None:
        self.events.append((at_ms, event))

    @property
    def timings_ms(self) -> dict[str, float]:
        """Stage → ms, all its runs together, in the order in which the stages first ended."""
        spent: dict[str, float] = {}
        for _, event in self.events:
            if isinstance(event, StageFinished):
                spent[event.stage] = spent.get(event.stage, 0.0) + event.ms
        return {stage: round(ms, 1) for stage, ms in spent.items()}
