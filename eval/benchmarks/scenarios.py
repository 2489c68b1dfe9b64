"""Evidence handed from outside, by scenario: nothing, what holds the answer, that among distractors, distractors alone.

The four scenarios are those of VLM-DeflectionBench (arXiv 2604.12033, section 4): `parametric`, `oracle`, `realistic`
and `adversarial`. Contexts are shuffled by a seed, so that no place tells what is gold. A run may ask every turn under
several of them; each becomes a turn of its own, told apart by the label `scenario` and an id that ends in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from assistant.core.errors import BadInput
from assistant.core.types import Evidence
from eval.data.pieces import Piece
from eval.data.samples import Data, Sample, SampleTurn

Scenario = Literal["parametric", "oracle", "realistic", "adversarial"]
SCENARIOS: tuple[Scenario, ...] = get_args(Scenario)
Modality = Literal["both", "text", "picture"]
MODALITIES: tuple[Modality, ...] = get_args(Modality)
#: Distractors in the paper's main table, and the most of its curve.
DISTRACTORS, MOST_DISTRACTORS = 2, 10
#: What tells one cell of a run from another: labels of its turns.
CELL = ("scenario", "distractors", "positives", "negatives")
#: Scenarios in which gold and distractors are handed over.
_WITH_GOLD, _WITH_DISTRACTORS = ("oracle", "realistic"), ("realistic", "adversarial")


@dataclass(frozen=True)
class Handing:
    """Which evidence a run hands over.

    scenarios: of each turn. distractors: how many of them, under each scenario that has any. positives, negatives: only
    gold and only distractors of one modality. seed: of which distractors and in which order.
    """

    scenarios: tuple[Scenario, ...]
    distractors: tuple[int, ...] = (DISTRACTORS,)
    positives: Modality = "both"
    negatives: Modality = "both"
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.scenarios:
            if name not in SCENARIOS:
                raise BadInput(f"there is no scenario {name!r}: choose of {', '.join(SCENARIOS)}, or all")
        for n in self.distractors:
            if not 0 <= n <= MOST_DISTRACTORS:
                raise BadInput(f"the number of distractors is {n!r}: give 0 to {MOST_DISTRACTORS}")
        if len(set(self.scenarios)) < len(self.scenarios) or len(set(self.distractors)) < len(self.distractors):
            raise BadInput("a scenario or a number of distractors is named twice")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Everything that each turn is asked under."""
        return tuple(
            Cell(name, n) for name in self.scenarios for n in (self.distractors if name in _WITH_DISTRACTORS else (0,))
        )


@dataclass(frozen=True)
class Cell:
    """One scenario with its number of distractors."""

    scenario: Scenario
    distractors: int

    @property
    def ending(self) -> str:
        """What its turns' ids end in."""
        return f"@{self.scenario}{f'-{self.distractors}' if self.scenario in _WITH_DISTRACTORS else ''}"


def prepare(data: Data, handing: Handing) -> tuple[Data, dict[str, tuple[Piece, ...]]]:
    """The data with every turn once for each cell, and the pieces that each of these turns is handed.

    Where one modality is asked for, samples that have nothing of it are left out of the cells that hand it over: they
    would be measured under another scenario. What else lacks is told by `shortages`.

    Raises:
        BadInput: the data bring no evidence, or not enough for what is asked.
    """
    _check(data, handing)
    made, handed = list[Sample](), dict[str, tuple[Piece, ...]]()
    for cell in handing.cells:
        for sample in data.samples:
            if _lacking(sample, cell, handing):
                continue
            turns = []
            for turn in sample.turns:
                asked = _under(turn, cell, handing)
                handed[asked.interaction_id] = tuple(_picked(turn, cell, handing))
                turns.append(asked)
            made.append(replace(sample, session_id=f"{sample.session_id}{cell.ending}", turns=tuple(turns)))
    return replace(data, samples=tuple(made)), handed


def _under(turn: SampleTurn, cell: Cell, handing: Handing) -> SampleTurn:
    labels: dict[str, str | int | None] = {"scenario": cell.scenario}
    if cell.scenario in _WITH_DISTRACTORS:
        labels |= {"distractors": cell.distractors, "negatives": handing.negatives}
    if cell.scenario in _WITH_GOLD:
        labels |= {"positives": handing.positives}
    return replace(turn, interaction_id=f"{turn.interaction_id}{cell.ending}", more={**turn.more, **labels})


