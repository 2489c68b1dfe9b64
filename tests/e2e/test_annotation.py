"""Labelling in a real browser, from the keyboard alone: nothing acknowledged is lost, and nothing counts twice."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, expect

from assistant.core.paths import PROJECT_DIR
from eval.annotate.rows import saved
from eval.annotate.store import Store, open_store
from eval.annotate.values import Item, ProjectSettings
from eval.data.datasets import load
from tests.e2e.conftest import DESKTOP, PHONE, Served, Tabs, free_port
from tests.e2e.scripted import ScriptedAssistant
from tests.e2e.test_page import Visit, fits
from tests.e2e.test_voice import ask, with_picture

pytestmark = pytest.mark.slow

GUIDE = "# How to grade\n\n**Perfect** is right and complete.\n\n<img src=x onerror='window.pwned=1'>"


def items(count: int, pair: bool = False) -> list[Item]:
    """Conversations of three turns each."""
    return [
        Item(
            f"talk {n // 3}",
            n % 3,
            f"Question {n}?",
            f"Truth {n}",
            f"Answer {n} <script>window.pwned=2</script> {{{{x}}}} ${{y}}",
            "answered",
            history=tuple((f"Question {m}?", f"Answer {m}") for m in range(n - n % 3, n)),
            other_answer=f"Other {n}" if pair else "",
        )
        for n in range(count)
    ]


def a_project(data_dir: Path, count: int, name: str = "Look", pair: bool = False, **settings: object) -> Store:
    store = open_store(data_dir)
    project = store.create_project(name, ProjectSettings(**settings), f"make {name}")  # type: ignore[arg-type]
    store.add_guideline(project.id, GUIDE, f"guide {name}")
    store.add_items(project.id, items(count, pair), f"items {name}")
    return store


@pytest.fixture
def annotated(serve: Callable[..., Served], tmp_path: Path) -> Callable[..., tuple[Served, Store]]:
    def make(count: int, pair: bool = False, **settings: object) -> tuple[Served, Store]:
        site = serve(ScriptedAssistant())
        return site, a_project(site.services.model.settings.data_dir, count, pair=pair, **settings)

    return make


def begin(page: Page, url: str, person: str = "Ada", project: str = "Look", *, known: bool = False) -> None:
    page.goto(f"{url}/annotate")
    expect(page.get_by_label("Project")).to_have_value(project)
    if known:  # the page goes on with who labelled here last
        page.locator(".a-who-is").click()
    page.get_by_label("Your name").fill(person)
    page.keyboard.press("Enter")
    page.locator(".a-work[data-item]").wait_for()


def current(page: Page) -> str:
    return page.locator(".a-work").get_attribute("data-item") or ""


def press(page: Page, *keys: str) -> None:
    """Keys, the last of which brings another item."""
    before = current(page)
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function("item => document.querySelector('.a-work').dataset.item !== item", arg=before)


def test_sixty_items_from_the_keyboard_alone(annotated: Callable[..., tuple[Served, Store]], visit: Visit):
    site, store = annotated(60)
    page = visit(site)
    begin(page, site.url)
    keys = ["p", "a", "m", "x", "1", "2", "3", "4"]
    seen = []
    for n in range(60):
        seen.append(current(page))
        extra = ["e", "g"] if n % 4 == 3 else []
        press(page, keys[n % 8], *extra, "Enter")
    expect(page.locator(".a-done")).to_contain_text("You labelled 60 items")
    labels = store.labels(1, "Ada")
    assert len(labels) == len(set(seen)) == 60
    assert {said.label.grade for said in labels if said.label} == {"perfect", "acceptable", "missing", "incorrect"}
    with_reasons = [said.label for said in labels if said.label and said.label.reasons]
    assert len(with_reasons) == 15
    assert with_reasons[0].reasons == ("wrong entity", "not grounded")
    assert {said.label.guideline_version for said in labels if said.label} == {1}
    page.keyboard.press("u")
    expect(page.locator(f'.a-work[data-item="{seen[-1]}"][data-state="open"]')).to_be_visible()
    assert len(store.labels(1, "Ada")) == 59
    assert page.evaluate("window.pwned") is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_is_chosen_stays_until_it_is_given(
    annotated: Callable[..., tuple[Served, Store]], visit: Visit, viewport: dict[str, int]
):
    site, store = annotated(4, hide_truth=True)
    page = visit(site, viewport)
    begin(page, site.url)
    assert "Truth" not in page.locator(".a-work").inner_html()
    expect(page.get_by_text("is right and complete")).to_be_visible(visible=viewport is DESKTOP)
    page.keyboard.press("x")
    page.keyboard.press("f")
    page.keyboard.press("c")
    page.keyboard.type("The better answer, S for one")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    page.keyboard.press("t")
    expect(page.locator(".a-truth")).to_contain_text("Truth")
    chosen = current(page)
    page.reload()  # nothing is lost by it
    page.locator(f'.a-work[data-item="{chosen}"]').wait_for()
    expect(page.get_by_role("button", name="Incorrect")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Corrected answer")).to_have_value("The better answer, S for one")
    assert fits(page)
    press(page, "Enter")
    (said,) = store.labels(1, "Ada")
    assert said.label is not None
    assert (said.label.grade, said.label.reasons, said.label.left_here) == ("incorrect", ("wrong fact",), True)
    assert said.label.saw_truth
    press(page, "ArrowLeft")  # what was given can be looked at, and given anew
    expect(page.locator('.a-work[data-state="labelled"]')).to_be_visible()
    press(page, "p", "Enter")
    (said,) = store.labels(1, "Ada")
    assert said.label is not None
    assert said.label.grade == "perfect"
    press(page, "s")
    assert store.progress(1, "Ada").skipped == 1


def test_of_two_answers_one_is_better_and_nobody_knows_whose_it_is(
    annotated: Callable[..., tuple[Served, Store]], visit: Visit
):
    site, store = annotated(12, pair=True)
    page = visit(site)
    begin(page, site.url)
    firsts = []
    for _ in range(12):
        firsts.append("Other" in page.locator(".a-one").first.inner_text())
        press(page, "1", "Enter")
    assert len(set(firsts)) == 2
    winners = [said.preference.winner for said in store.labels(1, "Ada") if said.preference]
    assert sorted(winners) == sorted("b" if other else "a" for other in firsts)


def test_a_second_tab_and_a_second_person(annotated: Callable[..., tuple[Served, Store]], tabs: Tabs):
    site, store = annotated(3, overlap=2)
    one, two = tabs.lend(DESKTOP, "", color_scheme="light"), tabs.lend(DESKTOP, "", color_scheme="dark")
    begin(one, site.url, "Ada")
    begin(two, site.url, "Ada")
    assert current(one) == current(two)
    press(one, "p", "Enter")
    press(two, "p", "Enter")
    assert len(store.labels(1)) == 1
    begin(two, site.url, "Grace", known=True)
    expect(two.locator('.a-work[data-person="Grace"]')).to_be_visible()
    while two.locator(".a-done").count() == 0:
        press(two, "x", "Enter")
    assert len(store.labels(1, "Grace")) == 3


def test_a_page_that_only_shows_says_why(serve: Callable[..., Served], visit: Visit):
    site = serve(ScriptedAssistant())
    page = visit(site)
    page.goto(f"{site.url}/annotate")
    expect(page.locator(".a-none")).to_contain_text("There is no project yet")
    assert fits(page)


class Server:
    """The real server, to be killed."""

    def __init__(self, data_dir: Path, index: Path, port: int):
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "app.py", "--port", str(port), "--data-dir", str(data_dir), "--index", str(index)]
        self._process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path, written_index: Path, tabs: Tabs):
    data_dir = tmp_path / "data"
    store = a_project(data_dir, 24)
    port, rng, page = free_port(), random.Random(5), tabs.lend(DESKTOP, "", color_scheme="light", locale="en-GB")
    server, acknowledged = Server(data_dir, written_index, port), set[int]()
    try:
        begin(page, server.url)
        for _ in range(3):
            for _ in range(rng.randrange(1, 4)):
                item = current(page)
                press(page, "p", "Enter")
                acknowledged.add(int(item))
            page.keyboard.press("x")
            page.keyboard.press("Enter")
            page.wait_for_timeout(rng.randrange(0, 60))
            server.kill()  # with one label under way
            assert acknowledged <= {said.item for said in store.labels(1)}
            server = Server(data_dir, written_index, port)
            while True:
                try:
                    page.reload()
                    page.locator(".a-work[data-item]").wait_for(timeout=15_000)
                    break
                except Error:  # the page's heartbeat of before
                    continue
            page.wait_for_function("localStorage.getItem('vitrine-annotate-pending') === null")
            assert page.evaluate("localStorage.getItem('vitrine-annotate-pending')") is None
            acknowledged |= {said.item for said in store.labels(1)}
        while page.locator(".a-done").count() == 0:
            press(page, "p", "Enter")
        labels = store.labels(1)
        assert len(labels) == len({said.item for said in labels}) == 24
        assert sum(said.label.grade == "incorrect" for said in labels if said.label) == 3  # each under way came through
        assert len(store.history(1, "Ada")) == 24
    finally:
        server.kill()


def test_a_conversation_becomes_a_test_row_that_can_be_changed_and_exported(serve: Callable[..., Served], visit: Visit):
    site = serve(ScriptedAssistant())
    page = visit(site)
    with_picture(page)
    for question in ("What is the price?", "What is it called?"):
        ask(page, question)
        page.locator("#current .v-turn:not(.v-turn--live, .v-turn--asked) h2", has_text=question).wait_for()
    page.locator("#test-row").get_by_text("Test row").click()
    page.get_by_role("button", name="Take over this conversation").click()
    expect(page.locator("#test-row-turns")).to_contain_text("What is it called?")
    page.get_by_role("button", name="Save as a test row").click()
    expect(page.locator("#test-row-notice")).to_contain_text("Answer 2: the answer is empty")  # it did not know
    page.locator(
        "#test-row-turns [data-testid='cell-1-0'] input, #test-row-turns [data-testid='cell-1-0']"
    ).last.click()
    page.get_by_role("button", name="Save as a test row").click()
    expect(page.locator("#test-row-notice")).to_contain_text("Saved with 1 question")
    folder = site.services.model.settings.data_dir / "annotations"
    assert load(str(folder / "test_rows.jsonl"), split="all").samples[0].turns[0].query == "What is the price?"
    page.goto(f"{site.url}/annotate")
    page.get_by_role("tab", name="Test rows").click()
    page.get_by_role("button", name="Change").click()
    expect(page.locator("#a-row-wrong")).to_contain_text("it can be saved")
    page.get_by_label("Domain").fill("food")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save the row").click()
    expect(page.locator("#a-rows-notice")).to_contain_text("Saved")
    (row,) = saved(folder)
    assert row.turns[0].domain == "food"
    assert fits(page)
    page.get_by_role("button", name="Export all rows").click()
    expect(page.get_by_text(".parquet")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#a-row-list")).to_contain_text("No test row yet")
    assert saved(folder) == []


def test_two_settings_are_compared_blind_and_the_choice_is_a_label(serve: Callable[..., Served], visit: Visit):
    site = serve(ScriptedAssistant(pause_s=0.02))
    page = visit(site)
    page.locator("#blind").get_by_text("Blind comparison").click()
    page.get_by_role("button", name="Ask both").click()
    expect(page.locator("#blind-notice")).to_contain_text("Nothing was asked yet")
    with_picture(page)
    ask(page, "What is the price?")
    page.locator("#current .v-turn--answered").wait_for()
    page.get_by_role("button", name="Ask both").click()
    board = page.locator("#blind-board")
    expect(board.get_by_role("button", name="Tie")).to_be_enabled()
    expect(board).not_to_contain_text("Check o")  # nobody knows which is which
    board.get_by_role("button", name="A is better").click()
    expect(page.locator("#blind-notice")).to_contain_text("Say who you are")
    page.locator("#blind-person input, #blind-person textarea").fill("Ada")
    board.get_by_role("button", name="A is better").click()
    expect(board).to_contain_text("Check on")
    expect(page.locator("#blind-votes")).to_contain_text("Check on against Check off")
    store = open_store(site.services.model.settings.data_dir)
    (said,) = store.labels(store.project("Blind comparisons").id, "Ada")
    assert said.preference is not None
    first = board.locator(".a-whose").first.inner_text()
    assert said.preference.winner == ("a" if first == "Check on" else "b")
    assert fits(page)


def test_a_conversation_is_recorded_when_asked_and_asked_again(serve: Callable[..., Served], visit: Visit):
    site = serve(ScriptedAssistant(pause_s=0.01))
    folder = site.services.model.settings.data_dir / "annotations" / "recordings"
    page = visit(site)
    with_picture(page)
    ask(page, "What is the price?")
    page.locator("#current .v-turn--answered").wait_for()
    assert not folder.exists()  # nobody has asked for it
    page.locator("#recordings").get_by_text("Recordings").click()
    page.get_by_label("Record this conversation").check()
    expect(page.locator("#record-notice")).to_contain_text("From the next question on")
    for question in ("Who makes it?", "What does it cost?"):
        ask(page, question)
        expect(page.locator("#current .v-turn--answered h2")).to_have_text(question)
    page.get_by_label("Record this conversation").uncheck()
    expect(page.locator("#record-notice")).to_contain_text("Nothing more")
    ask(page, "Who makes it?")
    expect(page.locator("#history .v-turn")).to_have_count(3)
    assert len(list(folder.rglob("*.vitrine.zip"))) == 2
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("#history .v-turn")).to_have_count(0)  # the page has moved
    page.locator("#record-which input").click()
    page.get_by_role("option").first.click()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#current .v-turn h2")).to_have_text("What does it cost?")
    asked = len(site.script.asked)
    page.get_by_role("button", name="Ask all again").click()
    expect(page.locator("#record-notice")).to_contain_text("All 2 asked again")
    assert [question for _, question, _ in site.script.asked[asked:]] == ["Who makes it?", "What does it cost?"]
    page.locator("#record-delete").click()
    expect(page.locator("#record-notice")).to_contain_text("deleted")
    assert list(folder.rglob("*.vitrine.zip")) == []
    assert fits(page)
