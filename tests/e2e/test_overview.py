"""A run by scenario from the form to the matrix, and the benchmarks side by side, in a browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE
from tests.e2e.test_eval_tab import Bench, bench, expect_state, open_page
from tests.eval.benchmarks.test_scenarios import write_rows

__all__ = ["bench", "open_page"]
AGENT = "tests.e2e.handed_agent:FromEvidence"


def test_a_run_by_scenario_is_started_and_stands_in_the_matrix(open_page: Callable[..., Page], bench: Bench, tmp_path):
    rows = write_rows(tmp_path, 2)
    page = open_page()
    page.get_by_role("tab", name="New run").click()
    page.get_by_label("Other data").fill(str(rows))
    page.get_by_label("Other data").press("Enter")
    page.get_by_role("radio", name="module").check()
    page.get_by_label("module:Class").fill(AGENT)
    page.get_by_role("button", name="Evidence from outside").click()
    for name in ("parametric", "oracle", "realistic", "adversarial"):
        page.get_by_role("checkbox", name=name).check()
    page.locator("#b-distractors input, #b-distractors textarea").fill("many")
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator("#b-new-notice")).to_contain_text("The number of distractors is 'many'")
    page.locator("#b-distractors input, #b-distractors textarea").fill("0,2")
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator(".b-plan")).to_contain_text("12")  # two turns, once without any, with gold, and twice two
    page.get_by_role("button", name="Start the run").click()
    page.locator("#b-run-head h2").wait_for()
    expect_state(page, "finished")
    expect(page.locator("#b-scores .headline")).to_contain_text("Accuracy, realistic")

    page.get_by_role("tab", name="Overview").click()
    own = page.locator(".b-views .b-own-row").first
    expect(own).to_contain_text(AGENT)
    for column, words in enumerate(("100.0 % · 0.0 %", "100.0 % · 0.0 %", "0.0 % · 100.0 %"), 1):
        expect(own.locator("td").nth(column)).to_contain_text(words)  # oracle, realistic, adversarial
    expect(page.locator(".b-curve polyline.right")).to_have_count(2)  # realistic and adversarial
    cards = page.locator(".b-bench")
    expect(cards).to_have_count(4)
    expect(page.locator("#b-bench-deflection")).to_contain_text("1 run here")
    for words in ("It asks", "It needs", "Its data", "Licence"):
        expect(cards.get_by_text(words, exact=True)).to_have_count(4)


def test_the_overview_fits_a_phone(open_page: Callable[..., Page]):
    page = open_page(PHONE)
    page.get_by_role("tab", name="Overview").click()
    page.locator(".b-views").wait_for()
    page.get_by_text("VLM-DeflectionBench: own runs and published rows").click()
    expect(page.locator(".b-bench-board[open] table").first).to_contain_text("GPT-5")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
