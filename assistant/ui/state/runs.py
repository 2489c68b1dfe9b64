"""A question being answered: what its worker thread adds to and any number of pages follow.

The events are the only state; what is shown is their projection. Who may follow a run is decided by
`assistant.ui.state.sessions`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

from assistant.core.events import Drafted, Event, EvidenceFound, Finished, SentenceReady
from assistant.ui.state.turn_view import TurnView, ended, projected


class Run:
    """One question being answered by a worker thread; survives the page that asked it.

    `follow` yields a fresh view whenever something happened, the last one finished.
    """

    def __init__(self, asked: TurnView, clock: Callable[[], float]):
        """`asked` says which turn it is, what was asked and about which picture."""
        self.number = asked.number
        self.question = asked.question
        self.cancelled = threading.Event()
        self._clock = clock
        self._started = clock()
        self._events: list[tuple[float, Event]] = []
        self._asked = asked
        self._pictures = dict(asked.pictures)
        self._contexts = dict(asked.contexts)
        self._waiting = ""
        self._moments = dict(asked.moments)
        self._version = 0
        self._changed = threading.Condition()

    @property
    def finished(self) -> bool:
        with self._changed:
            return self._is_finished()

    @property
    def age_s(self) -> float:
        """How long ago the question was asked."""
        return self._clock() - self._started

    def view(self) -> TurnView:
        with self._changed:
            return self._view()

    def add(self, event: Event) -> None:
        """Keep an event, unless the turn has ended already."""
        with self._changed:
            if not self._is_finished():
                self._waiting = ""
                if isinstance(event, Drafted) and self._events and isinstance(self._events[-1][1], Drafted):
                    self._events.pop()  # it has grown
                at_ms = (self._clock() - self._started) * 1000
                if (moment := _moment(event)) is not None:
                    self._moments.setdefault(moment, at_ms)
                self._events.append((at_ms, event))
                self._touch()

    def show(self, name: str, picture: str) -> None:
        with self._changed:
            self._pictures[name] = picture
            self._touch()

    def sounds(self) -> float:
        """The first sound of the answer is there; after how many ms."""
        with self._changed:
            return self._moments.setdefault("sound", (self._clock() - self._started) * 1000)

    def put_in_context(self, evidence_id: str, before: str, after: str) -> None:
        """What a page says around a passage; seen with the next event."""
        with self._changed:
            self._contexts[evidence_id] = (before, after)

    def answered_by(self, profile: str) -> None:
        """The profile that answers; seen with the next event."""
        with self._changed:
            self._asked = replace(self._asked, answered_by=profile)

    def wait_for(self, words: str) -> None:
        """Say why nothing runs yet."""
        with self._changed:
            if words != self._waiting:
                self._waiting = words
                self._touch()

    def stop(self) -> None:
        """End the turn now for the visitor; the worker notices before its next stage."""
        self.cancelled.set()
        self.add(Finished(ended(self.question, "cancelled", "stopped before the answer was ready")))

    def follow(self, poll_s: float = 0.5) -> Iterator[TurnView]:
        seen = -1
        while True:
            with self._changed:
                if self._version == seen:
                    self._changed.wait(poll_s)
                if self._version == seen:
                    continue
                seen, view = self._version, self._view()
            yield view
            if view.turn is not None:
                return

    def _view(self) -> TurnView:
        about = replace(
            self._asked,
            pictures=dict(self._pictures),
            contexts=dict(self._contexts),
            waiting=self._waiting,
            moments=dict(self._moments),
        )
        return projected(about, self._events)

    def _is_finished(self) -> bool:
        return bool(self._events) and isinstance(self._events[-1][1], Finished)

    def _touch(self) -> None:
        self._version += 1
        self._changed.notify_all()


def _moment(event: Event) -> str | None:
    """What is there with the first event of its kind."""
    if isinstance(event, EvidenceFound):
        return "evidence" if event.evidence else None
    return "word" if isinstance(event, Drafted | SentenceReady) else None
