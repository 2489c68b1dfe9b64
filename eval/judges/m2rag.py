"""The judge `m2rag`: has a model score answers by the metrics of M2RAG that need one (`eval.metrics.m2rag`).

It gives scores and no verdict: nobody says what a right answer would be. One call each for fluency and relevance; two
for faithfulness (what the answer states, and what of it the contexts support); one for every context, for their
precision; three for every picture. Contexts are the pages that were handed over, in their order, then the captions of
the pictures in the answer. A model that sees gets the pictures themselves, at most 512 pixels wide and high, where
their data are still at hand; else it gets their captions, and `seen` says so. Every call is at temperature 0, so that
replies are kept and what was asked before is known.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.core.errors import BadImage, PromptTooLong
from assistant.models.chat.client import ChatClient
from assistant.models.picture import fitted
from assistant.models.protocol import ModelReply
from assistant.models.thinking import part
from assistant.text.encoder import text_encoder
from eval.judges.m2rag_prompts import Asked, framed, numbered, prompts_digest, system_message
from eval.judges.protocol import Handed, Judgement
from eval.metrics.m2rag import PICTURE_METRICS, context_precision, faithfulness, score_in
from eval.metrics.m2rag_answers import Parts, Placed, answer_of, context, take_apart

#: Enough for a reason and a score; statements of a long answer take more.
MAX_TOKENS, MAX_LIST_TOKENS = 1024, 4096
PICTURE_PX = 512
#: More statements than an answer of several pages makes.
MOST_STATEMENTS = 200
#: A context that no model reads whole is halved so often, then the metric is left open.
_HALVINGS = 5
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.):])\s+")
_VERDICT = re.compile(r"^\W*(?:statement\W*)?(\d{1,4})[*_`\s]*[:.)=\]-]+[*_`\s]*([01])\b", re.IGNORECASE | re.MULTILINE)


class M2ragJudge:
    """One model that scores. Safe to share between threads."""

    def __init__(self, client: ChatClient, handed: Handed):
        self._client, self._handed = client, handed
        self.model = client.options.model
        self.prompt = prompts_digest()

    def judge(self, line: Mapping[str, Any], cancelled: threading.Event | None = None) -> Judgement:
        """Score one turn's line.

        Raises:
            EndpointBusy, EndpointRefused, Cancelled: as `eval.judges.llm.LlmJudge.judge`.
        """
        asking = _Asking(self._client, cancelled)
        evidence = [piece for piece in self._handed.evidence(line) if isinstance(piece, Mapping)]
        pictures = [piece for piece in evidence if piece.get("kind") == "picture"]
        parts = take_apart(answer_of(line), [str(piece.get("source")) for piece in pictures])
        captions = [str(pictures[placed.picture].get("text") or "") for placed in parts.placed]
        scores = _texts(asking, str(line["query"]), parts, [*_pages(evidence), *filter(None, captions)])
        scores["pictures"] = [
            self._picture(asking, line, placed, str(pictures[placed.picture].get("source")), caption)
            for placed, caption in zip(parts.placed, captions, strict=True)
        ]
        return Judgement(None, _said(scores), {"scores": scores, **asking.more()})

    def _picture(
        self, asking: _Asking, line: Mapping[str, Any], placed: Placed, source: str, caption: str
    ) -> dict[str, Any]:
        shown = self._pixels(line, source) if self._client.sees else None
        above, below = context(placed, text_encoder().token_spans)
        told = [("text above the picture", above), ("text below the picture", below)]
        if shown is None:
            told.insert(1, ("description of the picture", caption or placed.caption))
        images = () if shown is None else (shown,)
        found: dict[str, Any] = {"source": source, "seen": shown is not None}
        for name in PICTURE_METRICS:
            found[name] = asking.score(name, framed(*told), images)  # type: ignore[arg-type]
        return found

    def _pixels(self, line: Mapping[str, Any], source: str) -> bytes | None:
        picture = self._handed.picture(line, source)
        try:
            return fitted(picture, min(PICTURE_PX, self._client.picture_px)) if picture is not None else None
        except BadImage:
            return None


def _texts(asking: _Asking, query: str, parts: Parts, contexts: Sequence[str]) -> dict[str, Any]:
    """The four metrics of the text; an answer without words has none of them but faithfulness, which it lacks."""
    text = parts.text.strip()
    if not text:
        return {"fluency": 0.0, "relevance": 0.0, "context_precision": 0.0, "faithfulness": None}
    asked, answer = ("question", query), ("answer", text)
    return {
        "fluency": asking.score("fluency", framed(("text", text))),
        "relevance": asking.score("relevance", framed(asked, ("text", text))),
        "context_precision": _precision(asking, asked, answer, contexts),
        "faithfulness": _faithfulness(asking, asked, answer, contexts),
    }


def _pages(evidence: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was handed over of each page, as one context, in the order of the pages."""
    pages: dict[tuple[str, str], list[str]] = {}
    for piece in evidence:
        if piece.get("kind") != "picture" and piece.get("text"):
            # by its number too: pages without an address are not one page
            page = (str(piece.get("id") or "").partition("/")[0], str(piece.get("source")))
            pages.setdefault(page, []).append(str(piece["text"]))
    return ["\n".join(texts) for texts in pages.values()]


