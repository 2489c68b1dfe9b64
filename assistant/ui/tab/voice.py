"""The voice on the page: a microphone beside the question, a button under each answer, and the switch that reads every
new answer aloud.

Hangs into the live tab with its components and `wire`. What is recorded and played stays between one browser and this
server: a recording is text after a moment, a sound is data on the page that asked, and neither is ever a file. Who
speaks and who hears is decided in `assistant.speech`; the scripts are assets/style/speaking.js and hearing.js.
"""

from __future__ import annotations

import base64
import binascii
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr

from assistant.core.errors import BadInput, VitrineError
from assistant.core.paths import ASSETS_DIR
from assistant.speech.hearing import Heard, Hearing
from assistant.speech.process import Cancelled
from assistant.speech.recording import BROKEN, MAX_BYTES
from assistant.speech.speaking import Speaker
from assistant.text.english import sentence_of
from assistant.ui.html.voice import (
    render_heard,
    render_listening,
    render_microphone,
    render_reading,
    render_reading_bar,
    render_reading_end,
    render_voice_note,
    render_voice_settings,
)
from assistant.ui.state.sessions import Session, SessionStore
from assistant.ui.tab.click_payload import Changes, detail, number_of
from assistant.ui.tab.read_aloud import Readings

log = logging.getLogger(__name__)

#: How a session's turns are drawn again, once a time of speaking stands with one of them.
Redraw = Callable[[Session], Changes]

_STYLE = ASSETS_DIR / "style"
_POLL_S = 0.1
#: A token is drawn by the browser; anything longer is nobody's.
_TOKEN_CHARS = 40
_VOICE_CHARS = 100


