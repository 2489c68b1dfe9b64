"""Pictures of the pages whose passages were retrieved, as evidence that a model may place in its answer.

Few of them, for each costs a model as much as a page of text: those whose captions are most like what is asked.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from assistant.core.events import Event, EvidenceFound, StageFinished, StageStarted
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Timing
from assistant.core.types import Evidence
from assistant.index.knowledge import Knowledge, PagePicture
from assistant.pipelines.base import Tools
from assistant.pipelines.evidence_lines import gives_orders
from assistant.text.english import plain
from assistant.understanding.plan import Plan

#: Pages that are looked at, likeliest first; pictures that become evidence.
PAGES, MOST_PICTURES = 8, 6
#: MiniLM's cosine between the query and a caption; what is less like it shows something else. Stated, not fitted: in
#: two hand-written how-tos captions of the thing were at 0.36 to 0.67 to the question, of others mostly below 0.2.
LEAST_LIKENESS = 0.2
CAPTION_CHARS = 300


def add_page_pictures(plan: Plan, request: Request, turn: OpenTurn, tools: Tools) -> Generator[Event, None, None]:
    """Adds them to the turn's evidence, before its passages; nothing where a run or a visitor says what there is."""
    if request.handed is not None or not tools.knowledge.has_page_pictures or "evidence" in tools.without:
        return
    yield StageStarted("retrieve")
    with Timing(tools.clock) as ms, one_blas_thread():
        found = pictures_for(plan, turn.evidence, tools.knowledge)
        first = [e for e in turn.evidence if e.kind in ("text", "code", "entity")]
        turn.evidence = (*first, *found, *(e for e in turn.evidence if e not in first))
    yield StageFinished("retrieve", ms(), f"{len(found)} pictures of pages")
    if found:
        yield EvidenceFound(turn.evidence)


def pictures_for(plan: Plan, evidence: Sequence[Evidence], knowledge: Knowledge) -> list[Evidence]:
    """The pictures of the evidence's pages that are most like what is asked, the likest first."""
    passages = sorted((e for e in evidence if e.kind == "passage"), key=lambda e: -e.score)
    likeliest = {e.source: e for e in reversed(passages)}
    found: dict[str, tuple[PagePicture, Evidence]] = {}
    for url in list(dict.fromkeys(e.source for e in passages))[:PAGES]:
        for picture in knowledge.page_pictures(url):
            if not gives_orders(picture.caption):
                found.setdefault(picture.url, (picture, likeliest[url]))
    if not found:
        return []
    query = plan.queries[0] if plan.queries else plan.question
    captions = [plain(picture.caption, CAPTION_CHARS) or page.title or "" for picture, page in found.values()]
    likeness = knowledge.encode(captions) @ knowledge.encode([query])[0]
    chosen: list[Evidence] = []
    for n, (picture, page) in sorted(enumerate(found.values()), key=lambda one: -float(likeness[one[0]])):
        if likeness[n] < LEAST_LIKENESS or len(chosen) == MOST_PICTURES:
            break
        if (jpeg := picture.read()) is not None:
            text, score = plain(picture.caption, CAPTION_CHARS), round(float(likeness[n]), 4)
            piece = Evidence(f"picture:{n}", "picture", picture.url, text, score, page.subject, title=page.title)
            chosen.append(replace(piece, picture=jpeg))
    return chosen
