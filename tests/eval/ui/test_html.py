"""What the eval page draws: everything an agent or the data say is inert, figures are those of the run."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assistant.ui.html.escape import inert
from eval.data.samples import Data, Sample, SampleTurn, Unusable
from eval.metrics.power import Prices, estimate
from eval.reports.compare import compare
from eval.reports.leaderboard import leaderboard, published_rows
from eval.reports.loaded_run import load_run
from eval.runs.reading import RunSummary, read_info
from eval.runs.store import RunFolder
from eval.runs.trash import Deleted
from eval.scoring import judge_and_score
from eval.ui.html.compare import render_comparison, render_leaderboard
from eval.ui.html.plan import render_plan
from eval.ui.html.runs import render_list, render_run_head, render_watch
from eval.ui.html.samples import PAGE, render_kinds, render_rows, render_sample
from eval.ui.state.figures import bar, dot, duration, points, rate, share, span, stack
from eval.ui.state.rights import ALL_RIGHTS, rights_for
from eval.ui.state.run_state import RunList, RunState
from eval.ui.state.running import Running, failures
from eval.ui.state.sample_view import FramePicture, Shown, show
from eval.ui.state.turn_index import Filters, TurnIndex
from tests.eval.reports.written_run import line, write_run

EVIL = "\"><img src=x onerror=alert(1)><script>alert(2)</script>${alert(3)}{{4}}`' \u202e\x00"


class Tags(HTMLParser):
    """The elements and attributes of a text."""

    def __init__(self, drawn: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(drawn)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def assert_inert(drawn: str) -> Tags:
    """No element, attribute or template of `EVIL` came to life, and it is still to be read."""
    tags = Tags(drawn)
    assert not [tag for tag, _ in tags.found if tag in ("script", "iframe", "object")]
    assert not [name for _, attrs in tags.found for name in attrs if name.startswith("on")]
    assert all((attrs.get("src") or "data:").startswith("data:") for _, attrs in tags.found)
    assert not any(sign in drawn for sign in ("${", "{{", "\u202e", "\x00"))
    assert "onerror=alert(1)" in tags.words
    return tags


def evil_line(session: str, index: int = 0, **changes: Any) -> dict[str, Any]:
    texts = dict.fromkeys(
        ("query", "ground_truth", "agent_response", "reason", "domain", "query_category", "entity", "set"), EVIL
    )
    return {**line(session, index), **texts, **changes}


@pytest.fixture
def evil_run(tmp_path: Path) -> Path:
    turns = [
        (evil_line("s1"), "wrong"),
        (evil_line("s1", 1, total_turn_count=2, interaction_id_history=["s1-0"]), "correct"),
        (evil_line("s2", status="error", agent_response=""), None),
    ]
    options = {"agent": EVIL, "pipeline": EVIL, "where": [EVIL], "ids": EVIL}
    data = {"name": EVIL, "path": EVIL, "world": None}
    return write_run(tmp_path / "evil", turns, options=options, data=data, state="failed", problem=EVIL, n_turns=4)


def test_the_list_and_the_run_are_inert(evil_run: Path):
    run = RunList(evil_run.parent).one(evil_run)
    tags = assert_inert(render_list([run], ALL_RIGHTS))
    assert [attrs.get("data-act") for tag, attrs in tags.found if tag == "button"] == ["open", "resume", "delete"]
    assert_inert(render_run_head(run, ALL_RIGHTS))
    index = TurnIndex(evil_run).refresh()
    watch = render_watch(run, Running(evil_run, "exact").look(index), failures(index), EVIL, ALL_RIGHTS)
    assert_inert(watch)
    assert "1 ×" in Tags(watch).words


def test_a_turn_is_inert_wherever_it_stands(evil_run: Path):
    index = TurnIndex(evil_run).refresh()
    judge = index.judge_of({})
    assert_inert(render_rows(index.rows(range(3), judge), 3, 0, 1))
    shown = show(evil_run, index, 1, judge)
    evidence = {"id": "e", "kind": EVIL, "source": EVIL, "text": EVIL, "score": 1.0}
    answer = {
        "text": EVIL * 9, "sentences": [{"text": EVIL, "evidence_ids": ["e"]}], "evidence": [evidence],
        "entity": {"name": EVIL, "confidence": 0.9, "outline_px": [[0, 0], [9, 0], [9, 9]]},
    }  # fmt: skip
    trace = {"turn": {"answer": answer, "timings_ms": {EVIL: 3.0}}, "error": EVIL, "events": []}
    judged = ({"judge": EVIL, "verdict": EVIL, "why": EVIL, "reply": EVIL},)
    evil = Shown(1, shown.line, shown.kind, EVIL, trace, judged, shown.before)
    tags = assert_inert(render_sample(evil, FramePicture("data:image/jpeg;base64,AA", 10, 20), 0, 1))
    assert [attrs["points"] for tag, attrs in tags.found if tag == "polygon"] == ["0.0,0.0 9.0,0.0 9.0,9.0"] * 2
    assert_inert(render_sample(evil, FramePicture(problem=EVIL), 0, 1))
    broken = {**trace, "turn": {"answer": {**answer, "entity": {"name": "x", "outline_px": [["a", None]]}}}}
    assert "<polygon" not in render_sample(
        Shown(0, shown.line, "wrong", "", broken, (), ()), FramePicture("data:,", 1, 1), 0, 1
    )


def test_the_estimate_is_inert_and_says_what_is_not_known():
    turn = SampleTurn("i", 0, "q", "t", domain=EVIL)
    data = Data(EVIL, "d", (Sample("s", (turn,), "single", "v", True),), (Unusable(EVIL, 3, None, EVIL),), found=9,
                adjusted=(EVIL,), lacks=(f"lacks {EVIL}",))  # fmt: skip
    tags = assert_inert(render_plan(data, estimate(1, 1, prices=Prices(seconds_per_turn=None)), EVIL, EVIL, False))
    assert "not known yet" in tags.words
    assert "unknown: no prices are set" in tags.words
    assert "1 of 9" in tags.words
    assert "What the data lack" in tags.words
    free = render_plan(data, estimate(1, 1, prices=Prices(calls_per_turn=0.0, seconds_per_turn=90)), "typed", "", False)
    assert "nothing" in Tags(free).words
    assert "2 min" in Tags(free).words


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    def turns(evil: str, verdicts: str) -> list[tuple[dict[str, Any], str | None]]:
        names = {"c": "correct", "w": "wrong", "m": "missing"}
        return [(line(f"s{i}", 0, evil, query=EVIL), names[v]) for i, v in enumerate(verdicts)]

    return (
        write_run(tmp_path / "a", turns(EVIL, "cw" * 30)),
        write_run(tmp_path / "b", turns("fine", "cm" * 30), options={"agent": EVIL}),
    )


@pytest.mark.slow
def test_a_comparison_is_inert_and_says_who_is_ahead(pair: tuple[Path, Path]):
    found = compare(*(load_run(path) for path in pair))
    tags = assert_inert(render_comparison(found))
    assert "B is ahead: the difference in truthfulness (paper) is +50.0 points" in tags.words
    assert "30 verdicts changed" in tags.words
    assert [attrs["data-value"] for tag, attrs in tags.found if attrs.get("data-act") == "more"] == ["50"]
    assert 'data-act="more"' not in render_comparison(found, 30)
    assert "b-flips" in render_comparison(found, 30, only="improvements")
    assert "<li>" not in render_comparison(found, 30, only="regressions").partition('class="b-flips"')[2]
    same = compare(load_run(pair[0]), load_run(pair[0]))
    assert "Tied: the difference in truthfulness (paper), +0.0 points" in Tags(render_comparison(same)).words


@pytest.mark.slow
def test_the_leaderboard_marks_where_each_row_comes_from(pair: tuple[Path, Path]):
    drawn = render_leaderboard(leaderboard([load_run(pair[1])], published_rows()), [(EVIL, EVIL)])
    tags = assert_inert(drawn)
    assert tags.words.index("measured here") < tags.words.index("published")
    assert tags.words.count("measured here") == 3  # the key, the one own row, and a note
    assert "judge GPT-4o" in tags.words


def test_scores_of_the_report_bring_no_template_to_life():
    assert inert("<b>${x} {{y}} `z`</b>") == "<b>&#36;&#123;x&#125; &#123;&#123;y&#125;&#125; &#96;z&#96;</b>"


def state(name: str, **summary: Any) -> RunState:
    given = {"state": name, "done": 3, "total": 12, "info": {"started": "2026"}, "scores": {}, "progress": {},
             "alive": True}  # fmt: skip
    return RunState("r", Path("r"), name, RunSummary(Path("r"), **{**given, **summary}), None)


def acts(drawn: str) -> list[str | None]:
    return [attrs.get("data-act") for tag, attrs in Tags(drawn).found if tag == "button"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("running", ["pause", "cancel"]),
        ("paused", ["run", "cancel"]),
        ("starting", ["stop"]),
        ("interrupted", ["resume", "delete"]),
        ("finished", ["delete"]),
    ],
)
def test_what_can_be_done_is_a_button_for_those_who_may(name: str, expected: list[str]):
    assert acts(render_watch(state(name), None, [], "", ALL_RIGHTS)) == expected
    nobody = rights_for("0.0.0.0", has_auth=False)
    assert acts(render_watch(state(name), None, [], "", nobody)) == []
    assert "--auth" in Tags(render_list([state(name)], nobody)).words


def test_a_run_at_work_shows_how_far_and_how_long():
    progress = {"rate_per_s": 0.5, "eta_s": 18.0, "calls_at_once": 4, "waiting": 2, "retries": 3}
    words = Tags(render_watch(state("running", progress=progress), None, [(2, "too busy")], "log", ALL_RIGHTS)).words
    for told in ("3 of 12", "30.0 turns/min", "18 s", "2 × too busy", "Log"):
        assert told in words
    judging = {"judged": 5, "to_judge": 10}
    drawn = Tags(render_watch(state("judging", progress=judging), None, [], "", ALL_RIGHTS))
    assert "5 of 10" in drawn.words
    assert {attrs["aria-valuenow"] for _, attrs in drawn.found if attrs.get("role") == "progressbar"} == {"50"}


def test_no_runs_and_no_turns_say_what_to_do():
    assert "New run" in Tags(render_list([], ALL_RIGHTS)).words
    assert "Take a filter away" in Tags(render_rows([], 0, 0, None)).words


def test_pages_of_the_list(tmp_path: Path):
    run = write_run(tmp_path / "r", [(line(f"s{i}"), "correct") for i in range(120)])
    index = TurnIndex(run).refresh()
    numbers = index.find(Filters(), index.judge_of({}))
    first = Tags(render_rows(index.rows(numbers[:PAGE], ""), 120, 0, None))
    assert "1 to 50 of 120" in first.words
    pages = [
        (attrs["data-value"], "disabled" in attrs) for tag, attrs in first.found if attrs.get("data-act") == "page"
    ]
    assert pages == [("0", True), ("50", False)]
    last = Tags(render_rows(index.rows(numbers[100:], "", 100), 120, 100, 101))
    assert [attrs["data-row"] for _, attrs in last.found if attrs.get("aria-selected") == "true"] == ["101"]
    assert 'data-act="page"' not in render_rows(index.rows(numbers[:9], ""), 9, 0, None)


def test_kinds_without_turns_have_no_button():
    assert [word.strip() for word in Tags(render_kinds({"wrong": 2, "missing": 1}, "wrong")).words.split("  ")] == [
        "all 3wrong 2missing 1"
    ]


def test_the_list_shows_the_papers_truthfulness_with_its_interval(tmp_path: Path):
    path = write_run(tmp_path / "r", [(line(f"s{i}", 0, "seven" if i < 6 else "six"), None) for i in range(8)])
    (path / "judgements.jsonl").unlink()
    with RunFolder.open(path, read_info(path), resume=True) as folder:
        scores = judge_and_score(folder, "exact", None)
    words = Tags(render_list(RunList(tmp_path).all(), ALL_RIGHTS)).words
    assert f"{points(scores['paper']['truthfulness'])} {span(scores['intervals']['paper']['truthfulness'])}" in words
    assert points(scores["paper"]["truthfulness"]) == "+50.0"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (4.2, "5 s"), (89, "89 s"), (150, "2 min"), (7800, "2 h 10 min"), (400_000, "4 days"), (None, "–"),
     (float("nan"), "–"), (-1, "–")],
)  # fmt: skip
def test_durations(seconds: float | None, words: str):
    assert duration(seconds) == words


def test_figures():
    assert (points(0.1234), points(-0.5), points(None)) == ("+12.3", "−50.0", "–")
    assert (share(0.5), share(None)) == ("50.0 %", "–")
    assert (rate(2.0), rate(0.1), rate(None), rate(0)) == ("2.0 turns/s", "6.0 turns/min", "–", "–")
    assert 'cx="75.00%"' in dot(0.5, {"low": -2.0, "high": 0.75})
    assert 'x1="0.00%" x2="87.50%"' in dot(0.5, {"low": -2.0, "high": 0.75})
    assert dot(None, None) == ""
    assert 'aria-valuenow="100"' in bar(7.0, "x")
    assert 'x="25.00%" width="75.00%"' in stack({"right": 0.25, "wrong": 0.75})


def test_a_deleted_run_can_be_put_back_from_the_list():
    gone = Deleted(f"1800000000000-{EVIL}", EVIL, 1_800_000_000.0)
    for now, undo in ((gone.at + 5, True), (gone.at + 3600, False)):
        drawn = render_list([], ALL_RIGHTS, [gone], now)
        acts = [attrs["data-act"] for tag, attrs in assert_inert(drawn).found if tag == "button"]
        assert acts == ["put back"] * (1 + undo)
        assert ("was deleted" in drawn) == undo
    assert "put back" not in render_list([], rights_for("0.0.0.0", has_auth=False), [gone], gone.at)
