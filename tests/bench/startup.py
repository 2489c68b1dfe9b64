"""From process start to the first paint, and to the first answer over HTTP: the real `app.py` as a process.

The first round starts with an empty data folder and builds the bundled index; the others find it built.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

SERVE_BUDGET_S = 8.0
FIRST_ANSWER_BUDGET_S = 15.0
FIRST_INDEX_BUDGET_S = 90.0


def run(argv: list[str]) -> dict[str, Any]:
    from assistant.settings import ASSETS_DIR, PROJECT_DIR
    from eval.datasets import load

    samples = load(str(ASSETS_DIR / "world"), "validation", "single").samples
    sample = next(s for s in samples if s.is_ego and s.picture is not None)
    rounds: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "frame.jpg"
        picture.write_bytes(sample.picture.read())
        for name in ("empty data folder", "index built", "index built, again"):
            command = [sys.executable, "app.py", "--data-dir", str(Path(folder) / "data")]
            begun = time.perf_counter()
            process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
            try:
                rounds[name] = _one_round(process, begun, picture, sample.turns[0].query)
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(30)
            r = rounds[name]
            print(
                f"{name:<20} serves {r['serves_s']:5.1f} s, first answer {r['first_answer_s']:5.1f} s ({r['status']})"
            )
    print(
        f"budgets from process start: page {SERVE_BUDGET_S:.0f} s, first answer {FIRST_ANSWER_BUDGET_S:.0f} s, "
        f"with the index still to build {FIRST_INDEX_BUDGET_S:.0f} s"
    )
    return {"rounds": rounds}


def _one_round(process: subprocess.Popen[str], begun: float, picture: Path, question: str) -> dict[str, Any]:
    from gradio_client import Client, handle_file

    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    if not found:
        raise RuntimeError("app.py did not say where it serves")
    with urllib.request.urlopen(found[0], timeout=30) as reply:
        reply.read()
    serves_s = time.perf_counter() - begun
    client = Client(found[0], verbose=False)
    answer = client.predict(handle_file(picture), question, "", api_name="/ask")
    first_answer_s = time.perf_counter() - begun
    client.close()
    return {
        "serves_s": round(serves_s, 2),
        "first_answer_s": round(first_answer_s, 2),
        "status": answer["status"],
    }
