"""Scoring 100,000 turns: `python -m tests.bench scores [--turns N]` (budget 20 s on an idle machine; 1.5 GB of disk).

Writes a run folder as the runner would (turns, judgements, traces of the size that the embedded assistant leaves), with
gold for half of the turns, then times what a user waits for: reading it, all readings with bounds, intervals and
slices, the attribution that reads every trace, the comparison with a second run, the page, and the public format. Both
clocks are kept: wall time is what a user waits, processor time what it would be with nothing else going on.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from eval.data.gold import GoldTurn
from eval.reports import public_format
from eval.reports.compare import compare
from eval.reports.export import export_run
from eval.reports.loaded_run import JudgedRun, load_run
from eval.reports.report import html_report
from eval.scoring import score_turns
from tests.eval.reports.written_run import line, write_run

BUDGET_S = 20.0
_DOMAINS = [f"domain {i}" for i in range(13)]
_TYPES = [f"type {i}" for i in range(6)]
#: About 9 KB a trace, as runs over generated worlds leave.
_EVIDENCE = [
    {"id": f"page0:{i}", "kind": "passage", "source": f"https://p.invalid/{i}", "text": "Lorem ipsum dolor. " * 6,
     "score": 0.5, "subject": "Amber Lamp", "key": None, "value": None, "title": "Amber Lamp", "outline_px": None}
    for i in range(32)
]  # fmt: skip


def turns(n: int, seed: int) -> list[tuple[dict[str, Any], str | None]]:
    """Conversations of one to six turns, `n` turns in all, with verdicts; one in fifty unjudged, as many failed."""
    rng, other = random.Random(7), random.Random(seed)
    found: list[tuple[dict[str, Any], str | None]] = []
    for number, length in enumerate(_lengths(n, rng)):
        ego = rng.random() < 0.8
        for index in range(length):
            labels = {"domain": rng.choice(_DOMAINS), "query_category": rng.choice(_TYPES), "is_ego": ego}
            verdict = other.choice(["correct", "correct", "wrong", "missing", "missing"])
            status = "timeout" if other.random() < 0.02 else "answered"
            text = (
                "" if status != "answered" else "I don't know." if verdict == "missing" else f"It is {other.random()}."
            )
            turn = line(f"s{number:06}", index, text, status=status, total_turn_count=length, **labels)
            found.append((turn, None if other.random() < 0.02 else verdict))
    return found


def _lengths(n: int, rng: random.Random) -> Iterator[int]:
    while n > 0:
        length = min(n, rng.choice([1, 1, 2, 3, 4, 5, 6]))
        yield length
        n -= length


def write(path: Path, n: int, seed: int, *, traces: bool) -> JudgedRun:
    """A run folder of `n` turns; with traces of real size, or with none to speak of."""
    made = turns(n, seed)
    write_run(path, made)
    if traces:
        _grow_traces(path, made)
    return load_run(path)


def _grow_traces(path: Path, made: list[tuple[dict[str, Any], str | None]]) -> None:
    evidence = json.dumps(_EVIDENCE)
    with (path / "turns.jsonl").open("w") as lines, (path / "traces.jsonl").open("w") as file:
        for turn, _ in made:
            lines.write(json.dumps({**turn, "trace": file.tell()}) + "\n")
            file.write(
                f'{{"interaction_id": "{turn["interaction_id"]}", "events": [{{"event": "Planned"}}], "turn": '
                f'{{"subjects": ["Amber Lamp"], "answer": {{"entity": null, "evidence": {evidence}}}}}}}\n'
            )


def gold_of(run: JudgedRun) -> dict[str, GoldTurn]:
    """Gold for every second turn."""
    return {
        t["interaction_id"]: GoldTurn(
            t["interaction_id"], "Amber Lamp", (), None, i % 6 != 0, "q", ("https://p.invalid/1",), (),
            {"popularity": ("head", "torso", "tail")[i % 3], "indexed": i % 4 != 0},
        )
        for i, t in enumerate(run.lines)
        if i % 2 == 0
    }  # fmt: skip


def timed(act: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """What `act` returns; wall and processor seconds."""
    start, worked = time.perf_counter(), time.process_time()
    found = act()
    return found, (round(time.perf_counter() - start, 2), round(time.process_time() - worked, 2))


def run(arguments: list[str]) -> dict[str, Any]:
    """Seconds for each step over `--turns` turns."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench scores")
    parser.add_argument("--turns", type=int, default=100_000)
    n = parser.parse_args(arguments).turns
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        judged = write(folder / "a", n, 1, traces=True)
        other = write(folder / "b", n, 2, traces=False)
        mb = round((folder / "a" / "traces.jsonl").stat().st_size / 1e6)
        seconds: dict[str, tuple[float, float]] = {}
        judged, seconds["read turns and judgements"] = timed(lambda: load_run(folder / "a"))
        scores, seconds["all readings, bounds, intervals, slices"] = timed(
            lambda: score_turns(judged.path, judged.lines, judged.verdicts, {})
        )
        gold = gold_of(judged)
        _, seconds["the same with gold: attribution, retrieval, every trace read"] = timed(
            lambda: score_turns(judged.path, judged.lines, judged.verdicts, gold)
        )
        _, seconds["compare with a second run"] = timed(lambda: compare(judged, other))
        scored = JudgedRun(**{**vars(judged), "scores": scores})
        _, seconds["the page"] = timed(lambda: html_report(scored))
        _, seconds["export in the public format"] = timed(lambda: export_run(judged, folder / "o"))
        source = folder / "o" / "turn_evaluation_results_all.csv"
        _, seconds["read the public result CSV"] = timed(lambda: public_format.read_results(source))
    steps = ("read turns and judgements", "all readings, bounds, intervals, slices")
    wall, processor = (round(sum(seconds[step][clock] for step in steps), 2) for clock in (0, 1))
    for name, value in seconds.items():
        print(f"{value[0]:>8.2f} s wall {value[1]:>8.2f} s processor  {name}")
    print(f"{n} turns scored in {wall} s, {processor} s of processor time (budget {BUDGET_S:.0f} s); traces {mb} MB")
    return {
        "turns": n,
        "conversations": scores["n_conversations"],
        "traces_mb": mb,
        "seconds": {name: {"wall": value[0], "processor": value[1]} for name, value in seconds.items()},
        "scored_wall_s": wall,
        "scored_processor_s": processor,
        "budget_s": BUDGET_S,
    }
