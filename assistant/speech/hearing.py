"""Hearing: a spoken question as text, with faster-whisper in a process of its own.

The model is the one that comes with the packages, or another that is on this machine already
(`assistant.speech.whisper_models` looks for it, never on the network). What was heard is shown for correction before it
is asked, unless whoever speaks wants it asked at once. When somebody begins and ends to speak is told in the browser
(assets/style/listener.js). Run as a module, this is that process, with the model's folder as its argument.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.speech.packaged_model import lay_out
from assistant.speech.process import Message, ProcessDied, ProcessLate, Progress, WorkerProcess, serve
from assistant.speech.recording import MAX_BYTES, MAX_S, RATE_HZ, audible, clipped, read_recording
from assistant.speech.whisper_models import Found, find_model

log = logging.getLogger(__name__)

#: Loading a large model and transcribing 30 s with it, on a slow machine.
TIMEOUT_S = 120.0
#: Names that may come up, told to the model; more would crowd out the sound.
_HINT_CHARS = 200
#: How alike a name and a part of what was heard are, 0 to 100 (`rapidfuzz.fuzz.partial_ratio`), that it is tried as a
#: hint; shorter names are like too much, and more names than this would take longer than the model.
_LIKE, _SHORTEST, _MOST_LIKE, _MOST_KNOWN = 72.0, 8, 4, 20_000
#: With the hint it is believed where it is about as sure as without.
_AS_SURE = 0.85
#: What the model expects to hear: with it 26 words of 100 of a hard voice are misheard instead of 43.
_EXPECTED = "Questions about the thing in front of the camera."
#: Below this mean probability of a word, what was heard is shown with a doubt.
_SURE = 0.45
#: Heard less surely than this, it is looked whether it was English at all, and it was not where another language is as
#: likely as that.
_LOOKS_ABROAD, _ABROAD = 0.6, 0.6
#: A question of 30 s has no more tokens; a model that repeats itself would go on.
_MAX_TOKENS = 160

NO_PACKAGE = "faster-whisper is not installed: `pip install -r requirements.txt` adds it, then start again"
NO_WORDS = "I heard no words in that: come closer to the microphone, or type the question"
QUIET = "That was very quiet: check the words."
TOO_LOUD = "That was too loud for the microphone: check the words, or speak from further away."
ABROAD = "that sounded like another language: I understand questions in English"
UNSURE = "I am not sure I heard that right: check the words."


@dataclass(frozen=True)
class Heard:
    """`hint` is one sentence about how well it was heard, "" when well; `probability` is the mean of the words'."""

    text: str
    probability: float
    duration_s: float
    hint: str = ""


