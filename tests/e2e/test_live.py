"""Asked aloud about what the camera shows, heard by the real speech model, answered aloud, and heard again."""

from __future__ import annotations

import base64
import io
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.speech.hearing import UNSURE, Heard, Hearing
from assistant.speech.speaking import PLAIN, Speaker
from tests.e2e.conftest import DESKTOP, PHONE, Served, Servers, Tabs
from tests.e2e.scripted import ScriptedAssistant
from tests.e2e.test_camera import SCENES, red, start
from tests.e2e.test_page import Visit, fits
from tests.e2e.test_voice import _serve_with

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(Speaker().missing), reason=Speaker().missing)]

RATE_HZ = 22_050
#: The browser's own microphone, beside the camera of `SCENES`; what is played is kept.
BOTH = (
    "const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);"
    + SCENES.replace("window.wanted.push(asked.video);", "if (asked.audio) return open(asked);")
    + """
window.sounds = [];
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  if (this.src.startsWith('data:audio') && this.src.length > 1000) window.sounds.push(this.src);
  return play.call(this);
};
"""
)


@pytest.fixture(scope="module")
def ears(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hearing]:
    """The model that comes with the packages."""
    ears = Hearing.of(None, tmp_path_factory.mktemp("ears"))
    yield ears
    ears.end()


@pytest.fixture(scope="module")
def site(servers: Servers, ears: Hearing) -> Served:
    return _serve_with(ears, servers.serve, ScriptedAssistant(pause_s=0.03))


def said_once(path: Path, *sentences: str, pause_s: float = 2.5, voice: str = PLAIN) -> Path:
    """A microphone's recording: quiet, then each sentence with quiet after it."""
    speaker = Speaker(voice=voice)
    rng = np.random.default_rng(1)
    parts = [np.zeros(int(1.5 * RATE_HZ))]
    for sentence in sentences:
        with wave.open(io.BytesIO(speaker.speak(sentence))) as file:
            assert file.getframerate() == RATE_HZ
            parts.append(np.frombuffer(file.readframes(10**8), "<i2") / 32768)
        parts.append(np.zeros(int(pause_s * RATE_HZ)))
    speaker.end()
    samples = np.concatenate(parts)
    samples = samples + rng.normal(0, 0.0008, len(samples))  # no room is quite silent
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes((samples.clip(-1, 1) * 32767).astype("<i2").tobytes())
    return path


@pytest.fixture
def hearing_tabs(chromium: Callable[..., Browser], tmp_path: Path) -> Iterator[Callable[..., Tabs]]:
    browsers: list[Browser] = []

    def open_with(*sentences: str, pause_s: float = 2.5, voice: str = PLAIN) -> Tabs:
        path = said_once(tmp_path / f"{len(browsers)}.wav", *sentences, pause_s=pause_s, voice=voice)
        browsers.append(chromium(f"--use-file-for-fake-audio-capture={path}%noloop"))
        return Tabs(browsers[-1])

    yield open_with
    for browser in browsers:
        browser.close()


def arrive(tabs: Tabs, site: Served, viewport: dict[str, int]) -> Page:
    page = tabs.lend(viewport, BOTH, permissions=["microphone", "camera"])
    page.goto(site.url)
    page.get_by_label("Question", exact=True).wait_for()
    return page


