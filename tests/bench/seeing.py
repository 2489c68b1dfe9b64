"""A run of `--agent chat` on few cores: how long turns take when all see and search side by side, and when only so many
do as there are cores, the others waiting for the endpoint or in line: `python -m tests.bench seeing --index INDEX`.

The same turns of the bundled world are asked with both, twice in turn, each with an assistant that remembers no frame,
against the scripted chat server with a constant latency. Processor time is all of this process's, the server's apart.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from assistant.core.paths import ASSETS_DIR
from assistant.factory import open_assistant
from assistant.settings import read_settings
from eval.agents.factory import SEEING
from eval.agents.protocol import OneAtATime
from eval.data import datasets
from eval.runs.runner import generate
from eval.runs.store import RunFolder, read_turn_lines
from tests import scripted_chat
from tests.bench.runs import Quiet


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench seeing", description=__doc__)
    parser.add_argument("--index", type=Path, required=True, help="an index of the bundled world")
    parser.add_argument("--turns", type=int, default=24)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--calls", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args(argv)
    figures: dict[str, Any] = {"turns": args.turns, "latency_s": args.latency, "calls_at_once": args.calls}
    with scripted_chat.start("--latency", str(args.latency)) as server:
        for round_ in range(args.rounds):
            for name, seeing in ((f"{SEEING} see at a time", SEEING), ("all see at once", None)):
                found = _measure(server.base_url, args, seeing)
                figures.setdefault(name, []).append(found)
                told = ", ".join(f"{key} {value}" for key, value in found.items())
                print(f"round {round_ + 1}, {name}: {told}", flush=True)
    return figures


def _measure(base_url: str, args: argparse.Namespace, seeing: int | None) -> dict[str, float]:
    samples = datasets.load(str(ASSETS_DIR / "world"), "validation", "single", args.turns).samples
    with tempfile.TemporaryDirectory(prefix="seeing-") as folder:
        settings = read_settings(
            profile="chat", data_dir=folder, index=args.index, model="echo", environ={"OPENAI_BASE_URL": base_url}
        )
        assistant = open_assistant(settings, for_run=True)
        assistant.warm()
        out = Path(folder) / "run"
        with RunFolder.open(out, {"options": {}}, resume=False) as run_folder:
            begun, spent = time.perf_counter(), time.process_time()
            agent = OneAtATime(assistant.answer, seeing)
            made = generate(samples, agent, run_folder, concurrency=args.calls, progress=Quiet())
            wall_s, cpu_s = time.perf_counter() - begun, time.process_time() - spent
        if made.failed:
            raise AssertionError(f"{made.failed} turns failed")
        times = [line["ms"] / 1000 for line in read_turn_lines(out)]
    return {
        "run_s": round(wall_s, 1),
        "processor_s": round(cpu_s, 1),
        "median_turn_s": round(statistics.median(times), 2),
        "longest_turn_s": round(max(times), 2),
    }
