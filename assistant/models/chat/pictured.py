"""Failures of requests that carry a picture. Servers whose model only reads say so in many ways; some break off.

What cannot be known from one failure is said with an "if": the sentence names the setting that sends no pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assistant.core.errors import EndpointBusy, EndpointRefused

#: What to do, after "…:".
ONLY_READS = (
    "if its model only reads, send it no pictures (“Send pictures” in the page's panel Model, or "
    "VITRINE_CHAT_PICTURES=no)"
)
#: A refused request (400, 415, 422, 501) is about its picture when the server speaks of one, or of the content's form.
_OF_CONTENT = re.compile(r"image|picture|vision|visual|multi-?modal|mmproj|content|media|\bstring\b", re.IGNORECASE)
#: Of other statuses only plain words count, because names of models hold "vision" too.
_NO_INPUT = re.compile(
    r"\b(?:images?|vision|multi-?modal)\b.*\b(?:support|input)|\bsupport\w*\b.*\b(?:images?|vision|multi-?modal)\b",
    re.IGNORECASE | re.DOTALL,
)
_OF_LENGTH = re.compile(r"context|too (?:long|many)|maximum", re.IGNORECASE)


def without_advice(words: str) -> str:
    """A sentence of this module without what to do; for whoever says that beside it."""
    return words.replace(f"; a picture was sent: {ONLY_READS}", "").replace(f": {ONLY_READS}", "")


class PictureRefused(EndpointRefused):
    """The server did not take a request because of the picture in it, as far as its words tell."""


def has_picture(payload: Mapping[str, Any]) -> bool:
    """Whether a rendered request carries a picture."""
    contents = [message.get("content") for message in payload.get("messages") or ()]
    return any(part.get("type") == "image_url" for parts in contents if isinstance(parts, list) for part in parts)


def picture_refused(where: str, status: int, words: str, detail: str) -> PictureRefused | None:
    """What the refusal of a request with a picture comes to; None where the picture was not the matter.

    Args:
        where: the endpoint's address.
        status: of HTTP.
        words: all that the server said.
        detail: the same as it may be shown.
    """
    refused = status in (400, 415, 422, 501)
    if refused and words and (not _OF_CONTENT.search(words) or _OF_LENGTH.search(words)):
        return None
    if not refused and not _NO_INPUT.search(words):
        return None
    said = f"{status}: {detail}" if detail else str(status)
    return PictureRefused(f"the chat endpoint {where} did not take the picture ({said}): {ONLY_READS}")


def with_hint(busy: EndpointBusy) -> EndpointBusy:
    """The failure of a request with a picture that may have been the reason, in a sentence that says so."""
    if not busy.timed_out and not busy.too_often:
        busy.args = (f"{busy}; a picture was sent: {ONLY_READS}",)
    return busy
