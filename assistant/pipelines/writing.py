"""The answerer that asks a chat model: the same evidence as the reader gets, the same check before anything is shown.

The model sees the question, the last turns, the frame (unless pictures are switched off) and the numbered evidence;
it must cite. Its reply is taken apart while it streams: a sentence is emitted once it has passed the check, the first
before the last is written. Only while it may be thinking without a tag that says so (`ChatStream.may_be_thinking`) all
wait, because spoken thoughts could not be taken back. If the first fails or says that there is no answer, the turn
abstains; a later one that fails is dropped. Without any evidence nothing could be cited, so nothing is sent.

What the model sees but no evidence says (colours, shapes) cannot be cited and is therefore not said.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.core.errors import Cancelled, EndpointBusy, VitrineError
from assistant.core.events import Event, SentenceReady, StageFinished, StageStarted, Used
from assistant.core.turn_builder import OpenTurn, Stop
from assistant.core.types import Conversation, Evidence, Frame, Usage
from assistant.models.chat.client import ChatClient, ChatStream
from assistant.models.chat.request import Payload
from assistant.models.chat.sentences import Said, SentenceParser
from assistant.pipelines.prompt import Shown, compose
from assistant.pipelines.sentence_check import as_sentence, declines, says_nothing, unsupported
from assistant.understanding.plan import Plan

#: Enough for two sentences and for a model that thinks first; the benchmark cuts answers at 75 tokens.
MAX_TOKENS = 600
#: Longer sides are scaled down: small print is read from the whole frame before, and a picture is paid by its size.
LONGEST_SIDE_PX = 1024
JPEG_QUALITY = 85


@dataclass(frozen=True)
class Task:
    """One question with everything the stages before found out. `frame` None: no picture, or none to be sent.

    left_s: what is left of the turn's time. check: False only where a visitor switched the check off.
    """

    plan: Plan
    conversation: Conversation
    evidence: Sequence[Evidence]
    frame: Frame | None
    left_s: float
    check: bool = True
    cancelled: threading.Event | None = None


class ChatAnswerer:
    """Safe to share between threads.

    Args:
        client: the endpoint and the model.
        send_pictures: False for models that only read.
        for_run: nobody listens to the first sentence, so the reply is asked for whole, which is cheaper; and whoever
            runs waits and asks again, so `EndpointBusy` leaves `stages`.
    """

    def __init__(self, client: ChatClient, *, send_pictures: bool = True, for_run: bool = False) -> None:
        self._client = client
        self._send_pictures = send_pictures
        self._for_run = for_run

    def request(self, task: Task) -> Payload:
        """The whole rendered request of a task, picture included; a pure function of the task and the options."""
        return self._rendered(task)[0]

    def request_digest(self, task: Task) -> str:
        """What a reply may be kept under: endpoint, model, rules, conversation, evidence, picture bytes, sampling."""
        return self._client.digest(self.request(task))

    def stages(self, task: Task, turn: OpenTurn, clock: Callable[[], float]) -> Iterator[Event]:
        """The stages `answer` and `check` as events; sentences that passed are added to `turn` as they are emitted.

        Raises:
            Stop: the turn abstains, or the endpoint gave no answer.
            EndpointBusy: in runs only.
        """
        if task.plan.intent == "unclear" or not task.evidence:
            raise Stop("abstained", task.plan.reason or "no evidence answers this")
        yield StageStarted("answer")
        yield StageStarted("check")
        start, check_s = clock(), 0.0
        payload, shown = self._rendered(task)
        check = _Check(shown, task)
        stream = self._client.send_stream(
            payload, within_s=task.left_s, cancelled=task.cancelled, in_pieces=not self._for_run
        )
        try:
            for said in self._sentences(stream):
                if said is None:  # a model that had not done so before has thought aloud
                    turn.sentences.clear()
                    check = _Check(shown, task)
                    continue
                began = clock()
                passed = check.passes(said)
                check_s += clock() - began
                if passed:
                    turn.sentences.append(as_sentence(said, shown.pieces))
                    yield SentenceReady(turn.sentences[-1])
        except Stop as stop:
            yield StageFinished("answer", (clock() - start - check_s) * 1000, stop.reason)
            raise
        turn.usage = self._usage(stream)
        yield Used(turn.usage)
        note = f"{turn.usage.model}, {'known already' if turn.usage.cached else f'try {turn.usage.tries}'}"
        yield StageFinished("answer", (clock() - start - check_s) * 1000, note)
        yield StageFinished("check", check_s * 1000, "; ".join(check.dropped) if task.check else "switched off")
        if stream.reply.finish_reason == "content_filter":
            raise Stop("refused", "the chat endpoint refused to answer this")
        if not turn.sentences:
            cut = stream.reply.finish_reason == "length"
            nothing = "the chat model's reply was cut off" if cut else "the chat model said nothing"
            raise Stop("abstained", check.dropped[0] if check.dropped else nothing)

    def _rendered(self, task: Task) -> tuple[Payload, Shown]:
        frame = task.frame if self._send_pictures else None
        shown = compose(task.plan, task.conversation, task.evidence, with_picture=frame is not None)
        pictures = (jpeg_of(frame),) if frame is not None else ()
        return self._client.payload(shown.messages, images=pictures, max_tokens=MAX_TOKENS), shown

    def _sentences(self, stream: ChatStream) -> Iterator[Said | None]:
        """Sentences as they become certain, None where those before were thinking; what goes wrong on the way becomes
        the turn's status.
        """
        parser = SentenceParser()
        try:
            for piece in stream:
                # Nobody waits for the first sentence in a run, and its answers are not to hang on what came before.
                said = parser.feed(piece, may_be_thinking=self._for_run or stream.may_be_thinking)
                if parser.withdrawn:
                    parser.withdrawn = False
                    yield None
                yield from said
        except EndpointBusy as busy:
            if self._for_run:
                raise
            raise Stop("timeout" if busy.timed_out else "error", str(busy)) from None
        except Cancelled:
            raise Stop("cancelled", "stopped before the answer was ready") from None
        except VitrineError as problem:
            raise Stop("error", str(problem)) from None
        finally:
            stream.close()
        yield from parser.finish(cut=not stream.reply.whole)

    def _usage(self, stream: ChatStream) -> Usage:
        reply, prices = stream.reply, self._client.options.prices
        asked, written = reply.prompt_tokens, reply.completion_tokens
        cost = None
        if prices is not None and asked is not None and written is not None:
            cost = 0.0 if reply.cached else prices.cost(asked, written)
        return Usage(reply.model, asked, written, cost, reply.tries, reply.cached)


class _Check:
    """Says of each sentence in turn whether it may be shown; after a first one that may not, none may."""

    def __init__(self, shown: Shown, task: Task) -> None:
        self._shown, self._task = shown, task
        self.dropped: list[str] = []
        self._passed = 0
        self._over = False

    def passes(self, said: Said) -> bool:
        if self._over or says_nothing(said):
            return False
        reason = ""
        if declines(said):
            reason = "the chat model found no answer in the evidence"
        elif self._task.check:
            reason = unsupported(said, self._shown.pieces, self._task.plan)
        if reason:
            self.dropped.append(reason)
            self._over = not self._passed
            return False
        self._passed += 1
        return True


def jpeg_of(frame: Frame, longest_side_px: int = LONGEST_SIDE_PX) -> bytes:
    """The frame as JPEG without any metadata, scaled down to `longest_side_px` where it is larger."""
    import cv2

    pixels: Any = frame.pixels
    scale = longest_side_px / max(frame.width_px, frame.height_px)
    if scale < 1:
        size = (max(1, round(frame.width_px * scale)), max(1, round(frame.height_px * scale)))
        # A little smaller needs no averaging, which costs four times as much.
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR if scale >= 0.5 else cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"{frame!r} could not be written as JPEG")
    return bytes(data)
