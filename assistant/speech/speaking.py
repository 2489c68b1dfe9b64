"""Speaking: pyttsx3 with espeak-ng, in a process of its own, as the bytes of a WAV file; or a natural voice.

The engine crashes when several threads of one process use it. In its usual mode it works in a thread of its own that
`runAndWait` does not wait for: on a busy machine texts come out empty, or at another speed than was set [measured with
pyttsx3 2.99: 3 of 300]. So one lasting process holds the loaded library and forks a child for each text, in which the
engine works synchronously; a child that crashes or hangs takes nothing with it. The sound is played by whoever asked
(the page plays it in the browser). Run as a module, this is that process. Hearing and interruption by voice are not
covered.
"""

from __future__ import annotations

import contextlib
import ctypes.util
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.speech.natural_voice import NaturalVoice, natural_voices
from assistant.speech.process import Message, ProcessDied, ProcessLate, Progress, WorkerProcess, serve
from assistant.speech.wording import PIECE_CHARS, spoken, voice_for

#: For one piece of text; espeak-ng takes about 15 ms for a sentence.
TIMEOUT_S = 15.0
WORDS_A_MINUTE = 165
#: What pyttsx3's driver takes espeak-ng's samples for.
_RATE_HZ = 22_050
#: A WAV file's header without any sound.
_HEADER_BYTES = 44

#: The name of the voice that is no natural one.
PLAIN = "espeak-ng"
#: A natural voice takes about a fifth of the time that its sound lasts; loading it, some seconds the first time.
NATURAL_TIMEOUT_S = 60.0
NO_ENGINE = "no speech engine is installed: on Debian `apt-get install espeak-ng` adds one, then reload the page"
NO_PACKAGE = "pyttsx3 is not installed: `pip install -r requirements.txt` adds it, then start again"


def find_engine(name: str) -> str | None:
    """Where the program or the library `name` is, or None."""
    return shutil.which(name) or ctypes.util.find_library(name)


class Speaker:
    """Turns text into sound; safe to share between threads and visitors, who are served by turns.

    Args:
        voice: the name of the voice that speaks where none is asked for; None for the first natural voice that is
            installed, else espeak-ng.
        voices_dir: where natural voices lie, beside those that come as packages.
    """

    def __init__(
        self,
        *,
        find: Callable[[str], str | None] = find_engine,
        timeout_s: float = TIMEOUT_S,
        python: str = sys.executable,
        voice: str | None = None,
        voices_dir: Path | None = None,
    ):
        self._find = find
        self._timeout_s = timeout_s
        self._wanted, self._voices_dir = voice, voices_dir
        self._natural = WorkerProcess("assistant.speech.natural_voice", python=python)
        self._worker = WorkerProcess("assistant.speech.speaking", (str(timeout_s),), python=python)

    @property
    def missing(self) -> str:
        """What to install before anything can be said, in one sentence; "" when an engine is there."""
        return "" if self.natural else self._plain_missing

    @property
    def natural(self) -> tuple[NaturalVoice, ...]:
        """The natural voices that are installed now."""
        return natural_voices(self._voices_dir)

    @property
    def has_plain(self) -> bool:
        """Whether espeak-ng can speak."""
        return not self._plain_missing

    @property
    def default(self) -> str:
        """The name of the voice that speaks where none is asked for."""
        names = [voice.name for voice in self.natural]
        if self._wanted in names or self._wanted == PLAIN or not names:
            return self._wanted if self._wanted in names else PLAIN
        return names[0]

    @property
    def _plain_missing(self) -> str:
        """Why espeak-ng cannot speak, "" where it can."""
        if importlib.util.find_spec("pyttsx3") is None:
            return NO_PACKAGE
        return "" if self._find("espeak-ng") or self._find("espeak") else NO_ENGINE

    @property
    def pid(self) -> int | None:
        """The id of the speech process while it lives."""
        return self._worker.pid

    def warm(self) -> None:
        """Start the process ahead of the first sentence; what goes wrong is told by that one."""
        if not self.missing:
            threading.Thread(target=self._try_speak, name="warm-speech", daemon=True).start()

    def speak(self, text: str, *, voice: str = "", owner: str = "", cancelled: threading.Event | None = None) -> bytes:
        """`text` as a mono 16-bit WAV file; its first `PIECE_CHARS` characters or so: see `wording.pieces` for more.

        Args:
            text: anything; marks and control characters are taken out, none of it is an instruction.
            voice: the name of a voice; one that is not installed, or "", is the default. A natural voice reads Latin
                letters only: other scripts are espeak-ng's where it is there.
            owner: who asked; owners that wait are served by turns.
            cancelled: once set, a text that still waits is not spoken.

        Raises:
            NotReady: no engine is installed.
            BadInput: there is nothing to say.
            Cancelled: `cancelled` was set.
            VitrineError: the engine failed twice or took too long.
        """
        words = spoken(text)[: 2 * PIECE_CHARS]
        if not words:
            raise BadInput("there is nothing to say")
        if self.missing:
            raise NotReady(self.missing)
        chosen = self._chosen(voice, words)
        for again in (True, False):  # a process that died is replaced once
            try:
                return self._ask(words, chosen, owner, cancelled)
            except ProcessLate as late:
                raise VitrineError(f"the speech engine took too long: {late}") from late
            except ProcessDied as died:
                if not again:
                    raise VitrineError(f"the speech engine failed: {died}") from died
        raise AssertionError("unreachable")

    def end(self) -> None:
        """End the processes; the next text starts another."""
        self._worker.end()
        self._natural.end()

    def _chosen(self, name: str, words: str) -> NaturalVoice | None:
        """The natural voice that reads `words`; None for espeak-ng."""
        natural = {voice.name: voice for voice in self.natural}
        plain = name == PLAIN and not self._plain_missing
        chosen = natural.get(name if name in natural or plain else self.default)
        readable = chosen is None or voice_for(words) is None or self._plain_missing
        return chosen if readable else None

    def _ask(self, words: str, natural: NaturalVoice | None, owner: str, cancelled: threading.Event | None) -> bytes:
        if natural is not None:
            asked = {"text": words, "model": str(natural.model)}
            reply, sound = self._natural.ask(asked, timeout_s=NATURAL_TIMEOUT_S, owner=owner, cancelled=cancelled)
            if "crash" in reply:
                raise ProcessDied(str(reply["crash"]))
            return sound
        with tempfile.TemporaryDirectory(prefix="vitrine-voice-") as folder:
            request = {"text": words, "voice": voice_for(words), "folder": folder}
            # the process keeps its own time; ours ends the process itself when it does not
            reply, sound = self._worker.ask(request, timeout_s=self._timeout_s + 2, owner=owner, cancelled=cancelled)
        if "late" in reply:
            raise ProcessLate(f"it took longer than {self._timeout_s:.0f} s")
        if "code" in reply or "crash" in reply:
            raise ProcessDied(str(reply.get("crash") or f"it ended with exit code {reply['code']}"))
        return sound

    def _try_speak(self) -> None:
        with contextlib.suppress(VitrineError):
            self.speak("ready")