class Voice:
    """Components and handlers; create each component where it stands, then `wire`."""

    def __init__(self, speaker: Speaker, hearing: Hearing, sessions: SessionStore):
        self.speaker = speaker
        self.hearing = hearing
        self._sessions = sessions
        self._readings = Readings(speaker)
        self._settings: gr.HTML | None = None
        self._lock = threading.Lock()
        self._listening: dict[str, threading.Event] = {}

    # components

    def note(self) -> gr.HTML:
        """One line above the question: what is being recorded, heard, or missing. Creates the feeds beside it."""
        part = _static(render_voice_note(), "voice")
        self._reading_feed = _feed("speaking.js", "reading-feed")
        self._listening_feed = _feed("hearing.js", "listening-feed")
        return part

    def microphone(self) -> gr.HTML:
        self._microphone = _static(render_microphone(self.hearing.missing), "mic")
        return self._microphone

    def switch(self) -> gr.Checkbox:
        """ "Read answers aloud": looked at by the browser alone, so that it is each visitor's own."""
        self._switch = gr.Checkbox(
            label="Read answers aloud", elem_id="speak-on", container=False, **self._switchable()
        )
        return self._switch

    def player(self) -> gr.HTML:
        """The sound and the button that stops it."""
        return _static(render_reading_bar(), "sound")

    def settings(self) -> gr.HTML:
        """Which voice, how fast and how loud: kept by the browser."""
        self._settings = _static(self._rendered_settings(), "voice-settings")
        return self._settings

    # wiring

    def wire(self, page: gr.Blocks, session_id: gr.BrowserState, redraw: Redraw, redrawn: list[Any]) -> None:
        """Connect the parts; `redrawn` are the components that `redraw` changes."""
        private: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "concurrency_limit": 32}
        several: dict[str, Any] = {
            **private,
            "trigger_mode": "multiple",
        }  # a new one begins while the one before still ends
        self._redraw = redraw
        seen = [part for part in (self._microphone, self._switch, self._settings) if part]
        page.load(self._arrive, None, seen, **private)
        feed = self._reading_feed
        feed.say(self._say, [session_id], [feed, *redrawn], **several)
        feed.hush(self._hush, [session_id], None, **several)
        feed.prepare(self.speaker.warm, None, None, **several)
        feed = self._listening_feed
        feed.said(self._hear, [session_id], [feed], **several)
        feed.drop(self._drop, [session_id], None, **several)
        feed.prepare(self.hearing.warm, None, None, **several)

    def _arrive(self) -> Changes:
        """What is installed now, not what was when the server started."""
        return {
            self._microphone: render_microphone(self.hearing.missing),
            self._switch: gr.Checkbox(**self._switchable()),
            **({self._settings: self._rendered_settings()} if self._settings else {}),
        }

    def _rendered_settings(self) -> str:
        return render_voice_settings(self.speaker.natural, self.speaker.default, self.speaker.has_plain)

    def _switchable(self) -> dict[str, Any]:
        missing = self.speaker.missing
        return {"interactive": not missing, "info": missing or None}

    # speaking

    def _say(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        """Read a turn aloud to the page that asks, from its first sentence on."""
        number, session = number_of(event, "number"), self._sessions.get(session_id)
        if session is None:
            end = render_reading_end("That answer is no longer here.")
            yield {self._reading_feed: render_reading(_token(event), number) + end}
            return
        voice = str(detail(event, "voice", ""))[:_VOICE_CHARS]
        for feed in self._readings.read(session, number, _token(event), voice):
            yield {self._reading_feed: feed}
        changes = self._timed(session, number)
        if changes:
            yield changes

    def _timed(self, session: Session, number: int) -> Changes:
        """The last turn with its time of speaking, unless something else is being shown there by now."""
        with session.lock:
            views = session.views
            if session.run is not None or not views or views[-1].number != number:
                return {}
            spoken = any(stage.stage == "speak" for stage in views[-1].stages)
        return self._redraw(session) if spoken else {}

    def _hush(self, session_id: str, event: gr.EventData) -> None:
        self._readings.stop(str(session_id), _token(event))

    # hearing

    def _hear(self, session_id: str, event: gr.EventData) -> Iterator[Changes]:
        """A recording becomes text for the question box of the page that sent it."""
        token, data = _token(event), detail(event, "data", "")
        session = self._sessions.get(session_id)
        owner = session.id if session is not None else token
        cancelled = self._begin(owner)
        names = (self._sessions.names(session), self._sessions.known_names())
        job = _Job(self.hearing, data, names, owner, cancelled)
        yield {self._listening_feed: render_listening(token, "working", "Listening")}
        shown = ""
        while not job.wait(_POLL_S):
            if cancelled.is_set():
                return
            if job.doing != shown:
                shown = job.doing
                yield {self._listening_feed: render_listening(token, "working", shown, job.share)}
        if cancelled.is_set():
            return
        if job.heard is not None:
            if session is not None:
                session.heard_ms = job.took_ms
            yield {self._listening_feed: render_heard(token, job.heard.text, job.heard.hint)}
        else:
            yield {self._listening_feed: render_listening(token, "failed", job.problem)}

    def _begin(self, owner: str) -> threading.Event:
        """A new recording takes the place of the one before."""
        cancelled = threading.Event()
        with self._lock:
            if (before := self._listening.get(owner)) is not None:
                before.set()
            self._listening[owner] = cancelled
            for other in [o for o, e in self._listening.items() if e.is_set()]:
                del self._listening[other]
        return cancelled

    def _drop(self, session_id: str) -> None:
        with self._lock:
            if (going := self._listening.pop(str(session_id), None)) is not None:
                going.set()


class _Job:
    """One recording being listened to, off the page's threads."""

    def __init__(
        self,
        hearing: Hearing,
        data: object,
        names: tuple[list[str], list[str]],
        owner: str,
        cancelled: threading.Event,
    ):
        """`names`: those that are likely, and all that are known."""
        self.share = self.took_ms = 0.0
        self.doing = "Waiting for its turn"
        self.heard: Heard | None = None
        self.problem = ""
        self._arguments = (hearing, data, names, owner, cancelled)
        self._thread = threading.Thread(target=self._run, name="hear", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether it is finished, within `seconds`."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        hearing, data, (names, known), owner, cancelled = self._arguments
        began = time.perf_counter()
        try:
            self.heard = hearing.transcribe(
                _decoded(data), names=names, known=known, owner=owner, cancelled=cancelled, progress=self._progress
            )
            self.took_ms = (time.perf_counter() - began) * 1000
        except Cancelled:
            pass
        except VitrineError as problem:
            self.problem = sentence_of(str(problem))
        except Exception:
            log.exception("a recording could not be heard")
            self.problem = "That did not work: the log of the server has the details."

    def _progress(self, share: float, doing: str) -> None:
        self.share, self.doing = share, doing


def _decoded(data: object) -> bytes:
    """The bytes of a recording.

    Raises:
        BadInput: too many, or not what a browser sends.
    """
    if not isinstance(data, str):
        raise BadInput(BROKEN)
    if len(data) > MAX_BYTES * 4 // 3 + 4:
        raise BadInput(f"that recording has {len(data) * 3 / 4e6:.0f} MB: {MAX_BYTES / 1e6:.0f} MB are the most")
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error as problem:
        raise BadInput(BROKEN) from problem


def _token(event: gr.EventData) -> str:
    """The page's own name for a reading or a recording."""
    return str(detail(event, "token", ""))[:_TOKEN_CHARS]


def _static(value: str, elem_id: str) -> gr.HTML:
    return gr.HTML(value, elem_id=elem_id, js_on_load=None, apply_default_css=False)


def _feed(script: str, elem_id: str) -> gr.HTML:
    """Seen by its script alone."""
    words = (_STYLE / script).read_text(encoding="utf-8")
    return gr.HTML("", elem_id=elem_id, elem_classes="v-feed", js_on_load=words, apply_default_css=False)
