"""The live camera: it runs while questions are asked, and each question takes its own frame."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant.core.paths import PROJECT_DIR
from tests.e2e.conftest import DESKTOP, PHONE, Served
from tests.e2e.scripted import NAME, ScriptedAssistant
from tests.e2e.test_page import HAND_OVER, Visit, ask, expect_end, fits

pytestmark = pytest.mark.slow

#: A camera that shows `window.scene`: one colour on the left, another on the right, with stripes unless `window.soft`,
#: as for a hand that moves. `window.tracks` are those that were handed out.
SCENES = """
window.scene = 'red'; window.soft = false; window.tracks = []; window.wanted = [];
const COLOURS = {red: ['rgb(230,20,20)', 'rgb(20,20,230)'], green: ['rgb(20,200,20)', 'rgb(200,20,200)']};
navigator.mediaDevices.getUserMedia = async (asked) => {
  window.wanted.push(asked.video);
  if (window.refuse) throw new DOMException('no', window.refuse);
  const canvas = Object.assign(document.createElement('canvas'), {width: 640, height: 480});
  const c = canvas.getContext('2d');
  const draw = () => {
    const [left, right] = COLOURS[window.scene];
    c.fillStyle = left; c.fillRect(0, 0, 320, 480);
    c.fillStyle = right; c.fillRect(320, 0, 320, 480);
    c.fillStyle = 'rgba(255,255,255,.8)';
    if (!window.soft) for (let x = 40; x < 640; x += 40) c.fillRect(x, 100, 6, 280);
  };
  draw(); setInterval(draw, 30);
  const stream = canvas.captureStream(30);
  window.tracks.push(...stream.getTracks());
  return stream;
};
"""
CAMERAS = """
const one = (deviceId, label) => ({deviceId, label, kind: 'videoinput', groupId: deviceId, toJSON: () => ({})});
navigator.mediaDevices.enumerateDevices = async () => [one('rear', 'back camera'), one('front', 'front camera')];
"""


def start(page: Page) -> None:
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator('.v-camera[data-state="live"]')).to_be_visible()
    page.wait_for_timeout(400)  # a few frames have passed


def show(page: Page, scene: str) -> None:
    page.evaluate("scene => { window.scene = scene; }", scene)
    page.wait_for_timeout(1300)  # nothing of the scene before is left of the last second


def asked(page: Page, question: str) -> None:
    """Ask, and wait for the end of the answer."""
    ask(page, question)
    expect(page.locator("#current .v-turn--answered h2")).to_have_text(question)


def red(script: ScriptedAssistant, number: int) -> int:
    """How red the left side was of the frame of a question."""
    frame = script.asked[number][2]
    assert frame is not None
    return int(frame.pixels[20, 20, 0])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_each_question_is_about_what_the_camera_shows_when_it_ends(
    site: Served, visit: Visit, viewport: dict[str, int]
):
    page, before = visit(site, viewport, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    assert page.evaluate("window.wanted[0].facingMode.ideal") == "environment"
    assert len(site.script.asked) == before  # nothing leaves the browser before a question does
    asked(page, "What is the price?")
    expect(page.locator("#current .v-receipt")).to_contain_text("before the question ended")
    expect(page.locator(".v-camera video")).to_be_visible()  # it goes on
    show(page, "green")
    asked(page, "Who makes it?")
    first, second = site.script.asked[before:]
    assert first[2].pixels[20, 20, 0] > 180 > 80 > second[2].pixels[20, 20, 0]
    assert first[2].pixels[20, -20, 2] > 180  # and it is not mirrored
    expect(page.locator("#current .v-receipt code")).to_have_text(second[2].digest[:8])
    assert fits(page)


def test_the_sharpest_frame_of_the_last_second_is_taken(site: Served, visit: Visit):
    page, before = visit(site, DESKTOP, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    page.wait_for_timeout(900)
    page.get_by_label("Question", exact=True).fill("What is the price?")
    page.evaluate("window.soft = true")  # the hand moves just before the end
    page.wait_for_timeout(350)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect_end(page)
    row = site.script.asked[before][2].pixels[240].astype(int)
    assert (row.min(axis=1) > 150).any()  # its stripes are there


def test_a_held_picture_stays_until_it_is_let_go(site: Served, visit: Visit):
    page, before = visit(site, DESKTOP, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator("#frame img").wait_for()
    show(page, "green")
    for question in ("What is the price?", "Who makes it?"):
        asked(page, question)
    page.get_by_role("button", name="Go on with the camera").click()
    page.wait_for_timeout(1300)
    asked(page, "What is the price?")
    frames = [frame for _, _, frame, *_ in site.script.asked[before:]]
    assert frames[0].digest == frames[1].digest != frames[2].digest
    assert frames[0].pixels[20, 20, 0] > 180 > 80 > frames[2].pixels[20, 20, 0]


def test_a_chip_takes_a_frame_too_and_an_example_stops_the_camera(site: Served, visit: Visit):
    page, before = visit(site, DESKTOP, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    asked(page, "What is the price?")
    show(page, "green")
    page.locator("#current .v-chip").first.click()
    expect(page.locator("#history .v-turn")).to_have_count(1)
    expect_end(page)
    assert red(site.script, before + 1) < 80
    page.get_by_role("button", name="Stop the camera").click()
    expect(page.locator(".v-camera-view")).to_be_hidden()
    assert page.evaluate("window.tracks.every((track) => track.readyState === 'ended')")
    ask(page, "Who makes it?")  # about the last picture
    expect(page.locator("#history .v-turn")).to_have_count(2)
    expect_end(page)
    assert site.script.asked[before + 2][2].digest == site.script.asked[before + 1][2].digest


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        ("window.refuse = 'NotAllowedError'", "The camera is blocked for this page"),
        ("window.refuse = 'NotFoundError'", "No camera was found"),
        ("window.refuse = 'NotReadableError'", "in use by another program"),
        ("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})", "--https"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_what_to_do(site: Served, visit: Visit, problem: str, says: str):
    page = visit(site, PHONE, SCENES)
    page.evaluate(problem)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator(".v-camera-note")).to_contain_text(says)
    expect(page.get_by_role("button", name="Start the camera")).to_be_visible()
    assert fits(page)
    page.get_by_label("Example frame 1", exact=True).click()  # all else goes on working
    page.locator("#frame img").wait_for()


def test_an_unplugged_camera_is_told_and_comes_back(site: Served, visit: Visit):
    page = visit(site, DESKTOP, SCENES, permissions=["camera"])
    start(page)
    page.evaluate("window.tracks.at(-1).stop(); window.tracks.at(-1).dispatchEvent(new Event('ended'))")
    expect(page.locator(".v-camera-note")).to_contain_text("The camera is gone")
    page.evaluate("navigator.mediaDevices.dispatchEvent(new Event('devicechange'))")
    expect(page.locator('.v-camera[data-state="live"]')).to_be_visible()
    asked(page, "What is the price?")


HIDE = """(hidden) => {
  Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
  Object.defineProperty(document, 'visibilityState', {value: hidden ? 'hidden' : 'visible', configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_it_is_back_after_another_tab_and_after_sleep(site: Served, visit: Visit):
    page, before = visit(site, DESKTOP, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    page.evaluate(HIDE, True)
    page.evaluate("window.tracks.at(-1).stop()")  # what a sleeping machine does, without a word
    page.evaluate("window.scene = 'green'")
    page.evaluate(HIDE, False)
    page.wait_for_function("window.tracks.length === 2")
    expect(page.locator('.v-camera[data-state="live"]')).to_be_visible()
    asked(page, "What is the price?")
    assert red(site.script, before) < 80


def test_the_other_camera_can_be_chosen_and_is_found_again(site: Served, visit: Visit):
    page = visit(site, PHONE, SCENES + CAMERAS, permissions=["camera"])
    start(page)
    page.get_by_role("button", name="Other camera").click()
    page.wait_for_function("window.wanted.length === 2")
    assert page.evaluate("window.wanted[1].deviceId.exact") in ("rear", "front")
    page.reload()
    expect(page.locator('.v-camera[data-state="live"]')).to_be_visible()  # allowed before, and running when it was left


def test_stage_view_has_the_camera_the_answer_and_a_way_out(site: Served, visit: Visit):
    page = visit(site, PHONE, SCENES, permissions=["camera"])
    start(page)
    asked(page, "What is the price?")
    page.get_by_role("button", name="Stage view").click()
    for part in (".v-camera video", "#current .v-answer", "#question textarea", ".v-mic"):
        expect(page.locator(part)).to_be_visible()
    page.get_by_role("button", name="Leave stage view").click()
    expect(page.locator("#head")).to_be_visible()
    expect(page.get_by_role("button", name="Leave stage view")).to_be_hidden()


def test_two_visitors_with_cameras_get_their_own_pictures(site: Served, visit: Visit):
    pages, before = [visit(site, DESKTOP, SCENES, permissions=["camera"]) for _ in range(2)], len(site.script.asked)
    for page, scene in zip(pages, ("red", "green"), strict=True):
        start(page)
        show(page, scene)
    for page in pages:
        ask(page, "What is the price?")
    for page in pages:
        expect_end(page)
    by_conversation = {turn[0].id: turn[2] for turn in site.script.asked[before:]}
    assert len(by_conversation) == 2
    assert sorted(frame.pixels[20, 20, 0] > 150 for frame in by_conversation.values()) == [False, True]


def test_a_marked_picture_is_asked_about_until_the_mark_is_gone(site: Served, visit: Visit):
    page, before = visit(site, DESKTOP, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    asked(page, "What is the price?")
    box = page.locator("#frame .v-glass").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 90, steps=5)
    page.mouse.up()
    expect(page.locator("#frame .v-mark")).to_be_visible()
    show(page, "green")
    asked(page, "Who makes it?")
    page.get_by_role("button", name="Remove the mark").click()
    expect(page.locator("#frame .v-mark")).to_have_count(0)
    asked(page, "What is the price?")
    digests = [turn[2].digest for turn in site.script.asked[before:]]
    assert digests[0] == digests[1] != digests[2]


def test_a_pasted_picture_takes_the_cameras_place(site: Served, visit: Visit):
    page, before = visit(site, DESKTOP, SCENES, permissions=["camera"]), len(site.script.asked)
    start(page)
    page.evaluate(HAND_OVER, ["paste", "#question textarea", True])
    page.locator("#frame img").wait_for()
    expect(page.locator(".v-camera-view")).to_be_hidden()
    asked(page, "What is the price?")
    assert site.script.asked[before][2].width_px == 300


def test_a_new_conversation_goes_on_with_the_camera(site: Served, visit: Visit):
    page = visit(site, DESKTOP, SCENES, permissions=["camera"])
    start(page)
    asked(page, "What is the price?")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".v-turn")).to_have_count(0)
    expect(page.locator(".v-camera video")).to_be_visible()
    expect(page.locator("#picker")).to_be_hidden()
    asked(page, "Who makes it?")
    expect(page.locator("#current .v-receipt")).to_be_visible()


def test_a_slow_answer_builds_no_backlog(serve: Callable[..., Served], visit: Visit):
    script = ScriptedAssistant(pause_s=0.4)
    page = visit(serve(script), DESKTOP, SCENES, permissions=["camera"])
    start(page)
    ask(page, "What is the price?")
    page.wait_for_timeout(2500)  # some twenty frames pass meanwhile
    expect_end(page)
    assert len(script.asked) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_caption_says_what_is_recognised_now_when_it_is_wanted(site: Served, visit: Visit, viewport: dict[str, int]):
    page = visit(site, viewport, SCENES, permissions=["camera"])
    start(page)
    expect(page.locator("#caption")).to_be_hidden()
    page.get_by_role("button", name="Caption").click()
    expect(page.locator("#caption")).to_contain_text(NAME)
    expect(page.locator("#caption")).to_contain_text("% sure")
    assert fits(page)
    first = page.locator("[data-caption]").get_attribute("data-caption")
    expect(page.locator("[data-caption]")).not_to_have_attribute("data-caption", first or "")  # and again
    asked(page, "What is the price?")
    page.get_by_role("button", name="Caption").click()
    expect(page.locator("#caption")).to_be_hidden()
    assert site.script.forgotten  # what was looked at for a caption is kept nowhere


def test_two_minutes_of_questions(written_index: Path):
    run = "import json, sys; from tests.bench import soak; print(json.dumps(soak.run(sys.argv[1:])))"
    command = [sys.executable, "-c", run, "--index", str(written_index), "--minutes", "2"]
    told = subprocess.run(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True, check=True, timeout=280)
    figures = json.loads(told.stdout.splitlines()[-1])
    assert figures["turns"] > 10
    assert not {"in vain", "error"} & figures["ended"].keys(), figures["ended"]
    assert figures["left_behind"] == []
    # what the allocator keeps of several threads varies by about 100 MB; a frame kept for each turn is more
    assert figures["memory_last_mb"] - figures["memory_first_mb"] < 250, figures["memory_mb"]


def test_a_session_keeps_one_component_for_each_part_of_the_page(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    sizes = []
    for _ in range(3):
        ask(page, "What is the price?")
        expect_end(page)
        states = site.gradio_page.state_holder.session_data.values()
        sizes.append(sum(len(state.blocks_config.blocks) for state in states))
    assert sizes[0] == sizes[-1]
