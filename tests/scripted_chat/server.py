"""The HTTP side: requests, streams, faults, the log."""

from __future__ import annotations

import hashlib
import json
import math
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.scripted_chat.faults import Faults
from tests.scripted_chat.replies import Rules, Said, colour_of, digest_of, images_of, reply_to, share_of, texts_of

PICTURES = ("ignore", "see", "reject", "detail", "unsupported", "break")


@dataclass(frozen=True)
class Setup:
    rules: Rules = field(default_factory=Rules)
    faults: Faults = field(default_factory=Faults)
    latency_s: float = 0.0
    latency_spread: float = 0.0
    chunk_delay_s: float = 0.0
    hang_s: float = 60.0
    retry_after: str = "0.05"
    key: str = ""
    models: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    pictures: str = "ignore"
    logprobs: bool = False
    tools: bool = False
    streams: bool = True
    context: int = 0
    log: Path | None = None
    log_bytes: bool = False


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port: int, setup: Setup):
        self.setup = setup
        self._lock = threading.Lock()
        self._attempts: Counter[str] = Counter()
        self._in_flight = 0
        self._n = 0
        self._start = time.monotonic()
        self._log = setup.log.open("a", encoding="utf-8") if setup.log else None
        super().__init__(("127.0.0.1", port), Handler)

    @contextmanager
    def busy(self) -> Iterator[None]:
        with self._lock:
            self._in_flight += 1
        try:
            yield
        finally:
            with self._lock:
                self._in_flight -= 1

    def note(self, body: dict[str, Any], digest: str, authorised: bool) -> str:
        """Counts the attempt, logs it, and says which fault it meets."""
        with self._lock:
            self._attempts[digest] += 1
            self._n += 1
            attempt = self._attempts[digest]
            fault = self.setup.faults.of(digest, attempt)
            if self._log:
                row = {
                    "n": self._n,
                    "at_s": round(time.monotonic() - self._start, 4),
                    "digest": digest,
                    "attempt": attempt,
                    "fault": fault,
                    "model": body.get("model"),
                    "stream": bool(body.get("stream")),
                    "in_flight": self._in_flight,
                    "authorised": authorised,
                    "fields": sorted(body),
                    "images": [self._picture(url) for url in images_of(body)],
                    "texts": texts_of(body),
                    "max_tokens": body.get("max_tokens"),
                    "top_logprobs": body.get("top_logprobs"),
                }
                self._log.write(json.dumps(row, ensure_ascii=False) + "\n")
                self._log.flush()
        return fault

    def _picture(self, url: str) -> dict[str, Any]:
        row = {"type": url[5 : url.find(";")], "chars": len(url), "sha256": hashlib.sha256(url.encode()).hexdigest()}
        return row | ({"url": url} if self.setup.log_bytes else {})


def _tokens(body: dict[str, Any]) -> int:
    return sum(map(len, texts_of(body))) // 4 + 200 * len(images_of(body))


def _pieces(said: Said) -> list[str]:
    """The pieces of a stream: words, or so many UTF-16 units each, as servers cut that count so."""
    if not said.size:
        return [word if n == 0 else f" {word}" for n, word in enumerate(said.text.split(" ")) if said.text]
    units = said.text.encode("utf-16-le", "surrogatepass")
    step = 2 * said.size
    return [units[i : i + step].decode("utf-16-le", "surrogatepass") for i in range(0, len(units), step)]