# the process's side


def _answer(request: dict[str, Any], timeout_s: float) -> Message:
    """Have a child of its own write the text, and send what it wrote."""
    target = Path(request["folder"]) / "said.wav"
    if hasattr(os, "fork"):
        code = _wait(_fork(request["text"], request["voice"], target), timeout_s)
    else:
        code = _run(request["text"], request["voice"], target, timeout_s)
    if code is None:
        return {"late": True}, b""
    if not target.is_file() or target.stat().st_size <= _HEADER_BYTES:
        return {"code": code}, b""
    return {}, target.read_bytes()


def _fork(text: str, voice: str | None, target: Path) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            _write(text, voice, target)
            os._exit(0)
        except BaseException:
            os._exit(1)
    return pid


def _wait(pid: int, timeout_s: float) -> int | None:
    """The exit code of the child `pid`; None when it was too late and had to be ended."""
    deadline, pause_s = time.monotonic() + timeout_s, 0.001
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause_s)
        pause_s = min(0.02, pause_s * 1.5)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def _run(text: str, voice: str | None, target: Path, timeout_s: float) -> int | None:
    """Where processes cannot be forked."""
    command = [sys.executable, "-m", "assistant.speech.speaking", "once", voice or "", str(target)]
    try:
        return subprocess.run(command, input=text.encode(), timeout=timeout_s, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def _write(text: str, voice: str | None, target: Path) -> None:
    """In the child: one engine, one file."""
    import wave

    import pyttsx3
    from pyttsx3.drivers import _espeak

    _espeak.AUDIO_OUTPUT_RETRIEVAL = _espeak.AUDIO_OUTPUT_SYNCHRONOUS  # the driver offers no choice
    engine = pyttsx3.init("espeak")
    engine.setProperty("rate", WORDS_A_MINUTE)
    if voice:
        engine.setProperty("voice", voice)
    engine.save_to_file(text, str(target))
    engine.runAndWait()
    # Everything is said by now; in this mode nothing tells the driver so, which would have it write the file.
    with wave.open(str(target), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE_HZ)
        file.writeframes(engine.proxy._driver._data_buffer)


def _main(arguments: list[str]) -> None:
    if arguments[0] == "once":
        _write(sys.stdin.buffer.read().decode(), arguments[1] or None, Path(arguments[2]))
        return
    import pyttsx3.drivers.espeak  # noqa: F401  # what takes time is loaded before the first text

    timeout_s = float(arguments[0])

    def answer(request: dict[str, Any], _body: bytes, _progress: Progress) -> Message:
        return _answer(request, timeout_s)

    serve(answer)


if __name__ == "__main__":
    _main(sys.argv[1:])
