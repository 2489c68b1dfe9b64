"""What is sent to an OpenAI-compatible chat endpoint, as plain data: options, messages, pictures, digests, prices.

Nothing here touches the network. A rendered request is a dictionary in the form of `/v1/chat/completions`; two equal
dictionaries are the same request, which is what a cache of replies may go by.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from assistant.core.errors import BadInput, NotReady
from assistant.core.whole_text import whole_text
from assistant.models.protocol import Prompt

#: Where a key without a base URL is used.
PUBLIC_BASE_URL = "https://api.openai.com/v1"
Payload = dict[str, Any]
#: How many likeliest tokens are asked for where the first one matters; the public service gives at most 20.
FIRST_TOKENS = 10

_SIGNATURES = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"))


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost, in one currency (US dollars by custom)."""

    prompt_per_million: float
    completion_per_million: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt_per_million + completion_tokens * self.completion_per_million) / 1e6


@dataclass(frozen=True)
class ChatOptions:
    """Where to ask and how patiently. `api_key` appears in no repr, message or log.

    timeout_s: one try may take as long, from the first byte sent to the last one read.
    max_tries: tries of one call, the first included. 1 leaves all repeating to the caller.
    backoff_s: the wait before the second try; it doubles, with jitter, up to `longest_wait_s`. An endpoint that asks
        for a longer rest than `longest_wait_s` is not waited for: the caller learns how long it asked for.
    sees: False for models that only read; whoever asks sends them no pictures.
    picture_px: longer sides are scaled down: small print is read here, and a picture is paid by its size.

    Raises:
        NotReady: neither a base URL nor a key is there, so there is nobody to ask.
        BadInput: a base URL that cannot be one, no model, or numbers that make no sense.
    """

    base_url: str | None
    api_key: str | None = field(repr=False)
    model: str
    timeout_s: float = 30.0
    max_tries: int = 4
    backoff_s: float = 0.5
    longest_wait_s: float = 20.0
    prices: Prices | None = None
    sees: bool = True
    picture_px: int = 1024

    def __post_init__(self) -> None:
        if not self.base_url and not self.api_key:
            raise NotReady(
                "no chat endpoint is configured: set OPENAI_BASE_URL (any OpenAI-compatible server) or OPENAI_API_KEY"
            )
        if not self.model.strip():
            raise BadInput("the chat endpoint needs the name of a model: pass --model or set VITRINE_CHAT_MODEL")
        if self.base_url is not None:
            check_base_url(self.base_url)
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise BadInput("the key (OPENAI_API_KEY) holds characters that no key has (a line break?): set it again")
        if not (self.timeout_s > 0 and self.max_tries >= 1 and self.backoff_s >= 0):
            raise BadInput(
                f"a chat call needs a time above 0 s and at least one try, not {self.timeout_s!r} s, {self.max_tries!r}"
            )

    @property
    def endpoint(self) -> str:
        """The address as it may be shown and as requests are told apart by: no key is ever part of it."""
        return (self.base_url or PUBLIC_BASE_URL).rstrip("/")


def check_base_url(url: str) -> None:
    """Raises BadInput for an address that is none, or that carries a password which would then stand in logs."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and url.isprintable()
        parts.port  # noqa: B018  # raises for a port that is none
    except ValueError:
        usable = False
        parts = urlsplit("")
    if parts.username or parts.password:
        raise BadInput(
            "the address of the chat endpoint (OPENAI_BASE_URL) carries a user name or password: put the secret into "
            "the key (OPENAI_API_KEY) instead"
        )
    if not usable or parts.query or parts.fragment:
        raise BadInput(f"the chat endpoint {url!r} is no address: give one such as 'http://localhost:8000/v1'")


def origin(url: str | None) -> str:
    """Scheme, host and port of an address, None for the public service: what a key is for, and goes nowhere else."""
    parts = urlsplit(url or PUBLIC_BASE_URL)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}:{port}"


def data_url(picture: bytes) -> str:
    """An encoded picture (JPEG, PNG, GIF, WebP) as a data URL.

    Raises:
        BadInput: bytes that are none of these.
    """
    kind = next((mime for start, mime in _SIGNATURES if picture.startswith(start)), None)
    if kind is None and picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
        kind = "image/webp"
    if kind is None:
        raise BadInput(f"a picture for the chat endpoint must be JPEG, PNG, GIF or WebP, not {bytes(picture[:8])!r}")
    return f"data:{kind};base64,{base64.b64encode(picture).decode('ascii')}"


def render(model: str, prompt: Prompt) -> Payload:
    """The whole request. Pictures are attached to the last message of the user, before its text.

    Raises:
        BadInput: a picture that is none, or pictures without a message of the user.
    """
    turns = [{k: whole_text(v) if isinstance(v, str) else v for k, v in m.items()} for m in prompt.messages]
    if prompt.images:
        last = next((m for m in reversed(turns) if m.get("role") == "user"), None)
        if last is None:
            raise BadInput("pictures were given for the chat endpoint without a message of the user to go with")
        parts = [{"type": "image_url", "image_url": {"url": data_url(picture)}} for picture in prompt.images]
        text = last["content"]
        last["content"] = [*parts, *([{"type": "text", "text": text}] if isinstance(text, str) else text)]
    payload: Payload = {"model": whole_text(model), "messages": turns}
    for name in ("max_tokens", "temperature", "seed"):
        if (value := getattr(prompt, name)) is not None:
            payload[name] = value
    if prompt.json:
        payload["response_format"] = {"type": "json_object"}
    if prompt.tools:
        payload["tools"] = list(prompt.tools)
        if not prompt.may_call:
            payload["tool_choice"] = "none"
    if prompt.first_token:
        payload |= {"logprobs": True, "top_logprobs": FIRST_TOKENS}
    return payload


def digest(endpoint: str, payload: Mapping[str, Any]) -> str:
    """SHA-256 over the endpoint's address and the whole request, pictures included; the key is no part of it."""
    text = json.dumps([endpoint, payload], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
