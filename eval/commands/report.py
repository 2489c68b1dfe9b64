"""One self-contained HTML page of a run: scores with intervals, slices, failures, ladder, samples with a filter."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.storage import write_text
from assistant.settings import read_settings
from eval.annotate.trial_store import judge_sentence
from eval.commands.told import tell
from eval.data.gold import GoldTurn, has_gold, of_lines, read_gold
from eval.reports.loaded_run import JudgedRun, load_run
from eval.reports.report import MOST_SAMPLES, html_report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="a judged run folder")
    parser.add_argument("--html", type=Path, required=True, help="the file to write")
    parser.add_argument("--samples", type=int, default=MOST_SAMPLES, help=f"rows at most (default: {MOST_SAMPLES})")
    parser.add_argument("--data-dir", help="whose trials of judges are told")


def run(args: argparse.Namespace) -> int:
    if args.samples < 0:
        raise BadInput(f"--samples is {args.samples!r}: give 0 or more")
    judged = load_run(args.run)
    tell(judged.left_out)
    trust = judge_sentence(read_settings(data_dir=args.data_dir).data_dir, judged.scores)
    write_text(args.html, html_report(rescored(judged), gold_for(judged), args.samples, trust))
    print(f"written to {args.html}", file=sys.stderr)
    return 0


def rescored(judged: JudgedRun) -> JudgedRun:
    """The run with scores of this version, where its `scores.json` is missing or older than its verdicts."""
    from dataclasses import replace

    if "intervals" in judged.scores and judged.scores.get("n") == len(judged.lines):
        return judged
    from eval.scoring import score_turns

    scores: dict[str, Any] = score_turns(
        judged.path, judged.lines, judged.verdicts, gold_for(judged), judged.grades, judged.leanings, judged.info
    )
    return replace(judged, scores={**judged.scores, **scores})


def gold_for(judged: JudgedRun) -> dict[str, GoldTurn]:
    """The gold of a run's world, only where its judge had opened it already; {} elsewhere."""
    world = (judged.info.get("data") or {}).get("world")
    if judged.judge.get("judge") != "typed" or not world or not has_gold(Path(world)):
        return {}
    return dict(of_lines(read_gold(Path(world)), judged.lines))
