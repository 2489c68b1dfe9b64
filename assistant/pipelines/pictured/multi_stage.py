"""An answer with pictures in three steps: the model writes the text, is asked of each picture where it goes, and writes
the text around each picture again so that it speaks of it.

After the "multi-stage" approach of M2RAG (Ma et al., "Multi-modal Retrieval Augmented Multi-modal Generation",
github.com/maziao/M2RAG): one question for each picture, answered by a caption and a place, then one for each place that
got any. There a picture stands before a line and all up to the next picture is written again; here it stands behind a
sentence, and that one and the next are. Ours, too, are the prompts and the check: what was written again is shown only
if every sentence of it passes as the first draft did. Where there is no time for the second step, or the model fails in
it, pictures are placed by likeness (as `separate` does); where that is so of the third, the text stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence

from assistant.core.errors import BadImage
from assistant.core.events import Drafted, Event, SentenceReady, StageFinished, StageStarted, Used
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing, written
from assistant.core.types import Evidence, Sentence
from assistant.models.picture import fitted
from assistant.models.protocol import ModelReply, Prompt
from assistant.models.sentences import Said, SentenceParser
from assistant.pipelines.asking import ask_each, said
from assistant.pipelines.base import Eyes, Tools
from assistant.pipelines.evidence_lines import fenced
from assistant.pipelines.pictured.stages import gather, pictures_of, place_by_likeness, task_for
from assistant.pipelines.placing import as_placed, woven
from assistant.pipelines.sentence_check import Basis, declines, grounded
from assistant.pipelines.time_left import Part, no_time_for
from assistant.pipelines.writing import Task, basis_of, write_answer

INTERLEAVING, REFINING = Part("interleaving", 2.0), Part("refining", 2.0)
PLACE_TOKENS, PIECE_TOKENS = 100, 400
_STOP = re.compile(r"\s*([.!?]?)\s*$")


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    seen = yield from eyes.look()
    plan = yield from gather(request, seen, turn, tools)
    task = task_for(plan, turn.evidence, request, seen, tools, held=True)
    yield from write_answer(task, turn, tools)
    shows_drafts = tools.risk_limit is None and tools.strictness != "severe" and not tools.for_run
    if shows_drafts:
        yield Drafted(written(turn.sentences))
    pictures = pictures_of(task.shown.pieces)
    if pictures:
        behind = yield from _interleave(pictures, task, request, turn, tools)
        if behind is None:
            yield from place_by_likeness(pictures, turn, tools)
        elif behind:
            yield from _refine(behind, task, request, turn, tools)
        if turn.usage is not None:
            yield Used(turn.usage)
    yield from map(SentenceReady, turn.sentences)


def _interleave(
    pictures: Sequence[Evidence], task: Task, request: Request, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, dict[int, list[Sentence]] | None]:
    """The places of sentences, from 0, and the pictures behind them; None where the model could not be asked."""
    yield StageStarted("answer")
    with Timing(tools.clock) as ms:
        told = "\n".join(f"{n}. {sentence.text}" for n, sentence in enumerate(turn.sentences, 1))
        fields = {"question": task.plan.question, "sentences": told}
        prompts = [_about("interleave", [piece], task, tools, PLACE_TOKENS, **fields) for piece in pictures]
        replies, note = _asked(prompts, INTERLEAVING, request, turn, tools)
        behind: dict[int, list[Sentence]] = {}
        basis = basis_of(task, tools)
        for piece, reply in zip(pictures, replies or (), strict=False):
            caption, place = placed_in(said(reply), len(turn.sentences))
            if place is not None:
                behind.setdefault(place, []).append(as_placed(piece, caption, basis, check=task.check))
        placed = sum(map(len, behind.values()))
    yield StageFinished("answer", ms(), note or f"{placed} of {len(pictures)} pictures placed by the model")
    return behind if replies is not None else None


def placed_in(reply: str, sentences: int) -> tuple[str, int | None]:
    """Caption and place of a reply of two lines; the place counts from 0, None where the picture is not wanted."""
    *lines, last = [line.strip() for line in reply.splitlines() if line.strip()] or [""]
    numbers = re.findall(r"-?\d+", last)
    place = int(numbers[-1]) if numbers else 0
    caption = re.sub(r"^(?:the first|caption)\s*:\s*", "", " ".join(lines), flags=re.IGNORECASE).strip('"“”* ')
    return caption, place - 1 if 1 <= place <= sentences else None


def _refine(
    behind: Mapping[int, Sequence[Sentence]], task: Task, request: Request, turn: OpenTurn, tools: Tools
) -> Generator[Event, None, None]:
    """The turn's sentences with the pictures, what stands around each written again where that passes the check."""
    yield StageStarted("answer")
    yield StageStarted("check")
    checking_s = 0.0
    with Timing(tools.clock) as ms:
        drafts, basis = list(turn.sentences), basis_of(task, tools)
        around = {n: [n, n + 1] if n + 1 < len(drafts) and n + 1 not in behind else [n] for n in sorted(behind)}
        numbers = {piece.id: n for n, piece in enumerate(task.shown.pieces, 1)}
        prompts = []
        for n, places in around.items():
            shown = [task.shown.pieces[numbers[s.picture] - 1] for s in behind[n] if s.picture is not None]
            marks = " or ".join(f"[{numbers[piece.id]}]" for piece in shown)
            text = " ".join(with_marks(drafts[m], numbers) for m in places)
            fields = {"question": task.plan.question, "piece": text, "mark": marks}
            prompts.append(_about("refine", shown, task, tools, PIECE_TOKENS, **fields))
        replies, note = _asked(prompts, REFINING, request, turn, tools)
        started, changed = tools.clock(), 0
        anew: dict[int, list[Sentence]] = {}
        for (n, places), reply in zip(around.items(), replies or (), strict=False):
            passed = rewritten(reply, [drafts[m] for m in places], basis, check=task.check)
            if passed:
                changed += 1
                anew |= {m: [] for m in places} | {n: passed}
        checking_s = tools.clock() - started
        turn.sentences = _joined(drafts, anew, behind)
    yield StageFinished("answer", ms() - checking_s * 1000, note or f"{changed} of {len(around)} pieces written again")
    yield StageFinished(
        "check", checking_s * 1000, "" if changed == len(around) or note else "some pieces stay as they were"
    )


