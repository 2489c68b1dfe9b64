"""What one 960x1280 picture of a generated world costs, kind by kind, in seconds of processor time on one core.

The budget is for the median kind. What is drawn varies little from picture to picture, so the least of a few counts.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

BUDGET_S = 0.8


def run(argv: list[str]) -> dict[str, Any]:
    import cv2

    from eval.world.drawing.draw import draw_art, photograph
    from eval.world.drawing.kit.canvas import FontBox
    from eval.world.drawing.kit.textures import make_textures
    from eval.world.drawing.scenes.scene import Stage
    from eval.world.model import Thing
    from eval.world.vocabulary import load_vocabulary

    parser = argparse.ArgumentParser(prog="python -m tests.bench drawing")
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args(argv).repeat
    cv2.setNumThreads(1)
    stage = Stage(make_textures(np.random.default_rng(4)))
    frame = np.random.default_rng(0).random((1280, 960, 3)).astype(np.float32)
    blurs = min(_spent(lambda: [cv2.GaussianBlur(frame, (0, 0), 9) for _ in range(4)]) for _ in range(repeat))
    spent: dict[str, float] = {}
    for kind, spec in load_vocabulary().attributes["kinds"].items():
        if not spec.get("modes"):
            continue
        made = Thing(id="e1", kind=kind, name="Korvento Brisk", variant="Brisk", noun=kind)
        made.look = {"style": 31, "own": 7, "variant": 0, "flat": False, "named": False, "modes": tuple(spec["modes"])}
        made.content = {"brand": "Korvento", "variant": "Brisk"}
        rounds = []
        for seed in range(repeat):

            def draw(seed: int = seed, made: Thing = made, mode: str = spec["modes"][-1]) -> None:
                chance = random.Random(seed)
                photograph(stage, [draw_art(made, chance, FontBox())], mode, (960, 1280), chance)

            rounds.append(_spent(draw))
        spent[kind] = round(min(rounds), 3)
    dearest = sorted(spent, key=spent.__getitem__, reverse=True)
    median = round(statistics.median(spent.values()), 3)
    print(
        f"median of {len(spent)} kinds {median} s (budget {BUDGET_S} s); dearest, beside four wide blurs in this run:"
    )
    for kind in dearest[:5]:
        print(f"  {kind:<16} {spent[kind]:.2f} s, {spent[kind] / blurs:.1f} times the blurs")
    return {"median_s": median, "four_blurs_s": round(blurs, 3), "kinds_s": {kind: spent[kind] for kind in dearest}}


def _spent(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
