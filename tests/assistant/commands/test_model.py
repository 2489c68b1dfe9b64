"""`python -m assistant model` as a user calls it, and the local profile over a tiny checkpoint with random weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.__main__ import COMMANDS
from assistant.commands.command_line import main
from assistant.core.types import Conversation
from assistant.doctor import examine
from assistant.settings import read_settings
from tests.assistant.models.tiny_models import make_qwen3_5

pytestmark = pytest.mark.slow


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main("python -m assistant", COMMANDS, ["model", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_qwen3_5(tmp_path_factory.mktemp("models") / "tiny")


def test_the_list_in_words_and_as_json(capsys):
    code, out, _ = call(capsys, "list")
    assert code == 0
    assert "qwen3.5-2b" in out
    assert "LFM Open License" in out
    rows = json.loads(call(capsys, "list", "--json")[1])["models"]
    assert {"name", "hub_id", "here", "fetch_bytes", "memory_bytes", "fits", "licence"} <= set(rows[0])


def test_a_model_is_tried(capsys, checkpoint):
    code, out, err = call(capsys, "test", str(checkpoint), "--device", "cpu", "--json")
    row = json.loads(out)
    assert (code, row["name"], row["sees"], row["device"]) == (0, "tiny", True, "cpu")
    assert row["first_token_s"] > 0
    assert row["tokens_per_s"] > 0
    assert "loading tiny" in err
    assert "tokens a second" in call(capsys, "test", str(checkpoint), "--device", "cpu")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["get", "nonsense"], "there is no model 'nonsense'"),
        (["get", "some/model"], "HF_HUB_OFFLINE"),
        (["remove", "some/model"], "nothing to remove"),
        (["remove", "/tmp/mine"], "path of your own"),
        (["test", "some/model"], "model get some/model"),
        (["test", "/nowhere"], "holds no model"),
        (["sing"], "sing"),
    ],
)
def test_bad_input_is_one_sentence(capsys, arguments, words):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_a_turn_under_the_local_profile(small_world, small_index, tmp_path, checkpoint):
    """Random weights say nothing that can be shown; that they are asked, with the picture, is what is tested."""
    from assistant import factory
    from eval.data import datasets

    env = {"VITRINE_LOCAL_DEVICE": "cpu"}
    settings = read_settings(profile="local", model=str(checkpoint), data_dir=tmp_path, index=small_index, environ=env)
    parts = {part.part: part for part in examine(settings)}
    assert "tiny" in parts["local model"].is_now
    assert parts["answerer"].ready
    assistant = factory.open_index(small_index, settings)
    model = factory.open_model(settings)
    assert model is assistant._tools.model is factory.open_model(settings)  # one in memory
    assert model.sees
    assert assistant._deadline_s == factory.LOCAL_TURN_S
    sample = datasets.load(str(small_world), "all", "single").samples[0]
    *_, finished = assistant.answer(Conversation("c"), sample.turns[0].query, sample.frame())
    turn = finished.turn
    assert turn.answer.status in ("answered", "abstained"), turn.answer.reason
    usage = turn.answer.usage
    assert (usage.model, usage.cost) == ("tiny", None)
    assert usage.completion_tokens > 0
