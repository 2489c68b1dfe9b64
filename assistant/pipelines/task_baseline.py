"""What the benchmark's three baselines share: evidence within its limits of tokens, the prompt, the answer.

CRAG-MM (arXiv 2510.26160) compares "MM-LLM only" with a straightforward RAG baseline for each of its tasks. The figures
here are those the baselines are described by; the paper's own section was not at hand when this was written, so compare
before you cite. The prompts, the order of the evidence and what is done with markup are ours, and so is the check of
each sentence, which every pipeline here goes through. The threshold belongs to the published image index (CLIP
ViT-L/14@336): over an index of another encoder it lets other things through.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from assistant.core.events import Event, Planned, StageStarted
from assistant.core.turn_builder import OpenTurn, Request, Timing
from assistant.core.types import Conversation, Evidence
from assistant.pipelines.base import Eyes, Seen, Tools
from assistant.pipelines.evidence_lines import WHOLE, Room, chosen, compose
from assistant.pipelines.raw_evidence import PIECE_CHARS, count_tokens, of_images, of_pages
from assistant.pipelines.searching import find_pages, find_pictures, plan_as_asked, rewrite, search_of, tell_evidence
from assistant.pipelines.time_left import WEB_SEARCH, no_time_for
from assistant.pipelines.writing import Task, write_answer
from assistant.understanding.plan import Plan

#: The baseline's: pictures that are asked for, the least score of those that count, tokens of what they say.
IMAGES, LEAST_SCORE, IMAGE_TOKENS = 30, 0.75, 2_000
#: The baseline's: pages that are asked for, tokens of their snippets.
PAGES, PAGE_TOKENS = 50, 8_000
_ALL = Room(10**9, PIECE_CHARS)


@dataclass(frozen=True)
class Baseline:
    """Which sources a task allows: the web beside the pictures, what was said before beside the question."""

    web: bool
    history: bool


def answer_with(baseline: Baseline, request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    """A whole turn of one of the baselines."""
    seen = yield from eyes.glance()
    conversation = request.conversation if baseline.history else Conversation(request.conversation.id)
    plan = yield from plan_as_asked(request, turn, tools)
    evidence = request.handed
    if evidence is None:
        evidence = yield from _retrieve(baseline, plan, conversation, request, seen, turn, tools)
    else:
        yield StageStarted("retrieve")
        yield from tell_evidence(turn, evidence, evidence, 0.0, "given")
    request.go_on()
    frame = seen.frame if tools.shows_pictures else None
    shown = compose(
        tools.prompts,
        tools.strictness,
        plan,
        conversation,
        evidence,
        with_picture=frame is not None,
        shows=tools.shows_pictures,
        room=_ALL if request.given.get("evidence") is None else WHOLE,
    )
    check, cancelled = request.conditions.check, request.cancelled
    yield from write_answer(Task(shown, plan, frame, seen.lines, request.left_s(), check, cancelled), turn, tools)


def _retrieve(
    baseline: Baseline,
    plan: Plan,
    conversation: Conversation,
    request: Request,
    seen: Seen,
    turn: OpenTurn,
    tools: Tools,
) -> Generator[Event, None, tuple[Evidence, ...]]:
    """What the pictures like the frame say, then what the pages say."""
    search, note = search_of(tools), ""
    query = ""
    if baseline.web and not (note := no_time_for(WEB_SEARCH, request, tools.pace)):
        query = yield from rewrite(plan, seen, conversation, request, turn, tools)
    else:
        yield Planned((), (), plan.intent)
    request.go_on()
    yield StageStarted("retrieve")
    with Timing(tools.clock) as ms:
        alike = find_pictures(search, [seen.frame], IMAGES) if seen.frame is not None else []
        pictures = of_images(result for result in alike if result["score"] >= LEAST_SCORE)
        pages: list[Evidence] = []
        if query and not (note := no_time_for(WEB_SEARCH, request, tools.pace)):
            with tools.pace.measured(WEB_SEARCH, tools.clock):
                pages = of_pages(find_pages(search, [query], PAGES))
        shown = (
            *chosen(pictures, Room(IMAGE_TOKENS, PIECE_CHARS, count_tokens)),
            *chosen(pages, Room(PAGE_TOKENS, PIECE_CHARS, count_tokens)),
        )
    yield from tell_evidence(turn, [*pictures, *pages], shown, ms(), note)
    return shown
