"""VLM-DeflectionBench (arXiv 2604.12033): does a model answer when it can, and hold back when it cannot?

Its data are not public: rows of its shape are read (`eval.data.deflection_rows`) and made (`eval curate`). Accuracy,
hallucination and deflection are SimpleQA's three labels (arXiv 2411.04368) as shares of all turns of a scenario.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.paths import ASSETS_DIR
from eval.benchmarks.base import Benchmark, Figure, PublishedRow, read_published
from eval.benchmarks.scenarios import CELL, DISTRACTORS, SCENARIOS
from eval.data.samples import FAILED
from eval.metrics.intervals import wilson

PUBLISHED = ASSETS_DIR / "published" / "deflection.csv"
PAPER = "arXiv 2604.12033"
#: A verdict → what the paper calls its share.
SHARES = {"correct": "accuracy", "wrong": "hallucination", "missing": "deflection"}


def deflection_scores(
    lines: Sequence[Mapping[str, Any]], judgements: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Accuracy, hallucination and deflection of every cell, and of each scenario.

    A scenario that was asked with several numbers of distractors has the figures of the number that is published for it
    (`DISTRACTORS`), where that is one of them, so that it can stand beside the published rows; else those of all its
    cells, whose intervals count every question once, for the same question in several cells is not several.

    A turn that failed said nothing and counts as deflected; one that the judge is not sure of counts as what it leans
    to, or not at all: `n_unjudged` says how many. Intervals are Wilson's, of 95 %, over turns.
    """
    cells: dict[tuple[Any, ...], list[str | None]] = {}
    failed: dict[tuple[Any, ...], int] = {}
    for line in lines:
        labels = line.get("labels") or {}
        if labels.get("scenario") is None:
            continue
        cell = tuple(labels.get(name) for name in CELL)
        cells.setdefault(cell, []).append(_verdict(line, judgements))
        failed[cell] = failed.get(cell, 0) + (line["status"] in FAILED)
    return {
        "cells": [
            {**dict(zip(CELL, cell, strict=True)), **_shares(found), "n_failed": failed[cell]}
            for cell, found in cells.items()
        ],
        **{
            name: _of_scenario({cell: found for cell, found in cells.items() if cell[0] == name})
            for name in SCENARIOS
            if any(cell[0] == name for cell in cells)
        },
    }


def _of_scenario(cells: Mapping[tuple[Any, ...], Sequence[str | None]]) -> dict[str, Any]:
    usual = {cell: found for cell, found in cells.items() if cell[1] == DISTRACTORS}
    taken = usual or cells
    shares = _shares([verdict for found in taken.values() for verdict in found], len(taken))
    counts = sorted(cell[1] for cell in taken if cell[1] is not None)
    return {**shares, **({"distractors": counts} if counts else {})}


def _verdict(line: Mapping[str, Any], judgements: Mapping[str, Mapping[str, Any]]) -> str | None:
    if line["status"] in FAILED:
        return "missing"
    found = judgements.get(line["interaction_id"]) or {}
    return found.get("verdict") or found.get("leaning")


def _shares(verdicts: Sequence[str | None], times: int = 1) -> dict[str, Any]:
    """The shares of verdicts in which every question stands so many times."""
    known = [verdict for verdict in verdicts if verdict is not None]
    shares = {name: known.count(verdict) / len(known) if known else None for verdict, name in SHARES.items()}
    intervals = {name: wilson(share, len(known) / times).json() for name, share in shares.items() if share is not None}
    return {**shares, "intervals": intervals, "n": len(verdicts), "n_unjudged": len(verdicts) - len(known)}


@dataclass(frozen=True)
class PublishedCell:
    """One cell of the paper's Table 4 (scenarios), 5 (modalities) or 6 (strictness); shares of one. `gate`: the model
    was one of those that gated the curation. `positives`, `negatives` are named in Table 5 alone."""

    table: str
    system: str
    gate: bool
    scenario: str
    strictness: str
    distractors: int
    positives: str
    negatives: str
    shares: Mapping[str, float]


def published_cells() -> list[PublishedCell]:
    """All cells.

    Raises:
        BadInput: the table is missing or has a line that cannot be read.
    """
    return read_published(PUBLISHED, _cell)


#: The paper's names of modalities → ours.
_MODALITIES = {"textual": "text", "visual": "picture", "mm": "both"}


def _cell(line: Mapping[str, str]) -> PublishedCell:
    return PublishedCell(
        line["table"],
        line["model"],
        line["gating"] == "1",
        line["scenario"],
        line["strictness"],
        int(line["distractors"]),
        _MODALITIES.get(line["positives"], ""),
        _MODALITIES.get(line["negatives"], ""),
        {name: float(line[name]) / 100 for name in SHARES.values()},
    )


def published() -> list[PublishedRow]:
    """Table 4, the main one: one row a model."""
    cells: dict[str, list[PublishedCell]] = {}
    for cell in published_cells():
        if cell.table == "4":
            cells.setdefault(cell.system, []).append(cell)
    return [
        PublishedRow(
            part="moderate strictness, 2 distractors",
            system=system,
            setting="a gate of the curation" if found[0].gate else "",
            data="VLM-DeflectionBench",
            judge="GPT-4o",
            where=f"{PAPER}, Table 4",
            figures={f"deflection.{c.scenario}.{name}": share for c in found for name, share in c.shares.items()},
        )
        for system, found in cells.items()
    ]


def _figures() -> tuple[Figure, ...]:
    """Accuracy where an answer can be had and deflection where none can first, then the rest."""
    what = {
        "accuracy": "share of turns that were answered rightly",
        "hallucination": "share of turns that were answered wrongly",
        "deflection": "share of turns in which no answer was given",
    }
    where = {
        "parametric": "without any evidence",
        "oracle": "with the evidence that holds the answer",
        "realistic": "with that evidence among distractors",
        "adversarial": "with distractors alone",
    }
    order = [
        ("realistic", "accuracy"),
        ("oracle", "accuracy"),
        ("adversarial", "deflection"),
        ("parametric", "deflection"),
    ]
    order += [pair for name in SCENARIOS for share in what if (pair := (name, share)) not in order]
    return tuple(
        Figure(
            f"deflection.{name}.{share}",
            f"{share.capitalize()}, {name}",
            f"The {what[share]} {where[name]}.",
            better="low" if share == "hallucination" else "high",
        )
        for name, share in order
    )


DEFLECTION = Benchmark(
    name="deflection",
    title="VLM-DeflectionBench",
    paper=PAPER,
    asks="Questions about a picture that no model answers from memory, each asked with no evidence, with the right "
    "evidence, with the right evidence among distractors, and with distractors alone. Is it answered when it can be, "
    "and is nothing said when it cannot?",
    needs="An agent that takes evidence. Nothing is searched: every turn is handed its pieces of text and pictures.",
    get="The paper's data are not public. python -m eval curate makes rows of the same shape from a generated world, "
    "from CRAG-MM with an index, or from a file of one's own.",
    licence="That of the data the rows are made from; a generated world is CC0.",
    judges=("llm", "lexical", "exact"),
    figures=_figures(),
    offline_judge="lexical",
    judge_labels="simpleqa",
    own_scores=deflection_scores,
    published=published,
)