def heard_back(page: Page, ears: Hearing) -> str:
    """What the page has played, heard again."""
    page.wait_for_function("window.sounds.length > 0", timeout=20_000)
    page.wait_for_timeout(500)
    sounds = page.evaluate("window.sounds")
    return " ".join(ears.transcribe(base64.b64decode(sound.split(",")[1])).text for sound in dict.fromkeys(sounds))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_hands_free_a_question_is_heard_answered_aloud_and_followed_up(
    site: Served, hearing_tabs: Callable[..., Tabs], ears: Hearing, viewport: dict[str, int]
):
    ears.warm()
    before = len(site.script.asked)
    page = arrive(hearing_tabs("What is the price of this?", "Who makes it?", pause_s=9), site, viewport)
    start(page)
    page.get_by_role("button", name="Hands-free").click()
    expect(page.locator("#voice-note")).to_contain_text("just speak")
    turn = page.locator("#current .v-turn--answered")
    expect(turn.locator("h2")).to_contain_text("What is the price", timeout=30_000)
    expect(turn.locator(".v-receipt")).to_be_visible()
    assert red(site.script, before) > 180
    said = heard_back(page, ears).lower()
    assert "3.4" in said or "three" in said, said
    page.evaluate("window.scene = 'green'")
    expect(page.locator("#history .v-turn")).to_have_count(1, timeout=30_000)  # its own voice asked nothing
    expect(turn.locator("h2")).to_have_text("Who makes it?", timeout=30_000)
    assert red(site.script, before + 1) < 80
    assert fits(page)
    page.get_by_role("button", name="Hands-free").click()
    expect(page.locator("#voice-note")).to_be_hidden()


def test_stop_said_alone_is_no_question(site: Served, hearing_tabs: Callable[..., Tabs], ears: Hearing):
    ears.warm()
    before = len(site.script.asked)
    page = arrive(hearing_tabs("Stop!", pause_s=1.5), site, DESKTOP)
    page.get_by_role("button", name="Hands-free").click()
    expect(page.locator("#voice-note")).to_contain_text("Listening", timeout=20_000)
    expect(page.locator("#voice-note")).to_contain_text("just speak", timeout=20_000)
    page.wait_for_timeout(500)
    assert len(site.script.asked) == before
    expect(page.get_by_label("Question", exact=True)).to_have_value("")


def test_a_noise_is_not_a_question(site: Served, hearing_tabs: Callable[..., Tabs], visit: Visit, ears: Hearing):
    before = len(site.script.asked)
    page = arrive(hearing_tabs(), site, DESKTOP)
    page.get_by_role("button", name="Hands-free").click()
    expect(page.locator("#voice-note")).to_contain_text("just speak")
    page.wait_for_timeout(3000)
    assert len(site.script.asked) == before
    expect(page.locator("#voice-note")).to_contain_text("just speak")


#: A microphone in which a script makes noise: a hiss for so many seconds, loud enough to open.
NOISY = """
const kept = navigator.mediaDevices.getUserMedia;
navigator.mediaDevices.getUserMedia = async (asked) => {
  if (!asked.audio) return kept.call(navigator.mediaDevices, asked);
  const context = new AudioContext(), end = context.createMediaStreamDestination();
  const noise = new AudioBuffer({length: context.sampleRate, sampleRate: context.sampleRate});
  noise.getChannelData(0).forEach((_, i, samples) => { samples[i] = Math.random() * 2 - 1; });
  const source = new AudioBufferSourceNode(context, {buffer: noise, loop: true});
  const gain = new GainNode(context, {gain: 0.0005});
  source.connect(gain).connect(end); source.start();
  window.hiss = (seconds) => {
    gain.gain.setValueAtTime(0.4, context.currentTime);
    gain.gain.setValueAtTime(0.0005, context.currentTime + seconds);
  };
  return end.stream;
};
"""
#: What the page's sound did, in order.
HEARD = """
window.did = [];
for (const name of ['pause', 'playing', 'ended']) document.addEventListener(name, (event) => {
  if (event.target.tagName === 'AUDIO' && event.target.src.length > 1000) window.did.push(name);
}, true);
"""


