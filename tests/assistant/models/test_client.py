"""The chat client against a scripted server over real HTTP: tries, waits, broken replies, keys that stay secret."""

from __future__ import annotations

import json
import logging
import random
import re
import socket
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from assistant.core.errors import BadInput, Cancelled, EndpointBusy, EndpointRefused, NotReady
from assistant.models.chat.client import ChatClient, ChatOptions, Prices
from assistant.models.chat.request import data_url, digest, render
from assistant.models.chat.transport import Wire, retry_after_s
from assistant.models.protocol import ModelReply, Prompt
from tests import scripted_chat

TEXT = "[1] The tower is 30 m tall.\n[2] The lake is 5 m deep.\nQuestion: how deep is it?"
ASKED = [{"role": "user", "content": TEXT}]
ANSWER = "The lake is 5 m deep [2]."
JPEG = b"\xff\xd8\xff\xe0 a picture"
KEY = "sk-test-4242424242abcdef"


class Naps:
    """Stands in for sleeping; `waited` are the seconds asked for."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.waited.append(seconds)


def client_of(server: scripted_chat.ScriptedChat, naps: Naps | None = None, **options: Any) -> ChatClient:
    settings = {"api_key": None, "model": "echo", "timeout_s": 5.0, **options}
    replies = settings.pop("replies", None)
    chosen = ChatOptions(base_url=server.base_url, **settings)
    return ChatClient(chosen, sleep=naps or Naps(), jitter=random.Random(0), replies=replies)


@pytest.fixture(scope="module")
def fine():
    with scripted_chat.start() as server:
        yield server


@pytest.mark.slow
def test_a_reply_whole_and_as_a_stream(fine):
    client = client_of(fine)
    whole = client.complete(ASKED, max_tokens=50, seed=7, json=True)
    assert (whole.text, whole.finish_reason, whole.tries, whole.model) == (ANSWER, "stop", 1, "echo")
    assert whole.prompt_tokens
    assert whole.completion_tokens
    stream = client.stream(ASKED, max_tokens=50)
    with pytest.raises(RuntimeError):
        _ = stream.reply
    pieces = list(stream)
    assert len(pieces) > 3
    assert "".join(pieces) == stream.reply.text == ANSWER
    assert stream.reply.prompt_tokens == whole.prompt_tokens
    first, second = fine.requests()[-2:]
    assert {"max_tokens", "seed", "response_format", "temperature"} <= set(first["fields"])
    assert second["stream"]
    assert not first["stream"]


def test_pictures_go_with_the_last_message_of_the_user(fine):
    client_of(fine).complete([{"role": "user", "content": "before"}, *ASKED], images=[JPEG, JPEG])
    row = fine.requests()[-1]
    assert [(i["type"], i["chars"]) for i in row["images"]] == [("image/jpeg", len(data_url(JPEG)))] * 2
    assert row["texts"][-1] == ASKED[0]["content"]
    assert "url" not in row["images"][0]
    with pytest.raises(BadInput, match="JPEG"):
        data_url(b"plain text")
    with pytest.raises(BadInput, match="message of the user"):
        render("m", Prompt([{"role": "system", "content": "x"}], images=[JPEG]))


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("429", "asked too often"),
        ("500", "trouble of its own"),
        ("503", "trouble of its own"),
        ("drop", "closed the connection"),
        ("half", "closed the connection"),
        ("malformed", "no JSON"),
    ],
)
def test_what_passes_is_tried_again_and_then_given_up(fault, words, streamed):
    naps = Naps()
    with scripted_chat.start("--always", fault, "--retry-after", "1") as server:
        client = client_of(server, naps, max_tries=3)
        with pytest.raises(EndpointBusy, match=words) as busy:
            list(client.stream(ASKED)) if streamed else client.complete(ASKED)
        assert len(server.requests()) == busy.value.tries == 3
    assert len(naps.waited) == 2
    assert busy.value.too_often == (fault == "429")
    assert busy.value.retry_after_s == (1.0 if fault == "429" else None)
    assert str(busy.value).count("\n") == 0
    if fault == "429":
        assert min(naps.waited) >= 1.0
    else:
        assert 0.25 <= naps.waited[0] <= 0.5
        assert 0.5 <= naps.waited[1] <= 1.0


@pytest.mark.parametrize("streamed", [False, True])
def test_after_some_failures_the_answer_comes_whole(streamed):
    faults = "429=0.25,500=0.2,drop=0.15,half=0.25,malformed=0.15"
    with scripted_chat.start("--faults", faults, "--faulty-attempts", "2") as server:
        client = client_of(server)
        for n in range(8):
            asked = [{"role": "user", "content": f"{ASKED[0]['content']} {n}"}]
            stream = client.stream(asked) if streamed else None
            reply = client.complete(asked) if stream is None else ("".join(stream), stream.reply)
            text, reply = reply if isinstance(reply, tuple) else (reply.text, reply)
            assert text == reply.text == ANSWER
            assert reply.tries == 3
        assert {row["fault"] for row in server.requests()} >= {"", "half", "429"}


def test_a_stream_that_breaks_off_goes_on_where_it_was():
    with scripted_chat.start("--faults", "half=1", "--faulty-attempts", "1") as server:
        stream = client_of(server).stream(ASKED)
        assert [next(stream), *stream] == ["The", " lake", " is", " 5", " m", " deep", " [2]."]
        assert stream.reply.tries == 2


@pytest.mark.parametrize("second", [["The", " sea"], ["The"]])
def test_a_stream_that_begins_anew_with_other_words_is_no_answer(second):
    class Fickle:
        """Breaks off after two words, then says something else."""

        tries = 0

        def once(self, payload, received, within_s, cancelled):
            self.tries += 1
            if self.tries > 1:
                yield from second
                return
            yield from ["The", " lake"]
            raise EndpointBusy("broke off")

    client = ChatClient(ChatOptions("http://127.0.0.1:9/v1", None, "m"), sleep=Naps())
    client._wire = Fickle()  # type: ignore[assignment]
    with pytest.raises(EndpointRefused, match=r"another answer|shorter answer"):
        list(client.stream(ASKED))


@pytest.mark.slow
@pytest.mark.parametrize("streamed", [False, True])
def test_silence_ends_with_the_time_given(streamed):
    with scripted_chat.start("--always", "hang") as server:
        client = client_of(server, timeout_s=0.3, max_tries=2)
        start = time.monotonic()
        with pytest.raises(EndpointBusy, match="in time") as busy:
            list(client.stream(ASKED)) if streamed else client.complete(ASKED)
        assert time.monotonic() - start < 3
        assert busy.value.timed_out
        assert len(server.requests()) == 2
        with pytest.raises(EndpointBusy):  # all tries together
            client_of(server, timeout_s=30.0, max_tries=50).complete(ASKED, within_s=0.3)


def test_a_server_that_drips_cannot_hold_the_caller():
    with scripted_chat.start("--chunk-delay", "0.25") as server:
        start = time.monotonic()
        with pytest.raises(EndpointBusy):
            list(client_of(server, timeout_s=0.6, max_tries=1).stream(ASKED))
        assert time.monotonic() - start < 1.2


def test_cancelling_ends_a_call_at_once():
    with scripted_chat.start("--always", "hang") as server:
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        start = time.monotonic()
        with pytest.raises(Cancelled):
            client_of(server, timeout_s=30.0).complete(ASKED, cancelled=stop)
        assert time.monotonic() - start < 2
    with scripted_chat.start("--always", "429", "--retry-after", "15") as server:
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        client = ChatClient(ChatOptions(server.base_url, None, "echo"))
        start = time.monotonic()
        with pytest.raises(Cancelled):
            client.complete(ASKED, cancelled=stop)
        assert time.monotonic() - start < 2


def test_a_long_rest_is_told_and_not_waited_for():
    naps = Naps()
    with scripted_chat.start("--always", "429", "--retry-after", "90") as server:
        with pytest.raises(EndpointBusy, match="90 s") as busy:
            client_of(server, naps).complete(ASKED)
        assert busy.value.retry_after_s == 90
        assert (len(server.requests()), naps.waited) == (1, [])


def test_retry_after_in_all_its_forms():
    now = lambda: 1_700_000_000.0  # noqa: E731
    assert retry_after_s({"retry-after": "2.5"}) == 2.5
    assert retry_after_s({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    assert retry_after_s({"retry-after": "Tue, 14 Nov 2023 22:13:50 GMT"}, now) == 30
    assert retry_after_s({"retry-after": "soon"}, now) is None
    assert retry_after_s({"retry-after": "nan"}, now) is None
    assert retry_after_s({}) is None


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("--key", "another"), {"api_key": KEY}, "does not accept the key"),
        (("--key", "another"), {}, "wants a key"),
        (("--models", "other"), {}, "has no model 'echo'"),
    ],
)
def test_what_never_passes_is_asked_once(arguments, options, words):
    with scripted_chat.start(*arguments) as server:
        with pytest.raises(EndpointRefused, match=words):
            client_of(server, **options).complete(ASKED)
        assert len(server.requests()) == 1


def test_fields_a_server_does_not_know_are_left_out_and_no_try_is_lost():
    with scripted_chat.start("--unknown-fields", "max_tokens,seed,response_format,stream_options") as server:
        client = client_of(server, max_tries=1)
        assert client.complete(ASKED, max_tokens=9, seed=1, json=True).text == ANSWER
        assert "max_completion_tokens" in server.requests()[-1]["fields"]
        asked = len(server.requests())
        assert client.complete(ASKED, max_tokens=9, seed=1, json=True).tries == 1
        assert len(server.requests()) == asked + 1  # it is remembered
        stream = client.stream(ASKED)
        assert "".join(stream) == ANSWER
        assert stream.reply.prompt_tokens is None


def test_the_key_stands_nowhere(caplog, capfd):
    caplog.set_level(logging.DEBUG)
    script = [{"match": "", "reply": "x"}]
    shown: list[str] = []
    for arguments in (("--key", "another"), ("--always", "500"), ("--unknown-fields", "messages")):
        with scripted_chat.start(*arguments, script=script) as server:
            client = client_of(server, api_key=KEY, max_tries=1)
            shown += [repr(client.options), repr(client)]
            # The server repeats what it was sent, as real ones do.
            asked = [{"role": "user", "content": f"Bearer {KEY}"}]
            with pytest.raises((EndpointRefused, EndpointBusy)) as problem:
                client.complete(asked)
            shown += [str(problem.value), "".join(traceback.format_exception(problem.value))]
            assert problem.value.__cause__ is None
    shown += [record.getMessage() for record in caplog.records]
    shown += [*capfd.readouterr()]
    for text in shown:
        assert KEY not in text.replace(f"Bearer {KEY}", "")  # the message itself is the caller's own
        assert KEY[4:16] not in text.replace(f"Bearer {KEY}", "")


def test_a_detail_of_the_server_is_cleared_and_short():
    wire = Wire(ChatOptions("http://localhost:9/v1", KEY, "m"))
    body = {"error": {"message": f"bad\nrequest for {KEY} and {KEY[:12]}***, sk-other123 Bearer abc " + "x y " * 100}}
    detail = str(wire._for_status(400, body, {}))
    assert "bad request for *** and ***" in detail
    assert "sk-other123" not in detail
    assert "abc" not in detail
    assert len(detail) < 300


def test_quota_and_redirects_are_final():
    wire = Wire(ChatOptions("http://localhost:9/v1", None, "m"))
    quota = wire._for_status(429, {"code": "insufficient_quota", "message": "pay"}, {})
    assert isinstance(quota, EndpointRefused)
    assert "credit" in str(quota)
    assert isinstance(wire._for_status(307, None, {}), EndpointRefused)
    assert isinstance(wire._for_status(400, {"message": "no"}, {}), EndpointRefused)
    assert isinstance(wire._for_status(408, None, {}), EndpointBusy)


def test_nobody_to_ask_and_addresses_that_are_none():
    with pytest.raises(NotReady, match="OPENAI_BASE_URL"):
        ChatOptions(None, None, "m")
    for url in ("localhost:8000", "ftp://x/v1", "http://", "http://h:99999/v1", "http://h/v1?key=1"):
        with pytest.raises(BadInput):
            ChatOptions(url, None, "m")
    with pytest.raises(BadInput) as problem:
        ChatOptions("http://user:secret@h/v1", None, "m")
    assert "secret" not in str(problem.value).replace("the secret into", "")
    with pytest.raises(BadInput, match="model"):
        ChatOptions("http://h/v1", None, " ")
    with pytest.raises(BadInput, match="OPENAI_API_KEY"):
        ChatOptions(None, "sk-line\nbreak", "m")
    assert ChatOptions(None, KEY, "m").endpoint.startswith("https://api.openai.com")


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("path", "words"), [("", "ends in /v1"), ("/v1/chat/completions", "leave"), ("/x/v2", "before")]
)
def test_a_wrong_path_is_not_taken_for_a_wrong_model(fine, path, words, streamed):
    client = ChatClient(ChatOptions(fine.base_url.removesuffix("/v1") + path, None, "echo", max_tries=1))
    with pytest.raises(EndpointRefused, match=r"the address http.* knows no such path") as problem:
        list(client.stream(ASKED)) if streamed else client.complete(ASKED)
    assert words in str(problem.value)
    assert "no model" not in str(problem.value)


@pytest.mark.parametrize(
    ("body", "is_model"),
    [
        ("404 page not found", False),
        ({"detail": "Not Found"}, False),
        ("<html><title>No model here</title></html>", False),
        ({"message": "Invalid URL (POST /v1/models/chat/completions)"}, False),
        ("model 'm1' not found, try pulling it first", True),
        ({"message": "The model `m1` does not exist.", "type": "NotFoundError", "code": 404}, True),
        ({"message": "no such thing", "code": "model_not_found"}, True),
        ({"message": "The API deployment for this resource does not exist.", "code": "DeploymentNotFound"}, True),
        ({"message": "No endpoints found for m1."}, True),
        (None, False),
    ],
)
def test_what_a_404_is_about(body, is_model):
    problem = str(Wire(ChatOptions("http://localhost:9/v1", None, "m1"))._for_status(404, body, {}))
    assert ("has no model 'm1'" in problem) is is_model
    assert ("the address" in problem) is not is_model


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ({"finish_reason": None}, "whole"),
        ({"finish_reason": ""}, "whole"),
        ({"finish_reason": "end_turn", "done": False}, "whole"),
        ({"finish_reason": None, "done": False}, "whole"),  # a body that was framed, after a whole sentence
        ({"finish_reason": None, "done": False, "reply": "The lake is 5 m"}, "broke off"),
        ({"finish_reason": None, "reply": ""}, "broke off"),
        ({"finish_reason": "abort"}, "broke off"),
    ],
)
def test_what_counts_as_the_end_of_a_stream(rule, text):
    with scripted_chat.start(script=[{"match": "", "reply": ANSWER, **rule}]) as server:
        stream = client_of(server, max_tries=1).stream(ASKED)
        if text == "whole":
            assert "".join(stream) == ANSWER
            assert (stream.reply.whole, stream.reply.finish_reason) == (True, "stop")
        else:
            with pytest.raises(EndpointBusy, match=text):
                list(stream)


def answering_once(*pieces: bytes, head: bytes = b"Content-Type: text/event-stream") -> str:
    """The base URL of a server that answers one request with these bytes and closes the connection."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with server, server.accept()[0] as connection:
            _read_whole(connection)  # with bytes unread, closing would take back what was sent
            connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\nConnection: close\r\n\r\n")
            for piece in pieces:
                connection.sendall(piece)

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def _read_whole(connection: socket.socket) -> None:
    """One request with its body."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(1 << 20)
    head, _, body = got.partition(b"\r\n\r\n")
    found = re.search(rb"(?i)content-length: *(\d+)", head)
    missing = int(found[1]) - len(body) if found else 0
    while missing > 0:
        missing -= len(connection.recv(1 << 20))


def event(text: str, reason: str | None = None) -> bytes:
    delta = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
    return f"data: {json.dumps({'choices': [delta]}, ensure_ascii=False)}\r\n\r\n".encode()


def test_a_connection_that_closes_is_no_end_unless_the_answer_was_one():
    def ask(*pieces: bytes, **more: bytes) -> str:
        options = ChatOptions(answering_once(*pieces, **more), None, "m", max_tries=1)
        return "".join(ChatClient(options).stream(ASKED))

    assert ask(event(ANSWER), event("", "stop")) == ANSWER
    assert ask(b": ping\n\nevent: ping\ndata: {}\n\n", event(ANSWER), b"data: [DONE]") == ANSWER
    with pytest.raises(EndpointBusy, match="broke off"):
        ask(event(ANSWER))  # nobody knows what was to follow
    framed = b"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked"
    chunk = b"%x\r\n%s\r\n"
    assert ask(chunk % (len(last := event(ANSWER, "stop")), last), head=framed) == ANSWER  # no last chunk
    with pytest.raises(EndpointBusy, match="closed the connection"):
        ask(chunk % (len(only := event(ANSWER)), only), head=framed)
    text = "Line\u2028one – 🎉."
    assert ask(*(bytes([byte]) for byte in event(text, "stop"))) == text


def test_a_whole_body_without_a_reason_is_whole_and_parts_of_thinking_are_no_text():
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": ANSWER}]
    for content in (ANSWER, parts, [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": ANSWER}]):
        body = json.dumps({"choices": [{"message": {"content": content}}], "usage": {"prompt_tokens": "12"}}).encode()
        url = answering_once(body, head=b"Content-Type: application/json\r\nContent-Length: %d" % len(body))
        reply = ChatClient(ChatOptions(url, None, "m", max_tries=1)).complete(ASKED)
        assert (reply.text, reply.whole, reply.prompt_tokens) == (ANSWER, True, 12)


def test_text_that_utf8_cannot_hold_is_sent_and_hashed_without_it(fine):
    client = client_of(fine, model="echo\udcff")
    prompt = Prompt([{"role": "user", "content": f"{TEXT} \ud83d"}])
    assert client.digest(prompt)
    assert "".join(client.ask(prompt)) == ANSWER
    with pytest.raises(BadInput, match="no address"):
        ChatOptions("http://h\udcff/v1", None, "m")


def test_a_dead_address_is_one_sentence():
    with pytest.raises(EndpointBusy, match="is it running") as busy:
        ChatClient(ChatOptions("http://127.0.0.1:9/v1", None, "m", max_tries=1)).complete(ASKED)
    assert not busy.value.timed_out


def test_reasoning_without_text_is_kept_apart(fine):
    reply = client_of(fine, model="judge:reasoning").complete(ASKED)
    assert reply.text == ""
    assert "result is" in reply.reasoning


class Kept(dict):
    """A store of replies that counts."""

    def put(self, key: str, reply: ModelReply) -> None:
        self[key] = reply


def test_replies_are_kept_when_they_are_sure_and_say_something():
    script = [{"match": "nothing", "reply": ""}]
    kept = Kept()
    with scripted_chat.start(script=script) as server:
        client = client_of(server, replies=kept)
        first = client.complete(ASKED, images=[JPEG])
        again = client.stream(ASKED, images=[JPEG])
        assert "".join(again) == first.text
        assert (again.reply.cached, again.reply.tries, first.cached) == (True, 0, False)
        assert len(server.requests()) == len(kept) == 1
        client.complete(ASKED, images=[JPEG + b"!"])  # another picture is another request
        client.complete(ASKED, temperature=0.7)  # drawn anew each time
        client.complete([{"role": "user", "content": "nothing"}])  # says nothing
        assert (len(server.requests()), len(kept)) == (4, 2)
    with scripted_chat.start("--always", "500") as server, pytest.raises(EndpointBusy):
        client_of(server, max_tries=1, replies=kept).complete(ASKED)
    assert len(kept) == 2


def test_the_digest_covers_everything_but_the_key():
    one = render("m", Prompt(ASKED, images=[JPEG], max_tokens=5))
    assert digest("http://a/v1", one) == digest("http://a/v1", json.loads(json.dumps(one)))
    others = [
        digest("http://b/v1", one),
        digest("http://a/v1", render("n", Prompt(ASKED, images=[JPEG], max_tokens=5))),
        digest("http://a/v1", render("m", Prompt(ASKED, images=[JPEG + b"x"], max_tokens=5))),
        digest("http://a/v1", render("m", Prompt(ASKED, images=[JPEG], max_tokens=6))),
        digest("http://a/v1", render("m", Prompt(ASKED, images=[JPEG], max_tokens=5, temperature=1.0))),
    ]
    assert len({digest("http://a/v1", one), *others}) == 6


def test_sixteen_threads_share_a_client(fine):
    client = client_of(fine)
    asked = [[{"role": "user", "content": f"[1] Box {n} holds {n} keys.\nQuestion: keys in box?"}] for n in range(64)]
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda a: client.complete(a).text, asked))
    assert replies == [f"Box {n} holds {n} keys [1]." for n in range(64)]


def test_prices():
    assert Prices(0.25, 2.0).cost(1_000_000, 500_000) == 1.25
