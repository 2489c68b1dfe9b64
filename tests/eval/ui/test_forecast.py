"""What a run would take, from prices that are set and from earlier runs; the judge as the forms choose it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadInput, NotReady
from assistant.models.chat.request import Prices
from assistant.settings import Settings
from eval.ui.state.forecast import forecast, judging_words
from eval.ui.state.judge_form import ChosenJudge, endpoint_words, read_judge
from eval.ui.state.run_form import RunChoice, check, read_form
from eval.ui.state.run_state import RunList
from tests.eval.reports.written_run import line, write_run

KEY = "sk-nobody-may-see-this"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "data", base_url="http://localhost:1/v1", api_key=KEY, chat_model="m-1",
        chat_prices=Prices(1.0, 10.0),
    )  # fmt: skip


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps({"query": f"q{i}", "ground_truth": "x"}) for i in range(10)))
    return str(path)


def chosen(rows: str, settings: Settings, **form: Any) -> RunChoice:
    return read_form({"data": rows, "no_pictures": True, **form}, settings)


def chat_run(folder: Path, model: str, started: str, read: int, turns: int = 4) -> None:
    options = {"agent": "chat", "chat": {"endpoint": "e", "model": model}}
    lines = [(line(f"s{i}"), "correct") for i in range(turns)]
    spent = {"prompt_tokens": read, "completion_tokens": 40, "cost": 0.1, "cached": 0}
    write_run(folder, lines, options=options, spent=spent, n_turns=turns, started=started)


def test_nothing_is_guessed_where_nothing_is_asked(rows: str, settings: Settings):
    choice = chosen(rows, settings)
    found = forecast(choice, choice.data.load(), settings, [])
    assert (found.figures["calls"], found.figures["judge_calls"], found.figures["cost"]) == (0, 0, 0.0)
    assert found.why == "Time: not known before a first run with this agent."


def test_guesses_are_said_to_be_guesses(rows: str, settings: Settings):
    choice = chosen(rows, settings, agent="chat", judge="llm", judge_models="j1, j2")
    found = forecast(choice, choice.data.load(), settings, [])
    assert (found.figures["calls"], found.figures["judge_calls"]) == (10, 14)
    # 10 calls of 1500 and 75 tokens, 14 of 1800 and 60, at 1 $ and 10 $ a million
    assert found.figures["cost"] == pytest.approx((10 * (1500 + 750) + 14 * (1800 + 600)) / 1e6)
    assert found.why.count("guessed") == 2
    assert "1 $ a million tokens read, 10 $ written" in found.why
    assert not forecast(choice, choice.data.load(), replace(settings, chat_prices=None), []).priced


def test_an_earlier_run_that_asked_the_same_model_tells_the_tokens(rows: str, settings: Settings):
    runs = settings.data_dir / "runs"
    chat_run(runs / "same", "m-1", "2026-01-01", 4000)
    chat_run(runs / "other", "m-2", "2026-02-01", 8000)
    (runs / "same" / "scores.json").write_text(json.dumps({
        "median_ms": 500.0,
        "judging": [{"judge_model": "j", "spent": {"calls": 2, "prompt_tokens": 300, "completion_tokens": 4}}],
    }))  # fmt: skip
    choice = chosen(rows, settings, agent="chat", judge="llm", concurrency="2")
    known = RunList(runs).all()
    found = forecast(choice, choice.data.load(), settings, known)
    assert found.figures["cost"] == pytest.approx((10 * (1000 + 100) + 7 * (150 + 20)) / 1e6)
    assert found.figures["hours"] == pytest.approx(10 * 0.5 / 2 / 3600)
    assert "Tokens a call: 1,000 read, 10 written, as in same." in found.why
    other = chosen(rows, settings, agent="chat", model="m-3")
    assert "as in other." in forecast(other, other.data.load(), settings, known).why
    assert judging_words(100, "llm", 1, settings, known).startswith("About 70 calls, about 0.01 $.")
    assert judging_words(100, "lexical+llm", 1, settings, known).startswith("At most 100 calls")
    assert "no prices are set" in judging_words(100, "llm", 1, replace(settings, chat_prices=None), known)


def test_a_page_started_with_another_model_hands_it_to_its_processes(rows: str, settings: Settings):
    arguments = chosen(rows, settings, agent="chat", judge="llm", fresh=True).arguments()
    assert {"--model=m-1", "--judge=llm", "--judge-model=m-1", "--judge-fresh"} <= set(arguments)
    assert not any(argument.startswith("--judge-labels") for argument in arguments)  # those of the benchmark
    assert not any(KEY in argument or "localhost" in argument for argument in arguments)


def test_models_of_a_judge_that_is_not_chosen_any_more_do_not_matter(rows: str, settings: Settings):
    assert chosen(rows, settings, judge="lexical", judge_models="j1").judge_models == ()
    with pytest.raises(BadInput, match="asks no model"):
        ChosenJudge("exact", ("j",)).check(None, settings.data_dir)


def test_without_an_endpoint_it_is_said_before_anything_starts(
    rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    nobody = Settings(data_dir=tmp_path / "data")
    for form in ({"agent": "chat"}, {"judge": "llm"}):
        with pytest.raises(NotReady, match="no chat endpoint is configured: set OPENAI_BASE_URL"):
            check(chosen(rows, nobody, **form))
    assert "nobody to ask yet: set OPENAI_BASE_URL" in endpoint_words(nobody, True)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    check(chosen(rows, nobody, agent="chat", judge="llm"))
    with pytest.raises(BadInput, match="two different ones"):
        check(chosen(rows, nobody, judge="llm", judge_models="a, a"))


def test_the_form_says_whom_it_asks_and_shows_no_key(settings: Settings):
    told = endpoint_words(settings, True)
    assert "http://localhost:1/v1, with the key of the environment" in told
    assert KEY not in told
    assert "localhost" not in endpoint_words(settings, False)
    with pytest.raises(BadInput, match="no judge 'me'"):
        read_judge("me", "", "", False, settings)
