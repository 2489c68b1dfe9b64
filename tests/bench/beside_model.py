"""What a turn takes beside its model, and how soon the model's first words are on the screen.

A scripted server answers after a known time, so that what is left of a turn is ours: looking, planning, searching,
encoding the picture, the exchange over HTTP, checking. Once with pictures that were looked at while the question was
being typed, as on the page, and once with new ones. In Chromium: from the arrival of the first piece of a reply in this
process to its first word in the document, and from the piece that ends a sentence to the sentence.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests import scripted_chat
from tests.bench.page import spread
from tests.e2e.conftest import FLAGS, free_port

OWN_BUDGET_MS, SCREEN_BUDGET_MS = 50.0, 50.0
LATENCY_S, CHUNK_S = 0.25, 0.06
PIPELINES = ("mm-llm", "task1", "task2", "task3", "vitrine")
TURNS = 10
REPLY = "The thing in the picture is green all over and has a small red knob on its lid. [picture]"
RULES = [{"match": "Question: ", "reply": REPLY}, {"match": "", "reply": "nothing"}]

WATCH = """() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  new MutationObserver(() => {
    const live = document.querySelector('#current .v-turn--live');
    if (live && live.id !== window.seen.turn) window.seen = {turn: live.id};
    const turn = window.seen.turn && document.getElementById(window.seen.turn);
    if (turn && !window.seen.word && turn.querySelector('.v-draft, .v-sentence')) window.seen.word = now();
    if (turn && !window.seen.sentence && turn.querySelector('.v-sentence')) window.seen.sentence = now();
  }).observe(document.querySelector('#current'), {childList: true, subtree: true, characterData: true});
}"""


class Watched:
    """A model, and when the first and the last piece of its last reply came (ms since the epoch)."""

    def __init__(self, model: Any):
        self._model = model
        self.first_ms = self.last_ms = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def ask(self, *asked: Any, **how: Any) -> Any:
        self.first_ms = 0.0
        return WatchedStream(self, self._model.ask(*asked, **how))


class WatchedStream(Iterator[str]):
    def __init__(self, watched: Watched, stream: Any):
        self._watched, self._stream = watched, stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __next__(self) -> str:
        piece = next(self._stream)
        self._watched.last_ms = time.time() * 1000
        self._watched.first_ms = self._watched.first_ms or self._watched.last_ms
        return piece


def run(argv: list[str]) -> dict[str, Any]:
    from assistant.factory import open_assistant
    from assistant.settings import read_settings

    parser = argparse.ArgumentParser(prog="python -m tests.bench beside_model")
    parser.add_argument("--data-dir", default=None, help="where the index is or will be built (default: a new folder)")
    parser.add_argument("--index", default=None, type=Path, help="an index of the bundled world that is there already")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as temporary:
        there = {"data_dir": args.data_dir or temporary, "index": args.index}
        with scripted_chat.start("--latency", str(LATENCY_S), script=RULES) as server:
            environ = {"OPENAI_BASE_URL": server.base_url}
            settings = read_settings(**there, profile="chat", model="echo", environ=environ)
            assistant = open_assistant(settings)
            assistant.warm()
            own = {name: _own_times(assistant, settings, name, seen=True) for name in PIPELINES}
            new = {name: _own_times(assistant, settings, name, seen=False) for name in ("mm-llm", "vitrine")}
        with scripted_chat.start("--latency", "0.3", "--chunk-delay", str(CHUNK_S), script=RULES) as server:
            environ = {"OPENAI_BASE_URL": server.base_url}
            settings = read_settings(**there, profile="chat", model="echo", environ=environ)
            screen = _on_screen(settings, Path(temporary))
    for name, figure in own.items():
        _say(f"own time, {name}, picture looked at before", figure, OWN_BUDGET_MS)
    for name, figure in new.items():
        _say(f"own time, {name}, new picture", figure, None)
    _say("first piece of a reply to word on screen", screen["word_ms"], SCREEN_BUDGET_MS)
    _say("last piece of a reply to sentence on screen", screen["sentence_ms"], SCREEN_BUDGET_MS)
    return {
        "own_time_ms": own,
        "own_time_new_picture_ms": new,
        "on_screen": screen,
        "turns": TURNS,
        "latency_s": LATENCY_S,
    }


def _say(name: str, figure: dict[str, float], budget: float | None) -> None:
    within = "" if budget is None else f"  (budget {budget:.0f} ms)"
    print(f"{name:<46} median {figure['median']:7.1f}  95 % {figure['p95']:7.1f} ms{within}")


def _own_times(assistant: Any, settings: Any, pipeline: str, *, seen: bool) -> dict[str, float]:
    """Turn less the server's time, of its calls one after another; without the first turn, which warms up."""
    from assistant.core.events import Finished
    from assistant.core.types import Conversation
    from assistant.factory import under_profile
    from eval.data.datasets import load

    answering = under_profile(assistant, replace(settings, pipeline=pipeline), "chat")
    samples = load(str(settings.world_dir), "validation", "single").samples
    frames = [frame for s in samples[: TURNS + 1] if (frame := s.frame()) is not None]
    times: list[float] = []
    for n, frame in enumerate(frames):
        if seen:
            answering.recognise("", frame)
        else:
            answering.forget(frame.digest)
        begun = time.perf_counter()
        *_, last = answering.answer(Conversation("bench"), "What colour is it?", frame)
        took = time.perf_counter() - begun
        assert isinstance(last, Finished)
        assert last.turn.answer.status == "answered", last.turn.answer.reason
        if n:
            times.append((took - LATENCY_S * last.turn.answer.usage.calls) * 1000)
    return spread(times)


def _on_screen(settings: Any, folder: Path) -> dict[str, dict[str, float]]:
    import os

    from app import build_page, launch
    from assistant.factory import open_assistant

    os.environ["GRADIO_TEMP_DIR"] = str(folder / "uploads")
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    assistant = open_assistant(settings)
    assistant.warm()
    watched = Watched(assistant._tools.model)
    assistant._tools = replace(assistant._tools, model=watched)
    page_settings = replace(settings, data_dir=folder)
    page, services = build_page(page_settings, lambda progress: assistant)
    url = launch(page, "127.0.0.1", free_port(), [], page_settings)
    services.engine.start()
    words, sentences = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        tab = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
        tab.goto(url)
        tab.locator("#gallery button").first.click()
        tab.locator("#frame img").wait_for()
        tab.evaluate(WATCH)
        for n in range(TURNS + 1):
            box = tab.get_by_label("Question", exact=True)
            box.fill("What colour is it?")
            box.press("Enter")
            tab.locator(f"#current #turn-{n + 1}.v-turn--answered").wait_for()
            seen = tab.evaluate("window.seen")
            if n:  # of a model whose first reply has not ended nobody knows whether it thinks first
                words.append(seen["word"] - watched.first_ms)
                sentences.append(seen["sentence"] - watched.last_ms)
        browser.close()
    page.close(verbose=False)
    assert statistics.median(words) > 0
    return {"word_ms": spread(words), "sentence_ms": spread(sentences)}
