"""The page for everybody: keys, stage view, screen readers, reduced motion, contrast, a connection that is lost."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Served
from tests.e2e.scripted import NAME, ScriptedAssistant
from tests.e2e.test_page import CONTRAST, NAMELESS, Visit, ask, expect_end, fits


def with_answer(visit: Visit, site: Served, viewport=DESKTOP, **options) -> Page:
    page = visit(site, viewport, **options)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect_end(page)
    return page


def test_stage_view_shows_picture_and_answer_only_and_escape_leaves(site: Served, visit: Visit):
    page = with_answer(visit, site)
    page.keyboard.press("Escape")  # out of the question box
    page.keyboard.press("f")
    expect(page.locator("#v-live")).to_have_text("Stage view. Escape leaves it.")
    for hidden in ("#head", "#current .v-evidence", "#current .v-times", "#gallery", "#new", ".v-cite"):
        expect(page.locator(hidden).first).to_be_hidden()
    answer = page.locator("#current .v-answer")
    assert answer.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 56  # on a screen of 1280 px
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 20, 18)"
    picture, words = page.locator("#frame img").bounding_box(), answer.bounding_box()
    assert picture["height"] > 0.6 * DESKTOP["height"]
    middle = words["y"] + words["height"] / 2
    assert abs(middle - DESKTOP["height"] / 2) < 0.25 * DESKTOP["height"]
    pairs = page.evaluate(CONTRAST)
    assert {name: ratio for name, ratio in pairs if ratio < 4.5} == {}

    page.keyboard.press("/")  # one can still ask
    page.keyboard.type("Who makes it?")
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("made by Halden Mills")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#head")).to_be_visible()
    expect(page.locator("#v-live")).to_have_text("Stage view ended")


def test_stage_view_on_a_phone_by_its_button(site: Served, visit: Visit):
    page = with_answer(visit, site, PHONE)
    page.get_by_role("button", name="Stage view").click()
    expect(page.locator("#current .v-evidence")).to_be_hidden()
    expect(page.locator("#frame img")).to_be_in_viewport()
    expect(page.locator("#current .v-answer")).to_be_in_viewport()
    assert fits(page)


def test_letters_typed_into_the_question_are_letters(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Question", exact=True).press_sequentially("for me? /m")
    expect(page.get_by_label("Question", exact=True)).to_have_value("for me? /m")
    expect(page.locator("#head")).to_be_visible()
    page.keyboard.press("Control+f")
    expect(page.locator("#head")).to_be_visible()


def test_keys_are_listed_and_the_first_tab_skips_to_the_question(site: Served, visit: Visit):
    page = visit(site)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("stage view")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    skip = page.get_by_role("button", name="Skip to the question")
    skip.focus()
    assert skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    expect(page.get_by_label("Question", exact=True)).to_be_focused()


def test_escape_stops_an_answer(site: Served, visit: Visit, monkeypatch):
    monkeypatch.setattr(site.script, "pause_s", 0.4)
    page = visit(site)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#current .v-turn--cancelled")).to_be_visible(timeout=1500)


ORDER = """() => {
  const seen = [];
  const all = ':is(button, input, textarea, summary, [tabindex="0"])';
  for (const e of document.querySelectorAll(`.gradio-container ${all}`)) {
    if (e.checkVisibility() && e.tabIndex >= 0 && e.type !== 'file') seen.push(e);
  }
  if (seen.some((e) => e.tabIndex > 0)) return ['a tabindex above 0'];
  return seen.map((e) => e.id || e.closest('[data-key]')?.dataset.key || e.innerText);
}"""


def test_every_button_has_a_name_and_focus_goes_in_reading_order(site: Served, visit: Visit):
    page = with_answer(visit, site)
    assert page.evaluate(NAMELESS) == []
    order = page.evaluate(ORDER)
    places = [order.index(key) for key in ("profile", "mark", "look-1", "off-1-entity", "ask", "new")]
    assert places == sorted(places)
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    assert page.locator("#v-live").count() == 1


def test_what_happens_is_spoken_in_the_one_live_region(site: Served, visit: Visit):
    page = visit(site)
    page.evaluate("""() => {
      window.spoken = [];
      new MutationObserver(() => window.spoken.push(document.querySelector('#v-live').textContent))
        .observe(document.querySelector('#v-live'), {childList: true, characterData: true, subtree: true});
    }""")
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect_end(page)
    expect(page.locator("#v-live")).to_contain_text("names the same price")
    spoken = page.evaluate("window.spoken")
    assert spoken[0] == "Working on it"
    assert len(spoken) == len(set(spoken)) <= 5


SMALL = """() => {
  const tall = (e) => { // what a finger meets, the label of a box and what is drawn around a number included
    const r = (e.closest('label') ?? e).getBoundingClientRect();
    if (r.width >= 24 && r.height >= 24) return true;
    e.scrollIntoView({block: 'center'});
    const s = e.getBoundingClientRect(), [x, y] = [s.x + s.width / 2, s.y + s.height / 2];
    const hits = (dx, dy) => e.contains(document.elementFromPoint(x + dx, y + dy));
    return [[-11.5, 0], [11.5, 0], [0, -11.5], [0, 11.5]].every(([dx, dy]) => hits(dx, dy));
  };
  const all = ':is(button, a, summary, input, select, textarea, [tabindex="0"])';
  return [...document.querySelectorAll(`.gradio-container ${all}`)]
    .filter((e) => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width && !e.disabled)
    .filter((e) => !e.closest('footer, .v-skip') && !tall(e)).map((e) => e.outerHTML.slice(0, 120));
}"""
PANELS = ("Degrade image", "Teach an object", "Compare settings", "Saved turns", "Voice", "Response times")


def open_everything(page: Page) -> None:
    page.locator("#current details.v-others summary").click()
    for title in PANELS:
        page.locator(".label-wrap", has_text=title).click()
        expect(page.locator(".label-wrap.open", has_text=title)).to_be_visible()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_is_pressed_is_large_enough(site: Served, visit: Visit, viewport: dict[str, int]):
    """WCAG 2.5.8: 24 by 24 px."""
    page = visit(site, viewport)
    assert page.evaluate(SMALL) == []
    page.locator("#current .v-sample").last.click()
    expect_end(page, "abstained")
    ask(page, "What is the price?")
    expect_end(page)
    open_everything(page)
    page.locator("#lights input[type=range]").first.wait_for()
    assert page.evaluate(SMALL) == []
    assert page.evaluate(NAMELESS) == []


@pytest.mark.parametrize("size", [(320, 640), (640, 430)], ids=["320 px wide", "a laptop at twice the size"])
def test_nothing_has_to_be_scrolled_sideways(site: Served, visit: Visit, size: tuple[int, int]):
    """WCAG 1.4.10: everything is there at 320 px, which is also what a window of 1280 px has at four times its size."""
    page = visit(site, {"width": size[0], "height": size[1]})
    assert fits(page)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect_end(page)
    assert fits(page)
    page.locator("#current .v-menu summary").click()
    assert fits(page)
    page.keyboard.press("Escape")
    open_everything(page)
    page.locator("#lights input[type=range]").first.wait_for()
    assert fits(page)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_changed_answers_menus_and_the_profile_stand_out_enough(site: Served, visit: Visit, scheme: str):
    page = with_answer(visit, site, color_scheme=scheme)
    page.get_by_role("button", name="Replace: known fact 2").click()
    page.get_by_role("list", name="Replace with").get_by_role("button").first.click()
    expect(page.locator("#current .v-changes")).to_be_visible()
    page.get_by_role("button", name="Remove: page 3").click()
    expect(page.locator("#current .v-changes li")).to_have_count(2)
    page.locator(".v-badge summary").click()
    expect(page.locator(".v-parts")).to_be_visible()
    pairs = page.evaluate(CONTRAST)
    assert len(pairs) > 50
    assert {name: ratio for name, ratio in pairs if ratio < 4.5} == {}


def test_less_motion_when_it_is_asked_for(site: Served, visit: Visit, monkeypatch):
    monkeypatch.setattr(site.script, "pause_s", 0.3)
    page = visit(site, reduced_motion="reduce")
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    running = page.locator("#current .v-step--running").first
    assert running.evaluate("(e) => getComputedStyle(e, '::before').animationName") == "none"


def test_the_profile_says_what_each_part_is_and_how_to_get_a_better_one(site: Served, visit: Visit):
    page = visit(site)
    page.locator(".v-badge summary").click()
    parts = page.locator(".v-part")
    expect(parts.first).to_be_visible(timeout=15_000)
    expect(page.locator(".v-parts")).to_contain_text("text reading")
    expect(page.locator(".v-parts")).to_contain_text(re.compile("Better|bundled index"))
    assert parts.count() >= 9
    page.keyboard.press("Escape")
    expect(page.locator(".v-parts")).to_be_hidden()


def test_a_lost_connection_is_said_and_the_page_comes_back_with_its_conversation(site: Served, visit: Visit):
    page = with_answer(visit, site)
    page.get_by_label("Question", exact=True).fill("half a ques")
    page.context.set_offline(True)
    banner = page.locator("#v-offline")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("The conversation is kept")
    page.wait_for_timeout(1500)  # it goes on trying meanwhile
    page.context.set_offline(False)
    expect(banner).to_be_hidden(timeout=10_000)
    expect(page.locator("#current .v-turn--answered")).to_contain_text("3.40 euros")
    expect(page.get_by_label("Question", exact=True)).to_have_value("half a ques")
    site.complaints.clear()  # the browser's own words about requests that went nowhere


def test_after_a_restart_the_conversation_is_cleanly_gone_and_says_so(serve, visit: Visit):
    site = serve(ScriptedAssistant())
    page = with_answer(visit, site)
    site.services.sessions._sessions.clear()  # what a restart leaves of them
    site.services.sessions._boot = "another"
    page.reload()
    expect(page.locator("#ask-notice")).to_contain_text("Vitrine was restarted")
    expect(page.locator(".v-turn")).to_have_count(0)
    expect(page.locator("#frame img")).to_have_count(0)
    page.get_by_label("Example frame 2", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "Who makes it?")
    expect_end(page)


def test_beginning_anew_deletes_turns_pictures_and_what_was_seen_on_them(site: Served, visit: Visit):
    page = with_answer(visit, site)
    page.get_by_label("Example frame 2", exact=True).click()
    expect(page.locator("#frame .v-outline")).to_have_count(0)
    forgotten = len(site.script.forgotten)
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".v-turn, #frame img")).to_have_count(0)
    expect(page.locator("#current .v-empty")).to_be_visible()
    assert len(site.script.forgotten) == forgotten + 2
    page.reload()
    expect(page.locator("#current .v-empty")).to_be_visible()
    expect(page.locator(".v-turn, #frame img")).to_have_count(0)


def test_eight_visitors_at_once_see_only_their_own(serve, tmp_path: Path):
    """Through the endpoint, which shares the page's sessions: every visitor has a frame and a name of his own."""
    from gradio_client import Client, handle_file
    from PIL import Image

    class Echo(ScriptedAssistant):
        def _sentences(self, question, evidence):
            from assistant.core.types import Sentence

            return (Sentence(f"You asked {question}", ("a1",)),)

    site = serve(Echo(pause_s=0.01))
    said: dict[int, list[str]] = {}

    def visitor(n: int) -> None:
        path = tmp_path / f"{n}.png"
        Image.new("RGB", (64 + n, 64), (n, n, n)).save(path)
        client = Client(site.url, verbose=False)
        first = client.predict(handle_file(path), f"first of {n}", "", api_name="/ask")
        second = client.predict(None, f"second of {n}", first["conversation"], api_name="/ask")
        said[n] = [first["answer"], second["answer"], second["conversation"]]
        client.close()

    threads = [threading.Thread(target=visitor, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {n: said[n][:2] for n in range(8)} == {
        n: [f"You asked first of {n}", f"You asked second of {n}"] for n in range(8)
    }
    assert len({words[2] for words in said.values()}) == 8
    for conversation, question, frame in site.script.asked:
        n = int(question.split()[-1])
        assert frame.width_px == 64 + n
        assert [t.question for t in conversation.turns] == ([f"first of {n}"] if "second" in question else [])


def test_the_name_of_what_was_recognised_is_read_with_the_picture(site: Served, visit: Visit):
    page = with_answer(visit, site)
    expect(page.get_by_alt_text(f"Your picture, {NAME} outlined")).to_be_visible()
