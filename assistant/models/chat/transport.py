"""One try of one request over HTTP, with the `openai` client: pieces of text as they come, or one clear error.

Every failure becomes `EndpointBusy` (may be tried again), `PromptTooLong` or `EndpointRefused` (final), in a sentence
that holds no key: what a server sends back is cut short and cleared of everything that looks like one, and causes are
not chained, because a logged traceback would show them. A reply counts only when the server said that it ended, by a
reason, by `[DONE]`, or by the end of a body whose length it gave, after whole sentences: a connection that closes
midway is a failure, never a short answer. Repeating is not done here, see `client`.
"""

from __future__ import annotations

import email.utils
import json
import math
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from assistant.core.errors import BadInput, Cancelled, EndpointBusy, EndpointRefused, PromptTooLong, VitrineError
from assistant.core.proxies import UNUSABLE, is_loopback, proxy_for
from assistant.core.whole_text import whole_text
from assistant.models.chat.pictured import has_picture, picture_refused, with_hint
from assistant.models.chat.received import Received, count, events_of, take
from assistant.models.chat.request import ChatOptions, Payload
from assistant.models.endings import looks_whole

#: How often a waiting call looks whether it is still wanted.
POLL_S = 0.05
MAX_DETAIL_CHARS = 160
_WINDOW = 8
_SECRET = re.compile(r"\b(?:sk|pk|key)-[\w*.-]{4,}|\bBearer\s+\S+", re.IGNORECASE)
_BUSY = frozenset({408, 409, 425, 429})
#: Fields that some servers do not know; a refusal that names one is answered by leaving it out.
OPTIONAL = (
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "seed",
    "response_format",
    "stream_options",
    "top_logprobs",
    "logprobs",
    "tool_choice",
)
#: Words of a 404 that speak of the model; not as a part of a path, which a wrong address is often repeated as.
_OF_MODELS = re.compile(r"(?<![\w/])(?:models?|deployments?)(?![\w/])|(?:model|deployment)_?not_?found", re.IGNORECASE)
#: How servers say that a prompt is longer than their model reads: OpenAI's code, llama.cpp's, words of vLLM, LM Studio
#: and others.
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|\bcontext[ _](?:length|window|size)"
    r"|maximum (?:model|prompt|input) length|\bprompt\b.{0,40}\b(?:too long|longer than|exceeds)"
    r"|too many (?:input |prompt )?tokens",
    re.IGNORECASE,
)


class UnknownField(EndpointRefused):
    """The server refused one optional field; `name` is the one to leave out."""

    def __init__(self, message: str, name: str):
        super().__init__(message)
        self.name = name


