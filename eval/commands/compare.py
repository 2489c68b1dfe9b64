"""Compare two runs on the turns they have in common: differences with intervals, McNemar's exact test, what flipped."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.reports.compare import compare
from eval.reports.loaded_run import load_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", type=Path, help="a run folder")
    parser.add_argument("b", type=Path, help="the run folder it is compared with; differences are B - A")
    parser.add_argument("--judge", help="whose verdicts to compare (default: the one each run was scored by)")
    parser.add_argument("--flips", type=int, default=10, help="show so many answers that changed (default: 10)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON, all flipped samples included")


def run(args: argparse.Namespace) -> int:
    found = compare(load_run(args.a, args.judge), load_run(args.b, args.judge))
    print(json.dumps(found, indent=1, ensure_ascii=False) if args.json else table(found, args.flips))
    return 0


def table(found: Mapping[str, Any], flips: int = 10) -> str:
    """The comparison as text: summary, figures, test, the first `flips` changed answers."""
    lines = [
        found["summary"],
        f"{found['n_common']} turns of {found['n_conversations']} conversations in common, judge {found['judge']}",
        f"A {found['a']['path']} ({found['only_a']} turns of its own)",
        f"B {found['b']['path']} ({found['only_b']} turns of its own)",
        "",
        f"{'':<46}{'A':>9}{'B':>9}{'B - A':>9}   95 % interval",
    ]
    for reading, figures in found["figures"].items():
        for name, row in figures.items():
            interval = f"[{row['interval']['low']:+.3f}, {row['interval']['high']:+.3f}]"
            sides = f"{row['a']:>9.3f}{row['b']:>9.3f}{row['difference']:>+9.3f}"
            title = found["titles"].get(reading, {}).get(name) or f"{reading} {name}"
            lines.append(f"{title:<46}{sides}   {interval}")
    notes = ["", *(f"note: {note}" for note in found["notes"])]
    if (test := found["mcnemar"]) is None:
        return "\n".join([*lines, *(notes if found["notes"] else [])])
    lines += [
        "",
        f"only A right {test['only_a_correct']}, only B right {test['only_b_correct']}: "
        f"exact McNemar p = {test['p']:.4g}",
        *notes[1:],
    ]
    shown = found["flipped"][: max(0, flips)]
    lines.append(f"\n{len(found['flipped'])} verdicts changed" + (f", {len(shown)} shown:" if shown else ""))
    for flip in shown:
        lines.append(f"\n  {flip['query']}\n    truth  {flip['ground_truth']}")
        lines += [f"    {s.upper()} {flip[s]['counts_as']:<8} {flip[s]['answer'] or '(nothing)'}" for s in ("a", "b")]
    return "\n".join(lines)
