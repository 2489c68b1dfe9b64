"""Degrading the picture, as a presenter does it: dim it, see the answer follow, look at before and after, go back."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from assistant.vision.degrade import Degradation, degrade
from assistant.vision.frame import read_frame
from tests.e2e.conftest import DESKTOP, PHONE, Served, a_picture_file

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_picture_file(tmp_path_factory.mktemp("pictures") / "tin.png", kind="PNG")


def begin(page: Page, picture: Path) -> None:
    page.locator("#picker input[type=file]").first.set_input_files(picture)
    page.locator("#frame .v-glass img").wait_for()
    page.locator("#lights").get_by_text("Degrade image").click()
    page.get_by_label("Low light").wait_for()


def slide(page: Page, name: str, value: int) -> None:
    page.get_by_label(name).fill(str(value))


def ask(page: Page, question: str) -> None:
    box = page.get_by_label("Question", exact=True)
    box.fill(question)
    box.press("Enter")
    expect(page.locator("#current .v-turn--answered")).to_be_visible()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_picture_is_degraded_and_the_answer_follows(site: Served, visit: Visit, picture: Path, viewport):
    page = visit(site, viewport)
    begin(page, picture)
    ask(page, "What is the price?")
    before = page.locator("#frame .v-glass img").first.get_attribute("src")
    asked = len(site.script.asked)
    slide(page, "Low light", 60)
    expect(page.locator("#frame .v-before")).to_have_attribute("src", before or "")
    follow = page.locator("#current .v-turn")
    expect(page.locator("#lights-says")).to_contain_text("Answered: Halden Oat Biscuits cost")
    expect(page.get_by_label("Low light")).to_be_in_viewport()  # the page stays with the slider
    expect(follow.locator(".v-degraded")).to_contain_text("Low light 60 % (seed 1)")
    expect(follow.locator(".v-answer")).to_contain_text("3.40 euros")
    expect(page.locator("#history .v-turn")).to_have_count(1)
    assert page.locator("#history .v-degraded").count() == 0
    conversation, question, frame = site.script.asked[-1]
    expected = degrade(read_frame(picture).pixels, Degradation("low light", 0.6, 1))
    assert len(site.script.asked) == asked + 1
    assert (question, conversation.turns) == ("What is the price?", ())  # what was answered before must not help
    assert np.array_equal(frame.pixels, expected)

    page.locator("#stop").wait_for(state="hidden")
    slide(page, "Rotated", 25)  # in place: no further turn
    expect(page.locator("#current .v-degraded")).to_contain_text("Low light 60 %, rotated 25 %")
    expect(page.locator("#history .v-turn")).to_have_count(1)
    page.locator("#stop").wait_for(state="hidden")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#frame .v-before")).to_have_count(0)
    expect(page.get_by_label("Low light")).to_have_value("0")
    expect(page.locator("#current .v-degraded")).to_have_count(0)
    assert np.array_equal(site.script.asked[-1][2].pixels, read_frame(picture).pixels)


def test_before_and_after_share_one_slider_that_keys_move(site: Served, visit: Visit, picture: Path):
    page = visit(site)
    begin(page, picture)
    slide(page, "Blur", 80)
    wipe = page.get_by_label("Before and after")
    wipe.wait_for()
    expect(page.locator("#lights-says")).to_contain_text("Recognised: Halden Oat Biscuits, 94 %")
    clip = "getComputedStyle(document.querySelector('.v-before')).clipPath"
    assert page.evaluate(clip) == "inset(0px 50% 0px 0px)"
    wipe.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(clip) == "inset(0px 40% 0px 0px)"
    ask(page, "What is the price?")  # the frame is drawn anew, the slider stays
    expect(wipe).to_have_value("60")
    page.reload()
    page.locator("#frame .v-before").wait_for()
    page.locator("#lights").get_by_text("Degrade image").click()
    expect(page.get_by_label("Blur")).to_have_value("80")


def test_keys_dim_from_the_stage_view(site: Served, visit: Visit, picture: Path):
    page = visit(site)
    page.locator("#picker input[type=file]").first.set_input_files(picture)
    page.locator("#frame .v-glass img").wait_for()
    ask(page, "What is the price?")
    page.locator("#question textarea").blur()
    page.keyboard.press("f")
    page.keyboard.press("[")
    page.keyboard.press("[")
    page.locator("#frame .v-before").wait_for()
    expect(page.locator("#current .v-degraded")).to_contain_text("Low light 20 %")
    assert page.locator("#v-live").inner_text() != ""


def test_another_picture_is_as_it_was_taken(site: Served, visit: Visit, picture: Path):
    page = visit(site)
    begin(page, picture)
    slide(page, "Covered", 50)
    page.locator("#frame .v-before").wait_for()
    page.locator("[data-example='1']").click()
    expect(page.locator("#frame .v-before")).to_have_count(0)
    expect(page.get_by_label("Covered")).to_have_value("0")


def test_sliders_heard_of_late_leave_the_next_picture_alone(site: Served, visit: Visit, picture: Path):
    page = visit(site)
    begin(page, picture)
    late: list[Route] = []
    asking = re.compile(r"/queue/join")

    def hold(route: Route) -> None:
        late.append(route) if "severities" in (route.request.post_data or "") else route.continue_()

    page.route(asking, hold)
    slide(page, "Covered", 50)
    while len(late) < 2:  # what is shown while it moves, and that it rests
        page.wait_for_timeout(20)
    mine = page.locator("#frame .v-glass img").first.get_attribute("src") or ""
    page.locator("[data-example='1']").click()
    expect(page.locator("#frame .v-glass img").first).not_to_have_attribute("src", mine)
    for route in late:
        route.continue_()
    page.unroute(asking)
    page.wait_for_timeout(500)
    expect(page.locator("#frame .v-before")).to_have_count(0)
    slide(page, "Blur", 50)  # the panel is as it was
    expect(page.locator("#lights-says")).to_contain_text("Recognised: Halden Oat Biscuits")
    expect(page.locator("#frame .v-before")).to_have_count(1)
