"""The embedded reader: extracts, compares and calculates over the evidence; no model, nothing sent.

Two questions in one are answered one by one, where each has an answer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.core.events import Event, EvidenceFound, SentenceReady, StageFinished, StageStarted, Trace
from assistant.core.threads import one_blas_thread
from assistant.core.turn_builder import OpenTurn, Request, Stop, Timing
from assistant.core.types import REFUSAL, Sentence
from assistant.pipelines.base import Eyes, Seen, Tools
from assistant.pipelines.from_picture import FromPicture
from assistant.pipelines.stages import ask_for_another_picture, plan_and_retrieve
from assistant.understanding.compound_question import asks_for_something, parts
from assistant.understanding.plan import Plan


def answer(request: Request, eyes: Eyes, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    from assistant.scene.answer import small_talk

    if not request.given and (said := small_talk(request.question)):
        turn.sentences.append(Sentence(said, ()))
        yield SentenceReady(turn.sentences[-1])
        return
    seen = yield from eyes.look()
    # A question whose query or evidence is given is asked as it stands.
    questions = parts(request.question) if not request.given else ()
    if not questions:
        yield from _answer_one(request, seen, turn, tools)
        return
    apart = _Apart(turn)
    _one_by_one(request, questions, seen, apart, tools)
    ask_for_something = all(map(asks_for_something, questions))
    if not apart.unanswered and ask_for_something:
        yield from apart.told()
        return
    try:
        events = list(_answer_one(request, seen, turn, tools))
    except Stop as stop:
        if stop.status != "abstained" or not apart.turn.sentences:
            raise
        yield from apart.told()
    else:  # what answers one of them only is no answer to the whole
        yield from apart.told() if ask_for_something and apart.says_all_of(turn) else events


def _answer_one(request: Request, seen: Seen, turn: OpenTurn, tools: Tools) -> Iterator[Event]:
    plan = yield from plan_and_retrieve(request, seen, turn, tools)
    picture = FromPicture(request, plan, seen, turn, tools)
    if not (yield from picture.answers_first()):
        yield from _read(request, plan, seen, turn, tools, picture)


def _one_by_one(request: Request, questions: Sequence[str], seen: Seen, apart: _Apart, tools: Tools) -> None:
    """Asks each question by itself, the one before it being what was said last."""
    for question in questions:
        one = OpenTurn(question)
        one.entity, one.frame_digest = apart.turn.entity, apart.turn.frame_digest
        request = replace(request, question=question)
        try:
            apart.events += _answer_one(request, seen, one, tools)
        except Stop as stop:
            if stop.status != "abstained":
                raise
            one.stop(stop.status, stop.reason)
        apart.add(one)
        request = replace(request, conversation=request.conversation.with_turn(one.close(Trace())))


def _read(
    request: Request, plan: Plan, seen: Seen, turn: OpenTurn, tools: Tools, picture: FromPicture
) -> Iterator[Event]:
    """The reader's answer, each sentence checked against what it cites; else what the picture itself says."""
    from assistant.reading.grounding import grounding_problem
    from assistant.reading.reader import Reader

    yield StageStarted("answer")
    with Timing(tools.clock) as answer_ms, one_blas_thread():
        draft = Reader(tools.knowledge).answer(plan, picture.aimed(turn.evidence))
    yield StageFinished("answer", answer_ms())
    if not draft.sentences:
        if (yield from picture.quotes()):
            return
        ask_for_another_picture(seen)
        raise Stop("abstained", picture.with_what_is_seen(draft.reason or "no evidence answers this"))

    request.go_on()
    check = request.conditions.check
    yield StageStarted("check")
    with Timing(tools.clock) as check_ms, one_blas_thread():
        verdicts = [(s, grounding_problem(s, turn.evidence, plan) if check else "") for s in draft.sentences]
    dropped = [reason for _, reason in verdicts if reason]
    yield StageFinished("check", check_ms(), "; ".join(dropped) if check else "switched off")
    if verdicts[0][1]:
        raise Stop("abstained", verdicts[0][1])
    for sentence in (s for s, reason in verdicts if not reason):
        turn.sentences.append(sentence)
        yield SentenceReady(sentence)
    turn.reason = draft.reason


class _Apart:
    """The answers to two questions in one, kept back until it is known whether they are what is said."""

    def __init__(self, turn: OpenTurn) -> None:
        self._whole = turn
        self.turn = OpenTurn(turn.question)
        self.turn.entity, self.turn.frame_digest = turn.entity, turn.frame_digest
        self.events: list[Event] = []
        self.unanswered: list[str] = []

    def add(self, one: OpenTurn) -> None:
        self.turn.sentences += one.sentences
        self.turn.evidence += tuple(piece for piece in one.evidence if piece not in self.turn.evidence)
        if one.subjects and not self.turn.subjects:  # what is outlined is what the first of them is about
            self.turn.subjects, self.turn.entity = one.subjects, one.entity
        if not one.sentences:
            self.unanswered.append(one.question)

    def says_all_of(self, turn: OpenTurn) -> bool:
        return {s.text for s in turn.sentences} <= {s.text for s in self.turn.sentences}

    def told(self) -> Iterator[Event]:
        """Makes it the turn's answer; says what found none."""
        turn, whole = self.turn, self._whole
        if self.unanswered:
            rest = Sentence(f"{REFUSAL}: {' '.join(self.unanswered)}", ())
            turn.sentences.append(rest)
            self.events.append(SentenceReady(rest))
        whole.sentences, whole.evidence, whole.subjects = turn.sentences, turn.evidence, turn.subjects
        whole.entity = turn.entity
        yield from self.events
        yield EvidenceFound(turn.evidence)
