"""A question stands on the page the moment it is asked, before the server has answered; and goes when it is refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, Served
from tests.e2e.test_page import Visit, ask, expect_end, fits

#: Where the newest question stands, every time something changes on the page.
PLACES = """() => {
  window.places = [];
  new MutationObserver(() => {
    const turn = document.querySelector('#current .v-turn:last-of-type h2');
    if (turn) window.places.push([turn.textContent, Math.round(turn.getBoundingClientRect().top)]);
  }).observe(document.querySelector('#talk'), {childList: true, subtree: true});
}"""


class Gate:
    """Questions are on their way to the server, until they are let through."""

    def __init__(self, page: Page):
        self._page = page
        self._held: list[Route] = []
        self._is_open = False
        page.route("**/queue/join*", self._arrive)

    def _arrive(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._held.append(route)

    def open(self) -> None:
        self._is_open = True
        for route in self._held:
            route.continue_()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_question_is_seen_before_the_server_has_it_and_stays_where_it_stands(
    site: Served, visit: Visit, viewport: dict[str, int]
):
    page = visit(site, viewport)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    for number, question in enumerate(("What is the price?", "Who makes it?"), 1):
        gate = Gate(page)
        ask(page, question)
        asked = page.locator("#current .v-turn--asked")
        expect(asked.locator("h2")).to_have_text(question)
        expect(asked.locator(".v-thumb img")).to_be_visible()
        assert asked.get_attribute("aria-hidden") == "true"  # the answer is the one that is read
        assert fits(page)
        page.evaluate(PLACES)
        gate.open()
        expect_end(page)
        expect(asked).to_have_count(0)
        expect(page.locator(".v-turn h2")).to_have_count(number)
        places = {top for words, top in page.evaluate("window.places") if words == question}
        assert max(places) - min(places) <= 2, places


def test_a_question_that_is_refused_is_taken_back_and_its_words_are_kept(site: Served, visit: Visit):
    page = visit(site)
    gate = Gate(page)
    words = "why " * 5100
    ask(page, words)
    expect(page.locator("#current .v-turn--asked")).to_have_count(1)
    gate.open()
    expect(page.locator("#ask-notice")).to_contain_text("characters")
    expect(page.locator("#current .v-turn--asked")).to_have_count(0)
    expect(page.locator("#current .v-empty")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value(words)


def test_nothing_asked_is_nothing_shown_and_a_suggestion_is_shown_like_a_question(site: Served, visit: Visit):
    page = visit(site)
    ask(page, "   ")
    expect(page.locator("#ask-notice")).to_contain_text("Type a question first")
    expect(page.locator(".v-turn--asked")).to_have_count(0)
    page.get_by_label("Example frame 1", exact=True).click()
    gate = Gate(page)
    page.locator("#chips .v-chip").click()
    expect(page.locator(".v-turn--asked h2")).to_have_text("What is the price?")
    gate.open()
    expect_end(page)


def test_an_empty_page_offers_examples_that_are_asked_with_one_press(site: Served, visit: Visit):
    page = visit(site)
    samples = page.locator("#current .v-sample")
    expect(samples).to_have_text(["What is the price?", "Who makes it?", "What is it?"])  # as in the gallery
    gate = Gate(page)
    samples.last.click()
    expect(page.locator(".v-turn--asked h2")).to_have_text("What is it?")
    expect(page.locator(".v-turn--asked .v-thumb img")).to_be_visible()
    gate.open()
    expect_end(page, "abstained")
    expect(page.locator("#frame img")).to_be_visible()
    expect(page.locator("#current h2")).to_have_text("What is it?")
    page.get_by_role("button", name="New conversation").click()
    expect(samples).to_have_count(3)
    page.get_by_label("Example frame 1", exact=True).click()
    expect(page.locator("#current")).to_contain_text("Now ask about it.")
    expect(samples).to_have_count(0)


@pytest.mark.parametrize("card", ["99", "-1", "x", ""])
def test_an_example_that_is_not_there_is_one_sentence(site: Served, visit: Visit, card: str):
    page = visit(site)
    page.locator("#current .v-sample").first.evaluate("(e, card) => { e.dataset.card = card; }", card)
    page.locator("#current .v-sample").first.click()
    expect(page.locator("#ask-notice .v-notice--error")).to_be_visible()
    expect(page.locator(".v-turn")).to_have_count(0)


def begin_long_answer(page: Page, site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question is being answered, and its second sentence takes long."""
    monkeypatch.setattr(site.script, "between_s", 20.0)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, "What is the price?")
    expect(page.locator("#current .v-turn:not(.v-turn--asked) .v-answer")).to_contain_text("cost 3.40 euros")


def test_a_question_asked_while_another_is_answered_takes_its_place(site: Served, visit: Visit, monkeypatch):
    page = visit(site)
    begin_long_answer(page, site, monkeypatch)
    monkeypatch.setattr(site.script, "between_s", 0.0)
    ask(page, "Who makes it?")
    expect(page.locator("#history .v-turn--cancelled h2")).to_have_text("What is the price?")
    expect(page.locator("#current .v-turn--answered h2")).to_have_text("Who makes it?")
    page.wait_for_timeout(500)  # what the first still had to say is not written over the second
    expect(page.locator("#current .v-turn--answered h2")).to_have_text("Who makes it?")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_a_question_whose_key_is_pressed_twice_is_asked_once(site: Served, visit: Visit):
    page = visit(site)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    before = len(site.script.asked)
    gate = Gate(page)
    ask(page, "What is the price?")
    page.get_by_label("Question", exact=True).press("Enter")
    gate.open()
    expect_end(page)
    page.wait_for_timeout(300)
    assert len(site.script.asked) == before + 1
    expect(page.locator("#history .v-turn")).to_have_count(0)


def test_another_page_of_the_same_visitor_sees_the_question_that_took_the_place(
    site: Served, visit: Visit, monkeypatch
):
    page = visit(site)
    begin_long_answer(page, site, monkeypatch)
    second = page.context.new_page()
    second.goto(site.url)
    expect(second.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    monkeypatch.setattr(site.script, "between_s", 0.0)
    ask(page, "Who makes it?")
    for one in (page, second):
        expect(one.locator("#history .v-turn--cancelled h2")).to_have_text("What is the price?")
        expect(one.locator("#current .v-turn--answered h2")).to_have_text("Who makes it?")
        expect(one.get_by_role("button", name="Ask", exact=True)).to_be_visible()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("interrupted", [False, True])
def test_a_new_conversation_stays_empty_when_the_answer_before_ends(
    site: Served, visit: Visit, monkeypatch, interrupted: bool
):
    page = visit(site)
    begin_long_answer(page, site, monkeypatch)
    if interrupted:
        page.wait_for_timeout(1100)  # the same question at once would be a key pressed twice
        ask(page, "What is the price?")
        expect(page.locator("#history .v-turn--cancelled")).to_have_count(1)
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("#current .v-turn")).to_have_count(0)
    page.wait_for_timeout(700)
    expect(page.locator("#current .v-turn")).to_have_count(0)
    expect(page.locator("#frame img")).to_have_count(0)