def _picked(turn: SampleTurn, cell: Cell, handing: Handing) -> Iterator[Piece]:
    """The pieces of one turn in the order in which they are handed over."""
    pieces = _brought(turn)
    draw = random.Random(f"{handing.seed}/{turn.interaction_id}")
    gold = _of(pieces, "gold", handing.positives) if cell.scenario in _WITH_GOLD else []
    distractors = _of(pieces, "distractor", handing.negatives) if cell.scenario in _WITH_DISTRACTORS else []
    # Of more distractors those of fewer are a part, so that a curve adds to what was there.
    draw.shuffle(distractors)
    picked = [*gold, *distractors[: cell.distractors]]
    draw.shuffle(picked)
    yield from picked


def _of(pieces: Sequence[Piece], role: str, modality: Modality) -> list[Piece]:
    wanted = {"both": (True, False), "text": (False,), "picture": (True,)}[modality]
    return [piece for piece in pieces if piece.role == role and (piece.kind == "picture") in wanted]


def _wanted(cell: Cell, handing: Handing) -> Iterator[tuple[str, Modality]]:
    """The roles of which a cell hands something over, and of which modality."""
    if cell.scenario in _WITH_GOLD:
        yield "gold", handing.positives
    if cell.scenario in _WITH_DISTRACTORS and cell.distractors:
        yield "distractor", handing.negatives


def _lacking(sample: Sample, cell: Cell, handing: Handing) -> bool:
    """Whether a sample has nothing of a modality that is asked for."""
    return any(
        modality != "both" and not any(_of(_brought(turn), role, modality) for turn in sample.turns)
        for role, modality in _wanted(cell, handing)
    )


def _brought(turn: SampleTurn) -> Sequence[Piece]:
    return turn.pieces() if turn.pieces is not None else ()


def shortages(data: Data, handing: Handing) -> list[str]:
    """What the data lack of what the cells hand over, in one sentence each: how many samples are left out for it, how
    many turns are handed less.
    """
    told = []
    for cell in handing.cells:
        kept = [sample for sample in data.samples if not _lacking(sample, cell, handing)]
        asked, out = [turn for sample in kept for turn in sample.turns], len(data.samples) - len(kept)
        name = f"{cell.scenario} with {cell.distractors} distractors" if cell.distractors else cell.scenario
        if out:
            told.append(f"{name}: {out} of {len(data.samples)} samples lack the modality and are left out")
        for role, modality in _wanted(cell, handing):
            counts = [len(_of(_brought(turn), role, modality)) for turn in asked]
            if role == "gold" and (none := counts.count(0)):
                told.append(f"{name}: {none} of {len(asked)} turns have no gold evidence and are handed none")
            if role == "distractor" and (fewer := sum(count < cell.distractors for count in counts)):
                told.append(f"{name}: {fewer} of {len(asked)} turns have fewer distractors and are handed all of them")
    return told


def _check(data: Data, handing: Handing) -> None:
    """That there is what the scenarios hand over: a run without would measure something else."""
    turns = [turn for sample in data.samples for turn in sample.turns]
    for role, modality, scenarios in (
        ("gold", handing.positives, _WITH_GOLD),
        ("distractor", handing.negatives, _WITH_DISTRACTORS),
    ):
        named = [name for name in handing.scenarios if name in scenarios]
        if role == "distractor" and not any(handing.distractors):
            continue
        have = any(_of(_brought(turn), role, modality) for turn in turns)
        if named and not have:
            what = {"both": "", "text": " of text", "picture": " with pictures"}[modality]
            words = f"gold evidence{what}" if role == "gold" else f"distractors{what}"
            raise BadInput(
                f"the scenario {named[0]!r} hands over {words}, and {data.name!r} has none: make data that have with "
                "python -m eval curate"
            )


def evidence_of(pieces: Sequence[Piece]) -> tuple[Evidence, ...]:
    """The pieces as an agent gets them: in their order, under ids that tell nothing of what they are.

    Raises:
        BadImage: a picture cannot be read.
    """
    return tuple(replace(piece.evidence(), id=f"given:{n}") for n, piece in enumerate(pieces))
