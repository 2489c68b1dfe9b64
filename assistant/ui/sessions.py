"""Visitors' conversations, kept on the server under a random id that only the visitor's browser holds.

A session ends with "New conversation", or after 30 idle minutes: its turns, its picture and what the assistant
remembers of that picture are then dropped. Nothing is written to disk. Who may open the page at all is not decided
here.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from assistant.conversation import Conversation, Frame, Turn
from assistant.errors import NotReady
from assistant.events import Finished, Recognised
from assistant.ui.engine import Engine
from assistant.ui.pictures import CARD_SIDE_PX, FRAME_SIDE_PX, THUMB_SIDE_PX, IndexedPictures, cut_out, data_uri
from assistant.ui.runs import Run
from assistant.ui.turn_view import TurnView, ended

log = logging.getLogger(__name__)

IDLE_S = 30 * 60.0
MAX_SESSIONS = 500
#: Pixels kept for all visitors together, in bytes; above it the sessions that were idle longest end first.
MAX_PIXEL_BYTES = 1_500_000_000
#: A visitor who asks more than this in one conversation loses sight of the oldest turns, not of the newest.
MAX_TURNS = 60
#: Longer than any question; a book pasted into the box gets one sentence back.
MAX_QUESTION_CHARS = 20_000
#: The statuses that are part of what was said; the others are shown and not remembered.
_SAID = ("answered", "abstained", "retake")


class Session:
    """One visitor: the conversation, the current picture, the turns as shown, and the question being answered."""

    def __init__(self, id: str, now_s: float):
        self.id = id
        self.last_seen_s = now_s
        self.conversation = Conversation(id)
        self.frame: Frame | None = None
        self.picture = ""  # the frame as data URI, as the page shows it
        self.example: int | None = None
        self.views: list[TurnView] = []  # finished turns, oldest first
        self.run: Run | None = None
        self.digests: set[str] = set()
        self.frame_view: TurnView | None = None  # the last turn about the current picture
        self._asked_about_frame = False
        self.lock = threading.RLock()

    def take_frame(self, frame: Frame, example: int | None = None) -> None:
        """A new picture; the conversation goes on."""
        picture = data_uri(frame, FRAME_SIDE_PX)
        with self.lock:
            self.frame, self.picture, self.example = frame, picture, example
            self.digests.add(frame.digest)
            self.frame_view = None
            self._asked_about_frame = False

    def new_pictures(self) -> dict[str, str]:
        """The thumbnail of a picture that no question was asked about yet."""
        if self.frame is None or self._asked_about_frame:
            return {}
        self._asked_about_frame = True
        return {"frame": data_uri(self.frame, THUMB_SIDE_PX)}

    def before(self, number: int) -> list[TurnView]:
        """The finished turns before turn `number`, which may have finished itself by now."""
        return [view for view in self.views if view.number < number]

    def view_of(self, number: int) -> TurnView | None:
        """Turn `number` as far as it has come, kept already or still with its worker."""
        with self.lock:
            views = [*self.views, self.run.view()] if self.run is not None else self.views
        return next((view for view in views if view.number == number), None)

    @property
    def turns_shown(self) -> int:
        return self.views[-1].number if self.views else 0


class SessionStore:
    """All visitors' sessions, and the few workers that answer their questions."""

    def __init__(
        self,
        engine: Engine,
        pictures: IndexedPictures,
        *,
        idle_s: float = IDLE_S,
        workers: int = 4,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._engine = engine
        self._pictures = pictures
        self._idle_s = idle_s
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()
        self._workers = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="turn")

    def get(self, session_id: object) -> Session | None:
        """The session of this id, if it lives; whoever calls this shows that it is not idle."""
        self.sweep()
        with self._lock:
            session = self._sessions.get(session_id) if isinstance(session_id, str) else None
            if session is not None:
                session.last_seen_s = self._clock()
            return session

    def get_or_new(self, session_id: object) -> Session:
        return self.get(session_id) or self.new()

    def new(self) -> Session:
        session = Session(secrets.token_urlsafe(24), self._clock())
        with self._lock:
            self._sessions[session.id] = session
        self.sweep()
        return session

    def end(self, session_id: object) -> None:
        """Drop a session and everything that was kept for it."""
        with self._lock:
            session = self._sessions.pop(session_id, None) if isinstance(session_id, str) else None
        if session is None:
            return
        if session.run is not None:
            session.run.stop()
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
            pixel_bytes += session.frame.pixels.nbytes if session.frame is not None else 0
            if session.last_seen_s < limit or n >= MAX_SESSIONS or (n and pixel_bytes > MAX_PIXEL_BYTES):
                self.end(session.id)

    def start_sweeping(self, every_s: float = 60.0) -> None:
        """Sweep in the background, so that pictures go even when nobody comes any more."""

        def sweep_for_ever() -> None:
            while True:
                time.sleep(every_s)
                self.sweep()

        threading.Thread(target=sweep_for_ever, name="sweep-sessions", daemon=True).start()

    def ask(self, session: Session, question: str) -> Run:
        """Begin answering; a question that is still being answered in this session is stopped."""
        with session.lock:
            if session.run is not None:
                session.run.stop()
                self._keep(session, session.run)
            run = Run(session.turns_shown + 1, question, session.new_pictures(), self._clock)
            session.run = run
            frame, conversation = session.frame, session.conversation
        self._workers.submit(self._answer, session, run, conversation, frame)
        return run

    # the worker's side

    def _answer(self, session: Session, run: Run, conversation: Conversation, frame: Frame | None) -> None:
        try:
            assistant = None
            while assistant is None:
                if run.cancelled.is_set():
                    return
                state = self._engine.state
                share = "" if state.share is None else f" ({state.share:.0%})"
                run.wait_for(f"{state.words}{share}. Your question waits.")
                assistant = self._engine.wait(0.25)
            for event in assistant.answer(conversation, run.question, frame, cancelled=run.cancelled):
                if isinstance(event, Recognised) and frame is not None:
                    self._show_entity(run, event, frame)
                if isinstance(event, Finished) and not run.cancelled.is_set():
                    self._remember(session, event.turn, run)
                run.add(event)
                session.last_seen_s = self._clock()
        except NotReady as problem:
            run.add(Finished(ended(run.question, "error", str(problem))))
        except Exception:
            log.exception("a turn failed")
            words = "something went wrong while answering; the log of the server has the details"
            run.add(Finished(ended(run.question, "error", words)))
        finally:
            if not run.finished:  # an assistant that broke its promise to finish
                run.add(Finished(ended(run.question, "error", "the answer broke off")))
            with session.lock:
                if session.run is run:
                    self._keep(session, run)

    def _remember(self, session: Session, turn: Turn, run: Run) -> None:
        with session.lock:
            if session.run is run and turn.answer.status in _SAID:
                session.conversation = session.conversation.with_turn(turn)

    @staticmethod
    def _keep(session: Session, run: Run) -> None:
        """A finished run becomes one of the session's turns."""
        session.run = None
        view = run.view()
        session.views = [*session.views, view][-MAX_TURNS:]
        if view.seen is not None and (view.turn is None or view.turn.frame_digest == _digest(session.frame)):
            session.frame_view = view

    def _show_entity(self, run: Run, event: Recognised, frame: Frame) -> None:
        entity = event.recognition.entity
        if entity is None:
            return
        part = cut_out(frame, entity.outline_px)
        if part is not None:
            run.show("seen", data_uri(part, CARD_SIDE_PX))
        if card := self._pictures.card(entity.index):
            run.show("indexed", card)


def _digest(frame: Frame | None) -> str | None:
    return frame.digest if frame is not None else None
