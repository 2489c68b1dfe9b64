"""A run in other people's formats: the public evaluator's files, and one plain CSV; and its files in our readings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.storage import write_json, write_text
from eval.metrics.public import Verdict, is_exact_match, is_refusal
from eval.metrics.run_scores import run_scores
from eval.reports.loaded_run import JudgedRun
from eval.reports.public_format import csv_text, evaluate, write_results


def readings(turns: Sequence[Mapping[str, Any]], verdicts: Mapping[str, bool | None]) -> dict[str, Any]:
    """Our own readings, intervals and slices of turns in the public format (see `eval.metrics.run_scores`).

    A refusal by the public phrase rule or an empty answer is missing, an exact match correct, as for our own judges; a
    verdict of null on anything else is unjudged.
    """
    known: dict[str, Verdict | None] = {}
    for turn in turns:
        verdict = verdicts.get(turn["interaction_id"])
        if is_exact_match(turn["agent_response"], turn["ground_truth"]) and turn["agent_response"].strip():
            known[turn["interaction_id"]] = "correct"
        elif is_refusal(turn["agent_response"]) or not turn["agent_response"].strip():
            known[turn["interaction_id"]] = "missing"
        else:
            known[turn["interaction_id"]] = None if verdict is None else "correct" if verdict else "wrong"
    return run_scores([{**turn, "status": "answered"} for turn in turns], known, {})


#: The columns of the public evaluator's turns, in its order.
TURN_COLUMNS = (
    "session_id", "interaction_id", "turn_idx", "is_ego", "image_quality", "query_category", "domain", "dynamism",
    "query", "ground_truth", "agent_response", "total_turn_count", "interaction_id_history",
)  # fmt: skip
_PLAIN_COLUMNS = (*TURN_COLUMNS[:-1], "set", "split", "status", "reason", "entity", "ms", "verdict", "leaning", "why")


def export_run(run: JudgedRun, folder: Path) -> list[str]:
    """Write a run as the public evaluator would have: `turns.jsonl`, `verdicts.json`, its three result files; and
    `turns.csv`, one plain table with our own verdicts and reasons. The public files know no doubt: where the
    judge was not sure they have what it leans to.

    Returns:
        The names of the files.
    """
    turns = [{key: line.get(key) for key in TURN_COLUMNS} for line in run.lines]
    for turn, line in zip(turns, run.lines, strict=True):
        turn["is_ego"] = line.get("is_ego_public", line["is_ego"])
    told = {key: None if v is None else v == "correct" for key, v in run.counted.items()}
    verdicts = {line["interaction_id"]: told.get(line["interaction_id"]) for line in run.lines}
    write_results(folder, evaluate(turns, verdicts))
    plain = []
    for line in run.lines:
        key = line["interaction_id"]
        row = {name: line.get(name) for name in _PLAIN_COLUMNS}
        plain.append(
            {**row, "verdict": run.verdicts.get(key), "leaning": run.leanings.get(key), "why": run.why.get(key)}
        )
    write_text(folder / "turns.jsonl", "".join(json.dumps(turn, ensure_ascii=False) + "\n" for turn in turns))
    write_json(folder / "verdicts.json", verdicts)
    write_text(folder / "turns.csv", csv_text([_inert(row) for row in plain], _PLAIN_COLUMNS, frozenset()))
    return ["turns.jsonl", "verdicts.json", *RESULT_FILES, "turns.csv"]


RESULT_FILES = ("turn_evaluation_results_all.csv", "turn_evaluation_results_ego.csv", "scores_dictionary.json")


def _inert(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose texts a spreadsheet does not take for formulas. The public files stay as their evaluator has them."""
    risky = ("=", "+", "-", "@", "\t", "\r")
    return {k: f"'{v}" if isinstance(v, str) and v.startswith(risky) else v for k, v in row.items()}
