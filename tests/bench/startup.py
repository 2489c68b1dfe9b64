"""From process start to the first paint (HTTP 200), and from then to the first answer, with the index built.

Uses the real `app.py` as a process and its real HTTP endpoint. The first run warms the disk and builds the index.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.app_process import ask_over_http, example_frame, running_app

SERVE_BUDGET_S = 8.0
FIRST_ANSWER_BUDGET_S = 15.0


def run(argv: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        image = example_frame(Path(folder))
        rounds = []
        for name in ("cold", "warm", "warm again"):
            with running_app(Path(folder) / "data") as app:
                serve_s = app.served_after_s
                reply, answer_s = ask_over_http(app.url, image, "What is this?")
            rounds.append({"round": name, "serves_s": serve_s, "first_answer_s": answer_s, "status": reply["status"]})
            print(f"{name:<12} serves after {serve_s:5.1f} s, first answer {answer_s:5.1f} s later ({reply['status']})")
    print(f"budget (warm): serves within {SERVE_BUDGET_S} s, first answer within {FIRST_ANSWER_BUDGET_S} s")
    return {"rounds": rounds}