def test_a_noise_pauses_the_voice_and_then_it_goes_on(site: Served, tabs: Tabs, ears: Hearing):
    ears.warm()
    page = tabs.lend(DESKTOP, BOTH + NOISY + HEARD, permissions=["microphone", "camera"])
    page.goto(site.url)
    start(page)
    page.get_by_text("Read answers aloud").click()
    page.get_by_role("button", name="Hands-free").click()
    expect(page.locator("#voice-note")).to_contain_text("just speak")
    page.wait_for_timeout(1000)  # the room's noise is learned
    before = len(site.script.asked)
    page.get_by_label("Question", exact=True).fill("What is the price, and who makes it?")
    page.keyboard.press("Enter")
    page.wait_for_function("window.did.includes('playing')")
    page.evaluate("window.hiss(0.7)")
    page.wait_for_function("window.did.at(-1) === 'pause'")
    page.wait_for_function("window.did.filter((name) => name === 'playing').length >= 2", timeout=20_000)
    page.wait_for_function("window.did.at(-1) === 'ended'", timeout=20_000)
    assert len(site.script.asked) == before + 1
    expect(page.locator("#voice-note")).to_contain_text("just speak")


def test_a_natural_voice_asks_and_answers(site: Served, hearing_tabs: Callable[..., Tabs], ears: Hearing):
    voice = Speaker().natural[0]
    ears.warm()
    page = arrive(hearing_tabs("What is the price of this?", pause_s=30, voice=voice.name), site, DESKTOP)
    start(page)
    page.get_by_text("Voice", exact=True).click()
    page.get_by_label("Voice", exact=True).select_option(voice.name)
    page.get_by_role("button", name="Hands-free").click()
    expect(page.locator("#current .v-turn--answered h2")).to_have_text("What is the price of this?", timeout=30_000)
    said = heard_back(page, ears).lower()
    assert "biscuits" in said, said
    assert site.services.speaker._natural.pid is not None


def test_four_visitors_ask_aloud_at_once_and_nothing_is_crossed(
    site: Served, hearing_tabs: Callable[..., Tabs], ears: Hearing
):
    ears.warm()
    before = len(site.script.asked)
    tabs = hearing_tabs("What is the price of this?", pause_s=30)
    pages = [arrive(tabs, site, DESKTOP) for _ in range(4)]
    scenes = ("red", "green", "red", "green")
    for page, scene in zip(pages, scenes, strict=True):
        start(page)
        page.evaluate("scene => { window.scene = scene; }", scene)
    pages[0].wait_for_timeout(1300)
    for page in pages:
        page.get_by_role("button", name="Hands-free").click()
    shown = []
    for page in pages:
        turn = page.locator("#current .v-turn--answered")
        expect(turn.locator("h2")).to_contain_text("the price", timeout=60_000)
        shown.append(turn.locator(".v-receipt code").inner_text())
    asked = site.script.asked[before:]
    assert len(asked) == len({conversation.id for conversation, *_ in asked}) == 4
    frames = {frame.digest[:8]: frame.pixels[20, 20, 0] > 150 for _, _, frame in asked}
    assert [frames[digest] for digest in shown] == [scene == "red" for scene in scenes]


class Doubtful:
    """Ears that are not sure of what they hear first, and sure of the next."""

    missing = ""

    def __init__(self) -> None:
        self.heard = 0

    def warm(self) -> None:
        return None

    def transcribe(self, recording: bytes, **_: object) -> Heard:
        self.heard += 1
        if self.heard == 1:
            return Heard("We wrote this walk", 0.3, 2.0, UNSURE)
        return Heard("What is the price?", 0.9, 2.0)


def test_after_a_doubt_hands_free_goes_on(serve: Callable[..., Served], hearing_tabs: Callable[..., Tabs]):
    site = _serve_with(Doubtful(), serve, ScriptedAssistant(pause_s=0.03))
    page = arrive(hearing_tabs("Who wrote this book?", "What is the price of this?", pause_s=5), site, DESKTOP)
    start(page)
    page.get_by_role("button", name="Hands-free").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("We wrote this walk", timeout=20_000)
    expect(page.locator("#voice-note")).to_contain_text("not sure")
    expect(page.locator("#current .v-turn--answered h2")).to_have_text("What is the price?", timeout=20_000)
    assert len(site.script.asked) == 1
