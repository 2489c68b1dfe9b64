"""Marking a part of the picture ("this one"): by mouse, finger and keyboard; and what asking about it means."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Served
from tests.e2e.test_page import Visit, ask


def with_picture(visit: Visit, site: Served, viewport=DESKTOP, **options) -> Page:
    page = visit(site, viewport, **options)
    page.get_by_label("Example frame 1", exact=True).click()
    page.locator("#frame img").wait_for()
    return page


def ask_about_it(page: Page, question: str, turn: int) -> None:
    ask(page, question)
    expect(page.locator(f"#current #turn-{turn}.v-turn--answered")).to_be_visible(timeout=10_000)


def draw(page: Page, start=(0.25, 0.25), end=(0.75, 0.5)) -> None:
    glass = page.locator("#frame .v-glass").bounding_box()
    at = [(glass["x"] + x * glass["width"], glass["y"] + y * glass["height"]) for x, y in (start, end)]
    page.mouse.move(*at[0])
    page.mouse.down()
    page.mouse.move(*at[1], steps=4)
    page.mouse.up()


def expect_region(site: Served, left: float, top: float, right: float, bottom: float) -> None:
    """What the assistant was asked about, on a frame of 480x640."""
    assert site.script.conditions[-1].region_px == pytest.approx((left, top, right, bottom), abs=4)


def test_a_box_drawn_with_the_mouse_is_part_of_the_turns_until_it_is_removed(site: Served, visit: Visit):
    page = with_picture(visit, site)
    draw(page)
    expect(page.locator("#frame .v-mark")).to_have_count(1)
    expect(page.locator("#ask-notice")).to_contain_text("Questions are about this part now")
    ask_about_it(page, "What is the price?", 1)
    expect_region(site, 120, 160, 360, 320)
    expect(page.locator("#current .v-thumb polygon.v-marked")).to_have_count(1)
    ask_about_it(page, "Who makes it?", 2)  # a follow-up is about the same part
    expect_region(site, 120, 160, 360, 320)
    page.get_by_role("button", name="Remove the mark").click()
    expect(page.locator("#frame .v-mark")).to_have_count(0)
    ask_about_it(page, "What is the price?", 3)
    assert site.script.conditions[-1].region_px is None
    expect(page.locator("#history .v-thumb polygon.v-marked")).to_have_count(2)  # earlier turns keep theirs


def test_the_whole_picture_can_be_asked_instead_and_a_new_picture_has_no_mark(site: Served, visit: Visit):
    page = with_picture(visit, site)
    draw(page)
    expect(page.locator("#ask-notice")).to_contain_text("this part")
    ask_about_it(page, "What is the price?", 1)
    page.locator("#current .v-menu summary").click()
    page.get_by_role("button", name="With the whole picture").click()
    expect(page.locator("#current .v-changes")).to_have_text("mark on the picture ignored")
    assert site.script.conditions[-1].region_px is None
    page.get_by_label("Example frame 3", exact=True).click()
    expect(page.locator("#frame .v-mark")).to_have_count(0)


def test_another_box_replaces_the_first_a_click_takes_it_away_and_a_reload_keeps_it(site: Served, visit: Visit):
    page = with_picture(visit, site)
    draw(page)
    expect(page.get_by_role("button", name="Mark another part")).to_be_visible()
    draw(page, (0.9, 0.9), (0.5, 0.6))  # from the other corner, beyond nothing
    ask_about_it(page, "What is the price?", 1)
    expect_region(site, 240, 384, 432, 576)
    page.reload()
    expect(page.locator("#frame .v-mark")).to_have_count(1, timeout=30_000)  # a busy machine takes its time to load
    page.evaluate("scrollTo(0, 0)")
    for _ in range(2):  # twice: the second time the server has nothing to change
        draw(page, (0.1, 0.1), (0.105, 0.105))
        expect(page.locator("#frame .v-mark")).to_have_count(0)


def test_a_box_by_keyboard_alone(site: Served, visit: Visit):
    page = with_picture(visit, site)
    page.get_by_role("button", name="Mark a part").focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("group", name=re.compile("^Marked part"))
    expect(box).to_be_focused()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    page.wait_for_timeout(600)
    expect(box).to_be_focused()  # drawn anew, and still where the visitor is
    page.keyboard.press("Escape")
    expect(page.get_by_label("Question", exact=True)).to_be_focused()
    page.keyboard.type("What is the price?")
    page.keyboard.press("Enter")
    expect(page.locator("#current #turn-1.v-turn--answered")).to_be_visible(timeout=10_000)
    expect_region(site, 72, 160, 312, 493)
    box.focus()
    page.keyboard.press("Delete")
    expect(box).to_have_count(0)


def test_a_finger_scrolls_until_it_is_told_to_mark(site: Served, visit: Visit):
    page = with_picture(visit, site, PHONE, has_touch=True)
    glass = page.locator("#frame .v-glass").bounding_box()
    session = page.context.new_cdp_session(page)

    def swipe() -> None:
        for kind, y in (("touchStart", 0.3), ("touchMove", 0.45), ("touchMove", 0.6), ("touchEnd", 0.6)):
            at = {"x": glass["x"] + (0.3 + y) * glass["width"] / 1.2, "y": glass["y"] + y * glass["height"]}
            points = [] if kind == "touchEnd" else [at]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe()
    page.wait_for_timeout(300)
    expect(page.locator("#frame .v-mark")).to_have_count(0)
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Mark a part").tap()
    expect(page.locator(".v-mark-hint")).to_be_visible()
    page.wait_for_timeout(100)
    glass = page.locator("#frame .v-glass").bounding_box()
    swipe()
    expect(page.locator("#frame .v-mark")).to_have_count(1)
    expect(page.get_by_role("button", name="Remove the mark")).to_be_visible()


def test_what_is_no_box_marks_nothing(site: Served, visit: Visit):
    page = with_picture(visit, site)
    for box in ("x", [1, 2], ["a", 0, 1, 1], [None] * 4, {"a": 1}, [[0]] * 4, [0, 0, 1e999, 1]):
        page.evaluate("(box) => window.vitrine.triggers.frame('mark', {box})", box)
        page.wait_for_timeout(200)
        expect(page.get_by_role("alert")).to_have_count(0)
        assert page.locator("#frame .v-mark").count() <= (1 if box == [0, 0, 1e999, 1] else 0), box
