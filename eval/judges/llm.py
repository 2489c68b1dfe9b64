"""The judge `llm`: asks a model at any OpenAI-compatible endpoint whether an answer is right.

Exact matches, refusals and empty answers are never asked about, as in the benchmark. One call a turn at temperature 0,
the reply kept whole in the judgement. What the model says is read by `eval.judges.replies`; a reply that cannot be
read, or that did not come to its end, is a judgement without a verdict, which the public reading takes for wrong and
ours leave open, with bounds.

A refusal in words that the public rule does not know is wrong by the benchmark's first rule, and so in the public
reading; in ours it is missing, as any refusal.

Not covered: pictures. The benchmark's judge sees texts only, and so does this one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from assistant.models.chat.client import ChatClient
from assistant.models.endings import ending
from eval.data.truths import truths_of
from eval.judges.exact import trivial_verdict
from eval.judges.prompts import PromptLabels, prompt_digest, system_message, user_message
from eval.judges.protocol import Judgement
from eval.judges.replies import Reading, public_reading, read_verdict
from eval.metrics.refusals import is_refusal_ours

#: Enough for a reason and the verdict; models that think aloud first are given room.
MAX_TOKENS = 1024
_UNFINISHED: dict[str | None, str] = {
    "length": "the reply was cut off",
    "content_filter": "the judging model refused to reply",
}


class LlmJudge:
    """One model that judges. Safe to share between threads."""

    def __init__(self, client: ChatClient, labels: PromptLabels = "crag", max_tokens: int = MAX_TOKENS):
        self._client = client
        self._labels = labels
        self._max_tokens = max_tokens
        self._system = system_message(labels)
        self.model = client.options.model
        self.prompt = prompt_digest(labels)

    def judge(self, line: Mapping[str, Any], cancelled: threading.Event | None = None) -> Judgement:
        """Judge one turn's line.

        Raises:
            EndpointBusy: the endpoint was not to be had; nothing is known about this turn.
            EndpointRefused: asking again would not help.
            Cancelled: `cancelled` was set.
        """
        if (early := trivial_verdict(line)) is not None:
            return early
        truth, *others = truths_of(line)
        messages = (
            {"role": "system", "content": self._system},
            {"role": "user", "content": user_message(line["query"], truth, line["agent_response"], others)},
        )
        reply = self._client.complete(messages, max_tokens=self._max_tokens, cancelled=cancelled)
        if reply.whole:
            read, public = read_verdict(reply.text, self._labels), public_reading(reply.text)
        else:
            read, public = Reading(None, _UNFINISHED.get(ending(reply.finish_reason), "the reply did not end")), None
        spent: dict[str, float | None] = {
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
        }
        prices = self._client.options.prices
        if prices is not None and not reply.cached:
            spent["cost"] = round(prices.cost(reply.prompt_tokens or 0, reply.completion_tokens or 0), 8)
        ours = None if read.verdict is None else read.verdict == "correct"
        verdict, why = read.verdict, read.why
        if verdict == "wrong" and is_refusal_ours(line["agent_response"]):
            verdict, why = "missing", f"a refusal, in words the public rule does not know: {why}"
        return Judgement(
            verdict,
            why,
            {
                "reply": reply.text or reply.reasoning,
                **({"public_reading": public} if public is not ours else {}),
                **{name: value for name, value in spent.items() if value is not None},
                **({"cached": True} if reply.cached else {}),
                **({"cut": True} if ending(reply.finish_reason) == "length" else {}),
            },
        )