class Wire:
    """The connection pool to one endpoint; safe to share between threads."""

    def __init__(self, options: ChatOptions) -> None:
        import httpx2
        import openai

        self._options = options
        none = openai.Omit()
        host = urlsplit(options.endpoint).hostname or ""
        self._is_local = is_loopback(host)
        self._of_thread = threading.local()
        # Nothing of this machine goes through a proxy, whatever the environment says of other addresses.
        straight: Any = {f"all://[{host}]" if ":" in host else f"all://{host}": None} if self._is_local else {}
        try:
            http_client = openai.DefaultHttpxClient(
                follow_redirects=False,
                mounts=straight,
                # On this machine a connection for each request costs nothing, and can be ended as soon as its answer
                # is not wanted any more.
                limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=0 if self._is_local else 100),
                event_hooks={"request": [self._watch]},
            )
        except (ImportError, ValueError, TypeError, httpx2.InvalidURL) as problem:
            reason = " ".join(str(problem).split())
            raise BadInput(f"the proxies that the environment names cannot be used: {reason}") from None
        self._client = openai.OpenAI(
            base_url=options.endpoint,
            api_key=options.api_key or "none",
            max_retries=0,
            timeout=options.timeout_s,
            # What the environment may hold for the public service goes to no other server.
            default_headers={"OpenAI-Organization": none, "OpenAI-Project": none},  # type: ignore[dict-item]
            # A request with a frame in it is never carried on to an address that nobody configured.
            http_client=http_client,
        )

    def close(self) -> None:
        self._client.close()

    def once(
        self, payload: Payload, received: Received, within_s: float, cancelled: threading.Event | None
    ) -> Iterator[str]:
        """Pieces of the text of one try; `received` is complete when it ends.

        The exchange runs in a thread of its own, so that neither a silent nor a dripping server can hold the caller
        longer than `within_s`, and a cancelled call returns at once. The connection of a reply that is given up is
        ended then; one that was used before and carries it, as soon as its first byte has come.
        """
        arrivals: queue.SimpleQueue[str | BaseException | None] = queue.SimpleQueue()

        def exchange() -> None:
            self._of_thread.received = received
            try:
                for piece in self._pieces(payload, received):
                    arrivals.put(piece)
                received.over = True
                arrivals.put(None)
            except BaseException as problem:
                arrivals.put(problem)

        received.pictured = has_picture(payload)
        end = time.monotonic() + within_s
        threading.Thread(target=exchange, name="chat-exchange", daemon=True).start()
        try:
            while (arrived := self._next(arrivals, end, cancelled)) is not None:
                if isinstance(arrived, BaseException):
                    raise self._explain(arrived, received.pictured) from None
                yield arrived
        finally:
            received.hang_up()

    def _watch(self, request: Any) -> None:
        received = getattr(self._of_thread, "received", None)
        if received is not None:
            request.extensions = {**request.extensions, "trace": received.trace}

    def _next(self, arrivals: queue.SimpleQueue, end: float, cancelled: threading.Event | None) -> Any:
        while True:
            if cancelled is not None and cancelled.is_set():
                raise Cancelled("stopped before the chat endpoint had answered")
            left = end - time.monotonic()
            if left <= 0:
                raise self._too_slow()
            try:
                return arrivals.get(timeout=min(left, POLL_S) if cancelled is not None else left)
            except queue.Empty:
                continue

    # in the thread of the exchange

    def _pieces(self, payload: Payload, received: Received) -> Iterator[str | None]:
        """Pieces of text; None once the reply is complete, while what is left of the body is read on."""
        proxy = None if self._is_local else proxy_for(self._options.endpoint)
        if proxy == UNUSABLE:
            raise EndpointRefused(
                f"the chat endpoint {self._options.endpoint} lies behind a proxy that the environment names and that "
                "cannot be used here: unset it, or install socksio where it speaks SOCKS"
            )
        with self._client.chat.completions.with_streaming_response.create(**payload) as answered:
            response = answered.http_response
            received.connection = response.extensions.get("network_stream") or received.connection
            if received.gave_up.is_set():
                received.hang_up()
            if "event-stream" in response.headers.get("content-type", ""):
                yield from self._streamed(response, received)
            else:
                response.read()
                yield from self._whole(response, received)

    def _streamed(self, response: Any, received: Received) -> Iterator[str | None]:
        import httpx2

        done = False
        data = events_of(response.iter_bytes())
        try:
            for text in data:
                if received.gave_up.is_set():
                    return
                if text.strip() == "[DONE]":
                    done = True
                    break
                body = json.loads(text)
                if not isinstance(body, Mapping):
                    continue
                if error := body.get("error"):
                    raise self._in_body(error, received.pictured)
                yield from take(body, "delta", received)
        except httpx2.TransportError:
            if received.finish_reason is None:  # else only what comes after the answer is missing
                raise
        # A body without a length ends where its connection ends, for whatever reason.
        headers = response.headers
        framed = "content-length" in headers or "chunked" in headers.get("transfer-encoding", "")
        framed = framed or response.http_version == "HTTP/2"
        self._settle(received, done or (framed and looks_whole(received.text)))
        received.over = True
        yield None
        for _ in data:  # a connection that was read to its end can be used again
            pass

    def _whole(self, response: Any, received: Received) -> Iterator[str]:
        where = self._options.endpoint
        if "html" in response.headers.get("content-type", ""):
            raise self._wrong_address("answered with a web page")
        body = json.loads(response.content)
        if not isinstance(body, dict):
            raise EndpointBusy(f"the chat endpoint {where} answered with something that is no chat reply")
        if error := body.get("error"):
            raise self._in_body(error, received.pictured)
        yield from take(body, "message", received)
        self._settle(received, True)

    def _settle(self, received: Received, ended: bool) -> None:
        """How the reply ended; `ended`: it came to its end, whether or not the server gave a reason."""
        if received.finish_reason is None and ended and (received.text.strip() or received.calls):
            received.finish_reason = "calls" if received.calls else "stop"
        if received.finish_reason in (None, "broken"):
            raise EndpointBusy(f"the chat endpoint {self._options.endpoint} broke off in the middle of its answer")

    # errors

    def _too_slow(self) -> EndpointBusy:
        where = self._options.endpoint
        return EndpointBusy(f"the chat endpoint {where} did not answer in time: try again", timed_out=True)

    def _wrong_address(self, what: str) -> EndpointRefused:
        where = self._options.endpoint
        path = urlsplit(where).path
        todo = "it is what stands before /chat/completions" if re.search(r"/v\d+$", path) else "it usually ends in /v1"
        if path.endswith("/completions"):
            todo = "leave /chat/completions off its end"
        return EndpointRefused(f"the address {where} {what}, so it is no chat endpoint: check it, {todo}")

    def _explain(self, problem: BaseException, pictured: bool = False) -> VitrineError:
        """One sentence for whatever went wrong, without anything that could hold the key."""
        import httpx2

        told = problem if isinstance(problem, VitrineError) else self._in_words(problem, pictured)
        unreached = isinstance(problem.__cause__ or problem, httpx2.ConnectError)
        return with_hint(told) if pictured and isinstance(told, EndpointBusy) and not unreached else told

    def _in_words(self, problem: BaseException, pictured: bool) -> VitrineError:
        import httpx2
        import openai

        where = self._options.endpoint
        if isinstance(problem, openai.APITimeoutError | httpx2.TimeoutException):
            return self._too_slow()
        if isinstance(problem, openai.APIStatusError):
            return self._for_status(problem.status_code, problem.body, problem.response.headers, pictured)
        if isinstance(problem, openai.APIConnectionError | httpx2.TransportError):
            proxied = not self._is_local and proxy_for(where)
            way = " through the proxy that the environment names" if proxied else ""
            return EndpointBusy(
                f"the chat endpoint {where} cannot be reached{way} or closed the connection: is it running?"
            )
        if isinstance(problem, ValueError):  # JSON that is none, text that is no UTF-8
            return EndpointBusy(f"the chat endpoint {where} answered with something that is no JSON")
        return EndpointBusy(f"the exchange with the chat endpoint {where} failed ({type(problem).__name__})")

    def _in_body(self, error: Any, pictured: bool = False) -> VitrineError:
        code = str(error.get("code") if isinstance(error, Mapping) else "")
        status = int(code) if code.isdigit() else 500
        return self._for_status(status, error, {}, pictured)

    def _for_status(self, status: int, body: Any, headers: Mapping[str, str], pictured: bool = False) -> VitrineError:
        where, model = self._options.endpoint, self._options.model
        detail = self._detail(body)
        if status == 401 or status == 403:
            asks = "does not accept the key it was given" if self._options.api_key else "wants a key"
            todo = "set OPENAI_API_KEY, or type it into the page's panel Model"
            return EndpointRefused(f"the chat endpoint {where} {asks} ({status}): {todo}")
        if "insufficient_quota" in str(_field(body, "code") or _field(body, "type") or ""):
            return EndpointRefused(f"the chat endpoint {where} says that the key has no credit left")
        words = _message(body)
        if status not in _BUSY and _TOO_LONG.search(" ".join((words, *_codes(body)))):
            takes = count(_field(body, "n_ctx"), None)
            asked = count(_field(body, "n_prompt_tokens"), None)
            excess = asked - takes if asked is not None and takes is not None else None
            why = f"{status}: {detail}" if detail else str(status)
            return PromptTooLong(f"the prompt is too long for the model of the chat endpoint {where} ({why})", excess)
        about_picture = pictured and status not in _BUSY and not _named_field(body, detail)
        if about_picture and (refused := picture_refused(where, status, words, detail)) is not None:
            return refused
        if status in _BUSY or status >= 500:
            rest = retry_after_s(headers)
            wait = f": try again in {math.ceil(rest)} s" if rest else ": try again"
            said = "is asked too often" if status == 429 else "has trouble of its own"
            too_often = status == 429 or (status == 503 and rest is not None)
            message = f"the chat endpoint {where} {said} ({status}){wait}"
            return EndpointBusy(message, retry_after_s=rest, too_often=too_often)
        if status == 404 and self._is_about_model(body):
            return EndpointRefused(f"the chat endpoint {where} has no model {model!r} (404): name one of its models")
        if status in (404, 405):
            return self._wrong_address(f"knows no such path ({status})")
        if 300 <= status < 400:
            return EndpointRefused(f"the chat endpoint {where} sends requests elsewhere ({status}): give that address")
        message = f"the chat endpoint {where} refused the request ({status})" + (f": {detail}" if detail else "")
        if status in (400, 422) and (name := _named_field(body, detail)):
            return UnknownField(message, name)
        return EndpointRefused(message)

    def _is_about_model(self, body: Any) -> bool:
        """Whether a 404 is the word of a chat endpoint on the model, rather than that of a server on the path."""
        message = _message(body)
        if "<html" in message.lower():
            return False
        named = rf"(?<![\w/]){re.escape(self._options.model)}(?![\w/])"
        return (
            any(_OF_MODELS.search(str(_field(body, name) or "")) for name in ("code", "type", "param"))
            or _OF_MODELS.search(message) is not None
            or (isinstance(body, Mapping) and re.search(named, message) is not None)
        )

    def _detail(self, body: Any) -> str:
        """What the server says, one short line, cleared of the key and of anything like one."""
        line = _SECRET.sub("***", " ".join(_message(body).split()))
        key = self._options.api_key or ""
        windows = {key[i : i + _WINDOW] for i in range(max(1, len(key) - _WINDOW + 1))} if key else set()
        line = " ".join("***" if any(w in word for w in windows) else word for word in line.split())
        return line if len(line) <= MAX_DETAIL_CHARS else line[:MAX_DETAIL_CHARS].rsplit(" ", 1)[0] + " …"


