"""From process start to the page, to the index, and to the first answer over HTTP: the real `app.py` as a process.

The first round starts with an empty data folder: the page comes up while the bundled index is built behind it, and
questions are answered once that is done. The others find the index built, as every later start does.
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

SERVE_BUDGET_S = 4.0
FIRST_ANSWER_BUDGET_S = 15.0
FIRST_INDEX_BUDGET_S = 90.0
#: A machine so slow or so busy that the index takes longer gets no figure.
_PATIENCE_S = 900.0
_NOT_READY = "not ready yet"


def run(argv: list[str]) -> dict[str, Any]:
    from assistant.core.paths import ASSETS_DIR, PROJECT_DIR
    from assistant.settings import read_settings
    from eval.data.datasets import load

    samples = load(str(ASSETS_DIR / "world"), "validation", "single").samples
    sample = next(s for s in samples if s.is_ego and s.picture is not None)
    rounds: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        picture, data = Path(folder) / "frame.jpg", Path(folder) / "data"
        picture.write_bytes(sample.picture.read())
        index = read_settings(data_dir=str(data), profile="embedded").index_dir
        for name in ("empty data folder", "index built", "index built, again"):
            command = [sys.executable, "app.py", "--data-dir", str(data)]
            begun = time.perf_counter()
            process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
            try:
                r = rounds[name] = _one_round(process, begun, index, picture, sample.turns[0].query)
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(30)
            built = f"index {r['index_s']:6.1f} s, " if r["index_s"] is not None else ""
            print(
                f"{name:<20} page {r['page_s']:5.1f} s (slowest later {r['slowest_page_s']:.2f} s), {built}"
                f"first answer {r['first_answer_s']:6.1f} s ({r['status']})"
            )
    print(
        f"budgets from process start, two idle cores: page {SERVE_BUDGET_S:.0f} s, index on first start "
        f"{FIRST_INDEX_BUDGET_S:.0f} s, first answer with the index built {FIRST_ANSWER_BUDGET_S:.0f} s"
    )
    return {"rounds": rounds}


def _one_round(
    process: subprocess.Popen[str], begun: float, index: Path, picture: Path, question: str
) -> dict[str, Any]:
    """Seconds from `begun` to the page, to the complete index (None where it stood before) and to the answer."""
    from gradio_client import Client, handle_file

    to_build = not (index / "manifest.json").is_file()
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    if not found:
        raise RuntimeError("app.py did not say where it serves")
    _fetch(found[0])
    page_s = time.perf_counter() - begun
    index_s, slowest_page_s = None, 0.0
    while to_build and index_s is None:
        slowest_page_s = max(slowest_page_s, _fetch(found[0]))
        if (index / "manifest.json").is_file():  # it gets its name when everything is in it
            index_s = time.perf_counter() - begun
        elif time.perf_counter() - begun > _PATIENCE_S:
            raise RuntimeError(f"the index was not built within {_PATIENCE_S:.0f} s")
        time.sleep(0.25)
    client = Client(found[0], verbose=False)
    try:
        answer = _ask(client, handle_file(picture), question, begun)
        first_answer_s = time.perf_counter() - begun
    finally:
        client.close()
    return {
        "page_s": round(page_s, 2),
        "slowest_page_s": round(slowest_page_s, 2),
        "index_s": None if index_s is None else round(index_s, 1),
        "first_answer_s": round(first_answer_s, 2),
        "status": answer["status"],
    }


def _ask(client: Any, picture: Any, question: str, begun: float) -> dict[str, Any]:
    """The answer; the page is up before the assistant, and says so until it is there."""
    while True:
        try:
            answer: dict[str, Any] = client.predict(picture, question, "", api_name="/ask")
            return answer
        except Exception as problem:  # the client raises errors of several kinds for what the server refuses
            if _NOT_READY not in str(problem) or time.perf_counter() - begun > _PATIENCE_S:
                raise
            time.sleep(0.1)


def _fetch(url: str) -> float:
    """Seconds to get the page."""
    begun = time.perf_counter()
    with urllib.request.urlopen(url, timeout=60) as reply:
        reply.read()
    return time.perf_counter() - begun
