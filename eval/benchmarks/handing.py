"""What a run hands to its agent besides the question: by scenario, as its benchmark has it, or gold by `--give`.

The options of the command line, and the one place that decides for every turn. Gold is opened here for `--give` and
`--scenario` alone, before the answers are made and never by the agent.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import BadInput
from eval.agents.protocol import AnswerFunction
from eval.benchmarks.base import Benchmark
from eval.benchmarks.crag_window import WINDOWS
from eval.benchmarks.scenarios import (
    DISTRACTORS,
    MODALITIES,
    SCENARIOS,
    Handing,
    Modality,
    evidence_of,
    prepare,
    shortages,
)
from eval.data.gold import GoldTurn, has_gold, read_gold
from eval.data.gold_pieces import WorldPieces
from eval.data.samples import Data, SampleTurn

if TYPE_CHECKING:
    from assistant.agent import Assistant

#: interaction id → what the runner hands to the agent besides the question, or None.
Given = Callable[[str], Mapping[str, Any] | None]


def add_handing_arguments(parser: argparse.ArgumentParser) -> None:
    """--scenario and what belongs to it."""
    group = parser.add_argument_group("evidence from outside")
    add = group.add_argument
    add(
        "--window",
        choices=tuple(WINDOWS),
        help="how many tokens of web and KG a model is shown, for CRAG (default: 4k)",
    )
    add("--kg", type=Path, metavar="FILE", help="CRAG's mock KG (eval crag-kg build), which a model may call")
    add(
        "--scenario",
        action="append",
        default=[],
        metavar="NAME",
        help=f"hand every turn its evidence instead of letting the agent search: {', '.join(SCENARIOS)}, or all; "
        "repeat it, or put commas between, for several",
    )
    add(
        "--distractors",
        default=str(DISTRACTORS),
        metavar="N",
        help=f"how many, under realistic and adversarial (default: {DISTRACTORS}); also several: 0,2,5 or 0-10",
    )
    add("--positives", choices=MODALITIES, default="both", help="only gold that is text, or only pictures")
    add("--negatives", choices=MODALITIES, default="both", help="only distractors that are text, or only pictures")
    add("--scenario-seed", type=int, default=0, help="seed of which distractors and in which order (default: 0)")


def handing_of(args: argparse.Namespace) -> Handing | None:
    """The flags as a value; None where no scenario is named.

    Raises:
        BadInput: a scenario or a number that cannot be.
    """
    return handing(args.scenario, args.distractors, args.positives, args.negatives, args.scenario_seed)


def handing(
    scenarios: list[str], distractors: str, positives: Modality, negatives: Modality, seed: int
) -> Handing | None:
    """The same from texts, as a form has them."""
    named = [part.strip() for text in scenarios for part in text.split(",") if part.strip()]
    named = list(SCENARIOS) if named == ["all"] else named
    counts = _counts(distractors)
    return Handing(tuple(named), counts, positives, negatives, seed) if named else None  # type: ignore[arg-type]


def _counts(text: str) -> tuple[int, ...]:
    try:
        found: list[int] = []
        for part in text.split(","):
            first, dash, last = part.strip().partition("-")
            found += range(int(first), int(last) + 1) if dash else [int(first)]
    except ValueError:
        raise BadInput(f"the number of distractors is {text!r}: give numbers such as 2, 0,2,5 or 0-10") from None
    if not found:
        raise BadInput(f"the number of distractors is {text!r}: give numbers such as 2, 0,2,5 or 0-10")
    return tuple(found)


def handing_options(chosen: Handing | None) -> dict[str, Any] | None:
    """What `run.json` keeps of it: it must be equal for a run to be resumed."""
    if chosen is None:
        return None
    return {
        "scenarios": list(chosen.scenarios),
        "distractors": list(chosen.distractors),
        "positives": chosen.positives,
        "negatives": chosen.negatives,
        "seed": chosen.seed,
    }


def handing_again(options: Mapping[str, Any] | None) -> Handing | None:
    """What `handing_options` kept, as a value."""
    if not options:
        return None
    return Handing(
        tuple(options["scenarios"]),
        tuple(options["distractors"]),
        options.get("positives") or "both",
        options.get("negatives") or "both",
        options.get("seed") or 0,
    )


def handing_flags(chosen: Handing | None) -> list[tuple[str, object]]:
    """The flags that make the same value, by name."""
    if chosen is None:
        return []
    return [
        ("scenario", ",".join(chosen.scenarios)),
        ("distractors", ",".join(map(str, chosen.distractors))),
        ("positives", chosen.positives),
        ("negatives", chosen.negatives),
        ("scenario-seed", chosen.seed),
    ]


def answering_for(
    benchmark: Benchmark, *, model: bool, pipeline: str | None, kg: Path | None, window: str | None
) -> Callable[[Assistant], AnswerFunction] | None:
    """How an assistant of ours answers this benchmark, where that has a way of its own.

    Args:
        benchmark: whose questions.
        model: whether a model writes the answers.
        pipeline: the one that was asked for by name, which then answers.
        kg: the file of the benchmark's knowledge graph.
        window: by its name.

    Raises:
        BadInput: a knowledge graph or window for what cannot use it.
    """
    answers = benchmark.answers if model and pipeline is None else None
    if answers is None and kg is not None:
        raise BadInput(
            "--kg is called by a model that answers rows of CRAG: it goes with --agent chat and no --pipeline"
        )
    if window is not None and benchmark.name != "crag":
        raise BadInput(f"--window is for rows of CRAG, and these are of {benchmark.title}")
    return None if answers is None else lambda assistant: answers(assistant, kg, window)


def default_judge(data: Data, benchmark: Benchmark) -> str:
    """Who judges where nobody is chosen."""
    return "typed" if has_gold(data.world) else benchmark.offline_judge


def prepared(
    data: Data,
    benchmark: Benchmark | None,
    chosen: Handing | None,
    *,
    give: str | None = None,
    window: str | None = None,
    queries: Mapping[str, str] | None = None,
) -> tuple[Data, Given]:
    """The data as they are asked, with what they lack of what scenarios hand over, and what each turn is handed.

    Args:
        data: as loaded.
        benchmark: whose rows they are.
        chosen: the scenarios; each turn is asked once under each.
        give: the gold that is handed over (`--give`); not together with scenarios.
        window: how much of the evidence that the data bring along, by its name.
        queries: standalone questions by interaction id.

    Raises:
        BadInput: the data lack what is to be handed over.
    """
    if chosen is not None:
        known = _with_gold(data)
        asked, pieces = prepare(known, chosen)
        asked = replace(asked, lacks=tuple(shortages(known, chosen)))
        return asked, lambda key: _some(queries, key.rpartition("@")[0], {"evidence": evidence_of(pieces[key])})
    gold: Mapping[str, GoldTurn] = read_gold(data.world) if give and data.world else {}
    world = WorldPieces(data.world) if give and data.world else None
    turns = {turn.interaction_id: turn for sample in data.samples for turn in sample.turns}

    def given(key: str) -> Mapping[str, Any] | None:
        found = world.handed(gold.get(key), give) if world is not None else None
        if benchmark is not None and benchmark.evidence is not None:
            found = {**(found or {}), "evidence": benchmark.evidence(turns[key], window)}
            if moment := turns[key].more.get("query_time"):
                found["query_time"] = str(moment)
        return _some(queries, key, found)

    return data, given


def _some(queries: Mapping[str, str] | None, key: str, more: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    query = (queries or {}).get(key)
    return {**({"query": query} if query else {}), **(more or {})} or None


def _with_gold(data: Data) -> Data:
    """A generated world's turns with the gold evidence that it knows of them; other data bring theirs along."""
    if data.world is None or not has_gold(data.world):
        return data
    gold, world = read_gold(data.world), WorldPieces(data.world)

    def with_pieces(turn: SampleTurn) -> SampleTurn:
        known = gold.get(turn.interaction_id)
        return turn if known is None else replace(turn, pieces=lambda: world.gold(known))

    samples = [replace(sample, turns=tuple(map(with_pieces, sample.turns))) for sample in data.samples]
    return replace(data, samples=tuple(samples))
