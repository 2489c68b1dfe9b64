"""What a slider costs on a 960x1280 frame of the bundled world: the small copy shown while it moves, the whole picture
once it rests, and a capsule of a turn saved and opened. Medians; the budget is the small copy's, 100 ms a kind.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

BUDGET_PREVIEW_MS = 100.0


def run(argv: list[str]) -> dict[str, Any]:
    from assistant.capsule import Capsule, Record, pack, unpack
    from assistant.core.paths import ASSETS_DIR
    from assistant.core.types import Answer, Frame, Turn
    from assistant.ui.panels.degradation import PREVIEW_SIDE_PX, smaller, through
    from assistant.ui.state.pictures import data_uri
    from assistant.ui.tab.examples import ExampleFrames
    from assistant.vision.degrade import KINDS, Degradation

    parser = argparse.ArgumentParser(prog="python -m tests.bench lights")
    parser.add_argument("--repeat", type=int, default=15)
    repeat = parser.parse_args(argv).repeat
    frame = ExampleFrames(ASSETS_DIR / "world").frame(3)
    assert frame is not None
    small = smaller(frame)
    kinds = {kind: (Degradation(kind, 0.7, 1),) for kind in KINDS}
    table: dict[str, Any] = {}
    for name, steps in {**kinds, "all five": tuple(Degradation(kind, 0.6, 1) for kind in KINDS)}.items():

        def preview(steps: tuple[Degradation, ...] = steps) -> str:
            return data_uri(through(small, steps), PREVIEW_SIDE_PX, quality=72)

        def whole(steps: tuple[Degradation, ...] = steps) -> Frame:
            return through(frame, steps)

        table[name] = {
            "preview_ms": _median_ms(preview, repeat),
            "whole_ms": _median_ms(whole, max(3, repeat // 5)),
            "preview_bytes": len(preview()),
        }
        print(f"{name:<12} preview {table[name]['preview_ms']:>7} ms   whole {table[name]['whole_ms']:>7} ms")
    turn = Turn("What is it?", Answer("It is a stamp.", "answered"), frame.digest)
    capsule = Capsule(Record(turn), frame)
    data = pack(capsule)
    saved = {
        "save_ms": _median_ms(lambda: pack(capsule), 5),
        "open_ms": _median_ms(lambda: unpack(data), 5),
        "bytes": len(data),
    }
    print(f"capsule: saved in {saved['save_ms']} ms, opened in {saved['open_ms']} ms, {len(data) / 1e6:.1f} MB")
    slowest = max(table[kind]["preview_ms"] for kind in KINDS)
    return {"lights": table, "capsule": saved, "budget_ms": BUDGET_PREVIEW_MS, "within": slowest <= BUDGET_PREVIEW_MS}


def _median_ms(work: Callable[[], object], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return round(float(np.median(times)), 1)
