"""Warm answers on the bundled world's 960x1280 frames: median and 90th percentile of each stage and of the turn.

Every frame is new to the assistant (what was seen is forgotten before each); models and index are loaded before the
clock starts. Stages that run side by side overlap, so
the stages add up to more than the turn.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from typing import Any

import numpy as np

BUDGET_MEDIAN_S = 1.2


def run(argv: list[str]) -> dict[str, Any]:
    from assistant.core.events import Finished
    from assistant.core.types import Conversation
    from assistant.factory import open_assistant
    from assistant.settings import read_settings
    from eval.data.datasets import load

    parser = argparse.ArgumentParser(prog="python -m tests.bench answer")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--data-dir", default=None, help="where the index is or will be built (default: a new folder)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as temporary:
        settings = read_settings(data_dir=args.data_dir or temporary, profile="embedded")
        begun = time.perf_counter()
        assistant = open_assistant(settings)
        opened_s = time.perf_counter() - begun
        begun = time.perf_counter()
        assistant.warm()
        warmed_s = time.perf_counter() - begun
        samples = load(str(settings.world_dir), "validation", "single").samples
        samples = tuple(s for s in samples if s.is_ego and s.picture is not None)
        rows: list[dict[str, float]] = []
        answered = failed = 0
        for sample in samples[: args.limit]:
            frame = sample.frame()
            assert frame is not None
            assistant.forget(frame.digest)
            begun = time.perf_counter()
            events = assistant.answer(Conversation("bench"), sample.turns[0].query, frame)
            turn = next(e.turn for e in events if isinstance(e, Finished))
            rows.append({**turn.timings_ms, "turn": (time.perf_counter() - begun) * 1000})
            answered += turn.answer.status == "answered"
            failed += turn.answer.status == "error"
    stages = list(rows[0]) if rows else []
    table = {
        stage: {
            "median_ms": round(float(np.median([r[stage] for r in rows if stage in r])), 1),
            "p90_ms": round(float(np.percentile([r[stage] for r in rows if stage in r], 90)), 1),
        }
        for stage in stages
    }
    print(f"{'stage':<12}{'median ms':>12}{'p90 ms':>12}")
    for stage, figures in table.items():
        print(f"{stage:<12}{figures['median_ms']:>12.1f}{figures['p90_ms']:>12.1f}")
    print(f"{len(rows)} frames, {answered} answered, {failed} failed")
    print(f"index ready in {opened_s:.1f} s, models warm in {warmed_s:.1f} s")
    print(f"budget: median turn at most {BUDGET_MEDIAN_S} s on two idle cores")
    return {
        "frames": len(rows),
        "answered": answered,
        "failed": failed,
        "opened_s": opened_s,
        "warmed_s": warmed_s,
        "stages": table,
    }
