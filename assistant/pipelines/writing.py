"""The stage that asks a model: its reply is taken apart while it streams, and each sentence is checked and grounded.

A sentence is emitted once it may be shown, the first before the last is written; where a limit of risk is set, all wait
until it is estimated. Only while the model may be thinking without a tag that says so (`ModelStream.may_be_thinking`)
all wait, because spoken thoughts could not be taken back. What has come of the sentence that is being written is told
as it grows (`Drafted`), but where nothing unchecked is to be seen: under "severe", or a limit of risk. If the first
sentence fails or says that there is no answer, the turn abstains; a later one that fails is dropped. Pictures that the
model places stand between the sentences (`placing`), none before there is a sentence. A model that cannot read so long
a prompt is asked again with less evidence.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain, islice

from assistant.core.errors import PromptTooLong
from assistant.core.events import Drafted, Event, RiskEstimated, SentenceReady, StageFinished, StageStarted, Used
from assistant.core.turn_builder import OpenTurn, Stop
from assistant.core.types import Frame, Sentence
from assistant.models.picture import fitted, jpeg_of
from assistant.models.protocol import ModelReply, ModelStream, Prompt, VisionLanguageModel
from assistant.models.sentences import Said, SentenceParser
from assistant.pipelines.asking import as_status
from assistant.pipelines.base import Tools
from assistant.pipelines.evidence_lines import Shown
from assistant.pipelines.placing import as_placed, named_by
from assistant.pipelines.risk import signs_of
from assistant.pipelines.sentence_check import Basis, declines, grounded, says_nothing
from assistant.pipelines.time_left import ANSWER
from assistant.understanding.plan import Plan

#: Enough for a description and for a model that thinks first; the benchmark cuts answers at 75 tokens.
MAX_TOKENS = 600
#: For an answer with pictures, which has many sentences.
LONG_TOKENS = 1500
#: How often what is being written is told at most; a page draws it anew each time.
DRAFT_EVERY_S = 0.08


@dataclass(frozen=True)
class Task:
    """One prompt and what its answer is checked against.

    Attributes:
        shown: the messages, and the evidence behind the numbers in them.
        plan: what is asked.
        frame: the picture that goes along; None for none.
        lines: what is written on it, line by line, once it is read.
        left_s: what is left of the turn's time.
        check: False only where a visitor switched the check off.
        cancelled: once set, the reply ends.
        max_tokens: where the reply is cut.
        most_sentences: what comes after so many is not shown; None for no limit.
        veto: asked about the whole reply before any of it is shown, with the probabilities of its first token: why it
            may not be shown, "" where it may. It may raise `Stop`.
        named_by_model: whether the thing it is about has its name from the model alone.
        held: whether sentences are added to the turn alone, for whoever emits them later; what there is of the whole
            answer is told as a draft meanwhile.
    """

    shown: Shown
    plan: Plan
    frame: Frame | None
    lines: Callable[[], Sequence[str]]
    left_s: float
    check: bool = True
    cancelled: threading.Event | None = None
    _: KW_ONLY
    max_tokens: int = MAX_TOKENS
    most_sentences: int | None = None
    veto: Callable[[ModelReply], str] | None = None
    named_by_model: bool = False
    held: bool = False


#: Looks at a whole draft again, given the task as it was asked: events, then the probability (0..1) that it is wrong,
#: None where that stays unknown.
Verifier = Callable[[Task, Sequence[Sentence]], Generator[Event, None, float | None]]


def write_answer(task: Task, turn: OpenTurn, tools: Tools, verify: Verifier | None = None) -> Iterator[Event]:
    """The stages `answer` and `check` as events; sentences that may be shown are added to `turn` as they are emitted.

    `verify` is asked where a limit of risk is set.

    Raises:
        Stop: the turn abstains, or the model gave no answer.
        EndpointBusy: in runs only.
    """
    assert tools.model is not None
    yield StageStarted("answer")
    yield StageStarted("check")
    clock = tools.clock
    start, check_s = clock(), 0.0
    asked = len(task.shown.pieces)
    shows_drafts = tools.risk_limit is None and tools.strictness != "severe"
    left_s = lambda: task.left_s - (clock() - start)  # noqa: E731
    try:
        task, stream, first = _begin(task, tools, left_s)
        check = _Check(task, tools)
        long = task.max_tokens > MAX_TOKENS
        for said in sentences_of(chain(first, stream), stream, tools, left_s, task.veto is not None, long=long):
            if said is None:  # a model that had not done so before has thought aloud
                turn.sentences.clear()
                check = _Check(task, tools)
                continue
            if isinstance(said, Drafted):
                if shows_drafts and not check.over:
                    yield _whole_draft(turn, said.text) if task.held else said
                continue
            began = clock()
            check.may_begin(stream)
            passed = check.passes(said)
            check_s += clock() - began
            turn.sentences += passed
            if tools.risk_limit is None and not task.held:
                yield from map(SentenceReady, passed)
    except Stop as stop:
        yield StageFinished("answer", (clock() - start - check_s) * 1000, stop.reason)
        raise
    usage = stream.usage
    turn.used(usage)
    if not usage.cached:
        tools.pace.note(ANSWER, clock() - start)
    yield Used(turn.usage or usage)
    note = f"{usage.model}, {'known already' if usage.cached else f'try {usage.tries}'}"
    if len(task.shown.pieces) < asked:
        note += f"; {len(task.shown.pieces)} of {asked} pieces of evidence shown, for it reads no more"
    yield StageFinished("answer", (clock() - start - check_s) * 1000, note)
    yield StageFinished(
        "check", check_s * 1000, "; ".join((*check.dropped, *check.not_shown)) if task.check else "switched off"
    )
    if stream.reply.finish_reason == "content_filter":
        raise Stop("refused", "the model refused to answer this")
    if not turn.sentences:
        cut = stream.reply.finish_reason == "length"
        nothing = "the model's reply was cut off" if cut else "the model said nothing"
        raise Stop("abstained", check.dropped[0] if check.dropped else nothing)
    yield from _weigh(task, stream.reply, turn, tools, verify)


def _begin(task: Task, tools: Tools, left_s: Callable[[], float]) -> tuple[Task, ModelStream, list[str]]:
    """The task as it was asked, with less in it where the model could not read all; the reply and its first piece.

    Raises:
        Stop, EndpointBusy: as `as_status`.
    """
    model = tools.model
    assert model is not None
    with as_status(tools, left_s):
        while True:
            stream = model.ask(
                prompt_of(task, model, first_token=tools.for_run or tools.risk_limit is not None),
                within_s=left_s(),
                cancelled=task.cancelled,
                in_pieces=not tools.for_run and task.veto is None,
            )
            try:
                return task, stream, [*islice(stream, 1)]
            except PromptTooLong as problem:
                stream.close()
                if (shorter := task.shown.shorter(problem.excess)) is None:
                    raise
                task = replace(task, shown=shorter)


def _weigh(task: Task, reply: ModelReply, turn: OpenTurn, tools: Tools, verify: Verifier | None) -> Iterator[Event]:
    """Estimates the risk of the answer; what was held back for it is emitted, or the turn abstains."""
    limit = tools.risk_limit
    doubt = (yield from verify(task, turn.sentences)) if verify is not None and limit is not None else None
    said = [sentence for sentence in turn.sentences if sentence.picture is None]
    signs = signs_of(said, reply.first_token, doubt=doubt, named_by_model=task.named_by_model)
    turn.risk = tools.risk_model.risk(signs)
    yield RiskEstimated(turn.risk, signs)
    if limit is None:
        return
    if turn.risk > limit:
        allowed = f"{turn.risk:.0%}, {limit:.0%} is allowed"
        raise Stop("abstained", f"the probability that the answer would be wrong is {allowed}")
    if not task.held:
        yield from map(SentenceReady, turn.sentences)


def _whole_draft(turn: OpenTurn, begun: str) -> Drafted:
    """All that is written so far, none of it shown as an answer yet."""
    return Drafted(" ".join([*(s.text for s in turn.sentences if s.picture is None), begun]))


def prompt_of(task: Task, model: VisionLanguageModel, *, first_token: bool = False) -> Prompt:
    """The whole prompt of a task, pictures included; a pure function of both."""
    pictures = [jpeg_of(task.frame, model.picture_px)] if task.frame is not None else []
    if task.shown.shows:
        pictures += [fitted(piece.picture, model.picture_px) for piece in task.shown.pieces if piece.picture]
    first_token = first_token or task.veto is not None
    return Prompt(task.shown.messages, tuple(pictures), max_tokens=task.max_tokens, first_token=first_token)


def sentences_of(
    pieces: Iterable[str],
    stream: ModelStream,
    tools: Tools,
    left_s: Callable[[], float],
    whole: bool,
    *,
    long: bool = False,
) -> Iterator[Said | Drafted | None]:
    """Sentences of a stream's pieces as they become certain, None where those before were thinking; between them what
    has come of the next one. What goes wrong on the way becomes the turn's status. With `whole` none is before the
    reply has come to its end; `long` as `SentenceParser` has it.
    """
    parser = SentenceParser(long=long)
    drafts, last_s = not (whole or tools.for_run), -DRAFT_EVERY_S
    try:
        with as_status(tools, left_s):
            for piece in [*pieces] if whole else pieces:
                # Nobody waits for the first sentence in a run, and its answers are not to hang on what came before.
                said = parser.feed(piece, may_be_thinking=tools.for_run or stream.may_be_thinking)
                if parser.withdrawn:
                    parser.withdrawn = False
                    yield None
                yield from said
                if drafts and (said or tools.clock() - last_s >= DRAFT_EVERY_S) and (draft := parser.draft):
                    last_s = tools.clock()
                    yield Drafted(draft)
    finally:
        stream.close()
    yield from parser.finish(cut=not stream.reply.whole)


class _Check:
    """Says of each sentence in turn what it rests on, if it may be shown; after a first one that may not, none may."""

    def __init__(self, task: Task, tools: Tools) -> None:
        self._basis = basis_of(task, tools)
        self._check = task.check
        self.dropped: list[str] = []
        self.not_shown: list[str] = []
        self._passed = 0
        self._placed: set[str] = set()
        self._waiting: list[Sentence] = []
        self.over = False
        self._most, self._veto = task.most_sentences, task.veto
        self._places = task.shown.places

    def may_begin(self, stream: ModelStream) -> None:
        """Whether any of a whole reply may be shown, before the first of it is.

        Raises:
            Stop: that cannot be told of this model.
        """
        veto, self._veto = self._veto, None
        if veto is not None and (reason := veto(stream.reply)):
            self.dropped.append(reason)
            self.over = True

    def passes(self, said: Said) -> list[Sentence]:
        """What may be shown with this sentence or picture: nothing, it alone, or behind it pictures that waited for the
        first sentence.
        """
        if self.over:
            return []
        if said.picture is not None:
            return self._picture(said)
        if says_nothing(said):
            return []
        if declines(said):
            reason, sentence = "the model found no answer", None
        else:
            sentence, reason = grounded(said, self._basis, check=self._check)
        if sentence is None:
            self.dropped.append(reason)
            self.over = not self._passed
            return []
        self._passed += 1
        self.over = self._passed == self._most
        waited, self._waiting = self._waiting, []
        return [sentence, *waited]

    def _picture(self, said: Said) -> list[Sentence]:
        piece = named_by(said, self._basis.pieces) if self._places else None
        if piece is None or piece.id in self._placed:
            why = "is shown already" if piece is not None else "is not among the evidence"
            self.not_shown.append(f"the picture {(said.picture or '')[:40]!r} {why}")
            return []
        self._placed.add(piece.id)
        placed = as_placed(piece, said.text, self._basis, check=self._check)
        if not self._passed:
            self._waiting.append(placed)
            return []
        return [placed]


def basis_of(task: Task, tools: Tools) -> Basis:
    """What the task's answer may rest on."""
    shown, pictured = task.shown, task.frame is not None
    return Basis(shown.pieces, task.plan, pictured, tools.strictness, task.lines, shown.shows)
