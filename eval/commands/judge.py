"""Judge a finished run again, with any judge, and score it by the new verdicts; nothing is generated.

What this judge has judged before is kept, so that a stopped command goes on where it was. The verdicts of other judges
stay in the folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.benchmarks.registry import benchmark_of
from eval.commands.told import tell
from eval.data.truths import without_truth_words
from eval.judges.options import JudgeProgress, add_judge_arguments, judge_choice, judging_record, world_for
from eval.judges.registry import JUDGES
from eval.judges.summary import verdict_words
from eval.reports.summary import own_figures, without_verdict, without_weight
from eval.runs.control import ends_cleanly
from eval.runs.reading import read_info
from eval.runs.store import RunFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="the run folder")
    parser.add_argument("--judge", choices=JUDGES, required=True, help="who judges")
    add_judge_arguments(parser)
    parser.add_argument(
        "--overlay", type=Path, metavar="FILE", help="corrected ground truths: scores without and with them"
    )
    parser.add_argument("--data-dir", type=Path, help="where replies of judging models are kept")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")


def run(args: argparse.Namespace) -> int:
    info = read_info(args.run)
    world = world_for(info, args.judge)
    args.judge_labels = args.judge_labels or benchmark_of(info).judge_labels
    choice = judge_choice(args, args.judge)
    choice.check(world)
    corrections = None
    if args.overlay is not None:
        from eval.annotate.overlay import check_overlay

        corrections = check_overlay(args.run, choice.name, args.overlay)
    stop = threading.Event()
    from eval.scoring import judge_and_score, score_overlay

    with ends_cleanly(), RunFolder.open(args.run, info, resume=True) as folder:
        try:
            scores = judge_and_score(folder, choice, world, progress=JudgeProgress(), cancelled=stop)
            if corrections is not None:
                scores = score_overlay(folder, choice, world, scores, corrections, args.overlay.name)
        except KeyboardInterrupt:
            print("stopped; the same command goes on with what is not judged yet", file=sys.stderr)
            return 130
        folder.write_info(judge=args.judge, judging=judging_record(args, args.judge))
    tell(folder.left_out.sentences)
    print(json.dumps(scores, indent=1, ensure_ascii=False) if args.json else table(scores, folder.info))
    reached = sum(part["not_reached"] for part in scores.get("judging", ()))
    if reached:
        problem = next(part["problem"] for part in scores["judging"] if part.get("problem"))
        print(f"{reached} turns were not judged ({problem}): run the same command again", file=sys.stderr)
        return 1
    return 0


def table(scores: Mapping[str, Any], info: Mapping[str, Any]) -> str:
    """The judge's verdicts, the three readings and the benchmark's own figures as text; of two judges each and the
    mean. `info` is the run's `run.json`."""
    lines = []
    for part in scores.get("judging", ()):
        lines.append(_spoken(part))
    columns = {scores["judge"]: scores}
    if "judges" in scores:
        columns = {**scores["judges"], "mean": scores["averaged"]}
        agreement = scores["agreement"]
        kappa = "undefined" if agreement["kappa"] is None else f"{agreement['kappa']:.3f}"
        if agreement["n"]:
            lines.append(f"the two agree on {agreement['share']:.1%} of {agreement['n']} turns, kappa {kappa}")
    lines.append(f"{'':<34}" + "".join(f"{name[:22]:>24}" for name in columns))
    truths = scores.get("n_without_truth", 0) < scores["n"]
    for reading in ("paper", "readme") if truths else ():
        for name in ("truthfulness", "accuracy", "missing", "hallucination_rate"):
            lines.append(_row(f"{reading} {name}", [column[reading].get(name) for column in columns.values()]))
    if truths:
        public = [column["public"]["all"].get("truthfulness_score") for column in columns.values()]
        lines.append(_row("public truthfulness", public))
    if "overlay" in scores:
        lines += _overlay_rows(scores["overlay"])
    lines += [_row(name, values) for name, values in own_figures(info, list(columns.values()))]
    untold = without_truth_words(scores.get("n_without_truth", 0), scores.get("n_scored", 0))
    return "\n".join([*lines, *without_verdict(scores), *without_weight(scores), *([untold] if untold else [])])


def _overlay_rows(overlay: Mapping[str, Any]) -> list[str]:
    """The figures without and with corrected ground truths."""
    changed = f"{overlay['n_changed']} ground truths corrected by {overlay['file']}"
    lines = [f"{changed}, {overlay['n_flipped']} verdicts changed"]
    lines.append(f"{'':<34}{'as the data are':>24}{'corrected':>24}")
    for name in ("truthfulness", "accuracy", "missing", "hallucination_rate"):
        lines.append(_row(f"paper {name}", [overlay[side]["paper"].get(name) for side in ("without", "with")]))
    return lines


def _row(name: str, values: list[Any]) -> str:
    return f"{name:<34}" + "".join(f"{'' if value is None else f'{value:.3f}':>24}" for value in values)


def _spoken(part: Mapping[str, Any]) -> str:
    spent = part.get("spent", {})
    verdicts = verdict_words(part)
    tokens = f"; {spent.get('calls', 0):.0f} calls" if spent else ""
    if "prompt_tokens" in spent:
        tokens += f", {spent['prompt_tokens']:.0f} tokens read, {spent.get('completion_tokens', 0):.0f} written"
    if "cost" in spent:
        tokens += f", {spent['cost']:.4f} US dollars"
    return f"{part['judge_model']} (prompt {part['judge_prompt']}): {verdicts}{tokens}"
