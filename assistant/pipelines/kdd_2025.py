"""The simplest strong pipeline of the benchmark's challenge that is public: crops, many queries, a model that re-ranks.

After rbiswasfc/crag-mm (Team NVIDIA, Apache-2.0), first in task 2 of the KDD Cup 2025: the steps and figures are those
of its agent. Ours are the prompts, the marks that say what a sentence rests on, the check of each sentence, withheld
pages that give orders, and four smaller things: equal crops are searched for once (there a portrait frame's are eight,
four of them alike), the first token's ten likeliest words are asked for instead of twenty, the temperature is 0
throughout, and the re-ranker, too, is told the earlier questions only.

Needs log-probabilities. Its thresholds belong to its own fine-tuned weights and to the published index: with another
model they are a starting point (see `FIGURES`).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.events import Event, EvidenceFound, Planned, StageFinished, StageStarted
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing
from assistant.core.types import Conversation, Evidence, Frame
from assistant.models.protocol import ModelReply, Prompt
from assistant.pipelines.asking import ask, ask_each, said
from assistant.pipelines.base import Eyes, Seen, Tools
from assistant.pipelines.evidence_lines import (
    EARLIER_CHARS,
    EARLIER_TURNS,
    WHOLE,
    Room,
    Shown,
    chosen,
    fenced,
)
from assistant.pipelines.raw_evidence import PIECE_CHARS, count_tokens, names_of, of_image, of_pages
from assistant.pipelines.searching import (
    QUERY_CHARS,
    find_pages,
    find_pictures,
    pictures_for,
    plan_as_asked,
    query_prompt,
    search_of,
)
from assistant.pipelines.time_left import RE_RANKING, REWRITING, WEB_SEARCH, no_time_for
from assistant.pipelines.writing import Task, write_answer
from assistant.text.english import plain
from assistant.understanding.plan import Plan


@dataclass(frozen=True)
class Figures:
    """The published agent's constants. Those marked * belong to its fine-tuned Llama 3.2 11B Vision
    (rbiswasfc/aicrowd-kddcup-v9) or to the published image index, and want calibrating for another model or index.

    crops: squares of the frame that are searched for, the whole frame among them.
    images: results for each crop, and how many count in the end.
    image_score*: pictures above it count, else the best one alone.
    entity_score*: names of pictures above it are searched the web for.
    entities, attributes: of one picture, at most.
    queries, query_tokens: web queries that the model writes.
    pages, most_pages: results for each query, and how many count in the end.
    relevance*: contexts count from this P(yes) on.
    least_contexts: so many count in any case, but for egocentric frames (960x1280), where none does.
    most_contexts: no more count.
    context_tokens: what they may take of the prompt.
    answer_tokens: where the answer is cut.
    unsure*: the answer is "I don't know" where its first token is "I" with a probability above this.
    """

    crops: int = 32
    overlaps: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4)
    images: int = 4
    image_score: float = 0.725
    entity_score: float = 0.8
    entities: int = 3
    attributes: int = 32
    queries: int = 8
    query_tokens: int = 128
    pages: int = 4
    most_pages: int = 12
    relevance: float = 0.6
    least_contexts: int = 4
    most_contexts: int = 8
    context_tokens: int = 7_000
    answer_tokens: int = 75
    unsure: float = 0.1658


FIGURES = Figures()
EGOCENTRIC_PX = (960, 1280)
_ITEM = re.compile(r"^\s*(?:\d{1,2}\s*[.):]|[-*•])\s*(.+)$", re.MULTILINE)

#: What is shown or left out as one: a page's snippet, or what is known of the things on one picture.
Context = tuple[Evidence, ...]


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    seen = yield from eyes.glance()
    plan = yield from plan_as_asked(request, turn, tools)
    given = request.handed
    if given is None:
        turn.evidence = yield from _retrieve(plan, request, seen, turn, tools)
    else:
        turn.evidence = given
    yield EvidenceFound(turn.evidence)
    request.go_on()
    shown = _shown(plan, turn.evidence, request, seen, tools)
    frame = seen.frame if tools.shows_pictures else None
    task = Task(
        shown,
        plan,
        frame,
        seen.lines,
        request.left_s(),
        request.conditions.check,
        request.cancelled,
        max_tokens=FIGURES.answer_tokens,
        most_sentences=1,
        veto=unsure,
    )
    yield from write_answer(task, turn, tools)


def _retrieve(
    plan: Plan, request: Request, seen: Seen, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, tuple[Evidence, ...]]:
    """Pictures like the crops, pages for the queries, and of both what the model finds relevant."""
    search = search_of(tools)
    yield StageStarted("retrieve")
    with Timing(tools.clock) as ms:
        crops = crops_of(seen.frame) if seen.frame is not None else []
        pictures = pictures_that_count(find_pictures(search, crops, FIGURES.images))
    yield StageFinished("retrieve", ms(), f"{len(crops)} crops, {len(pictures)} pictures like them")
    request.go_on()

    no_web = no_time_for(WEB_SEARCH, request, tools.pace)
    queries: list[str] = []
    if not no_web:
        queries = yield from _queries(plan, pictures, request, seen, turn, tools)
    yield Planned((), tuple(queries), plan.intent)
    request.go_on()

    yield StageStarted("retrieve")
    notes: list[str] = [no_web] if no_web else []
    with Timing(tools.clock) as ms:
        pages: list[Evidence] = []
        if queries and not (no_web := no_time_for(WEB_SEARCH, request, tools.pace)):
            with tools.pace.measured(WEB_SEARCH, tools.clock):
                pages = of_pages(find_pages(search, queries, FIGURES.pages)[: FIGURES.most_pages])
        elif no_web and not notes:
            notes.append(no_web)
        alike = (of_image(p, most_entities=FIGURES.entities, most_attributes=FIGURES.attributes) for p in pictures)
        room = Room(FIGURES.context_tokens, PIECE_CHARS, count_tokens)
        contexts = [c for found in (*alike, *([page] for page in pages)) if (c := chosen(found, room))]
        if left_out := no_time_for(RE_RANKING, request, tools.pace):
            notes.append(left_out)
            kept = contexts[: FIGURES.most_contexts]
        else:
            kept = relevant(contexts, _relevances(contexts, plan, request, seen, turn, tools), seen.frame)
        shown = chosen([piece for context in kept for piece in context], room)
    notes.insert(0, f"{len(kept)} of {len(contexts)} contexts")
    yield StageFinished("retrieve", ms(), "; ".join(notes))
    return shown


def crops_of(frame: Frame) -> list[Frame]:
    """The frame, its squares at both ends and in the middle, and squares that slide along it; none twice."""
    width, height = frame.width_px, frame.height_px
    side = min(width, height)
    long = max(width, height)
    places = [0, (long - side) // 2, long - side]
    for overlap in FIGURES.overlaps:
        places += range(0, long - side + 1, max(1, int(side * (1 - overlap))))
    crops = [frame]
    for place in dict.fromkeys(places) if long > side else ():
        x, y = (place, 0) if width > height else (0, place)
        crops.append(Frame(frame.pixels[y : y + side, x : x + side].copy()))
    return crops[: FIGURES.crops]


def pictures_that_count(results: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Of pictures found, the likest first: those of a score above the threshold, else the first; what says the same
    counts once.
    """
    distinct: dict[tuple[str, ...], Mapping[str, Any]] = {}
    for result in results:
        if text := tuple(piece.text for piece in of_image(result, most_entities=FIGURES.entities)):
            distinct.setdefault(text, result)
    found = list(distinct.values())
    good = [result for result in found if result["score"] > FIGURES.image_score]
    return good[: FIGURES.images] or found[:1]


