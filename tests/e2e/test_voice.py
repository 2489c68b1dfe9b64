"""The voice in a real Chromium with a microphone that plays a file: asking aloud, reading aloud, and what is said when
either cannot be. The speech engine is the real one; the model that hears is made in the test and says one sentence.
"""

from __future__ import annotations

import re
import threading
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.speech.hearing import Hearing
from assistant.speech.speaking import Speaker
from assistant.speech.whisper_models import NONE_HERE, Found
from tests.assistant.speech.tiny_whisper import SENTENCE, make_tiny_whisper
from tests.e2e.conftest import DESKTOP, PHONE, Served, Servers, Tabs
from tests.e2e.scripted import ScriptedAssistant
from tests.e2e.test_camera import SCENES, red, start

Visit = Callable[..., Page]
needs_engine = pytest.mark.skipif(bool(Speaker().missing), reason=Speaker().missing)

#: What is played, in order, with the times; kept by the page itself.
LISTEN = """
window.played = [];
addEventListener('DOMContentLoaded', () => {
  for (const name of ['play', 'ended', 'pause']) document.addEventListener(name, (event) => {
    const audio = event.target;
    if (!(audio instanceof HTMLAudioElement) || audio.src.length < 200) return;
    window.played.push({
      name, length: audio.src.length, seconds: audio.duration, which: audio.src.slice(9000, 9100),
      live: !!document.querySelector('#current .v-turn--live'),
    });
  }, true);
});
"""
#: Every sound ends at once, so that a test need not listen to it all.
HURRY = (
    "HTMLMediaElement.prototype.play = (play => function () { this.playbackRate = 8; return play.call(this); })"
    "(HTMLMediaElement.prototype.play);"
)


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A question, said and followed by silence, for the browser's microphone."""
    path = tmp_path_factory.mktemp("microphone") / "question.wav"
    path.write_bytes(Speaker().speak("What is the price of this tin of biscuits?"))
    with wave.open(str(path)) as said:
        samples = np.frombuffer(said.readframes(10**8), "<i2")
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 22_050, 0, "NONE", ""))
        file.writeframes(np.concatenate([samples, np.zeros(22_050 * 20, "<i2")]).tobytes())
    return path


@pytest.fixture(scope="module")
def tabs(chromium: Callable[..., Browser], spoken: Path) -> Iterator[Tabs]:
    """As the other tests', of a browser with a microphone that plays the question."""
    browser = chromium(f"--use-file-for-fake-audio-capture={spoken}%noloop")
    yield Tabs(browser)
    browser.close()


@pytest.fixture(scope="session")
def ears(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hearing]:
    folder = tmp_path_factory.mktemp("whisper")
    tiny = make_tiny_whisper(folder / "tiny", folder)
    ears = Hearing(lambda: Found(tiny))
    yield ears
    ears.end()


@pytest.fixture(scope="session")
def site(servers: Servers, ears: Hearing) -> Served:
    return _serve_with(ears, servers.serve, ScriptedAssistant(pause_s=0.03))


