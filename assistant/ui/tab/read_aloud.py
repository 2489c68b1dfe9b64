"""An answer being read aloud: its sentences as they come, each as sound, in order; ended by whoever does not want it.

No gradio here and nothing is kept: sounds go to the page that asked and nowhere else. The page's side is
`assistant.ui.tab.voice`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from assistant.core.errors import BadInput, VitrineError
from assistant.speech.process import Cancelled
from assistant.speech.speaking import Speaker
from assistant.speech.wording import pieces
from assistant.text.english import sentence_of
from assistant.ui.html.voice import render_clip, render_reading, render_reading_end
from assistant.ui.state.runs import Run
from assistant.ui.state.sessions import Session
from assistant.ui.state.turn_view import StageView, TurnView

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Saying:
    """A piece to be said, and the sentence of the answer it belongs to: from 1, 0 for none."""

    text: str
    sentence: int


class Readings:
    """What is read aloud to whom: one answer for each session at a time."""

    def __init__(self, speaker: Speaker, clock: Callable[[], float] = time.perf_counter):
        self._speaker = speaker
        self._clock = clock
        self._lock = threading.Lock()
        self._going: dict[str, tuple[str, threading.Event]] = {}

    def stop(self, session_id: str, token: str) -> None:
        """End the reading `token` to a session; a newer one, whose beginning overtook this, goes on."""
        with self._lock:
            going = self._going.get(session_id)
            if going is not None and going[0] == token:
                del self._going[session_id]
                going[1].set()

    def read(self, session: Session, number: int, token: str, voice: str = "") -> Iterator[str]:
        """Turn `number`'s answer as the page's feed, longer each time; it ends when a newer reading begins.

        `token` is the page's name for this reading, `voice` the name of the voice it is read with (see `Speaker`).

        The first sentence is sound before the last is written. When all is said, the turn's view has a `speak` stage.
        """
        stopped = self._begin(session.id, token)
        feed = render_reading(token, number)
        spoken_ms, first_ms, end = 0.0, 0.0, ""
        run = session.run if session.run is not None and session.run.number == number else None
        sound_ms = None
        try:
            for saying in _sayings(session, number, stopped):
                began = self._clock()
                sound = self._speaker.speak(saying.text, voice=voice, owner=session.id, cancelled=stopped)
                now = self._clock()
                spoken_ms += (now - began) * 1000
                first_ms = first_ms or (now - began) * 1000
                if stopped.is_set():
                    return
                if run is not None and sound_ms is None:  # read while it is answered, not at a later wish
                    sound_ms = run.sounds()
                feed += render_clip(sound, saying.sentence)
                yield feed
        except Cancelled:
            return
        except VitrineError as problem:
            end = sentence_of(str(problem))
        except Exception:
            log.exception("an answer could not be read aloud")
            end = "The answer could not be read aloud: the log of the server has the details."
        finally:
            self._end(session.id, stopped)
        if first_ms:
            note = f"the first sound {first_ms:.0f} ms after its sentence"
            _note_time(session, number, spoken_ms, note, sound_ms)
        yield feed + render_reading_end(end)

    def _begin(self, session_id: str, token: str) -> threading.Event:
        stopped = threading.Event()
        with self._lock:
            if (before := self._going.get(session_id)) is not None:
                before[1].set()
            self._going[session_id] = (token, stopped)
        return stopped

    def _end(self, session_id: str, stopped: threading.Event) -> None:
        with self._lock:
            if self._going.get(session_id, ("", None))[1] is stopped:
                del self._going[session_id]


def _sayings(session: Session, number: int, stopped: threading.Event) -> Iterator[Saying]:
    """What is to be said of a turn, each piece as soon as it is there.

    Raises:
        BadInput: there is no such turn, or nothing in it can be said.
    """
    said = 0
    for view in _views(session, number):
        if stopped.is_set():
            return
        for place in range(said, len(view.sentences)):
            if view.sentences[place].picture is not None:  # nobody wants to hear an address
                continue
            for piece in pieces(view.sentences[place].text):
                yield Saying(piece, place + 1)
        said = max(said, len(view.sentences))
        if view.turn is None:
            continue
        if view.turn.answer.status == "cancelled":
            return
        if not said:  # a refusal, a mistake: what is shown in place of an answer
            yield from (Saying(piece, 0) for piece in pieces(view.turn.answer.words or view.turn.answer.reason))


def _views(session: Session, number: int) -> Iterator[TurnView]:
    run: Run | None = session.run
    if run is not None and run.number == number:
        yield from run.follow()
        return
    view = session.view_of(number)
    if view is None or view.turn is None:
        raise BadInput("that answer is no longer here")
    yield view


def _note_time(session: Session, number: int, ms: float, note: str, sound_ms: float | None) -> None:
    """The turn's view with a `speak` stage, and when its first sound was there; nothing when the turn is gone."""

    def spoken(view: TurnView) -> TurnView:
        begun = max(view.wall_ms, max((stage.end_ms for stage in view.stages), default=0.0))
        stage = StageView("speak", "done", ms, note, begun, begun + ms)
        moments = view.moments if sound_ms is None else {**view.moments, "sound": sound_ms}
        return replace(view, stages=(*(s for s in view.stages if s.stage != "speak"), stage), moments=moments)

    deadline = time.monotonic() + 1.0
    while session.run is not None and session.run.number == number and time.monotonic() < deadline:
        time.sleep(0.01)  # the turn has ended and is just being kept
    with session.lock:
        session.views = [spoken(view) if view.number == number else view for view in session.views]
