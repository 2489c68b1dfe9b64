"""An answer with pictures in a browser: the real assistant over a hand-written world whose pages have pictures, and a
scripted model over real HTTP. Desktop and phone, light and dark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app import build_page, launch
from assistant.factory import open_index
from assistant.index.build import build_index
from assistant.settings import Settings
from tests import scripted_chat
from tests.assistant.pictured_world import CAPTIONS, RINSED, VINEGAR, make_pictured_world
from tests.e2e.conftest import DESKTOP, PHONE, Served, free_port
from tests.e2e.test_page import CONTRAST, NAMELESS, Visit, ask, fits, upload

pytestmark = pytest.mark.slow

FILL = "Fill the Harrow Kettle half with water and half with white vinegar"
RINSE = "Rinse the Harrow Kettle three times under the tap"
MONTHS = "The Harrow Kettle is descaled every two months where the water is hard"
#: The numbers that the prompt gives to two pictures and three sentences, in whatever order they come.
NUMBERED = "".join(
    rf"(?=.*\[(\d+)\][^\n]*{words})" for words in (CAPTIONS[VINEGAR], "rinsed under the tap", FILL, RINSE, MONTHS)
)
REPLY = (
    f"{FILL} [{{3}}].\n\n![White vinegar goes into the Harrow Kettle](piece-{{1}})\n\n{RINSE} [{{4}}].\n"
    f"![<img src=x onerror=window.pwned=1>](piece-{{2}})\n![nothing](piece-77)\n{MONTHS} [{{5}}]."
)
SCRIPT = [
    {"match": "look something up", "reply": "nothing"},
    {"match": NUMBERED, "reply": REPLY},
    {"match": rf"\[(\d+)\][^\n]*{FILL}", "reply": f"{FILL} [{{1}}]."},
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pictured_world(tmp_path_factory.mktemp("pictured") / "world")


@pytest.fixture(scope="module")
def index(world: Path) -> Path:
    build_index(world, world.parent / "index", read_pictures=False)
    return world.parent / "index"


@pytest.fixture
def pictured(servers: Any, index: Path, tmp_path: Path) -> Iterator[Served]:
    """The page over the pictured world, whose questions go to a scripted model."""
    with scripted_chat.start("--chunk-delay", "0.01", script=SCRIPT) as server:
        settings = Settings(
            data_dir=tmp_path, world_dir=servers._world, index=index, profile="chat", base_url=server.base_url
        )
        assistant = open_index(index, settings)
        page, services = build_page(settings, lambda progress: assistant)
        url = launch(page, "127.0.0.1", free_port(), [], settings)
        services.engine.start()
        services.engine.wait(30)
        yield Served(url.rstrip("/"), assistant, services, page)  # type: ignore[arg-type]
        page.close(verbose=False)


@pytest.fixture
def answered(pictured: Served, visit: Visit, world: Path) -> Callable[..., Page]:
    """The page of a visitor who asked to be shown how."""

    def answered(viewport: dict[str, int], **how: Any) -> Page:
        page = visit(pictured, viewport, **how)
        upload(page, world / "kg" / "images" / "p0.jpg")
        page.locator("#frame img").wait_for()
        ask(page, "Show me how to descale this kettle")
        page.locator("#current .v-turn:not(.v-turn--live, .v-turn--asked)").wait_for(timeout=60_000)
        return page

    return answered


def kept(page: Page, name: str) -> None:
    """A picture of the answer for people to look at, where VITRINE_SHOTS names a folder."""
    if folder := os.environ.get("VITRINE_SHOTS"):
        page.add_style_tag(content="#composer { position: static !important; }")
        page.wait_for_timeout(400)
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(DESKTOP, "light"), (PHONE, "dark"), (PHONE, "light"), (DESKTOP, "dark")],
    ids=["desktop-light", "phone-dark", "phone-light", "desktop-dark"],
)
@pytest.mark.sampled(2)
def test_show_me_how_shows_pictures_between_the_sentences(answered: Any, viewport: dict[str, int], scheme: str):
    page = answered(viewport, color_scheme=scheme)
    answer = page.locator("#current .v-answer")
    expect(answer).to_contain_text(f"{FILL}.")
    parts = answer.locator("> *").evaluate_all("(all) => all.map((one) => one.tagName + ' ' + one.innerText)")
    assert [part.split(" ")[0] for part in parts] == ["P", "FIGURE", "P", "FIGURE", "P"]
    assert "White vinegar goes into the Harrow Kettle" in parts[1]
    assert "Descaling the Harrow Kettle" in parts[1]
    assert RINSE in parts[2]
    assert "every two months" in parts[4]
    assert "piece-" not in answer.inner_text()
    assert page.evaluate("window.pwned") is None

    pictures = answer.locator("figure img")
    expect(pictures).to_have_count(2)
    drawn = pictures.evaluate_all(
        "(all) => all.map((one) => [one.naturalWidth, one.naturalHeight, one.src.slice(0, 22), one.alt, "
        "Math.round(100 * one.clientWidth / one.clientHeight)])"
    )
    assert [d[:3] for d in drawn] == [[512, 341, "data:image/jpeg;base64"], [293, 512, "data:image/jpeg;base64"]]
    assert drawn[0][3] == "White vinegar goes into the Harrow Kettle"
    assert [d[4] for d in drawn] == [pytest.approx(150, abs=2), pytest.approx(57, abs=2)]  # as they are
    assert fits(page)
    assert page.evaluate(NAMELESS) == []
    assert [found for found in page.evaluate(CONTRAST) if found[1] < 4.5] == []
    kept(page, f"{'phone' if viewport is PHONE else 'desktop'}-{scheme}")

    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(pictures.first).to_be_visible()
    assert fits(page)
    kept(page, f"stage-{'phone' if viewport is PHONE else 'desktop'}-{scheme}")
    page.keyboard.press("Escape")

    cards = page.locator("#current .v-card--picture.v-card--used")
    expect(cards).to_have_count(2)
    expect(cards.first.locator("img")).to_be_visible()
    expect(cards.filter(has_text=VINEGAR)).to_have_count(1)
    expect(cards.filter(has_text=RINSED)).to_have_count(1)
    number = answer.locator("figure .v-cite").first
    number.click()
    expect(page.locator(f"#{number.get_attribute('data-goto')}")).to_be_in_viewport()


def test_what_is_copied_heard_and_changed_of_an_answer_with_pictures(answered: Any):
    page = answered(DESKTOP, permissions=("clipboard-read", "clipboard-write"))
    page.get_by_role("button", name="Copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{FILL}. {RINSE}.")
    assert "Descaling the Harrow Kettle" not in copied
    announced = page.locator("#announcer").inner_text()
    assert "![" not in announced
    # A visitor takes one picture away: the model is asked again without it, and has no other script.
    card = page.locator("#current .v-card--picture.v-card--used").first
    card.get_by_role("button", name="Remove").click()
    expect(page.locator("#current .v-varied")).to_contain_text("a picture removed", timeout=30_000)
    expect(page.locator("#current figure.v-placed")).to_have_count(0)
