"""SIGKILLs at random moments of runs against a server that fails: is anything lost, done twice, or scored otherwise?

Each run asks the scripted chat server (429 with Retry-After, 500, silence, connections that break, half replies,
replies that are no JSON) through the real client, is killed again and again, and in the end resumed until it is done.
A run without kills or faults says what every answer and every score must be. Which attempts fail is a function of the
request, the moments of the kills of `--seed`. `--kills 3` with a small set is what the tests run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from eval.runs.store import read_turn_lines
from tests import scripted_chat

FAULTS = "429=0.08,500=0.06,hang=0.03,drop=0.04,half=0.06,malformed=0.03"
TIMEOUT_S = 1.0
CONCURRENCY = 8


def write_data(path: Path, conversations: int, seed: int, truths: dict[str, str] | None = None) -> None:
    """Rows of 1 to 5 turns; one in three has a picture. `truths`: what the ground truth of a question is."""
    from PIL import Image

    chance = random.Random(seed)
    Image.new("RGB", (64, 48), (200, 120, 40)).save(path.parent / "a.png")
    with path.open("w", encoding="utf-8") as file:
        for i in range(conversations):
            turns = [f"conversation {i} turn {j} of {seed}?" for j in range(chance.randint(1, 5))]
            row: dict[str, Any] = {
                "turns": [{"query": q, "ground_truth": (truths or {}).get(q, "something else")} for q in turns]
            }
            if i % 3 == 0:
                row["image"] = "a.png"
            file.write(json.dumps(row) + "\n")


def start(data: Path, out: Path, base_url: str, data_dir: Path) -> subprocess.Popen:
    """One process of a run: begins it, or takes it up."""
    environment = {**os.environ, "OPENAI_BASE_URL": base_url, "VITRINE_CHAT_TIMEOUT_S": str(TIMEOUT_S)}
    environment.pop("OPENAI_API_KEY", None)
    command = [sys.executable, "-m", "tests.eval.agents.chat_agent", "--data", str(data), "--out", str(out), "--resume"]
    command += ["--concurrency", str(CONCURRENCY), "--tries", "8", "--model", "hash", "--judge", "exact"]
    command += ["--data-dir", str(data_dir), "--no-cache"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen) -> None:
    _, shown = process.communicate(timeout=300)
    if process.returncode != 0:
        raise RuntimeError(f"a run ended with {process.returncode}: {shown[-400:]}")


def answers(out: Path) -> dict[str, str]:
    """Question → answer of a finished run; raises if a turn stands there twice."""
    lines = read_turn_lines(out)
    found = {line["query"]: line["agent_response"] for line in lines}
    if len(found) != len(lines):
        raise AssertionError(f"{len(lines) - len(found)} turns were stored twice")
    return found


def figures(out: Path) -> dict[str, Any]:
    """The scores without what depends on the clock."""
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    return {name: value for name, value in scores.items() if "ms" not in name and name != "timings"}


def _wait(process: subprocess.Popen, out: Path, stored: int, turns: int, chance: random.Random) -> None:
    """Until a random moment: within the start of the process, after some more turns, or when all are stored."""
    if chance.random() < 0.15:
        time.sleep(chance.uniform(0.0, 1.5))
        return
    more = turns if chance.random() < 0.15 else stored + chance.randint(1, max(1, (turns - stored) // 3))
    while process.poll() is None and _count(out / "turns.jsonl") < min(more, turns):
        time.sleep(0.002)
    time.sleep(chance.uniform(0.0, 0.1))


def _count(path: Path) -> int:
    try:
        return path.read_bytes().count(b"\n")
    except OSError:
        return 0


def kill_runs(kills: int, conversations: int, latency_s: float, seed: int) -> dict[str, Any]:
    """Kill until `kills` were made; every run is finished and compared.

    Returns:
        How many kills hit, in which state of the run, how many runs they fell on, how many ended equal.
    """
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="kills-") as temporary:
        base = Path(temporary)
        data = base / "rows.jsonl"
        write_data(data, conversations, seed)
        with scripted_chat.start("--latency", "0") as plain:
            finish(start(data, base / "first", plain.base_url, base))
            said = answers(base / "first")
            write_data(data, conversations, seed, {q: a for i, (q, a) in enumerate(said.items()) if i % 2})
            finish(start(data, base / "clean", plain.base_url, base))
        clean, expected = answers(base / "clean"), figures(base / "clean")
        made, runs, equal, states, lost = 0, 0, 0, dict.fromkeys(("start", "middle", "end"), 0), 0
        requests = 0
        while made < kills:
            runs += 1
            out = base / f"run{runs}"
            arguments = ["--latency", str(latency_s), "--latency-spread", "0.5", "--faults", FAULTS]
            arguments += ["--seed", str(seed + runs), "--hang", str(2 * TIMEOUT_S), "--retry-after", "0.2"]
            with scripted_chat.start(*arguments) as server:
                stored: dict[str, str] = {}
                while made < kills:
                    process = start(data, out, server.base_url, base)
                    _wait(process, out, len(stored), len(clean), chance)
                    alive = process.poll() is None
                    process.kill()
                    process.communicate()
                    if not alive:
                        break
                    made += 1
                    now = {}
                    with contextlib.suppress(FileNotFoundError):
                        now = answers(out)
                    lost += sum(now.get(q) != a for q, a in stored.items())
                    states["start" if not now else "end" if len(now) == len(clean) else "middle"] += 1
                    stored = now
                    if len(now) == len(clean):
                        break
                finish(start(data, out, server.base_url, base))
                requests += len(server.requests())
            same = answers(out) == clean and figures(out) == expected
            equal += same
            if not same:
                print(f"run {runs} ended otherwise: {figures(out)} instead of {expected}", file=sys.stderr)
    return {
        "kills": made,
        "hit": states,
        "runs": runs,
        "runs_equal": equal,
        "turns_a_run": len(clean),
        "stored_turns_lost_or_changed": lost,
        "requests": requests,
        "turns_answered": runs * len(clean),
        "faults": FAULTS,
    }


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench kills")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--conversations", type=int, default=40)
    parser.add_argument("--latency", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    found = kill_runs(args.kills, args.conversations, args.latency, args.seed)
    print(f"{found['kills']} kills on {found['runs']} runs of {found['turns_a_run']} turns, hit: {found['hit']}")
    print(f"{found['runs_equal']} of {found['runs']} runs ended with the uninterrupted run's answers and scores;")
    print(f"{found['stored_turns_lost_or_changed']} stored turns were lost or changed")
    return found
