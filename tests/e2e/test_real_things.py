"""Ordinary things before the camera, asked about on the page of the real `app.py` with a model that sees.

The things are drawn, the model is scripted: it tells them apart by the colour in the middle of the picture that was
sent to it, so that an answer shows that this picture went from the camera to the model and came back as sentences.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant.core.paths import PROJECT_DIR
from tests import scripted_chat
from tests.e2e.conftest import PHONE, Served, free_port
from tests.e2e.scripted import ScriptedAssistant
from tests.e2e.test_page import Visit, ask

pytestmark = pytest.mark.slow

#: Draws `window.thing`, as a camera shows it that is held in a hand.
CAMERA = """
const draw = {
  car: (c) => { c.fillStyle = '#c8201e'; c.fillRect(170, 200, 300, 90); c.fillRect(235, 140, 160, 70);
                c.fillStyle = '#222';
                for (const x of [235, 405]) { c.beginPath(); c.arc(x, 295, 34, 0, 7); c.fill(); }
  },
  mug: (c) => { c.strokeStyle = '#1f47c4'; c.lineWidth = 22; c.beginPath(); c.arc(430, 250, 56, -1.6, 1.6); c.stroke();
                c.fillStyle = '#2450d8'; c.fillRect(230, 140, 200, 230); },
  plant: (c) => { c.fillStyle = '#8a5a34'; c.fillRect(250, 330, 140, 110); c.fillStyle = '#1e8a34';
                  for (const a of [-1.1, -.55, 0, .55, 1.1]) { c.save(); c.translate(320, 330); c.rotate(a);
                  c.beginPath(); c.ellipse(0, -120, 34, 130, 0, 0, 7); c.fill(); c.restore(); } },
};
window.thing = 'car';
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = Object.assign(document.createElement('canvas'), {width: 640, height: 480});
  const c = canvas.getContext('2d');
  const again = () => {
    const sky = c.createLinearGradient(0, 0, 0, 480);
    sky.addColorStop(0, '#d8d2c6'); sky.addColorStop(1, '#a89a86');
    c.fillStyle = sky; c.fillRect(0, 0, 640, 480);
    draw[window.thing](c);
  };
  again(); setInterval(again, 50);
  return canvas.captureStream(20);
};
"""

RULES = [
    {"match": "Nothing in it was recognised or read", "reply": "Nothing"},  # to be looked up
    {"match": "Question: What is this", "sees": "Red", "reply": "It is a red toy car. [picture] It is cast. [memory]"},
    {"match": "Question: What colour", "sees": "Red", "reply": "The car is red. [picture]"},
    {"match": "Question: How many", "sees": "Blue", "reply": "The mug has one handle."},
    {"match": "Question: Is it safe", "sees": "Green", "reply": "Aloe is mildly poisonous to cats and dogs. [memory]"},
    {"match": "Question: Describe", "sees": "Green", "reply": "A green plant stands in a brown pot. [picture]"},
]  # fmt: skip

SEEN, MEMORY = "seen", "from memory, not checked"
#: What is before the camera, what is asked, the answer, and what each of its sentences rests on.
ASKED = [
    ("car", "What is this?", "It is a red toy car. It is cast.", [SEEN, MEMORY]),
    ("car", "What colour is the car?", "The car is red.", [SEEN]),
    ("mug", "How many handles does it have?", "The mug has one handle.", [SEEN]),
    ("plant", "Is it safe for my cat?", "Aloe is mildly poisonous to cats and dogs.", [MEMORY]),
    ("plant", "Describe what I'm looking at.", "A green plant stands in a brown pot.", [SEEN]),
]


@pytest.fixture(scope="module")
def server() -> Iterator[scripted_chat.ScriptedChat]:
    with scripted_chat.start(script=RULES) as server:
        yield server


@pytest.fixture(scope="module")
def real_app(
    server: scripted_chat.ScriptedChat, written_index: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """`python app.py --profile chat` in a process of its own."""
    folder = tmp_path_factory.mktemp("real")
    own = {"OPENAI_BASE_URL": server.base_url, "VITRINE_CHAT_MODEL": "echo", "HF_HUB_OFFLINE": "1"}
    command = [
        "app.py",
        "--port",
        str(free_port()),
        "--data-dir",
        str(folder / "data"),
        "--index",
        str(folder / "index"),
    ]
    process = subprocess.Popen(
        [sys.executable, *command, "--index", str(written_index), "--profile", "chat"],
        cwd=PROJECT_DIR,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **own},
    )
    found = re.fullmatch(r"Vitrine is at (http://127\.0\.0\.1:\d+)/?\n", process.stdout.readline())
    assert found
    yield Served(found[1], ScriptedAssistant(), None)
    process.kill()
    process.wait()


def hold_up(page: Page, thing: str) -> None:
    """Hold a thing before the camera, which runs."""
    page.evaluate("thing => { window.thing = thing; }", thing)
    if page.get_by_role("button", name="Start the camera").is_visible():
        page.get_by_role("button", name="Start the camera").click()
    expect(page.locator('.v-camera[data-state="live"]')).to_be_visible()
    page.wait_for_timeout(1300)  # frames of the thing before have passed


def test_things_before_the_camera_are_answered_with_what_the_answer_rests_on(real_app: Served, server, visit: Visit):
    page = visit(real_app, PHONE, CAMERA, permissions=["camera"])
    away = server.base_url.removeprefix("http://").removesuffix("/v1")
    expect(page.locator("#target")).to_contain_text(away)  # where the picture will go is said before it goes
    shown = ""
    for thing, question, answer, grounds in ASKED:
        if thing != shown:
            hold_up(page, thing)
            shown = thing
        ask(page, question)
        expect(page.locator("#current .v-turn--answered h2")).to_have_text(question, timeout=60_000)
        given = page.locator("#current .v-answer")
        expect(given).to_contain_text(answer.split(". ")[0])
        assert given.locator(".v-ground").all_inner_texts() == grounds, question
        assert re.sub(rf"{MEMORY}|\b{SEEN}\b", " ", given.inner_text().replace(".", ". ")).split() == answer.split()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    sent = server.requests()
    assert all(len(row["images"]) == 1 for row in sent)
    assert len(sent) == 2 * len(ASKED)  # what is to be looked up, then the answer
    assert len({row["images"][0]["sha256"] for row in sent}) == 3  # one picture a thing, for both questions about it
