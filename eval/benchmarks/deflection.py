"""VLM-DeflectionBench (arXiv 2604.12033): does a model answer when it can, and hold back when it cannot?

Its data are not public: rows of its shape are read (`eval.data.deflection_rows`) and made (`eval curate`). Accuracy,
hallucination and deflection are SimpleQA's three labels (arXiv 2411.04368) as shares of all turns of a scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.core.paths import ASSETS_DIR
from eval.benchmarks.base import Benchmark, Figure, JudgedLine, PublishedRow, read_published, verdict_of
from eval.benchmarks.scenarios import CELL, DISTRACTORS, SCENARIOS
from eval.data.samples import FAILED, session_in_data
from eval.metrics.figures import Between, Recipe, differences, numbered, per_conversation, share_of
from eval.metrics.figures import Figure as OwnFigure
from eval.metrics.intervals import share_of_sums

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
    cells.

    A turn that failed said nothing and counts as deflected; one that the judge is not sure of counts as what it leans
    to, or not at all: `n_unjudged` says how many. Intervals are Wilson's, of 95 %, clustered by conversation of the
    data: the same question in several cells is not several.
    """
    cells = _by_cell(lines)
    failed = {cell: sum(line["status"] in FAILED for line in found) for cell, found in cells.items()}
    return {
        "cells": [
            {**dict(zip(CELL, cell, strict=True)), **_shares(found, judgements), "n_failed": failed[cell]}
            for cell, found in cells.items()
        ],
        **{
            name: {
                **_shares([line for cell in taken for line in cells[cell]], judgements),
                **({"distractors": counts} if (counts := sorted(c[1] for c in taken if c[1] is not None)) else {}),
            }
            for name, taken in _by_scenario(cells).items()
        },
    }


def deflection_differences(a: Sequence[JudgedLine], b: Sequence[JudgedLine]) -> dict[str, Between]:
    """The figures of each scenario that two runs have over the same turns, by `scenario.share`."""
    names, n = numbered([session_in_data(line) for line, _ in a])
    if not all(any(judged.get("verdict") or judged.get("leaning") for _, judged in run) for run in (a, b)):
        return {}  # of another judge, that gives no verdicts
    sides = []
    for run in (a, b):
        judgements = {line["interaction_id"]: judged for line, judged in run}
        found, cells = dict[str, OwnFigure | Recipe](), _by_cell([line for line, _ in run])
        row = {line["interaction_id"]: int(code) for (line, _), code in zip(run, names, strict=True)}
        for scenario, taken in _by_scenario(cells).items():
            lines = [line for cell in taken for line in cells[cell]]
            codes = np.array([row[line["interaction_id"]] for line in lines])
            hits, known = _sums(lines, judgements, codes, n)
            for share, hit in hits.items():
                found[f"{scenario}.{share}"] = share_of(hit, known, "no turn of the scenario has a verdict")
        sides.append(found)
    return differences(sides[0], sides[1], n)


#: Scenario, distractors, modalities of positives and negatives.
_Cell = tuple[Any, ...]


def _by_cell(lines: Sequence[Mapping[str, Any]]) -> dict[_Cell, list[Mapping[str, Any]]]:
    """The lines that were asked under a scenario, cell by cell."""
    cells: dict[_Cell, list[Mapping[str, Any]]] = {}
    for line in lines:
        labels = line.get("labels") or {}
        if labels.get("scenario") is not None:
            cells.setdefault(tuple(labels.get(name) for name in CELL), []).append(line)
    return cells


def _by_scenario(cells: Iterable[_Cell]) -> dict[str, list[_Cell]]:
    """The cells whose turns make up a scenario's figures."""
    found = {name: [cell for cell in cells if cell[0] == name] for name in SCENARIOS}
    return {name: [cell for cell in own if cell[1] == DISTRACTORS] or own for name, own in found.items() if own}


def _shares(lines: Sequence[Mapping[str, Any]], judgements: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    names, n = numbered([session_in_data(line) for line in lines])
    hits, known = _sums(lines, judgements, names, n)
    judged = int(known.sum())
    found = {name: share_of_sums(hit, known) for name, hit in hits.items()} if judged else {}
    return {
        **{name: found[name][0] if found else None for name in SHARES.values()},
        "intervals": {name: interval.json() for name, (_, interval) in found.items()},
        "n": len(lines),
        "n_unjudged": len(lines) - judged,
    }


def _sums(
    lines: Sequence[Mapping[str, Any]],
    judgements: Mapping[str, Mapping[str, Any]],
    conversation: np.ndarray,
    conversations: int,
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Of each conversation (c,): how many turns have which verdict, by the name of its share, and how many have one."""
    verdicts = [verdict_of(line, judgements) for line in lines]
    values = np.array([[verdict == one for one in SHARES] for verdict in verdicts], float).reshape(-1, len(SHARES))
    sums = per_conversation(values, conversation, conversations)
    return dict(zip(SHARES.values(), sums.T, strict=True)), sums.sum(axis=1)


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
    differences=deflection_differences,
    published=published,
)
