"""What each part of the pipeline `vitrine` brings: a run with all, one without each, compared on the same turns."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.storage import write_json
from assistant.core.types import PARTS
from eval.commands import run as run_command
from eval.reports.compare import compare
from eval.reports.loaded_run import load_run

#: The name of the run that leaves nothing out.
WHOLE = "all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Those of `run`; what a run is asked with decides what each part is worth."""
    run_command.add_arguments(parser)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="(default: all of them)")
    parser.set_defaults(agent="chat")


def run(args: argparse.Namespace) -> int:
    if args.out is None:
        raise BadInput("--out is the folder that the runs and the table go to: name one")
    if args.pipeline not in (None, "vitrine") or args.without:
        raise BadInput("eval ablate leaves out parts of the pipeline vitrine itself: no other --pipeline, no --without")
    folder, as_json = args.out, args.json
    names = [WHOLE, *dict.fromkeys(args.parts)]
    for n, name in enumerate(names, 1):
        print(f"{n} of {len(names)}: {name if name == WHOLE else f'without {name}'}", file=sys.stderr)
        one = argparse.Namespace(**vars(args))
        one.out, one.json, one.without = folder / name, False, [] if name == WHOLE else [name]
        one.resume = (one.out / "run.json").is_file()  # whoever asks again goes on where the last time ended
        if code := run_command.run(one):
            return code
    found = ablation(folder, names[1:])
    write_json(folder / "ablation.json", found)
    print(json.dumps(found, indent=1, ensure_ascii=False) if as_json else table(found))
    return 0


def ablation(folder: Path, parts: Sequence[str]) -> dict[str, Any]:
    """For each part what all parts together win over all but it, in the paper's reading, with intervals.

    Raises:
        BadInput: the data have no ground truth, so that reading says nothing.
    """
    whole = load_run(folder / WHOLE)
    rows = {}
    for part in parts:
        found = compare(load_run(folder / part), whole)
        if "paper" not in found["figures"]:
            raise BadInput("an ablation tells of right and wrong, and no turn of these runs has a ground truth")
        paper = found["figures"]["paper"]
        ends = paper["truthfulness"]["interval"]  # the comparison's own headline is the benchmark's
        rows[part] = {**paper, "tied": ends["low"] <= 0 <= ends["high"], "mcnemar": found["mcnemar"]}
    return {"format_version": 1, "judge": whole.judge_text, "n": len(whole.lines), "whole": whole.scores, "parts": rows}


def table(found: Mapping[str, Any]) -> str:
    """The ablation as text; points are hundredths of truthfulness."""
    whole = found["whole"]["paper"]
    lines = [
        f"{found['n']} turns, judge {found['judge']}; all parts: truthfulness {whole['truthfulness']:.3f}, "
        f"wrong {whole['hallucination_rate']:.3f}, missing {whole['missing']:.3f}",
        "",
        f"{'what a part brings':<22}{'truthfulness':>14}{'95 % interval':>20}{'right':>9}{'wrong':>9}",
    ]
    for part, row in found["parts"].items():
        main = row["truthfulness"]
        interval = f"[{main['interval']['low']:+.3f}, {main['interval']['high']:+.3f}]"
        gains = f"{row['accuracy']['difference']:>+9.3f}{row['hallucination_rate']['difference']:>+9.3f}"
        tied = "  tied" if row["tied"] else ""
        lines.append(f"{part:<22}{main['difference']:>+14.3f}{interval:>20}{gains}{tied}")
    return "\n".join(lines)
