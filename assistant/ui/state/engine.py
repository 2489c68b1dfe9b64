"""Opens the assistant behind the first paint and says how far that is.

Importing and loading the models, and building the bundled index on first start, take seconds to a minute; they run in
one thread here while the page is already up. Whoever needs the assistant waits for it with `wait`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from assistant.core.errors import NotReady, VitrineError
from assistant.core.events import Event
from assistant.core.options import Conditions
from assistant.core.types import Conversation, Evidence, Frame, Look, Recognition

log = logging.getLogger(__name__)


class Answering(Protocol):
    """What the page needs of an assistant; `assistant.agent.Assistant` and the tests' scripted one have it."""

    profile: str

    def answer(
        self,
        conversation: Conversation,
        question: str,
        frame: Frame | None,
        *,
        conditions: Conditions = ...,
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event]: ...

    def recognise(self, question: str, frame: Frame) -> tuple[Look, Recognition]: ...

    def exchange(
        self, evidence: Evidence, question: str, tried: tuple[str, ...] = ()
    ) -> tuple[str, Evidence] | None: ...

    def around(self, evidence: Evidence) -> tuple[str, str]: ...

    def look_ahead(self, frame: Frame) -> None: ...

    def forget(self, digest: str | None) -> None: ...

    def warm(self, progress: Callable[[float], None] | None = None) -> None: ...


#: Opens an assistant; told how far it is by calling its argument with (share 0..1, what is being done).
Opener = Callable[[Callable[[float, str], None]], Answering]


@dataclass(frozen=True)
class EngineState:
    """`share` is 0..1 while an index is being built, else None; `words` is one sentence for the visitor."""

    phase: Literal["loading", "ready", "failed"]
    words: str = ""
    share: float | None = None


class Engine:
    """One assistant for all visitors, opened in the background exactly once; a change of the model replaces it."""

    def __init__(self, opener: Opener):
        self._opener = opener
        self._state = EngineState("loading", "Loading the models")
        self._assistant: Answering | None = None
        self._settled = threading.Event()
        self._start_lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> EngineState:
        return self._state

    def start(self) -> None:
        """Begin opening; later calls do nothing."""
        with self._start_lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._open, name="open-assistant", daemon=True)
                self._thread.start()

    def wait(self, timeout_s: float) -> Answering | None:
        """The assistant, or None when it is not there within `timeout_s` seconds.

        Raises:
            NotReady: it cannot be opened; the message says why.
        """
        self._settled.wait(timeout_s)
        if self._state.phase == "failed":
            raise NotReady(self._state.words)
        return self._assistant

    def replace(self, assistant: Answering) -> None:
        """Another assistant for questions that are asked from now on; only once the first one is there."""
        assert self._state.phase == "ready"
        self._assistant = assistant

    @property
    def assistant(self) -> Answering | None:
        return self._assistant

    def _open(self) -> None:
        try:
            self._assistant = self._opener(self._report)
        except VitrineError as problem:
            self._fail(str(problem))
            return
        except Exception:
            log.exception("the assistant could not be opened")
            self._fail("the assistant could not be started; the log of the server has the details")
            return
        opened = self._assistant
        self._state = EngineState("ready")
        self._settled.set()
        try:
            opened.warm()
        except Exception:  # the first question will meet the same problem and report it
            log.exception("warming up failed")

    def _report(self, share: float, doing: str) -> None:
        words = f"Building the index on first start: {doing}" if doing else "Building the index on first start"
        self._state = EngineState("loading", words, share)

    def _fail(self, words: str) -> None:
        self._state = EngineState("failed", words)
        self._settled.set()