class Hearing:
    """Turns recordings into text; safe to share between threads and visitors, who are served by turns."""

    def __init__(self, find: Callable[[], Found], *, timeout_s: float = TIMEOUT_S, python: str = sys.executable):
        self._find = find
        self._timeout_s = timeout_s
        self._python = python
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._path: Path | None = None

    @classmethod
    def of(cls, model: str | None, data_dir: Path) -> Hearing:
        """With the `model` of that name or folder, or any that is found."""
        return cls(lambda: find_model(model, data_dir))

    @property
    def model(self) -> Found:
        """The model on this machine, looked for anew: one that was just downloaded is found."""
        if importlib.util.find_spec("faster_whisper") is None:
            return Found(None, NO_PACKAGE)
        return self._find()

    @property
    def missing(self) -> str:
        """What is missing and how to get it, in one sentence; "" when it can hear."""
        return self.model.missing

    @property
    def pid(self) -> int | None:
        """The id of the hearing process while it lives."""
        return self._worker.pid if self._worker is not None else None

    def warm(self) -> None:
        """Load the model while the question is still being spoken; what goes wrong is told by the transcription."""
        if not self.missing:
            threading.Thread(target=self._try_warm, name="warm-hearing", daemon=True).start()

    def transcribe(
        self,
        recording: bytes,
        *,
        names: Sequence[str] = (),
        known: Sequence[str] = (),
        owner: str = "",
        cancelled: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> Heard:
        """What was said in `recording`, a file of any kind that browsers record, up to 30 s.

        Args:
            recording: the bytes of the file.
            names: words that may come up (what was recognised); they help where they are heard.
            known: all names that may be said, more than fit a hint: where what was heard is like some of them, it is
                heard once more with these as a hint.
            owner: who asked; owners that wait are served by turns.
            cancelled: once set, a recording that still waits is dropped; one that is being listened to is finished for
                nobody, since ending the process would make the next visitor wait for the model.
            progress: told how far it is (0..1) and what is being done.

        Raises:
            NotReady: there is no model.
            BadInput: broken, silent, too short or too long, or no words in it.
            Cancelled: `cancelled` was set.
            VitrineError: the model failed twice or took too long.
        """
        if len(recording) > MAX_BYTES:  # before it is copied anywhere
            raise BadInput(f"that recording has {len(recording) / 1e6:.0f} MB: {MAX_S:.0f} s of speech are the most")
        heard = self._heard(recording, _hint(names), owner, cancelled, progress)
        if like := names_like(heard.text, known):
            again = self._heard(recording, _hint([*like, *names]), owner, cancelled, progress)
            named = any(name.lower() in again.text.lower() for name in like)
            if named and again.probability >= _AS_SURE * heard.probability:
                return again
        return heard

    def _heard(
        self,
        recording: bytes,
        hint: str,
        owner: str,
        cancelled: threading.Event | None,
        progress: Progress | None,
    ) -> Heard:
        request = {"do": "transcribe", "hint": hint}
        for last in (False, True):
            try:
                reply = self._ask(request, recording, owner, cancelled, progress)
            except ProcessLate as late:
                raise VitrineError(f"listening to that took longer than {self._timeout_s:.0f} s") from late
            except ProcessDied as died:
                if last:
                    raise VitrineError(f"the speech model failed: {died}") from died
                continue  # a new process, once
            return Heard(reply["text"], reply["probability"], reply["duration_s"], reply["hint"])
        raise AssertionError("the loop returns or raises")

    def end(self) -> None:
        """End the process and free the model's memory; the next recording starts another."""
        if self._worker is not None:
            self._worker.end()

    def _ask(
        self,
        request: dict[str, Any],
        body: bytes,
        owner: str,
        cancelled: threading.Event | None,
        progress: Progress | None,
    ) -> dict[str, Any]:
        worker = self._process()
        reply, _ = worker.ask(
            request, body, timeout_s=self._timeout_s, owner=owner, cancelled=cancelled, progress=progress
        )
        if "problem" in reply:
            raise BadInput(reply["problem"])
        if "crash" in reply:
            log.error("hearing failed: %s", reply["crash"])
            raise VitrineError("the speech model could not be used: the log of the server has the details")
        return reply

    def _process(self) -> WorkerProcess:
        found = self.model
        if found.path is None:
            raise NotReady(found.missing)
        with self._lock:
            if self._worker is None or self._path != found.path:
                if self._worker is not None:
                    self._worker.end()
                if found.packages:
                    lay_out(found.path, found.packages)
                self._path = found.path
                self._worker = WorkerProcess("assistant.speech.hearing", (str(found.path),), python=self._python)
            return self._worker

    def _try_warm(self) -> None:
        try:
            self._ask({"do": "warm"}, b"", "", None, None)
        except VitrineError as problem:
            log.info("the speech model is not loaded yet: %s", problem)


def names_like(text: str, known: Sequence[str]) -> list[str]:
    """Names of which `text` holds something very like, and which it does not hold; the likest first, few."""
    if not known or len(known) > _MOST_KNOWN:
        return []
    from rapidfuzz import fuzz, process, utils

    long = [name for name in known if len(name) >= _SHORTEST]
    found = process.extract(
        text, long, scorer=fuzz.partial_ratio, processor=utils.default_process, score_cutoff=_LIKE, limit=_MOST_LIKE
    )
    said = utils.default_process(text)
    return [name for name, _, _ in found if utils.default_process(name) not in said]


def _hint(names: Sequence[str]) -> str:
    words = ", ".join(dict.fromkeys(" ".join(name.split()) for name in names if name))
    return "".join(c for c in words[:_HINT_CHARS] if not unicodedata.category(c).startswith("C"))


# the process's side


class _Listener:
    """The loaded model."""

    def __init__(self, folder: str):
        self._folder = folder
        self._model: Any = None

    def answer(self, request: dict[str, Any], body: bytes, progress: Progress) -> Message:
        samples = quiet = None
        if request["do"] == "transcribe":
            samples, quiet = audible(read_recording(body))  # before seconds are spent on loading
        if self._model is None:
            progress(0.05, "Loading the speech model")
            self._load()
        if samples is None:
            return {}, b""
        return self._transcribe(samples, bool(quiet), request["hint"], progress), b""

    def _load(self) -> None:
        from faster_whisper import WhisperModel

        # The path of a complete folder: a name would be looked up on the hub.
        self._model = WhisperModel(self._folder, device="cpu", compute_type="int8", local_files_only=True)

    def _transcribe(self, samples: Any, quiet: bool, hint: str, progress: Progress) -> dict[str, Any]:
        import math

        from faster_whisper.vad import VadOptions, get_speech_timestamps

        duration_s = len(samples) / RATE_HZ
        progress(0.15, f"Listening to {duration_s:.0f} s")
        options = VadOptions(min_speech_duration_ms=80)
        if not get_speech_timestamps(samples, options):
            raise BadInput(NO_WORDS)
        segments, _ = self._model.transcribe(
            samples,
            language="en",  # the reader answers English questions
            beam_size=5,
            temperature=[0.0, 0.4],
            condition_on_previous_text=False,
            without_timestamps=True,
            vad_filter=True,  # a model that hears silence makes words up
            vad_parameters=options,
            initial_prompt=_EXPECTED,
            hotwords=hint or None,
            max_new_tokens=_MAX_TOKENS,
        )
        words, weighed, tokens = [], 0.0, 0
        for segment in segments:
            words.append(segment.text.strip())
            weighed += segment.avg_logprob * len(segment.tokens)
            tokens += len(segment.tokens)
            progress(min(0.95, 0.15 + 0.8 * segment.end / duration_s), f"Listening to {duration_s:.0f} s")
        text = " ".join(" ".join(words).split())
        if not any(c.isalnum() for c in text):
            raise BadInput(NO_WORDS)
        probability = math.exp(weighed / tokens) if tokens else 0.0
        if probability < _LOOKS_ABROAD and self._is_abroad(samples):
            raise BadInput(ABROAD)
        unsure = TOO_LOUD if clipped(samples) else UNSURE
        doubt = QUIET if quiet else unsure if probability < _SURE else ""
        return {"text": text, "probability": probability, "duration_s": duration_s, "hint": doubt}

    def _is_abroad(self, samples: Any) -> bool:
        """Whether another language than English was spoken; a model for English alone cannot tell."""
        if not self._model.model.is_multilingual:
            return False
        language, probability, _ = self._model.detect_language(samples)
        return bool(language != "en" and probability >= _ABROAD)


if __name__ == "__main__":
    serve(_Listener(sys.argv[1]).answer)
