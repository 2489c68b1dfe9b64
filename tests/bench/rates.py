"""Every pipeline under every strictness, with a scripted model of stated error rates over a generated world's texts.

`python -m tests.bench rates [--entities N] [--seeds N] [--work DIR]`. The model and the eyes are scripted
(`tests.assistant.pipelines.erring_model`, `.rates`): the table says what the pipelines make of such a model and
measures no model. Planning, search over the pages, prompts, checks and risk are the real ones.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any, get_args

from assistant.core.types import Strictness
from tests.assistant.pipelines import erring_model
from tests.assistant.pipelines.erring_world import asked_of
from tests.assistant.pipelines.rates import (
    MISTAKES,
    PRESETS,
    RECOGNISES,
    RISK,
    Figures,
    Setting,
    Stage,
    table,
    write_stage,
)

#: Of wrong answers at `none` so many may be left at `severe`.
LEFT_AT_SEVERE = 0.25
PARTS = ("check", "second-look", "naming")


def settings() -> list[Setting]:
    """vitrine with and without a limit of risk and parts, then the presets; kdd-2025 has rules of its own."""
    every: tuple[Strictness, ...] = get_args(Strictness)
    ours = [Setting("vitrine", strictness, risk) for risk in (None, RISK) for strictness in every]
    left_out = [Setting("vitrine", "severe", risk, frozenset({part})) for part in PARTS for risk in (None, RISK)]
    presets = [Setting(name, s) for name in PRESETS for s in every if name != "kdd-2025" or s == "moderate"]
    return [*ours, *left_out, *presets]


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench rates", description=__doc__)
    parser.add_argument("--world", type=int, default=21, help="the world's seed")
    parser.add_argument("--entities", type=int, default=60)
    parser.add_argument("--questions", type=int, default=None, help="single questions of each split (default: all)")
    parser.add_argument("--conversations", type=int, default=None, help="conversations of each split (default: all)")
    parser.add_argument("--seeds", type=int, default=3, help="how often every turn is asked, with other errors")
    parser.add_argument("--work", type=Path, default=None, help="where the world is or will be (default: a new folder)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as temporary:
        world, index = write_stage(args.work or Path(temporary), args.world, args.entities)
        stage, asked = Stage(world, index), asked_of(world, args.questions, args.conversations)
        figures: dict[Setting, Figures] = {}
        for setting in settings():
            begun = time.perf_counter()
            figures[setting] = stage.play(asked, setting, range(args.seeds))
            print(f"{setting.pipeline}, {setting.name}: {time.perf_counter() - begun:.0f} s", flush=True)
    print(f"\n{table(figures)}\n")
    asked_loosely = figures[Setting("vitrine", "none")]
    loose, strict = asked_loosely.count("wrong"), figures[Setting("vitrine", "severe", RISK)].count("wrong")
    print(f"wrong at severe with --risk {RISK:g}: {strict} of {loose} at none; promised: at most {LEFT_AT_SEVERE:.0%}")
    found = asked_loosely.as_json()["risk_coverage"] or {"points": (), "aurc": 0.0}
    for point in found["points"][::8]:
        share, wrong = point["coverage"], point["risk"]
        print(f"  risk up to {point['threshold']:.2f}: {share:.0%} of the turns answered, {wrong:.0%} of these wrong")
    print(f"area under risk and coverage at none: {found['aurc']:.3f}")
    print("THE MODEL AND THE EYES ARE SCRIPTED with stated rates: this compares pipelines and measures no model.")
    rows = [{"pipeline": s.pipeline, "asked": s.name, **f.as_json()} for s, f in figures.items()]
    return {
        "scripted": True,
        "rates": {**vars(erring_model.STATED), "recognises": RECOGNISES, "mistakes": MISTAKES},
        "world": {"seed": args.world, "entities": args.entities},
        "seeds": args.seeds,
        "rows": rows,
    }
