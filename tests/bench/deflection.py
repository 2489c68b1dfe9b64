"""VLM-DeflectionBench on a generated world: curated by the embedded reader, asked under all scenarios, and the curve.

    python -m tests.bench deflection [--seed 187] [--entities 110] [--questions 200] [--work DIR]

The whole pipeline as a user runs it, each step by its command. What it shows is how far the reader answers from what it
is handed and holds back from what only looks like an answer; as its own gate it is asked nothing that it could not
answer with gold. Judged by `lexical`: rows of a file have no typed answers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from assistant.core.paths import PROJECT_DIR
from eval.benchmarks.deflection import SHARES
from eval.benchmarks.scenarios import SCENARIOS


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench deflection")
    parser.add_argument("--seed", type=int, default=187, help="of the world, 150 to 199")
    parser.add_argument("--entities", type=int, default=110)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--work", type=Path, help="folder that is kept, and gone on in")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as gone:
        return _measured(args, (args.work or Path(gone)).resolve())


def _measured(args: argparse.Namespace, work: Path) -> dict[str, Any]:
    world, data, rows = work / "world", work / "data", work / "curated" / "rows.jsonl"
    times_s: dict[str, float] = {}

    def step(name: str, *arguments: object) -> None:
        start = time.monotonic()
        subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=PROJECT_DIR, check=True, stdout=sys.stderr)
        times_s[name] = round(time.monotonic() - start, 1)

    if not world.exists():
        size = ["--seed", args.seed, "--entities", args.entities, "--questions", args.questions, "--conversations", 5]
        step("world", "eval", "world", *size, "--out", world)
    step("index", "assistant", "index", "build", world, "--out", work / "index")
    common = ["--index", work / "index", "--data-dir", data]
    step("curate", "eval", "curate", "--data", world, "--split", "all", "--set", "single", *common,
         "--out", work / "curated")  # fmt: skip
    ask = ["eval", "run", "--benchmark", "deflection", "--data", rows, *common]
    step("scenarios", *ask, "--scenario", "all", "--out", work / "scenarios")
    step("curve", *ask, "--scenario", "realistic,adversarial", "--distractors", "0,1,2,5,10", "--out", work / "curve")
    about = json.loads((work / "curated" / "curation.json").read_text())
    found = {
        "world": {"seed": args.seed, "entities": args.entities, "questions": args.questions},
        "stages": about["stages"],
        "n": about["n"],
        "gold": about["gold"],
        "negatives": about["negatives"],
        "scenarios": _by_scenario(work / "scenarios"),
        "curve": _cells(work / "curve"),
        "seconds": times_s,
    }
    _print(found)
    return found


def _scores(run: Path) -> dict[str, Any]:
    scores: dict[str, Any] = json.loads((run / "scores.json").read_text())["deflection"]
    return scores


def _by_scenario(run: Path) -> dict[str, Any]:
    return {name: _rounded(_scores(run)[name]) for name in SCENARIOS}


def _cells(run: Path) -> list[dict[str, Any]]:
    return [
        {"scenario": cell["scenario"], "distractors": cell["distractors"], **_rounded(cell)}
        for cell in _scores(run)["cells"]
    ]


def _rounded(cell: dict[str, Any]) -> dict[str, Any]:
    ends = {name: [round(found["low"], 3), round(found["high"], 3)] for name, found in cell["intervals"].items()}
    return {**{name: round(cell[name], 3) for name in SHARES.values()}, "intervals": ends, "n": cell["n"]}


def _print(found: dict[str, Any]) -> None:
    for stage in found["stages"]:
        print(f"stage {stage['name']}: {stage['kept']} of {stage['given']} kept")
    print(f"{'':<14}" + "".join(f"{name:>15}" for name in SHARES.values()))
    for name, cell in found["scenarios"].items():
        print(f"{name:<14}" + "".join(f"{100 * cell[share]:>13.1f} %" for share in SHARES.values()))
    for cell in found["curve"]:
        name = f"{cell['scenario'][:9]} {cell['distractors']}"
        print(f"{name:<14}" + "".join(f"{100 * cell[share]:>13.1f} %" for share in SHARES.values()))
