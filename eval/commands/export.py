"""Write a run in the public evaluator's files (turns, both CSVs, scores_dictionary.json) and as one plain CSV."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from eval.commands.told import tell
from eval.reports.export import export_run
from eval.reports.loaded_run import load_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="a judged run folder")
    parser.add_argument("--out", type=Path, required=True, help="folder for the files")
    parser.add_argument("--judge", help="whose verdicts to write (default: the one the run was scored by)")


def run(args: argparse.Namespace) -> int:
    judged = load_run(args.run, args.judge)
    tell(judged.left_out)
    names = export_run(judged, args.out)
    print(f"written to {args.out}: {', '.join(names)}", file=sys.stderr)
    return 0
