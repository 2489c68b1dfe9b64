"""Calling functions over the chat client: what is sent, what comes back whole and in pieces, what is kept."""

from __future__ import annotations

import random

import pytest

from assistant.models.chat.client import ChatClient, ChatOptions
from assistant.models.chat.received import Received, take
from assistant.models.chat.request import render
from assistant.models.protocol import ModelReply, Prompt, ToolCall
from assistant.models.reply_cache import AnswerCache
from tests import scripted_chat

TOOL = {"type": "function", "function": {"name": "height_of", "description": "", "parameters": {"type": "object"}}}
ASKED = [{"role": "user", "content": "how tall is the Orm Tower, and the mill?"}]
CALLS = (
    ToolCall("call-1", "height_of", '{"name": "Orm Tower", "unit": "métre"}'),
    ToolCall("call-2", "height_of", "no JSON"),
)
SCRIPT = [
    {"match": "187 m", "reply": "The tower is 187 m tall.", "tools": False},
    {"match": "", "tools": True, "reply": "", "calls": [[call.name, call.arguments] for call in CALLS]},
]


@pytest.fixture(scope="module")
def server():
    with scripted_chat.start(script=SCRIPT) as running:
        yield running


def client(server, **more):
    return ChatClient(ChatOptions(server.base_url, None, "m", timeout_s=5), jitter=random.Random(0), **more)


def test_calls_come_back_whole_and_as_a_stream_and_are_answered(server):
    asking = client(server)
    whole = asking.complete(ASKED, tools=[TOOL])
    stream = asking.stream(ASKED, tools=[TOOL])
    assert list(stream) == []
    for reply in (whole, stream.reply):
        assert (reply.tool_calls, reply.text, reply.finish_reason, reply.whole) == (CALLS, "", "calls", False)
    told = [{"role": "tool", "tool_call_id": call.id, "content": "187 m"} for call in CALLS]
    last = asking.complete([*ASKED, whole.as_message(), *told], tools=[TOOL], may_call=False)
    assert (last.text, last.tool_calls, last.whole) == ("The tower is 187 m tall.", (), True)
    sent = server.requests()
    assert "tools" in sent[0]["fields"]
    assert "tool_choice" not in sent[0]["fields"]
    assert {"tools", "tool_choice"} <= {*sent[-1]["fields"]}


def test_a_reply_that_only_calls_is_kept_and_found(server, tmp_path):
    replies = AnswerCache(tmp_path)
    first = client(server, replies=replies).complete(ASKED, tools=[TOOL])
    again = client(server, replies=replies).complete(ASKED, tools=[TOOL])
    assert (first.cached, again.cached, again.tool_calls) == (False, True, CALLS)
    other = client(server, replies=replies).complete(ASKED, tools=[TOOL, TOOL])
    assert not other.cached


def test_what_is_rendered():
    payload = render("m", Prompt(ASKED, tools=[TOOL]))
    assert payload["tools"] == [TOOL]
    assert "tool_choice" not in payload
    assert render("m", Prompt(ASKED, tools=[TOOL], may_call=False))["tool_choice"] == "none"
    assert not {"tools", "tool_choice"} & render("m", Prompt(ASKED)).keys()
    message = ModelReply("", "m", None, None, "calls", tool_calls=CALLS[:1]).as_message()
    assert message["tool_calls"][0]["function"] == {"name": "height_of", "arguments": CALLS[0].arguments}
    assert render("m", Prompt([*ASKED, message]))["messages"][1] == message


def received(*parts):
    found = Received()
    for part in parts:
        for _ in take({"choices": [{"delta": {"tool_calls": part}}]}, "delta", found):
            pass
    return [(call.id, call.name, call.arguments) for call in found.tool_calls]


def test_the_habits_of_servers():
    # Numbered pieces that are mixed; the name in each of them.
    mixed = received(
        [{"index": 1, "id": "b", "function": {"name": "two", "arguments": "{"}}],
        [{"index": 0, "id": "a", "function": {"name": "one", "arguments": ""}}],
        [{"index": 1, "function": {"name": "two", "arguments": "}"}}, {"index": 0, "function": {"arguments": "{}"}}],
    )
    assert mixed == [("a", "one", "{}"), ("b", "two", "{}")]
    # No numbers and no ids; arguments that are parsed already.
    plain = received([{"function": {"name": "one", "arguments": {"a": 1}}}], [{"function": {"name": "two"}}])
    assert plain == [("call-0", "one", '{"a": 1}'), ("call-1", "two", "")]
    # What is no call.
    assert received("text", [None, "x", {"function": "y"}, {"index": 3, "function": {"arguments": "{}"}}], None) == []


def test_more_calls_than_anyone_makes_are_cut():
    many = received([{"index": n, "function": {"name": "f", "arguments": "x" * 200_000}} for n in range(500)])
    assert (len(many), len(many[0][2])) == (64, 100_000)
