"""Visitors' conversations, kept on the server under a random id that only the visitor's browser holds.

A session ends with "New conversation", or after 30 idle minutes: its turns, its pictures and what the assistant
remembers of them are then dropped. Nothing is written to disk, so a restarted server knows none of them; the id tells
which. Who may open the page at all is not decided here.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from assistant.core.errors import BadInput, NotReady
from assistant.core.events import Finished, Recognised
from assistant.core.options import Conditions
from assistant.core.types import Conversation, Frame, Turn
from assistant.core.whole_text import whole_text
from assistant.ui.state.engine import Answering, Engine
from assistant.ui.state.pictures import CARD_SIDE_PX, IndexedPictures, card_of, cut_out, data_uri
from assistant.ui.state.profiles import OtherProfiles
from assistant.ui.state.runs import Run
from assistant.ui.state.session import Session
from assistant.ui.state.target import Target
from assistant.ui.state.turn_view import TurnView, ended
from assistant.ui.state.variations import offers_for, step

__all__ = ["MAX_QUESTION_CHARS", "Session", "SessionStore"]

log = logging.getLogger(__name__)

IDLE_S = 30 * 60.0
MAX_SESSIONS = 500
#: Pixels kept for all visitors together, in bytes; above it the sessions that were idle longest end first.
MAX_PIXEL_BYTES = 1_500_000_000
#: Longer than any question; a book pasted into the box gets one sentence back.
MAX_QUESTION_CHARS = 20_000
#: The statuses that are part of what was said; the others are shown and not remembered.
_SAID = ("answered", "abstained", "retake")


class SessionStore:
    """All visitors' sessions, and the few workers that answer their questions."""

    def __init__(
        self,
        engine: Engine,
        pictures: IndexedPictures,
        *,
        others: OtherProfiles | None = None,
        target: Callable[[], Target] = Target,
        idle_s: float = IDLE_S,
        workers: int = 4,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._engine = engine
        self._pictures = pictures
        self._others = others if others is not None else OtherProfiles()
        self._target = target
        self._idle_s = idle_s
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()
        #: Told of each turn that is finished and kept, in the worker, with the session and the turn's number.
        self.on_kept: Callable[[Session, int], None] = lambda session, number: None
        self._boot = secrets.token_hex(4)
        self._workers = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="turn")

    def get(self, session_id: object) -> Session | None:
        """The session of this id, if it lives; whoever calls this shows that it is not idle."""
        self.sweep()
        with self._lock:
            session = self._sessions.get(session_id) if isinstance(session_id, str) else None
            if session is not None:
                session.last_seen_s = self._clock()
            return session

    def why_gone(self, session_id: object) -> str:
        """One sentence about a session that its browser remembers and this server does not; "" for no session."""
        if not isinstance(session_id, str) or not session_id:
            return ""
        if not session_id.startswith(self._boot):
            return "Vitrine was restarted: the earlier conversation and its pictures are gone, this is a new one."
        return "The earlier conversation has ended and its pictures are deleted; this is a new one."

    def get_or_new(self, session_id: object) -> Session:
        return self.get(session_id) or self.new()

    def new(self) -> Session:
        session = Session(f"{self._boot}.{secrets.token_urlsafe(24)}", self._clock())
        self.tell(session)
        with self._lock:
            self._sessions[session.id] = session
        self.sweep()
        return session

    def look_ahead(self, session: Session) -> None:
        """Look at the visitor's picture while they think of a question: what it shows does not hang on that."""
        assistant = self._engine.assistant
        if assistant is not None and session.frame is not None:
            assistant.look_ahead(session.frame)

    def names(self, session: Session | None) -> list[str]:
        """Names that a spoken question may hold: what was recognised lately, newest first, and what was taught."""
        views = list(session.views[-5:]) if session is not None else []
        seen = [c.name for view in reversed(views) for c in view.recognition.candidates]
        teacher = getattr(self._engine.assistant, "teacher", None)
        return list(dict.fromkeys([*seen, *(teacher.store.names() if teacher is not None else ())]))

    def known_names(self) -> list[str]:
        """Names of everything in the index, which a spoken question may hold as well."""
        knowledge = getattr(self._engine.assistant, "knowledge", None)
        return list(knowledge.names) if knowledge is not None else []

    def end(self, session_id: object) -> None:
        """Drop a session and everything that was kept for it."""
        with self._lock:
            session = self._sessions.pop(session_id, None) if isinstance(session_id, str) else None
        if session is None:
            return
        with session.lock:
            runs = [*session.varying.values(), *session.asides]
            runs += [session.run] if session.run is not None else []
        for run in runs:
            run.stop()
        assistant = self._engine.assistant
        for digest in session.digests:
            if assistant is not None:
                assistant.forget(digest)

    def sweep(self) -> None:
        """End what has been idle for too long, and the longest idle when there is too much of everything."""
        limit = self._clock() - self._idle_s
        with self._lock:
            newest_first = sorted(self._sessions.values(), key=lambda s: -s.last_seen_s)
        pixel_bytes = 0
        for n, session in enumerate(newest_first):
            pixel_bytes += session.pixel_bytes
            if session.last_seen_s < limit or n >= MAX_SESSIONS or (n and pixel_bytes > MAX_PIXEL_BYTES):
                self.end(session.id)

    def start_sweeping(self, every_s: float = 60.0) -> None:
        """Sweep in the background, so that pictures go even when nobody comes any more."""

        def sweep_for_ever() -> None:
            while True:
                time.sleep(every_s)
                self.sweep()

        threading.Thread(target=sweep_for_ever, name="sweep-sessions", daemon=True).start()

    def told(self) -> tuple[str, ...]:
        """What visitors are told of whom questions go to, on the page and on the buttons of an answer."""
        target = self._target()
        return (
            target.profile,
            target.host,
            target.model,
            target.words,
            *(offer.words for offer in self._others.offers),
        )

    def tell(self, session: Session) -> None:
        """The visitor is shown whom questions go to now."""
        session.others = tuple((offer.profile, offer.words) for offer in self._others.offers)
        session.told = self.told()

    def _as_told(self, session: Session, profile: str = "") -> None:
        """Nothing goes where its visitor was not told that it goes.

        Raises:
            BadInput: the model was changed since; from now on the visitor knows.
        """
        if session.told == self.told():
            return
        self.tell(session)
        if (profile and profile != "embedded") or self._target().host:
            raise BadInput(
                f"the model was changed meanwhile: nothing was sent. {self._target().words} Ask again to do so"
            )

    def ask(self, session: Session, question: str) -> Run:
        """Begin answering; a question that is still being answered in this session is stopped.

        Raises:
            BadInput: it would go elsewhere than the visitor was told.
        """
        question = whole_text(question)
        assistant = self._engine.assistant  # before the look at whom it asks: a change tells first
        self._as_told(session)
        with session.lock:
            if session.run is not None:
                session.run.stop()
                session.keep(session.run)
            run = Run(session.begin(question), self._clock)
            session.run = run
            asked, frame = session.asked(run.number), session.frame
        self._workers.submit(self._answer, session, run, asked.conversation, frame, asked.conditions, assistant)
        return run

    def aside(
        self,
        session: Session,
        question: str,
        frame: Frame,
        conditions: Conditions,
        *,
        profile: str = "",
        after: Conversation | None = None,
    ) -> Run:
        """Answer a question about `frame` beside the conversation: nothing of it becomes a turn.

        Args:
            session: whose question it is.
            question: what is asked.
            frame: what it is asked about.
            conditions: what the assistant is told.
            profile: the profile that answers, "" for the page's own.
            after: the turns before it; none where it stands alone.
        """
        question = whole_text(question)
        first = self._engine.assistant
        self._as_told(session, profile)
        assistant = self._others.of(first, profile) if first is not None else None
        with session.lock:
            session.digests.add(frame.digest)
            run = Run(TurnView(0, question, size_px=(frame.width_px, frame.height_px)), self._clock)
            session.asides = [*(other for other in session.asides if not other.finished), run]
        beside = after if after is not None else Conversation(f"{session.id}, aside")
        self._workers.submit(self._work, run, beside, frame, conditions, session.told, assistant)
        return run

    def offer(self, session: Session, number: int, card: str) -> None:
        """Show what could stand in the place of a card of turn `number`, or close the list that is shown there.

        Raises:
            BadInput: there is no such turn or card, or nothing that could.
        """
        assistant = self._engine.wait(0)
        if assistant is None:
            raise BadInput("the assistant is not ready yet: try again in a moment")
        is_open = bool(session.offered(number, card))
        found = () if is_open else offers_for(session.variation(number), card, assistant.exchange)
        session.offer(number, card, found)

    def vary(self, session: Session, number: int, act: str, card: str) -> Run:
        """Answer turn `number` again after one act of the visitor (see `assistant.ui.state.variations.step`).

        Raises:
            BadInput: there is no such turn, card or act, or its picture is no longer kept.
        """
        assistant = self._engine.wait(0)
        if assistant is None:
            raise BadInput("the assistant is not ready yet: try again in a moment")
        with session.lock:
            if number in session.varying:
                raise BadInput("that is being answered again already: wait a moment")
            asked, frame = session.asked(number), session.frame_of(number)
            if frame is None and asked.digest is not None:
                raise BadInput("the picture of that turn is no longer kept: hand it in again to ask about it")
            variation = step(session.variation(number), act, card, session.offered(number, card))
            self._as_told(session, variation.profile)
            chosen = self._others.of(assistant, variation.profile)
            first = next(view for view in session.views if view.number == number)
            about = TurnView(number, first.question, size_px=first.size_px, region_px=variation.conditions.region_px)
            about = replace(about, degraded=first.degraded, opened=first.opened, others=first.others)
            about = replace(about, digest=first.digest, age_s=first.age_s)
            thumb = {"frame": first.pictures["frame"]} if "frame" in first.pictures else {}
            run = Run(replace(about, pictures=thumb, contexts=first.contexts), self._clock)
            session.varying[number] = run

        def work() -> None:
            self._work(run, asked.conversation, frame, variation.told(), session.told, chosen)
            with session.lock:
                if session.varying.get(number) is run:  # the turn may have been taken back meanwhile
                    del session.varying[number]
                    session.add_variation(number, variation.answered(run.view()))
                session.last_seen_s = self._clock()

        self._workers.submit(work)
        return run

    # the worker's side

    def _answer(
        self,
        session: Session,
        run: Run,
        conversation: Conversation,
        frame: Frame | None,
        conditions: Conditions,
        assistant: Answering | None,
    ) -> None:
        def remember(turn: Turn) -> None:
            with session.lock:
                if session.run is run and turn.answer.status in _SAID:
                    session.conversation = session.conversation.with_turn(turn)

        self._work(run, conversation, frame, conditions, session.told, assistant, remember)
        with session.lock:
            session.last_seen_s = self._clock()
            kept = session.run is run
            if kept:
                session.keep(run)
        if kept:
            self.on_kept(session, run.number)

    def _work(
        self,
        run: Run,
        conversation: Conversation,
        frame: Frame | None,
        conditions: Conditions,
        told: tuple[str, ...],
        assistant: Answering | None,
        remember: Callable[[Turn], None] = lambda turn: None,
    ) -> None:
        """Answer into `run`, whatever happens; `remember` gets the turn before the page sees that it is finished.

        `assistant` is the one of the moment of asking, None where it is waited for; `told` what its visitor knew then.
        """
        try:
            while assistant is None:
                if run.cancelled.is_set():
                    return
                state = self._engine.state
                share = "" if state.share is None else f" ({state.share:.0%})"
                run.wait_for(f"{state.words}{share}. Your question waits.")
                assistant = self._engine.wait(0.25)
                if assistant is not None and told != self.told():
                    raise NotReady("the model was changed while the question waited: ask it again")
            run.answered_by(assistant.profile)
            events = assistant.answer(conversation, run.question, frame, conditions=conditions, cancelled=run.cancelled)
            for event in events:
                if isinstance(event, Recognised) and frame is not None:
                    self._show_entity(run, event, frame)
                if isinstance(event, Finished) and not run.cancelled.is_set():
                    self._put_in_context(run, event.turn, assistant)
                    remember(event.turn)
                run.add(event)
        except NotReady as problem:
            run.add(Finished(ended(run.question, "error", str(problem))))
        except Exception:
            log.exception("a turn failed")
            words = "something went wrong while answering; the log of the server has the details"
            run.add(Finished(ended(run.question, "error", words)))
        finally:
            if not run.finished:  # an assistant that broke its promise to finish
                run.add(Finished(ended(run.question, "error", "the answer broke off")))

    @staticmethod
    def _put_in_context(run: Run, turn: Turn, assistant: Answering) -> None:
        used = {i for sentence in turn.answer.sentences for i in sentence.evidence_ids}
        for piece in turn.answer.evidence:
            if piece.kind == "passage" and piece.id in used:
                run.put_in_context(piece.id, *assistant.around(piece))

    def _show_entity(self, run: Run, event: Recognised, frame: Frame) -> None:
        entity = event.recognition.entity
        if entity is None:
            return
        part = cut_out(frame, entity.outline_px)
        if part is not None:
            run.show("seen", data_uri(part, CARD_SIDE_PX))
        teacher = getattr(self._engine.assistant, "teacher", None)
        if card := self._pictures.card(entity.index) or card_of(teacher, entity.image_url):
            run.show("indexed", card)
