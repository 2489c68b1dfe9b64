"""Says a text: pyttsx3 with espeak-ng, in a process of its own, as the bytes of a WAV file.

The engine crashes when several threads of one process use it and loses files that are queued, so each text gets a
fresh process with a time-out; the sound is played by whoever asked (the page plays it in the browser). Run as a
module it is that process: text on standard input, the file to write as its argument. Hearing is not covered.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from assistant.errors import BadInput, NotReady, VitrineError

#: An answer is at most 75 tokens; what is longer than this is not spoken to its end.
MAX_CHARS = 1500
TIMEOUT_S = 15.0
WORDS_A_MINUTE = 165

MISSING = "no speech engine is installed: on Debian `apt-get install espeak-ng` adds one, then reload the page"


class Speaker:
    """Turns text into sound; safe to share between threads, since every text has its own process."""

    def __init__(
        self,
        *,
        find: Callable[[str], str | None] = shutil.which,
        timeout_s: float = TIMEOUT_S,
        python: str = sys.executable,
    ):
        self._find = find
        self._timeout_s = timeout_s
        self._python = python

    @property
    def missing(self) -> str:
        """What to install before anything can be said; "" when an engine is there."""
        return "" if self._find("espeak-ng") or self._find("espeak") else MISSING

    def speak(self, text: str) -> bytes:
        """`text` as a mono 16-bit WAV file.

        Raises:
            NotReady: no engine is installed.
            BadInput: there is nothing to say.
            VitrineError: the engine failed or took too long.
        """
        if self.missing:
            raise NotReady(self.missing)
        words = " ".join(text[:MAX_CHARS].split())
        if not words:
            raise BadInput("there is nothing to say")
        with tempfile.TemporaryDirectory(prefix="vitrine-voice-") as folder:
            target = Path(folder) / "said.wav"
            command = [self._python, "-m", "assistant.speech.speaking", str(target)]
            try:
                done = subprocess.run(
                    command,
                    input=words.encode(),
                    capture_output=True,
                    timeout=self._timeout_s,
                    cwd=Path(__file__).resolve().parents[2],
                    check=False,
                )
            except subprocess.TimeoutExpired as late:
                raise VitrineError(f"the speech engine took longer than {self._timeout_s:.0f} s") from late
            if not target.is_file() or target.stat().st_size <= 44:  # 44 bytes are a WAV header without sound
                raise VitrineError(f"the speech engine failed with exit code {done.returncode}")
            return target.read_bytes()


def _write(text: str, target: str) -> None:
    """In the process of its own: one engine, one file."""
    import pyttsx3

    engine = pyttsx3.init("espeak")
    engine.setProperty("rate", WORDS_A_MINUTE)
    engine.save_to_file(text, target)
    engine.runAndWait()


if __name__ == "__main__":
    _write(sys.stdin.buffer.read().decode(errors="replace"), sys.argv[1])
