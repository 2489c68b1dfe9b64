"""Pipelines, strictness, prompts, budgets and tasks as `eval run` takes, refuses and keeps them."""

from __future__ import annotations

import json

import pytest

from assistant import factory as services
from assistant.core.errors import BadInput
from assistant.core.types import Conversation
from assistant.factory import _deadline_s
from assistant.pipelines.prompts import Prompts
from eval.__main__ import COMMANDS, main
from eval.agents import index_cache
from eval.agents.factory import AgentChoice, answering, settings_for, without_history
from tests.eval.agents.scripted_agent import ScriptedAssistant, count
from tests.eval.tiny_world import write_world


@pytest.fixture
def run(monkeypatch, tmp_path):
    """`run(*arguments)` over a tiny world with an agent by rote; `run.opened` are the settings it was opened with."""
    world = write_world(tmp_path / "world")
    scripted = ScriptedAssistant(count)
    opened: list = []

    def open_scripted(settings, progress=None, **more):
        opened.append(settings)
        return scripted

    monkeypatch.setattr(services, "open_assistant", open_scripted)
    monkeypatch.setattr(index_cache, "world_index", lambda world, settings: world / "index")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    def command(*arguments: object) -> int:
        fixed = ("run", "--data", world, "--out", tmp_path / "r", "--data-dir", tmp_path / "dd")
        return main("python -m eval", COMMANDS, [str(text) for text in (*fixed, *arguments)])

    command.opened, command.calls, command.out = opened, scripted.calls, tmp_path / "r"  # type: ignore[attr-defined]
    return command


def options(run) -> dict:
    return json.loads((run.out / "run.json").read_text())["options"]


CHAT = ("--agent", "chat", "--model", "m")


def test_run_json_says_how_answers_came_about(run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "strictness-soft.txt").write_text("Answer anyhow.")
    chosen = ("--pipeline", "task2", "--strictness", "soft", "--budget", "10", "--prompts", tmp_path / "own")
    assert run(*CHAT, *chosen) == 0
    kept = options(run)
    assert (kept["pipeline"], kept["strictness"], kept["budget"]) == ("task2", "soft", 10.0)
    assert kept["prompts"] == Prompts.load(tmp_path / "own").digest != Prompts.load().digest
    (settings,) = run.opened
    assert (settings.effective_pipeline, settings.strictness, settings.effective_budget_s) == ("task2", "soft", 10.0)
    assert (_deadline_s(settings, for_run=True), _deadline_s(settings, for_run=False)) == (10.0, 10.0)


@pytest.mark.parametrize(
    "other",
    [
        ["--pipeline", "task3"],
        ["--pipeline", "task2", "--strictness", "none"],
        ["--pipeline", "task2", "--budget", "9"],
        ["--pipeline", "task2", "--prompts", "OWN"],
    ],
)
def test_a_run_is_not_gone_on_with_in_another_way(run, tmp_path, capsys, other):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "system.txt").write_text("Say nothing. $strictness")
    assert run(*CHAT, "--pipeline", "task2", "--limit", "1") == 0
    asked = len(run.calls)
    again = [tmp_path / "own" if text == "OWN" else text for text in other]
    assert run(*CHAT, *again, "--limit", "1", "--resume") == 2
    assert "resume it with the same options" in capsys.readouterr().err
    assert len(run.calls) == asked
    assert run(*CHAT, "--pipeline", "task2", "--limit", "1", "--resume") == 0


def test_without_a_model_nothing_of_it_is_kept_and_older_runs_go_on(run):
    assert run("--limit", "1") == 0
    kept = options(run)
    assert (kept["pipeline"], kept["strictness"], kept["budget"], kept["prompts"]) == ("reader", None, None, None)
    info = json.loads((run.out / "run.json").read_text())
    info["options"] = {**info["options"], "pipeline": "vitrine"}  # what every run said once
    for name in ("strictness", "budget", "prompts"):
        del info["options"][name]
    (run.out / "run.json").write_text(json.dumps(info))
    assert run("--limit", "1", "--resume") == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pipeline", "task1", "--task", "2"], "has the sources of task 1"),
        (["--pipeline", "kdd-2025", "--task", "1"], "has the sources of task 3"),
        (["--pipeline", "mm-llm", "--task", "3"], "searches nothing"),
        (["--pipeline", "task3", "--give", "entity"], "fixes where it looks"),
        (["--pipeline", "reader"], "uses no model"),
        (["--budget", "0"], "--budget is a number of seconds"),
        (["--budget", "nan"], "--budget is a number of seconds"),
        (["--strictness", "harsh"], "there is no strictness 'harsh'"),
        (["--prompts", "nowhere"], "there is no folder of prompts"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(run, capsys, arguments, said):
    assert run(*CHAT, *arguments) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
    assert run.opened == []
    assert not run.out.exists()


def test_a_preset_from_the_environment_conflicts_as_well(run, capsys, monkeypatch):
    monkeypatch.setenv("VITRINE_PIPELINE", "task2")
    assert run(*CHAT, "--task", "1") == 2
    assert "--pipeline task2" in capsys.readouterr().err
    assert run(*CHAT, "--task", "2") == 0
    assert options(run)["pipeline"] == "task2"


@pytest.mark.parametrize(("task", "web", "alone"), [("1", False, True), ("2", True, True), ("3", True, False)])
def test_a_task_limits_the_sources_of_what_has_all_of_them(run, task, web, alone):
    assert run("--set", "multi", "--task", task) == 0
    assert run.opened[0].web is web
    lengths = [len(conversation.turns) for conversation, *_ in run.calls]
    assert (max(lengths) == 0) is alone
    assert all(frame is not None for _, _, frame, _ in run.calls[:1])


def test_without_history_keeps_what_else_an_agent_is_asked_with():
    asked: list = []

    def answer(conversation, question, frame, *, given=None, cancelled=None):
        asked.append((conversation, question, frame, given, cancelled))
        return iter(())

    alone = without_history(answer)
    list(alone(Conversation("c", (None,)), "what?", None, given={"query": "q"}, cancelled=7))  # type: ignore[arg-type]
    assert asked == [(Conversation("c"), "what?", None, {"query": "q"}, 7)]


def test_the_first_task_s_pages_are_not_there(small_index, tmp_path):
    from assistant.factory import open_index
    from assistant.settings import read_settings

    settings = read_settings(profile="embedded", data_dir=tmp_path, index=small_index, web=False, environ={})
    assert open_index(small_index, settings).knowledge.search("kettle", k=5) == ()


def test_a_budget_waits_for_a_model(tmp_path):
    from assistant.settings import read_settings

    environ = {"VITRINE_BUDGET_S": "10"}
    assert read_settings(data_dir=tmp_path, environ=environ).effective_budget_s is None
    chat = {**environ, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    assert read_settings(profile="chat", data_dir=tmp_path, environ=chat).effective_budget_s == 10.0
    assert read_settings(profile="chat", data_dir=tmp_path, environ=chat, budget=2.5).effective_budget_s == 2.5
    with pytest.raises(BadInput, match="VITRINE_BUDGET_S"):
        read_settings(data_dir=tmp_path, environ={"VITRINE_BUDGET_S": "soon"})


def test_an_agent_of_somebody_else_has_no_pipeline(tmp_path):
    choice = AgentChoice("json:JSONDecoder")
    assert answering(choice, settings_for(choice, data_dir=tmp_path, index=None))["pipeline"] is None
