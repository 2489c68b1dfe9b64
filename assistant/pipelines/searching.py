"""Stages of the benchmark's presets: what the benchmark's own search finds for a frame and for a question.

They see what the published agents saw: the frame, the question as it was asked, raw search results. What this project
recognises, reads on the frame or understands of the question takes no part.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from assistant.core.errors import VitrineError
from assistant.core.events import Event, EvidenceFound, Planned, StageFinished, StageStarted
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing
from assistant.core.types import Conversation, Evidence, Frame, Recognition
from assistant.index.raw_search import SearchPipeline
from assistant.models.picture import jpeg_of
from assistant.models.protocol import Message, Prompt
from assistant.pipelines.asking import ask, said
from assistant.pipelines.base import Seen, Tools
from assistant.pipelines.evidence_lines import earlier
from assistant.pipelines.time_left import REWRITING, WEB_SEARCH, no_time_for
from assistant.text.english import plain
from assistant.understanding.plan import MAX_QUESTION_CHARS, Plan

QUERY_TOKENS, QUERY_CHARS = 60, 300


def plan_as_asked(request: Request, turn: OpenTurn, tools: Tools) -> Generator[Event, None, Plan]:
    """The question word by word; nothing in view and nothing said before is read into it.

    Raises:
        Stop: nothing is asked, so that no model needs to hear it.
    """
    from assistant.understanding.plan import make_plan

    request.go_on()
    turn.entity = None  # what is recognised here takes no part, so nothing of it is shown as what the answer is about
    yield StageStarted("plan")
    with Timing(tools.clock) as ms, one_blas_thread():
        question = str(request.given.get("query", request.question))
        plan = make_plan(question, Conversation(""), Recognition(), None, tools.knowledge, now=tools.today())
        asked = plain(question, MAX_QUESTION_CHARS)
        if plan.intent != "unclear":
            plan = replace(plan, question=asked, subjects=(), queries=(asked,))
    yield StageFinished("plan", ms())
    if plan.intent == "unclear":
        raise Stop("abstained", plan.reason)
    return plan


def search_of(tools: Tools) -> SearchPipeline:
    """The benchmark's search.

    Raises:
        Stop: no index is open.
    """
    if tools.search is None:
        raise Stop("error", "this pipeline searches an index, and none is open: choose mm-llm, which searches nothing")
    return tools.search


def find_pictures(search: SearchPipeline, frames: Sequence[Frame], k: int) -> list[dict[str, Any]]:
    """The `k` pictures most like each of the frames, the likest of all first.

    Raises:
        Stop: the index cannot be searched with frames.
    """
    try:
        with one_blas_thread():
            found = [result for frame in frames for result in search(frame, k)]
    except VitrineError as problem:
        raise Stop("error", str(problem)) from None
    return sorted(found, key=lambda result: -result["score"])


def find_pages(search: SearchPipeline, queries: Sequence[str], k: int) -> list[dict[str, Any]]:
    """The `k` pages nearest to each of the queries, the nearest of all first, none twice.

    Raises:
        Stop: the index cannot be searched with words.
    """
    try:
        with one_blas_thread():
            found = [result for query in queries for result in search.web(query, k)]
    except VitrineError as problem:
        raise Stop("error", str(problem)) from None
    best: dict[tuple[Any, ...], dict[str, Any]] = {}
    for result in sorted(found, key=lambda result: -result["score"]):
        best.setdefault((result["page_url"], result["page_name"], result["page_snippet"]), result)
    return list(best.values())


def rewrite(
    plan: Plan, seen: Seen, conversation: Conversation, request: Request, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, str]:
    """One web query for the question, written by the model with the picture and the conversation before it.

    Where there is no time for it, or the model writes none, the question is searched for as it stands.

    Raises:
        Stop: the model gave no answer.
    """
    yield StageStarted("plan")
    with Timing(tools.clock) as ms:
        if note := no_time_for(REWRITING, request, tools.pace, WEB_SEARCH):
            query = plan.question
        else:
            prompt = query_prompt("web-query", plan, conversation, seen, tools, QUERY_TOKENS)
            reply = ask(prompt, REWRITING, request, turn, tools)
            query = plain(said(reply).partition("\n")[0].strip(" \"'*`“”"), QUERY_CHARS) or plan.question
            note = f"searching for: {query}"
    yield StageFinished("plan", ms(), note)
    yield Planned((), (query,), plan.intent)
    return query


def query_prompt(
    name: str, plan: Plan, conversation: Conversation, seen: Seen, tools: Tools, max_tokens: int, **fields: str
) -> Prompt:
    """The prompt of that name about the question, with the picture and what was said before."""
    text = tools.prompts.fill(name, question=plan.question, **fields)
    messages: list[Message] = [*earlier(conversation), {"role": "user", "content": text}]
    return Prompt(messages, pictures_for(seen, tools), max_tokens=max_tokens)


def pictures_for(seen: Seen, tools: Tools) -> tuple[bytes, ...]:
    """The frame as it is sent to the model; none where there is none, or the model only reads."""
    if seen.frame is None or tools.model is None or not tools.shows_pictures:
        return ()
    return (jpeg_of(seen.frame, tools.model.picture_px),)


def tell_evidence(
    turn: OpenTurn, found: Sequence[Evidence], shown: Sequence[Evidence], ms: float, note: str = ""
) -> Generator[Event, None, None]:
    """The end of the stage `retrieve`: what the model is shown is the turn's evidence, the rest is counted."""
    turn.evidence = tuple(shown)
    left_out = len(found) - len(shown)
    counted = f"{len(shown)} pieces of evidence" + (f", {left_out} too many or withheld" if left_out else "")
    yield StageFinished("retrieve", ms, "; ".join(filter(None, (counted, note))))
    yield EvidenceFound(turn.evidence)
