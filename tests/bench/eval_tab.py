"""100,000 turns in the page of benchmarks: `python -m tests.bench eval_tab [--turns N]` (budget: listed within 3 s).

Writes a run folder as the runner would, serves the real page in a process of its own and times what a researcher waits
for in a real Chromium, from the click until it is drawn: the list of turns, read for the first time; a filter; a search
through all texts; one turn in full. Beside the clock on the wall stands the processor time of the same reading without
a page, which says what it would be on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

from eval.ui.html.samples import PAGE, render_kinds, render_rows
from eval.ui.state.turn_index import Filters, TurnIndex
from tests.bench.scores import write
from tests.e2e.conftest import DESKTOP, FLAGS
from tests.e2e.test_eval_tab import Bench

BUDGET_S = 3.0
_PATIENCE_MS = 120_000


def reading(run: Path) -> dict[str, float]:
    """Processor seconds of what the list needs, without a page."""
    start = time.process_time()
    index = TurnIndex(run).refresh()
    read = time.process_time() - start
    judge = index.judge_of({})
    found = index.find(Filters(), judge)
    drawn = render_kinds(index.counts(judge), "") + render_rows(index.rows(found[:PAGE], judge), len(found), 0, None)
    assert drawn.count("data-row") == PAGE
    listed = time.process_time() - start
    start = time.process_time()
    assert index.find(Filters(words="question s000999"), judge)
    return {"read": round(read, 2), "listed": round(listed, 2), "searched": round(time.process_time() - start, 2)}


def run(arguments: list[str]) -> dict[str, Any]:
    """Seconds on the wall for each step in the browser, processor seconds for the reading alone."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench eval_tab")
    parser.add_argument("--turns", type=int, default=100_000)
    n = parser.parse_args(arguments).turns
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(Path(place))
        try:
            write(bench.runs / "large", n, 1, traces=False)
            info = bench.runs / "large" / "run.json"
            info.write_text(json.dumps({**json.loads(info.read_text()), "n_turns": n}))
            seconds = _in_the_browser(bench)
        finally:
            bench.kill()
        processor = reading(bench.runs / "large")
        size_mb = round((bench.runs / "large" / "turns.jsonl").stat().st_size / 1e6)
    for name, value in seconds.items():
        print(f"{value:>8.2f} s  {name}")
    print(f"{n} turns ({size_mb} MB) listed in {seconds['listed']} s (budget {BUDGET_S:.0f} s); processor: {processor}")
    return {"turns": n, "turns_mb": size_mb, "wall_s": seconds, "processor_s": processor, "budget_s": BUDGET_S}


def _in_the_browser(bench: Bench) -> dict[str, float]:
    seconds: dict[str, float] = {}

    def timed(name: str, act: Callable[[], Any]) -> None:
        start = time.perf_counter()
        act()
        seconds[name] = round(time.perf_counter() - start, 2)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_context(viewport=DESKTOP).new_page()
        page.set_default_timeout(_PATIENCE_MS)
        page.goto(bench.url)
        page.locator(".b-open").wait_for()
        rows = page.locator(".b-rows li")

        def list_them() -> None:
            page.locator(".b-open").click()
            page.locator("#b-run-head h2").wait_for()
            page.get_by_role("tab", name="Samples").click()
            rows.first.wait_for()

        timed("listed", list_them)  # from the list of runs, nothing of the run read before

        def filter_them() -> None:
            page.locator(".b-kind--wrong").click()
            expect(page.locator(".b-rows .b-mark").first).to_have_text("wrong", timeout=_PATIENCE_MS)

        timed("filtered", filter_them)

        def search_them() -> None:
            page.get_by_label("Search").fill("s000999")
            expect(page.locator(".b-pages")).to_contain_text("1 to", timeout=_PATIENCE_MS)
            expect(rows.first).to_contain_text("s000999", timeout=_PATIENCE_MS)

        page.locator(".b-kind--all").click()
        expect(page.locator(".b-kind--all")).to_have_attribute("aria-pressed", "true", timeout=_PATIENCE_MS)
        timed("searched", search_them)
        timed("one opened", lambda: (rows.first.click(), page.locator(".b-sample h3").wait_for()))
        browser.close()
    return seconds
