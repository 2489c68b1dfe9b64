"""Capsules as a presenter uses them: save a turn, drop the file on another page, see it as it was, ask it again."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant.capsule import unpack
from assistant.core.paths import PROJECT_DIR
from tests.e2e.conftest import DESKTOP, PHONE, Served, a_picture_file
from tests.e2e.scripted import HOSTILE

Visit = Callable[..., Page]

DROP = """([name, base64, type]) => {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const carrier = new DataTransfer();
  carrier.items.add(new File([bytes], name, {type}));
  for (const kind of ['dragover', 'drop'])
    document.querySelector('#head').dispatchEvent(
      new DragEvent(kind, {dataTransfer: carrier, bubbles: true, cancelable: true}));
}"""


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_picture_file(tmp_path_factory.mktemp("pictures") / "tin.png", kind="PNG")


def drop(page: Page, data: bytes, name: str = "turn.vitrine.zip", kind: str = "application/zip") -> None:
    page.evaluate(DROP, [name, base64.b64encode(data).decode(), kind])


def asked(page: Page, picture: Path, question: str, status: str = "answered") -> None:
    page.locator("#picker input[type=file]").first.set_input_files(picture)
    page.locator("#frame .v-glass img").wait_for()
    box = page.get_by_label("Question", exact=True)
    box.fill(question)
    box.press("Enter")
    expect(page.locator(f"#current .v-turn--{status}")).to_be_visible()


def save(page: Page) -> bytes:
    with page.expect_download() as download:
        page.locator("#current").get_by_role("button", name="Save").click()
    assert download.value.suggested_filename.endswith(".vitrine.zip")
    return Path(download.value.path()).read_bytes()


def repacked(data: bytes, **changes: object) -> bytes:
    """The same capsule with other values in its JSON."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            said = old.read(name)
            new.writestr(name, json.dumps({**json.loads(said), **changes}) if name == "capsule.json" else said)
    return buffer.getvalue()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_saved_opened_elsewhere_and_asked_again(site: Served, visit: Visit, picture: Path, viewport):
    page = visit(site, viewport)
    asked(page, picture, "What is the price?")
    data = save(page)
    capsule = unpack(data)
    assert capsule.record.turn.answer.text.startswith("Halden Oat Biscuits cost")
    assert capsule.frame is not None
    assert capsule.frame.digest == site.script.asked[-1][2].digest
    assert str(PROJECT_DIR).encode() not in zipfile.ZipFile(io.BytesIO(data)).read("capsule.json")
    said = page.locator("#current .v-answer").inner_text()
    times = page.locator("#current .v-times").inner_text()

    other = visit(site, viewport)
    number = len(site.script.asked)
    if viewport is DESKTOP:
        drop(other, data)
    else:  # nothing can be dropped on a phone: the file is chosen in the panel
        other.locator("#capsule").get_by_text("Saved turns").click()
        other.locator("#capsule-file input[type=file]").set_input_files(
            {"name": "turn.vitrine.zip", "mimeType": "application/zip", "buffer": data}
        )
    turn = other.locator("#current .v-turn")
    expect(turn.locator(".v-opened")).to_contain_text("Opened from a saved turn")
    assert len(site.script.asked) == number  # shown as it was: nobody was asked
    assert turn.locator(".v-answer").inner_text() == said
    assert turn.locator(".v-times").inner_text() == times
    assert turn.locator(".v-card--used").count() > 1
    expect(other.locator("#frame .v-outline")).to_have_count(1)
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")

    other.get_by_role("button", name="Ask on this machine").click()
    expect(turn.locator(".v-changes")).to_contain_text("asked on this machine")
    assert len(site.script.asked) == number + 1
    expect(turn.locator(".v-first")).to_contain_text("3.40 euros")


def test_a_turn_that_was_not_answered_saves_too(site: Served, visit: Visit, picture: Path):
    page = visit(site)
    asked(page, picture, "How heavy is the moon?", "abstained")
    data = save(page)
    drop(page, data)
    expect(page.locator("#current .v-opened")).to_be_visible()
    expect(page.locator("#current .v-turn--abstained .v-answer")).to_contain_text("I don't know")
    expect(page.locator("#history .v-turn")).to_have_count(1)
    box = page.get_by_label("Question", exact=True)
    box.fill("What is the price?")
    box.press("Enter")  # and the conversation goes on from it
    expect(page.locator("#current .v-turn--answered")).to_be_visible()
    assert len(site.script.asked[-1][0].turns) == 1


def test_what_is_broken_or_hostile_ends_in_a_sentence(site: Served, visit: Visit, picture: Path):
    page = visit(site)
    asked(page, picture, "What is the price?")
    data = save(page)
    notice = page.locator("#ask-notice .v-notice--error")
    for bad, name, words in (
        (repacked(data, format_version=99), "turn.zip", "format_version '99'"),
        (data[: len(data) // 2], "turn.zip", "no saved turn of Vitrine"),
        (b"MZ", "setup.exe", "neither a picture nor a saved turn"),
        (b"<html>", "turn.ZIP", "no saved turn of Vitrine"),
    ):
        drop(page, bad, name, "application/octet-stream")
        expect(notice).to_contain_text(words)
    assert page.locator(".v-opened").count() == 0
    expect(page.locator("#current .v-answer")).to_contain_text("3.40 euros")  # the conversation is as it was
    turn = json.loads(zipfile.ZipFile(io.BytesIO(data)).read("capsule.json"))["turn"]
    turn["question"] = turn["answer"]["text"] = turn["answer"]["sentences"][0]["text"] = HOSTILE
    drop(page, repacked(data, turn=turn, profile=HOSTILE, saved=HOSTILE, changes=[HOSTILE]))
    expect(page.locator("#current .v-opened")).to_be_visible()
    assert page.evaluate("window.pwned") is None
    assert page.locator("#current script, #current a, #current .v-said img").count() == 0