def retry_after_s(headers: Mapping[str, str], now: Callable[[], float] = time.time) -> float | None:
    """Seconds that a server asked to be left alone (RFC 9110, 10.2.3: seconds or a date), None when it did not."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            date = email.utils.parsedate_tz(value)
            seconds = email.utils.mktime_tz(date) - now() if date else -1.0
        if 0 <= seconds < 1e7:
            return seconds
    return None


def _message(body: Any) -> str:
    found = _field(body, "message") or _field(body, "detail") or (body if isinstance(body, str) else "")
    if isinstance(found, list):  # what a check of fields found, one dictionary each
        found = "; ".join(str(one.get("msg") or "") if isinstance(one, Mapping) else str(one) for one in found)
    if isinstance(found, Mapping):
        found = found.get("message") or found.get("msg") or ""
    return whole_text(str(found))


def _field(body: Any, name: str) -> Any:
    if not isinstance(body, Mapping):
        return None
    inner = body.get("error")
    return body.get(name) or (inner.get(name) if isinstance(inner, Mapping) else None)


def _codes(body: Any) -> list[str]:
    return [str(_field(body, name) or "") for name in ("code", "type")]


def _named_field(body: Any, detail: str) -> str | None:
    param = str(_field(body, "param") or "")
    return next((name for name in OPTIONAL if name == param or re.search(rf"\b{name}\b", detail)), None)
