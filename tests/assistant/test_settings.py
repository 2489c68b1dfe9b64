"""What arguments and the environment make of the settings; a stray key never sends anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.__main__ import COMMANDS
from assistant.commands.command_line import main
from assistant.core.errors import BadInput, NotReady
from assistant.doctor import examine
from assistant.factory import RUN_DEADLINE_S, open_index, open_model
from assistant.models.chat.client import Prices
from assistant.settings import DEFAULT_CHAT_MODEL, read_settings
from tests import scripted_chat

KEY = "sk-test-4242424242abcdef"
URL = "http://localhost:8000/v1"


def test_a_stray_key_changes_nothing_but_what_is_offered():
    settings = read_settings(environ={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": URL})
    assert settings.effective_profile == "embedded"
    assert settings.chat_configured
    assert KEY not in repr(settings)


def test_arguments_win_over_the_environment():
    env = {"OPENAI_BASE_URL": URL, "VITRINE_PROFILE": "chat", "VITRINE_CHAT_MODEL": "a-model"}
    assert read_settings(environ=env).chat_options().model == "a-model"
    assert read_settings(environ=env, model="another").chat_options().model == "another"
    assert read_settings(environ=env, profile="embedded").effective_profile == "embedded"
    assert read_settings(environ={"OPENAI_API_KEY": KEY}, profile="chat").chat_options().model == DEFAULT_CHAT_MODEL


def test_the_chat_profile_says_what_it_lacks():
    with pytest.raises(NotReady, match="OPENAI_BASE_URL"):
        read_settings(profile="chat", environ={})
    with pytest.raises(BadInput, match="OPENAI_BASE_URL"):
        read_settings(profile="chat", environ={"OPENAI_BASE_URL": "http://me:secret@h/v1"})
    with pytest.raises(BadInput, match="no address"):
        read_settings(profile="chat", environ={"OPENAI_BASE_URL": "localhost"})
    assert (
        read_settings(environ={"OPENAI_BASE_URL": "localhost"}).effective_profile == "embedded"
    )  # not used, not judged
    assert not read_settings(profile="chat", environ={}, ready=False).chat_configured


def test_the_local_profile_says_what_it_lacks(tmp_path):
    with pytest.raises(NotReady, match="`python -m assistant model get no/such`"):
        read_settings(profile="local", model="no/such", environ={})
    with pytest.raises(BadInput, match="there is no model 'x'"):
        read_settings(environ={"VITRINE_PROFILE": "local", "VITRINE_LOCAL_MODEL": "x"})
    (tmp_path / "config.json").write_text('{"model_type": "smolvlm"}')
    env = {"VITRINE_LOCAL_MODEL": "x", "VITRINE_LOCAL_DEVICE": "cpu", "VITRINE_CHAT_MODEL": "a-model"}
    settings = read_settings(profile="local", model=str(tmp_path), environ=env)
    assert (settings.local_choice().path, settings.local_device) == (tmp_path, "cpu")
    assert (settings.chat_model, settings.effective_pipeline) == ("a-model", "vitrine")
    assert str(tmp_path) in settings.withheld
    assert not read_settings(profile="local", model="no/such", environ={}, ready=False).chat_configured


def test_the_numbers_of_the_environment():
    env = {
        "OPENAI_BASE_URL": f" {URL} ",
        "VITRINE_CHAT_TIMEOUT_S": "90",
        "VITRINE_CHAT_PICTURES": "no",
        "VITRINE_CHAT_PRICES": "0.25,2",
    }
    settings = read_settings(profile="chat", environ=env)
    assert (settings.chat_timeout_s, settings.chat_pictures) == (90.0, False)
    assert settings.chat_options().prices == Prices(0.25, 2.0)
    assert settings.chat_options().endpoint == URL


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VITRINE_CHAT_TIMEOUT_S", "soon"),
        ("VITRINE_CHAT_TIMEOUT_S", "0"),
        ("VITRINE_CHAT_TIMEOUT_S", "nan"),
        ("VITRINE_CHAT_PICTURES", "perhaps"),
        ("VITRINE_CHAT_PRICES", "1"),
        ("VITRINE_CHAT_PRICES", "1,-2"),
        ("VITRINE_PROFILE", "gigantic"),
    ],
)
def test_values_that_cannot_be_used_are_named(name: str, value: str):
    with pytest.raises(BadInput) as problem:
        read_settings(environ={name: value})
    assert repr(value) in str(problem.value)


def test_runs_try_once_and_pages_several_times():
    settings = read_settings(profile="chat", environ={"OPENAI_BASE_URL": URL})
    assert open_model(settings, for_run=True).options.max_tries == 1
    assert open_model(settings).options.max_tries > 1


def test_the_page_waits_for_a_slow_endpoint_and_a_run_counts_its_time_alone(small_index: Path, tmp_path: Path):
    env = {"OPENAI_BASE_URL": URL, "VITRINE_CHAT_TIMEOUT_S": "90"}
    settings = read_settings(profile="chat", data_dir=tmp_path, environ=env)
    slow = open_index(small_index, settings)
    assert slow.profile == "chat"
    assert slow._deadline_s == 100
    assert open_index(small_index, settings, for_run=True)._deadline_s == RUN_DEADLINE_S


def parts(settings) -> dict:
    return {p.part: p for p in examine(settings)}


def test_doctor_says_whether_somebody_can_be_asked(tmp_path):
    def look(profile: str, **env: str) -> dict:
        return parts(read_settings(profile=profile, data_dir=tmp_path, environ=env, ready=False))

    nobody = look("auto")["chat endpoint"]
    assert not nobody.ready
    assert "OPENAI_BASE_URL" in nobody.better
    somebody = look("auto", OPENAI_BASE_URL=URL, OPENAI_API_KEY=KEY)
    assert "not used" in somebody["chat endpoint"].is_now
    assert "--profile chat" in somebody["chat endpoint"].better
    assert "nothing sent anywhere" in somebody["profile"].is_now
    assert all(KEY not in f"{p.is_now} {p.better}" for p in somebody.values())
    chosen = look("chat", OPENAI_BASE_URL=URL)
    assert URL in chosen["chat endpoint"].is_now
    assert "frames" in chosen["profile"].is_now
    assert "no frames" in look("chat", OPENAI_BASE_URL=URL, VITRINE_CHAT_PICTURES="no")["profile"].is_now
    assert not look("chat")["answerer"].ready
    assert "no address" in look("auto", OPENAI_BASE_URL="localhost")["chat endpoint"].is_now


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main("python -m assistant", COMMANDS, list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.slow
def test_ask_sends_only_when_told_to(small_world, small_index, tmp_path, monkeypatch, capsys):
    name = json.loads((small_world / "kg" / "entities.jsonl").read_text(encoding="utf-8").splitlines()[0])["name"]
    question = f"What is the name of the maker of the {name}, and what is it made of?"
    script = [{"match": r"\[(\d+)\] about ([^\n:]+): ([^\n:]+): ([^\n]+)", "reply": "Its {3} is {4} [{1}]."}]
    asked = ["ask", "--question", question, "--index", str(small_index), "--data-dir", str(tmp_path), "--json"]
    with scripted_chat.start(script=script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert call(capsys, "doctor", "--index", str(small_index), "--profile", "chat")[0] == 0
        _, out, _ = call(capsys, *asked)
        assert json.loads(out)["profile"] == "embedded"
        assert "usage" not in json.loads(out)
        assert server.requests() == []
        code, out, _ = call(capsys, *asked, "--profile", "chat", "--model", "some-model")
        reply = json.loads(out)
        assert (code, reply["profile"]) == (0, "chat")
        # What is to be looked up, as nothing retrieved probably answers the whole, then the answer.
        assert [r["model"] for r in server.requests()] == ["some-model"] * 2
        assert reply["usage"]["prompt_tokens"] > 0
        assert KEY not in out
    code, out, err = call(capsys, *asked[:-1], "--profile", "chat")  # the server is gone
    assert code == 1
    assert out.count("\n") == 1
    assert "is it running" in out
    assert "Traceback" not in err
