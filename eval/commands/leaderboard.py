"""Own runs beside the published systems of a benchmark, each row marked with its source, data and judge."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, VitrineError
from eval.benchmarks.base import Figure
from eval.benchmarks.registry import BENCHMARKS
from eval.commands.told import tell
from eval.reports.board import Board, BoardRow, board
from eval.reports.leaderboard import leaderboard, published_rows
from eval.reports.loaded_run import JudgedRun, load_run

#: Figures in a table's columns.
_COLUMNS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", type=Path, nargs="*", help="run folders, or folders of run folders")
    parser.add_argument("--set", choices=("single", "multi", "both"), default="both", help="(default: both)")
    parser.add_argument(
        "--benchmark",
        choices=tuple(BENCHMARKS),
        default="cragmm",
        help="whose figures and published rows (default: cragmm)",
    )
    parser.add_argument("--own", action="store_true", help="only rows measured here")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def run(args: argparse.Namespace) -> int:
    runs = [judged for place in args.runs for judged in _runs(place)]
    for judged in runs:
        tell(judged.left_out)
    if args.benchmark != "cragmm":
        return _board(args, runs)
    found = leaderboard(runs, [] if args.own else published_rows())
    kinds = {"single": ["single-turn"], "multi": ["multi-turn"]}.get(args.set, ["single-turn", "multi-turn"])
    for name, why in found.pop("off"):
        print(f"left out: {name}: {why}", file=sys.stderr)
    found = {key: part for key, part in found.items() if key == "notes" or part["set"] in kinds}
    print(json.dumps(found, indent=1, ensure_ascii=False) if args.json else table(found))
    return 0


def _board(args: argparse.Namespace, runs: Sequence[JudgedRun]) -> int:
    """The board of a benchmark that has figures of its own."""
    benchmark = next(one for name, one in BENCHMARKS.items() if name == args.benchmark)
    found = board(benchmark, [(run.name, run.info, run.scores) for run in runs])
    for name, why in found.off:
        print(f"left out: {name}: {why}", file=sys.stderr)
    rows = [row for row in found.rows if row.own or not args.own]
    if args.json:
        print(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False))
        return 0
    for figures, part in Board(tuple(rows), ()).tables(benchmark.figures):
        _print_table(figures[:_COLUMNS], part)
    print("● measured here")
    return 0


def _print_table(figures: Sequence[Figure], rows: Sequence[BoardRow]) -> None:
    for number, one in enumerate(figures, 1):
        print(f"({number}) {one.name}: {one.what}")
    print(f"{'':<2}{'system':<30}{'setting':<34}" + "".join(f"{f'({n})':>9}" for n in range(1, len(figures) + 1)))
    for row in rows:
        cells = "".join(f"{100 * value:>9.1f}" if (value := row.figures.get(f.key)) is not None else f"{'–':>9}"
                        for f in figures)  # fmt: skip
        setting = ", ".join(filter(None, (row.part, row.setting)))
        where = f"{row.where}, {row.data}, {row.judge}"
        print(f"{'●' if row.own else '':<2}{row.system[:29]:<30}{setting[:33]:<34}{cells}  {where}")
    print()


def _runs(place: Path) -> list[JudgedRun]:
    """A run folder, or the runs in a folder: those that cannot be read are named and left out."""
    if (place / "run.json").is_file():
        return [load_run(place)]
    if not place.is_dir():
        raise BadInput(f"there is no run folder {str(place)!r}")
    found = []
    for folder in sorted(p.parent for p in place.glob("*/run.json")):
        try:
            found.append(load_run(folder))
        except VitrineError as problem:
            print(f"left out: {problem}", file=sys.stderr)
    return found


def table(found: Mapping[str, Any]) -> str:
    """The rows as text, in percent."""
    lines = []
    for kind, part in found.items():
        if kind == "notes":
            continue
        head = part["headline"]["short"]
        lines += [
            f"{kind} ({part['reading']})",
            f"{'':<2}{'system':<26}{'setting':<22}{head:>7}{'95 % interval':>17}{'right':>7}{'miss':>7}{'wrong':>7}"
            f"{'stop':>7}  source, split, judge",
        ]
        for row in part["rows"]:
            mark = {"measured here": "●", "imported": "○"}.get(row["source"], " ")
            figures = (row["truthfulness"], row["accuracy"], row["missing"], row["hallucination"], row["early_stop"])
            truth, *cells = (f"{'–':>7}" if x is None else f"{100 * x:>7.1f}" for x in figures)
            interval = "" if row["low"] is None else f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
            where = f"{row['source']} ({row['where']}), {row['data']} {row['split']}, {row['judge']}"
            name = f"{mark:<2}{row['system'][:25]:<26}{row['setting'][:21]:<22}"
            lines.append(f"{name}{truth}{interval:>17}{''.join(cells)}  {where}")
        lines.append("")
    return "\n".join([*lines, "● measured here, ○ imported", *found["notes"]])
