"""What the form makes of a run: the command's own arguments, who may name what, and a run's arguments again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.commands.command_line import Parser
from assistant.core.errors import BadInput
from assistant.settings import Settings
from eval.commands import run as run_command
from eval.data.options import data_choice, data_options, load_data
from eval.judges.options import judging_record
from eval.runs.record import agent_options, first_record
from eval.ui.state.rights import ALL_RIGHTS, rights_for
from eval.ui.state.run_form import RunChoice, allowed, arguments_again, check, places, read_form, without_filters


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


def parsed(arguments: list[str]) -> Any:
    parser = Parser()
    run_command.add_arguments(parser)
    return parser.parse_args(arguments)


FORM: dict[str, Any] = {
    "data": "crag-mm", "other": "", "split": "public_test", "set": "multi", "limit": "7", "sample": "40", "seed": "3",
    "ego": "egocentric", "where": ["domain=book", "dynamism=static"], "ids": "a-1, b-2\nc-3", "severity": 0.4,
    "degrade": ["low light", "blurred"], "agent": "chat", "pipeline": "task2", "concurrency": "4", "model": "m-1",
    "judge": "llm", "judge_models": "j1, j2", "judge_labels": "simpleqa",
    "give": "", "revision": "main", "retries": "1",
    "network": True, "public": True, "no_pictures": True, "fresh": True, "labels": "", "full_queries": "",
    "module": "", "agent_options": "", "strictness": "severe", "risk": "0,4", "budget": "10",
}  # fmt: skip


def test_the_command_understands_what_the_form_makes(settings: Settings):
    choice = read_form(FORM, settings)
    args = parsed(choice.arguments())
    assert data_choice(args) == choice.data
    assert (args.agent, args.model, args.pipeline, args.concurrency) == ("chat", "m-1", "task2", 4)
    assert (args.judge, args.judge_model, args.judge_labels) == ("llm", ["j1", "j2"], "simpleqa")
    assert (args.strictness, args.risk, args.budget) == ("severe", 0.4, 10.0)
    assert (args.tries, args.no_cache, args.give) == (2, True, None)


def test_an_empty_form_is_the_command_with_its_defaults(settings: Settings):
    choice = read_form({"data": "crag-mm"}, settings)
    assert choice.arguments() == [
        "--data=crag-mm", "--split=validation", "--set=both", f"--data-dir={settings.data_dir}", "--agent=embedded",
    ]  # fmt: skip


def test_what_belongs_to_a_model_is_left_out_for_agents_without(settings: Settings):
    choice = read_form({**FORM, "agent": "embedded", "pipeline": ""}, settings)
    assert (choice.model, choice.strictness, choice.risk, choice.budget) == ("", "", None, None)
    local = read_form({**FORM, "agent": "local", "model": ""}, settings)
    assert (local.model, local.strictness) == ("", "severe")
    with pytest.raises(BadInput, match="the risk is 'little'"):
        read_form({**FORM, "risk": "little"}, settings)


def test_typed_text_can_be_no_flag_and_ids_no_file(settings: Settings, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("a line that nobody may see\n")
    choice = read_form({"data": "x", "other": "--resume", "ids": str(secret), "revision": "--json"}, settings)
    args = parsed(choice.arguments())
    assert (args.data, args.resume, args.json, args.revision) == ("--resume", False, False, "--json")
    assert data_choice(args).ids == (str(secret),)  # the id itself, not what stands in a file of that name


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data": "", "other": " "}, "choose the data"),
        ({"limit": "0"}, "first samples is '0'"),
        ({"limit": "2.5"}, "'2.5'"),
        ({"sample": "-1"}, "random samples"),
        ({"seed": "x"}, "the seed is 'x'"),
        ({"concurrency": "many"}, "calls at once"),
        ({"degrade": ["sepia"]}, "sepia"),
        ({"judge": "me"}, "no judge 'me'"),
    ],
)
def test_mistakes_are_one_sentence(settings: Settings, changes: dict[str, Any], words: str):
    with pytest.raises(BadInput, match=words) as problem:
        read_form({**FORM, **changes}, settings)
    assert "\n" not in str(problem.value)


def test_places_are_the_bundled_world_stored_worlds_and_the_benchmark(settings: Settings, small_world: Path):
    assert [place.value for place in places(settings)] == [str(settings.world_dir), "crag-mm"]
    (settings.data_dir / "worlds").mkdir(parents=True)
    (settings.data_dir / "worlds" / "mine").symlink_to(small_world)
    assert [place.title for place in places(settings)] == [
        "Bundled world",
        "World mine",
        "CRAG-MM (from the hub, or as fetched before)",
    ]


def choice_of(data: str, settings: Settings, **changes: Any) -> RunChoice:
    choice = read_form({"data": data}, settings)
    return replace(choice, **changes)


def test_on_a_page_for_others_paths_and_code_cannot_be_named(settings: Settings, tmp_path: Path):
    known = rights_for("0.0.0.0", has_auth=True)
    rows = tmp_path / "rows.jsonl"
    rows.write_text("{}")
    allowed(choice_of(str(settings.world_dir), settings), settings, known)
    allowed(choice_of("org/name", settings), settings, known)
    for refused in (
        choice_of(str(rows), settings),
        choice_of("tests/eval", settings),  # a hub id by its looks, and a folder here
        choice_of("/etc/passwd", settings),
        choice_of("crag-mm", settings, agent="os:system"),
        choice_of("crag-mm", settings, full_queries=str(rows)),
    ):
        allowed(refused, settings, ALL_RIGHTS)
        with pytest.raises(BadInput):
            allowed(refused, settings, known)


def test_on_a_page_for_everybody_nothing_can_be_started(settings: Settings):
    with pytest.raises(BadInput, match="--auth"):
        allowed(choice_of("crag-mm", settings), settings, rights_for("0.0.0.0", has_auth=False))


@pytest.mark.parametrize(
    ("host", "paths"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.9.9.9", True), ("0.0.0.0", False), ("me.x", False)],
)
def test_rights_go_by_the_address(host: str, paths: bool):
    assert rights_for(host, has_auth=True).paths == paths
    assert rights_for(host, has_auth=False).start == paths


def test_check_says_what_the_command_would_say(settings: Settings, small_world: Path):
    data = check(choice_of(str(small_world), settings))
    assert data.samples
    for changes, words in (
        ({"agent": "nobody"}, "there is no agent 'nobody'"),
        ({"agent": "nothing.at:All"}, "nothing.at"),
        ({"pipeline": "task9"}, "no pipeline 'task9'"),
        ({"judge": "lexical", "judge_models": ("j",)}, "asks no model"),
        ({"agent_options": ("x",)}, "NAME=VALUE"),
        ({"model": "m"}, "--agent chat"),
    ):
        with pytest.raises(BadInput, match=words):
            check(choice_of(str(small_world), settings, **changes))
    with pytest.raises(BadInput, match="there is no file or folder"):
        check(choice_of(str(small_world) + "-not", settings))


def test_the_default_judge_is_the_commands(settings: Settings, small_world: Path, tmp_path: Path):
    world = check(choice_of(str(small_world), settings))
    assert choice_of("x", settings).judge_for(world) == "typed"
    assert choice_of("x", settings).judge_for(replace(world, world=None)) == "exact"
    assert choice_of("x", settings, judge="lexical").judge_for(world) == "lexical"


def test_filters_can_be_taken_away(settings: Settings):
    whole = without_filters(read_form(FORM, settings)).data
    assert (whole.where, whole.ids, whole.limit, whole.sample, whole.degrade) == ((), (), None, None, ())
    assert whole.split == "public_test"


def test_a_run_of_the_command_line_is_taken_up_with_equal_options(settings: Settings, small_world: Path):
    line = [
        f"--data={small_world}", "--split=all", "--set=multi", "--ego=yes", "--sample=9", "--sample-seed=2",
        "--limit=3", "--degrade=blurred:0.5", "--judge=lexical", "--public", "--no-pictures",
    ]  # fmt: skip
    args = parsed(line)
    info = {
        "options": {
            **data_options(args),
            "agent": "embedded",
            "pipeline": "reader",
            "index": "/an/index",
            "agent_options": {"says": "seven", "delay_s": 0.5, "name": "2"},
        },
        "data": {"path": str(small_world), "world": str(small_world)},
        "judge": "lexical",
        "concurrency": 2,
        "tries": 5,
    }
    again = parsed(arguments_again(info, settings.data_dir))
    assert data_options(again) == data_options(args)
    assert agent_options(again.agent_option) == info["options"]["agent_options"]
    assert (again.pipeline, str(again.index), again.judge, again.concurrency, again.tries) == (
        "reader", "/an/index", "lexical", 2, 5
    )  # fmt: skip


def test_what_held_a_model_back_is_taken_up_too(settings: Settings, small_world: Path):
    options = {
        **data_options(parsed([f"--data={small_world}"])), "agent": "chat", "pipeline": "vitrine",
        "chat": {"model": "m"},
        "strictness": "soft", "budget": 8.0, "risk": 0.3, "without": ["check", "naming"],
    }  # fmt: skip
    info = {"options": options, "data": {"path": str(small_world), "world": str(small_world)}, "judge": "lexical"}
    again = parsed(arguments_again(info, settings.data_dir))
    assert (again.strictness, again.budget, again.risk, again.without) == ("soft", 8.0, 0.3, ["check", "naming"])
    with pytest.raises(BadInput, match="risk model of one's own"):
        arguments_again({**info, "options": {**options, "risk_model": "world 7"}}, settings.data_dir)


def test_a_run_that_models_judge_is_taken_up_with_the_same_models(settings: Settings, small_world: Path):
    args = parsed(
        [f"--data={small_world}", "--judge=llm", "--judge-model=a", "--judge-model=b", "--judge-labels=simpleqa"]
    )
    record = first_record(args, load_data(args), "llm", None, judging_record(args, "llm"))
    again = parsed(arguments_again(record, settings.data_dir))
    assert (again.judge, again.judge_model, again.judge_labels) == ("llm", ["a", "b"], "simpleqa")
    other = parsed([f"--data={small_world}", "--judge=llm", "--judge-model=a", "--judge-url=http://127.0.0.1:1/v1"])
    assert "127.0.0.1" not in json.dumps(
        first_record(other, load_data(other), "llm", None, judging_record(other, "llm"))["judging"]
    )


def test_a_run_whose_start_is_not_known_whole_is_not_taken_up(settings: Settings):
    for info in (
        {"options": {"ids": "3 ids, abc"}, "data": {"path": "x"}, "judge": "exact"},
        {"options": {}, "data": {"path": "x"}, "judge": "llm"},
        {"options": {}, "data": {"path": "x"}, "judge": "llm", "judging": {"models": ["m"], "own_endpoint": True}},
        {"options": {}, "data": {}, "judge": "exact"},
    ):
        with pytest.raises(BadInput, match="--resume"):
            arguments_again(info, settings.data_dir)
