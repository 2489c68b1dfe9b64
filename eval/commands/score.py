"""Score turns and verdicts in the public evaluator's format, with the public evaluator's figures."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from assistant.core.errors import BadInput
from assistant.core.storage import write_json
from eval.reports import public_format
from eval.reports.export import readings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--turns", type=Path, required=True, help="turns as JSONL, or a turn_evaluation_results CSV with its verdicts"
    )
    parser.add_argument("--verdicts", type=Path, help="JSON object: interaction id to true, false or null")
    parser.add_argument("--out", type=Path, required=True, help="folder for the two CSVs and scores_dictionary.json")
    parser.add_argument(
        "--readings", action="store_true", help="add readings.json: the paper's and the README's, slices, intervals"
    )
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")


def run(args: argparse.Namespace) -> int:
    if args.turns.suffix.lower() == ".csv":
        turns, verdicts = public_format.read_results(args.turns)
        if args.verdicts is not None:
            verdicts = public_format.read_verdicts(args.verdicts, turns)
    elif args.verdicts is None:
        raise BadInput("give --verdicts: a JSONL of turns says nothing about which are right")
    else:
        turns = public_format.read_turns(args.turns)
        verdicts = public_format.read_verdicts(args.verdicts, turns)
    result = public_format.write_results(args.out, public_format.evaluate(turns, verdicts))
    if args.readings:
        write_json(args.out / "readings.json", readings(turns, verdicts))
    unnamed = sum(turn["interaction_id"] not in verdicts for turn in turns)
    if unnamed:
        print(
            f"{unnamed} of {len(turns)} turns have no entry among the verdicts: scored as not judged", file=sys.stderr
        )
    print(json.dumps(result, indent=2) if args.json else table(result))
    return 0


def table(result: dict[str, dict[str, float]]) -> str:
    """The two columns of scores as text."""
    lines = [f"{'':<36}{'all':>10}{'ego':>10}"]
    for name in result["all"]:
        cells = "".join(f"{result[part][name]:>10.4g}" for part in ("all", "ego"))
        lines.append(f"{name:<36}{cells}")
    return "\n".join(lines)
