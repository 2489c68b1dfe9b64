"""Make a run of answers that were made elsewhere, with their verdicts on any scale."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from eval.benchmarks.registry import benchmark_of
from eval.commands.told import tell
from eval.data.options import add_data_arguments, data_choice
from eval.imported.run import make_run, read
from eval.reports.summary import run_summary
from eval.runs.about import about
from eval.runs.reading import read_info


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "answers", type=Path, help="CSV or JSONL: interaction_id (or session_id and turn_idx, or query), and the answer"
    )
    add_data_arguments(parser)
    add(
        "--verdict-column", metavar="NAME", help="where the verdicts stand (default: verdict, score, label, …; or none)"
    )
    add("--scale", metavar="1=correct,…", help="what the verdicts mean (default: recognised, and told)")
    add("--name", help="what the run is called in lists")
    add("--tag", action="append", default=[], help="a word to find it by (repeatable)")
    add("--note", help="what it is for")
    add("--out", type=Path, required=True, help="the run folder")
    add("--data-dir", type=Path, help="where fetched data are kept")
    add("--json", action="store_true", help="print the scores as JSON")


def run(args: argparse.Namespace) -> int:
    choice, said = data_choice(args), about(args.name, args.tag, args.note)
    found = read(args.answers, choice, verdict_column=args.verdict_column, scale=args.scale)
    tell(found.sentences)
    scores = make_run(found, choice, args.out, said)
    if args.json:
        print(json.dumps(scores, indent=1, ensure_ascii=False))
    elif scores:
        print(run_summary(scores, 0, args.out, read_info(args.out)))
    else:
        judges = benchmark_of(read_info(args.out)).judges
        judge = "lexical" if "lexical" in judges else judges[0]
        print(f"written to {args.out}; judge it: python -m eval judge {args.out} --judge {judge}")
    return 0