def _queries(
    plan: Plan, pictures: Sequence[Mapping[str, Any]], request: Request, seen: Seen, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, list[str]]:
    """The model's queries and one with the names that are sure; the question itself where neither is there."""
    yield StageStarted("plan")
    with Timing(tools.clock) as ms:
        queries: list[str] = []
        if not (note := no_time_for(REWRITING, request, tools.pace, RE_RANKING, WEB_SEARCH)):
            count, tokens = str(FIGURES.queries), FIGURES.query_tokens
            prompt = query_prompt("kdd-queries", plan, Conversation(""), seen, tools, tokens, count=count)
            queries = listed_queries(said(ask(prompt, REWRITING, request, turn, tools)))
        names = [names_of(picture)[0] for picture in pictures if picture["score"] > FIGURES.entity_score]
        if names:
            queries.append(f"{', '.join(dict.fromkeys(names))} : {plan.question}")
    yield StageFinished("plan", ms(), note or f"{len(queries)} web queries")
    return queries or [plan.question]


def listed_queries(text: str) -> list[str]:
    """The queries of a numbered list; no more than were asked for, none twice."""
    lines = (plain(line.strip(" \"'*`“”"), QUERY_CHARS) for line in _ITEM.findall(text))
    return list(dict.fromkeys(filter(None, lines)))[: FIGURES.queries]


