"""Naming the thing and looking it up; a second look at the draft."""

from __future__ import annotations

import re

import pytest

from assistant.agent import Assistant
from assistant.core.events import EvidenceFound, RiskEstimated, StageFinished
from assistant.core.types import Conversation
from assistant.models.chat.client import ChatClient, ChatOptions
from assistant.models.protocol import ModelReply
from assistant.pipelines.base import Tools
from assistant.pipelines.look_up import LookUp, agrees, parse
from assistant.pipelines.registry import pipeline_of
from assistant.pipelines.verifying import doubt_of
from assistant.pipelines.writing import MAX_TOKENS
from tests import scripted_chat
from tests.assistant.pipelines.test_vitrine import NoText, frame, knowledge, thing  # noqa: F401  # fixtures

pytestmark = pytest.mark.slow


class NothingRecognised:
    def propose(self, frame: object) -> str:
        return "proposal"

    def decide(self, *_: object) -> tuple:
        return ()


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("thing: Halden Oat\nquery: Halden Oat price", LookUp("Halden Oat", ("Halden Oat price",))),
        ("- Query: “a b”\n* THING: *X*\nquery: a b\nquery: c", LookUp("X", ("a b", "c"))),
        ("nothing", LookUp()),
        ("I see a car.", LookUp()),
        ("", LookUp()),
        ("query: " + "\nquery: ".join("abcdefgh"), LookUp("", ("a", "b", "c", "d"))),
    ],
)
def test_lines_of_a_reply(reply, expected):
    assert parse(reply) == expected


def test_names_agree_when_one_holds_all_words_of_the_other():
    assert agrees("Halden Oat Biscuits", ["Halden Oat"])
    assert agrees("biscuit Halden", ["Halden Oat Biscuits"])
    assert not agrees("Halden Rye", ["Halden Oat"])
    assert not agrees("", ["Halden Oat"])


@pytest.mark.parametrize(
    ("text", "first", "doubt"),
    [
        ("yes", {}, 0.0),
        ("No.", {}, 1.0),
        ("Yes", {"Yes": 0.75, " no": 0.25}, 0.25),
        ("maybe", {}, None),
        ("maybe", {"maybe": 0.9}, None),
    ],
)
def test_how_much_a_second_look_doubts(text, first, doubt):
    assert doubt_of(ModelReply(text, "m", None, None, "stop", first_token=first)) == doubt


def opened(server: scripted_chat.ScriptedChat, knowledge: object, **how: object) -> Assistant:  # noqa: F811
    client = ChatClient(ChatOptions(server.base_url, None, "m", timeout_s=5.0))
    return Assistant(
        tools=Tools(knowledge, model=client, **how),  # type: ignore[arg-type]
        recogniser=NothingRecognised(),  # type: ignore[arg-type]
        text_reader=NoText(),  # type: ignore[arg-type]
        pipeline=pipeline_of("vitrine"),
        profile="chat",
    )


def script(name: str, key: str, value: str, verdict: str = "yes") -> list[dict[str, str]]:
    return [
        {"match": "look something up", "reply": f"thing: {name}\nquery: {name} {key}"},
        {"match": "proposes this answer", "reply": verdict},
        {"match": rf"\[(\d+)\] about {re.escape(name)}: {re.escape(key)}: ({re.escape(value)})", "reply": "{2} [{1}]."},
        {"match": "", "reply": "It is a thing [picture]."},
    ]


def test_what_the_model_names_is_looked_up_and_told_as_riskier(knowledge, thing):  # noqa: F811
    name, key, value = thing
    with scripted_chat.start(script=script(name, key, value)) as server:
        question = f"What is its {key}?"
        named = list(opened(server, knowledge).answer(Conversation("c"), question, frame()))
        asked = [row["texts"][-1] for row in server.requests()]
        whole = named[-1].turn.answer
        without = list(
            opened(server, knowledge, without=frozenset({"naming"})).answer(Conversation("c"), question, frame())
        )[-1].turn.answer
    assert [("look something up" in text) for text in asked] == [True, False]
    assert whole.text == f"{value}."
    assert whole.sentences[0].ground == "evidence"
    assert whole.usage.calls == 2
    assert without.sentences[0].ground == "picture"
    assert any(isinstance(e, EvidenceFound) and any(p.subject == name for p in e.evidence) for e in named)
    assert whole.risk is not None
    assert any(isinstance(e, StageFinished) and f"named: {name}" in e.note for e in named)


@pytest.mark.parametrize("without", [frozenset(), frozenset({"naming"})], ids=["named", "not named"])
def test_the_answer_has_room_and_who_named_the_thing_is_a_sign_of_risk(knowledge, thing, without):  # noqa: F811
    with scripted_chat.start(script=script(*thing)) as server:
        client = ChatClient(ChatOptions(server.base_url, None, "m", timeout_s=5.0))
        prompts, ask = [], client.ask
        client.ask = lambda prompt, **how: (prompts.append(prompt), ask(prompt, **how))[1]  # type: ignore[method-assign]
        assistant = Assistant(
            tools=Tools(knowledge, model=client, without=without),
            recogniser=NothingRecognised(),  # type: ignore[arg-type]
            text_reader=NoText(),  # type: ignore[arg-type]
            pipeline=pipeline_of("vitrine"),
        )
        events = list(assistant.answer(Conversation("c"), f"What is its {thing[1]}?", frame()))
    assert prompts[-1].max_tokens == MAX_TOKENS
    signs = next(e.signs for e in events if isinstance(e, RiskEstimated))
    assert ("named" in signs) == (not without)


@pytest.mark.parametrize(("verdict", "status"), [("yes", "answered"), ("no", "abstained")])
def test_a_second_look_decides_where_a_limit_of_risk_is_set(knowledge, thing, verdict, status):  # noqa: F811
    with scripted_chat.start(script=script(*thing, verdict)) as server:
        assistant = opened(server, knowledge, risk_limit=0.3)
        answer = list(assistant.answer(Conversation("c"), f"What is its {thing[1]}?", frame()))[-1].turn.answer
        asked = [row["texts"][-1] for row in server.requests()]
    assert answer.status == status
    assert "proposes this answer" in asked[-1]
    assert answer.usage.calls == 3


def test_without_time_parts_are_left_out_and_it_is_said(knowledge, thing):  # noqa: F811
    ticks = iter([*([0.0] * 6), *([0.2] * 400)])
    with scripted_chat.start(script=script(*thing)) as server:
        client = ChatClient(ChatOptions(server.base_url, None, "m", timeout_s=5.0))
        assistant = Assistant(
            tools=Tools(knowledge, model=client),
            recogniser=NothingRecognised(),  # type: ignore[arg-type]
            text_reader=NoText(),  # type: ignore[arg-type]
            pipeline=pipeline_of("vitrine"),
            deadline_s=3.0,
            clock=lambda: next(ticks),
        )
        events = list(assistant.answer(Conversation("c"), "What does it cost?", frame()))
        assert not any("look something up" in row["texts"][-1] for row in server.requests())
    notes = [e.note for e in events if isinstance(e, StageFinished)]
    assert any("naming and queries left out: 2.8 s were left" in note for note in notes)