def _serve_with(ears: Any, serve: Callable[..., Served], script: ScriptedAssistant) -> Served:
    """A page that hears with `ears`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Hearing, "of", lambda model, data_dir: ears)
        return serve(script)


def ask(page: Page, question: str) -> None:
    box = page.get_by_label("Question", exact=True)
    box.fill(question)
    box.press("Enter")


def expect_end(page: Page, status: str = "answered") -> None:
    expect(page.locator(f"#current .v-turn--{status}")).to_be_visible(timeout=10_000)


def with_picture(page: Page) -> None:
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()


def played(page: Page, name: str = "play") -> list[dict[str, Any]]:
    return [moment for moment in page.evaluate("window.played") if moment["name"] == name]


def wait_played(page: Page, count: int, name: str = "play") -> list[dict[str, Any]]:
    page.wait_for_function(
        "([name, count]) => window.played.filter((m) => m.name === name).length >= count", arg=[name, count]
    )
    return played(page, name)


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


# hearing


@needs_engine
@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_spoken_question_is_shown_corrected_and_asked(site: Served, visit: Visit, viewport: dict[str, int]):
    page = visit(site, viewport, permissions=["microphone"])
    with_picture(page)
    page.get_by_role("button", name="Record a question").click()
    stop = page.get_by_role("button", name="Stop recording")
    expect(stop).to_be_visible()
    expect(page.locator("#voice-note")).to_contain_text("Press again to stop")
    page.wait_for_function("parseFloat(document.querySelector('.v-mic').style.getPropertyValue('--level')) > 0.4")
    page.wait_for_timeout(1500)
    assert fits(page)
    stop.click()
    box = page.get_by_label("Question", exact=True)
    expect(box).to_have_value(SENTENCE, timeout=10_000)
    expect(box).to_be_focused()
    expect(page.locator("#voice-note")).to_contain_text("press Enter to ask")
    expect(page.get_by_role("button", name="Record a question")).to_be_visible()
    expect(page.locator(".v-turn")).to_have_count(0)  # nothing is asked before it was looked at
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.type(", please?")
    page.keyboard.press("Enter")
    expect_end(page)
    expect(page.locator("#current h2")).to_have_text("What is the price, please?")
    expect(page.locator("#current .v-answer")).to_contain_text("3.40 euros")
    expect(page.locator("#voice-note")).to_be_hidden()


@needs_engine
def test_the_keyboard_records_and_a_second_try_takes_the_place_of_the_first(site: Served, visit: Visit):
    page = visit(site, permissions=["microphone"])
    box = page.get_by_label("Question", exact=True)
    for _ in range(2):
        page.get_by_role("button", name="Record a question").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Stop recording")).to_be_focused()
        page.wait_for_timeout(1200)
        page.keyboard.press("Enter")
        expect(box).to_be_focused(timeout=10_000)
        expect(box).to_have_value(SENTENCE)
    box.fill("Tell me:")
    page.get_by_role("button", name="Record a question").click()
    page.wait_for_timeout(1200)
    page.get_by_role("button", name="Stop recording").click()
    expect(box).to_have_value(f"Tell me: {SENTENCE}", timeout=10_000)  # what was typed stays


def hold(page: Page, how: str) -> None:
    """Press and hold, speak, let go."""
    if how == "space":
        page.evaluate("document.activeElement.blur()")
        page.keyboard.down(" ")
    else:
        page.get_by_role("button", name="Record a question").hover()
        page.mouse.down()
    expect(page.get_by_role("button", name="Stop recording")).to_be_visible()
    page.wait_for_timeout(1500)
    if how == "space":
        page.keyboard.up(" ")
    else:
        page.mouse.up()


@needs_engine
@pytest.mark.parametrize("how", ["button", "space"])
def test_held_down_it_is_asked_at_once_and_answered_aloud(site: Served, visit: Visit, how: str):
    page = visit(site, init_script=LISTEN, permissions=["microphone"])
    with_picture(page)
    hold(page, how)
    expect(page.locator("#current .v-turn--answered h2")).to_have_text(SENTENCE, timeout=10_000)
    page.wait_for_function(
        "window.played.some((m) => m.name === 'play')"
    )  # without the switch: who asks aloud is answered aloud
    expect(page.locator("#speak-on input")).not_to_be_checked()
    page.keyboard.press("Escape")
    ask(page, "Who makes it?")
    expect_end(page)
    heard = len(played(page))
    page.wait_for_timeout(600)
    assert len(played(page)) == heard  # what was typed is not


@needs_engine
def test_the_frame_of_a_spoken_question_is_the_one_at_its_end(site: Served, visit: Visit):
    microphone = SCENES.replace("window.wanted.push(asked.video);", "if (asked.audio) return open(asked);")
    microphone = f"const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);{microphone}"
    page, before = visit(site, DESKTOP, microphone, permissions=["microphone", "camera"]), len(site.script.asked)
    start(page)
    page.get_by_role("button", name="Record a question").click()
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Stop recording").click()
    page.evaluate("window.scene = 'green'")  # the words are still being read, and then looked at
    expect(page.get_by_label("Question", exact=True)).to_have_value(SENTENCE, timeout=10_000)
    page.wait_for_timeout(1300)
    page.keyboard.press("Enter")
    expect_end(page)
    assert red(site.script, before) > 180


@needs_engine
def test_escape_drops_a_recording(site: Served, visit: Visit):
    page = visit(site, permissions=["microphone"])
    page.get_by_role("button", name="Record a question").click()
    expect(page.get_by_role("button", name="Stop recording")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Record a question")).to_be_visible()
    expect(page.locator("#voice-note")).to_be_hidden()
    page.wait_for_timeout(500)
    expect(page.get_by_label("Question", exact=True)).to_have_value("")


class Slow:
    """Ears that take their time, and say how far they are."""

    missing = ""

    def __init__(self) -> None:
        self.go_on, self.cancelled = threading.Event(), False

    def warm(self) -> None:
        return None

    def transcribe(self, recording: bytes, *, cancelled: threading.Event, progress: Any, **_: Any) -> Any:
        progress(0.05, "Loading the speech model")
        while not self.go_on.wait(0.05):
            if cancelled.is_set():
                self.cancelled = True
                break
        raise AssertionError("nobody asked for this any more")


@needs_engine
def test_progress_is_shown_and_listening_can_be_cancelled(serve: Callable[..., Served], visit: Visit):
    slow = Slow()
    page = visit(_serve_with(slow, serve, ScriptedAssistant()), permissions=["microphone"])
    for leave in ("press", "escape"):
        slow.cancelled = False
        page.get_by_role("button", name="Record a question").click()
        page.get_by_role("button", name="Stop recording").click()
        expect(page.locator("#voice-note")).to_contain_text("Loading the speech model")
        if leave == "press":
            page.get_by_role("button", name="Cancel").click()
        else:
            page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Record a question")).to_be_visible()
        _wait_for(lambda: slow.cancelled)
        expect(page.locator("#voice-note")).to_be_hidden()


def test_an_answer_being_written_leaves_a_recording_alone(serve: Callable[..., Served], visit: Visit):
    page = visit(_serve_with(Slow(), serve, ScriptedAssistant(pause_s=0.2)), permissions=["microphone"])
    with_picture(page)
    ask(page, "What is the price?")
    page.get_by_role("button", name="Record a question").click()
    expect(page.locator("#voice-note")).to_contain_text("Recording")
    expect_end(page)
    expect(page.get_by_role("button", name="Stop recording")).to_be_visible()
    expect(page.locator("#voice-note")).to_contain_text("Recording")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Record a question")).to_be_visible()


@needs_engine
def test_silence_is_one_sentence(site: Served, visit: Visit):
    page = visit(site, init_script=NO_SOUND, permissions=["microphone"])
    page.get_by_role("button", name="Record a question").click()
    page.wait_for_timeout(900)
    page.get_by_role("button", name="Stop recording").click()
    expect(page.locator("#voice-note")).to_contain_text("I heard nothing: is the right microphone on", timeout=10_000)
    expect(page.get_by_label("Question", exact=True)).to_have_value("")


NO_SOUND = """
navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext(), tone = context.createOscillator(), off = new GainNode(context, {gain: 0});
  const end = context.createMediaStreamDestination();
  tone.connect(off).connect(end); tone.start();
  return end.stream;
};
"""


def test_a_microphone_that_cannot_be_had_is_one_sentence(site: Served, visit: Visit):
    page = visit(site)
    for name, says in (
        ("NotAllowedError", "The microphone is blocked for this page"),
        ("NotFoundError", "No microphone was found"),
        ("SomethingElse", "The microphone could not be opened"),
    ):
        page.evaluate(
            "(name) => { navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', name); }; }",
            name,
        )
        page.get_by_role("button", name="Record a question").click()
        expect(page.locator("#voice-note")).to_contain_text(says)
        expect(page.locator("#voice-note")).to_contain_text(re.compile(r"\.$"))
    for script, says in (
        ("delete window.MediaRecorder", "This browser cannot record"),
        ("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})", "only to pages from https"),
    ):
        page.evaluate(script)
        page.get_by_role("button", name="Record a question").click()
        expect(page.locator("#voice-note")).to_contain_text(says)
    expect(page.get_by_role("button", name="Record a question")).to_be_visible()


def test_without_a_model_the_button_says_how_to_get_one(serve: Callable[..., Served], visit: Visit):
    missing = NONE_HERE
    deaf = Hearing(lambda: Found(None, missing))
    page = visit(_serve_with(deaf, serve, ScriptedAssistant()), PHONE)
    button = page.get_by_role("button", name="Record a question")
    expect(button).to_have_attribute("title", missing)
    button.click()
    expect(page.locator("#voice-note")).to_have_text("N" + missing[1:] + ".")
    assert fits(page)
    ask(page, "What is it?")  # typing goes on working
    expect_end(page, "abstained")


# speaking


@needs_engine
@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_answer_is_read_aloud_and_its_time_stands_in_the_strip(site: Served, visit: Visit, viewport: dict[str, int]):
    page = visit(site, viewport, LISTEN + HURRY)
    with_picture(page)
    ask(page, "What is the price?")
    expect_end(page)
    assert played(page) == []  # the switch is off
    page.get_by_role("button", name="Read aloud").click()
    expect(page.locator("#sound audio")).to_have_attribute("src", re.compile("^data:audio/wav"))
    expect(page.get_by_role("button", name="Stop reading")).to_be_visible()
    assert fits(page)
    wait_played(page, 2, "ended")
    expect(page.get_by_role("button", name="Stop reading")).to_be_hidden()
    expect(page.locator("#current .v-times")).to_contain_text(re.compile(r"speak\s*[\d.]+ m?s"))
    ask(page, "Who makes it?")
    expect_end(page)
    page.locator("#history").get_by_role("button", name="Read aloud").click()  # an earlier answer
    assert len(wait_played(page, 4, "ended")) == 4
    assert [m["which"] for m in played(page)[:2]] == [m["which"] for m in played(page)[2:]]


@needs_engine
def test_the_first_sentence_is_heard_before_the_last_is_written(site: Served, visit: Visit, monkeypatch):
    monkeypatch.setattr(site.script, "pause_s", 0.4)
    page = visit(site, init_script=LISTEN + HURRY)
    page.get_by_label("Read answers aloud").check()
    with_picture(page)
    ask(page, "What is the price?")
    moments = wait_played(page, 2)
    wait_played(page, 2, "ended")
    assert moments[0]["live"]
    assert moments[0]["length"] > moments[1]["length"] / 3  # both are sentences
    order = [m["name"] for m in page.evaluate("window.played") if m["name"] != "pause"]
    assert order == ["play", "ended", "play", "ended"]  # in order, and never two at once
    assert all(m["seconds"] > 1 for m in played(page, "ended"))
    expect(page.locator("#current .v-times")).to_contain_text("speak")


@needs_engine
def test_the_sentence_being_said_is_marked(site: Served, visit: Visit):
    page = visit(site)
    with_picture(page)
    ask(page, "What is the price?")
    expect_end(page)
    page.get_by_role("button", name="Read aloud").click()
    first, second = page.locator("#current .v-sentence").all()[:2]
    expect(first).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(second).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    page.keyboard.press("Escape")
    expect(first).to_have_css("background-color", "rgba(0, 0, 0, 0)")


@needs_engine
def test_reading_stops_at_once(site: Served, visit: Visit):
    page = visit(site, init_script=LISTEN)
    with_picture(page)
    switch = page.get_by_label("Read answers aloud")
    ends: dict[str, Callable[[], None]] = {
        "the button": page.get_by_role("button", name="Stop reading").click,
        "its own button": page.locator("#current").get_by_role("button", name="Read aloud").click,
        "escape": lambda: page.keyboard.press("Escape"),
        "the switch": switch.uncheck,
        "a new conversation": page.get_by_role("button", name="New conversation").click,
    }
    for count, (how, end) in enumerate(ends.items(), 1):
        switch.check()
        ask(page, "What is the price?")
        wait_played(page, count)
        expect_end(page)
        end()
        expect(page.get_by_role("button", name="Stop reading")).to_be_hidden()
        assert page.evaluate("document.querySelector('#sound audio').paused"), how
        page.wait_for_timeout(300)
        assert len(played(page)) == count, how


@needs_engine
def test_the_keys_r_and_l(site: Served, visit: Visit):
    page = visit(site, init_script=LISTEN, permissions=["microphone"])
    with_picture(page)
    ask(page, "What is the price?")
    expect_end(page)
    page.keyboard.type("rl")  # letters of a question, while one types
    expect(page.get_by_label("Question", exact=True)).to_have_value("rl")
    page.get_by_label("Question", exact=True).blur()
    page.keyboard.press("l")
    wait_played(page, 1)
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Stop reading")).to_be_hidden()
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="Stop recording")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Record a question")).to_be_visible()


@needs_engine
def test_stop_stops_the_sound_too(site: Served, visit: Visit, monkeypatch):
    monkeypatch.setattr(site.script, "between_s", 20.0)  # it is still being written whenever it is stopped
    page = visit(site, init_script=LISTEN)
    with_picture(page)
    page.get_by_label("Read answers aloud").check()
    ask(page, "What is the price?")
    wait_played(page, 1)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#current .v-turn--cancelled")).to_be_visible()
    assert page.evaluate("document.querySelector('#sound audio').paused")
    page.wait_for_timeout(800)
    assert len(played(page)) == 1


@needs_engine
def test_a_new_question_ends_the_reading_of_the_last(site: Served, visit: Visit):
    page = visit(site, init_script=LISTEN)
    with_picture(page)
    page.get_by_label("Read answers aloud").check()
    ask(page, "What is the price?")
    wait_played(page, 1)
    ask(page, "Who makes it?")
    expect_end(page)
    moments = wait_played(page, 2)
    assert len({m["which"] for m in moments}) == 2
    expect(page.locator("#reading-feed [data-reading]")).to_have_attribute("data-turn", "2")
    ask(page, "Who founded it?")  # a refusal is read as well
    expect_end(page, "abstained")
    wait_played(page, 3)


@needs_engine
def test_the_switch_is_each_visitors_own_and_is_kept(site: Served, visit: Visit):
    page, other = visit(site, init_script=LISTEN), visit(site, init_script=LISTEN)
    page.get_by_label("Read answers aloud").check()
    for visitor in (page, other):
        with_picture(visitor)
        ask(visitor, "What is the price?")
        expect_end(visitor)
    wait_played(page, 1)
    assert played(other) == []
    expect(other.locator("#reading-feed [data-src]")).to_have_count(0)
    page.reload()
    expect_end(page)
    expect(page.get_by_label("Read answers aloud")).to_be_checked()
    page.wait_for_timeout(500)
    assert played(page) == []  # a turn that a reload brought back is not read again


def test_without_an_engine_the_switch_and_the_button_say_what_to_install(
    serve: Callable[..., Served], visit: Visit, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("assistant.speech.speaking.natural_voices", lambda folder: ())
    site = serve(ScriptedAssistant())
    site.services.speaker._find = lambda name: None
    page = visit(site)
    expect(page.get_by_label("Read answers aloud")).to_be_disabled()
    expect(page.locator("#speak-on")).to_contain_text("apt-get install espeak-ng")
    with_picture(page)
    ask(page, "What is the price?")
    expect_end(page)
    page.get_by_role("button", name="Read aloud").click()
    expect(page.locator("#voice-note")).to_contain_text("No speech engine is installed")
    expect(page.get_by_role("button", name="Stop reading")).to_be_hidden()


def _wait_for(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@needs_engine
def test_speed_volume_and_mute_are_kept_by_the_browser(site: Served, visit: Visit):
    page = visit(site, init_script=LISTEN)
    page.locator(".label-wrap", has_text="Voice").click()
    page.get_by_label("Speed").fill("1.4")
    page.get_by_label("Volume").fill("0.5")
    page.reload()
    page.get_by_label("Question", exact=True).wait_for()
    page.locator(".label-wrap", has_text="Voice").click()
    expect(page.get_by_label("Speed")).to_have_value("1.4")
    with_picture(page)
    ask(page, "What is the price?")
    expect_end(page)
    page.get_by_role("button", name="Read the last answer").click()
    page.wait_for_function("window.played.some((m) => m.name === 'play')")
    assert page.evaluate("[...document.querySelectorAll('#sound audio')].map((a) => [a.playbackRate, a.volume])") == [
        [1.4, 0.5]
    ]
    page.get_by_label("Mute").check()
    assert page.evaluate("document.querySelector('#sound audio').muted")