def _precision(
    asking: _Asking, asked: tuple[str, str], answer: tuple[str, str], contexts: Sequence[str]
) -> float | None:
    """None where one of the contexts was given no verdict."""
    useful = []
    for one in contexts:
        reply = asking.about([one], lambda texts: ("use", framed(asked, answer, ("source", texts[0]))))
        found = score_in(reply) if reply is not None else None
        if found is None:
            return None
        useful.append(found > 0)
    return context_precision(useful)


def _faithfulness(
    asking: _Asking, asked: tuple[str, str], answer: tuple[str, str], contexts: Sequence[str]
) -> float | None:
    """None where the answer states nothing, or a statement was given no verdict."""
    reply = asking.reply("statements", framed(asked, answer), most=MAX_LIST_TOKENS)
    statements = statements_in(reply) if reply is not None else []
    if not statements:
        return None
    told = ("statements", numbered(statements))
    reply = asking.about(
        contexts, lambda texts: ("support", framed(("sources", numbered(texts)), told)), most=MAX_LIST_TOKENS
    )
    supported = supported_in(reply, len(statements)) if reply is not None else None
    return faithfulness(supported) if supported is not None else None


def statements_in(reply: str) -> list[str]:
    """The statements of a reply, one a line; [] where it says NONE. What leads up to them ("These are:") is none."""
    lines = [" ".join(_BULLET.sub("", line).split()) for line in reply.splitlines()]
    lines = [line for line in lines if not line.rstrip("*_ ").endswith(":")]
    found = [line for line in lines if line and line.strip("*_`. ").upper() != "NONE" and not line.startswith("```")]
    return found[:MOST_STATEMENTS]


def supported_in(reply: str, n: int) -> list[bool] | None:
    """Of n statements whether each is supported, the last word on each; None where one is left out."""
    told = {int(match[1]): match[2] == "1" for match in _VERDICT.finditer(reply)}
    return [told[number] for number in range(1, n + 1)] if all(number in told for number in range(1, n + 1)) else None


class _Asking:
    """The calls about one answer, and what they took."""

    def __init__(self, client: ChatClient, cancelled: threading.Event | None):
        self._client, self._cancelled = client, cancelled
        self._replies: list[dict[str, str]] = []
        self._calls = 0
        self._spent: dict[str, float] = {}

    def score(self, asked: Asked, text: str, images: Sequence[bytes] = ()) -> float | None:
        """0 to 1; None where the reply has no score."""
        reply = self.reply(asked, text, images)
        return score_in(reply) if reply is not None else None

    def about(self, contexts: Sequence[str], ask: Any, most: int = MAX_TOKENS) -> str | None:
        """As `reply`, to what `ask` makes of contexts, with less of each where the model cannot read so much."""
        texts = list(contexts)
        for _ in range(_HALVINGS):
            asked, text = ask(texts)
            try:
                return self._asked(asked, text, (), most)
            except PromptTooLong:
                texts = [one[: len(one) // 2] for one in texts]
        return None

    def reply(self, asked: Asked, text: str, images: Sequence[bytes] = (), most: int = MAX_TOKENS) -> str | None:
        """What the model answers, its thinking left out; None where it did not come to its end."""
        try:
            return self._asked(asked, text, images, most)
        except PromptTooLong:
            return None

    def _asked(self, asked: Asked, text: str, images: Sequence[bytes], most: int) -> str | None:
        messages = ({"role": "system", "content": system_message(asked)}, {"role": "user", "content": text})
        reply = self._client.complete(messages, images=images, max_tokens=most, cancelled=self._cancelled)
        self._count(asked, reply)
        return part(reply.text).answer if reply.whole else None

    def _count(self, asked: Asked, reply: ModelReply) -> None:
        self._replies.append({"asked": asked, "reply": reply.text or reply.reasoning})
        self._calls += not reply.cached
        took: dict[str, float] = {
            "prompt_tokens": reply.prompt_tokens or 0,
            "completion_tokens": reply.completion_tokens or 0,
        }
        prices = self._client.options.prices
        if prices is not None and not reply.cached:
            took["cost"] = prices.cost(reply.prompt_tokens or 0, reply.completion_tokens or 0)
        for name, value in took.items():
            self._spent[name] = self._spent.get(name, 0) + value

    def more(self) -> dict[str, Any]:
        """What the judgement's line keeps of the calls."""
        spent = {name: round(value, 8) for name, value in self._spent.items()}
        return {"replies": self._replies, "calls": self._calls, **spent}


def _said(scores: Mapping[str, Any]) -> str:
    texts = ", ".join(
        f"{name.replace('_', ' ')} {'open' if value is None else f'{value:.2f}'}"
        for name, value in scores.items()
        if name != "pictures"
    )
    n = len(scores["pictures"])
    return f"{texts}; {n or 'no'} picture{'' if n == 1 else 's'}"
