"""The honesty duel as a presenter holds it: one question to two settings, the light dimmed, the tally kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from assistant.core.events import Event, Finished
from assistant.core.options import Conditions
from assistant.core.types import Conversation, Frame, Turn
from assistant.vision.degrade import Degradation, degrade
from assistant.vision.frame import read_frame
from tests.e2e.conftest import DESKTOP, PHONE, Served, Servers, a_picture_file
from tests.e2e.scripted import ScriptedAssistant

Visit = Callable[..., Page]


class Guarded(ScriptedAssistant):
    """Knows the price in the light; in the dark it says so with the check, and makes something up without."""

    def answer(
        self, conversation: Conversation, question: str, frame: Frame | None, **options: object
    ) -> Iterator[Event]:
        conditions = options["conditions"]
        assert isinstance(conditions, Conditions)
        dark = frame is not None and frame.pixels.mean() < 60
        for event in super().answer(conversation, question if not dark else "unknown", frame, **options):  # type: ignore[arg-type]
            if isinstance(event, Finished) and dark and conditions.guess:
                answer = event.turn.answer
                made_up = type(answer)("It costs 99 euros.", "answered", "", answer.sentences, answer.entity)
                event = Finished(Turn(question, made_up, event.turn.frame_digest))
            yield event


def grade(picture: str, turn: Turn) -> int | None:
    """What the scripted world's gold says of example 1."""
    assert len(picture) == 64
    if turn.answer.status == "abstained":
        return 0
    return 1 if "3.40" in turn.answer.text else -1


@pytest.fixture(scope="module")
def arena(servers: Servers, monkeypatch_module: pytest.MonkeyPatch) -> Served:
    monkeypatch_module.setattr(
        "eval.judges.gold_grades.GoldGrades.__call__", lambda self, picture, turn: grade(picture, turn)
    )
    return servers.serve(Guarded(pause_s=0.02))


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[pytest.MonkeyPatch]:
    patch = pytest.MonkeyPatch()
    yield patch
    patch.undo()


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_picture_file(tmp_path_factory.mktemp("pictures") / "tin.png", kind="PNG")


def open_panel(page: Page) -> None:
    page.locator("#duel").get_by_text("Compare settings").click()
    page.get_by_label("One question for both").wait_for()


def side(page: Page, name: str):
    return page.get_by_role("region", name=name)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_duel_on_an_example_is_scored_by_gold_as_the_light_goes(arena: Served, visit: Visit, viewport):
    page = visit(arena, viewport)
    page.locator("[data-example='0']").click()
    page.locator("#frame .v-glass img").wait_for()
    open_panel(page)
    page.locator("#duel [data-duel-ask]").click()  # the question that was written for the frame
    for name in ("Check on", "Check off"):
        expect(side(page, name).locator(".v-duel-answer")).to_contain_text("3.40 euros")
        expect(side(page, name).locator(".v-score")).to_contain_text("+1")
    asked = arena.script.asked[-2:]
    assert {a[1] for a in asked} == {"What is the price?"}
    assert [c.check for c in arena.script.conditions[-2:]] in ([True, False], [False, True])
    assert all(a[0].turns == () for a in asked)

    page.get_by_label("Light taken away").fill("100")  # and both are asked again
    expect(side(page, "Check on").locator(".v-tag")).to_have_text("Does not know")
    expect(side(page, "Check on").locator(".v-score")).to_contain_text("0")
    expect(side(page, "Check off").locator(".v-duel-answer")).to_contain_text("99 euros")
    expect(side(page, "Check off").locator(".v-score")).to_contain_text("−1")
    rows = page.locator(".v-tally tbody tr")
    expect(rows.nth(0)).to_contain_text("+1")
    expect(rows.nth(0)).to_contain_text("+50 %")
    expect(rows.nth(1)).to_contain_text("0 %")
    expect(page.locator(".v-duel-chart circle")).to_have_count(2)
    assert page.locator("#current .v-turn").count() == 0  # beside the conversation
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("button", name="Reset the tally").click()
    expect(page.locator(".v-tally")).to_have_count(0)


def test_another_picture_is_scored_by_the_presenter_with_the_keyboard(arena: Served, visit: Visit, picture: Path):
    page = visit(arena)
    open_panel(page)
    question = page.get_by_label("One question for both")
    question.fill("What is the price?")
    question.press("Enter")
    expect(page.locator("#duel-notice")).to_contain_text("no picture to ask about")
    page.locator("#picker input[type=file]").first.set_input_files(picture)
    page.locator("#duel .v-duel-picture").wait_for()
    expect(question).to_have_value("What is the price?")  # what was typed stays
    question.press("Enter")
    group = side(page, "Check on").get_by_role("group", name="What is this worth?")
    group.wait_for()
    assert np.array_equal(arena.script.asked[-1][2].pixels, read_frame(picture).pixels)
    expect(page.locator(".v-duel-result")).to_contain_text("1 of 1 wait for a score")
    group.get_by_role("button", name="+1").focus()
    page.keyboard.press("Enter")
    expect(group.get_by_role("button", name="+1")).to_have_attribute("aria-pressed", "true")
    expect(group.get_by_role("button", name="+1")).to_be_focused()
    side(page, "Check off").get_by_role("button", name="−1").click()
    rows = page.locator(".v-tally tbody tr")
    expect(rows.nth(0)).to_contain_text("+100 %")
    expect(rows.nth(1)).to_contain_text("−100 %")
    page.reload()  # the tally lasts as long as the session
    page.locator("#frame .v-glass img").wait_for()
    open_panel(page)
    expect(page.locator(".v-tally tbody tr").nth(1)).to_contain_text("−100 %")
    expect(page.get_by_label("One question for both")).to_have_value("What is the price?")
    level = page.get_by_label("Light taken away")
    level.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#duel .v-duel-picture")).to_have_attribute(
        "alt", "The picture with 10 % of the light taken away"
    )
    expected = degrade(read_frame(picture).pixels, Degradation("low light", 0.1, 1))
    expect(page.locator(".v-duel-result")).to_contain_text("1 of 2 wait for a score")
    assert np.array_equal(arena.script.asked[-1][2].pixels, expected)
