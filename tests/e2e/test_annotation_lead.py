"""The page of annotation as who leads a project uses it: make one from a run, see how far people agree, put a judge on
trial, take labels out and bring them in. The run is written by hand, labels come through the store; the rest is real.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.core.paths import PROJECT_DIR
from eval.annotate.store import Store, open_store
from eval.annotate.values import Label
from eval.judges.registry import VERSIONS
from eval.runs.reading import read_info
from eval.runs.store import RunFolder
from eval.scoring import judge_and_score
from tests.e2e.conftest import DESKTOP, PHONE, Tabs, free_port
from tests.eval.reports.written_run import line, write_run
from tests.eval.ui.test_html import EVIL

pytestmark = pytest.mark.slow
SLOW_MS = 60_000  # a loaded machine
RUN, PROJECT, EVIL_RUN = "20261101-120000-lamps", "Lamps and lighthouses", "20261101-110000-evil"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("lead")
    who = {"judge": "lexical", "judge_version": VERSIONS["lexical"]}
    answers = ["It is seven.", "It is eight.", "I don't know", "seven"] * 3
    verdicts = ["correct", "wrong", "missing", "correct"] * 3
    turns = [(line(f"s{n}", answer=answer), verdict) for n, (answer, verdict) in enumerate(zip(answers, verdicts,
             strict=True))]  # fmt: skip
    run = write_run(data / "data" / "runs" / RUN, turns, judge=who)
    with RunFolder.open(run, read_info(run), resume=True) as folder:
        judge_and_score(folder, "lexical", None)
    write_run(data / "data" / "runs" / EVIL_RUN, [(line("e", answer=EVIL, query=EVIL, ground_truth=EVIL), "wrong")])
    return data


@pytest.fixture(scope="module")
def url(data: Path) -> Iterator[str]:
    port = free_port()
    (data / "uploads").mkdir()
    environment = {**os.environ, "GRADIO_TEMP_DIR": str(data / "uploads"), "GRADIO_ANALYTICS_ENABLED": "False"}
    command = [sys.executable, "-m", "tests.e2e.eval_server", str(data / "data"), str(port)]
    process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("http://127.0.0.1")
    yield f"http://127.0.0.1:{port}/annotate"
    process.kill()
    process.wait()


@pytest.fixture
def open_page(tabs: Tabs, url: str) -> Iterator[Callable[..., Page]]:
    """Open the page; afterwards nothing may have complained or left this machine."""
    pages: list[Page] = []
    problems: list[str] = []
    watch: dict[str, Callable[..., None]] = {
        "console": lambda m: problems.append(m.text) if m.type == "error" else None,
        "pageerror": lambda e: problems.append(str(e)),
        "request": lambda r: None if r.url.startswith(("http://127.0.0.1:", "data:", "blob:", "about:")) else
        problems.append(r.url),
        "dialog": lambda dialog: pytest.fail(f"a script ran: {dialog.message}"),
    }  # fmt: skip

    def open_page(viewport: dict[str, int] = DESKTOP, **options: Any) -> Page:
        page = tabs.lend(viewport, **options)
        pages.append(page)
        page.set_default_timeout(SLOW_MS)
        for event, look in watch.items():
            page.on(event, look)
        page.goto(url)
        page.locator("#a-work .a-work").wait_for()
        return page

    yield open_page
    for page in pages:
        tabs.give_back(page, url, watch)
    cut_off = ("net::ERR_", "Failed to fetch", "AbortError", "Connection errored out")
    assert [p for p in problems if not any(words in p for words in cut_off)] == []


def open_tab(page: Page, name: str) -> None:
    page.locator("#a-tabs").get_by_role("tab", name=name, exact=True).first.click()


def open_project(page: Page) -> None:
    open_tab(page, "Projects")
    page.get_by_role("button", name=PROJECT).click()
    expect(page.locator("#p-head h2")).to_have_text(PROJECT, timeout=SLOW_MS)


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def store_of(data: Path) -> Store:
    return open_store(data / "data")


@pytest.fixture(scope="module")
def labelled(data: Path, url: str, browser: Any) -> None:
    """The project, made on the page, with labels of two people who differ on three of twelve answers."""
    page = browser.new_page(viewport=DESKTOP)
    page.set_default_timeout(SLOW_MS)
    page.goto(url)
    page.locator("#a-work .a-work").wait_for()
    open_tab(page, "Projects")
    expect(page.locator("#p-list")).to_contain_text("No projects yet")
    page.get_by_label("Name", exact=True).fill(PROJECT)
    page.get_by_label("People an item").fill("2")
    page.locator("#p-guideline textarea").fill("# Be fair\n\nSmall slips are *acceptable*.")
    expect(page.locator("#p-preview em")).to_have_text("acceptable")
    expect(page.locator("#p-items-run input")).to_have_value(f"{RUN} · embedded · 12 turns")
    page.get_by_role("button", name="Make the project").click()
    expect(page.locator("#p-notice")).to_contain_text(f"{PROJECT} is made, with 12 items", timeout=SLOW_MS)
    expect(page.locator("#p-head")).to_contain_text("2 people an item · guideline version 1")
    open_tab(page, "Label")
    expect(page.locator("#a-project input")).to_have_value(PROJECT)
    page.close()
    grades = {"correct": "perfect", "wrong": "incorrect", "missing": "missing"}
    with store_of(data) as store:
        project = store.project(PROJECT)
        assert project.settings.overlap == 2
        for number, item in enumerate(store.items(project.id)):
            ida = grades[item.judged[-1].verdict or "missing"]
            ben = "acceptable" if number in (0, 3) else "perfect" if number == 1 else ida
            for person, grade in (("Ida", ida), ("Ben", ben)):
                other = "It is seventeen." if person == "Ben" and number == 1 else ""
                said = Label(grade, corrected_answer=other, note="as the sign says")  # type: ignore[arg-type]
                store.label(project.id, person, item.id, said, uuid.uuid4().hex)


@pytest.mark.usefixtures("labelled")
def test_how_far_people_agree_and_what_they_correct(open_page: Callable[..., Page], data: Path):
    page = open_page()
    open_tab(page, "Agreement")
    expect(page.locator("#g-figures .g-lead")).to_contain_text("24 labels of 2 people on 12 items", timeout=SLOW_MS)
    expect(page.locator(".g-card").first).to_contain_text("0.75")
    page.get_by_role("tab", name="Disagreements").click()
    expect(page.locator("#g-list .g-list > li")).to_have_count(3)
    page.locator("#g-label input").click()
    page.get_by_role("option", name="incorrect").click()
    expect(page.locator("#g-list")).to_contain_text("1 disagreement of 3")
    page.get_by_role("tab", name="Corrections").click()
    page.get_by_role("button", name="Choose").click()
    expect(page.locator("#g-corrections")).to_contain_text("1 proposal, 1 chosen")
    page.get_by_label("Accepted by").fill("Ida")
    page.get_by_role("button", name="Accept what is chosen").click()
    expect(page.locator("#g-notice")).to_contain_text("1 correction accepted")
    (overlay,) = (data / "data" / "annotations" / "overlays").iterdir()
    assert "It is seventeen." in overlay.read_text()


@pytest.mark.usefixtures("labelled")
def test_a_judge_on_trial_and_a_run_corrected(open_page: Callable[..., Page], url: str):
    page = open_page()
    open_tab(page, "Judges")
    expect(page.locator("#j-project input")).to_have_value(PROJECT)
    page.get_by_role("button", name="Put on trial").click()
    expect(page.locator("#j-trial .g-lead")).to_contain_text("This judge agreed with people in", timeout=2 * SLOW_MS)
    expect(page.locator("#j-trial")).to_contain_text("Per bucket")
    expect(page.locator("#j-run input")).to_have_value(RUN)
    page.get_by_role("button", name="Correct its scores").click()
    expect(page.locator("#j-corrected")).to_contain_text("Method:")
    said = page.locator("#j-trial .g-lead").inner_text()
    page.goto(url.replace("/annotate", f"/eval#run={RUN}"))
    expect(page.locator(".b-trust")).to_have_text(said, timeout=SLOW_MS)


@pytest.mark.usefixtures("labelled")
def test_labels_out_and_in_again(open_page: Callable[..., Page], tmp_path: Path, data: Path):
    page = open_page()
    open_project(page)
    page.get_by_role("tab", name="Export, import").click()
    page.get_by_role("button", name="Make the file").click()
    link = page.locator("#p-made a[download]").first
    link.wait_for()
    with page.expect_download() as got:
        link.click()
    path = tmp_path / "labels.jsonl"
    got.value.save_as(path)
    lines = [json.loads(each) for each in path.read_text().splitlines()]
    assert len(lines) == 24
    file = page.locator("#p-import-file input[type=file]")
    file.set_input_files(path)
    expect(page.locator("#p-import-file")).to_contain_text("labels")
    page.get_by_role("button", name="Import the labels").click()
    expect(page.locator("#p-notice")).to_contain_text("0 labels and 0 items are new, 24 labels had been there")
    path.write_text(json.dumps({**lines[0], "annotator": "Cleo"}) + "\n" + json.dumps({**lines[1], "grade": "good"}))
    file.set_input_files(path)
    expect(page.locator("#p-import-file")).to_contain_text("labels")
    page.get_by_role("button", name="Import the labels").click()
    expect(page.locator("#p-notice")).to_contain_text("Line 2 of 'labels.jsonl' is no label")
    with store_of(data) as store:
        assert "Cleo" not in store.people()


@pytest.mark.usefixtures("labelled")
def test_a_known_answer_is_marked_by_keyboard(open_page: Callable[..., Page], data: Path):
    page = open_page()
    open_project(page)
    page.get_by_role("tab", name="Known answers").click()
    page.get_by_label("Items with these words").fill("s9-0")
    expect(page.locator("#p-gold-list")).to_contain_text("1 item, 0 with a known answer")
    page.get_by_role("button", name="Known to be incorrect").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#p-gold-list")).to_contain_text("1 item, 1 with a known answer")
    expect(page.get_by_role("button", name="Known to be incorrect")).to_be_focused()
    page.get_by_role("button", name="An ordinary item again").click()
    expect(page.locator("#p-gold-list")).to_contain_text("1 item, 0 with a known answer")


@pytest.mark.usefixtures("labelled")
def test_what_an_agent_wrote_stays_text_and_everything_fits_a_phone(open_page: Callable[..., Page]):
    page = open_page(PHONE, color_scheme="dark")
    open_project(page)
    assert fits(page)
    page.locator("#p-add-run input").click()
    page.get_by_role("option", name=EVIL_RUN).click()
    page.get_by_role("button", name="Add the items").click()
    expect(page.locator("#p-notice")).to_contain_text("1 item added, 0 were there", timeout=SLOW_MS)
    for name in ("Guideline", "Settings", "Who gets what", "Known answers", "Export, import"):
        tab = page.locator("#p-tabs").get_by_role("tab", name=name)
        tab.click()
        assert fits(page), name
    page.locator("#p-tabs").get_by_role("tab", name="Known answers").click()
    page.get_by_label("Items with these words").fill("onerror")
    expect(page.locator("#p-gold-list")).to_contain_text("<script>alert(2)</script>")
    for name, shown in (("Agreement", "#g-figures .g-lead"), ("Judges", "#j-list table, #j-list .b-none")):
        open_tab(page, name)
        page.locator(shown).first.wait_for()
        assert fits(page), name


@pytest.mark.usefixtures("labelled")
def test_a_person_goes_when_asked_twice(open_page: Callable[..., Page], data: Path):
    with store_of(data) as store:
        project = store.project(PROJECT)
        said = Label("missing")
        store.label(project.id, "Gone", store.items(project.id)[-1].id, said, uuid.uuid4().hex)
    page = open_page()
    open_tab(page, "Projects")
    page.get_by_role("button", name="Delete a person’s data").click()
    page.locator("#p-person input").click()
    page.get_by_role("option", name="Gone").click()
    page.get_by_role("button", name="What would be gone?").click()
    expect(page.locator("#p-gone")).to_contain_text(f"{PROJECT}: 1 label")
    page.get_by_label("To be sure, type the name again").fill("Gone")
    page.get_by_role("button", name="Delete for good").click()
    expect(page.locator("#p-notice")).to_contain_text("Deleted for good, with 1 event.")
    with store_of(data) as store:
        assert "Gone" not in store.people()
