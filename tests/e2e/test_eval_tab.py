"""The page of benchmarks as a researcher uses it: start a run, watch, steer, kill things, come back, read, compare.

The agent is one by rote (`tests.e2e.kit_agent`), everything else is real: the page in a server of its own, runs in
processes of their own on the bundled world, its gold judge.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.core.paths import ASSETS_DIR, PROJECT_DIR
from eval.data.datasets import load
from eval.reports.ladder import ladder_path
from eval.ui.state.processes import Workers, is_at_work, read_started
from tests import scripted_chat
from tests.e2e.conftest import DESKTOP, PHONE, Tabs, free_port
from tests.eval.reports.written_run import line, write_run
from tests.eval.ui.test_html import EVIL, evil_line
from tests.eval.ui.test_ladder import LADDER

WORLD = ASSETS_DIR / "world"
AGENT = "tests.e2e.kit_agent:ByRote"
KEY = "sk-that-nobody-may-see"
SLOW_MS = 60_000  # a loaded machine


class Bench:
    """A server over a data folder; it can be killed and started anew at the same address."""

    def __init__(self, data: Path, endpoint: str = ""):
        self.data = data
        chat = {"OPENAI_BASE_URL": endpoint, "OPENAI_API_KEY": KEY, "VITRINE_CHAT_PRICES": "1,10"}
        self._endpoint = chat if endpoint else {}
        self.workers = Workers(data / "runs")
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}/eval"
        self.start()

    def start(self) -> None:
        uploads = self.data / "uploads"
        uploads.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "tests.e2e.eval_server", str(self.data / "data"), str(self._port)]
        environment = {
            **os.environ,
            **self._endpoint,
            "GRADIO_TEMP_DIR": str(uploads),
            "GRADIO_ANALYTICS_ENABLED": "False",
        }
        self.process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("http://127.0.0.1")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def runs(self) -> Path:
        return self.data / "data" / "runs"

    def run(self, *arguments: str) -> str:
        """Start a run without the page."""
        given = [f"--data={WORLD}", f"--agent={AGENT}", f"--data-dir={self.data / 'data'}", *arguments]
        return Workers(self.runs).start("rote", given)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with scripted_chat.start("--key", KEY) as server:
        found = Bench(tmp_path_factory.mktemp("bench"), server.base_url)
        yield found
        found.kill()
    for folder in found.runs.iterdir():
        started = read_started(folder / "start.json")
        if started is not None and is_at_work(started, folder.name):
            os.kill(started.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def pair(bench: Bench) -> tuple[str, str]:
    """Two finished runs on the same questions, A and B; they work while other tests go on."""
    return bench.run("--limit=5", "--set=single"), bench.run("--limit=5", "--set=single", "--agent-option=says=blue")


@pytest.fixture
def open_page(tabs: Tabs, bench: Bench) -> Iterator[Callable[..., Page]]:
    """Open the page of benchmarks; afterwards nothing may have complained or left this machine."""
    pages: list[Page] = []
    problems: list[str] = []
    watch: dict[str, Callable[..., None]] = {
        "console": lambda m: problems.append(m.text) if m.type == "error" else None,
        "pageerror": lambda e: problems.append(str(e)),
        "request": lambda r: problems.append(r.url) if not _is_near(r.url) else None,
        "dialog": lambda dialog: pytest.fail(f"a script ran: {dialog.message}"),
    }

    def open_page(viewport: dict[str, int] = DESKTOP, where: str = "", **options: Any) -> Page:
        page = tabs.lend(viewport, **options)
        pages.append(page)
        page.set_default_timeout(SLOW_MS)
        for event, look in watch.items():
            page.on(event, look)
        page.goto(bench.url + where)
        page.locator("#b-list ul, #b-list .b-empty, #b-run-head h2").first.wait_for()
        return page

    yield open_page
    for page in pages:
        tabs.give_back(page, bench.url, watch)
    # A page that is left, or whose server was killed, says that what it was about to ask was cut off.
    cut_off = ("net::ERR_", "Failed to fetch", "AbortError", "Connection errored out")
    assert [p for p in problems if not any(words in p for words in cut_off)] == []


def _is_near(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:", "blob:", "about:"))


def fill_form(page: Page, *, first: int, delay_s: float = 0.0, fails: str = "") -> None:
    page.get_by_role("tab", name="New run").click()
    page.get_by_role("button", name="Filters and degradations").click()
    page.get_by_role("radio", name="module").check()
    page.get_by_label("module:Class").fill(AGENT)
    page.get_by_label("Options of the agent").fill(
        f"delay_s={delay_s}\nfails={fails}" if fails else f"delay_s={delay_s}"
    )
    # Last: what is filled in the instant in which the part opens was once lost, on a machine as busy as a whole suite.
    page.get_by_label("Limit", exact=True).fill(str(first))
    expect(page.get_by_label("Limit", exact=True)).to_have_value(str(first))


def start_run(page: Page, **form: Any) -> str:
    fill_form(page, **form)
    page.get_by_role("button", name="Start the run").click()
    page.locator("#b-run-head h2").wait_for()
    return page.locator("#b-run-head h2").inner_text()


def expect_state(page: Page, words: str, timeout: int = SLOW_MS) -> None:
    expect(page.locator("#b-watch .b-tag")).to_have_text(words, timeout=timeout)


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to it in time"
        time.sleep(0.1)


def finished(bench: Bench, name: str) -> bool:
    try:
        return json.loads((bench.runs / name / "run.json").read_text())["state"] == "finished"
    except (OSError, ValueError):
        return False


def test_nothing_yet_says_what_to_do(open_page: Callable[..., Page]):
    page = open_page()
    expect(page.locator("#b-list")).to_contain_text("No runs yet")
    page.get_by_role("tab", name="Compare").click()
    expect(page.locator("#b-comparison")).to_contain_text("There are no two runs")
    page.get_by_role("tab", name="Leaderboard").click()
    expect(page.locator("#b-board-box")).to_contain_text("GPT-4o")


def test_choose_estimate_start_watch_read_download(open_page: Callable[..., Page], bench: Bench, pair):
    page = open_page()
    # Slow enough that the estimate, which goes when the run has scores, stands for seconds on any machine.
    fill_form(page, first=6, delay_s=1.5, fails="never")
    page.get_by_role("button", name="Estimate").click()
    plan = page.locator(".b-plan")
    expect(plan).to_contain_text("6 of 154")
    expect(plan).to_contain_text("The smallest difference it can show")
    assert len(list(bench.runs.iterdir())) == 2  # an estimate starts nothing
    page.get_by_role("button", name="Start the run").click()
    page.locator("#b-run-head h2").wait_for()
    name = page.locator("#b-run-head h2").inner_text()
    expect(page.locator(".b-so-far")).to_contain_text("An estimate by the lexical judge", timeout=30_000)
    expect_state(page, "finished")
    scores = page.locator("#b-scores")
    expect(scores.locator(".headline")).to_contain_text("truthfulness (paper)")
    expect(scores.locator(".headline")).to_contain_text("95 % interval")
    expect(scores.locator(".figures")).to_be_hidden()
    scores.get_by_text("All figures", exact=True).click()
    for words in ("truthfulness (README)", "only wrong answers count", "truthfulness (public evaluator)"):
        expect(scores.locator(".figures").get_by_text(words)).to_be_visible()
    for words in ("95 % intervals", "domain"):
        expect(scores).to_contain_text(words)
    assert page.url == f"{bench.url}#run={name}"

    page.reload()  # the address says which run it was
    expect(page.locator("#b-run-head h2")).to_have_text(name)
    page.get_by_role("tab", name="Samples").click()
    rows = page.locator(".b-rows li")
    expect(rows).to_have_count(6)
    page.keyboard.press("j")
    expect(rows.nth(0)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_have_attribute("aria-selected", "true")
    sample = page.locator(".b-sample")
    expect(sample.locator("h3")).to_have_text(rows.nth(1).locator(".b-q").inner_text())
    expect(sample.locator(".b-frame img")).to_be_visible()
    assert page.locator(".b-frame img").evaluate("i => i.complete && i.naturalWidth > 100")
    for words in ("Truth", "Answer", "Verdict", "Trace"):
        expect(sample).to_contain_text(words)
    page.keyboard.press("k")
    expect(rows.nth(0)).to_have_attribute("aria-selected", "true")
    expect(sample.locator("h3")).to_have_text(rows.nth(0).locator(".b-q").inner_text())

    page.locator(".b-kind--missing").click()
    expect(rows).to_have_count(3)
    expect(page.locator(".b-rows .b-mark")).to_have_text(["missing"] * 3)
    page.keyboard.press("/")
    expect(page.get_by_label("Search")).to_be_focused()
    page.keyboard.type("no such words at all")
    expect(page.locator("#b-rows")).to_contain_text("No turn fits")

    page.get_by_role("tab", name="Files, ladder, judges").click()
    page.get_by_role("button", name="Export files").click()
    links = page.locator("#b-files a")
    expect(links).to_have_count(3)
    with page.expect_download() as download:
        links.first.click()
    assert name in download.value.suggested_filename
    assert "truthfulness (paper)" in Path(download.value.path()).read_text(encoding="utf-8")


def test_pause_in_one_tab_go_on_in_another_cancel_resume(open_page: Callable[..., Page], bench: Bench):
    page = open_page()
    name = start_run(page, first=12, delay_s=0.4)
    page.get_by_role("button", name=f"Pause {name}").click()
    expect_state(page, "paused")
    done = page.locator(".b-cells dd").first.inner_text()
    other = open_page()
    row = other.locator(".b-run", has_text=name)
    expect(row.locator(".b-tag")).to_have_text("paused")
    row.get_by_role("button", name="Go on").click()
    expect_state(page, "running")  # told by the folder, not by the other tab
    until(lambda: page.locator(".b-cells dd").first.inner_text() != done)
    page.get_by_role("button", name=f"Cancel {name}").click()
    expect_state(page, "cancelled")
    expect(page.locator("#b-scores")).to_contain_text("truthfulness (paper)")  # a cancelled run is a readable run
    page.get_by_role("button", name=f"Resume {name}").click()
    expect_state(page, "finished")
    expect(page.locator(".b-cells dd").first).to_have_text("12 of 12")
    turns = [json.loads(text)["interaction_id"] for text in (bench.runs / name / "turns.jsonl").open()]
    assert len(turns) == len(set(turns)) == 12


def test_a_killed_server_and_a_killed_run(open_page: Callable[..., Page], bench: Bench):
    page = open_page()
    name = start_run(page, first=8, delay_s=0.4)
    expect_state(page, "running")
    bench.kill()
    page.context.close()
    bench.start()
    page = open_page(where=f"#run={name}")
    expect(page.locator("#b-watch .b-tag")).to_have_text(re.compile("running|judging|finished"))
    started = read_started(bench.runs / name / "start.json")
    assert started is not None
    if not finished(bench, name):
        os.kill(started.pid, signal.SIGKILL)
        expect_state(page, "died")
        expect(page.locator("#b-watch")).to_contain_text("what was finished is safe")
        page.get_by_role("button", name=f"Resume {name}").click()
    expect_state(page, "finished")
    expect(page.locator(".b-cells dd").first).to_have_text("8 of 8")


def test_compare_judge_again_and_leaderboard(open_page: Callable[..., Page], bench: Bench, pair: tuple[str, str]):
    until(lambda: all(finished(bench, name) for name in pair))
    page = open_page()

    def compare() -> None:
        page.get_by_role("tab", name="Compare").click()
        for side, name in zip(("A", "B"), pair, strict=True):
            page.get_by_label(side, exact=True).click()
            option = page.get_by_role("option", name=name, exact=True)
            option.click()
            expect(option).to_have_count(0)  # the list fades away
        page.get_by_role("button", name="Compare", exact=True).click()

    compare()
    result = page.locator("#b-comparison")
    expect(result.locator(".b-summary")).to_contain_text("Tied: the difference in truthfulness", timeout=SLOW_MS)
    expect(result).to_contain_text("Exact McNemar test")

    page.get_by_role("tab", name="Runs").click()
    page.locator(".b-open", has_text=pair[1]).click()
    page.get_by_role("tab", name="Files, ladder, judges").click()
    page.get_by_role("button", name="Judge again").click()
    expect(page.locator("#b-jobs")).to_contain_text("done", timeout=SLOW_MS)
    expect(page.locator("#b-jobs .b-tag")).to_have_text("done")
    compare()
    expect(page.locator("#b-compare-notice")).to_contain_text("The runs cannot be compared")
    page.get_by_role("tab", name="Leaderboard").click()
    expect(page.locator(".b-own-row").first).to_contain_text("ByRote")
    expect(page.locator(".b-board").first).to_contain_text("published")


def test_answers_made_elsewhere_become_a_run(open_page: Callable[..., Page], bench: Bench, tmp_path: Path):
    samples = load(str(WORLD), set_="single", limit=4).samples
    turns = [turn for sample in samples for turn in sample.turns]
    rows = [
        {"interaction_id": turns[0].interaction_id, "prediction": turns[0].ground_truth, "score": 1},
        {"interaction_id": turns[1].interaction_id, "prediction": EVIL, "score": -0.5},
        {"interaction_id": turns[2].interaction_id, "prediction": "I don't know", "score": 0},
        {"interaction_id": EVIL, "prediction": "It is blue.", "score": 1},
    ]
    (tmp_path / "theirs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    page = open_page()
    before = len(list(bench.runs.iterdir()))
    page.get_by_role("button", name="Import answers").click()
    page.get_by_role("button", name="Look at the file").click()
    expect(page.locator("#b-import-notice [role=alert]")).to_contain_text("Choose a file of answers first")
    page.locator("#b-import-file input[type=file]").set_input_files(tmp_path / "theirs.jsonl")
    expect(page.locator("#b-import-file")).to_contain_text("theirs.jsonl")
    page.get_by_role("button", name="Look at the file").click()
    found = page.locator("#b-import-shown")
    expect(found.locator(".b-cells dd")).to_have_text([re.compile("^3 of"), "3", re.compile(r"\d+"), "1"])
    expect(found.locator(".b-scale li")).to_have_text(["1correct", "0missing", "-0.5wrong"])
    assert len(list(bench.runs.iterdir())) == before  # looking makes nothing
    page.get_by_label("Name of the run").fill("Theirs")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#b-run-head h2")).to_have_text("Theirs")
    expect(page.locator(".b-imported")).to_contain_text("Answers made elsewhere, from theirs.jsonl")
    expect(page.locator(".b-imported")).to_contain_text("Not answered")
    expect(page.locator("#b-scores .headline .big")).to_contain_text("+0.0")  # right, wrong, missing
    page.reload()
    expect(page.locator("#b-run-head h2")).to_have_text("Theirs")
    page.get_by_role("button", name="All runs").click()
    item = page.locator(".b-run", has_text="Theirs")
    expect(item).to_contain_text("answers of theirs.jsonl")
    item.get_by_text("All figures", exact=True).click()
    expect(item.get_by_text("truthfulness (README)")).to_be_visible()
    page.wait_for_timeout(2500)  # drawn anew meanwhile, it stays open
    expect(item.get_by_text("truthfulness (README)")).to_be_visible()


def test_models_judge_and_a_run_is_deleted_and_put_back(open_page: Callable[..., Page], bench: Bench):
    page = open_page()
    fill_form(page, first=4)
    page.get_by_label("Judge", exact=True).first.click()
    page.get_by_role("option", name="llm", exact=True).click()
    expect(page.locator("#b-endpoint")).to_contain_text("http://127.0.0.1:")
    expect(page.locator("#b-endpoint")).to_contain_text("with the key of the environment")
    page.get_by_label("Judging models").fill("judge, judge:json")
    page.get_by_role("button", name="Estimate").click()
    plan = page.locator(".b-plan")
    expect(plan).to_contain_text("about 6")  # 4 turns, 2 models, and the share that is no refusal
    expect(plan).to_contain_text("Prices as set: 1 $ a million tokens read, 10 $ written.")
    page.get_by_role("button", name="Start the run").click()
    page.locator("#b-run-head h2").wait_for()
    name = page.locator("#b-run-head h2").inner_text()
    expect_state(page, "finished")
    scores = page.locator("#b-scores")
    for words in ("Judging model", "judge:json", "mean of the two", "2 calls", "The two models agree on"):
        expect(scores).to_contain_text(words)
    assert KEY not in page.content()
    assert not any(KEY in file.read_text() for file in (bench.runs / name).rglob("*") if file.is_file())

    page.get_by_role("button", name=f"Delete {name}").click()
    expect(page.locator(".b-undo")).to_contain_text(f"{name} was deleted")
    expect(page.locator(".b-run", has_text=name)).to_have_count(0)
    assert not (bench.runs / name).exists()
    page.get_by_role("button", name=f"Undo {name}").click()
    expect(page.locator(".b-run", has_text=name)).to_have_count(1)
    assert finished(bench, name)


def test_mistakes_are_one_sentence_and_start_nothing(open_page: Callable[..., Page], bench: Bench):
    page = open_page()
    before = len(list(bench.runs.iterdir()))
    fill_form(page, first=2)
    page.get_by_label("Other data").fill("/nowhere/at/all")
    page.get_by_role("button", name="Start the run").click()
    notice = page.locator("#b-new-notice [role=alert]")
    expect(notice).to_contain_text("There is no file or folder '/nowhere/at/all'")
    page.get_by_label("Other data").fill("")
    page.get_by_label("module:Class").fill("nothing.at.all:Agent")
    page.get_by_role("button", name="Estimate").click()
    expect(notice).to_contain_text("nothing.at.all")
    page.get_by_label("Limit", exact=True).fill("some")
    page.get_by_role("button", name="Estimate").click()
    expect(notice).to_contain_text("'some'")
    assert len(list(bench.runs.iterdir())) == before
    gone = open_page(where="#run=20260101-000000-gone")
    expect(gone.locator("#b-notice")).to_contain_text("There is no run '20260101-000000-gone' any more")


def test_hostile_words_stay_words_and_nothing_is_wider_than_a_phone(open_page: Callable[..., Page], bench: Bench):
    turns = [(evil_line(f"s{i}"), "wrong") for i in range(3)] + [(line(f"t{i}"), "correct") for i in range(60)]
    data = {"name": EVIL, "path": "/nowhere", "world": None}
    path = ladder_path(write_run(bench.runs / "evil", turns, data=data, n_turns=63))
    path.parent.mkdir()
    path.write_text(json.dumps({**LADDER, "judge": EVIL}))
    for viewport, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESKTOP, "dark")):
        page = open_page(viewport, "#run=evil", color_scheme=scheme)
        page.get_by_role("tab", name="Samples").click()
        page.locator(".b-rows li").first.click()
        expect(page.locator(".b-answer")).to_contain_text("<script>alert(2)</script>")
        expect(page.locator(".b-frame--none")).to_contain_text("'/nowhere'")
        page.get_by_role("button", name="Later", exact=True).click()
        expect(page.locator(".b-pages")).to_contain_text("51 to 63 of 63")
        page.get_by_role("tab", name="Files, ladder, judges").click()
        expect(page.locator("#b-ladder figure")).to_contain_text("+ pages")  # as it stands in the folder
        for tab in ("Files, ladder, judges", "New run", "Compare", "Leaderboard"):
            page.get_by_role("tab", name=tab).click()
            page.wait_for_timeout(200)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
        unnamed = page.evaluate(
            "[...document.querySelectorAll('input, textarea, button, [role=combobox]')].filter(e => e.checkVisibility()"
            " && !e.labels?.length && !e.ariaLabel && !e.innerText.trim() && !e.title).map(e => e.outerHTML)"
        )
        assert unnamed == []


def test_the_live_page_has_a_way_here_and_back(open_page: Callable[..., Page], bench: Bench):
    page = open_page()
    page.get_by_role("link", name="Ask").click()
    page.get_by_label("Question", exact=True).wait_for()
    assert page.locator(".v-head").bounding_box()["y"] < 5  # the way between the pages moves nothing
    page.get_by_role("link", name="Benchmarks").click()
    page.locator("#b-list").wait_for()