def _first(probabilities: Mapping[str, float], most: int) -> dict[str, Any]:
    """The first token with its likeliest alternatives, as `/v1/chat/completions` gives them."""
    tokens = sorted(probabilities.items(), key=lambda item: -item[1])
    given = [{"token": token, "logprob": math.log(max(p, 1e-9)), "bytes": None} for token, p in tokens]
    return {**given[0], "top_logprobs": given[:most]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChatServer

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if not self.path.endswith("/models"):
            return self._fail(404, "there is nothing here")
        names = self.server.setup.models or ("echo", "judge", "hash")
        self._json(200, {"object": "list", "data": [{"id": n, "object": "model"} for n in names]})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        with self.server.busy():
            self._post(raw)

    def _post(self, raw: bytes) -> None:
        setup = self.server.setup
        if self.path != "/v1/chat/completions":
            return self._fail(404, f"there is nothing at {self.path}")
        try:
            body = json.loads(raw)
        except ValueError:
            return self._fail(400, "the body is no JSON")
        given = self.headers.get("authorization", "").removeprefix("Bearer ")
        authorised = not setup.key or given == setup.key
        digest = digest_of(body)
        fault = self.server.note(body, digest, authorised)
        if not authorised:
            return self._fail(401, f"Incorrect API key provided: {given}.", code="invalid_api_key")
        if setup.models and body.get("model") not in setup.models:
            return self._fail(404, f"The model {body.get('model')!r} does not exist.", code="model_not_found")
        for name in setup.unknown_fields:
            if name in body:
                return self._fail(400, f"Unsupported parameter: '{name}' is not supported.", param=name)
        spread = setup.latency_spread * (2 * share_of("latency", digest) - 1)
        time.sleep(setup.latency_s * (1 + spread))
        if fault in ("429", "500", "503"):
            headers = {"Retry-After": setup.retry_after} if fault == "429" else {}
            return self._fail(int(fault), f"failed on purpose ({fault})", headers=headers)
        if fault == "hang":
            time.sleep(setup.hang_s)
        if fault in ("hang", "drop"):
            return self._hang_up()
        pictures = images_of(body)
        if pictures and setup.pictures in ("reject", "detail", "unsupported"):
            return self._refuse_pictures(setup.pictures, body)
        said = reply_to(body, setup.rules)
        if pictures and setup.pictures == "see" and "colour" in texts_of(body)[-1]:
            said = Said(f"{colour_of(pictures[-1])}.")
        if setup.context and (asked := _tokens(body)) > setup.context:
            told = f"This model's maximum context length is {setup.context} tokens, your messages have {asked}."
            return self._fail(400, told, code="context_length_exceeded")
        if setup.tools and body.get("tools"):
            said = Said("", finish_reason="tool_calls", calls=((body["tools"][0]["function"]["name"], "{}"),))
        self._reply(body, digest, said, "half" if pictures and setup.pictures == "break" else fault)

    def _refuse_pictures(self, how: str, body: dict[str, Any]) -> None:
        if how == "reject":
            return self._fail(400, f"{body.get('model')} is not a multimodal model")
        if how == "unsupported":
            return self._fail(500, "image input is not supported - hint: you may need to provide the mmproj")
        self._json(422, {"detail": [{"loc": ["messages", 0, "content"], "msg": "Input should be a valid string"}]})

    def _reply(self, body: dict[str, Any], digest: str, said: Said, fault: str) -> None:
        usage = {"prompt_tokens": _tokens(body), "completion_tokens": len(said.text) // 4 + 1}
        usage["total_tokens"] = sum(usage.values())
        start = {"id": f"chatcmpl-{digest[:12]}", "created": 0, "model": body.get("model")}
        if body.get("stream") and self.server.setup.streams:
            return self._stream(body, start, usage, said, fault)
        message = {"role": "assistant", "content": said.text}
        if said.reasoning:
            message["reasoning_content"] = said.reasoning
        if said.calls:
            message["tool_calls"] = [
                {"id": f"call-{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for n, (name, arguments) in enumerate(said.calls, 1)
            ]
        choice = {"index": 0, "message": message, "finish_reason": said.finish_reason}
        if body.get("logprobs") and said.first_token:
            choice["logprobs"] = {"content": [_first(said.first_token, body.get("top_logprobs") or 0)]}
        elif self.server.setup.logprobs and body.get("logprobs"):
            first = {"token": said.text.split(" ")[0], "logprob": -0.1}
            choice["logprobs"] = {"content": [{**first, "top_logprobs": [first, {"token": "No", "logprob": -2.4}]}]}
        whole = json.dumps(start | {"object": "chat.completion", "choices": [choice], "usage": usage}).encode()
        if fault == "malformed":
            whole = whole[: len(whole) // 2] + b"]]"
        self._send_head(200, "application/json", {"Content-Length": str(len(whole))})
        if fault == "half":
            self.wfile.write(whole[: len(whole) // 2])
            return self._hang_up()
        self.wfile.write(whole)

    def _stream(self, body: dict, start: dict, usage: dict, said: Said, fault: str) -> None:
        start |= {"object": "chat.completion.chunk"}
        words = _pieces(said)
        deltas: list[dict] = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": said.reasoning}] if said.reasoning else []
        deltas += [{"content": word} for word in words]
        for n, (name, arguments) in enumerate(said.calls):
            half = len(arguments) // 2
            first = {"name": name, "arguments": arguments[:half]}
            deltas.append({"tool_calls": [{"index": n, "id": f"call-{n + 1}", "type": "function", "function": first}]})
            deltas.append({"tool_calls": [{"index": n, "function": {"arguments": arguments[half:]}}]})
        self._send_head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
        for n, delta in enumerate(deltas):
            if fault == "half" and n > len(deltas) // 2:
                return self._hang_up()
            if fault == "malformed" and n > len(deltas) // 2:
                self._chunk(b'data: {"choices": [{"delta": \n\n')
                break
            self._event(start | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            time.sleep(self.server.setup.chunk_delay_s)
        self._event(start | {"choices": [{"index": 0, "delta": {}, "finish_reason": said.finish_reason}]})
        if (body.get("stream_options") or {}).get("include_usage"):
            self._event(start | {"choices": [], "usage": usage})
        if said.done:
            self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    # bytes

    def _event(self, data: dict) -> None:
        self._chunk(f"data: {json.dumps(data)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _send_head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()

    def _json(self, status: int, data: dict, headers: dict[str, str] | None = None) -> None:
        whole = json.dumps(data).encode()
        self._send_head(status, "application/json", {"Content-Length": str(len(whole)), **(headers or {})})
        self.wfile.write(whole)

    def _fail(
        self, status: int, message: str, *, code: str = "", param: str = "", headers: dict[str, str] | None = None
    ) -> None:
        error = {"message": message, "type": "scripted", "code": code or None, "param": param or None}
        self._json(status, {"error": error}, headers)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client went away, which is what clients do
            super().handle()

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()