def _relevances(
    contexts: Sequence[Context], plan: Plan, request: Request, seen: Seen, turn: OpenTurn, tools: Tools
) -> list[float]:
    """P(yes) of each context, asked of the model one by one.

    Raises:
        Stop: the model gave no answer, or no probabilities.
    """
    system = {"role": "system", "content": tools.prompts.fill("kdd-rank")}
    pictures = pictures_for(seen, tools)
    asked = f"Question: {plan.question}\nDoes the evidence say enough to answer it?"
    room = Room(FIGURES.context_tokens, PIECE_CHARS)
    before = _earlier_questions(request.conversation)
    texts = ("\n\n".join((*before, fenced(context, room), asked)) for context in contexts)
    prompts = [
        Prompt([system, {"role": "user", "content": text}], pictures, max_tokens=1, first_token=True) for text in texts
    ]
    return [p_yes(_probabilities(reply)) for reply in ask_each(prompts, RE_RANKING, request, turn, tools)]


def relevant(contexts: Sequence[Context], relevances: Sequence[float], frame: Frame | None) -> list[Context]:
    """The contexts that count, the most relevant first."""
    egocentric = frame is not None and (frame.width_px, frame.height_px) == EGOCENTRIC_PX
    least = 0 if egocentric else FIGURES.least_contexts
    order = sorted(range(len(contexts)), key=lambda n: -relevances[n])
    good = [n for place, n in enumerate(order) if relevances[n] >= FIGURES.relevance or place < least]
    return [contexts[n] for n in good[: FIGURES.most_contexts]]


def p_yes(first_token: Mapping[str, float]) -> float:
    """P(yes) among yes and no; 0.5 where the model said neither."""
    yes, no = _likeliest(first_token, "yes"), _likeliest(first_token, "no")
    return yes / (yes + no) if yes + no > 0 else 0.5


def unsure(reply: ModelReply) -> str:
    """Why an answer may not be shown: it may well have been going to be "I don't know". "" where it may.

    Raises:
        Stop: the model gives no probabilities.
    """
    p = _likeliest(_probabilities(reply), "i")
    return f"the model is unsure (it begins with “I” at {p:.0%})" if p > FIGURES.unsure else ""


def _probabilities(reply: ModelReply) -> Mapping[str, float]:
    if not reply.first_token:
        raise Stop(
            "error",
            f"the pipeline kdd-2025 needs log-probabilities and the model {reply.model!r} gives none: choose another "
            "model, or a pipeline that does without",
        )
    return reply.first_token


def _likeliest(first_token: Mapping[str, float], word: str) -> float:
    """The probability of the word's likeliest spelling (" Yes", "yes", ...)."""
    return max((p for token, p in first_token.items() if token.strip().lower() == word), default=0.0)


def _earlier_questions(conversation: Conversation) -> list[str]:
    asked = [plain(turn.question, EARLIER_CHARS) for turn in conversation.turns[-EARLIER_TURNS:]]
    lines = "\n".join(f"- {question}" for question in asked)
    return [f"The wearer asked before:\n{lines}"] if asked else []


def _shown(plan: Plan, evidence: Sequence[Evidence], request: Request, seen: Seen, tools: Tools) -> Shown:
    """The prompt for the answer, but for the pictures. What a run hands in is shown whole, its pictures too."""
    handed = request.given.get("evidence") is not None
    room = WHOLE if handed else Room(FIGURES.context_tokens, PIECE_CHARS, count_tokens)
    shows, with_picture = handed and tools.shows_pictures, seen.frame is not None and tools.shows_pictures
    first = "first " if shows and any(piece.picture for piece in evidence) else ""
    asked = [f"The {first}picture is what the wearer sees."] if with_picture else []
    asked.append(f"Question: {plan.question}")

    def task(pieces: Sequence[Evidence]) -> str:
        told = [fenced(pieces, room, 1 + with_picture if shows else 0)] if pieces else []
        return "\n\n".join([*_earlier_questions(request.conversation), *told, *asked])

    pieces = chosen(evidence, room, shows)
    return Shown(tools.prompts.fill("kdd-answer"), (), pieces, task, shows, piece_chars=room.piece_chars)
