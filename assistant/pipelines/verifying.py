"""Asking a model again whether an answer is right, before it is given ("draft, then check").

On CRAG-MM a verifier took the hallucinations of a strong system from 66 to 15 % (KDD Cup 2025). It looks at the
picture, the evidence and the whole draft, and says yes or no; where the model tells the probabilities of its first
token, the doubt is a number between.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from assistant.core.events import Event, StageFinished, StageStarted
from assistant.core.turn_builder import OpenTurn, Request, Timing
from assistant.core.types import Sentence
from assistant.models.protocol import ModelReply, Prompt
from assistant.pipelines.asking import ask, said
from assistant.pipelines.base import Seen, Tools
from assistant.pipelines.evidence_lines import Room, fenced
from assistant.pipelines.searching import pictures_for
from assistant.pipelines.time_left import Part, no_time_for
from assistant.pipelines.writing import Task

VERIFYING = Part("second look", 1.0)
REPLY_TOKENS = 4


def second_look(
    task: Task, request: Request, seen: Seen, turn: OpenTurn, tools: Tools, sentences: Sequence[Sentence]
) -> Generator[Event, None, float | None]:
    """The probability (0..1) that the draft is wrong, as the model sees it; None where it was left out or says neither.

    Raises:
        Stop, EndpointBusy: the model gave no answer.
    """
    yield StageStarted("check")
    with Timing(tools.clock) as ms:
        doubt: float | None = None
        if not (note := no_time_for(VERIFYING, request, tools.pace)):
            pieces = task.shown.pieces
            told = fenced(pieces, Room(piece_chars=task.shown.piece_chars)) if pieces else ""
            text = tools.prompts.fill(
                "verify",
                question=task.plan.question,
                evidence=told or "There is no evidence beside the picture.",
                answer=" ".join(sentence.text for sentence in sentences),
            )
            pictures = pictures_for(seen, tools) if task.frame is not None else ()
            prompt = Prompt([{"role": "user", "content": text}], pictures, max_tokens=REPLY_TOKENS, first_token=True)
            doubt = doubt_of(ask(prompt, VERIFYING, request, turn, tools))
            note = "a second look said neither yes nor no" if doubt is None else f"a second look doubts it: {doubt:.0%}"
    yield StageFinished("check", ms(), note)
    return doubt


def doubt_of(reply: ModelReply) -> float | None:
    """The probability of "no" against "yes"; by the word itself where no probabilities are told."""
    yes, no = (_probability(word, reply.first_token) for word in ("yes", "no"))
    if yes + no > 0:
        return no / (yes + no)
    word = said(reply).strip(" \"'*`.,!").casefold()
    return 0.0 if word.startswith("yes") else 1.0 if word.startswith("no") else None


def _probability(word: str, first_token: Mapping[str, float]) -> float:
    return sum(p for token, p in first_token.items() if token.strip().casefold() == word)