def _joined(
    drafts: Sequence[Sentence], anew: Mapping[int, Sequence[Sentence]], behind: Mapping[int, Sequence[Sentence]]
) -> list[Sentence]:
    """What was written again in the place of the drafts; pictures behind the first sentence of their piece."""
    out: list[Sentence] = []
    for n, draft in enumerate(drafts):
        parts = list(anew.get(n, [draft]))
        out += woven(parts, {0: behind.get(n, ())}) if parts else []
    return out


def rewritten(reply: ModelReply, drafts: Sequence[Sentence], basis: Basis, *, check: bool) -> list[Sentence]:
    """The sentences of a piece that was written again; none where one of them may not be shown, rests on less than the
    drafts did, or is one too many.
    """
    parser = SentenceParser(long=True)
    found: list[Said] = [
        s for s in (*parser.feed(reply.text), *parser.finish(cut=not reply.whole)) if s.picture is None
    ]
    sentences = [None if declines(one) else grounded(one, basis, check=check)[0] for one in found]
    passed = [sentence for sentence in sentences if sentence is not None]
    rests_on_less = {s.ground for s in passed} - {s.ground for s in drafts} - {"evidence"}
    return passed if len(passed) == len(found) <= len(drafts) and not rests_on_less else []


def with_marks(sentence: Sentence, numbers: Mapping[str, int]) -> str:
    """The sentence with the marks that the model is told to write."""
    cited = "".join(f"[{numbers[i]}]" for i in sentence.evidence_ids if i in numbers)
    marks = cited or (f"[{sentence.ground}]" if sentence.ground != "evidence" else "")
    return _STOP.sub(rf" {marks}\1", sentence.text, count=1) if marks else sentence.text


def _about(name: str, pieces: Sequence[Evidence], task: Task, tools: Tools, max_tokens: int, **fields: str) -> Prompt:
    """The prompt of that name about pictures, which go along where the model sees any."""
    pictures: list[bytes] = []
    model = tools.model
    assert model is not None
    for piece in pieces if tools.shows_pictures else ():
        try:
            pictures += [fitted(piece.picture, model.picture_px)] if piece.picture else []
        except BadImage:  # its caption is still there
            continue
    numbers = [task.shown.pieces.index(piece) + 1 for piece in pieces]
    shown = fenced(pieces, numbers=numbers) + ("\nThe picture goes along." if pictures else "")
    text = tools.prompts.fill(name, picture=shown, **fields)
    return Prompt([{"role": "user", "content": text}], tuple(pictures), max_tokens=max_tokens)


def _asked(
    prompts: Sequence[Prompt], part: Part, request: Request, turn: OpenTurn, tools: Tools
) -> tuple[list[ModelReply] | None, str]:
    """The replies; None and a note where there is no time or the model fails: what is written already stays.

    Raises:
        Stop: the turn was cancelled.
        EndpointBusy: in runs only.
    """
    if note := no_time_for(part, request, tools.pace):
        return None, note
    try:
        return ask_each(prompts, part, request, turn, tools), ""
    except Stop as stop:
        if stop.status == "cancelled":
            raise
        return None, f"{part.name} failed: {stop.reason}"
