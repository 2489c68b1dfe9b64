"""The page in a real Chromium, used as a visitor uses it. Every test also fails on console errors and far requests."""

from __future__ import annotations

import base64
import io
import re
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Served, a_picture_file
from tests.e2e.scripted import HOSTILE, NAME, ScriptedAssistant

Visit = Callable[..., Page]


def upload(page: Page, path: Path) -> None:
    page.locator("#picture input[type=file]").first.set_input_files(path)


def ask(page: Page, question: str) -> None:
    box = page.get_by_label("Question", exact=True)
    box.fill(question)
    box.press("Enter")


def expect_end(page: Page, status: str = "answered") -> None:
    expect(page.locator(f"#current .v-turn--{status}")).to_be_visible(timeout=10_000)


def fits(page: Page) -> bool:
    """Nothing is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def shown_picture(page: Page) -> np.ndarray:
    source = page.locator("#frame img").get_attribute("src")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_ask_about_an_example_follow_up_and_begin_anew(site: Served, visit: Visit, viewport):
    page = visit(site, viewport)
    expect(page.locator("#gallery button")).to_have_count(6)
    assert fits(page)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    assert fits(page)
    expect(page.locator("#chips .v-chip")).to_have_text(["What is the price?"])
    expect(page.locator("#current")).to_contain_text("Now ask about it.")

    page.locator("#chips .v-chip").click()
    expect(page.locator("#current .v-sentence").first).to_be_visible()
    expect_end(page)
    expect(page.locator("#current .v-answer")).to_contain_text("Halden Oat Biscuits cost 3.40 euros.")
    expect(page.locator("#current .v-card--used")).to_have_count(3)
    expect(page.locator("#current .v-card--entity")).to_contain_text("94 % sure")
    expect(page.locator("#current .v-card--entity img")).to_have_count(1)
    expect(page.locator("#frame .v-outline")).to_have_count(1)
    expect(page.locator("#current .v-times")).to_contain_text("sum 423 ms")
    page.locator("#current details.v-others summary").click()
    expect(page.get_by_text("250 g")).to_be_visible()

    ask(page, "Who makes it?")
    expect(page.locator("#current .v-answer")).to_contain_text("made by Halden Mills")
    expect_end(page)
    expect(page.locator("#history .v-turn")).to_have_count(1)
    expect(page.locator("#frame .v-outline")).to_have_count(1)  # the picture stays
    assert [q for _, q, _ in site.script.asked[-2:]] == ["What is the price?", "Who makes it?"]
    assert len(site.script.asked[-1][0].turns) == 1
    assert site.script.asked[-1][2] is not None

    assert fits(page)
    expect(page.get_by_label("Question", exact=True)).to_be_in_viewport()

    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("#current")).to_contain_text("Give it a picture, then ask.")
    expect(page.locator(".v-turn")).to_have_count(0)
    expect(page.locator("#frame img")).to_have_count(0)
    expect(page.locator("#picture")).to_be_visible()
    ask(page, "What is it?")
    expect_end(page, "abstained")
    assert abs(page.locator("#current .v-turn").bounding_box()["y"]) < 60  # at the top of the window, as every new turn


def test_typing_first_enter_and_a_refusal_that_says_why(site: Served, visit: Visit, tmp_path: Path):
    page = visit(site)
    expect(page.get_by_label("Question", exact=True)).to_be_focused()  # one can type at once
    ask(page, "   ")
    expect(page.get_by_role("alert")).to_have_text("Type a question first.")
    ask(page, "What is it?")
    expect_end(page, "abstained")
    expect(page.locator("#current")).to_contain_text("Give it a picture first")
    upload(page, a_picture_file(tmp_path / "tin.jpg"))
    page.locator("#frame img").wait_for()
    ask(page, "Who founded the mill?")
    expect_end(page, "abstained")
    expect(page.locator("#current .v-answer")).to_contain_text("I don't know: Halden Oat Biscuits is recognised")
    expect(page.locator("#current .v-help")).to_contain_text("What is known about it can be asked")
    expect(page.locator("#history .v-turn")).to_have_count(1)


WATCH = """() => {
  window.log = [];
  const look = () => {
    const said = [...document.querySelectorAll('#current .v-sentence')];
    window.log.push({
      live: !!document.querySelector('#current .v-turn--live'),
      running: document.querySelector('#current .v-step--running')?.innerText ?? '',
      outlined: !!document.querySelector('#frame .v-outline'),
      sentences: said.length,
      card_y: document.querySelector('#current .v-card')?.getBoundingClientRect().y ?? null,
      answer_y: said.length ? said[0].getBoundingClientRect().y : null,
      composer_x: document.querySelector('#ask-row').getBoundingClientRect().x,
      composer_y: document.querySelector('#ask-row').getBoundingClientRect().y,
    });
  };
  new MutationObserver(look).observe(document.querySelector('#current'), {
    attributes: true, characterData: true, childList: true, subtree: true,
  });
}"""


def test_the_answer_streams_and_nothing_jumps(site: Served, visit: Visit, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(site.script, "pause_s", 0.25)
    page = visit(site)
    upload(page, a_picture_file(tmp_path / "tin.jpg"))
    page.locator("#frame img").wait_for()
    assert page.locator(".gradio-container").bounding_box()["width"] == 1240
    page.evaluate(WATCH)
    ask(page, "What is the price?")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect_end(page)
    log = page.evaluate("window.log")
    assert {"Looking", "Searching"} <= {moment["running"] for moment in log}
    assert any(moment["outlined"] and not moment["sentences"] for moment in log)  # before there is an answer
    assert any(moment["live"] and moment["sentences"] == 1 for moment in log)  # sentence by sentence
    answer_y = [moment["answer_y"] for moment in log if moment["sentences"]]
    assert max(answer_y) - min(answer_y) <= 1
    assert any(moment["live"] and moment["card_y"] for moment in log)  # evidence as soon as it is found
    card_y = [moment["card_y"] for moment in log if moment["card_y"]]
    assert max(card_y) - min(card_y) <= 1
    for side in ("composer_x", "composer_y"):
        places = [moment[side] for moment in log]
        assert max(places) - min(places) <= 1


def test_stop_stops_at_once_and_the_next_question_is_answered(site: Served, visit: Visit, monkeypatch):
    monkeypatch.setattr(site.script, "pause_s", 0.4)
    page = visit(site)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#current .v-turn--cancelled")).to_be_visible(timeout=1500)
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    monkeypatch.setattr(site.script, "pause_s", 0.0)
    ask(page, "Who makes it?")
    expect_end(page)


def test_a_crash_is_one_sentence_and_the_conversation_goes_on(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Example frame 2", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "crash")
    expect_end(page, "error")
    expect(page.locator("#current .v-answer")).to_contain_text("Something went wrong")
    expect(page.locator("#current")).not_to_contain_text("Traceback")
    ask(page, "What is the price?")
    expect_end(page)


def test_hostile_words_are_shown_and_do_nothing(site: Served, visit: Visit, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(site.script, "hostile", True)
    page = visit(site)
    upload(page, a_picture_file(tmp_path / "<img src=x onerror=pwned=9>.jpg"))
    page.locator("#frame img").wait_for()
    ask(page, HOSTILE)
    expect_end(page)
    page.locator("#current details.v-others summary").click()
    expect(page.locator("#current .v-question")).to_contain_text("<script>window.pwned=1</script>")
    expect(page.locator("#current .v-answer")).to_contain_text("{{constructor}}")
    expect(page.locator("#current .v-answer")).to_contain_text("${window.pwned=4}")
    expect(page.locator("#current .v-card--passage")).to_contain_text("[click](javascript:window.pwned=3)")
    ask(page, "again")  # the first turn is now drawn by the history
    expect(page.locator("#history .v-turn--answered")).to_be_visible()
    assert page.evaluate("window.pwned") is None
    assert page.locator(".v-turn a, .v-turn script, .v-turn [onerror], .v-turn img:not([src^='data:'])").count() == 0


def test_long_questions_and_emoji(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "price " * 1700)
    expect_end(page)
    ask(page, "x" * 20_001)
    expect(page.get_by_role("alert")).to_contain_text("20,001 characters")
    ask(page, "🍪 price? 👩‍🍳")
    expect_end(page)
    expect(page.locator("#current .v-turn:last-of-type h2")).to_have_text("🍪 price? 👩‍🍳")


def bad_picture(folder: Path, kind: str) -> Path:
    path = folder / f"{kind}.png"
    whole = a_picture_file(folder / "whole.jpg").read_bytes()
    if kind == "text":
        path.write_text("not a picture")
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
    else:
        Image.new("1", (20_000, 20_000)).save(path)
    return path


def test_a_file_that_is_no_picture_is_one_sentence(site: Served, visit: Visit, tmp_path: Path):
    page = visit(site)
    notice = page.locator("#picture-notice").get_by_role("alert")
    for kind in ("text", "empty", "truncated", "bomb"):
        upload(page, bad_picture(tmp_path, kind))
        expect(notice).to_be_visible(timeout=10_000)
        assert re.fullmatch(r"[A-Z][^\n]{10,200}", notice.inner_text().strip()), kind
        upload(page, a_picture_file(tmp_path / "good.jpg"))
        page.locator("#frame img").wait_for()
        expect(notice).to_have_count(0)
        page.get_by_role("button", name="New conversation").click()
        expect(page.locator("#frame img")).to_have_count(0)
        expect(page.locator("#picture")).to_be_visible()
    site.complaints[:] = [c for c in site.complaints if "Failed to load resource" not in c]  # the preview of no picture


def rotated(path: Path) -> None:
    picture = Image.new("RGB", (640, 480), (0, 0, 255))
    picture.paste((255, 0, 0), (0, 0, 320, 480))
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise: the left half comes to stand on top
    picture.save(path, "JPEG", exif=exif)


def test_exif_transparency_and_depth_survive_the_upload(site: Served, visit: Visit, tmp_path: Path):
    page = visit(site)
    rotated(tmp_path / "rotated.jpg")
    upload(page, tmp_path / "rotated.jpg")
    page.locator("#frame img").wait_for()
    pixels = shown_picture(page)
    assert pixels.shape[0] > pixels.shape[1]
    assert pixels[10, pixels.shape[1] // 2, 0] > 200
    page.get_by_role("button", name="Another picture").click()
    Image.fromarray(np.full((300, 200), 40_000, np.uint16)).save(tmp_path / "deep.png")
    before = page.locator("#frame img").get_attribute("src")
    upload(page, tmp_path / "deep.png")
    expect(page.locator("#frame img")).not_to_have_attribute("src", before)
    assert 140 < shown_picture(page).mean() < 170  # 40,000 of 65,535, as 8 bits


HAND_OVER = """async ([how, where, red]) => {
  const canvas = Object.assign(document.createElement('canvas'), {width: 300, height: 400});
  const c = canvas.getContext('2d');
  c.fillStyle = red ? 'rgb(230,20,20)' : 'rgb(20,20,230)'; c.fillRect(0, 0, 300, 400);
  const file = new File([await new Promise((done) => canvas.toBlob(done))], 'x.png', {type: 'image/png'});
  const carrier = new DataTransfer();
  carrier.items.add(file);
  const options = {bubbles: true, cancelable: true};
  const target = document.querySelector(where);
  if (how === 'paste') target.dispatchEvent(new ClipboardEvent('paste', {...options, clipboardData: carrier}));
  else for (const kind of ['dragover', 'drop'])
    target.dispatchEvent(new DragEvent(kind, {...options, dataTransfer: carrier}));
}"""


def test_a_picture_is_pasted_or_dropped_anywhere_also_in_the_place_of_another(site: Served, visit: Visit):
    page = visit(site)
    page.evaluate(HAND_OVER, ["paste", "#question textarea", True])
    page.locator("#frame img").wait_for()
    assert shown_picture(page)[200, 150, 0] > 180
    ask(page, "What is the price?")
    expect_end(page)
    page.evaluate(HAND_OVER, ["drop", "#talk", False])
    expect(page.locator("#frame .v-outline")).to_have_count(0)  # another picture: nothing is outlined on it
    assert shown_picture(page)[200, 150, 2] > 180
    expect(page.locator("#picker")).to_be_hidden()
    expect(page.locator(".v-veil:visible")).to_have_count(0)
    ask(page, "Who makes it?")
    expect_end(page)
    assert site.script.asked[-1][2].width_px == 300


def test_a_reload_keeps_the_conversation_and_another_visitor_sees_none_of_it(site: Served, visit: Visit):
    page, other = visit(site), visit(site)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect_end(page)
    page.reload()
    expect_end(page)
    expect(page.locator("#frame .v-outline")).to_have_count(1)
    ask(page, "Who makes it?")
    expect(page.locator("#history .v-turn")).to_have_count(1)
    expect_end(page)
    expect(other.locator(".v-turn")).to_have_count(0)
    expect(other.locator("#frame img")).to_have_count(0)


def test_progress_of_the_first_start_is_shown_and_a_question_waits(serve, visit: Visit):
    gate, script = threading.Event(), ScriptedAssistant()

    def open_slowly(progress):
        progress(0.4, "20 of 60 pictures")
        gate.wait(30)
        return script

    page = visit(serve(script, opener=open_slowly))
    expect(page.locator("#notice")).to_contain_text("20 of 60 pictures")
    expect(page.get_by_role("progressbar", name="Getting ready")).to_have_attribute("aria-valuenow", "40")
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect(page.locator("#current .v-waiting")).to_contain_text("Your question waits")
    gate.set()
    expect_end(page)
    expect(page.locator("#notice .v-notice")).to_have_count(0)


def test_keyboard_reaches_everything_and_focus_is_seen(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Example frame 1", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("#frame img").wait_for()
    box = page.get_by_label("Question", exact=True)
    box.focus()
    assert page.evaluate("getComputedStyle(document.activeElement).boxShadow") != "none"
    page.keyboard.type("What is the price?")
    page.keyboard.press("Enter")
    expect_end(page)
    cite = page.locator("#current .v-cite").first
    cite.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "turn-1-card-1"
    assert page.evaluate(NAMELESS) == []


NAMELESS = """() => [...document.querySelectorAll('.gradio-container :is(button, input, textarea)')]
  .filter((e) => e.checkVisibility() && e.type !== 'file')
  .filter((e) => !(e.innerText || e.ariaLabel || e.labels?.length || e.title))
  .map((e) => e.outerHTML)"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_enough(site: Served, visit: Visit, scheme: str):
    """WCAG AA: 4.5 to 1 for every kind of text of ours, measured from what the browser paints."""
    page = visit(site, color_scheme=scheme)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect_end(page)
    ask(page, "Who founded it?")
    expect_end(page, "abstained")
    page.locator("#current details.v-others summary").click()
    pairs = page.evaluate(CONTRAST)
    assert len(pairs) > 20
    assert {name: ratio for name, ratio in pairs if ratio < 4.5} == {}


CONTRAST = """async () => {
  const ending = document.getAnimations().filter((a) => a.effect?.getComputedTiming().endTime < 5000);
  await Promise.allSettled(ending.map((a) => a.finished));  // a colour that is still changing says nothing
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255, 255];
  };
  const seen = new Map();
  for (const e of document.querySelectorAll('.gradio-container *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility() || e.closest('.v-sr, footer')) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const name = e.tagName + '.' + (e.className || e.parentElement.className) + ': ' + e.textContent.slice(0, 20);
    seen.set(name, ratio);
  }
  return [...seen];
}"""


def test_the_name_of_what_was_recognised_is_in_the_pictures_description(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Example frame 5", exact=True).click()
    page.locator("#frame img").wait_for()
    expect(page.locator("#chips .v-chip")).to_have_text(["What is it?", "Who makes it?"])
    ask(page, "What is the price?")
    expect_end(page)
    expect(page.get_by_alt_text(f"Your picture, {NAME} outlined")).to_be_visible()
    expect(page.locator("#v-live")).to_contain_text("cost 3.40 euros")
