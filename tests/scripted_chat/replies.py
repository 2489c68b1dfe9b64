"""What the scripted server says: a function of the request alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_WORD = re.compile(r"[a-z0-9]+")
_LINE = re.compile(r"^\s*\[(\d+)\]\s*(.+)$", re.MULTILINE)
_QUESTION = re.compile(r"^\s*(?:question|query)\s*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
#: "The question is about: …", and what a line of evidence begins with ("about X, page “Y”: …").
_ABOUT = re.compile(r"^The question is about: (.+)$", re.MULTILINE)
_HEAD = re.compile(r"^(?:about [^:“]+|(?:about [^“:]+, )?page “[^”]*”[^:]*|(?:read|recognised) in the picture): ")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an and are at be by did do does for from had has have how in is it its many much of on or that the their "
        "there this to was were what when where which who whose why will with you your i me my picture question",
    )
)
JUDGE_FORMS = {
    "": "Result: {verdict}",
    "json": '{{"verdict": "{verdict}"}}',
    "prose": "Both speak of the same thing, so I compared the values.\n\nResult: {verdict}\n\nThat is all.",
    "cut": "Result: {verdict}\nThe reason is that the answ",
}


@dataclass(frozen=True)
class Said:
    text: str
    reasoning: str = ""
    finish_reason: str | None = "stop"
    size: int = 0
    done: bool = True
    first_token: Mapping[str, float] | None = None
    calls: tuple[tuple[str, str], ...] = ()  # names of functions, and their arguments as JSON


@dataclass(frozen=True)
class Rules:
    """`script`: the rules of a script file; `judge_correct`: the share of requests a judge calls correct."""

    script: tuple[Mapping[str, Any], ...] = ()
    judge_correct: float = 0.5


def digest_of(body: Mapping[str, Any]) -> str:
    """SHA-256 of what the reply depends on."""
    kept = {k: v for k, v in body.items() if k not in ("stream", "stream_options")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def share_of(*parts: object) -> float:
    """A number in 0..1 that depends on `parts` alone."""
    return int(hashlib.sha256(repr(parts).encode()).hexdigest()[:13], 16) / 16**13


def texts_of(body: Mapping[str, Any]) -> list[str]:
    """The text of every message, pictures left out."""
    out = []
    for message in body.get("messages") or []:
        content = message.get("content") or ""
        if isinstance(content, list):
            content = "\n".join(str(p.get("text", "")) for p in content if p.get("type") == "text")
        out.append(str(content))
    return out


def images_of(body: Mapping[str, Any]) -> list[str]:
    """The data URLs of all pictures."""
    return [
        part["image_url"]["url"]
        for message in body.get("messages") or []
        if isinstance(message.get("content"), list)
        for part in message["content"]
        if part.get("type") == "image_url"
    ]


def reply_to(body: Mapping[str, Any], rules: Rules) -> Said:
    """The reply; `body` is the whole request."""
    texts = texts_of(body)
    everything, pictures = "\n".join(texts), images_of(body)
    model = str(body.get("model", ""))
    for rule in rules.script:
        if rule.get("model", model) != model:
            continue
        may_call = bool(body.get("tools")) and body.get("tool_choice") != "none"
        if rule.get("tools", may_call) != may_call:
            continue
        if "sees" in rule and not (pictures and colour_of(pictures[-1]) == rule["sees"]):
            continue
        if found := re.search(rule.get("match", ""), everything, re.DOTALL | re.IGNORECASE):
            text = re.sub(r"\{(\d)\}", lambda m, f=found: f.group(int(m.group(1))) or "", rule.get("reply", ""))
            calls = tuple((name, arguments) for name, arguments in rule.get("calls", ()))
            reason = rule.get("finish_reason", "tool_calls" if calls else "stop")
            end = reason, rule.get("size", 0), rule.get("done", True)
            return Said(text, rule.get("reasoning", ""), *end, rule.get("first_token"), calls)
    name, _, form = model.partition(":")
    if name == "judge":
        return _judge(digest_of(body), form, rules.judge_correct)
    if name == "hash":
        return Said(f"Reply {digest_of(body)[:12]}.")
    return Said(_echo(texts))


def colour_of(url: str) -> str:
    """The colour of the middle of a picture, as a word."""
    import base64
    import io

    from PIL import Image

    picture = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")
    pixel: Any = picture.getpixel((picture.width // 2, picture.height // 2))
    return max(zip(pixel, ("Red", "Green", "Blue"), strict=True))[1]


def _stems(text: str) -> set[str]:
    """The first six letters of each word that carries meaning."""
    return {w[:6] for w in _WORD.findall(text) if w not in _COMMON}


def _judge(digest: str, form: str, correct: float) -> Said:
    verdict = "CORRECT" if share_of("judge", digest) < correct else "WRONG"
    if form == "reasoning":
        return Said("", f"The values agree or not; the result is {verdict}.")
    return Said(JUDGE_FORMS[form].format(verdict=verdict), finish_reason="length" if form == "cut" else "stop")


def _echo(texts: Sequence[str]) -> str:
    last = texts[-1] if texts else ""
    asked = _QUESTION.findall(last)
    named = set(_WORD.findall(" ".join(_ABOUT.findall(last)).lower()))
    wanted = _stems((asked[-1] if asked else last).lower()) - {w[:6] for w in named}
    best, most = "", 0
    for number, line in _LINE.findall(last):
        says = _HEAD.sub("", line.strip())
        shared = len(wanted & _stems(says.lower()))
        if shared > most:
            best, most = f"{says.rstrip('.')} [{number}].", shared
    return best or "I don't know."
