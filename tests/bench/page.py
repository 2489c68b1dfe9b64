"""The page in a real Chromium: its weight, its first paint, and how soon a click, an event and a card are on screen.

The assistant is scripted, so that only the page and the way to it are measured: gradio's queue, our rendering, the
browser. Times between server and browser are taken on one machine's clock. The question stands on the page at once, by
the browser alone (`asked_ms`); what counts as the first event is the server's own (`first_event_ms`).
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from assistant.core.events import Event, EvidenceFound, Recognised
from tests.e2e.conftest import FLAGS, free_port
from tests.e2e.scripted import ScriptedAssistant

PAINT_BUDGET_MS, CLICK_BUDGET_MS, CARDS_BUDGET_MS, AGAIN_BUDGET_MS = 1500.0, 100.0, 150.0, 1000.0
LOADS, TURNS = 5, 20
QUESTIONS = ("What is the price?", "Who makes it?")

WATCH = """() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  const look = () => {
    if (window.seen.pressed && !window.seen.asked && document.querySelector('#current .v-turn--asked')) {
      window.seen.asked = now();
      requestAnimationFrame(() => { window.seen.asked = now(); });
    }
    const live = document.querySelector('#current .v-turn--live');
    if (live && live.id !== window.seen.turn)
      window.seen = {...window.seen, turn: live.id, first: now(), cards: 0, folded: 0};
    const card = document.querySelector('#current .v-card');
    if (card && window.seen.turn && !window.seen.cards && card.closest('.v-turn').id === window.seen.turn)
      window.seen.cards = now();
    if (live && !window.seen.folded && live.querySelector('.v-others .v-count')) window.seen.folded = now();
    if (window.seen.again && document.querySelector('#current .v-changes') && !window.seen.changed)
      window.seen.changed = now();
  };
  new MutationObserver(look).observe(document.querySelector('#current'), {childList: true, subtree: true,
    attributes: true});
  document.addEventListener('keydown', (e) => {
    if (e.key === 'Enter') Object.assign(window.seen, {pressed: now(), asked: 0});
  }, true);
  document.addEventListener('click', (e) => {
    if (e.target.closest('[data-act=off]')) window.seen = {...window.seen, again: now(), changed: 0};
  }, true);
}"""


class Timed(ScriptedAssistant):
    """Notes when it told what it recognised and what it found."""

    recognised_at_ms = found_at_ms = 0.0

    def answer(self, *arguments: Any, **options: Any) -> Iterator[Event]:
        for event in super().answer(*arguments, **options):
            if isinstance(event, Recognised):
                self.recognised_at_ms = time.time() * 1000
            elif isinstance(event, EvidenceFound):
                self.found_at_ms = time.time() * 1000
            yield event


def run(argv: list[str]) -> dict[str, Any]:
    script = Timed(pause_s=0.05)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = _serve(script, Path(folder))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        figures = {"load": _load(browser, url), "turn": _turns(browser, url, script)}
        browser.close()
    for name, budget in (("first_contentful_paint_ms", PAINT_BUDGET_MS), ("question_ready_ms", None)):
        _say(name, figures["load"][name], budget)
    print(f"page weight          {figures['load']['transferred_kb']:.0f} KB in {figures['load']['requests']} requests")
    _say("click to the question", figures["turn"]["asked_ms"], None)
    _say("click to first event", figures["turn"]["first_event_ms"], CLICK_BUDGET_MS)
    _say("event to cards", figures["turn"]["cards_ms"], CARDS_BUDGET_MS)
    _say("card off to answer", figures["turn"]["again_ms"], AGAIN_BUDGET_MS)
    return figures


def _say(name: str, figure: dict[str, float], budget: float | None) -> None:
    within = "" if budget is None else f"  (budget {budget:.0f} ms)"
    print(
        f"{name:<26} median {figure['median']:7.1f}  95 % {figure['p95']:7.1f}  most {figure['most']:7.1f} ms{within}"
    )


def _serve(script: ScriptedAssistant, folder: Path) -> str:
    from app import build_page, launch
    from assistant.settings import read_settings

    os.environ["GRADIO_TEMP_DIR"] = str(folder / "uploads")
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    settings = read_settings(data_dir=str(folder), environ={})
    page, services = build_page(settings, lambda progress: script)
    url = launch(page, "127.0.0.1", free_port(), [], settings)
    services.engine.start()
    return url


def _load(browser: Browser, url: str) -> dict[str, Any]:
    """Fresh visitors: nothing is in the cache."""
    paints, ready, sizes, requests = [], [], [], 0
    for n in range(LOADS + 1):
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        got: list[float] = []
        session.on("Network.loadingFinished", lambda event, got=got: got.append(event["encodedDataLength"]))
        begun = time.perf_counter()
        page.goto(url)
        page.get_by_label("Question", exact=True).wait_for()
        took = (time.perf_counter() - begun) * 1000
        page.locator("#gallery button, #gallery .v-no-examples").first.wait_for()
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        if n:  # the first load of all warms the server up
            paints.append(paint)
            ready.append(took)
            sizes.append(sum(got) / 1000)
            requests = len(got)
        context.close()
    return {
        "first_contentful_paint_ms": spread(paints),
        "question_ready_ms": spread(ready),
        "transferred_kb": round(statistics.median(sizes), 1),
        "requests": requests,
        "loads": LOADS,
    }


def _turns(browser: Browser, url: str, script: Timed) -> dict[str, Any]:
    page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    page.goto(url)
    page.locator("#gallery button").first.click()
    page.locator("#frame img").wait_for()
    page.evaluate(WATCH)
    asked, first, cards = [], [], []
    for n in range(TURNS + 1):
        box = page.get_by_label("Question", exact=True)
        box.fill(QUESTIONS[n % 2])
        box.press("Enter")
        page.locator(f"#current #turn-{n + 1}.v-turn--answered").wait_for()
        seen = page.evaluate("window.seen")
        if n:
            asked.append(seen["asked"] - seen["pressed"])
            first.append(seen["first"] - seen["pressed"])
            cards += [seen["cards"] - script.recognised_at_ms, seen["folded"] - script.found_at_ms]
    script.pause_s = 0.0
    return {
        "asked_ms": spread(asked),
        "first_event_ms": spread(first),
        "cards_ms": spread(cards),
        "again_ms": _again(page),
        "turns": TURNS,
    }


def _again(page: Page) -> dict[str, float]:
    """A card switched off, from the click to the changed answer."""
    took = []
    for _ in range(TURNS):
        page.locator("#current .v-card--attribute [data-act=off]").first.click()
        page.locator("#current .v-changes").wait_for()
        seen = page.evaluate("window.seen")
        took.append(seen["changed"] - seen["again"])
        page.get_by_role("button", name="Undo").click()
        page.locator("#current .v-changes").wait_for(state="detached")
    return spread(took)


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {"median": round(statistics.median(ordered), 1), "p95": round(p95, 1), "most": round(ordered[-1], 1)}
