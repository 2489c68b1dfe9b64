"""The models that gate a curation: each is asked what a stage hands it, and its answers are judged.

A stage of a gate is a run folder of its own under the output, made by the runner of all runs: every answer is on disk
before the next is asked for, endpoints that are busy are asked again, and what is there is not asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.settings import Settings
from eval.agents.factory import OURS, AgentChoice, answering, asked_where, open_agent
from eval.agents.protocol import Agent
from eval.benchmarks.scenarios import evidence_of
from eval.data.gold import GoldTurn
from eval.data.pieces import Piece
from eval.data.samples import FAILED, Sample, Unusable
from eval.judges.judging import JudgeChoice, judge_turns
from eval.runs.progress import Progress
from eval.runs.runner import generate
from eval.runs.store import RunFolder

Settle = Callable[[AgentChoice], Settings]


@dataclass(frozen=True)
class Question:
    """One turn as a stage asks it: the sample, what its id ends in there, and what is handed over."""

    sample: Sample
    ending: str
    pieces: tuple[Piece, ...]

    @property
    def id(self) -> str:
        return f"{self.sample.turns[0].interaction_id}{self.ending}"

    def asked(self) -> Sample:
        """The sample under the id of the stage."""
        turn = replace(self.sample.turns[0], interaction_id=self.id, pieces=None)
        return replace(self.sample, session_id=f"{self.sample.session_id}{self.ending}", turns=(turn,))


def gate_of(text: str) -> AgentChoice:
    """A gate as it is named: an agent of ours, chat:MODEL, local:MODEL, or module:Class.

    Raises:
        BadInput: none of these.
    """
    name, _, model = text.partition(":")
    choice = AgentChoice(name, model=model or None) if name in OURS else AgentChoice(text)
    choice.check()
    if not choice.takes_evidence:
        raise BadInput(f"the gate {text!r} has no way to be handed evidence")
    return choice


class Gate:
    """One gating model, opened when it is first asked.

    Args:
        text: as it is named.
        settings: under which it runs.
        world: whose index it looks things up in.
        concurrency: calls at once; None for what fits the agent.
    """

    def __init__(self, text: str, settings: Settle, world: Path | None, concurrency: int | None = None) -> None:
        self.name = text
        self._choice = gate_of(text)
        self._settings, self._world = settings(self._choice), world
        self._concurrency = concurrency or self._choice.concurrency
        self._agent: Agent | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """What must be equal for its answers to be used again."""
        return {
            "agent": self.name,
            "chat": asked_where(self._choice, self._settings),
            **answering(self._choice, self._settings),
        }

    def right(
        self,
        questions: Sequence[Question],
        folder: Path,
        options: Mapping[str, Any],
        judge: JudgeChoice,
        gold: Mapping[str, GoldTurn],
        progress: Progress | None = None,
    ) -> Asked:
        """Ask and judge.

        Args:
            questions: those of one sample beside each other, so that its picture is looked at once.
            folder: the stage's run folder.
            options: what the stage rests on; a folder made under others is refused.
            judge, gold: as for runs; `gold` by the sample's own interaction ids.

        Raises:
            BadInput: the folder holds a stage that was made otherwise.
            KeyboardInterrupt: it was stopped; what is answered stays.
        """
        pieces = {question.id: question.pieces for question in questions}
        info = {"state": "running", "options": {**self.identity, **options}, "judge": judge.name}
        with closing(RunFolder.open(folder, info, resume=True)) as run:
            run.drop_failed()  # an endpoint that was not to be had then may be now
            done = {line["interaction_id"] for line in run.turn_heads()}
            unusable: tuple[Unusable, ...] = ()
            if any(key not in done for key in pieces):
                if self._agent is None:
                    self._agent = open_agent(self._choice, self._settings, self._world, None)
                made = generate(
                    [question.asked() for question in questions],
                    self._agent,
                    run,
                    concurrency=self._concurrency,
                    given=lambda key: {"evidence": evidence_of(pieces[key])},
                    progress=progress,
                )
                if made.cancelled:
                    raise KeyboardInterrupt
                unusable = made.unusable
            known = {q.id: gold[own] for q in questions if (own := q.sample.turns[0].interaction_id) in gold}
            lines = [line for line in run.turns() if line["interaction_id"] in pieces]
            judged = judge_turns(run, lines, judge, self._world, known)[0]
            verdicts = {**judged.leanings, **{key: v for key, v in judged.verdicts.items() if v is not None}}
            run.write_info(state="finished")
        return Asked(
            frozenset(key for key, verdict in verdicts.items() if verdict == "correct"),
            frozenset(line["interaction_id"] for line in lines if line["status"] in FAILED),
            unusable,
        )


@dataclass(frozen=True)
class Asked:
    """What became of a stage's questions, by id: those answered rightly, those that failed; and samples left out."""

    right: frozenset[str]
    failed: frozenset[str]
    unusable: tuple[Unusable, ...]
