"""The test of a connection, against a scripted server over real HTTP: what it finds, what it says of failures."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from assistant.__main__ import COMMANDS
from assistant.commands.command_line import main
from assistant.core.errors import EndpointBusy, EndpointRefused, PromptTooLong
from assistant.models.chat.client import ChatClient
from assistant.models.chat.probe import STEPS, STOPPED, Probed, probe, square_jpeg
from assistant.models.chat.request import ChatOptions
from assistant.models.chat.transport import Wire
from tests import scripted_chat

KEY = "sk-test-4242424242abcdef"
NUMBERS = {"match": "from one to twenty", "reply": "One, two, three, four, five, six, seven, eight, nine, ten."}


def test_of(server: scripted_chat.ScriptedChat, **how: Any) -> Probed:
    return last(ChatOptions(server.base_url, how.pop("key", None), how.pop("model", "echo")), **how)


test_of.__test__ = False  # type: ignore[attr-defined]


def last(options: ChatOptions, **how: Any) -> Probed:
    *_, told = probe(options, **how)
    return told


def test_an_endpoint_that_can_do_everything():
    arguments = ("--pictures", "see", "--logprobs", "--tools", "--chunk-delay", "0.02")
    with scripted_chat.start(*arguments, script=[NUMBERS]) as server:
        told = list(probe(ChatOptions(server.base_url, None, "echo")))
        assert [one.trying for one in told] == [*STEPS, None]  # each step is told before it is tried
        end = told[-1]
        assert {name: end.works(name) for name in STEPS} == dict.fromkeys(STEPS, True)
        assert end.problem == ""
        assert 0.01 < end.first_token_s < 2
        assert 5 < end.tokens_per_s < 100  # a word each 20 ms, as its server counts tokens
        assert end.suggested_timeout_s == 20
        sent = server.requests()
        assert len(sent) == 6
        assert [len(one["images"]) for one in sent] == [0, 0, 1, 1, 0, 0]


def test_one_that_takes_pictures_and_does_not_see_them_is_found_out():
    with scripted_chat.start(script=[{"match": "colour", "reply": "Red."}, NUMBERS]) as server:
        told = test_of(server)
    assert told.answers
    assert told.sees is False
    assert "'Red.' for blue" in told.steps[2].says
    assert told.works("logprobs") is False
    assert told.works("tools") is False


@pytest.mark.parametrize(
    ("how", "words", "requests"),
    [
        ("reject", "not a multimodal model", 1),
        ("detail", "Input should be a valid string", 1),
        ("unsupported", "image input is not supported", 1),
        ("break", "closed the connection", 2),  # once more, because a connection may break for any reason
    ],
)
def test_one_that_only_reads_sees_nothing(how: str, words: str, requests: int):
    with scripted_chat.start("--pictures", how, script=[NUMBERS]) as server:
        told = test_of(server)
        assert told.answers
        assert told.works("stream")
        assert told.sees is False
        assert told.steps[2].says.startswith("sees nothing: ")
        assert words in told.steps[2].says
        assert "if its model only reads" not in told.steps[2].says  # that is known now
        assert [bool(one["images"]) for one in server.requests()].count(True) == requests
        assert len(told.steps) == len(STEPS)  # the rest is tried all the same


@pytest.mark.parametrize("how", ["reject", "detail", "unsupported", "break"])
def test_a_turn_with_a_picture_says_what_to_set(how: str):
    with scripted_chat.start("--pictures", how) as server:
        client = ChatClient(ChatOptions(server.base_url, None, "echo", max_tries=2, backoff_s=0.01))
        asked = [{"role": "user", "content": "What is this?"}]
        with pytest.raises((EndpointBusy, EndpointRefused), match="if its model only reads") as problem:
            list(client.stream(asked, images=[square_jpeg((255, 0, 0))]))
        assert "VITRINE_CHAT_PICTURES=no" in str(problem.value)
        assert len(server.requests()) == (2 if how == "break" else 1)  # a plain refusal is not asked again
        assert list(client.stream(asked))  # without a picture all is well


def test_other_failures_of_a_picture_do_not_blame_the_picture():
    wire = Wire(ChatOptions("http://localhost:9/v1", None, "m"))
    for status, message in (
        (400, "maximum context length is 4096 tokens"),
        (400, "temperature must be at most 2"),
        (401, "image_url"),
        (429, "too many images"),
        (404, "The model `vision-m` does not exist."),
        (500, "out of memory"),
    ):
        said = str(wire._for_status(status, {"message": message}, {}, pictured=True))
        assert "only reads" not in said, said
    said = str(wire._for_status(404, {"message": "No endpoints found that support image input"}, {}, pictured=True))
    assert "only reads" in said
    assert "only reads" not in str(wire._for_status(400, {"message": "no image"}, {}))  # none was sent


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ("Model is loading", "Model is loading"),
        ([{"loc": ["body", "messages"], "msg": "field required", "type": "missing"}], "field required"),
        ({"message": "no such tenant"}, "no such tenant"),
    ],
)
def test_bodies_with_a_detail_reach_the_sentence(detail: object, words: str):
    wire = Wire(ChatOptions("http://localhost:9/v1", None, "m"))
    assert str(wire._for_status(400, {"detail": detail}, {})).endswith(f"refused the request (400): {words}")


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("--key", "another"), {"key": KEY}, "does not accept the key it was given (401)"),
        (("--key", "another"), {}, "wants a key (401)"),
        (("--models", "other"), {}, "has no model 'echo' (404)"),
        (("--always", "500"), {}, "has trouble of its own (500)"),
        (("--always", "malformed"), {}, "something that is no JSON"),
    ],
)
def test_no_answer_at_all_ends_the_test_with_the_transports_sentence(arguments, options, words):
    with scripted_chat.start(*arguments) as server:
        told = test_of(server, **options)
        assert words in told.problem
        assert (told.answers, told.sees, told.trying, len(told.steps)) == (False, None, None, 1)
        assert len(server.requests()) == 1
        assert KEY not in repr(told)


def test_a_dead_endpoint_and_a_wrong_path():
    with scripted_chat.start() as server:
        told = last(ChatOptions(f"{server.base_url}x", None, "echo"))
        assert "knows no such path (404)" in told.problem
        address = server.base_url
    assert "cannot be reached" in last(ChatOptions(address, None, "echo")).problem


def test_fields_that_a_server_does_not_know_stop_nothing():
    with scripted_chat.start("--unknown-fields", "logprobs,top_logprobs,max_tokens,temperature,tools") as server:
        told = test_of(server)
    assert told.answers
    assert told.works("logprobs") is False
    assert "tools" in told.steps[-1].says


def test_a_server_without_streams_and_one_that_is_slow():
    with scripted_chat.start("--no-stream", script=[NUMBERS]) as server:
        told = test_of(server)
    assert told.works("stream") is False
    assert "in one piece" in told.steps[1].says
    slow = Probed("e", "m", first_token_s=30.0, tokens_per_s=4.0)
    assert slow.suggested_timeout_s == 140  # half as much again as 30 s of reading and 62.5 s of writing
    assert Probed("e", "m", first_token_s=5000.0, tokens_per_s=4.0).suggested_timeout_s == 900
    assert Probed("e", "m").suggested_timeout_s is None


def test_it_ends_in_time_and_when_it_is_stopped():
    with scripted_chat.start("--always", "hang", "--hang", "30") as server:
        began = time.monotonic()
        told = test_of(server, within_s=0.5)
        assert time.monotonic() - began < 10  # seconds of which may be the client's loading
        assert "did not answer in time" in told.problem
        cancelled = threading.Event()
        threading.Timer(0.3, cancelled.set).start()
        began = time.monotonic()
        told = test_of(server, cancelled=cancelled)
        assert time.monotonic() - began < 3
        assert (told.problem, told.trying, told.answers) == (STOPPED, None, False)


def test_the_doctor_tests_only_when_told_to(capsys, monkeypatch, tmp_path):
    arguments = ["doctor", "--data-dir", str(tmp_path), "--index", str(tmp_path), "--model", "echo"]
    with scripted_chat.start("--pictures", "reject", "--key", KEY, script=[NUMBERS]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert main("x", COMMANDS, arguments) == 0
        assert server.requests() == []
        capsys.readouterr()
        assert main("x", COMMANDS, [*arguments, "--test"]) == 0
        said = capsys.readouterr().out
        assert "yes  text" in said
        assert "no   picture" in said
        assert "set VITRINE_CHAT_PICTURES=no" in said
        assert KEY not in said
        monkeypatch.setenv("OPENAI_API_KEY", "another")
        assert main("x", COMMANDS, [*arguments, "--test"]) == 1
        assert "does not accept the key" in capsys.readouterr().out
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert main("x", COMMANDS, [*arguments, "--test"]) == 2
    assert "no chat endpoint is configured" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("status", "body", "excess"),
    [
        (400, {"error": {"message": "maximum context length is 4096 tokens", "code": "context_length_exceeded"}}, None),
        (400, {"error": {"type": "exceed_context_size_error", "n_ctx": 512, "n_prompt_tokens": 700}}, 188),
        (400, {"message": "The decoder prompt (length 9) is longer than the maximum model length of 8."}, None),
        (500, {"error": {"message": "Requested tokens (5000) exceed context window of 2048"}}, None),
    ],
)  # fmt: skip
def test_a_prompt_that_is_too_long_is_told_apart(status: int, body: object, excess: int | None):
    told = Wire(ChatOptions("http://localhost:9/v1", None, "m"))._for_status(status, body, {}, pictured=True)
    assert isinstance(told, PromptTooLong)
    assert told.excess == excess
    assert "too long for the model" in str(told)
