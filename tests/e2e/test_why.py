"""What an answer rests on, as a visitor tries it: links, cards off and swapped, other settings, the way back."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Served
from tests.e2e.scripted import HOSTILE, NAME, RELATIVES, ScriptedAssistant
from tests.e2e.test_page import Visit, ask, expect_end, fits


def with_answer(visit: Visit, site: Served, viewport=DESKTOP, question: str = "What is the price?", **options) -> Page:
    page = visit(site, viewport, **options)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    ask(page, question)
    expect_end(page)
    return page


def card(page: Page, number: int):
    return page.locator(f"#turn-1-card-{number}")


def test_sentences_cards_and_outlines_light_up_together(site: Served, visit: Visit):
    page = with_answer(visit, site)
    first, second = page.locator("#current .v-sentence").all()
    second.hover()
    expect(card(page, 3)).to_have_class(re.compile("v-lit"))
    expect(card(page, 1)).not_to_have_class(re.compile("v-lit"))
    card(page, 1).hover()  # the recognised thing: its sentence, and its outline on the picture
    expect(first).to_have_class(re.compile("v-lit"))
    expect(page.locator("#frame polygon.v-outline")).to_have_class(re.compile("v-lit"))
    expect(second).not_to_have_class(re.compile("v-lit"))
    page.get_by_role("button", name="Remove: page 3").focus()  # by keyboard
    expect(second).to_have_class(re.compile("v-lit"))


def test_the_used_sentence_is_marked_where_it_stands_on_its_page(site: Served, visit: Visit):
    page = with_answer(visit, site)
    quote = page.locator("#current .v-card--passage blockquote")
    expect(quote).to_have_text(re.compile(r"Tins of all kinds stand here\. .*Halden Mills\. Open until six\."))
    expect(quote.locator("mark")).to_contain_text("cost 3.40 euros in the shop")


def exchanged(page: Page, card: str, name: str = "") -> None:
    """Choose a relative for a card: the one called `name`, or the first."""
    page.get_by_role("button", name=f"Replace: {card}").click()
    page.get_by_role("list", name="Replace with").get_by_role("button", name=f"Replace with {name}").first.click()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_card_is_switched_off_put_back_and_swapped_and_the_answer_follows(site: Served, visit: Visit, viewport):
    page = with_answer(visit, site, viewport)
    answer = page.locator("#current .v-answer")
    page.get_by_role("button", name="Remove: known fact 2").click()
    expect_end(page, "abstained")
    expect(page.locator("#current .v-changes")).to_have_text("price removed")
    expect(page.locator("#current .v-first")).to_contain_text("cost 3.40 euros")
    off = page.locator("#current .v-card--off")
    expect(off).to_contain_text("3.40 EUR")
    expect(page.get_by_role("button", name="Put back: known fact")).to_be_focused()  # where the visitor was
    expect(page.locator("#v-live")).to_contain_text("Answered again: I don't know")
    assert fits(page)

    page.get_by_role("button", name="Put back: known fact").click()
    expect_end(page)
    expect(answer).to_contain_text("cost 3.40 euros")
    page.get_by_role("button", name="Replace: known fact 2").click()
    expect(page.get_by_role("list", name="Replace with").get_by_role("button")).to_have_count(2)
    expect(answer).to_contain_text("cost 3.40 euros")  # nothing is answered before one is chosen
    assert fits(page)
    page.get_by_role("button", name="Replace: known fact 2").click()
    expect(page.get_by_role("list", name="Replace with")).to_have_count(0)
    exchanged(page, "known fact 2", RELATIVES[0])
    expect(answer).to_contain_text("The price is Almond price.")
    expect(page.locator("#current .v-whose")).to_have_text(f"Replaced by that of {RELATIVES[0]}")
    exchanged(page, "known fact 2", RELATIVES[1])
    expect(answer).to_contain_text("The price is Spelt price.")

    page.get_by_role("button", name="Undo").click()
    expect(answer).to_contain_text("The price is Almond price.")
    page.get_by_role("button", name="Remove: page 3").click()
    expect(page.locator("#current .v-changes li")).to_have_count(2)
    page.get_by_role("button", name="Back to the first answer").click()
    expect(answer).to_contain_text("cost 3.40 euros")
    expect(page.locator("#current .v-varied")).to_have_count(0)

    ask(page, "Who makes it?")  # what was tried is no part of the conversation
    expect(page.locator("#turn-2.v-turn--answered")).to_be_visible()
    assert [t.answer.text for t in site.script.asked[-1][0].turns] == [
        "Halden Oat Biscuits cost 3.40 euros. The shop's page names the same price."
    ]


def test_the_recognition_itself_can_be_set_aside_and_exchanged(site: Served, visit: Visit):
    page = with_answer(visit, site)
    expect(page.locator("#frame .v-outline")).to_have_count(1)
    page.get_by_role("button", name="Remove: recognised 1").click()
    expect_end(page, "abstained")
    expect(page.locator("#frame .v-outline")).to_have_count(0)
    expect(page.locator("#current .v-changes")).to_have_text("recognition removed")
    expect(page.locator("#current .v-card--off")).to_contain_text(NAME)
    page.get_by_role("button", name="Put back: recognised").click()
    expect_end(page)
    exchanged(page, "recognised", RELATIVES[0])
    expect(page.locator("#current .v-changes")).to_have_text(f"taken for {RELATIVES[0]}")
    expect(page.locator("#frame figcaption")).to_contain_text(f"{RELATIVES[0]} swapped in")
    expect(page.locator("#current .v-card--entity .v-whose").first).to_have_text(f"In place of {NAME}")


def test_an_earlier_turn_is_varied_where_it_stands_and_a_reload_keeps_it(site: Served, visit: Visit):
    page = with_answer(visit, site)
    ask(page, "Who makes it?")
    expect(page.locator("#turn-2.v-turn--answered")).to_be_visible()
    page.locator("#history").get_by_role("button", name="Remove: known fact 2").click()
    expect(page.locator("#history .v-turn--abstained .v-changes")).to_have_text("price removed")
    expect(page.locator("#current .v-answer")).to_contain_text("made by Halden Mills")
    page.reload()
    expect(page.locator("#history .v-turn--abstained .v-changes")).to_have_text("price removed")


def test_asking_again_with_another_setting(site: Served, visit: Visit):
    page = with_answer(visit, site)
    menu = page.locator("#current .v-menu summary")
    menu.click()
    page.keyboard.press("Escape")
    expect(page.locator("#current .v-menu ul")).to_be_hidden()
    expect(menu).to_be_focused()
    for words, told, field in (
        ("With the picture as it was taken", "picture not corrected", "correct"),
        ("Without reading text", "text not read", "read_text"),
        ("Without the check", "answer not checked", "check"),
    ):
        menu.click()
        page.get_by_role("button", name=words).click()
        expect(page.locator("#current .v-changes")).to_contain_text(told)
        assert getattr(site.script.conditions[-1], field) is False
    expect(page.locator("#frame figcaption")).not_to_contain_text("line of text read")
    expect(page.locator("#current .v-menu button")).to_have_count(0)  # nothing is left that would make a difference
    menu.click()
    expect(page.locator("#current .v-alone")).to_contain_text("Another profile is not set up here")


def test_asking_again_with_another_profile_says_where_the_question_goes(serve, visit: Visit):
    """A server that is only configured is offered, and nothing goes there before its button is pressed."""
    script = ScriptedAssistant()
    page = with_answer(visit, serve(script, base_url="http://models.invalid/v1", chat_model="m"))
    assert script.companions == {}
    page.locator("#current .v-menu summary").click()
    page.get_by_role("button", name="question, picture and evidence go to models.invalid").click()
    # Its client is loaded at its first use, seconds on a busy machine.
    expect(page.locator("#current .v-changes")).to_have_text("asked with the chat profile", timeout=20_000)
    other = script.companions["chat"]
    assert [question for _, question, _ in other.asked] == ["What is the price?"]
    page.locator("#current .v-menu summary").click()
    expect(page.locator("#current .v-menu")).not_to_contain_text("chat profile")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove: known fact 2").click()  # the other profile goes on answering
    expect(page.locator("#current .v-changes li")).to_have_count(2)
    assert len(other.asked) == 2
    ask(page, "Who makes it?")  # the next question is the page's own profile's again
    expect_end(page)
    assert len(other.asked) == 2
    assert script.asked[-1][1] == "Who makes it?"


def test_what_failed_under_one_profile_can_be_asked_under_the_other(serve, visit: Visit):
    page = visit(serve(ScriptedAssistant(), profile="chat", base_url="http://models.invalid/v1", chat_model="m"))
    ask(page, "crash")
    expect_end(page, "error")
    page.get_by_role("button", name="With the embedded profile: nothing is sent").click()
    expect(page.locator("#current .v-changes")).to_have_text("asked with the embedded profile")


def test_a_slow_answer_again_says_so_and_what_failed_can_be_asked_again(site: Served, visit: Visit, monkeypatch):
    page = with_answer(visit, site)
    monkeypatch.setattr(site.script, "pause_s", 0.15)
    page.get_by_role("button", name="Remove: page 3").click()
    expect(page.locator("#current [aria-busy=true], #current.v-turn[aria-busy=true]")).to_contain_text(
        "Answering again"
    )
    expect(page.locator("#current .v-changes")).to_be_visible(timeout=5000)
    monkeypatch.setattr(site.script, "pause_s", 0.0)
    ask(page, "crash")
    expect_end(page, "error")
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator("#history .v-turn--error")).to_have_count(1)
    expect_end(page, "error")


def test_an_answer_is_copied_without_its_numbers(site: Served, visit: Visit):
    page = with_answer(visit, site, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    words = page.evaluate("navigator.clipboard.readText()")
    assert words == "Halden Oat Biscuits cost 3.40 euros. The shop's page names the same price."


def test_every_turn_keeps_its_picture_with_the_thing_outlined(site: Served, visit: Visit):
    page = with_answer(visit, site)
    page.get_by_label("Example frame 2", exact=True).click()
    expect(page.locator("#frame .v-outline")).to_have_count(0)
    ask(page, "Who makes it?")
    expect(page.locator("#turn-2.v-turn--answered")).to_be_visible()
    thumbs = page.locator(".v-thumb")
    expect(thumbs).to_have_count(2)
    expect(page.locator(".v-thumb polygon.v-outline")).to_have_count(2)
    first, second = (thumb.locator("img").get_attribute("src") for thumb in thumbs.all())
    assert first != second
    page.get_by_role("button", name="Show the picture of turn 1").click()
    dialog = page.get_by_role("dialog", name="The picture of turn 1")
    expect(dialog.locator("img")).to_be_visible()
    expect(dialog.locator("polygon.v-outline")).to_have_count(1)
    assert dialog.locator("img").get_attribute("src") != page.locator("#frame img").get_attribute("src")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Show the picture of turn 1")).to_be_focused()


def test_stages_that_ran_side_by_side_stand_above_each_other(site: Served, visit: Visit):
    page = with_answer(visit, site)
    expect(page.locator("#current .v-times .v-sum")).to_have_text(re.compile(r"^sum 423 ms · you waited \d"))
    for segment in page.locator("#current .v-seg:not(.v-dot)").all():
        box, strip = segment.bounding_box(), page.locator("#current .v-lanes").bounding_box()
        assert box["x"] >= strip["x"] - 1
        assert box["x"] + box["width"] <= strip["x"] + strip["width"] + 3


def test_hostile_words_are_inert_on_swapped_cards_and_in_dialogs(site: Served, visit: Visit, monkeypatch):
    monkeypatch.setattr(site.script, "hostile", True)
    page = with_answer(visit, site, question=HOSTILE)
    exchanged(page, "known fact 1")
    expect(page.locator("#current .v-whose")).to_be_visible()
    page.get_by_role("button", name="Remove: page 2").click()
    expect(page.locator("#current .v-changes li")).to_have_count(2)
    page.locator(".v-thumb").click()
    expect(page.get_by_role("dialog")).to_contain_text("<script>window.pwned=1</script>")
    assert page.evaluate("window.pwned") is None
    assert page.locator(":is(.v-turn, dialog) :is(a, script, [onerror], img:not([src^='data:']))").count() == 0


def test_the_answer_from_kept_evidence_is_there_at_once(site: Served, visit: Visit):
    """Nothing is looked at or searched again: what the script pauses for is all that passes."""
    page = with_answer(visit, site)
    asked = len(site.script.asked)
    began = time.monotonic()
    page.get_by_role("button", name="Remove: known fact 2").click()
    expect(page.locator("#current .v-changes")).to_be_visible()
    assert time.monotonic() - began < 2
    assert len(site.script.asked) == asked + 1
    assert site.script.conditions[-1].evidence is not None
