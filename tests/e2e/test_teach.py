"""Teaching on the page as a visitor does: draw round the object, name it, save; edit, forget, undo; others see it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gradio_client import Client, handle_file
from PIL import Image
from playwright.sync_api import Page, expect

from assistant.recognition.recogniser import Recogniser
from assistant.teaching.store import TaughtStore
from assistant.teaching.teacher import Teacher
from assistant.vision.encoders import picture_encoder
from tests.assistant.pictures import TinyPipeline, cover, shown, write_and_open
from tests.e2e.conftest import DESKTOP, PHONE, Served, Servers
from tests.e2e.scripted import HOSTILE, ScriptedAssistant

Visit = Callable[..., Page]


class NoKnowledge:
    """An index that knows nothing."""

    names: tuple[str, ...] = ()


class Teachable(ScriptedAssistant):
    """The scripted assistant with a real teacher."""

    teacher: Any = None


@pytest.fixture(scope="module")
def school(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder = tmp_path_factory.mktemp("school")
    encoder = picture_encoder()
    store = TaughtStore(folder / "taught", encoder)
    empty = TinyPipeline(np.zeros((0, encoder.dim)), [])
    recogniser = Recogniser(encoder, empty, write_and_open(folder, []), store.rows)  # type: ignore[arg-type]
    script = Teachable()
    script.teacher = Teacher(store, encoder, None, recogniser, NoKnowledge())  # type: ignore[arg-type]
    return servers.serve(script)


@pytest.fixture(autouse=True)
def _nothing_taught(school: Served) -> None:
    for thing in school.script.teacher.store.objects():  # type: ignore[attr-defined]
        school.script.teacher.store.forget(thing.id)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "cover.png"
    pixels, _ = shown([cover(52, "Quiet Salt")], seed=1, size=(480, 640))
    Image.fromarray(pixels).save(path)
    return path


def taught(school: Served) -> list[str]:
    return [thing.name for thing in school.script.teacher.store.objects()]  # type: ignore[attr-defined]


def open_panel(page: Page, picture: Path) -> None:
    page.locator("#picker input[type=file]").first.set_input_files(picture)
    page.locator("#frame .v-glass img").wait_for()
    page.locator("#teach").get_by_text("Teach an object").click()
    page.locator(".v-teach-glass img").wait_for()


def draw(page: Page, *shares: tuple[float, float]) -> None:
    """Move the mouse, pressed, over points given as shares of the picture."""
    glass = page.locator(".v-teach-glass")
    glass.scroll_into_view_if_needed()
    box = glass.bounding_box()
    assert box is not None
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


def fill(page: Page, name: str, facts: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.locator("#teach-facts textarea").fill(facts)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_drawn_named_saved_edited_forgotten_and_taken_back(school: Served, visit: Visit, picture: Path, viewport):
    page = visit(school, viewport)
    open_panel(page, picture)
    expect(page.locator(".v-teach-none")).to_contain_text("Nothing is taught yet")
    draw(page, (0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.1, 0.12))
    expect(page.get_by_role("meter")).to_be_visible(timeout=30_000)
    assert page.locator(".v-teach-glass polygon").get_attribute("points").count(",") > 4
    expect(page.locator(".v-teach-says")).to_contain_text("distinctive")
    assert taught(school) == []
    fill(page, "Salt tin", "maker: Aunt Vreni\nIt hangs in the hall.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#teach-notice")).to_contain_text("Salt tin is known now")
    assert taught(school) == ["Salt tin"]
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    assert page.locator(".v-teach-glass polygon").get_attribute("points") == ""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("button", name="Edit Salt tin").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Salt tin")
    fill(page, "Salt box", "maker: Uncle Fritz")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".v-taught")).to_contain_text("Salt box")
    (thing,) = school.script.teacher.store.objects()  # type: ignore[attr-defined]
    assert (thing.facts, thing.sentences) == ({"maker": "Uncle Fritz"}, ())

    page.get_by_role("button", name="Forget Salt box").click()
    expect(page.locator(".v-teach-undo")).to_contain_text("Salt box is forgotten")
    assert taught(school) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".v-taught")).to_contain_text("Salt box")
    assert taught(school) == ["Salt box"]


def test_keyboard_alone_teaches(school: Served, visit: Visit, picture: Path):
    page = visit(school)
    open_panel(page, picture)
    page.locator(".v-teach-glass").focus()
    for key in ("ArrowUp", "Shift+ArrowRight", "Shift+ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("meter")).to_be_visible(timeout=30_000)
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Box")
    page.keyboard.press("Enter")
    expect(page.locator(".v-taught")).to_contain_text("Box")
    assert taught(school) == ["Box"]


def test_a_draft_is_its_makers_and_what_is_saved_is_everyones(school: Served, visit: Visit, picture: Path):
    mine, other = visit(school), visit(school)
    open_panel(mine, picture)
    open_panel(other, picture)
    draw(mine, (0.15, 0.15), (0.85, 0.85))
    expect(mine.get_by_role("meter")).to_be_visible(timeout=30_000)
    other.reload()
    other.locator("#frame .v-glass img").wait_for()
    other.locator("#teach").get_by_text("Teach an object").click()
    other.locator(".v-teach-none").wait_for()
    assert other.get_by_role("meter").count() == 0
    fill(mine, "Shared tin", "")
    mine.get_by_role("button", name="Save", exact=True).click()
    expect(mine.locator(".v-taught")).to_contain_text("Shared tin")
    other.reload()
    other.locator("#frame .v-glass img").wait_for()
    other.locator("#teach").get_by_text("Teach an object").click()
    expect(other.locator(".v-taught")).to_contain_text("Shared tin")


def test_what_cannot_be_kept_is_said_and_hostile_text_is_inert(school: Served, visit: Visit, picture: Path):
    page = visit(school)
    open_panel(page, picture)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#teach-notice")).to_contain_text("raw round the object")
    draw(page, (0.15, 0.15), (0.85, 0.85))
    expect(page.get_by_role("meter")).to_be_visible(timeout=30_000)
    fill(page, "Tin", "x" * 100_000)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#teach-notice")).to_contain_text("100,000 characters")
    assert taught(school) == []
    fill(page, "Tin & {{constructor}} ${1}", f"note: {HOSTILE[:300]}")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".v-taught")).to_contain_text("Tin & {{constructor}}")
    assert page.evaluate("window.pwned") is None
    assert page.locator("#teach script, #teach a").count() == 0


def test_the_endpoint_teaches(school: Served, picture: Path):
    client = Client(school.url, verbose=False)
    done = client.predict(handle_file(str(picture)), "By program", "maker: me", "", False, api_name="/teach")
    assert (done["name"], done["facts"], done["pictures"]) == ("By program", {"maker": "me"}, 1)
    assert 0 <= done["views"][0]["distinctive"] <= 1
    assert taught(school) == ["By program"]
    for arguments, words in (
        ((handle_file(str(picture)), "By program", "", "", False), "taught already"),
        ((handle_file(str(picture)), "", "", "", False), "no name"),
        ((handle_file(str(picture)), "x", "", "[[1,2]]", False), "polygon"),
        ((None, "x", "", "", False), "no picture"),
    ):
        with pytest.raises(Exception, match=words):
            client.predict(*arguments, api_name="/teach")
    more = client.predict(handle_file(str(picture)), "By program", "year: 1954", "", True, api_name="/teach")
    assert (more["pictures"], more["facts"]) == (2, {"maker": "me", "year": "1954"})
