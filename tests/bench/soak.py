"""The real page for a long time: cameras run, questions are asked by turns, and memory is looked at.

    python -m tests.bench soak --index DIR [--minutes 60] [--visitors 2]

Each visitor's camera shows another scene every few questions. Told: turns and how they ended, the server's memory with
its processes (median of the first and of the last quarter, MB), what was slowest, whether a visitor waited in vain, and
which processes were left when the server had ended.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Any

import psutil
from playwright.sync_api import Error, Page, sync_playwright

from assistant.core.paths import PROJECT_DIR
from tests.e2e.conftest import DESKTOP, FLAGS, free_port
from tests.e2e.test_camera import SCENES

QUESTIONS = ("What is this?", "What colour is it?", "What do you see?", "How heavy is it?")
WAIT_MS = 60_000
#: A turn other than the one with the id given stands on the page, and has ended.
_ENDED = """before => {
  const turn = document.querySelector('#current .v-turn');
  return turn && turn.id !== before && !turn.matches('.v-turn--live, .v-turn--asked');
}"""


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench soak")
    parser.add_argument("--index", required=True)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--visitors", type=int, default=2)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "app.py", "--port", str(port), "--data-dir", folder, "--index", args.index]
        server = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            figures = _soak(url, psutil.Process(server.pid), args.minutes * 60, args.visitors)
        finally:
            children = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
            server.terminate()
            server.wait(20)
        time.sleep(2)
        figures["left_behind"] = [child.name() for child in children if child.is_running()]
    print({name: value for name, value in figures.items() if name != "memory_mb"})
    return figures


def _soak(url: str, server: psutil.Process, seconds: float, visitors: int) -> dict[str, Any]:
    ends: Counter[str] = Counter()
    took, memory = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        pages = [_arrive(browser.new_context(viewport=DESKTOP, permissions=["camera"]), url) for _ in range(visitors)]
        began, n = time.monotonic(), 0
        while time.monotonic() - began < seconds:
            page = pages[n % visitors]
            if n // visitors % 3 == 2:
                page.evaluate("window.scene = window.scene === 'red' ? 'green' : 'red'")
                page.wait_for_timeout(1200)
            start = time.monotonic()
            ends[_ask(page, QUESTIONS[n % len(QUESTIONS)])] += 1
            took.append(time.monotonic() - start)
            memory.append(_megabytes(server))
            n += 1
            if n % 25 == 0:
                print(f"{n} turns, {memory[-1]:.0f} MB, {dict(ends)}", flush=True)
        browser.close()
    quarter = max(1, len(memory) // 4)
    return {
        "minutes": round(seconds / 60, 1),
        "turns": sum(ends.values()),
        "ended": dict(ends),
        "memory_first_mb": round(statistics.median(memory[:quarter])),
        "memory_last_mb": round(statistics.median(memory[-quarter:])),
        "turn_s": {"median": round(statistics.median(took), 2), "most": round(max(took), 2)},
        "memory_mb": [round(value) for value in memory[:: max(1, len(memory) // 200)]],
    }


def _arrive(context: Any, url: str) -> Page:
    page: Page = context.new_page()
    page.add_init_script(SCENES)
    page.goto(url)
    page.get_by_role("button", name="Start the camera").click(timeout=WAIT_MS)
    page.wait_for_timeout(800)
    return page


def _ask(page: Page, question: str) -> str:
    """How the turn ended; "in vain" where it never did."""
    before = page.evaluate("document.querySelector('#current .v-turn')?.id ?? ''")
    box = page.get_by_label("Question", exact=True)
    box.fill(question)
    box.press("Enter")
    try:
        page.wait_for_function(_ENDED, arg=before, timeout=WAIT_MS)
    except Error:
        return "in vain"
    name = page.locator("#current .v-turn").first.get_attribute("class") or ""
    return name.rpartition("v-turn--")[2]


def _megabytes(server: psutil.Process) -> float:
    together = [server, *server.children(recursive=True)]
    return sum(p.memory_info().rss for p in together if p.is_running()) / 1e6
